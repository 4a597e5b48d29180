"""Why a node runs or does not: `why(node, y)`, and for one that does not the smallest changes that make it run.

`print(why(up, y))` says it in words; `.path` is the way from the fetch to the node; each of `.changes` can be tried on
a copy of the graph: `fetches, feed_dict = change.apply(copy)`. No state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ..engine.graph.copy import Copied, copied
from ..engine.graph.elements import as_operation
from ..engine.graph.graph import Graph
from ..engine.graph.nodes import Operation, Tensor
from ..engine.graph.scopes import ControlBlock
from ..engine.ops import basic
from ..engine.runtime.feeds import resolve
from ..engine.runtime.fetches import Structure
from ..engine.runtime.provenance import Code, Provenance, provenance
from ..engine.runtime.prune import prune
from ..engine.runtime.session import flat_feeds
from ..engine.runtime.trace import graph_of_fetches
from ..view.labels import shorten
from ..view.messages import message
from ..view.records import WhyRecord
from ..view.traces import PATH, reasons
from .relabel import relabels, taken_after
from .within import within

Element = Tensor | Operation
Kind = Literal["unfeed", "control", "fetch", "fetch_other", "inside", "new"]

_PLACEHOLDERS: Final = ("Placeholder", "PlaceholderV2")
# Of the nodes below one that may not be fetched, so many of the nearest are weighed against each other.
_CANDIDATES: Final = 64
# Among equally small changes: first what the program most likely meant.
_ORDER: Final = ("unfeed", "inside", "control", "fetch", "fetch_other", "new")


@dataclass(frozen=True)
class Change:
    """One way to make a node run.

    size: how many edits it takes. also: the nodes that run then and did not before, this one among them. needs: the
    placeholders that then must be fed.
    """

    kind: Kind
    size: int
    node: Operation
    fetches: tuple[Element, ...]
    feeds: Mapping[Tensor, Any]
    also: tuple[Operation, ...] = ()
    needs: tuple[Tensor, ...] = ()
    tensors: tuple[Tensor, ...] = ()  # no longer fed; or the fetched one that gets a node of its own
    other: Operation | None = None  # who waits for the node, or is fetched in its place
    block: ControlBlock | None = None

    def apply(self, copy: Copied) -> tuple[list[Element], dict[Tensor, Any]]:
        """Makes the change in a copy of the graph; gives the fetches and feeds of the run that then has the node."""
        fetches: list[Element] = [copy.of(element) for element in self.fetches]
        feeds = {copy.of(tensor): value for tensor, value in self.feeds.items()}
        node: Operation = copy.of(self.node)
        if self.kind == "fetch":
            fetches.append(node)
        elif self.kind == "fetch_other":
            fetches.append(copy.of(self.other))
        elif self.kind == "unfeed":
            for tensor in self.tensors:
                del feeds[copy.of(tensor)]
        elif self.kind == "control":
            copy.graph.add_control_input(copy.of(self.other), node)
        elif self.kind == "inside":
            assert self.block is not None
            (tensor,) = self.tensors
            made = taken_after(copy, tensor, self.block.control_inputs)
            fetches = [made if element is copy.of(tensor) else element for element in fetches]
        else:
            with copy.graph.as_default():
                waiting: Operation = basic.no_op(name="done")
            copy.graph.add_control_input(waiting, node)
            fetches.append(waiting)
        return fetches, feeds

    def text(self, lang: str | None = None) -> str:
        """The change in words."""
        where = self.block.site.label if self.block is not None and self.block.site is not None else ""
        said = message(
            f"why.change.{self.kind}",
            lang,
            node=self.node.name,
            other=self.other.name if self.other is not None else "",
            tensors=_names(self.tensors),
            where=where,
        )
        if not self.needs:
            return said
        return f"{said} {message('why.change.needs', lang, placeholders=_names(self.needs))}"

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class Reason:
    """Why a node runs or does not.

    code: "fetched", "data" (its value is needed), "control" (it is waited for), "fed" (its value comes from outside)
    or "pruned" (nothing asks for it). path: the nodes from the fetch to this one. changes: what would make it run, the
    smallest first.
    """

    node: Operation
    code: Code
    path: tuple[Operation, ...]
    changes: tuple[Change, ...] = field(default=())
    feeds: Mapping[Tensor, Any] = field(default_factory=dict, repr=False)

    @property
    def runs(self) -> bool:
        return bool(self.path)

    @property
    def smallest(self) -> Change | None:
        """The smallest change that makes the node run; None when it runs, or never can."""
        return self.changes[0] if self.changes else None

    @property
    def consumer(self) -> Operation | None:
        """The node that asked for this one."""
        return self.path[-2] if len(self.path) > 1 else None

    def record(self) -> WhyRecord:
        """The reason as the JSON record that traces carry."""
        return WhyRecord(self.code, {}, tuple([op.id for op in self.path[-PATH:]]))

    def text(self, lang: str | None = None) -> str:
        """The reason in words, and the changes below it."""
        consumer = self.consumer
        lines = [
            message(
                f"why.{self.code}",
                lang,
                node=self.node.name,
                consumer=consumer.name if consumer is not None else "",
                path=_path_text(self.path),
            )
        ]
        if self.runs:
            lines.extend(within(self.node, lang, self.feeds))
        if not self.runs and self.node.type in _PLACEHOLDERS:
            lines.append(message("why.placeholder", lang, node=self.node.name))
        if self.changes:
            lines.append(message("why.changes", lang))
            lines.extend(f"  - {change.text(lang)}" for change in self.changes)
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def why(node: Any, fetches: Any, feed_dict: Any = None) -> Reason:
    """Why `node` (an operation, a tensor, a variable or a name) runs in `session.run(fetches, feed_dict)`, or does not.

    Raises: TypeError and ValueError for wrong fetches and feeds, KeyError for an unknown name.
    """
    graph = _graph_of(node, fetches)
    op = as_operation(graph, node)
    structure = Structure(graph, fetches)
    feeds = {resolve(graph, key): value for key, value in flat_feeds(feed_dict)}
    elements: tuple[Element, ...] = (*structure.tensors, *structure.operations)
    told = provenance(graph, elements, feeds)
    code = told.code(op)
    if op in told.asked:
        return Reason(op, code, told.path(op), feeds=feeds)
    return Reason(op, code, (), _changes(told, op, elements, feeds), feeds)


def _graph_of(node: Any, fetches: Any) -> Graph:
    return graph_of_fetches([fetches, node])


# -- what would make it run ------------------------------------------------------------------------------------------


def _changes(
    told: Provenance, op: Operation, elements: tuple[Element, ...], feeds: Mapping[Tensor, Any]
) -> tuple[Change, ...]:
    """The smallest change of each kind, the smallest of all first: fewest edits, then fewest nodes more that run."""
    if op.type in _PLACEHOLDERS:
        # It computes nothing, so nothing can make it.
        return ()
    graph = told.graph
    above = prune(graph, [op], feeds).operations

    def change(kind: Kind, size: int, fed: Iterable[Tensor], targets: Iterable[Element], **more: Any) -> Change:
        then = provenance(graph, targets, fed)
        also = tuple([o for o in graph.operations if o in then.asked and o not in told.asked])
        fed = set(fed)
        needs = tuple([o.outputs[0] for o in also if o.type in _PLACEHOLDERS and o.outputs[0] not in fed])
        return Change(kind, size, op, elements, feeds, also, needs, **more)

    found = []
    if graph.is_fetchable(op):
        found.append(change("fetch", 1, feeds, [*elements, op]))
    else:
        other = _fetchable_below(told, op, feeds)
        if other is not None:
            found.append(change("fetch_other", 1, feeds, [*elements, other], other=other))
    waiting = _who_can_wait(told, op, set(above))
    if waiting is not None:
        found.append(change("control", 1, feeds, [*elements, op], other=waiting))
    unfed = _unfed(elements, op, frozenset(feeds))
    if unfed:
        fed = [tensor for tensor in feeds if tensor not in unfed]
        found.append(change("unfeed", len(unfed), fed, elements, tensors=unfed))
    for tensor, block in _renamed(graph, op, elements, feeds):
        targets = [*(e for e in elements if e is not tensor), tensor, *block.control_inputs]
        found.append(change("inside", 1, feeds, targets, tensors=(tensor,), block=block))
    if not any(made.size == 1 for made in found):
        found.append(change("new", 2, feeds, [*elements, op]))
    return tuple(sorted(found, key=_rank))


def _rank(change: Change) -> tuple[int, int, bool, int]:
    """Fewest edits, then fewest nodes more that run; what would have to be made later than it was comes last."""
    backwards = change.kind == "control" and change.other is not None and change.other.id < change.node.id
    return change.size, len(change.also), backwards, _ORDER.index(change.kind)


def _fetchable_below(told: Provenance, op: Operation, fed: Mapping[Tensor, Any]) -> Operation | None:
    """The node that needs this one, may be fetched, and makes the fewest nodes more run; the nearest of such."""
    graph = told.graph
    found: list[Operation] = []
    seen = {op}
    row = deque([op])
    while row and len(found) < _CANDIDATES:
        at = row.popleft()
        if at is not op and graph.is_fetchable(at) and at.type not in _PLACEHOLDERS:
            found.append(at)
        after = [*(c for t in at.outputs if t not in fed for c in t.consumers()), *at.control_outputs]
        for consumer in after:
            if consumer not in seen:
                seen.add(consumer)
                row.append(consumer)

    def more(candidate: Operation) -> int:
        return sum(needed not in told.asked for needed in prune(graph, [candidate], fed).operations)

    return min(found, key=more, default=None)


def _who_can_wait(told: Provenance, op: Operation, above: set[Operation]) -> Operation | None:
    """The node nearest to the fetch, of the same branch or loop, that can wait for this one without a cycle."""
    everything_above = set(prune(told.graph, [op]).operations)
    fallback = None
    for needed in told.asked:
        if needed._context is not op._context:
            # A loop's node has no one turn that others could wait for, and who waits for a dead one dies as well.
            continue
        if needed not in everything_above:
            return needed
        if fallback is None and needed not in above:
            fallback = needed
    return fallback


def _unfed(elements: Iterable[Element], op: Operation, fed: frozenset[Tensor]) -> tuple[Tensor, ...]:
    """The fewest fed tensors without which the fetches need the node; none when that does not help.

    A way from a fetch to the node costs one for each fed tensor on it: the cheapest way is sought, free steps first.
    A placeholder's value can come from a feed alone, so no way leads through one that is fed.
    """
    cost: dict[Operation, int] = {}
    came: dict[Operation, tuple[Operation | None, Tensor | None]] = {}
    row: deque[tuple[int, Operation, Operation | None, Tensor | None]] = deque()

    def step(at: int, to: Operation, by: Operation | None, tensor: Tensor | None) -> None:
        if tensor is None:
            row.appendleft((at, to, by, None))
        elif to.type not in _PLACEHOLDERS:
            row.append((at + 1, to, by, tensor))

    for element in elements:
        if isinstance(element, Operation):
            step(0, element, None, None)
        else:
            step(0, element.op, None, element if element in fed else None)
    while row:
        price, at, by, paid = row.popleft()
        if at in cost:
            continue
        cost[at] = price
        came[at] = (by, paid)
        if at is op:
            break
        for tensor in at.inputs:
            step(price, tensor.op, at, tensor if tensor in fed else None)
        for waited in at.control_inputs:
            if waited.type not in _PLACEHOLDERS or waited.outputs[0] not in fed:
                step(price, waited, at, None)
    if op not in cost:
        return ()
    found: list[Tensor] = []
    back: Operation | None = op
    while back is not None:
        back, paid = came[back]
        if paid is not None:
            found.append(paid)
    return tuple(dict.fromkeys(reversed(found)))


def _renamed(
    graph: Graph, op: Operation, elements: Iterable[Element], feeds: Mapping[Tensor, Any]
) -> Iterable[tuple[Tensor, ControlBlock]]:
    """Fetched tensors that a block which waits for the node only gave another name."""
    seen: set[tuple[Tensor, int]] = set()
    fetched = {element for element in elements if isinstance(element, Tensor) and element not in feeds}
    for relabel in relabels(graph):
        waits = relabel.block.control_inputs
        if op not in waits and op not in prune(graph, waits, feeds).asked_by:
            continue
        for tensor in relabel.tensors:
            if tensor in fetched and (tensor, id(relabel.block)) not in seen:
                seen.add((tensor, id(relabel.block)))
                yield tensor, relabel.block


# -- words -----------------------------------------------------------------------------------------------------------


def _names(tensors: Iterable[Tensor]) -> str:
    return ", ".join(shorten(tensor.name, 60) for tensor in tensors)


def _path_text(path: tuple[Operation, ...]) -> str:
    """The way in names; of a long one its two ends."""
    names = [shorten(op.name, 60) for op in path]
    if len(names) > 12:
        names = [*names[:6], "…", *names[-6:]]
    return " → ".join(names)


__all__ = ["Change", "Copied", "Reason", "copied", "reasons", "why"]
