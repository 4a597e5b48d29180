"""`tf.contrib.deprecated`: the summaries of TensorFlow before 1.0, whose tags are arguments instead of names. No
state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base import dtypes
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops import summary as ops
from ..framework.collections import get_collection
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import named
from .summary import add_summary


@atomic
def scalar_summary(tags: Any, values: Any, collections: Iterable[str] | None = None, name: str | None = None) -> Tensor:
    """A summary of a number for each tag; `tags` [...] and `values` [...] have one shape."""
    with named(name, "ScalarSummary", [tags, values]) as scope:
        return add_summary(ops.scalar_summary(tags, values, name=scope), collections)


@atomic
def histogram_summary(tag: Any, values: Any, collections: Iterable[str] | None = None, name: str | None = None) -> Tensor:
    """A summary of the distribution of `values` [...]."""
    with named(name, "HistogramSummary", [tag, values]) as scope:
        return add_summary(ops.histogram_summary(tag, values, name=scope), collections)


@atomic
def image_summary(
    tag: Any, tensor: Any, max_images: int = 3, collections: Iterable[str] | None = None, name: str | None = None
) -> Tensor:
    """A summary of the first max_images images of a batch [n, h, w, c]; c is 1, 3 or 4."""
    with named(name, "ImageSummary", [tag, tensor]) as scope:
        return add_summary(ops.image_summary(tag, tensor, max_images=max_images, name=scope), collections)


@atomic
def audio_summary(
    tag: Any,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Iterable[str] | None = None,
    name: str | None = None,
) -> Tensor:
    """A summary of the first max_outputs clips of a batch [n, frames] or [n, frames, channels]; sample_rate in hertz."""
    with named(name, "AudioSummary", [tag, tensor]) as scope:
        rate = convert_to_tensor(sample_rate, dtypes.float32, "sample_rate")
        return add_summary(ops.audio_summary(tag, tensor, rate, max_outputs=max_outputs, name=scope), collections)


@atomic
def merge_summary(inputs: Any, collections: Iterable[str] | None = None, name: str | None = None) -> Tensor:
    """A summary with all values of the inputs, string scalars."""
    with named(name, "MergeSummary", inputs):
        return add_summary(ops.merge_summary(inputs, name=name), collections, ())


def merge_all_summaries(key: Any = GraphKeys.SUMMARIES) -> Tensor | None:
    """`merge_summary` of all summaries of the default graph: a string scalar, or None without summaries."""
    summaries = get_collection(key)
    if not summaries:
        return None
    merged: Tensor = merge_summary(summaries)
    return merged


__all__ = ["audio_summary", "histogram_summary", "image_summary", "merge_all_summaries", "merge_summary", "scalar_summary"]
