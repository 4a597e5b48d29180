"""`TimeDistributed(layer)`: a layer that is called on each step of sequences. No state but the inner layer."""

from __future__ import annotations

from typing import Any, Self

from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...lib.arrays import array
from ...lib.math import reductions
from ..keras_parts.recurrent_loop import rnn
from .base_layer import KerasLayer
from .input_spec import InputSpec
from .known_layers import CLASSES, deserialize
from .layer_nodes import static_shape


class Wrapper(KerasLayer):
    """A layer around another one, whose weights are its own.

    Raises: ValueError for what is no layer.
    """

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(layer, KerasLayer):
            raise ValueError(
                error_text(f"Please initialize `{type(self).__name__}` layer with a `Layer` instance. You passed: {layer}")
            )
        self.layer = layer

    def build(self, input_shape: Any) -> None:
        """Builds the inner layer."""
        if not self.layer.built:
            self.layer.build(input_shape)
            self.layer.built = True
        self.built = True

    @property
    def activity_regularizer(self) -> Any:
        """That of the inner layer."""
        return getattr(self.layer, "activity_regularizer", None)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        inner = {"class_name": type(self.layer).__name__, "config": self.layer.get_config()}
        return {**super().get_config(), "layer": inner}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """A layer from the result of `get_config`."""
        arguments = dict(config)
        arguments["layer"] = deserialize(arguments["layer"], custom_objects)
        return cls(**arguments)


class TimeDistributed(Wrapper):
    """The layer on each step: [n, steps, ...] -> [n, steps, ...]."""

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        super().__init__(layer, **kwargs)
        self.supports_masking = True
        # A layer of the library, or a class made from one, gives each sample its own output, whatever the others are.
        known = next(kind for kind in type(layer).__mro__ if CLASSES.get(kind.__name__) is kind or kind is KerasLayer)
        self._takes_any_batch = known is not KerasLayer and not getattr(layer, "stateful", False)
        self._last: Any = (None, None)  # the inputs of the last call, and their steps as one batch
        self._own = self._own | {"_takes_any_batch", "_last"}

    def build(self, input_shape: Any) -> None:
        """Builds the inner layer for one step.

        Raises: ValueError for inputs of fewer than 3 axes.
        """
        sizes = as_shape(input_shape).as_list()
        if len(sizes) < 3:
            raise ValueError(
                error_text(
                    "`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, received: "
                    f"{sizes}"
                )
            )
        self.input_spec = InputSpec(shape=[None, None, *sizes[2:]])
        if self.layer.dtype is None:
            self.layer._dtype = self._dtype
        super().build(as_shape([sizes[0], *sizes[2:]]))

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """[n, steps, ...] -> [n, steps, ...]: all steps as one batch, or one by one if the layer needs the batch size."""
        sizes = inputs.shape.as_list()
        parameters = self.layer._call_parameters()
        arguments = {"training": training} if training is not None and "training" in parameters else {}
        if sizes[0] is not None and not self._takes_any_batch:
            return rnn(lambda step, _: (self.layer(step, **arguments), []), inputs, [], input_length=sizes[1])[1]
        steps = sizes[1] if sizes[1] is not None else array.shape(inputs)[1]
        rows = array.reshape(inputs, (-1, *_sizes(inputs, 2)))
        self._last = inputs, rows
        if mask is not None and "mask" in parameters:
            arguments["mask"] = array.reshape(mask, (-1, *_sizes(mask, 2)))
        found = self.layer(rows, **arguments)
        known = self.compute_output_shape(inputs.shape).as_list()
        return array.reshape(found, (-1, steps, *_sizes(found, 1, known[2:])))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, steps, ...] -> [n, steps, ...]."""
        sizes = as_shape(input_shape).as_list()
        inner = as_shape(self.layer.compute_output_shape(as_shape([sizes[0], *sizes[2:]]))).as_list()
        return as_shape([inner[0], sizes[1], *inner[1:]])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the steps, [n, steps]: the inner layer's mask if that layer makes one, else the given mask, in which a step
        counts if any element of its mask is True.
        """
        sizes = static_shape(inputs)
        if sizes[0] is not None:
            return mask
        rows = self._last[1] if self._last[0] is inputs else inputs
        made = self.layer.compute_mask(rows, None if mask is None else array.reshape(mask, (-1, *_sizes(mask, 2))))
        if made is not None:
            steps = sizes[1] if sizes[1] is not None else array.shape(inputs)[1]
            return array.reshape(made, (-1, steps, *_sizes(made, 1)))
        for _ in range(2, 0 if mask is None else len(static_shape(mask))):
            mask = reductions.reduce_any(mask, -1)
        return mask


def _sizes(tensor: Any, start: int, known: Any = None) -> tuple[Any, ...]:
    """The sizes of the axes from `start` on: a number where the static shape, or `known`, has one, else a scalar tensor."""
    sizes = list(static_shape(tensor)[start:] if known is None else known)
    if None not in sizes:
        return tuple(sizes)
    dynamic = array.shape(tensor)
    return tuple([dynamic[start + i] if size is None else size for i, size in enumerate(sizes)])


__all__ = ["TimeDistributed", "Wrapper"]
