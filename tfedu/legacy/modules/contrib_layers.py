"""`tf.contrib.layers`: layers as functions, their initializers and regularizers."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.contrib.dense_functions import (
    bias_add, elu, fully_connected, legacy_fully_connected, legacy_linear, legacy_relu, linear, relu, relu6,
)  # fmt: skip
from ...engine.models.contrib.embedding_functions import bow_encoder, embed_sequence
from ...engine.models.contrib.embedding_lookups import embedding_lookup_unique, safe_embedding_lookup_sparse
from ...engine.models.contrib.fan_initializers import (
    variance_scaling_initializer, xavier_initializer, xavier_initializer_conv2d,
)  # fmt: skip
from ...engine.models.contrib.image_functions import images_to_sequence, sequence_to_images, spatial_softmax
from ...engine.models.contrib.norm_functions import group_norm, instance_norm, layer_norm
from ...engine.models.contrib.shape_functions import (
    dense_to_sparse, dropout, flatten, maxout, one_hot_encoding, repeat, softmax, stack, unit_norm,
)  # fmt: skip
from ...engine.training.losses.regularizers import (
    apply_regularization, l1_l2_regularizer, l1_regularizer, l2_regularizer, sum_regularizer,
)  # fmt: skip
from . import contrib_layer_utils as utils

__all__ = [
    "apply_regularization", "bias_add", "bow_encoder", "dense_to_sparse", "dropout", "elu",
    "embed_sequence", "embedding_lookup_unique", "flatten", "fully_connected", "group_norm",
    "images_to_sequence", "instance_norm", "l1_l2_regularizer", "l1_regularizer", "l2_regularizer",
    "layer_norm", "legacy_fully_connected", "legacy_linear", "legacy_relu", "linear", "maxout",
    "one_hot_encoding", "relu", "relu6", "repeat", "safe_embedding_lookup_sparse", "sequence_to_images",
    "softmax", "spatial_softmax", "stack", "sum_regularizer", "unit_norm", "utils",
    "variance_scaling_initializer", "xavier_initializer", "xavier_initializer_conv2d",
]  # fmt: skip
