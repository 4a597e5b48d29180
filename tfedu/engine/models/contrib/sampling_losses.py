"""`tf.contrib.nn.sampled_sparse_softmax_loss` and `rank_sampled_softmax_loss`: more losses over sampled classes. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection
from ...lib.framework.scope_blocks import named
from ...lib.math import products, reductions
from ...lib.nn import cross_entropy, embeddings, sampled_losses
from ...lib.nn.candidate_sampling import learned_unigram_candidate_sampler
from ...ops import basic


@atomic
def sampled_sparse_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str | None = "sampled_sparse_softmax_loss",
) -> Tensor:
    """`tf.nn.sampled_softmax_loss` for one true class a row: weights [classes, d], biases [classes], labels [n, 1], inputs [n, d]
    -> [n].
    """
    logits, _ = sampled_losses.sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, 1, sampled_values, True, remove_accidental_hits,
        partition_strategy, name,
    )  # fmt: skip
    # The true class is the first column.
    first = array.squeeze(array.zeros([array.shape(logits)[0], 1], dtype=dtypes.int64))  # type: ignore[index]
    return cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=first, logits=logits)


@atomic
def rank_sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_resampled: int,
    num_classes: int,
    num_true: int,
    sampled_values: Any,
    resampling_temperature: Any,
    remove_accidental_hits: bool,
    partition_strategy: str,
    name: str | None = None,
) -> Tensor:
    """A sampled softmax over those num_resampled of num_sampled classes that the inputs find most likely: weights [classes, d],
    biases [classes], labels [n, num_true], inputs [n, d] -> [n].

    sampled_values: what a sampler returned (default: learned_unigram_candidate_sampler).

    Raises: ValueError for more resampled than sampled classes, or more sampled classes than there are.
    """
    if num_sampled > num_classes:
        raise ValueError(error_text(f"num_sampled ({num_sampled}) cannot be greater than num_classes ({num_classes})"))
    if num_sampled <= num_resampled:
        raise ValueError(error_text(f"num_resampled ({num_resampled}) must be less than num_sampled ({num_sampled})"))
    parts = embeddings.parts_of(weights)
    with named(name, "rank_sampled_softmax_loss", [*parts, biases, inputs, labels]) as scope:
        if sampled_values is None:
            sampled_values = learned_unigram_candidate_sampler(labels, num_true, num_sampled, True, num_classes)
        sampled, true_expected, sampled_expected = (basic.stop_gradient(value) for value in sampled_values)
        scores = _scores(parts, biases, inputs, sampled, resampling_temperature, partition_strategy)
        _, chosen = selection.top_k(scores, k=num_resampled, sorted=False)
        resampled = selection.gather(sampled, chosen), true_expected, selection.gather(sampled_expected, chosen)
        logits, true_labels = sampled_losses.sampled_logits(
            parts, biases, labels, inputs, num_resampled, num_classes, num_true, resampled, True, remove_accidental_hits,
            partition_strategy, scope,
        )  # fmt: skip
        true_labels = basic.stop_gradient(true_labels, name="labels_stop_gradient")
        return cross_entropy.softmax_cross_entropy_with_logits_v2(labels=true_labels, logits=logits)


def _scores(parts: list[Any], biases: Any, inputs: Any, sampled: Tensor, temperature: Any, strategy: str) -> Tensor:
    """The score of each sampled class: log Σ exp(logit / temperature) over all inputs -> [num_sampled]."""
    scaled = inputs / temperature

    def sums(rows: Tensor) -> Tensor:
        return reductions.reduce_logsumexp(products.matmul(rows, scaled, transpose_b=True), axis=1)

    scores: Any = embeddings.transformed_lookup(parts, sampled, strategy, None, transform=sums)
    offsets: Any = array.reshape(embeddings.embedding_lookup(biases, sampled, partition_strategy=strategy), [-1])
    total: Tensor = scores + offsets / temperature
    return total


__all__ = ["rank_sampled_softmax_loss", "sampled_sparse_softmax_loss"]
