"""Signatures: the schedule and plans that a session keeps for one (fetches, feeds).

`Signature.run(values)`: the first run is interpreted, later ones call a compiled plan; a graph with loops is compiled for the
first run. Both use one schedule. State: `Signature` (schedule, plans by the fed values' shapes).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from .config import SimulatedDevices
from .deadline import Check
from .exclusive import may_wait_for_itself
from .feeds import converter
from .fetches import Structure
from .interpreter import interpret
from .partition import Partition, partition
from .place import Placer
from .plans.compile import Plan, compile_plan
from .plans.execute import execute_plan
from .plans.plan_loops import NotCompiled
from .prune import prune
from .schedule import Policy, Schedule, schedule
from .store import Store

MAX_SIGNATURES = 512
_MAX_PLANS = 8


# OpenBLAS computes with one thread where both factors are smaller.
_UNDIVIDED = 64 * 64


def _is_small(op: Operation) -> bool:
    shapes = [t.raw_shape for t in op.inputs]
    return all(shape is not None and None not in shape and math.prod(shape) <= _UNDIVIDED for shape in shapes)  # type: ignore[arg-type]


def fed_value(tensor: Tensor, value: Any) -> Any:
    """What a run returns for a tensor that is fed and fetched."""
    return value if isinstance(value, np.ndarray) else np.array(value, tensor.dtype.numpy)


class Host(Protocol):
    """The session of a signature, as far as a run needs it."""

    store: Store
    policy: Policy | None
    placer: Placer
    speeds: SimulatedDevices
    interpreted: bool

    @property
    def graph(self) -> Graph: ...


class Signature:
    """One (fetched tensors, targets, fed tensors) of a session: its schedule, and its plan once it has one."""

    def __init__(
        self,
        session: Host,
        tensors: tuple[Tensor, ...],
        operations: tuple[Operation, ...],
        feeds: tuple[Tensor, ...],
    ) -> None:
        self.session = session
        self.tensors = tensors
        self.operations = operations
        self.feeds = feeds
        self.converters = [converter(t) for t in feeds]
        # `run` returns the fed value of a fetched tensor that is fed: no node runs for it.
        self.computed = tuple(t for t in tensors if t not in feeds)
        # What the fed values' shapes must tell: those of the others are known already.
        self.open = [i for i, t in enumerate(feeds) if t.raw_shape is None or None in t.raw_shape]
        self.runs = 0
        self.asked = 0  # how often a session that notes the costs of nodes has asked for a run
        self.noted = False  # whether the graph's history tells of it
        self._met: set[Any] = set()
        self._plans: dict[Any, Plan] = {}
        self._plan: Plan | None = None
        self._timed: Plan | None = None
        self._refused: NotCompiled | None = None
        self._schedule: Schedule | None = None
        self.partition: Partition | None = None  # of a session with several devices, once it is scheduled

    @property
    def elements(self) -> list[Tensor | Operation]:
        return [*self.tensors, *self.operations]

    def schedule(self) -> Schedule:
        """Prune, place, partition and schedule, once."""
        if self._schedule is None:
            session = self.session
            pruned = prune(session.graph, [*(t.op for t in self.computed), *self.operations], self.feeds)
            placed = session.placer.place(pruned)
            if session.placer.simulated:
                self.partition = partition(placed, self.computed, session.placer.names[0])
                placed = self.partition.placed
            self._schedule = schedule(placed, session.policy)
        return self._schedule

    @property
    def run_fetches(self) -> tuple[Tensor, ...]:
        """What a run of the schedule computes: `computed`, or their copies in the partition."""
        self.schedule()
        return self.computed if self.partition is None else self.partition.fetches

    @property
    def run_feeds(self) -> tuple[Tensor, ...]:
        """The fed tensors of the schedule: `feeds`, or their copies in the partition."""
        self.schedule()
        return self.feeds if self.partition is None else self.partition.feeds

    @property
    def run_elements(self) -> list[Tensor | Operation]:
        """`elements` as the schedule has them."""
        self.schedule()
        if self.partition is None:
            return self.elements
        run_of: dict[Any, Any] = dict(zip(self.computed, self.partition.fetches))
        return [run_of[element] if element in run_of else self.partition.copy.of(element) for element in self.elements]

    @cached_property
    def multiplies(self) -> bool:
        """Whether a node gives the library of linear algebra work that it divides among threads."""
        # A node of a type that no table has comes from a file; the run refuses it.
        return any(op.definition and op.definition.multiplies and not _is_small(op) for op in self.schedule().order)

    @cached_property
    def takes_locks(self) -> bool:
        """Whether a node waits for a mutex."""
        return any(op.definition is not None and op.definition.resource == "mutex" for op in self.schedule().order)

    @cached_property
    def waits_for_itself(self) -> bool:
        """Whether a node may wait at a queue for another node of the run: then the order of the turns depends on the queue."""
        return may_wait_for_itself(self.schedule().order)

    def plan(self) -> Plan:
        """The compiled plan for fed values of any shapes, made on first use.

        Raises: NotCompiled for loops that only the interpreter runs.
        """
        if self._plan is None:
            self._plan = self._compiled()
        return self._plan

    def timed_plan(self) -> Plan:
        """A plan that checks the deadline before each computation. Raises: NotCompiled."""
        if self._timed is None:
            self._timed = self._compiled(timed=True)
        return self._timed

    def _compiled(self, shapes: Any = None, timed: bool = False) -> Plan:
        if self._refused is not None:
            raise self._refused.with_traceback(None)
        try:
            return compile_plan(self.schedule(), self.session.store, self.run_fetches, shapes, timed)
        except NotCompiled as refused:
            self._refused = refused
            raise

    def plan_for(self, values: Sequence[Any]) -> Plan:
        """The plan for these fed values: from the second call with the same shapes on, a plan for these shapes alone.

        A program whose shapes are ever new ones runs the plan for all.
        """
        if not self.open:
            return self.plan()
        key = self._shapes_of(values)
        plan = self._plans.get(key)
        if plan is not None:
            return plan
        if key in self._met and len(self._plans) < _MAX_PLANS:
            shapes = [getattr(value, "shape", ()) for value in values]
            plan = self._plans[key] = self._compiled(shapes)
            return plan
        self._meet(key)
        return self.plan()

    def _shapes_of(self, values: Sequence[Any]) -> Any:
        return tuple([getattr(values[i], "shape", ()) for i in self.open])

    def _meet(self, key: Any) -> None:
        if len(self._met) < MAX_SIGNATURES:
            self._met.add(key)

    @property
    def is_compiled(self) -> bool:
        return self._plan is not None or bool(self._plans)

    def run(self, values: Sequence[Any], check: Check | None = None) -> list[Any]:
        """The fetched tensors' values: the first time by the interpreter, then, and where there are loops, by the plan.

        check: is called again and again, and may end the run by an error.
        """
        self.runs += 1
        compiles = (self.runs > 1 or self.schedule().frames is not None) and not self.session.interpreted
        if compiles and not self.waits_for_itself:
            try:
                plan = self.plan_for(values) if check is None else self.timed_plan()
            except NotCompiled:
                pass
            else:
                result = execute_plan(plan, values if check is None else (*values, check))
                return self.with_fed([result] if len(self.computed) == 1 else result, values)
        self._meet(self._shapes_of(values))
        fed = dict(zip(self.run_feeds, values))
        fetched = interpret(self.schedule(), self.session.store, fed, self.run_fetches, check=check)
        return self.with_fed(fetched, values)

    def is_costed(self, every: int, after: int) -> bool:
        """Counts a run. Returns whether the session notes its costs: it does in each `every`-th run after the first `after`."""
        self.asked += 1
        return self.asked > after and (self.asked - after) % every == 0

    def with_fed(self, fetched: list[Any], values: Sequence[Any]) -> list[Any]:
        """The computed values and the fed ones, in the order of `tensors`."""
        if len(self.computed) == len(self.tensors):
            return fetched
        fed_values = {t: fed_value(t, v) for t, v in zip(self.feeds, values)}
        value_of = {**fed_values, **dict(zip(self.computed, fetched))}
        return [value_of[t] for t in self.tensors]


@dataclass(frozen=True)
class Call:
    """One checked call of `run`: its signature, its fed values and the nest of its result."""

    signature: Signature
    structure: Structure
    values: list[Any]
