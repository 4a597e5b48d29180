"""Loops in the stories of models: a model that thinks as the engine does tells the engine's story, turn by turn."""

import pytest

import tfedu as tf
from tfedu import explain
from tfedu.explain.mental_models import story
from tfedu.explain.mental_models.graph_parts import order_of
from tfedu.explain.mental_models.story import Task, UnfinishedError, Walk, diverges, engine_stories, same


def counted():
    """i counts to 5, and x with it."""
    x = tf.Variable(0.0)

    def body(i):
        with tf.control_dependencies([tf.assign_add(x, 2.0)]):
            return i + 1

    return [tf.while_loop(lambda i: i < 5, body, [0]), x]


def branching():
    """A cond in a loop: another branch in every second iteration."""

    def body(i, total):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: total + 10.0, lambda: total * 2.0)

    return tf.while_loop(lambda i, total: i < 5, body, [0, 1.0])[1]


def nested():
    """A loop in a loop, the inner one with zero iterations at first."""

    def body(i, total):
        return i + 1, tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + 1.0), [0, total])[1]

    return tf.while_loop(lambda i, total: i < 4, body, [0, 0.0])[1]


def in_a_branch():
    """A loop on the branch that is not taken."""
    take = tf.constant(False)
    return tf.cond(take, lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0]), lambda: tf.constant(-1))


def gathered():
    return tf.map_fn(lambda v: v * v, tf.constant([1.0, 2.0, 3.0]))


def with_gradient():
    x = tf.constant(2.0)
    return tf.gradients(tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * x), [0, 1.0])[1], x)


PROGRAMS = pytest.mark.parametrize("program", [counted, branching, nested, in_a_branch, gathered, with_gradient])


@PROGRAMS
def test_the_walk_takes_the_turns_that_the_engine_takes(program):
    fetches = program()
    task = Task(fetches, runs=1)
    (real,) = engine_stories(task)
    walk = Walk(task.store(), task.fed)
    told = walk.run(order_of(task.graph, task.targets, task), task.tensors)
    assert [turn.name for turn in told.turns] == [turn.name for turn in real.turns]
    assert diverges([told], [real], task.tensors, len(task.graph.operations)) is None
    assert all(map(same, told.fetched, real.fetched))


@PROGRAMS
def test_every_model_has_an_answer(program):
    fetches = program()
    for model in explain.MODELS.values():
        assert len(model.predict(fetches, runs=2)) == 2
        model.diverges(fetches, runs=2)


def test_what_a_loop_that_never_ends_gives_is_not_known(monkeypatch):
    monkeypatch.setattr(story, "MOST_TURNS", 300)
    i = tf.while_loop(lambda i: i < 3, lambda i: i, [0])
    task = Task(i, runs=1)
    with pytest.raises(UnfinishedError, match="not known"):
        engine_stories(task)
    with pytest.raises(UnfinishedError, match="not known"):
        Walk(task.store(), task.fed).run(order_of(task.graph, task.targets, task), task.tensors)
    for asked in (
        lambda: explain.diagnose({"i": i}, {"i": ["error"]}, runs=1),
        lambda: explain.MODELS["M1"].predict(i),
        lambda: explain.MODELS["M6"].diverges(i),
    ):
        with pytest.raises(tf.errors.DeadlineExceededError, match="not known"):
            asked()
    assert [finding.code for finding in explain.lint()] == ["endless"]
