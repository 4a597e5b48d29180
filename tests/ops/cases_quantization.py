"""Rows of the op table: quantized tensors and fake quantization; asked of TF 1.15.0 itself."""

import numpy as np
from cases import case, form, named

X = np.float32([*np.linspace(-9, 9, 37), 0.001, 2.4999, 1e6, -1e6, 0])
RANGES = ((-6, 6), (0, 6), (-1, 3), (2, 5), (-5, -2), (0, 0), (1, 1), (-0.001, 0.001), (0, 255), (-128, 127), (3, -3))
BITS = {"qint8": "int8", "quint8": "uint8", "qint16": "int16", "quint16": "uint16", "qint32": "int32"}
MODES = ("MIN_COMBINED", "MIN_FIRST", "SCALED")
Q, D, QD, FA = (f"quantization.{name}" for name in ("quantize", "dequantize", "quantize_and_dequantize", "fake_quant_with_min_max_args"))
FV, FC = "quantization.fake_quant_with_min_max_vars", "quantization.fake_quant_with_min_max_vars_per_channel"
C, CONV = "quantization.quantized_concat", "nn.quantized_conv2d"


def whole(tf, made):
    """(integers, lower limit, upper limit) with the bits as an ordinary type, which a recording can hold."""
    return [tf.bitcast(made[0], BITS[made[0].dtype.name]), *made[1:]]


def quantize(kind, **how):
    return lambda tf, x, low, high: whole(tf, tf.quantization.quantize(x, low, high, getattr(tf, kind), **how))


def dequantize(kind, mode):
    return lambda tf, x, low, high: tf.quantization.dequantize(tf.bitcast(x, getattr(tf, kind)), low, high, mode)


def f32(*values):
    return [np.float32(v) for v in values]


form(Q, "form", quantize("quint8"), X, *f32(-6, 6))
form(Q, "form, scaled", quantize("qint8", mode="SCALED", round_mode="HALF_TO_EVEN", name="q"), X, *f32(-6, 6))
form("quantize_v2", "form", lambda tf, x, low, high: whole(tf, tf.quantize_v2(x, low, high, tf.qint8, "MIN_FIRST", "old")), X, *f32(-6, 6))
case(Q, "a range of vectors", quantize("quint8"), X, np.float32([0]), np.float32([1]))
case(Q, "even in another mode", quantize("quint8", round_mode="HALF_TO_EVEN"), X, *f32(-6, 6))
form(D, "form", dequantize("quint8", "MIN_COMBINED"), np.arange(8, dtype=np.uint8), *f32(-6, 6))
for kind, bits in BITS.items():
    limits = np.iinfo(bits)
    some = np.array([limits.min, limits.min + 1, 0, 1, 7, 100, limits.max - 1, limits.max], bits)
    for mode in MODES:
        for low, high in RANGES:
            # At the limits of int32 TF's arithmetic overflows; here they are kept.
            if kind != "qint32":
                case(Q, f"{kind}, {mode}, {low} to {high}", quantize(kind, mode=mode), X, *f32(low, high))
            if low <= high and (kind, mode) != ("qint32", "SCALED"):
                case(D, f"{kind}, {mode}, {low} to {high}", dequantize(kind, mode), some, *f32(low, high))
for low, high in RANGES:
    case(Q, f"even, {low} to {high}", quantize("qint8", mode="SCALED", round_mode="HALF_TO_EVEN"), X, *f32(low, high))


def both(**how):
    return lambda tf, x, low, high: tf.quantization.quantize_and_dequantize(x, low, high, **how)


form(QD, "form", both(), X, *f32(-6, 6))
case(QD, "empty", both(), X[:0], *f32(-6, 6))
for bits in (0, -1, 1, 62, 63, 64):
    case(QD, f"{bits} bits", both(num_bits=bits), X, *f32(-6, 6))
    case(QD, f"{bits} bits, unsigned", both(num_bits=bits, signed_input=False), X, *f32(-6, 6))
for kind in ("float16", "float64"):
    case(QD, kind, both(), X[:37].astype(kind), *(np.array(v, kind) for v in (-6, 6)))
for bits in (2, 8):
    for signed in (True, False):
        for low, high in RANGES:
            for rounding in ("HALF_TO_EVEN", "HALF_UP"):
                how = {"signed_input": signed, "num_bits": bits, "round_mode": rounding, "range_given": True}
                case(QD, f"{how}, {low} to {high}", both(**how), X, *f32(low, high))
        for narrow in (True, False):
            how = {"signed_input": signed, "num_bits": bits, "narrow_range": narrow}
            case(QD, f"{how}", both(**how), X, *f32(-6, 6))
            case(QD, f"{how}, above 0", both(**how), np.abs(X), *f32(-6, 6))


form(FA, "form", named(FA), X)
form(f"{FA}_gradient", "form", named(f"{FA}_gradient"), X * 2, X)
form(FV, "form", named(FV), X, *f32(-6, 6))
form(f"{FV}_gradient", "form", named(f"{FV}_gradient"), X * 2, X, *f32(-6, 6))
PAIRS, LOWS, HIGHS = X[:36].reshape(3, 4, 3), np.float32([-1, 0, -3]), np.float32([1, 2, 5])
form(FC, "form", named(FC), PAIRS, LOWS, HIGHS)
form(f"{FC}_gradient", "form", named(f"{FC}_gradient"), PAIRS * 2, PAIRS, LOWS, HIGHS)
case(FC, "another number of channels", named(FC), PAIRS, LOWS[:2].copy(), HIGHS)
case(FV, "a vector as limit", named(FV), X, LOWS, HIGHS)
for bits in (1, 2, 16, 17):
    case(FA, f"{bits} bits", lambda tf, x, bits=bits: tf.quantization.fake_quant_with_min_max_args(x, num_bits=bits), X)
for low, high in RANGES:
    for narrow in (True, False):
        how = {"num_bits": 4, "narrow_range": narrow}
        limits = {"min": low, "max": high, **how}
        case(FA, f"{low} to {high}, narrow {narrow}", lambda tf, x, how=limits: tf.quantization.fake_quant_with_min_max_args(x, **how), X)
        case(FV, f"{low} to {high}, narrow {narrow}", lambda tf, x, a, b, how=how: tf.quantization.fake_quant_with_min_max_vars(x, a, b, **how), X, *f32(low, high))
        case(f"{FV}_gradient", f"{low} to {high}, narrow {narrow}", lambda tf, g, x, a, b, how=how: tf.quantization.fake_quant_with_min_max_vars_gradient(g, x, a, b, **how), X * 2, X, *f32(low, high))
case(FV, "gradient", lambda tf, x, a, b: tf.gradients(tf.quantization.fake_quant_with_min_max_vars(x, a, b), [x, a, b]), X, *f32(-1, 3))
case(FC, "gradient", lambda tf, x, a, b: tf.gradients(tf.quantization.fake_quant_with_min_max_vars_per_channel(x, a, b), [x, a, b]), PAIRS, LOWS, HIGHS)
case(FA, "gradient", lambda tf, x: tf.gradients(tf.quantization.fake_quant_with_min_max_args(x, min=-1, max=3), [x]), X)
case(QD, "gradient", lambda tf, x: tf.gradients(tf.quantization.quantize_and_dequantize(x, -1.0, 3.0), [x]), X)


IMAGE = (np.arange(108) * 37 % 256).astype(np.uint8).reshape(1, 6, 6, 3)
FILTER = (np.arange(54) * 91 % 256).astype(np.uint8).reshape(3, 3, 3, 2)


def convolve(strides=(1, 1, 1, 1), padding="SAME", **how):
    def call(tf, image, filter, *ranges):
        made = [tf.bitcast(x, tf.quint8) for x in (image, filter)]
        return whole(tf, tf.nn.quantized_conv2d(*made, *ranges, list(strides), padding, **how))

    return call


def pool(function, size, stride, padding):
    def call(tf, image, low, high):
        made = getattr(tf.nn, function)(tf.bitcast(image, tf.quint8), low, high, [1, size, size, 1], [1, stride, stride, 1], padding)
        return whole(tf, made)

    return call


form(CONV, "form", convolve(), IMAGE, FILTER, *f32(-2, 6, -1, 1))
case(CONV, "dilations", convolve(dilations=[1, 2, 2, 1]), IMAGE, FILTER, *f32(-2, 6, -1, 1))
for padding in ("SAME", "VALID"):
    for stride in (1, 2):
        for ranges in ((-2, 6, -1, 1), (0, 6, 1, 3), (1, 1, -1, 1), (-5, -2, -3, 1)):
            case(CONV, f"{padding}, stride {stride}, {ranges}", convolve((1, stride, stride, 1), padding), IMAGE, FILTER, *f32(*ranges))
        for size in (2, 3):
            for function in ("quantized_max_pool", "quantized_avg_pool"):
                case(f"nn.{function}", f"{padding}, stride {stride}, size {size}", pool(function, size, stride, padding), IMAGE, *f32(-2, 6))
form("nn.quantized_max_pool", "form", pool("quantized_max_pool", 2, 2, "SAME"), IMAGE, *f32(-2, 6))
form("nn.quantized_avg_pool", "form", pool("quantized_avg_pool", 2, 2, "SAME"), IMAGE, *f32(-2, 6))


def joined(axis, kind="quint8"):
    def call(tf, a, b, *ranges):
        values = [tf.bitcast(x, getattr(tf, kind)) for x in (a, b)]
        return whole(tf, tf.quantization.quantized_concat(axis, values, ranges[:2], ranges[2:]))

    return call


form(C, "form", joined(3), IMAGE, IMAGE[..., :2].copy(), *f32(-2, -9, 6, 11))
for axis in (0, 1, -1):
    for ranges in ((-2, -2, 6, 6), (-1, 0, 3, 6)):
        case(C, f"axis {axis}, {ranges}", joined(axis), IMAGE, IMAGE + 1, *f32(*ranges))
