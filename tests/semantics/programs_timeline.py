"""Chrome's timelines of runs: two devices, lanes, copies between devices, memory, GPU streams."""

import functools
import importlib
import json

from harness import program

# device: (node, begin, time, label, bytes of each output)
DEVICES = {
    "/device:CPU:0": [
        ("a", 10, 5, "a = Const()", [400]),
        ("b", 12, 8, "b = Split(a, ^c)", [16, 24]),
        ("c", 15, 0, "c = NoOp()", []),
        ("d", 16, 4, "d = Add(a, b:1)", [8]),
        ("RecvTensor", 30, 2, "[d] somewhere", [8]),
        ("odd", 40, 3, "no label", [4]),
    ],
    "/device:CPU:1": [("e", 33, 7, "e = Mul(d/_7, gone)", [8]), ("f", 33, 1, "f = Neg(e)", [])],
    "/device:GPU:0/stream:all": [("e:Mul", 34, 2, "", []), ("bare", 36, 1, "", [])],
}


def part(tf, path):
    """A module of TensorFlow that is no public name."""
    if tf.__name__ == "tfedu":
        return functools.reduce(getattr, path.split("."), tf)
    return importlib.import_module(f"tensorflow.{path}")


def statistics(tf):
    stats = part(tf, "core.framework.step_stats_pb2").StepStats()
    for device, nodes in DEVICES.items():
        told = stats.dev_stats.add(device=device)
        for name, begin, time, label, sizes in nodes:
            node = told.node_stats.add(node_name=name, all_start_micros=begin, all_end_rel_micros=time, timeline_label=label)
            for slot, size in enumerate(sizes):
                described = node.output.add(slot=slot).tensor_description
                described.dtype = 1
                described.allocation_description.requested_bytes = size
                described.allocation_description.allocator_name = "cpu" if size < 100 else "big"
    return stats


@program
def of_two_devices(tf, np):
    timeline = part(tf, "python.client.timeline")
    found = {}
    for flow in (True, False):
        for memory in (True, False):
            text = timeline.Timeline(statistics(tf)).generate_chrome_trace_format(show_dataflow=flow, show_memory=memory)
            found[f"{flow} {memory}"] = json.loads(text)
    analysis = timeline.Timeline(statistics(tf)).analyze_step_stats()
    most = {name: [m.timestamp, m.num_bytes, sorted(m.tensors)] for name, m in analysis.allocator_maximums.items()}
    return [found, most, analysis.chrome_trace.format_to_string()[:80]]


@program
def of_nothing(tf, np):
    stats = part(tf, "core.framework.step_stats_pb2").StepStats()
    return part(tf, "python.client.timeline").Timeline(stats).generate_chrome_trace_format()
