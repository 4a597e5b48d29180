"""`tf.data.experimental.CsvDataset`, `make_csv_dataset` and SqlDataset: datasets of rows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...files import gfile
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.framework.type_specs import TensorSpec
from ...op.callers import nodes
from ...op.constant import constant
from . import structure
from .building import boolean, flat_facts, number
from .dataset import Dataset
from .transformations import ignore_errors as without_errors
from .transformations import in_epochs, parallel_interleave

# The dtypes of columns, in the order in which the inference of dtypes tries them.
_KINDS: Final = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)


class CsvDataset(Dataset):
    """The records of csv files, as a tuple of one scalar for each column.

    filenames: a name, or names [n]. record_defaults: for each column its dtype, if it must not be missing, or a default. header:
    whether each file has one line of names first. select_cols: the numbers of the columns to read, in order.
    Raises: TypeError for a default of another dtype.
    """

    _label = "CsvDatasetV1"

    @atomic
    def __init__(
        self,
        filenames: Any,
        record_defaults: Sequence[Any],
        compression_type: Any = None,
        buffer_size: Any = None,
        header: Any = False,
        field_delim: Any = ",",
        use_quote_delim: Any = True,
        na_value: Any = "",
        select_cols: Any = None,
    ) -> None:
        names = convert_to_tensor(filenames, dtypes.string, name="filenames")
        compression = number("compression_type", "" if compression_type is None else compression_type, dtypes.string)
        defaults = [
            convert_to_tensor(each, name=f"record_defaults_{i}") for i, each in enumerate(_with_required(record_defaults))
        ]
        inputs = (
            names, compression, number("buffer_size", 4 * 1024 * 1024 if buffer_size is None else buffer_size),
            boolean("header", header), number("field_delim", field_delim, dtypes.string),
            boolean("use_quote_delim", use_quote_delim), number("na_value", na_value, dtypes.string),
            number("select_cols", [] if select_cols is None else select_cols),
        )  # fmt: skip
        spec = tuple([TensorSpec([], default.dtype) for default in defaults])
        super().__init__(nodes.CSVDataset(*inputs, defaults, output_shapes=structure.flat_shapes(spec)), spec)


def _with_required(defaults: Sequence[Any]) -> list[Any]:
    """The defaults, with a tensor [0] in place of each dtype: the values of that column must not be missing."""
    return [constant([], as_dtype(each)) if _is_dtype(each) else each for each in defaults]


def _is_dtype(value: Any) -> bool:
    return isinstance(value, DType) or (isinstance(value, type) and issubclass(value, np.generic))


class SqlDataset(Dataset):
    """The rows that a query of a database finds, as a tuple of one scalar for each column. The database is only read.

    driver_name: "sqlite". data_source_name: the path of the database. output_types: the dtypes of the columns, a tuple.
    """

    _label = "SqlDatasetV1"

    @atomic
    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any) -> None:
        inputs = [
            number(name, value, dtypes.string)
            for name, value in (("driver_name", driver_name), ("data_source_name", data_source_name), ("query", query))
        ]
        spec = structure.mapped(lambda dtype: TensorSpec([], as_dtype(dtype)), output_types)
        super().__init__(nodes.SqlDataset(*inputs, **flat_facts(spec)), spec)


# -- whole csv files ----------------------------------------------------------------------------------------------------------


@atomic
def make_csv_dataset(
    file_pattern: Any,
    batch_size: int,
    column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None,
    select_columns: Sequence[Any] | None = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: str | None = None,
    ignore_errors: bool = False,
) -> Dataset:
    """Batches of the records of csv files: an OrderedDict from names to columns [n], or a pair of that and the column of labels.

    file_pattern: a pattern of names, or several. column_defaults: as CsvDataset's; by default the files' first
    `num_rows_for_inference` rows (None: all) tell the dtypes. num_epochs: None for no end.
    Raises: ValueError for a pattern without files, and for names of columns that do not fit the files.
    """
    names = _sorted_files(file_pattern)
    if column_names is not None and len(set(column_names)) != len(column_names):
        raise ValueError(error_text("Cannot have duplicate column names."))
    files = _Files(names, field_delim, use_quote_delim, compression_type)
    if column_names is None:
        if not header:
            raise ValueError(error_text("Cannot infer column names without a header line.", fix="give column_names=[…]"))
        column_names = files.column_names()
    columns = None if select_columns is None else _column_numbers(select_columns, column_names)
    if column_defaults is None:
        rows = files.rows(len(column_names), header, num_rows_for_inference)
        chosen = range(len(column_names)) if columns is None else columns
        column_defaults = _inferred(rows, chosen, na_value)
    # Once, before the function that opens one file, which captures them.
    defaults = _with_required(column_defaults)
    if columns is not None:
        column_names = [column_names[i] for i in columns]
    if label_name is not None and label_name not in column_names:
        raise ValueError(error_text("`label_name` provided must be one of the columns.", fix=f"one of {list(column_names)}"))

    def read(name: Tensor) -> CsvDataset:
        return CsvDataset(
            name, defaults, compression_type=compression_type, header=header, field_delim=field_delim,
            use_quote_delim=use_quote_delim, na_value=na_value, select_cols=columns,
        )  # fmt: skip

    def by_name(*values: Any) -> Any:
        features = OrderedDict(zip(column_names, values))
        return features if label_name is None else (features, features.pop(label_name))

    dataset = Dataset.from_tensor_slices(names)
    if shuffle:
        dataset = dataset.shuffle(len(names), shuffle_seed)
    cycle = 1 if num_parallel_reads is None else num_parallel_reads
    dataset = dataset.apply(parallel_interleave(read, cycle_length=cycle, sloppy=sloppy))
    if ignore_errors:
        dataset = dataset.apply(without_errors())
    dataset = in_epochs(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    # Without an end each batch is whole, so that its size is known.
    return dataset.batch(batch_size, drop_remainder=num_epochs is None).map(by_name).prefetch(prefetch_buffer_size)


def _sorted_files(patterns: Any) -> list[str]:
    """The files that match the patterns, in order.

    Raises: ValueError for none.
    """
    each = [patterns] if isinstance(patterns, str) else list(patterns)
    if not each:
        raise ValueError(error_text("File pattern is empty."))
    found: list[str] = []
    for pattern in each:
        matching = gfile.glob(pattern)
        if not matching:
            raise ValueError(error_text(f"No files match {pattern}."))
        found += matching
    return sorted(found)


class _Files:
    """The csv files, read in Python to find names and dtypes of their columns."""

    def __init__(self, names: list[str], delimiter: str, has_quotes: bool, compression: str | None) -> None:
        # Imported here: Python imports a user's own csv.py instead, which then breaks this dataset alone.
        import csv

        self._names = names
        self._reader = csv.reader
        self._format = {"delimiter": delimiter, "quoting": csv.QUOTE_MINIMAL if has_quotes else csv.QUOTE_NONE}
        if compression:
            text = "Cannot infer the names and dtypes of columns from compressed files."
            raise ValueError(error_text(text, fix="give column_names and column_defaults"))

    def _of(self, name: str) -> Iterator[list[str]]:
        with gfile.File(name, "r") as file:
            yield from self._reader(file, **self._format)

    def column_names(self) -> list[str]:
        """The names in the first lines of the files.

        Raises: ValueError for an empty file, and for files of different columns.
        """
        found: list[str] | None = None
        for name in self._names:
            columns = next(self._of(name), None)
            if columns is None:
                raise ValueError(error_text(f"Received StopIteration when reading the header line of {name}.  Empty file?"))
            if found is not None and columns != found:
                fix = f"{name} has the columns {columns}, and the files before it {found}"
                raise ValueError(error_text("Files have different column names in the header row.", fix=fix))
            found = columns
        return found or []

    def rows(self, count: int, header: bool, limit: int | None) -> Iterator[list[str]]:
        """The first rows of all files. Raises: ValueError for a row of another length."""
        left = limit
        for name in self._names:
            rows = self._of(name)
            if header:
                next(rows, None)
            for row in rows:
                if left is not None:
                    if left < 1:
                        return
                    left -= 1
                if len(row) != count:
                    text = "Problem inferring types: CSV row has different number of fields than expected."
                    raise ValueError(error_text(text, fix=f"a row has {len(row)} fields, not {count}; give column_defaults"))
                yield row


def _column_numbers(columns: Sequence[Any], names: Sequence[str]) -> list[int]:
    """The numbers of columns that are named or numbered, in order.

    Raises: ValueError for one that is not there, or comes twice.
    """
    found = []
    for column in columns:
        if isinstance(column, int):
            if not 0 <= column < len(names):
                text = f"Column index {column} specified in select_columns out of valid range."
                raise ValueError(error_text(text))
            found.append(column)
        elif column in names:
            found.append(list(names).index(column))
        else:
            raise ValueError(error_text(f"Value '{column}' specified in select_columns not a valid column index or name."))
    if len(set(found)) != len(found):
        raise ValueError(error_text("select_columns contains duplicate columns"))
    return sorted(found)


def _inferred(rows: Iterator[list[str]], columns: Sequence[int], missing: str) -> list[Any]:
    """For each column a default of the first dtype of int32, int64, float32, float64, string that holds its values."""
    found = [-1] * len(columns)
    for row in rows:
        for i, column in enumerate(columns):
            text = row[column]
            if text not in ("", missing):
                while not _holds(_KINDS[max(found[i], 0)], text):
                    found[i] = max(found[i], 0) + 1
                found[i] = max(found[i], 0)
    # A column without a value is one of strings.
    kinds = [_KINDS[each] for each in found]
    return [constant([0 if kind is not dtypes.string else ""], kind) for kind in kinds]


def _holds(dtype: DType, text: str) -> bool:
    if dtype is dtypes.string:
        return True
    try:
        if dtype.is_integer:
            return dtype.min <= int(text) <= dtype.max
        value = float(text)
    except ValueError:
        return False
    return dtype is dtypes.float64 or not abs(value) > float(dtype.max) or not np.isfinite(value)


__all__ = ["CsvDataset", "SqlDataset", "make_csv_dataset"]
