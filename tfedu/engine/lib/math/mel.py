"""`tf.signal.linear_to_mel_weight_matrix` and `mfccs_from_log_mel_spectrograms`: spectra as an ear weighs them. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ..arrays import array, sequences
from ..framework.scope_blocks import named
from . import math, spectral

# The mel scale in the natural logarithm, as HTK has it: mel(f) = 1127 ln(1 + f / 700 Hz).
_BREAK_HERTZ = 700.0
_HIGH_Q = 1127.0


def _mel(hertz: Tensor) -> Tensor:
    return _HIGH_Q * math.log(1.0 + hertz / _BREAK_HERTZ)  # type: ignore[no-any-return]


def _check(bins: Any, rate: Any, lower: Any, upper: Any, dtype: Any) -> None:
    """Raises: ValueError."""
    if bins <= 0:
        raise ValueError(error_text(f"num_mel_bins must be positive. Got: {bins}"))
    if lower < 0.0:
        raise ValueError(error_text(f"lower_edge_hertz must be non-negative. Got: {lower}"))
    if lower >= upper:
        raise ValueError(error_text(f"lower_edge_hertz {lower:.1f} >= upper_edge_hertz {upper:.1f}"))
    if not isinstance(rate, Tensor):
        if rate <= 0.0:
            raise ValueError(error_text(f"sample_rate must be positive. Got: {rate}"))
        if upper > rate / 2:
            raise ValueError(
                error_text(
                    "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). "
                    f"Got: {upper} for sample_rate: {rate}"
                )
            )
    if not dtype.is_floating:
        raise ValueError(error_text(f"dtype must be a floating point type. Got: {dtype}"))


@atomic
def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20, num_spectrogram_bins: Any = 129, sample_rate: Any = 8000, lower_edge_hertz: Any = 125.0,
    upper_edge_hertz: Any = 3800.0, dtype: Any = dtypes.float32, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix [num_spectrogram_bins, num_mel_bins] by which a spectrum is multiplied to have bands that are even in mel.

    The spectrum's bins lie evenly from 0 to sample_rate / 2 Hz. A band is a triangle between its neighbours' middles; the first
    bin, of 0 Hz, counts in none.
    Raises: ValueError for edges out of order or above half the rate, and for numbers that are not positive.
    """
    dtype = dtypes.as_dtype(dtype)
    _check(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, dtype)
    with named(name, "linear_to_mel_weight_matrix", [sample_rate, lower_edge_hertz, upper_edge_hertz]) as scope:
        rate = math.cast(convert_to_tensor(sample_rate, name="sample_rate"), dtype)
        lower = convert_to_tensor(lower_edge_hertz, dtype, name="lower_edge_hertz")
        upper = convert_to_tensor(upper_edge_hertz, dtype, name="upper_edge_hertz")
        zero = convert_to_tensor(0.0, dtype)
        hertz = sequences.linspace(zero, rate / 2.0, num_spectrogram_bins)[1:]
        bins = array.expand_dims(_mel(hertz), 1)
        edges = sequences.linspace(_mel(lower), _mel(upper), num_mel_bins + 2)
        below, middle, above = edges[:-2], edges[1:-1], edges[2:]
        rising = (bins - below) / (middle - below)
        falling = (above - bins) / (above - middle)
        triangles = math.maximum(zero, math.minimum(rising, falling))
        return array.pad(triangles, [[1, 0], [0, 0]], name=scope)


@atomic
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Tensor:
    """The mel-frequency cepstral coefficients [..., num_mel_bins] of log-mel spectra [..., num_mel_bins], as HTK scales them.

    Raises: ValueError for spectra without bins.
    """
    with named(name, "mfccs_from_log_mel_spectrograms", [log_mel_spectrograms]):
        spectra = convert_to_tensor(log_mel_spectrograms)
        raw = spectra.raw_shape
        bins = raw[-1] if raw else None
        if bins == 0:
            raise ValueError(error_text(f"num_mel_bins must be positive. Got: {spectra}", [spectra]))
        count = array.shape(spectra)[-1] if bins is None else convert_to_tensor(bins)
        scaled: Tensor = spectral.dct(spectra, type=2) * math.rsqrt(math.cast(count, dtypes.float32) * 2.0)
        return scaled


__all__ = ["linear_to_mel_weight_matrix", "mfccs_from_log_mel_spectrograms"]
