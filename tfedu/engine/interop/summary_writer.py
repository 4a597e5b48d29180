"""`tf.summary.FileWriter(logdir, sess.graph)`: writes event files, which TensorBoard shows.

State: the writers of `FileWriterCache`, one per folder; a writer's tags so far.
"""

from __future__ import annotations

import threading
import time
import warnings
from types import TracebackType
from typing import Any, ClassVar

from ..base import log, proto
from ..base.errors import error_text
from ..files.event_files import EventFile
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..runtime.config import RunMetadata
from .meta_graph import export_meta_graph
from .run_metadata import serialized_run_metadata
from .session_event_file import SessionEventFile

_CLOSED = (
    "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is explicitly reopened."
)


class FileWriter:
    """Writes summaries, graphs and run metadata into an event file in the folder `logdir`; see `event_files.EventFile`.

    graph: written first, with its MetaGraphDef. max_queue has no effect. filename_suffix: the end of the file's name. session:
    nodes of this session's graph write the file, which the writers of tf.contrib.summary for the same folder share.
    Raises: FailedPreconditionError when `logdir` is a file.
    """

    def __init__(
        self,
        logdir: Any,
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        graph_def: Any = None,
        filename_suffix: str | None = None,
        session: Any = None,
    ) -> None:
        self.event_writer: EventFile | SessionEventFile = (
            EventFile(logdir, max_queue, flush_secs, filename_suffix)
            if session is None
            else SessionEventFile(session, logdir, max_queue, flush_secs, filename_suffix)
        )
        self._closed = False
        self._seen_tags: set[str] = set()
        self._seen_runs: set[str] = set()
        if graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)
            graph_message = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
            self.add_meta_graph(export_meta_graph(graph_def=graph_def or graph_message))

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def get_logdir(self) -> str:
        """The folder of the event file."""
        return self.event_writer.get_logdir()

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Writes a Summary: the value of a summary node, or a message. global_step: its place on TensorBoard's axis."""
        event = proto.Event()
        if isinstance(summary, bytes):
            try:
                event.summary.ParseFromString(summary)
            except proto.DecodeError:
                raise proto.DecodeError(error_text("Error parsing message")) from None
        else:
            if not hasattr(summary, "value"):
                fix = "pass the value of the node: add_summary(sess.run(…), step)"
                fix = fix if hasattr(summary, "op") else None
                raise AttributeError(
                    error_text(f"'{type(summary).__name__}' object has no attribute 'value'", fix=fix)
                )
            event.summary.CopyFrom(_as_own_class(summary, proto.Summary))
        for value in event.summary.value:
            # TensorBoard reads the metadata of a tag's first value
            if value.tag in self._seen_tags:
                value.ClearField("metadata")
            self._seen_tags.add(value.tag)
        self._add(event, global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Writes a SessionLog: the start or stop of a session, or a checkpoint."""
        self._add(proto.Event(session_log=_as_own_class(session_log, proto.SessionLog)), global_step)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Writes a Graph. A GraphDef, in either argument, is deprecated.

        Raises: ValueError for both, TypeError for neither.
        """
        if graph is not None and graph_def is not None:
            raise ValueError(error_text("Please pass only graph, or graph_def (deprecated), but not both."))
        message = graph_def if graph is None else graph
        if isinstance(message, Graph):
            if graph is None:
                log.warning("When passing a `Graph` object, please use the `graph` named argument instead of `graph_def`.")
            message = message.as_graph_def(add_shapes=True)
        elif isinstance(message, proto.GraphDef):
            log.warning(
                "Passing a `GraphDef` to the SummaryWriter is deprecated. Pass a `Graph` object instead, such as `sess.graph`."
            )
        else:
            raise TypeError(
                error_text("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")
            )
        self._add(proto.Event(graph_def=message.SerializeToString()), global_step)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Writes a MetaGraphDef. Raises: TypeError for something else."""
        if not isinstance(meta_graph_def, proto.MetaGraphDef):
            raise TypeError(
                error_text(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
            )
        self._add(proto.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Writes the RunMetadata of one run under a tag. Raises: ValueError for a tag that has been used."""
        if tag in self._seen_runs:
            raise ValueError(error_text("The provided tag was already used for this event type"))
        if isinstance(run_metadata, RunMetadata):
            data = serialized_run_metadata(run_metadata)
        else:
            data = _as_own_class(run_metadata, proto.RunMetadata).SerializeToString()
        self._seen_runs.add(tag)
        event = proto.Event(tagged_run_metadata=proto.TaggedRunMetadata(tag=tag, run_metadata=data))
        self._add(event, global_step)

    def add_event(self, event: Any) -> None:
        """Writes an Event unchanged."""
        self._warn_if_closed()
        self.event_writer.add_event(event)

    def flush(self) -> None:
        """Writes buffered events to the file."""
        self._warn_if_closed()
        self.event_writer.flush()

    def close(self) -> None:
        """Flushes and closes the file."""
        self.event_writer.close()
        self._closed = True

    def reopen(self) -> None:
        """After `close`: later events go to a new file in the same folder."""
        self.event_writer.reopen()
        self._closed = False

    def _warn_if_closed(self) -> None:
        if self._closed:
            warnings.warn(_CLOSED, stacklevel=4)

    def _add(self, event: Any, step: Any) -> None:
        self._warn_if_closed()
        event.wall_time = time.time()
        if step is not None:
            event.step = int(step)
        self.event_writer.add_event(event)


def _as_own_class(message: Any, message_class: Any) -> Any:
    """The message in tfedu's class; one of the same name from another library (tensorboard's) is parsed again."""
    if isinstance(message, message_class):
        return message
    if getattr(getattr(message, "DESCRIPTOR", None), "name", None) != message_class.DESCRIPTOR.name:
        raise TypeError(
            error_text(f"expected a {message_class.DESCRIPTOR.name}, got {type(message).__name__}: {message!r:.80}")
        )
    return message_class.FromString(message.SerializeToString())


class FileWriterCache:
    """One shared FileWriter per folder."""

    _writers: ClassVar[dict[str, FileWriter]] = {}
    _lock = threading.RLock()

    @staticmethod
    def clear() -> None:
        """Closes and removes all writers."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._writers.values():
                writer.close()
            FileWriterCache._writers.clear()

    @staticmethod
    def get(logdir: Any) -> FileWriter:
        """The writer of a folder; a new one writes the default graph first."""
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._writers:
                FileWriterCache._writers[logdir] = FileWriter(logdir, graph=get_default_graph())
            return FileWriterCache._writers[logdir]


SummaryWriter = FileWriter  # its name before 1.0

__all__ = ["FileWriter", "FileWriterCache", "SummaryWriter"]
