"""`tf.contrib.nn` and `tf.contrib.sparsemax` of TF 1.15: alpha_dropout, scaled_softplus, sparsemax. No state."""

from __future__ import annotations

from numbers import Real
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection, sequences
from ...lib.framework.scope_blocks import named
from ...lib.framework.static_value import constant_value
from ...lib.math import math, random, reductions
from ...lib.nn import activations, cross_entropy
from ...op.tensor_functions import stack
from ...ops import math as math_ops
from ...ops import nn as ops

nth_element = ops.nth_element

_SATURATION = -1.7580993408473766  # what selu tends to for very small numbers


@atomic
def alpha_dropout(
    x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """x [...] where each element is kept with probability keep_prob, else set to the smallest value of selu; then scaled and
    shifted so that mean 0 and variance 1 stay. Source: Klambauer et al., "Self-normalizing neural networks" (2017).

    Raises: ValueError for a keep_prob outside (0, 1].
    """
    with named(name, "alpha_dropout", [x]):
        x = convert_to_tensor(x, name="x")
        if isinstance(keep_prob, Real) and not 0 < keep_prob <= 1:
            raise ValueError(
                error_text(f"keep_prob must be a scalar tensor or a float in the range (0, 1], got {keep_prob:g}")
            )
        keep_prob = convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep_prob.shape.assert_has_rank(0)
        if constant_value(keep_prob) == 1:
            return x
        noise = random.random_uniform(array.shape(x) if noise_shape is None else noise_shape, seed=seed, dtype=x.dtype)
        kept = math.cast(noise >= 1 - keep_prob, x.dtype)
        dropped = x * kept + _SATURATION * (1 - kept)
        scale = (keep_prob + keep_prob * (1 - keep_prob) * _SATURATION**2) ** -0.5
        shift = -scale * _SATURATION * (1 - keep_prob)
        result: Tensor = scale * dropped + shift
        return result


@atomic
def scaled_softplus(x: Any, alpha: Any, clip: Any = None, name: str | None = None) -> Tensor:
    """alpha · log(1 + exp(x / alpha)) [...], at most clip.

    Differs from TF: the gradient follows from the nodes, where TF calls a function of its own.
    """
    with named(name, "scaled_softplus", [x, alpha]):
        x = convert_to_tensor(x, name="x")
        alpha = convert_to_tensor(alpha, dtype=x.dtype, name="alpha")
        result: Tensor = alpha * activations.softplus(x / alpha)
        if clip is not None:
            clip = convert_to_tensor(clip, dtype=x.dtype, name="clip")
            result = math_ops.minimum(result, clip)
        return result


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None
) -> Tensor:
    """`tf.nn.softmax_cross_entropy_with_logits` with the logits first: [n, classes] -> [n]."""
    return cross_entropy.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None
) -> Tensor:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits` with the logits first: [..., classes] -> [...]."""
    return cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(logits: Any, targets: Any, name: str | None = None) -> Tensor:
    """`tf.nn.sigmoid_cross_entropy_with_logits` with the logits first: [...] -> [...]."""
    return cross_entropy.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)


# -- sparsemax -------------------------------------------------------------------------------------------------------------


@atomic
def sparsemax(logits: Any, name: str | None = None) -> Tensor:
    """The probabilities nearest to the logits: max(logits - t, 0), where t makes each row's sum 1: [n, classes] -> [n, classes].

    Source: Martins and Astudillo, "From softmax to sparsemax" (2016).
    """
    with named(name, "sparsemax", [logits]):
        logits = convert_to_tensor(logits, name="logits")
        rows, count = array.shape(logits)[0], array.shape(logits)[1]
        largest_first = selection.top_k(logits, k=count).values
        sums = sequences.cumsum(largest_first, axis=1)
        numbers = sequences.range(1, math.cast(count, logits.dtype) + 1, dtype=logits.dtype)
        is_supported = 1 + numbers * largest_first > sums
        support = reductions.reduce_sum(math.cast(is_supported, "int32"), axis=1)
        at_least_one = math.maximum(support, 1)
        last = stack([sequences.range(0, rows), at_least_one - 1], axis=1)
        threshold = (selection.gather_nd(sums, last) - 1) / math.cast(support, logits.dtype)
        probabilities = math.maximum(math.cast(0, logits.dtype), logits - threshold[:, None])
        # A row with a NaN or an infinite logit has no such t.
        has_none = math.logical_or(math.equal(support, 0), math.is_nan(sums[:, -1]))
        nothing = array.fill([rows, count], math.cast(float("nan"), logits.dtype))
        return selection.where(has_none, nothing, probabilities)


@atomic
def sparsemax_loss(logits: Any, sparsemax: Any, labels: Any, name: str | None = None) -> Tensor:
    """The loss whose gradient with respect to the logits is sparsemax(logits) - labels: three [n, classes] -> [n].

    sparsemax: `sparsemax(logits)`.
    """
    with named(name, "sparsemax_loss", [logits, sparsemax, labels]):
        logits = convert_to_tensor(logits, name="logits")
        sparsemax = convert_to_tensor(sparsemax, name="sparsemax")
        labels = convert_to_tensor(labels, name="labels")
        is_supported = math.logical_or(sparsemax > 0, math.is_nan(sparsemax))
        of_support = selection.where(is_supported, sparsemax * (logits - 0.5 * sparsemax), array.zeros_like(sparsemax))
        of_labels = labels * (0.5 * labels - logits)
        # 0 times an infinite logit counts as 0.
        is_left_out = math.logical_and(math.equal(labels, 0), math.is_inf(logits))
        of_labels = selection.where(is_left_out, array.zeros_like(logits), of_labels)
        return reductions.reduce_sum(of_support + of_labels, axis=1)


__all__ = [
    "alpha_dropout", "deprecated_flipped_sigmoid_cross_entropy_with_logits",
    "deprecated_flipped_softmax_cross_entropy_with_logits", "deprecated_flipped_sparse_softmax_cross_entropy_with_logits",
    "nth_element", "scaled_softplus", "sparsemax", "sparsemax_loss",
]  # fmt: skip
