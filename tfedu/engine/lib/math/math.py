"""`tf.add`, `tf.sqrt`, `tf.equal`, `tf.cast` …: elementwise mathematics with the signatures of TF 1.15.

Every result has the inputs' (broadcast) shape [...]. Each function builds the nodes that TF builds, under the same
names. Functions that are one op with that op's signature are the op's own caller. No state.
"""

from __future__ import annotations

import builtins
import functools
from typing import Any

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...op import tensor_functions as functions
from ...op.composites import IndexedSlices, SparseTensor
from ...op.constant import constant
from ...ops import bitwise as bitwise_ops
from ...ops import complex_numbers as complex_ops
from ...ops import gather as gather_ops
from ...ops import logic as logic_ops
from ...ops import math as ops
from ..arrays import array
from ..framework.dispatch import takes_ragged
from ..framework.scope_blocks import named

# -- one op each ---------------------------------------------------------------------------------------------------


def entrywise(function: Any, label: str | None = None) -> Any:
    """A version of an elementwise `function` with f(0) = 0 that also takes a SparseTensor, and computes its values
    [nnz] alone.

    label: the name that TF claims first, for an attempt with the SparseTensor itself.
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


add = takes_ragged(ops.add)
acos, acosh, asin, asinh = map(takes_ragged, (ops.acos, ops.acosh, ops.asin, ops.asinh))
atan, atanh, atan2 = map(takes_ragged, (ops.atan, ops.atanh, ops.atan2))
ceil, cos, cosh = map(takes_ragged, (ops.ceil, ops.cos, ops.cosh))
exp, expm1, floor = map(takes_ragged, (ops.exp, ops.expm1, ops.floor))
floor_div, cross = ops.floor_div, ops.cross
floormod = mod = takes_ragged(ops.floor_mod)
greater, greater_equal = map(takes_ragged, (logic_ops.greater, logic_ops.greater_equal))
less, less_equal = map(takes_ragged, (logic_ops.less, logic_ops.less_equal))
invert_permutation = gather_ops.invert_permutation
is_finite, is_inf, is_nan = map(takes_ragged, (ops.is_finite, ops.is_inf, ops.is_nan))
log, log1p = map(takes_ragged, (ops.log, ops.log1p))
logical_and, logical_or = map(takes_ragged, (logic_ops.logical_and, logic_ops.logical_or))
logical_not = takes_ragged(logic_ops.logical_not)
maximum, minimum = map(takes_ragged, (ops.maximum, ops.minimum))
negative = takes_ragged(entrywise(ops.neg, "Neg"))
realdiv, reciprocal = map(takes_ragged, (ops.real_div, ops.reciprocal))
rint, rsqrt, sin, sinh = map(takes_ragged, (ops.rint, ops.rsqrt, ops.sin, ops.sinh))
sqrt, square = takes_ragged(entrywise(ops.sqrt, "Sqrt")), takes_ragged(entrywise(ops.square, "Square"))
squared_difference = takes_ragged(ops.squared_difference)
tan, tanh = takes_ragged(ops.tan), entrywise(ops.tanh, "Tanh")
truncatediv, truncatemod = map(takes_ragged, (ops.truncate_div, ops.truncate_mod))
nextafter, l2_loss = ops.next_after, ops.l2_loss
xdivy, xlogy = ops.xdivy, ops.xlogy
cast, complex, conj = map(takes_ragged, (functions.cast, functions.complex, functions.conj))
real, imag = map(takes_ragged, (functions.real, functions.imag))
bitwise_and, bitwise_or = map(takes_ragged, (bitwise_ops.bitwise_and, bitwise_ops.bitwise_or))
bitwise_xor, invert = map(takes_ragged, (bitwise_ops.bitwise_xor, bitwise_ops.invert))
left_shift, right_shift = map(takes_ragged, (bitwise_ops.left_shift, bitwise_ops.right_shift))


# -- arithmetic ----------------------------------------------------------------------------------------------------


def add_or_join(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x + y [...] as the operator builds it: AddV2 for numbers, Add for strings."""
    total: Tensor = (ops.add if x.dtype.base_dtype is dtypes.string else ops.add_v2)(x, y, name=name)
    return total


@takes_ragged
def subtract(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x - y [...]."""
    difference: Tensor = ops.sub(x, y, name=name)
    return difference


@takes_ragged
def multiply(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x · y [...]."""
    product: Tensor = ops.mul(x, y, name=name)
    return product


def abs(x: Any, name: str | None = None) -> Tensor:
    """|x| [...]; for complex x the modulus, a real tensor."""
    if type(x) is Tensor and not x.dtype.is_complex:
        # A single node has its own name and needs no scope around it.
        modulus: Tensor = ops.abs_(x, name=name)
        return modulus
    return _abs(x, name)


@atomic
def _abs(x: Any, name: str | None) -> Tensor:
    with named(name, "Abs", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return complex_ops.complex_abs(x, Tout=x.dtype.real_dtype, name=scope)
        return ops.abs_(x, name=scope)


abs = takes_ragged(entrywise(abs, "Abs"))


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


@takes_ragged
@atomic
def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y [...]; integers become floats first, as in Python 3.

    Raises: TypeError when the dtypes differ or cannot be divided.
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
    """x / y [...]; integers are rounded down, as in Python 2.

    Raises: TypeError when the dtypes differ.
    """
    with named(name, "div", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        kind = _same_dtype(x, y)
        divide_op = ops.real_div if kind.is_floating or kind.is_complex else ops.floor_div
        return divide_op(x, y, name=scope)


@takes_ragged
@atomic
def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y [...] as the operator / of Python 3 computes it."""
    if name is not None:
        return truediv(x, y, name)
    if not _is_tensor_like(x):
        x = convert_to_tensor(x, dtype=y.dtype.base_dtype if _is_tensor_like(y) else None)
    quotient: Tensor = x / y
    return quotient


def _is_tensor_like(x: Any) -> builtins.bool:
    return isinstance(x, Tensor) or hasattr(x, "_as_graph_element")


@takes_ragged
@atomic
def div_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y [...], and 0 where y is 0."""
    with named(name, "div_no_nan", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        return ops.div_no_nan(x, y, name=scope)


divide_no_nan = div_no_nan


@atomic
def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x · y [...], and 0 where y is 0 even if x is infinite or NaN."""
    with named(name, "multiply_no_nan", [x, y]) as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        return ops.mul_no_nan(x, y, name=scope)


@takes_ragged
@atomic
def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y [...] rounded down."""
    with named(name, "floordiv", [x, y]) as scope:
        return ops.floor_div(x, y, name=scope)


@takes_ragged
@atomic
def pow(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x to the power y [...]."""
    with named(name, "Pow", [x]) as scope:
        return ops.pow_(x, y, name=scope)


@atomic
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """scalar · x [...], a tensor or IndexedSlices.

    Raises: ValueError unless `scalar` has rank 0.
    """
    factor = convert_to_tensor(scalar, dtype=x.dtype.base_dtype, name="scalar")
    if factor.raw_shape != ():
        raise ValueError(f"Only scalar multiply works, got shape {factor.shape}")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(multiply(factor, x.values, name=name), x.indices, x.dense_shape)
    return multiply(factor, x, name=name)


@takes_ragged
@atomic
def round(x: Any, name: str | None = None) -> Tensor:
    """The nearest integers [...], ties to even; integer tensors unchanged."""
    x = convert_to_tensor(x, name="x")
    if x.dtype.is_integer:
        return x
    return ops.round_(x, name=name)


@takes_ragged
@atomic
def logical_xor(x: Any, y: Any, name: str | None = "LogicalXor") -> Tensor:
    """Whether exactly one of x and y holds [...]."""
    either, both = logical_or(x, y), logical_and(x, y)
    return logical_and(either, logical_not(both), name=name)


@takes_ragged
@atomic
@entrywise
def sign(x: Any, name: str | None = None) -> Tensor:
    """-1, 0 or 1 by the sign of x [...]; x / |x| for complex x."""
    x = convert_to_tensor(x)
    if x.dtype.is_complex:
        return ops.div_no_nan(x, cast(complex_ops.complex_abs(x, Tout=x.dtype.real_dtype), x.dtype), name=name)
    return ops.sign(x, name=name)


@takes_ragged
def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x equals y [...], as bool."""
    is_equal: Tensor = logic_ops.equal(x, y, name=name)
    return is_equal


@takes_ragged
def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Whether x differs from y [...], as bool."""
    differs: Tensor = logic_ops.not_equal(x, y, name=name)
    return differs


def sigmoid(x: Any, name: str | None = None) -> Tensor:
    """1 / (1 + exp(-x)) [...], between 0 and 1."""
    if type(x) is Tensor:
        probability: Tensor = ops.sigmoid(x, name=name)
        return probability
    return _sigmoid(x, name)


@atomic
def _sigmoid(x: Any, name: str | None) -> Tensor:
    with named(name, "Sigmoid", [x]) as scope:
        return ops.sigmoid(convert_to_tensor(x, name="x"), name=scope)


# -- dtypes --------------------------------------------------------------------------------------------------------


@takes_ragged
@atomic
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """value [...] as another dtype; values out of its range become its nearest limit."""
    with named(name, "saturate_cast", [value]) as scope:
        value = convert_to_tensor(value, name="value")
        target = as_dtype(dtype).base_dtype
        value_dtype = value.dtype.base_dtype
        if value_dtype.min < target.min:
            value = maximum(value, convert_to_tensor(target.min, dtype=value_dtype, name="min"))
        if value_dtype.max > target.max:
            value = minimum(value, convert_to_tensor(target.max, dtype=value_dtype, name="max"))
        return cast(value, target, name=scope)


def to_float(x: Any, name: str = "ToFloat") -> Tensor:
    """x [...] as float32."""
    return cast(x, dtypes.float32, name)


def to_double(x: Any, name: str = "ToDouble") -> Tensor:
    """x [...] as float64."""
    return cast(x, dtypes.float64, name)


def to_int32(x: Any, name: str = "ToInt32") -> Tensor:
    """x [...] as int32."""
    return cast(x, dtypes.int32, name)


def to_int64(x: Any, name: str = "ToInt64") -> Tensor:
    """x [...] as int64."""
    return cast(x, dtypes.int64, name)


def to_bfloat16(x: Any, name: str = "ToBFloat16") -> Tensor:
    """x [...] as bfloat16."""
    return cast(x, dtypes.bfloat16, name)


def to_complex64(x: Any, name: str = "ToComplex64") -> Tensor:
    """x [...] as complex64."""
    return cast(x, dtypes.complex64, name)


def to_complex128(x: Any, name: str = "ToComplex128") -> Tensor:
    """x [...] as complex128."""
    return cast(x, dtypes.complex128, name)


@takes_ragged
@atomic
def angle(input: Any, name: str | None = None) -> Tensor:
    """The angles [...] with the positive real axis, in radians in [-π, π]; zeros for real tensors."""

    with named(name, "Angle", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if input.dtype.is_complex:
            return complex_ops.angle(input, Tout=input.dtype.real_dtype, name=scope)
        return array.zeros_like(input)


@atomic
def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """1 / x [...], and 0 where x is 0."""
    with named(name, "reciprocal_no_nan", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        return ops.div_no_nan(constant(1, dtype=x.dtype.base_dtype, name="one"), x, name=scope)


@atomic
def polyval(coeffs: list[Any], x: Any, name: str | None = None) -> Tensor:
    """The polynomial with the coefficients coeffs, highest power first, evaluated at x [...] by Horner's rule."""

    with named(name, "polyval", [*coeffs, x]) as scope:
        x = convert_to_tensor(x, name="x")
        if not coeffs:
            return array.zeros_like(x, name=scope)
        terms = [convert_to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        total: Any = terms[0]
        for term in terms[1:]:
            total = ops.add_v2(term, ops.mul(total, x, name="mul"), name="add")
        return total


