"""The transfers for which a node of a run on several devices waits: `waits_for_transfers(op)`. No state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...engine.graph.nodes import Operation, Tensor
from ...engine.ops.transfers import PAIRS, SIGNAL
from ...engine.runtime.devices.transfers import short
from ...view.records import NoticeRecord, Params

_RECEIVING = frozenset(PAIRS.values())


def waits_for_transfers(op: Operation, known: Mapping[Tensor, Any]) -> list[NoticeRecord]:
    """The message `why.<code>` for each transfer whose end the node waits for.

    known: values in the run, which tell the bytes where the shape leaves them open.
    """
    return [_notice(op, receive, known) for receive in dict.fromkeys(_receiving(op))]


def _receiving(op: Operation) -> Iterator[Operation]:
    if op.type in _RECEIVING:
        yield op
    for tensor in op.inputs:
        if tensor.op.type in _RECEIVING:
            yield tensor.op
    for waited in op.waits:
        # Behind a signal is a node that takes it, and on which the node waits.
        for tensor in waited.inputs:
            if tensor.op.type in _RECEIVING and SIGNAL in tensor.op.attrs["tensor_name"]:
                yield tensor.op


def _notice(op: Operation, receive: Operation, known: Mapping[Tensor, Any]) -> NoticeRecord:
    sent = receive.inputs[0]
    names: Params = {
        "node": op.name,
        "receive": receive.name,
        "send": sent.op.name,
        "source": short(receive.attrs["send_device"]),
        "target": short(receive.attrs["recv_device"]),
    }
    if SIGNAL in receive.attrs["tensor_name"]:
        return NoticeRecord("signal", names)
    count = sent.shape.num_elements()
    size = getattr(known.get(sent), "nbytes", None) if count is None else count * sent.dtype.size
    if size is None:
        return NoticeRecord("transfer_open", names)
    return NoticeRecord("transfer", {**names, "bytes": size})


__all__ = ["waits_for_transfers"]
