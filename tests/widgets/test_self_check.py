"""Questions that carry their answers: the page judges a prediction as Python does."""

import json
import pathlib
import subprocess

import numpy as np
import pytest

import tfedu as tf
from tfedu.explain import diagnose
from tfedu.explain.mental_models.diagnose import agrees, literal, text_of
from tfedu.explain.mental_models.story import Failure
from tfedu.view.records import RecordError, from_json, to_json
from tfedu.widgets import Predict, SelfCheck

FRONT_END = pathlib.Path(__file__).parents[2] / "widgets"
PROGRAM = """
import { readFileSync } from "node:fs";
import { build } from "esbuild";
const options = { entryPoints: ["src/panels/answer-check.ts"], bundle: true, format: "esm", write: false };
const { outputFiles } = await build(options);
const { agrees, judged } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
const { cases, questions } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify([cases.map((each) => agrees(...each)), questions.map((each) => judged(...each))]));
"""

VALUES = [
    np.float32(0.1), np.float32(1.0), np.float64(1e300), np.float32("nan"), np.float32("-inf"), np.int32(3), np.int64(2**62 + 1),
    np.True_, np.array([1.0, 2.0], np.float32), np.array([[1, 2], [3, 4]]), np.array([True, False]), np.array([]), b"abc", "abc",
    b"\xff'\"\\", None, [np.float32(1.0), np.int32(2)], (np.float32(1.0),), {"a": np.float32(1.0), "b": np.int32(2)}, [],
    np.array([b"a"], object), np.complex64(1 + 2j), Failure("InvalidArgumentError", "no"), np.array([np.nan, 1.0]),
]  # fmt: skip
WRITTEN = [
    "", "0.1", ".1", "0.10001", "0.2", "1", "1.0", "1.", "+1", "1e300", "1e0", "nan", "NaN", "-inf", "−inf",
    "inf", "3", "3.0", "03", "3_0", "1__0", "4611686018427387905", "4611686018427387904", "True", "true",
    "False", "0", "[1, 2]", "[1.0, 2.0]", "(1, 2)", "1, 2", "[1, 2,]", "[1 2]", "[[1, 2], [3, 4]]",
    "[[1,2],[3,4]", "[True, False]", "[1, 0]", "[]", "()", "abc", "'abc'", '"abc"', "b'abc'", "'ab\\x63'",
    "None", "none", "(1)", "(1,)", "[1]", "{'a': 1, 'b': 2}", "{'a': 1, 'c': 2}", "{1, 2}", "['a']", "1+2j",
    "error", "Err", "오류", "报错", "InvalidArgumentError", "[nan, 1.0]", "１．０", " 1.0 ", "[" * 900, "x" * 2000,
    "1e", "--1", "1 2",
]  # fmt: skip


def in_the_page(cases=(), questions=()):
    command = ["node", "--input-type=module", "-e", PROGRAM]
    given = json.dumps({"cases": [*cases], "questions": [*questions]})
    done = subprocess.run(command, cwd=FRONT_END, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def asked():
    with tf.Graph().as_default():
        x = tf.Variable(0.0)
        bump = tf.assign_add(x, 1)
        with tf.control_dependencies([bump]):
            same, copied = x.value(), tf.identity(x)
        yield Predict({"without": same, "with": copied}, title="</script><b>")


def test_a_page_reads_a_prediction_as_python_does():
    shown = [(written, text_of(value), literal(value)) for value in VALUES for written in (*WRITTEN, text_of(value))]
    by_python = [agrees(written, value) for value in VALUES for written in (*WRITTEN, text_of(value))]
    by_page, _ = in_the_page(shown)
    differ = [case for case, one, other in zip(shown, by_python, by_page, strict=True) if one != other]
    # A complex value is compared as text alone.
    assert differ == [("1+2j", text_of(np.complex64(1 + 2j)), "?")]
    assert sum(by_python) > 80


def test_the_answer_beside_a_prediction_is_that_of_python(asked):
    record = asked.self_check()._record
    for draft in ({}, {"t1": ["1", "2", "3"], "t2": ["1.0", "2", "3"]}, {"t1": ["0", "0", "0"]}, {"t2": ["error", "x", "9"]}):
        _, (judged,) = in_the_page(questions=[[to_json(record), draft]])
        asked.draft = draft
        python = diagnose(asked._keyed, asked.predictions(), **asked._conditions)
        assert judged["targets"] == to_json(python)["targets"]
        assert judged["compare"] == to_json(record.answer)["compare"]


def test_its_record_is_read_back_and_a_foreign_answer_is_refused(asked):
    data = to_json(asked.self_check()._record)
    assert from_json(data) == asked.self_check()._record
    with pytest.raises(RecordError, match="those of the question"):
        from_json({**data, "answer": {**data["answer"], "targets": []}})
    with pytest.raises(RecordError, match="a literal for each run"):
        from_json({**data, "keys": [{**key, "actual": ["1"]} for key in data["keys"]]})
    with pytest.raises(RecordError, match="one for each target"):
        from_json({**data, "keys": []})


def test_its_page_and_its_element_have_the_answer_and_its_picture_does_not(asked, tmp_path):
    check = asked.self_check()
    assert isinstance(check, SelfCheck)
    assert check.save(tmp_path / "page.html").stat().st_size > 10_000
    assert "model" not in check.svg()
    assert check.svg() == asked.svg()
    element = check.element()
    assert element.startswith("<tfedu-predict heading=")
    assert element.count("</script>") == 1
    with pytest.raises(ValueError, match="self_check"):
        tf.export_html(asked, tmp_path / "open.html")
