"""`tf.summary`: nodes that output serialized `Summary` messages, and their collection. No state but the graph's.

    tf.summary.scalar("loss", loss)
    merged = tf.summary.merge_all()

`interop/summary_writer.py` writes the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops import summary as ops
from ..framework.collections import add_to_collection, get_collection
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import name_scope

_NOT_IN_TAGS = re.compile(r"[^-/\w.]")


def _clean(name: Any) -> Any:
    """The name with characters that node names must not have replaced, and without leading slashes."""
    if name is None:
        return None
    if not isinstance(name, str):
        raise TypeError(error_text(f"expected string or bytes-like object, got {type(name).__name__!r}"))
    clean = _NOT_IN_TAGS.sub("_", name).lstrip("/")
    if clean != name:
        log.info("Summary name %s is illegal; using %s instead.", name, clean)
    return clean


@contextmanager
def summary_scope(name: Any, family: Any, values: list[Any], default: str | None = None) -> Iterator[tuple[str, str]]:
    """(tag, scope) of a summary; the tag is the node's name, after its family."""
    clean, family = _clean(name), _clean(family)
    inner = clean if family is None else f"{family}/{clean}"
    with name_scope(inner, default, values) as scope:
        tag = scope.rstrip("/")
        yield (tag if family is None else f"{family}/{tag}"), scope


def add_summary(summary: Tensor, collections: Iterable[str] | None, default: tuple[str, ...] = (GraphKeys.SUMMARIES,)) -> Tensor:
    """The node, added to these collections (None: to those of `default`)."""
    for key in default if collections is None else collections:
        add_to_collection(key, summary)
    return summary


@atomic
def scalar(name: str, tensor: Any, collections: Iterable[str] | None = None, family: str | None = None) -> Tensor:
    """A summary of a number, a scalar; its tag is its node's name, after `family/`.

    collections: the collections that list it, by default GraphKeys.SUMMARIES.
    """
    with summary_scope(name, family, [tensor]) as (tag, scope):
        return add_summary(ops.scalar_summary(tag, tensor, name=scope or None), collections)


@atomic
def histogram(name: str, values: Any, collections: Iterable[str] | None = None, family: str | None = None) -> Tensor:
    """A summary of the distribution of `values` [...]; a run fails for values that are not finite."""
    with summary_scope(name, family, [values], "HistogramSummary") as (tag, scope):
        return add_summary(ops.histogram_summary(tag, values, name=scope or None), collections)


@atomic
def image(
    name: str, tensor: Any, max_outputs: int = 3, collections: Iterable[str] | None = None, family: str | None = None
) -> Tensor:
    """A summary of the first max_outputs images of a batch [n, h, w, c] of uint8 or floats; c is 1, 3 or 4.

    Floats are scaled image by image: the largest becomes white; where some are negative, 0 becomes medium grey.
    """
    with summary_scope(name, family, [tensor]) as (tag, scope):
        return add_summary(ops.image_summary(tag, tensor, max_images=max_outputs, name=scope or None), collections)


@atomic
def audio(
    name: str,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Iterable[str] | None = None,
    family: str | None = None,
) -> Tensor:
    """A summary of the first max_outputs clips of a batch [n, frames] or [n, frames, channels] in [-1, 1];
    sample_rate in hertz.
    """
    with summary_scope(name, family, [tensor]) as (tag, scope):
        rate = convert_to_tensor(sample_rate, dtypes.float32, "sample_rate")
        return add_summary(ops.audio_summary(tag, tensor, rate, max_outputs=max_outputs, name=scope or None), collections)


def text(name: str, tensor: Any, collections: Iterable[str] | None = None) -> Tensor:
    """A summary of strings (Markdown) that TensorBoard shows as text, strings [n] and [m, n] as a table.

    Raises: ValueError for another dtype.
    """
    from ...base import proto

    if not isinstance(tensor, Tensor) and not hasattr(tensor, "dtype"):
        problem = f"'{type(tensor).__name__}' object has no attribute 'dtype'"
        raise AttributeError(error_text(problem, (), "tf.constant(…) makes a tensor"))
    if tensor.dtype != dtypes.string:
        raise ValueError(
            error_text(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
        )
    metadata = proto.SummaryMetadata(plugin_data=proto.SummaryMetadata.PluginData(plugin_name="text"))
    summary: Tensor = tensor_summary(name, tensor, summary_metadata=metadata, collections=collections)
    return summary


@atomic
def tensor_summary(
    name: str,
    tensor: Any,
    summary_description: str | None = None,
    collections: Iterable[str] | None = None,
    summary_metadata: Any = None,
    family: str | None = None,
    display_name: str | None = None,
) -> Tensor:
    """A summary of a tensor [...] of any dtype; summary_metadata (a SummaryMetadata) names the plugin that shows it."""
    from ...base import proto

    metadata = proto.SummaryMetadata() if summary_metadata is None else summary_metadata
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    with summary_scope(name, family, [tensor]) as (tag, scope):
        summary = ops.tensor_summary(tag, tensor, metadata.SerializeToString(), name=scope or None)
        return add_summary(summary, collections)


@atomic
def merge(inputs: Any, collections: Iterable[str] | None = None, name: str | None = None) -> Tensor:
    """A summary with all values of the inputs, string scalars; a run fails when two have the same tag."""
    name = _clean(name)
    with name_scope(name, "Merge", inputs):
        return add_summary(ops.merge_summary(inputs, name=name), collections, ())


def merge_all(key: Any = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None) -> Tensor | None:
    """`merge` of all summaries of the default graph whose name matches `scope`: a string scalar, or None without
    summaries.
    """
    summaries = get_collection(key, scope)
    if not summaries:
        return None
    merged: Tensor = merge(summaries, name=name)
    return merged


def get_summary_description(node_def: Any) -> Any:
    """The SummaryDescription of a NodeDef of type TensorSummary.

    Raises: ValueError for another node.
    """
    from ...base import proto

    if node_def.op != "TensorSummary":
        raise ValueError(error_text(f"Can't get_summary_description on {node_def.op}"))
    return proto.from_json(node_def.attr["description"].s.decode("utf-8"), proto.SummaryDescription())


__all__ = [
    "audio", "get_summary_description", "histogram", "image", "merge", "merge_all", "scalar", "tensor_summary", "text",
]  # fmt: skip
