"""Updates of parts of variables: `scatter_add(v, [1, 3], rows)`, `scatter_nd_update`, `v[1:3].assign(rows)`.

A reference variable's update returns the variable itself, a resource variable's a read after the update. `RefScatterMethods`
and `ResourceScatterMethods` are the methods of the two kinds of variables. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...op.composites import IndexedSlices
from ...ops import basic
from ...ops import math as math_ops
from ...ops import scatter as ops
from ...ops import sequences as sequence_ops
from ..arrays import array
from ..framework.scope_blocks import named
from .state import _is_ref

scatter_nd = ops.scatter_nd
tensor_scatter_update = ops.tensor_scatter_update
tensor_scatter_add, tensor_scatter_sub = ops.tensor_scatter_add, ops.tensor_scatter_sub
tensor_scatter_nd_update = ops.tensor_scatter_update
tensor_scatter_nd_add, tensor_scatter_nd_sub = ops.tensor_scatter_add, ops.tensor_scatter_sub

Scatter = Callable[..., Any]


def _scatter_function(name: str, doc: str, ref_op: Any, resource_op: Any, locking: bool = False) -> Scatter:
    """The public function for an op on reference variables and one on resource variables."""

    def scatter(
        ref: Any, indices: Any, updates: Any, use_locking: bool = locking, name: str | None = None
    ) -> Any:
        if _is_ref(ref):
            return ref_op(ref, indices, updates, use_locking=use_locking, name=name)
        after = getattr(ref, "_after_update", None)
        if after is None:
            missing_attribute = "_lazy_read" if hasattr(ref, "dtype") else "dtype"
            raise AttributeError(error_text(f"'{type(ref).__name__}' object has no attribute '{missing_attribute}'"))
        return ref.graph.attempt(
            lambda: after(resource_op(ref.handle, indices, convert_to_tensor(updates, ref.dtype), name=name), True)
        )

    scatter.__name__ = scatter.__qualname__ = name
    scatter.__doc__ = (
        f"{doc}\n\nReturns the variable after the update. ref: a variable [n, …]; indices [i…]; updates [i…, …].\n\n"
        "Raises: ValueError for incompatible shapes; in the run InvalidArgumentError for an index out of range."
    )
    return scatter


scatter_update = _scatter_function(
    "scatter_update",
    "ref[indices[i…], …] = updates[i…, …]; the last of several updates of a row wins.",
    ops.scatter_update, ops.resource_scatter_update, locking=True,
)  # fmt: skip
scatter_add = _scatter_function(
    "scatter_add", "ref[indices[i…], …] += updates[i…, …]; repeated indices accumulate.",
    ops.scatter_add, ops.resource_scatter_add,
)  # fmt: skip
scatter_sub = _scatter_function(
    "scatter_sub", "ref[indices[i…], …] -= updates[i…, …].", ops.scatter_sub, ops.resource_scatter_sub
)
scatter_mul = _scatter_function(
    "scatter_mul", "ref[indices[i…], …] *= updates[i…, …].", ops.scatter_mul, ops.resource_scatter_mul
)
scatter_div = _scatter_function(
    "scatter_div", "ref[indices[i…], …] /= updates[i…, …].", ops.scatter_div, ops.resource_scatter_div
)
scatter_min = _scatter_function(
    "scatter_min", "ref[indices[i…], …] = min(ref[indices[i…], …], updates[i…, …]).",
    ops.scatter_min, ops.resource_scatter_min,
)  # fmt: skip
scatter_max = _scatter_function(
    "scatter_max", "ref[indices[i…], …] = max(ref[indices[i…], …], updates[i…, …]).",
    ops.scatter_max, ops.resource_scatter_max,
)  # fmt: skip
scatter_nd_update = _scatter_function(
    "scatter_nd_update", "ref[indices[i…, :]] = updates[i…, …]; the last axis of indices holds coordinates.",
    ops.scatter_nd_update, ops.resource_scatter_nd_update, locking=True,
)  # fmt: skip
scatter_nd_add = _scatter_function(
    "scatter_nd_add", "ref[indices[i…, :]] += updates[i…, …]; the last axis of indices holds coordinates.",
    ops.scatter_nd_add, ops.resource_scatter_nd_add,
)  # fmt: skip
scatter_nd_sub = _scatter_function(
    "scatter_nd_sub", "ref[indices[i…, :]] -= updates[i…, …]; the last axis of indices holds coordinates.",
    ops.scatter_nd_sub, ops.resource_scatter_nd_sub,
)  # fmt: skip


@atomic
def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """ref[b…, indices[b…, i], …] = updates[b…, i, …]: each example of a batch has its own row indices.

    Raises: ValueError for indices of unknown rank.
    """
    with ref.graph.name_scope(name):
        indices = convert_to_tensor(indices, name="indices")
        sizes = array.shape(indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError(error_text("batch_gather does not allow indices with unknown shape.", [indices]))
        rows = array.expand_dims(indices, axis=-1)
        parts: list[Tensor] = []
        for axis in range(rank - 1):
            # The coordinates in the batch precede the row's index.
            size = sizes[axis]  # type: ignore[index]
            batch_indices = array.reshape(sequence_ops.range_(0, size, 1), [size if i == axis else 1 for i in range(rank + 1)])
            if batch_indices.dtype.base_dtype is not rows.dtype.base_dtype:
                batch_indices = math_ops.cast(batch_indices, DstT=rows.dtype.base_dtype)
            parts.append(batch_indices * array.ones_like(rows))
        coordinates = array.concat([*parts, rows], axis=-1)
        return scatter_nd_update(ref, coordinates, updates, use_locking=use_locking)


# -- what variables offer ------------------------------------------------------------------------------------------


def _slices(delta: Any) -> IndexedSlices:
    """Raises: TypeError unless `delta` is IndexedSlices."""
    if not isinstance(delta, IndexedSlices):
        raise TypeError(error_text(f"sparse_delta is not IndexedSlices: {delta}"))
    return delta


def _method(function: Scatter, name: str) -> Any:
    """The method `v.scatter_add(slices)`."""

    def scatter(self: Any, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        delta = _slices(sparse_delta)
        return function(self._update_target(), delta.indices, delta.values, use_locking=use_locking, name=name)

    scatter.__name__, scatter.__qualname__ = name, f"Variable.{name}"
    scatter.__doc__ = f"`tf.{name}` of this variable with the values [i, …] and indices [i] of an IndexedSlices."
    return scatter


def _method_nd(function: Scatter, name: str) -> Any:
    """The method `v.scatter_nd_add(indices, updates)`."""

    def scatter(self: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
        return function(self._update_target(), indices, updates, use_locking=True, name=name)

    scatter.__name__, scatter.__qualname__ = name, f"Variable.{name}"
    scatter.__doc__ = f"`tf.{name}` of this variable."
    return scatter


class ScatterMethods:
    """Updates of parts [i, ...] of a variable [n, ...]: the methods of both kinds of variables."""

    scatter_update = _method(scatter_update, "scatter_update")
    scatter_add = _method(scatter_add, "scatter_add")
    scatter_sub = _method(scatter_sub, "scatter_sub")
    scatter_mul = _method(scatter_mul, "scatter_mul")
    scatter_div = _method(scatter_div, "scatter_div")
    scatter_min = _method(scatter_min, "scatter_min")
    scatter_max = _method(scatter_max, "scatter_max")
    scatter_nd_update = _method_nd(scatter_nd_update, "scatter_nd_update")
    scatter_nd_add = _method_nd(scatter_nd_add, "scatter_nd_add")
    scatter_nd_sub = _method_nd(scatter_nd_sub, "scatter_nd_sub")

    def _update_target(self) -> Any:
        """The argument of the public functions for this variable."""
        return self


class RefScatterMethods(ScatterMethods):
    """Updates of parts [i, ...] of a reference variable [n, ...]."""

    batch_scatter_update = _method(batch_scatter_update, "batch_scatter_update")

    _variable: Tensor

    def _update_target(self) -> Any:
        return self._variable

    def _strided_slice_assign(
        self, begin: Any, end: Any, strides: Any, value: Any, name: str | None, **masks: int
    ) -> Any:
        return ops.strided_slice_assign(self._variable, begin, end, strides, value, **masks, name=name)


class ResourceScatterMethods(ScatterMethods):
    """Reads and updates of parts [i, ...] of a resource variable [n, ...]."""

    _handle: Tensor
    _dtype: Any
    _after_update: Callable[..., Any]

    def batch_scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """`tf.batch_scatter_update` of this variable with the values and indices of an IndexedSlices."""
        delta = _slices(sparse_delta)
        return self._after_update(
            batch_scatter_update(self, delta.indices, delta.values, use_locking=use_locking, name=name), True
        )

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The rows at the indices, without a read of the others: indices [i...] -> [i..., ...]."""
        return self._gather_parts(ops.resource_gather, "Gather", indices, name)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """The slices at the coordinates in the last axis of indices."""
        return self._gather_parts(ops.resource_gather_nd, "GatherNd", indices, name)

    @atomic
    def _gather_parts(self, op_caller: Any, label: str, indices: Any, name: str | None) -> Tensor:
        with named(name, label, [self._handle]) as scope:
            rows = op_caller(self._handle, indices, dtype=self._dtype, name=scope)
        output: Tensor = basic.identity(rows)
        return output

    @atomic
    def _strided_slice_assign(
        self, begin: Any, end: Any, strides: Any, value: Any, name: str | None, **masks: int
    ) -> Any:
        tensor = convert_to_tensor(value, self._dtype)
        update = ops.resource_strided_slice_assign(self._handle, begin, end, strides, tensor, **masks, name=name)
        return self._after_update(update, True)


__all__ = [
    "batch_scatter_update", "scatter_add", "scatter_div", "scatter_max", "scatter_min", "scatter_mul", "scatter_nd",
    "scatter_nd_add", "scatter_nd_sub", "scatter_nd_update", "scatter_sub", "scatter_update", "tensor_scatter_add",
    "tensor_scatter_nd_add", "tensor_scatter_nd_sub", "tensor_scatter_nd_update", "tensor_scatter_sub", "tensor_scatter_update",
]  # fmt: skip
