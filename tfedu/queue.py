"""`tf.queue`: queues of elements that runs put in and take out."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.data.queues.queues import FIFOQueue, PaddingFIFOQueue, PriorityQueue, QueueBase, RandomShuffleQueue

__all__ = [
    "FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue",
]  # fmt: skip
