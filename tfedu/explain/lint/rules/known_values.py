"""Rules about values known before a run, and about slices. No state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....engine.graph.copies import copied
from ....engine.graph.nodes import Operation, Tensor
from ....engine.lib.control.contexts import CondContext
from ....engine.lib.framework.static_value import static_value
from ....engine.op.create import infer_shapes
from ....engine.op.definition import role_of
from ....engine.op.infer import constant_value
from .graph_facts import Facts, source
from .rule import Hit, rule
from .source_statement import calls


@rule("fed_constant", "mistake", "n = tf.placeholder_with_default(5, shape=[])")
def fed_constant(facts: Facts) -> Iterator[Hit]:
    """A run fed a constant another value, though shape inference used the constant's own."""
    for tensor in dict.fromkeys(t for run in facts.runs for t in run.feeds):
        if role_of(tensor.op) in ("placeholder", "placeholder_with_default") or constant_value(tensor) is None:
            continue
        consumers = [op for known in _known_from(tensor) for op in known.consumers() if op.definition is not None]
        copy = copied(facts.graph)
        for known in _known_from(tensor):
            copy.of(known)._constant = None
        fixed = [op for op in dict.fromkeys(consumers) if _inferred(op) != _inferred(copy.of(op))]
        if fixed:
            params = {"tensor": tensor.name, "node": fixed[0].name, "shape": str(fixed[0].outputs[0].shape)}
            yield Hit((tensor.op, *fixed), params)


def _known_from(tensor: Tensor) -> list[Tensor]:
    """The tensor, and those whose values shape inference computed from it."""
    known = [tensor]
    for earlier in known:
        for consumer in earlier.consumers():
            known += [output for output in consumer.outputs if output not in known and constant_value(output) is not None]
    return known


def _inferred(op: Operation) -> Any:
    """The output shapes that the op's rule infers from the inputs and from the values known of them."""
    attrs = {name: value for name, value in op.attrs.items() if not name.startswith("_")}
    try:
        return infer_shapes(op.definition, op.inputs, attrs, op.name, None)
    except (ValueError, TypeError, KeyError):
        return None


@rule("constant_pred", "suspicion", "take = tf.placeholder_with_default(True, shape=[])")
def constant_pred(facts: Facts) -> Iterator[Hit]:
    """A cond whose condition is a constant: one of its branches never runs."""
    reported = set()
    for op in facts.of("Identity"):
        context = op._context
        if not isinstance(context, CondContext) or context.pivot.op is not op or context.pred in reported:
            continue
        reported.add(context.pred)
        pred = context.pred
        switch = op.inputs[0].op
        if op.site is None or not calls(op.site, "cond", "case"):
            continue  # a library function made the cond
        *_, origin = aliases = tuple(_aliases(pred))
        known = static_value(origin)  # TF's own look stops at an identity
        if known is None or any(map(facts.is_fed, aliases)):
            continue
        value = str(bool(known))
        yield Hit((switch, pred.op), {"node": switch.name.rpartition("/")[0], "pred": pred.name, "value": value})


def _aliases(pred: Tensor) -> Iterator[Tensor]:
    """A condition and the tensors of which it is the identity."""
    yield pred
    while role_of(pred.op) == "identity":
        pred = pred.op.inputs[0]
        yield pred


@rule("slices", "advice", "parts = tf.unstack(x)  # or tf.reduce_sum(x, axis=0)")
def slices(facts: Facts) -> Iterator[Hit]:
    """A line that takes all elements of a tensor, one slice for each."""
    groups: dict[tuple[Any, ...], list[tuple[int, Operation]]] = {}
    for op in facts.of("StridedSlice", "GatherV2", "Gather"):
        picked = _picked(op)
        if picked is not None and op.site is not None and op._context is None:
            axis, index = picked
            groups.setdefault((op.inputs[0], id(op.site.code), op.site.line, axis), []).append((index, op))
    for (tensor, _, _, axis), picks in groups.items():
        indexes = sorted({index for index, _ in picks})
        shape = tensor.raw_shape
        size = shape[axis] if shape is not None and axis < len(shape) else None
        if len(indexes) < 3 or indexes != list(range(len(indexes))) or (size is not None and size != len(indexes)):
            continue
        if size is None and len(indexes) < 4:
            continue
        if role_of(source(tensor)) in ("shape", "shapes") or constant_value(tensor) is not None:
            continue  # every program does so with shapes, at no cost
        params = {"tensor": tensor.name, "count": str(len(picks)), "axis": str(axis)}
        yield Hit(tuple(op for _, op in picks), params)


def _picked(op: Operation) -> tuple[int, int] | None:
    """The axis and index of a slice that picks one element along one axis and all along the others; None for another slice."""
    if op.type != "StridedSlice":
        index, axis = static_value(op.inputs[1]), static_value(op.inputs[2]) if len(op.inputs) > 2 else np.int32(0)
        if index is None or axis is None or np.ndim(index):
            return None
        return int(axis), int(index)
    attrs = op.attrs
    begin = static_value(op.inputs[1])
    mask = int(attrs["shrink_axis_mask"])
    if begin is None or mask == 0 or mask & (mask - 1) or attrs["ellipsis_mask"] or attrs["new_axis_mask"]:
        return None
    axis = mask.bit_length() - 1
    other_axes = [i for i in range(len(begin)) if i != axis]
    if any(not (int(attrs["begin_mask"]) >> i) & 1 or not (int(attrs["end_mask"]) >> i) & 1 for i in other_axes):
        return None
    return axis, int(begin[axis])

