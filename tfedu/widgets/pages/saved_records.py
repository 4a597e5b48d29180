"""Widgets over records from files: `widget_of(record)`. They show what the record has; nothing of the run that made it is left.

No state.
"""

from __future__ import annotations

from typing import Any, Final

from ...view.records import (
    BuildFilmRecord,
    CompareRecord,
    GradientFlowRecord,
    GraphDiffRecord,
    GraphRecord,
    LintRecord,
    OutcomesRecord,
    PassesRecord,
    PipelineRecord,
    PredictResult,
    ReadsRecord,
    SelfCheckRecord,
    TensorRecord,
    TraceRecord,
    TrainingRecord,
)
from ..base import Widget
from ..build_film import BuildFilm
from ..compare import Compare
from ..gradient_flow import GradientFlow
from ..graph_diff import GraphDiff
from ..graph_view import GraphView
from ..lint import Lint
from ..outcome_explorer import OutcomeExplorer
from ..passes import Passes
from ..pipeline_view import PipelineView
from ..reads import Reads
from ..self_check import SelfCheck
from ..step_through import StepThrough
from ..training_view import TrainingView
from ..value import Value

WIDGETS: Final[dict[type, type[Widget]]] = {
    BuildFilmRecord: BuildFilm,
    CompareRecord: Compare,
    GradientFlowRecord: GradientFlow,
    GraphDiffRecord: GraphDiff,
    GraphRecord: GraphView,
    LintRecord: Lint,
    OutcomesRecord: OutcomeExplorer,
    PassesRecord: Passes,
    PipelineRecord: PipelineView,
    ReadsRecord: Reads,
    SelfCheckRecord: SelfCheck,
    TensorRecord: Value,
    TraceRecord: StepThrough,
    TrainingRecord: TrainingView,
}


def widget_of(record: Any, *, title: str | None = None, lang: str | None = None) -> Widget:
    """The widget that shows a record; of the answer to a question, its runs.

    Raises: TypeError for what is no record, and for a record that is part of a task or of another widget's view.
    """
    if isinstance(record, PredictResult):
        record = record.compare or record.trace or record
    kind = WIDGETS.get(type(record))
    if kind is None:
        name = getattr(record, "KIND", None)
        what = f"a record of the kind {name!r}" if name else f"a {type(record).__name__}"
        raise TypeError(f"no widget shows {what} alone; there is one for {', '.join(sorted(each.KIND for each in WIDGETS))}")
    return kind.of_record(record, title=title, lang=lang)


__all__ = ["WIDGETS", "widget_of"]
