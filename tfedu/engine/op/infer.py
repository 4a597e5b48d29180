"""Inference before any run: what shape rules know of their inputs, and constant folding of pure nodes.

A shape rule gets `Sym`s: dtype, partly known shape, and on demand the constant value. Folding does not recurse (a chain may
have 100,000 nodes) and leaves large values out, as TF does. No state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType
from ..base.foreign import foreign
from ..base.shapes import Shape, is_full
from ..graph.nodes import UNKNOWN, Operation, Tensor
from .definition import role_of

_MAX_ELEMENTS = 2048  # larger values are not folded
_MAX_NODES = 1000  # a folded subgraph may have this many nodes


class Sym:
    """An input of a node, for the node's shape rule."""

    __slots__ = ("_tensor", "shape", "dtype", "value_was_read", "shape_was_read", "depends_on_value")

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor
        self.shape: Shape = tensor.raw_shape
        self.dtype: DType = tensor.dtype
        # Which values the rule read; an error message mentions them.
        self.value_was_read = False
        self.shape_was_read = False
        self.depends_on_value = False  # whether the rule read more than dtype and shape

    @property
    def tensor(self) -> Tensor:
        self.depends_on_value = True
        return self._tensor

    @property
    def value(self) -> Any:
        """The constant value (NumPy), or None when it is known only at run time."""
        self.value_was_read = self.depends_on_value = True
        return constant_value(self._tensor)

    @property
    def as_shape(self) -> Shape:
        """The value read as a shape: known entries are numbers, others None; None when even the rank is unknown."""
        self.shape_was_read = self.depends_on_value = True
        return constant_value_as_shape(self._tensor)


def constant_value(tensor: Tensor) -> Any:
    """The tensor's value when it does not depend on a run, else None."""
    cached = tensor._constant
    if cached is not UNKNOWN:
        return cached
    stack = [tensor]
    budget = _MAX_NODES
    unknown: list[Tensor] = []
    while stack:
        top = stack[-1]
        if top._constant is not UNKNOWN:
            stack.pop()
            continue
        value = _special(top)
        op = top.op
        if value is UNKNOWN and not _foldable(op):
            value = None
        if value is not UNKNOWN:
            top._constant = value
            if value is None:
                unknown.append(top)
            stack.pop()
            continue
        open_inputs = [t for t in op.inputs if t._constant is UNKNOWN]
        if open_inputs:
            budget -= len(open_inputs)
            if budget < 0:
                break
            stack.extend(open_inputs)
            continue
        stack.pop()
        if any(t._constant is None for t in op.inputs):
            top._constant = None
        else:
            _fold(op)
        if top._constant is None:
            unknown.append(top)
    result = tensor._constant
    # set_shape may make a value known later: only known values are kept.
    for open_tensor in unknown:
        open_tensor._constant = UNKNOWN
    return None if result is UNKNOWN else result


def _special(tensor: Tensor) -> Any:
    op = tensor.op
    if role_of(op) == "constant":
        value = op.attrs["value"]
        return value if np.size(value) <= _MAX_ELEMENTS * 16 else None
    if op.type in ("Shape", "Size", "Rank") and op.inputs:
        shape = op.inputs[0].raw_shape
        if shape is None:
            return None
        if op.type == "Rank":
            return np.int32(len(shape))
        if not is_full(shape):
            return None
        kind = op.attrs.get("out_type")
        numpy_type = np.int32 if kind is None else kind.as_numpy_dtype
        return (
            np.array(shape, numpy_type)
            if op.type == "Shape"
            else numpy_type(int(np.prod(shape, dtype=np.int64)))
        )
    if op.type == "StridedSlice":
        source = op.inputs[0].op
        if source.type in ("Shape", "Pack", "ConcatV2") and source.inputs:
            part = _slice_of_shape(op)
            if isinstance(part, int):
                return tensor.dtype.as_numpy_dtype(part)
    return UNKNOWN


# Their outputs depend on the run: on the branch taken, the iteration, or a feed.
_OPEN = ("switch", "merge", "enter", "exit", "next_iteration", "loop_cond", "placeholder_with_default")


def _foldable(op: Operation) -> bool:
    d = op.definition
    return (
        d is not None and d.pure and not d.stateful and bool(op.inputs) and d.role not in _OPEN
        and all(not t.dtype.is_ref for t in op.inputs)
        # The shape does not bound the bytes of strings: forty StringJoins double one to a terabyte.
        and all(t.dtype != dtypes.string and (t.raw_shape is None or _small(t.raw_shape)) for t in op.outputs)
    )  # fmt: skip


def _small(shape: Shape) -> bool:
    count = 1
    for d in shape or ():
        count *= 1 if d is None else d
    return count <= _MAX_ELEMENTS


def computed(op: Operation, values: list[Any]) -> list[Any] | None:
    """The outputs of a pure node for these values of its inputs; None where the kernel fails: the run raises the error."""
    d = op.definition
    try:
        with np.errstate(all="ignore"):
            outputs = d.kernel(np, *d.group(op, values), **{name: op.attrs[name] for name in d.kernel_attrs})
    except Exception as error:
        other = foreign(error)
        if other is not None:
            raise other from None
        return None
    if d.simple:
        return [outputs]
    if len(d.outputs) > 1 and any(a.is_list for a in d.outputs):
        return [v for part, a in zip(outputs, d.outputs) for v in (part if a.is_list else (part,))]
    return list(outputs)


def _fold(op: Operation) -> None:
    values = computed(op, [t._constant for t in op.inputs])
    for tensor, value in zip(op.outputs, [None] * len(op.outputs) if values is None else values):
        tensor._constant = value


def variable_behind(handle: Tensor) -> Operation | None:
    """The node of the variable that a handle refers to, also through identities and control flow, if the graph tells."""
    while handle.op.type in ("Identity", "IdentityN", "Switch", "Enter"):
        handle = handle.op.inputs[handle.index if handle.op.type == "IdentityN" else 0]
    return handle.op if role_of(handle.op) == "variable" and not handle.dtype.is_ref else None


def constant_value_as_shape(tensor: Tensor) -> Shape:
    """A vector of sizes as a partial shape; -1 is an unknown size, a scalar -1 an unknown rank."""
    parts = partial_vector(tensor)
    if parts is None:
        return None
    return tuple(None if p is None or p < 0 else p for p in parts)


def partial_rows(tensor: Tensor) -> list[list[int | None] | None] | None:
    """The rows of a packed matrix, each as far as it is known; None for a matrix that is not packed row by row."""
    if tensor.op.type != "Pack" or tensor.op.attrs.get("axis", 0) != 0:
        return None
    return [partial_vector(row) for row in tensor.op.inputs]


def partial_vector(tensor: Tensor, depth: int = 20) -> list[int | None] | None:
    """The integers of a vector as far as they are known.

    None when even their number is unknown, or for so many that they are no tensor's shape.
    """
    shape = tensor.raw_shape
    if shape is not None and (len(shape) != 1 or (shape[0] or 0) > _MAX_ELEMENTS):
        return None
    value = constant_value(tensor)
    if value is not None:
        array = np.asarray(value)
        return None if array.ndim != 1 else [int(v) for v in array]
    op = tensor.op
    unknown: list[int | None] | None = None if shape is None or shape[0] is None else [None] * shape[0]
    if unknown == []:
        return unknown  # a chain of empty vectors would be visited once for each path through it
    if depth == 0:
        return unknown
    if op.type in ("Shape", "ShapeN"):
        known = op.inputs[tensor.index].raw_shape
        return None if known is None else list(known)
    if op.type == "VariableShape":
        variable = variable_behind(op.inputs[0])
        known = None if variable is None else variable.attrs["shape"]
        return unknown if known is None else list(known)
    if op.type == "Cast":
        return partial_vector(op.inputs[0], depth - 1)
    if op.type == "Pack":
        if op.attrs.get("axis", 0) != 0 or any(t.raw_shape for t in op.inputs):
            return unknown
        return [_scalar(t) for t in op.inputs]
    if op.type == "ConcatV2":
        parts: list[int | None] = []
        for part in op.inputs[:-1]:
            piece = partial_vector(part, depth - 1)
            if piece is None:
                return None
            parts.extend(piece)
        return parts
    if op.type == "StridedSlice":
        sliced = _slice_of_shape(op, depth - 1)
        if isinstance(sliced, list):
            return sliced
    return unknown


def _scalar(tensor: Tensor) -> int | None:
    value = constant_value(tensor)
    return None if value is None else int(value)


def _slice_of_shape(op: Operation, depth: int = 20) -> int | list[int | None] | None:
    """`shape[i]` or `shape[a:b:c]` of a partly known vector."""
    source = partial_vector(op.inputs[0], depth)
    begin, end, strides = (constant_value(t) for t in op.inputs[1:4])
    if source is None or begin is None or end is None or strides is None or np.size(begin) != 1:
        return None
    attrs = op.attrs
    if attrs.get("ellipsis_mask") or attrs.get("new_axis_mask"):
        return None
    start, stop, step = int(begin[0]), int(end[0]), int(strides[0])
    if attrs.get("shrink_axis_mask"):
        return source[start] if -len(source) <= start < len(source) else None
    return source[
        slice(None if attrs.get("begin_mask") else start, None if attrs.get("end_mask") else stop, step)
    ]
