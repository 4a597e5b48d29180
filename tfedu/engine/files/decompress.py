"""Decompression in pieces: `Decompressor(more, window).read(count)` returns no more than the caller asked for. No state."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, Final

from ..base.budget import Account

_CHUNK: Final = 1 << 18  # bytes that are decompressed at once


class Decompressor:
    """The content of a zlib or gzip stream in pieces: `read(count)`, as a file has it.

    more: returns compressed bytes, b"" at the end. window: zlib's window bits. account: pays for what `read` returns, or None.
    is_one: what follows the first stream is ignored; else it must be another stream.
    """

    def __init__(self, more: Callable[[], bytes], window: int, account: Account | None = None, is_one: bool = False) -> None:
        self._new: Callable[[], Any] = lambda: zlib.decompressobj(window)
        self._more, self._account, self._is_one = more, account, is_one
        self._stream = self._new()
        self._unused = b""

    def read(self, count: int) -> bytes:
        """`count` bytes, or fewer at the end. Raises: zlib.error; ResourceExhaustedError past the account's budget."""
        out = bytearray()
        while len(out) < count:
            data = self._unused or self._more()
            if self._stream.eof:
                if not data or self._is_one:
                    break
                self._stream = self._new()  # another compressed stream follows
            piece = self._stream.decompress(data, min(count - len(out), _CHUNK))
            if self._account is not None:
                self._account.take("bytes", len(piece))
            out += piece
            self._unused = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
            if not data and not self._unused:
                break
        return bytes(out)


def inflate_failure(error: Exception) -> str:
    """TF's error text for a zlib.error, such as "Error -3 while decompressing data: incorrect header check"."""
    number, _, reason = str(error).removeprefix("Error ").partition(" while decompressing data: ")
    return f"inflate() failed with error {number}: {reason}"


__all__ = ["Decompressor", "inflate_failure"]
