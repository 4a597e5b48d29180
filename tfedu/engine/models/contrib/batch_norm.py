"""`tf.contrib.layers.batch_norm`: normalization by the statistics of a batch, and by moving ones outside training.

    net = batch_norm(net, is_training=is_training)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)): train = …

Three ways build it: tf.layers.BatchNormalization where it can; one fused node where updates are to run at once or go to another
collection; else nodes of its own. Source: Ioffe and Szegedy, 2015. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.control.grouping import identity
from ...lib.framework.collections import add_to_collections
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import waiting_for
from ...lib.nn import moments, normalization
from ...lib.variables.initializers import Ones, Zeros
from ...lib.variables.moving_averages import assign_moving_average
from ...lib.variables.variable_scope import get_variable_scope, variable_scope
from ...op.constant import constant
from ..layers.normalization_layers import BatchNormalization
from .arg_scopes import add_arg_scope
from .collected_outputs import collect_named_outputs, constant_value, get_variable_collections, smart_cond
from .layer_blocks import check_data_format, collect_layer_variables, finished, layer_block
from .model_variables import model_variable

_INITIALIZERS = {"beta": Zeros(), "gamma": Ones(), "moving_mean": Zeros(), "moving_variance": Ones()}


@add_arg_scope
@atomic
def batch_norm(
    inputs: Any,
    decay: Any = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Callable[[Any], Any] | None = None,
    param_initializers: dict[str, Any] | None = None,
    param_regularizers: dict[str, Any] | None = None,
    updates_collections: Any = GraphKeys.UPDATE_OPS,
    is_training: Any = True,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    batch_weights: Any = None,
    fused: bool | None = None,
    data_format: str = "NHWC",
    zero_debias_moving_mean: bool = False,
    scope: Any = None,
    renorm: bool = False,
    renorm_clipping: dict[str, Any] | None = None,
    renorm_decay: Any = 0.99,
    adjustment: Callable[[Any], Any] | None = None,
) -> Tensor:
    """activation_fn((inputs - mean) / √(variance + epsilon) · gamma + beta), for each channel of inputs [n, ..., c].

    In training mean and variance are the batch's, and updates move the moving ones towards them, by 1 - decay; else they are the
    moving ones. is_training: a bool or a bool scalar tensor. updates_collections: where the updates go; None runs them with the
    output. center, scale: whether there are beta and gamma. param_initializers: of "beta", "gamma", "moving_mean" and
    "moving_variance"; param_regularizers: of "beta" and "gamma". batch_weights: [n], how much each example counts.
    data_format: "NCHW" for inputs [n, c, ...]. zero_debias_moving_mean: corrects the moving mean of few updates. fused: False
    builds no single node. renorm, adjustment: as those of tf.layers.BatchNormalization.

    Raises: ValueError for another data_format, an unknown rank or number of channels, and renorm with updates elsewhere.
    """
    inputs = convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    elsewhere = zero_debias_moving_mean or updates_collections is not GraphKeys.UPDATE_OPS
    settings = _Settings(
        decay, center, scale, epsilon, param_initializers or {}, param_regularizers or {}, updates_collections, is_training,
        variables_collections, trainable, data_format, zero_debias_moving_mean,
    )  # fmt: skip
    can_fuse = batch_weights is None and not renorm and rank in (2, 4) and adjustment is None
    if fused is not False and can_fuse and (elsewhere or rank == 2):
        return _fused(inputs, settings, activation_fn, reuse, outputs_collections, scope)
    check_data_format(data_format, "NCHW", "NHWC")
    with layer_block(scope, "BatchNorm", inputs, reuse) as block:
        if batch_weights is None and not elsewhere:
            outputs = _by_layer(
                inputs, settings, block, reuse, fused, renorm, renorm_clipping, renorm_decay, adjustment
            )
        else:
            if renorm:
                raise ValueError(
                    error_text(
                        "renorm is not supported with batch_weights, updates_collections or zero_debias_moving_mean"
                    )
                )
            outputs = _by_nodes(inputs, settings, batch_weights)
        return finished(block, outputs, activation_fn, outputs_collections)


class _Settings(NamedTuple):
    """The arguments of `batch_norm` that all three ways use."""

    decay: Any
    center: bool
    scale: bool
    epsilon: float
    initializers: dict[str, Any]
    regularizers: dict[str, Any]
    updates_collections: Any
    is_training: Any
    variables_collections: Any
    trainable: bool
    data_format: str
    zero_debias: bool

    def initializer(self, name: str) -> Any:
        return self.initializers.get(name, _INITIALIZERS[name])

    def variable(self, name: str, shape: Any, dtype: Any, regularizer: Any = None) -> Any:
        """beta, gamma or a moving statistic."""
        return model_variable(
            name,
            shape=shape,
            dtype=dtype,
            initializer=self.initializer(name),
            regularizer=regularizer,
            collections=get_variable_collections(self.variables_collections, name),
            trainable=self.trainable and not name.startswith("moving"),
        )

    def needs_updates(self) -> bool:
        """Whether this may be a training."""
        known = constant_value(self.is_training)
        return known is None or bool(known)

    def updates(self, moving: tuple[Any, Any], mean: Any, variance: Any) -> tuple[Any, Any]:
        """The assigns that move the moving statistics towards those of the batch."""
        return (
            assign_moving_average(moving[0], mean, self.decay, zero_debias=self.zero_debias),
            assign_moving_average(moving[1], variance, self.decay, zero_debias=False),
        )

    def after_updates(self, moving: tuple[Any, Any], mean: Any, variance: Any, values: list[Any], otherwise: Any) -> Any:
        """In training the values after the updates, else otherwise()."""

        def updated() -> Any:
            with waiting_for(list(self.updates(moving, mean, variance))):
                passed_on = [identity(value) for value in values]
            return tuple(passed_on) if len(values) > 1 else passed_on[0]

        return smart_cond(self.is_training, updated, otherwise)

    def collect_updates(self, moving: tuple[Any, Any], mean: Any, variance: Any) -> None:
        """Adds the updates, which change nothing outside training, to their collections."""
        for update in smart_cond(self.is_training, lambda: self.updates(moving, mean, variance), lambda: moving):
            add_to_collections(self.updates_collections, update)


# -- by tf.layers -----------------------------------------------------------------------------------------------------


def _by_layer(
    inputs: Tensor,
    settings: _Settings,
    block: Any,
    reuse: Any,
    fused: bool | None,
    renorm: bool,
    renorm_clipping: Any,
    renorm_decay: Any,
    adjustment: Any,
) -> Tensor:
    layer = BatchNormalization(
        axis=1 if settings.data_format == "NCHW" else -1,
        momentum=settings.decay,
        epsilon=settings.epsilon,
        center=settings.center,
        scale=settings.scale,
        beta_initializer=settings.initializer("beta"),
        gamma_initializer=settings.initializer("gamma"),
        moving_mean_initializer=settings.initializer("moving_mean"),
        moving_variance_initializer=settings.initializer("moving_variance"),
        beta_regularizer=settings.regularizers.get("beta"),
        gamma_regularizer=settings.regularizers.get("gamma"),
        trainable=settings.trainable,
        renorm=renorm,
        renorm_clipping=renorm_clipping,
        renorm_momentum=renorm_decay,
        adjustment=adjustment,
        name=block.name,
        _scope=block,
        _reuse=reuse,
        fused=fused,
    )
    outputs = layer.apply(inputs, training=settings.is_training)
    names = ("moving_mean", "moving_variance", "beta", "gamma")
    collect_layer_variables(layer, settings.variables_collections, **{name: name for name in names})
    return outputs


# -- by one node ------------------------------------------------------------------------------------------------------


def _fused(
    inputs: Tensor, settings: _Settings, activation_fn: Any, reuse: Any, outputs_collections: Any, scope: Any
) -> Tensor:
    """Images [n, h, w, c] or rows [n, c], normalized by FusedBatchNormV3."""
    check_data_format(settings.data_format, "NCHW", "NHWC")
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as block:
        original, rank = inputs, len(inputs.shape)
        channels = inputs.shape.raw[-1 if settings.data_format == "NHWC" else 1]
        if channels is None:
            raise ValueError(error_text("`C` dimension must be known but is None", [inputs]))
        if rank == 2:
            sizes = [-1, 1, 1, channels] if settings.data_format == "NHWC" else [-1, channels, 1, 1]
            inputs = array.reshape(inputs, sizes)
        kind = dtypes.float32  # for float16 too
        parameters = []
        for name, wanted, otherwise in (("beta", settings.center, 0.0), ("gamma", settings.scale, 1.0)):
            if wanted:
                parameters.append(settings.variable(name, [channels], kind, settings.regularizers.get(name)))
            else:
                parameters.append(constant(otherwise, dtype=kind, shape=[channels]))
        beta, gamma = parameters
        moving = settings.variable("moving_mean", [channels], kind), settings.variable("moving_variance", [channels], kind)

        def normalized(**options: Any) -> Any:
            return normalization.fused_batch_norm(
                inputs, gamma, beta, epsilon=settings.epsilon, data_format=settings.data_format, **options
            )

        outputs, mean, variance = smart_cond(
            settings.is_training,
            normalized,
            lambda: normalized(mean=moving[0], variance=moving[1], is_training=False),
        )
        if settings.needs_updates():
            if settings.updates_collections is None:
                outputs = settings.after_updates(moving, mean, variance, [outputs], lambda: outputs)
            else:
                settings.collect_updates(moving, mean, variance)
        outputs.set_shape(inputs.shape)
        if rank == 2:
            outputs = array.reshape(outputs, array.shape(original))
            outputs.set_shape(original.shape)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collect_named_outputs(outputs_collections, block.name, outputs)


# -- by nodes of its own ------------------------------------------------------------------------------------------------


def _by_nodes(inputs: Tensor, settings: _Settings, batch_weights: Any) -> Tensor:
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError(error_text(f"Inputs {inputs.name} has undefined rank.", [inputs]))
    dtype = inputs.dtype.base_dtype
    if batch_weights is not None:
        batch_weights = convert_to_tensor(batch_weights)
        inputs.shape[0:1].assert_is_compatible_with(batch_weights.shape)
        batch_weights = array.reshape(batch_weights, [-1] + [1] * (rank - 1))
    channels_axis = 1 if settings.data_format == "NCHW" else rank - 1
    axes = [axis for axis in range(rank) if axis != channels_axis]
    sizes = inputs.shape[channels_axis : channels_axis + 1]
    if not sizes.is_fully_defined():
        raise ValueError(error_text(f"Inputs {inputs.name} has undefined channels dimension {sizes}.", [inputs]))
    beta = settings.variable("beta", sizes, dtype) if settings.center else None
    gamma = settings.variable("gamma", sizes, dtype) if settings.scale else None
    with variable_scope(get_variable_scope()):
        moving = settings.variable("moving_mean", sizes, dtype), settings.variable("moving_variance", sizes, dtype)
    mean, variance = moving
    is_first = settings.data_format == "NCHW"
    if settings.needs_updates():
        mean, variance = _statistics(inputs, axes, batch_weights, is_first)
        if settings.updates_collections is None:
            mean, variance = settings.after_updates(moving, mean, variance, [mean, variance], lambda: moving)
        else:
            settings.collect_updates(moving, mean, variance)
            batch = mean, variance
            mean, variance = smart_cond(settings.is_training, lambda: batch, lambda: moving)
    if is_first:
        shape = [sizes[0].value if axis == channels_axis else 1 for axis in range(rank)]
        mean, variance, beta, gamma = (
            None if each is None else array.reshape(each, shape) for each in (mean, variance, beta, gamma)
        )
    outputs = normalization.batch_normalization(inputs, mean, variance, beta, gamma, settings.epsilon)
    outputs.set_shape(inputs.shape)
    return outputs


def _statistics(inputs: Tensor, axes: list[int], batch_weights: Any, is_first: bool) -> tuple[Any, Any]:
    """(mean, variance) [c] of a batch."""
    options: dict[str, Any] = {"keep_dims": True} if is_first else {}
    if batch_weights is None:
        mean, variance = moments.moments(inputs, axes, **options)
    else:
        mean, variance = moments.weighted_moments(inputs, axes, batch_weights, **options)
    return (array.reshape(mean, [-1]), array.reshape(variance, [-1])) if is_first else (mean, variance)


__all__ = ["batch_norm"]
