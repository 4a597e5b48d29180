"""Regular expressions in linear time: `Linear(pattern)` has `search` and `fullmatch`, for patterns that could backtrack.

Python's `re` tries one way after the other, and `(a+)+$` has 2^n of them in a text of n characters. Here all ways go through the
text side by side, as threads of one small program (Pike's machine): at each character at most one thread stands at each
instruction, and the order of the threads keeps the preference for the first alternative and the longest repetition. That takes
longer per character than `re`: `steps` says when `re` is surely fast enough. No state.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from .shape_checks import invalid

_MOST_INSTRUCTIONS: Final = 20_000
_WORD: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


def steps(pattern: re.Pattern[str], length: int) -> float:
    """A bound of the steps that `re` takes to find the pattern in a text of so many characters."""
    ways = _ways(parser.parse(pattern.pattern), length)
    return (length + 1) * ways if ways < 1e300 else float("inf")


def _ways(tree: Any, length: int) -> float:
    """A bound of the ways in which the tree can match from one place of the text."""
    ways = 1.0
    for kind, value in tree:
        if kind is kinds.BRANCH:
            ways *= sum(_ways(part, length) for part in value[1])
        elif kind is kinds.SUBPATTERN:
            ways *= _ways(value[3], length)
        elif kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
            low, high, part = value
            inner, times = _ways(part, length), min(int(high), length)
            # Each repetition takes a way of its own, and the number of repetitions is one of so many.
            power = inner**times if times * math.log(inner) < 700 else float("inf")
            ways *= power * (max(times - low, 0) + 1)
        if ways > 1e300:
            return float("inf")
    return ways


class Found:
    """A match: `start()`, `end()`, and the text of a group by its number."""

    def __init__(self, text: str, places: tuple[int, ...]) -> None:
        self.text = text
        self.places = places

    def start(self) -> int:
        return self.places[0]

    def end(self) -> int:
        return self.places[1]

    def __getitem__(self, group: int) -> str | None:
        start, end = self.places[2 * group : 2 * group + 2]
        return None if start < 0 or end < 0 else self.text[start:end]


class Linear:
    """A pattern in Python's syntax, as `re2.compiled` writes it (no look-around, no back references).

    Raises: InvalidArgumentError, in RE2's words, for a pattern whose program would be too long.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.groups = pattern.groups
        # (name, arguments): char test; split first second; jump to; save place; at kind; match
        self.program: list[tuple[Any, ...]] = []
        self._emit("save", 0)
        self._write(parser.parse(pattern.pattern), 0)
        self._emit("save", 1)
        self._emit("match")

    def _emit(self, *instruction: Any) -> int:
        if len(self.program) >= _MOST_INSTRUCTIONS:
            raise invalid("Invalid pattern: pattern too large - compile failed")
        self.program.append(instruction)
        return len(self.program) - 1

    def _write(self, tree: Any, flags: int) -> None:
        for kind, value in tree:
            if kind is kinds.SUBPATTERN:
                group, add, remove, part = value
                if group is not None:
                    self._emit("save", 2 * group)
                self._write(part, (flags | add) & ~remove)
                if group is not None:
                    self._emit("save", 2 * group + 1)
            elif kind is kinds.BRANCH:
                self._write_branches(value[1], flags)
            elif kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
                low, high, part = value
                self._write_repeat(low, high, part, kind is kinds.MAX_REPEAT, flags)
            elif kind is kinds.AT:
                self._emit("at", value, bool(flags & re.MULTILINE), True)
            elif kind is kinds.ASSERT_NOT:  # `(?!\b)`, for RE2's \B
                self._emit("at", value[1][0][1], False, False)
            else:
                self._emit("char", _test(kind, value, flags))

    def _write_branches(self, parts: Any, flags: int) -> None:
        ends = []
        for part in parts[:-1]:
            split = self._emit("split")
            self._write(part, flags)
            ends.append(self._emit("jump"))
            self.program[split] = "split", split + 1, len(self.program)
        self._write(parts[-1], flags)
        for end in ends:
            self.program[end] = "jump", len(self.program)

    def _write_repeat(self, low: int, high: Any, part: Any, greedy: bool, flags: int) -> None:
        for _ in range(low):
            self._write(part, flags)
        splits = []
        if high is kinds.MAXREPEAT:
            split = self._emit("split")
            self._write(part, flags)
            self._emit("jump", split)
            splits.append(split)
        else:
            for _ in range(high - low):
                splits.append(self._emit("split"))
                self._write(part, flags)
        for split in splits:
            ways = split + 1, len(self.program)
            self.program[split] = "split", *(ways if greedy else ways[::-1])

    def search(self, text: str, at: int = 0) -> Found | None:
        """The first match at or after the place `at`."""
        return self._run(text, at, False)

    def fullmatch(self, text: str) -> Found | None:
        """The match of the whole text."""
        return self._run(text, 0, True)

    def _run(self, text: str, at: int, whole: bool) -> Found | None:
        program, found = self.program, None
        none = (-1,) * (2 * self.groups + 2)
        threads: list[tuple[int, tuple[int, ...]]] = []
        seen: set[int] = set()
        for place in range(at, len(text) + 1):
            if found is None and (not whole or place == 0):
                self._follow(0, none, text, place, threads, seen)
            if not threads and (found is not None or whole):
                break
            ahead: list[tuple[int, tuple[int, ...]]] = []
            seen = set()
            for step, saved in threads:
                name = program[step][0]
                if name == "match":
                    if not whole or place == len(text):
                        found = saved
                        break  # the later threads are less preferred
                elif place < len(text) and program[step][1](text[place]):
                    self._follow(step + 1, saved, text, place + 1, ahead, seen)
            threads = ahead
        return None if found is None else Found(text, found)

    def _follow(
        self, step: int, saved: tuple[int, ...], text: str, place: int, threads: list[tuple[int, tuple[int, ...]]], seen: set[int]
    ) -> None:
        """Adds the threads that stand at a character or the end, from this instruction on, the preferred first."""
        stack = [(step, saved)]
        while stack:
            step, saved = stack.pop()
            if step in seen:
                continue
            seen.add(step)
            name, *values = self.program[step]
            if name == "jump":
                stack.append((values[0], saved))
            elif name == "split":
                stack += [(values[1], saved), (values[0], saved)]
            elif name == "save":
                stack.append((step + 1, (*saved[: values[0]], place, *saved[values[0] + 1 :])))
            elif name == "at":
                if _is_at(values[0], values[1], text, place) == values[2]:
                    stack.append((step + 1, saved))
            else:
                threads.append((step, saved))


def _is_at(kind: Any, lines: bool, text: str, place: int) -> bool:
    if kind is kinds.AT_BOUNDARY:
        return (place > 0 and text[place - 1] in _WORD) != (place < len(text) and text[place] in _WORD)
    if kind in (kinds.AT_BEGINNING, kinds.AT_BEGINNING_STRING):
        return place == 0 or (lines and kind is kinds.AT_BEGINNING and text[place - 1] == "\n")
    return place == len(text) or (lines and kind is kinds.AT_END and text[place] == "\n")


def _test(kind: Any, value: Any, flags: int) -> Callable[[str], bool]:
    """Whether a character fits; with re.IGNORECASE, whether one of its two cases does."""
    fits = _fits(kind, value, flags)
    if flags & re.IGNORECASE:
        return lambda char: any(fits(ord(one)) for one in {char, *char.lower()[:1], *char.upper()[:1]})
    return lambda char: fits(ord(char))


def _fits(kind: Any, value: Any, flags: int) -> Callable[[int], bool]:
    if kind is kinds.LITERAL:
        return lambda code: code == value
    if kind is kinds.NOT_LITERAL:
        return lambda code: code != value
    if kind is kinds.ANY:
        return lambda code: bool(flags & re.DOTALL) or code != 10
    assert kind is kinds.IN, kind
    negated = value[0][0] is kinds.NEGATE
    ranges = [v if k is kinds.RANGE else (v, v) for k, v in value[negated:]]
    return lambda code: any(low <= code <= high for low, high in ranges) != negated


__all__ = ["Linear", "steps"]
