"""Message types by name, for ops that read messages of any type: `found("tensorflow.Example", "local://", …)`.

A source is `local://` (TensorFlow's own messages), `bytes://` and a serialized FileDescriptorSet, or a file that holds one.
State: `_pools`, the latest sources.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ..text_bytes import as_bytes
from . import _POOL, DecodeError, Message, descriptor_pb2, descriptor_pool, message_factory, text_format

LOCAL, INLINE = "local://", "bytes://"
_THEIRS, _OURS = "tensorflow.", "tfedu."


class Unusable(ValueError):
    """The source holds no descriptions of messages."""


def found(message_type: str, source: str, read: Callable[[str], bytes]) -> Any:
    """The descriptor of a message type, None where the source has none of that name. read: gives the content of a file.

    Raises: Unusable; what `read` raises.
    """
    if source in ("", LOCAL):
        # the package of tfedu's own messages keeps them apart from an installed TensorFlow's
        pool, name = _POOL, message_type.replace(_THEIRS, _OURS, 1) if message_type.startswith(_THEIRS) else ""
    else:
        pool, name = _pool(as_bytes(source.removeprefix(INLINE)) if source.startswith(INLINE) else read(source)), message_type
    try:
        return pool.FindMessageTypeByName(name)
    except KeyError:
        return None


@lru_cache(maxsize=16)
def _pool(data: bytes) -> Any:
    """A pool of the files in a serialized FileDescriptorSet."""
    try:
        files = list(descriptor_pb2.FileDescriptorSet.FromString(data).file)
    except DecodeError:
        raise Unusable("descriptor_source does not contain a valid serialized FileDescriptorSet") from None
    added: set[str] = set()
    pool = descriptor_pool.DescriptorPool()
    while files:
        file = next((f for f in files if added.issuperset(f.dependency)), None)
        if file is None:
            missing = sorted({name for f in files for name in f.dependency} - added)
            raise Unusable(f"descriptor_source lacks the files {missing}, or they import each other")
        try:
            pool.AddSerializedFile(file.SerializeToString())
        except (TypeError, ValueError) as error:
            raise Unusable(f"Failed to load {file.name}: {error}") from None
        added.add(file.name)
        files.remove(file)
    return pool


def labels(message: Any) -> dict[str, Any]:
    """The fields of a message type as FieldDescriptorProto, by name."""
    own = descriptor_pb2.DescriptorProto()
    message.CopyToProto(own)
    return {field.name: field for field in own.field}


def packs(message: Any, field: Any) -> bool:
    """Whether the numbers of a repeated field stand behind one tag. field: its FieldDescriptorProto."""
    if field.options.HasField("packed"):
        return bool(field.options.packed)
    file = descriptor_pb2.FileDescriptorProto()
    message.file.CopyToProto(file)
    return file.syntax not in ("", "proto2")


def message_of(descriptor: Any) -> Message:
    """A new message of this type."""
    return message_factory.GetMessageClass(descriptor)()


__all__ = ["LOCAL", "Unusable", "found", "labels", "message_of", "packs", "text_format"]
