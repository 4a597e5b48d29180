"""Gradients of activations, softmaxes, biases and cross entropies."""

from __future__ import annotations

from typing import Any

from ...lib.arrays import array, selection
from ...lib.framework.scope_blocks import waiting_for
from ...lib.framework.static_value import constant_value
from ...lib.math import math, products, reductions
from ...ops import activations as activation_ops
from ...ops import basic, nn
from ...ops import math as math_ops

# -- activations -------------------------------------------------------------------------------------------------------------

activation_ops.relu.grad(lambda op, g: nn.relu_grad(g, op.outputs[0]))
activation_ops.relu6.grad(lambda op, g: nn.relu6_grad(g, op.outputs[0]))
activation_ops.elu.grad(lambda op, g: nn.elu_grad(g, op.outputs[0]))
activation_ops.selu.grad(lambda op, g: nn.selu_grad(g, op.outputs[0]))
activation_ops.leaky_relu.grad(lambda op, g: nn.leaky_relu_grad(g, op.inputs[0], alpha=op.attrs["alpha"]))
activation_ops.softplus.grad(lambda op, g: g * math.sigmoid(op.inputs[0]))
activation_ops.softsign.grad(lambda op, g: nn.softsign_grad(g, op.inputs[0]))
math_ops.l2_loss.grad(lambda op, g: op.inputs[0] * g)


def _flat(x: Any) -> Any:
    """The slope does not change with x."""
    return array.zeros(shape=array.shape(x), dtype=x.dtype.base_dtype)


nn.relu_grad.grad(lambda op, g: (nn.relu_grad(g, op.inputs[1]), _flat(op.inputs[1])))
nn.relu6_grad.grad(lambda op, g: (nn.relu6_grad(g, op.inputs[1]), _flat(op.inputs[1])))


@nn.leaky_relu_grad.grad
def _(op: Any, g: Any) -> Any:
    return nn.leaky_relu_grad(g, op.inputs[1], alpha=op.attrs["alpha"]), _flat(op.inputs[1])


def _below_zero(caller: Any) -> None:
    """Elu's and Selu's slope is the output plus a number where that is below 0."""

    def rule(op: Any, g: Any) -> Any:
        first, y = op.inputs
        return caller(g, y), selection.where(y < 0, g * first, array.zeros_like(y))

    caller.grad(rule)


_below_zero(nn.elu_grad)
_below_zero(nn.selu_grad)


@nn.softplus_grad.grad
def _(op: Any, g: Any) -> Any:
    first, x = op.inputs
    with waiting_for([g]):
        return nn.softplus_grad(g, x), g * first / (math.exp(-x) + 2.0 + math.exp(x))


# -- softmax -----------------------------------------------------------------------------------------------------------------


@activation_ops.softmax.grad
def _(op: Any, g: Any) -> Any:
    y = op.outputs[0]
    return (g - reductions.reduce_sum(g * y, -1, keepdims=True)) * y


@activation_ops.log_softmax.grad
def _(op: Any, g: Any) -> Any:
    return g - reductions.reduce_sum(g, -1, keepdims=True) * math.exp(op.outputs[0])


def _each_row(costs: Any, rows: Any) -> Any:
    return array.expand_dims(costs, -1) * rows


@nn.softmax_cross_entropy_with_logits.grad
def _(op: Any, g: Any, g_of_gradient: Any) -> Any:
    logits = op.inputs[0]
    dx = _each_row(g, op.outputs[1])
    if g_of_gradient is not None and not _is_zero(g_of_gradient):
        # The op's second output is its own gradient: the second order comes in here.
        y = activation_ops.softmax(logits)
        dot = products.matmul(array.expand_dims(g_of_gradient, 1), array.expand_dims(y, 2))
        dx = dx + (g_of_gradient - array.squeeze(dot, axis=1)) * y
    return dx, _each_row(g, -activation_ops.log_softmax(logits))


def _is_zero(g: Any) -> bool:
    value = constant_value(g)
    return g.op.type == "ZerosLike" or (value is not None and not value.any())


@nn.sparse_softmax_cross_entropy_with_logits.grad
def _(op: Any, g: Any, g_of_gradient: Any) -> Any:
    rows = basic.prevent_gradient(
        op.outputs[1],
        message="Currently there is no way to take the second derivative of sparse_softmax_cross_entropy_with_logits due to "
        "the fused implementation's interaction with tf.gradients()",
    )
    return _each_row(g, rows), None


# -- biases ------------------------------------------------------------------------------------------------------------------


@nn.bias_add.grad
def _(op: Any, g: Any) -> Any:
    return g, nn.bias_add_grad(g, data_format=op.attrs["data_format"])


@nn.bias_add_grad.grad
def _(op: Any, g: Any) -> Any:
    shape, channels = array.shape(op.inputs[0]), array.shape(g)
    if op.attrs["data_format"] in ("NCHW", b"NCHW"):
        sizes = array.concat([array.ones_like(shape[:1]), channels, array.ones_like(shape[2:])], 0)
        times = array.concat([shape[:1], [1], shape[2:]], 0)
    else:
        sizes = array.concat([array.ones_like(shape[:-1]), channels], 0)
        times = array.concat([shape[:-1], [1]], 0)
    return array.tile(array.reshape(g, sizes), times)
