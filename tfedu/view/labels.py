"""Names as pictures show them: control characters made visible, long ones cut in the middle, widths estimated.

`visible(text)`, `shorten(text, limit)` and `leaf(name)` do what widgets/src/base/text.ts does in the browser, so that a
node looks the same everywhere; `width(text, size)` is the room that a layout reserves. No state.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_BIDI: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# C0 and C1 controls, the two separators that end a line, lone surrogates and what XML 1.0 forbids besides.
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")

# Widths of the printable ASCII characters in 1/100 em: for each the wider of DejaVu Sans and Liberation Sans (Arial's
# metrics), so that a text drawn in either fits its box.
_ASCII: Final = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 56, 102, 68, 69, 72, 77, 67, 61, 78, 75, 29, 50, 67, 56, 86, 75, 79, 67, 79, 72, 67, 61, 73, 68, 99, 69,
    67, 69, 39, 34, 39, 84, 56, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63,
    59, 82, 59, 59, 52, 64, 34, 64, 84,
)  # fmt: skip


def width(text: str, size: float) -> float:
    """The largest width of `text` drawn at font size `size`, in pixels; Chinese, Korean and emoji take a full square."""
    total = 0
    for character in text:
        code = ord(character)
        if 32 <= code < 127:
            total += _ASCII[code - 32]
        elif _extends(character):
            continue
        elif code >= 0x1F000 or unicodedata.east_asian_width(character) in "WF":
            total += 105
        else:
            total += 72
    return total * size / 100


def _extends(character: str) -> bool:
    """Whether the character belongs to the one before it (accent, joiner, variation selector, skin tone)."""
    return (
        character in _JOINERS
        or unicodedata.combining(character) != 0
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def visible(text: str) -> str:
    """The text with every character visible: ␀ for NUL, ⟨U+202E⟩ for a character that reverses the line."""
    if text.isascii() and text.isprintable():
        return text
    return _BIDI.sub(_named, _CONTROL.sub(_pictured, text))


def encodable(text: str) -> str:
    """The text without characters that XML 1.0 or UTF-8 cannot hold, for texts of a record that are no labels."""
    return _NOT_XML.sub("\ufffd", text)


def _pictured(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == 0x7F:
        return "\u2421"
    return chr(0x2400 + code) if code < 32 else "\ufffd"


def _named(match: re.Match[str]) -> str:
    return f"⟨U+{ord(match[0]):04X}⟩"


def shorten(text: str, limit: int = 28) -> str:
    """At most `limit` characters of a name, cut in the middle, since names differ at their ends; then made visible."""
    if len(text) <= limit:
        return visible(text)
    if len(text) <= limit * 16:
        marks = _clusters(text)
        if len(marks) <= limit:
            return visible(text[: limit * 8])
    tail = limit // 3
    start = "".join(_clusters(text[: limit * 8])[: limit - tail - 1])
    end = "".join(_clusters(text[-tail * 8 :])[-tail:])
    return visible(f"{start[: limit * 2]}…{end[-limit:]}")


def _clusters(text: str) -> list[str]:
    """The text in grapheme clusters: what a reader calls characters."""
    parts: list[str] = []
    joined = False
    for character in text:
        if parts and (joined or _extends(character)):
            parts[-1] += character
        else:
            parts.append(character)
        joined = character == "\u200d"
    return parts


def inline(text: str, limit: int = 60) -> str:
    """A name inside a sentence: short, and isolated where it runs from right to left."""
    short = shorten(text, limit)
    return f"\u2068{short}\u2069" if _RTL.search(short) else short


def leaf(name: str) -> str:
    """The last part of a scoped name."""
    return name[name.rfind("/") + 1 :] or name


def fit(text: str, room: float, size: float) -> str:
    """The text cut at its end until it is at most `room` wide."""
    if width(text, size) <= room:
        return text
    parts = _clusters(text)
    while parts and width("".join(parts) + "…", size) > room:
        parts.pop()
    return "".join(parts) + "…"


def cells(text: str) -> int:
    """How many cells of a terminal the text takes."""
    return sum(
        0 if _extends(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )
