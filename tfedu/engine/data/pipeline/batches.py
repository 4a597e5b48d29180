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
    return sliced._derived(nodes.UnbatchDataset, spec=specs[0])


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
    shapes = _shape_tensors(leaves, _like(dataset._spec, padded_shapes, "padded_shapes"))
    values = [None] * len(leaves) if padding_values is None else _like(dataset._spec, padding_values, "padding_values")
    fills = [_fill(value, leaf.dtype) for value, leaf in zip(values, leaves)]
    drop = boolean("drop_remainder", drop_remainder)
    first = known_size(size, drop)
    found = iter([TensorShape([first]).concatenate(TensorShape.of(constant_value_as_shape(shape))) for shape in shapes])
    spec = structure.mapped(lambda leaf: TensorSpec(next(found), leaf.dtype), dataset._spec)
    facts = {"output_shapes": structure.flat_shapes(spec)}
    variant = nodes.PaddedBatchDatasetV2(dataset._variant_tensor, size, shapes, fills, drop, **facts)
    return type(dataset)(variant, spec, (dataset,))


def _like(spec: Any, given: Any, name: str) -> list[Any]:
    """The leaves of an argument that has the nest of an element; below that, lists and shapes are leaves.

    Raises: TypeError, ValueError for another nest.
    """
    if not structure.is_structure(spec):
        return [given]
    if isinstance(given, list):
        given = tuple(given)
    if not structure.is_structure(given) or isinstance(given, TensorShape) or len(given) != len(spec):
        text = f"The two structures don't have the same nested structure: {name} is {given}, an element is {spec}."
        raise ValueError(error_text(text))
    parts = structure.nest.parts_of
    return [leaf for a, b in zip(parts(spec), parts(given)) for leaf in _like(a, b, name)]


def _shape_tensors(leaves: list[Any], shapes: list[Any]) -> list[Tensor]:
    tensors = []
    for leaf, given in zip(leaves, shapes):
        if isinstance(given, Tensor):
            tensors.append(given)
            continue
        sizes = [None if size == -1 else size for size in given] if isinstance(given, (list, tuple)) else given
        shape = TensorShape(sizes)
        if leaf.shape.ndims is not None and shape.ndims != leaf.shape.ndims:
            raise ValueError(
                error_text(
                    f"The padded shape {shape} is not compatible with the corresponding input component shape {leaf.shape}.",
                    fix="a padded shape has a size for each axis of the element; None: the largest in the batch",
                )
            )
        for wide, own in zip(shape.as_list(), leaf.shape.as_list() if leaf.shape.ndims is not None else ()):
            if wide is not None and own is not None and wide < own:
                text = f"The padded shape {shape} is not compatible with the corresponding input component shape {leaf.shape}."
                raise ValueError(error_text(text))
        numbers = [-1 if size is None else size for size in shape.as_list()]
        tensors.append(convert_to_tensor(np.array(numbers, np.int64)))
    return tensors


def _fill(value: Any, dtype: Any) -> Tensor:
    if value is None:
        value = b"" if dtype is dtypes.string else np.zeros((), dtype.as_numpy_dtype)
    tensor = convert_to_tensor(value, name="padding_value")
    if tensor.raw_shape not in ((), None):
        raise ValueError(error_text(f"Padding value should be a scalar, but is not: {tensor}."))
    if tensor.dtype is not dtype:
        raise TypeError(
            error_text(f"Padding value tensor ({tensor}) does not match output type: {dtype}", fix="tf.constant(value, dtype)")
        )
    return tensor


__all__ = ["batch", "known_size", "padded_batch", "unbatch"]
