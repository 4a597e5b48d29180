"""A copy of a graph runs as the original does, and neither sees what is done to the other."""

import numpy as np
from hypothesis import HealthCheck, given, settings

import tfedu as tf
from tests.explain.programs import with_identity
from tests.property.programs import programs
from tfedu import explain
from tfedu.explain.mental_models.story import Task, engine_stories, same


def test_a_copy_has_the_same_nodes_edges_blocks_and_variables():
    x, up, y = with_identity(False)
    copy = explain.copied(x.graph)
    for old, new in zip(x.graph.operations, copy.graph.operations, strict=True):
        assert (old.id, old.name, old.type, old.attrs) == (new.id, new.name, new.type, new.attrs)
        assert [copy.of(t) for t in old.inputs] == list(new.inputs)
        assert [copy.of(op) for op in old.control_inputs] == list(new.control_inputs)
        assert [copy.of(op) for op in old.control_outputs] == new.control_outputs
        assert new.graph is copy.graph
    (block,) = copy.graph.blocks
    assert block.control_inputs == (copy.of(up.op),)
    assert copy.of(y.op) in block.created
    (variable,) = copy.graph.get_collection("variables")
    assert variable is not x
    assert variable.initializer is copy.of(x.initializer)


def test_changes_of_a_copy_leave_the_original_alone():
    x, up, y = with_identity(False)
    size = len(x.graph.operations)
    copy = explain.copied(x.graph)
    copy.graph.remove_control_input(copy.of(y.op), copy.of(up.op))
    with copy.graph.as_default():
        tf.constant(1.0)
    assert y.op.control_inputs == [up.op]
    assert len(x.graph.operations) == size
    session = tf.Session(graph=copy.graph)
    session.run(copy.of(x.initializer))
    assert session.run(copy.of(y)) == np.float32(0.0)


def test_a_copy_of_a_finalized_graph_can_be_changed():
    y = tf.constant(1.0)
    y.graph.finalize()
    copy = explain.copied(y.graph)
    with copy.graph.as_default():
        assert tf.Session().run(copy.of(y) + 1.0) == 2.0


def test_names_stay_unique_in_a_copy():
    y = tf.constant(1.0)
    copy = explain.copied(y.graph)
    with copy.graph.as_default():
        assert tf.constant(1.0).name == "Const_1:0"


@settings(
    max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
@given(programs())
def test_a_copy_gives_what_the_original_gives(program):
    task = Task(program.fetches, program.feed_dict)
    copy = explain.copied(program.graph)
    fetches = [copy.of(e) for e in (*task.tensors, *task.operations)]
    again = Task(fetches, {copy.of(t): value for t, value in task.fed.items()})
    for one, other in zip(engine_stories(task), engine_stories(again), strict=True):
        assert [turn.id for turn in one.turns] == [turn.id for turn in other.turns]
        assert all(same(a, b) for a, b in zip(one.fetched, other.fetched, strict=True))
