"""LocallyConnected1D and LocallyConnected2D: filters that slide as those of a convolution, with weights for each place.

No state but the weights.
"""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.arrays import array
from ...lib.math import reductions
from ...lib.math.products import matmul
from ...op.callers import nodes
from ..keras_layers.input_spec import InputSpec
from ..keras_layers.told_defaults import with_defaults
from ..keras_parts.biases import bias_add
from ..keras_parts.image_arguments import output_length
from .keras_convolution import Conv


class _LocallyConnected(Conv):
    """What the layers with weights for each place share.

    implementation: how the layer computes. 1 cuts out what each place reads and multiplies it by the place's filters. 2
    multiplies the whole input by a matrix that is 0 where a place does not read. 3 keeps the other elements of that matrix
    alone, as a sparse matrix.
    """

    def __init__(
        self,
        filters: Any,
        kernel_size: Any,
        strides: Any = 1,
        padding: Any = "valid",
        data_format: str | None = None,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        implementation: int = 1,
        **kwargs: Any,
    ) -> None:
        if implementation == 1 and str(padding).lower() != "valid":
            raise ValueError(
                error_text(
                    f"Invalid border mode for {type(self).__name__} (only \"valid\" is supported if implementation is 1): "
                    f"{padding}"
                )
            )
        super().__init__(
            filters, kernel_size, strides, padding, data_format, 1, activation, use_bias, kernel_initializer, bias_initializer,
            kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, **kwargs,
        )  # fmt: skip
        self.implementation = implementation

    # -- variables -----------------------------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Creates kernel and bias [places..., filters]."""
        lengths, channels = self._checked_sizes(input_shape)
        self._places = self._checked_places(lengths)
        if self.implementation == 1:
            shape: Any = (math.prod(self._places), math.prod(self.kernel_size) * channels, self.filters)
        elif self.implementation == 2:
            shape = (*self._in_order(lengths, channels), *self._in_order(self._places, self.filters))
            self._mask = self._connections(lengths, 1, 1).astype(self.dtype)
        elif self.implementation == 3:
            matrix = self._connections(lengths, channels, self.filters).reshape(math.prod(lengths) * channels, -1).T
            self._entries, self._matrix_shape = np.argwhere(matrix), matrix.shape
            shape = (len(self._entries),)
        else:
            raise ValueError(error_text(f"Unrecognized implementation mode: {self.implementation}."))
        self.kernel = self._add_filters("kernel", shape)
        self.bias = self._add_filters("bias", (*self._places, self.filters)) if self.use_bias else None
        axis = 1 if self.data_format == "channels_first" else -1
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        self.built = True

    def _checked_sizes(self, input_shape: Any) -> tuple[tuple[int, ...], int]:
        """The lengths of the spatial axes and the number of channels.

        Raises: ValueError when one is unknown.
        """
        shape = tuple(as_shape(input_shape).as_list())
        if None in shape[1:]:
            raise ValueError(
                error_text(
                    f"The spatial dimensions of the inputs to  a {type(self).__name__} layer should be fully-defined, but layer "
                    f"received the inputs shape {shape}"
                )
            )
        return (shape[2:], shape[1]) if self.data_format == "channels_first" else (shape[1:-1], shape[-1])

    def _checked_places(self, lengths: tuple[int, ...]) -> tuple[int, ...]:
        """How often the filters fit along each axis.

        Raises: ValueError for strides of 0, a padding other than "valid" and "same", and filters larger than the inputs.
        """
        self._check_steps()
        if self.padding not in ("valid", "same"):
            raise ValueError(error_text(f"{type(self).__name__} has the paddings valid and same, not {self.padding}"))
        found = [output_length(*each) for each in self._axes(lengths)]
        if min(found) < 1:
            raise ValueError(
                error_text(f"{type(self).__name__}: filters of size {self.kernel_size} do not fit into inputs of size {lengths}")
            )
        return tuple(found)

    def _axes(self, lengths: tuple[int, ...]) -> list[tuple[int, int, str, int]]:
        return [(length, size, self.padding, step) for length, size, step in zip(lengths, self.kernel_size, self.strides)]

    def _in_order(self, sizes: Any, channels: int) -> tuple[int, ...]:
        """The sizes of a sample's axes."""
        return (channels, *sizes) if self.data_format == "channels_first" else (*sizes, channels)

    def _connections(self, lengths: tuple[int, ...], channels: int, filters: int) -> Any:
        """Whether an output reads an input: bool [an input's axes..., an output's axes...]."""
        of_axes = [_connections_along(*each, places) for each, places in zip(self._axes(lengths), self._places)]
        # [s0, p0, s1, p1, …] -> [s0, s1, …, p0, p1, …]
        whole = functools.reduce(np.multiply.outer, of_axes)
        whole = whole.transpose(*range(0, 2 * self.rank, 2), *range(1, 2 * self.rank, 2))
        whole = whole.reshape(*self._in_order(lengths, 1), *self._in_order(self._places, 1))
        return np.broadcast_to(whole, (*self._in_order(lengths, channels), *self._in_order(self._places, filters)))

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def call(self, inputs: Any) -> Any:
        """[n, s..., c] -> [n, places..., filters]."""
        multiply = {1: self._by_windows, 2: self._by_matrix, 3: self._by_sparse_matrix}[self.implementation]
        outputs = multiply(inputs)
        if self.use_bias:
            outputs = bias_add(outputs, self.bias, self.data_format)
        return self.activation(outputs)

    def _by_windows(self, inputs: Any) -> Any:
        return by_windows(inputs, self.kernel, self.kernel_size, self.strides, self._places, self.data_format)

    def _by_matrix(self, inputs: Any) -> Any:
        flat = array.reshape(inputs, (array.shape(inputs)[0], -1))
        kernel = self._mask * self.kernel
        sizes = array.shape(kernel)
        halves = sizes[: self.rank + 1], sizes[self.rank + 1 :]
        matrix = array.reshape(kernel, [reductions.reduce_prod(half) for half in halves])
        return self._as_samples(nodes.SparseMatMul(flat, matrix, b_is_sparse=True))

    def _by_sparse_matrix(self, inputs: Any) -> Any:
        flat = array.reshape(inputs, (array.shape(inputs)[0], -1))
        product = nodes.SparseTensorDenseMatMul(self._entries, self.kernel, self._matrix_shape, flat, adjoint_b=True)
        return self._as_samples(array.transpose(product))

    def _as_samples(self, outputs: Any) -> Any:
        """[n, elements] -> [n, places..., filters]."""
        return array.reshape(outputs, (array.shape(outputs)[0], *self._in_order(self._places, self.filters)))

    # -- as data -------------------------------------------------------------------------------------------------------

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        config = super().get_config()
        del config["dilation_rate"]
        return {**config, "implementation": self.implementation}


def by_windows(inputs: Any, kernel: Any, sizes: Any, strides: Any, places: tuple[int, ...], data_format: str) -> Any:
    """The products of what each place reads with the place's filters: inputs [n, s..., c], kernel [places, sizes · c, filters]
    -> [n, places..., filters].
    """
    rank, first, filters = len(places), data_format == "channels_first", kernel.shape.as_list()[2]
    windows = []
    for place in itertools.product(*map(range, places)):
        cut = [slice(at * step, at * step + size) for at, size, step in zip(place, sizes, strides)]
        whole = slice(None)
        window = inputs[(whole, whole, *cut) if first else (whole, *cut, whole)]
        windows.append(array.reshape(window, (1, -1, kernel.shape.as_list()[1])))
    outputs = matmul(array.concat(windows, 0), kernel)
    outputs = array.reshape(outputs, (*places, -1, filters))
    axes = tuple(range(rank))
    return array.transpose(outputs, perm=(rank, rank + 1, *axes) if first else (rank, *axes, rank + 1))


def _connections_along(length: int, size: int, padding: str, step: int, places: int) -> Any:
    """Whether a place reads an element of an axis: bool [length, places]."""
    start = np.arange(places) * step - (size // 2 if padding == "same" else 0)
    elements = np.arange(length)[:, None]
    return (elements >= start) & (elements < start + size)


class LocallyConnected1D(_LocallyConnected):
    """Filters of its own for each place of sequences: [n, w, c] -> activation([n, places, filters]), with bias [places,
    filters].

    The kernel is [places, k · c, filters] with implementation 1, [w, c, places, filters] with 2, and of rank 1 with 3.
    padding: "valid", or with implementations 2 and 3 also "same". data_format: "channels_first" for [n, c, w].

    Raises: ValueError for arguments that do not fit, inputs of another rank, and an unknown number of steps or channels.
    """

    rank = 1


@with_defaults(strides=(1, 1))
class LocallyConnected2D(_LocallyConnected):
    """Filters of its own for each place of images: [n, h, w, c] -> activation([n, places, places, filters]), with bias
    [places, places, filters].

    The kernel is [places · places, kh · kw · c, filters] with implementation 1, [h, w, c, places, places, filters] with 2, and
    of rank 1 with 3. padding: "valid", or with implementations 2 and 3 also "same". data_format: "channels_first" for
    [n, c, h, w].

    Raises: ValueError for arguments that do not fit, inputs of another rank, and an unknown size or number of channels.
    """

    rank = 2


__all__ = ["LocallyConnected1D", "LocallyConnected2D", "by_windows"]
