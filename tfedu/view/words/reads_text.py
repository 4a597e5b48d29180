"""Which element reads which, in words: `reads_text(record)` for a terminal, and the sentences of its picture. No state."""

from __future__ import annotations

from collections.abc import Iterable

from ..labels import cells, shorten
from ..messages import message
from ..records import CellsRecord, ElementAnswerRecord, FormulaPartRecord, PanelRecord, ReadsRecord

# So many formulas of one tensor are written.
MOST = 12


def element_name(record: ReadsRecord, tensor: int, at: int) -> str:
    """An element's name, as `x[1, 2]`."""
    cells_record = record.tensors[tensor]
    return f"{shorten(cells_record.name, 24)}{cells_record.elements[at].index}"


def origin(record: ReadsRecord, tensor: CellsRecord, lang: str | None = None) -> str:
    """How a tensor is computed, as `MatMul(a, b)`; of several nodes, the types after each other."""
    if not tensor.ops:
        return message("reads.input", lang)
    operands = ", ".join(shorten(record.tensors[operand].name, 16) for operand in tensor.operands)
    types = tensor.ops if len(tensor.ops) <= 3 else (tensor.ops[0], "…", tensor.ops[-1])
    return f"{' · '.join(types)}({operands})"


def formula_text(parts: Iterable[FormulaPartRecord]) -> str:
    """A formula in one line."""
    return "".join(part.text for part in parts)


def element_texts(record: ReadsRecord, tensor: int, at: int, lang: str | None = None) -> list[str]:
    """What is said of an element: how many elements it reads, its formula, and the way of its gradient."""
    element = record.tensors[tensor].elements[at]
    name = element_name(record, tensor, at)
    if not element.text:
        return [message("reads.hidden", lang, element=name)]
    texts = []
    if record.tensors[tensor].operands:
        texts.append(message("reads.computed", lang, element=name, n=len(element.reads)))
        if element.padding:
            texts.append(message("reads.padding", lang, n=element.padding))
        texts.append(f"{name} = {formula_text(element.formula)}" if element.formula else f"{name} = {element.text}")
    return texts


def gradient_text(record: ReadsRecord, tensor: int, at: int) -> str:
    """The gradient of an element from those of its readers; "" where there is none."""
    element = record.tensors[tensor].elements[at]
    if not element.back:
        return ""
    output = record.tensors[-1]
    of = f"Σ {shorten(output.name, 16)}" if len(output.elements) > 1 else shorten(output.name, 16)
    return f"∂({of}) / ∂{element_name(record, tensor, at)} = {formula_text(element.back)}"


def question_text(record: ReadsRecord, lang: str | None = None) -> str:
    """What is asked; "" where nothing is."""
    if record.question is None:
        return ""
    name = element_name(record, record.question.tensor, record.question.at)
    return message(f"reads.asked.{record.question.form}", lang, element=name)


def answer_texts(record: ReadsRecord, answer: ElementAnswerRecord, lang: str | None = None) -> list[str]:
    """What is said of an answer."""
    name = element_name(record, answer.tensor, answer.at)
    params = {"element": name, "value": answer.actual, "given": answer.given}
    if answer.form == "value":
        if not answer.given:
            return [message("reads.told", lang, **params)]
        texts = [message("reads.right_value" if answer.correct else "reads.wrong_value", lang, **params)]
        if answer.idea:
            texts.append(message(f"reads.idea.{answer.idea}", lang, other=answer.other))
        return texts
    if answer.correct:
        return [message("reads.right_reads", lang, element=name, n=len(answer.picked))]
    return [message("reads.wrong_reads", lang, element=name, missed=len(answer.missed), extra=len(answer.extra))]


def reads_text(record: ReadsRecord, lang: str | None = None) -> str:
    """Each tensor as a table, with the formulas of its elements; then the question, and the answers."""
    lines = [record.line] if record.line else []
    for number, tensor in enumerate(record.tensors):
        shape = ", ".join(map(str, tensor.shape)) + ("," if len(tensor.shape) == 1 else "")
        lines.append(f"{shorten(tensor.name, 24)} ({shape})  {origin(record, tensor, lang)}")
        for panel in tensor.panels:
            if panel.label:
                lines.append(f"  {panel.label}")
            lines.extend(f"  {line}" for line in _table(tensor, panel))
        if tensor.operands:
            for at in range(min(len(tensor.elements), MOST)):
                lines.append(f"    {element_texts(record, number, at, lang)[-1]}")
            if len(tensor.elements) > MOST:
                lines.append(f"    … +{len(tensor.elements) - MOST}")
    if record.prompt:
        lines.append(record.prompt)
    lines.extend(" ".join(answer_texts(record, answer, lang)) for answer in record.answers)
    if question := question_text(record, lang):
        lines.append(question)
    return "\n".join(lines)


def _table(tensor: CellsRecord, panel: PanelRecord) -> Iterable[str]:
    """The rows of a panel; padding is a dot, repeated elements are in brackets."""
    top, left, height, width = panel.inside
    rows = []
    for r, row in enumerate(panel.cells):
        texts = []
        for c, at in enumerate(row):
            text = "·" if at < 0 else tensor.elements[at].text or "?"
            is_inside = top <= r < top + height and left <= c < left + width
            texts.append(text if is_inside or at < 0 else f"({text})")
        rows.append(texts)
    widths = [max(cells(row[c]) for row in rows) for c in range(len(rows[0]))]
    for texts in rows:
        yield "  ".join(" " * (width - cells(text)) + text for text, width in zip(texts, widths, strict=True)).rstrip()


__all__ = [
    "answer_texts", "element_name", "element_texts", "formula_text", "gradient_text", "origin", "question_text", "reads_text",
]  # fmt: skip
