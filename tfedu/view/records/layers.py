"""The record of a model's layers: what `model_summary()` shows. No state."""

from __future__ import annotations

from typing import ClassVar

from .codec import dataclass
from .graph import LayerRecord


@dataclass(frozen=True, slots=True)
class LayersRecord:
    """The layers in the order of their making; variables that layers share count once in the sums.

    parameters, trainable: how many numbers the variables hold, None where a size is unknown.
    """

    KIND: ClassVar[str] = "layers"
    layers: tuple[LayerRecord, ...]
    parameters: int | None
    trainable: int | None
