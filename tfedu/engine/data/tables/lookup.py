"""Tables that are filled once: `StaticHashTable`, and vocabularies that number unknown keys by their hashes.

    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [7, 8]), default_value=-1)
    ids = table.lookup(words)
    session.run(tf.tables_initializer())

No state: the entries are in the session.
"""

from __future__ import annotations

import functools
import uuid
from typing import Any, NamedTuple

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.arrays.selection import where_v2
from ...lib.control.grouping import group
from ...lib.framework.scope_blocks import init_scope, name_scope
from ...lib.math.math import add, cast, not_equal
from ...lib.sparse.composite_values import SparseTensor
from ...lib.strings.strings import as_string, string_to_hash_bucket_fast, string_to_hash_bucket_strong
from ...ops import tables as ops
from .initializers import check_table_dtypes


class LookupInterface:
    """A table from keys to values; programs may subclass it."""

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self._key_dtype = as_dtype(key_dtype)
        self._value_dtype = as_dtype(value_dtype)
        self._resource_handle: Any = None

    @property
    def key_dtype(self) -> DType:
        return self._key_dtype

    @property
    def value_dtype(self) -> DType:
        return self._value_dtype

    @property
    def name(self) -> Any:
        """The name of the table."""
        return NotImplementedError

    @property
    def resource_handle(self) -> Any:
        """The handle, a scalar tensor."""
        return self._resource_handle

    def size(self, name: str | None = None) -> Any:
        """The number of entries, a scalar."""
        raise NotImplementedError()

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of the keys."""
        raise NotImplementedError()


def checked_keys(keys: Any, dtype: DType) -> Any:
    """The tensor of keys of a lookup, also of a SparseTensor.

    Raises: TypeError for another dtype, AttributeError for what has none, in TensorFlow's words.
    """
    values = keys.values if isinstance(keys, SparseTensor) else keys
    if not isinstance(values, Tensor) and not hasattr(getattr(values, "dtype", None), "base_dtype"):
        kind, attribute = type(values).__name__, "dtype"
        if hasattr(values, "dtype"):
            kind, attribute = "numpy.dtype", "base_dtype"
        fix = "look tensors up: tf.constant(keys)"
        raise AttributeError(error_text(f"'{kind}' object has no attribute '{attribute}'", fix=fix))
    given = values.dtype.base_dtype
    if given is not dtype.base_dtype:
        raise TypeError(error_text(f"Signature mismatch. Keys must be dtype {dtype}, got {given}."))
    return convert_to_tensor(values)


class InitializableLookupTableBase(LookupInterface):
    """A table that an initializer fills; `_create_resource` gives its handle."""

    @atomic
    def __init__(self, default_value: Any, initializer: Any) -> None:
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._default_value = convert_to_tensor(default_value, dtype=self._value_dtype)
        self._default_value.get_shape().merge_with(())
        self._initializer = initializer
        self._resource_handle = self._create_resource()
        if get_default_graph()._get_control_flow_context() is None:
            self._init_op = initializer.initialize(self)
        else:
            with init_scope():
                self._init_op = initializer.initialize(self)

    def _create_resource(self) -> Tensor:
        raise NotImplementedError()

    @property
    def default_value(self) -> Tensor:
        """The value of keys that the table does not have, a scalar."""
        return self._default_value

    @property
    def initializer(self) -> Any:
        """The operation that fills the table."""
        return self._init_op

    @property
    def name(self) -> str:
        return _last_part(self._resource_handle)

    @atomic
    def size(self, name: str | None = None) -> Tensor:
        """The number of entries, a scalar: int64."""
        with name_scope(name, f"{self.name}_Size"):
            size: Tensor = ops.lookup_table_size(self.resource_handle)
            return size

    @atomic
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of the keys, a tensor or SparseTensor of their shape [...].

        Raises: TypeError for keys of another dtype.
        """
        key_tensor = checked_keys(keys, self._key_dtype)
        with name_scope(name, f"{self.name}_Lookup"):
            values: Tensor = ops.lookup_table_find(self.resource_handle, key_tensor, self._default_value)
        values.set_shape(key_tensor.get_shape())
        return SparseTensor(keys.indices, values, keys.dense_shape) if isinstance(keys, SparseTensor) else values


class InitializableLookupTableBaseV1(InitializableLookupTableBase):
    """The class of tables with the older name of their initializer, `init`."""

    @property
    def init(self) -> Any:
        """The older name of `initializer`."""
        return self.initializer


class StaticHashTable(InitializableLookupTableBase):
    """A table that its initializer fills. default_value: what keys without an entry have.

    Raises: TypeError for a default value of another dtype than the values.
    """

    def __init__(self, initializer: Any, default_value: Any, name: str | None = None) -> None:
        self._node_name = name or "hash_table"
        super().__init__(default_value, initializer)

    def _create_resource(self) -> Tensor:
        shared_name = getattr(self._initializer, "_shared_name", None) or f"hash_table_{uuid.uuid4()}"
        handle: Tensor = ops.hash_table(
            shared_name=shared_name, key_dtype=self._key_dtype, value_dtype=self._value_dtype, name=self._node_name
        )
        return handle

    @atomic
    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys [n] and their values [n]."""
        with name_scope(name, f"{self.name}_Export"):
            keys, values = ops.lookup_table_export(self.resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype)
        values.set_shape(keys.get_shape().concatenate(()))
        return keys, values


class HashTable(InitializableLookupTableBaseV1):
    """The table of tf.contrib.lookup; tables of the same shared_name are one in a session."""

    def __init__(self, initializer: Any, default_value: Any, shared_name: str | None = None, name: str | None = None) -> None:
        self._shared_name = shared_name or ""
        self._node_name = name or "hash_table"
        super().__init__(default_value, initializer)

    def _create_resource(self) -> Tensor:
        handle: Tensor = ops.hash_table(
            shared_name=self._shared_name, key_dtype=self._key_dtype, value_dtype=self._value_dtype, name=self._node_name
        )
        return handle

    @atomic
    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys [n] and their values [n]."""
        with name_scope(name, f"{self.name}_Export") as scope:
            keys, values = ops.lookup_table_export(
                self.resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype, name=scope
            )
        values.set_shape(keys.get_shape().concatenate(()))
        return keys, values


# -- vocabularies ----------------------------------------------------------------------------------------------------


class HasherSpec(NamedTuple):
    """How a key without an entry is hashed: "fasthash" or "stronghash", and the key of the latter."""

    hasher: str
    key: Any


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """A hash with a secret key: two integers.

    Raises: ValueError for another number of them, TypeError for anything but integers.
    """

    def __new__(cls, key: Any) -> StrongHashSpec:
        if len(key) != 2:
            raise ValueError(error_text(f"key must have size 2, got {len(key)}."))
        if not all(isinstance(part, int) for part in key):
            raise TypeError(error_text(f"Invalid key {key}. Must be unsigned integer values."))
        return super().__new__(cls, "stronghash", key)


class _Vocabulary(LookupInterface):
    """Keys of a table have their values, other keys a bucket by their hash: size, size + 1, …, size + num_oov_buckets - 1."""

    _table: Any
    _num_oov_buckets: int
    _table_name: str

    @property
    def initializer(self) -> Any:
        """The operation that fills the table."""
        if self._table is not None:
            return self._table.initializer
        with name_scope(None, "init"):
            return group()

    @property
    def resource_handle(self) -> Any:
        return None if self._table is None else self._table.resource_handle

    @property
    def name(self) -> str:
        return self._table_name

    @atomic
    def size(self, name: str | None = None) -> Tensor:
        """The number of entries and buckets, a scalar: int64."""
        with name_scope(name, f"{self.name}_Size"):
            size = convert_to_tensor(0, dtype=dtypes.int64) if self._table is None else self._table.size()
            total: Tensor = size + self._num_oov_buckets
            return total

    @atomic
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The numbers of the keys, a tensor or SparseTensor of their shape [...].

        Raises: TypeError for keys of another dtype.
        """
        values = checked_keys(keys, self._key_dtype)
        if self._table is not None and self._table.key_dtype.base_dtype is dtypes.int64:
            values = cast(values, dtypes.int64)
        if not self._num_oov_buckets:
            ids = self._table.lookup(values, name=name)
        else:
            with name_scope(name, f"{self.name}_Lookup"):
                ids = self._bucket(as_string(values) if values.dtype.is_integer else values)
                if self._table is not None:
                    known = self._table.lookup(values)
                    buckets = add(ids, self._table.size())
                    ids = where_v2(not_equal(known, self._table.default_value), known, buckets)
        return SparseTensor(keys.indices, ids, keys.dense_shape) if isinstance(keys, SparseTensor) else ids

    def _bucket(self, texts: Tensor) -> Tensor:
        return string_to_hash_bucket_fast(texts, num_buckets=self._num_oov_buckets, name="hash_bucket")  # type: ignore[no-any-return]


class StaticVocabularyTable(_Vocabulary):
    """A table from strings or integers to numbers, in which unknown keys fall into num_oov_buckets buckets.

    initializer: of keys to int64; None: all keys are unknown. lookup_key_dtype: the dtype of the keys that are looked up, by
    default the table's. Raises: ValueError without buckets, TypeError for other dtypes.
    """

    @atomic
    def __init__(
        self, initializer: Any, num_oov_buckets: int, lookup_key_dtype: Any = None, name: str | None = None
    ) -> None:
        if num_oov_buckets <= 0:
            raise ValueError(error_text("oov_buckets must be > 0."))
        self._num_oov_buckets = num_oov_buckets
        lookup_dtype = None if lookup_key_dtype is None else as_dtype(lookup_key_dtype)
        self._table = None
        if initializer is not None:
            _check_initializer(initializer, lookup_dtype)
            self._table = StaticHashTable(initializer, default_value=-1)
            self._table_name = name or self._table.name
        else:
            self._table_name = name or "hash_bucket"
        # As in TF, a vocabulary without a table looks strings up, whatever lookup_key_dtype says.
        super().__init__(dtypes.string if initializer is None else lookup_dtype or initializer.key_dtype, dtypes.int64)


def _check_initializer(initializer: Any, lookup_dtype: DType | None) -> None:
    if initializer.value_dtype is not dtypes.int64:
        raise TypeError(
            error_text(f"Invalid value dtype, expected {dtypes.int64} but got {initializer.value_dtype}.")
        )
    if lookup_dtype is not None and lookup_dtype.is_integer != initializer.key_dtype.is_integer:
        wanted = "integer" if lookup_dtype.is_integer else "string"
        raise TypeError(error_text(f"Invalid key dtype, expected {wanted} but got {initializer.key_dtype}."))
    if initializer.key_dtype not in (dtypes.int64, dtypes.string):
        raise TypeError(
            error_text(f"Invalid key dtype, expected one of (tf.int64, tf.string), but got {initializer.key_dtype}.")
        )


class IdTableWithHashBuckets(_Vocabulary):
    """A vocabulary over another table, with the hash of hasher_spec.

    Raises: ValueError without a table and without buckets, or for an unknown hasher, TypeError for other dtypes.
    """

    @atomic
    def __init__(
        self,
        table: Any,
        num_oov_buckets: int,
        hasher_spec: Any = FastHashSpec,
        name: str | None = None,
        key_dtype: Any = None,
    ) -> None:
        wanted = None if key_dtype is None else as_dtype(key_dtype)
        if table is not None:
            wanted = wanted or table.key_dtype
            if table.key_dtype is not dtypes.string and not table.key_dtype.is_integer:
                raise TypeError(error_text(f"Invalid key dtype, expected integer or string, got {table.key_dtype}."))
            check_table_dtypes(_Expected(table.key_dtype, dtypes.int64), table.key_dtype, table.value_dtype)
            if wanted.is_integer != table.key_dtype.is_integer:
                kind = "integer" if wanted.is_integer else "string"
                raise TypeError(error_text(f"Invalid key dtype, expected {kind} but got {table.key_dtype}."))
        else:
            if num_oov_buckets <= 0:
                raise ValueError(error_text("oov_buckets must be > 0 if no table is supplied."))
            wanted = wanted or dtypes.string
            if wanted is not dtypes.string and not wanted.is_integer:
                raise TypeError(error_text(f"Invalid key_dtype, expected integer or string, got {wanted}."))
        self._table = table
        self._num_oov_buckets = num_oov_buckets
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(error_text(f"hasher_spec must be of type HasherSpec, got {hasher_spec}"))
        self._hasher_spec = hasher_spec
        default_name = "hash_bucket" if table is None else table.name
        self._table_name = (name or default_name).rstrip("/").split("/")[-1]
        super().__init__(wanted, dtypes.int64)

    @property
    def init(self) -> Any:
        """The older name of `initializer`."""
        return self.initializer

    def _bucket(self, texts: Tensor) -> Tensor:
        hasher, key = self._hasher_spec
        if hasher not in ("fasthash", "stronghash"):
            raise ValueError(error_text(f"Unknown hasher {hasher}"))
        call = string_to_hash_bucket_fast if hasher == "fasthash" else functools.partial(string_to_hash_bucket_strong, key=key)
        return call(texts, num_buckets=self._num_oov_buckets, name="hash_bucket")  # type: ignore[no-any-return]


class _Expected(NamedTuple):
    key_dtype: DType
    value_dtype: DType


def _last_part(handle: Any) -> str:
    return str(handle.op.name.split("/")[-1])


__all__ = [
    "FastHashSpec", "HashTable", "HasherSpec", "IdTableWithHashBuckets", "InitializableLookupTableBase",
    "InitializableLookupTableBaseV1", "LookupInterface", "StaticHashTable", "StaticVocabularyTable",
    "StrongHashSpec", "checked_keys",
]  # fmt: skip
