"""Checks by behaviour: what a learner's graph does, never how its program is written.

`check(y, expected=[1, 2, 3], must_run=[up])` runs y as often as values are expected, in a session of its own, under
every legal schedule, or, where those are too many, under a sample of them: what only comes out right by luck does not
pass. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np

from ...engine.base import errors
from ...engine.graph.elements import as_operation
from ...engine.graph.nodes import Operation
from ...engine.replay.provenance import Provenance, provenance
from ...engine.replay.trace import graph_of_fetches, scratch_session
from ...engine.runtime.config import RunOptions
from ...engine.runtime.fetches import Structure
from ...engine.runtime.schedule import Policy, creation, random
from ...view.labels import shorten
from ...view.messages import message
from ..models.diagnose import text_of
from ..models.misconceptions import MODELS
from ..models.story import Failure, Task, same
from ..orders.outcomes import Outcomes, WritesFilesError, search

Grade = Literal["pass", "fail", "error", "not_attempted"]

# Where not all orders can be tried: two that are equally likely stay unseen once in 2^64 checks.
SCHEDULES: Final = 64
# So many turns of nodes are tried for all orders to be known: about a second.
BUDGET: Final = 20_000
# A learner's loop may never end; one that does is over in milliseconds.
_LONGEST_MS: Final = 5_000


@dataclass(frozen=True)
class Criterion:
    """One thing that is asked, whether it is met, and the words for when it is not."""

    code: str
    met: bool
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What a check found: "pass", "fail", "error" or "not_attempted", and the criteria one by one.

    tried: how many schedules were tried, where there were too many to try them all. in_widget: whether the learner works in
    a widget and not in the code of a cell. models: the wrong models of thought (`tfedu.explain.MODELS`) by which what the
    learner did would be right.
    """

    grade: Grade
    criteria: tuple[Criterion, ...] = ()
    error: str = ""
    tried: int | None = None
    in_widget: bool = False
    models: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.grade == "pass"

    @property
    def score(self) -> float:
        """The part of the criteria that are met, from 0 to 1."""
        if not self.criteria:
            return 0.0
        return sum(criterion.met for criterion in self.criteria) / len(self.criteria)

    def text(self, lang: str | None = None) -> str:
        """The outcome in words; what is asked is not told, only what the learner's graph does."""
        sampled = self.tried is not None and self.passed
        code: str = "pass_sampled" if sampled else self.grade
        if self.in_widget and self.grade == "not_attempted":
            code = "not_attempted_here"
        lines = [message(f"exercise.{code}", lang, count=self.tried)]
        if self.error:
            lines.append(f"  {shorten(self.error, 400)}")
        missed = [criterion for criterion in self.criteria if not criterion.met]
        lines.extend(f"  {message(f'exercise.{c.code}', lang, **c.params)}" for c in missed)
        if self.models:
            lines.append(f"  {message('exercise.thought', lang)}")
            for model in self.models:
                lines.extend(f"    {message(f'model.{model}{part}', lang)}" for part in ("", ".why"))
        if missed and len(self.criteria) > 1:
            met = len(self.criteria) - len(missed)
            lines.append(f"  {message('exercise.score', lang, met=met, total=len(self.criteria))}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def check(
    fetches: Any,
    expected: Sequence[Any] | None = None,
    *,
    runs: int | None = None,
    feed_dict: Any = None,
    must_run: Iterable[Any] = (),
    must_not_run: Iterable[Any] = (),
    after: Mapping[Any, Sequence[Any]] | None = None,
    most_nodes: int | None = None,
    deterministic: bool = True,
    possible: Sequence[Sequence[Any]] | None = None,
    start: Any = None,
    schedules: int = SCHEDULES,
    longest_ms: int | None = None,
) -> Outcome:
    """Whether `fetches` does what is asked; `...` or None, or the very thing the exercise began with, is no attempt.

    expected: the value of each run. after: what variables hold after each run. feed_dict: the feeds, or a list of one for
    each run. must_run, must_not_run: nodes. most_nodes: how many nodes may run. deterministic: every legal order has to
    give the same; where those are too many to be explored, `schedules` of them are tried. possible: in place of one result,
    those that legal orders have to give, each of them and no other: the values of each run. longest_ms: a run that takes
    longer ends in an error.
    Raises: ValueError when `expected`, `runs`, `feed_dict` and `after` do not speak of the same number of runs, or the feeds of
    two runs are of other tensors.
    """
    if _is_missing(fetches) or (start is not None and _is_same(fetches, start)):
        return Outcome("not_attempted")
    count = _runs(runs, expected, feed_dict, after)
    feeds = feed_dict if isinstance(feed_dict, (list, tuple)) else [feed_dict] * count
    if any(set(fed or ()) != set(feeds[0] or ()) for fed in feeds):
        raise ValueError("every run of a check feeds the same tensors")
    try:
        graph = graph_of_fetches(fetches)
        structure = Structure(graph, fetches)
        told = provenance(
            graph,
            [*structure.tensors, *structure.operations],
            scratch_session(graph, initialize=False).prepare(fetches, feeds[0]).signature.feeds,
        )
        wanted = [as_operation(graph, node) for node in must_run]
        unwanted = [as_operation(graph, node) for node in must_not_run]
        watched = list(after or ())
        first = _play(fetches, feeds, watched, creation(), longest_ms or _LONGEST_MS)
        every = deterministic or possible is not None
        others, tried = _others(fetches, feeds, watched, schedules) if every else ([], None)
    except (TypeError, ValueError, KeyError, RuntimeError, errors.OpError) as raised:
        return Outcome("error", error=first_line(raised))

    criteria = _values(first, expected, after, watched)
    if possible is not None:
        criteria.extend(_set([first, *others], possible))
    elif deterministic:
        # Where only the state after the runs is asked for, what the fetches give on the way may differ.
        criteria.append(_luck(first, others, expected is not None or not watched))
    criteria.extend(_must_run(told, wanted, unwanted))
    if most_nodes is not None:
        ran = len(told.asked)
        criteria.append(Criterion("too_many", ran <= most_nodes, {"count": str(ran)}))
    if all(criterion.met for criterion in criteria):
        return Outcome("pass", tuple(criteria), tried=tried)
    # What only luck makes right is right in too many ways of thinking to name one.
    wrong = expected is not None and not _all_equal(first.values, expected)
    models = _models(fetches, expected or (), feeds) if wrong else ()
    return Outcome("fail", tuple(criteria), tried=tried, models=models)


def _models(fetches: Any, expected: Sequence[Any], feeds: Sequence[Any]) -> tuple[str, ...]:
    """The wrong models of thought by which these fetches would give what is asked; they think of one feed for all runs."""
    if not all(equal_values(fed or {}, feeds[0] or {}) for fed in feeds):
        return ()
    task = Task(fetches, feeds[0], len(expected))
    found = []
    for model in MODELS.values():
        thought = [task.nest(story.fetched) for story in model.stories(task)]
        if not any(isinstance(value, Failure) for value in thought) and _all_equal(thought, expected):
            found.append(model.code)
    return tuple(found)


def _all_equal(values: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return all(equal_values(value, want) for value, want in zip(values, wanted, strict=True))


@dataclass(frozen=True)
class _Played:
    """The values of each run, and what the watched variables held after each."""

    values: list[Any]
    states: list[list[Any]]


def _others(
    fetches: Any, feeds: Sequence[Any], watched: Sequence[Any], schedules: int
) -> tuple[list[_Played], int | None]:
    """What other orders give: everything that is possible, or what a sample of so many orders gives."""
    try:
        found = search(fetches, feeds, None, BUDGET, watched)
    except WritesFilesError:
        found = Outcomes()
        found.exact = False
    for possible in found:
        if possible.error is not None:
            raise possible.error
    played = [_Played(possible.values, possible.states) for possible in found]
    if found.exact:
        return played, None
    return [*played, *(_play(fetches, feeds, watched, random(seed), _LONGEST_MS) for seed in range(schedules))], schedules


def _play(
    fetches: Any, feeds: Sequence[Any], watched: Sequence[Any], policy: Policy, longest_ms: int
) -> _Played:
    session = scratch_session(graph_of_fetches(fetches), policy)
    # Each order is tried a few times only: a plan would cost more than it saves.
    session.interpreted = True
    values, states = [], []
    limit = RunOptions(timeout_in_ms=longest_ms)
    for feed_dict in feeds:
        values.append(session.run(fetches, feed_dict, limit))
        states.append([session.run(variable) for variable in watched])
    return _Played(values, states)


def _runs(
    runs: int | None, expected: Sequence[Any] | None, feeds: Any, after: Mapping[Any, Sequence[Any]] | None
) -> int:
    counts = {} if expected is None else {"expected": len(expected)}
    if isinstance(feeds, (list, tuple)):
        counts["feed_dict"] = len(feeds)
    counts |= {f"after {i}": len(values) for i, values in enumerate((after or {}).values(), 1)}
    if runs is not None:
        counts["runs"] = runs
    if len(set(counts.values())) > 1:
        raise ValueError(f"a check speaks of one number of runs, not of {counts}")
    return next(iter(counts.values()), 1)


def _is_missing(fetches: Any) -> bool:
    if fetches is None or fetches is ...:
        return True
    return isinstance(fetches, (list, tuple)) and any(item is None or item is ... for item in fetches)


def _is_same(fetches: Any, start: Any) -> bool:
    if isinstance(fetches, (list, tuple)) and isinstance(start, (list, tuple)):
        return len(fetches) == len(start) and all(one is other for one, other in zip(fetches, start))
    return fetches is start


def first_line(raised: Exception) -> str:
    text = str(raised.args[0]) if isinstance(raised, KeyError) and raised.args else str(raised)
    return f"{type(raised).__name__}: {text.splitlines()[0] if text else ''}"


# -- criteria --------------------------------------------------------------------------------------------------------


def _values(
    first: _Played, expected: Sequence[Any] | None, after: Mapping[Any, Sequence[Any]] | None, watched: Sequence[Any]
) -> list[Criterion]:
    found = []
    if expected is not None:
        met = _all_equal(first.values, expected)
        found.append(Criterion("values", met, {"actual": values_text(first.values)}))
    for i, variable in enumerate(watched):
        held = [state[i] for state in first.states]
        met = all(equal_values(value, wanted) for value, wanted in zip(held, (after or {})[variable]))
        name = getattr(variable, "name", str(variable)).partition(":")[0]
        found.append(Criterion("after", met, {"variable": name, "actual": values_text(held)}))
    return found


def _luck(first: _Played, others: Iterable[_Played], values_count: bool) -> Criterion:
    """Whether every order that was tried gives what the default one gives."""
    for other in others:
        if values_count and not equal_values(other.values, first.values):
            params = {"actual": values_text(first.values), "other": values_text(other.values)}
            return Criterion("luck", False, params)
        if not equal_values(other.states, first.states):
            one, two = ([s[0] if len(s) == 1 else s for s in played.states] for played in (first, other))
            return Criterion("luck_after", False, {"actual": values_text(one), "other": values_text(two)})
    return Criterion("luck", True)


def _set(found: Sequence[_Played], possible: Sequence[Sequence[Any]]) -> Iterable[Criterion]:
    """Whether just these results are possible. What is missing is not told."""
    other = next((played for played in found if not any(equal_values(played.values, list(one)) for one in possible)), None)
    yield Criterion("values", other is None, {"actual": "" if other is None else values_text(other.values)})
    missing = any(not any(equal_values(played.values, list(one)) for played in found) for one in possible)
    yield Criterion("possible", not missing)


def _must_run(told: Provenance, wanted: Iterable[Operation], unwanted: Iterable[Operation]) -> Iterable[Criterion]:
    for op in wanted:
        yield Criterion("must_run", op in told.asked, {"node": op.name})
    for op in unwanted:
        path = " → ".join(shorten(step.name, 60) for step in told.path(op, 8))
        yield Criterion("must_not_run", op not in told.asked, {"node": op.name, "path": path})


def values_text(values: Sequence[Any]) -> str:
    """Values in a row, as they are told; nothing where there are none."""
    return shorten(", ".join(text_of(value) for value in values), 200)


def equal_values(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping) or isinstance(value, Mapping):
        both = isinstance(wanted, Mapping) and isinstance(value, Mapping) and list(wanted) == list(value)
        return both and all(equal_values(value[key], wanted[key]) for key in wanted)
    if isinstance(value, (list, tuple)):
        fits = isinstance(wanted, (list, tuple)) and len(value) == len(wanted)
        return fits and all(equal_values(v, w) for v, w in zip(value, wanted))
    if value is None or wanted is None:
        return value is wanted
    if isinstance(value, (bytes, str)) or isinstance(wanted, (bytes, str)):
        return bool(value == wanted)
    array = np.asarray(value)
    if array.dtype.kind == "f":
        given = np.asarray(wanted, np.float64)
        return given.shape == array.shape and bool(np.allclose(array, given, rtol=1e-5, atol=1e-8, equal_nan=True))
    return same(array, wanted)


__all__ = ["BUDGET", "Criterion", "Outcome", "check", "equal_values", "first_line", "values_text"]
