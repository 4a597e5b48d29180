"""`KerasLayer`: an object that creates its variables when it is first called and shares them in later calls.

    layer = Dense(10)                 # nothing is built
    y = layer(x)                      # variables dense/kernel and dense/bias, nodes dense/MatMul and dense/BiasAdd
    y2 = layer(x2)                    # the same variables, nodes dense_1/MatMul and dense_1/BiasAdd

A subclass creates variables with `add_weight` in `build(input_shape)` and builds the output in `call(inputs)`. Layers and
variables in its attributes belong to it. State: each layer's weights, losses, updates and calls.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import as_shape
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.control.grouping import identity
from ...lib.framework import nest
from ...lib.framework.scope_blocks import name_scope
from ...lib.framework.type_specs import TensorSpec
from ...lib.math import math
from ...lib.variables.variables import Variable
from ...training.checkpoints.trackable import Checkpointable
from ..keras_parts.keras_session import note_variable
from .built_layers import note_layer
from .call_context import calling, calls, chosen_phase
from .input_spec import check_inputs, checked_spec
from .known_layers import know
from .layer_names import snake_case, unique_layer_name
from .layer_nodes import LayerNodes, history_of, mask_of
from .layer_weights import LayerWeights

_ARGUMENTS = ("input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer", "autocast", "input_dtype")


class KerasLayer(LayerNodes, LayerWeights, Checkpointable):
    """A part of a model with its own variables, which are named by the name scope of its first call.

    trainable: whether its variables join the collection TRAINABLE_VARIABLES. dtype: of its weights, by default that of
    the first input. input_shape (without the batch) or batch_input_shape: of the inputs, for the first layer of a model.

    Raises: TypeError for an unknown keyword.
    """

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None, dynamic: bool = False, **kwargs: Any
    ) -> None:
        super().__init__()
        for key in kwargs:
            if key not in _ARGUMENTS:
                raise TypeError(error_text(f"('Keyword argument not understood:', '{key}')"))
        if dynamic:
            raise ValueError(error_text("dynamic=True: a layer that runs eagerly has no graph; tfedu runs graphs alone"))
        self._trainable = trainable
        self.stateful = False
        self.built = False
        self.supports_masking = False
        self._input_spec: Any = None
        self._dtype = None if dtype is None else as_dtype(dtype).name
        self._activity_regularizer = kwargs.get("activity_regularizer")
        self._initial_weights = kwargs.get("weights")
        self._batch_input_shape = _batch_input_shape(kwargs)
        self._set_name(name)
        self._own = frozenset(vars(self))

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        know(cls)

    def _set_name(self, name: Any) -> None:
        self._name = name or unique_layer_name(snake_case(type(self).__name__), zero_based=True)

    # -- attributes ----------------------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        """Layers and variables in attributes belong to the layer; those of the constructor above do not count."""
        kept = vars(self).get("_own")
        if kept is None or name in kept or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
            return
        super().__setattr__(name, value)
        for variable in nest.flatten(value) if isinstance(value, (list, tuple)) else [value]:
            if isinstance(variable, Variable) and not any(variable is each for each in self._own_weights()):
                (self._trainable_weights if variable.trainable else self._non_trainable_weights).append(variable)
                note_variable(variable)

    def __delattr__(self, name: str) -> None:
        if name in self._dependencies:
            super().__delattr__(name)
        else:
            object.__delattr__(self, name)

    def _own_weights(self) -> list[Any]:
        return self._trainable_weights + self._non_trainable_weights

    @property
    def _layers(self) -> list[Any]:
        """The layers in the attributes, also inside lists and dicts there."""
        found: dict[int, Any] = {}
        for value in self._dependencies.values():
            for layer in _layers_in(value):
                found.setdefault(id(layer), layer)
        return list(found.values())

    # -- what a layer is -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name, unique among the graph's layers unless the program gave it."""
        return self._name  # type: ignore[no-any-return]

    @property
    def trainable(self) -> bool:  # type: ignore[override]
        """Whether an optimizer should change the weights; it holds for the layers inside, too."""
        return self._trainable  # type: ignore[no-any-return]

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value
        for layer in self._layers:
            layer.trainable = value

    @property
    def dtype(self) -> str | None:
        """The name of the weights' dtype; None before it is known."""
        return self._dtype

    @property
    def dynamic(self) -> bool:
        """Whether the layer runs eagerly only: never."""
        return False

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

    @property
    def metrics(self) -> list[Any]:
        """The layer's Keras metrics, and those of the layers inside."""
        return [*self._metrics, *[metric for layer in self._layers for metric in layer.metrics]]

    # -- as data -------------------------------------------------------------------------------------------------------

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer.

        Raises: NotImplementedError for a subclass with arguments of its own that does not override this.
        """
        config: dict[str, Any] = {"name": self.name, "trainable": self.trainable}
        if self._batch_input_shape is not None:
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        parameters = inspect.getfullargspec(self.__init__).args  # type: ignore[misc]
        own = [name for name in parameters if name not in config and name not in ("self", "dynamic")]
        if own and type(self).get_config is KerasLayer.get_config:
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

        Raises: ValueError for inputs that do not meet `input_spec`.
        """
        return get_default_graph().attempt(self._attempt, inputs, args, kwargs)

    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The same as calling the layer."""
        return self(inputs, *args, **kwargs)

    def _attempt(self, inputs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call that leaves the layer as it was when it fails."""
        self._note_for_failure()
        return self._in_scope(inputs, args, kwargs)

    @staticmethod
    def _give_history(tensors: Any, is_forced: bool = False) -> None:
        """Makes layers of ops between Keras tensors and these; `op_layers` attaches how."""

    def _call_parameters(self) -> list[str]:
        given = inspect.getfullargspec(self.call)
        return given.args + given.kwonlyargs

    def _in_scope(self, inputs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        inputs = nest.map_structure(
            lambda x: convert_to_tensor(x) if isinstance(x, (np.ndarray, float, int)) else x, inputs
        )
        flat = nest.flatten(inputs)
        if calls().current is None:
            self._give_history(inputs)
        is_part_of_model = bool(flat) and all(history_of(x) is not None for x in flat)
        given = dict(kwargs)
        masks = self._settle_mask(inputs, flat, args, kwargs)
        training = self._settle_training(args, kwargs)
        with calling(inputs, training):
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
                if is_part_of_model:
                    outputs = self._connect(inputs, flat, outputs, given)
                self._regularize_activity(outputs)
                self._mask_outputs(inputs, outputs, masks)
        note_layer(type(self).__name__, scope, self.weights, nest.flatten(outputs))
        return outputs

    def _connect(self, inputs: Any, flat: list[Any], outputs: Any, arguments: dict[str, Any]) -> Any:
        """The outputs, which know from now on that this call made them; an input that comes out is copied before."""

        def as_output(value: Any) -> Any:
            if not any(value is x for x in flat):
                return value
            with name_scope(self.name):
                return identity(value)

        outputs = nest.map_structure(as_output, outputs)
        self._add_node(inputs, outputs, arguments)
        return outputs

    def _settle_mask(self, inputs: Any, flat: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The mask that the program passes, even None; else the masks of the inputs, which `call` gets if it takes a mask."""
        parameters = self._call_parameters()
        position = parameters.index("mask") - 2 if "mask" in parameters else None
        if "mask" in kwargs:
            return kwargs["mask"]
        if position is not None and position < len(args):
            return args[position]
        if all(mask_of(x) is None for x in flat):
            return None
        masks = nest.map_structure(mask_of, inputs)
        if position is not None:
            kwargs["mask"] = masks
        return masks

    def _mask_outputs(self, inputs: Any, outputs: Any, masks: Any) -> None:
        """Gives the outputs their masks, unless `call` has."""
        flat = nest.flatten(outputs)
        own = type(self).compute_mask is not KerasLayer.compute_mask
        if all(mask_of(x) is not None for x in flat) or not (self.supports_masking or own):
            return
        found = self.compute_mask(inputs, masks)
        found = [None] * len(flat) if found is None else nest.flatten(found)
        for tensor, mask in zip(flat, found):
            if isinstance(tensor, Tensor):
                tensor._keras_mask = mask

    def _settle_training(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The `training` of this call: as passed, of the layer that calls this one, or as the program set the learning
        phase. It goes to `call` if that takes it.
        """
        parameters = self._call_parameters()
        position = parameters.index("training") - 2 if "training" in parameters else None
        if position is not None and position < len(args):
            return args[position]
        training = kwargs.get("training")
        if position is None:
            kwargs.pop("training", None)
        if training is None:
            outer = calls().current
            training = chosen_phase() if outer is None or outer.training is None else outer.training
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


def _batch_input_shape(arguments: dict[str, Any]) -> tuple[Any, ...] | None:
    """The shape of a model's inputs that its first layer is told."""
    if "batch_input_shape" in arguments:
        return tuple(arguments["batch_input_shape"])
    if "input_shape" in arguments:
        shape = arguments["input_shape"]
        sizes = as_shape(shape).as_list() if isinstance(shape, (list, tuple)) or hasattr(shape, "as_list") else [shape]
        return (arguments.get("batch_size"), *sizes)
    return None


def _layers_in(value: Any) -> Iterator[Any]:
    """The layers that an attribute holds."""
    if isinstance(value, KerasLayer):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _layers_in(part)


__all__ = ["KerasLayer"]
