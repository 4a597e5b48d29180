"""Activations as layers: LeakyReLU, PReLU, ELU, ThresholdedReLU, Softmax, ReLU. No state but PReLU's weights."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.math import math
from ...lib.nn import activations
from ..keras_parts.keras_config import as_float, floatx
from .activation_functions import elu, relu
from .base_layer import KerasLayer
from .identifiers import config_of, initializer_named
from .input_spec import InputSpec
from .penalties import constraint_named, regularizer_named


class _Elementwise(KerasLayer):
    """A layer of equal shape: [...] -> [...]. settings: the names of its arguments."""

    settings: tuple[str, ...] = ()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[...] -> [...]."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), **{name: getattr(self, name) for name in self.settings}}


class LeakyReLU(_Elementwise):
    """x where x > 0, else alpha · x."""

    settings = ("alpha",)

    def __init__(self, alpha: float = 0.3, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.alpha = as_float(alpha)

    def call(self, inputs: Any) -> Any:
        """[...] -> [...]."""
        return relu(inputs, alpha=self.alpha)


class PReLU(_Elementwise):
    """x where x > 0, else alpha · x, with a weight alpha for each element but those along shared_axes."""

    def __init__(
        self, alpha_initializer: Any = "zeros", alpha_regularizer: Any = None, alpha_constraint: Any = None,
        shared_axes: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.alpha_initializer = initializer_named(alpha_initializer)
        self.alpha_regularizer = regularizer_named(alpha_regularizer)
        self.alpha_constraint = constraint_named(alpha_constraint)
        axes = shared_axes if isinstance(shared_axes, (list, tuple)) or shared_axes is None else [shared_axes]
        self.shared_axes = None if axes is None else list(axes)

    def build(self, input_shape: Any) -> None:
        """Creates alpha [...]."""
        sizes = as_shape(input_shape).as_list()[1:]
        for axis in self.shared_axes or []:
            sizes[axis - 1] = 1
        self.alpha = self.add_weight(
            "alpha", sizes, initializer=self.alpha_initializer, regularizer=self.alpha_regularizer,
            constraint=self.alpha_constraint,
        )  # fmt: skip
        own = [axis for axis in range(1, len(sizes) + 1) if axis not in (self.shared_axes or [])] if self.shared_axes else []
        shape = as_shape(input_shape).as_list()
        self.input_spec = InputSpec(ndim=len(shape), axes={axis: shape[axis] for axis in own})
        self.built = True

    def call(self, inputs: Any) -> Any:
        """[n, ...] -> [n, ...]."""
        positive = activations.relu(inputs)
        return positive + -self.alpha * activations.relu(-inputs)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        functions = ("alpha_initializer", "alpha_regularizer", "alpha_constraint")
        told = {name: config_of(getattr(self, name)) for name in functions}
        return {**super().get_config(), **told, "shared_axes": self.shared_axes}


class ELU(_Elementwise):
    """x where x > 0, else alpha · (exp(x) - 1)."""

    settings = ("alpha",)

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.alpha = as_float(alpha)

    def call(self, inputs: Any) -> Any:
        """[...] -> [...]."""
        return elu(inputs, self.alpha)


class ThresholdedReLU(_Elementwise):
    """x where x > theta, else 0."""

    settings = ("theta",)

    def __init__(self, theta: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.theta = as_float(theta)

    def call(self, inputs: Any) -> Any:
        """[...] -> [...]."""
        return inputs * math.cast(math.greater(inputs, self.theta), floatx())


class Softmax(_Elementwise):
    """exp(x) / Σ exp(x) along the axis."""

    settings = ("axis",)

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs: Any) -> Any:
        """[...] -> [...]."""
        return activations.softmax(inputs, axis=self.axis)


class ReLU(_Elementwise):
    """x from the threshold to max_value, negative_slope · (x - threshold) below.

    Raises: ValueError for a negative max_value or negative_slope.
    """

    settings = ("max_value", "negative_slope", "threshold")

    def __init__(self, max_value: Any = None, negative_slope: float = 0, threshold: float = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if max_value is not None and max_value < 0.0:
            raise ValueError(error_text(f"max_value of Relu layer cannot be negative value: {max_value}"))
        if negative_slope < 0.0:
            raise ValueError(error_text(f"negative_slope of Relu layer cannot be negative value: {negative_slope}"))
        self.max_value = None if max_value is None else as_float(max_value)
        self.negative_slope, self.threshold = as_float(negative_slope), as_float(threshold)

    def call(self, inputs: Any) -> Any:
        """[...] -> [...]."""
        return relu(inputs, self.negative_slope, self.max_value, self.threshold)


__all__ = ["ELU", "LeakyReLU", "PReLU", "ReLU", "Softmax", "ThresholdedReLU"]
