"""`tf.distributions.kl_divergence` and `RegisterKL`: the divergence of two distributions by a rule for their classes.

State: `_rules`, the registered rules by the pair of classes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ..checks import asserts
from ..control.grouping import identity
from ..framework.scope_blocks import control_dependencies, named
from ..math import math, reductions

Rule = Callable[..., Any]

_rules: dict[tuple[type, type], Rule] = {}


class RegisterKL:
    """`@RegisterKL(Normal, Laplace)` above a function (a, b, name=None): `kl_divergence` calls it for these classes and
    for classes that are derived from them.

    Raises: TypeError for a rule that is not callable, ValueError for a pair that has a rule already.
    """

    def __init__(self, dist_cls_a: type, dist_cls_b: type) -> None:
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn: Rule) -> Rule:
        if not callable(kl_fn):
            raise TypeError(error_text(f"kl_fn must be callable, received: {kl_fn}"))
        if self._key in _rules:
            first, second = (kind.__name__ for kind in self._key)
            raise ValueError(error_text(f"KL({first} || {second}) has already been registered to: {_rules[self._key]}"))
        _rules[self._key] = kl_fn
        return kl_fn


def _rule_for(first: type, second: type) -> Rule | None:
    """The rule of the pair of base classes that is the fewest steps away, the first class's nearest one among equals."""
    pairs = [
        (steps_a + steps_b, steps_a, (base_a, base_b))
        for steps_a, base_a in enumerate(inspect.getmro(first))
        for steps_b, base_b in enumerate(inspect.getmro(second))
        if (base_a, base_b) in _rules
    ]
    return _rules[min(pairs, key=lambda pair: pair[:2])[2]] if pairs else None


@atomic
def kl_divergence(
    distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True, name: str | None = None
) -> Tensor:
    """The Kullback-Leibler divergence of a from b, in nats: [batch...].

    allow_nan_stats: False makes a run fail in which the divergence is not a number.
    Raises: NotImplementedError when no rule is registered for the classes of a and b.
    """
    kinds = type(distribution_a), type(distribution_b)
    rule = _rule_for(*kinds)
    if rule is None:
        raise NotImplementedError(
            error_text(
                f"No KL(distribution_a || distribution_b) registered for distribution_a type {kinds[0].__name__} and "
                f"distribution_b type {kinds[1].__name__}"
            )
        )
    with named(None, "KullbackLeibler"):
        divergence = rule(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return divergence
        divergence = identity(divergence, name="kl")
        numbers = math.logical_not(reductions.reduce_any(math.is_nan(divergence)))
        text = (
            f"KL calculation between {distribution_a.name} and {distribution_b.name} returned NaN values (and was called "
            "with allow_nan_stats=False). Values:"
        )
        with control_dependencies([asserts.Assert(numbers, [text, divergence])]):
            return identity(divergence, name="checked_kl")


@atomic
def cross_entropy(ref: Any, other: Any, allow_nan_stats: bool = True, name: str | None = None) -> Tensor:
    """The expected -log other.prob(x) of x drawn from `ref`, in nats: [batch...]."""
    with named(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)
