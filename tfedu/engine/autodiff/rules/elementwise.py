"""Gradients of functions applied element by element; of two inputs that were broadcast, the repeated axes are summed again."""

from __future__ import annotations

import math as numbers
import weakref
from collections.abc import Callable
from typing import Any, Final

from ...base import dtypes
from ...base.shapes import is_full
from ...graph.graph import Graph
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection
from ...lib.framework.scope_blocks import waiting_for
from ...lib.math import math, reductions, special
from ...op.constant import constant
from ...op.gradient_rules import repeated_axes
from ...ops import array as array_ops
from ...ops import gradient_ops, logic, reduce
from ...ops import math as ops
from ...ops import special as special_ops

# -- one input -------------------------------------------------------------------------------------------------------------


def _by_input(caller: Any, form: Callable[[Any, Any], Any]) -> None:
    """dx = form(x, dy), whose nodes wait until dy is there."""

    def rule(op: Any, g: Any) -> Any:
        with waiting_for([g]):
            return form(math.conj(op.inputs[0]), g)

    caller.grad(rule)


def _by_output(caller: Any, form: Callable[[Any, Any], Any]) -> None:
    """dx = form(y, dy), whose nodes wait until dy is there."""

    def rule(op: Any, g: Any) -> Any:
        with waiting_for([g]):
            return form(math.conj(op.outputs[0]), g)

    caller.grad(rule)


def _one(x: Any) -> Tensor:
    return constant(1, dtype=x.dtype.base_dtype)


_by_output(ops.exp, lambda y, g: g * y)
_by_input(ops.expm1, lambda x, g: g * math.exp(x))
_by_input(ops.log, lambda x, g: g * math.reciprocal(x))
_by_input(ops.log1p, lambda x, g: g * math.reciprocal(1 + x))
_by_input(ops.sin, lambda x, g: g * math.cos(x))
_by_input(ops.cos, lambda x, g: -g * math.sin(x))
_by_input(ops.tan, lambda x, g: math.square(math.reciprocal(math.cos(x))) * g)
_by_input(ops.sinh, lambda x, g: g * math.cosh(x))
_by_input(ops.cosh, lambda x, g: g * math.sinh(x))
_by_output(ops.asinh, lambda y, g: g / math.cosh(y))
_by_output(ops.acosh, lambda y, g: g / math.sinh(y))
_by_output(ops.tanh, lambda y, g: gradient_ops.tanh_grad(y, g))
_by_output(ops.sigmoid, lambda y, g: gradient_ops.sigmoid_grad(y, g))
_by_input(special_ops.lgamma, lambda x, g: g * special.digamma(x))


@ops.square.grad
def _(op: Any, g: Any) -> Any:
    with waiting_for([g]):
        x = math.conj(op.inputs[0])
        two = constant(2.0, dtype=x.dtype.base_dtype)
        return math.multiply(g, math.multiply(x, two))


def _of_inverse(root: bool, sign: int) -> Callable[[Any, Any], Any]:
    """d asin, d acos: 1 / sqrt(1 - x²), up to the sign; without the root d atanh."""

    def form(x: Any, g: Any) -> Any:
        square = math.square(x)
        rest = math.subtract(_one(g), square)
        inverse = math.reciprocal(math.sqrt(rest) if root else rest)
        return (g if sign > 0 else -g) * inverse

    return form


_by_input(ops.asin, _of_inverse(True, 1))
_by_input(ops.acos, _of_inverse(True, -1))
_by_input(ops.atanh, _of_inverse(False, 1))


@ops.atan.grad
def _(op: Any, g: Any) -> Any:
    with waiting_for([g]):
        square = math.square(math.conj(op.inputs[0]))
        return g * math.reciprocal(math.add(_one(g), square))


def _of_erf(caller: Any, factor: float) -> None:
    def rule(op: Any, g: Any) -> Any:
        scale = constant(factor / numbers.sqrt(numbers.pi), dtype=g.dtype.base_dtype)
        with waiting_for([g]):
            x = math.conj(op.inputs[0])
            return g * scale * math.exp(-math.square(x))

    caller.grad(rule)


_of_erf(special_ops.erf, 2)
_of_erf(special_ops.erfc, -2)


@special_ops.digamma.grad
def _(op: Any, g: Any) -> Any:
    with waiting_for([g]):
        x = math.conj(op.inputs[0])
        return g * special.polygamma(constant(1, dtype=x.dtype.base_dtype), x)


@ops.abs_.grad
def _(op: Any, g: Any) -> Any:
    return g * math.sign(op.inputs[0])


@ops.neg.grad
def _(op: Any, g: Any) -> Any:
    return -g


@ops.sign.grad
def _(op: Any, g: Any) -> Any:
    x = op.inputs[0]
    return array.zeros(array.shape(x), dtype=x.dtype.base_dtype)


ops.sqrt.grad(lambda op, g: gradient_ops.sqrt_grad(op.outputs[0], g))
ops.rsqrt.grad(lambda op, g: gradient_ops.rsqrt_grad(op.outputs[0], g))
ops.reciprocal.grad(lambda op, g: gradient_ops.reciprocal_grad(op.outputs[0], g))
ops.inv.grad(lambda op, g: gradient_ops.reciprocal_grad(op.outputs[0], g))

for _flat in (ops.floor, ops.ceil, ops.round_, ops.rint):
    _flat.grad(lambda op, g: [None])


# the second order: gradients of the gradients' own ops


@gradient_ops.tanh_grad.grad
def _(op: Any, g: Any) -> Any:
    with waiting_for([g]):
        a, b = math.conj(op.inputs[0]), math.conj(op.inputs[1])
        return g * -2.0 * b * a, gradient_ops.tanh_grad(a, g)


@gradient_ops.sigmoid_grad.grad
def _(op: Any, g: Any) -> Any:
    with waiting_for([g]):
        a, b = math.conj(op.inputs[0]), math.conj(op.inputs[1])
        gb = g * b
        return gb - 2.0 * gb * a, gradient_ops.sigmoid_grad(a, g)


@gradient_ops.sqrt_grad.grad
def _(op: Any, g: Any) -> Any:
    with waiting_for([g]):
        ga = g / op.inputs[0]
        return -math.conj(ga) * op.outputs[0], 0.5 * ga


@gradient_ops.rsqrt_grad.grad
def _(op: Any, g: Any) -> Any:
    a, b = op.inputs
    with waiting_for([g]):
        ca, cg = math.conj(a), math.conj(g)
        return -1.5 * cg * b * math.square(ca), gradient_ops.rsqrt_grad(ca, g)


def _of_reciprocal_grad(op: Any, g: Any) -> Any:
    b = op.inputs[1]
    with waiting_for([g]):
        ca, cg = math.conj(op.inputs[0]), math.conj(g)
        return cg * -2.0 * b * ca, gradient_ops.reciprocal_grad(ca, g)


gradient_ops.reciprocal_grad.grad(_of_reciprocal_grad)
gradient_ops.inv_grad.grad(_of_reciprocal_grad)


# -- two inputs ------------------------------------------------------------------------------------------------------------

Repeats = tuple[Any, Any, bool]  # (the input's shape, the axes to sum over, whether anything is to be done)
# What is known for a graph of pairs of full shapes: the node that tells is made once.
_known: Final[weakref.WeakKeyDictionary[Graph, dict[Any, Any]]] = weakref.WeakKeyDictionary()


def _shape(x: Tensor, g: Any) -> Any:
    # Beside a dense gradient the shape is asked for at run time even where it is known: as TF does.
    return array_ops.shape(x, out_type=dtypes.int32) if isinstance(g, Tensor) else array.shape(x)


def repeats(x: Tensor, y: Tensor, g: Any) -> tuple[Repeats, Repeats]:
    """How the gradient of a broadcast result is brought back to the shapes of x and y."""
    sx, sy = x.raw_shape, y.raw_shape
    if not isinstance(g, Tensor) or not is_full(sx) or not is_full(sy):
        shape_x, shape_y = _shape(x, g), _shape(y, g)
        rx, ry = gradient_ops.broadcast_gradient_args(shape_x, shape_y)
        return (shape_x, rx, True), (shape_y, ry, True)
    assert sx is not None
    assert sy is not None
    known = _known.setdefault(x.graph, {})
    if (sx, sy) not in known:
        gradient_ops.broadcast_gradient_args(list(sx), list(sy))
        known[sx, sy] = tuple(map(tuple, repeated_axes(list(sx), list(sy))))
        x.graph.on_failure(known.pop, (sx, sy), None)
    rx, ry = known[sx, sy]
    return (sx, rx, sx != g.raw_shape), (sy, ry, sy != g.raw_shape)


def shapes_of(x: Tensor, y: Tensor) -> tuple[Repeats, Repeats]:
    """The same, where the nodes are made in any case."""
    sx, sy = array.shape(x), array.shape(y)
    rx, ry = gradient_ops.broadcast_gradient_args(sx, sy)
    return (sx, rx, True), (sy, ry, True)


def back(g: Any, repeat: Repeats) -> Any:
    """The gradient in the shape of the input."""
    shape, axes, needed = repeat
    return array.reshape(reductions.reduce_sum(g, axes), shape) if needed else g


def same_full_shape(x: Tensor, y: Tensor, g: Any) -> bool:
    """Whether nothing was broadcast, as far as is known before a run."""
    return isinstance(g, Tensor) and is_full(x.raw_shape) and x.raw_shape == y.raw_shape == g.raw_shape


def _of_add(op: Any, g: Any) -> Any:
    x, y = op.inputs
    if same_full_shape(x, y, g):
        return g, g
    at_x, at_y = repeats(x, y, g)
    return back(g, at_x), back(g, at_y)


ops.add.grad(_of_add)
ops.add_v2.grad(_of_add)


@ops.sub.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    if same_full_shape(x, y, g):
        return g, -g
    at_x, at_y = repeats(x, y, g)
    return back(g, at_x), back(-g, at_y)


@ops.mul.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    if same_full_shape(x, y, g) and g.dtype in (dtypes.int32, dtypes.float32):
        return ops.mul(g, y), ops.mul(g, x)
    at_x, at_y = repeats(x, y, g)
    x, y = math.conj(x), math.conj(y)
    return back(ops.mul(g, y), at_x), back(ops.mul(x, g), at_y)


def _of_quotient(caller: Any, divide: Callable[[Any, Any], Any]) -> None:
    """d(x / y) = dy / y, and -x / y / y."""

    def rule(op: Any, g: Any) -> Any:
        x, y = op.inputs
        at_x, at_y = shapes_of(x, y)
        x, y = math.conj(x), math.conj(y)
        return back(divide(g, y), at_x), back(g * divide(divide(-x, y), y), at_y)

    caller.grad(rule)


_of_quotient(ops.div, math.divide)
_of_quotient(ops.real_div, math.realdiv)
_of_quotient(ops.div_no_nan, math.div_no_nan)


@ops.mul_no_nan.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    if same_full_shape(x, y, g):
        return ops.mul_no_nan(g, y), ops.mul_no_nan(x, g)
    at_x, at_y = shapes_of(x, y)
    return back(ops.mul_no_nan(g, y), at_x), back(ops.mul_no_nan(x, g), at_y)


def _of_safe(caller: Any, form: Callable[[Any, Any, Any], tuple[Any, Any]]) -> None:
    """x log y and x / y, which are 0 where x is: form(x, y, 1 where x is not 0) gives the two partial derivatives."""

    def rule(op: Any, g: Any) -> Any:
        x, y = op.inputs
        at_x, at_y = shapes_of(x, y)
        with waiting_for([g]):
            nonzero = math.cast(math.not_equal(x, math.cast(0.0, dtype=x.dtype)), dtype=x.dtype)
            dx, dy = form(x, y, nonzero)
            return back(dx * g, at_x), back(dy * g, at_y)

    caller.grad(rule)


_of_safe(ops.xlogy, lambda x, y, nonzero: (ops.xlogy(nonzero, y), ops.xdivy(x, y)))
_of_safe(ops.xdivy, lambda x, y, nonzero: (ops.xdivy(nonzero, y), ops.xdivy(math.negative(x), y**2)))


@ops.floor_mod.grad
def _(op: Any, g: Any) -> Any:
    x, y = map(math.conj, op.inputs)
    at_x, at_y = shapes_of(x, y)
    whole = math.floor_div(x, y)
    return back(g, at_x), back(g * math.negative(whole), at_y)


for _flat in (ops.floor_div, ops.truncate_div):
    _flat.grad(lambda op, g: (None, None))


@ops.pow_.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    at_x, at_y = repeats(x, y, g)
    x, y = math.conj(x), math.conj(y)
    dx = back(g * y * math.pow(x, y - 1), at_x)
    z = math.conj(op.outputs[0])
    # log x is asked only where it is a number; elsewhere the derivative counts as 0.
    mask = math.not_equal(x, 0) if x.dtype.is_complex else x > 0
    safe = selection.where(mask, x, array.ones_like(x))
    log = selection.where(mask, math.log(safe), array.zeros_like(x))
    return dx, back(g * z * log, at_y)


def _of_choice(caller: Any, is_first: Callable[[Any, Any], Any]) -> None:
    """The larger or smaller of two: the gradient goes to the one that was taken, to the first of two equals."""

    def rule(op: Any, g: Any) -> Any:
        x, y = op.inputs
        sx, sy = array.shape(x), array.shape(y)
        zeros = array.zeros(array.shape(g), g.dtype)
        mask = is_first(x, y)
        rx, ry = gradient_ops.broadcast_gradient_args(sx, sy)
        dx = selection.where(mask, g, zeros)
        dx = array.reshape(reductions.reduce_sum(dx, rx), sx)
        dy = selection.where(mask, zeros, g)
        return dx, array.reshape(reductions.reduce_sum(dy, ry), sy)

    caller.grad(rule)


_of_choice(ops.maximum, math.greater_equal)
_of_choice(ops.minimum, math.less_equal)


@ops.squared_difference.grad
def _(op: Any, g: Any) -> Any:
    x, y = op.inputs
    with waiting_for([g]):
        dx = math.scalar_mul(2.0, g) * (x - y)
    if same_full_shape(x, y, g):
        return dx, -dx
    at_x, at_y = repeats(x, y, g)
    dy = back(dx, at_y)
    return back(dx, at_x), -dy


@ops.atan2.grad
def _(op: Any, g: Any) -> Any:
    y, x = op.inputs
    with waiting_for([g]):
        inverse = g / (math.square(x) + math.square(y))
        return x * inverse, -y * inverse


@ops.add_n.grad
def _(op: Any, g: Any) -> Any:
    return [g] * len(op.inputs)


# -- complex numbers, casts, choices ------------------------------------------------------------------------------------------


@ops.conj.grad
def _(op: Any, g: Any) -> Any:
    return math.conj(g)


@ops.complex_.grad
def _(op: Any, g: Any) -> Any:
    at_x, at_y = shapes_of(*op.inputs)
    return back(math.real(g), at_x), back(math.imag(g), at_y)


ops.real.grad(lambda op, g: math.complex(g, constant(0, dtype=g.dtype.base_dtype)))
ops.imag.grad(lambda op, g: math.complex(constant(0, dtype=g.dtype.base_dtype), g))


@ops.complex_abs.grad
def _(op: Any, g: Any) -> Any:
    top = math.complex(g, array.zeros_like(g)) * op.inputs[0]
    y = op.outputs[0]
    return math.div_no_nan(top, math.complex(y, array.zeros_like(y)))


@ops.angle.grad
def _(op: Any, g: Any) -> Any:
    x = op.inputs[0]
    with waiting_for([g]):
        real, imag = math.real(x), math.imag(x)
        z = math.reciprocal(math.complex(imag, real))
        return -math.complex(g, constant(0, dtype=g.dtype.base_dtype)) * z


@ops.cast.grad
def _(op: Any, g: Any) -> Any:
    source, target = op.inputs[0].dtype.base_dtype, g.dtype.base_dtype
    if all(t.is_floating or t.is_complex for t in (source, target)):
        return math.cast(g, source)
    return None


@logic.select.grad
def _(op: Any, g: Any) -> Any:
    chosen, x = op.inputs[0], op.inputs[1]
    zeros = array.zeros_like(x)
    return None, logic.select(chosen, g, zeros), logic.select(chosen, zeros, g)


for _caller in (reduce.arg_max, reduce.arg_min):
    _caller.grad(lambda op, g: (None, None))
