"""`tf.contrib.deprecated`: the summaries of TensorFlow before 1.0."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.lib.summaries.tagged_summary import (
    audio_summary, histogram_summary, image_summary, merge_all_summaries, merge_summary, scalar_summary,
)  # fmt: skip

__all__ = [
    "audio_summary", "histogram_summary", "image_summary", "merge_all_summaries", "merge_summary",
    "scalar_summary",
]  # fmt: skip
