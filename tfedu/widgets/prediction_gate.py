"""Widgets that wait for a prediction: `Compare(..., after=predict)` stays locked until the learner commits it."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import traitlets

from ..view.picture_files import Shown
from ..view.record_kinds import message_of
from ..view.records import Record
from .base import Widget
from .kept_runs import Gone, keep
from .predict import Predict
from .value_requests import Valued


class Gated(Widget):
    """A widget that is locked until the learner has committed the prediction `after`.

    Its record, which has the answer, stays in Python until the lock opens. question: the name of that prediction on the page.
    Raises: TypeError if `after` is not a Predict.
    """

    locked = traitlets.Bool(False).tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)

    def __init__(self, record: Record, /, *, after: Predict | None = None, **traits: Any) -> None:
        if after is not None and not isinstance(after, Predict):
            raise TypeError(f"after must be a Predict widget, not {type(after).__name__}\n  fix: after=predict")
        if after is None or after.answered:
            super().__init__(record, question=after.question if after is not None else "", **traits)
            return
        self._after = after
        super().__init__(record, record={}, locked=True, question=after.question, **traits)
        after.observe(self._unlock, "result")

    def _unlock(self, _change: Any) -> None:
        if self._after.answered:
            with self.hold_sync():
                self.record = message_of(self._record)
                self.locked = False

    def shown(self, lang: str | None = None) -> Shown | None:
        return None if self.locked else super().shown(lang)

    def __repr__(self) -> str:
        if self.locked:
            return f"<tfedu {type(self).__name__}: opens when the prediction before it is committed.>"
        return super().__repr__()


class Stepped(Valued, Gated):
    """A widget of runs, at `step` of `run`. HELD: the attributes with the runs, which it has until newer widgets replace it."""

    HELD: ClassVar = ("programs", "traces", "timelines", "_explorer", "_breakpoints", "_hits")

    run = traitlets.Int(0).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    is_gone = False

    def __init__(self, *args: Any, **traits: Any) -> None:
        super().__init__(*args, **traits)
        keep(self, getattr(self, "traces", ()))

    @classmethod
    def of_record(cls, record: Any, *, title: str | None = None, lang: str | None = None) -> Self:
        widget = super().of_record(record, title=title, lang=lang)
        widget.let_go()
        return widget

    def let_go(self) -> None:
        """Forgets the runs. The page goes on showing the record; what asks for more is refused."""
        self.is_gone = True
        for name in self.HELD:
            vars(self).pop(name, None)

    def __getattr__(self, name: str) -> Any:
        if name in self.HELD and self.is_gone:
            raise Gone("gone")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def answer_to(self, question: Any, args: Any) -> Any:
        if self.is_gone:
            raise Gone("gone")
        return super().answer_to(question, args)
