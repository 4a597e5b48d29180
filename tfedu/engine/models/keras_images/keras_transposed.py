"""`conv2d_transpose` and `conv3d_transpose`: layers that spread each input element over the window of a filter. No state."""
from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...lib.arrays import array
from ...lib.nn import convolution
from ...lib.nn.atrous import atrous_conv2d_transpose
from ..keras_layers.told_defaults import with_defaults
from ..keras_parts.image_arguments import op_data_format, sizes_of_axes, transposed_length
from .keras_convolution import Conv


class _Transposed(Conv):
    """What the layers with transposed filters share."""

    def __init__(
        self,
        filters: Any,
        kernel_size: Any,
        strides: Any = 1,
        padding: Any = "valid",
        output_padding: Any = None,
        data_format: str | None = None,
        dilation_rate: Any = 1,
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
        super().__init__(
            filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, kernel_initializer,
            bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint,
            **kwargs,
        )  # fmt: skip
        if self.rank == 2 and len(set(self.dilation_rate)) > 1:
            raise ValueError(error_text(f"dilation_rate must be the same for both axes, not {self.dilation_rate}"))
        self.output_padding = None
        if output_padding is not None:
            self.output_padding = sizes_of_axes(output_padding, self.rank, "output_padding")
            if any(step <= added for step, added in zip(self.strides, self.output_padding)):
                raise ValueError(
                    error_text(f"Stride {self.strides} must be greater than output padding {self.output_padding}")
                )

    def build(self, input_shape: Any) -> None:
        """Creates kernel [k..., filters, c] and bias [filters]."""
        channels = self._channels(input_shape)
        self.kernel = self._add_filters("kernel", (*self.kernel_size, self.filters, channels))
        self.bias = self._add_bias()
        self.built = True

    def call(self, inputs: Any) -> Any:
        """[n, places..., c] -> [n, s..., filters]."""
        sizes = array.shape(inputs)
        first = 2 if self.data_format == "channels_first" else 1
        batch, *places = [sizes[0], *(sizes[first + axis] for axis in range(self.rank))]
        lengths = [self._length(size, axis) for axis, size in enumerate(places)]
        whole = [batch, self.filters, *lengths] if first == 2 else [batch, *lengths, self.filters]
        outputs = self._spread(inputs, array.stack(whole))
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        if self.use_bias:
            outputs = self._biased(outputs)
        return self.activation(outputs)

    def _length(self, places: Any, axis: int) -> Any:
        added = None if self.output_padding is None else self.output_padding[axis]
        return transposed_length(
            places, self.kernel_size[axis], self.padding, self.strides[axis], added, self.dilation_rate[axis]
        )

    def _spread(self, inputs: Any, output_shape: Any) -> Any:
        raise NotImplementedError

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, places..., c] -> [n, s..., filters].

        Raises: ValueError for an unknown rank.
        """
        return self._output_shape(input_shape, self._length)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        config = {**super().get_config(), "output_padding": self.output_padding}
        if self.rank == 3:
            del config["dilation_rate"]
        return config


@with_defaults(strides=(1, 1), dilation_rate=(1, 1))
class Conv2DTranspose(_Transposed):
    """Filters that spread each element over a window: [n, places, places, c] -> activation([n, h, w, filters]), with kernel
    [kh, kw, filters, c] and bias [filters].

    kernel_size, strides: one number, or one for each of h and w. padding: "valid" or "same". output_padding: how many elements
    behind the last window each axis has, fewer than the stride. dilation_rate: one number for both axes. data_format:
    "channels_first" for [n, c, places, places].

    Raises: ValueError for arguments that do not fit, inputs of another rank, or an unknown number of channels.
    """

    rank = 2

    def _spread(self, inputs: Any, output_shape: Any) -> Any:
        # As TF 1.15 without a GPU: images with the channels first are transposed before and after.
        first = self.data_format == "channels_first"
        if first:
            inputs = array.transpose(inputs, (0, 2, 3, 1))
            output_shape = array.stack([output_shape[0], output_shape[2], output_shape[3], output_shape[1]])
        else:
            output_shape[0]  # 1.15 builds this slice too
        padding = self.padding.upper()
        if self.dilation_rate == (1, 1):
            steps = [1, *self.strides, 1]
            outputs = convolution.conv2d_transpose(inputs, self.kernel, output_shape, steps, padding, data_format="NHWC")
        else:
            outputs = atrous_conv2d_transpose(inputs, self.kernel, output_shape, self.dilation_rate[0], padding)
        return array.transpose(outputs, (0, 3, 1, 2)) if first else outputs


@with_defaults("dilation_rate", strides=(1, 1, 1))
class Conv3DTranspose(_Transposed):
    """Filters that spread each element over a window: [n, places, places, places, c] -> activation([n, d, h, w, filters]),
    with kernel [kd, kh, kw, filters, c] and bias [filters].

    kernel_size, strides: one number, or one for each of d, h and w. padding: "valid" or "same". output_padding: how many
    elements behind the last window each axis has, fewer than the stride. data_format: "channels_first" for [n, c, places,
    places, places].

    Raises: ValueError for arguments that do not fit, inputs of another rank, or an unknown number of channels.
    """

    rank = 3

    def _spread(self, inputs: Any, output_shape: Any) -> Any:
        return convolution.conv3d_transpose(
            inputs, self.kernel, output_shape, self._whole(self.strides), self.padding.upper(),
            data_format=op_data_format(self.data_format, 5),
        )  # fmt: skip



__all__ = ["Conv2DTranspose", "Conv3DTranspose"]
