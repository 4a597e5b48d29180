"""Comparisons, logic and selection: Equal, Less, …, LogicalAnd, Select, Where.

Comparisons give bool. Strings compare as byte strings.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Sym, binary, compare, op, typevar, unary
from ..op.gradient_rules import TRUE_OR_FALSE
from ..op.shape_checks import NUMBERS, Any_, Number, Real, as_array, fit, invalid, text_of, unequal

less = compare("Less", "less", Real, "Whether x < y.", name="less", expr="{x} < {y}")
less_equal = compare("LessEqual", "less_equal", Real, "Whether x <= y.", name="less_equal", expr="{x} <= {y}")
greater = compare("Greater", "greater", Real, "Whether x > y.", name="greater", expr="{x} > {y}")
greater_equal = compare("GreaterEqual", "greater_equal", Real, "Whether x >= y.", name="greater_equal",
                        expr="{x} >= {y}")  # fmt: skip

Bool = dtypes.bool
logical_and = binary(
    "LogicalAnd", "logical_and", Bool, "Whether both x and y hold.", name="logical_and", expr="{x} & {y}",
    not_differentiable=TRUE_OR_FALSE,
)
logical_or = binary(
    "LogicalOr", "logical_or", Bool, "Whether x or y holds.", name="logical_or", expr="{x} | {y}",
    not_differentiable=TRUE_OR_FALSE,
)
logical_not = unary(
    "LogicalNot", "logical_not", Bool, "Whether x does not hold.", name="logical_not", not_differentiable=TRUE_OR_FALSE
)


@op("Equal", not_differentiable=TRUE_OR_FALSE, out="z", fresh=True, scalar="{x} == {y}", role="comparison")
def equal(xp: Any, x: Any_, y: Any_, *, incompatible_shape_error: bool = True) -> dtypes.bool:
    """Whether x equals y, element by element: shapes that broadcast -> the broadcast shape. If they do not: False, a
    scalar, without incompatible_shape_error.
    """
    return _compared(xp, np.equal, x, y, incompatible_shape_error, False)


@op("NotEqual", not_differentiable=TRUE_OR_FALSE, out="z", fresh=True, scalar="{x} != {y}", role="comparison")
def not_equal(xp: Any, x: Any_, y: Any_, *, incompatible_shape_error: bool = True) -> dtypes.bool:
    """Whether x differs from y, element by element: shapes that broadcast -> the broadcast shape. If they do not: True,
    a scalar, without incompatible_shape_error.
    """
    return _compared(xp, np.not_equal, x, y, incompatible_shape_error, True)


def _compared(xp: Any, function: Any, x: Any, y: Any, strict: bool, otherwise: bool) -> Any:
    if isinstance(x, bytes) or isinstance(y, bytes) or x.dtype == object:
        # as_array, because a scalar string is a bytes object; NumPy compares object arrays with Python's operators.
        return np.asarray(function(as_array(x), as_array(y))).astype(np.bool_)[()]
    if not strict and not fit(x.shape, y.shape):
        return xp.bool_(otherwise)
    return function(x, y)


def _equality_shape(x: Sym, y: Sym, *, incompatible_shape_error: bool) -> Shape:
    try:
        return shapes.broadcast(x.shape, y.shape)
    except ShapeMismatch:
        if incompatible_shape_error:
            raise
        return ()


equal.shape(_equality_shape)
not_equal.shape(_equality_shape)


@op("ApproximateEqual", not_differentiable=TRUE_OR_FALSE, out="z", fresh=True)
def approximate_equal(xp: Any, x: Number, y: Number, *, tolerance: float = 1e-05) -> dtypes.bool:
    """Whether |x - y| < tolerance: any shape, x and y alike -> the same shape.

    Raises: InvalidArgumentError when the shapes differ.
    """
    if x.shape != y.shape:
        raise invalid(
            f"x and y must be of the same shape. x shape: {text_of(x.shape)}. y shape: {text_of(y.shape)}"
        )
    return xp.abs(x - y) < tolerance


approximate_equal.shape(lambda x, y, *, tolerance: shapes.merge(x.shape, y.shape))


@op("Select", raw_names={"t": "x", "e": "y"})
def select(xp: Any, condition: dtypes.bool, t: Any_, e: Any_) -> Any_:
    """t where the condition holds, else e: condition [d...], t [d...], e [d...] -> [d...]; a condition [n] chooses rows
    of t and e [n, ...].

    Raises: InvalidArgumentError when the shapes do not match.
    """
    if condition.ndim == 0 and np.shape(t) == np.shape(e):
        return t if condition else e
    first, second = as_array(t), as_array(e)
    if condition.ndim == 0 or (condition.ndim == 1 and first.ndim != 1):
        # One condition for all elements, or one for each row.
        if first.shape != second.shape:
            raise invalid(
                "'then' and 'else' must have the same size.  but received: "
                f"{text_of(first.shape)} vs. {text_of(second.shape)}"
            )
        if not first.ndim:
            raise invalid(f"'then' must be at least a vector, but saw shape: {text_of(first.shape)}")
        if len(first) != len(condition):
            raise invalid(
                f"Number of batches of 'then' must match size of 'cond', but saw: {len(first)} vs. {len(condition)}"
            )
        return np.where(condition.reshape(-1, *[1] * (first.ndim - 1)), first, second)
    for at, array in ((1, first), (2, second)):
        if array.shape != condition.shape:
            raise unequal("Select", 0, condition.shape, at, array.shape)
    return np.where(condition, first, second)


@select.shape
def _(condition: Sym, t: Sym, e: Sym) -> Shape:
    data = shapes.merge(t.shape, e.shape)
    test = condition.shape
    if test is None or data is None or test == ():
        return data
    if len(data) == 0:
        return shapes.merge(data, test)
    if len(test) == 1:
        # One condition for each row: the result's shape is the data's.
        shapes.merge(test, data[:1])
        return data
    return shapes.merge(data, test)


@select.grad
def _(op: Any, g: Any) -> Any:
    condition, t, _ = op.inputs
    zeros = functions.zeros_like(t)
    return None, select(condition, g, zeros), select(condition, zeros, g)


@op("SelectV2", fresh=True)
def select_v2(xp: Any, condition: dtypes.bool, t: Any_, e: Any_) -> Any_:
    """t where the condition holds, else e: three shapes that broadcast -> the broadcast shape.

    Raises: InvalidArgumentError when they do not broadcast.
    """
    first, second = as_array(t), as_array(e)
    if not fit(np.shape(condition), first.shape, second.shape):
        three = f"condition {text_of(condition.shape)}, then {text_of(first.shape)}, and else {text_of(second.shape)}"
        raise invalid(f"{three} must be broadcastable")
    return np.where(condition, first, second)[()]


@select_v2.shape
def _(condition: Sym, t: Sym, e: Sym) -> Shape:
    return shapes.broadcast(condition.shape, shapes.broadcast(t.shape, e.shape))


@select_v2.grad
def _(op: Any, g: Any) -> Any:
    condition, t, e = op.inputs
    zero = functions.zeros([], dtype=g.dtype.base_dtype)

    def of_branch(chosen: Any, value: Any) -> Any:
        sizes = functions.shape(value)
        repeated, _ = nodes.BroadcastGradientArgs(sizes, functions.shape(op.outputs[0]))
        return nodes.Reshape(nodes.Sum(chosen, repeated, keep_dims=True), sizes)

    dt = of_branch(select_v2(condition, g, zero), t)
    return None, dt, of_branch(select_v2(condition, zero, g), e)


@op("Where", out="index", fresh=True, raw_names={"input": "condition"})
def where(xp: Any, input: typevar("T", (*NUMBERS, dtypes.bool), default=dtypes.bool)) -> dtypes.int64:
    """The coordinates of the elements that are true or not 0, in row-major order: [d...] -> [n, rank]."""
    array = as_array(input)
    if array.ndim == 0:
        raise invalid("WhereOp : Unhandled input dimensions: 0")
    return np.argwhere(array).astype(np.int64, copy=False)


@where.shape
def _(input: Sym) -> Shape:
    return (None, None if input.shape is None else len(input.shape))
