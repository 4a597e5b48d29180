"""Optimizer steps: each op takes a variable, its slots and a gradient, and updates variable and slots at once.

One formula gives four op types: ApplyAdagrad and ResourceApplyAdagrad update the whole variable, SparseApplyAdagrad and
ResourceSparseApplyAdagrad the rows at `indices`. A formula takes the variable, its slots and the gradient, and returns the
new values of variable and slots. It may change the arrays in place: the kernel passes a large variable's own arrays if
nothing else refers to them (`Buffer.changed`), else copies, which the buffers take afterwards. A formula also works on
single numbers, so that Numba can compile a loop over them (`backends/fused.py`). No state.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..backends import fused
from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op.define import Ref, Sym, op, typevar
from ..op.shape_checks import INDEX, NUMBERS, invalid, text_of, uninitialized
from .state import handle_of

Formula = Callable[..., Any]
T = typevar("T", NUMBERS)
TINDICES = typevar("Tindices", INDEX)

# Op type -> caller.
CALLERS: dict[str, Any] = {}


class DenseStep(NamedTuple):
    """An op that updates whole variables, for one that computes several at once (runtime/devices/step_groups.py).

    states: how many inputs are the variable and its slots, the first ones. gradient: the place of the gradient among the inputs.
    flags: the attributes that the formula takes.
    """

    formula: Formula
    states: int
    gradient: int
    flags: tuple[str, ...]

    def in_order(self, inputs: Sequence[Any]) -> list[Any]:
        """The inputs in the order of the formula: variable and slots, the gradient, single numbers."""
        at = self.gradient
        return [*inputs[: self.states], inputs[at], *inputs[self.states : at], *inputs[at + 1 :]]

    @staticmethod
    def limits(dtype: np.dtype[Any]) -> tuple[Any, Any]:
        """The last arguments of the formula."""
        return _limits(dtype)


# Op type -> its step.
DENSE_STEPS: dict[str, DenseStep] = {}


def _optimizer(
    name: str, inputs: str, formula: Formula, *, slots: int, sparse: str | None = None, refs: bool = True, **attrs: bool
) -> None:
    """Defines the op types of one optimizer.

    inputs: the dense ops' inputs, the variable and its slots first; sparse: those of the ops for rows, None without them;
    refs: whether there are ops for reference variables, too.
    """
    for kind, names in (("", inputs), ("Sparse", sparse)):
        if names is not None:
            if refs:
                _define(f"{kind}Apply{name}", names, formula, slots, attrs, resource=False)
            _define(f"Resource{kind}Apply{name}", names, formula, slots, attrs, resource=True)


def _define(
    type: str, inputs: str, formula: Formula, slots: int, attrs: dict[str, bool], *, resource: bool
) -> None:
    names = inputs.split()
    count = slots + 1
    loop = _LOOPS.get(formula)
    state_names = names[:count]
    gradient_at = next(at for at, name in enumerate(names) if name in ("grad", "delta"))
    rows_at = names.index("indices") if "indices" in names else None
    singles = [at for at in range(count, len(names)) if at not in (gradient_at, rows_at)]

    def kernel(run: Any, *values: Any, use_locking: bool, **flags: bool) -> Any:
        # A handle refers to one buffer, whatever the handle's name.
        buffers = [value.buffer for value in values[:count]] if resource else values[:count]
        gradient = values[gradient_at]
        with buffers[0].lock:
            old = _values_of(buffers, names, resource)
            first = old[0]
            for at in singles:
                if values[at].shape:
                    raise invalid(f"{names[at]} is not a scalar: {text_of(values[at].shape)}")
            rest = (*[values[at][()] for at in singles], *[flags[name] for name in attrs], *_limits(first.dtype))
            if rows_at is not None:
                _check_rows(first, values[rows_at], gradient)
            elif gradient.shape != first.shape:
                raise _shapes_differ(first, gradient, names[gradient_at])

            def step(arrays: list[Any]) -> None:
                if rows_at is not None:
                    _apply_to_rows(formula, arrays, values[rows_at], gradient, rest)
                else:
                    _apply_formula(formula, loop, arrays, gradient, rest)

            is_large = first.size > _TILE or not _on_host(first)
            del old, first  # a reference to a value keeps it from being changed in place
            if is_large and buffers[0].changed(buffers, step):
                return () if resource else values[0]
            new = [np.array(b.value) if _on_host(b.value) else b.value.copy() for b in buffers]
            step(new)
            for buffer, value in zip(buffers, new):
                buffer.value = value if value.ndim else value[()]
        return () if resource else values[0]

    parameters = [inspect.Parameter("run", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name in names:
        note: Any = T
        if name in state_names:
            note = dtypes.resource if resource else Ref[T]
        elif name == "indices":
            note = TINDICES
        elif name == "global_step":
            note = dtypes.int64
        parameters.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=note))
    for name, default in {"use_locking": False, **attrs}.items():
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=bool))
    returns = None if resource else Ref[T]
    kernel.__signature__ = inspect.Signature(parameters, return_annotation=returns)  # type: ignore[attr-defined]
    kernel.__name__ = type
    kernel.__doc__ = _documentation(formula, rows_at is not None, resource)
    options: dict[str, Any] = {"stateful": True} if resource else {"out": "out", "aliases": "var"}
    access = dict.fromkeys(state_names, "update")
    rule = _shape_rule(names, state_names, resource)
    if rows_at is None:
        DENSE_STEPS[type] = DenseStep(formula, count, gradient_at, tuple(attrs))
    CALLERS[type] = op(type, shape=rule, access=access, role="optimizer_step", **options)(kernel)


def _documentation(formula: Formula, rows: bool, resource: bool) -> str:
    """The formula's docstring with the inputs' shapes before its source."""
    meaning, mark, source = (formula.__doc__ or "").partition(" Source: ")
    state, gradient = ("[n, ...]", "[k, ...] of the rows at indices [k]") if rows else ("any shape", "the same shape")
    subject = "Handles scalars, variable" if resource else "Variable"
    result = "" if resource else " -> the variable"
    words = f"{subject} and slots {state}, gradient {gradient}, other inputs scalars{result}."
    return f"{meaning} {words}{mark}{source}"


def _shape_rule(names: list[str], state_names: list[str], resource: bool) -> Callable[..., Any]:
    def rule(*syms: Sym, **attrs: Any) -> Any:
        symbols = dict(zip(names, syms))
        shape: Shape = None
        for name in state_names:
            shape = shapes.merge(shape, handle_of(symbols[name])[1] if resource else symbols[name].shape)
        for name, sym in symbols.items():
            if name in state_names:
                continue
            if name in ("grad", "delta"):
                rows = "indices" in symbols
                if rows and sym.shape is not None and shape is not None:
                    shapes.merge(sym.shape[1:], shape[1:])
                elif not rows:
                    shape = shapes.merge(shape, sym.shape)
            elif name == "indices":
                _of_rank(sym.shape, 1)
            else:
                _of_rank(sym.shape, 0)
        return [] if resource else shape

    return rule


def _of_rank(shape: Shape, rank: int) -> None:
    if shape is not None and len(shape) != rank:
        raise ShapeMismatch(f"Shape must be rank {rank} but is rank {len(shape)}")


def _values_of(buffers: Sequence[Any], names: list[str], resource: bool) -> list[Any]:
    values = [buffer.value for buffer in buffers]
    for value, buffer in zip(values, buffers):
        if value is None:
            raise _uninitialized(buffer, resource)
    for value, name in zip(values, names):
        if value.shape != values[0].shape:
            raise _shapes_differ(values[0], value, name)
    return values


def _uninitialized(buffer: Any, resource: bool) -> Exception:
    if resource:
        return uninitialized(
            f"Error while reading resource variable {buffer.name} from Container: localhost. This could mean that "
            f"the variable was uninitialized. Not found: Resource localhost/{buffer.name}/N10tensorflow3VarE does not exist."
        )
    return uninitialized(f"Attempting to use uninitialized value {buffer.name}")


def _shapes_differ(var: Any, value: Any, name: str) -> Exception:
    return invalid(f"var and {name} do not have the same shape{text_of(var.shape)} {text_of(value.shape)}")


@functools.cache
def _limits(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """The dtype's number 1, and its `floor`: the number whose neighbours are the smallest normal number away, so that a
    small number to which floor is added and subtracted again is rounded to a multiple of that.
    """
    if dtype.char not in "fd":
        return dtype.type(1), dtype.type(0)
    limits = np.finfo(dtype)
    return dtype.type(1), limits.tiny / limits.eps


# Tiles of this size of variable, slots, gradient and a formula's two or three arrays fit in a core's own cache together.
_TILE = 7 << 12


def _apply_formula(formula: Formula, loop: fused.Loop | None, arrays: list[Any], gradient: Any, rest: tuple[Any, ...]) -> None:
    """Replaces the arrays' contents by the formula's results.

    A formula is elementwise: tile by tile it gives the same numbers, and reads memory only once.
    """
    if loop is not None and _on_host(gradient) and loop.ran(arrays, gradient, rest):
        return
    pieces = [*arrays, gradient]
    size = gradient.size
    if size > _TILE and _on_host(gradient) and all(piece.flags.c_contiguous for piece in pieces):
        pieces = [piece.reshape(-1) for piece in pieces]
        tiles = [[piece[start : start + _TILE] for piece in pieces] for start in range(0, size, _TILE)]
    else:
        tiles = [pieces]
    for *state_tiles, gradient_tile in tiles:
        for array, value in zip(state_tiles, formula(*state_tiles, gradient_tile, *rest)):
            if value is not array:
                array[...] = value


def _on_host(value: Any) -> bool:
    """Whether the value lies on the host, where it is worked on in tiles and by compiled loops."""
    return isinstance(value, np.ndarray | np.generic)


def _check_rows(var: Any, indices: Any, gradient: Any) -> None:
    """Raises: InvalidArgumentError unless there are as many rows of the gradient as indices, all inside the variable."""
    if indices.ndim != 1:
        raise invalid("indices must be one-dimensional")
    bad = (indices < 0) | (indices >= var.shape[0])
    if bad.any():
        at = int(np.argmax(bad))
        raise invalid(f"Index {indices[at]} at offset {at} in indices is out of range")
    if len(gradient) != len(indices):
        raise invalid("grad must be the same size as indices in the first dimension.")


def _apply_to_rows(formula: Formula, arrays: list[Any], indices: Any, gradient: Any, rest: tuple[Any, ...]) -> None:
    """Applies the formula to the rows at indices of variable and slots, to a repeated row once each time."""
    is_met = np.zeros(len(arrays[0]), bool)
    is_met[indices] = True
    if np.count_nonzero(is_met) == len(indices):
        turns = [slice(None)]
    else:
        turns = [slice(at, at + 1) for at in range(len(indices))]
    for turn in turns:
        rows = indices[turn]
        changed = [array[rows] for array in arrays]
        _apply_formula(formula, None, changed, gradient[turn], rest)
        for array, row in zip(arrays, changed):
            array[rows] = row


# -- the formulas ------------------------------------------------------------------------------------------------------------
# Each takes the variable, its slots, the gradient, then single numbers in the order of the op's inputs, then its attributes.
# `one` is the number 1 of the variable's type. To a moving average `floor` is added and subtracted again, which rounds
# numbers below the smallest normal number to 0: TensorFlow does so too, and processors are many times slower with them.


def _by_descent(var: Any, delta: Any, alpha: Any, one: Any, floor: Any) -> Any:
    """Gradient descent: var - alpha · delta."""
    var -= alpha * delta
    return (var,)


def _proximal_point(prox: Any, rate: Any, l1: Any, l2: Any, one: Any) -> Any:
    """The proximal point: the number nearest to `prox` under the penalties l1 and l2."""
    if l1 > 0:
        prox = np.sign(prox) * np.maximum(np.abs(prox) - rate * l1, one - one)
    return prox / (one + l2 * rate)


def _by_proximal_descent(var: Any, delta: Any, alpha: Any, l1: Any, l2: Any, one: Any, floor: Any) -> Any:
    """Gradient descent with penalties l1 and l2. Source: Duchi and Singer, 2009."""
    return (_proximal_point(var - alpha * delta, alpha, l1, l2, one),)


def _by_momentum(
    var: Any, accum: Any, grad: Any, lr: Any, momentum: Any, use_nesterov: bool, one: Any, floor: Any
) -> Any:
    """Momentum: accum = momentum · accum + grad, var - lr · accum; Nesterov's looks one step ahead."""
    accum *= momentum
    accum += grad
    accum += floor
    accum -= floor
    var -= grad * lr + accum * momentum * lr if use_nesterov else accum * lr
    return var, accum


def _by_keras_momentum(
    var: Any, accum: Any, grad: Any, lr: Any, momentum: Any, use_nesterov: bool, one: Any, floor: Any
) -> Any:
    """Keras' momentum: accum = momentum · accum - lr · grad, var + accum; Nesterov's looks one step ahead."""
    accum *= momentum
    accum -= grad * lr
    accum += floor
    accum -= floor
    var += accum * momentum - grad * lr if use_nesterov else accum
    return var, accum


def _by_adam(
    var: Any, m: Any, v: Any, grad: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any,
    use_nesterov: bool, one: Any, floor: Any,
) -> Any:  # fmt: skip
    """Adam: var - alpha · m / (sqrt(v) + epsilon), m and v the moving averages of grad and grad². Source: Kingma and Ba, 2014."""
    alpha = lr * np.sqrt(one - beta2_power) / (one - beta1_power)
    # Intermediate results change in place where they can: new memory costs as much as an operation on it.
    work = grad * (one - beta1)
    m *= beta1
    m += work
    m += floor
    m -= floor
    work = grad * grad
    work *= one - beta2
    v *= beta2
    v += work
    v += floor
    v -= floor
    work = np.sqrt(v)
    work += epsilon
    work = (grad * (one - beta1) + beta1 * m if use_nesterov else m) / work
    work *= alpha
    var -= work
    return var, m, v


def _by_adagrad(var: Any, accum: Any, grad: Any, lr: Any, update_slots: bool, one: Any, floor: Any) -> Any:
    """Adagrad: accum + grad², var - lr · grad / sqrt(accum). Source: Duchi, Hazan and Singer, 2011."""
    if update_slots:
        accum += grad * grad
    var -= grad * lr / np.sqrt(accum)
    return var, accum


def _by_adagrad_v2(
    var: Any, accum: Any, grad: Any, lr: Any, epsilon: Any, update_slots: bool, one: Any, floor: Any
) -> Any:
    """Adagrad: accum + grad², var - lr · grad / (sqrt(accum) + epsilon). Source: Duchi, Hazan and Singer, 2011."""
    if update_slots:
        accum += grad * grad
    var -= grad * lr / (np.sqrt(accum) + epsilon)
    return var, accum


def _by_amsgrad(
    var: Any, m: Any, v: Any, vhat: Any, grad: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any,
    epsilon: Any, one: Any, floor: Any,
) -> Any:  # fmt: skip
    """Updates a variable as Adam does, but divides by the root of vhat, the largest v so far. Source: Reddi et al., 2018."""
    alpha = lr * np.sqrt(one - beta2_power) / (one - beta1_power)
    m += (grad - m) * (one - beta1)
    m += floor
    m -= floor
    v += (grad * grad - v) * (one - beta2)
    v += floor
    v -= floor
    vhat[...] = np.maximum(vhat, v)
    var -= alpha * m / (np.sqrt(vhat) + epsilon)
    return var, m, v, vhat


def _by_adamax(
    var: Any, m: Any, v: Any, grad: Any, beta1_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, one: Any, floor: Any
) -> Any:
    """Adam with v the largest |grad|, which shrinks by beta2 each step. Source: Kingma and Ba, 2014, section 7."""
    m += (grad - m) * (one - beta1)
    m += floor
    m -= floor
    v[...] = np.maximum(beta2 * v, np.abs(grad))
    var -= lr / (one - beta1_power) * (m / (v + epsilon))
    return var, m, v


def _by_adadelta(
    var: Any, accum: Any, accum_update: Any, grad: Any, lr: Any, rho: Any, epsilon: Any, one: Any, floor: Any
) -> Any:
    """Adadelta: the gradient times the ratio of the moving averages of earlier steps and gradients. Source: Zeiler, 2012."""
    accum *= rho
    accum += grad * grad * (one - rho)
    accum += floor
    accum -= floor
    step = np.sqrt(accum_update + epsilon) / np.sqrt(accum + epsilon) * grad
    var -= step * lr
    accum_update *= rho
    accum_update += step * step * (one - rho)
    accum_update += floor
    accum_update -= floor
    return var, accum, accum_update


def _by_dual_averaging(
    var: Any, gradient_accumulator: Any, gradient_squared_accumulator: Any, grad: Any, lr: Any, l1: Any, l2: Any,
    global_step: Any, one: Any, floor: Any,
) -> Any:  # fmt: skip
    """Adagrad by dual averaging: var follows from the sums of grad and grad² alone. Source: Duchi, Hazan and Singer, 2011."""
    sums, squares = gradient_accumulator, gradient_squared_accumulator
    sums += grad
    squares += grad * grad
    steps = var.dtype.type(global_step)
    pulled = np.sign(sums) * np.maximum(np.abs(sums) - l1 * steps, one - one) if l1 > 0 else sums
    return -lr * pulled / (l2 * lr * steps + np.sqrt(squares)), sums, squares


def _by_rms(
    var: Any, ms: Any, mom: Any, grad: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, one: Any, floor: Any
) -> Any:
    """RMSProp: grad / sqrt(ms + epsilon) with momentum, ms the moving average of grad². Source: Hinton, 2012, lecture 6."""
    ms += (grad * grad - ms) * (one - rho)
    ms += floor
    ms -= floor
    mom *= momentum
    mom += grad * lr / np.sqrt(ms + epsilon)
    mom += floor
    mom -= floor
    var -= mom
    return var, ms, mom


def _by_centered_rms(
    var: Any, mg: Any, ms: Any, mom: Any, grad: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, one: Any, floor: Any
) -> Any:
    """RMSProp with the moving variance ms - mg² in place of ms, mg the moving average of grad. Source: Graves, 2013."""
    ms += (grad * grad - ms) * (one - rho)
    ms += floor
    ms -= floor
    mg += (grad - mg) * (one - rho)
    mg += floor
    mg -= floor
    mom *= momentum
    mom += grad * lr / np.sqrt(ms - mg * mg + epsilon)
    mom += floor
    mom -= floor
    var -= mom
    return var, mg, ms, mom


def _by_ftrl(
    var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any, one: Any, floor: Any
) -> Any:
    """FTRL, follow the regularized leader. Source: McMahan et al., 2013."""
    return _ftrl_step(var, accum, linear, grad, grad, lr, l1, l2, lr_power, one)


def _by_ftrl_shrunk(
    var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, l2_shrinkage: Any, lr_power: Any, one: Any,
    floor: Any,
) -> Any:  # fmt: skip
    """FTRL with a penalty l2_shrinkage on large weights that accum does not count. Source: McMahan et al., 2013."""
    pull = grad + (one + one) * l2_shrinkage * var
    return _ftrl_step(var, accum, linear, grad, pull, lr, l1, l2, lr_power, one)


def _ftrl_step(
    var: Any, accum: Any, linear: Any, grad: Any, pull: Any, lr: Any, l1: Any, l2: Any, lr_power: Any, one: Any
) -> Any:
    def scale(sum_of_squares: Any) -> Any:
        return np.sqrt(sum_of_squares) if lr_power == -0.5 else sum_of_squares ** (-lr_power)

    before = scale(accum)
    accum += grad * grad
    after = scale(accum)
    linear += pull
    linear -= (after - before) / lr * var
    best = (l1 * np.sign(linear) - linear) / (after / lr + (one + one) * l2)
    return np.where(np.abs(linear) > l1, best, one - one), accum, linear


def _by_proximal_adagrad(var: Any, accum: Any, grad: Any, lr: Any, l1: Any, l2: Any, one: Any, floor: Any) -> Any:
    """Adagrad with penalties l1 and l2. Source: Duchi, Hazan and Singer, 2011."""
    accum += grad * grad
    rate = lr / np.sqrt(accum)
    return _proximal_point(var - grad * rate, rate, l1, l2, one), accum


# Compiled loops for formulas of sums, products, quotients and square roots alone, with the number of arrays they change:
# every processor rounds these operations alike.
_LOOPS = {
    formula: fused.Loop(formula, array_count)
    for formula, array_count in (
        (_by_descent, 1), (_by_momentum, 2), (_by_keras_momentum, 2), (_by_adam, 3), (_by_adagrad, 2), (_by_adagrad_v2, 2),
        (_by_adadelta, 3), (_by_rms, 3), (_by_centered_rms, 4),
    )
}  # fmt: skip

_optimizer("GradientDescent", "var alpha delta", _by_descent, slots=0)
_optimizer(
    "ProximalGradientDescent", "var alpha l1 l2 delta", _by_proximal_descent, slots=0, sparse="var alpha l1 l2 grad indices",
)  # fmt: skip
_optimizer(
    "Momentum", "var accum lr grad momentum", _by_momentum, slots=1, sparse="var accum lr grad indices momentum",
    use_nesterov=False,
)  # fmt: skip
_optimizer(
    "Adam", "var m v beta1_power beta2_power lr beta1 beta2 epsilon grad", _by_adam, slots=2, use_nesterov=False
)
_optimizer("Adagrad", "var accum lr grad", _by_adagrad, slots=1, sparse="var accum lr grad indices", update_slots=True)
_optimizer(
    "KerasMomentum", "var accum lr grad momentum", _by_keras_momentum, slots=1, sparse="var accum lr grad indices momentum",
    refs=False, use_nesterov=False,
)  # fmt: skip
_optimizer(
    "AdagradV2", "var accum lr epsilon grad", _by_adagrad_v2, slots=1, sparse="var accum lr epsilon grad indices",
    update_slots=True,
)  # fmt: skip
_optimizer("AdaMax", "var m v beta1_power lr beta1 beta2 epsilon grad", _by_adamax, slots=2)
_optimizer(
    "AdamWithAmsgrad", "var m v vhat beta1_power beta2_power lr beta1 beta2 epsilon grad", _by_amsgrad, slots=3, refs=False
)
_optimizer(
    "Adadelta", "var accum accum_update lr rho epsilon grad", _by_adadelta, slots=2,
    sparse="var accum accum_update lr rho epsilon grad indices",
)  # fmt: skip
_optimizer(
    "AdagradDA", "var gradient_accumulator gradient_squared_accumulator grad lr l1 l2 global_step", _by_dual_averaging, slots=2,
    sparse="var gradient_accumulator gradient_squared_accumulator grad indices lr l1 l2 global_step",
)  # fmt: skip
_optimizer(
    "RMSProp", "var ms mom lr rho momentum epsilon grad", _by_rms, slots=2,
    sparse="var ms mom lr rho momentum epsilon grad indices",
)  # fmt: skip
_optimizer(
    "CenteredRMSProp", "var mg ms mom lr rho momentum epsilon grad", _by_centered_rms, slots=3,
    sparse="var mg ms mom lr rho momentum epsilon grad indices",
)  # fmt: skip
_optimizer(
    "Ftrl", "var accum linear grad lr l1 l2 lr_power", _by_ftrl, slots=2,
    sparse="var accum linear grad indices lr l1 l2 lr_power",
)  # fmt: skip
_optimizer(
    "FtrlV2", "var accum linear grad lr l1 l2 l2_shrinkage lr_power", _by_ftrl_shrunk, slots=2,
    sparse="var accum linear grad indices lr l1 l2 l2_shrinkage lr_power",
)  # fmt: skip
_optimizer("ProximalAdagrad", "var accum lr l1 l2 grad", _by_proximal_adagrad, slots=1, sparse="var accum lr l1 l2 grad indices")
