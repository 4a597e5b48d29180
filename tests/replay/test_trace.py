"""A trace notes the turns of a run with their iterations, and its text repeats the run."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.replay.trace import record
from tfedu.engine.runtime import schedule as schedules


def test_a_trace_comes_with_the_run_metadata():
    x = tf.Variable(0.0)
    y = tf.assign_add(x, 1.0)
    session = tf.Session()
    session.run(x.initializer)
    metadata = tf.RunMetadata()
    session.run(y, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    (run,) = metadata.trace.runs
    assert [step.op.name for step in run.steps] == [op.name for op in metadata.trace.schedule.order]
    assert run.steps[-1].writes == (("Variable", np.float32(0), np.float32(1)),)


def iterations(run):
    """The iteration of each step that lies in a loop."""
    return [step.iteration for step in run.steps if step.iteration]


def test_the_default_order_is_iteration_by_iteration():
    def body(i, total):
        return i + 1, total + tf.while_loop(lambda j: j < 2, lambda j: j + 1, [0])

    _, last = tf.while_loop(lambda i, total: i < 2, body, [0, 0])
    run = record(last, runs=1).runs[0]
    assert run.fetched == [4]
    outer = [path[0] for path in iterations(run)]
    inner = [path for path in iterations(run) if len(path) == 2]
    assert outer == sorted(outer)
    assert inner == sorted(inner)
    # In the last iteration of the outer loop the inner loop is dead, and so has one iteration.
    assert set(inner) == {(i, j) for i in (0, 1) for j in (0, 1, 2)} | {(2, 0)}
    assert all(step.outcome == "dead" for step in run.steps if step.iteration == (2, 0))
    assert {step.frame for step in run.steps} == {
        "", "while/while_context", "while/while_context/while/while/while_context"
    }  # fmt: skip


def test_no_more_iterations_overlap_than_parallel_iterations_allows():
    def most_overlapping(parallel, seed):
        tf.reset_default_graph()

        def body(i, total):
            # A long chain: the counter runs ahead of it.
            slow = i
            for _ in range(12):
                slow = tf.identity(slow)
            return i + 1, total + slow * slow

        _, total = tf.while_loop(lambda i, total: i < 8, body, [0, 0], parallel_iterations=parallel)
        run = record(total, policy=schedules.random(seed)).runs[0]
        assert run.fetched == [140]
        numbers = [path[0] for path in iterations(run)]
        last_turn = {number: turn for turn, number in enumerate(numbers)}
        oldest_unfinished = [min(n for n in last_turn if last_turn[n] >= turn) for turn in range(len(numbers))]
        return max(number - oldest for number, oldest in zip(numbers, oldest_unfinished, strict=True)) + 1

    assert {most_overlapping(1, seed) for seed in range(4)} == {1}
    assert {most_overlapping(3, seed) for seed in range(4)} == {3}
    assert max(most_overlapping(10, seed) for seed in range(4)) > 3


def test_the_text_of_a_random_run_repeats_its_turns():
    _, total = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + i), [0, 0])
    first = record(total, policy=schedules.random(7)).runs[0]
    again = record(total, policy=schedules.policy_of(first.text)).runs[0]
    assert first.text == again.text
    assert again.fetched == [3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not ready"):
        tf.Session(schedule=" ".join(reversed(first.text.split()))).run(total)
