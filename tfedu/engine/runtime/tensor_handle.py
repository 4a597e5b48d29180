"""`TensorHandle`: the fetched form of a value that stays in its session, to be read or fed in later runs.

When the program has dropped ten handles, the session drops their values. State: `TensorHandle._owned`, whether the value is
dropped with the handle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..base import dtypes, errors
from ..base.dtypes import DType, runtime_name
from ..graph.nodes import Operation, Tensor
from ..ops import basic
from ..ops import session_handles as ops
from .store import Store


class Keeper(Protocol):
    """The session that keeps the value of a handle, as far as the handle knows it."""

    store: Store

    def run(self, fetches: Any, feed_dict: Any = None) -> Any: ...
    def _handle_node(self, key: str, make: Callable[[Tensor], Any]) -> tuple[Tensor, Any]: ...
    def _drop(self, handle: str) -> None: ...


class TensorHandle:
    """A value that a session keeps: `str(handle)` is its name."""

    def __init__(self, handle: str, dtype: DType, session: Keeper) -> None:
        self._owned = True
        self._handle = handle
        self._dtype = dtype
        self._session = session

    def __del__(self) -> None:
        if self._owned:
            self._session._drop(self._handle)

    def __str__(self) -> str:
        return self._handle

    @property
    def handle(self) -> str:
        """The name of the value in the session."""
        return self._handle

    def _check_owned(self) -> None:
        if not self._owned:
            raise TypeError(f"Persistent tensor {self._handle} may have already been deleted.")

    def eval(self) -> Any:
        """The value.

        Raises: TypeError when it may have been deleted.
        """
        self._check_owned()
        holder, reader = self._session._handle_node(
            f"{self._handle.split(';')[0]};{self._dtype.name}",
            lambda name: ops.get_session_tensor(name, dtype=self._dtype),
        )
        return self._session.run(reader, {holder: self._handle})

    def delete(self) -> None:
        """Deletes the value from the session.

        Raises: TypeError when it may have been deleted already.
        """
        self._check_owned()
        self._owned = False
        holder, deleter = self._session._handle_node("delete", ops.delete_session_tensor)
        self._session.run(deleter, {holder: self._handle})

    def get_raw_handle(self) -> str:
        """The name; from now on the value stays until it is deleted by name."""
        self._owned = False
        return self._handle

    def _fed_for(self, tensor: Tensor) -> Any:
        """The value, to be fed for a tensor.

        Raises: InvalidArgumentError when it was deleted or has another dtype.
        """
        entry = self._session.store.handle_values.get(self._handle)
        if entry is None:
            raise errors.InvalidArgumentError(
                None, None, f"The tensor with handle '{self._handle}' is not in the session store."
            )
        value, dtype = entry
        wanted = tensor.dtype.base_dtype
        if dtype is not wanted:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Expects arg[0] to be {runtime_name(wanted)} but {runtime_name(dtype)} is provided",
            )
        return value


def holder_of(make: Any) -> tuple[Tensor, Tensor | Operation]:
    """A placeholder for a handle's name, and the node that `make` creates from it."""
    holder = basic.placeholder(dtype=dtypes.string, shape=None)
    return holder, make(holder)


__all__ = ["TensorHandle"]
