"""Exploration finds exactly the results of all orders: random programs with effects, aliases, branches, loops."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tfedu as tf
from tests.property.programs import _Maker
from tests.property.test_plan import session_of
from tfedu.engine.base import errors
from tfedu.engine.base.dead import DEAD
from tfedu.engine.replay.explore import Exploration
from tfedu.engine.replay.value_numbers import ValueNumbers
from tfedu.engine.runtime import schedule as schedules
from tfedu.engine.runtime.interpreter import interpret
from tfedu.engine.runtime.node_errors import failure_key, node_error
from tfedu.engine.runtime.node_turn import compute, fetched, is_dead
from tfedu.engine.runtime.schedule import dependencies
from tfedu.engine.runtime.store import Buffer, Handle, View
from tfedu.engine.runtime.tokens import Tokens
from tfedu.explain import races

SAMPLE = settings(
    max_examples=80, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
LONG = settings(SAMPLE, max_examples=20_000, derandomize=False)
EVENTS = 8
PLACES = 2_500


class _Racer(_Maker):
    """Programs with many unordered accesses to few variables."""

    def node(self):
        kinds = ["update", "update", "use", "use", "read", "identity", "view", "binary", "cond", "no_op"]
        getattr(self, self.pick(kinds))()

    def step(self):
        if len(self.program.variables) == 1 and self.coin():
            self.variable()
        super().step()

    def request(self):
        super().request()
        self.program.fetches += self.program.tensors[-2:]
        self.program.feed_dict = {}


class _LoopRacer(_Racer):
    """A short loop whose iterations have effects, beside nodes that no edge orders against it."""

    def build(self, size):
        with self.program.graph.as_default():
            self.variable()
            self.effects()
            for _ in range(size):
                self.step()
            self.request()
        return self.program

    def effects(self):
        rounds, within = 1 + self.upto(1), 1 + self.upto(1)
        x = self.program.variables[0]

        def body(i, s):
            for _ in range(within):
                made = self.pick([tf.assign, tf.assign_add])(x, self.pick([s, x + 1.0, tf.constant(self.number())]))
                if self.coin():
                    with tf.control_dependencies([tf.convert_to_tensor(made)]):
                        s = s + self.number()
                else:
                    s = s + self.pick([made, x])
            return i + 1, s

        self.keep(tf.while_loop(lambda i, s: i < rounds, body, [0, tf.constant(1.0)])[1])


@st.composite
def racing(draw, most=7):
    return _Racer(draw(st.integers(0, 2**64 - 1)), True).build(draw(st.integers(2, most)))


@st.composite
def looping(draw, most=2):
    return _LoopRacer(draw(st.integers(0, 2**64 - 1)), True).build(draw(st.integers(0, most)))


class TooMany(Exception):
    """More states than a test can visit."""


class BruteForce:
    """Tries every order of the nodes, one node at a time; visits each distinct state once."""

    def __init__(self, scheduled, store, fed, fetches):
        self.store, self.fed, self.fetches = store, fed, fetches
        self.pending, self.after = dependencies(scheduled.placed)
        self.number_of = ValueNumbers()
        self.visited = set()
        self.results = set()
        values = {}
        for tensor, value in fed.items():
            values.setdefault(tensor.op, [None] * len(tensor.op.outputs))[tensor.index] = value
        self.fed_ops = set(values)
        buffers = {key: buffer.value for key, buffer in store.buffers.items()}
        with np.errstate(all="ignore"):
            self.go(values, frozenset(), frozenset(), buffers)

    def go(self, values, done, dead, buffers):
        outputs = tuple(sorted((op.id, tuple(map(self.number_of, node_outputs))) for op, node_outputs in values.items()))
        contents = tuple(sorted((key, self.number_of(value)) for key, value in buffers.items()))
        state = (done, dead, outputs, contents)
        if state in self.visited:
            return
        if len(self.visited) == PLACES:
            raise TooMany
        self.visited.add(state)
        ready = [op for op in self.pending if op not in done and all(op not in self.after[d] or d in done for d in self.pending)]
        if not ready:
            self.put(buffers)
            self.end(values)
        for op in ready:
            self.put(buffers)
            inputs = [values[t.op][t.index] for t in op.inputs]
            try:
                died = is_dead(op, inputs, {d.id for d in dead})
                node_outputs = [DEAD] * len(op.outputs) if died else list(compute(op, inputs, self.store))
            except Exception as raised:
                # An exception from a frame outside the engine, as this one is, would be told as no kernel's.
                raised.__traceback__ = raised.__traceback__ and raised.__traceback__.tb_next
                self.fail(node_error(op, raised, inputs))
                continue
            if op in self.fed_ops:
                node_outputs = [self.fed.get(t, value) for t, value in zip(op.outputs, node_outputs)]
            now = {key: buffer.value for key, buffer in self.store.buffers.items()}
            self.go({**values, op: node_outputs}, done | {op}, dead | {op} if died else dead, now)

    def put(self, buffers):
        for key, buffer in self.store.buffers.items():
            buffer.value = buffers.get(key)

    def end(self, values):
        try:
            ends = [fetched(values[t.op][t.index], i) for i, t in enumerate(self.fetches)]
        except errors.OpError as error:
            self.fail(error)
        else:
            self.results.add(tuple(map(self.number_of._key, ends)))

    def fail(self, error):
        self.results.add(failure_key(error))


def ends_of(exploration):
    """The results of an exploration, in the form of `BruteForce`."""
    return {
        tuple(map(exploration.number_of._key, result.values))
        if result.error is None
        else failure_key(result.error)
        for result in exploration.results
    }


def prepared(program):
    session = session_of(program, schedules.creation())
    call = session.prepare(program.fetches, program.feed_dict)
    signature = call.signature
    return session, signature, dict(zip(signature.feeds, call.values))


def check(program, count):
    session, signature, fed = prepared(program)
    exploration = Exploration(signature.schedule(), session.store.copy(), fed, signature.computed)
    if not 2 <= len(exploration.graph.accesses) <= EVENTS:
        return
    try:
        expected = BruteForce(signature.schedule(), session.store.copy(), fed, signature.computed).results
    except TooMany:
        return
    exploration.go()
    assert exploration.exact
    assert ends_of(exploration) == expected
    count["programs"] += 1
    count["several"] += len(expected) > 1
    for result in exploration.results:
        replayed(program, result, session, signature, fed)
    # There are races if and only if there are several results; which of two nodes fails first is no race.
    found = races(program.fetches, program.feed_dict, session=session)
    if all(result.error is None for result in exploration.results):
        assert bool(found) == (len(expected) > 1)
    for race in found:
        assert race.one.text() != race.other.text()


def replayed(program, result, session, signature, fed):
    """Runs a result's turns in their order, then the other nodes in any order."""
    pairs = [f"{one}<{two}" for one, two in zip(result.path, result.path[1:])]
    ran = [str(op.id) for op in signature.schedule().order]
    pairs += [f"{result.path[-1]}<{name}" for name in ran if result.path and name not in result.path]
    policy = schedules.before(" ".join(pairs))
    order = schedules.schedule(signature.schedule().placed, policy)
    try:
        values, failure = interpret(order, session.store.copy(), fed, signature.computed), None
    except errors.OpError as error:
        values, failure = [], error
    number_of = ValueNumbers()
    assert getattr(failure, "message", None) == getattr(result.error, "message", None)
    assert [number_of._key(v) for v in values] == [number_of._key(v) for v in result.values]


class Everything(Exploration):
    """Tries every ready turn, except turns without a reference or handle among their inputs: they access no variable."""

    def _choice(self, state):
        for name, (_, (op, at)) in state.ready.turns.items():
            inputs = [Tokens._value(at, tensor) for tensor in op.inputs]
            if op.definition.pure and not any(isinstance(value, (Buffer, View, Handle)) for value in inputs):
                return [name]
        return list(state.ready.turns)

    def _key(self, state):
        self._live_outputs = [(i, op, -1) for i, op, _ in self._live_outputs]
        return super()._key(state)


def check_loops(program, count):
    session, signature, fed = prepared(program)
    scheduled = signature.schedule()
    if scheduled.frames is None:
        return
    every = Everything(scheduled, session.store.copy(), fed, signature.computed, 5_000).go()
    if not every.exact:
        return
    exploration = Exploration(scheduled, session.store.copy(), fed, signature.computed).go()
    assert exploration.exact
    assert ends_of(exploration) == ends_of(every)
    count["programs"] += 1
    count["several"] += len(every.results) > 1


def run(strategy, law, count, settings):
    @settings
    @given(strategy)
    def holds(program):
        law(program, count)

    holds()
    return count


def test_exploring_finds_what_all_orders_give():
    count = run(racing(), check, Counter(), SAMPLE)
    assert count["several"] > 0.1 * count["programs"] > 5


def test_exploring_finds_what_all_orders_of_a_loops_turns_give():
    count = run(looping(), check_loops, Counter(), settings(SAMPLE, max_examples=40))
    assert count["programs"] > 20


@pytest.mark.long
def test_exploring_finds_what_all_orders_give_in_many_more_programs():
    run(racing(most=10), check, Counter(), LONG)
    run(looping(most=3), check_loops, Counter(), settings(LONG, max_examples=2_000))
