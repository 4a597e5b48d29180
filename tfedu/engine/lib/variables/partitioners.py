"""Partitioners: `get_variable("w", [10, 4], partitioner=fixed_size_partitioner(3))` splits a variable into parts.

Each returns, for a shape and dtype, the number of parts along each axis. No state.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from .variable_scope import get_variable_scope, variable_scope
from .variable_store import store_of

Partitioner = Callable[..., list[int]]


def _parts_along(shape: TensorShape, axis: int, count: int) -> list[int]:
    parts = [1] * len(shape)
    parts[axis] = count
    return parts


def _element_bytes(dtype: DType, string_bytes: int) -> int:
    return string_bytes if dtype.base_dtype is dtypes.string else dtype.size


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """A partitioner into num_shards parts along `axis`, or one for each row: [10, 4] with 3 -> [3, 1]."""

    def partition(shape: TensorShape, **_: Any) -> list[int]:
        return _parts_along(shape, axis, min(num_shards, shape.as_list()[axis] or 0))

    return partition


def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None
) -> Partitioner:
    """A partitioner into parts of at most max_shard_bytes bytes along `axis`; the result is a list [rank] of counts.

    max_shards: the largest number of parts. bytes_per_string_element: the assumed size of a string in bytes.

    Raises: ValueError for sizes that are not positive.
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError(error_text("Both max_shard_bytes and bytes_per_string_element must be positive."))
    if max_shards and max_shards < 1:
        raise ValueError(error_text("max_shards must be positive."))

    def partition(shape: TensorShape, dtype: DType) -> list[int]:
        if not isinstance(shape, TensorShape):
            raise ValueError(error_text(f"shape is not a TensorShape: {shape}"))
        if not shape.is_fully_defined():
            raise ValueError(error_text(f"shape is not fully defined: {shape}"))
        if not isinstance(dtype, DType):
            raise ValueError(error_text(f"dtype is not a DType: {dtype}"))
        length = shape.as_list()[axis] or 0
        row = (shape.num_elements() or 0) / length * _element_bytes(dtype, bytes_per_string_element)
        count = math.ceil(length / max(1, math.floor(max_shard_bytes / row)))
        return _parts_along(shape, axis, min(max_shards, count) if max_shards else count)

    return partition


def min_max_variable_partitioner(
    max_partitions: int = 1, axis: int = 0, min_slice_size: int = 256 << 10, bytes_per_string_element: int = 16
) -> Partitioner:
    """A partitioner into at most max_partitions parts along `axis`, each of at least min_slice_size bytes: a list
    [rank].

    Raises: ValueError, when called, for an axis that the shape does not have.
    """

    def partition(shape: TensorShape, dtype: DType) -> list[int]:
        if axis >= len(shape):
            raise ValueError(
                error_text(f"Can not partition variable along axis {axis} when shape is only {shape}")
            )
        size = (shape.num_elements() or 0) * _element_bytes(dtype, bytes_per_string_element)
        most_parts = math.ceil(size / min_slice_size)
        return _parts_along(shape, axis, max(1, min(shape.as_list()[axis] or 0, max_partitions, most_parts)))

    return partition


@atomic
def create_partitioned_variables(
    shape: Any,
    slicing: Any,
    initializer: Any,
    dtype: Any = dtypes.float32,
    trainable: bool = True,
    collections: Any = None,
    name: str | None = None,
    reuse: Any = None,
) -> list[Any]:
    """The parts of a variable [shape], with slicing[i] parts along axis i.

    Raises: ValueError for incompatible shape and slicing, or inside a scope with a custom getter.
    """
    if len(shape) != len(slicing):
        raise ValueError(
            error_text(
                f"The 'shape' and 'slicing' of a partitioned Variable must have the length: shape: {shape}, slicing: {slicing}"
            )
        )
    if len(shape) < 1:
        raise ValueError(error_text(f"A partitioned Variable must have rank at least 1: shape: {shape}"))
    with variable_scope(name, "PartitionedVariable", reuse=reuse):
        scope = get_variable_scope()
        if scope.custom_getter is not None:
            raise ValueError(
                error_text(
                    "Private access to _get_partitioned_variable is not allowed when a custom getter is set.  Current custom "
                    f"getter: {scope.custom_getter}.  It is likely that you're using create_partitioned_variables.  If so, "
                    "consider instead using get_variable with a non-empty partitioner parameter instead."
                )
            )
        # The variable has the scope's name.
        partitioned = store_of(get_default_graph()).get_variable(
            name=scope.name,
            shape=shape,
            dtype=dtype,
            initializer=scope.initializer if initializer is None else initializer,
            regularizer=scope.regularizer,
            reuse=scope.reuse,
            trainable=trainable,
            collections=collections,
            caching_device=scope.caching_device,
            partitioner=lambda **_: slicing,
            use_resource=scope.use_resource,
            constraint=scope.constraint,
        )
        return list(partitioned)


__all__ = [
    "create_partitioned_variables",
    "fixed_size_partitioner",
    "min_max_variable_partitioner",
    "variable_axis_size_partitioner",
]
