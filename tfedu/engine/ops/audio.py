"""Sounds: WAV files to samples and back, spectra of short times, mel-frequency cepstral coefficients. No state.

Samples are [frames, channels] in [-1, 1]; a spectrogram is [channels, times, bins], bins from 0 to half the sample rate.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..files import sounds
from ..op.define import Sym, op
from ..op.shape_checks import as_array, invalid, of_rank, scalar, text_of

float32, int32, string = dtypes.float32, dtypes.int32, dtypes.string

# -- WAV files -------------------------------------------------------------------------------------------------------------


def _int32(name: str, value: int) -> int:
    """The attribute's value. Raises: ShapeMismatch when it needs more than 32 bits."""
    if not -(1 << 31) <= value < 1 << 31:
        raise ShapeMismatch(f"Attr {name} has value {value} out of range for an int32")
    return value


def _wanted(name: str, value: int, of: str) -> int | None:
    """How many channels or samples an attribute asks for; None for as many as the file has."""
    if _int32(name, value) < -1:
        raise ShapeMismatch(f"{of} must be non-negative, got {value}")
    return None if value == -1 else value


@op("DecodeWav", out="audio sample_rate", fresh=True)
def decode_wav(
    xp: Any, contents: string, *, desired_channels: int = -1, desired_samples: int = -1
) -> tuple[float32, int32]:
    """The samples of a WAV file of 16 bits: contents a scalar -> audio [frames, channels] in [-1, 1), sample_rate a scalar, in
    frames per second.

    desired_channels: -1 as the file has it; of more channels the last ones are left out, of fewer the last one is repeated.
    desired_samples: -1 as many frames as the file has; of more frames the last ones are left out, for fewer silence is added.

    Raises: InvalidArgumentError for bytes that are no such file.
    """
    array = as_array(contents)
    if array.ndim:
        raise invalid(f"contents must be scalar, got shape {text_of(array.shape)}")
    try:
        samples, rate = sounds.from_wav(array[()])
    except sounds.BadSound as bad:
        raise invalid(str(bad)) from None
    frames, channels = samples.shape
    length = frames if desired_samples == -1 else desired_samples
    width = channels if desired_channels == -1 else desired_channels
    kept = samples[:length]
    audio = np.zeros((length, width), np.float32)
    audio[: len(kept), :channels] = kept[:, :width]
    audio[: len(kept), channels:] = kept[:, -1:]
    audio /= 1 << 15
    return audio, np.uint32(rate).astype(np.int32)


@decode_wav.shape
def _(contents: Sym, *, desired_channels: int, desired_samples: int) -> list[Shape]:
    scalar(contents)
    width = _wanted("desired_channels", desired_channels, "channels")
    return [(_wanted("desired_samples", desired_samples, "samples"), width), ()]


@op("EncodeWav", out="contents", fresh=True)
def encode_wav(xp: Any, audio: float32, sample_rate: int32) -> string:
    """A WAV file of 16 bits: audio [frames, channels] in [-1, 1], clipped, sample_rate a scalar, in frames per second -> a
    scalar.

    Raises: InvalidArgumentError for other shapes, for no frame and no channel, and for a rate that is not positive.
    """
    if audio.ndim != 2:
        raise invalid(f"audio must be 2-dimensional{text_of(audio.shape)}")
    rate = _rate(sample_rate)
    frames, channels = audio.shape
    if rate <= 0:
        raise invalid(f"sample_rate must be in (0, 2^32), got: {rate % (1 << 64)}")
    if not 0 < channels < 1 << 16:
        raise invalid(f"num_channels must be in (0, 2^16), got: {channels}")
    if not frames:
        raise invalid("num_frames must be positive.")
    return sounds.to_wav(audio, rate)  # type: ignore[return-value]


def _rate(sample_rate: Any) -> int:
    """Raises: InvalidArgumentError unless it is a scalar."""
    if np.ndim(sample_rate):
        raise invalid(f"Input sample_rate should be a scalar tensor, got {text_of(np.shape(sample_rate))} instead.")
    return int(sample_rate)


@encode_wav.shape
def _(audio: Sym, sample_rate: Sym) -> Shape:
    of_rank(audio.shape, 2)
    scalar(sample_rate)
    return ()


# -- spectra ---------------------------------------------------------------------------------------------------------------

_BLOCK: Final = 1 << 20  # samples of the windows that are transformed together


def _count(length: int, window: int, stride: int) -> int:
    """How many windows of that length begin `stride` samples apart in `length` samples."""
    rest = length - window
    if rest < 0:
        return 0
    # truncated as in C, which counts for a negative stride
    return 1 + (rest // stride if stride > 0 else -(rest // -stride))


def _transform_length(window: int) -> int:
    """The smallest power of two that holds a window; 1 for none."""
    return 1 << max(window - 1, 0).bit_length()


@op("AudioSpectrogram", out="spectrogram", fresh=True)
def audio_spectrogram(
    xp: Any, input: float32, *, window_size: int, stride: int, magnitude_squared: bool = False
) -> float32:
    """How strong each frequency is at each time: input [frames, channels] -> [channels, times, bins], times = 1 + (frames -
    window_size) // stride. Each window of samples is weighted by a Hann window and filled up with zeros to a power of two, n;
    bins = n / 2 + 1. magnitude_squared: squares instead of magnitudes.

    As in 1.15, the windows run on from the end of one channel into the next one: with several channels, their frames must
    divide so that every channel has the same number of times.

    Raises: InvalidArgumentError for another shape, a window of less than 2 samples, a stride that is not positive, and channels
    that have different numbers of times.
    """
    if input.ndim != 2:
        raise invalid(f"input must be 2-dimensional{text_of(input.shape)}")
    if window_size < 2 or stride < 1:
        raise invalid(f"Spectrogram initialization failed for window size {window_size} and stride {stride}")
    frames, channels = input.shape
    times = _count(frames, window_size, stride)
    before = 0
    for channel in range(channels):
        after = _count(frames * (channel + 1), window_size, stride)
        if after - before != times:
            raise invalid(f"Spectrogram size calculation failed: Expected height {times} but got {after - before}")
        before = after
    bins = _transform_length(window_size) // 2 + 1
    out = np.empty((channels * times, bins), np.float32)
    if out.size:
        _fill_with_powers(out, np.ravel(input.T), window_size, stride)
    if not magnitude_squared:
        np.sqrt(out, out=out)
    return out.reshape(channels, times, bins)


def _fill_with_powers(out: Any, samples: Any, window: int, stride: int) -> None:
    """Writes the squared magnitudes of the windows' spectra, block by block: samples [n] -> out [windows, bins]."""
    length = 2 * (out.shape[1] - 1)
    windows = np.lib.stride_tricks.sliding_window_view(samples, window)[::stride]
    weights = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window)
    step = max(1, _BLOCK // length)
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, len(out), step):
            block = slice(start, min(start + step, len(out)))
            spectrum = np.fft.rfft(windows[block] * weights, length)
            out[block] = np.square(spectrum.real) + np.square(spectrum.imag)


@audio_spectrogram.shape
def _(input: Sym, *, window_size: int, stride: int, magnitude_squared: bool) -> Shape:
    frames, channels = of_rank(input.shape, 2)
    _int32("window_size", window_size)
    _int32("stride", stride)
    times = None if frames is None or not stride else _count(frames, window_size, stride)
    is_possible = times is not None and times >= 0
    return (channels, times if is_possible else None, 1 + _transform_length(window_size) // 2)


# -- mel-frequency cepstral coefficients -----------------------------------------------------------------------------------

_FLOOR: Final = 1e-12  # of a band's strength, whose logarithm is taken


def _mel(hertz: Any) -> Any:
    return 1127.0 * np.log1p(hertz / 700.0)


def _mel_bands(magnitudes: Any, rate: int, lower: float, upper: float, count: int) -> Any:
    """The sums [count, n] of the magnitudes [bins, n] of each band's frequencies, weighted by triangles that overlap by half and
    whose middles are even in mel. There are no bands ([0, n]) where `upper` lies beyond the last bin.
    """
    hertz_per_bin = 0.5 * rate / (len(magnitudes) - 1)
    last = upper / hertz_per_bin
    if not last < len(magnitudes):
        return magnitudes[:0]
    bins = np.arange(int(1.5 + lower / hertz_per_bin), int(last) + 1)
    mels = _mel(bins * hertz_per_bin)
    low, spacing = _mel(lower), (_mel(upper) - _mel(lower)) / (count + 1)
    middles = low + spacing * np.arange(count + 2)  # the first one is the lower edge
    # A bin lies between the middle of the band whose triangle falls there, and that of the next one, whose triangle rises.
    falling = np.minimum(np.searchsorted(middles[1:], mels), count) - 1
    falls = (middles[falling + 2] - mels) / (middles[falling + 2] - middles[falling + 1])
    bands = np.zeros((count, *magnitudes.shape[1:]))
    for bin, band, share in zip(bins.tolist(), falling.tolist(), falls):
        part = magnitudes[bin] * share
        if band >= 0:
            bands[band] += part
        if band + 1 < count:
            bands[band + 1] += magnitudes[bin] - part
    return bands


@op("Mfcc", fresh=True, multiplies=True)
def mfcc(
    xp: Any, spectrogram: float32, sample_rate: int32, *, upper_frequency_limit: float = 4000.0,
    lower_frequency_limit: float = 20.0, filterbank_channel_count: int = 40, dct_coefficient_count: int = 13,
) -> float32:  # fmt: skip
    """Mel-frequency cepstral coefficients, which tell sounds of speech apart: spectrogram [channels, times, bins] of squared
    magnitudes, sample_rate a scalar -> [channels, times, dct_coefficient_count].

    The magnitudes are summed in filterbank_channel_count triangular bands between the two limits, in Hz; the result is the
    beginning of the cosine transform of the sums' logarithms. It is 0 where the upper limit lies beyond the last bin.

    Raises: InvalidArgumentError for another shape, and for numbers from which no bands or coefficients can be made.
    """
    if spectrogram.ndim != 3:
        raise invalid(f"spectrogram must be 3-dimensional{text_of(spectrogram.shape)}")
    rate = _rate(sample_rate)
    lower, upper = (float(np.float32(limit)) for limit in (lower_frequency_limit, upper_frequency_limit))
    *outer, bins = spectrogram.shape
    bands, count = filterbank_channel_count, dct_coefficient_count
    if bins < 2 or rate <= 0 or not lower >= 0 or upper <= lower or not 1 <= count <= bands:
        raise invalid(f"Mfcc initialization failed for channel count {bins} and sample rate {rate}")
    with np.errstate(invalid="ignore"):
        magnitudes = np.sqrt(spectrogram.reshape(-1, bins).T.astype(np.float64))
        strengths = np.log(np.maximum(_mel_bands(magnitudes, rate, lower, upper, bands), _FLOOR))
        places = np.pi / bands * (np.arange(len(strengths)) + 0.5)
        cosines = np.sqrt(2.0 / bands) * np.cos(np.multiply.outer(np.arange(count), places))
        coefficients = cosines @ strengths
    return coefficients.T.reshape(*outer, count).astype(np.float32)


@mfcc.shape
def _(spectrogram: Sym, sample_rate: Sym, *, dct_coefficient_count: int, **_: Any) -> Shape:
    channels, times, _bins = of_rank(spectrogram.shape, 3)
    scalar(sample_rate)
    count = _int32("dct_coefficient_count", dct_coefficient_count)
    return (channels, times, None if count < 0 else count)
