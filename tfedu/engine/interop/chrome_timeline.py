"""Timelines of traced runs, as JSON for chrome://tracing: `Timeline(metadata.step_stats).generate_chrome_trace_format()`.

Each device is drawn as two processes, "… Compute" and "… Tensors"; nodes that overlap in time are drawn on different lanes.
Times are in microseconds. A node's arguments tell the line of the program that made it. State: a Timeline's events so far.
"""

from __future__ import annotations

import collections
import itertools
import json
import re
from typing import Any, Final, NamedTuple

from ..base import log
from ..base.errors import error_text
from ..base.site import describe
from ..files import gfile
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from .run_metadata import step_stats as step_stats_of

_TRACED: Final = (
    "of a traced run: metadata.step_stats after "
    "session.run(…, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)"
)


class AllocationMaximum(NamedTuple):
    """The maximum of an allocator: time (microseconds), bytes in use, tensors in use."""

    timestamp: int
    num_bytes: int
    tensors: set[str]


class StepStatsAnalysis(NamedTuple):
    """The trace, and the allocators' maxima by name."""

    chrome_trace: ChromeTrace
    allocator_maximums: dict[str, AllocationMaximum]


class ChromeTrace:
    """Events in the format of Chrome's trace viewer; the names of processes come first."""

    def __init__(self) -> None:
        self.processes: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []

    def process(self, name: str) -> int:
        """Adds a process; returns its number."""
        pid = len(self.processes)
        self.processes.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": name}})
        return pid

    def add(self, phase: str, category: str, name: str, pid: int, tid: int, time: int, **fields: Any) -> None:
        self.events.append({"ph": phase, "cat": category, "name": name, "pid": pid, "tid": tid, "ts": time, **fields})

    def format_to_string(self, pretty: bool = False) -> str:
        """The JSON text."""
        trace = {"traceEvents": self.processes + self.events}
        if pretty:
            return json.dumps(trace, indent=4, separators=(",", ": "))
        return json.dumps(trace, separators=(",", ":"))


class _TracedTensor:
    """A tensor of the trace: number, lifetime, size, the process that shows it, (time, process, lane) of its producer."""

    def __init__(self, number: int, output: Any, begin: int, end: int, tensors: int, producer: tuple[int, int, int]) -> None:
        allocation = output.tensor_description.allocation_description
        self.number, self.begin, self.released, self.tensors, self.producer = number, begin, end, tensors, producer
        self.num_bytes, self.allocator = allocation.requested_bytes, allocation.allocator_name


class Timeline:
    """The timeline of one run's StepStats.

    graph: the graph that ran, whose nodes know the lines that made them; without it, the default graph, where it has such nodes.
    """

    def __init__(self, step_stats: Any, graph: Graph | None = None) -> None:
        self._step_stats = step_stats
        self._graph = get_default_graph() if graph is None else graph
        self._trace = ChromeTrace()
        self._tensors: dict[str, _TracedTensor] = {}
        self._arrows = itertools.count()

    def generate_chrome_trace_format(self, show_dataflow: bool = True, show_memory: bool = False) -> str:
        """The JSON text.

        show_dataflow: arrows from a node to the consumers of its outputs on other lanes.
        show_memory: the lifetimes of tensors and a curve of each allocator's bytes.
        """
        analysis = self.analyze_step_stats(show_dataflow=show_dataflow, show_memory=show_memory)
        return analysis.chrome_trace.format_to_string(pretty=True)

    def analyze_step_stats(self, show_dataflow: bool = True, show_memory: bool = True) -> StepStatsAnalysis:
        """The trace and the allocators' maxima. The log tells of an empty one.

        Raises: AttributeError for what is no StepStats.
        """
        if not hasattr(self._step_stats, "dev_stats"):
            text = f"'{type(self._step_stats).__name__}' object has no attribute 'dev_stats'"
            raise AttributeError(error_text(text, fix=f"give Timeline the step stats {_TRACED}"))
        if not self._step_stats.dev_stats:
            log.warning(f"This timeline is empty: its step stats tell of no node. Others are those {_TRACED}")
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
            traced = _TracedTensor(len(self._tensors), output, begin, end, tensors, (end, compute, lane))
            self._tensors[name] = traced
            if show_memory:
                snapshot = {"tensor_description": str(output.tensor_description).replace('"', "")}
                self._trace.add("N", "Tensor", name, tensors, lane, begin, id=traced.number)
                self._trace.add("O", "Tensor", name, tensors, lane, end - 1, id=traced.number, args={"snapshot": snapshot})

    def _node(self, node: Any, lane: int, compute: int, of_gpu: bool, show_dataflow: bool) -> None:
        begin, end = _span(node)
        name, (op_type, inputs) = node.node_name, _parse_label(node.timeline_label)
        if of_gpu:
            name, _, op_type = name.partition(":")
            op_type = op_type.partition(":")[0] or "unknown"
        elif name == "RecvTensor":
            op_type = "RecvTensor"
        input_args = {f"input{i}": one for i, one in enumerate(inputs)} if not of_gpu and name != "RecvTensor" else {}
        line = self._line(name, op_type)
        args = {"name": name, "op": op_type, **input_args, **({} if line is None else {"line": line})}
        self._trace.add("X", "Op", op_type, compute, lane, begin, dur=end - begin, args=args)
        for one in input_args.values():
            traced = self._tensors.get(one)
            if traced is None and one.rfind("/_") > 0:
                # the arrow of a copy from another device starts at the node itself
                one = one[: one.rfind("/_")]
                traced = self._tensors.get(one)
            if traced is None:
                continue
            traced.released = max(traced.released, end - 1)
            when, pid, tid = traced.producer
            if show_dataflow and (pid, tid) != (compute, lane):
                arrow = next(self._arrows)
                self._trace.add("s", "DataFlow", one, pid, tid, when, id=arrow)
                self._trace.add("t", "DataFlow", one, compute, lane, begin, id=arrow)

    def _line(self, name: str, op_type: str) -> str | None:
        """The line that made a node, or the node whose tensor a transfer carries; None where the graph lacks the node."""
        op = self._graph._by_name.get(name)
        if op is None:
            op = self._graph._by_name.get(name.rpartition("/_")[0])
        elif op.type != op_type:
            op = None
        return None if op is None or op.site is None else describe(op.site)

    def _memory(self, allocators: int) -> dict[str, AllocationMaximum]:
        changes: dict[str, list[tuple[int, int, str]]] = collections.defaultdict(list)
        for name, traced in self._tensors.items():
            self._trace.add("D", "Tensor", name, traced.tensors, 0, traced.released, id=traced.number)
            changes[traced.allocator] += [(traced.begin, traced.num_bytes, name), (traced.released, -traced.num_bytes, name)]
        maxima = {}
        for allocator, allocator_changes in changes.items():
            in_use: set[str] = set()
            total, maxima[allocator] = 0, AllocationMaximum(0, 0, set())
            for time, num_bytes, name in sorted(allocator_changes):
                total += num_bytes
                (in_use.discard if num_bytes < 0 else in_use.add)(name)
                if total > maxima[allocator].num_bytes:
                    maxima[allocator] = AllocationMaximum(time, total, set(in_use))
                self._trace.add("C", "Memory", allocator, allocators, 0, time, args={allocator: total})
        return maxima


def _span(node: Any) -> tuple[int, int]:
    return node.all_start_micros, node.all_start_micros + node.all_end_rel_micros


def _lanes(nodes: Any) -> list[int]:
    """For each node the first lane that is free when it starts."""
    ends, lanes = [0], []
    for begin, end in map(_span, nodes):
        lane = next((i for i, free in enumerate(ends) if begin > free), len(ends))
        ends[lane : lane + 1] = [end]
        lanes.append(lane)
    return lanes


def _parse_label(text: str) -> tuple[str, list[str]]:
    """Op type and inputs of "name = Type(input, …)"."""
    match = re.match(r"(.*) = (.*)\((.*)\)", text)
    if match is None:
        return "unknown", []
    return match[2], match[3].split(", ") if match[3] else []


def write_timeline(path: str, metadata: Any, show_dataflow: bool, show_memory: bool) -> None:
    """Writes the timeline of a `tf.RunMetadata`. Raises: the errors of `tf.gfile`."""
    graph = None if metadata.trace is None else metadata.trace.graph
    text = Timeline(step_stats_of(metadata), graph).generate_chrome_trace_format(show_dataflow, show_memory)
    with gfile.File(path, "w") as file:
        file.write(text)


__all__ = ["AllocationMaximum", "ChromeTrace", "StepStatsAnalysis", "Timeline", "write_timeline"]
