"""`tf.contrib.layers`: layers as functions, their initializers and regularizers."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.contrib.embedding_lookups import embedding_lookup_unique, safe_embedding_lookup_sparse
from ...engine.models.contrib.fan_initializers import (
    variance_scaling_initializer, xavier_initializer, xavier_initializer_conv2d,
)  # fmt: skip
from ...engine.training.losses.regularizers import (
    apply_regularization, l1_l2_regularizer, l1_regularizer, l2_regularizer, sum_regularizer,
)  # fmt: skip

__all__ = [
    "apply_regularization", "embedding_lookup_unique", "l1_l2_regularizer", "l1_regularizer",
    "l2_regularizer", "safe_embedding_lookup_sparse", "sum_regularizer", "variance_scaling_initializer",
    "xavier_initializer", "xavier_initializer_conv2d",
]  # fmt: skip
