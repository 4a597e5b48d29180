"""`tf.keras`: models of layers, trained by `compile` and `fit`, in graph mode."""

# ruff: noqa: I001 - the names stand in paragraphs
from . import (
    activations, applications, backend, callbacks, constraints, datasets, experimental, initializers, layers, losses, metrics,
    models, optimizers, preprocessing, regularizers, utils, wrappers,
)  # fmt: skip
from ..engine.models.keras_layers.input_layer import Input
from ..engine.models.keras_models.attach import attach as _attach
from .models import Model, Sequential

__version__ = "2.2.4-tf"

_attach()

__all__ = [
    "Input", "Model", "Sequential", "__version__", "activations", "applications", "backend", "callbacks",
    "constraints", "datasets", "experimental", "initializers", "layers", "losses", "metrics", "models",
    "optimizers", "preprocessing", "regularizers", "utils", "wrappers",
]  # fmt: skip
