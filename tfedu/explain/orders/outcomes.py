"""Outcomes: all that a run can give, whatever legal order its nodes run in. `print(outcomes([write, c]))`.

Each result comes with a schedule that gives it: `tf.Session(schedule="…")` replays it. `assert_deterministic(y)` raises
where there are two. What is searched is the engine's own run (runtime/explore.py), not a list of known mistakes. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from ...engine.base import errors
from ...engine.graph.nodes import Operation
from ...engine.replay.accesses import WRITES_FILES, outside
from ...engine.replay.explore import BUDGET, Exploration, Result, Spent, quiet
from ...engine.replay.shorten import Ended, Order, run_by, shortened
from ...engine.replay.trace import graph_of_fetches, scratch_session
from ...engine.replay.value_numbers import Kept, with_generators
from ...engine.runtime.schedule import Policy, creation, policy_of
from ...engine.runtime.session import Session
from ...engine.runtime.signature import Call
from ...engine.runtime.store import Store
from ...view.labels import shorten
from ...view.messages import message
from ..models.diagnose import text_of

_SHOWN: Final = 20


class NondeterministicError(AssertionError):
    """A run can give different results. outcomes: all that were found."""

    def __init__(self, text: str, outcomes: Outcomes) -> None:
        super().__init__(text)
        self.outcomes = outcomes


class UndecidedError(AssertionError):
    """One result was found, but not every order could be tried. outcomes: what was found."""

    def __init__(self, text: str, outcomes: Outcomes) -> None:
        super().__init__(text)
        self.outcomes = outcomes


class WritesFilesError(ValueError):
    """A run that writes files is not tried again and again."""


@dataclass(frozen=True, eq=False)
class Start:
    """One run of several, from what the runs before it have left: what it can become."""

    call: Call
    store: Store
    exploration: Exploration

    def explore(self) -> None:
        """Finds the results; that of the default order is the first one."""
        exploration = self.exploration
        try:
            self._begin()
        except Spent:
            exploration.exact = False
        else:
            exploration.go()
            self.keep_drawn(exploration.store)

    def _begin(self) -> None:
        after = with_generators(self.store.copy())
        ended = self._ends(creation(), after)
        self.keep_drawn(after)
        generators: Any = self.exploration.store.generators
        generators.first.update(after.generators.first)  # type: ignore[attr-defined]
        self.exploration.found(ended.key, tuple(ended.order.names), ended.values, ended.error, after)

    def keep_drawn(self, store: Store) -> None:
        """A generator without a seed, once made, is the same whenever the run is tried again."""
        generators: Any = store.generators
        self.store.generators = {**generators.first, **self.store.generators}

    def ends(self, policy: Policy) -> Ended:
        """One run by a policy; one that does not end is like no other."""
        try:
            return self._ends(policy, self.store.copy())
        except Spent as spent:
            return Ended((), None, Order(), spent)

    def _ends(self, policy: Policy, store: Store) -> Ended:
        signature = self.call.signature
        fed = dict(zip(signature.feeds, self.call.values))
        left = iter(range(self.exploration.budget))

        def goes_on() -> None:
            if next(left, None) is None:
                raise Spent

        with quiet(self.exploration.graph.order):
            ended = run_by(policy, signature.schedule(), store, fed, signature.computed, goes_on)
        return ended._replace(key=self.exploration.key_of(ended.values, ended.error, store))

    def schedule(self, path: Sequence[str], key: Any, order: Sequence[str] = ()) -> str:
        """A short schedule with this result. order: two turns that keep their order."""

        def is_wanted(ended: Ended) -> bool:
            names = ended.order.names
            both = order and all(name in names for name in order)
            return bool(ended.key == key and not (both and names.index(order[0]) > names.index(order[1])))

        exploration = self.exploration
        return shortened(self._whole(path), exploration.against, exploration.touches, self.ends, is_wanted)

    def _whole(self, path: Sequence[str]) -> list[str]:
        """A path that a failure ends, and then the other nodes: a schedule names them all."""
        if self.exploration.graph.looping:
            return list(path)
        on_it = set(path)
        return [*path, *(name for op in self.call.signature.schedule().order if (name := str(op.id)) not in on_it)]


class Possible:
    """One thing that can come out.

    value: what Session.run gives; of several runs a list. error: what ends the last run instead. states: after each run,
    what the watched variables hold. schedules: for each run one that makes it so.
    """

    def __init__(
        self,
        values: list[Any],
        error: errors.OpError | None,
        states: list[Any],
        way: Sequence[tuple[Start, Result]],
        single: bool,
    ) -> None:
        self.values = values
        self.error = error
        self.states = states
        self.way = way
        self._single = single

    @property
    def value(self) -> Any:
        return self.values[0] if self._single and self.values else None if self._single else self.values

    @cached_property
    def schedules(self) -> tuple[str, ...]:
        return tuple([start.schedule(result.path, result.key) for start, result in self.way])

    @property
    def schedule(self) -> str | None:
        """What `tf.Session(schedule=…)` takes; None when the runs need different ones: see `schedules`."""
        return self.schedules[0] if len(set(self.schedules)) == 1 else None

    def replay(self) -> list[Any]:
        """Runs it again by its schedules; gives the values of the runs.

        Raises: the error that ends the last run.
        """
        values: list[Any] = []
        for (start, _), text in zip(self.way, self.schedules):
            policy = policy_of(text)
            assert policy is not None
            ended = start.ends(policy)
            if ended.error is not None:
                raise ended.error
            values.append(nested(start.call, ended.values))
        return values

    def words(self, lang: str | None = None) -> str:
        """What comes out, as it is shown."""
        said = [text_of(value) for value in self.values]
        if self.error is not None:
            said.append(failure_text(self.error))
        return shorten(" → ".join(said), 300)

    def order(self, lang: str | None = None) -> str:
        """The schedules, and in words what is first in them."""
        return " → ".join(
            order_text(start.exploration, text, lang) for (start, _), text in zip(self.way, self.schedules)
        )

    def __repr__(self) -> str:
        return f"<Possible {self.words()}>"


def failure_text(error: errors.OpError) -> str:
    """An error in one line, with the node that failed."""
    at = f" ({error.op.name})" if error.op is not None else ""
    return f"{type(error).__name__}: {error.message.splitlines()[0]}{at}"


def nested(call: Call, values: Sequence[Any]) -> Any:
    """The values of a run in the nest of its fetches."""
    return call.structure.rebuild(call.signature.with_fed(list(values), call.values))


def quoted(schedule: str) -> str:
    """A schedule as it is given to a session; of a long list the beginning."""
    return f'schedule="{shorten(schedule, 120)}"'


def order_text(exploration: Exploration, text: str, lang: str | None = None) -> str:
    """`schedule="8<5"`, and that in words."""
    said = quoted(text)
    if "<" not in text:
        return said
    pairs = []
    for pair in text.split():
        first, then = (_turn_text(exploration, name, lang) for name in pair.split("<"))
        pairs.append(message("outcomes.before", lang, first=first, second=then))
    return f"{said}: {'; '.join(pairs)}"


def _turn_text(exploration: Exploration, name: str, lang: str | None) -> str:
    node, iteration = exploration.node(name).name, name.partition(":")[2]
    return message("outcomes.in_iteration", lang, node=node, iteration=iteration) if iteration else node


class Outcomes(list[Possible]):
    """All that can come out, what the default order gives first. exact: whether there is nothing else."""

    exact: bool = True
    turns: int = 0
    outside: tuple[Operation, ...] = ()
    starts: Sequence[Start] = ()

    @property
    def is_deterministic(self) -> bool:
        """Whether it is certain that only one thing can come out."""
        return self.exact and len(self) == 1

    def text(self, lang: str | None = None) -> str:
        """The results, each with a schedule."""
        code = ("one" if len(self) == 1 else "many") if self.exact else "at_least"
        lines = [message(f"outcomes.{code}", lang, count=len(self), turns=self.turns)]
        if self.outside:
            names = ", ".join(shorten(op.name, 60) for op in self.outside[:4])
            lines.append(f"  {message('outcomes.outside', lang, nodes=names)}")
        for number, possible in enumerate(self[:_SHOWN], 1):
            lines.append(f"  {number}. {possible.words(lang)}")
            if len(self) > 1:
                lines.append(f"     {possible.order(lang)}")
        if len(self) > _SHOWN:
            lines.append(f"  {message('outcomes.more', lang, count=len(self) - _SHOWN)}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def outcomes(
    fetches: Any, feed_dict: Any = None, runs: int = 1, session: Session | None = None, budget: int = BUDGET
) -> Outcomes:
    """Everything that `session.run(fetches, feed_dict)` can give, over all legal orders of the nodes.

    The variables are initialized, or hold what they hold in `session`, which stays as it is. runs: so many runs, one after
    the other. budget: how many turns of nodes are tried before the search ends; `exact` tells whether that was enough.
    Random numbers are drawn once: what only a new draw changes is no other outcome.
    Raises: TypeError and ValueError for wrong fetches and feeds, ValueError for nodes that write files.
    """
    if runs < 1:
        raise ValueError(f"runs must be 1 or more, not {runs}")
    return search(fetches, [feed_dict] * runs, session, budget)


@dataclass(eq=False)
class _Before:
    """What the runs so far have given: values, states, the way, and its key."""

    key: tuple[Any, ...] = ()
    values: list[Any] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    way: tuple[tuple[Start, Result], ...] = ()


def search(
    fetches: Any,
    feeds: Sequence[Any],
    session: Session | None = None,
    budget: int = BUDGET,
    watched: Sequence[Any] = (),
) -> Outcomes:
    """`outcomes` for runs with feeds of their own. watched: variables whose values after each run count as well."""
    graph = graph_of_fetches(fetches) if session is None else session.graph
    scratch = scratch_session(graph, None, session)
    scratch.interpreted = True
    found = Outcomes()
    kept = Kept()
    spent = 0
    row: dict[Any, tuple[Store, list[_Before]]] = {None: (scratch.store, [_Before()])}
    starts: list[Start] = []
    ends: dict[Any, Possible] = {}
    for run, feed_dict in enumerate(feeds):
        call = scratch.prepare(fetches, feed_dict)
        _check_files(call)
        last = run == len(feeds) - 1
        following: dict[Any, tuple[Store, list[_Before]]] = {}
        for store, befores in row.values():
            start = _explored(call, store, kept, budget - spent, not last or bool(watched))
            starts.append(start)
            spent += start.exploration.turns
            found.exact = found.exact and start.exploration.exact
            for number, result in enumerate(start.exploration.results):
                state: list[Any] = []
                after = store
                if result.error is None and start.exploration.ends_matter:
                    after = start.exploration.store_after(number)
                    scratch.store = after.copy()
                    state = [scratch.run(variable) for variable in watched]
                for n, before in enumerate(befores):
                    spent += n > 0
                    if n > 0 and spent > budget:
                        found.exact = False
                        break
                    values = before.values if result.error is not None else [*before.values, nested(call, result.values)]
                    key = (*before.key, result.key[0] if result.error is None else result.key, kept(state))
                    states, way = [*before.states, state], (*before.way, (start, result))
                    if last or result.error is not None:
                        ends.setdefault(key, Possible(values, result.error, states, way, len(feeds) == 1))
                    else:
                        following.setdefault(result.key[1], (after, []))[1].append(_Before(key, values, states, way))
        row = {lasting: (store, _different(befores)) for lasting, (store, befores) in following.items()}
    found[:] = ends.values()
    found.turns, found.starts = spent, starts
    found.outside = tuple(outside(starts[0].exploration.graph.touch))
    found.exact = found.exact and not found.outside
    return found


def _explored(call: Call, store: Store, kept: Kept, budget: int, ends_matter: bool) -> Start:
    signature = call.signature
    fed = dict(zip(signature.feeds, call.values))
    exploration = Exploration(
        signature.schedule(), store.copy(), fed, signature.computed, max(budget, 1), kept, ends_matter
    )
    start = Start(call, store, exploration)
    start.explore()
    return start


def _check_files(call: Call) -> None:
    for op in call.signature.schedule().order:
        if op.type in WRITES_FILES:
            raise WritesFilesError(
                f"{op.name} ({op.type}) writes a file, and to find all outcomes the run is tried many times.\n"
                "  fix: ask for the outcomes of what is computed before it is saved"
            )


def _different(befores: list[_Before]) -> list[_Before]:
    return list({before.key: before for before in reversed(befores)}.values())[::-1]


def assert_deterministic(
    fetches: Any, feed_dict: Any = None, runs: int = 1, session: Session | None = None, budget: int = BUDGET
) -> Outcomes:
    """That every legal order gives the same, to the last bit; else the error shows two results with their schedules.

    Raises: NondeterministicError; UndecidedError when the budget ends before all orders are known; both are AssertionErrors.
    """
    found = outcomes(fetches, feed_dict, runs, session, budget)
    if len(found) > 1:
        lines = [message("outcomes.differs", None)]
        for possible in found[:2]:
            lines += [f"  {possible.words()}", f"     {possible.order()}"]
        raise NondeterministicError("\n".join(lines), found)
    if not found.exact:
        raise UndecidedError(found.text(), found)
    return found


__all__ = [
    "NondeterministicError", "Outcomes", "Possible", "UndecidedError", "WritesFilesError", "assert_deterministic",
    "outcomes", "search",
]  # fmt: skip
