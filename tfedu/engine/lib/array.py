"""`tf.shape`, `tf.reshape`, `tf.concat`, `tf.zeros`, `x[1:, ::-1]` and what else moves elements, as in TF 1.15.

Each function makes the nodes that TF makes, under the same names. Questions whose answer is known already become
constants: `shape(x)` of a fully known shape is a Const. No state.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.dtypes import as_dtype
from ..base.shapes import Dimension, TensorShape, as_raw, as_shape, dimension_value
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.nodes import Tensor
from ..ops import array as ops
from ..ops import basic as basic_ops
from ..ops import blocks as block_ops
from ..ops import gather as gather_ops
from ..ops import logic as logic_ops
from ..ops import math as math_ops
from ..ops import reduce as reduce_ops
from ..ops import scatter as scatter_ops
from ..ops import sequences as sequence_ops
from ..ops import slicing as slicing_ops
from ..ops.composites import SparseTensor
from ..ops.convert import constant
from ..ops.infer import constant_value
from .failing import said
from .flow import identity
from .scope import named

newaxis = None

# -- one op each ---------------------------------------------------------------------------------------------------

stop_gradient = basic_ops.stop_gradient
bitcast, broadcast_to, check_numerics = ops.bitcast, ops.broadcast_to, gather_ops.check_numerics
dynamic_partition, dynamic_stitch = gather_ops.dynamic_partition, gather_ops.dynamic_stitch
ensure_shape_op, fill, tile, roll = ops.ensure_shape, ops.fill, ops.tile, ops.roll
reverse, reverse_v2 = ops.reverse_v2, ops.reverse_v2
scatter_nd, space_to_batch_nd, batch_to_space_nd = (
    scatter_ops.scatter_nd,
    block_ops.space_to_batch_nd,
    block_ops.batch_to_space_nd,
)
tensor_scatter_update = scatter_ops.tensor_scatter_update
tensor_scatter_add, tensor_scatter_sub = scatter_ops.tensor_scatter_add, scatter_ops.tensor_scatter_sub
tensor_scatter_nd_update = scatter_ops.tensor_scatter_update
tensor_scatter_nd_add, tensor_scatter_nd_sub = scatter_ops.tensor_scatter_add, scatter_ops.tensor_scatter_sub


def _lookup(new_name: str, new: Any, old_name: str, old: Any) -> Any:
    """The argument under its new or its old name.

    Raises: ValueError when both are given.
    """
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old


# -- questions about a shape ---------------------------------------------------------------------------------------


@atomic
def shape(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The sizes [rank] of the input; a constant where they are all known."""
    with named(name, "Shape", [input]) as scope:
        if isinstance(input, SparseTensor):
            return math_ops.cast(input.dense_shape, DstT=as_dtype(out_type))
        input = convert_to_tensor(input)
        if shapes.is_full(input.raw_shape):
            return constant(list(input.raw_shape or ()), as_dtype(out_type), name=scope)
        return ops.shape(input, out_type=as_dtype(out_type), name=scope)


def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Tensor]:
    """The sizes of each of several inputs."""
    out: list[Tensor] = ops.shape_n(input, out_type=as_dtype(out_type), name=name)
    return out


@atomic
def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """How many elements the input has; a constant where that is known."""
    with named(name, "Size", [input]) as scope:
        if isinstance(input, SparseTensor):
            sizes = math_ops.cast(input.dense_shape, DstT=as_dtype(out_type))
            return reduce_ops.prod(sizes, 0, name=scope)
        input = convert_to_tensor(input)
        raw = input.raw_shape
        if shapes.is_full(raw) or (raw and 0 in raw):
            return constant(shapes.num_elements(raw) or 0, as_dtype(out_type), name=scope)
        return ops.size(input, out_type=as_dtype(out_type), name=scope)


@atomic
def rank(input: Any, name: str | None = None) -> Tensor:
    """How many axes the input has; a constant where that is known."""
    with named(name, "Rank", [input]) as scope:
        if isinstance(input, SparseTensor):
            return ops.size(input.dense_shape, name=scope)
        input = convert_to_tensor(input)
        if input.raw_shape is not None:
            return constant(len(input.raw_shape), dtypes.int32, name=scope)
        return ops.rank(input, name=scope)


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two known shapes broadcast to.

    Raises: ValueError when they do not fit.
    """
    first, second = as_shape(shape_x), as_shape(shape_y)
    try:
        return TensorShape.of(shapes.broadcast(first.raw, second.raw))
    except shapes.ShapeMismatch:
        raise ValueError(f"Incompatible shapes for broadcasting: {first} and {second}") from None


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape that two shapes, given as tensors, broadcast to."""
    out: Tensor = ops.broadcast_args(shape_x, shape_y)
    return out


# -- making --------------------------------------------------------------------------------------------------------

_SMALL = 1000  # a larger tensor of one value is filled when it is needed, so that the graph stays small


def _filled(value: Any, shape: Any, dtype: Any, scope: str) -> Tensor:
    if not isinstance(shape, Tensor) and not hasattr(shape, "_as_graph_element"):
        try:
            raw = as_raw(shape)
            count = None if isinstance(shape, int) else shapes.num_elements(raw)
            if count is not None and count < _SMALL:
                return constant(value, shape=raw, dtype=dtype, name=scope)
            shape = convert_to_tensor(TensorShape.of(raw), dtypes.int32, name="shape_as_tensor")
        except (TypeError, ValueError):
            # There is a tensor among the sizes.
            shape = convert_to_tensor(shape, dtype=dtypes.int32)
    if not isinstance(shape, Tensor):
        shape = convert_to_tensor(shape)
    if shape.raw_shape is None or not shape.raw_shape:
        shape = reshape(shape, [-1])
    out: Tensor = ops.fill(shape, constant(value, dtype=dtype), name=scope)
    return out


@atomic
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Zeros (False, empty strings) of a shape."""
    kind = as_dtype(dtype).base_dtype
    with named(name, "zeros", [shape]) as scope:
        return _filled(
            False if kind is dtypes.bool else "" if kind is dtypes.string else 0, shape, kind, scope
        )


@atomic
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Ones (True) of a shape."""
    kind = as_dtype(dtype).base_dtype
    with named(name, "ones", [shape]) as scope:
        return _filled(True if kind is dtypes.bool else 1, shape, kind, scope)


@atomic
def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Zeros of another tensor's shape and, by default, dtype."""
    with named(name, "zeros_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        wanted = None if dtype is None else as_dtype(dtype)
        if optimize and shapes.is_full(tensor.raw_shape) and tensor.dtype.base_dtype is not dtypes.variant:
            return zeros(tensor.shape, dtype=wanted or tensor.dtype, name=scope)
        if wanted is not None and wanted is not tensor.dtype.base_dtype:
            out = zeros(_shape_of(tensor, optimize), dtype=wanted, name=scope)
            out.set_shape(tensor.shape)
            return out
        return ops.zeros_like(tensor, name=scope)


@atomic
def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Ones of another tensor's shape and, by default, dtype."""
    with named(name, "ones_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        sizes = _shape_of(tensor, optimize)
        out = ones(sizes, dtype=tensor.dtype if dtype is None else dtype, name=scope)
        out.set_shape(tensor.shape)
        return out


def _shape_of(tensor: Tensor, optimize: bool) -> Tensor:
    if optimize:
        return shape(tensor)
    out: Tensor = ops.shape(tensor, out_type=dtypes.int32)
    return out


@atomic
def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """1 (on_value) at the place along a new axis that each index names, 0 (off_value) elsewhere.

    Raises: TypeError when the two values or `dtype` are not of one dtype.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    with named(name, "one_hot", [indices, depth, on_value, off_value]) as scope:
        given = {}
        for label, value in (("on_value", on_value), ("off_value", off_value)):
            if value is None:
                continue
            given[label] = convert_to_tensor(value, preferred_dtype=wanted)
            found = given[label].dtype.base_dtype
            if wanted is not None and found is not as_dtype(wanted):
                raise TypeError(f"dtype {found} of {label} does not match dtype parameter {wanted}")
        if wanted is None:
            wanted = next((t.dtype.base_dtype for t in given.values()), dtypes.float32)
        on = given.get("on_value")
        if on is None:
            on = convert_to_tensor(1, wanted, name="on_value")
        off = given.get("off_value")
        if off is None:
            off = convert_to_tensor(0, wanted, name="off_value")
        if on.dtype.base_dtype is not off.dtype.base_dtype:
            raise TypeError(f"dtype {on.dtype} of on_value does not match dtype {off.dtype} of off_value")
        return gather_ops.one_hot(indices, depth, on, off, axis=-1 if axis is None else axis, name=scope)


@atomic
def sequence_mask(
    lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool, name: str | None = None
) -> Tensor:
    """[..., maxlen]: True for the first lengths[...] places.

    Raises: ValueError for a maxlen that is no scalar.
    """
    with named(name, "SequenceMask", [lengths, maxlen]):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            largest = reduce_ops.max_(lengths, _all_axes(lengths))
            maxlen = math_ops.maximum(constant(0, largest.dtype), largest)
        else:
            maxlen = convert_to_tensor(maxlen)
        if maxlen.raw_shape is not None and maxlen.raw_shape != ():
            raise ValueError("maxlen must be scalar for sequence_mask")
        row = sequence_ops.range_(constant(0, maxlen.dtype), maxlen, constant(1, maxlen.dtype))
        matrix = math_ops.cast(expand_dims(lengths, -1), DstT=maxlen.dtype.base_dtype)
        mask: Tensor = logic_ops.less(row, matrix)
        wanted = dtypes.bool if dtype is None else as_dtype(dtype)
        return mask if wanted is dtypes.bool else math_ops.cast(mask, DstT=wanted)


def _all_axes(tensor: Tensor) -> Tensor:
    if tensor.raw_shape is not None:
        return constant(np.arange(len(tensor.raw_shape)), dtype=dtypes.int32)
    out: Tensor = sequence_ops.range_(0, rank(tensor), 1)
    return out


@atomic
def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """The coordinates of a grid: one tensor for each vector, all of one shape.

    Raises: ValueError for an indexing other than "xy" and "ij".
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    with named(name, "meshgrid", args):
        count = len(args)
        if not count:
            return []
        ahead = (1,) * count
        out = [reshape(stack(x), (*ahead[:i], -1, *ahead[i + 1 :])) for i, x in enumerate(args)]
        sizes = [size(x) for x in args]
        kind = convert_to_tensor(args[0]).dtype.base_dtype
        if indexing == "xy" and count > 1:
            out[0] = reshape(out[0], (1, -1, *(1,) * (count - 2)))
            out[1] = reshape(out[1], (-1, 1, *(1,) * (count - 2)))
            sizes[0], sizes[1] = sizes[1], sizes[0]
        factor = ones(sizes, kind)
        return [math_ops.mul(x, factor, name="mul") for x in out]


@atomic
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Identity matrices [..., num_rows, num_columns]."""
    from ..ops import linalg as linalg_ops

    with named(name, "eye", [num_rows, num_columns, batch_shape]):
        is_square = num_columns is None or num_columns is num_rows
        columns = num_rows if num_columns is None else num_columns
        batch = [] if batch_shape is None else batch_shape
        if isinstance(num_rows, Tensor) or isinstance(columns, Tensor):
            diagonal: Any = math_ops.minimum(num_rows, columns)
        else:
            is_square = num_rows == columns
            diagonal = min(int(num_rows), int(columns))
        if isinstance(batch, Tensor) or isinstance(diagonal, Tensor):
            batch = convert_to_tensor(batch, name="shape", dtype=dtypes.int32)
            diagonal_shape: Any = concat((batch, [diagonal]), axis=0)
            whole: Any = None if is_square else concat((batch, [num_rows, columns]), axis=0)
        else:
            batch = [d.value if isinstance(d, Dimension) else d for d in batch]
            diagonal_shape, whole = [*batch, diagonal], [*batch, num_rows, columns]
        line = ones(diagonal_shape, dtype=dtype)
        if is_square:
            return linalg_ops.matrix_diag(line, name="diag")
        return linalg_ops.matrix_set_diag(zeros(whole, dtype=dtype), line, name="set_diag")


# -- the same elements in another shape ----------------------------------------------------------------------------


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The elements in row-major order in another shape; one size of -1 is computed."""
    out: Tensor = ops.reshape(tensor, _vector(shape), name=name)
    return out


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """The input with a new axis of size 1.

    Raises: ValueError without an axis.
    """
    axis = _lookup("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    out: Tensor = ops.expand_dims(input, axis, name=name)
    return out


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    """The input without its axes of size 1, or without the named ones."""
    axis = _lookup("axis", axis, "squeeze_dims", squeeze_dims)
    if np.isscalar(axis):
        axis = [axis]
    axes = [] if axis is None else list(axis)
    for at in axes:
        if not isinstance(at, int | np.integer):
            raise TypeError(f"Expected int for argument 'axis' not {at!r}.")
    out: Tensor = ops.squeeze(input, squeeze_dims=axes, name=name)
    return out


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """x, which must fit a partly known shape; checked when it runs."""
    out: Tensor = ops.ensure_shape(x, shape=as_raw(shape), name=name)
    return out


@atomic
def transpose(a: Any, perm: Any = None, name: str | None = "transpose", conjugate: bool = False) -> Tensor:
    """The axes in another order, by default backwards."""
    with named(name, "transpose", [a]) as scope:
        a = convert_to_tensor(a, name="a")
        if perm is None:
            if a.raw_shape:
                perm = np.arange(len(a.raw_shape))[::-1]
            else:
                count = ops.rank(a)
                last = math_ops.sub(count, 1, name="sub")
                perm = math_ops.sub(last, sequence_ops.range_(0, count, 1), name="sub")
        turn = ops.conjugate_transpose if conjugate and a.dtype.is_complex else ops.transpose
        return turn(a, perm, name=scope)


@atomic
def matrix_transpose(a: Any, name: str | None = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """The last two axes exchanged.

    Raises: ValueError for less than two axes.
    """
    with named(name, "matrix_transpose", [a]):
        a = convert_to_tensor(a, name="a")
        raw = a.raw_shape
        if raw is not None:
            if len(raw) < 2:
                raise ValueError(
                    f"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: {a.shape}"
                )
            perm: Any = [*builtins.range(len(raw) - 2), len(raw) - 1, len(raw) - 2]
        else:
            count = rank(a)
            front = sequence_ops.range_(0, math_ops.sub(count, 2, name="sub"), 1)
            ends = [math_ops.sub(count, 1, name="sub"), math_ops.sub(count, 2, name="sub")]
            perm = concat((front, ends), 0)
        return transpose(a, perm=perm, conjugate=conjugate)


# -- joining and cutting -------------------------------------------------------------------------------------------


def concat(values: Any, axis: Any, name: str | None = "concat") -> Tensor:
    """The values one after the other along an axis."""
    if not isinstance(values, list | tuple):
        values = [values]
    if not values:
        raise ValueError(
            "List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2."
        )
    if len(values) == 1:
        return _concat_one(values[0], axis, name)
    out: Tensor = ops.concat_v2(list(values), axis, name=name)
    return out


@atomic
def _concat_one(value: Any, axis: Any, name: str | None) -> Tensor:
    with named(name, "concat"):
        place = convert_to_tensor(axis, name="concat_dim", dtype=dtypes.int32)
        place.shape.assert_has_rank(0)
        return identity(value, name=name)


@atomic
def stack(values: Any, axis: int = 0, name: str | None = "stack") -> Tensor:
    """The values side by side along a new axis.

    Raises: ValueError for an axis that the result has not.
    """
    if axis == 0:
        try:
            return convert_to_tensor(values, name=name)
        except (TypeError, ValueError):
            # Not all are literals of one shape: the op says what is wrong.
            pass
    raw = convert_to_tensor(values[0], name=name).raw_shape
    if raw is not None and not -len(raw) - 1 <= axis <= len(raw):
        raise ValueError(f"axis = {axis} not in [{-len(raw) - 1}, {len(raw) + 1})")
    return basic_ops.pack(list(values), axis=axis, name=name)


def parallel_stack(values: Any, name: str | None = "parallel_stack") -> Tensor:
    """Stacks tensors of one known shape along a new first axis."""
    with named(name, "parallel_stack"):
        first = convert_to_tensor(values[0])
        whole = TensorShape([len(values)]).concatenate(first.shape)
        return ops.parallel_concat([expand_dims(value, 0) for value in values], shape=whole)


@atomic
def space_to_batch(
    input: Any, paddings: Any, block_size: int | None = None, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """Blocks of an image's pixels [n, h, w, c] moved to the batch, after padding; `block_shape` is its newer name."""
    return _by_blocks(block_ops.space_to_batch_nd, input, paddings, block_size, block_shape, name)


@atomic
def batch_to_space(
    input: Any, crops: Any, block_size: int, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """The inverse of `space_to_batch`: blocks from the batch back into space, then cropped."""
    return _by_blocks(block_ops.batch_to_space_nd, input, crops, block_size, block_shape, name)


def _by_blocks(move: Any, input: Any, around: Any, block_size: Any, block_shape: Any, name: str | None) -> Tensor:
    size = _lookup("block_shape", block_shape, "block_size", block_size)
    out: Tensor = move(input, np.array([size, size], np.int64), around, name=name)
    out.set_shape(out.shape.with_rank(4))
    return out


@atomic
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str | None = "unstack") -> list[Tensor]:
    """The parts along an axis, without that axis.

    Raises: ValueError when their number is not known.
    """
    if num is None:
        value = convert_to_tensor(value)
        raw = value.raw_shape
        if raw is not None:
            if not -len(raw) <= axis < len(raw):
                raise ValueError(f"axis = {axis} not in [{-len(raw)}, {len(raw)})")
            num = raw[axis]
        if num is None:
            raise ValueError(f"Cannot infer num from shape {value.shape}")
    out: list[Tensor] = slicing_ops.unpack(value, num=num, axis=axis, name=name)
    return out


@atomic
def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str | None = "split"
) -> list[Tensor]:
    """The value cut along an axis: into equal parts by their number, or by a list of sizes.

    Raises: ValueError when the number of parts is not known.
    """
    if isinstance(num_or_size_splits, int | np.integer | Dimension):
        count = (
            num_or_size_splits.value if isinstance(num_or_size_splits, Dimension) else int(num_or_size_splits)
        )
        if count is not None and count < 1:
            raise ValueError(f"Attr 'num_split' of 'Split' Op passed {count} less than minimum 1.")
        return list(slicing_ops.split(axis, value, num_split=count, name=name))
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes.raw_shape == ():
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: "
            f"{num_or_size_splits}"
        )
    if num is None:
        num = sizes.raw_shape[0] if sizes.raw_shape else None
        if num is None:
            raise ValueError(f"Cannot infer num from shape {num_or_size_splits}")
    return list(slicing_ops.split_v(value, sizes, axis, num_split=num, name=name))


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """A block of the input that begins at `begin`; a size of -1 reaches to the end."""
    out: Tensor = slicing_ops.slice_(input_, _vector(begin), _vector(size), name=name)
    return out


@atomic
def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """input_[begin:end:strides]; bit i of a mask says what item i is: an open end, `...`, a new axis, one index.

    var: the variable that the input is read from; `assign(value)` of the result changes that part of it.
    """
    if strides is None:
        strides = ones_like(begin)
    masks = {
        "begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask, "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }  # fmt: skip
    part = slicing_ops.strided_slice(input_, begin, end, strides, **masks, name=name)
    part.assign = _no_assign if var is None else _assign(var, (begin, end, strides), masks, name)
    return part


def _no_assign(val: Any, name: str | None = None) -> Any:
    raise ValueError(said("Sliced assignment is only supported for variables"))


def _assign(var: Any, limits: tuple[Any, Any, Any], masks: dict[str, int], parent: str | None) -> Any:
    """The `assign` of a part of a variable."""

    def assign(val: Any, name: str | None = None) -> Any:
        if name is None and parent is not None:
            name = f"{parent}_assign"
        return var._strided_slice_assign(*limits, val, name=name, **masks)

    return assign


def _check_index(index: Any) -> None:
    if isinstance(index, int | np.integer | Dimension):
        return
    dtype = getattr(index, "dtype", None)
    if dtype is not None:
        kind = as_dtype(dtype).base_dtype
        ndim = index.raw_shape if isinstance(index, Tensor) else np.shape(index)
        if kind in (dtypes.int16, dtypes.int32, dtypes.int64) and (ndim is None or len(ndim) == 0):
            return
    raise TypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are "
        f"valid indices, got {index!r}"
    )


def _end(s: Any) -> bool:
    return s is None or (isinstance(s, Dimension) and s.value is None)


@atomic
def getitem(tensor: Any, spec: Any) -> Tensor:
    """`tensor[spec]`: integers, slices, `...`, `None` for a new axis, scalar tensors; a mask of booleans picks.

    Raises: TypeError for other indices, ValueError for one that is known to lie outside.
    """
    var = tensor if hasattr(tensor, "_strided_slice_assign") else None
    tensor = convert_to_tensor(tensor)
    if isinstance(spec, bool) or getattr(spec, "dtype", None) in (dtypes.bool, np.dtype(bool)):
        return boolean_mask(tensor, spec)
    items = list(spec) if isinstance(spec, list | tuple) else [spec]
    begin: list[Any] = []
    end: list[Any] = []
    strides: list[Any] = []
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    for i, item in enumerate(items):
        bit = 1 << i
        if isinstance(item, builtins.slice):
            kind = _index_dtype(item)
            for part, limits, mask in ((item.start, begin, "begin_mask"), (item.stop, end, "end_mask")):
                if _end(part):
                    limits.append(0 if kind is None else constant(0, kind))
                    masks[mask] |= bit
                else:
                    _check_index(part)
                    limits.append(part)
            if _end(item.step):
                strides.append(1 if kind is None else constant(1, kind))
            else:
                _check_index(item.step)
                strides.append(item.step)
        elif item is Ellipsis or item is None:
            begin.append(0)
            end.append(0)
            strides.append(1)
            masks["ellipsis_mask" if item is Ellipsis else "new_axis_mask"] |= bit
        else:
            _check_index(item)
            begin.append(item)
            end.append(item + 1)
            wide = isinstance(item, Tensor) and item.dtype.base_dtype in (dtypes.int16, dtypes.int64)
            strides.append(constant(1, item.dtype.base_dtype) if wide else 1)
            masks["shrink_axis_mask"] |= bit
    with named(None, "strided_slice", [tensor]) as scope:
        if begin:
            packed = [_packed(limits) for limits in (begin, end, strides)]
            if any(p.dtype.base_dtype is dtypes.int64 for p in packed):
                packed = [
                    p if p.dtype.base_dtype is dtypes.int64 else math_ops.cast(p, DstT=dtypes.int64)
                    for p in packed
                ]
        else:
            packed = [constant([], dtype=dtypes.int32)] * 3
        part = slicing_ops.strided_slice(tensor, *packed, **masks, name=scope)
        part.assign = _no_assign if var is None else _assign(var, (packed[0], packed[1], packed[2]), masks, scope)
        return part


_WIDE = 2**31


def _vector(value: Any) -> Any:
    """A list of plain ints as an array, which becomes a constant with fewer questions; anything else as it is."""
    if type(value) in (list, tuple) and value and all(type(x) is int and -_WIDE <= x < _WIDE for x in value):
        return np.array(value, np.int32)
    return value


def _packed(limits: list[Any]) -> Tensor:
    vector = _vector(limits)
    if vector is not limits:
        return constant(vector, name="stack")
    return stack([dimension_value(x) for x in limits])


def _index_dtype(item: builtins.slice) -> Any:
    kind = None
    for part in (item.start, item.stop, item.step):
        if isinstance(part, Tensor):
            found = part.dtype.base_dtype
            if found is dtypes.int64:
                kind = dtypes.int64
            elif found is dtypes.int32 and kind is not dtypes.int64:
                kind = dtypes.int32
    return kind


# -- picking -------------------------------------------------------------------------------------------------------


@atomic
def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    name: str | None = None,
    axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:
    """The slices of params along an axis that indices name."""
    if axis is None:
        axis = batch_dims
    at = axis if isinstance(axis, int) else constant_value(convert_to_tensor(axis))
    if at == 0 and hasattr(params, "sparse_read"):
        # A resource variable picks the rows itself.
        return params.sparse_read(indices, name=name)
    return gather_ops.gather_v2(params, indices, axis, batch_dims=batch_dims, name=name)


@atomic
def gather_nd(params: Any, indices: Any, name: str | None = None, batch_dims: int = 0) -> Tensor:
    """The slices of params at the places that the last axis of indices names; batch_dims first axes go together."""
    if not batch_dims:
        if hasattr(params, "gather_nd"):
            # A resource variable picks the parts itself.
            return params.gather_nd(indices, name=name)
        return gather_ops.gather_nd(params, indices, name=name)
    with named(name, "BatchGatherND", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if indices.raw_shape is None or None in indices.raw_shape[:batch_dims]:
            raise ValueError("gather_nd with batch_dims needs indices whose batch sizes are known")
        batch = [n or 0 for n in indices.raw_shape[:batch_dims]]
        # The place in the batch goes before each index.
        grid = np.moveaxis(np.indices(batch), 0, -1).reshape(
            *batch, *[1] * (len(indices.raw_shape) - batch_dims - 1), -1
        )
        where_to = concat([shape(indices)[:-1], [batch_dims]], 0)  # type: ignore[index]
        places = broadcast_to(constant(grid, indices.dtype.base_dtype), where_to)
        return gather_ops.gather_nd(params, concat([places, indices], -1))


@atomic
def batch_gather(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """The elements of each example that its own indices name: [n…, m] and [n…, k] -> [n…, k].

    Raises: ValueError for indices of unknown rank.
    """
    with named(name, "BatchGather", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if indices.raw_shape is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        return _gathered_by_batch(params, indices, len(indices.raw_shape) - 1)


def _gathered_by_batch(params: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    """One Gather from the flattened examples: each index is moved by where its example begins, as TF builds it."""
    given = params.raw_shape
    if given is not None and batch_dims >= len(given):
        raise ValueError(said(f"batch_dims = {batch_dims} must be less than rank(params) = {len(given)}"))
    picks, sizes = shape(indices), shape(params)
    kind = indices.dtype.base_dtype
    stride: Any = ones((), dtype=kind)
    # TF casts here even where the dtype is the same.
    counts = math_ops.cast(sizes, DstT=kind)
    placed = indices
    rank_of_picks = len(indices.raw_shape or ())
    for dim in builtins.range(batch_dims, 0, -1):
        count = counts[dim - 1]
        stride = stride * counts[dim]
        places = sequence_ops.range_(zeros((), dtype=kind), count, ones((), dtype=kind)) * stride
        along = stack([*[1] * (dim - 1), count, *[1] * (rank_of_picks - dim)], axis=0)
        placed = placed + reshape(places, along)
    flat = reshape(placed, [-1])
    outer = sizes[batch_dims + 1 :]
    inner = reduce_ops.prod(sizes[: batch_dims + 1], [0], keep_dims=False)
    rows = reshape(params, concat([[inner], outer], axis=0))
    result = reshape(gather(rows, flat), concat([picks, outer], axis=0))
    if given is not None and indices.raw_shape is not None:
        ahead = shapes.merge(indices.raw_shape[:batch_dims], given[:batch_dims])
        result.set_shape((*(ahead or ()), *indices.raw_shape[batch_dims:], *given[batch_dims + 1 :]))
    return result


@atomic
def boolean_mask(tensor: Any, mask: Any, name: str | None = "boolean_mask", axis: Any = None) -> Tensor:
    """The elements (slices) where the mask is True.

    Raises: ValueError for a mask of no or unknown rank, or of another shape.
    """
    with named(name, "boolean_mask", [tensor, mask]):
        tensor = convert_to_tensor(tensor, name="tensor")
        mask = convert_to_tensor(mask, name="mask")
        if mask.raw_shape == ():
            raise ValueError("mask cannot be scalar.")
        if mask.raw_shape is None:
            raise ValueError(
                "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. shape=[None] is "
                "ok, but shape=None is not."
            )
        at, count = 0 if axis is None else int(axis), len(mask.raw_shape)
        covered = tensor.shape[at : at + count]
        covered.assert_is_compatible_with(mask.shape)
        leading = reduce_ops.prod(getitem(shape(tensor), builtins.slice(at, at + count)), [0])
        sizes = [
            getitem(shape(tensor), builtins.slice(None, at)),
            [leading],
            getitem(shape(tensor), builtins.slice(at + count, None)),
        ]
        flat = reshape(tensor, concat(sizes, 0))
        if tensor.raw_shape is not None:
            flat.set_shape((*tensor.raw_shape[:at], covered.num_elements(), *tensor.raw_shape[at + count :]))
        places = squeeze(logic_ops.where(reshape(mask, [-1])), axis=[1])
        return gather(flat, places, axis=at)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """x where the condition holds, else y; without them the places at which it holds.

    Raises: ValueError when only one of x and y is given.
    """
    if x is None and y is None:
        return _places(condition, name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    out: Tensor = logic_ops.select(condition, x, y, name=name)
    return out


@atomic
def _places(condition: Any, name: str | None) -> Tensor:
    with named(name, "Where", [condition]) as scope:
        condition = convert_to_tensor(condition, preferred_dtype=dtypes.bool, name="condition")
        return logic_ops.where(condition, name=scope)


@atomic
def where_v2(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """As `where`, but condition, x and y are broadcast."""
    if x is None and y is None:
        return where(condition, name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return logic_ops.select_v2(condition, x, y, name=name)


# -- padding, turning, sorting -------------------------------------------------------------------------------------


@atomic
def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    """The tensor with something around it: a constant, or its own mirror image.

    Raises: ValueError for an unknown mode.
    """
    kind = mode.upper()
    if kind == "CONSTANT":
        if (
            isinstance(constant_values, Tensor)
            or np.ndim(constant_values)
            or constant_values not in (0, "", b"")
        ):
            return ops.pad_v2(tensor, paddings, constant_values, name=name)
        return ops.pad(tensor, paddings, name=name)
    if kind not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f"Unknown padding mode: {mode}")
    return ops.mirror_pad(tensor, paddings, mode=kind, name=name)


def reverse_sequence(
    input: Any,
    seq_lengths: Any,
    seq_axis: Any = None,
    batch_axis: Any = None,
    name: str | None = None,
    seq_dim: Any = None,
    batch_dim: Any = None,
) -> Tensor:
    """The first seq_lengths[i] elements of example i backwards."""
    along = _lookup("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch = _lookup("batch_axis", batch_axis, "batch_dim", batch_dim)
    out: Tensor = ops.reverse_sequence(input, seq_lengths, seq_dim=along, batch_dim=batch or 0, name=name)
    return out


def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Tensor:
    """The places [rank, n] that indices [n] into the flattened tensor stand for."""
    out: Tensor = gather_ops.unravel_index(indices, dims, name=name)
    return out


@atomic
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(paddings, crops) that make every size a multiple of its block's."""
    with named(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        sizes = convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
        blocks = convert_to_tensor(block_shape, dtype=dtypes.int32, name="block_shape")
        blocks.shape.assert_is_fully_defined()
        blocks.shape.assert_has_rank(1)
        count = (blocks.raw_shape or (0,))[0] or 0
        if not count:
            return zeros([0, 2], dtypes.int32), zeros([0, 2], dtypes.int32)
        sizes.shape.assert_is_compatible_with([count])
        if base_paddings is None:
            base = zeros([count, 2], dtypes.int32)
        else:
            base = convert_to_tensor(base_paddings, dtype=dtypes.int32, name="base_paddings")
            base.shape.assert_is_compatible_with([count, 2])
        known = [constant_value(t) for t in (sizes, blocks, base)]
        size, block, around = known if all(k is not None for k in known) else (sizes, blocks, base)
        start, end = around[:, 0], around[:, 1]  # type: ignore[index]
        extra = (block - (size + start + end) % block) % block
        end = end + extra
        paddings = [[start[i], end[i]] for i in builtins.range(count)]
        crops = [[0, extra[i]] for i in builtins.range(count)]
        return stack(paddings, name="paddings"), stack(crops, name="crops")


def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """(y, idx): the different elements in order, and the place of each element among them."""
    return gather_ops.unique(x, out_idx=as_dtype(out_idx), name=name)


def unique_with_counts(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """(y, idx, count): as `unique`, and how often each element occurs."""
    return gather_ops.unique_with_counts(x, out_idx=as_dtype(out_idx), name=name)


def setdiff1d(x: Any, y: Any, index_dtype: Any = dtypes.int32, name: str | None = None) -> Any:
    """(out, idx): the elements of x that are not in y, and their places."""
    return gather_ops.list_diff(x, y, out_idx=as_dtype(index_dtype), name=name)


listdiff = setdiff1d


def top_k(input: Any, k: Any = 1, sorted: bool = True, name: str | None = None) -> Any:
    """(values, indices) of the k largest elements along the last axis."""
    return gather_ops.top_k_v2(input, k, sorted=sorted, name=name)


@atomic
def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Tensor:
    """Whether each target is among the k best predictions of its row."""
    with named(name, "in_top_k"):
        return gather_ops.in_top_k_v2(predictions, targets, k, name=name)


@atomic
def sparse_to_dense(
    sparse_indices: Any,
    output_shape: Any,
    sparse_values: Any,
    default_value: Any = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """A tensor of one value with others at the places that indices name."""
    return gather_ops.sparse_to_dense(
        sparse_indices,
        output_shape,
        sparse_values,
        default_value,
        validate_indices=validate_indices,
        name=name,
    )


def space_to_depth(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Each block of pixels becomes the channels of one: [n, h, w, c] -> [n, h/b, w/b, b·b·c]."""
    out: Tensor = block_ops.space_to_depth(input, block_size=block_size, data_format=data_format, name=name)
    return out


def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """The channels of a pixel become a block of pixels: [n, h, w, b·b·c] -> [n, h·b, w·b, c]."""
    out: Tensor = block_ops.depth_to_space(input, block_size=block_size, data_format=data_format, name=name)
    return out
