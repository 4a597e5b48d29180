"""Regularizers (`tf.contrib.layers`): functions from weights of any shape to a scalar loss that keeps them small. No state."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any

from ...base import log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.framework.collections import add_to_collection, get_collection
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math, reductions
from ...lib.math.math import l2_loss
from ...lib.math.products import add_n
from ...op.constant import constant

Regularizer = Callable[[Any], Any]


def _scaled(kind: str, penalty: Callable[[Any], Any], scale: Any, scope: str | None, end: str) -> Regularizer:
    if isinstance(scale, numbers.Integral):
        raise ValueError(error_text(f"scale cannot be an integer: {scale}", fix=f"write {float(scale)}"))
    if isinstance(scale, numbers.Real):
        if scale < 0.0:
            raise ValueError(error_text(f"Setting a scale less than 0 on a regularizer: {scale:g}{end}"))
        if scale == 0.0:
            log.info("Scale of 0 disables regularizer.")
            return lambda _: None

    @atomic
    def regularizer(weights: Any, name: str | None = None) -> Tensor:
        with name_scope(scope, kind, [weights]) as block:
            factor = convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return math.multiply(factor, penalty(weights), name=block)

    return regularizer


def l1_regularizer(scale: Any, scope: str | None = None) -> Regularizer:
    """A function from weights to scale · Σ |weights|, a scalar; drives many weights to 0. Scale 0: to None.

    Raises: ValueError for a scale that is negative or no float.
    """
    return _scaled("l1_regularizer", lambda weights: reductions.reduce_sum(math.abs(weights)), scale, scope, "")


def l2_regularizer(scale: Any, scope: str | None = None) -> Regularizer:
    """A function from weights to scale · Σ weights² / 2, a scalar. Scale 0: to None.

    Raises: ValueError for a scale that is negative or no float.
    """
    return _scaled("l2_regularizer", l2_loss, scale, scope, ".")


def l1_l2_regularizer(scale_l1: Any = 1.0, scale_l2: Any = 1.0, scope: str | None = None) -> Any:
    """A function from weights to the sum of their l1 and l2 losses, a scalar.

    Raises: ValueError for a scale that is negative or no float.
    """
    for name, scale in (("scale_l1", scale_l1), ("scale_l2", scale_l2)):
        if isinstance(scale, numbers.Integral):
            raise ValueError(error_text(f"{name} cannot be an integer: {scale}", fix=f"write {float(scale)}"))
    scope = scope or "l1_l2_regularizer"
    if isinstance(scale_l1, numbers.Real) and scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if isinstance(scale_l2, numbers.Real) and scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


def sum_regularizer(regularizer_list: Iterable[Any], scope: str | None = None) -> Regularizer | None:
    """A function from weights to the sum of several regularizers' losses; skips regularizers and losses that are None."""
    regularizers = [each for each in regularizer_list if each is not None]
    if not regularizers:
        return None

    @atomic
    def regularizer(weights: Any) -> Any:
        with name_scope(scope, "sum_regularizer", [weights]) as block:
            losses = [loss for loss in [each(weights) for each in regularizers] if loss is not None]
            return add_n(losses, name=block) if losses else None

    return regularizer


@atomic
def apply_regularization(regularizer: Regularizer, weights_list: Any = None) -> Tensor:
    """The sum of the regularizer's losses of all weights (by default the collection WEIGHTS), added to REGULARIZATION_LOSSES.

    Raises: ValueError without weights, or when the regularizer returns no scalar.
    """
    weights_list = weights_list or get_collection(GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError(error_text("No weights to regularize."))
    with name_scope("get_regularization_penalty", values=weights_list) as block:
        penalties = [regularizer(weights) for weights in weights_list]
        penalties = [constant(0.0) if penalty is None else penalty for penalty in penalties]
        for penalty in penalties:
            if penalty.shape.ndims != 0:
                rank = penalty.shape.ndims
                raise ValueError(
                    error_text(f"regularizer must return a scalar Tensor instead of a Tensor with rank {rank}.")
                )
        total = add_n(penalties, name=block)
        add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
        return total


__all__ = ["apply_regularization", "l1_l2_regularizer", "l1_regularizer", "l2_regularizer", "sum_regularizer"]
