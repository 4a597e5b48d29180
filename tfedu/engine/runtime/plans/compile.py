"""Compile: a schedule as straight-line Python, for every run after the first, and for the first one of a graph with loops.

`compile_plan(schedule, store, fetches)` returns a function of the fed values. Each node becomes a line or two: scalars
and arrays live in locals, which are reused as soon as their values are not needed; a reference is the session's
buffer, and each consumer loads it in its own line, so that the schedule keeps its meaning; the branches of a cond
become `if` blocks (plan_branches.py), loops `while` (plan_loops.py), elementwise nodes of a GPU the call of one kernel
(plan_groups.py). Only these writers generate code: they write integers and names of their own, never text from a name, a file
or an attribute. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np

from ...backends.heap import keep_freed_memory
from ...base import errors
from ...base.shapes import Shape
from ...graph.nodes import Operation, Tensor
from ..node_errors import node_error, unread
from ..node_turn import compute
from ..schedule import Schedule
from ..store import Store, World
from .constant_folding import Folded, fold_constants
from .plan_groups import Groups
from .plan_lines import ALIAS, MAYBE, NEVER, PLAIN, Guard
from .plan_loops import NotCompiled


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
    folded: Folded  # the values that are known before the run, and the nodes that it leaves out
    timed: bool = False  # whether the function takes a check as its last argument, to call before each computation

    def __str__(self) -> str:
        return self.source

    def explain_failure(self, raised: BaseException) -> BaseException:
        """The user's error for an exception of the generated function."""
        traceback = raised.__traceback__
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == _FILE:
                op = self.line_of[traceback.tb_lineno - 1]
                if op is None:
                    if isinstance(raised, errors.OpError) and raised.fetch is not None:
                        return unread(raised, self.fetches)
                    if isinstance(raised, MemoryError):
                        return errors.ResourceExhaustedError(None, None, f"OOM when copying what the run fetches: {raised}")
                    return raised
                if isinstance(raised, errors.OpError) or not isinstance(raised, Exception):
                    return node_error(op, raised)
                # The failing line has stored nothing: the locals have the node's inputs.
                values = {**traceback.tb_frame.f_globals, **traceback.tb_frame.f_locals}
                return node_error(op, raised, [values.get(name) for name in self._input_names(op)])
            traceback = traceback.tb_next
        return raised

    def _input_names(self, op: Operation) -> list[str]:
        """The names of the node's inputs in the plan, which is written once more for that: only a failure needs them."""
        writer = self.writer(op)
        writer.write()
        return writer.watched_names

    def writer(self, watched: Operation | None = None) -> _Nodes:
        """A writer of the same plan."""
        return _Nodes(self.schedule, self.store, self.fetches, self.folded, self.timed, watched)


_FILE = "<tfedu plan>"
# Arrays of fewer elements are not worth the check.
_WORTH_REUSE: Final = 1 << 11


class _Nodes(Groups):
    """Writes the function: the lines of each kind of node."""

    def write(self) -> None:
        order = self.scheduled.order
        uses_left = self.uses_left
        for op in order:
            for tensor in op.inputs:
                uses_left[tensor] = uses_left.get(tensor, 0) + 1
            d = op.definition
            if d is None or not (d.fresh and d.pure):
                self.retained.update(op.inputs)
        for tensor in self.fetches:
            uses_left[tensor] = uses_left.get(tensor, 0) + 1
        for index, tensor in enumerate(self.feeds):
            uses_left.setdefault(tensor, 0)
            self.hold(tensor, f"f{index}", PLAIN, ())
        parameters = [f"f{i}" for i in range(len(self.feeds))] + ["check"] * self.timed
        self.lines.append(f"def plan({', '.join(parameters)}):")
        self.line_of.append(None)
        if self.scheduled.frames is not None:
            self.nodes_and_loops()
        elif self.has_groups:
            self.items(order)
        else:
            for op in order:
                self.single(op)
        results = []
        for index, tensor in enumerate(self.fetches):
            results.append(self.result(tensor, index))
        listed = f"[{', '.join(results)}]"
        if self.store.gpu is not None:
            self.plain_line(f"return own_all({listed}){'[0]' if len(results) == 1 else ''}", None)
        else:
            self.plain_line(f"return {results[0] if len(results) == 1 else listed}", None)

    def nodes_and_loops(self) -> None:
        """Raises: NotCompiled for loops that only the interpreter runs."""
        frames, segment = self.scheduled.frames, self.scheduled.segment
        assert frames is not None
        if self.scheduled.in_run:
            raise NotCompiled("in_run")
        if segment is None:
            raise NotCompiled("crossed")
        for tensor in self.fetches:
            if frames.target_of(tensor.op) is not frames.root:
                raise NotCompiled("inside", tensor=tensor.name)
        self.plain_line("ended = closed", None)  # each iteration asks for it, and a local is read faster
        self.items(segment.items)

    def result(self, tensor: Tensor, index: int) -> str:
        symbol = self.symbol[tensor]
        if tensor in self.fed:
            return symbol
        guard = self.guard_of.get(tensor, ())
        if self.store.gpu is not None:  # its arrays are sent at once
            return f"({symbol} if {self.condition(guard)} else DEAD)" if guard else symbol
        if guard:
            return f"own({symbol} if {self.condition(guard)} else DEAD, {index})"
        return symbol if self.is_callers_own(tensor) else f"own({symbol}, {index})"

    def is_callers_own(self, tensor: Tensor) -> bool:
        """Whether the caller alone refers to a fetched value: this run created it, and no other node may have kept it."""
        d = tensor.op.definition
        if d is None or not d.fresh or self.kind_of[tensor] != PLAIN or tensor.raw_shape is None:
            return False
        if self.symbol[tensor][0] != "v":  # a constant of the plan, which later runs return too
            return False
        return tensor.raw_shape == () or tensor not in self.retained

    def single(self, op: Operation) -> None:
        d = op.definition
        if d is None:
            raise node_error(op, errors.NotFoundError(None, None, f"Op type not registered '{op.type}'"))
        if op is self.watched:
            self.watched_names = [self.symbol[t] for t in op.inputs]
        write_role = _WRITTEN_BY.get(d.role)
        is_merge = write_role is _Nodes.merging
        guard: Guard = () if is_merge else self.joined(op)
        if guard:
            self.op_guard[op] = guard
        if guard == NEVER:
            for tensor in op.outputs:
                if tensor not in self.fed:
                    self.hold(tensor, "None", PLAIN, NEVER)
        elif op in self.folded.needless and not is_merge:
            for tensor in op.outputs:
                self.hold(tensor, "None", PLAIN, guard)
        elif write_role is not None:
            write_role(self, op, guard)
        elif d.alias_index >= 0 and d.flat and d.simple and d.pure:
            self.alias(op, guard)
        elif d.view_index >= 0 and self.kind_of[op.inputs[d.view_index]] != PLAIN:
            self.computed(op, guard)
        else:
            if self.timed:
                self.line(f"check({self.bind('o', op)})", None, guard)
            self.general(op, guard)
        for tensor in op.inputs:
            self.used(tensor)
        uses_left = self.uses_left
        for tensor in op.outputs:
            if not uses_left.get(tensor) and tensor not in self.fed and tensor in self.symbol:
                self.release(tensor)

    def merging(self, op: Operation, guard: Guard) -> None:
        self.merge(op)

    def constant_node(self, op: Operation, guard: Guard) -> None:
        if op.outputs[0] not in self.fed:
            self.hold(op.outputs[0], self.constant(op.attrs["value"]), PLAIN, guard)

    def nothing(self, op: Operation, guard: Guard) -> None:
        pass

    def general(self, op: Operation, guard: Guard) -> None:
        d = op.definition
        values: list[str] = []
        for i, tensor in enumerate(op.inputs):
            if self.kind_of[tensor] == PLAIN:  # the common case
                values.append(self.symbol[tensor])
            elif d.is_reference_input(i):
                if not d.allows_uninitialized:
                    self.passed(tensor, op, guard)
                values.append(self.symbol[tensor])
            elif d.passes_through(i) or d.stores_input(i):
                self.passed(tensor, op, guard)
                values.append(self.symbol[tensor])
            else:
                values.append(self.loaded(tensor, op, guard))
        if self.fold(op, guard):
            return
        if (d.view_index >= 0 or d.role == "reduction") and self.passes_on(op):
            # These ops are not fresh, so no node writes over the result.
            self.hold(op.outputs[0], self.symbol[op.inputs[0]], PLAIN, guard)
            return
        memory = None if self.store.memory is None else self.store.memory.of(op)
        is_limited = memory is not None and not self.is_small(op)
        if is_limited:
            room = self.bind("m", _room(op, self.store))
            self.line(f"{room}({', '.join(values)})", op, guard)
        self.write_call(op, guard, values)
        if is_limited and op.outputs:
            kept = self.bind("m", memory.note)  # type: ignore[union-attr]
            names = [self.symbol[t] for t in op.outputs if t in self.symbol and t not in self.fed]
            self.line(f"{kept}([{', '.join(names)}])", op, guard)

    def is_small(self, op: Operation) -> bool:
        """Whether the node's outputs surely take so little memory that no limit counts them."""
        sizes = self.folded.sizes
        return not op.definition.written_inputs and all(
            t.raw_shape == () or (t in sizes and prod(sizes[t]) < _WORTH_REUSE) for t in op.outputs
        )

    def write_call(self, op: Operation, guard: Guard, values: list[str]) -> None:
        """Writes the line that computes the node. values: the expressions of its inputs."""
        d = op.definition
        expression = self.expression(op, values)
        if d.alias_index >= 0 and d.simple and op.outputs[0] not in self.fed:
            # The node passes an input on: the result has the input's name.
            source = op.inputs[d.alias_index]
            self.line(expression, op, guard)
            self.hold(op.outputs[0], self.symbol[source], self.kind_of[source], guard)
            if d.is_reference_input(d.alias_index) and not guard:
                self.checked.add(self.symbol[source])
            return
        if not op.outputs:
            self.line(expression, op, guard)
            return
        # The outputs reuse the locals of inputs with no later use.
        names = self.outputs_over(op, guard)
        if self.writes_over(op, names):
            expression = f"{self.expression(op, values, in_calls=True)[:-1]}, out={names[0]})"
        for tensor in op.outputs:
            if tensor.dtype.is_ref and tensor not in self.fed:
                self.kind_of[tensor] = ALIAS
            elif d.returns_stored and tensor in self.references() and tensor not in self.fed:
                self.kind_of[tensor] = MAYBE
        if d.simple:
            self.line(f"{names[0]} = {expression}", op, guard)
        elif len(d.outputs) == 1 or not any(a.is_list for a in d.outputs):
            self.line(f"{', '.join(names)}{',' if len(names) == 1 else ''} = {expression}", op, guard)
        else:
            flat = self.bind("flat", _flattener(d))
            self.line(f"{', '.join(names)}{',' if len(names) == 1 else ''} = {flat}({expression})", op, guard)

    def fold(self, op: Operation, guard: Guard) -> bool:
        """Uses the node's outputs as constants if they are known before the run; returns whether they are."""
        values = self.folded.values
        outputs = op.outputs
        if not outputs or outputs[0] not in values or not all(tensor in values for tensor in outputs):
            return False
        for tensor in outputs:
            self.hold(tensor, self.constant(values[tensor]), PLAIN, guard)
        return True

    def passes_on(self, op: Operation) -> bool:
        """Whether the node returns its input, as sums and reshapes of a gradient do where nothing was broadcast."""
        source, out = op.inputs[0], op.outputs[0]
        sizes, values = self.folded.sizes, self.folded.values
        if out in self.fed or self.kind_of[source] != PLAIN or source not in sizes or sizes[source] != sizes.get(out):
            return False
        return op.definition.view_index >= 0 or (op.inputs[1] in values and values[op.inputs[1]].size == 0)

    def outputs_over(self, op: Operation, guard: Guard) -> list[str]:
        outputs, inputs = op.outputs, op.inputs
        if not guard and len(outputs) == 1 and outputs[0] not in self.fed:
            for tensor in inputs:
                symbol = self.symbol[tensor]
                if symbol[0] != "v" or self.tensors_in[symbol] != 1 or tensor in self.fed:
                    continue
                if self.uses_left[tensor] == (1 if len(inputs) == 1 else inputs.count(tensor)):
                    # `v1 = f(v1)`: reuse the local of an input with no later use (`used` releases one of its two tensors).
                    self.hold(outputs[0], symbol, PLAIN, guard)
                    self.checked.discard(symbol)
                    return [symbol]
        return self.outputs(op, guard)

    def writes_over(self, op: Operation, names: list[str]) -> bool:
        """Whether the result can be written into the array of an input with no later use: new memory costs as much as the
        computation. This run must have created the array, and only this node may refer to it, as after a fresh kernel.
        """
        if not op.definition.accepts_out or len(names) != 1 or self.store.gpu is not None:
            return False  # the copies of a session with a GPU go by the identity of arrays
        out, sizes = op.outputs[0], self.folded.sizes
        shape = sizes.get(out)
        kind = out.dtype.numpy
        if not shape or prod(shape) < _WORTH_REUSE or kind is None or kind.kind not in "fiu":
            return False
        for tensor in op.inputs:
            producer = tensor.op.definition
            if self.symbol[tensor] == names[0] and tensor not in self.retained and tensor.dtype is out.dtype:
                if producer.fresh and producer.pure and len(tensor.op.outputs) == 1:
                    return sizes.get(tensor) == shape
        return False

    def expression(self, op: Operation, values: list[str], in_calls: bool = False) -> str:
        d = op.definition
        gpu = self.store.gpu
        if not in_calls and gpu is None:
            pattern = d.expr if d.scalar is None or not all(map(_is_real, op.inputs)) else d.scalar
            if pattern is not None:
                template = self.templates.get((d, pattern))
                if template is None:  # with numbers for the inputs' names, which many nodes share
                    placeholders = {a.name: f"{{{i}}}" for i, a in enumerate(d.inputs)}
                    template = self.templates[d, pattern] = str(pattern).format(**placeholders)
                return template.format(*values)
        if d.ufunc is not None and gpu is None:
            return f"{self.kernel(d, getattr(np, d.ufunc))}({', '.join(values)})"
        if not d.flat:
            grouped = d.group(op, values)
            values = [f"[{', '.join(v)}]" if isinstance(v, list) else v for v in grouped]
        first = "np" if d.pure else self.bind("w", World(op, self.store))
        attrs = [f"{a.name}={self.bind('a', op.attrs[a.name])}" for a in d.explicit]
        kernel = self.kernel(d, d.kernel) if gpu is None else self.bind("k", gpu.kernel(op))
        return f"{kernel}({', '.join([first, *values, *attrs])})"

    def kernel(self, d: Any, function: Any) -> str:
        name = self.kernels.get(d)
        if name is None:
            name = self.kernels[d] = self.bind("k", function)
        return name

    def computed(self, op: Operation, guard: Guard) -> None:
        """A node whose inputs may or may not be references, depending on the run: the plan calls the interpreter's `compute`."""
        call = self.bind("x", _interpreted(op, self.store))
        symbols = ", ".join(self.symbol[t] for t in op.inputs)
        names = self.outputs(op, guard)
        for tensor in op.outputs:
            if tensor not in self.fed:
                self.kind_of[tensor] = MAYBE
        self.line(f"{', '.join(names)}{',' if len(names) == 1 else ''} = {call}({symbols})", op, guard)

    def variable(self, op: Operation, guard: Guard) -> None:
        d = op.definition
        shape = op.attrs["shape"]
        if d.outputs[0].is_ref and shape is not None and None in shape:
            # The kernel raises the error, in the run.
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
        if not (d.inputs[d.alias_index].is_ref and d.allows_uninitialized):
            self.passed(source, op, guard)
        if op.outputs[0] not in self.fed:
            self.hold(op.outputs[0], self.symbol[source], self.kind_of[source], guard)
            self.origin[op.outputs[0]] = self.origin.get(source, source)


# The writers of the roles that need lines of their own.
_WRITTEN_BY: Final[dict[str, Callable[[_Nodes, Operation, Guard], None]]] = {
    "merge": _Nodes.merging, "switch": _Nodes.switch, "constant": _Nodes.constant_node, "variable": _Nodes.variable,
    "noop": _Nodes.nothing, "trigger": _Nodes.nothing,
}  # fmt: skip


def _is_real(tensor: Tensor) -> bool:
    """Whether the tensor is surely a single real number."""
    kind = tensor.dtype.numpy
    return tensor.raw_shape == () and kind is not None and kind.kind in "iuf"


def _flattener(d: Any) -> Callable[[Any], list[Any]]:
    lists = [a.is_list for a in d.outputs]
    return lambda result: [v for part, many in zip(result, lists) for v in (part if many else (part,))]


def _room(op: Operation, store: Store) -> Callable[..., None]:
    """A function of the node's input values that raises an error where the node's outputs do not fit the limit of memory."""
    assert store.memory is not None
    memory = store.memory.of(op)
    assert memory is not None
    return lambda *values: memory.check(op, values, store)


def _interpreted(op: Operation, store: Store) -> Callable[..., Sequence[Any]]:
    return lambda *inputs: compute(op, inputs, store)


def compile_plan(
    scheduled: Schedule,
    store: Store,
    fetches: Sequence[Tensor],
    fed_shapes: Sequence[Shape] | None = None,
    timed: bool = False,
) -> Plan:
    """The schedule as a Python function, bound to one session's state and, if the caller sets them, to the fed values' shapes.

    timed: the function calls its last argument, a check, before each computation.
    Raises: NotCompiled for loops that only the interpreter runs.
    """
    keep_freed_memory()  # a plan will run again, and want memory for the same arrays
    feeds = scheduled.placed.pruned.fed
    folded = fold_constants(scheduled, fetches, dict(zip(feeds, fed_shapes or [t.raw_shape for t in feeds])))
    writer = _Nodes(scheduled, store, fetches, folded, timed)
    writer.write()
    source = "\n".join(writer.lines)
    exec(compile(source, _FILE, "exec"), writer.names)
    function = writer.names["plan"]
    return Plan(
        scheduled, writer.feeds, writer.fetches, function, source, tuple(writer.line_of), store, folded, timed
    )
