"""The methods of datasets that make batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.framework.static_value import get_static_value
from ...lib.framework.type_specs import TensorSpec
from ...op.callers import nodes
from ...op.infer import constant_value_as_shape
from . import structure
from .building import boolean, number
from .functions import structured


def batch(dataset: Any, batch_size: Any, drop_remainder: Any) -> Any:
    size, drop = number("batch_size", batch_size), boolean("drop_remainder", drop_remainder)
    spec = structure.batched(dataset._spec, known_size(size, drop))
    return dataset._derived(nodes.BatchDatasetV2, size, drop, spec=spec)


def unbatch(dataset: Any) -> Any:
    sizes = {leaf.shape.as_list()[0] for leaf in structure.flatten(dataset._spec) if leaf.shape.ndims}
    if len(sizes - {None}) > 1:
        raise ValueError(error_text("Cannot unbatch an input whose components have different batch sizes."))
    for i, leaf in enumerate(structure.flatten(dataset._spec)):
        if leaf.shape.ndims == 0:
            text = f'Value Tensor("args_{i}:0", shape=(), dtype={leaf.dtype.name}) has insufficient rank for batching.'
            raise ValueError(error_text(text, fix="unbatch() takes elements apart along their first axis, and this has none"))
    specs = []

    def normalize(element: Any) -> Any:
        spec, tensors = structure.slices(element)
        specs.append(spec)
        return tuple(tensors)

    function = structured(normalize, "Dataset.map()", dataset._spec, unpack=False)
    sliced = dataset._derived(nodes.MapDataset, function.captured, spec=function.output_spec, f=function.graph)
    # A component's own type knows more than the values that the function gets: those of a sparse one have no static sizes.
    batches = iter(structure.flatten(dataset._spec))
    spec = structure.mapped(lambda leaf: _one_of(next(batches), leaf), specs[0])
    return sliced._derived(nodes.UnbatchDataset, spec=spec)


def _one_of(batch: Any, leaf: Any) -> Any:
    """The spec of one element: `leaf`, whose shape becomes that of the batch's spec without the first axis."""
    return type(leaf)(batch.shape[1:], leaf.dtype) if type(leaf) in structure.LEGACY else leaf


def known_size(size: Tensor, drop: Tensor) -> int | None:
    """The number of elements in each batch, if the graph tells."""
    value = get_static_value(size)
    return int(value) if value is not None and get_static_value(drop) else None


def padded_batch(dataset: Any, batch_size: Any, padded_shapes: Any, padding_values: Any, drop_remainder: Any) -> Any:
    for leaf in structure.flatten(dataset._spec):
        if not isinstance(leaf, TensorSpec):
            raise TypeError(error_text("Batching of padded sparse tensors is not currently supported"))
    size = number("batch_size", batch_size)
    leaves = structure.flatten(dataset._spec)
    given = structure.flatten_up_to(dataset._spec, padded_shapes)
    shapes = [_shape_tensor(shape, leaf.shape) for shape, leaf in zip(given, leaves)]
    values = [None] * len(leaves) if padding_values is None else structure.flatten_up_to(dataset._spec, padding_values)
    fills = [_fill(value, leaf.dtype) for value, leaf in zip(values, leaves)]
    drop = boolean("drop_remainder", drop_remainder)
    first = known_size(size, drop)
    found = iter([TensorShape([first]).concatenate(TensorShape.of(constant_value_as_shape(shape))) for shape in shapes])
    spec = structure.mapped(lambda leaf: TensorSpec(next(found), leaf.dtype), dataset._spec)
    facts = {"output_shapes": structure.flat_shapes(spec)}
    variant = nodes.PaddedBatchDatasetV2(dataset._variant_tensor, size, shapes, fills, drop, **facts)
    return type(dataset)(variant, spec, (dataset,))


def _shape_tensor(given: Any, own: TensorShape) -> Tensor:
    """A padded shape as a vector, -1 for the largest size in the batch. own: the shape of the component.

    Raises: TypeError, ValueError for another value, and for a shape that has no place for the component.
    """
    try:
        sizes = TensorShape(given).as_list()
        tensor = convert_to_tensor(np.array([-1 if size is None else size for size in sizes], np.int64))
    except (TypeError, ValueError):
        if isinstance(given, TensorShape):
            raise ValueError(error_text(f"Cannot convert a partially known TensorShape to a Tensor: {given}")) from None
        tensor = convert_to_tensor(given, preferred_dtype=dtypes.int64)
    text = f"Padded shape {given} must be a 1-D tensor of tf.int64 values, but its "
    if tensor.shape.ndims not in (1, None):
        raise ValueError(error_text(f"{text}shape was {tensor.shape}.", fix=_SIZES))
    if tensor.dtype is not dtypes.int64:
        raise TypeError(error_text(f"{text}element type was {tensor.dtype.name}.", fix=_SIZES))
    shape = TensorShape.of(constant_value_as_shape(tensor))
    if shape.ndims is not None and own.ndims is not None:
        too_small = [wide for wide, size in zip(shape.as_list(), own.as_list()) if None not in (wide, size) and wide < size]
        if shape.ndims != own.ndims or too_small:
            text = f"The padded shape {shape} is not compatible with the corresponding input component shape {own}."
            raise ValueError(error_text(text, fix=_SIZES))
    return tensor


_SIZES = "a padded shape has a size for each axis of the element; None: the largest in the batch"


def _fill(value: Any, dtype: Any) -> Tensor:
    if value is None:
        value = b"" if dtype is dtypes.string else np.zeros((), dtype.as_numpy_dtype)
    tensor = convert_to_tensor(value, name="padding_value")
    if tensor.raw_shape not in ((), None):
        raise ValueError(error_text(f"Padding value should be a scalar, but is not: {tensor}"))
    if tensor.dtype is not dtype:
        raise TypeError(
            error_text(f"Padding value tensor ({tensor}) does not match output type: {dtype}", fix="tf.constant(value, dtype)")
        )
    return tensor


__all__ = ["batch", "known_size", "padded_batch", "unbatch"]
