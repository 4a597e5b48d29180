"""What an input pipeline does to order and epochs, and what sets its pace: `order_findings(flow)`, `pace_findings(flow, times)`.

Every sentence is found in the elements that went through, none in the names of stages. No state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from ....engine.data.pipeline.flow import Element, Flow
from ...labels import shorten
from ...records import SentenceRecord
from .pipeline_times import CONSUMER, Costs, Times, consumer_of, kind_of, simulated

WORTH: Final = 0.98  # a change is named if it leaves at most so much of the time
CALLS: Final = 4  # the number of parallel calls that is tried
MEMBERS: Final = 12  # elements of a batch that a sentence lists


@dataclass(frozen=True, order=True)
class Place:
    """Where an element of the source stood: its pass, and its number in it. Both from 0."""

    epoch: int
    number: int


class Origins:
    """Which elements of the source each element was made of.

    State: the flow; what is known of its elements.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.outputs = [element for element in flow.elements if element.stage == self.last]
        self._leaves: dict[int, tuple[int, ...]] = {}

    @property
    def last(self) -> int:
        """The stage that the consumer asks: no other stage asks it."""
        return max((stage.id for stage in self.flow.stages if not stage.is_inner and self._is_last(stage.id)), default=0)

    def _is_last(self, id: int) -> bool:
        return consumer_of(self.flow, id) == CONSUMER

    @cached_property
    def has_passes(self) -> bool:
        """Whether the stages are one line in which each element is known to come from the source, so that a later pass over the
        source is a later epoch.
        """
        stages = self.flow.stages
        asked = [id for stage in stages for id in stage.inputs]
        lines = all(len(stage.inputs) <= 1 and not stage.is_inner for stage in stages) and len(asked) == len(set(asked))
        sources = {stage.id for stage in stages if not stage.inputs}
        return lines and all(
            element.sources or element.stage in sources or element.id in self._again for element in self.flow.elements
        )

    @cached_property
    def places(self) -> dict[int, Place]:
        """The number of each element among those of its stage and epoch."""
        counts: dict[tuple[int, int], int] = {}
        places = {}
        for element in self.flow.elements:
            key = (element.stage, element.epoch)
            places[element.id] = Place(element.epoch, counts.get(key, 0))
            counts[key] = counts.get(key, 0) + 1
        return places

    @cached_property
    def _again(self) -> dict[int, int]:
        """For each element that a cache hands on again the one that it kept, if that pass was one epoch."""
        again: dict[int, int] = {}
        for stage in self.flow.stages:
            own = [element for element in self.flow.elements if element.stage == stage.id]
            kept = [element for element in own if element.sources]
            if kind_of(stage) != "cache" or len({element.epoch for element in kept}) != 1:
                continue
            for element in own:
                number = self.places[element.id].number
                if not element.sources and number < len(kept) and element.epoch > kept[0].epoch:
                    again[element.id] = kept[number].id
        return again

    @cached_property
    def _joined(self) -> set[int]:
        """The elements of stages that join several into one, also a short batch of a single member, and what is made of them."""
        joins = {element.stage for element in self.flow.elements if len(element.sources) > 1}
        found: set[int] = set()
        for element in self.flow.elements:
            if element.stage in joins or not found.isdisjoint(element.sources):
                found.add(element.id)
        return found

    def leaves(self, element: int) -> tuple[int, ...]:
        """The elements without sources that an element was made of, in order."""
        if element not in self._leaves:
            sources = self.flow.elements[element].sources
            self._leaves[element] = (
                tuple(leaf for source in sources for leaf in self.leaves(source)) if sources else (element,)
            )
        return self._leaves[element]

    def of(self, element: int) -> list[Place]:
        """The places that an element was made of."""
        found: list[Place] = []
        for leaf in self.leaves(element):
            if leaf in self._again:
                epoch = self.flow.elements[leaf].epoch
                found.extend(Place(epoch, place.number) for place in self.of(self._again[leaf]))
            else:
                found.append(self.places[leaf])
        return found

    def number(self, element: Element) -> int:
        """The place of the element of the source that a stage hands on; of a batch, and of what is made of batches, its number in
        its stage.
        """
        places = self.of(element.id) if self.has_passes and element.id not in self._joined else []
        return places[0].number if len(places) == 1 else element.index

    def epoch(self, element: Element) -> int | None:
        """The epoch of an element, if there are epochs and all that it was made of is of one."""
        epochs = {place.epoch for place in self.of(element.id)}
        return epochs.pop() if self.has_passes and len(epochs) == 1 else None


def order_findings(origins: Origins) -> list[SentenceRecord]:
    """What becomes of epochs and of the order of the source; nothing for pipelines whose passes have no order."""
    outputs = [origins.of(element.id) for element in origins.outputs]
    if not origins.has_passes or len(outputs) < 2:
        return []
    return [*_epochs(outputs), *_order(origins, outputs)]


def _epochs(outputs: Sequence[list[Place]]) -> list[SentenceRecord]:
    flat = [place for places in outputs for place in places]
    epochs = sorted({place.epoch for place in flat})
    if len(epochs) < 2:
        return []
    found = []
    for index, places in enumerate(outputs):
        joined = sorted({place.epoch for place in places})
        if len(joined) > 1:
            found.append(_sentence("epochs.joined", index=index, first=joined[0] + 1, second=joined[1] + 1))
            break
    highest = flat[0]
    for place in flat:
        if place.epoch < highest.epoch:
            found.append(
                _sentence(
                    "epochs.mixed", early=highest.number, later=highest.epoch + 1, late=place.number, earlier=place.epoch + 1
                )
            )
            return found
        highest = max(highest, place, key=lambda each: each.epoch)
    return [*found, _sentence("epochs.apart", first=epochs[0] + 1, second=epochs[1] + 1)]


def _order(origins: Origins, outputs: Sequence[list[Place]]) -> list[SentenceRecord]:
    flat = [place for places in outputs for place in places]
    if flat == sorted(flat):
        return [_sentence("order.kept")]
    if all(len(places) == 1 for places in outputs):
        return _changed(flat)
    order = sorted(flat)
    rank = {place: number for number, place in enumerate(order)}
    for index, places in enumerate(outputs):
        ranks = [rank[place] for place in places]
        if len(places) > 1 and ranks != list(range(ranks[0], ranks[0] + len(ranks))):
            members = ", ".join(str(place.number) for place in places[:MEMBERS])
            return [_sentence("order.members", index=index, members=members + (", …" if len(places) > MEMBERS else ""))]
    first = next(at for at in range(1, len(outputs)) if outputs[at] < outputs[at - 1])
    texts = [f"[{', '.join(str(place.number) for place in outputs[at][:MEMBERS])}]" for at in (first - 1, first)]
    return [_sentence("order.batches", early=texts[0], late=texts[1])]


def _changed(flat: Sequence[Place]) -> list[SentenceRecord]:
    """The first two elements of one epoch whose order changed, and how many places elements come early at most."""
    highest: dict[int, int] = {}
    rank: dict[int, int] = {}
    found: list[SentenceRecord] = []
    early = 0
    for place in flat:
        before = highest.get(place.epoch, -1)
        if before > place.number and not found:
            found.append(_sentence("order.changed", early=before, late=place.number, epoch=place.epoch + 1))
        highest[place.epoch] = max(before, place.number)
        early = max(early, place.number - rank.get(place.epoch, 0))
        rank[place.epoch] = rank.get(place.epoch, 0) + 1
    is_apart = all(before.epoch <= after.epoch for before, after in pairwise(flat))
    return [*found, _sentence("order.early", n=early)] if found and is_apart else found


def pace_findings(flow: Flow, times: Times, costs: Costs | None) -> list[SentenceRecord]:
    """Which stage sets the pace and why, and which change would help: each is tried on the clock."""
    if not times.total:
        return []
    labels = {stage.id: shorten(stage.label, 48) for stage in flow.stages}
    slowest, total = times.stages[times.bottleneck], milliseconds(times.total)
    takes_turns = any(time.thread == CONSUMER and time.work for id, time in times.stages.items() if id != CONSUMER)
    facts: dict[str, Any] = {"work": milliseconds(slowest.work), "total": total}
    if times.bottleneck != CONSUMER:
        facts |= {"label": labels[times.bottleneck], "lanes": slowest.lanes}
        found = [_sentence("pace.lanes" if slowest.lanes > 1 else "pace.stage", **facts)]
    else:
        found = [_sentence("pace.consumer", **facts)]
    waits = times.stages[CONSUMER].starved
    if waits > 0:
        found.append(_sentence("pace.alone" if takes_turns else "pace.waits", waits=milliseconds(waits), total=total))
    return [*found, *(_helps(flow, times, costs, labels) if flow.error is None else [])]


def _helps(flow: Flow, times: Times, costs: Costs | None, labels: Mapping[int, str]) -> list[SentenceRecord]:
    """The changes that would save time, with the time that is left."""
    mapped = [
        stage for stage in flow.stages
        if kind_of(stage) == "map" and times.stages[stage.id].lanes < CALLS and times.stages[stage.id].work
    ]  # fmt: skip
    slowest = max(mapped, key=lambda stage: times.stages[stage.id].work, default=None)
    asked = Origins(flow).last
    last = next(stage for stage in flow.stages if stage.id == asked)
    tries: dict[str, dict[str, Any]] = {}
    if kind_of(last) != "prefetch":
        tries["prefetch"] = {"ahead": 1}
    if slowest is not None:
        tries["calls"] = {"lanes": {slowest.id: CALLS}}
        if tries.keys() == {"prefetch", "calls"}:
            tries["both"] = {**tries["prefetch"], **tries["calls"]}
    found = []
    best = times.total
    for name, change in tries.items():
        left = simulated(flow, costs, **change).total
        if left <= WORTH * (best if name == "both" else times.total):
            label = labels[slowest.id] if slowest is not None else ""
            found.append(
                _sentence(f"help.{name}", label=label, calls=CALLS, total=milliseconds(left), before=milliseconds(times.total))
            )
            best = min(best, left)
    return found or [_sentence("help.none")]


def both_findings(first: Flow, second: Flow, times: tuple[Times, Times]) -> list[SentenceRecord]:
    """How what two pipelines hand on differs, and how long they take."""
    outputs = [[_key(element) for element in Origins(flow).outputs] for flow in (first, second)]
    one, other = outputs
    code = "both.same" if one == other else "both.order" if sorted(one) == sorted(other) else "both.others"
    clock = _sentence("both.times", first=milliseconds(times[0].total), second=milliseconds(times[1].total))
    return [_sentence(code, n=len(one), m=len(other)), clock]


def _key(element: Element) -> str:
    """A text that is equal for equal values."""
    parts = element.value if isinstance(element.value, tuple) else (element.value,)
    return repr([(getattr(part, "dtype", None), part.tolist() if hasattr(part, "tolist") else part) for part in parts])


def milliseconds(time: float) -> str:
    """A time as short text."""
    return f"{round(time, 2):g}"


def _sentence(code: Any, **params: str | int) -> SentenceRecord:
    return SentenceRecord(code, params)


__all__ = ["Origins", "Place", "both_findings", "milliseconds", "order_findings", "pace_findings"]
