"""`tf.signal`: Fourier and cosine transforms, and windows."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.math.spectral import (
    dct, fft, fft2d, fft3d, fftshift, idct, ifft, ifft2d, ifft3d, ifftshift, irfft, irfft2d, irfft3d, rfft,
    rfft2d, rfft3d,
)  # fmt: skip
from .engine.lib.math.signal_windows import hamming_window, hann_window

__all__ = [
    "dct", "fft", "fft2d", "fft3d", "fftshift", "hamming_window", "hann_window", "idct", "ifft", "ifft2d",
    "ifft3d", "ifftshift", "irfft", "irfft2d", "irfft3d", "rfft", "rfft2d", "rfft3d",
]  # fmt: skip
