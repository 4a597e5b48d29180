"""Widgets as files: pages, pictures, records; what cannot be one is refused, and leaves nothing behind."""

import base64
import gzip
import hashlib
import json
import re

import pytest

import tfedu as tf
from tfedu.view import build, messages
from tfedu.view.picture_files import PictureError
from tfedu.widgets import (
    BeTheExecutor,
    BuildFilm,
    Compare,
    GradientFlow,
    GraphDiff,
    GraphView,
    OutcomeExplorer,
    Parsons,
    Passes,
    Predict,
    StepThrough,
    Value,
)
from tfedu.widgets.pages.front_end_code import front_end_code

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
    assert packed["code"] == front_end_code({"graph-view", "step-through", "value"})
    assert [traits["kind"] for traits in packed["widgets"]] == ["step-through", "value", "graph-view"]
    assert {traits["lang"] for traits in packed["widgets"]} == {"zh"}
    assert packed["widgets"][0]["record"] == widgets[0].record
    assert "<title>Three</title>" in text
    assert '<html lang="zh">' in text
    assert len(text) < 300_000


def test_a_page_is_as_small_as_its_documentation_says(counter, tmp_path):
    """The counter of the first lesson, compared: 350 KB were asked for."""
    widget = Compare({"without": counter.op.inputs[0], "with": counter})
    assert widget.save(tmp_path / "page.html").stat().st_size < 250_000


def test_a_page_has_the_texts_of_its_own_widgets_in_each_language(counter, tmp_path):
    code = unpacked(tf.export_html(StepThrough(counter), tmp_path / "page.html").read_text("utf-8"))["code"]
    first, others = (
        json.loads(line.removeprefix(f"const {name}=").removesuffix(";"))
        for name in ("TEXTS", "OTHERS") for line in code.split("\n") if line.startswith(f"const {name}=")
    )  # fmt: skip
    (keys,) = first.values()
    texts = {**first, **{lang: dict(zip(keys, own, strict=True)) for lang, own in others.items()}}
    assert [*texts] == [*messages.LANGUAGES]
    for lang, own in texts.items():
        assert own["action.step"] == messages.message("action.step", lang)
        assert not any(key.startswith("puzzle.") for key in own)
        assert len(own) < 0.6 * len(messages.catalogue(lang))


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
    assert widget.svg() in widget.save(tmp_path / "a.svg").read_text("utf-8")
    assert json.loads(widget.save(tmp_path / "a.json").read_text("utf-8"))["kind"] == "trace"
    assert widget.save(tmp_path / "a.html").read_bytes() == tf.export_html(widget, tmp_path / "b.html").read_bytes()
    with pytest.raises(ValueError, match=r"StepThrough is saved as \.html, \.htm, \.svg, .* or \.json, not as 'a\.mp4'"):
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


def test_each_widget_with_a_graph_has_dot_and_mermaid_source(counter, tmp_path):
    graph = counter.graph
    widgets = [StepThrough(counter), GraphView(graph), GradientFlow(counter * 2.0, [counter]), Passes(counter), BuildFilm(graph)]
    widgets += [OutcomeExplorer(counter), GraphDiff(graph, graph), BeTheExecutor(counter), Parsons(program)]
    for widget in widgets:
        assert widget.save(tmp_path / "a.dot").read_text("utf-8").startswith("digraph tfedu {")
        assert widget.save(tmp_path / "a.mmd").read_text("utf-8").startswith("flowchart TB\n")


def program():
    x = tf.Variable(0.0)
    up = tf.assign_add(x, 1)
    return up


def test_a_comparison_has_both_graphs_under_their_titles(counter, tmp_path):
    widget = Compare({HOSTILE: counter, 'a "b"; c': counter})
    mermaid = widget.save(tmp_path / "a.mmd").read_text("utf-8")
    assert HOSTILE not in mermaid
    assert '  subgraph g1["a #34;b#34;#59; c"]\n' in mermaid
    assert r'label="a \"b\"; c"' in widget.save(tmp_path / "a.dot").read_text("utf-8")


def test_what_has_no_graph_and_what_is_locked_says_so(counter, tmp_path):
    with pytest.raises(PictureError, match=r"A Value has no graph and is saved as \.html, .*, \.txt or \.json, not as 'a\.mmd'"):
        Value([1.0]).save(tmp_path / "a.mmd")
    asked = Predict({"y": counter})
    with pytest.raises(PictureError, match="A Predict has no graph"):
        asked.save(tmp_path / "a.dot")
    for ending in ("svg", "dot", "mmd", "txt", "json"):
        with pytest.raises(PictureError, match="no picture before its question is answered"):
            StepThrough(counter, after=asked).save(tmp_path / f"a.{ending}")
    assert list(tmp_path.iterdir()) == []
    asked.reveal()
    assert asked.save(tmp_path / "a.mmd").read_text("utf-8").startswith("flowchart TB\n")


def test_a_large_graphs_dot_has_all_nodes(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "MOST", 20)
    with tf.Graph().as_default() as graph:
        for scope in range(3):
            with tf.name_scope(f"s{scope}"):
                for _ in range(20):
                    tf.constant(1.0)
    dot = GraphView(graph).save(tmp_path / "a.dot").read_text("utf-8")
    assert dot.count("shape=ellipse") == 60
