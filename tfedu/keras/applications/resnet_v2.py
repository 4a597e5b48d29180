"""`tf.keras.applications.resnet_v2`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.residual_nets import ResNet50V2, ResNet101V2, ResNet152V2

preprocess_input = _preprocess_as("tf")

__all__ = [
    "ResNet101V2", "ResNet152V2", "ResNet50V2", "decode_predictions", "preprocess_input",
]  # fmt: skip
