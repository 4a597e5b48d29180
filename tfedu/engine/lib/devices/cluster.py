"""`ClusterSpec({"ps": ["a:1"], "worker": ["b:1"]})` names the tasks of a cluster, `replica_device_setter` places nodes on them.

The nodes get their devices' names, as in TF; a run needs soft placement, for there are no other machines here. No state.
"""

from __future__ import annotations

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

    cluster: a list of addresses for each job, or a dictionary of them by task number; another ClusterSpec.
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
        """For each job its addresses: a list where the tasks are numbered without a gap, else a dictionary."""
        found: dict[str, Any] = {}
        for job, tasks in self._jobs.items():
            dense = bool(tasks) and max(tasks) + 1 == len(tasks)
            found[job] = self.job_tasks(job) if dense else {i: tasks[i] for i in sorted(tasks)}
        return found

    def as_cluster_def(self) -> Any:
        """Raises: UnimplementedError, for no server of a cluster is here to read it."""
        raise errors.UnimplementedError(
            None, None, error_text("tfedu runs in one process: it has no ClusterDef messages.")
        )

    def num_tasks(self, job_name: str) -> int:
        """How many tasks the job has. Raises: ValueError when there is no such job."""
        return len(self._job(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """The numbers of the job's tasks. Raises: ValueError when there is no such job."""
        return sorted(self._job(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """Raises: ValueError when there is no such task."""
        tasks = self._job(job_name)
        if task_index not in tasks:
            raise ValueError(error_text(f"No task with index {task_index!r} in job {job_name!r}"))
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses by task number, None where a number is left out. Raises: ValueError when there is no such job."""
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


def _text(value: Any, what: str) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(error_text(f"{what} {value!r} must be bytes or unicode"))
    return value


def _tasks(job: Any, given: Any) -> dict[int, str]:
    if isinstance(given, (list, tuple)):
        given = dict(enumerate(given))
    elif not isinstance(given, dict):
        raise TypeError(
            error_text(f"The tasks for job {job!r} must be a list or a dictionary from integers to strings.")
        )
    for index in given:
        if not isinstance(index, int):
            raise TypeError(error_text("Task indices must be integers."))
    return {index: _text(address, "Task address") for index, address in given.items()}


def replica_device_setter(
    ps_tasks: int = 0,
    ps_device: str = "/job:ps",
    worker_device: str = "/job:worker",
    merge_devices: bool = True,
    cluster: Any = None,
    ps_ops: Any = None,
    ps_strategy: Callable[[Any], int] | None = None,
) -> Callable[[Any], str] | None:
    """A function for `tf.device` that puts variables on the parameter servers in turn and all else on the worker.

    cluster: tells how many tasks the servers' job has. ps_ops: the op types that go to the servers. ps_strategy: chooses
    the task for a node. Gives None when there are no servers.
    Raises: TypeError for a cluster or a strategy that is none.
    """
    server = DeviceSpec.from_string(ps_device)
    if cluster is not None:
        tasks = ClusterSpec(cluster).as_dict().get(server.job)  # type: ignore[arg-type]
        if tasks is None:
            return None
        ps_tasks = len(tasks)
    if ps_tasks == 0:
        return None
    served = frozenset(_PS_OPS if ps_ops is None else ps_ops)
    if not merge_devices:
        log.warn("DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter")
    choose = _in_turn(ps_tasks) if ps_strategy is None else ps_strategy
    if not callable(choose):
        raise TypeError(error_text("ps_strategy must be callable"))
    worker = DeviceSpec.from_string(worker_device or "")

    def place(op: Any) -> str:
        if not merge_devices and op.device:
            return str(op.device)
        asked = DeviceSpec.from_string(op.device or "")
        if not ps_device or getattr(op, "type", None) not in served:
            return worker.make_merged_spec(asked).to_string()
        there = server
        if server.job and asked.job in (None, "", server.job):
            there = server.replace(task=choose(op))
        return there.make_merged_spec(asked).to_string()

    return place


def _in_turn(count: int) -> Callable[[Any], int]:
    at = -1

    def choose(op: Any) -> int:
        nonlocal at
        at = (at + 1) % count
        return at

    return choose


__all__ = ["ClusterSpec", "replica_device_setter"]
