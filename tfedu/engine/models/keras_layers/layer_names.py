"""Names of layers: `unique_layer_name("dense")` is `dense_1`, then `dense_2`, in each graph anew.

State: the graph's collection `("__layer_names",)`, which holds one dict from a base name to its count.
"""

from __future__ import annotations

import re
from typing import Any

from ...graph.default_graph import get_default_graph

_KEY = ("__layer_names",)
_WORD_START = re.compile(r"(.)([A-Z][a-z0-9]+)")
_CAPITAL = re.compile(r"([a-z])([A-Z])")


def snake_case(class_name: str) -> str:
    """A layer's name from that of its class: `MaxPooling2D` -> `max_pooling2d`."""
    name = _CAPITAL.sub(r"\1_\2", _WORD_START.sub(r"\1_\2", class_name)).lower()
    # A name scope must not begin with an underscore.
    return f"private{name}" if name.startswith("_") else name


def name_counts() -> dict[str, int]:
    """How often each base name was given in the default graph."""
    items: list[Any] = get_default_graph().get_collection_ref(_KEY)
    if not items:
        items.append({})
    counts: dict[str, int] = items[0]
    return counts


def unique_layer_name(base_name: str, zero_based: bool = False) -> str:
    """`base_name_1`, or the next number that the default graph's layers do not have; zero_based: begins without a number."""
    counts = name_counts()
    number = counts.get(base_name, 0)
    get_default_graph().on_failure(counts.__setitem__, base_name, number)
    counts[base_name] = number + 1
    if zero_based:
        return f"{base_name}_{number}" if number else base_name
    return f"{base_name}_{number + 1}"
