"""Every op type refuses bad calls with the oracle's error class and text, the line and the inputs; the graph stays as it was."""

import importlib
import json
import pathlib
import pkgutil
import re

import bad_input
import harness
import numpy as np
import pytest

import tfedu as tf

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "bad_input.json"
RECORDS = json.loads(GOLDEN.read_text(encoding="utf-8"))["records"]


def callers():
    """Op type -> the function that makes a node of it."""
    package = importlib.import_module("tfedu.engine.ops")
    importlib.import_module("tfedu")
    found = {}
    for module in pkgutil.iter_modules(package.__path__, "tfedu.engine.ops."):
        for value in vars(importlib.import_module(module.name)).values():
            definition = getattr(value, "definition", None)
            if callable(value) and hasattr(definition, "type"):
                found[definition.type] = value
    return found


CALLERS = callers()

# Op types that have no sample, with the reason.
NO_SAMPLE = {
    **bad_input.NOT_ASKED,
    "DestroyTemporaryVariable": "it takes the reference of a temporary variable, which lives within one run",
    "RefMerge": "it takes what a switch has left alive",
}

# (op type, bad call) -> why tfedu's answer differs from the oracle's.
UNLIKE = {
    ("Assert", "condition: an object"): "an empty dict counts as False, and the assertion itself speaks",
    ("DynamicStitch", "indices: last negative"): "TF says 0 for a bad index of list 1",
    ("GatherNd", "indices: negative"): "which of several bad rows TF tells depends on its threads",
    ("GatherNd", "indices: large"): "the same",
    ("GatherV2", "axis: negative"): "2.15 infers shapes once more before a run, and words it as a shape error",
    ("GatherV2", "axis: large"): "the same",
    ("MatrixTriangularSolve", "matrix: a scalar"): "2.15 broadcasts the batches, and words it otherwise",
    ("MatrixTriangularSolve", "matrix: longer"): "the same",
    ("MatrixTriangularSolve", "matrix: empty"): "the same",
    ("MatrixTriangularSolve", "matrix: one axis more"): "the same",
    ("MatrixTriangularSolve", "rhs: a scalar"): "the same",
    ("MatrixTriangularSolve", "rhs: longer"): "the same",
    ("MatrixTriangularSolve", "rhs: empty"): "the same",
    ("MatrixTriangularSolve", "rhs: one axis more"): "the same",
    ("ParallelConcat", "values: last one axis more"): "the shapes are named in the other order",
    ("ParallelDynamicStitch", "indices: last negative"): "the same",
    ("RandomGamma", "shape: a scalar"): "2.15 prints the tensor instead of its shape",
    ("RandomGamma", "shape: one axis more"): "the same",
    ("ResourceGather", "batch_dims: half"): "TF does not look whether the batches fit",
    ("ScatterNd", "updates: one axis more"): "2.15 does not know the constant shape there",
    ("ScatterNd", "shape: longer"): "the same",
    ("StringJoin", "inputs: empty list"): "1.15 wants one input at least, 2.15 none",
    ("UnravelIndex", "indices: negative"): "2.15 does not look, and gives places that are not there",
}

_SCATTERED = ("Add", "Div", "Max", "Min", "Mul", "Sub", "Update")
UNLIKE.update(
    {
        (f"ResourceScatter{how}", label): "1.15 asks for indices.shape + params.shape[1:], 2.15 for a prefix"
        for how in _SCATTERED
        for label in ("indices: longer", "indices: empty", "updates: longer", "updates: empty")
    }
)
UNLIKE.update(
    {
        (op_type, "value: one axis more"): "TF leaves out leading axes of 1 of the value"
        for op_type in ("StridedSliceAssign", "ResourceStridedSliceAssign")
    }
)


def recorded_answers(answers, label):
    """The oracle's answers: to constant inputs and to fed ones."""
    answer = answers.get(label)
    return (answer["known"], answer["fed"]) if isinstance(answer, dict) else (answer, answer)


def wrong_answers(op_type):
    """Every bad call of the type to which tfedu answers otherwise than the oracle."""
    import tfedu as tf

    found = []
    record = RECORDS[op_type]
    for label, call in bad_input.bad_calls(op_type, record["sample"]).items():
        if (op_type, label) in UNLIKE:
            continue
        for known, expected in zip((True, False), recorded_answers(record["answers"], label), strict=True):
            where = f"{op_type}, {label}, {'known' if known else 'fed'}"
            got = bad_input.answer(tf, op_type, call, known, CALLERS[op_type])
            if (got is None) != (expected is None):
                mine = None if got is None else f"{got.classes[0]}: {got.text}"
                found.append(f"{where}: expected {expected}\n    got {mine}")
            elif got is not None:
                in_our_names = in_op_names(expected, record.get("renamed", {}))
                found += differences(in_our_names, got, label, where)
    return found


def in_op_names(expected, renamed):
    """The oracle's answer, with arguments named as in the op registry instead of as in its generated functions."""
    text = expected[1]
    for own, theirs in renamed.items():
        texts = [t.replace(f"'{theirs}'", f"'{own}'") for t in (text if isinstance(text, list) else [text])]
        text = texts if isinstance(text, list) else texts[0]
    return [expected[0], text, expected[2]]


def differences(expected, got, label, where):
    found = []
    name, text, when = expected
    if name not in got.classes or when != got.when:
        found.append(f"{where}: expected {expected}\n    got {got.classes[0]} {got.when}: {got.text}")
    elif not label.endswith((": missing", "unexpected")):
        # These texts name the function, and TF names its generated one.
        texts = [_comparable(t) for t in (text if isinstance(text, list) else [text])]
        error = {"@error": [name], "text": texts}
        found += harness._error_differences(error, {"@error": got.classes, "text": _comparable(got.text)}, where)
    if not got.untouched:
        found.append(f"{where}: the failed call left something in the graph")
    if got.when == "run" and got.op is None:
        found.append(f"{where}: no node is named")
    return found


def _comparable(text):
    """The text without the parts that differ between releases of Python and NumPy."""
    head, separator, _ = text.partition(" instead. Error: ")
    return head + separator if "passed to parameter" in head else text


@pytest.mark.parametrize("op_type", sorted(set(RECORDS) & set(CALLERS)))
def test_bad_calls_are_refused_as_in_tf(op_type):
    found = wrong_answers(op_type)
    assert not found, "\n".join(found[:20])


def test_every_op_type_of_the_language_has_bad_calls():
    language = {op for op in CALLERS if bad_input.AREAS.get(op) == "language"}
    missing = language - set(RECORDS) - set(NO_SAMPLE)
    assert sorted(missing) == [], "give it a row, then tools/oracle/record.py bad_input"


def test_every_reason_has_its_call():
    for op_type, label in UNLIKE:
        assert label in bad_input.bad_calls(op_type, RECORDS[op_type]["sample"])


@pytest.mark.parametrize("op_type", ["AddV2", "Concat", "Reshape", "Select", "SplitV", "VariableV2"])
def test_a_refusal_names_the_line_and_the_inputs(op_type):
    import tfedu as tf

    refusals = with_line = 0
    for label, call in bad_input.bad_calls(op_type, RECORDS[op_type]["sample"]).items():
        found = bad_input.answer(tf, op_type, call, True, CALLERS[op_type])
        if found is not None:
            refusals += 1
            with_line += "\n  where: " in found.whole
            assert "\n  where: " in found.whole, (label, found.whole)
            shaped = re.search(r"with input shapes: (?=\[|\?)", found.text)
            assert not shaped or "\n  input 0: " in found.whole, (label, found.whole)
    assert refusals >= 3
    assert with_line == refusals


@pytest.mark.parametrize("number", [1 << 63, -(1 << 63) - 1, 1 << 80])
def test_numbers_that_no_message_of_an_attribute_holds_are_refused_as_in_tf(number):
    with tf.Graph().as_default() as graph:
        with pytest.raises(ValueError, match=rf"^Value out of range: {number}"):
            tf.one_hot([1], 3, axis=number)
        if number > 0:
            with pytest.raises(ValueError, match=rf"^Error converting shape to a TensorShape: Value out of range: {number}"):
                tf.placeholder(tf.float32, [2, number])
        assert np.isinf(tf.nn.leaky_relu(tf.zeros([1]), alpha=1e60).op.get_attr("alpha"))
        graph.as_graph_def()
