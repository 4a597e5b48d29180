"""Traces as records: their steps and reasons agree with the run, and a comparison marks only the difference."""

import numpy as np
import pytest
import traced_programs as programs

import tfedu as tf
from tfedu.engine.base import dtypes
from tfedu.engine.graph import Graph
from tfedu.engine.ops import basic, math, state
from tfedu.engine.replay.trace import record
from tfedu.engine.runtime.session import Session
from tfedu.view.build import compare_record, trace_record
from tfedu.view.draw.svg import compare_svg, trace_svg
from tfedu.view.make.scratch_runs import runs_record
from tfedu.view.record_kinds import text_of
from tfedu.view.records import from_json, to_json
from tfedu.view.words.terminal_text import compare_text, trace_text, why_text


@pytest.fixture(scope="module")
def counters():
    return compare_record(
        {"without identity": programs.traced(False), "with identity": programs.traced(True)}
    )


def named(trace):
    return {node.id: node.name for node in trace.graph.nodes}


def test_the_two_counters_print_what_they_print(counters):
    printed = [[run.fetched[0].text for run in side.trace.runs] for side in counters.sides]
    assert printed == [["0.0", "0.0", "0.0"], ["1.0", "2.0", "3.0"]]


def test_a_comparison_survives_json(counters):
    assert from_json(to_json(counters)) == counters


def test_the_difference_is_the_empty_block_here_and_the_identity_with_its_edges_there(counters):
    left, right = counters.sides
    assert (left.marks.nodes, left.marks.edges, len(left.marks.blocks)) == ((), (), 1)
    assert [named(right.trace)[id] for id in right.marks.nodes] == ["Identity"]
    kinds = {edge.id: edge.kind for edge in right.trace.graph.edges}
    assert sorted(kinds[id] for id in right.marks.edges) == ["control", "data"]
    assert right.marks.blocks == ()


def test_an_edge_between_two_marked_nodes_is_not_marked():
    with tf.Graph().as_default() as one:
        old = tf.negative(tf.constant(1.0, name="x"), name="old")
    with tf.Graph().as_default() as other:
        new = tf.exp(tf.square(tf.constant(1.0, name="x"), name="inner"), name="new")
    sides = {"old": record(old, session=Session(graph=one)), "new": record(new, session=Session(graph=other))}
    _, right = compare_record(sides).sides
    assert {named(right.trace)[id] for id in right.marks.nodes} == {"inner", "new"}
    edges = {edge.id: edge for edge in right.trace.graph.edges}
    assert [(named(right.trace)[edges[id].source], named(right.trace)[edges[id].target]) for id in right.marks.edges] == [
        ("x", "inner")
    ]


def test_equal_sides_have_no_marks():
    compared = compare_record({"a": programs.traced(True), "b": programs.traced(True)})
    for side in compared.sides:
        assert (side.marks.nodes, side.marks.edges, side.marks.blocks) == ((), (), ())
    assert compare_text(compared, "en").count("Nothing is on this side only.") == 2


def test_two_parts_of_one_graph_are_compared_by_structure():
    graph = Graph()
    with graph.as_default():
        _, init, read = programs.variable(0.0)
        other, init2, read2 = programs.variable(0.0, "w")
        plain = basic.identity(read)
        one = basic.const(value=np.float32(1), dtype=dtypes.float32)
        with graph.control_dependencies([state.assign_add(other, one)]):
            held = basic.identity(read2)
    session = Session(graph=graph)
    session.run([init, init2])
    compared = compare_record({"a": record(plain, session=session), "b": record(held, session=session)})
    left, right = compared.sides
    assert left.marks.nodes == ()
    names = named(right.trace)
    marked = {names[id] for id in right.marks.nodes}
    assert "AssignAdd" in marked
    assert "w" not in marked


def both_in_one_graph(variables):
    """The lesson's two programs one after the other in one graph, about one variable or one each."""
    ends = []
    for identity in (False, True):
        if not ends or variables == 2:
            x = tf.Variable(0.0)
            step = tf.assign_add(x, 1.0)
        with tf.control_dependencies([step]):
            ends.append(tf.identity(x) if identity else x)
    without, held = ends
    return compare_record({"without": runs_record(without), "with": runs_record(held)})


@pytest.mark.parametrize("variables", [1, 2])
def test_in_one_graph_the_empty_block_is_the_side_s_whose_update_does_not_run(variables):
    left, right = both_in_one_graph(variables).sides
    (block,) = [block.id for block in left.trace.graph.blocks if block.empty]
    assert left.marks == type(left.marks)((), (), (block,))
    names = named(right.trace)
    assert {names[id] for id in right.marks.nodes} >= {"Identity"}
    assert right.marks.blocks == ()


def test_a_comparison_has_two_sides():
    with pytest.raises(ValueError, match="two sides, not 1"):
        compare_record({"a": programs.traced(True)})


def branches():
    """A cond with an update in one branch and a read in the other, a fed predicate, a resource variable."""
    x = tf.Variable(1.0, use_resource=True)
    v = tf.Variable(2.0)
    p = tf.placeholder(tf.float32, (None,), name="p")
    choice = tf.cond(tf.reduce_sum(p) > 0.0, lambda: tf.assign_add(v, 5.0) * 1.0, lambda: x + v)
    with tf.control_dependencies([choice, tf.assign(x, 3.0)]):
        return tf.identity(choice, name="end"), p


def test_the_same_trace_is_the_same_record_in_every_process():
    y, p = branches()
    text = str(to_json(runs_record(y, {p: [1.0]}, runs=2)))
    assert " at 0x" not in text
    assert "<resource Variable>" in text
    tf.reset_default_graph()
    y, p = branches()
    assert str(to_json(runs_record(y, {p: [1.0]}, runs=2))) == text


@pytest.mark.parametrize("fed", [1.0, -1.0])
def test_a_step_consumes_what_an_earlier_step_produced(counters, fed):
    y, p = branches()
    for trace in (*(side.trace for side in counters.sides), runs_record(y, {p: [fed]})):
        for run in trace.runs:
            lying = set()
            for step in run.steps:
                assert set(step.consumed) <= lying
                lying -= set(step.consumed)
                assert not lying & set(step.produced)
                lying |= set(step.produced)
            assert not lying


def test_the_ready_queue_and_the_pending_counts_agree_with_the_steps(counters):
    for side in counters.sides:
        for run in side.trace.runs:
            pending, ready = dict(run.start.pending), list(run.start.ready)
            for step in run.steps:
                assert step.node in ready
                pending.update(step.pending)
                ready.remove(step.node)
                ready += [node for node, count in step.pending if count == 0]
                assert sorted(step.ready) == sorted(ready)
            assert not ready
            assert not any(pending.values())


def test_reasons_follow_the_edges_from_the_fetch(counters):
    trace = counters.sides[1].trace
    names = named(trace)
    whys = {names[reason.node]: reason.why for reason in (*trace.needed, *trace.pruned)}
    assert len(whys) == len(names)
    assert whys["Identity"].code == "fetched"
    assert whys["Variable/read"].code == "data"
    assert whys["AssignAdd"].code == "control"
    assert [names[id] for id in whys["one"].path] == ["Identity", "AssignAdd", "one"]
    assert whys["Variable/Assign"].code == "pruned"
    ids = {name: id for id, name in names.items()}
    text = why_text(trace.graph, ids["AssignAdd"], whys["AssignAdd"], "en")
    assert (
        text
        == "AssignAdd runs because Identity waits for it by a control edge. From the fetch: Identity → AssignAdd."
    )


def test_a_fed_tensor_is_a_step_of_its_own_and_what_is_above_it_is_pruned():
    graph = Graph()
    with graph.as_default():
        x = basic.placeholder(dtype=dtypes.float32, shape=(), name="x")
        above = basic.identity(basic.const(value=np.float32(1), dtype=dtypes.float32, name="c"), name="above")
        y = math.add(x, above, name="y")
    trace = trace_record(record(y, {x: 2.0, above: 5.0}))
    names = named(trace)
    (run,) = trace.runs
    assert [(names[step.node], step.outcome) for step in run.steps] == [
        ("x", "fed"),
        ("above", "fed"),
        ("y", "ran"),
    ]
    assert run.fetched[0].text == "7.0"
    assert len(run.steps[-1].consumed) == 2
    whys = {names[reason.node]: reason.why.code for reason in trace.pruned}
    assert whys == {"x": "fed", "above": "fed", "c": "pruned"}
    assert "was fed" in trace_text(trace, "en")


def test_a_failing_node_ends_the_trace_with_its_error():
    graph = Graph()
    with graph.as_default():
        state.variable_v2(shape=(), dtype=dtypes.float32, name="v")
        read = basic.identity(graph.get_tensor_by_name("v:0"), name="read")
    trace = trace_record(record(read, initialize=False))
    (run,) = trace.runs
    assert run.error
    assert run.steps[-1].outcome == "error"
    assert from_json(to_json(trace)) == trace
    text = trace_text(trace, "en")
    assert "failed" in text
    assert text.count("Attempting to use uninitialized value v") == 2
    assert "␊" not in text


def test_the_trace_as_text_is_a_table_of_steps(counters):
    text = trace_text(counters.sides[1].trace, "en")
    lines = [line.split() for line in text.splitlines()]
    assert ["2", "Variable/read", "ran", "0.0", "≡", "Variable", "one"] in lines
    assert "Variable 0.0 → 1.0" in text
    assert "Identity:0 = 3.0" in text
    assert "left out of this run: Variable/initial_value, Variable/Assign" in text
    assert "no node was made here" in trace_text(counters.sides[0].trace, "en")


def test_a_ready_node_that_a_queue_holds_back_is_not_among_those_that_can_run():
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(2, tf.int32, shapes=[[]], name="queue")
        fetches = [queue.enqueue_many([[1, 2, 3]], name="put"), queue.dequeue(name="taken")]
    trace = trace_record(record(fetches, runs=2))
    names = named(trace)
    lists = [([names[node] for node in step.ready], [names[node] for node in step.held]) for step in trace.runs[0].steps]
    assert lists == [
        (["put/component_0"], ["taken"]), (["put"], ["taken"]), (["taken"], ["put"]), (["put"], []), ([], []),
    ]  # fmt: skip
    # At the start of the second run there is room for nothing more, and something to take.
    assert [names[node] for node in trace.runs[1].start.held] == []
    assert "taken (held back: put)" in trace_text(trace, "en")
    assert from_json(to_json(trace)) == trace


@pytest.mark.parametrize("lang", ["en", "ko", "zh"])
def test_the_text_has_the_same_values_in_all_languages(counters, lang):
    text = text_of(counters, lang)
    for value in ("Variable 0.0 → 1.0", "Identity:0 = 3.0", "Variable/read"):
        assert value in text


def test_pictures_of_traces_show_results_and_pruned_nodes(counters):
    svg = trace_svg(counters.sides[1].trace, lang="en")
    assert "run 3: 3.0" in svg
    assert 'opacity="0.4"' in svg
    assert "the node&#x27;s turn in the run" in svg
    both = compare_svg(counters, lang="en")
    assert "without identity" in both
    assert "run 3: 0.0" in both
    assert "run 3: 3.0" in both
    assert 'class="tfedu-mark"' in both


def test_a_long_chains_trace_is_recorded_without_recursion_and_with_short_paths():
    graph = Graph()
    with graph.as_default():
        h = basic.const(value=np.float32(1), dtype=dtypes.float32)
        for _ in range(3000):
            h = basic.identity(h)
    trace = trace_record(record(h))
    assert len(trace.runs[0].steps) == 3001
    assert max(len(reason.why.path) for reason in trace.needed) < 100
