"""Records of outcomes and of reasons, which the front end's tests read: tests/golden/outcomes.json.

After a wanted change of records, write them anew with `PYTHONPATH=. python tests/explain/test_shared_outcomes.py`.
"""

import json
from pathlib import Path
from typing import Any

import tfedu as tf
from tfedu.explain.explained_run import ExplainedRun
from tfedu.explain.orders.outcome_records import Explorer
from tfedu.view.records import to_json

SHARED = Path(__file__).parents[1] / "golden" / "outcomes.json"


def records() -> dict[str, Any]:
    """A race, the same on a copy in which it is fixed, why a node runs, and what feeding it gives."""
    with tf.Graph().as_default():
        a = tf.Variable(1.0, name="a")
        c = tf.add(a, 2.0, name="c")
        fetches = [tf.assign(a, 5.0, name="write"), c]
        explorer, program = Explorer(fetches), ExplainedRun(fetches)
        race = explorer.record()
        (pair,) = [(race.first, race.second) for race in race.races]
        waiting = tf.identity(tf.placeholder(tf.float32, [], name="p"), name="waiting")
        found = {
            "race": race,
            "fixed": explorer.record([pair]),
            "reason": program.why(c.op.id),
            "needing": program.why(waiting.op.id),
            "tried": program.tried(c.op.id, 0),
        }
    data = json.loads(json.dumps({name: to_json(record) for name, record in found.items()}))
    todo = [data]
    while todo:  # where the lines stand is of no matter
        item = todo.pop()
        if isinstance(item, dict):
            item.update({name: empty for name, empty in (("site", None), ("codes", [])) if name in item})
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return data


def test_the_shared_outcomes_are_those_of_today():
    assert json.loads(SHARED.read_text("utf-8")) == records()


if __name__ == "__main__":
    SHARED.write_text(json.dumps(records(), indent=1, sort_keys=True) + "\n", "utf-8")
