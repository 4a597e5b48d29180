"""`tf.contrib.slim.nets.inception_v3` (Szegedy and others, 2015). No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.framework.graph_keys import GraphKeys
from ...lib.variables.variable_scope import variable_scope
from ..contrib.arg_scopes import arg_scope
from ..contrib.convolution_functions import convolution2d as conv2d
from ..contrib.pooling_functions import avg_pool2d, max_pool2d
from ..contrib.shape_functions import dropout, softmax
from . import inception_parts
from .inception_parts import Fork, Mixed, Net, avg_pool, conv, inception_scope, max_pool, of_classes
from .net_parts import reduced_kernel, trunc_normal

_VALID: dict[str, Any] = {"stride": 2, "padding": "VALID"}
_ROW, _COLUMN = [1, 7], [7, 1]


def _mixed_5(name: str, pool: int, second: tuple[str, str] = ("Conv2d_0a_1x1", "Conv2d_0b_5x5")) -> Mixed:
    """A block of 1 x 1, 5 x 5, 3 x 3 twice, and a pool."""
    return Mixed(name, [
        [conv("Conv2d_0a_1x1", 64)],
        [conv(second[0], 48), conv(second[1], 64, 5)],
        [conv("Conv2d_0a_1x1", 64), conv("Conv2d_0b_3x3", 96, 3), conv("Conv2d_0c_3x3", 96, 3)],
        [avg_pool("AvgPool_0a_3x3"), conv("Conv2d_0b_1x1", pool)],
    ])  # fmt: skip


def _mixed_6(name: str, inner: int) -> Mixed:
    """A block whose kernels of 7 x 7 are rows and columns."""
    return Mixed(name, [
        [conv("Conv2d_0a_1x1", 192)],
        [conv("Conv2d_0a_1x1", inner), conv("Conv2d_0b_1x7", inner, _ROW), conv("Conv2d_0c_7x1", 192, _COLUMN)],
        [
            conv("Conv2d_0a_1x1", inner), conv("Conv2d_0b_7x1", inner, _COLUMN), conv("Conv2d_0c_1x7", inner, _ROW),
            conv("Conv2d_0d_7x1", inner, _COLUMN), conv("Conv2d_0e_1x7", 192, _ROW),
        ],
        [avg_pool("AvgPool_0a_3x3"), conv("Conv2d_0b_1x1", 192)],
    ])  # fmt: skip


def _mixed_7(name: str, column: str) -> Mixed:
    """A block whose kernels of 3 x 3 are a row beside a column."""
    return Mixed(name, [
        [conv("Conv2d_0a_1x1", 320)],
        [conv("Conv2d_0a_1x1", 384), Fork([conv("Conv2d_0b_1x3", 384, [1, 3]), conv(column, 384, [3, 1])])],
        [
            conv("Conv2d_0a_1x1", 448), conv("Conv2d_0b_3x3", 384, 3),
            Fork([conv("Conv2d_0c_1x3", 384, [1, 3]), conv("Conv2d_0d_3x1", 384, [3, 1])]),
        ],
        [avg_pool("AvgPool_0a_3x3"), conv("Conv2d_0b_1x1", 192)],
    ])  # fmt: skip


_ROOT: list[Any] = [
    conv("Conv2d_1a_3x3", 32, 3, **_VALID),
    conv("Conv2d_2a_3x3", 32, 3, padding="VALID"),
    conv("Conv2d_2b_3x3", 64, 3),
    max_pool("MaxPool_3a_3x3", **_VALID),
    conv("Conv2d_3b_1x1", 80, padding="VALID"),
    conv("Conv2d_4a_3x3", 192, 3, padding="VALID"),
    max_pool("MaxPool_5a_3x3", **_VALID),
]
_STEPS: list[Any] = [
    *_ROOT,
    _mixed_5("Mixed_5b", 32),
    _mixed_5("Mixed_5c", 64, ("Conv2d_0b_1x1", "Conv_1_0c_5x5")),
    _mixed_5("Mixed_5d", 64),
    Mixed("Mixed_6a", [
        [conv("Conv2d_1a_1x1", 384, 3, **_VALID)],
        [conv("Conv2d_0a_1x1", 64), conv("Conv2d_0b_3x3", 96, 3), conv("Conv2d_1a_1x1", 96, 3, **_VALID)],
        [max_pool("MaxPool_1a_3x3", **_VALID)],
    ]),
    _mixed_6("Mixed_6b", 128),
    _mixed_6("Mixed_6c", 160),
    _mixed_6("Mixed_6d", 160),
    _mixed_6("Mixed_6e", 192),
    Mixed("Mixed_7a", [
        [conv("Conv2d_0a_1x1", 192), conv("Conv2d_1a_3x3", 320, 3, **_VALID)],
        [
            conv("Conv2d_0a_1x1", 192), conv("Conv2d_0b_1x7", 192, _ROW), conv("Conv2d_0c_7x1", 192, _COLUMN),
            conv("Conv2d_1a_3x3", 192, 3, **_VALID),
        ],
        [max_pool("MaxPool_1a_3x3", **_VALID)],
    ]),
    _mixed_7("Mixed_7b", "Conv2d_0b_3x1"),
    _mixed_7("Mixed_7c", "Conv2d_0c_3x1"),
]  # fmt: skip


@atomic
def inception_v3_base(
    inputs: Any, final_endpoint: str = "Mixed_7c", min_depth: int = 16, depth_multiplier: float = 1.0,
    scope: Any = None,
) -> Net:  # fmt: skip
    """(net, endpoints) up to final_endpoint, of pictures [n, h, w, c].

    depth_multiplier: of each layer's depth, which stays at least min_depth. Raises: ValueError for an unknown endpoint and a
    multiplier that is not above 0.
    """
    if depth_multiplier <= 0:
        raise ValueError(error_text("depth_multiplier is not greater than zero."))
    with (
        variable_scope(scope, "InceptionV3", [inputs]),
        arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"),
    ):
        return inception_parts.run_steps(
            _STEPS, inputs, final_endpoint, lambda depth: max(int(depth * depth_multiplier), min_depth)
        )


@atomic
def inception_v3(
    inputs: Any, num_classes: int = 1000, is_training: bool = True, dropout_keep_prob: float = 0.8, min_depth: int = 16,
    depth_multiplier: float = 1.0, prediction_fn: Any = softmax, spatial_squeeze: bool = True, reuse: bool | None = None,
    scope: str = "InceptionV3",
) -> Net:  # fmt: skip
    """(logits [n, num_classes], endpoints) of pictures [n, 299, 299, c]; AuxLogits are those of a second head.

    Raises: as inception_v3_base.
    """
    if depth_multiplier <= 0:
        raise ValueError(error_text("depth_multiplier is not greater than zero."))

    def depth_of(depth: int) -> int:
        return max(int(depth * depth_multiplier), min_depth)

    with inception_scope(scope, "InceptionV3", inputs, num_classes, reuse, is_training) as opened:
        net, points = inception_v3_base(
            inputs, min_depth=min_depth, depth_multiplier=depth_multiplier, scope=opened
        )
        with (
            arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"),
            variable_scope("AuxLogits"),
        ):
            points["AuxLogits"] = _second_head(points["Mixed_6e"], num_classes, spatial_squeeze, depth_of)
        with variable_scope("Logits"):
            kernel = reduced_kernel(net, [8, 8])
            net = avg_pool2d(net, kernel, padding="VALID", scope="AvgPool_1a_{}x{}".format(*kernel))
            net = dropout(net, dropout_keep_prob, scope="Dropout_1b")
            points["PreLogits"] = net
            classes = of_classes("Conv2d_1c_1x1", num_classes)
            logits, points = inception_parts.finished(net, points, classes, spatial_squeeze)
        points["Predictions"] = prediction_fn(logits, scope="Predictions")
        return logits, points


def _second_head(net: Any, num_classes: int, spatial_squeeze: bool, depth_of: Any) -> Any:
    net = avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
    net = conv2d(net, depth_of(128), [1, 1], scope="Conv2d_1b_1x1")
    kernel = reduced_kernel(net, [5, 5])
    net = conv2d(
        net, depth_of(768), kernel, weights_initializer=trunc_normal(0.01), padding="VALID",
        scope="Conv2d_2a_{}x{}".format(*kernel),
    )  # fmt: skip
    net = conv2d(
        net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, weights_initializer=trunc_normal(0.001),
        scope="Conv2d_2b_1x1",
    )  # fmt: skip
    return array.squeeze(net, [1, 2], name="SpatialSqueeze") if spatial_squeeze else net


def inception_v3_arg_scope(
    weight_decay: float = 4e-05, batch_norm_var_collection: str = "moving_vars", batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001, updates_collections: Any = GraphKeys.UPDATE_OPS, use_fused_batchnorm: bool = True,
) -> Any:  # fmt: skip
    """The arguments of the net's layers, for `arg_scope`."""
    return inception_parts.inception_arg_scope(
        weight_decay, True, batch_norm_var_collection, batch_norm_decay, batch_norm_epsilon, updates_collections,
        use_fused_batchnorm,
    )  # fmt: skip
