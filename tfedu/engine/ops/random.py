"""Random numbers. Each node has one generator in each session (`run.rng(seed, seed2)`).

The numbers for a seed are TensorFlow's, run after run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, philox, rejection_sampling, shapes
from ..base.dtypes import DType
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import RANDOM
from ..op.name_scopes import waiting_for
from ..op.shape_checks import (
    HALF_FIRST,
    INDEX,
    REALS,
    Any_,
    as_array,
    at_most,
    invalid,
    kinds,
    needs_rank,
    of_rank,
    scalar,
    size_of,
    sizes_of,
    text_of,
    vector,
    with_value,
)

Sizes = typevar("T", INDEX)
Dtype = typevar("dtype", HALF_FIRST)


def _wanted(shape: Sym, **_: Any) -> Shape:
    vector(shape)
    return sizes_of(shape)


def _sizes(shape: Any) -> tuple[list[int], int]:
    needs_rank(shape, 1, "shape must be a vector of {{int32,int64}}, got shape {shape}")
    sizes = [int(n) for n in shape]
    count = 1
    for n in sizes:
        if n < 0:
            raise invalid(f"Dimension {n} must be >= 0")
        count *= n
    return sizes, count


def filled(run: Any, draw: Any, shape: Any, seed: int, seed2: int, dtype: DType) -> Any:
    """A tensor of numbers from the node's generator. draw(start, count, dtype): [count] numbers, as a function of philox.py."""
    sizes, count = _sizes(shape)
    start = run.rng(seed, seed2).reserve_outputs(count)
    return draw(start, count, dtype).reshape(sizes)[()]


@op("RandomUniform", not_differentiable=RANDOM, shape=_wanted, stateful=True, fresh=True, range=(0, 1))
def random_uniform(run: Any, shape: Sizes, *, seed: int = 0, seed2: int = 0, dtype: Dtype) -> "dtype":  # noqa: F821
    """Numbers in [0, 1), equally likely: shape [rank] -> a tensor of that shape. Source: Salmon et al., 2011 (Philox)."""
    return filled(run, philox.uniform, shape, seed, seed2, dtype)


@op("RandomStandardNormal", not_differentiable=RANDOM, shape=_wanted, stateful=True, fresh=True)
def random_standard_normal(run: Any, shape: Sizes, *, seed: int = 0, seed2: int = 0, dtype: Dtype) -> "dtype":  # noqa: F821
    """Numbers of the normal distribution with mean 0 and deviation 1: shape [rank] -> a tensor of that shape."""
    return filled(run, philox.standard_normal, shape, seed, seed2, dtype)


@op("TruncatedNormal", not_differentiable=RANDOM, shape=_wanted, stateful=True, fresh=True)
def truncated_normal(run: Any, shape: Sizes, *, seed: int = 0, seed2: int = 0, dtype: Dtype) -> "dtype":  # noqa: F821
    """Numbers of the standard normal distribution between -2 and 2: shape [rank] -> a tensor of that shape."""
    return filled(run, philox.truncated_normal, shape, seed, seed2, dtype)


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
    """Integers in [minval, maxval), equally likely: shape [rank], two scalars -> a tensor of that shape.

    Raises: InvalidArgumentError unless minval < maxval.
    """
    return integers(run, philox.uniform_int, shape, minval, maxval, seed, seed2)


def integers(run: Any, draw: Any, shape: Any, minval: Any, maxval: Any, seed: int, seed2: int) -> Any:
    """A tensor of integers in [minval, maxval) from the node's generator. draw: as philox.uniform_int."""
    return _between(draw, lambda count: run.rng(seed, seed2).reserve_outputs(count), shape, minval, maxval)


def _between(draw: Any, start_of: Any, shape: Any, minval: Any, maxval: Any) -> Any:
    sizes, count = _sizes(shape)
    needs_rank(minval, 0, "minval must be 0-D, got shape {shape}")
    needs_rank(maxval, 0, "maxval must be 0-D, got shape {shape}")
    low, high = int(minval), int(maxval)
    if low >= high:
        raise invalid(f"Need minval < maxval, got {low} >= {high}")
    return draw(start_of(count), count, low, high, dtypes.as_dtype(minval.dtype)).reshape(sizes)[()]


@random_uniform_int.shape
def _(shape: Sym, minval: Sym, maxval: Sym, *, seed: int, seed2: int) -> Shape:
    _check_bounds(minval, maxval)
    return _wanted(shape)


def _check_bounds(minval: Sym, maxval: Sym) -> None:
    for name, bound in (("minval", minval), ("maxval", maxval)):
        if bound.shape:
            raise ShapeMismatch(f"{name} must be a scalar; got a tensor of shape {shapes.fmt(bound.shape)}")


@op("RandomShuffle", shape=lambda value, *, seed, seed2: value.shape, stateful=True, fresh=True)
def random_shuffle(run: Any, value: Any_, *, seed: int = 0, seed2: int = 0) -> Any_:
    """The rows of the input in random order: value [n, ...] -> [n, ...]."""
    array = as_array(value)
    if array.ndim == 0 or array.size <= 1 or array.shape[0] <= 1:
        return array.copy()[()]
    return array[philox.permutation(run.rng(seed, seed2), array.shape[0])]


@op("Multinomial", not_differentiable=RANDOM, stateful=True, fresh=True)
def multinomial(
    run: Any,
    logits: typevar("T", REALS),
    num_samples: dtypes.int32,
    *,
    seed: int = 0,
    seed2: int = 0,
    output_dtype: typevar("output_dtype", INDEX) = dtypes.int64,
) -> "output_dtype":  # noqa: F821
    """Classes drawn for each row: logits [n, k], unnormalised logarithms of probabilities, num_samples scalar -> [n,
    num_samples].

    Raises: InvalidArgumentError for num_samples < 0 or k = 0.
    """
    _check_logits(logits, num_samples)
    return philox.multinomial(run.rng(seed, seed2), logits, int(num_samples)).astype(output_dtype.numpy)


def _check_logits(logits: Any, num_samples: Any) -> None:
    if logits.ndim != 2:
        raise invalid(f"logits should be a matrix, got shape {text_of(logits.shape)}")
    needs_rank(num_samples, 0, "num_samples should be a scalar, got shape {shape}")
    if num_samples < 0:
        raise invalid(f"num_samples should be nonnegative, got {num_samples}")
    if not logits.shape[1]:
        raise invalid(f"num_classes should be positive, got {logits.shape[1]}")


@multinomial.shape
def _(logits: Sym, num_samples: Sym, *, seed: int, seed2: int, output_dtype: DType) -> Shape:
    return _classes_shape(logits, num_samples)


def _classes_shape(logits: Sym, num_samples: Sym) -> Shape:
    scalar(num_samples)
    return (of_rank(logits.shape, 2)[0], size_of(num_samples, 1))


# -- numbers of several distributions at once ----------------------------------------------------------------------


def _each_of(shape: Sym, parameters: Sym, **_: Any) -> Shape:
    """The shape of `shape` numbers from each distribution: shape [s...], parameters [p...] -> [s..., p...]."""
    wanted = _wanted(shape)
    if wanted is None or parameters.shape is None:
        return None
    return (*wanted, *parameters.shape)


@op("RandomGamma", shape=_each_of, stateful=True, fresh=True)
def random_gamma(
    run: Any,
    shape: typevar("S", INDEX),
    alpha: typevar("T", kinds("half float double")),
    *,
    seed: int = 0,
    seed2: int = 0,
) -> "T":  # noqa: F821
    """Numbers of gamma distributions with shape parameter alpha and scale 1: shape [s...], alpha [a...] -> [s..., a...]."""
    sizes, count = _sizes(shape)
    start = run.rng(seed, seed2).reserve_outputs(count * alpha.size)
    drawn = rejection_sampling.gamma(start, count, np.ravel(alpha), alpha.dtype)
    return drawn.reshape((*sizes, *alpha.shape))[()]


@random_gamma.grad
def _(op: Any, g: Any) -> Any:
    sizes, alpha = op.inputs
    with waiting_for([g]):
        rank = functions.shape(sizes)[0]
        ones = functions.ones([rank], dtype=dtypes.int32)
        alpha_sizes = functions.concat([ones, functions.shape(alpha)], axis=0)
        slope = nodes.RandomGammaGrad(nodes.Reshape(alpha, alpha_sizes), op.outputs[0])
        return None, nodes.Sum(g * slope, functions.range(rank))


Rate = typevar("R", kinds("half float double int32 int64"), default=dtypes.float64)
Count = typevar("dtype", kinds("half float double int32 int64"))


@op("RandomPoissonV2", shape=_each_of, stateful=True, fresh=True)
def random_poisson_v2(
    run: Any,
    shape: typevar("S", INDEX),
    rate: Rate,
    *,
    seed: int = 0,
    seed2: int = 0,
    dtype: Count = dtypes.int64,
) -> "dtype":  # noqa: F821
    """Numbers of Poisson distributions with the given rates: shape [s...], rate [r...] -> [s..., r...]."""
    sizes, count = _sizes(shape)
    start = run.rng(seed, seed2).reserve_outputs(count * rate.size)
    drawn = rejection_sampling.poisson(start, count, np.ravel(rate), float(dtype.max))
    return drawn.astype(dtype.numpy).reshape((*sizes, *rate.shape))[()]


_EACH = 100  # numbers that TF draws at a time if there is one distribution


@op("ParameterizedTruncatedNormal", not_differentiable=RANDOM, stateful=True, fresh=True)
def parameterized_truncated_normal(
    run: Any,
    shape: Sizes,
    means: Dtype,
    stdevs: "dtype",  # noqa: F821
    minvals: "dtype",  # noqa: F821
    maxvals: "dtype",  # noqa: F821
    *,
    seed: int = 0,
    seed2: int = 0,
) -> "dtype":  # noqa: F821
    """Numbers of normal distributions between bounds, one distribution a row: shape [rank] = (n, ...), means, stdevs,
    minvals and maxvals [n], [1] or scalars -> [n, ...].

    Raises: InvalidArgumentError for a deviation <= 0 or empty bounds.
    Differs from TF: beyond some thousand numbers TF's depend on its number of threads; these are those of one thread.
    """
    needs_rank(shape, 1, "Input shape should be a vector, got shape: {shape}")
    if not shape.size:
        sort = dtypes.as_dtype(shape.dtype).name
        raise invalid(f"Shape tensor must not be empty, got Tensor<type: {sort} shape: [0] values: >")
    sizes, count = _sizes(shape)
    named = {"means": means, "stddevs": stdevs, "minvals": minvals, "maxvals": maxvals}
    for name, value in named.items():
        if value.ndim > 1:
            raise invalid(f"Input {name} should be a scalar or vector, got shape: {text_of(value.shape)}")
    if means.size == stdevs.size == 1 and minvals.ndim == maxvals.ndim == 0:
        rows, each = -(-count // _EACH), _EACH
    else:
        rows, each = sizes[0], int(np.prod(sizes[1:]))
        for name, value in named.items():
            if value.ndim and value.size not in (1, rows):
                raise invalid(f"Input {name} should have length 1 or shape[0], got shape: {text_of(value.shape)}")
    parameters = [np.broadcast_to(as_array(value), rows) for value in named.values()]
    start = run.rng(seed, seed2).reserve(rows * 2 * rejection_sampling.ATTEMPTS * (each + 3) // 4)
    out = np.empty(count, means.dtype)
    for row, wanted in enumerate(map(rejection_sampling.Bounded, *parameters)):
        if not (wanted.deviation > 0 and wanted.low < wanted.high and np.isfinite([wanted.low, wanted.high]).any()):
            raise invalid("Invalid parameters")
        part = out[row * each : (row + 1) * each]
        part[:], start = rejection_sampling.truncated_normal(start, part.size, wanted)
    return out.reshape(sizes)[()]


@parameterized_truncated_normal.shape
def _(shape: Sym, means: Sym, stdevs: Sym, minvals: Sym, maxvals: Sym, **_: int) -> Shape:
    for parameter in (means, stdevs, minvals, maxvals):
        at_most(parameter.shape, 1)
    return _wanted(shape)


# -- numbers that depend on a tensor of seeds alone ----------------------------------------------------------------

StatelessSizes = typevar("T", INDEX, default=dtypes.int32)
Seeds = typevar("Tseed", INDEX, default=dtypes.int64)


def _seeded(shape: Sym, seed: Sym, **_: Any) -> Shape:
    _two_seeds(seed)
    return _wanted(shape)


def _two_seeds(seed: Sym) -> None:
    with_value(vector(seed), 2)


def _start(seed: Any) -> philox.Start:
    if seed.shape != (2,):
        raise invalid(f"seed must have shape [2], not {text_of(seed.shape)}")
    return philox.stateless_start(int(seed[0]), int(seed[1]))


def stateless(draw: Any, shape: Any, seed: Any, dtype: DType) -> Any:
    """A tensor of numbers from a seed [2]. draw: as for `filled`."""
    sizes, count = _sizes(shape)
    return draw(_start(seed), count, dtype).reshape(sizes)[()]


@op("StatelessRandomUniform", not_differentiable=RANDOM, shape=_seeded, fresh=True)
def stateless_random_uniform(
    xp: Any, shape: StatelessSizes, seed: Seeds, *, dtype: Dtype = dtypes.float32
) -> "dtype":  # noqa: F821
    """Numbers in [0, 1), equally likely, the same for the same seed: shape [rank], seed [2] -> a tensor of that shape."""
    return stateless(philox.uniform, shape, seed, dtype)


@op("StatelessRandomNormal", not_differentiable=RANDOM, shape=_seeded, fresh=True)
def stateless_random_normal(
    xp: Any, shape: StatelessSizes, seed: Seeds, *, dtype: Dtype = dtypes.float32
) -> "dtype":  # noqa: F821
    """Numbers of the normal distribution with mean 0 and deviation 1, the same for the same seed: shape [rank], seed
    [2] -> a tensor of that shape.
    """
    return stateless(philox.standard_normal, shape, seed, dtype)


@op("StatelessTruncatedNormal", not_differentiable=RANDOM, shape=_seeded, fresh=True)
def stateless_truncated_normal(
    xp: Any, shape: StatelessSizes, seed: Seeds, *, dtype: Dtype = dtypes.float32
) -> "dtype":  # noqa: F821
    """Numbers of the standard normal distribution between -2 and 2, the same for the same seed: shape [rank], seed [2]
    -> a tensor of that shape.
    """
    return stateless(philox.truncated_normal, shape, seed, dtype)


@op("StatelessRandomUniformFullInt", shape=_seeded, fresh=True)
def stateless_random_uniform_full_int(
    xp: Any,
    shape: StatelessSizes,
    seed: typevar("Tseed", kinds("int32 int64 uint32 uint64"), default=dtypes.int64),
    *,
    dtype: typevar("dtype", kinds("int32 int64 uint32 uint64")) = dtypes.uint64,
) -> "dtype":  # noqa: F821
    """Integers from the dtype's whole range, equally likely, the same for the same seed: shape [rank], seed [2] -> a
    tensor of that shape.
    """
    return stateless(philox.full_int, shape, seed, dtype)


@op("StatelessRandomUniformInt", not_differentiable=RANDOM, fresh=True)
def stateless_random_uniform_int(
    xp: Any,
    shape: Sizes,
    seed: Seeds,
    minval: typevar("dtype", INDEX),
    maxval: "dtype",  # noqa: F821
) -> "dtype":  # noqa: F821
    """Integers in [minval, maxval), equally likely, the same for the same seed: shape [rank], seed [2], two scalars ->
    a tensor of that shape.

    Raises: InvalidArgumentError unless minval < maxval.
    """
    return stateless_integers(philox.uniform_int, shape, seed, minval, maxval)


def stateless_integers(draw: Any, shape: Any, seed: Any, minval: Any, maxval: Any) -> Any:
    """A tensor of integers in [minval, maxval) from a seed [2]. draw: as philox.uniform_int."""
    return _between(draw, lambda count: _start(seed), shape, minval, maxval)


@stateless_random_uniform_int.shape
def _(shape: Sym, seed: Sym, minval: Sym, maxval: Sym) -> Shape:
    _check_bounds(minval, maxval)
    return _seeded(shape, seed)


@op("StatelessMultinomial", not_differentiable=RANDOM, fresh=True)
def stateless_multinomial(
    xp: Any,
    logits: typevar("T", REALS),
    num_samples: dtypes.int32,
    seed: Seeds,
    *,
    output_dtype: typevar("output_dtype", INDEX) = dtypes.int64,
) -> "output_dtype":  # noqa: F821
    """Classes drawn for each row, the same for the same seed: logits [n, k], unnormalised logarithms of probabilities,
    num_samples scalar, seed [2] -> [n, num_samples].

    Raises: InvalidArgumentError for num_samples < 0 or k = 0.
    """
    _check_logits(logits, num_samples)
    return philox.classes(_start(seed), logits, int(num_samples)).astype(output_dtype.numpy)


@stateless_multinomial.shape
def _(logits: Sym, num_samples: Sym, seed: Sym, *, output_dtype: DType) -> Shape:
    _two_seeds(seed)
    return _classes_shape(logits, num_samples)
