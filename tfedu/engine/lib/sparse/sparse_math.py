"""What `tf.sparse` computes: sums, extremes, products, reductions, softmax, segments, crosses; and `tf.sets`. No state."""

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
from ...ops import sets as set_ops
from ...ops import sparse_math as ops
from ..arrays import array, sequences
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..math import math
from .sparse import as_sparse, convert_to_tensor_or_sparse_tensor

_SPARSE = (SparseTensor, SparseTensorValue)


# -- two operands --------------------------------------------------------------------------------------------------


@atomic
def add(a: Any, b: Any, threshold: Any = None, thresh: Any = None) -> Any:
    """a + b, of which at least one is sparse; entries of the sum below the threshold are left out.

    Raises: TypeError when neither is sparse.
    """
    threshold = renamed("threshold", threshold, "thresh", thresh)
    if threshold is None:
        threshold = 0
    if not isinstance(a, _SPARSE) and not isinstance(b, _SPARSE):
        raise TypeError(error_text("At least one input should be SparseTensor; do you mean to use tf.add()?"))
    if isinstance(a, _SPARSE) and isinstance(b, _SPARSE):
        a, b = as_sparse(a), as_sparse(b)
        least = convert_to_tensor(threshold, a.values.dtype.real_dtype.base_dtype, name="threshold")
        indices, values, shape = ops.sparse_add(
            a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, least
        )
        a.get_shape().assert_is_compatible_with(b.get_shape())
        known = array.broadcast_static_shape(a.get_shape(), b.get_shape())
        return SparseTensor(indices, values, known.as_list() if known.is_fully_defined() else shape)
    if isinstance(b, _SPARSE):
        a, b = b, a
    return ops.sparse_tensor_dense_add(a.indices, a.values, a.dense_shape, b)


def maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The larger value at each place where either has an entry."""
    return _merged(ops.sparse_sparse_maximum, "SparseSparseMaximum", sp_a, sp_b, name)


def minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The smaller value at each place where either has an entry."""
    return _merged(ops.sparse_sparse_minimum, "SparseSparseMinimum", sp_a, sp_b, name)


@atomic
def _merged(
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
    """Matrix product: sparse sp_a [m, k] · b [k, n]; either may be taken conjugate and transposed."""
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

    operator.__doc__ = f"The entries' {name} with what stands at their places in a dense tensor."
    return operator


def _true_quotient(indices: Tensor, values: Tensor, shape: Tensor, y: Tensor, name: str | None) -> Tensor:
    """The entries divided by dense values, in the type in which whole numbers are divided exactly."""
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
        found: Tensor = ops.sparse_dense_cwise_div(indices, values, shape, y, name=scope)
        return found


SparseTensor.__mul__ = _operator("mul", ops.sparse_dense_cwise_mul)  # type: ignore[attr-defined]
SparseTensor.__rmul__ = SparseTensor.__mul__  # type: ignore[attr-defined]
SparseTensor.__div__ = _operator("div", ops.sparse_dense_cwise_div)  # type: ignore[attr-defined]
SparseTensor.__truediv__ = _operator("truediv", _true_quotient)  # type: ignore[attr-defined]


# -- reductions ----------------------------------------------------------------------------------------------------


def _axes(sp_input: SparseTensor, axis: Any) -> Any:
    """The axes of a reduction; all of them by default."""
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
        made = op(
            sp_input.indices, sp_input.values, sp_input.dense_shape, _axes(sp_input, axis), keep_dims=bool(keep)
        )
        return SparseTensor(*made) if isinstance(made, tuple) else made

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = f"{doc}\n\naxis: the axes to reduce, all by default; keepdims: they stay, with length 1."
    return reduce


reduce_sum = _reduction("reduce_sum", ops.sparse_reduce_sum, "The sums along axes, as a dense tensor.")
reduce_max = _reduction("reduce_max", ops.sparse_reduce_max, "The largest entries along axes, as a dense tensor.")
reduce_sum_sparse = _reduction(
    "reduce_sum_sparse", ops.sparse_reduce_sum_sparse, "The sums along axes, as a sparse tensor."
)
reduce_max_sparse = _reduction(
    "reduce_max_sparse", ops.sparse_reduce_max_sparse, "The largest entries along axes, as a sparse tensor."
)


@atomic
def softmax(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The softmax of the entries of each row along the last axis; what is not there has no share."""
    with named(name, "SparseSoftmax", [sp_input.indices, sp_input.values]):
        shares = ops.sparse_softmax(sp_input.indices, sp_input.values, sp_input.dense_shape)
        return SparseTensor(sp_input.indices, shares, sp_input.dense_shape)


def _segments(name: str, op: Any, sized: Any, doc: str) -> Any:
    def segments(
        data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
    ) -> Tensor:
        if num_segments is None:
            made: Tensor = op(data, indices, segment_ids, name=name)
        else:
            made = sized(data, indices, segment_ids, num_segments, name=name)
        return made

    segments.__name__ = segments.__qualname__ = name
    segments.__doc__ = f"{doc}\n\nsegment_ids: in order, one for each index. num_segments: how many rows the result has."
    return segments


segment_sum = _segments(
    "segment_sum", ops.sparse_segment_sum, ops.sparse_segment_sum_with_num_segments,
    "The sums of the rows of data that indices pick, by segment.",
)  # fmt: skip
segment_mean = _segments(
    "segment_mean", ops.sparse_segment_mean, ops.sparse_segment_mean_with_num_segments,
    "The means of the rows of data that indices pick, by segment.",
)  # fmt: skip
segment_sqrt_n = _segments(
    "segment_sqrt_n", ops.sparse_segment_sqrt_n, ops.sparse_segment_sqrt_n_with_num_segments,
    "The sums of the rows of data that indices pick, by segment, over the root of their number.",
)  # fmt: skip


# -- crosses -------------------------------------------------------------------------------------------------------

_HASH_KEY = 956888297470


def cross(inputs: Any, name: str | None = None) -> SparseTensor:
    """Each row's combinations of one feature from every input, as strings joined by `_X_`."""
    return _cross(inputs, False, 0, None, name)


def cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """Each row's combinations of one feature from every input, as hashes below num_buckets."""
    return _cross(inputs, True, num_buckets, hash_key, name)


@atomic
def _cross(inputs: Any, hashed: bool, num_buckets: int, hash_key: int | None, name: str | None) -> SparseTensor:
    if not isinstance(inputs, list):
        raise TypeError(error_text("Inputs must be a list"))
    if not all(isinstance(one, (SparseTensor, Tensor)) for one in inputs):
        raise TypeError(error_text("All inputs must be SparseTensors"))
    sparse = [one for one in inputs if isinstance(one, SparseTensor)]
    internal = dtypes.string
    columns = []
    for tensor in [*(one.values for one in sparse), *(one for one in inputs if isinstance(one, Tensor))]:
        if tensor.dtype.base_dtype is not dtypes.string:
            tensor = math.cast(tensor, dtypes.int64)
            internal = dtypes.int64
        columns.append(tensor)
    values, dense = columns[: len(sparse)], columns[len(sparse) :]
    made = set_ops.sparse_cross(
        [one.indices for one in sparse],
        values,
        [one.dense_shape for one in sparse],
        dense,
        hashed_output=hashed,
        num_buckets=num_buckets,
        hash_key=hash_key or _HASH_KEY,
        out_type=dtypes.int64 if hashed else dtypes.string,
        internal_type=internal,
        name=name,
    )
    return SparseTensor(*made)


# -- sets ----------------------------------------------------------------------------------------------------------

_SET_TYPES = (
    dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.string,
)  # fmt: skip




@atomic
def set_size(a: Any, validate_indices: bool = True) -> Tensor:
    """How many different elements each set in the last axis of a sparse tensor has.

    Raises: TypeError for what is not sparse.
    """
    a = SparseTensor.from_value(a) if isinstance(a, SparseTensorValue) else a
    if not isinstance(a, SparseTensor):
        raise TypeError(error_text(f"Expected `SparseTensor`, got {a}."))
    if a.values.dtype.base_dtype not in _SET_TYPES:
        raise TypeError(error_text(f"Invalid dtype {a.values.dtype}."))
    made: Tensor = set_ops.set_size(a.indices, a.values, a.dense_shape, validate_indices=validate_indices)
    return made


def _operands(a: Any, b: Any) -> tuple[Any, Any, bool]:
    """(two sets, a dense one first where there is one; whether they were exchanged).

    Raises: TypeError for elements of other types than whole numbers and strings, and for two types.
    """
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if a.dtype.base_dtype not in _SET_TYPES:
        raise TypeError(error_text(f"'a' invalid dtype {a.dtype}."))
    b = convert_to_tensor_or_sparse_tensor(b, name="b")
    if b.dtype.base_dtype is not a.dtype.base_dtype:
        raise TypeError(error_text(f"Types don't match, {a.dtype} vs {b.dtype}."))
    flip = isinstance(a, SparseTensor) and not isinstance(b, SparseTensor)
    return (b, a, True) if flip else (a, b, False)


def _operation(a: Any, b: Any, how: str, validate_indices: bool) -> SparseTensor:
    given = {"set_operation": how, "validate_indices": validate_indices}
    if isinstance(a, SparseTensor):
        made = set_ops.sparse_to_sparse_set_operation(
            a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, **given
        )
    elif isinstance(b, SparseTensor):
        made = set_ops.dense_to_sparse_set_operation(a, b.indices, b.values, b.dense_shape, **given)
    else:
        made = set_ops.dense_to_dense_set_operation(a, b, **given)
    return SparseTensor(*made)


@atomic
def set_intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The elements that both sets in the last axis have; the other axes must be equal."""
    a, b, _ = _operands(a, b)
    return _operation(a, b, "intersection", validate_indices)


@atomic
def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """The elements of a that b has not, or the other way round; the other axes must be equal."""
    a, b, flipped = _operands(a, b)
    return _operation(a, b, "a-b" if aminusb is not flipped else "b-a", validate_indices)


@atomic
def set_union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The elements that either set in the last axis has; the other axes must be equal."""
    a, b, _ = _operands(a, b)
    return _operation(a, b, "union", validate_indices)


__all__ = [
    "add", "cross", "cross_hashed", "maximum", "minimum", "reduce_max", "reduce_max_sparse", "reduce_sum",
    "reduce_sum_sparse", "segment_mean", "segment_sqrt_n", "segment_sum", "set_difference", "set_intersection",
    "set_size", "set_union", "softmax", "sparse_dense_matmul",
]  # fmt: skip
