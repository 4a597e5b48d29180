"""`tf.keras.losses`: what a model's training makes small."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.models.keras_parts.keras_losses import (
    binary_crossentropy, categorical_crossentropy, categorical_hinge, cosine_similarity, hinge, kullback_leibler_divergence,
    logcosh, mean_absolute_error, mean_absolute_percentage_error, mean_squared_error, mean_squared_logarithmic_error, poisson,
    sparse_categorical_crossentropy, squared_hinge,
)  # fmt: skip
from ..engine.models.keras_parts.loss_objects import (
    BinaryCrossentropy, CategoricalCrossentropy, CategoricalHinge, CosineSimilarity, Hinge, Huber, KLDivergence, LogCosh, Loss,
    MeanAbsoluteError, MeanAbsolutePercentageError, MeanSquaredError, MeanSquaredLogarithmicError, Poisson,
    SparseCategoricalCrossentropy, SquaredHinge, deserialize, get, serialize,
)  # fmt: skip
from ..engine.models.keras_parts.weighted_losses import ReductionV2 as Reduction

MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error
MAPE = mape = mean_absolute_percentage_error
MSLE = msle = mean_squared_logarithmic_error
KLD = kld = kullback_leibler_divergence
cosine = cosine_proximity = cosine_similarity

__all__ = [
    "BinaryCrossentropy", "CategoricalCrossentropy", "CategoricalHinge", "CosineSimilarity", "Hinge",
    "Huber", "KLD", "KLDivergence", "LogCosh", "Loss", "MAE", "MAPE", "MSE", "MSLE", "MeanAbsoluteError",
    "MeanAbsolutePercentageError", "MeanSquaredError", "MeanSquaredLogarithmicError", "Poisson",
    "Reduction", "SparseCategoricalCrossentropy", "SquaredHinge", "binary_crossentropy",
    "categorical_crossentropy", "categorical_hinge", "cosine", "cosine_proximity", "cosine_similarity",
    "deserialize", "get", "hinge", "kld", "kullback_leibler_divergence", "logcosh", "mae", "mape",
    "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_error",
    "mean_squared_logarithmic_error", "mse", "msle", "poisson", "serialize",
    "sparse_categorical_crossentropy", "squared_hinge",
]  # fmt: skip
