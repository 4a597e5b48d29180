"""`tf.train.QueueRunner`: threads that run enqueues of one queue until it is closed, or until a coordinator asks them to stop.

    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [enqueue] * 2))
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(session, coord)
    ...
    coord.request_stop()
    coord.join(threads)

State: of a QueueRunner, how many threads run in each session, and the errors that ended threads.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from ...base import errors, log, proto, threads
from ...base.errors import error_text
from ...graph import get_default_session
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation
from ...interop import collection_messages
from ...interop.scope_names import is_inside, prepended, stripped
from ...lib.framework.collections import add_to_collection
from ...lib.framework.graph_keys import GraphKeys
from ...runtime.session import BaseSession
from ...training.sessions.monitored import MonitoredSession, SingularMonitoredSession

_NOTHING_TO_START = (
    "`tf.train.start_queue_runners()` was called when no queue runners were defined. You can safely remove the call to this "
    "deprecated function."
)


class QueueRunner:
    """Threads for the enqueues of a queue, one for each of enqueue_ops.

    close_op: runs when the last thread has ended because the input has; by default it closes the queue. cancel_op: runs when
    the coordinator asks to stop; by default it also ends enqueues that wait. queue_closed_exception_types: the errors that mean
    the end of the input.

    Raises: ValueError without a queue or without enqueues, TypeError for queue_closed_exception_types that are no errors.
    """

    @atomic
    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Any = None,
        close_op: Any = None,
        cancel_op: Any = None,
        queue_closed_exception_types: Any = None,
        queue_runner_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if queue_runner_def is not None:
            if queue or enqueue_ops:
                raise ValueError(error_text("queue_runner_def and queue are mutually exclusive."))
            self._read(queue_runner_def, import_scope)
        else:
            self._check(queue, enqueue_ops, queue_closed_exception_types)
            self._queue, self._enqueue_ops = queue, enqueue_ops
            self._close_op = queue.close() if close_op is None else close_op
            self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
            self._closed_types: tuple[type[BaseException], ...] = (
                queue_closed_exception_types if queue_closed_exception_types is not None else (errors.OutOfRangeError,)
            )
            self._name: str = queue.name
        self._lock = threading.Lock()
        self._running: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()  # threads of each session
        self._exceptions: list[BaseException] = []

    @staticmethod
    def _check(queue: Any, enqueue_ops: Any, closed_types: Any) -> None:
        if not queue or not enqueue_ops:
            raise ValueError(error_text("Must provide queue and enqueue_ops."))
        is_tuple = isinstance(closed_types, tuple) and bool(closed_types)
        if closed_types is not None and not (
            is_tuple and all(isinstance(each, type) and issubclass(each, errors.OpError) for each in closed_types)
        ):
            raise TypeError(
                error_text(
                    "queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: "
                    f"{closed_types}"
                )
            )

    def _read(self, message: Any, import_scope: str | None) -> None:
        if getattr(getattr(message, "DESCRIPTOR", None), "name", None) != "QueueRunnerDef":
            raise TypeError(error_text(f"queue_runner_def must be a QueueRunnerDef, got {type(message).__name__}"))
        graph = get_default_graph()

        def element(name: str) -> Any:
            return graph.as_graph_element(prepended(name, import_scope))

        self._queue = element(message.queue_name)
        self._enqueue_ops = [element(name) for name in message.enqueue_op_name]
        self._close_op, self._cancel_op = element(message.close_op_name), element(message.cancel_op_name)
        codes = message.queue_closed_exception_types
        self._closed_types = tuple(map(errors.exception_type_from_error_code, codes)) or (errors.OutOfRangeError,)
        self._name = self._queue.name

    @property
    def queue(self) -> Any:
        return self._queue

    @property
    def enqueue_ops(self) -> Any:
        return self._enqueue_ops

    @property
    def close_op(self) -> Any:
        return self._close_op

    @property
    def cancel_op(self) -> Any:
        return self._cancel_op

    @property
    def queue_closed_exception_types(self) -> tuple[type[BaseException], ...]:
        return self._closed_types

    @property
    def exceptions_raised(self) -> list[BaseException]:
        """The errors that ended threads which no coordinator stops."""
        return self._exceptions

    @property
    def name(self) -> str:
        """The name of the queue."""
        return self._name

    # -- threads ---------------------------------------------------------------------------------------------------------

    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """A thread for each enqueue, and with a coordinator one that cancels them; none when they run in the session already.

        Raises: UnimplementedError in a Python without threads (in a browser).
        """
        threads.needed(
            "A queue runner",
            "run the enqueues in your own loop before each step, or read the data with tf.data, which needs no thread",
        )
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._exceptions = []
        made = [self._thread(self._run, op.name, sess, op, coord) for op in self._enqueue_ops]
        if coord is not None:
            made.append(self._thread(self._cancel_on_stop, "close_on_stop", sess, coord))
        for thread in made:
            if coord is not None:
                coord.register_thread(thread)
            thread.daemon = daemon or thread.daemon
            if start:
                thread.start()
        return made

    def _thread(self, target: Callable[..., None], label: str, *args: Any) -> threading.Thread:
        return threading.Thread(target=target, args=args, name=f"QueueRunnerThread-{self.name}-{label}")

    def _run(self, sess: Any, enqueue_op: Operation, coord: Any) -> None:
        """Enqueues until the input ends, an error occurs, or the coordinator asks to stop."""
        is_counted = True
        try:
            enqueue = sess.make_callable(enqueue_op)
            while not (coord is not None and coord.should_stop()):
                try:
                    enqueue()
                except self._closed_types:
                    is_counted = False
                    if not self._ended(sess):
                        self._run_quietly(sess, self._close_op)
                    return
        except Exception as error:
            self._report(error, sess, coord)
        finally:
            if is_counted:
                self._ended(sess)

    def _ended(self, sess: Any) -> int:
        """Notes that a thread of the session ends; how many still run."""
        with self._lock:
            self._running[sess] = self._running.get(sess, 0) - 1
            return self._running[sess]

    def _report(self, error: Exception, sess: Any, coord: Any) -> None:
        # The end of a session ends its threads: that is no news.
        is_news = not (isinstance(error, (errors.CancelledError, RuntimeError)) and getattr(sess, "_closed", False))
        if coord is not None:
            if is_news or not coord.should_stop():
                coord.request_stop(error)
            return
        with self._lock:
            self._exceptions.append(error)
        if is_news:
            log.error("Exception in QueueRunner: %s", error)

    def _cancel_on_stop(self, sess: Any, coord: Any) -> None:
        coord.wait_for_stop()
        self._run_quietly(sess, self._cancel_op)

    @staticmethod
    def _run_quietly(sess: Any, operation: Any) -> None:
        try:
            sess.run(operation)
        except Exception as error:
            log.debug("Ignored exception: %s", error)

    # -- as a message ----------------------------------------------------------------------------------------------------

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The runner as QueueRunnerDef, or None when its queue is not in the scope."""
        if not is_inside(self.queue.name, export_scope):
            return None
        return proto.QueueRunnerDef(
            queue_name=stripped(self.queue.name, export_scope),
            enqueue_op_name=[stripped(op.name, export_scope) for op in self.enqueue_ops],
            close_op_name=stripped(self.close_op.name, export_scope),
            cancel_op_name=stripped(self.cancel_op.name, export_scope),
            queue_closed_exception_types=[
                errors.error_code_from_exception_type(each) for each in self._closed_types
            ],
        )

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """The runner of a QueueRunnerDef, whose nodes are in the default graph.

        Raises: KeyError for a missing node.
        """
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Adds the runner to a collection of the graph, whose runners `start_queue_runners` starts."""
    add_to_collection(collection, qr)


def start_queue_runners(
    sess: Any = None,
    coord: Any = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """Starts the threads of all queue runners of the session's graph; the threads. A monitored session starts them itself.

    daemon: whether the program may end while they run. start: False only makes the threads.
    Raises: ValueError without a session, TypeError for anything but a session, UnimplementedError in a Python without threads
    (in a browser) if there are runners.
    """
    if sess is None:
        sess = get_default_session()
        if not sess:
            raise ValueError(
                error_text(
                    "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an "
                    "explicit session to tf.start_queue_runners(sess=sess)"
                )
            )
    if isinstance(sess, (MonitoredSession, SingularMonitoredSession)):
        return []
    if not isinstance(sess, BaseSession):
        raise TypeError(error_text(f"sess must be a `tf.Session` object. Given class: {sess.__class__}"))
    runners: Iterable[Any] = sess.graph.get_collection(collection)
    if not runners:
        log.warning(_NOTHING_TO_START)
    with sess.graph.as_default():
        return [
            thread for each in runners for thread in each.create_threads(sess, coord=coord, daemon=daemon, start=start)
        ]


# `tf.train.queue_runner` is TensorFlow's name of this module.
queue_runner = sys.modules[__name__]

collection_messages.CODECS[GraphKeys.QUEUE_RUNNERS] = collection_messages.Codec(
    proto.QueueRunnerDef, QueueRunner.to_proto, QueueRunner.from_proto
)

__all__ = ["QueueRunner", "add_queue_runner", "start_queue_runners"]
