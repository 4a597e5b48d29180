"""The table that `model.summary()` prints: layers, output shapes, numbers of parameters, connections. No state."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

_NARROW = ("Layer (type)", "Output Shape", "Param #")


def summary_lines(model: Any, line_length: int | None = None, positions: Any = None) -> Iterator[str]:
    """The lines of the table. positions: where each column ends, or its part of the line."""
    is_chain = _is_chain(model)
    length = line_length or (65 if is_chain else 98)
    ends = list(positions or ((0.45, 0.85, 1.0) if is_chain else (0.33, 0.55, 0.67, 1.0)))
    if ends[-1] <= 1:
        ends = [int(length * end) for end in ends]
    heads = _NARROW if is_chain else (*_NARROW, "Connected to")
    nodes = None if model._map is None else set(model._map.nodes)
    yield f'Model: "{model.name}"'
    yield "_" * length
    yield _row(heads, ends)
    yield "=" * length
    for number, layer in enumerate(model.layers):
        fields = [f"{layer.name} ({type(layer).__name__})", _shape(layer), str(_size(layer))]
        connections = [] if is_chain or nodes is None else _connections(layer, nodes)
        yield _row(fields if is_chain else [*fields, connections[0] if connections else ""], ends)
        yield from (_row(["", "", "", connection], ends) for connection in connections[1:])
        yield ("=" if number == len(model.layers) - 1 else "_") * length
    trainable = _count(getattr(model, "_collected_trainable_weights", None) or model.trainable_weights)
    other = _count(model.non_trainable_weights)
    yield f"Total params: {trainable + other:,}"
    yield f"Trainable params: {trainable:,}"
    yield f"Non-trainable params: {other:,}"
    yield "_" * length


def _is_chain(model: Any) -> bool:
    """Whether each layer follows the one before, so that nothing has to tell what is connected to what."""
    if model._map is None or _is_sequential(model):
        return True
    nodes = set(model._map.nodes)
    depths = [node for node in model._map.nodes if node.sources]
    if any(len(node.sources) > 1 for node in depths) or len(model._map.nodes) != len(model.layers):
        return False
    consumers = [source.layer for node in nodes for source in node.sources]
    return len(set(map(id, consumers))) == len(consumers) and len(model.inputs) == 1


def _is_sequential(model: Any) -> bool:
    return any(kind.__name__ == "Sequential" for kind in type(model).__mro__)


def _row(fields: Any, ends: list[int]) -> str:
    line = ""
    for number, field in enumerate(fields):
        line = (line[:-1] + " " if number else "") + str(field)
        line = line[: ends[number]].ljust(ends[number])
    return line


def _shape(layer: Any) -> str:
    try:
        return str(layer.output_shape)
    except (AttributeError, RuntimeError):
        return "multiple"


def _size(layer: Any) -> int | str:
    return layer.count_params() if layer.built else "0 (unused)"


def _count(weights: list[Any]) -> int:
    return sum(math.prod(weight.shape.as_list()) for weight in {id(weight): weight for weight in weights}.values())


def _connections(layer: Any, nodes: set[Any]) -> list[str]:
    return [
        f"{source.layer.name}[{source.node_index}][{source.tensor_index}]"
        for node in layer.inbound_nodes
        if node in nodes
        for source in node.sources
    ]


__all__ = ["summary_lines"]
