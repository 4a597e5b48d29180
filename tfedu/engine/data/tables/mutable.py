"""Tables that nodes change: `insert`, `remove`, `lookup`, `size`, `export`; a Saver saves their entries.

    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, default_value=-1)
    session.run(table.insert(["a"], [3]))

No state: the entries are in the session.
"""

from __future__ import annotations

from typing import Any

from ...base.shapes import as_raw
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...lib.framework.collections import add_to_collection
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import colocate_with, name_scope
from ...ops import tables as ops
from ...training.checkpoints.saveables import SaveableObject, SaveSpec
from .lookup import LookupInterface, checked_keys


class _Changeable(LookupInterface):
    """What tables that nodes change share."""

    _default_value: Tensor

    @property
    def name(self) -> str:
        return str(self._resource_handle.op.name.split("/")[-1])

    @atomic
    def size(self, name: str | None = None) -> Tensor:
        """The number of entries, a scalar: int64."""
        with name_scope(name, f"{self.name}_Size"), colocate_with(self.resource_handle):
            size: Tensor = ops.lookup_table_size(self.resource_handle)
            return size

    @atomic
    def lookup(self, keys: Any, name: str | None = None) -> Tensor:
        """The values of the keys [...], the default value where there is none: [..., *v]."""
        with name_scope(name, f"{self.name}_lookup_table_find"):
            keys = convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            with colocate_with(self.resource_handle):
                values: Tensor = ops.lookup_table_find(self.resource_handle, keys, self._default_value)
        return values

    @atomic
    def insert(self, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An operation that adds entries, or replaces those of the same keys: keys [...], values [..., *v]."""
        with name_scope(name, f"{self.name}_lookup_table_insert"):
            keys = convert_to_tensor(keys, self._key_dtype, name="keys")
            values = convert_to_tensor(values, self._value_dtype, name="values")
            with colocate_with(self.resource_handle):
                operation: Operation = ops.lookup_table_insert(self.resource_handle, keys, values)
                return operation

    @atomic
    def remove(self, keys: Any, name: str | None = None) -> Operation:
        """An operation that removes the entries of these keys, as far as there are any.

        Raises: TypeError for keys of another dtype.
        """
        keys = checked_keys(keys, self._key_dtype)
        with name_scope(name, f"{self.name}_lookup_table_remove"):
            operation: Operation = ops.lookup_table_remove(self.resource_handle, keys)
            return operation

    @atomic
    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys and values, which `insert` put in."""
        with name_scope(name, f"{self.name}_lookup_table_export_values"), colocate_with(self.resource_handle):
            keys, values = ops.lookup_table_export(self.resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype)
        return keys, values

    def _save_with_checkpoints(self, name: str) -> None:
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, TableSaveable(self, name))


class TableSaveable(SaveableObject):
    """The saveable of a table: its keys and its values, `<name>-keys` and `<name>-values` in the checkpoint."""

    def __init__(self, table: Any, name: str) -> None:
        keys, values = table.export()
        specs = [SaveSpec(keys, "", f"{name}-keys"), SaveSpec(values, "", f"{name}-values")]
        super().__init__(table, specs, name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Operation:
        """The operation that makes the keys and values read the table's entries."""
        table = self.op
        with name_scope(f"{self.name}_table_restore"), colocate_with(table.resource_handle):
            operation: Operation = ops.lookup_table_import(table.resource_handle, *restored_tensors)
            return operation


class MutableHashTable(_Changeable):
    """A table that nodes change. default_value: of keys without an entry; its shape, () or [k], is that of each value.

    checkpoint: whether a Saver saves the table.
    """

    @atomic
    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str = "MutableHashTable", checkpoint: bool = True
    ) -> None:
        super().__init__(key_dtype, value_dtype)
        self._default_value = convert_to_tensor(default_value, dtype=value_dtype)
        value_shape = as_raw(self._default_value.get_shape())
        types = {"key_dtype": self._key_dtype, "value_dtype": self._value_dtype}
        shared = {"use_node_name_sharing": checkpoint, "name": name}
        if value_shape == ():
            self._resource_handle = ops.mutable_hash_table(**types, **shared)
        else:
            self._resource_handle = ops.mutable_hash_table_of_tensors(value_shape=value_shape, **types, **shared)
        if checkpoint:
            self._save_with_checkpoints(name)


class DenseHashTable(_Changeable):
    """A table that nodes change, whose keys have a fixed shape and lie in an array of buckets.

    default_value: as in MutableHashTable. empty_key, deleted_key: two keys, () or [k], that no entry can have.
    initial_num_buckets: a power of 2, by default 131072; the table doubles it when four fifths are taken.
    """

    @atomic
    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        empty_key: Any,
        deleted_key: Any,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
    ) -> None:
        super().__init__(key_dtype, value_dtype)
        self._default_value = convert_to_tensor(default_value, dtype=value_dtype, name="default_value")
        self._resource_handle = ops.mutable_dense_hash_table(
            convert_to_tensor(empty_key, dtype=key_dtype, name="empty_key"),
            convert_to_tensor(deleted_key, dtype=key_dtype, name="deleted_key"),
            use_node_name_sharing=checkpoint, value_dtype=self._value_dtype,
            value_shape=as_raw(self._default_value.get_shape()),
            initial_num_buckets=131072 if initial_num_buckets is None else initial_num_buckets, name=name,
        )  # fmt: skip
        if checkpoint:
            self._save_with_checkpoints(name)

    def erase(self, keys: Any, name: str | None = None) -> Operation:
        """The name of `remove` in TensorFlow 2."""
        return self.remove(keys, name)


__all__ = ["DenseHashTable", "MutableHashTable", "TableSaveable"]
