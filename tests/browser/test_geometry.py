"""The pictures of all lessons, measured: no line crosses a text, and no text or sign covers another one.

The cells of each notebook run in this Python; what they show is drawn on a bare page, at several of its steps.
`python tests/browser/test_geometry.py [LESSON …]` prints what it finds in each picture.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Locator
from stage import DRAWN, Stage, staged

import tfedu as tf
from benchmarks.pictures.graphs import training
from tfedu.widgets import GraphView, Predict, StepThrough, base

COURSE = Path(__file__).resolve().parents[2] / "notebooks"
LESSONS = sorted(path.stem for path in COURSE.glob("[01]*.ipynb"))
# A text, a label on a line or a count meets another one.
# A line that comes down beside its end to the end's own row runs behind the end's count, which has a ground of its own.
KNOWN = {
    "step-through 'p is False: the sum is dead'": Counter({("edge×badge", "edge 17", "2"): 2}),
    # With types, the race and the type share the room between two rows of a lane.
    "outcomes 'Did the copy leave before the addition?'": Counter(
        {("with types", "label×badge", "float32_ref ()", "race 1: x"): 1}
    ),
    # Each end of a short line has a sign of its own, and the line a third.
    "graph-diff 'Before and after: the write becomes a result'": Counter(
        {("badge×badge", "↷", "−"): 1, ("badge×badge", "≠", "+"): 1, ("with types", "label×badge", "float32 ()", "+"): 2}
    ),
}
DIFFERENCES = ("+", "−", "≠")
COVERED = {f"{one}×{other}" for one in ("title", "text", "label", "badge") for other in ("title", "text", "label", "badge")}
FLAGSHIP = "The second counter, node by node"

# Boxes and points are in the units of the picture, so that its size on the page does not matter.
MEASURE = """root => [...root.querySelectorAll(".sheet")].flatMap(sheet => {
    const found = [], seen = element => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const box = element => {
        const { x, y, width, height } = element.getBBox(), m = element.getCTM(), o = element.ownerSVGElement.getCTM();
        const dx = (m.e - o.e) / o.a, dy = (m.f - o.f) / o.d;
        return { l: x + dx, t: y + dy, r: x + dx + width, b: y + dy + height };
    };
    const all = selector => [...sheet.querySelectorAll(selector)].filter(seen);
    const inset = (one, x, y) => ({ l: one.l + x, t: one.t + y, r: one.r - x, b: one.b - y });
    const meet = (one, other) => one.l < other.r - .5 && other.l < one.r - .5 && one.t < other.b - .5 && other.t < one.b - .5;
    const item = (kind, element, own) => ({ kind, element, words: element.textContent.trim(), ...own });
    const titles = all(".scope.open .title").map(e => item("title", e, box(e)));
    // A value and a label lie over the end of a line of their node.
    const hides = ".chip, .fetch-flag, .mark-tag";
    const signs = ".badge, .tag:not(.edge-text), .chip, .fetch-flag";
    const texts = all(".node text, .scope.closed text, .block text").filter(e => e.textContent.trim() && !e.closest(signs))
        .map(e => item("text", e, inset(box(e), 0, 3)));
    const labels = all(".edge-text").map(e => item("label", e, box(e)));
    const badges = all(signs).filter(e => e.textContent.trim() && !e.parentElement.closest(signs))
        .map(e => item("badge", e, box(e)));
    const shapes = all(".node, .scope.closed, .block").map(e => item("shape", e, box(e.querySelector(".shape, .card, .area"))));
    for (const edge of all(".edges .edge:not(.stub), .edges .tie, .race path:not(.under)")) {
        const path = edge.matches("path") ? edge : edge.querySelector("path.line"), points = [];
        const length = path.getTotalLength();
        for (let at = 0; at <= length; at += 3) points.push(path.getPointAtLength(at));
        const on = one => points.some(({ x, y }) => one.l < x && x < one.r && one.t < y && y < one.b);
        const ends = [points[0], points.at(-1)];
        const atEnd = (one, by) => ends.some(({ x, y }) => one.l - by < x && x < one.r + by && one.t - by < y && y < one.b + by);
        // The sign of a race goes around the values of its own two nodes.
        const isRace = edge.matches(".race path");
        const name = isRace ? "race" : "edge " + (edge.dataset.edge ?? "tie");
        const others = labels.filter(({ element }) => !edge.contains(element) && !element.matches(".cable"));
        const crossed = [
            ...[...titles, ...texts, ...others].filter(on),
            ...shapes.filter(one => !atEnd(one, 8) && on(inset(one, 1, 1))),
            ...badges.filter(one => !(isRace && one.element.matches(".race-tag")))
                .filter(one => !(!isRace && one.element.matches(hides) && atEnd(one, 24)) && on(inset(one, 1, 1))),
        ];
        for (const { kind, words } of crossed) found.push([`edge×${kind}`, name, words]);
    }
    const marks = [...titles, ...texts, ...labels, ...badges];
    for (const [i, one] of marks.entries()) for (const other of marks.slice(i + 1)) {
        if (!meet(one, other)) continue;
        const kinds = [one.kind, other.kind];
        // A node's own name, type and value stand close together, one below the other.
        if (kinds[0] === "text" && kinds[1] === "text" && one.element.parentElement === other.element.parentElement) continue;
        found.push([kinds.join("×"), one.words, other.words]);
    }
    // A flag keeps off the name beside it.
    for (const flag of badges.filter(one => one.element.matches(".fetch-flag"))) for (const text of texts)
        if (meet(inset(flag, -4, 0), text)) found.push(["flag×text", flag.words, text.words]);
    for (const one of [...labels, ...badges]) for (const shape of shapes)
        if (one.kind === "label" && meet(one, shape)) found.push(["label×node", one.words, shape.words]);
    return found;
})"""


GO = f"""async (root, [run, step]) => {{ const {{ model }} = root.parentElement;
    model.set("run", run); model.set("step", step); {DRAWN} }}"""
# Writes the types of values on the lines, where a widget can.
WITH_TYPES = f"""async root => {{ const button = root.querySelector("[data-testid=labels]");
    button?.click(); {DRAWN} return button !== null; }}"""


class Shown:
    """What the cells of a notebook show, by title, with every prediction committed."""

    def __init__(self, lesson: str):
        self.widgets: list[base.Widget] = []
        self.space: dict[str, Any] = {"__name__": lesson}
        tf.reset_default_graph()
        for cell in nbformat.read(COURSE / f"{lesson}.ipynb", as_version=4).cells:
            if cell.cell_type == "code":
                self.run(cell.source)

    def run(self, source: str) -> None:
        # Some widgets read the text of a function that a cell defines.
        name = f"<{self.space['__name__']} {len(linecache.cache)}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        *cells, last = ast.parse(source).body
        value = None
        # A lesson reads the files beside it.
        with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(COURSE):
            exec(compile(ast.Module(cells, []), name, "exec"), self.space)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), name, "eval"), self.space)
            else:
                exec(compile(ast.Module([last], []), name, "exec"), self.space)
        if isinstance(value, Predict):
            value.reveal()
        if isinstance(value, base.Widget):
            self.widgets.append(value)


def positions(widget: base.Widget) -> list[tuple[int, int]]:
    """The run and step of the places to look at: the first, the middle and the last, or all of the flagship's."""
    record = widget.record
    sides = [side.get("trace") for side in record.get("sides", []) if isinstance(side, dict)]
    traces = [trace for trace in [record, record.get("trace"), *sides] if isinstance(trace, dict)]
    played = [trace["runs"] for trace in traces if isinstance(trace.get("runs"), list)]
    runs = next((found for found in played if found and "steps" in found[0]), [])
    every = [(run, step) for run, one in enumerate(runs) for step in range(len(one["steps"]) + 1)]
    if widget.title == FLAGSHIP or len(every) < 3:
        return every or [(0, 0)]
    return [every[0], every[len(every) // 2], every[-1]]


def measured(stage: Stage, widget: base.Widget) -> Counter[tuple[str, ...]]:
    """What meets what in a widget's pictures: the kinds of both, and their words."""
    root = stage.show(widget)
    found: Counter[tuple[str, ...]] = Counter()
    for run, step in positions(widget):
        root.evaluate(GO, [run, step])
        found.update(looked_at(root))
    if root.evaluate(WITH_TYPES):
        # Where many lines meet, a line may pass behind the type on another one, which has a ground.
        found.update(("with types", *one) for one in looked_at(root) if one[0] != "edge×label")
    stage.forget(root)
    return found


def looked_at(root: Locator) -> list[tuple[str, ...]]:
    """What meets what now. The sign of a difference stands on the line that it marks."""
    found = [tuple(one) for one in root.evaluate(MEASURE)]
    return [one for one in found if one[0] != "edge×badge" or one[-1] not in DIFFERENCES]


def named(widget: base.Widget) -> str:
    return f"{widget.kind} {widget.title!r}"


@pytest.fixture(scope="module")
def stage(browser):
    with staged(browser) as made:
        yield made


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_line_and_no_sign_covers_a_text(stage, lesson):
    shown = Shown(lesson).widgets
    assert shown
    found = {named(widget): measured(stage, widget) - KNOWN.get(named(widget), Counter()) for widget in shown}
    assert {name: meetings for name, meetings in found.items() if meetings} == {}
    assert stage.failed == []


def test_no_count_covers_another_in_a_large_graph(stage):
    """In the first view, and after a block of many and a layer of many are opened."""
    root = stage.show(GraphView(training(12)))
    for opened in (None, "model", "model/block_0…block_11", "model/block_3/layer_0…layer_3"):
        if opened:
            root.locator(f'g.scope.closed[data-scope="{opened}"] .sign').first.dispatch_event("click")
            root.locator(f'g.scope.open[data-scope="{opened}"]').wait_for()
        assert root.locator(".edge-text").count() > 2, opened
        assert {one for one in looked_at(root) if one[0] in COVERED} == set(), opened
    stage.forget(root)
    assert stage.failed == []


# Moves a text onto the middle of the first line.
def twins() -> tf.Graph:
    """Two inputs through one encoder: its two calls have equal rank, the same variables, and one consumer in the next row."""
    keras = tf.keras
    keras.backend.clear_session()
    left, right = keras.Input((28,), name="left"), keras.Input((28,), name="right")
    encoder = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(8)], name="encoder")
    distance = keras.layers.Lambda(lambda both: tf.abs(both[0] - both[1]), name="distance")([encoder(left), encoder(right)])
    keras.Model([left, right], keras.layers.Dense(1, activation="sigmoid", name="same")(distance))
    return tf.get_default_graph()


def branches() -> tf.Graph:
    """Blocks whose variables are read and written: two lines with a count each from one card to another."""
    slim = tf.contrib.slim
    with tf.Graph().as_default() as graph:
        net = tf.placeholder(tf.float32, [None, 8, 8, 3], name="images")
        with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm):
            for block in range(3):
                with tf.variable_scope(f"Mixed_{block}"):
                    net = tf.concat([slim.conv2d(net, 4, 1, scope="a"), slim.conv2d(net, 4, 3, scope="b")], 3)
        slim.fully_connected(slim.flatten(net), 10, scope="logits")
    return graph


@pytest.mark.parametrize("network", [twins, branches])
def test_lines_of_a_network_keep_off_cards_and_counts(stage, network):
    root = stage.show(GraphView(network()))
    assert root.locator("g.scope.closed").count() > 4
    assert looked_at(root) == []
    stage.forget(root)
    assert stage.failed == []


SPOIL = """(root, selector) => { const text = root.querySelector(selector), path = root.querySelector(".edge path.line");
    const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
    text.setAttribute("x", x); text.setAttribute("y", y); }"""


@pytest.mark.parametrize(
    ("selector", "kind"), [(".scope .title", "edge×title"), (".node .name", "edge×text")]
)
def test_a_text_on_a_line_is_found(stage, selector, kind):
    x = tf.Variable(0.0)
    root = stage.show(StepThrough(tf.assign_add(x, 1)))
    assert looked_at(root) == []
    root.evaluate(SPOIL, selector)
    assert kind in {one[0] for one in looked_at(root)}
    stage.forget(root)


if __name__ == "__main__":
    import driver
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM)
        total: Counter[str] = Counter()
        with staged(opened) as page:
            wanted = sys.argv[1:]
            for lesson in [one for one in LESSONS if not wanted or any(arg in one for arg in wanted)]:
                for shown in Shown(lesson).widgets:
                    found = measured(page, shown)
                    kinds = Counter(" ".join(one[:-2]) for one in found)
                    total.update(kinds)
                    print(lesson[:2], named(shown), dict(kinds))
                    if wanted:
                        for one, times in found.items():
                            print("   ", times, *one, sep=" | ")
            print("failed:", page.failed)
        print("total", dict(total))
        opened.close()
