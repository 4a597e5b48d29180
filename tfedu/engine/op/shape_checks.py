"""What the op tables share: lists of dtypes in the registry's order, and the checks that shape rules make.

A check returns the shape or size that follows from it, and raises ShapeMismatch with TF's text when it fails.
State: two caches of small index vectors: most nodes get the same ones in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dtypes import DType, as_dtype
from ..base.shapes import Shape, ShapeMismatch
from .define import Sym, in_words, typevar


def kinds(names: str) -> tuple[DType, ...]:
    """The dtypes of a list of names."""
    return tuple(as_dtype(name) for name in names.split())


FLOATS = kinds("bfloat16 half float double")
HALF_FIRST = kinds("half bfloat16 float double")
COMPLEX = kinds("complex64 complex128")
REALS = kinds("float double int32 uint8 int16 int8 int64 bfloat16 uint16 half uint32 uint64")
NUMBERS = kinds(
    "float double int32 uint8 int16 int8 complex64 int64 qint8 quint8 qint32 bfloat16 qint16 quint16 uint16 complex128 "
    "half uint32 uint64"
)
REALS_AND_QUANTIZED = (*REALS, *kinds("qint8 quint8 qint32 qint16 quint16"))
INTEGERS = kinds("int8 int16 int32 int64 uint8 uint16 uint32 uint64")
INDEX = kinds("int32 int64")
WIDE_INDEX = kinds("int16 int32 int64")

# Type attributes that many tables use.
Any_ = typevar("T")
Float = typevar("T", FLOATS)
HalfFloat = typevar("T", HALF_FIRST)
Number = typevar("T", NUMBERS)
Real = typevar("T", REALS)
Tidx = typevar("Tidx", INDEX, default=dtypes.int32)


# -- checks of shape rules -----------------------------------------------------------------------------------------


def of_rank(shape: Shape, rank: int, fix: str | None = None) -> tuple[int | None, ...]:
    """The shape, which must have that rank; open sizes where it is unknown. fix: advice for an error."""
    if shape is None:
        return (None,) * rank
    if len(shape) != rank:
        raise ShapeMismatch(f"Shape must be rank {rank} but is rank {len(shape)}", fix)
    return shape


def at_least(shape: Shape, rank: int) -> Shape:
    """The shape, which must have that rank or a higher one."""
    if shape is not None and len(shape) < rank:
        raise ShapeMismatch(f"Shape must be at least rank {rank} but is rank {len(shape)}")
    return shape


def at_most(shape: Shape, rank: int) -> Shape:
    """The shape, which must have that rank or a lower one."""
    if shape is not None and len(shape) > rank:
        raise ShapeMismatch(f"Shape must be at most rank {rank} but is rank {len(shape)}")
    return shape


def scalar(sym: Sym) -> None:
    """The input must be a scalar."""
    of_rank(sym.shape, 0)


def vector(sym: Sym) -> int | None:
    """The input must be a vector; its length."""
    return of_rank(sym.shape, 1)[0]


def one_length(*vectors: Sym) -> int | None:
    """The common length of the inputs, which must be vectors."""
    common: Shape = None
    for sym in vectors:
        vector(sym)
    for sym in vectors:
        common = shapes.merge(common, sym.shape)
    return None if common is None else common[0]


def same(a: int | None, b: int | None) -> int | None:
    """The size that two equal ones have, as far as it is known."""
    if a is None:
        return b
    if b is not None and a != b:
        raise ShapeMismatch(f"Dimensions must be equal, but are {a} and {b}")
    return a


def after_prefix(shape: Shape, prefix: Shape) -> Shape:
    """The rest of the shape after `prefix`, with which it must begin."""
    if shape is None or prefix is None:
        return None
    at_least(shape, len(prefix))
    for size, prefix_size in zip(shape, prefix):
        same(size, prefix_size)
    return shape[len(prefix) :]


def size_of(sym: Sym, position: int) -> int | None:
    """The size of an axis, which is the value of a scalar input. position: the input's number, for the message."""
    value = sym.value
    if value is None:
        return None
    if np.ndim(value):
        raise ShapeMismatch(f"Input must be scalar but has rank {np.ndim(value)}")
    if value < 0:
        raise ShapeMismatch(
            f"Dimension size, given by scalar input {position}, must be non-negative but is {int(value)}"
        )
    return int(value)


def with_value(size: int | None, value: int) -> int:
    """The size, which must be `value`."""
    if size is not None and size != value:
        raise ShapeMismatch(f"Dimension must be {value} but is {size}")
    return value


def sizes_of(sym: Sym) -> Shape:
    """A vector of sizes as a partly known shape; -1 is an unknown size, and less than that is an error."""
    value = sym.value
    if value is None or np.ndim(value) != 1:
        return sym.as_shape
    # An error message lists it among the partial shapes, not among the tensors.
    sym.value_was_read, sym.shape_was_read = False, True
    sizes: list[int | None] = value.tolist()
    for i, n in enumerate(sizes):
        if n is not None and n < 0:
            if n < -1:
                raise ShapeMismatch(f"Invalid value in tensor used for shape: {n}")
            sizes[i] = None
    return tuple(sizes)


def merged(symbols: Iterable[Sym]) -> Shape:
    """The shape that all inputs of a list must have."""
    common: Shape = None
    for i, sym in reversed(list(enumerate(symbols))):
        if sym.shape == common:
            continue
        try:
            common = shapes.merge(sym.shape, common)
        except ShapeMismatch as mismatch:
            raise ShapeMismatch(f"{mismatch}\n\tFrom merging shape {i} with other shapes.") from None
    return common


def scalar_rule(*_: Sym, **__: Any) -> Shape:
    """A rule: the output is a scalar."""
    return ()


def scalars_at(*places: int, lists: tuple[int, ...] = ()) -> Callable[..., Shape]:
    """A rule: the output is a scalar, and so are the inputs at these places. lists: places of inputs that may also be vectors."""

    @in_words("The result is a scalar.")
    def rule(*inputs: Sym, **_: Any) -> Shape:
        for place in lists:
            at_most(inputs[place].shape, 1)
        for place in places:
            scalar(inputs[place])
        return ()

    return rule


# -- what kernels share --------------------------------------------------------------------------------------------


def invalid(text: str, fix: str | None = None) -> errors.InvalidArgumentError:
    """The error of a kernel with wrong arguments; the runtime adds the node."""
    error = errors.InvalidArgumentError(None, None, text)
    error.fix = fix
    return error


def outside_segments(segment: int, count: int) -> errors.InvalidArgumentError:
    """The error for the id of a segment that is not from 0 to below count."""
    return invalid(f"Segment id {segment} out of range [0, {count}), possibly because 'segment_ids' input is not sorted.")


def unimplemented(text: str, fix: str | None = None) -> errors.UnimplementedError:
    """The error of a kernel for what no kernel of TF computes."""
    error = errors.UnimplementedError(None, None, text)
    error.fix = fix
    return error


def uninitialized(text: str) -> errors.FailedPreconditionError:
    """The error of a kernel that reads an uninitialized variable."""
    error = errors.FailedPreconditionError(None, None, text)
    error.fix = (
        "run tf.global_variables_initializer() in this session first, made after all variables and optimizers (for local "
        "variables: tf.local_variables_initializer()); an initial value that reads a variable takes its initialized_value()"
    )
    return error


def needs_rank(value: Any, rank: int, text: str) -> None:
    """Raises: InvalidArgumentError with `text`, in which {shape} is the value's shape, unless the value has that rank."""
    if np.ndim(value) != rank:
        raise invalid(text.format(shape=text_of(np.shape(value))))


def fit(*known: tuple[int, ...]) -> bool:
    """Whether arrays of these shapes broadcast."""
    sizes: dict[int, int] = {}
    for shape in known:
        for place, size in enumerate(reversed(shape)):
            if size != 1 and sizes.setdefault(place, size) != size:
                return False
    return True


def unequal(
    type: str, first: int, first_shape: Iterable[int], second: int, second_shape: Iterable[int]
) -> errors.InvalidArgumentError:
    """The error of an op whose inputs `first` and `second` must have the same shape; the runtime fills in the node's name."""
    return invalid(
        f"Inputs to operation {{node}} of type {type} must have the same size and shape.  "
        f"Input {first}: {text_of(first_shape)} != input {second}: {text_of(second_shape)}"
    )


def as_array(value: Any) -> Any:
    """A value of any rank as an array, also a scalar string; an array of a device stays there."""
    if isinstance(value, bytes):
        array = np.empty((), object)
        array[()] = value
        return array
    return value if hasattr(value, "__array_function__") else np.asarray(value)


def unwrapped(array: Any) -> Any:
    """The scalar (or string) of a rank-0 array; other arrays unchanged."""
    return array[()] if array.ndim == 0 else array


def axes_of(indices: Any, rank: int) -> tuple[int, ...]:
    """The axes that a reduction names, counted from the front.

    Raises: InvalidArgumentError for axes that do not exist or are named twice.
    """
    return _axes(indices.tobytes(), indices.dtype.char, rank)


@lru_cache(maxsize=4096)
def _axes(indices: bytes, kind: str, rank: int) -> tuple[int, ...]:
    # The axes are nearly always a constant: a node asks for the same ones in every run.
    axes: list[int] = []
    for i in np.frombuffer(indices, kind).tolist():
        if not -rank <= i < rank:
            raise invalid(f"Invalid reduction dimension ({i} for input with {rank} dimension(s)")
        at = i + rank if i < 0 else i
        if at in axes:
            raise invalid(f"Invalid reduction arguments: Axes contains duplicate dimension: {at}")
        axes.append(at)
    return tuple(axes)


@lru_cache(maxsize=4096)
def _numbers(vector: bytes, kind: str) -> tuple[int, ...]:
    return tuple(np.frombuffer(vector, kind).tolist())


def ints_of(vector: Any) -> tuple[int, ...]:
    """The elements of an integer array as Python ints; most nodes get the same vector in each run."""
    return _numbers(vector.tobytes(), vector.dtype.char)


def axis_at(value: Any, rank: int, text: str) -> int:
    """The axis counted from the front.

    Raises: InvalidArgumentError with `text`, which may contain {at} and {rank}, when there is no such axis.
    """
    at = int(value)
    if not -rank <= at < rank:
        raise invalid(text.format(at=at, rank=rank))
    return at % rank


def text_of(shape: Iterable[int]) -> str:
    """A known shape in the form of run-time errors: `[2,3]`."""
    return "[" + ",".join(map(str, shape)) + "]"
