"""`tf.audio`: sounds in WAV files."""

from .engine.ops.audio import decode_wav, encode_wav

__all__ = [
    "decode_wav", "encode_wav",
]  # fmt: skip
