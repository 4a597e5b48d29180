"""The code of an arrangement, run: `build(program, arrangement)` gives the graph that it builds.

What runs is the text of the teacher's own lines; of the learner comes which of them, in which order, and whose name stands
where: numbers of pieces, names and holes, and no text. No state but the lines of the last program of each name, for errors.
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
    """What the code of an arrangement has built: what is fetched, and the names of its lines."""

    graph: Graph
    fetches: Any
    names: Mapping[str, Any]


def build(program: Program, arrangement: Arrangement) -> Built:
    """Runs the code of an arrangement in a graph of its own."""
    written = lines(program.name, program.pieces, arrangement)
    shown = code(written)
    file = f"<{program.name}>"
    linecache.cache[file] = (len(shown), None, shown.splitlines(True), file)
    # The same lines, but what they name is given as well.
    last = next(i for i, line in enumerate(written) if line.piece is not None and program.pieces[line.piece].returns)
    returned = written[last]
    kept = Line(f"return ({returned.text.removeprefix('return').strip() or None}), dict(locals())", returned.indent, None)
    exec(compile(code([*written[:last], kept]), file, "exec"), scope := dict(program.names))
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
