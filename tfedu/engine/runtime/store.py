"""The state of one session: `Store.buffer(name)` is a variable's storage, created on first use.

A `Buffer` holds one value. An assignment replaces the value; an update changes it in place only where no other object
refers to it (`Buffer.changed`), so an array that was read never changes afterwards. A *reference* is the buffer itself, and
its consumer loads the value when it runs. A `View` is a reference behind an op that only rearranges (Reshape).
State: `Store.buffers` (variables), `Store.generators` (counters of single nodes: random ops, Print), `Store.handle_values`
(values with session handles), `Store.resources`, `Store.lock`, `Store.memory` (None without a limit).
"""

from __future__ import annotations

import copy
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final

import numpy as np

from ..base import errors
from ..base import site as sites
from ..base.dtypes import DType
from ..base.philox import Generator
from ..base.resources.attempts import Attempt, Begun, Meeting, TurnKey
from ..base.resources.mutex import Lock, Mutex
from ..base.shapes import Shape
from .devices.transfers import Transfers
from .memory import DeviceMemories, Memory
from .waiting import Waits, waited


class Buffer:
    """A variable's storage in one session; `value` is None until it is initialized."""

    __slots__ = ("name", "dtype", "shape", "value", "lock", "device")

    def __init__(self, name: str, dtype: DType | None = None, shape: Shape = None) -> None:
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self.value: Any = None
        self.lock = threading.Lock()
        self.device = ""  # of the variable in a session with several devices

    def assign(self, value: Any) -> None:
        """Stores a copy of the value: the owner of a fed array may change it later."""
        self.value = value.copy() if isinstance(value, np.ndarray) or hasattr(value, "__array_function__") else value

    @staticmethod
    def changed(buffers: Sequence[Buffer], change: Callable[[list[Any]], None]) -> bool:
        """Calls `change` with the arrays of these buffers, to change them in place; False where another object refers to one.

        That saves a training step the memory of a second model. Python's reference counts tell whether another object
        refers to an array; threads that read a buffer meanwhile wait, since its class is `_Changing`.
        """
        if len(set(buffers)) < len(buffers) or any(type(buffer) is _Changing for buffer in buffers):
            return False
        try:
            for buffer in buffers:
                buffer.__class__ = _Changing
            for buffer in buffers:
                if _references(buffer) != _UNSHARED or _get_value(buffer).base is not None:
                    return False
            change([_get_value(buffer) for buffer in buffers])
            return True
        finally:
            for buffer in buffers:
                if type(buffer) is not _Closed:
                    buffer.__class__ = Buffer

    def __repr__(self) -> str:
        return f"<Buffer {self.name}>"


class Reference(Buffer):
    """A reference to a resource that is no variable, such as a queue of an older graph: its value is the container and the name.

    buffer: the resource.
    """

    __slots__ = ("buffer",)

    def __init__(self, container: str, resource: Any) -> None:
        super().__init__(resource.name)
        self.value = np.array([(container or "localhost").encode(), resource.name.encode()], object)
        self.buffer = resource


_get_value: Any = vars(Buffer)["value"].__get__
_set_value: Any = vars(Buffer)["value"].__set__


class _Changing(Buffer):
    """A buffer whose array is under change in place: reads and assignments wait until the change is over."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        self._wait()
        return _get_value(self)

    @value.setter
    def value(self, value: Any) -> None:
        self._wait()
        _set_value(self, value)

    def _wait(self) -> None:
        while type(self) is _Changing:
            time.sleep(1e-5)


class _Closed(Buffer):
    """A buffer whose session was closed: a run that is still under way in another thread ends when it reads or writes it."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        raise cancelled()

    @value.setter
    def value(self, value: Any) -> None:
        raise cancelled()


def cancelled() -> errors.CancelledError:
    """The error of a run whose session was closed meanwhile; the runtime adds the node."""
    error = errors.CancelledError(None, None, "Run call was cancelled")
    error.fix = "the session was closed during the run, by another thread: join the threads that run before close()"
    return error


def _references(buffer: Buffer) -> int:
    return sys.getrefcount(_get_value(buffer))


def _references_of_one_buffer() -> int:
    """Python's reference count of a value that only a buffer refers to (it includes the call itself)."""
    buffer = Buffer("")
    buffer.value = np.zeros(1)
    return _references(buffer)


_UNSHARED: Final = _references_of_one_buffer()


class View:
    """A reference behind an op that passes the buffer on in another shape."""

    __slots__ = ("source", "rearrange")

    def __init__(self, source: Buffer | View, rearrange: Callable[[Any], Any]) -> None:
        self.source = source
        self.rearrange = rearrange

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def value(self) -> Any:
        value = self.source.value
        return None if value is None else self.rearrange(value)


class Handle:
    """A resource: the value of a handle tensor. It refers to a buffer or a tensor array; to pass it on does not read these."""

    __slots__ = ("buffer",)

    def __init__(self, buffer: Any) -> None:
        self.buffer = buffer


class Store:
    """The state of one session."""

    def __init__(self) -> None:
        self.buffers: dict[tuple[str, str], Buffer] = {}
        self.generators: dict[str, Any] = {}
        self.handle_values: dict[str, tuple[Any, DType]] = {}
        self._handle_count = 0
        self.lock = threading.Lock()
        self.memory: Memory | DeviceMemories | None = None  # the limits of what runs may hold
        self.gpu: Any = None  # the GpuValues of a session with a GPU
        self.transfers = Transfers()
        self.calls: dict[object, tuple[Any, Callable[..., Any], float, int]] = {}  # the Python functions that run now
        self.ends: dict[int, float] = {}  # of the runs with a time limit: thread -> when it is over, of time.monotonic()
        self.closed: list[bool] = []  # not empty: the session was closed; plans hold the list itself
        self.resources: dict[tuple[str, str, str], Any] = {}  # mutexes, queues, tables, …, by kind, container and name
        self.waits = Waits()  # of runs at queues

    def buffer(self, container: str, name: str, dtype: DType | None = None, shape: Shape = None) -> Buffer:
        """The buffer of that name, created on first use."""
        key = (container, name)
        buffer = self.buffers.get(key)
        if buffer is None:
            with self.lock:
                if self.closed:
                    raise cancelled()
                buffer = self.buffers.setdefault(key, Buffer(name, dtype, shape))
        return buffer

    def resource(self, kind: str, container: str, name: str, make: Callable[[str], Any]) -> Any:
        """The resource of that name, which is no variable: `make(name)` on first use. Its `close()`, if any, ends it."""
        with self.lock:
            self.check_open()
            key = kind, container, name
            if key not in self.resources:
                self.resources[key] = make(name)
            return self.resources[key]

    def check_open(self) -> None:
        """Raises: CancelledError when the session was closed."""
        if self.closed:
            raise cancelled()

    @contextmanager
    def releasing_locks(self) -> Iterator[None]:
        """A run, at whose end this thread gives back the locks that it took in it."""

        def held() -> list[Lock]:
            mutexes = [each for each in list(self.resources.values()) if isinstance(each, Mutex)]
            return [lock for mutex in mutexes for lock in list(mutex.locks) if lock.thread == thread]

        thread = threading.get_ident()
        before = held()
        try:
            yield
        finally:
            for lock in held():
                if lock not in before:
                    lock.release()

    @contextmanager
    def ending_at(self, end: float) -> Iterator[None]:
        """A run of this thread whose time limit is over at `end`."""
        thread = threading.get_ident()
        before = self.ends.get(thread)
        try:
            self.ends[thread] = end
            yield
        finally:
            self.ends.pop(thread, None)
            if before is not None:
                self.ends[thread] = before

    def seconds_left(self) -> float | None:
        """The time that this thread's run still has; None without a limit."""
        end = self.ends.get(threading.get_ident())
        return None if end is None else max(0.0, end - time.monotonic())

    @contextmanager
    def calling(self, node: Any, function: Callable[..., Any]) -> Iterator[None]:
        """Notes, for `unreturned`, that a node calls a Python function."""
        key = object()
        self.calls[key] = node, function, time.time(), threading.get_ident()
        try:
            yield
        finally:
            del self.calls[key]

    def unreturned(self) -> list[str]:
        """A text for each Python function that another thread's run calls now: which function, of which node, since when."""
        return [
            f"{getattr(function, '__qualname__', repr(function))}, which node {node.name} ({sites.describe(node.site)}) "
            f"called at {time.strftime('%H:%M:%S', time.localtime(began))}, {time.time() - began:.1f} s ago"
            for node, function, began, thread in list(self.calls.values())
            if thread != threading.get_ident()
        ]

    def close(self) -> None:
        """Frees the values, and ends the runs that are under way by CancelledError."""
        with self.lock:
            self.closed.append(True)
            buffers, resources = list(self.buffers.values()), list(self.resources.values())
            self.buffers.clear()
            self.resources.clear()
        for buffer in buffers:
            buffer.__class__ = _Closed
        for resource in resources:
            close = getattr(resource, "close", None)
            if close is not None:
                close()
        self.generators.clear()
        self.handle_values.clear()

    def keep(self, node: str, value: Any, dtype: DType) -> str:
        """Keeps a value for later runs; returns its key in `handle_values`."""
        with self.lock:
            name = f"{node};{self._handle_count};/job:localhost/replica:0/task:0/device:CPU:0"
            self._handle_count += 1
        self.handle_values[name] = (value.copy() if isinstance(value, np.ndarray) else value, dtype)
        return name

    def copy(self) -> Store:
        """A store with the same values; values are never changed in place, so they are shared.

        Those in the memory of a GPU are copied from there: runs on a copy of the store compute on the host.
        """
        store = Store()
        for key, old in self.buffers.items():
            new = Buffer(old.name, old.dtype, old.shape)
            new.value = old.value if self.gpu is None else self.gpu.on_host(old.value)
            store.buffers[key] = new
        store.generators = {name: copy.copy(generator) for name, generator in self.generators.items()}
        store.handle_values, store._handle_count = dict(self.handle_values), self._handle_count
        store.memory = self.memory
        copies = {key: each.copied() for key, each in list(self.resources.items()) if hasattr(each, "copied")}
        store.resources = copies
        store.waits = Waits(0.0, alone=True)
        return store


class World:
    """A kernel with effects or state gets a World as its first argument: it holds the kernel's node and the session's store.

    turn: in a run that comes back to a turn whose kernel raised Begun.
    """

    __slots__ = ("node", "store", "turn")

    # A function (op/function_graph.py) compiled for this session, its random generators at their start; function_calls.py
    # attaches it.
    function_call: ClassVar[Callable[[World, Any], Any]]

    def __init__(self, node: Any, store: Store, turn: TurnKey | None = None) -> None:
        self.node = node
        self.store = store
        self.turn = turn

    def buffer(self, container: str, shared_name: str, dtype: DType | None, shape: Shape) -> Buffer:
        """The storage under the node's shared name, or under its own name."""
        buffer = self.store.buffer(container, shared_name or self.node.name, dtype, shape)
        buffer.device = self.node.device
        return buffer

    def resource(self, kind: str, container: str, shared_name: str, make: Callable[[str], Any]) -> Any:
        """The session's resource of this kind under the node's shared name, or under its own name; `make(name)` on first use."""
        return self.store.resource(kind, container, shared_name or self.node.name, make)

    def private_resource(self, kind: str, container: str, make: Callable[[str], Any]) -> Any:
        """The node's own resource, which no shared name reaches. `make` gets a name with a number, as TF's messages have it."""
        resources = self.store.resources

        def numbered(name: str) -> Any:
            return make(f"_{sum(each.startswith('_') for _, _, each in resources)}{name}")

        return self.store.resource(kind, container, f"_{self.node.name}", numbered)

    @staticmethod
    def temporary(name: str, dtype: DType, shape: Shape) -> Buffer:
        """Storage of one run."""
        return Buffer(name, dtype, shape)

    @staticmethod
    def reference(container: str, resource: Any) -> Reference:
        return Reference(container, resource)

    @staticmethod
    def handle(buffer: Any) -> Handle:
        return Handle(buffer)

    def generator(self, make: Callable[[], Any]) -> Any:
        """The state of this node in this session (a random generator, a counter), created on first use."""
        state = self.store.generators.get(self.node.name)
        if state is None:
            with self.store.lock:
                state = self.store.generators.setdefault(self.node.name, make())
        return state

    def waited(self, meeting: Meeting, begin: Callable[[], Attempt], in_turn: bool = False) -> Attempt:
        """The attempt that this turn begins there, or has begun, once it has ended.

        in_turn: of a kernel that cannot begin anew, so that it waits inside its turn.
        Raises: Begun for an attempt that has not ended, in a run that comes back to the turn.
        """
        if self.turn is None or in_turn:
            return waited(begin(), self.node, self.store)
        attempt = meeting.begun.get(self.turn) or begin()
        with attempt.queue.lock:
            if attempt.done:
                attempt.queue.begun.pop(self.turn, None)
                return attempt
            attempt.queue.begun[self.turn] = attempt
        raise Begun(attempt)

    def may_reshape(self) -> None:
        """Invalidates the plans compiled before this node existed, which may rely on the shape of its variable."""

        def invalidate_plans() -> bool:
            graph = self.node.graph
            (graph.original or graph).mutations += 1
            return True

        self.generator(invalidate_plans)

    def rng(self, seed: int, seed2: int) -> Generator:
        """The random generator of this node in this session."""
        generator: Generator = self.generator(lambda: Generator(seed, seed2))
        return generator
