"""Pictures as SVG text: `graph_svg(record)`, `trace_svg(record)` and so on, one function for each kind of record.

A picture needs no `dot`, script, link, font or network. It has a light and a dark background and a legend, and it treats
names as data: escaped, with control characters made visible, long names cut. No state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import Any, Final

from ..labels import encodable, shorten, visible
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
    PipelineRecord,
    PredictRecord,
    PredictResult,
    ReadsRecord,
    TensorRecord,
    TraceRecord,
    TrainingRecord,
)
from ..words.difference_text import SIGNS, diff_text
from ..words.film_text import pass_sentence, source_line, step_texts
from ..words.gradient_text import result_texts
from ..words.lint_text import lint_text
from ..words.outcome_text import outcomes_lines
from .element_grids import element_sheet
from .folding import LIMIT, Folding, fold
from .graph_drawing import (
    SANS,
    Drawing,
    Highlights,
    Sheet,
    block_text,
    count_text,
    layer_texts,
    notice_text,
    paper,
    scope_title,
    wrapped,
    write,
)
from .layout import Orientation
from .layout_levels import Rect
from .marks import number, style
from .pipeline_sheet import pipeline_sheet
from .training_charts import training_sheet
from .value_sheet import value_sheet

NO_MARKS: Final = MarksRecord()
STEPS: Final = 40  # steps of a film that are listed under its picture


def graph_svg(
    record: GraphRecord,
    *,
    title: str | None = None,
    collapsed: Iterable[str] | None = None,
    limit: int = LIMIT,
    lang: str | None = None,
    marks: MarksRecord = NO_MARKS,
    pruned: Collection[int] = (),
    focus: Collection[int] = (),
    outside: Collection[int] = (),
    boxes: bool = False,
    orientation: Orientation = "down",
) -> str:
    """The picture of a graph: scopes in `collapsed` closed, `marks` framed, `focus` with a thick outline, `pruned` nodes pale.

    outside: in the picture of one scope, the nodes around it. boxes: each cond and each loop is a box. orientation: whether
    values flow "down" or to the "right".
    """
    folding = fold(record, collapsed, limit, boxes)
    name = _title(title, "graph.default_title", lang)
    highlights = Highlights(marks=marks, pale=frozenset(pruned), focus=frozenset(focus), outside=frozenset(outside))
    drawing = Drawing(record, folding, lang, highlights, orientation=orientation)
    return document(drawing.sheet(_description(record, folding, lang)), name)


def trace_svg(
    record: TraceRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph of a trace: fetched nodes with a thick outline, pruned nodes pale, and under it the results of each run."""
    return document(_trace_sheet(record, title, NO_MARKS, lang, limit), _title(title, "graph.default_title", lang))


def compare_svg(
    record: CompareRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """Two traces side by side: on each side a frame around what the other side lacks, and the results of each run."""
    sheets = [_trace_sheet(side.trace, side.title, side.marks, lang, limit) for side in record.sides]
    both = beside(sheets, [side.title for side in record.sides])
    return document(both, _title(title, "compare.default_title", lang), has_paper=False)


def flow_svg(
    record: GradientFlowRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph after a call of `gradients`: at each node the number of its turn, at each new node ∂ and the turn's number."""
    badges = {turn.node: str(step) for step, turn in enumerate(record.turns, 1) if turn.kind != "start"}
    badges |= {id: f"∂{step}" for step, turn in enumerate(record.turns, 1) for id in (*turn.sums, *turn.made)}
    ends = frozenset((*(y.node for y in record.ys), *(result.node for result in record.results)))
    name = _title(title, "flow.default_title", lang)
    return _annotated(record.graph, name, result_texts(record, lang), Highlights(badges=badges, focus=ends), lang, limit)


def lint_svg(record: LintRecord, *, title: str | None = None, lang: str | None = None) -> str:
    """The findings in words."""
    lines = [visible(line) for line in lint_text(record, lang).splitlines()[:200]]
    return _text_card(title or message("lint.default_title", lang), lines, room=760.0)


def diff_svg(
    record: GraphDiffRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """Both graphs as one: a frame and a sign at each changed node, removed edges pale with a minus, and a list under it."""
    marks = MarksRecord(
        tuple(change.node for change in record.nodes),
        tuple(change.edge for change in record.edges),
        tuple(change.block for change in record.blocks),
    )
    signs = {change.node: "".join(SIGNS[code] for code in change.changes) for change in record.nodes}
    legend = {
        SIGNS[code]: message(f"legend.{code}", lang)
        for code in SIGNS
        if any(code in change.changes for change in record.nodes)
    }
    removed = frozenset(change.edge for change in record.edges if change.change == "removed")
    highlights = Highlights(
        marks=marks, mark_legend="legend.differs", removed_edges=removed, badges=signs, badge_legend=legend
    )
    name = _title(title, "diff.default_title", lang)
    return _annotated(record.graph, name, diff_text(record, lang).splitlines(), highlights, lang, limit)


def film_svg(
    record: BuildFilmRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph with, at each node, the number of the step that created it, and under it the steps."""
    badges = {id: str(number) for number, step in enumerate(record.steps, 1) for id in step.nodes}
    footer = []
    for step_number, step in enumerate(record.steps[:STEPS], 1):
        footer.append(f"{step_number}. {source_line(record, step)}")
        footer.extend(f"→ {text}" for text in step_texts(record, step, lang))
    if len(record.steps) > STEPS:
        footer.append(f"… +{len(record.steps) - STEPS}")
    highlights = Highlights(badges=badges, badge_legend={"1": message("legend.built", lang)})
    name = _title(title, "film.default_title", lang)
    return _annotated(record.graph, name, footer, highlights, lang, limit, longest=4000)


def passes_svg(
    record: PassesRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph with the turn of each node, nodes that no run computes pale, and under it the passes."""
    badges = {id: str(turn) for turn, id in enumerate(record.order, 1)}
    pale = frozenset(fate.node for step in record.passes for fate in step.fates if fate.leaves)
    highlights = Highlights(badges=badges, pale=pale)
    name = _title(title, "passes.default_title", lang)
    footer = [pass_sentence(step, lang) for step in record.passes]
    return _annotated(record.graph, name, footer, highlights, lang, limit, longest=4000)


def outcomes_svg(
    record: OutcomesRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The graph, the nodes of races with a thick outline, and under it the possible results."""
    pale = frozenset(reason.node for reason in record.trace.pruned)
    racing = frozenset(node for race in record.races for node in (race.first, race.second))
    lines = [shorten(line, 110) for line in outcomes_lines(record, lang)]
    name = _title(title, "outcomes.default_title", lang)
    return _annotated(record.trace.graph, name, lines, Highlights(pale=pale, focus=racing), lang, limit)


def question_svg(
    record: PredictRecord, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The question with its program."""
    lines = [visible(line)[:160] for line in record.text().splitlines()[:200]]
    targets = [message("predict.ask", lang), *(visible(target.label)[:120] for target in record.targets)]
    prompt = [visible(line)[:400] for line in record.prompt.splitlines()[:20]]
    name = title or record.title or message("predict.default_title", lang)
    return _text_card(name, [*prompt, *targets], lines)


def answer_svg(
    record: PredictResult, *, title: str | None = None, lang: str | None = None, limit: int = LIMIT
) -> str:
    """The comparison or the trace of the answered question; where it has neither, the values that the engine computed."""
    if record.compare is not None:
        return compare_svg(record.compare, title=title, lang=lang, limit=limit)
    if record.trace is not None:
        return trace_svg(record.trace, title=title, lang=lang, limit=limit)
    values = [
        f"{shorten(target.key, 30)}: {', '.join(shorten(value, 30) for value in target.actual)}" for target in record.targets
    ]
    return _text_card(message("predict.result", lang), values)


def game_svg(record: GameRecord, *, lang: str | None = None, **options: Any) -> str:
    """The graph of a game; options as in graph_svg."""
    return graph_svg(record.graph, lang=lang, **options)


def arranged_svg(record: ArrangedRecord, *, lang: str | None = None, **options: Any) -> str:
    """The pieces of a program and the edges between them; options as in graph_svg."""
    return graph_svg(record.canvas, lang=lang, **options)


def training_svg(record: TrainingRecord, *, title: str | None = None, lang: str | None = None) -> str:
    """The charts of trainings."""
    return document(training_sheet(record, lang), _title(title, "training.default_title", lang))


def value_svg(record: TensorRecord, *, title: str | None = None, lang: str | None = None) -> str:
    """A value in the first look that the record has numbers for."""
    name = _title(title or record.name, "value.default_title", lang)
    return document(value_sheet(record, name, lang), name)


def reads_svg(record: ReadsRecord, *, title: str | None = None, lang: str | None = None) -> str:
    """The tensors element by element, with what one element of the output reads."""
    name = _title(title, "reads.default_title", lang)
    return document(element_sheet(record, name, lang), name)


def pipeline_svg(record: PipelineRecord, *, title: str | None = None, lang: str | None = None) -> str:
    """The stages of input pipelines, what each handed on, and their work on the clock."""
    name = _title(title, "pipeline.default_title", lang)
    return document(pipeline_sheet(record, name, lang), name)


def beside(sheets: Sequence[Sheet], titles: Sequence[str]) -> Sheet:
    """The sheets side by side, each on paper of its own; titles: for the description."""
    height = max((sheet.height for sheet in sheets), default=0.0)
    x = 0.0
    parts: list[str] = []
    for sheet in sheets:
        background = paper(Rect(0, 0, sheet.width, height))
        parts.append(f'<g transform="translate({number(x)} 0)">{background}{sheet.svg}</g>')
        x += sheet.width + 12.0
    described = " ".join(f"{shorten(title, 60)}: {sheet.description}" for title, sheet in zip(titles, sheets, strict=True))
    return Sheet("".join(parts), max(x - 12.0, 1.0), height, described)


# -- shared by the kinds ---------------------------------------------------------------------------------------------


def _title(title: str | None, default: str, lang: str | None) -> str:
    """The title that the caller names, or the message `default`."""
    return shorten(title or message(default, lang), 60)


def _annotated(
    graph: GraphRecord,
    title: str,
    footer: list[str],
    highlights: Highlights,
    lang: str | None,
    limit: int,
    longest: int | None = None,
) -> str:
    """A graph under its title, with sentences below it. longest: cuts the description, in characters."""
    folding = fold(graph, None, limit)
    drawing = Drawing(graph, folding, lang, highlights, title, footer)
    described = " ".join([_description(graph, folding, lang), *footer])
    return document(drawing.sheet(described[:longest]), title)


def _trace_sheet(
    record: TraceRecord, title: str | None, marks: MarksRecord, lang: str | None, limit: int
) -> Sheet:
    """A trace's graph with its title above and the results of each run below."""
    graph = record.graph
    folding = fold(graph, None, limit)
    footer = []
    for run in record.runs:
        texts = ", ".join(shorten(item.text, 40) for item in run.fetched) if run.error is None else run.error
        footer.append(message("compare.printed_run", lang, run=run.index + 1, value=texts))
    highlights = Highlights(
        marks=marks,
        pale=frozenset(reason.node for reason in record.pruned),
        focus=frozenset(fetch.node for fetch in record.fetches),
        badges=_turns(record),
    )
    heading = shorten(title, 50) if title else ""
    drawing = Drawing(graph, folding, lang, highlights, heading, footer)
    return drawing.sheet(" ".join([_description(graph, folding, lang), *footer]))


def _turns(record: TraceRecord) -> dict[int, str]:
    """For each node the step at which it ran; none where the runs took different orders."""
    orders = {tuple(step.node for step in run.steps) for run in record.runs}
    return {node: str(turn) for turn, node in enumerate(orders.pop(), 1)} if len(orders) == 1 else {}


def _description(record: GraphRecord, folding: Folding, lang: str | None) -> str:
    """The picture's description for screen readers: counts, layers of repeated blocks, empty blocks and notices."""
    parts = [count_text("nodes", folding, lang)]
    parts.extend(count_text(kind, folding, lang) for kind in EDGE_KINDS)
    boxes = list(folding.boxes())
    layers = {scope_title(box, lang): layer_texts(box, lang) for box in boxes if box.group is not None and box.layer is not None}
    parts.extend(f"{title}: {', '.join(texts)}" for title, texts in layers.items())
    parts.extend(block_text(box, record, lang) for box in boxes if box.kind == "block")
    parts.extend(notice_text(notice.code, notice.params, lang) for notice in record.notices)
    return ". ".join(part.rstrip(".。") for part in parts[:40]) + "."


def document(sheet: Sheet, title: str, has_paper: bool = True) -> str:
    """A sheet as an SVG document. has_paper: whether it gets a background of its own."""
    return documents([sheet], title, has_paper)[0]


def documents(sheets: Sequence[Sheet], title: str, has_paper: bool = True) -> list[str]:
    """Frames as SVG documents with one and the same style."""
    papers = [paper(Rect(0, 0, sheet.width, sheet.height)) if has_paper else "" for sheet in sheets]
    rules = style("".join([*papers, *[sheet.svg for sheet in sheets]]))
    return [_document(sheet, title, background, rules) for sheet, background in zip(sheets, papers, strict=True)]


def _document(sheet: Sheet, title: str, background: str, rules: str) -> str:
    width, height = number(sheet.width), number(sheet.height)
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tfedu-svg" role="img" {size} font-family="{SANS}" '
        f'style="max-width:100%;height:auto"><title>{escape(title)}</title><desc>{escape(sheet.description)}</desc>'
        f"<style>{rules}</style>{background}{sheet.svg}</svg>"
    )
    return encodable(text)


def _text_card(title: str, texts: list[str], code: Sequence[str] = (), room: float = 360.0) -> str:
    """A document of a title, sentences, and lines of a program."""
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
    sheet = Sheet("".join(parts), room, y, " ".join([*texts, *code])[:2000])
    return document(sheet, visible(title)[:200])
