"""`tf.keras.applications.imagenet_utils`: pictures in, classes out."""

from ...engine.models.keras_applications.application_parts import decode_predictions, preprocess_input

__all__ = [
    "decode_predictions", "preprocess_input",
]  # fmt: skip
