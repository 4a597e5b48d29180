"""Bidirectional of tf.keras: one recurrent layer reads the steps forwards, an equal one backwards; it merges their outputs."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.arrays import array
from ...lib.framework import nest
from ..keras_layers.layer_nodes import is_keras_tensor
from ..keras_layers.wrapper_layers import Wrapper


class Bidirectional(Wrapper):
    """A recurrent layer forwards and another backwards. merge_mode: "concat", "sum", "mul", "ave", or None for both.

    Raises: ValueError for another merge_mode.
    """

    def __init__(self, layer: Any, merge_mode: str | None = "concat", weights: Any = None, **kwargs: Any) -> None:
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError(
                error_text('Invalid merge mode. Merge mode should be one of {"sum", "mul", "ave", "concat", None}')
            )
        super().__init__(layer, **kwargs)
        config = layer.get_config()
        self.merge_mode = merge_mode
        self.forward_layer = layer
        self.backward_layer = type(layer).from_config({**config, "go_backwards": not config["go_backwards"]})
        self.forward_layer._name = f"forward_{layer.name}"
        self.backward_layer._name = f"backward_{config['name']}"
        if weights:
            half = len(weights) // 2
            self.forward_layer._initial_weights, self.backward_layer._initial_weights = weights[:half], weights[half:]
        self.stateful, self.return_sequences, self.return_state = layer.stateful, layer.return_sequences, layer.return_state
        # A masked step gives zero in both directions, not the output of the step before.
        self.forward_layer._zero_output_for_mask = self.backward_layer._zero_output_for_mask = self.return_sequences
        self.supports_masking = True
        self.input_spec = layer.input_spec
        self._own = self._own | {"stateful"}

    @property
    def _layers(self) -> list[Any]:
        return [self.forward_layer, self.backward_layer]

    def build(self, input_shape: Any) -> None:
        """Nothing: the first call builds both layers, each in its name scope."""
        self.built = True

    def __call__(self, inputs: Any, *args: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """The output for the inputs. initial_state: those of the layer forwards, then those of the layer backwards."""
        if isinstance(inputs, list):
            inputs, *initial_state = inputs
        if initial_state is not None:
            initial_state = list(initial_state)
            if len(initial_state) % 2:
                raise ValueError(
                    error_text(
                        "When passing `initial_state` to a Bidirectional RNN, the state should be a list containing the "
                        f"states of the underlying RNNs. Found: {initial_state}"
                    )
                )
            if all(is_keras_tensor(each) for each in initial_state):
                self.input_spec = None
                return super().__call__([inputs, *initial_state], *args, **kwargs)
            return super().__call__(inputs, *args, initial_state=initial_state, **kwargs)
        return super().__call__(inputs, *args, **kwargs)

    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None) -> Any:
        """[n, steps, k] -> [n, units] or [n, steps, units], by merge_mode; and the states with return_state."""
        if isinstance(inputs, list):
            inputs, *initial_state = inputs
        if isinstance(mask, list):
            mask = mask[0]
        arguments = {"training": training, "mask": mask}
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
            return [*outputs, *[None] * 2 * len(nest.flatten(self.forward_layer.cell.state_size))]
        return outputs if self.merge_mode is None else own

    def reset_states(self) -> None:
        """Sets the states of both layers to zero."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        config = {**super().get_config(), "merge_mode": self.merge_mode}
        config["layer"]["config"]["name"] = config["layer"]["config"]["name"].removeprefix("forward_")
        return config


__all__ = ["Bidirectional"]
