"""Pieces and the edges between them, and the code that they make: `attached(arrangement, edge)`, `code(program, arrangement)`.

An arrangement is a value: each change gives a new one. No state.
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
        """The edges into a hole: one at most, but any number of waits."""
        return sorted(edge for edge in self.edges if edge[2:] == (piece, port))

    def waits(self, piece: int) -> tuple[int, ...]:
        """The pieces that a piece waits for."""
        return tuple([edge[0] for edge in self.into(piece, WAITS)])


@dataclass(frozen=True)
class Line:
    """A line of the code. indent: how many blocks it is in; piece: the one that it is of, if of one."""

    text: str
    indent: int
    piece: int | None


def way(arrangement: Arrangement, source: int, target: int) -> list[int]:
    """The pieces along the edges from one to another; empty where no way leads there."""
    came: dict[int, int | None] = {source: None}
    row = [source]
    for at in row:
        for edge in sorted(arrangement.edges):
            if edge[0] == at and edge[2] not in came:
                came[edge[2]] = at
                row.append(edge[2])
    path = []
    at_end: int | None = target if target in came else None
    while at_end is not None:
        path.append(at_end)
        at_end = came[at_end]
    return path[::-1]


def attached(arrangement: Arrangement, edge: Edge) -> Arrangement:
    """With this edge; what was in the hole before is let go. Both its pieces are in the program then.

    Raises: ValueError where it would close a circle, which no program can be written for.
    """
    source, _, target, port = edge
    if way(arrangement, target, source):
        raise ValueError("an edge that closes a circle")
    old = set() if port == WAITS else set(arrangement.into(target, port))
    return Arrangement(arrangement.placed | {source, target}, (arrangement.edges - old) | {edge})


def detached(arrangement: Arrangement, edge: Edge) -> Arrangement:
    return replace(arrangement, edges=arrangement.edges - {edge})


def put(arrangement: Arrangement, piece: int) -> Arrangement:
    return replace(arrangement, placed=arrangement.placed | {piece})


def taken_out(arrangement: Arrangement, piece: int) -> Arrangement:
    """Without a piece and its edges."""
    kept = frozenset(edge for edge in arrangement.edges if piece not in (edge[0], edge[2]))
    return Arrangement(arrangement.placed - {piece}, kept)


def open_holes(pieces: Sequence[Piece], arrangement: Arrangement) -> list[tuple[int, int]]:
    """The holes of placed pieces that no edge leads into."""
    filled = {edge[2:] for edge in arrangement.edges}
    holes = [(id, port) for id in sorted(arrangement.placed) for port in range(pieces[id].holes)]
    return [hole for hole in holes if hole not in filled]


def filled_text(pieces: Sequence[Piece], arrangement: Arrangement, id: int, empty: str = "...") -> str:
    """The statement of a piece with the names that its edges bring."""
    names = []
    for port in range(pieces[id].holes):
        found = arrangement.into(id, port)
        names.append(pieces[found[0][0]].gives[found[0][1]] if found else empty)
    return pieces[id].text(names)


def lines(name: str, pieces: Sequence[Piece], arrangement: Arrangement) -> list[Line]:
    """The program: each piece after what it takes and waits for; what waits for the same stands in one block."""
    found = [Line(f"def {name}():", 0, None)]
    block: tuple[int, ...] = ()
    for id in _in_order(pieces, arrangement):
        waits = arrangement.waits(id)
        if waits and waits != block:
            listed = ", ".join((pieces[one].gives or ("...",))[0] for one in waits)
            found.append(Line(f"with tf.control_dependencies([{listed}]):", 1, None))
        block = waits
        text = filled_text(pieces, arrangement, id)
        found.extend(Line(part, 2 if waits else 1, id) for part in text.splitlines())
    return found


def code(of: Iterable[Line]) -> str:
    """The lines as text."""
    return "\n".join("    " * line.indent + line.text for line in of) + "\n"


def _in_order(pieces: Sequence[Piece], arrangement: Arrangement) -> list[int]:
    """The placed pieces, each after those that lead to it; those of one block together where that can be, `return` last."""
    left = {id: {edge[0] for edge in arrangement.edges if edge[2] == id} for id in arrangement.placed}
    order: list[int] = []
    block: tuple[int, ...] = ()
    while left:
        ready = [id for id, needs in left.items() if not needs & left.keys()]
        least = min(ready, key=lambda id: (pieces[id].returns, arrangement.waits(id) != block, id))
        block = arrangement.waits(least)
        order.append(least)
        del left[least]
    return order


__all__ = [
    "Arrangement", "Line", "attached", "code", "detached", "filled_text", "lines", "open_holes", "put", "taken_out", "way",
]  # fmt: skip
