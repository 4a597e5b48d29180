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
from ...engine.models.contrib.fan_initializers import (
    variance_scaling_initializer, xavier_initializer, xavier_initializer_conv2d,
)  # fmt: skip
from ...engine.models.contrib.image_functions import images_to_sequence, sequence_to_images, spatial_softmax
from ...engine.models.contrib.learn_keys import ProblemType
from ...engine.models.contrib.norm_functions import group_norm, instance_norm, layer_norm
from ...engine.models.contrib.pooling_functions import avg_pool2d, avg_pool3d, max_pool2d, max_pool3d, pool
from ...engine.models.contrib.shape_functions import (
    dense_to_sparse, dropout, flatten, maxout, one_hot_encoding, repeat, softmax, stack, unit_norm,
)  # fmt: skip
from ...engine.models.embeddings_of_contrib.embedding_functions import bow_encoder, embed_sequence
from ...engine.models.embeddings_of_contrib.embedding_lookups import embedding_lookup_unique, safe_embedding_lookup_sparse
from ...engine.models.embeddings_of_contrib.feature_crosses import (
    SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY, bucketize, sparse_feature_cross,
)  # fmt: skip
from ...engine.models.embeddings_of_contrib.scattered_embeddings import (
    scattered_embedding_lookup, scattered_embedding_lookup_sparse,
)
from ...engine.models.feature_columns_of_contrib.column_inputs import (
    check_feature_columns, create_feature_spec_for_parsing, infer_real_valued_columns, input_from_feature_columns,
    joint_weighted_sum_from_feature_columns, make_place_holder_tensors_for_base_features,
    parse_feature_columns_from_examples, parse_feature_columns_from_sequence_examples,
    sequence_input_from_feature_columns, transform_features, weighted_sum_from_feature_columns,
)  # fmt: skip
from ...engine.models.feature_columns_of_contrib.dense_columns_of_ids import (
    embedding_column, one_hot_column, scattered_embedding_column, shared_embedding_columns,
)  # fmt: skip
from ...engine.models.feature_columns_of_contrib.number_columns import bucketized_column, real_valued_column
from ...engine.models.feature_columns_of_contrib.sparse_columns import (
    crossed_column, sparse_column_with_hash_bucket, sparse_column_with_integerized_feature, sparse_column_with_keys,
    sparse_column_with_vocabulary_file, weighted_sparse_column,
)  # fmt: skip
from ...engine.models.feature_columns_of_contrib.target_columns import (
    binary_svm_target, get_default_binary_metrics_for_eval, multi_class_target, regression_target,
)  # fmt: skip
from ...engine.models.training_of_contrib.loss_optimization import (
    OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES, adaptive_clipping_fn, optimize_loss,
)  # fmt: skip
from ...engine.training.losses.regularizers import (
    apply_regularization, l1_l2_regularizer, l1_regularizer, l2_regularizer, sum_regularizer,
)  # fmt: skip

__all__ = [
    "OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "ProblemType", "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY",
    "adaptive_clipping_fn", "apply_regularization", "avg_pool2d", "avg_pool3d", "batch_norm", "bias_add",
    "binary_svm_target", "bow_encoder", "bucketize", "bucketized_column", "check_feature_columns",
    "conv1d", "conv2d", "conv2d_in_plane", "conv2d_transpose", "conv3d", "conv3d_transpose",
    "convolution", "convolution1d", "convolution2d", "convolution2d_in_plane", "convolution2d_transpose",
    "convolution3d", "convolution3d_transpose", "create_feature_spec_for_parsing", "crossed_column",
    "dense_to_sparse", "dropout", "elu", "embed_sequence", "embedding_column", "embedding_lookup_unique",
    "flatten", "fully_connected", "get_default_binary_metrics_for_eval", "group_norm",
    "images_to_sequence", "infer_real_valued_columns", "input_from_feature_columns", "instance_norm",
    "joint_weighted_sum_from_feature_columns", "l1_l2_regularizer", "l1_regularizer", "l2_regularizer",
    "layer_norm", "legacy_fully_connected", "legacy_linear", "legacy_relu", "linear",
    "make_place_holder_tensors_for_base_features", "max_pool2d", "max_pool3d", "maxout",
    "multi_class_target", "one_hot_column", "one_hot_encoding", "optimize_loss",
    "parse_feature_columns_from_examples", "parse_feature_columns_from_sequence_examples", "pool",
    "real_valued_column", "regression_target", "relu", "relu6", "repeat", "safe_embedding_lookup_sparse",
    "scattered_embedding_column", "scattered_embedding_lookup", "scattered_embedding_lookup_sparse",
    "separable_conv2d", "separable_convolution2d", "sequence_input_from_feature_columns",
    "sequence_to_images", "shared_embedding_columns", "softmax", "sparse_column_with_hash_bucket",
    "sparse_column_with_integerized_feature", "sparse_column_with_keys",
    "sparse_column_with_vocabulary_file", "sparse_feature_cross", "spatial_softmax", "stack",
    "sum_regularizer", "summarize_activation", "summarize_activations", "summarize_biases",
    "summarize_collection", "summarize_tensor", "summarize_tensors", "summarize_variables",
    "summarize_weights", "transform_features", "unit_norm", "variance_scaling_initializer",
    "weighted_sparse_column", "weighted_sum_from_feature_columns", "xavier_initializer",
    "xavier_initializer_conv2d",
]  # fmt: skip
