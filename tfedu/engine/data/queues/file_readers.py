"""Readers of `tf`: each takes file names out of a queue and gives the records of the files, one at a run.

    names = tf.train.string_input_producer(["a.csv", "b.csv"])
    key, line = tf.TextLineReader(skip_header_lines=1).read(names)

No state: how far a reader is, the session knows (ops/readers.py).
"""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...files.tfrecord import TFRecordOptions
from ...graph.nodes import Operation, Tensor
from ...ops import readers as ops


class ReaderBase:
    """What all readers share. reader_ref: the handle. supports_serialize: whether the state can be kept and restored."""

    def __init__(self, reader_ref: Tensor, supports_serialize: bool = False) -> None:
        self._reader_ref = reader_ref
        self._supports_serialize = supports_serialize

    @property
    def reader_ref(self) -> Tensor:
        return self._reader_ref

    @property
    def supports_serialize(self) -> bool:
        """Whether the state can be kept and restored."""
        return self._supports_serialize

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The next record as (key, value), scalars. queue: of file names, the queue or its handle.

        The run raises OutOfRangeError when the queue is closed and empty.
        """
        return ops.reader_read(self._reader_ref, _handle_of(queue), name=name)

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """The next records of one file, at most num_records, as (keys, values): [n]."""
        return ops.reader_read_up_to(self._reader_ref, _handle_of(queue), num_records, name=name)

    def num_records_produced(self, name: str | None = None) -> Tensor:
        """How many records the reader has given, a scalar: int64."""
        count: Tensor = ops.reader_num_records_produced(self._reader_ref, name=name)
        return count

    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """How many files the reader has read to their ends, a scalar: int64."""
        count: Tensor = ops.reader_num_work_units_completed(self._reader_ref, name=name)
        return count

    def serialize_state(self, name: str | None = None) -> Tensor:
        """How far the reader is, a string; the run raises UnimplementedError unless supports_serialize."""
        state: Tensor = ops.reader_serialize_state(self._reader_ref, name=name)
        return state

    def restore_state(self, state: Any, name: str | None = None) -> Operation:
        """The operation that makes the reader go on where `serialize_state` was."""
        operation: Operation = ops.reader_restore_state(self._reader_ref, state, name=name)
        return operation

    def reset(self, name: str | None = None) -> Operation:
        """The operation that makes the reader as it was in the beginning."""
        operation: Operation = ops.reader_reset(self._reader_ref, name=name)
        return operation


def _handle_of(queue: Any) -> Any:
    return queue if isinstance(queue, Tensor) else queue.queue_ref


class WholeFileReader(ReaderBase):
    """A record is a whole file, its key the file's name."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(ops.whole_file_reader(name=name), supports_serialize=True)


class TextLineReader(ReaderBase):
    """A record is a line without its end, its key the file's name and the line's number: `a.txt:1`.

    skip_header_lines: so many lines of each file are passed over.
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(ops.text_line_reader(skip_header_lines=skip_header_lines or 0, name=name))


class FixedLengthRecordReader(ReaderBase):
    """A record is record_bytes long, its key the file's name and the record's number from 0.

    header_bytes, footer_bytes: at the ends of a file, and no records. hop_bytes: from the start of a record to that of the next,
    by default record_bytes. encoding: "ZLIB" or "GZIP" for compressed files.
    """

    def __init__(
        self,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        hop_bytes: int | None = None,
        name: str | None = None,
        encoding: str | None = None,
    ) -> None:
        super().__init__(
            ops.fixed_length_record_reader(
                record_bytes=record_bytes, header_bytes=header_bytes or 0, footer_bytes=footer_bytes or 0,
                hop_bytes=hop_bytes or 0, encoding=encoding or "", name=name,
            )
        )  # fmt: skip


class TFRecordReader(ReaderBase):
    """A record is one of a TFRecord file, its key the file's name and the record's offset. options: the compression."""

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        compression = TFRecordOptions.get_compression_type_string(options)
        super().__init__(ops.tf_record_reader(compression_type=compression, name=name))


class IdentityReader(ReaderBase):
    """A record is the name of a file itself, also its key."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(ops.identity_reader(name=name), supports_serialize=True)


class LMDBReader(ReaderBase):
    """Raises: NotImplementedError: tfedu reads no LMDB databases."""

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        raise NotImplementedError(
            error_text("tfedu reads no LMDB databases", fix="write their records into a TFRecord file, and use TFRecordReader")
        )


__all__ = [
    "FixedLengthRecordReader", "IdentityReader", "LMDBReader", "ReaderBase", "TFRecordReader", "TextLineReader",
    "WholeFileReader",
]  # fmt: skip
