"""What the rows of convolutions share: sample numbers, calls of ops, inputs of unknown shape, gradients."""

import numpy as np
from harness import raw


def wave(*shape):
    """Numbers between -1 and 1 of that shape, no two alike."""
    return np.sin(np.arange(np.prod(shape)) * 1.3 + 0.5).astype(np.float32).reshape(shape)


def unknown(function):
    """The call on arrays whose shapes are known at run time only."""

    def call(tf, *arrays):
        return function(tf, *[tf.placeholder_with_default(a, None) for a in arrays])

    return call


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


def gradients(call, order=1):
    """The gradients of a call's squared sum with respect to its inputs; of the second order, those of their squared sums."""

    def differentiated(tf, *inputs):
        ys = [call(tf, *inputs)]
        for _ in range(order):
            ys = [g for g in tf.gradients([tf.reduce_sum(y * y) for y in ys], list(inputs)) if g is not None]
        return ys

    return differentiated
