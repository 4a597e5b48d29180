"""Readers: TextLineReaderV2 and its kind take names of files out of a queue, and give their records one by one.

State: the readers, in the session's store: which file each reads, and how far it is.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any, Final

import numpy as np

from ..base import dtypes, errors, proto
from ..base.shapes import Shape
from ..files import gfile
from ..files.decompress import Decompressor
from ..files.tfrecord import TFRecordOptions, tf_record_iterator
from ..op.define import Sym, op
from ..op.shape_checks import as_array, invalid, of_rank, unimplemented
from .queues import queue_behind

string, int64, resource = dtypes.string, dtypes.int64, dtypes.resource

Records = Iterator[tuple[bytes, bytes]]  # keys and values


class Reader:
    """records: the records of a file; opens: whether that opens the file at once, so that a missing one is passed over.

    ends_at_once: a file is one record. serializes: the state can be kept.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        records: Callable[[str], Records],
        opens: bool = True,
        ends_at_once: bool = False,
        serializes: bool = False,
    ) -> None:
        self.kind, self.name = kind, name
        self.records, self.opens = records, opens
        self.ends_at_once, self.serializes = ends_at_once, serializes
        self.lock = threading.Lock()
        self.restore(None)

    def read(self, count: int, next_file: Callable[[], bytes]) -> list[tuple[bytes, bytes]]:
        """At least one record of the file, at most `count`: of the next file where this one has ended."""
        with self.lock:
            while True:
                if self.started == self.finished:
                    self._start(next_file())
                try:
                    found = list(islice(self._rest(), count))
                except errors.OpError:
                    self._open = None
                    raise
                self.given += len(found)
                self.produced += len(found)
                if len(found) < count or self.ends_at_once:
                    self.finished, self.given, self._open = self.finished + 1, 0, None
                if found or not count:
                    return found

    def has_record(self) -> bool:
        """Whether a read needs no further file: the present one has another record, or fails. False while another run reads."""
        if not self.lock.acquire(blocking=False):
            return False
        try:
            if self.started == self.finished:
                return False
            rest = self._rest()
            following = next(rest, None)
            if following is not None:
                self._open = chain([following], rest)  # the read gives it
            return following is not None
        except errors.OpError:
            self._open = None  # the read opens the file again, and raises the error
            return True
        finally:
            self.lock.release()

    def _start(self, work: bytes) -> None:
        if self.opens:
            path = gfile.local(os.fsdecode(work))
            try:
                open(path, "rb").close()
            except OSError as cause:
                raise gfile.op_error(path, cause) from None
        self.work, self.given, self._open = work, 0, None
        self.started += 1

    def _rest(self) -> Records:
        """The records of the file that were not given yet."""
        if self._open is None:
            self._open = self.records(os.fsdecode(self.work))
            next(islice(self._open, self.given, self.given), None)
        return self._open

    def state(self) -> Any:
        return self.started, self.finished, self.produced, self.work, self.given

    def restore(self, state: Any) -> None:
        """Gives the reader the state back that it had earlier; None: that of a new reader."""
        self.started: int
        self.finished: int
        self.produced: int
        self.work: bytes
        self.given: int  # records of the present file
        self.started, self.finished, self.produced, self.work, self.given = state or (0, 0, 0, b"", 0)
        self._open: Records | None = None

    def copied(self) -> Reader:
        twin = Reader(self.kind, self.name, self.records, self.opens, self.ends_at_once, self.serializes)
        twin.restore(self.state())
        return twin

    def check_serializes(self, what: str) -> None:
        """Raises: UnimplementedError for a reader whose state cannot be kept."""
        if not self.serializes:
            raise unimplemented(f"Reader {what}")


# -- the kinds -------------------------------------------------------------------------------------------------------


def _reader_op(type: str) -> Callable[..., Any]:
    return op(type, out="reader_handle", shape=lambda **attributes: (), stateful=True, resource="reader")


def _made(run: Any, container: str, shared_name: str, records: Callable[[str], Records], **settings: Any) -> Any:
    kind = run.node.type.removesuffix("V2")
    return run.handle(
        run.resource("reader", container, shared_name, lambda name: Reader(kind, name, records, **settings))
    )


@_reader_op("TextLineReaderV2")
def text_line_reader(run: Any, *, skip_header_lines: int = 0, container: str = "", shared_name: str = "") -> resource:
    """A handle of a reader of lines, scalar; a key is the file's name and the line's number from 1.

    Raises: InvalidArgumentError for a number of lines below 0.
    """
    if skip_header_lines < 0:
        raise invalid(f"skip_header_lines must be >= 0 not {skip_header_lines}")

    def lines(path: str) -> Records:
        with gfile.File(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if number > skip_header_lines:
                    yield os.fsencode(f"{path}:{number}"), line.removesuffix(b"\n").replace(b"\r", b"")

    return _made(run, container, shared_name, lines)


@_reader_op("WholeFileReaderV2")
def whole_file_reader(run: Any, *, container: str = "", shared_name: str = "") -> resource:
    """A handle of a reader of whole files, scalar; a key is the file's name."""

    def whole(path: str) -> Records:
        with gfile.File(path, "rb") as file:
            yield os.fsencode(path), file.read()

    return _made(run, container, shared_name, whole, opens=False, ends_at_once=True, serializes=True)


@_reader_op("IdentityReaderV2")
def identity_reader(run: Any, *, container: str = "", shared_name: str = "") -> resource:
    """A handle of a reader that gives the names themselves, as keys and as values: scalar."""

    def itself(work: str) -> Records:
        yield os.fsencode(work), os.fsencode(work)

    return _made(run, container, shared_name, itself, opens=False, ends_at_once=True, serializes=True)


@_reader_op("TFRecordReaderV2")
def tf_record_reader(run: Any, *, container: str = "", shared_name: str = "", compression_type: str = "") -> resource:
    """A handle of a reader of TFRecord files, scalar; a key is the file's name and the record's offset in bytes."""
    options = TFRecordOptions(compression_type) if compression_type else None

    def records(path: str) -> Records:
        at = 0
        for data in tf_record_iterator(path, options):
            yield os.fsencode(f"{path}:{at}"), data
            at += len(data) + _FRAME

    return _made(run, container, shared_name, records)


_FRAME: Final = 16  # bytes around a record: its length and two checksums


@_reader_op("FixedLengthRecordReaderV2")
def fixed_length_record_reader(
    run: Any,
    *,
    header_bytes: int = 0,
    record_bytes: int,
    footer_bytes: int = 0,
    hop_bytes: int = 0,
    container: str = "",
    shared_name: str = "",
    encoding: str = "",
) -> resource:
    """A handle of a reader of records of record_bytes each, scalar; a key is the file's name and the record's number from 0.

    hop_bytes: from the start of one record to that of the next; 0: its length. encoding: "ZLIB" or "GZIP" for compressed files.

    Raises: InvalidArgumentError for a length below zero.
    """
    lengths = {"header_bytes": header_bytes, "record_bytes": record_bytes, "footer_bytes": footer_bytes, "hop_bytes": hop_bytes}
    for name, length in lengths.items():
        if length < 0:
            raise invalid(f"{name} must be >= 0 not {length}")
    hop = hop_bytes or record_bytes

    def records(path: str) -> Records:
        with gfile.File(path, "rb") as file:
            window = {"ZLIB": 15, "GZIP": 31}.get(encoding)
            read = file.read if window is None else Decompressor(lambda: file.read(1 << 16), window).read
            if len(read(header_bytes)) < header_bytes:
                return
            ahead, number = b"", 0
            while True:
                ahead += read(max(0, record_bytes + footer_bytes - len(ahead)))
                if len(ahead) < record_bytes + footer_bytes:
                    return
                yield os.fsencode(f"{path}:{number}"), ahead[:record_bytes]
                number += 1
                read(max(0, hop - len(ahead)))
                ahead = ahead[hop:]

    return _made(run, container, shared_name, records)


# -- what is done with a reader ---------------------------------------------------------------------------------------


def _behind(handle: Any) -> Reader:
    reader = getattr(handle, "buffer", None)
    if not isinstance(reader, Reader):
        raise invalid("Trying to access resource using the wrong type: this handle is of no reader")
    return reader


def _next_file(run: Any, queue_handle: Any) -> Callable[[], bytes]:
    queue = queue_behind(queue_handle)
    if len(queue.dtypes) != 1:
        raise invalid("Expected single component queue")
    if queue.dtypes[0] is not string:
        raise invalid("Expected queue with single string component")
    return lambda: as_array(run.waited(queue, queue.dequeue_one, in_turn=True).result()[0][0])[()]  # type: ignore[no-any-return]


def _acts(type: str, out: str = "output", access: str = "update", **settings: Any) -> Callable[..., Any]:
    accesses = {"reader_handle": access, **settings.pop("others", {})}
    return op(type, out=out, stateful=True, access=accesses, resource="reader", role="op", **settings)


def _of_handles(*handles: Sym) -> None:
    for handle in handles:
        of_rank(handle.shape, 0)


def _read_shapes(reader_handle: Sym, queue_handle: Sym) -> list[Shape]:
    _of_handles(reader_handle, queue_handle)
    return [(), ()]


@_acts("ReaderReadV2", "key value", others={"queue_handle": "update"}, shape=_read_shapes)
def reader_read(run: Any, reader_handle: resource, queue_handle: resource) -> tuple[string, string]:
    """The next record, of the file that the queue names next where this one has ended: handles scalar -> two scalars.

    Raises: OutOfRangeError when the queue is closed and empty; NotFoundError for a missing file, DataLossError for a damaged one.
    """
    ((key, value),) = _behind(reader_handle).read(1, _next_file(run, queue_handle))
    return key, value


def _can_read(run: Any, reader_handle: Any, queue_handle: Any, *_: Any) -> bool:
    """A read waits only for the name of a file. Of empty files it waits for the name of the one after them."""
    return queue_behind(queue_handle).can_dequeue(1) or _behind(reader_handle).has_record()


reader_read.ready("take")(_can_read)


def _read_up_to_shapes(reader_handle: Sym, queue_handle: Sym, num_records: Sym) -> list[Shape]:
    _of_handles(reader_handle, queue_handle, num_records)
    return [(None,), (None,)]


@_acts("ReaderReadUpToV2", "keys values", others={"queue_handle": "update"}, shape=_read_up_to_shapes)
def reader_read_up_to(
    run: Any, reader_handle: resource, queue_handle: resource, num_records: int64
) -> tuple[string, string]:
    """The next records of one file, at most num_records, at least one: handles and num_records scalar -> two vectors [n].

    Raises: OutOfRangeError when the queue is closed and empty.
    """
    found = _behind(reader_handle).read(int(num_records), _next_file(run, queue_handle))
    keys, values = np.empty(len(found), object), np.empty(len(found), object)
    keys[:], values[:] = [key for key, _ in found], [value for _, value in found]
    return keys, values


reader_read_up_to.ready("take")(_can_read)


def _counted_shape(reader_handle: Sym) -> Shape:
    _of_handles(reader_handle)
    return ()


@_acts("ReaderNumRecordsProducedV2", "records_produced", "read", shape=_counted_shape)
def reader_num_records_produced(run: Any, reader_handle: resource) -> int64:
    """How many records the reader has given: scalar."""
    return np.int64(_behind(reader_handle).produced)


@_acts("ReaderNumWorkUnitsCompletedV2", "units_completed", "read", shape=_counted_shape)
def reader_num_work_units_completed(run: Any, reader_handle: resource) -> int64:
    """How many files the reader has read to their ends: scalar."""
    return np.int64(_behind(reader_handle).finished)


@_acts("ReaderSerializeStateV2", "state", "read", shape=_counted_shape)
def reader_serialize_state(run: Any, reader_handle: resource) -> string:
    """How far the reader is, as a message: scalar.

    Raises: UnimplementedError for readers that are in the middle of a file.
    """
    reader = _behind(reader_handle)
    reader.check_serializes("SerializeState")
    with reader.lock:
        message = proto.ReaderBaseState(
            work_started=reader.started, work_finished=reader.finished, num_records_produced=reader.produced,
            current_work=reader.work,
        )  # fmt: skip
    return message.SerializeToString()  # type: ignore[no-any-return]


def _restored_shape(reader_handle: Sym, state: Sym) -> list[Shape]:
    _of_handles(reader_handle, state)
    return []


@_acts("ReaderRestoreStateV2", shape=_restored_shape)
def reader_restore_state(run: Any, reader_handle: resource, state: string) -> None:
    """Makes the reader go on where another one was: state scalar.

    Raises: UnimplementedError for readers that are in the middle of a file, InvalidArgumentError for what is no state.
    """
    reader = _behind(reader_handle)
    reader.check_serializes("RestoreState")
    data = as_array(state)[()]
    try:
        message = proto.ReaderBaseState.FromString(data)
    except proto.DecodeError:
        text = data.decode("utf-8", "replace")
        raise invalid(f"Could not parse state for {reader.kind} '{reader.name}': {text}") from None
    counts = message.work_started, message.work_finished, message.num_records_produced
    if min(counts) < 0 or message.work_started < message.work_finished:
        raise invalid(f"Negative counts, or more files finished than started, when restoring {reader.name}: {counts}")
    with reader.lock:
        reader.restore((*counts, message.current_work, 0))
    return ()  # type: ignore[return-value]


def _reset_shape(reader_handle: Sym) -> list[Shape]:
    _of_handles(reader_handle)
    return []


@_acts("ReaderResetV2", shape=_reset_shape)
def reader_reset(run: Any, reader_handle: resource) -> None:
    """Makes the reader as it was in the beginning: handle scalar."""
    reader = _behind(reader_handle)
    with reader.lock:
        reader.restore(None)
    return ()  # type: ignore[return-value]
