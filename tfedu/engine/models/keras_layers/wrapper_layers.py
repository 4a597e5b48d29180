"""`TimeDistributed(layer)`: a layer that is called on each step of sequences. No state but the inner layer."""

from __future__ import annotations

from typing import Any, Self

from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...lib.arrays import array
from .base_layer import KerasLayer
from .input_spec import InputSpec
from .known_layers import deserialize
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
        self.input_spec = InputSpec(shape=[None, *sizes[1:]])
        if self.layer.dtype is None:
            self.layer._dtype = self._dtype
        super().build(as_shape([sizes[0], *sizes[2:]]))

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """[n, steps, ...] -> [n, steps, ...]: all steps as one batch."""
        sizes = inputs.shape.as_list()
        steps = sizes[1] if sizes[1] is not None else array.shape(inputs)[1]
        parameters = self.layer._call_parameters()
        arguments = {"training": training} if training is not None and "training" in parameters else {}
        if mask is not None and "mask" in parameters:
            arguments["mask"] = array.reshape(mask, [-1, *[-1 if size is None else size for size in mask.shape.as_list()[2:]]])
        rows = array.reshape(inputs, _flat_shape(inputs))
        found = self.layer.call(rows, **arguments)
        known = self.compute_output_shape(inputs.shape).as_list()
        batch = sizes[0] if sizes[0] is not None else -1
        rest = [size if size is not None else array.shape(found)[1 + i] for i, size in enumerate(known[2:])]
        outputs = array.reshape(found, (batch, steps, *rest))
        outputs.set_shape(known)
        return outputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, steps, ...] -> [n, steps, ...]."""
        sizes = as_shape(input_shape).as_list()
        inner = as_shape(self.layer.compute_output_shape(as_shape([sizes[0], *sizes[2:]]))).as_list()
        return as_shape([inner[0], sizes[1], *inner[1:]])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the steps, unless the inner layer makes one of its own."""
        return mask


def _flat_shape(inputs: Any) -> Any:
    """[-1, ...]: batch and steps as one axis."""
    known = static_shape(inputs)[2:]
    dynamic = array.shape(inputs) if None in known else None
    return (-1, *(size if size is not None else dynamic[2 + i] for i, size in enumerate(known)))


__all__ = ["TimeDistributed", "Wrapper"]
