"""The page of `tfedu view`: `ServedPage(widgets, title, lang)` has its text, and answers the questions that its widgets ask.

State of a ServedPage: its widgets.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence

from ...view.whole_files import json_text
from ..base import Widget, page_text
from ..questions import Asked, refused


class ServedPage:
    """`text` is the page. Only widgets that do not hold all of their graph are asked; the page of others is the exported one."""

    def __init__(self, widgets: Sequence[Widget], title: str, lang: str | None) -> None:
        self._asked = {i: widget for i, widget in enumerate(widgets) if isinstance(widget, Asked) and widget.has_more}
        self._one_at_a_time = threading.Lock()
        self.text = page_text(widgets, title, lang, asked=list(self._asked))

    def answer(self, body: bytes) -> bytes:
        """The reply, as JSON, to a question: {"widget": its place on the page, "question": name, "args": {…}}.

        Raises: ValueError for a body that is no question to a widget of this page.
        """
        try:
            question = json.loads(body)
            widget = self._asked[question["widget"]]
        except (ValueError, RecursionError, TypeError, KeyError):
            raise ValueError("this is no question to a widget of the page") from None
        try:
            with self._one_at_a_time:
                reply = {"value": widget.answer_to(question.get("question"), question.get("args"))}
        except (ValueError, TypeError) as error:
            reply = refused(error)
        return json_text(reply).encode()


__all__ = ["ServedPage"]
