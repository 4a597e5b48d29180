"""`tf.contrib.slim.nets.inception_v1`: GoogLeNet (Szegedy and others, 2014). No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...lib.variables.variable_scope import variable_scope
from ..contrib.arg_scopes import arg_scope
from ..contrib.convolution_functions import convolution2d as conv2d
from ..contrib.dense_functions import fully_connected
from ..contrib.pooling_functions import avg_pool2d, max_pool2d
from ..contrib.shape_functions import dropout, softmax
from . import inception_parts
from .inception_parts import Mixed, Net, conv, inception_scope, max_pool, of_classes
from .net_parts import trunc_normal


def _mixed(
    name: str, first: int, second: tuple[int, int], third: tuple[int, int], pool: int, third_name: str = "Conv2d_0b_3x3"
) -> Mixed:  # fmt: skip
    """A block of four branches: 1 x 1, 3 x 3 twice, and a pool."""
    return Mixed(name, [
        [conv("Conv2d_0a_1x1", first)],
        [conv("Conv2d_0a_1x1", second[0]), conv("Conv2d_0b_3x3", second[1], 3)],
        [conv("Conv2d_0a_1x1", third[0]), conv(third_name, third[1], 3)],
        [max_pool("MaxPool_0a_3x3"), conv("Conv2d_0b_1x1", pool)],
    ])  # fmt: skip


_STEPS: list[Any] = [
    conv("Conv2d_1a_7x7", 64, 7, stride=2),
    max_pool("MaxPool_2a_3x3", stride=2),
    conv("Conv2d_2b_1x1", 64),
    conv("Conv2d_2c_3x3", 192, 3),
    max_pool("MaxPool_3a_3x3", stride=2),
    _mixed("Mixed_3b", 64, (96, 128), (16, 32), 32),
    _mixed("Mixed_3c", 128, (128, 192), (32, 96), 64),
    max_pool("MaxPool_4a_3x3", stride=2),
    _mixed("Mixed_4b", 192, (96, 208), (16, 48), 64),
    _mixed("Mixed_4c", 160, (112, 224), (24, 64), 64),
    _mixed("Mixed_4d", 128, (128, 256), (24, 64), 64),
    _mixed("Mixed_4e", 112, (144, 288), (32, 64), 64),
    _mixed("Mixed_4f", 256, (160, 320), (32, 128), 128),
    max_pool("MaxPool_5a_2x2", 2, stride=2),
    _mixed("Mixed_5b", 256, (160, 320), (32, 128), 128, "Conv2d_0a_3x3"),
    _mixed("Mixed_5c", 384, (192, 384), (48, 128), 128),
]


@atomic
def inception_v1_base(inputs: Any, final_endpoint: str = "Mixed_5c", scope: str = "InceptionV1") -> Net:
    """(net, endpoints) up to final_endpoint, of pictures [n, h, w, c]. Raises: ValueError for an unknown endpoint."""
    with (
        variable_scope(scope, "InceptionV1", [inputs]),
        arg_scope([conv2d, fully_connected], weights_initializer=trunc_normal(0.01)),
        arg_scope([conv2d, max_pool2d], stride=1, padding="SAME"),
    ):
        return inception_parts.run_steps(_STEPS, inputs, final_endpoint)


@atomic
def inception_v1(
    inputs: Any, num_classes: int = 1000, is_training: bool = True, dropout_keep_prob: float = 0.8,
    prediction_fn: Any = softmax, spatial_squeeze: bool = True, reuse: bool | None = None, scope: str = "InceptionV1",
) -> Net:  # fmt: skip
    """(logits [n, num_classes], endpoints) of pictures [n, 224, 224, c]."""
    with inception_scope(scope, "InceptionV1", inputs, num_classes, reuse, is_training) as opened:
        net, points = inception_v1_base(inputs, scope=opened)
        with variable_scope("Logits"):
            net = avg_pool2d(net, [7, 7], stride=1, scope="MaxPool_0a_7x7")
            net = dropout(net, dropout_keep_prob, scope="Dropout_0b")
            classes = of_classes("Conv2d_0c_1x1", num_classes)
            logits, points = inception_parts.finished(net, points, classes, spatial_squeeze)
            points["Predictions"] = prediction_fn(logits, scope="Predictions")
        return logits, points


def inception_v1_arg_scope(
    weight_decay: float = 4e-05, use_batch_norm: bool = True, batch_norm_var_collection: str = "moving_vars"
) -> Any:
    """The arguments of the net's layers, for `arg_scope`."""
    return inception_parts.inception_arg_scope(weight_decay, use_batch_norm, batch_norm_var_collection)
