"""`batch_normalization` and `BatchNormalization`: inputs with mean 0 and variance 1 over a batch, then scaled and shifted.

In training, the batch's own statistics count, and the updates let the moving ones follow; they join the collection UPDATE_OPS,
and a program runs them with its training step. Otherwise the moving ones count. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import as_shape
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array
from ...lib.control.smart_cond import smart_constant_value
from ...lib.math import math, reductions
from ...lib.nn import moments, normalization
from ...lib.variables.variable_settings import VariableAggregation, VariableSynchronization
from ...lib.variables.variables import Variable
from ...op.constant import constant
from .base_layer import KerasLayer
from .call_context import choose_by_training, learning_phase
from .identifiers import config_of, initializer_named
from .input_spec import InputSpec
from .penalties import constraint_named, regularizer_named
from .renorm import Renorm, composed, moved


class BatchNormalization(KerasLayer):
    """(inputs - mean) / sqrt(variance + epsilon) · gamma + beta: [n, ..., c] -> [n, ..., c], with gamma, beta and the moving
    statistics of the axis: [c].

    axis: that of the channels, or several. center, scale: whether there are beta and gamma. momentum: how much of a moving
    statistic stays in an update. renorm: corrects the batch's statistics towards the moving ones, within renorm_clipping (rmin,
    rmax, dmax). fused: False computes by several nodes even where one can. virtual_batch_size: groups of that many examples
    have statistics of their own. adjustment: a function from the inputs' shape to a (scale, bias) for training.

    Raises: ValueError for an unknown rank or number of channels, an invalid axis, and arguments that exclude each other.
    """

    def __init__(
        self,
        axis: Any = -1,
        momentum: Any = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        renorm: bool = False,
        renorm_clipping: Any = None,
        renorm_momentum: Any = 0.99,
        fused: bool | None = None,
        trainable: bool = True,
        virtual_batch_size: int | None = None,
        adjustment: Callable[[Any], Any] | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, trainable=trainable, **kwargs)
        if not isinstance(axis, (int, list)):
            raise TypeError(error_text(f"axis must be int or list, type given: {type(axis)}"))
        self.axis = list(axis) if isinstance(axis, list) else axis
        self.momentum = momentum
        self.epsilon = epsilon
        self.center = center
        self.scale = scale
        self.beta_initializer = initializer_named(beta_initializer)
        self.gamma_initializer = initializer_named(gamma_initializer)
        self.moving_mean_initializer = initializer_named(moving_mean_initializer)
        self.moving_variance_initializer = initializer_named(moving_variance_initializer)
        self.beta_regularizer = regularizer_named(beta_regularizer)
        self.gamma_regularizer = regularizer_named(gamma_regularizer)
        self.beta_constraint = constraint_named(beta_constraint)
        self.gamma_constraint = constraint_named(gamma_constraint)
        self.renorm = Renorm(self, renorm_clipping or {}, renorm_momentum) if renorm else None
        self.virtual_batch_size = virtual_batch_size
        self.adjustment = adjustment
        plain = not renorm and virtual_batch_size is None and adjustment is None
        self.fused = plain if fused is None else fused
        self._one_node = plain
        self.supports_masking = True

    # -- variables -----------------------------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Creates gamma, beta and the moving statistics."""
        shape = as_shape(input_shape)
        if not shape.ndims:
            raise ValueError(error_text(f"('Input has undefined rank:', {shape!r})"))
        self.axis = self._checked_axes(shape.ndims)
        sizes = shape.as_list()
        if any(sizes[axis] is None for axis in self.axis):
            raise ValueError(error_text(f"('Input has undefined `axis` dimension. Input shape: ', {shape!r})"))
        self.input_spec = InputSpec(ndim=shape.ndims, axes={axis: sizes[axis] for axis in self.axis})
        self.fused = bool(self.fused and self._one_node and shape.ndims == 4 and self.axis in ([1], [3]))
        self._data_format = "NCHW" if self.axis == [1] else "NHWC"
        whole = [sizes[i] if i in self.axis else 1 for i in range(shape.ndims)]
        if self.virtual_batch_size is not None:
            self._check_virtual_batches()
            whole.insert(1, 1)
            self.axis = [axis + 1 for axis in self.axis]
        several = len(self.axis) > 1 or self.virtual_batch_size is not None
        self._create(whole if several else [sizes[self.axis[0]]])
        self.built = True

    def _checked_axes(self, rank: int) -> list[int]:
        axes = self.axis if isinstance(self.axis, list) else [self.axis]
        axes = [axis + rank if axis < 0 else axis for axis in axes]
        for axis in axes:
            if not 0 <= axis < rank:
                raise ValueError(error_text(f"Invalid axis: {axis}"))
        if len(axes) != len(set(axes)):
            raise ValueError(error_text(f"Duplicate axis: {axes}"))
        return axes

    def _check_virtual_batches(self) -> None:
        if self.virtual_batch_size is not None and self.virtual_batch_size <= 0:
            raise ValueError(
                error_text(
                    "virtual_batch_size must be a positive integer that divides the true batch size of the input Tensor"
                )
            )
        if self.adjustment is not None:
            raise ValueError(error_text("When using virtual_batch_size, adjustment cannot be specified"))

    @property
    def _statistics_dtype(self) -> str:
        """Of the variables: float32 for smaller types."""
        return "float32" if self.dtype in ("float16", "bfloat16", None) else self.dtype

    def _create(self, shape: list[int]) -> None:
        dtype = self._statistics_dtype

        def weight(name: str, initial_value: float) -> Any:
            if not getattr(self, "scale" if name == "gamma" else "center"):
                return constant(initial_value, as_dtype(dtype), shape) if self.fused else None
            return self.add_weight(
                name, shape, dtype, getattr(self, f"{name}_initializer"), getattr(self, f"{name}_regularizer"),
                trainable=True, constraint=getattr(self, f"{name}_constraint"),
            )  # fmt: skip

        self.gamma, self.beta = weight("gamma", 1.0), weight("beta", 0.0)
        with self._unpartitioned():
            self.moving_mean = self.add_statistic("moving_mean", shape, self.moving_mean_initializer)
            self.moving_variance = self.add_statistic("moving_variance", shape, self.moving_variance_initializer)
            if self.renorm is not None:
                self.renorm.create(shape)

    def add_statistic(self, name: str, shape: list[int], initializer: Any) -> Any:
        """Creates the variable of a moving mean or variance; no optimizer trains it."""
        return self.add_weight(
            name, shape, self._statistics_dtype, initializer, trainable=False,
            synchronization=VariableSynchronization.ON_READ, aggregation=VariableAggregation.MEAN,
        )  # fmt: skip

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def call(self, inputs: Any, training: Any = None) -> Any:
        """[n, ..., c] -> [n, ..., c]. training: a bool or a bool scalar tensor; None for Keras' learning phase."""
        if training is None:
            training = learning_phase()
        if self.fused:
            return self._by_one_node(inputs, training)
        if self.virtual_batch_size is None:
            return self._by_several_nodes(inputs, training)
        sizes = inputs.shape.as_list()[1:]
        groups = array.reshape(inputs, [self.virtual_batch_size, -1, *sizes])
        outputs = self._by_several_nodes(groups, training)
        return array.reshape(outputs, [-1, *sizes])

    def _by_one_node(self, inputs: Any, training: Any) -> Any:
        options = {"epsilon": self.epsilon, "data_format": self._data_format}
        outputs, mean, variance = choose_by_training(
            training,
            lambda: normalization.fused_batch_norm(inputs, self.gamma, self.beta, **options),
            lambda: normalization.fused_batch_norm(
                inputs, self.gamma, self.beta, self.moving_mean, self.moving_variance, is_training=False, **options
            ),
        )
        known = _known(training)
        if known is None:
            momentum = choose_by_training(training, lambda: self.momentum, lambda: 1.0)
        else:
            momentum = convert_to_tensor(self.momentum)
        if known is not False:
            self.add_update(moved(self.moving_mean, mean, momentum))
            self.add_update(moved(self.moving_variance, variance, momentum))
        return outputs

    def _by_several_nodes(self, inputs: Any, training: Any) -> Any:
        summed = [axis for axis in range(len(inputs.shape)) if axis not in self.axis]
        if self.virtual_batch_size is not None:
            del summed[1]  # each group has statistics of its own
        scale, offset = (self._broadcast(value, inputs, summed) for value in (self.gamma, self.beta))
        if _known(training) is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            if self.adjustment is not None:
                scale, offset = self._adjusted(inputs, training, scale, offset)
            mean, variance = self._batch_statistics(inputs, summed, training)
            scale, offset = self._follow(inputs, summed, training, mean, variance, scale, offset)
        parts = {"mean": mean, "variance": variance, "offset": offset, "scale": scale}
        cast = {name: None if part is None else math.cast(part, inputs.dtype) for name, part in parts.items()}
        outputs = normalization.batch_normalization(
            inputs,
            self._broadcast(cast["mean"], inputs, summed),
            self._broadcast(cast["variance"], inputs, summed),
            cast["offset"],
            cast["scale"],
            self.epsilon,
        )
        outputs.set_shape(inputs.shape)
        return outputs

    def _broadcast(self, value: Any, inputs: Any, summed: list[int]) -> Any:
        """A value of the channels [c] as [1, ..., c, ..., 1], unless they are the inputs' last axis."""
        rank = len(inputs.shape)
        if value is None or len(value.shape) == rank or summed == list(range(rank - 1)):
            return value
        sizes = [1] * rank
        sizes[self.axis[0]] = inputs.shape.as_list()[self.axis[0]]
        return array.reshape(value, sizes)

    def _adjusted(self, inputs: Any, training: Any, scale: Any, offset: Any) -> tuple[Any, Any]:
        assert self.adjustment is not None
        factor, bias = self.adjustment(array.shape(inputs))
        factor = choose_by_training(training, lambda: factor, lambda: array.ones_like(factor))
        bias = choose_by_training(training, lambda: bias, lambda: array.zeros_like(bias))
        return composed(factor, bias, scale, offset)

    def _batch_statistics(self, inputs: Any, summed: list[int], training: Any) -> tuple[Any, Any]:
        """Mean and variance of the batch in training, else the moving ones."""
        values = math.cast(inputs, self._statistics_dtype) if self.dtype in ("float16", "bfloat16") else inputs
        keep = self.virtual_batch_size is not None or len(self.axis) > 1
        mean, variance = moments.moments(values, summed, keep_dims=keep)
        return (
            choose_by_training(training, lambda: mean, lambda: convert_to_tensor(self.moving_mean)),
            choose_by_training(training, lambda: variance, lambda: convert_to_tensor(self.moving_variance)),
        )

    def _follow(
        self, inputs: Any, summed: list[int], training: Any, mean: Any, variance: Any, scale: Any, offset: Any
    ) -> tuple[Any, Any]:
        """Lets the moving statistics follow those of the batch; scale and offset, corrected by renorm."""
        if self.virtual_batch_size is not None:
            mean, variance = (reductions.reduce_mean(value, axis=1, keepdims=True) for value in (mean, variance))
        if self.renorm is not None:
            r, d, mean, variance = self.renorm.correction(mean, variance, training)
            r = self._broadcast(array.stop_gradient(r, name="renorm_r"), inputs, summed)
            d = self._broadcast(array.stop_gradient(d, name="renorm_d"), inputs, summed)
            scale, offset = composed(r, d, scale, offset)

        def new_mean() -> Any:
            return moved(self.moving_mean, mean, self.momentum)

        def new_variance() -> Any:
            if self.renorm is None:
                return moved(self.moving_variance, variance, self.momentum)
            return self.renorm.new_variance(variance)

        self.add_update(choose_by_training(training, new_mean, lambda: self.moving_mean))
        self.add_update(choose_by_training(training, new_variance, lambda: self.moving_variance))
        return scale, offset

    # -- as data -------------------------------------------------------------------------------------------------------

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[n, ..., c] -> [n, ..., c]."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        plain = ("axis", "momentum", "epsilon", "center", "scale")
        functions = (
            "beta_initializer", "gamma_initializer", "moving_mean_initializer", "moving_variance_initializer",
            "beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint",
        )  # fmt: skip
        return {
            **super().get_config(),
            **{name: getattr(self, name) for name in plain},
            **{name: config_of(getattr(self, name)) for name in functions},
        }


def _known(training: Any) -> bool | None:
    """The value of `training`, None where only a run knows it."""
    known = None if isinstance(training, Variable) else smart_constant_value(training)
    return None if known is None else bool(known)


__all__ = ["BatchNormalization"]
