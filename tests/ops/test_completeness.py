"""The op tables are complete: tfedu has each op type of TF's area "language", and each has a row in a test.

Measured against the oracle's registry: tests/golden/op_areas.csv gives each of its op types an area.
"""

import csv
import importlib
import json
import pathlib

import cases
import harness

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
with (GOLDEN / "op_areas.csv").open(encoding="utf-8", newline="") as rows:
    AREAS = {row["op"]: row["area"] for row in csv.DictReader(rows)}

# Area -> its contents.
MEANING = {
    "language": "arrays, math, linear algebra, segments, sets, strings, checks, random, sparse, state",
    "gradients": "only gradients make them",
    "control flow": "loops, functions, tensor arrays and lists",
    "queues": "queues, barriers, accumulators, stages",
    "data": "datasets, iterators, parsing of examples",
    "io": "readers, checkpoints, files, protos",
    "nn": "convolution, pooling, normalisation, losses, sampling of candidates",
    "rnn": "fused recurrent cells",
    "image": "images",
    "audio": "sound",
    "training": "the optimizers' updates",
    "summary": "summaries",
    "lookup": "tables",
    "quantized": "quantized numbers",
    "estimator": "boosted trees, k-means, SDCA",
    "experimental": "tf.random.experimental",
    "internal": "made by TF's own rewrites, without a public function",
    "removed": "TF 1.15 itself refuses to build them",
    "after 1.15": "newer than 1.15",
    "never": "other devices, other compilers, TF's own tests",
}

# Op types of tfedu that are newer than 1.15, with the reason.
NEWER = {"StatelessRandomUniformFullInt": "what tf.random.stateless_uniform makes of integers without bounds"}


def ours():
    importlib.import_module("tfedu")
    return set(importlib.import_module("tfedu.engine.op.define").REGISTRY.whole()) - harness.OF_CONTRIB


def types_of_rows():
    """Every op type that some row builds under tfedu."""
    import tfedu as tf

    found = set()
    for family in cases.load().values():
        for row in family.values():
            with tf.Graph().as_default() as graph:
                fed = [tf.placeholder(cases.dtype_of(tf, i), i.shape) for i in row.inputs]
                harness.attempt(lambda row=row, fed=fed: row.ready(tf)(*fed))
                found.update(op.type for op in graph.get_operations())
    return found


def test_every_op_type_of_tf_has_an_area():
    types = json.loads((GOLDEN / "op_registry.json").read_text(encoding="utf-8"))["ops"]
    assert sorted(AREAS) == sorted(types)
    assert set(AREAS.values()) == set(MEANING)


def test_tfedu_has_every_op_type_of_the_language():
    missing = {op for op, area in AREAS.items() if area == "language"} - set(ours())
    assert sorted(missing) == []


def test_tfedu_has_no_op_type_that_1_15_lacks():
    assert {op for op in ours() if AREAS[op] in ("after 1.15", "removed")} == set(NEWER)


def test_every_op_type_of_the_language_has_a_row():
    # The tests of gradients and optimizers cover the op types that only they create.
    missing = {op for op in ours() if AREAS[op] == "language"} - types_of_rows()
    assert sorted(missing) == []
