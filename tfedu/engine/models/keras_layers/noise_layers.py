"""Layers that disturb their inputs in training alone: GaussianNoise, GaussianDropout, AlphaDropout, SpatialDropout1D … 3D.

No state.
"""

from __future__ import annotations

from typing import Any

from ...lib.arrays import array
from ...lib.math import math
from ...lib.math.random import random_normal, random_uniform
from ..keras_parts.image_arguments import normalized_data_format
from .base_layer import KerasLayer
from .call_context import choose_by_training
from .input_spec import InputSpec
from .keras_core import Dropout


class _Noise(KerasLayer):
    """A layer that changes its inputs in training: [...] -> [...]."""

    setting = "rate"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[...] -> [...]."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), self.setting: getattr(self, self.setting)}


class GaussianNoise(_Noise):
    """In training, inputs + normal noise of that standard deviation."""

    setting = "stddev"

    def __init__(self, stddev: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.stddev = stddev

    def call(self, inputs: Any, training: Any = None) -> Any:
        """[...] -> [...]."""

        def noised() -> Any:
            return inputs + random_normal(array.shape(inputs), mean=0.0, stddev=self.stddev, dtype=inputs.dtype)

        return choose_by_training(training, noised, lambda: inputs)


class GaussianDropout(_Noise):
    """In training, inputs · normal noise of mean 1 and standard deviation sqrt(rate / (1 - rate))."""

    def __init__(self, rate: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate = rate

    def call(self, inputs: Any, training: Any = None) -> Any:
        """[...] -> [...]."""
        if not 0 < self.rate < 1:
            return inputs

        def noised() -> Any:
            stddev = (self.rate / (1.0 - self.rate)) ** 0.5
            return inputs * random_normal(array.shape(inputs), mean=1.0, stddev=stddev, dtype=inputs.dtype)

        return choose_by_training(training, noised, lambda: inputs)


class AlphaDropout(_Noise):
    """Dropout that keeps mean and variance of the inputs of selu. Source: Klambauer et al., 2017."""

    def __init__(self, rate: float, noise_shape: Any = None, seed: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs: Any, training: Any = None) -> Any:
        """[...] -> [...]."""
        if not 0.0 < self.rate < 1.0:
            return inputs
        lowest = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946
        shape = array.shape(inputs) if self.noise_shape is None else self.noise_shape

        def dropped() -> Any:
            kept = math.greater_equal(random_uniform(shape, seed=self.seed), self.rate)
            kept = math.cast(kept, inputs.dtype)
            a = ((1 - self.rate) * (1 + self.rate * lowest**2)) ** -0.5
            return a * (inputs * kept + lowest * (1 - kept)) + -a * lowest * self.rate

        return choose_by_training(training, dropped, lambda: inputs)


class SpatialDropout1D(Dropout):
    """Dropout of whole channels of sequences: [n, steps, c] -> [n, steps, c]."""

    def __init__(self, rate: float, **kwargs: Any) -> None:
        super().__init__(rate, **kwargs)
        self.input_spec = InputSpec(ndim=3)

    def _noise_shape(self, inputs: Any) -> Any:
        sizes = array.shape(inputs)
        return (sizes[0], 1, sizes[2])


class _SpatialDropout(Dropout):
    """Dropout of whole channels, over `rank` spatial axes."""

    rank: int

    def __init__(self, rate: float, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(rate, **kwargs)
        self.data_format = normalized_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _noise_shape(self, inputs: Any) -> Any:
        sizes, ones = array.shape(inputs), (1,) * self.rank
        if self.data_format == "channels_first":
            return (sizes[0], sizes[1], *ones)
        return (sizes[0], *ones, sizes[self.rank + 1])


class SpatialDropout2D(_SpatialDropout):
    """Dropout of whole channels of images: [n, h, w, c] -> [n, h, w, c]."""

    rank = 2


class SpatialDropout3D(_SpatialDropout):
    """Dropout of whole channels of volumes: [n, d, h, w, c] -> [n, d, h, w, c]."""

    rank = 3


__all__ = ["AlphaDropout", "GaussianDropout", "GaussianNoise", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D"]
