"""Batches of `tf.train`: tensors go through a queue, which a runner fills and which gives them out many at a time.

    image, label = read_one()
    images, labels = tf.train.shuffle_batch([image, label], 32, capacity=1000, min_after_dequeue=500)

A batch is a list, or a dictionary if the tensors come in one. `keep_input` of the maybe_ functions says whether an element is
put in; with enqueue_many it may say so for each. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays.selection import dynamic_partition
from ...lib.control.grouping import no_op
from ...lib.control.smart_cond import smart_cond
from ...lib.framework.scope_blocks import name_scope
from ...lib.math.math import cast, maximum
from ...lib.summaries import summary
from .queues import FIFOQueue, PaddingFIFOQueue, QueueBase, RandomShuffleQueue
from .runners import QueueRunner, add_queue_runner
from .sparse_elements import as_component, restored, stored


def listed(tensors: Any) -> list[Any]:
    """The components of an element; of a dictionary in the order of its keys."""
    return [tensors[key] for key in sorted(tensors)] if isinstance(tensors, dict) else list(tensors)


def as_given(original: Any, batch: Any) -> Any:
    """The batch in the structure of the element."""
    if isinstance(original, dict):
        keys = sorted(original)
        return dict(zip(keys, [batch] if len(keys) == 1 else batch))
    return batch


def checked_keep(keep_input: Any, enqueue_many: bool) -> Tensor:
    keep = convert_to_tensor(keep_input)
    if keep.shape.ndims is None:
        raise ValueError(error_text("`keep_input` dimensions must be known at graph construction.", [keep]))
    if not enqueue_many and keep.shape.ndims == 1:
        raise ValueError(error_text("`keep_input` cannot be a vector when `enqueue_many=False`.", [keep]))
    if keep.shape.ndims > 1:
        raise ValueError(error_text("`keep_input` must be 0 or 1 dimensions.", [keep]))
    return keep


def dtypes_of(elements: Sequence[Sequence[Tensor]]) -> list[DType]:
    first, *others = [[tensor.dtype for tensor in element] for element in elements]
    for other in others:
        if other != first:
            names = [", ".join(dtype.name for dtype in each) for each in (first, other)]
            raise TypeError(error_text(f"Expected types to be consistent: {names[0]} vs. {names[1]}."))
    return first


def shapes_of(elements: Sequence[Sequence[Tensor]], shapes: Any, enqueue_many: bool) -> Any:
    """The shapes of the queue's components, as far as the elements tell them."""
    if shapes is not None:
        return shapes
    merged = []
    for tensors in zip(*elements):
        for tensor in tensors:
            if tensor.shape.ndims is None:
                raise ValueError(error_text(f"Cannot infer Tensor's rank: {tensor}", [tensor]))
        found = [tensor.shape.with_rank_at_least(1)[1:] if enqueue_many else TensorShape(tensor.shape) for tensor in tensors]
        for other in found[1:]:
            found[0].merge_with(other)
        merged.append(found[0].as_list())
    return merged


def _enqueued(queue: QueueBase, element: Sequence[Any], enqueue_many: bool, keep: Tensor) -> Any:
    """The operation that puts an element in, or those of its parts that are kept."""
    put = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep.shape.ndims == 1:
        selected = cast(keep, dtypes.int32)
        return put([dynamic_partition(tensor, selected, num_partitions=2)[1] for tensor in element])
    return smart_cond(keep, lambda: put(element), no_op)


def _batched(
    elements: Sequence[Any],
    keep_input: Any,
    batch_size: Any,
    enqueue_many: bool,
    shapes: Any,
    smaller: bool,
    name: str | None,
    default_name: str,
    make_queue: Callable[[list[DType], Any], QueueBase],
    add_summary: Callable[[QueueBase], Any],
    threads: int | None,
) -> Any:
    """The batch of what these elements put into one queue. threads: of a single element; None: one for each."""
    given = [listed(element) for element in elements]
    with name_scope(name, default_name) as scope:
        components = [[as_component(value) for value in element if value is not None] for element in given]
        if not components[0]:
            raise ValueError(error_text("Expected at least one tensor in batch()."))
        keep = checked_keep(keep_input, enqueue_many)
        first, notes = stored(components[0], enqueue_many, keep)
        others = [stored(element, enqueue_many, keep, notes)[0] for element in components[1:]]
        rows = [first, *others]
        width = min(map(len, rows))
        rows = [row[:width] for row in rows]
        queue = make_queue(dtypes_of(rows), shapes_of(rows, shapes, enqueue_many))
        enqueues = [_enqueued(queue, row, enqueue_many, keep) for row in rows]
        add_queue_runner(QueueRunner(queue, enqueues if threads is None else enqueues * threads))
        add_summary(queue)
        dequeue = queue.dequeue_up_to if smaller else queue.dequeue_many
        return as_given(elements[0], restored(dequeue(batch_size, name=scope), notes))


def _plain(
    elements: Sequence[Any],
    keep_input: Any,
    batch_size: Any,
    threads: int | None,
    capacity: int,
    enqueue_many: bool,
    shapes: Any,
    dynamic_pad: bool,
    smaller: bool,
    shared_name: str | None,
    name: str | None,
) -> Any:
    queue_class = PaddingFIFOQueue if dynamic_pad else FIFOQueue

    def make_queue(types: list[DType], known: Any) -> QueueBase:
        return queue_class(capacity=capacity, dtypes=types, shapes=known, shared_name=shared_name)

    def add_summary(queue: QueueBase) -> None:
        summary.scalar(f"fraction_of_{capacity}_full", cast(queue.size(), dtypes.float32) * (1.0 / capacity))

    default_name = "batch_join" if threads is None else "batch"
    return _batched(
        elements, keep_input, batch_size, enqueue_many, shapes, smaller, name, default_name, make_queue, add_summary, threads
    )


def _shuffled(
    elements: Sequence[Any],
    keep_input: Any,
    batch_size: Any,
    threads: int | None,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None,
    enqueue_many: bool,
    shapes: Any,
    smaller: bool,
    shared_name: str | None,
    name: str | None,
) -> Any:
    if capacity <= min_after_dequeue:
        raise ValueError(
            error_text(f"capacity {capacity} must be bigger than min_after_dequeue {min_after_dequeue}.")
        )
    room = capacity - min_after_dequeue

    def make_queue(types: list[DType], known: Any) -> QueueBase:
        return RandomShuffleQueue(
            capacity=capacity, min_after_dequeue=min_after_dequeue, seed=seed, dtypes=types, shapes=known, shared_name=shared_name
        )

    def add_summary(queue: QueueBase) -> None:
        above = maximum(0, queue.size() - min_after_dequeue)
        summary.scalar(f"fraction_over_{min_after_dequeue}_of_{room}_full", cast(above, dtypes.float32) * (1.0 / room))

    default_name = "shuffle_batch_join" if threads is None else "shuffle_batch"
    return _batched(
        elements, keep_input, batch_size, enqueue_many, shapes, smaller, name, default_name, make_queue, add_summary, threads
    )


def _joined(tensors_list: Any) -> list[Any]:
    elements = list(tensors_list)
    if not elements:
        raise ValueError(error_text("Expected at least one set of tensors"))
    first = elements[0]
    if isinstance(first, dict):
        for other in elements[1:]:
            if not isinstance(other, dict) or set(other) != set(first):
                raise ValueError(error_text("All dictionaries must have the same keys"))
    return elements


# -- one element, in one thread or several ------------------------------------------------------------------------------


@atomic
def batch(
    tensors: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches [batch_size, …] of the tensors of successive runs, in their order if num_threads is 1.

    enqueue_many: each tensor has many elements along its first axis. dynamic_pad: elements differ in their sizes, and those of a
    batch are padded with zeros. allow_smaller_final_batch: the last batch may have fewer.
    Raises: ValueError without tensors, and for tensors of unknown rank without `shapes`.
    """
    return _plain(
        [tensors], True, batch_size, num_threads, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch,
        shared_name, name,
    )  # fmt: skip


@atomic
def maybe_batch(
    tensors: Any,
    keep_input: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`batch` of the elements that keep_input keeps: a bool scalar, or a vector with enqueue_many."""
    return _plain(
        [tensors], keep_input, batch_size, num_threads, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch,
        shared_name, name,
    )  # fmt: skip


@atomic
def shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches [batch_size, …] of the tensors of successive runs, in random order.

    min_after_dequeue: so many elements stay in the queue, that they mix. Raises: ValueError unless capacity is larger.
    """
    return _shuffled(
        [tensors], True, batch_size, num_threads, capacity, min_after_dequeue, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@atomic
def maybe_shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`shuffle_batch` of the elements that keep_input keeps: a bool scalar, or a vector with enqueue_many."""
    return _shuffled(
        [tensors], keep_input, batch_size, num_threads, capacity, min_after_dequeue, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


# -- several elements, a thread for each --------------------------------------------------------------------------------


@atomic
def batch_join(
    tensors_list: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`batch` of several elements, each of which a thread of its own puts in.

    Raises: ValueError for an empty list and for shapes that do not fit, TypeError for different dtypes.
    """
    return _plain(
        _joined(tensors_list), True, batch_size, None, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch,
        shared_name, name,
    )  # fmt: skip


@atomic
def maybe_batch_join(
    tensors_list: Any,
    keep_input: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`batch_join` of the elements that keep_input keeps: a bool scalar, or a vector with enqueue_many."""
    return _plain(
        _joined(tensors_list), keep_input, batch_size, None, capacity, enqueue_many, shapes, dynamic_pad,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@atomic
def shuffle_batch_join(
    tensors_list: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`shuffle_batch` of several elements, each of which a thread of its own puts in."""
    return _shuffled(
        _joined(tensors_list), True, batch_size, None, capacity, min_after_dequeue, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


@atomic
def maybe_shuffle_batch_join(
    tensors_list: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`shuffle_batch_join` of the elements that keep_input keeps: a bool scalar, or a vector with enqueue_many."""
    return _shuffled(
        _joined(tensors_list), keep_input, batch_size, None, capacity, min_after_dequeue, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


__all__ = [
    "as_given", "batch", "batch_join", "checked_keep", "dtypes_of", "listed", "maybe_batch", "maybe_batch_join",
    "maybe_shuffle_batch", "maybe_shuffle_batch_join", "shapes_of", "shuffle_batch", "shuffle_batch_join",
]  # fmt: skip
