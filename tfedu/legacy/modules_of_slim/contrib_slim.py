"""`tf.contrib.slim`: what contrib.layers, contrib.framework's scopes and variables, contrib.losses and contrib.metrics have."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..modules_of_contrib import contrib_layer_utils as utils
from ..modules_of_contrib import contrib_layers as layers
from ..modules_of_contrib import contrib_losses as losses
from ..modules_of_contrib import contrib_metrics as metrics
from . import contrib_slim_analyzer as model_analyzer
from . import contrib_slim_dataset as dataset
from . import contrib_slim_decoder as data_decoder, contrib_slim_decoder as tfexample_decoder
from . import contrib_slim_evaluation as evaluation
from . import contrib_slim_learning as learning
from . import contrib_slim_nets as nets
from . import contrib_slim_prefetch as prefetch_queue
from . import contrib_slim_provider as data_provider, contrib_slim_provider as dataset_data_provider
from . import contrib_slim_queues as queues
from . import contrib_slim_readers as parallel_reader
from ..modules_of_contrib.contrib_framework import (
    VariableDeviceChooser, add_arg_scope, add_model_variable, arg_scope, arg_scope_func_key, arg_scoped_arguments,
    assert_global_step, assert_or_get_global_step, assign_from_checkpoint, assign_from_checkpoint_fn,
    assign_from_values, assign_from_values_fn, create_global_step, current_arg_scope, filter_variables,
    get_global_step, get_local_variables, get_model_variables, get_or_create_global_step, get_trainable_variables,
    get_unique_variable, get_variable_full_name, get_variables, get_variables_by_name, get_variables_by_suffix,
    get_variables_to_restore, global_variable, has_arg_scope, local_variable, model_variable, variable,
    zero_initializer,
)  # fmt: skip
from ..modules_of_contrib.contrib_layers import (
    OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES, adaptive_clipping_fn, apply_regularization, avg_pool2d, avg_pool3d,
    batch_norm, bias_add, bow_encoder, conv1d, conv2d, conv2d_in_plane, conv2d_transpose, conv3d, conv3d_transpose,
    convolution, convolution1d, convolution2d, convolution2d_in_plane, convolution2d_transpose, convolution3d,
    convolution3d_transpose, dense_to_sparse, dropout, elu, embed_sequence, embedding_lookup_unique, flatten,
    fully_connected, group_norm, images_to_sequence, instance_norm, l1_l2_regularizer, l1_regularizer,
    l2_regularizer, layer_norm, legacy_fully_connected, legacy_linear, legacy_relu, linear, max_pool2d, max_pool3d,
    maxout, one_hot_encoding, optimize_loss, pool, relu, relu6, repeat, safe_embedding_lookup_sparse,
    separable_conv2d, separable_convolution2d, sequence_to_images, softmax, spatial_softmax, stack, sum_regularizer,
    summarize_activation, summarize_activations, summarize_biases, summarize_collection, summarize_tensor,
    summarize_tensors, summarize_variables, summarize_weights, unit_norm, variance_scaling_initializer,
    xavier_initializer, xavier_initializer_conv2d,
)  # fmt: skip

__all__ = [
    "OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "VariableDeviceChooser", "adaptive_clipping_fn",
    "add_arg_scope", "add_model_variable", "apply_regularization", "arg_scope", "arg_scope_func_key",
    "arg_scoped_arguments", "assert_global_step", "assert_or_get_global_step", "assign_from_checkpoint",
    "assign_from_checkpoint_fn", "assign_from_values", "assign_from_values_fn", "avg_pool2d",
    "avg_pool3d", "batch_norm", "bias_add", "bow_encoder", "conv1d", "conv2d", "conv2d_in_plane",
    "conv2d_transpose", "conv3d", "conv3d_transpose", "convolution", "convolution1d", "convolution2d",
    "convolution2d_in_plane", "convolution2d_transpose", "convolution3d", "convolution3d_transpose",
    "create_global_step", "current_arg_scope", "data_decoder", "data_provider", "dataset",
    "dataset_data_provider", "dense_to_sparse", "dropout", "elu", "embed_sequence",
    "embedding_lookup_unique", "evaluation", "filter_variables", "flatten", "fully_connected",
    "get_global_step", "get_local_variables", "get_model_variables", "get_or_create_global_step",
    "get_trainable_variables", "get_unique_variable", "get_variable_full_name", "get_variables",
    "get_variables_by_name", "get_variables_by_suffix", "get_variables_to_restore", "global_variable",
    "group_norm", "has_arg_scope", "images_to_sequence", "instance_norm", "l1_l2_regularizer",
    "l1_regularizer", "l2_regularizer", "layer_norm", "layers", "learning", "legacy_fully_connected",
    "legacy_linear", "legacy_relu", "linear", "local_variable", "losses", "max_pool2d", "max_pool3d",
    "maxout", "metrics", "model_analyzer", "model_variable", "nets", "one_hot_encoding", "optimize_loss",
    "parallel_reader", "pool", "prefetch_queue", "queues", "relu", "relu6", "repeat",
    "safe_embedding_lookup_sparse", "separable_conv2d", "separable_convolution2d", "sequence_to_images",
    "softmax", "spatial_softmax", "stack", "sum_regularizer", "summarize_activation",
    "summarize_activations", "summarize_biases", "summarize_collection", "summarize_tensor",
    "summarize_tensors", "summarize_variables", "summarize_weights", "tfexample_decoder", "unit_norm",
    "utils", "variable", "variance_scaling_initializer", "xavier_initializer",
    "xavier_initializer_conv2d", "zero_initializer",
]  # fmt: skip
