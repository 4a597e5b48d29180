"""Pictures as SVG text: `graph_svg(record)`, `trace_svg` and so on, or `picture(record)` for any.

A picture needs no `dot`, script, link, font or network; it has its own paper (and a dark one), says what its signs mean,
and shows names as data: escaped, control characters made visible, long ones cut. No state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from html import escape
from typing import Any, Final

from ...engine.base.uncollected import uncollected
from ..labels import shorten, visible
from ..make.graph_difference import SIGNS, diff_text
from ..messages import message
from ..records import (
    EDGE_KINDS,
    ArrangedRecord,
    BuildFilmRecord,
    CompareRecord,
    GameRecord,
    GradientFlowRecord,
    GraphDiffRecord,
    GraphRecord,
    LintRecord,
    MarksRecord,
    OutcomesRecord,
    PassesRecord,
    PredictRecord,
    PredictResult,
    TensorRecord,
    TraceRecord,
    TrainingRecord,
)
from ..words.film_text import pass_sentence, source_line, step_texts
from ..words.gradient_text import result_texts
from ..words.lint_text import lint_text
from ..words.outcome_text import outcomes_lines
from .folding import LIMIT, Folding, fold
from .graph_drawing import SANS, Drawing, block_text, count_text, notice_text, sheet, wrapped, write
from .layout import Orientation
from .layout_levels import Rect
from .marks import (
    number,
    style,
)
from .training_charts import training_sheet
from .value_sheet import value_sheet

NONE: Final = MarksRecord()
STEPS: Final = 40  # steps of a film under its picture


@uncollected()
def picture(record: Any, *, lang: str | None = None, **options: Any) -> str:
    """The SVG of a record; options as in the function for its kind. What is a list of words alone has none.

    Raises: TypeError for what is no record of a picture.
    """
    if isinstance(record, GraphRecord):
        return graph_svg(record, lang=lang, **options)
    if isinstance(record, TraceRecord):
        return trace_svg(record, lang=lang, **options)
    if isinstance(record, CompareRecord):
        return compare_svg(record, lang=lang, **options)
    if isinstance(record, GradientFlowRecord):
        return flow_svg(record, lang=lang, **options)
    if isinstance(record, LintRecord):
        return lint_svg(record, lang=lang, **options)
    if isinstance(record, (PredictRecord, PredictResult)):
        return predict_svg(record, lang=lang, **options)
    if isinstance(record, TrainingRecord):
        return training_svg(record, lang=lang, **options)
    if isinstance(record, OutcomesRecord):
        return outcomes_svg(record, lang=lang, **options)
    if isinstance(record, (GameRecord, ArrangedRecord)):
        return graph_svg(record.graph if isinstance(record, GameRecord) else record.canvas, lang=lang, **options)
    if isinstance(record, GraphDiffRecord):
        return diff_svg(record, lang=lang, **options)
    if isinstance(record, TensorRecord):
        return value_svg(record, lang=lang, **options)
    if isinstance(record, BuildFilmRecord):
        return film_svg(record, lang=lang, **options)
    if isinstance(record, PassesRecord):
        return passes_svg(record, lang=lang, **options)
    raise TypeError(f"not a record of a picture: {type(record).__name__}")


def graph_svg(
    record: GraphRecord,
    *,
    title: str | None = None,
    collapsed: Iterable[str] | None = None,
    limit: int = LIMIT,
    lang: str | None = None,
    marks: MarksRecord = NONE,
    pruned: Collection[int] = (),
    focus: Collection[int] = (),
    boxes: bool = False,
    orientation: Orientation = "down",
) -> str:
    """The picture of a graph: scopes in `collapsed` closed, `marks` and `focus` set off, `pruned` nodes pale.

    boxes: each cond and each loop is a box. orientation: whether values flow "down" or to the "right".
    """
    shown = fold(record, collapsed, limit, boxes)
    name = shorten(title, 60) if title else message("graph.default_title", lang)
    drawing = Drawing(record, shown, lang, marks, frozenset(pruned), frozenset(focus), orientation=orientation)
    return _document(drawing.width, drawing.height, name, _description(record, shown, lang), drawing.body)


def trace_svg(
    record: TraceRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph of a trace: what is fetched set off, what is pruned pale, and what each run gave under it."""
    body, w, h, desc = _traced(record, title, NONE, lang, limit)
    return _document(w, h, shorten(title, 60) if title else message("graph.default_title", lang), desc, body)


def compare_svg(
    record: CompareRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """Two traces side by side, each with what the other has not marked, and what each printed under it."""
    at = 0.0
    height = 0.0
    parts: list[tuple[float, float, str]] = []
    descriptions: list[str] = []
    for side in record.sides:
        body, w, h, desc = _traced(side.trace, side.title, side.marks, lang, limit)
        parts.append((at, w, body))
        descriptions.append(f"{shorten(side.title, 60)}: {desc}")
        at += w + 12.0
        height = max(height, h)
    name = shorten(title, 60) if title else message("compare.default_title", lang)
    sides = [
        f'<g transform="translate({number(at)} 0)">{sheet(Rect(0, 0, w, height))}{body}</g>'
        for at, w, body in parts
    ]
    return _document(max(at - 12.0, 1.0), height, name, " ".join(descriptions), "".join(sides), paper=False)


def flow_svg(
    record: GradientFlowRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph after a call of `gradients`: at each node its turn, at each new node the turn that made it."""
    turns = {turn.node: str(step) for step, turn in enumerate(record.turns, 1) if turn.kind != "start"}
    turns |= {id: f"∂{step}" for step, turn in enumerate(record.turns, 1) for id in (*turn.sums, *turn.made)}
    shown = fold(record.graph, None, limit)
    asked = frozenset((*(y.node for y in record.ys), *(result.node for result in record.results)))
    results = result_texts(record, lang)
    name = shorten(title, 60) if title else message("flow.default_title", lang)
    drawing = Drawing(record.graph, shown, lang, NONE, frozenset(), asked, name, results, turns)
    described = " ".join([_description(record.graph, shown, lang), *results])
    return _document(drawing.width, drawing.height, name, described, drawing.body)


def lint_svg(record: LintRecord, *, title: str | None = None, lang: str | None = None) -> str:
    """The findings in words."""
    lines = [visible(line) for line in lint_text(record, lang).splitlines()[:200]]
    return _text_card(title or message("lint.default_title", lang), lines, [], lang, room=760.0)


def diff_svg(
    record: GraphDiffRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """Both graphs as one: what changed is framed and has a sign, an edge that is gone is pale with a minus; a list is below."""
    shown = fold(record.graph, None, limit)
    marks = MarksRecord(
        tuple(change.node for change in record.nodes),
        tuple(change.edge for change in record.edges),
        tuple(change.block for change in record.blocks),
    )
    signs = {change.node: "".join(SIGNS[what] for what in change.changes) for change in record.nodes}
    texts = diff_text(record, lang).splitlines()
    words = {
        SIGNS[what]: message(f"legend.{what}", lang)
        for what in SIGNS
        if any(what in change.changes for change in record.nodes)
    }
    gone = frozenset(change.edge for change in record.edges if change.change == "removed")
    name = shorten(title, 60) if title else message("diff.default_title", lang)
    drawing = Drawing(
        record.graph, shown, lang, marks, frozenset(), frozenset(), name, texts, signs, signs_mean=words, gone=gone
    )
    described = " ".join([_description(record.graph, shown, lang), *texts])
    return _document(drawing.width, drawing.height, name, described, drawing.body)
def film_svg(
    record: BuildFilmRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph with the number of the step that made each node, and under it the steps."""
    turns = {id: str(at) for at, step in enumerate(record.steps, 1) for id in step.nodes}
    footer = []
    for at, step in enumerate(record.steps[:STEPS], 1):
        footer.append(f"{at}. {source_line(record, step)}")
        footer.extend(f"→ {text}" for text in step_texts(record, step, lang))
    if len(record.steps) > STEPS:
        footer.append(f"… +{len(record.steps) - STEPS}")
    name = title or message("film.default_title", lang)
    return _told(record.graph, name, footer, turns, frozenset(), lang, limit, "legend.built")


def passes_svg(
    record: PassesRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph with the turns of its nodes, those that no run computes pale, and under it the passes."""
    turns = {id: str(turn) for turn, id in enumerate(record.order, 1)}
    gone = frozenset(fate.node for step in record.passes for fate in step.fates if fate.leaves)
    footer = [pass_sentence(step, lang) for step in record.passes]
    return _told(record.graph, title or message("passes.default_title", lang), footer, turns, gone, lang, limit)


def _told(
    graph: GraphRecord,
    title: str,
    footer: list[str],
    turns: dict[int, str],
    pale: frozenset[int],
    lang: str | None,
    limit: int,
    turn: str = "legend.turn",
) -> str:
    """A graph with numbers at its nodes and sentences under it."""
    shown = fold(graph, None, limit)
    name = shorten(title, 60)
    drawing = Drawing(graph, shown, lang, NONE, pale, frozenset(), name, footer, turns, signs_mean={"1": message(turn, lang)})
    described = " ".join([_description(graph, shown, lang), *footer])
    return _document(drawing.width, drawing.height, name, described[:4000], drawing.body)


def predict_svg(
    record: PredictRecord | PredictResult,
    *,
    title: str | None = None,
    lang: str | None = None,
    limit: int = LIMIT,
) -> str:
    """The question with its program; of a result, its comparison or trace."""
    if isinstance(record, PredictResult):
        if record.compare is not None:
            return compare_svg(record.compare, title=title, lang=lang, limit=limit)
        if record.trace is not None:
            return trace_svg(record.trace, title=title, lang=lang, limit=limit)
        return _text_card(
            message("predict.result", lang), [_printed(t.key, t.actual) for t in record.targets], [], lang
        )
    lines = [visible(line)[:160] for line in record.code.splitlines()[:200]]
    asked = [message("predict.ask", lang), *(visible(target.label)[:120] for target in record.targets)]
    prompt = [visible(line)[:400] for line in record.prompt.splitlines()[:20]]
    return _text_card(
        title or record.title or message("predict.default_title", lang), [*prompt, *asked], lines, lang
    )


def outcomes_svg(
    record: OutcomesRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph with the nodes of races set off, and under it what can come out."""
    graph = record.trace.graph
    shown = fold(graph, None, limit)
    pruned = frozenset(reason.node for reason in record.trace.pruned)
    racing = frozenset(node for race in record.races for node in (race.first, race.second))
    name = shorten(title, 60) if title else message("outcomes.default_title", lang)
    lines = [shorten(line, 110) for line in outcomes_lines(record, lang)]
    drawing = Drawing(graph, shown, lang, NONE, pruned, racing, name, lines)
    described = " ".join([_description(graph, shown, lang), *lines])
    return _document(drawing.width, drawing.height, name, described, drawing.body)


def training_svg(record: TrainingRecord, *, title: str | None = None, lang: str | None = None) -> str:
    """The charts of trainings, in as far as they were told."""
    body, w, h, desc = training_sheet(record, lang)
    name = shorten(title, 60) if title else message("training.default_title", lang)
    return _document(w, h, name, desc, body)


def value_svg(record: TensorRecord, *, title: str | None = None, lang: str | None = None) -> str:
    """A value as its first look shows it."""
    name = shorten(title or record.name or message("value.default_title", lang), 60)
    body, w, h, desc = value_sheet(record, name, lang)
    return _document(w, h, name, desc, body)


def _printed(key: str, values: Iterable[str]) -> str:
    return f"{shorten(key, 30)}: {', '.join(shorten(value, 30) for value in values)}"


def _document(w: float, h: float, title: str, description: str, body: str, paper: bool = True) -> str:
    size = f'width="{number(w)}" height="{number(h)}" viewBox="0 0 {number(w)} {number(h)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tfedu-svg" role="img" {size} font-family="{SANS}" '
        f'style="max-width:100%;height:auto"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"<style>{style()}</style>{sheet(Rect(0, 0, w, h)) if paper else ''}{body}</svg>"
    )


def _description(record: GraphRecord, shown: Folding, lang: str | None) -> str:
    parts = [count_text("nodes", shown, lang)]
    parts.extend(count_text(kind, shown, lang) for kind in EDGE_KINDS)
    parts.extend(block_text(box, record, lang) for box in shown.boxes() if box.kind == "block")
    parts.extend(notice_text(notice.code, notice.params, lang) for notice in record.notices)
    return ". ".join(part.rstrip(".。") for part in parts[:40]) + "."


def _traced(
    record: TraceRecord, title: str | None, marks: MarksRecord, lang: str | None, limit: int
) -> tuple[str, float, float, str]:
    """Body, width, height and description of a trace's picture, with its title above and its results below."""
    graph = record.graph
    shown = fold(graph, None, limit)
    pruned = frozenset(reason.node for reason in record.pruned)
    fetched = frozenset(fetch.node for fetch in record.fetches)
    footer = []
    for run in record.runs:
        texts = ", ".join(shorten(item.text, 40) for item in run.fetched) if run.error is None else run.error
        footer.append(message("compare.printed_run", lang, run=run.index + 1, value=texts))
    heading = shorten(title, 50) if title else ""
    drawing = Drawing(graph, shown, lang, marks, pruned, fetched, heading, footer, _turns(record))
    described = [_description(graph, shown, lang), *footer]
    return drawing.body, drawing.width, drawing.height, " ".join(described)


def _turns(record: TraceRecord) -> dict[int, str]:
    """At which step each node had its turn, where that is the same in all runs."""
    orders = {tuple(step.node for step in run.steps) for run in record.runs}
    return {node: str(turn) for turn, node in enumerate(orders.pop(), 1)} if len(orders) == 1 else {}


def _text_card(title: str, texts: list[str], code: list[str], lang: str | None, room: float = 360.0) -> str:
    room = max([room, *(len(line) * 7.3 + 40 for line in code)])
    parts: list[str] = []
    y = 24.0
    for line in wrapped(visible(title)[:200], room - 32, 14):
        parts.append(write(16, y, line, 14, anchor="start", weight=600))
        y += 20
    for text in texts:
        for line in wrapped(text, room - 32, 12):
            parts.append(write(16, y, line, 12, anchor="start"))
            y += 17
    y += 6
    for line in code:
        indent = len(line) - len(line.lstrip())
        parts.append(write(16 + indent * 7.3, y, line.lstrip(), 12, anchor="start", mono=True))
        y += 17
    return _document(room, y, visible(title)[:200], " ".join([*texts, *code])[:2000], "".join(parts))
