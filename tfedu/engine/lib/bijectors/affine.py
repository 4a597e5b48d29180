"""Bijectors y = A · x + b of vectors: `Affine`, whose matrix is given by its parts, and `AffineLinearOperator`. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import control_dependencies
from ..linear_operators.linear_operator import LinearOperator
from ..linear_operators.low_rank_update import LinearOperatorLowRankUpdate
from ..math import math
from .bijector import Bijector
from .scale_operators import diagonal_scale, tril_scale


class AffineLinearOperator(Bijector):
    """y = scale · x + shift for vectors x [..., n], a linear operator [batch..., n, n] and a shift [..., n].

    None: the identity, and 0. Raises: TypeError for a scale that is no operator, and for different dtypes; under
    validate_args, ValueError for an operator that is not known to be non-singular, and, in the run, InvalidArgumentError for
    a singular one.
    """

    @atomic
    def __init__(
        self,
        shift: Any = None,
        scale: LinearOperator | None = None,
        validate_args: bool = False,
        name: str = "affine_linear_operator",
    ) -> None:
        self._name, self._graph_parents = name, []
        parents: list[Any] = []
        dtype: Any = dtypes.float32
        with self._name_scope("init", [shift]):
            if shift is not None:
                shift = convert_to_tensor(shift, name="shift")
                parents.append(shift)
                dtype = shift.dtype.base_dtype
            if scale is not None:
                if not isinstance(scale, LinearOperator):
                    raise TypeError(error_text("scale is not an instance of tf.LinearOperator"))
                if shift is not None and shift.dtype.base_dtype != scale.dtype.base_dtype:
                    raise TypeError(_different_dtypes(shift, scale))
                if validate_args and not scale.is_non_singular:
                    raise ValueError(error_text("Scale matrix must be non-singular."))
                parents.extend(scale.graph_parents)
                dtype = scale.dtype
                if scale.tensor_rank is None:
                    scale.tensor_rank_tensor()
            self._shift, self._scale = shift, scale
            super().__init__(
                forward_min_event_ndims=1,
                graph_parents=parents,
                is_constant_jacobian=True,
                dtype=dtype,
                validate_args=validate_args,
                name=name,
            )

    @property
    def shift(self) -> Tensor | None:
        """What is added [..., n]; None: nothing."""
        return self._shift

    @property
    def scale(self) -> Any:
        """The operator [batch..., n, n]; None: the identity."""
        return self._scale

    def _checks(self) -> list[Any]:
        return [self.scale.assert_non_singular()] if self.validate_args else []

    def _forward(self, x: Tensor) -> Tensor:
        y = x
        if self.scale is not None:
            with control_dependencies(self._checks()):
                y = applied(self.scale, self.scale.matmul, y)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Tensor) -> Tensor:
        x = y if self.shift is None else y - self.shift
        if self.scale is None:
            return x
        with control_dependencies(self._checks()):
            return applied(self.scale, self.scale.solve, x)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if self.scale is None:
            return constant(0.0, dtype=x.dtype.base_dtype)
        with control_dependencies(self._checks()):
            return self.scale.log_abs_determinant()  # type: ignore[no-any-return]


class Affine(AffineLinearOperator):
    """y = A · x + shift for vectors x [..., n] and
    A = scale_identity_multiplier · I + diag(scale_diag) + scale_tril + scale_perturb_factor · diag(scale_perturb_diag) ·
    scale_perturb_factorᵀ: the sum of what is given, and the identity where nothing is.

    shift: [..., n]. scale_identity_multiplier: [...], multiplied with x as it is where it is the only part. scale_diag:
    [..., n]. scale_tril: [..., n, n], its lower triangle counts. scale_perturb_factor: [..., n, r]. scale_perturb_diag:
    [..., r], by default ones.

    Raises: TypeError for parts of different dtypes, ValueError for scale_perturb_diag alone and for parts of the wrong rank;
    in the run, under validate_args, InvalidArgumentError for a 0 on the diagonal.
    """

    @atomic
    def __init__(
        self,
        shift: Any = None,
        scale_identity_multiplier: Any = None,
        scale_diag: Any = None,
        scale_tril: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        name: str = "affine",
    ) -> None:
        self._name, self._graph_parents = name, []
        given = [scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_diag, scale_perturb_factor]
        with self._name_scope("init", [shift, *given]):
            if scale_perturb_diag is not None and scale_perturb_factor is None:
                raise ValueError(
                    error_text("When scale_perturb_diag is specified, scale_perturb_factor must be specified.")
                )
            shift = None if shift is None else convert_to_tensor(shift, name="shift")
            # A multiple of the identity needs no number of rows
            self._is_number = scale_diag is None and scale_tril is None and scale_perturb_factor is None
            scale: Any
            if self._is_number:
                scale = _multiplier(scale_identity_multiplier, shift, validate_args)
                parents = [scale]
            else:
                scale = _operator(
                    scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_diag, scale_perturb_factor, shift,
                    validate_args,
                )  # fmt: skip
                parents = [*scale.graph_parents, *([] if shift is None else [shift])]
            if shift is not None and shift.dtype.base_dtype != scale.dtype.base_dtype:
                raise TypeError(_different_dtypes(shift, scale))
            self._shift, self._scale = shift, scale
            Bijector.__init__(
                self,
                forward_min_event_ndims=1,
                graph_parents=parents,
                is_constant_jacobian=True,
                dtype=scale.dtype.base_dtype,
                validate_args=validate_args,
                name=name,
            )

    def _checks(self) -> list[Any]:
        return []

    @property
    def scale(self) -> Any:
        """A as an operator [batch..., n, n]; the number [...] itself where A is a multiple of the identity."""
        return self._scale

    def _forward(self, x: Tensor) -> Tensor:
        if not self._is_number:
            return super()._forward(x)
        y = x * self._scale
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Tensor) -> Tensor:
        if not self._is_number:
            return super()._inverse(y)
        x = y if self.shift is None else y - self.shift
        return x / self._scale  # type: ignore[no-any-return]

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if not self._is_number:
            return super()._forward_log_det_jacobian(x)
        size = math.cast(array.shape(x)[-1], x.dtype.base_dtype)
        return math.log(math.abs(self._scale)) * size


def _multiplier(number: Any, shift: Tensor | None, is_checked: bool) -> Tensor:
    if number is None:
        return convert_to_tensor(1.0, dtype=dtypes.float32 if shift is None else shift.dtype.base_dtype)
    number = convert_to_tensor(number, name="identity_multiplier")
    if not is_checked:
        return number
    check = asserts.assert_none_equal(
        number, array.zeros([], number.dtype), message="identity_multiplier should be non-zero."
    )
    return with_dependencies([check], number)


def _operator(
    number: Any, diagonal: Any, tril: Any, update_diagonal: Any, update_factor: Any, shift: Tensor | None, is_checked: bool
) -> LinearOperator:  # fmt: skip
    number, diagonal, tril, update_diagonal, update_factor = (
        None if part is None else convert_to_tensor(part, name=label)
        for part, label in (
            (number, "identity_multiplier"), (diagonal, "diag"), (tril, "tril"), (update_diagonal, "perturb_diag"),
            (update_factor, "perturb_factor"),
        )
    )  # fmt: skip
    base: LinearOperator
    if tril is not None:
        base = tril_scale(tril, diagonal, number, is_checked)
    else:
        rows = None
        if update_factor is not None and update_factor.shape.rank is not None:
            rows = update_factor.shape[-2].value
        base = diagonal_scale(
            diagonal, number, like=shift if update_factor is None else update_factor, num_rows=rows, is_checked=is_checked
        )
    if update_factor is None:
        return base
    return LinearOperatorLowRankUpdate(
        base, u=update_factor, diag_update=update_diagonal, is_diag_update_positive=update_diagonal is None,
        is_non_singular=True, is_self_adjoint=True, is_positive_definite=None, is_square=True,
    )  # fmt: skip


def _different_dtypes(shift: Tensor, scale: Any) -> str:
    return error_text(
        f"shift.dtype({shift.dtype.base_dtype}) is incompatible with scale.dtype({scale.dtype.base_dtype})."
    )


def applied(operator: LinearOperator, method: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """A method of an operator [batch..., n, n], `matmul` or `solve`, on vectors x [..., batch..., n]: [..., batch..., n].

    The samples become the columns of one matrix for each member of the batch: it is multiplied, or factorized, once.
    """
    rank = operator.batch_shape.rank
    if rank is None or x.shape.rank is None or x.shape.rank <= rank + 1:
        return array.squeeze(method(array.expand_dims(x, -1)), axis=-1)
    samples = x.shape.rank - rank - 1
    axes = list(range(x.shape.rank))
    columns = array.transpose(x, axes[samples:] + axes[:samples])
    shape = array.shape(columns)
    flat = array.reshape(columns, array.concat([shape[: rank + 1], [-1]], axis=0))
    result = method(flat)
    outer = array.concat([array.shape(result)[:-1], shape[rank + 1 :]], axis=0)
    back = axes[rank + 1 :] + axes[: rank + 1]
    result = array.transpose(array.reshape(result, outer), back)
    static = array.broadcast_static_shape(x.shape[samples:-1], operator.batch_shape)
    result.set_shape(x.shape[:samples].concatenate(static).concatenate(operator.shape[-2:-1]))
    return result
