"""`tf.quantization`, and the quantized layers of `tf.nn`, as in TF 1.15. No state.

A quantized tensor consists of integers and two scalars, the range of floats that the integers encode; the functions take and
return all three.
"""

from __future__ import annotations

from typing import Any

from ...base.dtypes import DType
from ...graph.nodes import Tensor
from ...ops import fake_quantization as fakes
from ...ops import quantization as ops
from ...ops import quantized_nn as layers

fake_quant_with_min_max_args = fakes.fake_quant_with_min_max_args
fake_quant_with_min_max_args_gradient = fakes.fake_quant_with_min_max_args_gradient
fake_quant_with_min_max_vars = fakes.fake_quant_with_min_max_vars
fake_quant_with_min_max_vars_gradient = fakes.fake_quant_with_min_max_vars_gradient
fake_quant_with_min_max_vars_per_channel = fakes.fake_quant_with_min_max_vars_per_channel
fake_quant_with_min_max_vars_per_channel_gradient = fakes.fake_quant_with_min_max_vars_per_channel_gradient
dequantize = ops.dequantize
quantized_avg_pool = layers.quantized_avg_pool
quantized_concat = layers.quantized_concat
quantized_conv2d = layers.quantized_conv2d
quantized_max_pool = layers.quantized_max_pool
quantized_relu_x = layers.quantized_relu_x


def quantize(
    input: Any, min_range: Any, max_range: Any, T: DType, mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO", name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Encodes floats as integers of type T; returns (output, output_min, output_max), the integers and the range that they cover.

    mode: MIN_COMBINED, MIN_FIRST (0.0 is one of the steps) or SCALED (a product). round_mode: HALF_TO_EVEN for SCALED alone.

    Raises: InvalidArgumentError at the run for a range that ends before it begins.
    """
    made: tuple[Tensor, Tensor, Tensor] = ops.quantize_v2(
        input, min_range, max_range, T=T, mode=mode, round_mode=round_mode, name=name
    )
    return made


def quantize_v2(
    input: Any, min_range: Any, max_range: Any, T: DType, mode: str = "MIN_COMBINED", name: str | None = None,
    round_mode: str = "HALF_AWAY_FROM_ZERO",
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """`quantize` with the older order of arguments."""
    return quantize(input, min_range, max_range, T, mode, round_mode, name)


def quantize_and_dequantize(
    input: Any, input_min: Any, input_max: Any, signed_input: bool = True, num_bits: int = 8, range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN", name: str | None = None, narrow_range: bool = False,
) -> Tensor:  # fmt: skip
    """Floats moved to the steps of integers of num_bits bits: what quantizing loses. The gradient passes unchanged.

    range_given: whether [input_min, input_max] counts, else the input's own range does.
    """
    moved: Tensor = ops.quantize_and_dequantize_v2(
        input, input_min, input_max, signed_input=signed_input, num_bits=num_bits, range_given=range_given,
        round_mode=round_mode, narrow_range=narrow_range, name=name,
    )  # fmt: skip
    return moved
