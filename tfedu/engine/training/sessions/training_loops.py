"""Training in one call (tf.contrib.training): `train(create_train_op(loss, optimizer), logdir)`. No state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ...base import log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.arrays.array import check_numerics as _check_numerics
from ...lib.control.grouping import no_op, with_dependencies
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import name_scope, waiting_for
from ...lib.math.clip import clip_by_norm, global_norm
from ...lib.summaries import summary
from ...lib.variables.variables import trainable_variables
from ...op.composites import IndexedSlices
from ..optimizers.optimizer import Optimizer
from .global_step import get_or_create_global_step
from .monitored import MonitoredTrainingSession

_THE_GRAPH_S: Final = 0
Pairs = list[tuple[Any, Any]]


@atomic
def create_train_op(
    total_loss: Any,
    optimizer: Optimizer,
    global_step: Any = _THE_GRAPH_S,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Any = None,
    transform_grads_fn: Callable[[Pairs], Pairs] | None = None,
    summarize_gradients: bool = False,
    gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> Tensor:
    """The loss, of total_loss's shape, as a tensor whose computation runs one training step.

    global_step: by default the graph's. update_ops: operations that run before the loss, by default the collection
    UPDATE_OPS. transform_grads_fn: from the pairs (gradient, variable) to other pairs. check_numerics: a loss of inf or nan
    is an error. Raises: ValueError without variables to train.
    """
    if global_step is _THE_GRAPH_S:
        global_step = get_or_create_global_step()
    collected_ops = get_default_graph().get_collection(GraphKeys.UPDATE_OPS)
    ops_before_loss = list(dict.fromkeys(collected_ops if update_ops is None else update_ops))
    if not set(collected_ops).issubset(ops_before_loss):
        log.warn("update_ops in create_train_op does not contain all the update_ops in GraphKeys.UPDATE_OPS")
    if ops_before_loss:
        with waiting_for(ops_before_loss):
            barrier = no_op(name="update_barrier")
        total_loss = with_dependencies([barrier], total_loss)
    variables = trainable_variables() if variables_to_train is None else variables_to_train
    if not variables:
        raise ValueError(
            error_text("There are no variables to train.", fix="create variables before the train_op")
        )
    for variable in variables:
        if not variable.trainable and variable not in trainable_variables():
            raise ValueError(error_text(f"{variable.name} is not trainable."))
    pairs = optimizer.compute_gradients(
        total_loss,
        variables,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )
    if transform_grads_fn:
        pairs = transform_grads_fn(pairs)
    if summarize_gradients:
        with name_scope("summarize_grads"):
            add_gradients_summaries(pairs)
    update = optimizer.apply_gradients(pairs, global_step=global_step)
    with name_scope("train_op"):
        if check_numerics:
            total_loss = _check_numerics(total_loss, "LossTensor is inf or nan")
        step: Tensor = with_dependencies([update], total_loss)
    train_ops = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
    if not any(one is step for one in train_ops):
        train_ops.append(step)
    return step


def _values(gradient: Any) -> Any:
    return gradient.values if isinstance(gradient, IndexedSlices) else gradient


def _map_values(gradient: Any, function: Callable[[Any], Any]) -> Any:
    """The gradient, a tensor or IndexedSlices, with function(values) as its values."""
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(function(gradient.values), gradient.indices, gradient.dense_shape)
    return function(gradient)


@atomic
def add_gradients_summaries(grads_and_vars: Pairs) -> list[Tensor]:
    """Summaries of each gradient: a histogram and the norm; strings, scalars."""
    summaries = []
    for gradient, variable in grads_and_vars:
        if gradient is None:
            log.info("Var %s has no gradient", variable.op.name)
            continue
        summaries.append(summary.histogram(f"{variable.op.name}_gradient", _values(gradient)))
        summaries.append(summary.scalar(f"{variable.op.name}_gradient_norm", global_norm([_values(gradient)])))
    return summaries


@atomic
def clip_gradient_norms(gradients_to_variables: Pairs, max_norm: Any) -> Pairs:
    """The pairs (gradient, variable), each gradient scaled to an L2 norm of at most `max_norm`."""
    return [
        (None if gradient is None else _map_values(gradient, lambda values: clip_by_norm(values, max_norm)), variable)
        for gradient, variable in gradients_to_variables
    ]


def clip_gradient_norms_fn(max_norm: Any) -> Callable[[Pairs], Pairs]:
    """`clip_gradient_norms` with this norm, for `create_train_op(transform_grads_fn=…)`."""
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


@atomic
def multiply_gradients(grads_and_vars: Pairs, gradient_multipliers: dict[Any, Any]) -> Pairs:
    """The pairs (gradient, variable), some gradients multiplied by a factor.

    gradient_multipliers: factors by variable or variable name.
    Raises: ValueError for pairs that are no list, multipliers that are no dict, and a variable without gradient.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError(error_text("`grads_and_vars` must be a list."))
    if not gradient_multipliers:
        raise ValueError(error_text("`gradient_multipliers` is empty."))
    if not isinstance(gradient_multipliers, dict):
        raise ValueError(error_text("`gradient_multipliers` must be a dict."))
    multiplied = []
    for gradient, variable in grads_and_vars:
        factor = gradient_multipliers.get(variable, gradient_multipliers.get(variable.op.name))
        if factor is not None:
            if gradient is None:
                raise ValueError(error_text("Requested multiple of `None` gradient."))
            gradient = _map_values(gradient, lambda v, g=gradient, by=factor: v * convert_to_tensor(by, dtype=g.dtype))
        multiplied.append((gradient, variable))
    return multiplied


def train(
    train_op: Any,
    logdir: Any,
    master: str = "",
    is_chief: bool = True,
    scaffold: Any = None,
    hooks: Any = None,
    chief_only_hooks: Any = None,
    save_checkpoint_secs: float | None = 600,
    save_summaries_steps: int | None = 100,
    config: Any = None,
    max_wait_secs: float = 7200,
    run_metadata: Any = None,
) -> Any:
    """Runs `train_op` until a hook stops it; returns the last loss.

    Raises: ValueError for checkpoints or summaries without a folder.
    """
    if logdir is None and is_chief:
        if save_summaries_steps:
            raise ValueError(error_text("logdir cannot be None when save_summaries_steps is not None"))
        if save_checkpoint_secs:
            raise ValueError(error_text("logdir cannot be None when save_checkpoint_secs is not None"))
    loss = None
    with MonitoredTrainingSession(
        master=master,
        is_chief=is_chief,
        checkpoint_dir=logdir,
        scaffold=scaffold,
        hooks=hooks,
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
        max_wait_secs=max_wait_secs,
    ) as session:
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss


__all__ = [
    "add_gradients_summaries", "clip_gradient_norms", "clip_gradient_norms_fn", "create_train_op", "multiply_gradients",
    "train",
]  # fmt: skip
