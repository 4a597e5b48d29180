"""The options of sessions and runs: ConfigProto, GPUOptions, RunOptions, RunMetadata, with TF's fields.

They are plain settings; what has no effect here (thread pools, GPU memory) is kept as given, so that programs which set
it run. State: none.
"""

from __future__ import annotations

from typing import Any, ClassVar


class _Options:
    """An object with a fixed set of fields."""

    _fields: ClassVar[dict[str, Any]] = {}

    def __init__(self, **given: Any) -> None:
        for field, default in self._fields.items():
            object.__setattr__(self, field, default() if isinstance(default, type) else default)
        for field, value in given.items():
            setattr(self, field, value)

    def __setattr__(self, field: str, value: Any) -> None:
        if field not in self._fields:
            raise AttributeError(f'Protocol message {type(self).__name__} has no "{field}" field.')
        object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        given = ", ".join(
            f"{f}={getattr(self, f)!r}"
            for f, default in self._fields.items()
            if not isinstance(default, type) and getattr(self, f) != default
        )
        return f"{type(self).__name__}({given})"


class GPUOptions(_Options):
    """Settings of GPU memory."""

    _fields: ClassVar[dict[str, Any]] = {
        "per_process_gpu_memory_fraction": 0.0,
        "allow_growth": False,
        "allocator_type": "",
        "visible_device_list": "",
        "deferred_deletion_bytes": 0,
        "force_gpu_compatible": False,
    }


class OptimizerOptions(_Options):
    """Settings of graph rewriting."""

    L1, L0 = 0, -1
    OFF, ON_1, ON_2 = -1, 1, 2
    _fields: ClassVar[dict[str, Any]] = {
        "do_common_subexpression_elimination": False,
        "do_constant_folding": False,
        "do_function_inlining": False,
        "opt_level": 0,
        "global_jit_level": 0,
    }


class GraphOptions(_Options):
    """Settings of how a graph is run."""

    _fields: ClassVar[dict[str, Any]] = {
        "optimizer_options": OptimizerOptions,
        "build_cost_model": 0,
        "infer_shapes": False,
        "place_pruned_graph": False,
        "enable_recv_scheduling": False,
        "timeline_step": 0,
    }


class ConfigProto(_Options):
    """Settings of a session."""

    _fields: ClassVar[dict[str, Any]] = {
        "device_count": dict,
        "intra_op_parallelism_threads": 0,
        "inter_op_parallelism_threads": 0,
        "use_per_session_threads": False,
        "session_inter_op_thread_pool": list,
        "placement_period": 0,
        "device_filters": list,
        "gpu_options": GPUOptions,
        "allow_soft_placement": False,
        "log_device_placement": False,
        "graph_options": GraphOptions,
        "operation_timeout_in_ms": 0,
        "isolate_session_state": False,
    }


class RunOptions(_Options):
    """Settings of one run."""

    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = 0, 1, 2, 3
    _fields: ClassVar[dict[str, Any]] = {
        "trace_level": 0,
        "timeout_in_ms": 0,
        "inter_op_thread_pool": 0,
        "output_partition_graphs": False,
        "report_tensor_allocations_upon_oom": False,
    }


class RunMetadata(_Options):
    """What a run left behind: `trace` holds its steps when RunOptions asked for a trace."""

    _fields: ClassVar[dict[str, Any]] = {"trace": None}
