"""`tf.sparse`: tensors that are 0 but for some entries."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.sparse.composite_values import SparseTensor, sparse_placeholder as placeholder
from .engine.lib.sparse.sparse import (
    concat, expand_dims, eye, fill_empty_rows, from_dense, mask, merge, reorder, reset_shape, reshape,
    retain, slice, split, to_dense, to_indicator, transpose,
)  # fmt: skip
from .engine.lib.sparse.sparse_math import (
    add, cross, cross_hashed, maximum, minimum, reduce_max, reduce_max_sparse, reduce_sum,
    reduce_sum_sparse, segment_mean, segment_sqrt_n, segment_sum, softmax, sparse_dense_matmul,
    sparse_dense_matmul as matmul,
)  # fmt: skip

from .engine.data.queues.accumulators import SparseConditionalAccumulator

__all__ = [
    "SparseConditionalAccumulator", "SparseTensor", "add", "concat", "cross", "cross_hashed",
    "expand_dims", "eye", "fill_empty_rows", "from_dense", "mask", "matmul", "maximum", "merge",
    "minimum", "placeholder", "reduce_max", "reduce_max_sparse", "reduce_sum", "reduce_sum_sparse",
    "reorder", "reset_shape", "reshape", "retain", "segment_mean", "segment_sqrt_n", "segment_sum",
    "slice", "softmax", "sparse_dense_matmul", "split", "to_dense", "to_indicator", "transpose",
]  # fmt: skip
