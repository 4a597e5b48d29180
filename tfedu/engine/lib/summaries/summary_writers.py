"""Writers of tf.contrib.summary: resources of a session, which nodes write to.

State: in each thread, the default writer and whether summaries are recorded (`_Settings`); two collections of each graph, of the
writers' initializers and of the nodes that record.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ...ops import summary_writers as ops
from ..control.grouping import no_op
from ..framework.collections import add_to_collection, get_collection
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import control_dependencies, device
from ..math.math import equal, logical_and

_WRITERS = "_SUMMARY_WRITER_V2"  # the collection of initializers, by TensorFlow's name

_NO_WRITER = "No default tf.contrib.summary.SummaryWriter found"


class _Settings(threading.local):
    writer: SummaryWriter | None = None
    is_recording: Any = False  # a bool, or a bool tensor


_settings = _Settings()


class SummaryWriter:
    """What summaries are written by; this one writes nothing."""

    def set_as_default(self) -> None:
        """Makes this writer the one of the thread's summaries from now on."""
        _settings.writer = self

    @contextmanager
    def as_default(self) -> Iterator[SummaryWriter]:
        """A block in which this writer writes the summaries; at its end, a node that flushes is added to the graph."""
        outer = _settings.writer
        _settings.writer = self
        try:
            yield self
            self.flush()
        finally:
            _settings.writer = outer

    def init(self) -> Any:
        """An operation that opens the writer's file."""
        raise NotImplementedError()

    def flush(self) -> Any:
        """An operation that writes what is buffered to the file."""
        raise NotImplementedError()

    def close(self) -> Any:
        """An operation that closes the file."""
        raise NotImplementedError()


class NoopSummaryWriter(SummaryWriter):
    """The writer of `create_file_writer(None)`, which writes nothing."""

    @contextmanager
    def as_default(self) -> Iterator[SummaryWriter]:
        yield self

    def set_as_default(self) -> None:
        """Changes nothing."""

    def init(self) -> Any:
        """Nothing."""

    def flush(self) -> Any:
        """Nothing."""

    def close(self) -> Any:
        """Nothing."""


class ResourceSummaryWriter(SummaryWriter):
    """A writer whose file belongs to a session."""

    def __init__(self, shared_name: str, init_op_fn: Callable[[Tensor], Operation], name: str | None = None) -> None:
        self._resource: Tensor = ops.summary_writer(shared_name=shared_name, name=name)
        self._init_op_fn = init_op_fn
        add_to_collection(_WRITERS, init_op_fn(self._resource))

    def init(self) -> Operation:
        """An operation that opens the writer's file."""
        return self._init_op_fn(self._resource)

    def flush(self) -> Any:
        """An operation that writes what is buffered to the file."""
        return flush(self)

    @atomic
    def close(self) -> Operation:
        """An operation that flushes and closes the file."""
        with control_dependencies([self.flush()]), device("cpu:0"):
            operation: Operation = ops.close_summary_writer(self._resource)
            return operation


@atomic
def create_file_writer(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: str | None = None,
) -> SummaryWriter:
    """A writer of an event file in the folder `logdir`; None writes nothing.

    flush_millis: after how long an event is surely written, 2 minutes by default. filename_suffix: the end of the file's name,
    ".v2" by default. name: writers of one name are one in a session, by default that of the folder. max_queue has no effect.
    """
    if logdir is None:
        return NoopSummaryWriter()
    logdir = str(logdir)
    with device("cpu:0"):
        queue = constant(10) if max_queue is None else max_queue
        millis = constant(2 * 60 * 1000) if flush_millis is None else flush_millis
        suffix = constant(".v2") if filename_suffix is None else filename_suffix
        return ResourceSummaryWriter(
            f"logdir:{logdir}" if name is None else name,
            lambda resource: ops.create_summary_file_writer(resource, logdir, queue, millis, suffix),  # type: ignore[no-any-return]
        )


def create_db_writer(
    db_uri: Any,
    experiment_name: Any = None,
    run_name: Any = None,
    user_name: Any = None,
    name: str | None = None,
) -> SummaryWriter:
    """Raises: NotImplementedError: tfedu writes summaries into event files alone."""
    raise NotImplementedError(
        error_text("tfedu writes summaries into event files, not into databases", fix="use create_file_writer(logdir)")
    )


def default_writer() -> SummaryWriter | None:
    """The writer of the innermost `as_default` block, or None."""
    return _settings.writer


def needed_writer() -> Any:
    """The default writer.

    Raises: RuntimeError when there is none.
    """
    if _settings.writer is None:
        raise RuntimeError(error_text(_NO_WRITER, fix="enter the writer: with writer.as_default(): …"))
    return _settings.writer


def resource_of(writer: Any) -> Any:
    """The handle of a writer, scalar; a handle itself unchanged."""
    return writer._resource if isinstance(writer, ResourceSummaryWriter) else writer


@atomic
def flush(writer: Any = None, name: str | None = None) -> Any:
    """An operation that writes what a writer (the default one) has buffered to its file."""
    writer = _settings.writer if writer is None else writer
    if writer is None or isinstance(writer, NoopSummaryWriter):
        return no_op()
    with device("cpu:0"):
        return ops.flush_summary_writer(resource_of(writer), name=name)


def import_event(tensor: Any, name: str | None = None) -> Operation:
    """An operation that writes a serialized Event, a string scalar, by the default writer.

    Raises: RuntimeError without a default writer.
    """
    operation: Operation = ops.import_event(resource_of(needed_writer()), tensor, name=name)
    return operation


# -- whether summaries are recorded ------------------------------------------------------------------------------------


def should_record_summaries() -> Tensor:
    """Whether summaries are recorded here: a bool scalar."""
    recorded: Tensor = logical_and(True, _settings.is_recording)
    return recorded


@contextmanager
def recording(condition: Any) -> Iterator[None]:
    """A block in which summaries are recorded if `condition`, a bool or a bool tensor, holds."""
    outer = _settings.is_recording
    _settings.is_recording = condition
    try:
        yield
    finally:
        _settings.is_recording = outer


def always_record_summaries() -> Any:
    """A block in which every summary is recorded."""
    return recording(True)


def never_record_summaries() -> Any:
    """A block in which no summary is recorded."""
    return recording(False)


@contextmanager
def recording_every(n: Any, step: Any) -> Iterator[None]:
    """A block in which summaries are recorded in every n-th step. step: an integer scalar."""
    with device("cpu:0"):
        is_due = equal(step % n, 0)
    with recording(is_due):
        yield


# -- what a session runs -----------------------------------------------------------------------------------------------


def all_summary_ops() -> list[Any]:
    """The nodes of the default graph that record summaries."""
    return get_collection(GraphKeys._SUMMARY_COLLECTION)


all_v2_summary_ops = all_summary_ops


def summary_writer_initializer_op() -> list[Any]:
    """The operations of the default graph that open writers' files."""
    return get_collection(_WRITERS)


def eval_dir(model_dir: Any, name: str | None = None) -> str:
    """The folder of a model's evaluation: "eval" or "eval_name" in `model_dir`."""
    return os.path.join(model_dir, "eval" if not name else f"eval_{name}")

