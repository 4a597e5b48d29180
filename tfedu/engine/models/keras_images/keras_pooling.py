"""`max_pooling2d`, `average_pooling2d` and their relatives: the largest element or the mean of each window. No state."""

from __future__ import annotations

from typing import Any

from ...base.shapes import TensorShape, as_shape
from ...lib.arrays import array
from ...lib.nn import pooling
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.input_spec import InputSpec
from ..keras_layers.told_defaults import with_defaults
from ..keras_parts.image_arguments import (
    normalized_data_format,
    normalized_padding,
    op_data_format,
    output_length,
    sizes_of_axes,
)

_TO_LAST, _TO_FIRST = {1: (0, 2, 3, 1), 3: (0, 2, 3, 4, 1)}, {1: (0, 3, 1, 2), 3: (0, 4, 1, 2, 3)}


class _Pooling(KerasLayer):
    """The layers with windows over `rank` spatial axes: [n, s..., c] -> [n, places..., c]."""

    rank: int
    _ops: dict[int, Any]

    def __init__(
        self,
        pool_size: Any = 2,
        strides: Any = None,
        padding: Any = "valid",
        data_format: str | None = None,
        **kwargs: Any,
    ) -> None:
        strides = pool_size if strides is None else strides
        super().__init__(**kwargs)
        self.pool_size = sizes_of_axes(pool_size, self.rank, "pool_size")
        self.strides = sizes_of_axes(strides, self.rank, "strides")
        self.padding = normalized_padding(padding)
        self.data_format = normalized_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Any) -> Any:
        """[n, s..., c] -> [n, places..., c]; sequences as images of width 1."""
        width_axis = 3 if self.data_format == "channels_first" else 2
        if self.rank == 1:
            inputs = array.expand_dims(inputs, width_axis)
        outputs = self._pooled(inputs)
        return array.squeeze(outputs, width_axis) if self.rank == 1 else outputs

    def _pooled(self, inputs: Any) -> Any:
        # As TF 1.15 without a GPU: sequences and volumes with the channels first are transposed before and after.
        turned = self.data_format == "channels_first" and self.rank != 2
        first = self.data_format == "channels_first" and not turned
        if turned:
            inputs = array.transpose(inputs, _TO_LAST[self.rank])
        rest = (1,) if self.rank == 1 else ()
        windows, steps = (
            [1, 1, *sizes, *rest] if first else [1, *sizes, *rest, 1] for sizes in (self.pool_size, self.strides)
        )
        data_format = op_data_format("channels_first" if first else "channels_last", max(self.rank + 2, 4))
        op = self._ops[2 if self.rank == 1 else self.rank]
        outputs = op(inputs, ksize=windows, strides=steps, padding=self.padding.upper(), data_format=data_format)
        return array.transpose(outputs, _TO_FIRST[self.rank]) if turned else outputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, s..., c] -> [n, places..., c].

        Raises: ValueError for an unknown rank, or one that is too small.
        """
        sizes = as_shape(input_shape).with_rank_at_least(self.rank + 2).as_list()
        first = 2 if self.data_format == "channels_first" else 1
        for axis in range(self.rank):
            window, stride = self.pool_size[axis], self.strides[axis]
            sizes[first + axis] = output_length(sizes[first + axis], window, self.padding, stride)
        return as_shape(sizes)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        names = ("pool_size", "strides", "padding", "data_format")
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}


class _MaxPooling(_Pooling):
    _ops = {2: pooling.max_pool, 3: pooling.max_pool3d}


class _AveragePooling(_Pooling):
    _ops = {2: pooling.avg_pool, 3: pooling.avg_pool3d}


@with_defaults(data_format="channels_last")
class MaxPooling1D(_MaxPooling):
    """The largest element of each window over sequences: [n, w, c] -> [n, places, c]; "channels_first" for [n, c, w].

    Raises: ValueError for arguments that do not fit.
    """

    rank = 1


@with_defaults(pool_size=(2, 2))
class MaxPooling2D(_MaxPooling):
    """The largest element of each window over images: [n, h, w, c] -> [n, places, places, c]; "channels_first" for [n, c, h,
    w].

    Raises: ValueError for arguments that do not fit.
    """

    rank = 2


@with_defaults(pool_size=(2, 2, 2))
class MaxPooling3D(_MaxPooling):
    """The largest element of each window over volumes: [n, d, h, w, c] -> [n, places, places, places, c]; "channels_first" for
    [n, c, d, h, w].

    Raises: ValueError for arguments that do not fit.
    """

    rank = 3


@with_defaults(data_format="channels_last")
class AveragePooling1D(_AveragePooling):
    """The mean of each window over sequences: [n, w, c] -> [n, places, c]; "channels_first" for [n, c, w].

    Raises: ValueError for arguments that do not fit.
    """

    rank = 1


@with_defaults(pool_size=(2, 2))
class AveragePooling2D(_AveragePooling):
    """The mean of each window over images: [n, h, w, c] -> [n, places, places, c]; "channels_first" for [n, c, h, w].

    Raises: ValueError for arguments that do not fit.
    """

    rank = 2


@with_defaults(pool_size=(2, 2, 2))
class AveragePooling3D(_AveragePooling):
    """The mean of each window over volumes: [n, d, h, w, c] -> [n, places, places, places, c]; "channels_first" for [n, c, d,
    h, w].

    Raises: ValueError for arguments that do not fit.
    """

    rank = 3



__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D",
]  # fmt: skip
