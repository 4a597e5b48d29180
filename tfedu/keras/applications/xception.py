"""`tf.keras.applications.xception`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.separable_nets import Xception

preprocess_input = _preprocess_as("tf")

__all__ = [
    "Xception", "decode_predictions", "preprocess_input",
]  # fmt: skip
