"""Sorted tables, the format of a checkpoint's index: keys and values as bytes, in blocks with checksums.

`read(data)` returns a table as a dict, `table_bytes(items)` its bytes. No state.

    block block … | an empty block | the index of the blocks | the offsets of those two, and a magic number (48 bytes)

A block: entries (length of the prefix shared with the previous key, the rest of the key, the value), then the offset of every
sixteenth entry; after it a byte for the compression and the masked CRC-32C of the block.
Source: google/leveldb, doc/table_format.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base import budget
from ...base.errors import DataLossError
from ..crc32c import crc32c, masked
from . import snappy
from .varint import as_varint, varint

MAGIC = 0xDB4775248B80FB57
_FOOTER = 48
_TRAILER = 5
_RESTART = 16
_BLOCK = 256 << 10


def _data_loss(text: str) -> DataLossError:
    return DataLossError(None, None, text)


# -- writing -------------------------------------------------------------------------------------------------------


class _Block:
    """A block that is being written; restart: entries per key that is stored in full."""

    def __init__(self, restart: int = _RESTART) -> None:
        self.data = bytearray()
        self.last_key = b""
        self._restart = restart
        self._restart_offsets: list[int] = []
        self._since_restart = restart

    def add(self, key: bytes, value: bytes) -> None:
        shared = 0
        if self._since_restart == self._restart:
            self._restart_offsets.append(len(self.data))
            self._since_restart = 0
        else:
            limit = min(len(key), len(self.last_key))
            while shared < limit and key[shared] == self.last_key[shared]:
                shared += 1
        self._since_restart += 1
        self.data += as_varint(shared) + as_varint(len(key) - shared) + as_varint(len(value)) + key[shared:] + value
        self.last_key = key

    def content(self) -> bytes:
        offsets = self._restart_offsets or [0]
        self.data += b"".join(at.to_bytes(4, "little") for at in offsets) + len(offsets).to_bytes(4, "little")
        return bytes(self.data)


def table_bytes(items: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The bytes of a table; items: sorted by key."""
    out = bytearray()

    def put(block: _Block) -> bytes:
        content = block.content()
        handle = as_varint(len(out)) + as_varint(len(content))
        content += b"\x00"
        out.extend(content + masked(crc32c(content)).to_bytes(4, "little"))
        return handle

    index, block = _Block(restart=1), _Block()
    # The index has for each block a key from its last key to before the next block's first key.
    pending: tuple[bytes, bytes] | None = None
    for key, value in items:
        if pending is not None:
            index.add(_between(pending[0], key), pending[1])
            pending = None
        block.add(key, value)
        if len(block.data) >= _BLOCK:
            pending = (block.last_key, put(block))
            block = _Block()
    if block.data:
        pending = (block.last_key, put(block))
    if pending is not None:
        index.add(_after(pending[0]), pending[1])
    footer = put(_Block()) + put(index)
    return bytes(out) + footer.ljust(_FOOTER - 8, b"\x00") + MAGIC.to_bytes(8, "little")


def _between(low: bytes, high: bytes) -> bytes:
    """A short key k with low <= k < high."""
    at = 0
    while at < min(len(low), len(high)) and low[at] == high[at]:
        at += 1
    if at < min(len(low), len(high)) and low[at] < 0xFF and low[at] + 1 < high[at]:
        return low[:at] + bytes([low[at] + 1])
    return low


def _after(low: bytes) -> bytes:
    """A short key k with low <= k."""
    for at, byte in enumerate(low):
        if byte != 0xFF:
            return low[:at] + bytes([byte + 1])
    return low


# -- reading -------------------------------------------------------------------------------------------------------


def read(data: bytes) -> dict[bytes, bytes]:
    """All keys and values of a table, in order.

    Raises: DataLossError for an invalid or damaged table, ResourceExhaustedError for one that expands to more than the budget.
    """
    account = budget.current().account("The index of the checkpoint")
    if len(data) < _FOOTER:
        raise _data_loss("file is too short to be an sstable")
    if int.from_bytes(data[-8:], "little") != MAGIC:
        raise _data_loss("not an sstable (bad magic number)")
    body = memoryview(data)[:-_FOOTER]
    footer = data[-_FOOTER:-8]
    try:
        at = 0
        for _ in range(2):
            offset, at = varint(footer, at)
            size, at = varint(footer, at)
        table: dict[bytes, bytes] = {}
        last = None
        for _, handle in _entries(_block(body, offset, size, account)):
            offset, at = varint(handle, 0)
            size, _ = varint(handle, at)
            for key, value in _entries(_block(body, offset, size, account)):
                if last is not None and key <= last:
                    raise _data_loss("the keys of the table are out of order")
                table[key] = value
                last = key
    except ValueError as error:
        raise _data_loss(str(error)) from None
    return table


def _block(body: memoryview, offset: int, size: int, account: budget.Account) -> bytes:
    end = offset + size
    if end + _TRAILER > len(body):
        raise ValueError("truncated block read")
    stored = bytes(body[offset : end + _TRAILER])
    if masked(crc32c(stored[:-4])) != int.from_bytes(stored[-4:], "little"):
        raise ValueError("block checksum mismatch")
    compression = stored[size]
    if compression == 0:
        return stored[:size]
    if compression == 1:
        return snappy.decompress(stored[:size], account)
    raise ValueError("bad block type")


def _entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    if len(block) < 4:
        raise ValueError("bad block contents")
    end = len(block) - 4 - 4 * int.from_bytes(block[-4:], "little")
    if end < 0:
        raise ValueError("bad block contents")
    at, key = 0, b""
    while at < end:
        shared, at = varint(block, at)
        rest, at = varint(block, at)
        size, at = varint(block, at)
        if shared > len(key) or at + rest + size > end:
            raise ValueError("bad entry in block")
        key = key[:shared] + block[at : at + rest]
        at += rest
        yield key, block[at : at + size]
        at += size


__all__ = ["MAGIC", "read", "table_bytes"]
