"""Changes that make a node run, or keep it from running; `changes_to_run(needed, op, elements, feeds)` has one of each kind.

A change is text, and can be tried in a copy of the graph: `fetches, feed_dict = change.apply(copy)`. No state.
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
from ...engine.ops.basic import PLACEHOLDERS
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
    "unfeed", "control", "fetch", "fetch_other", "inside", "new",  # make the node run
    "initialize", "branch",  # make it run without an error, or be live
    "unwait", "feed", "unfetch", "cut",  # keep it from running
]  # fmt: skip

# How many of the nearest descendants to consider in place of a node that cannot be fetched.
_CANDIDATES: Final = 64
# Among equally small changes the one that the program most likely meant comes first.
_ORDER: Final = ("unfeed", "inside", "control", "fetch", "fetch_other", "new", "unwait", "feed", "unfetch", "cut")


@dataclass(frozen=True)
class Change:
    """A change that makes a node run, or keeps it from running.

    size: how many edits it takes. fetches, feeds: those of the run before the change. also: the nodes that run only after the
    change, or only before it, this one among them. needs: the placeholders that must be fed after the change. tensors: no
    longer fed, or, for "inside", the fetched tensor that gets a node in `block`. other: the node that waits for this one, or is
    fetched in its place. first: nodes to run before, in the same session. extra_feeds: feeds to add. unwaited: control edges to
    drop, as (waiting node, control input). dropped: fetches to drop.
    """

    kind: Kind
    size: int
    node: Operation
    fetches: tuple[Element, ...]
    feeds: Mapping[Tensor, Any]
    also: tuple[Operation, ...] = ()
    needs: tuple[Tensor, ...] = ()
    tensors: tuple[Tensor, ...] = ()
    other: Operation | None = None
    block: ControlBlock | None = None
    first: tuple[Operation, ...] = ()
    extra_feeds: Mapping[Tensor, Any] = field(default_factory=dict, repr=False)
    unwaited: tuple[tuple[Operation, Operation], ...] = ()
    dropped: tuple[Element, ...] = ()

    def apply(self, copy: Copied) -> tuple[list[Element], dict[Tensor, Any]]:
        """Makes the change in a copy of the graph; returns the fetches and feeds of the changed run.

        The nodes in `first` must run before, as `copy.of(op)`.
        """
        fetches: list[Element] = [copy.of(element) for element in self.fetches if element not in self.dropped]
        feeds = {copy.of(tensor): value for tensor, value in {**self.feeds, **self.extra_feeds}.items()}
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
            identity = waiting_identity(copy, tensor, self.block.control_inputs)
            fetches = [identity if element is copy.of(tensor) else element for element in fetches]
        elif self.kind == "new":
            with copy.graph.as_default():
                done: Operation = basic.no_op(name="done")
            copy.graph.add_control_input(done, node)
            fetches.append(done)
        return fetches, feeds

    @property
    def parts(self) -> list[NoticeRecord]:
        """The messages `why.change.<code>`, one for each kind of edit."""
        edits = {"unwait": self.unwaited, "feed": self.extra_feeds, "unfetch": self.dropped}
        codes = [code for code, edited in edits.items() if edited] if self.kind == "cut" else [self.kind]
        return [NoticeRecord(code, self._params) for code in codes]

    @property
    def _params(self) -> dict[str, str | int]:
        where = self.block.site.label if self.block is not None and self.block.site is not None else ""
        params = {
            "node": self.node.name,
            "other": self.other.name if self.other is not None else "",
            "tensors": names_of((*self.tensors, *self.extra_feeds)),
            "where": where,
            "values": ", ".join(shorten(value_text(value), 40) for value in self.extra_feeds.values()),
            "first": names_of(self.first),
            "edges": ", ".join(f"{shorten(one.name, 60)} → {shorten(other.name, 60)}" for other, one in self.unwaited),
            "fetches": names_of(self.dropped),
        }
        return {name: text for name, text in params.items() if text}

    def text(self, lang: str | None = None) -> str:
        """The change in words."""
        text = " + ".join(message(f"why.change.{part.code}", lang, **part.params) for part in self.parts)
        if not self.needs:
            return text
        return f"{text} {message('why.change.needs', lang, placeholders=names_of(self.needs))}"

    def __str__(self) -> str:
        return self.text()


def changes_to_run(
    before: Provenance, op: Operation, elements: tuple[Element, ...], feeds: Mapping[Tensor, Any]
) -> tuple[Change, ...]:
    """The smallest change of each kind that makes a node run, in the order of `rank`. before: the run without the node."""
    if op.type in PLACEHOLDERS:
        # Its only value is a feed.
        return ()
    graph = before.graph
    ancestors = prune(graph, [op], feeds).operations

    def change(kind: Kind, size: int, fed: Iterable[Tensor], targets: Iterable[Element], **more: Any) -> Change:
        after = provenance(graph, targets, fed)
        also = tuple([o for o in graph.operations if o in after.needed_by and o not in before.needed_by])
        fed = set(fed)
        needs = tuple([o.outputs[0] for o in also if o.type in PLACEHOLDERS and o.outputs[0] not in fed])
        return Change(kind, size, op, elements, feeds, also, needs, **more)

    changes = []
    if graph.is_fetchable(op):
        changes.append(change("fetch", 1, feeds, [*elements, op]))
    else:
        other = _fetchable_descendant(before, op, feeds)
        if other is not None:
            changes.append(change("fetch_other", 1, feeds, [*elements, other], other=other))
    waiting = _node_to_wait(before, op, set(ancestors))
    if waiting is not None:
        changes.append(change("control", 1, feeds, [*elements, op], other=waiting))
    unfed = _feeds_to_drop(elements, op, frozenset(feeds))
    if unfed:
        fed = [tensor for tensor in feeds if tensor not in unfed]
        changes.append(change("unfeed", len(unfed), fed, elements, tensors=unfed))
    for tensor, block in _relabelled_fetches(graph, op, elements, feeds):
        targets = [*(e for e in elements if e is not tensor), tensor, *block.control_inputs]
        changes.append(change("inside", 1, feeds, targets, tensors=(tensor,), block=block))
    if not any(smallest.size == 1 for smallest in changes):
        changes.append(change("new", 2, feeds, [*elements, op]))
    return tuple(sorted(changes, key=rank))


def rank(change: Change) -> tuple[int, int, bool, int]:
    """Fewest edits first, then fewest additional nodes; a node that would wait for a later one comes last."""
    backwards = change.kind == "control" and change.other is not None and change.other.id < change.node.id
    return change.size, len(change.also), backwards, _ORDER.index(change.kind)


def _fetchable_descendant(before: Provenance, op: Operation, fed: Mapping[Tensor, Any]) -> Operation | None:
    """The node that needs this one, can be fetched and adds the fewest nodes to the run; the nearest of these."""
    graph = before.graph
    candidates: list[Operation] = []
    visited = {op}
    queue = deque([op])
    while queue and len(candidates) < _CANDIDATES:
        at = queue.popleft()
        if at is not op and graph.is_fetchable(at) and at.type not in PLACEHOLDERS:
            candidates.append(at)
        successors = [*(c for t in at.outputs if t not in fed for c in t.consumers()), *at.control_outputs]
        for successor in successors:
            if successor not in visited:
                visited.add(successor)
                queue.append(successor)

    def additional_nodes(candidate: Operation) -> int:
        return sum(needed not in before.needed_by for needed in prune(graph, [candidate], fed).operations)

    return min(candidates, key=additional_nodes, default=None)


def _node_to_wait(before: Provenance, op: Operation, ancestors: set[Operation]) -> Operation | None:
    """The node nearest to the fetch, in the same branch or loop, that can wait for this one without a cycle."""
    unfed_ancestors = set(prune(before.graph, [op]).operations)
    pruned = prune(before.graph, [op, *before.needed_by])
    # The nodes of an imported graph may lack contexts, but the edges show branches and loops.
    frames = frames_of(pruned) if has_loops(pruned) else None
    if op._context is None and (may_die(op) or (frames is not None and frames.target_of(op) is not frames.root)):
        return None
    fallback = None
    for needed in before.needed_by:
        if needed._context is not op._context or not live_together(needed, op):
            # A loop's node has several turns, and a node that waits for a dead one is dead.
            continue
        if frames is not None and frames.of[needed] is not frames.target_of(op):
            continue
        if needed not in unfed_ancestors:
            return needed
        if fallback is None and needed not in ancestors:
            fallback = needed
    return fallback


def _feeds_to_drop(elements: Iterable[Element], op: Operation, fed: frozenset[Tensor]) -> tuple[Tensor, ...]:
    """The fewest fed tensors without which the fetches need the node; empty if that does not help.

    A path from a fetch to the node costs one for each fed tensor on it; a deque of steps, free ones in front, finds the
    cheapest path. No path leads through a fed placeholder, which has no other value.
    """
    cost: dict[Operation, int] = {}
    came_from: dict[Operation, tuple[Operation | None, Tensor | None]] = {}
    steps: deque[tuple[int, Operation, Operation | None, Tensor | None]] = deque()

    def step(price: int, to: Operation, consumer: Operation | None, fed_tensor: Tensor | None) -> None:
        if fed_tensor is None:
            steps.appendleft((price, to, consumer, None))
        elif to.type not in PLACEHOLDERS:
            steps.append((price + 1, to, consumer, fed_tensor))

    for element in elements:
        if isinstance(element, Operation):
            step(0, element, None, None)
        else:
            step(0, element.op, None, element if element in fed else None)
    while steps:
        price, at, consumer, fed_tensor = steps.popleft()
        if at in cost:
            continue
        cost[at] = price
        came_from[at] = (consumer, fed_tensor)
        if at is op:
            break
        for tensor in at.inputs:
            step(price, tensor.op, at, tensor if tensor in fed else None)
        for waited in at.control_inputs:
            if waited.type not in PLACEHOLDERS or waited.outputs[0] not in fed:
                step(price, waited, at, None)
    if op not in cost:
        return ()
    dropped: list[Tensor] = []
    node: Operation | None = op
    while node is not None:
        node, fed_tensor = came_from[node]
        if fed_tensor is not None:
            dropped.append(fed_tensor)
    return tuple(dict.fromkeys(reversed(dropped)))


def _relabelled_fetches(
    graph: Graph, op: Operation, elements: Iterable[Element], feeds: Mapping[Tensor, Any]
) -> Iterable[tuple[Tensor, ControlBlock]]:
    """Fetched tensors to which a block that waits for the node only gave a name, each with the block."""
    yielded: set[tuple[Tensor, int]] = set()
    fetched = {element for element in elements if isinstance(element, Tensor) and element not in feeds}
    for relabel in relabels(graph):
        waits = relabel.block.control_inputs
        if op not in waits and op not in prune(graph, waits, feeds).needed_by:
            continue
        for tensor in relabel.tensors:
            if tensor in fetched and (tensor, id(relabel.block)) not in yielded:
                yielded.add((tensor, id(relabel.block)))
                yield tensor, relabel.block


def names_of(elements: Iterable[Element]) -> str:
    """The names of tensors and operations, as text."""
    return ", ".join(shorten(element.name, 60) for element in elements)


__all__ = ["Change", "Element", "Kind", "changes_to_run", "rank"]
