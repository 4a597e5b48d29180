"""Runs the code of an arrangement: `build(program, arrangement)` returns the graph that it builds.

It runs text by `exec`, since a program made of pieces exists only as text, and the learner has to see the very lines that ran, in
tracebacks too. The text is the teacher's alone: of a function that Python has already defined in this process, or plain strings
given in the call (`given_texts` of pieces.py refuses open files, paths and records). The learner chooses which lines run, in
which order and with whose names in the holes, all by number and never as text; so no page, saved notebook or record can add a
line. A puzzle runs in the kernel, with the rights of the cell that made it.
No state but, for tracebacks, the lines of the last program of each name.
"""

from __future__ import annotations

import linecache
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...engine.graph.elements import as_operation
from ...engine.graph.graph import Graph
from ...engine.replay.trace import graph_of_fetches
from .arrangement import Arrangement, Line, code, lines
from .pieces import Program


@dataclass(frozen=True)
class Built:
    """The graph that an arrangement's code builds, its fetches, and its nodes by the names of the lines."""

    graph: Graph
    fetches: Any
    names: Mapping[str, Any]


def build(program: Program, arrangement: Arrangement) -> Built:
    """Runs the code of an arrangement in a graph of its own.

    Raises: what the code raises, and ValueError if it does not return a node of its graph.
    """
    program_lines = lines(program.name, program.pieces, arrangement)
    text = code(program_lines)
    file = f"<{program.name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    # What runs also returns the names that the lines bind.
    last = next(i for i, line in enumerate(program_lines) if line.piece is not None and program.pieces[line.piece].returns)
    indent, fetched = program_lines[last].indent, program_lines[last].text.removeprefix("return").strip() or None
    with_names = Line(f"return ({fetched}), dict(locals())", indent, None)
    exec(compile(code([*program_lines[:last], with_names]), file, "exec"), scope := dict(program.names))
    graph = Graph()
    with graph.as_default():
        fetches, names = scope[program.name]()
    if graph_of_fetches(fetches) is not graph:
        raise ValueError("what is returned is no node of the graph that these lines build")
    return Built(graph, fetches, {name: value for name, value in names.items() if _is_node(graph, value)})


def _is_node(graph: Graph, value: Any) -> bool:
    try:
        as_operation(graph, value)
    except (TypeError, ValueError, KeyError):
        return False
    return not isinstance(value, str)


__all__ = ["Built", "build"]
