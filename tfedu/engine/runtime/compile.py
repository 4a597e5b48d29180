"""Compile: a schedule as straight-line Python, for every run after the first.

`compile_plan(schedule, store, fetches)` gives a function of the fed values. Each node becomes a line or two: scalars
and arrays live in locals, which are used again as soon as their value is not needed; a reference is the session's
buffer, and each consumer loads it in its own line, so that the schedule keeps its meaning; the branches of a cond
become `if` blocks. This is the one module that makes code: it writes integers and names of its own, never text
from a name, a file or an attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base import errors
from ..base.dead import DEAD
from ..base.shapes import Shape
from ..graph.nodes import Operation, Tensor
from .failures import node_error, uninitialized, unread
from .foreseen import Foreseen, foresee
from .schedule import Schedule
from .store import Buffer, Store, View, World
from .turns import compute, fetched

# How a tensor is held in the generated code.
PLAIN, ALIAS, MAYBE = "plain", "alias", "maybe"
# A guard says when a line runs: all of these must hold. () is always.
Guard = tuple[tuple[str, bool], ...]
NEVER: Guard = (("False", True),)


@dataclass(frozen=True)
class Plan:
    """The compiled form of one (fetches, feeds): call `function(*fed values)`, in `feeds`' order."""

    schedule: Schedule
    feeds: tuple[Tensor, ...]
    fetches: tuple[Tensor, ...]
    function: Callable[..., Any]
    source: str
    line_of: tuple[Operation | None, ...]  # the node of each line of `source`
    store: Store
    foreseen: Foreseen  # what the plan takes as known, and the nodes that it leaves out

    def __str__(self) -> str:
        return self.source

    def explain_failure(self, raised: Exception) -> Exception:
        """The user's error for what the generated function raised."""
        traceback = raised.__traceback__
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == _FILE:
                op = self.line_of[traceback.tb_lineno - 1]
                if op is None:
                    if isinstance(raised, errors.OpError) and raised.fetch is not None:
                        return unread(raised, self.fetches)
                    return raised
                # The failing line has stored nothing yet: the locals still hold the node's inputs.
                at_hand = {**traceback.tb_frame.f_globals, **traceback.tb_frame.f_locals}
                return node_error(op, raised, [at_hand.get(name) for name in self._input_names(op)])
            traceback = traceback.tb_next
        return raised

    def _input_names(self, op: Operation) -> list[str]:
        """The names that held the node's inputs: found by writing the plan once more, which only a failure pays for."""
        writer = _Writer(self.schedule, self.store, self.fetches, self.foreseen, watched=op)
        writer.write()
        return writer.watched_names


_FILE = "<tfedu plan>"


class _Writer:
    """Writes the function's lines and remembers which local holds which tensor."""

    def __init__(
        self, scheduled: Schedule, store: Store, fetches: Sequence[Tensor], foreseen: Foreseen,
        watched: Operation | None = None,
    ) -> None:  # fmt: skip
        self.foreseen = foreseen
        self.watched = watched
        self.watched_names: list[str] = []
        self.scheduled = scheduled
        self.store = store
        self.fetches = tuple(fetches)
        self.feeds = scheduled.placed.pruned.fed
        self.fed = frozenset(self.feeds)
        self.lines: list[str] = []
        self.line_of: list[Operation | None] = []
        self.names: dict[str, Any] = {
            "np": np, "uninit": uninitialized, "load": _load, "own": fetched,
            "DEAD": DEAD, "truth": _truth,
        }  # fmt: skip
        self.symbol: dict[Tensor, str] = {}
        self.held: dict[Tensor, str] = {}
        self.guard_of: dict[Tensor, Guard] = {}
        self.op_guard: dict[Operation, Guard] = {}
        self.checked: set[str] = set()
        self.free: list[str] = []
        self.count = 0
        self.preds: dict[Any, str] = {}
        self.constants: dict[tuple[type, bytes], str] = {}
        self.origin: dict[Tensor, Tensor] = {}  # what an identity of a computed value is the same as
        self.left: dict[Tensor, int] = {}
        self.kept: set[Tensor] = set()  # what a node may keep or pass on
        self.sharing: dict[str, int] = {}
        self.open_guard: Guard = ()

    # -- small things --------------------------------------------------------------------------------------------

    def line(self, text: str, op: Operation | None, guard: Guard) -> None:
        if guard != self.open_guard:
            self.open_guard = guard
            if guard:
                self.lines.append(f" if {self.condition(guard)}:")
                self.line_of.append(op)
        self.lines.append(f"  {text}" if guard else f" {text}")
        self.line_of.append(op)

    @staticmethod
    def condition(guard: Guard) -> str:
        return " and ".join(name if wanted else f"not {name}" for name, wanted in guard)

    def bind(self, prefix: str, value: Any) -> str:
        name = f"{prefix}{len(self.names)}"
        self.names[name] = value
        return name

    def constant(self, value: Any) -> str:
        """A name for the value; equal scalars share one, which keeps the names of a long chain few and near."""
        if not isinstance(value, np.generic):
            return self.bind("c", value)
        key = (type(value), value.tobytes())
        name = self.constants.get(key)
        if name is None:
            name = self.constants[key] = self.bind("c", value)
        return name

    def new_local(self) -> str:
        if self.free:
            return self.free.pop()
        self.count += 1
        return f"v{self.count}"

    def hold(self, tensor: Tensor, symbol: str, kind: str, guard: Guard) -> None:
        self.symbol[tensor] = symbol
        self.held[tensor] = kind
        self.guard_of[tensor] = guard
        if symbol[0] == "v":
            self.sharing[symbol] = self.sharing.get(symbol, 0) + 1

    def used(self, tensor: Tensor) -> None:
        """One use less is to come; a local nobody needs any more is free."""
        self.left[tensor] -= 1
        if self.left[tensor] == 0:
            self.release(tensor)

    def release(self, tensor: Tensor) -> None:
        symbol = self.symbol[tensor]
        if symbol[0] != "v":
            return
        self.sharing[symbol] -= 1
        if self.sharing[symbol] == 0:
            del self.sharing[symbol]
            self.checked.discard(symbol)
            self.free.append(symbol)

    # -- reading -------------------------------------------------------------------------------------------------

    def ensure_initialized(self, symbol: str, op: Operation, guard: Guard) -> None:
        if symbol in self.checked:
            return
        self.line(f"if {symbol}.value is None: raise uninit({symbol}.name)", op, guard)
        if not guard:
            self.checked.add(symbol)

    def loaded(self, tensor: Tensor, op: Operation, guard: Guard) -> str:
        """The expression of the tensor's value, read when the line runs."""
        symbol = self.symbol[tensor]
        kind = self.held[tensor]
        if kind == PLAIN:
            return symbol
        if kind == ALIAS:
            self.ensure_initialized(symbol, op, guard)
            return f"{symbol}.value"
        return f"load({symbol})"

    def passed(self, tensor: Tensor, op: Operation, guard: Guard) -> None:
        """What is passed on unread must still hold a value, where the op does not take a reference."""
        if self.held[tensor] == ALIAS:
            self.ensure_initialized(self.symbol[tensor], op, guard)
        elif self.held[tensor] == MAYBE:
            self.line(f"load({self.symbol[tensor]})", op, guard)

    # -- the function --------------------------------------------------------------------------------------------

    def write(self) -> None:
        order = self.scheduled.order
        left = self.left
        for op in order:
            for tensor in op.inputs:
                left[tensor] = left.get(tensor, 0) + 1
            d = op.definition
            if d is None or not (d.fresh and d.pure):
                self.kept.update(op.inputs)
        for tensor in self.fetches:
            left[tensor] = left.get(tensor, 0) + 1
        for index, tensor in enumerate(self.feeds):
            left.setdefault(tensor, 0)
            self.hold(tensor, f"f{index}", PLAIN, ())
        self.lines.append(f"def plan({', '.join(f'f{i}' for i in range(len(self.feeds)))}):")
        self.line_of.append(None)
        for op in order:
            self.node(op)
        results = []
        for index, tensor in enumerate(self.fetches):
            results.append(self.result(tensor, index))
        self.open_guard = ()
        self.lines.append(f" return {results[0] if len(results) == 1 else '[' + ', '.join(results) + ']'}")
        self.line_of.append(None)

    def result(self, tensor: Tensor, index: int) -> str:
        symbol = self.symbol[tensor]
        if tensor in self.fed:
            return symbol
        guard = self.guard_of[tensor]
        if guard:
            return f"own({symbol} if {self.condition(guard)} else DEAD, {index})"
        return symbol if self.is_callers_own(tensor) else f"own({symbol}, {index})"

    def is_callers_own(self, tensor: Tensor) -> bool:
        """Whether a fetched value is nobody else's: made for this run, and no other node of it may have kept it."""
        d = tensor.op.definition
        if d is None or not d.fresh or self.held[tensor] != PLAIN or tensor.raw_shape is None:
            return False
        if self.symbol[tensor][0] != "v":  # a constant of the plan, which later runs give again
            return False
        return tensor.raw_shape == () or tensor not in self.kept

    def node(self, op: Operation) -> None:
        d = op.definition
        if d is None:
            raise node_error(op, errors.NotFoundError(None, None, f"Op type not registered '{op.type}'"))
        if op is self.watched:
            self.watched_names = [self.symbol[t] for t in op.inputs]
        merge = op.type in ("Merge", "RefMerge")
        guard: Guard = () if merge else self.joined(op)
        self.op_guard[op] = guard
        if guard == NEVER:
            for tensor in op.outputs:
                if tensor not in self.fed:
                    self.hold(tensor, "None", PLAIN, NEVER)
        elif merge:
            self.merge(op)
        elif op in self.foreseen.needless:
            for tensor in op.outputs:
                self.hold(tensor, "None", PLAIN, guard)
        elif op.type in ("Switch", "RefSwitch"):
            self.switch(op, guard)
        elif op.type == "Const":
            if op.outputs[0] not in self.fed:
                self.hold(op.outputs[0], self.constant(op.attrs["value"]), PLAIN, guard)
        elif op.type in ("VariableV2", "Variable", "VarHandleOp"):
            self.variable(op, guard)
        elif op.type == "NoOp":
            pass
        elif d.alias_index >= 0 and d.flat and d.simple and d.pure:
            self.alias(op, guard)
        elif d.view_index >= 0 and self.held[op.inputs[d.view_index]] != PLAIN:
            self.computed(op, guard)
        else:
            self.general(op, guard)
        for tensor in op.inputs:
            self.used(tensor)
        for tensor in op.outputs:
            if tensor not in self.fed and not self.left.get(tensor):
                if tensor in self.symbol:
                    self.release(tensor)

    def joined(self, op: Operation) -> Guard:
        """When a node runs: when all that it needs is alive."""
        parts: dict[str, bool] = {}
        for tensor in op.inputs:
            for name, wanted in self.guard_of[tensor]:
                if parts.setdefault(name, wanted) != wanted:
                    return NEVER
        for waited in op.waits:
            for name, wanted in self.op_guard.get(waited, ()):
                if parts.setdefault(name, wanted) != wanted:
                    return NEVER
        if "False" in parts:
            return NEVER
        return tuple(sorted(parts.items(), key=lambda part: int(part[0][1:]))) if parts else ()

    def outputs(self, op: Operation, guard: Guard) -> list[str]:
        """A local for each output; a fed one is computed and not used."""
        names = []
        for tensor in op.outputs:
            local = self.new_local()
            names.append(local)
            if tensor in self.fed:
                self.free.append(local)
            else:
                self.hold(tensor, local, PLAIN, guard)
        return names

    def general(self, op: Operation, guard: Guard) -> None:
        d = op.definition
        values: list[str] = []
        refs = [a.is_ref for a in d.inputs] if d.flat else [d.inputs[0].is_ref] * len(op.inputs)
        for i, (tensor, is_ref) in enumerate(zip(op.inputs, refs)):
            symbol = self.symbol[tensor]
            if is_ref:
                if not d.allows_uninitialized:
                    self.ensure_initialized(symbol, op, guard)
                values.append(symbol)
            elif d.passes(i):
                self.passed(tensor, op, guard)
                values.append(symbol)
            else:
                values.append(self.loaded(tensor, op, guard))
        if self.fold(op, guard):
            return
        expression = self.expression(op, values)
        if d.alias_index >= 0 and d.simple and op.outputs[0] not in self.fed:
            # The node passes an input on: the result has that input's own name.
            source = op.inputs[d.alias_index]
            self.line(expression, op, guard)
            self.hold(op.outputs[0], self.symbol[source], self.held[source], guard)
            if refs[d.alias_index] and not guard:
                self.checked.add(self.symbol[source])
            return
        if not op.outputs:
            self.line(expression, op, guard)
            return
        # Inputs that end here give their locals to the outputs.
        names = self.outputs_over(op, guard)
        for tensor in op.outputs:
            if tensor.dtype.is_ref and tensor not in self.fed:
                self.held[tensor] = ALIAS
        if d.simple:
            self.line(f"{names[0]} = {expression}", op, guard)
        elif len(d.outputs) == 1 or not any(a.is_list for a in d.outputs):
            self.line(f"{', '.join(names)}{',' if len(names) == 1 else ''} = {expression}", op, guard)
        else:
            flat = self.bind("flat", _flattener(d))
            self.line(f"{', '.join(names)}{',' if len(names) == 1 else ''} = {flat}({expression})", op, guard)

    def fold(self, op: Operation, guard: Guard) -> bool:
        """What the node gives may be known before the run; whether it is."""
        values = self.foreseen.values
        if not op.outputs or not all(tensor in values for tensor in op.outputs):
            return False
        for tensor in op.outputs:
            self.hold(tensor, self.constant(values[tensor]), PLAIN, guard)
        return True

    def outputs_over(self, op: Operation, guard: Guard) -> list[str]:
        ending = []
        if not guard:
            for tensor in dict.fromkeys(op.inputs):
                symbol = self.symbol[tensor]
                times = op.inputs.count(tensor) if len(op.inputs) > 1 else 1
                if (
                    symbol[0] == "v"
                    and self.left[tensor] == times
                    and self.sharing[symbol] == 1
                    and tensor not in self.fed
                ):
                    ending.append(symbol)
        if len(ending) == 1 and len(op.outputs) == 1 and op.outputs[0] not in self.fed:
            # `v1 = f(v1)`: take the ending input's local over (it is released by `used`, which sees it shared).
            self.hold(op.outputs[0], ending[0], PLAIN, guard)
            self.checked.discard(ending[0])
            return ending
        return self.outputs(op, guard)

    def expression(self, op: Operation, values: list[str]) -> str:
        d = op.definition
        if d.expr is not None:
            return str(d.expr).format(**{a.name: v for a, v in zip(d.inputs, values)})
        if d.ufunc is not None:
            return f"{self.kernel(d, getattr(np, d.ufunc))}({', '.join(values)})"
        if not d.flat:
            grouped = d.group(op, values)
            values = [f"[{', '.join(v)}]" if isinstance(v, list) else v for v in grouped]
        first = "np" if d.pure else self.bind("w", World(op, self.store))
        attrs = [f"{a.name}={self.bind('a', op.attrs[a.name])}" for a in d.explicit]
        return f"{self.kernel(d, d.kernel)}({', '.join([first, *values, *attrs])})"

    def kernel(self, d: Any, function: Any) -> str:
        name = self.preds.get(d)
        if name is None:
            name = self.preds[d] = self.bind("k", function)
        return name

    def computed(self, op: Operation, guard: Guard) -> None:
        """A node whose inputs may be references in ways that only the run shows: as the interpreter does it."""
        call = self.bind("x", _interpreted(op, self.store))
        symbols = ", ".join(self.symbol[t] for t in op.inputs)
        names = self.outputs(op, guard)
        for tensor in op.outputs:
            if tensor not in self.fed:
                self.held[tensor] = MAYBE
        self.line(f"{', '.join(names)}{',' if len(names) == 1 else ''} = {call}({symbols})", op, guard)

    def variable(self, op: Operation, guard: Guard) -> None:
        d = op.definition
        shape = op.attrs["shape"]
        if op.type == "VariableV2" and shape is not None and None in shape:
            # The kernel refuses it, when it runs.
            self.general(op, guard)
            return
        buffer = d.kernel(World(op, self.store), **{name: op.attrs[name] for name in d.kernel_attrs})
        name = self.bind("b", buffer)
        if op.outputs[0] not in self.fed:
            self.hold(op.outputs[0], name, ALIAS if d.outputs[0].is_ref else PLAIN, guard)

    def alias(self, op: Operation, guard: Guard) -> None:
        d = op.definition
        source = op.inputs[d.alias_index]
        if self.fold(op, guard):
            return
        if not d.inputs[d.alias_index].is_ref:
            self.passed(source, op, guard)
        if op.outputs[0] not in self.fed:
            self.hold(op.outputs[0], self.symbol[source], self.held[source], guard)
            self.origin[op.outputs[0]] = self.origin.get(source, source)

    def switch(self, op: Operation, guard: Guard) -> None:
        data, pred = op.inputs
        by_value = self.held[pred] == PLAIN
        key: Any = self.origin.get(pred, pred) if by_value else op
        name = self.preds.get((key, guard))
        if name is None:
            name = self.preds[(key, guard)] = f"p{len(self.preds)}"
            self.line(f"{name} = truth({self.loaded(pred, op, guard)})", op, guard)
        symbol, kind = self.symbol[data], self.held[data]
        if not op.definition.inputs[0].is_ref:
            self.passed(data, op, guard)
        for tensor, taken in zip(op.outputs, (False, True)):
            if tensor not in self.fed:
                self.hold(tensor, symbol, kind, (*guard, (name, taken)))

    def merge(self, op: Operation) -> None:
        guards = [self.guard_of[t] for t in op.inputs]
        guard = _either(guards)
        if guard is None:
            flag = f"p{len(self.preds)}"
            self.preds[op] = flag
            self.line(f"{flag} = {' or '.join(f'({self.condition(g)})' for g in guards)}", op, ())
            guard = ((flag, True),)
        self.op_guard[op] = guard
        kinds = {self.held[t] for t, g in zip(op.inputs, guards) if g != NEVER}
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
            self.held[op.outputs[0]] = kind
            self.checked.discard(value)


def _either(guards: list[Guard]) -> Guard | None:
    """The guard under which at least one of two guards holds, when it is a guard again."""
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


def _load(value: Any) -> Any:
    if isinstance(value, (Buffer, View)):
        if value.value is None:
            raise uninitialized(value.name)
        return value.value
    return value


def _truth(value: Any) -> bool:
    return bool(value)


def _flattener(d: Any) -> Callable[[Any], list[Any]]:
    lists = [a.is_list for a in d.outputs]
    return lambda result: [v for part, many in zip(result, lists) for v in (part if many else (part,))]


def _interpreted(op: Operation, store: Store) -> Callable[..., Sequence[Any]]:
    return lambda *inputs: compute(op, inputs, store)


def compile_plan(
    scheduled: Schedule, store: Store, fetches: Sequence[Tensor], fed_shapes: Sequence[Shape] | None = None
) -> Plan:
    """The schedule as a Python function, bound to one session's state and, where they are given, to the fed values' shapes."""
    feeds = scheduled.placed.pruned.fed
    foreseen = foresee(scheduled, fetches, dict(zip(feeds, fed_shapes or [t.raw_shape for t in feeds])))
    writer = _Writer(scheduled, store, fetches, foreseen)
    writer.write()
    source = "\n".join(writer.lines)
    exec(compile(source, _FILE, "exec"), writer.names)
    function = writer.names["plan"]
    return Plan(scheduled, writer.feeds, writer.fetches, function, source, tuple(writer.line_of), store, foreseen)
