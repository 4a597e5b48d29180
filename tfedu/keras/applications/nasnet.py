"""`tf.keras.applications.nasnet`."""

from ...engine.models.keras_applications.application_parts import decode_predictions
from ...engine.models.keras_applications.application_parts import preprocess_as as _preprocess_as
from ...engine.models.keras_applications.searched_nets import NASNetLarge, NASNetMobile

preprocess_input = _preprocess_as("tf")

__all__ = [
    "NASNetLarge", "NASNetMobile", "decode_predictions", "preprocess_input",
]  # fmt: skip
