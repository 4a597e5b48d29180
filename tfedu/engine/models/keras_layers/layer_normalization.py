"""`LayerNormalization`: each sample with mean 0 and variance 1 along the axes, then scaled and shifted. No state but the weights.

Source: Ba, Kiros and Hinton, 2016.
"""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.arrays import array
from ...lib.nn import moments, normalization
from .base_layer import KerasLayer
from .identifiers import config_of, initializer_named
from .penalties import constraint_named, regularizer_named


class LayerNormalization(KerasLayer):
    """(inputs - mean) / sqrt(variance + epsilon) · gamma + beta, with statistics of each sample: [n, ..., c] -> [n, ..., c].

    Raises: ValueError for an invalid or repeated axis.
    """

    def __init__(
        self, axis: Any = -1, epsilon: float = 1e-3, center: bool = True, scale: bool = True, beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones", beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, trainable: bool = True, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, trainable=trainable, **kwargs)
        if not isinstance(axis, (int, list, tuple)):
            raise ValueError(error_text("Expected an int or a list/tuple of ints for the argument 'axis', but received instead: "
                                        f"{axis}"))  # fmt: skip
        self.axis = axis if isinstance(axis, int) else list(axis)
        self.epsilon, self.center, self.scale = epsilon, center, scale
        self.beta_initializer, self.gamma_initializer = initializer_named(beta_initializer), initializer_named(gamma_initializer)
        self.beta_regularizer, self.gamma_regularizer = regularizer_named(beta_regularizer), regularizer_named(gamma_regularizer)
        self.beta_constraint, self.gamma_constraint = constraint_named(beta_constraint), constraint_named(gamma_constraint)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Creates gamma and beta."""
        sizes = as_shape(input_shape).as_list()
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        axes = [axis + len(sizes) if axis < 0 else axis for axis in axes]
        for axis in axes:
            if not 0 <= axis < len(sizes):
                raise ValueError(error_text(f"Invalid axis: {axis}"))
        if len(axes) != len(set(axes)):
            raise ValueError(error_text(f"Duplicate axis: {tuple(axes)}"))
        self.axis = axes
        shape = [sizes[axis] for axis in axes]
        for name, wanted in (("gamma", self.scale), ("beta", self.center)):
            weight = None
            if wanted:
                weight = self.add_weight(
                    name, shape, initializer=getattr(self, f"{name}_initializer"), trainable=True,
                    regularizer=getattr(self, f"{name}_regularizer"), constraint=getattr(self, f"{name}_constraint"),
                )  # fmt: skip
            setattr(self, name, weight)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """[n, ..., c] -> [n, ..., c]."""
        sizes = inputs.shape.as_list()
        mean, variance = moments.moments(inputs, self.axis, keep_dims=True)
        whole = [sizes[i] if i in self.axis else 1 for i in range(len(sizes))]

        def broadcast(value: Any) -> Any:
            is_last = len(value.shape) == len(sizes) or self.axis == [len(sizes) - 1] if value is not None else True
            return value if is_last else array.reshape(value, whole)

        outputs = normalization.batch_normalization(
            inputs, mean, variance, offset=broadcast(self.beta), scale=broadcast(self.gamma), variance_epsilon=self.epsilon
        )
        outputs.set_shape(inputs.shape)
        return outputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[n, ..., c] -> [n, ..., c]."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        plain = ("axis", "epsilon", "center", "scale")
        functions = (
            "beta_initializer", "gamma_initializer", "beta_regularizer", "gamma_regularizer", "beta_constraint",
            "gamma_constraint",
        )  # fmt: skip
        return {
            **super().get_config(),
            **{name: getattr(self, name) for name in plain},
            **{name: config_of(getattr(self, name)) for name in functions},
        }


__all__ = ["LayerNormalization"]
