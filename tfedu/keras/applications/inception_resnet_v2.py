"""`tf.keras.applications.inception_resnet_v2`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.inception_nets import InceptionResNetV2

preprocess_input = _preprocess_as("tf")

__all__ = [
    "InceptionResNetV2", "decode_predictions", "preprocess_input",
]  # fmt: skip
