"""`tf.random_normal`, `tf.random_uniform`, `tf.set_random_seed` and the other random functions, as in TF 1.15.

Equal seeds draw TensorFlow's own numbers. State: each graph keeps its seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import dtypes, philox
from ...base.dtypes import DType, as_dtype
from ...base.shapes import dimension_value
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...ops import math as math_ops
from ...ops import random as ops
from ..arrays import array, slicing
from ..framework.scope_blocks import named
from . import math, reductions


def set_random_seed(seed: int | None) -> None:
    """Sets the graph-level seed: every random op that the default graph gets from now on derives its seed from it."""
    get_default_graph().seed = seed


def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The seeds (graph's, op's) for a random op built now; (None, None) draws a new seed in each session."""
    graph = get_default_graph()
    return philox.get_seed(graph.seed, op_seed, graph._last_id)


def node_seeds(op_seed: int | None) -> dict[str, int]:
    """The seed attributes of a random op built now."""
    first, second = get_seed(op_seed)
    return {"seed": first or 0, "seed2": second or 0}


def _shape_tensor(shape: Any) -> Tensor:
    if isinstance(shape, list | tuple):
        if not shape:
            return convert_to_tensor(shape, dtype=dtypes.int32, name="shape")
        shape = tuple(map(dimension_value, shape))
    return convert_to_tensor(shape, name="shape")


def _scale_draws(
    draw: Callable[[Tensor, DType], Tensor], label: str, shape: Any, mean: Any, stddev: Any, dtype: Any, name: Any
) -> Tensor:
    """mean + stddev · draw(shape, dtype)."""
    kind = as_dtype(dtype)
    with named(name, label, [shape, mean, stddev]) as scope:
        sizes = _shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype=kind, name="mean")
        stddev = convert_to_tensor(stddev, dtype=kind, name="stddev")
        out: Tensor = math_ops.add(math_ops.mul(draw(sizes, kind), stddev, name="mul"), mean, name=scope)
        return out


def _seeded(op_caller: Any, seed: int | None) -> Callable[[Tensor, DType], Tensor]:
    return lambda sizes, dtype: op_caller(sizes, dtype=dtype, **node_seeds(seed))


def _stateless(op_caller: Any, seed: Any) -> Callable[[Tensor, DType], Tensor]:
    return lambda sizes, dtype: op_caller(sizes, seed, dtype=dtype)


@atomic
def random_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed numbers [shape]."""
    return _scale_draws(_seeded(ops.random_standard_normal, seed), "random_normal", shape, mean, stddev, dtype, name)


@atomic
def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed numbers [shape]; those beyond two standard deviations from the mean are redrawn."""
    return _scale_draws(_seeded(ops.truncated_normal, seed), "truncated_normal", shape, mean, stddev, dtype, name)


@atomic
def random_uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Uniform numbers [shape] in [minval, maxval), by default [0, 1).

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
            return ops.random_uniform_int(sizes, low, high, **node_seeds(seed), name=scope)
        drawn = ops.random_uniform(sizes, dtype=kind, **node_seeds(seed))
        width = math_ops.sub(high, low, name="sub")
        return math_ops.add(math_ops.mul(drawn, width, name="mul"), low, name=scope)


@atomic
def random_shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """value [n, ...] with its n rows in random order."""
    return ops.random_shuffle(value, **node_seeds(seed), name=name)


@atomic
def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """A block [size...] of value [...] at a random position.

    Raises: in the run InvalidArgumentError when size exceeds the value's shape.
    """
    from ..checks import asserts
    from ..control import grouping

    with named(name, "random_crop", [value, size]) as scope:
        value = convert_to_tensor(value, name="value")
        size = convert_to_tensor(size, dtype=dtypes.int32, name="size")
        shape = array.shape(value)
        fits = math.greater_equal(shape, size)
        check = asserts.Assert(
            reductions.reduce_all(fits), ["Need value.shape >= size, got ", shape, size], summarize=1000
        )
        shape = grouping.with_dependencies([check], shape)
        limit = math_ops.add_v2(math_ops.sub(shape, size, name="sub"), 1, name="add")
        drawn = random_uniform(array.shape(shape), dtype=size.dtype, maxval=size.dtype.max, seed=seed)
        offset = math.floormod(drawn, limit, name="mod")
        return slicing.slice(value, offset, size, name=scope)


@atomic
def multinomial(
    logits: Any, num_samples: Any, seed: int | None = None, name: str | None = None, output_dtype: Any = None
) -> Tensor:
    """Classes drawn by the unnormalised log probabilities of each row: logits [n, classes] -> [n, num_samples]."""
    with named(name, "multinomial", [logits]):
        return _draw_classes(logits, num_samples, output_dtype, seed)


@atomic
def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Classes drawn by the unnormalised log probabilities of each row: logits [n, classes] -> [n, num_samples]."""
    with named(name, "categorical", [logits]):
        return _draw_classes(logits, num_samples, dtype, seed)


def _draw_classes(logits: Any, num_samples: Any, dtype: Any, seed: int | None) -> Tensor:
    logits = convert_to_tensor(logits, name="logits")
    kind = dtypes.int64 if dtype is None else as_dtype(dtype)
    out: Tensor = ops.multinomial(logits, num_samples, **node_seeds(seed), output_dtype=kind)
    return out


# -- several distributions at once ---------------------------------------------------------------------------------


@atomic
def random_gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Gamma-distributed numbers [shape..., broadcast(alpha, beta)...] with shape parameter alpha [...] and rate beta [...]."""
    kind = as_dtype(dtype)
    with named(name, "random_gamma", [shape, alpha, beta]):
        shape = convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        alpha = convert_to_tensor(alpha, name="alpha", dtype=kind)
        beta = convert_to_tensor(1 if beta is None else beta, name="beta", dtype=kind)
        alpha = math_ops.add_v2(alpha, array.zeros_like(beta), name="add")
        drawn = ops.random_gamma(shape, alpha, **node_seeds(seed))
        # A draw that rounding made 0 becomes the smallest positive number.
        smallest = np.finfo(kind.as_numpy_dtype).tiny
        return math.maximum(smallest, math_ops.real_div(drawn, beta, name="truediv"))


@atomic
def random_poisson(
    lam: Any, shape: Any, dtype: Any = dtypes.float32, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Poisson-distributed numbers [shape..., lam...] with rates lam [...]."""
    with named(name, "random_poisson", [lam, shape]):
        shape = convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        out: Tensor = ops.random_poisson_v2(shape, lam, dtype=as_dtype(dtype), **node_seeds(seed))
        return out


# -- what depends on a tensor of seeds alone -----------------------------------------------------------------------


@atomic
def stateless_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Uniform numbers [shape] in [minval, maxval), a function of seed [2]; integers of any size when both bounds are
    None.

    Raises: ValueError for integers with only one bound and for dtypes that cannot be drawn.
    """
    kind = as_dtype(dtype)
    integer_dtypes = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)
    if not (kind.is_floating or kind in integer_dtypes):
        raise ValueError(f"Invalid dtype {kind!r}")
    if kind.is_integer:
        if (minval is None) != (maxval is None):
            raise ValueError(
                f"For integer dtype {kind!r}, minval and maxval must be both `None` or both non-`None`; got "
                f"minval={minval} and maxval={maxval}"
            )
        if minval is not None and kind in (dtypes.uint32, dtypes.uint64):
            raise ValueError(f"Invalid dtype for bounded uniform integers: {kind!r}")
    elif maxval is None:
        maxval = 1
    with named(name, "stateless_random_uniform", [shape, seed, minval, maxval]) as scope:
        sizes = _shape_tensor(shape)
        if kind.is_integer and minval is None:
            return ops.stateless_random_uniform_full_int(sizes, seed=seed, dtype=kind, name=scope)
        low = convert_to_tensor(minval, dtype=kind, name="min")
        high = convert_to_tensor(maxval, dtype=kind, name="max")
        if kind.is_integer:
            return ops.stateless_random_uniform_int(sizes, seed=seed, minval=low, maxval=high, name=scope)
        drawn = ops.stateless_random_uniform(sizes, seed=seed, dtype=kind)
        width = math_ops.sub(high, low, name="sub")
        return math_ops.add(math_ops.mul(drawn, width, name="mul"), low, name=scope)



@atomic
def stateless_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Normally distributed numbers [shape], a function of seed [2]."""
    draw = _stateless(ops.stateless_random_normal, seed)
    return _scale_draws(draw, "stateless_random_normal", shape, mean, stddev, dtype, name)


@atomic
def stateless_truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Normally distributed numbers [shape] within two standard deviations from the mean, a function of seed [2]."""
    draw = _stateless(ops.stateless_truncated_normal, seed)
    return _scale_draws(draw, "stateless_truncated_normal", shape, mean, stddev, dtype, name)


@atomic
def stateless_multinomial(
    logits: Any, num_samples: Any, seed: Any, output_dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Classes drawn for each row: logits [n, classes] -> [n, num_samples], a function of seed [2]."""
    with named(name, "stateless_multinomial", [logits, seed]):
        return _draw_stateless_classes(logits, num_samples, seed, output_dtype)


@atomic
def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Classes drawn for each row: logits [n, classes] -> [n, num_samples], a function of seed [2]."""
    with named(name, "stateless_categorical", [logits, seed]):
        return _draw_stateless_classes(logits, num_samples, seed, dtype)


def _draw_stateless_classes(logits: Any, num_samples: Any, seed: Any, dtype: Any) -> Tensor:
    logits = convert_to_tensor(logits, name="logits")
    out: Tensor = ops.stateless_multinomial(logits, num_samples, seed, output_dtype=as_dtype(dtype))
    return out
