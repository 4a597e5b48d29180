"""`tf.contrib.image`: pictures whose pixels flow, by a field of arrows or by some points that move; splines between points.

No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...ops import linalg as linalg_ops
from ..arrays import array, constructors, selection, sequences
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import named
from ..linalg import linalg
from ..math import math, products, reductions

_SMALLEST = 1e-10  # of squares of distances, before a root or a logarithm


@atomic
def dense_image_warp(image: Any, flow: Any, name: str = "dense_image_warp") -> Tensor:
    """result[i, y, x] = image[i, y - flow[i, y, x, 0], x - flow[i, y, x, 1]], interpolated between pixels and taken from the
    edge outside: image [n, h, w, c], flow [n, h, w, 2] -> [n, h, w, c].

    Raises: ValueError for other ranks and for images of less than two rows or columns.
    """
    with named(name, "dense_image_warp", [image, flow]):
        image, flow = convert_to_tensor(image), convert_to_tensor(flow)
        for label, tensor in (("image", image), ("flow", flow)):
            if tensor.shape.rank not in (None, 4):
                raise ValueError(error_text(f"{label} must have 4 axes, not the shape {tensor.shape}", [tensor]))
        for side in image.shape[1:3] if image.shape.rank else ():
            if side.value is not None and side.value < 2:
                raise ValueError(error_text("Grid must have at least 2 rows and 2 columns", [image]))
        shape = array.shape(image)
        places = []
        for axis, grid in ((0, sequences.range(shape[1])[None, :, None]), (1, sequences.range(shape[2])[None, None, :])):
            at = math.cast(grid, flow.dtype) - flow[..., axis]
            last = math.cast(shape[1 + axis] - 2, flow.dtype)
            floor = math.minimum(math.maximum(math.cast(0.0, flow.dtype), math.floor(at)), last)
            share = math.minimum(math.maximum(math.cast(0.0, flow.dtype), at - floor), math.cast(1.0, flow.dtype))
            places.append((math.cast(floor, dtypes.int32), math.cast(share, image.dtype)[..., None]))
        (top, of_y), (left, of_x) = places
        flat = array.reshape(image, [-1, shape[3]])
        of_image = sequences.range(shape[0])[:, None, None] * (shape[1] * shape[2])

        def pixels(y: Any, x: Any) -> Tensor:
            return selection.gather(flat, of_image + y * shape[2] + x)

        upper = of_x * (pixels(top, left + 1) - pixels(top, left)) + pixels(top, left)
        lower = of_x * (pixels(top + 1, left + 1) - pixels(top + 1, left)) + pixels(top + 1, left)
        result = of_y * (lower - upper) + upper
        result.set_shape(image.shape)
        return result  # type: ignore[no-any-return]


@atomic
def interpolate_spline(
    train_points: Any,
    train_values: Any,
    query_points: Any,
    order: int,
    regularization_weight: float = 0.0,
    name: str = "interpolate_spline",
) -> Tensor:
    """Values at query_points [n, m, d] of the polyharmonic spline through train_values [n, count, k] at train_points [n, count,
    d]: [n, m, k].

    order: of the spline; 2 is a thin plate. regularization_weight: above 0 the spline may miss the values a little.
    Raises: InvalidArgumentError in the run for points that determine no spline: equal ones, or too few.
    """
    with named(name, "interpolate_spline", [train_points, train_values, query_points]):
        points, values, queries = (convert_to_tensor(part) for part in (train_points, train_values, query_points))
        shape = array.shape(points)
        count, dims = shape[1], shape[2]
        kernel = _kernel(_squared_distances(points, points), order)
        if regularization_weight > 0:
            kernel += regularization_weight * constructors.eye(count, batch_shape=[shape[0]], dtype=points.dtype)
        affine = array.concat([points, array.ones_like(points[:, :, :1])], axis=2)
        corner = array.zeros(array.stack([shape[0], dims + 1, dims + 1]), points.dtype)
        left = array.concat([kernel, linalg.matrix_transpose(affine)], axis=1)
        system = array.concat([left, array.concat([affine, corner], axis=1)], axis=2)
        below = array.zeros(array.stack([shape[0], dims + 1, array.shape(values)[2]]), values.dtype)
        weights = linalg_ops.matrix_solve(system, array.concat([values, below], axis=1))
        of_kernel = products.matmul(_kernel(_squared_distances(queries, points), order), weights[:, :count])
        padded = array.concat([queries, array.ones_like(queries[:, :, :1])], axis=2)
        return of_kernel + products.matmul(padded, weights[:, count:])  # type: ignore[no-any-return]


def _squared_distances(x: Tensor, y: Tensor) -> Tensor:
    """x [n, a, d], y [n, b, d] -> [n, a, b]."""
    squares_x = reductions.reduce_sum(math.square(x), axis=2)[:, :, None]
    squares_y = reductions.reduce_sum(math.square(y), axis=2)[:, None, :]
    return squares_x - 2.0 * products.matmul(x, y, adjoint_b=True) + squares_y  # type: ignore[no-any-return]


def _kernel(squares: Tensor, order: int) -> Tensor:
    """r^order for odd orders, r^order · log(r) for even ones, of squares r² [...]."""
    bounded = math.maximum(squares, _SMALLEST)
    if order == 1:
        return math.sqrt(bounded)
    if order == 2:
        return 0.5 * squares * math.log(bounded)
    if order == 4:
        return 0.5 * math.square(squares) * math.log(bounded)
    power = math.pow(bounded, 0.5 * order)
    return 0.5 * power * math.log(bounded) if order % 2 == 0 else power


@atomic
def sparse_image_warp(
    image: Any,
    source_control_point_locations: Any,
    dest_control_point_locations: Any,
    interpolation_order: int = 2,
    regularization_weight: float = 0.0,
    num_boundary_points: int = 0,
    name: str = "sparse_image_warp",
) -> tuple[Tensor, Tensor]:
    """(pictures whose points have moved [n, h, w, c], the field that moved them [n, h, w, 2]): image [n, h, w, c], points (y, x)
    [n, count, 2] before and after; a spline tells what lies between them.

    num_boundary_points: so many points of each edge stay where they are; 0: none.
    Raises: ValueError for images whose size is not known and for a negative number of points.
    """
    with named(name, "sparse_image_warp", [image, source_control_point_locations, dest_control_point_locations]):
        image = convert_to_tensor(image)
        source, goal = (convert_to_tensor(p) for p in (source_control_point_locations, dest_control_point_locations))
        if num_boundary_points < 0:
            raise ValueError(error_text(f"num_boundary_points must not be negative: {num_boundary_points}"))
        if image.shape.rank != 4 or None in image.shape[:3].as_list():
            raise ValueError(error_text(f"image must have a known size [n, h, w, c], not {image.shape}", [image]))
        count, height, width = image.shape[:3].as_list()
        flows = goal - source
        if num_boundary_points > 0:
            edge = _edge_points(height, width, num_boundary_points - 1).astype(source.dtype.as_numpy_dtype)
            fixed = convert_to_tensor(np.ascontiguousarray(np.broadcast_to(edge, (count, *edge.shape))))
            goal = array.concat([goal, fixed], axis=1)
            flows = array.concat([flows, array.zeros_like(fixed)], axis=1)
        y, x = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
        grid = np.stack([y.ravel(), x.ravel()], axis=1).astype(flows.dtype.as_numpy_dtype)
        queries = convert_to_tensor(np.ascontiguousarray(np.broadcast_to(grid, (count, *grid.shape))))
        field = interpolate_spline(goal, flows, queries, interpolation_order, regularization_weight)
        field = array.reshape(field, [count, height, width, 2])
        return dense_image_warp(image, field), field


def _edge_points(height: int, width: int, between: int) -> Any:
    """The corners (y, x) of a picture, and so many points between two of them: [points, 2]."""
    y, x = np.meshgrid(
        np.linspace(0, height - 1, between + 2), np.linspace(0, width - 1, between + 2), indexing="ij"
    )
    on_edge = (y == 0) | (y == height - 1) | (x == 0) | (x == width - 1)
    return np.stack([y[on_edge], x[on_edge]], axis=1)
