"""ParseSequenceExample and ParseSingleSequenceExample: tensors out of serialized `SequenceExample` messages. No state."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType
from ..base.shapes import Shape
from ..files import example_wire as wire
from ..op.define import AtLeast, Each, Many, ShapeAttr, Sym, op, typevar
from ..op.shape_checks import as_array, invalid, of_rank, text_of, unwrapped
from . import example_columns as columns
from .example_columns import NAMES, OTHER_SPARSE_TYPE, UNPARSED, Column, Refused, Row
from .parsing import FEATURES, as_type, key_bytes, not_parsed, with_axis
from .strings import display_text

string, int64 = dtypes.string, dtypes.int64
Types = AtLeast[0, list[typevar("types", FEATURES)]]  # type: ignore[misc]
Shapes, Keys, Count = AtLeast[0, list[ShapeAttr]], AtLeast[0, list[str]], AtLeast[0]


def _type_error(dtype: DType, feature: bytes) -> str:
    """The text for a feature of another type, with its message. Raises: wire.Broken."""
    from ..base import proto

    try:
        message = proto.Feature.FromString(feature)
    except proto.DecodeError:
        raise wire.Broken from None
    return f"Data types don't match. Expected type: {NAMES[dtype]}  Feature is: {message}"


def _steps(items: Sequence[bytes], dtype: DType) -> Column:
    """The values of the features of a list, step by step. Raises: Refused."""
    return columns.column([{b"": item} for item in items], b"", dtype, OTHER_SPARSE_TYPE)


def _places(counts: Sequence[int | None]) -> tuple[Any, Any, int]:
    """For each value the number of its step and its place in it; the length of the longest step."""
    lengths = np.array([count or 0 for count in counts], np.intp)
    total = int(lengths.sum())
    within = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(np.arange(len(lengths)), lengths), within, int(lengths.max(initial=0))


def _joined(parts: Sequence[Any], dtype: DType) -> Any:
    kind = dtype.numpy
    return np.concatenate(parts) if len(parts) else np.empty(0, kind)


# -- one example -------------------------------------------------------------------------------------------------------


@op(
    "ParseSingleSequenceExample",
    out="context_sparse_indices context_sparse_values context_sparse_shapes context_dense_values feature_list_sparse_indices "
    "feature_list_sparse_values feature_list_sparse_shapes feature_list_dense_values",
)
def parse_single_sequence_example(
    xp: Any,
    serialized: string,
    feature_list_dense_missing_assumed_empty: string,
    context_sparse_keys: Many[string, "Ncontext_sparse", 0],  # noqa: F821
    context_dense_keys: Many[string, "Ncontext_dense", 0],  # noqa: F821
    feature_list_sparse_keys: Many[string, "Nfeature_list_sparse", 0],  # noqa: F821
    feature_list_dense_keys: Many[string, "Nfeature_list_dense", 0],  # noqa: F821
    context_dense_defaults: Each["Tcontext_dense", 0, FEATURES],  # noqa: F821
    debug_name: string,
    *,
    context_sparse_types: Types = [],  # noqa: B006 - read only
    feature_list_dense_types: Types = [],  # noqa: B006
    context_dense_shapes: Shapes = [],  # noqa: B006
    feature_list_sparse_types: Types = [],  # noqa: B006
    feature_list_dense_shapes: Shapes = [],  # noqa: B006
) -> tuple[
    Many[int64, "Ncontext_sparse"], Each["context_sparse_types"], Many[int64, "Ncontext_sparse"],  # noqa: F821
    Each["Tcontext_dense"], Many[int64, "Nfeature_list_sparse"], Each["feature_list_sparse_types"],  # noqa: F821
    Many[int64, "Nfeature_list_sparse"], Each["feature_list_dense_types"],  # noqa: F821
]:  # fmt: skip
    """The context features and the feature lists of one SequenceExample: serialized scalar, defaults of the features' shapes
    or [0] -> of the context: indices [m, 1], values [m] and shape [1] each, dense ones in their shapes; of the lists: indices
    [m, 2], values [m] and shape [2] each, dense ones [steps, ...].

    Raises: InvalidArgumentError for bytes that are no SequenceExample, a missing feature, values of another type or number.
    """
    data = as_array(serialized)
    if data.ndim:
        raise invalid(f"Expected serialized to be a scalar, got shape: {text_of(data.shape)}")
    message = data[()]
    try:
        wire.check_whole(message)
        context, lists = wire.context_and_lists(message)
        one = _Single(message, f"Name: {display_text(as_array(debug_name)[()])}, ", context, lists)
        may_be_missing = set(as_array(feature_list_dense_missing_assumed_empty).tolist())
        dense = [
            one.dense_context(key, default, shape)
            for key, default, shape in zip(context_dense_keys, context_dense_defaults, context_dense_shapes)
        ]
        sparse = [one.sparse_context(key, dtype) for key, dtype in zip(context_sparse_keys, context_sparse_types)]
        dense_lists = [
            one.dense_list(key, dtype, shape, key in may_be_missing)
            for key, dtype, shape in zip(feature_list_dense_keys, feature_list_dense_types, feature_list_dense_shapes)
        ]
        sparse_lists = [one.sparse_list(key, dtype) for key, dtype in zip(feature_list_sparse_keys, feature_list_sparse_types)]
    except wire.Broken:
        raise not_parsed(message) from None
    return *_in_parts(sparse), dense, *_in_parts(sparse_lists), dense_lists  # type: ignore[return-value]


def _in_parts(found: Sequence[tuple[Any, Any, Any]]) -> tuple[list[Any], list[Any], list[Any]]:
    """The indices, the values and the shapes of sparse tensors."""
    indices, values, shapes = zip(*found) if found else ((), (), ())
    return list(indices), list(values), list(shapes)


class _Single:
    """One SequenceExample. The methods raise InvalidArgumentError, or wire.Broken for bytes that are no message."""

    def __init__(self, message: bytes, name: str, context: Row, lists: Row) -> None:
        self.message, self.name, self.context, self.lists = message, name, context, lists

    def _column(self, items: Sequence[bytes], dtype: DType, where: str, has_index: bool, may_be_empty: bool = True) -> Column:
        for index, item in enumerate(items):
            if (item or not may_be_empty) and (not item or wire.KINDS.get(item[0]) != NAMES[dtype]):
                place = f", Index: {index}" if has_index else ""
                raise invalid(f"{self.name}{where}{place}.  {_type_error(dtype, item)}")
        try:
            return _steps(items, dtype)
        except Refused:
            raise wire.Broken from None

    def _check_count(self, key: bytes, index: int, dtype: DType, count: int | None, shape: Any) -> None:
        if count != math.prod(shape):
            raise invalid(
                f"{self.name}Key: {display_text(key)}, Index: {index}.  Number of {NAMES[dtype]} values != expected.  values "
                f"size: {count} but output shape: {text_of(shape)}"
            )

    def dense_context(self, key: bytes, default: Any, shape: Any) -> Any:
        default = as_array(default)
        if default.size and default.shape != shape:
            raise invalid(f"def_value[0].shape() == {text_of(default.shape)} != context_dense_shapes_[0] == {text_of(shape)}")
        feature = self.context.get(key)
        if not feature:
            if default.size:
                return unwrapped(default)
            raise invalid(f"{self.name}Context feature '{display_text(key)}' is required but could not be found.")
        dtype = as_type(default)
        values, counts = self._column([feature], dtype, f"Context feature: {display_text(key)}", False)
        self._check_count(key, 0, dtype, counts[0], shape)
        return unwrapped(values.reshape(shape))

    def sparse_context(self, key: bytes, dtype: DType) -> tuple[Any, Any, Any]:
        values, _ = self._column([self.context.get(key, b"")], dtype, f"Context feature: {display_text(key)}", False)
        return np.arange(len(values)).reshape(-1, 1), values, np.array([len(values)], np.int64)

    def dense_list(self, key: bytes, dtype: DType, shape: Any, may_be_missing: bool) -> Any:
        found = self.lists.get(key)
        if found is None and not may_be_missing:
            raise invalid(
                f"{self.name}Feature list '{display_text(key)}' is required but could not be found.  Did you mean to include it "
                "in feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?",
                fix="FixedLenSequenceFeature(…, allow_missing=True)",
            )
        items = wire.items(found or b"")
        values, counts = self._column(items, dtype, f"Feature list: {display_text(key)}", True, may_be_empty=False)
        for index, count in enumerate(counts):
            self._check_count(key, index, dtype, count, shape)
        return values.reshape(len(items), *shape)

    def sparse_list(self, key: bytes, dtype: DType) -> tuple[Any, Any, Any]:
        items = wire.items(self.lists.get(key, b""))
        values, counts = self._column(items, dtype, f"Feature List: {display_text(key)}", True)
        steps, within, longest = _places(counts)
        return np.stack([steps, within], axis=1), values, np.array([len(items), longest], np.int64)


@parse_single_sequence_example.shape
def _(
    serialized: Sym, missing: Sym, sparse_keys: Any, dense_keys: Any, list_sparse_keys: Any, list_dense_keys: Any, defaults: Any,
    debug_name: Sym, *, context_sparse_types: Any, feature_list_dense_types: Any, context_dense_shapes: Any,
    feature_list_sparse_types: Any, feature_list_dense_shapes: Any,
) -> list[Shape]:  # fmt: skip
    of_rank(serialized.shape, 0)
    of_rank(missing.shape, 1)
    return [
        *_sparse_shapes(len(context_sparse_types), 1), *context_dense_shapes, *_sparse_shapes(len(feature_list_sparse_types), 2),
        *[with_axis(None, shape) for shape in feature_list_dense_shapes],
    ]  # fmt: skip


def _sparse_shapes(count: int, rank: int) -> list[Shape]:
    return [*[(None, rank)] * count, *[(None,)] * count, *[(rank,)] * count]


# -- a batch -----------------------------------------------------------------------------------------------------------


@op(
    "ParseSequenceExample",
    out="context_sparse_indices context_sparse_values context_sparse_shapes context_dense_values feature_list_sparse_indices "
    "feature_list_sparse_values feature_list_sparse_shapes feature_list_dense_values feature_list_dense_lengths",
)
def parse_sequence_example(
    xp: Any,
    serialized: string,
    debug_name: string,
    context_dense_defaults: Each["Tcontext_dense", 0, FEATURES],  # noqa: F821
    *,
    feature_list_dense_missing_assumed_empty: Keys,
    context_sparse_keys: Keys,
    context_dense_keys: Keys,
    feature_list_sparse_keys: Keys,
    feature_list_dense_keys: Keys,
    Ncontext_sparse: Count = 0,
    Ncontext_dense: Count = 0,
    Nfeature_list_sparse: Count = 0,
    Nfeature_list_dense: Count = 0,
    context_sparse_types: Types = [],  # noqa: B006 - read only
    feature_list_dense_types: Types = [],  # noqa: B006
    context_dense_shapes: Shapes = [],  # noqa: B006
    feature_list_sparse_types: Types = [],  # noqa: B006
    feature_list_dense_shapes: Shapes = [],  # noqa: B006
) -> tuple[
    Many[int64, "Ncontext_sparse"], Each["context_sparse_types"], Many[int64, "Ncontext_sparse"],  # noqa: F821
    Each["Tcontext_dense"], Many[int64, "Nfeature_list_sparse"], Each["feature_list_sparse_types"],  # noqa: F821
    Many[int64, "Nfeature_list_sparse"], Each["feature_list_dense_types"], Many[int64, "Nfeature_list_dense"],  # noqa: F821
]:  # fmt: skip
    """The context features and the feature lists of n SequenceExamples: serialized [n], names [n] or [0], defaults of the
    features' shapes or [0] -> of the context: indices [m, 2], values [m] and shape [2] each, dense ones [n, ...]; of the
    lists: indices [m, 3], values [m] and shape [3] each, dense ones [n, longest, ...] and their lengths [n].

    Raises: InvalidArgumentError for bytes that are no SequenceExample, a missing feature, values of another type or number.
    """
    data, names = as_array(serialized), as_array(debug_name)
    if data.ndim != 1:
        raise invalid(f"Expected serialized to be a vector, got shape: {text_of(data.shape)}")
    if names.size not in (0, data.size):
        raise invalid("example_names must be empty or have the correct number of elements")
    defaults = [as_array(default) for default in context_dense_defaults]
    for i, (default, shape) in enumerate(zip(defaults, context_dense_shapes)):
        if default.size and default.shape != shape:
            own = text_of(default.shape)
            raise invalid(f"default_value[{i}].shape() == {own} != context_dense_shapes[{i}] == {text_of(shape)}")
    batch = _Batch(data.tolist(), names)
    may_be_missing = {key_bytes(key) for key in feature_list_dense_missing_assumed_empty}
    sparse = [batch.sparse_context(key, dtype) for key, dtype in _keyed(context_sparse_keys, context_sparse_types)]
    dense = [
        batch.dense_context(key, default, shape)
        for key, default, shape in _keyed(context_dense_keys, defaults, context_dense_shapes)
    ]
    sparse_lists = [batch.sparse_list(key, dtype) for key, dtype in _keyed(feature_list_sparse_keys, feature_list_sparse_types)]
    dense_lists = [
        batch.dense_list(key, dtype, shape, key in may_be_missing)
        for key, dtype, shape in _keyed(feature_list_dense_keys, feature_list_dense_types, feature_list_dense_shapes)
    ]
    return (  # type: ignore[return-value]
        *_in_parts(sparse), dense, *_in_parts(sparse_lists), [values for values, _ in dense_lists],
        [lengths for _, lengths in dense_lists],
    )  # fmt: skip


def _keyed(keys: Sequence[Any], *columns: Sequence[Any]) -> Iterator[Any]:
    return zip(map(key_bytes, keys), *columns)


class _Batch:
    """The SequenceExamples of a batch. Raises: InvalidArgumentError."""

    def __init__(self, data: Sequence[bytes], names: Any) -> None:
        self.names = [display_text(name) for name in names] if names.size else ["<unknown>"] * len(data)
        self.contexts: list[Row] = []
        self.lists: list[Row] = []
        for index, message in enumerate(data):
            try:
                context, lists = wire.context_and_lists(message)
            except wire.Broken:
                raise invalid(f"Invalid protocol message input, example id: {self.names[index]}") from None
            self.contexts.append(context)
            self.lists.append(lists)

    def _context(self, key: bytes, dtype: DType) -> Column:
        try:
            return columns.column(self.contexts, key, dtype, OTHER_SPARSE_TYPE)
        except Refused as error:
            name = self.names[error.index]
            text = f"Error in context feature {display_text(key)} in example {name}"
            raise invalid(text, fix=None if error.text == UNPARSED else error.text) from None

    def sparse_context(self, key: bytes, dtype: DType) -> tuple[Any, Any, Any]:
        values, counts = self._context(key, dtype)
        rows, within, longest = _places(counts)
        return np.stack([rows, within], axis=1), values, np.array([len(counts), longest], np.int64)

    def dense_context(self, key: bytes, default: Any, shape: Any) -> Any:
        dtype, size, name = as_type(default), math.prod(shape), display_text(key)
        values, counts = self._context(key, dtype)
        # a feature without values is there all the same
        is_absent = [key not in row for row in self.contexts]
        found = [default.size if absent else count or 0 for count, absent in zip(counts, is_absent)]
        if max(found, default=0) != size:
            raise invalid(f"Inconsistent number of elements for feature {name}: {max(found, default=0)} vs 1")
        for index, (count, absent) in enumerate(zip(found, is_absent)):
            if absent and not default.size and size:
                raise invalid(f"Feature: {name} (data type: {NAMES[dtype]}) is required but could not be found.")
            if count != size:
                raise invalid(f"Unexpected number of elements in example {self.names[index]}")
        out = np.empty((len(counts), *shape), values.dtype)
        is_present = ~np.array(is_absent, bool)
        out[is_present] = values.reshape(-1, *shape)
        out[~is_present] = default.reshape(shape) if default.size else 0
        return out

    def _list(self, index: int, key: bytes, dtype: DType) -> Column:
        try:
            return _steps(wire.items(self.lists[index].get(key, b"")), dtype)
        except (Refused, wire.Broken) as error:
            text = f"Error in sequence feature {display_text(key)} in example {self.names[index]}"
            raise invalid(text, fix=error.text if isinstance(error, Refused) and error.text != UNPARSED else None) from None

    def sparse_list(self, key: bytes, dtype: DType) -> tuple[Any, Any, Any]:
        found = [self._list(index, key, dtype) for index in range(len(self.lists))]
        indices, most_steps, longest = [np.empty((0, 3), np.int64)], 0, 0
        for index, (values, counts) in enumerate(found):
            steps, within, most = _places(counts)
            indices.append(np.stack([np.full(len(values), index), steps, within], axis=1))
            most_steps, longest = max(most_steps, len(counts)), max(longest, most)
        shape = np.array([len(found), most_steps, longest], np.int64)
        return np.concatenate(indices), _joined([values for values, _ in found], dtype), shape

    def dense_list(self, key: bytes, dtype: DType, shape: Any, may_be_missing: bool) -> tuple[Any, Any]:
        size, name = math.prod(shape), display_text(key)
        found = []
        for index, lists in enumerate(self.lists):
            if key not in lists and not may_be_missing:
                text = f"Missing feature {name} in example {self.names[index]}"
                raise invalid(text, fix="FixedLenSequenceFeature(…, allow_missing=True)")
            found.append(self._list(index, key, dtype))
        if max([len(values) for values, _ in found], default=0) % (size or 1):
            raise invalid(f"Unexpected shape error in feature {name}")
        for index, (_, counts) in enumerate(found):
            if any((count or 0) != size for count in counts):
                raise invalid(f"Unexpected number of elements in feature {name}, example {self.names[index]}")
        lengths = [len(counts) for _, counts in found]
        out = np.zeros((len(found), max(lengths, default=0), *shape), dtype.numpy)
        if dtype is string:
            out[...] = b""
        for index, (values, counts) in enumerate(found):
            out[index, : len(counts)] = values.reshape(len(counts), *shape)
        return out, np.array(lengths, np.int64)


@parse_sequence_example.shape
def _(serialized: Sym, debug_name: Sym, defaults: Any, **attrs: Any) -> list[Shape]:
    (count,) = of_rank(serialized.shape, 1)
    of_rank(debug_name.shape, 1)
    dense = [with_axis(count, shape) for shape in attrs["context_dense_shapes"]]
    lists = [with_axis(count, with_axis(None, shape)) for shape in attrs["feature_list_dense_shapes"]]
    return [
        *_sparse_shapes(len(attrs["context_sparse_types"]), 2), *dense,
        *_sparse_shapes(len(attrs["feature_list_sparse_types"]), 3), *lists, *[(count,)] * len(lists),
    ]  # fmt: skip
