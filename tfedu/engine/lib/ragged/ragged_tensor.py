"""`RaggedTensor`: rows of unequal lengths, stored as the rows' values and the index at which each row starts.

`RaggedTensor.from_row_lengths([3, 1, 4], [2, 0, 1])` is [[3, 1], [], [4]]. `run` returns a RaggedTensorValue, which
can be fed too. State: this module's entries in the runtime's table of composites and in the conversion registry.

Differs from TF 1.15: `to_tensor` builds one RaggedTensorToTensor node, as later releases do, instead of twenty small
ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor, register_tensor_conversion_function
from ...graph.nodes import Operation, Tensor
from ...op.composites import SparseTensor, SparseTensorValue
from ...op.constant import constant
from ...op.infer import constant_value
from ...ops import ragged as ops
from ...runtime.fetches import register_composite
from ..arrays import array, constructors, selection, sequences, slicing
from ..checks import asserts, type_asserts
from ..control.grouping import with_dependencies
from ..framework.scope_blocks import control_dependencies, named
from ..math import counting, math, reductions
from .ragged_value import RaggedTensorValue, value_of
from .row_partitions import (
    assert_non_decreasing,
    assert_packed_to_the_left,
    check_flag,
    lengths_of,
    longest_row,
    prepend_zero,
    row_numbers,
    static_size,
    unpadded_lengths,
)  # fmt: skip

_INTEGERS = (dtypes.int32, dtypes.int64)


class RaggedTensor:
    """Rows of unequal lengths [rows, (row length), ...]: row i is `values[row_splits[i]:row_splits[i + 1]]`; values
    may be ragged.

    Raises: ValueError when constructed otherwise than by a `from_` method.
    """

    def __init__(
        self,
        values: Any,
        row_splits: Any,
        cached_row_lengths: Tensor | None = None,
        cached_value_rowids: Tensor | None = None,
        cached_nrows: Tensor | None = None,
        internal: bool = False,
    ) -> None:
        if not internal:
            raise ValueError(
                error_text(
                    "RaggedTensor constructor is private; please use one of the factory methods instead (e.g., "
                    "RaggedTensor.from_row_lengths())"
                )
            )
        if not isinstance(row_splits, Tensor):
            raise TypeError(error_text(f"Row-partitioning argument must be a Tensor, got {row_splits!r}"))
        if not isinstance(values, (RaggedTensor, Tensor)):
            raise TypeError(error_text(f"values must be a Tensor or RaggedTensor, got {values!r}"))
        if row_splits.dtype not in _INTEGERS:
            raise ValueError(error_text("Row-partitioning argument must be int32 or int64"))
        row_splits.shape.assert_has_rank(1)
        values.shape.with_rank_at_least(1)
        row_splits.set_shape([None])
        self._values = values
        self._row_splits = row_splits
        self._cached_row_lengths = cached_row_lengths
        self._cached_value_rowids = cached_value_rowids
        self._cached_nrows = cached_nrows

    # -- from values and a partition into rows -----------------------------------------------------------------------

    @classmethod
    @atomic
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Value i belongs to row `value_rowids[i]`; value_rowids [values] never decrease. nrows: a scalar.

        Raises: ValueError for invalid row numbers; in the run InvalidArgumentError (validate).
        """
        check_flag(validate)
        with _scope(name, "RaggedFromValueRowIds", values, value_rowids, nrows):
            values, rowids = _convert_values_and_partition(values, value_rowids, "value_rowids")
            rowids.shape.assert_has_rank(1)
            static_rowids = constant_value(rowids)
            if nrows is None:
                if static_rowids is None:
                    last = array.concat([rowids[-1:], [-1]], axis=0)
                    rows, count = last[0] + 1, None
                else:
                    count = int(static_rowids[-1]) + 1 if len(static_rowids) else 0
                    rows = convert_to_tensor(count, rowids.dtype, name="nrows")
            else:
                rows = convert_to_tensor(nrows, rowids.dtype, name="nrows")
                static_rows = constant_value(rows)
                count = None if static_rows is None else int(static_rows)
                if count is not None and count < 0:
                    raise ValueError(error_text(f"Expected nrows >= 0; got {count}"))
                if count is not None and static_rowids is not None and len(static_rowids) and count <= static_rowids[-1]:
                    raise ValueError(
                        error_text(
                            f"Expected nrows >= value_rowids[-1] + 1; got nrows={count}, value_rowids[-1]={static_rowids[-1]}"
                        )
                    )
            rows.shape.assert_has_rank(0)
            values.shape[:1].assert_is_compatible_with(rowids.shape)
            if validate:
                message = "Arguments to from_value_rowids do not form a valid RaggedTensor"
                rowids = _after_checks(values, rowids, [
                    asserts.assert_equal(_count(values), _count(rowids), message=message),
                    asserts.assert_non_negative(rowids[:1], message=message),
                    assert_non_decreasing(rowids, message),
                    asserts.assert_less(rowids[-1:], rows, message=message),
                ])  # fmt: skip
            limit = math.cast(rows, dtypes.int32)
            lengths = counting.bincount(
                math.cast(rowids, dtypes.int32), minlength=limit, maxlength=limit, dtype=rowids.dtype
            )
            splits = prepend_zero(sequences.cumsum(lengths))
            if count is not None:
                lengths.set_shape([count])
                splits.set_shape([count + 1])
            return cls(values, splits, lengths, rowids, rows, internal=True)

    @classmethod
    @atomic
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i is `values[row_splits[i]:row_splits[i + 1]]`; row_splits are [rows + 1].

        Raises: ValueError for empty splits; in the run InvalidArgumentError for invalid ones (validate).
        """
        check_flag(validate)
        if isinstance(row_splits, (list, tuple)) and not row_splits:
            raise ValueError(error_text("row_splits tensor may not be empty."))
        with _scope(name, "RaggedFromRowSplits", values, row_splits):
            values, splits = _convert_values_and_partition(values, row_splits, "row_splits")
            splits.shape.assert_has_rank(1)
            if validate:
                message = "Arguments to from_row_splits do not form a valid RaggedTensor"
                splits = _after_checks(values, splits, [
                    asserts.assert_equal(splits[0], constant(0, splits.dtype), message=f"{message}:zero"),
                    assert_non_decreasing(splits, message),
                    asserts.assert_equal(splits[-1], _count(values, splits.dtype), message=message),
                ])  # fmt: skip
            return cls(values, splits, internal=True)

    @classmethod
    @atomic
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i holds the next `row_lengths[i]` values; row_lengths are [rows].

        Raises: in the run InvalidArgumentError for invalid lengths (validate).
        """
        check_flag(validate)
        with _scope(name, "RaggedFromRowLengths", values, row_lengths):
            values, lengths = _convert_values_and_partition(values, row_lengths, "row_lengths")
            lengths.shape.assert_has_rank(1)
            if validate:
                message = "Arguments to from_row_lengths do not form a valid RaggedTensor"
                lengths = _after_checks(values, lengths, [
                    asserts.assert_non_negative(lengths, message=message),
                    asserts.assert_equal(reductions.reduce_sum(lengths), _count(values, lengths.dtype), message=message),
                ])  # fmt: skip
            return cls(values, prepend_zero(sequences.cumsum(lengths)), lengths, internal=True)

    @classmethod
    @atomic
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i starts at value `row_starts[i]` and ends where the next row starts; row_starts are [rows].

        Raises: in the run InvalidArgumentError for invalid starts (validate).
        """
        check_flag(validate)
        with _scope(name, "RaggedFromRowStarts", values, row_starts):
            values, starts = _convert_values_and_partition(values, row_starts, "row_starts")
            starts.shape.assert_has_rank(1)
            count = _count(values, starts.dtype)
            if validate:
                message = "Arguments to from_row_starts do not form a valid RaggedTensor"
                starts = _after_checks(values, starts, [
                    asserts.assert_equal(starts[:1], constant(0, starts.dtype), message=f"{message}:zero"),
                    assert_non_decreasing(starts, message),
                    asserts.assert_less_equal(starts[-1:], count, message=message),
                ])  # fmt: skip
            return cls(values, array.concat([starts, [count]], axis=0), internal=True)

    @classmethod
    @atomic
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i ends before value `row_limits[i]` and starts where the previous row ends; row_limits are [rows].

        Raises: in the run InvalidArgumentError for invalid limits (validate).
        """
        check_flag(validate)
        with _scope(name, "RaggedFromRowLimits", values, row_limits):
            values, limits = _convert_values_and_partition(values, row_limits, "row_limits")
            limits.shape.assert_has_rank(1)
            if validate:
                message = "Arguments to from_row_limits do not form a valid RaggedTensor"
                limits = _after_checks(values, limits, [
                    asserts.assert_non_negative(limits[:1], message=message),
                    assert_non_decreasing(limits, message),
                    asserts.assert_equal(limits[-1:], _count(values, limits.dtype), message=message),
                ])  # fmt: skip
            return cls(values, prepend_zero(limits), internal=True)

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Any,
        nested_value_rowids: Any,
        nested_nrows: Any = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """`from_value_rowids` for each ragged axis, outermost first."""
        if isinstance(nested_nrows, Tensor):
            raise TypeError(error_text("nested_nrows must be a list of Tensors"))
        counts = [None] * len(nested_value_rowids) if nested_nrows is None else list(nested_nrows)
        if len(counts) != len(nested_value_rowids):
            raise ValueError(error_text("nested_nrows must have the same length as nested_value_rowids"))
        return _build_nested(
            "RaggedFromNestedValueRowIds", "nested_value_rowids", name, validate, flat_values, nested_value_rowids,
            lambda values, level: cls.from_value_rowids(values, nested_value_rowids[level], counts[level], validate=validate),
        )  # fmt: skip

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: str | None = None, validate: bool = True
    ) -> Any:
        """`from_row_splits` for each ragged axis, outermost first."""
        return _build_nested(
            "RaggedFromNestedRowSplits", "nested_row_splits", name, validate, flat_values, nested_row_splits,
            lambda values, level: cls.from_row_splits(values, nested_row_splits[level], validate=validate),
        )  # fmt: skip

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> Any:
        """`from_row_lengths` for each ragged axis, outermost first."""
        return _build_nested(
            "RaggedFromNestedRowlengths", "nested_row_lengths", name, validate, flat_values, nested_row_lengths,
            lambda values, level: cls.from_row_lengths(values, nested_row_lengths[level], validate=validate),
        )  # fmt: skip

    # -- from other tensors ---------------------------------------------------------------------------------------

    @classmethod
    @atomic
    def from_tensor(
        cls,
        tensor: Any,
        lengths: Any = None,
        padding: Any = None,
        ragged_rank: int = 1,
        name: str | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> RaggedTensor:
        """The rows of a dense tensor [rows, columns, ...], each cut to its length [rows], or without trailing
        `padding`.

        Raises: ValueError for both lengths and padding, or a ragged_rank below 1.
        """
        kind = as_dtype(row_splits_dtype)
        if lengths is not None and padding is not None:
            raise ValueError(error_text("Specify lengths or padding, but not both"))
        if not isinstance(ragged_rank, int):
            raise TypeError(error_text(f"ragged_rank expected int, got {ragged_rank!r}"))
        if ragged_rank <= 0:
            raise ValueError(error_text(f"ragged_rank must be greater than 0; got {ragged_rank}"))
        with named(name, "RaggedFromTensor", [tensor, padding]):
            tensor = convert_to_tensor(tensor, name="tensor")
            tensor.shape.with_rank_at_least(ragged_rank + 1)
            sizes = array.shape(tensor, out_type=kind)
            if ragged_rank > 1:
                flat = array.reshape(tensor, array.concat([constant([-1], kind), sizes[ragged_rank:]], axis=0))
                values = cls.from_tensor(flat, lengths, padding, row_splits_dtype=kind)
                counts = sequences.cumprod(sizes)
                splits = [sequences.range(0, counts[axis - 1] + 1) * sizes[axis] for axis in range(1, ragged_rank)]
                return cls.from_nested_row_splits(values, splits, validate=False)  # type: ignore[no-any-return]
            columns = sizes[1]
            if padding is not None:
                lengths = unpadded_lengths(tensor, convert_to_tensor(padding, tensor.dtype, name="padding"), columns, kind)
            if lengths is None:
                rows = sizes[0]
                values = array.reshape(tensor, array.concat([[rows * columns], sizes[2:]], axis=0))
                return cls.from_row_splits(values, sequences.range(rows + 1) * columns, validate=False)
            lengths = math.minimum(math.cast(convert_to_tensor(lengths, name="lengths"), kind), columns)
            lengths = math.maximum(lengths, constant(0, kind))
            lengths.shape.assert_has_rank(1)
            values = slicing.boolean_mask(tensor, constructors.sequence_mask(lengths, maxlen=columns))
            return cls.from_row_splits(values, prepend_zero(sequences.cumsum(lengths)), validate=False)

    @classmethod
    @atomic
    def from_sparse(
        cls, st_input: Any, name: str | None = None, row_splits_dtype: Any = dtypes.int64
    ) -> RaggedTensor:
        """The rows of a sparse matrix [rows, columns] whose rows are packed to the left.

        Raises: TypeError unless it is a SparseTensor, ValueError for another rank.
        """
        kind = as_dtype(row_splits_dtype)
        if not isinstance(st_input, (SparseTensor, SparseTensorValue)):
            raise TypeError(error_text(f"Expected SparseTensor, got {type(st_input).__name__}"))
        with named(name, "RaggedFromSparse", [*st_input[:3]] if isinstance(st_input, tuple) else [st_input.values]):
            sparse = SparseTensor.from_value(st_input)
            if 2 not in (static_size(sparse.dense_shape, 0), static_size(sparse.indices, 1)):
                raise ValueError(error_text("rank(st_input) must be 2"))
            with control_dependencies([assert_packed_to_the_left(sparse.indices)]):
                rows = math.cast(sparse.indices[:, 0], kind)
                return cls.from_value_rowids(
                    sparse.values, rows, math.cast(sparse.dense_shape[0], kind), validate=False
                )

    # -- properties ------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        return self._values.dtype  # type: ignore[no-any-return]

    @property
    def shape(self) -> TensorShape:
        """The static shape; ragged axes are None."""
        rows = self._row_splits.shape[0] - 1
        return TensorShape([rows, None]).concatenate(self._values.shape[1:])

    def get_shape(self) -> TensorShape:
        return self.shape

    @property
    def ragged_rank(self) -> int:
        """The number of ragged axes."""
        return len(self.nested_row_splits)

    @property
    def values(self) -> Any:
        """The values [values, ...] of all rows, row after row."""
        return self._values

    @property
    def row_splits(self) -> Tensor:
        """The index in `values` at which each row starts, and at which the last one ends: [rows + 1]."""
        return self._row_splits

    @property
    def flat_values(self) -> Tensor:
        """The values [values, ...] below all ragged axes."""
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensor) else inner

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """The row splits of each ragged axis, outermost first."""
        inner = self._values
        return (self._row_splits, *(inner.nested_row_splits if isinstance(inner, RaggedTensor) else ()))

    @property
    def _parts(self) -> tuple[Tensor, ...]:
        return (self.flat_values, *self.nested_row_splits)

    def _with_parts(self, values: Tensor, *row_splits: Tensor) -> RaggedTensor:
        ragged: Any = values
        for splits in reversed(row_splits):
            ragged = RaggedTensor(ragged, splits, internal=True)
        return ragged  # type: ignore[no-any-return]

    def _kept_shapes(self, invariant: Any) -> list[TensorShape]:
        """The static shapes that values and splits keep in a loop. invariant: this tensor's shape in every iteration.

        Raises: TypeError for an invariant that is not a shape.
        """
        shape = self.shape if invariant is None else invariant
        if not isinstance(shape, TensorShape):
            raise TypeError(error_text(f"Expected shape to be a TypeSpec or TensorShape, got {invariant!r}"))
        count = len(self.nested_row_splits)
        rows = None if shape.raw is None else shape.raw[0]
        outer = TensorShape([None if rows is None else rows + 1])
        values = TensorShape([None]).concatenate(shape[count + 1 :])
        return [values, outer, *[TensorShape([None])] * (count - 1)]

    def _levels(self) -> Iterable[RaggedTensor]:
        """This tensor, its values, their values, … as long as they are ragged."""
        level: Any = self
        while isinstance(level, RaggedTensor):
            yield level
            level = level.values

    @atomic
    def value_rowids(self, name: str | None = None) -> Tensor:
        """The row number [values] of each value."""
        if self._cached_value_rowids is not None:
            return self._cached_value_rowids
        with _scope(name, "RaggedValueRowIds", self):
            return row_numbers(self._row_splits)

    @atomic
    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """`value_rowids` of each ragged axis, outermost first."""
        with _scope(name, "RaggedNestedValueRowIds", self):
            return tuple([level.value_rowids() for level in self._levels()])

    @atomic
    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """The number of rows, a scalar."""
        kind = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        if self._cached_nrows is not None:
            return math.cast(self._cached_nrows, kind)
        with _scope(name, "RaggedNRows", self):
            return array.shape(self._row_splits, out_type=kind)[0] - 1  # type: ignore[index, no-any-return]

    @atomic
    def row_starts(self, name: str | None = None) -> Tensor:
        """The index in `values` at which each row starts: [rows]."""
        with _scope(name, "RaggedRowStarts", self):
            return self._row_splits[:-1]  # type: ignore[index, no-any-return]

    @atomic
    def row_limits(self, name: str | None = None) -> Tensor:
        """The index in `values` at which each row ends: [rows]."""
        with _scope(name, "RaggedRowLimits", self):
            return self._row_splits[1:]  # type: ignore[index, no-any-return]

    @atomic
    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """The length of each row along an axis: [rows], or ragged for a later axis.

        Raises: ValueError for an axis out of range.
        """
        if self._cached_row_lengths is not None and axis == 1:
            return self._cached_row_lengths
        with _scope(name, "RaggedRowLengths", self):
            rank = self.shape.ndims
            if rank is not None and not -rank <= axis < rank:
                raise ValueError(error_text(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}"))
            position = axis if axis >= 0 or rank is None else axis + rank
            if position == 0:
                return self.nrows()
            if position == 1:
                return lengths_of(self._row_splits)
            if isinstance(self._values, RaggedTensor):
                return self.with_values(self._values.row_lengths(position - 1))
            sizes = array.shape(self._values, out_type=self._row_splits.dtype)
            ones = array.ones(sizes[: position - 1], self._row_splits.dtype)
            return self.with_values(ones * sizes[position - 1])

    @atomic
    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor, ...]:
        """`row_lengths` of each ragged axis, outermost first."""
        with _scope(name, "RaggedNestedRowLengths", self):
            return tuple([level.row_lengths() for level in self._levels()])

    @atomic
    def bounding_shape(self, axis: Any = None, name: str | None = None, out_type: Any = None) -> Tensor:
        """The shape [rank] of the smallest dense tensor that holds all rows."""
        kind = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        with _scope(name, "RaggedBoundingBox", self):
            rows = array.shape(self._row_splits, out_type=kind)[0] - 1
            if axis == 0 and isinstance(axis, int):
                return rows  # type: ignore[no-any-return]
            longest = [longest_row(splits, kind) for splits in self.nested_row_splits]
            if axis == 1 and isinstance(axis, int):
                return longest[0]
            inner = array.shape(self.flat_values, out_type=kind)[1:]
            bounding_sizes: Tensor = array.concat([array.stack([rows, *longest]), inner], axis=0)
            return bounding_sizes if axis is None else selection.gather(bounding_sizes, axis)

    # -- the same rows with other values -----------------------------------------------------------------------------

    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows with other values [values, ...].

        Raises: ValueError for another row_splits dtype.
        """
        new_values.shape.with_rank_at_least(1)
        self.values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        if isinstance(new_values, RaggedTensor) and new_values.row_splits.dtype is not self._row_splits.dtype:
            raise ValueError(
                error_text(
                    "self and new_values have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to "
                    "convert them to compatible dtypes."
                )
            )
        return RaggedTensor(
            new_values, self._row_splits, self._cached_row_lengths, self._cached_value_rowids, self._cached_nrows,
            internal=True,
        )  # fmt: skip

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same rows with other values [values, ...] below all ragged axes."""
        inner = self._values
        return self.with_values(inner.with_flat_values(new_values) if isinstance(inner, RaggedTensor) else new_values)

    @atomic
    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        """The same rows with int32 or int64 splits.

        Raises: ValueError for another dtype.
        """
        kind = as_dtype(dtype)
        if kind not in _INTEGERS:
            raise ValueError(error_text("dtype must be int32 or int64"))
        if self._row_splits.dtype is kind:
            return self
        splits = math.cast(self._row_splits, kind)
        inner = self._values
        return RaggedTensor(
            inner.with_row_splits_dtype(kind) if isinstance(inner, RaggedTensor) else inner, splits, internal=True
        )

    # -- conversions --------------------------------------------------------------------------------------------

    @atomic
    def to_tensor(self, default_value: Any = None, name: str | None = None) -> Tensor:
        """The dense tensor [rows, longest row, ...]; default_value (0) pads short rows."""
        with _scope(name, "RaggedToTensor", self):
            if default_value is None:
                filler = array.zeros((), self.dtype)
            else:
                filler = convert_to_tensor(default_value, self.dtype, name="default_value")
            dense: Tensor = ops.ragged_tensor_to_tensor(
                constant(-1, self._row_splits.dtype), self.flat_values, filler, self.nested_row_splits,
                row_partition_types=["ROW_SPLITS"] * self.ragged_rank,
            )  # fmt: skip
            return dense

    @atomic
    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """The SparseTensor [rows, longest row, ...] with the same values at the same coordinates."""
        with _scope(name, "RaggedToSparse", self):
            return SparseTensor(*ops.ragged_tensor_to_sparse(self.nested_row_splits, self.flat_values, name=name))

    def to_list(self) -> list[Any]:
        """Raises: ValueError, always: there are no values before a run."""
        raise ValueError(
            error_text(
                "RaggedTensor.to_list() is only supported in eager mode; in graph mode, evaluate the RaggedTensor first "
                "and then use RaggedTensorValue.to_list()."
            )
        )

    def consumers(self) -> list[Operation]:
        """The consumers of the tensors that it consists of."""
        return list(dict.fromkeys([op for part in self._parts for op in part.consumers()]))

    # -- Python protocols ------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"

    def __bool__(self) -> bool:
        raise TypeError(error_text("RaggedTensor may not be used as a boolean."))

    def __iter__(self) -> Any:
        raise TypeError(error_text("RaggedTensor is not iterable: its rows are known only in a run"))


register_composite(RaggedTensor, lambda ragged: ragged._parts, value_of)


def _refuse(value: RaggedTensor, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    """Raises: TypeError: an op that needs a dense tensor does not accept a ragged one."""
    raise TypeError(
        error_text(
            f"Failed to convert object of type {RaggedTensor} to Tensor. Contents: {value}. Consider casting elements to a "
            "supported type.",
            value._parts,
            fix="x.to_tensor() is dense; tf.ragged.map_flat_values(op, x) computes with the values of all rows",
        )
    )


register_tensor_conversion_function(RaggedTensor, _refuse)


# -- shared steps --------------------------------------------------------------------------------


@atomic
def _build_nested(
    title: str,
    argument: str,
    name: str | None,
    validate: Any,
    flat_values: Any,
    parts: Any,
    step: Callable[[Any, int], Any],
) -> Any:
    """`step(values, level)` for each ragged axis, from the innermost outward."""
    check_flag(validate)
    if isinstance(parts, Tensor):
        raise TypeError(error_text(f"{argument} must be a list of Tensors"))
    with _scope(name, title, flat_values, *parts):
        values = flat_values
        for level in range(len(parts) - 1, -1, -1):
            values = step(values, level)
        return values


def _scope(name: str | None, default: str, *values: Any) -> Any:
    """The name scope of a method, in the graph of its tensors."""
    return named(name, default, [v.flat_values if isinstance(v, RaggedTensor) else v for v in values if v is not None])


def _after_checks(values: Any, partition: Tensor, checks: Sequence[Operation]) -> Tensor:
    """The partition, with control edges from the checks."""
    ranks = [] if isinstance(values, RaggedTensor) else [type_asserts.assert_rank_at_least(values, 1)]
    return with_dependencies([*checks, *ranks], partition)  # type: ignore[no-any-return]


def _count(tensor: Any, out_type: DType = dtypes.int32) -> Any:
    """The number of rows, a scalar."""
    if isinstance(tensor, RaggedTensor):
        return tensor.nrows(out_type=out_type)
    return array.shape(tensor, out_type=out_type)[0]  # type: ignore[index]


def _convert_values_and_partition(values: Any, partition: Any, name: str) -> tuple[Any, Tensor]:
    """Both as tensors; the partition has the dtype of the splits inside `values`, else int64.

    Raises: ValueError for another dtype.
    """
    if isinstance(values, RaggedTensor):
        splits_dtype = values.row_splits.dtype
        if not isinstance(partition, Tensor):
            return values, convert_to_tensor(partition, splits_dtype, name=name)
        if partition.dtype not in _INTEGERS:
            raise ValueError(error_text(f"{name} must have dtype int32 or int64"))
        if partition.dtype is not splits_dtype:
            raise ValueError(
                error_text(f"dtype mismatch: {name} ({partition.dtype}) vs values.row_splits ({splits_dtype})")
            )
        return values, partition
    values = convert_to_tensor(values, name="values")
    if isinstance(partition, np.ndarray) and partition.dtype == np.int32:
        partition_tensor = convert_to_tensor(partition, name=name)
    else:
        partition_tensor = convert_to_tensor(partition, preferred_dtype=dtypes.int64, name=name)
    if partition_tensor.dtype not in _INTEGERS:
        raise ValueError(error_text(f"{name} must have dtype int32 or int64"))
    return values, partition_tensor


def as_ragged_or_dense(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A RaggedTensor [rows, (row length), ...] unchanged, a RaggedTensorValue as constants, other values as a tensor
    [...].

    Raises: ValueError for a RaggedTensor of another dtype.
    """
    if isinstance(value, RaggedTensor):
        if dtype is not None and not as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(
                error_text(
                    f"Tensor conversion requested dtype {as_dtype(dtype).name} for RaggedTensor with dtype "
                    f"{value.dtype.name}: {value!r}"
                )
            )
        return value
    if isinstance(value, RaggedTensorValue):
        with named(name, "ConvertToTensorOrRaggedTensor"):
            flat = convert_to_tensor(value.flat_values, dtype, name="flat_values")
            return RaggedTensor.from_nested_row_splits(flat, value.nested_row_splits, validate=False)
    return convert_to_tensor(value, dtype, name=name)


__all__ = ["RaggedTensor", "RaggedTensorValue"]
