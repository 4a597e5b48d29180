"""Branches in plans: the guards of lines, and the code of Switch and Merge.

A guard is a conjunction: ("p1", True), ("p2", False) is `if p1 and not p2:`. The outputs of a Switch have a guard, and so
have all nodes that depend on them; a Merge of both sides has none again. State: that of the Writer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.nodes import Operation, Tensor
from .plan_lines import MAYBE, NEVER, PLAIN, Guard, Writer


class Branches(Writer):
    """Writes branches."""

    def guard(self, tensor: Tensor) -> Guard:
        """The guard under which the tensor is alive, without the predicates that are known here."""
        return self.open_part(self.guard_of.get(tensor, ()))

    def open_part(self, guard: Guard) -> Guard:
        known_predicates = self.known_predicates
        if not guard or not known_predicates:
            return guard
        if any(known_predicates.get(name, wanted) != wanted for name, wanted in guard):
            return NEVER
        return tuple([part for part in guard if part[0] not in known_predicates])

    def joined(self, op: Operation) -> Guard:
        """The guard of a node: all its inputs and control inputs are alive."""
        if op.definition.role == "trigger" or not (self.guard_of or self.op_guard):
            return ()
        parts: dict[str, bool] = {}
        for tensor in op.inputs:
            for name, wanted in self.guard_of.get(tensor, ()):
                if parts.setdefault(name, wanted) != wanted:
                    return NEVER
        for waited in op.waits:
            for name, wanted in self.op_guard.get(waited, ()):
                if parts.setdefault(name, wanted) != wanted:
                    return NEVER
        if not parts:
            return ()
        if "False" in parts:
            return NEVER
        return self.open_part(tuple(sorted(parts.items(), key=lambda part: int(part[0][1:]))))

    def switch(self, op: Operation, guard: Guard) -> None:
        data, pred = op.inputs
        key: Any = self.origin.get(pred, pred) if self.kind_of[pred] == PLAIN else op
        if self.symbol[pred][0] == "c":
            # Equal constants have one name.
            key = self.symbol[pred]
        name = self.conditions.get(pred.op) or self.preds.get((key, guard))
        if name is None:
            name = self.preds[(key, guard)] = self.new_pred()
            value = self.loaded(pred, op, guard)
            self.line(f"{name} = {value if pred.raw_shape == () and self.store.gpu is None else f'truth({value})'}", op, guard)
        symbol, kind = self.symbol[data], self.kind_of[data]
        if not op.definition.inputs[0].is_ref:
            self.passed(data, op, guard)
        for tensor, side in zip(op.outputs, (False, True)):
            if tensor not in self.fed:
                self.hold(tensor, symbol, kind, (*guard, (name, side)))

    def merge(self, op: Operation) -> None:
        guards = [self.guard(t) for t in op.inputs]
        guard = _either(guards)
        if guard is None:
            flag = self.new_pred()
            self.line(f"{flag} = {' or '.join(f'({self.condition(g)})' for g in guards)}", op, ())
            guard = ((flag, True),)
        self.op_guard[op] = guard
        kinds = {self.kind_of[t] for t, g in zip(op.inputs, guards) if g != NEVER}
        kind = kinds.pop() if len(kinds) == 1 else MAYBE
        value, index = self.outputs(op, guard)
        first = True
        for i, (tensor, when) in enumerate(zip(op.inputs, guards)):
            if when == NEVER:
                continue
            word = "if" if first else "elif"
            first = False
            test = self.condition(when) if when else "True"
            symbol = self.symbol[tensor]
            # `if … elif` must stand alone: no guard block may be open around it.
            self.line(f"{word} {test}: {value} = {symbol}; {index} = {self.constant(np.int32(i))}", op, ())
        if op.outputs[0] not in self.fed:
            self.kind_of[op.outputs[0]] = kind
            self.checked.discard(value)


def _either(guards: list[Guard]) -> Guard | None:
    """The disjunction of the guards where it is a guard, a conjunction, itself; else None."""
    live = [dict(g) for g in guards if g != NEVER]
    if not live:
        return NEVER
    if any(not g for g in live):
        return ()
    if len(live) == 1:
        return tuple(live[0].items())
    if len(live) == 2:
        a, b = live
        if a.items() <= b.items():
            return tuple(a.items())
        if b.items() <= a.items():
            return tuple(b.items())
        if a.keys() == b.keys():
            differing = [name for name in a if a[name] != b[name]]
            if len(differing) == 1:
                return tuple((name, wanted) for name, wanted in a.items() if name != differing[0])
    return None
