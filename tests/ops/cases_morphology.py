"""Rows of the op table: grey-scale dilation and erosion, asked of TF 1.15.0 itself."""

import numpy as np
from cases import case, form, inf, nan
from convolution_rows import unknown, wave
from harness import raw

IMAGE, FILTER, G = wave(2, 4, 5, 2), wave(2, 3, 2), wave(2, 4, 5, 2)
ONE, TWO = [1, 1, 1, 1], [1, 2, 2, 1]


def dilation(strides=(1, 1, 1, 1), rates=(1, 1, 1, 1), padding="SAME", **options):
    return lambda tf, x, f: tf.nn.dilation2d(x, f, list(strides), list(rates), padding, **options)


for kind in ("float16", "float32", "float64"):
    case("nn.dilation2d", kind, dilation(), IMAGE.astype(kind), FILTER.astype(kind))
for kind in ("uint8", "int8", "uint16", "int16", "int32", "int64"):
    case("nn.dilation2d", kind, dilation(), (IMAGE * 100).astype(np.int64).astype(kind), (FILTER * 90).astype(np.int64).astype(kind))
form("nn.dilation2d", "SAME", dilation(), IMAGE, FILTER)
form("nn.dilation2d", "VALID", dilation(padding="VALID", name="grown"), IMAGE, FILTER)
form("nn.dilation2d", "strides", dilation([1, 2, 3, 1]), IMAGE, FILTER)
form("nn.dilation2d", "rates", dilation(rates=[1, 2, 2, 1]), IMAGE, FILTER)
form("nn.dilation2d", "rates VALID", dilation([1, 2, 1, 1], [1, 2, 2, 1], "VALID"), IMAGE, FILTER)
case("nn.dilation2d", "rate 0", dilation(rates=[1, 0, 1, 1]), IMAGE, FILTER)
case("nn.dilation2d", "newer names", lambda tf, x, f: tf.nn.dilation2d(x, filters=f, strides=ONE, dilations=TWO, padding="SAME"), IMAGE, FILTER)
case("nn.dilation2d", "no images", dilation(), IMAGE[:0], FILTER)
case("nn.dilation2d", "no filter", dilation(), IMAGE, FILTER[:0])
case("nn.dilation2d", "no channels", dilation(), IMAGE[..., :0], FILTER[..., :0])
case("nn.dilation2d", "no places", dilation(padding="VALID"), IMAGE[:, :1], FILTER)
for label, call, x, f in (
    ("rank of the input", dilation(), IMAGE[0], FILTER),
    ("rank of the filter", dilation(), IMAGE, FILTER[0]),
    ("channels", dilation(), IMAGE, FILTER[..., :1]),
    ("stride 0", dilation([1, 0, 1, 1]), IMAGE, FILTER),
    ("stride of the batch", dilation([2, 1, 1, 1]), IMAGE, FILTER),
    ("stride of the channels", dilation([1, 1, 1, 2]), IMAGE, FILTER),
    ("rate of the batch", dilation(rates=[2, 1, 1, 1]), IMAGE, FILTER),
    ("three strides", dilation([1, 1, 1]), IMAGE, FILTER),
    ("five strides", dilation([1, 1, 1, 1, 1]), IMAGE, FILTER),
    ("five rates", dilation(rates=[1, 1, 1, 1, 1]), IMAGE, FILTER),
    ("no strides", lambda tf, x, f: tf.nn.dilation2d(x, f, None, ONE, "SAME"), IMAGE, FILTER),
    ("padding", dilation(padding="FULL"), IMAGE, FILTER),
    ("no padding", dilation(padding=None), IMAGE, FILTER),
    ("too large", dilation(padding="VALID"), IMAGE[:, :, :1], FILTER),
    ("truth values", dilation(), IMAGE > 0, FILTER > 0),
    ("both filters", lambda tf, x, f: tf.nn.dilation2d(x, f, ONE, ONE, "SAME", filters=f), IMAGE, FILTER),
    ("both rates", lambda tf, x, f: tf.nn.dilation2d(x, f, ONE, ONE, "SAME", dilations=ONE), IMAGE, FILTER),
):
    case("nn.dilation2d", f"refused: {label}", call, x, f)
for label, call, x, f in (
    ("rank of the input", dilation(), IMAGE[0], FILTER),
    ("rank of the filter", dilation(), IMAGE, FILTER[0]),
    ("channels", dilation(), IMAGE, FILTER[..., :1]),
    ("stride 0", dilation([1, 0, 1, 1]), IMAGE, FILTER),
):
    case("nn.dilation2d", f"at run time: {label}", unknown(call), x, f)


def gradients(call):
    return lambda tf, x, f: tf.gradients(call(tf, x, f), [x, f], call(tf, x, f))


FLAT = np.zeros((3, 3, 1), np.float32)
for label, call, x, f in (
    ("SAME", dilation(), IMAGE, FILTER),
    ("strides", dilation([1, 2, 3, 1]), IMAGE, FILTER),
    ("rates", dilation(rates=[1, 2, 2, 1], padding="VALID"), IMAGE, FILTER),
    ("equal numbers", dilation(), np.ones((1, 4, 4, 1), np.float32), FLAT),
    ("no number counts", dilation([1, 2, 1, 1]), np.full((1, 4, 4, 1), -inf, np.float32), FLAT),
    ("no number counts, rates", dilation(rates=[1, 2, 2, 1]), np.full((1, 4, 4, 1), nan, np.float32), FLAT),
    ("nan", dilation(), np.array([1, nan, 0, 2, 3, nan, 1, 0, 1], np.float32).reshape(1, 3, 3, 1), FLAT),
):
    case("nn.dilation2d", f"gradients: {label}", gradients(call), x, f, nodes=True)

for type in ("Dilation2DBackpropInput", "Dilation2DBackpropFilter"):

    def backprop(tf, x, f, g, t=type, **attrs):
        options = {"strides": ONE, "rates": ONE, "padding": "SAME"}
        options.update(attrs)
        return raw(tf, t, input=x, filter=f, out_backprop=g, **options)

    form(f"raw_ops.{type}", "form", backprop, IMAGE, FILTER, G)
    case(f"raw_ops.{type}", "integers", backprop, (IMAGE * 9).astype(np.int32), (FILTER * 9).astype(np.int32), (G * 9).astype(np.int32))
    case(f"raw_ops.{type}", "no images", backprop, IMAGE[:0], FILTER, G[:0])
    for label, x, f, g in (
        ("rank of the input", IMAGE[0], FILTER, G),
        ("rank of the filter", IMAGE, FILTER[0], G),
        ("rank of the gradient", IMAGE, FILTER, G[0]),
        ("channels", IMAGE, FILTER, G[..., :1]),
        ("places", IMAGE, FILTER, G[:, :3]),
    ):
        case(f"raw_ops.{type}", f"refused: {label}", backprop, x, f, g)
    case(f"raw_ops.{type}", "refused: stride of the batch", lambda tf, x, f, g, b=backprop: b(tf, x, f, g, strides=[2, 1, 1, 1]), IMAGE, FILTER, G)


def erosion(strides=(1, 1, 1, 1), rates=(1, 1, 1, 1), padding="SAME", **options):
    return lambda tf, x, f: tf.nn.erosion2d(x, f, list(strides), list(rates), padding, **options)


form("nn.erosion2d", "form", erosion(), IMAGE, FILTER)
form("nn.erosion2d", "strides and rates", erosion([1, 2, 1, 1], [1, 1, 2, 1], "VALID", name="shrunk"), IMAGE, FILTER)
case("nn.erosion2d", "gradients", gradients(erosion()), IMAGE, FILTER)
case("nn.erosion2d", "refused: rank of the kernel", erosion(), IMAGE, FILTER[0])
