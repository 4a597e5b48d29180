"""Two threads at one queue: an attempt that is about to begin while another one changes the queue is not lost."""

import threading

import numpy as np
import pytest

from tfedu.engine.base import dtypes, errors
from tfedu.engine.base.resources.queue import Queue
from tfedu.engine.base.shapes import TensorShape

ELEMENT = (np.int32(1),)


class LateLock:
    """The lock of a queue, for a thread that comes to it just after another one has changed the queue."""

    def __init__(self, queue, change):
        self.queue, self.lock, self.change = queue, queue.lock, change

    def __enter__(self):
        self.queue.lock = self.lock
        self.change()
        self.lock.acquire()

    def __exit__(self, *_):
        self.lock.release()


@pytest.fixture
def queue():
    made = Queue("q", [dtypes.int32], [TensorShape([])], capacity=1)
    assert made.enqueue([ELEMENT]).done  # it is full
    return made


@pytest.mark.parametrize("waits", [False, True], ids=["nobody_waits", "another_one_waits"])
def test_an_enqueue_that_begins_while_all_are_cancelled_ends(queue, waits):
    other = queue.enqueue([ELEMENT]) if waits else None
    queue.lock = LateLock(queue, lambda: queue.shut(cancel_pending_enqueues=True))
    late = queue.enqueue([ELEMENT])
    for attempt in filter(None, (other, late)):
        assert attempt.done
        with pytest.raises(errors.CancelledError):
            attempt.result()


def test_a_dequeue_that_begins_while_the_queue_is_closed_ends(queue):
    queue.dequeue_one()
    queue.lock = LateLock(queue, lambda: queue.shut(cancel_pending_enqueues=False))
    late = queue.dequeue_one()
    assert late.done
    with pytest.raises(errors.OutOfRangeError):
        late.result()


def test_threads_that_enqueue_all_end_when_the_queue_is_shut(queue):
    ended = []
    threads = [threading.Thread(target=lambda: ended.append(_end_of(queue.enqueue([ELEMENT])))) for _ in range(20)]
    for thread in threads:
        thread.start()
    queue.shut(cancel_pending_enqueues=True)
    for thread in threads:
        thread.join(10)
    assert len(ended) == 20


def _end_of(attempt):
    ended = threading.Event()
    attempt.tell(ended.set)
    assert ended.wait(10)
    return attempt.error
