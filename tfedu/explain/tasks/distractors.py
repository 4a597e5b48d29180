"""Wrong pieces that somebody would choose: `distractors(program, behaviour)`. Each is right in one of the wrong models.

A line of the program is changed in the ways that people change it; what the engine then does must differ, and a model
(misconceptions.py) must expect just what the program should give. So no wrong piece is right after all. No state.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace

from .pieces import Edge, Piece, Program, with_line

_IN_PLACE = {"assign_add": ast.Add(), "assign_sub": ast.Sub()}


def variations(text: str) -> Iterator[str]:
    """The statement with one expression in it changed: the identity left out, an assign as a sum, a cond as a where."""
    count = sum(1 for _ in ast.walk(ast.parse(text)))
    seen = {ast.unparse(ast.parse(text))}
    for at in range(count):
        for change in (_without, _as_value, _computed, _handed_on, _where):
            tree = ast.parse(text)
            node = list(ast.walk(tree))[at]
            made = change(node) if isinstance(node, (ast.Call, ast.BinOp)) else None
            if made is None:
                continue
            varied = ast.unparse(ast.fix_missing_locations(_Replace(node, made).visit(tree)))
            if varied not in seen:
                seen.add(varied)
                yield varied


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def _calls(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names


def _without(node: ast.AST) -> ast.AST | None:
    """tf.identity(x) → x, x.read_value() → x: it seems to do nothing."""
    if _calls(node, "identity"):
        return node.args[0] if node.args else None  # type: ignore[attr-defined]
    return node.func.value if _calls(node, "read_value") else None  # type: ignore[attr-defined]


def _as_value(node: ast.AST) -> ast.AST | None:
    """tf.assign_add(x, 1) → x + 1: as if the name were the variable."""
    if not _calls(node, *_IN_PLACE) or len(node.args) < 2:  # type: ignore[attr-defined]
        return None
    return ast.BinOp(node.args[0], _IN_PLACE[node.func.attr], node.args[1])  # type: ignore[attr-defined]


def _computed(node: ast.AST) -> ast.AST | None:
    """tf.identity(x) → x + 0: a number of its own, and no window."""
    return ast.BinOp(node.args[0], ast.Add(), ast.Constant(0)) if _calls(node, "identity") and node.args else None  # type: ignore[attr-defined]


def _handed_on(node: ast.AST) -> ast.AST | None:
    """x + 0 → tf.identity(x): a window, and no number of its own."""
    neutral = isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and node.right.value in (0, 1)
    if not neutral:
        return None
    function = ast.Attribute(ast.Name("tf", ast.Load()), "identity", ast.Load())
    return ast.Call(function, [node.left], [])  # type: ignore[attr-defined]


def _where(node: ast.AST) -> ast.AST | None:
    """tf.cond(p, lambda: a, lambda: b) → tf.where(p, a, b): as if only one side ran."""
    if not _calls(node, "cond") or len(node.args) != 3 or not all(isinstance(a, ast.Lambda) for a in node.args[1:]):  # type: ignore[attr-defined]
        return None
    given = [node.args[0], *(side.body for side in node.args[1:])]  # type: ignore[attr-defined]
    return ast.Call(ast.Attribute(node.func.value, "where", ast.Load()), given, [])  # type: ignore[attr-defined]


def distractors(program: Program, judge: Callable[[Program], str | None], most: int) -> list[Piece]:
    """At most so many wrong pieces, numbered after the program's own.

    judge: the model in which a program would be right; None where there is none, or the program is right.
    """
    found: list[Piece] = []
    for piece in program.pieces:
        for line in variations(piece.text(own_names(program, piece))):
            if len(found) == most:
                return found
            id = len(program.pieces) + len(found)
            wrong, _ = with_line(program, line, id)
            model = judge(exchanged(program, piece.id, line))
            if model is not None:
                found.append(replace(wrong, model=model))
    return found


def own_names(program: Program, piece: Piece) -> list[str]:
    """What stands in the holes of a piece in the program itself."""
    into = {edge[3]: program.pieces[edge[0]].gives[edge[1]] for edge in program.edges if edge[2] == piece.id}
    return [into[hole] for hole in range(piece.holes)]


def exchanged(program: Program, id: int, line: str) -> Program:
    """The program with another line in the place of one; what that waits for stays."""
    wrong, edges = with_line(program, line, id)
    kept: list[Edge] = [e for e in program.edges if e[2] != id or e[3] < 0]
    pieces = tuple([wrong if piece.id == id else piece for piece in program.pieces])
    return replace(program, pieces=pieces, edges=(*kept, *(e for e in edges if e[3] >= 0)))


__all__ = ["distractors", "exchanged", "own_names", "variations"]
