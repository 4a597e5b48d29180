"""SelfCheck: a question that carries its answer, so that it needs no Python. `Predict({"y": y}).self_check()` makes one."""

from __future__ import annotations

import traitlets

from ..view.records import SelfCheckRecord
from .base import Widget


class SelfCheck(Widget):
    """A Predict for pages: it checks a prediction, and names the misconception that predicts the same, without Python.

    The answer is in the page, and a learner who reads the page's source can find it. draft: the learner's texts, by key; reason:
    the learner's reason; committed: whether the prediction is final; result: the answer beside the prediction, after that.
    """

    KIND = "self-check"
    ELEMENT = "tfedu-predict"
    _record: SelfCheckRecord

    draft = traitlets.Dict().tag(sync=True)
    reason = traitlets.Unicode().tag(sync=True)
    committed = traitlets.Bool(False).tag(sync=True)
    result = traitlets.Dict().tag(sync=True)

    def described(self) -> str:
        return f"a question about {', '.join(repr(target.label) for target in self._record.question.targets)}"
