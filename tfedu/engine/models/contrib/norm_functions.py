"""Normalizations of `tf.contrib.layers` that need no statistics of a batch: layer_norm, instance_norm, group_norm.

Each gives gamma · (inputs - mean) / √(variance + epsilon) + beta; they differ in the axes of mean and variance.
Source: Ba et al., 2016 (layers); Ulyanov et al., 2016 (instances); Wu and He, 2018 (groups). No state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.math import math
from ...lib.nn import moments as statistics
from ...lib.nn.normalization import batch_normalization
from ...lib.variables.initializers import Ones, Zeros
from ...lib.variables.variable_scope import variable_scope
from .arg_scopes import add_arg_scope
from .collected_outputs import get_variable_collections
from .layer_blocks import check_data_format, finished
from .model_variables import model_variable

_INITIALIZERS = {"beta": Zeros(), "gamma": Ones()}


def _rank(inputs: Tensor) -> int:
    if inputs.shape.ndims is None:
        raise ValueError(error_text(f"Inputs {inputs.name} has undefined rank.", [inputs]))
    return inputs.shape.ndims


def _parameter(
    name: str, shape: Any, dtype: Any, param_initializers: Any, variables_collections: Any, trainable: bool
) -> Any:
    """The variable beta or gamma."""
    return model_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=(param_initializers or {}).get(name, _INITIALIZERS[name]),
        collections=get_variable_collections(variables_collections, name),
        trainable=trainable,
    )


@add_arg_scope
@atomic
def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: Callable[[Any], Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: Any = None,
) -> Tensor:
    """Normalizes each example of inputs [n, ...]: mean and variance are over begin_norm_axis and all axes behind it.

    center, scale: whether there are beta and gamma, of the sizes from begin_params_axis on.
    Raises: ValueError for an unknown rank, for axes that there are not and for unknown sizes of the parameters.
    """
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as block:
        inputs = convert_to_tensor(inputs)
        rank = _rank(inputs)
        first = begin_norm_axis + rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= rank or first >= rank:
            raise ValueError(
                error_text(
                    f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({first}) must be < rank(inputs) ({rank})"
                )
            )
        sizes = inputs.shape[begin_params_axis:]
        if not sizes.is_fully_defined():
            raise ValueError(
                error_text(
                    f"Inputs {inputs.name}: shape(inputs)[{begin_params_axis}:] is not fully defined: {inputs.shape}", [inputs]
                )
            )
        dtype = inputs.dtype.base_dtype
        beta = _parameter("beta", sizes, dtype, None, variables_collections, trainable) if center else None
        gamma = _parameter("gamma", sizes, dtype, None, variables_collections, trainable) if scale else None
        mean, variance = statistics.moments(inputs, list(range(first, rank)), keep_dims=True)
        epsilon = 1e-3 if dtype == dtypes.float16 else 1e-12
        outputs = batch_normalization(
            inputs, mean, variance, offset=beta, scale=gamma, variance_epsilon=epsilon
        )
        outputs.set_shape(inputs.shape)
        return finished(block, outputs, activation_fn, outputs_collections)


@add_arg_scope
@atomic
def instance_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[[Any], Any] | None = None,
    param_initializers: dict[str, Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Tensor:
    """Normalizes each channel of each example of inputs [n, ..., c] (or [n, c, ...] for "NCHW").

    center, scale: whether there are beta and gamma [c]. param_initializers: of "beta" and "gamma".
    Raises: ValueError for another data_format, an unknown rank or an unknown c.
    """
    check_data_format(data_format, "NCHW", "NHWC")
    with variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as block:
        inputs = convert_to_tensor(inputs)
        rank = _rank(inputs)
        channels_axis = 1 if data_format == "NCHW" else rank - 1
        if not 0 < channels_axis < rank:
            raise ValueError(error_text(f"Inputs {inputs.name} has rank {rank}, and no axis for the channels.", [inputs]))
        sizes = inputs.shape[channels_axis : channels_axis + 1]
        if not sizes.is_fully_defined():
            raise ValueError(
                error_text(f"Inputs {inputs.name} has undefined channels dimension {sizes}.", [inputs])
            )
        params: dict[str, Any] = {}
        for name, wanted in (("beta", center), ("gamma", scale)):
            if wanted:
                params[name] = _parameter(
                    name, sizes, inputs.dtype.base_dtype, param_initializers, variables_collections, trainable
                )
                if data_format == "NCHW":
                    params[name] = array.reshape(params[name], _broadcast(rank, {channels_axis: sizes[0].value}))
        mean, variance = statistics.moments(inputs, [axis for axis in range(1, rank) if axis != channels_axis], keep_dims=True)
        outputs = batch_normalization(
            inputs, mean, variance, params.get("beta"), params.get("gamma"), epsilon, name="instancenorm"
        )
        outputs.set_shape(inputs.shape)
        return finished(block, outputs, activation_fn, outputs_collections)


def _broadcast(rank: int, sizes: dict[int, Any]) -> list[Any]:
    """A shape of 1s but for these sizes."""
    return [sizes.get(axis, 1) for axis in range(rank)]


@add_arg_scope
@atomic
def group_norm(
    inputs: Any,
    groups: int = 32,
    channels_axis: int = -1,
    reduction_axes: Sequence[int] = (-3, -2),
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[[Any], Any] | None = None,
    param_initializers: dict[str, Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    mean_close_to_zero: bool = False,
) -> Tensor:
    """Normalizes each group of channels of each example: mean and variance are over reduction_axes and the group's channels.

    groups: how many, a divisor of the number of channels c. center, scale: whether there are beta and gamma [c].
    mean_close_to_zero: the variance as the mean square less the squared mean, which is exact enough then.

    Raises: ValueError for unknown sizes, for groups that do not divide c and for axes that do not fit.
    """
    inputs = convert_to_tensor(inputs)
    rank = _rank(inputs)
    channels_axis, axes = _checked_axes(rank, channels_axis, reduction_axes)
    known = inputs.shape.as_list()
    channels = _divided_channels(inputs, known[channels_axis], channels_axis, groups)
    for axis in axes:
        if known[axis] is None:
            raise ValueError(error_text(f"Inputs {inputs.name} has undefined dimensions {axis}.", [inputs]))
    sizes = array.shape(inputs)
    sizes = [sizes[i] if size is None else size for i, size in enumerate(known)]
    before, behind = sizes[:channels_axis], sizes[channels_axis + 1 :]
    split = array.reshape(inputs, [*before, groups, channels // groups, *behind])
    moment_axes = [*(axis + (axis > channels_axis) for axis in axes), channels_axis + 1]
    with variable_scope(scope, "GroupNorm", [split], reuse=reuse) as block:
        params: dict[str, Any] = {}
        for name, wanted in (("beta", center), ("gamma", scale)):
            if wanted:
                parameter = _parameter(
                    name, [channels], split.dtype.base_dtype, param_initializers, variables_collections, trainable
                )
                shape = _broadcast(rank + 1, {channels_axis: groups, channels_axis + 1: channels // groups})
                params[name] = array.reshape(parameter, shape)
        mean, variance = _moments(split, moment_axes, mean_close_to_zero)
        gain = math.rsqrt(variance + epsilon)
        offset = -mean * gain
        if scale:
            gain, offset = gain * params["gamma"], offset * params["gamma"]
        if center:
            offset = offset + params["beta"]
        outputs = array.reshape(split * gain + offset, sizes)
        outputs.set_shape(inputs.shape)
        return finished(block, outputs, activation_fn, outputs_collections)


def _checked_axes(rank: int, channels_axis: int, reduction_axes: Sequence[int]) -> tuple[int, list[int]]:
    """(channels_axis, reduction_axes) from the front."""
    if not -rank <= channels_axis < rank:
        raise ValueError(error_text("Axis is out of bounds."))
    channels_axis %= rank
    axes = []
    for axis in reduction_axes:
        if not -rank <= axis < rank:
            raise ValueError(error_text("Axis is out of bounds."))
        if axis % rank == channels_axis:
            raise ValueError(error_text("reduction_axis must be mutually exclusive with channels_axis"))
        axes.append(axis % rank)
    return channels_axis, axes


def _divided_channels(inputs: Tensor, channels: int | None, axis: int, groups: int) -> int:
    if channels is None:
        raise ValueError(error_text(f"Inputs {inputs.name} has undefined channel dimension: {axis}.", [inputs]))
    if groups > channels:
        raise ValueError(error_text(f"Invalid groups {groups} for {channels} channels."))
    if channels % groups:
        raise ValueError(error_text(f"{channels} channels is not commensurate with {groups} groups."))
    return channels


def _moments(inputs: Tensor, axes: list[int], mean_close_to_zero: bool) -> tuple[Tensor, Tensor]:
    if not mean_close_to_zero:
        return statistics.moments(inputs, axes, keep_dims=True)
    count, mean_sum, square_sum, _ = statistics.sufficient_statistics(inputs, axes, keep_dims=True)
    return statistics.normalize_moments(count, mean_sum, square_sum, shift=None)


__all__ = ["group_norm", "instance_norm", "layer_norm"]
