"""Hooks that write files: checkpoints, summaries, steps per second, timelines. State: each hook's own, from `begin` to `end`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ...base import log, proto
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...interop.chrome_timeline import write_timeline
from ...interop.message_files import write_graph
from ...interop.meta_graph import export_meta_graph
from ...interop.summary_writer import FileWriterCache
from ...lib.framework.graph_keys import GraphKeys
from ...runtime.config import RunOptions
from .basic_hooks import SecondOrStepTimer, step_to_read
from .global_step import get_global_step
from .hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


class CheckpointSaverListener:
    """Methods that a CheckpointSaverHook calls around each checkpoint: subclasses override those they need."""

    def begin(self) -> None:
        """Called once, by the hook's `begin`."""

    def before_save(self, session: Any, global_step_value: Any) -> None:
        """Called before each checkpoint."""

    def after_save(self, session: Any, global_step_value: Any) -> bool | None:
        """Called after each checkpoint; True stops the training."""
        return None

    def end(self, session: Any, global_step_value: Any) -> None:
        """Called at the end, after the last checkpoint."""


class CheckpointSaverHook(SessionRunHook):
    """Writes a checkpoint at the start, every save_steps steps or save_secs seconds, and at the end.

    saver: by default the scaffold's, or the only one of the collection SAVERS.
    Raises: ValueError for both a saver and a scaffold; in the first run RuntimeError without a saver or a global step.
    """

    def __init__(
        self,
        checkpoint_dir: Any,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Any = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
        listeners: Iterable[CheckpointSaverListener] | None = None,
    ) -> None:
        log.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError(error_text("You cannot provide both saver and scaffold."))
        self._saver = saver
        self._folder = checkpoint_dir
        self._path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners = list(listeners or [])

    def begin(self) -> None:
        self._writer = FileWriterCache.get(self._folder)
        self._step = step_to_read("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        step = session.run(self._step)
        graph = get_default_graph()
        graph_def = graph.as_graph_def(add_shapes=True)
        write_graph(graph_def, self._folder, "graph.pbtxt")
        saver = self._chosen_saver()
        self._writer.add_graph(graph)
        self._writer.add_meta_graph(export_meta_graph(graph_def=graph_def, saver_def=saver.saver_def if saver else None))
        # a first checkpoint, so that a recovery always finds one
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        # the fetched step may be the one before the update
        if self._timer.should_trigger_for_step(run_values.results + 1):
            step = run_context.session.run(self._step)
            if self._timer.should_trigger_for_step(step):
                self._timer.update_last_triggered_step(step)
                if self._save(run_context.session, step):
                    run_context.request_stop()

    def end(self, session: Any) -> None:
        step = session.run(self._step)
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Any, step: Any) -> bool:
        """Saves; returns whether a listener has requested a stop."""
        log.info("Saving checkpoints for %d into %s.", step, self._path)
        for listener in self._listeners:
            listener.before_save(session, step)
        self._chosen_saver().save(session, self._path, global_step=step)
        saved = proto.SessionLog(status=proto.SessionLog.CHECKPOINT, checkpoint_path=self._path)
        self._writer.add_session_log(saved, step)
        stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                log.info("A CheckpointSaverListener requested that training be stopped. listener: %s", listener)
                stop = True
        return stop

    def _chosen_saver(self) -> Any:
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        key = GraphKeys.SAVERS
        savers = get_default_graph().get_collection(key)
        if not savers:
            text = f"No items in collection {key}. Please add a saver to the collection or provide a saver or scaffold."
            raise RuntimeError(error_text(text))
        if len(savers) > 1:
            text = f"More than one item in collection {key}. Please indicate which one to use by passing it to the constructor."
            raise RuntimeError(error_text(text))
        self._saver = savers[0]
        return self._saver


class StepCounterHook(SessionRunHook):
    """Logs steps per second and writes them as the summary `global_step/sec`.

    Raises: ValueError unless exactly one of steps and seconds is set.
    """

    def __init__(
        self,
        every_n_steps: int | None = 100,
        every_n_secs: float | None = None,
        output_dir: Any = None,
        summary_writer: Any = None,
    ) -> None:
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError(error_text("exactly one of every_n_steps and every_n_secs should be provided."))
        self._timer = SecondOrStepTimer(every_steps=every_n_steps, every_secs=every_n_secs)
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._previous_step: Any = None

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._step = step_to_read("StepCounterHook")
        self._summary_tag = f"{get_global_step().op.name}/sec"

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        fetched_step = run_values.results
        if self._timer.should_trigger_for_step(fetched_step + 1):
            step = run_context.session.run(self._step)
            if self._timer.should_trigger_for_step(step):
                seconds, steps = self._timer.update_last_triggered_step(step)
                if seconds is not None:
                    self._log_and_record(steps, seconds, step)
        if fetched_step == self._previous_step:
            log.log_first_n(
                log.WARN,
                "It seems that global step (tf.train.get_global_step) has not been increased. Current value (could be stable): "
                "%s vs previous value: %s. You could increase the global step by passing tf.train.get_global_step() to "
                "Optimizer.apply_gradients or Optimizer.minimize.",
                5,
                fetched_step,
                self._previous_step,
            )
        self._previous_step = fetched_step

    def _log_and_record(self, elapsed_steps: Any, elapsed_time: float, global_step: Any) -> None:
        speed = float(elapsed_steps) / elapsed_time if elapsed_time > 0 else float("inf")
        if self._summary_writer is not None:
            value = proto.Summary.Value(tag=self._summary_tag, simple_value=speed)
            self._summary_writer.add_summary(proto.Summary(value=[value]), global_step)
        log.info("%s: %g", self._summary_tag, speed)


class SummarySaverHook(SessionRunHook):
    """Writes summaries every save_steps steps or save_secs seconds.

    summary_op: a tensor or a list of tensors. Raises: ValueError unless exactly one of summary_op and scaffold is set.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: Any = None,
        summary_writer: Any = None,
        scaffold: Any = None,
        summary_op: Any = None,
    ) -> None:
        if (scaffold is None) == (summary_op is None):
            raise ValueError(error_text("Exactly one of scaffold or summary_op must be provided."))
        self._summary_op = summary_op
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next: Any = None
        self._step = step_to_read("SummarySaverHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._due = self._next is None or self._timer.should_trigger_for_step(self._next)
        fetches = {"global_step": self._step}
        summary_ops = self._summary_ops() if self._due else None
        if summary_ops is not None:
            fetches["summary"] = summary_ops
        return SessionRunArgs(fetches)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not self._summary_writer:
            return
        step = run_values.results["global_step"] + 1
        if self._due:
            step = run_context.session.run(self._step)
        if self._next is None:
            self._summary_writer.add_session_log(proto.SessionLog(status=proto.SessionLog.START), step)
        if self._due:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summary", ()):
                self._summary_writer.add_summary(summary, step)
        self._next = step + 1

    def end(self, session: Any = None) -> None:
        if self._summary_writer:
            self._summary_writer.flush()

    def _summary_ops(self) -> list[Any] | None:
        ops = self._summary_op if self._summary_op is not None else self._scaffold.summary_op
        return ops if ops is None or isinstance(ops, list) else [ops]


class ProfilerHook(SessionRunHook):
    """Traces a run every save_steps steps or save_secs seconds: writes `timeline-<step>.json` (chrome://tracing) and an event.

    show_dataflow, show_memory: see `Timeline.generate_chrome_trace_format`.
    Raises: ValueError unless exactly one of steps and seconds is set.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: Any = "",
        show_dataflow: bool = True,
        show_memory: bool = False,
    ) -> None:
        self._path = os.path.join(output_dir, "timeline-{}.json")
        self._writer = FileWriterCache.get(output_dir)
        self._show_dataflow, self._show_memory = show_dataflow, show_memory
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        self._next: Any = None
        self._step = step_to_read("ProfilerHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._due = self._next is not None and self._timer.should_trigger_for_step(self._next)
        options = RunOptions(trace_level=RunOptions.FULL_TRACE) if self._due else None
        return SessionRunArgs({"global_step": self._step}, options=options)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        fetched_step = run_values.results["global_step"]
        if self._next is None:
            self._timer.update_last_triggered_step(fetched_step)
        step = fetched_step + 1
        if self._due:
            step = run_context.session.run(self._step)
            self._timer.update_last_triggered_step(step)
            path = self._path.format(step)
            log.info("Saving timeline for %d into '%s'.", step, path)
            write_timeline(path, run_values.run_metadata, self._show_dataflow, self._show_memory)
            self._writer.add_run_metadata(run_values.run_metadata, f"step_{step}")
        self._next = step + 1


__all__ = [
    "CheckpointSaverHook", "CheckpointSaverListener", "ProfilerHook", "StepCounterHook", "SummarySaverHook",
]  # fmt: skip
