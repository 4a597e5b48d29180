"""`tf.contrib.layers.summarize_…`: summaries of tensors, activations and whole collections for TensorBoard. No state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.framework.collections import get_collection
from ...lib.framework.graph_keys import GraphKeys
from ...lib.math import math, reductions
from ...lib.summaries import summary

Summarizer = Callable[[Any], Any]


@atomic
def summarize_tensor(tensor: Any, tag: str | None = None) -> Tensor:
    """A scalar summary of a tensor of rank 0, else a histogram; tag: "<name>_summary" without it."""
    tag = tag or f"{tensor.op.name}_summary"
    return (summary.scalar if tensor.shape.ndims == 0 else summary.histogram)(tag, tensor)


@atomic
def summarize_activation(op: Any) -> Tensor:
    """A histogram of an activation; of a Relu, Softplus or Relu6 also the share of its inputs that are below 0 (and above 6)."""
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        inputs = op.op.inputs[0]
        _share(f"{op.op.name}/zeros", math.less(inputs, math.cast(0.0, inputs.dtype)))
        if op.op.type == "Relu6":
            _share(f"{op.op.name}/sixes", math.greater(inputs, math.cast(6.0, inputs.dtype)))
    return summary.histogram(f"{op.op.name}/activation", op)


def _share(tag: str, hits: Tensor) -> None:
    summary.scalar(tag, reductions.reduce_mean(math.to_float(hits)))


def summarize_tensors(tensors: Iterable[Any], summarizer: Summarizer = summarize_tensor) -> list[Tensor]:
    """The summaries of tensors."""
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(
    collection: Any, name_filter: str | None = None, summarizer: Summarizer = summarize_tensor
) -> list[Tensor]:
    """The summaries of a collection's tensors, whose names match name_filter from their start."""
    return summarize_tensors([t for t in get_collection(collection, scope=name_filter) if t is not None], summarizer)


def summarize_variables(name_filter: str | None = None, summarizer: Summarizer = summarize_tensor) -> list[Tensor]:
    """The summaries of the collection GLOBAL_VARIABLES."""
    return summarize_collection(GraphKeys.GLOBAL_VARIABLES, name_filter, summarizer)


def summarize_weights(name_filter: str | None = None, summarizer: Summarizer = summarize_tensor) -> list[Tensor]:
    """The summaries of the collection WEIGHTS."""
    return summarize_collection(GraphKeys.WEIGHTS, name_filter, summarizer)


def summarize_biases(name_filter: str | None = None, summarizer: Summarizer = summarize_tensor) -> list[Tensor]:
    """The summaries of the collection BIASES."""
    return summarize_collection(GraphKeys.BIASES, name_filter, summarizer)


def summarize_activations(
    name_filter: str | None = None, summarizer: Summarizer = summarize_activation
) -> list[Tensor]:
    """The summaries of the collection ACTIVATIONS."""
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)


__all__ = [
    "summarize_activation", "summarize_activations", "summarize_biases", "summarize_collection", "summarize_tensor",
    "summarize_tensors", "summarize_variables", "summarize_weights",
]  # fmt: skip
