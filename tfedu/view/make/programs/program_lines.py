"""The lines of a program around those that created nodes: `code_records(sites)`, for a listing beside a picture.

Of a notebook cell these are all its lines but the imports at its top; of a file, the functions in which nodes were created, and
the lines around those that a module created itself. The text comes from linecache, as in a traceback. State: a cache of where
functions stand.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from ...records import CodeRecord, SiteRecord
from .cell_names import cell_name

# Of a longer function only the lines around those that created nodes are shown.
LONG: Final = 60
# So many lines are shown before and after a line that created nodes.
AROUND: Final = 2
# Lines this far apart are shown with all lines between them.
GAP: Final = 8
# All pieces together have at most so many lines.
MOST: Final = 600


def code_records(sites: Iterable[tuple[str, SiteRecord]]) -> tuple[CodeRecord, ...]:
    """The pieces of the files, in the order of their first nodes. sites: pairs of a file and a line of it."""
    places: dict[str, str] = {}
    lines_by_file: dict[str, set[int]] = {}
    for file, site in sites:
        places.setdefault(file, site.label.removesuffix(f", line {site.line}"))
        lines_by_file.setdefault(file, set()).add(site.line)
    codes: list[CodeRecord] = []
    left = MOST
    for file, created in lines_by_file.items():
        text = [line.rstrip("\r\n") for line in linecache.getlines(file)]
        pieces = _cell(text) if cell_name(file) is not None else _pieces(text, sorted(created))
        for first, last in pieces:
            code = piece(places[file], text, first, min(last, first + left - 1))
            if code.lines:
                codes.append(code)
                left -= len(code.lines)
    return tuple(codes)


def piece(place: str, text: Sequence[str], first: int, last: int) -> CodeRecord:
    """The lines `first` to `last` of a text, without blank lines at its ends."""
    first, last = max(1, first), min(last, len(text))
    while first <= last and not text[last - 1].strip():
        last -= 1
    while first < last and not text[first - 1].strip():
        first += 1
    return CodeRecord(place, first, tuple(text[first - 1 : last]))


def first_line(statements: Sequence[ast.stmt]) -> int:
    """The line after the imports and the `reset_default_graph()` at the top of a cell, of which no picture shows anything."""
    line = 1
    for statement in statements:
        called = statement.value.func if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None
        is_reset = "reset_default_graph" in (getattr(called, "attr", ""), getattr(called, "id", ""))
        if not is_reset and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            break
        line = end_of(statement) + 1
    return line


def end_of(statement: ast.stmt) -> int:
    """The last line of a statement."""
    return statement.end_lineno or statement.lineno


def _cell(text: Sequence[str]) -> Iterator[tuple[int, int]]:
    try:
        yield first_line(ast.parse("\n".join(text)).body), len(text)
    except (SyntaxError, ValueError):
        yield 1, len(text)


def _pieces(text: Sequence[str], created: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last lines of the pieces of a file, in order; none of them overlap."""
    functions = _functions("\n".join(text))
    first = last = 0
    for line in created:
        around = next((span for span in functions if span[0] <= line <= span[1]), None)
        if around is None or around[1] - around[0] >= LONG:
            low, high = around or (1, len(text))
            around = max(low, line - AROUND), min(high, line + AROUND)
        if last and around[0] <= last + GAP:
            last = max(last, around[1])
            continue
        if last:
            yield first, last
        first, last = around
    if last:
        yield first, last


@lru_cache(32)
def _functions(text: str) -> tuple[tuple[int, int], ...]:
    """First and last lines of the functions that are in no other function."""
    try:
        todo: list[ast.AST] = [ast.parse(text)]
    except (SyntaxError, ValueError):
        return ()
    spans: list[tuple[int, int]] = []
    while todo:
        for node in ast.iter_child_nodes(todo.pop()):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                spans.append((start, end_of(node)))
            elif isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                todo.append(node)
    return tuple(sorted(spans))


__all__ = ["code_records", "end_of", "first_line", "piece"]
