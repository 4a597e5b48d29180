"""`tf.contrib.staging`: tensors that one run puts aside for a later one."""

from ...engine.data.queues.staging_areas import StagingArea

__all__ = [
    "StagingArea",
]  # fmt: skip
