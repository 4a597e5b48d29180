"""`tf.contrib.slim.parallel_reader`: several readers fill one queue of records. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.dtypes import float32, string
from ...base.errors import error_text
from ...data.queues.file_readers import ReaderBase
from ...data.queues.producers import string_input_producer
from ...data.queues.queues import FIFOQueue, RandomShuffleQueue
from ...data.queues.runners import QueueRunner, add_queue_runner
from ...files import gfile
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math, products
from ...lib.summaries import summary


class ParallelReader(ReaderBase):
    """num_readers readers of one class, which fill common_queue, a queue of (key, record).

    reader_kwargs: the readers' arguments. Each has a thread of the queue's runner. Raises: TypeError for another queue.
    """

    @atomic
    def __init__(
        self,
        reader_class: Callable[..., ReaderBase],
        common_queue: Any,
        num_readers: int = 4,
        reader_kwargs: dict[str, Any] | None = None,
    ) -> None:
        if list(common_queue.dtypes) != [string, string]:
            raise TypeError(error_text("common_queue.dtypes must be [tf.string, tf.string]"))
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self) -> int:
        """The number of readers."""
        return len(self._readers)

    @property
    def common_queue(self) -> Any:
        """The queue that they fill."""
        return self._common_queue

    @atomic
    def read(self, queue: Any, name: str | None = None) -> Any:
        """The next (key, record) of any reader, scalars. queue: of file names, which the readers share."""
        self._fill([self._common_queue.enqueue(reader.read(queue)) for reader in self._readers])
        return self._common_queue.dequeue(name=name)

    @atomic
    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """The next (keys, records), at most num_records of them: [n]."""
        enqueues = []
        for reader in self._readers:
            keys, records = reader.read_up_to(queue, num_records)
            enqueues.append(self._common_queue.enqueue_many((keys, records)))
        self._fill(enqueues)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _fill(self, enqueues: list[Operation]) -> None:
        add_queue_runner(QueueRunner(self._common_queue, enqueues))

    @atomic
    def num_records_produced(self, name: str | None = None) -> Tensor:
        """How many records all readers have given, a scalar: int64."""
        return products.add_n([reader.num_records_produced() for reader in self._readers], name=name)  # type: ignore[no-any-return]

    @atomic
    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """How many files all readers have read to their ends, a scalar: int64."""
        counts = [reader.num_work_units_completed() for reader in self._readers]
        return products.add_n(counts, name=name)  # type: ignore[no-any-return]


@atomic
def parallel_read(
    data_sources: Any,
    reader_class: Callable[..., ReaderBase],
    num_epochs: int | None = None,
    num_readers: int = 4,
    reader_kwargs: dict[str, Any] | None = None,
    shuffle: bool = True,
    dtypes: Any = None,
    capacity: int = 256,
    min_after_dequeue: int = 128,
    seed: int | None = None,
    scope: str | None = None,
) -> Any:
    """The next (key, record) of the files that fit data_sources, scalars.

    data_sources: a pattern of paths or a list of them. shuffle: the files and the records come in random order; capacity and
    min_after_dequeue are those of the queue of records. Raises: ValueError where no file fits.
    """
    files = get_data_files(data_sources)
    with name_scope(scope, "parallel_read"):
        names = string_input_producer(
            files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames"
        )
        kinds = dtypes or [string, string]
        records: Any
        if shuffle:
            records = RandomShuffleQueue(
                capacity=capacity,
                min_after_dequeue=min_after_dequeue,
                dtypes=kinds,
                seed=seed,
                name="common_queue",
            )
        else:
            records = FIFOQueue(capacity=capacity, dtypes=kinds, name="common_queue")
        summary.scalar(f"fraction_of_{capacity}_full", math.cast(records.size(), float32) * (1.0 / capacity))
        reader = ParallelReader(reader_class, records, num_readers=num_readers, reader_kwargs=reader_kwargs)
        return reader.read(names)


@atomic
def single_pass_read(
    data_sources: Any,
    reader_class: Callable[..., ReaderBase],
    reader_kwargs: dict[str, Any] | None = None,
    scope: str | None = None,
) -> Any:
    """The next (key, record) of the files in their order, scalars; each record once. Raises: ValueError where no file fits."""
    files = get_data_files(data_sources)
    with name_scope(scope, "single_pass_read"):
        names = string_input_producer(files, num_epochs=1, shuffle=False, capacity=1, name="filenames")
        return reader_class(**(reader_kwargs or {})).read(names)


def get_data_files(data_sources: Any) -> list[str]:
    """The files that fit a pattern, or the patterns of a list. Raises: ValueError where there is none."""
    if isinstance(data_sources, list | tuple):
        files = [file for source in data_sources for file in get_data_files(source)]
    elif any(sign in data_sources for sign in "*?["):
        files = gfile.Glob(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(error_text(f"No data files found in {data_sources}"))
    return files
