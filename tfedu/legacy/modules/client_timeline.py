"""`tensorflow.python.client.timeline`: what a traced run did when, for chrome://tracing."""

from ...engine.interop.chrome_timeline import AllocationMaximum, StepStatsAnalysis, Timeline

__all__ = [
    "AllocationMaximum", "StepStatsAnalysis", "Timeline",
]  # fmt: skip
