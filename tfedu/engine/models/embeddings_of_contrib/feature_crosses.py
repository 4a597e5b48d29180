"""`tf.contrib.layers.sparse_feature_cross` and `bucketize`. No state."""

from __future__ import annotations

from typing import Any

from ...graph.nodes import Tensor
from ...lib.sparse.sparse_math import cross_by
from ...op.composites import SparseTensor
from ...ops import counting, crosses

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = 956888297470


def bucketize(input_tensor: Any, boundaries: list[float], name: str | None = None) -> Tensor:
    """The interval of each number of input_tensor [...]: 0 below boundaries[0], 1 from there to below boundaries[1], …."""
    return counting.bucketize(input_tensor, boundaries=boundaries, name=name)


def sparse_feature_cross(
    inputs: Any,
    hashed_output: bool = False,
    num_buckets: int = 0,
    name: str | None = None,
    hash_key: int | None = None,
) -> SparseTensor:
    """All combinations of one feature from each input [n, (features)]: sparse [n, (combinations)].

    The combinations are strings joined by `_X_`, or hashes: below num_buckets, unless this is 0. hash_key: for the hashes of
    `tf.sparse.cross_hashed`; without it, for the older ones.

    Raises: TypeError unless inputs is a list of tensors.
    """
    if hash_key:
        return cross_by(crosses.sparse_feature_cross_v2, inputs, hashed_output, num_buckets, name, hash_key=hash_key)
    return cross_by(crosses.sparse_feature_cross, inputs, hashed_output, num_buckets, name)


__all__ = ["SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY", "bucketize", "sparse_feature_cross"]
