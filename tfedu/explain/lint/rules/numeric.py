"""Rules about numbers: unintended broadcasts, probabilities of probabilities, integer division. No state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from ....engine.graph.nodes import Operation, Tensor
from ....engine.lib.framework.static_value import static_value
from ....engine.op.definition import role_of
from ...graph_walks import ancestors
from .graph_facts import Facts, source
from .rule import Hit, rule

_CROSS_ENTROPIES: Final = ("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits")
_STRETCHED: Final = ("Sub", "SquaredDifference", "Equal", "NotEqual")
_ELEMENTWISE: Final = ("Square", "Abs", "Pow", "Cast", "Mul", "Identity", "Sqrt", "Neg", "RealDiv")
_DIVISION: Final = re.compile(r"div(_\d+)?")


@rule("double_softmax", "mistake", "loss = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)")
def double_softmax(facts: Facts) -> Iterator[Hit]:
    """A cross-entropy that computes the softmax (or sigmoid) itself takes the result of one."""
    for op in facts.of(*_CROSS_ENTROPIES):
        inner = source(op.inputs[0])
        if inner.type == "Softmax":
            yield Hit((op, inner), {"node": op.name, "inner": inner.name})
    for op, node, inner in _sigmoid_losses(facts):
        if inner.type == "Sigmoid":
            yield Hit((op, inner), {"node": node, "inner": inner.name})


def _sigmoid_losses(facts: Facts) -> Iterator[tuple[Operation, str, Operation]]:
    """Of each sigmoid cross-entropy its log1p node, its name, and the node that computes its logits.

    It is made of small nodes, of which only log1p(exp(-|x|)) is found in no other function.
    """
    for op in facts.of("Log1p"):
        logits = _logits(op)
        if logits is not None:
            yield op, op.name.rpartition("/")[0] or op.name, source(logits)


def _logits(op: Operation) -> Tensor | None:
    """The logits of a sigmoid cross-entropy by its log1p node; None for another log1p."""
    exp = source(op.inputs[0])
    choice = source(exp.inputs[0]) if exp.type == "Exp" else None
    if choice is None or choice.type not in ("Select", "SelectV2"):
        return None
    test, negative, logits = choice.inputs
    if test.op.type != "GreaterEqual" or source(negative).type != "Neg" or source(negative).inputs[0] is not logits:
        return None
    return logits if test.op.inputs[0] is logits else None


def _is_squashing(op: Operation) -> bool:
    """Whether the node is an activation whose values are bounded on one side or both."""
    return role_of(op) == "activation" and op.definition.range is not None


@rule("squashed_logits", "suspicion", "logits = tf.matmul(h, w) + b  # no activation")
def squashed_logits(facts: Facts) -> Iterator[Hit]:
    """A cross-entropy takes the result of an activation, though not of the one that it computes itself."""
    for op in facts.of(*_CROSS_ENTROPIES):
        inner = source(op.inputs[0])
        if _is_squashing(inner):
            yield Hit((op, inner), {"node": op.name, "inner": inner.name, "activation": inner.type})
    for op, node, inner in _sigmoid_losses(facts):
        if _is_squashing(inner) and inner.type != "Sigmoid":
            yield Hit((op, inner), {"node": node, "inner": inner.name, "activation": inner.type})


@rule("log_of_softmax", "suspicion", "tf.nn.log_softmax(logits)")
def log_of_softmax(facts: Facts) -> Iterator[Hit]:
    """The logarithm of a probability that can round to 0."""
    for op in facts.of("Log"):
        inner = source(op.inputs[0])
        if inner.type == "Sub" and np.all(static_value(inner.inputs[0]) == 1.0):
            inner = source(inner.inputs[1])
        if inner.type in ("Softmax", "Sigmoid"):
            yield Hit((op, inner), {"node": op.name, "inner": inner.name})


@rule("softmax_of_one", "mistake", "p = tf.nn.sigmoid(logits)")
def softmax_of_one(facts: Facts) -> Iterator[Hit]:
    """A softmax over one number is 1, whatever the number."""
    for op in facts.of("Softmax", "LogSoftmax", *_CROSS_ENTROPIES):
        if _width(op.inputs[0]) == 1:
            yield Hit((op, source(op.inputs[0])), {"node": op.name, "input": source(op.inputs[0]).name})


def _width(tensor: Tensor) -> int | None:
    """The size of a tensor's last axis; where a Reshape leaves it unknown, that of the Reshape's input."""
    while (shape := tensor.raw_shape) is None or (shape and shape[-1] is None):
        if tensor.op.type not in ("Identity", "Reshape"):
            return None
        tensor = tensor.op.inputs[0]
    return shape[-1] if shape else None


@rule("broadcast_trap", "suspicion", "loss = tf.reduce_mean(tf.square(tf.squeeze(prediction, 1) - target))")
def broadcast_trap(facts: Facts) -> Iterator[Hit]:
    """[n] and [n, 1] broadcast to [n, n], which is then averaged: every target is compared with every prediction."""
    for op in facts.of(*_STRETCHED):
        flat, column = sorted(op.inputs, key=lambda t: -1 if t.raw_shape is None else len(t.raw_shape))
        if flat.raw_shape is None or column.raw_shape is None or len(flat.raw_shape) != 1 or len(column.raw_shape) != 2:
            continue
        (n,), (rows, ones) = flat.raw_shape, column.raw_shape
        if ones != 1 or n != rows or n == 1:
            continue
        reduced = _reduced(op)
        if reduced is not None and not _share_a_root(flat, column):
            size = "?" if n is None else str(n)
            yield Hit((op, reduced), {"node": op.name, "one": f"[{size}]", "other": f"[{size}, 1]", "made": f"[{size}, {size}]"})


def _reduced(op: Operation) -> Operation | None:
    """The node that sums or averages a node's result, or an elementwise function of it, to a scalar; None where there is none."""
    queue = [op]
    for step in queue:
        for consumer in (consumer for tensor in step.outputs for consumer in tensor.consumers()):
            if consumer.type in ("Mean", "Sum") and consumer.outputs[0].raw_shape == ():
                return consumer
            if consumer.type in _ELEMENTWISE and consumer not in queue and len(queue) < 16:
                queue.append(consumer)
    return None


def _share_a_root(one: Tensor, other: Tensor) -> bool:
    """Whether one is computed from the other or both from one node: then the program means to compare all pairs."""
    first, second = source(one), source(other)
    return first is second or first in ancestors([second], control=False) or second in ancestors([first], control=False)


@rule("int_division", "mistake", "tf.cast(a, tf.float32) / tf.cast(b, tf.float32)")
def int_division(facts: Facts) -> Iterator[Hit]:
    """A division of integers whose result is cast to float: the fraction is lost by then."""
    for op in facts.of("FloorDiv", "TruncateDiv", "Div"):
        if not op.outputs[0].dtype.is_integer or not _DIVISION.fullmatch(op.name.rpartition("/")[2]):
            continue
        consumers = op.outputs[0].consumers()
        casts = [cast for cast in consumers if cast.type == "Cast" and cast.outputs[0].dtype.is_floating]
        if casts:
            yield Hit((op, casts[0]), {"node": op.name, "cast": casts[0].name})
