"""Ops that compute with sparse tensors: SparseAdd, SparseTensorDenseMatMul, SparseReduceSum, SparseSegmentSum, SparseSoftmax, …

An absent entry counts as 0. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..backends.combined_rows import combine_rows
from ..base import dtypes, errors, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.composites import SparseTensor
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import reduced_shape
from ..op.shape_checks import (
    INDEX,
    REALS,
    Any_,
    Number,
    Real,
    as_array,
    at_least,
    invalid,
    kinds,
    of_rank,
    outside_segments,
    same,
    text_of,
    unwrapped,
    vector,
)  # fmt: skip
from .math import divided
from .sparse import (
    _strides,
    check_created,
    check_entries,
    check_inside,
    check_sizes,
    in_order,
    int64,
    known_shape,
    must_be,
)  # fmt: skip

RealPart = typevar("Treal", REALS)
SoftmaxFloat = typevar("T", kinds("half float double"))
SegmentFloat = typevar("T", kinds("bfloat16 half float double"))
SegmentReal = typevar("T", kinds("float double int32 uint8 int16 int8 int64 bfloat16 uint16 half uint32 uint64"))
Tidx = typevar("Tidx", INDEX, default=dtypes.int32)
Tsegmentids = typevar("Tsegmentids", INDEX, default=dtypes.int32)
Tnumsegments = typevar("Tnumsegments", INDEX, default=dtypes.int32)
Tindices = typevar("Tindices", INDEX)


# -- two sparse tensors --------------------------------------------------------------------------------------------


def _joined(a_indices: Any, a_values: Any, b_indices: Any, b_values: Any) -> tuple[Any, Any, Any, Any]:
    """The entries of both tensors in row-major order.

    indices [m, rank]; the first tensor's values [m] there, 0 without an entry; the second's; whether both have one [m].
    """
    both = np.concatenate([a_indices, b_indices])
    order = in_order(both)
    rows = both[order]
    new = np.ones(len(rows), bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    group = np.empty(len(rows), np.int64)
    group[order] = np.cumsum(new) - 1
    count = int(new.sum())
    first, second = np.zeros(count, a_values.dtype), np.zeros(count, a_values.dtype)
    np.add.at(first, group[: len(a_indices)], a_values)
    np.add.at(second, group[len(a_indices) :], b_values)
    counts = np.bincount(group, minlength=count)
    return rows[new], first, second, counts > 1


def _spaced(shape: Any) -> str:
    return " ".join(map(str, shape.tolist()))


def _check_operands(a_shape: Any, b_shape: Any) -> None:
    if len(a_shape) != len(b_shape):
        raise invalid(
            f"Operands do not have the same ranks; got shapes: {_spaced(a_shape)} and {_spaced(b_shape)}"
        )
    for axis, (m, n) in enumerate(zip(a_shape.tolist(), b_shape.tolist())):
        if m != n:
            raise invalid(f"Operands' shapes do not match: got {m} and {n} for dimension {axis}")


def _extreme(type: str, function: str, T: Any, doc: str) -> Any:
    def kernel(
        xp: Any, a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any
    ) -> Any:
        check_entries(a_indices, a_values, a_shape)
        check_entries(b_indices, b_values, b_shape)
        check_inside(a_indices, a_shape)
        check_inside(b_indices, b_shape)
        _check_operands(a_shape, b_shape)
        rows, first, second, _ = _joined(a_indices, a_values, b_indices, b_values)
        return rows, getattr(xp, function)(first, second)

    kernel.__name__ = type
    kernel.__doc__ = (
        f"{doc}: a_indices [n, rank], a_values [n], a_shape [rank], b alike -> output_indices [m, rank], output_values [m]."
        "\n\nRaises: InvalidArgumentError when the shapes differ."
    )
    kernel.__annotations__ = {
        "a_indices": int64, "a_values": T, "a_shape": int64, "b_indices": int64, "b_values": T, "b_shape": int64,
        "return": tuple[int64, T],  # type: ignore[valid-type]
    }  # fmt: skip
    caller = op(type, out="output_indices output_values", fresh=True)(kernel)
    caller.shape(_extreme_shape)
    return caller


def _extreme_shape(*operands: Sym) -> list[Shape]:
    for indices, values, shape in (operands[:3], operands[3:]):
        of_rank(indices.shape, 2)
        vector(values)
        vector(shape)
    return [(None, None), (None,)]


sparse_sparse_maximum = _extreme(
    "SparseSparseMaximum", "maximum", Real, "The larger value wherever either tensor has an entry"
)
sparse_sparse_maximum.grad(lambda op, *gs: _refuse_gradient(op))
sparse_sparse_minimum = _extreme(
    "SparseSparseMinimum", "minimum", Number, "The smaller value wherever either tensor has an entry"
)


sparse_sparse_minimum.grad(lambda op, *gs: _refuse_gradient(op))


def _refuse_gradient(op: Any) -> Any:
    raise NotImplementedError(f"Gradient for {op.type} is currently not implemented yet.")


@op("SparseAdd", out="sum_indices sum_values sum_shape", fresh=True)
def sparse_add(
    xp: Any,
    a_indices: int64,
    a_values: Number,
    a_shape: int64,
    b_indices: int64,
    b_values: Number,
    b_shape: int64,
    thresh: RealPart,
) -> tuple[int64, Number, int64]:
    """The sum of two sparse tensors; where both have an entry, a sum smaller than thresh is left out: a_indices [n,
    rank], a_values [n], a_shape [rank], b alike, thresh scalar -> sum_indices [m, rank], sum_values [m], sum_shape
    [rank].

    Raises: InvalidArgumentError when the shapes differ.
    """
    for what, kind, rank, a, b in (
        ("indices", "matrices", 2, a_indices, b_indices), ("values", "vectors", 1, a_values, b_values),
        ("shapes", "a vector", 1, a_shape, b_shape),
    ):  # fmt: skip
        if np.ndim(a) != rank or np.ndim(b) != rank:
            colon = "" if what == "shapes" else ":"
            raise invalid(
                f"Input {what} should be {kind} but received shapes{colon} {text_of(np.shape(a))} and {text_of(np.shape(b))}"
            )
    if len(a_values) != len(a_indices) or len(b_values) != len(b_indices):
        raise invalid(
            f"Expected {len(a_indices)} and {len(b_indices)} non-empty input values, got {len(a_values)} and {len(b_values)}"
        )
    if a_indices.shape[1] != b_indices.shape[1]:
        raise invalid(
            f"Input indices must have the same dimension, got {a_indices.shape[1]} and {b_indices.shape[1]}"
        )
    if a_indices.shape[1] != len(a_shape):
        raise invalid(
            "Second dimension of a_indices and length of a_shape must match, got "
            f"{a_indices.shape[1]} and {len(a_shape)}"
        )
    _check_operands(a_shape, b_shape)
    must_be(thresh, 0, "The magnitude threshold must be a scalar: got shape {}")
    rows, first, second, both = _joined(a_indices, a_values, b_indices, b_values)
    total = first + second
    kept = ~both | (xp.abs(total) >= thresh)
    return rows[kept], total[kept], a_shape.copy()


@sparse_add.shape
def _(
    a_indices: Sym, a_values: Sym, a_shape: Sym, b_indices: Sym, b_values: Sym, b_shape: Sym, thresh: Sym
) -> list[Shape]:
    rank = vector(a_shape)
    return [(None, rank), (None,), (rank,)]


@sparse_add.grad
def _(op: Any, *gs: Any) -> Any:
    da, db = nodes.SparseAddGrad(gs[1], op.inputs[0], op.inputs[3], op.outputs[0])
    da.set_shape(op.inputs[1].raw_shape)
    db.set_shape(op.inputs[4].raw_shape)
    return None, da, None, None, db, None, None


# -- a sparse tensor and a dense one -------------------------------------------------------------------------------


@op("SparseTensorDenseAdd", fresh=True)
def sparse_tensor_dense_add(
    xp: Any, a_indices: Tindices, a_values: Number, a_shape: "Tindices", b: Number
) -> Number:
    """The dense sum of a sparse and a dense tensor: a_indices [n, rank], a_values [n], a_shape [rank], b [d...] ->
    [d...].

    Raises: InvalidArgumentError when the shapes differ.
    """
    must_be(a_indices, 2, "Input a_indices should be a matrix but received shape: {}")
    if np.ndim(a_values) != 1 or np.ndim(a_shape) != 1:
        raise invalid(
            "Inputs a_values and a_shape should be vectors but received shapes: "
            f"{text_of(np.shape(a_values))} and {text_of(np.shape(a_shape))}"
        )
    for m, n in zip(a_indices.shape, (len(a_values), len(a_shape))):
        if m != n:
            raise invalid(f"Dimensions {m} and {n} are not compatible")
    dense = as_array(b)
    if len(a_shape) != dense.ndim:
        raise invalid(f"Two operands have different ranks; received: {len(a_shape)} and {dense.ndim}")
    for axis, (m, n) in enumerate(zip(a_shape.tolist(), dense.shape)):
        if m != n:
            raise invalid(
                f"Dimension {axis} does not equal (no broadcasting is supported): sparse side {m} vs dense side {n}"
            )
    bad = (a_indices < 0) | (a_indices >= a_shape)
    if bad.any():
        i, axis = np.argwhere(bad)[0].tolist()
        raise invalid(
            f"Sparse tensor has an invalid index on dimension {axis}: a_indices({i},{axis}) = {a_indices[i, axis]}, "
            f"dense tensor shape: {' '.join(map(str, dense.shape))}"
        )
    out = np.array(dense, copy=True)
    np.add.at(out, tuple(a_indices.T), a_values)
    return unwrapped(out)


sparse_tensor_dense_add.shape(lambda a_indices, a_values, a_shape, b: b.shape)
sparse_tensor_dense_add.grad(lambda op, g: (None, nodes.GatherNd(g, op.inputs[0]), None, g))


def _with_dense(type: str, compute: Callable[[Any, Any, Any], Any], doc: str) -> Any:
    """An op of the entries and the elements of a dense tensor at their coordinates."""

    def kernel(xp: Any, sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any) -> Any:
        must_be(sp_indices, 2, "Input sp_indices should be a matrix but received shape: {}")
        for part in (sp_values, sp_shape):
            if np.ndim(part) != 1:
                raise invalid(
                    "Inputs sp_values and sp_shape should be vectors but received shapes: "
                    f"{text_of(np.shape(sp_values))} and {text_of(np.shape(sp_shape))}"
                )
        if len(sp_indices) != len(sp_values):
            raise invalid(
                f"The first dimension of values and indices should match. ({len(sp_values)} vs. {len(sp_indices)})"
            )
        if len(sp_shape) != sp_indices.shape[1]:
            raise invalid(
                f"Number of dimensions must match second dimension of indices. Got {len(sp_shape)} dimensions, indices shape: "
                f"{text_of(sp_indices.shape)}"
            )
        check_sizes(sp_shape)
        dense_array, sizes = as_array(dense), tuple(sp_shape.tolist())
        if dense_array.ndim > len(sizes) or any(n not in (1, m) for n, m in zip(dense_array.shape[::-1], sizes[::-1])):
            raise invalid(
                "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: "
                f"{text_of(sizes)} vs. {text_of(dense_array.shape)}"
            )
        wide = np.broadcast_to(dense_array, sizes)
        if ((sp_indices < 0) | (sp_indices >= sp_shape)).any():
            raise invalid("Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape")
        return compute(xp, sp_values, wide[tuple(sp_indices.T)])

    kernel.__name__ = type
    kernel.__doc__ = (
        f"{doc}: sp_indices [n, rank], sp_values [n], sp_shape [rank], dense a shape that broadcasts to sp_shape -> [n]."
        "\n\nRaises: InvalidArgumentError when it does not."
    )
    kernel.__annotations__ = {
        "sp_indices": int64, "sp_values": Number, "sp_shape": int64, "dense": Number, "return": Number,
    }  # fmt: skip
    caller = op(type, fresh=True)(kernel)
    caller.shape(lambda sp_indices, sp_values, sp_shape, dense: (of_rank(sp_indices.shape, 2)[0],))
    return caller


def _quotient(xp: Any, values: Any, others: Any) -> Any:
    if values.dtype.kind in "iu" and not others.all():
        raise invalid("SparseDenseCwiseDiv cannot divide by zero,but input dense tensor contains zero")
    return divided(xp, values, others)


sparse_dense_cwise_add = _with_dense(
    "SparseDenseCwiseAdd", lambda xp, x, y: x + y, "The entries plus the dense elements at their coordinates"
)
sparse_dense_cwise_add.grad(lambda op, g: _refuse_gradient(op))
sparse_dense_cwise_mul = _with_dense(
    "SparseDenseCwiseMul", lambda xp, x, y: x * y, "The entries times the dense elements at their coordinates"
)
sparse_dense_cwise_mul.grad(
    lambda op, g: _of_entrywise(op, lambda values, partners: (g * partners, g * values))
)
sparse_dense_cwise_div = _with_dense(
    "SparseDenseCwiseDiv", _quotient, "The entries divided by the dense elements at their coordinates"
)


sparse_dense_cwise_div.grad(
    lambda op, g: _of_entrywise(
        op, lambda values, partners: (g / partners, g * (-values / nodes.Square(partners)))
    )
)


def _of_entrywise(op: Any, form: Any) -> Any:
    """form(values [n], the elements of y at their coordinates [n]) -> the gradients of both [n]."""
    indices, values, x_sizes, y = op.inputs
    sizes = functions.cast(functions.shape(y), dtypes.int64)
    missing_axes = nodes.ExpandDims(functions.size(x_sizes) - functions.size(sizes), 0)
    scale = x_sizes // functions.concat([functions.ones(missing_axes, dtypes.int64), sizes], 0)
    # The coordinates in y of each entry's element.
    places = nodes.Slice(indices // scale, functions.concat([[0], missing_axes], 0), [-1, -1])
    dx, dy = form(values, nodes.GatherNd(y, places))
    zeros = functions.zeros_like(y)
    entries = SparseTensor(places, dy, sizes)
    dense_dy = sparse_tensor_dense_add(entries.indices, entries.values, entries.dense_shape, zeros)
    return None, dx, None, dense_dy


@op("SparseTensorDenseMatMul", out="product", fresh=True)
def sparse_tensor_dense_mat_mul(
    xp: Any,
    a_indices: typevar("Tindices", INDEX, default=dtypes.int64),
    a_values: Any_,
    a_shape: int64,
    b: Any_,
    *,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
) -> Any_:
    """Matrix product of a sparse and a dense matrix: a_indices [nnz, 2], a_values [nnz], a_shape [2] = (m, k), b [k, n]
    -> product [m, n].

    Raises: InvalidArgumentError when the inner sizes differ.
    """
    must_be(b, 2, "Tensor 'b' is not a matrix")
    must_be(a_shape, 1, "Tensor 'a_shape' is not a vector")
    if len(a_shape) != 2:
        raise invalid("Tensor 'a_shape' must have 2 elements")
    must_be(a_values, 1, "Tensor 'a_values' is not a vector")
    must_be(a_indices, 2, "Tensor 'a_indices' is not a matrix")
    if len(a_indices) != len(a_values):
        raise invalid("Number of rows of a_indices does not match number of entries in a_values")
    if a_indices.shape[1] != 2:
        raise invalid("Number of columns of a_indices does not match number of entries in a_shape")
    rows, columns = (1, 0) if adjoint_a else (0, 1)
    m, k = int(a_shape[rows]), int(a_shape[columns])
    inner = b.shape[1 if adjoint_b else 0]
    if k != inner:
        raise invalid(
            f"Cannot multiply A and B because inner dimension does not match: {k} vs. {inner}.  Did you forget a transpose?  "
            f"Dimensions of A: [{m}, {k}).  Dimensions of B: {text_of(b.shape)}"
        )
    at, of = a_indices[:, rows], a_indices[:, columns]
    bad_k, bad_m = (of < 0) | (of >= k), (at < 0) | (at >= m)
    bad = bad_k | bad_m
    if bad.any():
        i = int(np.argmax(bad))
        letter, value, column, limit = ("k", of[i], columns, k) if bad_k[i] else ("m", at[i], rows, m)
        raise invalid(f"{letter} ({value}) from index[{i},{column}] out of bounds (>={limit})")
    dense = b.conj().T if adjoint_b else b
    values = a_values.conj() if adjoint_a else a_values
    out = np.zeros((m, dense.shape[1]), a_values.dtype)
    combine_rows(np.add, out, at, values[:, None] * dense[of])
    return out


@sparse_tensor_dense_mat_mul.shape
def _(a_indices: Sym, a_values: Sym, a_shape: Sym, b: Sym, *, adjoint_a: bool, adjoint_b: bool) -> Shape:
    of_rank(a_indices.shape, 2)
    vector(a_values)
    m, k = of_rank(known_shape(a_shape), 2)
    inner, n = of_rank(b.shape, 2)
    if adjoint_a:
        m, k = k, m
    if adjoint_b:
        inner, n = n, inner
    same(k, inner)
    return (m, n)


@sparse_tensor_dense_mat_mul.grad
def _(op: Any, g: Any) -> Any:
    indices, values, sizes, b = op.inputs
    adjoint_a, adjoint_b = op.attrs["adjoint_a"], op.attrs["adjoint_b"]
    if values.dtype.is_complex:
        raise NotImplementedError("SparseTensorDenseMatMul op does not support complex gradients.")
    db = sparse_tensor_dense_mat_mul(indices, values, sizes, g, adjoint_a=not adjoint_a)
    if adjoint_b:
        db = functions.transpose(db)
    rows, columns = indices[:, 0], indices[:, 1]
    left = nodes.GatherV2(g, columns if adjoint_a else rows, 0)
    right = nodes.GatherV2(functions.transpose(b) if adjoint_b else b, rows if adjoint_a else columns, 0)
    return None, nodes.Sum(left * right, 1), None, db


# -- reductions ----------------------------------------------------------------------------------------------------


def _reduced(
    indices: Any, values: Any, shape: Any, axes: Any, keep: bool, ufunc: Any
) -> tuple[Any, Any, tuple[int, ...]]:
    """A reduction of the entries: (indices of the result's entries, their values, the result's shape)."""
    must_be(shape, 1, "Expected input_shape to be a vector; got shape: {}")
    if np.ndim(axes) > 1:
        raise invalid(f"Expected reduction_axes to be a scalar or a vector; got shape: {text_of(np.shape(axes))}")
    rank = len(shape)
    reduced = set()
    for axis in np.ravel(axes).tolist():
        if not -rank <= axis < rank:
            raise invalid(f"Invalid reduction dimension {axis}, for input with {rank} dimensions.")
        reduced.add(axis % rank)
    check_created(indices, values, shape)
    kept = [axis for axis in range(rank) if axis not in reduced]
    places = indices[:, kept]
    sizes = shape[kept]
    groups, member = np.unique(places, axis=0, return_inverse=True)
    member = member.reshape(-1)
    order = np.argsort(member, kind="stable")
    starts = np.searchsorted(member[order], np.arange(len(groups)))
    out = ufunc.reduceat(values[order], starts) if len(groups) else values[:0]
    out = out.astype(values.dtype, copy=False)
    if not keep:
        return groups, out, tuple(sizes.tolist())
    wide = np.zeros((len(groups), rank), np.int64)
    wide[:, kept] = groups
    return wide, out, tuple(int(n) if axis in kept else 1 for axis, n in enumerate(shape))


def _reduction(type: str, ufunc: Any, T: Any, doc: str) -> Any:
    def kernel(
        xp: Any, input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, *, keep_dims: bool = False
    ) -> Any:
        places, values, sizes = _reduced(
            input_indices, input_values, input_shape, reduction_axes, keep_dims, ufunc
        )
        out = np.zeros(sizes, input_values.dtype)
        for place in places[((places < 0) | (places >= np.array(sizes, np.int64))).any(axis=1)].tolist():
            at, size = int(np.dot(place, _strides(sizes))), int(np.prod(sizes))
            raise errors.InternalError(
                None, None, f"Obtained a write index of {at} which is outside of bounds of [0, {size})"
            )
        out[tuple(places.T)] = values if sizes else (values[0] if len(values) else 0)
        return unwrapped(out)

    def rule(
        input_indices: Sym, input_values: Sym, input_shape: Sym, reduction_axes: Sym, *, keep_dims: bool
    ) -> Shape:
        # TF does not check the rank of these sizes.
        if input_shape.shape is not None and len(input_shape.shape) != 1:
            return None
        known, axes = input_shape.value, reduction_axes.value
        sizes = None if known is None else tuple(known.tolist())
        if sizes == ():
            raise ShapeMismatch("Number of dims in shape tensor must not be 0")
        if sizes is None or axes is None or min(sizes) < 0:
            return None
        rank = len(sizes)
        reduced = {axis % rank for axis in np.ravel(axes).tolist() if -rank <= axis < rank}
        return tuple(1 if i in reduced else n for i, n in enumerate(sizes) if keep_dims or i not in reduced)

    kernel.__name__, kernel.__doc__ = type, f"{doc}: {_REDUCTION_IN_WORDS} -> a dense tensor of the remaining shape."
    kernel.__annotations__ = _reduction_notes(T, T)
    return op(type, shape=rule, fresh=True)(kernel)


def _sparse_reduction(type: str, ufunc: Any, T: Any, doc: str) -> Any:
    def kernel(
        xp: Any, input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, *, keep_dims: bool = False
    ) -> Any:
        places, values, sizes = _reduced(
            input_indices, input_values, input_shape, reduction_axes, keep_dims, ufunc
        )
        return places, values, np.array(sizes, np.int64)

    kernel.__name__ = type
    kernel.__doc__ = f"{doc}: {_REDUCTION_IN_WORDS} -> output_indices [m, r], output_values [m], output_shape [r]."
    kernel.__annotations__ = _reduction_notes(T, tuple[int64, T, int64])  # type: ignore[valid-type]
    caller = op(type, out="output_indices output_values output_shape", fresh=True)(kernel)
    caller.shape(lambda *_, keep_dims: [None, None, None])
    return caller


_REDUCTION_IN_WORDS = "input_indices [n, rank], input_values [n], input_shape [rank], reduction_axes scalar or [k]"


def _reduction_notes(T: Any, returns: Any) -> dict[str, Any]:
    return {
        "input_indices": int64, "input_values": T, "input_shape": int64, "reduction_axes": dtypes.int32,
        "keep_dims": bool, "return": returns,
    }  # fmt: skip


sparse_reduce_sum = _reduction("SparseReduceSum", np.add, Number, "The sums along axes, dense")


@sparse_reduce_sum.grad
def _(op: Any, g: Any) -> Any:
    indices, _, sizes, axes = op.inputs
    kept = reduced_shape(sizes, axes)
    g = nodes.Reshape(g, kept)
    scale = sizes // functions.cast(kept, dtypes.int64)
    return None, nodes.GatherNd(g, indices // scale), None, None
sparse_reduce_max = _reduction("SparseReduceMax", np.maximum, Real, "The largest entries along axes, dense")
sparse_reduce_sum_sparse = _sparse_reduction("SparseReduceSumSparse", np.add, Number, "The sums along axes, sparse")
sparse_reduce_max_sparse = _sparse_reduction(
    "SparseReduceMaxSparse", np.maximum, Real, "The largest entries along axes, sparse"
)


@op("SparseSoftmax", fresh=True)
def sparse_softmax(xp: Any, sp_indices: int64, sp_values: SoftmaxFloat, sp_shape: int64) -> SoftmaxFloat:
    """The softmax of the entries of each row along the last axis; absent entries have no share: sp_indices [n, rank],
    sp_values [n], sp_shape [rank] -> [n].
    """
    must_be(sp_indices, 2, "Input sp_indices should be a matrix but received shape: {}")
    if np.ndim(sp_values) != 1 or np.ndim(sp_shape) != 1:
        raise invalid(
            f"Inputs sp_values and sp_shape should be vectors but received shapes: {text_of(np.shape(sp_values))} and "
            f"{text_of(np.shape(sp_shape))}"
        )
    if len(sp_shape) < 2:
        raise invalid(
            f"Input should have rank >= 2, but received shape: {','.join(map(str, sp_shape.tolist()))}"
        )
    check_created(sp_indices, sp_values, sp_shape)
    if not len(sp_values):
        return sp_values.copy()
    groups, member = np.unique(sp_indices[:, :-1], axis=0, return_inverse=True)
    member = member.reshape(-1)
    top = np.full(len(groups), -np.inf, sp_values.dtype)
    np.maximum.at(top, member, sp_values)
    shares = xp.exp(sp_values - top[member])
    total = np.zeros(len(groups), sp_values.dtype)
    np.add.at(total, member, shares)
    return shares / total[member]


@sparse_softmax.shape
def _(sp_indices: Sym, sp_values: Sym, sp_shape: Sym) -> Shape:
    of_rank(sp_indices.shape, 2)
    vector(sp_shape)
    return (vector(sp_values),)


@sparse_softmax.grad
def _(op: Any, g: Any) -> Any:
    indices, _, sizes = op.inputs
    y = op.outputs[0]
    product = SparseTensor(indices, y * g, sizes)
    sums = -sparse_reduce_sum(product.indices, product.values, product.dense_shape, [-1], keep_dims=True)
    return None, sparse_dense_cwise_add(indices, g, sizes, sums) * y, None


# -- segments of picked rows ---------------------------------------------------------------------------------------


def _picked_segments(data: Any, indices: Any, segment_ids: Any, count: int | None, power: float) -> Any:
    """The sums of the rows data[indices] by segment, divided by (the segment's size)^power."""
    wanted = must_be(indices, 1, "indices should be a vector.")
    ids = must_be(segment_ids, 1, "segment_ids should be a vector.")
    if len(wanted) != len(ids):
        raise invalid("segment_ids and indices should have same size.")
    if not np.ndim(data):
        raise invalid("Shape must be at least rank 1")
    last = int(ids[-1]) if len(ids) else -1
    if count is not None and len(ids) and count <= last:
        raise invalid("segment ids must be < num_segments" if count >= 0 else "segment ids must be >= 0")
    if count is None and len(ids) and last < 0:
        raise invalid("segment ids must be >= 0")
    rows = last + 1 if count is None else count
    if len(ids) and ids[0] < 0:
        raise outside_segments(ids[0], rows)
    if (np.diff(ids) < 0).any():
        raise invalid("segment ids are not increasing")
    bad = (wanted < 0) | (wanted >= len(data))
    if bad.any():
        at = int(np.argmax(bad))
        raise invalid(f"Bad: indices[{at}] == {wanted[at]} out of range [0, {len(data)})")
    narrow = data.dtype == dtypes.bfloat16.numpy
    values = dtypes.bfloat16_values(data) if narrow else data
    kind = np.dtype(np.float32) if values.dtype == np.float16 else values.dtype
    out = np.zeros((rows, *data.shape[1:]), kind)
    combine_rows(np.add, out, ids, values[wanted])
    if power:
        sizes = np.maximum(np.bincount(ids, minlength=rows), 1).astype(kind) ** kind.type(power) if rows else np.ones(0, kind)
        out /= sizes.reshape(-1, *[1] * (out.ndim - 1))
    return dtypes.bfloat16_bits(out) if narrow else out.astype(values.dtype, copy=False)


def _segments_shape(data: Sym, indices: Sym, segment_ids: Sym, count: int | None) -> Shape:
    data_shape = at_least(data.shape, 1)
    picks = (vector(indices),)
    shapes.merge(picks, (vector(segment_ids),))
    return None if data_shape is None else (count, *data_shape[1:])


def _segments(type: str, power: float, T: Any, doc: str) -> tuple[Any, Any]:
    """The op, and the one with an input for the number of segments; doc: their meaning, no full stop."""

    def kernel(xp: Any, data: Any, indices: Any, segment_ids: Any) -> Any:
        return _picked_segments(data, indices, segment_ids, None, power)

    def sized(xp: Any, data: Any, indices: Any, segment_ids: Any, num_segments: Any) -> Any:
        count = int(must_be(num_segments, 0, "num_segments should be a scalar, not shape {}"))
        return _picked_segments(data, indices, segment_ids, count, power)

    def sized_rule(data: Sym, indices: Sym, segment_ids: Sym, num_segments: Sym) -> Shape:
        known = _segments_shape(data, indices, segment_ids, None)
        of_rank(num_segments.shape, 0)
        count = num_segments.value
        if count is not None and count < 0:
            raise ShapeMismatch("Cannot specify a negative value for num_segments")
        return None if known is None else (None if count is None else int(count), *known[1:])

    notes = {"data": T, "indices": Tidx, "segment_ids": Tsegmentids}
    shapes_in_words = "data [rows, ...], indices [n], segment_ids [n]"
    errors_in_words = "Raises: InvalidArgumentError for an index outside the rows, and for ids that fall or are negative."
    kernel.__name__ = type
    kernel.__doc__ = f"{doc}: {shapes_in_words} -> [last id + 1, ...].\n\n{errors_in_words}"
    kernel.__annotations__ = {**notes, "return": T}
    sized.__name__ = f"{type}WithNumSegments"
    sized.__doc__ = f"{doc}: {shapes_in_words}, num_segments scalar -> [num_segments, ...].\n\n{errors_in_words}"
    sized.__annotations__ = {**notes, "num_segments": Tnumsegments, "return": T}
    plain = op(type, shape=lambda *symbols: _segments_shape(*symbols, None), fresh=True)(kernel)
    return plain, op(f"{type}WithNumSegments", shape=sized_rule, fresh=True)(sized)


sparse_segment_sum, sparse_segment_sum_with_num_segments = _segments(
    "SparseSegmentSum", 0, SegmentReal, "The sum of each segment's rows data[indices]"
)
sparse_segment_mean, sparse_segment_mean_with_num_segments = _segments(
    "SparseSegmentMean", 1, SegmentFloat, "The mean of each segment's rows data[indices]"
)
sparse_segment_sqrt_n, sparse_segment_sqrt_n_with_num_segments = _segments(
    "SparseSegmentSqrtN", 0.5, SegmentFloat,
    "The sum of each segment's rows data[indices], divided by the square root of their number",
)  # fmt: skip


def _of_segments(op: Any, g: Any, form: Any) -> Any:
    """form(g, indices, segment ids, number of rows of the data) -> the gradient of the data; the other inputs have none."""
    data, indices, ids = op.inputs[:3]
    rows = functions.shape(data)[0]
    return form(g, indices, ids, rows), *[None] * (len(op.inputs) - 1)


def _rows_of_sums(g: Any, indices: Any, ids: Any, rows: Any) -> Any:
    return nodes.UnsortedSegmentSum(nodes.GatherV2(g, ids, 0), indices, rows)


for _sum in (sparse_segment_sum, sparse_segment_sum_with_num_segments):
    _sum.grad(lambda op, g: _of_segments(op, g, _rows_of_sums))
for _mean in (sparse_segment_mean, sparse_segment_mean_with_num_segments):
    _mean.grad(lambda op, g: _of_segments(op, g, nodes.SparseSegmentMeanGrad))
for _sqrt_n in (sparse_segment_sqrt_n, sparse_segment_sqrt_n_with_num_segments):
    _sqrt_n.grad(lambda op, g: _of_segments(op, g, nodes.SparseSegmentSqrtNGrad))
