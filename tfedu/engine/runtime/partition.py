"""Partition: where an edge crosses from one device to another, a pair of nodes carries the tensor.

`partition(placed, fetches)` copies the graph of a run that has several devices, and puts `_Send` and `_Recv` between a tensor
and its consumers elsewhere: one pair for each (tensor, device), however many consumers it has there. Feeds and fetches are on
the first device. A control edge that crosses carries an empty tensor, as in TF. After that no node reads what lies in another
memory (`misplaced` finds one that would), and the stages that follow need no devices.

The nodes of the original keep their ids in the copy. A pair takes its turns right after the node whose tensor it carries, unless
the policy says otherwise. A run on one device has no partition. No state.

Differs from TF: a loop across devices needs no loop of its own on each of them, since the pairs have an edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..base import dtypes, errors
from ..graph.copies import Copied, copied
from ..graph.device import DeviceSpec
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..op.definition import REGISTRY
from ..ops import gpu_kernels
from ..ops.transfers import PAIRS, SIGNAL, sender
from .devices.transfers import short
from .place import Placed
from .prune import Pruned, waits_for

HOST = "the host"


class Place(NamedTuple):
    """Where a tensor is: a device, and the memory in which its value lies (a GPU's, by its name, or `HOST`)."""

    device: str
    memory: str

    @classmethod
    def of_output(cls, tensor: Tensor, device: str) -> Place:
        return cls(device, device if _is_gpu(device) and gpu_kernels.gives_there(tensor.op, tensor.index) else HOST)

    @classmethod
    def of_input(cls, op: Operation, index: int, device: str) -> Place:
        return cls(device, device if _is_gpu(device) and gpu_kernels.reads_there(op, index) else HOST)


def _is_gpu(device: str) -> bool:
    return DeviceSpec.from_string(device).device_type == "GPU"


@dataclass(frozen=True)
class Transfer:
    """A tensor that travels. of: the node that gives it."""

    of: Operation
    send: Operation
    receive: Operation
    source: Place
    target: Place

    @property
    def is_signal(self) -> bool:
        """Whether the tensor is empty, and only tells that the node has run."""
        return SIGNAL in self.send.attrs["tensor_name"]

    def __str__(self) -> str:
        what = f"^{self.of.name}" if self.is_signal else self.send.inputs[0].name
        return f"{what}  from {short(self.source.device)} to {short(self.target.device)}"


@dataclass(frozen=True)
class Partition:
    """A run on several devices. placed: the nodes of the copy, with the transfers among them; fetches: its fetched tensors."""

    placed: Placed
    copy: Copied
    fetches: tuple[Tensor, ...]
    transfers: tuple[Transfer, ...]

    @property
    def feeds(self) -> tuple[Tensor, ...]:
        return self.placed.pruned.fed

    @property
    def graph(self) -> Graph:
        """The copy of the graph, with the transfers; each node has the name of its device."""
        return self.copy.graph

    def original(self, op: Operation) -> Operation:
        """The node of the original graph that a node of the copy is, or whose tensor or end it carries."""
        operations = self.copy.original.operations
        while op.id >= len(operations):
            op = op.inputs[0].op if op.inputs else op.waits[0]
        return operations[op.id]

    def __str__(self) -> str:
        return "\n".join([f"{len(self.transfers)} transfers", *(f"  {transfer}" for transfer in self.transfers)])


def partition(placed: Placed, fetches: Sequence[Tensor], client: str) -> Partition:
    """The run's graph with its transfers. client: the device of feeds and fetches."""
    work = _Work(placed, client)
    for op in placed.pruned.operations:
        work.connect(op)
    received = tuple([work.delivered(tensor, Place(client, HOST)) for tensor in fetches])
    pruned = placed.pruned
    of = work.copy.of
    order = tuple(work.in_order())
    needed_by = {of(op): None if consumer is None else of(consumer) for op, consumer in pruned.needed_by.items()}
    for op in order:
        if op not in needed_by:
            needed_by[op] = next(iter((*op.outputs[0].consumers(), *op.control_outputs)), None)  # none of a fetched one
    run = Pruned(work.copy.graph, tuple(map(of, pruned.targets)), tuple(map(of, pruned.fed)), order, needed_by)
    result = Partition(Placed(run, {op: op.device for op in order}), work.copy, received, tuple(work.transfers))
    for op, index in misplaced(result, client):
        raise errors.InternalError(None, op, f"Input {index} of node {op.name} lies in the memory of another device.")
    return result


def misplaced(run: Partition, client: str) -> Iterable[tuple[Operation, int]]:
    """The inputs, as node and index, that lie in another memory than the one in which the node reads them."""
    placed = run.placed
    place_of = {tensor: Place(client, HOST) for tensor in run.feeds}
    place_of.update({transfer.receive.outputs[0]: transfer.target for transfer in run.transfers})
    carriers = {op for transfer in run.transfers for op in (transfer.send, transfer.receive)}
    for op in placed.pruned.operations:
        if op in carriers:
            continue
        for index, tensor in enumerate(op.inputs):
            lies = place_of.get(tensor) or Place.of_output(tensor, placed.device_of(tensor.op))
            if lies != Place.of_input(op, index, placed.device_of(op)):
                yield op, index


class _Work:
    """A partition in the making: the copy, and the pairs by what they carry and where to."""

    def __init__(self, placed: Placed, client: str) -> None:
        self.placed = placed
        self.fed = frozenset(placed.pruned.fed)
        self.client = client
        self.copy = copied(placed.pruned.graph)
        self.copy.graph.original = placed.pruned.graph
        self.transfers: list[Transfer] = []
        self.carried: dict[tuple[Tensor, Place], Tensor] = {}
        self.told: dict[tuple[Operation, str], Operation] = {}
        self.after: dict[Operation, list[Operation]] = {}  # the added nodes, by the node of the copy that they follow
        self.count = 0
        for op in placed.pruned.graph.operations:
            if op in placed.devices:
                self.copy.of(op).device = placed.devices[op]

    def connect(self, op: Operation) -> None:
        """Replaces the inputs and control inputs of a node that come from elsewhere."""
        node, graph, device = self.copy.of(op), self.copy.graph, self.placed.device_of(op)
        for index, tensor in enumerate(op.inputs):
            delivered = self.delivered(tensor, Place.of_input(op, index, device))
            if delivered is not node.inputs[index]:
                graph.update_input(node, index, delivered)
        for waited in waits_for(op, self.fed):
            if self.placed.device_of(waited) != device:
                graph.remove_control_input(node, self.copy.of(waited))
                graph.add_control_input(node, self.notice(waited, device))

    def delivered(self, tensor: Tensor, wanted: Place) -> Tensor:
        """The tensor of the copy that has this one's value where it is wanted."""
        op = tensor.op
        lies = Place(self.client, HOST) if tensor in self.fed else Place.of_output(tensor, self.placed.device_of(op))
        own: Tensor = self.copy.of(tensor)
        if lies == wanted:
            return own
        key = tensor, wanted
        if key not in self.carried:
            self.carried[key] = self.carry(own, op, lies, wanted)
        return self.carried[key]

    def notice(self, waited: Operation, device: str) -> Operation:
        """A node on the device that runs after `waited`, of another device, has run."""
        key = waited, device
        if key not in self.told:
            source = self.placed.device_of(waited)
            of = self.copy.of(waited)
            empty = {"value": np.zeros([0], np.float32), "dtype": dtypes.float32}
            start = self.add(waited, "Const", (), empty, source)
            start.outputs = [Tensor(start, 0, dtypes.float32, (0,))]
            self.copy.graph.add_control_input(start, of)
            lies, wanted = (Place(name, name if _is_gpu(name) else HOST) for name in (source, device))
            end = self.carry(start.outputs[0], waited, lies, wanted, is_signal=True)
            self.told[key] = self.add(waited, "Identity", (end,), {"T": dtypes.float32}, device)
        return self.told[key]

    def carry(self, tensor: Tensor, of: Operation, lies: Place, wanted: Place, is_signal: bool = False) -> Tensor:
        """Adds a pair for a tensor of the copy."""
        attrs: dict[str, Any] = {
            "T": tensor.dtype.base_dtype,
            "tensor_name": f"edge_{len(self.transfers)}_{SIGNAL if is_signal else ''}{of.name}",
            "send_device": lies.device,
            "recv_device": wanted.device,
        }
        sending = sender(lies.memory != wanted.memory)
        send = self.add(of, sending, (tensor,), attrs, lies.device)
        receive = self.add(of, PAIRS[sending], (send.outputs[0],), attrs, wanted.device)
        self.transfers.append(Transfer(self.copy.of(of), send, receive, lies, wanted))
        return receive.outputs[0]

    def add(
        self, of: Operation, type: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any], device: str
    ) -> Operation:
        """Adds a node to the copy that carries what the node `of` gives."""
        known = self.copy.graph._by_name
        while (name := f"{of.name}/_{self.count}") in known:
            self.count += 1
        self.count += 1
        node = self.copy.add(of, name, REGISTRY[type], inputs, attrs, device)
        self.after.setdefault(of, []).append(node)
        return node

    def in_order(self) -> Iterable[Operation]:
        """The nodes of the run in the order of creation, each followed by the transfers of its tensors."""
        needed = dict.fromkeys(self.placed.pruned.operations)
        fed = [tensor.op for tensor in self.placed.pruned.fed if tensor.op not in needed]
        for op in sorted([*needed, *dict.fromkeys(fed)], key=lambda op: op.id):
            if op in needed:
                yield self.copy.of(op)
            yield from self.after.get(op, ())


__all__ = ["HOST", "Partition", "Place", "Transfer", "misplaced", "partition"]
