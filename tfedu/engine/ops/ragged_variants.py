"""RaggedTensorToVariant and RaggedTensorFromVariant: ragged tensors as elements of datasets. No state."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape
from ..op.define import AtLeast, Many, Sym, op, typevar
from ..op.shape_checks import INDEX, invalid

Tvalues = typevar("Tvalues")
Tsplits = typevar("Tsplits", INDEX, default=dtypes.int64)


class RaggedValue(NamedTuple):
    """A ragged tensor as the value of a variant. splits: one array [rows + 1] for each ragged axis, the outermost first."""

    splits: tuple[Any, ...]
    values: Any


def _rows(splits: Sequence[Any], values: Any) -> list[RaggedValue]:
    """The rows of a ragged tensor, each with one ragged axis less."""
    bounds = splits[0].tolist() if splits else range(len(values) + 1)
    rows = []
    for first, last in itertools.pairwise(bounds):
        if not splits:
            rows.append(RaggedValue((), values[first]))
            continue
        inner = []
        for deeper in splits[1:]:
            inner.append(deeper[first : last + 1] - deeper[first])
            first, last = deeper[first], deeper[last]
        rows.append(RaggedValue(tuple(inner), values[first:last]))
    return rows


def _variant_shape(rt_nested_splits: list[Sym], rt_dense_values: Sym, *, batched_input: bool) -> Shape:
    if not batched_input:
        return ()
    if not rt_nested_splits:
        return None if rt_dense_values.shape is None else rt_dense_values.shape[:1]
    outer = rt_nested_splits[0].shape
    return (None,) if not outer or outer[0] is None else (outer[0] - 1,)


@op("RaggedTensorToVariant", out="encoded_ragged", shape=_variant_shape)
def ragged_tensor_to_variant(
    run: Any, rt_nested_splits: Many[Tsplits, "RAGGED_RANK", 0], rt_dense_values: Tvalues, *,  # noqa: F821
    batched_input: bool,
) -> dtypes.variant:  # fmt: skip
    """A ragged tensor as one variant, or as one for each row: splits [rows + 1] each, values [n, ...] -> scalar or [rows]."""
    splits = tuple(np.ravel(each) for each in rt_nested_splits)
    if not batched_input:
        return RaggedValue(splits, rt_dense_values)
    if not splits and not np.ndim(rt_dense_values):
        raise invalid("Only non-scalar values can be taken apart into rows.")
    rows = _rows(splits, rt_dense_values)
    out = np.empty(len(rows), object)
    for i, row in enumerate(rows):
        out[i] = row
    return out


def _joined(parts: Sequence[RaggedValue], rank: int, values_kind: Any, splits_kind: Any) -> RaggedValue:
    """Ragged tensors of `rank` ragged axes as the rows of one."""
    lengths = [len(part.splits[0]) - 1 if rank else len(part.values) for part in parts]
    splits = [np.concatenate([[0], np.cumsum(lengths)]).astype(splits_kind)]
    for axis in range(rank):
        counts = [np.diff(part.splits[axis]) for part in parts]
        splits.append(np.concatenate([[0], np.cumsum(np.concatenate(counts or [[]]))]).astype(splits_kind))
    values = np.concatenate([part.values for part in parts]) if parts else np.empty(0, values_kind)
    return RaggedValue(tuple(splits), values)


def _parts_shape(encoded_ragged: Sym, *, output_ragged_rank: int, **_: Any) -> list[Shape]:
    return [*[(None,)] * output_ragged_rank, None]


@op("RaggedTensorFromVariant", out="output_nested_splits output_dense_values", shape=_parts_shape)
def ragged_tensor_from_variant(
    run: Any, encoded_ragged: dtypes.variant, *, input_ragged_rank: AtLeast[-1], output_ragged_rank: AtLeast[0],
    Tvalues: Tvalues, Tsplits: Tsplits = dtypes.int64,  # type: ignore[valid-type]
) -> tuple[Many[Tsplits, "output_ragged_rank", 0], Tvalues]:  # type: ignore[valid-type] # noqa: F821
    """Joins the ragged tensors in variants [...] into one; each axis of the input becomes a ragged axis -> splits, values.

    Raises: InvalidArgumentError for other variants, and for another number of axes than `output_ragged_rank`.
    """
    is_array = isinstance(encoded_ragged, np.ndarray)
    outer, flat = (encoded_ragged.shape, encoded_ragged.ravel().tolist()) if is_array else ((), [encoded_ragged])
    rank = output_ragged_rank - len(outer) if input_ragged_rank < 0 else input_ragged_rank
    if rank + len(outer) != output_ragged_rank:
        raise invalid(
            "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); output_ragged_rank: "
            f"{output_ragged_rank}, input_ragged_rank: {rank}, encoded_ragged.dims(): {len(outer)}."
        )
    for part in flat:
        if not isinstance(part, RaggedValue) or len(part.splits) != rank:
            raise invalid(f"Expected variants that hold ragged tensors of {rank} ragged axes.")
        if part.values.dtype != Tvalues.numpy:
            raise invalid(f"Expected values Tensor dtype: {Tvalues.name}, found: {part.values.dtype}")
    if not outer:
        return list(flat[0].splits), flat[0].values  # type: ignore[return-value]
    whole = _joined(flat, rank, Tvalues.numpy, Tsplits.numpy)
    # The last axis of the variants has rows of the length of each variant, which _joined adds; those before it are regular.
    regular = [
        (np.arange(int(np.prod(outer[:axis])) + 1) * outer[axis]).astype(Tsplits.numpy) for axis in range(1, len(outer))
    ]
    return [*regular, *whole.splits], whole.values  # type: ignore[return-value]


__all__ = ["RaggedValue"]
