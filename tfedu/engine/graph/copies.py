"""A copy of a graph, to change without changing the original: `copy = copied(graph); copy.of(tensor)`.

Nodes keep their ids, names, attributes, edges and source lines; blocks and collections are copied too. Objects of higher
layers in a collection (variables) are copied, and their attributes refer to the copied nodes. No state.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from .graph import Graph
from .nodes import Operation, Tensor
from .scopes import ControlBlock


class Copied:
    """A copied graph, and the map from the original's nodes to the copy's."""

    __slots__ = ("original", "graph")

    def __init__(self, original: Graph, graph: Graph) -> None:
        self.original = original
        self.graph = graph

    def of(self, element: Any) -> Any:
        """The copy's node for an operation or a tensor of the original."""
        if isinstance(element, Operation):
            return self.graph.operations[element.id]
        return self.graph.operations[element.op.id].outputs[element.index]

    def add(
        self, like: Operation, name: str, definition: Any, inputs: tuple[Tensor, ...], attrs: dict[str, Any], device: str
    ) -> Operation:
        """Adds a node to the copy alone, with one output of its first input's dtype and shape, and the source line of `like`.

        Without inputs the caller adds the output.
        """
        graph = self.graph
        node = Operation(graph, len(graph._nodes), definition.type, name, inputs, (), attrs, device, like._site, definition)
        for tensor in inputs:
            tensor.add_consumer(node)
        if inputs:
            node.outputs = [Tensor(node, 0, inputs[0].dtype.base_dtype, inputs[0].raw_shape)]
        graph._nodes.append(node)
        graph._by_name[name] = node
        return node


def copied(graph: Graph, contexts: bool = False) -> Copied:
    """The same nodes, edges, blocks and collections in a new graph, which is not finalized.

    contexts: copy the branches and loops of the nodes too, as `gradients` in the copy needs them; else nodes have none.
    """
    copy = Graph()
    copy.original = graph.original
    nodes = copy._nodes
    for op in graph.operations:
        node = Operation(
            copy, op.id, op.type, op.name, (), (), dict(op.attrs), op.device, op._site, op.definition
        )
        node.outputs = [Tensor(node, t.index, t.dtype, t.raw_shape) for t in op.outputs]
        nodes.append(node)
        copy._by_name[op.name] = node
    # Back edges of loops point forward in this order, so inputs are set when all nodes exist.
    for op, node in zip(graph.operations, nodes):
        node.inputs = tuple([nodes[t.op.id].outputs[t.index] for t in op.inputs])
        node.waits = tuple([nodes[waited.id] for waited in op.waits])
        for after in op.control_outputs:
            node.add_control_output(nodes[after.id])
        for old, tensor in zip(op.outputs, node.outputs):
            for consumer in old.consumers():
                tensor.add_consumer(nodes[consumer.id])
    copy._names = dict(graph._names)
    copy._seed, copy.seeded = graph.seed, graph.seeded
    result = Copied(graph, copy)
    copy._unfeedable = {result.of(tensor) for tensor in graph._unfeedable}
    copy._unfetchable = {result.of(element) for element in graph._unfetchable}
    copy.blocks = [_block(block, result) for block in graph.blocks]
    copies: dict[int, Any] = {}
    # A key that is not text (the open variable scopes) serves building only, and no code builds on the copy.
    copy._collections = {
        name: [_exchanged(item, result, copies) for item in items]
        for name, items in graph._collections.items()
        if isinstance(name, str)
    }
    if contexts:
        _copy_contexts(result)
    return result


def _copy_contexts(result: Copied) -> None:
    """Gives the copy's nodes copies of the contexts of the original's."""
    copies: dict[int, Any] = {id(result.original): result.graph}
    for op in result.original.operations:
        copies[id(op)] = result.of(op)
        copies.update({id(tensor): result.of(tensor) for tensor in op.outputs})
    for op in result.original.operations:
        if op._context is not None:
            result.of(op)._context = deepcopy(op._context, copies)


def _block(block: ControlBlock, result: Copied) -> ControlBlock:
    waits = tuple([result.of(op) for op in block.control_inputs])
    copied_block = ControlBlock(result.graph, waits, block.cleared, block.site)
    copied_block.position = block.position
    for op in block.created:
        copied_block.saw(result.of(op))
    return copied_block


def _exchanged(item: Any, result: Copied, copies: dict[int, Any]) -> Any:
    """The item with the copy's nodes in place of the original's; the same object is copied once."""
    node = _node(item, result)
    if node is not item or not hasattr(item, "__dict__") or isinstance(item, type) or callable(item):
        return node
    own: Any = type(item).__new__
    if own is not object.__new__:  # a protocol message, which refers to nodes by their names
        return item
    if id(item) not in copies:
        copy = object.__new__(type(item))
        copy.__dict__.update({name: _node(value, result) for name, value in item.__dict__.items()})
        copies[id(item)] = copy
    return copies[id(item)]


def _node(value: Any, result: Copied) -> Any:
    if value is result.original:
        return result.graph
    if isinstance(value, (Operation, Tensor)) and value.graph is result.original:
        return result.of(value)
    return value


__all__ = ["Copied", "copied"]
