"""What one session remembers: `Store.buffer(name)` is a variable's storage, made on first use.

A `Buffer` holds one value and replaces it whole, or changes it in place where nobody else has it (`Buffer.changed`): an
array that was read never changes afterwards. So a *reference* is the buffer itself, loaded when its consumer runs, and a
*photograph* is the value that was loaded. A `View` is what an op that only re-arranges (Reshape) makes of a reference:
still a reference.
State: `Store.buffers` (variables), `Store.generators` (what single nodes count: random ops, Print), `Store.kept` (values
that have session handles), `Store.lock`.
"""

from __future__ import annotations

import copy
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..base.dtypes import DType
from ..base.philox import Generator
from ..base.shapes import Shape


class Buffer:
    """A variable's storage in one session; `value` is None until it is initialized."""

    __slots__ = ("name", "dtype", "shape", "value", "lock")

    def __init__(self, name: str, dtype: DType | None = None, shape: Shape = None) -> None:
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self.value: Any = None
        self.lock = threading.Lock()

    def assign(self, value: Any) -> None:
        """Stores a value of its own: a fed array that its owner changes later must not change the variable."""
        self.value = value.copy() if isinstance(value, np.ndarray) else value

    @staticmethod
    def changed(buffers: Sequence[Buffer], change: Callable[[list[Any]], None]) -> bool:
        """Whether `change` was given the arrays of these buffers, to change them in place; not where somebody else holds one.

        A training step need not fetch memory for a whole model that way. Whoever has read an array holds it, and
        Python counts the holders; whoever wants to read one meanwhile finds a `_Changing` buffer and waits.
        """
        if len(set(buffers)) < len(buffers) or any(type(buffer) is _Changing for buffer in buffers):
            return False
        try:
            for buffer in buffers:
                buffer.__class__ = _Changing
            for buffer in buffers:
                if _holders(buffer) != _ALONE or _held(buffer).base is not None:
                    return False
            change([_held(buffer) for buffer in buffers])
            return True
        finally:
            for buffer in buffers:
                buffer.__class__ = Buffer

    def __repr__(self) -> str:
        return f"<Buffer {self.name}>"


_held: Any = vars(Buffer)["value"].__get__
_hold: Any = vars(Buffer)["value"].__set__


class _Changing(Buffer):
    """A buffer whose array is being changed in place: to read it, or to put in another, is to wait for the end of that."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        self._wait()
        return _held(self)

    @value.setter
    def value(self, value: Any) -> None:
        self._wait()
        _hold(self, value)

    def _wait(self) -> None:
        while type(self) is _Changing:
            time.sleep(1e-5)


def _holders(buffer: Buffer) -> int:
    return sys.getrefcount(_held(buffer))


def _count_of_one() -> int:
    """What Python counts for a value that a buffer alone holds (its own looking counts as well)."""
    buffer = Buffer("")
    buffer.value = np.zeros(1)
    return _holders(buffer)


_ALONE: Final = _count_of_one()


class View:
    """A reference seen through an op that passes the buffer on in another shape."""

    __slots__ = ("source", "see")

    def __init__(self, source: Buffer | View, see: Callable[[Any], Any]) -> None:
        self.source = source
        self.see = see

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def value(self) -> Any:
        value = self.source.value
        return None if value is None else self.see(value)


class Handle:
    """A resource: the value of a handle tensor. It points at a buffer or a tensor array and is not read by being passed on."""

    __slots__ = ("buffer",)

    def __init__(self, buffer: Any) -> None:
        self.buffer = buffer


class Store:
    """The state of one session."""

    def __init__(self) -> None:
        self.buffers: dict[tuple[str, str], Buffer] = {}
        self.generators: dict[str, Any] = {}
        self.kept: dict[str, tuple[Any, DType]] = {}
        self._keepings = 0
        self.lock = threading.Lock()

    def buffer(self, container: str, name: str, dtype: DType | None = None, shape: Shape = None) -> Buffer:
        """The buffer under a name, made when it is new."""
        key = (container, name)
        found = self.buffers.get(key)
        if found is None:
            with self.lock:
                found = self.buffers.setdefault(key, Buffer(name, dtype, shape))
        return found

    def keep(self, node: str, value: Any, dtype: DType) -> str:
        """Keeps a value for later runs; the name under which `kept` has it."""
        with self.lock:
            name = f"{node};{self._keepings};/job:localhost/replica:0/task:0/device:CPU:0"
            self._keepings += 1
        self.kept[name] = (value.copy() if isinstance(value, np.ndarray) else value, dtype)
        return name

    def copy(self) -> Store:
        """A store with the same values; values are never changed in place, so they are shared."""
        twin = Store()
        for key, old in self.buffers.items():
            new = Buffer(old.name, old.dtype, old.shape)
            new.value = old.value
            twin.buffers[key] = new
        twin.generators = {name: copy.copy(generator) for name, generator in self.generators.items()}
        twin.kept, twin._keepings = dict(self.kept), self._keepings
        return twin


class World:
    """What a kernel that touches the world is given: its node and the session's store."""

    __slots__ = ("node", "store")

    def __init__(self, node: Any, store: Store) -> None:
        self.node = node
        self.store = store

    def buffer(self, container: str, shared_name: str, dtype: DType | None, shape: Shape) -> Buffer:
        """The storage that this node names: its shared name, or its own."""
        return self.store.buffer(container, shared_name or self.node.name, dtype, shape)

    @staticmethod
    def temporary(name: str, dtype: DType, shape: Shape) -> Buffer:
        """Storage that belongs to one run."""
        return Buffer(name, dtype, shape)

    @staticmethod
    def handle(buffer: Any) -> Handle:
        return Handle(buffer)

    def generator(self, make: Callable[[], Any]) -> Any:
        """What this node counts from run to run in this session, made on first use."""
        found = self.store.generators.get(self.node.name)
        if found is None:
            with self.store.lock:
                found = self.store.generators.setdefault(self.node.name, make())
        return found

    def may_reshape(self) -> None:
        """Plans that were made before this node was there may take the shape of its variable as known: they are void."""

        def void_plans() -> bool:
            self.node.graph.mutations += 1
            return True

        self.generator(void_plans)

    def rng(self, seed: int, seed2: int) -> Generator:
        """This node's random numbers in this session."""
        found: Generator = self.generator(lambda: Generator(seed, seed2))
        return found
