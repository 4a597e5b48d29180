"""Widgets whose values the front end can request as a table, heat map, image or histogram: `Valued`."""

from __future__ import annotations

from typing import Any

from ..view.make.value_records import tensor_record, value_at
from ..view.records import to_json
from .questions import Asked, answers


class Valued(Asked):
    """A widget with traces. traces: by their numbers in the front end."""

    traces: list[Any]

    @answers("value")
    def value(
        self, number: int, run: int, step: int, output: int, look: str | None = None, part: int = 0
    ) -> dict[str, Any]:
        """The record of the value of one output of a step, as a view `look`.

        Raises: ValueError for an unknown output, for a view that the value does not have, and while the widget is locked.
        """
        if getattr(self, "locked", False):
            raise ValueError("the prediction comes first")
        indices = (number, run, step, output)
        if not all(isinstance(at, int) for at in indices) or not 0 <= number < len(self.traces):
            raise ValueError(f"there is no value at {indices}")
        step_value = value_at(self.traces[number], run, step, output)
        record: dict[str, Any] = to_json(tensor_record(step_value, look=look, part=part))
        return record
