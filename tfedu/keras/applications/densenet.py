"""`tf.keras.applications.densenet`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.dense_nets import DenseNet121, DenseNet169, DenseNet201

preprocess_input = _preprocess_as("torch")

__all__ = [
    "DenseNet121", "DenseNet169", "DenseNet201", "decode_predictions", "preprocess_input",
]  # fmt: skip
