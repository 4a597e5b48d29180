"""`tf.contrib.slim.nets.resnet_utils`: blocks of residual units, with strides or with dilation instead. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.framework.graph_keys import GraphKeys
from ...lib.math import reductions
from ...lib.nn.activations import relu
from ...lib.variables.variable_scope import variable_scope
from ...training.losses.regularizers import l2_regularizer
from ..contrib.arg_scopes import add_arg_scope, arg_scope
from ..contrib.batch_norm import batch_norm
from ..contrib.collected_outputs import collect_named_outputs
from ..contrib.convolution_functions import convolution2d as conv2d
from ..contrib.fan_initializers import variance_scaling_initializer
from ..contrib.pooling_functions import max_pool2d
from ..contrib.shape_functions import softmax
from .net_parts import net_block

Net = tuple[Tensor, dict[str, Tensor]]


class Block(NamedTuple):
    """A block: its scope, the function of a unit, and the arguments of each unit."""

    scope: str
    unit_fn: Callable[..., Tensor]
    args: list[dict[str, int]]


def subsample(inputs: Any, factor: int, scope: str | None = None) -> Any:
    """Every factor-th pixel of pictures [n, h, w, c]."""
    return inputs if factor == 1 else max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(
    inputs: Any, num_outputs: int, kernel_size: int, stride: int, rate: int = 1, scope: str | None = None
) -> Any:
    """A convolution padded by the kernel alone, so that a stride takes every stride-th pixel of the result without one."""
    if stride == 1:
        return conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope)
    total = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    before = total // 2
    sides = [before, total - before]
    inputs = array.pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return conv2d(inputs, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope)


@add_arg_scope
def stack_blocks_dense(
    net: Any, blocks: Any, output_stride: int | None = None, outputs_collections: Any = None
) -> Any:
    """The blocks one after another; where output_stride is reached, dilation takes the place of strides.

    Raises: ValueError for an output_stride that the blocks do not reach.
    """
    unreached = ValueError(error_text("The target output_stride cannot be reached."))
    stride = rate = 1
    for block in blocks:
        with variable_scope(block.scope, "block", [net]) as scope:
            for i, unit in enumerate(block.args):
                if output_stride is not None and stride > output_stride:
                    raise unreached
                with variable_scope(f"unit_{i + 1}", values=[net]):
                    if output_stride is not None and stride == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = collect_named_outputs(outputs_collections, scope.name, net)
    if output_stride is not None and stride != output_stride:
        raise unreached
    return net


def resnet_arg_scope(
    weight_decay: float = 0.0001, batch_norm_decay: float = 0.997, batch_norm_epsilon: float = 1e-05,
    batch_norm_scale: bool = True,
) -> Any:  # fmt: skip
    """The arguments of a ResNet's layers, for `arg_scope`."""
    norm = {
        "decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale,
        "updates_collections": GraphKeys.UPDATE_OPS,
    }  # fmt: skip
    convolutions = arg_scope(
        [conv2d], weights_regularizer=l2_regularizer(weight_decay), weights_initializer=variance_scaling_initializer(),
        activation_fn=relu, normalizer_fn=batch_norm, normalizer_params=norm,
    )  # fmt: skip
    with convolutions, arg_scope([batch_norm], **norm), arg_scope([max_pool2d], padding="SAME") as arguments:
        return arguments


def units(unit_fn: Callable[..., Tensor], scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """A block of num_units bottlenecks, of which the last one has the stride."""
    unit = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
    return Block(scope, unit_fn, [{**unit, "stride": 1}] * (num_units - 1) + [{**unit, "stride": stride}])


DEPTHS = {"50": (3, 4, 6, 3), "101": (3, 4, 23, 3), "152": (3, 8, 36, 3), "200": (3, 24, 36, 3)}


def blocks_of(unit_fn: Callable[..., Tensor], depth: str) -> list[Block]:
    """The four blocks of the ResNet of so many layers."""
    settings = zip((64, 128, 256, 512), DEPTHS[depth], (2, 2, 2, 1))
    return [
        units(unit_fn, f"block{i}", base, count, stride)
        for i, (base, count, stride) in enumerate(settings, 1)
    ]


@atomic
def residual_net(
    version: int, unit_fn: Callable[..., Any], inputs: Any, blocks: Any, num_classes: int | None, is_training: bool,
    global_pool: bool, output_stride: int | None, include_root_block: bool, reuse: bool | None, scope: str | None,
) -> Net:  # fmt: skip
    """The net of `resnet_v1` or `resnet_v2`: root, blocks, mean over the picture, classes."""
    default = f"resnet_v{version}"
    layers = [conv2d, unit_fn, stack_blocks_dense]
    with (
        net_block(scope, default, inputs, layers, reuse, listed=False) as block,
        arg_scope([batch_norm], is_training=is_training),
    ):
        net = inputs
        if include_root_block:
            if output_stride is not None:
                if output_stride % 4 != 0:
                    raise ValueError(error_text("The output_stride needs to be a multiple of 4."))
                output_stride //= 4
            # the second version norms before its units, so that its root has neither norm nor activation
            plain = {} if version == 1 else {"activation_fn": None, "normalizer_fn": None}
            with arg_scope([conv2d], **plain):
                net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
            net = max_pool2d(net, [3, 3], stride=2, scope="pool1")
        net = stack_blocks_dense(net, blocks, output_stride)
        if version == 2:
            net = batch_norm(net, activation_fn=relu, scope="postnorm")
        if global_pool:
            net = reductions.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
        if num_classes is not None:
            net = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits")
        points = block.found()
        if num_classes is not None:
            points["predictions"] = softmax(net, scope="predictions")
        return net, points
