"""ConvLSTM2D: an LSTM over sequences of images, whose products are convolutions. State: the weights of its cell."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...lib.arrays import array
from ...lib.arrays.slicing import split
from ...lib.math import reductions
from ..keras_images.backend_convolutions import conv2d
from ..keras_parts.biases import bias_add
from ..keras_parts.image_arguments import (
    normalized_data_format,
    normalized_padding,
    output_length,
    sizes_of_axes,
)
from .recurrent_cells import RecurrentCell, forget_bias
from .recurrent_layers import CellLayer, layer_of


class ConvLSTM2DCell(RecurrentCell):
    """A step of `ConvLSTM2D`: images [n, h, w, c], states [n, places, places, filters] twice -> output and states.

    kernel [kh, kw, c, 4 · filters] slides over the images with strides, padding and dilation_rate, recurrent_kernel [kh, kw,
    filters, 4 · filters] over the output before, which keeps its size.

    Raises: ValueError for arguments that do not fit, and for images whose number of channels is unknown.
    """

    gates = 4
    size_name = "filters"
    options = (
        "kernel_size", "strides", "padding", "data_format", "dilation_rate", "recurrent_activation", "unit_forget_bias",
    )  # fmt: skip

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1), padding: Any = "valid", data_format: str | None = None,
        dilation_rate: Any = (1, 1), activation: Any = "tanh", recurrent_activation: Any = "hard_sigmoid",
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", unit_forget_bias: bool = True, kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        given = {name: value for name, value in locals().items() if name not in ("self", "filters", "kwargs", "__class__")}
        super().__init__(**kwargs)
        for name in ("kernel_size", "strides", "dilation_rate"):
            given[name] = sizes_of_axes(given[name], 2, name)
        given["padding"], given["data_format"] = normalized_padding(padding), normalized_data_format(data_format)
        self._begin(filters, given)

    @property
    def state_size(self) -> Any:
        """The numbers of channels of output and memory."""
        return (self.filters, self.filters)

    @property
    def output_size(self) -> int:
        """The number of channels of the output."""
        return self.filters  # type: ignore[no-any-return]

    def build(self, input_shape: Any) -> None:
        """Creates kernel, recurrent_kernel and bias."""
        channels = as_shape(input_shape).as_list()[1 if self.data_format == "channels_first" else -1]
        if channels is None:
            raise ValueError(error_text("The channel dimension of the inputs should be defined. Found `None`."))
        self.kernel_shape = (*self.kernel_size, channels, 4 * self.filters)
        self.kernel = self._weight("kernel", self.kernel_shape)
        self.recurrent_kernel = self._weight("recurrent", (*self.kernel_size, self.filters, 4 * self.filters))
        begun = forget_bias(self.bias_initializer, self.filters) if self.unit_forget_bias else None
        self.bias = self._weight("bias", (4 * self.filters,), begun) if self.use_bias else None
        self.built = True

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:  # type: ignore[override]
        """[n, h, w, c] and [[n, places, places, filters]] * 2 -> (output, [output, memory])."""
        before, memory = states
        of_inputs = self._mask("inputs", inputs, self.dropout, training) or (None,) * 4
        of_states = self._mask("states", before, self.recurrent_dropout, training) or (None,) * 4
        xs = [inputs if mask is None else inputs * mask for mask in of_inputs]
        hs = [before if mask is None else before * mask for mask in of_states]
        kernels = split(self.kernel, num_or_size_splits=4, axis=3)
        recurrent_kernels = split(self.recurrent_kernel, num_or_size_splits=4, axis=3)
        biases = split(self.bias, num_or_size_splits=4) if self.use_bias else (None,) * 4
        parts = [self.convolved(x, kernel, bias) for x, kernel, bias in zip(xs, kernels, biases)]
        rest = [conv2d(h, kernel, padding="same", data_format=self.data_format) for h, kernel in zip(hs, recurrent_kernels)]
        take = self.recurrent_activation(parts[0] + rest[0])
        keep = self.recurrent_activation(parts[1] + rest[1])
        memory = keep * memory + take * self.activation(parts[2] + rest[2])
        out = self.recurrent_activation(parts[3] + rest[3])
        h = out * self.activation(memory)
        return h, [h, memory]

    def convolved(self, images: Any, kernel: Any, bias: Any = None) -> Any:
        """[n, h, w, c] and [kh, kw, c, filters] -> [n, places, places, filters]."""
        outputs = conv2d(images, kernel, self.strides, self.padding, self.data_format, self.dilation_rate)
        return outputs if bias is None else bias_add(outputs, bias, self.data_format)

    def places(self, sizes: list[int | None]) -> list[int | None]:
        """The sizes of an output for the sizes of an image, both without the batch and in the order of data_format."""
        first = self.data_format == "channels_first"
        axes = zip(sizes[1:] if first else sizes[:-1], self.kernel_size, self.strides, self.dilation_rate)
        found = [output_length(size, window, self.padding, step, rate) for size, window, step, rate in axes]
        return [self.filters, *found] if first else [*found, self.filters]


@layer_of(ConvLSTM2DCell, ("return_sequences", "go_backwards", "stateful"), ("dropout", "recurrent_dropout"))
class ConvLSTM2D(CellLayer):
    """An LSTM whose products are convolutions: [n, steps, h, w, c] -> the last output [n, places, places, filters], or with
    return_sequences all [n, steps, places, places, filters]. Source: Shi et al., 2015.

    data_format: "channels_first" for [n, steps, c, h, w]. Other arguments: as of `Conv2D` and `LSTM`.

    Raises: TypeError with unroll; ValueError for arguments that do not fit, and for an unknown number of channels.
    """

    _inputs_rank = 5

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("unroll"):
            raise TypeError(error_text("Unrolling isn't possible with convolutional RNNs."))
        super().__init__(*args, **kwargs)

    def _state_sizes(self, size: Any, input_sizes: list[int | None]) -> list[int | None]:
        sizes = self.cell.places(input_sizes[2:])
        if None in sizes:
            raise ValueError(error_text(f"A stateful layer over images has to know their sizes, not {tuple(input_sizes)}"))
        return sizes  # type: ignore[no-any-return]

    def get_initial_state(self, inputs: Any) -> list[Any]:
        """The states with which the first step begins: zeros, as the convolution of zeros."""
        zeros = reductions.reduce_sum(array.zeros_like(inputs), axis=1)
        kernel = array.zeros((*self.cell.kernel_shape[:-1], self.cell.filters), dtype=zeros.dtype)
        state = self.cell.convolved(zeros, kernel)
        return [state, state]

    def _loop_limit(self, steps: int | None) -> int | None:
        return steps

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[n, steps, h, w, c] -> [n, places, places, filters] or [n, steps, places, places, filters], and those of the states
        with return_state.
        """
        sizes = as_shape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()
        places = self.cell.places(sizes[2:])
        state = TensorShape([sizes[0], *places])
        whole = TensorShape([*sizes[:2], *places]) if self.return_sequences else state
        return [whole, state, state] if self.return_state else whole


__all__ = ["ConvLSTM2D", "ConvLSTM2DCell"]
