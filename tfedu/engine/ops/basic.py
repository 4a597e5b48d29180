"""The ops that every graph needs: constants, placeholders, identities and packing.

`identity(x)` is the op of the counter lesson: it computes nothing, and passes its input's buffer on.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dtypes import DType
from ..base.shapes import Shape, ShapeMismatch
from ..op.callers import nodes
from ..op.define import Each, Many, ShapeAttr, Sym, TensorAttr, op, same_shape, typevar
from ..op.definition import types_of_role
from ..op.gradient_rules import KEEPS_AWAY, NOT_OF_VALUES, passed_on
from ..op.shape_checks import invalid

T = typevar("T")
D = typevar("dtype")


@op("Const", not_differentiable=NOT_OF_VALUES, shape=lambda *, value, dtype: np.shape(value), role="constant")
def const(xp: Any, *, value: TensorAttr, dtype: DType) -> "dtype":  # noqa: F821
    """The constant `value`, of any shape."""
    return value


@op("Placeholder", shape=lambda *, dtype, shape: shape, stateful=False, role="placeholder", commutes=True)
def placeholder(run: Any, *, dtype: DType, shape: ShapeAttr = None) -> "dtype":  # noqa: F821
    """A value that every run must feed: any shape that fits the attribute `shape`.

    Raises: InvalidArgumentError in a run that does not feed it.
    """
    name = f"placeholder tensor '{run.node.name}' with dtype {dtypes.runtime_name(dtype)}"
    if shape is not None and (len(shape) > 0):
        name += f" and shape {shapes.fmt(shape).replace(' ', '')}"
    raise invalid(
        f"You must feed a value for {name}",
        fix="session.run(…, feed_dict={x: value}), where x is what tf.placeholder gave; whatever the fetches need is to be fed",
    )


@op("PlaceholderWithDefault", shape=lambda input, *, shape: _default_shape(input, shape), role="placeholder_with_default")
def placeholder_with_default(xp: Any, input: D, *, shape: ShapeAttr) -> D:
    """The value that a run feeds, else `input`: any shape that fits the attribute `shape` -> the same shape."""
    return input


placeholder_with_default.grad(passed_on)


def _default_shape(input: Sym, shape: Shape) -> Shape:
    shapes.merge(input.shape, shape)
    return shape


@op("Identity", aliases="input", shape=same_shape, role="identity", gradient="dx = g")
def identity(xp: Any, input: T) -> T:
    """The input itself: passes its buffer on."""
    return input


identity.grad(passed_on)


@op("StopGradient", not_differentiable=KEEPS_AWAY, aliases="input", shape=same_shape)
def stop_gradient(xp: Any, input: T) -> T:
    """The input itself; no gradient passes."""
    return input


@op("GuaranteeConst", aliases="input", shape=same_shape, stateful=True)
def guarantee_const(xp: Any, input: T) -> T:
    """The input itself, which the program promises not to change; the engine makes no use of the promise.

    Raises: InvalidArgumentError for the handle of a resource.
    """
    if hasattr(input, "buffer"):
        raise invalid("Input tensor cannot be a resource variable handle.")
    return input


@op("PreventGradient", aliases="input", shape=same_shape, gradient="dx = g")
def prevent_gradient(xp: Any, input: T, *, message: str = "") -> T:
    """The input itself. Raises: LookupError when a gradient through it is asked for."""
    return input


@prevent_gradient.grad
def _(op: Any, g: Any) -> Any:
    raise LookupError(f"Gradient explicitly disabled. Reason: {op.attrs['message'].encode()!r}")


@op("IdentityN", shape=lambda input: [s.shape for s in input])
def identity_n(xp: Any, input: Each["T"]) -> Each["T"]:
    """The inputs themselves, each of any shape."""
    return list(input)


@identity_n.grad
def _(op: Any, *gs: Any) -> Any:
    return gs


@op("NoOp", role="noop")
def no_op(xp: Any) -> None:
    """Does nothing: control edges from other nodes give it something to wait for."""
    return ()  # type: ignore[return-value]


@op("Pack")
def pack(xp: Any, values: Many[T], *, axis: int = 0) -> T:
    """Stacks n tensors [d...] along a new axis: [n, d...] for axis 0.

    Raises: InvalidArgumentError when their shapes differ.
    """
    is_object = not hasattr(values[0], "shape")  # a string or a handle
    shape = () if is_object else values[0].shape
    for i, value in enumerate(values):
        if getattr(value, "shape", ()) != shape:
            first, other = (shapes.fmt(np.shape(v)).replace(" ", "") for v in (values[0], value))
            text = f"Shapes of all inputs must match: values[0].shape = {first} != values[{i}].shape = {other}"
            raise errors.InvalidArgumentError(None, None, text)
    rank = len(shape) + 1
    if not -rank <= axis < rank:
        raise errors.InvalidArgumentError(None, None, f"axis = {axis} not in [{-rank}, {rank})")
    if is_object or not shape:
        out = np.empty(len(values), object if is_object else values[0].dtype)
        out[:] = values
        return out
    at = axis % rank
    out = np.empty((*shape[:at], len(values), *shape[at:]), values[0].dtype)
    before = (slice(None),) * at
    for i, value in enumerate(values):
        out[(*before, i)] = value
    return out


@pack.shape
def _(values: list[Sym], *, axis: int) -> Shape:
    merged: Shape = None
    for sym in values:
        try:
            merged = shapes.merge(merged, sym.shape)
        except ShapeMismatch:
            first = next(i for i, v in enumerate(values) if not shapes.is_compatible(v.shape, sym.shape))
            at = values.index(sym)
            if len(values[first].shape or ()) != len(sym.shape or ()):
                raise ShapeMismatch(
                    f"Shapes must be equal rank, but are {len(values[first].shape or ())} and {len(sym.shape or ())}\n"
                    f"\tFrom merging shape {first} with other shapes."
                ) from None
            d = next(
                i
                for i, (a, b) in enumerate(zip(values[first].shape or (), sym.shape or ()))
                if None not in (a, b) and a != b
            )
            raise ShapeMismatch(
                f"Dimension {d} in both shapes must be equal, but are {values[first].shape[d]} and {sym.shape[d]}. "  # type: ignore[index]
                f"Shapes are {shapes.fmt(values[first].shape)} and {shapes.fmt(sym.shape)}.\n"
                f"\tFrom merging shape {first if at > first else at} with other shapes."
            ) from None
    if merged is None:
        return None
    rank = len(merged) + 1
    if not -rank <= axis < rank:
        raise ShapeMismatch(
            f"Invalid axis: {axis}; must be in [-{rank},{rank})"
        )
    at = axis % rank
    return (*merged[:at], len(values), *merged[at:])


@pack.grad
def _(op: Any, g: Any) -> Any:
    return nodes.Unpack(g, num=op.attrs["N"], axis=op.attrs["axis"], name="unstack")


# The types of the nodes that every run must feed.
PLACEHOLDERS: Final = types_of_role("placeholder")

__all__ = ["const", "dtypes", "identity", "identity_n", "no_op", "pack", "placeholder"]
