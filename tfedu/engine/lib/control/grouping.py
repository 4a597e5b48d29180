"""Nodes that order others: `group` (one node to run many), `tuple` (tensors that wait for each other), `identity`,
`no_op`.

`with tf.control_dependencies([up]): y = tf.identity(x)` builds the node that receives the block's control edge.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...op import tensor_functions as functions
from ...op.composites import IndexedSlices
from ...ops import basic
from ...ops.state import ref_identity
from ..framework import nest
from ..framework.dispatch import takes_ragged
from ..framework.scope_blocks import named, waiting_for

identity = takes_ragged(functions.identity)


def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """n tensors [...], passed on by one node: none is available before all are computed."""
    outputs: list[Tensor] = basic.identity_n(input, name=name)
    return outputs


def no_op(name: str | None = None) -> Operation:
    """An operation that does nothing but receive and send control edges."""
    operation: Operation = basic.no_op(name=name)
    return operation


@atomic
def with_dependencies(dependencies: Iterable[Any], output_tensor: Any, name: str | None = None) -> Any:
    """`output_tensor` [...] (or the values of IndexedSlices), passed on after the dependencies have run."""
    graph = get_default_graph()
    with named(name, "control_dependency") as scope:
        with graph.colocate_with(output_tensor), waiting_for(dependencies):
            if isinstance(output_tensor, IndexedSlices):
                values = basic.identity(output_tensor.values, name=scope)
                return IndexedSlices(values, output_tensor.indices, output_tensor.dense_shape)
            tensor = convert_to_tensor(output_tensor)
            output: Tensor = (ref_identity if tensor.dtype.is_ref else basic.identity)(tensor, name=scope)
            return output


def _no_op_after(device: str, deps: list[Any], name: str | None = None) -> Operation:
    graph = get_default_graph()
    with waiting_for(deps):
        if not device:
            return no_op(name=name)
        with graph.device(device):
            return no_op(name=name)


@atomic
def group(*inputs: Any, name: str | None = None, **kwargs: Any) -> Operation:
    """One operation that completes when all inputs (tensors, operations, nested lists of them) have; one NoOp a
    device.

    Raises: TypeError for an input that is not a node; ValueError for unknown keywords.
    """
    if kwargs:
        raise ValueError(error_text(f"Unknown keyword arguments: {', '.join(kwargs)}"))
    with named(name, "group_deps", [i for i in inputs if isinstance(i, (Tensor, Operation))]) as scope:
        if not inputs:
            return no_op(name=scope)
        by_device: dict[str, list[Any]] = {}
        for item in nest.flatten(list(inputs)):
            if not hasattr(item, "device"):
                raise TypeError(
                    error_text(
                        f"Expected tf.group() expected Tensor arguments not '{item}' with type '{type(item)}'"
                    )
                )
            by_device.setdefault(item.device or "", []).append(item)
        if len(by_device) == 1:
            ((device, deps),) = by_device.items()
            return _no_op_after(device, deps, scope)
        gates = [_no_op_after(device, by_device[device]) for device in sorted(by_device)]
        with waiting_for(gates):
            return no_op(name=scope)


@atomic
def tuple(
    tensors: Iterable[Any], name: str | None = None, control_inputs: Iterable[Any] | None = None
) -> list[Any]:
    """The tensors [...], none of which is available before all of them have been computed.

    Raises: ValueError when there is no tensor; TypeError for a control input that is not a node.
    """
    tensors = list(tensors)
    with named(name, "tuple", [t for t in tensors if isinstance(t, (Tensor, Operation))]):
        # A variable's own node is ordered before the gate, and its read after it.
        tensors = [
            t
            if t is None or isinstance(t, (Operation, IndexedSlices)) or hasattr(t, "_as_graph_element")
            else convert_to_tensor(t)
            for t in tensors
        ]
        gates = [t if isinstance(t, Operation) else t.op for t in tensors if t is not None]
        for control_input in control_inputs or ():
            if not isinstance(control_input, (Tensor, Operation)):
                raise TypeError(
                    error_text(f"'control_inputs' must only contain Operation or Tensor. Received: {type(control_input)}")
                )
            gates.append(control_input.op if isinstance(control_input, Tensor) else control_input)
        gates = sorted(set(gates), key=lambda op: op.id)
        if not gates:
            raise ValueError(error_text(f"Must have at least one Tensor: {tensors}"))
        gate = group(*gates)
        outputs: list[Any] = []
        for tensor in tensors:
            if tensor is None:
                outputs.append(None)
            elif isinstance(tensor, Operation):
                with waiting_for([gate]):
                    outputs.append(group(tensor))
            else:
                outputs.append(with_dependencies([gate], tensor))
        return outputs


def unpack_if_single(result: Any) -> Any:
    """The item of a list or tuple of one (not of a namedtuple); any other result unchanged."""
    if isinstance(result, (list, builtins.tuple)) and not hasattr(result, "_fields") and len(result) == 1:
        return result[0]
    return result


__all__ = ["group", "identity", "identity_n", "no_op", "tuple"]
