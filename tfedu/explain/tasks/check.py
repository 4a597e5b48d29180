"""Checks of a learner's graph by what it does, never by how its program is written.

`check(y, expected=[1, 2, 3], must_run=[up])` runs y once for each expected value, in a session of its own, under every legal
schedule, or, if there are too many, a sample of them: a result that is right only by luck does not pass. No state.
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
from ...engine.runtime.session import Session
from ...view.labels import shorten
from ...view.messages import message
from ..mental_models.diagnose import text_of
from ..mental_models.misconceptions import MODELS
from ..mental_models.story import Failure, Task, UnfinishedError, same
from ..orders.outcomes import Outcomes, WritesFilesError, search

Grade = Literal["pass", "fail", "error", "not_attempted"]

# The size of a sample of orders: of two equally likely orders it misses one once in 2^63 checks.
SCHEDULES: Final = 64
# The turns of nodes after which the search over all orders gives up: about a second.
BUDGET: Final = 20_000
# A learner's loop may never end; other runs take milliseconds.
_LONGEST_MS: Final = 5_000


@dataclass(frozen=True)
class Criterion:
    """One criterion of a check. code, params: the message `exercise.<code>` for when it is not met."""

    code: str
    met: bool
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The result of a check: "pass", "fail", "error" or "not_attempted", and the criteria.

    tried: the size of the sample, if there were too many schedules to try them all. in_widget: whether the learner works in a
    widget and not in a cell. models: the misconceptions (`tfedu.explain.MODELS`) in which the learner's answer would be right.
    """

    grade: Grade
    criteria: tuple[Criterion, ...] = ()
    error: str = ""
    tried: int | None = None
    in_widget: bool = False
    models: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the grade is "pass"."""
        return self.grade == "pass"

    @property
    def score(self) -> float:
        """The share of the criteria that are met, from 0 to 1."""
        if not self.criteria:
            return 0.0
        return sum(criterion.met for criterion in self.criteria) / len(self.criteria)

    def text(self, lang: str | None = None) -> str:
        """The outcome in words: what the learner's graph does, but not the answer."""
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
                lines.extend(f"    {message(f'model.{model}{part}', lang)}" for part in ("", ".fact"))
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
    """Checks what `fetches` does; `...`, None or the same object as `start` is no attempt.

    expected: the value of each run. after: by variable, its values after each run. feed_dict: the feeds, or a list of one for
    each run. must_run, must_not_run: nodes. most_nodes: how many nodes may run. deterministic: every legal order has to give
    the same result; if there are too many orders, a sample of `schedules`. possible: instead of one result, all that the legal
    orders have to give, each as the values of the runs. longest_ms: a run that takes longer is an error.
    Raises: ValueError if `expected`, `runs`, `feed_dict` and `after` imply different numbers of runs, or if two runs feed
    different tensors.
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
        needed = provenance(
            graph,
            [*structure.tensors, *structure.operations],
            scratch_session(graph, initialize=False).prepare(fetches, feeds[0]).signature.feeds,
        )
        required = [as_operation(graph, node) for node in must_run]
        unwanted = [as_operation(graph, node) for node in must_not_run]
        watched = list(after or ())
        begun = scratch_session(graph)  # All orders begin with the same values, also where an initializer draws them.
        first = _play(fetches, feeds, watched, creation(), longest_ms or _LONGEST_MS, begun)
        every = deterministic or possible is not None
        others, tried = _play_other_orders(fetches, feeds, watched, schedules, begun) if every else ([], None)
    except (TypeError, ValueError, KeyError, RuntimeError, errors.OpError) as raised:
        return Outcome("error", error=first_line(raised))

    criteria = _values(first, expected, after, watched)
    if possible is not None:
        criteria.extend(_possible([first, *others], possible))
    elif deterministic:
        # If only variables are checked, the fetched values may depend on the order.
        criteria.append(_luck(first, others, expected is not None or not watched))
    criteria.extend(_must_run(needed, required, unwanted))
    if most_nodes is not None:
        ran = len(needed.needed_by)
        criteria.append(Criterion("too_many", ran <= most_nodes, {"count": str(ran)}))
    if all(criterion.met for criterion in criteria):
        return Outcome("pass", tuple(criteria), tried=tried)
    # A result that is right by luck fits too many models to name one.
    wrong = expected is not None and not _all_equal(first.values, expected)
    models = _models(fetches, expected or (), feeds) if wrong else ()
    return Outcome("fail", tuple(criteria), tried=tried, models=models)


def _models(fetches: Any, expected: Sequence[Any], feeds: Sequence[Any]) -> tuple[str, ...]:
    """The misconceptions in which these fetches would give the expected values; none if the runs' feeds differ."""
    if not all(equal_values(fed or {}, feeds[0] or {}) for fed in feeds):
        return ()
    task = Task(fetches, feeds[0], len(expected))
    matching = []
    for model in MODELS.values():
        try:
            imagined = [task.nest(story.fetched) for story in model.stories(task)]
        except UnfinishedError:
            continue  # what this model expects is not known
        if not any(isinstance(value, Failure) for value in imagined) and _all_equal(imagined, expected):
            matching.append(model.code)
    return tuple(matching)


def _all_equal(values: Sequence[Any], expected: Sequence[Any]) -> bool:
    return all(equal_values(value, want) for value, want in zip(values, expected, strict=True))


@dataclass(frozen=True)
class _Played:
    """The values of each run, and those of the watched variables after each."""

    values: list[Any]
    states: list[list[Any]]


def _play_other_orders(
    fetches: Any, feeds: Sequence[Any], watched: Sequence[Any], schedules: int, begun: Session
) -> tuple[list[_Played], int | None]:
    """The results of all legal orders, or of a sample, and then the size of the sample."""
    try:
        outcomes = search(fetches, feeds, begun, BUDGET, watched)
    except WritesFilesError:
        outcomes = Outcomes()
        outcomes.exact = False
    for possible in outcomes:
        if possible.error is not None:
            raise possible.error
    played = [_Played(possible.values, possible.states) for possible in outcomes]
    if outcomes.exact:
        return played, None
    sample = (_play(fetches, feeds, watched, random(seed), _LONGEST_MS, begun) for seed in range(schedules))
    return [*played, *sample], schedules


def _play(
    fetches: Any, feeds: Sequence[Any], watched: Sequence[Any], policy: Policy, longest_ms: int, begun: Session
) -> _Played:
    """The runs in the order of one policy, from the values of a session."""
    session = scratch_session(begun.graph, policy, begun)
    # So few runs do not pay for compiling them.
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
    """The number of runs that the arguments imply. Raises: ValueError if they imply different numbers."""
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
    """An exception's type and the first line of its text."""
    text = str(raised.args[0]) if isinstance(raised, KeyError) and raised.args else str(raised)
    return f"{type(raised).__name__}: {text.splitlines()[0] if text else ''}"


# -- criteria --------------------------------------------------------------------------------------------------------


def _values(
    first: _Played, expected: Sequence[Any] | None, after: Mapping[Any, Sequence[Any]] | None, watched: Sequence[Any]
) -> list[Criterion]:
    """Whether the runs of the default order give the expected values, and leave the variables as they should be."""
    criteria = []
    if expected is not None:
        met = _all_equal(first.values, expected)
        criteria.append(Criterion("values", met, {"actual": values_text(first.values)}))
    for i, variable in enumerate(watched):
        values = [state[i] for state in first.states]
        met = all(equal_values(value, wanted) for value, wanted in zip(values, (after or {})[variable]))
        name = getattr(variable, "name", str(variable)).partition(":")[0]
        criteria.append(Criterion("after", met, {"variable": name, "actual": values_text(values)}))
    return criteria


def _luck(first: _Played, others: Iterable[_Played], values_count: bool) -> Criterion:
    """Whether every order that was tried gives the result of the default order."""
    for other in others:
        if values_count and not equal_values(other.values, first.values):
            params = {"actual": values_text(first.values), "other": values_text(other.values)}
            return Criterion("luck", False, params)
        if not equal_values(other.states, first.states):
            one, two = ([s[0] if len(s) == 1 else s for s in played.states] for played in (first, other))
            return Criterion("luck_after", False, {"actual": values_text(one), "other": values_text(two)})
    return Criterion("luck", True)


def _possible(results: Sequence[_Played], possible: Sequence[Sequence[Any]]) -> Iterable[Criterion]:
    """Whether exactly these results are possible. The text does not name missing ones."""
    other = next((played for played in results if not any(equal_values(played.values, list(one)) for one in possible)), None)
    yield Criterion("values", other is None, {"actual": "" if other is None else values_text(other.values)})
    missing = any(not any(equal_values(played.values, list(one)) for played in results) for one in possible)
    yield Criterion("possible", not missing)


def _must_run(needed: Provenance, required: Iterable[Operation], unwanted: Iterable[Operation]) -> Iterable[Criterion]:
    """Whether the fetches need the required nodes, and not the unwanted ones."""
    for op in required:
        yield Criterion("must_run", op in needed.needed_by, {"node": op.name})
    for op in unwanted:
        path = " → ".join(shorten(step.name, 60) for step in needed.path(op, 8))
        yield Criterion("must_not_run", op not in needed.needed_by, {"node": op.name, "path": path})


def values_text(values: Sequence[Any]) -> str:
    """Values as text, separated by commas."""
    return shorten(", ".join(text_of(value) for value in values), 200)


def equal_values(value: Any, wanted: Any) -> bool:
    """Whether a value, or nest of values, is as wanted; floats up to rounding."""
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
        array_wanted = np.asarray(wanted, np.float64)
        return array_wanted.shape == array.shape and bool(np.allclose(array, array_wanted, rtol=1e-5, atol=1e-8, equal_nan=True))
    return same(array, wanted)


__all__ = ["BUDGET", "Criterion", "Outcome", "check", "equal_values", "first_line", "values_text"]
