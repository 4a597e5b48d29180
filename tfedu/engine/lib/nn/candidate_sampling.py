"""`tf.nn.log_uniform_candidate_sampler` and its kind: classes drawn in place of all; and where a drawn class is a true one.

Each sampler returns (sampled_candidates [num_sampled], true_expected_count [n, num_true], sampled_expected_count
[num_sampled]), for true_classes [n, num_true] and classes in [0, range_max). No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph.atomic import atomic
from ...op.callers import nodes
from ..math.random import node_seeds


@atomic
def uniform_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Classes that are all equally likely: true_classes [n, num_true] -> ([num_sampled], [n, num_true], [num_sampled])."""
    return nodes.UniformCandidateSampler(
        true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, range_max=range_max, name=name,
        **node_seeds(seed),
    )  # fmt: skip


@atomic
def log_uniform_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Classes of which the first are the most frequent, as words of a text: true_classes [n, num_true] -> ([num_sampled],
    [n, num_true], [num_sampled]).

    Class c has the probability log((c + 2) / (c + 1)) / log(range_max + 1).
    """
    return nodes.LogUniformCandidateSampler(
        true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, range_max=range_max, name=name,
        **node_seeds(seed),
    )  # fmt: skip


@atomic
def learned_unigram_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Classes as frequent as among the true classes of earlier runs: true_classes [n, num_true] -> ([num_sampled],
    [n, num_true], [num_sampled]).
    """
    return nodes.LearnedUnigramCandidateSampler(
        true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, range_max=range_max, name=name,
        **node_seeds(seed),
    )  # fmt: skip


@atomic
def fixed_unigram_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Classes as frequent as given weights say: true_classes [n, num_true] -> ([num_sampled], [n, num_true], [num_sampled]).

    vocab_file: a file with a line for each class, the weight last after a comma; or unigrams: the weights. They count to the
    power of distortion, after num_reserved_ids classes of weight 0. num_shards, shard: every num_shards-th class alone.
    """
    return nodes.FixedUnigramCandidateSampler(
        true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, range_max=range_max, vocab_file=vocab_file,
        distortion=distortion, num_reserved_ids=num_reserved_ids, num_shards=num_shards, shard=shard, unigrams=unigrams,
        **node_seeds(seed), name=name,
    )  # fmt: skip


@atomic
def all_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, seed: int | None = None, name: str | None = None
) -> Any:
    """All classes in [0, num_sampled), for tests: true_classes [n, num_true] -> ([num_sampled], [n, num_true],
    [num_sampled]).
    """
    return nodes.AllCandidateSampler(
        true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, **node_seeds(seed), name=name
    )


@atomic
def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: int, seed: int | None = None, name: str | None = None
) -> Any:
    """Where sampled_candidates [k] are among a row's true_classes [n, num_true]: (rows, positions in [0, k), weights), [hits]
    each; the weights are the smallest float32, which takes such a candidate out of a softmax.
    """
    return nodes.ComputeAccidentalHits(true_classes, sampled_candidates, num_true=num_true, **node_seeds(seed), name=name)


__all__ = [
    "all_candidate_sampler", "compute_accidental_hits", "fixed_unigram_candidate_sampler", "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler", "uniform_candidate_sampler",
]  # fmt: skip
