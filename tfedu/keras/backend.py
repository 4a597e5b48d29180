"""`tf.keras.backend`: the functions in which Keras' own layers are written."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.lib.arrays.selection import in_top_k
from ..engine.lib.framework.scope_blocks import name_scope
from ..engine.lib.math.math import (
    abs, cast, cos, equal, exp, greater, greater_equal, less, less_equal, log, maximum, minimum, not_equal, round, sigmoid, sign,
    sin, square, tanh,
)  # fmt: skip
from ..engine.models.keras_images.backend_convolutions import (
    conv1d, conv2d, conv2d_transpose, conv3d, local_conv1d, local_conv2d, pool2d, pool3d, resize_images, resize_volumes,
    separable_conv2d,
)  # fmt: skip
from ..engine.models.keras_layers.activation_functions import elu, hard_sigmoid, relu
from ..engine.models.keras_models.backend_ctc import ctc_batch_cost, ctc_decode, ctc_label_dense_to_sparse
from ..engine.models.keras_models.backend_functions import (
    all, any, argmax, argmin, batch_flatten, cumprod, cumsum, expand_dims, gradients, max, min, ones_like, pow, print_tensor,
    prod, repeat_elements, reshape, shape, softmax, softplus, softsign, sparse_categorical_crossentropy, stack, sum, transpose,
    zeros_like,
)  # fmt: skip
from ..engine.models.keras_models.backend_norms import batch_normalization, normalize_batch_in_training
from ..engine.models.keras_models.keras_backend import (
    arange, backend, batch_dot, batch_get_value, batch_set_value, bias_add,
    binary_crossentropy_of as binary_crossentropy, categorical_crossentropy_of as categorical_crossentropy, clear_session, clip,
    concatenate, constant, count_params, dot, dropout, dtype, eval, eye, flatten, foldl, foldr, gather, get_session, get_uid,
    get_value, in_test_phase, in_train_phase, int_shape, is_keras_tensor, is_sparse, l2_normalize, learning_phase,
    learning_phase_scope, manual_variable_initialization, map_fn, mean, moving_average_update, ndim, one_hot, ones,
    permute_dimensions, placeholder, random_binomial, random_normal, random_normal_variable, random_uniform,
    random_uniform_variable, repeat, reset_uids, reverse, set_learning_phase, set_session, set_value,
    spatial_2d_padding, spatial_3d_padding, sqrt, squeeze, std, stop_gradient, switch,
    temporal_padding, tile, to_dense, truncated_normal, update, update_add, update_sub, var, variable, zeros,
)  # fmt: skip
from ..engine.models.keras_parts.graph_function import GraphFunction as function
from ..engine.models.keras_parts.keras_config import (
    cast_to_floatx, epsilon, floatx, image_data_format, set_epsilon, set_floatx, set_image_data_format,
)  # fmt: skip
from ..engine.models.keras_parts.recurrent_loop import rnn

__all__ = [
    "abs", "all", "any", "arange", "argmax", "argmin", "backend", "batch_dot", "batch_flatten",
    "batch_get_value", "batch_normalization", "batch_set_value", "bias_add", "binary_crossentropy",
    "cast", "cast_to_floatx", "categorical_crossentropy", "clear_session", "clip", "concatenate",
    "constant", "conv1d", "conv2d", "conv2d_transpose", "conv3d", "cos", "count_params", "ctc_batch_cost",
    "ctc_decode", "ctc_label_dense_to_sparse", "cumprod", "cumsum", "dot", "dropout", "dtype", "elu",
    "epsilon", "equal", "eval", "exp", "expand_dims", "eye", "flatten", "floatx", "foldl", "foldr",
    "function", "gather", "get_session", "get_uid", "get_value", "gradients", "greater", "greater_equal",
    "hard_sigmoid", "image_data_format", "in_test_phase", "in_top_k", "in_train_phase", "int_shape",
    "is_keras_tensor", "is_sparse", "l2_normalize", "learning_phase", "learning_phase_scope", "less",
    "less_equal", "local_conv1d", "local_conv2d", "log", "manual_variable_initialization", "map_fn",
    "max", "maximum", "mean", "min", "minimum", "moving_average_update", "name_scope", "ndim",
    "normalize_batch_in_training", "not_equal", "one_hot", "ones", "ones_like", "permute_dimensions",
    "placeholder", "pool2d", "pool3d", "pow", "print_tensor", "prod", "random_binomial", "random_normal",
    "random_normal_variable", "random_uniform", "random_uniform_variable", "relu", "repeat",
    "repeat_elements", "reset_uids", "reshape", "resize_images", "resize_volumes", "reverse", "rnn",
    "round", "separable_conv2d", "set_epsilon", "set_floatx", "set_image_data_format",
    "set_learning_phase", "set_session", "set_value", "shape", "sigmoid", "sign", "sin", "softmax",
    "softplus", "softsign", "sparse_categorical_crossentropy", "spatial_2d_padding", "spatial_3d_padding",
    "sqrt", "square", "squeeze", "stack", "std", "stop_gradient", "sum", "switch", "tanh",
    "temporal_padding", "tile", "to_dense", "transpose", "truncated_normal", "update", "update_add",
    "update_sub", "var", "variable", "zeros", "zeros_like",
]  # fmt: skip
