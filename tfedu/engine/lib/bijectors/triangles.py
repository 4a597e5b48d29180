"""`fill_triangular` and its inverse: the n · (n + 1) / 2 numbers of a vector as a triangular matrix [n, n]. No state."""

from __future__ import annotations

import math as python_math
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import named
from ..linalg import linalg
from ..math import math


def side_of(length: int) -> float:
    """The side n of a triangle of n · (n + 1) / 2 numbers; a fraction where there is none."""
    return python_math.sqrt(0.25 + 2.0 * length) - 0.5


def side_of_tensor(length: Tensor, is_checked: bool) -> Tensor:
    """The side n of a triangle of n · (n + 1) / 2 numbers, int32 scalars; checked in the run that there is one."""
    with named(None, "vector_size_to_square_matrix_size", [length]):
        side = (-1.0 + math.sqrt(1.0 + 8.0 * math.cast(length, dtypes.float32))) / 2.0
        if is_checked:
            whole = math.cast(math.cast(side, dtypes.int32), dtypes.float32)
            check = asserts.assert_equal(whole, side, message="Vector length is not a triangular number")
            side = with_dependencies([check], side)
        return math.cast(side, dtypes.int32)


@atomic
def fill_triangular(x: Any, upper: bool = False, name: str | None = None) -> Tensor:
    """Triangular matrices [..., n, n] out of vectors x [..., n · (n + 1) / 2], which wind through the triangle.

    upper: upper triangular instead of lower ones. Raises: ValueError for a scalar and for a length of no triangle.
    """
    with named(name, "fill_triangular", [x]):
        x = convert_to_tensor(x, name="x")
        last = x.shape.with_rank_at_least(1)[-1].value
        n: Any
        if last is not None:
            n = np.int32(side_of(last))
            if side_of(last) != n:
                raise ValueError(
                    error_text(f"Input right-most shape ({last}) does not correspond to a triangular matrix.", [x])
                )
            static = x.shape[:-1].concatenate([int(n), int(n)])
        else:
            last = array.shape(x)[-1]
            n = math.cast(math.sqrt(0.25 + math.cast(2 * last, dtype=dtypes.float32)), dtype=dtypes.int32)
            static = x.shape.with_rank_at_least(1)[:-1].concatenate([None, None])
        # The vector and behind it its reverse, less n numbers of the one or of the other, fill the square: the triangle's
        # other half is not looked at.
        rank = array.rank(x)
        rest = x[..., n:]
        last_axis = _last_axis(x, rank)
        if upper:
            parts = [x, array.reverse(rest, axis=last_axis)]
        else:
            parts = [rest, array.reverse(x, axis=last_axis)]
        if x.shape.is_fully_defined():
            shape: Any = x.shape.as_list()[:-1] + [int(n), int(n)]
        else:
            shape = array.concat([array.shape(x)[:-1], [n, n]], axis=0)
        square = array.reshape(array.concat(parts, axis=-1), shape)
        result = linalg.matrix_band_part(square, *((0, -1) if upper else (-1, 0)))
        result.set_shape(static)
        return result  # type: ignore[no-any-return]


@atomic
def fill_triangular_inverse(x: Any, upper: bool = False, name: str | None = None) -> Tensor:
    """The vectors [..., n · (n + 1) / 2] that fill the triangular matrices x [..., n, n].

    Raises: ValueError for fewer than two axes.
    """
    with named(name, "fill_triangular_inverse", [x]):
        x = convert_to_tensor(x, name="x")
        known = x.shape.with_rank_at_least(2)[-1].value
        n: Any
        if known is not None:
            n = np.int32(known)
            length: Any = np.int32((known * (known + 1)) // 2)
            static = x.shape[:-2].concatenate([int(length)])
        else:
            n = array.shape(x)[-1]
            length = (n * (n + 1)) // 2
            static = x.shape.with_rank_at_least(2)[:-2].concatenate([None])
        rank = array.rank(x)
        if upper:
            first = x[..., 0, :]
            others = x[..., 1:, :]
        else:
            first = array.reverse(x[..., -1, :], axis=_last_axis(x, rank, 1))
            others = x[..., :-1, :]
        # The triangle of the other rows and its image through the middle do not overlap
        turned = array.reverse(array.reverse(others, axis=_last_axis(x, rank)), axis=_last_axis(x, rank, 1))
        both = others + turned
        flat = array.reshape(both, array.concat([array.shape(x)[:-2], [n * (n - 1)]], axis=0))
        result = array.concat([first, flat[..., : length - n]], axis=-1)
        result.set_shape(static)
        return result


def _last_axis(x: Tensor, rank: Tensor, before: int = 0) -> Any:
    """The number of the last axis, or of one before it, as a vector [1]."""
    known = x.shape.rank
    return [rank - (1 + before)] if known is None else [known - 1 - before]


def static_vector_shape(matrix_shape: TensorShape) -> TensorShape:
    """The shape [..., n · (n + 1) / 2] of the vectors that fill matrices [..., n, n].

    Raises: ValueError for matrices that are not square.
    """
    batch, rows, columns = matrix_shape[:-2], matrix_shape[-2].value, matrix_shape[-1].value
    rows, columns = (columns if rows is None else rows), (rows if columns is None else columns)
    if rows is None or columns is None:
        return batch.concatenate([None])
    if rows != columns:
        raise ValueError(error_text(f"Matrix must be square. (saw [{rows}, {columns}])"))
    return batch.concatenate([rows * (rows + 1) // 2])
