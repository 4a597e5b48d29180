"""`tf.FIFOQueue` and the other queues: objects whose methods build the nodes that put elements in and take them out.

    queue = tf.FIFOQueue(10, [tf.float32], shapes=[[2]])
    put, element = queue.enqueue([[1.0, 2.0]]), queue.dequeue()

The elements are in the session (ops/queues.py): nodes of several runs, in several threads, share them. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import Dimension, TensorShape, as_shape, unknown_shape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...lib.arrays.array import stack
from ...lib.arrays.selection import gather
from ...lib.framework.conversion import convert_to_tensor
from ...lib.math.random import node_seeds
from ...op.infer import constant_value
from ...op.name_scopes import name_scope
from ...ops import queues as ops


def as_list(values: Any) -> list[Any]:
    return list(values) if isinstance(values, (list, tuple)) else [values]


def _as_names(names: Any, dtypes_of: Sequence[DType]) -> list[str] | None:
    """Raises: ValueError for another number of names than of components."""
    if names is None:
        return None
    listed = as_list(names)
    if len(listed) != len(dtypes_of):
        raise ValueError(error_text("List of names must have the same length as the list of dtypes"))
    return listed


def as_shapes(shapes: Any, partial: bool = False) -> list[TensorShape] | None:
    """The shapes of the components; one shape stands for a list of it.

    Raises: TypeError for what is no list of shapes, ValueError for shapes that are not fully known, unless `partial`.
    """
    if shapes is None:
        if partial:
            raise ValueError(error_text("When providing partial shapes, a list of shapes must be provided."))
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, (list, tuple)):
        raise TypeError(error_text("shapes must be a TensorShape or a list or tuple of TensorShapes."))
    if partial and shapes and any(size is None or isinstance(size, int) for size in shapes):
        raise ValueError(error_text("When providing partial shapes, a list of shapes must be provided."))
    if all(size is None or isinstance(size, int) for size in shapes):
        shapes = [shapes]
    known = [as_shape(shape) for shape in shapes]
    if not partial and not all(shape.is_fully_defined() for shape in known):
        raise ValueError(error_text(f"All shapes must be fully defined: {known}"))
    if any(shape.dims is None for shape in known):
        raise ValueError(error_text(f"All shapes must have a defined rank: {known}"))
    return known


def _common(a: TensorShape, b: TensorShape) -> TensorShape:
    """The sizes that two shapes have in common."""
    if a.ndims is None or a.ndims != b.ndims:
        return unknown_shape()
    return TensorShape([x if x == y else None for x, y in zip(a.as_list(), b.as_list())])


class QueueBase:
    """A queue of the session, behind a handle. Elements have one component for each of `dtypes`."""

    def __init__(self, dtypes: Any, shapes: Any, names: Any, queue_ref: Any) -> None:
        self._dtypes = dtypes
        if shapes is None:
            self._shapes = [unknown_shape()] * len(dtypes)
        elif len(shapes) != len(dtypes):
            raise ValueError(error_text("Queue shapes must have the same length as dtypes"))
        else:
            self._shapes = [TensorShape(shape) for shape in shapes]
        if names is not None and len(names) != len(dtypes):
            raise ValueError(error_text("Queue names must have the same length as dtypes"))
        self._names = names
        self._queue_ref = queue_ref
        self._name = queue_ref.op.name.split("/")[-1]

    @staticmethod
    @atomic
    def from_list(index: Any, queues: Any) -> QueueBase:
        """The queue at this place of a list, which the run knows.

        Raises: TypeError for what is no list of queues, and for queues with components of other dtypes or names.
        """
        if not queues or not isinstance(queues, list) or not all(isinstance(queue, QueueBase) for queue in queues):
            raise TypeError(error_text("A list of queues expected"))
        first = queues[0]
        if not all(queue.dtypes == first.dtypes for queue in queues):
            raise TypeError(error_text("Queues do not have matching component dtypes."))
        if not all(queue.names == first.names for queue in queues):
            raise TypeError(error_text("Queues do not have matching component names."))
        shapes = [reduce(_common, of_component) for of_component in zip(*[queue.shapes for queue in queues])]
        handle = gather(stack([queue.queue_ref for queue in queues]), index)
        return QueueBase(first.dtypes, shapes, first.names, handle)

    @property
    def queue_ref(self) -> Any:
        """The handle."""
        return self._queue_ref

    @property
    def name(self) -> str:
        """The name of the queue's node."""
        name: str = self._queue_ref.op.name
        return name

    @property
    def dtypes(self) -> Any:
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        return self._shapes

    @property
    def names(self) -> Any:
        """The components' names; None where elements are no dictionaries."""
        return self._names

    # -- putting in ------------------------------------------------------------------------------------------------------

    def _components(self, values: Any) -> list[Any]:
        """What is put in, as a list of components. Raises: ValueError for names that are not the queue's."""
        if isinstance(values, dict):
            if not self._names:
                raise ValueError(error_text("Queue must have names to enqueue a dictionary"))
            if sorted(self._names, key=str) != sorted(values, key=str):
                raise ValueError(
                    error_text(
                        f"Keys in dictionary to enqueue do not match names of Queue.  Dictionary: ({sorted(values)}), Queue: "
                        f"({sorted(self._names)})"
                    )
                )
            return [values[name] for name in self._names]
        if self._names:
            raise ValueError(error_text("You must enqueue a dictionary in a Queue with names"))
        return as_list(values)

    def _converted(self, values: Any) -> list[Tensor]:
        return [
            convert_to_tensor(value, dtype=dtype, name=f"component_{position}")
            for position, (value, dtype) in enumerate(zip(self._components(values), self._dtypes))
        ]

    @staticmethod
    def _scope_values(values: Any) -> list[Any]:
        return list(values.values()) if isinstance(values, dict) else as_list(values)

    @atomic
    def enqueue(self, vals: Any, name: str | None = None) -> Operation:
        """Puts one element in, as soon as there is room: a tensor, a list of components, or a dictionary of named ones.

        Raises: ValueError for names or shapes that are not the queue's. The run raises CancelledError when the queue is closed.
        """
        with name_scope(name, f"{self._name}_enqueue", self._scope_values(vals)) as scope:
            tensors = self._converted(vals)
            for tensor, shape in zip(tensors, self._shapes):
                tensor.shape.assert_is_compatible_with(shape)
            result: Operation = ops.queue_enqueue_v2(self._queue_ref, tensors, name=scope)
        return result

    @atomic
    def enqueue_many(self, vals: Any, name: str | None = None) -> Operation:
        """Puts the parts of the components along their first axis in, one after the other.

        Raises: ValueError for names or shapes that are not the queue's. The run raises CancelledError when the queue is closed.
        """
        with name_scope(name, f"{self._name}_EnqueueMany", self._scope_values(vals)) as scope:
            tensors = self._converted(vals)
            count: Dimension = tensors[0].shape.with_rank_at_least(1)[0]
            for tensor, shape in zip(tensors, self._shapes):
                count = count.merge_with(tensor.shape.with_rank_at_least(1)[0])
                tensor.shape[1:].assert_is_compatible_with(shape)
            result: Operation = ops.queue_enqueue_many_v2(self._queue_ref, tensors, name=scope)
        return result

    # -- taking out ------------------------------------------------------------------------------------------------------

    def _returned(self, results: Any, shapes: Iterable[Any]) -> Any:
        tensors = as_list(results)
        for tensor, shape in zip(tensors, shapes):
            tensor.set_shape(shape)
        if self._names:
            return dict(zip(self._names, tensors))
        return tensors[0] if len(tensors) == 1 else tensors

    @atomic
    def dequeue(self, name: str | None = None) -> Any:
        """Takes one element out, as soon as there is one.

        The run raises OutOfRangeError when the queue is closed and empty.
        """
        name = f"{self._name}_Dequeue" if name is None else name
        return self._returned(ops.queue_dequeue_v2(self._queue_ref, component_types=self._dtypes, name=name), self._shapes)

    @atomic
    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Takes n elements out, as soon as there are so many; the components get a new first axis.

        The run raises OutOfRangeError when the queue is closed and has fewer.
        """
        name = f"{self._name}_DequeueMany" if name is None else name
        results = as_list(ops.queue_dequeue_many_v2(self._queue_ref, n, component_types=self._dtypes, name=name))
        count = None if (known := constant_value(results[0].op.inputs[1])) is None else known.item()
        return self._returned(results, [TensorShape([count]).concatenate(shape) for shape in self._shapes])

    @atomic
    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """Takes n elements out, or what is left in a closed queue; the components get a new first axis.

        The run raises OutOfRangeError when the queue is closed and empty.
        """
        name = f"{self._name}_DequeueUpTo" if name is None else name
        results = ops.queue_dequeue_up_to_v2(self._queue_ref, n, component_types=self._dtypes, name=name)
        return self._returned(results, [TensorShape([None]).concatenate(shape) for shape in self._shapes])

    # -- the queue itself ------------------------------------------------------------------------------------------------

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """Closes the queue to enqueues; dequeues take what is left. cancel_pending_enqueues: those that wait end by an error."""
        name = f"{self._name}_Close" if name is None else name
        result: Operation = ops.queue_close_v2(self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name)
        return result

    def is_closed(self, name: str | None = None) -> Tensor:
        name = f"{self._name}_Is_Closed" if name is None else name
        result: Tensor = ops.queue_is_closed_v2(self._queue_ref, name=name)
        return result

    def size(self, name: str | None = None) -> Tensor:
        """The number of elements in the queue."""
        name = f"{self._name}_Size" if name is None else name
        result: Tensor = ops.queue_size_v2(self._queue_ref, name=name)
        return result


class FIFOQueue(QueueBase):
    """A queue whose elements come out as they came in.

    shapes: of the components, which dequeues of many need. names: then elements are dictionaries. shared_name: queues of the same
    shared name are one queue in a session.

    Raises: ValueError for shapes that are not fully known, and for another number of shapes or names than of dtypes.
    """

    @atomic
    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "fifo_queue",
    ) -> None:
        types, shapes = as_list(dtypes), as_shapes(shapes)
        names = _as_names(names, types)
        handle = ops.fifo_queue_v2(
            component_types=types, shapes=shapes or [], capacity=capacity, shared_name=shared_name or "", name=name
        )
        super().__init__(handle.op.attrs["component_types"], shapes, names, handle)


class PaddingFIFOQueue(QueueBase):
    """A queue whose components may differ in the sizes that `shapes` leaves open: dequeues of many pad them with zeros.

    Raises: ValueError for another number of shapes or names than of dtypes.
    """

    @atomic
    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "padding_fifo_queue",
    ) -> None:
        types, known = as_list(dtypes), as_shapes(shapes, partial=True)
        names = _as_names(names, types)
        assert known is not None
        if len(types) != len(known):
            text = f"Shapes must be provided for all components, but received {len(types)} dtypes and {len(known)} shapes."
            raise ValueError(error_text(text))
        handle = ops.padding_fifo_queue_v2(
            component_types=types, shapes=known, capacity=capacity, shared_name=shared_name or "", name=name
        )
        super().__init__(handle.op.attrs["component_types"], known, names, handle)


class RandomShuffleQueue(QueueBase):
    """A queue whose elements come out in random order. min_after_dequeue: so many stay inside as long as it is open.

    seed: of the order; with the graph's seed it says the order of every run.

    Raises: ValueError for shapes that are not fully known, and for another number of shapes or names than of dtypes.
    """

    @atomic
    def __init__(
        self,
        capacity: int,
        min_after_dequeue: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str | None = "random_shuffle_queue",
    ) -> None:
        types, shapes = as_list(dtypes), as_shapes(shapes)
        names = _as_names(names, types)
        handle = ops.random_shuffle_queue_v2(
            component_types=types, shapes=shapes or [], capacity=capacity, min_after_dequeue=min_after_dequeue,
            shared_name=shared_name or "", name=name, **node_seeds(seed),
        )  # fmt: skip
        super().__init__(handle.op.attrs["component_types"], shapes, names, handle)


class PriorityQueue(QueueBase):
    """A queue whose element with the lowest number in its first component, int64, comes out first.

    types, shapes: of the other components.

    Raises: ValueError for shapes that are not fully known, and for another number of shapes or names than of dtypes.
    """

    @atomic
    def __init__(
        self,
        capacity: int,
        types: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "priority_queue",
    ) -> None:
        listed, shapes = as_list(types), as_shapes(shapes)
        handle = ops.priority_queue_v2(
            component_types=listed, shapes=shapes, capacity=capacity, shared_name=shared_name or "", name=name
        )
        all_types = [dtypes.int64, *handle.op.attrs["component_types"]]
        super().__init__(all_types, [as_shape(()), *shapes] if shapes else shapes, names, handle)


__all__ = ["FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue", "as_list", "as_shapes"]
