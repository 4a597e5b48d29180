"""What lint finds as a record: JSON, text, picture, and the widget that asks for what is around the later findings.

tests/golden/lint.json is read by widgets/test/widgets/lint.test.ts too. After a wanted change of records, write it anew with
`PYTHONPATH=. python tests/explain/test_lint_record.py`.
"""

import json
import linecache
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import tfedu as tf
from tfedu import explain
from tfedu.explain.lint.lint import findings_of
from tfedu.view.messages import LANGUAGES
from tfedu.view.record_kinds import picture, text_of
from tfedu.view.records import RecordError, from_json, to_json

SHARED = Path(__file__).parents[1] / "golden" / "lint.json"
PROGRAM = """\
x = tf.Variable(0.0, name="x")
up = tf.assign_add(x, 1.0, name="up")
with tf.control_dependencies([up]):
    y = x
w = tf.Variable([1.0, 2.0], name="w")
tf.random_normal([2], name="noise")
tf.set_random_seed(1)
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w, name="loss"))
columns = tf.placeholder(tf.float32, [3, 2], name="table")
rows = [columns[i] for i in range(3)]
"""
CODES = ["empty_block", "late_seed", "loss_vector", "slices"]


def program(graph):
    linecache.cache["program.py"] = (len(PROGRAM), None, PROGRAM.splitlines(keepends=True), "program.py")
    with graph.as_default():
        exec(compile(PROGRAM, "program.py", "exec"), {"tf": tf, "__name__": "program"})
    return graph


def found():
    findings, nodes = findings_of(program(tf.Graph()))
    return findings, findings.record(nodes)


def shared():
    return json.loads(json.dumps(to_json(found()[1])))


def test_the_shared_record_is_the_one_of_today():
    assert json.loads(SHARED.read_text("utf-8")) == shared()


def test_a_record_of_findings_survives_json_and_names_each_rule():
    findings, record = found()
    assert [finding.code for finding in record.findings] == CODES == [finding.code for finding in findings]
    assert from_json(shared()) == record
    assert record.findings[0].fixes[0].text == record.findings[0].snippet == "y = tf.identity(x)"
    assert [site.line for site in record.findings[0].sites] == [3, 2]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_and_picture_say_what_the_findings_say(lang):
    findings, record = found()
    assert text_of(record, lang) == findings.text(lang)
    told = "".join(ElementTree.fromstring(picture(record, lang=lang)).itertext())
    assert all(site.source in told for finding in record.findings for site in finding.sites[:1])


def test_nothing_found_is_said():
    findings, nodes = findings_of(tf.Graph())
    record = findings.record(nodes)
    assert text_of(record, "en") == "Nothing looks like a mistake." == findings.text("en")
    assert "Nothing looks like a mistake." in picture(record, lang="en")


def test_a_finding_about_nodes_that_its_picture_lacks_is_no_record():
    data = shared()
    data["findings"][0]["nodes"] = [10_000]
    with pytest.raises(RecordError, match=r"findings\[0\].nodes"):
        from_json(data)


def test_what_is_around_many_findings_is_asked_for_later():
    with tf.Graph().as_default() as graph:
        for i in range(40):
            values = tf.placeholder(tf.float32, [40], name=f"values_{i}")
            exec("\n" * i + "parts = [values[i] for i in range(40)]", {"values": values})
    findings, nodes = findings_of(graph)
    assert len(findings) == 40
    record = findings.record(nodes)
    carried = [finding.around is not None for finding in record.findings]
    assert carried == sorted(carried, reverse=True)
    assert True in carried
    assert False in carried
    assert len(json.dumps(to_json(record))) < 2_000_000
    assert from_json(to_json(record)) == record
    assert explain.lint(graph)[-1].around().nodes


if __name__ == "__main__":
    SHARED.write_text(json.dumps(shared(), indent=1, sort_keys=True) + "\n", "utf-8")
