"""Counting: Bucketize, Bincount and HistogramFixedWidth. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backends.ufunc_at import combine_at
from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..op.define import Sym, op, typevar
from ..op.shape_checks import INDEX, invalid, kinds, needs_rank, of_rank, scalar, with_value


@op("Bucketize", shape=lambda input, *, boundaries: input.shape, fresh=True)
def bucketize(
    xp: Any, input: typevar("T", kinds("int32 int64 float double")), *, boundaries: list[float]
) -> dtypes.int32:
    """The number of boundaries that are not above each element: any shape -> the same shape.

    Raises: InvalidArgumentError unless the boundaries are sorted.
    """
    if sorted(boundaries) != boundaries:
        raise invalid("Expected sorted boundaries")
    return np.searchsorted(np.array(boundaries, np.float32), input, side="right").astype(np.int32)


@op("Bincount", out="bins", fresh=True)
def bincount(
    xp: Any, arr: dtypes.int32, size: dtypes.int32, weights: typevar("T", kinds("int32 int64 float double"))
) -> "T":  # noqa: F821
    """How often each number below `size` occurs, or the sum of its weights: arr any shape, size scalar, weights the
    shape of arr or empty -> bins [size].

    Raises: InvalidArgumentError for negative numbers.
    """
    count, flat = number_of_bins(size), np.ravel(arr)
    if (flat < 0).any():
        raise invalid("Input arr must be non-negative!")
    check_weights(arr, weights)
    kept = flat < count
    if weights.size:
        out = np.zeros(count, weights.dtype)
        np.add.at(out, flat[kept], np.ravel(weights)[kept])
        return out
    return np.bincount(flat[kept], minlength=count).astype(weights.dtype)


def number_of_bins(size: Any) -> int:
    """The input `size` of Bincount. Raises: InvalidArgumentError for another shape than a scalar's, and for less than 0."""
    needs_rank(size, 0, f"Shape must be rank 0 but is rank {np.ndim(size)}")
    if size < 0:
        raise invalid(f"size ({size}) must be non-negative")
    return int(size)


def check_weights(arr: Any, weights: Any) -> None:
    """Raises: InvalidArgumentError unless there are as many weights as numbers, or none."""
    if weights.size and weights.size != arr.size:
        raise invalid("Input indices and weights must have the same size.")


@bincount.shape
def _(arr: Sym, size: Sym, weights: Sym) -> Shape:
    scalar(size)
    count = size.value
    if count is None:
        return (None,)
    if count < 0:
        raise ShapeMismatch(f"size ({count}) must be non-negative")
    return (int(count),)


@op(
    "HistogramFixedWidth",
    out="out",
    shape=lambda values, value_range, nbins, *, dtype: _bins(value_range, nbins),
    fresh=True,
)
def histogram_fixed_width(
    xp: Any,
    values: typevar("T", kinds("int32 int64 float double")),
    value_range: "T",  # noqa: F821
    nbins: dtypes.int32,
    *,
    dtype: typevar("dtype", INDEX) = dtypes.int32,
) -> "dtype":  # noqa: F821
    """How many values lie in each of nbins equal parts of a range: values any shape, value_range [2], nbins scalar ->
    [nbins]; values outside count in the first or last part.

    Raises: InvalidArgumentError for an empty range.
    """
    needs_rank(value_range, 1, "value_range should be a vector.")
    if value_range.shape != (2,):
        raise invalid("value_range should be a vector of 2 elements.")
    needs_rank(nbins, 0, "nbins should be a scalar.")
    if nbins <= 0:
        raise invalid(f"nbins should be a positive number, but got '{nbins}'")
    low, high = (float(v) for v in value_range)
    if not low < high:
        raise invalid(
            f"value_range should satisfy value_range[0] < value_range[1], but got '[{low:g}, {high:g}]'"
        )
    step = (high - low) / float(nbins)
    places = xp.clip(xp.floor((xp.ravel(values).astype(np.float64) - low) / step), 0, nbins - 1).astype(
        np.int64
    )
    return counted(xp, places, int(nbins)).astype(dtype.numpy)


def counted(xp: Any, places: Any, count: int) -> Any:
    """How often each place occurs: places [n] in [0, count) -> [count]. CuPy's `bincount` waits for the GPU."""
    if xp is np:
        return np.bincount(places, minlength=count)
    counts = xp.zeros(count, np.uint64)
    combine_at(xp, "add", counts, places, xp.ones(places.shape, np.uint64))
    return counts


def _bins(value_range: Sym, nbins: Sym) -> Shape:
    with_value(of_rank(value_range.shape, 1)[0], 2)
    scalar(nbins)
    count = nbins.value
    if count is None:
        return (None,)
    if count <= 0:
        raise ShapeMismatch(f"Requires nbins > 0: {count}")
    return (int(count),)
