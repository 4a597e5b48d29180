"""PipelineView: elements flow through the stages of a dataset. `PipelineView(dataset)`, `PipelineView(first, second)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import traitlets

from ..view.make.pipeline_flow.pipeline_records import flow_record
from ..view.records import PipelineRecord, PipelineStageRecord
from ..view.words.pipeline_text import finding_text, pipeline_table, stage_name
from .base import Widget


class PipelineStats:
    """How each stage of a pipeline spends the time of the simulated clock.

    stages: records with busy, starved and idle milliseconds, which add up to `total`; the last one is the consumer's.
    bottleneck: the call of the stage that sets the pace; sentences: why, and what would help. As text it is a table.
    """

    def __init__(self, pipe: Any, lang: str | None = None) -> None:
        self._pipe, self._lang = pipe, lang
        self.title: str = pipe.title
        self.total: float = pipe.total
        self.stages: tuple[PipelineStageRecord, ...] = pipe.stages
        self.bottleneck: str = stage_name(pipe, pipe.bottleneck, lang)
        paced = [found for found in pipe.findings if found.code.startswith(("pace.", "help."))]
        self.sentences: list[str] = [finding_text(found, lang) for found in paced]

    def __repr__(self) -> str:
        return "\n".join([pipeline_table(self._pipe, self._lang), *self.sentences])


class PipelineView(Widget):
    """The elements of one dataset, or of two on the same clock, move by move; buffers fill and drain, parallel calls are lanes.

    datasets: one or two of them, or a dict of them by title. elements: how many are taken from each. costs: simulated
    milliseconds for one element by kind of stage ("source", "map", "filter", "batch", "consumer" and the names of other stages),
    or by the number of a stage, from 0. session: holds the variables and tables that the datasets' functions use. `step` is the
    number of moves so far.
    The elements are real ones: the functions of the dataset run. The clock is simulated.
    Raises: TypeError for what is no dataset, ValueError for wrong numbers, and the error of a node that a dataset needs.
    """

    KIND = "pipeline"
    ELEMENT = "tfedu-pipeline"
    _record: PipelineRecord

    step = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        *datasets: Any,
        elements: int = 20,
        costs: Mapping[str | int, float] | None = None,
        session: Any = None,
        title: str | None = None,
        lang: str | None = None,
    ) -> None:
        super().__init__(flow_record(datasets, elements, costs, session), title=title, lang=lang)

    @classmethod
    def compare(cls, first: Any, second: Any, **options: Any) -> PipelineView:
        """Two datasets on the same clock; options as for PipelineView."""
        return cls(first, second, **options)

    @property
    def stats(self) -> PipelineStats | tuple[PipelineStats, ...]:
        """How each stage spends the time; of two datasets a pair."""
        both = tuple(PipelineStats(pipe, self.lang or None) for pipe in self._record.pipes)
        return both[0] if len(both) == 1 else both

    def described(self) -> str:
        return "; ".join(f"{len(pipe.stages) - 1} stages, {len(pipe.moments)} moves" for pipe in self._record.pipes)
