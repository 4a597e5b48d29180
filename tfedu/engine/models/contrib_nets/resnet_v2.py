"""`tf.contrib.slim.nets.resnet_v2`: residual nets whose units begin with norm and activation (He and others, 2016). No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...lib.nn.activations import relu
from ...lib.variables.variable_scope import variable_scope
from ..contrib.arg_scopes import add_arg_scope
from ..contrib.batch_norm import batch_norm
from ..contrib.collected_outputs import collect_named_outputs, last_dimension
from ..contrib.convolution_functions import convolution2d as conv2d
from .resnet_utils import Block, Net, blocks_of, conv2d_same, residual_net, resnet_arg_scope, subsample, units


@add_arg_scope
@atomic
def bottleneck(
    inputs: Any, depth: int, depth_bottleneck: int, stride: int, rate: int = 1, outputs_collections: Any = None,
    scope: str | None = None,
) -> Any:  # fmt: skip
    """A unit: pictures [n, h, w, c] -> [n, h / stride, w / stride, depth], by three convolutions and a way around them."""
    with variable_scope(scope, "bottleneck_v2", [inputs]) as block:
        depth_in = last_dimension(inputs.shape, min_rank=4)
        normed = batch_norm(inputs, activation_fn=relu, scope="preact")
        plain: dict[str, Any] = {"activation_fn": None, "normalizer_fn": None}
        if depth == depth_in:
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = conv2d(normed, depth, [1, 1], stride=stride, scope="shortcut", **plain)
        residual = conv2d(normed, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = conv2d(residual, depth, [1, 1], stride=1, scope="conv3", **plain)
        output = shortcut + residual
        return collect_named_outputs(outputs_collections, block.name, output)


def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """A block of num_units units of 4 · base_depth channels, of which the last one has the stride."""
    return units(bottleneck, scope, base_depth, num_units, stride)


def resnet_v2(
    inputs: Any, blocks: Any, num_classes: int | None = None, is_training: bool = True, global_pool: bool = True,
    output_stride: int | None = None, include_root_block: bool = True, reuse: bool | None = None, scope: str | None = None,
) -> Net:  # fmt: skip
    """(net, endpoints) of pictures [n, h, w, c]: logits [n, 1, 1, num_classes], without num_classes the features.

    global_pool: the mean over the picture. output_stride: by how much the picture may shrink; dilation does the rest.
    Raises: ValueError for an output_stride that the blocks do not reach.
    """
    return residual_net(
        2,
        bottleneck,
        inputs,
        blocks,
        num_classes,
        is_training,
        global_pool,
        output_stride,
        include_root_block,
        reuse,
        scope,
    )


def resnet_v2_50(
    inputs: Any, num_classes: int | None = None, is_training: bool = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: bool | None = None, scope: str = "resnet_v2_50",
) -> Net:  # fmt: skip
    """`resnet_v2` of 50 layers."""
    blocks = blocks_of(bottleneck, "50")
    return resnet_v2(inputs, blocks, num_classes, is_training, global_pool, output_stride, True, reuse, scope)


def resnet_v2_101(
    inputs: Any, num_classes: int | None = None, is_training: bool = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: bool | None = None, scope: str = "resnet_v2_101",
) -> Net:  # fmt: skip
    """`resnet_v2` of 101 layers."""
    blocks = blocks_of(bottleneck, "101")
    return resnet_v2(inputs, blocks, num_classes, is_training, global_pool, output_stride, True, reuse, scope)


def resnet_v2_152(
    inputs: Any, num_classes: int | None = None, is_training: bool = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: bool | None = None, scope: str = "resnet_v2_152",
) -> Net:  # fmt: skip
    """`resnet_v2` of 152 layers."""
    blocks = blocks_of(bottleneck, "152")
    return resnet_v2(inputs, blocks, num_classes, is_training, global_pool, output_stride, True, reuse, scope)


def resnet_v2_200(
    inputs: Any, num_classes: int | None = None, is_training: bool = True, global_pool: bool = True,
    output_stride: int | None = None, reuse: bool | None = None, scope: str = "resnet_v2_200",
) -> Net:  # fmt: skip
    """`resnet_v2` of 200 layers."""
    blocks = blocks_of(bottleneck, "200")
    return resnet_v2(inputs, blocks, num_classes, is_training, global_pool, output_stride, True, reuse, scope)


__all__ = [
    "bottleneck", "resnet_arg_scope", "resnet_v2", "resnet_v2_101", "resnet_v2_152", "resnet_v2_200", "resnet_v2_50",
    "resnet_v2_block",
]  # fmt: skip
