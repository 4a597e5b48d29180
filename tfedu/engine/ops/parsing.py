"""ParseExample and ParseSingleExample: tensors out of serialized `tf.train.Example` messages. No state."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.dtypes import DType
from ..base.shapes import Shape, ShapeMismatch
from ..files import example_wire as wire
from ..op.define import AtLeast, Each, Many, ShapeAttr, Sym, op, typevar
from ..op.shape_checks import as_array, invalid, of_rank, text_of
from . import example_columns as columns
from .example_columns import Refused, Row
from .strings import display_text

string, int64 = dtypes.string, dtypes.int64
FEATURES = (dtypes.float32, dtypes.int64, dtypes.string)
Types, Shapes = AtLeast[0, list[typevar("sparse_types", FEATURES)]], AtLeast[0, list[ShapeAttr]]  # type: ignore[misc]
_SHOWN = 1000  # bytes of a broken message that its error shows


def not_parsed(data: bytes) -> errors.InvalidArgumentError:
    """The error of bytes that are no message."""
    return invalid(
        f"Could not parse example input, value: '{display_text(data[:_SHOWN])}'",
        fix="give the bytes that example.SerializeToString() returned",
    )


def _is_padded(shape: Shape) -> bool:
    """Whether a dense feature has as many rows as there are: its first size is open."""
    return bool(shape) and shape[0] is None  # type: ignore[index]


def _check_defaults(defaults: Sequence[Any], shapes: Sequence[Any]) -> None:
    """Raises: InvalidArgumentError for a default that has not the shape of its feature."""
    for i, (default, shape) in enumerate(zip(defaults, shapes)):
        own = np.shape(as_array(default))
        if _is_padded(shape):
            if math.prod(own) != 1:
                raise invalid(
                    f"dense_shape[{i}] is a variable length shape: {columns.open_text(shape)}, therefore def_value[{i}] must "
                    f"contain a single element (the padding element).  But its shape is: {text_of(own)}"
                )
        elif math.prod(own) and own != shape:
            wanted = text_of(shape)
            raise invalid(f"def_value[{i}].shape() == {text_of(own)} is not compatible with dense_shapes_[{i}] == {wanted}")


def _parsed(
    rows: Sequence[Row], sparse: Sequence[tuple[bytes, DType]], dense: Sequence[tuple[bytes, DType, Shape]],
    defaults: Sequence[Any], is_single: bool,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    """The sparse features (indices, values, shape) and the dense ones of all rows.

    Raises: Refused for the first example that does not fit, and of it for the last feature in the message, as TensorFlow.
    """
    refused: list[Refused] = []

    def tried(make: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return make(rows, *arguments)
        except Refused as error:
            refused.append(error)

    found_sparse = [tried(columns.sparse, key, dtype) for key, dtype in sparse]
    found_dense = [
        tried(columns.padded if _is_padded(shape) else columns.dense, key, dtype, shape, as_array(default), is_single)
        for (key, dtype, shape), default in zip(dense, defaults)
    ]
    if refused:
        raise min(refused, key=lambda error: (error.index, error.kind == "missing", -_place(rows[error.index], error.key)))
    return found_sparse, found_dense


def _place(row: Row, key: bytes) -> int:
    return list(row).index(key) if key in row else 0


def _refusal(error: Refused, dtype: DType, before: str, index: str) -> errors.InvalidArgumentError:
    """The error of a feature. before: the name of the example. index: its number, for the features that are there."""
    key = display_text(error.key)
    if error.kind == "datatype":
        return invalid(error.text)
    if error.kind == "missing":
        return invalid(
            f"{before}Feature: {key} (data type: {columns.NAMES[dtype]}) is required but could not be found.",
            fix="give FixedLenFeature a default_value, or use VarLenFeature",
        )
    return invalid(f"{before}Key: {key}{index}.  {error.text}")


@op("ParseExample", out="sparse_indices sparse_values sparse_shapes dense_values")
def parse_example(
    xp: Any,
    serialized: string,
    names: string,
    sparse_keys: Many[string, "Nsparse", 0],  # noqa: F821
    dense_keys: Many[string, "Ndense", 0],  # noqa: F821
    dense_defaults: Each["Tdense", 0, FEATURES],  # noqa: F821
    *,
    sparse_types: Types,
    dense_shapes: Shapes,
) -> tuple[Many[int64, "Nsparse"], Each["sparse_types"], Many[int64, "Nsparse"], Each["Tdense"]]:  # noqa: F821
    """The features of n Examples: serialized [n], names [n] or [0], keys scalars, defaults of the features' shapes or [0] ->
    for each sparse feature indices [m, 2], values [m] and the shape [2]; for each dense one [n, ...].

    Raises: InvalidArgumentError for bytes that are no Example, a missing feature without default, values of another type or
    number.
    """
    data, named = as_array(serialized), as_array(names)
    if data.ndim != 1:
        raise invalid(f"Expected serialized to be a vector, got shape: {text_of(data.shape)}")
    if named.size and named.size != data.size:
        raise invalid(f"Expected len(names) == len(serialized), but got: {named.size} vs. {data.size}")
    if len(sparse_keys) != len(sparse_types):
        raise invalid(f"len(sparse_keys) != len(sparse_types): {len(sparse_keys)} vs. {len(sparse_types)}")
    _check_defaults(dense_defaults, dense_shapes)
    types = [as_type(default) for default in dense_defaults]
    sparse, dense = list(zip(sparse_keys, sparse_types)), list(zip(dense_keys, types, dense_shapes))
    rows = wire.Batch(data.tolist())
    try:
        found_sparse, found_dense = _parsed(rows, sparse, dense, dense_defaults, False)
    except Refused as error:
        name = display_text(named[error.index]) if named.size else "<unknown>"
        raise _refusal(error, _type_of(error.key, dense), f"Name: {name}, ", f", Index: {error.index}") from None
    if rows.broken is not None:
        raise not_parsed(rows.broken)
    indices, values, shapes = zip(*found_sparse) if sparse else ((), (), ())
    return list(indices), list(values), list(shapes), found_dense  # type: ignore[return-value]


def as_type(value: Any) -> DType:
    """The dtype of a default."""
    array = as_array(value)
    return string if array.dtype == object else dtypes.as_dtype(array.dtype)


def _type_of(key: bytes, dense: Sequence[tuple[bytes, DType, Shape]]) -> DType:
    return next((dtype for name, dtype, _ in dense if name == key), string)


@parse_example.shape
def _(
    serialized: Sym, names: Sym, sparse_keys: Sequence[Sym], dense_keys: Sequence[Sym], dense_defaults: Sequence[Sym], *,
    sparse_types: Sequence[DType], dense_shapes: Sequence[Shape],
) -> list[Shape]:  # fmt: skip
    (count,) = of_rank(serialized.shape, 1)
    of_rank(names.shape, 1)
    for i, shape in enumerate(dense_shapes):
        if shape is None or None in shape[1:]:
            sizes = "<unknown>" if shape is None else columns.open_text(shape)
            raise ShapeMismatch(f"dense_shapes[{i}] has unknown rank or unknown inner dimensions: {sizes}")
    number = len(sparse_types)
    return [*[(None, 2)] * number, *[(None,)] * number, *[(2,)] * number, *[with_axis(count, shape) for shape in dense_shapes]]


def with_axis(count: int | None, shape: Shape) -> Shape:
    """The shape with one more size before it."""
    return None if shape is None else (count, *shape)


@op("ParseSingleExample", out="sparse_indices sparse_values sparse_shapes dense_values")
def parse_single_example(
    xp: Any,
    serialized: string,
    dense_defaults: Each["Tdense", 0, FEATURES],  # noqa: F821
    *,
    num_sparse: AtLeast[0],
    sparse_keys: AtLeast[0, list[str]],
    dense_keys: AtLeast[0, list[str]],
    sparse_types: Types,
    dense_shapes: Shapes,
) -> tuple[Many[int64, "num_sparse"], Each["sparse_types"], Many[int64, "num_sparse"], Each["Tdense"]]:  # noqa: F821
    """The features of one Example: serialized scalar, defaults of the features' shapes or [0] -> for each sparse feature
    indices [m, 1], values [m] and the shape [1]; each dense one in its shape.

    Raises: InvalidArgumentError for bytes that are no Example, a missing feature without default, values of another type or
    number.
    """
    data = as_array(serialized)
    if data.ndim:
        raise invalid(f"Expected serialized to be a scalar, got shape: {text_of(data.shape)}")
    _check_defaults(dense_defaults, dense_shapes)
    types = [as_type(default) for default in dense_defaults]
    sparse = list(zip(map(key_bytes, sparse_keys), sparse_types))
    dense = list(zip(map(key_bytes, dense_keys), types, dense_shapes))
    try:
        rows = [wire.features(data[()])]
    except wire.Broken:
        raise not_parsed(data[()]) from None
    try:
        found_sparse, found_dense = _parsed(rows, sparse, dense, dense_defaults, True)
    except Refused as error:
        raise _refusal(error, _type_of(error.key, dense), "", "") from None
    return (  # type: ignore[return-value]
        [indices[:, 1:] for indices, _, _ in found_sparse], [values for _, values, _ in found_sparse],
        [shape[1:] for _, _, shape in found_sparse], [value[0] for value in found_dense],
    )  # fmt: skip


def key_bytes(key: str | bytes) -> bytes:
    """A key of an attribute as messages have it."""
    return key.encode() if isinstance(key, str) else key


@parse_single_example.shape
def _(
    serialized: Sym, dense_defaults: Sequence[Sym], *, num_sparse: int, sparse_keys: Sequence[str], dense_keys: Sequence[str],
    sparse_types: Sequence[DType], dense_shapes: Sequence[Shape],
) -> list[Shape]:  # fmt: skip
    of_rank(serialized.shape, 0)
    number = len(sparse_types)
    return [*[(None, 1)] * number, *[(None,)] * number, *[(1,)] * number, *dense_shapes]
