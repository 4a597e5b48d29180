"""Loops in plans: a loop's frame becomes `while True:`, its loop variables become locals.

A well-formed loop has three parts: the nodes of every iteration up to its condition (HEAD), those of the last iteration after
it (TAIL: the Exits), and those of all other iterations (BODY):

    v1 = c1                 # Enter, Merge
    while True:
     v2 = v1 < f0           # HEAD
     if not v2: break       # LoopCond, Switch; TAIL
     v1 = v1 + c2           # BODY, NextIteration

A loop constant is the local of the outer value. The interpreter runs all other loops that TensorFlow can run:
`NotCompiled` says why. State: that of the Writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar, Final

import numpy as np

from ...base.coded_errors import Refusal
from ...graph.nodes import Operation, Tensor
from ...op.definition import role_of
from ...ops.control_flow import ENTERS, EXITS, MERGES, NEXTS, SWITCHES
from ..frames import Frame, Item, Segment, is_back_edge
from .plan_branches import Branches
from .plan_lines import MAYBE, NEVER, PLAIN, Guard

# Python refuses more than twenty loops inside each other.
_DEEPEST: Final = 15


class NotCompiled(Refusal):
    """A schedule that has no plan; the interpreter runs it."""

    group = "plan"
    texts: ClassVar[Mapping[str, str]] = {
        "begins": "not all that enters {loop} is alive when it runs",
        "conditions": "{loop} has {count} conditions",
        "crossed": "two loops wait for each other's nodes",
        "dead": "{node} is never alive",
        "dead_going": "{node} may be dead while {loop} goes on",
        "dead_leaving": "{node} may stay dead when {loop} ends",
        "deep": "the loops stand too deep inside each other",
        "effect": "{loop} may have an effect where it is dead",
        "free": "{node} does not depend on the condition of {loop}",
        "in_run": "the order of the turns is found out in the run",
        "inside": "{tensor} is a value of a loop's inside",
        "joins": "{node} joins what the condition of its loop keeps apart",
        "late": "{loop} does some of what it always does after its body has begun",
        "leaves": "{node} leaves {loop} before its end",
        "merge": "{node} is not the Merge of an Enter and a NextIteration",
        "once": "{node} takes {other} in one iteration only",
        "skips": "{node} takes a value of the iteration before",
    }


class Part(IntEnum):
    """The part of an iteration to which a node belongs."""

    HEAD = 0
    BODY = 1
    TAIL = 2


@dataclass
class _Loop:
    """A well-formed loop: its condition, its Merges, and its nodes by parts."""

    frame: Frame
    condition: Operation
    merges: list[Operation] = field(default_factory=list)
    switches: list[Operation] = field(default_factory=list)
    parts: tuple[list[Item], list[Item], list[Item]] = field(default_factory=lambda: ([], [], []))

    @property
    def constants(self) -> list[Operation]:
        return [op for op in self.frame.enters if op.attrs["is_constant"]]


class Loops(Branches):
    """Writes loops."""

    depth = 0

    def node(self, op: Operation) -> None:
        """Writes a node's lines."""
        raise NotImplementedError

    def items(self, items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Segment):
                self.loop(item)
            else:
                self.node(item)

    def loop(self, segment: Segment) -> None:
        """Writes a loop. Raises: NotCompiled."""
        loop = _well_formed(segment, self.references())
        guard = self.entered(loop)
        if guard == NEVER:
            self.never(segment)
            return
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotCompiled("deep")
        outside = self.known_predicates, self.preds, self.checked
        self.known_predicates, self.preds, self.checked = {}, dict(self.preds), set(self.checked)
        indent = self.indent
        if guard:
            self.plain_line(f"if {self.condition(guard)}:", None)
            self.indent += 1
        carried = self.begin(loop)
        self.plain_line("while True:", None)
        self.indent += 1
        self.plain_line("if ended: raise cancelled()", loop.condition)
        if self.timed:
            self.plain_line(f"check({self.bind('o', loop.condition)})", None)
        self.iteration(loop, carried)
        self.indent = indent
        self.open_guard = ()
        self.known_predicates, self.preds, self.checked = outside
        self.depth -= 1
        for op in loop.constants:
            self.used(op.outputs[0])
        for op in _exits(loop.frame):
            self.op_guard[op] = guard
            if op.outputs[0] not in self.fed:
                self.guard_of[op.outputs[0]] = guard

    def entered(self, loop: _Loop) -> Guard:
        """The guard of the loop: that of its condition. Values may enter without it, and then have no effect."""
        guards = {self.op_guard.get(op, ()) for op in loop.frame.enters}
        if len(guards) == 1:
            return guards.pop()
        parts: dict[str, bool] = {}
        for op in _enters_of_condition(loop):
            for name, wanted in self.op_guard.get(op, ()):
                if parts.setdefault(name, wanted) != wanted:
                    return NEVER
        if "False" in parts:
            return NEVER
        if any(part not in parts.items() for guard in guards for part in guard):
            raise NotCompiled("begins", loop=loop.frame.name)
        if not all(isinstance(item, Operation) and item.definition.pure for item in loop.parts[Part.HEAD]):
            raise NotCompiled("effect", loop=loop.frame.name)
        return tuple(sorted(parts.items(), key=lambda part: int(part[0][1:])))

    def never(self, segment: Segment) -> None:
        """Writes a loop that is dead in every run: nothing."""
        for op in segment.flat():
            self.op_guard[op] = NEVER
            for tensor in op.outputs:
                if tensor not in self.fed:
                    self.hold(tensor, "None", PLAIN, NEVER)

    def begin(self, loop: _Loop) -> list[tuple[str, Tensor | None]]:
        """The locals of the loop variables, each with the tensor of its next value (None: the number 1)."""
        carried: list[tuple[str, Tensor | None]] = []
        for op in loop.frame.enters:
            # Inside the loop no line has the loop's guard. Loop constants stay in their locals until its end.
            self.op_guard[op] = self.guard_of[op.outputs[0]] = ()
            if op.attrs["is_constant"]:
                self.uses_left[op.outputs[0]] = self.uses_left.get(op.outputs[0], 0) + 1
                self.hold_on(op.outputs[0])
        for op in loop.merges:
            entering, following = op.inputs
            value, index = op.outputs
            local = self.new_local()
            self.plain_line(f"{local} = {self.symbol[entering]}", op)
            self.hold(value, local, MAYBE if value in self.references() else PLAIN, ())
            # The values that enter and those of later iterations have been checked.
            self.checked.add(local)
            carried.append((local, following))
            if self.uses_left.get(index):
                local = self.new_local()
                self.plain_line(f"{local} = {self.constant(np.int32(0))}", op)
                self.hold(index, local, PLAIN, ())
                carried.append((local, None))
            self.op_guard[op] = ()
            self.used(entering)
        return carried

    def hold_on(self, tensor: Tensor) -> None:
        """Keeps the local of a tensor that was released because no node reads it."""
        symbol = self.symbol[tensor]
        if self.uses_left[tensor] == 1 and symbol[0] == "v":
            if symbol in self.free:
                self.free.remove(symbol)
            self.tensors_in[symbol] = self.tensors_in.get(symbol, 0) + 1

    def iteration(self, loop: _Loop, carried: list[tuple[str, Tensor | None]]) -> None:
        head, body, tail = loop.parts
        condition = loop.condition.outputs[0]
        self.uses_left[condition] = self.uses_left.get(condition, 0) + 1
        name = self.conditions[loop.condition] = self.new_pred()
        self.items(head)
        value = self.loaded(condition, loop.condition, ())
        is_bool = loop.condition.inputs[0].raw_shape == () and self.store.gpu is None
        test = value if is_bool else f"truth({value})"
        asking = loop.switches[0] if loop.switches else loop.condition
        self.plain_line(f"if not {test}:", asking)
        at = len(self.lines)
        self.indent += 1
        self.known_predicates = {name: False}
        self.items(tail)
        if len(self.lines) == at:
            self.lines[-1] += " break"
        else:
            self.plain_line("break", None)
        self.indent -= 1
        self.open_guard = ()
        self.used(condition)
        # The body may reuse the locals of values that leave: an iteration with a body does not leave the loop.
        leaving = [t for op in _exits(loop.frame) for t in op.outputs if t not in self.fed and self.uses_left.get(t)]
        for tensor in leaving:
            if self.guard(tensor):
                raise NotCompiled("dead_leaving", node=tensor.op.name, loop=loop.frame.name)
            self.release(tensor)
        self.known_predicates = {name: True}
        self.items(body)
        self.carry(loop, carried)
        for tensor in leaving:
            symbol = self.symbol[tensor]
            if symbol[0] == "v":
                if symbol in self.free:
                    self.free.remove(symbol)
                self.tensors_in[symbol] = self.tensors_in.get(symbol, 0) + 1

    def carry(self, loop: _Loop, carried: list[tuple[str, Tensor | None]]) -> None:
        """Assigns the next values to the locals of the loop variables, all at once."""
        moves: dict[str, str] = {}
        for local, following in carried:
            if following is None:
                moves[local] = self.constant(np.int32(1))
                continue
            if self.guard(following):
                raise NotCompiled("dead_going", node=following.op.name, loop=loop.frame.name)
            if self.symbol[following] != local:
                moves[local] = self.symbol[following]
        while moves:
            free = next((local for local in moves if local not in moves.values()), None)
            if free is None:
                self.plain_line(f"{', '.join(moves)} = {', '.join(moves.values())}", None)
                break
            self.plain_line(f"{free} = {moves.pop(free)}", None)
        for _, following in carried:
            if following is not None:
                self.used(following)

    def references(self) -> set[Tensor]:
        """The tensors that may be references to variables; computed once for a plan."""
        if self._references is None:
            self._references = _references(self.scheduled.order)
        return self._references


def _exits(frame: Frame) -> list[Operation]:
    return [op for op in frame.nodes if op.type in EXITS]


def _enters_of_condition(loop: _Loop) -> list[Operation]:
    """The Enters on which the loop's condition depends."""
    needed: set[Operation] = {loop.condition}
    queue = [loop.condition]
    inside = set(loop.frame.nodes)
    for op in queue:
        above = [t.op for t in op.inputs if not is_back_edge(t.op, op)]
        new = dict.fromkeys(o for o in (*above, *op.waits) if o not in needed)
        needed.update(new)
        queue.extend(o for o in new if o in inside)
    return [op for op in loop.frame.enters if op in needed]


def _references(order: Iterable[Operation]) -> set[Tensor]:
    """All tensors that a reference reaches through nodes that pass their input on, also along back edges."""
    references = {t for op in order for t in op.outputs if t.dtype.is_ref}
    stack = list(references)
    members = set(order)
    while stack:
        tensor = stack.pop()
        for op in tensor.consumers():
            d = op.definition
            if op not in members or d is None:
                continue
            outs = []
            for i, t in enumerate(op.inputs):
                if t is tensor and (d.passes_through(i) or i == d.view_index):
                    outs += op.outputs
                if t is tensor and d.stores_input(i):  # only the run decides which node returns it
                    readers = [o for o in members if o.definition is not None and o.definition.returns_stored]
                    outs += [output for reader in readers for output in reader.outputs]
            for out in outs:
                if out not in references:
                    references.add(out)
                    stack.append(out)
    return references


# -- which loops are well-formed -------------------------------------------------------------------------------------


def _well_formed(segment: Segment, references: set[Tensor]) -> _Loop:
    """The loop by its parts. Raises: NotCompiled for a loop that no `while` can express."""
    frame = segment.frame
    nodes = [item for item in segment.items if isinstance(item, Operation)]
    conditions = [op for op in nodes if role_of(op) == "loop_cond"]
    if len(conditions) != 1:
        raise NotCompiled("conditions", loop=frame.name, count=len(conditions))
    loop = _Loop(frame, conditions[0])
    part: dict[Operation, Part] = dict.fromkeys(loop.constants, Part.HEAD)
    part_of_tensor: dict[Tensor, Part] = {op.outputs[0]: Part.HEAD for op in loop.constants}
    latest = Part.HEAD
    for item in segment.items:
        if isinstance(item, Operation) and item.type in MERGES and any(is_back_edge(t.op, item) for t in item.inputs):
            _check_merge(item, frame)
            loop.merges.append(item)
            part[item] = Part.HEAD
            part_of_tensor.update(dict.fromkeys(item.outputs, Part.HEAD))
            continue
        where = _part(item, part, part_of_tensor)
        if isinstance(item, Segment):
            for op in _exits(item.frame):
                part[op] = where
                part_of_tensor.update(dict.fromkeys(op.outputs, where))
        else:
            part[item] = where
            part_of_tensor.update(dict.fromkeys(item.outputs, where))
            if item.type in SWITCHES and item.inputs[1].op is loop.condition and where is Part.HEAD:
                loop.switches.append(item)
                part_of_tensor[item.outputs[0]], part_of_tensor[item.outputs[1]] = Part.TAIL, Part.BODY
            if item.type in EXITS and where is not Part.TAIL:
                raise NotCompiled("leaves", node=item.name, loop=frame.name)
            if item.type in NEXTS and where is not Part.BODY:
                raise NotCompiled("free", node=item.name, loop=frame.name)
        if where is Part.HEAD and latest is not Part.HEAD and not _moves(item, references):
            raise NotCompiled("late", loop=frame.name)
        latest = max(latest, where)
        loop.parts[where].append(item)
    return loop


def _check_merge(merge: Operation, frame: Frame) -> None:
    entering, following = merge.inputs[0], merge.inputs[-1]
    if (
        len(merge.inputs) != 2 or merge.waits
        or entering.op.type not in ENTERS or entering.op.attrs["is_constant"] or following.op.type not in NEXTS
    ):  # fmt: skip
        raise NotCompiled("merge", node=merge.name)


def _part(item: Item, part: dict[Operation, Part], part_of_tensor: dict[Tensor, Part]) -> Part:
    """The part of an iteration in which all inputs of an item are alive."""
    if isinstance(item, Segment):
        parts = {part[op] for op in item.frame.enters}
    else:
        missing = [t.op for t in item.inputs if t not in part_of_tensor] + [op for op in item.waits if op not in part]
        if missing:
            raise NotCompiled("once", node=item.name, other=missing[0].name)
        if any(op.type in NEXTS for op in (*(t.op for t in item.inputs), *item.waits)):
            raise NotCompiled("skips", node=item.name)
        parts = {part_of_tensor[t] for t in item.inputs} | {part[op] for op in item.waits}
        if item.type in MERGES and len(parts) > 1:
            raise NotCompiled("joins", node=item.name)
    if {Part.BODY, Part.TAIL} <= parts:
        raise NotCompiled("dead", node=(item.frame if isinstance(item, Segment) else item).name)
    return max(parts, default=Part.HEAD)


def _moves(item: Item, references: set[Tensor]) -> bool:
    """Whether the item may run earlier without a change of the result."""
    if isinstance(item, Segment) or item.definition is None or not item.definition.pure:
        return False
    return item.definition.aliases is not None or not any(t in references for t in item.inputs)
