"""The devices of a new session and their memories, as its ConfigProto asks for them. No state.

A session has the CPU of this machine, its GPU if CuPy finds one, and the devices that the configuration has it simulate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...backends import cupy
from ...base import errors
from ...base.memory_limit import limit_of
from ...graph.device import DeviceSpec
from ..config import ConfigProto
from ..memory import DeviceMemories, Memory
from ..place import DeviceAttributes, Placer
from .gpu_values import GpuValues


def placer_of(config: Any) -> Placer:
    """The placer of a session with this ConfigProto, or with None.

    Raises: NotFoundError where the configuration leaves no CPU, InvalidArgumentError for a share of a GPU's memory below 0.
    """
    gpu = _gpu_of(config)
    if config is None:
        return Placer(gpu=gpu)
    options = config.allow_soft_placement, config.graph_options.place_pruned_graph, config.log_device_placement
    return Placer(*options, gpu, _simulated(config, gpu))


def memory_of(config: Any, simulated: Sequence[str]) -> Memory | DeviceMemories | None:
    """What a session with this configuration and these simulated devices may hold; None without a limit.

    Raises: InvalidArgumentError for a limit below 0.
    """
    limit = limit_of(0 if config is None else vars(config)["memory_limit_mb"])
    memory = None if limit is None else Memory(limit)
    gpus = [name for name in simulated if DeviceSpec.from_string(name).device_type == "GPU"]
    gpu_limit = _gpu_limit(config) if gpus else 0
    return DeviceMemories(dict.fromkeys(gpus, gpu_limit), memory) if gpu_limit else memory


def local_devices(config: Any = None) -> list[DeviceAttributes]:
    """The devices that a session with this configuration has, without the limits of simulated memories.

    Raises: TypeError for what is no ConfigProto, NotFoundError where the configuration leaves no CPU.
    """
    if config is not None and not isinstance(config, ConfigProto):
        raise TypeError(f"session_config must be a tf.ConfigProto, but got {type(config)}")
    gpu = _gpu_of(config)
    return Placer(gpu=gpu, simulated=_simulated(config, gpu)).listed({})


def _gpu_of(config: Any) -> GpuValues | None:
    """The GPU of a new session; None where the machine has none, or the configuration wants none or simulated ones."""
    if config is not None and (dict(config.device_count).get("GPU", 1) == 0 or vars(config)["simulated_devices"].beside_gpu):
        return None
    gpu = cupy.gpu()
    if gpu is None:
        return None
    gpu.allow(0.0 if config is None else _share_of(config))
    return GpuValues(gpu)


def _share_of(config: Any) -> float:
    """The share of a GPU's memory that the configuration allows, 1 at most; 0: it does not say.

    Raises: InvalidArgumentError for a share below 0.
    """
    share: float = vars(config)["gpu_options"].per_process_gpu_memory_fraction
    if not share >= 0:
        raise errors.InvalidArgumentError(
            None, None, errors.error_text(f"per_process_gpu_memory_fraction must be 0 or more, not {share}")
        )
    return min(share, 1.0)


def _simulated(config: Any, gpu: GpuValues | None) -> tuple[str, ...]:
    """The names of the devices that a new session simulates: further CPUs, and GPUs where there is no real one.

    Raises: NotFoundError for a configuration that leaves no CPU.
    """
    counts = {} if config is None else dict(config.device_count)
    if counts.get("CPU", 1) <= 0:
        raise errors.NotFoundError(
            None,
            None,
            errors.error_text(
                "No CPU devices are available in this process",
                fix=f'device_count={{"CPU": {counts["CPU"]}}} leaves none: leave CPU out, or give 1 or more',
            ),
        )
    if gpu is not None:
        return ()
    numbered = [("CPU", range(1, counts.get("CPU", 1))), ("GPU", range(counts.get("GPU", 0)))]
    return tuple([DeviceSpec("localhost", 0, 0, kind, n).to_string() for kind, numbers in numbered for n in numbers])


def _gpu_limit(config: Any) -> int:
    """The bytes that a simulated GPU may hold in this session; 0 for no limit.

    Raises: InvalidArgumentError for a limit below 0, or a share outside of 0 to 1.
    """
    if config is None:
        return 0
    size, share = vars(config)["simulated_devices"].gpu_memory_mb, _share_of(config)
    if size < 0:
        raise errors.InvalidArgumentError(None, None, errors.error_text(f"gpu_memory_mb must be 0 or more, not {size}"))
    return int(size * (share or 1.0) * (1 << 20))


__all__ = ["local_devices", "memory_of", "placer_of"]
