"""Ops that train: each takes a variable, its slots and a gradient, and puts new values into all of them at once.

One formula gives four op types: ApplyAdam and ResourceApplyAdam change the whole variable, SparseApplyAdam and
ResourceSparseApplyAdam the rows that `indices` names. A formula gets the variable, its slots and the gradient, and gives what
the variable and its slots become. Arrays it may change in place for that: whose they are, is the kernel's affair, a large
variable's own where nobody else holds them (`Buffer.changing`), else copies, which the buffers get afterwards. Single
numbers serve as well, so that Numba can make a loop over them of the same formula (`backends/fused.py`). No state.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..backends import fused
from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from .define import Ref, Sym, op, typevar
from .rules import INDEX, NUMBERS, invalid, text_of, uninitialized
from .state import handle_of

Formula = Callable[..., Any]
T = typevar("T", NUMBERS)
TINDICES = typevar("Tindices", INDEX)

# The callers, by op type.
CALLERS: dict[str, Any] = {}


def _trains(
    name: str, inputs: str, formula: Formula, *, slots: int, sparse: str | None = None, **attrs: bool
) -> None:
    """Defines the op types of one method.

    inputs: the dense op's, the variable and its slots first; `sparse`: those of the op for rows, where there is one.
    """
    _define(f"Apply{name}", inputs, formula, slots, attrs, resource=False)
    _define(f"ResourceApply{name}", inputs, formula, slots, attrs, resource=True)
    if sparse is not None:
        _define(f"SparseApply{name}", sparse, formula, slots, attrs, resource=False)
        _define(f"ResourceSparseApply{name}", sparse, formula, slots, attrs, resource=True)


def _define(
    type: str, inputs: str, formula: Formula, slots: int, attrs: dict[str, bool], *, resource: bool
) -> None:
    names = inputs.split()
    count = slots + 1
    loop = _LOOPS.get(formula)
    held, taken = names[:count], names[count:]
    of_rows = "indices" in names

    def kernel(run: Any, *values: Any, use_locking: bool, **given: Any) -> Any:
        # One handle is one buffer, whatever it is called.
        buffers = [value.buffer for value in values[:count]] if resource else values[:count]
        with buffers[0].lock:
            old = [_held(run, buffer, resource) for buffer in buffers]
            others = dict(zip(taken, values[count:]))
            _check(held, old, others)
            if of_rows:
                new = _rows_changed(formula, old, others, given)
            elif old[0].size <= _TILE:
                new = [np.array(value) for value in old]
                _changed(formula, loop, new, {**others, **given})
            else:
                del old  # whoever holds a value keeps it from being changed
                with buffers[0].changing(buffers) as arrays:
                    new = arrays or [np.array(buffer.value) for buffer in buffers]
                    _changed(formula, loop, new, {**others, **given})
                if arrays is not None:
                    return () if resource else values[0]
            for buffer, value in zip(buffers, new):
                buffer.value = value if value.ndim else value[()]
        return () if resource else values[0]

    parameters = [inspect.Parameter("run", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name in names:
        note: Any = T
        if name in held:
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
    kernel.__doc__ = (formula.__doc__ or "").strip()
    options: dict[str, Any] = {"stateful": True} if resource else {"out": "out", "aliases": "var"}
    CALLERS[type] = op(type, shape=_shape_rule(names, held, resource), **options)(kernel)


def _shape_rule(names: list[str], held: list[str], resource: bool) -> Callable[..., Any]:
    def rule(*syms: Sym, **attrs: Any) -> Any:
        given = dict(zip(names, syms))
        shape: Shape = None
        for name in held:
            shape = shapes.merge(shape, handle_of(given[name])[1] if resource else given[name].shape)
        for name, sym in given.items():
            if name in held:
                continue
            if name in ("grad", "delta"):
                rows = "indices" in given
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


def _held(run: Any, buffer: Any, resource: bool) -> Any:
    value = buffer.value
    if value is None and resource:
        raise uninitialized(
            f"Error while reading resource variable {buffer.name} from Container: localhost. This could mean that "
            f"the variable was uninitialized. Not found: Resource localhost/{buffer.name}/N10tensorflow3VarE does not exist."
        )
    if value is None:
        raise uninitialized(f"Attempting to use uninitialized value {buffer.name}")
    return value


def _check(held: list[str], old: list[Any], others: dict[str, Any]) -> None:
    shape = old[0].shape
    for name, value in zip(held[1:], old[1:]):
        if value.shape != shape:
            raise invalid(f"var and {name} do not have the same shape{text_of(shape)} {text_of(value.shape)}")
    for name, value in others.items():
        if name in ("grad", "delta"):
            if value.shape != shape and "indices" not in others:
                raise invalid(f"var and {name} do not have the same shape{text_of(shape)} {text_of(value.shape)}")
        elif name == "indices":
            if value.ndim != 1:
                raise invalid("indices must be one-dimensional")
        elif value.shape:
            raise invalid(f"{name} is not a scalar: {text_of(value.shape)}")


# So many elements of a variable, its slots, its gradient and a formula's two or three arrays stay in a core's own cache.
_TILE = 7 << 12


def _changed(formula: Formula, loop: fused.Loop | None, arrays: list[Any], given: dict[str, Any]) -> None:
    """Puts into the arrays what the formula gives for them; `given` has what else it takes, the gradient too.

    A formula is elementwise: tile by tile it gives the same numbers, and what it takes from memory it takes once.
    """
    name = "grad" if "grad" in given else "delta"
    given["one"] = arrays[0].dtype.type(1)
    if loop is not None and loop.ran(arrays, given[name], given):
        return
    pieces = [*arrays, given[name]]
    size = pieces[0].size
    if size > _TILE and all(piece.flags.c_contiguous for piece in pieces):
        pieces = [piece.reshape(-1) for piece in pieces]
        tiles = [[piece[start : start + _TILE] for piece in pieces] for start in range(0, size, _TILE)]
    else:
        tiles = [pieces]
    for *held, gradient in tiles:
        for array, value in zip(held, formula(*held, **{**given, name: gradient})):
            if value is not array:
                array[...] = value


def _rows_changed(
    formula: Formula, old: list[Any], others: dict[str, Any], attrs: dict[str, Any]
) -> list[Any]:
    """The same for some rows; a row that is named twice changes twice, in that order."""
    indices, grad = np.asarray(others.pop("indices")), np.asarray(others.pop("grad"))
    length = np.shape(old[0])[0]
    bad = (indices < 0) | (indices >= length)
    if bad.any():
        at = int(np.argmax(bad))
        raise invalid(f"Index {indices[at]} at offset {at} in indices is out of range")
    if len(grad) != len(indices):
        raise invalid("grad must be the same size as indices in the first dimension.")
    new = [np.array(value) for value in old]
    turns = [np.arange(len(indices))]
    if len(np.unique(indices)) < len(indices):
        turns = np.split(turns[0], len(indices))
    for turn in turns:
        rows = indices[turn]
        changed = [value[rows] for value in new]
        _changed(formula, None, changed, {**others, **attrs, "grad": grad[turn]})
        for value, row in zip(new, changed):
            value[rows] = row
    return new


# -- the formulas: `one` is the number 1 of the variable's type ------------------------------------------------------------


def _descended(var: Any, delta: Any, alpha: Any, one: Any) -> Any:
    """var - alpha · delta."""
    var -= alpha * delta
    return (var,)


def _shrunk(prox: Any, rate: Any, l1: Any, l2: Any, one: Any) -> Any:
    """The nearest point to `prox` under the penalties l1 and l2."""
    if l1 > 0:
        prox = np.sign(prox) * np.maximum(np.abs(prox) - rate * l1, one - one)
    return prox / (one + l2 * rate)


def _proximally(var: Any, alpha: Any, l1: Any, l2: Any, one: Any, delta: Any = None, grad: Any = None) -> Any:
    """A step of gradient descent with penalties l1 and l2. Source: Duchi and Singer, 2009."""
    return (_shrunk(var - alpha * (grad if delta is None else delta), alpha, l1, l2, one),)


def _with_momentum(var: Any, accum: Any, grad: Any, lr: Any, momentum: Any, use_nesterov: bool, one: Any) -> Any:
    """The step is the fading sum of the gradients; Nesterov's looks one step ahead."""
    accum *= momentum
    accum += grad
    var -= grad * lr + accum * momentum * lr if use_nesterov else accum * lr
    return var, accum


def _by_adam(
    var: Any, m: Any, v: Any, grad: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any,
    use_nesterov: bool, one: Any,
) -> Any:  # fmt: skip
    """Steps of the fading mean of the gradients over the root of that of their squares. Source: Kingma and Ba, 2014."""
    alpha = lr * np.sqrt(one - beta2_power) / (one - beta1_power)
    # What is on the way changes in place where it can: to fetch new memory costs as much as an operation on it.
    work = grad * (one - beta1)
    m *= beta1
    m += work
    work = grad * grad
    work *= one - beta2
    v *= beta2
    v += work
    work = np.sqrt(v)
    work += epsilon
    work = (grad * (one - beta1) + beta1 * m if use_nesterov else m) / work
    work *= alpha
    var -= work
    return var, m, v


def _by_adagrad(var: Any, accum: Any, grad: Any, lr: Any, update_slots: bool, one: Any) -> Any:
    """Steps over the root of the sum of squares. Source: Duchi, Hazan and Singer, 2011."""
    if update_slots:
        accum += grad * grad
    var -= grad * lr / np.sqrt(accum)
    return var, accum


def _by_adadelta(
    var: Any, accum: Any, accum_update: Any, grad: Any, lr: Any, rho: Any, epsilon: Any, one: Any
) -> Any:
    """Steps as large as the steps before, over the gradients before. Source: Zeiler, 2012."""
    accum *= rho
    accum += grad * grad * (one - rho)
    step = np.sqrt(accum_update + epsilon) / np.sqrt(accum + epsilon) * grad
    var -= step * lr
    accum_update *= rho
    accum_update += step * step * (one - rho)
    return var, accum, accum_update


def _by_averages(
    var: Any, gradient_accumulator: Any, gradient_squared_accumulator: Any, grad: Any, lr: Any, l1: Any, l2: Any,
    global_step: Any, one: Any,
) -> Any:  # fmt: skip
    """Adagrad by dual averaging: the variable follows from the sums alone. Source: Duchi, Hazan and Singer, 2011."""
    sums, squares = gradient_accumulator, gradient_squared_accumulator
    sums += grad
    squares += grad * grad
    steps = var.dtype.type(global_step)
    pulled = np.sign(sums) * np.maximum(np.abs(sums) - l1 * steps, one - one) if l1 > 0 else sums
    return -lr * pulled / (l2 * lr * steps + np.sqrt(squares)), sums, squares


def _by_rms(
    var: Any, ms: Any, mom: Any, grad: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, one: Any
) -> Any:
    """Steps over the root of the fading mean of squares, with momentum. Source: Hinton's lecture 6, 2012."""
    ms += (grad * grad - ms) * (one - rho)
    mom *= momentum
    mom += grad * lr / np.sqrt(ms + epsilon)
    var -= mom
    return var, ms, mom


def _by_centered_rms(
    var: Any, mg: Any, ms: Any, mom: Any, grad: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, one: Any
) -> Any:
    """The same over the deviation of the gradients. Source: Graves, 2013."""
    ms += (grad * grad - ms) * (one - rho)
    mg += (grad - mg) * (one - rho)
    mom *= momentum
    mom += grad * lr / np.sqrt(ms - mg * mg + epsilon)
    var -= mom
    return var, mg, ms, mom


def _following(
    var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any, one: Any, l2_shrinkage: Any = None
) -> Any:  # fmt: skip
    """Follow the regularized leader. Source: McMahan and others, 2013."""

    def scale(sum_of_squares: Any) -> Any:
        return np.sqrt(sum_of_squares) if lr_power == -0.5 else sum_of_squares ** (-lr_power)

    two = one + one
    before = scale(accum)
    pull = grad if l2_shrinkage is None else grad + two * l2_shrinkage * var
    accum += grad * grad
    after = scale(accum)
    linear += pull
    linear -= (after - before) / lr * var
    best = (l1 * np.sign(linear) - linear) / (after / lr + two * l2)
    return np.where(np.abs(linear) > l1, best, one - one), accum, linear


def _adagrad_proximally(var: Any, accum: Any, grad: Any, lr: Any, l1: Any, l2: Any, one: Any) -> Any:
    """Adagrad with penalties l1 and l2. Source: Duchi, Hazan and Singer, 2011."""
    accum += grad * grad
    rate = lr / np.sqrt(accum)
    return _shrunk(var - grad * rate, rate, l1, l2, one), accum


# The loops of those that are sums, products, quotients and square roots alone, by how many arrays they change: each of
# these operations is rounded exactly, by whomever it is computed.
_LOOPS = {
    formula: fused.Loop(formula, held)
    for formula, held in (
        (_descended, 1), (_with_momentum, 2), (_by_adam, 3), (_by_adagrad, 2), (_by_adadelta, 3), (_by_rms, 3),
        (_by_centered_rms, 4),
    )
}  # fmt: skip

_trains("GradientDescent", "var alpha delta", _descended, slots=0)
_trains("ProximalGradientDescent", "var alpha l1 l2 delta", _proximally, slots=0, sparse="var alpha l1 l2 grad indices")
_trains(
    "Momentum", "var accum lr grad momentum", _with_momentum, slots=1, sparse="var accum lr grad indices momentum",
    use_nesterov=False,
)  # fmt: skip
_trains(
    "Adam", "var m v beta1_power beta2_power lr beta1 beta2 epsilon grad", _by_adam, slots=2, use_nesterov=False
)
_trains("Adagrad", "var accum lr grad", _by_adagrad, slots=1, sparse="var accum lr grad indices", update_slots=True)
_trains(
    "Adadelta", "var accum accum_update lr rho epsilon grad", _by_adadelta, slots=2,
    sparse="var accum accum_update lr rho epsilon grad indices",
)  # fmt: skip
_trains(
    "AdagradDA", "var gradient_accumulator gradient_squared_accumulator grad lr l1 l2 global_step", _by_averages, slots=2,
    sparse="var gradient_accumulator gradient_squared_accumulator grad indices lr l1 l2 global_step",
)  # fmt: skip
_trains(
    "RMSProp", "var ms mom lr rho momentum epsilon grad", _by_rms, slots=2,
    sparse="var ms mom lr rho momentum epsilon grad indices",
)  # fmt: skip
_trains(
    "CenteredRMSProp", "var mg ms mom lr rho momentum epsilon grad", _by_centered_rms, slots=3,
    sparse="var mg ms mom lr rho momentum epsilon grad indices",
)  # fmt: skip
_trains(
    "Ftrl", "var accum linear grad lr l1 l2 lr_power", _following, slots=2,
    sparse="var accum linear grad indices lr l1 l2 lr_power",
)  # fmt: skip
_trains(
    "FtrlV2", "var accum linear grad lr l1 l2 l2_shrinkage lr_power", _following, slots=2,
    sparse="var accum linear grad indices lr l1 l2 l2_shrinkage lr_power",
)  # fmt: skip
_trains("ProximalAdagrad", "var accum lr l1 l2 grad", _adagrad_proximally, slots=1, sparse="var accum lr l1 l2 grad indices")
