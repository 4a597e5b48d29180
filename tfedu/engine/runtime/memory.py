"""The memory limit of a session: `Memory(limit)` refuses a node whose outputs do not fit, before its kernel allocates them.

What a run holds are the session's variables and the large arrays that its nodes returned and that live still: weak references
tell, so that queues, tensor arrays and loops count without any code of theirs. The size of an output follows from its static
shape, or from the op's shape rule and the values of the node's inputs. Arrays of less than `_SMALL` bytes are not counted, nor
what a kernel needs only while it computes, nor the copies that a fetch gives to the caller.

A session without a limit calls nothing of this. State: `Memory`: the arrays of the runs under way, by thread.
"""

from __future__ import annotations

import contextlib
import math
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol

import numpy as np

from ..backends import CPU
from ..base import dtypes, errors
from ..base.memory_limit import FIX
from ..base.shapes import Shape, ShapeMismatch, num_elements
from ..graph.nodes import Operation, Tensor
from ..op.infer import Sym
from ..ops.transfers import PAIRS

_SMALL: Final = 1 << 16
_DEVICE_FIX: Final = (
    "use smaller tensors, put some on another device, or simulate larger ones: tf.SimulatedDevices(gpu_memory_mb=…)"
)
# Their outputs are the graph's constants, the variables themselves or their values.
WITHOUT_MEMORY: Final = ("constant", "variable", "temporary", "read")


# -- sizes of outputs --------------------------------------------------------------------------------------------------


class _Known(Sym):
    """An input of a node for its shape rule, with its value in this run; None where that lies in the memory of a GPU."""

    __slots__ = ("known_value",)

    def __init__(self, tensor: Tensor, value: Any) -> None:
        super().__init__(tensor)
        self.shape = tuple(getattr(value, "shape", ()))
        self.known_value = value if _is_data(value) else None

    @property
    def value(self) -> Any:
        return self.known_value

    @property
    def as_shape(self) -> Shape:
        if self.known_value is None or np.ndim(self.known_value) != 1:
            return None
        return tuple(None if n < 0 else n for n in self.known_value.tolist())


def output_shapes(op: Operation, values: Sequence[Any]) -> Sequence[Shape]:
    """The shapes of the node's outputs for these values of its inputs, as far as they follow without the kernel."""
    d = op.definition
    static = [t.raw_shape for t in op.outputs]
    if d is None or d.shape_rule is None or all(s is not None and None not in s for s in static):
        return static
    try:
        known = [
            _Known(t, value) if _is_data(value) or is_on_gpu(value) else Sym(t) for t, value in zip(op.inputs, values)
        ]
        shapes = d.shape_rule(*d.group(op, known), **{name: op.attrs[name] for name in d.kernel_attrs})
    except (ShapeMismatch, TypeError, ValueError, OverflowError, errors.OpError):
        return static  # the kernel says what is wrong with the inputs
    return [shapes] if d.simple else list(shapes or static)


def _is_data(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic | bytes)


def is_on_gpu(value: Any) -> bool:
    """Whether the value is an array in the memory of a GPU."""
    return hasattr(type(value), "__cuda_array_interface__")


def _bytes(tensor: Tensor, shape: Shape) -> int:
    """The size of an output; 0 where it is not known."""
    if shape is None or None in shape or tensor.dtype.base_dtype.numpy is None:
        return 0
    itemsize = np.dtype(tensor.dtype.base_dtype.numpy).itemsize
    return math.prod(shape) * itemsize  # type: ignore[arg-type]


def needed(op: Operation, values: Sequence[Any]) -> tuple[int, Tensor | None, Shape]:
    """(the bytes of the node's new outputs, the largest output and its shape)."""
    d = op.definition
    if d.role in WITHOUT_MEMORY:
        return 0, None, ()
    if d.written_inputs and d.resource == "variable":
        # A write stores a copy of what it gets; the reference that it returns takes no memory.
        stored = [(v.nbytes, t, v.shape) for t, v in zip(op.inputs, values) if isinstance(v, np.ndarray) or is_on_gpu(v)]
        return max(stored, key=lambda entry: entry[0], default=(0, None, ()))
    if d.alias_index >= 0 or d.view_index >= 0:
        return 0, None, ()
    sizes = [(_bytes(t, shape), t, shape) for t, shape in zip(op.outputs, output_shapes(op, values))]
    if not sizes:
        return 0, None, ()
    _, largest, shape = max(sizes, key=lambda entry: entry[0])
    return sum(size for size, _, _ in sizes), largest, shape


_MOST_ELEMENTS: Final = (1 << 63) - 1  # of a tensor in TF


def too_large(op: Operation, values: Sequence[Any]) -> errors.OpError | None:
    """The error of a node with an output that no tensor, or no array, can be; None where the outputs' shapes are possible."""
    for tensor, shape in zip(op.outputs, () if op.definition is None else output_shapes(op, values)):
        if shape is None or None in shape:
            continue
        if math.prod(size or 1 for size in shape) > _MOST_ELEMENTS:  # NumPy's limit does not care for sizes of 0
            sizes = ",".join(map(str, shape))
            return errors.InvalidArgumentError(None, None, f"Shape [{sizes}] would have more than 2**63 - 1 elements")
        size = _bytes(tensor, shape)
        if size > _MOST_ELEMENTS:
            return exhausted(op, size, tensor, shape, "")
    return None


def exhausted(
    op: Operation, size: int, tensor: Tensor | None, shape: Shape, rest: str, device: str = CPU.device
) -> errors.ResourceExhaustedError:
    """Makes the ResourceExhaustedError of a node whose outputs do not fit into the memory of `device`.

    The message begins with TF's words; `rest` is its end, which gives the reason.
    """
    sizes = "[" + ",".join(map(str, shape or ())) + "]"
    kind = "unknown" if tensor is None else dtypes.runtime_name(tensor.dtype.base_dtype)
    return errors.ResourceExhaustedError(
        None,
        None,
        f"OOM when allocating tensor with shape{sizes} and type {kind} on {device} by allocator {allocator(device)}: "
        f"{op.type} needs {size} bytes{rest}",
    )


def allocator(device: str) -> str:
    """TF's name of what allocates the memory of a device."""
    kind, _, number = device.rpartition("device:")[2].partition(":")
    return f"{kind}_{number}_bfc" if kind == "GPU" else "cpu"


# -- the limit ---------------------------------------------------------------------------------------------------------


def _forget(arrays: dict[int, Any], key: int) -> Callable[[Any], None]:
    def forget(reference: Any) -> None:
        arrays.pop(key, None)

    return forget


class _Runs(threading.local):
    """The arrays of this thread's runs, the innermost last: the id of each, a weak reference and its bytes."""

    def __init__(self) -> None:
        self.arrays: list[dict[int, tuple[Any, int]]] = [{}]


class _Stored(Protocol):
    """The store of a session, as far as its variables' memory needs it."""

    buffers: dict[tuple[str, str], Any]


class Memory:
    """What the runs of one session may hold: `limit` bytes. device: only what lies in the memory of this simulated device."""

    def __init__(self, limit: int, device: str = "") -> None:
        self.limit = limit
        self.device = device
        self._runs = _Runs()

    def of(self, op: Operation) -> Memory | None:
        """The memory in which the outputs of a node lie, if it has a limit."""
        return self

    @contextlib.contextmanager
    def run(self) -> Iterator[None]:
        """A run: what it leaves behind belongs to the caller or to the store."""
        self._runs.arrays.append({})
        try:
            yield
        finally:
            self._runs.arrays.pop()

    def check(self, op: Operation, values: Sequence[Any], store: _Stored) -> None:
        """Called before the node's kernel. Raises: ResourceExhaustedError when its outputs do not fit."""
        size, tensor, shape = needed(op, values)
        if size < _SMALL or (num_elements(shape) or 0) > _MOST_ELEMENTS:  # the kernel refuses those
            return
        held = self.held(store)
        if held + size > self.limit:
            holder = self.device.rpartition("device:")[2] or "the session"
            rest = f", and {holder} holds {held} of its {self.limit} bytes"
            error = exhausted(op, size, tensor, shape, rest, self.device or CPU.device)
            error.fix = _DEVICE_FIX if self.device else FIX
            raise error

    def held(self, store: _Stored) -> int:
        """The bytes of the variables and of the large arrays of the runs under way in this thread."""
        arrays = {key: size for run in self._runs.arrays for key, (_, size) in list(run.items())}
        for buffer in list(store.buffers.values()):
            if isinstance(buffer.value, np.ndarray) and self.device in ("", buffer.device):
                arrays[id(buffer.value)] = buffer.value.nbytes
        return sum(arrays.values())

    def note(self, outputs: Sequence[Any]) -> None:
        """Called with what a kernel returned."""
        arrays = self._runs.arrays[-1]
        for value in outputs:
            if type(value) is not np.ndarray or value.nbytes < _SMALL:
                continue
            while isinstance(value.base, np.ndarray):
                value = value.base
            key = id(value)
            if key not in arrays:
                arrays[key] = weakref.ref(value, _forget(arrays, key)), value.nbytes


class DeviceMemories:
    """The memories of the simulated devices that have a limit, and that of the whole session if it has one."""

    def __init__(self, limits: dict[str, int], whole: Memory | None) -> None:
        self.by_device = {device: Memory(limit, device) for device, limit in limits.items()}
        self.whole = whole

    def of(self, op: Operation) -> Memory | None:
        """The memory in which the outputs of a node lie: those of a send lie where they are sent."""
        return self.by_device.get(op.attrs["recv_device"] if op.type in PAIRS else op.device, self.whole)

    @contextlib.contextmanager
    def run(self) -> Iterator[None]:
        """A run, as of each memory."""
        with contextlib.ExitStack() as stack:
            for memory in (*self.by_device.values(), *filter(None, (self.whole,))):
                stack.enter_context(memory.run())
            yield


__all__ = [
    "WITHOUT_MEMORY", "DeviceMemories", "Memory", "allocator", "exhausted", "is_on_gpu", "needed", "output_shapes", "too_large",
]  # fmt: skip
