"""`RateOptimizer`: the base of the optimizers with a learning rate, and updates of rows of their slots.

State: as of KerasOptimizer.
"""

from __future__ import annotations

from typing import Any

from ...lib.arrays import selection
from ...lib.control.grouping import identity
from ...lib.framework.scope_blocks import waiting_for
from .base_optimizer import KerasOptimizer


class RateOptimizer(KerasOptimizer):
    """An optimizer with a learning rate. settings: its other hyperparameters, which the graph holds as variables."""

    def __init__(self, name: str, learning_rate: Any, kwargs: dict[str, Any], **settings: Any) -> None:
        super().__init__(name, **kwargs)
        self._hyper.update({"learning_rate": kwargs.get("lr", learning_rate), "decay": self._initial_decay, **settings})

    def _config_of(self, *names: str, **others: Any) -> dict[str, Any]:
        told = {name: self._serialize_hyperparameter(name) for name in ("learning_rate", "decay", *names)}
        return {**KerasOptimizer.get_config(self), **told, **others}

    def _identities(self, dtype: Any, **names: str) -> dict[str, Any]:
        return {key: identity(self._get_hyper(name, dtype)) for key, name in names.items()}


def moved(optimizer: KerasOptimizer, slot: Any, factor: Any, indices: Any, rows: Any) -> Any:
    """The slot's value after it was multiplied by the factor, and rows were added to it."""
    with waiting_for([slot.assign(slot * factor)]):
        return optimizer._resource_scatter_add(slot, indices, rows)


def moved_rows(optimizer: KerasOptimizer, slot: Any, factor: Any, indices: Any, rows: Any) -> tuple[Any, Any]:
    """The same, and the rows of the new value at the indices."""
    with waiting_for([slot.assign(slot * factor)]):
        new = optimizer._resource_scatter_add(slot, indices, rows)
        return new, selection.gather(new, indices)


__all__ = ["RateOptimizer", "moved", "moved_rows"]
