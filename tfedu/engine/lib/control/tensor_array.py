"""`tf.TensorArray`: a list of tensors that a loop writes element by element, and reads or stacks afterwards, as in
TF 1.15.

    array = tf.TensorArray(tf.float32, size=3)
    array = array.write(0, x).write(1, y).write(2, z)     # each returns the array after the write
    everything = array.stack()

An array is a handle (of a run's resource) and a flow (a scalar, whose data edges order the array's uses). All objects
that `write` and its like derive from one array share the static shape of its elements and its colocation.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...base import dtypes, errors, log, shapes
from ...base import site as sites
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...base.shapes import Shape, TensorShape, as_raw
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...op.infer import constant_value
from ...ops import tensor_array as ops
from ..arrays import array
from ..arrays.sequences import range as range_of
from ..framework.scope_blocks import colocate_with, device, named, waiting_for
from ..math.math import cast
from . import grouping as flows


class TensorArray:
    """A list of n tensors [...] of one dtype. Each method that changes it returns the array after the change: use
    that result.

    size: the number of elements. dynamic_size: writes may grow it. clear_after_read: each element may be read only
    once. infer_shape: all elements have one shape. handle and flow: those of an existing array.

    Raises: ValueError or TypeError for arguments that contradict each other.
    """

    @atomic
    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None and tensor_array_name:
            raise ValueError(error_text("Cannot construct with both handle and tensor_array_name"))
        if handle is not None and not isinstance(handle, Tensor):
            raise TypeError(error_text("Handle must be a Tensor"))
        if handle is None and size is None:
            raise ValueError(error_text("Size must be provided if handle is not provided"))
        for conflict, argument in (
            ("a handle and size", size),
            ("a handle and element_shape", element_shape),
            ("a handle and dynamic_size", dynamic_size),
            ("a handle and clear_after_read", clear_after_read),
        ):
            if handle is not None and argument is not None:
                raise ValueError(error_text(f"Cannot provide both {conflict} at the same time"))
        self._dtype = as_dtype(dtype).base_dtype
        self._dynamic_size = dynamic_size or False
        self._infer_shape = infer_shape
        # Both lists are shared with the arrays derived from this one.
        self._shape_cell: list[Shape] = [as_raw(element_shape)]
        self._colocation: list[Tensor] | None = [] if colocate_with_first_write_call else None
        with named(name, "TensorArray", [handle, size, flow]) as scope:
            if handle is not None:
                if flow is None:
                    raise ValueError(error_text("flow must not be None if handle is not None."))
                self._handle, self._flow = handle, flow
                return
            with self._without_device():
                self._handle, self._flow = ops.tensor_array_v3(
                    size, dtype=self._dtype, element_shape=self._shape_cell[0], identical_element_shapes=infer_shape,
                    dynamic_size=self._dynamic_size, clear_after_read=clear_after_read is not False,
                    tensor_array_name=tensor_array_name or "", name=scope,
                )  # fmt: skip

    @contextmanager
    def _without_device(self) -> Iterator[None]:
        """No device for the array's node when the first written element will determine it."""
        if self._colocation is None:
            yield
        else:
            with device(None), colocate_with(None, ignore_existing=True):
                yield

    def _with_flow(self, flow: Tensor) -> TensorArray:
        """The same array as of `flow`."""
        derived = TensorArray(self._dtype, handle=self._handle, flow=flow, infer_shape=self._infer_shape)
        derived._dynamic_size = self._dynamic_size
        derived._shape_cell, derived._colocation = self._shape_cell, self._colocation
        return derived

    # -- arrays after a write ----------------------------------------------------------------------------------------

    _unused = False

    def _after_write(self, flow: Tensor) -> TensorArray:
        """The array after a write, which logs an error if it is never used: the array before may not see what was
        written.
        """
        derived = self._with_flow(flow)
        derived._unused = True
        return derived

    def mark_used(self) -> None:
        """Declares that this array needs no further use."""
        self._unused = False

    def __del__(self) -> None:
        if not self._unused or sys.is_finalizing():
            return
        op = self._flow.op
        if op.graph._by_name.get(op.name) is op:  # a failed call may have removed it
            log.error(
                errors.layout(
                    f"Object was never used (type {type(self)}).",
                    sites.describe(op.site),
                    fix="use the array that the call returns, since it alone contains the write: array = array.write(…). "
                    "If nothing follows, call its mark_used()",
                )
            )

    # -- properties --------------------------------------------------------------------------------------------------

    @property
    def flow(self) -> Tensor:
        """A scalar whose data edges order the array's uses."""
        self._unused = False
        return self._flow

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def handle(self) -> Tensor:
        """The handle of a run's resource."""
        return self._handle

    @property
    def element_shape(self) -> TensorShape:
        """The static shape of the elements."""
        return TensorShape.of(self._shape_cell[0])

    @property
    def dynamic_size(self) -> bool:
        return self._dynamic_size

    def _merge_shape(self, shape: Shape) -> Shape:
        """The elements' static shape, merged with that of one more element.

        Raises: ValueError when they are incompatible.
        """
        known = self._shape_cell[0]
        if not shapes.is_compatible(shape, known):
            raise ValueError(
                error_text(
                    f"Inconsistent shapes: saw {TensorShape.of(shape)} but expected {TensorShape.of(known)} ",
                    fix="pass infer_shape=False to the array if its elements may have different shapes",
                )
            )
        return shapes.merge(known, shape) if self._infer_shape else known

    def _check_dtype(self, value: Tensor) -> None:
        if value.dtype.base_dtype is not self._dtype:
            log.error(
                f"Error: Input value {value} has dtype {value.dtype!s}, but expected dtype {self._dtype!s}.  This leads to "
                "undefined behavior and will be an error in future versions of TensorFlow."
            )

    @contextmanager
    def _colocated_write(self, value: Tensor) -> Iterator[None]:
        """Colocates a write with the first written element."""
        if self._colocation is None:
            yield
            return
        first = self._colocation[0] if self._colocation else value
        with colocate_with(first):
            yield
        if not self._colocation:
            get_default_graph().on_failure(self._colocation.clear)
            self._colocation.append(first)

    def _set_element_shape(self, shape: Shape) -> None:
        """Keeps the elements' static shape, unless the current call fails."""
        before = self._shape_cell[0]
        if shape != before:
            get_default_graph().on_failure(self._shape_cell.__setitem__, 0, before)
            self._shape_cell[0] = shape

    # -- elements ----------------------------------------------------------------------------------------------------

    @atomic
    def identity(self) -> TensorArray:
        """The same array, after the enclosing control_dependencies."""
        return self._with_flow(flows.identity(self.flow))

    @atomic
    def grad(self, source: str, flow: Any = None, name: str | None = None) -> TensorArray:
        """The array of this array's gradients in the call of tf.gradients named `source`; writes to one element
        accumulate.
        """
        if flow is None:
            flow = self.flow
        with named(name, "TensorArrayGrad", [self._handle]), colocate_with(self._handle):
            handle, _ = ops.tensor_array_grad_v3(self._handle, flow, source=source, name=name)
            with waiting_for([handle]):
                flow = flows.identity(flow, name="gradient_flow")
            gradient = TensorArray(
                self._dtype, handle=handle, flow=flow, infer_shape=self._infer_shape, colocate_with_first_write_call=False
            )
            gradient._shape_cell = self._shape_cell
            return gradient

    @atomic
    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element [...] at the index, a scalar."""
        value: Tensor = ops.tensor_array_read_v3(self._handle, index, self.flow, dtype=self._dtype, name=name)
        value.set_shape(self.element_shape)
        return value

    @atomic
    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array after a write of `value` [...] at the index, a scalar.

        Raises: ValueError for an element of another shape.
        """
        with named(name, "TensorArrayWrite", [self._handle, index, value]):
            value = convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
            self._check_dtype(value)
            self._set_element_shape(self._merge_shape(value.raw_shape))
            with self._colocated_write(value):
                flow = ops.tensor_array_write_v3(self._handle, index, value, self.flow, name=name)
            return self._after_write(flow)

    @atomic
    def stack(self, name: str | None = None) -> Tensor:
        """All elements [n, ...] along a new first axis."""
        with colocate_with(self._handle), named(name, "TensorArrayStack", [self._handle]):
            return self.gather(range_of(0, self.size()), name=name)

    @atomic
    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at the indices [k], along a new first axis: [k, ...]."""
        shape = self._shape_cell[0]
        value: Tensor = ops.tensor_array_gather_v3(
            self._handle, indices, self.flow, dtype=self._dtype, element_shape=shape, name=name
        )
        if shape is not None:
            value.set_shape([None, *shape])
        return value

    @atomic
    def concat(self, name: str | None = None) -> Tensor:
        """All elements [n_i, ...], joined along their first axis: [Σ n_i, ...]."""
        shape = self._shape_cell[0]
        rest = None if shape is None else shape[1:]
        value: Tensor
        value, _ = ops.tensor_array_concat_v3(
            self._handle, self.flow, dtype=self._dtype, element_shape_except0=rest, name=name
        )
        if rest is not None:
            value.set_shape([None, *rest])
        return value

    @atomic
    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array after writes of the slices of `value` [n, ...] along its first axis to the elements 0 to n - 1."""
        with named(name, "TensorArrayUnstack", [self._handle, value]):
            count = array.shape(value)[0]
            return self.scatter(range_of(0, count), value, name=name)

    @atomic
    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array after writes of the slices of `value` [k, ...] along its first axis to the elements at the
        indices [k].
        """
        with named(name, "TensorArrayScatter", [self._handle, value, indices]):
            value = convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
            self._check_dtype(value)
            self._set_element_shape(self._merge_shape(value.shape[1:].raw))
            with self._colocated_write(value):
                flow = ops.tensor_array_scatter_v3(self._handle, indices, value, self.flow, name=name)
            return self._after_write(flow)

    @atomic
    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array after writes of pieces of `value` [n, ...], with these lengths along its first axis, to the
        elements in turn.
        """
        with named(name, "TensorArraySplit", [self._handle, value, lengths]):
            value = convert_to_tensor(value, dtype=self._dtype, name="value")
            with self._colocated_write(value):
                lengths = cast(lengths, dtypes.int64)
                known = constant_value(lengths)
                rest = value.raw_shape
                if rest is not None and known is not None and known.shape and known.size and known.max() == known.min():
                    self._set_element_shape(self._merge_shape((int(known[0]), *rest[1:])))
                flow = ops.tensor_array_split_v3(self._handle, value, lengths, self.flow, name=name)
            return self._after_write(flow)

    def size(self, name: str | None = None) -> Tensor:
        """The number of elements, a scalar."""
        count: Tensor = ops.tensor_array_size_v3(self._handle, self.flow, name=name)
        return count

    def close(self, name: str | None = None) -> Operation:
        """Releases all elements; the array cannot be used afterwards."""
        closed: Operation = ops.tensor_array_close_v3(self._handle, name=name)
        return closed


def build_ta_with_new_flow(old_ta: TensorArray, flow: Tensor) -> TensorArray:
    """The same array as of `flow`, a scalar."""
    return old_ta._with_flow(flow)


__all__ = ["TensorArray", "build_ta_with_new_flow"]
