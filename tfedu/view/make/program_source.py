"""The source of the program that created some targets: `program({"with identity": y})`, for a question about what it prints.

Of a notebook cell it has the text up to the statement that asks for it; of a file, the statements that created the graph.
No state.
"""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Mapping
from typing import Any

from ...engine.base.site import Site, capture
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation
from .cell_names import cell_name
from .graph_records import part_of


def program(targets: Mapping[str, Any]) -> str:
    """The source of the cells or files that created the targets; where they differ, each under a comment with its label.

    Raises: as view.build.graph_record for targets that are no part of a graph.
    """
    caller = capture()
    texts = {label: _text_of(target, caller) for label, target in targets.items()}
    distinct = list(dict.fromkeys(texts.values()))
    if len(distinct) <= 1:
        return distinct[0] if distinct else ""
    return "\n\n".join(f"# {label}\n{text}" for label, text in texts.items())


def _text_of(target: Any, caller: Site | None) -> str:
    part = part_of(target, steps=0)
    focus = set(part.focus)
    created = [op for op in part.operations if op.id in focus and op.site is not None]
    files = dict.fromkeys(op.site.file for op in created if op.site is not None)
    return "\n\n".join(_text(file, part.graph, created, caller) for file in files).strip("\n")


def _text(file: str, graph: Graph, created: list[Operation], caller: Site | None) -> str:
    lines = linecache.getlines(file)
    try:
        statements = ast.parse("".join(lines)).body
    except SyntaxError:
        return "".join(lines)
    until = caller.line if caller is not None and caller.file == file else len(lines) + 1
    if cell_name(file) is not None:
        before = [s for s in statements if s.lineno < until and not s.lineno <= until <= _end(s)]
        return "".join(lines[: _end(before[-1])] if 0 < len(before) < len(statements) else lines)
    sites = [*(op.site for op in graph.operations), *(block.site for block in graph.blocks)]
    wanted = {site.line for site in sites if site is not None and site.file == file}
    body = _around(statements, {op.site.line for op in created if op.site is not None and op.site.file == file})
    chosen = [s for s in body if any(s.lineno <= line <= _end(s) for line in wanted)]
    if not chosen:
        return ""
    return textwrap.dedent("".join(lines[chosen[0].lineno - 1 : _end(chosen[-1])]))


def _around(statements: list[ast.stmt], lines: set[int]) -> list[ast.stmt]:
    """The statements of the innermost function around all these lines, or of the module."""
    for statement in statements:
        if not all(statement.lineno <= line <= _end(statement) for line in lines):
            continue
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return _around(statement.body, lines)
        if isinstance(statement, ast.ClassDef):
            return _around(statement.body, lines)
    return statements


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno
