"""`tf.contrib.layers.optimize_loss`: a training step in one call, with clipping, noise, decay and summaries. No state.

    train = optimize_loss(loss, tf.train.get_global_step(), learning_rate=0.1, optimizer="SGD", clip_gradients=5.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection
from ...lib.checks.type_asserts import assert_scalar
from ...lib.control.grouping import with_dependencies
from ...lib.framework.collections import get_collection
from ...lib.framework.graph_keys import GraphKeys
from ...lib.math import math, random
from ...lib.math.clip import clip_by_global_norm, global_norm
from ...lib.summaries import summary
from ...lib.variables.initializers import Constant, Zeros
from ...lib.variables.moving_averages import assign_moving_average
from ...lib.variables.variable_scope import get_variable, variable_scope
from ...lib.variables.variables import trainable_variables
from ...op.composites import IndexedSlices
from ...training.optimizers.algorithms import (
    AdagradOptimizer,
    AdamOptimizer,
    FtrlOptimizer,
    GradientDescentOptimizer,
    MomentumOptimizer,
    RMSPropOptimizer,
)
from ...training.optimizers.optimizer import Optimizer
from ...training.sessions.global_step import assert_global_step, get_global_step

OPTIMIZER_CLS_NAMES: dict[str, Any] = {
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "Momentum": lambda learning_rate: MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}
OPTIMIZER_SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"]
_DEFAULT_SUMMARIES = ["loss", "learning_rate", "global_gradient_norm"]
Pairs = list[tuple[Any, Any]]


@atomic
def optimize_loss(
    loss: Any,
    global_step: Any,
    learning_rate: Any,
    optimizer: Any,
    gradient_noise_scale: float | None = None,
    gradient_multipliers: dict[Any, Any] | None = None,
    clip_gradients: Any = None,
    learning_rate_decay_fn: Callable[[Any, Any], Any] | None = None,
    update_ops: Iterable[Any] | None = None,
    variables: Sequence[Any] | None = None,
    name: str | None = None,
    summaries: Sequence[str] | None = None,
    colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Tensor:
    """The loss, a scalar, as a tensor whose computation runs one training step.

    global_step: None is the graph's. learning_rate: a float or a scalar tensor. optimizer: a name of OPTIMIZER_CLS_NAMES, a
    class, an object, or a function of the learning rate (of nothing, without one). gradient_noise_scale: that of the noise
    that is added to the gradients. gradient_multipliers: variable or its name -> factor of its gradient. clip_gradients: the
    greatest norm of all gradients together, or a function of pairs (gradient, variable). learning_rate_decay_fn: from
    learning rate and step to the learning rate. update_ops: what runs before the loss, by default UPDATE_OPS. summaries: of
    OPTIMIZER_SUMMARIES.

    Raises: ValueError for a loss or learning rate that is no scalar, an unknown optimizer, summary or clip_gradients, and without
    gradients.
    """
    loss = convert_to_tensor(loss)
    assert_scalar(loss)
    if global_step is None:
        global_step = get_global_step()
    else:
        assert_global_step(global_step)
    with variable_scope(name, "OptimizeLoss", [loss, global_step]):
        before = list(dict.fromkeys(get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else update_ops))
        if before:
            loss = with_dependencies(before, loss)
        rate = None if learning_rate is None else _learning_rate(learning_rate)
        wanted = _DEFAULT_SUMMARIES if summaries is None else summaries
        for kind in wanted:
            if kind not in OPTIMIZER_SUMMARIES:
                known = ", ".join(OPTIMIZER_SUMMARIES)
                raise ValueError(error_text(f"Summaries should be one of [{known}], you provided {kind}."))
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError(error_text("global_step is required for learning_rate_decay_fn."))
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in wanted:
                summary.scalar("learning_rate", rate)
        chosen = _optimizer(optimizer, rate)
        gradients = chosen.compute_gradients(
            loss,
            trainable_variables() if variables is None else variables,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        if gradient_noise_scale is not None:
            gradients = _with_noise(gradients, gradient_noise_scale)
        if gradient_multipliers is not None:
            gradients = _multiplied(gradients, gradient_multipliers)
        with_norms = "global_gradient_norm" in wanted or "gradient_norm" in wanted
        if with_norms:
            summary.scalar("global_norm/gradient_norm", global_norm([gradient for gradient, _ in gradients]))
        gradients = _clipped(gradients, clip_gradients)
        if "loss" in wanted:
            summary.scalar("loss", loss)
        _summarize(gradients, wanted)
        if clip_gradients is not None and with_norms:
            summary.scalar("global_norm/clipped_gradient_norm", global_norm([gradient for gradient, _ in gradients]))
        updates = chosen.apply_gradients(
            gradients, global_step=global_step if increment_global_step else None, name="train"
        )
        return with_dependencies([updates], loss)


def _learning_rate(learning_rate: Any) -> Any:
    """The tensor, or a variable "learning_rate" that begins at the number."""
    if isinstance(learning_rate, Tensor) and learning_rate.shape.ndims == 0:
        return learning_rate
    if isinstance(learning_rate, float):
        if learning_rate < 0.0:
            raise ValueError(error_text(f"('Invalid learning_rate %s.', {learning_rate})"))
        return get_variable("learning_rate", [], trainable=False, initializer=Constant(learning_rate))
    raise ValueError(
        error_text(f"Learning rate should be 0d Tensor or float. Got {learning_rate} of type {type(learning_rate)}")
    )


def _optimizer(optimizer: Any, rate: Any) -> Optimizer:
    if isinstance(optimizer, str):
        if optimizer not in OPTIMIZER_CLS_NAMES:
            names = ", ".join(OPTIMIZER_CLS_NAMES)
            raise ValueError(error_text(f"Optimizer name should be one of [{names}], you provided {optimizer}."))
        if rate is None:
            raise ValueError(
                error_text(f"Learning rate is None, but should be specified if optimizer is string ({optimizer}).")
            )
        return OPTIMIZER_CLS_NAMES[optimizer](learning_rate=rate)
    if isinstance(optimizer, type) and issubclass(optimizer, Optimizer):
        if rate is None:
            raise ValueError(
                error_text(f"Learning rate is None, but should be specified if optimizer is class ({optimizer}).")
            )
        return optimizer(learning_rate=rate)
    if isinstance(optimizer, Optimizer):
        return optimizer
    if callable(optimizer):
        made = optimizer() if rate is None else optimizer(rate)
        if not isinstance(made, Optimizer):
            raise ValueError(
                error_text(f"Unrecognized optimizer: function should return subclass of Optimizer. Got {made}.")
            )
        return made
    raise ValueError(
        error_text(
            "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass of Optimizer or function "
            f"with one argument. Got {optimizer}."
        )
    )


# -- gradients --------------------------------------------------------------------------------------------------------


def _clipped(pairs: Pairs, clip_gradients: Any) -> Pairs:
    if isinstance(clip_gradients, float):
        gradients, variables = zip(*pairs)
        clipped, _ = clip_by_global_norm(gradients, clip_gradients)
        return list(zip(clipped, variables))
    if callable(clip_gradients):
        return clip_gradients(pairs)
    if clip_gradients is not None:
        raise ValueError(error_text(f"Unknown type {type(clip_gradients)} for clip_gradients"))
    return pairs


def _with_noise(pairs: Pairs, scale: Any) -> Pairs:
    """Each gradient plus truncated normal numbers · scale."""
    noisy = []
    for gradient, variable in pairs:
        if gradient is None:
            noisy.append((None, variable))
            continue
        shape = gradient.dense_shape if isinstance(gradient, IndexedSlices) else gradient.shape
        noisy.append((gradient + random.truncated_normal(shape) * scale, variable))
    return noisy


def _multiplied(pairs: Pairs, multipliers: dict[Any, Any]) -> Pairs:
    """Each gradient times the factor of its variable or of that's name."""
    multiplied = []
    for gradient, variable in pairs:
        if gradient is not None and (variable in multipliers or variable.name in multipliers):
            key = variable if variable in multipliers else variable.name
            factor = math.cast(multipliers[key], dtypes.float32)
            if isinstance(gradient, IndexedSlices):
                gradient = IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
            else:
                gradient = gradient * factor
        multiplied.append((gradient, variable))
    return multiplied


def _summarize(pairs: Pairs, wanted: Sequence[str]) -> None:
    """A histogram and the norm of each gradient, where they are wanted."""
    for gradient, variable in pairs:
        values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
        if values is None:
            continue
        tag = variable.name.replace(":", "_")
        if "gradients" in wanted:
            summary.histogram(f"gradients/{tag}", values)
        if "gradient_norm" in wanted:
            summary.scalar(f"gradient_norm/{tag}", global_norm([values]))


# -- clipping by the norms so far ---------------------------------------------------------------------------------------


def adaptive_clipping_fn(
    std_factor: float = 2.0,
    decay: float = 0.95,
    static_max_norm: float | None = None,
    global_step: Any = None,
    report_summary: bool = False,
    epsilon: float = 1e-8,
    name: str | None = None,
) -> Callable[[Pairs], Pairs]:
    """A function for clip_gradients: it scales gradients down whose norm is far above those so far, to the mean of those.

    Far is std_factor standard deviations of the norms' logarithms, which are moving averages. static_max_norm: a limit beside.
    global_step: averages over fewer steps at the beginning. report_summary: a summary of the limit.
    """

    def gradient_clipping(pairs: Pairs) -> Pairs:
        gradients, variables = zip(*pairs)
        norm = global_norm(gradients)
        limit, log_mean = _adaptive_limit(norm, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            summary.scalar("global_norm/adaptive_max_gradient_norm", limit)
        factor = selection.where(norm < limit, array.ones_like(norm), math.exp(log_mean) / norm)
        if static_max_norm is not None:
            factor = math.minimum(static_max_norm / norm, factor)
        clipped = []
        for gradient in gradients:
            if isinstance(gradient, IndexedSlices):
                clipped.append(IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape))
            else:
                clipped.append(None if gradient is None else gradient * factor)
        return list(zip(clipped, variables))

    return gradient_clipping


def _adaptive_limit(
    norm: Tensor, std_factor: float, decay: Any, global_step: Any, epsilon: float, name: str | None
) -> tuple[Tensor, Tensor]:
    """(the limit, the moving mean of the logarithm) of a norm."""
    with variable_scope(name, "AdaptiveMaxNorm", [norm]):
        log_norm = math.log(norm + epsilon)
        if global_step is not None:
            step = math.cast(global_step, dtypes.float32)
            decay = math.minimum(decay, step / (step + 1.0))

        def moving_average(which: str, value: Tensor) -> Any:
            average = get_variable(
                which, shape=value.shape, dtype=value.dtype, initializer=Zeros(), trainable=False
            )
            return assign_moving_average(average, value, decay, zero_debias=False)

        mean = moving_average("mean", log_norm)
        mean_square = moving_average("sq_mean", math.square(log_norm))
        deviation = math.sqrt(math.maximum(epsilon, mean_square - math.square(mean)))
        return math.exp(mean + std_factor * deviation), mean


__all__ = ["OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "adaptive_clipping_fn", "optimize_loss"]
