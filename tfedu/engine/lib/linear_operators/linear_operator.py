"""`LinearOperator`: what all linear operators have in common, and how a program writes its own.

An operator stands for matrices [batch..., m, n]. A public method opens the scope `name/method` and calls a hook: `solve`
calls `_solve`. The hooks here compute with the dense matrices; a class overrides those that it can do in a better way.
`operator_algebra` holds what the product, the inverse … of two kinds of operators are. No state but in the instances.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import TensorShape, is_full
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...ops import decompositions as decompositions_ops
from ..arrays import array, constructors
from ..checks import asserts
from ..framework.conversion import convert_to_tensor, is_tensor
from ..framework.scope_blocks import name_scope
from ..linalg import linalg
from ..math import math, reductions
from . import operator_algebra, operator_parts


class LinearOperator:
    """Matrices [batch..., m, n] as an operation: `matmul`, `solve`, `determinant` … without the matrices themselves.

    dtype: that of the entries. graph_parents: tensors that the operator is made of. is_non_singular, is_self_adjoint,
    is_positive_definite, is_square: what the caller promises; nothing checks it before `assert_*`, and methods choose
    their way by it. name: prefix of the nodes' names; by default the class.

    A derived class writes `_shape`, `_shape_tensor` and `_matmul`; every other hook has a default.

    Raises: ValueError for promises that contradict each other and for a graph parent that is no tensor.
    """

    def __init__(
        self,
        dtype: Any,
        graph_parents: Iterable[Any] | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        if is_positive_definite:
            is_non_singular = operator_parts.implied_hint(
                is_non_singular, "A positive definite matrix is always non-singular."
            )
        if is_non_singular:
            is_square = operator_parts.implied_hint(is_square, "A non-singular matrix is always square.")
        if is_self_adjoint:
            is_square = operator_parts.implied_hint(is_square, "A self-adjoint matrix is always square.")
        self._is_square_set_or_implied_by_hints = is_square
        self._graph_parents = list(graph_parents or ())
        for i, parent in enumerate(self._graph_parents):
            if not is_tensor(parent):
                raise ValueError(error_text(f"Graph parent item {i} is not a Tensor; {parent}."))
        self._dtype = dtypes.as_dtype(dtype)
        self._is_non_singular = is_non_singular
        self._is_self_adjoint = is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._name = name or type(self).__name__

    @contextmanager
    def _name_scope(self, name: str) -> Iterator[str]:
        with name_scope(f"{self.name}/{name}") as scope:
            yield scope

    # -- what it is ------------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """The dtype of the entries."""
        return self._dtype

    @property
    def name(self) -> str:
        """The prefix of the nodes' names."""
        return self._name

    @property
    def graph_parents(self) -> list[Any]:
        """The tensors that the operator is made of."""
        return self._graph_parents

    @property
    def is_non_singular(self) -> bool | None:
        """Whether each matrix has an inverse; None: not known."""
        return self._is_non_singular

    @property
    def is_self_adjoint(self) -> bool | None:
        """Whether each matrix is its own adjoint; None: not known."""
        return self._is_self_adjoint

    @property
    def is_positive_definite(self) -> bool | None:
        """Whether xᴴ A x has a positive real part for each x; None: not known."""
        return self._is_positive_definite

    @property
    def is_square(self) -> bool | None:
        """Whether the matrices have as many rows as columns; None: not known.

        Raises: ValueError where the static shape contradicts a hint.
        """
        known = None
        rows, columns = self.range_dimension, self.domain_dimension
        if rows is not None and columns is not None:
            known = rows == columns
        hint = self._is_square_set_or_implied_by_hints
        if known is None or hint is None:
            return hint if known is None else known
        if hint is not known:
            raise ValueError(
                error_text(
                    f"self.is_square is {hint}, but static shape ({self.shape}) indicates this is "
                    + ("square." if known else "not square.")
                )
            )
        return known

    @property
    def shape(self) -> TensorShape:
        """The static shape [batch..., m, n]."""
        return self._shape()

    @property
    def batch_shape(self) -> TensorShape:
        """The static shape [batch...]."""
        return self.shape[:-2]

    @property
    def tensor_rank(self) -> int | None:
        """The number of axes of the dense matrices."""
        return self.shape.rank

    @property
    def domain_dimension(self) -> Any:
        """The number n of columns, a Dimension."""
        return self._side(-1)

    @property
    def range_dimension(self) -> Any:
        """The number m of rows, a Dimension."""
        return self._side(-2)

    def _side(self, axis: int) -> Any:
        shape = self.shape
        return shape[axis] if shape.rank is not None and shape.rank >= 2 else TensorShape([None])[0]

    @property
    def H(self) -> LinearOperator:
        """`adjoint()`."""
        return self.adjoint()

    # -- shapes as tensors -----------------------------------------------------------------------------------------

    @atomic
    def shape_tensor(self, name: str = "shape_tensor") -> Tensor:
        """The shape [batch..., m, n] as an int32 vector."""
        with self._name_scope(name):
            if is_full(self.shape.raw):
                return operator_parts.shape_as_tensor(self.shape.as_list())
            return self._shape_tensor()

    @atomic
    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """The shape [batch...] as an int32 vector."""
        with self._name_scope(name):
            if is_full(self.batch_shape.raw):
                return operator_parts.shape_as_tensor(self.batch_shape.as_list(), name="batch_shape")
            return self.shape_tensor()[:-2]

    @atomic
    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Tensor:
        """The number of axes of the dense matrices, an int32 scalar."""
        with self._name_scope(name):
            if self.tensor_rank is not None:
                return convert_to_tensor(self.tensor_rank)
            return array.size(self.shape_tensor())

    @atomic
    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Tensor:
        """The number n of columns, an int32 scalar."""
        with self._name_scope(name):
            return self._side_tensor(-1)

    @atomic
    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Tensor:
        """The number m of rows, an int32 scalar."""
        with self._name_scope(name):
            return self._side_tensor(-2)

    def _side_tensor(self, axis: int) -> Tensor:
        known = self._side(axis).value
        return self.shape_tensor()[axis] if known is None else convert_to_tensor(known)

    # -- hooks -----------------------------------------------------------------------------------------------------

    def _shape(self) -> TensorShape:
        raise NotImplementedError(error_text("_shape is not implemented."))

    def _shape_tensor(self) -> Tensor:
        raise NotImplementedError(error_text("_shape_tensor is not implemented."))

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        raise NotImplementedError(error_text("_matmul is not implemented."))

    def _matvec(self, x: Tensor, adjoint: bool = False) -> Tensor:
        product = self.matmul(array.expand_dims(x, axis=-1), adjoint=adjoint)
        return array.squeeze(product, axis=-1)

    def _determinant(self) -> Tensor:
        if self._can_use_cholesky():
            return math.exp(self.log_abs_determinant())
        return linalg.matrix_determinant(self.to_dense())  # type: ignore[no-any-return]

    def _log_abs_determinant(self) -> Tensor:
        if self._can_use_cholesky():
            diagonal = linalg.matrix_diag_part(linalg.cholesky(self.to_dense()))
            return 2 * reductions.reduce_sum(math.log(diagonal), axis=[-1])  # type: ignore[no-any-return]
        return linalg.slogdet(self.to_dense())[1]  # type: ignore[no-any-return]

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return operator_parts.cholesky_solve(linalg.cholesky(self.to_dense()), rhs)
        return operator_parts.matrix_solve(self.to_dense(), rhs, adjoint=adjoint)

    def _solvevec(self, rhs: Tensor, adjoint: bool = False) -> Tensor:
        found = self.solve(array.expand_dims(rhs, axis=-1), adjoint=adjoint)
        return array.squeeze(found, axis=-1)

    def _to_dense(self) -> Tensor:
        batch = (
            self.batch_shape.as_list() if self.batch_shape.is_fully_defined() else self.batch_shape_tensor()
        )
        size = self.domain_dimension.value
        size = self.domain_dimension_tensor() if size is None else size
        return self.matmul(constructors.eye(num_rows=size, batch_shape=batch, dtype=self.dtype))

    def _diag_part(self) -> Tensor:
        return linalg.matrix_diag_part(self.to_dense())

    def _trace(self) -> Tensor:
        return reductions.reduce_sum(self.diag_part(), axis=-1)

    def _add_to_tensor(self, x: Tensor) -> Tensor:
        return self.to_dense() + x

    def _assert_non_singular(self) -> Operation:
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        values = decompositions_ops.svd(self.to_dense(), compute_uv=False).s
        condition = reductions.reduce_max(values, axis=-1) / reductions.reduce_min(values, axis=-1)
        return asserts.assert_less(
            condition, self._largest_condition_number(), message="Singular matrix up to precision epsilon."
        )

    def _largest_condition_number(self) -> Tensor:
        """Of a matrix that counts as non-singular, a scalar."""
        with name_scope("max_nonsingular_condition_number"):
            real = self.dtype.real_dtype
            sides = [self.range_dimension_tensor(), self.domain_dimension_tensor()]
            largest = reductions.reduce_max([100.0, *(math.cast(side, real) for side in sides)])
            eps = np.finfo(self.dtype.as_numpy_dtype).eps
            return 1.0 / (largest * eps)  # type: ignore[no-any-return]

    def _assert_positive_definite(self) -> Operation:
        if not self.is_self_adjoint:
            raise NotImplementedError(error_text("assert_positive_definite is not implemented."))
        return asserts.assert_positive(
            linalg.matrix_diag_part(linalg.cholesky(self.to_dense())),
            message="Matrix was not positive definite.",
        )

    def _assert_self_adjoint(self) -> Operation:
        dense = self.to_dense()
        return asserts.assert_equal(
            dense, linalg.adjoint(dense), message="Matrix was not equal to its adjoint."
        )

    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    # -- methods ---------------------------------------------------------------------------------------------------

    def _checked(self, x: Any, label: str) -> Tensor:
        """An argument as a tensor of the operator's dtype.

        Raises: TypeError for a tensor of another dtype.
        """
        x = convert_to_tensor(x, name=label)
        if x.dtype.base_dtype != self.dtype:
            raise TypeError(
                error_text(f"Expected argument to have dtype {self.dtype}.  Found: {x.dtype} in tensor {x}")
            )
        return x

    @atomic
    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """A · x for x [..., n, k], or the operator A · x for an operator x.

        adjoint, adjoint_arg: the adjoint of A, of x, instead. Raises: ValueError for sizes that do not fit, TypeError for
        another dtype.
        """
        if isinstance(x, LinearOperator):
            left, right = self._pair(x, adjoint, adjoint_arg, "matmul")
            with self._name_scope(name):
                return operator_algebra.matmul(left, right)
        with self._name_scope(name):
            x = self._checked(x, "x")
            self._side(-2 if adjoint else -1).assert_is_compatible_with(x.shape[-1 if adjoint_arg else -2])
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _pair(self, other: LinearOperator, adjoint: bool, adjoint_arg: bool, method: str) -> tuple[Any, Any]:
        left, right = self.adjoint() if adjoint else self, other.adjoint() if adjoint_arg else other
        wanted = left.domain_dimension.value
        given = right.range_dimension.value
        if wanted is not None and given is not None and wanted != given:
            label = "x" if method == "matmul" else "rhs"
            raise ValueError(
                error_text(
                    f"Operators are incompatible. Expected `{label}` to have dimension {wanted} but got {given}."
                )
            )
        return left, right

    @atomic
    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Tensor:
        """A · x for x [..., n]: [..., m]."""
        with self._name_scope(name):
            x = self._checked(x, "x")
            self._side(-2 if adjoint else -1).assert_is_compatible_with(x.shape[-1])
            return self._matvec(x, adjoint=adjoint)

    @atomic
    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """X with A · X = rhs [..., m, k], or the operator A⁻¹ · rhs for an operator rhs.

        Raises: NotImplementedError for an operator that is not square or known to be singular, ValueError for sizes that
        do not fit, TypeError for another dtype.
        """
        self._solvable()
        if isinstance(rhs, LinearOperator):
            left, right = self._pair(rhs, adjoint, adjoint_arg, "solve")
            with self._name_scope(name):
                return operator_algebra.solve(left, right)
        with self._name_scope(name):
            rhs = self._checked(rhs, "rhs")
            self._side(-1 if adjoint else -2).assert_is_compatible_with(rhs.shape[-1 if adjoint_arg else -2])
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvable(self) -> None:
        if self.is_non_singular is False:
            raise NotImplementedError(
                error_text("Exact solve not implemented for an operator that is expected to be singular.")
            )
        if self.is_square is False:
            raise NotImplementedError(
                error_text("Exact solve not implemented for an operator that is expected to not be square.")
            )

    @atomic
    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Tensor:
        """x with A · x = rhs [..., m]: [..., n]."""
        with self._name_scope(name):
            rhs = self._checked(rhs, "rhs")
            self._side(-1 if adjoint else -2).assert_is_compatible_with(rhs.shape[-1])
            return self._solvevec(rhs, adjoint=adjoint)

    @atomic
    def determinant(self, name: str = "det") -> Tensor:
        """The determinants [batch...]. Raises: NotImplementedError for an operator that is not square."""
        self._must_be_square("Determinant")
        with self._name_scope(name):
            return self._determinant()

    @atomic
    def log_abs_determinant(self, name: str = "log_abs_det") -> Tensor:
        """The logarithms [batch...] of the absolute values of the determinants.

        Raises: NotImplementedError for an operator that is not square.
        """
        self._must_be_square("Determinant")
        with self._name_scope(name):
            return self._log_abs_determinant()

    def _must_be_square(self, what: str) -> None:
        if self.is_square is False:
            raise NotImplementedError(
                error_text(f"{what} not implemented for an operator that is expected to not be square.")
            )

    @atomic
    def to_dense(self, name: str = "to_dense") -> Tensor:
        """The matrices [batch..., m, n]."""
        with self._name_scope(name):
            return self._to_dense()

    @atomic
    def diag_part(self, name: str = "diag_part") -> Tensor:
        """The diagonals [batch..., min(m, n)]."""
        with self._name_scope(name):
            return self._diag_part()

    @atomic
    def trace(self, name: str = "trace") -> Tensor:
        """The sums [batch...] of the diagonals."""
        with self._name_scope(name):
            return self._trace()

    @atomic
    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Tensor:
        """A + x for x [..., m, n]. Raises: TypeError for another dtype."""
        with self._name_scope(name):
            return self._add_to_tensor(self._checked(x, "x"))

    @atomic
    def assert_non_singular(self, name: str = "assert_non_singular") -> Operation:
        """An operation that fails in the run if a matrix has no inverse, up to rounding."""
        with self._name_scope(name):
            return self._assert_non_singular()

    @atomic
    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Operation:
        """An operation that fails in the run if a matrix is not positive definite.

        Raises: NotImplementedError where the operator knows no way to tell.
        """
        with self._name_scope(name):
            return self._assert_positive_definite()

    @atomic
    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Operation:
        """An operation that fails in the run if a matrix is not its own adjoint."""
        with self._name_scope(name):
            return self._assert_self_adjoint()

    # -- other operators -------------------------------------------------------------------------------------------

    @atomic
    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """The operator of the conjugate transposes."""
        if self.is_self_adjoint is True:
            return self
        with self._name_scope(name):
            return operator_algebra.adjoint(self)

    @atomic
    def inverse(self, name: str = "inverse") -> LinearOperator:
        """The operator of the inverses. Raises: ValueError for one that is not square or known to be singular."""
        if self.is_square is False:
            raise ValueError(
                error_text("Cannot take the Inverse: This operator represents a non square matrix.")
            )
        if self.is_non_singular is False:
            raise ValueError(
                error_text("Cannot take the Inverse: This operator represents a singular matrix.")
            )
        with self._name_scope(name):
            return operator_algebra.inverse(self)

    @atomic
    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The operator of the lower Cholesky factors.

        Raises: ValueError for one that is not promised to be self-adjoint and positive definite.
        """
        if not self._can_use_cholesky():
            raise ValueError(
                error_text(
                    "Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix."
                )
            )
        with self._name_scope(name):
            return operator_algebra.cholesky(self)
