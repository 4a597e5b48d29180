"""`tf.keras.applications.resnet`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.residual_nets import ResNet50, ResNet101, ResNet152

preprocess_input = _preprocess_as("caffe")

__all__ = [
    "ResNet101", "ResNet152", "ResNet50", "decode_predictions", "preprocess_input",
]  # fmt: skip
