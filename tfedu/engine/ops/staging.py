"""Staging areas: Stage puts a tuple of tensors in, Unstage takes the oldest one out, also in another run.

Each node finds its area by its shared name. State: the areas, in the session's store.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes as types
from ..base.dtypes import DType
from ..base.resources.staging import Staging
from ..base.shapes import Shape
from ..op.define import AtLeast, Each, Sym, op
from ..op.shape_checks import as_array, unwrapped

Count = AtLeast[0]


def _area(run: Any, container: str, shared_name: str, capacity: int, memory_limit: int) -> Staging:
    area: Staging = run.resource("staging", container, shared_name, lambda name: Staging(name, capacity, memory_limit))
    return area


def _bytes(values: Sequence[Any]) -> int:
    return sum(array.nbytes for array in map(as_array, values))


@op("Stage", stateful=True, resource="staging", shape=lambda values, **_: [])
def stage(
    run: Any,
    values: Each["dtypes"],  # noqa: F821
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    container: str = "",
    shared_name: str = "",
) -> None:
    """Puts a tuple of tensors of any shapes into the area, as soon as it has room.

    Raises: ResourceExhaustedError for a tuple of more bytes than memory_limit.
    """
    area = _area(run, container, shared_name, capacity, memory_limit)
    element = tuple([unwrapped(as_array(value).copy()) for value in values])
    run.waited(area, lambda: area.put(element, _bytes(element))).result()
    return ()  # type: ignore[return-value]


@stage.ready("put")
def _(run: Any, values: Sequence[Any], **given: Any) -> bool:
    return _area(run, **given).can_put(_bytes(values))


def _unknown(*_: Sym, dtypes: Sequence[DType], **__: Any) -> list[Shape]:
    return [None] * len(dtypes)


@op("Unstage", out="values", stateful=True, resource="staging", shape=_unknown)
def unstage(
    run: Any,
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    dtypes: AtLeast[1, list[DType]],
    container: str = "",
    shared_name: str = "",
) -> Each["dtypes"]:  # noqa: F821
    """Takes the oldest tuple, tensors of any shapes, out of the area, as soon as there is one."""
    area = _area(run, container, shared_name, capacity, memory_limit)
    return list(run.waited(area, area.get).result()[0])


@unstage.ready("take")
def _(run: Any, *, dtypes: Any, **given: Any) -> bool:
    return _area(run, **given).can_get()


@op("StagePeek", out="values", stateful=True, resource="staging", shape=_unknown)
def stage_peek(
    run: Any,
    index: types.int32,
    *,
    capacity: Count = 0,
    memory_limit: Count = 0,
    dtypes: AtLeast[1, list[DType]],
    container: str = "",
    shared_name: str = "",
) -> Each["dtypes"]:  # noqa: F821
    """The tuple at this place of the area, which stays there, as soon as there is one: index scalar."""
    area = _area(run, container, shared_name, capacity, memory_limit)
    return list(run.waited(area, lambda: area.peek(int(as_array(index)))).result()[0])


@stage_peek.ready("take")
def _(run: Any, index: Any, *, dtypes: Any, **given: Any) -> bool:
    return _area(run, **given).can_get(int(as_array(index)))


@op("StageSize", out="size", stateful=True, resource="staging", shape=lambda **_: ())
def stage_size(
    run: Any, *, capacity: Count = 0, memory_limit: Count = 0, dtypes: list[DType], container: str = "", shared_name: str = ""
) -> types.int32:
    """The number of tuples in the area: scalar."""
    return np.int32(len(_area(run, container, shared_name, capacity, memory_limit).held))


@op("StageClear", stateful=True, resource="staging", shape=lambda **_: [])
def stage_clear(
    run: Any, *, capacity: Count = 0, memory_limit: Count = 0, dtypes: list[DType], container: str = "", shared_name: str = ""
) -> None:
    """Takes all tuples, tensors of any shapes, out of the area."""
    _area(run, container, shared_name, capacity, memory_limit).clear()
    return ()  # type: ignore[return-value]


__all__ = ["stage", "stage_clear", "stage_peek", "stage_size", "unstage"]
