"""`slim.learning`: training in one call, which logs, saves checkpoints and writes summaries.

    train_op = create_train_op(total_loss, optimizer, clip_gradient_norm=4)
    train(train_op, logdir, number_of_steps=1000)

No state.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any, Final

from ...base import errors, log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...interop.chrome_timeline import Timeline
from ...lib.control.grouping import group
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import math
from ...lib.summaries.summary import merge_all
from ...lib.variables.initialization import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from ...lib.variables.resources import tables_initializer
from ...op.constant import constant
from ...runtime.config import RunMetadata, RunOptions
from ...training.checkpoints.saver import Saver
from ...training.optimizers.optimizer import Optimizer
from ...training.sessions import training_loops
from ...training.sessions.global_step import get_or_create_global_step
from ...training.sessions.supervisor import Supervisor
from ...training.sessions.training_loops import (
    add_gradients_summaries,
    clip_gradient_norms,
    multiply_gradients,
)

_DEFAULT: Final = 0


@atomic
def create_train_op(
    total_loss: Any,
    optimizer: Optimizer,
    global_step: Any = _DEFAULT,
    update_ops: Any = None,
    variables_to_train: Any = None,
    clip_gradient_norm: float = 0,
    summarize_gradients: bool = False,
    gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: dict[Any, Any] | None = None,
    check_numerics: bool = True,
) -> Tensor:
    """The loss, of total_loss's shape, as a tensor whose computation runs one training step.

    clip_gradient_norm: the greatest norm of each gradient, 0 for no limit. gradient_multipliers: factors of gradients by variable
    or its name. The other arguments are those of `tf.contrib.training.create_train_op`.
    """

    def transformed(pairs: Any) -> Any:
        if gradient_multipliers:
            with name_scope("multiply_grads"):
                pairs = multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            with name_scope("clip_grads"):
                pairs = clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    return training_loops.create_train_op(
        total_loss=total_loss,
        optimizer=optimizer,
        global_step=global_step,
        update_ops=update_ops,
        variables_to_train=variables_to_train,
        transform_grads_fn=transformed,
        summarize_gradients=summarize_gradients,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
        check_numerics=check_numerics,
    )


def train_step(sess: Any, train_op: Any, global_step: Any, train_step_kwargs: dict[str, Any]) -> tuple[Any, bool]:
    """(the loss, whether to stop) of one step in a session.

    train_step_kwargs: tensors "should_stop", "should_log" and "should_trace", and "logdir" for the traces; each may be missing.
    """
    options = metadata = None
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError(error_text("logdir must be present in train_step_kwargs when should_trace is present"))
        if sess.run(train_step_kwargs["should_trace"]):
            options, metadata = RunOptions(trace_level=RunOptions.FULL_TRACE), RunMetadata()
    start = time.time()
    total_loss, step = sess.run([train_op, global_step], options=options, run_metadata=metadata)
    elapsed = time.time() - start
    if metadata is not None:
        trace = Timeline(metadata.step_stats).generate_chrome_trace_format()
        path = os.path.join(train_step_kwargs["logdir"], f"tf_trace-{step}.json")
        log.info("Writing trace to %s", path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(trace)
        if "summary_writer" in train_step_kwargs:
            train_step_kwargs["summary_writer"].add_run_metadata(metadata, f"run_metadata-{step}")
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        log.info("global step %d: loss = %.4f (%.3f sec/step)", step, total_loss, elapsed)
    should_stop = sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False
    return total_loss, should_stop


def train(
    train_op: Any,
    logdir: Any,
    train_step_fn: Callable[..., Any] = train_step,
    train_step_kwargs: Any = _DEFAULT,
    log_every_n_steps: int = 1,
    graph: Any = None,
    master: str = "",
    is_chief: bool = True,
    global_step: Any = None,
    number_of_steps: int | None = None,
    init_op: Any = _DEFAULT,
    init_feed_dict: Any = None,
    local_init_op: Any = _DEFAULT,
    init_fn: Callable[[Any], Any] | None = None,
    ready_op: Any = _DEFAULT,
    summary_op: Any = _DEFAULT,
    save_summaries_secs: int = 600,
    summary_writer: Any = _DEFAULT,
    startup_delay_steps: int = 0,
    saver: Any = None,
    save_interval_secs: int = 600,
    sync_optimizer: Any = None,
    session_config: Any = None,
    session_wrapper: Callable[[Any], Any] | None = None,
    trace_every_n_steps: int | None = None,
    ignore_live_threads: bool = False,
) -> Any:
    """Runs train_op until the global step is number_of_steps, or its inputs end; returns the last loss.

    logdir: where checkpoints (every save_interval_secs, and at the end) and summaries (every save_summaries_secs) go;
    training continues from a checkpoint there. train_step_fn(session, train_op, global_step, train_step_kwargs) runs a step.
    init_fn: called with the session after init_op, as `assign_from_checkpoint_fn` makes it. trace_every_n_steps: writes a
    timeline that often.

    Raises: ValueError for no train_op, for number_of_steps below 1 and for what needs a logdir without one;
    UnimplementedError for sync_optimizer.
    """
    _check(train_op, logdir, number_of_steps, summary_op, saver, trace_every_n_steps, sync_optimizer, startup_delay_steps)
    graph = graph or get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = get_or_create_global_step()
        saver = saver or Saver()
        with name_scope("init_ops"):
            if init_op == _DEFAULT:
                init_op = global_variables_initializer()
            if ready_op == _DEFAULT:
                ready_op = report_uninitialized_variables()
            if local_init_op == _DEFAULT:
                local_init_op = group(local_variables_initializer(), tables_initializer())
        if summary_op == _DEFAULT:
            summary_op = merge_all()
        if summary_writer == _DEFAULT:
            summary_writer = Supervisor.USE_DEFAULT
        if train_step_kwargs == _DEFAULT:
            train_step_kwargs = _step_arguments(
                global_step, number_of_steps, log_every_n_steps, is_chief and trace_every_n_steps, logdir
            )
    supervisor = Supervisor(
        graph=graph,
        is_chief=is_chief,
        logdir=logdir,
        init_op=init_op,
        init_feed_dict=init_feed_dict,
        local_init_op=local_init_op,
        ready_for_local_init_op=None,
        ready_op=ready_op,
        summary_op=summary_op,
        summary_writer=summary_writer,
        global_step=global_step,
        saver=saver,
        save_summaries_secs=save_summaries_secs,
        save_model_secs=save_interval_secs,
        init_fn=init_fn,
    )
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = supervisor.summary_writer

    def step(session: Any) -> tuple[Any, bool]:
        return train_step_fn(session, train_op, global_step, train_step_kwargs)

    while True:
        try:
            return _trained(
                supervisor, step, master, session_config, session_wrapper, startup_delay_steps, number_of_steps, logdir,
                ignore_live_threads,
            )  # fmt: skip
        except errors.AbortedError:
            # a parameter server was lost: a new session continues from the last checkpoint
            log.info("Retrying training!")


def _check(
    train_op: Any, logdir: Any, number_of_steps: Any, summary_op: Any, saver: Any, trace_every_n_steps: Any, sync_optimizer: Any,
    startup_delay_steps: int,
) -> None:  # fmt: skip
    if train_op is None:
        raise ValueError(error_text("train_op cannot be None."))
    if logdir is None:
        for name, is_given in (
            ("summary_op", summary_op != _DEFAULT),
            ("saver", saver is not None),
            ("trace_every_n_steps", trace_every_n_steps is not None),
        ):
            if is_given:
                raise ValueError(error_text(f"Cannot provide {name} because logdir=None"))
    if sync_optimizer is not None:
        if startup_delay_steps > 0:
            raise ValueError(error_text("startup_delay_steps must be zero when sync_optimizer is supplied."))
        raise errors.UnimplementedError(None, None, "tfedu has no SyncReplicasOptimizer: sync_optimizer must be None")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError(error_text("`number_of_steps` must be either None or a positive number."))


@atomic
def _step_arguments(
    global_step: Any, number_of_steps: int | None, log_every_n_steps: int, trace_every_n_steps: Any, logdir: Any
) -> dict[str, Any]:
    """The tensors that tell after a step whether to stop, to log and to trace."""
    with name_scope("train_step"):
        arguments: dict[str, Any] = {}
        if number_of_steps:
            arguments["should_stop"] = math.greater_equal(global_step, number_of_steps)
        else:
            arguments["should_stop"] = constant(False)
        if log_every_n_steps > 0:
            arguments["should_log"] = math.equal(math.floormod(global_step, log_every_n_steps), 0)
        if trace_every_n_steps:
            arguments["should_trace"] = math.equal(math.floormod(global_step, trace_every_n_steps), 0)
            arguments["logdir"] = logdir
        return arguments


def _trained(
    supervisor: Supervisor,
    step: Callable[[Any], tuple[Any, bool]],
    master: str,
    session_config: Any,
    session_wrapper: Callable[[Any], Any] | None,
    startup_delay_steps: int,
    number_of_steps: int | None,
    logdir: Any,
    ignore_live_threads: bool,
) -> Any:
    """One session's steps; the last loss."""
    total_loss = None
    with supervisor.managed_session(master, start_standard_services=False, config=session_config) as session:
        log.info("Starting Session.")
        if session_wrapper is not None:
            log.info("Wrapping session with wrapper function: %s", session_wrapper)
            session = session_wrapper(session)
        if supervisor.is_chief:
            if logdir:
                supervisor.start_standard_services(session)
        elif startup_delay_steps > 0:
            _wait_for_step(session, supervisor.global_step, min(startup_delay_steps, number_of_steps or startup_delay_steps))
        threads = supervisor.start_queue_runners(session)
        log.info("Starting Queues.")
        try:
            while not supervisor.should_stop():
                total_loss, should_stop = step(session)
                if should_stop:
                    log.info("Stopping Training.")
                    supervisor.request_stop()
                    break
        except (errors.OutOfRangeError, StopIteration) as error:
            # the inputs have ended
            log.info("Caught OutOfRangeError. Stopping Training. %s", error)
        # first the threads end, so that none of them saves an older state after this; the end of the block closes the writer
        supervisor.stop(threads, close_summary_writer=False, ignore_live_threads=ignore_live_threads)
        if logdir and supervisor.is_chief:
            log.info("Finished training! Saving model to disk.")
            supervisor.saver.save(session, supervisor.save_path, global_step=supervisor.global_step)
    return total_loss


def _wait_for_step(session: Any, global_step: Any, step: int) -> None:
    """Waits until the chief has come that far."""
    while True:
        if session.is_closed() or session.run(global_step) >= step:
            return
        time.sleep(1)


__all__ = ["add_gradients_summaries", "clip_gradient_norms", "create_train_op", "multiply_gradients", "train", "train_step"]
