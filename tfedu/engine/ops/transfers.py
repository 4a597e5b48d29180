"""The ops that carry a tensor from one device to another: the partition of a run makes them in pairs (runtime/partition.py).

Between two memories `_Send` copies the value when it takes its turn, and `_Recv` hands the copy to the consumers there. Within
the memory of the host (from one CPU to another) `_HostSend` and `_HostRecv` pass the value on, as TF does, so that a variable
stays the same buffer behind them.

Differs from TF: there the pair has no edge, since the two may be in two processes; here the copy flows over one, so that it can
be drawn, and so that branches and loops need no other mechanism.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.nodes import Tensor
from ..op.define import op, same_shape, typevar
from ..op.gradient_rules import NOT_OF_VALUES

T = typevar("T")
SIGNAL = "^"  # in the name of a tensor that only tells that a node has run: no node's name has this character


@op("_Send", shape=same_shape, stateful=True, commutes=True, not_differentiable=NOT_OF_VALUES)
def send(run: Any, tensor: T, *, tensor_name: str, send_device: str, recv_device: str) -> T:
    """A copy of a tensor of any shape for another memory, made now."""
    copy = tensor.copy() if isinstance(tensor, np.ndarray) else tensor
    run.store.transfers.count(send_device, recv_device, getattr(copy, "nbytes", 0), SIGNAL in tensor_name)
    return copy


@op("_HostSend", aliases="tensor", shape=same_shape, stateful=True, commutes=True, not_differentiable=NOT_OF_VALUES)
def host_send(run: Any, tensor: T, *, tensor_name: str, send_device: str, recv_device: str) -> T:
    """A tensor of any shape for another device with the same memory: the tensor itself."""
    run.store.transfers.count(send_device, recv_device, 0, SIGNAL in tensor_name)
    return tensor


def _received(xp: Any, tensor: T, *, tensor_name: str, send_device: str, recv_device: str) -> T:
    """What the send of this pair gave: any shape."""
    return tensor


for _type in ("_Recv", "_HostRecv"):
    op(_type, aliases="tensor", shape=same_shape, not_differentiable=NOT_OF_VALUES)(_received)

def sender(copies: bool) -> str:
    """The type of the node that sends: to another memory, or within the same one."""
    return "_Send" if copies else "_HostSend"


def carried(tensor: Tensor) -> Tensor:
    """The tensor that travelled, of what a transfer gives; any other tensor itself."""
    while tensor.op.type in CARRIERS:
        tensor = tensor.op.inputs[0]
    return tensor


PAIRS = {"_Send": "_Recv", "_HostSend": "_HostRecv"}
# TF gives a pair between two CPUs these types; tfedu needs others, since that pair copies nothing.
IN_TF = {"_HostSend": "_Send", "_HostRecv": "_Recv"}

CARRIERS = frozenset((*PAIRS, *PAIRS.values()))

__all__ = ["CARRIERS", "IN_TF", "PAIRS", "SIGNAL", "carried", "host_send", "send", "sender"]
