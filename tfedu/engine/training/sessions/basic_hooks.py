"""Hooks that write no files: they log, stop at a step, watch for NaN, wait, run final fetches, feed.

Hooks that write files are in saving_hooks.py. State: each hook's own, from `begin` to `end`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...base import errors, log
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from .global_step import global_step_read
from .hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


def step_to_read(hook: str) -> Any:
    """The tensor from which a hook reads the global step.

    Raises: RuntimeError when the graph has no global step.
    """
    read = global_step_read()
    if read is None:
        fix = "create one before: tf.train.get_or_create_global_step()"
        raise RuntimeError(error_text(f"Global step should be created to use {hook}.", fix=fix))
    return read


class SecondOrStepTimer:
    """Decides at which steps something is due: every `every_steps` steps or `every_secs` seconds, and at the first.

    Raises: ValueError unless exactly one of the two is given.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        if every_secs is None and every_steps is None:
            raise ValueError(error_text("Either every_secs or every_steps should be provided."))
        if every_secs is not None and every_steps is not None:
            raise ValueError(error_text("Can not provide both every_secs and every_steps."))
        self._every_secs = every_secs
        self._every_steps = every_steps
        self.reset()

    def reset(self) -> None:
        """Forgets the last trigger: the next step is due."""
        self._last_step: Any = None
        self._last_time: float | None = None

    def should_trigger_for_step(self, step: Any) -> bool:
        """Whether the timer triggers at this step; never twice at the same one."""
        if self._last_step is None or self._last_time is None:
            return True
        if self._last_step == step:
            return False
        if self._every_secs is not None:
            return time.time() >= self._last_time + self._every_secs
        return bool(step >= self._last_step + self._every_steps)

    def update_last_triggered_step(self, step: Any) -> tuple[Any, Any]:
        """Records a trigger; (seconds, steps) since the last one, (None, None) at the first."""
        now = time.time()
        first = self._last_time is None
        elapsed = (None, None) if first else (now - self._last_time, step - self._last_step)  # type: ignore[operator]
        self._last_time, self._last_step = now, step
        return elapsed

    def last_triggered_step(self) -> Any:
        """The step of the last trigger, None before the first."""
        return self._last_step


class _Never(SecondOrStepTimer):
    """A timer that never triggers: for hooks that act at the end only."""

    def __init__(self) -> None:
        super().__init__(every_steps=1)

    def should_trigger_for_step(self, step: Any) -> bool:
        return False

    def update_last_triggered_step(self, step: Any) -> tuple[Any, Any]:
        return None, None


class LoggingTensorHook(SessionRunHook):
    """Logs the values of tensors (names, or {label: tensor or name}) every n runs, every n seconds, or at the end.

    formatter: from {label: value} to the line.
    Raises: ValueError unless at_end or exactly one interval is set, and for an interval that is not positive.
    """

    def __init__(
        self,
        tensors: Any,
        every_n_iter: int | None = None,
        every_n_secs: float | None = None,
        at_end: bool = False,
        formatter: Callable[[Mapping[Any, Any]], str] | None = None,
    ) -> None:
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            text = "either at_end and/or exactly one of every_n_iter and every_n_secs must be provided."
            raise ValueError(error_text(text))
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(error_text(f"invalid every_n_iter={every_n_iter}."))
        self._order = sorted(tensors) if isinstance(tensors, dict) else tensors
        self._tensors = tensors if isinstance(tensors, dict) else {item: item for item in tensors}
        self._formatter = formatter
        self._timer = _Never() if only_at_end else SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)
        self._at_end = at_end

    def begin(self) -> None:
        self._timer.reset()
        self._count = 0
        self._fetches = {tag: _graph_element(tensor) for tag, tensor in self._tensors.items()}

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        self._due = self._timer.should_trigger_for_step(self._count)
        return SessionRunArgs(self._fetches) if self._due else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._due:
            self._log(run_values.results)
        self._count += 1

    def end(self, session: Any) -> None:
        if self._at_end:
            self._log(session.run(self._fetches))

    def _log(self, values: Mapping[Any, Any]) -> None:
        seconds, _ = self._timer.update_last_triggered_step(self._count)
        with np.printoptions(suppress=True):
            if self._formatter:
                log.info(self._formatter(values))
                return
            line = ", ".join(f"{tag} = {values[tag]}" for tag in self._order)
            if seconds is None:
                log.info("%s", line)
            else:
                log.info("%s (%.3f sec)", line, seconds)


def _graph_element(element: Any) -> Any:
    """The tensor or operation of the default graph: `element` itself or the one of that name.

    Raises: ValueError for one of another graph, or for the name of an operation with several outputs.
    """
    graph = get_default_graph()
    if not isinstance(element, str):
        if getattr(element, "graph", None) is not graph:
            text = f"Passed {element} should have graph attribute that is equal to current graph {graph}."
            raise ValueError(error_text(text))
        return element
    if ":" in element:
        return graph.as_graph_element(element)
    tensor = graph.as_graph_element(f"{element}:0")
    if len(tensor.op.outputs) > 1:
        text = f"Name {element} is ambiguous, as this `Operation` has multiple outputs (at least 2)."
        raise ValueError(error_text(text, fix=f"say which: '{element}:0'"))
    return tensor


class StopAtStepHook(SessionRunHook):
    """Stops after num_steps more steps, or when the global step reaches last_step.

    Raises: ValueError unless exactly one of them is set.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError(error_text("One of num_steps or last_step must be specified."))
        if num_steps is not None and last_step is not None:
            raise ValueError(error_text("Only one of num_steps or last_step can be specified."))
        self._num_steps = num_steps
        self._last_step = last_step

    def begin(self) -> None:
        self._step = step_to_read("StopAtStepHook")

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._last_step is None:
            self._last_step = session.run(self._step) + self._num_steps

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        # the fetched step may be the one before the update
        assert self._last_step is not None
        if run_values.results + 1 >= self._last_step and run_context.session.run(self._step) >= self._last_step:
            run_context.request_stop()


class NanLossDuringTrainingError(RuntimeError):
    """The loss has become NaN."""

    def __str__(self) -> str:
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Watches a loss, a scalar: when it is NaN, raises NanLossDuringTrainingError, or logs a warning and stops."""

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss = loss_tensor
        self._fail = fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if np.isnan(run_values.results):
            text = "Model diverged with loss = NaN."
            if self._fail:
                log.error(text)
                raise NanLossDuringTrainingError
            log.warning(text)
            run_context.request_stop()


class GlobalStepWaiterHook(SessionRunHook):
    """Delays the first run until the global step reaches wait_until_step, so that workers start one after the other."""

    def __init__(self, wait_until_step: int) -> None:
        self._until = wait_until_step

    def begin(self) -> None:
        self._started = False
        self._step = step_to_read("_GlobalStepWaiterHook")

    def before_run(self, run_context: SessionRunContext) -> None:
        if self._started or self._until <= 0:
            self._started = True
            return
        log.info("Waiting for global step %d before starting training.", self._until)
        logged_step = 0
        while (step := run_context.session.run(self._step)) < self._until:
            if step - logged_step > 1000:
                text = "Waiting for global step %d before starting training. Current step is %d."
                log.info(text, self._until, step)
                logged_step = step
            time.sleep(0.5)
        self._started = True


class FinalOpsHook(SessionRunHook):
    """Runs final_ops at the end of the session; `final_ops_values` are their values."""

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._ops = final_ops
        self._feeds = final_ops_feed_dict
        self._values: Any = None

    @property
    def final_ops_values(self) -> Any:
        """The values of final_ops, None before the end."""
        return self._values

    def end(self, session: Any) -> None:
        if self._ops is None:
            return
        try:
            self._values = session.run(self._ops, feed_dict=self._feeds)
        except (errors.OutOfRangeError, StopIteration):
            log.warning(
                "FinalOpsHook reached the end of the input. Its ops must depend on variables alone: for a metric pass the value, "
                "not the update, which takes another batch."
            )
            raise


class FeedFnHook(SessionRunHook):
    """Feeds each run with the {tensor: value} that feed_fn returns."""

    def __init__(self, feed_fn: Callable[[], Mapping[Any, Any]]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


__all__ = [
    "FeedFnHook", "FinalOpsHook", "GlobalStepWaiterHook", "LoggingTensorHook", "NanLossDuringTrainingError", "NanTensorHook",
    "SecondOrStepTimer", "StopAtStepHook",
]  # fmt: skip
