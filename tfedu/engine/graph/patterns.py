"""Nodes made after a pattern: what one call made of its tensors, another call may make of its own in one stroke.

`pattern_of(graph, mark, tensors, results)` reads the graph's journal: what was done since `mark`, and with which of the
tensors. It is None where more was done than to make nodes and names, which stand in one scope. `stamp(…)` does the same
again: the nodes are those that the calls would have made, one by one. No state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.site import RawSite
from .nodes import UNKNOWN, Operation, Tensor, duplicate

if TYPE_CHECKING:
    from .graph import Graph

# Of a node: op type, what its name adds to the scope's, that in small letters and how often it was asked for, definition,
# attributes, the number of its input where it has one alone, else what takes its inputs out of a list, what it waits for (a
# tensor's node, or ~i for the pattern's own node i), next to which tensor's node it has to run, and of its outputs dtypes and
# shapes: those of a lone one, else pairs of all.
Node = tuple[Any, ...]


class Pattern(NamedTuple):
    """nodes: in the order in which they are made. names: other names that were asked for (scopes), as a node's key and times.

    results: which tensors are the answer, -1 for none. Tensors are numbers: first those that were given, then the outputs
    of the pattern's nodes in their order.
    """

    nodes: tuple[Node, ...]
    names: tuple[tuple[str, int], ...]
    results: tuple[int, ...]

    def answer(self, tensors: Sequence[Tensor]) -> list[Tensor | None]:
        """The answer, of the tensors that were given and those made of them."""
        return [None if number < 0 else tensors[number] for number in self.results]


def pattern_of(
    graph: Graph, mark: int, scope: str, given: Sequence[Tensor], results: Sequence[Any]
) -> Pattern | None:
    """What was done since the journal had `mark` entries, in a name scope that was new; None when a pattern cannot say it."""
    assert graph._journal is not None
    number = {tensor: i for i, tensor in reversed(list(enumerate(given)))}
    place = {tensor.op: i for tensor, i in reversed(number.items())}
    count, before = len(given), len(scope)
    strangers = frozenset(place)
    homes = dict(place)  # the nodes next to which others may have to run
    names: dict[str, int] = {}
    inside, small = f"{scope}/", f"{scope}/".lower()
    made: list[tuple[str, Node]] = []
    for step, *args in graph._journal[mark:]:
        if step == graph._restore_names:
            # The names must be those that a scope gives in which there is nothing else.
            key, taken, candidate = args
            if not key.startswith(small) or taken != names.get(key, 0) or candidate != _candidate(names, key):
                return None
            names[key] = taken + 1
            names.setdefault(candidate, 1)
            continue
        if step != graph._remove_last:
            return None
        op: Operation = args[0]
        key = op.name.lower()
        attrs, beside = op.attrs, None
        if "_class" in attrs:
            found = [i for home, i in homes.items() if sorted(home.colocation_groups()) == attrs["_class"]]
            if len(found) != 1:
                return None
            beside = found[0]
            attrs = {name: value for name, value in attrs.items() if name != "_class"}
        if op.device or op._context is not None or op.__dict__ or not op.name.startswith(inside) or key not in names:
            return None
        if not all(t in number for t in op.inputs) or not all(waited in place for waited in op.waits):
            return None
        if len(strangers.intersection(op.waits)) > 1:
            return None  # it may wait for them in the order in which they were made
        taken_in = [number[t] for t in op.inputs]
        lone = op._output
        made.append((key, (
            op.type, op.name[before:], key[before:], op.definition, _shared(attrs),
            taken_in[0] if len(taken_in) == 1 else None, itemgetter(*taken_in) if len(taken_in) > 1 else None,
            tuple([place[waited] for waited in op.waits]), beside,
            *((None, None) if lone is None else (lone.dtype, lone.raw_shape)),
            () if lone is not None else tuple([(t.dtype, t.raw_shape) for t in op.outputs]),
        )))  # fmt: skip
        place[op] = ~(len(made) - 1)
        if beside is None and op.outputs:
            homes[op] = count
        for tensor in op.outputs:
            number[tensor] = count
            count += 1
    if not all(result is None or (type(result) is Tensor and result in number) for result in results):
        return None
    nodes = [(*node[:3], names.pop(key), *node[3:]) for key, node in made]
    others = tuple([(key[before:], times) for key, times in names.items()])
    return Pattern(tuple(nodes), others, tuple([-1 if r is None else number[r] for r in results]))


def _candidate(names: Mapping[str, int], key: str) -> str:
    """The name that `Graph.unique_name` gives."""
    candidate, suffix = key, names.get(key, 0)
    while candidate in names:
        candidate = f"{key}_{suffix}"
        suffix += 1
    return candidate


def _shared(attrs: Mapping[str, Any]) -> Mapping[str, Any]:
    return attrs if type(attrs) is MappingProxyType else MappingProxyType(dict(attrs))


def stamp(graph: Graph, pattern: Pattern, scope: str, small: str, tensors: list[Any], site: RawSite | None) -> bool:
    """Makes the nodes of `tensors` in a new name scope, adding their outputs to the list; False when a name there is taken.

    small: the scope in small letters.
    No block is open around them, and the graph is under a transaction that knows `take_back`.
    """
    names, by_name, nodes = graph._names, graph._by_name, graph._nodes
    nodes_before, names_before, new = len(nodes), len(names), object.__new__
    for type_, ending, key, times, definition, attrs, lone, take, waits, beside, dtype, shape, several in pattern.nodes:
        key = small + key
        if key in names:
            take_back(graph, nodes_before, names_before)
            return False
        names[key] = times
        name = scope + ending
        if name in by_name:
            raise ValueError(duplicate(name))
        inputs = (tensors[lone],) if lone is not None else () if take is None else take(tensors)
        # What the constructors do, line by line: calling them costs as much as the rest of a node.
        op = new(Operation)
        op.graph = graph
        op.id = len(nodes)
        op.type = type_
        op.name = name
        op.inputs = inputs
        op.waits = ()
        op.attrs = attrs
        op.device = ""
        op._site = site
        op.definition = definition
        op._context = op._control_outputs = op._outputs = None
        if dtype is not None:
            op._output = tensor = new(Tensor)
            tensor.op = op
            tensor.index = 0
            tensor.dtype = dtype
            tensor.raw_shape = shape
            tensor._consumers = None
            tensor._constant = UNKNOWN
            tensors.append(tensor)
        else:
            op._output = None
            op._outputs = outputs = [Tensor(op, i, *each) for i, each in enumerate(several)]
            tensors += outputs
        for tensor in inputs:
            consumers = tensor._consumers
            if consumers is None:
                tensor._consumers = op
            elif type(consumers) is list:
                consumers.append(op)
            else:
                tensor._consumers = [consumers, op]
        if waits:
            op.waits = tuple([tensors[i].op if i >= 0 else nodes[nodes_before + ~i] for i in waits])
            for waited in op.waits:
                waited.add_control_output(op)
        if beside is not None:
            neighbour = tensors[beside].op
            op.device = neighbour.device
            op.attrs = {**attrs, "_class": sorted(neighbour.colocation_groups())}
        nodes.append(op)
        by_name[name] = op
    for key, times in pattern.names:
        key = small + key
        if key in names:
            take_back(graph, nodes_before, names_before)
            return False
        names[key] = times
    return True


def take_back(graph: Graph, nodes: int, names: int) -> None:
    """Undoes what was stamped since the graph had so many nodes and names."""
    for op in reversed(graph._nodes[nodes:]):
        graph._remove_last(op, ())
    while len(graph._names) > names:
        graph._names.popitem()
