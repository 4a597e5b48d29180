"""Runs in a session that makes variables, tables and queues ready: `tf.contrib.learn.run_n` and `run_feeds`. No state."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.graph import graph_of
from ...lib.variables.initialization import global_variables_initializer, local_variables_initializer
from ...lib.variables.resources import tables_initializer
from ...runtime.session import Session
from ...training.checkpoints.saver import Saver
from ...training.sessions.coordinator import Coordinator
from .runners import start_queue_runners


def run_feeds(
    output_dict: dict[str, Any], feed_dicts: Iterable[Any], restore_checkpoint_path: str | None = None
) -> list[dict[str, Any]]:
    """The values of the tensors of output_dict, by its keys, in a run for each of feed_dicts.

    A new session initializes the variables and tables of their graph, or restores the variables of a checkpoint, and starts the
    queue runners.

    Raises: ValueError for nothing to fetch and for an empty list of feeds; NotFoundError without the checkpoint.
    """
    if not output_dict:
        raise ValueError(error_text(f"output_dict is invalid: {output_dict}."))
    if not feed_dicts:
        raise ValueError(error_text(f"feed_dicts is invalid: {feed_dicts}."))
    graph = graph_of(output_dict.values()) or get_default_graph()
    with graph.as_default(), Session() as session:
        if restore_checkpoint_path:
            Saver().restore(session, restore_checkpoint_path)
        else:
            session.run(global_variables_initializer())
        session.run(local_variables_initializer())
        session.run(tables_initializer())
        coordinator = Coordinator()
        threads = start_queue_runners(session, coord=coordinator)
        try:
            return [session.run(output_dict, feed) for feed in feed_dicts]
        finally:
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=120)


def run_n(
    output_dict: dict[str, Any], feed_dict: Any = None, restore_checkpoint_path: str | None = None, n: int = 1
) -> list[dict[str, Any]]:
    """`run_feeds` with the same feeds n times."""
    return run_feeds(output_dict, itertools.repeat(feed_dict, n), restore_checkpoint_path)


__all__ = ["run_feeds", "run_n"]
