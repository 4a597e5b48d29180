"""Staging areas with keys: MapStage puts components of an element in, MapUnstage takes them out, also in another run.

Each op has an ordered form, whose takes without a key give the least key. Each node finds its area by its shared name. State:
the areas, in the session's store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from ..base import dtypes as types
from ..base.dtypes import DType, runtime_name
from ..base.errors import InternalError
from ..base.resources.keyed_staging import KeyedStaging
from ..base.shapes import Shape
from ..op.define import AtLeast, Each, Sym, op
from ..op.shape_checks import as_array, invalid, unwrapped

Count = AtLeast[0]


def _both(type: str, waits_to: Any = None, ready: Callable[..., bool] | None = None, **facts: Any) -> Callable[..., Any]:
    """A decorator that declares an op type and its ordered form with one kernel; it returns the two functions that add nodes."""

    def declare(kernel: Callable[..., Any]) -> tuple[Any, Any]:
        @wraps(kernel)
        def ordered(*inputs: Any, **given: Any) -> Any:
            return kernel(*inputs, **given)

        ordered.__name__ = f"ordered_{kernel.__name__}"
        callers = (
            op(type, stateful=True, resource="map_staging", **facts)(kernel),
            op(f"Ordered{type}", stateful=True, resource="ordered_map_staging", **facts)(ordered),
        )
        for caller in callers if ready is not None else ():
            caller.ready(waits_to)(ready)
        return callers

    return declare


def _area(run: Any, container: str, shared_name: str, capacity: int, memory_limit: int) -> KeyedStaging:
    kind = run.node.definition.resource
    ordered = kind == "ordered_map_staging"
    area: KeyedStaging = run.resource(
        kind, container, shared_name, lambda name: KeyedStaging(name, ordered, capacity, memory_limit)
    )
    return area


def _key(key: Any) -> int:
    """Raises: InvalidArgumentError for a key that is no scalar."""
    array = as_array(key)
    if array.ndim:
        raise invalid(f"key must be a scalar, but its shape is {list(array.shape)}")
    return int(array)


def _indices(indices: Any) -> list[int]:
    found: list[int] = as_array(indices).ravel().tolist()
    return found


def _sizes(values: Sequence[Any]) -> list[int]:
    return [as_array(value).nbytes for value in values]


def _returned(run: Any, parts: Sequence[Any], dtypes: Sequence[DType]) -> list[Any]:
    """Raises: InternalError for components of other numbers or dtypes than the node's outputs."""
    name = run.node.name
    if len(parts) < len(dtypes):
        raise InternalError(None, None, f"Missing {len(parts)}-th output from node {name}")
    if len(parts) > len(dtypes):
        raise InternalError(None, None, f"{len(parts)} components for the {len(dtypes)} outputs of node {name}")
    for position, (part, dtype) in enumerate(zip(parts, dtypes)):
        found = types.as_dtype(as_array(part).dtype)
        if found != dtype:
            raise InternalError(
                None, None,
                f"Output {position} of type {runtime_name(found)} does not match declared output type {runtime_name(dtype)} for "
                f"node {name}",
            )  # fmt: skip
    return list(parts)


def _can_put(run: Any, key: Any, indices: Any, values: Sequence[Any], *, dtypes: Sequence[DType], **given: Any) -> bool:
    return _area(run, **given).can_put(as_array(indices).size == len(dtypes), sum(_sizes(values)))


@_both("MapStage", "put", _can_put, shape=lambda *_, **__: [])
def map_stage(
    run: Any,
    key: types.int64,
    indices: types.int32,
    values: Each["fake_dtypes"],  # noqa: F821
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    dtypes: list[DType],
    container: str = "",
    shared_name: str = "",
) -> None:
    """Puts components of the element of this key, tensors of any shapes, into the area, as soon as it has room: key scalar.

    indices: which of the components `dtypes` they are, in rising order: (n,), or any shape of n numbers. An element that has
    all its components can be taken out. One whose key is in the area already is dropped.

    Raises: InvalidArgumentError for indices that do not rise or that no component has, for another number of them than of
    values, for components that have come already, for a key that is no scalar; ResourceExhaustedError for components of more
    bytes than memory_limit.
    """
    places = _indices(indices)
    if len(places) != len(values):
        raise invalid(f"There are {len(places)} indices for {len(values)} values")
    copies = [unwrapped(as_array(value).copy()) for value in values]
    area = _area(run, container, shared_name, capacity, memory_limit)
    elements = list(zip(copies, _sizes(values)))
    run.waited(area, lambda: area.put(_key(key), len(dtypes), places, elements)).result()
    return ()  # type: ignore[return-value]


def _unknown(*_: Sym, dtypes: Sequence[DType], **__: Any) -> list[Shape]:
    return [None] * len(dtypes)


def _can_take(run: Any, key: Any, indices: Any, *, dtypes: Any, **given: Any) -> bool:
    return _area(run, **given).can_get(_key(key))


@_both("MapUnstage", "take", _can_take, out="values", shape=_unknown)
def map_unstage(
    run: Any,
    key: types.int64,
    indices: types.int32,
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    dtypes: AtLeast[1, list[DType]],
    container: str = "",
    shared_name: str = "",
) -> Each["dtypes"]:  # noqa: F821
    """Takes components of the element of this key, tensors of any shapes, out of the area, as soon as it is there: key scalar.

    indices: which components, in rising order: (n,), or any shape of n numbers. An element without components is gone.

    Raises: InvalidArgumentError for indices that do not rise or that no component has, for components that are gone, for a key
    that is no scalar; InternalError for other numbers or dtypes than the outputs'.
    """
    area = _area(run, container, shared_name, capacity, memory_limit)
    _, *values = run.waited(area, lambda: area.get(_key(key), _indices(indices))).result()[0]
    return _returned(run, values, dtypes)


@_both("MapPeek", "take", _can_take, out="values", shape=_unknown)
def map_peek(
    run: Any,
    key: types.int64,
    indices: types.int32,
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    dtypes: AtLeast[1, list[DType]],
    container: str = "",
    shared_name: str = "",
) -> Each["dtypes"]:  # noqa: F821
    """Components of the element of this key, tensors of any shapes, which stay there, as soon as it is there: key scalar.

    indices: which components, in rising order: (n,), or any shape of n numbers.

    Raises: InvalidArgumentError for indices that do not rise or that no component has, for components that are gone, for a key
    that is no scalar; InternalError for other numbers or dtypes than the outputs'.
    """
    area = _area(run, container, shared_name, capacity, memory_limit)
    _, *values = run.waited(area, lambda: area.peek(_key(key), _indices(indices))).result()[0]
    return _returned(run, values, dtypes)


def _can_take_any(run: Any, indices: Any, *, dtypes: Any, **given: Any) -> bool:
    return _area(run, **given).can_get()


def _unknown_with_key(*_: Sym, dtypes: Sequence[DType], **__: Any) -> list[Shape]:
    return [None] * (1 + len(dtypes))


@_both("MapUnstageNoKey", "take", _can_take_any, out="key values", shape=_unknown_with_key)
def map_unstage_no_key(
    run: Any,
    indices: types.int32,
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    dtypes: AtLeast[1, list[DType]],
    container: str = "",
    shared_name: str = "",
) -> tuple[types.int64, Each["dtypes"]]:  # noqa: F821
    """Takes components of any element, tensors of any shapes, out of the area, as soon as there is one: key scalar.

    The ordered form takes the element of the least key. indices: which components, in rising order: (n,), or any shape of n
    numbers.

    Raises: InvalidArgumentError for indices that do not rise or that no component has, for components that are gone;
    InternalError for other numbers or dtypes than the outputs'.
    """
    area = _area(run, container, shared_name, capacity, memory_limit)
    key, *values = run.waited(area, lambda: area.get(None, _indices(indices))).result()[0]
    return np.int64(key), _returned(run, values, dtypes)


@_both("MapSize", out="size", shape=lambda **_: ())
def map_size(
    run: Any,
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    dtypes: list[DType],
    container: str = "",
    shared_name: str = "",
) -> types.int32:
    """The number of elements in the area that can be taken out: scalar."""
    return np.int32(len(_area(run, container, shared_name, capacity, memory_limit).held))


@_both("MapIncompleteSize", out="size", shape=lambda **_: ())
def map_incomplete_size(
    run: Any,
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    dtypes: list[DType],
    container: str = "",
    shared_name: str = "",
) -> types.int32:
    """The number of elements in the area that miss components: scalar."""
    return np.int32(len(_area(run, container, shared_name, capacity, memory_limit).incomplete))


@_both("MapClear", shape=lambda **_: [])
def map_clear(
    run: Any,
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    dtypes: list[DType],
    container: str = "",
    shared_name: str = "",
) -> None:
    """Takes all elements, tensors of any shapes, out of the area, those that miss components, too."""
    _area(run, container, shared_name, capacity, memory_limit).clear()
    return ()  # type: ignore[return-value]


__all__ = [
    "map_clear", "map_incomplete_size", "map_peek", "map_size", "map_stage", "map_unstage", "map_unstage_no_key",
]  # fmt: skip
