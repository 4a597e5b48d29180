"""Frames: the nodes that run once, and those that run once in each iteration of a loop. `frames_of(pruned)` assigns them.

The Enter nodes of a loop name its frame; a consumer of a value of the frame belongs to it, until an Exit leads out again. So
the nodes alone determine the frames, and loops of a loaded GraphDef run too. A `Segment` is a frame's nodes in order,
with the loops inside it as nested segments. No state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ..base import errors
from ..graph.nodes import Operation
from ..op.definition import role_of
from ..ops.control_flow import ENTERS, EXITS, MERGES, NEXTS
from .prune import Pruned, data_inputs, waits_for

_LOOPING: Final = ENTERS | EXITS | NEXTS


@dataclass(eq=False)
class Frame:
    """A loop's frame, or the frame `""` of the nodes that run once. nodes: the nodes with turns in it, its Exits included."""

    name: str
    outer: Frame | None
    parallel: int = 1
    enters: list[Operation] = field(default_factory=list)
    nodes: list[Operation] = field(default_factory=list)
    inner: dict[str, Frame] = field(default_factory=dict)

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the frames around and of this one, the outermost first."""
        return () if self.outer is None else (*self.outer.path, self.name)

    def __str__(self) -> str:
        return "/".join(self.path)


@dataclass(frozen=True)
class Frames:
    """The frames of a run: the outermost one, and the frame of each node."""

    root: Frame
    of: dict[Operation, Frame]

    def target_of(self, op: Operation) -> Frame:
        """The frame that gets the node's outputs."""
        return _target_of(op, self.of[op])


@dataclass(frozen=True)
class Segment:
    """A frame's nodes in order; a nested loop is at the place of its first node."""

    frame: Frame
    items: tuple[Item, ...]

    def flat(self) -> Iterator[Operation]:
        """All nodes, those of nested loops included."""
        for item in self.items:
            if isinstance(item, Segment):
                yield from item.flat()
            else:
                yield item


Item: TypeAlias = Operation | Segment


def is_back_edge(source: Operation, target: Operation) -> bool:
    """Whether the edge leads into the next iteration; within one iteration no node waits for it."""
    return source.type in NEXTS and target.type in MERGES


def has_loops(pruned: Pruned) -> bool:
    return any(op.type in _LOOPING for op in pruned.operations)


def _target_of(op: Operation, frame: Frame) -> Frame:
    if op.type in ENTERS:
        return frame.inner[op.attrs["frame_name"]]
    if op.type in EXITS:
        assert frame.outer is not None
        return frame.outer
    return frame


def frames_of(pruned: Pruned) -> Frames:
    """The frame of each node.

    Raises: InvalidArgumentError for a node that takes values of different frames, an Exit without a loop, and a loop
    with two conditions.
    """
    fed = frozenset(pruned.fed)
    root = Frame("", None)
    frame_of: dict[Operation, Frame] = {}
    first: dict[Operation, tuple[str, Frame]] = {}
    conditions: dict[Frame, Operation] = {}
    after: dict[Operation, list[Operation]] = {op: [] for op in pruned.operations}
    queue: deque[Operation] = deque()
    for op in pruned.operations:
        above = dict.fromkeys((*data_inputs(op, fed), *waits_for(op, fed)))
        for needed in above:
            after[needed].append(op)
        if not above and not op.inputs:
            frame_of[op] = root
            queue.append(op)

    def arrive(name: str, frame: Frame, op: Operation) -> None:
        """Notes that a value of the frame arrives at the node, which then belongs to the frame."""
        if op not in frame_of:
            frame_of[op], first[op] = frame, (name, frame)
            queue.append(op)
        elif frame_of[op] is not frame:
            other, other_frame = first[op]
            raise errors.InvalidArgumentError(
                None,
                op,
                f"{{{{node {op.name}}}}} has inputs from different frames. The input {{{{node {name}}}}} is in frame "
                f"'{frame.name}'. The input {{{{node {other}}}}} is in frame '{other_frame.name}'.",
            )

    # Fed values belong to the outermost frame.
    for index, tensor in enumerate(pruned.fed):
        for op in tensor.consumers():
            if op in after:
                arrive(f"_arg_{tensor.op.name}_{tensor.index}_{index}", root, op)
    while queue:
        op = queue.popleft()
        frame = frame_of[op]
        frame.nodes.append(op)
        if op.type in ENTERS:
            name = op.attrs["frame_name"]
            if name not in frame.inner:
                frame.inner[name] = Frame(name, frame, int(op.attrs["parallel_iterations"]))
            frame.inner[name].enters.append(op)
        elif op.type in EXITS and frame.outer is None:
            raise errors.InvalidArgumentError(
                None, op, "Invalid Exit op: Cannot find a corresponding Enter op."
            )
        elif role_of(op) == "loop_cond" and frame.outer is not None:
            other = conditions.setdefault(frame, op)
            if other is not op:
                raise errors.InvalidArgumentError(
                    None,
                    op,
                    f'Invalid loop structure: Loop "{frame.name}" has more than one LoopCond node: {{{{node {op.name}}}}} and '
                    f"{{{{node {other.name}}}}}. This is an internal bug, please file a bug report with instructions on how "
                    "to reproduce the error.",
                )
        target = _target_of(op, frame)
        for waiting in after[op]:
            arrive(op.name, target, waiting)
    return Frames(root, frame_of)


def walk(frame: Frame) -> Iterable[Frame]:
    """The frame and all nested frames."""
    yield frame
    for inner in frame.inner.values():
        yield from walk(inner)
