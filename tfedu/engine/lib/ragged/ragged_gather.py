"""`tf.gather`, `batch_gather` and `gather_nd` of ragged tensors, at ragged indices, or both. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ..arrays import array, selection
from ..checks import asserts
from ..framework.scope_blocks import control_dependencies, named
from ..math import math, reductions
from .ragged_arrays import with_axis
from .ragged_functions import assert_one_splits_dtype, assert_same_rows
from .ragged_index import gather_rows
from .ragged_tensor import RaggedTensor, as_ragged_or_dense
from .row_partitions import row_numbers


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    name: str | None = None,
    axis: Any = None,
    batch_dims: Any = 0,
) -> Any:
    """The rows of params [rows, (row length)] at the indices [...]: [..., (row length)].

    Raises: ValueError for another axis than 0.
    """
    for label, value in (("axis", 0 if axis is None else axis), ("batch_dims", batch_dims)):
        if not isinstance(value, int) or value != 0:
            raise ValueError(error_text(f"{label} != 0 is not supported for ragged gather yet."))
    with named(name, "RaggedGather"):
        return _gather(*_with_one_splits_dtype(params, indices))


def _with_one_splits_dtype(params: Any, indices: Any) -> tuple[Any, Any]:
    params = as_ragged_or_dense(params, name="params")
    indices = as_ragged_or_dense(indices, name="indices")
    assert_one_splits_dtype([value for value in (params, indices) if isinstance(value, RaggedTensor)])
    return params, indices


def _gather(params: Any, indices: Any) -> Any:
    if isinstance(indices, RaggedTensor):
        return indices.with_values(_gather(params, indices.values))
    if isinstance(params, RaggedTensor) and indices.raw_shape == ():
        return gather_rows(params, array.expand_dims(indices, 0)).values
    return gather_rows(params, indices)


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """The elements of each row at the row's indices: params [rows, (row length)], indices [rows, (k)] -> [rows, (k)].

    Raises: ValueError for indices of unknown rank, or another number of rows.
    """
    with named(name, "RaggedBatchGather"):
        return _batch_gather(*_with_one_splits_dtype(params, indices))


def _batch_gather(params: Any, indices: Any) -> Any:
    rank = indices.shape.ndims
    if rank is None:
        raise ValueError(error_text("batch_gather does not allow indices with unknown shape."))
    if rank == 0:
        raise ValueError(error_text("indices.rank must be at least 1."))
    if rank == 1:
        return _gather(params, indices)
    if not isinstance(params, RaggedTensor) and not isinstance(indices, RaggedTensor):
        return selection.batch_gather(params, indices)
    dense_indices = None if isinstance(indices, RaggedTensor) else indices
    params, indices = _ragged(params), _ragged(indices)
    params.shape[:1].assert_is_compatible_with(indices.shape[:1])
    if rank > 2:
        with control_dependencies(assert_same_rows([[params.row_splits], [indices.row_splits]])):
            return indices.with_values(_batch_gather(params.values, indices.values))
    starts = math.cast(params.row_starts(), indices.dtype)
    check = asserts.assert_equal(
        params.nrows(), indices.nrows(), message="params and indices must have the same number of rows"
    )
    with control_dependencies([check]):
        inside = selection.gather(starts, row_numbers(indices.row_splits)) + indices.values
        chosen = indices.with_values(gather_rows(params.values, inside))
    if dense_indices is None or isinstance(chosen.values, RaggedTensor):
        return chosen
    # As many columns in every row.
    sizes = array.concat([array.shape(dense_indices), array.shape(chosen.values)[1:]], axis=0)  # type: ignore[index]
    dense = array.reshape(chosen.values, sizes)
    dense.set_shape(dense_indices.shape.concatenate(chosen.values.shape[1:]))
    dense.set_shape(params.shape[:1].concatenate(dense.shape[1:]))
    return dense


def _ragged(value: Any) -> RaggedTensor:
    return value if isinstance(value, RaggedTensor) else RaggedTensor.from_tensor(value)


def gather_nd(params: Any, indices: Any, batch_dims: Any = 0, name: str | None = None) -> Any:
    """The slices of params at the coordinates in the last axis of indices [..., k]: [..., (rest of params)].

    Raises: ValueError for batch_dims, and for indices whose last axis is ragged or of unknown size.
    """
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError(error_text("batch_dims != 0 is not supported for ragged gather yet."))
    with named(name, "RaggedGatherNd"):
        return _gather_nd(*_with_one_splits_dtype(params, indices))


def _gather_nd(params: Any, indices: Any) -> Any:
    rank = indices.shape.ndims
    depth = None if rank is None else indices.shape[-1].value
    if depth is None and isinstance(indices, RaggedTensor) and indices.ragged_rank + 1 == rank:
        raise ValueError(error_text("The innermost dimension of indices may not be ragged"))
    if depth is None:
        raise ValueError(error_text("indices.rank be statically known."))
    if isinstance(indices, RaggedTensor):
        return indices.with_values(_gather_nd(params, indices.values))
    if not isinstance(params, RaggedTensor):
        return selection.gather_nd(params, indices)
    if depth == 0:
        return _gather(with_axis(params, 0), reductions.reduce_sum(indices, axis=-1))  # zeros: the whole tensor, again and again
    if depth == 1 and rank == 1:
        return _gather(params, indices)  # as TF does, which keeps the axis here
    places: Any = indices[..., 0]
    values: Any = params
    for axis in range(1, depth):
        if not isinstance(values, RaggedTensor):
            inner = array.stack([places, *[indices[..., k] for k in range(axis, depth)]], axis=-1)
            return selection.gather_nd(values, inner)
        starts = math.cast(values.row_starts(), indices.dtype)
        places = selection.gather(starts, places) + indices[..., axis]
        values = values.values
    return _gather(values, places)
