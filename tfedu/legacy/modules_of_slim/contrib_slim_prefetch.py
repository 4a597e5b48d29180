"""`tf.contrib.slim.prefetch_queue`: batches that a thread makes while the program trains."""

from ...engine.models.training_of_contrib.prefetch_queues import prefetch_queue

__all__ = [
    "prefetch_queue",
]  # fmt: skip
