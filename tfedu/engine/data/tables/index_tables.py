"""`tf.contrib.lookup`: functions that make a table of a vocabulary, from strings to their numbers and back. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes, log
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays.array import size
from ...lib.arrays.sequences import range
from ...lib.framework.scope_blocks import name_scope
from ...lib.math.math import cast
from .initializers import (
    KeyValueTensorInitializer,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileStringTableInitializer,
)
from .lookup import FastHashSpec, IdTableWithHashBuckets, StaticHashTable

_WHOLE_LINE, _LINE_NUMBER = TextFileIndex.WHOLE_LINE, TextFileIndex.LINE_NUMBER


@atomic
def index_table_from_file(
    vocabulary_file: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    key_dtype: Any = dtypes.string,
    name: str | None = None,
    key_column_index: int = _WHOLE_LINE,
    value_column_index: int = _LINE_NUMBER,
    delimiter: str = "\t",
) -> Any:
    """A table from the lines of a file to their numbers; unknown keys have default_value, or a bucket by their hash.

    Raises: ValueError without a file, for fewer than 0 buckets or less than one line; TypeError for keys of another dtype.
    """
    _check_file(vocabulary_file)
    _check_buckets(num_oov_buckets)
    if vocab_size is not None and vocab_size < 1:
        shown = vocabulary_file.op.inputs[0] if isinstance(vocabulary_file, Tensor) else vocabulary_file
        raise ValueError(error_text(f"vocab_size must be greater than 0, got {vocab_size}. vocabulary_file: {shown}"))
    dtype = _checked_key_dtype(key_dtype)
    with name_scope(name, "string_to_index"), name_scope(None, "hash_table"):
        initializer = TextFileIdTableInitializer(
            vocabulary_file, vocab_size=vocab_size, key_dtype=dtypes.int64 if dtype.is_integer else dtype, name="table_init",
            key_column_index=key_column_index, value_column_index=value_column_index, delimiter=delimiter,
        )  # fmt: skip
        table = StaticHashTable(initializer, default_value)
    return _with_buckets(table, num_oov_buckets, hasher_spec, dtype)


@atomic
def index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    dtype: Any = dtypes.string,
    name: str | None = None,
) -> Any:
    """A table from the elements of a vector [n] to their numbers; unknown keys have default_value, or a bucket by their hash.

    Raises: ValueError without a vector, for fewer than 0 buckets, for elements of another kind; TypeError for other dtypes.
    """
    if mapping is None:
        raise ValueError(error_text("mapping must be specified."))
    _check_buckets(num_oov_buckets)
    wanted = _checked_key_dtype(dtype)
    with name_scope(name, "string_to_index"):
        keys = convert_to_tensor(mapping)
        if keys.dtype.is_integer != wanted.is_integer:
            kind = "integer" if wanted.is_integer else "non-integer"
            raise ValueError(error_text(f"Expected {kind}, got {keys.dtype}.", [keys]))
        if wanted is dtypes.string and keys.dtype is not dtypes.string:
            raise ValueError(error_text(f"Expected {wanted}, got {keys.dtype}.", [keys]))
        values = cast(range(size(keys)), dtypes.int64)
        with name_scope(None, "hash_table"):
            table_keys = cast(keys, dtypes.int64) if keys.dtype.is_integer else keys
            initializer = KeyValueTensorInitializer(
                table_keys, values, table_keys.dtype.base_dtype, dtypes.int64, name="table_init"
            )
            table = StaticHashTable(initializer, default_value)
    return _with_buckets(table, num_oov_buckets, hasher_spec, wanted)


@atomic
def index_to_string_table_from_file(
    vocabulary_file: Any,
    vocab_size: int | None = None,
    default_value: Any = "UNK",
    name: str | None = None,
    key_column_index: int = _LINE_NUMBER,
    value_column_index: int = _WHOLE_LINE,
    delimiter: str = "\t",
) -> StaticHashTable:
    """A table from the numbers of the lines of a file to the lines.

    Raises: ValueError without a file, or for less than one line.
    """
    _check_file(vocabulary_file)
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(error_text(f"vocab_size must be greater than 0, got {vocab_size}."))
    with name_scope(name, "index_to_string"):
        initializer = TextFileStringTableInitializer(
            vocabulary_file, vocab_size=vocab_size, name="table_init", key_column_index=key_column_index,
            value_column_index=value_column_index, delimiter=delimiter,
        )  # fmt: skip
        return StaticHashTable(initializer, default_value)


@atomic
def index_to_string_table_from_tensor(mapping: Any, default_value: Any = "UNK", name: str | None = None) -> StaticHashTable:
    """A table from 0, 1, … to the strings of a vector [n].

    Raises: ValueError without a vector.
    """
    if mapping is None:
        raise ValueError(error_text("mapping must be specified."))
    with name_scope(name, "index_to_string"):
        values = convert_to_tensor(mapping, dtypes.string)
        keys = cast(range(size(values)), dtypes.int64)
        initializer = KeyValueTensorInitializer(keys, values, dtypes.int64, dtypes.string, name="table_init")
        return StaticHashTable(initializer, default_value)


def _check_file(vocabulary_file: Any) -> None:
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError(error_text("vocabulary_file must be specified and must not be empty."))


def _check_buckets(num_oov_buckets: int) -> None:
    if num_oov_buckets < 0:
        raise ValueError(
            error_text(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")
        )


def _checked_key_dtype(dtype: Any) -> DType:
    dtype = as_dtype(dtype)
    if dtype is not dtypes.string and not dtype.is_integer:
        raise TypeError(error_text("Only integer and string keys are supported."))
    return dtype


def _with_buckets(table: Any, num_oov_buckets: int, hasher_spec: Any, key_dtype: DType) -> Any:
    if not num_oov_buckets:
        return table
    return IdTableWithHashBuckets(table, num_oov_buckets, hasher_spec=hasher_spec, key_dtype=key_dtype)


# -- the names before 2017 -------------------------------------------------------------------------------------------


def string_to_index_table_from_file(
    vocabulary_file: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    name: str | None = None,
) -> Any:
    """`index_table_from_file` under its older name."""
    log.warning("string_to_index_table_from_file is deprecated: use index_table_from_file.")
    return index_table_from_file(
        vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, dtypes.string, name
    )


def string_to_index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    name: str | None = None,
) -> Any:
    """`index_table_from_tensor` of strings, under its older name."""
    log.warning("string_to_index_table_from_tensor is deprecated: use index_table_from_tensor.")
    with name_scope(name, "string_to_index") as scope:
        mapping = convert_to_tensor(mapping)
        return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=scope)


def string_to_index(tensor: Any, mapping: Any, default_value: int = -1, name: str | None = None) -> Any:
    """The numbers of strings in a vector [n]: [...] -> [...]."""
    log.warning("string_to_index is deprecated: use index_table_from_tensor and its lookup.")
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


def index_to_string(tensor: Any, mapping: Any, default_value: Any = "UNK", name: str | None = None) -> Any:
    """The strings of a vector [n] that have these numbers: [...] -> [...]."""
    log.warning("index_to_string is deprecated: use index_to_string_table_from_tensor and its lookup.")
    return index_to_string_table_from_tensor(mapping, default_value, name).lookup(tensor)


__all__ = [
    "index_table_from_file", "index_table_from_tensor", "index_to_string", "index_to_string_table_from_file",
    "index_to_string_table_from_tensor", "string_to_index", "string_to_index_table_from_file",
    "string_to_index_table_from_tensor",
]  # fmt: skip
