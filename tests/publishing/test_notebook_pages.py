"""Notebooks as pages, slides and LaTeX: widgets from the saved state, pictures where that cannot be, nothing from a network."""

import base64
import gzip
import json
import re
import tomllib

import nbformat.v4 as v4
import pytest
import saved_notebooks
import sphinx_revealjs  # noqa: F401  # slides without it are another test
from traitlets.config import Config

from tfedu.publishing import notebook_pages
from tfedu.publishing.notebook_pages import (
    TfeduHTMLExporter,
    TfeduLatexExporter,
    TfeduPDFExporter,
    TfeduSlidesExporter,
)
from tfedu.widgets import BeTheExecutor, Compare, GraphView, OutcomeExplorer, Predict, StepThrough, Value
from tfedu.widgets.pages.notebook_state import SavedWidgetError, is_ours, part_of_state

HOSTILE = '</script><img src=x onerror="alert(1)"> & <b>'


@pytest.fixture
def y(counter):
    return counter


def packed(text):
    (found,) = re.findall(r'<script type="text/plain" id="packed">([A-Za-z0-9+/=]+)</script>', text)
    return json.loads(gzip.decompress(base64.b64decode(found)))


def answered(y):
    asked = Predict({"y": y}, runs=2)
    asked.draft = {"t1": ["1", "3"]}
    asked.committed = True
    return asked


# -- the saved state -----------------------------------------------------------------------------------------------------


def test_a_saved_widget_is_what_it_was(y):
    steps = StepThrough(y, runs=2, title="Steps")
    steps.fork(run=0, step=1, set={"x": 5.0})
    steps.break_at("x changed")
    for widget in (
        steps,
        Compare({"one": y, "two": y + 1.0}),
        answered(y),
        GraphView(y.graph),
        OutcomeExplorer(y),
        Value([1.0]),
    ):
        state = saved_notebooks.state_of(saved_notebooks.saved(widget))
        assert is_ours(state)
        part = part_of_state(state)
        expected = {
            name: value
            for name, value in state.items()
            if name[0] != "_" and name not in ("tabbable", "tooltip")
        }
        assert part.traits == {**expected, **({"explains": False} if "explains" in expected else {})}
        assert 'src="data:image/svg+xml;base64,' in part.still


@pytest.mark.parametrize(("name", "value", "message"), [
    ("record", {}, "kind"),
    ("record", {"version": 99, "kind": "trace"}, "version"),
    ("record", "text", "an object"),
    ("kind", "graph-view", "not for a widget of the kind"),
    ("kind", "newer", "needs Python, or a newer tfedu"),
    ("kind", ["step-through"], "needs Python, or a newer tfedu"),
    ("lang", "xx", "xx"),
    ("lang", 3, "lang must be text, not int"),
    ("title", {"a": 1}, "title must be text, not"),
    ("step", "1", "int"),
    ("locked", True, "was not answered"),
    ("breaks", {"version": 1, "kind": "breaks"}, "breaks"),
    ("branches", 3, "3 timelines were saved, and 1 are there"),
    ("branch_1", {"version": 1}, "."),
])  # fmt: skip
def test_damaged_state_is_an_error(y, name, value, message):
    steps = StepThrough(y, runs=1)
    steps.fork(run=0, step=1, set={"x": 5.0})
    state = saved_notebooks.state_of(saved_notebooks.saved(steps))
    state[name] = value
    with pytest.raises(SavedWidgetError, match=message):
        part_of_state(state)


def test_what_python_must_answer_is_no_part_of_a_page(y):
    for widget in (Predict({"y": y}), BeTheExecutor(y), StepThrough(y, after=Predict({"y": y}))):
        with pytest.raises(SavedWidgetError):
            part_of_state(saved_notebooks.state_of(saved_notebooks.saved(widget)))


# -- pages ---------------------------------------------------------------------------------------------------------------


def test_the_widgets_of_a_page_share_one_front_end_and_load_nothing(y):
    notebook = saved_notebooks.saved(StepThrough(y, title=HOSTILE), GraphView(y.graph))
    for exporter, most in ((TfeduHTMLExporter, 800_000), (TfeduSlidesExporter, 1_000_000)):
        text, _ = exporter().from_notebook_node(notebook)
        assert [traits["kind"] for traits in packed(text)["widgets"]] == ["step-through", "graph-view"]
        assert re.findall(r'data-widget="(\d)"', text) == ["0", "1"]
        assert "widget-view+json" not in text
        assert not re.findall(r'(?:src|href)="(?!data:|#|\$)[^"]*"', text)
        assert not re.findall(r"(?:import\s|url\()['\"]?https?:", text)
        assert HOSTILE not in text
        assert len(text) < most


def test_without_live_a_page_has_pictures(y):
    text, _ = TfeduHTMLExporter(live=False).from_notebook_node(
        saved_notebooks.saved(StepThrough(y), answered(y))
    )
    assert text.count('src="data:image/svg+xml;base64,') == 2
    assert "packed" not in text
    assert "data-widget=" not in text


def test_what_cannot_be_shown_is_its_picture_and_says_why(y, caplog):
    notebook = saved_notebooks.saved(Predict({"y": y}), StepThrough(y), BeTheExecutor(y))
    saved_notebooks.state_of(notebook, 1)["record"]["version"] = 2
    output = notebook.cells[2].outputs[0].data
    output["text/html"] = output["text/plain"] = HOSTILE
    text, _ = TfeduHTMLExporter().from_notebook_node(notebook)
    assert "This is a picture: the question was not answered when the notebook was saved." in text
    assert HOSTILE not in text
    assert text.count('src="data:image/svg+xml;base64,') == 3
    assert len([record for record in caplog.records if "stays a picture" in record.message]) == 3


def test_a_notebook_without_state_has_pictures(y):
    text, _ = TfeduHTMLExporter().from_notebook_node(
        saved_notebooks.saved(GraphView(y.graph), with_state=False)
    )
    assert "run it with --execute" in text
    assert text.count('src="data:image/svg+xml;base64,') == 1


@pytest.mark.parametrize(
    "state", [3, [], {"state": 3}, {"state": {"0" * 32: 3}}, {"state": {"0" * 32: {"state": []}}}]
)
def test_damaged_metadata_is_no_state(y, state):
    notebook = saved_notebooks.saved(GraphView(y.graph))
    notebook.metadata["widgets"] = {saved_notebooks.STATE: state}
    text, _ = TfeduHTMLExporter().from_notebook_node(notebook)
    assert "run it with --execute" in text


def test_the_notes_speak_the_language_of_the_page(y):
    text, _ = TfeduHTMLExporter(language_code="ko").from_notebook_node(
        saved_notebooks.saved(Predict({"y": y}), GraphView(y.graph))
    )
    assert "이것은 그림입니다" in text
    assert packed(text)["widgets"][0]["lang"] == "ko"


RUN = {"ExecutePreprocessor": {"enabled": True}}
CELL = """import tfedu as tf
from tfedu.widgets import StepThrough
StepThrough(tf.constant(1.0) * 2.0)"""


@pytest.fixture
def not_run():
    return saved_notebooks.json_round(v4.new_notebook(cells=[v4.new_code_cell(CELL)]))


def at_root(request):
    return {"metadata": {"path": str(request.config.rootpath)}}


def test_a_notebook_that_runs_while_it_is_converted_has_its_widgets(not_run, request):
    """As with `--execute`."""
    text, _ = TfeduHTMLExporter(config=Config(RUN)).from_notebook_node(not_run, at_root(request))
    (traits,) = packed(text)["widgets"]
    assert traits["kind"] == "step-through"
    assert "widget-view+json" not in text


def test_a_notebook_that_runs_while_it_is_converted_has_pictures_in_latex(not_run, request):
    text, resources = TfeduLatexExporter(config=Config(RUN)).from_notebook_node(not_run, at_root(request))
    (name,) = [name for name in resources["outputs"] if name.endswith(".pdf")]
    assert f"{{{name}}}" in text


def test_formulas_without_mathjax_are_told(y, caplog):
    notebook = saved_notebooks.saved(GraphView(y.graph))
    notebook.cells[0].source = "It costs 3 $."
    TfeduHTMLExporter().from_notebook_node(notebook)
    assert "Formulas" not in caplog.text
    notebook.cells[0].source = "Here $x = 1$."
    TfeduHTMLExporter().from_notebook_node(notebook)
    assert "Formulas stay TeX" in caplog.text


def test_slides_need_reveal(y, monkeypatch):
    def missing(_name):
        raise ModuleNotFoundError("sphinx_revealjs")

    monkeypatch.setattr(notebook_pages, "files", missing)
    with pytest.raises(ImportError, match=r"tfedu\[docs\]"):
        TfeduSlidesExporter().from_notebook_node(saved_notebooks.saved(GraphView(y.graph)))
    monkeypatch.undo()
    with pytest.raises(ValueError, match=r"reveal.js has no file 'dist/theme/\.\./reveal.css'"):
        TfeduSlidesExporter(reveal_theme="../reveal").from_notebook_node(
            saved_notebooks.saved(GraphView(y.graph))
        )


def test_latex_has_vectors_without_inkscape(y):
    notebook = saved_notebooks.saved(GraphView(y.graph))
    del notebook.cells[0]  # pandoc turns Markdown into LaTeX
    text, resources = TfeduLatexExporter().from_notebook_node(notebook)
    ((name, data),) = [(name, data) for name, data in resources["outputs"].items() if name.endswith(".pdf")]
    assert data.startswith(b"%PDF")
    assert f"{{{name}}}" in text


def test_pdf_without_a_browser_says_so(y, monkeypatch):
    monkeypatch.setattr(notebook_pages.shutil, "which", lambda _name: None)
    with pytest.raises(FileNotFoundError, match=r"TfeduPDFExporter\.browser"):
        TfeduPDFExporter().from_notebook_node(saved_notebooks.saved(GraphView(y.graph)))


def test_nbconvert_finds_the_exporters(request):
    project = tomllib.loads((request.config.rootpath / "pyproject.toml").read_text("utf-8"))["project"]
    named = project["entry-points"]["nbconvert.exporters"]
    assert [*named] == ["tfedu-html", "tfedu-slides", "tfedu-pdf", "tfedu-latex"]
    for place in named.values():
        module, _, name = place.partition(":")
        assert module == notebook_pages.__name__
        assert name in notebook_pages.__all__
