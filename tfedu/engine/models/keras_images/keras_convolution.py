"""`conv1d`, `conv2d`, `conv3d` and their classes: layers of filters that slide over sequences, images and volumes. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.nn import convolution, nn
from ...lib.nn.atrous import with_space_to_batch
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.identifiers import activation_named, config_of, initializer_named
from ..keras_layers.input_spec import InputSpec
from ..keras_layers.penalties import constraint_named, regularizer_named
from ..keras_layers.told_defaults import with_defaults
from ..keras_parts.image_arguments import (
    normalized_data_format,
    normalized_padding,
    op_data_format,
    output_length,
    sizes_of_axes,
)

_OPS = {1: convolution.conv1d, 2: convolution.conv2d, 3: convolution.conv3d}


class Conv(KerasLayer):
    """The layers with filters over `rank` spatial axes: [n, s..., c] -> activation([n, places..., filters]).

    kernel_size, strides, dilation_rate: one number, or one for each axis. padding: "valid", "same", or "causal" for
    sequences. data_format: "channels_last" or "channels_first".

    Raises: ValueError for arguments that do not fit, inputs of another rank, or an unknown number of channels.
    """

    rank: int

    def __init__(
        self,
        filters: Any,
        kernel_size: Any,
        strides: Any = 1,
        padding: Any = "valid",
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
        activity_regularizer = regularizer_named(activity_regularizer)
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.filters = filters
        self.kernel_size = sizes_of_axes(kernel_size, self.rank, "kernel_size")
        self.strides = sizes_of_axes(strides, self.rank, "strides")
        self.padding = normalized_padding(padding)
        if self.padding == "causal" and self.rank != 1:
            raise ValueError(
                error_text("Causal padding is only supported for `Conv1D`and ``SeparableConv1D`.")
            )
        self.data_format = normalized_data_format(data_format)
        self.dilation_rate = sizes_of_axes(dilation_rate, self.rank, "dilation_rate")
        self.activation = activation_named(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializer_named(kernel_initializer)
        self.bias_initializer = initializer_named(bias_initializer)
        self.kernel_regularizer = regularizer_named(kernel_regularizer)
        self.bias_regularizer = regularizer_named(bias_regularizer)
        self.kernel_constraint = constraint_named(kernel_constraint)
        self.bias_constraint = constraint_named(bias_constraint)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    # -- variables -----------------------------------------------------------------------------------------------------

    @property
    def _channels_axis(self) -> int:
        return 1 if self.data_format == "channels_first" else -1

    def _channels(self, input_shape: Any) -> int:
        """The number of channels, which the layer's inputs must have from now on.

        Raises: ValueError when it is unknown.
        """
        sizes = as_shape(input_shape).as_list()
        if len(sizes) != self.rank + 2:
            raise ValueError(
                error_text(f"Inputs should have rank {self.rank + 2}. Received input shape: {as_shape(input_shape)}")
            )
        channels = sizes[self._channels_axis]
        if channels is None:
            raise ValueError(
                error_text("The channel dimension of the inputs should be defined. Found `None`.")
            )
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channels_axis: channels})
        return channels

    def _add_filters(self, kind: str, shape: Any, name: str | None = None) -> Any:
        """The weight of that kind, with the initializer, regularizer and constraint of the kind."""
        return self.add_weight(
            name or kind,
            shape=shape,
            initializer=getattr(self, f"{kind}_initializer"),
            regularizer=getattr(self, f"{kind}_regularizer"),
            constraint=getattr(self, f"{kind}_constraint"),
            trainable=True,
            dtype=self.dtype,
        )

    def _add_bias(self) -> Any:
        return self._add_filters("bias", (self.filters,)) if self.use_bias else None

    def build(self, input_shape: Any) -> None:
        """Creates kernel [k..., c, filters] and bias [filters]."""
        channels = self._channels(input_shape)
        self.kernel = self._add_filters("kernel", (*self.kernel_size, channels, self.filters))
        self.bias = self._add_bias()
        self._check_steps()
        self._rate = convert_to_tensor(self.dilation_rate, dtypes.int32, name="dilation_rate")
        self.built = True

    def _check_steps(self) -> None:
        for what, values in (("strides", self.strides), ("dilation_rate", self.dilation_rate)):
            if any(value < 1 for value in values):
                raise ValueError(error_text(f"all values of {what} must be positive"))
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError(error_text("strides > 1 not supported in conjunction with dilation_rate > 1"))

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _whole(self, sizes: Any) -> list[Any]:
        """One number for each axis of the inputs, from one for each spatial axis."""
        return [1, 1, *sizes] if self.data_format == "channels_first" else [1, *sizes, 1]

    def call(self, inputs: Any) -> Any:
        """[n, s..., c] -> [n, places..., filters]."""
        padding = self.padding if isinstance(self.padding, (list, tuple)) else self.padding.upper()
        if padding == "CAUSAL":
            inputs, padding = self._padded_before(inputs), "VALID"
        outputs = with_space_to_batch(
            inputs, self._rate, padding, lambda images, _, padding: self._slide(images, padding),
            filter_shape=self.kernel.shape, data_format=op_data_format(self.data_format, self.rank + 2),
        )  # fmt: skip
        if self.use_bias and self.rank == 1 and self.data_format == "channels_first":
            outputs += array.reshape(self.bias, (1, self.filters, 1))
        elif self.use_bias:
            outputs = self._biased(outputs)
        return self.activation(outputs)

    def _slide(self, images: Tensor, padding: Any) -> Tensor:
        strides = self.strides[0] if self.rank == 1 else self._whole(self.strides)
        data_format = op_data_format(self.data_format, self.rank + 2)
        op: Any = _OPS[self.rank]
        out: Tensor = op(images, self.kernel, strides, padding, data_format=data_format)
        return out

    def _padded_before(self, inputs: Any) -> Tensor:
        """A sequence with so many zeros before it that no output depends on later inputs."""
        width = self.dilation_rate[0] * (self.kernel_size[0] - 1)
        around = [[0, 0], [0, 0], [width, 0]] if self.data_format == "channels_first" else [[0, 0], [width, 0], [0, 0]]
        padded: Tensor = array.pad(inputs, around)
        return padded

    def _biased(self, outputs: Any) -> Any:
        return nn.bias_add(outputs, self.bias, data_format=op_data_format(self.data_format, 4))

    # -- as data -------------------------------------------------------------------------------------------------------

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[n, s..., c] -> [n, places..., filters].

        Raises: ValueError for an unknown rank.
        """
        return self._output_shape(
            input_shape,
            lambda size, axis: output_length(
                size, self.kernel_size[axis], self.padding, self.strides[axis], self.dilation_rate[axis]
            ),
        )

    def _output_shape(self, input_shape: Any, places: Any) -> TensorShape:
        sizes = as_shape(input_shape).as_list()
        if self.data_format == "channels_first":
            return as_shape([sizes[0], self.filters, *(places(size, i) for i, size in enumerate(sizes[2:]))])
        return as_shape([sizes[0], *(places(size, i) for i, size in enumerate(sizes[1:-1])), self.filters])

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        plain = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate")
        functions = (
            "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer", "activity_regularizer",
            "kernel_constraint", "bias_constraint",
        )  # fmt: skip
        return {
            **super().get_config(),
            **{name: getattr(self, name) for name in plain},
            "activation": config_of(self.activation),
            "use_bias": self.use_bias,
            **{name: config_of(getattr(self, name)) for name in functions},
        }


@with_defaults(data_format="channels_last")
class Conv1D(Conv):
    """Filters over sequences: [n, w, c] -> activation([n, places, filters]), with kernel [k, c, filters] and bias [filters].

    padding: "valid", "same", or "causal", by which no output depends on later inputs. data_format: "channels_first" for
    [n, c, w].

    Raises: ValueError for arguments that do not fit, inputs of another rank, or an unknown number of channels.
    """

    rank = 1


@with_defaults(strides=(1, 1), dilation_rate=(1, 1))
class Conv2D(Conv):
    """Filters over images: [n, h, w, c] -> activation([n, places, places, filters]), with kernel [kh, kw, c, filters] and
    bias [filters].

    kernel_size, strides, dilation_rate: one number, or one for each of h and w. padding: "valid" or "same". data_format:
    "channels_first" for [n, c, h, w].

    Raises: ValueError for arguments that do not fit, inputs of another rank, or an unknown number of channels.
    """

    rank = 2


@with_defaults(strides=(1, 1, 1), dilation_rate=(1, 1, 1))
class Conv3D(Conv):
    """Filters over volumes: [n, d, h, w, c] -> activation([n, places, places, places, filters]), with kernel [kd, kh, kw, c,
    filters] and bias [filters].

    kernel_size, strides, dilation_rate: one number, or one for each of d, h and w. padding: "valid" or "same". data_format:
    "channels_first" for [n, c, d, h, w].

    Raises: ValueError for arguments that do not fit, inputs of another rank, or an unknown number of channels.
    """

    rank = 3



__all__ = ["Conv", "Conv1D", "Conv2D", "Conv3D"]
