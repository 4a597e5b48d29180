"""`tf.test.compute_gradient`: the gradient that the graph computes, beside finite differences. No state.

Both are Jacobians: a row for each element of x, a column for each element of y; a complex element counts as two real ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..base import dtypes
from ..base.errors import error_text
from ..graph.nodes import Tensor
from ..graph.stacks import get_default_session
from ..lib.math import math
from ..op.composites import IndexedSlices
from ..op.constant import constant
from ..op.tensor_functions import identity
from .sweep import gradients

_ALLOWED: Final = (
    dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128,
)  # fmt: skip
Jacobians = tuple[Any, Any]


def compute_gradient(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Mapping[Any, Any] | None = None,
) -> Any:
    """The Jacobians dy/dx by the gradient nodes and by finite differences of size delta; a list of pairs for a list of xs.

    x_init_value: the value of x (default: random in [0, 1)). init_targets: nodes that run first. Needs a default session.
    Raises: AssertionError for dtypes that have no gradient and for shapes that do not fit; ValueError without a session, and
    where y does not depend on x.
    """
    _session()
    xs = x if isinstance(x, list) else [x]
    slopes = [_gradient_nodes(each, y, y_shape) for each in xs] if isinstance(x, list) else None
    _run_first(init_targets)
    slopes = slopes or [_gradient_nodes(x, y, y_shape)]
    shapes, starts = (x_shape, x_init_value) if isinstance(x, list) else ([x_shape], [x_init_value])
    jacobians = [
        _both(each, tuple(_sizes(shape)), dx, y, tuple(_sizes(y_shape)), dy, start, delta, dict(extra_feed_dict or {}))
        for each, shape, (dx, dy), start in zip(xs, shapes, slopes, starts or [None] * len(xs))
    ]
    return jacobians if isinstance(x, list) else jacobians[0]


def compute_gradient_error(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Mapping[Any, Any] | None = None,
) -> Any:
    """The largest difference between the gradient that the graph computes and finite differences.

    Raises: as `compute_gradient`.
    """
    jacobians = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    error: Any = 0
    for of_graph, of_steps in [jacobians] if isinstance(jacobians, tuple) else jacobians:
        if of_graph.size or of_steps.size:
            error = np.maximum(error, np.fabs(of_graph - of_steps).max())
    return error


def _session() -> Any:
    session = get_default_session()
    if session is None:
        raise ValueError(
            error_text(
                "Cannot compute the gradient: No default session is registered.",
                fix="call it in a block 'with tf.Session():'",
            )
        )
    return session


def _run_first(targets: Iterable[Any] | None) -> None:
    if targets is None:
        return
    if not isinstance(targets, (list, tuple)):
        raise AssertionError(error_text(f"init_targets must be a list, not {targets!r}"))
    for target in targets:
        target.run()


def _sizes(shape: Any) -> Sequence[int]:
    return [shape] if isinstance(shape, int) else [int(n) for n in shape]


def _gradient_nodes(x: Any, y: Any, y_shape: Any) -> tuple[Any, Tensor]:
    """dx, and the dy that runs feed. An Identity separates them: dx may be dy itself, which cannot be both fed and fetched."""
    with x.graph.as_default():
        dy = constant(1.0, shape=y_shape, dtype=y.dtype)
        seed = identity(dy)
    (dx,) = gradients(y, x, seed)
    return dx, dy


def _both(
    x: Any, x_shape: tuple[int, ...], dx: Any, y: Any, y_shape: tuple[int, ...], dy: Tensor, start: Any, delta: float,
    feeds: dict[Any, Any],
) -> Jacobians:  # fmt: skip
    for name, tensor in (("x", x), ("y", y)):
        if tensor.dtype.base_dtype not in _ALLOWED:
            raise AssertionError(error_text(f"Don't support type {tensor.dtype.name} for {name}"))
    if dx is None:
        raise ValueError(error_text(f"{y.name} does not depend on {x.name}: there is no gradient to check"))
    if start is None:
        kind = x.dtype.as_numpy_dtype
        start = np.random.random_sample(x_shape).astype(kind)
        if x.dtype.is_complex:
            start.imag = np.random.random_sample(x_shape)
    elif list(x_shape) != list(np.shape(start)):
        raise AssertionError(
            error_text(f"x_shape = {list(x_shape)}, init_data shape = {list(np.shape(start))}")
        )
    return (
        _by_nodes(x, x_shape, start, dx, dy, y_shape, feeds),
        _by_differences(x, x_shape, start, y, y_shape, delta, feeds),
    )


def _count(shape: Sequence[int], dtype: Any) -> int:
    return int(np.prod(shape, dtype=np.int64)) * (2 if dtype.is_complex else 1)


def _by_nodes(
    x: Any, x_shape: tuple[int, ...], start: Any, dx: Any, dy: Tensor, y_shape: tuple[int, ...], feeds: dict[Any, Any]
) -> Any:
    run = _session().run
    columns = _count(y_shape, dy.dtype)
    out = np.zeros((_count(x_shape, x.dtype), columns), x.dtype.real_dtype.as_numpy_dtype)
    seed = np.zeros(y_shape, dy.dtype.as_numpy_dtype)
    flat = seed.reshape(-1).view(dy.dtype.real_dtype.as_numpy_dtype)
    row = _count(x_shape[1:], x.dtype)
    for column in range(columns):
        flat[column] = 1
        value = run([dx.indices, dx.values] if isinstance(dx, IndexedSlices) else dx, {**feeds, x: start, dy: seed})
        if isinstance(dx, IndexedSlices):
            for i, row_value in zip(*value):
                out[i * row : (i + 1) * row, column] += np.ravel(row_value).view(out.dtype)
        else:
            out[:, column] = np.ravel(value).view(out.dtype)
        flat[column] = 0
    if not columns:
        value = run(dx, {**feeds, x: start, dy: seed})
        if np.shape(value) != np.shape(start):
            raise ValueError(
                error_text(f"Empty gradient has wrong shape: expected {np.shape(start)}, got {np.shape(value)}")
            )
        if np.any(value):
            raise ValueError(error_text("Empty tensor with nonzero gradients"))
    return out


def _by_differences(
    x: Any, x_shape: tuple[int, ...], start: Any, y: Any, y_shape: tuple[int, ...], delta: float, feeds: dict[Any, Any]
) -> Any:
    run = _session().run
    if y.dtype.base_dtype is dtypes.bfloat16:  # too few bits for a difference
        y = math.cast(y, dtypes.float32)
    narrow = x.dtype.base_dtype is dtypes.bfloat16
    kind = np.dtype(np.float32 if narrow else x.dtype.real_dtype.as_numpy_dtype)
    y_kind = np.dtype(y.dtype.real_dtype.as_numpy_dtype)
    start = np.asarray(start, kind if narrow else x.dtype.as_numpy_dtype)
    scale = np.asarray(2 * delta, y_kind)[()]
    out = np.zeros((_count(x_shape, x.dtype), _count(y_shape, y.dtype)), kind)
    for row in range(len(out)):
        beside = []
        for step in (delta, -delta):
            moved = start.copy()
            moved.reshape(-1).view(kind)[row] += step
            beside.append(run(y, {**feeds, x: moved.astype(x.dtype.as_numpy_dtype) if narrow else moved}))
        out[row, :] = np.ravel((beside[0] - beside[1]) / scale).view(y_kind)
    return out


__all__ = ["compute_gradient", "compute_gradient_error"]
