"""Changes that make a node run, or keep it from running: the smallest of each kind, `making_run(told, op, elements, feeds)`.

Each says itself in words, and is tried on a copy of the graph: `fetches, feed_dict = change.apply(copy)`. No state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ...engine.graph.copies import Copied
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation, Tensor
from ...engine.graph.scopes import ControlBlock
from ...engine.ops import basic
from ...engine.replay.provenance import Provenance, provenance
from ...engine.runtime.frames import frames_of, has_loops
from ...engine.runtime.prune import prune
from ...view.build import value_text
from ...view.labels import shorten
from ...view.messages import message
from ...view.records import NoticeRecord
from ..lint.relabelled_tensors import relabels, waiting_identity
from .enclosing_contexts import live_together, may_die

Element = Tensor | Operation
Kind = Literal[
    "unfeed", "control", "fetch", "fetch_other", "inside", "new",  # make it run
    "initialize", "branch",  # let it go through, or compute
    "unwait", "feed", "unfetch", "cut",  # keep it from running
]  # fmt: skip

PLACEHOLDERS: Final = ("Placeholder", "PlaceholderV2")
# Of the nodes below one that may not be fetched, so many of the nearest are weighed against each other.
_CANDIDATES: Final = 64
# Among equally small changes: first what the program most likely meant.
_ORDER: Final = ("unfeed", "inside", "control", "fetch", "fetch_other", "new", "unwait", "feed", "unfetch", "cut")


@dataclass(frozen=True)
class Change:
    """One way to make a node run, or to keep it from running.

    size: how many edits it takes. also: the nodes that run then and did not before, this one among them; or that do not run
    any more. needs: the placeholders that then must be fed. first: what must run before, in the same session.
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
    first: tuple[Operation, ...] = ()
    given: Mapping[Tensor, Any] = field(default_factory=dict, repr=False)  # what is fed besides
    unwaited: tuple[tuple[Operation, Operation], ...] = ()  # control edges that go: who waits, and for whom
    dropped: tuple[Element, ...] = ()  # no longer fetched

    def apply(self, copy: Copied) -> tuple[list[Element], dict[Tensor, Any]]:
        """Makes the change in a copy of the graph; gives the fetches and feeds of the run that then has the node, or has not.

        What is in `first` has to run before, as `copy.of(op)`.
        """
        fetches: list[Element] = [copy.of(element) for element in self.fetches if element not in self.dropped]
        feeds = {copy.of(tensor): value for tensor, value in {**self.feeds, **self.given}.items()}
        for waiting, waited in self.unwaited:
            copy.graph.remove_control_input(copy.of(waiting), copy.of(waited))
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
            made = waiting_identity(copy, tensor, self.block.control_inputs)
            fetches = [made if element is copy.of(tensor) else element for element in fetches]
        elif self.kind == "new":
            with copy.graph.as_default():
                done: Operation = basic.no_op(name="done")
            copy.graph.add_control_input(done, node)
            fetches.append(done)
        return fetches, feeds

    @property
    def parts(self) -> list[NoticeRecord]:
        """The messages `why.change.<code>`: one, or where different kinds of edit are needed one for each."""
        kinds = {"unwait": self.unwaited, "feed": self.given, "unfetch": self.dropped}
        codes = [code for code, what in kinds.items() if what] if self.kind == "cut" else [self.kind]
        return [NoticeRecord(code, self._params) for code in codes]

    @property
    def _params(self) -> dict[str, str | int]:
        where = self.block.site.label if self.block is not None and self.block.site is not None else ""
        told = {
            "node": self.node.name,
            "other": self.other.name if self.other is not None else "",
            "tensors": names_of((*self.tensors, *self.given)),
            "where": where,
            "values": ", ".join(shorten(value_text(value), 40) for value in self.given.values()),
            "first": names_of(self.first),
            "edges": ", ".join(f"{shorten(one.name, 60)} → {shorten(other.name, 60)}" for other, one in self.unwaited),
            "fetches": names_of(self.dropped),
        }
        return {name: text for name, text in told.items() if text}

    def text(self, lang: str | None = None) -> str:
        """The change in words."""
        said = " + ".join(message(f"why.change.{part.code}", lang, **part.params) for part in self.parts)
        if not self.needs:
            return said
        return f"{said} {message('why.change.needs', lang, placeholders=names_of(self.needs))}"

    def __str__(self) -> str:
        return self.text()


def making_run(
    told: Provenance, op: Operation, elements: tuple[Element, ...], feeds: Mapping[Tensor, Any]
) -> tuple[Change, ...]:
    """The smallest change of each kind, the smallest of all first: fewest edits, then fewest nodes more that run."""
    if op.type in PLACEHOLDERS:
        # It computes nothing, so nothing can make it.
        return ()
    graph = told.graph
    above = prune(graph, [op], feeds).operations

    def change(kind: Kind, size: int, fed: Iterable[Tensor], targets: Iterable[Element], **more: Any) -> Change:
        then = provenance(graph, targets, fed)
        also = tuple([o for o in graph.operations if o in then.asked and o not in told.asked])
        fed = set(fed)
        needs = tuple([o.outputs[0] for o in also if o.type in PLACEHOLDERS and o.outputs[0] not in fed])
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
    return tuple(sorted(found, key=rank))


def rank(change: Change) -> tuple[int, int, bool, int]:
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
        if at is not op and graph.is_fetchable(at) and at.type not in PLACEHOLDERS:
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
    whole = prune(told.graph, [op, *told.asked])
    # An imported graph's nodes know no branch or loop around them, but its edges do.
    frames = frames_of(whole) if has_loops(whole) else None
    if op._context is None and (may_die(op) or (frames is not None and frames.given_to(op) is not frames.root)):
        return None
    fallback = None
    for needed in told.asked:
        if needed._context is not op._context or not live_together(needed, op):
            # A loop's node has no one turn that others could wait for, and who waits for a dead one dies as well.
            continue
        if frames is not None and frames.of[needed] is not frames.given_to(op):
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
        elif to.type not in PLACEHOLDERS:
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
            if waited.type not in PLACEHOLDERS or waited.outputs[0] not in fed:
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
        if op not in waits and op not in prune(graph, waits, feeds).needed_by:
            continue
        for tensor in relabel.tensors:
            if tensor in fetched and (tensor, id(relabel.block)) not in seen:
                seen.add((tensor, id(relabel.block)))
                yield tensor, relabel.block


def names_of(tensors: Iterable[Element]) -> str:
    return ", ".join(shorten(tensor.name, 60) for tensor in tensors)


__all__ = ["PLACEHOLDERS", "Change", "Element", "Kind", "making_run", "rank"]
