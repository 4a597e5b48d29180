"""How the lines of a program built a graph: `film_record(graph)`, or `film_record(function)` for a function that builds one.

The steps of an existing graph follow from the lines of its nodes and blocks, in the order of creation; statements between them
that surely ran and created nothing are steps, too. A function is called once, in a new graph, and traced line by line, so that
each run of a line in a loop or function is a step. No state.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any, Final

from ...engine.base.site import Site, capture
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation
from ..records import BuildFilmRecord, BuiltRecord, CodeRecord, GraphRecord
from .graph_records import complete, part_of, record_of
from .programs.program_lines import piece
from .programs.statements import Statements, Unit

# So many lines are shown before and after the lines that have steps.
AROUND: Final = 3


@dataclass
class Turn:
    """One step: a unit of a file, the nodes that it created and the blocks that it opened. file: "" where no line is known."""

    file: str
    unit: Unit | None
    nodes: list[int] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    again: bool = False
    calls: bool = False  # whether it called a function of the same file
    sure: bool = False  # whether the line surely ran exactly once


class Texts:
    """The texts of the files, and their statements. fallback: the text of files that Python no longer has."""

    def __init__(self, fallback: str | None) -> None:
        self.fallback = fallback
        self._known: dict[str, tuple[list[str], Statements]] = {}

    def lines(self, file: str) -> list[str]:
        return self._of(file)[0]

    def statements(self, file: str) -> Statements:
        return self._of(file)[1]

    def _of(self, file: str) -> tuple[list[str], Statements]:
        if file not in self._known:
            lines = [line.rstrip("\n") for line in linecache.getlines(file)]
            if not lines and self.fallback is not None:
                lines = self.fallback.split("\n")
            self._known[file] = lines, Statements("\n".join(lines))
        return self._known[file]


def film_record(target: Any, code: str | None = None) -> BuildFilmRecord:
    """The film of a graph, of the graph of a tensor or operation, or of the graph that a function without arguments builds.

    code: the program's text, where Python no longer has it.
    Raises: TypeError for another target, ValueError for nodes of different graphs, and what the function raises.
    """
    return filmed(target, code)[0]


def filmed(target: Any, code: str | None = None) -> tuple[BuildFilmRecord, Graph, Any]:
    """The film, its graph, and what can be fetched from the graph: the target itself, or the result of the function.

    The last is None where it is no tensor, operation or list of them. Raises: as film_record.
    """
    if code is not None and not isinstance(code, str):
        raise TypeError(f"code must be the program's text, not {type(code).__name__}")
    texts = Texts(code)
    if callable(target) and hasattr(target, "__code__"):
        graph, turns, result = _watched(target, texts)
    else:
        graph = target if isinstance(target, Graph) else part_of(target, steps=0).graph
        turns, result = _turns_of_graph(graph, texts, capture()), target
    return _record(graph, turns, texts), graph, result if _is_of(result, graph) else None


def _is_of(target: Any, graph: Graph) -> bool:
    """Whether the target is a node or tensor of the graph, or a list of these."""
    ops = [getattr(item, "op", item) for item in (target if isinstance(target, (list, tuple)) and target else [target])]
    return all(isinstance(op, Operation) and op.graph is graph for op in ops)


# -- an existing graph -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Event:
    """A created node or an opened block, with its place in the order of creation."""

    place: tuple[int, int, int]
    site: Site | None
    node: int | None
    block: int | None


def _events(graph: Graph) -> list[_Event]:
    created = [_Event((op.id, 1, 0), op.site, op.id, None) for op in graph.operations]
    opened = [
        _Event((block.position, 0, number), block.site, None, number)
        for number, block in enumerate(graph.blocks)
        if not block.cleared
    ]
    return sorted([*created, *opened], key=lambda event: event.place)


def _turns_of_graph(graph: Graph, texts: Texts, caller: Site | None) -> list[Turn]:
    """The turns of an existing graph. caller: the line that asks for the film; lines after it have not run."""
    turns: list[Turn] = []
    codes: list[Any] = []  # the code object of each turn; a cell that is run again has a new one
    for event in _events(graph):
        site = event.site
        file = "" if site is None else site.file
        unit = None if site is None else texts.statements(file).at(site.line)
        code = None if site is None else site.code
        last = turns[-1] if turns else None
        # A `with` statement creates its nodes before it opens its block; with the block its turn ends.
        over = last is not None and bool(last.blocks) and (
            event.node is not None or (unit is not None and len(last.blocks) >= unit.managers)
        )
        if last is None or over or last.unit is not unit or codes[-1] is not code:
            turns.append(Turn(file, unit))
            codes.append(code)
        if event.node is not None:
            turns[-1].nodes.append(event.node)
        elif event.block is not None:
            turns[-1].blocks.append(event.block)
    return list(_with_empty_lines(turns, texts, caller))


def _with_empty_lines(turns: Sequence[Turn], texts: Texts, caller: Site | None) -> Iterator[Turn]:
    """The turns, and between them turns of statements that surely ran there and created nothing."""
    for index, turn in enumerate(turns):
        before = turns[index - 1] if index else None
        after = turns[index + 1] if index + 1 < len(turns) else None
        if before is not None and before.file == turn.file and before.unit is not None and turn.unit is not None:
            yield from _turns(turn.file, texts.statements(turn.file).between(before.unit, turn.unit))
        yield turn
        if turn.unit is None or turn.unit.function is not None or (after is not None and not _is_outermost(after)):
            continue
        if not any(other.file == turn.file for other in turns[index + 1 :]):
            until = caller.line if caller is not None and caller.file == turn.file else None
            yield from _turns(turn.file, texts.statements(turn.file).after(turn.unit, until))


def _turns(file: str, units: Sequence[Unit]) -> Iterator[Turn]:
    """A turn for each line that created nothing; a line may hold several statements."""
    for before, unit in zip((None, *units), units):
        if before is None or before.end != unit.line:
            yield Turn(file, unit, sure=True)


def _is_outermost(turn: Turn) -> bool:
    return turn.unit is not None and turn.unit.function is None


# -- a traced function ---------------------------------------------------------------------------------------


class _Watch:
    """A trace function for one call: it records for each line of one file how many nodes there were before it."""

    def __init__(self, graph: Graph, file: str, statements: Statements) -> None:
        self.graph = graph
        self.file = file
        self.statements = statements
        self.turns: list[Turn] = []
        self.starts: list[int] = []
        self.frames: list[FrameType] = []
        self._last: Unit | None = None

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename != self.file:
            return None  # do not trace the lines of other files
        if event == "call":
            if self.turns and frame.f_code.co_name[0] != "<":
                self.turns[-1].calls = True
        elif event == "line":
            self._begin(frame, self.statements.at(frame.f_lineno))
        elif event == "return":
            outer = frame.f_back
            while outer is not None and outer.f_code.co_filename != self.file:
                outer = outer.f_back
            if outer is not None and outer in self.frames:
                self._begin(outer, self.statements.at(outer.f_lineno), again=True)
        return self

    def _begin(self, frame: FrameType, unit: Unit, again: bool = False) -> None:
        last, self._last = self._last, unit
        if self.turns and self.turns[-1].unit is unit and (frame is self.frames[-1] or frame.f_code.co_name[0] == "<" or again):
            return  # a further line of the same statement, or a lambda in it
        if not again and last is not None and last.is_in(unit) and not unit.is_loop:
            return  # the end of a `with` block
        self.turns.append(Turn(self.file, unit, again=again, sure=True))
        self.starts.append(len(self.graph.operations))
        self.frames.append(frame)


def _watched(build: Callable[[], Any], texts: Texts) -> tuple[Graph, list[Turn], Any]:
    """The graph that the function builds, its turns, and its result."""
    graph = Graph()
    code: Any = build.__code__
    watch = _Watch(graph, code.co_filename, texts.statements(code.co_filename))
    before = sys.gettrace()
    with graph.as_default():
        sys.settrace(watch)
        try:
            result = build()
        finally:
            sys.settrace(before)
    watch.frames.clear()
    ends = [*watch.starts[1:], len(graph.operations)]
    for turn, start, end in zip(watch.turns, watch.starts, ends, strict=True):
        turn.nodes.extend(range(start, end))
    if watch.turns and watch.starts[0]:
        watch.turns[0].nodes[:0] = range(watch.starts[0])
    _give_blocks(graph, watch)
    kept = [turn for turn in watch.turns if turn.nodes or turn.blocks or not (turn.again or _is_quiet(turn))]
    if not watch.turns and graph.operations:
        kept = [Turn("", None, [op.id for op in graph.operations], list(range(len(graph.blocks))))]
    return graph, kept, result


def _is_quiet(turn: Turn) -> bool:
    return turn.unit is None or turn.unit.is_quiet


def _give_blocks(graph: Graph, watch: _Watch) -> None:
    """Adds each block to the turn that opened it."""
    at = 0
    for number, block in enumerate(graph.blocks):
        if block.cleared or not watch.turns:
            continue
        chosen = None
        for index in range(at, len(watch.turns)):
            unit = watch.turns[index].unit
            line = block.site.line if block.site is not None and block.site.file == watch.file else -1
            if unit is not None and unit.line <= line <= unit.end and not watch.turns[index].blocks:
                end = watch.starts[index + 1] if index + 1 < len(watch.starts) else len(graph.operations)
                if watch.starts[index] <= block.position <= end:
                    chosen = index
                    break
        if chosen is None:  # a line of another file opened it: the traced line that ran then called that line
            chosen = max((i for i, start in enumerate(watch.starts) if start <= block.position), default=0)
        else:
            at = chosen
        watch.turns[chosen].blocks.append(number)


# -- the record ------------------------------------------------------------------------------------------------------


def _record(graph: Graph, turns: Sequence[Turn], texts: Texts) -> BuildFilmRecord:
    record = record_of(complete(graph))
    step_of = {id: step for step, turn in enumerate(turns) for id in turn.nodes}
    edges: dict[int, list[int]] = {}
    waits: dict[int, list[tuple[int, int]]] = {}
    for edge in record.edges:
        # An edge appears with the later of its ends; an edge back in a loop appears with its source.
        step = max(step_of[edge.source], step_of[edge.target])
        edges.setdefault(step, []).append(edge.id)
        if edge.kind == "control":
            waits.setdefault(step, []).append((edge.target, edge.source))
    places = {op.site.file: op.site.place for op in graph.operations if op.site is not None}
    places |= {block.site.file: block.site.place for block in graph.blocks if block.site is not None}
    files = list(dict.fromkeys(turn.file for turn in turns if turn.file))
    empty = _empty_withs(turns, record)
    codes = [_code(file, places.get(file, f"File {file}"), turns, texts) for file in files]
    return BuildFilmRecord(
        replace(record, codes=tuple(codes)),
        tuple(
            [
                BuiltRecord(
                    code=_kind(turn, empty),
                    source=files.index(turn.file) if turn.file else None,
                    line=turn.unit.line if turn.unit is not None else 0,
                    end=turn.unit.end if turn.unit is not None else 0,
                    nodes=tuple(turn.nodes),
                    edges=tuple(edges.get(step, ())),
                    blocks=tuple(turn.blocks),
                    many=not turn.sure and turn.unit is not None and turn.unit.is_repeated and len(turn.nodes) > 1,
                    waits=tuple(waits.get(step, ())),
                )
                for step, turn in enumerate(turns)
            ]
        ),
    )


def _empty_withs(turns: Sequence[Turn], record: GraphRecord) -> dict[int, set[int]]:
    """For each turn, by its id, the `with` statements so far whose last block stayed empty."""
    empty = {block.id for block in record.blocks if block.empty}
    open_now: dict[int, bool] = {}
    empty_statements: dict[int, set[int]] = {}
    for turn in turns:
        if turn.blocks and turn.unit is not None:
            open_now[id(turn.unit.statement)] = turn.blocks[-1] in empty
        empty_statements[id(turn)] = {statement for statement, is_empty in open_now.items() if is_empty}
    return empty_statements


def _kind(turn: Turn, empty: dict[int, set[int]]) -> Any:
    if turn.nodes:
        return "again" if turn.again else "made"
    if turn.blocks:
        return "block"
    if turn.calls:
        return "calls"
    inner = turn.unit.withs[:1] if turn.unit is not None else []
    return "renamed" if inner and id(inner[0]) in empty[id(turn)] else "nothing"


def _code(file: str, place: str, turns: Sequence[Turn], texts: Texts) -> CodeRecord:
    """The lines of a file that have steps, and AROUND lines before and after them; of a cell all lines."""
    units = [turn.unit for turn in turns if turn.file == file and turn.unit is not None]
    first = max(1, min(unit.line for unit in units) - AROUND)
    last = max(unit.end for unit in units) + AROUND
    lines = texts.lines(file)
    if place.startswith("Cell "):
        first, last = 1, len(lines)
    return piece(place, lines, first, last)


__all__ = ["film_record", "filmed"]
