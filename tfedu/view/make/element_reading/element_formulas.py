"""How one element is computed, as a formula of numbers: `1·2 + 0·3 = 2`, `max(4, 1, 3) = 4`, `tanh(0.5) ≈ 0.462`.

    formula = ElementFormulas(probe).of(3)
    formula.pieces(number)      its text, each number with the element that it comes from

The form is found from results and gradients at random values: of a sum of products, the gradient for one factor is the other
one. A formula is given only if it has the engine's own result at these values and at the present ones. No state but caches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from ....engine.graph.nodes import Operation
from .element_graph import Stage, function_of
from .element_reads import Element, StageReads

# A longer sum shows its first terms.
MOST_TERMS: Final = 12
# How far a formula's result may be from the engine's, in parts of the sum of its terms' sizes.
NEAR: Final = 2e-4
INFIX: Final = {"RealDiv": "/", "Div": "/", "FloorDiv": "//", "FloorMod": "mod", "Pow": "^", "Greater": ">",
                "GreaterEqual": "≥", "Less": "<", "LessEqual": "≤", "Equal": "=", "NotEqual": "≠"}  # fmt: skip
TRANSPARENT: Final = frozenset(("Const", "Identity", "StopGradient"))

Number: TypeAlias = Callable[[Element], float]


class Piece(NamedTuple):
    """A part of a formula's text; a number has its element."""

    text: str
    element: Element | None = None


class Term(NamedTuple):
    """A product of a number with one or two elements; without elements the number itself."""

    coefficient: float
    factors: tuple[Element, ...]

    def value(self, number: Number) -> float:
        return self.coefficient * math.prod(number(element) for element in self.factors)


@dataclass(frozen=True)
class Formula:
    """A sum of terms, the largest or smallest element, an operation on elements, or a share of exponentials.

    own: of a softmax, the element above the line. name: of the operation. around: functions of the whole, the outermost first.
    """

    kind: Literal["sum", "max", "min", "operation", "softmax", "log_softmax"]
    terms: tuple[Term, ...]
    own: Element | None = None
    name: str = ""
    around: tuple[str, ...] = ()

    @property
    def elements(self) -> list[Element]:
        """The elements in it, in their order."""
        return [element for term in self.terms for element in term.factors]

    def pieces(self, number: Number, result: float) -> list[Piece]:
        """The text with its result, after "≈" where a number in it is rounded."""
        parts = list(self._pieces(number))
        for name in reversed(self.around):
            parts = [Piece(f"{name}("), *parts, Piece(")")]
        sign = "=" if all(map(is_exact, (*map(number, self.elements), result))) else "≈"
        return [*parts, Piece(f" {sign} {short(result)}")]

    def _pieces(self, number: Number) -> Iterator[Piece]:
        if self.kind == "sum":
            yield from _sum_pieces(self.terms, number)
        elif self.kind in ("max", "min"):
            yield Piece(f"{self.kind}(")
            yield from _listed([[Piece(short(number(e)), e)] for e in self.elements], ", ")
            yield Piece(")")
        elif self.kind == "operation":
            sign = INFIX.get(self.name)
            numbers = [[Piece(factor(number(e)) if sign else short(number(e)), e)] for e in self.elements]
            yield Piece("" if sign else f"{self.name}(")
            yield from _listed(numbers, f" {sign} " if sign else ", ")
            yield Piece("" if sign else ")")
        else:
            assert self.own is not None
            powers = [[Piece("exp("), Piece(short(number(e)), e), Piece(")")] for e in self.elements]
            if self.kind == "softmax":
                yield from (Piece("exp("), Piece(short(number(self.own)), self.own), Piece(") / ("))
            else:
                yield from (Piece(short(number(self.own)), self.own), Piece(" − log("))
            yield from _listed(powers, " + ")
            yield Piece(")")

    def value(self, number: Number) -> float | None:
        """Its result for these numbers, without the functions around; None where only the engine knows it."""
        numbers = [number(element) for element in self.elements]
        if self.kind == "sum":
            return sum(term.value(number) for term in self.terms)
        if self.kind in ("max", "min"):
            return max(numbers) if self.kind == "max" else min(numbers)
        if self.kind == "operation":
            return None
        assert self.own is not None
        with np.errstate(over="ignore", invalid="ignore"):
            powers = np.exp(np.asarray(numbers, np.float64))
            share = float(np.exp(np.float64(number(self.own))) / powers.sum())
        return share if self.kind == "softmax" else math.log(share) if share > 0 else None


class ElementFormulas:
    """The formulas of a stage's elements."""

    def __init__(self, probe: StageReads) -> None:
        self.probe = probe
        self.stage = probe.stage
        self.inner = self._inner()

    def _inner(self) -> ElementFormulas | None:
        """The formulas of what the stage's last node is a function of, element by element."""
        op = self.stage.tensor.op
        below = function_of(op)
        if below is None or below in self.stage.operands:
            return None
        nodes = tuple([node for node in self.stage.nodes if node is not op])
        return ElementFormulas(StageReads(self.probe.elements, Stage(below, self.stage.operands, nodes)))

    def of(self, at: int) -> Formula | None:
        """The formula of an element; None where there is none of these forms."""
        formula = self._found(at)
        return formula if formula is not None and self._holds(formula, at) else None

    def _found(self, at: int) -> Formula | None:
        op = self.stage.tensor.op
        if op.type in ("Softmax", "LogSoftmax"):
            return self._softmax(at)
        reads = self.probe.reads[at]
        below = function_of(op)
        if below is not None:
            if self.inner is None:
                return Formula("operation", _single(reads), name=_function_name(op)) if len(reads) == 1 else None
            formula = self.inner.of(at)
            return None if formula is None else Formula(
                formula.kind, formula.terms, formula.own, formula.name, (_function_name(op), *formula.around)
            )
        return self._polynomial(at) or self._extreme(at) or self._operation(at)

    def _holds(self, formula: Formula, at: int) -> bool:
        """Whether the formula gives what the engine gives, at all values that were tried."""
        if formula.around:
            return True  # what is inside was tested
        for base, result in zip(self.probe.bases, self.probe.results, strict=True):
            value = formula.value(self._number(base))
            size = sum(abs(term.value(self._number(base))) for term in formula.terms) + 1e-3
            if value is not None and not abs(value - float(result.reshape(-1)[at])) <= NEAR * size:
                return False
        return True

    def _number(self, base: object) -> Number:
        flat = [base[operand].reshape(-1) for operand in self.stage.operands]  # type: ignore[index]
        return lambda element: float(flat[element[0]][element[1]])

    def _softmax(self, at: int) -> Formula | None:
        op = self.stage.tensor.op
        if self.stage.operands != (op.inputs[0],):
            return None
        kind: Literal["softmax", "log_softmax"] = "softmax" if op.type == "Softmax" else "log_softmax"
        return Formula(kind, _single(self.probe.reads[at]), own=(0, at))

    def _extreme(self, at: int) -> Formula | None:
        reads = self.probe.reads[at]
        if len(reads) < 2:
            return None
        for kind in ("max", "min"):
            formula = Formula(kind, _single(reads))
            if self._holds(formula, at):
                return formula
        return None

    def _operation(self, at: int) -> Formula | None:
        """An operation of few elements whose form is not known, such as a / b."""
        op, reads = self.stage.tensor.op, self.probe.reads[at]
        is_alone = all(node is op or node.type in TRANSPARENT for node in self.stage.nodes)
        if not is_alone or not 1 <= len(reads) <= 3 or len({operand for operand, _ in reads}) != len(reads):
            return None
        return Formula("operation", _single(reads), name=op.type if op.type in INFIX else _function_name(op))

    # -- sums of products ------------------------------------------------------------------------------------------

    @cached_property
    def _slopes(self) -> list[list[list[np.ndarray | None]]] | None:
        """For each random base the slopes of all elements; None where one is not a finite number."""
        found = []
        for base, result in zip(self.probe.bases[1:], self.probe.results[1:], strict=True):
            slopes = self.probe.slopes(base)
            if slopes is None or not np.isfinite(result).all():
                return None
            found.append(slopes)
        return found

    def _polynomial(self, at: int) -> Formula | None:
        """A sum of elements and of products of two, if the element is one."""
        reads = self.probe.reads[at]
        if self._slopes is None or any(slope is None for slope in self._slopes[0][at]):
            return None
        numbers = [self._number(base) for base in self.probe.bases[1:]]
        values = np.array([[number(element) for element in reads] for number in numbers])
        slopes = np.array([[float(of[at][o][i]) for o, i in reads] for of in self._slopes])  # type: ignore[index]
        if not len(reads):
            return None
        terms: dict[tuple[Element, ...], Term] = {}
        for k, element in enumerate(reads):
            if _is_constant(slopes[:, k]):
                if abs(slopes[0, k]) > 1e-6:
                    terms[(element,)] = Term(_rounded(float(slopes[:, k].mean())), (element,))
                continue
            partner = self._partner(slopes[:, k], values)
            if partner is None:
                return None
            j, ratio = partner
            pair = (element, reads[j]) if k <= j else (reads[j], element)
            terms[pair] = Term(_rounded(ratio / 2 if j == k else ratio), pair)
        formula = Formula("sum", tuple(terms.values()))
        rest = float(self.probe.results[1].reshape(-1)[at]) - sum(term.value(numbers[0]) for term in formula.terms)
        size = sum(abs(term.value(numbers[0])) for term in formula.terms) + 1e-3
        if abs(rest) > NEAR * size:
            formula = Formula("sum", (*formula.terms, Term(_rounded(rest), ())))
        return formula if formula.terms and self._holds(formula, at) else None

    def _partner(self, slope: np.ndarray, values: np.ndarray) -> tuple[int, float] | None:
        """The element to which a slope is proportional, and the ratio."""
        for j in range(values.shape[1]):
            ratio = slope / values[:, j]
            if _is_constant(ratio):
                return j, float(ratio.mean())
        return None


def _function_name(op: Operation) -> str:
    return op.type[:1].lower() + op.type[1:]


def _single(reads: Sequence[Element]) -> tuple[Term, ...]:
    return tuple([Term(1.0, (element,)) for element in reads])


def _is_constant(numbers: np.ndarray) -> bool:
    if not np.isfinite(numbers).all():
        return False
    return bool(np.abs(numbers - numbers[0]).max() <= 1e-3 * max(1e-3, np.abs(numbers).max()))


def _rounded(coefficient: float) -> float:
    """The whole number or 1/n that a computed coefficient rounds to: 0.49999997 gives 0.5, 0.11111112 gives 1/9."""
    for whole in (coefficient, 1 / coefficient if abs(coefficient) > 1e-9 else math.inf):
        if math.isfinite(whole) and round(whole) and abs(whole - round(whole)) < 1e-4 * abs(whole):
            return float(round(whole)) if whole == coefficient else 1 / round(whole)
    return coefficient


# -- texts ----------------------------------------------------------------------------------------------------------


def short(value: float) -> str:
    """A number in few characters: three digits of a fraction, all of a whole number."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    number = float(value)
    if not math.isfinite(number):
        return "nan" if math.isnan(number) else "∞" if number > 0 else "−∞"
    size = abs(number)
    if size == int(size) and size < 1e6:
        text = str(int(size))
    elif size >= 1e6 or size < 1e-3:
        digits, _, power = f"{size:.1e}".partition("e")
        text = f"{digits}e{int(power)}"
    else:
        text = f"{size:.0f}" if size >= 1000 else f"{size:.3g}"
    return f"−{text}" if number < 0 and text.strip("0.") else text


def is_exact(value: float) -> bool:
    """Whether the short text of a number is the number itself."""
    if not math.isfinite(value):
        return True
    return abs(float(short(value).replace("−", "-").replace("True", "1").replace("False", "0")) - value) <= 1e-6 * abs(value)


def factor(value: float) -> str:
    """A number inside a product or after a sign: a negative one in brackets."""
    text = short(value)
    return f"({text})" if text.startswith("−") else text


def _listed(items: Sequence[Sequence[Piece]], between: str) -> Iterator[Piece]:
    """The items with a text between them; of many the first ones, and an ellipsis."""
    for i, item in enumerate(items):
        if i == MOST_TERMS < len(items):
            yield Piece(f"{between}… (+{len(items) - MOST_TERMS})")
            return
        if i:
            yield Piece(between)
        yield from item


def _sum_pieces(terms: Sequence[Term], number: Number) -> Iterator[Piece]:
    """A sum; a factor that all its terms have stands outside."""
    shared = {term.coefficient for term in terms}
    (scale,) = shared if len(shared) == 1 and len(terms) > 1 else (1.0,)
    if scale == 1.0:
        yield from _plain_sum(terms, number)
        return
    divisor = round(1 / scale)
    is_share = abs(divisor) > 1 and abs(scale * divisor - 1) < 1e-9
    yield Piece("(" if is_share else "−(" if scale == -1 else f"{factor(scale)}·(")
    yield from _plain_sum([term._replace(coefficient=1.0) for term in terms], number)
    yield Piece(f") / {factor(divisor)}" if is_share else ")")


def _plain_sum(terms: Sequence[Term], number: Number) -> Iterator[Piece]:
    for i, term in enumerate(terms):
        if i == MOST_TERMS < len(terms):
            yield Piece(f" + … (+{len(terms) - MOST_TERMS})")
            return
        is_less = term.coefficient < 0
        if i:
            yield Piece(" − " if is_less else " + ")
        elif is_less:
            yield Piece("−")
        yield from _term_pieces(term._replace(coefficient=abs(term.coefficient)), number, i == 0 and not is_less)


def _term_pieces(term: Term, number: Number, is_first: bool) -> Iterator[Piece]:
    """A term whose coefficient is not negative. is_first: nothing stands before it, so a negative number needs no brackets."""
    if not term.factors:
        yield Piece(short(term.coefficient))
        return
    if term.coefficient != 1.0:
        yield Piece(f"{short(term.coefficient)}·")
    for i, element in enumerate(term.factors):
        if i:
            yield Piece("·")
        is_bare = is_first and i == 0 and term.coefficient == 1.0
        yield Piece(short(number(element)) if is_bare else factor(number(element)), element)


__all__ = ["MOST_TERMS", "NEAR", "ElementFormulas", "Formula", "Piece", "Term", "factor", "is_exact", "short"]
