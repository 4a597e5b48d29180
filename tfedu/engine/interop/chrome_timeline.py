"""What a traced run did when, as JSON for chrome://tracing: `Timeline(metadata.step_stats).generate_chrome_trace_format()`.

Each device is two processes of the picture, "… Compute" and "… Tensors"; nodes that overlap in time lie on lanes below each
other. State: a Timeline's own, the events made so far.
"""

from __future__ import annotations

import collections
import itertools
import json
import re
from typing import Any, NamedTuple

from ..files import gfile
from .event_files import step_stats as step_stats_of


class AllocationMaximum(NamedTuple):
    """The most that an allocator held: when (microseconds), how many bytes, of which tensors."""

    timestamp: int
    num_bytes: int
    tensors: set[str]


class StepStatsAnalysis(NamedTuple):
    """The picture, and each allocator's maximum by its name."""

    chrome_trace: ChromeTrace
    allocator_maximums: dict[str, AllocationMaximum]


class ChromeTrace:
    """Events in the format of Chrome's trace viewer; the names of processes stand first."""

    def __init__(self) -> None:
        self.processes: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []

    def process(self, name: str) -> int:
        """A new process; its number."""
        pid = len(self.processes)
        self.processes.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": name}})
        return pid

    def add(self, phase: str, category: str, name: str, pid: int, tid: int, time: int, **more: Any) -> None:
        self.events.append({"ph": phase, "cat": category, "name": name, "pid": pid, "tid": tid, "ts": time, **more})

    def format_to_string(self, pretty: bool = False) -> str:
        """The JSON text."""
        whole = {"traceEvents": self.processes + self.events}
        if pretty:
            return json.dumps(whole, indent=4, separators=(",", ": "))
        return json.dumps(whole, separators=(",", ":"))


class _Made:
    """A tensor of the picture: who made it, where and when, how large it is, and when it was let go."""

    def __init__(self, number: int, output: Any, begin: int, end: int, tensors: int, maker: tuple[int, int, int]) -> None:
        told = output.tensor_description.allocation_description
        self.number, self.begin, self.released, self.tensors, self.maker = number, begin, end, tensors, maker
        self.num_bytes, self.allocator = told.requested_bytes, told.allocator_name


class Timeline:
    """The picture of one run's StepStats."""

    def __init__(self, step_stats: Any, graph: Any = None) -> None:
        self._step_stats = step_stats
        self._trace = ChromeTrace()
        self._made: dict[str, _Made] = {}
        self._arrows = itertools.count()

    def generate_chrome_trace_format(self, show_dataflow: bool = True, show_memory: bool = False) -> str:
        """The JSON text.

        show_dataflow: arrows from the node that made a tensor to those of other lanes that take it.
        show_memory: the tensors' lives and a curve of each allocator's bytes.
        """
        found = self.analyze_step_stats(show_dataflow=show_dataflow, show_memory=show_memory)
        return found.chrome_trace.format_to_string(pretty=True)

    def analyze_step_stats(self, show_dataflow: bool = True, show_memory: bool = True) -> StepStatsAnalysis:
        """The picture and the allocators' maxima."""
        allocators = self._trace.process("Allocators")
        devices = []
        for device in self._step_stats.dev_stats:
            compute = self._trace.process(f"{device.device} Compute")
            devices.append((device, compute, self._trace.process(f"{device.device} Tensors"), _lanes(device.node_stats)))
        for device, compute, tensors, lanes in devices:
            for node, lane in zip(device.node_stats, lanes):
                self._outputs(node, lane, compute, tensors, show_memory)
        for device, compute, _, lanes in devices:
            of_gpu = "/stream:" in device.device or "/memcpy" in device.device
            for node, lane in zip(device.node_stats, lanes):
                self._node(node, lane, compute, of_gpu, show_dataflow)
        return StepStatsAnalysis(self._trace, self._memory(allocators) if show_memory else {})

    def _outputs(self, node: Any, lane: int, compute: int, tensors: int, show_memory: bool) -> None:
        begin, end = _span(node)
        for slot, output in enumerate(node.output):
            name = f"{node.node_name}:{slot}" if slot else node.node_name
            made = _Made(len(self._made), output, begin, end, tensors, (end, compute, lane))
            self._made[name] = made
            if show_memory:
                said = {"tensor_description": str(output.tensor_description).replace('"', "")}
                self._trace.add("N", "Tensor", name, tensors, lane, begin, id=made.number)
                self._trace.add("O", "Tensor", name, tensors, lane, end - 1, id=made.number, args={"snapshot": said})

    def _node(self, node: Any, lane: int, compute: int, of_gpu: bool, show_dataflow: bool) -> None:
        begin, end = _span(node)
        name, (kind, inputs) = node.node_name, _label(node.timeline_label)
        if of_gpu:
            name, _, kind = name.partition(":")
            kind = kind.partition(":")[0] or "unknown"
        elif name == "RecvTensor":
            kind = "RecvTensor"
        shown = {f"input{i}": one for i, one in enumerate(inputs)} if not of_gpu and name != "RecvTensor" else {}
        self._trace.add(
            "X", "Op", kind, compute, lane, begin, dur=end - begin, args={"name": name, "op": kind, **shown}
        )
        for one in shown.values():
            made = self._made.get(one)
            if made is None and one.rfind("/_") > 0:
                # a copy that was sent from another device is drawn as coming from the node itself
                one = one[: one.rfind("/_")]
                made = self._made.get(one)
            if made is None:
                continue
            made.released = max(made.released, end - 1)
            when, pid, tid = made.maker
            if show_dataflow and (pid, tid) != (compute, lane):
                arrow = next(self._arrows)
                self._trace.add("s", "DataFlow", one, pid, tid, when, id=arrow)
                self._trace.add("t", "DataFlow", one, compute, lane, begin, id=arrow)

    def _memory(self, allocators: int) -> dict[str, AllocationMaximum]:
        changes: dict[str, list[tuple[int, int, str]]] = collections.defaultdict(list)
        for name, made in self._made.items():
            self._trace.add("D", "Tensor", name, made.tensors, 0, made.released, id=made.number)
            changes[made.allocator] += [(made.begin, made.num_bytes, name), (made.released, -made.num_bytes, name)]
        most = {}
        for allocator, found in changes.items():
            held: set[str] = set()
            total, most[allocator] = 0, AllocationMaximum(0, 0, set())
            for time, num_bytes, name in sorted(found):
                total += num_bytes
                (held.discard if num_bytes < 0 else held.add)(name)
                if total > most[allocator].num_bytes:
                    most[allocator] = AllocationMaximum(time, total, set(held))
                self._trace.add("C", "Memory", allocator, allocators, 0, time, args={allocator: total})
        return most


def _span(node: Any) -> tuple[int, int]:
    return node.all_start_micros, node.all_start_micros + node.all_end_rel_micros


def _lanes(nodes: Any) -> list[int]:
    """For each node the first lane that is free when it begins."""
    ends, found = [0], []
    for begin, end in map(_span, nodes):
        lane = next((i for i, free in enumerate(ends) if begin > free), len(ends))
        ends[lane : lane + 1] = [end]
        found.append(lane)
    return found


def _label(text: str) -> tuple[str, list[str]]:
    """Op type and inputs of "name = Type(input, …)"."""
    match = re.match(r"(.*) = (.*)\((.*)\)", text)
    if match is None:
        return "unknown", []
    return match[2], match[3].split(", ") if match[3] else []


def write_timeline(path: str, metadata: Any, show_dataflow: bool, show_memory: bool) -> None:
    """Writes the picture of a `tf.RunMetadata`. Raises: what `tf.gfile` raises."""
    text = Timeline(step_stats_of(metadata)).generate_chrome_trace_format(show_dataflow, show_memory)
    with gfile.File(path, "w") as file:
        file.write(text)


__all__ = ["AllocationMaximum", "ChromeTrace", "StepStatsAnalysis", "Timeline", "write_timeline"]
