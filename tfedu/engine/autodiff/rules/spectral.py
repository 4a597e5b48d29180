"""Gradients of Fourier transforms: the transform back, with another factor."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...lib.arrays import array, sequences
from ...lib.math import math, products, reductions, spectral
from ...ops import spectral as ops


def _count(x: Any, rank: int) -> Any:
    """How many elements one transform has."""
    return reductions.reduce_prod(array.shape(x)[-rank:])


def _of_complex(forward: Any, inverse: Any, rank: int) -> None:
    def of_forward(op: Any, g: Any) -> Any:
        count = math.cast(_count(g, rank), g.dtype)
        return inverse(g) * count

    def of_inverse(op: Any, g: Any) -> Any:
        share = math.cast(1.0 / math.cast(_count(g, rank), g.dtype.real_dtype), g.dtype)
        return forward(g) * share

    forward.grad(of_forward)
    inverse.grad(of_inverse)


_of_complex(ops.fft, ops.ifft, 1)
_of_complex(ops.fft2d, ops.ifft2d, 2)
_of_complex(ops.fft3d, ops.ifft3d, 3)


def _signs(length: Any, kind: Any) -> Any:
    """1, -1, 1, -1, …"""
    return math.cast(1 - 2 * (sequences.range(length) % 2), kind)


def _turns(length: Any, kind: Any) -> Any:
    """The matrix of the Fourier transform of that length."""
    rows = array.tile(array.expand_dims(sequences.range(length), 0), (length, 1))
    columns = array.transpose(rows, [1, 0])
    return math.exp(-2j * np.pi * math.cast(rows * columns, kind) / math.cast(length, kind))


def _spread(matrix: Any, x: Any) -> Any:
    """The matrix, once for each matrix of x."""
    sizes = array.concat([array.ones([array.rank(x) - 2], dtypes.int32), array.shape(matrix)], 0)
    return array.tile(array.reshape(matrix, sizes), array.concat([array.shape(x)[:-2], [1, 1]], 0))


# Half of the spectrum is kept, and stands for the whole: the columns that stand for themselves alone (the first, and for an
# even length the last) are added once more.


@ops.rfft.grad
def _(op: Any, g: Any) -> Any:
    x, lengths = op.inputs
    shape, kind = array.shape(x), g.dtype
    is_even = math.cast(1 - (lengths[-1] % 2), kind)
    own = g[..., 0:1] + is_even * g[..., -1:] * _signs(shape[-1], kind)
    return _with_own(op, spectral.irfft, g, own, 1), None


@ops.rfft2d.grad
def _(op: Any, g: Any) -> Any:
    x, lengths = op.inputs
    shape, kind = array.shape(x), g.dtype
    is_even = math.cast(1 - (lengths[-1] % 2), kind)
    first, last = g[..., 0:1], g[..., -1:]
    turns = _spread(_turns(shape[-2], kind), first)
    own = products.matmul(turns, math.conj(first))
    end = products.matmul(turns, math.conj(last))
    length = shape[-1]
    times = array.concat([array.ones([array.rank(g) - 1], dtypes.int32), [length]], 0)
    own = own + is_even * (array.tile(end, times) * _signs(length, kind))
    return _with_own(op, spectral.irfft2d, g, own, 2), None


def _with_own(op: Any, inverse: Any, g: Any, own: Any, rank: int) -> Any:
    x, lengths = op.inputs
    count = math.cast(_count(x, rank), g.dtype.real_dtype)
    return 0.5 * (inverse(g, lengths) * count + math.real(own))


def _of_inverse_real(caller: Any, forward: Any, rank: int) -> None:
    def rule(op: Any, g: Any) -> Any:
        x, lengths = op.inputs
        is_odd = math.mod(lengths[-1], 2)
        length = array.shape(x)[-1]
        kind = g.dtype
        # [1, 2, …, 2, 1]; for an odd length the last column counts twice as well.
        ones, twos = array.ones([1 - is_odd], kind), 2.0 * array.ones([length - 2 + is_odd], kind)
        weights = array.concat([[1.0], twos, ones], 0)
        share = math.reciprocal(math.cast(_count(g, rank), kind))
        return forward(g, lengths) * math.cast(share * weights, x.dtype), None

    caller.grad(rule)


_of_inverse_real(ops.irfft, spectral.rfft, 1)
_of_inverse_real(ops.irfft2d, spectral.rfft2d, 2)
