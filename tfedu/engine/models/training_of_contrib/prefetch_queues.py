"""`tf.contrib.slim.prefetch_queue`: a queue of whole batches, which a thread fills while the program trains."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...data.queues.queues import FIFOQueue, PaddingFIFOQueue, QueueBase
from ...data.queues.runners import QueueRunner, add_queue_runner
from ...graph.atomic import atomic
from ...lib.framework.scope_blocks import name_scope
from ...lib.math.math import cast
from ...lib.summaries import summary


@atomic
def prefetch_queue(
    tensors: Any,
    capacity: int = 8,
    num_threads: int = 1,
    dynamic_pad: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> QueueBase:
    """A queue whose runner enqueues the values of `tensors` from successive runs; of a dict, each dequeue is a dict.

    capacity: the most elements. dynamic_pad: elements may differ in their sizes.
    """
    names = sorted(tensors) if isinstance(tensors, dict) else None
    values = list(tensors) if names is None else [tensors[key] for key in names]
    with name_scope(name, "prefetch_queue", values):
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queue = kind(
            capacity=capacity, dtypes=[value.dtype for value in values], shapes=[value.get_shape() for value in values],
            names=names, shared_name=shared_name,
        )  # fmt: skip
        add_queue_runner(QueueRunner(queue, [queue.enqueue(tensors)] * num_threads))
        summary.scalar(f"fraction_of_{capacity}_full", cast(queue.size(), dtypes.float32) * (1.0 / capacity))
        return queue


__all__ = ["prefetch_queue"]
