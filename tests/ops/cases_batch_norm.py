"""Rows of the op table: batch normalisation, local response normalisation, and statistics over axes, asked of TF 1.15.0 itself.

Not asked, because 1.15's kernels for the processor refuse it or answer what memory holds: NCHW, the statistics of an inference,
vectors of another length at run time. tests/ops/test_batch_norm.py has those.
"""

import numpy as np
from cases import case, form, named, nan
from harness import raw

X = (np.sin(np.arange(2 * 3 * 4 * 3, dtype=np.float32) * 1.3) * 2 + 0.5).reshape(2, 3, 4, 3)
SCALE, OFFSET = np.float32([1.5, 0.5, -2.0]), np.float32([0.25, -1.0, 3.0])
MEAN, VARIANCE = np.float32([0.5, 0.25, -0.5]), np.float32([1.0, 0.5, 2.0])
NONE = np.zeros(0, np.float32)
TRAINING = (X, SCALE, OFFSET)
INFERENCE = (X, SCALE, OFFSET, MEAN, VARIANCE)


def norm(tf, x, scale, offset, *given, **options):
    return list(tf.nn.fused_batch_norm(x, scale, offset, *given, is_training=not given, **options))


def weighted(tf, y):
    """y [...] times rising weights, so that no gradient is 0 by symmetry."""
    weights = tf.reshape(tf.range(0.0, tf.to_float(tf.size(y))), tf.shape(y))
    return y * tf.cast(tf.sin(weights), y.dtype)


def slopes(tf, *tensors, order=1, **options):
    """The gradients of x, scale and offset; of the second order too."""
    y = norm(tf, *tensors, **options)[0]
    first = tf.gradients(weighted(tf, y) * y, tensors[:3])
    if order == 1:
        return first
    total = tf.add_n([tf.reduce_sum(weighted(tf, tf.cast(g, tf.float32)) ** 2) for g in first])
    return tf.gradients(total, tensors[:3])


FUSED = "nn.fused_batch_norm"
for label, tensors in (("training", TRAINING), ("inference", INFERENCE)):
    outputs = slice(None) if label == "training" else slice(1)
    form(FUSED, label, lambda tf, *t, o=outputs: norm(tf, *t)[o], *tensors)
    form(FUSED, f"{label}, gradient", slopes, *tensors)
    case(FUSED, f"{label}, second order", lambda tf, *t: slopes(tf, *t, order=2), *tensors)
    narrow = (X.astype(np.float16), *tensors[1:])
    case(FUSED, f"{label}, half", lambda tf, *t, o=outputs: norm(tf, *t)[o], *narrow)
    case(FUSED, f"{label}, half, gradient", slopes, *narrow)
    case(FUSED, f"{label}, no image, y", lambda tf, *t: norm(tf, *t)[0], X[:0], *tensors[1:])
case(FUSED, "training, no image, statistics", lambda tf, *t: norm(tf, *t)[1:], X[:0], *TRAINING[1:])
case(FUSED, "one pixel", norm, X[:1, :1, :1], *TRAINING[1:])
case(FUSED, "one pixel, gradient", slopes, X[:1, :1, :1], *TRAINING[1:])
case(FUSED, "NaN", norm, np.where(X[0, 0, 0, 1] == X, nan, X).astype(np.float32), *TRAINING[1:])
form(FUSED, "small epsilon", lambda tf: norm(tf, [[[[1.0, 2.0]]]], [1.0, 2.0], [3.0, 4.0], epsilon=0.0, name="bn"))
case(FUSED, "mean in training", lambda tf, *t: tf.nn.fused_batch_norm(*t), *INFERENCE)
case(FUSED, "variance in training", lambda tf, x, s, o, v: tf.nn.fused_batch_norm(x, s, o, variance=v), *TRAINING, VARIANCE)
case(FUSED, "no mean in inference", lambda tf, *t: tf.nn.fused_batch_norm(*t, is_training=False), *TRAINING)
case(FUSED, "rank 3", norm, X[0], *TRAINING[1:])
case(FUSED, "matrix scale", norm, X, SCALE[None], OFFSET)
case(FUSED, "short scale", norm, X, SCALE[:2], OFFSET)
case(FUSED, "short offset", norm, X, SCALE, OFFSET[:2])
case(FUSED, "short mean", norm, X, SCALE, OFFSET, MEAN[:2], VARIANCE)
case(FUSED, "format", lambda tf, *t: norm(tf, *t, data_format="NHCW"), *TRAINING)
case(FUSED, "double", norm, *[t.astype(np.float64) for t in TRAINING])
for version in ("", "V2", "V3"):
    op = f"FusedBatchNorm{version}"
    call = lambda tf, x, s, o, m, v, op=op, **more: list(raw(tf, op, x=x, scale=s, offset=o, mean=m, variance=v, **more))
    late = lambda tf, *t, c=call, **more: c(tf, *[tf.placeholder_with_default(v, None) for v in t], **more)
    case(f"raw_ops.{op}", "training", lambda tf, *t, c=call: c(tf, *t)[:5], *TRAINING, NONE, NONE)
    case(f"raw_ops.{op}", "training, shapes", lambda tf, *t, c=late: c(tf, *t)[:3], *TRAINING, NONE, NONE)
    for label, tensors in (
        ("rank 3", (X[0], SCALE, OFFSET, NONE, NONE)), ("matrix scale", (X, SCALE[None], OFFSET, NONE, NONE)),
        ("matrix offset", (X, SCALE, OFFSET[None], NONE, NONE)), ("matrix mean", (X, SCALE, OFFSET, NONE[None], NONE)),
        ("matrix variance", (X, SCALE, OFFSET, NONE, NONE[None])), ("mean in training", (X, SCALE, OFFSET, MEAN, NONE)),
        ("variance in training", (X, SCALE, OFFSET, NONE, VARIANCE)),
    ):  # fmt: skip
        case(f"raw_ops.{op}", f"{label} at run time", lambda tf, *t, c=late: c(tf, *t)[:3], *tensors)
    grad = f"FusedBatchNormGrad{version}"
    more = {"reserve_space_3": NONE} if version == "V3" else {}
    call = lambda tf, g, x, s, m, v, op=grad, more=more, **options: list(raw(tf, op, y_backprop=g, x=x, scale=s, reserve_space_1=m, reserve_space_2=v, **more, **options))
    late = lambda tf, *t, c=call: c(tf, *[tf.placeholder_with_default(v, None) for v in t])
    G = np.cos(X)
    case(f"raw_ops.{grad}", "training", lambda tf, *t, c=call: c(tf, *t)[:3], G, X, SCALE, MEAN, VARIANCE)
    case(f"raw_ops.{grad}", "inference", lambda tf, *t, c=call: c(tf, *t, is_training=False)[:3], G, X, SCALE, MEAN, VARIANCE)
    case(f"raw_ops.{grad}", "no image", lambda tf, *t, c=call: c(tf, *t)[:3], G[:0], X[:0], SCALE, MEAN, VARIANCE)
    for label, tensors in (
        ("rank of g", (G[0], X, SCALE, MEAN, VARIANCE)), ("rank of x", (G, X[0], SCALE, MEAN, VARIANCE)),
        ("matrix scale", (G, X, SCALE[None], MEAN, VARIANCE)), ("matrix mean", (G, X, SCALE, MEAN[None], VARIANCE)),
        ("matrix variance", (G, X, SCALE, MEAN, VARIANCE[None])),
    ):  # fmt: skip
        case(f"raw_ops.{grad}", label, lambda tf, *t, c=call: c(tf, *t)[:3], *tensors)
        case(f"raw_ops.{grad}", f"{label} at run time", lambda tf, *t, c=late: c(tf, *t)[:3], *tensors)

for version in ("", "V2", "V3"):
    more = {"reserve_space_3": NONE} if version == "V3" else {}
    call = lambda tf, g, x, s, m, v, op=f"FusedBatchNormGrad{version}", more=more: list(raw(tf, op, y_backprop=g, x=x, scale=s, reserve_space_1=m, reserve_space_2=v, **more))[:3]
    for label, tensors in (("short scale", (G, X, SCALE[:2], MEAN, VARIANCE)), ("short mean", (G, X, SCALE, MEAN[:2], VARIANCE)), ("short variance", (G, X, SCALE, MEAN, VARIANCE[:2]))):
        case(f"raw_ops.FusedBatchNormGrad{version}", label, call, *tensors)

form("nn.batch_normalization", "all", lambda tf, x: tf.nn.batch_normalization(x, [0.5, 0.1, 0.2], [1.0, 2.0, 3.0], [0.1, 0.2, 0.3], [1.5, 2.5, 3.5], 1e-3), X[0, 0, :2])
form("nn.batch_norm_with_global_normalization", "scaled", lambda tf, *t: tf.nn.batch_norm_with_global_normalization(*t, 0.01, True), X, MEAN, VARIANCE, OFFSET, SCALE)
form("nn.batch_norm_with_global_normalization", "not scaled", lambda tf, x, m, v, b, g: tf.nn.batch_norm_with_global_normalization(None, None, None, b, g, 0.01, False, "bn", x, m, v), X, MEAN, VARIANCE, OFFSET, SCALE)
case("nn.batch_norm_with_global_normalization", "both names", lambda tf, x: tf.nn.batch_norm_with_global_normalization(x, input=x), X)

# -- local response --------------------------------------------------------------------------------------------------------
WIDE = np.sin(np.arange(2 * 2 * 2 * 9, dtype=np.float32) * 1.7).reshape(2, 2, 2, 9)
for label, options in (
    ("default", {}), ("narrow", {"depth_radius": 2, "bias": 1.5, "alpha": 0.5, "beta": 0.75}), ("radius 0", {"depth_radius": 0}),
    ("no bias", {"depth_radius": 1, "bias": 0.0}), ("power 1", {"depth_radius": 3, "alpha": 2.0, "beta": 1.0}), ("negative alpha", {"alpha": -1.0}),
):  # fmt: skip
    form("nn.lrn", label, lambda tf, x, o=options: tf.nn.lrn(x, **o), WIDE)
    case("nn.lrn", f"{label}, gradient", lambda tf, x, o=options: tf.gradients(weighted(tf, tf.nn.lrn(x, **o)), x)[0], WIDE)
form("nn.local_response_normalization", "gradient", lambda tf, x: tf.gradients(tf.nn.local_response_normalization(x, name="norm"), x)[0], WIDE)
case("nn.lrn", "half", named("nn.lrn"), WIDE.astype(np.float16))
case("nn.lrn", "double", named("nn.lrn"), WIDE.astype(np.float64))
case("nn.lrn", "no image", named("nn.lrn"), WIDE[:0])
case("nn.lrn", "no channel", named("nn.lrn"), WIDE[..., :0])
case("nn.lrn", "NaN", named("nn.lrn"), np.where(WIDE[0, 0, 0, 3] == WIDE, nan, WIDE).astype(np.float32))
case("nn.lrn", "negative radius", lambda tf, x: tf.nn.lrn(x, -1), WIDE)
case("nn.lrn", "rank 3", named("nn.lrn"), WIDE[0])
case("nn.lrn", "rank 3 at run time", lambda tf, x: tf.nn.lrn(tf.placeholder_with_default(x, None)), WIDE[0])
LRN_GRAD = lambda tf, g, x, y: raw(tf, "LRNGrad", input_grads=g, input_image=x, output_image=y)
form("raw_ops.LRNGrad", "form", LRN_GRAD, WIDE, WIDE[::-1].copy(), WIDE / 2)
case("raw_ops.LRNGrad", "shapes", LRN_GRAD, WIDE, WIDE, WIDE[:1])
case("raw_ops.LRNGrad", "ranks", LRN_GRAD, WIDE, WIDE[0], WIDE)
for label, tensors in (("shapes", (WIDE, WIDE, WIDE[:1])), ("ranks", (WIDE[0], WIDE, WIDE))):
    case("raw_ops.LRNGrad", f"{label} at run time", lambda tf, *t: LRN_GRAD(tf, *[tf.placeholder_with_default(v, None) for v in t]), *tensors)

# -- statistics ------------------------------------------------------------------------------------------------------------
form("nn.moments", "images", lambda tf, x: tf.nn.moments(x, [0, 1, 2]), X)
form("nn.moments", "shift", lambda tf, x: tf.nn.moments(x, [0], shift=1.0, keep_dims=True, name="m"), X)
case("nn.moments", "both names", lambda tf, x: tf.nn.moments(x, [0], keep_dims=True, keepdims=True), X)
case("nn.moments", "none", lambda tf, x: tf.nn.moments(x, [0]), X[:0])
form("nn.sufficient_statistics", "form", lambda tf, x: list(tf.nn.sufficient_statistics(x, [0, 1, 2]))[:3], X)
form("nn.sufficient_statistics", "shift", lambda tf, x: list(tf.nn.sufficient_statistics(x, [1], shift=0.5, keep_dims=True, name="s")), X)
case("nn.sufficient_statistics", "last axis", lambda tf, x: list(tf.nn.sufficient_statistics(x, [-1]))[:3], X)
case("nn.sufficient_statistics", "axis not in a list", lambda tf, x: tf.nn.sufficient_statistics(x, 1), X)
form("nn.normalize_moments", "form", lambda tf, *t: list(tf.nn.normalize_moments(*t, None)), np.float32(4), SCALE, VARIANCE)
form("nn.normalize_moments", "shift", lambda tf, *t: list(tf.nn.normalize_moments(*t, name="n")), np.float32(4), SCALE, VARIANCE, np.float32(0.5))
WEIGHTS = np.float32([1, 0, 2]).reshape(1, 3, 1, 1)
form("nn.weighted_moments", "form", lambda tf, x, w: list(tf.nn.weighted_moments(x, [0, 1], w)), X, WEIGHTS)
form("nn.weighted_moments", "keep", lambda tf, x, w: list(tf.nn.weighted_moments(x, [1], w, name="w", keep_dims=True)), X, WEIGHTS)
form("nn.weighted_moments", "half, whole weights", lambda tf, x, w: list(tf.nn.weighted_moments(x, [0, 1], w)), X.astype(np.float16), WEIGHTS.astype(np.int32))
form("nn.weighted_moments", "one weight", lambda tf, x: list(tf.nn.weighted_moments(x, [0], 1)), X)
