"""What a record looks like, says, and is on its way to the browser: one row of `KINDS` for each kind of record.

`picture(record)` is its SVG, `text_of(record)` its text, `message_of(record)` what the front end receives, and
`graphs_of(record)` has the graphs in its picture. A new kind of record is a dataclass in records/, its name in
`records.Record` or `records.Beside`, and a row here. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from ..engine.base.garbage_collection import collection_paused
from .draw import step_frames, svg
from .labels import encodable
from .records import (
    ArrangedRecord,
    BranchRecord,
    BreaksRecord,
    BuildFilmRecord,
    CompareRecord,
    GameRecord,
    GradientFlowRecord,
    GraphDiffRecord,
    GraphRecord,
    LayersRecord,
    LeavesRecord,
    LintRecord,
    OutcomesRecord,
    PassesRecord,
    PipelineRecord,
    PlayedRecord,
    PredictRecord,
    PredictResult,
    PuzzleRecord,
    ReadsRecord,
    ReasonRecord,
    Record,
    RunFactsRecord,
    RunRecord,
    SelfCheckRecord,
    TensorRecord,
    TraceRecord,
    TrainingRecord,
    packed_message,
    to_json,
)
from .words import task_text, terminal_text
from .words.difference_text import diff_text
from .words.film_text import film_text, passes_text
from .words.gradient_text import flow_text
from .words.layers_text import layers_text
from .words.lint_text import lint_text
from .words.outcome_text import outcomes_text
from .words.pipeline_text import pipeline_text
from .words.reads_text import reads_text
from .words.training_text import training_text
from .words.value_text import value_lines

Json = dict[str, Any]
Graphs = tuple[tuple[str, GraphRecord], ...]


class Frames(NamedTuple):
    """The steps of a kind of record as pictures. count: how many a record has; draw: those with the given numbers, from 0."""

    count: Callable[[Any], int]
    draw: Callable[..., list[str]]


class RecordKind(NamedTuple):
    """The functions of one kind of record.

    picture: `picture(record, title=, lang=)` answers SVG; None for a record that is text alone or part of another one's view.
    text: `text(record, lang)`; None for a record that only widgets use. message: the record as the browser receives it. graphs:
    the graphs in its picture, each with a title, or "" for the only one; None for a picture of something else. frames: its
    steps; None for a record without steps.
    """

    picture: Callable[..., str] | None = None
    text: Callable[[Any, str | None], str] | None = None
    message: Callable[[Any], Json] = to_json
    graphs: Callable[[Any], Graphs] | None = None
    frames: Frames | None = None


def _steps(runs: tuple[RunRecord, ...]) -> int:
    return sum(len(run.steps) for run in runs)


def _graph_message(record: GraphRecord) -> Json:
    return packed_message(record, len(record.edges))


def _trace_size(record: TraceRecord) -> int:
    return len(record.graph.edges) + _steps(record.runs)


def _trace_message(record: TraceRecord) -> Json:
    return packed_message(record, _trace_size(record))


def _branch_message(record: BranchRecord) -> Json:
    return packed_message(record, _steps(record.runs))


def _compare_message(record: CompareRecord) -> Json:
    return packed_message(record, sum(_trace_size(side.trace) for side in record.sides))


def _outcomes_message(record: OutcomesRecord) -> Json:
    return packed_message(record, _trace_size(record.trace) + sum(_steps(result.way.runs) for result in record.results))


def _own_graph(record: Any) -> Graphs:
    return (("", record.graph),)


def _graphs_compared(record: CompareRecord) -> Graphs:
    return tuple([(side.title or str(number), side.trace.graph) for number, side in enumerate(record.sides, 1)])


def _asked_svg(record: SelfCheckRecord, **options: Any) -> str:
    return svg.question_svg(record.question, **options)


def _asked_text(record: SelfCheckRecord, lang: str | None) -> str:
    return terminal_text.question_text(record.question, lang)


def _graphs_answered(record: PredictResult) -> Graphs:
    if record.compare is not None:
        return _graphs_compared(record.compare)
    return () if record.trace is None else _own_graph(record.trace)


KINDS: Final[dict[type, RecordKind]] = {
    GraphRecord: RecordKind(
        svg.graph_svg, terminal_text.graph_text, _graph_message, lambda record: (("", record),)
    ),
    TraceRecord: RecordKind(
        svg.trace_svg, terminal_text.trace_text, _trace_message, _own_graph,
        Frames(step_frames.trace_frame_count, step_frames.trace_frames),
    ),
    CompareRecord: RecordKind(
        svg.compare_svg, terminal_text.compare_text, _compare_message, _graphs_compared,
        Frames(step_frames.compare_frame_count, step_frames.compare_frames),
    ),
    GameRecord: RecordKind(svg.game_svg, terminal_text.game_text, graphs=_own_graph),
    PlayedRecord: RecordKind(None, task_text.played_text),
    PuzzleRecord: RecordKind(None, task_text.puzzle_text),
    ArrangedRecord: RecordKind(svg.arranged_svg, task_text.arranged_text, graphs=lambda record: (("", record.canvas),)),
    GradientFlowRecord: RecordKind(
        svg.flow_svg, flow_text, graphs=_own_graph, frames=Frames(step_frames.flow_frame_count, step_frames.flow_frames)
    ),
    LayersRecord: RecordKind(None, layers_text),
    LintRecord: RecordKind(svg.lint_svg, lint_text),
    PredictRecord: RecordKind(svg.question_svg, terminal_text.question_text),
    PredictResult: RecordKind(
        svg.answer_svg, terminal_text.answer_text, graphs=_graphs_answered,
        frames=Frames(step_frames.answer_frame_count, step_frames.answer_frames),
    ),
    SelfCheckRecord: RecordKind(_asked_svg, _asked_text),
    TrainingRecord: RecordKind(svg.training_svg, training_text),
    OutcomesRecord: RecordKind(
        svg.outcomes_svg, outcomes_text, _outcomes_message, lambda record: (("", record.trace.graph),)
    ),
    GraphDiffRecord: RecordKind(svg.diff_svg, diff_text, graphs=_own_graph),
    TensorRecord: RecordKind(svg.value_svg, value_lines),
    BuildFilmRecord: RecordKind(
        svg.film_svg, film_text, graphs=_own_graph, frames=Frames(step_frames.film_frame_count, step_frames.film_frames)
    ),
    PassesRecord: RecordKind(
        svg.passes_svg, passes_text, graphs=_own_graph, frames=Frames(step_frames.passes_frame_count, step_frames.passes_frames)
    ),
    ReadsRecord: RecordKind(svg.reads_svg, reads_text),
    PipelineRecord: RecordKind(
        svg.pipeline_svg, pipeline_text, frames=Frames(step_frames.pipeline_frame_count, step_frames.pipeline_frames)
    ),
    BranchRecord: RecordKind(message=_branch_message),
    LeavesRecord: RecordKind(),
    BreaksRecord: RecordKind(),
    ReasonRecord: RecordKind(),
    RunFactsRecord: RecordKind(),
}


@collection_paused()
def picture(record: Any, *, lang: str | None = None, **options: Any) -> str:
    """The SVG of a record; options as in the picture function of its kind.

    Raises: TypeError for a record without a picture, and for an object that is no record.
    """
    kind = KINDS.get(type(record), RecordKind())
    if kind.picture is None:
        raise TypeError(f"not a record of a picture: {type(record).__name__}")
    return kind.picture(record, lang=lang, **options)


def frame_count(record: Any) -> int:
    """How many frames `frames_of` has; 0 for a record without steps."""
    kind = KINDS.get(type(record), RecordKind())
    return 0 if kind.frames is None else kind.frames.count(record)


@collection_paused()
def frames_of(record: Any, chosen: Sequence[int], title: str | None = None, lang: str | None = None) -> list[str]:
    """The SVG of the chosen frames, numbered from 0, all of one size.

    Raises: TypeError for a record without steps.
    """
    kind = KINDS.get(type(record), RecordKind())
    if kind.frames is None:
        raise TypeError(f"not a record with steps: {type(record).__name__}")
    return kind.frames.draw(record, chosen, title, lang)


def text_of(record: Record, lang: str | None = None) -> str:
    """The text of a record.

    Raises: TypeError for a record that only widgets use, and for an object that is no record.
    """
    kind = KINDS.get(type(record), RecordKind())
    if kind.text is None:
        raise TypeError(f"not a record of a text: {type(record).__name__}")
    return encodable(kind.text(record, lang))


def graphs_of(record: Any) -> Graphs:
    """The graphs in the picture of a record, each with its title; none where the picture shows something else."""
    kind = KINDS.get(type(record), RecordKind())
    return () if kind.graphs is None else kind.graphs(record)


@collection_paused()
def message_of(record: Any) -> Json:
    """The record as JSON types for the browser; a long record is packed."""
    return KINDS[type(record)].message(record)


__all__ = ["KINDS", "Frames", "Graphs", "RecordKind", "frame_count", "frames_of", "graphs_of", "message_of", "picture", "text_of"]
