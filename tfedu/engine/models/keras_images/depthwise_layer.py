"""`DepthwiseConv2D`: filters of their own for each channel of images. No state but the weights."""

from __future__ import annotations

from typing import Any

from ...base.shapes import TensorShape, as_shape
from ...lib.nn.depthwise import depthwise_conv2d
from ..keras_layers.identifiers import config_of, initializer_named
from ..keras_layers.penalties import constraint_named, regularizer_named
from ..keras_parts.image_arguments import op_data_format, output_length
from .keras_convolution import Conv


class DepthwiseConv2D(Conv):
    """depth_multiplier filters for each channel: [n, h, w, c] -> activation([n, places, places, c · depth_multiplier]), with
    depthwise_kernel [kh, kw, c, depth_multiplier] and bias [c · depth_multiplier].

    Raises: ValueError for arguments that do not fit, inputs of another rank, or an unknown number of channels.
    """

    rank = 2

    def __init__(
        self, kernel_size: Any, strides: Any = (1, 1), padding: Any = "valid", depth_multiplier: int = 1,
        data_format: Any = None, activation: Any = None, use_bias: bool = True, depthwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", depthwise_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, depthwise_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            None, kernel_size, strides, padding, data_format, activation=activation, use_bias=use_bias,
            bias_initializer=bias_initializer, bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer = initializer_named(depthwise_initializer)
        self.depthwise_regularizer = regularizer_named(depthwise_regularizer)
        self.depthwise_constraint = constraint_named(depthwise_constraint)

    def build(self, input_shape: Any) -> None:
        """Creates depthwise_kernel and bias."""
        channels = self._channels(input_shape)
        shape = (*self.kernel_size, channels, self.depth_multiplier)
        self.depthwise_kernel = self._add_filters("depthwise", shape, "depthwise_kernel")
        self.bias = self._add_filters("bias", (channels * self.depth_multiplier,)) if self.use_bias else None
        self.built = True

    def call(self, inputs: Any) -> Any:
        """[n, h, w, c] -> [n, places, places, c · depth_multiplier]."""
        outputs = depthwise_conv2d(
            inputs, self.depthwise_kernel, self._whole(self.strides), self.padding.upper(), rate=self.dilation_rate,
            data_format=op_data_format(self.data_format, 4),
        )  # fmt: skip
        if self.use_bias:
            outputs = self._biased(outputs)
        return self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, h, w, c] -> [n, places, places, c · depth_multiplier]."""
        sizes = as_shape(input_shape).as_list()
        first = 2 if self.data_format == "channels_first" else 1
        for axis in range(2):
            size = output_length(sizes[first + axis], self.kernel_size[axis], self.padding, self.strides[axis])
            sizes[first + axis] = size
        sizes[self._channels_axis] = sizes[self._channels_axis] * self.depth_multiplier
        return as_shape(sizes)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        config = super().get_config()
        for name in ("filters", "kernel_initializer", "kernel_regularizer", "kernel_constraint"):
            config.pop(name)
        return {
            **config,
            "depth_multiplier": self.depth_multiplier,
            "depthwise_initializer": config_of(self.depthwise_initializer),
            "depthwise_regularizer": config_of(self.depthwise_regularizer),
            "depthwise_constraint": config_of(self.depthwise_constraint),
        }


__all__ = ["DepthwiseConv2D"]
