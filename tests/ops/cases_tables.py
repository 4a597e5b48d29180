"""Rows of the op table: tables. A row makes a table, changes it, and gives what it then holds, sorted by key."""

from __future__ import annotations

from typing import Any

import numpy as np
from cases import array as vector
from cases import case
from harness import raw


def array(dtype: str, *values: Any) -> Any:
    """A vector, or a matrix of rows."""
    return np.array(values, dtype) if values and isinstance(values[0], list) else vector(dtype, *values)


TEXTS = np.array([b"a", b"b", b"c"], object)
INTS = array("int64", 5, 9, 13)


def handle(tf: Any, type: str = "MutableHashTableV2", key: str = "string", value: str = "int64", **options: Any) -> Any:
    """A table that nodes change, or one that is filled once."""
    return raw(tf, type, key_dtype=getattr(tf, key), value_dtype=getattr(tf, value), **options)


def dense(tf: Any, empty: Any = 0, deleted: Any = -2, value: str = "int64", **options: Any) -> Any:
    keys = [np.array(k, object) if isinstance(k, bytes) else np.asarray(k, np.int64) for k in (empty, deleted)]
    return raw(
        tf, "MutableDenseHashTableV2", empty_key=tf.constant(keys[0]), deleted_key=tf.constant(keys[1]),
        value_dtype=getattr(tf, value), **options,
    )  # fmt: skip


def exported(tf: Any, table: Any, *after: Any, key: str = "string", value: str = "int64") -> Any:
    """The size and the entries of a table, after these operations."""
    with tf.control_dependencies(list(after)):
        size = raw(tf, "LookupTableSizeV2", table_handle=table)
        found = raw(tf, "LookupTableExportV2", table_handle=table, Tkeys=getattr(tf, key), Tvalues=getattr(tf, value))
    return (size, *found)


def done(tf: Any, type: str, **inputs: Any) -> Any:
    """A tensor that is there once the operation has run."""
    with tf.control_dependencies([raw(tf, type, **inputs)]):
        return tf.constant(True)


def in_order(tf: Any, value: Any) -> Any:
    """An array with its rows in order: TensorFlow gives entries in the order of their hashes."""
    return np.sort(value, axis=0) if np.ndim(value) else value


def inserted(tf: Any, table: Any, keys: Any, values: Any, **types: str) -> Any:
    return exported(tf, table, raw(tf, "LookupTableInsertV2", table_handle=table, keys=keys, values=values), **types)


def found(tf: Any, table: Any, keys: Any, default: Any, *after: Any) -> Any:
    with tf.control_dependencies(list(after)):
        return raw(tf, "LookupTableFindV2", table_handle=table, keys=keys, default_value=default)


def initialized(tf: Any, keys: Any, values: Any, type: str = "InitializeTableV2", **options: Any) -> Any:
    table = handle(tf, "HashTableV2", **options)
    return exported(tf, table, raw(tf, type, table_handle=table, keys=keys, values=values), **options)


# -- tables that are filled once -------------------------------------------------------------------------------------

for op_type in ("InitializeTableV2", "LookupTableImportV2"):

    def fill(tf: Any, k: Any, v: Any, op_type: str = op_type) -> Any:
        return initialized(tf, k, v, op_type)

    case(f"raw_ops.{op_type}", "form", fill, TEXTS, INTS, nodes=True, shapes=True, read=in_order)
    case(f"raw_ops.{op_type}", "a key twice", fill, np.array([b"a", b"a"], object), array("int64", 4, 4))
    case(f"raw_ops.{op_type}", "a key with two values", fill, np.array([b"a", b"a"], object), array("int64", 4, 5))
    case(f"raw_ops.{op_type}", "no keys", fill, np.array([], object), array("int64"))

    def refused(tf: Any, table: Any, k: Any, v: Any, op_type: str = op_type) -> Any:
        return done(tf, op_type, table_handle=table, keys=k, values=v)

    static = {"before": lambda tf: handle(tf, "HashTableV2")}
    case(f"raw_ops.{op_type}", "more values", refused, np.array([b"a"], object), array("int64", 4, 5), **static)
    case(f"raw_ops.{op_type}", "a matrix", refused, np.array([[b"a"]], object), array("int64", [4]), **static)
case(
    "raw_ops.InitializeTableV2", "other dtypes", lambda tf, k, v: done(tf, "InitializeTableV2", table_handle=handle(tf, "HashTableV2"), keys=k, values=v), INTS, INTS,
)  # fmt: skip
for key, value in (("int64", "float32"), ("int32", "int32")):
    case(
        "raw_ops.HashTableV2", f"{key} to {value}",
        lambda tf, key=key, value=value: raw(
            tf, "LookupTableSizeV2", table_handle=handle(tf, "HashTableV2", key, value)),
        read=in_order,
    )  # fmt: skip
case("raw_ops.LookupTableSizeV2", "form", lambda tf: raw(tf, "LookupTableSizeV2", table_handle=handle(tf, "HashTableV2")), nodes=True)
case("raw_ops.LookupTableFindV2", "not initialized", lambda tf, k, d: found(tf, handle(tf, "HashTableV2"), k, d), TEXTS, np.int64(7))
case(
    "raw_ops.LookupTableExportV2", "not initialized", lambda tf: raw(
        tf, "LookupTableExportV2", table_handle=handle(tf, "HashTableV2"), Tkeys=tf.string, Tvalues=tf.int64),
)  # fmt: skip
case(
    "raw_ops.LookupTableInsertV2", "a static table", lambda tf, k, v: done(tf, "LookupTableInsertV2", table_handle=handle(tf, "HashTableV2"), keys=k, values=v), TEXTS, INTS,
)  # fmt: skip
case(
    "raw_ops.LookupTableRemoveV2", "a static table", lambda tf, k: done(tf, "LookupTableRemoveV2", table_handle=handle(tf, "HashTableV2"), keys=k), TEXTS,
)  # fmt: skip

# -- tables that nodes change ----------------------------------------------------------------------------------------


def insert(tf: Any, k: Any, v: Any) -> Any:
    return inserted(tf, handle(tf), k, v)


case("raw_ops.LookupTableInsertV2", "form", insert, TEXTS, INTS, nodes=True, shapes=True, read=in_order)
case("raw_ops.LookupTableInsertV2", "a matrix", insert, TEXTS.reshape(1, 3), INTS.reshape(1, 3), read=in_order)
case("raw_ops.LookupTableInsertV2", "a scalar", insert, np.array(b"a", object), np.int64(4))
case("raw_ops.LookupTableInsertV2", "a key twice", insert, np.array([b"a", b"a"], object), array("int64", 4, 5))
case("raw_ops.LookupTableInsertV2", "more values", insert, TEXTS, array("int64", 4, 5, 6, 7))
case("raw_ops.LookupTableInsertV2", "other dtypes", insert, INTS, INTS)
case("raw_ops.LookupTableInsertV2", "other values", insert, TEXTS, array("float32", 1, 2, 3))
case(
    "raw_ops.MutableHashTableOfTensorsV2", "form",
    lambda tf, k, v: inserted(tf, handle(tf, "MutableHashTableOfTensorsV2", value_shape=[2]), k, v),
    TEXTS, array("int64", [1, 2], [3, 4], [5, 6]), nodes=True, shapes=True, read=in_order,
)  # fmt: skip
case(
    "raw_ops.MutableHashTableOfTensorsV2", "other vectors",
    lambda tf, k, v: inserted(tf, handle(tf, "MutableHashTableOfTensorsV2", value_shape=[3]), k, v),
    TEXTS, array("int64", [1, 2], [3, 4], [5, 6]),
)  # fmt: skip
case(
    "raw_ops.MutableHashTableOfTensorsV2", "matrices",
    lambda tf: raw(tf, "LookupTableSizeV2", table_handle=handle(tf, "MutableHashTableOfTensorsV2", value_shape=[2, 2])),
)  # fmt: skip


def removed(tf: Any, k: Any, v: Any) -> Any:
    table = handle(tf)
    with tf.control_dependencies([raw(tf, "LookupTableInsertV2", table_handle=table, keys=k, values=v)]):
        return exported(tf, table, raw(tf, "LookupTableRemoveV2", table_handle=table, keys=tf.constant(["b", "x"])))


case("raw_ops.LookupTableRemoveV2", "form", removed, TEXTS, INTS, nodes=True, read=in_order)
case(
    "raw_ops.LookupTableRemoveV2", "a scalar", lambda tf, table, k: done(tf, "LookupTableRemoveV2", table_handle=table, keys=k),
    np.array(b"a", object), before=handle,
)  # fmt: skip


def replaced(tf: Any, k: Any, v: Any) -> Any:
    table = handle(tf)
    one = tf.constant([1], tf.int64)
    with tf.control_dependencies([raw(tf, "LookupTableInsertV2", table_handle=table, keys=tf.constant(["z"]), values=one)]):
        return exported(tf, table, raw(tf, "LookupTableImportV2", table_handle=table, keys=k, values=v))


case("raw_ops.LookupTableImportV2", "a mutable table", replaced, TEXTS, INTS, nodes=True, shapes=True, read=in_order)
case(
    "raw_ops.LookupTableImportV2", "a mutable table, more values",
    lambda tf, table, k, v: done(tf, "LookupTableImportV2", table_handle=table, keys=k, values=v),
    TEXTS, array("int64", 4, 5, 6, 7), before=handle,
)  # fmt: skip


def find(tf: Any, k: Any, d: Any) -> Any:
    table = handle(tf)
    filled = raw(tf, "LookupTableInsertV2", table_handle=table, keys=tf.constant(["a", "b"]), values=tf.constant([1, 2], tf.int64))
    return found(tf, table, k, d, filled)


case("raw_ops.LookupTableFindV2", "form", find, TEXTS, np.int64(7), nodes=True, shapes=True)
case("raw_ops.LookupTableFindV2", "a matrix", find, TEXTS.reshape(3, 1), np.int64(7))
case("raw_ops.LookupTableFindV2", "a scalar", find, np.array(b"b", object), np.int64(7))
case("raw_ops.LookupTableFindV2", "none", find, np.array([], object), np.int64(7))
case("raw_ops.LookupTableFindV2", "a vector as default", find, TEXTS, array("int64", 7))
case("raw_ops.LookupTableFindV2", "other dtypes", lambda tf, table, k, d: found(tf, table, k, d), INTS, np.int64(7), before=handle)
case(
    "raw_ops.LookupTableFindV2", "other dtypes of a static table",
    lambda tf, k, d: found(tf, handle(tf, "HashTableV2"), k, d), INTS, np.int64(7),
)  # fmt: skip

# -- tables in buckets -----------------------------------------------------------------------------------------------

EIGHT = {"initial_num_buckets": 8}
DENSE: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "form": (EIGHT, array("int64", 1, 9, 17), INTS),
    "a key twice": (EIGHT, array("int64", 1, 1, 17), INTS),
    "it grows": ({"initial_num_buckets": 4}, np.arange(1, 11), np.arange(10)),
    "negative keys": ({"empty": 100, "deleted": 101, **EIGHT}, array("int64", -1, -9), array("int64", 5, 6)),
    "vectors as keys": ({"empty": [0, 0], "deleted": [9, 9], **EIGHT}, array("int64", [1, 2], [3, 4]), array("int64", 5, 6)),
    "other vectors": ({"empty": [0, 0], "deleted": [9, 9], **EIGHT}, array("int64", [1, 2, 3], [3, 4, 5]), array("int64", 5, 6)),
    "vectors as values": ({"value_shape": [2], **EIGHT}, array("int64", 1, 2), array("int64", [1, 2], [3, 4])),
    "more values": (EIGHT, array("int64", 1), array("int64", 1, 2)),
    "the empty key": (EIGHT, array("int64", 1, 0), array("int64", 1, 2)),
    "the deleted key": (EIGHT, array("int64", 1, -2), array("int64", 1, 2)),
    "equal keys": ({"deleted": 0}, array("int64", 1), array("int64", 1)),
    "other shapes of keys": ({"deleted": [0, 1]}, array("int64", 1), array("int64", 1)),
    "three buckets": ({"initial_num_buckets": 3}, array("int64", 1), array("int64", 1)),
    "load of more than all": ({"max_load_factor": 1.5}, array("int64", 1), array("int64", 1)),
    "matrices as values": ({"value_shape": [2, 2]}, array("int64", 1), array("int64", 1)),
}
for label, (options, some_keys, some_values) in DENSE.items():

    def put(tf: Any, k: Any, v: Any, options: Any = options) -> Any:
        return inserted(tf, dense(tf, **options), k, v, key="int64")

    case("raw_ops.MutableDenseHashTableV2", label, put, some_keys, some_values, nodes=label == "form")


case(
    "raw_ops.MutableDenseHashTableV2", "matrices as keys",
    lambda tf, empty, deleted: raw(
        tf, "MutableDenseHashTableV2", empty_key=empty, deleted_key=deleted, value_dtype=tf.int64),
    array("int64", [0]), array("int64", [1]),
)  # fmt: skip


def emptied(tf: Any, k: Any, v: Any) -> Any:
    """A key is removed, and others take its bucket."""
    table = dense(tf, **EIGHT)
    steps: list[Any] = [
        ("LookupTableInsertV2", {"keys": k, "values": v}), ("LookupTableRemoveV2", {"keys": k[1:2]}),
        ("LookupTableInsertV2", {"keys": k[2:], "values": v[:1]}), ("LookupTableInsertV2", {"keys": k[2:] + 8, "values": v[1:2]}),
    ]  # fmt: skip
    last = None
    for step, inputs in steps:
        with tf.control_dependencies([] if last is None else [last]):
            last = raw(tf, step, table_handle=table, **inputs)
    return (*exported(tf, table, last, key="int64"), found(tf, table, k, tf.constant(-1, tf.int64), last))


case("raw_ops.MutableDenseHashTableV2", "removed", emptied, array("int64", 1, 9, 17), INTS)


def texts(tf: Any, k: Any, v: Any) -> Any:
    table = raw(
        tf, "MutableDenseHashTableV2", empty_key=tf.constant(""), deleted_key=tf.constant("x"), value_dtype=tf.int64,
        initial_num_buckets=8,
    )  # fmt: skip
    filled = raw(tf, "LookupTableInsertV2", table_handle=table, keys=k, values=v)
    with tf.control_dependencies([filled]):
        return tuple(raw(tf, "LookupTableExportV2", table_handle=table, Tkeys=tf.string, Tvalues=tf.int64))


case("raw_ops.MutableDenseHashTableV2", "strings", texts, np.array([b"a", b"hello there", b"12345678"], object), INTS)
for label, wrong in (("the empty key", 0), ("the deleted key", -2)):
    case(
        "raw_ops.LookupTableFindV2", f"{label} of a dense table",
        lambda tf, k: found(tf, dense(tf, **EIGHT), k, tf.constant(-1, tf.int64)), array("int64", 1, wrong),
    )  # fmt: skip
case(
    "raw_ops.LookupTableFindV2", "a matrix of keys of a dense table",
    lambda tf, k: found(tf, dense(tf, **EIGHT), k, tf.constant(-1, tf.int64)), array("int64", [1, 2]),
)  # fmt: skip
