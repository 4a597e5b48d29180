"""`tf.keras.applications.mobilenet_v2`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.mobile_nets import MobileNetV2

preprocess_input = _preprocess_as("tf")

__all__ = [
    "MobileNetV2", "decode_predictions", "preprocess_input",
]  # fmt: skip
