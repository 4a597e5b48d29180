"""Evaluation of checkpoints (tf.contrib.training): `evaluate_once(path, eval_ops=…, final_ops=…)`.

State: the local variable `eval_step` of a graph, which counts the evaluations of a session.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...interop.summary_writer import FileWriterCache
from ...lib.control.grouping import identity
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import waiting_for
from ...lib.summaries import summary
from ...lib.variables.initializers import Zeros
from ...lib.variables.state import assign_add
from ...lib.variables.variable_scope import get_variable
from ..checkpoints.checkpoint_state import checkpoints_iterator
from .basic_hooks import FinalOpsHook
from .global_step import get_or_create_global_step, global_step
from .hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from .monitored import MonitoredSession
from .scaffold import ChiefSessionCreator


def get_or_create_eval_step() -> Any:
    """The local variable that counts evaluations, a scalar. Raises: ValueError when the graph has several."""
    steps = get_default_graph().get_collection(GraphKeys.EVAL_STEP)
    if len(steps) > 1:
        raise ValueError(error_text("Multiple tensors added to tf.GraphKeys.EVAL_STEP"))
    if steps:
        return steps[0]
    return get_variable(
        "eval_step",
        shape=[],
        dtype=dtypes.int64,
        initializer=Zeros(),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP],
    )


class StopAfterNEvalsHook(SessionRunHook):
    """Stops an evaluation after num_evals runs; None: never."""

    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None:
        self._num_evals = num_evals
        self._log_progress = log_progress
        self._log_every = 1 if num_evals is None or num_evals < 20 else math.floor(num_evals / 10)
        self._evals_completed: Any = None

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        self._evals_completed = updated_eval_step

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        completed = run_values.results["evals_completed"]
        if self._log_progress:
            if self._num_evals is None:
                log.info("Evaluation [%d]", completed)
            elif completed % self._log_every == 0 or completed == self._num_evals:
                log.info("Evaluation [%d/%d]", completed, self._num_evals)
        if self._num_evals is not None and completed >= self._num_evals:
            run_context.request_stop()


class SummaryAtEndHook(SessionRunHook):
    """Writes summaries at the end of an evaluation.

    summary_op: by default all summaries of the graph. Raises: ValueError without a folder and a writer.
    """

    def __init__(
        self, log_dir: Any = None, summary_writer: Any = None, summary_op: Any = None, feed_dict: Any = None
    ) -> None:
        if log_dir is None and summary_writer is None:
            raise ValueError(error_text("One of log_dir or summary_writer should be used."))
        self._folder, self._writer = log_dir, summary_writer
        self._summary_op, self._feeds = summary_op, feed_dict

    def begin(self) -> None:
        self._summary = summary.merge_all() if self._summary_op is None else self._summary_op
        self._step = get_or_create_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._writer is None and self._folder:
            self._writer = FileWriterCache.get(self._folder)

    def end(self, session: Any) -> None:
        if self._summary is not None:
            step = global_step(session, self._step)
            summaries = session.run(self._summary, self._feeds)
            if self._writer:
                self._writer.add_summary(summaries, step)
        if self._writer:
            self._writer.flush()


def _with_step_update(eval_ops: Any, update: Any) -> Any:
    """The fetches of each run: eval_ops and the update of eval_step."""
    if isinstance(eval_ops, dict):
        return {**eval_ops, "update_eval_step": update}
    return [*(eval_ops if isinstance(eval_ops, (tuple, list)) else [eval_ops]), update]


def _evaluate(checkpoint_path: str, creator_arguments: dict[str, Any], hooks: list[Any], eval_ops: Any, feed_dict: Any) -> None:
    """Runs eval_ops in one session that starts from the checkpoint's values, until a hook stops it."""
    creator = ChiefSessionCreator(checkpoint_filename_with_path=checkpoint_path, **creator_arguments)
    log.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    with MonitoredSession(session_creator=creator, hooks=hooks) as session:
        if eval_ops is not None:
            while not session.should_stop():
                session.run(eval_ops, feed_dict)
    log.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))


def evaluate_once(
    checkpoint_path: str,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    hooks: Any = None,
    config: Any = None,
) -> Any:
    """Runs `eval_ops` with a checkpoint's values until a hook stops it; returns the values of `final_ops` after that.

    Raises: the errors of Saver.restore.
    """
    step = get_or_create_eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        eval_ops = _with_step_update(eval_ops, assign_add(step, 1, use_locking=True))
        with waiting_for(list(eval_ops.values()) if isinstance(eval_ops, dict) else eval_ops):
            completed = identity(step.read_value())
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(completed)
    final_hook = FinalOpsHook(final_ops, final_ops_feed_dict)
    creator = {"scaffold": scaffold, "master": master, "config": config}
    _evaluate(checkpoint_path, creator, [*hooks, final_hook], eval_ops, feed_dict)
    return final_hook.final_ops_values


def evaluate_repeatedly(
    checkpoint_dir: Any,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    eval_interval_secs: float = 60,
    hooks: Any = None,
    config: Any = None,
    max_number_of_evaluations: int | None = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Any:
    """Evaluates each new checkpoint of a folder; returns the values of `final_ops` for the last one.

    timeout, timeout_fn: see `checkpoints_iterator`. Raises: the errors of Saver.restore.
    """
    step = get_or_create_eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        update = assign_add(step, 1)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(update)
        eval_ops = _with_step_update(eval_ops, update)
    final_hook = FinalOpsHook(final_ops, final_ops_feed_dict)
    creator = {"scaffold": scaffold, "master": master, "config": config}
    paths = checkpoints_iterator(checkpoint_dir, min_interval_secs=eval_interval_secs, timeout=timeout, timeout_fn=timeout_fn)
    for number, path in enumerate(paths, 1):
        _evaluate(path, creator, [*hooks, final_hook], eval_ops, feed_dict)
        if max_number_of_evaluations is not None and number >= max_number_of_evaluations:
            break
    return final_hook.final_ops_values


__all__ = ["StopAfterNEvalsHook", "SummaryAtEndHook", "evaluate_once", "evaluate_repeatedly", "get_or_create_eval_step"]
