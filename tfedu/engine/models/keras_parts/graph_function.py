"""`GraphFunction`: a function of arrays that runs a part of the graph: K.function. State: its fetches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.nodes import Operation
from ...lib.control.grouping import group
from ...lib.framework import nest
from ...lib.framework.scope_blocks import waiting_for
from .keras_session import keras_session


class GraphFunction:
    """The function from values of `inputs` to values of `outputs`; each call also runs the updates.

    updates: ops, or pairs (variable, new value). Attributes for callbacks: a call also runs `fetches`, and gives the value of one
    to its function in `fetch_callbacks`.
    """

    def __init__(self, inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **options: Any) -> None:
        if not isinstance(updates or [], (list, tuple)):
            raise TypeError(error_text("`updates` in a Keras backend function should be a list or tuple."))
        self.inputs, self.name, self._outputs, self._options = list(inputs), name, outputs, options
        self._flat = nest.flatten(outputs)
        self.fetches: list[Any] = []
        self.fetch_callbacks: dict[Any, Callable[[Any], Any]] = {}
        with waiting_for(self._flat[:1]):
            ops = [each[0].assign(each[1]) if isinstance(each, (list, tuple)) else each for each in updates or []]
            self.updates_op: Operation = group(*ops)

    def __call__(self, inputs: Any) -> Any:
        """The outputs for the values of the inputs; a value of None leaves an input unfed."""
        feeds = {tensor: value for tensor, value in zip(self.inputs, nest.flatten(inputs)) if value is not None}
        fetched = keras_session().run([*self._flat, self.updates_op, *self.fetches], feed_dict=feeds, **self._options)
        for fetch, value in zip(self.fetches, fetched[len(self._flat) + 1 :]):
            if fetch in self.fetch_callbacks:
                self.fetch_callbacks[fetch](value)
        return nest.pack_sequence_as(self._outputs, fetched[: len(self._flat)])


__all__ = ["GraphFunction"]
