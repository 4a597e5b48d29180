"""Linear operators out of the parts of a scale: `diagonal_scale`, `tril_scale`. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.nodes import Tensor
from ..arrays import array
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import named
from ..linalg import linalg
from ..linear_operators import operator_rules  # noqa: F401  it registers what the inverse of an operator is
from ..linear_operators.diagonal_operator import LinearOperatorDiag
from ..linear_operators.identity_operators import LinearOperatorIdentity, LinearOperatorScaledIdentity
from ..linear_operators.linear_operator import LinearOperator
from ..linear_operators.triangular_operator import LinearOperatorLowerTriangular


def diagonal_scale(
    diagonal: Any, multiplier: Any, like: Any = None, num_rows: int | None = None, is_checked: bool = False,
    is_positive: bool = False, name: str = "make_diag_scale",
) -> LinearOperator:  # fmt: skip
    """diag(diagonal [..., n]) + multiplier [...] · I [n, n], as an operator; at least the identity.

    like: a tensor [..., n] that tells n where no diagonal is given. num_rows: n. is_checked: whether runs check that the
    diagonal is not 0; is_positive: whether it must be, and is promised to be, positive.
    Raises: ValueError where nothing tells n.
    """

    def checked(part: Tensor) -> Tensor:
        if not is_checked:
            return part
        if is_positive:
            check = asserts.assert_positive(part, message="diagonal part must be positive")
        else:
            zeros = array.zeros([], part.dtype)
            check = asserts.assert_none_equal(part, zeros, message="diagonal part must be non-zero")
        return with_dependencies([check], part)

    with named(None, name, [like, diagonal, multiplier]):
        diagonal = None if diagonal is None else convert_to_tensor(diagonal, name="scale_diag")
        multiplier = None if multiplier is None else convert_to_tensor(multiplier, name="scale_identity_multiplier")
        if diagonal is not None:
            if multiplier is not None:
                diagonal = diagonal + multiplier[..., None]
            return LinearOperatorDiag(
                checked(diagonal), is_non_singular=True, is_self_adjoint=True, is_positive_definite=is_positive
            )
        if like is None and num_rows is None:
            raise ValueError(error_text("Cannot infer `event_shape` unless `loc` or `shape_hint` is specified."))
        rows: Any = num_rows
        if rows is None:
            like = convert_to_tensor(like, name="loc")
            rows = like.shape[-1].value
            if rows is None:
                rows = array.shape(like)[-1]
        if multiplier is None:
            return LinearOperatorIdentity(
                num_rows=rows, dtype=None if like is None else like.dtype.base_dtype, is_self_adjoint=True,
                is_positive_definite=True, assert_proper_shapes=is_checked,
            )  # fmt: skip
        return LinearOperatorScaledIdentity(
            num_rows=rows, multiplier=checked(multiplier), is_non_singular=True, is_self_adjoint=True,
            is_positive_definite=is_positive, assert_proper_shapes=is_checked,
        )  # fmt: skip


def tril_scale(
    tril: Tensor, diagonal: Tensor | None = None, multiplier: Tensor | None = None, is_checked: bool = False
) -> LinearOperator:
    """The lower triangle of tril [..., n, n] + diag(diagonal [..., n]) + multiplier [...] · I, as an operator."""
    lower = linalg.matrix_band_part(tril, -1, 0)
    total = linalg.matrix_diag_part(lower)
    if diagonal is not None:
        total += diagonal
    if multiplier is not None:
        total += multiplier[..., None]
    lower = linalg.matrix_set_diag(lower, total)
    if is_checked:
        part = linalg.matrix_diag_part(lower)
        zeros = array.zeros([], part.dtype)
        check = asserts.assert_none_equal(part, zeros, message="diagonal part must be non-zero")
        lower = with_dependencies([check], lower)
    return LinearOperatorLowerTriangular(
        lower, is_non_singular=True, is_self_adjoint=False, is_positive_definite=False
    )
