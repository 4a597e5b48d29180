"""Functions that several gradient rules share: forms of a rule, sums over repeated axes, rows of a variable, reasons for none.

A rule hangs from its op in the op tables: `@relu6.grad` above a function (op, *gradients of the outputs) -> gradients of the
inputs, each a tensor, IndexedSlices or None. It builds nodes and never computes numbers: it calls an op of its own table by
name, one of another table by type (`nodes.Reshape`).
State: for each graph, results of which rules build the nodes only once (`_broadcasts`, `_reductions`).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..base import dtypes
from ..base.shapes import is_full
from ..graph.nodes import Operation, Owner, Tensor
from .callers import nodes
from .composites import IndexedSlices
from .constant import constant
from .infer import constant_value
from .name_scopes import waiting_for
from .shape_checks import invalid, text_of
from .tensor_functions import cast, concat, conj, range, rank, shape, size

# -- why an op passes no gradient on: the codes of the messages flow.why.<code> --------------------------------------------

NOT_OF_VALUES: Final = "not_of_values"
TRUE_OR_FALSE: Final = "true_or_false"
WHOLE_NUMBERS: Final = "whole_numbers"
STRINGS: Final = "strings"
RANDOM: Final = "random"
WRITES: Final = "writes"
EFFECT: Final = "effect"
SUMMARY: Final = "summary"
FILES: Final = "files"
CONTENT: Final = "content"
CHOICE: Final = "choice"
NO_RULE_IN_TF: Final = "no_rule_in_tf"
KEEPS_AWAY: Final = "keeps_away"
DECLARED: Final = "declared"

# -- forms of a rule -------------------------------------------------------------------------------------------------------

Rule = Callable[..., Any]


def of_input(form: Callable[[Any, Any], Any]) -> Rule:
    """The rule dx = form(x, dy), whose nodes wait for dy."""

    def rule(op: Operation, g: Any) -> Any:
        with waiting_for([g]):
            return form(conj(op.inputs[0]), g)

    return rule


def of_output(form: Callable[[Any, Any], Any]) -> Rule:
    """The rule dx = form(y, dy), whose nodes wait for dy."""

    def rule(op: Operation, g: Any) -> Any:
        with waiting_for([g]):
            return form(conj(op.outputs[0]), g)

    return rule


def passed_on(op: Operation, g: Any) -> Any:
    """The gradient of an op that passes its input on: the gradient of its output."""
    return g


def reshaped_back(op: Operation, g: Any) -> Any:
    """The gradient of an op that returns the elements of its first input in another shape; the other inputs have none."""
    return nodes.Reshape(g, shape(op.inputs[0])), *[None] * (len(op.inputs) - 1)


def flat(op: Operation, g: Any) -> Any:
    """The gradient of a step function: none, though the op is differentiable almost everywhere."""
    return [None] * len(op.inputs)


def one(x: Tensor) -> Tensor:
    """The number 1 of the tensor's dtype."""
    return constant(1, dtype=x.dtype.base_dtype)


# -- two inputs that were broadcast ----------------------------------------------------------------------------------------

Repeats = tuple[Any, Any, bool]  # (the input's shape, the axes to sum over, whether the gradient has another shape)
# For each graph and pair of full shapes the axes that BroadcastGradientArgs returns; rules add its node only once.
_broadcasts: Final[weakref.WeakKeyDictionary[Owner, dict[Any, Any]]] = weakref.WeakKeyDictionary()


def repeated_axes(first: list[int], second: list[int]) -> tuple[list[int], list[int]]:
    """For two shapes the axes of the common shape along which each has size 1; none where the shapes are the same.

    Raises: InvalidArgumentError when they do not broadcast.
    """
    if first == second:
        return [], []
    count = max(len(first), len(second))
    a, b = [1] * (count - len(first)) + first, [1] * (count - len(second)) + second
    if any(n != m and 1 not in (n, m) for n, m in zip(a, b)):
        raise invalid(f"Incompatible shapes: {text_of(first)} vs. {text_of(second)}")
    return [i for i, n in enumerate(a) if n == 1], [i for i, m in enumerate(b) if m == 1]


def repeats(x: Tensor, y: Tensor, g: Any) -> tuple[Repeats, Repeats]:
    """For x and y how to sum the gradient of a broadcast result back to their shapes."""
    sx, sy = x.raw_shape, y.raw_shape
    if not isinstance(g, Tensor) or not is_full(sx) or not is_full(sy):
        shape_x, shape_y = _shape_beside(x, g), _shape_beside(y, g)
        rx, ry = nodes.BroadcastGradientArgs(shape_x, shape_y)
        return (shape_x, rx, True), (shape_y, ry, True)
    assert sx is not None
    assert sy is not None
    axes_of_shapes = _broadcasts.setdefault(x.graph, {})
    if (sx, sy) not in axes_of_shapes:
        nodes.BroadcastGradientArgs(list(sx), list(sy))
        x.graph.on_failure(axes_of_shapes.pop, (sx, sy), None)
        axes_of_shapes[sx, sy] = tuple(map(tuple, repeated_axes(list(sx), list(sy))))
    rx, ry = axes_of_shapes[sx, sy]
    return (sx, rx, sx != g.raw_shape), (sy, ry, sy != g.raw_shape)


def _shape_beside(x: Tensor, g: Any) -> Any:
    # For a dense gradient the run computes the shape even where it is known, as in TF.
    return nodes.Shape(x, out_type=dtypes.int32) if isinstance(g, Tensor) else shape(x)


def repeats_at_run_time(x: Tensor, y: Tensor) -> tuple[Repeats, Repeats]:
    """Like `repeats`, but computed by nodes even where the shapes are known."""
    sx, sy = shape(x), shape(y)
    rx, ry = nodes.BroadcastGradientArgs(sx, sy)
    return (sx, rx, True), (sy, ry, True)


def back(g: Any, repeat: Repeats) -> Any:
    """The gradient in the shape of the input: summed over the axes along which the input was repeated."""
    sizes, axes, needed = repeat
    return nodes.Reshape(nodes.Sum(g, axes), sizes) if needed else g


def same_full_shape(x: Tensor, y: Tensor, g: Any) -> bool:
    """Whether static shapes show that nothing was broadcast."""
    return isinstance(g, Tensor) and is_full(x.raw_shape) and x.raw_shape == y.raw_shape == g.raw_shape


# -- reductions ------------------------------------------------------------------------------------------------------------

# For each graph, full shape and axes of a sum: the shape with 1 along the axes, and the repeats; rules add the nodes only once.
_reductions: Final[weakref.WeakKeyDictionary[Owner, dict[Any, Any]]] = weakref.WeakKeyDictionary()


def sum_of(x: Any) -> Tensor:
    """The sum [] of all elements."""
    return _over_all(nodes.Sum, x)


def product_of(x: Any) -> Tensor:
    """The product [] of all elements: of the sizes of a shape it is the number of elements."""
    return _over_all(nodes.Prod, x)


def least_of(x: Any) -> Tensor:
    """The smallest [] of all elements."""
    return _over_all(nodes.Min, x)


def _over_all(caller: Callable[..., Any], x: Any) -> Tensor:
    has_rank = isinstance(x, Tensor) and x.raw_shape is not None
    axes = constant(np.arange(len(x.raw_shape)), dtype=dtypes.int32) if has_rank else range(0, rank(x))
    total: Tensor = caller(x, axes)
    if not is_full(total.raw_shape):
        total.set_shape(())
    return total


def reduced_shape(sizes: Any, axes: Any) -> Tensor:
    """The shape [rank] with 1 along the axes."""
    sizes, axes = cast(sizes, dtypes.int32), cast(axes, dtypes.int32)
    count = size(sizes)
    axes = (axes + count) % count
    counted = shape(axes)
    result: Tensor = nodes.DynamicStitch([range(count), axes], [sizes, nodes.Fill(counted, 1)])
    return result


def quotient(x: Any, y: Any) -> Any:
    """x / y of sizes, where 0 / 0 is 0."""
    return x // nodes.Maximum(y, 1)


def repeated_over(op: Operation, g: Any) -> Tensor:
    """The gradient of a sum, repeated along the axes that the sum removed."""
    x, indices = op.inputs
    static_shape = x.raw_shape
    axes = None if static_shape is None else constant_value(indices)
    if static_shape is not None and axes is not None:
        if np.array_equal(axes, np.arange(len(static_shape))):
            g = nodes.Reshape(g, [1] * len(static_shape))
            return nodes.Tile(g, constant(list(static_shape), dtypes.int32) if is_full(static_shape) else shape(x))
        if is_full(static_shape):
            with_ones, repeated = _known_reduction(op, static_shape, tuple(int(a) for a in np.ravel(axes)))
            return nodes.Tile(nodes.Reshape(g, with_ones), repeated)
    sizes = shape(x)
    with op.graph.colocate_with(sizes):
        with_ones = reduced_shape(sizes, indices)
        repeated = quotient(sizes, with_ones)
    return nodes.Tile(nodes.Reshape(g, with_ones), repeated)


def _known_reduction(op: Operation, sizes: Sequence[Any], axes: tuple[int, ...]) -> tuple[Any, Any]:
    reductions = _reductions.setdefault(op.graph, {})
    if (sizes, axes) not in reductions:
        reduced_shape(list(sizes), list(axes))
        with_ones = [1 if i in {a % len(sizes) for a in axes} else n for i, n in enumerate(sizes)]
        quotient(list(sizes), with_ones)
        op.graph.on_failure(reductions.pop, (sizes, axes), None)
        reductions[sizes, axes] = with_ones, [n // max(k, 1) for n, k in zip(sizes, with_ones)]
    reduction: tuple[Any, Any] = reductions[sizes, axes]
    return reduction


# -- picked rows -----------------------------------------------------------------------------------------------------------


def rows_of(sizes: Any, indices: Any, g: Any) -> IndexedSlices:
    """The gradient of rows that were picked from a tensor of shape `sizes`: those rows alone."""
    count = nodes.ExpandDims(size(indices), 0)
    values = nodes.Reshape(g, concat([count, sizes[1:]], 0))
    return IndexedSlices(values, nodes.Reshape(indices, count), sizes)


def shape_for_rows(params: Tensor) -> Tensor:
    """The shape, as int32, of the tensor that rows are picked from, computed on the device of that tensor."""
    with params.graph.colocate_with(params):
        sizes: Tensor = cast(shape(params, out_type=dtypes.int64), dtypes.int32)
    return sizes


def of_places(sizes: Any, indices: Tensor, g: Any) -> Any:
    """The gradient of elements picked from a tensor of shape `sizes`: IndexedSlices where an index is one number."""
    index_shape = indices.raw_shape
    if index_shape is not None and len(index_shape) == 2 and index_shape[1] == 1:
        return IndexedSlices(g, nodes.Squeeze(indices, squeeze_dims=[-1]), sizes)
    return nodes.ScatterNd(indices, g, sizes)
