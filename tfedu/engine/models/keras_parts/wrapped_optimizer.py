"""An optimizer of tf.train as one of Keras: `model.compile(tf.train.AdamOptimizer(), …)`. State: its iterations."""

from __future__ import annotations

from typing import Any, NoReturn

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.framework.scope_blocks import name_scope
from ...lib.variables.variables import Variable
from ...training.checkpoints.trackable import Checkpointable
from .keras_session import note_variable


class TFOptimizer(Checkpointable):
    """An optimizer of tf.train that `Model` trains with. iterations: the number of steps so far, an int64 variable."""

    # what is saved with it has names of its own
    __setattr__ = object.__setattr__

    def __init__(self, optimizer: Any, iterations: Any = None) -> None:
        self.optimizer = optimizer
        self.updates: list[Any] = []
        if iterations is None:
            with name_scope(type(self).__name__):
                iterations = Variable(0, name="iterations", dtype=dtypes.int64, use_resource=True)
            note_variable(iterations)
        self.iterations = iterations
        self._dependencies = {"optimizer": optimizer, "global_step": iterations}

    def get_grads(self, loss: Any, params: Any) -> list[tuple[Any, Any]]:
        """Pairs (gradient, variable)."""
        pairs: list[tuple[Any, Any]] = self.optimizer.compute_gradients(loss, params)
        return pairs

    @atomic
    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The op of one training step, which also counts it."""
        step = self.optimizer.apply_gradients(self.get_grads(loss, params), global_step=self.iterations)
        for variable in self.optimizer.variables():
            note_variable(variable)
        self.updates = [step]
        return self.updates

    @property
    def weights(self) -> NoReturn:
        """Raises: NotImplementedError, as in TF 1.15."""
        raise NotImplementedError(error_text("An optimizer of tf.train has no weights that Keras knows"))

    def get_config(self) -> NoReturn:
        """Raises: NotImplementedError, as in TF 1.15."""
        raise NotImplementedError(error_text("An optimizer of tf.train has no configuration"))


__all__ = ["TFOptimizer"]
