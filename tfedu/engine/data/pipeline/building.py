"""What the methods of datasets share: arguments as tensors, seeds, the attributes of a dataset's node. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.dtypes import DType
from ...base.philox import get_seed
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.arrays import selection
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math
from ...op.constant import constant
from . import structure

_MAX_INT32 = 2**31 - 1


def flat_facts(spec: Any) -> dict[str, Any]:
    """The attributes that each dataset's node has of its elements."""
    return {"output_types": structure.flat_types(spec), "output_shapes": structure.flat_shapes(spec)}


def number(name: str, value: Any, dtype: DType = dtypes.int64) -> Tensor:
    """An argument of a dataset's node as a tensor of that name."""
    return convert_to_tensor(value, dtype, name=name)


def boolean(name: str, value: Any) -> Tensor:
    """A flag of a dataset's node as a tensor of that name."""
    return convert_to_tensor(value, dtypes.bool, name=name)


def seeds(seed: Any) -> tuple[Tensor, Tensor]:
    """The two seeds of a dataset's node as tensors: of the graph's seed and this one, 0 for those that are not set."""
    graph = get_default_graph()
    if isinstance(seed, Tensor):
        first: Any = graph.seed if graph.seed is not None else 87654321
        second: Any = seed
    else:
        first, second = get_seed(graph.seed, seed, graph._last_id)
    one = number("seed", 0 if first is None else first)
    if second is None:
        return one, number("seed2", 0)
    with name_scope("seed2") as scope:
        two = number("Const", second) if not isinstance(second, Tensor) else math.cast(second, dtypes.int64)
        both_zero = math.logical_and(math.equal(one, 0), math.equal(two, 0))
        return one, selection.where(both_zero, constant(_MAX_INT32, dtypes.int64), two, name=scope)


__all__ = ["boolean", "flat_facts", "number", "seeds"]
