"""Clipping, norms and normalisation: `tf.clip_by_value`, `tf.clip_by_global_norm`, `tf.nn.l2_normalize`, as in TF
1.15. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.composites import IndexedSlices
from ...op.constant import constant
from ...ops import math as ops
from ..arrays import array, selection
from ..arrays.sequences import range
from ..control.grouping import identity
from ..framework.dispatch import takes_ragged
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import colocate_with, named
from .math import cast, greater, is_finite, l2_loss, maximum, minimum, multiply, rsqrt, sqrt, square
from .reductions import reduce_sum


def _values(t: Any, name: str) -> Tensor:
    """The tensor; of IndexedSlices their values."""
    return convert_to_tensor(t.values if isinstance(t, IndexedSlices) else t, name=name)


def _like(t: Any, values: Tensor) -> Any:
    """The values; as IndexedSlices where `t` is one."""
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values


@takes_ragged
@atomic
def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """t [...] limited to clip_value_min ≤ t ≤ clip_value_max; the bounds broadcast to t's shape. Of IndexedSlices the values.

    Raises: ValueError for bounds whose shape does not broadcast to t's.
    """
    with named(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as scope:
        values = _values(t, "t")
        low = minimum(values, clip_value_max)
        values.shape.merge_with(low.shape)
        clipped = maximum(low, clip_value_min, name=scope)
        values.shape.merge_with(clipped.shape)
        return _like(t, clipped)


@atomic
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """t [...] scaled down to the L2 norm clip_norm where its norm is larger. Of IndexedSlices the values.

    axes: one norm for each slice over these axes.
    """

    with named(name, "clip_by_norm", [t, clip_norm]) as scope:
        values = _values(t, "t")
        total = reduce_sum(ops.mul(values, values, name="mul"), axes, keepdims=True)
        positive = greater(total, 0)
        safe = selection.where(positive, total, array.ones_like(total))
        norm = selection.where(positive, sqrt(safe), total)
        scaled: Tensor = values * clip_norm  # type: ignore[operator]
        values.shape.merge_with(scaled.shape)
        quotient: Any = scaled / maximum(norm, clip_norm)  # type: ignore[operator]
        return _like(t, identity(quotient, name=scope))


@atomic
def global_norm(t_list: Sequence[Any], name: str | None = None) -> Tensor:
    """The square root of the sum of the squares of all tensors' elements, a scalar; None in the list is skipped.

    Of IndexedSlices the values count, each by itself.

    Raises: TypeError for an argument that is not a sequence.
    """
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError(error_text("t_list should be a sequence", fix="pass a list of tensors"))

    with named(name, "global_norm", [t for t in t_list if t is not None]):
        values = [None if t is None else _values(t, f"t_{i}") for i, t in enumerate(t_list)]
        halves = []
        for value in values:
            if value is not None:
                with colocate_with(value):
                    halves.append(l2_loss(value))
        half = reduce_sum(array.stack(halves))
        return sqrt(ops.mul(half, constant(2.0, dtype=half.dtype), name="mul"), name="global_norm")


@atomic
def clip_by_global_norm(
    t_list: Sequence[Any], clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Tensor]:
    """(the tensors, all scaled by one factor so that their global norm is at most clip_norm; the global norm, a
    scalar).

    Raises: TypeError for an argument that is not a sequence.
    """
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError(error_text("t_list should be a sequence", fix="pass a list of tensors"))
    if use_norm is None:
        use_norm = global_norm(t_list, name)
    with named(name, "clip_by_global_norm", [*[t for t in t_list if t is not None], clip_norm]) as scope:
        inverse_norm = 1.0 / use_norm
        inverse_limit = constant(1.0, dtype=use_norm.dtype) / clip_norm  # type: ignore[operator]
        scale = clip_norm * minimum(inverse_norm, inverse_limit)
        # An infinite norm makes every result NaN instead of 0.
        scale = selection.where(is_finite(use_norm), scale, constant(float("nan"), dtype=use_norm.dtype))
        values = [None if t is None else _values(t, f"t_{i}") for i, t in enumerate(t_list)]
        clipped: list[Any] = []
        for i, value in enumerate(values):
            if value is None:
                clipped.append(None)
                continue
            with colocate_with(value):
                clipped.append(_like(t_list[i], identity(value * scale, name=f"{scope}_{i}")))  # type: ignore[operator]
        return clipped, use_norm


@atomic
def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Tensor:
    """t [...] scaled down to the average L2 norm (norm / number of elements) clip_norm where its own is larger."""

    with named(name, "clip_by_average_norm", [t, clip_norm]) as scope:
        t = convert_to_tensor(t, name="t")
        count = cast(array.size(t), dtypes.float32)
        inverse: Any = rsqrt(reduce_sum(t * t, range(array.rank(t))))
        clipped = t * clip_norm * minimum(inverse * count, constant(1.0) / clip_norm)  # type: ignore[operator]
        return identity(clipped, name=scope)


@atomic
def l2_normalize(
    x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None
) -> Tensor:
    """x [...] divided by its L2 norm along the axes. epsilon: a lower bound of the squared norm."""
    axis = renamed("axis", axis, "dim", dim)
    with named(name, "l2_normalize", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        inverse = rsqrt(maximum(reduce_sum(square(x), axis, keepdims=True), epsilon))
        return multiply(x, inverse, name=scope)
