"""Rows of the op table: depthwise and separable convolution, asked of TF 1.15.0 itself.

Not asked, because 1.15's kernels for the processor refuse it or crash: NCHW, stride 0 of a gradient; no images for the filter's gradient, which is
uninitialized memory then.
"""

import numpy as np
from cases import case, form
from convolution_rows import gradients, op, to_filter, to_input, unknown, wave

IMAGE, FILTER, G = wave(2, 5, 4, 3), wave(3, 2, 3, 2), wave(2, 5, 4, 6)
ONE = [1, 1, 1, 1]


def native(strides=(1, 1, 1, 1), padding="SAME", **options):
    return lambda tf, x, f: tf.nn.depthwise_conv2d_native(x, f, list(strides), padding, **options)


for kind in ("float16", "float32", "float64"):
    ulps = 256 if kind == "float16" else None  # TF adds up in half precision
    case("nn.depthwise_conv2d_native", kind, native(), IMAGE.astype(kind), FILTER.astype(kind), ulps=ulps)
    case("raw_ops.DepthwiseConv2dNativeBackpropInput", kind, to_input([2, 5, 4, 3], "DepthwiseConv2dNativeBackpropInput"), FILTER.astype(kind), G.astype(kind), ulps=ulps)
    case("raw_ops.DepthwiseConv2dNativeBackpropFilter", kind, to_filter([3, 2, 3, 2], "DepthwiseConv2dNativeBackpropFilter"), IMAGE.astype(kind), G.astype(kind), ulps=ulps)
form("nn.depthwise_conv2d_native", "SAME", native(), IMAGE, FILTER)
form("nn.depthwise_conv2d_native", "VALID", native(padding="VALID", name="layer"), IMAGE, FILTER)
form("nn.depthwise_conv2d_native", "strides", native([1, 2, 2, 1]), IMAGE, FILTER)
form("nn.depthwise_conv2d_native", "strides VALID", native([1, 2, 2, 1], "VALID"), IMAGE, FILTER)
form("nn.depthwise_conv2d_native", "dilations without effect", native(padding="VALID", dilations=[1, 2, 2, 1]), IMAGE, FILTER)
case("nn.depthwise_conv2d_native", "one filter a channel", native(), IMAGE, wave(2, 2, 3, 1))
case("nn.depthwise_conv2d_native", "one channel", native(), IMAGE[..., :1].copy(), wave(2, 2, 1, 3))
case("nn.depthwise_conv2d_native", "no images", native(), IMAGE[:0], FILTER)
case("nn.depthwise_conv2d_native", "no filters", native(), IMAGE, FILTER[..., :0])
case("nn.depthwise_conv2d_native", "channels first, static", lambda tf, x, f: tf.constant(native(padding="VALID", data_format="NCHW")(tf, x, f).shape.as_list()), wave(2, 3, 5, 4), FILTER)
for label, call, x, f in (
    ("rank of the input", native(), IMAGE[0], FILTER),
    ("rank of the filter", native(), IMAGE, FILTER[0]),
    ("channels", native(), IMAGE[..., :2], FILTER),
    ("too large", native(padding="VALID"), IMAGE[:, :2], FILTER),
    ("three strides", native([1, 1, 1]), IMAGE, FILTER),
    ("two strides", native([1, 1, 2, 1]), IMAGE, FILTER),
    ("stride 0", native([1, 0, 0, 1]), IMAGE, FILTER),
    ("stride of the batch", native([2, 1, 1, 1]), IMAGE, FILTER),
    ("a number for strides", lambda tf, x, f: tf.nn.depthwise_conv2d_native(x, f, 1, "SAME"), IMAGE, FILTER),
    ("padding", native(padding="FULL"), IMAGE, FILTER),
    ("a list for padding", native(padding=[[0, 0], [1, 1], [1, 1], [0, 0]]), IMAGE, FILTER),
    ("format", native(data_format="NHCW"), IMAGE, FILTER),
    ("integers", native(), IMAGE.astype(np.int32), FILTER.astype(np.int32)),
):
    case("nn.depthwise_conv2d_native", f"refused: {label}", call, x, f)
for label, x, f in (
    ("rank of the input", IMAGE[0], FILTER),
    ("rank of the filter", IMAGE, FILTER[0]),
    ("channels", IMAGE[..., :2], FILTER),
):
    case("nn.depthwise_conv2d_native", f"at run time: {label}", unknown(native()), x, f)
case("nn.depthwise_conv2d_native", "at run time: too large", unknown(native(padding="VALID")), IMAGE[:, :1], FILTER)
for label, call in (("SAME", native()), ("strides", native([1, 2, 2, 1]))):
    case("nn.depthwise_conv2d_native", f"gradients: {label}", gradients(call), IMAGE, FILTER, nodes=True)
    case("nn.depthwise_conv2d_native", f"gradients of gradients: {label}", gradients(call, 2), IMAGE.astype(np.float64), FILTER.astype(np.float64), nodes=True)
case("nn.depthwise_conv2d_native", "gradients: sizes at run time", gradients(unknown(native())), IMAGE, FILTER, nodes=True)

# -- gradients as ops ----------------------------------------------------------------------------------------------------

TO_INPUT, TO_FILTER = "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter"
form(f"raw_ops.{TO_INPUT}", "sizes as a tensor", op(TO_INPUT), np.array([2, 5, 4, 3], np.int32), FILTER, G)
form(f"raw_ops.{TO_FILTER}", "sizes as a tensor", op(TO_FILTER), IMAGE, np.array([3, 2, 3, 2], np.int32), G)
for label, attrs, g in (("strides", {"strides": [1, 2, 2, 1]}, wave(2, 3, 2, 6)), ("VALID", {"padding": "VALID"}, wave(2, 3, 3, 6))):
    form(f"raw_ops.{TO_INPUT}", label, to_input([2, 5, 4, 3], TO_INPUT, **attrs), FILTER, g)
    form(f"raw_ops.{TO_FILTER}", label, to_filter([3, 2, 3, 2], TO_FILTER, **attrs), IMAGE, g)
case(f"raw_ops.{TO_INPUT}", "no images", to_input([0, 5, 4, 3], TO_INPUT), FILTER, G[:0])
for label, sizes, attrs, f, g in (
    ("rank of the filter", [2, 5, 4, 3], {}, FILTER[0], G),
    ("rank of the gradient", [2, 5, 4, 3], {}, FILTER, G[0]),
    ("three sizes", [2, 5, 4], {}, FILTER, G),
    ("a matrix of sizes", [[2, 5, 4, 3]], {}, FILTER, G),
    ("an open size", [2, 5, -1, 3], {}, FILTER, G),
    ("channels of the gradient", [2, 5, 4, 3], {}, FILTER, G[..., :5]),
    ("places", [2, 5, 4, 3], {}, FILTER, G[:, :, :3]),
    ("images", [1, 5, 4, 3], {}, FILTER, G),
    ("two strides", [2, 5, 4, 3], {"strides": [1, 1, 2, 1]}, FILTER, G),
    ("stride of the batch", [2, 5, 4, 3], {"strides": [2, 1, 1, 1]}, FILTER, G),
):
    case(f"raw_ops.{TO_INPUT}", f"refused: {label}", to_input(sizes, TO_INPUT, **attrs), f, g)
for label, sizes, attrs, x, g in (
    ("rank of the input", [3, 2, 3, 2], {}, IMAGE[0], G),
    ("rank of the gradient", [3, 2, 3, 2], {}, IMAGE, G[0]),
    ("three sizes", [3, 2, 3], {}, IMAGE, G),
    ("channels of the gradient", [3, 2, 3, 2], {}, IMAGE, G[..., :5]),
    ("places", [3, 2, 3, 2], {}, IMAGE, G[:, :3]),
    ("images", [3, 2, 3, 2], {}, IMAGE[:1], G),
    ("two strides", [3, 2, 3, 2], {"strides": [1, 1, 2, 1]}, IMAGE, G),
):
    case(f"raw_ops.{TO_FILTER}", f"refused: {label}", to_filter(sizes, TO_FILTER, **attrs), x, g)
for name in ("depthwise_conv2d_native_backprop_input", "depthwise_conv2d_backprop_input"):
    form(f"nn.{name}", "form", lambda tf, f, g, n=name: getattr(tf.nn, n)([2, 5, 4, 3], f, g, ONE, "SAME"), FILTER, G)
for name in ("depthwise_conv2d_native_backprop_filter", "depthwise_conv2d_backprop_filter"):
    form(f"nn.{name}", "form", lambda tf, x, g, n=name: getattr(tf.nn, n)(x, [3, 2, 3, 2], g, ONE, "SAME", name="g"), IMAGE, G)

# -- with rates ----------------------------------------------------------------------------------------------------------


def depthwise(strides=(1, 1, 1, 1), padding="SAME", **options):
    return lambda tf, x, f: tf.nn.depthwise_conv2d(x, f, list(strides), padding, **options)


form("nn.depthwise_conv2d", "form", depthwise(), IMAGE, FILTER)
form("nn.depthwise_conv2d", "strides", depthwise([1, 2, 2, 1], "VALID", rate=[1, 1], name="layer"), IMAGE, FILTER)
case("nn.depthwise_conv2d", "rate", depthwise(rate=[2, 2]), IMAGE, FILTER, nodes=True)
case("nn.depthwise_conv2d", "rate VALID", depthwise(padding="VALID", rate=[1, 2], name="layer"), IMAGE, FILTER, nodes=True)
case("nn.depthwise_conv2d", "dilations", depthwise(dilations=[2, 1]), IMAGE, FILTER, nodes=True)
case("nn.depthwise_conv2d", "strides and rate", depthwise([1, 2, 2, 1], dilations=[2, 1]), IMAGE, FILTER)
case("nn.depthwise_conv2d", "rate, sizes at run time", lambda tf, x, f: depthwise(padding="VALID", rate=[2, 2])(tf, tf.placeholder_with_default(x, [2, None, 4, 3]), f), IMAGE, FILTER, nodes=True)
case("nn.depthwise_conv2d", "channels first, static", lambda tf, x, f: tf.constant(depthwise(padding="VALID", rate=[2, 1], data_format="NCHW")(tf, x, f).shape.as_list()), wave(2, 3, 6, 4), FILTER)
case("nn.depthwise_conv2d", "gradients with a rate", gradients(depthwise(rate=[2, 2])), IMAGE, FILTER)
for label, call, x, f in (
    ("rank of the input", depthwise(), IMAGE[0], FILTER),
    ("rank of the filter", depthwise(), IMAGE, FILTER[0]),
    ("channels", depthwise(), IMAGE[..., :2], FILTER),
    ("a number for strides", lambda tf, x, f: tf.nn.depthwise_conv2d(x, f, 1, "SAME"), IMAGE, FILTER),
    ("padding", depthwise(padding="FULL"), IMAGE, FILTER),
    ("padding with a rate", depthwise(padding="FULL", rate=[2, 2]), IMAGE, FILTER),
    ("a number for the rate", depthwise(rate=2), IMAGE, FILTER),
    ("rate 0", depthwise(rate=[0, 2]), IMAGE, FILTER),
    ("four rates", depthwise(rate=[1, 2, 2, 1]), IMAGE, FILTER),
    ("both rates", depthwise(rate=[1, 2], dilations=[1, 2]), IMAGE, FILTER),
):
    case("nn.depthwise_conv2d", f"refused: {label}", call, x, f)

POINTS = wave(1, 1, 6, 2)


def separable(strides=(1, 1, 1, 1), padding="SAME", **options):
    return lambda tf, x, f, p: tf.nn.separable_conv2d(x, f, p, list(strides), padding, **options)


form("nn.separable_conv2d", "form", separable(), IMAGE, FILTER, POINTS)
form("nn.separable_conv2d", "strides", separable([1, 2, 2, 1], "VALID", name="layer"), IMAGE, FILTER, POINTS)
case("nn.separable_conv2d", "rate", separable(padding="VALID", rate=[2, 2]), IMAGE, FILTER, POINTS, nodes=True)
case("nn.separable_conv2d", "dilations", separable(dilations=[2, 1]), IMAGE, FILTER, POINTS)
case("nn.separable_conv2d", "fewer channels after", separable(), IMAGE, FILTER, wave(1, 1, 6, 1))
case("nn.separable_conv2d", "channels first, static", lambda tf, x, f, p: tf.constant(separable(data_format="NCHW")(tf, x, f, p).shape.as_list()), wave(2, 3, 5, 4), FILTER, POINTS)
case("nn.separable_conv2d", "gradients", gradients(separable()), IMAGE, FILTER, POINTS)
for label, call, f, p in (
    ("points", separable(), FILTER, wave(2, 1, 6, 2)),
    ("rank of the points", separable(), FILTER, POINTS[0]),
    ("channels of the points", separable(), FILTER, wave(1, 1, 5, 2)),
    ("rank of the filter", separable(), FILTER[0], POINTS),
    ("both rates", separable(rate=[1, 1], dilations=[1, 1]), FILTER, POINTS),
):
    case("nn.separable_conv2d", f"refused: {label}", call, IMAGE, f, p)
