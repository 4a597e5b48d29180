"""`RaggedTensorValue`: the result of a run for a ragged tensor, and what can be fed for one. No state."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...base.errors import error_text


class RaggedTensorValue:
    """Rows of unequal lengths [rows, (row length), ...] in NumPy: row i is `values[row_splits[i]:row_splits[i + 1]]`.

    Raises: TypeError or ValueError unless row_splits are a 1-D integer array and fit the values.
    """

    def __init__(self, values: Any, row_splits: Any) -> None:
        splits_are_integers = isinstance(row_splits, (np.ndarray, np.generic)) and row_splits.dtype in (np.int64, np.int32)
        if not splits_are_integers or row_splits.ndim != 1:
            raise TypeError(error_text("row_splits must be a 1D int32 or int64 numpy array"))
        if not isinstance(values, (np.ndarray, np.generic, RaggedTensorValue)):
            raise TypeError(error_text("values must be a numpy array or a RaggedTensorValue"))
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError(error_text("row_splits and values.row_splits must have the same dtype"))
        self._values = values
        self._row_splits = row_splits

    @property
    def row_splits(self) -> Any:
        """The index in `values` at which each row starts, and at which the last one ends: [rows + 1]."""
        return self._row_splits

    @property
    def values(self) -> Any:
        """The values [values, ...] of all rows, row after row."""
        return self._values

    @property
    def dtype(self) -> Any:
        return self._values.dtype

    @property
    def flat_values(self) -> Any:
        """The values [values, ...] below all ragged axes."""
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensorValue) else inner

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits of each ragged axis, outermost first."""
        inner = self._values
        return (self._row_splits, *(inner.nested_row_splits if isinstance(inner, RaggedTensorValue) else ()))

    @property
    def ragged_rank(self) -> int:
        """The number of ragged axes."""
        return len(self.nested_row_splits)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The shape, None for each ragged axis."""
        return (len(self._row_splits) - 1, None, *self._values.shape[1:])

    @property
    def _parts(self) -> tuple[Any, ...]:
        return (self.flat_values, *self.nested_row_splits)

    def to_list(self) -> list[Any]:
        """The rows as nested Python lists."""
        inner = self._values
        values = inner.to_list() if isinstance(inner, RaggedTensorValue) else inner.tolist()
        ends = self._row_splits.tolist()
        return [values[start:end] for start, end in itertools.pairwise(ends)]

    def __str__(self) -> str:
        return f"<tf.RaggedTensorValue {self.to_list()}>"

    def __repr__(self) -> str:
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"


def value_of(parts: Any) -> RaggedTensorValue:
    """The value from its flat values [values, ...] and the splits of each ragged axis, outermost first."""
    value, *splits = parts
    for ends in reversed(splits):
        value = RaggedTensorValue(value, ends)
    return value  # type: ignore[no-any-return]


__all__ = ["RaggedTensorValue"]
