"""Queues: FIFOQueueV2 and its kind are queues of the session; enqueues and dequeues wait until the queue can serve them.

A queue's components have fixed dtypes, and fixed shapes where its node lists them. State: the queues, in the session's store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType, runtime_name
from ..base.resources.attempts import Attempt, Element
from ..base.resources.queue import PaddingQueue, PrioritizedQueue, Queue, ShufflingQueue
from ..base.shapes import Shape, ShapeMismatch, is_full
from ..op.define import AtLeast, Each, ShapeAttr, Sym, op
from ..op.shape_checks import as_array, invalid, text_of, unwrapped


def _scalar_handle(**_: Any) -> Shape:
    return ()


# -- the queues ------------------------------------------------------------------------------------------------------


def _queue_op(type: str) -> Callable[..., Any]:
    return op(type, out="handle", shape=_scalar_handle, stateful=True, resource="queue")


def _shared(run: Any, container: str, shared_name: str, kind: str, make: Callable[[str], Queue]) -> Any:
    """A handle of the session's queue of this name.

    Raises: InvalidArgumentError for a shared queue that was made with other attributes.
    """
    made = make(shared_name)
    if made.shapes is not None and len(made.shapes) != len(made.dtypes):
        shapes = shapes_text(made.shapes)
        raise invalid(f"Different number of component types.  Types: {types_text(made.dtypes)}, Shapes: {shapes}")
    if not isinstance(made, PaddingQueue):
        for shape in made.shapes or ():
            if not is_full(shape):
                raise invalid(f"Shape {_partial(shape)} is not fully defined")
    if shared_name.startswith("_"):
        raise invalid(f"shared_name cannot start with '_':{shared_name}")
    if not shared_name:
        return run.handle(run.private_resource("queue", container, make))
    queue = run.resource("queue", container, shared_name, make)
    _check_same(queue, made, kind)
    return run.handle(queue)


def _check_same(queue: Queue, wanted: Queue, kind: str) -> None:
    shared = f"Shared queue '{queue.name}' has"
    if queue.kind != wanted.kind:
        raise invalid(f"Expected {queue.kind}, found {kind}")
    if queue.capacity != wanted.capacity:
        raise invalid(f"{shared} capacity {queue.capacity} but requested capacity was {wanted.capacity}")
    if queue.dtypes != wanted.dtypes:
        raise invalid(
            f"{shared} component types {types_text(queue.dtypes)} but requested component types were "
            f"{types_text(wanted.dtypes)}"
        )
    if queue.shapes != wanted.shapes:
        raise invalid(
            f"{shared} component shapes {shapes_text(queue.shapes)} but requested component shapes were "
            f"{shapes_text(wanted.shapes)}"
        )
    if isinstance(queue, ShufflingQueue) and isinstance(wanted, ShufflingQueue):
        if queue.least != wanted.least:
            raise invalid(f"{shared} min_after_dequeue {queue.least} but requested min_after_dequeue was {wanted.least}.")
        if queue.seeds != wanted.seeds:
            raise invalid(f"{shared} random seeds {_pair(queue.seeds)} but requested seeds are {_pair(wanted.seeds)}.")


def types_text(types: Iterable[DType]) -> str:
    return ", ".join(map(runtime_name, types))


def shapes_text(shapes: Iterable[Shape] | None) -> str:
    return "[" + ", ".join(_partial(shape) for shape in shapes or ()) + "]"


def _partial(shape: Shape) -> str:
    return "<unknown>" if shape is None else text_of("?" if n is None else n for n in shape)  # type: ignore[misc]


def _pair(seeds: tuple[int, int]) -> str:
    return f"({seeds[0]}, {seeds[1]})"


@_queue_op("FIFOQueueV2")
def fifo_queue_v2(
    run: Any,
    *,
    component_types: AtLeast[1, list[DType]],
    shapes: list[ShapeAttr] = [],  # noqa: B006 - the attribute's default
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
) -> dtypes.resource:
    """A handle of the session's queue of this name, whose elements come out as they came in: scalar."""
    return _shared(run, container, shared_name, "FIFOQueueV2", lambda name: Queue(name, component_types, shapes, capacity))


@_queue_op("PaddingFIFOQueueV2")
def padding_fifo_queue_v2(
    run: Any,
    *,
    component_types: AtLeast[1, list[DType]],
    shapes: list[ShapeAttr] = [],  # noqa: B006 - the attribute's default
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
) -> dtypes.resource:
    """A handle of the session's queue of this name, whose dequeues of many pad elements of different sizes: scalar."""
    if len(shapes) != len(component_types):
        counts = f"{len(component_types)} dtypes and {len(shapes)} shapes"
        raise invalid(f"Shapes must be provided for all components, but received {counts}.")
    return _shared(
        run, container, shared_name, "PaddingFIFOQueueV2", lambda name: PaddingQueue(name, component_types, shapes, capacity)
    )


@_queue_op("RandomShuffleQueueV2")
def random_shuffle_queue_v2(
    run: Any,
    *,
    component_types: AtLeast[1, list[DType]],
    shapes: list[ShapeAttr] = [],  # noqa: B006 - the attribute's default
    capacity: int = -1,
    min_after_dequeue: int = 0,
    seed: int = 0,
    seed2: int = 0,
    container: str = "",
    shared_name: str = "",
) -> dtypes.resource:
    """A handle of the session's queue of this name, whose elements come out in random order: scalar.

    Raises: InvalidArgumentError for a min_after_dequeue below 0, or not below the capacity.
    """
    if min_after_dequeue < 0:
        raise invalid(f"min_after_dequeue {min_after_dequeue} must be >= 0")
    if 0 <= capacity <= min_after_dequeue:
        raise invalid(f"min_after_dequeue {min_after_dequeue} must be < capacity {capacity}")
    seeds = seed, seed2
    start = run.rng(*seeds).reserve(0)
    return _shared(
        run, container, shared_name, "RandomShuffleQueueV2",
        lambda name: ShufflingQueue(name, component_types, shapes, capacity, min_after_dequeue, seeds, start),
    )  # fmt: skip


@_queue_op("PriorityQueueV2")
def priority_queue_v2(
    run: Any,
    *,
    component_types: list[DType] = [],  # noqa: B006 - the attribute's default
    shapes: list[ShapeAttr],
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
) -> dtypes.resource:
    """A handle of the session's queue of this name; a further first component, int64, says which element comes first: scalar."""
    all_types, all_shapes = (dtypes.int64, *component_types), ((), *shapes)
    return _shared(
        run, container, shared_name, "PriorityQueueV2", lambda name: PrioritizedQueue(name, all_types, all_shapes, capacity)
    )


# -- putting in --------------------------------------------------------------------------------------------------------


def queue_behind(handle: Any) -> Queue:
    """The queue of a handle or reference. Raises: InvalidArgumentError for the handle of something else."""
    queue = getattr(handle, "buffer", None)
    if not isinstance(queue, Queue):
        raise invalid(
            "Trying to access a handle's resource using the wrong type. The handle points to a resource (name "
            f"'{getattr(queue, 'name', '')}') of type '{getattr(queue, 'kind', 'tensorflow::Var')}' but you are trying to access "
            "the resource as type 'tensorflow::QueueInterface'"
        )
    return queue


def _check_signature(run: Any, queue: Queue) -> None:
    """Raises: InvalidArgumentError for a node whose components are not those of the queue."""
    op, types = run.node, list(queue.dtypes)
    puts = "Tcomponents" in op.attrs
    inside = [tensor.dtype.base_dtype for tensor in op.inputs]
    if inside[len(inside) - len(types) :] == types if puts else op.attrs["component_types"] == types:
        return
    others = inside[: -len(op.attrs["Tcomponents"])] if puts else inside
    given, back = types_text(inside), "" if puts else types_text(op.attrs["component_types"])
    wanted = types_text([*others, *types]) if puts else types_text(inside)
    raise invalid(f"Signature mismatch, have: {given}->{back} expected: {wanted}->{'' if puts else types_text(types)}")


def checked(queue: Queue, components: Sequence[Any], many: bool) -> list[Any]:
    """The components as arrays of their own. Raises: InvalidArgumentError for another number, dtype or shape of them."""
    arrays = [as_array(component) for component in components]
    if many:
        for position, array in enumerate(arrays):
            if not array.ndim:
                raise invalid(f"Shape mismatch in tuple component {position}. Expected [?,...], got []")
    before = (len(arrays[0]),) if many else ()
    for position, array in enumerate(arrays):
        if queue.shapes is not None:
            shape = queue.shapes[position]
            wanted = None if shape is None else (*before, *shape)
        else:
            wanted = (*before, *array.shape[1:]) if many else array.shape
        if wanted is not None and not _fits(array.shape, wanted):
            raise invalid(
                f"Shape mismatch in tuple component {position}. Expected {_partial(wanted)}, got {text_of(array.shape)}"
            )
    return [array.copy() for array in arrays]


def _fits(shape: tuple[int, ...], wanted: Shape) -> bool:
    return wanted is None or (len(shape) == len(wanted) and all(n in (None, m) for m, n in zip(shape, wanted)))


@op("QueueEnqueueV2", stateful=True, access={"handle": "update"}, resource="queue", shape=lambda handle, components, **_: [])
def queue_enqueue_v2(
    run: Any, handle: dtypes.resource, components: Each["Tcomponents"], *, timeout_ms: int = -1  # noqa: F821
) -> None:
    """Puts an element into the queue, as soon as it has room: handle scalar, components of the queue's shapes.

    Raises: CancelledError when the queue is closed, InvalidArgumentError for components that do not fit.
    """
    queue = queue_behind(handle)
    _check_signature(run, queue)
    element = tuple(map(unwrapped, checked(queue, components, many=False)))
    run.waited(queue, lambda: queue.enqueue([element])).result()
    return ()  # type: ignore[return-value]


@queue_enqueue_v2.ready("put")
def _(run: Any, handle: Any, components: Sequence[Any], **_: Any) -> bool:
    return queue_behind(handle).can_enqueue(1)


@op(
    "QueueEnqueueManyV2", stateful=True, access={"handle": "update"}, resource="queue", shape=lambda handle, components, **_: []
)
def queue_enqueue_many_v2(
    run: Any, handle: dtypes.resource, components: Each["Tcomponents"], *, timeout_ms: int = -1  # noqa: F821
) -> None:
    """Puts n elements into the queue, one after the other: handle scalar, components [n, …].

    Raises: CancelledError when the queue is closed, InvalidArgumentError for components that do not fit.
    """
    queue = queue_behind(handle)
    _check_signature(run, queue)
    elements = list(zip(*checked(queue, components, many=True)))
    if elements:
        run.waited(queue, lambda: queue.enqueue(elements)).result()
    return ()  # type: ignore[return-value]


@queue_enqueue_many_v2.ready("put")
def _(run: Any, handle: Any, components: Sequence[Any], **_: Any) -> bool:
    return queue_behind(handle).can_enqueue(len(np.atleast_1d(components[0])))


def _lines_up_to_enqueue(run: Any, handle: Any, components: Sequence[Any], **_: Any) -> bool:
    return queue_behind(handle).can_line_up_enqueue()


queue_enqueue_v2.lines_up(_lines_up_to_enqueue)
queue_enqueue_many_v2.lines_up(_lines_up_to_enqueue)


@queue_enqueue_many_v2.begins
def _(run: Any, handle: Any, components: Sequence[Any], **_: Any) -> bool:
    return queue_behind(handle).can_begin_enqueue(len(np.atleast_1d(components[0])))


# -- taking out --------------------------------------------------------------------------------------------------------


def _unknown(component_types: Sequence[DType]) -> list[Shape]:
    return [None] * len(component_types)


@op("QueueDequeueV2", out="components", stateful=True, access={"handle": "update"}, resource="queue")
def queue_dequeue_v2(
    run: Any, handle: dtypes.resource, *, component_types: AtLeast[1, list[DType]], timeout_ms: int = -1
) -> Each["component_types"]:  # noqa: F821
    """Takes an element out of the queue, as soon as it has one: handle scalar -> components of the queue's shapes.

    Raises: OutOfRangeError when the queue is closed and empty, or holds no more than it may give.
    """
    queue = queue_behind(handle)
    _check_signature(run, queue)
    return list(run.waited(queue, queue.dequeue_one).result()[0])


@queue_dequeue_v2.shape
def _(handle: Sym, *, component_types: Sequence[DType], **_: Any) -> list[Shape]:
    return _unknown(component_types)


def _shapes_of_elements(op: Any) -> list[Shape]:
    """The shapes of the components that a dequeue takes, as far as its queue's node tells: the queue takes no others in."""
    queue = op.inputs[0].op
    shapes: list[Shape] = queue.attrs.get("shapes", []) if queue.definition.resource == "queue" else []
    first: list[Shape] = [()] * (len(op.outputs) - len(shapes))  # the number of a priority queue
    return [*first, *shapes] if shapes else []


@queue_dequeue_v2.run_shapes
def _(op: Any, values: Any) -> list[Shape]:
    return _shapes_of_elements(op)


@queue_dequeue_v2.ready("take")
def _(run: Any, handle: Any, **_: Any) -> bool:
    return queue_behind(handle).can_dequeue(1)


@queue_dequeue_v2.lines_up
def _(run: Any, handle: Any, **_: Any) -> bool:
    return queue_behind(handle).can_line_up_dequeue(1)


def _count(n: Any) -> int:
    return int(as_array(n).reshape(-1)[0])


def _many(run: Any, handle: Any, n: Any, begin: Callable[[Queue, int], Attempt], name: str) -> list[Any]:
    queue, count = queue_behind(handle), _count(n)
    _check_signature(run, queue)
    if count < 0:
        raise invalid(f"{name} requested {count} < 0 elements")
    if queue.shapes is None:
        raise invalid(f"{queue.kind}'s DequeueMany and DequeueUpTo require the components to have specified shapes.")
    return together(queue, run.waited(queue, lambda: begin(queue, count)).result() if count else ())


def _begins_dequeue(run: Any, handle: Any, n: Any, **_: Any) -> bool:
    return queue_behind(handle).can_begin_dequeue(_count(n))


def _lines_up_to_dequeue(run: Any, handle: Any, n: Any, **_: Any) -> bool:
    return queue_behind(handle).can_line_up_dequeue(_count(n))


def together(queue: Queue, elements: Sequence[Element]) -> list[Any]:
    """The components of several elements, each along a new first axis; those of a padding queue are padded."""
    if not elements:
        return [
            np.empty((0, *(size or 0 for size in shape or ())), dtype.as_numpy_dtype)
            for dtype, shape in zip(queue.dtypes, queue.shapes or ())
        ]
    columns = zip(*elements)
    join = _padded if isinstance(queue, PaddingQueue) else _stacked
    return [join(column, dtype) for column, dtype in zip(columns, queue.dtypes)]


def _stacked(values: Sequence[Any], dtype: DType) -> Any:
    shape = np.shape(values[0])
    stacked = np.empty((len(values), *shape), dtype.as_numpy_dtype)
    if shape:
        for row, value in zip(stacked, values):
            row[...] = value
    else:
        stacked[...] = values
    return stacked


def _padded(values: Sequence[Any], dtype: DType) -> Any:
    shapes = {np.shape(value) for value in values}
    if len(shapes) == 1:
        return _stacked(values, dtype)
    sizes = tuple(map(max, zip(*shapes)))
    empty = b"" if dtype is dtypes.string else dtype.as_numpy_dtype(0)
    padded = np.full((len(values), *sizes), empty, dtype.as_numpy_dtype)
    for row, value in zip(padded, values):
        row[tuple(map(slice, value.shape))] = value
    return padded


def _dequeue_many_op(type: str) -> Callable[..., Any]:
    return op(type, out="components", stateful=True, access={"handle": "update"}, resource="queue", fresh=True)


@_dequeue_many_op("QueueDequeueManyV2")
def queue_dequeue_many_v2(
    run: Any, handle: dtypes.resource, n: dtypes.int32, *, component_types: AtLeast[1, list[DType]], timeout_ms: int = -1
) -> Each["component_types"]:  # noqa: F821
    """Takes n elements out of the queue, as soon as it has so many: handle scalar, n scalar -> components [n, …].

    Raises: OutOfRangeError when the queue is closed and has fewer; InvalidArgumentError for a queue whose components have no
    shapes.
    """
    return _many(run, handle, n, Queue.dequeue, "DequeueManyOp")


@queue_dequeue_many_v2.shape
def _(handle: Sym, n: Sym, *, component_types: Sequence[DType], **_: Any) -> list[Shape]:
    count = n.value
    if count is not None and np.size(count) == 1 and np.ravel(count)[0] < 0:
        raise ShapeMismatch(f"Input 'n' must be >= 0, but is {np.ravel(count)[0]}")
    return _unknown(component_types)


@queue_dequeue_many_v2.run_shapes
def _(op: Any, values: Any) -> list[Shape]:
    n = values.get(op.inputs[1])
    return [] if n is None else [None if shape is None else (_count(n), *shape) for shape in _shapes_of_elements(op)]


@queue_dequeue_many_v2.ready("take")
def _(run: Any, handle: Any, n: Any, **_: Any) -> bool:
    return queue_behind(handle).can_dequeue(_count(n))


queue_dequeue_many_v2.begins(_begins_dequeue)
queue_dequeue_many_v2.lines_up(_lines_up_to_dequeue)


@_dequeue_many_op("QueueDequeueUpToV2")
def queue_dequeue_up_to_v2(
    run: Any, handle: dtypes.resource, n: dtypes.int32, *, component_types: AtLeast[1, list[DType]], timeout_ms: int = -1
) -> Each["component_types"]:  # noqa: F821
    """Takes n elements out of the queue, or what is left when it is closed: handle scalar, n scalar -> components [n or less, …].

    Raises: OutOfRangeError when the queue is closed and empty; InvalidArgumentError for a queue whose components have no shapes.
    """
    return _many(run, handle, n, Queue.dequeue_up_to, "DequeueUpToOp")


@queue_dequeue_up_to_v2.shape
def _(handle: Sym, n: Sym, *, component_types: Sequence[DType], **_: Any) -> list[Shape]:
    return _unknown(component_types)


@queue_dequeue_up_to_v2.ready("take")
def _(run: Any, handle: Any, n: Any, **_: Any) -> bool:
    return queue_behind(handle).can_dequeue(_count(n))


queue_dequeue_up_to_v2.begins(_begins_dequeue)
queue_dequeue_up_to_v2.lines_up(_lines_up_to_dequeue)


# -- the queue itself --------------------------------------------------------------------------------------------------


@op("QueueCloseV2", stateful=True, access={"handle": "update"}, resource="queue", shape=lambda handle, **_: [])
def queue_close_v2(run: Any, handle: dtypes.resource, *, cancel_pending_enqueues: bool = False) -> None:
    """Closes the queue: it takes no more elements, and gives those that it has: handle scalar.

    It waits for enqueues that have begun, or cancels them. Raises: CancelledError for a queue that is closed already.
    """
    queue = queue_behind(handle)
    run.waited(queue, lambda: queue.shut(cancel_pending_enqueues)).result()
    return ()  # type: ignore[return-value]


@queue_close_v2.ready("close")
def _(run: Any, handle: Any, *, cancel_pending_enqueues: bool) -> bool:
    return queue_behind(handle).can_shut(cancel_pending_enqueues)


def _look(type: str, out: str) -> Callable[..., Any]:
    return op(type, out=out, stateful=True, access={"handle": "read"}, resource="queue", shape=lambda handle: ())


@_look("QueueIsClosedV2", "is_closed")
def queue_is_closed_v2(run: Any, handle: dtypes.resource) -> dtypes.bool:
    """Whether the queue is closed: handle scalar -> scalar."""
    return np.bool_(queue_behind(handle).closed)


@_look("QueueSizeV2", "size")
def queue_size_v2(run: Any, handle: dtypes.resource) -> dtypes.int32:
    """The number of elements in the queue: handle scalar -> scalar."""
    return np.int32(queue_behind(handle).size())


__all__ = [
    "checked", "fifo_queue_v2", "padding_fifo_queue_v2", "priority_queue_v2", "queue_behind", "queue_close_v2",
    "queue_dequeue_many_v2", "queue_dequeue_up_to_v2", "queue_dequeue_v2", "queue_enqueue_many_v2", "queue_enqueue_v2",
    "queue_is_closed_v2", "queue_size_v2", "random_shuffle_queue_v2", "shapes_text", "together", "types_text",
]  # fmt: skip
