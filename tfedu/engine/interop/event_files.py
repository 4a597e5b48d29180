"""Event files: the stream of `Event` messages that TensorBoard reads. `EventFile` writes one, `summary_iterator` reads it.

    for event in summary_iterator("/tmp/log/events.out.tfevents.1450000000.host"):
        for value in event.summary.value: print(event.step, value.tag, value.simple_value)

No state but an EventFile's own.
"""

from __future__ import annotations

import os
import platform
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any, Final

from ..base import dtypes, errors, proto
from ..base.errors import error_text
from ..files import gfile
from ..files.tfrecord import framed, tf_record_iterator

_VERSION: Final = "brain.Event:2"


def summary_iterator(path: Any) -> Iterator[Any]:
    """The Event messages of a file, one by one.

    Raises: what `tf_record_iterator` raises; DataLossError for a record that is no Event.
    """
    for data in tf_record_iterator(path):
        try:
            event = proto.Event.FromString(data)
        except proto.DecodeError:
            raise errors.DataLossError(
                None, None, error_text(f"{os.fspath(path)}: a record is no Event")
            ) from None
        yield event


class EventFile:
    """Appends events to a new file of the folder `logdir`, which is made if need be.

    The file is made by the first event, or at once where it has a suffix. An event is brought to the disk with the first one
    that comes `flush_secs` after the last time, by `flush` and by `close`; after `close`, nothing is written until `reopen`.
    Differs from TF: an event is written by the thread that adds it, so there is no queue that `max_queue` could bound; a
    file that is there already is never written over.
    """

    def __init__(
        self, logdir: Any, max_queue: int = 10, flush_secs: float = 120, filename_suffix: str | None = None
    ) -> None:
        self._logdir = str(logdir)
        if self._logdir and not gfile.isdir(self._logdir):
            if gfile.exists(self._logdir):
                raise errors.FailedPreconditionError(
                    None, None, error_text(f"{self._logdir} is not a directory")
                )
            gfile.makedirs(self._logdir)
        self._suffix = filename_suffix or ""
        self._flush_secs = flush_secs
        self._next_flush = 0.0
        self._lock = threading.Lock()
        self._closed = False
        self._file: Any = None
        self._end: Any = None
        if self._suffix:
            self._open()

    def get_logdir(self) -> str:
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Appends an Event. Raises: TypeError for another message."""
        if getattr(getattr(event, "DESCRIPTOR", None), "name", None) != "Event":
            raise TypeError(
                error_text(f"an event file takes Event messages, got {type(event).__name__}: {event!r:.80}")
            )
        data = framed(event.SerializeToString())
        with self._lock:
            if self._closed:
                return
            if self._file is None:
                self._open()
            self._put(data)
            now = time.time()
            if now > self._next_flush:
                self._flush()
                self._next_flush = now + self._flush_secs

    def flush(self) -> None:
        """Brings what was added to the disk."""
        with self._lock:
            if self._file is not None:
                self._flush()

    def close(self) -> None:
        """Brings what was added to the disk and lets go of the file."""
        with self._lock:
            self._closed = True
            file, self._file = self._file, None
            if file is not None:
                self._end.detach()
                try:
                    file.close()
                except OSError as cause:
                    raise gfile.failed(file.name, cause) from None

    def reopen(self) -> None:
        """After `close`: what is added from now on goes into a new file of the same folder."""
        self._closed = False

    def _open(self) -> None:
        second = int(time.time())
        host = platform.node().replace("/", "_") or "localhost"
        while self._file is None:
            name = f"events.out.tfevents.{second:010d}.{host}{self._suffix}"
            path = os.path.join(gfile.local(self._logdir), name)
            try:
                self._file = open(path, "xb", buffering=1 << 16)  # noqa: SIM115 - `close` closes it
            except FileExistsError:
                second += 1  # another writer of this second has the name
            except OSError as cause:
                raise gfile.failed(path, cause) from None
        # also when the program ends without `close`
        self._end = weakref.finalize(self, self._file.close)
        self._put(framed(proto.Event(wall_time=float(second), file_version=_VERSION).SerializeToString()))
        self._flush()

    def _put(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as cause:
            raise gfile.failed(self._file.name, cause) from None

    def _flush(self) -> None:
        try:
            self._file.flush()
        except OSError as cause:
            raise gfile.failed(self._file.name, cause) from None


# -- what a traced run left, as TensorFlow's message -----------------------------------------------------------------------


def run_metadata(metadata: Any) -> Any:
    """A `tf.RunMetadata` as the message of that name: which nodes ran when and for how long, and what came out of them."""
    made = proto.RunMetadata()
    if metadata.trace is None or not metadata.trace.runs:
        return made
    by_device: dict[str, Any] = {}
    for step in metadata.trace.runs[-1].steps:
        if step.outcome != "ran":
            continue
        device = step.op.device or "/job:localhost/replica:0/task:0/device:CPU:0"
        if device not in by_device:
            by_device[device] = made.step_stats.dev_stats.add(device=device)
        begin, end = (nanoseconds // 1000 for nanoseconds in step.times)
        inputs = [t.name.removesuffix(":0") for t in step.op.inputs] + [f"^{op.name}" for op in step.op.control_inputs]
        node = by_device[device].node_stats.add(
            node_name=step.op.name,
            all_start_micros=begin,
            op_end_rel_micros=end - begin,
            all_end_rel_micros=end - begin,
            timeline_label=f"{step.op.name} = {step.op.type}({', '.join(inputs)})",
        )
        for slot, (output, tensor) in enumerate(zip(step.outputs, step.op.outputs)):
            if output.dead or output.value is None:
                continue
            told = node.output.add(slot=slot).tensor_description
            told.dtype = tensor.dtype.base_dtype.as_datatype_enum
            told.shape.SetInParent()
            for size in getattr(output.value, "shape", ()):
                told.shape.dim.add(size=size)
            room = getattr(output.value, "nbytes", 0) if tensor.dtype.base_dtype != dtypes.string else 0
            told.allocation_description.requested_bytes = room
            told.allocation_description.allocated_bytes = room
            told.allocation_description.allocator_name = "cpu"
    return made


def serialized_run_metadata(metadata: Any) -> bytes:
    """`run_metadata` as bytes."""
    data: bytes = run_metadata(metadata).SerializeToString()
    return data


def step_stats(metadata: Any) -> Any:
    """What `run_metadata` tells of the nodes."""
    return run_metadata(metadata).step_stats


__all__ = ["EventFile", "run_metadata", "serialized_run_metadata", "step_stats", "summary_iterator"]
