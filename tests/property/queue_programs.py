"""Random small programs of one queue, `random_program(seed)`, and all results of their runs, `Model(program, draws).results()`.

A program is a queue and nodes at it, some of which wait for others. The model tries all orders, one after the other: a node's
attempt begins when its turn comes, puts in or takes what it can at once, and stands in line for the rest; others wait behind it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Node:
    """does: an element to enqueue, elements, or a count; waits: the indices of the nodes that come first."""

    kind: str
    does: Any = None
    waits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Program:
    queue: str
    capacity: int
    least: int
    seed: int
    nodes: tuple[Node, ...]

    def build(self, tf: Any) -> list[Any]:
        """The fetches: the value of each node."""
        given = {"min_after_dequeue": self.least, "seed": self.seed} if self.queue == "RandomShuffleQueue" else {}
        kinds = {"types": tf.int32} if self.queue == "PriorityQueue" else {"dtypes": tf.int32}
        queue = getattr(tf, self.queue)(self.capacity, **given, **kinds, shapes=[[]], name="queue")
        made: list[Any] = []
        for index, node in enumerate(self.nodes):
            with tf.control_dependencies([as_operation(made[other]) for other in node.waits]):
                made.append(self._made(tf, queue, node, f"n{index}"))
        return made

    def _made(self, tf: Any, queue: Any, node: Node, name: str) -> Any:
        priority = self.queue == "PriorityQueue"
        if node.kind == "enqueue":
            return queue.enqueue((tf.constant(node.does, tf.int64), node.does) if priority else node.does, name=name)
        if node.kind == "enqueue_many":
            elements = list(node.does)
            return queue.enqueue_many([tf.constant(elements, tf.int64), elements] if priority else [elements], name=name)
        if node.kind == "dequeue":
            taken = queue.dequeue(name=name)
        elif node.kind == "dequeue_many":
            taken = queue.dequeue_many(node.does, name=name)
        elif node.kind == "dequeue_up_to":
            taken = queue.dequeue_up_to(node.does, name=name)
        elif node.kind == "close":
            return queue.close(cancel_pending_enqueues=node.does, name=name)
        else:
            return getattr(queue, node.kind)(name=name)
        return taken[1] if priority else taken


def as_operation(made: Any) -> Any:
    return getattr(made, "op", made)


def random_program(seed: int) -> Program:
    draw = random.Random(seed)
    queue = draw.choice(["FIFOQueue", "FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue", "PriorityQueue"])
    capacity = draw.randint(1, 3)
    least = draw.randrange(capacity) if queue == "RandomShuffleQueue" else 0
    kinds = ["enqueue"] * 4 + ["enqueue_many"] * 4 + ["dequeue"] * 4 + ["dequeue_many"] * 3 + ["dequeue_up_to"] * 2
    kinds += ["size"] * 2 + ["close"] + ["is_closed"] * draw.randrange(2)
    numbers = iter(draw.sample(range(1, 30), 29))
    nodes = []
    for index in range(draw.randint(2, 6)):
        kind = draw.choice(kinds)
        does: Any = None
        if kind == "enqueue":
            does = next(numbers)
        elif kind == "enqueue_many":
            does = tuple([next(numbers) for _ in range(draw.randint(0, 4) if draw.random() < 0.2 else draw.randint(2, 4))])
        elif kind in ("dequeue_many", "dequeue_up_to"):
            does = draw.randint(1, 4)
        elif kind == "close":
            does = draw.random() < 0.5
        waits = tuple(other for other in range(index) if draw.random() < 0.3)
        nodes.append(Node(kind, does, waits))
    return Program(queue, capacity, least, seed % 5 + 1, tuple(nodes))


@dataclass
class Attempt:
    """elements: those still to be put in, or those taken so far; missing: how many are still to be taken."""

    node: int
    kind: str
    missing: int = 0
    elements: list[int] = field(default_factory=list)


class State:
    """A run under way: what the queue holds, who stands in line, what the nodes gave."""

    def __init__(self, count: int) -> None:
        self.held: list[int] = []
        self.drawn = 0
        self.closed = False
        self.enqueues: list[Attempt] = []
        self.dequeues: list[Attempt] = []
        self.begun: set[int] = set()
        self.values: dict[int, Any] = {}
        self.failed: dict[int, str] = {}

    def key(self) -> Any:
        lines = [[(a.node, a.kind, a.missing, tuple(a.elements)) for a in line] for line in (self.enqueues, self.dequeues)]
        return (
            tuple(self.held), self.drawn, self.closed, *map(tuple, lines), frozenset(self.begun),
            tuple(sorted(self.values.items())), tuple(sorted(self.failed.items())),
        )  # fmt: skip


class Model:
    """All orders of a program. draws: the random numbers of its queue, in their order."""

    def __init__(self, program: Program, draws: Sequence[int]) -> None:
        self.program = program
        self.draws = draws
        self.is_random = program.queue == "RandomShuffleQueue"
        self.is_priority = program.queue == "PriorityQueue"
        self.seen: set[Any] = set()
        self.found: set[Any] = set()

    def results(self) -> set[Any]:
        """Of each order the values of all nodes, (error, node) of each error that may end the run, or "waits" for ever."""
        stack = [State(len(self.program.nodes))]
        while stack:
            state = stack.pop()
            if state.key() in self.seen:
                continue
            self.seen.add(state.key())
            can = [
                index for index, node in enumerate(self.program.nodes)
                if index not in state.begun and all(other in state.values for other in node.waits)
            ]
            for index in can:
                after = deepcopy(state)
                self.begin(after, index)
                stack.append(after)
            if not can and not state.failed:
                done = len(state.values) == len(self.program.nodes)
                self.found.add(tuple([state.values[i] for i in range(len(self.program.nodes))]) if done else "waits")
        return self.found

    def begin(self, state: State, index: int) -> None:
        node = self.program.nodes[index]
        state.begun.add(index)
        if node.kind == "size":
            state.values[index] = len(state.held)
        elif node.kind == "is_closed":
            state.values[index] = state.closed
        elif node.kind == "close" and node.does:
            state.closed = True
            line, state.enqueues = state.enqueues, []
            for attempt in line:
                self.fail(state, attempt, "CancelledError")
            state.values[index] = None
        elif node.kind in ("enqueue", "enqueue_many", "close"):
            elements = [node.does] if node.kind == "enqueue" else list(node.does or ())
            if node.kind == "enqueue_many" and not elements:
                state.values[index] = None
            else:
                state.enqueues.append(Attempt(index, node.kind, 0, elements))
        else:
            state.dequeues.append(Attempt(index, node.kind, node.does or 1))
        self.go_on(state)

    def fail(self, state: State, attempt: Attempt, error: str) -> None:
        state.failed[attempt.node] = error
        self.found.add((error, attempt.node))

    def go_on(self, state: State) -> None:
        while True:
            before = state.key()
            while state.enqueues and self.enqueue(state, state.enqueues[0]):
                state.enqueues.pop(0)
            while state.dequeues and self.dequeue(state, state.dequeues[0]):
                state.dequeues.pop(0)
            if state.key() == before:
                return

    def enqueue(self, state: State, attempt: Attempt) -> bool:
        if attempt.kind == "close":
            if state.closed:
                self.fail(state, attempt, "CancelledError")
            else:
                state.closed = True
                state.values[attempt.node] = None
            return True
        if state.closed and attempt.elements:
            self.fail(state, attempt, "CancelledError")
            return True
        while attempt.elements and len(state.held) < self.program.capacity:
            state.held.append(attempt.elements.pop(0))
        if not attempt.elements:
            state.values[attempt.node] = None
            return True
        return False

    def dequeue(self, state: State, attempt: Attempt) -> bool:
        held = state.held
        if state.closed and len(held) < attempt.missing:
            # It gives back what it took.
            if self.is_random:
                held.extend(reversed(attempt.elements))
            else:
                held[:0] = attempt.elements
            attempt.elements = []
            if attempt.kind != "dequeue_up_to" or not held:
                self.fail(state, attempt, "OutOfRangeError")
                return True
            attempt.missing = len(held)
        if self.is_priority and len(held) < attempt.missing:
            return False
        while attempt.missing and len(held) > (0 if state.closed else self.program.least):
            attempt.elements.append(self.take(state))
            attempt.missing -= 1
        if not attempt.missing:
            state.values[attempt.node] = attempt.elements[0] if attempt.kind == "dequeue" else tuple(attempt.elements)
            return True
        return False

    def take(self, state: State) -> int:
        held = state.held
        if self.is_random:
            at = self.draws[state.drawn] % len(held)
            state.drawn += 1
            held[at], held[-1] = held[-1], held[at]
            return held.pop()
        at = held.index(min(held)) if self.is_priority else 0
        return held.pop(at)
