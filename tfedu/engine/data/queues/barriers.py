"""`Barrier` of `tensorflow.python.ops.data_flow_ops`: elements of several components, which come one by one under a key.

    barrier = Barrier((tf.float32, tf.int32), shapes=((), (2,)))
    put, taken = barrier.insert_many(0, keys, values), barrier.take_many(3)

No state: the elements are in the session (ops/barriers.py).
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape, unknown_shape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...op.infer import constant_value
from ...ops import barriers as ops
from .queues import as_list, as_shapes

BarrierTakeMany = namedtuple("BarrierTakeMany", "indices keys values")


class Barrier:
    """Elements under keys of bytes, in the session: they come one component at a time, and go out whole.

    types, shapes: of the components; without shapes they are scalars. shared_name: barriers of the same shared name are one.

    Raises: ValueError for no types, and for shapes that are not fully known.
    """

    @atomic
    def __init__(
        self, types: Any, shapes: Any = None, shared_name: str | None = None, name: str | None = "barrier"
    ) -> None:
        self._types = as_list(types)
        known = as_shapes(shapes)
        self._shapes = [unknown_shape()] * len(self._types) if known is None else known
        for i, shape in enumerate(self._shapes):
            if shape.num_elements() == 0:
                text = f"Empty tensors are not supported, but received shape '{shape}' at index {i}"
                raise ValueError(error_text(text))
        self._barrier_ref: Tensor = ops.barrier(
            component_types=self._types, shapes=self._shapes, shared_name=shared_name or "", name=name
        )
        self._name = self._barrier_ref.op.name.split("/")[-1]

    @property
    def barrier_ref(self) -> Tensor:
        """The reference: [2] of strings."""
        return self._barrier_ref

    @property
    def name(self) -> str:
        """The name of the barrier's node."""
        name: str = self._barrier_ref.op.name
        return name

    @atomic
    def insert_many(self, component_index: int, keys: Any, values: Any, name: str | None = None) -> Operation:
        """Puts a component of the elements under these keys in: keys [n], values [n, …].

        The run raises InvalidArgumentError for a component that has come already, CancelledError for new keys of a closed
        barrier.
        """
        name = f"{self._name}_BarrierInsertMany" if name is None else name
        result: Operation = ops.barrier_insert_many(
            self._barrier_ref, keys, values, component_index=component_index, name=name
        )
        return result

    @atomic
    def take_many(
        self, num_elements: Any, allow_small_batch: bool = False, timeout: Any = None, name: str | None = None
    ) -> Any:
        """Takes n whole elements, as soon as there are so many: (indices [n], keys [n], a list of the components [n, …]).

        Elements come out in the order in which their keys came in first. allow_small_batch: a closed barrier gives what it has.
        timeout: only None; TF 1.15 refuses a number, too.

        Raises: TypeError for a timeout. The run raises OutOfRangeError when the barrier is closed and has fewer.
        """
        name = f"{self._name}_BarrierTakeMany" if name is None else name
        if timeout is not None and not isinstance(timeout, bool):
            text = f"Expected bool for argument 'wait_for_incomplete' not {timeout!r}."
            raise TypeError(
                error_text(
                    text, fix="leave timeout out: timeout_in_ms of tf.RunOptions limits the time of a run"
                )
            )
        indices, keys, values = ops.barrier_take_many(
            self._barrier_ref, num_elements, component_types=self._types, allow_small_batch=allow_small_batch,
            wait_for_incomplete=bool(timeout), name=name,
        )  # fmt: skip
        count = None if allow_small_batch else constant_value(indices.op.inputs[1])
        rows = TensorShape([count])
        indices.set_shape(rows)
        keys.set_shape(rows)
        for value, shape in zip(values, self._shapes):
            value.set_shape(rows.concatenate(shape))
        return BarrierTakeMany(indices, keys, values)

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """Closes the barrier to new keys. cancel_pending_enqueues: elements that miss components are given up."""
        name = f"{self._name}_BarrierClose" if name is None else name
        result: Operation = ops.barrier_close(
            self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name
        )
        return result

    def ready_size(self, name: str | None = None) -> Tensor:
        """The number of elements that have all components: a scalar of int32."""
        result: Tensor = ops.barrier_ready_size(
            self._barrier_ref, name=name or f"{self._name}_BarrierReadySize"
        )
        return result

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """The number of elements that miss components: a scalar of int32."""
        result: Tensor = ops.barrier_incomplete_size(
            self._barrier_ref, name=name or f"{self._name}_BarrierIncompleteSize"
        )
        return result


__all__ = ["Barrier", "BarrierTakeMany"]
