"""Layers of several inputs: Add, Subtract, Multiply, Average, Maximum, Minimum, Concatenate, Dot, and functions that call them.

No state.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...lib.arrays import array
from ...lib.framework import nest
from ...lib.math import math, reductions
from ...lib.math.clip import l2_normalize
from .base_layer import KerasLayer
from .batch_products import batch_dot


class _Merge(KerasLayer):
    """A layer of a list of inputs, whose shapes must broadcast.

    Raises: ValueError for fewer than two inputs, or shapes that do not fit.
    """

    word = "A merge layer"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Checks the inputs' shapes."""
        if not isinstance(input_shape, list):
            raise ValueError(error_text(f"{self.word} should be called on a list of inputs."))
        if len(input_shape) < 2:
            raise ValueError(
                error_text(f"{self.word} should be called on a list of at least 2 inputs. Got {len(input_shape)} inputs.")
            )
        batches = {as_shape(shape).as_list()[0] for shape in input_shape} - {None}
        if len(batches) > 1:
            raise ValueError(
                error_text(f"Can not merge tensors with different batch sizes. Got tensors with shapes : {input_shape}")
            )
        self._broadcast(input_shape)
        self.built = True

    @staticmethod
    def _broadcast(shapes: Any) -> Any:
        """The shape to which all shapes broadcast, without the batch; None when it is unknown."""
        whole: list[Any] = []
        for shape in shapes:
            sizes = as_shape(shape).as_list()[1:]
            longer, shorter = (whole, sizes) if len(whole) >= len(sizes) else (sizes, whole)
            padded = [1] * (len(longer) - len(shorter)) + shorter
            merged = []
            for a, b in zip(longer, padded):
                if None in (a, b):
                    merged.append(None)
                elif 1 in (a, b) or a == b:
                    merged.append(b if a == 1 else a)
                else:
                    raise ValueError(
                        error_text(f"Operands could not be broadcast together with shapes {tuple(longer)} {tuple(shorter)}")
                    )
            whole = merged
        return whole

    def call(self, inputs: Any) -> Any:
        """A list of [n, ...] -> [n, ...]."""
        if not isinstance(inputs, list):
            raise ValueError(error_text(f"{self.word} should be called on a list of inputs."))
        rank = max(len(x.shape) for x in inputs)
        aligned = []
        for x in inputs:
            for _ in range(rank - len(x.shape)):
                x = array.expand_dims(x, axis=1)
            aligned.append(x)
        return self._merged(aligned)

    def _merged(self, inputs: list[Any]) -> Any:
        raise NotImplementedError

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """A list of [n, ...] -> [n, ...]."""
        batches = {as_shape(shape).as_list()[0] for shape in input_shape if shape is not None} - {None}
        return as_shape([batches.pop() if len(batches) == 1 else None, *self._broadcast(input_shape)])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The steps that all inputs have."""
        if mask is None or all(one is None for one in nest.flatten(mask)):
            return None
        masks = [array.expand_dims(one, axis=0) for one in mask if one is not None]
        return reductions.reduce_all(array.concat(masks, axis=0), axis=0, keepdims=False)


class Add(_Merge):
    """The sum of the inputs."""

    def _merged(self, inputs: list[Any]) -> Any:
        return functools.reduce(lambda a, b: a + b, inputs)


class Subtract(_Merge):
    """The first input minus the second.

    Raises: ValueError for another number of inputs.
    """

    def build(self, input_shape: Any) -> None:
        """Checks the inputs' shapes."""
        super().build(input_shape)
        if len(input_shape) != 2:
            raise ValueError(error_text("A `Subtract` layer should be called on exactly 2 inputs"))

    def _merged(self, inputs: list[Any]) -> Any:
        return inputs[0] - inputs[1]


class Multiply(_Merge):
    """The product of the inputs, element by element."""

    def _merged(self, inputs: list[Any]) -> Any:
        return functools.reduce(lambda a, b: a * b, inputs)


class Average(_Merge):
    """The mean of the inputs."""

    def _merged(self, inputs: list[Any]) -> Any:
        return functools.reduce(lambda a, b: a + b, inputs) / len(inputs)


class Maximum(_Merge):
    """The largest of the inputs, element by element."""

    def _merged(self, inputs: list[Any]) -> Any:
        return functools.reduce(math.maximum, inputs)


class Minimum(_Merge):
    """The smallest of the inputs, element by element."""

    def _merged(self, inputs: list[Any]) -> Any:
        return functools.reduce(math.minimum, inputs)


class Concatenate(_Merge):
    """The inputs one after another along the axis.

    Raises: ValueError for inputs that differ in another axis.
    """

    word = "A `Concatenate` layer"

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        """Checks the inputs' shapes."""
        if not isinstance(input_shape, list) or len(input_shape) < 2:
            raise ValueError(error_text("A `Concatenate` layer should be called on a list of at least 2 inputs"))
        shapes = [as_shape(shape).as_list() for shape in input_shape]
        others = [[*shape[: self.axis], *(shape[self.axis + 1 :] if self.axis != -1 else [])] for shape in shapes]
        if any(
            len(other) != len(others[0]) or any(None not in pair and pair[0] != pair[1] for pair in zip(other, others[0]))
            for other in others
        ):
            raise ValueError(
                error_text(
                    "A `Concatenate` layer requires inputs with matching shapes except for the concat axis. Got inputs shapes: "
                    f"{[tuple(shape) for shape in shapes]}"
                )
            )
        self.built = True

    def call(self, inputs: Any) -> Any:
        """A list of [n, ...] -> [n, ...]."""
        return array.concat(inputs, axis=self.axis)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """A list of [n, ...] -> [n, ...]."""
        shapes = [as_shape(shape).as_list() for shape in input_shape]
        whole = list(shapes[0])
        sizes = [shape[self.axis] for shape in shapes]
        whole[self.axis] = None if None in sizes else sum(sizes)
        return as_shape(whole)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The inputs' masks, joined like them."""
        if mask is None or all(one is None for one in mask):
            return None
        masks = []
        for x, one in zip(inputs, mask):
            if one is None:
                masks.append(array.ones_like(x, dtype="bool"))
            else:
                masks.append(array.expand_dims(one, axis=-1) if len(one.shape) < len(x.shape) else one)
        return reductions.reduce_all(array.concat(masks, axis=self.axis), axis=-1, keepdims=False)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "axis": self.axis}


class Dot(_Merge):
    """The inner products of two inputs along the axes, sample by sample. normalize: of unit vectors, which gives the cosine.

    Raises: TypeError for axes that are neither a number nor two; ValueError for sizes that differ there.
    """

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(axes, int) and (
            not isinstance(axes, (list, tuple)) or len(axes) != 2 or not all(isinstance(axis, int) for axis in axes)
        ):
            raise TypeError(error_text("Invalid type for `axes` - should be a list or an int."))
        self.axes, self.normalize = axes, normalize
        self.supports_masking = True

    def _both(self, ranks: tuple[int, int]) -> list[int]:
        axes = [self.axes] * 2 if isinstance(self.axes, int) else list(self.axes)
        return [axis % rank for axis, rank in zip(axes, ranks)]

    def build(self, input_shape: Any) -> None:
        """Checks the inputs' shapes."""
        if not isinstance(input_shape, list) or len(input_shape) != 2:
            raise ValueError(error_text("A `Dot` layer should be called on a list of 2 inputs."))
        first, second = (as_shape(shape).as_list() for shape in input_shape)
        axes = self._both((len(first), len(second)))
        sizes = first[axes[0]], second[axes[1]]
        if None not in sizes and sizes[0] != sizes[1]:
            raise ValueError(
                error_text(
                    f"Dimension incompatibility {sizes[0]} != {sizes[1]}. Layer shapes: {tuple(first)}, {tuple(second)}"
                )
            )
        self.built = True

    def call(self, inputs: Any) -> Any:
        """[n, ...] and [n, ...] -> [n, ...]."""
        first, second = inputs
        axes = self._both((len(first.shape), len(second.shape)))
        if self.normalize:
            first, second = l2_normalize(first, axis=axes[0]), l2_normalize(second, axis=axes[1])
        return batch_dot(first, second, axes)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, ...] and [n, ...] -> [n, ...]."""
        first, second = (as_shape(shape).as_list() for shape in input_shape)
        axes = self._both((len(first), len(second)))
        del first[axes[0]], second[axes[1]]
        whole = first + second[1:]
        return as_shape([*whole, 1] if len(whole) == 1 else whole)

    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        """None."""

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "axes": self.axes, "normalize": self.normalize}


def _function(kind: type[_Merge], name: str, *options: str) -> Callable[..., Any]:
    """The function that calls a new layer of the kind on a list of inputs."""

    def function(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return kind(**dict(zip(options, args)), **kwargs)(inputs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = kind.__doc__
    return function


add = _function(Add, "add")
subtract = _function(Subtract, "subtract")
multiply = _function(Multiply, "multiply")
average = _function(Average, "average")
maximum = _function(Maximum, "maximum")
minimum = _function(Minimum, "minimum")
concatenate = _function(Concatenate, "concatenate", "axis")
dot = _function(Dot, "dot", "axes", "normalize")

__all__ = [
    "Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract", "add", "average", "concatenate", "dot",
    "maximum", "minimum", "multiply", "subtract",
]  # fmt: skip
