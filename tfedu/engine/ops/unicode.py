"""Unicode: conversion between encoded strings and code points, and between encodings. No state.

Malformed bytes become the replacement character, one for each longest run that begins no valid character.
"""

from __future__ import annotations

import codecs
import functools
import itertools
import math
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..base.unicode_scripts import scripts_of
from ..op.define import Sym, op, same_shape, typevar
from ..op.shape_checks import INDEX, as_array, invalid, of_rank
from .strings import each

string = dtypes.string
Tsplits = typevar("Tsplits", INDEX, default=dtypes.int64)
Errors = Literal["strict", "replace", "ignore"]
Output = Literal["UTF-8", "UTF-16-BE", "UTF-32-BE"]

# Python codecs that are no encodings of text, or that depend on the system.
_NO_ENCODINGS = frozenset(("idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "mbcs", "oem"))


_NO_CONVERTER = "Could not create converter for input encoding: {}"


@functools.lru_cache(maxsize=64)
def _encoding(name: str) -> str:
    """Python's name of an encoding. Raises: InvalidArgumentError when there is none."""
    try:
        codec = codecs.lookup(name)
        if codec.name.replace("_", "-") not in _NO_ENCODINGS and "".encode(name) is not None:
            return codec.name
    except (LookupError, UnicodeError, ValueError):
        raise invalid(_NO_CONVERTER.format(name)) from None
    raise invalid(_NO_CONVERTER.format(name))


def _pieces(text: bytes, encoding: str) -> Iterator[tuple[int, int | None]]:
    """(position, code point) of each character; code point None for malformed bytes."""
    at = 0
    while at < len(text):
        try:
            good, failed = text[at:].decode(encoding), None
        except UnicodeDecodeError as error:
            good, failed = text[at : at + error.start].decode(encoding), error
        start = at
        for char in good:
            yield start, ord(char)
            start += _size(char, encoding)
        if failed is None:
            return
        yield at + failed.start, None
        at += max(failed.end, failed.start + 1)


def _size(char: str, encoding: str) -> int:
    code = ord(char)
    if encoding == "utf-8":
        return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
    return 2 + 2 * (code > 0xFFFF) if encoding.startswith("utf-16") else len(char.encode(encoding))


class _Reading:
    """How an op decodes its strings: encoding, and treatment of malformed bytes and control characters."""

    def __init__(self, encoding: str, errors: str, replacement: int, replace_controls: bool) -> None:
        self.encoding = _encoding(encoding)
        self.errors = errors
        self.replacement = replacement
        self.replace_controls = replace_controls
        _check_replacement(replacement)

    def codes(self, text: bytes) -> Iterator[tuple[int, int]]:
        """(position, code point) of each character. Raises: InvalidArgumentError for malformed text if strict."""
        for start, code in _pieces(text, self.encoding):
            if code is None:
                if self.errors == "strict":
                    raise invalid("Invalid formatting on input string")
                code = self.replacement if self.errors == "replace" else None
            elif self.replace_controls and code <= 0x1F:
                code = self.replacement if self.errors != "ignore" else None
            if code is not None:
                yield start, code


def _check_replacement(code: int) -> None:
    if not _is_character(code):
        raise invalid("replacement_char out of unicode codepoint range")


def _is_character(code: int) -> bool:
    """Whether a code point may be a character: neither a surrogate nor a noncharacter."""
    return 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF and code & 0xFFFE != 0xFFFE and not 0xFDD0 <= code <= 0xFDEF


def _decode_shape(input: Sym, **_: Any) -> list[Shape]:
    known = input.shape
    if known is None or None in known:
        return [(None,), (None,)]
    return [(math.prod([d or 0 for d in known]) + 1,), (None,)]


def _decoded(input: Any, reading: _Reading, splits_type: Any) -> tuple[Any, Any, Any]:
    splits, starts, codes = [0], [], []
    for text in as_array(input).reshape(-1):
        for start, code in reading.codes(text):
            starts.append(start)
            codes.append(code)
        splits.append(len(codes))
    return np.array(splits, splits_type), np.array(codes, np.int32), np.array(starts, np.int64)


@op("UnicodeDecode", out="row_splits char_values", shape=_decode_shape)
def unicode_decode(
    xp: Any,
    input: string,
    *,
    input_encoding: str,
    errors: Errors = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    Tsplits: Tsplits = dtypes.int64,
) -> tuple["Tsplits", dtypes.int32]:
    """The code points of all strings, row by row: input any shape, n strings -> row_splits [n + 1], char_values [code
    points].

    Raises: InvalidArgumentError for an unknown encoding, and with errors="strict" for malformed text.
    """
    reading = _Reading(input_encoding, errors, replacement_char, replace_control_characters)
    return _decoded(input, reading, Tsplits.as_numpy_dtype)[:2]


@op(
    "UnicodeDecodeWithOffsets", out="row_splits char_values char_to_byte_starts",
    shape=lambda input, **_: [*_decode_shape(input), (None,)],
)  # fmt: skip
def unicode_decode_with_offsets(
    xp: Any,
    input: string,
    *,
    input_encoding: str,
    errors: Errors = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    Tsplits: Tsplits = dtypes.int64,
) -> tuple["Tsplits", dtypes.int32, dtypes.int64]:
    """The code points of all strings, row by row, and the byte at which each begins in its string: input any shape, n
    strings -> row_splits [n + 1], char_values [code points], char_to_byte_starts [code points].

    Raises: as UnicodeDecode.
    """
    reading = _Reading(input_encoding, errors, replacement_char, replace_control_characters)
    return _decoded(input, reading, Tsplits.as_numpy_dtype)


_PYTHON = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}


def _without_surrogates(text: str) -> str:
    """The text with the replacement character in place of surrogates, which cannot be encoded."""
    return "".join("\ufffd" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)


def _encode_shape(input_values: Sym, input_splits: Sym, **_: Any) -> Shape:
    of_rank(input_values.shape, 1)
    of_rank(input_splits.shape, 1)
    count = input_splits.shape[0] if input_splits.shape else None
    if count == 0:
        raise ShapeMismatch("Negative dimension size caused by subtracting 1 from 0")
    return (None if count is None else count - 1,)


@op("UnicodeEncode", shape=_encode_shape)
def unicode_encode(
    xp: Any,
    input_values: dtypes.int32,
    input_splits: Tsplits,
    *,
    errors: Literal["ignore", "replace", "strict"] = "replace",
    output_encoding: Output,
    replacement_char: int = 65533,
) -> string:
    """A string from each row of code points: input_values [code points], input_splits [n + 1] -> [n].

    Raises: InvalidArgumentError with errors="strict" for a number that is no code point.
    """
    _check_replacement(replacement_char)
    ends, codes = np.ravel(input_splits).tolist(), np.ravel(input_values).tolist()
    if not ends:
        raise invalid("Input_splits should contain elements, but given input_values has 0 elements")
    if ends[0] != 0:
        raise invalid("First value in input_splits must be zero.")
    if ends[-1] != len(codes):
        raise invalid("Last value in input_splits must be equal to length of input_tensor.")
    if any(a > b for a, b in itertools.pairwise(ends)):
        raise invalid("Values in input_splits must be equal or in ascending order.")
    out = np.empty(len(ends) - 1, object)
    for row in range(len(ends) - 1):
        chars = []
        for code in codes[ends[row] : ends[row + 1]]:
            if not _is_character(code):
                if errors == "strict":
                    raise invalid("Code point is out of range for Unicode, or a noncharacter.")
                code = replacement_char if errors == "replace" else code
            if 0 <= code <= 0x10FFFF:
                chars.append(chr(code))
        out[row] = _without_surrogates("".join(chars)).encode(_PYTHON[output_encoding])
    return out


@op("UnicodeTranscode", shape=same_shape)
def unicode_transcode(
    xp: Any,
    input: string,
    *,
    input_encoding: str,
    output_encoding: Output,
    errors: Errors = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
) -> string:
    """The same text in another encoding.

    Raises: InvalidArgumentError for an unknown encoding, and with errors="strict" for malformed text.
    """
    reading = _Reading(input_encoding, errors, replacement_char, replace_control_characters)
    target = _PYTHON[output_encoding]
    return each(lambda text: "".join(chr(code) for _, code in reading.codes(text)).encode(target), input)


@op("UnicodeScript", shape=same_shape)
def unicode_script(xp: Any, input: dtypes.int32) -> dtypes.int32:
    """The script of each code point, as ICU's number; -1 for what is no code point."""
    scripts = scripts_of(input)
    return scripts if scripts.ndim else scripts[()]
