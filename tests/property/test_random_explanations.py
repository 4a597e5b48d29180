"""What is said of random programs with loops that end, never end or fail is true, or says that it is not known.

An interpreter of a few lines decides: it evaluates the expressions as Python does, without a graph, and knows which of them
compute, which fail, and whether a loop without an end is reached.
"""

from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tfedu as tf
from tfedu import explain
from tfedu.engine.replay import trace as traces
from tfedu.explain.mental_models import story
from tfedu.explain.reasons import trial_run

SAMPLE = settings(
    max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
LONG = settings(SAMPLE, max_examples=2000, derandomize=False)
TURNS = 800  # of nodes; the loops that end take fewer
ENDLESS = 200  # iterations that the oracle looks at: more than the engine makes in so many turns
NUMBERS = st.integers(0, 3)


@dataclass(frozen=True)
class Expression:
    """A number, "i" or "total" of the innermost loop, or an operation on parts; `id` is the name of its node."""

    kind: str
    id: int
    parts: tuple = ()
    numbers: tuple = ()


@st.composite
def expressions(draw, depth=3, in_loop=False, ids=None):
    ids = iter(range(1000)) if ids is None else ids
    inner = [] if depth == 0 else ["add", "divide", "cond", "loop", "loop"]
    kind = draw(st.sampled_from(["number", *["i", "total"] * in_loop, *inner * 2]))
    if depth == 3 and not in_loop:
        kind = draw(st.sampled_from(["loop", "cond", "add"]))

    def part(in_loop=in_loop):
        return draw(expressions(depth - 1, in_loop, ids))

    if kind == "number":
        return Expression(kind, next(ids), (), (draw(NUMBERS),))
    if kind in ("i", "total"):
        return Expression(kind, next(ids))
    if kind in ("add", "divide"):
        return Expression(kind, next(ids), (part(), part()))
    if kind == "cond":
        return Expression(kind, next(ids), (part(), part(), part()), (draw(NUMBERS),))
    start, limit, step = draw(NUMBERS), draw(NUMBERS), draw(st.sampled_from([1, 1, 1, 0]))
    return Expression(kind, next(ids), (part(), part(True)), (start, limit, step))


class TooLong(Exception):
    """The oracle would take too long."""


@dataclass
class Oracle:
    """What happens where everything happens that no missing value keeps from it.

    computed, failed: the ids of the expressions that compute or fail at least once. endless: whether a loop without an end is
    reached. begun: by loop, for each time that it is reached whether its first iteration begins. taken: by cond its conditions.
    """

    computed: set = field(default_factory=set)
    failed: set = field(default_factory=set)
    endless: bool = False
    begun: dict = field(default_factory=dict)
    taken: dict = field(default_factory=dict)
    steps: int = 0

    def value(self, e, i=None, total=None):
        """The value of an expression; None if it has none. i, total: the variables of the loop around it."""
        self.steps += 1
        if self.steps > 60_000:
            raise TooLong
        result = getattr(self, e.kind)(e, i, total)
        if result is not None:
            self.computed.add(e.id)
        return result

    def number(self, e, i, total):
        return e.numbers[0]

    def i(self, e, i, total):
        return i

    def total(self, e, i, total):
        return total

    def add(self, e, i, total):
        one, other = (self.value(part, i, total) for part in e.parts)
        return None if one is None or other is None else (one + other) % 7

    def divide(self, e, i, total):
        one, other = (self.value(part, i, total) for part in e.parts)
        if one is None or other is None:
            return None
        if other == 0:
            self.failed.add(e.id)
            return None
        return one // other

    def cond(self, e, i, total):
        tested = self.value(e.parts[0], i, total)
        if tested is None:
            return None
        truth = tested < e.numbers[0]
        self.taken.setdefault(e.id, set()).add(truth)
        return self.value(e.parts[1 if truth else 2], i, total)

    def loop(self, e, i, total):
        start, limit, step = e.numbers
        value = self.value(e.parts[0], i, total)
        self.begun.setdefault(e.id, set()).add(start < limit)
        endless = start < limit and step == 0
        self.endless |= endless
        for at in [start] * ENDLESS if endless else range(start, limit):
            value = self.value(e.parts[1], at, value)
        return None if endless else value


def build(e, i=None, total=None):
    """The tensor of an expression; the node with its value is named "e" and its id."""
    name = f"e{e.id}"
    if e.kind == "number":
        return tf.identity(tf.constant(e.numbers[0]), name=name)
    if e.kind in ("i", "total"):
        return tf.identity(i if e.kind == "i" else total, name=name)
    if e.kind == "cond":
        test = tf.less(build(e.parts[0], i, total), e.numbers[0], name=f"test{e.id}")
        branches = [lambda part=part: build(part, i, total) for part in e.parts[1:]]
        return tf.identity(tf.cond(test, *branches), name=name)
    if e.kind == "loop":
        start, limit, step = e.numbers
        begin = build(e.parts[0], i, total)
        last = tf.while_loop(
            lambda i, _: tf.less(i, limit, name=f"go{e.id}"),
            lambda i, value: (i + step, build(e.parts[1], i, value)),
            [tf.constant(start), begin],
        )[1]
        return tf.identity(last, name=name)
    one, other = (build(part, i, total) for part in e.parts)
    return tf.floormod(one + other, 7, name=name) if e.kind == "add" else tf.floordiv(one, other, name=name)


def all_of(e):
    yield e
    for part in e.parts:
        yield from all_of(part)


def nodes_of(graph):
    """The node of each expression, by its id."""
    last = {op: op.name.rpartition("/")[2] for op in graph.operations}
    return {int(name[1:]): op for op, name in last.items() if name[0] == "e" and name[1:].isdigit()}


@pytest.fixture(autouse=True)
def fewer_turns(monkeypatch):
    for module in (trial_run, story, traces):
        monkeypatch.setattr(module, "MOST_TURNS", TURNS)


def check_reason(reason, e, oracle):
    """A reason says nothing that is false, and where the run comes to its end says all."""
    assert reason.code not in ("fed", "pruned", "waiting")
    codes = {notice.code: notice.params for notice in reason.around}
    if reason.code == "unfinished":
        assert oracle.endless
        assert reason.runs is None
        assert "not known" in str(reason)
        assert not codes.keys() & {"dead", "dead_branch", "dead_through", "dead_ended"}
    elif reason.code == "failed":
        assert reason.runs is False
        assert e.id in oracle.failed
    elif reason.code == "stopped":
        assert oracle.failed
    elif not reason.is_dead:
        assert e.id in oracle.computed
    elif not oracle.failed:
        assert e.id not in oracle.computed
    if not oracle.endless and not oracle.failed:
        assert reason.runs
        assert reason.is_dead == (e.id not in oracle.computed)
    if "dead_ended" in codes:
        loops = {other.id: other for other in oracle.loops if oracle.begun.get(other.id) == {False}}
        assert any(f"/go{id}" in oracle.conditions[codes["dead_ended"]["cond"]] for id in loops)
    for code in ("dead_branch", "dead_through"):
        if code in codes and not oracle.failed:
            id = int(codes[code]["pred"].partition("test")[2].partition(":")[0])
            assert oracle.taken[id] == {codes[code]["value"] == "True"}


def check(e):
    oracle = Oracle()
    try:
        value = oracle.value(e)
    except TooLong:
        return
    with tf.Graph().as_default() as graph, tf.Session() as session:
        y = build(e)
        oracle.loops = [one for one in all_of(e) if one.kind == "loop"]
        oracle.conditions = {op.name: op.inputs[0].name for op in graph.operations if op.type == "LoopCond"}
        nodes = nodes_of(graph)
        for one in all_of(e):
            check_reason(explain.why(nodes[one.id], y, session=session), one, oracle)
            check_reason(explain.why_not(nodes[one.id], y, session=session), one, oracle)
            structural = explain.why(nodes[one.id], y)
            needs = [name for other in all_of(one) if other.kind == "loop" for name in [f"go{other.id}"]]
            assert bool(needs) <= any(notice.code == "after_loop" for notice in structural.around)
        check_runs(y, None if oracle.failed else value, oracle)


def check_runs(y, value, oracle):
    """The trace, the diagnosis and the outcomes of the run."""
    (run,) = traces.record(y).runs
    ends = [*["turns"] * oracle.endless, *["error"] * bool(oracle.failed)]
    assert run.ended_by in (ends or ["finished"])
    assert run.is_unfinished == bool(run.loops and run.ended_by == "turns")
    if run.is_unfinished:
        with pytest.raises(tf.errors.DeadlineExceededError, match="not known"):
            explain.diagnose({"y": y}, {"y": ["error"]}, runs=1)
    else:
        (answer,) = explain.diagnose({"y": y}, {"y": ["error" if value is None else str(value)]}, runs=1).targets
        assert answer.correct
        assert "DeadlineExceededError" not in str(answer)
    possible = explain.outcomes(y, budget=TURNS)
    if possible.exact:
        assert not oracle.endless or oracle.failed
        assert {one.value if one.error is None else None for one in possible} == {value}
    elif not oracle.endless and not oracle.failed:
        assert possible.turns >= TURNS


@SAMPLE
@given(expressions())
def test_what_is_said_of_a_run_is_true(e):
    check(e)


@pytest.mark.long
@LONG
@given(expressions())
def test_what_is_said_of_many_runs_is_true(e):
    check(e)
