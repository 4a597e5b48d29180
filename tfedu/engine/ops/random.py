"""Ops that draw random numbers. Each node has one generator in each session (`run.rng(seed, seed2)`).

Equal seeds give TensorFlow's own numbers, run after run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, random
from ..base.dtypes import DType
from ..base.shapes import Shape
from .define import Sym, op, typevar
from .rules import HALF_FIRST, INDEX, REALS, Any_, as_array, invalid, of_rank, scalar, sizes_of, vector

Sizes = typevar("T", INDEX)
Dtype = typevar("dtype", HALF_FIRST)


def _wanted(shape: Sym, **_: Any) -> Shape:
    vector(shape)
    return sizes_of(shape)


def _sizes(shape: Any) -> tuple[list[int], int]:
    sizes = [int(n) for n in np.ravel(shape)]
    count = 1
    for n in sizes:
        if n < 0:
            raise invalid(f"Dimension {n} must be >= 0")
        count *= n
    return sizes, count


def _filled(run: Any, draw: Any, shape: Any, seed: int, seed2: int, dtype: DType) -> Any:
    sizes, count = _sizes(shape)
    start = run.rng(seed, seed2).reserve_outputs(count)
    return draw(start, count, dtype).reshape(sizes)[()]


@op("RandomUniform", shape=_wanted, stateful=True, fresh=True)
def random_uniform(run: Any, shape: Sizes, *, seed: int = 0, seed2: int = 0, dtype: Dtype) -> "dtype":  # noqa: F821
    """Numbers in [0, 1)."""
    return _filled(run, random.uniform, shape, seed, seed2, dtype)


@op("RandomStandardNormal", shape=_wanted, stateful=True, fresh=True)
def random_standard_normal(run: Any, shape: Sizes, *, seed: int = 0, seed2: int = 0, dtype: Dtype) -> "dtype":  # noqa: F821
    """Numbers of mean 0 and deviation 1."""
    return _filled(run, random.standard_normal, shape, seed, seed2, dtype)


@op("TruncatedNormal", shape=_wanted, stateful=True, fresh=True)
def truncated_normal(run: Any, shape: Sizes, *, seed: int = 0, seed2: int = 0, dtype: Dtype) -> "dtype":  # noqa: F821
    """Numbers of the standard normal distribution between -2 and 2."""
    return _filled(run, random.truncated_normal, shape, seed, seed2, dtype)


@op("RandomUniformInt", fresh=True, stateful=True)
def random_uniform_int(
    run: Any,
    shape: Sizes,
    minval: typevar("Tout", INDEX),
    maxval: "Tout",  # noqa: F821
    *,
    seed: int = 0,
    seed2: int = 0,
) -> "Tout":  # noqa: F821
    """Integers in [minval, maxval)."""
    sizes, count = _sizes(shape)
    low, high = int(minval), int(maxval)
    if low >= high:
        raise invalid(f"Need minval < maxval, got {low} >= {high}")
    start = run.rng(seed, seed2).reserve_outputs(count)
    return random.uniform_int(start, count, low, high, dtypes.as_dtype(minval.dtype)).reshape(sizes)[()]


@random_uniform_int.shape
def _(shape: Sym, minval: Sym, maxval: Sym, *, seed: int, seed2: int) -> Shape:
    scalar(minval)
    scalar(maxval)
    return _wanted(shape)


@op("RandomShuffle", shape=lambda value, *, seed, seed2: value.shape, stateful=True, fresh=True)
def random_shuffle(run: Any, value: Any_, *, seed: int = 0, seed2: int = 0) -> Any_:
    """The rows of the input in random order."""
    array = as_array(value)
    if array.ndim == 0 or array.size <= 1 or array.shape[0] <= 1:
        return value
    return array[random.permutation(run.rng(seed, seed2), array.shape[0])]


@op("Multinomial", stateful=True, fresh=True)
def multinomial(
    run: Any,
    logits: typevar("T", REALS),
    num_samples: dtypes.int32,
    *,
    seed: int = 0,
    seed2: int = 0,
    output_dtype: typevar("output_dtype", INDEX) = dtypes.int64,
) -> "output_dtype":  # noqa: F821
    """[n, num_samples]: classes drawn for each row of logits [n, k], unnormalised logarithms of probabilities."""
    if logits.ndim != 2:
        raise invalid(f"logits should be a matrix, got shape [{','.join(map(str, logits.shape))}]")
    if num_samples < 0:
        raise invalid(f"num_samples should be nonnegative, got {num_samples}")
    if not logits.shape[1]:
        raise invalid(f"num_classes should be positive, got {logits.shape[1]}")
    return random.multinomial(run.rng(seed, seed2), logits, int(num_samples)).astype(output_dtype.numpy)


@multinomial.shape
def _(logits: Sym, num_samples: Sym, *, seed: int, seed2: int, output_dtype: DType) -> Shape:
    scalar(num_samples)
    count = num_samples.value
    return (of_rank(logits.shape, 2)[0], None if count is None else int(count))
