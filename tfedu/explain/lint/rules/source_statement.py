"""What the program's own text says about a line, beyond the nodes that it made.

State: none (parsed files are kept as long as their text stays the same).
"""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache

from ....engine.base.site import Site


def dropped_call(site: Site) -> str | None:
    """The last name of the function of a statement that is nothing but a call, as "assign" of `x.assign(1)`.

    None for another statement; for the last one of a notebook's cell, whose result is shown; for a call that gives the node a
    name, by which it can be fetched; and without the source.
    """
    found = _parsed(site.file).dropped.get(site.line)
    if found is None or (found[1] and site.place != f"File {site.file}"):
        return None
    return found[0]


def calls(site: Site, *functions: str) -> bool:
    """Whether the line calls one of these functions, by the last name; False without the source."""
    return any(_name(call) in functions for call in _parsed(site.file).calls.get(site.line, ()))


def is_plain_call(site: Site, function: str, argument: str) -> bool:
    """Whether the line calls the function, and without that argument, which would be its first."""
    found = [call for call in _parsed(site.file).calls.get(site.line, ()) if _name(call) == function]
    return bool(found) and not any(call.args or argument in [word.arg for word in call.keywords] for call in found)


def is_compared_with_none(site: Site) -> bool:
    """Whether the program asks, in the same function, if what the line's statement gives, or a part of it, is None."""
    text = _parsed(site.file)
    scope = min((f for f in text.functions if site.line in _lines(f)), key=lambda f: len(_lines(f)), default=text.tree)
    inside = list(ast.walk(scope))
    at = [node for node in inside if isinstance(node, ast.Assign | ast.AnnAssign) and site.line in _lines(node)]
    known = {name for node in at for name in _names(*_bound(node)[0])}
    bindings = [_bound(node) for node in inside]
    grown = -1
    while grown < len(known):  # what is made of a name, or taken from it in a loop, is a part of it
        grown = len(known)
        for targets, value in bindings:
            if value is not None and known & _names(value):
                known |= _names(*targets)
    asked = [node for node in inside if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot)]
    return any(
        isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None and known & _names(node.left)
        for node in asked
    )


def _bound(node: ast.AST) -> tuple[list[ast.expr], ast.expr | None]:
    """What the node gives names to, and what it gives the names to."""
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


class _Text:
    """A file's calls by line, and the statements that are nothing but a call: its function, and whether it is the last."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        self.calls: dict[int, list[ast.Call]] = {}
        self.dropped: dict[int, tuple[str, bool]] = {}
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
                    self.dropped[line] = _name(node.value), node is last


def _lines(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _parsed(file: str) -> _Text:
    return _parse("".join(linecache.getlines(file)))


@lru_cache(maxsize=64)
def _parse(text: str) -> _Text:
    try:
        return _Text(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        # A notebook's own commands are no Python: then the source is as good as not at hand.
        return _Text(ast.Module([], []))
