"""`Layer`: an object that creates its variables when it is first called and shares them in later calls.

    layer = Dense(10, name="out")     # nothing is built
    y = layer(x)                      # variables out/kernel and out/bias, nodes out/MatMul and out/BiasAdd
    y2 = layer(x2)                    # the same variables, nodes out/MatMul_1 and out/BiasAdd_1

A subclass creates variables with `add_weight` in `build(input_shape)` and builds the output in `call(inputs)`.
State: each layer's variable scope, weights, losses and updates; `style.keras`.
"""

from __future__ import annotations

import inspect
from typing import Any, NoReturn, Self

import numpy as np

from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...lib.arrays import array
from ...lib.framework import nest
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import name_scope
from ...lib.framework.type_specs import TensorSpec
from ...lib.math import math
from ...lib.variables.variable_scope import VariableScope, variable_scope
from ...training.checkpoints.trackable import Checkpointable
from .built_layers import note_layer
from .call_context import calling, calls
from .input_spec import check_inputs, checked_spec
from .keras_style import style
from .layer_losses import add_elements_to_collection
from .layer_names import snake_case, unique_layer_name
from .layer_weights import LayerWeights

_KERAS_ARGUMENTS = ("input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer", "autocast", "dynamic")


class Layer(LayerWeights, Checkpointable):
    """A part of a model with its own variables, in a variable scope of the layer's name.

    trainable: whether its variables join the collection TRAINABLE_VARIABLES. dtype: of its weights, by default that of
    the first input. _scope, _reuse: the variable scope (or its name), and whether its variables must exist.

    Raises: TypeError for an unknown keyword.
    """

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__()
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        for key in kwargs:
            if key not in _KERAS_ARGUMENTS:
                raise TypeError(error_text(f"('Keyword argument not understood:', '{key}')"))
        self._keras_style = style.keras
        if self._keras_style:
            for what, value in (("scope", scope), ("reuse", self._reuse)):
                if value is not None:
                    raise ValueError(
                        error_text(f"{what} argument not allowed when keras style layers are enabled, but saw: {value}")
                    )
        self.trainable = trainable
        self.stateful = False
        self.built = False
        self.supports_masking = False
        self._input_spec: Any = None
        self._dtype = None if dtype is None else as_dtype(dtype).name
        self._activity_regularizer = kwargs.get("activity_regularizer")
        self._initial_weights = kwargs.get("weights")
        self._set_name(name)
        if scope is not None:
            with variable_scope(scope) as captured:
                self._scope = captured

    # TF 1.15's layers save the variables of add_weight with them, not what an attribute holds.
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__

    def _set_name(self, name: Any) -> None:
        self._base_name = name.name if isinstance(name, VariableScope) else name
        self._name = self._base_name if isinstance(name, str) else None
        if not self._name:
            base_name = snake_case(type(self).__name__)
            self._name = unique_layer_name(base_name)
            self._base_name = self._base_name or base_name

    # -- what a layer is -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name, unique among the graph's layers unless the program gave it."""
        return self._name  # type: ignore[return-value]

    @property
    def dtype(self) -> str | None:
        """The name of the weights' dtype; None before it is known."""
        return self._dtype

    @property
    def dynamic(self) -> bool:
        """Whether the layer runs eagerly only: never."""
        return False

    @property
    def graph(self) -> None:
        """None, as in TF 1.15."""

    @property
    def input_spec(self) -> Any:
        """What the inputs must meet: an InputSpec, a structure of these, or None."""
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        self._input_spec = checked_spec(value)

    @property
    def activity_regularizer(self) -> Any:
        """The function from an output to a loss, or None."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Any) -> None:
        self._activity_regularizer = regularizer

    # A layer of 1.15 remembers the inputs of its calls only when these come from tf.keras.Input.

    @property
    def inbound_nodes(self) -> list[Any]:
        """The layer's calls on Keras tensors: none."""
        return []

    @property
    def outbound_nodes(self) -> list[Any]:
        """The calls of layers on the Keras tensors of this one: none."""
        return []

    @property
    def metrics(self) -> list[Any]:
        """The layer's Keras metrics: none."""
        return []

    @property
    def input(self) -> NoReturn:
        """Raises: AttributeError: the layer is not connected to a Keras tensor."""
        raise AttributeError(error_text(f"Layer {self.name} is not connected, no input to return."))

    @property
    def output(self) -> NoReturn:
        """Raises: AttributeError: the layer is not connected to a Keras tensor."""
        raise AttributeError(error_text(f"Layer {self.name} has no inbound nodes."))

    @property
    def input_shape(self) -> NoReturn:
        """Raises: AttributeError: the layer is not connected to a Keras tensor."""
        raise AttributeError(error_text("The layer has never been called and thus has no defined input shape."))

    @property
    def output_shape(self) -> NoReturn:
        """Raises: AttributeError: the layer is not connected to a Keras tensor."""
        raise AttributeError(error_text("The layer has never been called and thus has no defined output shape."))

    input_mask, output_mask = input, output

    def get_input_at(self, node_index: int) -> NoReturn:
        """Raises: RuntimeError: the layer was not called on a Keras tensor."""
        raise RuntimeError(error_text("The layer has never been called and thus has no defined input."))

    def get_output_at(self, node_index: int) -> NoReturn:
        """Raises: RuntimeError: the layer was not called on a Keras tensor."""
        raise RuntimeError(error_text("The layer has never been called and thus has no defined output."))

    def get_input_shape_at(self, node_index: int) -> NoReturn:
        """Raises: RuntimeError: the layer was not called on a Keras tensor."""
        raise RuntimeError(error_text("The layer has never been called and thus has no defined input shape."))

    def get_output_shape_at(self, node_index: int) -> NoReturn:
        """Raises: RuntimeError: the layer was not called on a Keras tensor."""
        raise RuntimeError(error_text("The layer has never been called and thus has no defined output shape."))

    get_input_mask_at, get_output_mask_at = get_input_at, get_output_at

    # -- as data -------------------------------------------------------------------------------------------------------

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer.

        Raises: NotImplementedError for a subclass with arguments of its own that does not override this.
        """
        config = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}
        parameters = inspect.getfullargspec(self.__init__).args  # type: ignore[misc]
        own = [name for name in parameters if name not in config and name != "self"]
        if own and type(self).get_config is Layer.get_config:
            raise NotImplementedError(
                error_text("Layers with arguments in `__init__` must override `get_config`.")
            )
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """A layer from the result of `get_config`."""
        return cls(**config)

    # -- what a subclass defines ---------------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Creates the variables for inputs of that shape; called before the first `call`."""
        self.built = True

    def call(self, inputs: Any, **kwargs: Any) -> Any:
        """Builds the output for the inputs."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The output's shape for an input's shape.

        Raises: NotImplementedError unless the subclass defines it.
        """
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define compute_output_shape"))

    def compute_output_signature(self, input_signature: Any) -> Any:
        """The output's TensorSpec for an input's TensorSpec, or structures of these."""
        shapes = nest.map_structure(lambda spec: spec.shape, input_signature)
        dtype = self.dtype or nest.flatten(input_signature)[0].dtype
        output = self.compute_output_shape(shapes)
        return nest.map_structure(lambda shape: TensorSpec(dtype=dtype, shape=shape), output)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The output's mask: the input's, for a layer that supports masking.

        Raises: TypeError for a mask that the layer does not support.
        """
        if not self.supports_masking and any(one is not None for one in nest.flatten(mask)):
            raise TypeError(
                error_text(f"Layer {self.name} does not support masking, but was passed an input_mask: {mask}")
            )
        return mask if self.supports_masking else None

    # -- calls ---------------------------------------------------------------------------------------------------------

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The output for the inputs, a tensor or a structure of tensors.

        scope: the variable scope, or its name, that the first call takes instead of the layer's name.

        Raises: ValueError for inputs that do not meet `input_spec`.
        """
        scope = kwargs.pop("scope", None)
        return get_default_graph().attempt(self._attempt, scope, inputs, args, kwargs)

    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The same as calling the layer."""
        return self(inputs, *args, **kwargs)

    def _attempt(self, scope: Any, inputs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call that leaves the layer as it was when it fails."""
        self._note_for_failure()
        if self._keras_style:
            if scope is not None:
                raise ValueError(
                    error_text(f"scope argument not allowed when keras style layers are enabled, but saw: {scope}")
                )
            return self._in_scope(inputs, args, kwargs)
        self._set_scope(scope)
        with self._open_scope() as current:
            self._current_scope = current
            if "scope" in self._call_parameters():
                kwargs["scope"] = current
            outputs = self._in_scope(inputs, args, kwargs)
        add_elements_to_collection(self.updates, GraphKeys.UPDATE_OPS)
        return outputs

    def _call_parameters(self) -> list[str]:
        return inspect.getfullargspec(self.call).args

    def _in_scope(self, inputs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        inputs = nest.map_structure(
            lambda x: convert_to_tensor(x) if isinstance(x, (np.ndarray, float, int)) else x, inputs
        )
        training = self._settle_training(args, kwargs)
        with calling(inputs, training):
            flat = nest.flatten(inputs)
            has_shapes = all(hasattr(x, "shape") for x in flat)
            if has_shapes:
                check_inputs(self.input_spec, inputs, self.name)
            elif self.input_spec is not None and not self.built:
                kind = next(type(x).__name__ for x in flat if not hasattr(x, "shape"))
                raise AttributeError(
                    error_text(f"'{kind}' object has no attribute 'shape'", fix="pass a tensor or an array")
                )
            with name_scope(self._name_scope()) as scope:
                self._build_once(inputs, flat, has_shapes)
                outputs = self.call(inputs, *args, **kwargs)
                if outputs is None:
                    raise ValueError(
                        error_text(
                            "A layer's `call` method should return a Tensor or a list of Tensors, not None "
                            f"(layer: {self.name})."
                        )
                    )
                self._regularize_activity(outputs)
        note_layer(type(self).__name__, scope, self.weights, nest.flatten(outputs))
        return outputs

    def _settle_training(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The `training` of this call: as passed, or of the layer that calls this one. It goes to `call` if that takes it."""
        parameters = self._call_parameters()
        position = parameters.index("training") - 2 if "training" in parameters else None
        if position is not None and position < len(args):
            return args[position]
        training = kwargs.get("training")
        if position is None:
            kwargs.pop("training", None)
        if training is None:
            outer = calls().current
            training = None if outer is None else outer.training
        if position is not None and training is not None:
            kwargs["training"] = bool(training) if isinstance(training, np.bool_) else training
        return training

    def _build_once(self, inputs: Any, flat: list[Any], has_shapes: bool) -> None:
        if self.built:
            return
        if self._dtype is None and flat and hasattr(flat[0], "dtype"):
            self._dtype = flat[0].dtype.base_dtype.name
        self.build(nest.map_structure(lambda x: x.shape, inputs) if has_shapes else None)
        self.built = True
        if self._initial_weights is not None:
            self.set_weights(self._initial_weights)
            self._initial_weights = None

    def _regularize_activity(self, outputs: Any) -> None:
        if self._activity_regularizer is None:
            return
        with name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                loss = convert_to_tensor(self._activity_regularizer(output))
                batch_size = math.cast(array.shape(output)[0], loss.dtype)
                self.add_loss(loss / batch_size, inputs=True)
