"""`tf.contrib.slim.nets.vgg`: VGG-A, VGG-16 and VGG-19 (Simonyan and Zisserman, 2014). No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.nn.activations import relu
from ...lib.variables.initializers import Zeros
from ...training.losses.regularizers import l2_regularizer
from ..contrib.arg_scopes import arg_scope
from ..contrib.convolution_functions import convolution2d as conv2d
from ..contrib.dense_functions import fully_connected
from ..contrib.pooling_functions import max_pool2d
from ..contrib.shape_functions import dropout, repeat
from .net_parts import net_block, squeezed


def vgg_arg_scope(weight_decay: float = 0.0005) -> Any:
    """The arguments of VGG's layers, for `arg_scope`."""
    shared = arg_scope(
        [conv2d, fully_connected], activation_fn=relu, weights_regularizer=l2_regularizer(weight_decay),
        biases_initializer=Zeros(),
    )  # fmt: skip
    with shared, arg_scope([conv2d], padding="SAME") as arguments:
        return arguments


@atomic
def _vgg(
    inputs: Any, counts: tuple[int, ...], num_classes: int, is_training: bool, dropout_keep_prob: float, spatial_squeeze: bool,
    scope: str, default: str,
) -> tuple[Tensor, dict[str, Tensor]]:  # fmt: skip
    with net_block(scope, default, inputs, [conv2d, fully_connected, max_pool2d]) as block:
        net = inputs
        for i, (count, depth) in enumerate(zip(counts, (64, 128, 256, 512, 512)), 1):
            net = repeat(net, count, conv2d, depth, [3, 3], scope=f"conv{i}")
            net = max_pool2d(net, [2, 2], scope=f"pool{i}")
        net = conv2d(net, 4096, [7, 7], padding="VALID", scope="fc6")
        net = dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout6")
        net = conv2d(net, 4096, [1, 1], scope="fc7")
        net = dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout7")
        net = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8")
        points = block.found()
        if spatial_squeeze:
            net = squeezed(net, points, f"{block.scope.name}/fc8")
        return net, points


def vgg_a(
    inputs: Any, num_classes: int = 1000, is_training: bool = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: str = "vgg_a",
) -> tuple[Tensor, dict[str, Tensor]]:  # fmt: skip
    """(logits [n, num_classes], endpoints) of pictures [n, 224, 224, c]: 11 layers with weights."""
    return _vgg(
        inputs, (1, 1, 2, 2, 2), num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope, "vgg_a"
    )


def vgg_16(
    inputs: Any, num_classes: int = 1000, is_training: bool = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: str = "vgg_16",
) -> tuple[Tensor, dict[str, Tensor]]:  # fmt: skip
    """(logits [n, num_classes], endpoints) of pictures [n, 224, 224, c]: 16 layers with weights."""
    return _vgg(
        inputs, (2, 2, 3, 3, 3), num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope, "vgg_16"
    )


def vgg_19(
    inputs: Any, num_classes: int = 1000, is_training: bool = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: str = "vgg_19",
) -> tuple[Tensor, dict[str, Tensor]]:  # fmt: skip
    """(logits [n, num_classes], endpoints) of pictures [n, 224, 224, c]: 19 layers with weights."""
    return _vgg(
        inputs, (2, 2, 4, 4, 4), num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope, "vgg_19"
    )


vgg_d, vgg_e = vgg_16, vgg_19
