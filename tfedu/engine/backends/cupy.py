"""The GPU of this machine, through CuPy: `gpu()` is its `Gpu`, or None, and `why_none()` says why.

CuPy is looked for when the first session asks, and imported where it is installed; nothing else of the engine imports it. There
is one GPU at most, the first that CUDA shows (CUDA_VISIBLE_DEVICES chooses): `/device:GPU:0`. State: the cached answer.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..base.memory_use import MemoryUse

if TYPE_CHECKING:
    from .scalar_code import ScalarCode

EXTRAS: Final = "`pip install tfedu[gpu]` for CUDA 13, `pip install tfedu[gpu12]` for CUDA 12"
DEVICE: Final = "/job:localhost/replica:0/task:0/device:GPU:0"


# The bytes of an array up to which it travels through pinned memory, which CuPy's pool keeps.
_MOST_STAGED: Final = 1 << 24
# In the texts of errors: of the runtime, of the driver, and of cuBLAS, cuSOLVER and cuFFT, which need memory of their own.
_NO_MEMORY: Final = ("cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY", "STATUS_ALLOC_FAILED", "CUFFT_ALLOC_FAILED")


@dataclass(frozen=True)
class Gpu:
    """A GPU: its array module, the class of its arrays, and how an array travels.

    send(array): a copy in the GPU's memory; fetch(array): one on the host, for which the host waits; fetch_all(arrays): of each,
    for which it waits once. pool: CuPy's memory pool.
    elementwise(code): a function of arrays and numbers that broadcast, which gives a tuple of arrays in one kernel; None: there
    is none. raw(source, name): the kernel of that name in a source in CUDA C, which is called with the numbers of blocks and of
    threads along each axis and its arguments. address(array): where the array lies in the memory of the GPU.
    current(): a block in which the thread computes on this GPU, and in the one order of all threads. counted(): a block with a
    function, which tells what the thread did in the pool since its last call.
    """

    xp: Any
    array: type
    send: Callable[[Any], Any]
    fetch: Callable[[Any], Any]
    name: str = ""
    capability: tuple[int, int] = (0, 0)
    memory: int = 0
    device: str = DEVICE
    bus: str = "<undefined>"
    pool: Any = None
    elementwise: Callable[[ScalarCode], Callable[..., Any]] | None = None
    raw: Callable[[str, str], Callable[..., None]] | None = None
    address: Callable[[Any], int] | None = None
    fetch_all: Callable[[Sequence[Any]], list[Any]] | None = None
    current: Callable[[], AbstractContextManager[None]] = nullcontext
    counted: Callable[[], AbstractContextManager[Callable[[], MemoryUse] | None]] = nullcontext

    @property
    def description(self) -> str:
        """The text of TensorFlow's device list."""
        capability = ".".join(map(str, self.capability))
        return f"device: 0, name: {self.name}, pci bus id: {self.bus}, compute capability: {capability}"

    @property
    def limit(self) -> int:
        """The bytes of its memory that this process may hold."""
        with self.current():
            return min(self.memory, (self.pool and self.pool.get_limit()) or self.memory)

    def allow(self, share: float) -> None:
        """Lets this process hold that share of its memory, from 0 to 1; 0 leaves the limit as it is."""
        if share and self.pool is not None:
            with self.current():
                self.pool.set_limit(fraction=share)


@functools.cache
def _found() -> tuple[Gpu | None, str]:
    """(the GPU, why there is none)."""
    try:
        if importlib.util.find_spec("cupy") is None:
            return None, f"CuPy is not installed: {EXTRAS}"
    except (ImportError, ValueError):  # a stand-in module without a specification
        return None, f"CuPy is not installed: {EXTRAS}"
    try:
        import cupy
    except Exception as error:  # one for another NumPy, say: a session on the CPU needs none
        return None, f"CuPy cannot be loaded ({_begin(error)}): {EXTRAS}"
    runtime = cupy.cuda.runtime
    try:
        if not runtime.driverGetVersion():
            return None, "NVIDIA's driver is not installed, or there is no NVIDIA GPU"
        count = runtime.getDeviceCount()
        properties = runtime.getDeviceProperties(0) if count else {}
    except runtime.CUDARuntimeError as error:
        text = _begin(error)
        if "InsufficientDriver" in text:
            text += f"; the driver is older than CuPy's CUDA: {EXTRAS}"
        return None, f"CUDA has no device: {text}"
    if not count:
        return None, "CUDA has no device"
    try:
        cupy.cuda.nvrtc.getVersion()
        cupy.cuda.cublas  # noqa: B018 - no module of this name: CuPy loads the library where the attribute is read
    except (ImportError, RuntimeError, OSError) as error:
        return None, f"a library of CUDA is missing ({_begin(error)}): {EXTRAS}"
    try:
        cupy.RawKernel('extern "C" __global__ void tfedu_nothing() {}', "tfedu_nothing").compile()
    except Exception as error:  # CUDA's headers are missing, or the driver does not take what the compiler makes
        return None, f"no kernel can be compiled ({_begin(error)}): {EXTRAS}"
    name = properties["name"].decode("utf-8", "replace")
    capability = int(properties["major"]), int(properties["minor"])

    device, stream, is_pinned = cupy.cuda.Device(0), cupy.cuda.Stream.null, cupy.cuda.pinned_memory.is_memory_pinned
    is_unified = os.environ.get("CUPY_ENABLE_UMP", "0") != "0"

    def send(array: Any) -> Any:
        # A single number is sent as an array of rank 0, since kernels take arrays of the device alone. CuPy copies most arrays
        # into its pool of pinned memory at once. It reads an array that lies in pinned memory only later, and never copies one
        # in unified memory: the caller may change both after the run, so that the GPU gets a copy.
        array = np.asarray(array)
        return cupy.array(array.copy() if is_unified or is_pinned(array.ctypes.data) else array)

    def fetch_all(arrays: Sequence[Any]) -> list[Any]:
        staged = [
            np.ndarray(a.shape, a.dtype, cupy.cuda.alloc_pinned_memory(a.nbytes)) if 0 < a.nbytes <= _MOST_STAGED else None
            for a in arrays
        ]
        for array, host in zip(arrays, staged):
            if host is not None:
                array.get(stream, out=host, blocking=False)
        found = [array.get() if host is None else host for array, host in zip(arrays, staged)]
        stream.synchronize()
        # The pool of pinned memory gets its own back: what a program keeps must not lock the memory of the machine.
        return [array if host is None else host.copy() for array, host in zip(found, staged)]

    @contextmanager
    def current() -> Iterator[None]:
        # A program may have made another device or stream the current one of its thread. Arrays of this session must not be
        # used on two streams: what one does to an array is not ordered with what the other one does.
        with device, stream:
            yield

    from .scalar_code import OPTIONS

    @functools.cache
    def elementwise(code: ScalarCode) -> Callable[..., Any]:
        inputs = ", ".join([f"{dtype.name} in{i}" for i, dtype in enumerate(code.inputs)])
        outputs = ", ".join([f"{dtype.name} out{i}" for i, dtype in enumerate(code.outputs)])
        return cupy.ElementwiseKernel(  # type: ignore[no-any-return]
            inputs, outputs, code.body, "tfedu_elementwise", preamble=code.preamble, options=OPTIONS, return_tuple=True
        )

    @functools.cache
    def raw(source: str, name: str) -> Callable[..., None]:
        return cupy.RawKernel(source, name, options=OPTIONS)  # type: ignore[no-any-return]

    memory, bus, pool = int(properties["totalGlobalMem"]), device.pci_bus_id, cupy.get_default_memory_pool()

    class Counts(cupy.cuda.MemoryHook):  # type: ignore[misc]
        """A memory hook: CuPy calls it when this thread takes memory from the pool or gives it back, and it counts the bytes."""

        def __init__(self) -> None:
            self.name = f"tfedu {id(self)}"  # a run inside a run has another one
            self._start()

        def malloc_postprocess(self, *, mem_size: int, mem_ptr: int, **_: Any) -> None:
            if mem_ptr:
                self._total += mem_size
                self._used += mem_size
                self._peak = max(self._peak, self._used)

        def free_postprocess(self, *, mem_size: int, **_: Any) -> None:
            self._used -= mem_size

        def _start(self) -> None:
            self._total, self._used = 0, pool.used_bytes()
            self._first = self._peak = self._used

        def since(self) -> MemoryUse:
            in_use = pool.used_bytes()
            use = MemoryUse(DEVICE, self._total, self._peak - self._first, in_use - self._first, in_use)
            self._start()
            return use

    @contextmanager
    def counted() -> Iterator[Callable[[], MemoryUse]]:
        with Counts() as counts:
            yield counts.since

    return Gpu(cupy, cupy.ndarray, send, cupy.asnumpy, name, capability, memory, DEVICE, bus, pool, elementwise, raw,
               lambda array: int(array.data.ptr), fetch_all, current, counted), ""  # fmt: skip


def _begin(error: Exception) -> str:
    """The first words of an error's text, or its class."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that a GPU has no memory left: that of CuPy's pool, or one of CUDA's and its libraries'."""
    if type(error).__module__.partition(".")[0] not in ("cupy", "cupy_backends"):
        return False
    return isinstance(error, MemoryError) or any(word in str(error) for word in _NO_MEMORY)


def gpu() -> Gpu | None:
    """The GPU of this machine; None where there is none, or no CuPy for it."""
    return _found()[0]


def why_none() -> str:
    """Why there is no GPU, and which extra to install; empty where there is one."""
    return _found()[1]


__all__ = ["DEVICE", "EXTRAS", "Gpu", "gpu", "is_out_of_memory", "why_none"]
