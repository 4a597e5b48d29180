"""`tf.signal`: Fourier and cosine transforms, windows, frames, short-time transforms, mel spectra."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.math.spectral import (
    dct, fft, fft2d, fft3d, fftshift, idct, ifft, ifft2d, ifft3d, ifftshift, irfft, irfft2d, irfft3d, rfft,
    rfft2d, rfft3d,
)  # fmt: skip
from .engine.lib.math.mel import linear_to_mel_weight_matrix, mfccs_from_log_mel_spectrograms
from .engine.lib.math.short_time import frame, inverse_stft, inverse_stft_window_fn, overlap_and_add, stft
from .engine.lib.math.signal_windows import hamming_window, hann_window

__all__ = [
    "dct", "fft", "fft2d", "fft3d", "fftshift", "frame", "hamming_window", "hann_window", "idct", "ifft",
    "ifft2d", "ifft3d", "ifftshift", "inverse_stft", "inverse_stft_window_fn", "irfft", "irfft2d",
    "irfft3d", "linear_to_mel_weight_matrix", "mfccs_from_log_mel_spectrograms", "overlap_and_add",
    "rfft", "rfft2d", "rfft3d", "stft",
]  # fmt: skip
