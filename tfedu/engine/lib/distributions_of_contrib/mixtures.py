"""`tf.contrib.distributions.Mixture` and `MixtureSameFamily`: each draw is one of a component, which is drawn first. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array, constructors, sequences
from ..arrays.selection import dynamic_stitch, gather, where, where_v2
from ..distributions.categorical import Categorical
from ..distributions.derived_seed import SeedStream, derived_seed
from ..distributions.distribution import NOT_REPARAMETERIZED, Distribution
from ..framework.scope_blocks import name_scope
from ..framework.static_value import get_static_value
from ..math import math, products, reductions
from ..nn import activations


class Mixture(Distribution):
    """A draw of components[i], with the probability cat.probs[..., i].

    cat: a Categorical with one class for each component. components: distributions of the same dtype and shapes.
    use_static_graph: whether each component draws for all places instead of those that it has.
    Raises: TypeError for a `cat` or components that are none, or of several dtypes; ValueError for shapes and numbers that
    do not fit.
    """

    @atomic
    def __init__(
        self,
        cat: Categorical,
        components: Sequence[Distribution],
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        use_static_graph: bool = False,
        name: str = "Mixture",
    ) -> None:
        parameters = dict(locals())
        if not isinstance(cat, Categorical):
            raise TypeError(error_text(f"cat must be a Categorical distribution, but saw: {cat}"))
        if not components or not isinstance(components, (list, tuple)):
            raise ValueError(error_text("components must be a non-empty list or tuple"))
        if not all(isinstance(part, Distribution) for part in components):
            raise TypeError(
                error_text(f"all entries in components must be Distribution instances but saw: {components}")
            )
        dtype = components[0].dtype
        if any(part.dtype != dtype for part in components):
            raise TypeError(
                error_text(
                    "All components must have the same dtype, but saw dtypes: "
                    f"{[(part.name, part.dtype) for part in components]}"
                )
            )
        event, batch = components[0].event_shape, cat.batch_shape
        for part in components:
            event = event.merge_with(part.event_shape)
            batch = batch.merge_with(part.batch_shape)
        if event.rank is None or batch.rank is None:
            raise ValueError(error_text("The rank of the batch and of the events of a Mixture must be known."))
        count = get_static_value(cat.event_size)
        if count is None:
            raise ValueError(error_text("The number of classes of cat must be known."))
        if count != len(components):
            raise ValueError(error_text(f"cat.num_classes != len(components): {count} vs. {len(components)}"))
        self._use_static_graph = use_static_graph
        self._cat, self._components = cat, list(components)
        self._static_event, self._static_batch = event, batch
        with name_scope(name) as scope:
            parents = [parent for part in (cat, *components) for parent in part._graph_parents]
            super().__init__(
                dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, parents, scope
            )

    @property
    def cat(self) -> Categorical:
        """The distribution of the component's number."""
        return self._cat

    @property
    def components(self) -> list[Distribution]:
        """The components."""
        return self._components

    @property
    def num_components(self) -> int:
        """The number of components."""
        return len(self._components)

    def _batch_shape_tensor(self) -> Tensor:
        return self.cat.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self._static_batch

    def _event_shape_tensor(self) -> Tensor:
        return self.components[0].event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self._static_event

    def _over_event(self, x: Tensor) -> Tensor:
        """x with one axis of size 1 for each axis of an event, at the end."""
        for _ in range(self._static_event.rank or 0):
            x = x[..., None]
        return x

    def _probabilities(self) -> list[Tensor]:
        """For each component its probability [batch...]."""
        probs = activations.softmax(self.cat.logits)
        return [probs[..., i] for i in range(self.num_components)]

    def _mean(self) -> Tensor:
        weights = [self._over_event(p) for p in self._probabilities()]
        return products.add_n([p * part.mean() for p, part in zip(weights, self.components, strict=True)])

    def _stddev(self) -> Tensor:
        return math.sqrt(self._variance())

    def _variance(self) -> Tensor:
        # E[X²] - E[X]², with the parts of each component weighted by its probability
        weights = [self._over_event(p) for p in self._probabilities()]
        means = [part.mean() for part in self.components]
        mean = products.add_n([p * m for p, m in zip(weights, means, strict=True)])
        parts = [
            p * (math.square(part.stddev()) + math.squared_difference(m, mean))
            for p, part, m in zip(weights, self.components, means, strict=True)
        ]
        return products.add_n(parts)

    def _log_prob(self, value: Tensor) -> Tensor:
        return self._logarithm("log_prob", value)

    def _log_cdf(self, value: Tensor) -> Tensor:
        return self._logarithm("log_cdf", value)

    def _logarithm(self, method: str, value: Tensor) -> Tensor:
        of_parts = [getattr(part, method)(value) for part in self.components]
        logits = activations.log_softmax(self.cat.logits)
        both = [logits[..., i] + of_part for i, of_part in enumerate(of_parts)]
        return reductions.reduce_logsumexp(array.stack(both, axis=0), axis=[0])

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        chosen = self.cat.sample(n, seed=seed)
        if self._use_static_graph:
            picked = array.zeros(array.concat([array.shape(chosen), self.event_shape_tensor()], 0), self.dtype)
            for i, part in enumerate(self.components):
                seed = derived_seed(seed, "mixture")
                is_chosen = self._over_event(math.equal(chosen, i))
                picked = where_v2(is_chosen, part.sample(n, seed=seed), picked)
            return picked
        size = reductions.reduce_prod(self.batch_shape_tensor())
        flat, event = array.reshape(chosen, [-1]), self.event_shape_tensor()
        places, rows = [], []
        for i, part in enumerate(self.components):
            seed = derived_seed(seed, "mixture")
            # each component draws whole batches, as many as it has places, and gives each place its member of the batch
            at = math.cast(where(math.equal(flat, i))[:, 0], dtypes.int32)
            count = array.size(at)
            drawn = array.reshape(part.sample(count, seed=seed), array.concat([[-1], event], 0))
            places.append(at)
            rows.append(gather(drawn, sequences.range(count) * size + at % size))
        joined = dynamic_stitch(places, rows)
        return array.reshape(joined, array.concat([array.shape(chosen), event], 0))

    @atomic
    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Tensor:
        """A bound below the entropy, in nats: the weighted sum of the components' entropies [batch...]."""
        with self._name_scope(name):
            pairs = zip(self._probabilities(), self.components, strict=True)
            return products.add_n([p * part.entropy() for p, part in pairs])


class MixtureSameFamily(Distribution):
    """A draw of one of the k components that the last axis of a batch holds: components_distribution has the batch
    [batch..., k], and mixture_distribution, a Categorical, tells the probabilities of the k.

    Raises: ValueError for a mixture that is not over integers, for components without a batch, and for numbers that differ.
    Differs from TF: samples follow the seed, which 1.15 does not use.
    """

    @atomic
    def __init__(
        self,
        mixture_distribution: Any,
        components_distribution: Distribution,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MixtureSameFamily",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._mixture, self._parts = mixture_distribution, components_distribution
            if not mixture_distribution.dtype.is_integer:
                raise ValueError(
                    error_text(f"`mixture_distribution.dtype` ({mixture_distribution.dtype.name}) is not over integers")
                )
            shape = components_distribution.batch_shape.with_rank_at_least(1)
            if shape.rank is None or components_distribution.event_shape.rank is None:
                raise ValueError(error_text("The rank of the batch and of the events of the components must be known."))
            count, of_mixture = shape[-1].value, mixture_distribution.logits.shape.with_rank_at_least(1)[-1].value
            if count is not None and of_mixture is not None and count != of_mixture:
                raise ValueError(
                    error_text(
                        f"`mixture_distribution components` ({of_mixture}) does not equal "
                        f"`components_distribution.batch_shape[-1]` ({count})"
                    )
                )
            mixture_distribution.batch_shape.assert_is_compatible_with(
                shape[:-1] if mixture_distribution.batch_shape.rank else mixture_distribution.batch_shape
            )
            parents = [*mixture_distribution._graph_parents, *components_distribution._graph_parents]
            super().__init__(
                components_distribution.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, parents, scope
            )

    @property
    def mixture_distribution(self) -> Any:
        """The distribution of the component's number."""
        return self._mixture

    @property
    def components_distribution(self) -> Distribution:
        """The distribution of all components."""
        return self._parts

    def _batch_shape_tensor(self) -> Tensor:
        return self._parts.batch_shape_tensor()[:-1]

    def _batch_shape(self) -> TensorShape:
        return self._parts.batch_shape[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return self._parts.event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self._parts.event_shape

    def _event_rank(self) -> int:
        return self._parts.event_shape.rank or 0

    def _over_event(self, x: Tensor) -> Tensor:
        for _ in range(self._event_rank()):
            x = x[..., None]
        return x

    def _weighted(self, x: Tensor) -> Tensor:
        """The sum of x [batch..., k, event...] over the components, by their probabilities."""
        return reductions.reduce_sum(self._over_event(self._mixture.probs) * x, axis=-1 - self._event_rank())

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        seeds = SeedStream(seed, salt="MixtureSameFamily")
        drawn = self._parts.sample(n, seed=seeds())
        count = self._parts.batch_shape[-1].value
        depth = self._parts.batch_shape_tensor()[-1] if count is None else count
        shape: Any = n
        if not self._mixture.batch_shape.rank and self.batch_shape.rank:
            shape = array.concat([[n], self.batch_shape_tensor()], 0)
        chosen = self._mixture.sample(shape, seed=seeds())
        mask = self._over_event(constructors.one_hot(chosen, depth=depth, on_value=True, off_value=False))
        picked = where_v2(mask, drawn, array.zeros_like(drawn))
        return reductions.reduce_sum(picked, axis=-1 - self._event_rank())

    def _spread(self, value: Tensor) -> Tensor:
        """value [..., event...] with an axis for the components."""
        axis = -1 - self._event_rank()
        return array.expand_dims(value, axis=axis)

    def _logarithm(self, of_parts: Tensor) -> Tensor:
        return reductions.reduce_logsumexp(of_parts + activations.log_softmax(self._mixture.logits, axis=-1), axis=-1)

    def _log_prob(self, value: Tensor) -> Tensor:
        return self._logarithm(self._parts.log_prob(self._spread(value)))

    def _log_cdf(self, value: Tensor) -> Tensor:
        return self._logarithm(self._parts.log_cdf(self._spread(value)))

    def _mean(self) -> Tensor:
        return self._weighted(self._parts.mean())

    def _variance(self) -> Tensor:
        distance = math.squared_difference(self._parts.mean(), self._spread(self._mean()))
        return self._weighted(self._parts.variance()) + self._weighted(distance)

    def _covariance(self) -> Tensor:
        if self._event_rank() != 1:
            raise NotImplementedError(error_text("covariance is not implemented"))
        weights = self._mixture.probs[..., None, None]
        distance = self._parts.mean() - self._spread(self._mean())
        beside = products.matmul(distance[..., None], distance[..., None, :])
        within = reductions.reduce_sum(weights * self._parts.covariance(), axis=-3)
        return within + reductions.reduce_sum(weights * beside, axis=-3)  # type: ignore[no-any-return]
