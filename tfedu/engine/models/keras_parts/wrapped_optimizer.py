"""An optimizer of tf.train as one of Keras: `model.compile(tf.train.AdamOptimizer(), …)`. State: the iterations."""

from __future__ import annotations

import functools
from typing import Any, NoReturn

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.variables.initializers import Zeros
from ...lib.variables.variables import Variable
from .keras_session import note_variable


class WrappedOptimizer:
    """An optimizer of tf.train that `Model` trains with. 1.15 calls it TFOptimizer."""

    def __init__(self, optimizer: Any) -> None:
        self.optimizer = optimizer
        self._iterations: Variable | None = None
        self.updates: list[Any] = []

    @property
    def iterations(self) -> Variable:
        """The number of steps so far, an int64 variable."""
        if self._iterations is None:
            zeros = functools.partial(Zeros(), [], dtype=dtypes.int64)
            self._iterations = Variable(
                zeros, name="iterations", dtype=dtypes.int64, trainable=False, use_resource=True
            )
            note_variable(self._iterations)
        return self._iterations

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
        return [step]

    @property
    def weights(self) -> NoReturn:
        """Raises: NotImplementedError, as in TF 1.15."""
        raise NotImplementedError(error_text("An optimizer of tf.train has no weights that Keras knows"))

    def get_config(self) -> NoReturn:
        """Raises: NotImplementedError, as in TF 1.15."""
        raise NotImplementedError(error_text("An optimizer of tf.train has no configuration"))


__all__ = ["WrappedOptimizer"]
