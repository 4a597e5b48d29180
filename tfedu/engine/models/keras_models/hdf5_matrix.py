"""`HDF5Matrix`: rows of a dataset in an HDF5 file, read when they are asked for. State: a matrix's open file."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np

from ...base.errors import error_text
from .hdf5_files import opened


class HDF5Matrix:
    """Rows `start` to before `end` of a dataset [n, ...] in an HDF5 file, as an array that `fit` takes.

    normalizer: from the rows that were read to others.

    Raises: ImportError without h5py; NotFoundError and DataLossError for the file; KeyError for a dataset that is not there.
    """

    def __init__(
        self, datapath: Any, dataset: str, start: int = 0, end: int | None = None, normalizer: Callable[[Any], Any] | None = None
    ) -> None:  # fmt: skip
        files = ExitStack()
        weakref.finalize(self, files.close)
        self.data = files.enter_context(opened(datapath, "r"))[dataset]
        self.start, self.end = start, self.data.shape[0] if end is None else end
        self.normalizer = normalizer
        first = self._normalized(self.data[0:1])
        self._shape, self._dtype = (self.end - self.start, *first.shape[1:]), first.dtype

    def _normalized(self, rows: Any) -> Any:
        return rows if self.normalizer is None else self.normalizer(rows)

    def __len__(self) -> int:
        return self.end - self.start

    def __getitem__(self, key: Any) -> Any:
        """The rows of a number, a slice or a rising list of numbers, counted from `start`.

        Raises: IndexError for rows behind the end; TypeError for numbers that do not rise.
        """
        if isinstance(key, slice):
            begin, end = key.start or 0, self.shape[0] if key.stop is None else key.stop
            last, rows = end, slice(begin + self.start, end + self.start)
        elif isinstance(key, (int, np.integer)):
            last, rows = key + 1, key + self.start
        else:
            numbers = [int(each) for each in key]
            last, rows = max(numbers, default=-1) + 1, [each + self.start for each in numbers]
        if last > len(self):
            raise IndexError(error_text(f"HDF5Matrix: row {last - 1} of {len(self)}"))
        return self._normalized(self.data[rows])

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the rows, after the normalizer."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The dtype of the rows, after the normalizer."""
        return self._dtype

    @property
    def ndim(self) -> int:
        """The number of axes of the dataset."""
        return self.data.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape))


__all__ = ["HDF5Matrix"]
