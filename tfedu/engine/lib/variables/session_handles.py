"""`get_session_handle(x)`: a run keeps the value of x in the session, for later runs to read. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.device import DeviceSpec
from ...graph.nodes import Operation, Tensor
from ...ops import session_handles as ops
from ..framework.placeholders import placeholder


@atomic
def get_session_handle(data: Tensor, name: str | None = None) -> Tensor:
    """A string scalar; a run returns it as a TensorHandle of data's value [...], which stays in the session.

    Raises: TypeError unless `data` is a Tensor.
    """
    if not isinstance(data, Tensor):
        raise TypeError(error_text("`data` must be of type Tensor."))
    with data.graph.colocate_with(data.op):
        handle: Tensor = ops.get_session_handle(data, name=name)
        return handle


def _device(handle: Any) -> str:
    text = handle.decode() if isinstance(handle, bytes) else str(handle)
    return DeviceSpec.from_string(text.rpartition(";")[2]).to_string()


@atomic
def get_session_tensor(handle: Any, dtype: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """(a placeholder for a handle's name, a string scalar; the value [...] that the session keeps under it).

    handle: determines the device. Raises: ValueError for a string that is not a handle.
    """
    with get_default_graph().device(_device(handle)):
        holder = placeholder(dtypes.string)
        return holder, ops.get_session_tensor(holder, dtype=dtype, name=name)


@atomic
def delete_session_tensor(handle: Any, name: str | None = None) -> tuple[Tensor, Operation]:
    """(a placeholder for a handle's name, a string scalar; the operation that releases the value under it).

    Raises: ValueError for a string that is not a handle.
    """
    with get_default_graph().device(_device(handle)):
        holder = placeholder(dtypes.string)
        return holder, ops.delete_session_tensor(holder, name=name)


__all__ = ["delete_session_tensor", "get_session_handle", "get_session_tensor"]
