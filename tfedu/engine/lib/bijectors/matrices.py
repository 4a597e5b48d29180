"""Bijectors of matrices: `CholeskyOuterProduct`, `FillTriangular`, `ScaleTriL`, `MatrixInverseTriL`, `TransformDiagonal`.

No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...ops import linalg as linalg_ops
from ..arrays import array, constructors, sequences
from ..checks import asserts, type_asserts
from ..control.grouping import with_dependencies
from ..framework.scope_blocks import control_dependencies
from ..linalg import linalg
from ..math import math, products, reductions
from .bijector import Bijector
from .composed import Chain
from .elementwise import Softplus
from .parametric import AffineScalar
from .triangles import fill_triangular, fill_triangular_inverse, side_of, side_of_tensor, static_vector_shape


class CholeskyOuterProduct(Bijector):
    """Y = L · Lᵀ for lower triangular matrices L [..., n, n] with a positive diagonal.

    Raises: ValueError for fewer than two axes; in the run, under validate_args, InvalidArgumentError for matrices that are
    not square or have a number on the diagonal that is not positive.
    """

    def __init__(self, validate_args: bool = False, name: str = "cholesky_outer_product") -> None:
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        if self.validate_args:
            is_matrix = type_asserts.assert_rank_at_least(x, 2)
            shape = array.shape(x)
            x = with_dependencies([is_matrix, asserts.assert_equal(shape[-2], shape[-1])], x)
        x = linalg.matrix_band_part(x, -1, 0)
        return products.matmul(x, x, adjoint_b=True)

    def _inverse(self, y: Tensor) -> Tensor:
        return linalg.cholesky(y)  # type: ignore[no-any-return]

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return -self._forward_log_det_jacobian(linalg.cholesky(y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        # n · log 2 + Σ (n - i) · log x[i, i]: an entry i of the diagonal takes part in n - i entries of Y, counted from 0
        diagonal = linalg.matrix_diag_part(x)
        if self.validate_args:
            is_matrix = type_asserts.assert_rank_at_least(x, 2)
            shape = array.shape(x)
            is_square = asserts.assert_equal(shape[-2], shape[-1])
            diagonal = with_dependencies([is_matrix, is_square, asserts.assert_positive(diagonal)], diagonal)
        size = diagonal.shape[-1].value if diagonal.shape.rank is not None else None
        if size is None:
            n: Any = math.cast(array.shape(diagonal)[-1], dtype=dtypes.int32)
            count = n
            n = math.cast(n, dtype=diagonal.dtype)
        else:
            count, n = size, np.array(size, diagonal.dtype.as_numpy_dtype)
        exponents = sequences.linspace(math.cast(n, diagonal.dtype) if size is None else n, n - n + 1, num=count)
        total = n * np.log(2.0) + reductions.reduce_sum(math.log(diagonal) * exponents, axis=-1)
        total.set_shape(diagonal.shape[:-1] if diagonal.shape.rank is not None else None)
        return total  # type: ignore[no-any-return]


class MatrixInverseTriL(Bijector):
    """Y = X⁻¹ for lower triangular matrices X [..., n, n].

    Raises: ValueError for fewer than two axes; in the run, under validate_args, InvalidArgumentError for matrices that are
    not square, not lower triangular, or have a 0 on the diagonal.
    """

    def __init__(self, validate_args: bool = False, name: str = "matrix_inverse_tril") -> None:
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        with control_dependencies(self._checks(x)):
            shape = array.shape(x)
            eye = constructors.eye(shape[-1], batch_shape=shape[:-2], dtype=x.dtype)
            return linalg_ops.matrix_triangular_solve(x, eye, lower=True)  # type: ignore[no-any-return]

    def _inverse(self, y: Tensor) -> Tensor:
        return self._forward(y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        # As 1.15 does it: the volume in the space of all matrices. Among triangular ones the factor is n + 1, not 2 · n.
        with control_dependencies(self._checks(x)):
            sides = -2.0 * math.cast(array.shape(x)[-1], x.dtype.base_dtype)
            return sides * reductions.reduce_sum(math.log(math.abs(linalg.matrix_diag_part(x))), axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return -self._forward_log_det_jacobian(self._forward(y))

    def _checks(self, x: Tensor) -> list[Operation]:
        if not self.validate_args:
            return []
        shape = array.shape(x)
        is_matrix = type_asserts.assert_rank_at_least(x, 2, message="Input must have rank at least 2.")
        is_square = asserts.assert_equal(
            shape[-2], shape[-1], message="Input must be a (batch of) square matrix."
        )
        above = linalg.matrix_band_part(
            linalg.matrix_set_diag(x, array.zeros(shape[:-1], dtype=x.dtype)), 0, -1
        )
        is_lower = asserts.assert_equal(
            above, array.zeros_like(above), message="Input must be lower triangular."
        )
        diagonal = linalg.matrix_diag_part(x)
        has_inverse = asserts.assert_none_equal(
            diagonal, array.zeros_like(diagonal), message="Input must have all diagonal entries nonzero."
        )
        return [is_matrix, is_square, is_lower, has_inverse]


class FillTriangular(Bijector):
    """Vectors [..., n · (n + 1) / 2] as lower triangular matrices [..., n, n]; with `upper` as upper triangular ones.

    Raises: ValueError for vectors of a length that fills no triangle and for matrices that are not square.
    """

    def __init__(self, upper: bool = False, validate_args: bool = False, name: str = "fill_triangular") -> None:
        self._upper = upper
        super().__init__(
            forward_min_event_ndims=1, inverse_min_event_ndims=2, validate_args=validate_args, name=name
        )

    def _forward(self, x: Tensor) -> Tensor:
        return fill_triangular(x, upper=self._upper)

    def _inverse(self, y: Tensor) -> Tensor:
        return fill_triangular_inverse(y, upper=self._upper)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return array.zeros_like(x[..., 0])

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return array.zeros_like(y[..., 0, 0])

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        length = input_shape[-1].value
        side = None if length is None else side_of(length)
        if side is not None and side != int(side):
            raise ValueError(error_text("Vector length is not a triangular number."))
        n = None if side is None else int(side)
        return input_shape[:-1].concatenate([n, n])

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        batch = input_shape[:-1]
        n = side_of_tensor(input_shape[-1], self.validate_args)
        return array.concat([batch, [n, n]], axis=0)

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return static_vector_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        n = output_shape[-1]
        if self.validate_args:
            is_square = asserts.assert_equal(output_shape[-2], n, message="Matrix must be square.")
            n = with_dependencies([is_square], n)
        return array.concat([output_shape[:-2], [n * (n + 1) // 2]], axis=0)


class TransformDiagonal(Bijector):
    """Another bijector on the diagonals of matrices [..., n, n]; the other entries stay.

    Raises: what the methods of the other bijector raise for vectors [..., n].
    """

    def __init__(
        self, diag_bijector: Bijector, validate_args: bool = False, name: str = "transform_diagonal"
    ) -> None:
        self._diag_bijector = diag_bijector
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        return linalg.matrix_set_diag(x, self._diag_bijector.forward(linalg.matrix_diag_part(x)))

    def _inverse(self, y: Tensor) -> Tensor:
        return linalg.matrix_set_diag(y, self._diag_bijector.inverse(linalg.matrix_diag_part(y)))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return self._diag_bijector.forward_log_det_jacobian(linalg.matrix_diag_part(x), event_ndims=1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return self._diag_bijector.inverse_log_det_jacobian(  # type: ignore[no-any-return]
            linalg.matrix_diag_part(y), event_ndims=1
        )


class ScaleTriL(Chain):
    """Vectors [..., n · (n + 1) / 2] of any numbers as lower triangular matrices [..., n, n] with a positive diagonal.

    diag_bijector: makes the diagonal positive, by default Softplus. diag_shift: is added to it; None: nothing.
    """

    @atomic
    def __init__(
        self,
        diag_bijector: Bijector | None = None,
        diag_shift: Any = 1e-5,
        validate_args: bool = False,
        name: str = "scale_tril",
    ) -> None:
        if diag_bijector is None:
            diag_bijector = Softplus(validate_args=validate_args)
        if diag_shift is not None:
            diag_bijector = Chain([AffineScalar(shift=diag_shift), diag_bijector])
        super().__init__(
            [TransformDiagonal(diag_bijector=diag_bijector), FillTriangular()],
            validate_args=validate_args,
            name=name,
        )
