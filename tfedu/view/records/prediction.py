"""The records of a question and of its answer. No state."""

from __future__ import annotations

from textwrap import dedent
from typing import ClassVar

from .codec import RecordError, dataclass
from .comparison import CompareRecord
from .graph import CodeRecord
from .trace import TraceRecord


@dataclass(frozen=True, slots=True)
class TargetRecord:
    """One value to predict. choices: the answers to choose from, each with a text for each run; their order gives no hint."""

    key: str
    label: str
    choices: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PredictRecord:
    """A question, without its answer. programs: one for all targets, or one for each; a program may have several pieces."""

    KIND: ClassVar[str] = "predict"
    title: str
    prompt: str
    programs: tuple[tuple[CodeRecord, ...], ...]
    runs: int
    targets: tuple[TargetRecord, ...]

    def text(self) -> str:
        """The programs; where targets have their own, each is under a comment with the target's label."""
        texts = ["\n\n".join(dedent("\n".join(code.lines)) for code in program) for program in self.programs]
        if len(texts) > 1:
            texts = [f"# {target.label}\n{text}" for target, text in zip(self.targets, texts, strict=True)]
        return "\n\n".join(texts)

    def check(self) -> None:
        """Raises: RecordError for programs that are no targets'."""
        if len(self.programs) not in (0, 1, len(self.targets)):
            raise RecordError("programs", f"0, 1 or {len(self.targets)}", len(self.programs))


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
    """The learner's numbers beside the engine's. right: for each run whether the learner's number is."""

    key: str
    predicted: tuple[str, ...]
    actual: tuple[str, ...]
    right: tuple[bool, ...]
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


@dataclass(frozen=True, slots=True)
class AnswerKeyRecord:
    """What a learner's texts for one target are read against: a literal for each run.

    actual: the engine's values; models: those of each model of the answer. A literal is a number (with a point or an exponent
    where a near one is right, too), `True`, `False`, `None`, a text in quotes, a list in brackets, or the values of a dict in
    braces; "!" and the kind of an error for a run that fails; "?" for a value that is compared as text alone.
    """

    key: str
    actual: tuple[str, ...]
    models: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SelfCheckRecord:
    """A question with its answer, for a page that checks a prediction without Python. answer: as without a prediction."""

    KIND: ClassVar[str] = "self-check"
    title: str
    question: PredictRecord
    answer: PredictResult
    keys: tuple[AnswerKeyRecord, ...]

    def check(self) -> None:
        """Raises: RecordError for ids that do not exist, and for answers that do not belong to the question."""
        self.question.check()
        self.answer.check()
        asked = [target.key for target in self.question.targets]
        if [target.key for target in self.answer.targets] != asked:
            raise RecordError("answer.targets", "those of the question", None)
        if [key.key for key in self.keys] != asked:
            raise RecordError("keys", "one for each target", None)
        for index, (key, target) in enumerate(zip(self.keys, self.answer.targets, strict=True)):
            if len(key.models) != len(target.models):
                raise RecordError(f"keys[{index}].models", "one for each model", len(key.models))
            rows = [key.actual, target.actual, *key.models, *[model.predicts for model in target.models]]
            if any(len(row) != self.question.runs for row in rows):
                raise RecordError(f"keys[{index}]", "a literal for each run", None)
