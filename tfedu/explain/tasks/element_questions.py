"""Questions about single elements: what is its value, and which elements does it read?

    questions = ElementQuestions(Readings(ElementGraph(y)), "value", [(0, 1)])
    questions.answer(value="4")         the answer's record, with the wrong idea that a wrong value comes from

State: `ElementQuestions`, the elements that are still asked for, and the answers.
"""

from __future__ import annotations

import math
import operator
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

import numpy as np

from ...engine.base.coded_errors import Refusal
from ...view.make.element_reading.element_formulas import Formula, is_exact, short
from ...view.make.element_reading.reads_records import Readings
from ...view.records import (
    ElementAnswerRecord,
    ElementIdea,
    ElementQuestionRecord,
    QuestionForm,
    ReadsRecord,
)

# A value is right within a hundredth of it, or this near; a whole number has to be met.
NEAR = 0.006
REASON = 2000  # characters of a reason that are kept


class ElementError(Refusal, ValueError):
    """What a reader typed cannot be used."""

    group = "reads"
    texts = {
        "asked": "The prediction comes first.",
        "computed": "{tensor} is computed: change an input.",
        "dtype": "{tensor} holds {dtype}, and {number} is none.",
        "failed": "With this number the run fails: {error}",
        "unreadable": "{text} is no number.",
    }


class ElementQuestions:
    """Questions about elements of the output, one after the other. places: their indices; by default the one in the middle.

    Raises: ValueError for an unknown form, and for an index that is no element of the output.
    """

    def __init__(self, readings: Readings, form: str | None = None, places: Iterable[Any] | None = None) -> None:
        if form is not None and form not in get_args(QuestionForm):
            raise ValueError(f'ask must be "value" or "reads", not {str(form)[:20]!r}')
        if form is None and places is not None:
            raise ValueError('cells are the elements that a question is about\n  fix: ask="value" or ask="reads"')
        self.readings = readings
        self.form: QuestionForm = form if form == "reads" else "value"  # type: ignore[assignment]
        self.answers: list[ElementAnswerRecord] = []
        shape = readings.elements.values[readings.elements.y].shape
        if form is None:
            self.pending: list[int] = []
        elif places is None:
            self.pending = [int(np.prod(shape, dtype=int)) // 2]
        else:
            self.pending = [_flat(place, shape) for place in places]
        self.total = len(self.pending)

    @property
    def question(self) -> ElementQuestionRecord | None:
        """What is asked now; None if nothing is."""
        if not self.pending:
            return None
        number = self.total - len(self.pending) + 1
        return ElementQuestionRecord(self.form, self.readings.output, self.pending[0], number, self.total)

    def record(self, prompt: str = "") -> ReadsRecord:
        """The record of the picture with the question and the answers; without the values that are asked for."""
        return self.readings.record(self.pending, self.question, self.answers, prompt)

    def answer(self, value: str = "", picked: Sequence[Sequence[int]] = (), reason: str = "") -> ElementAnswerRecord:
        """Marks an answer to the question; it cannot be taken back. An empty one shows the answer.

        Raises: ElementError for a value that is no number; ValueError if nothing is asked.
        """
        if not self.pending:
            raise ValueError("nothing is asked")
        at, number = self.pending[0], self.readings.output
        chosen = sorted({(int(tensor), int(element)) for tensor, element in picked})
        read = sorted(self.readings.reads(number, at))
        given = None if self.form == "reads" or not value.strip() else number_of(value)
        actual = self.readings.value(number, at)
        correct = chosen == read if self.form == "reads" else given is not None and _is_near(given, actual)
        idea, other = ("", "") if correct or given is None else self._idea(given, at)
        answer = ElementAnswerRecord(
            form=self.form,
            tensor=number,
            at=at,
            given="" if given is None else value.strip()[:40],
            actual=short(actual),
            correct=correct,
            picked=tuple(chosen),
            missed=tuple([place for place in read if place not in chosen]),
            extra=tuple([place for place in chosen if place not in read]),
            idea=idea,  # type: ignore[arg-type]
            other=other,
            reason=reason[:REASON],
        )
        self.pending.pop(0)
        self.answers.append(answer)
        return answer

    def _idea(self, given: float, at: int) -> tuple[ElementIdea, str]:
        """The wrong idea that gives this value, and the element of which it is the value."""
        number = self.readings.output
        formula = self.readings.formula(number, at)
        if formula is not None:
            for idea, value in self._wrong_values(formula, at):
                if _is_near(given, value):
                    return idea, ""
        tensor = self.readings.elements.tensors[number]
        values = self.readings.elements.values[tensor]
        numbers = np.arange(values.size).reshape(values.shape)
        turned = numbers.T.reshape(-1)[at] if values.ndim == 2 and values.shape[0] == values.shape[1] else at
        for other in (int(turned), *range(values.size)):
            if other != at and other not in self.pending and _is_near(given, self.readings.value(number, other)):
                return "other_element", self.readings.name(number, other)
        return "", ""

    def _wrong_values(self, formula: Formula, at: int) -> Iterator[tuple[ElementIdea, float]]:
        """What wrong ideas of the element's formula give."""
        tensor = self.readings.elements.tensors[self.readings.output]
        stage = self.readings.elements.stages[tensor]
        operands = [self.readings.numbers[operand] for operand in stage.operands]
        numbers = [float(self.readings.value(operands[o], i)) for o, i in formula.elements]
        total = sum(numbers)
        if formula.kind == "softmax" and formula.own is not None and total:
            own = self.readings.value(operands[formula.own[0]], formula.own[1])
            yield "shares", own / total
        pairs = [term for term in formula.terms if len(term.factors) == 2]
        if formula.kind == "sum" and len(pairs) > 1:
            values = [[self.readings.value(operands[o], i) for o, i in term.factors] for term in pairs]
            if "Conv2D" in stage.types:
                rest = sum(term.coefficient for term in formula.terms if not term.factors)
                yield "turned", rest + sum(one * other for (one, _), (_, other) in zip(values, reversed(values), strict=True))
            for one, other in values:
                yield "one_product", one * other
        elif len(numbers) > 1:
            yield "mean", total / len(numbers)
            yield "sum", total
            yield "largest", max(numbers)
            yield "smallest", min(numbers)


def number_of(text: str) -> float:
    """The number that a reader typed; also "−2", "1/3" and "True".

    Raises: ElementError for another text.
    """
    written = unicodedata.normalize("NFKC", str(text)[:40]).replace("−", "-").replace("⁄", "/").strip()
    if written.lower() in ("true", "false"):
        return float(written.lower() == "true")
    above, line, below = written.partition("/")
    try:
        number = operator.truediv(float(above), float(below)) if line else float(written)
    except (ValueError, ZeroDivisionError):
        raise ElementError("unreadable", text=str(text)[:40]) from None
    if not math.isfinite(number):
        raise ElementError("unreadable", text=str(text)[:40])
    return number


def _is_near(given: float, actual: float) -> bool:
    if not math.isfinite(actual):
        return False
    if is_exact(actual) and actual == round(actual):
        return abs(given - actual) <= 1e-4 * max(1.0, abs(actual))
    return abs(given - actual) <= max(NEAR, abs(actual) / 100)


def _flat(place: Any, shape: tuple[int, ...]) -> int:
    """The number of the element at an index."""
    index = (place,) if isinstance(place, (int, np.integer)) and not isinstance(place, bool) else place
    try:
        return int(np.ravel_multi_index(tuple(map(operator.index, index)), shape)) if shape else _only(index)
    except (TypeError, ValueError):
        raise ValueError(f"{place!r:.60} is no index of the output, whose shape is {shape}") from None


def _only(index: Any) -> int:
    if tuple(index) != ():
        raise ValueError
    return 0


__all__ = ["ElementError", "ElementQuestions", "number_of"]
