"""`tf.bincount`, `tf.confusion_matrix`, `tf.count_nonzero` …: how often values occur. No state."""

from __future__ import annotations

import builtins
from typing import Any

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.composites import SparseTensor
from ...op.constant import constant
from ...ops import counting as counting_ops
from ...ops import math as ops
from ..arrays import array
from ..checks.asserts import assert_less, assert_non_negative
from ..control import cond
from ..control.grouping import identity, with_dependencies
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import name_scope, named
from ..nn.sample_weights import remove_squeezable_dimensions
from ..sparse.sparse_math import add as sparse_add
from .clip import clip_by_value
from .math import cast, floor, greater, maximum, minimum, multiply, not_equal, truediv
from .reductions import reduce_max, reduce_prod, reduce_sum, unsorted_segment_sum


@atomic
def count_nonzero(
    input_tensor: Any = None,
    axis: Any = None,
    keepdims: Any = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: Any = None,
    input: Any = None,
) -> Tensor:
    """The number of elements that are not 0, along the axes: [m, n] with axis 1 -> [m]."""

    keep = builtins.bool(renamed("keepdims", keepdims, "keep_dims", keep_dims))
    x = renamed("input", input, "input_tensor", input_tensor)
    axis = renamed("axis", axis, "reduction_indices", reduction_indices)
    with named(name, "count_nonzero", [x]):
        x = convert_to_tensor(x, name="input")
        is_nonzero = x if x.dtype.is_bool else not_equal(x, array.zeros([], dtype=x.dtype))
        return cast(reduce_sum(cast(is_nonzero, dtypes.int64), axis=axis, keepdims=keep), dtype)


@atomic
def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    weights: Any = None,
) -> Tensor:
    """How often each label (row) was predicted as each class (column): labels [n], predictions [n] ->
    [classes, classes].

    A last axis of size 1 of either vector is squeezed. num_classes: by default the largest label or prediction + 1.

    Raises: ValueError for weights of another shape; in the run InvalidArgumentError for negative or too large
    classes.
    """
    with name_scope(name, "confusion_matrix", (predictions, labels, num_classes, weights)):
        labels, predictions = remove_squeezable_dimensions(
            convert_to_tensor(labels, name="labels"), convert_to_tensor(predictions, name="predictions")
        )
        predictions, labels = cast(predictions, dtypes.int64), cast(labels, dtypes.int64)
        both = {"labels": labels, "predictions": predictions}
        for argument, value in both.items():
            check = assert_non_negative(value, message=f"`{argument}` contains negative values")
            both[argument] = with_dependencies([check], value)
        if num_classes is None:
            num_classes = maximum(reduce_max(both["predictions"]), reduce_max(both["labels"])) + 1
        else:
            count = cast(num_classes, dtypes.int64)
            for argument, value in both.items():
                both[argument] = with_dependencies([assert_less(value, count, message=f"`{argument}` out of bound")], value)
        if weights is not None:
            weights = convert_to_tensor(weights, name="weights")
            both["predictions"].shape.assert_is_compatible_with(weights.shape)
            weights = cast(weights, dtype)
        shape = array.stack([num_classes, num_classes])
        indices = array.stack([both["labels"], both["predictions"]], axis=1)
        values = array.ones_like(both["predictions"], dtype) if weights is None else weights
        counts = SparseTensor(indices, values, cast(shape, dtypes.int64))
        return sparse_add(array.zeros(cast(shape, dtypes.int32), dtype), counts)  # type: ignore[no-any-return]


@atomic
def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = dtypes.int32
) -> Tensor:
    """The number of occurrences of each number 0, 1, … in arr [...], or the sum of their weights [...]: a vector
    [max(arr) + 1].

    minlength, maxlength: bounds of the result's length.
    """

    arr = convert_to_tensor(arr, name="arr", dtype=dtypes.int32)
    has_elements = greater(reduce_prod(array.shape(arr)), 0)
    size = multiply(cast(has_elements, dtypes.int32), ops.add_v2(reduce_max(arr), 1))
    if minlength is not None:
        size = maximum(convert_to_tensor(minlength, name="minlength", dtype=dtypes.int32), size)
    if maxlength is not None:
        size = minimum(convert_to_tensor(maxlength, name="maxlength", dtype=dtypes.int32), size)
    if weights is not None:
        return unsorted_segment_sum(convert_to_tensor(weights, name="weights"), arr, size)
    return counting_ops.bincount(arr, size, constant([], dtype))


@atomic
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """The number of values [...] in each of nbins equal bins of value_range [2]; outliers count in the outer bins:
    [nbins].
    """
    with named(name, "histogram_fixed_width", [values, value_range, nbins]) as scope:
        return counting_ops.histogram_fixed_width(values, value_range, nbins, dtype=as_dtype(dtype), name=scope)


@atomic
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """The bin of each value, of nbins equal bins of value_range [2]; outliers belong to the outer bins: [...] -> [...]."""
    with named(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = convert_to_tensor(values, name="values")
        sizes = array.shape(values)
        flat: Any = array.reshape(values, [-1])
        limits: Any = convert_to_tensor(value_range, name="value_range")
        count = convert_to_tensor(nbins, dtypes.int32, name="nbins")
        bin_count = cast(count, flat.dtype.base_dtype)
        scaled = truediv(flat - limits[0], limits[1] - limits[0], name="scaled_values")
        bins = floor(bin_count * scaled, name="indices")
        clipped = cast(clip_by_value(bins, 0, bin_count - 1), dtypes.int32)
        return array.reshape(clipped, sizes)


@atomic
def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The share of the elements of value [...] that are 0: a float32 scalar in [0, 1]."""
    with named(name, "zero_fraction", [value]):
        value = convert_to_tensor(value, name="value")
        size: Any = array.size(value, out_type=dtypes.int64)

        def count_as(dtype: DType) -> Tensor:
            with named("count_nonzero", "count_nonzero", [value]):
                is_nonzero = not_equal(value, array.zeros([], dtype=value.dtype))
                return reduce_sum(cast(is_nonzero, dtype), name="nonzero_count")

        # Counts that fit into int32 are computed in int32.
        count = cond.cond(
            size <= dtypes.int32.max,
            lambda: cast(count_as(dtypes.int32), dtypes.int64),
            lambda: count_as(dtypes.int64),
        )
        with named("counts_to_fraction", "counts_to_fraction"):
            zeros = cast(size - count, dtypes.float32)
            share: Any = zeros / cast(size, dtypes.float32)  # type: ignore[operator]
        return identity(share, "fraction")
