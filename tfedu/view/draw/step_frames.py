"""The steps of steppers as pictures, one a step: `trace_frames(record, [0, 1, 2])`, and so on for each kind of record with steps.

Frame 0 is the state before the first step. All frames of a record have the same size and the same places for nodes and texts, so
that they can be laid one on the other; what is not there yet, or has not run yet, is missing or pale. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from ..labels import shorten
from ..messages import message
from ..records import (
    BuildFilmRecord,
    CompareRecord,
    GradientFlowRecord,
    GraphRecord,
    MarksRecord,
    PassesRecord,
    PipelineRecord,
    PredictResult,
    RunRecord,
    TraceRecord,
)
from ..words.film_text import pass_sentence, source_line, step_texts
from ..words.gradient_text import ready_sentence, result_texts, turn_lines, turn_sentence
from ..words.pipeline_text import moves
from ..words.terminal_text import ready_text, step_sentence, variable_sentence
from .folding import LIMIT, fold
from .graph_drawing import FOOTER, Drawing, Highlights, Sheet, wrapped
from .pipeline_sheet import pipeline_sheet
from .svg import NO_MARKS, beside, documents

VARIABLES: Final = 6  # whose values are under a frame
TEXTS: Final = 8  # under a frame of a step with many


class _Frame(NamedTuple):
    """What differs from frame to frame: the sentences under the graph, and what is set off in it."""

    texts: list[str]
    highlights: Highlights


# -- traces ------------------------------------------------------------------------------------------------------------


def trace_frame_count(record: TraceRecord) -> int:
    return sum(len(run.steps) + 1 for run in record.runs)


def trace_frames(record: TraceRecord, chosen: Sequence[int], title: str | None = None, lang: str | None = None) -> list[str]:
    """The runs, one after the other: in each the turns and values of the nodes that have run, and the variables."""
    places = [(run, step) for run in record.runs for step in range(len(run.steps) + 1)]
    frames = [_trace_frame(record, *places[number], lang) for number in chosen]
    sheets = _graph_sheets(record.graph, frames, title, lang)
    return documents(sheets, _name(title, "steps.default_title", lang))


def compare_frame_count(record: CompareRecord) -> int:
    return sum(1 for _ in _pairs(record))


def compare_frames(
    record: CompareRecord, chosen: Sequence[int], title: str | None = None, lang: str | None = None
) -> list[str]:
    """Both sides beside each other, at the same step of the same run; a side that is over waits for the other."""
    pairs = list(_pairs(record))
    sides = []
    for at, side in enumerate(record.sides):
        frames = [_trace_frame(side.trace, *pairs[number][at], lang, side.marks) for number in chosen]
        sides.append(_graph_sheets(side.trace.graph, frames, side.title, lang))
    name = _name(title, "compare.default_title", lang)
    both = [beside(pair, [side.title for side in record.sides]) for pair in zip(*sides, strict=True)]
    return documents(both, name, has_paper=False)


def _pairs(record: CompareRecord) -> Iterator[list[tuple[RunRecord | None, int]]]:
    """For each frame the run and step of each side."""
    for runs in zip_longest(*[side.trace.runs for side in record.sides]):
        for step in range(max(len(run.steps) for run in runs if run is not None) + 1):
            yield [(run, min(step, len(run.steps)) if run is not None else 0) for run in runs]


def answer_frame_count(record: PredictResult) -> int:
    if record.compare is not None:
        return compare_frame_count(record.compare)
    return 0 if record.trace is None else trace_frame_count(record.trace)


def answer_frames(
    record: PredictResult, chosen: Sequence[int], title: str | None = None, lang: str | None = None
) -> list[str]:
    """The runs of the answered question."""
    if record.compare is not None:
        return compare_frames(record.compare, chosen, title, lang)
    return [] if record.trace is None else trace_frames(record.trace, chosen, title, lang)


def _trace_frame(
    record: TraceRecord, run: RunRecord | None, step: int, lang: str | None, marks: MarksRecord = NO_MARKS
) -> _Frame:
    """A run after so many steps; without a run what is there before all runs."""
    steps = () if run is None else run.steps[:step]
    turns = {each.node: str(turn) for turn, each in enumerate(steps, 1)}
    values = {each.node: _value(each, lang) for each in steps if each.outputs}
    is_over = run is not None and step == len(run.steps)
    texts = []
    variables: dict[str, str] = {}
    if run is not None:
        code = "steps.done" if is_over else "steps.position"
        counts = {"run": run.index + 1, "runs": len(record.runs), "step": step, "total": len(run.steps)}
        happened = step_sentence(record, steps[-1], lang) if steps else ready_text(record, run, lang)
        texts = [message(code, lang, **counts), happened]
        variables = dict(run.start.variables)
        for each in steps:
            variables |= {name: after for name, _, after in each.writes}
    shown = list(variables.items())
    texts += [variable_sentence(name, value, lang) for name, value in shown[:VARIABLES]]
    texts += [f"… +{len(shown) - VARIABLES}"] if len(shown) > VARIABLES else []
    done = [] if run is None else record.runs[: record.runs.index(run) + is_over]
    for each_run in done[-VARIABLES:]:
        result = each_run.error if each_run.error is not None else ", ".join(shorten(item.text, 40) for item in each_run.fetched)
        texts.append(message("compare.printed_run", lang, run=each_run.index + 1, value=shorten(result, 160)))
    highlights = Highlights(
        within=True,
        marks=marks,
        pale=frozenset(node.id for node in record.graph.nodes if node.id not in turns),
        focus=frozenset([steps[-1].node] if steps else ()),
        badges=turns,
        badge_legend={"1": message("legend.turn", lang), "= 0": message("legend.value", lang)},
        values=values,
    )
    return _Frame(texts, highlights)


def _value(step: Any, lang: str | None) -> str:
    """The value of a step's first output, short enough for the corner of a box."""
    output = step.outputs[0]
    text = message("text.dead", lang) if output.dead else shorten(output.text, 24) or message("tape.unset", lang)
    return f"= {text}" + (" …" if len(step.outputs) > 1 else "")


# -- graphs that grow, and passes --------------------------------------------------------------------------------------


def film_frame_count(record: BuildFilmRecord) -> int:
    return len(record.steps) + 1


def film_frames(
    record: BuildFilmRecord, chosen: Sequence[int], title: str | None = None, lang: str | None = None
) -> list[str]:
    """The graph after so many steps of its program; the nodes of the last one have a frame."""
    total = len(record.steps)
    frames = []
    for number in chosen:
        done, later = record.steps[:number], record.steps[number:]
        texts = [message("film.position", lang, step=number, total=total)]
        if not done:
            texts.append(message("film.live.ready", lang, n=total))
        else:
            texts += [source_line(record, done[-1]), *step_texts(record, done[-1], lang)[:TEXTS]]
        highlights = Highlights(
            within=True,
            marks=MarksRecord(done[-1].nodes, done[-1].edges, done[-1].blocks) if done else NO_MARKS,
            mark_legend="legend.new",
            badges={id: str(turn) for turn, step in enumerate(done, 1) for id in step.nodes},
            badge_legend={"1": message("legend.built", lang)},
            absent=_ids(step.nodes for step in later),
            absent_edges=_ids(step.edges for step in later),
            absent_blocks=_ids(step.blocks for step in later),
        )
        frames.append(_Frame(texts, highlights))
    name = _name(title, "film.default_title", lang)
    return documents(_graph_sheets(record.graph, frames, title, lang), name)


def flow_frame_count(record: GradientFlowRecord) -> int:
    return len(record.turns) + 1


def flow_frames(
    record: GradientFlowRecord, chosen: Sequence[int], title: str | None = None, lang: str | None = None
) -> list[str]:
    """The graph after so many turns of the backward sweep; the nodes that the last one made have a frame."""
    names = {node.id: shorten(node.name, 60) for node in record.graph.nodes}
    frames = []
    for number in chosen:
        done, later = record.turns[:number], record.turns[number:]
        if done:
            texts = [turn_sentence(record, number, names, lang), *list(turn_lines(done[-1], names, lang))[:TEXTS]]
        else:
            texts = [ready_sentence(record, lang)]
        texts += [] if later else result_texts(record, lang)[:TEXTS]
        turns = {turn.node: str(at) for at, turn in enumerate(done, 1) if turn.kind != "start"}
        highlights = Highlights(
            within=True,
            marks=MarksRecord((*done[-1].sums, *done[-1].made)) if done else NO_MARKS,
            mark_legend="legend.new",
            focus=frozenset([done[-1].node] if done else ()),
            badges=turns | {id: f"∂{at}" for at, turn in enumerate(done, 1) for id in (*turn.sums, *turn.made)},
            badge_legend={"1": message("legend.turn", lang)},
            absent=_ids((*turn.sums, *turn.made) for turn in later),
        )
        frames.append(_Frame(texts, highlights))
    name = _name(title, "flow.default_title", lang)
    return documents(_graph_sheets(record.graph, frames, title, lang), name)


def passes_frame_count(record: PassesRecord) -> int:
    return len(record.passes)


def passes_frames(
    record: PassesRecord, chosen: Sequence[int], title: str | None = None, lang: str | None = None
) -> list[str]:
    """The graph after each pass: what no run computes is pale, and the turns are there from the pass on that gives them."""
    frames = []
    for number in chosen:
        done = record.passes[: number + 1]
        name = message(f"passes.name.{done[-1].code}", lang)
        position = message("passes.position", lang, step=number + 1, total=len(record.passes), name=name)
        has_turns = any(step.code == "order" for step in done)
        highlights = Highlights(
            within=True,
            pale=frozenset(fate.node for step in done for fate in step.fates if fate.leaves),
            badges={id: str(turn) for turn, id in enumerate(record.order, 1)} if has_turns else {},
            badge_legend={"1": message("legend.turn", lang)},
        )
        frames.append(_Frame([position, pass_sentence(done[-1], lang)], highlights))
    name = _name(title, "passes.default_title", lang)
    return documents(_graph_sheets(record.graph, frames, title, lang), name)


# -- pipelines ---------------------------------------------------------------------------------------------------------


def pipeline_frame_count(record: PipelineRecord) -> int:
    return len(_clock(record)) + 1


def pipeline_frames(
    record: PipelineRecord, chosen: Sequence[int], title: str | None = None, lang: str | None = None
) -> list[str]:
    """The stages after so many moves, with the elements that each holds, and their work so far."""
    name = _name(title, "pipeline.default_title", lang)
    clock = _clock(record)
    sentences = [list(moves(pipe, lang)) for pipe in record.pipes]
    sheets = []
    for number in chosen:
        counts = [sum(1 for pipe, _ in clock[:number] if pipe == at) for at in range(len(record.pipes))]
        time = 0.0
        text = message("pipeline.live.ready", lang, n=len(clock))
        if number:
            pipe, moment = clock[number - 1]
            time, text = record.pipes[pipe].moments[moment].time, sentences[pipe][moment]
        everything = max((pipe.total for pipe in record.pipes), default=0.0)
        position = message("pipeline.position", lang, time=f"{time:g}", all=f"{everything:g}", step=number, total=len(clock))
        sheets.append(pipeline_sheet(record, name, lang, counts, time, [position, text]))
    height = max((sheet.height for sheet in sheets), default=0.0)
    return documents([sheet._replace(height=height) for sheet in sheets], name)


def _clock(record: PipelineRecord) -> list[tuple[int, int]]:
    """The moments of all pipelines in the order of time, each as the numbers of its pipeline and of its place there."""
    moments = [(each.time, pipe, at) for pipe, of in enumerate(record.pipes) for at, each in enumerate(of.moments)]
    return [(pipe, at) for _, pipe, at in sorted(moments)]


# -- shared ------------------------------------------------------------------------------------------------------------


def _graph_sheets(graph: GraphRecord, frames: Sequence[_Frame], title: str | None, lang: str | None) -> list[Sheet]:
    """The frames of one graph, all of one size, with each text at the same place in all of them."""
    folding = fold(graph, None, LIMIT)
    heading = shorten(title, 50) if title else ""
    empty = Drawing(graph, folding, lang, Highlights(), heading)
    wraps = [[wrapped(text, empty.width - 28.0, FOOTER) for text in frame.texts] for frame in frames]
    most = [max(map(len, same)) for same in zip_longest(*wraps, fillvalue=())]
    sheets = []
    for frame, texts in zip(frames, wraps, strict=True):
        texts = [*texts, *[[]] * (len(most) - len(texts))]
        footer = [line for text, count in zip(texts, most, strict=True) for line in [*text, *[""] * (count - len(text))]]
        drawing = Drawing(graph, folding, lang, frame.highlights, heading, footer, placed=empty.layout)
        sheets.append(drawing.sheet(" ".join(frame.texts)))
    height = max((sheet.height for sheet in sheets), default=0.0)
    return [sheet._replace(height=height) for sheet in sheets]


def _ids(groups: Iterable[Iterable[int]]) -> frozenset[int]:
    return frozenset(id for group in groups for id in group)


def _name(title: str | None, default: str, lang: str | None) -> str:
    return shorten(title or message(default, lang), 60)
