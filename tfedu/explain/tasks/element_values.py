"""The values of a picture of elements, which its reader changes: `ElementValues(y).change(0, 3, "2.5")`.

State: `ElementValues`, the present values, and what the picture says of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...engine.base import errors
from ...engine.graph.nodes import Tensor
from ...view.make.element_reading.element_graph import ElementGraph
from ...view.make.element_reading.reads_records import Readings
from .element_questions import ElementError, number_of


class ElementValues:
    """The readings of `y` at values that can be changed; arguments as of ElementGraph."""

    def __init__(
        self,
        y: Any,
        between: Iterable[Any] | None = None,
        feed_dict: Any = None,
        session: Any = None,
        names: Mapping[Any, str] | None = None,
    ) -> None:
        self.elements = ElementGraph(y, between, feed_dict, session, names)
        self._before = {tensor: self.elements.values[tensor] for tensor in self.elements.inputs}
        self.readings = Readings(self.elements)

    @property
    def is_changed(self) -> bool:
        """Whether an input has another value than at first."""
        return any((self.elements.values[tensor] != value).any() for tensor, value in self._before.items())

    def change(self, number: int, at: int, text: str, is_asked: bool = False) -> None:
        """Puts a number into an element of an input.

        Raises: ElementError for a text that is no number, a tensor that is no input, a number that the run refuses, and while
        a question is open; ValueError for a tensor or an element that does not exist.
        """
        if is_asked:
            raise ElementError("asked")
        if number not in range(len(self.elements.tensors)):
            raise ValueError(f"there is no tensor {number!r:.40}")
        tensor: Tensor = self.elements.tensors[number]
        if tensor not in self.elements.inputs:
            raise ElementError("computed", tensor=self.elements.names[tensor])
        value = number_of(text)
        dtype = tensor.dtype
        if not dtype.is_floating and value != int(value):
            raise ElementError("dtype", tensor=self.elements.names[tensor], dtype=dtype.name, number=text.strip()[:40])
        try:
            self.elements.change(tensor, at, value)
        except errors.OpError as error:
            raise ElementError("failed", error=error.message.splitlines()[0]) from None
        self.readings = Readings(self.elements)

    def restore(self) -> None:
        """Takes all changes back."""
        self.elements.restore(self._before)
        self.readings = Readings(self.elements)


__all__ = ["ElementValues"]
