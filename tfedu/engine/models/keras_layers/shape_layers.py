"""Layers without weights that apply a function or change shapes: Activation, Reshape, Permute, RepeatVector, Lambda, Masking.

No state.
"""

from __future__ import annotations

import math as whole_numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...lib.arrays import array
from ...lib.math import math, reductions
from ..keras_parts.keras_objects import deserialize_keras_object
from .base_layer import KerasLayer
from .identifiers import activation_named, config_of
from .input_spec import InputSpec
from .penalties import L1L2


class Activation(KerasLayer):
    """activation(inputs): [...] -> [...]."""

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True
        self.activation = activation_named(activation)

    def call(self, inputs: Any) -> Any:
        """[...] -> [...]."""
        return self.activation(inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[...] -> [...]."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "activation": config_of(self.activation)}


class Reshape(KerasLayer):
    """[n, ...] -> [n, *target_shape]; one size may be -1.

    Raises: ValueError when the numbers of elements differ.
    """

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def call(self, inputs: Any) -> Any:
        """[n, ...] -> [n, *target_shape]."""
        return array.reshape(inputs, (array.shape(inputs)[0], *self.target_shape))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, ...] -> [n, *target_shape]."""
        batch, *sizes = as_shape(input_shape).as_list()
        if None in sizes:
            return as_shape([batch, *(None if size == -1 else size for size in self.target_shape)])
        count, known = whole_numbers.prod(sizes), [size for size in self.target_shape if size >= 0]
        product = whole_numbers.prod(known)
        if len(known) < len(self.target_shape) - 1:
            raise ValueError(error_text("Can only specify one unknown dimension."))
        if (count != product) if len(known) == len(self.target_shape) else (not product or count % product):
            raise ValueError(
                error_text(f"total size of new array must be unchanged: {tuple(sizes)} -> {self.target_shape}")
            )
        return as_shape([batch, *(count // product if size < 0 else size for size in self.target_shape)])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "target_shape": self.target_shape}


class Permute(KerasLayer):
    """The axes after the batch in the order `dims`, which counts from 1.

    Raises: ValueError for dims that are no such order.
    """

    def __init__(self, dims: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise ValueError(
                error_text(
                    f"Invalid permutation `dims` for Permute Layer: {dims}. The set of indices in `dims` must be consecutive and "
                    "start from 1."
                )
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Any:
        """[n, ...] -> [n, ...], transposed."""
        return array.transpose(inputs, perm=(0, *self.dims))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, ...] -> [n, ...], transposed."""
        sizes = as_shape(input_shape).as_list()
        return as_shape([sizes[0], *(sizes[dim] for dim in self.dims)])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "dims": self.dims}


class RepeatVector(KerasLayer):
    """[n, c] -> [n, times, c]."""

    def __init__(self, n: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.n = n
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Any) -> Any:
        """[n, c] -> [n, times, c]."""
        row = array.expand_dims(inputs, 1)
        return array.tile(row, array.stack([1, self.n, 1]))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, c] -> [n, times, c]."""
        batch, channels = as_shape(input_shape).as_list()
        return as_shape([batch, self.n, channels])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "n": self.n}


class Lambda(KerasLayer):
    """function(inputs, **arguments), a function of tensors. output_shape: what compute_output_shape tells, or a function.

    The configuration names the function; a function without a name of its own cannot be saved.
    """

    def __init__(
        self, function: Callable[..., Any], output_shape: Any = None, mask: Any = None, arguments: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.function, self.arguments = function, arguments or {}
        self.supports_masking = mask is not None
        self.mask = mask
        self._output_shape = output_shape

    def copy(self) -> Lambda:
        """An equal layer with the same function, which needs no name."""
        config = KerasLayer.get_config(self)
        return type(self)(self.function, self._output_shape, self.mask, self.arguments, **config)

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        """[...] -> what the function gives."""
        arguments = dict(self.arguments)
        names = getattr(getattr(self.function, "__code__", None), "co_varnames", ())
        for name, value in (("mask", mask), ("training", training)):
            if name in names and value is not None:
                arguments.setdefault(name, value)
        return self.function(inputs, **arguments)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """What `mask` says: a mask, or a function of the inputs and their mask."""
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def compute_output_shape(self, input_shape: Any) -> Any:
        """What `output_shape` says.

        Raises: NotImplementedError when it says nothing.
        """
        if self._output_shape is None:
            raise NotImplementedError(
                error_text("We could not automatically infer the shape of the Lambda's output. Please specify `output_shape`.")
            )
        if callable(self._output_shape):
            return as_shape(self._output_shape(as_shape(input_shape).as_list()))
        return as_shape([as_shape(input_shape).as_list()[0], *np.ravel(self._output_shape).tolist()])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer.

        Raises: ValueError for a function that has no name: a file holds names, never code.
        """
        name = getattr(self.function, "__name__", "<lambda>")
        if name == "<lambda>":
            raise ValueError(
                error_text(
                    f"Layer {self.name}: a lambda expression cannot be saved, since a file holds no code",
                    fix="define a function with a name, and give it to custom_objects when the model is loaded",
                )
            )
        return {
            **super().get_config(), "function": name, "function_type": "function", "output_shape": self._output_shape,
            "arguments": self.arguments,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Lambda:
        """A layer from the result of `get_config`, whose function custom_objects names.

        Raises: ValueError for a function that custom_objects does not name, and for saved code.
        """
        config = dict(config)
        if config.pop("function_type", "function") != "function" or not isinstance(config["function"], str):
            raise ValueError(error_text("The Lambda layer's function was saved as code, which tfedu does not run"))
        for key in ("module", "output_shape_type", "output_shape_module"):
            config.pop(key, None)
        config["function"] = deserialize_keras_object(config["function"], {}, custom_objects, "function in Lambda layer")
        return cls(**config)


class Masking(KerasLayer):
    """Masks the steps whose values all equal mask_value: [n, steps, c] -> [n, steps, c], such steps as zeros."""

    def __init__(self, mask_value: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True
        self.mask_value = mask_value

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """[n, steps, c] -> [n, steps] of bool."""
        return reductions.reduce_any(math.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs: Any) -> Any:
        """[n, steps, c] -> [n, steps, c]."""
        mask = reductions.reduce_any(math.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        outputs = inputs * math.cast(mask, inputs.dtype)
        outputs._keras_mask = array.squeeze(mask, axis=-1)
        return outputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[n, steps, c] -> [n, steps, c]."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "mask_value": self.mask_value}


class ActivityRegularization(KerasLayer):
    """The inputs, with a loss of l1 · Σ |inputs| + l2 · Σ inputs²."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any) -> None:
        super().__init__(activity_regularizer=L1L2(l1=l1, l2=l2), **kwargs)
        self.supports_masking = True
        self.l1, self.l2 = l1, l2

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[...] -> [...]."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "l1": self.l1, "l2": self.l2}



__all__ = ["Activation", "ActivityRegularization", "Lambda", "Masking", "Permute", "RepeatVector", "Reshape"]
