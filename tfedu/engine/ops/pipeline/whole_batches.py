"""An accelerator: `map(f).batch(n)` calls f once for a batch where f computes each element number by number.

`before_maps(walk, dataset)` finds such maps at the end of a pipeline. The values are those of the plain form, `maps.mapped`. No
state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...graph.nodes import Operation, Tensor
from ...op.define import broadcast_shape, same_shape
from ...op.function_graph import FunctionGraph
from .values import Dataset, Walk


class WholeBatches(NamedTuple):
    """The dataset before the maps, the dtypes of its elements (None: there is no such map), and the functions of batches."""

    source: Dataset
    kinds: list[Any] | None
    calls: list[Callable[..., Any]]


def before_maps(walk: Walk, dataset: Dataset) -> WholeBatches:
    """The maps at the end of a pipeline whose functions can take batches."""
    calls: list[Callable[..., Any]] = []
    kinds = None
    while walk.takes_whole_batches:
        body = dataset.facts.get("function") if dataset.node.type in ("MapDataset", "ParallelMapDataset") else None
        if body is None:
            break
        key = "whole batches", body
        if key not in walk.calls:
            whole = of_batches(body)
            walk.calls[key] = None if whole is None else walk.run.function_call(whole)
        if walk.calls[key] is None:
            break
        calls.insert(0, walk.bound(walk.calls[key], dataset.facts["captured"]))
        kinds = [argument.dtype for argument in body.arguments]
        dataset = dataset.inputs[0]
    return WholeBatches(dataset, kinds, calls)


def of_batches(body: FunctionGraph) -> FunctionGraph | None:
    """The function of batches [n, …] of each argument, None where it is another one: where a node is no function of single
    numbers, or combines values of several shapes.
    """
    whole = FunctionGraph(body.name, body.outer, body.site)
    shape_of: dict[Tensor, Any] = {}  # of the values that depend on an argument
    copies: dict[Tensor, Tensor] = {}
    captures = {inside: outside for outside, inside in body.captures.items()}
    for op in body.operations:
        tensor = op.outputs[0] if len(op.outputs) == 1 else None
        if tensor is None or tensor.raw_shape is None or tensor.dtype.numpy is None or tensor.dtype.numpy.kind not in "biufc":
            return None
        if tensor in captures:
            copies[tensor] = whole.captures[captures[tensor]] = whole.placeholder(op.name, tensor.dtype, tensor.raw_shape)
            continue
        if tensor in body.arguments:
            shape_of[tensor] = tensor.raw_shape
            copies[tensor] = whole.add_argument(tensor.dtype, (None, *tensor.raw_shape), op.name)
            continue
        depends = [t for t in op.inputs if t in shape_of]
        if depends:
            if None in tensor.raw_shape or not _is_of_numbers(op) or not all(_fits(t, tensor, shape_of) for t in op.inputs):
                return None
            shape_of[tensor] = tensor.raw_shape
        elif op.definition is None or not op.definition.pure or op.waits:
            return None
        shape = (None, *tensor.raw_shape) if depends else tensor.raw_shape
        inputs = tuple([copies[t] for t in op.inputs])
        node = whole.add_node(op.type, op.name, inputs, op.attrs, [tensor.dtype], [shape], op.definition, op._site)
        copies[tensor] = node.outputs[0]
    if not all(output in shape_of for output in body.outputs):
        return None
    whole.close([copies[output] for output in body.outputs])
    return whole


def _is_of_numbers(op: Operation) -> bool:
    """Whether each number of the result depends on the numbers at its place alone."""
    d = op.definition
    if d is None or op.waits:
        return False
    return op.type in ("Identity", "Cast") or (d.ufunc is not None and d.shape_rule in (same_shape, broadcast_shape))


def _fits(tensor: Tensor, result: Tensor, shape_of: dict[Tensor, Any]) -> bool:
    """Whether batches of the input combine as single values do: a value has the result's shape, a constant no higher rank."""
    if tensor in shape_of:
        return bool(shape_of[tensor] == result.raw_shape)
    return len(tensor.raw_shape or ()) <= len(result.raw_shape or ())


__all__ = ["WholeBatches", "before_maps", "of_batches"]
