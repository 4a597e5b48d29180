"""GlobalAveragePooling1D … 3D and GlobalMaxPooling1D … 3D: one number for each channel: [n, s..., c] -> [n, c]. No state."""

from __future__ import annotations

from typing import Any

from ...base.shapes import TensorShape, as_shape
from ...lib.arrays import array
from ...lib.math import math, reductions
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.input_spec import InputSpec
from ..keras_parts.image_arguments import normalized_data_format
from ..keras_parts.keras_config import floatx


class _GlobalPooling(KerasLayer):
    """One number for each channel, over `rank` spatial axes: [n, s..., c] -> [n, c]."""

    rank: int

    def __init__(self, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = normalized_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Any) -> Any:
        """[n, s..., c] -> [n, c]."""
        first = 2 if self.data_format == "channels_first" else 1
        return self._reduced(inputs, list(range(first, first + self.rank)))

    def _reduced(self, inputs: Any, axes: list[int]) -> Any:
        raise NotImplementedError

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, s..., c] -> [n, c]."""
        sizes = as_shape(input_shape).as_list()
        return as_shape([sizes[0], sizes[1 if self.data_format == "channels_first" else -1]])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "data_format": self.data_format}


class _GlobalAverage(_GlobalPooling):
    def _reduced(self, inputs: Any, axes: list[int]) -> Any:
        return reductions.reduce_mean(inputs, axis=axes)


class _GlobalMax(_GlobalPooling):
    def _reduced(self, inputs: Any, axes: list[int]) -> Any:
        return reductions.reduce_max(inputs, axis=axes)


class GlobalAveragePooling1D(_GlobalAverage):
    """The mean over the steps, those that a mask leaves: [n, steps, c] -> [n, c]."""

    rank = 1

    def __init__(self, data_format: Any = "channels_last", **kwargs: Any) -> None:
        super().__init__(data_format=data_format, **kwargs)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """[n, steps, c] -> [n, c]."""
        axis = 1 if self.data_format == "channels_last" else 2
        if mask is None:
            return reductions.reduce_mean(inputs, axis=axis)
        mask = math.cast(mask, floatx())
        mask = array.expand_dims(mask, axis=2 if self.data_format == "channels_last" else 1)
        inputs = inputs * mask
        return reductions.reduce_sum(inputs, axis=axis) / reductions.reduce_sum(mask, axis=axis)

    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        """None: the steps are gone."""


class GlobalAveragePooling2D(_GlobalAverage):
    """The mean over images: [n, h, w, c] -> [n, c]; "channels_first" for [n, c, h, w]."""

    rank = 2


class GlobalAveragePooling3D(_GlobalAverage):
    """The mean over volumes: [n, d, h, w, c] -> [n, c]; "channels_first" for [n, c, d, h, w]."""

    rank = 3


class GlobalMaxPooling1D(_GlobalMax):
    """The largest over the steps: [n, steps, c] -> [n, c]."""

    rank = 1

    def __init__(self, data_format: Any = "channels_last", **kwargs: Any) -> None:
        super().__init__(data_format=data_format, **kwargs)

    def call(self, inputs: Any) -> Any:
        """[n, steps, c] -> [n, c]."""
        return reductions.reduce_max(inputs, axis=1 if self.data_format == "channels_last" else 2)


class GlobalMaxPooling2D(_GlobalMax):
    """The largest over images: [n, h, w, c] -> [n, c]; "channels_first" for [n, c, h, w]."""

    rank = 2


class GlobalMaxPooling3D(_GlobalMax):
    """The largest over volumes: [n, d, h, w, c] -> [n, c]; "channels_first" for [n, c, d, h, w]."""

    rank = 3


__all__ = [
    "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAveragePooling3D", "GlobalMaxPooling1D", "GlobalMaxPooling2D",
    "GlobalMaxPooling3D",
]  # fmt: skip
