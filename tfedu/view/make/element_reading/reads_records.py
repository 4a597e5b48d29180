"""The record of which element reads which: `Readings(ElementGraph(y)).record()`.

State: `Readings`, what was found of one graph at its present values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import numpy as np

from ....engine.graph.nodes import Tensor
from ...records import (
    CellsRecord,
    CodeRecord,
    ElementAnswerRecord,
    ElementQuestionRecord,
    ElementReadRecord,
    ElementRecord,
    FormulaPartRecord,
    ReadsRecord,
    SiteRecord,
)
from ..programs.program_lines import code_records
from ..value_records import levels_of
from .element_formulas import MOST_TERMS, NEAR, ElementFormulas, Formula, Piece, Term, factor, is_exact, short
from .element_graph import ElementGraph, Stage
from .element_places import Places
from .element_reads import Element, StageReads, gradient_of_sum

Place = tuple[int, int]  # the number of a tensor, and of an element in it
HIDDEN: Final = -5  # the level of a cell without a value


class Readings:
    """What each element reads, how it is computed, and where its gradient comes from."""

    def __init__(self, elements: ElementGraph) -> None:
        self.elements = elements
        self.places = Places(elements)
        self.numbers = self.places.numbers
        self.probes = {tensor: StageReads(elements, stage) for tensor, stage in elements.stages.items()}
        self.forms = {tensor: ElementFormulas(probe) for tensor, probe in self.probes.items()}
        self.slopes = {tensor: probe.slopes(probe.bases[0]) for tensor, probe in self.probes.items()}
        self.gradients = gradient_of_sum(elements)
        self.readers = self._readers()

    @property
    def output(self) -> int:
        """The position of the output among the shown tensors: the last."""
        return self.numbers[self.elements.y]

    def reads(self, number: int, at: int) -> list[Place]:
        """The elements that an element is computed from."""
        tensor = self.elements.tensors[number]
        if tensor not in self.probes:
            return []
        operands = self.elements.stages[tensor].operands
        return [(self.numbers[operands[o]], i) for o, i in self.probes[tensor].reads[at]]

    def formula(self, number: int, at: int) -> Formula | None:
        """How a computed element is computed."""
        return self.forms[self.elements.tensors[number]].of(at)

    def value(self, number: int, at: int) -> float:
        """The value of an element: a number, or True or False."""
        value: float = self.elements.values[self.elements.tensors[number]].reshape(-1)[at].item()
        return value

    def name(self, number: int, at: int) -> str:
        """An element's name, as `x[1, 2]`."""
        tensor = self.elements.tensors[number]
        return self.elements.names[tensor] + _index(self.elements.values[tensor].shape, at)

    def record(
        self,
        hidden: Collection[int] = (),
        question: ElementQuestionRecord | None = None,
        answers: Iterable[ElementAnswerRecord] = (),
        prompt: str = "",
    ) -> ReadsRecord:
        """The record. hidden: the elements of the output that are asked for; nothing in the record tells their values."""
        y = self.elements.y
        codes: tuple[CodeRecord, ...] = ()
        line = ""
        if y.op.site is not None:
            line = y.op.site.source
            sites = [tensor.op.site for tensor in self.elements.tensors if tensor.op.site is not None]
            codes = code_records([(site.file, SiteRecord(site.label, site.source, site.line)) for site in sites])
        shown = [at for at in range(self.elements.values[y].size) if at not in hidden]
        example = question.at if question is not None else shown[len(shown) // 2] if shown else 0
        tensors = tuple([self._cells(tensor, hidden if tensor is y else (), bool(hidden)) for tensor in self.elements.tensors])
        return ReadsRecord(line, prompt, codes, tensors, example, question, tuple(answers))

    def _cells(self, tensor: Tensor, hidden: Collection[int], is_asked: bool) -> CellsRecord:
        drawn = self.places.drawn[tensor]
        value = self.elements.values[tensor]
        stage = self.elements.stages.get(tensor)
        part = "output" if tensor is self.elements.y else "input" if stage is None else "step"
        levels = levels_of(value)
        elements = []
        for at in range(value.size):
            index = _index(value.shape, at)
            if at in hidden:
                elements.append(ElementRecord(index, "", HIDDEN, (), (), (), 0, ()))
                continue
            back = () if is_asked else self._back(tensor, at)
            level, text = levels[at], short(value.reshape(-1)[at])
            if stage is None:
                elements.append(ElementRecord(index, text, level, (), (), (), 0, back))
                continue
            reads = self.probes[tensor].reads[at]
            windows, padding = self.places.windows(stage, at, reads)
            read = tuple([self._read(stage, at, element) for element in reads])
            elements.append(ElementRecord(index, text, level, read, windows, self._formula(stage, at), padding, back))
        operands = () if stage is None else tuple([self.numbers[operand] for operand in stage.operands])
        return CellsRecord(
            name=self.elements.names[tensor],
            dtype=tensor.dtype.name,
            shape=tuple(value.shape),
            part=part,  # type: ignore[arg-type]
            turned=drawn.is_turned,
            operands=operands,
            ops=() if stage is None else stage.types,
            column=drawn.column,
            lane=drawn.lane,
            panels=drawn.panels,
            elements=tuple(elements),
        )

    def _read(self, stage: Stage, at: int, element: Element) -> ElementReadRecord:
        slope = self._slope(stage.tensor, at, element)
        return ElementReadRecord(self.numbers[stage.operands[element[0]]], element[1], "" if slope is None else short(slope))

    def _slope(self, tensor: Tensor, at: int, element: Element) -> float | None:
        slopes = self.slopes[tensor]
        row = None if slopes is None else slopes[at][element[0]]
        return None if row is None else float(row[element[1]])

    def _formula(self, stage: Stage, at: int) -> tuple[FormulaPartRecord, ...]:
        formula = self.forms[stage.tensor].of(at)
        if formula is None:
            return ()

        def number(element: Element) -> float:
            return self.value(self.numbers[stage.operands[element[0]]], element[1])

        pieces = formula.pieces(number, self.value(self.numbers[stage.tensor], at))
        if formula.kind == "sum" and not formula.around and formula.terms == (Term(1.0, formula.terms[0].factors[:1]),):
            # A copy: "3 = 3" would say nothing.
            (element,) = formula.elements
            pieces[0] = Piece(self.name(self.numbers[stage.operands[element[0]]], element[1]), element)
        return tuple([self._part(piece, stage.operands) for piece in pieces])

    def _part(self, piece: Piece, operands: tuple[Tensor, ...]) -> FormulaPartRecord:
        if piece.element is None:
            return FormulaPartRecord(piece.text, None, None)
        return FormulaPartRecord(piece.text, self.numbers[operands[piece.element[0]]], piece.element[1])

    # -- the gradient's way ----------------------------------------------------------------------------------------

    def _readers(self) -> dict[Place, list[tuple[Tensor, int, Element]]]:
        """For each element those that read it, each with what it calls it."""
        found: dict[Place, list[tuple[Tensor, int, Element]]] = {}
        for tensor, probe in self.probes.items():
            operands = self.elements.stages[tensor].operands
            for at, reads in enumerate(probe.reads):
                for element in reads:
                    found.setdefault((self.numbers[operands[element[0]]], element[1]), []).append((tensor, at, element))
        return found

    def _back(self, tensor: Tensor, at: int) -> tuple[FormulaPartRecord, ...]:
        """The terms of an element's gradient: each reader adds the reader's slope times the reader's gradient."""
        if tensor is self.elements.y or tensor not in self.gradients:
            return ()
        parts: list[FormulaPartRecord] = []
        numbers = [total := float(self.gradients[tensor].reshape(-1)[at])]
        found, size = 0.0, 1e-3
        readers = self.readers.get((self.numbers[tensor], at), [])
        for i, (reader, of, element) in enumerate(readers):
            slope = self._slope(reader, of, element)
            arrives = None if reader not in self.gradients else float(self.gradients[reader].reshape(-1)[of])
            if slope is None or arrives is None:
                return ()
            found += slope * arrives
            size += abs(slope * arrives)
            numbers += [slope, arrives]
            if i < MOST_TERMS:
                text = short(slope) if i == 0 else factor(slope)
                if reader is not self.elements.y:
                    text += f"·{factor(arrives)}"
                parts += [FormulaPartRecord(" + ", None, None)] * (i > 0)
                parts.append(FormulaPartRecord(text, self.numbers[reader], of))
        if not parts or not abs(found - total) <= NEAR * size:
            return ()
        if [reader for reader, _, _ in readers] == [self.elements.y]:
            return tuple(parts)  # the one slope is the gradient
        more = f" + … (+{len(readers) - MOST_TERMS})" if len(readers) > MOST_TERMS else ""
        sign = "=" if all(map(is_exact, numbers)) else "≈"
        return (*parts, FormulaPartRecord(f"{more} {sign} {short(total)}", None, None))


def _index(shape: tuple[int, ...], at: int) -> str:
    return f"[{', '.join(str(int(i)) for i in np.unravel_index(at, shape))}]" if shape else ""


__all__ = ["Place", "Readings"]
