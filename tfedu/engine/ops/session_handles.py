"""Values that a session keeps for later runs: GetSessionHandle stores a value under a name, GetSessionTensor reads it.

State: the values, in the session's store (runtime/store.py).
"""

from __future__ import annotations

from typing import Any

from ..base import dtypes, errors
from ..base.dtypes import DType, runtime_name
from ..op.define import Sym, op, typevar
from ..op.gradient_rules import EFFECT
from ..op.shape_checks import Any_, invalid, scalar


def _kept(run: Any, value: Any) -> str:
    dtype = run.node.inputs[0].dtype.base_dtype
    name: str = run.store.keep(run.node.name, value, dtype)
    return name


@op(
    "GetSessionHandle", not_differentiable=EFFECT, out="handle", shape=lambda value: (), stateful=True,
    role="session_handle",
)
def get_session_handle(run: Any, value: Any_) -> dtypes.string:
    """Keeps the value in the session under a new name: value any shape -> handle scalar, the name."""
    return _kept(run, value).encode()


@op(
    "GetSessionHandleV2", not_differentiable=EFFECT, out="handle", shape=lambda value: (), stateful=True,
    role="session_handle",
)
def get_session_handle_v2(run: Any, value: Any_) -> dtypes.resource:
    """Keeps the value in the session: value any shape -> handle scalar."""
    return run.handle(run.temporary(_kept(run, value), run.node.inputs[0].dtype.base_dtype, None))


@op("GetSessionTensor", not_differentiable=EFFECT, out="value", stateful=True)
def get_session_tensor(run: Any, handle: dtypes.string, *, dtype: typevar("dtype")) -> "dtype":  # noqa: F821
    """The value that the session keeps under the name: handle scalar -> any shape.

    Raises: InvalidArgumentError when it keeps none.
    """
    if not isinstance(handle, bytes):
        raise invalid("handle must be scalar")
    name = handle.decode()
    entry = run.store.handle_values.get(name)
    if entry is None:
        raise errors.InvalidArgumentError(
            None, None, f"The tensor with handle '{name}' is not in the session store."
        )
    value, kept_dtype = entry
    if kept_dtype is not dtype:
        raise errors.InternalError(
            None,
            None,
            f"Output 0 of type {runtime_name(kept_dtype)} does not match declared output type {runtime_name(dtype)} for node "
            f"{{{{node {run.node.name}}}}}",
        )
    return value


@get_session_tensor.shape
def _(handle: Sym, *, dtype: DType) -> None:
    scalar(handle)
    return None


@op("DeleteSessionTensor", not_differentiable=EFFECT, stateful=True)
def delete_session_tensor(run: Any, handle: dtypes.string) -> None:
    """Drops the value that the session keeps under the name: handle scalar.

    Raises: InvalidArgumentError when it keeps none.
    """
    if not isinstance(handle, bytes):
        raise invalid("`handle` must be scalar")
    if run.store.handle_values.pop(handle.decode(), None) is None:
        raise errors.InvalidArgumentError(
            None, None, f"Failed to delete a tensor with handle '{handle.decode()}' in the session store."
        )
    return ()  # type: ignore[return-value]


@delete_session_tensor.shape
def _(handle: Sym) -> list[Any]:
    scalar(handle)
    return []
