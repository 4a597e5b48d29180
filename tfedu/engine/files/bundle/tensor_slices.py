"""Parts of tensors in a checkpoint: `parsed("4 3 0,2:-")` is rows 0 and 1 of a [4, 3] whole; `key(name, slice)` names one.

A slice has for each axis where it begins and how long it is, WHOLE for all of the axis. No state.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple, NoReturn

from ...base.errors import InternalError, InvalidArgumentError

WHOLE = -1
Slice = tuple[tuple[int, int], ...]


class Part(NamedTuple):
    """A slice of a tensor of that shape."""

    full_shape: tuple[int, ...]
    slice: Slice
    shape: tuple[int, ...]


def _refuse(text: str) -> NoReturn:
    raise InvalidArgumentError(None, None, text)


def parsed(spec: str) -> Part:
    """What a variable's `shape_and_slice` says.

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
        found = int(start), int(length)
    except ValueError:
        _refuse(f"Expected a pair of numbers or '-' but got '{axis}': string = {text}")
    if found[0] < 0 or found[1] <= 0:
        _refuse(
            f"Expected non-negative start and positive length but got start = {found[0]}, length = {found[1]}: string = {text}"
        )
    return found


def shape_of(axes: Slice, full: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a slice of a whole of that shape.

    Raises: InternalError where it does not fit.
    """
    whole = fmt(full)
    if len(axes) != len(full):
        raise InternalError(None, None, f"Mismatching ranks: shape = {whole}, slice = {text(axes)}")
    sizes = []
    for axis, ((start, length), size) in enumerate(zip(axes, full)):
        if length == WHOLE:
            sizes.append(size)
        elif start + length > size:
            raise InternalError(
                None, None, f"Extent in dimension {axis} out of bounds: shape = {whole}, slice = {text(axes)}"
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


def whole(rank: int) -> Slice:
    """The slice that is all of a tensor."""
    return ((0, WHOLE),) * rank


def bounds(axes: Slice, full: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Where a slice begins and ends along each axis."""
    return tuple(
        (0, size) if length == WHOLE else (start, start + length) for (start, length), size in zip(axes, full)
    )


def overlap(
    a: tuple[tuple[int, int], ...], b: tuple[tuple[int, int], ...]
) -> tuple[tuple[slice, ...], tuple[slice, ...], int] | None:
    """What two slices (as bounds) share: as indices into the first, into the second, and how many elements; None for nothing."""
    both = [(max(s, t), min(e, f)) for (s, e), (t, f) in zip(a, b)]
    if any(start >= end for start, end in both):
        return None
    return (
        tuple(slice(start - s, end - s) for (start, end), (s, _) in zip(both, a)),
        tuple(slice(start - t, end - t) for (start, end), (t, _) in zip(both, b)),
        math.prod(end - start for start, end in both),
    )


def of_message(message: Any) -> Slice:
    """The slice that a TensorSliceProto tells."""
    return tuple((e.start, e.length if e.WhichOneof("has_length") else WHOLE) for e in message.extent)


def to_message(axes: Slice, message: Any) -> None:
    """Writes a slice into a TensorSliceProto."""
    for start, length in axes:
        extent = message.extent.add(start=start)
        if length != WHOLE:
            extent.length = length


# -- the key of a slice: bytes that sort as (0, name, rank, start, length, …) do ------------------------------------


def key(name: bytes, axes: Slice) -> bytes:
    """The key under which a table keeps a slice of the tensor."""
    # A zero ends the name, so that one of the name's own is marked.
    escaped = re.sub(rb"[\x00\xff]", lambda found: found[0] + bytes([255 - found[0][0]]), name)
    numbers = b"".join(_signed(start) + _signed(length) for start, length in axes)
    return _number(0) + escaped + b"\x00\x01" + _number(len(axes)) + numbers


def _number(value: int) -> bytes:
    size = (value.bit_length() + 7) // 8
    return bytes([size]) + value.to_bytes(size, "big")


def _signed(value: int) -> bytes:
    """The first bits of the first byte tell how many bytes there are: ones for positive numbers, zeros for negative."""
    size = 1
    while not -(1 << (7 * size - 1)) <= value < 1 << (7 * size - 1):
        size += 1
    marks = ((1 << size) - 1) << (7 * size)
    return ((value & ((1 << (8 * size)) - 1)) ^ marks).to_bytes(size, "big")


__all__ = [
    "WHOLE", "Part", "Slice", "bounds", "fmt", "key", "of_message", "overlap", "parsed", "shape_of", "text", "to_message",
    "whole",
]  # fmt: skip
