"""Questions from the front end: a method under `@answers("why")` is called when the browser asks "why", and returns JSON.

A question is {"ask": number, "question": name, "args": {…}}; the reply repeats the number as "answer", with a "value" or an
"error" in words; a `Refusal` adds its message's "code" and "params". An exception other than ValueError and TypeError is raised
again after the reply, so that the kernel shows its traceback. The front end's side is widgets/src/base/questions.ts. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..explain.orders.breakpoints import Refusal
from .base import Widget

_BY_ARGUMENTS = (ValueError, TypeError)
_Method = TypeVar("_Method", bound=Callable[..., Any])


def answers(question: str) -> Callable[[_Method], _Method]:
    """Marks the method that answers a question; it takes the question's arguments by name."""

    def mark(method: _Method) -> _Method:
        method.__dict__["question"] = question
        return method

    return mark


def refused(error: Exception) -> dict[str, Any]:
    """What the front end hears of a question that raised an error."""
    coded = {"code": f"{error.group}.{error.code}", "params": error.params} if isinstance(error, Refusal) else {}
    return {"error": str(error).strip() or type(error).__name__, **coded}


class Asked(Widget):
    """A widget that answers questions."""

    _answers: Mapping[str, str]
    has_more = False  # whether Python keeps a part of the record until the front end asks for it

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        methods = {}
        for kind in reversed(cls.__mro__):
            for name, method in vars(kind).items():
                question = getattr(method, "__dict__", {}).get("question")
                if question is not None:
                    methods[question] = name
        cls._answers = methods

    def __init__(self, *args: Any, **traits: Any) -> None:
        super().__init__(*args, **traits)
        self.on_msg(type(self)._asked)

    def _asked(self, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict) or not isinstance(content.get("ask"), int):
            return
        number, question, args = content["ask"], content.get("question"), content.get("args")
        try:
            reply = {"value": self.answer_to(question, args)}
        except Exception as error:
            self.send({"answer": number, **refused(error)})
            if not isinstance(error, _BY_ARGUMENTS):
                raise
        else:
            self.send({"answer": number, **reply})

    def answer_to(self, question: Any, args: Any) -> Any:
        """The answer as JSON. Raises: ValueError for an unknown question, TypeError for other arguments, and as its method."""
        name = self._answers.get(question) if isinstance(question, str) else None
        if name is None:
            raise ValueError(f"{type(self).__name__} has no answer to the question {str(question)[:60]!r}")
        if not isinstance(args, dict):
            raise TypeError(f"the arguments of a question are an object, not {type(args).__name__}")
        return getattr(self, name)(**args)


__all__ = ["Asked", "answers", "refused"]
