"""`tf.contrib.deprecated`: the summaries of TensorFlow before 1.0, whose tags are given and are no names. No state."""

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
from .summary import collected


@atomic
def scalar_summary(tags: Any, values: Any, collections: Iterable[str] | None = None, name: str | None = None) -> Tensor:
    """A node that gives a number for each tag; `tags` and `values` have one shape."""
    with named(name, "ScalarSummary", [tags, values]) as scope:
        return collected(ops.scalar_summary(tags, values, name=scope), collections)


@atomic
def histogram_summary(tag: Any, values: Any, collections: Iterable[str] | None = None, name: str | None = None) -> Tensor:
    """A node that gives the distribution of `values`."""
    with named(name, "HistogramSummary", [tag, values]) as scope:
        return collected(ops.histogram_summary(tag, values, name=scope), collections)


@atomic
def image_summary(
    tag: Any, tensor: Any, max_images: int = 3, collections: Iterable[str] | None = None, name: str | None = None
) -> Tensor:
    """A node that gives the first `max_images` pictures of a batch [n, h, w, 1, 3 or 4]."""
    with named(name, "ImageSummary", [tag, tensor]) as scope:
        return collected(ops.image_summary(tag, tensor, max_images=max_images, name=scope), collections)


@atomic
def audio_summary(
    tag: Any,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Iterable[str] | None = None,
    name: str | None = None,
) -> Tensor:
    """A node that gives the first `max_outputs` sounds of a batch [n, frames] or [n, frames, channels]."""
    with named(name, "AudioSummary", [tag, tensor]) as scope:
        rate = convert_to_tensor(sample_rate, dtypes.float32, "sample_rate")
        return collected(ops.audio_summary(tag, tensor, rate, max_outputs=max_outputs, name=scope), collections)


@atomic
def merge_summary(inputs: Any, collections: Iterable[str] | None = None, name: str | None = None) -> Tensor:
    """A node that gives all values of some summaries in one."""
    with named(name, "MergeSummary", inputs):
        return collected(ops.merge_summary(inputs, name=name), collections, ())


def merge_all_summaries(key: Any = GraphKeys.SUMMARIES) -> Tensor | None:
    """`merge_summary` of all summaries of the default graph; None for none."""
    found = get_collection(key)
    if not found:
        return None
    made: Tensor = merge_summary(found)
    return made


__all__ = ["audio_summary", "histogram_summary", "image_summary", "merge_all_summaries", "merge_summary", "scalar_summary"]
