"""Queues of older graphs: FIFOQueue and its kind return a reference to a string in place of a handle (queues.py).

State: the queues, in the session's store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base import dtypes
from ..base.dtypes import DType
from ..base.shapes import Shape
from ..op.define import AtLeast, Each, Ref, ShapeAttr, Sym, op
from ..op.gradient_rules import CONTENT
from . import queues

string = dtypes.string
_Types = AtLeast[1, list[DType]]


def _kernel(of: Any) -> Callable[..., Any]:
    kernel: Callable[..., Any] = of.definition.kernel
    return kernel


def _reference(run: Any, container: str, handle: Any) -> Any:
    """A reference to the queue of a handle."""
    return run.reference(container, handle.buffer)


def _queue_op(type: str) -> Callable[..., Any]:
    return op(type, out="handle", shape=lambda **_: (2,), stateful=True, resource="queue")


@_queue_op("FIFOQueue")
def fifo_queue(
    run: Any,
    *,
    component_types: _Types,
    shapes: list[ShapeAttr] = [],  # noqa: B006 - the attribute's default
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
) -> Ref[string]:
    """A reference to the session's queue of this name, whose elements come out as they came in: [2]."""
    given = {"shapes": shapes, "capacity": capacity, "container": container, "shared_name": shared_name}
    return _reference(run, container, _kernel(queues.fifo_queue_v2)(run, component_types=component_types, **given))


@_queue_op("PaddingFIFOQueue")
def padding_fifo_queue(
    run: Any,
    *,
    component_types: _Types,
    shapes: list[ShapeAttr] = [],  # noqa: B006 - the attribute's default
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
) -> Ref[string]:
    """A reference to the session's queue of this name, whose dequeues of many pad elements of different sizes: [2]."""
    given = {"shapes": shapes, "capacity": capacity, "container": container, "shared_name": shared_name}
    return _reference(run, container, _kernel(queues.padding_fifo_queue_v2)(run, component_types=component_types, **given))


@_queue_op("RandomShuffleQueue")
def random_shuffle_queue(
    run: Any,
    *,
    component_types: _Types,
    shapes: list[ShapeAttr] = [],  # noqa: B006 - the attribute's default
    capacity: int = -1,
    min_after_dequeue: int = 0,
    seed: int = 0,
    seed2: int = 0,
    container: str = "",
    shared_name: str = "",
) -> Ref[string]:
    """A reference to the session's queue of this name, whose elements come out in random order: [2].

    Raises: InvalidArgumentError for a min_after_dequeue below 0, or not below the capacity.
    """
    given = {"shapes": shapes, "capacity": capacity, "container": container, "shared_name": shared_name}
    given |= {"min_after_dequeue": min_after_dequeue, "seed": seed, "seed2": seed2}
    return _reference(run, container, _kernel(queues.random_shuffle_queue_v2)(run, component_types=component_types, **given))


@_queue_op("PriorityQueue")
def priority_queue(
    run: Any,
    *,
    component_types: list[DType] = [],  # noqa: B006 - the attribute's default
    shapes: list[ShapeAttr],
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
) -> Ref[string]:
    """A reference to the session's queue of this name; a further first component says which element comes first: [2]."""
    given = {"shapes": shapes, "capacity": capacity, "container": container, "shared_name": shared_name}
    return _reference(run, container, _kernel(queues.priority_queue_v2)(run, component_types=component_types, **given))


def _accessing(type: str, out: str = "output", shape: Any = lambda *_, **__: [], **facts: Any) -> Callable[..., Any]:
    facts = {"access": {"handle": "update"}, **facts}
    return op(type, out=out, shape=shape, resource="queue", **facts)


def _unknown(*_: Sym, component_types: Sequence[DType], **__: Any) -> list[Shape]:
    return [None] * len(component_types)


@_accessing("QueueEnqueue", not_differentiable=CONTENT)
def queue_enqueue(
    run: Any, handle: Ref[string], components: Each["Tcomponents"], *, timeout_ms: int = -1  # noqa: F821
) -> None:
    """Puts an element into the queue, as soon as it has room: handle [2], components of the queue's shapes.

    Raises: CancelledError when the queue is closed, InvalidArgumentError for components that do not fit.
    """
    return _kernel(queues.queue_enqueue_v2)(run, handle, components)  # type: ignore[no-any-return]


@_accessing("QueueEnqueueMany", not_differentiable=CONTENT)
def queue_enqueue_many(
    run: Any, handle: Ref[string], components: Each["Tcomponents"], *, timeout_ms: int = -1  # noqa: F821
) -> None:
    """Puts n elements into the queue, one after the other: handle [2], components [n, …].

    Raises: CancelledError when the queue is closed, InvalidArgumentError for components that do not fit.
    """
    return _kernel(queues.queue_enqueue_many_v2)(run, handle, components)  # type: ignore[no-any-return]


@_accessing("QueueDequeue", "components", _unknown, not_differentiable=CONTENT)
def queue_dequeue(
    run: Any, handle: Ref[string], *, component_types: _Types, timeout_ms: int = -1
) -> Each["component_types"]:  # noqa: F821
    """Takes an element out of the queue, as soon as it has one: handle [2] -> components of the queue's shapes.

    Raises: OutOfRangeError when the queue is closed and empty, or holds no more than it may give.
    """
    return _kernel(queues.queue_dequeue_v2)(run, handle, component_types=component_types)  # type: ignore[no-any-return]


@_accessing("QueueDequeueMany", "components", _unknown, not_differentiable=CONTENT, fresh=True)
def queue_dequeue_many(
    run: Any, handle: Ref[string], n: dtypes.int32, *, component_types: _Types, timeout_ms: int = -1
) -> Each["component_types"]:  # noqa: F821
    """Takes n elements out of the queue, as soon as it has so many: handle [2], n scalar -> components [n, …].

    Raises: OutOfRangeError when the queue is closed and has fewer; InvalidArgumentError for a queue whose components have no
    shapes.
    """
    return _kernel(queues.queue_dequeue_many_v2)(run, handle, n, component_types=component_types)  # type: ignore[no-any-return]


@_accessing("QueueDequeueUpTo", "components", _unknown, not_differentiable=CONTENT, fresh=True)
def queue_dequeue_up_to(
    run: Any, handle: Ref[string], n: dtypes.int32, *, component_types: _Types, timeout_ms: int = -1
) -> Each["component_types"]:  # noqa: F821
    """Takes n elements out of the queue, or what is left when it is closed: handle [2], n scalar -> components [n or less, …].

    Raises: OutOfRangeError when the queue is closed and empty; InvalidArgumentError for a queue whose components have no shapes.
    """
    return _kernel(queues.queue_dequeue_up_to_v2)(run, handle, n, component_types=component_types)  # type: ignore[no-any-return]


@_accessing("QueueClose", not_differentiable=CONTENT)
def queue_close(run: Any, handle: Ref[string], *, cancel_pending_enqueues: bool = False) -> None:
    """Closes the queue: it takes no more elements, and gives those that it has: handle [2].

    It waits for enqueues that have begun, or cancels them. Raises: CancelledError for a queue that is closed already.
    """
    close = _kernel(queues.queue_close_v2)
    return close(run, handle, cancel_pending_enqueues=cancel_pending_enqueues)  # type: ignore[no-any-return]


@_accessing("QueueIsClosed", "is_closed", lambda handle: (), access={"handle": "read"})
def queue_is_closed(run: Any, handle: Ref[string]) -> dtypes.bool:
    """Whether the queue is closed: handle [2] -> scalar."""
    return _kernel(queues.queue_is_closed_v2)(run, handle)  # type: ignore[no-any-return]


@_accessing("QueueSize", "size", lambda handle: (), access={"handle": "read"}, not_differentiable=CONTENT)
def queue_size(run: Any, handle: Ref[string]) -> dtypes.int32:
    """The number of elements in the queue: handle [2] -> scalar."""
    return _kernel(queues.queue_size_v2)(run, handle)  # type: ignore[no-any-return]


for _older, _newer in (
    (queue_enqueue, queues.queue_enqueue_v2), (queue_enqueue_many, queues.queue_enqueue_many_v2),
    (queue_dequeue, queues.queue_dequeue_v2), (queue_dequeue_many, queues.queue_dequeue_many_v2),
    (queue_dequeue_up_to, queues.queue_dequeue_up_to_v2), (queue_close, queues.queue_close_v2),
):  # fmt: skip
    _older.definition.ready_rule = _newer.definition.ready_rule
    _older.definition.begins_rule = _newer.definition.begins_rule
    _older.definition.lines_up_rule = _newer.definition.lines_up_rule
    _older.definition.waits_to = _newer.definition.waits_to
    _older.definition.run_shapes = _newer.definition.run_shapes


__all__ = [
    "fifo_queue", "padding_fifo_queue", "priority_queue", "queue_close", "queue_dequeue", "queue_dequeue_many",
    "queue_dequeue_up_to", "queue_enqueue", "queue_enqueue_many", "queue_is_closed", "queue_size", "random_shuffle_queue",
]  # fmt: skip
