"""Bidirectional of tf.keras: one recurrent layer reads the steps forwards, an equal one backwards; it merges their outputs."""

from __future__ import annotations

import copy
from typing import Any, Self

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.arrays import array
from ...lib.framework import nest
from ...lib.framework.scope_blocks import name_scope
from ..keras_layers.known_layers import deserialize, serialize
from ..keras_layers.layer_nodes import is_keras_tensor
from ..keras_layers.wrapper_layers import Wrapper
from ..keras_parts.keras_objects import custom_object_scope

_SHARED = ("stateful", "return_sequences", "return_state")


class Bidirectional(Wrapper):
    """A recurrent layer forwards and another backwards. merge_mode: "concat", "sum", "mul", "ave", or None for both.

    backward_layer: the layer that reads backwards, by default one like the first. What reads forwards is a copy of `layer`,
    without its weights and states.

    Raises: ValueError for another merge_mode, and for a backward_layer that differs from the first in `stateful`,
    `return_sequences` or `return_state`, or reads in the same direction; TypeError for what is no recurrent layer.
    """

    def __init__(
        self, layer: Any, merge_mode: str | None = "concat", weights: Any = None, backward_layer: Any = None, **kwargs: Any
    ) -> None:
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError(
                error_text('Invalid merge mode. Merge mode should be one of {"sum", "mul", "ave", "concat", None}')
            )
        count = kwargs.pop("num_constants", None)
        super().__init__(layer, **kwargs)
        if not hasattr(layer, "go_backwards"):
            raise TypeError(error_text(f"Bidirectional takes a recurrent layer, not a {type(layer).__name__}"))
        self.merge_mode = merge_mode
        self.forward_layer = _copied(layer)
        # A configuration tells the layer backwards only if the program gave it.
        self._backward_config = None if backward_layer is None else serialize(backward_layer)
        self.backward_layer = backward_layer or _copied(layer, go_backwards=not layer.go_backwards)
        self._check_pair()
        self.forward_layer._name = f"forward_{self.forward_layer.name}"
        self.backward_layer._name = f"backward_{self.backward_layer.name}"
        if weights:
            half = len(weights) // 2
            self.forward_layer._initial_weights, self.backward_layer._initial_weights = weights[:half], weights[half:]
        self.stateful, self.return_sequences, self.return_state = layer.stateful, layer.return_sequences, layer.return_state
        # A masked step gives zero in both directions, not the output of the step before.
        self.forward_layer._zero_output_for_mask = self.backward_layer._zero_output_for_mask = self.return_sequences
        self.supports_masking = True
        self.input_spec = layer.input_spec
        self._constants_count = count
        self._own = self._own | {"stateful", "_constants_count", "_backward_config"}

    def _check_pair(self) -> None:
        pair = self.forward_layer, self.backward_layer
        if pair[0].go_backwards == pair[1].go_backwards:
            raise ValueError(
                error_text("Forward layer and backward layer should have different `go_backwards` value.")
            )
        for name in _SHARED:
            values = [getattr(layer, name, None) for layer in pair]
            if values[0] != values[1]:
                raise ValueError(
                    error_text(
                        "Forward layer and backward layer are expected to have the same value for attribute "
                        f"{name}, got {values[0]} and {values[1]}"
                    )
                )

    @property
    def _layers(self) -> list[Any]:
        return [self.forward_layer, self.backward_layer]

    def build(self, input_shape: Any) -> None:
        """Builds both layers, each in a name scope of its own."""
        for layer in self._layers:
            with name_scope(layer.name):
                layer.build(input_shape)
                layer.built = True
        self.built = True

    def __call__(self, inputs: Any, *args: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any) -> Any:
        """The output for the inputs. initial_state: those of the layer forwards, then those of the layer backwards. constants:
        of both layers. inputs may be the list of all.

        Raises: ValueError for an odd number of states.
        """
        if isinstance(inputs, list):
            inputs, initial_state, constants = self._apart(inputs, initial_state, constants)
        states, others = _listed(initial_state), _listed(constants)
        if len(states) % 2:
            raise ValueError(
                error_text(
                    "When passing `initial_state` to a Bidirectional RNN, the state should be a list containing the "
                    f"states of the underlying RNNs. Found: {states}"
                )
            )
        if others:
            self._constants_count = len(others)
        extra = [*states, *others]
        if not extra:
            return super().__call__(inputs, *args, **kwargs)
        if all(is_keras_tensor(each) for each in extra):
            self.input_spec = None
            return super().__call__([inputs, *extra], *args, **kwargs)
        return super().__call__(inputs, *args, initial_state=states or None, constants=others or None, **kwargs)

    def _apart(self, inputs: list[Any], initial_state: Any, constants: Any) -> tuple[Any, Any, Any]:
        """(inputs, states, constants), each None where there are none, of a list of all."""
        first, *rest = inputs
        end = len(rest) - (self._constants_count or 0)
        return first, rest[:end] or initial_state, rest[end:] or constants

    def call(
        self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None, constants: Any = None
    ) -> Any:
        """[n, steps, k] -> [n, units] or [n, steps, units], by merge_mode; and the states with return_state."""
        if isinstance(inputs, list):
            inputs, initial_state, constants = self._apart(inputs, initial_state, constants)
        if isinstance(mask, list):
            mask = mask[0]
        arguments = {"training": training, "mask": mask, "constants": constants}
        half = len(initial_state) // 2 if initial_state else 0
        states = (initial_state[:half], initial_state[half:]) if initial_state else (None, None)
        forward = self.forward_layer(inputs, initial_state=states[0], **arguments)
        backward = self.backward_layer(inputs, initial_state=states[1], **arguments)
        last: list[Any] = []
        if self.return_state:
            last = [*forward[1:], *backward[1:]]
            forward, backward = forward[0], backward[0]
        if self.return_sequences:
            backward = array.reverse(backward, [1])  # of the batch, not of the time, under time_major, as in TF 1.15
        merge = {
            "concat": lambda: array.concat([forward, backward], -1),
            "sum": lambda: forward + backward,
            "ave": lambda: (forward + backward) / 2,
            "mul": lambda: forward * backward,
            None: lambda: [forward, backward],
        }
        output = merge[self.merge_mode]()
        if not self.return_state:
            return output
        return [*output, *last] if self.merge_mode is None else [output, *last]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[n, steps, k] -> the shape of the merged output, and those of the states with return_state."""
        shape = self.forward_layer.compute_output_shape(input_shape)
        shape, states = (shape[0], shape[1:]) if self.return_state else (shape, [])
        sizes = shape.as_list()
        if self.merge_mode == "concat":
            shape = as_shape([*sizes[:-1], sizes[-1] * 2])
        outputs = [shape, shape] if self.merge_mode is None else [shape]
        return [*outputs, *states, *states] if self.return_state or self.merge_mode is None else shape

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the steps, with return_sequences."""
        mask = mask[0] if isinstance(mask, list) else mask
        own = mask if self.return_sequences else None
        outputs = [own, own] if self.merge_mode is None else [own]
        if self.return_state:
            count = sum(len(nest.flatten(layer.cell.state_size)) for layer in self._layers)
            return [*outputs, *[None] * count]
        return outputs if self.merge_mode is None else own

    def reset_states(self) -> None:
        """Sets the states of both layers to zero."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        config = {**super().get_config(), "merge_mode": self.merge_mode}
        if self._constants_count is not None:
            config["num_constants"] = self._constants_count
        if self._backward_config is not None:
            config["backward_layer"] = copy.deepcopy(self._backward_config)
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """A layer from the result of `get_config`."""
        arguments = dict(config)
        if arguments.get("backward_layer") is not None:
            arguments["backward_layer"] = deserialize(arguments["backward_layer"], custom_objects)
        return super().from_config(arguments, custom_objects)


def _copied(layer: Any, **changes: Any) -> Any:
    """A layer of the same configuration, but for the changes; its cell may be of a class of the program's."""
    cell = type(getattr(layer, "cell", layer))
    with custom_object_scope({cell.__name__: cell}):
        return type(layer).from_config({**layer.get_config(), **changes})


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


__all__ = ["Bidirectional"]
