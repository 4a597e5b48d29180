"""What the nets share: initializers, endpoints, and the last layers as convolutions. No state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.variables.initializers import TruncatedNormal
from ...lib.variables.variable_scope import variable_scope
from ..contrib.arg_scopes import arg_scope
from ..contrib.collected_outputs import convert_collection_to_dict


def trunc_normal(stddev: float) -> TruncatedNormal:
    """Normal numbers around 0, none beyond two standard deviations."""
    return TruncatedNormal(0.0, stddev)


class EndPoints:
    """The block of a net: `scope`, and the collection `prefix`_end_points in which layers leave their outputs."""

    def __init__(self, scope: Any, prefix: str) -> None:
        self.scope = scope
        self.collection = f"{prefix}_end_points"

    def found(self) -> dict[str, Tensor]:
        """The outputs by the names of their layers."""
        return convert_collection_to_dict(self.collection)  # type: ignore[no-any-return]


@contextmanager
def net_block(
    scope: str | None, default: str, inputs: Any, layers: list[Any], reuse: bool | None = None, listed: bool = True,
    by_nodes: bool = True,
) -> Iterator[EndPoints]:  # fmt: skip
    """The variable scope of a net, in which the outputs of `layers` are collected.

    by_nodes: the collection has the name of the scope of the nodes, else that of the variables.
    """
    with variable_scope(scope, default, [inputs], reuse=reuse) as opened:
        points = EndPoints(opened, opened.original_name_scope if by_nodes else opened.name)
        collections: Any = [points.collection] if listed else points.collection
        with arg_scope(layers, outputs_collections=collections):
            yield points


def squeezed(net: Tensor, points: dict[str, Tensor], key: str) -> Tensor:
    """The classes [n, classes] of a net [n, 1, 1, classes], in the endpoints, too."""
    net = array.squeeze(net, [1, 2], name="fc8/squeezed")
    points[key] = net
    return net


def reduced_kernel(net: Tensor, size: list[int]) -> list[int]:
    """A kernel no larger than the picture [n, h, w, c]."""
    shape = net.raw_shape
    if shape is None or shape[1] is None or shape[2] is None:
        return size
    return [min(shape[1], size[0]), min(shape[2], size[1])]
