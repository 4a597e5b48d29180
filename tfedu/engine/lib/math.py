"""`tf.add`, `tf.reduce_mean`, `tf.matmul` and the rest of TensorFlow's mathematics, with the signatures of TF 1.15.

Each function makes the nodes that TF makes, under the same names: `reduce_mean(x)` makes `Const` and `Mean`.
Functions that are one op, with that op's signature, are the op's own caller. No state.
"""

from __future__ import annotations

import builtins
import functools
from typing import Any

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dtypes import DType, as_dtype
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor, register_tensor_conversion_function
from ..graph.nodes import Tensor
from ..graph.stacks import get_default_graph
from ..ops import activations as activation_ops
from ..ops import array as array_ops
from ..ops import counting as counting_ops
from ..ops import gather as gather_ops
from ..ops import linalg as linalg_ops
from ..ops import logic as logic_ops
from ..ops import math as ops
from ..ops import reduce as reduce_ops
from ..ops import scatter as scatter_ops
from ..ops import sequences as sequence_ops
from ..ops import special as special_ops
from ..ops.composites import IndexedSlices, SparseTensor
from ..ops.convert import constant
from ..ops.infer import constant_value
from . import array, cond
from .array import _lookup
from .flow import identity
from .scope import named

# -- one op each ---------------------------------------------------------------------------------------------------


def entrywise(function: Any, label: str | None = None) -> Any:
    """The function, which takes a SparseTensor too: 0 stays 0, so that it is enough to compute with the entries.

    label: the name that TF gives to a first attempt with the SparseTensor itself, and that is used up by it.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        x = args[0] if args else kwargs.get("x")
        if type(x) is not SparseTensor:
            return function(*args, **kwargs)
        if not args:
            del kwargs["x"]
        if label is not None:
            get_default_graph().unique_name(kwargs.get("name") or (args[1] if len(args) > 1 else None) or label)
        return SparseTensor(x.indices, function(x.values, *args[1:], **kwargs), x.dense_shape)

    return call


add = ops.add
acos, acosh, asin, asinh = ops.acos, ops.acosh, ops.asin, ops.asinh
atan, atanh, atan2 = ops.atan, ops.atanh, ops.atan2
ceil, cos, cosh, cross = ops.ceil, ops.cos, ops.cosh, ops.cross
exp, expm1, floor = ops.exp, ops.expm1, ops.floor
floor_div, floormod, mod = ops.floor_div, ops.floor_mod, ops.floor_mod
greater, greater_equal = logic_ops.greater, logic_ops.greater_equal
less, less_equal = logic_ops.less, logic_ops.less_equal
invert_permutation = gather_ops.invert_permutation
is_finite, is_inf, is_nan = ops.is_finite, ops.is_inf, ops.is_nan
log, log1p = ops.log, ops.log1p
logical_and, logical_not, logical_or = logic_ops.logical_and, logic_ops.logical_not, logic_ops.logical_or
maximum, minimum, nextafter = ops.maximum, ops.minimum, ops.next_after
negative = entrywise(ops.neg, "Neg")
realdiv, reciprocal = ops.real_div, ops.reciprocal
rint, rsqrt, sin, sinh = ops.rint, ops.rsqrt, ops.sin, ops.sinh
sqrt, square = entrywise(ops.sqrt, "Sqrt"), entrywise(ops.square, "Square")
squared_difference, l2_loss = ops.squared_difference, ops.l2_loss
tan, tanh = ops.tan, entrywise(ops.tanh, "Tanh")
truncatediv, truncatemod = ops.truncate_div, ops.truncate_mod
xdivy, xlogy = ops.xdivy, ops.xlogy
bitwise_and, bitwise_or, bitwise_xor, invert = ops.bitwise_and, ops.bitwise_or, ops.bitwise_xor, ops.invert
left_shift, right_shift = ops.left_shift, ops.right_shift
segment_sum, segment_mean, segment_prod = reduce_ops.segment_sum, reduce_ops.segment_mean, reduce_ops.segment_prod
segment_max, segment_min = reduce_ops.segment_max, reduce_ops.segment_min
unsorted_segment_sum, unsorted_segment_prod = reduce_ops.unsorted_segment_sum, reduce_ops.unsorted_segment_prod
unsorted_segment_max, unsorted_segment_min = reduce_ops.unsorted_segment_max, reduce_ops.unsorted_segment_min
erf, erfc = entrywise(special_ops.erf, "Erf"), special_ops.erfc
lgamma, digamma, polygamma = special_ops.lgamma, special_ops.digamma, special_ops.polygamma
igamma, igammac, betainc, zeta = special_ops.igamma, special_ops.igammac, special_ops.betainc, special_ops.zeta
bessel_i0e = entrywise(special_ops.bessel_i0e, "BesselI0e")
bessel_i1e = entrywise(special_ops.bessel_i1e, "BesselI1e")
relu, elu, selu = activation_ops.relu, activation_ops.elu, activation_ops.selu
softsign, softplus = activation_ops.softsign, activation_ops.softplus


# -- arithmetic ----------------------------------------------------------------------------------------------------


def add_or_join(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x + y as the operator makes it: AddV2 for numbers, Add for strings."""
    found: Tensor = (ops.add if x.dtype.base_dtype is dtypes.string else ops.add_v2)(x, y, name=name)
    return found


def subtract(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x - y."""
    found: Tensor = ops.sub(x, y, name=name)
    return found


def multiply(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x · y, elementwise."""
    found: Tensor = ops.mul(x, y, name=name)
    return found


def abs(x: Any, name: str | None = None) -> Tensor:
    """|x|; the distance from 0 for complex x."""
    if type(x) is Tensor and not x.dtype.is_complex:
        # One node needs no scope around it.
        found: Tensor = ops.abs_(x, name=name)
        return found
    return _abs(x, name)


@atomic
def _abs(x: Any, name: str | None) -> Tensor:
    with named(name, "Abs", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return ops.complex_abs(x, Tout=x.dtype.real_dtype, name=scope)
        return ops.abs_(x, name=scope)


abs = entrywise(abs, "Abs")


_TRUE_QUOTIENT: dict[DType, DType | None] = {
    dtypes.uint8: dtypes.float32, dtypes.int8: dtypes.float32, dtypes.uint16: dtypes.float32,
    dtypes.int16: dtypes.float32, dtypes.uint32: dtypes.float64, dtypes.int32: dtypes.float64,
    dtypes.uint64: dtypes.float64, dtypes.int64: dtypes.float64, dtypes.bfloat16: None, dtypes.float16: None,
    dtypes.float32: None, dtypes.float64: None, dtypes.complex64: None, dtypes.complex128: None,
}  # fmt: skip


def _same_dtype(x: Tensor, y: Tensor) -> DType:
    if x.dtype.base_dtype is not y.dtype.base_dtype:
        raise TypeError(
            f"x and y must have the same dtype, got {x.dtype.base_dtype!r} != {y.dtype.base_dtype!r}"
        )
    return x.dtype.base_dtype


@atomic
def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y as Python 3 divides: integers become floats first.

    Raises: TypeError when the dtypes differ.
    """
    with named(name, "truediv", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", preferred_dtype=x.dtype.base_dtype)
        kind = _same_dtype(x, y)
        if kind not in _TRUE_QUOTIENT:
            raise TypeError(f"Invalid dtype {kind!r} in __truediv__.")
        wanted = _TRUE_QUOTIENT[kind]
        if wanted is not None:
            x, y = cast(x, wanted), cast(y, wanted)
        return ops.real_div(x, y, name=scope)


@atomic
def div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y as Python 2 divides: integers are rounded down.

    Raises: TypeError when the dtypes differ.
    """
    with named(name, "div", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        kind = _same_dtype(x, y)
        divide_op = ops.real_div if kind.is_floating or kind.is_complex else ops.floor_div
        return divide_op(x, y, name=scope)


@atomic
def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y as Python 3 divides."""
    if name is not None:
        return truediv(x, y, name)
    if not _is_tensor_like(x):
        x = convert_to_tensor(x, dtype=y.dtype.base_dtype if _is_tensor_like(y) else None)
    quotient: Tensor = x / y
    return quotient


def _is_tensor_like(x: Any) -> builtins.bool:
    return isinstance(x, Tensor) or hasattr(x, "_as_graph_element")


@atomic
def div_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, and 0 where y is 0."""
    with named(name, "div_no_nan", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        return ops.div_no_nan(x, y, name=scope)


@atomic
def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x · y, and 0 where y is 0 even if x is infinite or NaN."""
    with named(name, "multiply_no_nan", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        return ops.mul_no_nan(x, y, name=scope)


@atomic
def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The largest integer not above x / y."""
    with named(name, "floordiv", [x, y]) as scope:
        return ops.floor_div(x, y, name=scope)


@atomic
def pow(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x to the y."""
    with named(name, "Pow", [x]) as scope:
        return ops.pow_(x, y, name=scope)


@atomic
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Tensor:
    """scalar · x.

    Raises: ValueError for what is no scalar.
    """
    factor = convert_to_tensor(scalar, dtype=x.dtype.base_dtype, name="scalar")
    if factor.raw_shape != ():
        raise ValueError(f"Only scalar multiply works, got shape {factor.shape}")
    return multiply(factor, x, name=name)


@atomic
def round(x: Any, name: str | None = None) -> Tensor:
    """The nearest integer, ties to even; integers as they are."""
    x = convert_to_tensor(x, name="x")
    if x.dtype.is_integer:
        return x
    return ops.round_(x, name=name)


@atomic
def logical_xor(x: Any, y: Any, name: str | None = "LogicalXor") -> Tensor:
    """Whether exactly one holds."""
    either, both = logical_or(x, y), logical_and(x, y)
    return logical_and(either, logical_not(both), name=name)


@atomic
@entrywise
def sign(x: Any, name: str | None = None) -> Tensor:
    """-1, 0 or 1 by the sign of x; x / |x| for complex x."""
    x = convert_to_tensor(x)
    if x.dtype.is_complex:
        return ops.div_no_nan(x, cast(ops.complex_abs(x, Tout=x.dtype.real_dtype), x.dtype), name=name)
    return ops.sign(x, name=name)


def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x equals y, elementwise."""
    found: Tensor = logic_ops.equal(x, y, name=name)
    return found


def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x differs from y, elementwise."""
    found: Tensor = logic_ops.not_equal(x, y, name=name)
    return found


def sigmoid(x: Any, name: str | None = None) -> Tensor:
    """1 / (1 + e to the -x)."""
    if type(x) is Tensor:
        found: Tensor = ops.sigmoid(x, name=name)
        return found
    return _sigmoid(x, name)


@atomic
def _sigmoid(x: Any, name: str | None) -> Tensor:
    with named(name, "Sigmoid", [x]) as scope:
        return ops.sigmoid(convert_to_tensor(x, name="x"), name=scope)


@atomic
def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of the sigmoid."""
    with named(name, "LogSigmoid", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return negative(activation_ops.softplus(negative(x)), name=scope)


@atomic
def relu6(features: Any, name: str | None = None) -> Tensor:
    """x between 0 and 6."""
    with named(name, "Relu6", [features]) as scope:
        return activation_ops.relu6(convert_to_tensor(features, name="features"), name=scope)


@atomic
def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """x above 0, alpha · x below."""
    with named(name, "LeakyRelu", [features, alpha]) as scope:
        features = convert_to_tensor(features, name="features")
        if features.dtype.is_integer:
            features = cast(features, dtypes.float32)
        if isinstance(alpha, Tensor):
            return ops.maximum(multiply(alpha, features), features, name=scope)
        return activation_ops.leaky_relu(features, alpha=alpha, name=scope)


@atomic
def _over_axis(function: Any, logits: Any, axis: int, name: str | None) -> Tensor:
    """A softmax along any axis: that axis is exchanged with the last one, and back again."""
    logits = convert_to_tensor(logits)
    count = None if logits.raw_shape is None else len(logits.raw_shape)
    if axis == -1 or (count is not None and axis == count - 1):
        return function(logits, name=name)
    if count is not None and not -count <= axis < count:
        raise errors.InvalidArgumentError(
            None, None, f"Dimension (which is {axis}) must be in the range [{-count}, {count})"
        )
    ndims = array.rank(logits)
    at: Any = ops.add_v2(axis, ndims) if axis < 0 else axis
    last_axis = array.rank(logits)
    if count is not None:
        at = axis % count

    def swapped(tensor: Tensor, name: str | None = None) -> Tensor:
        last = subtract(last_axis, 1)
        order = array.concat([range(at), [last], range(at + 1, last), [at]], 0)
        return array.transpose(tensor, order, name=name)

    out = swapped(function(swapped(logits)), name=name)
    out.set_shape(logits.shape)
    return out


def softmax(logits: Any, axis: int | None = None, name: str | None = None, dim: int | None = None) -> Tensor:
    """e to the x, divided by the sum along an axis."""
    chosen = _lookup("axis", axis, "dim", dim)
    return _over_axis(activation_ops.softmax, logits, -1 if chosen is None else chosen, name)


def log_softmax(
    logits: Any, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """The logarithm of the softmax."""
    chosen = _lookup("axis", axis, "dim", dim)
    return _over_axis(activation_ops.log_softmax, logits, -1 if chosen is None else chosen, name)


# -- dtypes --------------------------------------------------------------------------------------------------------


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """x, which may be sparse, as another dtype; x itself where it has that dtype already."""
    wanted = as_dtype(dtype).base_dtype
    if type(x) is Tensor:
        if x.dtype is wanted:
            return x
        if not x.dtype.is_ref:
            found: Tensor = ops.cast(x, DstT=wanted, name=name)
            return found
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
            x = ops.cast(x, DstT=wanted, name=scope)
        return x


@atomic
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """value as another dtype; what does not fit becomes the nearest number that does."""
    with named(name, "saturate_cast", [value]) as scope:
        value = convert_to_tensor(value, name="value")
        wanted = as_dtype(dtype).base_dtype
        have = value.dtype.base_dtype
        if have.min < wanted.min:
            value = maximum(value, convert_to_tensor(wanted.min, dtype=have, name="min"))
        if have.max > wanted.max:
            value = minimum(value, convert_to_tensor(wanted.max, dtype=have, name="max"))
        return cast(value, wanted, name=scope)


def to_float(x: Any, name: str = "ToFloat") -> Tensor:
    """x as float32."""
    return cast(x, dtypes.float32, name)


def to_double(x: Any, name: str = "ToDouble") -> Tensor:
    """x as float64."""
    return cast(x, dtypes.float64, name)


def to_int32(x: Any, name: str = "ToInt32") -> Tensor:
    """x as int32."""
    return cast(x, dtypes.int32, name)


def to_int64(x: Any, name: str = "ToInt64") -> Tensor:
    """x as int64."""
    return cast(x, dtypes.int64, name)


def to_bfloat16(x: Any, name: str = "ToBFloat16") -> Tensor:
    """x as bfloat16."""
    return cast(x, dtypes.bfloat16, name)


def to_complex64(x: Any, name: str = "ToComplex64") -> Tensor:
    """x as complex64."""
    return cast(x, dtypes.complex64, name)


def to_complex128(x: Any, name: str = "ToComplex128") -> Tensor:
    """x as complex128."""
    return cast(x, dtypes.complex128, name)


@atomic
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """real + i · imag.

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
        return ops.complex_(real, imag, Tout=wanted, name=scope)


@atomic
def real(input: Any, name: str | None = None) -> Tensor:
    """The real part; real numbers as they are."""
    with named(name, "Real", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        return ops.real(input, Tout=input.dtype.real_dtype, name=scope) if input.dtype.is_complex else input


@atomic
def imag(input: Any, name: str | None = None) -> Tensor:
    """The imaginary part; zeros for real numbers."""

    with named(name, "Imag", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if input.dtype.is_complex:
            return ops.imag(input, Tout=input.dtype.real_dtype, name=scope)
        return array.zeros_like(input)


@atomic
def angle(input: Any, name: str | None = None) -> Tensor:
    """The angle with the real axis; zeros for real numbers."""

    with named(name, "Angle", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if input.dtype.is_complex:
            return ops.angle(input, Tout=input.dtype.real_dtype, name=scope)
        return array.zeros_like(input)


@atomic
def conj(x: Any, name: str | None = None) -> Tensor:
    """The conjugate; real numbers as they are.

    Raises: TypeError for what is no number.
    """
    if isinstance(x, Tensor) and (x.dtype.is_floating or x.dtype.is_integer):
        return x
    with named(name, "Conj", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex or x.dtype.base_dtype is dtypes.variant:
            return ops.conj(x, name=scope)
        if x.dtype.is_floating or x.dtype.is_integer:
            return x
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}")


# -- reductions ----------------------------------------------------------------------------------------------------


def _axes(x: Any, axis: Any) -> Any:
    """The axes to reduce: all of them where none is named."""
    if axis is not None:
        return axis
    # TF asks a variable for its rank by nodes, though it is known.
    if isinstance(x, Tensor) and x.raw_shape is not None:
        return constant(np.arange(len(x.raw_shape)), dtype=dtypes.int32)
    return range(0, array.rank(x))


def _reduced(op_caller: Any, x: Any, axis: Any, keepdims: Any, name: str | None) -> Tensor:
    keep = False if keepdims is None else builtins.bool(keepdims)
    everything = axis is None
    out: Tensor = op_caller(x, _axes(x, axis), keep_dims=keep, name=name)
    if everything and not keep and not shapes.is_full(out.raw_shape):
        out.set_shape(())
    return out


@atomic
def _reduced_whole(op_caller: Any, x: Any, axis: None, keepdims: Any, name: str | None) -> Tensor:
    """Over all axes, for which a constant is made first."""
    return _reduced(op_caller, x, axis, keepdims, name)


def _reduction(name: str, op_caller: Any, doc: str) -> Any:
    def reduce(
        input_tensor: Any,
        axis: Any = None,
        keepdims: Any = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: Any = None,
    ) -> Tensor:
        axis = _lookup("axis", axis, "reduction_indices", reduction_indices)
        keep = _lookup("keepdims", keepdims, "keep_dims", keep_dims)
        whole = _reduced_whole if axis is None else _reduced
        return whole(op_caller, input_tensor, axis, keep, name)

    reduce.__doc__ = f"{doc}\n\naxis: the axes to reduce, all by default; keepdims: they stay, with length 1."
    # Python names a function in its own messages by its code.
    reduce.__code__ = reduce.__code__.replace(co_name=name, co_qualname=name)
    reduce.__name__ = reduce.__qualname__ = name
    return reduce


reduce_sum = _reduction("reduce_sum", reduce_ops.sum_, "The sum.")
reduce_mean = _reduction("reduce_mean", reduce_ops.mean, "The mean; integers are cut towards 0.")
reduce_prod = _reduction("reduce_prod", reduce_ops.prod, "The product.")
reduce_max = _reduction("reduce_max", reduce_ops.max_, "The largest element.")
reduce_min = _reduction("reduce_min", reduce_ops.min_, "The smallest element.")
reduce_all = _reduction("reduce_all", reduce_ops.all_, "Whether all hold.")
reduce_any = _reduction("reduce_any", reduce_ops.any_, "Whether any holds.")


@atomic
def reduce_logsumexp(
    input_tensor: Any,
    axis: Any = None,
    keepdims: Any = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: Any = None,
) -> Tensor:
    """The logarithm of the sum of e to the x, without overflow."""

    axis = _lookup("axis", axis, "reduction_indices", reduction_indices)
    keep = builtins.bool(_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    x = convert_to_tensor(input_tensor)
    with named(name, "ReduceLogSumExp", [x]) as scope:
        largest = reduce_max(x, axis=axis, keepdims=True)
        shift = array.stop_gradient(
            logic_ops.select(is_finite(largest), largest, array_ops.zeros_like(largest))
        )
        result = log(reduce_sum(exp(subtract(x, shift)), axis=axis, keepdims=keep))
        if not keep:
            shift = array.reshape(shift, array_ops.shape(result))
        return ops.add(result, shift, name=scope)


@atomic
def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Tensor:
    """The mean squared distance from the mean.

    Raises: TypeError for integers.
    """
    with named(name, "reduce_variance"):
        x = convert_to_tensor(input_tensor)
        means = reduce_mean(x, axis=axis, keepdims=True)
        if means.dtype.is_integer:
            raise TypeError("Input must be either real or complex")
        difference: Tensor = x - means  # type: ignore[operator]
        if difference.dtype.is_complex:
            squares = ops.real(ops.mul(ops.conj(difference), difference), Tout=difference.dtype.real_dtype)
        else:
            squares = square(difference)
        return reduce_mean(squares, axis=axis, keepdims=keepdims)


@atomic
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None) -> Tensor:
    """The root of the variance."""
    with named(name, "reduce_std"):
        return sqrt(reduce_variance(convert_to_tensor(input_tensor), axis=axis, keepdims=keepdims))


@atomic
def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Tensor:
    """The root of the sum of squares."""
    return _reduced(reduce_ops.euclidean_norm, input_tensor, axis, keepdims, name)


@atomic
def count_nonzero(
    input_tensor: Any = None,
    axis: Any = None,
    keepdims: Any = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: Any = None,
    input: Any = None,
) -> Tensor:
    """How many elements are not 0."""

    keep = builtins.bool(_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    x = _lookup("input", input, "input_tensor", input_tensor)
    axis = _lookup("axis", axis, "reduction_indices", reduction_indices)
    with named(name, "count_nonzero", [x]):
        x = convert_to_tensor(x, name="input")
        there = x if x.dtype.is_bool else not_equal(x, array.zeros([], dtype=x.dtype))
        return cast(reduce_sum(cast(there, dtypes.int64), axis=axis, keepdims=keep), dtype)


def _place(
    op_caller: Any, input: Any, axis: Any, name: str | None, dimension: Any, output_type: Any
) -> Tensor:
    axis = _lookup("axis", axis, "dimension", dimension)
    out: Tensor = op_caller(input, 0 if axis is None else axis, output_type=as_dtype(output_type), name=name)
    return out


def argmax(
    input: Any,
    axis: Any = None,
    name: str | None = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Tensor:
    """The place of the largest element along an axis, 0 by default."""
    return _place(reduce_ops.arg_max, input, axis, name, dimension, output_type)


def argmin(
    input: Any,
    axis: Any = None,
    name: str | None = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Tensor:
    """The place of the smallest element along an axis, 0 by default."""
    return _place(reduce_ops.arg_min, input, axis, name, dimension, output_type)


arg_max, arg_min = reduce_ops.arg_max, reduce_ops.arg_min


@atomic
def _unsorted_counts(data: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """How many rows each segment has, at least 1, shaped so that it divides the sums."""
    ones = array.ones(array.shape(segment_ids), dtype=data.dtype)
    counts = unsorted_segment_sum(ones, segment_ids, num_segments)
    counts = array.reshape(counts, [num_segments] + [1] * (len(data.shape) - len(segment_ids.shape)))
    return maximum(counts, 1)


@atomic
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The mean of the rows of each segment."""
    with named(name, "UnsortedSegmentMean"):
        data, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        counts: Any = _unsorted_counts(data, ids, num_segments)
        return unsorted_segment_sum(data, ids, num_segments) / counts  # type: ignore[no-any-return]


@atomic
def unsorted_segment_sqrt_n(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sum of the rows of each segment, divided by the root of their number."""
    with named(name, "UnsortedSegmentSqrtN"):
        data, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        counts = _unsorted_counts(data, ids, num_segments)
        return unsorted_segment_sum(data, ids, num_segments) / sqrt(counts)  # type: ignore[no-any-return]


@atomic
def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, and 0 where y is 0."""
    return div_no_nan(x, y, name)


@atomic
def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """1 / x, and 0 where x is 0."""
    with named(name, "reciprocal_no_nan", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return ops.div_no_nan(constant(1, dtype=x.dtype.base_dtype, name="one"), x, name=scope)


@atomic
def bessel_i0(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0."""
    with named(name, "bessel_i0", [x]):
        return ops.mul(exp(abs(x)), bessel_i0e(x), name="mul")


@atomic
def bessel_i1(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1."""
    with named(name, "bessel_i1", [x]):
        return ops.mul(exp(abs(x)), bessel_i1e(x), name="mul")


@atomic
def lbeta(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of |Beta(x)| along the last axis."""
    with named(name, "lbeta", [x]):
        x = convert_to_tensor(x, name="x")
        return ops.sub(reduce_sum(lgamma(x), [-1]), lgamma(reduce_sum(x, [-1])), name="sub")


def _steps(x: Any) -> Tensor:
    """Each element less the one before it, in row-major order."""
    flat = array.reshape(x, [-1])
    kind = flat.dtype.base_dtype
    if not (kind.is_floating or kind.is_integer or kind.is_complex or kind.is_quantized):
        raise TypeError(f"Expected x to be numeric, instead found: {flat}")
    too_few = less(array.size(flat), 2)
    count: Any = array.shape(flat) - 1  # type: ignore[operator]

    def differences() -> Any:
        return array.strided_slice(flat, [1], [1] + count) - array.strided_slice(flat, [0], count)  # type: ignore[operator]

    return cond.cond(too_few, lambda: convert_to_tensor([], dtype=kind), differences)  # type: ignore[no-any-return]


@atomic
def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether no element is below the one before it, in row-major order."""
    with named(name, "is_non_decreasing", [x]):
        steps = _steps(x)
        return reduce_all(less_equal(convert_to_tensor(0, dtype=steps.dtype), steps))


@atomic
def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether every element is above the one before it, in row-major order."""
    with named(name, "is_strictly_increasing", [x]):
        steps = _steps(x)
        return reduce_all(less(convert_to_tensor(0, dtype=steps.dtype), steps))


@atomic
def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    weights: Any = None,
) -> Tensor:
    """[classes, classes]: how often a label (row) was predicted as a class (column)."""
    with named(name, "confusion_matrix", [predictions, labels]) as scope:
        labels, predictions = (cast(convert_to_tensor(v), dtypes.int64) for v in (labels, predictions))
        if num_classes is None:
            num_classes = ops.add_v2(maximum(reduce_max(predictions), reduce_max(labels)), 1)
        count = cast(num_classes, dtypes.int64)
        values = array.ones_like(predictions, dtype) if weights is None else cast(weights, dtype)
        places = array.stack([labels, predictions], axis=1)
        return scatter_ops.scatter_nd(places, values, array.stack([count, count]), name=scope)


# -- sequences -----------------------------------------------------------------------------------------------------

_RANGE_DTYPES = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@atomic
def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """start, start + delta, … up to but not with limit; `range(n)` counts from 0.

    The dtype is the widest of the three numbers' where none is asked for.
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
            found = [v.dtype.base_dtype for v in values]
            for kind in found:
                if kind not in _RANGE_DTYPES:
                    raise TypeError(f"range cannot count in {kind.name}: give a dtype")
            wanted = max(found, key=_RANGE_DTYPES.index)
        values = [cast(value, wanted) for value in values]
        return sequence_ops.range_(*values, name=scope)


def linspace(start: Any, stop: Any, num: Any, name: str | None = None) -> Tensor:
    """num numbers from start to stop, both included."""
    out: Tensor = sequence_ops.lin_space(start, stop, num, name=name)
    return out


lin_space = linspace


@atomic
def cumsum(
    x: Any,
    axis: Any = 0,
    exclusive: builtins.bool = False,
    reverse: builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """The sums of the elements up to each one along an axis."""
    with named(name, "Cumsum", [x]) as scope:
        return sequence_ops.cumsum(
            convert_to_tensor(x, name="x"), axis, exclusive=exclusive, reverse=reverse, name=scope
        )


@atomic
def cumprod(
    x: Any,
    axis: Any = 0,
    exclusive: builtins.bool = False,
    reverse: builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """The products of the elements up to each one along an axis."""
    with named(name, "Cumprod", [x]) as scope:
        return sequence_ops.cumprod(
            convert_to_tensor(x, name="x"), axis, exclusive=exclusive, reverse=reverse, name=scope
        )


@atomic
def cumulative_logsumexp(
    x: Any,
    axis: Any = 0,
    exclusive: builtins.bool = False,
    reverse: builtins.bool = False,
    name: str | None = None,
) -> Tensor:
    """The logarithm of the sums of e to the elements up to each one along an axis."""
    with named(name, "CumulativeLogsumexp", [x]) as scope:
        return sequence_ops.cumulative_logsumexp(
            convert_to_tensor(x, name="x"), axis, exclusive=exclusive, reverse=reverse, name=scope
        )


@atomic
def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = dtypes.int32
) -> Tensor:
    """How often each number occurs in arr, or the sum of the weights at its places."""

    arr = convert_to_tensor(arr, name="arr", dtype=dtypes.int32)
    filled = greater(reduce_prod(array.shape(arr)), 0)
    size = multiply(cast(filled, dtypes.int32), ops.add_v2(reduce_max(arr), 1))
    if minlength is not None:
        size = maximum(convert_to_tensor(minlength, name="minlength", dtype=dtypes.int32), size)
    if maxlength is not None:
        size = minimum(convert_to_tensor(maxlength, name="maxlength", dtype=dtypes.int32), size)
    if weights is not None:
        return unsorted_segment_sum(convert_to_tensor(weights, name="weights"), arr, size)
    return counting_ops.bincount(arr, size, constant([], dtype))


@atomic
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """How many values lie in each of nbins equal parts of a range."""
    with named(name, "histogram_fixed_width", [values, value_range, nbins]) as scope:
        return counting_ops.histogram_fixed_width(values, value_range, nbins, dtype=as_dtype(dtype), name=scope)


@atomic
def polyval(coeffs: list[Any], x: Any, name: str | None = None) -> Tensor:
    """The polynomial with these coefficients, highest power first, at x."""

    with named(name, "polyval", [*coeffs, x]) as scope:
        x = convert_to_tensor(x, name="x")
        if not coeffs:
            return array.zeros_like(x, name=scope)
        terms = [convert_to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        total: Any = terms[0]
        for term in terms[1:]:
            total = ops.add_v2(term, ops.mul(total, x, name="mul"), name="add")
        return total


@atomic
def trace(x: Any, name: str | None = None) -> Tensor:
    """The sums [...] of the diagonals of matrices [..., m, n]."""
    with named(name, "Trace", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return reduce_sum(linalg_ops.matrix_diag_part(x, name="diag_part"), [-1], name=scope)


@atomic
def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The share of the elements that are 0."""
    with named(name, "zero_fraction", [value]):
        value = convert_to_tensor(value, name="value")
        size: Any = array.size(value, out_type=dtypes.int64)

        def counted(dtype: DType) -> Tensor:
            with named("count_nonzero", "count_nonzero", [value]):
                there = not_equal(value, array.zeros([], dtype=value.dtype))
                return reduce_sum(cast(there, dtype), name="nonzero_count")

        # A count that fits into int32 is taken in it.
        found = cond.cond(
            size <= dtypes.int32.max,
            lambda: cast(counted(dtypes.int32), dtypes.int64),
            lambda: counted(dtypes.int64),
        )
        with named("counts_to_fraction", "counts_to_fraction"):
            zeros = cast(size - found, dtypes.float32)
            share: Any = zeros / cast(size, dtypes.float32)  # type: ignore[operator]
        return identity(share, "fraction")


def reduced_shape(input_shape: Any, axes: Any) -> Tensor:
    """The shape of a reduction that keeps its axes, as a tensor."""
    known_shape, known_axes = (
        constant_value(convert_to_tensor(input_shape)),
        constant_value(convert_to_tensor(axes)),
    )
    if known_shape is not None and known_axes is not None:
        out = np.array(known_shape)
        out[np.ravel(known_axes)] = 1
        return constant(out, dtypes.int32)

    sizes, places = cast(input_shape, dtypes.int32), cast(axes, dtypes.int32)
    rank = array.size(sizes)
    places = floormod(ops.add_v2(places, rank), rank)
    ones = array.fill(array.shape(places), 1)
    return gather_ops.dynamic_stitch([range(rank), places], [sizes, ones])


def _from_range(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: builtins.bool = False
) -> Tensor:
    return range(value.start, value.stop, value.step, dtype=dtype, name=name or "range")


register_tensor_conversion_function(builtins.range, _from_range)
