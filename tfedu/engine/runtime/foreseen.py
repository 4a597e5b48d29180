"""What is known of a run before it begins: `foresee(schedule, fetches, shapes of the fed values)`.

Sizes follow from the fed values' sizes by the ops' shape rules; a value is known when it follows from constants and sizes
alone, which is most of what a gradient asks of the forward pass (Shape, BroadcastGradientArgs, Prod, Tile). A node is
needless when nobody reads what it gives and it surely cannot fail: TensorFlow's gates (`tuple`) make the gradient of a
network's input run, whose product is the largest of a step. The plan writes no line for what is known or needless; the
interpreter, and so every trace, runs it all the same. No state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..base.shapes import Shape, ShapeMismatch
from ..graph.nodes import Operation, Tensor
from ..op.infer import Sym, computed
from .schedule import Schedule

Sizes = tuple[int, ...]

# A plan keeps what it folds: a value of more elements is computed anew in each run.
_LARGEST: Final = 1 << 16
# A loop gives its nodes other values in each turn: nothing is known of what passes these, but of what stays the same.
_IN_LOOPS: Final = frozenset(("Merge", "RefMerge", "NextIteration", "RefNextIteration", "Exit", "RefExit", "LoopCond"))
# Their values are their inputs' sizes.
_OF_SIZES: Final = frozenset(("Shape", "ShapeN", "Size", "Rank"))


@dataclass(frozen=True)
class Foreseen:
    """Known sizes and values of a run's tensors, and the nodes that the run can do without."""

    sizes: Mapping[Tensor, Sizes]
    values: Mapping[Tensor, Any]
    needless: frozenset[Operation]


class _Known(Sym):
    """An input as a shape rule sees it, with what is known of it in this run."""

    __slots__ = ("known",)

    def __init__(self, tensor: Tensor, shape: Sizes, value: Any) -> None:
        super().__init__(tensor)
        self.shape = shape
        self.known = value

    @property
    def value(self) -> Any:
        self.open = True
        return self.known

    @property
    def as_shape(self) -> Shape:
        self.open = True
        if self.known is None or np.ndim(self.known) != 1:
            return None
        return tuple(None if n < 0 else n for n in self.known.tolist())


def foresee(scheduled: Schedule, fetches: Sequence[Tensor], fed: Mapping[Tensor, Shape]) -> Foreseen:
    """fed: the shapes of the fed values; None, or open sizes, where they are not known."""
    sizes: dict[Tensor, Sizes] = {t: s for t, s in fed.items() if _is_whole(s)}  # type: ignore[misc]
    values: dict[Tensor, Any] = {}
    fed_nodes = {t.op for t in fed}
    alike: dict[Any, Sequence[Shape]] = {}
    for op in scheduled.order:
        d = op.definition
        if d is None or op.type in _IN_LOOPS or op in fed_nodes:
            continue
        if op.type in ("Enter", "RefEnter") and not op.attrs["is_constant"]:
            continue
        if op.type == "Const":
            value = op.attrs["value"]
            sizes[op.outputs[0]], values[op.outputs[0]] = np.shape(value), value
        elif op.type in ("VariableV2", "Variable"):
            if _is_whole(op.outputs[0].raw_shape) and _keeps_its_shape(op.outputs[0]):
                sizes[op.outputs[0]] = op.outputs[0].raw_shape  # type: ignore[assignment]
        elif op.type == "Switch":
            if op.inputs[0] in sizes:
                sizes.update(dict.fromkeys(op.outputs, sizes[op.inputs[0]]))
        elif d.pure and d.alias_index >= 0 and d.simple:
            source, out = op.inputs[d.alias_index], op.outputs[0]
            if source in sizes:
                sizes[out] = sizes[source]
            if source in values:
                values[out] = values[source]
        elif d.pure:
            given = tuple([sizes.get(t) for t in op.inputs])
            if None in given:
                continue
            found = _values(op, given, values)  # type: ignore[arg-type]
            if found is not None:
                values.update(zip(op.outputs, found))
                sizes.update(zip(op.outputs, map(np.shape, found)))
                continue
            # Nodes of one form share their attributes (build.py): what sizes alone decide is asked once for them all.
            key = d, id(op.attrs), given
            shapes = alike.get(key)
            if shapes is None:
                shapes, is_general = _shapes(op, given, values)  # type: ignore[arg-type]
                if is_general:
                    alike[key] = shapes
            for tensor, shape in zip(op.outputs, shapes):
                if shape is not None and None not in shape:
                    sizes[tensor] = shape  # type: ignore[assignment]
    return Foreseen(sizes, values, _needless(scheduled, fetches, sizes, values))


def _is_whole(shape: Shape) -> bool:
    return shape is not None and None not in shape


def _keeps_its_shape(variable: Tensor) -> bool:
    """Whether no node of the graph can give the variable another shape (nor one of another shape has the same storage)."""
    if variable.op.attrs["shared_name"]:
        return False
    references = [variable]
    for tensor in references:
        for op in tensor.consumers():
            if op.type == "Assign" and not op.attrs["validate_shape"]:
                return False
            references.extend(t for t in op.outputs if t.dtype.is_ref and t not in references)
    return True


def _values(op: Operation, given: Sequence[Sizes], values: Mapping[Tensor, Any]) -> list[Any] | None:
    """The node's outputs where they are known. An error is left to the run that it belongs to."""
    if not op.inputs:
        return None
    if op.type in _OF_SIZES:
        inputs = [np.broadcast_to(np.int8(0), shape) for shape in given]
    else:
        for tensor in op.inputs:
            if tensor not in values:
                return None
        inputs = [values[t] for t in op.inputs]
    found = computed(op, inputs)
    return None if found is None or any(np.size(value) > _LARGEST for value in found) else found


def _shapes(
    op: Operation, given: Sequence[Sizes], values: Mapping[Tensor, Any]
) -> tuple[Sequence[Shape], bool]:
    """The outputs' shapes as far as they follow, and whether they follow from sizes alone."""
    d = op.definition
    rule = d.shape_rule
    if rule is None:
        return (), True
    known = [_Known(t, shape, values.get(t)) for t, shape in zip(op.inputs, given)]
    try:
        found = rule(*d.group(op, known), **{name: op.attrs[name] for name in d.kernel_attrs})
    except (ShapeMismatch, TypeError, ValueError):
        return (), False  # the run says why
    return [found] if d.simple else list(found or ()), not any(sym.open for sym in known)


def _needless(
    scheduled: Schedule, fetches: Sequence[Tensor], sizes: Mapping[Tensor, Sizes], values: Mapping[Tensor, Any]
) -> frozenset[Operation]:
    read = set(fetches)
    needless = set()
    for op in reversed(scheduled.order):
        outputs = op.outputs
        is_read = outputs[0] in read if len(outputs) == 1 else not read.isdisjoint(outputs)
        if is_read or not _surely_works(op, sizes, values):
            if not outputs or outputs[0] not in values or not all(t in values for t in outputs):
                read.update(op.inputs)
        else:
            needless.add(op)
    return frozenset(needless)


def _surely_works(op: Operation, sizes: Mapping[Tensor, Sizes], values: Mapping[Tensor, Any]) -> bool:
    """Whether the node cannot fail with inputs of these sizes. Where only sizes can make it fail, one trial proves it."""
    d = op.definition
    if d is None or not d.pure or not (d.sure or d.ufunc is not None) or any(t.dtype.is_ref for t in op.inputs):
        return False
    if not all(t in sizes for t in (*op.inputs, *op.outputs)):
        return False
    if not all(t in values or t.dtype.is_floating for t in op.inputs):
        return False
    trial = [values[t] if t in values else np.zeros(sizes[t], t.dtype.numpy)[()] for t in op.inputs]
    return computed(op, trial) is not None
