"""Ops of neural networks: BiasAdd, the cross entropies of a softmax, and the gradients of activations. No state."""

from __future__ import annotations

import inspect
from typing import Any, Literal

import numpy as np

from ..backends.long_rows import with_each_row
from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import matrix_functions
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Sym, op, same_shape, typevar
from ..op.infer import constant_value
from ..op.name_scopes import waiting_for
from ..op.shape_checks import (
    HALF_FIRST,
    INDEX,
    NUMBERS,
    REALS,
    at_least,
    fit,
    invalid,
    of_rank,
    same,
    size_of,
    text_of,
)
from .reduce import summed

Real = typevar("T", REALS)
Float = typevar("T", HALF_FIRST)
Number = typevar("T", NUMBERS)
Layout = Literal["NHWC", "NCHW"]


# -- activations' gradients -------------------------------------------------------------------------------------------------


def _slope(type: str, second: str, T: Any, form: Any, doc: str) -> Any:
    """The gradient of an activation: the gradient that arrives times a slope known from input `second`.

    form(xp, gradient, second input): the kernel.
    """

    def kernel(xp: Any, gradients: Any, other: Any) -> Any:
        return form(xp, gradients, other)

    kernel.__doc__, kernel.__name__ = doc, type
    both = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=T) for name in ("gradients", second)
    ]
    first = inspect.Parameter("xp", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    kernel.__signature__ = inspect.Signature([first, *both], return_annotation=T)  # type: ignore[attr-defined]
    return op(type, out="backprops", shape=same_shape, fresh=True)(kernel)


# A product, as in TF: NaN where the gradient is infinite and the slope 0. (A choice would take ten times as long.)
@op("ReluGrad", out="backprops", shape=same_shape, fresh=True)
def relu_grad(xp: Any, gradients: Real, features: Real, *, out: Any = None) -> Real:
    """The gradient where x > 0, else 0."""
    return xp.multiply(gradients, features > 0, out=out)


relu_grad.grad(lambda op, g: (relu_grad(g, op.inputs[1]), _zeros(op.inputs[1])))


def _zeros(x: Any) -> Any:
    """The gradient with respect to the features: zeros, because the slope does not change with them."""
    return functions.zeros(shape=functions.shape(x), dtype=x.dtype.base_dtype)


relu6_grad = _slope(
    "Relu6Grad", "features", Real, lambda xp, g, x: g * ((x > 0) & (x < 6)), "The gradient where 0 < x < 6, else 0."
)
relu6_grad.grad(lambda op, g: (relu6_grad(g, op.inputs[1]), _zeros(op.inputs[1])))
elu_grad = _slope(
    "EluGrad", "outputs", Float, lambda xp, g, y: xp.where(y < 0, (y + y.dtype.type(1)) * g, g)[()],
    "The gradient, times y + 1 where y < 0; y is the output of Elu.",
)  # fmt: skip
elu_grad.grad(lambda op, g: _below_zero(op, g, elu_grad))


def _of_selu(xp: Any, g: Any, y: Any) -> Any:
    scale, scaled_alpha = y.dtype.type(1.0507009873554804934), y.dtype.type(1.7580993408473768599)
    return xp.where(y < 0, g * (y + scaled_alpha), g * scale)[()]


selu_grad = _slope("SeluGrad", "outputs", Float, _of_selu, "The gradient times the slope of Selu, known from its output.")


selu_grad.grad(lambda op, g: _below_zero(op, g, selu_grad))


def _below_zero(op: Any, g: Any, caller: Any) -> Any:
    """Second-order gradients of Elu and Selu: where the output is below 0, the slope is the output plus a constant."""
    first, y = op.inputs
    return caller(g, y), nodes.Select(y < 0, g * first, functions.zeros_like(y))
softplus_grad = _slope(
    "SoftplusGrad", "features", Float, lambda xp, g, x: g / (xp.exp(-x) + x.dtype.type(1)), "The gradient times sigmoid(x)."
)


@softplus_grad.grad
def _(op: Any, g: Any) -> Any:
    first, x = op.inputs
    with waiting_for([g]):
        return softplus_grad(g, x), g * first / (nodes.Exp(-x) + 2.0 + nodes.Exp(x))
softsign_grad = _slope(
    "SoftsignGrad", "features", Float, lambda xp, g, x: g / xp.square(x.dtype.type(1) + xp.abs(x)),
    "The gradient / (1 + |x|)².",
)  # fmt: skip


@op("LeakyReluGrad", out="backprops", shape=lambda gradients, features, *, alpha: gradients.shape, fresh=True)
def leaky_relu_grad(
    xp: Any,
    gradients: typevar("T", HALF_FIRST, default=dtypes.float32),
    features: "T",  # noqa: F821
    *,
    alpha: float = 0.2,
) -> "T":  # noqa: F821
    """The gradient where x > 0, else alpha times it: any shape -> the same shape."""
    return xp.where(features > 0, gradients, gradients * gradients.dtype.type(alpha))[()]


@leaky_relu_grad.grad
def _(op: Any, g: Any) -> Any:
    return leaky_relu_grad(g, op.inputs[1], alpha=op.attrs["alpha"]), _zeros(op.inputs[1])


# -- biases ----------------------------------------------------------------------------------------------------------------


@op("BiasAdd", fresh=True, gradient="da = g, db = Σ g")
def bias_add(xp: Any, value: Number, bias: Number, *, data_format: Layout = "NHWC", out: Any = None) -> Number:
    """Adds a bias to each channel: value [n, ..., c], bias [c] -> [n, ..., c]; for NCHW value [n, c, ...].

    Raises: InvalidArgumentError when the sizes differ.
    """
    if value.ndim < 2:
        raise invalid(f"Input tensor must be at least 2D: {text_of(value.shape)}")
    if bias.ndim != 1:
        raise invalid(f"Biases must be 1D: {text_of(bias.shape)}")
    axis = _channels(data_format, value.ndim)
    if bias.shape[0] != value.shape[axis]:
        raise invalid(
            f"Must provide as many biases as the last dimension of the input tensor: {text_of(bias.shape)} vs. "
            f"{text_of(value.shape)}"
        )
    if axis < value.ndim - 1:
        bias = bias.reshape(-1, *[1] * (value.ndim - 1 - axis))
    return xp.add(value, bias, out=out)


def _channels(data_format: Any, rank: int) -> int:
    return 1 if data_format in ("NCHW", b"NCHW") else rank - 1


@bias_add.shape
def _(value: Sym, bias: Sym, *, data_format: str) -> Shape:
    value_shape = at_least(value.shape, 3 if data_format in ("NCHW", b"NCHW") else 2)
    (count,) = of_rank(bias.shape, 1)
    if value_shape is None:
        return None
    axis = _channels(data_format, len(value_shape))
    return (*value_shape[:axis], same(value_shape[axis], count), *value_shape[axis + 1 :])


@bias_add.grad
def _(op: Any, g: Any) -> Any:
    return g, bias_add_grad(g, data_format=op.attrs["data_format"])


@op("BiasAddGrad", fresh=True, multiplies=True)
def bias_add_grad(xp: Any, out_backprop: Number, *, data_format: Layout = "NHWC") -> Number:
    """The sum over all axes but the channels': out_backprop [n, ..., c], for NCHW [n, c, ...] -> [c]."""
    if out_backprop.ndim < 2:
        raise invalid(f"Input tensor must be at least 2D: {text_of(out_backprop.shape)}")
    axis = _channels(data_format, out_backprop.ndim)
    others = tuple([i for i in range(out_backprop.ndim) if i != axis])
    return summed(out_backprop, others)


@bias_add_grad.shape
def _(out_backprop: Sym, *, data_format: str) -> Shape:
    grad_shape = at_least(out_backprop.shape, 2)
    return (None,) if grad_shape is None else (grad_shape[_channels(data_format, len(grad_shape))],)


@bias_add_grad.grad
def _(op: Any, g: Any) -> Any:
    sizes, channels = functions.shape(op.inputs[0]), functions.shape(g)
    if op.attrs["data_format"] in ("NCHW", b"NCHW"):
        parts = [functions.ones_like(sizes[:1]), channels, functions.ones_like(sizes[2:])]
        g_sizes = functions.concat(parts, 0)
        repeats = functions.concat([sizes[:1], [1], sizes[2:]], 0)
    else:
        g_sizes = functions.concat([functions.ones_like(sizes[:-1]), channels], 0)
        repeats = functions.concat([sizes[:-1], [1]], 0)
    return nodes.Tile(nodes.Reshape(g, g_sizes), repeats)


# -- cross entropies -------------------------------------------------------------------------------------------------------


def _exponentials(xp: Any, logits: Any) -> tuple[Any, Any, Any]:
    """For each row: its logits minus the largest one, exp of that [n, k], and the row's sum of it [n, 1]."""
    if logits.shape[-1] < 32 and isinstance(logits, np.ndarray):
        # NumPy sums many short rows several times faster along the first axis in memory.
        logits = np.asfortranarray(logits)
    shifted = with_each_row(xp.subtract, logits, logits.max(axis=-1, keepdims=True))
    powers = xp.exp(shifted)
    return shifted, powers, powers.sum(axis=-1, keepdims=True)


@op(
    "SoftmaxCrossEntropyWithLogits", out="loss backprop", fresh=True,
    gradient="da = g · (softmax(a) - b), db = -g · log softmax(a)",
)
def softmax_cross_entropy_with_logits(xp: Any, features: Float, labels: Float) -> tuple[Float, Float]:
    """The cross entropy -sum(labels · log softmax(features)) of each row, and its gradient: features [n, k], labels [n,
    k] -> loss [n], backprop [n, k].
    """
    if not fit(features.shape, labels.shape):
        raise invalid(
            f"logits and labels must be broadcastable: logits_size={text_of(features.shape)} "
            f"labels_size={text_of(labels.shape)}"
        )
    shape = np.broadcast_shapes(features.shape, labels.shape)
    if len(shape) != 2:
        raise invalid("logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional")
    logits, labels = np.broadcast_to(features, shape), np.broadcast_to(labels, shape)
    shifted, powers, sums = _exponentials(xp, logits)
    # As in TF, a class of probability 0 with an infinite logit makes the loss NaN.
    costs = labels * (xp.log(sums) - shifted)
    return costs.sum(axis=-1, dtype=costs.dtype), with_each_row(xp.divide, powers, sums, powers) - labels


@softmax_cross_entropy_with_logits.shape
def _(features: Sym, labels: Sym) -> list[Shape]:
    shape = shapes.broadcast(features.shape, labels.shape)
    if shape is not None and len(shape) != 2:
        raise ShapeMismatch(f"Shape must be rank 2 but is rank {len(shape)}")
    return [(None,), (None, None)] if shape is None else [shape[:1], shape]


@softmax_cross_entropy_with_logits.grad
def _(op: Any, g: Any, g_of_gradient: Any) -> Any:
    logits = op.inputs[0]
    dx = _times_rows(g, op.outputs[1])
    if g_of_gradient is not None and not _is_zero(g_of_gradient):
        # The op's second output is its own gradient: a gradient of the second order arrives here.
        y = nodes.Softmax(logits)
        dot = matrix_functions.matmul(nodes.ExpandDims(g_of_gradient, 1), nodes.ExpandDims(y, 2))
        dx = dx + (g_of_gradient - nodes.Squeeze(dot, squeeze_dims=[1])) * y
    return dx, _times_rows(g, -nodes.LogSoftmax(logits))


def _times_rows(costs: Any, rows: Any) -> Any:
    """Each row of `rows` [n, k] times its element of `costs` [n]."""
    return nodes.ExpandDims(costs, -1) * rows


def _is_zero(g: Any) -> bool:
    value = constant_value(g)
    return g.op.type == "ZerosLike" or (value is not None and not value.any())


def check_classes(features: Any, labels: Any) -> None:
    """Raises: InvalidArgumentError unless the shapes are features [n, k] with k > 0 and labels [n]."""
    if features.ndim != 2:
        raise invalid(f"logits must be 2-D, but got shape {text_of(features.shape)}")
    if labels.ndim != 1:
        raise invalid(f"labels must be 1-D, but got shape {text_of(labels.shape)}")
    if len(labels) != len(features):
        raise invalid(
            f"logits and labels must have the same first dimension, got logits shape {text_of(features.shape)} and labels "
            f"shape {text_of(labels.shape)}"
        )
    if len(features) and not features.shape[1]:
        raise invalid(f"Must have at least one class, but got logits shape {text_of(features.shape)}")


@op(
    "SparseSoftmaxCrossEntropyWithLogits", out="loss backprop", fresh=True,
    gradient="da = g · (softmax(a) - onehot(b))",
)
def sparse_softmax_cross_entropy_with_logits(
    xp: Any, features: Float, labels: typevar("Tlabels", INDEX, default=dtypes.int64)
) -> tuple[Float, Float]:
    """The cross entropy of a softmax and class numbers, and its gradient: features [n, k], labels [n] -> loss [n],
    backprop [n, k].

    Raises: InvalidArgumentError for a label outside [0, k).
    """
    check_classes(features, labels)
    count = features.shape[1]
    if len(labels) and not 0 <= labels.min() <= labels.max() < count:
        bad = (labels < 0) | (labels >= count)
        listed = " ".join(map(str, labels.tolist()[:16]))
        raise invalid(
            f"Received a label value of {labels[np.argmax(bad)]} which is outside the valid range of [0, {count}).  Label "
            f"values: {listed}"
        )
    shifted, powers, sums = _exponentials(xp, features)
    named = np.arange(len(labels)), labels
    loss = xp.log(sums)[:, 0] - shifted[named]
    slopes = with_each_row(xp.divide, powers, sums, powers)
    slopes[named] -= features.dtype.type(1)
    return loss, slopes


@sparse_softmax_cross_entropy_with_logits.shape
def _(features: Sym, labels: Sym) -> list[Shape]:
    rows, classes = of_rank(features.shape, 2)
    (count,) = of_rank(labels.shape, 1)
    merged = shapes.merge((rows,), (count,))
    assert merged is not None
    return [merged, (*merged, classes)]


@sparse_softmax_cross_entropy_with_logits.grad
def _(op: Any, g: Any, g_of_gradient: Any) -> Any:
    rows = nodes.PreventGradient(
        op.outputs[1],
        message="Currently there is no way to take the second derivative of sparse_softmax_cross_entropy_with_logits due to "
        "the fused implementation's interaction with tf.gradients()",
    )
    return _times_rows(g, rows), None


# -- the n-th smallest element ---------------------------------------------------------------------------------------------


@op("NthElement", out="values", fresh=True, gradient="dx = g / count where x = y, else 0")
def nth_element(xp: Any, input: Real, n: dtypes.int32, *, reverse: bool = False) -> Real:
    """The n-th smallest number of each row, counted from 0; with reverse the n-th largest: input [..., k], n scalar -> [...].

    Raises: InvalidArgumentError for n < 0 or n ≥ k.
    """
    if n.ndim:
        raise invalid(f"N must be scalar, got shape {text_of(n.shape)}")
    if n < 0:
        raise invalid(f"Need n >= 0, got {n}")
    if not input.ndim:
        raise invalid(f"Input must be >= 1-D, got shape {text_of(input.shape)}")
    count = input.shape[-1]
    if n >= count:
        raise invalid("Input must have at least n+1 columns")
    place = count - 1 - int(n) if reverse else int(n)
    return xp.partition(input, place, axis=-1)[..., place][()]


@nth_element.shape
def _(input: Sym, n: Sym, *, reverse: bool) -> Shape:
    shape = at_least(input.shape, 1)
    place = size_of(n, 1)
    if shape is None:
        return None
    count = shape[-1]
    if place is not None and count is not None and count <= place:
        raise ShapeMismatch(f"Input must have last dimension > n = {place} but is {count}")
    return shape[:-1]


@nth_element.grad
def _(op: Any, g: Any) -> Any:
    chosen = functions.cast(nodes.Equal(nodes.ExpandDims(op.outputs[0], -1), op.inputs[0]), g.dtype)
    g = nodes.ExpandDims(g, -1)
    share = nodes.RealDiv(chosen, nodes.ExpandDims(nodes.Sum(chosen, -1), -1), name="div")
    return share * g, None
