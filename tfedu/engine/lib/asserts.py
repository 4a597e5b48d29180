"""Checks in a graph: `assert_equal(x, y)` and its family, `Assert`, `Print`.

What can be known before a run is checked at once (InvalidArgumentError, ValueError or TypeError); the rest becomes a
node that fails in the run. It checks only runs that reach it: put it into `control_dependencies`. No state.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.dtypes import DType, as_dtype
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.nodes import Operation, Tensor
from ..ops import control_flow
from . import array, math
from .cond import cond
from .failing import said
from .flow import no_op, with_dependencies
from .scope import named
from .static import static_value

_SUMMARIZE = 3


def _tensors(*values: Any) -> list[Any]:
    return [v for v in values if isinstance(v, Tensor)]


@atomic
def Assert(
    condition: Any, data: Iterable[Any], summarize: int | None = None, name: str | None = None
) -> Operation:
    """An operation that fails with `data` in its message unless `condition` holds.

    summarize: how many elements of each tensor the message shows (3).
    """
    data = list(data)
    entries = _SUMMARIZE if summarize is None else summarize
    with named(name, "Assert", _tensors(condition, *data)):
        kinds = {convert_to_tensor(value).dtype.base_dtype for value in data}
        check: Callable[[], Operation] = functools.partial(
            control_flow.assert_, condition, data, summarize=entries, name="Assert"
        )
        if kinds <= {dtypes.string, dtypes.int32}:
            # Data that is cheap to bring along is always brought along.
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
    """`input_`, and in each run that needs it `message` and `data` are written to standard error.

    first_n: only so many times; summarize: how many elements of each tensor (3).
    """
    made: Tensor = control_flow.print_(
        input_,
        list(data),
        message=message or "",
        first_n=-1 if first_n is None else first_n,
        summarize=_SUMMARIZE if summarize is None else summarize,
        name=name,
    )
    return made


# -- elementwise ----------------------------------------------------------------------------------------------------


def _refuse(data: Iterable[Any]) -> None:
    lines = []
    for item in data:
        value = static_value(item) if isinstance(item, Tensor) else None
        lines.append(str(item if value is None else value))
    raise errors.InvalidArgumentError(None, None, said("\n".join(lines)))


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
    """Fails unless `x sign y` holds for every element."""
    with named(name, title, _tensors(x, y, *(data or ()))):
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
        holds = math.reduce_all(compare(x, y))
        known = [static_value(x), static_value(y)]
        if known[0] is not None and known[1] is not None and not np.all(_NUMPY[sign](*known)):
            _refuse(data)
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
    """Fails unless x == y for every element."""
    with named(name, "assert_equal", _tensors(x, y, *(data or ()))):
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
    """Fails unless x != y for every element."""
    return _elementwise("!=", "assert_none_equal", math.not_equal, x, y, data, summarize, message, name)


def assert_less(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Fails unless x < y for every element."""
    return _elementwise("<", "assert_less", math.less, x, y, data, summarize, message, name)


def assert_less_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Fails unless x <= y for every element."""
    return _elementwise("<=", "assert_less_equal", math.less_equal, x, y, data, summarize, message, name)


def assert_greater(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Fails unless x > y for every element."""
    return _elementwise(">", "assert_greater", math.greater, x, y, data, summarize, message, name)


def assert_greater_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Fails unless x >= y for every element."""
    return _elementwise(
        ">=", "assert_greater_equal", math.greater_equal, x, y, data, summarize, message, name
    )


@atomic
def _against_zero(
    sign: str, title: str, x: Any, data: Any, summarize: int | None, message: str | None, name: str | None
) -> Operation:
    """Fails unless `x sign 0` holds for every element."""
    with named(name, title, _tensors(x, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        if data is None:
            words = [f"Condition x {sign} 0 did not hold element-wise:", f"x ({x.name}) = "]
            # TF 1.15 runs the two texts together in this one check.
            data = [_prefix(message), *(["".join(words)] if sign == "<=" else words), x]
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
    """Fails unless every element is below 0."""
    return _against_zero("<", "assert_negative", x, data, summarize, message, name)


def assert_positive(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Fails unless every element is above 0."""
    return _against_zero(">", "assert_positive", x, data, summarize, message, name)


def assert_non_negative(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Fails unless every element is 0 or above."""
    return _against_zero(">=", "assert_non_negative", x, data, summarize, message, name)


def assert_non_positive(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Fails unless every element is 0 or below."""
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
    """Fails unless |x - y| < atol + rtol * |y| for every element; both are ten times the dtype's precision by default."""
    with named(name, "assert_near", _tensors(x, y, rtol, atol, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y")
        precision = np.finfo(x.dtype.as_numpy_dtype).eps
        rtol = convert_to_tensor(10 * precision if rtol is None else rtol, dtype=x.dtype, name="rtol")
        atol = convert_to_tensor(10 * precision if atol is None else atol, dtype=x.dtype, name="atol")
        if data is None:
            data = [
                _prefix(message), f"x and y not equal to tolerance rtol = {rtol}, atol = {atol}",
                f"x ({x.name}) = ", x, f"y ({y.name}) = ", y,
            ]  # fmt: skip
        tolerance = atol + rtol * math.abs(y)
        apart = math.abs(x - y)
        return Assert(math.reduce_all(math.less(apart, tolerance)), data, summarize=summarize)


# -- rank, dtype, shape ---------------------------------------------------------------------------------------------


def _prefix(message: str | None) -> str:
    return f"{message}.  " if message else ""


def _ranked(
    x: Tensor,
    ranks: list[Tensor],
    holds: Callable[[int, list[Any]], bool],
    dynamic: Callable[[Tensor, list[Tensor]], Tensor],
    data: list[Any],
    wrong: Callable[[list[Any]], str],
    prefix: str,
    summarize: int | None,
) -> Operation:
    """The check that x's rank and the wanted ones go together, at once or in the run."""
    for rank in ranks:
        assert_type(rank, dtypes.int32)
    known = [static_value(rank) for rank in ranks]
    if all(value is not None for value in known):
        if any(np.ndim(value) for value in known):
            raise ValueError(said("Rank must be a scalar."))
        actual = x.shape.ndims
        if actual is not None:
            if not holds(actual, known):
                raise ValueError(
                    said(
                        f"{prefix}Tensor {x.name} must have rank {wrong(known)}.  Received rank {actual}, shape {x.shape}"
                    )
                )
            return no_op(name="static_checks_determined_all_ok")
    condition = dynamic(array.rank(x), ranks)
    for rank, value in zip(ranks, known):
        if value is None:
            scalar = assert_rank(rank, 0, data=["Rank must be a scalar. Received rank: ", rank])
            condition = with_dependencies([scalar], condition)
    return Assert(condition, data, summarize=summarize)


@atomic
def assert_rank(
    x: Any,
    rank: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Fails unless x has that rank.

    Raises: ValueError when that is known before a run.
    """
    with named(name, "assert_rank", _tensors(x, rank, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        rank = convert_to_tensor(rank, name="rank")
        prefix = _prefix(message)
        if data is None:
            data = [prefix, f"Tensor {x.name} must have rank", rank, "Received shape: ", array.shape(x)]
        return _ranked(
            x, [rank], lambda actual, known: actual == known[0], lambda actual, ranks: math.equal(actual, ranks[0]),
            data, lambda known: f"{known[0]}", prefix, summarize,
        )  # fmt: skip


@atomic
def assert_rank_at_least(
    x: Any,
    rank: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Fails unless x has that rank or a higher one.

    Raises: ValueError when that is known before a run.
    """
    with named(name, "assert_rank_at_least", _tensors(x, rank, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        rank = convert_to_tensor(rank, name="rank")
        prefix = _prefix(message)
        if data is None:
            data = [
                prefix,
                f"Tensor {x.name} must have rank at least",
                rank,
                "Received shape: ",
                array.shape(x),
            ]
        return _ranked(
            x, [rank], lambda actual, known: actual >= known[0],
            lambda actual, ranks: math.greater_equal(actual, ranks[0]),
            data, lambda known: f"at least {known[0]}", prefix, summarize,
        )  # fmt: skip


@atomic
def assert_rank_in(
    x: Any, ranks: Iterable[Any], data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """Fails unless x has one of these ranks.

    Raises: ValueError when that is known before a run.
    """
    ranks = list(ranks)
    with named(name, "assert_rank_in", _tensors(x, *ranks, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        ranks = [convert_to_tensor(rank, name="rank") for rank in ranks]
        prefix = _prefix(message)
        if data is None:
            data = [prefix, f"Tensor {x.name} must have rank in", *ranks, "Received shape: ", array.shape(x)]
        return _ranked(
            x, ranks, lambda actual, known: actual in known, _is_one_of, data,
            lambda known: f"in {tuple(np.asarray(value) for value in known)}", prefix, summarize,
        )  # fmt: skip


def _is_one_of(actual: Tensor, ranks: list[Tensor]) -> Tensor:
    if not ranks:
        return convert_to_tensor(False)
    return functools.reduce(
        lambda found, rank: math.logical_or(found, math.equal(rank, actual)),
        ranks[1:],
        math.equal(ranks[0], actual),
    )


@atomic
def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> Operation:
    """Raises: TypeError unless x is of an integer type."""
    with named(name, "assert_integer", _tensors(x)):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(
                said(
                    f'{_prefix(message)}Expected "x" to be integer type.  Found: {x.name} of dtype {x.dtype}'
                )
            )
        return no_op("statically_determined_was_integer")


@atomic
def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Operation:
    """Raises: TypeError unless the tensor is of that type."""
    wanted = as_dtype(tf_type)
    with named(name, "assert_type", _tensors(tensor)):
        tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dtype is not wanted:
            raise TypeError(
                said(f"{_prefix(message)}{tensor.name} must be of type {wanted!r}; got {tensor.dtype!r}")
            )
        return no_op("statically_determined_correct_type")


@atomic
def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> Tensor:
    """The tensor, which is known to be a scalar.

    Raises: ValueError when it is known to be none, or nothing is known.
    """
    with named(name, "assert_scalar", _tensors(tensor)) as scope:
        checked = convert_to_tensor(tensor, name=scope)
        if checked.shape.ndims != 0:
            raise ValueError(
                said(
                    f"{_prefix(message)}Expected scalar shape for {checked.name}, saw shape: {checked.shape}."
                )
            )
        return checked


def assert_proper_iterable(values: Any) -> None:
    """Raises: TypeError unless `values` is a list, tuple or the like: a string, an array or a tensor is none."""
    if isinstance(values, (Tensor, np.ndarray, bytes, str)):
        raise TypeError(said(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'))
    if not hasattr(values, "__iter__"):
        raise TypeError(said(f'Expected argument "values" to be iterable.  Found: {type(values)}'))


def assert_same_float_dtype(tensors: Iterable[Any] | None = None, dtype: Any = None) -> DType:
    """The one floating type of all tensors, float32 when there is none to ask.

    Raises: ValueError when they differ or are not floating.
    """
    found: DType | None = None if dtype is None else as_dtype(dtype)
    first: Any = None
    for tensor in tensors or ():
        if tensor is None:
            continue
        kind = tensor.dtype.base_dtype
        if found is None:
            found, first = kind, tensor
        elif kind is not found:
            as_first = f" as {first}" if first is not None else ""
            raise ValueError(said(f"{tensor}, type={kind}, must be of the same type ({found}){as_first}."))
    if found is None:
        return dtypes.float32
    if not found.is_floating:
        raise ValueError(said(f"Expected floating point type, got {found}."))
    return found


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether `tensor` is a tensor of numbers."""
    return isinstance(tensor, Tensor) and (
        tensor.dtype.base_dtype.is_floating
        or tensor.dtype.base_dtype.is_integer
        or tensor.dtype.base_dtype.is_complex
        or tensor.dtype.base_dtype.is_quantized
    )


__all__ = [
    "Assert",
    "Print",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_type",
    "is_numeric_tensor",
]
