"""Value numbering: `ValueNumbers()` maps equal values to the same number, so that two states of a run can be compared.

State: `ValueNumbers.numbers`, the numbers so far; `Generators.first_states`, the first states of the generators of a session
whose runs are repeated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..runtime.store import Buffer, Handle, Store, View

_LONG_BYTES: Final = 64  # bytes; longer values are represented by a digest


class ValueNumbers:
    """Numbers of values; equal values have equal numbers."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}
        self.labels: dict[int, str] = {}
        self.alive: list[Any] = []

    def label(self, resource: Any, name: str) -> None:
        """Makes all resources of this name equal: the same turn of different runs created them."""
        self.labels[id(resource)] = name
        self.alive.append(resource)

    def __call__(self, value: Any) -> int:
        key = self._key(value)
        return self.numbers.setdefault(key, len(self.numbers))

    def _key(self, value: Any) -> Any:
        if isinstance(value, (np.ndarray, np.generic)):
            if value.dtype.hasobject:
                return "objects", value.shape, tuple([self._key(item) for item in np.asarray(value).flat])
            data = value.tobytes()
            if len(data) > _LONG_BYTES:
                data = hashlib.blake2b(data, digest_size=20).digest()
            return value.dtype.str, value.shape, data
        if isinstance(value, Buffer):
            return "buffer", self.labels.get(id(value), value.name)
        if isinstance(value, View):
            return "view", self._key(value.source)
        if isinstance(value, Handle):
            return "handle", self.labels.get(id(value.buffer), value.buffer.name)
        if isinstance(value, (list, tuple)):
            return "list", tuple([self._key(item) for item in value])
        if isinstance(value, dict):
            return "dict", tuple(sorted([(name, self._key(item)) for name, item in value.items()]))
        if isinstance(value, set):
            return "set", frozenset(value)
        if value is None or isinstance(value, (bytes, str, bool, int, float)):
            return type(value), value
        self.alive.append(value)
        return "object", id(value)


class Generators(dict[str, Any]):
    """A session's generators; a recreated one starts in its first state, with or without a seed."""

    def __init__(self, generators: Mapping[str, Any]) -> None:
        super().__init__(generators)
        self.first_states: dict[str, Any] = {}

    def setdefault(self, name: str, generator: Any = None) -> Any:
        if name not in self:
            self[name] = copied_generator(self.first_states.setdefault(name, copied_generator(generator)))
        return self[name]


def copied_generator(generator: Any) -> Any:
    return generator.__copy__() if hasattr(generator, "__copy__") else generator


def with_generators(store: Store) -> Store:
    """The store, with generators that repeat their numbers even without a seed."""
    store.generators = Generators(store.generators)
    return store


def repeatable_copy(store: Store) -> Store:
    """A copy of a store with such generators: also those without seeds yield the same numbers in both."""
    copy = with_generators(store.copy())
    generators: Any = copy.generators
    generators.first_states = store.generators.first_states  # type: ignore[attr-defined]
    return copy
