"""`tf.signal.frame`, `stft` and their inverses: a signal in frames that overlap, as in TF 1.15. No state."""

from __future__ import annotations

import math as scalar_math
from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ..arrays import array, constructors, selection, sequences
from ..framework.scope_blocks import named
from ..framework.static_value import get_static_value
from . import math, reductions, spectral
from .signal_windows import hann_window


def _scalar(value: Any, name: str) -> Tensor:
    tensor = convert_to_tensor(value, name=name)
    tensor.shape.assert_has_rank(0)
    return tensor


@atomic
def frame(
    signal: Any, frame_length: Any, frame_step: Any, pad_end: bool = False, pad_value: Any = 0, axis: int = -1,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """[..., samples, ...] -> [..., frames, frame_length, ...]: the frames that begin at each frame_step-th sample of `axis`.

    A frame that the signal does not fill is left out, or is filled up with pad_value under pad_end.
    Raises: ValueError for a signal without axes, and for lengths that are no scalars.
    """
    with named(name, "frame", [signal, frame_length, frame_step, pad_value]):
        signal = convert_to_tensor(signal, name="signal")
        length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
        signal.shape.with_rank_at_least(1)
        samples = array.shape(signal)[axis]
        if pad_end:
            count = -math.floordiv(-samples, step)
            missing = math.maximum(0, length + step * (count - 1) - samples)
            rank = array.rank(signal)
            behind = missing * constructors.one_hot(math.floormod(axis, rank), rank, dtype=dtypes.int32)
            paddings = array.stack([array.zeros_like(behind), behind], axis=1)
            filled = array.pad(signal, paddings, constant_values=math.cast(_scalar(pad_value, "pad_value"), signal.dtype))
            if signal.raw_shape is not None:
                sizes = list(signal.raw_shape)
                sizes[axis] = filled.raw_shape[axis] if filled.raw_shape else None
                filled.set_shape(sizes)
            signal = filled
        else:
            count = math.maximum(0, 1 + math.floordiv(samples - length, step))
        starts = sequences.range(count) * step
        places = array.expand_dims(starts, 1) + sequences.range(length)  # [frames, frame_length]
        return selection.gather(signal, places, axis=axis)


@atomic
def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Tensor:
    """[..., frames, frame_length] -> [..., frame_step * (frames - 1) + frame_length]: each frame begins frame_step later.

    Raises: ValueError for fewer than two axes, and for a frame_step that is no whole number.
    """
    with named(name, "overlap_and_add", [signal, frame_step]):
        signal = convert_to_tensor(signal, name="signal")
        signal.shape.with_rank_at_least(2)
        step = convert_to_tensor(frame_step, name="frame_step")
        step.shape.assert_has_rank(0)
        if not step.dtype.is_integer:
            raise ValueError(error_text(f"frame_step must be an integer. Got {step.dtype}", [step]))
        shape = array.shape(signal)
        frames, length = shape[-2], shape[-1]
        places = array.expand_dims(sequences.range(frames) * step, 1) + sequences.range(length)
        samples = step * (frames - 1) + length
        # The sum over segments runs along the first axis: the samples come first, and go back behind the others.
        flat = array.transpose(array.reshape(signal, [-1, frames * length]))
        summed = reductions.unsorted_segment_sum(flat, array.reshape(places, [-1]), samples)
        return array.reshape(array.transpose(summed), array.concat([shape[:-2], array.expand_dims(samples, 0)], 0))


def _enclosing_power_of_two(value: Tensor) -> Any:
    """The least power of two that is `value` or more; a number if the value is known."""
    known = get_static_value(value)
    if known is not None:
        return 2 ** scalar_math.ceil(scalar_math.log2(known))
    exponent = math.ceil(math.log(math.cast(value, dtypes.float32)) / scalar_math.log(2.0))
    return math.cast(math.pow(2.0, exponent), value.dtype)


def _fft_length(given: Any, frame_length: Tensor) -> Tensor:
    return _scalar(_enclosing_power_of_two(frame_length) if given is None else given, "fft_length")


@atomic
def stft(
    signals: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window, pad_end: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The short-time Fourier transform of float32 signals [..., samples]: complex64 [..., frames, fft_length / 2 + 1].

    fft_length: by default the power of two that holds a frame. window_fn(frame_length, dtype=): weights of a frame's samples.
    Raises: ValueError for other dtypes, signals without axes, and lengths that are no scalars.
    """
    with named(name, "stft", [signals, frame_length, frame_step]):
        signals = convert_to_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
        framed = frame(signals, length, step, pad_end=pad_end)
        if window_fn is not None:
            framed = framed * window_fn(length, dtype=framed.dtype)
        whole: Tensor = spectral.rfft(
            convert_to_tensor(framed, dtype=dtypes.float32), [_fft_length(fft_length, length)]
        )
        return whole


@atomic
def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Signals [..., samples], float32, of complex64 stfts [..., frames, fft_length / 2 + 1].

    window_fn: that of `inverse_stft_window_fn` gives back the signals that an `stft` was made of.
    Raises: ValueError for other dtypes, fewer than two axes, and lengths that are no scalars.
    """
    with named(name, "inverse_stft", [stfts]):
        stfts = convert_to_tensor(stfts, name="stfts")
        stfts.shape.with_rank_at_least(2)
        length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
        whole = _fft_length(fft_length, length)
        real = spectral.irfft(convert_to_tensor(stfts, dtype=dtypes.complex64), [whole])[..., :length]
        missing = math.maximum(0, length - whole)
        none_before = array.zeros(array.expand_dims(array.rank(real) - 1, 0), dtypes.int32)
        behind = array.concat([none_before, [missing]], 0)
        real = array.pad(real, array.stack([array.zeros_like(behind), behind], axis=1))
        if window_fn is not None:
            real = real * window_fn(length, dtype=real.dtype)
        return overlap_and_add(real, step)


def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Callable[..., Any] = hann_window, name: str | None = None
) -> Callable[[Any, Any], Tensor]:
    """The function (frame_length, dtype) of the windows [frame_length] with which `inverse_stft` inverts an `stft`.

    It divides the forward window by the sum of the squares of all windows that lie over a sample.
    """

    @atomic
    def window(frame_length: Any, dtype: Any) -> Tensor:
        with named(name, "inverse_stft_window_fn", [forward_window_fn]):
            length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
            forward = forward_window_fn(length, dtype=dtype)
            overlaps = -math.floordiv(-length, step)
            squares = array.pad(math.square(forward), [[0, overlaps * step - length]])
            over_one_step = reductions.reduce_sum(array.reshape(squares, array.stack([overlaps, step])), 0)
            divided: Tensor = forward / array.tile(over_one_step, array.expand_dims(overlaps, 0))[:length]
            return divided

    return window


__all__ = ["frame", "inverse_stft", "inverse_stft_window_fn", "overlap_and_add", "stft"]
