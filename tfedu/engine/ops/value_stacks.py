"""Stacks: `StackPushV2` and `StackPopV2` store values within a run; gradients of loops store each iteration's values there.

A stack lives for one run: its node creates a new one each time it runs.
"""

from __future__ import annotations

from typing import Any, Final

from ..base import dtypes, errors
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape
from ..op.define import Sym, op
from ..op.shape_checks import Any_, invalid, needs_rank, of_rank, with_value


class _Count:
    """How many stacks or arrays a node has created in this session: the number makes their names differ."""

    def __init__(self) -> None:
        self.count = 0


def numbered(run: Any, name: str) -> str:
    """The name of a new stack or array: `name`, or the node's, and how many the node created before."""
    counter = run.generator(_Count)
    number = counter.count
    counter.count = number + 1
    return f"{name or run.node.name}_{number}"


class Stack:
    """The values pushed so far; `limit` < 0: any number."""

    __slots__ = ("name", "dtype", "limit", "values", "closed")
    kind: Final = "tensorflow::Stack"

    def __init__(self, name: str, dtype: DType, limit: int) -> None:
        self.name = name
        self.dtype = dtype
        self.limit = limit
        self.values: list[Any] = []
        self.closed = False

    def open(self) -> list[Any]:
        """The values. Raises: InvalidArgumentError when the stack is closed."""
        if self.closed:
            raise invalid(f"Stack[{self.name}] has already been closed.")
        return self.values


def resource_as(resource: Any, kind: type) -> Any:
    """The resource behind a handle. Raises: InvalidArgumentError when it is not a `kind`."""
    value = resource.buffer
    if type(value) is not kind:
        name, kind_name = value.name, getattr(value, "kind", "tensorflow::Var")
        raise invalid(
            "Trying to access a handle's resource using the wrong type. The handle points to a resource "
            f"(name '{name}') of type '{kind_name}' but you are trying to access the resource as type '{kind.kind}'"  # type: ignore[attr-defined]
        )
    return value


def pair(handle: Sym) -> None:
    """Raises: ShapeMismatch unless the handle of a stack or array has shape [2], as TF's pair of strings."""
    with_value(of_rank(handle.shape, 1)[0], 2)


@op("StackV2", out="handle", shape=lambda max_size, **_: (2,), stateful=True, resource="stack")
def stack_v2(run: Any, max_size: dtypes.int32, *, elem_type: DType, stack_name: str = "") -> dtypes.resource:
    """A new stack, which lives for one run: max_size scalar, negative for no limit -> handle [2]."""
    needs_rank(max_size, 0, "Stack size must be a scalar, but had shape: {shape}")
    return run.handle(Stack(numbered(run, stack_name), elem_type, int(max_size)))


@op(
    "StackPushV2", out="output", shape=lambda handle, elem, **_: elem.shape, aliases="elem", stores="elem", stateful=True,
    access={"handle": "update"}, resource="stack",
)
def stack_push_v2(run: Any, handle: dtypes.resource, elem: Any_, *, swap_memory: bool = False) -> Any_:
    """Pushes the element and passes it on: handle [2], elem any shape -> the same shape.

    Raises: InvalidArgumentError when the stack is full or closed, or has another dtype.
    """
    stack = handle.buffer
    if type(stack) is not Stack:
        resource_as(handle, Stack)
    dtype = run.node.attrs["T"]
    if dtype is not stack.dtype:
        raise invalid(f"Must have type {stack.dtype.as_datatype_enum} but got {dtype.as_datatype_enum}")
    values = stack.open() if stack.closed else stack.values
    if len(values) == stack.limit:
        raise invalid(f"Stack[{stack.name}] overflowed its max_size ({stack.limit})")
    values.append(elem)
    return elem


@op(
    "StackPopV2", out="elem", shape=lambda handle, *, elem_type: None, returns_stored=True, stateful=True,
    access={"handle": "update"}, resource="stack",
)
def stack_pop_v2(run: Any, handle: dtypes.resource, *, elem_type: DType) -> "elem_type":  # noqa: F821
    """Pops the value that was pushed last: handle [2] -> any shape.

    Raises: InvalidArgumentError when the stack is empty or closed.
    """
    stack = handle.buffer
    if type(stack) is not Stack:
        resource_as(handle, Stack)
    values = stack.values
    if not values:
        stack.open()
        raise invalid(f"Stack[{stack.name}] is empty when calling Pop().")
    if elem_type is not stack.dtype:
        raise errors.InternalError(
            None,
            None,
            f"Output 0 of type {runtime_name(stack.dtype)} does not match declared output type {runtime_name(elem_type)} "
            f"for node {{{{node {run.node.name}}}}}",
        )
    return values.pop()


@op("StackCloseV2", stateful=True, access={"handle": "write"}, resource="stack")
def stack_close_v2(run: Any, handle: dtypes.resource) -> None:
    """Closes the stack and drops its values: handle [2]."""
    stack = resource_as(handle, Stack)
    stack.values, stack.closed = [], True
    return ()  # type: ignore[return-value]


@stack_close_v2.shape
def _(handle: Sym) -> list[Shape]:
    pair(handle)
    return []
