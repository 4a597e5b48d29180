"""`tf.feature_column`: columns that say how features by name become a model's inputs."""

from .engine.models.feature_columns.categorical_columns import (
    categorical_column_with_hash_bucket,
    categorical_column_with_identity,
    categorical_column_with_vocabulary_file,
    categorical_column_with_vocabulary_list,
    crossed_column,
    weighted_categorical_column,
)  # fmt: skip
from .engine.models.feature_columns.column_functions import input_layer, linear_model, make_parse_example_spec
from .engine.models.feature_columns.columns_of_ids import (
    embedding_column,
    indicator_column,
    shared_embedding_columns,
)
from .engine.models.feature_columns.numeric_columns import bucketized_column, numeric_column
from .engine.models.feature_columns.sequence_columns import (
    sequence_categorical_column_with_hash_bucket,
    sequence_categorical_column_with_identity,
    sequence_categorical_column_with_vocabulary_file,
    sequence_categorical_column_with_vocabulary_list,
    sequence_numeric_column,
)  # fmt: skip

__all__ = [
    "bucketized_column", "categorical_column_with_hash_bucket", "categorical_column_with_identity",
    "categorical_column_with_vocabulary_file", "categorical_column_with_vocabulary_list",
    "crossed_column", "embedding_column", "indicator_column", "input_layer", "linear_model",
    "make_parse_example_spec", "numeric_column", "sequence_categorical_column_with_hash_bucket",
    "sequence_categorical_column_with_identity", "sequence_categorical_column_with_vocabulary_file",
    "sequence_categorical_column_with_vocabulary_list", "sequence_numeric_column",
    "shared_embedding_columns", "weighted_categorical_column",
]  # fmt: skip
