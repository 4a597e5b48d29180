"""Partitioned variables: `PartitionedVariable` is a list of variables that are the slices of one.

`number_of_parts`, `partition_axis` and `part_bounds` compute the partition of a shape; `PartitionInfo` tells an
initializer which part it fills. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.conversion import register_tensor_conversion_function
from ...graph.nodes import Tensor
from ..arrays import array, slicing
from ..control.grouping import identity
from ..framework.scope_blocks import name_scope, waiting_for
from .variable_settings import check_dtype


class PartitionInfo:
    """The part of a variable that is being built: the full shape [...] and the part's offset [rank].

    Raises: ValueError for an offset outside the full shape, as when there are more parts than rows.
    """

    def __init__(self, full_shape: Sequence[int], var_offset: Sequence[int]) -> None:
        for offset, size in zip(var_offset, full_shape, strict=True):
            if not 0 <= offset < size:
                raise ValueError(
                    error_text(
                        f"Expected 0 <= offset < shape but found offset={offset}, shape={size} for "
                        f"var_offset={var_offset}, full_shape={full_shape}"
                    )
                )
        self.full_shape = full_shape
        self.var_offset = var_offset

    def single_slice_dim(self, shape: Sequence[int]) -> int | None:
        """The axis in which a part of that shape is smaller than the full shape, None where there is none.

        Raises: ValueError when there are several, or the part does not fit.
        """
        if len(shape) != len(self.full_shape):
            raise ValueError(
                error_text(
                    f"Expected equal length, but received shape={shape} of length {len(shape)} while "
                    f"self.full_shape={self.full_shape} is of length {len(self.full_shape)}."
                )
            )
        slice_axis = None
        for i, (offset, size, full) in enumerate(zip(self.var_offset, shape, self.full_shape)):
            if offset + size > full:
                raise ValueError(
                    error_text(
                        f"With self.var_offset={self.var_offset}, a partition of shape={shape} would exceed "
                        f"self.full_shape={self.full_shape} in dimension {i}."
                    )
                )
            if size == full:
                continue
            if slice_axis is not None:
                raise ValueError(
                    error_text(
                        f"Cannot use single_slice_dim() with shape={shape} and self.full_shape={self.full_shape} since "
                        f"slice dim could be either dimension {i} or {slice_axis}."
                    )
                )
            slice_axis = i
        return slice_axis

    def single_offset(self, shape: Sequence[int]) -> int:
        """The part's offset along its `single_slice_dim`."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self.var_offset[axis]


def number_of_parts(partitioner: Callable[..., Any], shape: TensorShape, dtype: DType) -> Sequence[int]:
    """The partitioner's number of parts [rank] along each axis.

    Raises: ValueError for a shape that cannot be partitioned, or a result that is not such a list.
    """
    if not shape.is_fully_defined():
        raise ValueError(
            error_text(f"Shape of a new partitioned variable must be fully defined, but instead was {shape}.")
        )
    if not shape.rank:
        raise ValueError(error_text(f"A partitioned Variable must have rank at least 1, shape: {shape}"))
    parts = partitioner(shape=shape, dtype=dtype)
    if not isinstance(parts, Sequence):
        raise ValueError(error_text(f"Partitioner must return a sequence, but saw: {parts}"))
    if len(parts) != shape.rank:
        raise ValueError(
            error_text(
                f"Partitioner returned a partition list that does not match the Variable's rank: {parts} vs. {shape}"
            )
        )
    if any(p < 1 for p in parts):
        raise ValueError(error_text(f"Partitioner returned zero partitions for some axes: {parts}"))
    if sum(p > 1 for p in parts) > 1:
        raise ValueError(
            error_text(f"Can only slice a variable along one dimension: shape: {shape}, partitioning: {parts}")
        )
    return parts


def partition_axis(parts: Sequence[int]) -> tuple[int, int]:
    """(the axis that is partitioned, its number of parts), from the numbers of parts [rank]."""
    return next(((axis, count) for axis, count in enumerate(parts) if count > 1), (0, 1))


def part_bounds(full_shape: list[int], count: int, axis: int) -> Iterator[tuple[list[int], list[int]]]:
    """Offset [rank] and shape [rank] of each part; the first parts are longer by 1 where the length is not a
    multiple.
    """
    shorter_length, longer_count = divmod(full_shape[axis], count)
    start = 0
    for index in range(count):
        offset, shape = [0] * len(full_shape), list(full_shape)
        offset[axis], shape[axis] = start, shorter_length + (index < longer_count)
        yield offset, shape
        start += shape[axis]


class PartitionedVariable:
    """Variables that are the slices of one [...], in the order of their offsets.

    Raises: TypeError and ValueError for parts that do not belong together.
    """

    def __init__(
        self, name: str, shape: Any, dtype: DType, variable_list: Sequence[Any], partitions: Sequence[int]
    ) -> None:
        if not isinstance(variable_list, list | tuple):
            raise TypeError(error_text(f"variable_list is not a list or tuple: {variable_list}"))
        if not isinstance(partitions, list | tuple):
            raise TypeError(error_text(f"partitions is not a list or tuple: {partitions}"))
        if not all(p >= 1 for p in partitions):
            raise ValueError(error_text(f"partition values must be positive: {partitions}"))
        if not variable_list:
            raise ValueError(error_text("variable_list may not be empty"))
        infos = [v._get_save_slice_info() for v in variable_list]
        if None in infos:
            raise ValueError(
                error_text(f"All variables must have a save_slice_info available: {[v.name for v in variable_list]}")
            )
        if len(shape) != len(partitions):
            raise ValueError(error_text(f"len(shape) != len(partitions): {shape} vs. {partitions}"))
        for info in infos:
            if info.full_shape != shape:
                raise ValueError(
                    error_text(
                        f"All variables' full shapes must match shape: {shape}; but full shapes were: {[info.full_shape]}"
                    )
                )
        self._variable_list = sorted(variable_list, key=lambda v: v._get_save_slice_info().var_offset)
        self._name = name
        self._shape = shape
        self._dtype = dtype
        self._partitions = partitions

    @property
    def name(self) -> str:
        return self._name

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def shape(self) -> Any:
        return self._shape

    def get_shape(self) -> Any:
        return self._shape

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variable_list)

    def __len__(self) -> int:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise ValueError(error_text(f"Cannot get a length for {len(axes)} > 1 partition axes"))
        return len(self._variable_list)

    def _partition_axes(self) -> list[int]:
        return [axis for axis, count in enumerate(self._partitions) if count > 1] or [0]

    def _get_variable_list(self) -> list[Any]:
        return self._variable_list

    def _get_partitions(self) -> Sequence[int]:
        return self._partitions

    def _axis(self, refusal: str) -> int:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise NotImplementedError(error_text(refusal.format(axes)))
        return axes[0]

    def as_tensor(self) -> Tensor:
        """The full value [...]; its nodes ignore enclosing control_dependencies."""
        with waiting_for(None):
            value: Any = self._variable_list[0]
            if len(self._variable_list) > 1:
                axis = self._axis(
                    "Cannot concatenate along more than one dimension: {}.  Multi-axis partition concat is not supported"
                )
                with name_scope(f"{self._name}/ConcatPartitions/"):
                    value = array.concat(self._variable_list, axis)
            with name_scope(None):
                full_value: Tensor = identity(value, name=self._name)
                return full_value

    def _update(self, method: str, value: Any, read_value: bool, **options: Any) -> list[Any]:
        axis = self._axis(
            "Cannot do assign action along more than one dimension: {}.  "
            "Multi-axis partition assign action is not supported "
        )
        if isinstance(value, list | PartitionedVariable):
            values = list(value)
        else:
            values = slicing.split(value, [v.shape.as_list()[axis] for v in self._variable_list], axis=axis)
        return [
            getattr(v, method)(part, read_value=read_value, **options)
            for v, part in zip(self._variable_list, values, strict=True)
        ]

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Stores the slices of `value` [...] in the parts."""
        return self._update("assign", value, read_value, use_locking=use_locking, name=name)

    def assign_add(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Adds the slices of `value` [...] to the parts."""
        return self._update("assign_add", value, read_value, use_locking=use_locking, name=name)

    def assign_sub(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Subtracts the slices of `value` [...] from the parts."""
        return self._update("assign_sub", value, read_value, use_locking=use_locking, name=name)


def _to_tensor(variable: PartitionedVariable, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Tensor:
    check_dtype(variable, dtype)
    if as_ref:
        raise NotImplementedError(
            error_text("PartitionedVariable doesn't support being used as a reference.")
        )
    return variable.as_tensor()


register_tensor_conversion_function(PartitionedVariable, _to_tensor)
