"""`tf.io.decode_proto`, `tf.io.encode_proto`: fields of protocol messages of any type as tensors, and back. No state.

    sizes, (names, ages) = tf.io.decode_proto(records, "my.Person", ["name", "age"], [tf.string, tf.int32],
                                              descriptor_source="person.fds")
"""

from __future__ import annotations

from typing import Any

from ...graph.nodes import Tensor
from ...op.callers import nodes


def decode_proto(
    bytes: Any, message_type: str, field_names: Any, output_types: Any, descriptor_source: Any = "local://",
    message_format: str = "binary", sanitize: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """(sizes [..., fields], a list of values [..., n] for each field) of serialized messages [...].

    sizes: how many values the field has in a message; n: the most of them, at least 1 for a field that is not repeated. What is
    missing is filled up with the field's default. Messages within messages are strings.
    descriptor_source: where message_type is described: `local://`, TensorFlow's own messages; `bytes://` and a serialized
    FileDescriptorSet; or a file with one (`protoc --descriptor_set_out=FILE --include_imports`). message_format: "binary" or
    "text". sanitize: reads the whole message first, and refuses what is broken anywhere.

    The run raises InvalidArgumentError for an unknown type or field, a dtype that does not go with it, and another number of
    dtypes than of fields; DataLossError for bytes that are no such message.
    """
    return nodes.DecodeProtoV2(
        bytes, message_type=message_type, field_names=field_names, output_types=output_types,
        descriptor_source=descriptor_source, message_format=message_format, sanitize=sanitize, name=name,
    )  # fmt: skip


def encode_proto(
    sizes: Any, values: Any, field_names: Any, message_type: str, descriptor_source: Any = "local://", name: str | None = None
) -> Tensor:
    """Serialized messages [...] of a type. sizes [..., fields]: how many of the values [..., n] of a field each message gets.

    descriptor_source: as that of `decode_proto`.

    Raises: ValueError for values below rank 2 or with other axes before the last one. The run raises InvalidArgumentError for an
    unknown type or field, a dtype that does not go with it, and sizes that do not fit the values.
    """
    encoded: Tensor = nodes.EncodeProto(
        sizes, values, field_names=field_names, message_type=message_type, descriptor_source=descriptor_source, name=name
    )
    return encoded


__all__ = ["decode_proto", "encode_proto"]
