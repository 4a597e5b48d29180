"""Rules about numbers: shapes that stretch, probabilities taken twice, fractions that are lost. No state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from ....engine.graph.nodes import Operation, Tensor
from ....engine.lib.framework.static_value import static_value
from .graph_facts import Facts, ancestors, source
from .rule import Hit, rule

_CROSS_ENTROPIES: Final = ("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits")
_STRETCHED: Final = ("Sub", "SquaredDifference", "Equal", "NotEqual")
_ELEMENTWISE: Final = ("Square", "Abs", "Pow", "Cast", "Mul", "Identity", "Sqrt", "Neg", "RealDiv")
_DIVISION: Final = re.compile(r"div(_\d+)?")


@rule("double_softmax", "mistake", "loss = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)")
def double_softmax(facts: Facts) -> Iterator[Hit]:
    """A cross-entropy that takes the softmax (or sigmoid) itself is given the result of one."""
    for op in facts.of(*_CROSS_ENTROPIES):
        first = source(op.inputs[0])
        if first.type == "Softmax":
            yield Hit((op, first), {"node": op.name, "inner": first.name})
    for op in facts.of("Log1p"):
        # Sigmoid cross-entropy is made of small nodes; log1p(exp(-|x|)) is the one of them that nothing else has.
        logits = _of_sigmoid_loss(op)
        first = None if logits is None else source(logits)
        if first is not None and first.type == "Sigmoid":
            yield Hit((op, first), {"node": op.name.rpartition("/")[0] or op.name, "inner": first.name})


def _of_sigmoid_loss(op: Operation) -> Tensor | None:
    exp = source(op.inputs[0])
    choice = source(exp.inputs[0]) if exp.type == "Exp" else None
    if choice is None or choice.type not in ("Select", "SelectV2"):
        return None
    test, negative, logits = choice.inputs
    if test.op.type != "GreaterEqual" or source(negative).type != "Neg" or source(negative).inputs[0] is not logits:
        return None
    return logits if test.op.inputs[0] is logits else None


@rule("squashed_logits", "suspicion", "logits = tf.matmul(h, w) + b  # no activation")
def squashed_logits(facts: Facts) -> Iterator[Hit]:
    """A cross-entropy that is given the result of an activation, though not of the one that it takes itself."""
    for op in facts.of(*_CROSS_ENTROPIES):
        inner = source(op.inputs[0])
        if inner.type in ("Relu", "Relu6", "Sigmoid", "Tanh"):
            yield Hit((op, inner), {"node": op.name, "inner": inner.name, "activation": inner.type})
    for op in facts.of("Log1p"):
        logits = _of_sigmoid_loss(op)
        inner = op if logits is None else source(logits)
        if inner.type in ("Relu", "Relu6", "Tanh"):
            node = op.name.rpartition("/")[0] or op.name
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
    """The last size of a tensor; of one that was reshaped to we do not know what, that of what it was before."""
    while (shape := tensor.raw_shape) is None or (shape and shape[-1] is None):
        if tensor.op.type not in ("Identity", "Reshape"):
            return None
        tensor = tensor.op.inputs[0]
    return shape[-1] if shape else None


@rule("broadcast_trap", "suspicion", "loss = tf.reduce_mean(tf.square(tf.squeeze(prediction, 1) - target))")
def broadcast_trap(facts: Facts) -> Iterator[Hit]:
    """[n] and [n, 1] make [n, n], and then all of it is averaged: each target is compared with every prediction."""
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
    """The node that adds up or averages all numbers of a result."""
    row = [op]
    for step in row:
        for taker in (taker for tensor in step.outputs for taker in tensor.consumers()):
            if taker.type in ("Mean", "Sum") and taker.outputs[0].raw_shape == ():
                return taker
            if taker.type in _ELEMENTWISE and taker not in row and len(row) < 16:
                row.append(taker)
    return None


def _share_a_root(one: Tensor, other: Tensor) -> bool:
    """Whether both are made of the same thing: pairs of one thing's numbers are compared on purpose."""
    first, second = source(one), source(other)
    return first is second or first in ancestors([second], control=False) or second in ancestors([first], control=False)


@rule("int_division", "mistake", "tf.cast(a, tf.float32) / tf.cast(b, tf.float32)")
def int_division(facts: Facts) -> Iterator[Hit]:
    """A division of whole numbers whose result is cast to a fraction: it is whole by then."""
    for op in facts.of("FloorDiv", "TruncateDiv", "Div"):
        if not op.outputs[0].dtype.is_integer or not _DIVISION.fullmatch(op.name.rpartition("/")[2]):
            continue
        casts = [taker for taker in op.outputs[0].consumers() if taker.type == "Cast" and taker.outputs[0].dtype.is_floating]
        if casts:
            yield Hit((op, casts[0]), {"node": op.name, "cast": casts[0].name})
