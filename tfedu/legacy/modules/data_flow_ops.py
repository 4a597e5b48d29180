"""`tensorflow.python.ops.data_flow_ops`: what has no public name of its own."""

from ...engine.data.queues.barriers import Barrier
from ...engine.data.queues.staging_areas import MapStagingArea, StagingArea

__all__ = [
    "Barrier", "MapStagingArea", "StagingArea",
]  # fmt: skip
