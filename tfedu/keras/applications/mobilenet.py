"""`tf.keras.applications.mobilenet`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.mobile_nets import MobileNet

preprocess_input = _preprocess_as("tf")

__all__ = [
    "MobileNet", "decode_predictions", "preprocess_input",
]  # fmt: skip
