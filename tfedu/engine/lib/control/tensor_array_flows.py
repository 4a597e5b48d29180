"""What stands for a TensorArray on the way through a cond or a loop: its flow, a scalar that says in which order it was used.

A class that has a flow offers `_with_flow(flow)`, the same array after another flow. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def has_flow(value: Any) -> bool:
    return hasattr(type(value), "_with_flow")


def flow_of(value: Any) -> Any:
    """The flow of a TensorArray; anything else itself."""
    return value.flow if has_flow(value) else value


def with_flows(values: Iterable[Any], tensors: Iterable[Any]) -> list[Any]:
    """The tensors, but the arrays among `values` after the flows that stand in their places."""
    return [value._with_flow(tensor) if has_flow(value) else tensor for value, tensor in zip(values, tensors)]
