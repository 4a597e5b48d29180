"""`tf.contrib.slim.nets.inception_v2`: Inception with batch normalization (Ioffe and Szegedy, 2015). No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.variables.variable_scope import variable_scope
from ..contrib.arg_scopes import arg_scope
from ..contrib.convolution_functions import convolution2d as conv2d
from ..contrib.convolution_functions import separable_convolution2d
from ..contrib.pooling_functions import avg_pool2d, max_pool2d
from ..contrib.shape_functions import dropout, softmax
from . import inception_parts
from .inception_parts import Layer, Mixed, Net, avg_pool, conv, inception_scope, max_pool, of_classes
from .net_parts import reduced_kernel, trunc_normal


def _mixed(
    name: str,
    first: int,
    second: tuple[int, int],
    third: tuple[int, int],
    pool: int,
    pool_is_max: bool = False,
) -> Mixed:
    """A block of four branches: 1 x 1, 3 x 3, 3 x 3 twice, and a pool."""
    pooled = max_pool("MaxPool_0a_3x3") if pool_is_max else avg_pool("AvgPool_0a_3x3")
    return Mixed(name, [
        [conv("Conv2d_0a_1x1", first)],
        [conv("Conv2d_0a_1x1", second[0], stddev=0.09), conv("Conv2d_0b_3x3", second[1], 3)],
        [
            conv("Conv2d_0a_1x1", third[0], stddev=0.09), conv("Conv2d_0b_3x3", third[1], 3),
            conv("Conv2d_0c_3x3", third[1], 3),
        ],
        [pooled, conv("Conv2d_0b_1x1", pool, stddev=0.1)],
    ])  # fmt: skip


def _halving(name: str, first: tuple[int, int], second: tuple[int, int]) -> Mixed:
    """A block of three branches that halves the picture."""
    return Mixed(name, [
        [conv("Conv2d_0a_1x1", first[0], stddev=0.09), conv("Conv2d_1a_3x3", first[1], 3, stride=2)],
        [
            conv("Conv2d_0a_1x1", second[0], stddev=0.09), conv("Conv2d_0b_3x3", second[1], 3),
            conv("Conv2d_1a_3x3", second[1], 3, stride=2),
        ],
        [max_pool("MaxPool_1a_3x3", stride=2)],
    ])  # fmt: skip


_STEPS: list[Any] = [
    max_pool("MaxPool_2a_3x3", stride=2),
    conv("Conv2d_2b_1x1", 64, stddev=0.1),
    conv("Conv2d_2c_3x3", 192, 3),
    max_pool("MaxPool_3a_3x3", stride=2),
    _mixed("Mixed_3b", 64, (64, 64), (64, 96), 32),
    _mixed("Mixed_3c", 64, (64, 96), (64, 96), 64),
    _halving("Mixed_4a", (128, 160), (64, 96)),
    _mixed("Mixed_4b", 224, (64, 96), (96, 128), 128),
    _mixed("Mixed_4c", 192, (96, 128), (96, 128), 128),
    _mixed("Mixed_4d", 160, (128, 160), (128, 160), 96),
    _mixed("Mixed_4e", 96, (128, 192), (160, 192), 96),
    _halving("Mixed_5a", (128, 192), (192, 256)),
    _mixed("Mixed_5b", 352, (192, 320), (160, 224), 128),
    _mixed("Mixed_5c", 352, (192, 320), (192, 224), 128, pool_is_max=True),
]


@atomic
def inception_v2_base(
    inputs: Any, final_endpoint: str = "Mixed_5c", min_depth: int = 16, depth_multiplier: float = 1.0,
    scope: Any = None,
) -> Net:  # fmt: skip
    """(net, endpoints) up to final_endpoint, of pictures [n, h, w, c].

    depth_multiplier: of each layer's depth, which stays at least min_depth. Raises: ValueError for an unknown endpoint and a
    multiplier that is not above 0.
    """
    if depth_multiplier <= 0:
        raise ValueError(error_text("depth_multiplier is not greater than zero."))

    def depth_of(depth: int) -> int:
        return max(int(depth * depth_multiplier), min_depth)

    first = Layer(
        "Conv2d_1a_7x7", separable_convolution2d, 64, [7, 7],
        {"depth_multiplier": min(int(depth_of(64) / 3), 8), "stride": 2, "weights_initializer": trunc_normal(1.0)},
    )  # fmt: skip
    with (
        variable_scope(scope, "InceptionV2", [inputs]),
        arg_scope([conv2d, max_pool2d, avg_pool2d, separable_convolution2d], stride=1, padding="SAME"),
    ):
        return inception_parts.run_steps([first, *_STEPS], inputs, final_endpoint, depth_of)


@atomic
def inception_v2(
    inputs: Any, num_classes: int = 1000, is_training: bool = True, dropout_keep_prob: float = 0.8, min_depth: int = 16,
    depth_multiplier: float = 1.0, prediction_fn: Any = softmax, spatial_squeeze: bool = True, reuse: bool | None = None,
    scope: str = "InceptionV2",
) -> Net:  # fmt: skip
    """(logits [n, num_classes], endpoints) of pictures [n, 224, 224, c]. Raises: as inception_v2_base."""
    if depth_multiplier <= 0:
        raise ValueError(error_text("depth_multiplier is not greater than zero."))
    with inception_scope(scope, "InceptionV2", inputs, num_classes, reuse, is_training) as opened:
        net, points = inception_v2_base(
            inputs, min_depth=min_depth, depth_multiplier=depth_multiplier, scope=opened
        )
        with variable_scope("Logits"):
            kernel = reduced_kernel(net, [7, 7])
            net = avg_pool2d(net, kernel, padding="VALID", scope="AvgPool_1a_{}x{}".format(*kernel))
            net = dropout(net, dropout_keep_prob, scope="Dropout_1b")
            classes = of_classes("Conv2d_1c_1x1", num_classes)
            logits, points = inception_parts.finished(net, points, classes, spatial_squeeze)
        points["Predictions"] = prediction_fn(logits, scope="Predictions")
        return logits, points


def inception_v2_arg_scope(
    weight_decay: float = 4e-05, batch_norm_var_collection: str = "moving_vars"
) -> Any:
    """The arguments of the net's layers, for `arg_scope`."""
    return inception_parts.inception_arg_scope(weight_decay, True, batch_norm_var_collection)
