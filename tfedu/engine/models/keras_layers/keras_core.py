"""`dense`, `dropout` and `flatten`, and their classes. No state."""

from __future__ import annotations

import math
from typing import Any

from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.control.grouping import identity
from ...lib.math.math import cast
from ...lib.math.products import matmul, tensordot
from ...lib.nn import nn
from ...lib.sparse.composite_values import SparseTensor
from ...lib.sparse.sparse_math import sparse_dense_matmul
from ..keras_parts.image_arguments import normalized_data_format
from ..keras_parts.keras_config import floatx
from .base_layer import KerasLayer
from .call_context import choose_by_training
from .identifiers import activation_named, config_of, initializer_named, whole_number
from .input_spec import InputSpec
from .penalties import constraint_named, regularizer_named


class Dense(KerasLayer):
    """activation(inputs · kernel + bias): [n, ..., k] -> [n, ..., units], with kernel [k, units] and bias [units].

    input_dim: k, instead of input_shape.

    Raises: TypeError for inputs that are not floating, ValueError for inputs of rank below 2 or unknown k.
    """

    def __init__(
        self,
        units: Any,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        activity_regularizer = regularizer_named(activity_regularizer)
        if "input_shape" not in kwargs and "input_dim" in kwargs:
            kwargs["input_shape"] = (kwargs.pop("input_dim"),)
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.units = whole_number(units)
        self.activation = activation_named(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializer_named(kernel_initializer)
        self.bias_initializer = initializer_named(bias_initializer)
        self.kernel_regularizer = regularizer_named(kernel_regularizer)
        self.bias_regularizer = regularizer_named(bias_regularizer)
        self.kernel_constraint = constraint_named(kernel_constraint)
        self.bias_constraint = constraint_named(bias_constraint)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        """Creates kernel and bias."""
        kind = as_dtype(self.dtype or floatx())
        if not (kind.is_floating or kind.is_complex):
            raise TypeError(error_text(f"Unable to build `Dense` layer with non-floating point dtype {kind}"))
        sizes = as_shape(input_shape).raw
        if not sizes or sizes[-1] is None:
            raise ValueError(
                error_text("The last dimension of the inputs to `Dense` should be defined. Found `None`.")
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: sizes[-1]})
        self.kernel = self.add_weight(
            "kernel",
            shape=[sizes[-1], self.units],
            initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
            dtype=self.dtype,
            trainable=True,
        )
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias",
                shape=[self.units],
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
                dtype=self.dtype,
                trainable=True,
            )
        self.built = True

    def call(self, inputs: Any) -> Any:
        """[n, ..., k] -> [n, ..., units]."""
        rank = len(inputs.shape)
        if rank > 2:
            outputs = tensordot(inputs, self.kernel, [[rank - 1], [0]])
        else:
            inputs = cast(inputs, self.dtype)
            product = sparse_dense_matmul if isinstance(inputs, SparseTensor) else matmul
            outputs = product(inputs, self.kernel)
        if self.use_bias:
            outputs = nn.bias_add(outputs, self.bias)
        return outputs if self.activation is None else self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, ..., k] -> [n, ..., units].

        Raises: ValueError when k is unknown.
        """
        shape = as_shape(input_shape).with_rank_at_least(2)
        if shape.raw is None or shape.raw[-1] is None:
            raise ValueError(
                error_text(f"The innermost dimension of input_shape must be defined, but saw: {shape}")
            )
        return as_shape((*shape.raw[:-1], self.units))

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {
            **super().get_config(),
            "units": self.units,
            "activation": config_of(self.activation),
            "use_bias": self.use_bias,
            **{
                what: config_of(getattr(self, what))
                for what in (
                    "kernel_initializer",
                    "bias_initializer",
                    "kernel_regularizer",
                    "bias_regularizer",
                    "activity_regularizer",
                    "kernel_constraint",
                    "bias_constraint",
                )
            },
        }




class Dropout(KerasLayer):
    """In training, sets a random part `rate` of the elements to 0 and scales the others by 1 / (1 - rate): [...] -> [...].

    noise_shape: the shape of the random choice, which is broadcast; None in it stands for the input's size.
    """

    def __init__(self, rate: Any, noise_shape: Any = None, seed: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate = rate
        self.noise_shape = noise_shape
        self.seed = seed
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = None) -> Any:
        """[...] -> [...]. training: a bool or a bool scalar tensor; None for Keras' learning phase."""

        def dropped() -> Any:
            return nn.dropout(inputs, rate=self.rate, noise_shape=self._noise_shape(inputs), seed=self.seed)

        return choose_by_training(training, dropped, lambda: identity(inputs))

    def _noise_shape(self, inputs: Tensor) -> Any:
        if self.noise_shape is None:
            return None
        sizes = array.shape(inputs)
        return convert_to_tensor([sizes[i] if size is None else size for i, size in enumerate(self.noise_shape)])

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[...] -> [...]."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {
            **super().get_config(),
            "rate": self.rate,
            "noise_shape": self.noise_shape,
            "seed": self.seed,
        }


class Flatten(KerasLayer):
    """[n, ...] -> [n, k]. data_format "channels_first": channels become the last axis before."""

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = normalized_data_format(data_format)
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Tensor) -> Tensor:
        """[n, ...] -> [n, k]."""
        rank = len(inputs.shape)
        if self.data_format == "channels_first" and rank > 1:
            inputs = array.transpose(inputs, perm=[0, *range(2, rank), 1])
        batch = inputs.shape.as_list()[0] or array.shape(inputs)[0]
        outputs: Tensor = array.reshape(inputs, (batch, -1))
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, ...] -> [n, k].

        Raises: ValueError for an unknown rank.
        """
        batch, *sizes = as_shape(input_shape).with_rank_at_least(1).as_list()
        return as_shape([batch, math.prod(sizes) if all(sizes) else None])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "data_format": self.data_format}


__all__ = ["Dense", "Dropout", "Flatten"]
