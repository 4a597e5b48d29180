"""The GPU of this machine, through CuPy: `gpu()` is its `Gpu`, or None, and `why_none()` says why.

CuPy is looked for when the first session asks, and imported where it is installed; nothing else of the engine imports it. There
is one GPU at most, CuPy's current device, of the process `/device:GPU:0`. State: the cached answer.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

EXTRAS: Final = "`pip install tfedu[gpu]` for CUDA 13, `pip install tfedu[gpu12]` for CUDA 12"
DEVICE: Final = "/job:localhost/replica:0/task:0/device:GPU:0"


@dataclass(frozen=True)
class Gpu:
    """A GPU: its array module, the class of its arrays, and how an array travels.

    send(array): a copy in the GPU's memory; fetch(array): one on the host, for which the host waits.
    """

    xp: Any
    array: type
    send: Callable[[Any], Any]
    fetch: Callable[[Any], Any]
    name: str = ""
    capability: tuple[int, int] = (0, 0)
    memory: int = 0
    device: str = DEVICE

    @property
    def description(self) -> str:
        """The text of TensorFlow's device list."""
        capability = ".".join(map(str, self.capability))
        return f"device: 0, name: {self.name}, pci bus id: <undefined>, compute capability: {capability}"


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
    except ImportError as error:
        return None, f"CuPy cannot be loaded ({str(error).splitlines()[0][:200]}): {EXTRAS}"
    try:
        count = cupy.cuda.runtime.getDeviceCount()
        properties = cupy.cuda.runtime.getDeviceProperties(0) if count else {}
    except cupy.cuda.runtime.CUDARuntimeError as error:
        text = str(error)
        if "InsufficientDriver" in text:
            text += f"; the driver is older than CuPy's CUDA: {EXTRAS}"
        return None, f"CUDA has no device: {text}"
    if not count:
        return None, "CUDA has no device"
    name = properties["name"].decode("utf-8", "replace")
    capability = int(properties["major"]), int(properties["minor"])

    def send(array: Any) -> Any:
        # Rank 0 too: a kernel gets arrays of the device alone.
        return cupy.asarray(np.asarray(array))

    return Gpu(cupy, cupy.ndarray, send, cupy.asnumpy, name, capability, int(properties["totalGlobalMem"])), ""


def gpu() -> Gpu | None:
    """The GPU of this machine; None where there is none, or no CuPy for it."""
    return _found()[0]


def why_none() -> str:
    """Why there is no GPU, and which extra to install; empty where there is one."""
    return _found()[1]


__all__ = ["DEVICE", "EXTRAS", "Gpu", "gpu", "why_none"]
