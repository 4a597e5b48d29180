"""The flow of a TensorArray: the scalar that represents it in a cond or a loop, and orders its uses by data edges.

A class with a flow offers `_with_flow(flow)`: the same array as of another flow. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def has_flow(value: Any) -> bool:
    """Whether `value` is represented by a flow, a scalar."""
    return hasattr(type(value), "_with_flow")


def flow_of(value: Any) -> Any:
    """The flow of a TensorArray, a scalar; any other value unchanged."""
    return value.flow if has_flow(value) else value


def with_flows(values: Iterable[Any], tensors: Iterable[Any]) -> list[Any]:
    """The tensors; those in the place of a TensorArray of `values` become that array with the tensor as its flow, a
    scalar.
    """
    return [value._with_flow(tensor) if has_flow(value) else tensor for value, tensor in zip(values, tensors)]
