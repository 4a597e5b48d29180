"""Rows of the op table: queues. Each run takes out what it puts in: a row runs several times in one session."""

from typing import Any

import numpy as np
from cases import case


def between(tf: Any, put: Any, take: Any) -> Any:
    """What is taken once all is put in."""
    with tf.control_dependencies(put):
        taken = take()
    return list(taken) if isinstance(taken, (list, tuple)) else taken


def filled(queue: Any) -> Any:
    def of(tf: Any, x: Any) -> Any:
        q = queue(tf)
        return between(tf, [q.enqueue_many([x])], lambda: q.dequeue_many(x.shape[0]))

    return of


case("FIFOQueue", "many", filled(lambda tf: tf.FIFOQueue(-1, tf.float32, shapes=[[]])), np.arange(5, dtype=np.float32), nodes=True)
case("FIFOQueue", "many, no limit", filled(lambda tf: tf.FIFOQueue(-1, tf.int64, shapes=[[2]])), np.arange(8).reshape(4, 2))
case("FIFOQueue", "strings", filled(lambda tf: tf.FIFOQueue(-1, tf.string, shapes=[[]])), np.array([b"a", b"bc", b""], object))
case("PaddingFIFOQueue", "many", filled(lambda tf: tf.PaddingFIFOQueue(-1, tf.float32, shapes=[[None]])), np.arange(6, dtype=np.float32).reshape(3, 2), nodes=True)
case("RandomShuffleQueue", "many", filled(lambda tf: tf.RandomShuffleQueue(-1, 0, tf.float32, shapes=[[]], seed=3)), np.arange(6, dtype=np.float32), nodes=True)


def by_priority(tf: Any, priority: Any, x: Any) -> Any:
    q = tf.PriorityQueue(-1, [tf.float32], shapes=[[2]])
    return between(tf, [q.enqueue_many([priority, x])], lambda: q.dequeue_many(3))


case("PriorityQueue", "many", by_priority, np.array([3, -1, 2], np.int64), np.arange(6, dtype=np.float32).reshape(3, 2), nodes=True)



def one(tf: Any, x: Any) -> Any:
    q = tf.FIFOQueue(-1, tf.float32)
    with tf.control_dependencies([q.enqueue(x)]):
        size = q.size()
    with tf.control_dependencies([size]):
        is_closed = q.is_closed()
    with tf.control_dependencies([is_closed]):
        return [size, is_closed, q.dequeue()]


def up_to(tf: Any, x: Any) -> Any:
    q = tf.FIFOQueue(-1, tf.float32, shapes=[[]])
    return between(tf, [q.enqueue_many([x])], lambda: q.dequeue_up_to(5))


case("FIFOQueue", "one", one, np.ones((2, 2), np.float32), nodes=True)
case("FIFOQueue", "up to", up_to, np.arange(5, dtype=np.float32), nodes=True)


def older(kind: str, **given: Any) -> Any:
    """A queue of an older graph, filled and emptied."""

    def of(tf: Any, x: Any) -> Any:
        ops = tf.raw_ops
        q = getattr(ops, kind)(component_types=[tf.float32], shapes=[[]], **given)
        extra = [tf.cast(tf.reverse(x, [0]), tf.int64)] if kind == "PriorityQueue" else []
        types = [tf.int64, tf.float32] if extra else [tf.float32]
        first = [tf.constant(9, tf.int64), x[0]] if extra else [x[0]]
        # An interrupted run may leave elements, but takes none that the next one needs.
        with tf.control_dependencies([ops.QueueEnqueueMany(handle=q, components=[*extra, x])]):
            put = ops.QueueEnqueue(handle=q, components=first)
        with tf.control_dependencies([put]):
            size, closed = ops.QueueSize(handle=q), ops.QueueIsClosed(handle=q)
        with tf.control_dependencies([size, closed]):
            one = ops.QueueDequeue(handle=q, component_types=types)
        with tf.control_dependencies([one[0]]):
            two = ops.QueueDequeueMany(handle=q, n=2, component_types=types)
        with tf.control_dependencies([two[0]]):
            rest = ops.QueueDequeueUpTo(handle=q, n=x.shape[0] - 2, component_types=types)
        return [*one, *two, size, closed, *rest]

    return of


for kind, given in (
    ("FIFOQueue", {}), ("PaddingFIFOQueue", {}), ("RandomShuffleQueue", {"seed": 3, "seed2": 4}), ("PriorityQueue", {}),
):  # fmt: skip
    case(f"raw_ops.{kind}", "with a reference", older(kind, **given), np.arange(5, dtype=np.float32), nodes=True)
