"""`tf.contrib.layers`: layers as functions, their initializers and regularizers."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.contrib.batch_norm import batch_norm
from ...engine.models.contrib.collection_summaries import (
    summarize_activation, summarize_activations, summarize_biases, summarize_collection, summarize_tensor,
    summarize_tensors, summarize_variables, summarize_weights,
)  # fmt: skip
from ...engine.models.contrib.convolution_functions import (
    conv1d, conv2d, conv2d_in_plane, conv2d_transpose, conv3d, conv3d_transpose, convolution, convolution1d,
    convolution2d, convolution2d_in_plane, convolution2d_transpose, convolution3d, convolution3d_transpose,
    separable_conv2d, separable_convolution2d,
)  # fmt: skip
from ...engine.models.contrib.dense_functions import (
    bias_add, elu, fully_connected, legacy_fully_connected, legacy_linear, legacy_relu, linear, relu, relu6,
)  # fmt: skip
from ...engine.models.contrib.embedding_functions import bow_encoder, embed_sequence
from ...engine.models.contrib.embedding_lookups import embedding_lookup_unique, safe_embedding_lookup_sparse
from ...engine.models.contrib.fan_initializers import (
    variance_scaling_initializer, xavier_initializer, xavier_initializer_conv2d,
)  # fmt: skip
from ...engine.models.contrib.image_functions import images_to_sequence, sequence_to_images, spatial_softmax
from ...engine.models.contrib.loss_optimization import (
    OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES, adaptive_clipping_fn, optimize_loss,
)  # fmt: skip
from ...engine.models.contrib.norm_functions import group_norm, instance_norm, layer_norm
from ...engine.models.contrib.pooling_functions import avg_pool2d, avg_pool3d, max_pool2d, max_pool3d, pool
from ...engine.models.contrib.shape_functions import (
    dense_to_sparse, dropout, flatten, maxout, one_hot_encoding, repeat, softmax, stack, unit_norm,
)  # fmt: skip
from ...engine.training.losses.regularizers import (
    apply_regularization, l1_l2_regularizer, l1_regularizer, l2_regularizer, sum_regularizer,
)  # fmt: skip

__all__ = [
    "OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "adaptive_clipping_fn", "apply_regularization",
    "avg_pool2d", "avg_pool3d", "batch_norm", "bias_add", "bow_encoder", "conv1d", "conv2d",
    "conv2d_in_plane", "conv2d_transpose", "conv3d", "conv3d_transpose", "convolution", "convolution1d",
    "convolution2d", "convolution2d_in_plane", "convolution2d_transpose", "convolution3d",
    "convolution3d_transpose", "dense_to_sparse", "dropout", "elu", "embed_sequence",
    "embedding_lookup_unique", "flatten", "fully_connected", "group_norm", "images_to_sequence",
    "instance_norm", "l1_l2_regularizer", "l1_regularizer", "l2_regularizer", "layer_norm",
    "legacy_fully_connected", "legacy_linear", "legacy_relu", "linear", "max_pool2d", "max_pool3d",
    "maxout", "one_hot_encoding", "optimize_loss", "pool", "relu", "relu6", "repeat",
    "safe_embedding_lookup_sparse", "separable_conv2d", "separable_convolution2d", "sequence_to_images",
    "softmax", "spatial_softmax", "stack", "sum_regularizer", "summarize_activation",
    "summarize_activations", "summarize_biases", "summarize_collection", "summarize_tensor",
    "summarize_tensors", "summarize_variables", "summarize_weights", "unit_norm",
    "variance_scaling_initializer", "xavier_initializer", "xavier_initializer_conv2d",
]  # fmt: skip
