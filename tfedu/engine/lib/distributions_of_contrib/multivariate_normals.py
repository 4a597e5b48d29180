"""Normal distributions of vectors: `MultivariateNormalDiag`, `…TriL`, `…FullCovariance`, `…DiagPlusLowRank`. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array
from ..bijectors.affine import AffineLinearOperator
from ..bijectors.scale_operators import diagonal_scale
from ..checks import asserts
from ..control.grouping import identity, with_dependencies
from ..distributions.distribution import Distribution
from ..distributions.divergence import RegisterKL
from ..distributions.normal import Normal
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope, named
from ..linalg import linalg
from ..linear_operators.diagonal_operator import LinearOperatorDiag
from ..linear_operators.identity_operators import LinearOperatorIdentity, LinearOperatorScaledIdentity
from ..linear_operators.linear_operator import LinearOperator
from ..linear_operators.low_rank_update import LinearOperatorLowRankUpdate
from ..linear_operators.triangular_operator import LinearOperatorLowerTriangular
from ..math import math, reductions
from ..nn.activations import softplus
from .transformed import TransformedDistribution

_DIAGONAL = (LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorDiag)


class AffineOfVectors(TransformedDistribution):
    """The vectors loc + scale · z, the elements of z drawn independently from one distribution of numbers.

    loc: [batch..., k], None: 0. scale: a linear operator [batch..., k, k].
    Raises: ValueError without a scale and for sizes that do not fit, TypeError for a scale that is not floating.
    """

    def _make(
        self, of_numbers: Callable[[Any], Distribution], loc: Any, scale: LinearOperator | None, validate_args: bool, scope: str,
        parameters: dict[str, Any],
    ) -> None:  # fmt: skip
        """of_numbers: makes the distribution of z for a dtype."""
        if scale is None:
            raise ValueError(error_text("Missing required `scale` parameter."))
        if not scale.dtype.is_floating:
            raise TypeError(error_text("`scale` parameter must have floating-point dtype."))
        with name_scope(scope, values=[loc, *scale.graph_parents]):
            loc = None if loc is None else convert_to_tensor(loc, name="loc")
            batch_shape, event_shape = shapes_of(loc, scale)
            numbers = of_numbers(scale.dtype.base_dtype)
            bijector = AffineLinearOperator(shift=loc, scale=scale, validate_args=validate_args)
            TransformedDistribution.__init__(self, numbers, bijector, batch_shape, event_shape, validate_args, scope)
        self._parameters = parameters

    @property
    def loc(self) -> Tensor | None:
        """What is added [batch..., k]; None: nothing."""
        return self.bijector.shift  # type: ignore[attr-defined, no-any-return]

    @property
    def scale(self) -> LinearOperator:
        """The operator [batch..., k, k]."""
        return self.bijector.scale  # type: ignore[attr-defined, no-any-return]

    def _of_diagonal(self) -> bool:
        return isinstance(self.scale, _DIAGONAL)

    def _covariance_of_scale(self) -> Tensor:
        """scale · scaleᵀ [batch..., k, k]."""
        if self._of_diagonal():
            return linalg.matrix_diag(math.square(self.scale.diag_part()))
        return self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)  # type: ignore[no-any-return]

    def _variance_of_scale(self) -> Tensor:
        """The diagonal of scale · scaleᵀ [batch..., k]."""
        if self._of_diagonal():
            return math.square(self.scale.diag_part())
        own_adjoint = isinstance(self.scale, LinearOperatorLowRankUpdate) and self.scale.is_self_adjoint
        return linalg.matrix_diag_part(self.scale.matmul(self.scale.to_dense(), adjoint_arg=not own_adjoint))

    def _stddev_of_scale(self) -> Tensor:
        return math.abs(self.scale.diag_part()) if self._of_diagonal() else math.sqrt(self._variance_of_scale())

    def _broadcast_loc(self) -> Tensor:
        """loc [batch..., k], broadcast."""
        static = self.batch_shape.concatenate(self.event_shape)
        is_known = static.is_fully_defined()
        if is_known and self.loc is not None and self.loc.shape == static:
            return identity(self.loc)
        shape: Any = static.as_list() if is_known else array.concat(
            [self.batch_shape_tensor(), self.event_shape_tensor()], 0
        )  # fmt: skip
        zeros = array.zeros(shape=shape, dtype=self.dtype)
        return zeros if self.loc is None else self.loc + zeros


class MultivariateNormalLinearOperator(AffineOfVectors):
    """Normal distributions of vectors [k] with mean loc [batch..., k] and covariance scale · scaleᵀ.

    loc: None: 0. scale: a linear operator [batch..., k, k] that is known to be non-singular.
    Raises: ValueError without a scale and for sizes that do not fit, TypeError for a scale that is not floating.
    """

    @atomic
    def __init__(
        self,
        loc: Any = None,
        scale: LinearOperator | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._make(_standard_normal, loc, scale, validate_args, scope, parameters)

    def _mean(self) -> Tensor:
        return self._broadcast_loc()

    def _mode(self) -> Tensor:
        return self._broadcast_loc()

    def _covariance(self) -> Tensor:
        return self._covariance_of_scale()

    def _variance(self) -> Tensor:
        return self._variance_of_scale()

    def _stddev(self) -> Tensor:
        return self._stddev_of_scale()


class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """Normal distributions of vectors [k] with mean loc [batch..., k] and standard deviations
    |scale_diag [batch..., k] + scale_identity_multiplier [batch...]|, without correlations.

    None: 0 for each of them, but ones for the standard deviations where neither is given.
    Raises: ValueError where nothing tells k, and for sizes that do not fit; TypeError for different dtypes; in the run, under
    validate_args, InvalidArgumentError for a standard deviation of 0.
    """

    @atomic
    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiag",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            with name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
                # the operator has an assert_non_singular of its own, which the bijector calls
                scale = diagonal_scale(scale_diag, scale_identity_multiplier, like=loc)
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """Normal distributions of vectors [k] with mean loc [batch..., k] and standard deviations softplus(scale_diag)."""

    @atomic
    def __init__(
        self,
        loc: Any,
        scale_diag: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[scale_diag]) as scope:
            super().__init__(
                loc, softplus(scale_diag), validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=scope
            )
        self._parameters = parameters


class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """Normal distributions of vectors [k] with mean loc [batch..., k] and
    scale = diag(scale_diag [batch..., k] + scale_identity_multiplier [batch...]) +
    scale_perturb_factor [batch..., k, r] · diag(scale_perturb_diag [batch..., r]) · scale_perturb_factorᵀ.

    None: 0, but ones for scale_perturb_diag, and for the diagonal where neither part is given.
    Raises: ValueError where nothing tells k, for sizes that do not fit, and for scale_perturb_diag alone; TypeError for
    different dtypes; in the run, under validate_args, InvalidArgumentError for a diagonal that is not positive.
    """

    @atomic
    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagPlusLowRank",
    ) -> None:
        parameters = dict(locals())
        if scale_perturb_diag is not None and scale_perturb_factor is None:
            raise ValueError(
                error_text("When scale_perturb_diag is specified, scale_perturb_factor must be specified.")
            )
        has_low_rank = scale_perturb_factor is not None
        with name_scope(name) as scope:
            given = [loc, scale_diag, scale_identity_multiplier, scale_perturb_factor, scale_perturb_diag]
            with name_scope("init", values=given):
                scale = diagonal_scale(
                    scale_diag, scale_identity_multiplier, like=loc, is_checked=validate_args, is_positive=has_low_rank
                )
                if has_low_rank:
                    factor = convert_to_tensor(scale_perturb_factor, name="scale_perturb_factor")
                    diagonal = None
                    if scale_perturb_diag is not None:
                        diagonal = convert_to_tensor(scale_perturb_diag, name="scale_perturb_diag")
                    scale = LinearOperatorLowRankUpdate(
                        scale, u=factor, diag_update=diagonal, is_diag_update_positive=diagonal is None,
                        is_non_singular=True, is_self_adjoint=True, is_positive_definite=True, is_square=True,
                    )  # fmt: skip
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """Normal distributions of vectors [k] with mean loc [batch..., k] and covariance scale_tril · scale_trilᵀ for lower
    triangular matrices scale_tril [batch..., k, k].

    loc: None: 0. scale_tril: None: the identity. Raises: ValueError without both and for sizes that do not fit, TypeError
    for different dtypes; in the run, under validate_args, InvalidArgumentError for a 0 on the diagonal.
    """

    @atomic
    def __init__(
        self,
        loc: Any = None,
        scale_tril: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalTriL",
    ) -> None:
        parameters = dict(locals())
        if loc is None and scale_tril is None:
            raise ValueError(error_text("Must specify one or both of `loc`, `scale_tril`."))
        with name_scope(name) as scope:
            with name_scope("init", values=[loc, scale_tril]):
                loc = None if loc is None else convert_to_tensor(loc, name="loc")
                scale: LinearOperator
                if scale_tril is None:
                    rows = loc.shape[-1].value if loc.shape.rank else None
                    scale = LinearOperatorIdentity(
                        num_rows=array.shape(loc)[-1] if rows is None else rows, dtype=loc.dtype.base_dtype,
                        is_self_adjoint=True, is_positive_definite=True, assert_proper_shapes=validate_args,
                    )  # fmt: skip
                else:
                    scale = LinearOperatorLowerTriangular(
                        convert_to_tensor(scale_tril, name="scale_tril"), is_non_singular=True, is_self_adjoint=False,
                        is_positive_definite=False,
                    )  # fmt: skip
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """Normal distributions of vectors [k] with mean loc [batch..., k] and covariance_matrix [batch..., k, k].

    loc: None: 0. covariance_matrix: positive definite, of which the lower triangle counts; None: the identity.
    Raises: ValueError without both and for sizes that do not fit, TypeError for different dtypes; in the run
    InvalidArgumentError for a matrix that is not positive definite, and, under validate_args, not symmetric.
    """

    @atomic
    def __init__(
        self,
        loc: Any = None,
        covariance_matrix: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalFullCovariance",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            scale_tril = None
            with name_scope("init", values=[loc, covariance_matrix]):
                if covariance_matrix is not None:
                    matrix = convert_to_tensor(covariance_matrix, name="covariance_matrix")
                    if validate_args:
                        check = asserts.assert_near(
                            matrix, linalg.matrix_transpose(matrix), message="Matrix was not symmetric"
                        )
                        matrix = with_dependencies([check], matrix)
                    scale_tril = linalg.cholesky(matrix)
            super().__init__(loc, scale_tril, validate_args, allow_nan_stats, scope)
        self._parameters = parameters


def _standard_normal(dtype: Any) -> Normal:
    return Normal(loc=array.zeros([], dtype=dtype), scale=array.ones([], dtype=dtype))


def shapes_of(loc: Tensor | None, scale: LinearOperator) -> tuple[Any, Any]:
    """The shapes (batch, event) of vectors loc + scale · z: int32 vectors, or lists where they are known.

    Raises: ValueError for a loc and a scale of different sizes.
    """
    with name_scope("shapes_from_loc_and_scale", values=[loc, *scale.graph_parents]):
        size: Any = scale.range_dimension.value
        if loc is not None and loc.shape.rank is not None and size is not None:
            of_loc = loc.shape.with_rank_at_least(1)[-1].value
            if of_loc is not None and of_loc not in (1, size):
                # TF's own wording, which names them the wrong way around
                raise ValueError(
                    error_text(f"Event size of 'scale' ({of_loc}) could not be broadcast up to that of 'loc' ({size}).")
                )
        event = [scale.range_dimension_tensor() if size is None else size]
        static = scale.batch_shape
        if loc is not None:
            static = array.broadcast_static_shape(static, loc.shape[:-1])
        if static.is_fully_defined():
            return static.as_list(), event
        batch = scale.batch_shape_tensor()
        if loc is not None:
            batch = array.broadcast_dynamic_shape(batch, array.shape(loc)[:-1])
        return batch, event


@RegisterKL(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)
def _divergence(
    a: MultivariateNormalLinearOperator, b: MultivariateNormalLinearOperator, name: str | None = None
) -> Tensor:
    def squared_norm(x: Tensor) -> Tensor:
        """Of matrices [..., m, n]: [...]."""
        return reductions.reduce_sum(math.square(x), axis=[-2, -1])

    of_both = [*a._graph_parents, *b._graph_parents]
    with named(name, "kl_mvn", of_both):
        # log(|B| / |A|) + ½ (|B⁻¹ A|² + |B⁻¹ (b - a)|² - k) for scales A, B and means a, b
        if a._of_diagonal() and b._of_diagonal():
            ratio = (a.scale.diag_part() / b.scale.diag_part())[..., None]
        else:
            ratio = b.scale.solve(a.scale.to_dense())
        size = math.cast(a.scale.domain_dimension_tensor(), a.dtype)
        distance = squared_norm(b.scale.solve((b.mean() - a.mean())[..., None]))
        divergence = b.scale.log_abs_determinant() - a.scale.log_abs_determinant()
        half = constant(0.5, dtype=a.dtype)
        divergence = divergence + half * (-size + squared_norm(ratio) + distance)
        divergence.set_shape(array.broadcast_static_shape(a.batch_shape, b.batch_shape))
        return divergence
