"""Decompresses Snappy blocks, which occur in the index of older checkpoints. No state.

Source: google/snappy, format_description.txt.
"""

from __future__ import annotations

from ...base.budget import Account
from .varint import varint


def decompress(data: bytes, account: Account) -> bytes:
    """The content of one compressed block, for which the account pays.

    Raises: ValueError for an invalid block, ResourceExhaustedError past the account's budget.
    """
    size, at = varint(data, 0)
    # Three bytes expand to 64 at most.
    if size > 22 * len(data) + 64:
        raise ValueError("corrupted compressed block contents")
    account.take("bytes", size)
    out = bytearray()
    end = len(data)
    while at < end:
        tag = data[at]
        at += 1
        kind, count = tag & 3, tag >> 2
        if kind == 0:  # a literal
            if count >= 60:
                width = count - 59
                count = int.from_bytes(data[at : at + width], "little")
                at += width
            count += 1
            if at + count > end:
                raise ValueError("corrupted compressed block contents")
            out += data[at : at + count]
            at += count
        else:  # a copy of earlier bytes
            if kind == 1:
                width, count, high = 1, (count & 7) + 4, (tag >> 5) << 8
            else:
                width, count, high = (2 if kind == 2 else 4), count + 1, 0
            back = high | int.from_bytes(data[at : at + width], "little")
            at += width
            if not 0 < back <= len(out):
                raise ValueError("corrupted compressed block contents")
            for _ in range(count):
                out.append(out[-back])
        if len(out) > size:
            break
    if len(out) != size or at != end:
        raise ValueError("corrupted compressed block contents")
    return bytes(out)


__all__ = ["decompress"]
