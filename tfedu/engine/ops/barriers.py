"""Barriers: BarrierInsertMany puts one component of elements in, BarrierTakeMany takes elements that have all of them.

A barrier's handle is a reference to a string. State: the barriers, in the session's store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType
from ..base.errors import InvalidArgumentError, NotFoundError
from ..base.resources.barrier import Barrier
from ..base.shapes import Shape, ShapeMismatch, is_full
from ..op.define import AtLeast, Each, Ref, ShapeAttr, Sym, op
from ..op.shape_checks import Any_, as_array, invalid, of_rank, unwrapped
from .queues import checked, shapes_text, together, types_text

string = dtypes.string


@op("Barrier", out="handle", shape=lambda **_: (2,), stateful=True, resource="queue")
def barrier(
    run: Any,
    *,
    component_types: AtLeast[1, list[DType]],
    shapes: list[ShapeAttr] = [],  # noqa: B006 - the attribute's default
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
) -> Ref[string]:
    """A reference to the session's barrier of this name: [2]. A component whose shape is unknown is a scalar.

    Raises: InvalidArgumentError for a capacity, for another number of shapes than of types, for shapes that are not fully known,
    and for a shared barrier that was made with other types or shapes.
    """
    if capacity != -1:
        raise invalid(
            "Barrier only accepts capacity=-1.  Feed the inputs to your Barrier through a queue to enforce a limited capacity."
        )
    if len(shapes) != len(component_types):
        raise invalid("All of the component shapes must be specified")
    known = [() if shape is None else shape for shape in shapes]
    for shape in known:
        if not is_full(shape):
            raise invalid(f"Shape {shapes_text([shape])[1:-1]} is not fully defined")

    def make(name: str) -> Barrier:
        return Barrier(name, component_types, known)

    if not shared_name:
        return run.reference(container, run.private_resource("barrier", container, make))
    if shared_name.startswith("_"):
        raise invalid(f"shared_name cannot start with '_':{shared_name}")
    found: Barrier = run.resource("barrier", container, shared_name, make)
    for what, has, wanted in (
        ("types", types_text(found.types), types_text(component_types)),
        ("shapes", shapes_text(found.shapes), shapes_text(known)),
    ):
        if has != wanted:
            raise invalid(
                f"Shared barrier '{shared_name}' has component {what} {has} but requested component {what} were {wanted}"
            )
    return run.reference(container, found)


def _behind(handle: Any) -> Barrier:
    """The barrier of a reference. Raises: NotFoundError for the reference of something else."""
    found = getattr(handle, "buffer", None)
    if not isinstance(found, Barrier):
        name = getattr(found, "name", "")
        raise NotFoundError(
            None, None, f"Resource localhost/{name}/N10tensorflow7barrier7BarrierE does not exist."
        )
    return found


def _mismatch(have: str, expected: str) -> InvalidArgumentError:
    return invalid(f"Signature mismatch, have: {have} expected: {expected}")


def _accessing(
    type: str, out: str = "output", access: str = "update", shape: Any = lambda *_, **__: []
) -> Callable[..., Any]:
    return op(type, out=out, shape=shape, access={"handle": access}, resource="queue")


@_accessing("BarrierInsertMany")
def barrier_insert_many(
    run: Any, handle: Ref[string], keys: string, values: Any_, *, component_index: int
) -> None:
    """Puts a component of the elements under these keys in: handle [2], keys [n], values [n, d...].

    An element that has all components can be taken out. Its components' shapes are checked then, and one that does not fit is
    lost.

    Raises: InvalidArgumentError for a component that has come already, for a number or dtype that is no component's, for another
    number of values than of keys, and for shapes that do not fit; CancelledError for new keys of a closed barrier.
    """
    barrier = _behind(handle)
    listed, rows = as_array(keys).ravel().tolist(), np.atleast_1d(as_array(values))
    if len(rows) != len(listed):
        raise invalid(f"BarrierInsertMany got {len(rows)} values for {len(listed)} keys")
    dtype = run.node.attrs["T"]
    if 0 <= component_index < len(barrier.types) and barrier.types[component_index] != dtype:
        wanted = types_text([barrier.types[component_index]])
        raise _mismatch(f"string_ref, string, {types_text([dtype])}->", f"string_ref, string, {wanted}->")
    parts = [unwrapped(as_array(row).copy()) for row in rows]
    barrier.insert(
        component_index, listed, parts, lambda element: checked(barrier.ready, element, many=False)
    )
    return ()  # type: ignore[return-value]


@barrier_insert_many.shape
def _(handle: Sym, keys: Sym, values: Sym, **_: Any) -> list[Shape]:
    (count,) = of_rank(keys.shape, 1)
    if values.shape is not None:
        size = values.shape[0]
        if count is not None and size is not None and count != size:
            a, b = shapes_text([keys.shape])[1:-1], shapes_text([(size,)])[1:-1]
            raise ShapeMismatch(
                f"Dimension 0 in both shapes must be equal, but are {count} and {size}. Shapes are {a} and {b}."
            )
    return []


@barrier_insert_many.ready("put")
def _(run: Any, *_: Any, **__: Any) -> bool:
    return True


def _count(num_elements: Any) -> int:
    """Raises: InvalidArgumentError for what is no scalar of zero or more."""
    array = as_array(num_elements)
    if array.ndim:
        raise invalid("num_elements must be a scalar.")
    if array < 0:
        raise invalid(f"BarrierTakeMany requested {int(array)} < 0 elements")
    return int(array)


@_accessing(
    "BarrierTakeMany",
    "indices keys values",
    shape=lambda *_, component_types, **__: [None] * (2 + len(component_types)),
)
def barrier_take_many(
    run: Any,
    handle: Ref[string],
    num_elements: dtypes.int32,
    *,
    component_types: AtLeast[1, list[DType]],
    allow_small_batch: bool = False,
    wait_for_incomplete: bool = False,
    timeout_ms: int = -1,
) -> tuple[dtypes.int64, string, Each["component_types"]]:  # noqa: F821
    """Takes n whole elements, as soon as there are so many: handle [2], num_elements scalar -> indices [n], keys [n], values
    [n, d...].

    allow_small_batch: a closed barrier gives what it has. wait_for_incomplete: no effect, as in TF 1.15.

    Raises: OutOfRangeError when the barrier is closed and has fewer; InvalidArgumentError for another number than a scalar of
    zero or more, for other component types than the barrier's, and for a timeout.
    """
    if timeout_ms != -1:
        raise invalid("Timeout not supported yet.")
    barrier, count = _behind(handle), _count(num_elements)
    if list(barrier.types) != list(component_types):
        have, expected = types_text(component_types), types_text(barrier.types)
        raise _mismatch(
            f"string_ref, int32->int64, string, {have}", f"string_ref, int32->int64, string, {expected}"
        )
    indices, keys, *values = together(
        barrier.ready, run.waited(barrier, lambda: barrier.take(count, allow_small_batch)).result()
    )
    return indices, keys, values


@barrier_take_many.ready("take")
def _(run: Any, handle: Any, num_elements: Any, *, allow_small_batch: bool, **_: Any) -> bool:
    return _behind(handle).can_take(_count(num_elements), allow_small_batch)


@_accessing("BarrierClose")
def barrier_close(run: Any, handle: Ref[string], *, cancel_pending_enqueues: bool = False) -> None:
    """Closes the barrier to new keys: handle [2]. cancel_pending_enqueues: elements that miss components are given up.

    Raises: CancelledError for a barrier that is closed already.
    """
    _behind(handle).shut(cancel_pending_enqueues)
    return ()  # type: ignore[return-value]


@barrier_close.ready("put")
def _(run: Any, *_: Any, **__: Any) -> bool:
    return True


def _scalar(handle: Sym) -> Shape:
    return ()


@_accessing("BarrierReadySize", "size", "read", _scalar)
def barrier_ready_size(run: Any, handle: Ref[string]) -> dtypes.int32:
    """The number of elements that have all components: handle [2] -> scalar."""
    return np.int32(_behind(handle).ready.size())


@_accessing("BarrierIncompleteSize", "size", "read", _scalar)
def barrier_incomplete_size(run: Any, handle: Ref[string]) -> dtypes.int32:
    """The number of elements that miss components: handle [2] -> scalar."""
    return np.int32(len(_behind(handle).incomplete))


__all__ = [
    "barrier", "barrier_close", "barrier_incomplete_size", "barrier_insert_many", "barrier_ready_size", "barrier_take_many",
]  # fmt: skip
