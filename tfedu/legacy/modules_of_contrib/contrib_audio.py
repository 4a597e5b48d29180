"""`tensorflow.contrib.framework.python.ops.audio_ops`: sounds in WAV files, spectra, coefficients."""

from ...engine.ops.audio import audio_spectrogram, decode_wav, encode_wav, mfcc

__all__ = [
    "audio_spectrogram", "decode_wav", "encode_wav", "mfcc",
]  # fmt: skip
