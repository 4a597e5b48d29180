"""`tf.keras.applications.vgg16`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.plain_nets import VGG16

preprocess_input = _preprocess_as("caffe")

__all__ = [
    "VGG16", "decode_predictions", "preprocess_input",
]  # fmt: skip
