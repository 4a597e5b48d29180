"""`tf.saved_model.tag_constants`: the standard tags of graphs."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.training.saved_models.saved_model_names import (
    GPU, SERVING, TPU, TRAINING,
)  # fmt: skip

__all__ = [
    "GPU", "SERVING", "TPU", "TRAINING",
]  # fmt: skip
