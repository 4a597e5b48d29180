"""`tf.summary.FileWriter(logdir, sess.graph)`: what a program wants TensorBoard to show goes into an event file.

State: the writers of `FileWriterCache`, one a folder.
"""

from __future__ import annotations

import threading
import time
import warnings
from types import TracebackType
from typing import Any, ClassVar

from ..base import errors, log, proto
from ..base.errors import error_text
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..runtime.config import RunMetadata
from .event_files import EventFile, serialized_run_metadata
from .meta_graph import export_meta_graph

_CLOSED = (
    "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is explicitly reopened."
)


class FileWriter:
    """Writes summaries, graphs and run metadata into an event file of the folder `logdir`; see `events.EventFile`.

    graph: also written, with its MetaGraphDef. max_queue is accepted and changes nothing. filename_suffix: ends the file's name.
    Raises: FailedPreconditionError where `logdir` is a file; UnimplementedError for `session`, the writer of
    tf.contrib.summary.
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
        if session is not None:
            text = error_text(
                "FileWriter(session=…) belongs to tf.contrib.summary, which tfedu does not have", fix="leave session out"
            )
            raise errors.UnimplementedError(None, None, text)
        self.event_writer = EventFile(logdir, max_queue, flush_secs, filename_suffix)
        self._closed = False
        self._seen_tags: set[str] = set()
        self._seen_runs: set[str] = set()
        if graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)
            known = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
            self.add_meta_graph(export_meta_graph(graph_def=graph_def or known))

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def get_logdir(self) -> str:
        """The folder in which the file is."""
        return self.event_writer.get_logdir()

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Writes a Summary: what a run of a summary node gave, or a message. global_step: where on the axis it stands."""
        event = proto.Event()
        if isinstance(summary, bytes):
            try:
                event.summary.ParseFromString(summary)
            except proto.DecodeError:
                raise proto.DecodeError(error_text("Error parsing message")) from None
        else:
            if not hasattr(summary, "value"):
                fix = "a run of the node gives what is written: add_summary(sess.run(…), step)"
                fix = fix if hasattr(summary, "op") else None
                raise AttributeError(
                    error_text(f"'{type(summary).__name__}' object has no attribute 'value'", fix=fix)
                )
            event.summary.CopyFrom(_ours(summary, proto.Summary))
        for value in event.summary.value:
            # how a tag is shown is said by its first value
            if value.tag in self._seen_tags:
                value.ClearField("metadata")
            self._seen_tags.add(value.tag)
        self._add(event, global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Writes a SessionLog: that a session began, stopped or saved."""
        self._add(proto.Event(session_log=_ours(session_log, proto.SessionLog)), global_step)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Writes a Graph. A GraphDef, in either place, is the older way.

        Raises: ValueError for both, TypeError for neither.
        """
        if graph is not None and graph_def is not None:
            raise ValueError(error_text("Please pass only graph, or graph_def (deprecated), but not both."))
        given = graph_def if graph is None else graph
        if isinstance(given, Graph):
            if graph is None:
                log.warning("When passing a `Graph` object, please use the `graph` named argument instead of `graph_def`.")
            given = given.as_graph_def(add_shapes=True)
        elif isinstance(given, proto.GraphDef):
            log.warning(
                "Passing a `GraphDef` to the SummaryWriter is deprecated. Pass a `Graph` object instead, such as `sess.graph`."
            )
        else:
            raise TypeError(
                error_text("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")
            )
        self._add(proto.Event(graph_def=given.SerializeToString()), global_step)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Writes a MetaGraphDef. Raises: TypeError for something else."""
        if not isinstance(meta_graph_def, proto.MetaGraphDef):
            raise TypeError(
                error_text(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
            )
        self._add(proto.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Writes what one run left in its RunMetadata, under a tag. Raises: ValueError for a tag that was used."""
        if tag in self._seen_runs:
            raise ValueError(error_text("The provided tag was already used for this event type"))
        if isinstance(run_metadata, RunMetadata):
            data = serialized_run_metadata(run_metadata)
        else:
            data = _ours(run_metadata, proto.RunMetadata).SerializeToString()
        self._seen_runs.add(tag)
        event = proto.Event(tagged_run_metadata=proto.TaggedRunMetadata(tag=tag, run_metadata=data))
        self._add(event, global_step)

    def add_event(self, event: Any) -> None:
        """Writes an Event as it is."""
        self._warn_if_closed()
        self.event_writer.add_event(event)

    def flush(self) -> None:
        """Brings what was added to the disk."""
        self._warn_if_closed()
        self.event_writer.flush()

    def close(self) -> None:
        """Brings what was added to the disk and lets go of the file."""
        self.event_writer.close()
        self._closed = True

    def reopen(self) -> None:
        """After `close`: what is added from now on goes into a new file of the same folder."""
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


def _ours(message: Any, kind: Any) -> Any:
    """The message in our class; one of the same name from another library (tensorboard's) is read over."""
    if isinstance(message, kind):
        return message
    if getattr(getattr(message, "DESCRIPTOR", None), "name", None) != kind.DESCRIPTOR.name:
        raise TypeError(
            error_text(f"expected a {kind.DESCRIPTOR.name}, got {type(message).__name__}: {message!r:.80}")
        )
    return kind.FromString(message.SerializeToString())


class FileWriterCache:
    """One FileWriter a folder, shared by all who ask for it."""

    _writers: ClassVar[dict[str, FileWriter]] = {}
    _lock = threading.RLock()

    @staticmethod
    def clear() -> None:
        """Closes all writers and forgets them."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._writers.values():
                writer.close()
            FileWriterCache._writers.clear()

    @staticmethod
    def get(logdir: Any) -> FileWriter:
        """The writer of that folder; a new one also writes the default graph."""
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._writers:
                FileWriterCache._writers[logdir] = FileWriter(logdir, graph=get_default_graph())
            return FileWriterCache._writers[logdir]


SummaryWriter = FileWriter  # its name before 1.0

__all__ = ["FileWriter", "FileWriterCache", "SummaryWriter"]
