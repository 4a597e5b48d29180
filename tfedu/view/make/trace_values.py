"""What a trace keeps of its values' looks: `KeptValues`, within a few KB a value and a fixed size for all.

State: the looks that are kept, each once, and how much room is left.
"""

from __future__ import annotations

import json
from typing import Any, Final

from ...engine.replay.tensor_array_accesses import Elements
from ..records import TensorRecord, ValueRecord, to_json
from .value_records import has_more, small_record

# All looks of a trace together, and one of them, in characters of JSON. What finds no room is asked for.
ALL: Final = 160_000
ONE: Final = 4_000


class KeptValues:
    """The looks of a trace's values. A value that goes through many nodes is kept once; where there is no room, none is."""

    def __init__(self, room: int = ALL, *, asked: bool = False) -> None:
        """asked: whether somebody can be asked for other looks."""
        self.tensors: list[TensorRecord] = []
        self._room = room
        self._asked = asked
        # The value beside its place: while it is held, nothing else has its id.
        self._known: dict[int, tuple[Any, int | None, bool]] = {}

    def record(self, text: str, value: Any, alias: str | None = None) -> ValueRecord:
        """The record of an output that holds this value."""
        if getattr(value, "ndim", 1) == 0 and value.dtype.kind in "biufc":
            return ValueRecord(text, alias, False)
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = (value, self._keep(value), self._asked and has_more(value))
        return ValueRecord(text, alias, False, known[1], known[2])

    def _keep(self, value: Any) -> int | None:
        if self._room <= 0 or isinstance(value, Elements):
            return None
        record = small_record(value)
        if record is None:
            return None
        size = len(json.dumps(to_json(record)))
        if size > min(ONE, self._room):
            return None
        self._room -= size
        self.tensors.append(record)
        return len(self.tensors) - 1
