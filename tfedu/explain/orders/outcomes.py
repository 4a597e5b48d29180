"""All possible results of a run over the legal orders of its nodes: `print(outcomes([write, c]))`.

Each result has a schedule that `tf.Session(schedule="…")` replays. `assert_deterministic(y)` raises if there are two results.
The search explores the engine's own runs (engine/replay/explore.py), not a list of known mistakes. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from ...engine.base import errors
from ...engine.graph.nodes import Operation
from ...engine.replay.accesses import accesses, with_outside_effects, writes_files
from ...engine.replay.explore import BUDGET, BudgetSpent, Exploration, Result, quiet
from ...engine.replay.partitioned import on_one_device
from ...engine.replay.shorten import Order, RunEnd, run_by, shortened
from ...engine.replay.trace import graph_of_fetches, scratch_session
from ...engine.replay.value_numbers import ValueNumbers, with_generators
from ...engine.runtime.prune import prune
from ...engine.runtime.schedule import Policy, creation, policy_of
from ...engine.runtime.session import Session
from ...engine.runtime.signature import Call
from ...engine.runtime.store import Store
from ...view.labels import shorten
from ...view.messages import message
from ..mental_models.diagnose import text_of

_MOST_LISTED: Final = 20


class NondeterministicError(AssertionError):
    """A run can give different results. outcomes: the results so far."""

    def __init__(self, text: str, outcomes: Outcomes) -> None:
        super().__init__(text)
        self.outcomes = outcomes


class UndecidedError(AssertionError):
    """The search ended with one result before it tried every order. outcomes: that result."""

    def __init__(self, text: str, outcomes: Outcomes) -> None:
        super().__init__(text)
        self.outcomes = outcomes


class WritesFilesError(ValueError):
    """A search repeats a run many times, so it refuses runs that write files."""


@dataclass(frozen=True, eq=False)
class Start:
    """One run of several, from one state that the earlier runs can leave, and the search over its orders."""

    call: Call
    store: Store
    exploration: Exploration

    def explore(self) -> None:
        """Searches for the results; the first is that of the default order."""
        exploration = self.exploration
        try:
            self._run_default_order()
        except BudgetSpent:
            exploration.exact = False
            exploration.turns = exploration.budget
        else:
            exploration.go()
            self._keep_generators(exploration.store)

    def _run_default_order(self) -> None:
        after = with_generators(self.store.copy())
        ended = self._run(creation(), after)
        self._keep_generators(after)
        generators: Any = self.exploration.store.generators
        generators.first_states.update(after.generators.first_states)  # type: ignore[attr-defined]
        self.exploration.add_result(ended.key, tuple(ended.order.names), ended.values, ended.error, after)

    def _keep_generators(self, store: Store) -> None:
        """Keeps the seeds of unseeded generators, so that every try of the run draws the same numbers."""
        generators: Any = store.generators
        self.store.generators = {**generators.first_states, **self.store.generators}

    def ends(self, policy: Policy) -> RunEnd:
        """The end of a run by a policy; a run that exceeds the budget ends with `BudgetSpent`."""
        try:
            return self._run(policy, self.store.copy())
        except BudgetSpent as spent:
            return RunEnd((), None, Order(), spent)

    def _run(self, policy: Policy, store: Store) -> RunEnd:
        signature = self.call.signature
        fed = dict(zip(signature.feeds, self.call.values))
        remaining = iter(range(self.exploration.budget))

        def count_turn(_op: Operation | None) -> None:
            if next(remaining, None) is None:
                raise BudgetSpent

        with quiet(self.exploration.graph.order):
            ended = run_by(policy, signature.schedule(), store, fed, signature.computed, count_turn)
        return ended._replace(key=self.exploration.key_of(ended.values, ended.error, store))

    def schedule(self, path: Sequence[str], key: Any, order: Sequence[str] = ()) -> str:
        """A short schedule with the result of `path`, whose key is `key`. order: two turns that keep their order."""

        def is_wanted(ended: RunEnd) -> bool:
            names = ended.order.names
            both = order and all(name in names for name in order)
            return bool(ended.key == key and not (both and names.index(order[0]) > names.index(order[1])))

        exploration = self.exploration
        return shortened(self._completed(path), exploration.conflict, exploration.has_conflicts, self.ends, is_wanted)

    def _completed(self, path: Sequence[str]) -> list[str]:
        """A path, which a failure may have ended, and then the other nodes.

        A schedule without loops names them all, unless a turn of it ends later than it begins.
        """
        on_path = set(path)
        if self.exploration.graph.looping or len(on_path) < len(path):
            return list(path)
        return [*path, *(name for op in self.call.signature.schedule().order if (name := str(op.id)) not in on_path)]


class Possible:
    """One possible result.

    value: what Session.run returns; of several runs a list. error: the error that ends the last run. states: the values of the
    watched variables after each run. runs: of each run its start and result. schedules: one for each run that replays it.
    """

    def __init__(
        self,
        values: list[Any],
        error: errors.OpError | None,
        states: list[Any],
        runs: Sequence[tuple[Start, Result]],
        single: bool,
    ) -> None:
        self.values = values
        self.error = error
        self.states = states
        self.runs = runs
        self._single = single

    @property
    def value(self) -> Any:
        return self.values[0] if self._single and self.values else None if self._single else self.values

    @cached_property
    def schedules(self) -> tuple[str, ...]:
        return tuple([start.schedule(result.path, result.key) for start, result in self.runs])

    @property
    def schedule(self) -> str | None:
        """The schedule of all runs, for `tf.Session(schedule=…)`; None if the runs need different ones: see `schedules`."""
        return self.schedules[0] if len(set(self.schedules)) == 1 else None

    def replay(self) -> list[Any]:
        """Runs it again by its schedules; returns the values of the runs.

        Raises: the error that ends the last run.
        """
        values: list[Any] = []
        for (start, _), text in zip(self.runs, self.schedules):
            policy = policy_of(text)
            assert policy is not None
            ended = start.ends(policy)
            if ended.error is not None:
                raise ended.error
            values.append(nested(start.call, ended.values))
        return values

    def words(self, lang: str | None = None) -> str:
        """The values of the runs, or the error, as text."""
        texts = [text_of(value) for value in self.values]
        if self.error is not None:
            texts.append(failure_text(self.error))
        return shorten(" → ".join(texts), 300)

    def order(self, lang: str | None = None) -> str:
        """The schedules, and their order in words."""
        return " → ".join(
            order_text(start.exploration, text, lang) for (start, _), text in zip(self.runs, self.schedules)
        )

    def __repr__(self) -> str:
        return f"<Possible {self.words()}>"


def failure_text(error: errors.OpError) -> str:
    """An error in one line, with the node that failed."""
    at = f" ({error.op.name})" if error.op is not None else ""
    return f"{type(error).__name__}: {error.message.splitlines()[0]}{at}"


def nested(call: Call, values: Sequence[Any]) -> Any:
    """The values of a run, nested as its fetches."""
    return call.structure.rebuild(call.signature.with_fed(list(values), call.values))


def quoted(schedule: str) -> str:
    """A schedule as an argument of Session; of a long one the beginning."""
    return f'schedule="{shorten(schedule, 120)}"'


def order_text(exploration: Exploration, text: str, lang: str | None = None) -> str:
    """`schedule="8<5"`, and its order in words."""
    argument = quoted(text)
    if "<" not in text:
        return argument
    pairs = []
    for pair in text.split():
        first, then = (_turn_text(exploration, name, lang) for name in pair.split("<"))
        pairs.append(message("outcomes.before", lang, first=first, second=then))
    return f"{argument}: {'; '.join(pairs)}"


def _turn_text(exploration: Exploration, name: str, lang: str | None) -> str:
    node, iteration = exploration.node(name).name, name.partition(":")[2]
    return message("outcomes.in_iteration", lang, node=node, iteration=iteration) if iteration else node


class Outcomes(list[Possible]):
    """The possible results, that of the default order first.

    exact: whether there are no others. turns: how many turns of nodes the search took. outside: nodes whose effects lie outside
    the graph, so that the search cannot know their order's effect. starts: the searches over single runs.
    """

    exact: bool = True
    turns: int = 0
    outside: tuple[Operation, ...] = ()
    starts: Sequence[Start] = ()

    @property
    def is_deterministic(self) -> bool:
        """Whether there surely is only one possible result."""
        return self.exact and len(self) == 1

    def text(self, lang: str | None = None) -> str:
        """The results, each with a schedule."""
        code = ("one" if len(self) == 1 else "many") if self.exact else "at_least"
        lines = [message(f"outcomes.{code}", lang, count=len(self), turns=self.turns)]
        if self.outside:
            names = ", ".join(shorten(op.name, 60) for op in self.outside[:4])
            lines.append(f"  {message('outcomes.outside', lang, nodes=names)}")
        for number, possible in enumerate(self[:_MOST_LISTED], 1):
            lines.append(f"  {number}. {possible.words(lang)}")
            if len(self) > 1:
                lines.append(f"     {possible.order(lang)}")
        if len(self) > _MOST_LISTED:
            lines.append(f"  {message('outcomes.more', lang, count=len(self) - _MOST_LISTED)}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def outcomes(
    fetches: Any,
    feed_dict: Any = None,
    runs: int = 1,
    session: Session | None = None,
    budget: int = BUDGET,
    threads: bool = False,
) -> Outcomes:
    """All possible results of `session.run(fetches, feed_dict)` over the legal orders of the nodes.

    threads: each element of the list `fetches` is a run of a thread of its own, and they run at the same time; the first error
    ends them all. A run that waits at a queue for ever is an error.

    The variables are initialized, or have their values in `session`, which stays unchanged. runs: how many runs, one after the
    other. budget: the most turns of nodes that the search takes; `exact` tells whether they sufficed. Random numbers are drawn
    once: results that differ by a new draw alone are one.
    Raises: TypeError and ValueError for wrong fetches and feeds, ValueError for nodes that write files, and for a node with
    effects that several threads run.
    """
    if threads:
        check_threads(fetches, feed_dict, session)
    if runs < 1:
        raise ValueError(f"runs must be 1 or more, not {runs}")
    return search(fetches, [feed_dict] * runs, session, budget)


def check_threads(fetches: Any, feed_dict: Any, session: Session | None) -> None:
    """Raises: ValueError for no list of runs, and for a node with effects that two of them need: one search runs it once."""
    if not isinstance(fetches, (list, tuple)) or len(fetches) < 2:
        raise ValueError("threads=True takes a list of fetches, with one element for each thread")
    graph = graph_of_fetches(fetches) if session is None else session.graph
    scratch = Session(graph=graph)
    thread_of: dict[Operation, int] = {}
    for thread, of_thread in enumerate(fetches):
        asked = scratch.prepare(of_thread, feed_dict).signature
        # Not its schedule: the nodes may have devices that only the session of the runs has.
        pruned = prune(graph, [*(tensor.op for tensor in asked.computed), *asked.operations], asked.feeds)
        for op in accesses(pruned):
            if thread_of.setdefault(op, thread) != thread:
                raise ValueError(
                    f"Threads {thread_of[op]} and {thread} both run node {op.name}, which reads or changes state.\n"
                    "  fix: build the node once for each thread"
                )


@dataclass(eq=False)
class _Course:
    """One possible course of the runs so far. key: equal for equal results; runs: of each run its start and result."""

    key: tuple[Any, ...] = ()
    values: list[Any] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    runs: tuple[tuple[Start, Result], ...] = ()

    def extended(self, start: Start, result: Result, state: list[Any], state_key: int) -> _Course:
        """The course with one more run, which leaves the watched variables in `state`."""
        failed = result.error is not None
        values = self.values if failed else [*self.values, nested(start.call, result.values)]
        key = (*self.key, result.key if failed else result.key[0], state_key)
        return _Course(key, values, [*self.states, state], (*self.runs, (start, result)))


def search(
    fetches: Any,
    feeds: Sequence[Any],
    session: Session | None = None,
    budget: int = BUDGET,
    watched: Sequence[Any] = (),
) -> Outcomes:
    """`outcomes` for runs with one feed_dict each. watched: variables whose values after each run are part of the result."""
    if session is not None and session.placer.simulated:
        runs = [on_one_device(fetches, feed_dict, session) for feed_dict in feeds]
        feeds = [feed_dict for _, feed_dict, _ in runs]
        fetches, _, session = runs[0]
    graph = graph_of_fetches(fetches) if session is None else session.graph
    scratch = scratch_session(graph, None, session)
    scratch.interpreted = True
    possible_results = Outcomes()
    number_of = ValueNumbers()
    turns = 0
    starts: list[Start] = []
    ends: dict[Any, Possible] = {}
    # By what the runs so far leave behind: the variables, and the courses that lead there.
    states: dict[Any, tuple[Store, list[_Course]]] = {None: (scratch.store, [_Course()])}
    for run, feed_dict in enumerate(feeds):
        call = scratch.prepare(fetches, feed_dict)
        _check_files(call)
        is_last = run == len(feeds) - 1
        next_states: dict[Any, tuple[Store, list[_Course]]] = {}
        for store, courses in states.values():
            start = _explored(call, store, number_of, budget - turns, not is_last or bool(watched))
            starts.append(start)
            turns += start.exploration.turns
            possible_results.exact = possible_results.exact and start.exploration.exact
            for number, result in enumerate(start.exploration.results):
                values: list[Any] = []
                after = store
                if result.error is None and start.exploration.ends_matter:
                    after = start.exploration.store_after(number)
                    scratch.store = after.copy()
                    values = [scratch.run(variable) for variable in watched]
                for n, course in enumerate(courses):
                    turns += n > 0  # the exploration counted the first course
                    if n > 0 and turns > budget:
                        possible_results.exact = False
                        break
                    longer = course.extended(start, result, values, number_of(values))
                    if is_last or result.error is not None:
                        possible = Possible(longer.values, result.error, longer.states, longer.runs, len(feeds) == 1)
                        ends.setdefault(longer.key, possible)
                    else:
                        next_states.setdefault(result.key[1], (after, []))[1].append(longer)
        states = {state: (store, _distinct(courses)) for state, (store, courses) in next_states.items()}
    possible_results[:] = ends.values()
    possible_results.turns, possible_results.starts = turns, starts
    possible_results.outside = tuple(with_outside_effects(starts[0].exploration.graph.accesses))
    possible_results.exact = possible_results.exact and not possible_results.outside
    return possible_results


def _explored(call: Call, store: Store, number_of: ValueNumbers, budget: int, ends_matter: bool) -> Start:
    """The start of one run, explored. ends_matter: whether what the run leaves behind is part of its result."""
    signature = call.signature
    fed = dict(zip(signature.feeds, call.values))
    exploration = Exploration(
        signature.schedule(), store.copy(), fed, signature.computed, max(budget, 1), number_of, ends_matter
    )
    start = Start(call, store, exploration)
    start.explore()
    return start


def _check_files(call: Call) -> None:
    for op in call.signature.schedule().order:
        if writes_files(op):
            raise WritesFilesError(
                f"{op.name} ({op.type}) writes a file, and to find all outcomes the run is tried many times.\n"
                "  fix: ask for the outcomes of what is computed before it is saved"
            )


def _distinct(courses: list[_Course]) -> list[_Course]:
    """The first course of each key."""
    return list({course.key: course for course in reversed(courses)}.values())[::-1]


def assert_deterministic(
    fetches: Any, feed_dict: Any = None, runs: int = 1, session: Session | None = None, budget: int = BUDGET
) -> Outcomes:
    """Checks that every legal order gives the same result, to the last bit.

    Raises: NondeterministicError with two results and their schedules; UndecidedError when the budget ends before the search
    has tried all orders. Both are AssertionErrors.
    """
    possible_results = outcomes(fetches, feed_dict, runs, session, budget)
    if len(possible_results) > 1:
        lines = [message("outcomes.differs", None)]
        for possible in possible_results[:2]:
            lines += [f"  {possible.words()}", f"     {possible.order()}"]
        raise NondeterministicError("\n".join(lines), possible_results)
    if not possible_results.exact:
        raise UndecidedError(possible_results.text(), possible_results)
    return possible_results


__all__ = [
    "NondeterministicError", "Outcomes", "Possible", "UndecidedError", "WritesFilesError", "assert_deterministic",
    "check_threads", "outcomes", "search",
]  # fmt: skip
