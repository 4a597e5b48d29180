"""`tf.fft`, `tf.signal.rfft`, `tf.signal.dct` and the other Fourier and cosine transforms, as in TF 1.15. No state."""

from __future__ import annotations

import math as scalar_math
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...ops import spectral as ops
from ..arrays import array, selection, sequences, slicing
from ..control import cond
from ..framework.scope_blocks import named
from . import math

fft, ifft, fft2d, ifft2d, fft3d, ifft3d = ops.fft, ops.ifft, ops.fft2d, ops.ifft2d, ops.fft3d, ops.ifft3d


def _inner_length(x: Tensor, rank: int, inverse: bool) -> Tensor:
    """The lengths [rank] of the last axes; for half a spectrum, the last one is the length of the full signal."""
    inner = None if x.raw_shape is None else x.raw_shape[-rank:]
    if inner is not None and None not in inner:
        lengths = list(inner)
        if inverse:
            lengths[-1] = max(0, 2 * (lengths[-1] - 1))  # type: ignore[operator]
        return constant(np.array(lengths, np.int32))
    known = array.shape(x)[-rank:]
    if not inverse:
        return known
    parts = slicing.unstack(known)
    parts[-1] = math.maximum(0, 2 * (parts[-1] - 1))
    return array.stack(parts)


def _of_real(op_caller: Any, rank: int, label: str, inverse: bool) -> Any:
    """The public function of one transform between real signals and half spectra over the last `rank` axes."""
    allowed = (
        (dtypes.complex64, dtypes.complex128) if inverse else (dtypes.float32, dtypes.float64)
    )

    @atomic
    def transform(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
        with named(name, label, [input_tensor, fft_length]) as scope:
            x = convert_to_tensor(input_tensor, preferred_dtype=allowed[0])
            if x.dtype.base_dtype not in allowed:
                raise ValueError(
                    error_text(
                        f"{'I' * inverse}RFFT requires tf.{allowed[0].name} or tf.{allowed[1].name} inputs, got: {x}",
                        [x],
                    )
                )
            x.shape.with_rank_at_least(rank)
            if fft_length is None:
                lengths = _inner_length(x, rank, inverse)
            else:
                lengths = convert_to_tensor(fft_length, dtypes.int32)
            return ops.padded_and_transformed(op_caller, x, lengths, rank, scope)  # type: ignore[no-any-return]

    transform.__doc__ = (
        f"{op_caller.__doc__}\n\nfft_length: its lengths, for which the input is cut or padded with zeros.\n\n"
        "Raises: ValueError for a dtype that has no such transform and for too low a rank."
    )
    transform.__name__ = transform.__qualname__ = label
    return transform


rfft, irfft = _of_real(ops.rfft, 1, "rfft", False), _of_real(ops.irfft, 1, "irfft", True)
rfft2d, irfft2d = _of_real(ops.rfft2d, 2, "rfft2d", False), _of_real(ops.irfft2d, 2, "irfft2d", True)
rfft3d, irfft3d = _of_real(ops.rfft3d, 3, "rfft3d", False), _of_real(ops.irfft3d, 3, "irfft3d", True)


def _roll_half(x: Any, axes: Any, name: str | None, label: str, inverse: bool) -> Tensor:
    with named(name, label) as scope:
        x = convert_to_tensor(x)
        if x.raw_shape is None:
            raise ValueError(error_text(f"{label} needs a tensor of known rank", [x]))
        shifted_axes = tuple(range(len(x.raw_shape))) if axes is None else axes
        is_single = isinstance(shifted_axes, int)
        sizes = [x.raw_shape[axis] for axis in ([shifted_axes] if is_single else shifted_axes)]
        shift: Any
        if None in sizes:
            picked = selection.gather(array.shape(x), [shifted_axes] if is_single else list(shifted_axes))
            shift = math.floordiv(picked, 2)
            shift = math.negative(shift) if inverse else shift
        else:
            shift = [-(n // 2) if inverse else n // 2 for n in sizes]  # type: ignore[operator]
        return array.roll(x, shift[0] if is_single else shift, shifted_axes, name=scope)


@atomic
def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """Rolls each axis of x [...] by half its length, so that frequency 0 moves to the middle.

    Raises: ValueError for a tensor of unknown rank.
    """
    return _roll_half(x, axes, name, "fftshift", False)


@atomic
def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`, also for axes of odd length: [...] -> [...].

    Raises: ValueError for a tensor of unknown rank.
    """
    return _roll_half(x, axes, name, "ifftshift", True)


# -- cosine transforms ---------------------------------------------------------------------------------------------


def _check_cosine(type: int, n: Any, axis: int, norm: Any, last: int | None) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if type not in (1, 2, 3):
        raise ValueError("Only Types I, II and III (I)DCT are supported.")
    if type == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")
    if type == 1 and last is not None and last < 2:
        raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")


def _last(shape: Any) -> int | None:
    return shape[-1] if shape else None


@atomic
def dct(
    input: Any, type: int = 2, n: Any = None, axis: int = -1, norm: Any = None, name: str | None = None
) -> Tensor:
    """The discrete cosine transform along the last axis, of type 1, 2 or 3: [..., n] -> [..., n]. norm: None or
    "ortho".

    n: the transform's length; the input is cut or zero-padded to it.

    Raises: ValueError for an unknown type, length or norm, NotImplementedError for another axis.
    """
    _check_cosine(type, n, axis, norm, _last(getattr(input, "raw_shape", None)))
    with named(name, "dct", [input]):
        x = convert_to_tensor(input)
        zero = convert_to_tensor(0.0, dtype=x.dtype)
        if n is not None:
            x = _with_length(x, n)
        length: Any = _last(x.raw_shape) or array.shape(x)[-1]
        as_float: Any = math.cast(length, x.dtype)
        if type == 1:
            return math.real(rfft(array.concat([x, x[..., -2:0:-1]], axis=-1)))
        if type == 2:
            # Each frequency k is shifted by half a sample: exp(-i · pi · k / (2 · length)).
            phase = -sequences.range(as_float) * scalar_math.pi * 0.5 / as_float
            scale = 2.0 * math.exp(math.complex(zero, phase))
            cosines = math.real(rfft(x, fft_length=[2 * length])[..., :length] * scale)
            if norm == "ortho":
                first = 0.5 * math.rsqrt(as_float)
                cosines = cosines * _orthonormal(first, first * scalar_math.sqrt(2.0), length)
            return cosines
        if norm == "ortho":
            first = math.sqrt(as_float)
            x = x * _orthonormal(first, first * scalar_math.sqrt(0.5), length)
        else:
            x = x * as_float
        phase = sequences.range(as_float) * scalar_math.pi * 0.5 / as_float
        scale = 2.0 * math.exp(math.complex(zero, phase))
        cosines = math.real(irfft(scale * math.complex(x, zero), fft_length=[2 * length]))
        return cosines[..., :length]


def _orthonormal(first: Tensor, others: Tensor, count: Any) -> Tensor:
    """The factors that make the transform orthonormal; the first one differs from the others."""
    return array.pad(array.expand_dims(first, 0), [[0, count - 1]], constant_values=others)


def _with_length(x: Tensor, n: int) -> Tensor:
    """x with n elements along its last axis: cut, or zero-padded."""
    known = _last(x.raw_shape)
    length: Any = known or array.shape(x)[-1]

    def cut() -> Tensor:
        return x[..., 0:n]

    def pad() -> Tensor:
        rank = len(x.shape)
        sides: list[Any] = [[0, 0] for _ in range(rank)]
        sides[-1][1] = n - length
        return array.pad(x, convert_to_tensor(sides, dtype=dtypes.int32))

    if known:
        return cut() if n <= known else pad()
    return cond.cond(n <= length, cut, pad)  # type: ignore[no-any-return]


_INVERSE = {1: 1, 2: 3, 3: 2}


@atomic
def idct(
    input: Any, type: int = 2, n: Any = None, axis: int = -1, norm: Any = None, name: str | None = None
) -> Tensor:
    """The inverse of the `dct` of that type along the last axis: [..., n] -> [..., n], scaled by 2 · n where norm is
    None.

    Raises: ValueError for an unknown type, length or norm, NotImplementedError for another axis.
    """
    _check_cosine(type, n, axis, norm, _last(getattr(input, "raw_shape", None)))
    return dct(input, type=_INVERSE[type], n=n, axis=axis, norm=norm, name=name)  # type: ignore[no-any-return]
