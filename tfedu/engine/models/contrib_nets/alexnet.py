"""`tf.contrib.slim.nets.alexnet`: AlexNet for one device (Krizhevsky, 2014). No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.nn.activations import relu
from ...lib.variables.initializers import Constant, Zeros
from ...training.losses.regularizers import l2_regularizer
from ..contrib.arg_scopes import arg_scope
from ..contrib.convolution_functions import convolution2d as conv2d
from ..contrib.dense_functions import fully_connected
from ..contrib.pooling_functions import max_pool2d
from ..contrib.shape_functions import dropout
from .net_parts import net_block, squeezed, trunc_normal


def alexnet_v2_arg_scope(weight_decay: float = 0.0005) -> Any:
    """The arguments of AlexNet's layers, for `arg_scope`."""
    shared = arg_scope(
        [conv2d, fully_connected], activation_fn=relu, weights_regularizer=l2_regularizer(weight_decay),
        biases_initializer=Constant(0.1),
    )  # fmt: skip
    with shared, arg_scope([conv2d], padding="SAME"), arg_scope([max_pool2d], padding="VALID") as arguments:
        return arguments


@atomic
def alexnet_v2(
    inputs: Any, num_classes: int = 1000, is_training: bool = True, dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True, scope: str = "alexnet_v2",
) -> tuple[Tensor, dict[str, Tensor]]:  # fmt: skip
    """(logits [n, num_classes], endpoints) of pictures [n, 224, 224, c]."""
    with net_block(scope, "alexnet_v2", inputs, [conv2d, fully_connected, max_pool2d]) as block:
        net = conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
        net = max_pool2d(net, [3, 3], 2, scope="pool1")
        net = conv2d(net, 192, [5, 5], scope="conv2")
        net = max_pool2d(net, [3, 3], 2, scope="pool2")
        net = conv2d(net, 384, [3, 3], scope="conv3")
        net = conv2d(net, 384, [3, 3], scope="conv4")
        net = conv2d(net, 256, [3, 3], scope="conv5")
        net = max_pool2d(net, [3, 3], 2, scope="pool5")
        of_dense: dict[str, Any] = {
            "weights_initializer": trunc_normal(0.005),
            "biases_initializer": Constant(0.1),
        }
        with arg_scope([conv2d], **of_dense):
            net = conv2d(net, 4096, [5, 5], padding="VALID", scope="fc6")
            net = dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout6")
            net = conv2d(net, 4096, [1, 1], scope="fc7")
            net = dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout7")
            net = conv2d(
                net,
                num_classes,
                [1, 1],
                activation_fn=None,
                normalizer_fn=None,
                biases_initializer=Zeros(),
                scope="fc8",
            )
        points = block.found()
        if spatial_squeeze:
            net = squeezed(net, points, f"{block.scope.name}/fc8")
        return net, points
