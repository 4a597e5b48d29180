"""`tf.contrib.layers.conv2d` and its relatives for sequences and volumes, transposed, separable and in the plane. No state.

    net = conv2d(images, 32, 5, scope="conv1")      # conv1/weights [5, 5, c, 32], conv1/biases [32], then relu
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.nn import nn
from ...lib.nn.depthwise import depthwise_conv2d
from ...lib.variables.initializers import Zeros
from ...lib.variables.variable_scope import variable_scope
from ...ops import activations as activation_ops
from ..layers.convolution_layers import Conv1D, Conv2D, Conv3D
from ..layers.layer import Layer
from ..layers.separable_layers import SeparableConv2D
from ..layers.transposed_layers import Conv2DTranspose, Conv3DTranspose
from .arg_scopes import add_arg_scope
from .collected_outputs import channel_dimension, get_variable_collections, last_dimension, two_element_tuple
from .fan_initializers import xavier_initializer
from .layer_blocks import RENAMES, check_data_format, collect_layer_variables, finished, layer_block
from .model_variables import model_variable

_ZEROS = Zeros()
_XAVIER = xavier_initializer()
_LAYERS: dict[int, type[Layer]] = {3: Conv1D, 4: Conv2D, 5: Conv3D}
_FORMATS = (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW")
Function = Callable[..., Any]


def _is_channels_first(data_format: str | None) -> bool:
    return data_format is not None and data_format.startswith("NC")


def _layer_format(data_format: str | None) -> str:
    return "channels_first" if _is_channels_first(data_format) else "channels_last"


@add_arg_scope
@atomic
def convolution(
    inputs: Any,
    num_outputs: int,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str | None = None,
    rate: Any = 1,
    activation_fn: Function | None = activation_ops.relu,
    normalizer_fn: Function | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Any = _XAVIER,
    weights_regularizer: Any = None,
    biases_initializer: Any = _ZEROS,
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    conv_dims: int | None = None,
) -> Tensor:
    """activation_fn(filters over inputs [n, s..., c]) of 1 to 3 spatial axes: [n, places..., num_outputs].

    kernel_size, stride, rate (dilation): one number, or one for each spatial axis. A normalizer takes the place of the biases.
    data_format: "NC…" for inputs [n, c, s...]. variables_collections: collections for both variables, or a dict of these for
    "weights" and "biases". conv_dims: how many spatial axes there must be.

    Raises: ValueError for another data_format, another rank and an unknown c, and for stride and rate that are both above 1.
    """
    if data_format not in _FORMATS:
        raise ValueError(error_text(f"Invalid data_format: {data_format!r}"))
    with layer_block(scope, "Conv", inputs, reuse, RENAMES) as block:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError(
                error_text(f"Convolution expects input with rank {conv_dims + 2}, got {rank}", [inputs])
            )
        if rank not in _LAYERS:
            raise ValueError(error_text(f"('Convolution not supported for input with rank', {rank})", [inputs]))
        layer: Any = _LAYERS[rank](
            filters=num_outputs,
            kernel_size=kernel_size,
            strides=stride,
            padding=padding,
            data_format=_layer_format(data_format),
            dilation_rate=rate,
            use_bias=normalizer_fn is None and biases_initializer is not None,
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=block.name,
            dtype=inputs.dtype.base_dtype,
            _scope=block,
            _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        collect_layer_variables(layer, variables_collections, kernel="weights", bias="biases")
        return finished(block, outputs, activation_fn, outputs_collections, normalizer_fn, normalizer_params)


def _with_axes(count: int, of: str) -> Function:
    """`convolution` of inputs with that many spatial axes, as a function of its own."""

    def layer(*args: Any, **kwargs: Any) -> Tensor:
        return convolution(*args, conv_dims=count, **kwargs)

    layer.__name__ = layer.__qualname__ = f"convolution{count}d"
    layer.__doc__ = f"`convolution` of {of}."
    signature = inspect.signature(convolution)
    without = [p for p in signature.parameters.values() if p.name != "conv_dims"]
    vars(layer)["__signature__"] = signature.replace(parameters=without)
    return add_arg_scope(layer)


convolution1d = conv1d = _with_axes(1, "sequences [n, w, c]: [n, places, num_outputs]")
convolution2d = conv2d = _with_axes(2, "images [n, h, w, c]: [n, places, places, num_outputs]")
convolution3d = conv3d = _with_axes(3, "volumes [n, d, h, w, c]: [n, places, places, places, num_outputs]")


def _transposed(kind: type[Layer], count: int, allowed: tuple[str, str], of: str) -> Function:
    """A transposed convolution of inputs with that many spatial axes."""

    @atomic
    def layer(
        inputs: Any,
        num_outputs: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: str = "SAME",
        data_format: str = allowed[0],
        activation_fn: Function | None = activation_ops.relu,
        normalizer_fn: Function | None = None,
        normalizer_params: dict[str, Any] | None = None,
        weights_initializer: Any = _XAVIER,
        weights_regularizer: Any = None,
        biases_initializer: Any = _ZEROS,
        biases_regularizer: Any = None,
        reuse: Any = None,
        variables_collections: Any = None,
        outputs_collections: Any = None,
        trainable: bool = True,
        scope: Any = None,
    ) -> Tensor:
        check_data_format(data_format, *reversed(allowed))
        with layer_block(scope, f"Conv{count}d_transpose", inputs, reuse, RENAMES) as block:
            inputs = convert_to_tensor(inputs)
            made: Any = kind(
                filters=num_outputs,
                kernel_size=kernel_size,
                strides=stride,
                padding=padding,
                data_format=_layer_format(data_format),
                use_bias=normalizer_fn is None and biases_initializer is not None,
                kernel_initializer=weights_initializer,
                bias_initializer=biases_initializer,
                kernel_regularizer=weights_regularizer,
                bias_regularizer=biases_regularizer,
                trainable=trainable,
                name=block.name,
                dtype=inputs.dtype.base_dtype,
                _scope=block,
                _reuse=reuse,
            )
            outputs = made.apply(inputs)
            collect_layer_variables(made, variables_collections, kernel="weights", bias="biases")
            return finished(block, outputs, activation_fn, outputs_collections, normalizer_fn, normalizer_params)

    layer.__name__ = layer.__qualname__ = f"convolution{count}d_transpose"
    layer.__doc__ = f"""activation_fn of a transposed convolution of {of}.

    Its nodes are those of the gradient of a convolution from [n, places..., num_outputs] to the inputs; its arguments those of
    `convolution`. Raises: ValueError for another data_format, another rank and an unknown c.
    """
    return add_arg_scope(layer)


convolution2d_transpose = conv2d_transpose = _transposed(
    Conv2DTranspose, 2, ("NHWC", "NCHW"), "images [n, h, w, c]: [n, places, places, num_outputs]"
)
convolution3d_transpose = conv3d_transpose = _transposed(
    Conv3DTranspose, 3, ("NDHWC", "NCDHW"), "volumes [n, d, h, w, c]: [n, places, places, places, num_outputs]"
)


@add_arg_scope
@atomic
def convolution2d_in_plane(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    activation_fn: Function | None = activation_ops.relu,
    normalizer_fn: Function | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Any = _XAVIER,
    weights_regularizer: Any = None,
    biases_initializer: Any = _ZEROS,
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Tensor:
    """The same filter [kh, kw] over each channel of images [n, h, w, c]: [n, places, places, c], then biases and activation_fn.

    Raises: ValueError for a rank below 4 and an unknown c.
    """
    with variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as block:
        inputs = convert_to_tensor(inputs)
        dtype = inputs.dtype.base_dtype
        kernel_h, kernel_w = two_element_tuple(kernel_size)
        stride_h, stride_w = two_element_tuple(stride)
        channels = last_dimension(inputs.shape, min_rank=4)
        weights = model_variable(
            "weights",
            shape=[kernel_h, kernel_w, 1, 1],
            dtype=dtype,
            initializer=weights_initializer,
            regularizer=weights_regularizer,
            collections=get_variable_collections(variables_collections, "weights"),
            trainable=trainable,
        )
        filters = array.tile(weights, [1, 1, channels, 1])
        outputs = depthwise_conv2d(inputs, filters, [1, stride_h, stride_w, 1], padding)
        if normalizer_fn is None and biases_initializer is not None:
            outputs = nn.bias_add(
                outputs, _biases(channels, dtype, biases_initializer, biases_regularizer, variables_collections, trainable)
            )
        return finished(block, outputs, activation_fn, outputs_collections, normalizer_fn, normalizer_params)


def _biases(channels: int, dtype: Any, initializer: Any, regularizer: Any, collections: Any, trainable: bool) -> Any:
    return model_variable(
        "biases",
        shape=[channels],
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        collections=get_variable_collections(collections, "biases"),
        trainable=trainable,
    )


@add_arg_scope
@atomic
def separable_convolution2d(
    inputs: Any,
    num_outputs: int | None,
    kernel_size: Any,
    depth_multiplier: int = 1,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
    rate: Any = 1,
    activation_fn: Function | None = activation_ops.relu,
    normalizer_fn: Function | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Any = _XAVIER,
    pointwise_initializer: Any = None,
    weights_regularizer: Any = None,
    biases_initializer: Any = _ZEROS,
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Tensor:
    """depth_multiplier filters over each channel of images [n, h, w, c], then a mixture: [n, places, places, num_outputs].

    num_outputs: None leaves out the mixture, for [n, places, places, c · depth_multiplier]. pointwise_initializer: of the weights
    of the mixture; weights_initializer without it.

    Raises: ValueError for another data_format, another rank and an unknown c.
    """
    check_data_format(data_format, "NCHW", "NHWC")
    renames = {"bias": "biases", "depthwise_kernel": "depthwise_weights", "pointwise_kernel": "pointwise_weights"}
    with layer_block(scope, "SeparableConv2d", inputs, reuse, renames) as block:
        inputs = convert_to_tensor(inputs)
        has_biases = normalizer_fn is None and biases_initializer is not None
        if num_outputs is not None:
            layer = SeparableConv2D(
                filters=num_outputs,
                kernel_size=kernel_size,
                strides=stride,
                padding=padding,
                data_format=_layer_format(data_format),
                dilation_rate=two_element_tuple(rate),
                depth_multiplier=depth_multiplier,
                use_bias=has_biases,
                depthwise_initializer=weights_initializer,
                pointwise_initializer=weights_initializer if pointwise_initializer is None else pointwise_initializer,
                bias_initializer=biases_initializer,
                depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer,
                bias_regularizer=biases_regularizer,
                trainable=trainable,
                name=block.name,
                dtype=inputs.dtype.base_dtype,
                _scope=block,
                _reuse=reuse,
            )
            outputs = layer.apply(inputs)
            kinds = {"depthwise_kernel": "weights", "pointwise_kernel": "weights", "bias": "biases"}
            collect_layer_variables(layer, variables_collections, **kinds)
        else:
            outputs = _depthwise(
                inputs, two_element_tuple(kernel_size), depth_multiplier, two_element_tuple(stride), padding, data_format,
                two_element_tuple(rate), weights_initializer, weights_regularizer, variables_collections, trainable,
            )  # fmt: skip
            if has_biases:
                channels = channel_dimension(inputs.shape, _layer_format(data_format)) * depth_multiplier
                biases = _biases(
                    channels, inputs.dtype.base_dtype, biases_initializer, biases_regularizer, variables_collections, trainable
                )
                outputs = nn.bias_add(outputs, biases, data_format=data_format)
        return finished(block, outputs, activation_fn, outputs_collections, normalizer_fn, normalizer_params)


def _depthwise(
    inputs: Tensor,
    kernel: tuple[int, int],
    multiplier: int,
    stride: tuple[int, int],
    padding: str,
    data_format: str,
    rate: tuple[int, int],
    initializer: Any,
    regularizer: Any,
    collections: Any,
    trainable: bool,
) -> Tensor:
    """`multiplier` filters over each channel, of a variable "depthwise_weights" [kh, kw, c, multiplier]."""
    channels = channel_dimension(inputs.shape, _layer_format(data_format), min_rank=4)
    weights = model_variable(
        "depthwise_weights",
        shape=[*kernel, channels, multiplier],
        dtype=inputs.dtype.base_dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=get_variable_collections(collections, "weights"),
    )
    strides = [1, 1, *stride] if _is_channels_first(data_format) else [1, *stride, 1]
    return depthwise_conv2d(inputs, weights, strides, padding, rate=rate, data_format=data_format)


conv2d_in_plane = convolution2d_in_plane
separable_conv2d = separable_convolution2d

__all__ = [
    "conv1d", "conv2d", "conv2d_in_plane", "conv2d_transpose", "conv3d", "conv3d_transpose", "convolution", "convolution1d",
    "convolution2d", "convolution2d_in_plane", "convolution2d_transpose", "convolution3d", "convolution3d_transpose",
    "separable_conv2d", "separable_convolution2d",
]  # fmt: skip
