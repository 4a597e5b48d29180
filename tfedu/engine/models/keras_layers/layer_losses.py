"""What a layer adds to a model's training: `layer.losses`, `layer.updates`, `add_metric`. State: the lists of `LayerLosses`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from ...base import dtypes
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation
from ...lib.framework.scope_blocks import name_scope
from ...lib.variables.partitioned import PartitionedVariable
from ..keras_parts.keras_config import floatx
from .call_context import calls, ops_of, reachable_ops


class _Kept(NamedTuple):
    """A loss or an update, and whether it depends on the layer's inputs."""

    value: Any
    depends_on_inputs: bool


def as_list(value: Any) -> list[Any]:
    """A list as it is, anything else in a list."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def add_elements_to_collection(elements: list[Any], name: str) -> None:
    """Adds to the collection those elements that it does not hold."""
    graph = get_default_graph()
    present = {id(element) for element in graph.get_collection_ref(name)}
    for element in elements:
        if id(element) not in present:
            graph.add_to_collection(name, element)


class LayerLosses:
    """The part of a layer that holds losses and updates."""

    trainable: bool
    stateful: bool
    _layers: list[Any]

    def __init__(self) -> None:
        super().__init__()
        self._losses: list[_Kept] = []
        self._callable_losses: list[Callable[[], Any]] = []
        self._updates: list[_Kept] = []
        self._metrics: list[Any] = []

    # -- losses --------------------------------------------------------------------------------------------------------

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds scalar losses: tensors, numbers, or functions without arguments that return one; None is skipped.

        inputs: anything but None says that the losses depend on the layer's inputs.
        """
        for loss in as_list(losses):
            if callable(loss):
                self._callable_losses.append(loss)
                self._note_loss(loss)
            elif loss is not None:
                loss = as_loss(loss)
                self._losses.append(_Kept(loss, inputs is not None))
                self._note_loss(loss)

    def _note_loss(self, loss: Any) -> None:
        """What else becomes of a new loss, a tensor or a function that gives one: nothing."""

    def _regularize(self, variable: Any, regularizer: Callable[[Any], Any], name: str) -> None:
        """Adds the regularizer's loss of the variable, or of each part of a partitioned one."""

        def loss_of(part: Any) -> Any:
            with name_scope(f"{name}/Regularizer"):
                return regularizer(part)

        for part in variable if isinstance(variable, PartitionedVariable) else [variable]:
            self.add_loss(functools.partial(loss_of, part))

    @property
    def losses(self) -> list[Any]:
        """The losses, with those of the layers inside; those of functions are built anew each time, as in TF."""
        return [loss for loss, _ in self._all_losses()]

    def _all_losses(self) -> list[_Kept]:
        computed = (loss() for loss in self._callable_losses)
        own = self._losses + [_Kept(as_loss(loss), False) for loss in computed if loss is not None]
        return own + [kept for layer in self._layers for kept in layer._all_losses()]

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on `inputs`; with None, those that depend on no inputs."""
        return _depending(self._all_losses(), inputs)

    # -- metrics -------------------------------------------------------------------------------------------------------

    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Adds a metric that `fit` and `evaluate` report under the name.

        value: a tensor, whose mean over all batches is reported, with aggregation "mean"; or the result of a call of a metric.

        Raises: ValueError for another aggregation, a tensor without a name, and a tensor of no metric without aggregation.
        """
        if aggregation not in (None, "mean"):
            raise ValueError(
                error_text(
                    "We currently support only `mean` sample-wise metric aggregation. You provided "
                    f"aggregation=`{aggregation}`"
                )
            )
        metric = getattr(value, "_metric_obj", None)
        name = name if metric is None else metric.name
        if name is None:
            raise ValueError(
                error_text(
                    "Please provide a name for your metric like `self.add_metric(tf.reduce_sum(inputs), "
                    "name='mean_activation', aggregation='mean')`"
                )
            )
        self._note_metric(value, metric, aggregation, name)

    def _note_metric(self, value: Any, metric: Any, aggregation: str | None, name: str) -> None:
        known = next((each for each in self._metrics if each.name == name), None)
        if aggregation is not None:
            if known is None:
                self._metrics.append(known := self._new_mean(name))
            known(value)
        elif known is None:
            if metric is None:
                raise ValueError(
                    error_text(
                        f"The value of {name!r} comes from no `tf.keras.metrics.Metric`, and no aggregation says how its values "
                        "become one",
                        fix="pass aggregation='mean', or the result of a call of a metric",
                    )
                )
            self._metrics.append(metric)

    @staticmethod
    def _new_mean(name: str) -> Any:
        """A metric that keeps a mean; `metric` attaches it, as metrics are layers."""

    # -- updates -------------------------------------------------------------------------------------------------------

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds operations (or tensors, or functions that return one) that change the layer's variables.

        A call of the layer adds them to the collection UPDATE_OPS. inputs: unused, as in TF 1.15; whether an update
        depends on the inputs is seen from the graph.
        """
        call = calls().current
        from_inputs = reachable_ops(call.inputs) if call is not None else set()
        for update in as_list(updates):
            while callable(update):
                update = update()
            if not isinstance(update, Operation):
                update = update.op if hasattr(update, "op") else convert_to_tensor(update)
            self._updates.append(_Kept(update, ops_of([update])[0] in from_inputs))

    @property
    def updates(self) -> list[Any]:
        """The updates, with those of the layers inside; none when `trainable` is False, unless the layer is stateful."""
        return [update for update, _ in self._all_updates()]

    def _all_updates(self) -> list[_Kept]:
        if not (self.trainable or self.stateful):
            return []
        return self._updates + [kept for layer in self._layers for kept in layer._all_updates()]

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates that depend on `inputs`; with None, those that depend on no inputs."""
        return _depending(self._all_updates(), inputs)


def as_loss(value: Any) -> Any:
    return value if hasattr(value, "op") else convert_to_tensor(value, dtypes.as_dtype(floatx()))


def _depending(kept: list[_Kept], inputs: Any) -> list[Any]:
    if inputs is None:
        return [value for value, depends in kept if not depends]
    reached = reachable_ops(inputs)
    return [value for value, depends in kept if depends and ops_of([value])[0] in reached]
