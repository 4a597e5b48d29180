"""The options of sessions and runs: ConfigProto, GPUOptions, RunOptions, RunMetadata, with TF's fields.

They are plain settings; those without effect here (thread pools, GPU memory) are stored unchanged, so that programs which
set them run. No state.
"""

from __future__ import annotations

import copy
import operator
from typing import Any, ClassVar

from ..base import errors


class _Options:
    """An object with a fixed set of fields, which accepts the same values as TF's protocol message.

    `_fields` maps each field to its default: a value, or a class: of nested settings, of a map, or of a list of values.
    """

    _fields: ClassVar[dict[str, Any]] = {}

    def __init__(self, **settings: Any) -> None:
        for field, default in self._fields.items():
            object.__setattr__(self, field, default() if isinstance(default, type) else default)
        for field, value in settings.items():
            if field not in self._fields:
                raise ValueError(f'Protocol message {type(self).__name__} has no "{field}" field.')
            default = self._fields[field]
            if isinstance(default, type) and issubclass(default, dict):
                getattr(self, field).update(value)
            elif isinstance(default, type) and issubclass(default, list):
                getattr(self, field).extend(value)
            elif isinstance(default, type):
                nested = default(**value) if isinstance(value, dict) else value
                if not isinstance(nested, default):
                    raise TypeError(f"Parameter to initialize message field must be dict or {default.__name__}, got {value!r}")
                object.__setattr__(self, field, copy.deepcopy(nested))
            else:
                setattr(self, field, value)

    def __setattr__(self, field: str, value: Any) -> None:
        if field not in self._fields:
            raise AttributeError(f'Protocol message {type(self).__name__} has no "{field}" field.')
        default = self._fields[field]
        if isinstance(default, type):
            raise AttributeError(
                f'Assignment not allowed to message, map, or repeated field "{field}" in protocol message object.'
            )
        object.__setattr__(self, field, _checked(field, default, value))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def HasField(self, field: str) -> bool:
        """Whether a nested setting of this field was set."""
        if not (isinstance(self._fields.get(field), type) and issubclass(self._fields[field], _Options)):
            raise ValueError(f'Protocol message {type(self).__name__} has no singular submessage field "{field}"')
        return bool(getattr(self, field) != self._fields[field]())

    def CopyFrom(self, other: Any) -> None:
        """Replaces all settings by those of another object of the class."""
        if type(other) is not type(self):
            raise TypeError(f"Parameter to CopyFrom() must be instance of same class: expected {type(self).__name__}")
        for field, value in vars(other).items():
            object.__setattr__(self, field, copy.deepcopy(value))

    def MergeFrom(self, other: Any) -> None:
        """Copies the fields that are set in another object of the class; entries of its maps and lists join those here."""
        if type(other) is not type(self):
            raise TypeError(f"Parameter to MergeFrom() must be instance of same class: expected {type(self).__name__}")
        for field, default in self._fields.items():
            value = getattr(other, field)
            if isinstance(value, _Options):
                getattr(self, field).MergeFrom(value)
            elif isinstance(value, dict):
                getattr(self, field).update(value)
            elif isinstance(value, list):
                getattr(self, field).extend(value)
            elif value != default:
                setattr(self, field, value)

    def ClearField(self, field: str) -> None:
        """Gives a field its default again. Raises: ValueError for a field that does not exist."""
        if field not in self._fields:
            raise ValueError(f'Protocol message {type(self).__name__} has no "{field}" field.')
        default = self._fields[field]
        object.__setattr__(self, field, default() if isinstance(default, type) else default)

    def __repr__(self) -> str:
        fields = ", ".join(
            f"{f}={getattr(self, f)!r}"
            for f, default in self._fields.items()
            if not isinstance(default, type) and getattr(self, f) != default
        )
        return f"{type(self).__name__}({fields})"


def _checked(field: str, default: Any, value: Any) -> Any:
    """The value in its field's type. Raises: TypeError."""
    if isinstance(default, str):
        if not isinstance(value, str):
            raise TypeError(f"bad argument type for field {field}: {value!r} is no text")
        return value
    if isinstance(default, bool | int):
        try:
            number = operator.index(value)
        except TypeError:
            raise TypeError(f"{value!r} cannot be set to {field}: it is no whole number, nor True or False") from None
        return bool(number) if isinstance(default, bool) else number
    if isinstance(default, float):
        if isinstance(value, str) or not hasattr(value, "__float__"):
            raise TypeError(f"must be real number, not {type(value).__name__}: {field}")
        return float(value)
    return value


class _Counts(dict[str, int]):
    """A map from texts to numbers of 32 bits; what was not set is 0, and stands there once it was read.

    Raises: TypeError for another key or value, ValueError for a number of more bits.
    """

    def __init__(self, counts: Any = ()) -> None:
        super().__init__()
        self.update(counts)

    def __missing__(self, kind: str) -> int:
        self[kind] = 0
        return 0

    def __setitem__(self, kind: str, count: int) -> None:
        if not hasattr(type(count), "__index__"):
            raise TypeError(f"{count!r} has type {type(count).__name__}, but expected one of: int")
        number = operator.index(count)
        if not -(1 << 31) <= number < 1 << 31:
            raise ValueError(f"Value out of range: {number}")
        super().__setitem__(_text(kind), number)

    def update(self, counts: Any = (), **more: int) -> None:  # type: ignore[override]
        for kind, count in dict(counts, **more).items():
            self[kind] = count


def _text(value: Any) -> str:
    if not isinstance(value, str | bytes):
        raise TypeError(f"{value!r} has type {type(value).__name__}, but expected one of: bytes, unicode")
    return value if isinstance(value, str) else value.decode()


class _Texts(list[str]):
    """A list of texts. Raises: TypeError for what is none."""

    def append(self, value: Any) -> None:
        super().append(_text(value))

    def extend(self, values: Any) -> None:
        super().extend([_text(value) for value in values])


class _Numbers(list[float]):
    """A list of numbers. Raises: TypeError for a value that is no number."""

    def append(self, value: Any) -> None:
        super().append(_checked("a number of a list", 0.0, value))

    def extend(self, values: Any) -> None:
        super().extend([_checked("a number of a list", 0.0, value) for value in values])


class ThreadPoolOptionProto(_Options):
    """Settings of a pool of threads; one thread runs the nodes here, whatever they say."""

    _fields: ClassVar[dict[str, Any]] = {"num_threads": 0, "global_name": ""}


class _Messages(list[Any]):
    """A list of messages of the class `_kind`; a dict of fields becomes such a message. Raises: TypeError for another value."""

    _kind: ClassVar[type[_Options]]

    def add(self, **settings: Any) -> Any:
        """Adds one, and returns it."""
        self.append(self._kind(**settings))
        return self[-1]

    def append(self, value: Any) -> None:
        if isinstance(value, dict):
            value = self._kind(**value)
        if not isinstance(value, self._kind):
            raise TypeError(
                f"Parameter to MergeFrom() must be instance of same class: expected tensorflow.{self._kind.__name__} got "
                f"{type(value).__name__}."
            )
        super().append(copy.deepcopy(value))

    def extend(self, values: Any) -> None:
        for value in values:
            self.append(value)


class _ThreadPools(_Messages):
    _kind = ThreadPoolOptionProto


class Enum:
    """The names of a setting's numbers, as in TF's messages: `Enum("Level", L1=0, L0=-1).Name(-1)` is "L0"."""

    def __init__(self, name: str, **numbers: int) -> None:
        self._name = name
        self._numbers = numbers

    def Name(self, number: int) -> str:
        """The name of a number. Raises: ValueError for a number without a name."""
        for name, value in self._numbers.items():
            if value == number:
                return name
        raise ValueError(f"Enum {self._name} has no name defined for value {number!r}")

    def Value(self, name: str) -> int:
        """The number of a name. Raises: ValueError for a name that does not exist."""
        if name not in self._numbers:
            raise ValueError(f"Enum {self._name} has no value defined for name {name!r}")
        return self._numbers[name]

    def keys(self) -> list[str]:
        return list(self._numbers)

    def values(self) -> list[int]:
        return list(self._numbers.values())

    def items(self) -> list[tuple[str, int]]:
        return list(self._numbers.items())


class _VirtualDevices(_Options):
    """Settings of the devices into which a GPU is divided; here a GPU is one device, whatever they say."""

    _fields: ClassVar[dict[str, Any]] = {"memory_limit_mb": _Numbers}


class _ListOfVirtualDevices(_Messages):
    _kind = _VirtualDevices


class _GPUExperimental(_Options):
    """Settings of a GPU's driver, without effect here."""

    VirtualDevices = _VirtualDevices
    _fields: ClassVar[dict[str, Any]] = {
        "virtual_devices": _ListOfVirtualDevices,
        "use_unified_memory": False,
        "num_dev_to_dev_copy_streams": 0,
        "collective_ring_order": "",
        "timestamped_allocator": False,
        "kernel_tracker_max_interval": 0,
        "kernel_tracker_max_bytes": 0,
        "kernel_tracker_max_pending": 0,
    }


class GPUOptions(_Options):
    """Settings of GPU memory."""

    Experimental = _GPUExperimental
    _fields: ClassVar[dict[str, Any]] = {
        "per_process_gpu_memory_fraction": 0.0,
        "allow_growth": False,
        "allocator_type": "",
        "visible_device_list": "",
        "deferred_deletion_bytes": 0,
        "force_gpu_compatible": False,
        "polling_active_delay_usecs": 0,
        "polling_inactive_delay_msecs": 0,
        "experimental": _GPUExperimental,
    }


class OptimizerOptions(_Options):
    """Settings of graph rewriting."""

    Level = Enum("Level", L1=0, L0=-1)
    GlobalJitLevel = Enum("GlobalJitLevel", DEFAULT=0, OFF=-1, ON_1=1, ON_2=2)
    L1, L0 = 0, -1
    DEFAULT, OFF, ON_1, ON_2 = 0, -1, 1, 2
    _fields: ClassVar[dict[str, Any]] = {
        "do_common_subexpression_elimination": False,
        "do_constant_folding": False,
        "max_folded_constant_in_bytes": 0,
        "do_function_inlining": False,
        "opt_level": 0,
        "global_jit_level": 0,
    }


class _AutoParallelOptions(_Options):
    """Settings of a rewriting that copies a graph to several GPUs, without effect here."""

    _fields: ClassVar[dict[str, Any]] = {"enable": False, "num_replicas": 0}


class _ScopedAllocatorOptions(_Options):
    """Settings of a rewriting that joins buffers, without effect here."""

    _fields: ClassVar[dict[str, Any]] = {"enable_op": _Texts}


class RewriterConfig(_Options):
    """Settings of graph rewriting by the runtime, without effect here."""

    Toggle = Enum("Toggle", DEFAULT=0, ON=1, OFF=2, AGGRESSIVE=3)
    NumIterationsType = Enum("NumIterationsType", DEFAULT_NUM_ITERS=0, ONE=1, TWO=2)
    DEFAULT, ON, OFF, AGGRESSIVE = 0, 1, 2, 3
    DEFAULT_NUM_ITERS, ONE, TWO = 0, 1, 2
    MemOptType = Enum(
        "MemOptType", DEFAULT_MEM_OPT=0, NO_MEM_OPT=1, MANUAL=2, HEURISTICS=3, SWAPPING_HEURISTICS=4,
        RECOMPUTATION_HEURISTICS=5, SCHEDULING_HEURISTICS=6,
    )  # fmt: skip
    DEFAULT_MEM_OPT = 0
    NO_MEM_OPT, MANUAL, SWAPPING_HEURISTICS, RECOMPUTATION_HEURISTICS, SCHEDULING_HEURISTICS, HEURISTICS = 1, 2, 4, 5, 6, 3
    _fields: ClassVar[dict[str, Any]] = {
        "layout_optimizer": 0,
        "constant_folding": 0,
        "shape_optimization": 0,
        "remapping": 0,
        "arithmetic_optimization": 0,
        "dependency_optimization": 0,
        "loop_optimization": 0,
        "function_optimization": 0,
        "debug_stripper": 0,
        "disable_model_pruning": False,
        "scoped_allocator_optimization": 0,
        "pin_to_host_optimization": 0,
        "implementation_selector": 0,
        "auto_mixed_precision": 0,
        "disable_meta_optimizer": False,
        "meta_optimizer_iterations": 0,
        "min_graph_nodes": 0,
        "memory_optimization": 0,
        "memory_optimizer_target_node_name_scope": "",
        "meta_optimizer_timeout_ms": 0,
        "fail_on_optimizer_errors": False,
        "optimizers": _Texts,
        "auto_parallel": _AutoParallelOptions,
        "scoped_allocator_opts": _ScopedAllocatorOptions,
    }


class GraphOptions(_Options):
    """Settings of how a graph is run."""

    _fields: ClassVar[dict[str, Any]] = {
        "optimizer_options": OptimizerOptions,
        "build_cost_model": 0,
        "build_cost_model_after": 0,
        "infer_shapes": False,
        "place_pruned_graph": False,
        "enable_bfloat16_sendrecv": False,
        "enable_recv_scheduling": False,
        "timeline_step": 0,
        "rewrite_options": RewriterConfig,
    }


class SimulatedDevices(_Options):
    """The speeds of simulated devices, from which the simulated clock of a recorded run is made (not in TF).

    bandwidth: bytes a second between two memories. latency: seconds before a transfer begins. launch: seconds before a node of a
    GPU begins. gpu_flops, cpu_flops: operations on numbers a second. gpu_memory_bandwidth, cpu_memory_bandwidth: bytes a second
    that a node reads and writes. gpu_memory_mb: what each GPU may hold, in units of 2^20 bytes, of which
    `gpu_options.per_process_gpu_memory_fraction` is the share of this session; 0: no limit. beside_gpu: whether GPUs are
    simulated on a machine that has one, too.
    """

    _fields: ClassVar[dict[str, Any]] = {
        "bandwidth": 16e9,
        "latency": 10e-6,
        "launch": 5e-6,
        "gpu_flops": 10e12,
        "cpu_flops": 50e9,
        "gpu_memory_bandwidth": 500e9,
        "cpu_memory_bandwidth": 20e9,
        "gpu_memory_mb": 0,
        "beside_gpu": False,
    }


class RPCOptions(_Options):
    """Settings of the calls between servers, without effect here."""

    _fields: ClassVar[dict[str, Any]] = {
        "use_rpc_for_inprocess_master": False,
        "compression_algorithm": "",
        "compression_level": 0,
        "cache_rpc_response": False,
        "disable_session_connection_sharing": False,
    }


class _SessionMetadata(_Options):
    """The name and version that a program gives a session. tfedu keeps them and makes no use of them."""

    _fields: ClassVar[dict[str, Any]] = {"name": "", "version": 0}


class _Experimental(_Options):
    """Settings of executors and servers, without effect here."""

    _fields: ClassVar[dict[str, Any]] = {
        "collective_group_leader": "",
        "executor_type": "",
        "recv_buf_max_chunk": 0,
        "use_numa_affinity": False,
        "collective_deterministic_sequential_execution": False,
        "collective_nccl": False,
        "share_session_state_in_clusterspec_propagation": False,
        "disable_thread_spinning": False,
        "share_cluster_devices_in_session": False,
        "session_metadata": _SessionMetadata,
        "optimize_for_static_graph": False,
    }


def checked_speeds(speeds: SimulatedDevices) -> SimulatedDevices:
    """The speeds of a new session. Raises: InvalidArgumentError for a rate that is not above 0, or a time below 0."""
    for field, default in SimulatedDevices._fields.items():
        value = getattr(speeds, field)
        is_time = field in ("latency", "launch")
        if isinstance(default, float) and not (value >= 0 if is_time else value > 0):
            text = f"{field} of simulated devices must be {'0 or more' if is_time else 'above 0'}, not {value}"
            raise errors.InvalidArgumentError(None, None, errors.error_text(text))
    return speeds


class ConfigProto(_Options):
    """Settings of a session.

    device_count: how many CPUs and GPUs the session has. Where the machine has no GPU, those GPUs are simulated: each has a
    memory of its own, the partition of a run sends tensors there, and the results are those of the CPU (in TF there is no GPU
    then).
    session_inter_op_thread_pool: pools of threads, of which RunOptions(inter_op_thread_pool=…) names one; they are not used.
    graph_options.infer_shapes: whether the session's graph_def has the static shapes. graph_options.build_cost_model: of every
    how many runs RunMetadata has the `cost_graph`, of those after the first `build_cost_model_after`; 0: of none.
    simulated_devices (not in TF): the speeds of simulated devices.
    memory_limit_mb (not in TF): what the session's variables and a run may hold, in units of 2^20 bytes; a node whose outputs do
    not fit raises ResourceExhaustedError before it allocates them. 0: what the environment variable TFEDU_MEMORY_LIMIT_MB says,
    else no limit.
    stuck_queue_timeout_in_ms (not in TF): a run that waits at a queue raises DeadlineExceededError after so long without any
    other thread that could end the wait, where TF waits for ever. 0: what the environment variable TFEDU_STUCK_QUEUE_TIMEOUT_MS
    says, else 10,000; -1: for ever.
    """

    Experimental = _Experimental
    _fields: ClassVar[dict[str, Any]] = {
        "device_count": _Counts,
        "intra_op_parallelism_threads": 0,
        "inter_op_parallelism_threads": 0,
        "use_per_session_threads": False,
        "session_inter_op_thread_pool": _ThreadPools,
        "placement_period": 0,
        "device_filters": _Texts,
        "gpu_options": GPUOptions,
        "allow_soft_placement": False,
        "log_device_placement": False,
        "graph_options": GraphOptions,
        "operation_timeout_in_ms": 0,
        "rpc_options": RPCOptions,
        "isolate_session_state": False,
        "experimental": _Experimental,
        "memory_limit_mb": 0,
        "stuck_queue_timeout_in_ms": 0,
        "simulated_devices": SimulatedDevices,
    }


class RunOptions(_Options):
    """Settings of one run."""

    TraceLevel = Enum("TraceLevel", NO_TRACE=0, SOFTWARE_TRACE=1, HARDWARE_TRACE=2, FULL_TRACE=3)
    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = 0, 1, 2, 3
    _fields: ClassVar[dict[str, Any]] = {
        "trace_level": 0,
        "timeout_in_ms": 0,
        "inter_op_thread_pool": 0,
        "output_partition_graphs": False,
        "report_tensor_allocations_upon_oom": False,
    }


class RunMetadata(_Options):
    """The record of a run: `trace` holds its steps, and `executed` what `partition_graphs` is made of, where RunOptions
    requested them. is_costed: whether the session asked for its `cost_graph`.
    """

    _fields: ClassVar[dict[str, Any]] = {"trace": None, "executed": None, "is_costed": False}
