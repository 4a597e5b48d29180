"""Computations of `tf.sparse`: sums, extremes, products, reductions, softmax, segments, crosses; and `tf.sets`. No
state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.composites import SparseTensor, SparseTensorValue
from ...op.constant import constant
from ...ops import crosses
from ...ops import sets as set_ops
from ...ops import sparse_math as ops
from ..arrays import array, sequences
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..math import math
from .sparse import as_sparse, convert_to_tensor_or_sparse_tensor

_SPARSE_TYPES = (SparseTensor, SparseTensorValue)


# -- two operands --------------------------------------------------------------------------------------------------


@atomic
def add(a: Any, b: Any, threshold: Any = None, thresh: Any = None) -> Any:
    """a + b [...], at least one of them sparse; a sparse sum drops entries below the threshold in magnitude.

    Raises: TypeError when neither is sparse.
    """
    threshold = renamed("threshold", threshold, "thresh", thresh)
    if threshold is None:
        threshold = 0
    if not isinstance(a, _SPARSE_TYPES) and not isinstance(b, _SPARSE_TYPES):
        raise TypeError(error_text("At least one input should be SparseTensor; do you mean to use tf.add()?"))
    if isinstance(a, _SPARSE_TYPES) and isinstance(b, _SPARSE_TYPES):
        a, b = as_sparse(a), as_sparse(b)
        least = convert_to_tensor(threshold, a.values.dtype.real_dtype.base_dtype, name="threshold")
        indices, values, shape = ops.sparse_add(
            a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, least
        )
        a.get_shape().assert_is_compatible_with(b.get_shape())
        known = array.broadcast_static_shape(a.get_shape(), b.get_shape())
        return SparseTensor(indices, values, known.as_list() if known.is_fully_defined() else shape)
    if isinstance(b, _SPARSE_TYPES):
        a, b = b, a
    return ops.sparse_tensor_dense_add(a.indices, a.values, a.dense_shape, b)


def maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The larger value at each coordinate of an entry of either: [...] and [...] -> sparse [...]."""
    return _combine_entries(ops.sparse_sparse_maximum, "SparseSparseMaximum", sp_a, sp_b, name)


def minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The smaller value at each coordinate of an entry of either: [...] and [...] -> sparse [...]."""
    return _combine_entries(ops.sparse_sparse_minimum, "SparseSparseMinimum", sp_a, sp_b, name)


@atomic
def _combine_entries(
    op_caller: Any, label: str, sp_a: SparseTensor, sp_b: SparseTensor, name: str | None
) -> SparseTensor:
    with named(name, label, [sp_a.indices, sp_a.values, sp_b.indices, sp_b.values]) as scope:
        indices, values = op_caller(
            sp_a.indices, sp_a.values, sp_a.dense_shape, sp_b.indices, sp_b.values, sp_b.dense_shape, name=scope
        )
    return SparseTensor(indices, values, sp_a.dense_shape)


@atomic
def sparse_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Tensor:
    """The matrix product of a sparse sp_a [m, k] and b [k, n] -> dense [m, n]; either may be adjoined first."""
    sp_a = as_sparse(sp_a)
    with named(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]):
        b = convert_to_tensor(b, name="b")
        product: Tensor = ops.sparse_tensor_dense_mat_mul(
            sp_a.indices, sp_a.values, sp_a.dense_shape, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b
        )
        return product


def _operator(name: str, op: Any) -> Any:
    @atomic
    def operator(self: SparseTensor, y: Any) -> SparseTensor:
        with named(None, name, [self, y]) as scope:
            y = convert_to_tensor(y, self.dtype.base_dtype, name="y")
            values = op(self.indices, self.values, self.dense_shape, y, name=scope)
            return SparseTensor(self.indices, values, self.dense_shape)

    operator.__doc__ = f"The {name} of the entries and the elements of a dense tensor [...] at their coordinates."
    return operator


def _true_quotient(indices: Tensor, values: Tensor, shape: Tensor, y: Tensor, name: str | None) -> Tensor:
    """The entries divided by dense values; integers become floats first.

    Raises: TypeError when the dtypes differ or cannot be divided.
    """
    with named(name, "truediv", [indices, values, shape, y]) as scope:
        values, y = convert_to_tensor(values, name="sp_values"), convert_to_tensor(y, name="y")
        kinds = values.dtype.base_dtype, y.dtype.base_dtype
        if kinds[0] is not kinds[1]:
            raise TypeError(
                error_text(f"`x` and `y` must have the same dtype, got {kinds[0]!r} != {kinds[1]!r}.", [values, y])
            )
        if kinds[0] not in math._TRUE_QUOTIENT:
            raise TypeError(error_text(f"Invalid dtype {kinds[0]!r} in __truediv__", [values, y]))
        wanted = math._TRUE_QUOTIENT[kinds[0]]
        if wanted is not None:
            values, y = math.cast(values, wanted), math.cast(y, wanted)
        quotient: Tensor = ops.sparse_dense_cwise_div(indices, values, shape, y, name=scope)
        return quotient


SparseTensor.__mul__ = _operator("mul", ops.sparse_dense_cwise_mul)  # type: ignore[attr-defined]
SparseTensor.__rmul__ = SparseTensor.__mul__  # type: ignore[attr-defined]
SparseTensor.__div__ = _operator("div", ops.sparse_dense_cwise_div)  # type: ignore[attr-defined]
SparseTensor.__truediv__ = _operator("truediv", _true_quotient)  # type: ignore[attr-defined]


# -- reductions ----------------------------------------------------------------------------------------------------


def _axes(sp_input: SparseTensor, axis: Any) -> Any:
    """The axes of a reduction, by default all of them."""
    if axis is not None:
        return axis
    rank = sp_input.dense_shape.raw_shape
    if rank is not None and rank[0] is not None:
        return constant(np.arange(rank[0], dtype=np.int32), dtypes.int32)
    return sequences.range(0, array.rank(sp_input))


def _reduction(name: str, op: Any, doc: str) -> Any:
    @atomic
    def reduce(
        sp_input: SparseTensor,
        axis: Any = None,
        keepdims: Any = None,
        reduction_axes: Any = None,
        keep_dims: Any = None,
    ) -> Any:
        keep = renamed("keepdims", keepdims, "keep_dims", keep_dims)
        axis = renamed("axis", axis, "reduction_axes", reduction_axes)
        reduced = op(
            sp_input.indices, sp_input.values, sp_input.dense_shape, _axes(sp_input, axis), keep_dims=bool(keep)
        )
        return SparseTensor(*reduced) if isinstance(reduced, tuple) else reduced

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = (
        f"{doc}: [m, n] with axis 1 -> [m].\n\naxis: the axes to reduce, all by default. keepdims: they stay, with size 1."
    )
    return reduce


reduce_sum = _reduction("reduce_sum", ops.sparse_reduce_sum, "Sums of entries as a dense tensor")
reduce_max = _reduction("reduce_max", ops.sparse_reduce_max, "Largest entries as a dense tensor")
reduce_sum_sparse = _reduction(
    "reduce_sum_sparse", ops.sparse_reduce_sum_sparse, "Sums of entries as a sparse tensor"
)
reduce_max_sparse = _reduction(
    "reduce_max_sparse", ops.sparse_reduce_max_sparse, "Largest entries as a sparse tensor"
)


@atomic
def softmax(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The softmax of each row's entries along the last axis: [..., n] -> [..., n]; missing entries count as -∞."""
    with named(name, "SparseSoftmax", [sp_input.indices, sp_input.values]):
        shares = ops.sparse_softmax(sp_input.indices, sp_input.values, sp_input.dense_shape)
        return SparseTensor(sp_input.indices, shares, sp_input.dense_shape)


def _segments(name: str, op: Any, op_with_num_segments: Any, doc: str) -> Any:
    def segments(
        data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
    ) -> Tensor:
        if num_segments is None:
            output: Tensor = op(data, indices, segment_ids, name=name)
        else:
            output = op_with_num_segments(data, indices, segment_ids, num_segments, name=name)
        return output

    segments.__name__ = segments.__qualname__ = name
    segments.__doc__ = (
        f"{doc} data [n, …], indices [k], segment_ids [k] -> [num_segments, …].\n\n"
        "segment_ids: sorted. num_segments: by default the last id + 1."
    )
    return segments


segment_sum = _segments(
    "segment_sum", ops.sparse_segment_sum, ops.sparse_segment_sum_with_num_segments,
    "The sums of the selected rows with the same segment id:",
)  # fmt: skip
segment_mean = _segments(
    "segment_mean", ops.sparse_segment_mean, ops.sparse_segment_mean_with_num_segments,
    "The means of the selected rows with the same segment id:",
)  # fmt: skip
segment_sqrt_n = _segments(
    "segment_sqrt_n", ops.sparse_segment_sqrt_n, ops.sparse_segment_sqrt_n_with_num_segments,
    "The sums of the selected rows with the same segment id over the roots of their counts:",
)  # fmt: skip


# -- crosses -------------------------------------------------------------------------------------------------------

_HASH_KEY = 956888297470


def cross(inputs: Any, name: str | None = None) -> SparseTensor:
    """All combinations of one feature from each input [n, (features)], as strings joined by `_X_`: sparse
    [n, (combinations)].

    Raises: TypeError unless inputs is a list of tensors.
    """
    return cross_by(crosses.sparse_cross, inputs, False, 0, name, hash_key=_HASH_KEY)


def cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """All combinations of one feature from each input [n, (features)], as hashes below num_buckets: sparse
    [n, (combinations)].

    Raises: TypeError unless inputs is a list of tensors.
    """
    return cross_by(crosses.sparse_cross, inputs, True, num_buckets, name, hash_key=hash_key or _HASH_KEY)


@atomic
def cross_by(op: Any, inputs: Any, hashed: bool, num_buckets: int, name: str | None, **key: int) -> SparseTensor:
    """The cross of tensors [n, (features)] that an op of `ops.crosses` makes: sparse [n, (combinations)].

    Raises: TypeError unless inputs is a list of tensors.
    """
    if not isinstance(inputs, list):
        raise TypeError(error_text("Inputs must be a list"))
    if not all(isinstance(operand, (SparseTensor, Tensor)) for operand in inputs):
        raise TypeError(error_text("All inputs must be SparseTensors"))
    sparse = [operand for operand in inputs if isinstance(operand, SparseTensor)]
    internal = dtypes.string
    columns = []
    for tensor in [*(operand.values for operand in sparse), *(operand for operand in inputs if isinstance(operand, Tensor))]:
        if tensor.dtype.base_dtype is not dtypes.string:
            tensor = math.cast(tensor, dtypes.int64)
            internal = dtypes.int64
        columns.append(tensor)
    values, dense = columns[: len(sparse)], columns[len(sparse) :]
    crossed = op(
        [operand.indices for operand in sparse],
        values,
        [operand.dense_shape for operand in sparse],
        dense,
        hashed_output=hashed,
        num_buckets=num_buckets,
        out_type=dtypes.int64 if hashed else dtypes.string,
        internal_type=internal,
        name=name,
        **key,
    )
    return SparseTensor(*crossed)


# -- sets ----------------------------------------------------------------------------------------------------------

_SET_TYPES = (
    dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.string,
)  # fmt: skip




@atomic
def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """The number of distinct elements of each set in the last axis of a sparse tensor: [..., n] -> [...].

    Raises: TypeError for an input that is not sparse, or a dtype that is not integer or string.
    """
    a = SparseTensor.from_value(a) if isinstance(a, SparseTensorValue) else a
    if not isinstance(a, SparseTensor):
        raise TypeError(error_text(f"Expected `SparseTensor`, got {a}."))
    if a.values.dtype.base_dtype not in _SET_TYPES:
        raise TypeError(error_text(f"Invalid dtype {a.values.dtype}."))
    sizes: Tensor = set_ops.set_size(a.indices, a.values, a.dense_shape, validate_indices=validate_indices)
    return sizes


def _operands(a: Any, b: Any) -> tuple[Any, Any, bool]:
    """(the two sets, a dense one first; whether they were exchanged).

    Raises: TypeError for a dtype that is not integer or string, and for different dtypes.
    """
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if a.dtype.base_dtype not in _SET_TYPES:
        raise TypeError(error_text(f"'a' invalid dtype {a.dtype}."))
    b = convert_to_tensor_or_sparse_tensor(b, name="b")
    if b.dtype.base_dtype is not a.dtype.base_dtype:
        raise TypeError(error_text(f"Types don't match, {a.dtype} vs {b.dtype}."))
    flip = isinstance(a, SparseTensor) and not isinstance(b, SparseTensor)
    return (b, a, True) if flip else (a, b, False)


def _combine_sets(a: Any, b: Any, operation: str, validate_indices: bool) -> SparseTensor:
    options = {"set_operation": operation, "validate_indices": validate_indices}
    if isinstance(a, SparseTensor):
        combined = set_ops.sparse_to_sparse_set_operation(
            a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, **options
        )
    elif isinstance(b, SparseTensor):
        combined = set_ops.dense_to_sparse_set_operation(a, b.indices, b.values, b.dense_shape, **options)
    else:
        combined = set_ops.dense_to_dense_set_operation(a, b, **options)
    return SparseTensor(*combined)


@atomic
def set_intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The elements in both sets of the last axis: [..., m] and [..., n] -> sparse [..., k]; leading axes are equal.

    Raises: TypeError for a dtype that is not integer or string, and for different dtypes.
    """
    a, b, _ = _operands(a, b)
    return _combine_sets(a, b, "intersection", validate_indices)


@atomic
def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """The elements of a that are not in b (aminusb False: the reverse): [..., m] and [..., n] -> sparse [..., k].

    Raises: TypeError for a dtype that is not integer or string, and for different dtypes.
    """
    a, b, flipped = _operands(a, b)
    return _combine_sets(a, b, "a-b" if aminusb is not flipped else "b-a", validate_indices)


@atomic
def set_union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The elements in either set of the last axis: [..., m] and [..., n] -> sparse [..., k]; leading axes are equal.

    Raises: TypeError for a dtype that is not integer or string, and for different dtypes.
    """
    a, b, _ = _operands(a, b)
    return _combine_sets(a, b, "union", validate_indices)


__all__ = [
    "add", "cross", "cross_hashed", "maximum", "minimum", "reduce_max", "reduce_max_sparse", "reduce_sum",
    "reduce_sum_sparse", "segment_mean", "segment_sqrt_n", "segment_sum", "set_difference", "set_intersection",
    "set_size", "set_union", "softmax", "sparse_dense_matmul",
]  # fmt: skip
