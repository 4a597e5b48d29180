"""What Python sends of a run with forks and breakpoints, which the front end's tests read: tests/golden/forked_race.json.

After a wanted change of records, write it anew with `PYTHONPATH=. python tests/widgets/test_shared_forks.py`.
"""

import json
from pathlib import Path

import tfedu as tf
from tfedu.widgets import StepThrough

SHARED = Path(__file__).parents[1] / "golden" / "forked_race.json"
TRAITS = ("record", "branch_1", "branch_2", "branch_3", "branches", "leaves", "breaks")


def state():
    """Two runs of the race, and three forks; where its lines stand is of no matter."""
    with tf.Graph().as_default():
        a = tf.Variable(1.0, name="a")
        c = tf.add(a, 2, name="c")
        update = tf.assign(a, 5, name="update")
    steps = StepThrough([update, c], runs=2, breaks=["update", "> 6"])
    steps.fork(0, 3, choose="update/value")
    steps.fork(0, 4, choose="update")
    steps.fork(1, 3, add_control=(update, c), timeline=1)
    sent = json.loads(json.dumps({name: value for name, value in steps.get_state().items() if name in TRAITS}))
    lines = {"a": 1, "c": 2, "u": 3}
    listed = ["line 1", "line 2", "line 3"]
    sent["record"]["graph"]["codes"] = [{"place": "Cell In[1]", "first": 1, "lines": listed}]
    for node in sent["record"]["graph"]["nodes"]:
        line = lines[node["name"][0]]
        node["site"] = {"label": f"Cell In[1], line {line}", "line": line, "source": f"line {line}"}
    return sent


def test_the_shared_state_is_the_one_of_today():
    assert json.loads(SHARED.read_text("utf-8")) == state()


if __name__ == "__main__":
    SHARED.write_text(json.dumps(state(), indent=1, sort_keys=True) + "\n", "utf-8")
