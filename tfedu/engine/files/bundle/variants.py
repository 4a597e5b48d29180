"""Variants in a checkpoint: each is its length, a VariantTensorDataProto and a checksum. Only the state of an iterator is saved.

No state.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...base.errors import UnimplementedError
from ..crc32c import crc32c, masked
from .varint import as_varint, varint

_TYPE = b"tfedu::Iterator"
_NAME, _METADATA = 0x0A, 0x12  # the tags of the message's first two fields


def encoded(values: Iterable[object]) -> tuple[bytes, int]:
    """The bytes of variants, and their checksum.

    Raises: UnimplementedError for one that is no saved iterator.
    """
    content, crc = bytearray(), 0
    for value in values:
        if not isinstance(value, bytes):
            raise UnimplementedError(None, None, "A checkpoint holds no variants but the state of iterators")
        message = b"".join([bytes([_NAME]), as_varint(len(_TYPE)), _TYPE, bytes([_METADATA]), as_varint(len(value)), value])
        crc = crc32c(message, crc32c(len(message).to_bytes(8, "little"), crc))
        check = masked(crc).to_bytes(4, "little")
        crc = crc32c(check, crc)
        content += as_varint(len(message)) + message + check
    return bytes(content), crc


def decoded(data: bytes, count: int) -> tuple[list[bytes], int]:
    """`count` variants, and the checksum of what was read.

    Raises: ValueError for bytes that are no variants, UnimplementedError for one that TensorFlow saved.
    """
    values, at, crc = [], 0, 0
    for _ in range(count):
        length, at = varint(data, at)
        message, check = data[at : at + length], data[at + length : at + length + 4]
        crc = crc32c(message, crc32c(length.to_bytes(8, "little"), crc))
        if masked(crc).to_bytes(4, "little") != check:
            raise ValueError("the checksum of a variant does not match")
        crc = crc32c(check, crc)
        at += length + 4
        values.append(_metadata(message))
    if at != len(data):
        raise ValueError("there is more than the variants")
    return values, crc


def _metadata(message: bytes) -> bytes:
    head = bytes([_NAME]) + as_varint(len(_TYPE)) + _TYPE
    if not message.startswith(head):
        text = "A checkpoint's variant is not one that tfedu saved: it restores the iterators that it saved, not TensorFlow's"
        raise UnimplementedError(None, None, text)
    if message[len(head) : len(head) + 1] != bytes([_METADATA]):
        raise ValueError("a variant without its state")
    length, at = varint(message, len(head) + 1)
    if at + length != len(message):
        raise ValueError("a variant is cut off")
    return message[at:]


__all__ = ["decoded", "encoded"]
