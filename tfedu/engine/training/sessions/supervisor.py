"""`Supervisor`, the predecessor of monitored sessions: threads of its own save checkpoints and summaries.

    sv = tf.train.Supervisor(logdir="model")
    with sv.managed_session() as sess:
        while not sv.should_stop():
            sess.run(train_op)

State: a Supervisor's operations, coordinator, folder and intervals.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ...base import dtypes, errors, log, proto
from ...base import threads as python_threads
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...interop.message_files import write_graph
from ...interop.meta_graph import export_meta_graph
from ...interop.summary_writer import FileWriter
from ...lib.control.grouping import group
from ...lib.framework.graph_keys import GraphKeys
from ...lib.summaries.summary import merge_all
from ...lib.variables.initialization import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from ...lib.variables.resources import tables_initializer
from ...lib.variables.variables import global_variables
from ...ops.state import is_reference_variable
from ..checkpoints.saver import Saver
from .coordinator import Coordinator, LooperThread
from .global_step import global_step as step_of
from .session_manager import SessionManager
from .supervisor_threads import SVStepCounterThread, SVSummaryThread, SVTimerCheckpointThread


class Supervisor:
    """Starts a session, restores the last checkpoint, saves every save_model_secs seconds, writes summaries, stops threads.

    USE_DEFAULT for a part means the first of its collection, or a new one; None leaves the part out. Finalizes the graph.
    Raises: ValueError for variables without a device when this is not the chief.
    """

    USE_DEFAULT = 0

    def __init__(
        self,
        graph: Any = None,
        ready_op: Any = USE_DEFAULT,
        ready_for_local_init_op: Any = USE_DEFAULT,
        is_chief: bool = True,
        init_op: Any = USE_DEFAULT,
        init_feed_dict: Any = None,
        local_init_op: Any = USE_DEFAULT,
        logdir: Any = None,
        summary_op: Any = USE_DEFAULT,
        saver: Any = USE_DEFAULT,
        global_step: Any = USE_DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: SessionManager | None = None,
        summary_writer: Any = USE_DEFAULT,
        init_fn: Callable[[Any], Any] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        self._graph = get_default_graph() if graph is None else graph
        with self._graph.as_default():
            self._ready_op = _part(ready_op, GraphKeys.READY_OP, report_uninitialized_variables)
            self._ready_for_local_init_op = _part(ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP, lambda: None)
            self._init_op = _part(init_op, GraphKeys.INIT_OP, global_variables_initializer)
            self._local_init_op = _part(local_init_op, GraphKeys.LOCAL_INIT_OP, _local_init)
            self._saver = _part(saver, GraphKeys.SAVERS, lambda: Saver() if global_variables() else None)
            self._summary_op = _part(summary_op, GraphKeys.SUMMARY_OP, merge_all)
            self._global_step = _part(global_step, GraphKeys.GLOBAL_STEP, _global_step_by_name)
        self._init_feed_dict = init_feed_dict
        self._init_fn = init_fn
        graph_def = self._graph.as_graph_def(add_shapes=True)
        saver_def = self._saver.saver_def if self._saver else None
        self._meta_graph_def = export_meta_graph(graph_def=graph_def, saver_def=saver_def)
        self._is_chief = is_chief
        self._coord = Coordinator()
        self._stop_grace_secs = stop_grace_secs
        self._logdir = logdir if is_chief else None
        self._save_summaries_secs = save_summaries_secs if is_chief else None
        self._save_model_secs = save_model_secs if is_chief else None
        self._save_path = os.path.join(self._logdir, checkpoint_basename) if self._logdir else None
        self._summary_writer = None
        if is_chief and summary_writer is not Supervisor.USE_DEFAULT:
            self._summary_writer = summary_writer
        elif self._logdir:
            self._summary_writer = FileWriter(self._logdir)
        self._graph_written = False
        self._session_manager = session_manager or SessionManager(
            local_init_op=self._local_init_op,
            ready_op=self._ready_op,
            ready_for_local_init_op=self._ready_for_local_init_op,
            graph=self._graph,
            recovery_wait_secs=recovery_wait_secs,
            local_init_run_options=local_init_run_options,
        )
        if not is_chief:
            for op in self._graph.get_operations():
                if is_reference_variable(op) and not op.device:
                    text = f"When using replicas, all Variables must have their device set: {op}"
                    raise ValueError(error_text(text))
        self._graph.finalize()

    # -- parts -------------------------------------------------------------------------------------------------------------

    @property
    def is_chief(self) -> bool:
        return self._is_chief

    @property
    def session_manager(self) -> SessionManager:
        return self._session_manager

    @property
    def coord(self) -> Coordinator:
        return self._coord

    @property
    def init_op(self) -> Any:
        return self._init_op

    @property
    def init_feed_dict(self) -> Any:
        return self._init_feed_dict

    @property
    def ready_op(self) -> Any:
        return self._ready_op

    @property
    def ready_for_local_init_op(self) -> Any:
        return self._ready_for_local_init_op

    @property
    def summary_writer(self) -> Any:
        return self._summary_writer

    @property
    def summary_op(self) -> Any:
        return self._summary_op

    @property
    def save_summaries_secs(self) -> Any:
        return self._save_summaries_secs

    @property
    def global_step(self) -> Any:
        return self._global_step

    @property
    def saver(self) -> Any:
        return self._saver

    @property
    def save_model_secs(self) -> Any:
        return self._save_model_secs

    @property
    def save_path(self) -> Any:
        return self._save_path

    # -- a session ---------------------------------------------------------------------------------------------------------

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Any:
        """A session that is ready: restored or initialized by the chief; other processes wait for the chief."""
        self._coord.clear_stop()
        if self._summary_writer:
            self._summary_writer.reopen()
        if self._is_chief:
            sess = self._session_manager.prepare_session(
                master,
                init_op=self.init_op,
                saver=self.saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self._init_feed_dict,
                init_fn=self._init_fn,
            )
            self._write_graph()
            if start_standard_services:
                log.info("Starting standard services.")
                self.start_standard_services(sess)
        else:
            sess = self._session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            log.info("Starting queue runners.")
            self.start_queue_runners(sess)
        return sess

    @contextmanager
    def managed_session(
        self,
        master: str = "",
        config: Any = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Any]:
        """`with sv.managed_session() as sess:` a session; its threads are stopped and it is closed at the end of the block.

        Raises: the first error of the block or of a thread, but not OutOfRangeError.
        """
        sess = None
        try:
            sess = self.prepare_or_wait_for_session(
                master=master, config=config, start_standard_services=start_standard_services
            )
            yield sess
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if sess is not None:
                    sess.close()

    def _write_graph(self) -> None:
        if self._logdir:
            write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
        if self._summary_writer and not self._graph_written:
            self._summary_writer.add_graph(self._graph)
            self._summary_writer.add_meta_graph(self._meta_graph_def)
            self._graph_written = True

    # -- threads ------------------------------------------------------------------------------------------------------------

    def start_standard_services(self, sess: Any) -> list[LooperThread] | None:
        """Starts the threads that write summaries, count steps and save; None without a logdir.

        Raises: RuntimeError when this is not the chief; UnimplementedError in a Python without threads (in a browser).
        """
        if not self._is_chief:
            text = "Only chief supervisor can start standard services. Because only chief supervisors can write events."
            raise RuntimeError(error_text(text))
        if not self._logdir:
            log.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        if self._global_step is not None and self._summary_writer:
            started = proto.SessionLog(status=proto.SessionLog.START)
            self._summary_writer.add_session_log(started, step_of(sess, self._global_step))
        threads: list[LooperThread] = []
        if self._save_summaries_secs and self._summary_writer:
            if self._summary_op is not None:
                threads.append(SVSummaryThread(self, sess))
            if self._global_step is not None:
                threads.append(SVStepCounterThread(self, sess))
        if self.saver and self._save_model_secs:
            threads.append(SVTimerCheckpointThread(self, sess))
        if threads:
            python_threads.needed(
                "A Supervisor's service", "tf.train.Supervisor(save_summaries_secs=0, save_model_secs=0, …) starts none"
            )
        for thread in threads:
            thread.start()
        return threads

    def start_queue_runners(self, sess: Any, queue_runners: Iterable[Any] | None = None) -> list[Any]:
        """Starts the threads of queue runners, by default of all queue runners of the graph."""
        if queue_runners is None:
            queue_runners = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        return [t for each in queue_runners for t in each.create_threads(sess, coord=self._coord, daemon=True, start=True)]

    def loop(
        self, timer_interval_secs: float | None, target: Callable[..., Any], args: Any = None, kwargs: Any = None
    ) -> LooperThread:
        """Starts a thread that calls target(*args, **kwargs) repeatedly until the supervisor stops."""
        return LooperThread.loop(self._coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)

    def summary_computed(self, sess: Any, summary: Any, global_step: Any = None) -> None:
        """Writes a summary that the program has computed.

        Raises: RuntimeError without a summary writer.
        """
        if not self._summary_writer:
            raise RuntimeError(error_text("Writing a summary requires a summary writer."))
        if global_step is None and self.global_step is not None:
            global_step = step_of(sess, self.global_step)
        self._summary_writer.add_summary(summary, global_step)

    # -- the end -----------------------------------------------------------------------------------------------------------

    def stop(
        self, threads: Any = None, close_summary_writer: bool = True, ignore_live_threads: bool = False
    ) -> None:
        """Stops the threads and waits for them. Raises: the first error that one of them has reported."""
        self._coord.request_stop()
        try:
            self._coord.join(
                threads, stop_grace_period_secs=self._stop_grace_secs, ignore_live_threads=ignore_live_threads
            )
        finally:
            if close_summary_writer and self._summary_writer:
                self._summary_writer.add_session_log(proto.SessionLog(status=proto.SessionLog.STOP))
                self._summary_writer.close()
                self._graph_written = False

    def request_stop(self, ex: Any = None) -> None:
        """As Coordinator.request_stop."""
        self._coord.request_stop(ex=ex)

    def should_stop(self) -> bool:
        """As Coordinator.should_stop."""
        return self._coord.should_stop()

    def stop_on_exception(self) -> AbstractContextManager[None]:
        """As Coordinator.stop_on_exception."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """As Coordinator.wait_for_stop."""
        self._coord.wait_for_stop()

    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed


def _part(argument: Any, key: str, make: Callable[[], Any]) -> Any:
    """The argument; for USE_DEFAULT the first of a collection, or a new part that is added to it."""
    if argument is not Supervisor.USE_DEFAULT:
        return argument
    items = get_default_graph().get_collection(key)
    if len(items) > 1:
        log.info("Found %d %s operations. Returning the first one.", len(items), key)
    if items:
        return items[0]
    item = make()
    if item is not None:
        get_default_graph().add_to_collection(key, item)
    return item


def _local_init() -> Any:
    return group(local_variables_initializer(), tables_initializer())


def _global_step_by_name() -> Any:
    try:
        step = get_default_graph().get_tensor_by_name("global_step:0")
    except KeyError:
        return None
    if step.dtype.base_dtype in (dtypes.int32, dtypes.int64):
        return step
    log.warning("Found 'global_step' is not an int type: %s", step.dtype)
    return None


def basic_train_loop(
    supervisor: Supervisor,
    train_step_fn: Callable[..., Any],
    args: Iterable[Any] | None = None,
    kwargs: dict[str, Any] | None = None,
    master: str = "",
) -> None:
    """Calls train_step_fn(session, *args, **kwargs) until the supervisor stops; after an abort in a new session."""
    args, kwargs = list(args or ()), dict(kwargs or {})
    while True:
        try:
            with supervisor.managed_session(master) as sess:
                while not supervisor.should_stop():
                    train_step_fn(sess, *args, **kwargs)
            return
        except errors.AbortedError as error:
            log.info("The training was aborted; a new session continues. Error: %s", error)


__all__ = ["Supervisor", "basic_train_loop"]
