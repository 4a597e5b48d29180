"""Ops that write at indices: into a variable (ScatterAdd, ResourceScatterNdUpdate, StridedSliceAssign), a copy, or zeros.

Each op changes a copy, which replaces the old value, or a large variable's own array if nobody else refers to it: values read
earlier do not change (runtime/store.py).
Several updates of one element are applied in their order. No state.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..backends.combined_rows import combine_rows
from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Ref, Sym, op, typevar
from ..op.gradient_rules import WRITES, of_places, rows_of
from ..op.shape_checks import (
    INDEX,
    NUMBERS,
    WIDE_INDEX,
    Any_,
    Number,
    as_array,
    at_least,
    invalid,
    kinds,
    sizes_of,
    text_of,
    unwrapped,
    vector,
)  # fmt: skip
from . import slicing
from .gather import gather_nd, gather_nd_shape, gather_v2
from .math import divided
from .state import handle_of, value_of

TINDICES = typevar("Tindices", INDEX)
EXTREME = typevar("T", kinds("half bfloat16 float double int32 int64"))
HELD = typevar("dtype", NUMBERS)
HELD_ANY = typevar("dtype")
ADDED = typevar("T", (*NUMBERS, dtypes.bool))


# -- writing into an array -----------------------------------------------------------------------------------------


Writer = Callable[[Any], None]


def _divide(out: Any, places: Any, rows: Any) -> None:
    if out.dtype.kind not in "iu":
        np.divide.at(out, places, rows)
        return
    # Integers are rounded towards 0, which no ufunc does.
    rows = np.broadcast_to(rows, out[places].shape)
    for at, row in zip(zip(*places), rows):
        out[at] = divided(np, out[at], row)


def _put(out: Any, places: Any, rows: Any) -> None:
    # Of several rows for one index NumPy keeps the last.
    out[places] = rows


def _combine(ufunc: Any, out: Any, places: Any, rows: Any) -> None:
    if not places or not rows.ndim or not out.flags.c_contiguous:
        ufunc.at(out, places, rows)
        return
    sizes, rest = out.shape[: len(places)], out.shape[len(places) :]
    at = places[0] if len(places) == 1 else np.ravel_multi_index(places, sizes)
    combine_rows(ufunc, out.reshape(math.prod(sizes), *rest), at, rows)


_WRITERS: dict[str, Callable[[Any, Any, Any], None]] = {
    "update": _put, "add": functools.partial(_combine, np.add), "sub": functools.partial(_combine, np.subtract),
    "mul": functools.partial(_combine, np.multiply), "div": _divide, "min": np.minimum.at, "max": np.maximum.at,
}  # fmt: skip


def _writer(places: Any, rows: Any, how: str) -> Writer:
    """What writes `rows` at `places` into an array that it gets."""
    put = _WRITERS[how]

    def write(out: Any) -> None:
        table = out if out.ndim else out.reshape(1)  # a scalar variable counts as one row
        if how != "update" and out.dtype == dtypes.bfloat16.numpy:
            wide = dtypes.bfloat16_values(table)
            put(wide, places, dtypes.bfloat16_values(rows))
            table[...] = dtypes.bfloat16_bits(wide)
        else:
            put(table, places, rows)

    return write


def _written(old: Any, write: Writer) -> Any:
    """What `write` makes of a copy of the array."""
    out = as_array(old).copy()
    write(out)
    return unwrapped(out)


_LARGE = 1 << 14  # elements: to copy so many takes longer than to find out whether anybody refers to them


def _write(buffer: Any, write: Writer) -> None:
    """Writes into a variable: into its array, where that is large and nobody else refers to it, else into a copy."""
    if np.size(buffer.value) > _LARGE and buffer.changed([buffer], lambda arrays: write(arrays[0])):
        return
    buffer.value = _written(buffer.value, write)


def _rows_writer(old: Any, indices: Any, updates: Any, how: str) -> Writer:
    """What writes updates [i..., ...], or a scalar, to the rows at indices [i...] of an array like `old` [n, ...]."""
    params, wanted, rows = as_array(old), as_array(indices), as_array(updates)
    if rows.ndim and rows.shape != wanted.shape + params.shape[1:]:
        raise invalid(
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got updates.shape "
            f"{text_of(rows.shape)}, indices.shape {text_of(wanted.shape)}, params.shape {text_of(params.shape)}"
        )
    # A scalar variable counts as one row.
    length, *rest = params.shape or (1,)
    bad = (wanted < 0) | (wanted >= length)
    if bad.any():
        place = tuple(np.argwhere(bad)[0].tolist())
        where = f"indices{text_of(place) if place else ''}"
        raise invalid(f"{where} = {wanted[place]} is not in [0, {length})")
    if rows.ndim:
        rows = rows.reshape(wanted.size, *rest)
    return _writer((wanted.ravel(),), rows, how)


def _range_text(first: int, last: int, name: str, shape: Iterable[int]) -> str:
    return f"[{first},{last}) of {name}[shape={text_of(shape)}]"


def _unequal_first(wanted: Any, rows: Any) -> str | None:
    """TF's text when the first sizes differ, which TF compares even if the indices are a single vector; None if they agree."""
    if rows.shape[0] == wanted.shape[0]:
        return None
    return (
        f"Dimensions {_range_text(0, 1, 'indices', wanted.shape)} = {wanted.shape[0]} must match dimensions "
        f"{_range_text(0, 1, 'updates', rows.shape)} = {rows.shape[0]}"
    )


def _unequal_ranges(batch: int, depth: int, params: Any, wanted: Any, rows: Any, begin: int) -> str | None:
    """Most ops' text for sizes that do not match; None if they do. begin: the first axis of the updates in the text."""
    if rows.shape[:batch] != wanted.shape[:-1]:
        return (
            f"Dimensions {_range_text(0, batch, 'indices', wanted.shape)} must match dimensions "
            f"{_range_text(0, batch, 'updates', rows.shape)}"
        )
    if rows.shape[batch:] != params.shape[depth:] or depth > params.ndim:
        return (
            f"Dimensions {_range_text(depth, params.ndim, 'input', params.shape)} must match dimensions "
            f"{_range_text(begin, rows.ndim, 'updates', rows.shape)}"
        )
    return None


def _unequal_parts(batch: int, depth: int, params: Any, wanted: Any, rows: Any) -> str | None:
    """The text of ops on variables, which names the depth of the indices where it means that of the batch."""
    return _unequal_first(wanted, rows) or _unequal_ranges(batch, depth, params, wanted, rows, depth)


def _unequal_zeros(batch: int, depth: int, params: Any, wanted: Any, rows: Any) -> str | None:
    """The text of ScatterNd."""
    return _unequal_ranges(batch, depth, params, wanted, rows, batch)


def _unequal_copies(batch: int, depth: int, params: Any, wanted: Any, rows: Any) -> str | None:
    """The text of TensorScatterUpdate."""
    if rows.shape[:batch] != wanted.shape[:-1]:
        return (
            f"Outer dimensions of indices and update must match. Indices shape: {text_of(wanted.shape)}, updates shape:"
            f"{text_of(rows.shape)}"
        )
    if rows.ndim - batch != params.ndim - depth:
        return (
            "Inner dimensions of output shape must match inner dimensions of updates shape. Output: "
            f"{text_of(params.shape)} updates: {text_of(rows.shape)}"
        )
    inner = params.ndim - depth
    if rows.shape[batch:] != params.shape[depth:]:
        return (
            f"The inner {inner} dimensions of output.shape={text_of(params.shape)} must match the inner {inner} dimensions of "
            f"updates.shape={text_of(rows.shape)}"
        )
    return None


def _nd_writer(
    old: Any, indices: Any, updates: Any, how: str, unequal: Callable[..., str | None] = _unequal_parts
) -> Writer:
    """What writes updates [i..., d[k:]...] at the coordinates indices [i..., k] of an array like `old` [d...]."""
    params, wanted, rows = as_array(old), as_array(indices), as_array(updates)
    for array, text in (
        (wanted, "Indices shape must have rank at least one. Found:{}"),
        (rows, "Updates shape must have rank at least one. Found:{}"),
        (params, "Output must be at least 1-D, got shape: {}"),
    ):
        if not array.ndim and (array is not params or unequal is not _unequal_copies):
            raise invalid(text.format(text_of(array.shape)))
    if (wanted.size or rows.size) and not (params.size and wanted.size and rows.size):
        if unequal is _unequal_parts or (unequal is _unequal_zeros and not params.size):
            where = f".  indices shape: {text_of(wanted.shape)}"
        else:
            where = " shape"
        raise invalid(f"Indices and updates specified for empty output{where}")
    depth, batch = wanted.shape[-1], wanted.ndim - 1
    text = unequal(batch, depth, params, wanted, rows) or _unequal_first(wanted, rows)
    if text is not None:
        raise invalid(text)
    flat = wanted.reshape(-1, depth)
    sizes = np.array(params.shape[:depth], np.int64)
    bad = ((wanted < 0) | (wanted >= sizes)).any(axis=-1)
    if bad.any():
        place = tuple(np.argwhere(bad)[0].tolist())
        at = text_of(wanted[place].tolist()).replace(",", ", ")
        where = f"indices{text_of(place) if place else ''}"
        raise invalid(f"{where} = {at} does not index into shape {text_of(params.shape)}")
    return _writer(tuple(flat.T), rows.reshape(flat.shape[0], *params.shape[depth:]), how)


def _nd_written(old: Any, indices: Any, updates: Any, how: str, unequal: Callable[..., str | None]) -> Any:
    """A copy of the array [d...] with updates [i..., d[k:]...] written at the coordinates indices [i..., k]."""
    return _written(old, _nd_writer(old, indices, updates, how, unequal))


# -- shapes --------------------------------------------------------------------------------------------------------


def _check_rows(params: Shape, indices: Sym, updates: Sym) -> None:
    """Raises: ShapeMismatch unless the updates are a scalar or have the shape of the rows at the indices."""
    if updates.shape == () or params is None or indices.shape is None:
        return
    shapes.merge(updates.shape, (*indices.shape, *params[1:]))


def _check_copy(params: Shape, indices: Sym, updates: Sym) -> None:
    """`_check_nd`, except that scalar updates are refused only at run."""
    at_least(params, 1)
    at_least(indices.shape, 1)
    if updates.shape != ():
        _check_nd(params, indices, updates)


def _check_nd(params: Shape, indices: Sym, updates: Sym) -> None:
    """Raises: ShapeMismatch unless the updates begin with the sizes of the indices and end with those of the params."""
    wanted, rows = at_least(indices.shape, 1), at_least(updates.shape, 1)
    if params is None or wanted is None or rows is None:
        return
    if shapes.num_elements(params) == 0 and (shapes.num_elements(wanted) or shapes.num_elements(rows)):
        raise ShapeMismatch("Indices and updates specified for empty output shape")
    batch, depth = len(wanted) - 1, wanted[-1]
    _must_match((0, batch, "indices", wanted), (0, batch, "updates", rows))
    if depth is not None:
        _must_match((depth, len(params), "input", params), (batch, len(rows), "updates", rows))


def _must_match(one: tuple[int, int, str, Any], other: tuple[int, int, str, Any]) -> None:
    parts = [shape[min(first, len(shape)) : last] for first, last, _, shape in (one, other)]
    try:
        shapes.merge(*parts)
    except ShapeMismatch as mismatch:
        (a, b, name, shape), (c, d, name_2, shape_2) = one, other
        raise ShapeMismatch(
            f"Dimensions [{a},{b}) of {name}[shape={shapes.fmt(shape)}] = {shapes.fmt(parts[0])} must match dimensions "
            f"[{c},{d}) of {name_2}[shape={shapes.fmt(shape_2)}] = {shapes.fmt(parts[1])}: {mismatch}"
        ) from None


def _checked_shape(check: Callable[[Shape, Sym, Sym], None]) -> Callable[..., Shape]:
    def rule(ref: Sym, indices: Sym, updates: Sym, **_: Any) -> Shape:
        check(ref.shape, indices, updates)
        return ref.shape

    return rule


def _checked_handle(check: Callable[[Shape, Sym, Sym], None]) -> Callable[..., list[Shape]]:
    def rule(resource: Sym, indices: Sym, updates: Sym, **_: Any) -> list[Shape]:
        handle_dtype, shape = handle_of(resource)
        if handle_dtype is not None and handle_dtype is not updates.dtype.base_dtype:
            raise ShapeMismatch(
                "Trying to write to variable with wrong dtype. "
                f"Expected {handle_dtype.name} got {updates.dtype.base_dtype.name}"
            )
        check(shape, indices, updates)
        return []

    return rule


# -- into variables ------------------------------------------------------------------------------------------------


_ROWS_IN_WORDS = "indices [i...] of rows of the variable [n, ...], updates [i..., ...] or scalar"
_PARTS_IN_WORDS = "indices [i..., k], coordinates in the variable [d...], updates [i..., d[k:]...]"
_RAISES_IN_WORDS = "\n\nRaises: InvalidArgumentError for an index outside the variable."


def _reference(type: str, how: str, T: Any, doc: str, locking: bool = False, **options: Any) -> Any:
    """An op that writes rows of a reference variable, or parts of it at coordinates; doc: its meaning, no full stop."""
    nd = "Nd" in type

    def kernel(run: Any, ref: Any, indices: Any, updates: Any, *, use_locking: bool = locking) -> Any:
        with ref.lock:
            if not nd and not np.ndim(ref.value):
                raise invalid(f"params must be at least 1-D, got shape {text_of(np.shape(ref.value))}")
            _write(ref, (_nd_writer if nd else _rows_writer)(ref.value, indices, updates, how))
        return ref

    kernel.__name__ = type
    kernel.__doc__ = f"{doc}: {_PARTS_IN_WORDS if nd else _ROWS_IN_WORDS} -> the variable.{_RAISES_IN_WORDS}"
    kernel.__annotations__ = {
        "ref": Ref[T], "indices": TINDICES, "updates": T, "use_locking": bool, "return": Ref[T],
    }  # fmt: skip
    rule = _checked_shape(_check_nd if nd else _check_rows)
    return op(type, out="output_ref", aliases="ref", shape=rule, access={"ref": "update"}, **options)(kernel)


def _resource(type: str, how: str, T: Any, doc: str) -> Any:
    """An op that writes rows of a resource variable; doc: its meaning, no full stop."""

    def kernel(run: Any, resource: Any, indices: Any, updates: Any) -> Any:
        with resource.buffer.lock:
            _write(resource.buffer, _rows_writer(value_of(run, resource), indices, updates, how))
        return ()

    kernel.__name__, kernel.__doc__ = type, f"{doc}: handle scalar, {_ROWS_IN_WORDS}.{_RAISES_IN_WORDS}"
    kernel.__annotations__ = {"resource": dtypes.resource, "indices": TINDICES, "updates": T, "return": None}
    return op(type, shape=_checked_handle(_check_rows), stateful=True, access={"resource": "update"})(kernel)


def _resource_nd(type: str, how: str, doc: str) -> Any:
    """An op that writes parts of a resource variable at coordinates; doc: its meaning, no full stop."""

    def kernel(run: Any, ref: Any, indices: Any, updates: Any, *, use_locking: bool = True) -> Any:
        with ref.buffer.lock:
            _write(ref.buffer, _nd_writer(value_of(run, ref), indices, updates, how))
        return ()

    kernel.__name__, kernel.__doc__ = type, f"{doc}: handle scalar, {_PARTS_IN_WORDS}.{_RAISES_IN_WORDS}"
    kernel.__annotations__ = {
        "ref": dtypes.resource, "indices": TINDICES, "updates": Any_, "use_locking": bool, "return": None,
    }  # fmt: skip
    return op(type, shape=_checked_handle(_check_nd), stateful=True, access={"ref": "update"})(kernel)


scatter_update = _reference("ScatterUpdate", "update", Any_, "Replaces rows", locking=True)
scatter_add = _reference(
    "ScatterAdd", "add", Number, "Adds to rows", not_differentiable=WRITES
)
scatter_sub = _reference(
    "ScatterSub", "sub", Number, "Subtracts from rows", not_differentiable=WRITES
)
scatter_mul = _reference(
    "ScatterMul", "mul", Number, "Multiplies rows", not_differentiable=WRITES
)
scatter_div = _reference(
    "ScatterDiv", "div", Number, "Divides rows", not_differentiable=WRITES
)
scatter_min = _reference("ScatterMin", "min", EXTREME, "Takes the minimum of rows and updates")
scatter_max = _reference("ScatterMax", "max", EXTREME, "Takes the maximum of rows and updates")
scatter_nd_update = _reference(
    "ScatterNdUpdate", "update", Any_, "Replaces parts", locking=True,
    not_differentiable=WRITES,
)
scatter_nd_add = _reference(
    "ScatterNdAdd", "add", Number, "Adds to parts", not_differentiable=WRITES
)
scatter_nd_sub = _reference(
    "ScatterNdSub", "sub", Number, "Subtracts from parts", not_differentiable=WRITES
)

resource_scatter_update = _resource(
    "ResourceScatterUpdate", "update", HELD_ANY, "Replaces rows"
)
resource_scatter_add = _resource("ResourceScatterAdd", "add", HELD, "Adds to rows")
resource_scatter_sub = _resource("ResourceScatterSub", "sub", HELD, "Subtracts from rows")
resource_scatter_mul = _resource("ResourceScatterMul", "mul", HELD, "Multiplies rows")
resource_scatter_div = _resource("ResourceScatterDiv", "div", HELD, "Divides rows")
resource_scatter_min = _resource("ResourceScatterMin", "min", HELD, "Takes the minimum of rows and updates")
resource_scatter_max = _resource("ResourceScatterMax", "max", HELD, "Takes the maximum of rows and updates")
resource_scatter_nd_update = _resource_nd(
    "ResourceScatterNdUpdate", "update", "Replaces parts"
)
resource_scatter_nd_add = _resource_nd(
    "ResourceScatterNdAdd", "add", "Adds to parts"
)
resource_scatter_nd_sub = _resource_nd(
    "ResourceScatterNdSub", "sub", "Subtracts from parts"
)


# -- reading rows of a resource ------------------------------------------------------------------------------------


@op("ResourceGather", stateful=True, access={"resource": "read"})
def resource_gather(
    run: Any,
    resource: dtypes.resource,
    indices: TINDICES,
    *,
    batch_dims: int = 0,
    validate_indices: bool = True,
    dtype: typevar("dtype"),
) -> "dtype":  # noqa: F821
    """The rows of the variable at the indices, when this node runs: handle scalar, variable [n, ...], indices [i...] ->
    [i..., ...].

    Raises: InvalidArgumentError for an index outside [0, n).
    """
    params = as_array(value_of(run, resource))
    return gather_v2.definition.kernel(np, params, as_array(indices), np.int32(batch_dims), batch_dims=batch_dims)


@resource_gather.shape
def _(resource: Sym, indices: Sym, *, batch_dims: int, validate_indices: bool, dtype: Any) -> Shape:
    if batch_dims < 0:
        raise ShapeMismatch(f"batch_dims is negative ({batch_dims})")
    params = at_least(handle_of(resource)[1], batch_dims + 1)
    if params is None or indices.shape is None:
        return None
    return (*params[:batch_dims], *indices.shape[batch_dims:], *params[batch_dims + 1 :])


@resource_gather.grad
def _(op: Any, g: Any) -> Any:
    handle, indices = op.inputs
    return rows_of(functions.variable_shape(handle), indices, g), None


@op("ResourceGatherNd", stateful=True, access={"resource": "read"})
def resource_gather_nd(
    run: Any, resource: dtypes.resource, indices: TINDICES, *, dtype: typevar("dtype")
) -> "dtype":  # noqa: F821
    """The slices of the variable at coordinates, when this node runs: handle scalar, variable [d...], indices [i..., k]
    -> [i..., d[k:]...].

    Raises: InvalidArgumentError for coordinates outside it.
    """
    return gather_nd.definition.kernel(np, as_array(value_of(run, resource)), as_array(indices))


@resource_gather_nd.shape
def _(resource: Sym, indices: Sym, *, dtype: Any) -> Shape:
    return gather_nd_shape(handle_of(resource)[1], indices)


@resource_gather_nd.grad
def _(op: Any, g: Any) -> Any:
    handle, indices = op.inputs
    return of_places(nodes.VariableShape(handle, out_type=indices.dtype), indices, g), None


# -- a slice of a variable -----------------------------------------------------------------------------------------


def _slice_written(old: Any, limits: slicing.Limits, masks: slicing.Masks, value: Any) -> Any:
    """A copy of the variable's value with `value` in a slice of it."""
    out, update = as_array(old).copy(), as_array(value)
    index, part = slicing.cut(out, limits, masks)
    try:
        np.broadcast_to(update, np.shape(part))
    except ValueError:
        raise invalid(
            f"Cannot broadcast input shape {text_of(update.shape)} into final shape {text_of(np.shape(part))}"
        ) from None
    out[index] = update
    return unwrapped(out)


@op("StridedSliceAssign", out="output_ref", aliases="ref", access={"ref": "update"})
def strided_slice_assign(
    run: Any,
    ref: Ref[Any_],
    begin: typevar("Index", INDEX),
    end: "Index",  # noqa: F821
    strides: "Index",  # noqa: F821
    value: Any_,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Ref[Any_]:
    """Puts the value into ref[begin:end:strides]: ref [d...], begin, end and strides [k], value a shape that broadcasts
    to the slice -> the variable.

    Raises: InvalidArgumentError when it does not.
    """
    masks = slicing.Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    with ref.lock:
        ref.value = _slice_written(ref.value, (begin, end, strides), masks, value)
    return ref


@strided_slice_assign.shape
def _(ref: Sym, begin: Sym, end: Sym, strides: Sym, value: Sym, **_: int) -> Shape:
    return ref.shape


@op("ResourceStridedSliceAssign", stateful=True, access={"ref": "update"})
def resource_strided_slice_assign(
    run: Any,
    ref: dtypes.resource,
    begin: typevar("Index", INDEX),
    end: "Index",  # noqa: F821
    strides: "Index",  # noqa: F821
    value: Any_,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> None:
    """Puts the value into variable[begin:end:strides]: handle scalar, begin, end and strides [k], value a shape that
    broadcasts to the slice.

    Raises: InvalidArgumentError when it does not.
    """
    masks = slicing.Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    with ref.buffer.lock:
        ref.buffer.value = _slice_written(value_of(run, ref), (begin, end, strides), masks, value)
    return ()  # type: ignore[return-value]


# -- into zeros and into a copy ------------------------------------------------------------------------------------


@op("ScatterNd", fresh=True)
def scatter_nd(xp: Any, indices: typevar("Tindices", WIDE_INDEX), updates: Any_, shape: "Tindices") -> Any_:  # noqa: F821
    """Zeros with the updates added at coordinates: indices [i..., k], updates [i..., shape[k:]...], shape [rank] -> a
    tensor of that shape.

    Raises: InvalidArgumentError for coordinates outside it.
    """
    # For strings, zero is the empty string.
    zero = b"" if updates.dtype == object else 0
    if np.ndim(shape) != 1:
        raise invalid("Shape must be a vector")
    sizes = shape.tolist()
    for n in sizes:
        if n < 0:
            raise invalid(f"Dimension {n} must be >= 0")
    if not sizes:
        raise invalid("Indices and updates specified for empty output shape")
    return _nd_written(np.full(sizes, zero, updates.dtype), indices, updates, "add", _unequal_zeros)


@scatter_nd.shape
def _(indices: Sym, updates: Sym, shape: Sym) -> Shape:
    vector(shape)
    known = sizes_of(shape)
    _check_nd(known, indices, updates)
    return known


@scatter_nd.grad
def _(op: Any, g: Any) -> Any:
    return None, nodes.GatherNd(g, op.inputs[0]), None


@op("TensorScatterUpdate", shape=_checked_shape(_check_copy), fresh=True)
def tensor_scatter_update(
    xp: Any, tensor: Any_, indices: typevar("Tindices", kinds("int16 int32 int64 uint16")), updates: Any_
) -> Any_:
    """A copy of the tensor with the updates put at coordinates: tensor [d...], indices [i..., k], updates [i...,
    d[k:]...] -> [d...].

    Raises: InvalidArgumentError for coordinates outside the tensor.
    """
    return _nd_written(tensor, indices, updates, "update", _unequal_copies)


@tensor_scatter_update.grad
def _(op: Any, g: Any) -> Any:
    indices, updates = op.inputs[1:]
    zeros = functions.zeros_like(updates, dtype=g.dtype.base_dtype)
    return tensor_scatter_update(nodes.Identity(g), indices, zeros), None, nodes.GatherNd(g, indices)


@op("TensorScatterAdd", shape=_checked_shape(_check_copy), fresh=True)
def tensor_scatter_add(xp: Any, tensor: Any_, indices: TINDICES, updates: Any_) -> Any_:
    """A copy of the tensor with the updates added at coordinates: tensor [d...], indices [i..., k], updates [i...,
    d[k:]...] -> [d...].

    Raises: InvalidArgumentError for coordinates outside the tensor.
    """
    return _nd_written(tensor, indices, updates, "add", _unequal_copies)


tensor_scatter_add.grad(lambda op, g: (nodes.Identity(g), None, nodes.GatherNd(g, op.inputs[1])))


@op("TensorScatterSub", shape=_checked_shape(_check_copy), fresh=True)
def tensor_scatter_sub(xp: Any, tensor: Any_, indices: TINDICES, updates: Any_) -> Any_:
    """A copy of the tensor with the updates subtracted at coordinates: tensor [d...], indices [i..., k], updates [i...,
    d[k:]...] -> [d...].

    Raises: InvalidArgumentError for coordinates outside the tensor.
    """
    return _nd_written(tensor, indices, updates, "sub", _unequal_copies)


tensor_scatter_sub.grad(lambda op, g: (nodes.Identity(g), None, -nodes.GatherNd(g, op.inputs[1])))


@op("ScatterNdNonAliasingAdd", shape=_checked_shape(_check_copy), fresh=True)
def scatter_nd_non_aliasing_add(xp: Any, input: ADDED, indices: TINDICES, updates: ADDED) -> ADDED:
    """A copy of the input with the updates added at coordinates: input [d...], indices [i..., k], updates [i...,
    d[k:]...] -> [d...].

    Raises: InvalidArgumentError for coordinates outside the input.
    """
    return _nd_written(input, indices, updates, "add", _unequal_parts)


scatter_nd_non_aliasing_add.grad(lambda op, g: (g, None, nodes.GatherNd(g, op.inputs[1])))
