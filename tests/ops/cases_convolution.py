"""Rows of the op table: convolutions of sequences, images and volumes, asked of TF 1.15.0 itself.

Not asked, because 1.15's kernels for the processor refuse it or crash: NCHW, dilated gradients, groups of channels, empty filters.
"""

import numpy as np
from cases import case, form
from harness import raw


def wave(*shape):
    """Numbers between -1 and 1 of that shape, no two alike."""
    return np.sin(np.arange(np.prod(shape)) * 1.3 + 0.5).astype(np.float32).reshape(shape)


def conv2d(strides=(1, 1, 1, 1), padding="SAME", **options):
    return lambda tf, x, f: tf.nn.conv2d(x, f, strides=strides, padding=padding, **options)


IMAGE, FILTER = wave(2, 5, 4, 3), wave(3, 2, 3, 2)

for kind in ("float16", "float32", "float64"):
    case("nn.conv2d", kind, conv2d([1, 2, 1, 1]), IMAGE.astype(kind), FILTER.astype(kind))
form("nn.conv2d", "SAME", conv2d(), IMAGE, FILTER)
form("nn.conv2d", "VALID", conv2d(padding="VALID"), IMAGE, FILTER)
form("nn.conv2d", "strides", conv2d([1, 2, 3, 1]), IMAGE, FILTER)
form("nn.conv2d", "strides VALID", conv2d([1, 2, 3, 1], "VALID"), IMAGE, FILTER)
form("nn.conv2d", "padding", conv2d(padding=[[0, 0], [2, 1], [0, 3], [0, 0]]), IMAGE, FILTER)
form("nn.conv2d", "dilations", conv2d(dilations=[1, 2, 2, 1]), IMAGE, FILTER)
form("nn.conv2d", "dilations VALID", conv2d(dilations=2, padding="VALID"), IMAGE, FILTER)
case("nn.conv2d", "strides and dilations", conv2d([1, 2, 2, 1], dilations=[1, 2, 2, 1]), IMAGE, FILTER)
case("nn.conv2d", "one stride", conv2d(2), IMAGE, FILTER)
case("nn.conv2d", "a list of one stride", conv2d([2]), IMAGE, FILTER)
case("nn.conv2d", "two strides", conv2d([1, 2]), IMAGE, FILTER)
case("nn.conv2d", "no strides", conv2d(None), IMAGE, FILTER)
case("nn.conv2d", "a stride of 1.5", conv2d([1, 1.5, 1, 1]), IMAGE, FILTER)
case("nn.conv2d", "one pixel", conv2d(), IMAGE, wave(1, 1, 3, 4))
case("nn.conv2d", "one pixel, strides", conv2d([1, 2, 2, 1]), IMAGE, wave(1, 1, 3, 4))
case("nn.conv2d", "one channel", conv2d(), wave(2, 6, 5, 1), wave(3, 3, 1, 4))
case("nn.conv2d", "window larger than the image", conv2d(), wave(1, 2, 3, 2), wave(5, 6, 2, 2))
case("nn.conv2d", "no images", conv2d(), IMAGE[:0], FILTER)
case("nn.conv2d", "images without lines", conv2d(), IMAGE[:, :0], FILTER)
case("nn.conv2d", "no filters", conv2d(), IMAGE, FILTER[..., :0])
form("nn.conv2d", "named", conv2d(name="layer", use_cudnn_on_gpu=False), IMAGE, FILTER)
case("nn.conv2d", "filters", lambda tf, x, f: tf.nn.conv2d(x, filters=f, strides=1, padding="SAME"), IMAGE, FILTER)
case("nn.conv2d", "channels first, static", lambda tf, x, f: tf.constant(tf.nn.conv2d(x, f, [1, 2], "VALID", data_format="NCHW").shape.as_list()), wave(1, 4, 5, 6), wave(3, 2, 4, 2))

for label, call, x, f in (
    ("rank of the input", conv2d(), IMAGE[0], FILTER),
    ("rank of the filter", conv2d(), IMAGE, FILTER[0]),
    ("channels", conv2d(), IMAGE[..., :2], FILTER),
    ("groups", conv2d(), wave(1, 5, 5, 4), wave(3, 3, 2, 3)),
    ("too large", conv2d(padding="VALID"), IMAGE, wave(3, 5, 3, 2)),
    ("too large, strides", conv2d([1, 1, 2, 1], padding="VALID"), IMAGE, wave(3, 5, 3, 2)),
    ("too large, dilations", conv2d(dilations=3, padding="VALID"), IMAGE, FILTER),
    ("stride 0", conv2d([1, 0, 1, 1]), IMAGE, FILTER),
    ("stride -1", conv2d([1, 1, -1, 1]), IMAGE, FILTER),
    ("stride of the batch", conv2d([2, 1, 1, 1]), IMAGE, FILTER),
    ("stride of the channels", conv2d([1, 1, 1, 2]), IMAGE, FILTER),
    ("three strides", conv2d([1, 1, 1]), IMAGE, FILTER),
    ("a string for strides", conv2d("a"), IMAGE, FILTER),
    ("dilation 0", conv2d(dilations=0), IMAGE, FILTER),
    ("dilation of the batch", conv2d(dilations=[2, 1, 1, 1]), IMAGE, FILTER),
    ("three dilations", conv2d(dilations=[1, 2, 1]), IMAGE, FILTER),
    ("no padding", conv2d(padding=None), IMAGE, FILTER),
    ("lower case", conv2d(padding="same"), IMAGE, FILTER),
    ("EXPLICIT", conv2d(padding="EXPLICIT"), IMAGE, FILTER),
    ("a number for padding", conv2d(padding=1), IMAGE, FILTER),
    ("padding of two axes", conv2d(padding=[[1, 1], [1, 1]]), IMAGE, FILTER),
    ("padding of three", conv2d(padding=[[0, 0], [1, 1, 1], [1, 1], [0, 0]]), IMAGE, FILTER),
    ("padding of numbers", conv2d(padding=[0, 1, 1, 0]), IMAGE, FILTER),
    ("padding of the batch", conv2d(padding=[[1, 0], [0, 0], [0, 0], [0, 0]]), IMAGE, FILTER),
    ("negative padding", conv2d(padding=[[0, 0], [-1, 0], [0, 0], [0, 0]]), IMAGE, FILTER),
    ("another format", conv2d(data_format="NWHC"), IMAGE, FILTER),
    ("integers", conv2d(), IMAGE.astype(np.int32), FILTER.astype(np.int32)),
    ("two dtypes", conv2d(), IMAGE, FILTER.astype(np.float64)),
    ("both names", lambda tf, x, f: tf.nn.conv2d(x, f, 1, "SAME", filters=f), IMAGE, FILTER),
    ("no filter", lambda tf, x, f: tf.nn.conv2d(x, strides=1, padding="SAME"), IMAGE, FILTER),
):
    case("nn.conv2d", f"refused: {label}", call, x, f)


def unknown(function):
    """The call on arrays whose shapes are known at run time only."""

    def call(tf, *arrays):
        return function(tf, *[tf.placeholder_with_default(a, None) for a in arrays])

    return call


for label, call, x, f in (
    ("rank of the input", conv2d(), IMAGE[0], FILTER),
    ("rank of the filter", conv2d(), IMAGE, FILTER[0]),
    ("channels", conv2d(), IMAGE[..., :2], FILTER),
    ("too large by a stride", conv2d(padding="VALID"), IMAGE, wave(3, 6, 3, 2)),
    ("too large", conv2d(padding="VALID"), IMAGE, wave(3, 5, 3, 2)),
    ("too large, strides", conv2d([1, 1, 2, 1], padding="VALID"), IMAGE, wave(3, 5, 3, 2)),
):
    case("nn.conv2d", f"at run time: {label}", unknown(call), x, f)

# -- the gradients of images ---------------------------------------------------------------------------------------------


def op(type, **attrs):
    """The op of that type with these attributes; `sizes` are constants."""
    names = {
        "Conv2DBackpropInput": ("input_sizes", "filter", "out_backprop"),
        "Conv2DBackpropFilter": ("input", "filter_sizes", "out_backprop"),
        "Conv3DBackpropInputV2": ("input_sizes", "filter", "out_backprop"),
        "Conv3DBackpropFilterV2": ("input", "filter_sizes", "out_backprop"),
        "DepthwiseConv2dNativeBackpropInput": ("input_sizes", "filter", "out_backprop"),
        "DepthwiseConv2dNativeBackpropFilter": ("input", "filter_sizes", "out_backprop"),
    }.get(type, ("input", "filter"))

    def call(tf, *values):
        options = {"strides": [1] * (5 if "3D" in type else 4), "padding": "SAME"}
        options.update(attrs)
        return raw(tf, type, **dict(zip(names, values)), **options)

    return call


def to_input(sizes, type="Conv2DBackpropInput", **attrs):
    return lambda tf, f, g: op(type, **attrs)(tf, sizes, f, g)


def to_filter(sizes, type="Conv2DBackpropFilter", **attrs):
    return lambda tf, x, g: op(type, **attrs)(tf, x, sizes, g)


STEPS = {"strides": [1, 2, 3, 1]}
G, G_STEPS = wave(2, 5, 4, 2), wave(2, 3, 2, 2)
for kind in ("float16", "float32", "float64"):
    ulps = 64 if kind == "float16" else None  # TF adds up in half precision
    case("raw_ops.Conv2DBackpropInput", kind, to_input([2, 5, 4, 3]), FILTER.astype(kind), G.astype(kind), ulps=ulps)
    case("raw_ops.Conv2DBackpropFilter", kind, to_filter([3, 2, 3, 2]), IMAGE.astype(kind), G.astype(kind), ulps=ulps)
form("raw_ops.Conv2DBackpropInput", "sizes as a tensor", op("Conv2DBackpropInput"), np.array([2, 5, 4, 3], np.int32), FILTER, G)
form("raw_ops.Conv2DBackpropFilter", "sizes as a tensor", op("Conv2DBackpropFilter"), IMAGE, np.array([3, 2, 3, 2], np.int32), G)
for label, attrs, g in (
    ("SAME", {}, G),
    ("VALID", {"padding": "VALID"}, wave(2, 3, 3, 2)),
    ("strides", STEPS, G_STEPS),
    ("strides VALID", {**STEPS, "padding": "VALID"}, wave(2, 2, 1, 2)),
    ("padding", {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 2, 1, 0, 3, 0, 0]}, wave(2, 6, 6, 2)),
    ("much padding", {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 3, 4, 2, 2, 0, 0]}, wave(2, 10, 7, 2)),
    ("padding and strides", {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 2, 1, 0, 3, 0, 0], **STEPS}, wave(2, 3, 2, 2)),
    ("stride beyond the window", {"strides": [1, 4, 3, 1]}, wave(2, 2, 2, 2)),
):
    form("raw_ops.Conv2DBackpropInput", label, to_input([2, 5, 4, 3], **attrs), FILTER, g)
    form("raw_ops.Conv2DBackpropFilter", label, to_filter([3, 2, 3, 2], **attrs), IMAGE, g)
case("raw_ops.Conv2DBackpropInput", "many channels", to_input([2, 5, 4, 9], **STEPS), wave(3, 2, 9, 2), G_STEPS)
case("raw_ops.Conv2DBackpropInput", "many channels, stride 1", to_input([2, 5, 4, 9]), wave(3, 2, 9, 2), G)
case("raw_ops.Conv2DBackpropInput", "no images", to_input([0, 5, 4, 3]), FILTER, G[:0])
case("raw_ops.Conv2DBackpropFilter", "no images", to_filter([3, 2, 3, 2]), IMAGE[:0], G[:0])
for label, sizes, attrs, f, g in (
    ("rank of the filter", [2, 5, 4, 3], {}, FILTER[0], G),
    ("rank of the gradient", [2, 5, 4, 3], {}, FILTER, G[0]),
    ("three sizes", [2, 5, 4], {}, FILTER, G),
    ("a matrix of sizes", [[2, 5, 4, 3]], {}, FILTER, G),
    ("an open size", [2, 5, -1, 3], {}, FILTER, G),
    ("channels of the gradient", [2, 5, 4, 3], {}, FILTER, G[..., :1]),
    ("places", [2, 5, 4, 3], {}, FILTER, G[:, :, :3]),
    ("images", [3, 5, 4, 3], {}, FILTER, G),
    ("stride of the batch", [2, 5, 4, 3], {"strides": [2, 1, 1, 1]}, FILTER, G),
    ("dilation of the batch", [2, 5, 4, 3], {"dilations": [2, 1, 1, 1]}, FILTER, G),
    ("three dilations", [2, 5, 4, 3], {"dilations": [1, 1, 1]}, FILTER, G),
    ("paddings", [2, 5, 4, 3], {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 1, 1, 1]}, FILTER, G),
):
    case("raw_ops.Conv2DBackpropInput", f"refused: {label}", to_input(sizes, **attrs), f, g)
for label, sizes, attrs, x, g in (
    ("rank of the input", [3, 2, 3, 2], {}, IMAGE[0], G),
    ("rank of the gradient", [3, 2, 3, 2], {}, IMAGE, G[0]),
    ("three sizes", [3, 2, 3], {}, IMAGE, G),
    ("a matrix of sizes", [[3, 2, 3, 2]], {}, IMAGE, G),
    ("channels of the gradient", [3, 2, 3, 3], {}, IMAGE, G),
    ("places", [3, 2, 3, 2], {}, IMAGE, G[:, :, :3]),
    ("images", [3, 2, 3, 2], {}, IMAGE[:1], G),
    ("stride of the batch", [3, 2, 3, 2], {"strides": [2, 1, 1, 1]}, IMAGE, G),
    ("dilation of the batch", [3, 2, 3, 2], {"dilations": [2, 1, 1, 1]}, IMAGE, G),
    ("three dilations", [3, 2, 3, 2], {"dilations": [1, 1, 1]}, IMAGE, G),
):
    case("raw_ops.Conv2DBackpropFilter", f"refused: {label}", to_filter(sizes, **attrs), x, g)


def gradients(call, order=1):
    """The gradients of a call's squared sum with respect to its inputs; of the second order, those of their squared sums."""

    def differentiated(tf, *inputs):
        ys = [call(tf, *inputs)]
        for _ in range(order):
            ys = [g for g in tf.gradients([tf.reduce_sum(y * y) for y in ys], list(inputs)) if g is not None]
        return ys

    return differentiated


for label, call in (("SAME", conv2d()), ("strides", conv2d([1, 2, 3, 1])), ("padding", conv2d(2, [[0, 0], [2, 1], [0, 3], [0, 0]]))):
    case("nn.conv2d", f"gradients: {label}", gradients(call), IMAGE, FILTER, nodes=True)
    case("nn.conv2d", f"gradients of gradients: {label}", gradients(call, 2), IMAGE.astype(np.float64), FILTER.astype(np.float64), nodes=True)
case("nn.conv2d", "gradients: sizes at run time", gradients(unknown(conv2d())), IMAGE, FILTER, nodes=True)
