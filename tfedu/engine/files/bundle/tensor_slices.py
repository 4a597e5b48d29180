"""Slices of tensors in a checkpoint: `parse_spec("4 3 0,2:-")` is rows 0 and 1 of a tensor [4, 3]; `key(name, slice)` its key.

A slice is (start, length) for each axis, with length WHOLE for a full axis. No state.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple, NoReturn

from ...base.errors import InternalError, InvalidArgumentError

WHOLE = -1
Slice = tuple[tuple[int, int], ...]


class Part(NamedTuple):
    """A slice of a tensor of shape full_shape."""

    full_shape: tuple[int, ...]
    slice: Slice
    shape: tuple[int, ...]


def _refuse(text: str) -> NoReturn:
    raise InvalidArgumentError(None, None, text)


def parse_spec(spec: str) -> Part:
    """Parses a `shape_and_slice`.

    Raises: InvalidArgumentError or InternalError, as TF does.
    """
    words = [word for word in spec.split(" ") if word]
    if len(words) < 2:
        _refuse(f"Need least two elements in shape_and_slice specification: {spec}")
    *sizes, text = words
    if not all(word.isascii() and word.isdigit() for word in sizes):
        _refuse(f"Non numerical dimension in shape_and_slice: {spec}")
    full = tuple(map(int, sizes))
    axes = tuple(_axis(axis, text) for axis in text.split(":"))
    return Part(full, axes, shape_of(axes, full))


def _axis(axis: str, text: str) -> tuple[int, int]:
    if axis == "-":
        return 0, WHOLE
    start, _, length = axis.partition(",")
    try:
        start_and_length = int(start), int(length)
    except ValueError:
        _refuse(f"Expected a pair of numbers or '-' but got '{axis}': string = {text}")
    if start_and_length[0] < 0 or start_and_length[1] <= 0:
        _refuse(
            "Expected non-negative start and positive length but got "
            f"start = {start_and_length[0]}, length = {start_and_length[1]}: string = {text}"
        )
    return start_and_length


def shape_of(axes: Slice, full: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a slice of a tensor of shape `full`.

    Raises: InternalError for a slice outside of it.
    """
    full_text = fmt(full)
    if len(axes) != len(full):
        raise InternalError(None, None, f"Mismatching ranks: shape = {full_text}, slice = {text(axes)}")
    sizes = []
    for axis, ((start, length), size) in enumerate(zip(axes, full)):
        if length == WHOLE:
            sizes.append(size)
        elif start + length > size:
            raise InternalError(
                None, None, f"Extent in dimension {axis} out of bounds: shape = {full_text}, slice = {text(axes)}"
            )
        else:
            sizes.append(length)
    return tuple(sizes)


def fmt(shape: tuple[int, ...]) -> str:
    """`[2,3]`"""
    return "[" + ",".join(map(str, shape)) + "]"


def text(axes: Slice) -> str:
    """`0,2:-`"""
    return ":".join("-" if length == WHOLE else f"{start},{length}" for start, length in axes)


def full_slice(rank: int) -> Slice:
    """The slice that is the full tensor."""
    return ((0, WHOLE),) * rank


def bounds(axes: Slice, full: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """(start, end) of a slice along each axis."""
    return tuple(
        (0, size) if length == WHOLE else (start, start + length) for (start, length), size in zip(axes, full)
    )


def overlap(
    a: tuple[tuple[int, int], ...], b: tuple[tuple[int, int], ...]
) -> tuple[tuple[slice, ...], tuple[slice, ...], int] | None:
    """The overlap of two slices (as bounds): indices into the first, indices into the second, number of elements; or None."""
    both = [(max(s, t), min(e, f)) for (s, e), (t, f) in zip(a, b)]
    if any(start >= end for start, end in both):
        return None
    return (
        tuple(slice(start - s, end - s) for (start, end), (s, _) in zip(both, a)),
        tuple(slice(start - t, end - t) for (start, end), (t, _) in zip(both, b)),
        math.prod(end - start for start, end in both),
    )


def of_message(message: Any) -> Slice:
    """The slice of a TensorSliceProto."""
    return tuple((e.start, e.length if e.WhichOneof("has_length") else WHOLE) for e in message.extent)


def to_message(axes: Slice, message: Any) -> None:
    """Writes a slice into a TensorSliceProto."""
    for start, length in axes:
        extent = message.extent.add(start=start)
        if length != WHOLE:
            extent.length = length


# -- the key of a slice: bytes that sort as (0, name, rank, start, length, …) do ------------------------------------


def key(name: bytes, axes: Slice) -> bytes:
    """The key of a slice in a table."""
    # A zero ends the name, so zeros within the name are escaped.
    escaped = re.sub(rb"[\x00\xff]", lambda match: match[0] + bytes([255 - match[0][0]]), name)
    numbers = b"".join(_signed(start) + _signed(length) for start, length in axes)
    return _number(0) + escaped + b"\x00\x01" + _number(len(axes)) + numbers


def _number(value: int) -> bytes:
    size = (value.bit_length() + 7) // 8
    return bytes([size]) + value.to_bytes(size, "big")


def _signed(value: int) -> bytes:
    """The number of leading bits, ones if positive and zeros if negative, is the number of bytes."""
    size = 1
    while not -(1 << (7 * size - 1)) <= value < 1 << (7 * size - 1):
        size += 1
    marks = ((1 << size) - 1) << (7 * size)
    return ((value & ((1 << (8 * size)) - 1)) ^ marks).to_bytes(size, "big")


__all__ = [
    "WHOLE", "Part", "Slice", "bounds", "fmt", "full_slice", "key", "of_message", "overlap", "parse_spec", "shape_of", "text",
    "to_message",
]  # fmt: skip
