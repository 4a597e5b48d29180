"""Layers that pad, crop or repeat along the spatial axes: ZeroPadding1D … 3D, Cropping1D … 3D, UpSampling1D … 3D. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.arrays.slicing import split
from ...lib.framework.scope_blocks import name_scope
from ...lib.images import image_sizes
from ...op.constant import constant
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.input_spec import InputSpec
from ..keras_parts.image_arguments import normalized_data_format, sizes_of_axes


class _Spatial(KerasLayer):
    """A layer over `rank` spatial axes, which change their sizes: [n, s..., c] -> [n, t..., c]."""

    rank: int
    has_format = True

    def _settle(self, data_format: Any) -> None:
        self.data_format = normalized_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    @property
    def _first(self) -> int:
        return 2 if self.data_format == "channels_first" else 1

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, s..., c] -> [n, t..., c]."""
        sizes = as_shape(input_shape).as_list()
        for axis in range(self.rank):
            size = sizes[self._first + axis]
            sizes[self._first + axis] = None if size is None else self._size(size, axis)
        return as_shape(sizes)

    def _size(self, size: int, axis: int) -> int:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        told = {"data_format": self.data_format} if self.has_format else {}
        return {**super().get_config(), **told}


def _pairs(value: Any, rank: int, name: str) -> tuple[tuple[int, int], ...]:
    """Two numbers for each axis: before and after.

    Raises: ValueError for anything else.
    """
    if isinstance(value, int):
        return ((value, value),) * rank
    if rank == 1:
        return (sizes_of_axes(value, 2, name),)
    if not hasattr(value, "__len__") or len(value) != rank:
        raise ValueError(error_text(f"`{name}` should have {rank} elements. Found: {value}"))
    return tuple((each, each) if isinstance(each, int) else sizes_of_axes(each, 2, f"entry of {name}") for each in value)


class _ZeroPadding(_Spatial):
    """Zeros before and after each spatial axis. padding: one number, one for each axis, or two for each."""

    def _begin(self, padding: Any, data_format: Any) -> None:
        self._settle(data_format)
        self._pairs = _pairs(padding, self.rank, "padding")
        self.padding = self._pairs[0] if self.rank == 1 else self._pairs

    def call(self, inputs: Any) -> Any:
        """[n, s..., c] -> [n, t..., c]."""
        whole = [[0, 0]] * self._first + [list(pair) for pair in self._pairs]
        whole += [[0, 0]] * (self.rank + 2 - len(whole))
        return array.pad(inputs, whole)

    def _size(self, size: int, axis: int) -> int:
        return size + sum(self._pairs[axis])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "padding": self.padding}


class ZeroPadding1D(_ZeroPadding):
    """Zeros before and after sequences: [n, steps, c] -> [n, t, c]."""

    rank, has_format = 1, False

    def __init__(self, padding: Any = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._begin(padding, "channels_last")


class ZeroPadding2D(_ZeroPadding):
    """Zeros around images: [n, h, w, c] -> [n, t, u, c]; "channels_first" for [n, c, h, w]."""

    rank = 2

    def __init__(self, padding: Any = (1, 1), data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._begin(padding, data_format)


class ZeroPadding3D(_ZeroPadding):
    """Zeros around volumes: [n, d, h, w, c] -> [n, t, u, v, c]; "channels_first" for [n, c, d, h, w]."""

    rank = 3

    def __init__(self, padding: Any = (1, 1, 1), data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._begin(padding, data_format)


class _Cropping(_Spatial):
    """Leaves out the first and last elements of each spatial axis. cropping: as the padding of ZeroPadding."""

    def _begin(self, cropping: Any, data_format: Any) -> None:
        self._settle(data_format)
        self._pairs = _pairs(cropping, self.rank, "cropping")
        self.cropping = self._pairs[0] if self.rank == 1 else self._pairs

    def call(self, inputs: Any) -> Any:
        """[n, s..., c] -> [n, t..., c]."""
        parts = tuple(slice(before, -after if after else None) for before, after in self._pairs)
        whole = (slice(None),) * self._first + parts
        return inputs[whole + (slice(None),) * (self.rank + 2 - len(whole))]

    def _size(self, size: int, axis: int) -> int:
        return size - sum(self._pairs[axis])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "cropping": self.cropping}


class Cropping1D(_Cropping):
    """Sequences without their first and last steps: [n, steps, c] -> [n, t, c]."""

    rank, has_format = 1, False

    def __init__(self, cropping: Any = (1, 1), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._begin(cropping, "channels_last")


class Cropping2D(_Cropping):
    """Images without their edges: [n, h, w, c] -> [n, t, u, c]; "channels_first" for [n, c, h, w]."""

    rank = 2

    def __init__(self, cropping: Any = ((0, 0), (0, 0)), data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._begin(cropping, data_format)


class Cropping3D(_Cropping):
    """Volumes without their edges: [n, d, h, w, c] -> [n, t, u, v, c]; "channels_first" for [n, c, d, h, w]."""

    rank = 3

    def __init__(self, cropping: Any = ((1, 1), (1, 1), (1, 1)), data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._begin(cropping, data_format)


@atomic
def repeated(x: Any, times: int, axis: int) -> Any:
    """Each element of the axis `times` times: [..., s, ...] -> [..., s · times, ...]."""
    known = x.shape.as_list()
    if known[axis] is not None:
        parts = split(value=x, num_or_size_splits=known[axis], axis=axis)
        return array.concat([part for part in parts for _ in range(times)], axis)
    axis %= len(known)
    sizes = array.shape(x)
    tiles = [1] * (len(known) + 1)
    tiles[axis + 1] = times
    longer = array.tile(array.expand_dims(x, axis + 1), tiles)
    factors = constant([times if each == axis else 1 for each in range(len(known))], dtype="int32")
    found = array.reshape(longer, sizes * factors)
    found.set_shape(known)
    return found


class UpSampling1D(_Spatial):
    """Each step `size` times: [n, steps, c] -> [n, steps · size, c]."""

    rank, has_format = 1, False

    def __init__(self, size: int = 2, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._settle("channels_last")
        self.size = int(size)

    def call(self, inputs: Any) -> Any:
        """[n, steps, c] -> [n, steps · size, c]."""
        return repeated(inputs, self.size, 1)

    def _size(self, size: int, axis: int) -> int:
        return size * self.size

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "size": self.size}


def enlarged(x: Any, factors: Any, first: bool, interpolation: str) -> Any:
    """Images enlarged by whole numbers: [n, h, w, c] -> [n, h · a, w · b, c]; first: whether the channels are before h and w."""
    begin = 2 if first else 1
    known = x.shape.as_list()
    for axis, factor in enumerate(factors):
        size = known[begin + axis]
        known[begin + axis] = None if size is None else size * int(factor)
    sizes = array.shape(x)[2:] if first else array.shape(x)[1:3]
    sizes = sizes * constant(np.array(factors, dtype="int32"))
    if first:
        x = array.transpose(x, [0, 2, 3, 1])
    resize = image_sizes.resize_nearest_neighbor if interpolation == "nearest" else image_sizes.resize_bilinear
    with name_scope("resize"):
        outputs = resize(x, sizes, half_pixel_centers=True)
    if first:
        outputs = array.transpose(outputs, [0, 3, 1, 2])
    outputs.set_shape(known)
    return outputs


class UpSampling2D(_Spatial):
    """Images enlarged by whole numbers: [n, h, w, c] -> [n, h · a, w · b, c]. interpolation: "nearest" or "bilinear".

    Raises: ValueError for another interpolation.
    """

    rank = 2

    def __init__(
        self, size: Any = (2, 2), data_format: Any = None, interpolation: str = "nearest", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._settle(data_format)
        self.size = sizes_of_axes(size, 2, "size")
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError(
                error_text('`interpolation` argument should be one of `"nearest"` or `"bilinear"`.')
            )
        self.interpolation = interpolation

    def call(self, inputs: Any) -> Any:
        """[n, h, w, c] -> [n, h · a, w · b, c]."""
        return enlarged(inputs, self.size, self.data_format == "channels_first", self.interpolation)

    def _size(self, size: int, axis: int) -> int:
        return size * int(self.size[axis])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "size": self.size, "interpolation": self.interpolation}


class UpSampling3D(_Spatial):
    """Each element of volumes several times: [n, d, h, w, c] -> [n, d · a, h · b, w · e, c]."""

    rank = 3

    def __init__(self, size: Any = (2, 2, 2), data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._settle(data_format)
        self.size = sizes_of_axes(size, 3, "size")

    def call(self, inputs: Any) -> Any:
        """[n, d, h, w, c] -> [n, d · a, h · b, w · e, c]."""
        for axis in range(3):
            inputs = repeated(inputs, self.size[axis], self._first + axis)
        return inputs

    def _size(self, size: int, axis: int) -> int:
        return size * int(self.size[axis])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "size": self.size}


__all__ = [
    "Cropping1D", "Cropping2D", "Cropping3D", "UpSampling1D", "UpSampling2D", "UpSampling3D", "ZeroPadding1D", "ZeroPadding2D",
    "ZeroPadding3D", "enlarged", "repeated",
]  # fmt: skip
