"""A record of a run with a cond and a tensor array, which the front end's tests read: tests/golden/branch_trace.json.

After a wanted change of records, write it anew with `PYTHONPATH=. python tests/view/test_shared_branch_trace.py`.
"""

import json
from pathlib import Path

import tfedu as tf
from tfedu.view.make.scratch_runs import runs_record
from tfedu.view.records import to_json

SHARED = Path(__file__).parents[1] / "golden" / "branch_trace.json"


def traced():
    """take ? x + 1 : x * 2, in a branch of its own where x > 0; and an array whose loop writes 0.0 and 1.0."""
    with tf.Graph().as_default():
        take = tf.placeholder(tf.bool, [], name="take")
        x = tf.constant(3.0, name="x")
        y = tf.cond(take, lambda: tf.cond(x > 0.0, lambda: x + 1.0, lambda: x - 1.0), lambda: x * 2.0)
        array = tf.TensorArray(tf.float32, 2)
        array = tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a.write(i, tf.to_float(i))), [0, array])[1]
        return runs_record([y, array.stack()], {take: False}, runs=1)


def record():
    """The trace as JSON; where its lines stand is of no matter."""
    data = to_json(traced())
    for node in data["graph"]["nodes"]:
        node["site"] = None
    data["graph"]["codes"] = []
    return json.loads(json.dumps(data))


def test_the_shared_trace_is_the_one_of_today():
    assert json.loads(SHARED.read_text("utf-8")) == record()


if __name__ == "__main__":
    SHARED.write_text(json.dumps(record(), indent=1, sort_keys=True) + "\n", "utf-8")
