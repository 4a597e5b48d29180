"""`visualize_embeddings(writer, config)`: the configuration of TensorBoard's projector. No state."""

from __future__ import annotations

from typing import Any

from ..base import proto
from ..base.errors import error_text
from .message_files import write_graph

_FILE = "projector_config.pbtxt"


def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes a ProjectorConfig into the writer's folder, from which TensorBoard reads it.

    Raises: ValueError for a writer without a folder, TypeError for another message.
    """
    logdir = summary_writer.get_logdir()
    if logdir is None:
        raise ValueError(error_text("Summary writer must have a logdir"))
    if not isinstance(config, proto.ProjectorConfig):
        raise TypeError(
            error_text(f"expected a ProjectorConfig, got {type(config).__name__}: {config!r:.80}")
        )
    write_graph(config, logdir, _FILE)


__all__ = ["visualize_embeddings"]
