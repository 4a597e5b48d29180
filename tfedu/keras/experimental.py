"""`tf.keras.experimental`: parts of models whose names may change."""

from ..engine.models.feature_columns.feature_layers import SequenceFeatures
from ..engine.models.keras_models.saved_folders import export_saved_model, load_from_saved_model
from ..engine.models.keras_parts.learning_rate_schedules import (
    CosineDecay,
    CosineDecayRestarts,
    LinearCosineDecay,
    NoisyLinearCosineDecay,
)
from ..engine.models.keras_recurrent.recurrent_cells import PeepholeLSTMCell

__all__ = [
    "CosineDecay", "CosineDecayRestarts", "LinearCosineDecay", "NoisyLinearCosineDecay",
    "PeepholeLSTMCell", "SequenceFeatures", "export_saved_model", "load_from_saved_model",
]  # fmt: skip
