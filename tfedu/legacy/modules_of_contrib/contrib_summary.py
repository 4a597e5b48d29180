"""`tf.contrib.summary`: summaries that nodes of the graph write into event files when they run."""

# ruff: noqa: I001 - the names stand in paragraphs
from typing import Any

from ...engine.base import log
from ...engine.lib.summaries.summary_writers import (
    SummaryWriter, all_summary_ops, always_record_summaries, create_db_writer, create_file_writer, eval_dir, flush, import_event,
    never_record_summaries, should_record_summaries, summary_writer_initializer_op,
)  # fmt: skip
from ...engine.training.sessions.recorded_summaries import (
    audio, generic, graph, histogram, image, initialize, record_summaries_every_n_global_steps, scalar,
)  # fmt: skip


def create_summary_file_writer(*args: Any, **kwargs: Any) -> SummaryWriter:
    """`create_file_writer` under the name that it had first."""
    log.warning("create_summary_file_writer is deprecated: use create_file_writer.")
    return create_file_writer(*args, **kwargs)


__all__ = [
    "SummaryWriter", "all_summary_ops", "always_record_summaries", "audio", "create_db_writer",
    "create_file_writer", "create_summary_file_writer", "eval_dir", "flush", "generic", "graph",
    "histogram", "image", "import_event", "initialize", "log", "never_record_summaries",
    "record_summaries_every_n_global_steps", "scalar", "should_record_summaries",
    "summary_writer_initializer_op",
]  # fmt: skip
