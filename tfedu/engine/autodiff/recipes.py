"""Recipes: nodes that look alike have gradients that look alike, so a rule is asked for the first ones of a kind only.

A long network is a few kinds of node again and again. The second time that a rule has a node of one kind before it, what it
makes is noted as a pattern (graph/patterns.py); from the third on the pattern is stamped, which gives the very same nodes.
A kind is an op type, its attributes, the dtypes and shapes of inputs, outputs and gradients, their devices, and which of these
come from one node; where the shape of an output depends on small constants, these too. That a rule looks at nothing else its
module says by `LOCAL = True`; when it depends on another constant's value, that is noticed, and a rule that did more than make
nodes has no recipe. The gates of `gate_gradients` are part of it. State: `Recipes`, of one call of `gradients`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..base.dtypes import DType
from ..base.shapes import Shape
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..graph.patterns import Pattern, pattern_of
from ..ops import infer
from .registry import Rule

Kind = tuple[Any, ...]

_MET = object()  # stands for a kind that came once
_NONE = object()  # for one that has no recipe


def is_local(rule: Rule | None) -> bool:
    """Whether the rule's module says that its rules look at nothing but a node's kind, and at constants."""
    return bool(getattr(rule, "__globals__", {}).get("LOCAL"))


def kind_of(op: Operation, gradients: Sequence[Any]) -> Kind | None:
    """What a local rule knows of a node; None when it may know more. gradients: of the outputs."""
    if op._context is not None:
        return None
    # Attributes that nodes share are those of one form: op type, attributes, dtypes and shapes of inputs and outputs.
    kind: list[Any] = [id(op.attrs)] if type(op.attrs) is MappingProxyType else _look(op)
    sources = [op]
    for tensor in op.inputs:
        sources.append(tensor.op)
    for gradient in gradients:
        if type(gradient) is not Tensor:
            return None
        sources.append(gradient.op)
        kind += gradient.raw_shape, gradient.dtype.as_datatype_enum
    if any(source.device for source in sources):
        kind += [source.device for source in sources]
    if len(set(sources)) < len(sources):  # some come from one node
        tensors = tensors_of(op, gradients)
        place = {tensor.op: i for i, tensor in enumerate(tensors)}
        kind += [(place[tensor.op], tensor.index) for tensor in tensors]
    return tuple(kind)


def _look(op: Operation) -> list[Any]:
    """The same of a node whose attributes are its own, as where a constant decided on a shape: small constants count."""
    look: list[Any] = [op.type, len(op.inputs)]
    for name, value in op.attrs.items():
        if name != "_class":
            look += name, repr(value) if type(value) in _PLAIN else id(value)
    for tensor in op.inputs:
        look += tensor.dtype.as_datatype_enum, tensor.raw_shape
        if _is_told(tensor.op):
            value = np.asarray(tensor.op.attrs["value"])
            look += value.dtype.str, value.tobytes()
    for tensor in op.outputs:
        look += tensor.dtype.as_datatype_enum, tensor.raw_shape
    return look


_PLAIN = frozenset((bool, int, float, str, bytes, DType, type(None)))


def _is_told(op: Operation) -> bool:
    """Whether the value of an input's node is part of the kind."""
    if op.type != "Const":
        return False
    value = op.attrs["value"]
    return bool(np.size(value) <= 16 and np.asarray(value).dtype != object)


def tensors_of(op: Operation, gradients: Sequence[Any]) -> list[Any]:
    """All that a rule is given."""
    output = op._output
    return [*op.inputs, *(op.outputs if output is None else (output,)), *gradients]


class Recipe(NamedTuple):
    """What most nodes of a form have: they have one output, whose gradient has this shape and dtype, and all tensors that the
    rule is given come from different nodes. fits: whether each gradient found has the shape of its input. devices: of these
    nodes, where gates look at them."""

    shape: Shape
    dtype: DType
    pattern: Pattern
    fits: bool
    devices: list[str] | None


class Recipes:
    """states: by kind the pattern, or how far it is known. usual: by the identity of the attributes the recipe of a form.

    first: where the nodes begin that are made for gradients: what has its turn lies before them.
    """

    def __init__(self, graph: Graph, gated: bool) -> None:
        self.graph = graph
        self.gated = gated
        self.states: dict[Kind, Any] = {}
        self.usual: dict[int, Recipe] = {}
        self.first = len(graph.operations)
        self._told_by: list[Any] = []

    @staticmethod
    def suit(graph: Graph) -> bool:
        """Whether no block is open that adds to what is asked for."""
        around = graph._device_stack or graph._colocation_stack or graph._control_stack or graph._marks
        return not around and graph._context is None

    def asked(
        self, kind: Kind, op: Operation, gradients: Sequence[Any], ask: Callable[[], Sequence[Any]], scope: str
    ) -> Sequence[Any]:
        """What the rule gives when it is asked; the second time for a kind, it is noted how it came about."""
        state = self.states.setdefault(kind, None)
        if state is None:
            self.states[kind] = _MET
            self._told_by += op.attrs, *op.attrs.values()  # an identity is told as long as it lives
        if state is not _MET:
            return ask()
        journal = self.graph._journal
        assert journal is not None
        mark = len(journal)
        with infer.watched() as looked_at:
            found = ask()
        pattern = None
        tensors = tensors_of(op, gradients)
        told = set() if type(op.attrs) is MappingProxyType else {t.op for t in op.inputs if _is_told(t.op)}
        if looked_at.isdisjoint({tensor.op for tensor in tensors} - told):
            pattern = pattern_of(self.graph, mark, scope, tensors, found)
        self.states[kind] = _NONE if pattern is None else pattern
        if pattern is not None and len(gradients) == 1 and is_usual(op, gradients[0], self.first):
            (g,) = gradients
            fits = all(gx is None or gx.raw_shape == x.raw_shape for x, gx in zip(op.inputs, found))
            devices = [tensor.op.device for tensor in tensors] if self.gated else None
            self.usual[id(op.attrs)] = Recipe(g.raw_shape, g.dtype, pattern, fits, devices)
        return found


def is_usual(op: Operation, gradient: Any, first: int) -> bool:
    """Whether the node's inputs and its gradient, which was made in this call, come from different nodes."""
    inputs = op.inputs
    if type(gradient) is not Tensor or gradient.op.id < first or op._context is not None:
        return False
    count = len(inputs)
    return count < 2 or (inputs[0].op is not inputs[-1].op and (count == 2 or len({t.op for t in inputs}) == count))


__all__ = ["Recipe", "Recipes", "is_local", "is_usual", "kind_of", "tensors_of"]
