"""`tf.keras.metrics`: what is measured of a model, over all batches."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.models.keras_layers.confusion_metrics import (
    AUC, FalseNegatives, FalsePositives, MeanIoU, Precision, Recall, SensitivityAtSpecificity, SpecificityAtSensitivity,
    TrueNegatives, TruePositives,
)  # fmt: skip
from ..engine.models.keras_layers.keras_metrics import (
    Accuracy, BinaryAccuracy, BinaryCrossentropy, CategoricalAccuracy, CategoricalCrossentropy, CategoricalHinge,
    CosineSimilarity, Hinge, KLDivergence, LogCoshError, MeanAbsoluteError, MeanAbsolutePercentageError, MeanSquaredError,
    MeanSquaredLogarithmicError, Poisson, RootMeanSquaredError, SparseCategoricalAccuracy, SparseCategoricalCrossentropy,
    SparseTopKCategoricalAccuracy, SquaredHinge, TopKCategoricalAccuracy, binary_accuracy, categorical_accuracy,
    cosine_proximity, deserialize, get, serialize, sparse_categorical_accuracy, sparse_top_k_categorical_accuracy,
    top_k_categorical_accuracy,
)  # fmt: skip
from ..engine.models.keras_layers.metric import Mean, MeanRelativeError, MeanTensor, Metric, Sum
from .losses import (
    KLD, MAE, MAPE, MSE, MSLE, binary_crossentropy, categorical_crossentropy, hinge, kld, kullback_leibler_divergence, mae,
    mape, mean_absolute_error, mean_absolute_percentage_error, mean_squared_error, mean_squared_logarithmic_error, mse, msle,
    poisson, sparse_categorical_crossentropy, squared_hinge,
)  # fmt: skip

cosine = cosine_proximity

__all__ = [
    "AUC", "Accuracy", "BinaryAccuracy", "BinaryCrossentropy", "CategoricalAccuracy",
    "CategoricalCrossentropy", "CategoricalHinge", "CosineSimilarity", "FalseNegatives", "FalsePositives",
    "Hinge", "KLD", "KLDivergence", "LogCoshError", "MAE", "MAPE", "MSE", "MSLE", "Mean",
    "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanIoU", "MeanRelativeError",
    "MeanSquaredError", "MeanSquaredLogarithmicError", "MeanTensor", "Metric", "Poisson", "Precision",
    "Recall", "RootMeanSquaredError", "SensitivityAtSpecificity", "SparseCategoricalAccuracy",
    "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy", "SpecificityAtSensitivity",
    "SquaredHinge", "Sum", "TopKCategoricalAccuracy", "TrueNegatives", "TruePositives", "binary_accuracy",
    "binary_crossentropy", "categorical_accuracy", "categorical_crossentropy", "cosine",
    "cosine_proximity", "deserialize", "get", "hinge", "kld", "kullback_leibler_divergence", "mae",
    "mape", "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_error",
    "mean_squared_logarithmic_error", "mse", "msle", "poisson", "serialize",
    "sparse_categorical_accuracy", "sparse_categorical_crossentropy", "sparse_top_k_categorical_accuracy",
    "squared_hinge", "top_k_categorical_accuracy",
]  # fmt: skip
