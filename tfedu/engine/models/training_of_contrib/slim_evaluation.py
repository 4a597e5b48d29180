"""`slim.evaluation`: the metrics of a model at a checkpoint, once or for each new checkpoint. No state."""

from __future__ import annotations

from typing import Any, Final

from ...lib.summaries.summary import merge_all
from ...training.checkpoints.saver import Saver
from ...training.sessions import evaluation
from ...training.sessions.scaffold import Scaffold

_DEFAULT: Final = 0


def _hooks(num_evals: int, logdir: Any, summary_op: Any, summary_op_feed_dict: Any, hooks: Any) -> list[Any]:
    """What stops after num_evals, and writes a summary then."""
    summary_op = merge_all() if isinstance(summary_op, int) and summary_op == _DEFAULT else summary_op
    found: list[Any] = [evaluation.StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        found.append(evaluation.SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=summary_op_feed_dict))
    return [*found, *(hooks or ())]


def evaluate_once(
    master: str,
    checkpoint_path: str,
    logdir: Any,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    eval_op: Any = None,
    eval_op_feed_dict: Any = None,
    final_op: Any = None,
    final_op_feed_dict: Any = None,
    summary_op: Any = _DEFAULT,
    summary_op_feed_dict: Any = None,
    variables_to_restore: Any = None,
    session_config: Any = None,
    hooks: Any = None,
) -> Any:
    """The values of final_op after num_evals runs of eval_op with the values of a checkpoint.

    summary_op: what is written to logdir at the end, by default all summaries. variables_to_restore: by default all.
    """
    all_hooks = _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    saver = None if variables_to_restore is None else Saver(variables_to_restore)
    return evaluation.evaluate_once(
        checkpoint_path,
        master=master,
        scaffold=Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, saver=saver),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        hooks=all_hooks,
        config=session_config,
    )


def evaluation_loop(
    master: str,
    checkpoint_dir: Any,
    logdir: Any,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    init_fn: Any = None,
    eval_op: Any = None,
    eval_op_feed_dict: Any = None,
    final_op: Any = None,
    final_op_feed_dict: Any = None,
    summary_op: Any = _DEFAULT,
    summary_op_feed_dict: Any = None,
    variables_to_restore: Any = None,
    eval_interval_secs: float = 60,
    max_number_of_evaluations: int | None = None,
    session_config: Any = None,
    timeout: float | None = None,
    timeout_fn: Any = None,
    hooks: Any = None,
) -> Any:
    """`evaluate_once` for each new checkpoint of a folder; the values of final_op for the last one.

    timeout: the greatest time between two checkpoints in seconds. timeout_fn: whether to stop after that.
    """
    all_hooks = _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    saver = None if variables_to_restore is None else Saver(variables_to_restore)
    return evaluation.evaluate_repeatedly(
        checkpoint_dir,
        master=master,
        scaffold=Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, init_fn=init_fn, saver=saver),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        eval_interval_secs=eval_interval_secs,
        hooks=all_hooks,
        config=session_config,
        max_number_of_evaluations=max_number_of_evaluations,
        timeout=timeout,
        timeout_fn=timeout_fn,
    )


__all__ = ["evaluate_once", "evaluation_loop"]
