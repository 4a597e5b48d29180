"""`tf.linalg.expm`: matrix exponentials by scaling and squaring, with Padé approximants and a loop.

exp(A) = exp(A / 2^s)^(2^s), and exp(A) ≈ q(-A)⁻¹ q(A) for a matrix of small norm, where q is Padé's polynomial;
larger norms need a higher degree. Source: Higham, The scaling and squaring method for the matrix exponential
revisited, 2005.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...ops import linalg as ops
from ..arrays import array, constructors
from ..arrays.selection import where
from ..control.cond import cond
from ..control.while_loop import while_loop
from ..framework.scope_blocks import named
from ..math import math, reductions
from ..math.products import matmul

# Degree -> q's coefficients, from the constant term up; that of the highest power is 1.
_PADE = {
    3: (120.0, 60.0, 12.0),
    5: (30240.0, 15120.0, 3360.0, 420.0, 30.0),
    7: (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0),
    9: (17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0, 110880.0, 3960.0, 90.0),
    13: (
        64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0,
        670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0,
    ),
}  # fmt: skip
# For each precision: (degree, largest norm for which it is accurate)…, the degree for larger norms, the norm they scale to.
_SINGLE_PRECISION = ((3, 4.258730016922831e-001), (5, 1.880152677804762e000)), 7, 3.925724783138660
_DOUBLE_PRECISION = (
    (3, 1.495585217958292e-002), (5, 2.539398330063230e-001), (7, 9.504178996162932e-001), (9, 2.097847961257068e000),
), 13, 5.371920351148152  # fmt: skip


@atomic
def matrix_exponential(input: Any, name: str | None = None) -> Tensor:
    """The exponentials of square matrices: [..., m, m] -> [..., m, m].

    Raises: ValueError for a dtype that is neither floating nor complex.
    """
    with named(name, "matrix_exponential", [input]):
        matrix = convert_to_tensor(input, name="input")
        if matrix.shape[-2:] == [0, 0]:
            return matrix
        batch: Any = matrix.shape[:-2]
        if not batch.is_fully_defined():
            batch = array.shape(matrix)[:-2]
        matrix = array.reshape(matrix, array.concat(([-1], array.shape(matrix)[-2:]), axis=0))
        columns = reductions.reduce_sum(math.abs(matrix), axis=array.size(array.shape(matrix)) - 2)
        norm = reductions.reduce_max(columns, axis=-1)
        if matrix.dtype in (dtypes.float16, dtypes.float32, dtypes.complex64):
            degree_limits, highest_degree, largest_norm = _SINGLE_PRECISION
        elif matrix.dtype in (dtypes.float64, dtypes.complex128):
            degree_limits, highest_degree, largest_norm = _DOUBLE_PRECISION
        else:
            raise ValueError(
                error_text(f"tf.linalg.expm does not support matrices of type {matrix.dtype}", [matrix])
            )

        def number(value: float) -> Tensor:
            return constant(value, dtype=norm.dtype)

        limit = number(largest_norm)
        squarings = math.maximum(math.floor(math.log(norm / limit) / math.log(number(2.0))), 0)
        approximants = [_pade(matrix, degree) for degree, _ in degree_limits]
        scale = math.pow(constant(2.0, dtype=matrix.dtype), math.cast(squarings, matrix.dtype))
        approximants.append(_pade(matrix / scale[..., None, None], highest_degree))

        def fitting(choices: Sequence[Tensor], limits: Sequence[float]) -> Tensor:
            """For each matrix, the first choice whose limit exceeds its norm."""
            if not limits:
                return choices[0]
            small = math.less(norm, number(limits[0]))
            return where(small, choices[0], fitting(choices[1:], limits[1:]))

        limits = [value for _, value in degree_limits]
        odd, even = (fitting(choices, limits) for choices in zip(*approximants))
        # A matrix that is not finite has no inverse, and its number of squarings would be unbounded.
        is_finite = math.is_finite(reductions.reduce_max(norm))
        result = cond(
            is_finite,
            lambda: ops.matrix_solve(-odd + even, odd + even),
            lambda: array.fill(array.shape(matrix), constant(np.nan, dtype=matrix.dtype)),
        )
        most_squarings = reductions.reduce_max(squarings)
        _, result = while_loop(
            lambda i, r: cond(is_finite, lambda: math.less(i, most_squarings), lambda: constant(False)),
            lambda i, r: (i + 1, where(math.less(i, squarings), matmul(r, r), r)),
            [number(0.0), result],
        )
        if not matrix.shape.is_fully_defined():
            return array.reshape(result, array.concat((batch, array.shape(result)[-2:]), axis=0))
        return array.reshape(result, batch.concatenate(result.shape[-2:]))


def _pade(matrix: Tensor, degree: int) -> tuple[Tensor, Tensor]:
    """The odd and the even powers' parts of q(matrix)."""
    q = [constant(c, dtype=matrix.dtype) for c in _PADE[degree]]
    shape = array.shape(matrix)[-2], array.shape(matrix)[:-2]
    powers = [constructors.eye(shape[0], batch_shape=shape[1], dtype=matrix.dtype)]
    square = matmul(matrix, matrix)
    powers.append(square)
    for _ in range(2, min(degree // 2, 4) + 1 if degree < 13 else 4):
        powers.append(matmul(powers[-1], square))
    if degree < 13:
        odd = matmul(matrix, _add_terms(powers[-1], q[1::2], powers[:-1]))
        return odd, _add_terms(q[-1] * powers[-1], q[:-1:2], powers[:-1])
    sixth = powers[3]
    inner = matmul(sixth, _add_terms(sixth, q[9::2], powers[1:3]))
    odd = matmul(matrix, _add_terms(inner, q[1:8:2], powers))
    inner = matmul(sixth, _add_terms(q[12] * sixth, q[8:12:2], powers[1:3]))
    return odd, _add_terms(inner, q[0:7:2], powers)


def _add_terms(total: Tensor, factors: Sequence[Tensor], powers: Sequence[Tensor]) -> Tensor:
    """total + Σ factor · power, from the highest power down."""
    for factor, power in reversed(list(zip(factors, powers, strict=True))):
        total = total + factor * power
    return total


__all__ = ["matrix_exponential"]
