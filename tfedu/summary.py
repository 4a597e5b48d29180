"""`tf.summary`: what TensorBoard shows: numbers, histograms, pictures, sounds, texts, and the files for them."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.base.lazy import lazy as _lazy
from .engine.lib.summaries.summary import (
    audio, get_summary_description, histogram, image, merge, merge_all, scalar, tensor_summary, text,
)  # fmt: skip

__all__ = [
    "audio", "get_summary_description", "histogram", "image", "merge", "merge_all", "scalar",
    "tensor_summary", "text",
]  # fmt: skip

__getattr__, __dir__ = _lazy(
    __name__,
    {
        "tfedu.engine.base.proto": "Event SessionLog Summary SummaryDescription TaggedRunMetadata",
        "tfedu.engine.interop.summary_writer": "FileWriter FileWriterCache",
        "tfedu.engine.training.sessions.recorded_summaries": "initialize",
        "tfedu.engine.lib.summaries.summary_writers": "all_v2_summary_ops",
    },
)
