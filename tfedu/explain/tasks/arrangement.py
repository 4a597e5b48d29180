"""Pieces, the edges between them, and their code: `attached(arrangement, edge)`, `code(lines(name, pieces, arrangement))`.

An arrangement is immutable: each change returns a new one. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .pieces import WAITS, Edge, Piece


@dataclass(frozen=True)
class Arrangement:
    """Which pieces are in the program, and the edges between them."""

    placed: frozenset[int] = frozenset()
    edges: frozenset[Edge] = frozenset()

    def into(self, piece: int, port: int) -> list[Edge]:
        """The edges into a hole: at most one; into the port WAITS any number."""
        return sorted(edge for edge in self.edges if edge[2:] == (piece, port))

    def waits(self, piece: int) -> tuple[int, ...]:
        """The pieces that a piece waits for."""
        return tuple([edge[0] for edge in self.into(piece, WAITS)])


@dataclass(frozen=True)
class Line:
    """A line of the code. indent: how many blocks it is in; piece: its piece, if it has one."""

    text: str
    indent: int
    piece: int | None


def path_between(arrangement: Arrangement, source: int, target: int) -> list[int]:
    """The pieces on a path along the edges from one to another; empty if there is none."""
    came_from: dict[int, int | None] = {source: None}
    queue = [source]
    for at in queue:
        for edge in sorted(arrangement.edges):
            if edge[0] == at and edge[2] not in came_from:
                came_from[edge[2]] = at
                queue.append(edge[2])
    path = []
    piece: int | None = target if target in came_from else None
    while piece is not None:
        path.append(piece)
        piece = came_from[piece]
    return path[::-1]


def attached(arrangement: Arrangement, edge: Edge) -> Arrangement:
    """With this edge in place of the one into the same hole, and with both its pieces.

    Raises: ValueError for an edge that closes a cycle, which no program has.
    """
    source, _, target, port = edge
    if path_between(arrangement, target, source):
        raise ValueError("an edge that closes a circle")
    old = set() if port == WAITS else set(arrangement.into(target, port))
    return Arrangement(arrangement.placed | {source, target}, (arrangement.edges - old) | {edge})


def detached(arrangement: Arrangement, edge: Edge) -> Arrangement:
    """Without an edge."""
    return replace(arrangement, edges=arrangement.edges - {edge})


def put(arrangement: Arrangement, piece: int) -> Arrangement:
    """With a piece."""
    return replace(arrangement, placed=arrangement.placed | {piece})


def removed(arrangement: Arrangement, piece: int) -> Arrangement:
    """Without a piece and its edges."""
    kept = frozenset(edge for edge in arrangement.edges if piece not in (edge[0], edge[2]))
    return Arrangement(arrangement.placed - {piece}, kept)


def open_holes(pieces: Sequence[Piece], arrangement: Arrangement) -> list[tuple[int, int]]:
    """The holes of placed pieces without an edge, as pairs (piece, port)."""
    filled = {edge[2:] for edge in arrangement.edges}
    holes = [(id, port) for id in sorted(arrangement.placed) for port in range(pieces[id].holes)]
    return [hole for hole in holes if hole not in filled]


def filled_text(pieces: Sequence[Piece], arrangement: Arrangement, id: int, empty: str = "...") -> str:
    """The statement of a piece with the names from its edges in its holes."""
    names = []
    for port in range(pieces[id].holes):
        edges = arrangement.into(id, port)
        names.append(pieces[edges[0][0]].gives[edges[0][1]] if edges else empty)
    return pieces[id].text(names)


def lines(name: str, pieces: Sequence[Piece], arrangement: Arrangement) -> list[Line]:
    """The program: each piece after the pieces that it needs; pieces that wait for the same are in one block."""
    program = [Line(f"def {name}():", 0, None)]
    block: tuple[int, ...] = ()
    for id in _in_order(pieces, arrangement):
        waits = arrangement.waits(id)
        if waits and waits != block:
            listed = ", ".join((pieces[one].gives or ("...",))[0] for one in waits)
            program.append(Line(f"with tf.control_dependencies([{listed}]):", 1, None))
        block = waits
        text = filled_text(pieces, arrangement, id)
        program.extend(Line(part, 2 if waits else 1, id) for part in text.splitlines())
    return program


def code(lines: Iterable[Line]) -> str:
    """The lines as text."""
    return "\n".join("    " * line.indent + line.text for line in lines) + "\n"


def _in_order(pieces: Sequence[Piece], arrangement: Arrangement) -> list[int]:
    """The placed pieces in topological order; those of one block together where possible, `return` last."""
    pending = {id: {edge[0] for edge in arrangement.edges if edge[2] == id} for id in arrangement.placed}
    order: list[int] = []
    block: tuple[int, ...] = ()
    while pending:
        ready = [id for id, needs in pending.items() if not needs & pending.keys()]
        first = min(ready, key=lambda id: (pieces[id].returns, arrangement.waits(id) != block, id))
        block = arrangement.waits(first)
        order.append(first)
        del pending[first]
    return order


__all__ = [
    "Arrangement", "Line", "attached", "code", "detached", "filled_text", "lines", "open_holes", "path_between", "put", "removed",
]  # fmt: skip
