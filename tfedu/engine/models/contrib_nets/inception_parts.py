"""What the Inception nets share: a step is a layer or several branches that are joined; the last layers. No state.

A net is a list of steps, and a branch a list of layers and forks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.framework.graph_keys import GraphKeys
from ...lib.nn.activations import relu
from ...lib.variables.variable_scope import variable_scope
from ...training.losses.regularizers import l2_regularizer
from ..contrib.arg_scopes import arg_scope
from ..contrib.batch_norm import batch_norm
from ..contrib.convolution_functions import convolution2d as conv2d
from ..contrib.dense_functions import fully_connected
from ..contrib.fan_initializers import variance_scaling_initializer
from ..contrib.pooling_functions import avg_pool2d, max_pool2d
from ..contrib.shape_functions import dropout
from .net_parts import trunc_normal

Net = tuple[Tensor, dict[str, Tensor]]


class Layer(NamedTuple):
    """One layer: its name, the function, the depth of a convolution (None for a pool), the kernel and further arguments."""

    name: str
    function: Callable[..., Any]
    depth: int | None
    kernel: list[int]
    options: dict[str, Any]


class Fork(NamedTuple):
    """Layers that all read the same, and whose results are joined along the channels."""

    layers: list[Layer]


class Mixed(NamedTuple):
    """A block of branches, whose results are joined along the channels."""

    name: str
    branches: list[list[Any]]


def conv(name: str, depth: int, kernel: Any = 1, **options: Any) -> Layer:
    """A convolution, by default of 1 x 1. stddev: of its initial weights."""
    if "stddev" in options:
        options["weights_initializer"] = trunc_normal(options.pop("stddev"))
    size = [kernel, kernel] if isinstance(kernel, int) else kernel
    return Layer(name, conv2d, depth, size, options)


def max_pool(name: str, kernel: int = 3, **options: Any) -> Layer:
    """A pool of the largest."""
    return Layer(name, max_pool2d, None, [kernel, kernel], options)


def avg_pool(name: str, kernel: int = 3, **options: Any) -> Layer:
    """A pool of means."""
    return Layer(name, avg_pool2d, None, [kernel, kernel], options)


def _applied(step: Any, net: Any, depth_of: Callable[[int], int]) -> Any:
    if isinstance(step, Fork):
        return array.concat([_applied(layer, net, depth_of) for layer in step.layers], 3)
    if step.depth is None:
        return step.function(net, step.kernel, scope=step.name, **step.options)
    return step.function(net, depth_of(step.depth), step.kernel, scope=step.name, **step.options)


def run_steps(
    steps: list[Any], net: Any, final_endpoint: str, depth_of: Callable[[int], int] = lambda depth: depth
) -> Net:
    """(net, endpoints) after the step named final_endpoint. Raises: ValueError for an endpoint that is no step."""
    points: dict[str, Tensor] = {}
    for step in steps:
        if isinstance(step, Mixed):
            with variable_scope(step.name):
                results = []
                for i, branch in enumerate(step.branches):
                    with variable_scope(f"Branch_{i}"):
                        result = net
                        for layer in branch:
                            result = _applied(layer, result, depth_of)
                        results.append(result)
                net = array.concat(results, 3)
        else:
            net = _applied(step, net, depth_of)
        points[step.name] = net
        if step.name == final_endpoint:
            return net, points
    raise ValueError(error_text(f"Unknown final endpoint {final_endpoint}"))


@contextmanager
def inception_scope(
    scope: str | None, default: str, inputs: Any, num_classes: int, reuse: bool | None, is_training: bool
) -> Iterator[Any]:
    """The variable scope of an Inception net, and of its layers the argument is_training."""
    with (
        variable_scope(scope, default, [inputs, num_classes], reuse=reuse) as opened,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        yield opened


def finished(net: Any, points: dict[str, Tensor], classes: Layer, spatial_squeeze: bool) -> Net:
    """(logits, endpoints) by the last convolution `classes`, with the endpoint Logits."""
    logits = _applied(classes, net, lambda depth: depth)
    if spatial_squeeze:
        logits = array.squeeze(logits, [1, 2], name="SpatialSqueeze")
    points["Logits"] = logits
    return logits, points


def of_classes(name: str, num_classes: int, **options: Any) -> Layer:
    """The last convolution: one channel a class, without activation and norm."""
    return conv(name, num_classes, 1, activation_fn=None, normalizer_fn=None, **options)


def inception_arg_scope(
    weight_decay: float, use_batch_norm: bool, batch_norm_var_collection: str, batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001, updates_collections: Any = GraphKeys.UPDATE_OPS, fused: bool | None = None,
) -> Any:  # fmt: skip
    """The arguments of an Inception net's layers, for `arg_scope`."""
    norm: dict[str, Any] = {
        "decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "updates_collections": updates_collections,
        "variables_collections": {
            "beta": None, "gamma": None, "moving_mean": [batch_norm_var_collection],
            "moving_variance": [batch_norm_var_collection],
        },
    }  # fmt: skip
    if fused is not None:
        norm["fused"] = fused
    dense = arg_scope([conv2d, fully_connected], weights_regularizer=l2_regularizer(weight_decay))
    normed = {"normalizer_fn": batch_norm, "normalizer_params": norm} if use_batch_norm else {}
    convolutions = arg_scope(
        [conv2d], weights_initializer=variance_scaling_initializer(), activation_fn=relu,
        **{"normalizer_fn": None, "normalizer_params": {}, **normed},
    )  # fmt: skip
    with dense, convolutions as arguments:
        return arguments
