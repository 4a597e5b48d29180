"""What a learner wrote, beside what happens and what the wrong models expect: `diagnose({"y": y}, {"y": ["1", "2", "3"]})`.

Numbers are read leniently: "1" is 1.0, "[1, 2]" a list, "error" a run that fails. No state.
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...engine.runtime.schedule import policy_of
from ...view.build import value_text
from ...view.records import AnswerRecord, DivergesRecord, ModelRecord, PredictResult
from .misconceptions import MODELS, Model
from .story import Divergence, Failure, Story, Task, diverges, engine_stories, same_turns

# A longer answer is no number that somebody would write, and reading it would only take time.
_LONGEST: Final = 1000
_ERRORS: Final = frozenset({"error", "err", "fails", "오류", "에러", "错误", "报错"})
_WORDS: Final = {"true": True, "false": False, "none": None, "nan": float("nan"), "inf": float("inf"),
                 "-inf": float("-inf")}  # fmt: skip


def diagnose(
    fetches: Mapping[str, Any],
    predictions: Mapping[str, Sequence[str]],
    runs: int = 3,
    feed_dict: Any = None,
    schedule: Any = None,
    models: Iterable[Model] | None = None,
) -> PredictResult:
    """For each key what was predicted, what happens, and what each model of thought expects that differs at all.

    predictions: by the keys of `fetches`, one text a run. schedule: a policy or its text. models: all where left out.
    Raises: TypeError and ValueError for wrong fetches and feeds, as Session.run does.
    """
    asked = list(MODELS.values() if models is None else models)
    policy = policy_of(schedule)
    answers = []
    for key, fetch in fetches.items():
        given = [str(text) for text in predictions.get(key, ())][:runs]
        predicted = [*given, *[""] * (runs - len(given))]
        task = Task(fetch, feed_dict, runs, policy)
        answers.append(_answer(key, task, predicted, asked))
    return PredictResult(tuple(answers))


def offers(
    fetches: Mapping[str, Any], runs: int = 3, feed_dict: Any = None, schedule: Any = None
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """For each key the answers to choose from: what happens, and what the wrong models expect, sorted by their text.

    A key whose answer every model has right offers nothing: there is no choice. Arguments and errors as of `diagnose`.
    """
    offered = {}
    for answer in diagnose(fetches, {}, runs, feed_dict, schedule).targets:
        found = {answer.actual, *(model.predicts for model in answer.models)}
        if len(found) > 1:
            offered[answer.key] = tuple(sorted(found))
    return offered


def _answer(key: str, task: Task, predicted: list[str], models: Iterable[Model]) -> AnswerRecord:
    real = engine_stories(task)
    actual = _values(task, real)
    offset = len({tensor.op for tensor in task.fed})
    told = []
    for model in models:
        stories = model.stories(task)
        expected = _values(task, stories)
        parting = diverges(stories, real, task.tensors, len(task.graph.operations))
        if parting is None and same_turns(stories, real):
            # Here the wrong idea makes no difference at all: there is nothing to be told about it.
            continue
        told.append(
            ModelRecord(
                model.code,
                tuple([text_of(value) for value in expected]),
                _all_agree(predicted, expected),
                None if parting is None else _parting(parting, offset),
            )
        )
    return AnswerRecord(
        key,
        tuple(predicted),
        tuple([text_of(value) for value in actual]),
        _all_agree(predicted, actual),
        tuple(told),
    )


def _values(task: Task, stories: Iterable[Story]) -> list[Any]:
    return [task.nest(story.fetched) for story in stories]


def _parting(found: Divergence, offset: int) -> DivergesRecord:
    # What is fed takes a step of its own in the record of a run, before the first node's turn.
    step = found.step + offset
    return DivergesRecord(
        found.run, step, found.node, found.name, text_of(found.model_value), text_of(found.engine_value)
    )


def text_of(value: Any) -> str:
    """A fetched value, or nest of values, as it is shown and compared with."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {text_of(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(item) for item in value) + "]"
    return value_text(value)


def _all_agree(texts: Sequence[str], values: Sequence[Any]) -> bool:
    return len(texts) == len(values) and all(agrees(text, value) for text, value in zip(texts, values))


def agrees(text: str, value: Any) -> bool:
    """Whether what a person wrote means this value."""
    written = unicodedata.normalize("NFKC", text[:_LONGEST]).replace("−", "-").strip()
    if isinstance(value, Failure):
        return written.lower() in _ERRORS or written == value.kind
    if not written:
        return False
    if written == text_of(value):
        return True
    return _equal(_read(written), value)


def _read(written: str) -> Any:
    """The Python value that a text spells; the text itself where it spells none."""
    if written.lower() in _WORDS:
        return _WORDS[written.lower()]
    try:
        return ast.literal_eval(written)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return written


def _equal(written: Any, value: Any) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
        written = list(written.values()) if isinstance(written, dict) else written
    if isinstance(value, (list, tuple)):
        same_form = isinstance(written, (list, tuple)) and len(written) == len(value)
        return same_form and all(_equal(w, v) for w, v in zip(written, value))
    if value is None or written is None:
        return value is written
    if isinstance(value, bytes):
        return written in (value, value.decode("utf-8", "replace"))
    array = np.asarray(value)
    if array.dtype.kind == "b":
        return bool(np.array_equal(np.asarray(written), array))
    if array.dtype.kind not in "iufc":
        return False
    try:
        given = np.asarray(written)
    except ValueError:
        # A ragged list.
        return False
    if given.dtype.kind not in "iufc" or given.shape != array.shape:
        return False
    # A float32 is written with fewer digits than it has.
    tolerance = 1e-4 if array.dtype.kind in "fc" else 0.0
    return bool(np.allclose(given, array, rtol=tolerance, atol=tolerance * 1e-2, equal_nan=True))
