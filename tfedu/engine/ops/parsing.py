"""Examples: messages with named lists of bytes, floats or integers, parsed into tensors.

A dense feature has one shape in all examples, and is required unless it has a default; a sparse one has any number of values. The
first size of a dense shape may be open: then the values of a batch are filled up to the longest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base import dtypes, errors
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape, fmt
from ..op.define import AtLeast, Each, Many, ShapeAttr, Sym, op, typevar
from ..op.shape_checks import invalid, of_rank, scalar

string, int64 = dtypes.string, dtypes.int64
Kind = typevar("Kind", (dtypes.float32, int64, string))
Types, Shapes = list[Kind], list[ShapeAttr]

_FIELDS = {"float": "float_list", "int64": "int64_list", "string": "bytes_list"}
_NAMES = {"float_list": "float", "int64_list": "int64", "bytes_list": "string"}


# -- messages -----------------------------------------------------------------------------------------------------------


def _texts(value: Any) -> list[bytes]:
    return np.asarray(value, object).ravel().tolist()


def _message(name: str, data: bytes) -> Any:
    """The message of these bytes. Raises: InvalidArgumentError for others."""

    from ..base import proto  # which needs protobuf: programs that parse examples alone import it

    try:
        return getattr(proto, name).FromString(data)
    except proto.DecodeError:
        shown = "".join(chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\{byte:03o}" for byte in data[:64])
        fix = f"the bytes are no tf.train.{name}: example.SerializeToString() makes them"
        raise invalid(f"Could not parse example input, value: '{shown}'", fix=fix) from None


class _Texts(NamedTuple):
    """The words of a parser's errors. where: what stands before the rest, for the number of an example."""

    missing: Callable[[int, str, DType], errors.OpError]
    other_type: Callable[[int, str, DType, str, bool], errors.OpError]
    wrong_count: Callable[[int, str, DType, int, Shape], errors.OpError]


def _values(features: Any, key: str, kind: DType, failed: Callable[[str], errors.OpError]) -> Any:
    """The values of a feature, None where there are none. failed: the error for a feature of another kind, of this name."""
    if key not in features:
        return None
    feature = features[key]
    field = feature.WhichOneof("kind")
    if field is None:
        return None
    if field != _FIELDS[runtime_name(kind)]:
        raise failed(_NAMES[field])
    return getattr(feature, field).value


def _array(values: Iterable[Any], kind: DType) -> Any:
    if kind is not string:
        return np.array(values, kind.as_numpy_dtype)
    listed = list(values)
    out = np.empty(len(listed), object)
    out[:] = listed
    return out


def _size(shape: Shape) -> int:
    return int(np.prod([1 if size is None else size for size in shape or ()], dtype=np.int64))


def _is_open(shape: Shape) -> bool:
    return bool(shape) and shape[0] is None  # type: ignore[index]


def _filled_up(rows: Sequence[Any], default: Any, kind: DType, shape: Shape) -> Any:
    """Rows of different lengths as [n, longest, ...], filled up with the default."""
    stride, inner = _size(shape), tuple(shape or ())[1:]
    longest = max([len(row) for row in rows], default=0)
    fill = np.asarray(default, object if kind is string else None).ravel()
    out = np.empty((len(rows), longest), kind.as_numpy_dtype)
    out[...] = fill[0] if fill.size else (b"" if kind is string else 0)
    for row, values in zip(out, rows):
        row[: len(values)] = values
    return out.reshape(len(rows), longest // stride if stride else 0, *inner)


def _sparse(rows: Sequence[Any], kind: DType) -> tuple[Any, Any, Any]:
    """Rows of any length as the indices [n, 2], values [n] and dense shape [2] of a sparse tensor."""
    lengths = [len(row) for row in rows]
    indices = np.empty((sum(lengths), 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(len(rows)), lengths)
    indices[:, 1] = np.concatenate([np.arange(length) for length in lengths]) if lengths else []
    values = [value for row in rows for value in row]
    return indices, _array(values, kind), np.array([len(rows), max(lengths, default=0)], np.int64)


def _dense_row(
    features: Any, key: str, kind: DType, shape: Shape, default: Any, index: int, texts: _Texts
) -> Any:
    """The values of a dense feature of one example, flat."""
    found = _values(features, key, kind, lambda actual: texts.other_type(index, key, kind, actual, True))
    if found is None:
        if _is_open(shape):
            return _array((), kind)
        given = np.asarray(default, object if kind is string else None)
        if given.size == 0 and _size(shape):
            raise texts.missing(index, key, kind)
        return given.ravel()
    count, stride = len(found), _size(shape)
    if (count % stride if stride and _is_open(shape) else not _is_open(shape) and count != stride):
        raise texts.wrong_count(index, key, kind, count, shape)
    return _array(found, kind)


def _sparse_row(features: Any, key: str, kind: DType, index: int, texts: _Texts) -> Any:
    """The values of a sparse feature of one example."""
    return _values(features, key, kind, lambda actual: texts.other_type(index, key, kind, actual, False)) or ()


# -- a batch of examples --------------------------------------------------------------------------------------------------


def _named(names: Sequence[bytes]) -> Callable[[int], str]:
    return lambda index: f"Name: {names[index].decode('utf-8', 'replace') if index < len(names) else '<unknown>'}"


_REQUIRED = "the example has no such feature; FixedLenFeature(…, default_value=…) gives one, VarLenFeature takes any number"


def _texts_of_batch(names: Sequence[bytes]) -> _Texts:
    name = _named(names)

    def missing(index: int, key: str, kind: DType) -> errors.OpError:
        text = f"{name(index)}, Feature: {key} (data type: {runtime_name(kind)}) is required but could not be found."
        return invalid(text, fix=_REQUIRED)

    def other_type(index: int, key: str, kind: DType, actual: str, is_dense: bool) -> errors.OpError:
        types = _types_text(runtime_name(kind), actual, is_dense)
        return invalid(f"{name(index)}, Key: {key}, Index: {index}.  Data types don't match. {types}")

    def wrong_count(index: int, key: str, kind: DType, count: int, shape: Shape) -> errors.OpError:
        start = f"{name(index)}, Key: {key}, Index: {index}.  Number of {runtime_name(kind)} values"
        shown = fmt(shape).replace(" ", "")
        if _is_open(shape):
            return invalid(f"{start} is not a multiple of stride length. Saw {count} values but output shape is: {shown}")
        return invalid(f"{start} != expected.  Values size: {count} but output shape: {shown}")

    return _Texts(missing, other_type, wrong_count)


def _types_text(expected: str, actual: str, is_dense: bool) -> str:
    if is_dense:
        return f"Data type: {actual} but expected type: {expected}"
    return f"Expected type: {expected}, Actual type: {actual}"


def _example_shapes(
    serialized: Sym, names: Sym, sparse_keys: Sequence[Sym], dense_keys: Sequence[Sym], dense_defaults: Sequence[Sym], *,
    sparse_types: Types, dense_shapes: Any,
) -> list[Shape]:  # fmt: skip
    (count,) = of_rank(serialized.shape, 1)
    of_rank(names.shape, 1)
    sparse = len(sparse_types)
    return [*[(None, 2)] * sparse, *[(None,)] * sparse, *[(2,)] * sparse, *[(count, *shape) for shape in dense_shapes]]


@op("ParseExample", out="sparse_indices sparse_values sparse_shapes dense_values", shape=_example_shapes)
def parse_example(
    xp: Any, serialized: string, names: string, sparse_keys: Many[string, "Nsparse", 0],  # noqa: F821
    dense_keys: Many[string, "Ndense", 0], dense_defaults: Each["Tdense", 0], *,  # noqa: F821
    sparse_types: AtLeast[0, Types], dense_shapes: AtLeast[0, Shapes],
) -> tuple[Many[int64, "Nsparse"], Each["sparse_types"], Many[int64, "Nsparse"], Each["Tdense"]]:  # noqa: F821
    """The features of serialized examples [n], each named for messages by `names` [n] or [0]: sparse features as tensors of rank
    2, dense ones as [n, ...].

    Raises: InvalidArgumentError for a message that cannot be parsed, a missing feature, another kind or number of values.
    """
    texts = _texts_of_batch(_texts(names))
    examples = [_message("Example", data).features.feature for data in _texts(serialized)]
    return _batch(examples, _keys(sparse_keys), _keys(dense_keys), dense_defaults, sparse_types, dense_shapes, texts)


def _keys(keys: Sequence[Any]) -> list[str]:
    return [bytes(np.asarray(key, object)[()]).decode("utf-8", "replace") for key in keys]


def _batch(
    examples: Sequence[Any], sparse_keys: Sequence[str], dense_keys: Sequence[str], defaults: Sequence[Any], sparse_types: Types,
    shapes: Sequence[Shape], texts: _Texts,
) -> Any:  # fmt: skip
    dense = []
    for key, default, shape in zip(dense_keys, defaults, shapes):
        kind = dtypes.string if isinstance(default, bytes) else _dtype_of(default)
        rows = [_dense_row(each, key, kind, shape, default, i, texts) for i, each in enumerate(examples)]
        if _is_open(shape):
            dense.append(_filled_up(rows, default, kind, shape))
        else:
            flat = np.concatenate(rows) if rows else _array((), kind)
            dense.append(flat.reshape(len(examples), *(shape or ())))
    sparse = []
    for key, kind in zip(sparse_keys, sparse_types):
        found = [
            _sparse_row(each, key, kind, i, texts)
            for i, each in enumerate(examples)
        ]
        sparse.append(_sparse(found, kind))
    indices, values, dense_shapes = zip(*sparse) if sparse else ((), (), ())
    return list(indices), list(values), list(dense_shapes), dense


def _dtype_of(default: Any) -> DType:
    kind = np.asarray(default).dtype
    return string if kind.hasobject else dtypes.as_dtype(kind)


# -- one example ----------------------------------------------------------------------------------------------------------


def _missing(index: int, key: str, kind: DType) -> errors.OpError:
    return invalid(f"Feature: {key} (data type: {runtime_name(kind)}) is required but could not be found.", fix=_REQUIRED)


def _other_type(index: int, key: str, kind: DType, actual: str, is_dense: bool) -> errors.OpError:
    return invalid(f"Key: {key}.  Data types don't match. {_types_text(runtime_name(kind), actual, is_dense)}")


def _wrong_count(index: int, key: str, kind: DType, count: int, shape: Shape) -> errors.OpError:
    fix = f"it has {count} values, and its shape is {fmt(shape)}"
    return invalid(f"Key: {key}.  Can't parse serialized Example.", fix=fix)


_TEXTS_OF_ONE = _Texts(_missing, _other_type, _wrong_count)


def _single_shapes(
    serialized: Sym, dense_defaults: Sequence[Sym], *, num_sparse: int, sparse_keys: Any, dense_keys: Any, sparse_types: Types,
    dense_shapes: Any,
) -> list[Shape]:  # fmt: skip
    scalar(serialized)
    return [*[(None, 1)] * num_sparse, *[(None,)] * num_sparse, *[(1,)] * num_sparse, *dense_shapes]


@op(
    "ParseSingleExample", out="sparse_indices sparse_values sparse_shapes dense_values", shape=_single_shapes,
)
def parse_single_example(
    xp: Any, serialized: string, dense_defaults: Each["Tdense", 0], *, num_sparse: AtLeast[0],  # noqa: F821
    sparse_keys: AtLeast[0, list[str]], dense_keys: AtLeast[0, list[str]], sparse_types: AtLeast[0, Types],
    dense_shapes: AtLeast[0, Shapes],
) -> tuple[Many[int64, "num_sparse"], Each["sparse_types"], Many[int64, "num_sparse"], Each["Tdense"]]:  # noqa: F821
    """The features of one serialized example, a scalar: sparse features as tensors of rank 1, dense ones in their shape [...].

    Raises: InvalidArgumentError for a message that cannot be parsed, a missing feature, another kind or number of values.
    """
    example = _message("Example", bytes(np.asarray(serialized, object)[()])).features.feature
    return _single(example, sparse_keys, dense_keys, dense_defaults, sparse_types, dense_shapes, _TEXTS_OF_ONE)


def _single(
    features: Any, sparse_keys: Sequence[str], dense_keys: Sequence[str], defaults: Sequence[Any], sparse_types: Types,
    shapes: Sequence[Shape], texts: _Texts,
) -> Any:  # fmt: skip
    dense = []
    for key, default, shape in zip(dense_keys, defaults, shapes):
        kind = dtypes.string if isinstance(default, bytes) else _dtype_of(default)
        row = _dense_row(features, key, kind, shape, default, 0, texts)
        sizes = tuple(-1 if size is None else size for size in shape or ())
        dense.append(row.reshape(sizes)[()])
    indices, values, lengths = [], [], []
    for key, kind in zip(sparse_keys, sparse_types):
        found = _sparse_row(features, key, kind, 0, texts)
        indices.append(np.arange(len(found), dtype=np.int64).reshape(-1, 1))
        values.append(_array(found, kind))
        lengths.append(np.array([len(found)], np.int64))
    return indices, values, lengths, dense


# -- sequences ------------------------------------------------------------------------------------------------------------


def _texts_of_context(name: str) -> _Texts:
    def missing(index: int, key: str, kind: DType) -> errors.OpError:
        return invalid(f"Name: {name}, Context feature '{key}' is required but could not be found.", fix=_REQUIRED)

    def other_type(index: int, key: str, kind: DType, actual: str, is_dense: bool) -> errors.OpError:
        expected = runtime_name(kind)
        text = f"Name: {name}, Context feature: {key}.  Data types don't match. Expected type: {expected}"
        return invalid(text, fix=f"the feature is of type {actual}")

    def wrong_count(index: int, key: str, kind: DType, count: int, shape: Shape) -> errors.OpError:
        shown = fmt(shape).replace(" ", "")
        start = f"Name: {name}, Key: {key}, Index: {index}.  Number of {runtime_name(kind)} values"
        return invalid(f"{start} != expected.  values size: {count} but output shape: {shown}")

    return _Texts(missing, other_type, wrong_count)


def _steps(lists: Any, key: str) -> Any:
    """The features of a feature list, None where there is no such list."""
    return lists[key].feature if key in lists else None


def _step_values(feature: Any, kind: DType, name: str, key: str, index: int) -> Any:
    field = feature.WhichOneof("kind")
    if field is None:
        return ()
    if field != _FIELDS[runtime_name(kind)]:
        raise invalid(
            f"Name: {name}, Feature list: {key}, Index: {index}.  Data types don't match. Expected type: {runtime_name(kind)}  "
            f"Feature is: {feature}"
        )
    return getattr(feature, field).value


def _dense_steps(lists: Any, key: str, kind: DType, shape: Shape, may_miss: bool, name: str) -> Any:
    """A dense feature list as [steps, ...]."""
    steps = _steps(lists, key)
    if steps is None:
        if not may_miss:
            raise invalid(
                f"Name: {name}, Feature list '{key}' is required but could not be found.  Did you mean to include it in "
                "feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?",
                fix="FixedLenSequenceFeature(…, allow_missing=True) takes a missing list as an empty one",
            )
        steps = ()
    rows, size = [], _size(shape)
    for index, feature in enumerate(steps):
        found = _step_values(feature, kind, name, key, index)
        if len(found) != size:
            shown = fmt(shape).replace(" ", "")
            raise invalid(
                f"Name: {name}, Key: {key}, Index: {index}.  Number of {runtime_name(kind)} values != expected.  values size: "
                f"{len(found)} but output shape: {shown}"
            )
        rows.append(_array(found, kind))
    flat = np.concatenate(rows) if rows else _array((), kind)
    return flat.reshape(len(rows), *(shape or ()))


def _sequence_shapes(
    serialized: Sym, missing: Sym, context_sparse_keys: Any, context_dense_keys: Any, feature_list_sparse_keys: Any,
    feature_list_dense_keys: Any, context_dense_defaults: Any, debug_name: Sym, *, context_sparse_types: Types,
    feature_list_dense_types: Types, context_dense_shapes: Any, feature_list_sparse_types: Types, feature_list_dense_shapes: Any,
) -> list[Shape]:  # fmt: skip
    scalar(serialized)
    of_context, of_lists = len(context_sparse_types), len(feature_list_sparse_types)
    return [
        *[(None, 1)] * of_context, *[(None,)] * of_context, *[(1,)] * of_context, *context_dense_shapes,
        *[(None, 2)] * of_lists, *[(None,)] * of_lists, *[(2,)] * of_lists,
        *[(None, *shape) for shape in feature_list_dense_shapes],
    ]  # fmt: skip


_SEQUENCE_OUT = (
    "context_sparse_indices context_sparse_values context_sparse_shapes context_dense_values feature_list_sparse_indices "
    "feature_list_sparse_values feature_list_sparse_shapes feature_list_dense_values"
)
_NONE: Any = ()  # the default of a list


@op("ParseSingleSequenceExample", out=_SEQUENCE_OUT, shape=_sequence_shapes)
def parse_single_sequence_example(
    xp: Any, serialized: string, feature_list_dense_missing_assumed_empty: string,
    context_sparse_keys: Many[string, "Ncontext_sparse", 0], context_dense_keys: Many[string, "Ncontext_dense", 0],  # noqa: F821
    feature_list_sparse_keys: Many[string, "Nfeature_list_sparse", 0],  # noqa: F821
    feature_list_dense_keys: Many[string, "Nfeature_list_dense", 0],  # noqa: F821
    context_dense_defaults: Each["Tcontext_dense", 0], debug_name: string, *,  # noqa: F821
    context_sparse_types: Types = _NONE, feature_list_dense_types: Types = _NONE, context_dense_shapes: Shapes = _NONE,
    feature_list_sparse_types: Types = _NONE, feature_list_dense_shapes: Shapes = _NONE,
) -> tuple[
    Many[int64, "Ncontext_sparse"], Each["context_sparse_types"], Many[int64, "Ncontext_sparse"],  # noqa: F821
    Each["Tcontext_dense"], Many[int64, "Nfeature_list_sparse"], Each["feature_list_sparse_types"],  # noqa: F821
    Many[int64, "Nfeature_list_sparse"], Each["feature_list_dense_types"],  # noqa: F821
]:  # fmt: skip
    """A serialized sequence example, a scalar: the features of its context as of a single example, and its feature lists, sparse
    ones as tensors of rank 2, dense ones as [steps, ...].

    Raises: InvalidArgumentError for a message that cannot be parsed, what is missing, another kind or number of values.
    """
    name = bytes(np.asarray(debug_name, object)[()]).decode("utf-8", "replace")
    message = _message("SequenceExample", bytes(np.asarray(serialized, object)[()]))
    may_miss = _texts(feature_list_dense_missing_assumed_empty)
    context = _single(
        message.context.feature, _keys(context_sparse_keys), _keys(context_dense_keys), context_dense_defaults,
        context_sparse_types, context_dense_shapes, _texts_of_context(name),
    )  # fmt: skip
    lists = message.feature_lists.feature_list
    sparse = []
    for key, kind in zip(_keys(feature_list_sparse_keys), feature_list_sparse_types):
        steps = _steps(lists, key) or ()
        sparse.append(_sparse([_step_values(each, kind, name, key, i) for i, each in enumerate(steps)], kind))
    indices, values, sizes = zip(*sparse) if sparse else ((), (), ())
    dense = [
        _dense_steps(lists, key, kind, shape, key.encode() in may_miss, name)
        for key, kind, shape in zip(_keys(feature_list_dense_keys), feature_list_dense_types, feature_list_dense_shapes)
    ]
    return *context, list(indices), list(values), list(sizes), dense


def _sequences_shapes(
    serialized: Sym, debug_name: Sym, context_dense_defaults: Sequence[Sym], *, context_sparse_types: Types,
    context_dense_shapes: Any, feature_list_sparse_types: Types, feature_list_dense_shapes: Any, **_: Any,
) -> list[Shape]:  # fmt: skip
    (count,) = of_rank(serialized.shape, 1)
    of_context, of_lists = len(context_sparse_types), len(feature_list_sparse_types)
    return [
        *[(None, 2)] * of_context, *[(None,)] * of_context, *[(2,)] * of_context,
        *[(count, *shape) for shape in context_dense_shapes],
        *[(None, 3)] * of_lists, *[(None,)] * of_lists, *[(3,)] * of_lists,
        *[(count, None, *shape) for shape in feature_list_dense_shapes], *[(count,)] * len(feature_list_dense_shapes),
    ]  # fmt: skip


@op("ParseSequenceExample", out=f"{_SEQUENCE_OUT} feature_list_dense_lengths", shape=_sequences_shapes)
def parse_sequence_example(
    xp: Any, serialized: string, debug_name: string, context_dense_defaults: Each["Tcontext_dense", 0], *,  # noqa: F821
    feature_list_dense_missing_assumed_empty: list[str], context_sparse_keys: list[str], context_dense_keys: list[str],
    feature_list_sparse_keys: list[str], feature_list_dense_keys: list[str], Ncontext_sparse: int = 0, Ncontext_dense: int = 0,
    Nfeature_list_sparse: int = 0, Nfeature_list_dense: int = 0, context_sparse_types: Types = _NONE,
    feature_list_dense_types: Types = _NONE, context_dense_shapes: Shapes = _NONE, feature_list_sparse_types: Types = _NONE,
    feature_list_dense_shapes: Shapes = _NONE,
) -> tuple[
    Many[int64, "Ncontext_sparse"], Each["context_sparse_types"], Many[int64, "Ncontext_sparse"],  # noqa: F821
    Each["Tcontext_dense"], Many[int64, "Nfeature_list_sparse"], Each["feature_list_sparse_types"],  # noqa: F821
    Many[int64, "Nfeature_list_sparse"], Each["feature_list_dense_types"], Many[int64, "Nfeature_list_dense"],  # noqa: F821
]:  # fmt: skip
    """Serialized sequence examples [n]: context features as of a batch of examples, feature lists as sparse tensors of rank 3 or
    as [n, longest, ...] filled up with 0, and the lengths [n] of the dense ones.

    Raises: InvalidArgumentError for a message that cannot be parsed, what is missing, another kind or number of values.
    """
    names = _texts(debug_name)
    messages = [_message("SequenceExample", data) for data in _texts(serialized)]
    name_of = [names[i].decode("utf-8", "replace") if i < len(names) else "<unknown>" for i in range(len(messages))]
    context = _batch(
        [message.context.feature for message in messages], context_sparse_keys, context_dense_keys, context_dense_defaults,
        context_sparse_types, context_dense_shapes, _texts_of_batch(names),
    )  # fmt: skip
    lists = [message.feature_lists.feature_list for message in messages]
    sparse = []
    for key, kind in zip(feature_list_sparse_keys, feature_list_sparse_types):
        rows = [
            [_step_values(step, kind, name_of[i], key, j) for j, step in enumerate(_steps(each, key) or ())]
            for i, each in enumerate(lists)
        ]
        sparse.append(_sparse_steps(rows, kind))
    indices, values, sizes = zip(*sparse) if sparse else ((), (), ())
    dense, lengths = [], []
    for key, kind, shape in zip(feature_list_dense_keys, feature_list_dense_types, feature_list_dense_shapes):
        may_miss = key in feature_list_dense_missing_assumed_empty
        steps = [_dense_steps(each, key, kind, shape, may_miss, name_of[i]) for i, each in enumerate(lists)]
        lengths.append(np.array([len(each) for each in steps], np.int64))
        dense.append(_filled_up([each.ravel() for each in steps], b"" if kind is string else 0, kind, (None, *(shape or ()))))
    return *context, list(indices), list(values), list(sizes), dense, lengths


def _sparse_steps(rows: Sequence[Sequence[Any]], kind: DType) -> tuple[Any, Any, Any]:
    """Lists of steps of any length as a sparse tensor of rank 3."""
    places = [(i, j, k) for i, steps in enumerate(rows) for j, step in enumerate(steps) for k in range(len(step))]
    values = [value for steps in rows for step in steps for value in step]
    most = max([len(steps) for steps in rows], default=0), max([len(step) for steps in rows for step in steps], default=0)
    return np.array(places, np.int64).reshape(-1, 3), _array(values, kind), np.array([len(rows), *most], np.int64)


__all__ = ["parse_example", "parse_sequence_example", "parse_single_example", "parse_single_sequence_example"]
