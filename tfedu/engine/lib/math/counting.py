"""`tf.bincount`, `tf.confusion_matrix`, `tf.count_nonzero` …: how often something occurs. No state."""

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
from .math import cast, greater, maximum, minimum, multiply, not_equal
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
    """How many elements are not 0."""

    keep = builtins.bool(renamed("keepdims", keepdims, "keep_dims", keep_dims))
    x = renamed("input", input, "input_tensor", input_tensor)
    axis = renamed("axis", axis, "reduction_indices", reduction_indices)
    with named(name, "count_nonzero", [x]):
        x = convert_to_tensor(x, name="input")
        there = x if x.dtype.is_bool else not_equal(x, array.zeros([], dtype=x.dtype))
        return cast(reduce_sum(cast(there, dtypes.int64), axis=axis, keepdims=keep), dtype)


@atomic
def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    weights: Any = None,
) -> Tensor:
    """[classes, classes]: how often a label (row) was predicted as a class (column).

    labels, predictions: vectors; one that has an axis of one place too many loses it. num_classes: by default one more than
    the largest. Raises: ValueError for weights of another shape; in the run InvalidArgumentError for numbers that are no class.
    """
    with name_scope(name, "confusion_matrix", (predictions, labels, num_classes, weights)):
        labels, predictions = remove_squeezable_dimensions(
            convert_to_tensor(labels, name="labels"), convert_to_tensor(predictions, name="predictions")
        )
        predictions, labels = cast(predictions, dtypes.int64), cast(labels, dtypes.int64)
        both = {"labels": labels, "predictions": predictions}
        for what, value in both.items():
            sound = assert_non_negative(value, message=f"`{what}` contains negative values")
            both[what] = with_dependencies([sound], value)
        if num_classes is None:
            num_classes = maximum(reduce_max(both["predictions"]), reduce_max(both["labels"])) + 1
        else:
            count = cast(num_classes, dtypes.int64)
            for what, value in both.items():
                both[what] = with_dependencies([assert_less(value, count, message=f"`{what}` out of bound")], value)
        if weights is not None:
            weights = convert_to_tensor(weights, name="weights")
            both["predictions"].shape.assert_is_compatible_with(weights.shape)
            weights = cast(weights, dtype)
        shape = array.stack([num_classes, num_classes])
        indices = array.stack([both["labels"], both["predictions"]], axis=1)
        values = array.ones_like(both["predictions"], dtype) if weights is None else weights
        found = SparseTensor(indices, values, cast(shape, dtypes.int64))
        return sparse_add(array.zeros(cast(shape, dtypes.int32), dtype), found)  # type: ignore[no-any-return]


@atomic
def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = dtypes.int32
) -> Tensor:
    """How often each number occurs in arr, or the sum of the weights at its places."""

    arr = convert_to_tensor(arr, name="arr", dtype=dtypes.int32)
    filled = greater(reduce_prod(array.shape(arr)), 0)
    size = multiply(cast(filled, dtypes.int32), ops.add_v2(reduce_max(arr), 1))
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
    """How many values lie in each of nbins equal parts of a range."""
    with named(name, "histogram_fixed_width", [values, value_range, nbins]) as scope:
        return counting_ops.histogram_fixed_width(values, value_range, nbins, dtype=as_dtype(dtype), name=scope)


@atomic
def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The share of the elements that are 0."""
    with named(name, "zero_fraction", [value]):
        value = convert_to_tensor(value, name="value")
        size: Any = array.size(value, out_type=dtypes.int64)

        def counted(dtype: DType) -> Tensor:
            with named("count_nonzero", "count_nonzero", [value]):
                there = not_equal(value, array.zeros([], dtype=value.dtype))
                return reduce_sum(cast(there, dtype), name="nonzero_count")

        # A count that fits into int32 is taken in it.
        found = cond.cond(
            size <= dtypes.int32.max,
            lambda: cast(counted(dtypes.int32), dtypes.int64),
            lambda: counted(dtypes.int64),
        )
        with named("counts_to_fraction", "counts_to_fraction"):
            zeros = cast(size - found, dtypes.float32)
            share: Any = zeros / cast(size, dtypes.float32)  # type: ignore[operator]
        return identity(share, "fraction")
