"""Gives models the methods that save and load them, which need all kinds of models. No state."""

from __future__ import annotations

from ..keras_layers import op_layers
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.metric import Mean
from . import model_configs, saved_models
from .model import Model
from .sequential import Sequential

ATTACHED = {
    (Model, "save"): saved_models.save_model,
    (Model, "save_weights"): saved_models.save_weights,
    (Model, "load_weights"): saved_models.load_weights,
    (Model, "from_config"): classmethod(model_configs.network_from_config),
    (Sequential, "from_config"): classmethod(model_configs.sequential_from_config),
}


def attach() -> None:
    """Attaches them, the layers that ops become, and the metric that `add_metric` makes."""
    op_layers.attach()
    KerasLayer._new_mean = staticmethod(Mean)  # type: ignore[method-assign]
    for (kind, name), function in ATTACHED.items():
        setattr(kind, name, function)


__all__ = ["ATTACHED", "attach"]
