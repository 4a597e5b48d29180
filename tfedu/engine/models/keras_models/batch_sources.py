"""Where the batches of `fit`, `evaluate` and `predict` come from: arrays, generators, Sequences, datasets.

A source tells how many batches an epoch has, if it knows, and gives them in turn. State: a source's place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...base import errors
from ...base.errors import error_text
from ...data.pipeline.dataset import Dataset
from ...data.pipeline.iterators import Iterator as DatasetIterator
from ...data.pipeline.transformations import INFINITE_CARDINALITY, cardinality
from ..keras_data.batch_queues import InOrder
from ..keras_parts.keras_session import keras_session
from . import training_data
from .hdf5_matrix import HDF5Matrix


class Batch(NamedTuple):
    """The values that a step feeds, and the number of samples in it."""

    inputs: list[Any]
    targets: list[Any]
    weights: list[Any]
    size: int


def is_array_like(x: Any) -> bool:
    """Whether `x` is data itself: an array, a tensor, a list or dict of these."""
    if x is None or isinstance(x, (dict, list, tuple, np.ndarray, HDF5Matrix)) or hasattr(x, "op"):
        return True
    return type(x).__module__.startswith("pandas")


class _Source:
    """A source of batches."""

    def close(self) -> None:
        """Gives back what the source has opened."""


class ArraySource(_Source):
    """Batches of arrays. steps: for tensors, which have no length."""

    def __init__(
        self, arrays: Any, batch_size: int | None, steps: int | None, shuffle: Any = False
    ) -> None:
        self.inputs, self.targets, self.weights = arrays
        self.shuffle = shuffle
        everything = [*self.inputs, *self.targets, *self.weights]
        lengths = [len(each) for each in everything if each is not None and not hasattr(each, "op")]
        if not lengths and steps is None:
            raise ValueError(
                error_text("When using tensors as input to a model, you should specify the `steps` argument (`steps_per_epoch`).")
            )
        self.samples = lengths[0] if lengths and steps is None else None
        self.tells_sizes = self.samples is not None
        self._length = lengths[0] if lengths else None
        self.batch_size = batch_size or 32
        self.steps = steps

    def __iter__(self) -> Iterator[Batch]:
        if self.steps is not None:
            for _ in range(self.steps):
                yield Batch(self.inputs, self.targets, self.weights, 1)
            return
        order = np.arange(self._length)
        size = self.batch_size
        if self.shuffle == "batch":
            order = _shuffled_batches(order, size)
        elif self.shuffle:
            np.random.shuffle(order)
        for begin in range(0, len(order), size):
            rows = order[begin : begin + size]
            parts = [training_data.rows_of(each, rows) for each in (self.inputs, self.targets, self.weights)]
            yield Batch(*parts, len(rows))


def _shuffled_batches(order: Any, size: int) -> Any:
    """The samples' numbers, with whole batches in another order and the incomplete one last."""
    whole = len(order) // size
    batches = order[: whole * size].reshape(whole, size)
    np.random.shuffle(batches)
    return np.append(batches.flatten(), order[whole * size :])


class GeneratorSource(_Source):
    """Batches of a generator or a Sequence: (inputs, targets) or (inputs, targets, weights) each."""

    samples = None
    tells_sizes = True  # a callback hears how many samples a batch has

    def __init__(
        self, model: Any, generator: Any, steps: int | None, has_targets: bool, shuffle: bool = False, workers: int = 1
    ) -> None:
        self.model, self.generator, self.has_targets = model, generator, has_targets
        self.is_sequence = hasattr(generator, "__getitem__") and hasattr(generator, "__len__")
        self.steps = steps if steps is not None or not self.is_sequence else len(generator)
        self.batch_size = 1
        self._running: Any = None
        self._shuffle, self._workers = shuffle, workers

    def close(self) -> None:
        """Ends the threads that prepare batches."""
        if isinstance(self._running, InOrder):
            self._running.close()
            self._running = None

    def __iter__(self) -> Iterator[Batch]:
        if self._running is None:
            ordered = self.is_sequence
            self._running = InOrder(self.generator, self._shuffle, self._workers) if ordered else iter(self.generator)
        given = 0
        while self.steps is None or given < self.steps:
            try:
                value = next(self._running)
            except StopIteration:
                if self.steps is None:
                    self.steps = given
                    self._running = None
                return
            yield self._batch(value)
            given += 1

    def _batch(self, value: Any) -> Batch:
        """One batch as arrays.

        Raises: ValueError for what is no such tuple.
        """
        if not isinstance(value, tuple):
            value = (value,)
        if self.has_targets and len(value) not in (2, 3):
            raise ValueError(
                error_text(
                    "Output of generator should be a tuple (x, y, sample_weight) or (x, y). Found: "
                    f"{value if len(value) != 1 else value[0]}"
                )
            )
        given = value if self.has_targets else (value[0], None)
        arrays = self.model._standardized(*given)
        return Batch(*arrays, len(arrays[0][0]))


class DatasetSource(_Source):
    """Batches of a tf.data dataset or of its iterator."""

    samples = None
    tells_sizes = False

    def __init__(self, model: Any, data: Any, steps: int | None, has_targets: bool) -> None:
        self.model, self.steps, self.has_targets = model, steps, has_targets
        self.batch_size = 1
        self._iterator = data if isinstance(data, DatasetIterator) else data.make_initializable_iterator()
        self._begins = not isinstance(data, DatasetIterator)
        self._is_begun = False
        self._next: Any = None

    def __iter__(self) -> Iterator[Batch]:
        session = keras_session()
        if self._next is None:
            self._next = self._iterator.get_next()
        if self._begins and not (self._is_begun and self.steps is not None):
            session.run(self._iterator.initializer)
            self._is_begun = True
        given = 0
        while self.steps is None or given < self.steps:
            try:
                value = session.run(self._next)
            except errors.OutOfRangeError:
                if self.steps is None:
                    self.steps = given
                    self._is_begun = False
                return
            if not isinstance(value, tuple):
                value = (value,)
            given_values = value if self.has_targets else (value[0], None)
            arrays = self.model._standardized(*given_values)
            yield Batch(*arrays, len(arrays[0][0]))
            given += 1


def batches_of(
    model: Any, data: Any, steps: int | None, what: str, has_targets: bool = True, shuffle: bool = False, workers: int = 1
) -> Any:
    """The source of a generator, a Sequence or a dataset. shuffle, workers: of a Sequence.

    Raises: ValueError for anything else, and for a dataset that repeats for ever without `steps`.
    """
    if isinstance(data, (Dataset, DatasetIterator)):
        if steps is None and isinstance(data, Dataset) and _is_infinite(data):
            raise ValueError(
                error_text(f"When passing an infinitely repeating dataset, you must specify the `{what}` argument.")
            )
        return DatasetSource(model, data, steps, has_targets)
    is_sequence = hasattr(data, "__getitem__") and hasattr(data, "__len__")
    if hasattr(data, "__next__") or hasattr(data, "__iter__") or is_sequence:
        if steps is None and not is_sequence and hasattr(data, "__next__") and not has_targets:
            raise ValueError(error_text(f"`{what}=None` is only valid for a generator based on the `Sequence` class."))
        return GeneratorSource(model, data, steps, has_targets, shuffle, workers)
    raise ValueError(error_text(f"Failed to find data adapter that can handle input: {type(data)}"))


def _is_infinite(dataset: Dataset) -> bool:
    return int(keras_session().run(cardinality(dataset))) == INFINITE_CARDINALITY


__all__ = ["ArraySource", "Batch", "DatasetSource", "GeneratorSource", "batches_of", "is_array_like"]
