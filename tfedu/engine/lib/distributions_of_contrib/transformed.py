"""`TransformedDistribution`: the distribution of g(x) for draws x of another one and a bijector g; and its conditional form.

State: none but in the instances.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ...op.infer import constant_value_as_shape
from ..arrays import array, sequences
from ..bijectors.bijector import Bijector
from ..bijectors.composed import Identity
from ..checks import asserts, type_asserts
from ..control.grouping import with_dependencies
from ..distributions.distribution import Distribution
from ..distributions.shape_choice import pick_vector
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..framework.static_value import get_static_value
from ..math import math, reductions

Kwargs = dict[str, Any] | None


class ConditionalDistribution(Distribution):
    """A distribution whose methods pass further arguments by name on to the hooks."""

    def sample(
        self, sample_shape: Any = (), seed: int | None = None, name: str = "sample", **condition_kwargs: Any
    ) -> Tensor:
        """Draws [sample_shape..., batch..., event...]."""
        return self._call_sample_n(sample_shape, seed, name, **condition_kwargs)

    def log_prob(self, value: Any, name: str = "log_prob", **condition_kwargs: Any) -> Tensor:
        """The logarithm of the probability, or of the density, at value [..., batch..., event...]: [..., batch...]."""
        return self._call_log_prob(value, name, **condition_kwargs)

    def prob(self, value: Any, name: str = "prob", **condition_kwargs: Any) -> Tensor:
        """The probability, or the density, at value [..., batch..., event...]: [..., batch...]."""
        return self._call_prob(value, name, **condition_kwargs)

    def log_cdf(self, value: Any, name: str = "log_cdf", **condition_kwargs: Any) -> Tensor:
        """The logarithm of the probability that a draw is at most value [..., batch..., event...]: [..., batch...]."""
        return self._call_log_cdf(value, name, **condition_kwargs)

    def cdf(self, value: Any, name: str = "cdf", **condition_kwargs: Any) -> Tensor:
        """The probability that a draw is at most value [..., batch..., event...]: [..., batch...]."""
        return self._call_cdf(value, name, **condition_kwargs)

    def log_survival_function(
        self, value: Any, name: str = "log_survival_function", **condition_kwargs: Any
    ) -> Tensor:
        """The logarithm of the probability that a draw exceeds value [..., batch..., event...]: [..., batch...]."""
        return self._call_log_survival_function(value, name, **condition_kwargs)

    def survival_function(self, value: Any, name: str = "survival_function", **condition_kwargs: Any) -> Tensor:
        """The probability that a draw exceeds value [..., batch..., event...]: [..., batch...]."""
        return self._call_survival_function(value, name, **condition_kwargs)


class TransformedDistribution(Distribution):
    """The distribution of bijector(x) for draws x of `distribution`.

    bijector: by default the identity. batch_shape, event_shape: [axes...] of a batch, or an event, of independent draws;
    only for a distribution whose own batch, or event, has no axes. name: by default the names of bijector and distribution.

    Raises: ValueError for a shape that is no vector of positive sizes, and for one whose place the distribution has filled;
    TypeError for a shape that is not of integers; InvalidArgumentError in the run, under validate_args, for what only it knows.
    """

    @atomic
    def __init__(
        self,
        distribution: Distribution,
        bijector: Bijector | None = None,
        batch_shape: Any = None,
        event_shape: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        if not isinstance(distribution, Distribution):
            raise TypeError(error_text(f"distribution must be a Distribution, not {type(distribution).__name__}."))
        if bijector is not None and not isinstance(bijector, Bijector):
            raise TypeError(error_text(f"bijector must be a Bijector, not {type(bijector).__name__}."))
        name = name or f"{'' if bijector is None else bijector.name}{distribution.name}"
        with name_scope(name, values=[event_shape, batch_shape]) as scope:
            self._distribution = distribution
            self._bijector = Identity(validate_args=validate_args) if bijector is None else bijector
            self._empty = constant([], dtype=dtypes.int32, name="empty")
            self._batch_override = _shape_override(
                batch_shape, distribution.is_scalar_batch(), validate_args, "batch_shape"
            )
            self._event_override = _shape_override(
                event_shape, distribution.is_scalar_event(), validate_args, "event_shape"
            )
            # Draws of a batch are drawn together: new axes of an event come before those of the batch and have to be
            # rotated behind them.
            is_batch, is_event = _has_axes(self._batch_override), _has_axes(self._event_override)
            has_batch = _logical_not(_known(distribution.is_scalar_batch()))
            self._is_event_override = is_event
            self._is_batch_override = is_batch
            self._rotates = _logical_and(is_event, _logical_and(_logical_not(is_batch), has_batch))
            self._event_axes = _length_of(self._event_override)
            super().__init__(
                distribution.dtype, distribution.reparameterization_type, validate_args, distribution.allow_nan_stats, parameters,
                [*distribution._graph_parents, *self._bijector.graph_parents], scope,
            )  # fmt: skip

    @property
    def distribution(self) -> Distribution:
        """The distribution of x."""
        return self._distribution

    @property
    def bijector(self) -> Bijector:
        """The transformation g."""
        return self._bijector

    # -- shapes ----------------------------------------------------------------------------------------------------

    def _event_shape_tensor(self) -> Tensor:
        own = _picked(self._is_event_override, self._event_override, self.distribution.event_shape_tensor())
        return self.bijector.forward_event_shape_tensor(own)

    def _event_shape(self) -> TensorShape:
        return self.bijector.forward_event_shape(
            _static_choice(self._is_event_override, self._event_override, self.distribution.event_shape)
        )

    def _batch_shape_tensor(self) -> Tensor:
        return _picked(self._is_batch_override, self._batch_override, self.distribution.batch_shape_tensor())

    def _batch_shape(self) -> TensorShape:
        return _static_choice(self._is_batch_override, self._batch_override, self.distribution.batch_shape)

    def _event_ndims(self) -> Any:
        """How many axes an event has: an int where it is known."""
        rank = self.event_shape.rank
        return array.size(self.event_shape_tensor()) if rank is None else rank

    def _may_override_event(self) -> bool:
        return self._is_event_override is not False

    # -- draws -----------------------------------------------------------------------------------------------------

    def _sample_n(
        self, n: Any, seed: int | None = None, bijector_kwargs: Kwargs = None, distribution_kwargs: Kwargs = None
    ) -> Tensor:
        draws = convert_to_tensor([n], dtype=dtypes.int32)
        before, behind = (
            _picked(self._rotates, *pair) for pair in ((self._empty, draws), (draws, self._empty))
        )
        shape = _joined([before, self._batch_override, self._event_override, behind])
        return self._rotated(self.distribution.sample(shape, seed=seed, **(distribution_kwargs or {})))

    def _transformed(
        self, drawn: Tensor, bijector_kwargs: Kwargs = None, distribution_kwargs: Kwargs = None
    ) -> Tensor:
        # the bijector must be the last to make the sample, and finds again what it has made
        return self.bijector.forward(drawn, **(bijector_kwargs or {}))

    def _rotated(self, x: Tensor, back: bool = False) -> Tensor:
        """x [event..., rest...] as [rest..., event...] where an event's axes stand before the batch; back: the other way."""
        if self._rotates is False:
            return x
        count = self._event_axes if self._rotates is True else _chosen(self._rotates, self._event_axes, 0)
        rank = x.shape.rank
        axes = array.rank(x) if rank is None else rank
        cut = axes - count if back else count
        if isinstance(cut, int) and isinstance(axes, int):
            return array.transpose(x, [*range(cut, axes), *range(cut)])
        order = array.concat([sequences.range(cut, axes), sequences.range(0, cut)], 0)
        return array.transpose(x, order)

    def _over_event(self, reduce: Callable[..., Tensor], of_base: Tensor) -> Tensor:
        """What the base distribution gives for each element of an overridden event, reduced over them."""
        count = self._event_axes
        if self._rotates is True:
            axes = list(range(count)) if isinstance(count, int) else sequences.range(0, count)
        elif self._rotates is False:
            axes = list(range(-count, 0)) if isinstance(count, int) else sequences.range(-count, 0)
        else:
            first = _chosen(self._rotates, count, 0)
            axes = sequences.range(first - count, first)
        return reduce(of_base, axes)

    # -- probabilities ---------------------------------------------------------------------------------------------

    def _on_fibers(
        self, y: Tensor, finish: Callable[..., Tensor], join: Callable[[list[Tensor]], Tensor], given: dict[str, Any]
    ) -> Tensor:
        """finish(y, x, log|dx/dy|) of the x that becomes y; of all such x where there are several, joined."""
        x = self.bijector.inverse(y, **given)
        event_ndims = self._event_ndims()
        log_volume = self.bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims, **given)
        if self.bijector._is_injective:
            result = finish(x, log_volume)
            if self._may_override_event() and isinstance(event_ndims, int) and y.shape.rank is not None:
                outer = y.shape[: y.shape.rank - event_ndims]
                result.set_shape(array.broadcast_static_shape(outer, self.batch_shape))
            return result
        return join([finish(one, of_one) for one, of_one in zip(x, log_volume, strict=True)])

    def _log_prob(
        self, y: Tensor, bijector_kwargs: Kwargs = None, distribution_kwargs: Kwargs = None
    ) -> Tensor:
        def finish(x: Tensor, log_volume: Tensor) -> Tensor:
            found = self.distribution.log_prob(self._rotated(x, back=True), **(distribution_kwargs or {}))
            if self._may_override_event():
                found = self._over_event(reductions.reduce_sum, found)
            return found + math.cast(log_volume, found.dtype)

        return self._on_fibers(
            y, finish, lambda parts: reductions.reduce_logsumexp(array.stack(parts), axis=0), bijector_kwargs or {}
        )

    def _prob(self, y: Tensor, bijector_kwargs: Kwargs = None, distribution_kwargs: Kwargs = None) -> Tensor:
        def finish(x: Tensor, log_volume: Tensor) -> Tensor:
            found = self.distribution.prob(self._rotated(x, back=True), **(distribution_kwargs or {}))
            if self._may_override_event():
                found = self._over_event(reductions.reduce_prod, found)
            return found * math.exp(math.cast(log_volume, found.dtype))

        return self._on_fibers(y, finish, sum, bijector_kwargs or {})

    def _of_number(self, method: str, y: Tensor, bijector_kwargs: Kwargs, distribution_kwargs: Kwargs) -> Tensor:
        self._refuse(method)
        x = self.bijector.inverse(y, **(bijector_kwargs or {}))
        return getattr(self.distribution, method)(x, **(distribution_kwargs or {}))  # type: ignore[no-any-return]

    def _refuse(self, method: str) -> None:
        if self._may_override_event():
            raise NotImplementedError(error_text(f"{method} is not implemented when overriding event_shape"))
        if not self.bijector._is_injective:
            raise NotImplementedError(
                error_text(f"{method} is not implemented when bijector is not injective.")
            )

    def _log_cdf(self, y: Tensor, bijector_kwargs: Kwargs = None, distribution_kwargs: Kwargs = None) -> Tensor:
        return self._of_number("log_cdf", y, bijector_kwargs, distribution_kwargs)

    def _cdf(self, y: Tensor, bijector_kwargs: Kwargs = None, distribution_kwargs: Kwargs = None) -> Tensor:
        return self._of_number("cdf", y, bijector_kwargs, distribution_kwargs)

    def _log_survival_function(
        self, y: Tensor, bijector_kwargs: Kwargs = None, distribution_kwargs: Kwargs = None
    ) -> Tensor:
        return self._of_number("log_survival_function", y, bijector_kwargs, distribution_kwargs)

    def _survival_function(
        self, y: Tensor, bijector_kwargs: Kwargs = None, distribution_kwargs: Kwargs = None
    ) -> Tensor:
        return self._of_number("survival_function", y, bijector_kwargs, distribution_kwargs)

    def _quantile(self, value: Tensor) -> Tensor:
        self._refuse("quantile")
        return self.bijector.forward(self.distribution.quantile(value))

    def _entropy(self) -> Tensor:
        # H[g(X)] = H[X] + E[log|g'(X)|]; the latter is only known where it is the same for each x
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError(error_text("entropy is not implemented"))
        if not self.bijector._is_injective:
            raise NotImplementedError(error_text("entropy is not implemented when bijector is not injective."))
        entropy = self.distribution.entropy()
        if self._may_override_event():
            count = reductions.reduce_prod(self._event_override)
            entropy *= math.cast(count, dtype=entropy.dtype.base_dtype)
        if self._is_batch_override is not False:
            own = self.distribution.batch_shape_tensor()
            one_each = array.concat([array.ones_like(self._batch_override), own], 0)
            times = array.concat([self._batch_override, array.ones_like(own)], 0)
            entropy = array.tile(array.reshape(entropy, one_each), times)
        whole = array.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        log_volume = self.bijector.inverse_log_det_jacobian(
            array.zeros(shape=whole, dtype=self.dtype), event_ndims=self._event_ndims()
        )
        entropy -= math.cast(log_volume, entropy.dtype)
        entropy.set_shape(self.batch_shape)
        return entropy


class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """A TransformedDistribution whose methods take `bijector_kwargs` and `distribution_kwargs`: dictionaries of further
    arguments for the methods of the one and of the other.
    """


def _shape_override(shape: Any, is_scalar: Tensor, is_checked: bool, label: str) -> Tensor:
    """A shape as an int32 vector, empty where none is given.

    Raises: TypeError for one that is not of integers, ValueError for one that is no vector of positive sizes, and for one
    that has axes where the distribution has some, too.
    """
    override = convert_to_tensor([] if shape is None else shape, dtype=dtypes.int32, name=label)
    is_vector, is_positive, is_free = (
        "shape override must be a vector",
        "shape override must have positive elements",
        "base distribution not scalar",
    )
    checks: list[Operation] = []
    if override.shape.rank is not None:
        if override.shape.rank != 1:
            raise ValueError(error_text("input is not a valid shape: not 1D", [override]))
    elif is_checked:
        checks.append(type_asserts.assert_rank(override, 1, message=is_vector))
    if _has_axes(override) is False:
        return override
    known = get_static_value(override)
    if known is not None:
        if any(size <= 0 for size in known):
            raise ValueError(error_text(is_positive, [override]))
    elif is_checked:
        checks.append(asserts.assert_positive(override, message=is_positive))
    both = _logical_and(_has_axes(override), _logical_not(_known(is_scalar)))
    if both is True:
        raise ValueError(error_text(is_free))
    if both is not False and is_checked:
        checks.append(asserts.assert_equal(both, False, message=is_free))
    return with_dependencies(checks, override) if checks else override


def _joined(shapes: list[Tensor]) -> Tensor:
    known = [get_static_value(shape) for shape in shapes]
    if any(part is None for part in known):
        return array.concat(shapes, 0)
    return constant([int(size) for part in known for size in part], dtype=dtypes.int32)


# Conditions, each a bool where it is known, else a bool tensor of the run.


def _known(condition: Tensor) -> Any:
    known = get_static_value(condition)
    return condition if known is None else bool(known)


def _length_of(vector: Tensor) -> Any:
    known = vector.shape[0].value if vector.shape.rank == 1 else None
    return array.size(vector) if known is None else known


def _has_axes(shape: Tensor) -> Any:
    length = _length_of(shape)
    return length > 0 if isinstance(length, int) else math.greater(length, 0)


def _logical_not(condition: Any) -> Any:
    return not condition if isinstance(condition, bool) else math.logical_not(condition)


def _logical_and(a: Any, b: Any) -> Any:
    if a is False or b is False:
        return False
    if a is True or b is True:
        return b if a is True else a
    return math.logical_and(a, b)


def _picked(condition: Any, if_true: Tensor, if_false: Tensor) -> Tensor:
    if isinstance(condition, bool):
        return if_true if condition else if_false
    return pick_vector(condition, if_true, if_false)


def _chosen(condition: Any, if_true: Any, if_false: int) -> Any:
    chosen = _picked(
        condition,
        array.reshape(convert_to_tensor(if_true, dtype=dtypes.int32), [1]),
        convert_to_tensor([if_false], dtype=dtypes.int32),
    )
    return array.reshape(chosen, [])


def _static_choice(is_override: Any, override: Tensor, own: TensorShape) -> TensorShape:
    if is_override is False:
        return own
    if is_override is not True:
        return TensorShape(None)
    return TensorShape(constant_value_as_shape(override))
