"""RE2's regular expressions by Python's `re`: `compiled(pattern)`, `replaced(match pattern, rewrite, text)`, `full_match`.

A parser translates the pattern to Python's syntax. What RE2 does not support (look-around, back references, possessive
repetition) raises RE2's error, and the rest means what it means in RE2: classes are ASCII, `$` is the end of the text, an
empty match may not touch the match before it. Text is UTF-8; other bytes stay unchanged. State: `compiled` caches patterns.
Differs from TF: classes of a script (`\\p{Greek}`) and single bytes (`\\C`) are errors; a group whose last repetition matched
nothing may have another text. Where `re` could try too many ways (`(a*)*b`), linear_re.py finds the match in linear time.
"""

from __future__ import annotations

import functools
import re
import sys
from typing import Any

from ..base import errors
from . import linear_re
from .shape_checks import invalid

# The first and the last character of each range.
_CLASSES = {
    "d": "09", "w": "09AZ__az", "s": "\t\n\f\r  ",
    "alnum": "09AZaz", "alpha": "AZaz", "ascii": "\0\x7f", "blank": "\t\t  ", "cntrl": "\0\x1f\x7f\x7f", "digit": "09",
    "graph": "!~", "lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "word": "09AZ__az",
    "xdigit": "09AFaf",
}  # fmt: skip
_CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_START, _END = "(?:\\A)", "(?:\\Z)"  # groups, as Python repeats no bare anchor
_MOST = 1000  # RE2 repeats nothing more often, all counts around it multiplied


def _refused(pattern: str, why: str) -> errors.InvalidArgumentError:
    return invalid(f"Invalid pattern: {_shown(pattern)}, error: {_shown(why)}")


def _shown(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


Ranges = tuple[tuple[int, int], ...]


def _ranges(name: str) -> Ranges:
    """A class of _CLASSES as ranges of code points."""
    ends = [ord(char) for char in _CLASSES[name]]
    return tuple(zip(ends[::2], ends[1::2]))


@functools.lru_cache(maxsize=64)
def _category(name: str) -> Ranges:
    """The code points of a Unicode category (L, Lu, …); none where there is no such category."""
    import unicodedata

    if name == "Any":
        return ((0, sys.maxunicode),)
    edges: list[int] = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)).startswith(name) != bool(len(edges) % 2):
            edges.append(code)
    if len(edges) % 2:
        edges.append(sys.maxunicode + 1)
    return tuple((start, end - 1) for start, end in zip(edges[::2], edges[1::2]))


def _others(ranges: Ranges) -> Ranges:
    """The code points that are in none of the ranges, which are in order."""
    edges = [0, *(edge for low, high in ranges for edge in (low, high + 1)), sys.maxunicode + 1]
    return tuple((low, high - 1) for low, high in zip(edges[::2], edges[1::2]) if low < high)


def _inside(ranges: Ranges) -> str:
    """Ranges as the inside of a class in Python's syntax."""
    return "".join(_literal(low) if low == high else f"{_literal(low)}-{_literal(high)}" for low, high in ranges)


def _literal(code: int) -> str:
    return f"\\U{code:08x}"


class _Reader:
    """One pattern, read from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.repeats = 1  # how often the innermost part of what was read last is repeated, by all the counts around it

    def fail(self, why: str) -> errors.InvalidArgumentError:
        return _refused(self.pattern, why)

    def python(self) -> str:
        """The whole pattern in Python's syntax."""
        text = self.alternatives({"i": False, "m": False, "s": False, "U": False}, depth=0)
        if self.at < len(self.pattern):
            raise self.fail(f"unexpected ): {self.pattern}")
        return text

    def alternatives(self, flags: dict[str, bool], depth: int) -> str:
        if depth > 200:
            raise self.fail(f"expression nests too deeply: {self.pattern}")
        parts: list[str] = [""]
        repeated = ""
        most_repeats = 1
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            if char == ")":
                break
            if char == "|":
                self.at += 1
                parts.append("")
                repeated = ""
                continue
            count = self.repetition()
            if count is not None:
                written, sign = count
                if repeated:
                    raise self.fail(f"bad repetition operator: {repeated}{sign}")
                if parts[-1] == "":
                    raise self.fail(f"no argument for repetition operator: {sign}")
                lazy = sign.endswith("?") and len(sign) > 1
                parts[-1] += written + ("?" if lazy != flags["U"] else "")
                repeated = sign
                most_repeats = max(most_repeats, self.repeats)
                continue
            repeated = ""
            self.repeats = 1
            parts[-1] += self.one(flags, depth)
            most_repeats = max(most_repeats, self.repeats)
        self.repeats = most_repeats
        return "|".join(parts)

    def repetition(self) -> tuple[str, str] | None:
        """The repetition at this place: in Python's syntax and in RE2's."""
        match = re.compile(r"[*+?]\??|\{(\d+)(,(\d*))?\}\??").match(self.pattern, self.at)
        if match is None:
            return None
        sign = match[0]
        if sign[0] == "{":
            low = int(match[1])
            high = low if match[2] is None else int(match[3]) if match[3] else low
            self.repeats *= max(high, 1)
            if low > _MOST or self.repeats > _MOST or high < low:
                raise self.fail(f"invalid repetition size: {sign}")
        self.at = match.end()
        return sign[:-1] if len(sign) > 1 and sign.endswith("?") else sign, sign

    def one(self, flags: dict[str, bool], depth: int) -> str:
        """One character, class, anchor or group."""
        char = self.pattern[self.at]
        self.at += 1
        if char == "(":
            return self.group(flags, depth)
        if char == "[":
            return self.folded(self.char_class(), flags)
        if char == ".":
            return "(?s:.)" if flags["s"] else "[^\\n]"
        if char == "^":
            return "(?m:^)" if flags["m"] else _START
        if char == "$":
            return "(?m:$)" if flags["m"] else _END
        if char == "\\":
            return self.escape(flags)
        return self.folded(re.escape(char), flags)

    @staticmethod
    def folded(text: str, flags: dict[str, bool]) -> str:
        return f"(?i:{text})" if flags["i"] else text

    def group(self, flags: dict[str, bool], depth: int) -> str:
        opening = "("
        inner = flags.copy()
        if self.pattern.startswith("?", self.at):
            named = re.compile(r"\?P?<([^>]*)(>?)").match(self.pattern, self.at)
            options = re.compile(r"\?([imsU]*)(-[imsU]+)?([:)])").match(self.pattern, self.at)
            if named is not None and not re.match(r"\?P?<[=!]", self.pattern[self.at :]):
                if not named[2] or not re.fullmatch(r"\w+", named[1]):
                    raise self.fail(f"invalid named capture group: ({named[0]}")
                self.at = named.end()
            elif options is not None and options[0] != "?)":
                self.at = options.end()
                for letter in options[1]:
                    inner[letter] = True
                for letter in (options[2] or "-")[1:]:
                    inner[letter] = False
                if options[3] == ")":
                    flags.update(inner)  # to the end of this group
                    return "(?:)"
                opening = "(?:"
            else:
                raise self.fail(f"invalid perl operator: ({self.pattern[self.at : self.at + 2]}")
        text = self.alternatives(inner, depth + 1)
        if not self.pattern.startswith(")", self.at):
            raise self.fail(f"missing ): {self.pattern}")
        self.at += 1
        return f"{opening}{text})"

    def escape(self, flags: dict[str, bool]) -> str:
        if self.at >= len(self.pattern):
            raise self.fail("trailing \\")
        char = self.pattern[self.at]
        if char in "dws":
            self.at += 1
            return f"[{_inside(_ranges(char))}]"
        if char in "DWS":
            self.at += 1
            return f"[^{_inside(_ranges(char.lower()))}]"
        if char in "bB":
            self.at += 1
            # Python's own \\B does not match in an empty text.
            return "(?a:\\b)" if char == "b" else "(?a:(?!\\b))"
        if char in "Az":
            self.at += 1
            return _START if char == "A" else _END
        if char == "C":
            text = f"Invalid pattern: {_shown(self.pattern)}: a single byte (\\C) cannot be asked for here"
            raise errors.UnimplementedError(None, None, text)
        if char == "Q":
            end = self.pattern.find("\\E", self.at)
            text = self.pattern[self.at + 1 : len(self.pattern) if end < 0 else end]
            self.at = len(self.pattern) if end < 0 else end + 2
            return self.folded(re.escape(text), flags) if text else "(?:)"
        if char in "pP":
            return f"[{_inside(self.category())}]"
        return self.folded(_literal(self.code()), flags)

    def code(self) -> int:
        """The character after a backslash."""
        match = re.compile(r"x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]+)\}|(0[0-7]{0,2}|[1-7][0-7]{1,2})").match(self.pattern, self.at)
        char = self.pattern[self.at : self.at + 1]
        if match is not None:
            self.at = match.end()
            number = int(match[3], 8) if match[3] else int(match[1] or match[2], 16)
            if number <= sys.maxunicode:
                return number
            raise self.fail(f"invalid escape sequence: \\{match[0]}")
        self.at += 1
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char and (ord(char) > 127 or char == "_" or not char.isalnum()) and char.isascii():
            return ord(char)
        raise self.fail(f"invalid escape sequence: \\{char}" if char else "trailing \\")

    def category(self) -> Ranges:
        """The code points of `\\pL`, `\\p{Lu}`, `\\P{^L}`."""
        match = re.compile(r"([pP])(?:\{(\^?)(\w+)\}|(\w))").match(self.pattern, self.at)
        if match is None:
            raise self.fail(f"invalid character class range: \\{self.pattern[self.at :]}")
        self.at = match.end()
        name = match[3] or match[4]
        if len(name) > 2 and name != "Any":
            raise errors.UnimplementedError(
                None, None, f"Invalid pattern: {_shown(self.pattern)}: classes of scripts (\\p{{{name}}}) are not known here"
            )
        ranges = _category(name)
        if not ranges:
            raise self.fail(f"invalid character class range: \\{match[0]}")
        return ranges if (match[1] == "p") != bool(match[2]) else _others(ranges)

    def char_class(self) -> str:
        start = self.at - 1
        missing = self.fail(f"missing ]: {self.pattern[start:]}")
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        parts: list[str] = []
        first = True
        while first or not self.pattern.startswith("]", self.at):
            first = False
            if self.at >= len(self.pattern):
                raise missing
            posix = re.compile(r"\[:(\^?)(\w+):\]").match(self.pattern, self.at)
            if posix is not None:
                if posix[2] not in _CLASSES or len(posix[2]) == 1:
                    raise self.fail(f"invalid character class range: {posix[0]}")
                self.at = posix.end()
                ranges = _ranges(posix[2])
                parts.append(_inside(_others(ranges) if posix[1] else ranges))
                continue
            escaped = self.pattern[self.at + 1 : self.at + 2] if self.pattern[self.at] == "\\" else ""
            if escaped and escaped in "dwsDWS":
                self.at += 2
                ranges = _ranges(escaped.lower())
                parts.append(_inside(ranges if escaped.islower() else _others(ranges)))
                continue
            if escaped and escaped in "pP":
                self.at += 1
                parts.append(_inside(self.category()))
                continue
            low_at = self.at
            low = high = self.class_char(missing)
            if self.pattern.startswith("-", self.at) and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self.class_char(missing)
                if high < low:
                    raise self.fail(f"invalid character class range: {self.pattern[low_at : self.at]}")
            parts.append(_literal(low) + ("" if high == low else "-" + _literal(high)))
        self.at += 1
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def class_char(self, missing: Exception) -> int:
        if self.at >= len(self.pattern):
            raise missing
        char = self.pattern[self.at]
        self.at += 1
        return self.code() if char == "\\" else ord(char)


@functools.lru_cache(maxsize=256)
def compiled(pattern: bytes) -> re.Pattern[str]:
    """The pattern, ready to be matched.

    Raises: InvalidArgumentError in RE2's words for what is no pattern.
    """
    text = pattern.decode("utf-8", "surrogateescape")
    if re.search("[\udc80-\udcff]", text):
        raise invalid(f"Invalid pattern: {_shown(text)}, error: invalid UTF-8")
    written = _Reader(text).python()
    try:
        return re.compile(written)
    except (re.error, OverflowError, RecursionError) as error:
        raise invalid(f"Invalid pattern: {text}, error: {error}") from None


_MOST_STEPS = 2e9  # a bound that `re` stays far below: about two seconds at worst


def _engine(pattern: re.Pattern[str], length: int) -> Any:
    """What finds the pattern in a text of so many characters: `re`, or the linear engine where `re` could take too long."""
    # Powers of two, so that a pattern is looked at a few times, and not for each length.
    return pattern if _is_fast(pattern, length.bit_length()) else _linear(pattern)


@functools.lru_cache(maxsize=4096)
def _is_fast(pattern: re.Pattern[str], bits: int) -> bool:
    return linear_re.steps(pattern, 2**bits) <= _MOST_STEPS


_linear = functools.lru_cache(maxsize=256)(linear_re.Linear)


@functools.lru_cache(maxsize=256)
def _rewrite(rewrite: bytes) -> tuple[list[str | int], int]:
    """A rewrite as texts and numbers of groups, and the largest number; a wrong escape ends it, as in RE2."""
    text = rewrite.decode("utf-8", "surrogateescape")
    largest = max([int(n) for n in re.findall(r"\\(\d)", re.sub(r"\\\\", "", text), re.ASCII)], default=0)
    parts: list[str | int] = []
    for match in re.finditer(r"\\(.?)|([^\\]+)", text, re.DOTALL):
        if match[2] is not None:
            parts.append(match[2])
        elif match[1] == "\\":
            parts.append("\\")
        elif match[1] and match[1] in "0123456789":
            parts.append(int(match[1]))
        else:
            break
    return parts, largest


def replaced(pattern: re.Pattern[str], rewrite: bytes, text: bytes, everywhere: bool) -> bytes:
    """The text with each match, or the first, rewritten; `\\1` in the rewrite is a group, `\\0` the match."""
    parts, largest = _rewrite(rewrite)
    if largest > pattern.groups:
        return text
    source = text.decode("utf-8", "surrogateescape")
    engine = _engine(pattern, len(source))
    out: list[str] = []
    at, last = 0, -1
    while at <= len(source):
        match = engine.search(source, at)
        if match is None:
            break
        out.append(source[at : match.start()])
        if match.start() == match.end() == last:
            # RE2 does not count an empty match directly after a match.
            out.append(source[last : last + 1])
            at, last = last + 1, -1
            continue
        out.extend(part if isinstance(part, str) else match[part] or "" for part in parts)
        at = last = match.end()
        if not everywhere:
            break
    out.append(source[at:])
    return "".join(out).encode("utf-8", "surrogateescape")


def full_match(pattern: re.Pattern[str], text: bytes) -> bool:
    """Whether the whole text matches."""
    source = text.decode("utf-8", "surrogateescape")
    return _engine(pattern, len(source)).fullmatch(source) is not None


__all__ = ["compiled", "full_match", "replaced"]
