"""Rows of the op table: activations' gradients, biases, cross entropies and other parts of neural networks."""

import numpy as np
from cases import FLOATS, case, form, named
from harness import raw

X = np.array([[0.5, -1.5, 2.0], [3.0, 0.25, -0.5]], np.float32)
P = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]], np.float32)
G = np.array([[1.0, -2.0, 0.5], [0.25, 4.0, -1.0]], np.float32)
IMAGE = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)

for kind in FLOATS:
    x, p = X.astype(kind), P.astype(kind)
    case("nn.softmax_cross_entropy_with_logits", kind, lambda tf, y, x: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x), p, x)
    case("nn.sparse_softmax_cross_entropy_with_logits", kind, lambda tf, y, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x), np.array([2, 0]), x)
    case("nn.sigmoid_cross_entropy_with_logits", kind, lambda tf, y, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x), p, x)
    case("nn.bias_add", kind, named("nn.bias_add"), x, x[0])
    case("nn.moments", kind, lambda tf, x: tf.nn.moments(x, [0]), x)
    for op, second in (
        ("ReluGrad", "features"), ("Relu6Grad", "features"), ("EluGrad", "outputs"), ("SeluGrad", "outputs"),
        ("LeakyReluGrad", "features"), ("SoftplusGrad", "features"), ("SoftsignGrad", "features"),
    ):  # fmt: skip
        case(f"raw_ops.{op}", kind, lambda tf, g, x, o=op, s=second: raw(tf, o, gradients=g, **{s: x}), G.astype(kind), x)

for op in ("ReluGrad", "Relu6Grad"):
    case(f"raw_ops.{op}", "endless gradients", lambda tf, g, x, o=op: raw(tf, o, gradients=g, features=x), np.array([np.inf, np.nan, -1, 2], np.float32), np.array([-1, 0, 0, 3], np.float32))
WIDE = np.sin(np.arange(120, dtype=np.float32)).reshape(3, 40)
case("nn.softmax_cross_entropy_with_logits", "many classes", lambda tf, y, x: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x), WIDE**2, WIDE)
case("nn.sparse_softmax_cross_entropy_with_logits", "many classes", lambda tf, y, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x), np.array([2, 0, 39]), WIDE)
form("nn.softmax_cross_entropy_with_logits_v2", "form", named("nn.softmax_cross_entropy_with_logits_v2"), P, X)
form("nn.softmax_cross_entropy_with_logits", "axis", lambda tf, y, x: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x, dim=0), P, X)
case("nn.softmax_cross_entropy_with_logits", "rank 3", lambda tf, y, x: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x), P[None], X[None])
case("nn.softmax_cross_entropy_with_logits", "no labels", lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(logits=x), X)
case("nn.softmax_cross_entropy_with_logits", "shapes differ", lambda tf, y, x: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x), P[:, :2].copy(), X)
case("nn.softmax_cross_entropy_with_logits", "large", lambda tf, y, x: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x), P, X * 1000)
ODD_LOGITS = np.float32([[1, -np.inf, 2], [1, -np.inf, 2], [np.nan, 1, 2], [1, np.inf, 2], [1, np.nan, 2], [1, 2, 3]])
ODD_LABELS = np.float32([[0, 0, 1], [0, 1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0], [np.nan, 0, 1]])
case("nn.softmax_cross_entropy_with_logits", "odd", lambda tf, y, x: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x), ODD_LABELS, ODD_LOGITS)
form("nn.sparse_softmax_cross_entropy_with_logits", "form", lambda tf, y, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x), np.array([2, 0], np.int32), X)
case("nn.sparse_softmax_cross_entropy_with_logits", "rank 3", lambda tf, y, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x), np.array([[2, 0]]), X[None])
case("nn.sparse_softmax_cross_entropy_with_logits", "rank mismatch", lambda tf, y, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x), np.array([[2, 0]]), X)
case("nn.sparse_softmax_cross_entropy_with_logits", "shape mismatch", lambda tf, y, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x), np.array([2, 0, 1]), X)
case("nn.sparse_softmax_cross_entropy_with_logits", "no class", lambda tf, y, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x), np.array([2, 3]), X)
case("nn.sparse_softmax_cross_entropy_with_logits", "scalar", lambda tf, y: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=1.0), np.array(2))
case("nn.sigmoid_cross_entropy_with_logits", "shapes differ", lambda tf, y, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x), P[:1], X)
case("nn.sigmoid_cross_entropy_with_logits", "large", lambda tf, y, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x), P, X * 1000)
form("nn.sigmoid_cross_entropy_with_logits", "form", lambda tf, y, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x), P, X)
form("nn.weighted_cross_entropy_with_logits", "form", lambda tf, y, x: tf.nn.weighted_cross_entropy_with_logits(y, x, 2.0), P, X)
case("nn.weighted_cross_entropy_with_logits", "targets", lambda tf, y, x: tf.nn.weighted_cross_entropy_with_logits(targets=y, logits=x, pos_weight=2.0), P, X)
form("nn.log_poisson_loss", "form", named("nn.log_poisson_loss"), P, X)
case("nn.log_poisson_loss", "full", lambda tf, y, x: tf.nn.log_poisson_loss(y, x, compute_full_loss=True), P + 1, X)
form("nn.bias_add", "form", named("nn.bias_add"), X, X[0])
form("nn.bias_add", "image", named("nn.bias_add"), IMAGE, np.arange(4, dtype=np.float32))
case("nn.bias_add", "integers", named("nn.bias_add"), np.arange(6, dtype=np.int32).reshape(2, 3), np.arange(3, dtype=np.int32))
case("nn.bias_add", "wrong count", named("nn.bias_add"), X, X[0, :2].copy())
case("nn.bias_add", "a vector", named("nn.bias_add"), X[0], X[0])
case("nn.bias_add", "layout", lambda tf, x, b: tf.nn.bias_add(x, b, data_format="XYZ"), X, X[0])
form("raw_ops.BiasAddGrad", "form", lambda tf, x: raw(tf, "BiasAddGrad", out_backprop=x), IMAGE)
form("raw_ops.BiasAddGrad", "channels first", lambda tf, x: raw(tf, "BiasAddGrad", out_backprop=x, data_format="NCHW"), IMAGE)
form("nn.xw_plus_b", "form", named("nn.xw_plus_b"), X, X.T.copy(), X[:, 0].copy())
form("nn.relu_layer", "form", named("nn.relu_layer"), X, X.T.copy(), X[:, 0].copy())
form("nn.crelu", "form", named("nn.crelu"), X)
form("nn.moments", "form", lambda tf, x: tf.nn.moments(x, [0, 1]), X)
case("nn.moments", "keep", lambda tf, x: tf.nn.moments(x, [1], keep_dims=True), X)
form("nn.batch_normalization", "all", lambda tf, x: tf.nn.batch_normalization(x, [0.5, 0.1, 0.2], [1.0, 2.0, 3.0], [0.1, 0.2, 0.3], [1.5, 2.5, 3.5], 1e-3), X)
form("nn.batch_normalization", "bare", lambda tf, x: tf.nn.batch_normalization(x, 0.5, 2.0, None, None, 1e-3), X)
case("nn.dropout", "nothing", lambda tf, x: tf.nn.dropout(x, 1.0), X)
case("nn.dropout", "seeded", lambda tf, x: tf.nn.dropout(x, 0.5, seed=1), X)
case("nn.dropout", "rate", lambda tf, x: tf.nn.dropout(x, rate=0.25, seed=2), X)
case("nn.dropout", "together", lambda tf, x: tf.nn.dropout(x, 0.5, noise_shape=[2, 1], seed=3), X)
case("nn.dropout", "too large", lambda tf, x: tf.nn.dropout(x, rate=1.5), X)
case("nn.dropout", "no rate", lambda tf, x: tf.nn.dropout(x), X)
case("nn.dropout", "integers", lambda tf, x: tf.nn.dropout(x, 0.5), np.array([1, 2], np.int32))
