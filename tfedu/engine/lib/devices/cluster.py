"""`ClusterSpec({"ps": ["a:1"], "worker": ["b:1"]})` names a cluster's tasks; `replica_device_setter` places nodes on
them.

Nodes get their devices' names, as in TF; a run needs soft placement, because there are no other machines. No state.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from ...base import errors, log
from ...base.errors import error_text
from ...graph.device import DeviceSpec

_PS_OPS = (
    "Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
    "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable", "MutableDenseHashTableV2",
    "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp", "BoostedTreesQuantileStreamResourceHandleOp",
    "ResourceConditionalAccumulator",
)  # fmt: skip


class ClusterSpec:
    """The jobs of a cluster and the network addresses of their tasks.

    cluster: for each job a list of addresses, or a dictionary from task number to address; or another ClusterSpec.

    Raises: TypeError for anything else.
    """

    def __init__(self, cluster: Any) -> None:
        if isinstance(cluster, ClusterSpec):
            self._jobs: dict[str, dict[int, str]] = {job: dict(tasks) for job, tasks in cluster._jobs.items()}
        elif isinstance(cluster, dict):
            self._jobs = {_text(job, "Job name"): _tasks(job, tasks) for job, tasks in cluster.items()}
        elif hasattr(cluster, "job"):
            self._jobs = {job.name: dict(job.tasks) for job in cluster.job}
        else:
            raise TypeError(
                error_text(
                    "`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or a "
                    "`ClusterDef` protocol buffer"
                )
            )

    @property
    def jobs(self) -> list[str]:
        """The jobs' names."""
        return list(self._jobs)

    def as_dict(self) -> dict[str, Any]:
        """The addresses of each job: a list where task numbers have no gap, else a dictionary."""
        addresses: dict[str, Any] = {}
        for job, tasks in self._jobs.items():
            dense = bool(tasks) and max(tasks) + 1 == len(tasks)
            addresses[job] = self.job_tasks(job) if dense else {i: tasks[i] for i in sorted(tasks)}
        return addresses

    def as_cluster_def(self) -> Any:
        """Raises: UnimplementedError, always: tfedu has no ClusterDef messages."""
        raise errors.UnimplementedError(
            None, None, error_text("tfedu runs in one process: it has no ClusterDef messages.")
        )

    def num_tasks(self, job_name: str) -> int:
        """The number of the job's tasks.

        Raises: ValueError for an unknown job.
        """
        return len(self._job(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """The numbers of the job's tasks.

        Raises: ValueError for an unknown job.
        """
        return sorted(self._job(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """The address of a task.

        Raises: ValueError for an unknown job or task.
        """
        tasks = self._job(job_name)
        if task_index not in tasks:
            raise ValueError(error_text(f"No task with index {task_index!r} in job {job_name!r}"))
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses by task number, None for a number without a task.

        Raises: ValueError for an unknown job.
        """
        tasks = self._job(job_name)
        return [tasks.get(i) for i in range(max(tasks, default=-1) + 1)]

    def _job(self, name: str) -> dict[int, str]:
        if name not in self._jobs:
            raise ValueError(error_text(f"No such job in cluster: {name!r}"))
        return self._jobs[name]

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __eq__(self, other: object) -> Any:
        return self._jobs == (other._jobs if isinstance(other, ClusterSpec) else other)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        known = self.as_dict()
        return "ClusterSpec({" + ", ".join(f"{job!r}: {known[job]!r}" for job in sorted(known)) + "})"


def _text(value: Any, label: str) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(error_text(f"{label} {value!r} must be bytes or unicode"))
    return value


def _tasks(job: Any, tasks: Any) -> dict[int, str]:
    if isinstance(tasks, (list, tuple)):
        tasks = dict(enumerate(tasks))
    elif not isinstance(tasks, dict):
        raise TypeError(
            error_text(f"The tasks for job {job!r} must be a list or a dictionary from integers to strings.")
        )
    for index in tasks:
        if not isinstance(index, int):
            raise TypeError(error_text("Task indices must be integers."))
    return {index: _text(address, "Task address") for index, address in tasks.items()}


def replica_device_setter(
    ps_tasks: int = 0,
    ps_device: str = "/job:ps",
    worker_device: str = "/job:worker",
    merge_devices: bool = True,
    cluster: Any = None,
    ps_ops: Any = None,
    ps_strategy: Callable[[Any], int] | None = None,
) -> Callable[[Any], str] | None:
    """A function for `tf.device` that places variables on the parameter servers, round robin, and other nodes on the
    worker.

    cluster: determines the number of the servers' tasks. ps_ops: the op types to place on servers. ps_strategy: a
    function from a node to its task. Returns None when there are no servers.

    Raises: TypeError for an invalid cluster or strategy.
    """
    server = DeviceSpec.from_string(ps_device)
    if cluster is not None:
        tasks = ClusterSpec(cluster).as_dict().get(server.job)  # type: ignore[arg-type]
        if tasks is None:
            return None
        ps_tasks = len(tasks)
    if ps_tasks == 0:
        return None
    server_types = frozenset(_PS_OPS if ps_ops is None else ps_ops)
    if not merge_devices:
        log.warn("DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter")
    choose_task = _round_robin(ps_tasks) if ps_strategy is None else ps_strategy
    if not callable(choose_task):
        raise TypeError(error_text("ps_strategy must be callable"))
    worker = DeviceSpec.from_string(worker_device or "")

    def place(op: Any) -> str:
        if not merge_devices and op.device:
            return str(op.device)
        requested = DeviceSpec.from_string(op.device or "")
        if not ps_device or getattr(op, "type", None) not in server_types:
            return worker.make_merged_spec(requested).to_string()
        server_task = server
        if server.job and requested.job in (None, "", server.job):
            server_task = server.replace(task=choose_task(op))
        return server_task.make_merged_spec(requested).to_string()

    return place


def _round_robin(count: int) -> Callable[[Any], int]:
    tasks = itertools.cycle(range(count))
    return lambda op: next(tasks)


__all__ = ["ClusterSpec", "replica_device_setter"]
