"""One node's turn: `compute(op, inputs, store)` returns its outputs; `is_dead` says whether it only propagates DEAD.

The interpreter uses it, plans for nodes that are no line of Python, partial runs, and the wrong mental models.
`fetched` and `all_fetched` read the values that a run returns. No state.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np

from ..backends import blas
from ..base import errors
from ..base.dead import DEAD
from ..base.resources.attempts import TurnKey
from ..graph.nodes import Operation
from ..op.definition import role_of
from ..ops.control_flow import MERGES
from .memory import is_on_gpu
from .node_errors import uninitialized
from .store import Buffer, Store, View, World

# Copies into another memory order are worth a special path from _LARGE elements on, where neighbours of a row are a cache
# line apart or more. A cache keeps a few lines (here 16) for each offset in a page, so rows that are pages apart share them.
_LARGE: Final = 1 << 16
_LINE: Final = 64
_PAGE: Final = 4096
_LINES_PER_OFFSET: Final = 16
_MOST_COLUMNS: Final = 192


def is_dead(op: Operation, inputs: Sequence[Any], dead: Collection[int]) -> bool:
    """Whether the node is dead with these inputs. dead: the ids of the dead nodes, which it may wait for."""
    if op.type in MERGES:
        return all(value is DEAD for value in inputs)
    if dead and any(waited.id in dead for waited in op.waits):
        return role_of(op) != "trigger"
    return any(value is DEAD for value in inputs)


def compute(op: Operation, inputs: Sequence[Any], store: Store, turn: TurnKey | None = None) -> Sequence[Any]:
    """The node's outputs from its inputs, which may be references.

    turn: where the caller comes back to a turn whose kernel has begun an attempt. Raises: Begun by such a kernel.
    """
    d = op.definition
    loaded = list(inputs)
    view: Buffer | View | None = None
    for i, value in enumerate(inputs):
        if isinstance(value, (Buffer, View)):
            if d.is_reference_input(i):
                if value.value is None and not d.allows_uninitialized:
                    raise uninitialized(value.name)
                continue
            current = value.value
            if current is None:
                raise uninitialized(value.name)
            if d.passes_through(i) or d.stores_input(i):
                continue
            if i == d.view_index:
                view = value
            loaded[i] = current
    attrs = {name: op.attrs[name] for name in d.kernel_attrs}
    kernel = d.kernel if store.gpu is None else store.gpu.kernel(op)
    first = np if d.pure else World(op, store, turn)
    if view is not None:
        at = d.view_index

        def rearranged(value: Any) -> Any:
            return kernel(first, *loaded[:at], value, *loaded[at + 1 :], **attrs)

        rearranged(loaded[at])  # what does not fit fails here, at its node, and not at the consumer or the fetch
        return [View(view, rearranged)]
    memory = None if store.memory is None else store.memory.of(op)
    if memory is not None:
        memory.check(op, loaded, store)
    result = kernel(first, *d.group(op, loaded), **attrs)
    if d.simple:
        outputs: Sequence[Any] = (result,)
    elif len(d.outputs) > 1 and any(a.is_list for a in d.outputs):
        outputs = [v for part, a in zip(result, d.outputs) for v in (part if a.is_list else (part,))]
    else:
        outputs = result
    if memory is not None:
        memory.note(outputs)
    return outputs


def fetched(value: Any, index: int) -> Any:
    """A fetched value as the caller's own: references are read now, arrays copied, also from a GPU, rank 0 a scalar.

    Raises: InvalidArgumentError for a dead value, FailedPreconditionError for an uninitialized variable, InternalError for what
    failed on a GPU.
    """
    value = _read(value, index)
    if not is_on_gpu(value):
        return value
    try:
        return value.get()[()]
    except RuntimeError as error:
        raise _failed_there(error, index) from error


def all_fetched(values: Sequence[Any], gpu: Any) -> list[Any]:
    """`fetched` of each value; the session's GPU, if it has one, sends its arrays at once, so that the host waits once."""
    if gpu is None:
        return [fetched(value, index) for index, value in enumerate(values)]
    found = [_read(value, index) for index, value in enumerate(values)]
    places = [index for index, value in enumerate(found) if is_on_gpu(value)]
    if places:
        try:
            copies = gpu.fetched([found[index] for index in places])
        except RuntimeError as error:
            raise _failed_there(error, places[0]) from error
        for index, copy in zip(places, copies):
            found[index] = copy
    return found


def _read(value: Any, index: int) -> Any:
    """A fetched value as the caller's own, but an array of a GPU as it is."""
    kind = type(value)
    if kind is Buffer or kind is View or isinstance(value, Buffer):  # a buffer under change has a subclass
        try:
            name, value = value.name, value.value
        except errors.OpError as error:  # the session was closed, or the variable's shape changed behind a reshape
            raise _unread(error, index)  # noqa: B904 - it is the same error
        if value is None:
            raise _unread(uninitialized(name), index)
        kind = type(value)
    if kind is np.ndarray:
        if value.size >= _LARGE:
            return _copied(value)
        return value.copy() if value.ndim else value[()]
    if value is DEAD:
        raise _unread(errors.InvalidArgumentError(None, None, f"Retval[{index}] does not have value"), index)
    return value


def _failed_there(error: Exception, index: int) -> errors.OpError:
    """The error of a fetched value for one of CUDA: perhaps of a node that the GPU computed long after the host had gone on."""
    text = f"The GPU failed before the value could be read: {str(error) or type(error).__name__}"
    return _unread(errors.InternalError(None, None, text), index)


def _copied(array: Any) -> Any:
    """A copy of a large array in C order.

    Where a row's elements are far apart, as in a transpose, NumPy moves them one by one. OpenBLAS moves float32 in blocks, in
    a third of the time (2000 by 2000) to a twentieth (2048 by 2048). Other arrays are copied in bands of columns: then a
    loaded cache line serves the next rows too.
    """
    apart = abs(array.strides[-1])
    if apart < _LINE:
        return array.copy()
    copy = blas.transposed(array)
    if copy is not None:
        return copy
    band = min(_LINES_PER_OFFSET * _PAGE // math.gcd(apart, _PAGE), _MOST_COLUMNS)
    copy = np.empty(array.shape, array.dtype)
    for start in range(0, array.shape[-1], band):
        copy[..., start : start + band] = array[..., start : start + band]
    return copy


def _unread(error: errors.OpError, index: int) -> errors.OpError:
    error.fetch = index
    return error
