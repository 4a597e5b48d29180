"""A program that the learner makes of pieces: `Puzzle.parsons(program, requirements)`, `Puzzle.repair(broken, requirements)`.

The pieces and edges make code, and the check runs that code: its graph must do, in every legal order, what the teacher's
program does. Each attempt builds a new graph.
State: `Puzzle`, the present and the earlier arrangements, the last message and the last mark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from ...view.build import graph_record
from ...view.records import (
    ArrangedRecord,
    CodeLineRecord,
    EdgeRecord,
    FragmentRecord,
    GraphRecord,
    LinkRecord,
    MarkRecord,
    MissedRecord,
    NodeRecord,
    OutputRecord,
    PuzzleRecord,
    SaidRecord,
    ScopeRecord,
)
from .arrangement import (
    Arrangement,
    Line,
    attached,
    code,
    detached,
    lines,
    open_holes,
    path_between,
    put,
    removed,
)
from .arrangement_builder import Built, build
from .check import Criterion, Outcome, first_line
from .distractors import distractors
from .pieces import WAITS, Edge, Piece, Program, given_texts, pieces_of, pieces_of_lines, with_line
from .requirements import FAILURES, Behaviour, Requirements


class Puzzle:
    """Pieces and the learner's arrangement of them.

    program: the pieces. begin: the first arrangement. wanted: what the program has to do. called: the teacher's name for each
    renamed name of a line.
    """

    def __init__(self, task: str, program: Program, begin: Arrangement, wanted: Behaviour, called: Mapping[str, str]) -> None:
        self.task = task
        self.program = program
        self.pieces = program.pieces
        self.begin = begin
        self.wanted = wanted
        self._called = called
        self.now = begin
        self._before: list[Arrangement] = []
        self.last_message: SaidRecord | None = None
        self.mark: Outcome | None = None

    # -- the two kinds ---------------------------------------------------------------------------------------------------

    @classmethod
    def parsons(
        cls,
        source: Callable[[], Any] | Sequence[str],
        requirements: Requirements,
        wrong: Iterable[str] = (),
        most_wrong: int = 3,
        names: Mapping[str, Any] | None = None,
    ) -> Puzzle:
        """A puzzle whose pieces are loose at first.

        source: the teacher's program, or lines with three dots for holes. names: the global names that the lines use. wrong:
        wrong lines; for a program `most_wrong` distractors at most are added.
        Raises: TypeError, ValueError for a program or lines that cannot be split into pieces, and for a program that fails.
        """
        if callable(source):
            program = pieces_of(source)
            wanted = Behaviour.of(program, requirements)
            extra = [with_line(program, line, len(program.pieces) + i)[0] for i, line in enumerate(given_texts(wrong))]
            texts = {piece.text(()) for piece in extra}
            more = [piece for piece in distractors(program, wanted.model_of, most_wrong) if piece.text(()) not in texts]
            extra += [replace(piece, id=len(program.pieces) + len(extra) + i) for i, piece in enumerate(more)]
        else:
            program, extra = pieces_of_lines([*given_texts(source), *given_texts(wrong)], names or {}), []
            wanted = Behaviour.stated(program, requirements)
        pieces, called = _renamed([*program.pieces, *extra])
        # The program has its `return` and its right pieces without holes from the start: they need no thought.
        placed = [p.id for p in pieces if p.returns or (not p.is_wrong and p.holes == 0 and not called.keys() & p.gives)]
        return cls("parsons", replace(program, pieces=tuple(pieces)), Arrangement(frozenset(placed)), wanted, called)

    @classmethod
    def repair(
        cls,
        broken: Callable[[], Any],
        requirements: Requirements,
        source: Callable[[], Any] | None = None,
        spare: Iterable[str] = (),
    ) -> Puzzle:
        """A puzzle that starts as `broken`, until it meets the requirements or does what `source` does.

        spare: more lines that the learner can use.
        Raises: TypeError, ValueError for a program that cannot be split into pieces, and for a `source` that fails.
        """
        program = pieces_of(broken)
        wanted = Behaviour.stated(program, requirements) if source is None else Behaviour.of(pieces_of(source), requirements)
        begin = Arrangement(frozenset(range(len(program.pieces))), frozenset(program.edges))
        more = [replace(with_line(program, line, len(program.pieces) + i)[0], is_wrong=False) for i, line in enumerate(spare)]
        pieces, called = _renamed([*program.pieces, *more])
        return cls("repair", replace(program, pieces=tuple(pieces)), begin, wanted, called)

    # -- changes -----------------------------------------------------------------------------------------------------------

    def attach(self, source: int, output: int, target: int, hole: int | None) -> None:
        """Adds an edge into a hole; without a hole an edge of order, so that the target waits in a control_dependencies block.

        Raises: ValueError for unknown pieces, names and holes.
        """
        edge = self._edge(source, output, target, hole)
        try:
            after = attached(self.now, edge)
        except ValueError:
            path = [*path_between(self.now, target, source), target]
            names = " → ".join(self.pieces[id].name for id in path)
            self.last_message = SaidRecord("circle", {"path": names})
            return
        code = "waits" if hole is None else "attached"
        self._change(after, code, source=self.pieces[source].gives[output], target=self.pieces[target].name)

    def detach(self, source: int, output: int, target: int, hole: int | None) -> None:
        """Removes an edge. Raises: ValueError for an unknown one."""
        edge = self._edge(source, output, target, hole)
        if edge not in self.now.edges:
            raise ValueError("there is no such edge")
        self._change(detached(self.now, edge), "detached", source=self.pieces[source].name, target=self.pieces[target].name)

    def put(self, piece: int) -> None:
        """Puts a piece into the program. Raises: ValueError for an unknown one."""
        self._change(put(self.now, self._known(piece)), "put", piece=self.pieces[piece].name)

    def take_out(self, piece: int) -> None:
        """Removes a piece and its edges. Raises: ValueError for `return` and for an unknown one."""
        if self.pieces[self._known(piece)].returns:
            raise ValueError("a program needs its return")
        self._change(removed(self.now, piece), "taken_out", piece=self.pieces[piece].name)

    def undo(self) -> None:
        """Undoes the last change, if there is one."""
        if self._before:
            self.now, self.last_message, self.mark = self._before.pop(), SaidRecord("undone", {}), None

    def restart(self) -> None:
        """Goes back to the first arrangement, which can be undone too."""
        self._change(self.begin, "begun")

    def _change(self, after: Arrangement, code: Any, **params: str) -> None:
        if after != self.now:
            self._before.append(self.now)
            self.now, self.mark = after, None
        self.last_message = SaidRecord(code, dict(params))

    def _known(self, piece: int) -> int:
        if not isinstance(piece, int) or not 0 <= piece < len(self.pieces):
            raise ValueError(f"there is no piece {piece}")
        return piece

    def _edge(self, source: int, output: int, target: int, hole: int | None) -> Edge:
        if not 0 <= output < len(self.pieces[self._known(source)].gives):
            raise ValueError(f"{self.pieces[source].name} gives no name {output}")
        if hole is not None and not 0 <= hole < self.pieces[self._known(target)].holes:
            raise ValueError(f"{self.pieces[target].name} has no hole {hole}")
        # An edge of order leads from a piece, and not from one of its names.
        return (source, 0, self._known(target), WAITS) if hole is None else (source, output, target, hole)

    # -- the code, and its check --------------------------------------------------------------------------------------------

    @property
    def lines(self) -> list[Line]:
        """The lines of the program."""
        return lines(self.program.name, self.pieces, self.now)

    @property
    def code(self) -> str:
        """The program, with three dots in open holes."""
        return code(self.lines)

    def build(self) -> Built:
        """A new graph that the code builds. Raises: what the code raises."""
        return build(self.program, self.now)

    def check(self) -> Outcome:
        """Checks whether the program does what it has to, in every legal order."""
        self.mark = self._checked()
        return self.mark

    def _checked(self) -> Outcome:
        if self.now == self.begin:
            return Outcome("not_attempted", in_widget=True)
        holes = open_holes(self.pieces, self.now)
        if holes:
            names = ", ".join(dict.fromkeys(self.pieces[id].name for id, _ in holes))
            return Outcome("fail", (Criterion("holes", False, {"nodes": names}),), in_widget=True)
        try:
            built = self.build()
        except FAILURES as raised:
            return Outcome("error", error=first_line(raised), in_widget=True)
        return self.wanted.check(built, self._called)

    # -- records -------------------------------------------------------------------------------------------------------------

    def puzzle_record(self, prompt: str = "") -> PuzzleRecord:
        """The pieces and the prompt."""
        pieces = [
            FragmentRecord(p.id, p.name, p.text(_hole_signs(p)), p.role, p.gives, tuple(_hole_signs(p))) for p in self.pieces
        ]
        return PuzzleRecord("repair" if self.task == "repair" else "parsons", prompt, tuple(pieces))

    def record(self) -> ArrangedRecord:
        """The present arrangement, its code, its graph, and the last message and mark."""
        links = [LinkRecord(s, o, t, None if hole == WAITS else hole) for s, o, t, hole in sorted(self.now.edges)]
        built, error = None, ""
        if not open_holes(self.pieces, self.now):
            try:
                built = graph_record(self.build().graph)
            except FAILURES as raised:
                error = first_line(raised)
        return ArrangedRecord(
            tuple(sorted(self.now.placed)),
            tuple(links),
            tuple([CodeLineRecord(line.text, line.indent, line.piece) for line in self.lines]),
            self._canvas(),
            built,
            error,
            self.last_message,
            None if self.mark is None else _mark_record(self.mark),
            bool(self._before),
        )

    def _canvas(self) -> GraphRecord:
        """The placed pieces as a graph; pieces that wait for the same are in one box."""
        nodes = []
        for id in sorted(self.now.placed):
            piece = self.pieces[id]
            names = _hole_signs(piece)
            for hole in range(piece.holes):
                for source, output, _, _ in self.now.into(id, hole):
                    names[hole] = self.pieces[source].gives[output]
            text = piece.text(names).removeprefix("return ")
            text = text.removeprefix(f"{piece.name} = ") if piece.gives else text
            outputs = tuple([OutputRecord(name, "", None, "") for name in piece.gives])
            waits = ", ".join(self.pieces[one].gives[0] for one in self.now.waits(id))
            block = f"control_dependencies([{waits}])" if waits else ""
            nodes.append(NodeRecord(id, piece.name, text, block, piece.role, "", False, None, (), outputs))
        edges = [
            EdgeRecord(i, "control", s, None, t, None, "") if hole == WAITS
            else EdgeRecord(i, "data", s, o, t, hole, self.pieces[s].gives[o])
            for i, (s, o, t, hole) in enumerate(sorted(self.now.edges))
        ]  # fmt: skip
        scopes = [ScopeRecord(block, "") for block in dict.fromkeys(node.scope for node in nodes) if block]
        return GraphRecord(tuple(nodes), tuple(edges), tuple(scopes))

    def __repr__(self) -> str:
        return f"<tfedu.explain.Puzzle\n{self.code}>"


def _renamed(pieces: Sequence[Piece]) -> tuple[list[Piece], dict[str, str]]:
    """The pieces with different names where several bind one name, so that a program may use them all; and the old names."""
    sharing: dict[str, list[Piece]] = {}
    for piece in pieces:
        for name in piece.gives:
            sharing.setdefault(name, []).append(piece)
    names = set(sharing)
    renamed = list(pieces)
    called: dict[str, str] = {}
    for name, group in sharing.items():
        if len(group) == 1:
            continue
        new_names = (f"{name}_{i}" for i in count(1) if f"{name}_{i}" not in names)
        # In the order of the texts, so that the first is not always the right one.
        for piece in sorted(group, key=lambda piece: piece.parts):
            if piece.gives != (name,) or not piece.parts[0].startswith(f"{name} = "):
                raise ValueError(f"{piece.text(())[:80]!r} gives {name} again; a line that stands for another must be {name} = …")
            new_name = next(new_names)
            called[new_name] = name
            first = new_name + piece.parts[0].removeprefix(name)
            renamed[piece.id] = replace(piece, parts=(first, *piece.parts[1:]), gives=(new_name,))
    return renamed, called


def _hole_signs(piece: Piece) -> list[str]:
    """The signs for open holes: a box, or numbers if there are several."""
    return ["□"] if piece.holes == 1 else [chr(0x2460 + i) if i < 20 else f"({i + 1})" for i in range(piece.holes)]


def _mark_record(mark: Outcome) -> MarkRecord:
    missed = [MissedRecord(c.code, dict(c.params)) for c in mark.criteria if not c.met]
    total = len(mark.criteria)
    return MarkRecord(mark.grade, mark.error, tuple(missed), total - len(missed), total, mark.tried, mark.models)


__all__ = ["Puzzle"]
