"""Tables: HashTableV2 is filled once by an initializer, MutableHashTableV2 and MutableDenseHashTableV2 are changed by nodes.

State: the tables, in the session's store (base/resources/lookup_table.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dtypes import DType, as_dtype, runtime_name
from ..base.resources.lookup_table import DenseTable, MutableTable, StaticTable, Table
from ..base.shapes import Shape, ShapeMismatch
from ..base.text_bytes import as_bytes
from ..files import gfile
from ..op.define import AtLeast, ShapeAttr, Sym, op, typevar
from ..op.gradient_rules import DECLARED
from ..op.shape_checks import as_array, at_least, at_most, invalid, of_rank, text_of, unwrapped

# The dtypes of values that a table's kernel can have, by the dtype of its keys.
_STATIC: Final = {
    "string": "string int64 int32 float32 float64 bool",
    "int64": "string int64 int32 float32 float64",
    "int32": "string int32 float32 float64",
}
_MUTABLE: Final = {
    "string": "int64 int32 float32 float64 bool",
    "int64": "string int64 int32 float32 float64",
    "int32": "int32 float32 float64",
}
_DENSE: Final = {**_MUTABLE, "int64": "int64 int32 float32 float64 bool"}

Key = typevar("Tin")
Value = typevar("Tout")
DenseKey = typevar("key_dtype")


# -- the tables ------------------------------------------------------------------------------------------------------


def _table_op(type: str) -> Callable[..., Any]:
    return op(
        type, not_differentiable=DECLARED, out="table_handle", shape=lambda *inputs, **attributes: (), stateful=True,
        resource="table",
    )  # fmt: skip


def _named(
    run: Any, container: str, shared_name: str, shares: bool, make: Callable[[str], Table], kernels: dict[str, str]
) -> Any:
    """A handle of the session's table of this name; without `shares`, a node without a shared name has its own table.

    Raises: InvalidArgumentError where TF has no kernel for the dtypes, and for a shared table with other dtypes.
    """
    name = shared_name or run.node.name
    wanted = make(name)
    types = wanted.key_dtype, wanted.value_dtype
    if types[1].name not in kernels.get(types[0].name, "").split():
        known = "; ".join(f"{key} to {values.replace(' ', ', ')}" for key, values in kernels.items())
        raise invalid(
            f"No OpKernel was registered to support Op '{run.node.type}' used by node {run.node.name} with these attrs: "
            f"[key_dtype={_enum(types[0])}, value_dtype={_enum(types[1])}]",
            fix=f"a table goes from {known}",
        )
    table = run.store.resource("table", container, shared_name or (name if shares else f"_{name}"), lambda _: wanted)
    if (table.key_dtype, table.value_dtype) != types:
        raise invalid(f"Conflicting key/value dtypes {_arrow(*types)} with {_dash(table)} for table {name}")
    return run.handle(table)


def _enum(dtype: DType) -> str:
    return f"DT_{runtime_name(dtype).upper()}"


def _arrow(key: DType, value: DType) -> str:
    return f"{runtime_name(key)}->{runtime_name(value)}"


def _dash(table: Table) -> str:
    return f"{runtime_name(table.key_dtype)}-{runtime_name(table.value_dtype)}"


@_table_op("HashTableV2")
def hash_table(
    run: Any,
    *,
    container: str = "",
    shared_name: str = "",
    use_node_name_sharing: bool = False,
    key_dtype: DType,
    value_dtype: DType,
) -> dtypes.resource:
    """A handle of a table that its initializer fills: scalar."""
    return _named(
        run, container, shared_name, use_node_name_sharing, lambda name: StaticTable(name, key_dtype, value_dtype), _STATIC
    )


@_table_op("MutableHashTableV2")
def mutable_hash_table(
    run: Any,
    *,
    container: str = "",
    shared_name: str = "",
    use_node_name_sharing: bool = False,
    key_dtype: DType,
    value_dtype: DType,
) -> dtypes.resource:
    """A handle of a table that nodes change: scalar."""
    return _named(
        run, container, shared_name, use_node_name_sharing, lambda name: MutableTable(name, key_dtype, value_dtype), _MUTABLE
    )


@_table_op("MutableHashTableOfTensorsV2")
def mutable_hash_table_of_tensors(
    run: Any,
    *,
    container: str = "",
    shared_name: str = "",
    use_node_name_sharing: bool = False,
    key_dtype: DType,
    value_dtype: DType,
    value_shape: ShapeAttr = (),
) -> dtypes.resource:
    """A handle of a table whose values are vectors of shape value_shape: scalar.

    Raises: InvalidArgumentError for values that are no vectors.
    """
    if value_shape is None or len(value_shape) > 1:
        raise invalid(f"Default value must be a vector, got shape {text_of(value_shape or ())}")

    def make(name: str) -> Table:
        return MutableTable(name, key_dtype, value_dtype, value_shape)

    return _named(run, container, shared_name, use_node_name_sharing, make, _MUTABLE)


@_table_op("MutableDenseHashTableV2")
def mutable_dense_hash_table(
    run: Any,
    empty_key: DenseKey,
    deleted_key: DenseKey,
    *,
    container: str = "",
    shared_name: str = "",
    use_node_name_sharing: bool = False,
    value_dtype: DType,
    value_shape: ShapeAttr = (),
    initial_num_buckets: int = 131072,
    max_load_factor: float = 0.8,
) -> dtypes.resource:
    """A handle of a table in 2^k buckets, which doubles them: empty_key [k] or scalar, deleted_key the same -> scalar.

    Raises: InvalidArgumentError for equal keys, for another number of buckets, for a factor outside (0, 1].
    """
    empty, deleted, key_dtype = as_array(empty_key), as_array(deleted_key), run.node.attrs["key_dtype"]
    if value_shape is None or len(value_shape) > 1:
        raise invalid(f"Empty value must be a scalar or a vector, got shape {text_of(value_shape or ())}")
    if empty.shape != deleted.shape:
        raise invalid(
            f"Empty and deleted keys must have same shape, got shapes: {text_of(empty.shape)} and {text_of(deleted.shape)}"
        )
    if np.array_equal(empty, deleted):
        raise invalid("Empty and deleted keys cannot be equal")
    if not 0 < max_load_factor < 1:
        raise invalid(f"max_load_factor must be between 0 and 1, got: {max_load_factor:g}")
    if initial_num_buckets < 4 or initial_num_buckets & (initial_num_buckets - 1):
        raise invalid(f"Number of buckets must be at least 4 and a power of 2, got: {initial_num_buckets}")

    def make(name: str) -> Table:
        return DenseTable(
            name, key_dtype, value_dtype, value_shape, empty, deleted, initial_num_buckets, max_load_factor
        )

    return _named(run, container, shared_name, use_node_name_sharing, make, _DENSE)


@mutable_dense_hash_table.shape
def _(empty_key: Sym, deleted_key: Sym, **_: Any) -> Shape:
    at_most(empty_key.shape, 1)
    return ()


# -- reads -----------------------------------------------------------------------------------------------------------


def _behind(handle: Any) -> Any:
    """The table of a handle.

    Raises: InvalidArgumentError for the handle of something else.
    """
    table = getattr(handle, "buffer", None)
    if not isinstance(table, Table):
        raise invalid(
            "Trying to access resource using the wrong type. Expected N10tensorflow3VarE got "
            "N10tensorflow6lookup15LookupInterfaceE"
        )
    return table



def _match(table: Table, form: str, **types: DType) -> None:
    """Checks the dtypes of a node against its table. form: TF's text of the signature."""
    have = form.format(**{name: runtime_name(dtype) for name, dtype in types.items()})
    own = {"key": table.key_dtype, "value": table.value_dtype}
    expected = form.format(**{name: runtime_name(own[name]) for name in types})
    if have != expected:
        raise invalid(f"Signature mismatch, have: {have} expected: {expected}")


class _Known:
    """What the graph tells about a table: the shapes of a key and of a value; `is_known` only of a table that nodes change."""

    def __init__(self, handle: Sym) -> None:
        of_rank(handle.shape, 0)
        op = handle.tensor.op
        self.is_known = op.type in _CHANGING
        self.dtypes: Any = (op.attrs["key_dtype"], op.attrs["value_dtype"]) if self.is_known else (None, None)
        self.value_shape: Shape = op.attrs.get("value_shape", ()) if self.is_known else None
        self.key_rank = len(op.inputs[0].raw_shape or ()) if self.is_known and op.inputs else 0

    def check(self, *types: DType) -> None:
        """Raises ShapeMismatch for a node with other dtypes than the table."""
        for own, dtype in zip(self.dtypes, types):
            if own not in (None, dtype):
                names = f"Expected {runtime_name(own)} got {runtime_name(dtype)}"
                raise ShapeMismatch(f"Trying to read value with wrong dtype. {names}")

    def values_of(self, keys: Shape) -> Shape:
        """The shape of the values of these keys."""
        if keys is None or self.value_shape is None:
            return None
        return (*keys[: len(keys) - self.key_rank], *self.value_shape)


_CHANGING: Final = ("MutableHashTableV2", "MutableHashTableOfTensorsV2", "MutableDenseHashTableV2")


def _found_shape(table_handle: Sym, keys: Sym, default_value: Sym) -> Shape:
    known = _Known(table_handle)
    at_most(default_value.shape, 1)
    known.check(keys.dtype, default_value.dtype)
    return known.values_of(keys.shape)


@op(
    "LookupTableFindV2", not_differentiable=DECLARED, out="values", shape=_found_shape, stateful=True,
    access={"table_handle": "read"}, resource="table", role="op",
)
def lookup_table_find(run: Any, table_handle: dtypes.resource, keys: Key, default_value: Value) -> Value:
    """The values of the keys, default_value where there is none: keys [...], default_value [*v] -> [..., *v].

    Raises: FailedPreconditionError before the table is initialized.
    """
    table = _behind(table_handle)
    keys, default = as_array(keys), as_array(default_value)
    attrs = run.node.attrs
    _match(table, "resource, {key}, {value}->{value}", key=attrs["Tin"], value=attrs["Tout"])
    return unwrapped(table.find(keys, default))


@op(
    "LookupTableSizeV2", not_differentiable=DECLARED, out="size", shape=lambda table_handle: (), stateful=True,
    access={"table_handle": "read"}, resource="table", role="op",
)
def lookup_table_size(run: Any, table_handle: dtypes.resource) -> dtypes.int64:
    """The number of entries: scalar."""
    return np.int64(_behind(table_handle).size())


def _exported_shapes(table_handle: Sym, *, Tkeys: DType, Tvalues: DType) -> list[Shape]:
    known = _Known(table_handle)
    known.check(Tkeys, Tvalues)
    return [(None,), known.values_of((None,)) if not known.key_rank else (None, *(known.value_shape or ()))]


@op(
    "LookupTableExportV2", out="keys values", shape=_exported_shapes, stateful=True,
    access={"table_handle": "read"}, resource="table", role="op",
)
def lookup_table_export(
    run: Any, table_handle: dtypes.resource, *, Tkeys: DType, Tvalues: DType
) -> tuple["Tkeys", "Tvalues"]:  # noqa: F821
    """All keys [n], and their values [n, *v]; the order is the one of insertion.

    Raises: AbortedError before the table is initialized. Differs from TF: which gives them in the order of its hashes.
    """
    table = _behind(table_handle)
    entries = table.export()
    _match(table, "resource->{key},{value}", key=Tkeys, value=Tvalues)
    return entries  # type: ignore[no-any-return]


# -- changes ---------------------------------------------------------------------------------------------------------


def _changes(type: str, access: str = "update", shape: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Defines an op that changes the table of its first input."""
    return op(
        type, not_differentiable=None if type in ("LookupTableRemoveV2", "LookupTableImportV2") else DECLARED, stateful=True,
        access={"table_handle": access}, resource="table", role="op",
        shape=shape or (lambda *inputs, **attributes: []),
    )  # fmt: skip


@_changes("LookupTableInsertV2")
def lookup_table_insert(run: Any, table_handle: dtypes.resource, keys: Key, values: Value) -> None:
    """Adds entries, or replaces those of the same keys: keys [...], values [..., *v].

    Raises: InvalidArgumentError when the shapes do not fit, UnimplementedError for a table that is filled once.
    """
    table = _behind(table_handle)
    attrs = run.node.attrs
    _match(table, "resource, {key}, {value}->", key=attrs["Tin"], value=attrs["Tout"])
    table.insert(as_array(keys), as_array(values))
    return ()  # type: ignore[return-value]


def _removed_shape(table_handle: Sym, keys: Sym) -> list[Shape]:
    at_least(keys.shape, 1)
    return []


@_changes("LookupTableRemoveV2", shape=_removed_shape)
def lookup_table_remove(run: Any, table_handle: dtypes.resource, keys: Key) -> None:
    """Removes the entries of these keys [...], as far as there are any.

    Raises: UnimplementedError for a table that is filled once.
    """
    table = _behind(table_handle)
    _match(table, "resource, {key}->", key=run.node.attrs["Tin"])
    table.remove(as_array(keys))
    return ()  # type: ignore[return-value]


def _import_shape(table_handle: Sym, keys: Sym, values: Sym) -> list[Shape]:
    known = _Known(table_handle)
    (size,) = of_rank(keys.shape, 1)
    if not known.is_known:
        shapes.merge((size,), values.shape)
    elif not known.key_rank:
        shapes.merge(known.values_of(keys.shape), values.shape)
    return []


@_changes("LookupTableImportV2", shape=_import_shape)
def lookup_table_import(run: Any, table_handle: dtypes.resource, keys: Key, values: Value) -> None:
    """Makes these the table's entries: keys [n], values [n, *v]; initializes a table that is filled once.

    Raises: FailedPreconditionError for a key with two values; InvalidArgumentError when the shapes do not fit.
    """
    table = _behind(table_handle)
    attrs = run.node.attrs
    _match(table, "resource, {key}, {value}->", key=attrs["Tin"], value=attrs["Tout"])
    table.replace(as_array(keys), as_array(values))
    return ()  # type: ignore[return-value]


def _initializable(run: Any, handle: Any) -> StaticTable:
    table = _behind(handle)
    if not isinstance(table, StaticTable):
        raise invalid(f"Table localhost {table.name} is not initializable")
    return table


@_changes("InitializeTableV2", shape=_import_shape)
def initialize_table(
    run: Any, table_handle: dtypes.resource, keys: typevar("Tkey"), values: typevar("Tval")
) -> None:
    """Fills a table once: keys [n], values [n].

    Raises: FailedPreconditionError for a key with two values.
    """
    table = _initializable(run, table_handle)
    attrs = run.node.attrs
    _match(table, "resource, {key}, {value}->", key=attrs["Tkey"], value=attrs["Tval"])
    table.replace(as_array(keys), as_array(values))
    return ()  # type: ignore[return-value]


# -- text files ------------------------------------------------------------------------------------------------------

LINE_NUMBER: Final = -1
WHOLE_LINE: Final = -2


def _file_shape(table_handle: Sym, filename: Sym, **_: Any) -> list[Shape]:
    of_rank(filename.shape, 0)
    return []


@_changes("InitializeTableFromTextFileV2", shape=_file_shape)
def initialize_table_from_text_file(
    run: Any,
    table_handle: dtypes.resource,
    filename: dtypes.string,
    *,
    key_index: AtLeast[-2],
    value_index: AtLeast[-2],
    vocab_size: AtLeast[-1] = -1,
    delimiter: str = "\t",
) -> None:
    """Fills a table once from a file, an entry a line: filename scalar.

    key_index, value_index: the column between delimiters, or -1 for the number of the line, -2 for the whole line.
    vocab_size: the number of lines that are read; -1: all.

    Raises: NotFoundError for a missing file, InvalidArgumentError for an empty line, too few columns, or a field that is no
    number of the table's dtype; FailedPreconditionError for a key with two values.
    """
    table = _initializable(run, table_handle)
    name = as_array(filename)
    if name.ndim:
        raise invalid(f"filename should be a single string, but got {text_of(name.shape)}")
    if len(delimiter) != 1:
        raise invalid("delimiter should be only 1 char")
    _check_column("Key", "key", key_index, table.key_dtype)
    _check_column("Value", "value", value_index, table.value_dtype)
    path = name[()].decode()
    lines = _lines(path, vocab_size)
    separator = as_bytes(delimiter)
    types = table.key_dtype, table.value_dtype

    def entry(number: int, line: bytes) -> tuple[Any, Any]:
        fields = line.split(separator)
        last = max(key_index, value_index)
        if last >= len(fields):
            shown = line.decode("utf-8", "replace")
            raise invalid(f"Invalid number of columns in {path} line {number} ({shown}) : expected {last} got {len(fields)}")
        key, value = (
            number if at == LINE_NUMBER else _number(line if at == WHOLE_LINE else fields[at], dtype, number)
            for at, dtype in zip((key_index, value_index), types)
        )
        return key, value

    table.initialize((entry(number, line) for number, line in enumerate(lines)), None if vocab_size < 0 else vocab_size)
    return ()  # type: ignore[return-value]


def _check_column(which: str, name: str, index: int, dtype: DType) -> None:
    if index == LINE_NUMBER and dtype is not dtypes.int64:
        raise invalid(f"{which} index for line number requires table {name} dtype of int64, got {runtime_name(dtype)}")
    if index == WHOLE_LINE and dtype is not dtypes.string and not (name == "key" and dtype.is_integer):
        wanted = "string or integer" if name == "key" else "string"
        raise invalid(f"{which} index for whole line requires table {name} dtype of {wanted}, got {runtime_name(dtype)}")


def _lines(path: str, vocab_size: int) -> Iterator[bytes]:
    """The first vocab_size lines of a file, without their ends; -1: all.

    Raises: OutOfRangeError for an empty file, InvalidArgumentError for an empty line, or too few lines.
    """
    count = 0
    with gfile.File(path, "rb") as file:
        while count != vocab_size:
            text = file.readline()
            if not text:
                break
            line = text.rstrip(b"\n").replace(b"\r", b"")
            if not line:
                raise invalid(f"Invalid content in {path}: empty line found at position {file.tell()}.")
            yield line
            count += 1
    if not count:
        raise errors.OutOfRangeError(None, None, "Read less bytes than requested")
    if count < vocab_size:
        raise invalid(f"Invalid vocab_size in {path}: expected {vocab_size} but got {count}")


_INTEGER = re.compile(rb"\s*(-?[0-9]{1,25})\s*", re.ASCII)
_FLOAT = re.compile(rb"\s*[+-]?((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|nan)\s*", re.ASCII)


def _number(field: bytes, dtype: DType, line: int) -> Any:
    """A field of a line as a value of a table."""
    if dtype is dtypes.string:
        return field
    if dtype is dtypes.bool:
        raise invalid("Data type bool not supported.")
    if dtype.is_integer:
        match = _INTEGER.fullmatch(field)
        if match is not None and dtype.min <= int(match[1]) <= dtype.max:
            return int(match[1])
    elif _FLOAT.fullmatch(field.lower()):
        return as_dtype(dtype).as_numpy_dtype(field.strip()).item()
    raise invalid(f"Field {field.decode('utf-8', 'replace')} in line {line} is not a valid {runtime_name(dtype)}.")
