"""`tf.nn.nce_loss` and `tf.nn.sampled_softmax_loss`: losses over the true and a few sampled classes, as in TF 1.15. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.dtypes import as_dtype
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...ops import basic
from ..arrays import array, selection, slicing
from ..framework.scope_blocks import named
from ..math import math, products
from . import cross_entropy, embeddings
from .candidate_sampling import compute_accidental_hits, log_uniform_candidate_sampler


@atomic
def nce_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = "nce_loss",
) -> Tensor:
    """Noise-contrastive estimation: each row learns to tell its true classes from sampled ones: weights [classes, d] (or its
    parts), biases [classes], labels [n, num_true], inputs [n, d] -> [n].

    sampled_values: what a sampler returned (default: log_uniform_candidate_sampler).

    Source: Gutmann and Hyvärinen, "Noise-contrastive estimation" (2010).
    """
    logits, labels = sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, True,
        remove_accidental_hits, partition_strategy, name,
    )  # fmt: skip
    losses = cross_entropy.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="sampled_losses")
    return _sums_of_rows(losses)


@atomic
def sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str | None = "sampled_softmax_loss",
    seed: int | None = None,
) -> Tensor:
    """The cross entropy of a softmax over the true and sampled classes, for training alone: weights [classes, d] (or its
    parts), biases [classes], labels [n, num_true], inputs [n, d] -> [n].

    sampled_values: what a sampler returned (default: log_uniform_candidate_sampler). seed: of the default sampler.

    Source: Jean et al., "On using very large target vocabulary for neural machine translation" (2015).
    """
    logits, labels = sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, True,
        remove_accidental_hits, partition_strategy, name, seed,
    )  # fmt: skip
    labels = basic.stop_gradient(labels, name="labels_stop_gradient")
    return cross_entropy.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)


@atomic
def sampled_logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    subtract_log_q: bool = True,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = None,
    seed: int | None = None,
) -> tuple[Tensor, Tensor]:
    """(logits, labels) of the true, then the sampled classes, [n, num_true + num_sampled] each.

    subtract_log_q: lower each logit by the logarithm of its class's expected number.
    """
    parts = embeddings.parts_of(weights)
    with named(name, "compute_sampled_logits", [*parts, biases, inputs, labels]):
        labels = math.cast(labels, dtypes.int64)
        flat_labels = array.reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = log_uniform_candidate_sampler(labels, num_true, num_sampled, True, num_classes, seed=seed)
        sampled, true_expected, sampled_expected = (basic.stop_gradient(value) for value in sampled_values)
        sampled = math.cast(sampled, dtypes.int64)
        true_logits, logits = _products(parts, biases, inputs, flat_labels, sampled, num_true, partition_strategy)
        if remove_accidental_hits:
            logits = logits + _hits(labels, sampled, num_true, num_sampled, logits.dtype)
        if subtract_log_q:
            true_logits = true_logits - math.log(true_expected)
            logits = logits - math.log(sampled_expected)
        all_logits = array.concat([true_logits, logits], 1)
        is_true: Any = array.ones_like(true_logits)
        return all_logits, array.concat([is_true / num_true, array.zeros_like(logits)], 1)


def _products(
    parts: list[Any], biases: Any, inputs: Any, labels: Tensor, sampled: Tensor, num_true: int, strategy: str
) -> tuple[Any, Any]:
    """inputs [n, d] times the rows of the true classes, [n, num_true], and of the sampled ones, [n, num_sampled]; both with
    biases. labels: [n · num_true].
    """
    ids = array.concat([labels, sampled], 0)
    rows = embeddings.embedding_lookup(parts, ids, partition_strategy=strategy)
    kind = as_dtype(getattr(inputs, "dtype", rows.dtype)).base_dtype
    rows = math.cast(rows, kind)
    true_rows = slicing.slice(rows, [0, 0], array.stack([array.shape(labels)[0], -1]))  # type: ignore[index]
    sampled_rows = slicing.slice(rows, array.stack([array.shape(labels)[0], 0]), [-1, -1])  # type: ignore[index]
    logits: Any = products.matmul(inputs, sampled_rows, transpose_b=True)
    offsets = math.cast(embeddings.embedding_lookup(biases, ids, partition_strategy=strategy), kind)
    true_offsets = slicing.slice(offsets, [0], array.shape(labels))
    sampled_offsets = slicing.slice(offsets, array.shape(labels), [-1])
    width = array.shape(true_rows)[1:2]  # type: ignore[index]
    by_input = array.concat([[-1, num_true], width], 0)
    pairs = math.multiply(array.expand_dims(inputs, 1), array.reshape(true_rows, by_input))
    dots = _sums_of_rows(array.reshape(pairs, array.concat([[-1], width], 0)))
    true_logits: Any = array.reshape(dots, [-1, num_true])
    true_logits = true_logits + array.reshape(true_offsets, [-1, num_true])
    return true_logits, logits + sampled_offsets


def _hits(labels: Tensor, sampled: Tensor, num_true: int, num_sampled: int, dtype: Any) -> Tensor:
    """A huge negative number for each sampled class that is true for its row, else 0: [n, num_sampled]."""
    rows, places, lowest = compute_accidental_hits(labels, sampled, num_true=num_true)
    rows = array.reshape(rows, [-1, 1])
    places = array.reshape(math.cast(places, dtypes.int32), [-1, 1])
    coordinates = array.concat([rows, places], 1, "sparse_indices")
    sizes = array.concat([array.shape(labels)[:1], array.expand_dims(num_sampled, 0)], 0)  # type: ignore[index]
    if lowest.dtype != dtype:
        lowest = math.cast(lowest, dtype)
    return selection.sparse_to_dense(coordinates, sizes, lowest, default_value=0.0, validate_indices=False)


def _sums_of_rows(x: Any) -> Tensor:
    """The sum of each row of x [n, k] -> [n], as a product with ones."""
    ones = array.ones(array.stack([array.shape(x)[1], 1]), x.dtype)  # type: ignore[index]
    return array.reshape(products.matmul(x, ones), [-1])


__all__ = ["nce_loss", "sampled_softmax_loss"]
