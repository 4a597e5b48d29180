"""Reasons agree with the pruner, their paths are edges of the graph, their changes work, and brute force finds no smaller one."""

import functools
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tfedu as tf
from tests.property.programs import programs
from tfedu import explain
from tfedu.engine.graph import Operation
from tfedu.engine.replay import trace as traces
from tfedu.engine.runtime.place import Placed
from tfedu.engine.runtime.prune import prune
from tfedu.engine.runtime.schedule import schedule
from tfedu.view.build import trace_record

SAMPLE = settings(
    max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
LONG = settings(SAMPLE, max_examples=5000, derandomize=False)


def choose(draw, items):
    return items[draw(st.integers(0, len(items) - 1))]


@st.composite
def graphs(draw):
    """Up to 8 nodes with random data and control edges, some fed, some not fetchable; and the fetches."""
    graph = tf.Graph()
    with graph.as_default():
        tensors, ops = [], []
        for _ in range(draw(st.integers(1, 8))):
            pick = functools.partial(choose, draw)
            waits = [pick(ops) for _ in range(draw(st.integers(0, 2)))] if ops else []
            with tf.control_dependencies(waits):
                kind = draw(st.integers(0, 4))
                if kind == 0 or not tensors:
                    op = tf.constant(1.0).op
                elif kind == 1:
                    op = tf.no_op()
                elif kind == 2:
                    op = tf.identity(pick(tensors)).op
                else:
                    op = tf.add(pick(tensors), pick(tensors)).op
            ops.append(op)
            tensors.extend(op.outputs)
            if draw(st.integers(0, 4)) == 0:
                graph.prevent_fetching(op)
    allowed = [op for op in ops if graph.is_fetchable(op)]
    fetched = draw(st.lists(st.sampled_from(allowed), min_size=1, max_size=2, unique=True)) if allowed else []
    fetches = [op.outputs[0] if op.outputs and draw(st.booleans()) else op for op in fetched]
    fed = draw(st.lists(st.sampled_from(tensors), max_size=3, unique=True)) if tensors else []
    return graph, fetches, dict.fromkeys(fed, 2.0), ops


def targets_of(elements, fed):
    return [e if isinstance(e, Operation) else e.op for e in elements if e not in fed]


def runs(graph, elements, fed, node):
    """Whether the node takes its turn; False for a run that cannot be ordered."""
    pruned = prune(graph, targets_of(elements, fed), list(fed))
    try:
        schedule(Placed(pruned))
    except tf.errors.InvalidArgumentError:
        return None
    return node in pruned.needed_by


def edits(graph, fetches, fed):
    """Every single change: fetch a node, stop feeding a tensor, let one node wait for another."""
    for op in graph.operations:
        if graph.is_fetchable(op) and op not in fetches:
            yield ("fetch", op)
    for tensor in fed:
        yield ("unfeed", tensor)
    for waiting, waited in itertools.permutations(graph.operations, 2):
        if waited not in waiting.control_inputs:
            yield ("control", (waiting, waited))


def nodes_then(graph, fetches, fed, node, chosen):
    """The nodes that run after these edits; None when the node is not among them, or nothing can run."""
    elements = [*fetches, *(what for kind, what in chosen if kind == "fetch")]
    left = [t for t in fed if ("unfeed", t) not in chosen]
    added = [what for kind, what in chosen if kind == "control"]
    for waiting, waited in added:
        graph.add_control_input(waiting, waited)
    try:
        if not runs(graph, elements, left, node):
            return None
        return set(prune(graph, targets_of(elements, left), left).operations)
    finally:
        for waiting, waited in added:
            graph.remove_control_input(waiting, waited)


def check_changes(graph, fetches, fed, ops):
    now = set(prune(graph, targets_of(fetches, fed), list(fed)).operations)
    size = len(graph.operations)
    for node in ops:
        reason = explain.why(node, fetches, fed)
        assert reason.runs == (node in now)
        if reason.runs:
            assert not reason.changes
            check_path(reason, fetches, fed)
            continue
        assert reason.smallest is not None
        for change in reason.changes:
            copy = explain.copied(graph)
            elements, feeds = change.apply(copy)
            assert runs(copy.graph, elements, feeds, copy.of(node)), change
            then = prune(copy.graph, targets_of(elements, feeds), list(feeds)).operations
            new = {op.id for op in then if op.id < size} - {op.id for op in now}
            assert {op.id for op in change.also} == new
            # The changed graph really runs.
            tf.Session(graph=copy.graph).run(elements, feeds)
        single = {edit: nodes_then(graph, fetches, fed, node, [edit]) for edit in edits(graph, fetches, fed)}
        single = {edit: then for edit, then in single.items() if then is not None}
        assert (reason.smallest.size == 1) == bool(single)
        kinds = {change.kind: change for change in reason.changes}
        by_kind = {kind for kind, _ in single}
        assert ("control" in kinds) == ("control" in by_kind)
        assert ("fetch" in kinds or "fetch_other" in kinds) == ("fetch" in by_kind)
        fewest = next(
            (
                n
                for n in range(1, len(fed) + 1)
                for chosen in itertools.combinations(fed, n)
                if nodes_then(graph, fetches, fed, node, [("unfeed", t) for t in chosen])
            ),
            None,
        )
        assert fewest == (kinds["unfeed"].size if "unfeed" in kinds else None)
        # No other change of one edit makes fewer further nodes run.
        if single:
            assert len(reason.smallest.also) == min(len(then - now) for then in single.values())


def check_path(reason, fetches, fed):
    path = reason.path
    assert path[0] in targets_of(fetches, fed)
    assert path[-1] is reason.node
    for consumer, needed in itertools.pairwise(path):
        data = any(t.op is needed and t not in fed for t in consumer.inputs)
        assert data or needed in consumer.control_inputs
    if len(path) == 1:
        assert reason.code == "fetched"
    else:
        consumer = path[-2]
        data = any(t.op is reason.node and t not in fed for t in consumer.inputs)
        assert reason.code == ("data" if data else "control")


def test_no_change_is_smaller_than_the_one_that_why_names():
    @SAMPLE
    @given(graphs())
    def law(made):
        graph, fetches, fed, ops = made
        if fetches:
            check_changes(graph, fetches, fed, ops)

    law()


@pytest.mark.long
def test_no_change_is_smaller_than_the_one_that_why_names_in_many_more_graphs():
    @LONG
    @given(graphs())
    def law(made):
        graph, fetches, fed, ops = made
        if fetches:
            check_changes(graph, fetches, fed, ops)

    law()


def test_traces_and_why_agree_on_every_node():
    @settings(SAMPLE, max_examples=60)
    @given(programs())
    def law(program):
        trace = traces.record(program.fetches, program.feed_dict)
        record = trace_record(trace)
        for entry in (*record.needed, *record.pruned):
            node = program.graph.operations[entry.node]
            reason = explain.why(node, program.fetches, program.feed_dict)
            assert (reason.record().code, reason.record().path) == (entry.why.code, entry.why.path)

    law()


def test_why_takes_a_long_chain_without_recursion():
    x = first = tf.placeholder_with_default(tf.constant(0.0), ())
    for _ in range(20_000):
        x = tf.identity(x)
    reason = explain.why(first, x)
    assert len(reason.path) == 20_001
    assert len(str(reason)) < 1000
    assert explain.why(first, x, {x.op.inputs[0]: 1.0}).smallest is not None
