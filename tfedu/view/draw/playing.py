"""The frames of a stepper as one SVG that plays by itself: `playing(frames, seconds)`.

What several frames share is there once; what only some of them have is visible while they last, by a CSS animation. Whoever
prefers reduced motion, prints, or draws without animations has the last frame. There is no script, and the same frames give the
same text. No state.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

_SVG: Final = "http://www.w3.org/2000/svg"
_CONTAINERS: Final = frozenset({f"{{{_SVG}}}svg", f"{{{_SVG}}}g"})


@dataclass(eq=False)
class _Entry:
    """An element that some frames have at the same place. key: what it has to have in common; elements: by frame."""

    key: str
    elements: dict[int, ElementTree.Element]


def playing(frames: Sequence[str], seconds: float) -> str:
    """One picture that shows each frame for so many seconds, the last one twice as long, again and again.

    frames: at least one, all of one size.
    """
    roots = dict(enumerate(ElementTree.fromstring(frame) for frame in frames))
    last = len(frames) - 1
    for root in roots.values():
        # Each frame describes itself; the whole has the description of its last frame.
        root.find(f"{{{_SVG}}}desc").text = roots[last].findtext(f"{{{_SVG}}}desc")  # type: ignore[union-attr]
    timer = _Timer(last, seconds)
    root = _merged(roots, timer)
    style = root.find(f"{{{_SVG}}}style")
    assert style is not None
    style.text = f"{style.text}{timer.style()}"
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


class _Timer:
    """The rules that make elements visible in some frames. State: the sets of frames so far, in the order of their classes."""

    def __init__(self, last: int, seconds: float) -> None:
        self.last = last
        self.seconds = seconds
        self.sets: dict[frozenset[int], str] = {}

    def limit(self, element: ElementTree.Element, frames: frozenset[int]) -> None:
        """Makes the element visible in these frames alone."""
        name = self.sets.setdefault(frames, f"tfedu-t{len(self.sets)}")
        element.set("class", f"{element.get('class', '')} {name}".strip())
        if self.last not in frames:
            element.set("visibility", "hidden")  # an attribute: for viewers without style sheets, too

    def style(self) -> str:
        total = self.last + 2
        rules = []
        shown = []
        for frames, name in self.sets.items():
            # A keyframe wherever the visibility changes, which holds until the next one.
            changes = [at for at in range(self.last + 1) if at == 0 or (at in frames) != (at - 1 in frames)]
            steps = "".join(f"{_percent(at, total)}{{visibility:{'visible' if at in frames else 'hidden'}}}" for at in changes)
            rules.append(f"@keyframes {name}{{{steps}}}")
            shown.append(f".tfedu-svg .{name}{{animation:{name} {total * self.seconds:g}s step-end infinite}}")
        paused = ".tfedu-svg:hover *{animation-play-state:paused}"
        return f"{''.join(rules)}@media screen and (prefers-reduced-motion:no-preference){{{''.join(shown)}{paused}}}"


def _percent(at: int, total: int) -> str:
    return f"{100 * at / total:.4f}".rstrip("0").rstrip(".") + "%"


def _merged(elements: dict[int, ElementTree.Element], timer: _Timer) -> ElementTree.Element:
    """An element that all these frames have, with the children of each."""
    first = next(iter(elements.values()))
    merged = ElementTree.Element(first.tag, first.attrib)
    merged.text = first.text
    entries: list[_Entry] = []
    for frame, element in elements.items():
        _align(entries, frame, list(element))
    for entry in entries:
        variants = {ElementTree.tostring(element) for element in entry.elements.values()}
        same = next(iter(entry.elements.values()))
        child = _copied(same) if len(variants) == 1 else _merged(entry.elements, timer)
        if len(entry.elements) < len(elements):
            timer.limit(child, frozenset(entry.elements))
        merged.append(child)
    return merged


def _align(entries: list[_Entry], frame: int, children: Sequence[ElementTree.Element]) -> None:
    """Adds the children of one more frame, at their places among those of earlier frames."""
    keys = [_key(child) for child in children]
    matcher = SequenceMatcher(None, [entry.key for entry in entries], keys, autojunk=False)
    aligned: list[_Entry] = []
    for _, begin, end, first, last in matcher.get_opcodes():
        old, new = entries[begin:end], [_Entry(key, {}) for key in keys[first:last]]
        is_same = [entry.key for entry in old] == keys[first:last]
        aligned.extend(old if is_same else [*old, *new])
        for entry, child in zip(old if is_same else new, children[first:last], strict=True):
            entry.elements[frame] = child
    entries[:] = aligned


def _key(element: ElementTree.Element) -> str:
    """Of a group what its start tag says, since its children can differ from frame to frame; else everything."""
    if element.tag in _CONTAINERS:
        return repr((element.tag, sorted(element.attrib.items())))
    return ElementTree.tostring(element, encoding="unicode")


def _copied(element: ElementTree.Element) -> ElementTree.Element:
    """A copy whose attributes can change."""
    copy = ElementTree.Element(element.tag, element.attrib)
    copy.text = element.text
    copy.extend(element)
    return copy


__all__ = ["playing"]
