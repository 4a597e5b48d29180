"""The statements of a program by their lines: `Statements(source)`, and which of them surely ran between two others.

A unit is a simple statement, or the head of a compound one ("with …:"). The text does not tell which branch of an `if` ran, so
only units that cannot have been skipped count as run. State: the units of one text, in its order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
_WITHS: Final = (ast.With, ast.AsyncWith)
_JUMPS: Final = (ast.Return, ast.Break, ast.Continue, ast.Raise)
# Statements that nobody expects to create nodes.
_QUIET: Final = (*_FUNCTIONS, *_LOOPS, ast.If, ast.Try, ast.Match, ast.Import, ast.ImportFrom, ast.Pass, ast.Global, ast.Nonlocal)


@dataclass(frozen=True, eq=False)
class Unit:
    """Lines `line` to `end` of a text. around: the statements around it, each with the name of the body that it is in.

    function: the function or class around it; None for a unit of the module.
    """

    index: int
    line: int
    end: int
    statement: ast.stmt | None
    around: tuple[tuple[ast.stmt, str], ...]
    function: ast.stmt | None

    @property
    def is_quiet(self) -> bool:
        """Whether nobody expects it to create nodes."""
        statement = self.statement
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return True
        return statement is None or isinstance(statement, _QUIET)

    @property
    def is_repeated(self) -> bool:
        """Whether one run of its program may run it more than once."""
        return self.function is not None or any(isinstance(outer, _LOOPS) for outer, _ in self.around)

    @property
    def managers(self) -> int:
        """How many blocks its `with` may open."""
        return len(self.statement.items) if isinstance(self.statement, _WITHS) else 1

    @property
    def is_loop(self) -> bool:
        """Whether it is the head of a loop."""
        return isinstance(self.statement, _LOOPS)

    @property
    def withs(self) -> list[ast.stmt]:
        """The `with` statements around it, the innermost first."""
        return [outer for outer, _ in reversed(self.around) if isinstance(outer, _WITHS)]

    def is_in(self, other: Unit) -> bool:
        """Whether it is in the body of another unit."""
        return any(outer is other.statement for outer, _ in self.around)


class Statements:
    """The units of one text; none where the text is not Python."""

    def __init__(self, text: str) -> None:
        self.units: list[Unit] = []
        try:
            self._walk(ast.parse(text).body, (), None)
        except (SyntaxError, ValueError):
            self.units = []
        self._odd: dict[int, Unit] = {}

    def _walk(self, body: Iterable[ast.stmt], around: tuple[tuple[ast.stmt, str], ...], function: ast.stmt | None) -> None:
        for statement in body:
            inner = list(_bodies(statement))
            first = min((block[0].lineno for _, block in inner), default=None)
            end = statement.end_lineno or statement.lineno
            head = end if first is None else max(statement.lineno, first - 1)
            self.units.append(Unit(len(self.units), statement.lineno, head, statement, around, function))
            for name, block in inner:
                if isinstance(statement, _FUNCTIONS):
                    self._walk(block, (), statement)
                else:
                    self._walk(block, (*around, (statement, name)), function)

    def at(self, line: int) -> Unit:
        """The innermost unit that contains a line; where the text has none, a unit of that line alone."""
        units = [unit for unit in self.units if unit.line <= line <= unit.end]
        if units:
            return units[-1]
        if line not in self._odd:
            self._odd[line] = Unit(-1, line, line, None, (), None)
        return self._odd[line]

    def after(self, unit: Unit, before: int | None = None) -> list[Unit]:
        """The units that surely run after a unit, up to the end of the text or to a line."""
        if unit.index < 0:
            return []
        later = [u for u in self._in(None) if u.index > unit.index and (before is None or u.end < before)]
        return list(_sure(later, len(self.units), unit, None))

    def between(self, one: Unit, other: Unit) -> list[Unit]:
        """The units that surely ran after one unit and before another one of the same function."""
        if one.index < 0 or other.index < 0 or one.function is not other.function:
            return []
        here = self._in(one.function)
        if one.index < other.index:
            return list(_sure([u for u in here if u.index > one.index], other.index, one, other))
        loops = [outer for outer, name in one.around if isinstance(outer, _LOOPS) and name == "body"]
        shared = [loop for loop in loops if any(outer is loop for outer, _ in other.around)]
        if shared:
            here = [u for u in here if any(outer is shared[-1] and name == "body" for outer, name in u.around)]
        elif one.function is None:
            return []  # the cell was run again
        tail = [u for u in here if u.index > one.index]
        return [*_sure(tail, len(self.units), one, None), *_sure(here, other.index, None, other)]

    def _in(self, function: ast.stmt | None) -> list[Unit]:
        return [unit for unit in self.units if unit.function is function]


def _bodies(statement: ast.stmt) -> Iterator[tuple[str, list[ast.stmt]]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if block:
            yield name, block
    for handler in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield f"handler {id(handler)}", handler.body


def _sure(units: Iterable[Unit], until: int, one: Unit | None, other: Unit | None) -> Iterator[Unit]:
    """The units, in order, that cannot have been skipped between one unit and another."""
    passed = {(id(outer), name) for unit in (one, other) if unit is not None for outer, name in unit.around}
    if one is not None and isinstance(one.statement, _WITHS):
        passed.add((id(one.statement), "body"))
    for unit in units:
        if unit.index >= until:
            return
        # A `with` that contains neither unit may have another graph, in which its lines create nodes.
        sure = all((id(outer), name) in passed for outer, name in unit.around)
        if isinstance(unit.statement, ast.Try):
            return
        if sure and not unit.is_quiet:
            yield unit
        if isinstance(unit.statement, _JUMPS):
            return  # even in a branch: it may have been taken


__all__ = ["Statements", "Unit"]
