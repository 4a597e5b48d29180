"""What a trace tells of loops, and a record of one that the front end's tests read: tests/golden/loop_trace.json.

After a wanted change of records, write it anew with `PYTHONPATH=. python tests/view/test_shared_loop_trace.py`.
"""

import json
from pathlib import Path

import tfedu as tf
from tfedu.view.make.scratch_runs import runs_record
from tfedu.view.records import to_json

SHARED = Path(__file__).parents[1] / "golden" / "loop_trace.json"


def nested():
    """For i in 0, 1: for j in range(i): total += 1."""

    def body(i, total):
        return i + 1, tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + 1.0), [0, total], name="inner")[1]

    with tf.Graph().as_default():
        return tf.while_loop(lambda i, total: i < 2, body, [0, 0.0], name="outer")[1]


def record():
    """The trace as JSON; where its lines stand is of no matter."""
    data = to_json(runs_record(nested(), runs=1))
    for node in data["graph"]["nodes"]:
        node["site"] = None
    data["graph"]["codes"] = []
    return json.loads(json.dumps(data))


def test_the_shared_trace_is_the_one_of_today():
    assert json.loads(SHARED.read_text("utf-8")) == record()


def test_a_step_has_the_loops_around_it_and_their_iterations():
    steps = runs_record(nested(), runs=1).runs[0].steps
    outer = [step.iteration for step in steps if step.frame == "outer/while_context"]
    inner = [step.iteration for step in steps if step.frame == "outer/while_context/outer/inner/while_context"]
    assert sorted(set(outer)) == [(0,), (1,), (2,)]  # two that go on, and the one that ends the loop
    assert {(0, 0), (1, 0), (1, 1)} <= set(inner)
    assert all(step.frame or not step.iteration for step in steps)


if __name__ == "__main__":
    SHARED.write_text(json.dumps(record(), indent=1, sort_keys=True) + "\n", "utf-8")
