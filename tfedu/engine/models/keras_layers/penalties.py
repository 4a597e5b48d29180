"""Keras' regularizers and constraints, by name or as objects: `kernel_regularizer="l2"`. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays.selection import gather_nd
from ...lib.math.clip import clip_by_value
from ...lib.math.math import abs, cast, greater_equal, sqrt, square
from ...lib.math.reductions import reduce_sum
from ...op.constant import constant
from ..keras_parts.keras_config import cast_to_floatx, floatx
from ..keras_parts.keras_objects import object_named

_EPSILON: Final = 1e-7


class Regularizer:
    """The base of regularizers: functions from weights [...] to a loss, a scalar."""

    def __call__(self, x: Any) -> Any:
        return 0.0

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Regularizer:
        """A regularizer from the result of `get_config`."""
        return cls(**config)


class L1L2(Regularizer):
    """weights [...] -> l1 · Σ |weights| + l2 · Σ weights², a scalar."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = cast_to_floatx(l1), cast_to_floatx(l2)

    @atomic
    def __call__(self, x: Any) -> Any:
        if not self.l1 and not self.l2:
            return constant(0.0)
        loss: Any = 0.0
        if self.l1:
            loss += float(self.l1) * reduce_sum(abs(x))
        if self.l2:
            loss += float(self.l2) * reduce_sum(square(x))
        return loss

    def get_config(self) -> dict[str, float]:
        """The arguments that construct an equal regularizer."""
        return {"l1": float(self.l1), "l2": float(self.l2)}


def l1(l: float = 0.01) -> L1L2:
    """A function from weights to l · Σ |weights|."""
    return L1L2(l1=l)


def l2(l: float = 0.01) -> L1L2:
    """A function from weights to l · Σ weights²."""
    return L1L2(l2=l)


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """A function from weights to l1 · Σ |weights| + l2 · Σ weights²."""
    return L1L2(l1, l2)


def _clip(x: Tensor, low: float, high: float) -> Tensor:
    """x [...] limited to low … high, both as constants of its dtype."""
    dtype = x.dtype.base_dtype
    limits = [convert_to_tensor(limit, dtype=dtype) for limit in (low, high)]
    clipped: Tensor = clip_by_value(x, *limits)
    return clipped


def _norms(weights: Any, axis: Any) -> Tensor:
    """The length of each vector along `axis`, which stays as size 1."""
    return sqrt(_clip(reduce_sum(square(weights), axis, keepdims=True), 0.0, np.inf))


class Constraint:
    """A function from weights to weights that an optimizer applies after each step."""

    def __call__(self, w: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal constraint."""
        return dict(vars(self))


class MaxNorm(Constraint):
    """Scales vectors along `axis` down to length max_value."""

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    @atomic
    def __call__(self, w: Any) -> Any:
        norms = _norms(w, self.axis)
        return w * (_clip(norms, 0, self.max_value) / (_EPSILON + norms))


class NonNeg(Constraint):
    """Sets negative weights to 0."""

    @atomic
    def __call__(self, w: Any) -> Any:
        return w * cast(greater_equal(w, 0.0), floatx())


class UnitNorm(Constraint):
    """Scales vectors along `axis` to length 1."""

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    @atomic
    def __call__(self, w: Any) -> Any:
        return w / (_EPSILON + _norms(w, self.axis))


class MinMaxNorm(Constraint):
    """Brings the length of vectors along `axis` to min_value … max_value, by the part `rate` of the way."""

    def __init__(
        self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0
    ) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    @atomic
    def __call__(self, w: Any) -> Any:
        norms = _norms(w, self.axis)
        wanted = self.rate * _clip(norms, self.min_value, self.max_value) + (1 - self.rate) * norms
        return w * (wanted / (_EPSILON + norms))


class RadialConstraint(Constraint):
    """Makes square kernels [n, n, channels, filters] equal around their centre: each ring has one value of the diagonal.

    Raises: ValueError for another rank, and for kernels that are not square.
    """

    @atomic
    def __call__(self, w: Any) -> Any:
        shape = w.shape
        if shape.ndims != 4:
            raise ValueError(error_text(f"The weight tensor must be of rank 4, but is of shape: {shape}"))
        height, width = shape.as_list()[:2]
        if height is None or height != width:
            raise ValueError(error_text(f"RadialConstraint: kernels that are square, not of shape {shape}"))
        return gather_nd(w, np.repeat(_rings(height)[:, :, None], 2, axis=2))


def _rings(size: int) -> np.ndarray[Any, Any]:
    """The place on the diagonal that each element [size, size] of a kernel takes its value from, as in TF 1.15."""
    start, is_odd = size // 2, size % 2
    if size == 1:
        return np.zeros((1, 1), int)
    away = np.abs(np.arange(size) - start) if is_odd else np.maximum(start - 1 - np.arange(size), np.arange(size) - start)
    ring = np.maximum(away[:, None], away[None, :])
    return np.where(ring == 0, start - 1, start + ring - is_odd)


_REGULARIZERS: dict[str, Callable[..., Any]] = {make.__name__: make for make in (L1L2, l1, l2, l1_l2)}
_CONSTRAINTS: dict[str, Callable[..., Any]] = {
    "max_norm": MaxNorm,
    "non_neg": NonNeg,
    "unit_norm": UnitNorm,
    "min_max_norm": MinMaxNorm,
    "radial_constraint": RadialConstraint,
    **{kind.__name__: kind for kind in (MaxNorm, NonNeg, UnitNorm, MinMaxNorm, RadialConstraint)},
}


def regularizer_named(identifier: Any) -> Any:
    """The regularizer for a name, a config or a function; None for None.

    Raises: ValueError for anything else.
    """
    if isinstance(identifier, (str, dict)):
        return object_named(_REGULARIZERS, identifier, "regularizer")
    if identifier is not None and not callable(identifier):
        raise ValueError(error_text(f"('Could not interpret regularizer identifier:', {identifier!r})"))
    return identifier


def constraint_named(identifier: Any) -> Any:
    """The constraint for a name, a config or a function; None for None.

    Raises: ValueError for anything else.
    """
    if isinstance(identifier, (str, dict)):
        return object_named(_CONSTRAINTS, identifier, "constraint", ": ")
    if identifier is not None and not callable(identifier):
        raise ValueError(error_text(f"Could not interpret constraint identifier: {identifier}"))
    return identifier
