"""Graphs to draw, built node by node, so that tests of pictures need no op tables."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

import numpy as np

from tfedu.engine.base import dtypes
from tfedu.engine.base.dtypes import DType
from tfedu.engine.base.site import Site
from tfedu.engine.graph import ControlBlock, Graph, Operation, Tensor

F = dtypes.float32
Shape = tuple[int | None, ...] | None


class Builder:
    """Makes nodes of any type in a graph of its own."""

    def __init__(self) -> None:
        self.graph = Graph()

    def op(
        self,
        type: str,
        *inputs: Tensor,
        name: str | None = None,
        out: Sequence[DType] = (F,),
        shape: Shape = (),
        site: Site | None = None,
        attrs: dict[str, Any] | None = None,
    ) -> Operation:
        full = self.graph.unique_name(name or type)
        return self.graph.add_node(
            type,
            full,
            inputs,
            attrs or {},
            out,
            [shape] * len(out),
            site=raw(site) if site else None,
        )

    def __call__(self, type: str, *inputs: Tensor, **options: Any) -> Tensor:
        return self.op(type, *inputs, **options).outputs[0]

    def after(self, waits: Sequence[Any]) -> ControlBlock:
        """A control_dependencies block, in a program that lies nowhere."""
        return self.graph._control_block(
            waits, program("with tf.control_dependencies(waits): pass", 1, "nowhere.py")
        )

    def const(self, value: Any, name: str = "Const") -> Tensor:
        array = np.asarray(value, np.float32)
        return self("Const", name=name, shape=array.shape, attrs={"dtype": F, "value": array})

    def variable(self, value: Any, name: str = "Variable") -> tuple[Tensor, Tensor]:
        """A reference variable as tf.Variable builds it: (the variable, its `read`)."""
        with self.graph.name_scope(name) as scope:
            first = self.const(value, "initial_value")
        shape = first.raw_shape
        ref = self.graph.add_node(
            "VariableV2", scope.rstrip("/"), (), {"shape": shape, "dtype": F}, [F.as_ref], [shape]
        ).outputs[0]
        with self.graph.name_scope(scope):
            self("Assign", ref, first, out=(F.as_ref,), shape=shape)
            read = self("Identity", ref, name="read", shape=shape)
        return ref, read

    def binary(self, type: str, x: Tensor, y: Tensor | float, name: str) -> Tensor:
        with self.graph.name_scope(name) as scope:
            if not isinstance(y, Tensor):
                y = self.const(y, "y")
        return self.graph.add_node(type, scope.rstrip("/"), (x, y), {"T": F}, [F], [x.raw_shape]).outputs[0]

    def assign_add(self, ref: Tensor, value: float) -> Tensor:
        with self.graph.name_scope("AssignAdd") as scope:
            step = self.const(value, "value")
        node = self.graph.add_node(
            "AssignAdd", scope.rstrip("/"), (ref, step), {}, [F.as_ref], [ref.raw_shape]
        )
        return node.outputs[0]


def program(source: str, line: int, file: str = "counter.py") -> Site:
    """A line of a program that is at hand."""
    text = [part + "\n" for part in source.splitlines()]
    linecache.cache[file] = (len(source), None, text, file)
    return Site(compile("\n" * (line - 1) + source, file, "exec"), line)


def raw(site: Site) -> tuple[CodeType, int]:
    """A site as a node keeps it: its first instruction."""
    return site.code, next(start for start, _, line in site.code.co_lines() if line == site.line)


COUNTER = """x = tf.Variable(0.0)
step = tf.assign_add(x, 1)
with tf.control_dependencies([step]):
    y = {}
"""


def counter(identity: bool) -> Graph:
    """x, and y under `control_dependencies([assign_add(x, 1)])`: a new node, or only a new name."""
    b = Builder()
    ref, read = b.variable(0.0)
    step = b.assign_add(ref, 1.0)
    source = COUNTER.format("tf.identity(x)" if identity else "x")
    site = program(source, 3)
    with b.graph._control_block([step], site):
        if identity:
            b("Identity", read, site=program(source, 4))
    init = [op for op in b.graph.operations if op.type == "Assign"]
    with b.after(init):
        b.op("NoOp", name="init", out=())
    return b.graph


def mlp(layers: int = 2) -> Graph:
    """A small network with a scope for each layer, a loss and an init node."""
    b = Builder()
    h = b("Placeholder", name="x", shape=(None, 4))
    labels = b("Placeholder", name="labels", shape=(None, 3))
    widths = [4, 16, 3]
    variables = []
    for i in range(layers):
        with b.graph.name_scope(f"layer{i + 1}"):
            shape = (widths[min(i, 1)], widths[min(i + 1, 2)])
            w, w_read = b.variable(np.zeros(shape), "weights")
            bias, b_read = b.variable(np.zeros(shape[1]), "bias")
            variables += [w, bias]
            h = b("MatMul", h, w_read, shape=(None, shape[1]))
            h = b("BiasAdd", h, b_read, shape=(None, shape[1]))
            if i < layers - 1:
                h = b("Relu", h, shape=(None, shape[1]))
    with b.graph.name_scope("loss"):
        diff = b("Sub", h, labels, name="sub", shape=(None, 3))
        square = b("Square", diff, shape=(None, 3))
        axes = b("Const", shape=(2,), out=(dtypes.int32,), attrs={"value": np.array([0, 1], np.int32)})
        b("Mean", square, axes)
    with b.after([op for op in b.graph.operations if op.type == "Assign"]):
        b.op("NoOp", name="init", out=())
    return b.graph


def cond() -> Graph:
    """tf.cond: both branches guarded by Switch, joined by Merge; an update in one of them."""
    b = Builder()
    ref, read = b.variable(1.0, "v")
    outside = b.binary("Mul", read, 3.0, "mul")
    limit = b.const(2.0, "limit")
    pred = b("Less", read, limit, out=(dtypes.bool,))
    with b.graph.name_scope("cond"):
        switch = b.op("Switch", pred, pred, out=(dtypes.bool, dtypes.bool))
        t = b("Identity", switch.outputs[1], name="switch_t", out=(dtypes.bool,))
        f = b("Identity", switch.outputs[0], name="switch_f", out=(dtypes.bool,))
        pred_id = b("Identity", pred, name="pred_id", out=(dtypes.bool,))
        with b.after([t.op]):
            one = b.const(1.0, "add/y")
        sx = b.op("Switch", outside, pred_id, name="add/Switch", out=(F, F))
        added = b("Add", sx.outputs[1], one, name="add")
        with b.after([f.op]):
            two = b.const(10.0, "AssignAdd/value")
        rs = b.op("RefSwitch", ref, pred_id, name="AssignAdd/Switch", out=(F.as_ref, F.as_ref))
        updated = b("AssignAdd", rs.outputs[0], two, out=(F.as_ref,))
        b.op("Merge", updated, added, out=(F, dtypes.int32))
    return b.graph


def towers(count: int = 8) -> Graph:
    """Some 200 nodes: repeated scopes of scopes, a shared input, a sum."""
    b = Builder()
    x = b("Placeholder", name="images", shape=(None, 28, 28, 1))
    ends = []
    for i in range(count):
        with b.graph.name_scope(f"tower_{i}"):
            h = x
            for j in range(3):
                with b.graph.name_scope(f"conv{j}"):
                    _, w = b.variable(np.zeros((3, 3, 1, 8)), "kernel")
                    h = b("Conv2D", h, w, shape=(None, 28, 28, 8))
                    h = b("Relu", h, shape=(None, 28, 28, 8))
            ends.append(b("Mean", h, shape=(None,)))
    b("AddN", *ends, shape=(None,))
    with b.after([op for op in b.graph.operations if op.type == "Assign"]):
        b.op("NoOp", name="init", out=())
    return b.graph


def chain(length: int) -> Graph:
    """One long row of identities."""
    b = Builder()
    h = b.const(1.0)
    for _ in range(length - 1):
        h = b("Identity", h)
    return b.graph


def loop() -> Graph:
    """while x < 10: x = x * 2. The way back leads from NextIteration to Merge."""
    b = Builder()
    start = b.const(1.0, "start")
    with b.graph.name_scope("while"):
        entered = b("Enter", start)
        merge = b.op("Merge", entered, entered, out=(F, dtypes.int32))
        limit = b("Enter", b.const(10.0, "limit"), name="Less/Enter")
        less = b("Less", merge.outputs[0], limit, out=(dtypes.bool,))
        goes_on = b("LoopCond", less, out=(dtypes.bool,))
        switch = b.op("Switch", merge.outputs[0], goes_on, out=(F, F))
        inner = b("Identity", switch.outputs[1])
        doubled = b("Mul", inner, inner, name="mul")
        again = b("NextIteration", doubled)
        b("Exit", switch.outputs[0])
        b.graph.update_input(merge, 1, again)
    return b.graph


ALL: dict[str, Callable[[], Graph]] = {
    "without": lambda: counter(False),
    "with": lambda: counter(True),
    "mlp": mlp,
    "cond": cond,
    "loop": loop,
    "towers": towers,
    "chain": lambda: chain(1000),
}
