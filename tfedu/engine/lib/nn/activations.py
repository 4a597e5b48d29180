"""Activation functions: `tf.nn.relu`, `tf.nn.softmax` …, with the signatures of TF 1.15. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes, errors
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.tensor_functions import identity
from ...ops import activations as activation_ops
from ...ops import math as ops
from ..arrays import array
from ..arrays.sequences import range
from ..control.grouping import identity_n
from ..framework.dispatch import takes_ragged
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named
from ..math.math import cast, multiply, negative, subtract

relu, elu, selu = activation_ops.relu, activation_ops.elu, activation_ops.selu
softsign, softplus = activation_ops.softsign, activation_ops.softplus


@takes_ragged
@atomic
def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """log(1 / (1 + exp(-x))) [...]."""
    with named(name, "LogSigmoid", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return negative(activation_ops.softplus(negative(x)), name=scope)


SWISH = "CustomGradient-swish"  # its gradient rule, in autodiff/activation_rules.py


@atomic
def swish(features: Any) -> Tensor:
    """x · sigmoid(x) [...]. Source: Ramachandran et al., "Searching for activation functions" (2017)."""
    features = convert_to_tensor(features)
    result = features * ops.sigmoid(features)
    identity(result)  # TF makes it, and no node uses it
    # The gradient goes to the features past the nodes above: it computes the sigmoid again instead of keeping it.
    with features.graph.gradient_override_map({"IdentityN": SWISH}):
        passed: Tensor = identity_n([result, features])[0]
    return passed


@atomic
def relu6(features: Any, name: str | None = None) -> Tensor:
    """x [...] limited to 0 ≤ x ≤ 6."""
    with named(name, "Relu6", [features]) as scope:
        return activation_ops.relu6(convert_to_tensor(features, name="features"), name=scope)


@atomic
def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """x where x > 0, else alpha · x [...]."""
    with named(name, "LeakyRelu", [features, alpha]) as scope:
        features = convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            features = cast(features, dtypes.float32)
        if isinstance(alpha, Tensor):
            return ops.maximum(multiply(alpha, features), features, name=scope)
        return activation_ops.leaky_relu(features, alpha=alpha, name=scope)


@atomic
def _over_axis(function: Any, logits: Any, axis: int, name: str | None) -> Tensor:
    """A softmax along any axis, which is exchanged with the last one before and after."""
    logits = convert_to_tensor(logits)
    rank = None if logits.raw_shape is None else len(logits.raw_shape)
    if axis == -1 or (rank is not None and axis == rank - 1):
        return function(logits, name=name)
    if rank is not None and not -rank <= axis < rank:
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Dimension ({axis}) must be in the range [{-rank}, {rank}) where {rank} is the number of dimensions in the input.",
        )
    dynamic_rank = array.rank(logits)
    position: Any = ops.add_v2(axis, dynamic_rank) if axis < 0 else axis
    last_axis = array.rank(logits)
    if rank is not None:
        position = axis % rank

    def swapped(tensor: Tensor, name: str | None = None) -> Tensor:
        last = subtract(last_axis, 1)
        order = array.concat([range(position), [last], range(position + 1, last), [position]], 0)
        return array.transpose(tensor, order, name=name)

    out = swapped(function(swapped(logits)), name=name)
    out.set_shape(logits.shape)
    return out


def softmax(logits: Any, axis: int | None = None, name: str | None = None, dim: int | None = None) -> Tensor:
    """exp(logits) divided by its sum along an axis, the last by default: [..., classes] -> [..., classes].

    Raises: InvalidArgumentError for an axis out of range.
    """
    chosen_axis = renamed("axis", axis, "dim", dim)
    return _over_axis(activation_ops.softmax, logits, -1 if chosen_axis is None else chosen_axis, name)


def log_softmax(
    logits: Any, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """The logarithm of `softmax` along an axis, the last by default: [..., classes] -> [..., classes].

    Raises: InvalidArgumentError for an axis out of range.
    """
    chosen_axis = renamed("axis", axis, "dim", dim)
    return _over_axis(activation_ops.log_softmax, logits, -1 if chosen_axis is None else chosen_axis, name)
