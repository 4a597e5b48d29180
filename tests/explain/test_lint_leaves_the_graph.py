"""lint only reads the user's graph: a finalized graph stays finalized and byte-identical, whatever happens meanwhile."""

from threading import Thread

import pytest

import tfedu as tf
from tfedu import explain
from tfedu.explain.lint.rules import known_values, training_mistakes


def with_broken_gradient_and_fed_constant():
    """A finalized graph of which lint repeats a call of gradients and infers shapes anew."""
    x = tf.Variable([1.0, 2.0], name="x")
    y = tf.cond(tf.placeholder(tf.bool), lambda: tf.stop_gradient(x), lambda: tf.zeros([2]))
    loops = tf.while_loop(lambda i, v: i < 3, lambda i, v: [i + 1, v * y], [0, tf.zeros([2])])
    assert tf.gradients(loops[1], [x]) == [None]
    size = tf.constant([4, 2])
    ones = tf.fill(size, 1.0)
    with tf.Session() as session:
        session.run(ones, {size: [4, 3]})
    graph = x.graph
    graph.finalize()
    return graph


def state_of(graph):
    constants = [(t.name, id(t._constant)) for op in graph.operations for t in op.outputs]
    contexts = [(op._context, op._context and sorted(t.name for t in op._context.visible)) for op in graph.operations]
    return graph.as_graph_def().SerializeToString(), constants, contexts, len(graph.history.gradients), graph.finalized


def codes(findings):
    return {finding.code for finding in findings}


def test_a_finalized_graph_stays_as_it_was():
    graph = with_broken_gradient_and_fed_constant()
    first = explain.lint(graph)  # caches known values
    assert {"gradient_none", "fed_constant"} <= codes(first)
    before = state_of(graph)
    again = explain.lint(graph)
    assert state_of(graph) == before
    assert graph.finalized
    assert [finding.text() for finding in again] == [finding.text() for finding in first]
    assert all(op.graph is graph for finding in again for op in finding.nodes)


@pytest.mark.parametrize(("module", "name"), [(training_mistakes, "recorded_gradients"), (known_values, "infer_shapes")])
def test_a_graph_stays_as_it_was_when_lint_raises(monkeypatch, module, name):
    graph = with_broken_gradient_and_fed_constant()
    explain.lint(graph)
    before = state_of(graph)

    def fail(*args):
        raise MemoryError("no more")

    monkeypatch.setattr(module, name, fail)
    with pytest.raises(MemoryError):
        explain.lint(graph)
    assert state_of(graph) == before


@pytest.mark.parametrize(("module", "name"), [(training_mistakes, "recorded_gradients"), (known_values, "infer_shapes")])
def test_another_thread_finds_the_graph_finalized_while_lint_works(monkeypatch, module, name):
    graph = with_broken_gradient_and_fed_constant()
    explain.lint(graph)
    before = state_of(graph)
    seen = []

    def look():
        seen.append(state_of(graph) == before)
        with graph.as_default(), pytest.raises(RuntimeError, match="finalized"):
            tf.constant(1.0)
        seen.append(state_of(graph) == before)

    real = getattr(module, name)

    def watched(*args):
        result = real(*args)  # what it has changed must not be visible either
        thread = Thread(target=look)
        thread.start()
        thread.join(10)
        assert not thread.is_alive()
        return result

    monkeypatch.setattr(module, name, watched)
    explain.lint(graph)
    assert seen
    assert all(seen)
    assert state_of(graph) == before


def test_gradients_in_a_copy_with_contexts_are_those_of_the_original():
    x = tf.placeholder(tf.float32)

    def body(i, v):
        _, inner = tf.while_loop(lambda j, w: j < 2, lambda j, w: [j + 1, w * v], [0, v])
        return [i + 1, tf.cond(v > 4.0, lambda: v * 2.0, lambda: inner)]

    _, y = tf.while_loop(lambda i, v: i < 3, body, [0, x])
    copies = [explain.copied(x.graph, contexts=True)]
    (expected,) = tf.gradients(y, [x])
    copies.append(explain.copied(x.graph, contexts=True))  # with the loop of a gradient
    with tf.Session() as session:
        want = session.run(expected, {x: 1.5})
    for copy in copies:
        with copy.graph.as_default():
            (gradient,) = tf.gradients(copy.of(y), [copy.of(x)])
            assert tf.Session().run(gradient, {copy.of(x): 1.5}) == want
