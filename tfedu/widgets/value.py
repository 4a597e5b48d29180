"""Value: one value as a number, table, heat map, image, histogram or string. `Value(session.run(w))`."""

from __future__ import annotations

from typing import Any

import traitlets

from ..view.make.value_records import tensor_record
from ..view.records import TensorRecord, to_json
from .questions import Asked, answers


class Value(Asked):
    """A picture of `value`: an array, a number, a string, or what a run gives for one tensor.

    look: the first view, one of "number", "string", "table", "heat", "image", "histogram"; by default the one that fits the
    value. None and resources are shown as text.
    Raises: ValueError for a look that the value does not have.
    """

    KIND = "value"
    ELEMENT = "tfedu-value"
    _record: TensorRecord

    look = traitlets.Unicode().tag(sync=True)

    def __init__(self, value: Any, *, look: str | None = None, title: str | None = None, lang: str | None = None) -> None:
        tensor_record(value, look=look)  # a wrong look is the caller's mistake
        self._value = value
        super().__init__(tensor_record(value), title=title, lang=lang, look=look or "")

    @answers("value")
    def asked(self, look: str | None = None, part: int = 0, **_place: Any) -> dict[str, Any]:
        """The record of another view or slice.

        Raises: ValueError for a look that the value does not have, and for a slice that is not there.
        """
        record: dict[str, Any] = to_json(tensor_record(self._value, look=look, part=part))
        return record

    def described(self) -> str:
        return f"{self._record.dtype or 'a value'} {self._record.shape}"
