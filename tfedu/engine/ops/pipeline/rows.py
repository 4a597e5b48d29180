"""Datasets of rows: CSVDataset of what csv files hold, SqlDataset of what a query of a SQLite database finds."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...base import dtypes, errors
from ...base.dtypes import DType
from ...base.shapes import Shape, ShapeMismatch
from ...files import gfile
from ...op.define import Each, Sym, op
from ...op.shape_checks import as_array, at_most, invalid, scalar, scalars_at, vector
from ..records import FIELDS, csv_value
from .files import buffer_of, compression_of, of_files, opened, reader
from .sources import Shapes, Types
from .values import Dataset, Element, Elements, Failure, Walk

string, int64, variant, boolean = dtypes.string, dtypes.int64, dtypes.variant, dtypes.bool
_END_OF_LINE = re.compile(rb"\r\n|\n|\r")


# -- csv ------------------------------------------------------------------------------------------------------------------


class _Lines:
    """The lines of a csv file one by one; `take()` returns one and what ended it, None at the end of the file.

    Of a line that is longer than `size` it reads as much again as it has. `taken`: how many lines there were so far.
    """

    def __init__(self, read: Callable[[int], bytes], size: int) -> None:
        self._read, self._size = read, size
        self._held, self._at, self._ended = b"", 0, False
        self.taken = 0

    def take(self) -> tuple[bytes, bytes] | None:
        self.taken += 1
        while True:
            end = _END_OF_LINE.search(self._held, self._at)
            # A \r at the end of what is held may be the first half of \r\n.
            if end is not None and (self._ended or end.end() < len(self._held) or end[0] != b"\r"):
                line = self._held[self._at : end.start()]
                self._at = end.end()
                return line, end[0]
            if self._ended:
                line, self._held, self._at = self._held[self._at :], b"", 0
                return (line, b"") if line else None
            rest = self._held[self._at :]
            data = self._read(max(self._size, len(rest)))
            self._held, self._at, self._ended = rest + data, 0, not data


def _fields(line: bytes, ending: bytes, lines: _Lines, delimiter: bytes, has_quotes: bool) -> list[bytes]:
    """The fields of the record that begins with this line; one with a quoted line end goes on with the next lines.

    Raises: InvalidArgumentError for quotes within a field without quotes, and for quotes that do not end.
    """
    if not has_quotes or b'"' not in line:
        return line.split(delimiter)
    fields, at, wrong = [], 0, ""
    while True:
        if line.startswith(b'"', at):
            field, at, line, ending = _quoted(line, at + 1, ending, lines, delimiter)
            if field is None:
                wrong = wrong or "Quote inside a string has to be escaped by another quote"
        else:
            end = line.find(delimiter, at)
            end = len(line) if end < 0 else end
            field, at = line[at:end], end
            if b'"' in field:
                wrong = wrong or "Unquoted fields cannot have quotes inside"
        fields.append(field or b"")
        if at >= len(line):
            break
        at += 1
    if wrong:  # only now: the next record begins behind this one
        raise invalid(wrong)
    return fields


def _quoted(
    line: bytes, at: int, ending: bytes, lines: _Lines, delimiter: bytes
) -> tuple[bytes | None, int, bytes, bytes]:
    """The field behind a quote (None for one with a single quote inside), where it ends, and the line in which it ends."""
    field: list[bytes] = []
    single = False
    while True:
        end = line.find(b'"', at)
        if end < 0:
            following = lines.take()
            if following is None:
                raise invalid("Reached end of file without closing quoted field in record")
            field += [line[at:], ending]
            (line, ending), at = following, 0
            continue
        after = line[end + 1 : end + 2]
        if after in (b"", delimiter):
            return None if single else b"".join([*field, line[at:end]]), end + 1, line, ending
        single = single or after != b'"'
        field.append(line[at : end + 1])
        at = end + 2


def _row(fields: Sequence[bytes], columns: Sequence[int], typed: Sequence[tuple[Any, DType]], missing: bytes) -> Element:
    """The values of the chosen columns. columns: empty for all.

    Raises: InvalidArgumentError for another number of fields, and as csv_value.
    """
    chosen = [fields[column] for column in columns if column < len(fields)] if columns else fields
    values = tuple([
        csv_value(field, i, "", default, dtype, missing) for i, (field, (default, dtype)) in enumerate(zip(chosen, typed))
    ])  # fmt: skip
    if len(chosen) != len(typed):
        found = "more" if len(chosen) > len(typed) else len(chosen)
        raise invalid(f"Expect {len(typed)} fields but have {found} in record")
    return values


def _csv_shape(filenames: Sym, *rest: Any, **_: Any) -> Shape:
    *numbers, select_cols, record_defaults = rest
    at_most(filenames.shape, 1)
    for each in numbers:
        scalar(each)
    vector(select_cols)
    for default in record_defaults:
        shape = at_most(default.shape, 1)
        if shape and shape[0] is not None and shape[0] > 1:
            raise ShapeMismatch("Shape of a default must be a length-0 or length-1 vector, or a scalar.")
    return ()


@op("CSVDataset", out="handle", shape=_csv_shape, stateful=True, commutes=True)
def csv_dataset(
    run: Any, filenames: string, compression_type: string, buffer_size: int64, header: boolean, field_delim: string,
    use_quote_delim: boolean, na_value: string, select_cols: int64,
    record_defaults: Each["output_types", 1, FIELDS], *, output_shapes: Shapes,  # noqa: F821
) -> variant:  # fmt: skip
    """The records of csv files: file names, a name or [n], scalars, the numbers of the columns [k] ([0]: all), for each column a
    default ([1], [0] where it must not be missing).

    Raises: InvalidArgumentError for another compression, a delimiter of several bytes, column numbers that do not grow; in a
    pass, for a record with another number of fields or with a field that is no number, and errors of files.
    """
    compression, size = compression_of(compression_type), buffer_of(buffer_size)
    delimiter, missing = (bytes(np.asarray(text, object)[()]) for text in (field_delim, na_value))
    columns = as_array(select_cols).tolist()
    defaults = [as_array(default).reshape(-1) for default in record_defaults]
    if len(delimiter) != 1:
        raise invalid("field_delim should be only 1 char")
    if columns and len(columns) != len(defaults):
        raise invalid("select_cols should match output size")
    if any(first >= second for first, second in itertools.pairwise(columns)):
        raise invalid("select_cols should be strictly increasing indices")
    if columns and columns[0] < 0:
        raise invalid("select_cols should be non-negative indices")
    if any(default.size > 1 for default in defaults):
        raise invalid("Each record default should be at most rank 1")
    typed = [(default, string if default.dtype == object else dtypes.as_dtype(default.dtype)) for default in defaults]

    def records(name: str) -> Iterator[Element | Failure]:
        with opened(name) as file:
            lines = _Lines(reader(file, name, compression, size), size)
            skips = bool(header)
            while (taken := lines.take()) is not None:
                line = lines.taken
                try:
                    fields = _fields(*taken, lines, delimiter, bool(use_quote_delim))
                    row = () if skips else _row(fields, columns, typed, missing)
                except errors.InvalidArgumentError as error:
                    error.fix = f"correct line {line} of {name}, or name the columns' types by other record_defaults"
                    yield Failure(error)
                else:
                    if not skips:
                        yield row
                skips = False
            if skips:
                yield Failure(invalid("Can't read header of file", fix=f"{name} is empty"))

    return of_files(run, filenames, records)  # type: ignore[return-value]


# -- SQL ------------------------------------------------------------------------------------------------------------------

# The dtypes of columns, and what SQLite converts a column to for them.
_SQL_KINDS = {
    **{dtypes.as_dtype(name): (int, "integer") for name in ["int8", "int16", "int32", "int64", "uint8", "uint16", "bool"]},
    dtypes.float64: (float, "real"), dtypes.string: (bytes, "text"),
}  # fmt: skip


def _sql_value(database: Any, value: Any, dtype: DType) -> Any:
    """A column's value in a dtype. SQLite converts it: what is no number becomes 0, NULL 0 or the empty text."""
    kind, name = _SQL_KINDS[dtype]
    if not isinstance(value, kind):
        (value,) = database.execute(f"select cast(? as {name})", (value,)).fetchone()
        value = kind() if value is None else value.encode() if isinstance(value, str) else value
    if dtype is string:
        return value
    return np.bool_(value != 0) if dtype is dtypes.bool else np.asarray(value).astype(dtype.as_numpy_dtype)[()]


@op("SqlDataset", out="handle", shape=scalars_at(0, 1, 2), stateful=True, commutes=True)
def sql_dataset(
    run: Any, driver_name: string, data_source_name: string, query: string, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The rows that a query finds: three scalars. driver_name: "sqlite"; data_source_name: the path of the database, which is
    opened to be read only.

    Raises: InvalidArgumentError for another driver, a column dtype that SQLite has not; in a pass, for another number of columns;
    UnknownError for what SQLite refuses; UnimplementedError in a Python without sqlite3, as in a browser.
    """
    try:
        import sqlite3
    except ImportError:
        text = "SqlDataset needs Python's module sqlite3, and this Python was built without it"
        raise errors.UnimplementedError(None, None, text) from None
    driver, source, statement = (
        bytes(np.asarray(text, object)[()]).decode("utf-8", "surrogateescape") for text in (driver_name, data_source_name, query)
    )
    if driver != "sqlite":
        text = f"The database type, {driver}, is not supported by SqlDataset. The set of supported databases is: "
        raise invalid(text + "{'sqlite'}.")
    if not set(output_types) <= set(_SQL_KINDS):
        known = "DT_STRING, DT_INT8, DT_INT16, DT_INT32, DT_INT64, DT_UINT8, DT_UINT16, DT_BOOL, DT_DOUBLE"
        raise invalid(f"Each element of `output_types_` must be one of: {known} ")

    def elements(walk: Walk) -> Elements:
        # Runs of several threads take elements; the iterator's lock lets one after the other use the connection.
        path = gfile.local(source).replace("?", "%3f").replace("#", "%23")
        try:
            with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)) as database:
                cursor = database.execute(statement)
                found = len(cursor.description or ())
                if found != len(output_types):
                    text = f"The number of columns in query ({found}) must match the number of elements in output_types "
                    yield Failure(invalid(f"{text}({len(output_types)})."))
                    return
                for row in cursor:
                    yield tuple([_sql_value(database, *of_column) for of_column in zip(row, output_types)])
        except sqlite3.Error as cause:
            text = f"Prepare() failed: [{getattr(cause, 'sqlite_errorcode', 1)}] {cause}: {statement}"
            yield Failure(errors.UnknownError(None, None, text))

    return Dataset(run, elements)


__all__: list[str] = []
