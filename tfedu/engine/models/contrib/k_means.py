"""`tf.contrib.factorization.KMeans`: the graph that finds clusters of points, over all points or batch by batch. No state.

The centers are a variable without a known shape, which is empty at first; `init_op` chooses centers until there are enough.
Source: MacQueen, "Some methods for classification and analysis of multivariate observations" (1967); Sculley, "Web-scale k-means
clustering" (2010).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection
from ...lib.checks import asserts
from ...lib.control.cond import cond
from ...lib.control.grouping import group, identity, no_op
from ...lib.control.while_loop import while_loop
from ...lib.framework.scope_blocks import colocate_with, control_dependencies
from ...lib.math import clip, math, products, random, reductions
from ...lib.nn.embeddings import embedding_lookup
from ...lib.variables import scatter, state
from ...lib.variables.variables import Variable
from ...op.constant import constant
from ...ops import clustering

SQUARED_EUCLIDEAN_DISTANCE: Final = "squared_euclidean"
COSINE_DISTANCE: Final = "cosine"
RANDOM_INIT: Final = "random"
KMEANS_PLUS_PLUS_INIT: Final = "kmeans_plus_plus"
KMC2_INIT: Final = "kmc2"
CLUSTERS_VAR_NAME: Final = "clusters"


def _rows(x: Any) -> Tensor:
    return array.shape(x)[0]  # type: ignore[no-any-return]


def _unit_rows(x: Any) -> Tensor:
    return clip.l2_normalize(x, dim=1)


class KMeans:
    """Finds num_clusters clusters in points: inputs [n, d] float32, or a list of such tensors.

    initial_clusters: "random", "kmeans_plus_plus", "kmc2", the centers themselves [k, d], or a function of (inputs, count) that
    gives [count, d]. distance_metric: "squared_euclidean" or "cosine". use_mini_batch: each run moves the centers that its points
    are near to, instead of replacing all centers by means; the points of mini_batch_steps_per_iteration runs are compared with
    the same centers. In a step of a mini-batch nothing orders how the counts of a center's points are read and added to: TF's
    centers may differ from run to run. random_seed, kmeans_plus_plus_num_retries, kmc2_chain_length: of the choice of centers.

    Raises: ValueError for an unknown way to begin, or distance.
    """

    def __init__(
        self, inputs: Any, num_clusters: Any, initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, use_mini_batch: bool = False, mini_batch_steps_per_iteration: int = 1,
        random_seed: int = 0, kmeans_plus_plus_num_retries: int = 2, kmc2_chain_length: int = 200,
    ) -> None:  # fmt: skip
        known = (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT)
        if isinstance(initial_clusters, str) and initial_clusters not in known:
            raise ValueError(error_text(f"Unsupported initialization algorithm '{initial_clusters}'"))
        if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
            raise ValueError(error_text(f"Unsupported distance metric '{distance_metric}'"))
        self._inputs = inputs if isinstance(inputs, list) else [inputs]
        self._num_clusters = num_clusters
        self._initial_clusters = initial_clusters
        self._is_cosine = distance_metric == COSINE_DISTANCE
        self._use_mini_batch = use_mini_batch
        self._steps = int(mini_batch_steps_per_iteration)
        self._seed = random_seed
        self._retries = kmeans_plus_plus_num_retries
        self._chain_length = kmc2_chain_length

    @property
    def _keeps_unit_centers(self) -> bool:
        """Whether the centers have length 1 whenever points are compared with them."""
        return self._is_cosine and (not self._use_mini_batch or self._steps > 1)

    @atomic
    def training_graph(self) -> tuple[Any, Any, Any, Any, Any, Any]:
        """Builds the graph: (all_scores, cluster_idx, scores, cluster_centers_initialized, init_op, train_op).

        Each of the first three is a tuple with an item for each input [n, d]: the distances [n, k] from all centers, the
        number [n] of the nearest center, and the distance [n] from it. Then a bool variable, whether there are all centers; the
        op that chooses centers; the op of one step.
        """
        count: Any
        if isinstance(self._initial_clusters, str) or callable(self._initial_clusters):
            initial, count = self._initial_clusters, convert_to_tensor(self._num_clusters)
        else:
            initial = convert_to_tensor(self._initial_clusters)
            count = _rows(initial)
        inputs = self._inputs
        centers, initialized, totals, updated, steps = self._variables(count)
        init_op = _Initialization(self, initial, count, centers, updated, initialized).op()
        compared: Any = centers
        if self._is_cosine:
            inputs = [self._colocated(x, _unit_rows) for x in inputs]
            if not self._keeps_unit_centers:
                compared = _unit_rows(centers)
        all_scores, scores, indices = self._inferred(inputs, compared)
        if self._use_mini_batch:
            with control_dependencies([self._synchronized(steps, centers, updated, totals)]):
                train_op: Any = _mini_batch_step(inputs, indices, updated, totals)
        else:
            train_op = self._full_step(inputs, count, indices, centers)
        return all_scores, indices, scores, initialized, init_op, train_op

    def _variables(self, count: Tensor) -> tuple[Any, Any, Any, Any, Any]:
        empty = constant([], dtypes.float32)
        centers = Variable(empty, name=CLUSTERS_VAR_NAME, validate_shape=False)
        initialized = Variable(False, dtype=dtypes.bool, name="initialized")
        if not self._use_mini_batch:
            return centers, initialized, None, centers, None
        if self._steps <= 1:
            return centers, initialized, Variable(array.ones([count], dtypes.int64)), centers, None
        # The centers that the points are compared with stay the same for some steps, while the others move.
        updated = Variable(empty, name="clusters_updated", validate_shape=False)
        steps = Variable(self._steps, dtype=dtypes.int64, name="update_in_steps")
        return centers, initialized, Variable(array.zeros([count], dtypes.int64)), updated, steps

    @staticmethod
    def _colocated(x: Any, function: Callable[[Any], Any]) -> Any:
        with colocate_with(x, ignore_existing=True):
            return function(x)

    def _distances(self, x: Any, centers: Any) -> Tensor:
        """[n, k]: of points [n, d] from centers [k, d]."""
        if self._is_cosine:
            return 1 - products.matmul(x, centers, transpose_b=True)  # type: ignore[no-any-return]
        lengths = reductions.reduce_sum(math.square(x), 1, keepdims=True)
        closeness = 2 * products.matmul(x, centers, transpose_b=True)
        return (  # type: ignore[no-any-return]
            lengths - closeness + array.transpose(reductions.reduce_sum(math.square(centers), 1, keepdims=True))
        )

    def _inferred(self, inputs: list[Any], centers: Any) -> Any:
        """(the distances from all centers, those from the nearest one, its number): a tuple each, with an item for each input."""
        all_scores = [self._colocated(x, lambda x: self._distances(x, centers)) for x in inputs]
        if self._is_cosine and not self._keeps_unit_centers:
            centers = self._colocated(centers, _unit_rows)

        def nearest(x: Any) -> tuple[Tensor, Tensor]:
            indices, distances = clustering.nearest_neighbors(x, centers, 1)
            if self._is_cosine:
                distances *= 0.5  # half the squared distance of vectors of length 1
            return array.squeeze(distances, [-1]), array.squeeze(indices, [-1])

        found = [self._colocated(x, nearest) for x in inputs]
        return (tuple(all_scores), *map(tuple, zip(*found)))

    def _synchronized(self, steps: Any, centers: Any, updated: Any, totals: Any) -> Any:
        """Moves the updated centers to those that points are compared with, once in so many steps."""
        if steps is None:
            return no_op()

        def count_down() -> Any:
            return state.assign_sub(steps, 1)

        def move() -> Any:
            with control_dependencies([state.assign(steps, self._steps - 1)]):
                new = self._colocated(updated, lambda x: _unit_rows(x) if self._is_cosine else x)
                with colocate_with(None, ignore_existing=True), control_dependencies([state.assign(centers, new)]):
                    with control_dependencies([state.assign(totals, array.zeros_like(totals))]):
                        return identity(steps)

        with colocate_with(steps, ignore_existing=True):
            return cond(math.less_equal(steps, 0), move, count_down)

    def _full_step(self, inputs: list[Any], count: Any, indices: Any, centers: Any) -> Any:
        """Replaces each center by the mean of the points that are nearest to it."""
        sums, counts = [], []
        epsilon = constant(1e-6, dtype=inputs[0].dtype)
        for x, nearest in zip(inputs, indices):
            with colocate_with(x, ignore_existing=True):
                sums.append(reductions.unsorted_segment_sum(x, nearest, count))
                ones = array.reshape(array.ones(array.reshape(_rows(x), [-1])), [-1, 1])
                counts.append(reductions.unsorted_segment_sum(ones, nearest, count))
        with colocate_with(centers, ignore_existing=True):
            means = products.add_n(sums) / (products.add_n(counts) + epsilon)
            if self._keeps_unit_centers:
                means = _unit_rows(means)
            return state.assign(centers, means)


def _mini_batch_step(inputs: list[Any], indices: Any, centers: Any, totals: Any) -> Any:
    """Moves each center towards the points that are nearest to it, the less the more points it has seen."""
    updates = []
    for x, nearest in zip(inputs, indices):
        with colocate_with(x, ignore_existing=True):
            ids, places = selection.unique(array.reshape(nearest, [-1]))
            count = array.size(ids)
            with colocate_with(totals, ignore_existing=True):
                old_counts = selection.gather(totals, ids)
            with colocate_with(centers, ignore_existing=True):
                old_centers = selection.gather(centers, ids)
            new_counts = reductions.unsorted_segment_sum(array.ones_like(places, dtype=totals.dtype), places, count)
            moves = reductions.unsorted_segment_sum(x, places, count)
            rows = array.reshape(count, [1])
            ones = array.ones(array.reshape(array.rank(x) - 1, [1]), dtype=dtypes.int32)
            column = array.concat([rows, ones], 0)
            moves -= math.cast(array.reshape(new_counts, column), x.dtype) * old_centers
            rate = math.reciprocal(math.cast(old_counts + new_counts, x.dtype))
            moves *= array.reshape(rate, column)
        updates += [scatter.scatter_add(totals, ids, new_counts), scatter.scatter_add(centers, ids, moves)]
    return group(*updates)


class _Initialization:
    """The op that adds centers until there are `count` of them."""

    def __init__(self, owner: Any, initial: Any, count: Any, centers: Any, updated: Any, initialized: Any) -> None:
        self.owner, self.initial, self.count = owner, initial, count
        self.centers, self.updated, self.initialized = centers, updated, initialized
        self.inputs = owner._inputs
        self.selected = _rows(centers)
        self.remaining = count - self.selected
        self.points = products.add_n([_rows(x) for x in self.inputs])

    def op(self) -> Any:
        return cond(math.equal(self.remaining, 0), lambda: asserts.assert_equal(self.initialized, True), self._next)

    def _next(self) -> Any:
        with control_dependencies([asserts.assert_positive(self.remaining)]):
            remaining = self._chained() if self._is(KMC2_INIT) else self._all_at_once()
            return cond(math.equal(remaining, 0), lambda: state.assign(self.initialized, True), no_op)

    def _is(self, way: str) -> bool:
        return isinstance(self.initial, str) and self.initial == way

    def _stored(self, centers: Any) -> Any:
        """The centers as they are stored."""
        stored = state.assign(self.centers, centers, validate_shape=False)
        if self.updated is not self.centers:
            stored = state.assign(self.updated, stored, validate_shape=False)
        return stored

    def _all_at_once(self) -> Any:
        new = self._chosen()
        if self.owner._is_cosine:
            new = _unit_rows(new)
        # without a shape the empty centers cannot be joined
        is_first = math.equal(self.selected, 0)
        stored = self._stored(cond(is_first, lambda: new, lambda: array.concat([self.centers, new], 0)))
        return self.count - _rows(stored)

    def _chosen(self) -> Any:
        """New centers, as the caller of KMeans wants them."""
        if self._is(RANDOM_INIT):
            return cond(math.less_equal(self.points, self.remaining), lambda: array.concat(self.inputs, 0), self._random)
        if self._is(KMEANS_PLUS_PLUS_INIT):
            return self._far_apart()
        if callable(self.initial):
            return self.initial(self.inputs, self.remaining)
        with control_dependencies([asserts.assert_equal(self.remaining, _rows(self.initial))]):
            return self.initial

    def _random(self) -> Any:
        indices = random.random_uniform(
            array.reshape(self.remaining, [-1]), minval=0, maxval=math.cast(self.points, dtypes.int64), seed=self.owner._seed,
            dtype=dtypes.int64,
        )  # fmt: skip
        return embedding_lookup(self.inputs, indices, partition_strategy="div")

    def _far_apart(self) -> Any:
        points = self.inputs[0]
        with control_dependencies([asserts.assert_greater_equal(self.points, self.remaining)]):
            return clustering.kmeans_plus_plus_initialization(
                points, math.cast(self.remaining, dtypes.int64), self.owner._seed, self.owner._retries
            )

    def _chained(self) -> Any:
        """Adds a center for each chain of points that the first input has.

        Differs from TF: a chain sees the centers of those before it; there it may see the centers at the beginning of the run.
        """
        points, length = self.inputs[0], self.owner._chain_length
        chains = math.maximum(math.minimum(self.remaining, math.cast(_rows(points) / length, dtypes.int32)), 1)

        def shaped(row: Any) -> Any:
            row = array.reshape(row, [1, -1])
            return _unit_rows(row) if self.owner._is_cosine else row

        def step(i: Any, _: Any) -> Any:
            def first() -> Any:
                return shaped(points[0])

            def with_end_of_chain() -> Any:
                start = i * length
                part = points[start : start + length]
                _, distances = clustering.nearest_neighbors(part, self.centers, 1)
                end = clustering.kmc2_chain_initialization(array.squeeze(distances), self.owner._seed)
                return array.concat([self.centers, shaped(part[end])], 0)

            stored = self._stored(cond(math.equal(self.selected, 0), first, with_end_of_chain))
            return i + 1, self.count - _rows(stored)

        _, remaining = while_loop(lambda i, _: math.less(i, chains), step, [0, 0])
        return remaining


__all__ = [
    "CLUSTERS_VAR_NAME", "COSINE_DISTANCE", "KMC2_INIT", "KMEANS_PLUS_PLUS_INIT", "KMeans", "RANDOM_INIT",
    "SQUARED_EUCLIDEAN_DISTANCE",
]  # fmt: skip
