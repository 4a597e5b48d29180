"""Reads: which element reads which, in a small graph of tensors. `Reads(tf.matmul(a, b))`, `Reads(y, ask="value")`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import traitlets

from ..explain.tasks.element_questions import ElementQuestions
from ..explain.tasks.element_values import ElementValues
from ..view.record_kinds import message_of
from ..view.records import ReadsRecord
from .predict import Predict
from .prediction_gate import Gated
from .questions import Asked, answers


class Reads(Asked, Gated):
    """The elements of `y`, of the inputs behind it and of tensors `between`: which ones each reads, and how it is computed.

    The inputs are the constants, placeholders and variables of floating-point numbers; the reader can change their elements.
    between: by default the tensors on the way, but not those that the formula of the next one contains. feed_dict, session: as in
    Session.run; by default the variables are initialized. ask: the reader predicts the "value" of an element of y, or clicks
    the elements that it "reads"; cells: the indices of the elements that are asked for, one after the other, by default one in
    the middle. prompt: a text above the picture. after: stay locked until that Predict is answered.
    chosen: the reader's tensor and element, as numbers; draft: what the reader has entered for the question; seen: how many
    answers the reader has gone past; changed: whether an input has another value than at first.
    Raises: TypeError, ValueError for tensors that are too large or have no numbers, and as Session.run for wrong feeds.
    """

    KIND = "reads"
    ELEMENT = "tfedu-reads"
    _record: ReadsRecord

    chosen = traitlets.List().tag(sync=True)
    draft = traitlets.Dict().tag(sync=True)
    seen = traitlets.Int(0).tag(sync=True)
    changed = traitlets.Bool(False, read_only=True).tag(sync=True)

    def __init__(
        self,
        y: Any,
        between: Iterable[Any] | None = None,
        feed_dict: Any = None,
        session: Any = None,
        *,
        ask: str | None = None,
        cells: Iterable[Any] | None = None,
        prompt: str = "",
        after: Predict | None = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        self._values = ElementValues(y, between, feed_dict, session)
        self._questions = ElementQuestions(self._values.readings, ask, cells)
        self._prompt = prompt
        super().__init__(self._questions.record(prompt), after=after, title=title, lang=lang)

    @property
    def answered(self) -> bool:
        """Whether nothing is asked any more."""
        return self._questions.question is None

    def reveal(self) -> None:
        """Shows all answers without predictions."""
        while not self.answered:
            self._questions.answer()
        self._renew()

    @answers("change")
    def change(self, tensor: int, at: int, text: str) -> None:
        """Puts a number into an element of an input, and computes the picture anew.

        Raises: ValueError for a text that is no number, a tensor that is no input, and while a question is open.
        """
        self._values.change(tensor, at, text, is_asked=not self.answered)
        self._questions.readings = self._values.readings
        self._renew()

    @answers("restore")
    def restore(self) -> None:
        """Takes all changes back."""
        self._values.restore()
        self._questions.readings = self._values.readings
        self._renew()

    @answers("answer")
    def answer(self, value: str = "", picked: Sequence[Sequence[int]] = (), reason: str = "") -> None:
        """Marks the answer to the question.

        Raises: ValueError for a value that is no number, and if nothing is asked.
        """
        if self.locked:
            raise ValueError("the prediction comes first")
        self._questions.answer(value, picked, reason)
        self._renew()

    def _renew(self) -> None:
        self._record = self._questions.record(self._prompt)
        self.set_trait("changed", self._values.is_changed)
        if not self.locked:
            self.record = message_of(self._record)

    def described(self) -> str:
        names = [tensor.name for tensor in self._record.tensors]
        return f"the elements of {', '.join(names)}"
