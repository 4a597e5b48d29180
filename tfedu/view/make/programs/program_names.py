"""The names that the program's own statements give to nodes: `program_names(graph.operations)` has x for `x = tf.constant(1.0)`.

The site of a node has the instruction that created it, and Python knows which expression an instruction computes, so that
several statements on one line, or one on several lines, are told apart. There is no name without the source, and none where
Python was told not to keep positions (`-X no_debug_ranges`). State: a cache of parsed texts.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import CodeType
from typing import NamedTuple, TypeAlias

from ....engine.graph.nodes import Operation
from ....engine.op.definition import role_of

_Span: TypeAlias = tuple[int | None, int | None, int | None, int | None]
"""First and last line, first and last column of an expression, as `co_positions` has them."""


class _Target(NamedTuple):
    """A name to which a statement assigns, and where it stands in the file."""

    name: str
    line: int
    column: int


def program_names(operations: Iterable[Operation]) -> dict[Operation, str]:
    """The name of each node that has one, by its assignment: of the variable that the value's call creates, else of the last node
    that the value's call or operator creates, not of those that its arguments create. A statement that runs several times
    names only the last.
    """
    found: dict[tuple[int, int], _Target | None] = {}
    spans: dict[int, list[_Span]] = {}
    created: dict[tuple[str, _Target], list[Operation]] = {}
    for op in operations:
        if op._site is None:
            continue
        code, at = op._site
        key = id(code), at
        if key not in found:
            if id(code) not in spans:
                spans[id(code)] = list(code.co_positions())
            found[key] = _target(code, spans[id(code)][at // 2])
        target = found[key]
        if target is not None:
            created.setdefault((code.co_filename, target), []).append(op)
    return {_result(nodes): target.name for (_, target), nodes in created.items()}


def _target(code: CodeType, span: _Span) -> _Target | None:
    lines = linecache.getlines(code.co_filename)
    return _targets("".join(lines)).get(span) if lines else None


def _result(nodes: list[Operation]) -> Operation:
    last = nodes[-1]
    for op in reversed(nodes):
        # A variable's assignment, read and regularizer follow it; after the variables of a layer comes what the layer computes.
        if role_of(op) == "variable" and (op is last or last.name.startswith(f"{op.name}/")):
            return op
    return last


@lru_cache(maxsize=64)
def _targets(text: str) -> Mapping[_Span, _Target]:
    """The target of each expression of a text that is the value of an assignment."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        # A notebook's magic commands are not Python: the same as without the source.
        return {}
    found: dict[_Span, _Target] = {}
    for node in ast.walk(tree):
        for target, value in _assignments(node):
            for expression in _values(value):
                for span in _spans(expression):
                    found.setdefault(span, target)
    return found


def _assignments(node: ast.AST) -> Iterator[tuple[_Target, ast.expr]]:
    """Yields each name to which the syntax node assigns, with the expression that gives the name its value."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    if isinstance(node, ast.Assign):
        pairs = [(target, node.value) for target in node.targets]
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        pairs = [(node.target, node.value)]
    while pairs:
        target, value = pairs.pop(0)
        if isinstance(target, ast.Name):
            if target.id != "_":
                yield _Target(target.id, target.lineno, target.col_offset), value
        elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            if not any(isinstance(part, ast.Starred) for part in (*target.elts, *value.elts)):
                pairs += zip(target.elts, value.elts)


def _values(value: ast.expr) -> Iterator[ast.expr]:
    """Yields each expression whose value the assignment may take: the whole, the branches of a conditional, the operands of `and`
    and `or`, and the object whose attribute or element the expression reads.
    """
    yield value
    if isinstance(value, ast.IfExp):
        inner = [value.body, value.orelse]
    elif isinstance(value, ast.BoolOp):
        inner = value.values
    else:
        inner = [value.value] if isinstance(value, (ast.Subscript, ast.Attribute, ast.NamedExpr)) else []
    for expression in inner:
        yield from _values(expression)


def _spans(expression: ast.expr) -> Iterator[_Span]:
    end = expression.end_lineno, expression.end_col_offset
    yield expression.lineno, end[0], expression.col_offset, end[1]
    method = expression.func if isinstance(expression, ast.Call) else expression
    if isinstance(method, ast.Attribute) and method.end_col_offset is not None:
        # Of a chain on several lines, Python's position begins at the method's name.
        yield method.end_lineno, end[0], method.end_col_offset - len(method.attr), end[1]


__all__ = ["program_names"]
