"""Batch sizes, state sizes and zero states: what recurrent nets know of shapes, statically or as nodes. No state.

A size is what a cell tells as `state_size` and `output_size`: an int, a TensorShape or a tensor, perhaps nested.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape, dimension_at_index
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.arrays.sequences import range as range_of
from ...lib.framework import nest
from ...lib.framework.static_value import constant_value
from ...op.constant import constant


def joined(prefix: Any, suffix: Any) -> Tensor:
    """The sizes of both, an int vector [k]: a batch size and a cell's size give the shape of a state.

    Raises: ValueError for a size that is not known, neither statically nor as a tensor.
    """
    parts = _as_vector(prefix, "prefix"), _as_vector(suffix, "suffix")
    if parts[0] is None or parts[1] is None:
        raise ValueError(error_text(f"Provided a prefix or suffix of None: {prefix} and {suffix}"))
    return array.concat(parts, 0)


def joined_shape(prefix: Any, suffix: Any) -> TensorShape:
    """What is statically known of `joined`. As in TF, sizes that are known become constants that nothing reads."""
    return _static(prefix, "prefix").concatenate(_static(suffix, "suffix"))


def _as_vector(size: Any, role: str) -> Tensor | None:
    if not isinstance(size, Tensor):
        shape = as_shape(size)
        return constant(shape.as_list(), dtypes.int32) if shape.is_fully_defined() else None
    if size.raw_shape == ():
        return array.expand_dims(size, 0)
    if size.shape.ndims != 1:
        raise ValueError(error_text(f"{role} tensor must be either a scalar or vector, but saw tensor: {size}", [size]))
    return size


def _static(size: Any, role: str) -> TensorShape:
    _as_vector(size, role)
    if not isinstance(size, Tensor):
        return as_shape(size)
    value = constant_value(size)
    if value is None:
        return TensorShape([None] if size.raw_shape == () else None)
    return TensorShape(value.reshape(-1).tolist())


def zero_state(state_size: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros [n, size] for each size of the structure."""

    def zeros(size: Any) -> Tensor:
        state = array.zeros(joined(batch_size, size), dtype)
        state.set_shape(joined_shape(batch_size, size))
        return state

    return nest.map_structure(zeros, state_size)


def common_dtype(dtype: Any, state: Any) -> Any:
    """The dtype of outputs: the given one, else that of all tensors of the state.

    Raises: ValueError for an empty state or one of several dtypes.
    """
    if dtype is not None:
        return dtype
    parts = nest.flatten(state)  # tensors and TensorArrays
    kinds = [part.dtype for part in parts]
    if not kinds:
        raise ValueError(error_text("Unable to infer dtype from empty state."))
    if any(kind != kinds[0] for kind in kinds):
        raise ValueError(
            error_text(
                "State has tensors of different inferred_dtypes. Unable to infer a single representative dtype.",
                [part for part in parts if isinstance(part, Tensor)],
                "pass dtype=",
            )
        )
    return kinds[0]


def known_part(size: Any) -> Any:
    """A cell's size as a static shape, if it is a tensor; else the size itself."""
    return as_shape(constant_value(size)) if isinstance(size, Tensor) else size


@atomic
def transpose_batch_time(x: Tensor) -> Tensor:
    """x [n, t, ...] as [t, n, ...]; a scalar or a vector as it is."""
    sizes = x.shape
    if sizes.ndims is not None and sizes.ndims < 2:
        return x
    order = array.concat(([1, 0], range_of(2, array.rank(x))), axis=0)
    turned = array.transpose(x, order)
    turned.set_shape(TensorShape([dimension_at_index(sizes, 1), dimension_at_index(sizes, 0)]).concatenate(sizes[2:]))
    return turned


def input_batch_size(flat_inputs: list[Tensor]) -> Any:
    """The n of inputs [t, n, ...]: an int where any input tells it statically, else a scalar tensor."""
    for value in flat_inputs:
        sizes = value.shape
        if sizes.ndims is None:
            continue
        if sizes.ndims < 2:
            raise ValueError(error_text(f"Expected input tensor {value} to have rank at least 2", [value]))
        if sizes[1].value is not None:
            return sizes[1].value
    return array.shape(flat_inputs[0])[1]


def best_effort_input_batch_size(flat_input: list[Any]) -> Any:
    """The n of inputs [t, n, ...]: an int where any input tells it statically, else a scalar tensor.

    Raises: ValueError for an input of less than two axes.
    """
    return input_batch_size([convert_to_tensor(value) for value in flat_input])
