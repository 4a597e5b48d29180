"""The ops of tf.contrib.summary: a writer is a resource of the session, and nodes write events into its file when they run.

State: the writers, in the session's store; closing the session closes their files.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors, proto
from ..files.event_files import EventFile
from ..op.define import AtLeast, op, typevar
from ..op.shape_checks import REALS, Any_, as_array, invalid, kinds
from .summary import add_histogram, add_pictures, add_sounds, add_tensor, numbers, tag_text

string = dtypes.string
Value = typevar("T", REALS)
Values = typevar("T", (*REALS, dtypes.bool), default=dtypes.float32)
Picture = typevar("T", kinds("uint8 double float half"), default=dtypes.float32)


class _Writer:
    """A writer of summaries; `file` is None before CreateSummaryFileWriter and after CloseSummaryWriter."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.file: EventFile | None = None
        self.was_open = False

    def open_file(self, store: Any) -> EventFile:
        """Raises: NotFoundError for a writer that is not initialized, in TF's words: its sessions begin without a container."""
        if self.file is None:
            has_container = any(buffer.value is not None for buffer in store.buffers.values()) or any(
                getattr(resource, "was_open", False) for resource in store.resources.values()
            )
            text = (
                f"Resource localhost/{self.name}/N10tensorflow22SummaryWriterInterfaceE does not exist."
                if has_container
                else f"Container localhost does not exist. (Could not find resource: localhost/{self.name})"
            )
            error = errors.NotFoundError(None, None, text)
            error.fix = "run the writer's initializer first: tf.contrib.summary.initialize(session=…)"
            raise error
        return self.file

    def close(self) -> None:
        if self.file is not None:
            self.file.close()
            self.file = None


def _writes(type: str) -> Callable[..., Any]:
    """Defines an op that writes an event into the file of its first input."""
    return op(
        type, role="summary", stateful=True, access={"writer": "write"}, resource="file",
        shape=lambda *inputs, **attributes: [],
    )  # fmt: skip


def _add(run: Any, writer: Any, step: Any, **content: Any) -> None:
    """Writes an event. step: an int64 scalar."""
    event = proto.Event(wall_time=time.time(), step=int(as_array(step)), **content)
    writer.buffer.open_file(run.store).add_event(event)
    return ()  # type: ignore[return-value]


def _single(value: Any, label: str) -> Any:
    array = as_array(value)
    if array.ndim:
        raise invalid(f"{label} must be scalar")
    return array[()]


@op("SummaryWriter", out="writer", shape=lambda **_: (), stateful=True, resource="file")
def summary_writer(run: Any, *, shared_name: str = "", container: str = "") -> dtypes.resource:
    """A handle of the session's writer of this name: scalar."""
    return run.handle(run.resource("writer", container, shared_name, _Writer))


@_writes("CreateSummaryFileWriter")
def create_summary_file_writer(
    run: Any,
    writer: dtypes.resource,
    logdir: string,
    max_queue: dtypes.int32,
    flush_millis: dtypes.int32,
    filename_suffix: string,
) -> None:
    """Opens the writer's event file in the folder logdir, unless it has one: all inputs scalars.

    Raises: FailedPreconditionError when `logdir` is a file.
    """
    if writer.buffer.file is None:
        folder, suffix = _single(logdir, "logdir").decode(), _single(filename_suffix, "filename_suffix").decode()
        seconds = int(_single(flush_millis, "flush_millis")) / 1000
        writer.buffer.file = EventFile(folder, int(_single(max_queue, "max_queue")), seconds, suffix)
        writer.buffer.was_open = True
    return ()  # type: ignore[return-value]


@_writes("FlushSummaryWriter")
def flush_summary_writer(run: Any, writer: dtypes.resource) -> None:
    """Writes what is buffered to the file: handle scalar."""
    writer.buffer.open_file(run.store).flush()
    return ()  # type: ignore[return-value]


@_writes("CloseSummaryWriter")
def close_summary_writer(run: Any, writer: dtypes.resource) -> None:
    """Closes the writer's file: handle scalar."""
    writer.buffer.open_file(run.store)
    writer.buffer.close()
    return ()  # type: ignore[return-value]


@_writes("WriteScalarSummary")
def write_scalar_summary(run: Any, writer: dtypes.resource, step: dtypes.int64, tag: string, value: Value) -> None:
    """Writes a number: step, tag and value scalars; of another value its first element."""
    summary = proto.Summary()
    with np.errstate(over="ignore"):  # beyond float32 is infinite, as in C
        number = numbers(value).astype(np.float32).ravel()
    summary.value.add(tag=tag_text(tag, "tag must be scalar"), simple_value=float(number[0]))
    return _add(run, writer, step, summary=summary)


@_writes("WriteHistogramSummary")
def write_histogram_summary(run: Any, writer: dtypes.resource, step: dtypes.int64, tag: string, values: Values) -> None:
    """Writes the distribution of the values: step and tag scalars, values any shape.

    Raises: InvalidArgumentError for NaN or an infinity.
    """
    summary = proto.Summary()
    add_histogram(summary, tag_text(tag, "tag must be scalar"), values)
    return _add(run, writer, step, summary=summary)


@_writes("WriteImageSummary")
def write_image_summary(
    run: Any,
    writer: dtypes.resource,
    step: dtypes.int64,
    tag: string,
    tensor: Picture,
    bad_color: dtypes.uint8,
    *,
    max_images: AtLeast[1] = 3,
) -> None:
    """Writes the first max_images pictures as PNG: step and tag scalars, tensor [n, h, w, c], bad_color [k], k ≥ c."""
    summary = proto.Summary()
    add_pictures(summary, tag_text(tag, "tag must be scalar"), tensor, as_array(bad_color), max_images)
    return _add(run, writer, step, summary=summary)


@_writes("WriteAudioSummary")
def write_audio_summary(
    run: Any,
    writer: dtypes.resource,
    step: dtypes.int64,
    tag: string,
    tensor: dtypes.float32,
    sample_rate: dtypes.float32,
    *,
    max_outputs: AtLeast[1] = 3,
) -> None:
    """Writes the first max_outputs sounds as WAV: step, tag and sample_rate scalars, tensor [n, frames, channels]."""
    summary = proto.Summary()
    add_sounds(summary, tag_text(tag, "tag must be scalar"), tensor, sample_rate, max_outputs)
    return _add(run, writer, step, summary=summary)


@_writes("WriteSummary")
def write_summary(
    run: Any, writer: dtypes.resource, step: dtypes.int64, tensor: Any_, tag: string, summary_metadata: string
) -> None:
    """Writes a tensor [...] and how to show it: step, tag and summary_metadata scalars."""
    summary = proto.Summary()
    metadata = _single(summary_metadata, "summary_metadata")
    add_tensor(summary, tag_text(tag, "tag must be scalar"), tensor, metadata)
    return _add(run, writer, step, summary=summary)


@_writes("WriteGraphSummary")
def write_graph_summary(run: Any, writer: dtypes.resource, step: dtypes.int64, tensor: string) -> None:
    """Writes a serialized GraphDef: step and tensor scalars.

    Raises: DataLossError for text that is none.
    """
    data = _single(tensor, "tensor")
    _parsed(proto.GraphDef, data)
    return _add(run, writer, step, graph_def=data)


@_writes("ImportEvent")
def import_event(run: Any, writer: dtypes.resource, event: string) -> None:
    """Writes a serialized Event as it is: event scalar.

    Raises: DataLossError for text that is none.
    """
    writer.buffer.open_file(run.store).add_event(_parsed(proto.Event, _single(event, "event")))
    return ()  # type: ignore[return-value]


def _parsed(message_class: Any, data: bytes) -> Any:
    try:
        return message_class.FromString(data)
    except proto.DecodeError:
        name = message_class.DESCRIPTOR.name
        raise errors.DataLossError(None, None, f"Bad tf.{name} binary proto tensor string") from None
