"""`Model`: a network that is trained: `compile` builds its losses and metrics, `fit`, `evaluate` and `predict` run it.

    model = Model(x, Dense(1)(x))
    model.compile("sgd", "mse")
    model.fit(xs, ys, epochs=10)

State: what `compile` was told, the endpoints, the total loss and the functions that train, evaluate and predict.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...lib.framework import nest
from ...lib.framework.placeholders import placeholder
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math
from ...lib.math.products import add_n
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.call_context import fed_phase, learning_phase
from ..keras_layers.layer_nodes import mask_of
from ..keras_layers.metric import Metric
from ..keras_parts import keras_optimizers
from ..keras_parts.graph_function import GraphFunction
from ..keras_parts.keras_config import floatx
from ..keras_parts.weighted_losses import (
    ReductionV2,
    compute_weighted_loss,
    of_one_rank,
    reduce_weighted_loss,
)
from . import training_data
from .endpoints import Endpoint, endpoints_of, loss_metric, metric_named, metrics_of
from .network import Network
from .training_methods import TrainingMethods

_NOT_COMPILED = "You must compile your model before training/testing. Use `model.compile(optimizer, loss)`."
_ARGUMENTS = ("inputs", "outputs", "name", "trainable")


class Model(TrainingMethods, Network):
    """A network that can be trained. inputs, outputs: Keras tensors or structures of these; a subclass defines `call`.

    Raises: ValueError as Network; TypeError for an unknown keyword.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) == 1 and isinstance(args[0], str):
            kwargs["name"], args = args[0], ()
        unknown = [key for key in kwargs if key not in _ARGUMENTS]
        if unknown or len(args) > len(_ARGUMENTS):
            raise TypeError(error_text(f"('Keyword argument not understood:', '{(unknown or ['args'])[0]}')"))
        super().__init__(**dict(zip(_ARGUMENTS, args)), **kwargs)
        self.optimizer: Any = None
        self.loss: Any = None
        self.loss_weights: Any = None
        self.sample_weight_mode: Any = None
        self.total_loss: Any = None
        self.stop_training = False
        self.history: Any = None
        self._is_compiled = False
        self._compile_arguments: dict[str, Any] = {}
        self._endpoints: list[Endpoint] = []
        self._compiled_metrics: list[Metric] = []
        self._functions: dict[str, Any] = {}
        self._collected_trainable_weights: list[Any] = []
        self._feeds_inputs = True
        self._own = frozenset(vars(self))

    def __setattr__(self, name: str, value: Any) -> None:
        if "_own" not in vars(self) and isinstance(value, KerasLayer):
            raise RuntimeError(
                error_text(
                    "It looks like you are subclassing `Model` and you forgot to call `super(YourClass, self).__init__()`. "
                    "Always start with this line."
                )
            )
        super().__setattr__(name, value)

    # -- compile -------------------------------------------------------------------------------------------------------

    def _saved_parts(self) -> dict[str, Any]:
        """The parts of the network and the optimizer."""
        optimizer = {} if self.optimizer is None else {"optimizer": self.optimizer}
        return {**super()._saved_parts(), **optimizer}

    def compile(
        self,
        optimizer: Any = "rmsprop",
        loss: Any = None,
        metrics: Any = None,
        loss_weights: Any = None,
        sample_weight_mode: Any = None,
        weighted_metrics: Any = None,
        target_tensors: Any = None,
        distribute: Any = None,
        **kwargs: Any,
    ) -> None:
        """Builds the losses and metrics of the outputs.

        optimizer: a name, an optimizer of tf.keras or of tf.train. loss, metrics, loss_weights: for all outputs, or a list or
        dict by output; "accuracy" means what suits the loss. kwargs: options of `Session.run`.

        Raises: ValueError for an unknown name or output, or when there is nothing to train.
        """
        if distribute is not None or kwargs.pop("run_eagerly", False):
            raise ValueError(error_text("distribute and run_eagerly are not available: tfedu runs the graph in one session"))
        self.optimizer = keras_optimizers.get(optimizer)
        self.loss, self.loss_weights, self.sample_weight_mode = loss, loss_weights, sample_weight_mode
        self._compile_arguments = {
            "metrics": metrics, "weighted_metrics": weighted_metrics, "target_tensors": target_tensors, "options": kwargs,
        }  # fmt: skip
        self._is_compiled = True
        if self.outputs:
            get_default_graph().attempt(self._build_losses_and_metrics)

    def _build_losses_and_metrics(self) -> None:
        told = self._compile_arguments
        self._endpoints = endpoints_of(self.output_names, self.outputs, self.loss, self.loss_weights)
        trained = [endpoint for endpoint in self._endpoints if endpoint.is_trained]
        targets = told["target_tensors"]
        names = [endpoint.name for endpoint in trained]
        given = [None] * len(trained) if targets is None else training_data.as_arrays(targets, names, "target")
        for endpoint, target in zip(trained, given):
            endpoint.create_target(target)
        self._create_metrics(told["metrics"], told["weighted_metrics"])
        self._call_metrics()
        self._build_total_loss()
        self._functions = {}
        self._collected_trainable_weights = self.trainable_weights

    def _create_metrics(self, metrics: Any, weighted_metrics: Any) -> None:
        self._compiled_metrics = []
        for attribute, told in (("metrics", metrics), ("weighted_metrics", weighted_metrics)):
            found = metrics_of(told, self.output_names)
            for endpoint, entries in zip(self._endpoints, found):
                made = [metric_named(entry, endpoint) for entry in entries] if endpoint.is_trained else []
                for metric in made:
                    self._name_metric(metric, endpoint, "weighted_" if attribute == "weighted_metrics" else "")
                setattr(endpoint, attribute, made)
        if len(self.outputs) > 1:
            for endpoint in self._endpoints:
                if endpoint.is_trained:
                    endpoint.loss_metric = loss_metric(endpoint)

    def _name_metric(self, metric: Metric, endpoint: Endpoint, prefix: str) -> None:
        """Gives the metric a name that tells its output, and that no other has."""
        name = f"{endpoint.name}_{prefix}{metric.name}" if len(self.outputs) > 1 else f"{prefix}{metric.name}"
        unique, number = name, 1
        while unique in {each.name for each in self._compiled_metrics}:
            unique, number = f"{name}_{number}", number + 1
        metric._name = unique
        self._compiled_metrics.append(metric)

    def _call_metrics(self) -> None:
        with name_scope("metrics"):
            for endpoint in self._endpoints:
                mask = mask_of(endpoint.output)
                for metric in endpoint.metrics:
                    self._call_metric(metric, endpoint, None, mask)
                for metric in endpoint.weighted_metrics:
                    self._call_metric(metric, endpoint, endpoint.sample_weight, mask)

    def _call_metric(self, metric: Metric, endpoint: Endpoint, weight: Any, mask: Any) -> None:
        with name_scope(metric.name):
            if mask is not None:
                mask = math.cast(mask, endpoint.output.dtype)
                if weight is None:
                    weight = mask
                else:
                    mask, _, weight = of_one_rank(mask, None, weight)
                    weight = weight * mask
            metric(endpoint.target, endpoint.output, sample_weight=weight)

    def _build_total_loss(self) -> None:
        total: Any = None
        with name_scope("loss"):
            for endpoint in self._endpoints:
                if endpoint.is_trained:
                    loss = endpoint.loss_weight * self._loss_of(endpoint)
                    total = loss if total is None else total + loss
            if total is None and not self.losses:
                raise ValueError(error_text("The model cannot be compiled because it has no loss to optimize."))
            added = [*self.get_losses_for(None), *self.get_losses_for(self.inputs)]
            if added:
                total = add_n(added) if total is None else total + add_n(added)
        self.total_loss = total

    def _loss_of(self, endpoint: Endpoint) -> Any:
        loss_fn, weight = endpoint.loss_fn, endpoint.sample_weight
        with name_scope(f"{endpoint.name}_loss"):
            mask = mask_of(endpoint.output)
            if mask is not None:
                mask = math.cast(mask, endpoint.output.dtype)
                if weight is None:
                    weight = mask
                else:
                    mask, _, weight = of_one_rank(mask, None, weight)
                    weight = weight * mask
            losses = loss_fn.call(endpoint.target, endpoint.output)
            weighted = compute_weighted_loss(losses, weight, ReductionV2.NONE)
            loss = reduce_weighted_loss(weighted, loss_fn.reduction)
        if endpoint.loss_metric is not None:
            endpoint.loss_metric(loss)
        return loss

    def _use_sample_weights(self) -> None:
        """Builds the losses anew, with placeholders for the samples' weights."""
        if any(endpoint.sample_weight is not None for endpoint in self._endpoints):
            return

        def build() -> None:
            modes = self.sample_weight_mode
            for endpoint in self._endpoints:
                if endpoint.is_trained:
                    mode = modes.get(endpoint.name) if isinstance(modes, dict) else modes
                    endpoint.create_sample_weight(mode == "temporal")
            with name_scope("metrics"):
                for endpoint in self._endpoints:
                    for metric in endpoint.weighted_metrics:
                        self._call_metric(metric, endpoint, endpoint.sample_weight, mask_of(endpoint.output))
            self._build_total_loss()
            self._functions = {}

        get_default_graph().attempt(build)

    # -- what is measured ----------------------------------------------------------------------------------------------

    @property
    def metrics(self) -> list[Metric]:
        """The metrics that `compile` was told, and those of the layers."""
        return [*self._compiled_metrics, *self._metrics, *[metric for layer in self.layers for metric in layer.metrics]]

    @property
    def _measured(self) -> list[Metric]:
        """All metrics that a step updates: of the outputs' losses, then the others."""
        return [*[each.loss_metric for each in self._endpoints if each.loss_metric is not None], *self.metrics]

    @property
    def metrics_names(self) -> list[str]:
        """The names of what `evaluate` gives: the loss, the outputs' losses if there are several, the metrics.

        Raises: RuntimeError before `compile`.
        """
        self._check_compiled()
        return ["loss", *[metric.name for metric in self._measured]]

    def reset_metrics(self) -> None:
        """Sets all metrics to zero."""
        for metric in self._measured:
            metric.reset_states()

    def _check_compiled(self) -> None:
        if not self._is_compiled:
            raise RuntimeError(error_text(_NOT_COMPILED))

    # -- inputs of a model without a map -------------------------------------------------------------------------------

    def _settle_inputs(self, x: Any) -> None:
        """Calls a model that has no inputs yet on placeholders that fit the data, or on tensors."""
        if self.inputs:
            return

        is_dict = isinstance(x, dict)

        def settle() -> None:
            values = [x[key] for key in sorted(x)] if is_dict else x if isinstance(x, (list, tuple)) else [x]
            if not all(hasattr(value, "shape") for value in values):
                values = [x]
            names = sorted(x) if is_dict else [f"input_{number}" for number in range(1, len(values) + 1)]
            tensors = []
            for name, value in zip(names, values):
                if hasattr(value, "op"):
                    tensors.append(value)
                    continue
                array = np.asarray(value)
                array = array[:, None] if array.ndim == 1 else array
                kind = floatx() if array.dtype.kind == "f" else "string" if array.dtype.kind in "OSU" else array.dtype
                tensors.append(placeholder(kind, shape=[None, *array.shape[1:]], name=name))
            arguments = {"training": learning_phase()} if "training" in self._call_parameters() else {}
            given = dict(zip(names, tensors)) if is_dict else tensors if len(tensors) > 1 else tensors[0]
            outputs = self(given, **arguments)
            self.inputs, self.input_names = tensors, names
            self.outputs = nest.flatten(outputs)
            self.output_names = [f"output_{number}" for number in range(1, len(self.outputs) + 1)]

        get_default_graph().attempt(settle)
        if self._is_compiled:
            get_default_graph().attempt(self._build_losses_and_metrics)

    # -- functions -----------------------------------------------------------------------------------------------------

    @property
    def train_function(self) -> GraphFunction | None:
        """One step of training: its `inputs` are the tensors that it feeds, its `updates_op` the step; None before the first."""
        return self._functions.get("train")

    @property
    def test_function(self) -> GraphFunction | None:
        """One step of evaluation; None before the first."""
        return self._functions.get("test")

    @property
    def predict_function(self) -> GraphFunction | None:
        """One step of prediction; None before the first."""
        return self._functions.get("predict")

    def _function(self, mode: str) -> GraphFunction:
        """The function of one step: mode "train", "test" or "predict"."""
        if mode not in self._functions:
            make = {"train": self._make_train_function, "test": self._make_test_function}
            self._functions[mode] = get_default_graph().attempt(make.get(mode, self._make_predict_function))
        found: GraphFunction = self._functions[mode]
        return found

    def _fed(self, with_targets: bool) -> list[Any]:
        """The tensors that a step feeds."""
        trained = [endpoint for endpoint in self._endpoints if endpoint.is_trained] if with_targets else []
        weights = [endpoint.sample_weight for endpoint in trained if endpoint.sample_weight is not None]
        phase = fed_phase()
        return [*self.inputs, *[each.target for each in trained], *weights, *([] if phase is None else [phase])]

    def _results(self) -> list[Any]:
        return [self.total_loss, *[metric._call_result for metric in self._measured if metric._call_result is not None]]

    def _make_train_function(self) -> GraphFunction:
        learning_phase()  # a step of training feeds it, also where no layer reads it
        with name_scope("training"):
            updates = self.optimizer.get_updates(params=self._collected_trainable_weights, loss=self.total_loss)
        measured = {id(update) for metric in self._measured for update in metric.updates}
        layers = [*self.get_updates_for(None), *self.get_updates_for(self.inputs)]
        updates = [*updates, *[update for update in layers if id(update) not in measured]]
        with name_scope("training"):
            return GraphFunction(
                self._fed(True), self._results(), updates, "train_function", **self._compile_arguments["options"]
            )

    def _make_test_function(self) -> GraphFunction:
        with name_scope("evaluation"):
            return GraphFunction(
                self._fed(True), self._results(), self.state_updates, "test_function", **self._compile_arguments["options"]
            )

    def _make_predict_function(self) -> GraphFunction:
        with name_scope("predict"):
            options = self._compile_arguments.get("options", {})
            return GraphFunction(self._fed(False), self.outputs, self.state_updates, "predict_function", **options)


__all__ = ["Model"]
