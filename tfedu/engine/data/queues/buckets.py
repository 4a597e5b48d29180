"""Buckets of `tf.contrib.training`: elements go into one of several queues, so that a batch has elements of one kind.

    length, (sequences, labels) = tf.contrib.training.bucket_by_sequence_length(
        n, [sequence, label], batch_size=32, bucket_boundaries=[10, 20], dynamic_pad=True)

No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ...base import dtypes, errors
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays.selection import where
from ...lib.control.cond import cond
from ...lib.control.grouping import group, no_op
from ...lib.control.smart_cond import smart_cond
from ...lib.framework.scope_blocks import name_scope
from ...lib.math.math import cast, equal, less, less_equal, logical_and
from ...lib.math.reductions import reduce_min
from ...lib.summaries import summary
from ...op.constant import constant
from ...op.infer import constant_value
from .queue_batches import as_given, checked_keep, dtypes_of, listed, shapes_of
from .queues import FIFOQueue, PaddingFIFOQueue, QueueBase
from .runners import QueueRunner, add_queue_runner
from .sparse_elements import as_component, restored, stored

_ENDS = (errors.OutOfRangeError, errors.CancelledError)


@atomic
def bucket(
    tensors: Any,
    which_bucket: Any,
    batch_size: Any,
    num_buckets: int,
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Any = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Any]:
    """The number of a bucket, and a batch of elements that went into it: which_bucket, a scalar, says where an element goes.

    batch_size: of all buckets, or of each. The other arguments are those of `tf.train.maybe_batch`.
    Raises: ValueError without tensors, and for another number of batch sizes or capacities than of buckets.
    """
    element = listed(tensors)
    if not element:
        raise ValueError(error_text("Expected at least one tensor in bucket()."))
    sizes = list(batch_size) if isinstance(batch_size, (list, tuple)) else [batch_size] * num_buckets
    if len(sizes) != num_buckets:
        raise ValueError(error_text("If batch_size is a list it must have num_buckets elements"))
    capacities = [capacity] * num_buckets if bucket_capacities is None else bucket_capacities
    if len(capacities) != num_buckets:
        raise ValueError(
            error_text(
                f"The list bucket_capacities ({bucket_capacities}) must have exactly num_buckets ({num_buckets}) elements."
            )
        )
    with name_scope(name, "bucket"):
        components = [as_component(value) for value in element]
        keep = checked_keep(keep_input, enqueue_many=False)
        components, notes = stored(components, False, keep)
        sizes = [convert_to_tensor(size, dtype=dtypes.int32, name="batch_size") for size in sizes]
        which_bucket = convert_to_tensor(which_bucket, dtype=dtypes.int32, name="which_bucket")
        is_one_size = not allow_smaller_final_batch and not isinstance(batch_size, (list, tuple))
        queues, top = _queues(
            components, shapes, capacities, capacity, dynamic_pad, constant_value(sizes[0]) if is_one_size else None, shared_name
        )
        _add_runners(queues, top, components, which_bucket, keep, sizes, num_threads, allow_smaller_final_batch)
        for queue in queues:
            summary.scalar(f"bucket/{queue.name}/size", cast(top.size(), dtypes.float32))
        summary.scalar(
            f"bucket/{top.name}/fraction_of_{capacity}_full", cast(top.size(), dtypes.float32) * (1.0 / capacity)
        )
        number, *batch = top.dequeue(name="dequeue_top")
        return number, as_given(tensors, restored(batch[0] if len(batch) == 1 else batch, notes))


def _queues(
    components: Sequence[Any],
    shapes: Any,
    capacities: Sequence[int],
    capacity: int,
    dynamic_pad: bool,
    size: Any,
    shared_name: str | None,
) -> tuple[list[QueueBase], QueueBase]:
    """The queue of each bucket, and the one that their batches go into. size: of a batch, None where it is not known."""
    types, known = dtypes_of([components]), shapes_of([components], shapes, enqueue_many=False)
    queue_class = PaddingFIFOQueue if dynamic_pad else FIFOQueue
    queues: list[QueueBase] = [
        queue_class(
            capacity=each, dtypes=types, shapes=known, shared_name=None if shared_name is None else f"{shared_name}_{i}",
            name=f"bucket_queue_{i}",
        )
        for i, each in enumerate(capacities)
    ]  # fmt: skip
    rows = [TensorShape([size]).concatenate(shape) for shape in queues[0].shapes]
    top = PaddingFIFOQueue(
        capacity=capacity, dtypes=[dtypes.int32, *types], shapes=[TensorShape([]), *rows], shared_name=shared_name,
        name="top_queue",
    )  # fmt: skip
    return queues, top


def _add_runners(
    queues: Sequence[QueueBase],
    top: QueueBase,
    components: Sequence[Any],
    which_bucket: Tensor,
    keep: Tensor,
    sizes: Sequence[Tensor],
    threads: int,
    smaller: bool,
) -> None:
    """The runner from the elements to the buckets, and the one from the buckets to the queue of batches."""

    def put() -> Any:
        puts = [
            cond(equal(which_bucket, i), lambda queue=queue: queue.enqueue(components), no_op)  # type: ignore[misc]
            for i, queue in enumerate(queues)
        ]
        return group(*puts, name="group_enqueues")

    enqueue = smart_cond(keep, put, no_op)
    batches = []
    for i, (queue, size) in enumerate(zip(queues, sizes)):
        number = constant(i, dtype=dtypes.int32)
        known = constant_value(size)
        dequeue = queue.dequeue_up_to if smaller else queue.dequeue_many
        batch = dequeue(size if known is None else int(known), name=f"read_bucket_{i}")
        rows = batch if isinstance(batch, list) else [batch]
        batches.append(top.enqueue([number, *rows], name=f"enqueue_from_bucket_{i}"))
    add_queue_runner(
        QueueRunner(
            queues[0], batches, close_op=top.close(), cancel_op=top.close(cancel_pending_enqueues=True),
            queue_closed_exception_types=_ENDS,
        )
    )  # fmt: skip
    add_queue_runner(
        QueueRunner(
            top, [enqueue] * threads, close_op=group(*[queue.close() for queue in queues]),
            cancel_op=group(*[queue.close(cancel_pending_enqueues=True) for queue in queues]),
            queue_closed_exception_types=_ENDS,
        )
    )  # fmt: skip


@atomic
def bucket_by_sequence_length(
    input_length: Any,
    tensors: Any,
    batch_size: Any,
    bucket_boundaries: Sequence[int],
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Any = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Any]:
    """The lengths in a batch, and the batch, of elements of similar length; input_length: an int32 scalar.

    bucket_boundaries: the lengths at which the next bucket begins, increasing. The other arguments are those of `bucket`.
    Raises: TypeError and ValueError for anything but an increasing list of boundaries.
    """
    if not isinstance(bucket_boundaries, (list, tuple)):
        raise TypeError(error_text(f"bucket_boundaries must be a list or tuple, but received: {bucket_boundaries}"))
    if not bucket_boundaries:
        raise ValueError(error_text("bucket_boundaries must not be empty"))
    for one, following in pairwise(bucket_boundaries):
        if one >= following:
            raise ValueError(
                error_text(f"Buckets must contain sequential increasing lengths, but saw: {one} before {following}")
            )
    element = listed(tensors)
    with name_scope(name, "bucket_by_sequence_length"):
        length = convert_to_tensor(input_length, dtype=dtypes.int32, name="input_length")
        least, beyond = [dtypes.int32.min, *bucket_boundaries], [*bucket_boundaries, dtypes.int32.max]
        fits = logical_and(less_equal(least, length), less(length, beyond))
        _, batch = bucket(
            [length, *element], cast(reduce_min(where(fits)), dtypes.int32), batch_size, len(bucket_boundaries) + 1,
            num_threads, capacity, bucket_capacities, None if shapes is None else [[], *shapes], dynamic_pad,
            allow_smaller_final_batch, keep_input, shared_name,
        )  # fmt: skip
        lengths, *rows = batch
        return lengths, as_given(tensors, rows[0] if isinstance(tensors, dict) and len(rows) == 1 else rows)


__all__ = ["bucket", "bucket_by_sequence_length"]
