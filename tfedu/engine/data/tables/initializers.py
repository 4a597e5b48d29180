"""What tables are filled from: keys and values as tensors, or the lines of a text file.

    tf.lookup.KeyValueTensorInitializer(["a", "b"], [0, 1])
    tf.lookup.TextFileInitializer("words.txt", tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
                                  tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)

State: the collections TABLE_INITIALIZERS and ASSET_FILEPATHS of the graph.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...lib.framework.collections import add_to_collection
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import device, init_scope, name_scope
from ...ops import tables as ops


class TextFileIndex:
    """Which part of a line is a key or a value: a column counted from 0, the whole line, or the number of the line."""

    WHOLE_LINE = ops.WHOLE_LINE
    LINE_NUMBER = ops.LINE_NUMBER


class TableInitializerBase:
    """What fills a table of these dtypes. Programs may subclass it and define `initialize`."""

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self._key_dtype = as_dtype(key_dtype)
        self._value_dtype = as_dtype(value_dtype)

    @property
    def key_dtype(self) -> DType:
        return self._key_dtype

    @property
    def value_dtype(self) -> DType:
        return self._value_dtype

    def initialize(self, table: Any) -> Any:
        """The operation that fills the table."""
        raise NotImplementedError()

    @property
    def _shared_name(self) -> str | None:
        """The name under which sessions share the table; None: no other table is the same."""
        return None


class KeyValueTensorInitializer(TableInitializerBase):
    """Keys [n] and their values [n].

    Raises: TypeError when they are not of the dtypes.
    """

    @atomic
    def __init__(self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None) -> None:
        self._keys = convert_to_tensor(keys, dtype=key_dtype, name="keys")
        self._values = convert_to_tensor(values, dtype=value_dtype, name="values")
        self._name = name if name is not None else "key_value_init"
        super().__init__(self._keys.dtype, self._values.dtype)

    @atomic
    def initialize(self, table: Any) -> Operation:
        """The operation that fills the table; it is one of tf.tables_initializer() too.

        Raises: TypeError for a table of other dtypes.
        """
        check_table_dtypes(table, self._keys.dtype, self._values.dtype)
        with name_scope(self._name):
            operation: Operation = ops.lookup_table_import(table.resource_handle, self._keys, self._values)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, operation)
        return operation


class TextFileInitializer(TableInitializerBase):
    """Entries from the lines of a text file; key_index, value_index: columns, or one of TextFileIndex.

    vocab_size: how many lines; None: all. delimiter: the character between columns. Raises: ValueError for an empty file name, a
    column below -2, a vocab_size below 1, dtypes that do not fit: whole lines are strings, their numbers int64.
    """

    @atomic
    def __init__(
        self,
        filename: Any,
        key_dtype: Any,
        key_index: int,
        value_dtype: Any,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
    ) -> None:
        if not isinstance(filename, Tensor) and not filename:
            raise ValueError(error_text(f"Filename required for {name}."))
        self._filename_arg = filename
        key_dtype, value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        _check_index("key", key_index, key_dtype)
        _check_index("value", value_index, value_dtype)
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(error_text(f"Invalid vocab_size {vocab_size}."))
        self._key_index, self._value_index = key_index, value_index
        self._vocab_size = vocab_size
        self._delimiter = delimiter
        self._name = name if name is not None else "text_file_init"
        if isinstance(filename, Tensor):
            self._filename = filename
        else:
            with init_scope(), device("CPU"):
                self._filename = convert_to_tensor(filename, dtype=dtypes.string, name="asset_path")
        super().__init__(key_dtype, value_dtype)

    @atomic
    def initialize(self, table: Any) -> Operation:
        """The operation that fills the table; it is one of tf.tables_initializer() too.

        Raises: TypeError for a table of other dtypes.
        """
        check_table_dtypes(table, self.key_dtype, self.value_dtype)
        with name_scope(self._name):
            operation: Operation = ops.initialize_table_from_text_file(
                table.resource_handle, self._filename, key_index=self._key_index, value_index=self._value_index,
                vocab_size=-1 if self._vocab_size is None else self._vocab_size, delimiter=self._delimiter,
            )  # fmt: skip
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, operation)
        add_to_collection(GraphKeys.ASSET_FILEPATHS, self._filename)
        return operation

    @property
    def _shared_name(self) -> str | None:
        size = f"{self._vocab_size}_" if self._vocab_size else ""
        return f"hash_table_{self._filename_arg}_{size}{self._key_index}_{self._value_index}"


def _check_index(which: str, index: int, dtype: DType) -> None:
    if index < -2:
        raise ValueError(error_text(f"Invalid {which} index {index}."))
    kind = which.capitalize() + "s"
    if index == TextFileIndex.LINE_NUMBER and dtype is not dtypes.int64:
        raise ValueError(error_text(f"Signature mismatch. {kind} must be dtype {dtypes.int64}, got {dtype}."))
    whole = index == TextFileIndex.WHOLE_LINE
    if whole and dtype is not dtypes.string and not (which == "key" and dtype.is_integer):
        raise ValueError(error_text(f"Signature mismatch. {kind} must be dtype {dtypes.string}, got {dtype}."))


class TextFileStringTableInitializer(TextFileInitializer):
    """From the number of a line to the line, or to a column of it."""

    def __init__(
        self,
        filename: Any,
        key_column_index: int = TextFileIndex.LINE_NUMBER,
        value_column_index: int = TextFileIndex.WHOLE_LINE,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str = "text_file_string_table_init",
    ) -> None:
        super().__init__(
            filename, dtypes.int64, key_column_index, dtypes.string, value_column_index, vocab_size, delimiter, name
        )


class TextFileIdTableInitializer(TextFileInitializer):
    """From a line, or a column of it, to the number of the line."""

    def __init__(
        self,
        filename: Any,
        key_column_index: int = TextFileIndex.WHOLE_LINE,
        value_column_index: int = TextFileIndex.LINE_NUMBER,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str = "text_file_id_table_init",
        key_dtype: Any = dtypes.string,
    ) -> None:
        super().__init__(
            filename, key_dtype, key_column_index, dtypes.int64, value_column_index, vocab_size, delimiter, name
        )


def check_table_dtypes(table: Any, key_dtype: DType, value_dtype: DType) -> None:
    """Raises: TypeError for a table of other dtypes."""
    if key_dtype.base_dtype is not table.key_dtype:
        raise TypeError(error_text(f"Invalid key dtype, expected {table.key_dtype} but got {key_dtype}."))
    if value_dtype.base_dtype is not table.value_dtype:
        raise TypeError(error_text(f"Invalid value dtype, expected {table.value_dtype} but got {value_dtype}."))


__all__ = [
    "KeyValueTensorInitializer", "TableInitializerBase", "TextFileIdTableInitializer", "TextFileIndex", "TextFileInitializer",
    "TextFileStringTableInitializer", "check_table_dtypes",
]  # fmt: skip
