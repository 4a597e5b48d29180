"""`tensorflow.core.protobuf.rewriter_config_pb2`: settings that programs switch off; nothing is rewritten here."""

from ...engine.runtime.config import RewriterConfig

__all__ = [
    "RewriterConfig",
]  # fmt: skip
