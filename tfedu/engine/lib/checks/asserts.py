"""Assertions in a graph: `assert_equal(x, y)` and its family, `Assert`, `Print`.

A statically known violation raises at once (InvalidArgumentError, ValueError or TypeError); otherwise a node fails in
the run. The node checks only runs that execute it: pass it to `control_dependencies`. No state.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...base import dtypes, errors
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...ops import control_flow
from ..control.cond import cond
from ..control.grouping import no_op
from ..framework.scope_blocks import named
from ..framework.static_value import static_value
from ..math import math, reductions

_SUMMARIZE = 3


def tensors_among(*values: Any) -> list[Any]:
    """The tensors among the arguments, whose graph a function builds in."""
    return [v for v in values if isinstance(v, Tensor)]


@atomic
def Assert(
    condition: Any, data: Iterable[Any], summarize: int | None = None, name: str | None = None
) -> Operation:
    """An operation that fails with `data` in its message unless `condition`, a bool scalar, holds.

    summarize: the number of elements of each tensor in the message (3).
    """
    data = list(data)
    entries = _SUMMARIZE if summarize is None else summarize
    with named(name, "Assert", tensors_among(condition, *data)):
        kinds = {convert_to_tensor(value).dtype.base_dtype for value in data}
        check: Callable[[], Operation] = functools.partial(
            control_flow.assert_, condition, data, summarize=entries, name="Assert"
        )
        if kinds <= {dtypes.string, dtypes.int32}:
            # As in TF, data that is cheap to copy needs no cond around the check.
            return check()
        condition = convert_to_tensor(condition, name="Condition")
        return cond(condition, no_op, check, name="AssertGuard").op  # type: ignore[no-any-return]


def Print(
    input_: Any,
    data: Iterable[Any],
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`input_` [...]; each run that executes the node writes `message` and `data` to standard error.

    first_n: the number of times that it writes (-1: always). summarize: the number of elements of each tensor (3).
    """
    output: Tensor = control_flow.print_(
        input_,
        data if isinstance(data, Tensor) else list(data),
        message=message or "",
        first_n=-1 if first_n is None else first_n,
        summarize=_SUMMARIZE if summarize is None else summarize,
        name=name,
    )
    return output


def message_prefix(message: str | None) -> str:
    """The caller's message as a prefix of the error of an assertion that fails when it is made."""
    return f"{message}.  " if message else ""


# -- elementwise ----------------------------------------------------------------------------------------------------


def _raise_invalid(data: Iterable[Any]) -> None:
    lines = []
    for item in data:
        value = static_value(item) if isinstance(item, Tensor) else None
        lines.append(str(item if value is None else value))
    raise errors.InvalidArgumentError(None, None, error_text("\n".join(lines)))


@atomic
def _elementwise(
    sign: str,
    title: str,
    compare: Callable[..., Tensor],
    x: Any,
    y: Any,
    data: Any,
    summarize: int | None,
    message: str | None,
    name: str | None,
) -> Operation:
    """An operation that fails unless `x sign y` holds for every element."""
    with named(name, title, tensors_among(x, y, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y")
        if data is None:
            data = [
                f"Condition x {sign} y did not hold element-wise:",
                f"x ({x.name}) = ",
                x,
                f"y ({y.name}) = ",
                y,
            ]
        data = list(data)
        if message is not None:
            data = [message, *data]
        holds = reductions.reduce_all(compare(x, y))
        static_values = [static_value(x), static_value(y)]
        if static_values[0] is not None and static_values[1] is not None and not np.all(_NUMPY[sign](*static_values)):
            _raise_invalid(data)
        return Assert(holds, data, summarize=summarize)


_NUMPY: dict[str, Callable[[Any, Any], Any]] = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip


@atomic
def assert_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x == y for all elements; x [...] and y [...] broadcast.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    with named(name, "assert_equal", tensors_among(x, y, *(data or ()))):
        if x is y:
            return no_op()
    return _elementwise("==", "assert_equal", math.equal, x, y, data, summarize, message, name)


def assert_none_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x != y for all elements; x [...] and y [...] broadcast.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    return _elementwise("!=", "assert_none_equal", math.not_equal, x, y, data, summarize, message, name)


def assert_less(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x < y for all elements; x [...] and y [...] broadcast.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    return _elementwise("<", "assert_less", math.less, x, y, data, summarize, message, name)


def assert_less_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x <= y for all elements; x [...] and y [...] broadcast.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    return _elementwise("<=", "assert_less_equal", math.less_equal, x, y, data, summarize, message, name)


def assert_greater(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x > y for all elements; x [...] and y [...] broadcast.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    return _elementwise(">", "assert_greater", math.greater, x, y, data, summarize, message, name)


def assert_greater_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x >= y for all elements; x [...] and y [...] broadcast.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    return _elementwise(
        ">=", "assert_greater_equal", math.greater_equal, x, y, data, summarize, message, name
    )


@atomic
def _against_zero(
    sign: str, title: str, x: Any, data: Any, summarize: int | None, message: str | None, name: str | None
) -> Operation:
    """An operation that fails unless `x sign 0` holds for every element."""
    with named(name, title, tensors_among(x, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        if data is None:
            texts = [f"Condition x {sign} 0 did not hold element-wise:", f"x ({x.name}) = "]
            # TF 1.15 joins the two texts in this one check.
            data = [message or "", *(["".join(texts)] if sign == "<=" else texts), x]
        zero = convert_to_tensor(0, dtype=x.dtype)
        low, high = (x, zero) if sign.startswith("<") else (zero, x)
        check = assert_less_equal if sign.endswith("=") else assert_less
        return check(low, high, data=data, summarize=summarize)


def assert_negative(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless all elements of x [...] are below 0.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    return _against_zero("<", "assert_negative", x, data, summarize, message, name)


def assert_positive(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless all elements of x [...] are above 0.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    return _against_zero(">", "assert_positive", x, data, summarize, message, name)


def assert_non_negative(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless all elements of x [...] are 0 or above.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    return _against_zero(">=", "assert_non_negative", x, data, summarize, message, name)


def assert_non_positive(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless all elements of x [...] are 0 or below.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    return _against_zero("<=", "assert_non_positive", x, data, summarize, message, name)


@atomic
def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless |x - y| < atol + rtol · |y| for all elements; x [...] and y [...] broadcast.

    rtol, atol: by default ten times the dtype's machine epsilon.
    """
    with named(name, "assert_near", tensors_among(x, y, rtol, atol, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y")
        precision = np.finfo(x.dtype.as_numpy_dtype).eps
        rtol = convert_to_tensor(10 * precision if rtol is None else rtol, dtype=x.dtype, name="rtol")
        atol = convert_to_tensor(10 * precision if atol is None else atol, dtype=x.dtype, name="atol")
        if data is None:
            data = [
                message or "", f"x and y not equal to tolerance rtol = {rtol}, atol = {atol}",
                f"x ({x.name}) = ", x, f"y ({y.name}) = ", y,
            ]  # fmt: skip
        tolerance = atol + rtol * math.abs(y)
        distance = math.abs(x - y)
        return Assert(reductions.reduce_all(math.less(distance, tolerance)), data, summarize=summarize)


__all__ = [
    "Assert",
    "Print",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
]
