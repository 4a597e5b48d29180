"""The statements of a program by their lines: `Statements(source)`, and which of them surely ran between two others.

A unit is a simple statement, or the head of a compound one ("with …:"). Which branch of an `if` ran nobody can tell from the
text, so that only those count which cannot have been left out. State: the units of one text, in its order.
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
# They build nothing by themselves, and nobody would think so.
_QUIET: Final = (*_FUNCTIONS, *_LOOPS, ast.If, ast.Try, ast.Match, ast.Import, ast.ImportFrom, ast.Pass, ast.Global, ast.Nonlocal)


@dataclass(frozen=True, eq=False)
class Unit:
    """Lines `line` to `end` of a text. around: the statements that hold it, each with the name of the body that it is in.

    function: the function or class that it is in, None for the text itself.
    """

    index: int
    line: int
    end: int
    statement: ast.stmt | None
    around: tuple[tuple[ast.stmt, str], ...]
    function: ast.stmt | None

    @property
    def is_quiet(self) -> bool:
        """Whether nobody expects nodes of it."""
        found = self.statement
        if isinstance(found, ast.Expr) and isinstance(found.value, ast.Constant):
            return True
        return found is None or isinstance(found, _QUIET)

    @property
    def is_repeated(self) -> bool:
        """Whether one call of its program can run it more than once."""
        return self.function is not None or any(isinstance(outer, _LOOPS) for outer, _ in self.around)

    @property
    def managers(self) -> int:
        """How many blocks its `with` can open."""
        return len(self.statement.items) if isinstance(self.statement, _WITHS) else 1

    @property
    def is_loop(self) -> bool:
        """Whether it is the head of a loop, to which the loop's body comes back."""
        return isinstance(self.statement, _LOOPS)

    @property
    def withs(self) -> list[ast.stmt]:
        """The `with` statements that hold it, the innermost first."""
        return [outer for outer, _ in reversed(self.around) if isinstance(outer, _WITHS)]

    def is_in(self, other: Unit) -> bool:
        """Whether it lies in the body of another one."""
        return any(outer is other.statement for outer, _ in self.around)


class Statements:
    """The units of one text; of none where it is no Python."""

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
        """The innermost unit that holds a line; a unit of that line alone where the text has none."""
        found = [unit for unit in self.units if unit.line <= line <= unit.end]
        if found:
            return found[-1]
        if line not in self._odd:
            self._odd[line] = Unit(-1, line, line, None, (), None)
        return self._odd[line]

    def after(self, unit: Unit, before: int | None = None) -> list[Unit]:
        """What runs after a unit up to the text's end, or to a line."""
        if unit.index < 0:
            return []
        left = [u for u in self._in(None) if u.index > unit.index and (before is None or u.end < before)]
        return list(_sure(left, len(self.units), unit, None))

    def between(self, one: Unit, other: Unit) -> list[Unit]:
        """What surely ran after one unit and before another of the same function, where nothing else ran but these."""
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
            return []  # a cell that was run again
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
    """Those of the units, in order, that cannot have been left out on the way from one to another."""
    passed = {(id(outer), name) for unit in (one, other) if unit is not None for outer, name in unit.around}
    if one is not None and isinstance(one.statement, _WITHS):
        passed.add((id(one.statement), "body"))
    for unit in units:
        if unit.index >= until:
            return
        # Another `with` may be that of another graph, in which its lines do make nodes.
        sure = all((id(outer), name) in passed for outer, name in unit.around)
        if isinstance(unit.statement, ast.Try):
            return
        if sure and not unit.is_quiet:
            yield unit
        if isinstance(unit.statement, _JUMPS):
            return  # or, in a branch, perhaps


__all__ = ["Statements", "Unit"]
