"""Loops, branches and tensor arrays in each other give what the same program gives in Python: interpreted, compiled, and in any
order that the graph allows."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tfedu as tf
from tests.property.array_programs import Nodes, Plain, Program

SAMPLE = settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
LONG = settings(SAMPLE, max_examples=2_000, derandomize=False)


def check(seed: int, inputs: tuple[int, int], order: int, count: Counter) -> None:
    program = Program(seed)
    count.update(program.kinds)
    plain = Plain()
    expected = program(plain, inputs)
    told = [expected.numbers, [list(array) for array in expected.arrays], expected.counts, 0]
    with tf.Graph().as_default() as graph:
        fed = [tf.placeholder(tf.int32, []) for _ in inputs]
        effects = tf.Variable(0, use_resource=True, name="effects")
        numbers, arrays, counts, waiting = program(Nodes(effects), fed)
        fetches = [numbers, [array.gather(tf.range(0, n)) for array, n in zip(arrays, counts)], counts, waiting]
    feed = dict(zip(fed, inputs))
    for schedule, interpreted in ((None, False), (None, True), (f"random({order})", True)):
        with tf.Session(graph=graph, schedule=schedule) as session:
            session.interpreted = interpreted
            session.run(effects.initializer)
            for run in (1, 2):
                values = session.run(fetches, feed)
                given = [list(values[0]), [list(array) for array in values[1]], list(values[2]), values[3]]
                assert given == told, (seed, inputs, order)
                assert session.run(effects) == run * plain.effects, (seed, inputs, order)
            if not interpreted:
                has_loop = any(op.type == "Enter" for op in graph.get_operations())
                signature = session.prepare(fetches, feed).signature
                count["compiled" if signature.is_compiled else "not compiled"] += 1
                count["with loops"] += has_loop


def test_a_program_of_arrays_in_loops_gives_what_python_gives():
    count = Counter()

    @SAMPLE
    @given(st.integers(0, 10**9), st.tuples(st.integers(0, 9), st.integers(0, 9)), st.integers(0, 1000))
    def law(seed, inputs, order):
        check(seed, inputs, order, count)

    law()
    assert count["compiled"] >= 0.95 * (count["compiled"] + count["not compiled"])
    assert count["with loops"] > 30
    assert {kind for kind, times in count.items() if times} >= {
        "loop", "branch", "append", "own_array", "mapping", "effect", "unused", "assign",
    }  # fmt: skip


@pytest.mark.long
def test_many_more_programs_of_arrays_in_loops_give_what_python_gives():
    count = Counter()

    @LONG
    @given(st.integers(0, 10**9), st.tuples(st.integers(0, 9), st.integers(0, 9)), st.integers(0, 1000))
    def law(seed, inputs, order):
        check(seed, inputs, order, count)

    law()
    assert count["compiled"] >= 0.95 * (count["compiled"] + count["not compiled"])
