"""Functions of the BLAS library that NumPy has loaded: for copies that NumPy itself does slowly, and what it is.

NumPy's wheels bring OpenBLAS, and a process that has imported NumPy finds the library's functions among its symbols. A NumPy
with another library, or a system whose loader does not list the libraries of a module (Windows), has no such function:
then these calls return None, and the caller does without. State: the function, after the first lookup.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

# The number of elements from which on a call through ctypes pays.
_LEAST = 1 << 14
# CBLAS's own numbers.
_ROW_MAJOR, _TRANS = 101, 112


@functools.cache
def _omatcopy() -> Callable[..., None] | None:
    """`somatcopy` with 64-bit sizes, as NumPy's wheels name it: B = alpha · Aᵀ. OpenBLAS has no fast one for float64."""
    try:
        function = ctypes.CDLL(np._core._multiarray_umath.__file__).scipy_cblas_somatcopy64_  # type: ignore[attr-defined]
    except (OSError, AttributeError):
        return None
    size, pointer = ctypes.c_int64, ctypes.c_void_p
    function.argtypes = [ctypes.c_int, ctypes.c_int, size, size, ctypes.c_float, pointer, size, pointer, size]
    function.restype = None
    return function


def kernels() -> str | None:
    """For which type of processor the library has chosen its kernels, such as "SkylakeX"; None for another library."""
    try:
        function = ctypes.CDLL(np._core._multiarray_umath.__file__).scipy_openblas_get_corename64_  # type: ignore[attr-defined]
    except (OSError, AttributeError):
        return None
    function.argtypes, function.restype = [], ctypes.c_char_p
    name: bytes = function()
    return name.decode()


def transposed(array: Any) -> Any | None:
    """A copy in C order of an array whose columns are contiguous, float32 [..., m, n]; None where this is no faster.

    One call for each matrix of a stack. An integer's bits would not do in place of a float's: alpha · x makes a NaN quiet.
    """
    if array.dtype != np.float32 or array.ndim < 2:
        return None
    *places, rows, columns = array.shape
    apart, odd = divmod(array.strides[-1], array.itemsize)
    if not array.flags.aligned or array.strides[-2] != array.itemsize or odd or apart < rows or rows * columns < _LEAST:
        return None
    copy_of = _omatcopy()
    if copy_of is None:
        return None
    copy = np.empty(array.shape, array.dtype)
    for place in np.ndindex(*places):
        source, target = array[place].ctypes.data, copy[place].ctypes.data
        copy_of(_ROW_MAJOR, _TRANS, columns, rows, 1.0, source, apart, target, columns)
    return copy


def aligned(xp: Any, array: Any) -> Any:
    """The array in C order at an address that 64 divides: itself where it is, else a copy; other modules' arrays as they are.

    A product with small matrices reads the right one as it lies, 64 bytes at a time on some processors. From another address
    each read takes part of two lines of the cache, which makes the product a fifth slower.
    """
    if xp is not np or (array.flags.c_contiguous and array.ctypes.data % 64 == 0):
        return array
    room = np.empty(array.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    copy = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
