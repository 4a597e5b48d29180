"""The ops of tf.CriticalSection: MutexV2 is a mutex, MutexLock waits for it and holds it, ConsumeMutexLock gives it back.

State: the mutexes, in the session's store. Which of several locks comes first is the schedule's choice
(runtime/exclusive.py).
"""

from __future__ import annotations

from typing import Any

from ..base import dtypes, errors
from ..base.resources.mutex import Mutex
from ..op.define import op


@op("MutexV2", out="resource", shape=lambda **_: (), stateful=True, resource="mutex")
def mutex(run: Any, *, container: str = "", shared_name: str = "") -> dtypes.resource:
    """A handle of the session's mutex of this name: scalar."""
    return run.handle(run.resource("mutex", container, shared_name, Mutex))


@op(
    "MutexLock", out="mutex_lock", shape=lambda mutex: (), stateful=True, access={"mutex": "update"}, resource="mutex",
    role="op",
)
def mutex_lock(run: Any, mutex: dtypes.resource) -> dtypes.variant:
    """The lock of a mutex, once no other run has it: handle scalar -> scalar.

    Raises: CancelledError when the session is closed meanwhile.
    """
    return mutex.buffer.lock(run.store)


@op("ConsumeMutexLock", shape=lambda mutex_lock: [], stateful=True, resource="mutex", commutes=True)
def consume_mutex_lock(run: Any, mutex_lock: dtypes.variant) -> None:
    """Gives the mutex back: lock scalar.

    Raises: InvalidArgumentError for a value that is no lock.
    """
    release = getattr(mutex_lock, "release", None)
    if release is None:
        raise errors.InvalidArgumentError(None, None, "Expected input to be a MutexLock, but it is not")
    release()
    return ()  # type: ignore[return-value]
