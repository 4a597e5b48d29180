"""Clusters of points: the nearest of given centers, and which points to begin with. No state.

A random choice depends on the op's seed alone: each run draws the same numbers.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ..base import dtypes, philox
from ..op.define import op
from ..op.shape_checks import invalid, needs_rank, scalar_rule

float32, int64 = dtypes.float32, dtypes.int64
_BLOCK: Final = 1 << 20  # pairs of a point and a center that are compared together


def _number(name: str, value: Any) -> int:
    needs_rank(value, 0, f"Input {name} should be a scalar.")
    return int(value)


def _check_points(points: Any) -> None:
    needs_rank(points, 2, "Input points should be a matrix.")


def _half_squares(rows: Any) -> Any:
    """[n]: half the squared length of each row [n, d]."""
    return np.float32(0.5) * np.einsum("ij,ij->i", rows, rows)


@op(
    "NearestNeighbors", out="nearest_center_indices nearest_center_distances", shape=lambda points, centers, k: [None, None],
    fresh=True, multiplies=True,
)
def nearest_neighbors(xp: Any, points: float32, centers: float32, k: int64) -> tuple[int64, float32]:
    """The k nearest centers of each point, the nearest first, and their squared distances: points [n, d], centers [m, d], k a
    scalar -> [n, min(k, m)] and [n, min(k, m)]. Of equal distances the first center counts as nearer.

    Raises: InvalidArgumentError for other shapes, for no points, and for a k below 0.
    """
    _check_points(points)
    needs_rank(centers, 2, "Input centers should be a matrix.")
    wanted = _number("k", k)
    if not len(points):
        raise invalid("Expected points.rows() > 0.")
    if points.shape[1] != centers.shape[1]:
        raise invalid(f"Expected point_dimensions == center_dimensions: {points.shape[1]} vs {centers.shape[1]}.")
    if wanted < 0:
        raise invalid(f"Expected k >= 0, got {wanted}")
    count = min(wanted, len(centers))
    indices = np.empty((len(points), count), np.int64)
    distances = np.empty((len(points), count), np.float32)
    if count:
        lengths, step = _half_squares(centers), max(1, _BLOCK // len(centers))
        for start in range(0, len(points), step):
            block = slice(start, start + step)
            # half the squared distance without the point's own part, which is the same for all centers
            scores = lengths - points[block] @ centers.T
            indices[block] = nearest = _smallest(scores, count)
            nearest_scores = np.take_along_axis(scores, nearest, 1)
            distances[block] = np.float32(2) * (nearest_scores + _half_squares(points[block])[:, None])
    return indices, distances


def _smallest(scores: Any, count: int) -> Any:
    """The places [n, count] of the smallest scores of each row [n, m], in rising order."""
    if count > 1:
        return np.argsort(scores, axis=1, kind="stable")[:, :count]
    # the first place counts until a smaller score comes, which a NaN never is
    comparable = np.where(np.isnan(scores), np.float32(np.inf), scores)
    comparable[np.isnan(scores[:, 0])] = 0
    return comparable.argmin(axis=1)[:, None]


def _draws(seed: int) -> philox.Draws:
    seed %= 1 << 64
    return philox.Draws(philox.Start((seed & 0xFFFFFFFF, seed >> 32), 0))


@op(
    "KmeansPlusPlusInitialization", out="samples", fresh=True, multiplies=True,
    shape=lambda points, num_to_sample, seed, num_retries_per_sample: None,
)  # fmt: skip
def kmeans_plus_plus_initialization(
    xp: Any, points: float32, num_to_sample: int64, seed: int64, num_retries_per_sample: int64
) -> float32:
    """Points that lie far apart, to begin with as centers: points [n, d], three scalars -> [num_to_sample, d]. A point is drawn
    as often as its squared distance from those before is large; of num_retries_per_sample + 1 draws (for a number below 0: 3 +
    ln num_to_sample) the best is kept, after which all points lie nearest to the chosen ones.

    Raises: InvalidArgumentError for other shapes, and for more samples than points.
    Source: Arthur, Vassilvitskii, "k-means++: the advantages of careful seeding" (2007).
    """
    _check_points(points)
    count = _number("num_to_sample", num_to_sample)
    draws = _draws(_number("seed", seed))
    retries = _number("num_retries_per_sample", num_retries_per_sample)
    rows = len(points)
    if not rows:
        raise invalid("Expected points.rows() > 0.")
    if count <= 0:
        raise invalid("Expected num_to_sample > 0.")
    if count > rows:
        raise invalid(f"Expected num_to_sample <= points.rows(). {count} vs {rows}.")
    tries = 1 + (retries if retries >= 0 else 2 + int(math.log(count)))
    lengths = _half_squares(points)
    distances = np.full(rows, np.inf, np.float32)  # half the squared one of each point from the nearest chosen point
    sums: Any = None  # of the distances up to each point
    chosen = []
    for _ in range(count):
        best, best_distances, best_sum = -1, distances, np.inf
        for _ in range(tries):
            place = draws.below_64(rows) if sums is None else _drawn_place(sums, draws)
            to_place = lengths + lengths[place] - points @ points[place]
            nearest = np.minimum(distances, np.maximum(to_place, 0))
            total = nearest.sum(dtype=np.float64)
            if best < 0 or total < best_sum:
                best, best_distances, best_sum = place, nearest, total
        chosen.append(best)
        distances = best_distances
        sums = np.cumsum(distances, dtype=np.float64)
    return points[chosen]


def _drawn_place(sums: Any, draws: philox.Draws) -> int:
    place = int(np.searchsorted(sums, draws.unit_float() * sums[-1], "right"))
    return min(place, len(sums) - 1)


@op("KMC2ChainInitialization", out="index", shape=scalar_rule, fresh=True)
def kmc2_chain_initialization(xp: Any, distances: float32, seed: int64) -> int64:
    """The point at the end of a Markov chain through all points, in which far points are likely: squared distances [n] from the
    nearest center, seed a scalar -> a scalar.

    Raises: InvalidArgumentError for other shapes, and for no points.
    Source: Bachem et al., "Approximate k-means++ in sublinear time" (2016).
    """
    needs_rank(distances, 1, "Input distances should be a vector.")
    draws = _draws(_number("seed", seed))
    if not len(distances):
        raise invalid("Expected distances_tensor.size() > 0.")
    index, held = 0, float(distances[0])
    for place, distance in enumerate(distances[1:].tolist(), 1):
        if distance > draws.unit_float() * held:
            index, held = place, distance
    return np.int64(index)  # type: ignore[return-value]
