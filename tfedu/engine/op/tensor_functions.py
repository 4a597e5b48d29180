"""`shape(x)`, `zeros_like(x)`, `cast(x, dtype)` …: the functions on tensors that gradient rules and the library share.

Each adds the nodes that TF's Python function of that name adds, under the same names: a value known before the run becomes a
constant, or needs no node. No state.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.dtypes import DType, as_dtype
from ..base.errors import error_text
from ..base.shapes import TensorShape, as_raw
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.nodes import Tensor
from .callers import nodes
from .composites import IndexedSlices, SparseTensor
from .constant import constant
from .definition import role_of
from .name_scopes import named

# -- questions about a shape -----------------------------------------------------------------------------------------------


@atomic
def shape(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The shape of the input as a vector [rank]; a Const where it is fully known."""
    with named(name, "Shape", [input]) as scope:
        if isinstance(input, SparseTensor):
            return nodes.Cast(input.dense_shape, DstT=as_dtype(out_type))
        input = convert_to_tensor(input)
        if shapes.is_full(input.raw_shape):
            return constant(list(input.raw_shape or ()), as_dtype(out_type), name=scope)
        return nodes.Shape(input, out_type=as_dtype(out_type), name=scope)


@atomic
def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The number of elements, a scalar; a Const where it is known."""
    with named(name, "Size", [input]) as scope:
        if isinstance(input, SparseTensor):
            sizes = nodes.Cast(input.dense_shape, DstT=as_dtype(out_type))
            return nodes.Prod(sizes, 0, name=scope)
        input = convert_to_tensor(input)
        raw = input.raw_shape
        if shapes.is_full(raw) or (raw and 0 in raw):
            return constant(shapes.num_elements(raw) or 0, as_dtype(out_type), name=scope)
        return nodes.Size(input, out_type=as_dtype(out_type), name=scope)


@atomic
def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes, a scalar; a Const where it is known."""
    with named(name, "Rank", [input]) as scope:
        if isinstance(input, SparseTensor):
            return nodes.Size(input.dense_shape, name=scope)
        input = convert_to_tensor(input)
        if input.raw_shape is not None:
            return constant(len(input.raw_shape), dtypes.int32, name=scope)
        return nodes.Rank(input, name=scope)


def variable_shape(handle: Tensor, out_type: Any = dtypes.int32) -> Tensor:
    """The shape [rank] of a resource variable; a Const where the handle's shape is static."""
    static_shape = handle.op.attrs["shape"] if role_of(handle.op) == "variable" else None
    if shapes.is_full(static_shape):
        return constant(list(static_shape), out_type)
    dynamic_shape: Tensor = nodes.VariableShape(handle, out_type=out_type)
    return dynamic_shape


# -- new tensors -----------------------------------------------------------------------------------------------------------


_SMALL = 1000  # elements; larger tensors become a Fill node instead of a Const, so that the graph stays small


def _is_tensor(size: Any) -> bool:
    return isinstance(size, Tensor) or hasattr(size, "_as_graph_element")


def _product(x: Any, y: Any) -> Any:
    return nodes.Mul(x, y, name="mul") if _is_tensor(x) or _is_tensor(y) else x * y


def _filled(value: Any, shape: Any, dtype: Any, scope: str) -> Tensor:
    if not _is_tensor(shape):
        try:
            raw = as_raw(shape)
            count = None if isinstance(shape, int) else shapes.num_elements(raw)
            if count is not None and count < _SMALL:
                return constant(value, shape=raw, dtype=dtype, name=scope)
            shape = convert_to_tensor(TensorShape.of(raw), name="shape_as_tensor")
        except (TypeError, ValueError):
            # There is a tensor among the sizes.
            if any(map(_is_tensor, shape)):
                # As in TF 1.15, nodes ask whether the result is small, and nothing reads them.
                nodes.Less(functools.reduce(_product, shape), _SMALL)
            shape = convert_to_tensor(shape, dtype=dtypes.int32)
    if not isinstance(shape, Tensor):
        shape = convert_to_tensor(shape)
    if shape.raw_shape is None or not shape.raw_shape:
        shape = nodes.Reshape(shape, [-1])
    out: Tensor = nodes.Fill(shape, constant(value, dtype=dtype), name=scope)
    return out


@atomic
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Zeros [shape]; False for bool, empty strings for string."""
    kind = as_dtype(dtype).base_dtype
    with named(name, "zeros", [shape]) as scope:
        return _filled(
            False if kind is dtypes.bool else "" if kind is dtypes.string else 0, shape, kind, scope
        )


@atomic
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Ones [shape]; True for bool."""
    kind = as_dtype(dtype).base_dtype
    with named(name, "ones", [shape]) as scope:
        return _filled(True if kind is dtypes.bool else 1, shape, kind, scope)


@atomic
def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Zeros of the tensor's shape [...] and, unless set, its dtype."""
    with named(name, "zeros_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        wanted = None if dtype is None else as_dtype(dtype)
        if optimize and shapes.is_full(tensor.raw_shape) and tensor.dtype.base_dtype is not dtypes.variant:
            return zeros(tensor.shape, dtype=wanted or tensor.dtype, name=scope)
        if wanted is not None and wanted is not tensor.dtype.base_dtype:
            out = zeros(_shape_of(tensor, optimize), dtype=wanted, name=scope)
            out.set_shape(tensor.shape)
            return out
        return nodes.ZerosLike(tensor, name=scope)


@atomic
def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Ones of the tensor's shape [...] and, unless set, its dtype."""
    with named(name, "ones_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        sizes = _shape_of(tensor, optimize)
        out = ones(sizes, dtype=tensor.dtype if dtype is None else dtype, name=scope)
        out.set_shape(tensor.shape)
        return out


def _shape_of(tensor: Tensor, optimize: bool) -> Tensor:
    if optimize:
        is_wide = shapes.is_full(tensor.raw_shape) and max(tensor.raw_shape, default=0) > dtypes.int32.max
        return shape(tensor, out_type=dtypes.int64 if is_wide else dtypes.int32)
    out: Tensor = nodes.Shape(tensor, out_type=dtypes.int32)
    return out


_RANGE_DTYPES = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@atomic
def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """start, start + delta, … below limit: [ceil((limit - start) / delta)]; `range(n)` counts from 0.

    dtype: by default the widest dtype of the three numbers.

    Raises: TypeError for a dtype that cannot be counted in.
    """
    if limit is None:
        start, limit = 0, start
    with named(name, "Range", [start, limit, delta]) as scope:
        wanted = None if dtype is None else as_dtype(dtype)
        values = [
            convert_to_tensor(value, dtype=wanted, name=label) if not isinstance(value, Tensor) else value
            for value, label in ((start, "start"), (limit, "limit"), (delta, "delta"))
        ]
        if wanted is None:
            argument_dtypes = [v.dtype.base_dtype for v in values]
            for kind in argument_dtypes:
                if kind not in _RANGE_DTYPES:
                    raise TypeError(f"range cannot count in {kind.name}: give a dtype")
            wanted = max(argument_dtypes, key=_RANGE_DTYPES.index)
        values = [cast(value, wanted) for value in values]
        return nodes.Range(*values, name=scope)


# -- joining ---------------------------------------------------------------------------------------------------------------


def identity(input: Any, name: str | None = None) -> Tensor:
    """A node that passes `input` on: gives it a name, lets it wait for others, or reads a variable at a chosen time."""
    result: Tensor = nodes.Identity(input, name=name)
    if isinstance(input, Tensor) and input.dtype.is_ref:
        # A reference has the shape that its variable was declared with.
        result.set_shape(input.shape)
    return result


def concat(values: Any, axis: Any, name: str | None = "concat") -> Tensor:
    """The values joined along an existing axis: [a, n] and [b, n] with axis 0 -> [a + b, n].

    Raises: ValueError for an empty list and for incompatible shapes.
    """
    if not isinstance(values, list | tuple):
        values = [values]
    if not values:
        raise ValueError(
            "List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2."
        )
    if len(values) == 1:
        return _concat_one(values[0], axis, name)
    out: Tensor = nodes.ConcatV2(list(values), axis, name=name)
    return out


@atomic
def _concat_one(value: Any, axis: Any, name: str | None) -> Tensor:
    with named(name, "concat"):
        place = convert_to_tensor(axis, name="concat_dim", dtype=dtypes.int32)
        try:
            place.shape.assert_has_rank(0)
        except ValueError as error:
            raise ValueError(
                error_text(str(error), [place], fix="the values come first: tf.concat([a, b], axis)")
            ) from None
        return identity(value, name=name)


@atomic
def stack(values: Any, axis: int = 0, name: str | None = "stack") -> Tensor:
    """The values joined along a new axis: k values [...] with axis 0 -> [k, ...].

    Raises: ValueError for an axis outside the result's rank.
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
    return nodes.Pack(list(values), axis=axis, name=name)


# -- the same elements in another order ------------------------------------------------------------------------------------


@atomic
def transpose(a: Any, perm: Any = None, name: str | None = "transpose", conjugate: bool = False) -> Tensor:
    """The axes in the order `perm` [rank], by default reversed: [m, n] -> [n, m].

    conjugate: also conjugate complex elements.
    """
    with named(name, "transpose", [a]) as scope:
        a = convert_to_tensor(a, name="a")
        if perm is None:
            if a.raw_shape:
                perm = np.arange(len(a.raw_shape))[::-1]
            else:
                count = nodes.Rank(a)
                last = nodes.Sub(count, 1, name="sub")
                perm = nodes.Sub(last, nodes.Range(0, count, 1), name="sub")
        op_caller = nodes.ConjugateTranspose if conjugate and a.dtype.is_complex else nodes.Transpose
        return op_caller(a, perm, name=scope)


# -- dtypes ----------------------------------------------------------------------------------------------------------------


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """x [...], a Tensor, SparseTensor or IndexedSlices, as another dtype; x itself where it has that dtype."""
    wanted = as_dtype(dtype).base_dtype
    if hasattr(x, "read_value") and x.dtype is wanted:
        return x  # a resource variable, which its consumer reads
    if type(x) is Tensor:
        if x.dtype is wanted:
            return x
        if not x.dtype.is_ref:
            result: Tensor = nodes.Cast(x, DstT=wanted, name=name)
            return result
    return _cast(x, wanted, name)


@atomic
def _cast(x: Any, wanted: DType, name: str | None) -> Any:
    with named(name, "Cast", [x]) as scope:
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, cast(x.values, wanted, name=scope), x.dense_shape)
        if isinstance(x, IndexedSlices):
            return IndexedSlices(cast(x.values, wanted, name=scope), x.indices, x.dense_shape)
        x = convert_to_tensor(x, name="x")
        if x.dtype.base_dtype is not wanted:
            x = nodes.Cast(x, DstT=wanted, name=scope)
        return x


@atomic
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """real + i · imag [...].

    Raises: TypeError unless both are float32 or both are float64.
    """
    real, imag = convert_to_tensor(real, name="real"), convert_to_tensor(imag, name="imag")
    with named(name, "Complex", [real, imag]) as scope:
        kinds = (real.dtype.base_dtype, imag.dtype.base_dtype)
        if kinds == (dtypes.float64, dtypes.float64):
            wanted = dtypes.complex128
        elif kinds == (dtypes.float32, dtypes.float32):
            wanted = dtypes.complex64
        else:
            raise TypeError(f"real and imag have incorrect types: {real.dtype.name} {imag.dtype.name}")
        return nodes.Complex(real, imag, Tout=wanted, name=scope)


@atomic
def real(input: Any, name: str | None = None) -> Tensor:
    """The real parts [...]; real tensors unchanged."""
    with named(name, "Real", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        return nodes.Real(input, Tout=input.dtype.real_dtype, name=scope) if input.dtype.is_complex else input


@atomic
def imag(input: Any, name: str | None = None) -> Tensor:
    """The imaginary parts [...]; zeros for real tensors."""

    with named(name, "Imag", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if input.dtype.is_complex:
            return nodes.Imag(input, Tout=input.dtype.real_dtype, name=scope)
        return zeros_like(input)


@atomic
def conj(x: Any, name: str | None = None) -> Tensor:
    """The complex conjugates [...]; real tensors unchanged.

    Raises: TypeError for a dtype that is not numeric.
    """
    if isinstance(x, Tensor) and (x.dtype.is_floating or x.dtype.is_integer):
        return x
    with named(name, "Conj", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex or x.dtype.base_dtype is dtypes.variant:
            return nodes.Conj(x, name=scope)
        if x.dtype.is_floating or x.dtype.is_integer:
            return x
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}")
