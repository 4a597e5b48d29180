"""Why a node cannot run now in a run under way: `obstacle(tokens, frame, op, turns)`, a code of `play.<code>`. No state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ...engine.graph.nodes import Operation
from ...engine.ops.control_flow import EXITS, MERGES
from ...engine.runtime.frames import Frame, is_back_edge
from ...engine.runtime.prune import data_inputs, waits_for
from ...engine.runtime.tokens import Iteration, Tokens
from ...view.make.control_flow_boxes import loop_name

# The turns so far: whether each was dead, by node and iteration.
Turns: TypeAlias = Mapping[tuple[Operation, tuple[int, ...]], bool]


def obstacle(
    tokens: Tokens, frame: Frame, op: Operation, turns: Turns, path: tuple[int, ...] | None = None
) -> tuple[str, dict[str, str | int]]:
    """The code of the reason, and the parameters of its message.

    frame: the node's loop, as in `Frames.of`. path: the iteration that the learner means, if several are under way.
    codes: "data", "control", "merge": the node `waits` has not run; "goes_on": `waits` has no value before its loop ends;
    "begins": the loop has not begun; "again": the next iteration has not begun; "had", "had_dead": the node has run.
    Raises: ValueError for a path that is not under way.
    """
    running = [at for at in _iterations(tokens.root) if at.activation.frame is frame] if frame.outer else [tokens.root]
    if path is not None:
        running = [at for at in running if at.path == path]
        if (op, path) in turns:
            return _over(op, path, frame, turns)
        if not running:
            raise ValueError(f"{op.name} has no iteration {'.'.join(map(str, path))} here")
    if not running:
        return _outside(tokens, frame, op, turns)
    for at in running:
        if (op, at.path) not in turns:
            return _missing(tokens, op, at, turns)
    return _over(op, running[-1].path, frame, turns)


def _over(op: Operation, path: tuple[int, ...], frame: Frame, turns: Turns) -> tuple[str, dict[str, str | int]]:
    """The node has run in this iteration."""
    if turns[op, path]:
        return "had_dead", {}
    return ("again", {"n": path[-1], "loop": loop_name(str(frame))}) if path else ("had", {})


def _iterations(at: Iteration) -> Iterator[Iteration]:
    """The iterations under way inside an iteration; those of one loop with the oldest first."""
    for inner in at.inner.values():
        for iteration in inner.running.values():
            yield iteration
            yield from _iterations(iteration)


def _outside(tokens: Tokens, frame: Frame, op: Operation, turns: Turns) -> tuple[str, dict[str, str | int]]:
    """The loop is not under way: it is over, or has not begun in the newest iteration of the loop around it."""
    around: Iteration | None = None
    while around is None and frame.outer is not None:
        inner, frame = frame, frame.outer
        here = [at for at in _iterations(tokens.root) if at.activation.frame is frame] if frame.outer else [tokens.root]
        around = here[-1] if here else None
    path = () if around is None else around.path
    dead = [died for (other, at), died in turns.items() if other is op and at[: len(path)] == path]
    if dead:
        return ("had_dead" if all(dead) else "had"), {}
    waits = next((enter for enter in inner.enters if (enter, path) not in turns), inner.enters[0])
    return "begins", {"loop": loop_name(str(inner)), "waits": waits.name}


def _missing(tokens: Tokens, op: Operation, at: Iteration, turns: Turns) -> tuple[str, dict[str, str | int]]:
    """The first input of the node that has no value in this iteration, or else the first control input that has not run."""
    fed = frozenset(tokens.fed)
    needed: list[Operation] = list(dict.fromkeys(data_inputs(op, fed)))
    is_loop_merge = op in tokens.turned
    if is_loop_merge:
        # A loop's Merge needs one value: from the Enter in iteration 0, else from the NextIteration.
        needed = [] if op in at.settled else [n for n in needed if is_back_edge(n, op) == (at.index > 0)]
    code = "merge" if op.type in MERGES and not is_loop_merge else "data"
    missing = next((n for n in needed if is_loop_merge or not _has_arrived(tokens, n, at, turns)), None)
    if missing is None:
        code = "control"
        missing = next(n for n in waits_for(op, fed) if not _has_arrived(tokens, n, at, turns))
    params: dict[str, Any] = {"waits": missing.name}
    if missing.type in EXITS and any(other is missing and path[:-1] == at.path for other, path in turns):
        return "goes_on", params
    return code, params


def _has_arrived(tokens: Tokens, needed: Operation, at: Iteration, turns: Turns) -> bool:
    """Whether the iteration has the node's output. A fed output is there early, but control edges wait for the turn."""
    if needed.id not in at.values or needed.id not in tokens.fed_ops:
        return needed.id in at.values
    if needed.type in EXITS:
        return any(other is needed and not dead for (other, _), dead in turns.items())
    return (needed, at.path) in turns


__all__ = ["Turns", "obstacle"]
