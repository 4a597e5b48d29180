"""Each rule of lint finds its programs, and is silent about those that look nearly the same and are sound."""

import ast
import json
import linecache
import pathlib
import re

import pytest

import tfedu as tf
from tests.explain.lint_programs import FOUND, SOUND, WHOLE, run
from tests.notebooks.test_docs import BLOCKS
from tfedu import explain
from tfedu.engine.graph.graph import Graph
from tfedu.explain.lint.rules import RULES, THEMES
from tfedu.view.messages import LANGUAGES, catalogue

ROOT = pathlib.Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("0*.ipynb"))

# Where the lessons show a mistake on purpose, or begin an exercise with one: (lesson, cell) -> what lint says then.
SHOWN = {
    ("01", "first-program"): ["empty_block"],
    ("01", "exercise-1"): ["empty_block"],
    ("03", "own-without"): ["gradient_none"],
    ("03", "exercise-2"): ["gradient_none"],
    ("05", "outside"): ["outside_branch"],
    ("05", "exercise-1"): ["outside_branch"],
    ("06", "array-twice"): ["written_twice"],
    ("06", "exercise-1"): ["endless"],
    ("06", "exercise-3"): ["written_again"],
}


def codes():
    return sorted({finding.code for finding in explain.lint()})


def rows(programs):
    return [pytest.param(code, text, id=f"{code}-{i}") for code in programs for i, text in enumerate(programs[code])]


@pytest.mark.parametrize(("code", "program"), rows(FOUND))
def test_a_rule_finds_its_programs_and_no_other_rule_does(code, program, tmp_path):
    run(program, tmp_path)
    assert codes() == [code]


@pytest.mark.parametrize(("code", "program"), rows(SOUND))
def test_programs_that_look_nearly_the_same_are_sound(code, program, tmp_path):
    run(program, tmp_path)
    assert codes() == []


@pytest.mark.parametrize("name", WHOLE)
def test_no_rule_fires_on_sound_programs_of_the_usual_kinds(name, tmp_path):
    run(WHOLE[name], tmp_path)
    assert str(explain.lint()) == str(explain.Findings())


@pytest.mark.parametrize("code", RULES)
def test_every_rule_has_three_programs_that_it_finds_and_three_that_are_sound(code):
    assert len(set(FOUND[code])) >= 3
    assert len(set(SOUND[code])) >= 3


def test_every_program_is_a_rules():
    assert set(FOUND) == set(SOUND) == set(RULES)


@pytest.mark.parametrize("code", RULES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_says_what_is_there_why_it_matters_and_what_helps(code, lang):
    texts = [catalogue(lang)[f"lint.{code}{part}"] for part in ("", ".why", ".fix")]
    assert len({text for text in texts if text}) == 3
    assert "{where}" in texts[0]


@pytest.mark.parametrize("code", RULES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_finding_names_its_line_its_nodes_and_the_fix(code, lang, tmp_path):
    run(FOUND[code][0], tmp_path)
    for finding in explain.lint():
        assert finding.nodes
        assert finding.site is not None
        assert finding.site.source or code == "rerun"  # a cell that is only said to have been run has no text
        text = finding.text(lang)
        assert f"line {finding.line}" in text
        assert not re.search(r"(?<!\$)\{\w+\}", text)
        if finding.snippet:
            ast.parse(finding.snippet if "return" not in finding.snippet else "pass")


def test_both_cells_of_a_variable_that_was_made_again_are_shown(tmp_path):
    run("", tmp_path)
    names = {"tf": tf}
    for count in (1, 2):
        exec(compile("v = tf.Variable(0.0)\n", f"<ipython-input-{count}-0a>", "exec"), names)
    (finding,) = explain.lint()
    assert [site.file for site in finding.sites] == ["<ipython-input-2-0a>", "<ipython-input-1-0a>"]
    assert "again" in str(finding)
    assert "<ipython-input-1-0a>, line 1" in str(finding)
    assert "<ipython-input-2-0a>, line 1" in str(finding)


@pytest.mark.parametrize("code", RULES)
def test_asking_leaves_a_graph_as_it_was(code, tmp_path):
    run(FOUND[code][0], tmp_path)
    graph = tf.get_default_graph()

    def state():
        known = graph.history
        blocks = [(block.site, list(block.created)) for block in graph.blocks]
        return [list(graph.operations), dict(graph._names), blocks, list(known.runs), list(known.gradients), graph.mutations]

    before = state()
    first = explain.lint().text()
    assert state() == before
    graph.finalize()
    assert explain.lint().text() == first
    assert graph.finalized


def test_each_theme_is_a_module_of_its_own():
    assert {rule.find.__module__ for rule in RULES.values()} == {module.__name__ for module in THEMES.values()}


# -- the course and the pages ------------------------------------------------------------------------------------------


@pytest.fixture
def graphs(monkeypatch):
    """The graphs that were made so far."""
    made = []
    begin = Graph.__init__

    def noted(graph):
        begin(graph)
        made.append(graph)

    monkeypatch.setattr(Graph, "__init__", noted)
    tf.reset_default_graph()
    return made


def news(graphs, told, text):
    """What lint says of the lines of a text that it did not say before; what a puzzle builds has lines of its own, and of the
    copies that a question makes the same is said again.
    """
    findings = [finding for graph in graphs for finding in explain.lint(graph)]
    own = [f for f in findings if f.site is None or f.site.file.startswith(f"<{text}, ")]
    found = [(f.code, f.params["where"], tuple(op.name for op in f.nodes)) for f in own]
    return sorted(told.add(key) or key[0] for key in found if key not in told)


def cells(lesson):
    notebook = json.loads(lesson.read_text(encoding="utf-8"))
    return [(cell["id"], "".join(cell["source"])) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def execute(source, name, names):
    """Runs a cell, whose text can be read again as that of a notebook's cells."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), names)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem[:2])
def test_no_rule_fires_on_the_lessons_but_where_a_mistake_is_shown(lesson, graphs):
    names, told = {"__name__": "lesson"}, set()
    for id, source in cells(lesson):
        execute(source, f"<{lesson.stem}, {id}>", names)
        assert news(graphs, told, lesson.stem) == SHOWN.get((lesson.stem[:2], id), []), id


@pytest.mark.parametrize("page", [page for page, blocks in BLOCKS.items() if blocks])
def test_no_rule_fires_on_the_programs_of_the_pages(page, graphs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, told = {"__name__": "page"}, set()
    for number, block in enumerate(BLOCKS[page]):
        execute(block, f"<{page}, block {number}>", names)
        shown = re.findall(r"# lint: (\w+)", block)
        assert news(graphs, told, page) == shown, block


def test_the_page_lists_each_rule_with_its_severity():
    text = (ROOT / "docs/lint.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| (\w+) \| .{20,} \|$", text, flags=re.M)
    assert sorted(listed) == sorted((code, rule.severity) for code, rule in RULES.items())
