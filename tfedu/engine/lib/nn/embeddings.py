"""`tf.nn.embedding_lookup` and its forms for sparse ids: rows of one table, or of a table in parts, as in TF 1.15. No state.

The ids of a table in parts are shared out by `partition_strategy`. "mod": id i is row i // parts of part i % parts.
"div": each part holds consecutive ids, and the first parts hold one more where the division leaves a rest.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...base.shapes import TensorShape, dimension_at_index
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.composites import SparseTensor
from ...op.constant import constant
from ...ops import gather as gather_ops
from ...ops import sparse_math as sparse_ops
from ..arrays import array, selection, slicing
from ..arrays.sequences import range
from ..control.grouping import identity
from ..framework.scope_blocks import colocate_with, named
from ..math import clip, math, reductions
from ..sparse import sparse
from ..variables.partitioned import PartitionedVariable

Transform = Callable[[Tensor], Tensor]


def parts_of(params: Any) -> list[Any]:
    """The parts of a table: those of a partitioned variable, of a list, or the table itself."""
    if isinstance(params, PartitionedVariable):
        return list(params)
    return params if isinstance(params, list) else [params]


@atomic
def embedding_lookup(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: Any = None,
) -> Tensor:
    """The rows of params [n, ...] (or of its parts) at ids [i...] -> [i..., ...]; each row's L2 norm is at most max_norm.

    validate_indices: unused, as in TF 1.15: ids are always checked in the run.

    Raises: ValueError for no params, or an unknown strategy; InvalidArgumentError for an id outside the table.
    """
    return transformed_lookup(params, ids, partition_strategy, name, max_norm)


@atomic
def transformed_lookup(
    params: Any, ids: Any, partition_strategy: str, name: str | None, max_norm: Any = None, transform: Transform | None = None
) -> Tensor:
    """`embedding_lookup`, and what `transform` makes of the rows [k, ...] of each part on the part's device, [k, ...]."""
    if params is None:
        raise ValueError(error_text("params must be specified"))
    if isinstance(params, list | tuple) and not params:
        raise ValueError(error_text("Need at least one param"))
    parts = parts_of(params)
    with named(name, "embedding_lookup", [*parts, ids]) as scope:
        if not any(hasattr(part, "handle") for part in parts):
            parts = [convert_to_tensor(part, name=f"params_{i}") for i, part in enumerate(parts)]
        ids = convert_to_tensor(ids, name="ids")
        if len(parts) == 1:
            with colocate_with(parts[0]):
                rows = _within_norm(selection.gather(parts[0], ids, name=scope), ids, max_norm)
                if transform is not None:
                    rows = transform(rows)
            return identity(rows)
        if transform is None:
            return _within_norm(_from_parts(parts, ids, partition_strategy, scope, None), ids, max_norm)
        return _from_parts(
            parts, ids, partition_strategy, scope, lambda rows, own: transform(_within_norm(rows, own, max_norm))
        )


def _within_norm(rows: Tensor, ids: Tensor, max_norm: Any) -> Tensor:
    """The rows [i..., ...] for ids [i...], each scaled down to a norm of at most max_norm."""
    if max_norm is None:
        return rows
    first, end = (array.rank(t) if t.raw_shape is None else len(t.raw_shape) for t in (ids, rows))
    is_known = isinstance(first, int) and isinstance(end, int)
    axes = list(builtins.range(first, end)) if is_known else range(first, end)
    return clip.clip_by_norm(rows, max_norm, axes=axes)


def _from_parts(
    parts: list[Any], ids: Tensor, strategy: str, scope: str, transform: Callable[[Tensor, Tensor], Tensor] | None
) -> Tensor:
    """The rows for ids [i...] of a table in parts -> [i..., ...]; transform(rows, ids): what each part's rows become."""
    count = len(parts)
    flat: Any = array.reshape(ids, [-1])
    places = range(array.size(flat))
    if strategy == "mod":
        part_numbers, row_numbers = flat % count, flat // count
    elif strategy == "div":
        part_numbers, row_numbers = _consecutive(parts, flat)
    else:
        raise ValueError(error_text(f"Unrecognized partition strategy: {strategy}"))
    part_numbers = math.cast(part_numbers, dtypes.int32)
    rows_in_parts = selection.dynamic_partition(row_numbers, part_numbers, count)
    places_in_parts = selection.dynamic_partition(places, part_numbers, count)
    found = []
    for part, wanted in zip(parts, rows_in_parts):
        with colocate_with(part):
            rows = selection.gather(part, wanted)
            found.append(rows if transform is None else transform(rows, wanted))
    rows = gather_ops.parallel_dynamic_stitch(places_in_parts, found, name=scope)
    row_shape: TensorShape = (parts[0] if transform is None else rows).get_shape()[1:]
    for part in parts[1:] if transform is None else ():
        row_shape = row_shape.merge_with(part.get_shape()[1:])
    sizes: Any = row_shape
    if not row_shape.is_fully_defined():
        if transform is None:
            with colocate_with(parts[0]):
                sizes = array.shape(parts[0])
        else:
            sizes = array.shape(rows)
        sizes = sizes[1:]
    rows = array.reshape(rows, array.concat([array.shape(ids), sizes], 0))
    rows.set_shape(ids.shape.concatenate(row_shape))
    return rows


def _consecutive(parts: list[Any], flat: Any) -> tuple[Any, Any]:
    """(part number, row in the part) of each id [i] where parts hold consecutive ids."""
    lengths = [dimension_at_index(part.get_shape(), 0).value for part in parts]
    if None not in lengths:
        total: Any = constant(sum(lengths), flat.dtype)
    else:
        for i, part in enumerate(parts):
            if lengths[i] is None:
                with colocate_with(part):
                    lengths[i] = array.shape(part)[0]  # type: ignore[index]
        total = reductions.reduce_sum(math.cast(array.stack(lengths), flat.dtype))
    shorter, longer_parts = total // len(parts), total % len(parts)
    part_numbers: Any = math.maximum(flat // (shorter + 1), (flat - longer_parts) // shorter)
    is_longer = part_numbers < longer_parts
    row_numbers = selection.where(is_longer, flat % (shorter + 1), (flat - longer_parts) % shorter)
    return part_numbers, row_numbers


# -- several ids a row -----------------------------------------------------------------------------------------------


@atomic
def embedding_lookup_sparse(
    params: Any,
    sp_ids: Any,
    sp_weights: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    combiner: str | None = None,
    max_norm: Any = None,
) -> Tensor:
    """The embeddings params[id] of each row's ids, combined: params [v, ...], sparse ids [n, k], sparse weights [n, k] (or
    None: all 1) -> [n, ...].

    combiner: "sum" Σ w·e, "mean" Σ w·e / Σ w (the default), or "sqrtn" Σ w·e / √Σ w².

    Raises: ValueError for another combiner, TypeError for ids or weights that are not sparse.
    """
    combiner = checked_combiner(combiner)
    parts = parts_of(params)
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError(error_text("sp_ids must be SparseTensor"))
    if sp_weights is not None:
        if not isinstance(sp_weights, SparseTensor):
            raise TypeError(error_text("sp_weights must be either None or SparseTensor"))
        for ours, theirs in (
            (sp_ids.values, sp_weights.values),
            (sp_ids.indices, sp_weights.indices),
            (sp_ids.dense_shape, sp_weights.dense_shape),
        ):
            ours.shape.assert_is_compatible_with(theirs.shape)
    with named(name, "embedding_lookup_sparse", [*parts, sp_ids]) as scope:
        segments = math.cast(sp_ids.indices[:, 0], dtypes.int32)  # type: ignore[index]
        different, places = selection.unique(sp_ids.values)
        embeddings = embedding_lookup(parts, different, partition_strategy=partition_strategy, max_norm=max_norm)
        if embeddings.dtype in (dtypes.float16, dtypes.bfloat16):
            embeddings = math.cast(embeddings, dtypes.float32)
        if sp_weights is None:
            op = {
                "sum": sparse_ops.sparse_segment_sum,
                "mean": sparse_ops.sparse_segment_mean,
                "sqrtn": sparse_ops.sparse_segment_sqrt_n,
            }[combiner]
            combined: Tensor = op(embeddings, places, segments, name=scope)
            return combined
        weights = sp_weights.values
        if weights.dtype != embeddings.dtype:
            weights = math.cast(weights, embeddings.dtype)
        return _weighted(selection.gather(embeddings, places), weights, segments, combiner, scope)


def checked_combiner(combiner: str | None) -> str:
    """The combiner; "mean" with a warning for None.

    Raises: ValueError for one that does not exist.
    """
    if combiner is None:
        log.warn('The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.')
        combiner = "mean"
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(error_text("combiner must be one of 'mean', 'sqrtn' or 'sum'"))
    return combiner


def _weighted(embeddings: Any, weights: Any, segments: Tensor, combiner: str, scope: str) -> Tensor:
    """embeddings [k, ...] times weights [k], combined by segment."""
    ones = array.fill(array.expand_dims(array.rank(embeddings) - 1, 0), 1)  # type: ignore[operator]
    spread: Any = array.reshape(weights, array.concat([array.shape(weights), ones], 0))
    if embeddings.shape.ndims is not None:
        spread.set_shape(weights.shape.concatenate([1] * (embeddings.shape.ndims - 1)))
    embeddings = embeddings * spread
    if combiner == "sum":
        total: Tensor = reductions.segment_sum(embeddings, segments, name=scope)
        return total
    total = reductions.segment_sum(embeddings, segments)
    if combiner == "mean":
        return math.div(total, reductions.segment_sum(spread, segments), name=scope)
    squares = reductions.segment_sum(math.pow(spread, 2), segments)
    return math.div(total, math.sqrt(squares), name=scope)


# -- with rows that may be empty -------------------------------------------------------------------------------------


@atomic
def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str | None = "mean",
    default_id: Any = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: Any = None,
) -> Tensor:
    """`embedding_lookup_sparse` for ids [d..., k] of any rank -> [d..., ...], with 0 (or the row default_id) for an empty row.

    Negative ids are left out, and so are ids of weight 0 or less unless the combiner is "sum".

    Raises: ValueError for no embedding_weights.
    """
    parts = checked_parts(embedding_weights)
    dtype = None if sparse_weights is None else sparse_weights.dtype
    parts = [
        part if hasattr(part, "handle") and dtype in (None, part.dtype) else convert_to_tensor(part, dtype=dtype)
        for part in parts
    ]
    return lookup_with_empty_rows(
        parts, sparse_ids, sparse_weights, combiner, default_id, name, partition_strategy, max_norm
    )


def checked_parts(embedding_weights: Any) -> list[Any]:
    """The parts of a table that must be given.

    Raises: ValueError for None and for an empty list.
    """
    if embedding_weights is None:
        raise ValueError(error_text(f"Missing embedding_weights {embedding_weights}."))
    parts = parts_of(embedding_weights)
    if not parts:
        raise ValueError(error_text(f"Missing embedding_weights {parts}."))
    return parts


def lookup_with_empty_rows(
    parts: list[Any],
    ids: SparseTensor,
    weights: SparseTensor | None,
    combiner: str | None,
    default_id: Any,
    name: str | None,
    partition_strategy: str,
    max_norm: Any,
) -> Tensor:
    """`safe_embedding_lookup_sparse` of converted parts: ids [d..., k] -> [d..., ...]."""
    with named(name, "embedding_lookup", [*parts, ids, *([] if weights is None else [weights])]) as scope:
        full_shape = ids.dense_shape
        static_rank = dimension_at_index(full_shape.get_shape(), 0).value
        rank: Any = array.size(full_shape) if static_rank is None else static_rank
        rows = reductions.reduce_prod(slicing.slice(full_shape, [0], [rank - 1]))
        ids = sparse.reshape(ids, [rows, selection.gather(full_shape, rank - 1)])
        if weights is not None:
            weights = SparseTensor(ids.indices, weights.values, ids.dense_shape)
        ids, weights = _with_valid_ids(ids, weights)
        if combiner != "sum" and weights is not None:
            is_positive = math.greater(weights.values, 0)
            ids, weights = sparse.retain(ids, is_positive), sparse.retain(weights, is_positive)
        ids, is_row_empty = sparse.fill_empty_rows(ids, default_id or 0)
        if weights is not None:
            weights, _ = sparse.fill_empty_rows(weights, 1.0)
        result = embedding_lookup_sparse(
            parts, ids, weights, combiner=combiner, partition_strategy=partition_strategy,
            name=None if default_id is None else scope, max_norm=max_norm,
        )  # fmt: skip
        if default_id is None:
            column = array.reshape(is_row_empty, [-1, 1])
            is_row_empty = array.tile(column, array.stack([1, array.shape(result)[1]]))  # type: ignore[index]
            result = selection.where(is_row_empty, array.zeros_like(result), result, name=scope)
        outer = slicing.slice(math.cast(full_shape, dtypes.int32), [0], [rank - 1])
        inner = slicing.slice(array.shape(result), [1], [-1])
        final = array.reshape(result, array.concat([outer, inner], 0))
        known_outer = TensorShape(None if static_rank is None else [None] * (static_rank - 1))
        final.set_shape(known_outer.concatenate(result.get_shape()[1:]))
        return final


def _with_valid_ids(ids: SparseTensor, weights: SparseTensor | None) -> tuple[SparseTensor, SparseTensor | None]:
    """The entries without negative ids."""
    is_valid = math.greater_equal(ids.values, 0)
    if weights is None:
        return sparse.retain(ids, is_valid), None
    is_valid = math.logical_and(is_valid, array.ones_like(weights.values, dtype=dtypes.bool))
    return sparse.retain(ids, is_valid), sparse.retain(weights, is_valid)


__all__ = ["embedding_lookup", "embedding_lookup_sparse", "safe_embedding_lookup_sparse"]
