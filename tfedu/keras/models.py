"""`tf.keras.models`: models, and how they are saved and loaded."""
from ..engine.models.keras_models.model import Model
from ..engine.models.keras_models.model_configs import (
    clone_model,
    model_from_config,
    model_from_json,
    model_from_yaml,
)
from ..engine.models.keras_models.saved_models import load_model, save_model
from ..engine.models.keras_models.sequential import Sequential

__all__ = [
    "Model", "Sequential", "clone_model", "load_model", "model_from_config", "model_from_json",
    "model_from_yaml", "save_model",
]  # fmt: skip
