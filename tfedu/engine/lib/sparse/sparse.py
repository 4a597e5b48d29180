"""`tf.sparse`: builds, joins, slices, reorders and densifies sparse tensors; sparse_math.py computes with them. No
state.

A SparseTensor [d1, ..., dk] with n entries has indices [n, k], values [n] and dense_shape [k].
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import dimension_at_index
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.composites import IndexedSlices, SparseTensor, SparseTensorValue
from ...op.constant import constant
from ...op.infer import constant_value
from ...ops import basic as basic_ops
from ...ops import gather as gather_ops
from ...ops import sparse as ops
from ...ops import unique as unique_ops
from ..arrays import array, selection, sequences, slicing
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..framework.static_value import static_sizes, static_value
from ..math import math, reductions

# -- conversions ---------------------------------------------------------------------------------------------------


def as_sparse(sp_input: Any) -> SparseTensor:
    """The SparseTensor [...] of a SparseTensor or SparseTensorValue.

    Raises: TypeError for another value.
    """
    if isinstance(sp_input, SparseTensorValue):
        return SparseTensor.from_value(sp_input)
    if not isinstance(sp_input, SparseTensor):
        raise TypeError(error_text("Input must be a SparseTensor."))
    return sp_input


def _all_sparse(sp_inputs: Any) -> list[SparseTensor]:
    if not isinstance(sp_inputs, (list, tuple)):
        raise TypeError(error_text("Inputs must be a list or tuple."))
    return [as_sparse(sp_input) for sp_input in sp_inputs]


@atomic
def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """The SparseTensor [...] of a sparse value, else the value as a tensor [...].

    Raises: RuntimeError for a sparse tensor of another dtype.
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        return convert_to_tensor(value, wanted, name)
    if wanted is not None and not wanted.is_compatible_with(value.dtype):
        raise RuntimeError(
            error_text(f"Sparse dtype: requested = {wanted.name}, actual = {value.dtype.name}")
        )
    return value


@atomic
def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A Tensor, IndexedSlices or SparseTensor [...] unchanged, another value as a tensor [...].

    Raises: ValueError for another dtype.
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if not isinstance(value, (Tensor, IndexedSlices, SparseTensor)):
        return convert_to_tensor(value, wanted, name)
    if wanted is not None and not wanted.is_compatible_with(value.dtype):
        raise ValueError(
            error_text(
                f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype {value.dtype.name}: {str(value)!r}"
            )
        )
    return value


# -- constructors --------------------------------------------------------------------------------------------------------


@atomic
def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The entries of a dense tensor [...] that are not 0."""
    with named(name, "dense_to_sparse"):
        tensor = convert_to_tensor(tensor)
        zero = constant(0, tensor.dtype.base_dtype)
        indices = selection.where_v2(math.not_equal(tensor, zero))
        values = selection.gather_nd(tensor, indices)
        return SparseTensor(indices, values, array.shape(tensor, out_type=dtypes.int64))


def _size(value: Any, name: str) -> Tensor:
    if isinstance(value, numbers.Integral):
        return convert_to_tensor(value, dtypes.int64, name=name)
    if not isinstance(value, Tensor):
        raise TypeError(error_text(f"{name} must be an integer value"))
    return value if value.dtype.base_dtype is dtypes.int64 else math.cast(value, dtypes.int64)


@atomic
def eye(num_rows: Any, num_columns: Any = None, dtype: Any = dtypes.float32, name: str | None = None) -> SparseTensor:
    """A sparse identity matrix [num_rows, num_columns].

    Raises: TypeError for sizes that are not integers.
    """
    with named(name, "eye", [num_rows, num_columns]):
        rows = _size(num_rows, "num_rows")
        columns = rows if num_columns is None else _size(num_columns, "num_columns")
        count = math.minimum(rows, columns)
        diagonal = sequences.range(count, dtype=dtypes.int64)
        return SparseTensor(
            array.stack([diagonal, diagonal], axis=1), array.ones(count, dtype=dtype), [rows, columns]
        )


# -- shapes -------------------------------------------------------------------------------------------------


@atomic
def expand_dims(sp_input: SparseTensor, axis: Any = None, name: str | None = None) -> SparseTensor:
    """The input with a new axis of size 1, by default the last: [m, n] -> [m, n, 1].

    Raises: TypeError for an axis that is not an integer.
    """
    rank = sp_input.dense_shape.get_shape()[0]
    axis = -1 if axis is None else axis
    with named(name, "expand_dims", [sp_input]):
        if isinstance(axis, numbers.Integral):
            axis = convert_to_tensor(axis, dtypes.int32, name="axis")
        elif not isinstance(axis, Tensor):
            raise TypeError(
                error_text("axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]")
            )
        position = selection.where_v2(axis >= 0, axis, axis + rank + 1)
        count = array.shape(sp_input.indices)[0]  # type: ignore[index]
        column = array.zeros([count, 1], dtype=dtypes.int64)
        before = slicing.slice(sp_input.indices, [0, 0], [-1, position])
        after = slicing.slice(sp_input.indices, [0, position], [-1, -1])
        indices = array.concat([before, column, after], axis=1)
        sizes_before = slicing.slice(sp_input.dense_shape, [0], [position])
        sizes_after = slicing.slice(sp_input.dense_shape, [position], [-1])
        new_size = convert_to_tensor([1], dtypes.int64, name="new_shape")
        return SparseTensor(
            indices, sp_input.values, array.concat([sizes_before, new_size, sizes_after], axis=0)
        )


@atomic
def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The same tensor [...] with its entries in row-major order."""
    return ops.reordered(as_sparse(sp_input), name)


@atomic
def reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """The same entries as [shape], of the same size; one size may be -1 and is computed.

    Raises: ValueError for sizes known to be incompatible.
    """
    sp = as_sparse(sp_input)
    sizes = math.cast(shape, dtypes.int64)
    with named(name, "SparseReshape", [sp]) as scope:
        indices, new_shape = ops.sparse_reshape(sp.indices, sp.dense_shape, sizes, name=scope)
        wanted = static_sizes(sizes)
        if wanted is not None and sp.shape.is_fully_defined():
            given = static_value(sizes)
            if given is not None and given.tolist().count(-1) > 1:
                raise ValueError(error_text(f"At most one dimension can be inferred (-1). Found: {given}"))
            known = _known_sizes(list(wanted), int(np.prod(sp.shape.as_list())))
            new_shape = new_shape if known is None else constant(known, dtypes.int64)
        return SparseTensor(indices, basic_ops.identity(sp.values), new_shape)


def _known_sizes(wanted: list[int | None], total: int) -> list[int] | None:
    """The wanted sizes of `total` elements, with a number for an unknown one; None where several are unknown."""
    known = [n for n in wanted if n is not None]
    if len(known) < len(wanted) - 1:
        return None
    rest = total // max(int(np.prod(known)), 1)
    sizes = [rest if n is None else n for n in wanted]
    size = int(np.prod(sizes))
    if size != total:
        raise ValueError(error_text(f"Cannot reshape a tensor with {total} elements to shape {wanted} ({size} elements)."))
    return sizes


@atomic
def transpose(sp_input: SparseTensor, perm: Any = None, name: str | None = None) -> SparseTensor:
    """The axes in the order `perm` [rank], by default reversed: [m, n] -> [n, m]."""
    with named(name, "SparseTranspose", [sp_input]):
        if perm is None:
            rank = array.rank(sp_input)
            perm = rank - 1 - sequences.range(0, rank, 1)  # type: ignore[operator]
        columns = selection.gather(array.transpose(sp_input.indices), perm)
        indices = array.transpose(columns)
        order = constant_value(convert_to_tensor(perm))
        known = sp_input.get_shape()
        if order is not None and known.is_fully_defined():
            sizes = known.as_list()
            shape: Any = list(sizes)
            for i, axis in enumerate(order):
                shape[i] = sizes[axis]
        else:
            shape = selection.gather(sp_input.dense_shape, perm)
        return reorder(SparseTensor(indices, sp_input.values, shape))


@atomic
def reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """The same entries in the smallest shape [rank] that holds them, or in new_shape [rank], at least as large as
    the old one.

    Raises: ValueError for a shape known to be smaller.
    """
    sp = as_sparse(sp_input)
    indices, values = basic_ops.identity(sp.indices), basic_ops.identity(sp.values)
    old = basic_ops.identity(sp.dense_shape)
    if new_shape is None:
        highest = reductions.reduce_max(indices, axis=0)
        out: Any = math.maximum(constant(0, dtypes.int64), math.add(highest, array.ones_like(old)))
        return SparseTensor(indices, values, out)
    out = convert_to_tensor(new_shape)
    out.get_shape().assert_has_rank(1)
    out = math.cast(out, dtypes.int64)
    if out.raw_shape is not None:
        out.get_shape()[0].merge_with(dimension_at_index(old.get_shape(), 0))
    known = constant_value(out)
    if known is not None and sp.get_shape().is_fully_defined():
        before = np.array(sp.get_shape().as_list())
        if not (before <= known).all():
            raise ValueError(
                error_text(
                    "Requested new_shape should have dimension sizes >= sp_input.shape.  "
                    f"Found new_shape ({before}), sp_input.shape ({known})."
                )
            )
        out = known
    else:
        same = asserts.assert_equal(array.shape(old), array.shape(out))
        out = with_dependencies([same], out)
        out = with_dependencies([asserts.assert_less_equal(old, out)], out)
    return SparseTensor(indices, values, out)


# -- joins and parts -------------------------------------------------------------------------------------------


@atomic
def concat(
    axis: Any,
    sp_inputs: Any,
    name: str | None = None,
    expand_nonconcat_dim: bool = False,
    concat_dim: Any = None,
    expand_nonconcat_dims: Any = None,
) -> SparseTensor:
    """Sparse tensors joined along an axis: [a, n] and [b, n] with axis 0 -> [a + b, n].

    expand_nonconcat_dim: the other axes may differ in size; the largest counts.

    Raises: TypeError unless sp_inputs is a list of sparse tensors.
    """
    # As in TF, the newer name always conflicts with the older one's default.
    expand_nonconcat_dim = renamed(
        "expand_nonconcat_dims", expand_nonconcat_dims, "expand_nonconcat_dim", expand_nonconcat_dim
    )
    axis = renamed("axis", axis, "concat_dim", concat_dim)
    inputs = _all_sparse(sp_inputs)
    if len(inputs) == 1:
        return inputs[0]
    shapes = [sp.dense_shape for sp in inputs]
    if expand_nonconcat_dim:
        longest = reductions.reduce_max(array.concat([array.reshape(s, [1, -1]) for s in shapes], 0), 0)
        last = axis == -1
        shapes = [
            array.concat(
                [
                    longest[:axis],  # type: ignore[index]
                    sizes[-1:] if last else sizes[axis : axis + 1],  # type: ignore[index]
                    [] if last else longest[axis + 1 :],  # type: ignore[index]
                ],
                0,
            )
            for sizes in shapes
        ]
    indices, values, shape = ops.sparse_concat(
        [sp.indices for sp in inputs], [sp.values for sp in inputs], shapes, concat_dim=axis, name=name
    )
    known = [constant_value(sizes) for sizes in shapes]
    if known and all(sizes is not None for sizes in known):
        total = known[0].copy()
        total[axis] = sum(sizes[axis] for sizes in known)
        shape = convert_to_tensor(total)
    return SparseTensor(indices, values, shape)


class KeywordRequired:
    """The default of a positional parameter that forces all others to be passed by keyword."""

    def __repr__(self) -> str:
        return "KeywordRequired()"


@atomic
def split(
    keyword_required: Any = KeywordRequired(),  # noqa: B008 - as TF's signature has it
    sp_input: Any = None,
    num_split: int | None = None,
    axis: Any = None,
    name: str | None = None,
    split_dim: Any = None,
) -> list[SparseTensor]:
    """num_split parts along an axis: [n, m] with axis 0 -> sparse tensors [n/num_split, m]; all arguments by keyword.

    Raises: ValueError for positional and for missing arguments.
    """
    if not isinstance(keyword_required, KeywordRequired):
        raise ValueError(error_text("Keyword arguments are required for this function."))
    for argument, value in (("sp_input", sp_input), ("num_split", num_split), ("axis", axis)):
        if value is None:
            raise ValueError(error_text(f"{argument} is required"))
    axis = renamed("axis", axis, "split_dim", split_dim)
    sp = as_sparse(sp_input)
    parts = ops.sparse_split(axis, sp.indices, sp.values, sp.dense_shape, num_split=num_split, name=name)
    return [SparseTensor(*part) for part in zip(*parts)]


@atomic
def slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The block that starts at start [rank] and has at most the shape size [rank]."""
    sp = as_sparse(sp_input)
    start = convert_to_tensor(start, dtypes.int64)
    size = convert_to_tensor(size, dtypes.int64)
    with named(name, "SparseSlice", [sp]) as scope:
        return SparseTensor(*ops.sparse_slice(sp.indices, sp.values, sp.dense_shape, start, size, name=scope))


@atomic
def retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The entries i with to_retain[i]; to_retain is [n], the shape [...] stays."""
    sp = as_sparse(sp_input)
    is_retained = convert_to_tensor(to_retain)
    is_retained.get_shape().assert_has_rank(1)
    if sp.values.raw_shape is not None:
        sp.values.get_shape()[0].merge_with(dimension_at_index(is_retained.get_shape(), 0))
    entry_indices = array.reshape(selection.where_v2(is_retained), [-1])
    return SparseTensor(
        selection.gather(sp.indices, entry_indices),
        selection.gather(sp.values, entry_indices),
        basic_ops.identity(sp.dense_shape),
    )


@atomic
def fill_empty_rows(sp_input: Any, default_value: Any, name: str | None = None) -> tuple[SparseTensor, Tensor]:
    """(the tensor [rows, ...] with default_value in column 0 of each empty row, which rows were empty [rows])."""
    sp = as_sparse(sp_input)
    with named(name, "SparseFillEmptyRows", [sp]):
        default = convert_to_tensor(default_value, sp.values.dtype.base_dtype)
        indices, values, empty, _ = ops.sparse_fill_empty_rows(sp.indices, sp.values, sp.dense_shape, default)
        return SparseTensor(indices, values, sp.dense_shape), empty


@atomic
def mask(a: IndexedSlices, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """The slices [n, ...] without those whose indices are among mask_indices [k]."""
    with named(name, "sparse_mask", [a, mask_indices]) as scope:
        indices, kept_rows = unique_ops.list_diff(a.indices, mask_indices)
        return IndexedSlices(selection.gather(a.values, kept_rows, name=scope), indices, a.dense_shape)


# -- densification ---------------------------------------------------------------------------------------------------------


@atomic
def to_dense(
    sp_input: Any, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> Tensor:
    """The dense tensor [...]; default_value (0) where there is no entry."""
    sp = as_sparse(sp_input)
    if default_value is None:
        default_value = array.zeros([], dtype=sp.dtype.base_dtype)
    dense: Tensor = gather_ops.sparse_to_dense(
        sp.indices, sp.dense_shape, sp.values, default_value, validate_indices=validate_indices, name=name
    )
    return dense


@atomic
def to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Tensor:
    """A bool tensor [..., vocab_size] that is True at the entries' values: [..., n] -> [..., vocab_size]."""
    sp = as_sparse(sp_input)
    with named(name, "SparseToIndicator", [sp]) as scope:
        count = array.shape(sp.indices)[0]  # type: ignore[index]
        all_true = array.fill(array.expand_dims(count, 0), True)
        is_present = SparseTensor(sp.indices, all_true, sp.dense_shape)
        return to_dense(merge(sp, is_present, vocab_size, scope), False, False, scope)


def _vocabularies(sp_ids: Any, vocab_size: Any) -> tuple[Any, Any]:
    integer = (Tensor, numbers.Integral)
    if isinstance(sp_ids, (SparseTensor, SparseTensorValue)):
        if not isinstance(vocab_size, integer):
            raise TypeError(
                error_text(f"vocab_size has to be a Tensor or Python int. Found {type(vocab_size)}")
            )
        return [sp_ids], [vocab_size]
    if not isinstance(sp_ids, Iterable):
        raise TypeError(error_text(f"sp_ids has to be a SparseTensor or list thereof. Found {type(sp_ids)}"))
    if not isinstance(vocab_size, Iterable) or isinstance(vocab_size, Tensor):
        raise TypeError(
            error_text(f"vocab_size has to be a list of Tensors or Python ints. Found {type(vocab_size)}")
        )
    for size in vocab_size:
        if not isinstance(size, integer):
            raise TypeError(
                error_text(f"vocab_size has to be a list of Tensors or Python ints. Found {type(size)}")
            )
    if len(sp_ids) != len(vocab_size):  # type: ignore[arg-type]
        raise ValueError(error_text("sp_ids and vocab_size have to have equal lengths."))
    return sp_ids, vocab_size


@atomic
def merge(
    sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None, already_sorted: bool = False
) -> SparseTensor:
    """A sparse tensor [..., vocab_size] with the values at the ids in its last axis; several ids index several last
    axes.

    Raises: TypeError and ValueError for incompatible ids and sizes.
    """
    sp_ids, vocab_size = _vocabularies(sp_ids, vocab_size)
    with named(name, "SparseMerge", [sp_ids, sp_values]):
        ids = [as_sparse(id_tensor) for id_tensor in sp_ids]
        values_tensor = as_sparse(sp_values)
        columns = []
        for id_tensor in ids:
            int64_ids = id_tensor.values
            if int64_ids.dtype.base_dtype is not dtypes.int64:
                int64_ids = math.cast(int64_ids, dtypes.int64)
            columns.append(array.expand_dims(int64_ids, axis=1))
        sizes = [math.cast(size, dtypes.int64) for size in vocab_size]
        indices = array.concat([ids[0].indices[:, :-1], *columns], 1)  # type: ignore[index]
        shape = array.concat([ids[0].dense_shape[:-1], sizes], 0)  # type: ignore[index]
        result = SparseTensor(indices, values_tensor.values, shape)
        if already_sorted:
            return result
        ordered = reorder(result)
        return SparseTensor(ordered.indices, ordered.values, shape)


__all__ = [
    "concat", "convert_to_tensor_or_indexed_slices", "convert_to_tensor_or_sparse_tensor", "expand_dims", "eye",
    "fill_empty_rows", "from_dense", "mask", "merge", "reorder", "reset_shape", "reshape", "retain", "slice", "split",
    "to_dense", "to_indicator", "transpose",
]  # fmt: skip
