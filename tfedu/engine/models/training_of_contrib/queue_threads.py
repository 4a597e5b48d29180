"""`slim.queues`: the threads that fill queues, as a block.

    with QueueRunners(session):
        session.run(train_op)

State: whether a block is open.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...lib.framework.graph_keys import GraphKeys
from ...training.sessions.coordinator import Coordinator

_open = threading.Lock()


class NestedQueueRunnerError(Exception):
    """A block of QueueRunners inside another one."""


@contextmanager
def QueueRunners(session: Any) -> Iterator[None]:
    """`with QueueRunners(session):` runs the threads of all the graph's queue runners, and joins them at the end.

    Raises: NestedQueueRunnerError inside another such block; the first error of a thread.
    """
    if not _open.acquire(blocking=False):
        raise NestedQueueRunnerError(error_text("QueueRunners cannot be nested"))
    try:
        coordinator = Coordinator()
        threads: list[Any] = []
        for runner in get_default_graph().get_collection(GraphKeys.QUEUE_RUNNERS):
            threads += runner.create_threads(session, coord=coordinator, daemon=True, start=True)
        try:
            yield
        finally:
            coordinator.request_stop()
            try:
                coordinator.join(threads, stop_grace_period_secs=120)
            except RuntimeError:
                session.close()  # a thread does not stop: it waits in this session
    finally:
        _open.release()


__all__ = ["NestedQueueRunnerError", "QueueRunners"]
