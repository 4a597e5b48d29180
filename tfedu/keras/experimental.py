"""`tf.keras.experimental`: parts of models whose names may change."""

from ..engine.models.keras_recurrent.recurrent_cells import PeepholeLSTMCell

__all__ = [
    "PeepholeLSTMCell",
]  # fmt: skip
