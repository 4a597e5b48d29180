"""Rows of the op table: functions of dense tensors that take ragged ones (lib/ragged/ragged_dispatch.py).

What is compared are values, dtypes and static shapes. The oracle's nodes are those of a later release, which 1.15 built otherwise.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from cases import case
from cases_ragged import deep, inner, ragged, rows

MADE: dict[str, Any] = {
    "floats": [[1.5, -2.0], [], [0.25]], "positive": [[1.5, 2.0], [], [0.25]], "bools": [[True, False], [], [True]],
    "texts": [["a", "bb"], [], ["c"]], "tens": [[10, 20], [], [30]], "square": [[1, 2], [3, 4]], "row": [[10, 20]],
    "thin": [[1], [2], [3]], "numbers": [[1], [2, 3]], "two": [[1], [2]], "long": [[1, 2, 3], [4], [5]],
    "ids": [[0, 1], [], [1]], "other_ids": [[0], [], [1]], "pair_ids": [[0, 1], [1, 1]], "letters": [["a", "b"], ["c"], ["d", "e"]],
    "places": [[1, 0], [], [0]], "twice": [[2], [0, 0]], "coordinates": [[0], [2, 0]], "ones": [[[1], [2]]], "deep_ones": [[[1], [2]], [[3]]],
    "deep_bools": [[[True, False], []], [], [[True]]],
}  # fmt: skip


def made(tf: Any) -> SimpleNamespace:
    """The ragged tensors of the rows by name; made before the call, which leaves the graph as it was when it fails."""
    return SimpleNamespace(
        rows=rows(tf), deep=deep(tf), inner=inner(tf), empty=tf.ragged.constant([[], []], dtype=tf.int32),
        int32_rows=tf.ragged.constant([[1, 2], [], [3]], row_splits_dtype=tf.int32), three=tf.constant(3), zero=tf.constant(0),
        dense=tf.constant([[7, 8], [9, 10]]), one=tf.constant(1), two_one=tf.constant([2, 1], tf.int64),
        dense_ones=tf.ragged.constant([[[1], [2]], [[3]]], ragged_rank=1),
        pairs_of_places=tf.ragged.constant([[[0, 1]], [[1, 1], [0, 0]]], ragged_rank=1),
        pairs_of_rows=tf.ragged.constant([[[0, 1]], [[2, 0]]], ragged_rank=1),
        **{name: tf.ragged.constant(value) for name, value in MADE.items()},
    )  # fmt: skip


def row(symbol: str, label: str, call: Callable[[Any, Any], Any]) -> None:
    """A row without inputs; every result is taken apart into values and row splits, of which only the rank is static."""

    def flat(tf: Any, m: Any) -> Any:
        result = call(tf, m)
        parts = [part for value in (result if isinstance(result, (list, tuple)) else [result]) for part in ragged(value)]
        return [tf.placeholder_with_default(part, [None] * part.shape.ndims) for part in parts]

    case(symbol, label, flat, before=made)


# -- elementwise functions of one tensor -----------------------------------------------------------------------------

UNARY = ["abs", "acos", "acosh", "angle", "asin", "asinh", "atan", "atanh", "ceil", "conj", "cos", "cosh", "digamma", "erf", "erfc", "exp", "expm1", "floor", "imag", "is_finite", "is_inf", "is_nan", "lgamma", "log", "log1p", "log_sigmoid", "negative", "real", "reciprocal", "rint", "round", "rsqrt", "sign", "sin", "sinh", "sqrt", "square", "tan"]
for name in UNARY:
    row(f"math.{name}", "ragged", lambda tf, m, n=name: getattr(tf.math, n)(m.positive))
for name in ("identity", "ones_like", "zeros_like"):
    row(name, "ragged", lambda tf, m, n=name: getattr(tf, n)(m.floats))
row("exp", "by keyword", lambda tf, m: tf.exp(x=m.floats))
row("square", "deep", lambda tf, m: tf.square(m.deep))
row("square", "pairs", lambda tf, m: tf.square(m.inner))
row("cast", "ragged", lambda tf, m: tf.cast(m.floats, tf.int32))
row("cast", "ragged, to its own dtype", lambda tf, m: tf.cast(m.floats, tf.float32))
row("saturate_cast", "ragged", lambda tf, m: tf.saturate_cast(m.floats * 1e4, tf.int16))
row("clip_by_value", "ragged", lambda tf, m: tf.clip_by_value(m.floats, -1.0, 1.0))
row("check_numerics", "ragged", lambda tf, m: tf.debugging.check_numerics(m.floats, "m"))
row("logical_not", "ragged", lambda tf, m: tf.logical_not(m.bools))
row("bitwise.invert", "ragged", lambda tf, m: tf.bitwise.invert(m.rows))

TEXTS: dict[str, Callable[[Any, Any], Any]] = {
    "strings.length": lambda tf, x: tf.strings.length(x), "strings.substr": lambda tf, x: tf.strings.substr(x, 0, 1),
    "strings.regex_full_match": lambda tf, x: tf.strings.regex_full_match(x, "a|c"),
    "strings.regex_replace": lambda tf, x: tf.strings.regex_replace(x, "b", "x"),
    "strings.strip": lambda tf, x: tf.strings.strip(x), "encode_base64": lambda tf, x: tf.encode_base64(x),
    "decode_base64": lambda tf, x: tf.decode_base64(tf.encode_base64(x)),
    "strings.to_hash_bucket_fast": lambda tf, x: tf.strings.to_hash_bucket_fast(x, 10),
    "strings.to_hash_bucket_strong": lambda tf, x: tf.strings.to_hash_bucket_strong(x, 10, [1, 2]),
    "strings.join": lambda tf, x: tf.strings.join([x, "-", x]), "as_string": lambda tf, x: tf.as_string(tf.strings.length(x)),
    "strings.unicode_script": lambda tf, x: tf.strings.unicode_script(tf.strings.length(x) * 97),
}  # fmt: skip
for name, text_call in TEXTS.items():
    row(name, "ragged", lambda tf, m, call=text_call: call(tf, m.texts))

# -- of two tensors --------------------------------------------------------------------------------------------------

BINARY = ["subtract", "multiply", "truediv", "floordiv", "floormod", "maximum", "minimum", "pow", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "squared_difference"]
for name in BINARY:
    row(f"math.{name}", "ragged and a number", lambda tf, m, n=name: getattr(tf.math, n)(m.rows, 2))
    row(f"math.{name}", "a number and ragged", lambda tf, m, n=name: getattr(tf.math, n)(2, m.rows))
    row(f"math.{name}", "ragged and a column", lambda tf, m, n=name: getattr(tf.math, n)(m.rows, [[1], [2], [3]]))
    row(f"math.{name}", "of the same rows", lambda tf, m, n=name: getattr(tf.math, n)(m.rows, m.rows))
for name in ("atan2", "divide_no_nan"):
    row(f"math.{name}", "ragged", lambda tf, m, n=name: getattr(tf.math, n)(m.floats, 2.0))
for name in ("logical_and", "logical_or", "logical_xor"):
    row(name, "ragged", lambda tf, m, n=name: getattr(tf, n)(m.bools, True))
for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"):
    row(f"bitwise.{name}", "ragged", lambda tf, m, n=name: getattr(tf.bitwise, n)(m.rows, 1))
for name in ("truncatediv", "truncatemod"):
    row(name, "ragged", lambda tf, m, n=name: getattr(tf, n)(m.rows, 2))
row("realdiv", "ragged", lambda tf, m: tf.realdiv(m.floats, 2.0))
row("complex", "ragged", lambda tf, m: tf.complex(m.floats, m.floats))

PAIRS: dict[str, Callable[[Any, Any], Any]] = {
    "another of the same rows": lambda tf, m: tf.multiply(m.rows, m.tens),
    "a row": lambda tf, m: tf.multiply(m.rows, [[7]]),
    "a vector of one": lambda tf, m: tf.multiply(m.rows, [7]),
    "one ragged row": lambda tf, m: tf.multiply(m.square, m.row),
    "as wide as every row": lambda tf, m: tf.multiply(m.square, [[1, 1], [2, 2]]),
    "deep and deep": lambda tf, m: tf.multiply(m.deep, m.deep),
    "deep and a column": lambda tf, m: tf.multiply(m.deep, [[[100]], [[200]], [[300]]]),
    "pairs and a pair": lambda tf, m: tf.multiply(m.inner, [10, 20]),
    "a higher rank": lambda tf, m: tf.multiply(m.rows, [[[1]], [[2]]]),
    "no values": lambda tf, m: tf.multiply(m.empty, 1),
    "tensor * ragged": lambda tf, m: m.three * m.rows,
    "array * ragged": lambda tf, m: np.int32(3) * m.rows,
    "other splits dtypes": lambda tf, m: tf.multiply(m.rows, m.int32_rows),
}  # fmt: skip
for label, pair_call in PAIRS.items():
    row("multiply", label, pair_call)
row("add_n", "ragged", lambda tf, m: tf.add_n([m.rows, m.tens, m.rows]))
row("add_n", "one ragged", lambda tf, m: tf.add_n([m.rows]))

# -- the tensor as a whole -------------------------------------------------------------------------------------------

WHOLE: dict[str, dict[str, Callable[[Any, Any], Any]]] = {
    "concat": {
        "axis 0": lambda tf, m: tf.concat([m.rows, m.tens], 0), "axis 1": lambda tf, m: tf.concat([m.rows, m.tens], 1),
        "axis -1": lambda tf, m: tf.concat([m.rows, m.tens], -1), "deep, axis 1": lambda tf, m: tf.concat([m.deep, m.deep], 1),
        "deep, axis 2": lambda tf, m: tf.concat([m.deep, m.deep], 2),
        "dense behind": lambda tf, m: tf.concat([m.numbers, m.dense], 0),
        "dense before": lambda tf, m: tf.concat([m.dense, m.numbers], 1),
        "of unequal depth": lambda tf, m: tf.concat([m.inner, m.deep], 0), "one": lambda tf, m: tf.concat([m.rows], 0),
        "pairs": lambda tf, m: tf.concat([m.inner, m.inner], 2), "too large an axis": lambda tf, m: tf.concat([m.rows, m.tens], 5),
        "unequal dtypes": lambda tf, m: tf.concat([m.rows, m.floats], 0),
    },
    "stack": {
        **{f"axis {axis}": lambda tf, m, axis=axis: tf.stack([m.rows, m.tens], axis) for axis in (0, 1, 2, -1)},
        **{f"deep, axis {axis}": lambda tf, m, axis=axis: tf.stack([m.deep, m.deep], axis) for axis in (2, 3)},
        "with a dense one": lambda tf, m: tf.stack([m.numbers, m.dense]),
        "other rows": lambda tf, m: tf.stack([m.rows, m.two]),
        "too large an axis": lambda tf, m: tf.stack([m.rows, m.tens], 9),
    },
    "tile": {
        **{f"{j} {k}": lambda tf, m, j=j, k=k: tf.tile(m.rows, [j, k]) for j, k in ((1, 1), (2, 1), (1, 2), (2, 3), (0, 1), (1, 0))},
        "deep": lambda tf, m: tf.tile(m.deep, [2, 2, 3]), "pairs": lambda tf, m: tf.tile(m.inner, [1, 2, 2]),
        "int64": lambda tf, m: tf.tile(m.rows, m.two_one),
    },
    "squeeze": {
        "axis 0": lambda tf, m: tf.squeeze(m.ones, 0), "axis 1": lambda tf, m: tf.squeeze(m.two, 1),
        "axis 2": lambda tf, m: tf.squeeze(m.deep_ones, 2),
        "a dense axis": lambda tf, m: tf.squeeze(m.dense_ones, -1),
        "axes": lambda tf, m: tf.squeeze(m.ones, [0, 2]), "without an axis": lambda tf, m: tf.squeeze(m.rows),
        "another size": lambda tf, m: tf.squeeze(m.rows, 1),
    },
    "one_hot": {
        "ragged": lambda tf, m: tf.one_hot(m.rows, 4), "values": lambda tf, m: tf.one_hot(m.rows, 4, on_value=5, off_value=-1),
        "dtype": lambda tf, m: tf.one_hot(m.rows, 2, dtype=tf.int32), "pairs": lambda tf, m: tf.one_hot(m.inner, 4),
    },
    "rank": {"ragged": lambda tf, m: tf.rank(m.rows), "deep": lambda tf, m: tf.rank(m.deep), "pairs": lambda tf, m: tf.rank(m.inner)},
    "size": {"ragged": lambda tf, m: tf.size(m.rows), "pairs, int64": lambda tf, m: tf.size(m.inner, out_type=tf.int64)},
    "where": {
        "coordinates": lambda tf, m: tf.where(m.bools), "deep coordinates": lambda tf, m: tf.where(m.deep_bools),
        "elements": lambda tf, m: tf.where(m.bools, m.rows, m.tens), "rows": lambda tf, m: tf.where([True, False, True], m.rows, m.tens),
        "rows of other lengths": lambda tf, m: tf.where([True, False, True], m.long, m.tens),
        "one of two": lambda tf, m: tf.where(m.bools, m.rows), "shapes that differ": lambda tf, m: tf.where(m.bools, m.rows, m.zero),
    },
    "dynamic_partition": {
        "elements": lambda tf, m: tf.dynamic_partition(m.rows, m.ids, 2),
        "rows": lambda tf, m: tf.dynamic_partition(m.rows, [0, 1, 0], 2),
        "deep": lambda tf, m: tf.dynamic_partition(m.deep, m.ids, 2),
        "a negative number": lambda tf, m: tf.dynamic_partition(m.rows, m.ids, -2),
    },
    "gather": {
        "rows": lambda tf, m: tf.gather(m.rows, [2, 0]), "ragged indices": lambda tf, m: tf.gather([10, 20, 30, 40], m.rows),
        "both ragged": lambda tf, m: tf.gather(m.rows, m.twice), "one": lambda tf, m: tf.gather(m.rows, 0),
        "matrix": lambda tf, m: tf.gather(m.rows, [[2, 0], [1, 1]]), "deep": lambda tf, m: tf.gather(m.deep, [2, 0]),
        "pairs": lambda tf, m: tf.gather(m.inner, [2, 0]), "outside": lambda tf, m: tf.gather(m.rows, [7]),
    },
    "gather_nd": {
        "rows": lambda tf, m: tf.gather_nd(m.rows, [[0], [2]]), "elements": lambda tf, m: tf.gather_nd(m.rows, [[0, 1], [2, 0]]),
        "ragged indices": lambda tf, m: tf.gather_nd([[7, 8], [9, 10]], m.pairs_of_places),
        "both ragged": lambda tf, m: tf.gather_nd(m.rows, m.pairs_of_rows),
        "deep": lambda tf, m: tf.gather_nd(m.deep, [[0, 0, 1], [2, 0, 0]]), "pairs": lambda tf, m: tf.gather_nd(m.inner, [[0, 0], [2, 1]]),
        "one index": lambda tf, m: tf.gather_nd(m.rows, [0]), "ragged coordinates": lambda tf, m: tf.gather_nd(m.rows, m.coordinates),
    },
    "batch_gather": {
        "both ragged": lambda tf, m: tf.batch_gather(m.letters, m.places),
        "dense indices": lambda tf, m: tf.batch_gather(m.letters, [[1], [0], [1]]),
        "dense params": lambda tf, m: tf.batch_gather([[1, 2], [3, 4], [5, 6]], m.places),
        "deep": lambda tf, m: tf.batch_gather(m.deep, m.places),
    },
}  # fmt: skip
for name, calls in WHOLE.items():
    for label, whole_call in calls.items():
        row(name, label, whole_call)
for axis in (2, -1, 9):
    row("expand_dims", f"axis {axis}", lambda tf, m, axis=axis: tf.expand_dims(m.rows, axis))
row("expand_dims", "without an axis", lambda tf, m: tf.expand_dims(m.rows))
row("expand_dims", "pairs", lambda tf, m: tf.expand_dims(m.inner, 2))

# -- segments and reductions -----------------------------------------------------------------------------------------

for name in ("sum", "prod", "min", "max", "mean", "sqrt_n"):
    symbol = f"math.unsorted_segment_{name}"
    row(symbol, "elements", lambda tf, m, n=name: getattr(tf.math, f"unsorted_segment_{n}")(m.floats, m.places, 2))
    row(symbol, "rows", lambda tf, m, n=name: getattr(tf.math, f"unsorted_segment_{n}")(m.floats, [0, 1, 0], 2))
    row(symbol, "deep", lambda tf, m, n=name: getattr(tf.math, f"unsorted_segment_{n}")(m.deep, m.ids, 2))
row("math.unsorted_segment_sum", "dense data", lambda tf, m: tf.math.unsorted_segment_sum([[1, 2], [3, 4]], m.pair_ids, 2))
row("math.unsorted_segment_sum", "other rows", lambda tf, m: tf.math.unsorted_segment_sum(m.rows, m.other_ids, 2))
for name in ("sum", "prod", "min", "max", "mean"):
    for axis in (0, 1, -1, None, [0, 1], []):
        row(f"reduce_{name}", f"ragged, axis {axis}", lambda tf, m, n=name, a=axis: getattr(tf, f"reduce_{n}")(m.floats, axis=a))
    for axis in (0, 1, 2, [0, 2], [1, 2], [0, 1], [0, 1, 2]):
        row(f"reduce_{name}", f"deep, axis {axis}", lambda tf, m, n=name, a=axis: getattr(tf, f"reduce_{n}")(m.deep, axis=a))
        row(f"reduce_{name}", f"pairs, axis {axis}", lambda tf, m, n=name, a=axis: getattr(tf, f"reduce_{n}")(m.inner, axis=a))
for name in ("any", "all"):
    for axis in (0, 1, None, [0, 1]):
        row(f"reduce_{name}", f"ragged, axis {axis}", lambda tf, m, n=name, a=axis: getattr(tf, f"reduce_{n}")(m.bools, axis=a))
row("reduce_sum", "ragged, too large an axis", lambda tf, m: tf.reduce_sum(m.rows, 9))
row("reduce_sum", "ragged, axis in a tensor", lambda tf, m: tf.reduce_sum(m.rows, m.one))
row("reduce_sum", "ragged, reduction_indices", lambda tf, m: tf.reduce_sum(m.rows, reduction_indices=1))
for axis in (0, 1, None, [0, 1]):
    row("strings.reduce_join", f"ragged, axis {axis}", lambda tf, m, a=axis: tf.strings.reduce_join(m.texts, a, separator="-"))
