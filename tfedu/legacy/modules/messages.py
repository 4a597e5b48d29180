"""The messages of `tensorflow.core.*_pb2`: GraphDef, NodeDef, AttrValue, …; protobuf is loaded with them."""

from typing import Any

from ...engine.base import proto


def __getattr__(name: str) -> Any:
    return getattr(proto, name)
