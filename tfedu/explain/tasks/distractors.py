"""Plausible wrong pieces: `distractors(program, judge, most)`. Each is right in one misconception.

A distractor is a line of the program with a change that learners make; the engine's result must differ, and a misconception
must expect the right result, so that no distractor is right after all. No state.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace

from .pieces import Edge, Piece, Program, with_line

_IN_PLACE = {"assign_add": ast.Add(), "assign_sub": ast.Sub()}


def variations(text: str) -> Iterator[str]:
    """The statement with one expression changed: without the identity, a sum for an assign, a where for a cond."""
    count = sum(1 for _ in ast.walk(ast.parse(text)))
    yielded = {ast.unparse(ast.parse(text))}
    for at in range(count):
        for change in (_without, _as_value, _computed, _handed_on, _where):
            tree = ast.parse(text)
            node = list(ast.walk(tree))[at]
            changed = change(node) if isinstance(node, (ast.Call, ast.BinOp)) else None
            if changed is None:
                continue
            varied = ast.unparse(ast.fix_missing_locations(_Replace(node, changed).visit(tree)))
            if varied not in yielded:
                yielded.add(varied)
                yield varied


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def _calls(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names


def _without(node: ast.AST) -> ast.AST | None:
    """tf.identity(x) → x, x.read_value() → x: as if it did nothing."""
    if _calls(node, "identity"):
        return node.args[0] if node.args else None  # type: ignore[attr-defined]
    return node.func.value if _calls(node, "read_value") else None  # type: ignore[attr-defined]


def _as_value(node: ast.AST) -> ast.AST | None:
    """tf.assign_add(x, 1) → x + 1: as if the name were the variable."""
    if not _calls(node, *_IN_PLACE) or len(node.args) < 2:  # type: ignore[attr-defined]
        return None
    return ast.BinOp(node.args[0], _IN_PLACE[node.func.attr], node.args[1])  # type: ignore[attr-defined]


def _computed(node: ast.AST) -> ast.AST | None:
    """tf.identity(x) → x + 0: a new number and no alias of the variable."""
    return ast.BinOp(node.args[0], ast.Add(), ast.Constant(0)) if _calls(node, "identity") and node.args else None  # type: ignore[attr-defined]


def _handed_on(node: ast.AST) -> ast.AST | None:
    """x + 0 → tf.identity(x): an alias of the variable and no new number."""
    neutral = isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and node.right.value in (0, 1)
    if not neutral:
        return None
    function = ast.Attribute(ast.Name("tf", ast.Load()), "identity", ast.Load())
    return ast.Call(function, [node.left], [])  # type: ignore[attr-defined]


def _where(node: ast.AST) -> ast.AST | None:
    """tf.cond(p, lambda: a, lambda: b) → tf.where(p, a, b): as if only one side ran."""
    if not _calls(node, "cond") or len(node.args) != 3 or not all(isinstance(a, ast.Lambda) for a in node.args[1:]):  # type: ignore[attr-defined]
        return None
    arguments = [node.args[0], *(side.body for side in node.args[1:])]  # type: ignore[attr-defined]
    return ast.Call(ast.Attribute(node.func.value, "where", ast.Load()), arguments, [])  # type: ignore[attr-defined]


def distractors(program: Program, judge: Callable[[Program], str | None], most: int) -> list[Piece]:
    """At most `most` wrong pieces, numbered after the program's own.

    judge: the code of a misconception in which a wrong program would be right; None if there is none or the program is right.
    """
    wrong_pieces: list[Piece] = []
    for piece in program.pieces:
        for line in variations(piece.text(own_names(program, piece))):
            if len(wrong_pieces) == most:
                return wrong_pieces
            id = len(program.pieces) + len(wrong_pieces)
            piece_of_line, _ = with_line(program, line, id)
            model = judge(exchanged(program, piece.id, line))
            if model is not None:
                wrong_pieces.append(replace(piece_of_line, model=model))
    return wrong_pieces


def own_names(program: Program, piece: Piece) -> list[str]:
    """The names in the holes of a piece in the program itself."""
    names = {edge[3]: program.pieces[edge[0]].gives[edge[1]] for edge in program.edges if edge[2] == piece.id}
    return [names[hole] for hole in range(piece.holes)]


def exchanged(program: Program, id: int, line: str) -> Program:
    """The program with another line in place of one; its edges of order stay."""
    wrong, edges = with_line(program, line, id)
    kept: list[Edge] = [e for e in program.edges if e[2] != id or e[3] < 0]
    pieces = tuple([wrong if piece.id == id else piece for piece in program.pieces])
    return replace(program, pieces=pieces, edges=(*kept, *(e for e in edges if e[3] >= 0)))


__all__ = ["distractors", "exchanged", "own_names", "variations"]
