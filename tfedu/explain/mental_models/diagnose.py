"""A learner's prediction beside the result and the wrong models' results: `diagnose({"y": y}, {"y": ["1", "2", "3"]})`.

Predictions are read leniently: "1" is 1.0, "[1, 2]" a list, "error" a run that fails. No state.
"""

from __future__ import annotations

import ast
import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...engine.runtime.schedule import policy_of
from ...view.build import value_text
from ...view.records import AnswerKeyRecord, AnswerRecord, DivergesRecord, ModelRecord, PredictResult
from .misconceptions import MODELS, Model
from .story import Divergence, Failure, Story, Task, UnfinishedError, diverges, engine_stories, same_turns

# Characters of a prediction; parsing a longer text would only take time.
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
    """For each key the prediction, the result, and the result of each model that differs from the engine.

    A model in which a run does not end within 50,000 turns of nodes is left out: its result is not known.
    predictions: by the keys of `fetches`, one text a run. schedule: a policy or its text. models: by default all.
    Raises: TypeError and ValueError for wrong fetches and feeds, as Session.run does; DeadlineExceededError if a run of the
    engine does not end within 50,000 turns: then nothing can be said of a prediction.
    """
    answers = []
    for key, outcome in _outcomes(fetches, runs, feed_dict, schedule, models):
        texts = [str(text) for text in predictions.get(key, ())][:runs]
        answers.append(_answer(key, outcome, [*texts, *[""] * (runs - len(texts))]))
    return PredictResult(tuple(answers))


def answer_keys(
    fetches: Mapping[str, Any], runs: int = 3, feed_dict: Any = None, schedule: Any = None
) -> tuple[PredictResult, tuple[AnswerKeyRecord, ...]]:
    """The answer as without a prediction, and what a page reads predictions against. Arguments and errors as of `diagnose`."""
    outcomes = _outcomes(fetches, runs, feed_dict, schedule, None)
    answers = [_answer(key, outcome, [""] * runs) for key, outcome in outcomes]
    keys = [
        AnswerKeyRecord(key, _literals(outcome.actual), tuple([_literals(model.values) for model in outcome.models]))
        for key, outcome in outcomes
    ]
    return PredictResult(tuple(answers)), tuple(keys)


def offers(
    fetches: Mapping[str, Any], runs: int = 3, feed_dict: Any = None, schedule: Any = None
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """For each key the answers of a multiple-choice question: the result and the wrong models' results, sorted by their text.

    A key for which all models are right is missing: there is no choice. Arguments as of `diagnose`.
    Raises: as diagnose.
    """
    choices = {}
    for answer in diagnose(fetches, {}, runs, feed_dict, schedule).targets:
        answers = {answer.actual, *(model.predicts for model in answer.models)}
        if len(answers) > 1:
            choices[answer.key] = tuple(sorted(answers))
    return choices


class _Imagined(NamedTuple):
    """What one model gives for each run, and where its story parts from the engine's."""

    model: Model
    values: list[Any]
    parting: DivergesRecord | None


class _Outcome(NamedTuple):
    """What the engine gives for each run, and the models for which that differs."""

    actual: list[Any]
    models: list[_Imagined]


def _outcomes(
    fetches: Mapping[str, Any], runs: int, feed_dict: Any, schedule: Any, models: Iterable[Model] | None
) -> list[tuple[str, _Outcome]]:
    compared = list(MODELS.values() if models is None else models)
    policy = policy_of(schedule)
    return [(key, _outcome(Task(fetch, feed_dict, runs, policy), compared)) for key, fetch in fetches.items()]


def _outcome(task: Task, models: Iterable[Model]) -> _Outcome:
    real = engine_stories(task)
    offset = len({tensor.op for tensor in task.fed})
    differing = []
    for model in models:
        try:
            stories = model.stories(task)
        except UnfinishedError:
            continue
        parting = diverges(stories, real, task.tensors, len(task.graph.operations))
        if parting is None and same_turns(stories, real):
            # Here the misconception makes no difference at all.
            continue
        at = None if parting is None else _parting(parting, offset)
        differing.append(_Imagined(model, _values(task, stories), at))
    return _Outcome(_values(task, real), differing)


def _answer(key: str, outcome: _Outcome, predicted: list[str]) -> AnswerRecord:
    models = [
        ModelRecord(model.code, tuple([text_of(value) for value in values]), _all_agree(predicted, values), parting)
        for model, values, parting in outcome.models
    ]
    return AnswerRecord(
        key,
        tuple(predicted),
        tuple([text_of(value) for value in outcome.actual]),
        tuple([agrees(text, value) for text, value in zip(predicted, outcome.actual, strict=True)]),
        _all_agree(predicted, outcome.actual),
        tuple(models),
    )


def _values(task: Task, stories: Iterable[Story]) -> list[Any]:
    return [task.nest(story.fetched) for story in stories]


def _parting(at: Divergence, offset: int) -> DivergesRecord:
    """The record of a divergence. offset: the steps of a recorded run for feeds, before the first node's turn."""
    return DivergesRecord(
        at.run, at.step + offset, at.node, at.name, text_of(at.model_value), text_of(at.engine_value)
    )


def text_of(value: Any) -> str:
    """A fetched value, or nest of values, as text."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {text_of(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(item) for item in value) + "]"
    return value_text(value)


def _literals(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple([literal(value) for value in values])


def literal(value: Any) -> str:
    """A value as AnswerKeyRecord has it."""
    if isinstance(value, Failure):
        return f"!{value.kind}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(literal(item) for item in value.values()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    if value is None:
        return "None"
    if isinstance(value, bytes):
        return json.dumps(value.decode("utf-8", "replace"))
    array = np.asarray(value)
    # As for `_equal`: an array of texts is none of these kinds.
    return str(array.tolist()) if array.dtype.kind in "biuf" else "?"


def _all_agree(texts: Sequence[str], values: Sequence[Any]) -> bool:
    return len(texts) == len(values) and all(agrees(text, value) for text, value in zip(texts, values))


def agrees(text: str, value: Any) -> bool:
    """Whether a learner's text means this value."""
    written = unicodedata.normalize("NFKC", text[:_LONGEST]).replace("−", "-").strip()
    if isinstance(value, Failure):
        return written.lower() in _ERRORS or written == value.kind
    if not written:
        return False
    if written == text_of(value):
        return True
    return _equal(_read(written), value)


def _read(written: str) -> Any:
    """The Python value of a literal; the text itself if it is not one."""
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
        numbers = np.asarray(written)
    except ValueError:  # a ragged list
        return False
    if numbers.dtype.kind not in "iufc" or numbers.shape != array.shape:
        return False
    # A float32 is written with fewer digits than it has.
    tolerance = 1e-4 if array.dtype.kind in "fc" else 0.0
    return bool(np.allclose(numbers, array, rtol=tolerance, atol=tolerance * 1e-2, equal_nan=True))
