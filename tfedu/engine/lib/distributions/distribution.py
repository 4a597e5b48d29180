"""`Distribution`: what all distributions of `tf.distributions` have in common, and how a program writes its own.

A distribution has a batch of parameters [batch...]; one draw of one of them is an event [event...]. A public method opens
the distribution's scope and the method's own, and calls a hook: `prob` calls `_prob`, or `_log_prob` where only that is
written. State: none but in the instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape, is_full
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..arrays import array
from ..framework.conversion import convert_to_tensor, is_tensor
from ..framework.scope_blocks import name_scope
from ..framework.static_value import get_static_value
from ..math import math, reductions
from .divergence import cross_entropy, kl_divergence
from .shape_choice import pick_vector


class ReparameterizationType:
    """Whether gradients pass through a sample to the distribution's parameters: `FULLY_REPARAMETERIZED` or
    `NOT_REPARAMETERIZED`. Two of them are equal only when they are the same object.
    """

    def __init__(self, rep_type: str) -> None:
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameteriation Type: {self._rep_type}>"  # TF's own spelling


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


def first_implemented(*ways: Callable[[], Tensor]) -> Tensor:
    """The result of the first way that is implemented.

    Raises: NotImplementedError of the first way when none is.
    """
    missing: list[NotImplementedError] = []
    for way in ways:
        try:
            return way()
        except NotImplementedError as error:
            missing.append(error)
    raise missing[0]


class Distribution:
    """A distribution over events [event...], for each member of a batch [batch...] of parameters.

    dtype: that of the samples. validate_args: whether runs check parameters and values, at some cost. allow_nan_stats:
    whether an undefined statistic is NaN instead of an error. parameters: the constructor's arguments by name, for `copy`.
    graph_parents: tensors that the distribution is made of. name: prefix of the nodes' names; a scope, "Normal_1/", is
    entered again.

    A derived class writes the hooks that it can: `_batch_shape`, `_batch_shape_tensor`, `_event_shape`,
    `_event_shape_tensor`, `_sample_n`, `_log_prob` or `_prob`, `_cdf`, `_mean` … `sample`, `prob` and the other methods call
    them, and raise NotImplementedError where they are missing.

    Raises: ValueError for a graph parent that is no tensor.
    """

    def __init__(
        self,
        dtype: Any,
        reparameterization_type: ReparameterizationType,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: dict[str, Any] | None = None,
        graph_parents: Iterable[Any] | None = None,
        name: str | None = None,
    ) -> None:
        self._graph_parents = list(graph_parents or ())
        for i, parent in enumerate(self._graph_parents):
            if not is_tensor(parent):
                raise ValueError(error_text(f"Graph parent item {i} is not a Tensor; {parent}."))
        if not name or not name.endswith("/"):
            with name_scope(name or type(self).__name__) as scope:
                name = scope
        self._dtype = dtypes.as_dtype(dtype)
        self._reparameterization_type = reparameterization_type
        self._validate_args = validate_args
        self._allow_nan_stats = allow_nan_stats
        self._parameters = {} if parameters is None else dict(parameters)
        self._name = name

    # -- what it is ----------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The prefix of its nodes' names: "Normal_1/"."""
        return self._name

    @property
    def dtype(self) -> DType:
        """The dtype of its samples."""
        return self._dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments by which it was made, by name."""
        return {key: value for key, value in self._parameters.items() if key != "self" and not key.startswith("__")}

    @property
    def reparameterization_type(self) -> ReparameterizationType:
        """Whether gradients pass through samples to the parameters."""
        return self._reparameterization_type

    @property
    def allow_nan_stats(self) -> bool:
        """Whether an undefined statistic is NaN; otherwise the run that computes it fails."""
        return self._allow_nan_stats

    @property
    def validate_args(self) -> bool:
        """Whether runs check parameters and values."""
        return self._validate_args

    @property
    def batch_shape(self) -> TensorShape:
        """The static shape [batch...] of the parameters of one event."""
        return as_shape(self._batch_shape())

    @property
    def event_shape(self) -> TensorShape:
        """The static shape [event...] of one draw."""
        return as_shape(self._event_shape())

    def __str__(self) -> str:
        known = [
            f"{label}={shape}, "
            for label, shape in (("batch_shape", self.batch_shape), ("event_shape", self.event_shape))
            if shape.rank is not None
        ]
        return f'tfp.distributions.{type(self).__name__}("{self.name}", {"".join(known)}dtype={self.dtype.name})'

    def __repr__(self) -> str:
        return (
            f"<tfp.distributions.{type(self).__name__} '{self.name}' batch_shape={self.batch_shape} "
            f"event_shape={self.event_shape} dtype={self.dtype.name}>"
        )

    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """A distribution of the same class, made by the same arguments but for those that are given."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    # -- shapes of parameters --------------------------------------------------------------------------------------

    @classmethod
    @atomic
    def param_shapes(cls, sample_shape: Any, name: str = "DistributionParamShapes") -> dict[str, Tensor]:
        """For each parameter the shape tensor that makes `sample()` give sample_shape [rank]."""
        with name_scope(name, values=[sample_shape]):
            return cls._param_shapes(convert_to_tensor(sample_shape, dtype=dtypes.int32))

    @classmethod
    @atomic
    def param_static_shapes(cls, sample_shape: Any) -> dict[str, TensorShape]:
        """For each parameter the static shape that makes `sample()` give a sample_shape that is known.

        Raises: ValueError for one that is not.
        """
        if isinstance(sample_shape, TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError(error_text("TensorShape sample_shape must be fully defined"))
            sample_shape = sample_shape.as_list()
        static = {key: get_static_value(shape) for key, shape in cls.param_shapes(sample_shape).items()}
        if any(shape is None for shape in static.values()):
            raise ValueError(error_text("sample_shape must be a fully-defined TensorShape or list/tuple"))
        return {key: TensorShape(shape) for key, shape in static.items()}

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        raise NotImplementedError(error_text("_param_shapes not implemented"))

    # -- hooks -----------------------------------------------------------------------------------------------------

    def _missing(self, what: str) -> NotImplementedError:
        return NotImplementedError(error_text(f"{what} is not implemented: {type(self).__name__}"))

    def _batch_shape(self) -> Any:
        return None

    def _event_shape(self) -> Any:
        return None

    def _batch_shape_tensor(self) -> Tensor:
        raise self._missing("batch_shape_tensor")

    def _event_shape_tensor(self) -> Tensor:
        raise self._missing("event_shape_tensor")

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        raise self._missing("sample_n")

    def _log_prob(self, value: Tensor) -> Tensor:
        raise self._missing("log_prob")

    def _prob(self, value: Tensor) -> Tensor:
        raise self._missing("prob")

    def _log_cdf(self, value: Tensor) -> Tensor:
        raise self._missing("log_cdf")

    def _cdf(self, value: Tensor) -> Tensor:
        raise self._missing("cdf")

    def _log_survival_function(self, value: Tensor) -> Tensor:
        raise self._missing("log_survival_function")

    def _survival_function(self, value: Tensor) -> Tensor:
        raise self._missing("survival_function")

    def _quantile(self, value: Tensor) -> Tensor:
        raise self._missing("quantile")

    def _entropy(self) -> Tensor:
        raise self._missing("entropy")

    def _mean(self) -> Tensor:
        raise self._missing("mean")

    def _variance(self) -> Tensor:
        raise self._missing("variance")

    def _stddev(self) -> Tensor:
        raise self._missing("stddev")

    def _covariance(self) -> Tensor:
        raise self._missing("covariance")

    def _mode(self) -> Tensor:
        raise self._missing("mode")

    # -- methods ---------------------------------------------------------------------------------------------------

    @contextmanager
    def _name_scope(self, name: str | None = None, values: Iterable[Any] = ()) -> Iterator[str]:
        with name_scope(self.name), name_scope(name, values=[*values, *self._graph_parents]) as scope:
            yield scope

    @atomic
    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """The shape of the batch as an int32 tensor [rank]."""
        with self._name_scope(name):
            if is_full(self.batch_shape.raw):
                return convert_to_tensor(self.batch_shape.as_list(), dtype=dtypes.int32, name="batch_shape")
            return self._batch_shape_tensor()

    @atomic
    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Tensor:
        """The shape of an event as an int32 tensor [rank]."""
        with self._name_scope(name):
            if is_full(self.event_shape.raw):
                return convert_to_tensor(self.event_shape.as_list(), dtype=dtypes.int32, name="event_shape")
            return self._event_shape_tensor()

    @atomic
    def is_scalar_event(self, name: str = "is_scalar_event") -> Tensor:
        """Whether an event is a number: a bool scalar."""
        with self._name_scope(name):
            return self._is_scalar(self.event_shape, self.event_shape_tensor, "is_scalar_event")

    @atomic
    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Tensor:
        """Whether the batch has no axes: a bool scalar."""
        with self._name_scope(name):
            return self._is_scalar(self.batch_shape, self.batch_shape_tensor, "is_scalar_batch")

    def _is_scalar(self, static: TensorShape, dynamic: Callable[[], Tensor], label: str) -> Tensor:
        if static.rank is not None:
            return convert_to_tensor(static.rank == 0, name=label)
        shape = dynamic()
        if shape.raw_shape is not None and shape.raw_shape[0] is not None:
            return convert_to_tensor(shape.raw_shape[0] == 0, name=label)
        return math.equal(array.shape(shape)[0], 0)

    def sample(self, sample_shape: Any = (), seed: int | None = None, name: str = "sample") -> Tensor:
        """Draws [sample_shape..., batch..., event...].

        sample_shape: a number of draws, or a vector. Raises: ValueError for one of higher rank.
        """
        return self._call_sample_n(sample_shape, seed, name)

    @atomic
    def _call_sample_n(self, sample_shape: Any, seed: int | None, name: str, **kwargs: Any) -> Tensor:
        with self._name_scope(name, [sample_shape]):
            sample_shape = convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            sample_shape, count = _as_vector(sample_shape)
            drawn = self._sample_n(count, seed, **kwargs)
            of_one = array.shape(drawn)[1:]
            drawn = array.reshape(drawn, array.concat([sample_shape, of_one], 0))
            drawn = self._transformed(drawn, **kwargs)
            drawn.set_shape(self._static_sample_shape(drawn, sample_shape))
            return drawn

    def _transformed(self, drawn: Tensor, **kwargs: Any) -> Tensor:
        """What becomes of draws [sample_shape..., batch..., event...]."""
        return drawn

    def _static_sample_shape(self, drawn: Tensor, sample_shape: Tensor) -> TensorShape:
        """What the parts sample, batch and event tell of a sample's static shape."""
        sample = TensorShape(get_static_value(sample_shape)).raw
        batch, event = self.batch_shape.raw, self.event_shape.raw
        if sample is not None and batch is not None and event is not None:
            return TensorShape.of((*sample, *batch, *event))
        if drawn.raw_shape is None:
            return TensorShape(None)
        sizes: list[int | None] = list(drawn.raw_shape)
        if sample is not None:
            sizes[: len(sample)] = sample
        if event is not None:
            behind = len(sizes) - len(event)
            sizes[behind:] = event
            if batch is not None:
                sizes[behind - len(batch) : behind] = batch
        elif sample is not None and batch is not None:
            sizes[len(sample) : len(sample) + len(batch)] = batch
        return TensorShape(sizes)

    @contextmanager
    def _of_value(self, name: str, value: Any) -> Iterator[Tensor]:
        """The method's scope, with the value as a tensor, of the distribution's dtype where a Python value fits it."""
        with self._name_scope(name, [value]):
            yield convert_to_tensor(value, name="value", preferred_dtype=self.dtype)

    def log_prob(self, value: Any, name: str = "log_prob") -> Tensor:
        """The logarithm of the probability, or of the density, at value [..., batch..., event...]: [..., batch...]."""
        return self._call_log_prob(value, name)

    @atomic
    def _call_log_prob(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        with self._of_value(name, value) as x:
            return first_implemented(lambda: self._log_prob(x, **kwargs), lambda: math.log(self._prob(x, **kwargs)))

    def prob(self, value: Any, name: str = "prob") -> Tensor:
        """The probability, or the density, at value [..., batch..., event...]: [..., batch...]."""
        return self._call_prob(value, name)

    @atomic
    def _call_prob(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        with self._of_value(name, value) as x:
            return first_implemented(lambda: self._prob(x, **kwargs), lambda: math.exp(self._log_prob(x, **kwargs)))

    def log_cdf(self, value: Any, name: str = "log_cdf") -> Tensor:
        """The logarithm of the probability that a draw is at most value [..., batch..., event...]: [..., batch...]."""
        return self._call_log_cdf(value, name)

    @atomic
    def _call_log_cdf(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        with self._of_value(name, value) as x:
            return first_implemented(lambda: self._log_cdf(x, **kwargs), lambda: math.log(self._cdf(x, **kwargs)))

    def cdf(self, value: Any, name: str = "cdf") -> Tensor:
        """The probability that a draw is at most value [..., batch..., event...]: [..., batch...]."""
        return self._call_cdf(value, name)

    @atomic
    def _call_cdf(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        with self._of_value(name, value) as x:
            return first_implemented(lambda: self._cdf(x, **kwargs), lambda: math.exp(self._log_cdf(x, **kwargs)))

    def log_survival_function(self, value: Any, name: str = "log_survival_function") -> Tensor:
        """The logarithm of the probability that a draw exceeds value [..., batch..., event...]: [..., batch...]."""
        return self._call_log_survival_function(value, name)

    @atomic
    def _call_log_survival_function(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        with self._of_value(name, value) as x:
            return first_implemented(lambda: self._log_survival_function(x, **kwargs), lambda: math.log1p(-self.cdf(x, **kwargs)))

    def survival_function(self, value: Any, name: str = "survival_function") -> Tensor:
        """The probability that a draw exceeds value [..., batch..., event...]: [..., batch...]."""
        return self._call_survival_function(value, name)

    @atomic
    def _call_survival_function(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        with self._of_value(name, value) as x:
            return first_implemented(lambda: self._survival_function(x, **kwargs), lambda: 1.0 - self.cdf(x, **kwargs))

    @atomic
    def quantile(self, value: Any, name: str = "quantile") -> Tensor:
        """The number that a draw exceeds with probability 1 - value [..., batch...]: [..., batch...]."""
        with self._of_value(name, value) as x:
            return self._quantile(x)

    @atomic
    def entropy(self, name: str = "entropy") -> Tensor:
        """The entropy in nats: [batch...]."""
        with self._name_scope(name):
            return self._entropy()

    @atomic
    def mean(self, name: str = "mean") -> Tensor:
        """The mean: [batch..., event...]."""
        with self._name_scope(name):
            return self._mean()

    @atomic
    def variance(self, name: str = "variance") -> Tensor:
        """The variance of each element of an event: [batch..., event...]."""
        with self._name_scope(name):
            return first_implemented(self._variance, lambda: math.square(self._stddev()))

    @atomic
    def stddev(self, name: str = "stddev") -> Tensor:
        """The standard deviation of each element of an event: [batch..., event...]."""
        with self._name_scope(name):
            return first_implemented(self._stddev, lambda: math.sqrt(self._variance()))

    @atomic
    def covariance(self, name: str = "covariance") -> Tensor:
        """The covariances of the elements of an event, a vector [k]: [batch..., k, k]."""
        with self._name_scope(name):
            return self._covariance()

    @atomic
    def mode(self, name: str = "mode") -> Tensor:
        """The likeliest event: [batch..., event...]."""
        with self._name_scope(name):
            return self._mode()

    @atomic
    def cross_entropy(self, other: Any, name: str = "cross_entropy") -> Tensor:
        """The expected -log other.prob(x) of a draw x, in nats: [batch...].

        Raises: NotImplementedError where the divergence from `other` is not known.
        """
        with self._name_scope(name):
            return cross_entropy(self, other, allow_nan_stats=self.allow_nan_stats)

    @atomic
    def kl_divergence(self, other: Any, name: str = "kl_divergence") -> Tensor:
        """The Kullback-Leibler divergence from `other`, in nats: [batch...].

        Raises: NotImplementedError where it is not known.
        """
        with self._name_scope(name):
            return kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)


def _as_vector(shape: Tensor) -> tuple[Tensor, Any]:
    """(the sample shape as a vector, the number of draws: an int where it is known).

    Raises: ValueError for a shape tensor of rank 2 or more.
    """
    if shape.raw_shape is not None and len(shape.raw_shape) > 1:
        raise ValueError(error_text("Input is neither scalar nor vector.", [shape]))
    known = get_static_value(shape)
    count = reductions.reduce_prod(shape) if known is None else int(np.prod(known, dtype=np.int64))
    if shape.raw_shape is None:
        is_scalar = math.equal(array.rank(shape), 0)
        return array.reshape(shape, pick_vector(is_scalar, np.array([1], np.int32), array.shape(shape))), count
    if shape.raw_shape == ():
        if known is None:
            return array.reshape(shape, [1]), count
        return convert_to_tensor(np.array([known], np.int32), name="sample_shape"), count
    return shape, count
