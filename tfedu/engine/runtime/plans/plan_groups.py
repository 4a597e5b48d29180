"""Groups in plans: elementwise nodes of a GPU become one line, the call of one kernel (devices/elementwise_groups.py), and so do
the steps of an optimizer (devices/step_groups.py).

The line stands where the last node of the group has its turn. Nodes that turn out not to fit together, such as two of different
branches, have lines of their own there. A plan without a GPU has no groups, and imports nothing for them.
State: that of the Writer, and the groups by node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...graph.nodes import Operation
from ..frames import Item
from .plan_lines import NEVER, PLAIN, Guard
from .plan_loops import Loops

if TYPE_CHECKING:
    from ..devices.elementwise_groups import Group
    from ..devices.step_groups import StepGroup


class Groups(Loops):
    """Writes groups of elementwise nodes."""

    group_of: Mapping[Operation, Any] = MappingProxyType({})

    def single(self, op: Operation) -> None:
        """Writes the lines of one node."""
        raise NotImplementedError

    @property
    def has_groups(self) -> bool:
        """Whether the plan may have groups: on a GPU whose memory no limit of a session's own counts node by node."""
        store = self.store
        return store.gpu is not None and store.gpu.gpu.raw is not None and store.memory is None

    def items(self, items: Iterable[Item]) -> None:
        if self.has_groups:
            items = tuple(items)
            self.group_of = {**self.group_of, **self.groups_among(items)}
        super().items(items)

    def groups_among(self, items: Sequence[Item]) -> Mapping[Operation, Group | StepGroup]:
        """The groups among nodes that have their turns one after the other."""
        from ..devices import elementwise_groups, step_groups

        folded, references = self.folded, self.references()
        known = {t.op for t in folded.values} | {t.op for t in self.fed} | folded.needless
        return {
            **elementwise_groups.find(items, self.store.gpu, known, folded.sizes, references),
            **step_groups.find(items, self.store.gpu, self.store, references),
        }

    def node(self, op: Operation) -> None:
        group = self.group_of.get(op)
        if group is None:
            self.single(op)
        elif op is group.last and not (self.steps(group) if op.definition.role == "optimizer_step" else self.group(group)):
            for member in group.members:
                self.single(member)

    def steps(self, group: StepGroup) -> bool:
        """Writes the call that takes the optimizer's steps; False where its nodes need lines of their own."""
        from ..devices.step_groups import StepKernel

        guard = self.common_guard(group)
        if guard is None:
            return False
        calls = []
        for op in group.members:
            d = op.definition
            values = [
                self.symbol[t] if i in d.accessed_inputs else self.loaded(t, op, guard) for i, t in enumerate(op.inputs)
            ]
            calls.append(f"[{', '.join(values)}]")
            if op is self.watched:
                self.watched_names = [self.symbol[t] for t in op.inputs]
            if self.timed:
                self.line(f"check({self.bind('o', op)})", None, guard)
        kernel = self.bind("g", StepKernel(self.store.gpu, self.store, group))
        self.line(f"{kernel}({', '.join(calls)})", group.last, guard)
        for op in group.members:
            for tensor in op.outputs:
                self.hold(tensor, self.symbol[op.inputs[0]], self.kind_of[op.inputs[0]], guard)
            for tensor in op.inputs:
                self.used(tensor)
            for tensor in op.outputs:
                if not self.uses_left.get(tensor):
                    self.release(tensor)
        return True

    def group(self, group: Group) -> bool:
        """Writes the call of the group's kernel; False where its nodes need lines of their own."""
        from ..devices.elementwise_groups import GroupKernel

        guard = self.common_guard(group)
        inputs = group.inputs
        values = self.folded.values
        constants = {t: np.asarray(values[t])[()] for t in inputs if t in values and not np.ndim(values[t])}
        if guard is None or len(constants) == len(inputs):
            return False
        inside = Counter([t for op in group.members for t in op.inputs])
        results = [op.outputs[0] for op in group.members]
        outputs = [t for t in results if self.uses_left.get(t, 0) > inside[t] or not inside[t]]
        kernel = GroupKernel(self.store.gpu, group, constants, outputs)
        reader = {t: op for op in reversed(group.members) for t in op.inputs}
        symbols = [self.loaded(t, reader[t], guard) for t in kernel.inputs]
        for op in group.members:
            if self.timed:
                self.line(f"check({self.bind('o', op)})", None, guard)
            if op is self.watched:
                self.watched_names = [self.symbol.get(t, "") for t in op.inputs]
        names = [self.new_local() for _ in outputs]
        self.line(f"{', '.join(names)}, = {self.bind('g', kernel)}({', '.join(symbols)})", group.last, guard)
        for tensor, name in zip(outputs, names):
            self.hold(tensor, name, PLAIN, guard)
        for tensor, uses in inside.items():
            for _ in range(uses):
                if tensor in self.symbol:
                    self.used(tensor)
        for tensor in outputs:
            if not self.uses_left.get(tensor):
                self.release(tensor)
        return True

    def common_guard(self, group: Group | StepGroup) -> Guard | None:
        """The guard of all nodes of the group; None where they differ, or where the group never runs."""
        guards = set()
        for op in group.members:
            guard = self.joined(op)
            guards.add(guard)
            if guard:
                self.op_guard[op] = guard
                self.guard_of.update(dict.fromkeys(op.outputs, guard))
        return guards.pop() if len(guards) == 1 and NEVER not in guards else None
