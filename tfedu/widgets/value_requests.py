"""What shows values can be asked for one as a table, a heat map, an image, a histogram: `Valued`, over view.values."""

from __future__ import annotations

from typing import Any

from ..view.make.value_records import tensor_record, value_at
from ..view.records import to_json
from .questions import Asked, answers


class Valued(Asked):
    """A widget with traces, whose numbers are their places in `traces`."""

    traces: list[Any]

    @answers("value")
    def value(
        self, number: int, run: int, step: int, output: int, look: str | None = None, part: int = 0
    ) -> dict[str, Any]:
        """The record of what an output of a step held, as `look` shows it.

        Raises: ValueError for a place that is not there, for a look that the value does not have, and while it may not be seen.
        """
        if getattr(self, "locked", False):
            raise ValueError("the prediction comes first")
        places = (number, run, step, output)
        if not all(isinstance(at, int) for at in places) or not 0 <= number < len(self.traces):
            raise ValueError(f"there is no value at {places}")
        found = value_at(self.traces[number], run, step, output)
        shown: dict[str, Any] = to_json(tensor_record(found, look=look, part=part))
        return shown
