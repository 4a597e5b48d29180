"""`Embedding(1000, 64)`: a vector for each number: [n, ...] of numbers -> [n, ..., 64]. No state but the weights."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...lib.math import math
from ...lib.nn.embeddings import embedding_lookup
from ..keras_parts.keras_config import floatx
from .base_layer import KerasLayer
from .identifiers import config_of, initializer_named
from .penalties import constraint_named, regularizer_named


class Embedding(KerasLayer):
    """Rows of a matrix embeddings [input_dim, output_dim]: numbers [n, ...] -> [n, ..., output_dim].

    mask_zero: masks the steps with the number 0. input_length: the length of sequences.
    """

    def __init__(
        self, input_dim: int, output_dim: int, embeddings_initializer: Any = "uniform", embeddings_regularizer: Any = None,
        activity_regularizer: Any = None, embeddings_constraint: Any = None, mask_zero: bool = False, input_length: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        if "input_shape" not in kwargs and "batch_input_shape" not in kwargs:
            kwargs["input_shape"] = (None,) if input_length is None else (input_length,)
        dtype = kwargs.pop("dtype", floatx())
        super().__init__(dtype=dtype, activity_regularizer=regularizer_named(activity_regularizer), **kwargs)
        self.input_dim, self.output_dim = input_dim, output_dim
        self.embeddings_initializer = initializer_named(embeddings_initializer)
        self.embeddings_regularizer = regularizer_named(embeddings_regularizer)
        self.embeddings_constraint = constraint_named(embeddings_constraint)
        self.mask_zero, self.input_length = mask_zero, input_length
        self.supports_masking = mask_zero

    def build(self, input_shape: Any) -> None:
        """Creates embeddings."""
        self.embeddings = self.add_weight(
            "embeddings", (self.input_dim, self.output_dim), initializer=self.embeddings_initializer,
            regularizer=self.embeddings_regularizer, constraint=self.embeddings_constraint,
        )  # fmt: skip
        self.built = True

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """[n, steps] of bool, with mask_zero."""
        return math.not_equal(inputs, 0) if self.mask_zero else None

    def call(self, inputs: Any) -> Any:
        """[n, ...] -> [n, ..., output_dim]."""
        if inputs.dtype.base_dtype.name not in ("int32", "int64"):
            inputs = math.cast(inputs, "int32")
        return embedding_lookup(self.embeddings, inputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, ...] -> [n, ..., output_dim].

        Raises: ValueError for a length that is not input_length.
        """
        sizes = as_shape(input_shape).as_list()
        if self.input_length is None:
            return as_shape([*sizes, self.output_dim])
        lengths = list(self.input_length) if isinstance(self.input_length, (list, tuple)) else [self.input_length]
        if len(lengths) != len(sizes) - 1 or any(None not in pair and pair[0] != pair[1] for pair in zip(lengths, sizes[1:])):
            raise ValueError(
                error_text(f'"input_length" is {self.input_length}, but received input has shape {tuple(sizes)}')
            )
        merged = [b if a is None else a for a, b in zip(lengths, sizes[1:])]
        return as_shape([sizes[0], *merged, self.output_dim])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        functions = ("embeddings_initializer", "embeddings_regularizer", "activity_regularizer", "embeddings_constraint")
        return {
            **super().get_config(),
            "input_dim": self.input_dim,
            "output_dim": self.output_dim,
            **{name: config_of(getattr(self, name)) for name in functions},
            "mask_zero": self.mask_zero,
            "input_length": self.input_length,
        }


__all__ = ["Embedding"]
