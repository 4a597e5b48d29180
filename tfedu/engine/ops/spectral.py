"""Discrete Fourier transforms over the last one, two or three axes: FFT, IFFT, RFFT, IRFFT and their 2D and 3D kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType
from ..base.shapes import Shape
from ..op.define import Sym, op, typevar
from ..op.shape_checks import COMPLEX, as_array, at_least, invalid, kinds, of_rank, text_of, with_value

Complex = typevar("Tcomplex", COMPLEX, default=dtypes.complex64)
Treal = typevar("Treal", kinds("float double"), default=dtypes.float32)


def _checked(input: Any, rank: int) -> Any:
    array = as_array(input)
    if array.ndim < rank:
        raise invalid(f"Input must have rank of at least {rank} but got: {text_of(array.shape)}")
    return array


def _complex(type: str, rank: int, name: str, inverse: bool) -> Any:
    """A row of the table: a transform of complex numbers."""
    axes = tuple(range(-rank, 0))

    def kernel(xp: Any, input: Any) -> Any:
        array = _checked(input, rank)
        if not array.size:
            return np.zeros(array.shape, array.dtype)
        function = xp.fft.ifftn if inverse else xp.fft.fftn
        return function(array, axes=axes).astype(array.dtype, copy=False)

    kernel.__name__ = name
    kernel.__doc__ = f"The {'inverse ' * inverse}Fourier transform over the last {_WORDS[rank]}."
    kernel.__annotations__ = {"input": Complex, "return": Complex}
    return op(type, shape=lambda input: at_least(input.shape, rank), fresh=True)(kernel)


_WORDS = {1: "axis", 2: "two axes", 3: "three axes"}


def _lengths(array: Any, fft_length: Any, rank: int, inverse: bool) -> tuple[int, ...]:
    """The lengths of the transform, all of which the input must have."""
    if np.shape(fft_length) != (rank,):
        raise invalid(f"fft_length must have shape [{rank}]")
    lengths = tuple(int(n) for n in fft_length)
    for i, n in enumerate(lengths):
        if n < 0:
            raise invalid(f"fft_length[{i}] must >= 0, but got: {n}")
    if array.size:
        for i, n in enumerate(lengths):
            needed = n // 2 + 1 if inverse and i == rank - 1 and n > 0 else n
            at = array.ndim - rank + i
            if array.shape[at] < needed:
                raise invalid(
                    f"Input dimension {at} must have length of at least {needed} but got: {array.shape[at]}"
                )
    return lengths


def _real(type: str, rank: int, name: str) -> Any:
    axes = tuple(range(-rank, 0))

    def kernel(xp: Any, input: Any, fft_length: Any, *, Tcomplex: DType = dtypes.complex64) -> Any:
        array = _checked(input, rank)
        lengths = _lengths(array, fft_length, rank, False)
        last = lengths[-1]
        out = (*array.shape[:-rank], *lengths[:-1], last // 2 + 1 if last else 0)
        if not array.size or 0 in lengths:
            return np.zeros(out, Tcomplex.numpy)
        return xp.fft.rfftn(array, s=lengths, axes=axes).astype(Tcomplex.numpy, copy=False)

    kernel.__name__ = name
    kernel.__doc__ = (
        f"The Fourier transform of real numbers over the last {_WORDS[rank]}, of which half is kept."
    )
    kernel.__annotations__ = {
        "input": Treal, "fft_length": dtypes.int32, "Tcomplex": Complex, "return": Complex,
    }  # fmt: skip

    def shape(input: Sym, fft_length: Sym, *, Tcomplex: DType) -> Shape:
        return _real_shape(input, fft_length, rank, forward=True)

    return op(type, shape=shape, fresh=True)(kernel)


def _inverse_real(type: str, rank: int, name: str) -> Any:
    axes = tuple(range(-rank, 0))

    def kernel(xp: Any, input: Any, fft_length: Any, *, Treal: DType = dtypes.float32) -> Any:
        array = _checked(input, rank)
        lengths = _lengths(array, fft_length, rank, True)
        if not array.size or 0 in lengths:
            return np.zeros((*array.shape[:-rank], *lengths), Treal.numpy)
        return xp.fft.irfftn(array, s=lengths, axes=axes).astype(Treal.numpy, copy=False)

    kernel.__name__ = name
    kernel.__doc__ = f"The real numbers over the last {_WORDS[rank]} whose Fourier transform has this half."
    kernel.__annotations__ = {
        "input": Complex, "fft_length": dtypes.int32, "Treal": Treal, "return": Treal,
    }  # fmt: skip

    def shape(input: Sym, fft_length: Sym, *, Treal: DType) -> Shape:
        return _real_shape(input, fft_length, rank, forward=False)

    return op(type, shape=shape, fresh=True)(kernel)


def _real_shape(input: Sym, fft_length: Sym, rank: int, forward: bool) -> Shape:
    shape = at_least(input.shape, rank)
    with_value(of_rank(fft_length.shape, 1)[0], rank)
    if shape is None:
        return None
    lengths = fft_length.value
    if lengths is None:
        return (*shape[:-rank], *[None] * rank)
    sizes = [int(n) for n in lengths]
    if forward and sizes[-1]:
        sizes[-1] = sizes[-1] // 2 + 1
    return (*shape[:-rank], *sizes)


fft, ifft = _complex("FFT", 1, "fft", False), _complex("IFFT", 1, "ifft", True)
fft2d, ifft2d = _complex("FFT2D", 2, "fft2d", False), _complex("IFFT2D", 2, "ifft2d", True)
fft3d, ifft3d = _complex("FFT3D", 3, "fft3d", False), _complex("IFFT3D", 3, "ifft3d", True)
rfft, irfft = _real("RFFT", 1, "rfft"), _inverse_real("IRFFT", 1, "irfft")
rfft2d, irfft2d = _real("RFFT2D", 2, "rfft2d"), _inverse_real("IRFFT2D", 2, "irfft2d")
rfft3d, irfft3d = _real("RFFT3D", 3, "rfft3d"), _inverse_real("IRFFT3D", 3, "irfft3d")
