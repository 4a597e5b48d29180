"""`LinearOperatorCirculant`, its kinds for blocks of two and three axes, and `LinearOperatorToeplitz`. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..checks import asserts
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import math, reductions, spectral
from .linear_operator import LinearOperator
from .operator_parts import assert_no_zero, assert_real, implied_hint

_TRANSFORMS = {
    1: (spectral.fft, spectral.ifft),
    2: (spectral.fft2d, spectral.ifft2d),
    3: (spectral.fft3d, spectral.ifft3d),
}


class _Circulant(LinearOperator):
    """Fᴴ · diag(spectrum) · F, where F is the discrete Fourier transform over the last `_DEPTH` axes of the spectrum."""

    _DEPTH = 1

    @atomic
    def _build(
        self, spectrum: Any, input_output_dtype: Any, is_non_singular: bool | None, is_self_adjoint: bool | None,
        is_positive_definite: bool | None, is_square: bool | None, name: str,
    ) -> None:  # fmt: skip
        with name_scope(name, values=[spectrum]):
            self._spectrum = convert_to_tensor(spectrum, name="spectrum")
            rank = self._spectrum.shape.rank
            if rank is not None and rank < self.block_depth:
                raise ValueError(
                    error_text(
                        f"Argument spectrum must have at least {self.block_depth} dimensions.  Found: {self._spectrum}"
                    )
                )
            if not self._spectrum.dtype.is_complex:
                is_self_adjoint = implied_hint(
                    is_self_adjoint, "A real spectrum always corresponds to a self-adjoint operator."
                )
            is_square = implied_hint(is_square, "A [[nested] block] circulant operator is always square.")
            LinearOperator.__init__(
                self,
                input_output_dtype,
                [self._spectrum],
                is_non_singular,
                is_self_adjoint,
                is_positive_definite,
                is_square,
                name,
            )

    @property
    def block_depth(self) -> int:
        """The number of axes of a block: 1, 2 or 3."""
        return self._DEPTH

    @property
    def block_shape(self) -> TensorShape:
        """The static shape [n₁, …] of a block."""
        return self._spectrum.shape[-self.block_depth :]

    def block_shape_tensor(self) -> Tensor:
        """The shape [n₁, …] of a block as an int32 vector."""
        if self.block_shape.is_fully_defined():
            return convert_to_tensor(self.block_shape.as_list(), dtype=dtypes.int32, name="block_shape")
        return array.shape(self._spectrum)[-self.block_depth :]

    @property
    def spectrum(self) -> Tensor:
        """The eigenvalues [batch..., n₁, …]."""
        return self._spectrum

    def _shape(self) -> TensorShape:
        shape = self._spectrum.shape
        if shape.rank is None:
            return TensorShape(None)
        sizes = self.block_shape.as_list()
        side = None if None in sizes else int(np.prod(sizes))
        return shape[: -self.block_depth].concatenate(TensorShape([side, side]))

    def _shape_tensor(self) -> Tensor:
        shape = array.shape(self._spectrum)
        side = reductions.reduce_prod(shape[-self.block_depth :])
        return array.concat((shape[: -self.block_depth], [side, side]), 0)

    @property
    def _complex(self) -> Any:
        return dtypes.complex128 if self.dtype in (dtypes.float64, dtypes.complex128) else dtypes.complex64

    def _filtered(self, x: Tensor, adjoint: bool, adjoint_arg: bool, divide: bool) -> Tensor:
        """x [..., n, k], its spectrum multiplied with, or divided by, the operator's."""
        x = linalg.adjoint(x) if adjoint_arg else x
        static = x.shape
        forward, backward = _TRANSFORMS[self.block_depth]
        rows = math.cast(array.matrix_transpose(x), self._complex)
        blocks = array.reshape(rows, array.concat((array.shape(rows)[:-1], self.block_shape_tensor()), 0))
        spectrum = math.cast(self._spectrum, self._complex)
        spectrum = array.expand_dims(math.conj(spectrum) if adjoint else spectrum, -self.block_depth - 1)
        blocks = forward(blocks)
        blocks = backward(blocks / spectrum if divide else spectrum * blocks)
        rows = array.reshape(blocks, array.concat((array.shape(blocks)[: -self.block_depth], [-1]), 0))
        result = math.cast(array.matrix_transpose(rows), self.dtype)
        if static.rank is not None:
            batch = array.broadcast_static_shape(static[:-2], self.batch_shape)
            result.set_shape(batch.concatenate(TensorShape([self.domain_dimension, static[-1]])))
        return result

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._filtered(x, adjoint, adjoint_arg, divide=False)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._filtered(rhs, adjoint, adjoint_arg, divide=True)

    def _block_axes(self) -> list[int]:
        return list(range(-self.block_depth, 0))

    def _determinant(self) -> Tensor:
        return math.cast(reductions.reduce_prod(self._spectrum, axis=self._block_axes()), self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        total = reductions.reduce_sum(math.log(math.abs(self._spectrum)), axis=self._block_axes())
        return math.cast(total, self.dtype)

    def _trace(self) -> Tensor:
        return math.cast(reductions.reduce_sum(self._spectrum, axis=self._block_axes()), self.dtype)

    def _diag_part(self) -> Tensor:
        if self.shape.is_fully_defined():
            ones = array.ones(shape=self.shape[:-1], dtype=self.dtype)
        else:
            ones = array.ones(shape=self.shape_tensor()[:-1], dtype=self.dtype)
        side = self.domain_dimension.value
        side = self.domain_dimension_tensor() if side is None else side
        mean = self.trace() / math.cast(side, self.dtype)
        return mean[..., None] * ones

    @atomic
    def convolution_kernel(self, name: str = "convolution_kernel") -> Tensor:
        """The kernel [batch..., n₁, …] with which `matmul` convolves: the inverse Fourier transform of the spectrum."""
        with self._name_scope(name):
            kernel = _TRANSFORMS[self.block_depth][1](math.cast(self._spectrum, self._complex))
            return math.cast(kernel, self.dtype)

    @atomic
    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Operation:
        """An operation that fails in the run unless the spectrum is Hermitian, so that the matrices are real.

        Differs from TF: 1.15 compares dtypes that differ, and always raises TypeError.
        """
        eps = np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps
        with self._name_scope(name):
            side = math.cast(self.domain_dimension_tensor(), self.dtype.real_dtype)
            limit = eps * side
            kernel = self.convolution_kernel()
            return asserts.assert_less_equal(
                math.abs(math.imag(kernel)), limit,
                message="Spectrum was not Hermitian",
            )  # fmt: skip

    def _assert_non_singular(self) -> Operation:
        return assert_no_zero(self._spectrum, message="Singular operator:  Spectrum contained zero values.")

    def _assert_positive_definite(self) -> Operation:
        message = "Not positive definite:  Real part of spectrum was not all positive."
        return asserts.assert_positive(math.real(self._spectrum), message=message)

    def _assert_self_adjoint(self) -> Operation:
        return assert_real(
            self._spectrum, message="Not self-adjoint:  The spectrum contained non-zero imaginary part."
        )


class LinearOperatorCirculant(_Circulant):
    """Circulant matrices [batch..., n, n] with the eigenvalues spectrum [batch..., n].

    input_output_dtype: that of what the operator takes and gives. Raises: ValueError for too few axes and for promises
    that the operator cannot keep.
    """

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str = "LinearOperatorCirculant",
    ) -> None:
        self._build(
            spectrum,
            input_output_dtype,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            is_square,
            name,
        )


class LinearOperatorCirculant2D(_Circulant):
    """Block circulant matrices [batch..., n, n] with circulant blocks, by their eigenvalues spectrum [batch..., n₁, n₂]:
    convolution of pictures n₁ · n₂ = n.

    Raises: as LinearOperatorCirculant.
    """

    _DEPTH = 2

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str = "LinearOperatorCirculant2D",
    ) -> None:
        self._build(
            spectrum,
            input_output_dtype,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            is_square,
            name,
        )


class LinearOperatorCirculant3D(_Circulant):
    """As LinearOperatorCirculant2D, one nesting deeper: spectrum [batch..., n₁, n₂, n₃]."""

    _DEPTH = 3

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str = "LinearOperatorCirculant3D",
    ) -> None:
        self._build(
            spectrum,
            input_output_dtype,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            is_square,
            name,
        )


class LinearOperatorToeplitz(LinearOperator):
    """Matrices [batch..., n, n] with equal entries along each diagonal, by their first columns and rows [batch..., n].

    Only square ones. Raises: ValueError for scalars, for columns and rows of unequal length, and for is_square=False.
    """

    @atomic
    def __init__(
        self,
        col: Any,
        row: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorToeplitz",
    ) -> None:
        with name_scope(name, values=[row, col]):
            self._row = convert_to_tensor(row, name="row")
            self._col = convert_to_tensor(col, name="col")
            for part, label in ((self._row, "row"), (self._col, "col")):
                if part.shape.rank is not None and part.shape.rank < 1:
                    raise ValueError(
                        error_text(f"Argument {label} must have at least 1 dimension.  Found: {part}")
                    )
            if self._row.shape.rank is not None and self._col.shape.rank is not None:
                rows, columns = self._col.shape[-1].value, self._row.shape[-1].value
                if rows is not None and columns is not None and rows != columns:
                    raise ValueError(
                        error_text("Expected square matrix, got row and col with mismatched dimensions.")
                    )
            is_square = implied_hint(is_square, "Only square Toeplitz operators currently supported.")
            super().__init__(
                self._row.dtype,
                [self._row, self._col],
                is_non_singular,
                is_self_adjoint,
                is_positive_definite,
                is_square,
                name,
            )
            self._circulant = self._embedded()

    def _embedded(self) -> LinearOperatorCirculant:
        """The circulant [batch..., 2n, 2n] whose first n rows begin with the Toeplitz matrix."""
        backwards = array.reverse(self._row[..., 1:], axis=[-1])
        gap = array.zeros_like(self._col[..., 0:1])
        first_column = array.concat([self._col, gap, backwards], axis=-1)
        complex_dtype = (
            dtypes.complex128 if self.dtype in (dtypes.float64, dtypes.complex128) else dtypes.complex64
        )
        spectrum = spectral.fft(math.cast(first_column, complex_dtype))
        return LinearOperatorCirculant(spectrum, input_output_dtype=self.dtype)

    @property
    def col(self) -> Tensor:
        """The first columns [batch..., n]."""
        return self._col

    @property
    def row(self) -> Tensor:
        """The first rows [batch..., n]."""
        return self._row

    def _shape(self) -> TensorShape:
        row, col = self._row.shape, self._col.shape
        shape = array.broadcast_static_shape(row, col)
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Tensor:
        shape = array.broadcast_dynamic_shape(array.shape(self._row), array.shape(self._col))
        return array.concat((shape, [shape[-1]]), 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = linalg.adjoint(x) if adjoint_arg else x
        padded = array.concat([x, array.zeros_like(x)], axis=-2)
        product = self._circulant.matmul(padded, adjoint=adjoint)
        side = self.domain_dimension.value
        side = self.domain_dimension_tensor() if side is None else side
        return product[..., :side, :]  # type: ignore[no-any-return]

    def _trace(self) -> Tensor:
        return math.cast(self.domain_dimension_tensor(), self.dtype) * self._col[..., 0]

    def _diag_part(self) -> Tensor:
        first = self._col[..., 0:1]
        return first * array.ones(
            [
                self.domain_dimension_tensor()
                if self.domain_dimension.value is None
                else self.domain_dimension.value
            ],
            dtype=self.dtype,
        )

    def _assert_self_adjoint(self) -> Operation:
        return asserts.assert_equal(
            self._row,
            self._col,
            message="row and col are not the same, and so this operator is not self-adjoint.",
        )
