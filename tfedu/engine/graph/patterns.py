"""Nodes made after a pattern: what one call made of its tensors, another call may make of its own in one stroke.

`pattern_of(graph, mark, tensors, results)` reads the graph's journal: what was done since `mark`, and with which of the
tensors. It is None where more was done than to make nodes and names, which stand in one scope. `stamp(…)` does the same
again: the nodes are those that the calls would have made, one by one. No state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.dtypes import DType
from ..base.shapes import Shape
from ..base.site import RawSite
from .nodes import Operation, Tensor, duplicate

if TYPE_CHECKING:
    from .graph import Graph


class Node(NamedTuple):
    """One node of a pattern; tensors are numbers: first those given, then the outputs of the pattern's nodes in their order.

    name: what follows the scope and its slash. waits: of which tensors' nodes it waits for.
    """

    type: str
    name: str
    definition: Any
    attrs: Mapping[str, Any]
    inputs: tuple[int, ...]
    waits: tuple[int, ...]
    outputs: tuple[tuple[DType, Shape], ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """nodes: in the order in which they are made. names: what follows the scope and its slash, in small letters, and
    times: how often it was asked for. results: which tensors are the answer, -1 for none."""

    nodes: tuple[Node, ...]
    names: tuple[str, ...]
    times: tuple[int, ...]
    results: tuple[int, ...]


def pattern_of(
    graph: Graph, mark: int, scope: str, given: Sequence[Tensor], results: Sequence[Any]
) -> Pattern | None:
    """What was done since the journal had `mark` entries, in a name scope that was new; None when a pattern cannot say it."""
    assert graph._journal is not None
    number = {tensor: i for i, tensor in reversed(list(enumerate(given)))}
    place = {tensor.op: i for tensor, i in reversed(number.items())}
    count = len(given)
    nodes: list[Node] = []
    names: set[str] = set()
    inside, small = f"{scope}/", f"{scope}/".lower()
    for step, *args in graph._journal[mark:]:
        if step == graph._restore_names:
            key, _, candidate = args
            if not key.startswith(small):
                return None
            names |= {key[len(small) :], candidate[len(small) :]}
            continue
        if step != graph._remove_last:
            return None
        op: Operation = args[0]
        is_bare = not op.device and op._context is None and not op.__dict__ and "_class" not in op.attrs
        if not is_bare or not op.name.startswith(inside):
            return None
        if not all(t in number for t in op.inputs) or not all(waited in place for waited in op.waits):
            return None
        nodes.append(Node(
            op.type, op.name[len(inside) :], op.definition, _shared(op.attrs),
            tuple([number[t] for t in op.inputs]), tuple([place[waited] for waited in op.waits]),
            tuple([(t.dtype, t.raw_shape) for t in op.outputs]),
        ))  # fmt: skip
        for tensor in op.outputs:
            number[tensor] = count
            place.setdefault(op, count)
            count += 1
    if not all(result is None or (type(result) is Tensor and result in number) for result in results):
        return None
    asked = tuple(sorted(names))
    times = tuple([graph._names[small + name] for name in asked])
    return Pattern(tuple(nodes), asked, times, tuple([-1 if r is None else number[r] for r in results]))


def _shared(attrs: Mapping[str, Any]) -> Mapping[str, Any]:
    return attrs if type(attrs) is MappingProxyType else MappingProxyType(dict(attrs))


def stamp(
    graph: Graph, pattern: Pattern, scope: str, tensors: list[Any], site: RawSite | None
) -> Sequence[Tensor | None] | None:
    """Makes the nodes in a new name scope, with `tensors` for those that were given; None when a name there is taken.

    No block is open around them, and the graph is under a transaction.
    """
    made = pattern.nodes
    tensor_at = tensors.__getitem__
    if made:
        names, by_name, nodes, journal = graph._names, graph._by_name, graph._nodes, graph._journal
        assert journal is not None
        scope += "/"
        small = scope.lower()
        keys = [small + name for name in pattern.names]
        if not names.keys().isdisjoint(keys):
            return None
        journal.append((_take_back, graph, keys, len(nodes)))
        names.update(zip(keys, pattern.times))
        for type_, name, definition, attrs, taken, waited_for, outputs in made:
            name = scope + name
            if name in by_name:
                raise ValueError(duplicate(name))
            inputs = tuple(map(tensor_at, taken))
            waits = tuple([tensors[i].op for i in waited_for]) if waited_for else ()
            op = Operation(graph, len(nodes), type_, name, inputs, waits, attrs, "", site, definition)
            if len(outputs) == 1:
                ((dtype, shape),) = outputs
                op._output = tensor = Tensor(op, 0, dtype, shape)
                tensors.append(tensor)
            else:
                op._outputs = several = [Tensor(op, i, dtype, shape) for i, (dtype, shape) in enumerate(outputs)]
                tensors += several
            for tensor in inputs:
                consumers = tensor._consumers
                if consumers is None:
                    tensor._consumers = op
                elif type(consumers) is list:
                    consumers.append(op)
                else:
                    tensor._consumers = [consumers, op]
            for waited in waits:
                waited.add_control_output(op)
            nodes.append(op)
            by_name[name] = op
    tensors.append(None)
    return list(map(tensor_at, pattern.results))


def _take_back(graph: Graph, keys: Sequence[str], before: int) -> None:
    for op in reversed(graph._nodes[before:]):
        graph._remove_last(op, ())
    for key in keys:
        del graph._names[key]
