"""Assertions about rank, dtype and other static properties of a tensor.

A statically known violation raises at once (ValueError, TypeError); an unknown rank is checked by a node in the run.
No state.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..control.grouping import no_op, with_dependencies
from ..framework.scope_blocks import named
from ..framework.static_value import static_value
from ..math import math
from .asserts import Assert, message_prefix, tensors_among


def _assert_rank(
    x: Tensor,
    ranks: list[Tensor],
    holds: Callable[[int, list[Any]], bool],
    dynamic: Callable[[Tensor, list[Tensor]], Tensor],
    data: list[Any],
    describe: Callable[[list[Any]], str],
    prefix: str,
    summarize: int | None,
) -> Operation:
    """The check of x's rank against the required ones, at once or in the run."""
    for rank in ranks:
        assert_type(rank, dtypes.int32)
    static_ranks = [static_value(rank) for rank in ranks]
    if all(value is not None for value in static_ranks):
        if any(np.ndim(value) for value in static_ranks):
            raise ValueError(error_text("Rank must be a scalar."))
        actual = x.shape.ndims
        if actual is not None:
            if not holds(actual, static_ranks):
                raise ValueError(
                    error_text(
                        f"{prefix}Tensor {x.name} must have rank {describe(static_ranks)}.  Received rank {actual}, "
                        f"shape {x.shape}"
                    )
                )
            return no_op(name="static_checks_determined_all_ok")
    condition = dynamic(array.rank(x), ranks)
    for rank, value in zip(ranks, static_ranks):
        if value is None:
            scalar = assert_rank(rank, 0, data=["Rank must be a scalar. Received rank: ", rank])
            condition = with_dependencies([scalar], condition)
    return Assert(condition, data, summarize=summarize)


@atomic
def _assert_one_rank(
    title: str,
    phrase: str,
    holds: Callable[[int, Any], bool],
    dynamic: Callable[[Tensor, Tensor], Tensor],
    x: Any,
    rank: Any,
    data: Any,
    summarize: int | None,
    message: str | None,
    name: str | None,
) -> Operation:
    """The check of x's rank against one other. phrase: the words between "rank" and the number, with a leading blank."""
    with named(name, title, tensors_among(x, rank, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        rank = convert_to_tensor(rank, name="rank")
        prefix = message_prefix(message)
        if data is None:
            data = [message or "", f"Tensor {x.name} must have rank{phrase}", rank, "Received shape: ", array.shape(x)]
        return _assert_rank(
            x, [rank], lambda actual, known: holds(actual, known[0]), lambda actual, ranks: dynamic(actual, ranks[0]),
            data, lambda known: f"{phrase} {known[0]}".lstrip(), prefix, summarize,
        )  # fmt: skip


def assert_rank(
    x: Any,
    rank: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x [...] has the rank `rank`, a scalar.

    Raises: ValueError when a violation is known statically.
    """
    return _assert_one_rank("assert_rank", "", operator.eq, math.equal, x, rank, data, summarize, message, name)


def assert_rank_at_least(
    x: Any,
    rank: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An operation that fails unless x [...] has at least the rank `rank`, a scalar.

    Raises: ValueError when a violation is known statically.
    """
    return _assert_one_rank(
        "assert_rank_at_least", " at least", operator.ge, math.greater_equal, x, rank, data, summarize, message, name
    )


@atomic
def assert_rank_in(
    x: Any, ranks: Iterable[Any], data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An operation that fails unless x [...] has one of the ranks, scalars.

    Raises: ValueError when a violation is known statically.
    """
    ranks = list(ranks)
    with named(name, "assert_rank_in", tensors_among(x, *ranks, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        ranks = [convert_to_tensor(rank, name="rank") for rank in ranks]
        prefix = message_prefix(message)
        if data is None:
            data = [message or "", f"Tensor {x.name} must have rank in", *ranks, "Received shape: ", array.shape(x)]
        return _assert_rank(
            x, ranks, lambda actual, known: actual in known, _is_one_of, data,
            lambda known: f"in {tuple(np.asarray(value) for value in known)}", prefix, summarize,
        )  # fmt: skip


def _is_one_of(actual: Tensor, ranks: list[Tensor]) -> Tensor:
    if not ranks:
        return convert_to_tensor(False)
    return functools.reduce(
        lambda matches, rank: math.logical_or(matches, math.equal(rank, actual)),
        ranks[1:],
        math.equal(ranks[0], actual),
    )


@atomic
def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> Operation:
    """An operation without effect; x is known to have an integer dtype.

    Raises: TypeError for another dtype.
    """
    with named(name, "assert_integer", tensors_among(x)):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(
                error_text(
                    f'{message_prefix(message)}Expected "x" to be integer type.  Found: {x.name} of dtype {x.dtype}'
                )
            )
        return no_op("statically_determined_was_integer")


@atomic
def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Operation:
    """An operation without effect; the tensor is known to have the dtype tf_type.

    Raises: TypeError for another dtype.
    """
    wanted = as_dtype(tf_type)
    with named(name, "assert_type", tensors_among(tensor)):
        tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dtype is not wanted:
            raise TypeError(
                error_text(f"{message_prefix(message)}{tensor.name} must be of type {wanted!r}; got {tensor.dtype!r}")
            )
        return no_op("statically_determined_correct_type")


@atomic
def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> Tensor:
    """The tensor, which is known to be a scalar.

    Raises: ValueError for another or an unknown rank.
    """
    with named(name, "assert_scalar", tensors_among(tensor)) as scope:
        checked = convert_to_tensor(tensor, name=scope)
        if checked.shape.ndims != 0:
            raise ValueError(
                error_text(
                    f"{message_prefix(message)}Expected scalar shape for {checked.name}, saw shape: {checked.shape}."
                )
            )
        return checked


def assert_proper_iterable(values: Any) -> None:
    """Raises: TypeError unless `values` is a list, tuple or other iterable that is not a string, array or tensor."""
    if isinstance(values, (Tensor, np.ndarray, bytes, str)):
        raise TypeError(
            error_text(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(error_text(f'Expected argument "values" to be iterable.  Found: {type(values)}'))


def assert_same_float_dtype(tensors: Iterable[Any] | None = None, dtype: Any = None) -> DType:
    """The common floating dtype of all tensors; float32 without tensors and dtype.

    Raises: ValueError when dtypes differ or are not floating.
    """
    common_dtype: DType | None = None if dtype is None else as_dtype(dtype)
    first: Any = None
    for tensor in tensors or ():
        if tensor is None:
            continue
        kind = tensor.dtype.base_dtype
        if common_dtype is None:
            common_dtype, first = kind, tensor
        elif kind is not common_dtype:
            as_first = f" as {getattr(first, 'name', first)}" if first is not None else ""
            label = getattr(tensor, "name", tensor)
            raise ValueError(
                error_text(f"{label}, type={kind}, must be of the same type ({common_dtype}){as_first}.")
            )
    if common_dtype is None:
        return dtypes.float32
    if not common_dtype.is_floating:
        raise ValueError(error_text(f"Expected floating point type, got {common_dtype}."))
    return common_dtype


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether `tensor` is a tensor of numbers."""
    return isinstance(tensor, Tensor) and (
        tensor.dtype.base_dtype.is_floating
        or tensor.dtype.base_dtype.is_integer
        or tensor.dtype.base_dtype.is_complex
        or tensor.dtype.base_dtype.is_quantized
    )


__all__ = [
    "assert_integer",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_type",
    "is_numeric_tensor",
]
