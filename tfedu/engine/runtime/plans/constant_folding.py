"""What follows before a run from constants and from the shapes of the fed values: `fold_constants(schedule, fetches, fed)`.

Sizes follow from the sizes of the fed values by the ops' shape rules. A value is known when it follows from constants and sizes
alone, as most of what a gradient asks of the forward pass does (Shape, BroadcastGradientArgs, Prod, Tile). A node is needless
when nobody reads its outputs and it cannot fail: the gates of `tuple` make a network compute the gradient of its input, the
largest product of a step. A plan has no line for known and needless nodes; the interpreter, and so every trace, runs them.
Without this module a step of the benchmark mlp_step takes 1.4 times as long, one of seed_regression 2.8 times. No state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np

from ...base.shapes import Shape, ShapeMismatch, num_elements
from ...graph.nodes import Operation, Tensor
from ...op.infer import Sym, computed
from ...ops.state import is_reference_variable
from ..memory import output_shapes
from ..schedule import Schedule

Sizes = tuple[int, ...]

# A plan holds the folded values: one of more elements is computed in each run.
_LARGEST: Final = 1 << 16
# A trial computes no more elements than that.
_LARGEST_TRIAL: Final = 1 << 26
# Their outputs differ from iteration to iteration: nothing is known of them, and of what depends on them.
_IN_LOOPS: Final = ("merge", "next_iteration", "exit", "loop_cond")
# Their outputs follow from the sizes of their inputs.
_OF_SIZES: Final = ("shape", "shapes")


@dataclass(frozen=True)
class Folded:
    """The known sizes and values of a run's tensors, and the nodes that need not run."""

    sizes: Mapping[Tensor, Sizes]
    values: Mapping[Tensor, Any]
    needless: frozenset[Operation]


class _RunInput(Sym):
    """An input of a node for its shape rule, with its shape and value in this run."""

    __slots__ = ("known_value",)

    def __init__(self, tensor: Tensor, shape: Sizes, value: Any) -> None:
        super().__init__(tensor)
        self.shape = shape
        self.known_value = value

    @property
    def value(self) -> Any:
        self.depends_on_value = True
        return self.known_value

    @property
    def as_shape(self) -> Shape:
        self.depends_on_value = True
        if self.known_value is None or np.ndim(self.known_value) != 1:
            return None
        return tuple(None if n < 0 else n for n in self.known_value.tolist())


def fold_constants(scheduled: Schedule, fetches: Sequence[Tensor], fed: Mapping[Tensor, Shape]) -> Folded:
    """Sizes, values and needless nodes of a run. fed: the shapes of the fed values as far as they are known."""
    sizes: dict[Tensor, Sizes] = {t: s for t, s in fed.items() if _is_full(s)}  # type: ignore[misc]
    values: dict[Tensor, Any] = {}
    fed_nodes = {t.op for t in fed}
    shapes_by_form: dict[Any, Sequence[Shape]] = {}
    for op in scheduled.order:
        d = op.definition
        if d is None or d.role in _IN_LOOPS or op in fed_nodes:
            continue
        if d.role == "enter" and not op.attrs["is_constant"]:
            continue
        if d.role == "constant":
            value = op.attrs["value"]
            sizes[op.outputs[0]], values[op.outputs[0]] = np.shape(value), value
        elif is_reference_variable(op):
            if _is_full(op.outputs[0].raw_shape) and _keeps_its_shape(op.outputs[0]):
                sizes[op.outputs[0]] = op.outputs[0].raw_shape  # type: ignore[assignment]
        elif d.run_shapes is not None:
            if not any(t.op in fed_nodes for t in op.inputs):
                shapes = d.run_shapes(op, values)
                sizes.update({t: shape for t, shape in zip(op.outputs, shapes) if _is_full(shape)})
        elif d.role == "switch":
            if op.inputs[0] in sizes:
                sizes.update(dict.fromkeys(op.outputs, sizes[op.inputs[0]]))
        elif d.pure and d.alias_index >= 0 and d.simple:
            source, out = op.inputs[d.alias_index], op.outputs[0]
            if source in sizes:
                sizes[out] = sizes[source]
            if source in values:
                values[out] = values[source]
        elif d.pure:
            input_sizes = tuple([sizes.get(t) for t in op.inputs])
            if None in input_sizes:
                continue
            outputs = _values(op, input_sizes, values)  # type: ignore[arg-type]
            if outputs is not None:
                values.update(zip(op.outputs, outputs))
                sizes.update(zip(op.outputs, map(np.shape, outputs)))
                continue
            # Nodes of one form share their attributes (op/forms.py): a rule that depends on sizes alone is applied once.
            key = d, id(op.attrs), input_sizes
            shapes = shapes_by_form.get(key)
            if shapes is None:
                shapes, is_general = _shapes(op, input_sizes, values)  # type: ignore[arg-type]
                if is_general:
                    shapes_by_form[key] = shapes
            for tensor, shape in zip(op.outputs, shapes):
                if shape is not None and None not in shape:
                    sizes[tensor] = shape  # type: ignore[assignment]
    return Folded(sizes, values, _needless(scheduled, fetches, sizes, values))


def _is_full(shape: Shape) -> bool:
    """Whether all sizes are known."""
    return shape is not None and None not in shape


def _keeps_its_shape(variable: Tensor) -> bool:
    """Whether no node can give the variable another shape, and no other variable shares its storage."""
    if variable.op.attrs["shared_name"]:
        return False
    references = [variable]
    for tensor in references:
        for op in tensor.consumers():
            if not op.attrs.get("validate_shape", True):
                return False
            references.extend(t for t in op.outputs if t.dtype.is_ref and t not in references)
    return True


def _values(op: Operation, input_sizes: Sequence[Sizes], values: Mapping[Tensor, Any]) -> list[Any] | None:
    """The node's outputs where they are known. An error is left to the run, which raises it."""
    if not op.inputs:
        return None
    if op.definition.role in _OF_SIZES:
        inputs = [np.broadcast_to(np.int8(0), shape) for shape in input_sizes]
    else:
        for tensor in op.inputs:
            if tensor not in values:
                return None
        inputs = [values[t] for t in op.inputs]
    if any((num_elements(shape) or 0) > _LARGEST for shape in output_shapes(op, inputs)):
        return None
    outputs = computed(op, inputs)
    return None if outputs is None or any(np.size(value) > _LARGEST for value in outputs) else outputs


def _shapes(
    op: Operation, input_sizes: Sequence[Sizes], values: Mapping[Tensor, Any]
) -> tuple[Sequence[Shape], bool]:
    """The outputs' shapes as far as they follow, and whether they follow from sizes alone."""
    d = op.definition
    rule = d.shape_rule
    if rule is None:
        return (), True
    run_inputs = [_RunInput(t, shape, values.get(t)) for t, shape in zip(op.inputs, input_sizes)]
    try:
        shapes = rule(*d.group(op, run_inputs), **{name: op.attrs[name] for name in d.kernel_attrs})
    except (ShapeMismatch, TypeError, ValueError):
        return (), False  # the run says why
    return [shapes] if d.simple else list(shapes or ()), not any(sym.depends_on_value for sym in run_inputs)


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
    if d is None or not d.pure or not (d.value_safe or d.ufunc is not None) or any(t.dtype.is_ref for t in op.inputs):
        return False
    if not all(t in sizes for t in (*op.inputs, *op.outputs)):
        return False
    if not all(t in values or t.dtype.is_floating for t in op.inputs):
        return False
    if any(prod(sizes[t]) > _LARGEST_TRIAL for t in (*op.inputs, *op.outputs)):
        return False
    trial = [values[t] if t in values else np.zeros(sizes[t], t.dtype.numpy)[()] for t in op.inputs]
    return computed(op, trial) is not None
