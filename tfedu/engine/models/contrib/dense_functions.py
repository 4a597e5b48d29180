"""`tf.contrib.layers.fully_connected`, `linear`, `relu`, `bias_add` and the older `legacy_fully_connected`. No state."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.framework.collections import add_to_collections
from ...lib.framework.graph_keys import GraphKeys
from ...lib.math import products
from ...lib.nn import nn
from ...lib.variables.initializers import Zeros
from ...lib.variables.variable_scope import get_variable, variable_scope
from ...ops import activations as activation_ops
from ..layers.core_layers import Dense
from .arg_scopes import add_arg_scope
from .collected_outputs import channel_dimension, get_variable_collections
from .fan_initializers import xavier_initializer
from .layer_blocks import RENAMES, check_data_format, collect_layer_variables, finished, layer_block
from .model_variables import model_variable

_ZEROS = Zeros()
_XAVIER = xavier_initializer()


@add_arg_scope
@atomic
def fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Callable[[Any], Any] | None = activation_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None,
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
    """activation_fn(inputs · weights + biases): [n, ..., k] -> [n, ..., num_outputs]; a normalizer takes the place of the biases.

    variables_collections: collections for both variables, or a dict of these for "weights" and "biases".
    Raises: ValueError for num_outputs that is no int, and for inputs of rank below 2 or of unknown k.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(
            error_text(f"num_outputs type should be one of [<class 'int'>], got {type(num_outputs)}.")
        )
    with layer_block(scope, "fully_connected", inputs, reuse, RENAMES) as block:
        inputs = convert_to_tensor(inputs)
        layer = Dense(
            units=num_outputs,
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


relu = functools.partial(fully_connected, activation_fn=activation_ops.relu)
relu6 = functools.partial(fully_connected, activation_fn=activation_ops.relu6)
elu = functools.partial(fully_connected, activation_fn=activation_ops.elu)
linear = functools.partial(fully_connected, activation_fn=None)


@add_arg_scope
@atomic
def bias_add(
    inputs: Any,
    activation_fn: Callable[[Any], Any] | None = None,
    initializer: Any = _ZEROS,
    regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Tensor:
    """inputs [n, ..., c] plus biases [c], which are a variable. data_format: "NCHW" for inputs [n, c, ...].

    Raises: ValueError for another data_format, for inputs of rank below 2 or of unknown c.
    """
    check_data_format(data_format, "NCHW", "NHWC")
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as block:
        inputs = convert_to_tensor(inputs)
        biases = model_variable(
            "biases",
            shape=[channel_dimension(inputs.shape, "channels_first" if data_format == "NCHW" else "channels_last")],
            dtype=inputs.dtype.base_dtype,
            initializer=initializer,
            regularizer=regularizer,
            collections=get_variable_collections(variables_collections, "biases"),
            trainable=trainable,
        )
        outputs = nn.bias_add(inputs, biases, data_format=data_format)
        return finished(block, outputs, activation_fn, outputs_collections)


@atomic
def legacy_fully_connected(
    x: Any,
    num_output_units: int,
    activation_fn: Callable[[Any], Any] | None = None,
    weight_init: Any = _XAVIER,
    bias_init: Any = _ZEROS,
    name: Any = None,
    weight_collections: Any = (GraphKeys.WEIGHTS,),
    bias_collections: Any = (GraphKeys.BIASES,),
    output_collections: Any = (GraphKeys.ACTIVATIONS,),
    trainable: bool = True,
    weight_regularizer: Any = None,
    bias_regularizer: Any = None,
) -> Tensor:
    """activation_fn(x · weights + bias): [n, ..., k] -> [n, ..., num_output_units], with variables "weights" and "bias".

    Raises: ValueError for x of rank below 2 or of unknown k.
    """
    with variable_scope(name, "fully_connected", [x]):
        x = convert_to_tensor(x)
        raw = x.shape.raw
        if raw is None:
            raise ValueError(error_text("dims of x must be known but is None"))
        if len(raw) < 2:
            raise ValueError(error_text(f"rank of x must be at least 2 not: {len(raw)}"))
        if raw[-1] is None:
            raise ValueError(error_text("last dimension of x must be known but is None"))
        dtype = x.dtype.base_dtype

        def parameter(which: str, shape: list[int], collections: Any, **options: Any) -> Any:
            collections = {*(collections or ()), GraphKeys.GLOBAL_VARIABLES}
            return get_variable(which, shape=shape, dtype=dtype, collections=collections, trainable=trainable, **options)

        weights = parameter(
            "weights", [raw[-1], num_output_units], weight_collections, initializer=weight_init, regularizer=weight_regularizer
        )
        rows = x if len(raw) == 2 else array.reshape(x, [-1, raw[-1]])
        y = products.matmul(rows, weights)
        if bias_init is not None:
            bias = parameter(
                "bias", [num_output_units], bias_collections, initializer=bias_init, regularizer=bias_regularizer
            )
            y = nn.bias_add(y, bias)
        if len(raw) > 2:
            sizes = slicing.unstack(array.shape(x))
            sizes[-1] = num_output_units
            y = array.reshape(y, array.stack(sizes))
            y.set_shape([*raw[:-1], num_output_units])
        if activation_fn is not None:
            y = activation_fn(y)
        add_to_collections({*(output_collections or ()), GraphKeys.ACTIVATIONS}, y)
        return y


legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
legacy_relu = functools.partial(legacy_fully_connected, activation_fn=activation_ops.relu)

__all__ = [
    "bias_add", "elu", "fully_connected", "legacy_fully_connected", "legacy_linear", "legacy_relu", "linear", "relu", "relu6",
]  # fmt: skip
