"""The sorted table in which a checkpoint's index stands: keys and values as bytes, in blocks with checksums.

`read(data)` gives all of it as a dict, `written(items)` the bytes of one. No state.

    block block … | an empty block | the blocks' own index | where those two are, and TensorFlow's mark (48 bytes)

A block: entries (how much of the key before is shared, the rest of the key, the value), then every sixteenth entry's place;
after it a byte that says how it is packed and the masked CRC-32C of all that.
Source: google/leveldb, doc/table_format.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.errors import DataLossError
from ..crc32c import crc32c, masked
from . import snappy
from .varint import as_varint, varint

MAGIC = 0xDB4775248B80FB57
_FOOTER = 48
_TRAILER = 5
_RESTART = 16
_BLOCK = 256 << 10


def _lost(text: str) -> DataLossError:
    return DataLossError(None, None, text)


# -- out -----------------------------------------------------------------------------------------------------------


class _Block:
    def __init__(self, restart: int = _RESTART) -> None:
        self.data = bytearray()
        self.last = b""
        self._restart = restart
        self._places: list[int] = []
        self._since = restart

    def add(self, key: bytes, value: bytes) -> None:
        shared = 0
        if self._since == self._restart:
            self._places.append(len(self.data))
            self._since = 0
        else:
            most = min(len(key), len(self.last))
            while shared < most and key[shared] == self.last[shared]:
                shared += 1
        self._since += 1
        self.data += as_varint(shared) + as_varint(len(key) - shared) + as_varint(len(value)) + key[shared:] + value
        self.last = key

    def finished(self) -> bytes:
        places = self._places or [0]
        self.data += b"".join(at.to_bytes(4, "little") for at in places) + len(places).to_bytes(4, "little")
        return bytes(self.data)


def written(items: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The bytes of a table; the keys come in order."""
    out = bytearray()

    def put(block: _Block) -> bytes:
        content = block.finished()
        handle = as_varint(len(out)) + as_varint(len(content))
        content += b"\x00"
        out.extend(content + masked(crc32c(content)).to_bytes(4, "little"))
        return handle

    index, block = _Block(restart=1), _Block()
    # The blocks' index names for each block a key that is not before its last one and before the next block's first.
    waiting: tuple[bytes, bytes] | None = None
    for key, value in items:
        if waiting is not None:
            index.add(_between(waiting[0], key), waiting[1])
            waiting = None
        block.add(key, value)
        if len(block.data) >= _BLOCK:
            waiting = (block.last, put(block))
            block = _Block()
    if block.data:
        waiting = (block.last, put(block))
    if waiting is not None:
        index.add(_after(waiting[0]), waiting[1])
    footer = put(_Block()) + put(index)
    return bytes(out) + footer.ljust(_FOOTER - 8, b"\x00") + MAGIC.to_bytes(8, "little")


def _between(low: bytes, high: bytes) -> bytes:
    """A short key that is not before `low` and before `high`."""
    at = 0
    while at < min(len(low), len(high)) and low[at] == high[at]:
        at += 1
    if at < min(len(low), len(high)) and low[at] < 0xFF and low[at] + 1 < high[at]:
        return low[:at] + bytes([low[at] + 1])
    return low


def _after(low: bytes) -> bytes:
    """A short key that is not before `low`."""
    for at, byte in enumerate(low):
        if byte != 0xFF:
            return low[:at] + bytes([byte + 1])
    return low


# -- in ------------------------------------------------------------------------------------------------------------


def read(data: bytes) -> dict[bytes, bytes]:
    """All keys and values of a table, in order.

    Raises: DataLossError for what is none, and for a damaged one.
    """
    if len(data) < _FOOTER:
        raise _lost("file is too short to be an sstable")
    if int.from_bytes(data[-8:], "little") != MAGIC:
        raise _lost("not an sstable (bad magic number)")
    body = memoryview(data)[:-_FOOTER]
    footer = data[-_FOOTER:-8]
    try:
        at = 0
        for _ in range(2):
            offset, at = varint(footer, at)
            size, at = varint(footer, at)
        found: dict[bytes, bytes] = {}
        last = None
        for _, handle in _entries(_block(body, offset, size)):
            offset, at = varint(handle, 0)
            size, _ = varint(handle, at)
            for key, value in _entries(_block(body, offset, size)):
                if last is not None and key <= last:
                    raise _lost("the keys of the table are out of order")
                found[key] = value
                last = key
    except ValueError as error:
        raise _lost(str(error)) from None
    return found


def _block(body: memoryview, offset: int, size: int) -> bytes:
    end = offset + size
    if end + _TRAILER > len(body):
        raise ValueError("truncated block read")
    stored = bytes(body[offset : end + _TRAILER])
    if masked(crc32c(stored[:-4])) != int.from_bytes(stored[-4:], "little"):
        raise ValueError("block checksum mismatch")
    packing = stored[size]
    if packing == 0:
        return stored[:size]
    if packing == 1:
        return snappy.unpacked(stored[:size])
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


__all__ = ["MAGIC", "read", "written"]
