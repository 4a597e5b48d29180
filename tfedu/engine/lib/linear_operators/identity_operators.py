"""`LinearOperatorIdentity`, `LinearOperatorScaledIdentity`, `LinearOperatorZeros`: known without any matrix. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import InvalidArgumentError, error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..checks import asserts, type_asserts
from ..control.grouping import no_op, with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..framework.static_value import get_static_value
from ..linalg import linalg
from ..math import math
from .linear_operator import LinearOperator
from .operator_parts import assert_compatible, implied_hint


class Size:
    """A number of rows or columns, or the shape of a batch: its tensor and, where it is known, its value.

    Raises: TypeError for one that is not of integers; ValueError for one that is known to have another rank or to be
    negative. checked: whether the run checks what is not known before.
    """

    def __init__(
        self, given: Any, label: str, rank: int, described: str, tensor_name: str, checked: bool
    ) -> None:
        tensor = convert_to_tensor(given, name=tensor_name) if rank == 0 else convert_to_tensor(
            given, dtype=dtypes.int32, name=tensor_name
        )  # fmt: skip
        self.known = get_static_value(tensor)
        if checked:
            checks = [
                type_asserts.assert_rank(tensor, rank, message=f"Argument {label} must be a {described}."),
                asserts.assert_non_negative(tensor, message=f"Argument {label} must be non-negative."),
            ]
            tensor = with_dependencies(checks, tensor)
        if not tensor.dtype.is_integer:
            raise TypeError(error_text(f"Argument {label} must be integer type.  Found: {tensor}"))
        if self.known is not None:
            if self.known.ndim != rank:
                raise ValueError(error_text(f"Argument {label} must be a {described}.  Found: {self.known}"))
            if (self.known < 0).any():
                gap = "" if rank else " "
                raise ValueError(
                    error_text(f"Argument {label} must be non-negative.  Found:{gap}{self.known}")
                )
        self.tensor = tensor

    @property
    def static(self) -> Any:
        """The number as an int, None where it is not known."""
        return None if self.known is None else int(self.known)


def _rows(given: Any, checked: bool, label: str = "num_rows") -> Size:
    return Size(given, label, 0, "0-D Tensor", label, checked)


def _batch(given: Any, checked: bool) -> Size | None:
    return None if given is None else Size(given, "batch_shape", 1, "1-D Tensor", "batch_shape_arg", checked)


def _static_batch(batch: Size | None) -> TensorShape:
    if batch is None:
        return TensorShape([])
    return TensorShape(None if batch.known is None else [int(n) for n in batch.known])


class LinearOperatorIdentity(LinearOperator):
    """The identity matrices [batch..., num_rows, num_rows].

    batch_shape: by default none. assert_proper_shapes: whether runs check that arguments fit. dtype: float32.

    Raises: ValueError for promises that the identity cannot keep, for sizes of the wrong rank and for negative ones;
    TypeError for sizes that are not integers.
    """

    @atomic
    def __init__(
        self,
        num_rows: Any,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = True,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = True,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            for hint, text in (
                (is_self_adjoint, "self adjoint"), (is_square, "square"),
                (is_non_singular, "non-singular"), (is_positive_definite, "positive-definite"),
            ):  # fmt: skip
                if not hint:
                    raise ValueError(error_text(f"An identity operator is always {text}."))
            super().__init__(
                dtypes.float32 if dtype is None else dtype,
                None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name,
            )  # fmt: skip
            self._num_rows = _rows(num_rows, assert_proper_shapes)
            self._batch = _batch(batch_shape, assert_proper_shapes)

    def _shape(self) -> TensorShape:
        side = self._num_rows.static
        return _static_batch(self._batch).concatenate(TensorShape([side, side]))

    def _shape_tensor(self) -> Tensor:
        matrix = array.stack((self._num_rows.tensor, self._num_rows.tensor), axis=0)
        return matrix if self._batch is None else array.concat((self._batch.tensor, matrix), 0)

    def _diagonal(self) -> Tensor:
        if self.shape.is_fully_defined():
            return array.ones(shape=self.batch_shape.concatenate(self.shape[-1:]), dtype=self.dtype)
        return array.ones(shape=self.shape_tensor()[:-1], dtype=self.dtype)

    def _over_batch(self, x: Tensor) -> Tensor:
        """x [..., n, k], broadcast to the batch of the operator."""
        if self._batch is None:
            return x
        batch = self.batch_shape
        if batch.is_fully_defined() and x.shape.is_fully_defined():
            shape = x.shape[:-2]
            if array.broadcast_static_shape(shape, batch) == shape:
                return x
        if batch.is_fully_defined():
            return x + array.zeros(shape=batch.concatenate(TensorShape([1, 1])), dtype=self.dtype)
        return x + array.zeros(shape=array.concat((self.batch_shape_tensor(), [1, 1]), 0), dtype=self.dtype)

    def _fitted(self, x: Tensor) -> Tensor:
        return with_dependencies([assert_compatible(self, x)], x) if self._assert_proper_shapes else x

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = linalg.adjoint(x) if adjoint_arg else x
        return self._over_batch(self._fitted(x))

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Tensor:
        return array.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        return array.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _trace(self) -> Tensor:
        if self.batch_shape.is_fully_defined():
            ones = array.ones(shape=self.batch_shape, dtype=self.dtype)
        else:
            ones = array.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)
        side = self._num_rows.static
        if side is None:
            return math.cast(self.domain_dimension_tensor(), self.dtype) * ones
        return side * ones

    def _diag_part(self) -> Tensor:
        return self._diagonal()

    def _add_to_tensor(self, x: Tensor) -> Tensor:
        diagonal = linalg.matrix_diag_part(x)
        return linalg.matrix_set_diag(x, 1 + diagonal)

    @atomic
    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Tensor:
        """A + mat for mat [..., n, n]. Raises: TypeError for another dtype."""
        with self._name_scope(name):
            return self._add_to_tensor(self._checked(mat, "mat"))

    def _assert_non_singular(self) -> Operation:
        return no_op("assert_non_singular")

    def _assert_positive_definite(self) -> Operation:
        return no_op("assert_positive_definite")

    def _assert_self_adjoint(self) -> Operation:
        return no_op("assert_self_adjoint")


class LinearOperatorScaledIdentity(LinearOperator):
    """The identity matrices times multiplier [batch...]: [batch..., num_rows, num_rows].

    Raises: as LinearOperatorIdentity.
    """

    @atomic
    def __init__(
        self,
        num_rows: Any,
        multiplier: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ) -> None:
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name, values=[multiplier, num_rows]):
            self._multiplier = convert_to_tensor(multiplier, name="multiplier")
            if not self._multiplier.dtype.is_complex:
                is_self_adjoint = implied_hint(
                    is_self_adjoint, "A real diagonal operator is always self adjoint."
                )
            if not is_square:
                raise ValueError(error_text("A ScaledIdentity operator is always square."))
            super().__init__(
                self._multiplier.dtype.base_dtype,
                None,
                is_non_singular,
                is_self_adjoint,
                is_positive_definite,
                is_square,
                name,
            )
            self._num_rows = _rows(num_rows, assert_proper_shapes)
            self._rows_of_dtype = math.cast(self._num_rows.tensor, self.dtype)
            self._real_rows = math.cast(self._num_rows.tensor, self.dtype.real_dtype)

    @property
    def multiplier(self) -> Tensor:
        """The factors [batch...]."""
        return self._multiplier

    def _shape(self) -> TensorShape:
        side = self._num_rows.static
        return self._multiplier.shape.concatenate(TensorShape([side, side]))

    def _shape_tensor(self) -> Tensor:
        matrix = array.stack((self._num_rows.tensor, self._num_rows.tensor), axis=0)
        return array.concat((array.shape(self._multiplier), matrix), 0)

    def _factor(self, conjugate: bool = False) -> Tensor:
        """The multipliers as matrices [batch..., 1, 1]."""
        factor = array.expand_dims(array.expand_dims(self._multiplier, -1), -1)
        return math.conj(factor) if conjugate else factor

    def _fitted(self, x: Tensor, adjoint_arg: bool) -> Tensor:
        x = linalg.adjoint(x) if adjoint_arg else x
        return with_dependencies([assert_compatible(self, x)], x) if self._assert_proper_shapes else x

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._fitted(x, adjoint_arg) * self._factor(adjoint)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._fitted(rhs, adjoint_arg) / self._factor(adjoint)

    def _determinant(self) -> Tensor:
        return self._multiplier**self._rows_of_dtype

    def _log_abs_determinant(self) -> Tensor:
        return self._real_rows * math.log(math.abs(self._multiplier))

    def _trace(self) -> Tensor:
        if self.batch_shape.is_fully_defined():
            ones = array.ones(shape=self.batch_shape, dtype=self.dtype)
        else:
            ones = array.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)
        side = self._num_rows.static
        if side is None:
            side = math.cast(self.domain_dimension_tensor(), self.dtype)
        return self._multiplier * side * ones

    def _diag_part(self) -> Tensor:
        if self.shape.is_fully_defined():
            ones = array.ones(shape=self.shape[:-1], dtype=self.dtype)
        else:
            ones = array.ones(shape=self.shape_tensor()[:-1], dtype=self.dtype)
        return ones * self._multiplier[..., None]

    def _add_to_tensor(self, x: Tensor) -> Tensor:
        added = array.expand_dims(self._multiplier, -1)
        return linalg.matrix_set_diag(x, linalg.matrix_diag_part(x) + added)

    @atomic
    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Tensor:
        """A + mat for mat [..., n, n]. Raises: TypeError for another dtype."""
        with self._name_scope(name):
            return self._add_to_tensor(self._checked(mat, "mat"))

    def _assert_non_singular(self) -> Operation:
        return asserts.assert_positive(math.abs(self._multiplier), message="LinearOperator was singular")

    def _assert_positive_definite(self) -> Operation:
        return asserts.assert_positive(
            math.real(self._multiplier), message="LinearOperator was not positive definite."
        )

    def _assert_self_adjoint(self) -> Operation:
        imaginary = math.imag(self._multiplier)
        return asserts.assert_equal(
            array.zeros_like(imaginary), imaginary, message="LinearOperator was not self-adjoint"
        )


class LinearOperatorZeros(LinearOperator):
    """Matrices of zeros [batch..., num_rows, num_columns]. num_columns: by default as many as rows.

    Raises: ValueError for promises that zeros cannot keep, for sizes of the wrong rank and for negative ones; TypeError
    for sizes that are not integers.
    """

    @atomic
    def __init__(
        self,
        num_rows: Any,
        num_columns: Any = None,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = False,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = False,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            if not is_self_adjoint and is_square:
                raise ValueError(error_text("A zero operator is always self adjoint."))
            if is_non_singular:
                raise ValueError(error_text("A zero operator is always singular."))
            if is_positive_definite:
                raise ValueError(error_text("A zero operator is always not positive-definite."))
            super().__init__(
                dtypes.float32 if dtype is None else dtype,
                None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name,
            )  # fmt: skip
            self._num_rows = _rows(num_rows, assert_proper_shapes)
            columns = num_rows if num_columns is None else num_columns
            self._num_columns = _rows(columns, assert_proper_shapes, "num_columns")
            self._batch = _batch(batch_shape, assert_proper_shapes)
            known = self._num_rows.static, self._num_columns.static
            if is_square and None not in known and known[0] != known[1]:
                raise ValueError(
                    error_text(
                        "LinearOperatorZeros initialized as is_square=True, but got num_rows({}) != num_columns({})".format(
                            *known
                        )
                    )
                )

    def _shape(self) -> TensorShape:
        return _static_batch(self._batch).concatenate(
            TensorShape([self._num_rows.static, self._num_columns.static])
        )

    def _shape_tensor(self) -> Tensor:
        matrix = array.stack((self._num_rows.tensor, self._num_columns.tensor), axis=0)
        return matrix if self._batch is None else array.concat((self._batch.tensor, matrix), 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        if self._assert_proper_shapes:
            x = linalg.adjoint(x) if adjoint_arg else x
            x = with_dependencies([assert_compatible(self, x)], x)
            adjoint_arg = False
        if self.is_square:
            sizes = [array.shape(x)[:-2], [array.shape(x)[-1], array.shape(x)[-2]]] if adjoint_arg else None
            shape = array.shape(x) if sizes is None else array.concat(sizes, 0)
        else:
            of_x = array.shape(x)
            sides = [self.shape_tensor()[-1 if adjoint else -2], of_x[-2 if adjoint_arg else -1]]
            shape = array.concat([of_x[:-2], sides], 0)
        return self._over_batch(array.zeros(shape=shape, dtype=x.dtype))

    def _over_diagonal(self) -> Tensor:
        known = self.shape
        if known.is_fully_defined():
            sides = known[-2:].as_list()
            return array.zeros(
                shape=self.batch_shape.concatenate(TensorShape([min(sides)])), dtype=self.dtype
            )
        shape = self.shape_tensor()
        side = math.minimum(shape[-1], shape[-2])
        return array.zeros(shape=array.concat((shape[:-2], [side]), 0), dtype=self.dtype)

    def _of_batch(self) -> Tensor:
        if self.batch_shape.is_fully_defined():
            return array.zeros(shape=self.batch_shape, dtype=self.dtype)
        return array.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self) -> Tensor:
        return self._of_batch()

    def _trace(self) -> Tensor:
        return self._of_batch()

    def _diag_part(self) -> Tensor:
        return self._over_diagonal()

    def _over_batch(self, x: Tensor) -> Tensor:
        if self._batch is None:
            return x
        return x + array.zeros(shape=array.concat((self.batch_shape_tensor(), [1, 1]), 0), dtype=self.dtype)

    @atomic
    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Tensor:
        """mat [..., m, n]. Raises: TypeError for another dtype."""
        with self._name_scope(name):
            return self._over_batch(self._checked(mat, "mat"))

    def _assert_non_singular(self) -> Operation:
        raise InvalidArgumentError(None, None, error_text("Zero operators are always non-invertible."))

    def _assert_positive_definite(self) -> Operation:
        raise InvalidArgumentError(None, None, error_text("Zero operators are always non-positive definite."))

    def _assert_self_adjoint(self) -> Operation:
        return no_op("assert_self_adjoint")
