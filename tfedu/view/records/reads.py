"""The record of which element of a tensor reads which, over a small graph of tensors, and of a question about it. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import RecordError, dataclass
from .graph import CodeRecord

CellsPart = Literal["input", "step", "output"]
QuestionForm = Literal["value", "reads"]
# What a wrong value would be right for: another element, the window turned around, the largest, the smallest, the mean or the sum
# of what is read, shares without exponentials, one product alone.
ElementIdea = Literal["", "other_element", "turned", "largest", "smallest", "mean", "sum", "shares", "one_product"]


@dataclass(frozen=True, slots=True)
class ElementReadRecord:
    """An element that another one reads. slope: how much the other one rises per 1 of it; "" where there is no gradient."""

    tensor: int
    at: int
    slope: str


@dataclass(frozen=True, slots=True)
class FormulaPartRecord:
    """A part of a formula's text; a number has the tensor and the element that it comes from."""

    text: str
    tensor: int | None
    at: int | None


@dataclass(frozen=True, slots=True)
class WindowRecord:
    """A rectangle of cells of a panel, padding included, that an element reads."""

    tensor: int
    panel: int
    row: int
    column: int
    height: int
    width: int


@dataclass(frozen=True, slots=True)
class PanelRecord:
    """The cells of a tensor, or of one slice of it, in rows. cells: the numbers of the elements, -1 for padding.

    label: the slice, as "[0, :, :, 1]"; "" for a whole tensor. inside: first row, first column, rows and columns of the tensor's
    own cells; cells outside of it are padding or, in broadcasting, repeat elements.
    """

    label: str
    cells: tuple[tuple[int, ...], ...]
    inside: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class ElementRecord:
    """One element. text: its value; "" while it is asked for. level: of a heat map, as in GridRecord.

    reads: the elements of other tensors that it is computed from. formula: how; empty if the form is not known. padding: how
    many cells of its windows are outside of the tensor. back: the gradient of the sum of the output for it, from the gradients of
    its readers.
    """

    index: str
    text: str
    level: int
    reads: tuple[ElementReadRecord, ...]
    windows: tuple[WindowRecord, ...]
    formula: tuple[FormulaPartRecord, ...]
    padding: int
    back: tuple[FormulaPartRecord, ...]


@dataclass(frozen=True, slots=True)
class CellsRecord:
    """One tensor. operands: the shown tensors that it is computed from, ops: the types of the nodes that do so; inputs have none.

    turned: whether the picture has its rows as columns, since a product reads it transposed. column, lane: its place in the
    picture: columns from left to right, lanes from top to bottom, 0 for the main one.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    part: CellsPart
    turned: bool
    operands: tuple[int, ...]
    ops: tuple[str, ...]
    column: int
    lane: int
    panels: tuple[PanelRecord, ...]
    elements: tuple[ElementRecord, ...]


@dataclass(frozen=True, slots=True)
class ElementQuestionRecord:
    """What is asked about an element: its value, or which elements it reads. number: the question's, of `total`."""

    form: QuestionForm
    tensor: int
    at: int
    number: int
    total: int


@dataclass(frozen=True, slots=True)
class ElementAnswerRecord:
    """An answered question. given: the learner's value; picked: the elements that the learner chose, as pairs.

    actual: the value. missed, extra: elements that are read and were not chosen, and the reverse. idea: a wrong idea that
    has this value; other: the element of which it is the value. reason: the learner's.
    """

    form: QuestionForm
    tensor: int
    at: int
    given: str
    actual: str
    correct: bool
    picked: tuple[tuple[int, int], ...]
    missed: tuple[tuple[int, int], ...]
    extra: tuple[tuple[int, int], ...]
    idea: ElementIdea
    other: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReadsRecord:
    """A small graph element by element. tensors: in the order in which they are computed; the last one is the output.

    line: the line of the program that made the output. example: the element of the output that a page without a kernel shows.
    """

    KIND: ClassVar[str] = "reads"
    line: str
    prompt: str
    codes: tuple[CodeRecord, ...]
    tensors: tuple[CellsRecord, ...]
    example: int
    question: ElementQuestionRecord | None = None
    answers: tuple[ElementAnswerRecord, ...] = ()

    def check(self, dot: str = "") -> None:
        """Raises: RecordError for tensors and elements that do not exist."""
        counts = [len(tensor.elements) for tensor in self.tensors]
        if not counts:
            raise RecordError(f"{dot}tensors", "a tensor", None)

        def exists(place: str, tensor: int | None, at: int | None) -> None:
            if tensor is None or at is None:
                if tensor is not at:
                    raise RecordError(f"{dot}{place}", "a tensor and an element, or neither", tensor)
            elif not (0 <= tensor < len(counts) and 0 <= at < counts[tensor]):
                raise RecordError(f"{dot}{place}", "an element that exists", at)

        for number, tensor in enumerate(self.tensors):
            place = f"tensors[{number}]"
            for operand in tensor.operands:
                exists(f"{place}.operands", operand, 0)
            for cells in (row for panel in tensor.panels for row in panel.cells):
                for at in cells:
                    exists(f"{place}.panels", number, max(at, 0))
            for element in tensor.elements:
                for read in element.reads:
                    exists(f"{place}.elements.reads", read.tensor, read.at)
                for part in (*element.formula, *element.back):
                    exists(f"{place}.elements.formula", part.tensor, part.at)
        exists("example", len(counts) - 1, self.example)
        for answer in self.answers:
            exists("answers", answer.tensor, answer.at)
        if self.question is not None:
            exists("question", self.question.tensor, self.question.at)
