"""Bands of diagonals of matrices [..., m, n]: MatrixDiagV2, MatrixDiagPartV2, MatrixSetDiagV2.

Diagonal 0 is the main one, k > 0 lies above it, k < 0 below. A band [low, high] is stored as [..., high - low + 1, length],
the highest diagonal first, each one beginning at the left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.define import Sym, op
from ..op.shape_checks import Any_, as_array, at_least, at_most, invalid, needs_rank, of_rank, scalar, text_of
from .linalg import unfit_diagonal


def _band(k: Any) -> tuple[int, int]:
    """(low, high) from k, a scalar or [2]."""
    if np.ndim(k) > 1:
        raise invalid(f"diag_index must be a scalar or vector, received shape: {text_of(np.shape(k))}")
    ends = np.ravel(k).tolist()
    if not ends:
        raise invalid("Expected diag_index to have at least 1 element")
    if len(ends) not in (1, 2):
        raise invalid(f"diag_index must have only one or two elements, received {len(ends)} elements.")
    low, high = ends[0], ends[-1]
    if low > high:
        raise invalid(f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}")
    return low, high


def _length(low: int, high: int, rows: int, columns: int) -> int:
    """The length of the longest diagonal of the band."""
    return min(rows + min(high, 0), columns - max(low, 0))


def _in_matrix(low: int, high: int, rows: int, columns: int, stop: str = ".") -> None:
    for word, k in (("lower", low), ("upper", high)):
        if not (-rows < k < columns or k == 0):
            raise invalid(
                f"{word}_diag_index is out of bound: {k}{stop} It must be between {-rows} and {columns}"
            )


def _places(k: int, rows: int, columns: int) -> tuple[Any, Any]:
    """The row and column indices of diagonal k."""
    row, column = max(-k, 0), max(k, 0)
    steps = np.arange(max(min(rows - row, columns - column), 0))
    return row + steps, column + steps


def _written(out: Any, diagonal: Any, low: int, high: int) -> Any:
    rows, columns = out.shape[-2:]
    for k in range(high, low - 1, -1):
        at = _places(k, rows, columns)
        values = diagonal if low == high else diagonal[..., high - k, :]
        out[..., at[0], at[1]] = values[..., : len(at[0])]
    return out


@op("MatrixDiagV2", fresh=True)
def matrix_diag_v2(
    xp: Any, diagonal: Any_, k: dtypes.int32, num_rows: dtypes.int32, num_cols: dtypes.int32, padding_value: Any_
) -> Any_:
    """Matrices with the given diagonals and padding_value elsewhere: diagonal [..., k[1] - k[0] + 1, length] or [...,
    length], k a scalar or [2], num_rows, num_cols and padding_value scalars -> [..., num_rows, num_cols]; -1 rows or
    columns: as few as hold the diagonals.

    Raises: InvalidArgumentError when the sizes do not fit.
    """
    diagonal, padding = as_array(diagonal), as_array(padding_value)
    for name, value in (("num_rows", num_rows), ("num_cols", num_cols), ("padding_value", padding_value)):
        needs_rank(value, 0, f"{name} must be a scalar")
    low, high = _band(k)
    if diagonal.ndim < 1:
        raise invalid(f"diagonal must be at least 1-dim, received shape: {text_of(diagonal.shape)}")
    count = high - low + 1
    if count > 1 and (diagonal.ndim < 2 or diagonal.shape[-2] != count):
        raise invalid(
            "The number of diagonals provided in the input does not match the lower_diag_index and "
            "upper_diag_index range."
        )
    rows, columns = _size(diagonal.shape[-1], low, high, int(num_rows), int(num_cols))
    batch = diagonal.shape[: -1 if count == 1 else -2]
    out = np.full((*batch, rows, columns), padding[()], diagonal.dtype)
    return _written(out, diagonal, low, high)


def _size(length: int, low: int, high: int, rows: int, columns: int) -> tuple[int, int]:
    least_rows, least_columns = length - min(high, 0), length + max(low, 0)
    if rows == -1 and columns == -1:
        rows = columns = max(least_rows, least_columns)
    elif rows == -1:
        rows = least_rows
    elif columns == -1:
        columns = least_columns
    if rows < least_rows:
        raise invalid("The number of rows is too small.")
    if columns < least_columns:
        raise invalid("The number of columns is too small.")
    if rows != least_rows and columns != least_columns:
        raise invalid(
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal."
        )
    return rows, columns


def _known_band(k: Sym, rows: int | None = None, columns: int | None = None) -> tuple[int, int] | None:
    """(low, high) if k is constant, else None."""
    if k.shape is not None and len(k.shape) > 1:
        raise ShapeMismatch(f"Shape must be at most rank 1 but is rank {len(k.shape)}")
    value = k.value
    if value is None:
        return None
    ends = np.ravel(value).tolist()
    if len(ends) not in (1, 2):
        raise ShapeMismatch(f"diag_index must be a vector with one or two elements. It has {len(ends)} elements.")
    low, high = ends[0], ends[-1]
    if low > high:
        raise ShapeMismatch("lower_diag_index is greater than upper_diag_index")
    if rows is not None and columns is not None:
        for word, end in (("lower", low), ("upper", high)):
            if not (-rows < end < columns or end == 0):
                raise ShapeMismatch(f"{word}_diag_index is out of bound.")
    return low, high


@matrix_diag_v2.shape
def _(diagonal: Sym, k: Sym, num_rows: Sym, num_cols: Sym, padding_value: Sym) -> Shape:
    for sym in (num_rows, num_cols, padding_value):
        scalar(sym)
    shape, band = at_least(diagonal.shape, 1), _known_band(k)
    if shape is None or band is None:
        return None
    low, high = band
    count = high - low + 1
    if count > 1:
        at_least(shape, 2)
        # Like TF, this refuses an unknown number too.
        if shape[-2] != count:
            raise ShapeMismatch(
                "The number of rows of `diagonal` doesn't match the number of diagonals implied from `d_lower` and "
                f"`d_upper`.\nnum_diags = {count}, d_lower = {low}, d_upper = {high}"
            )
    batch = shape[: -1 if count == 1 else -2]
    rows, columns = num_rows.value, num_cols.value
    if rows is None or columns is None or shape[-1] is None:
        return (*batch, None, None)
    if rows != -1 and rows < shape[-1] - min(high, 0):
        raise ShapeMismatch("num_rows is too small")
    if columns != -1 and columns < shape[-1] + max(low, 0):
        raise ShapeMismatch("num_cols is too small.")
    try:
        return (*batch, *_size(shape[-1], low, high, int(rows), int(columns)))
    except errors.InvalidArgumentError as error:
        raise ShapeMismatch(error.message) from None


@matrix_diag_v2.grad
def _(op: Any, g: Any) -> Any:
    return matrix_diag_part_v2(g, op.inputs[1], 0, name="diag_part"), None, None, None, None


@op("MatrixDiagPartV2", out="diagonal", fresh=True)
def matrix_diag_part_v2(xp: Any, input: Any_, k: dtypes.int32, padding_value: Any_) -> Any_:
    """The diagonals k of matrices: input [..., m, n], k a scalar or [2], padding_value scalar -> diagonal [..., k[1] -
    k[0] + 1, length] or [..., length]; padding_value fills shorter ones up.

    Raises: InvalidArgumentError for a diagonal outside the matrix.
    """
    array, padding = as_array(input), as_array(padding_value)
    low, high = _band(k)
    _at_least(array, 2, "input")
    if padding.size != 1:
        raise invalid("Padding must be scalar.")
    padding = padding.reshape(())
    rows, columns = array.shape[-2:]
    _in_matrix(low, high, rows, columns)
    length = _length(low, high, rows, columns)
    out = np.full((*array.shape[:-2], high - low + 1, length), padding[()], array.dtype)
    for i, diagonal in enumerate(range(high, low - 1, -1)):
        at = _places(diagonal, rows, columns)
        out[..., i, : len(at[0])] = array[..., at[0], at[1]]
    return out[..., 0, :] if low == high else out


@matrix_diag_part_v2.shape
def _(input: Sym, k: Sym, padding_value: Sym) -> Shape:
    scalar(padding_value)
    shape = at_least(input.shape, 2)
    band = _known_band(k, *(shape[-2:] if shape is not None else ()))
    if shape is None or band is None:
        return None
    low, high = band
    rows, columns = shape[-2:]
    length = None if rows is None or columns is None else _length(low, high, rows, columns)
    return (*shape[:-2], *(() if low == high else (high - low + 1,)), length)


@matrix_diag_part_v2.grad
def _(op: Any, g: Any) -> Any:
    x, k, _ = op.inputs
    rows, columns = (None, None) if x.raw_shape is None else x.raw_shape[-2:]
    if rows is not None and columns is not None:
        return matrix_diag_v2(g, k, rows, columns, 0, name="diag"), None, None
    return matrix_set_diag_v2(functions.zeros_like(x), g, k, name="set_diag"), None, None


@op("MatrixSetDiagV2", fresh=True)
def matrix_set_diag_v2(xp: Any, input: Any_, diagonal: Any_, k: dtypes.int32) -> Any_:
    """The matrices with other diagonals k: input [..., m, n], diagonal [..., k[1] - k[0] + 1, length] or [..., length],
    k a scalar or [2] -> [..., m, n].

    Raises: InvalidArgumentError when the sizes do not fit.
    """
    array, diagonal = as_array(input), as_array(diagonal)
    if not np.size(k):
        raise invalid("diag_index must have at least one element")
    low, high = _band(k)
    _at_least(array, 2, "input")
    _at_least(diagonal, 1, "diagonal")
    rows, columns = array.shape[-2:]
    _in_matrix(low, high, rows, columns, stop="")
    count = () if low == high else (high - low + 1,)
    if count and (diagonal.ndim != array.ndim or diagonal.shape[-2] != count[0]):
        raise invalid(
            "The number of diagonals provided in `diag` is not consistent with `lower_diag_index` and `upper_diag_index`"
        )
    expected = (*array.shape[:-2], *count, _length(low, high, rows, columns))
    if diagonal.shape != expected:
        raise invalid(unfit_diagonal(array, diagonal, expected))
    return _written(np.array(array), diagonal, low, high)


def _at_least(array: Any, rank: int, name: str) -> None:
    if array.ndim < rank:
        raise invalid(f"{name} must be at least {rank}-dim, received shape: {text_of(array.shape)}")


@matrix_set_diag_v2.shape
def _(input: Sym, diagonal: Sym, k: Sym) -> Shape:
    shape = at_least(input.shape, 2)
    at_least(diagonal.shape, 1)
    if shape is not None:
        at_most(diagonal.shape, len(shape))
    band = _known_band(k)
    if band is not None and shape is not None:
        of_rank(diagonal.shape, len(shape) - (band[0] == band[1]))
        _known_band(k, *shape[-2:])
    if band is None or diagonal.shape is None:
        return shape
    batch = diagonal.shape[: -1 if band[0] == band[1] else -2]
    if shape is None:
        return (*batch, None, None)
    shapes.merge(shape[:-2], batch)
    return shape
