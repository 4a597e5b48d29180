"""The programs that created some targets: `programs({"with identity": y})`, for a question about what they print.

Of a notebook cell a program has the text up to the statement that asks for it; of a file, the statements that created the graph.
No state.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from ....engine.base.site import Site, capture
from ....engine.graph.graph import Graph
from ....engine.graph.nodes import Operation
from ...records import CodeRecord
from ..graph_records import part_of
from .cell_names import cell_name
from .program_lines import end_of, first_line, piece

Program: TypeAlias = tuple[CodeRecord, ...]


def programs(targets: Mapping[str, Any]) -> tuple[Program, ...]:
    """The source of the cells or files that created each target; one program alone where all targets have the same.

    Raises: as view.build.graph_record for targets that are no part of a graph.
    """
    caller = capture()
    found = tuple([_program_of(target, caller) for target in targets.values()])
    distinct = tuple(dict.fromkeys(found))
    return found if len(distinct) > 1 else tuple([program for program in distinct if program])


def built(program: Any) -> Any:
    """What a program fetches: the target itself, or the result of the function that builds it in a new graph."""
    if not callable(program):
        return program
    with Graph().as_default():
        return program()


def titles_of(first: Any, second: Any) -> tuple[str, str]:
    """For each of two targets the line by which its program differs, and numbers where that says nothing."""
    here, there = (
        [line.strip() for code in program for line in code.lines if line.strip()]
        for program in (_program_of(target, capture()) for target in (first, second))
    )
    changes = [change for change in SequenceMatcher(None, here, there, autojunk=False).get_opcodes() if change[0] != "equal"]
    if len(changes) == 1:
        _, i, i_end, j, j_end = changes[0]
        if i_end - i == j_end - j == 1:
            return here[i], there[j]
    return "1", "2"


def given_program(text: str) -> tuple[Program, ...]:
    """The program of a text that somebody wrote for the question."""
    lines = text.rstrip("\n").split("\n")
    return ((CodeRecord("", 1, tuple(lines)),),) if text.strip() else ()


def _program_of(target: Any, caller: Site | None) -> Program:
    part = part_of(target, steps=0)
    focus = set(part.focus)
    created = [op for op in part.operations if op.id in focus]
    places = {op.site.file: op.site.place for op in created if op.site is not None}
    codes = [_code(file, place, part.graph, created, caller) for file, place in places.items()]
    return tuple([code for code in codes if code.lines])


def _code(file: str, place: str, graph: Graph, created: Sequence[Operation], caller: Site | None) -> CodeRecord:
    lines = [line.rstrip("\r\n") for line in linecache.getlines(file)]
    try:
        statements = ast.parse("\n".join(lines)).body
    except SyntaxError:
        return piece(place, lines, 1, len(lines))
    until = caller.line if caller is not None and caller.file == file else len(lines) + 1
    if cell_name(file) is not None:
        before = [s for s in statements if s.lineno < until and not s.lineno <= until <= end_of(s)]
        last = end_of(before[-1]) if 0 < len(before) < len(statements) else len(lines)
        return piece(place, lines, first_line(statements), last)
    sites = [*(op.site for op in graph.operations), *(block.site for block in graph.blocks)]
    wanted = {site.line for site in sites if site is not None and site.file == file}
    body = _around(statements, {op.site.line for op in created if op.site is not None and op.site.file == file})
    chosen = [s for s in body if any(s.lineno <= line <= end_of(s) for line in wanted)]
    if not chosen:
        return CodeRecord(place, 1, ())
    return piece(place, lines, chosen[0].lineno, end_of(chosen[-1]))


def _around(statements: list[ast.stmt], lines: set[int]) -> list[ast.stmt]:
    """The statements of the innermost function around all these lines, or of the module."""
    for statement in statements:
        if not all(statement.lineno <= line <= end_of(statement) for line in lines):
            continue
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return _around(statement.body, lines)
        if isinstance(statement, ast.ClassDef):
            return _around(statement.body, lines)
    return statements


__all__ = ["built", "given_program", "programs", "titles_of"]
