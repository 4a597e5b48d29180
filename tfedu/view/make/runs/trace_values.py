"""The tensors that a trace's record shows in full: `KeptValues`, a few KB for each value and a fixed size for all.

State: the records that were kept, and the room that is left.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from ....engine.replay.tensor_array_accesses import Elements
from ...records import TensorRecord, ValueRecord, to_json
from ..value_records import has_more, small_record

# The size of all records of values in a trace, and of one, in characters of JSON; the front end asks for others.
ALL: Final = 160_000
ONE: Final = 4_000


class _Known(NamedTuple):
    """A value, its place among the records, and whether it has more looks. It holds the value, so that its id stays its own."""

    value: Any
    tensor: int | None
    asks: bool


class KeptValues:
    """The records of a trace's values; a value that passes through many nodes is kept once.

    asked: whether the front end can ask a kernel for other looks of a value.
    """

    def __init__(self, room: int = ALL, *, asked: bool = False) -> None:
        self.tensors: list[TensorRecord] = []
        self._room = room
        self._asked = asked
        self._known: dict[int, _Known] = {}

    def record(self, text: str, value: Any, alias: str | None = None) -> ValueRecord:
        """The record of an output that holds this value."""
        if getattr(value, "ndim", 1) == 0 and value.dtype.kind in "biufc":
            return ValueRecord(text, alias, dead=False)
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = _Known(value, self._keep(value), self._asked and has_more(value))
        return ValueRecord(text, alias, dead=False, tensor=known.tensor, asks=known.asks)

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
