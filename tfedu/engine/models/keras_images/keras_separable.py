"""`separable_conv1d` and `separable_conv2d`: a filter for each channel, then a mixture of the channels. No state."""

from __future__ import annotations

from typing import Any

from ...lib.arrays import array
from ...lib.nn.depthwise import separable_conv2d as separable_conv2d_nodes
from ..keras_layers.identifiers import config_of, initializer_named
from ..keras_layers.penalties import constraint_named, regularizer_named
from ..keras_layers.told_defaults import with_defaults
from ..keras_parts.image_arguments import op_data_format
from .keras_convolution import Conv


class _Separable(Conv):
    """What the layers with separable filters share."""

    def __init__(
        self,
        filters: Any,
        kernel_size: Any,
        strides: Any = 1,
        padding: Any = "valid",
        data_format: str | None = None,
        dilation_rate: Any = 1,
        depth_multiplier: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        pointwise_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
            bias_initializer=bias_initializer, bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer = initializer_named(depthwise_initializer)
        self.pointwise_initializer = initializer_named(pointwise_initializer)
        self.depthwise_regularizer = regularizer_named(depthwise_regularizer)
        self.pointwise_regularizer = regularizer_named(pointwise_regularizer)
        self.depthwise_constraint = constraint_named(depthwise_constraint)
        self.pointwise_constraint = constraint_named(pointwise_constraint)

    def build(self, input_shape: Any) -> None:
        """Creates depthwise_kernel [k..., c, m], pointwise_kernel [1..., c · m, filters] and bias [filters]."""
        channels, multiplier = self._channels(input_shape), self.depth_multiplier
        ones = (1,) * self.rank
        depthwise, pointwise = (*self.kernel_size, channels, multiplier), (*ones, channels * multiplier, self.filters)
        self.depthwise_kernel = self._add_filters("depthwise", depthwise, "depthwise_kernel")
        self.pointwise_kernel = self._add_filters("pointwise", pointwise, "pointwise_kernel")
        self.bias = self._add_bias()
        self.built = True

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        functions = ("initializer", "regularizer", "constraint")
        return {
            **super().get_config(),
            "depth_multiplier": self.depth_multiplier,
            **{
                f"{which}_{what}": config_of(getattr(self, f"{which}_{what}"))
                for what in functions
                for which in ("depthwise", "pointwise")
            },
        }


class SeparableConv1D(_Separable):
    """A filter for each channel of sequences, then a mixture of the channels: [n, w, c] -> activation([n, places, filters]).

    With depthwise_kernel [k, c, depth_multiplier], pointwise_kernel [1, c · depth_multiplier, filters] and bias [filters].
    padding: "valid", "same", or "causal", by which no output depends on later inputs. data_format: "channels_first" for
    [n, c, w].

    Raises: ValueError for arguments that do not fit, inputs of another rank, or an unknown number of channels.
    """

    rank = 1

    def call(self, inputs: Any) -> Any:
        """[n, w, c] -> [n, places, filters], by images of height 1."""
        padding = self.padding.upper()
        if padding == "CAUSAL":
            inputs, padding = self._padded_before(inputs), "VALID"
        height_axis = 2 if self.data_format == "channels_first" else 1
        outputs = separable_conv2d_nodes(
            array.expand_dims(inputs, height_axis),
            array.expand_dims(self.depthwise_kernel, 0),
            array.expand_dims(self.pointwise_kernel, 0),
            strides=self._whole(self.strides * 2),
            padding=padding,
            rate=(1, *self.dilation_rate),
            data_format=op_data_format(self.data_format, 4),
        )
        if self.use_bias:
            outputs = self._biased(outputs)
        return self.activation(array.squeeze(outputs, [height_axis]))


@with_defaults(strides=(1, 1), dilation_rate=(1, 1))
class SeparableConv2D(_Separable):
    """A filter for each channel of images, then a mixture of the channels: [n, h, w, c] -> activation([n, places, places,
    filters]).

    With depthwise_kernel [kh, kw, c, depth_multiplier], pointwise_kernel [1, 1, c · depth_multiplier, filters] and bias
    [filters]. padding: "valid" or "same". data_format: "channels_first" for [n, c, h, w].

    Raises: ValueError for arguments that do not fit, inputs of another rank, or an unknown number of channels.
    """

    rank = 2

    def call(self, inputs: Any) -> Any:
        """[n, h, w, c] -> [n, places, places, filters]."""
        outputs = separable_conv2d_nodes(
            inputs,
            self.depthwise_kernel,
            self.pointwise_kernel,
            strides=self._whole(self.strides),
            padding=self.padding.upper(),
            rate=self.dilation_rate,
            data_format=op_data_format(self.data_format, 4),
        )
        if self.use_bias:
            outputs = self._biased(outputs)
        return self.activation(outputs)



__all__ = ["SeparableConv1D", "SeparableConv2D"]
