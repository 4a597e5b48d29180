"""Rows of the op table: finite numbers, shapes that are checked, parts of a range, products of matrices with many zeros."""

from typing import Any

import numpy as np
from cases import FLOATS, case, form, inf, named, nan

X = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
Y = np.array([7, 8], np.float32)

for symbol in ("verify_tensor_all_finite", "debugging.assert_all_finite"):
    f = named(symbol)
    form(symbol, "form", lambda tf, x, f=f: f(tf, x, "wrong"), X)
    case(symbol, "newer names", lambda tf, x, f=f: f(tf, x=x, message="wrong", name="mine"), X, nodes=True)
    case(symbol, "both names", lambda tf, x, f=f: f(tf, x, "wrong", x=x), X)
    case(symbol, "both messages", lambda tf, x, f=f: f(tf, x, "wrong", message="wrong"), X)
    case(symbol, "literal", lambda tf, f=f: f(tf, [1.0, 2.0], "wrong"), nodes=True)
    for label, bad in {"infinite": inf, "no number": nan}.items():
        case(symbol, label, lambda tf, x, f=f: f(tf, x, "wrong"), np.array([1, bad], np.float32))
    case(symbol, "both", lambda tf, x, f=f: f(tf, x, "wrong"), np.array([nan, inf], np.float64))
    for dtype in FLOATS:
        case(symbol, f"dtype {dtype}", lambda tf, x, f=f: f(tf, x, "wrong"), X.astype(dtype))
    case(symbol, "int32", lambda tf, x, f=f: f(tf, x, "wrong"), X.astype(np.int32))


def checked(tf: Any, x: Any) -> Any:
    """The logarithm of x, in a graph that is checked whole."""
    y = tf.log(x, name="y")
    with tf.control_dependencies([tf.add_check_numerics_ops()]):
        return tf.identity(y)


case("add_check_numerics_ops", "form", checked, X, nodes=True)
case("add_check_numerics_ops", "no number", checked, -X)
case("add_check_numerics_ops", "infinite", checked, X * 0)


def asserted(*specified: Any, **given: Any) -> Any:
    """x, after the shapes were checked; specified: the sizes of each tensor."""

    def call(tf: Any, *tensors: Any) -> Any:
        with tf.control_dependencies([tf.debugging.assert_shapes(list(zip(tensors, specified)), **given)]):
            return tf.identity(tensors[0])

    return call


def unknown(call: Any, shape: Any = None) -> Any:
    """The call with tensors of which less is known."""
    return lambda tf, *tensors: call(tf, *[tf.placeholder_with_default(t, shape) for t in tensors])


GOOD: dict[str, Any] = {
    "names": ("n", 3), "numbers": (2, 3), "any size": (None, 3), "a dot": (".", "m"), "open front": (Ellipsis, 3),
    "a star": ("*", "m"), "text": "nm", "none at all": None, "everything open": (Ellipsis,),
}  # fmt: skip
BAD: dict[str, Any] = {
    "another size": (2, 4), "another rank": (2, 3, 1), "a vector": (6,), "open front of a higher rank": (Ellipsis, 1, 2, 3),
    "equal sizes": ("n", "n"), "a star inside": ("n", "*"), "no shape": 3, "no axes": (), "last of an open front": ("*", 5),
}  # fmt: skip
TOLD_BEFORE = {
    "none at all", "everything open", "another rank", "a vector", "open front of a higher rank", "no axes", "a star inside",
    "no shape",
}  # fmt: skip
for label, sizes in {**GOOD, **BAD}.items():
    case("debugging.assert_shapes", label, asserted(sizes), X, nodes=True)
    if label not in TOLD_BEFORE:
        case("debugging.assert_shapes", f"{label}, when the run knows", unknown(asserted(sizes), [None, None]), X, nodes=True)
case("debugging.assert_shapes", "two tensors", asserted(("n", 3), ("n",)), X, Y, nodes=True)
case("debugging.assert_shapes", "two tensors that differ", asserted(("n", "m"), ("m",)), X, Y)
case("debugging.assert_shapes", "two tensors that differ, when the run knows", unknown(asserted(("n", "m"), ("m",))), X, Y)
case("debugging.assert_shapes", "of unknown rank", unknown(asserted(("n", 3))), X)
case("debugging.assert_shapes", "a scalar", asserted(()), np.float32(1), nodes=True)
case("debugging.assert_shapes", "message and data", unknown(asserted((2, 4), message="oh", data=["told"], name="mine"), [None, None]), X)  # fmt: skip
case("debugging.assert_shapes", "message", asserted((2, 4), message="oh"), X)

for dtype in ("float32", "float64"):
    form(
        "histogram_fixed_width_bins",
        f"form {dtype}",
        lambda tf, v, r: tf.histogram_fixed_width_bins(v, r, nbins=5),
        np.array([[-1.0, 0.0, 1.5], [2.0, 5.0, 15.0]], dtype),
        np.array([0.0, 5.0], dtype),
    )
case(
    "histogram_fixed_width_bins",
    "literals",
    lambda tf: tf.histogram_fixed_width_bins([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], name="mine"),
    nodes=True,
)
case("histogram_fixed_width_bins", "another dtype", lambda tf, v, r: tf.histogram_fixed_width_bins(v, r), X, X[0].astype(np.float64))

form("sparse_matmul", "form", named("sparse_matmul"), X, X.T.copy())
form("sparse_matmul", "turned", lambda tf, a, b: tf.sparse_matmul(a, b, transpose_a=True, name="mine"), X, X)
case("sparse_matmul", "literals", lambda tf: tf.sparse_matmul([[1.0, 0.0]], [[2.0], [3.0]], a_is_sparse=True), nodes=True)
case("sparse_matmul", "inner sizes differ", named("sparse_matmul"), X, X)
case("sparse_matmul", "a vector", named("sparse_matmul"), X, Y)
case("sparse_matmul", "int32", named("sparse_matmul"), X.astype(np.int32), X.T.astype(np.int32))
case("accumulate_n", "shape that differs", lambda tf, x: tf.accumulate_n([x, x], shape=[5]), X)
case("accumulate_n", "sizes that only the run knows", lambda tf, x, y: tf.accumulate_n([tf.placeholder_with_default(x, None), tf.placeholder_with_default(y, None)], name="mine"), X, Y, nodes=True)  # fmt: skip
