"""What adjoints, inverses, Cholesky factors, products and quotients of the operators are: the rules of `operator_algebra`.

Importing this module registers them. State: none of its own.
"""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ..linalg import linalg
from ..math import math
from .circulant_operators import LinearOperatorCirculant
from .compositions import LinearOperatorBlockDiag, LinearOperatorComposition, LinearOperatorKronecker
from .derived_operators import LinearOperatorAdjoint, LinearOperatorInversion
from .diagonal_operator import LinearOperatorDiag
from .identity_operators import LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorZeros
from .linear_operator import LinearOperator
from .operator_algebra import adjoint, cholesky, inverse, matmul, solve
from .reflections import LinearOperatorHouseholder
from .triangular_operator import LinearOperatorLowerTriangular

Operator = Any


def _hints(operator: Operator, **changed: Any) -> dict[str, Any]:
    """The operator's hints, some of them changed."""
    names = ("is_non_singular", "is_self_adjoint", "is_positive_definite")
    return {**{name: getattr(operator, name) for name in names}, "is_square": True, **changed}


# -- adjoints ----------------------------------------------------------------------------------------------------------


@adjoint.register(LinearOperator)
def _adjoint(a: Operator) -> Operator:
    return LinearOperatorAdjoint(a, **_hints(a, is_square=a.is_square))


@adjoint.register(LinearOperatorAdjoint)
def _adjoint_of_adjoint(a: Operator) -> Operator:
    return a.operator


@adjoint.register(LinearOperatorIdentity)
def _adjoint_of_identity(a: Operator) -> Operator:
    return a


@adjoint.register(LinearOperatorScaledIdentity)
def _adjoint_of_scaled_identity(a: Operator) -> Operator:
    factor = math.conj(a.multiplier) if a.multiplier.dtype.is_complex else a.multiplier
    return LinearOperatorScaledIdentity(a._num_rows.tensor, factor, **_hints(a))


@adjoint.register(LinearOperatorDiag)
def _adjoint_of_diag(a: Operator) -> Operator:
    return LinearOperatorDiag(math.conj(a.diag) if a.diag.dtype.is_complex else a.diag, **_hints(a))


@adjoint.register(LinearOperatorBlockDiag)
def _adjoint_of_blocks(a: Operator) -> Operator:
    return LinearOperatorBlockDiag([part.adjoint() for part in a.operators], **_hints(a))


@adjoint.register(LinearOperatorKronecker)
def _adjoint_of_kronecker(a: Operator) -> Operator:
    return LinearOperatorKronecker([part.adjoint() for part in a.operators], **_hints(a))


@adjoint.register(LinearOperatorCirculant)
def _adjoint_of_circulant(a: Operator) -> Operator:
    spectrum = math.conj(a.spectrum) if a.spectrum.dtype.is_complex else a.spectrum
    return LinearOperatorCirculant(spectrum, input_output_dtype=a.dtype, **_hints(a))


@adjoint.register(LinearOperatorHouseholder)
def _adjoint_of_householder(a: Operator) -> Operator:
    return a


# -- Cholesky factors --------------------------------------------------------------------------------------------------

_OF_FACTOR: dict[str, Any] = {
    "is_non_singular": True,
    "is_self_adjoint": True,
    "is_positive_definite": True,
    "is_square": True,
}


@cholesky.register(LinearOperator)
def _cholesky(a: Operator) -> Operator:
    factor = linalg.cholesky(a.to_dense())
    return LinearOperatorLowerTriangular(factor, is_non_singular=True, is_self_adjoint=False, is_square=True)


@cholesky.register(LinearOperatorDiag)
def _cholesky_of_diag(a: Operator) -> Operator:
    return LinearOperatorDiag(math.sqrt(a.diag), **_OF_FACTOR)


@cholesky.register(LinearOperatorIdentity)
def _cholesky_of_identity(a: Operator) -> Operator:
    batch = a.batch_shape
    return LinearOperatorIdentity(
        a._num_rows.tensor, batch_shape=batch.as_list() if batch.is_fully_defined() else a.batch_shape_tensor(),
        dtype=a.dtype, **_OF_FACTOR,
    )  # fmt: skip


@cholesky.register(LinearOperatorScaledIdentity)
def _cholesky_of_scaled_identity(a: Operator) -> Operator:
    return LinearOperatorScaledIdentity(a._num_rows.tensor, math.sqrt(a.multiplier), **_OF_FACTOR)


@cholesky.register(LinearOperatorBlockDiag)
def _cholesky_of_blocks(a: Operator) -> Operator:
    return LinearOperatorBlockDiag(
        [part.cholesky() for part in a.operators], is_non_singular=True, is_self_adjoint=None, is_square=True
    )


@cholesky.register(LinearOperatorKronecker)
def _cholesky_of_kronecker(a: Operator) -> Operator:
    return LinearOperatorKronecker(
        [part.cholesky() for part in a.operators], is_non_singular=True, is_self_adjoint=None, is_square=True
    )


# -- inverses ----------------------------------------------------------------------------------------------------------


@inverse.register(LinearOperator)
def _inverse(a: Operator) -> Operator:
    return LinearOperatorInversion(a, **_hints(a))


@inverse.register(LinearOperatorInversion)
def _inverse_of_inversion(a: Operator) -> Operator:
    return a.operator


@inverse.register(LinearOperatorDiag)
def _inverse_of_diag(a: Operator) -> Operator:
    return LinearOperatorDiag(1.0 / a.diag, **_hints(a))


@inverse.register(LinearOperatorIdentity)
def _inverse_of_identity(a: Operator) -> Operator:
    return a


@inverse.register(LinearOperatorScaledIdentity)
def _inverse_of_scaled_identity(a: Operator) -> Operator:
    return LinearOperatorScaledIdentity(a._num_rows.tensor, 1.0 / a.multiplier, **_hints(a))


@inverse.register(LinearOperatorBlockDiag)
def _inverse_of_blocks(a: Operator) -> Operator:
    return LinearOperatorBlockDiag([part.inverse() for part in a.operators], **_hints(a))


@inverse.register(LinearOperatorKronecker)
def _inverse_of_kronecker(a: Operator) -> Operator:
    return LinearOperatorKronecker([part.inverse() for part in a.operators], **_hints(a))


@inverse.register(LinearOperatorCirculant)
def _inverse_of_circulant(a: Operator) -> Operator:
    return LinearOperatorCirculant(1.0 / a.spectrum, **_hints(a))  # as in TF: of complex64


@inverse.register(LinearOperatorHouseholder)
def _inverse_of_householder(a: Operator) -> Operator:
    return a


# -- products and quotients ----------------------------------------------------------------------------------------


def _both(a: Operator, b: Operator, hint: str) -> bool | None:
    """Whether both have the hint; None where one does not say so."""
    values = getattr(a, hint), getattr(b, hint)
    return True if values == (True, True) else None


def _joint(a: Operator, b: Operator) -> dict[str, Any]:
    """The hints of a product of operators that commute."""
    singular = False in (a.is_non_singular, b.is_non_singular)
    non_singular = False if singular else _both(a, b, "is_non_singular")
    symmetric = a.is_self_adjoint, b.is_self_adjoint
    self_adjoint = False if symmetric in ((True, False), (False, True)) else _both(a, b, "is_self_adjoint")
    square = None if None in (a.is_square, b.is_square) else a.is_square and b.is_square
    definite = _both(a, b, "is_positive_definite") if self_adjoint else None
    return {
        "is_non_singular": non_singular, "is_self_adjoint": self_adjoint,
        "is_positive_definite": definite, "is_square": square,
    }  # fmt: skip


@matmul.register(LinearOperator, LinearOperator)
def _product(a: Operator, b: Operator) -> Operator:
    square = _both(a, b, "is_square")
    if (
        a.is_square is False
        and b.is_square is False
        and None not in (a.range_dimension.value, b.domain_dimension.value)
    ):
        square = a.range_dimension.value == b.domain_dimension.value
    return LinearOperatorComposition(
        [a, b], is_non_singular=_joint(a, b)["is_non_singular"], is_square=square
    )


@matmul.register(LinearOperatorIdentity, LinearOperator)
def _product_with_identity_left(identity: Operator, other: Operator) -> Operator:
    return other


@matmul.register(LinearOperator, LinearOperatorIdentity)
def _product_with_identity_right(other: Operator, identity: Operator) -> Operator:
    return other


@matmul.register(LinearOperator, LinearOperatorZeros)
def _product_with_zeros_right(other: Operator, zeros: Operator) -> Operator:
    if not zeros.is_square or not other.is_square:
        raise ValueError(
            error_text(
                "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not supported at this time."
            )
        )
    return zeros


@matmul.register(LinearOperatorZeros, LinearOperator)
def _product_with_zeros_left(zeros: Operator, other: Operator) -> Operator:
    return _product_with_zeros_right(other, zeros)


def _diag(entries: Any, a: Operator, b: Operator) -> Operator:
    return LinearOperatorDiag(entries, **_joint(a, b))


def _tril(entries: Any, a: Operator, b: Operator) -> Operator:
    return LinearOperatorLowerTriangular(
        entries, is_non_singular=_joint(a, b)["is_non_singular"], is_square=True
    )


@matmul.register(LinearOperatorDiag, LinearOperatorDiag)
def _product_of_diags(a: Operator, b: Operator) -> Operator:
    return _diag(a.diag * b.diag, a, b)


@matmul.register(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _product_of_diag_and_scaled(a: Operator, b: Operator) -> Operator:
    return _diag(a.diag * b.multiplier[..., None], a, b)


@matmul.register(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _product_of_scaled_and_diag(a: Operator, b: Operator) -> Operator:
    return _diag(b.diag * a.multiplier[..., None], a, b)


@matmul.register(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _product_of_diag_and_tril(a: Operator, b: Operator) -> Operator:
    return _tril(a.diag[..., None] * b.to_dense(), a, b)


@matmul.register(LinearOperatorLowerTriangular, LinearOperatorDiag)
def _product_of_tril_and_diag(a: Operator, b: Operator) -> Operator:
    return _tril(a.to_dense() * b.diag[..., None, :], a, b)


@matmul.register(LinearOperatorCirculant, LinearOperatorCirculant)
def _product_of_circulants(a: Operator, b: Operator) -> Operator:
    return LinearOperatorCirculant(a.spectrum * b.spectrum, **_joint(a, b))


@solve.register(LinearOperator, LinearOperator)
def _quotient(a: Operator, b: Operator) -> Operator:
    if a.is_square and b.is_square:
        square: bool | None = True
    elif a.is_square is False and b.is_square is False:
        square = None
    else:
        square = _both(a, b, "is_square")
    return LinearOperatorComposition(
        [LinearOperatorInversion(a), b], is_non_singular=_joint(a, b)["is_non_singular"], is_square=square
    )


@solve.register(LinearOperatorInversion, LinearOperator)
def _quotient_by_inversion(a: Operator, b: Operator) -> Operator:
    return a.operator.matmul(b)


@solve.register(LinearOperatorIdentity, LinearOperator)
def _quotient_by_identity(a: Operator, b: Operator) -> Operator:
    return b


@solve.register(LinearOperatorDiag, LinearOperatorDiag)
def _quotient_of_diags(a: Operator, b: Operator) -> Operator:
    return _diag(b.diag / a.diag, a, b)


@solve.register(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _quotient_of_scaled_by_diag(a: Operator, b: Operator) -> Operator:
    return _diag(b.multiplier[..., None] / a.diag, a, b)


@solve.register(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _quotient_of_diag_by_scaled(a: Operator, b: Operator) -> Operator:
    return _diag(b.diag / a.multiplier[..., None], a, b)


@solve.register(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _quotient_of_tril_by_diag(a: Operator, b: Operator) -> Operator:
    return _tril(b.to_dense() / a.diag[..., None], a, b)


@solve.register(LinearOperatorCirculant, LinearOperatorCirculant)
def _quotient_of_circulants(a: Operator, b: Operator) -> Operator:
    return LinearOperatorCirculant(b.spectrum / a.spectrum, **_joint(a, b))
