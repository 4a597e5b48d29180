"""Producers of `tf.train`: queues of file names, numbers or slices that a runner fills, once or epoch after epoch. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ...lib.arrays.array import shape, size
from ...lib.arrays.selection import gather
from ...lib.arrays.sequences import range
from ...lib.checks.asserts import Assert
from ...lib.control.grouping import identity
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import control_dependencies, name_scope
from ...lib.math.math import cast, greater
from ...lib.math.random import random_shuffle
from ...lib.summaries import summary
from ...lib.variables.variables import Variable
from ...op.constant import constant
from ...ops import whole_files
from .queues import FIFOQueue
from .runners import QueueRunner, add_queue_runner


@atomic
def match_filenames_once(pattern: Any, name: str | None = None) -> Variable:
    """A local variable whose initial value is the list of files that match the pattern, or one of the patterns [k]: [n]."""
    with name_scope(name, "matching_filenames") as scope:
        return Variable(
            whole_files.matching_files(pattern), name=scope, trainable=False, validate_shape=False,
            collections=[GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip


@atomic
def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Tensor:
    """The tensor, num_epochs times; then a run raises OutOfRangeError. A local variable counts. None: without a limit.

    Raises: ValueError for num_epochs below 1.
    """
    if num_epochs is None:
        return tensor  # type: ignore[no-any-return]
    if num_epochs <= 0:
        raise ValueError(error_text(f"num_epochs must be > 0 not {num_epochs}."))
    with name_scope(name, "limit_epochs") as scope:
        zero = constant(0, dtype=dtypes.int64)
        epochs = Variable(zero, name="epochs", trainable=False, collections=[GraphKeys.LOCAL_VARIABLES])
        with control_dependencies([epochs.count_up_to(num_epochs)]):
            return identity(tensor, name=scope)


@atomic
def input_producer(
    input_tensor: Any,
    element_shape: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    summary_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:
    """A queue of the rows of a tensor [n, …], and its runner: a row is one element, num_epochs: how often each comes.

    shuffle: each epoch in another random order. Raises: ValueError for rows of unknown shape.
    """
    with name_scope(name, "input_producer"):
        rows = convert_to_tensor(input_tensor, name="input_tensor")
        element_shape = rows.shape[1:].merge_with(element_shape)
        if not element_shape.is_fully_defined():
            raise ValueError(
                error_text(
                    "Either `input_tensor` must have a fully defined shape or `element_shape` must be specified", [rows]
                )
            )
        if shuffle:
            rows = random_shuffle(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = FIFOQueue(
            capacity=capacity, dtypes=[rows.dtype.base_dtype], shapes=[element_shape], shared_name=shared_name, name=name
        )
        add_queue_runner(QueueRunner(queue, [queue.enqueue_many([rows])], cancel_op=cancel_op))
        if summary_name is not None:
            summary.scalar(summary_name, cast(queue.size(), dtypes.float32) * (1.0 / capacity))
        return queue


@atomic
def string_input_producer(
    string_tensor: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
    cancel_op: Operation | None = None,
) -> FIFOQueue:
    """A queue of strings, of file names say, from a vector [n], and its runner.

    Raises: ValueError for an empty list; InvalidArgumentError in the run for an empty tensor.
    """
    empty = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, Tensor) and not _some(string_tensor):
        raise ValueError(error_text(empty))
    with name_scope(name, "input_producer") as scope:
        strings = convert_to_tensor(string_tensor, dtype=dtypes.string)
        with control_dependencies([Assert(greater(size(strings), 0), [empty])]):
            strings = identity(strings)
        return input_producer(
            strings, [], num_epochs, shuffle, seed, capacity, shared_name, f"fraction_of_{capacity}_full", scope, cancel_op
        )


def _some(strings: Any) -> bool:
    return bool(len(strings)) if hasattr(strings, "__len__") else bool(strings)


@atomic
def range_input_producer(
    limit: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> FIFOQueue:
    """A queue of the numbers 0, 1, …, limit - 1, and its runner."""
    with name_scope(name, "input_producer") as scope:
        return input_producer(
            range(limit), [], num_epochs, shuffle, seed, capacity, shared_name, f"fraction_of_{capacity}_full", scope
        )


@atomic
def slice_input_producer(
    tensor_list: Sequence[Any],
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """One row of each tensor [n, …], the same of all, at each run; a queue of the rows' numbers has a runner.

    Raises: ValueError for an empty list.
    """
    with name_scope(name, "input_producer"):
        tensors = [convert_to_tensor(tensor) for tensor in tensor_list]
        if not tensors:
            raise ValueError(error_text("Expected at least one tensor in slice_input_producer()."))
        queue = range_input_producer(shape(tensors[0])[0], num_epochs, shuffle, seed, capacity, shared_name)
        index = queue.dequeue()
        return [gather(tensor, index) for tensor in tensors]


__all__ = [
    "input_producer", "limit_epochs", "match_filenames_once", "range_input_producer", "slice_input_producer",
    "string_input_producer",
]  # fmt: skip
