"""Rows of the op table: swish, averages of losses, NthElement, tf.contrib.nn and indices, asked of TF 1.15.0 itself."""

import numpy as np
from cases import FLOATS, case, form, inf, named, nan
from harness import raw

X = np.float32([[0.5, -1.5, 2.0], [3.0, 0.25, -0.5]])
for kind in FLOATS:
    case("nn.swish", kind, named("nn.swish"), X.astype(kind))
    case("nn.swish", f"{kind}, gradient", lambda tf, x: tf.gradients(tf.nn.swish(x), x)[0], X.astype(kind))

case("nn.swish", "second order", lambda tf, x: tf.gradients(tf.gradients(tf.nn.swish(x) * x, x)[0], x)[0], X)
case("nn.swish", "twice", lambda tf, x: tf.gradients(tf.nn.swish(tf.nn.swish(x)), x)[0], X)
case("nn.swish", "extremes", lambda tf, x: [tf.nn.swish(x), tf.gradients(tf.nn.swish(x), x)[0]], np.float32([100, -100, 0, nan]))
case("nn.swish", "integers", named("nn.swish"), np.int32([1, 2]))

# -- averages of losses ------------------------------------------------------------------------------------------------------
AVERAGE = named("nn.compute_average_loss")
for kind in (*FLOATS, "int32"):
    case("nn.compute_average_loss", kind, lambda tf, x: AVERAGE(tf, x, global_batch_size=4), (X * 4).astype(kind))
form("nn.compute_average_loss", "rows", AVERAGE, X)
form("nn.compute_average_loss", "vector", AVERAGE, X[0])
for label, losses, weights in (
    ("scalar weight", X, np.float32(2)), ("weight of each row", X, np.float32([1, 3])), ("all weights", X, X), ("column", X, X[:, :1]),
    ("one axis more", X[0], X.T[:, :1]), ("double losses", X.astype(np.float64), np.float32([1, 3])), ("wrong", X, X[0]),
):  # fmt: skip
    case("nn.compute_average_loss", label, AVERAGE, losses, weights, nodes=True)
    case("nn.compute_average_loss", f"{label}, at run time", lambda tf, *t: AVERAGE(tf, *[tf.placeholder_with_default(v, None) for v in t]), losses, weights)
case("nn.compute_average_loss", "list", lambda tf: AVERAGE(tf, [1.0, 2.0], [3.0, 4.0], 8), nodes=True)
case("nn.compute_average_loss", "size of another dtype", lambda tf, x, n: AVERAGE(tf, x, global_batch_size=n), X, np.int32(4))
case("nn.compute_average_loss", "scalar", AVERAGE, X[0, 0])
case("nn.compute_average_loss", "scalar at run time", lambda tf, x: AVERAGE(tf, tf.placeholder_with_default(x, None)), X[0, 0])
form("nn.scale_regularization_loss", "matrix", named("nn.scale_regularization_loss"), X)
form("nn.scale_regularization_loss", "double", named("nn.scale_regularization_loss"), X.astype(np.float64))

# -- order -------------------------------------------------------------------------------------------------------------------
NTH = named("contrib.nn.nth_element")
for kind in ("float32", "float64", "int32", "uint8", "float16"):
    case("contrib.nn.nth_element", kind, lambda tf, x: [NTH(tf, x, 1), NTH(tf, x, 0, reverse=True)], (X + 2).astype(kind))
form("contrib.nn.nth_element", "fed", NTH, X, np.int32(2))
form("contrib.nn.nth_element", "reverse", lambda tf, x: NTH(tf, x, 1, True, "nth"), X)
form("contrib.nn.nth_element", "vector", lambda tf, x: NTH(tf, x, 0), X[0])
form("contrib.nn.nth_element", "gradient", lambda tf, x: tf.gradients(NTH(tf, x, 1), x)[0], np.float32([[3, 1, 1], [9, 8, 8]]))
case("contrib.nn.nth_element", "no rows", lambda tf, x: NTH(tf, x, 1), X[:0])
for label, x, n in (("too large", X, 3), ("negative", X, -1), ("vector n", X, [1]), ("scalar", X[0, 0], 0)):
    case("contrib.nn.nth_element", label, lambda tf, x, n=n: NTH(tf, x, n), x)
    case("contrib.nn.nth_element", f"{label} at run time", lambda tf, x, n: NTH(tf, tf.placeholder_with_default(x, None), tf.placeholder_with_default(n, None)), x, np.int32(n))
case("raw_ops.NthElement", "raw", lambda tf, x: raw(tf, "NthElement", input=x, n=2), X)

# -- contrib -----------------------------------------------------------------------------------------------------------------
DROPOUT = named("contrib.nn.alpha_dropout")
form("contrib.nn.alpha_dropout", "seeded", lambda tf, x: DROPOUT(tf, x, 0.8, seed=1), X)
form("contrib.nn.alpha_dropout", "together", lambda tf, x: DROPOUT(tf, x, 0.5, noise_shape=[2, 1], seed=2, name="drop"), X)
case("contrib.nn.alpha_dropout", "keep a tensor", lambda tf, x, k: DROPOUT(tf, x, k, seed=3), X, np.float32(0.75))
case("contrib.nn.alpha_dropout", "keep all", lambda tf, x: DROPOUT(tf, x, 1.0), X)
case("contrib.nn.alpha_dropout", "keep too much", lambda tf, x: DROPOUT(tf, x, 1.5), X)
case("contrib.nn.alpha_dropout", "keep a vector", lambda tf, x, k: DROPOUT(tf, x, k), X, X[0])
for label, options in (("plain", {}), ("clipped", {"clip": 1.0, "name": "soft"})):
    case("contrib.nn.scaled_softplus", label, lambda tf, x, o=options: named("contrib.nn.scaled_softplus")(tf, x, 0.5, **o), X)
    case("contrib.nn.scaled_softplus", f"{label}, gradients", lambda tf, x, a, o=options: tf.gradients(named("contrib.nn.scaled_softplus")(tf, x, a, **o), [x, a]), X, np.abs(X) + 0.25)
for loss, labels in (("sigmoid", X / 4), ("softmax", np.abs(X)), ("sparse_softmax", np.int32([2, 0]))):
    symbol = f"contrib.nn.deprecated_flipped_{loss}_cross_entropy_with_logits"
    form(symbol, "form", named(symbol), X, labels)
LOGITS = np.float32([[0.5, -1.5, 0.75], [3.0, 0.25, -0.5], [0.25, 0.25, 0.25]])
SPARSEMAX, LOSS = named("contrib.sparsemax.sparsemax"), named("contrib.sparsemax.sparsemax_loss")
case("contrib.sparsemax.sparsemax", "form", SPARSEMAX, LOGITS, shapes=True)
case("contrib.sparsemax.sparsemax", "double", SPARSEMAX, LOGITS.astype(np.float64))
case("contrib.sparsemax.sparsemax", "gradient", lambda tf, x: tf.gradients(SPARSEMAX(tf, x) ** 2, x)[0], LOGITS)
case("contrib.sparsemax.sparsemax", "extremes", SPARSEMAX, np.float32([[inf, 1, 2], [-inf, 1, 1.5], [nan, 0, 1], [-inf, -inf, -inf]]))
form("contrib.sparsemax.sparsemax_loss", "form", LOSS, LOGITS, LOGITS / 4, np.eye(3, dtype=np.float32))
case("contrib.sparsemax.sparsemax_loss", "of sparsemax", lambda tf, x, y: LOSS(tf, x, SPARSEMAX(tf, x), y), LOGITS, np.eye(3, dtype=np.float32))
case("contrib.sparsemax.sparsemax_loss", "gradient", lambda tf, x, y: tf.gradients(LOSS(tf, x, SPARSEMAX(tf, x), y), x)[0], LOGITS, np.eye(3, dtype=np.float32))
case("contrib.sparsemax.sparsemax_loss", "extremes", lambda tf, x, y: LOSS(tf, x, SPARSEMAX(tf, x), y), np.float32([[-inf, 1, 1.5], [inf, 0, 1]]), np.float32([[0, 1, 0], [0, 0, 1]]))

# -- indices -----------------------------------------------------------------------------------------------------------------
for index in (np.int16(1), np.uint8(1), np.int64(1)):
    case("Tensor.__getitem__", f"{index.dtype} number", lambda tf, x, i=index: x[i], X)
for kind in ("int16", "uint8", "int64"):
    case("Tensor.__getitem__", f"{kind} tensor", lambda tf, x, i: x[i], X, np.array(1, kind))
    case("Tensor.__getitem__", f"{kind} bound", lambda tf, x, i: x[i:], X, np.array(1, kind))
