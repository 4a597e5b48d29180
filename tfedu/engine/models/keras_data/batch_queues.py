"""Batches that threads prepare ahead: `OrderedEnqueuer` for a Sequence, `GeneratorEnqueuer` for a generator.

    queue = OrderedEnqueuer(sequence)
    queue.start(workers=4)
    batches = queue.get()        # without end
    next(batches)
    queue.stop()

State: the threads and the queue of what they have begun.
"""

from __future__ import annotations

import abc
import queue
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ...base import log, threads
from ...base.errors import error_text

_TICK = 0.05  # seconds after which a thread looks whether it should stop


class SequenceEnqueuer(abc.ABC):
    """A queue that threads fill with batches. use_multiprocessing: threads all the same, with a warning.

    Differs from TF: no processes, whose results would travel as pickles.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False) -> None:
        self.sequence, self.use_multiprocessing = sequence, use_multiprocessing
        if use_multiprocessing:
            log.warning("use_multiprocessing: threads prepare the batches, not processes.")
        self.workers = 0
        self.queue: queue.Queue[Future[Any] | None] = queue.Queue()
        self.stop_signal = threading.Event()
        self._filler: threading.Thread | None = None

    def is_running(self) -> bool:
        """Whether `start` was called, and `stop` was not since."""
        return self._filler is not None and not self.stop_signal.is_set()

    def start(self, workers: int = 1, max_queue_size: int = 10) -> None:
        """Lets that many threads prepare batches, at most max_queue_size ahead.

        Raises: UnimplementedError in a Python without threads.
        """
        threads.needed("A queue of batches", "take the batches of the Sequence or generator themselves")
        self.workers, self.queue = workers, queue.Queue(max_queue_size)
        self.stop_signal.clear()
        self._filler = threading.Thread(target=self._run, daemon=True)
        self._filler.start()

    def stop(self, timeout: float | None = None) -> None:
        """Ends the threads; waits for them, at most `timeout` seconds."""
        self.stop_signal.set()
        if self._filler is not None and self._filler is not threading.current_thread():
            self._filler.join(timeout)

    def get(self) -> Iterator[Any]:
        """The batches in their order, without None.

        Raises: what a batch raised.
        """
        while self.is_running():
            try:
                future = self.queue.get(timeout=_TICK)
            except queue.Empty:
                continue
            if future is None:
                self.stop()
                return
            try:
                value = future.result()
            except BaseException:
                self.stop()
                raise
            self.queue.task_done()
            if value is not None:
                yield value

    def _run(self) -> None:
        with ThreadPoolExecutor(max(self.workers, 1)) as pool:
            self._fill(lambda function, *arguments: self._put(pool.submit(function, *arguments)))

    @abc.abstractmethod
    def _fill(self, add: Callable[..., bool]) -> None:
        """Adds batches: add(function, *arguments) gives False when it is time to stop."""

    def _put(self, future: Future[Any] | None) -> bool:
        while not self.stop_signal.is_set():
            try:
                self.queue.put(future, timeout=_TICK)
            except queue.Full:
                continue
            return True
        return False

    def _wait_until_empty(self) -> None:
        with self.queue.all_tasks_done:
            while self.queue.unfinished_tasks and not self.stop_signal.is_set():
                self.queue.all_tasks_done.wait(_TICK)


class OrderedEnqueuer(SequenceEnqueuer):
    """Batches of a Sequence in its order, or, with shuffle, in one that Python's `random` draws for each pass."""

    def __init__(self, sequence: Any, use_multiprocessing: bool = False, shuffle: bool = False) -> None:
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def _fill(self, add: Callable[..., bool]) -> None:
        order = list(range(len(self.sequence)))
        while not self.stop_signal.is_set():
            if self.shuffle:
                random.shuffle(order)
            for index in order:
                if not add(self.sequence.__getitem__, index):
                    return
            self._wait_until_empty()
            if not self.stop_signal.is_set():
                self.sequence.on_epoch_end()


class GeneratorEnqueuer(SequenceEnqueuer):
    """Batches of a generator; one thread at a time asks it. random_seed: unused, as there are no processes."""

    def __init__(
        self, sequence: Any, use_multiprocessing: bool = False, random_seed: int | None = None
    ) -> None:
        if not hasattr(sequence, "__next__"):
            raise TypeError(error_text(f"GeneratorEnqueuer: an iterator, not {type(sequence).__name__}"))
        super().__init__(sequence, use_multiprocessing)
        self.random_seed = random_seed
        self._lock = threading.Lock()

    def _fill(self, add: Callable[..., bool]) -> None:
        while not self._is_over.is_set() and add(self._next):
            pass
        self._put(None)

    def _next(self) -> Any:
        with self._lock:
            try:
                return next(self.sequence)
            except StopIteration:
                self._is_over.set()
                return None

    def start(self, workers: int = 1, max_queue_size: int = 10) -> None:
        """Lets that many threads prepare batches, at most max_queue_size ahead."""
        self._is_over = threading.Event()
        super().start(workers, max_queue_size)


class InOrder:
    """The batches of a Sequence, pass after pass, without threads or, with several workers, by an OrderedEnqueuer.

    shuffle: each pass in an order that Python's `random` draws. `on_epoch_end` follows each pass. workers 0: neither, as in
    TF 1.15. In a Python without threads, several workers are one.
    """

    def __init__(self, sequence: Any, shuffle: bool, workers: int) -> None:
        self._enqueuer: OrderedEnqueuer | None = None
        if workers > 1 and threads.exist():
            self._enqueuer = OrderedEnqueuer(sequence, shuffle=shuffle)
            self._enqueuer.start(workers)
        self._batches = (
            self._enqueuer.get()
            if self._enqueuer
            else _in_turn(sequence, shuffle and workers > 0, workers > 0)
        )

    def __next__(self) -> Any:
        return next(self._batches)

    def close(self) -> None:
        """Ends the threads."""
        if self._enqueuer is not None:
            self._enqueuer.stop()


def _in_turn(sequence: Any, shuffle: bool, tells: bool) -> Iterator[Any]:
    order = list(range(len(sequence)))
    while True:
        if shuffle:
            random.shuffle(order)
        for place, index in enumerate(order, start=1):
            batch = sequence[index]
            if tells and place == len(order) and hasattr(sequence, "on_epoch_end"):
                sequence.on_epoch_end()
            yield batch


__all__ = ["GeneratorEnqueuer", "InOrder", "OrderedEnqueuer", "SequenceEnqueuer"]
