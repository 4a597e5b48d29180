"""The check of records in the npm package of elements beside Python's: both take what tfedu writes and refuse what is damaged."""

import copy
import json
import pathlib
import random
import subprocess

import pytest
from test_saved_records import MADE

import tfedu as tf
from tfedu.view.records import RecordError, from_json, to_json
from tfedu.widgets import GraphView, StepThrough

FRONT_END = pathlib.Path(__file__).parents[2] / "widgets"
PROGRAM = """
import { readFileSync } from "node:fs";
import { build } from "esbuild";
const options = { entryPoints: ["src/elements/check-record.ts"], bundle: true, format: "esm", write: false };
const { outputFiles } = await build(options);
const { problemOf } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(([kind, data]) => problemOf(data, kind))));
"""


def verdicts(cases):
    """What the package says of each (kind, data): None, or a problem."""
    command = ["node", "--input-type=module", "-e", PROGRAM]
    done = subprocess.run(command, cwd=FRONT_END, input=json.dumps(cases), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def records():
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        with tf.control_dependencies([tf.assign_add(x, 1)]):
            y = tf.identity(x, name="y")
        made = [to_json(make(y)._record) for make in MADE.values()]
        yield [*made, to_json(GraphView(looped().graph)._record), to_json(StepThrough(looped())._record)]


def looped():
    with tf.Graph().as_default():
        with tf.name_scope("deep"):
            return tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])


def places(data, at=()):
    """The way to each part of the data."""
    if at:
        yield at
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in items:
        yield from places(item, (*at, key))


def damaged(record, chance):
    """The record with one part missing, of another type, another number, or another text."""
    data = copy.deepcopy(record)
    *way, last = chance.choice([*places(record)])
    parent = data
    for key in way:
        parent = parent[key]
    kind = chance.randrange(5)
    if kind == 0:
        del parent[last]
    elif kind == 1:
        parent[last] = chance.choice([None, True, "text", 1.5, [], {}, [[1]], -1])
    elif isinstance(parent[last], int) and not isinstance(parent[last], bool):
        parent[last] += chance.choice([-1000, 1, 1000])
    elif isinstance(parent[last], str):
        parent[last] += "/x"
    elif isinstance(parent[last], list) and parent[last]:
        parent[last].append(parent[last][0])
    return data


def refuses(data):
    try:
        from_json(data)
    except RecordError:
        return True
    return False


def test_what_tfedu_writes_is_sound(records):
    assert verdicts([[record["kind"], record] for record in records]) == [None] * len(records)


def test_what_the_package_refuses_is_what_python_refuses(records):
    """Of damage to the shape the package finds all; of ids and counts, those that a picture stands on."""
    chance = random.Random(24)
    cases = [(record["kind"], damaged(record, chance)) for record in records for _ in range(60)]
    found = verdicts(cases)
    by_python = [refuses(data) for _, data in cases]
    assert not [case for case, one, python in zip(cases, found, by_python, strict=True) if one and not python]
    assert sum(by_python) > 300
    missed = sum(python and not one for one, python in zip(found, by_python, strict=True))
    assert missed < 0.06 * sum(by_python), f"{missed} of {sum(by_python)}"
    assert {problem["code"] for problem in found if problem} >= {"damaged_at", "older", "newer", "other_kind"}
