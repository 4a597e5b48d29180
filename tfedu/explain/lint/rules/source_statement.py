"""The source text of a program's line: what it calls, and whether it drops the result.

No state but a cache of parsed texts.
"""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache
from typing import NamedTuple

from ....engine.base.site import Site


def dropped_call(site: Site) -> str | None:
    """The function's last name in a statement that is only a call: "assign" for `x.assign(1)`.

    None for any other statement; for the last one of a notebook's cell, which displays its result; for a call with a `name`
    argument, by which the node can be fetched; and without the source.
    """
    call = _parsed(site.file).dropped.get(site.line)
    if call is None or (call.is_last and site.place != f"File {site.file}"):
        return None
    return call.function


def calls(site: Site, *functions: str) -> bool:
    """Whether the line calls one of these functions, given by their last names; False without the source."""
    return any(_name(call) in functions for call in _parsed(site.file).calls.get(site.line, ()))


def is_plain_call(site: Site, function: str, argument: str) -> bool:
    """Whether the line calls the function without that argument, which is its first."""
    matches = [call for call in _parsed(site.file).calls.get(site.line, ()) if _name(call) == function]
    return bool(matches) and not any(call.args or argument in [word.arg for word in call.keywords] for call in matches)


def is_compared_with_none(site: Site) -> bool:
    """Whether the same function compares the result of the line's statement, or a part of it, with None."""
    text = _parsed(site.file)
    scope = min((f for f in text.functions if site.line in _lines(f)), key=lambda f: len(_lines(f)), default=text.tree)
    nodes = list(ast.walk(scope))
    statements = [node for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign) and site.line in _lines(node)]
    names = {name for node in statements for name in _names(*_binding(node)[0])}
    bindings = [_binding(node) for node in nodes]
    count = -1
    while count < len(names):  # add the names that are bound to an expression of these names
        count = len(names)
        for targets, value in bindings:
            if value is not None and names & _names(value):
                names |= _names(*targets)
    comparisons = [node for node in nodes if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot)]
    return any(
        isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None and names & _names(node.left)
        for node in comparisons
    )


def _binding(node: ast.AST) -> tuple[list[ast.expr], ast.expr | None]:
    """The targets that the node binds, and the expression that it binds them to."""
    if isinstance(node, ast.Assign):
        return node.targets, node.value
    if isinstance(node, ast.AnnAssign | ast.NamedExpr):
        return [node.target], node.value
    if isinstance(node, ast.For | ast.comprehension):
        return [node.target], node.iter
    return [], None


def _names(*nodes: ast.expr) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


class _DroppedCall(NamedTuple):
    """A statement that is only a call. function: its last name; is_last: whether it is the file's last statement."""

    function: str
    is_last: bool


class _Text:
    """A file's tree and functions; its calls and its statements that are only a call, by line."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        self.calls: dict[int, list[ast.Call]] = {}
        self.dropped: dict[int, _DroppedCall] = {}
        last = tree.body[-1] if tree.body else None
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                for line in _lines(node):
                    self.calls.setdefault(line, []).append(node)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions.append(node)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                named = any(word.arg == "name" for word in node.value.keywords)
                for line in _lines(node) if isinstance(node.value.func, ast.Attribute) and not named else ():
                    self.dropped[line] = _DroppedCall(_name(node.value), node is last)


def _lines(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _parsed(file: str) -> _Text:
    return _parse("".join(linecache.getlines(file)))


@lru_cache(maxsize=64)
def _parse(text: str) -> _Text:
    try:
        return _Text(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        # A notebook's magic commands are not Python: the same as without the source.
        return _Text(ast.Module([], []))
