"""Checks of what a tensor is rather than what it holds: its rank, its dtype, whether it is a scalar.

What is known before a run is checked at once (ValueError, TypeError); a rank that is not becomes a node that fails in
the run. No state.
"""

from __future__ import annotations

import functools
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
from .asserts import Assert, prefixed, tensors_among


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
            raise ValueError(error_text("Rank must be a scalar."))
        actual = x.shape.ndims
        if actual is not None:
            if not holds(actual, known):
                raise ValueError(
                    error_text(
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
    with named(name, "assert_rank", tensors_among(x, rank, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        rank = convert_to_tensor(rank, name="rank")
        prefix = prefixed(message)
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
    with named(name, "assert_rank_at_least", tensors_among(x, rank, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        rank = convert_to_tensor(rank, name="rank")
        prefix = prefixed(message)
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
    with named(name, "assert_rank_in", tensors_among(x, *ranks, *(data or ()))):
        x = convert_to_tensor(x, name="x")
        ranks = [convert_to_tensor(rank, name="rank") for rank in ranks]
        prefix = prefixed(message)
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
    with named(name, "assert_integer", tensors_among(x)):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(
                error_text(
                    f'{prefixed(message)}Expected "x" to be integer type.  Found: {x.name} of dtype {x.dtype}'
                )
            )
        return no_op("statically_determined_was_integer")


@atomic
def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Operation:
    """Raises: TypeError unless the tensor is of that type."""
    wanted = as_dtype(tf_type)
    with named(name, "assert_type", tensors_among(tensor)):
        tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dtype is not wanted:
            raise TypeError(
                error_text(f"{prefixed(message)}{tensor.name} must be of type {wanted!r}; got {tensor.dtype!r}")
            )
        return no_op("statically_determined_correct_type")


@atomic
def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> Tensor:
    """The tensor, which is known to be a scalar.

    Raises: ValueError when it is known to be none, or nothing is known.
    """
    with named(name, "assert_scalar", tensors_among(tensor)) as scope:
        checked = convert_to_tensor(tensor, name=scope)
        if checked.shape.ndims != 0:
            raise ValueError(
                error_text(
                    f"{prefixed(message)}Expected scalar shape for {checked.name}, saw shape: {checked.shape}."
                )
            )
        return checked


def assert_proper_iterable(values: Any) -> None:
    """Raises: TypeError unless `values` is a list, tuple or the like: a string, an array or a tensor is none."""
    if isinstance(values, (Tensor, np.ndarray, bytes, str)):
        raise TypeError(
            error_text(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(error_text(f'Expected argument "values" to be iterable.  Found: {type(values)}'))


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
            as_first = f" as {getattr(first, 'name', first)}" if first is not None else ""
            shown = getattr(tensor, "name", tensor)
            raise ValueError(
                error_text(f"{shown}, type={kind}, must be of the same type ({found}){as_first}.")
            )
    if found is None:
        return dtypes.float32
    if not found.is_floating:
        raise ValueError(error_text(f"Expected floating point type, got {found}."))
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
