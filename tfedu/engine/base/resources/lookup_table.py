"""Tables of a session, from keys to values: `StaticTable` is filled once, `MutableTable` at any time, `DenseTable` in buckets.

A key is a string or an integer (in a dense table also a tuple of them). A change replaces the entries and never alters them, so
`state()` is a snapshot, and a copy of a table shares its entries.
State: `Table.entries`, in the order of insertion; `StaticTable.initialized`; of a DenseTable its buckets and their number.
"""

from __future__ import annotations

import copy
import math
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from .. import errors
from ..dtypes import DType
from ..hashing import hash64


class Table:
    """What all tables share. value_shape: of the value of one key."""

    initializable = False

    def __init__(self, name: str, key_dtype: DType, value_dtype: DType, value_shape: tuple[int, ...] = ()) -> None:
        self.name = name
        self.key_dtype = key_dtype
        self.value_dtype = value_dtype
        self.value_shape = value_shape
        self.lock = threading.Lock()
        self.entries: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.size()} entries>"

    def size(self) -> int:
        return len(self.entries)

    def find(self, keys: Any, default: Any) -> Any:
        """The values of the keys, `default` where there is none: [...] -> [..., *value_shape]."""
        self._check_default(default)
        absent = default.tolist() if not self.value_shape else default
        entries = self.entries
        return self._values([entries.get(key, absent) for key in keys.ravel().tolist()], keys.shape)

    def export(self) -> tuple[Any, Any]:
        """All keys [n], and their values [n, *value_shape]."""
        entries = self.entries
        keys = np.array(list(entries), self.key_dtype.as_numpy_dtype)
        return keys, self._values(list(entries.values()), (len(entries),))

    def insert(self, keys: Any, values: Any) -> None:
        """Adds entries, or replaces those of the same keys: [...], [..., *value_shape]."""
        self._check_values(keys.shape, values)
        rows = values.ravel().tolist() if not self.value_shape else values.reshape(-1, *self.value_shape)
        with self.lock:
            self.entries = {**self.entries, **dict(zip(keys.ravel().tolist(), rows))}

    def remove(self, keys: Any) -> None:
        """Removes the entries of these keys, as far as there are any."""
        gone = set(keys.ravel().tolist())
        with self.lock:
            self.entries = {key: value for key, value in self.entries.items() if key not in gone}

    def replace(self, keys: Any, values: Any) -> None:
        """Makes these the table's entries: [n], [n, *value_shape]."""
        self._check_values(keys.shape, values)
        with self.lock:
            self.entries = {}
        self.insert(keys, values)

    def state(self) -> Any:
        """A snapshot, for `restore`."""
        return self.entries

    def restore(self, contents: Any) -> None:
        """Gives the table the contents back that it had earlier; None: those of a new table."""
        self.entries = contents or {}

    def copied(self) -> Table:
        new = copy.copy(self)
        new.lock = threading.Lock()
        return new

    def _values(self, rows: Sequence[Any], shape: tuple[int, ...]) -> Any:
        out = np.empty((len(rows), *self.value_shape), self.value_dtype.as_numpy_dtype)
        if rows:
            out[:] = rows
        return out.reshape((*shape, *self.value_shape))

    def _check_values(self, keys_shape: tuple[int, ...], values: Any) -> None:
        expected = (*keys_shape, *self.value_shape)
        if values.shape != expected:
            raise _invalid(f"Expected shape {_text(expected)} for value, got {_text(values.shape)}")

    def _check_default(self, default: Any) -> None:
        if default.shape != self.value_shape:
            raise _invalid(f"Expected shape {_text(self.value_shape)} for default value, got {_text(default.shape)}")


class StaticTable(Table):
    """A table that is filled by its initializer, once."""

    initializable = True
    initialized = False

    def find(self, keys: Any, default: Any) -> Any:
        if not self.initialized:
            error = errors.FailedPreconditionError(None, None, "Table not initialized.")
            error.fix = "run tf.tables_initializer() first"
            raise error
        return super().find(keys, default)

    def export(self) -> tuple[Any, Any]:
        if not self.initialized:
            error = errors.AbortedError(None, None, "HashTable is not initialized.")
            error.fix = "run tf.tables_initializer() first"
            raise error
        return super().export()

    def insert(self, keys: Any, values: Any) -> None:
        raise errors.UnimplementedError(None, None, "Insert not supported by InitializableLookupTable implementations")

    def remove(self, keys: Any) -> None:
        raise errors.UnimplementedError(None, None, "Remove not supported by InitializableLookupTable implementations")

    def replace(self, keys: Any, values: Any) -> None:
        self._check_values(keys.shape, values)
        if not keys.size:
            raise _invalid("keys and values cannot be empty tensors.")
        self.initialize(zip(keys.ravel().tolist(), values.ravel().tolist()), keys.size)

    def initialize(self, pairs: Iterable[tuple[Any, Any]], size: int | None) -> None:
        """Fills the table, unless it is filled. size: the number of pairs, where it is known beforehand.

        Raises: FailedPreconditionError for a key with two values, and for a second filling of another size.
        """
        with self.lock:
            if self.initialized:
                if size is not None and size != len(self.entries):
                    raise errors.FailedPreconditionError(None, None, "Table was already initialized with different data.")
                return
            entries: dict[Any, Any] = {}
            for key, value in pairs:
                before = entries.setdefault(key, value)
                if before != value:
                    raise errors.FailedPreconditionError(
                        None, None,
                        f"HashTable has different value for same key. Key {_item(key)} has {_item(before)} and trying to add "
                        f"value {_item(value)}",
                    )  # fmt: skip
            self.entries, self.initialized = entries, True

    def state(self) -> Any:
        return self.initialized, self.entries

    def restore(self, contents: Any) -> None:
        self.initialized, self.entries = contents or (False, {})


class MutableTable(Table):
    """A table that nodes change at any time."""


# -- the dense table -------------------------------------------------------------------------------------------------

_DELETED: Final = object()  # in a bucket whose key was removed
_MASK: Final = 2**64 - 1


class DenseTable(Table):
    """A table that keeps its entries in an array of buckets, 2^k of them, at the place that a key's hash names.

    Taken places are skipped in growing steps (1, 2, 3, …). empty_key, deleted_key: what `export` shows for buckets without an
    entry; neither can be a key.
    """

    def __init__(
        self,
        name: str,
        key_dtype: DType,
        value_dtype: DType,
        value_shape: tuple[int, ...],
        empty_key: Any,
        deleted_key: Any,
        buckets: int,
        max_load_factor: float,
    ) -> None:
        super().__init__(name, key_dtype, value_dtype, value_shape)
        self.key_shape: tuple[int, ...] = empty_key.shape
        self.empty_key, self.deleted_key = (self._split(key, ())[0] for key in (empty_key, deleted_key))
        self.max_load_factor = max_load_factor
        self.first_buckets = buckets
        self.buckets: list[Any]
        self.rows: Any
        self.count: int
        self.restore(None)

    def size(self) -> int:
        return self.count

    def find(self, keys: Any, default: Any) -> Any:
        """The values of keys [n, *key_shape] -> [n, *value_shape].

        Raises: InvalidArgumentError for the empty key or the deleted key.
        """
        expected = (*keys.shape[:1], *self.key_shape)
        if keys.shape != expected:
            raise _invalid(f"Expected key shape {_text(expected)} got {_text(keys.shape)}")
        self._check_default(default)
        with self.lock:
            rows = [default.ravel() if at is None else self.rows[at] for at in map(self._place, self._keys(keys))]
        out = np.empty((len(rows), self.rows.shape[1]), self.rows.dtype)
        if rows:
            out[:] = rows
        return out.reshape((*keys.shape[:1], *self.value_shape))

    def export(self) -> tuple[Any, Any]:
        """The keys [buckets, …] and values [buckets, …] of all buckets, also of the empty ones."""
        with self.lock:
            shown = {None: self.empty_key, _DELETED: self.deleted_key}
            keys = np.empty((len(self.buckets), math.prod(self.key_shape)), self.key_dtype.as_numpy_dtype)
            for row, key in zip(keys, self.buckets):
                row[:] = shown.get(key, key)
            return keys, self.rows.copy()

    def insert(self, keys: Any, values: Any) -> None:
        at = keys.ndim - len(self.key_shape)
        if at < 0 or keys.shape[at:] != self.key_shape:
            raise _invalid(f"Input key shape {_text(keys.shape)} must end with the table's key shape {_text(self.key_shape)}")
        self._check_values(keys.shape[:at], values)
        with self.lock:
            before = self.state()
            try:
                listed = self._split(keys, keys.shape[:at])
                self._grow_to(self.count + len(listed))
                self.buckets, self.rows = list(self.buckets), self.rows.copy()
                for key, row in zip(listed, values.reshape(len(listed), -1)):
                    self._put(self._checked(key), row)
            except errors.OpError:
                self.restore(before)
                raise

    def remove(self, keys: Any) -> None:
        listed = list(self._keys(keys))
        with self.lock:
            buckets = list(self.buckets)
            for at in map(self._place, listed):
                if at is not None and buckets[at] is not _DELETED:
                    buckets[at] = _DELETED
                    self.count -= 1
            self.buckets = buckets

    def replace(self, keys: Any, values: Any) -> None:
        """Makes these the table's buckets, as `export` gives them."""
        self._check_buckets(len(keys))
        empty = {self.empty_key: None, self.deleted_key: _DELETED}
        with self.lock:
            listed = self._split(keys, keys.shape[:1])
            self.buckets = [empty.get(key, key) for key in listed]
            self.rows = values.reshape(len(listed), -1).copy()
            self.count = sum(key is not None and key is not _DELETED for key in self.buckets)

    def state(self) -> Any:
        return self.buckets, self.rows, self.count

    def restore(self, contents: Any) -> None:
        if contents is None:
            contents = *self._empty(self.first_buckets), 0
        self.buckets, self.rows, self.count = contents

    def _empty(self, size: int) -> tuple[list[Any], Any]:
        width = math.prod(self.value_shape)
        rows = np.zeros((size, width), self.value_dtype.as_numpy_dtype)
        if rows.dtype == object:
            rows.fill(b"")
        return [None] * size, rows

    @staticmethod
    def _check_buckets(size: int) -> None:
        if size < 4 or size & (size - 1):
            raise _invalid(f"Number of buckets must be at least 4 and a power of 2, got: {size}")

    def _split(self, keys: Any, shape: tuple[int, ...]) -> list[Any]:
        """The single keys of an array [*shape, *key_shape]."""
        if not self.key_shape:
            return keys.ravel().tolist()  # type: ignore[no-any-return]
        return [tuple(key) for key in keys.reshape(math.prod(shape), -1).tolist()]

    def _keys(self, keys: Any) -> Iterator[Any]:
        return map(self._checked, self._split(keys, keys.shape[:1]))

    def _checked(self, key: Any) -> Any:
        for which, special in (("empty", self.empty_key), ("deleted", self.deleted_key)):
            if key == special:
                raise _invalid(f"Using the {which}_key as a table key is not allowed")
        return key

    def _probe(self, key: Any) -> Iterator[int]:
        """The places where a key may be, in the order in which they are tried."""
        mask = len(self.buckets) - 1
        at = _hash(key) & mask
        for step in range(1, len(self.buckets) + 1):
            yield at
            at = at + step & mask

    def _place(self, key: Any) -> int | None:
        for at in self._probe(key):
            held = self.buckets[at]
            if held is None:
                return None
            if held is not _DELETED and held == key:
                return at
        return None

    def _put(self, key: Any, row: Any) -> None:
        """Puts an entry into the first bucket of its key that is free or holds the key."""
        for at in self._probe(key):
            held = self.buckets[at]
            if held is None or held is _DELETED or held == key:
                self.count += held is None or held is _DELETED
                self.buckets[at] = key
                self.rows[at] = row
                return
        raise errors.InternalError(None, None, "Internal error in MutableDenseHashTable insert")

    def _grow_to(self, entries: int) -> None:
        size = len(self.buckets)
        while entries > size * self.max_load_factor:
            size *= 2
        if size == len(self.buckets):
            return
        old, old_rows = self.buckets, self.rows
        (self.buckets, self.rows), self.count = self._empty(size), 0
        for key, row in zip(old, old_rows):
            if key is not None and key is not _DELETED:
                self._put(key, row)


def _hash(key: Any) -> int:
    """TF's hash of a key: an integer is its own."""
    if isinstance(key, tuple):
        if len(key) == 1:
            return _hash(key[0])
        state = 0
        for part in key:
            state ^= _hash(part) + 0x9E3779B97F4A7800 + (state << 10) + (state >> 4) & _MASK
        return state
    return hash64(key) if isinstance(key, bytes) else key & _MASK


# -- texts -----------------------------------------------------------------------------------------------------------


def _text(shape: Iterable[int]) -> str:
    return "[" + ",".join(map(str, shape)) + "]"


def _item(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return f"{value:g}" if isinstance(value, float) else str(int(value))


def _invalid(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)


__all__ = ["DenseTable", "MutableTable", "StaticTable", "Table"]
