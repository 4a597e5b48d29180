"""Tensor arrays: lists of tensors that live for one run; each element is written once, and read once unless it is kept.

`TensorArrayV3` creates an array and its flow, a number without meaning whose edges order reads after writes. The gradient
of an array is another array, in which several writes of one element add up.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape
from ..op.define import ShapeAttr, Sym, op
from ..op.gradient_rules import CONTENT
from ..op.shape_checks import (
    Any_,
    after_prefix,
    ints_of,
    invalid,
    needs_rank,
    of_rank,
    scalar,
    text_of,
    unwrapped,
)
from .state import added
from .value_stacks import numbered, pair, resource_as

FLOW: Final = np.float32(0)
_INT, _ARRAY, _OTHER = np.int32, np.ndarray, object()
_ONCE: Final = "each element is written once, before it is read: what changes in a loop is a loop variable of its own"
_SHAPE: Final = operator.attrgetter("shape")


class _Gap:
    """An element without a value: not written yet, cleared, or zeros of a gradient that are not built yet."""

    __slots__ = ("why", "shape")

    def __init__(self, why: str, shape: Shape = None) -> None:
        self.why = why
        self.shape = shape

    def __repr__(self) -> str:
        return self.why


UNWRITTEN, CLEARED = _Gap("unwritten"), _Gap("cleared")


def _is_reference(value: Any) -> bool:
    return not isinstance(value, (np.ndarray, np.generic, bytes))


def _now(value: Any) -> Any:
    """An element's current value; an element written as a reference has the variable's value."""
    return value.value if _is_reference(value) else value


def _shape_of(value: Any) -> Any:
    if type(value) is np.ndarray:
        return value.shape
    return value.shape if type(value) is _Gap else np.shape(_now(value)) if _is_reference(value) else ()


class Array:
    """A tensor array.

    shape: the elements' partly known shape; identical: the first written element completes it.
    clears: a read clears the element. adds: a further write adds to the element (gradients).
    marked: the size after the last scatter or split, which a gradient's concat goes by (-1: none).
    """

    __slots__ = (
        "name", "dtype", "shape", "full", "identical", "dynamic", "clears", "adds", "values", "read_at", "own", "marked",
        "closed", "gradients", "blank", "scalar", "refers",
    )  # fmt: skip
    kind: Final = "tensorflow::TensorArray"

    def __init__(
        self,
        name: str,
        dtype: DType,
        size: int,
        shape: Shape,
        *,
        identical: bool,
        dynamic: bool = False,
        clears: bool = True,
        adds: bool = False,
        marked: int = -1,
    ) -> None:
        self.name = name
        self.dtype = dtype
        self.values: list[Any] = [UNWRITTEN] * size
        self.shape = shape
        self.full = shapes.is_full(shape)
        self.identical = identical
        self.dynamic = dynamic
        self.clears = clears
        self.adds = adds
        self.marked = marked
        self.closed = False
        self.read_at: set[int] = set()  # elements that were read and not cleared
        self.own: set[int] = set()  # elements that are sums computed here, which may change in place
        self.gradients: dict[str, tuple[Any, Any]] = {}  # source -> the gradient's handle and flow
        self.scalar = dtype.as_numpy_dtype  # the class of an element of rank 0
        self.refers = False  # whether elements were written as references
        self.blank = UNWRITTEN  # a gradient's element before its first write, if all have one shape

    def open(self) -> list[Any]:
        """The elements. Raises: InvalidArgumentError when the array is closed."""
        if self.closed:
            raise invalid(f"TensorArray {self.name} has already been closed.")
        return self.values

    def close(self) -> None:
        self.values, self.closed, self.gradients = [], True, {}

    def lacks(self, index: int) -> bool:
        """Whether the element has no value: it was not written, or cleared."""
        return type(self.values[index]) is _Gap

    def check_type(self, dtype: DType, doing: str) -> None:
        if dtype is not self.dtype:
            raise invalid(
                f"TensorArray dtype is {runtime_name(self.dtype)} but Op {doing} dtype {runtime_name(dtype)}."
            )

    def narrow(self, shape: Shape) -> None:
        """Merges `shape` into the elements' shape. Raises: InvalidArgumentError when they are incompatible."""
        if shape is None or shape == self.shape:
            return
        if not shapes.is_compatible(self.shape, shape):
            both = (self.shape or (), shape)
            if len(both[0]) != len(both[1]):
                raise invalid(f"PartialTensorShape: Incompatible ranks during merge: {len(both[0])} vs. {len(both[1])}")
            raise invalid(f"PartialTensorShape: Incompatible shapes during merge: {_known(both[0])} vs. {_known(both[1])}")
        self.shape = shapes.merge(self.shape, shape)
        self.full = shapes.is_full(self.shape)

    # -- writing -----------------------------------------------------------------------------------------------------

    def write(self, index: int, value: Any) -> None:
        """Raises: InvalidArgumentError for an index or a shape that does not fit, and for an element written or read before."""
        values = self.open()
        if index < 0 or index >= len(values):
            if index < 0 or not self.dynamic:
                raise invalid(
                    f"TensorArray {self.name}: Tried to write to index {index} but array is not resizeable and size is: "
                    f"{len(values)}",
                    None if index < 0 else f"give the array a size of {index + 1} or more, or dynamic_size=True",
                )
            values.extend([UNWRITTEN] * (index + 1 - len(values)))
        shape = _shape_of(value)
        if shape != self.shape:
            self._check_shape(index, shape)
        if _is_reference(value):
            self.refers = True
        old = values[index]
        if old is UNWRITTEN:
            values[index] = value
        else:
            self._write_again(index, old, value, shape)

    def write_all(self, indices: Sequence[int], parts: Sequence[Any]) -> None:
        """Writes parts of one shape."""
        if not indices:
            return
        self.write(indices[0], parts[0])
        values, fits = self.values, _shape_of(parts[0]) == self.shape
        for index, part in zip(indices[1:], parts[1:]):
            if fits and 0 <= index < len(values) and (values[index] is UNWRITTEN or values[index] is self.blank):
                values[index] = part
            else:
                self.write(index, part)

    def _check_shape(self, index: int, shape: tuple[int, ...]) -> None:
        if not shapes.is_compatible(self.shape, shape):
            raise invalid(
                f"TensorArray {self.name}: Could not write to TensorArray index {index} because the value shape is "
                f"{text_of(shape)} which is incompatible with the TensorArray's inferred element shape: "
                f"{_known(self.shape)} (consider setting infer_shape=False)."
            )
        if self.identical and not self.full:
            self.shape, self.full = shape, True

    def _write_again(self, index: int, old: Any, value: Any, shape: tuple[int, ...]) -> None:
        where = f"TensorArray {self.name}: Could not"
        gap = type(old) is _Gap
        if index in self.read_at or (gap and old.why == "cleared"):
            raise invalid(f"{where} write to TensorArray index {index} because it has already been read.", _ONCE)
        if not self.adds:
            raise invalid(f"{where} write to TensorArray index {index} because it has already been written to.", _ONCE)
        before = old.shape if gap else _shape_of(old)
        if before != shape:
            raise invalid(
                f"{where} aggregate to TensorArray index {index} because the existing shape is {text_of(before)} but the "
                f"new input shape is {text_of(shape)}."
            )
        if gap:
            self.values[index] = value
            return
        if self.dtype in (dtypes.string, dtypes.bool):
            raise invalid(f"tensor_array::AddToTensor type not supported: {runtime_name(self.dtype)}")
        if index in self.own:
            old += _now(value)
            return
        self.values[index] = added(_now(old), _now(value))
        if shape and self.dtype is not dtypes.bfloat16:
            self.own.add(index)

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(self, index: int) -> Any:
        """Raises: InvalidArgumentError for an index outside, and for an element that was not written or is cleared."""
        values = self.open()
        if index < 0 or (index >= len(values) and not self.adds):
            raise invalid(f"Tried to read from index {index} but array size is: {len(values)}")
        value = values[index] if index < len(values) else UNWRITTEN
        if type(value) is _Gap:
            value = self._zeros(index, value)
        if self.clears:
            values[index] = CLEARED if self.full else _Gap("cleared", _shape_of(value))
        else:
            self.read_at.add(index)
        return value

    def _zeros(self, index: int, gap: _Gap) -> Any:
        """Zeros for an element that was not written. Raises: InvalidArgumentError when it is cleared or has no known shape."""
        shape = gap.shape
        if gap.why == "cleared":
            raise invalid(
                f"TensorArray {self.name}: Could not read index {index} twice because it was cleared after a previous read "
                "(perhaps try setting clear_after_read = false?)."
            )
        if shape is None:
            if not self.full:
                raise invalid(
                    f"TensorArray {self.name}: Could not read from TensorArray index {index}.  Furthermore, the element shape "
                    f"is not fully defined: {_known(self.shape)}.  It is possible you are working with a resizeable "
                    "TensorArray and stop_gradients is not allowing the gradients to be written.  If you set the full "
                    "element_shape property on the forward TensorArray, the proper all-zeros tensor will be returned instead "
                    "of incurring this error.",
                    "nothing was written there before: read from what `write` gave (array = array.write(i, x)), when all is "
                    "written that is read",
                )
            shape = self.shape
        if self.dtype is dtypes.string:
            raise invalid("tensor_array::TensorSetZero type not supported: string")
        values = self.values
        if index >= len(values):  # a gradient's array grows up to the index read
            values.extend([_Gap("zeros", shape)] * (index + 1 - len(values)))
        zeros = unwrapped(np.zeros(shape, self.dtype.as_numpy_dtype))  # type: ignore[arg-type]
        values[index] = zeros
        return zeros

    def read_all(self, indices: Sequence[int]) -> list[Any]:
        values = self.values
        if self.refers:
            return [_now(self.read(index)) for index in indices]
        if self.clears and self.full and min(indices) >= 0 and max(indices) < len(values):
            elements = [values[index] for index in indices]
            if len(set(indices)) == len(elements) and _Gap not in map(type, elements):
                for index in indices:
                    values[index] = CLEARED
                return elements
        return [self.read(index) for index in indices]

    # -- gradients ---------------------------------------------------------------------------------------------------

    def gradient(self, source: str, before: tuple[int, ...]) -> Array:
        """The gradients' array for the call of tf.gradients named `source`; before: its elements' extra leading sizes."""
        values = self.open()
        self.dynamic = False  # the size is fixed from now on
        if self.adds:
            raise invalid(f"Wrong input container. _tensor_array_grads{self.name}")
        shape = None if self.shape is None else (*before, *self.shape)
        gradient_array = Array(
            f"{self.name}@{source}", self.dtype, len(values), shape, identical=self.identical, adds=True, marked=self.marked
        )
        if self.full:
            gradient_array.blank = _Gap("zeros", shape)
        gradient_array.values = [
            value if value is UNWRITTEN else gradient_array.blank if self.full else _Gap("zeros", (*before, *_shape_of(value)))
            for value in values
        ]
        return gradient_array


def _known(shape: Shape) -> str:
    """A partly known shape as run-time errors write it: `[?,2]`."""
    return "<unknown>" if shape is None else text_of("?" if n is None else n for n in shape)  # type: ignore[misc]


def _index(index: Any) -> int:
    if type(index) is not _INT:
        needs_rank(index, 0, "TensorArray index must be scalar, but had shape: {shape}")
    return int(index)


def _indices(indices: Any) -> list[int]:
    needs_rank(indices, 1, "Expected indices to be a vector, but received shape: {shape}")
    numbers: list[int] = indices.tolist()
    return numbers


def _stacked(values: Sequence[Any], dtype: DType) -> Any:
    """Values of one shape along a new first axis."""
    shape = _shape_of(values[0])
    if not shape:
        return np.array(values, dtype.as_numpy_dtype)
    return np.concatenate(values).reshape((len(values), *shape))


# -- shape inference ------------------------------------------------------------------------------------------------


def element_shape_of(handle: Sym) -> tuple[Shape] | None:
    """(the shape of the elements of the array behind a handle,), as far as the graph says; None if it says nothing."""
    op = handle.tensor.op
    before = 0
    while op.type in ("Identity", "Switch", "Enter", "Exit", "TensorArrayGradV3", "TensorArrayGradWithShape") and op.inputs:
        if op.type == "TensorArrayGradWithShape":
            length = of_rank(op.inputs[2].raw_shape, 1)[0]
            if length is None:
                return (None,)
            before += length
        op = op.inputs[0].op
    if op.type != "TensorArrayV3":
        return None
    shape = op.attrs["element_shape"]
    if not (op.attrs["identical_element_shapes"] or shapes.is_full(shape)):
        return None
    return (None if shape is None else (None,) * before + tuple(shape),)


def _checked(handle: Sym, flow: Sym) -> None:
    pair(handle)
    scalar(flow)


# -- the ops ---------------------------------------------------------------------------------------------------------


@op("TensorArrayV3", not_differentiable=CONTENT, out="handle flow", stateful=True, resource="tensor_array")
def tensor_array_v3(
    run: Any,
    size: dtypes.int32,
    *,
    dtype: DType,
    element_shape: ShapeAttr = None,
    dynamic_size: bool = False,
    clear_after_read: bool = True,
    identical_element_shapes: bool = False,
    tensor_array_name: str = "",
) -> tuple[dtypes.resource, dtypes.float32]:
    """A new array of `size` elements, which lives for one run: size scalar -> handle [2], flow scalar.

    Raises: InvalidArgumentError for a negative size.
    """
    needs_rank(size, 0, "TensorArray size must be scalar, but had shape: {shape}")
    if size < 0:
        raise invalid("Size should be >= 0.")
    array = Array(
        numbered(run, tensor_array_name), dtype, int(size), element_shape, identical=identical_element_shapes,
        dynamic=dynamic_size, clears=clear_after_read,
    )  # fmt: skip
    return run.handle(array), FLOW


@tensor_array_v3.shape
def _(size: Sym, **_: Any) -> list[Shape]:
    scalar(size)
    return [(2,), ()]


def _gradient(run: Any, handle: Any, source: str, before: tuple[int, ...]) -> tuple[Any, Any]:
    array = resource_as(handle, Array)
    handles: tuple[Any, Any] | None = array.gradients.get(source)
    if handles is None:
        handles = array.gradients[source] = run.handle(array.gradient(source, before)), FLOW
    return handles


@op(
    "TensorArrayGradV3", not_differentiable=CONTENT, out="grad_handle flow_out", stateful=True,
    access={"handle": "look"}, resource="tensor_array",
)
def tensor_array_grad_v3(
    run: Any, handle: dtypes.resource, flow_in: dtypes.float32, *, source: str
) -> tuple[dtypes.resource, dtypes.float32]:
    """The array of the gradients, one for each `source`: handle [2], flow_in scalar -> grad_handle [2], flow_out scalar."""
    return _gradient(run, handle, source, ())


@tensor_array_grad_v3.shape
def _(handle: Sym, flow_in: Sym, *, source: str) -> list[Shape]:
    pair(handle)
    return [(2,), ()]


@op(
    "TensorArrayGradWithShape", not_differentiable=CONTENT, out="grad_handle flow_out", stateful=True,
    access={"handle": "look"}, resource="tensor_array",
)
def tensor_array_grad_with_shape(
    run: Any, handle: dtypes.resource, flow_in: dtypes.float32, shape_to_prepend: dtypes.int32, *, source: str
) -> tuple[dtypes.resource, dtypes.float32]:
    """The array of the gradients, whose elements have more leading axes: handle [2], flow_in scalar, shape_to_prepend
    [k] -> grad_handle [2], flow_out scalar.
    """
    needs_rank(shape_to_prepend, 1, "shape must be a vector of {{int32,int64}}, got shape {shape}")
    before = ints_of(shape_to_prepend)
    if min(before, default=0) < 0:
        raise invalid(f"Dimension {min(before)} must be >= 0")
    return _gradient(run, handle, source, before)


@tensor_array_grad_with_shape.shape
def _(handle: Sym, flow_in: Sym, shape_to_prepend: Sym, *, source: str) -> list[Shape]:
    pair(handle)
    return [(2,), ()]


@op(
    "TensorArrayWriteV3", out="flow_out", aliases="flow_in", stores="value", stateful=True,
    access={"handle": "update"}, resource="tensor_array",
)
def tensor_array_write_v3(
    run: Any, handle: dtypes.resource, index: dtypes.int32, value: Any_, flow_in: dtypes.float32
) -> dtypes.float32:
    """Writes one element: handle [2], index scalar, value any shape, flow_in scalar -> flow_out scalar.

    Raises: InvalidArgumentError for an index or shape that does not fit, and for an element that was written or read
    before.
    """
    array = handle.buffer
    if type(array) is not Array:
        resource_as(handle, Array)
    at = int(index) if type(index) is _INT else _index(index)
    dtype = run.node.attrs["T"]
    if dtype is not array.dtype:
        array.check_type(dtype, "is trying to write")
    values = array.values
    # The usual case without a call of `write`: loops do this in each iteration.
    kind = type(value)
    if 0 <= at < len(values) and (value.shape if kind is _ARRAY else () if kind is array.scalar else _OTHER) == array.shape:
        old = values[at]
        if old is UNWRITTEN or old is array.blank:
            values[at] = value
            return flow_in
    array.write(at, value)
    return flow_in


@tensor_array_write_v3.shape
def _(handle: Sym, index: Sym, value: Sym, flow_in: Sym) -> Shape:
    pair(handle)
    scalar(index)
    scalar(flow_in)
    known = element_shape_of(handle)
    if known is not None:
        shapes.merge(known[0], value.shape)
    return ()


@op(
    "TensorArrayReadV3", out="value", returns_stored=True, stateful=True,
    access={"handle": "read"}, resource="tensor_array",
)
def tensor_array_read_v3(
    run: Any, handle: dtypes.resource, index: dtypes.int32, flow_in: dtypes.float32, *, dtype: DType
) -> "dtype":  # noqa: F821
    """Reads one element: handle [2], index scalar, flow_in scalar -> value any shape.

    Raises: InvalidArgumentError for an index outside, and for an element that was not written or already cleared.
    """
    array = handle.buffer
    if type(array) is not Array:
        resource_as(handle, Array)
    at = int(index) if type(index) is _INT else _index(index)
    if dtype is not array.dtype:
        array.check_type(dtype, "requested")
    values = array.values
    if 0 <= at < len(values):
        value = values[at]
        if type(value) is not _Gap:
            if not array.clears:
                array.read_at.add(at)
                return value
            if array.full:
                values[at] = CLEARED
                return value
    return array.read(at)


@tensor_array_read_v3.shape
def _(handle: Sym, index: Sym, flow_in: Sym, *, dtype: DType) -> Shape:
    pair(handle)
    scalar(index)
    scalar(flow_in)
    known = element_shape_of(handle)
    return None if known is None else known[0]


@op(
    "TensorArrayGatherV3", out="value", stateful=True, fresh=True,
    access={"handle": "read"}, resource="tensor_array",
)
def tensor_array_gather_v3(
    run: Any,
    handle: dtypes.resource,
    indices: dtypes.int32,
    flow_in: dtypes.float32,
    *,
    dtype: DType,
    element_shape: ShapeAttr = None,
) -> "dtype":  # noqa: F821
    """The elements at the indices, stacked: handle [2], indices [n], flow_in scalar -> value [n, ...].

    Raises: InvalidArgumentError as for TensorArrayReadV3, and when the elements' shapes differ.
    """
    array = resource_as(handle, Array)
    array.check_type(dtype, "requested")
    array.open()
    array.narrow(element_shape)
    at = _indices(indices)
    if not at:
        return _empty(element_shape, dtype, "element shape", "packing")
    values = array.read_all(at)
    first = _shape_of(values[0])
    if not shapes.is_compatible(element_shape, first):
        raise invalid(
            f"TensorArray was passed element_shape {_known(element_shape)} which does not match the Tensor at index 0: "
            f"{text_of(first)}"
        )
    for i, shape in enumerate(map(_shape_of, values) if dtype is dtypes.string else map(_SHAPE, values)):
        if shape != first:
            raise invalid(
                f"TensorArray has inconsistent shapes.  Index 0 has shape: {text_of(first)} but index {i} has shape: "
                f"{text_of(shape)}"
            )
    return _stacked(values, dtype)


@tensor_array_gather_v3.shape
def _(handle: Sym, indices: Sym, flow_in: Sym, *, dtype: DType, element_shape: Shape) -> Shape:
    length = of_rank(indices.shape, 1)
    _checked(handle, flow_in)
    known = element_shape_of(handle)
    shape = element_shape if known is None else known[0]
    return None if shape is None else (*length, *shape)


def _empty(shape: Shape, dtype: DType, what: str, doing: str) -> Any:
    if not shapes.is_full(shape):
        raise errors.UnimplementedError(
            None,
            None,
            f"TensorArray has size zero, but {what} {_known(shape)} is not fully defined. Currently only static shapes are "
            f"supported when {doing} zero-size TensorArrays.",
        )
    return np.zeros((0, *shape), dtype.as_numpy_dtype)  # type: ignore[misc]


@op(
    "TensorArrayScatterV3", out="flow_out", aliases="flow_in", stateful=True,
    access={"handle": "update"}, resource="tensor_array",
)
def tensor_array_scatter_v3(
    run: Any, handle: dtypes.resource, indices: dtypes.int32, value: Any_, flow_in: dtypes.float32
) -> dtypes.float32:
    """Writes the rows of value to the elements at the indices: handle [2], indices [n], value [n, ...], flow_in scalar
    -> flow_out scalar.

    Raises: InvalidArgumentError as for TensorArrayWriteV3.
    """
    array = resource_as(handle, Array)
    array.check_type(run.node.attrs["T"], "is trying to write")
    if not np.ndim(value):
        raise invalid(f"Input value for unpack must be at least a vector but received shape: {text_of(np.shape(value))}")
    size = len(array.open())
    at = _indices(indices)
    if len(at) != len(value):
        raise invalid(f"Expected len(indices) == values.shape[0], but saw: {len(at)} vs. {len(value)}")
    last = max(at, default=-1)
    if array.dynamic:
        size = max(size, last + 1)
    if last >= size:
        raise invalid(f"Max scatter index must be < array size ({last} vs. {size})")
    if not array.adds:
        array.marked = size
    array.write_all(at, list(value))
    return flow_in


@tensor_array_scatter_v3.shape
def _(handle: Sym, indices: Sym, value: Sym, flow_in: Sym) -> Shape:
    of_rank(indices.shape, 1)
    _checked(handle, flow_in)
    rest = after_prefix(value.shape, indices.shape)
    known = element_shape_of(handle)
    if known is not None:
        if rest is None and value.shape is not None:
            rest = value.shape[1:]
        shapes.merge(known[0], rest)
    return ()


@op(
    "TensorArrayConcatV3", out="value lengths", stateful=True, fresh=True,
    access={"handle": "read"}, resource="tensor_array",
)
def tensor_array_concat_v3(
    run: Any,
    handle: dtypes.resource,
    flow_in: dtypes.float32,
    *,
    dtype: DType,
    element_shape_except0: ShapeAttr = None,
) -> tuple["dtype", dtypes.int64]:  # noqa: F821
    """All elements [n_i, ...], joined along their first axis, and their lengths there: handle [2], flow_in scalar ->
    value [n, ...], lengths [size].

    Raises: InvalidArgumentError as for TensorArrayReadV3, and when the elements' other sizes differ.
    """
    array = resource_as(handle, Array)
    array.check_type(dtype, "requested")
    size = len(array.open())
    if array.adds:
        size = array.marked
    if size <= 0:
        return _empty(element_shape_except0, dtype, "element_shape_except0", "concatenating"), np.zeros(0, np.int64)
    values = array.read_all(range(size))
    first: tuple[int, ...] = ()
    for i, value in enumerate(values):
        shape = _shape_of(value)
        if not shape:
            raise invalid(
                f"Concat saw a scalar shape at index {i} but requires at least vectors.  Did you mean to call pack?"
            )
        if i == 0:
            first = shape[1:]
            if not shapes.is_compatible(element_shape_except0, first):
                raise invalid(
                    f"TensorArray was passed element_shape_except0 {_known(element_shape_except0)} but index 0 has (excepting "
                    f"dimension 0) shape: {text_of(first)} which does not match."
                )
        elif shape[1:] != first:
            raise invalid(
                f"TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: {text_of(first)} but "
                f"index {i} has (excepting dimension 0) shape: {text_of(shape[1:])}"
            )
    return np.concatenate(values), np.array([len(value) for value in values], np.int64)


@tensor_array_concat_v3.shape
def _(handle: Sym, flow_in: Sym, **_: Any) -> list[Shape]:
    _checked(handle, flow_in)
    return [None, (None,)]


@op(
    "TensorArraySplitV3", out="flow_out", aliases="flow_in", stateful=True,
    access={"handle": "update"}, resource="tensor_array",
)
def tensor_array_split_v3(
    run: Any, handle: dtypes.resource, value: Any_, lengths: dtypes.int64, flow_in: dtypes.float32
) -> dtypes.float32:
    """Cuts value along its first axis into pieces and writes them to the elements in order: handle [2], value [n, ...],
    lengths [size], flow_in scalar -> flow_out scalar.

    Raises: InvalidArgumentError when the lengths do not add up to n, or are not one for each element.
    """
    array = resource_as(handle, Array)
    needs_rank(lengths, 1, "Expected lengths to be a vector, received shape: {shape}")
    if not np.ndim(value):
        raise invalid(f"Expected value to be at least a vector, but received shape: {text_of(np.shape(value))}")
    total = int(lengths.sum())
    if total != len(value):
        raise invalid(
            f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {total} and value's shape is: "
            f"{text_of(value.shape)}"
        )
    size, count = len(array.open()), len(lengths)
    if array.dynamic:
        size = max(size, count)
    if size != count:
        raise invalid(
            f"TensorArray's size is not equal to the size of lengths ({size} vs. {count}), and the TensorArray is not marked "
            "as dynamically resizeable"
        )
    array.check_type(run.node.attrs["T"], "is trying to write")
    if not array.adds:
        array.marked = size
    for i, part in enumerate(np.split(value, np.cumsum(lengths)[:-1]) if count else ()):
        array.write(i, part)
    return flow_in


@tensor_array_split_v3.shape
def _(handle: Sym, value: Sym, lengths: Sym, flow_in: Sym) -> Shape:
    pair(handle)
    of_rank(lengths.shape, 1)
    scalar(flow_in)
    return ()


@op(
    "TensorArraySizeV3", not_differentiable=CONTENT, out="size", stateful=True,
    access={"handle": "look"}, resource="tensor_array",
)
def tensor_array_size_v3(run: Any, handle: dtypes.resource, flow_in: dtypes.float32) -> dtypes.int32:
    """The number of elements: handle [2], flow_in scalar -> size scalar."""
    return np.int32(len(resource_as(handle, Array).open()))


@tensor_array_size_v3.shape
def _(handle: Sym, flow_in: Sym) -> Shape:
    pair(handle)
    return ()


@op(
    "TensorArrayCloseV3", not_differentiable=CONTENT, stateful=True,
    access={"handle": "write"}, resource="tensor_array",
)
def tensor_array_close_v3(run: Any, handle: dtypes.resource) -> None:
    """Closes the array and drops its elements: handle [2]."""
    resource_as(handle, Array).close()
    return ()  # type: ignore[return-value]


@tensor_array_close_v3.shape
def _(handle: Sym) -> list[Shape]:
    pair(handle)
    return []
