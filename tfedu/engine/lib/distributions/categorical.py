"""`tf.distributions.Categorical`. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape, is_full
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array, constructors, selection
from ..control.grouping import identity
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope, named
from ..math import math, random, reductions
from ..nn import activations
from ..nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from .distribution import NOT_REPARAMETERIZED
from .divergence import RegisterKL
from .parameter_checks import checked_castable, checked_categories, logits_and_probs
from .scalar_events import ScalarDistribution


class Categorical(ScalarDistribution):
    """One of the classes 0 … n - 1, with probabilities `probs` [batch..., n]; `logits` are their unnormalised logarithms.

    Raises: ValueError unless just one of logits and probs is passed, and for one without axes; TypeError when it is not
    floating; in the run, under validate_args, InvalidArgumentError for probabilities that do not sum to 1.
    """

    @atomic
    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Categorical",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, multidimensional=True)
            if validate_args:
                self._logits = checked_categories(self._logits)
            self._find_sizes()
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self._logits, self._probs], scope
        )

    def _find_sizes(self) -> None:
        static = self._logits.shape.with_rank_at_least(1)
        if static.rank is not None:
            self._batch_rank = convert_to_tensor(static.rank - 1, dtype=dtypes.int32, name="batch_rank")
        else:
            with name_scope("batch_rank"):
                self._batch_rank = array.rank(self._logits) - 1
        shape = array.shape(self._logits, name="logits_shape")
        if static.rank is not None and static[-1].value is not None:
            self._event_size = convert_to_tensor(static[-1].value, dtype=dtypes.int32, name="event_size")
        else:
            with name_scope("event_size"):
                self._event_size = shape[self._batch_rank]
        if is_full(static[:-1].raw):
            self._batch_sizes = constant(static[:-1].as_list(), dtype=dtypes.int32, name="batch_shape")
        else:
            with name_scope("batch_shape"):
                self._batch_sizes = shape[:-1]

    @property
    def event_size(self) -> Tensor:
        """The number of classes, an int32 scalar."""
        return self._event_size

    @property
    def logits(self) -> Tensor:
        """The unnormalised log probabilities [batch..., n]."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probabilities [batch..., n]."""
        return self._probs

    def _batch_shape_tensor(self) -> Tensor:
        return identity(self._batch_sizes)

    def _batch_shape(self) -> TensorShape:
        return self.logits.shape[:-1]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        logits = self.logits
        if logits.raw_shape is None or len(logits.raw_shape) != 2:
            logits = array.reshape(logits, [-1, self.event_size])
        kind = dtypes.int64 if self.dtype.size > 4 else dtypes.int32
        drawn = array.transpose(random.multinomial(logits, n, seed=seed, output_dtype=kind))
        drawn = array.reshape(drawn, self._drawn_shape(n))
        return math.cast(drawn, self.dtype)

    def _log_prob(self, value: Tensor) -> Tensor:
        value, logits = self._broadcast(value, self.logits)
        return -sparse_softmax_cross_entropy_with_logits(labels=value, logits=logits)

    def _cdf(self, value: Tensor) -> Tensor:
        value, probs = self._broadcast(value, self.probs)
        rows = array.reshape(probs, [-1, self.event_size])
        below = constructors.sequence_mask(array.reshape(value, [-1]), self.event_size)
        total = reductions.reduce_sum(selection.where(below, rows, array.zeros_like(rows)), axis=-1)
        return array.reshape(total, array.shape(value))

    def _broadcast(self, value: Tensor, parameter: Tensor) -> tuple[Tensor, Tensor]:
        """(classes [...], parameter [..., n]) of one shape."""
        if self.validate_args:
            value = checked_castable(value, dtypes.int32)
        if value.dtype.is_floating:
            value = math.cast(value, dtypes.int32)
        elif not value.dtype.is_integer:
            raise TypeError(error_text(f"`value` should have integer `dtype` or `self.dtype` ({self.dtype.base_dtype})", [value]))
        static = parameter.shape[:-1].raw
        if is_full(static) and static == value.raw_shape:
            return value, parameter
        parameter = parameter * array.ones_like(value[..., None], dtype=parameter.dtype)
        value = value * array.ones(array.shape(parameter)[:-1], dtype=value.dtype)
        if parameter.raw_shape is not None:
            value.set_shape(parameter.shape[:-1])
        return value, parameter

    def _entropy(self) -> Tensor:
        return -reductions.reduce_sum(activations.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Tensor:
        mode = math.cast(reductions.argmax(self.logits, axis=self._batch_rank), self.dtype)
        mode.set_shape(self.batch_shape)
        return mode


@RegisterKL(Categorical, Categorical)
def _divergence(a: Categorical, b: Categorical, name: str | None = None) -> Tensor:
    with named(name, "kl_categorical_categorical", [a.logits, b.logits]):
        difference = activations.log_softmax(a.logits) - activations.log_softmax(b.logits)
        return reductions.reduce_sum(activations.softmax(a.logits) * difference, axis=-1)
