"""Discrete Fourier transforms over the last one, two or three axes: FFT, IFFT, RFFT, IRFFT and their 2D and 3D kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType
from ..base.shapes import Shape
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import product_of
from ..op.infer import constant_value_as_shape
from ..op.matrix_functions import matmul
from ..op.name_scopes import named
from ..op.shape_checks import COMPLEX, as_array, at_least, invalid, kinds, of_rank, text_of, with_value

Complex = typevar("Tcomplex", COMPLEX, default=dtypes.complex64)
Treal = typevar("Treal", kinds("float double"), default=dtypes.float32)


def _checked(input: Any, rank: int) -> Any:
    array = as_array(input)
    if array.ndim < rank:
        raise invalid(f"Input must have rank of at least {rank} but got: {text_of(array.shape)}")
    return array


def _complex(type: str, rank: int, name: str, inverse: bool) -> Any:
    """A transform of complex numbers over the last `rank` axes."""
    axes = tuple(range(-rank, 0))

    def kernel(xp: Any, input: Any) -> Any:
        array = _checked(input, rank)
        if not array.size:
            return xp.zeros(array.shape, array.dtype)
        function = xp.fft.ifftn if inverse else xp.fft.fftn
        return function(array, axes=axes).astype(array.dtype, copy=False)

    kernel.__name__ = name
    sizes = _SIZES[rank]
    kernel.__doc__ = (
        f"The {'inverse ' * inverse}Fourier transform over the last {_WORDS[rank]}: [..., {sizes}] -> [..., {sizes}]."
    )
    kernel.__annotations__ = {"input": Complex, "return": Complex}
    return op(type, shape=lambda input: at_least(input.shape, rank), fresh=True)(kernel)


_WORDS = {1: "axis", 2: "two axes", 3: "three axes"}
_SIZES = {1: "n", 2: "m, n", 3: "l, m, n"}  # of these axes, as docstrings name them


def _lengths(array: Any, fft_length: Any, rank: int, inverse: bool) -> tuple[int, ...]:
    """The lengths of the transform. Raises: InvalidArgumentError when the input is shorter along an axis."""
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
            return xp.zeros(out, Tcomplex.numpy)
        return xp.fft.rfftn(array, s=lengths, axes=axes).astype(Tcomplex.numpy, copy=False)

    kernel.__name__ = name
    sizes = _SIZES[rank]
    kernel.__doc__ = (
        f"The Fourier transform of real numbers over the last {_WORDS[rank]}, without its redundant half: "
        f"input [..., {sizes}], fft_length [{rank}] = ({sizes}) -> [..., {sizes}/2 + 1].\n\n"
        "Raises: InvalidArgumentError when the input is shorter than fft_length."
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
            return xp.zeros((*array.shape[:-rank], *lengths), Treal.numpy)
        return xp.fft.irfftn(array, s=lengths, axes=axes).astype(Treal.numpy, copy=False)

    kernel.__name__ = name
    sizes = _SIZES[rank]
    kernel.__doc__ = (
        f"The real numbers over the last {_WORDS[rank]} whose Fourier transform has this half: "
        f"input [..., {sizes}/2 + 1], fft_length [{rank}] = ({sizes}) -> [..., {sizes}].\n\n"
        "Raises: InvalidArgumentError when the input is shorter than fft_length needs."
    )
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


# -- gradients -----------------------------------------------------------------------------------------------------
# The gradient of a transform is the transform in the other direction times a factor.


def _count(x: Any, rank: int) -> Any:
    """The number of elements of one transform."""
    return product_of(functions.shape(x)[-rank:])


def _differentiate_each_other(forward: Any, inverse: Any, rank: int) -> None:
    def of_forward(op: Any, g: Any) -> Any:
        count = functions.cast(_count(g, rank), g.dtype)
        return inverse(g) * count

    def of_inverse(op: Any, g: Any) -> Any:
        share = functions.cast(1.0 / functions.cast(_count(g, rank), g.dtype.real_dtype), g.dtype)
        return forward(g) * share

    forward.grad(of_forward)
    inverse.grad(of_inverse)


_differentiate_each_other(fft, ifft, 1)
_differentiate_each_other(fft2d, ifft2d, 2)
_differentiate_each_other(fft3d, ifft3d, 3)

# Each column of the kept half stands for itself and its mirror image; the first column and, for an even length, the last
# have none, and are added once more.


@rfft.grad
def _(op: Any, g: Any) -> Any:
    x, lengths = op.inputs
    sizes, dtype = functions.shape(x), g.dtype
    is_even = functions.cast(1 - (lengths[-1] % 2), dtype)
    own = g[..., 0:1] + is_even * g[..., -1:] * _signs(sizes[-1], dtype)
    return _with_own_columns(op, irfft, g, own, 1), None


@rfft2d.grad
def _(op: Any, g: Any) -> Any:
    x, lengths = op.inputs
    sizes, dtype = functions.shape(x), g.dtype
    is_even = functions.cast(1 - (lengths[-1] % 2), dtype)
    first, last = g[..., 0:1], g[..., -1:]
    matrix = _repeated_like(_transform_matrix(sizes[-2], dtype), first)
    own = matmul(matrix, functions.conj(first))
    end = matmul(matrix, functions.conj(last))
    length = sizes[-1]
    repeats = functions.concat([functions.ones([functions.rank(g) - 1], dtypes.int32), [length]], 0)
    own = own + is_even * (nodes.Tile(end, repeats) * _signs(length, dtype))
    return _with_own_columns(op, irfft2d, g, own, 2), None


def _signs(length: Any, dtype: Any) -> Any:
    """1, -1, 1, -1, …"""
    return functions.cast(1 - 2 * (functions.range(length) % 2), dtype)


def _transform_matrix(length: Any, dtype: Any) -> Any:
    """The matrix [length, length] of the Fourier transform: exp(-2πi · row · column / length)."""
    rows = nodes.Tile(nodes.ExpandDims(functions.range(length), 0), (length, 1))
    columns = functions.transpose(rows, [1, 0])
    return nodes.Exp(-2j * np.pi * functions.cast(rows * columns, dtype) / functions.cast(length, dtype))


def _repeated_like(matrix: Any, x: Any) -> Any:
    """The matrix [n, n] repeated for each matrix of x [..., m, n] -> [..., n, n]."""
    sizes = functions.concat([functions.ones([functions.rank(x) - 2], dtypes.int32), functions.shape(matrix)], 0)
    return nodes.Tile(nodes.Reshape(matrix, sizes), functions.concat([functions.shape(x)[:-2], [1, 1]], 0))


def _with_own_columns(op: Any, inverse: Any, g: Any, own: Any, rank: int) -> Any:
    x, lengths = op.inputs
    count = functions.cast(_count(x, rank), g.dtype.real_dtype)
    return 0.5 * (_transformed(inverse, g, lengths, rank) * count + functions.real(own))


def _of_inverse_real(op: Any, g: Any, forward: Any, rank: int) -> Any:
    x, lengths = op.inputs
    is_odd = nodes.FloorMod(lengths[-1], 2)
    length = functions.shape(x)[-1]
    dtype = g.dtype
    # [1, 2, …, 2, 1]; for an odd length the last column counts twice as well.
    ones, twos = functions.ones([1 - is_odd], dtype), 2.0 * functions.ones([length - 2 + is_odd], dtype)
    weights = functions.concat([[1.0], twos, ones], 0)
    share = nodes.Reciprocal(functions.cast(_count(g, rank), dtype))
    return _transformed(forward, g, lengths, rank) * functions.cast(share * weights, x.dtype), None


irfft.grad(lambda op, g: _of_inverse_real(op, g, rfft, 1))
irfft2d.grad(lambda op, g: _of_inverse_real(op, g, rfft2d, 2))


def _transformed(caller: Any, x: Any, lengths: Any, rank: int) -> Any:
    with named(None, caller.__name__) as scope:
        return padded_and_transformed(caller, x, lengths, rank, scope)


def padded_and_transformed(caller: Any, x: Any, lengths: Any, rank: int, name: str) -> Any:
    """RFFT or IRFFT (`caller`) of x, padded with zeros to `lengths` [rank]; the node is called `name`."""
    is_inverse = "Treal" in caller.definition.defaults
    x = _padded(x, rank, lengths, is_inverse)
    is_double = x.dtype.base_dtype in (dtypes.float64, dtypes.complex128)
    if is_inverse:
        return caller(x, lengths, Treal=dtypes.float64 if is_double else dtypes.float32, name=name)
    return caller(x, lengths, Tcomplex=dtypes.complex128 if is_double else dtypes.complex64, name=name)


def _padded(x: Any, rank: int, lengths: Any, inverse: bool) -> Any:
    """x, zero-padded at the end where it is shorter than the transform."""
    shape = x.raw_shape
    if shape is not None and 0 in shape:
        return x
    static_lengths = constant_value_as_shape(lengths)
    count = rank if static_lengths is None else len(static_lengths)
    if static_lengths is not None and None not in static_lengths and shape is not None and None not in shape[-count:]:
        needed = list(static_lengths)
        if inverse:
            needed[-1] = needed[-1] // 2 + 1
        missing = [[0, max(n - m, 0)] for n, m in zip(needed, shape[-count:])]
        if not any(after for _, after in missing):
            return x
        return nodes.Pad(x, [[0, 0]] * max(len(shape) - count, 0) + missing)
    total = functions.rank(x)
    inner = functions.shape(x)[-rank:]
    outer = functions.zeros([nodes.Maximum(0, total - rank)], lengths.dtype)
    if inverse:
        lengths = functions.concat([lengths[:-1], lengths[-1:] // 2 + 1], 0)
    after = functions.concat([outer, nodes.Maximum(0, lengths - inner)], 0)
    return nodes.Pad(x, functions.stack([functions.zeros_like(after), after], axis=1))
