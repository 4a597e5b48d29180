"""Rows of the op table: convolutions of sequences, images and volumes, asked of TF 1.15.0 itself.

Not asked, because 1.15's kernels for the processor refuse it or crash: NCHW, dilated gradients, groups of channels, empty filters.
"""

import numpy as np
from cases import case, form
from convolution_rows import gradients, op, to_filter, to_input, unknown, wave


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


for label, call in (("SAME", conv2d()), ("strides", conv2d([1, 2, 3, 1])), ("padding", conv2d(2, [[0, 0], [2, 1], [0, 3], [0, 0]]))):
    case("nn.conv2d", f"gradients: {label}", gradients(call), IMAGE, FILTER, nodes=True)
    case("nn.conv2d", f"gradients of gradients: {label}", gradients(call, 2), IMAGE.astype(np.float64), FILTER.astype(np.float64), nodes=True)
case("nn.conv2d", "gradients: sizes at run time", gradients(unknown(conv2d())), IMAGE, FILTER, nodes=True)

# -- sequences -----------------------------------------------------------------------------------------------------------

SEQUENCE, SEQUENCE_FILTER = wave(2, 7, 3), wave(3, 3, 2)


def conv1d(stride=1, padding="SAME", **options):
    return lambda tf, x, f: tf.nn.conv1d(x, f, stride, padding, **options)


form("nn.conv1d", "form", conv1d(), SEQUENCE, SEQUENCE_FILTER)
form("nn.conv1d", "stride", conv1d(2, "VALID", name="layer"), SEQUENCE, SEQUENCE_FILTER)
form("nn.conv1d", "dilations", conv1d([1], "VALID", dilations=2, data_format="NWC"), SEQUENCE, SEQUENCE_FILTER)
case("nn.conv1d", "newer names", lambda tf, x, f: tf.nn.conv1d(input=x, filters=f, stride=[1, 2, 1], padding="SAME"), SEQUENCE, SEQUENCE_FILTER)
case("nn.conv1d", "channels first, static", lambda tf, x, f: tf.constant(tf.nn.conv1d(x, f, 2, "VALID", data_format="NCW").shape.as_list()), wave(2, 3, 7), SEQUENCE_FILTER)
for label, call, x, f in (
    ("rank of the value", conv1d(), SEQUENCE[0], SEQUENCE_FILTER),
    ("rank of the filters", conv1d(), SEQUENCE, SEQUENCE_FILTER[0]),
    ("channels", conv1d(), SEQUENCE[..., :2], SEQUENCE_FILTER),
    ("format", conv1d(data_format="NHCW"), SEQUENCE, SEQUENCE_FILTER),
    ("two strides", conv1d([1, 2]), SEQUENCE, SEQUENCE_FILTER),
    ("two dilations", conv1d(dilations=[1, 2]), SEQUENCE, SEQUENCE_FILTER),
    ("no padding", conv1d(padding=None), SEQUENCE, SEQUENCE_FILTER),
    ("a list for padding", conv1d(padding=[[0, 0], [1, 1], [0, 0]]), SEQUENCE, SEQUENCE_FILTER),
    ("too short", conv1d(padding="VALID"), SEQUENCE[:, :2], SEQUENCE_FILTER),
    ("both names", lambda tf, x, f: tf.nn.conv1d(x, f, 1, "SAME", input=x), SEQUENCE, SEQUENCE_FILTER),
    ("no value", lambda tf, x, f: tf.nn.conv1d(filters=f, stride=1, padding="SAME"), SEQUENCE, SEQUENCE_FILTER),
    ("no filters", lambda tf, x, f: tf.nn.conv1d(x, stride=1, padding="SAME"), SEQUENCE, SEQUENCE_FILTER),
):
    case("nn.conv1d", f"refused: {label}", call, x, f)
case("nn.conv1d", "gradients", gradients(conv1d(2)), SEQUENCE, SEQUENCE_FILTER, nodes=True)

# -- volumes -------------------------------------------------------------------------------------------------------------

VOLUME, VOLUME_FILTER, G_VOLUME = wave(2, 3, 4, 3, 2), wave(2, 3, 2, 2, 2), wave(2, 3, 4, 3, 2)


def conv3d(strides=(1, 1, 1, 1, 1), padding="SAME", **options):
    return lambda tf, x, f: tf.nn.conv3d(x, f, list(strides), padding, **options)


for kind in ("float16", "float32", "float64"):
    case("nn.conv3d", kind, conv3d([1, 2, 1, 1, 1]), VOLUME.astype(kind), VOLUME_FILTER.astype(kind), ulps=64 if kind == "float16" else None)
form("nn.conv3d", "SAME", conv3d(), VOLUME, VOLUME_FILTER)
form("nn.conv3d", "VALID", conv3d(padding="VALID", name="layer"), VOLUME, VOLUME_FILTER)
form("nn.conv3d", "strides", conv3d([1, 2, 1, 3, 1]), VOLUME, VOLUME_FILTER)
case("nn.conv3d", "one element", conv3d(), VOLUME, wave(1, 1, 1, 2, 3))
case("nn.conv3d", "no volumes", conv3d(), VOLUME[:0], VOLUME_FILTER)
case("nn.conv3d", "volumes without lines", conv3d(), VOLUME[:, :, :0], VOLUME_FILTER)
case("nn.conv3d", "dilations, static", lambda tf, x, f: tf.constant(conv3d(dilations=[1, 1, 3, 2, 1])(tf, x, f).shape.as_list()), VOLUME, VOLUME_FILTER)
case("nn.conv3d", "channels first, static", lambda tf, x, f: tf.constant(conv3d(padding="VALID", data_format="NCDHW")(tf, x, f).shape.as_list()), wave(2, 2, 3, 4, 3), VOLUME_FILTER)
for label, call, x, f in (
    ("rank of the input", conv3d(), VOLUME[0], VOLUME_FILTER),
    ("rank of the filter", conv3d(), VOLUME, VOLUME_FILTER[0]),
    ("channels", conv3d(), VOLUME[..., :1], VOLUME_FILTER),
    ("too large", conv3d(padding="VALID"), VOLUME[:, :1], VOLUME_FILTER),
    ("stride 0", conv3d([1, 0, 1, 1, 1]), VOLUME, VOLUME_FILTER),
    ("stride of the batch", conv3d([2, 1, 1, 1, 1]), VOLUME, VOLUME_FILTER),
    ("four strides", conv3d([1, 1, 1, 1]), VOLUME, VOLUME_FILTER),
    ("six strides", conv3d([1, 1, 1, 1, 1, 1]), VOLUME, VOLUME_FILTER),
    ("a number for strides", lambda tf, x, f: tf.nn.conv3d(x, f, 2, "SAME"), VOLUME, VOLUME_FILTER),
    ("dilation 0", conv3d(dilations=[1, 0, 1, 1, 1]), VOLUME, VOLUME_FILTER),
    ("dilation of the batch", conv3d(dilations=[2, 1, 1, 1, 1]), VOLUME, VOLUME_FILTER),
    ("four dilations", conv3d(dilations=[1, 1, 1, 1]), VOLUME, VOLUME_FILTER),
    ("EXPLICIT", conv3d(padding="EXPLICIT"), VOLUME, VOLUME_FILTER),
    ("format", conv3d(data_format="NHWC"), VOLUME, VOLUME_FILTER),
    ("both names", lambda tf, x, f: tf.nn.conv3d(x, f, [1] * 5, "SAME", filters=f), VOLUME, VOLUME_FILTER),
):
    case("nn.conv3d", f"refused: {label}", call, x, f)
for label, call, x, f in (
    ("rank of the input", conv3d(), VOLUME[0], VOLUME_FILTER),
    ("rank of the filter", conv3d(), VOLUME, VOLUME_FILTER[0]),
    ("channels", conv3d(), VOLUME[..., :1], VOLUME_FILTER),
    ("too large", conv3d(padding="VALID"), VOLUME[:, :, :1], VOLUME_FILTER),
):
    case("nn.conv3d", f"at run time: {label}", unknown(call), x, f)
case("nn.conv3d", "gradients", gradients(conv3d([1, 1, 2, 1, 1])), VOLUME, VOLUME_FILTER, nodes=True)
case("nn.conv3d", "gradients of gradients", gradients(conv3d([1, 1, 2, 1, 1]), 2), VOLUME.astype(np.float64), VOLUME_FILTER.astype(np.float64), nodes=True)
case("nn.conv3d", "gradients: sizes at run time", gradients(unknown(conv3d())), VOLUME, VOLUME_FILTER, nodes=True)
form("raw_ops.Conv3DBackpropInputV2", "sizes as a tensor", op("Conv3DBackpropInputV2"), np.array([2, 3, 4, 3, 2], np.int32), VOLUME_FILTER, G_VOLUME)
form("raw_ops.Conv3DBackpropInputV2", "sizes of 64 bits", op("Conv3DBackpropInputV2"), np.array([2, 3, 4, 3, 2]), VOLUME_FILTER, G_VOLUME)
form("raw_ops.Conv3DBackpropFilterV2", "sizes as a tensor", op("Conv3DBackpropFilterV2"), VOLUME, np.array([2, 3, 2, 2, 2], np.int32), G_VOLUME)
form("nn.conv3d_backprop_filter_v2", "form", lambda tf, x, g: tf.nn.conv3d_backprop_filter_v2(x, [2, 3, 2, 2, 2], g, [1] * 5, "SAME", name="g"), VOLUME, G_VOLUME)
case("nn.conv3d_backprop_filter", "form", lambda tf, x, g: tf.nn.conv3d_backprop_filter(x, [2, 3, 2, 2, 2], g, [1] * 5, "SAME"), VOLUME, G_VOLUME)
for label, sizes, attrs, f, g in (
    ("rank of the filter", [2, 3, 4, 3, 2], {}, VOLUME_FILTER[0], G_VOLUME),
    ("rank of the gradient", [2, 3, 4, 3, 2], {}, VOLUME_FILTER, G_VOLUME[0]),
    ("four sizes", [2, 3, 4, 3], {}, VOLUME_FILTER, G_VOLUME),
    ("channels", [2, 3, 4, 3, 3], {}, VOLUME_FILTER, G_VOLUME),
    ("channels of the gradient", [2, 3, 4, 3, 2], {}, VOLUME_FILTER, G_VOLUME[..., :1]),
    ("places", [2, 3, 4, 3, 2], {}, VOLUME_FILTER, G_VOLUME[:, :, :2]),
    ("volumes", [1, 3, 4, 3, 2], {}, VOLUME_FILTER, G_VOLUME),
    ("six strides", [2, 3, 4, 3, 2], {"strides": [1] * 6}, VOLUME_FILTER, G_VOLUME),
    ("stride 0", [2, 3, 4, 3, 2], {"strides": [1, 0, 1, 1, 1]}, VOLUME_FILTER, G_VOLUME),
    ("stride of the batch", [2, 3, 4, 3, 2], {"strides": [2, 1, 1, 1, 1]}, VOLUME_FILTER, G_VOLUME),
    ("dilation of the batch", [2, 3, 4, 3, 2], {"dilations": [2, 1, 1, 1, 1]}, VOLUME_FILTER, G_VOLUME),
    ("four dilations", [2, 3, 4, 3, 2], {"dilations": [1, 1, 1, 1]}, VOLUME_FILTER, G_VOLUME),
):
    case("raw_ops.Conv3DBackpropInputV2", f"refused: {label}", to_input(sizes, "Conv3DBackpropInputV2", **attrs), f, g)
for label, sizes, x, g in (
    ("rank of the input", [2, 3, 2, 2, 2], VOLUME[0], G_VOLUME),
    ("rank of the gradient", [2, 3, 2, 2, 2], VOLUME, G_VOLUME[0]),
    ("channels", [2, 3, 2, 3, 2], VOLUME, G_VOLUME),
    ("places", [2, 3, 2, 2, 2], VOLUME, G_VOLUME[:, :2]),
):
    case("raw_ops.Conv3DBackpropFilterV2", f"refused: {label}", to_filter(sizes, "Conv3DBackpropFilterV2"), x, g)

# -- transposed ----------------------------------------------------------------------------------------------------------

SMALL, SMALL_FILTER = wave(2, 3, 2, 2), wave(3, 2, 3, 2)


def transposed(sizes, strides=2, padding="SAME", **options):
    return lambda tf, x, f: tf.nn.conv2d_transpose(x, f, sizes, strides, padding, **options)


def sizes_at_run_time(*rest):
    """An output_shape with the batch of the first input."""
    return lambda tf, x: tf.stack([tf.shape(x)[0], *rest])


form("nn.conv2d_transpose", "form", transposed([2, 6, 4, 3], [1, 2, 2, 1]), SMALL, SMALL_FILTER)
form("nn.conv2d_transpose", "odd sizes", transposed([2, 5, 3, 3]), SMALL, SMALL_FILTER)
form("nn.conv2d_transpose", "VALID", transposed((2, 7, 4, 3), [2], "VALID", name="up"), SMALL, SMALL_FILTER)
form("nn.conv2d_transpose", "no strides", transposed([2, 3, 2, 3], None, data_format=None), SMALL, SMALL_FILTER)
case("nn.conv2d_transpose", "sizes in an array", lambda tf, x, f: tf.nn.conv2d_transpose(x, f, np.array([2, 6, 4, 3]), 2), SMALL, SMALL_FILTER)
case("nn.conv2d_transpose", "sizes in a shape", lambda tf, x, f: tf.nn.conv2d_transpose(x, f, tf.TensorShape([2, 6, 4, 3]), 2), SMALL, SMALL_FILTER)
case("nn.conv2d_transpose", "sizes with a dimension", lambda tf, x, f: tf.nn.conv2d_transpose(x, f, [x.shape[0], 6, 4, 3], 2), SMALL, SMALL_FILTER)
case("nn.conv2d_transpose", "sizes in a tensor", lambda tf, x, f: tf.nn.conv2d_transpose(x, f, sizes_at_run_time(6, 4, 3)(tf, x), 2), SMALL, SMALL_FILTER, nodes=True)
case("nn.conv2d_transpose", "newer names", lambda tf, x, f: tf.nn.conv2d_transpose(input=x, filters=f, output_shape=[2, 6, 4, 3], strides=2), SMALL, SMALL_FILTER)
case("nn.conv2d_transpose", "channels first, static", lambda tf, x, f: tf.constant(transposed([2, 3, 6, 4], data_format="NCHW")(tf, x, f).shape.as_list()), wave(2, 2, 3, 2), SMALL_FILTER)
case("nn.conv2d_transpose", "gradients", gradients(transposed([2, 6, 4, 3])), SMALL, SMALL_FILTER, nodes=True)
for label, call, x, f in (
    ("rank of the value", transposed([2, 6, 4, 3]), SMALL[0], SMALL_FILTER),
    ("rank of the filter", transposed([2, 6, 4, 3]), SMALL, SMALL_FILTER[0]),
    ("three sizes", transposed([2, 6, 4]), SMALL, SMALL_FILTER),
    ("batch", transposed([3, 6, 4, 3]), SMALL, SMALL_FILTER),
    ("channels", transposed([2, 6, 4, 3]), SMALL[..., :1], SMALL_FILTER),
    ("sizes", transposed([2, 7, 4, 3]), SMALL, SMALL_FILTER),
    ("three strides", transposed([2, 6, 4, 3], [1, 2, 2]), SMALL, SMALL_FILTER),
    ("padding", transposed([2, 6, 4, 3], padding="FULL"), SMALL, SMALL_FILTER),
    ("a list for padding", transposed([2, 6, 4, 3], padding=[[0, 0], [1, 1], [1, 1], [0, 0]]), SMALL, SMALL_FILTER),
    ("format", transposed([2, 6, 4, 3], data_format="NHCW"), SMALL, SMALL_FILTER),
    ("both values", lambda tf, x, f: tf.nn.conv2d_transpose(x, f, [2, 6, 4, 3], 2, input=x), SMALL, SMALL_FILTER),
    ("both filters", lambda tf, x, f: tf.nn.conv2d_transpose(x, f, [2, 6, 4, 3], 2, filters=f), SMALL, SMALL_FILTER),
    ("no sizes", transposed(None), SMALL, SMALL_FILTER),
    ("sizes with a point", transposed([2.0, 6.0, 4.0, 3.0]), SMALL, SMALL_FILTER),
    ("an open size", transposed([-1, 6, 4, 3]), SMALL, SMALL_FILTER),
    ("no size", transposed([None, 6, 4, 3]), SMALL, SMALL_FILTER),
    ("three dilations", transposed([2, 6, 4, 3], dilations=[1, 2, 2]), SMALL, SMALL_FILTER),
):
    case("nn.conv2d_transpose", f"refused: {label}", call, x, f)

case("nn.conv2d_transpose", "refused: sizes of 64 bits", lambda tf, sizes, x, f: tf.nn.conv2d_transpose(x, f, sizes, 2), SMALL, SMALL_FILTER, before=lambda tf: tf.constant([2, 6, 4, 3], tf.int64))

LINE, LINE_FILTER = wave(2, 3, 2), wave(3, 3, 2)
form("nn.conv1d_transpose", "form", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, [2, 6, 3], 2), LINE, LINE_FILTER)
form("nn.conv1d_transpose", "VALID", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, (2, 7, 3), [2], "VALID", dilations=1, name="up"), LINE, LINE_FILTER)
case("nn.conv1d_transpose", "sizes in a tensor", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, sizes_at_run_time(6, 3)(tf, x), [1, 2, 1]), LINE, LINE_FILTER, nodes=True)
case("nn.conv1d_transpose", "channels first, static", lambda tf, x, f: tf.constant(tf.nn.conv1d_transpose(x, f, [2, 3, 6], 2, data_format="NCW").shape.as_list()), wave(2, 2, 3), LINE_FILTER)
for label, call in (
    ("two sizes", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, [2, 6], 2)),
    ("batch", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, [3, 6, 3], 2)),
    ("sizes", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, [2, 7, 3], 2)),
    ("two strides", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, [2, 6, 3], [1, 2])),
    ("padding", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, [2, 6, 3], 2, "FULL")),
    ("format", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, [2, 6, 3], 2, data_format="NHWC")),
    ("other format", lambda tf, x, f: tf.nn.conv1d_transpose(x, f, [2, 3, 6], 2, data_format="NCHW")),
):
    case("nn.conv1d_transpose", f"refused: {label}", call, LINE, LINE_FILTER)

CUBE, CUBE_FILTER = wave(1, 2, 2, 1, 2), wave(2, 3, 2, 3, 2)
form("nn.conv3d_transpose", "form", lambda tf, x, f: tf.nn.conv3d_transpose(x, f, [1, 4, 3, 2, 3], [1, 2, 2, 2, 1]), CUBE, CUBE_FILTER)
form("nn.conv3d_transpose", "VALID", lambda tf, x, f: tf.nn.conv3d_transpose(None, input=x, filters=f, output_shape=[1, 4, 5, 2, 3], strides=2, padding="VALID", data_format=None, name="up"), CUBE, CUBE_FILTER)
case("nn.conv3d_transpose", "sizes of 64 bits", lambda tf, x, f: tf.nn.conv3d_transpose(x, f, tf.constant([1, 4, 3, 2, 3], tf.int64), 2), CUBE, CUBE_FILTER, nodes=True)
for label, call in (
    ("four sizes", lambda tf, x, f: tf.nn.conv3d_transpose(x, f, [1, 4, 3, 2], 2)),
    ("channels", lambda tf, x, f: tf.nn.conv3d_transpose(x, f, [1, 4, 3, 2, 2], 2)),
    ("two strides", lambda tf, x, f: tf.nn.conv3d_transpose(x, f, [1, 4, 3, 2, 3], [1, 2])),
    ("padding", lambda tf, x, f: tf.nn.conv3d_transpose(x, f, [1, 4, 3, 2, 3], 2, "FULL")),
    ("format", lambda tf, x, f: tf.nn.conv3d_transpose(x, f, [1, 4, 3, 2, 3], 2, data_format="NHWC")),
    ("both values", lambda tf, x, f: tf.nn.conv3d_transpose(x, f, [1, 4, 3, 2, 3], 2, input=x)),
):
    case("nn.conv3d_transpose", f"refused: {label}", call, CUBE, CUBE_FILTER)

form("nn.conv_transpose", "lines", lambda tf, x, f: tf.nn.conv_transpose(x, f, [2, 6, 3], 2, name="up"), LINE, LINE_FILTER)
form("nn.conv_transpose", "images", lambda tf, x, f: tf.nn.conv_transpose(x, f, [2, 6, 4, 3], 2), SMALL, SMALL_FILTER)
form("nn.conv_transpose", "volumes", lambda tf, x, f: tf.nn.conv_transpose(x, f, (1, 4, 3, 2, 3), 2), CUBE, CUBE_FILTER)
case("nn.conv_transpose", "sizes in a tensor", lambda tf, x, f: tf.nn.conv_transpose(x, f, sizes_at_run_time(6, 4, 3)(tf, x), 2), SMALL, SMALL_FILTER)
for label, sizes in (("two sizes", [2, 6]), ("six sizes", [2, 6, 4, 3, 1, 1]), ("no sizes", None)):
    case("nn.conv_transpose", f"refused: {label}", lambda tf, x, f, s=sizes: tf.nn.conv_transpose(x, f, s, 2), SMALL, SMALL_FILTER)
case("nn.conv_transpose", "refused: an unknown number of sizes", lambda tf, sizes, x, f: tf.nn.conv_transpose(x, f, sizes, 2), SMALL, SMALL_FILTER, before=lambda tf: tf.placeholder(tf.int32))

form("nn.conv2d_backprop_input", "form", lambda tf, f, g: tf.nn.conv2d_backprop_input([2, 5, 4, 3], f, g, [1, 1, 1, 1], "SAME", name="g"), FILTER, G)
form("nn.conv2d_backprop_input", "padding", lambda tf, f, g: tf.nn.conv2d_backprop_input([2, 5, 4, 3], filters=f, out_backprop=g, strides=[1, 1, 1, 1], padding=[[0, 0], [2, 1], [0, 3], [0, 0]]), FILTER, wave(2, 6, 6, 2))
form("nn.conv2d_backprop_filter", "form", lambda tf, x, g: tf.nn.conv2d_backprop_filter(x, [3, 2, 3, 2], g, [1, 1, 1, 1], "SAME"), IMAGE, G)
form("nn.conv2d_backprop_filter", "padding", lambda tf, x, g: tf.nn.conv2d_backprop_filter(x, [3, 2, 3, 2], g, [1, 1, 1, 1], [[0, 0], [2, 1], [0, 3], [0, 0]]), IMAGE, wave(2, 6, 6, 2))
case("nn.conv2d_backprop_input", "refused: a number for strides", lambda tf, f, g: tf.nn.conv2d_backprop_input([2, 5, 4, 3], f, g, 1, "SAME"), FILTER, G)
case("nn.conv2d_backprop_filter", "refused: a number for strides", lambda tf, x, g: tf.nn.conv2d_backprop_filter(x, [3, 2, 3, 2], g, 1, "SAME"), IMAGE, G)

# -- any rank, and holes -------------------------------------------------------------------------------------------------


def convolution(padding="SAME", *args, **options):
    return lambda tf, x, f: tf.nn.convolution(x, f, padding, *args, **options)


WIDE_IMAGE = wave(2, 6, 5, 3)
form("nn.convolution", "lines", convolution("SAME", [2]), SEQUENCE, SEQUENCE_FILTER)
form("nn.convolution", "images", convolution("VALID", name="layer"), IMAGE, FILTER)
form("nn.convolution", "volumes", convolution("VALID", strides=[1, 2, 1]), VOLUME, VOLUME_FILTER)
form("nn.convolution", "one stride", convolution("SAME", 2), IMAGE, FILTER)
form("nn.convolution", "lines with holes", convolution("SAME", dilation_rate=[2]), SEQUENCE, SEQUENCE_FILTER)
form("nn.convolution", "images with holes", convolution("SAME", dilation_rate=[2, 3]), WIDE_IMAGE, FILTER)
form("nn.convolution", "images with holes, VALID", convolution("VALID", dilations=[1, 2], name="layer"), WIDE_IMAGE, FILTER)
form("nn.convolution", "volumes with holes", convolution("VALID", dilation_rate=[1, 1, 2]), VOLUME, VOLUME_FILTER)
case("nn.convolution", "one rate", convolution(dilation_rate=2), WIDE_IMAGE, FILTER)
case("nn.convolution", "newer name", lambda tf, x, f: tf.nn.convolution(x, None, "SAME", filters=f), IMAGE, FILTER)
case("nn.convolution", "channels first, static", lambda tf, x, f: tf.constant(convolution("VALID", [1, 2], data_format="NCHW")(tf, x, f).shape.as_list()), wave(2, 3, 6, 5), FILTER)
case("nn.convolution", "channels first with holes, static", lambda tf, x, f: tf.constant(convolution("SAME", dilation_rate=[2, 2], data_format="NCHW")(tf, x, f).shape.as_list()), wave(2, 3, 6, 6), FILTER, nodes=True)
case("nn.convolution", "holes, sizes at run time", lambda tf, x, f: convolution("SAME", dilation_rate=[2, 2], name="layer")(tf, tf.placeholder_with_default(x, [2, None, None, 3]), f), WIDE_IMAGE, FILTER, nodes=True)
case("nn.convolution", "holes, channels first, sizes at run time", lambda tf, x, f: tf.constant(convolution("SAME", dilation_rate=[2, 2], data_format="NCHW")(tf, tf.placeholder_with_default(x, [2, 3, None, None]), f).shape.as_list()[:2]), wave(2, 3, 6, 6), FILTER, nodes=True)
case("nn.convolution", "gradients with holes", gradients(convolution("SAME", dilation_rate=[2, 2])), WIDE_IMAGE, FILTER)
for label, call, x, f in (
    ("strides and rates", convolution("SAME", [2, 1], [2, 1]), WIDE_IMAGE, FILTER),
    ("strides and other rates", convolution("SAME", [1, 2], [2, 1]), WIDE_IMAGE, FILTER),
    ("stride 0", convolution("SAME", [0, 1]), WIDE_IMAGE, FILTER),
    ("rate 0", convolution("SAME", dilation_rate=[0, 1]), WIDE_IMAGE, FILTER),
    ("three rates", convolution("SAME", dilation_rate=[1, 1, 2]), WIDE_IMAGE, FILTER),
    ("padding", convolution("FULL"), WIDE_IMAGE, FILTER),
    ("padding with holes", convolution("FULL", dilation_rate=[2, 2]), WIDE_IMAGE, FILTER),
    ("a list for padding", convolution([[0, 0], [1, 1], [1, 1], [0, 0]]), WIDE_IMAGE, FILTER),
    ("no padding", convolution(None), WIDE_IMAGE, FILTER),
    ("format", convolution(data_format="NWC"), WIDE_IMAGE, FILTER),
    ("rank of the filter", convolution(), WIDE_IMAGE, FILTER[0]),
    ("rank of the input", convolution(), WIDE_IMAGE[0], FILTER),
    ("rank 2", convolution(), WIDE_IMAGE[0, 0], FILTER[0, 0]),
    ("channels", convolution(), WIDE_IMAGE[..., :2], FILTER),
    ("channels with holes", convolution(dilation_rate=2), WIDE_IMAGE[..., :2], FILTER),
    ("both filters", lambda tf, x, f: tf.nn.convolution(x, f, "SAME", filters=f), WIDE_IMAGE, FILTER),
    ("both rates", convolution(dilation_rate=[1, 1], dilations=[1, 1]), WIDE_IMAGE, FILTER),
    ("too small", convolution("VALID"), WIDE_IMAGE[:, :2], FILTER),
    ("too small with holes", convolution("VALID", dilation_rate=[3, 1]), WIDE_IMAGE, FILTER),
):
    case("nn.convolution", f"refused: {label}", call, x, f)

case("nn.convolution", "refused: unknown ranks", lambda tf, both: tf.nn.convolution(both[0], both[1], "SAME"), before=lambda tf: (tf.placeholder(tf.float32), tf.placeholder(tf.float32)))

form("nn.atrous_conv2d", "form", lambda tf, x, f: tf.nn.atrous_conv2d(x, f, 2, "SAME"), WIDE_IMAGE, FILTER)
form("nn.atrous_conv2d", "VALID", lambda tf, x, f: tf.nn.atrous_conv2d(x, f, 2, "VALID", name="layer"), WIDE_IMAGE, FILTER)
form("nn.atrous_conv2d", "rate 1", lambda tf, x, f: tf.nn.atrous_conv2d(x, f, 1, "SAME"), WIDE_IMAGE, FILTER)
for label, rate, padding, x, f in (
    ("rate 0", 0, "SAME", WIDE_IMAGE, FILTER),
    ("padding", 2, "FULL", WIDE_IMAGE, FILTER),
    ("channels", 2, "SAME", WIDE_IMAGE[..., :2], FILTER),
    ("rank", 2, "SAME", WIDE_IMAGE[0], FILTER),
):
    case("nn.atrous_conv2d", f"refused: {label}", lambda tf, x, f, r=rate, p=padding: tf.nn.atrous_conv2d(x, f, r, p), x, f)

HOLES, HOLES_FILTER = wave(2, 6, 5, 2), wave(3, 2, 3, 2)


def atrous_transposed(sizes, rate=2, padding="SAME", **options):
    return lambda tf, x, f: tf.nn.atrous_conv2d_transpose(x, f, sizes, rate, padding, **options)


case("nn.atrous_conv2d_transpose", "form", atrous_transposed([2, 6, 5, 3]), HOLES, HOLES_FILTER, nodes=True)
case("nn.atrous_conv2d_transpose", "VALID", atrous_transposed([2, 10, 7, 3], padding="VALID", name="up"), HOLES, HOLES_FILTER, nodes=True)
case("nn.atrous_conv2d_transpose", "rate 1", atrous_transposed([2, 6, 5, 3], 1), HOLES, HOLES_FILTER, nodes=True)
case("nn.atrous_conv2d_transpose", "sizes in a tensor", lambda tf, x, f: tf.nn.atrous_conv2d_transpose(x, f, sizes_at_run_time(6, 5, 3)(tf, x), 2, "SAME"), HOLES, HOLES_FILTER)
case("nn.atrous_conv2d_transpose", "gradients", gradients(atrous_transposed([2, 6, 5, 3])), HOLES, HOLES_FILTER)
for label, call, x, f in (
    ("rate 0", atrous_transposed([2, 6, 5, 3], 0), HOLES, HOLES_FILTER),
    ("padding", atrous_transposed([2, 6, 5, 3], padding="FULL"), HOLES, HOLES_FILTER),
    ("channels", atrous_transposed([2, 6, 5, 3]), HOLES[..., :1], HOLES_FILTER),
    ("channels of the sizes", atrous_transposed([2, 6, 5, 4]), HOLES, HOLES_FILTER),
    ("three sizes", atrous_transposed([2, 6, 5]), HOLES, HOLES_FILTER),
):
    case("nn.atrous_conv2d_transpose", f"refused: {label}", call, x, f)


def by_space_to_batch(rate, padding="VALID", **options):
    """The op doubles what it gets."""
    return lambda tf, x: tf.nn.with_space_to_batch(x, rate, padding, lambda images, count, padding: tf.add(images, images, name=f"{padding}_{count}"), **options)


form("nn.with_space_to_batch", "form", by_space_to_batch([2, 1]), wave(2, 6, 4, 3))
form("nn.with_space_to_batch", "plain", by_space_to_batch([1, 1], "SAME"), wave(2, 6, 4, 3))
form("nn.with_space_to_batch", "SAME", by_space_to_batch([2, 3], "SAME", filter_shape=[3, 2]), wave(2, 6, 5, 3))
form("nn.with_space_to_batch", "one axis", by_space_to_batch([2], spatial_dims=[2]), wave(2, 3, 6, 3))
form("nn.with_space_to_batch", "axes apart", by_space_to_batch([2, 2], spatial_dims=[1, 3]), wave(2, 4, 3, 5))
case("nn.with_space_to_batch", "channels first", by_space_to_batch([2], data_format="NCW"), wave(2, 3, 6), nodes=True)


def rate_at_run_time(*rate, **options):
    return lambda tf, x: by_space_to_batch(tf.placeholder_with_default(np.array(rate, np.int32), [len(rate)], name="rate"), **options)(tf, x)


form("nn.with_space_to_batch", "rate at run time", rate_at_run_time(2, 1), wave(2, 6, 4, 3))
case("nn.with_space_to_batch", "rate at run time, SAME", rate_at_run_time(2, padding="SAME", filter_shape=[3]), wave(2, 5, 3), nodes=True)
case("nn.with_space_to_batch", "rate at run time, axes apart", rate_at_run_time(2, 2, spatial_dims=[2, 4]), wave(1, 2, 4, 2, 3), nodes=True)
for label, call in (
    ("rank of the rate", by_space_to_batch([[2, 2]])),
    ("rate 0", by_space_to_batch([0, 2])),
    ("number of axes", by_space_to_batch([2, 2], spatial_dims=[1])),
    ("axis", by_space_to_batch([2, 2], spatial_dims=[3, 4])),
    ("order of axes", by_space_to_batch([2, 2], spatial_dims=[2, 1])),
    ("axis 0", by_space_to_batch([2, 2], spatial_dims=[0, 1])),
    ("an axis twice", by_space_to_batch([2, 2], spatial_dims=[1, 1])),
    ("no filter", by_space_to_batch([2, 2], "SAME")),
    ("padding", by_space_to_batch([2, 2], "FULL")),
):
    case("nn.with_space_to_batch", f"refused: {label}", call, wave(2, 6, 4, 3))
form("nn.space_to_batch", "form", lambda tf, x: tf.nn.space_to_batch(x, [[0, 0], [1, 0]], 2), WIDE_IMAGE)
