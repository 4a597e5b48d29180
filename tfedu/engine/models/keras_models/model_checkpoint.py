"""`ModelCheckpointFile`: a checkpoint of a model's variables by the paths of its layers. No state of its own."""

from __future__ import annotations

from typing import Any

from ...training.checkpoints.object_checkpoint import Checkpoint
from ..keras_parts.keras_session import keras_session


class ModelCheckpointFile(Checkpoint):
    """A checkpoint whose root is a model: layer_with_weights-0/kernel, and the optimizer's variables."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self._model = model

    def _saved_parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = self._model._saved_parts()
        return parts

    def load(self, path: Any) -> None:
        """Gives the model the values of a checkpoint.

        Raises: NotFoundError, DataLossError as `restore`; AssertionError for a checkpoint of other objects.
        """
        self.restore(path).assert_nontrivial_match().run_restore_ops(session=keras_session())


__all__ = ["ModelCheckpointFile"]
