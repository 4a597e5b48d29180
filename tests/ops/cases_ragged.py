"""Rows of the op table: tensors whose rows have unequal lengths."""

from typing import Any

import numpy as np
from cases import array, case


def ragged(value: Any) -> list[Any]:
    """The parts of a RaggedTensor, or the tensor that a plain result is."""
    return [value.flat_values, *value.nested_row_splits] if hasattr(value, "flat_values") else [value]


def rows(tf: Any) -> Any:
    """[[1, 2], [], [3]]."""
    return tf.ragged.constant([[1, 2], [], [3]])


def deep(tf: Any) -> Any:
    """[[[1, 2], []], [], [[3]]]."""
    return tf.ragged.constant([[[1, 2], []], [], [[3]]])


def inner(tf: Any) -> Any:
    """Rows of pairs."""
    return tf.ragged.constant([[[1, 2]], [], [[3, 4], [5, 6]]], ragged_rank=1)


# -- constants -------------------------------------------------------------------------------------------------------

LISTS: dict[str, Any] = {
    "rows": [[1, 2], [], [3]],
    "deep": [[[1, 2], []], [], [[3]]],
    "strings": [["a"], ["b", "c"]],
    "floats": [[1.5], []],
    "all empty": [[], []],
    "empty inside": [[], [[]]],
    "nothing": [],
    "flat": [1, 2],
    "scalar": 3,
    "tuples": ([1], (2, 3)),
    "arrays": [np.array([1, 2]), np.array([3])],
}
for label, value in LISTS.items():
    case("ragged.constant", label, lambda tf, v=value: ragged(tf.ragged.constant(v)), nodes=True)
case("ragged.constant", "dtype", lambda tf: ragged(tf.ragged.constant([[1], []], dtype=tf.float64, name="mine")), nodes=True)
case("ragged.constant", "int32 splits", lambda tf: ragged(tf.ragged.constant([[1], []], row_splits_dtype=tf.int32)), nodes=True)
case("ragged.constant", "ragged rank", lambda tf: ragged(inner(tf)), nodes=True)
case("ragged.constant", "inner shape", lambda tf: ragged(tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], inner_shape=(2,))))
case("ragged.constant", "empty with an inner shape", lambda tf: ragged(tf.ragged.constant([[], []], ragged_rank=1, inner_shape=(2,))))
case("ragged.constant", "empty of rank 1", lambda tf: ragged(tf.ragged.constant([], ragged_rank=1)))
case("ragged.constant", "rank 0", lambda tf: ragged(tf.ragged.constant([[1, 2], [3, 4]], ragged_rank=0)))
REFUSED: dict[str, Any] = {
    "unequal depths": lambda tf: tf.ragged.constant([[1], 2]),
    "deeper empty lists": lambda tf: tf.ragged.constant([1, [[]]]),
    "a scalar with a rank": lambda tf: tf.ragged.constant(3, ragged_rank=1),
    "too high a rank": lambda tf: tf.ragged.constant([[1, 2], [3]], ragged_rank=2),
    "inconsistent inside": lambda tf: tf.ragged.constant([[[1], [2, 3]]], ragged_rank=1),
    "rank and shape": lambda tf: tf.ragged.constant([[[1], [2]]], ragged_rank=2, inner_shape=(1,)),
    "negative rank": lambda tf: tf.ragged.constant([[1]], ragged_rank=-1),
    "wrong dtype": lambda tf: tf.ragged.constant([[1], []], dtype=tf.string),
}
for label, call in REFUSED.items():
    case("ragged.constant", label, lambda tf, call=call: ragged(call(tf)))
case("ragged.constant", "of a ragged tensor", lambda tf, x: ragged(tf.ragged.constant(x)), before=rows)

# -- made of values and rows -----------------------------------------------------------------------------------------

V = array("int32", 1, 2, 3)
MAKERS: dict[str, Any] = {
    "from_row_splits": [0, 2, 2, 3], "from_row_lengths": [2, 0, 1], "from_value_rowids": [0, 0, 2], "from_row_starts": [0, 2, 2],
    "from_row_limits": [2, 2, 3],
}  # fmt: skip
WRONG: dict[str, Any] = {
    "from_row_splits": [[1, 3], [0, 2], [0, 2, 1, 3]], "from_row_lengths": [[1, 1], [4, -1]], "from_value_rowids": [[0, 2, 1], [-1, 0, 1]],
    "from_row_starts": [[1, 2], [0, 4], [0, 2, 1]], "from_row_limits": [[2, 1, 3], [2], [-1, 3]],
}  # fmt: skip
for name, places in MAKERS.items():
    symbol = f"RaggedTensor.{name}"
    case(symbol, "form", lambda tf, v, n=name, p=places: ragged(getattr(tf.RaggedTensor, n)(v, p)), V)
    case(symbol, "tensors", lambda tf, v, p, n=name: ragged(getattr(tf.RaggedTensor, n)(v, p)), V, np.array(places, np.int64))
    case(symbol, "int32", lambda tf, v, p, n=name: ragged(getattr(tf.RaggedTensor, n)(v, p)), V, np.array(places, np.int32))
    case(symbol, "unchecked", lambda tf, v, n=name, p=places: ragged(getattr(tf.RaggedTensor, n)(v, p, validate=False)), V)
    case(symbol, "matrix values", lambda tf, v, n=name, p=places: ragged(getattr(tf.RaggedTensor, n)(v, p)), np.arange(6).reshape(3, 2))
    case(symbol, "float places", lambda tf, v, n=name: ragged(getattr(tf.RaggedTensor, n)(v, [0.0, 3.0])), V)
    if name != "from_value_rowids":  # where TF shows NumPy's IndexError
        case(symbol, "scalar place", lambda tf, v, n=name: ragged(getattr(tf.RaggedTensor, n)(v, 3)), V)
case("RaggedTensor.from_value_rowids", "nrows", lambda tf, v: ragged(tf.RaggedTensor.from_value_rowids(v, [0, 0, 2], nrows=5)), V)
case("RaggedTensor.from_value_rowids", "nrows tensor", lambda tf, v, n: ragged(tf.RaggedTensor.from_value_rowids(v, [0, 0, 2], nrows=n)), V, np.int64(4))
case("RaggedTensor.from_value_rowids", "too few rows", lambda tf, v: ragged(tf.RaggedTensor.from_value_rowids(v, [0, 1, 2], nrows=2)), V)
case("RaggedTensor.from_value_rowids", "negative rows", lambda tf, v: ragged(tf.RaggedTensor.from_value_rowids(v, [0, 1, 2], nrows=-2)), V)
case("RaggedTensor.from_value_rowids", "no values", lambda tf: ragged(tf.RaggedTensor.from_value_rowids(tf.zeros([0]), np.zeros(0, np.int64))))
case("RaggedTensor.from_row_splits", "empty splits", lambda tf, v: ragged(tf.RaggedTensor.from_row_splits(v, [])), V)
case("RaggedTensor.from_row_splits", "of ragged values", lambda tf: ragged(tf.RaggedTensor.from_row_splits(rows(tf), [0, 1, 3])))
case("RaggedTensor.from_nested_row_splits", "form", lambda tf, v: ragged(tf.RaggedTensor.from_nested_row_splits(v, [[0, 2], [0, 2, 3]])), V)
case("RaggedTensor.from_nested_row_splits", "none", lambda tf, v: ragged(tf.RaggedTensor.from_nested_row_splits(v, [])), V)
case("RaggedTensor.from_nested_row_splits", "a tensor", lambda tf, v, p: ragged(tf.RaggedTensor.from_nested_row_splits(v, p)), V, array("int32", 0, 3))
case("RaggedTensor.from_nested_row_lengths", "form", lambda tf, v: ragged(tf.RaggedTensor.from_nested_row_lengths(v, [[2], [2, 1]])), V)
case("RaggedTensor.from_nested_value_rowids", "form", lambda tf, v: ragged(tf.RaggedTensor.from_nested_value_rowids(v, [[0, 0], [0, 0, 1]])), V)
case("RaggedTensor.from_nested_value_rowids", "rows", lambda tf, v: ragged(tf.RaggedTensor.from_nested_value_rowids(v, [[0, 0], [0, 0, 1]], [3, 4])), V)
M = np.array([[1, 2, 0], [3, 0, 0], [0, 0, 0]], np.int32)
T = "RaggedTensor.from_tensor"
case(T, "form", lambda tf, x: ragged(tf.RaggedTensor.from_tensor(x)), M)
case(T, "lengths", lambda tf, x: ragged(tf.RaggedTensor.from_tensor(x, lengths=[1, 0, 5])), M)
case(T, "padding", lambda tf, x: ragged(tf.RaggedTensor.from_tensor(x, padding=0)), M)
case(T, "padding of vectors", lambda tf, x: ragged(tf.RaggedTensor.from_tensor(x, padding=[0, 0])), np.array([[[1, 0], [0, 0]], [[0, 0], [2, 2]]], np.int32))
case(T, "cube", lambda tf, x: ragged(tf.RaggedTensor.from_tensor(x)), np.arange(8).reshape(2, 2, 2))
case(T, "rank 2", lambda tf, x: ragged(tf.RaggedTensor.from_tensor(x, ragged_rank=2)), np.arange(8).reshape(2, 2, 2))
case(T, "int32 splits", lambda tf, x: ragged(tf.RaggedTensor.from_tensor(x, row_splits_dtype=tf.int32)), M)
case(T, "strings", lambda tf, x: ragged(tf.RaggedTensor.from_tensor(x, padding="")), np.array([[b"a", b""], [b"b", b"c"]], object))
S = "RaggedTensor.from_sparse"
case(S, "form", lambda tf: ragged(tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [4, 2]))))
case(S, "not at the left", lambda tf: ragged(tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 1]], [1], [3, 2]))))

# -- what it is made of ----------------------------------------------------------------------------------------------

for name in ("value_rowids", "nrows", "row_starts", "row_limits", "row_lengths", "bounding_shape", "to_tensor"):
    for label, make in (("rows", rows), ("deep", deep), ("inner", inner)):
        case(f"RaggedTensor.{name}", label, lambda tf, n=name, make=make: getattr(make(tf), n)())
for name in ("nested_row_lengths", "nested_value_rowids"):
    case(f"RaggedTensor.{name}", "deep", lambda tf, n=name: list(getattr(deep(tf), n)()))
case("RaggedTensor.nrows", "int32", lambda tf: rows(tf).nrows(out_type=tf.int32))
case("RaggedTensor.row_lengths", "axis 2", lambda tf: ragged(deep(tf).row_lengths(axis=2)))
case("RaggedTensor.row_lengths", "axis 0", lambda tf: rows(tf).row_lengths(axis=0))
case("RaggedTensor.row_lengths", "axis 2 of pairs", lambda tf: ragged(inner(tf).row_lengths(axis=2)))
case("RaggedTensor.bounding_shape", "axis 0", lambda tf: rows(tf).bounding_shape(axis=0))
case("RaggedTensor.bounding_shape", "axis 1", lambda tf: rows(tf).bounding_shape(axis=1))
case("RaggedTensor.bounding_shape", "axes", lambda tf: deep(tf).bounding_shape(axis=[0, 2], out_type=tf.int32))
case("RaggedTensor.to_tensor", "default", lambda tf: rows(tf).to_tensor(-1), nodes=True)
case("RaggedTensor.to_tensor", "default of pairs", lambda tf: inner(tf).to_tensor([7, 8]))
case("RaggedTensor.to_tensor", "strings", lambda tf: tf.ragged.constant([["a"], [], ["b", "c"]]).to_tensor("-"))
case("RaggedTensor.to_tensor", "no rows", lambda tf: tf.ragged.constant([], ragged_rank=1).to_tensor())
case("RaggedTensor.to_tensor", "wrong default", lambda tf, x: x.to_tensor("a"), before=rows)
for label, make in (("rows", rows), ("deep", deep), ("inner", inner)):
    case("RaggedTensor.to_sparse", label, lambda tf, make=make: [getattr(make(tf).to_sparse(), p) for p in ("indices", "values", "dense_shape")])
case("RaggedTensor.with_values", "form", lambda tf: ragged(rows(tf).with_values(tf.constant([1.0, 2, 3]))))
case("RaggedTensor.with_values", "wrong size", lambda tf, x, v: ragged(x.with_values(v)), V[:2], before=rows)
case("RaggedTensor.with_flat_values", "form", lambda tf: ragged(deep(tf).with_flat_values(tf.constant(["a", "b", "c"]))))
case("RaggedTensor.with_row_splits_dtype", "form", lambda tf: ragged(deep(tf).with_row_splits_dtype(tf.int32)))

# -- keys ------------------------------------------------------------------------------------------------------------

KEYS: dict[str, Any] = {
    "0": 0, "-1": -1, "1:": slice(1, None), ":-1": slice(None, -1), "::2": slice(None, None, 2), "::-1": slice(None, None, -1),
    "0, 0": (0, 0), "0, 1:": (0, slice(1, None)), ":, :1": (slice(None), slice(None, 1)), ":, 1:": (slice(None), slice(1, None)),
    ":, -1:": (slice(None), slice(-1, None)), "1:, :1": (slice(1, None), slice(None, 1)), ":, :": (slice(None), slice(None)),
    "...": Ellipsis, "..., :1": (Ellipsis, slice(None, 1)), "newaxis": None, ":, ::2": (slice(None), slice(None, None, 2)),
}  # fmt: skip
for label, key in KEYS.items():
    case("RaggedTensor", f"[{label}]", lambda tf, k=key: ragged(rows(tf)[k]))
    if label != "newaxis":
        case("RaggedTensor", f"deep [{label}]", lambda tf, k=key: ragged(deep(tf)[k]))
case("RaggedTensor", "deep [:, :, :1]", lambda tf: ragged(deep(tf)[:, :, :1]))
case("RaggedTensor", "deep [0, 0, 1]", lambda tf: ragged(deep(tf)[0, 0, 1]))
case("RaggedTensor", "inner [:, :, 0]", lambda tf: ragged(inner(tf)[:, :, 0]))
case("RaggedTensor", "inner [2, 1]", lambda tf: ragged(inner(tf)[2, 1]))
case("RaggedTensor", "[tensor]", lambda tf, i: ragged(rows(tf)[i]), np.int32(2))
case("RaggedTensor", "[:, 0]", lambda tf, x: ragged(x[:, 0]), before=rows)
case("RaggedTensor", "[text]", lambda tf, x: ragged(x["a"]), before=rows)

# -- functions -------------------------------------------------------------------------------------------------------

case("ragged.range", "form", lambda tf, x: ragged(tf.ragged.range(x)), array("int32", 3, 0, 2))
case("ragged.range", "bounds", lambda tf, a, b, c: ragged(tf.ragged.range(a, b, c)), array("int32", 0, 5, 8), array("int32", 3, 3, 12), array("int32", 1, -1, 2))
case("ragged.range", "scalar", lambda tf: ragged(tf.ragged.range(3)))
case("ragged.range", "floats", lambda tf, x: ragged(tf.ragged.range(x, 2.0, 0.5)), array("float32", 0.5, 2.5))
case("ragged.range", "dtype", lambda tf: ragged(tf.ragged.range([1, 2], dtype=tf.float32)))
case("ragged.range", "int32 splits", lambda tf: ragged(tf.ragged.range([2], row_splits_dtype=tf.int32)))
case("ragged.range", "delta 0", lambda tf: ragged(tf.ragged.range([1], [3], 0)))
case("ragged.range", "sizes differ", lambda tf: ragged(tf.ragged.range([1, 2], [3, 4, 5])))
case("ragged.map_flat_values", "form", lambda tf: ragged(tf.ragged.map_flat_values(tf.square, deep(tf))))
case("ragged.map_flat_values", "two", lambda tf: ragged(tf.ragged.map_flat_values(tf.add, rows(tf), y=rows(tf))))
case("ragged.map_flat_values", "plain", lambda tf: tf.ragged.map_flat_values(tf.add, 1, 2))
case("ragged.boolean_mask", "vector", lambda tf, x: ragged(tf.ragged.boolean_mask(x, [True, False, True])), V)
case("ragged.boolean_mask", "matrix", lambda tf, x: ragged(tf.ragged.boolean_mask(x, [[True, False, True], [False] * 3, [True] * 3])), M)
case("ragged.boolean_mask", "rows of a matrix", lambda tf, x: ragged(tf.ragged.boolean_mask(x, [True, False, True])), M)
case("ragged.boolean_mask", "cube", lambda tf, x: ragged(tf.ragged.boolean_mask(x, x > 3)), np.arange(8).reshape(2, 2, 2))
case("ragged.boolean_mask", "ragged mask", lambda tf: ragged(tf.ragged.boolean_mask(rows(tf), tf.ragged.constant([[True, False], [], [True]]))))
case("ragged.boolean_mask", "rows", lambda tf: ragged(tf.ragged.boolean_mask(rows(tf), [True, True, False])))
case("ragged.boolean_mask", "deep", lambda tf: ragged(tf.ragged.boolean_mask(deep(tf), tf.ragged.constant([[True, False], [], [True]]))))
case("ragged.boolean_mask", "scalar mask", lambda tf, x: ragged(tf.ragged.boolean_mask(x, True)), before=rows)
case("ragged.boolean_mask", "sizes differ", lambda tf, x: ragged(tf.ragged.boolean_mask(x, [True])), before=rows)
case("ragged.stack", "form", lambda tf: ragged(tf.ragged.stack([rows(tf), tf.ragged.constant([[4]])])))
case("ragged.stack", "axis 1", lambda tf: ragged(tf.ragged.stack([rows(tf), rows(tf)], axis=1)))
case("ragged.stack", "vectors", lambda tf, x: ragged(tf.ragged.stack([x, x[:1]])), V)
case("ragged.stack", "none", lambda tf: ragged(tf.ragged.stack([])))
case("ragged.row_splits_to_segment_ids", "form", lambda tf, x: tf.ragged.row_splits_to_segment_ids(x), array("int64", 0, 3, 3, 5))
case("ragged.row_splits_to_segment_ids", "int32", lambda tf, x: tf.ragged.row_splits_to_segment_ids(x, out_type=tf.int32), array("int64", 0, 2))
case("ragged.segment_ids_to_row_splits", "form", lambda tf, x: tf.ragged.segment_ids_to_row_splits(x), array("int32", 0, 0, 0, 2, 2))
case("ragged.segment_ids_to_row_splits", "list", lambda tf: tf.ragged.segment_ids_to_row_splits([0, 0, 2]))
case("ragged.segment_ids_to_row_splits", "number", lambda tf, x: tf.ragged.segment_ids_to_row_splits(x, num_segments=5), array("int64", 0, 0, 0, 2, 2))
for label, call in {
    "x + 1": lambda x: x + 1, "1 - x": lambda x: 1 - x, "x * x": lambda x: x * x, "x / 2": lambda x: x / 2, "-x": lambda x: -x, "x < 2": lambda x: x < 2,
    "abs": abs, "x ** 2": lambda x: x**2, "x // 2": lambda x: x // 2, "x % 2": lambda x: x % 2,
}.items():  # fmt: skip
    case("RaggedTensor", label, lambda tf, call=call: ragged(call(rows(tf))))

D = "ragged.stack_dynamic_partitions"
case(D, "form", lambda tf, x, p: ragged(tf.ragged.stack_dynamic_partitions(x, p, 4)), array("int32", 5, 6, 7, 8), array("int32", 3, 0, 3, 1))
case(D, "strings", lambda tf: ragged(tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [1, 0, 1], num_partitions=2)))
case(D, "scalar", lambda tf, x: ragged(tf.ragged.stack_dynamic_partitions(x, 2, 3)), V)
case(D, "matrix", lambda tf, x: ragged(tf.ragged.stack_dynamic_partitions(x, [[0, 1, 0], [1, 1, 0], [0, 0, 0]], 2)), M)
case(D, "ragged", lambda tf: ragged(tf.ragged.stack_dynamic_partitions(rows(tf), np.array([1, 0, 1], np.int64), 3)))
case(D, "beyond", lambda tf, x, p: ragged(tf.ragged.stack_dynamic_partitions(x, p, 3))[1], array("int32", 5, 6), array("int32", 3, 0))
