"""`tf.contrib.slim.queues`: the threads that fill queues."""


from ...engine.models.training_of_contrib.queue_threads import NestedQueueRunnerError, QueueRunners

__all__ = [
    "NestedQueueRunnerError", "QueueRunners",
]  # fmt: skip
