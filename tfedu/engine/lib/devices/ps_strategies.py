"""Strategies for `tf.train.replica_device_setter(ps_strategy=…)`: which parameter server holds a variable.

State: each strategy's load of every server so far.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...base.shapes import is_full


class RandomStrategy:
    """A server determined by a hash of the node's name and the seed."""

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._count, self._seed = num_ps_tasks, seed

    def __call__(self, op: Any) -> int:
        """The server's task number."""
        name = f"{op.name}_{self._seed}".encode()
        return int(hashlib.md5(name, usedforsecurity=False).hexdigest(), 16) % self._count


class GreedyLoadBalancingStrategy:
    """The server with the least load so far. load_fn: the load of a node, in any unit."""

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], float]) -> None:
        self._loads = [0.0] * num_tasks
        self._load_of = load_fn

    def __call__(self, op: Any) -> int:
        """The server's task number."""
        task = self._loads.index(min(self._loads))
        self._loads[task] += self._load_of(op)
        return task


def byte_size_load_fn(op: Any) -> int:
    """The size of a node's only output [...], in bytes.

    Raises: ValueError for several outputs or a shape that is not fully known.
    """
    if len(op.outputs) != 1:
        raise ValueError(error_text(f"Op {op!r} must have a single output"))
    output = op.outputs[0]
    shape = output.raw_shape
    if not is_full(shape):
        # A scalar variable's output gets its shape after its device.
        shape = op.attrs.get("shape", shape)
        if not is_full(shape):
            raise ValueError(error_text(f"Shape {output.shape} is not fully defined"))
    return math.prod(shape) * output.dtype.size


__all__ = ["GreedyLoadBalancingStrategy", "RandomStrategy", "byte_size_load_fn"]
