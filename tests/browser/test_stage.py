"""Each kind of widget on a bare page: no text is cut off in a longer language or a narrow window, and no name becomes markup."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from driver import barriers
from stage import staged

import tfedu as tf
from tfedu import widgets

sys.path.insert(0, str(Path(__file__).parents[1] / "view"))
from hostile_names import NAMES

# A page gets UTF-8 text, which cannot contain half a character.
HOSTILE = [name.replace("\ud800", "")[:5000] for name in NAMES]


def program():
    """A counter, a product and its gradients: something for each widget to show."""
    with tf.Graph().as_default() as graph:
        x = tf.Variable(1.0, name="x")
        with tf.control_dependencies([tf.assign_add(x, 1.0)]):
            y = tf.identity(x * tf.constant([1.0, 2.0], name="factors"), name="y")
        with tf.control_dependencies([y]):
            z = x
    return graph, x, y, z


def race():
    """A read and a write of one variable in no order."""
    with tf.Graph().as_default():
        x = tf.Variable([1.0, 2.0], name="x")
        factors = tf.multiply(x, 2.0, name="factors")
        return widgets.OutcomeExplorer([tf.assign(x, [5.0, 6.0], name="write"), factors])


def predict(**options):
    _, _, y, z = program()
    return widgets.Predict({"y": y, "z": z}, runs=3, prompt="What does it print?", **options)


def training():
    view = widgets.TrainingView(live=False)
    for step in range(20):
        summary = tf.Summary(value=[tf.Summary.Value(tag="factors", simple_value=1.0 / (step + 1))])
        view.add(summary, step)
    view.refresh()
    return view


def lines():
    x = tf.Variable(1.0)
    factors = tf.constant([1.0, 2.0])
    up = tf.assign_add(x, 1.0)
    with tf.control_dependencies([up]):
        y = tf.identity(x * factors)
    return y


def unordered_lines():
    x = tf.Variable(1.0)
    factors = tf.constant([1.0, 2.0])
    up = tf.assign_add(x, 1.0)
    y = tf.identity(x * factors)
    return tf.tuple([y, up])


def parsons():
    puzzle = widgets.Parsons(lines, must_run=["up"], prompt="What is asked?")
    puzzle.attach("x", "up", 0)
    puzzle.check()
    return puzzle


def repair():
    puzzle = widgets.Repair(unordered_lines, expected=[[[2, 4], 2], [[3, 6], 3], [[4, 8], 4]], spare=["z = tf.identity(x)"])
    puzzle.attach("x", "factors")
    puzzle.check()
    return puzzle


def executor():
    player = widgets.BeTheExecutor(program()[2], prompt="What is asked?", predict=["y"])
    player.take("y")
    player.game.go_on()
    player.take("x")
    return player


def other_program():
    """The counter again, with another product and without the gate."""
    with tf.Graph().as_default() as graph:
        x = tf.Variable(1.0, name="x")
        tf.assign_add(x, 1.0)
        tf.identity(tf.abs(x) * tf.constant([1.0, 3.0], name="factors"), name="y")
    return graph


def explored():
    """A graph with the signs of all its tools."""
    graph, _, y, _ = program()
    view = {"expand": ["x"], "pin": ["x"], "beside": ["factors"], "select": "y", "search": "type:Identity", "colour": "health"}
    return widgets.GraphView(graph, run=y, view=view)


def branched():
    """Nodes with several outputs."""
    with tf.Graph().as_default() as graph:
        tf.cond(tf.placeholder_with_default(True, []), lambda: tf.constant(1.0), lambda: tf.constant(2.0))
    return widgets.GraphView(graph, collapsed=[])


def numbers():
    """Many enough for a heat map; not all of them finite."""
    found = np.arange(2400.0).reshape(60, 40)
    found[3, 4], found[50, 30] = np.nan, np.inf
    return found


def convolution():
    """An image with padding, and a kernel."""
    with tf.Graph().as_default():
        image = tf.constant(np.arange(16.0, dtype="f").reshape(1, 4, 4, 1) % 5)
        kernel = tf.constant(np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], "f").reshape(3, 3, 1, 1))
        return tf.nn.conv2d(image, kernel, strides=[1, 1, 1, 1], padding="SAME")


def matrix_product():
    with tf.Graph().as_default():
        factors = tf.constant([[1.0, 2.0, 0.0], [3.0, -1.0, 4.0]])
        return tf.matmul(factors, factors, transpose_b=True)


def pipelines():
    """Both orders of shuffle and repeat, with parallel calls, a batch of several epochs and a prefetch."""
    with tf.Graph().as_default():
        source = tf.data.Dataset.range(5)
        first = source.shuffle(3, seed=1).repeat(2)
        second = source.map(lambda x: x * x, num_parallel_calls=2).repeat(2).shuffle(3, seed=1).batch(3).prefetch(1)
        return widgets.PipelineView({"shuffle, then repeat": first, "repeat, then shuffle": second})


def pipeline():
    with tf.Graph().as_default():
        source = tf.data.Dataset.range(8).map(lambda x: x * x, num_parallel_calls=2)
        return widgets.PipelineView(source.shuffle(4, seed=1).batch(3).prefetch(1))


KINDS = {
    "BeTheExecutor": executor,
    "BuildFilm": lambda: widgets.BuildFilm(program()[0]),
    "Compare": lambda: widgets.Compare({"y": program()[2], "z": program()[3]}),
    "GradientFlow": lambda: (lambda p: widgets.GradientFlow(p[2], [p[1]]))(program()),
    "GraphDiff": lambda: widgets.GraphDiff(program()[0], other_program()),
    "GraphView": explored,
    "GraphView of a branch": branched,
    "Lint": lambda: widgets.Lint(program()[0]),
    "OutcomeExplorer": race,
    "Parsons": parsons,
    "Passes": lambda: widgets.Passes(program()[2]),
    "PipelineView": pipeline,
    "PipelineView of two": pipelines,
    "Predict": predict,
    "Predict with choices": lambda: predict(choices=True),
    "Reads": lambda: widgets.Reads(convolution()),
    "Reads with a question": lambda: widgets.Reads(matrix_product(), ask="value", prompt="What is asked?"),
    "Repair": repair,
    "SelfCheck": lambda: widgets.Predict({"y": program()[2]}, prompt="What is asked?").self_check(),
    "StepThrough": lambda: widgets.StepThrough(program()[2], runs=2),
    "TrainingView": training,
    "Value": lambda: widgets.Value(numbers()),
}


def test_each_kind_of_widget_is_here():
    kinds = {kind.partition(" ")[0] for kind in KINDS}
    assert kinds == {name for name in widgets.__all__ if name != "set_language"}


@pytest.fixture
def stage(browser):
    with staged(browser) as made:
        yield made


@pytest.mark.parametrize("kind", KINDS)
def test_a_longer_language_is_not_cut_off(stage, kind):
    widget = stage.show(KINDS[kind](), pseudo=True)
    assert "·]" in widget.inner_text()
    assert stage.cut(widget) == []
    stage.page.set_viewport_size({"width": 520, "height": 900})
    assert stage.cut(widget) == []
    assert stage.failed == []


@pytest.mark.parametrize("kind", ["PipelineView", "PipelineView of two"])
def test_a_pipeline_on_a_phone_shows_values_and_whole_sentences(stage, kind):
    stage.page.set_viewport_size({"width": 300, "height": 900})
    widget = stage.show(KINDS[kind]())
    for _ in range(12):
        widget.get_by_test_id("step").click()
        assert widget.get_by_test_id("status").evaluate("e => e.scrollHeight - e.clientHeight") <= 1
    widths = widget.locator(".pipe-slots .flow-chip > strong").evaluate_all("all => all.map(e => [e.clientWidth, e.scrollWidth])")
    assert widths
    assert [one for one in widths if one[0] == 0 or one[1] > one[0]] == []
    assert barriers(widget) == []


# Labels of controls and headings. Names of languages are not translated; titles, node names and numbers are data.
SAID = """root => [...root.querySelectorAll("button, summary, label, th[scope=col], legend, [role=tab], [aria-label]")]
    .filter(e => !e.closest("[hidden], .hits li, .pins li, [data-go], [role=gridcell]"))
    .map(e => [e.tagName, e.getAttribute("aria-label") ?? e.innerText])
    .filter(([, text]) => /[a-z]{3,}/i.test(text) && !text.includes("·]")).map(pair => pair.join(": "))"""


@pytest.mark.parametrize("kind", KINDS)
def test_every_sentence_comes_from_the_catalogue(stage, kind):
    widget = stage.show(KINDS[kind](), pseudo=True)
    assert widget.evaluate(SAID) == []


FOREIGN = """root => root.querySelectorAll("script, a, img, iframe, object, embed, form, foreignObject, use, image").length"""


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_names_have_no_effect_and_stay_visible(stage, kind):
    """Of a node, its outputs and its line, and as the title: no script, no link, and as many nodes as with a tame name."""
    made = KINDS[kind]()
    tame = stage.show(made)
    wanted = tame.locator("g.node").count()
    for name in HOSTILE:
        spoiled = {
            trait: json.loads(json.dumps(getattr(made, trait)).replace("factors", json.dumps(name)[1:-1]))
            for trait in ("record", "played", "arranged")
            if made.has_trait(trait)
        }
        widget = stage.show(made, **spoiled, title=name)
        assert widget.evaluate(FOREIGN) == 0, name[:40]
        assert widget.locator("g.node").count() == wanted, name[:40]
        stage.forget(widget)
    assert stage.page.title() == "quiet"
    assert stage.failed == []
    assert [url for url in stage.asked if not url.startswith("blob:")] == []
@pytest.mark.parametrize("look", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_each_widget_is_accessible(browser, kind, look):
    with staged(browser, **look) as stage:
        widget = stage.show(KINDS[kind]())
        assert barriers(widget) == []


def test_an_answer_without_a_prediction_is_shown_and_not_judged(stage):
    question = predict()
    question.reveal()
    root = stage.show(question)
    assert root.locator(".sign.wrong, .verdict.wrong").count() == 0
    assert root.locator(".verdict").first.text_content() == "No prediction"
    stage.forget(root)
