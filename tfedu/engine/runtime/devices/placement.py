"""Which device each node gets: `assigned(operations, devices, softly)` by TensorFlow's rules.

A node goes to the device that it asks for; where it leaves that open, to the first GPU. It goes to the CPU if its type has no
kernel for a GPU, or its dtypes have no memory there. A variable, the nodes that change it and the nodes that are colocated with
it go to one device. A node without inputs goes to its consumers if all of them have one device, and one that reads nothing but
a shape goes to the node whose shape it reads, so that neither makes a tensor travel. No state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from ...base import dtypes, errors
from ...graph.device import DeviceSpec
from ...graph.nodes import Operation
from ...op.definition import definition_of
from ...ops import gpu_kernels


def assigned(
    operations: Iterable[Operation], names: tuple[str, ...], softly: bool, is_simulated: bool
) -> dict[Operation, str]:
    """The device of each node. names: the devices of the session, in their order. is_simulated: whether its GPUs are; a real one
    gets nodes for which only TF has a kernel where the program asks for that.

    Raises: InvalidArgumentError for a node that asks for a GPU without a kernel there, and for colocated nodes that ask for
    different devices, unless placement is soft.
    """
    listed = list(operations)
    groups = _Groups(listed, softly)
    if not softly:
        for op in sorted(listed, key=is_generator):
            if _kind(op) == "GPU" and not _may_be_there(op):
                raise _no_kernel(op)
    candidates = {}
    for head, spec in groups.specs.items():
        asked_for = is_simulated or spec.device_type == "GPU"
        candidates[head] = _candidates(spec, (groups.allowed if asked_for else groups.possible)[head], names, softly)
    found: dict[Operation, str] = {}
    generators = []
    for op in listed:
        possible = candidates[groups.head(op)]
        if is_generator(op):
            generators.append(op)
        source = op.inputs[0].op if op.type in gpu_kernels.OF_SHAPES else None
        found[op] = found[source] if source in found and found[source] in possible else possible[0]
    for op in generators:
        of_consumers = {found[consumer] for consumer in (*op.outputs[0].consumers(), *op.control_outputs) if consumer in found}
        possible = candidates[groups.head(op)]
        if len(of_consumers) == 1 and of_consumers <= set(possible):
            (found[op],) = of_consumers
    return found


def is_generator(op: Operation) -> bool:
    """Whether TF places this node in its second pass, next to its consumers."""
    return not op.inputs and len(op.outputs) == 1 and not op.outputs[0].dtype._is_ref_dtype


@cache
def fits(name: str, names: tuple[str, ...], softly: bool) -> bool:
    """Whether one of these devices is the one that a node names; for soft placement one of the same task."""
    return any(_matches(DeviceSpec.from_string(name), device, softly) for device in names)


# What TF reads as the name of a device; its Python part also writes others.
_NAME: Final = re.compile(
    r"(/job:[A-Za-z]\w*)?(/replica:\d+)?(/task:\d+)?(/device:[A-Za-z]\w*:(\d+|\*))?", re.ASCII
)


@cache
def is_name(name: str) -> bool:
    """Whether TF can read the name that a node has for its device."""
    return _NAME.fullmatch(name) is not None


def _matches(wanted: DeviceSpec, name: str, softly: bool = False) -> bool:
    has = DeviceSpec.from_string(name)
    parts = ("job", "replica", "task", *(() if softly else ("device_type", "device_index")))
    return all(getattr(wanted, part) in (None, getattr(has, part)) for part in parts)


def _candidates(wanted: DeviceSpec, has_kernel: bool, names: tuple[str, ...], softly: bool) -> list[str]:
    """The devices for a group of nodes, the best one first: a GPU before a CPU, then by number."""
    by_rank = sorted(names, key=lambda name: DeviceSpec.from_string(name).device_type != "GPU")
    usable = [name for name in by_rank if has_kernel or DeviceSpec.from_string(name).device_type == "CPU"]
    exact = [name for name in usable if _matches(wanted, name)]
    return exact or (usable if softly else [names[0]])


def _kind(op: Operation) -> str | None:
    return DeviceSpec.from_string(op.device).device_type if op.device else None


def _has_kernel(op: Operation) -> bool:
    """Whether this program has a kernel for the node on a GPU."""
    d = definition_of(op)
    return d is not None and gpu_kernels.why_on_cpu(d) is None and _may_be_there(op)


def _may_be_there(op: Operation) -> bool:
    """Whether TF has a kernel for the node on a GPU."""
    d = definition_of(op)
    if d is None or not gpu_kernels.may_be_asked_for(d):
        return False
    if gpu_kernels.has_host_kernel(d):
        return True
    if d.role in ("variable", "temporary"):
        kind = op.attrs["dtype"]
        return gpu_kernels.has_memory(kind) and kind.base_dtype.numpy != gpu_kernels.HOST_DTYPE
    return all(_fits_in_memory(t.dtype) for t in (*op.inputs, *op.outputs))


def _fits_in_memory(dtype: dtypes.DType) -> bool:
    return dtype.base_dtype is dtypes.resource or gpu_kernels.has_memory(dtype)


class _Groups:
    """The groups of nodes that have one device: `head(op)` is the same node for all nodes of a group.

    specs: the device that a group asks for, by its head. possible: whether all its nodes have a kernel for a GPU here; allowed:
    whether they have one in TF.
    """

    def __init__(self, operations: list[Operation], softly: bool) -> None:
        self._above: dict[Operation, Operation] = {}
        self._softly = softly
        self.specs = {op: DeviceSpec.from_string(op.device) for op in operations}
        self._rank = dict.fromkeys(operations, 0)  # how deep a group's tree is in TF: errors name the device of the deeper first
        by_name = {op.name: op for op in operations}
        for op in operations:
            d = definition_of(op)
            for tensor in op.inputs:
                if tensor.dtype.base_dtype is dtypes.resource or (tensor.dtype.is_ref and d is not None and d.written_inputs):
                    self._follow(op, tensor.op)
        for op in operations:
            for group in op.attrs.get("_class", ()):
                other = by_name.get(group[len(b"loc:@") :].decode()) if group.startswith(b"loc:@") else None
                if other is not None:
                    self._join(op, other)
        self.specs = {op: spec for op, spec in self.specs.items() if op not in self._above}
        self.possible: dict[Operation, bool] = {}
        self.allowed: dict[Operation, bool] = {}
        for op in operations:
            head = self.head(op)
            wants_cpu = softly and _kind(op) == "CPU"
            self.possible[head] = self.possible.get(head, True) and _has_kernel(op) and not wants_cpu
            self.allowed[head] = self.allowed.get(head, True) and _may_be_there(op) and not wants_cpu

    def head(self, op: Operation) -> Operation:
        path = []
        while op in self._above:
            path.append(op)
            op = self._above[op]
        for node in path:
            self._above[node] = op
        return op

    def _follow(self, op: Operation, source: Operation) -> None:
        """Joins a node with the node of the resource, or variable, that it takes: where both ask, the resource decides."""
        head, of_source = self.head(op), self.head(source)
        if head is not of_source:
            if _contradicting(self.specs[of_source], self.specs[head]) is not None:
                self.specs[head] = DeviceSpec()
            self._join(op, source)

    def _join(self, op: Operation, other: Operation) -> None:
        """Makes one group of the groups of two nodes.

        Raises: InvalidArgumentError when they ask for different devices; in soft placement the parts that differ are left open.
        """
        head, above = self.head(op), self.head(other)
        if head is above:
            return
        mine, spec = self.specs[head], self.specs[above]
        rank, rank_above = self._rank[head], self._rank[above]
        word = _contradicting(spec, mine)
        if word is not None and not self._softly:
            specs = (spec, mine) if rank < rank_above else (mine, spec)
            raise _contradiction(op, other, specs, word)
        self._rank[above] = max(rank, rank_above) + (rank == rank_above)
        merged = DeviceSpec()
        for part in ("job", "replica", "task", "device_type", "device_index"):
            has, asks = getattr(spec, part), getattr(mine, part)
            setattr(merged, part, None if None not in (has, asks) and has != asks else asks if has is None else has)
        self.specs[above] = merged
        self._above[head] = above


def _contradicting(one: DeviceSpec, other: DeviceSpec) -> str | None:
    """In what two nodes ask for different devices; None where one device can be both."""
    for part, word in (("device_type", "types"), ("device_index", "ids")):
        has, asks = getattr(one, part), getattr(other, part)
        if None not in (has, asks) and has != asks:
            return word
    return None


def _contradiction(
    op: Operation, other: Operation, specs: tuple[DeviceSpec, DeviceSpec], word: str
) -> errors.InvalidArgumentError:
    first, second = (spec.to_string() for spec in specs)
    error = errors.InvalidArgumentError(
        None,
        op,
        f"Cannot colocate nodes {{{{colocation_node {op.name}}}}} and {{{{colocation_node {other.name}}}}}: Cannot merge devices "
        f"with incompatible {word}: '{first}' and '{second}'\n\t [[{{{{node {op.name}}}}}]]",
    )
    error.fix = "give both nodes one device, or allow another one by tf.ConfigProto(allow_soft_placement=True)"
    return error


def _no_kernel(op: Operation) -> errors.InvalidArgumentError:
    error = errors.InvalidArgumentError(
        None,
        op,
        f"Cannot assign a device for operation {op.name}: Could not satisfy explicit device specification '{op.device}' because "
        f"no supported kernel for GPU devices is available.\n\t [[{{{{node {op.name}}}}}]]",
    )
    d = definition_of(op)
    reason = None if d is None else gpu_kernels.why_on_cpu(d)
    error.fix = "tf.ConfigProto(allow_soft_placement=True) puts such nodes on the CPU" + (f" ({reason})" if reason else "")
    return error


__all__ = ["assigned", "fits", "is_generator", "is_name"]
