"""Widgets as files: pages, pictures, records; what cannot be one is refused, and leaves nothing behind."""

import base64
import gzip
import hashlib
import json
import re

import pytest

import tfedu as tf
from tfedu.widgets import BeTheExecutor, Compare, Predict, StepThrough, Value, base

HOSTILE = '</script><img src=x onerror="alert(1)"> & <b>'


@pytest.fixture
def counter():
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        with tf.control_dependencies([tf.assign_add(x, 1)]):
            yield tf.identity(x, name="y")


def unpacked(text):
    (packed,) = re.findall(r'<script type="text/plain" id="packed">([A-Za-z0-9+/=]+)</script>', text)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_a_page_holds_the_front_end_and_the_traits_of_its_widgets(counter, tmp_path):
    widgets = [StepThrough(counter), Value([[1.0, 2.0]]), counter.graph]
    path = tf.export_html(widgets, tmp_path / "page.html", title="Three", lang="zh")
    text = path.read_text("utf-8")
    packed = unpacked(text)
    assert packed["code"] == base.bundle("widget.js")
    assert [traits["kind"] for traits in packed["widgets"]] == ["step-through", "value", "graph-view"]
    assert {traits["lang"] for traits in packed["widgets"]} == {"zh"}
    assert packed["widgets"][0]["record"] == widgets[0].record
    assert "<title>Three</title>" in text
    assert '<html lang="zh">' in text
    assert len(text) < 420_000


def test_the_same_widgets_give_the_same_bytes(counter, tmp_path):
    pages = [tf.export_html(StepThrough(counter), tmp_path / name).read_bytes() for name in ("one.html", "two.html")]
    assert pages[0] == pages[1]


def test_names_and_titles_are_data(counter, tmp_path):
    text = Compare({HOSTILE: counter, "other": counter}, title=HOSTILE).save(tmp_path / "page.html").read_text("utf-8")
    assert HOSTILE not in text
    assert "onerror=\"" not in text
    assert text.count("</script>") == 2
    assert unpacked(text)["widgets"][0]["title"] == HOSTILE


def test_the_policy_allows_the_script_of_the_page_alone(counter, tmp_path):
    text = tf.export_html(counter, tmp_path / "page.html").read_text("utf-8")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}' blob:;")
    assert "eval" not in policy
    assert not re.search(r"https?://", text)


def test_a_widget_is_saved_by_the_ending_of_the_file(counter, tmp_path):
    widget = StepThrough(counter)
    assert widget.save(tmp_path / "a.svg").read_text("utf-8") == widget.svg()
    assert json.loads(widget.save(tmp_path / "a.json").read_text("utf-8"))["kind"] == "trace"
    assert widget.save(tmp_path / "a.html").read_bytes() == tf.export_html(widget, tmp_path / "b.html").read_bytes()
    with pytest.raises(ValueError, match=r"as \.html, \.svg or \.json, not as 'a\.mp4'"):
        widget.save(tmp_path / "a.mp4")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda y: Predict({"y": y}), "its answer leaves Python when the prediction is committed"),
        (lambda y: StepThrough(y, after=Predict({"y": y})), "it waits for a prediction"),
        (lambda y: BeTheExecutor(y), "Python checks each turn"),
        (lambda y: [], "at least one widget"),
    ],
)
def test_what_needs_python_is_refused_and_no_file_is_made(counter, tmp_path, make, words):
    with pytest.raises(ValueError, match=words):
        tf.export_html(make(counter), tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_what_has_no_picture_and_a_language_without_messages_are_refused(counter, tmp_path):
    with pytest.raises(TypeError, match="cannot show a int"):
        tf.export_html(3, tmp_path / "page.html")
    with pytest.raises(ValueError, match="fr"):
        tf.export_html(counter, tmp_path / "page.html", lang="fr")
    with pytest.raises(OSError, match="nowhere"):
        tf.export_html(counter, tmp_path / "nowhere" / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_prediction_that_is_committed_has_its_page(counter, tmp_path):
    asked = Predict({"y": counter})
    asked.draft = {"t1": "1, 2, 3"}
    asked.committed = True
    packed = unpacked(asked.save(tmp_path / "page.html").read_text("utf-8"))
    assert packed["widgets"][0]["result"] == asked.result != {}
