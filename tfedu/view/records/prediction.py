"""The records of a question and of its answer. No state."""

from __future__ import annotations

from typing import ClassVar

from .codec import dataclass
from .comparison import CompareRecord
from .trace import TraceRecord


@dataclass(frozen=True, slots=True)
class TargetRecord:
    """One value to predict. choices: the answers to choose from, each with a text for each run; their order gives no hint."""

    key: str
    label: str
    choices: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PredictRecord:
    """A question, without its answer."""

    KIND: ClassVar[str] = "predict"
    title: str
    prompt: str
    code: str
    runs: int
    targets: tuple[TargetRecord, ...]


@dataclass(frozen=True, slots=True)
class DivergesRecord:
    """The first step at which a mental model and the engine differ."""

    run: int
    step: int
    node: int | None
    name: str
    model_value: str
    engine_value: str


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What one mental model predicts, and whether the learner's answer is the same."""

    model: str
    predicts: tuple[str, ...]
    matches: bool
    diverges: DivergesRecord | None


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """The learner's numbers beside the engine's."""

    key: str
    predicted: tuple[str, ...]
    actual: tuple[str, ...]
    correct: bool
    models: tuple[ModelRecord, ...]


@dataclass(frozen=True, slots=True)
class PredictResult:
    """What the learner sees after answering."""

    KIND: ClassVar[str] = "predict-result"
    targets: tuple[AnswerRecord, ...]
    compare: CompareRecord | None = None
    trace: TraceRecord | None = None

    def check(self) -> None:
        """Raises: RecordError for ids that do not exist."""
        if self.compare is not None:
            self.compare.check("compare.")
        if self.trace is not None:
            self.trace.check("trace.")
