"""`tf.keras.applications.inception_v3`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.inception_nets import InceptionV3

preprocess_input = _preprocess_as("tf")

__all__ = [
    "InceptionV3", "decode_predictions", "preprocess_input",
]  # fmt: skip
