"""`tf.random_normal`, `tf.random_uniform`, `tf.set_random_seed` and the other random functions, as in TF 1.15.

With equal seeds they draw TensorFlow's own numbers. State: the seed of each graph, kept by the graph.
"""

from __future__ import annotations

from typing import Any

from ..base import dtypes, random
from ..base.dtypes import as_dtype
from ..base.shapes import dimension_value
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.nodes import Tensor
from ..graph.stacks import get_default_graph
from ..ops import math as math_ops
from ..ops import random as ops
from . import array, math
from .scope import named


def set_random_seed(seed: int | None) -> None:
    """Makes every random op of the default graph that is made from now on depend on `seed`."""
    get_default_graph().seed = seed


def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds of a random op made now, from its own and its graph's; (None, None): each session its own."""
    graph = get_default_graph()
    return random.get_seed(graph.seed, op_seed, graph._last_id)


def _seeds(op_seed: int | None) -> dict[str, int]:
    first, second = get_seed(op_seed)
    return {"seed": first or 0, "seed2": second or 0}


def _shape_tensor(shape: Any) -> Tensor:
    if isinstance(shape, list | tuple):
        if not shape:
            return convert_to_tensor(shape, dtype=dtypes.int32, name="shape")
        shape = tuple(map(dimension_value, shape))
    return convert_to_tensor(shape, name="shape")


def _stretched(
    op_caller: Any, label: str, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: Any, name: Any
) -> Tensor:
    """mean + stddev · numbers drawn by `op_caller`."""
    kind = as_dtype(dtype)
    with named(name, label, [shape, mean, stddev]) as scope:
        sizes = _shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype=kind, name="mean")
        stddev = convert_to_tensor(stddev, dtype=kind, name="stddev")
        drawn = op_caller(sizes, dtype=kind, **_seeds(seed))
        out: Tensor = math_ops.add(math_ops.mul(drawn, stddev, name="mul"), mean, name=scope)
        return out


@atomic
def random_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers of a normal distribution."""
    return _stretched(ops.random_standard_normal, "random_normal", shape, mean, stddev, dtype, seed, name)


@atomic
def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers of a normal distribution, none further than two deviations from the mean."""
    return _stretched(ops.truncated_normal, "truncated_normal", shape, mean, stddev, dtype, seed, name)


@atomic
def random_uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers in [minval, maxval), by default [0, 1).

    Raises: ValueError for integers without a maxval and for dtypes that cannot be drawn.
    """
    kind = as_dtype(dtype)
    if not (kind.is_floating or kind in (dtypes.int32, dtypes.int64)):
        raise ValueError(f"Invalid dtype {kind!r}")
    if maxval is None:
        if kind.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {kind!r}")
        maxval = 1
    with named(name, "random_uniform", [shape, minval, maxval]) as scope:
        sizes = _shape_tensor(shape)
        low = convert_to_tensor(minval, dtype=kind, name="min")
        high = convert_to_tensor(maxval, dtype=kind, name="max")
        if kind.is_integer:
            return ops.random_uniform_int(sizes, low, high, **_seeds(seed), name=scope)
        drawn = ops.random_uniform(sizes, dtype=kind, **_seeds(seed))
        width = math_ops.sub(high, low, name="sub")
        return math_ops.add(math_ops.mul(drawn, width, name="mul"), low, name=scope)


@atomic
def random_shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """The rows of the value in random order."""
    return ops.random_shuffle(value, **_seeds(seed), name=name)


@atomic
def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """A block of the given size from a random place."""
    from . import asserts, flow

    with named(name, "random_crop", [value, size]) as scope:
        value = convert_to_tensor(value, name="value")
        size = convert_to_tensor(size, dtype=dtypes.int32, name="size")
        shape = array.shape(value)
        fits = math.greater_equal(shape, size)
        check = asserts.Assert(
            math.reduce_all(fits), ["Need value.shape >= size, got ", shape, size], summarize=1000
        )
        shape = flow.with_dependencies([check], shape)
        limit = math_ops.add_v2(math_ops.sub(shape, size, name="sub"), 1, name="add")
        drawn = random_uniform(array.shape(shape), dtype=size.dtype, maxval=size.dtype.max, seed=seed)
        offset = math.floormod(drawn, limit, name="mod")
        return array.slice(value, offset, size, name=scope)


@atomic
def multinomial(
    logits: Any, num_samples: Any, seed: int | None = None, name: str | None = None, output_dtype: Any = None
) -> Tensor:
    """[n, num_samples]: classes drawn for each row of logits [n, k]."""
    with named(name, "multinomial", [logits]):
        return _drawn_classes(logits, num_samples, output_dtype, seed)


@atomic
def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """[n, num_samples]: classes drawn for each row of logits [n, k]."""
    with named(name, "categorical", [logits]):
        return _drawn_classes(logits, num_samples, dtype, seed)


def _drawn_classes(logits: Any, num_samples: Any, dtype: Any, seed: int | None) -> Tensor:
    logits = convert_to_tensor(logits, name="logits")
    kind = dtypes.int64 if dtype is None else as_dtype(dtype)
    out: Tensor = ops.multinomial(logits, num_samples, **_seeds(seed), output_dtype=kind)
    return out
