"""TFRecord files: `TFRecordWriter(path)` writes byte strings one after the other, `tf_record_iterator(path)` gives them back.

A record is its length (8 bytes), the masked CRC-32C of that (4), the data, and the masked CRC-32C of the data (4). A length is
believed, and room made for it, only when its checksum holds and the file is long enough. No state.
"""

from __future__ import annotations

import errno
import os
import zlib
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final

from ..base import errors
from ..base.errors import error_text
from . import gfile
from .crc32c import crc32c, masked

_HEAD: Final = 12
_PIECE: Final = 1 << 18
_MOST: Final = 1 << 31  # of a packed record, whose size nothing else tells: what a message may have


class TFRecordCompressionType:
    """How a file is packed."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """How a file is packed, and zlib's own settings where they matter.

    compression_type: "", "ZLIB", "GZIP" or one of TFRecordCompressionType. Raises: ValueError for another one.
    """

    compression_type_map: Final = {
        TFRecordCompressionType.ZLIB: "ZLIB",
        TFRecordCompressionType.GZIP: "GZIP",
        TFRecordCompressionType.NONE: "",
    }

    def __init__(
        self,
        compression_type: Any = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ) -> None:
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """"ZLIB", "GZIP" or "" for options, a TFRecordCompressionType or such a text."""
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if isinstance(options, int | str):
            if options in cls.compression_type_map:
                return cls.compression_type_map[options]
            if options in cls.compression_type_map.values():
                return str(options)
        raise ValueError(error_text(f'Not a valid compression_type: "{options}"'))

    def _packer(self) -> Any:
        kind = self.get_compression_type_string(self.compression_type)
        if not kind:
            return None
        window = 15 if self.window_bits is None else self.window_bits
        return zlib.compressobj(
            -1 if self.compression_level is None else self.compression_level,
            zlib.DEFLATED if self.compression_method is None else self.compression_method,
            window + 16 if kind == "GZIP" and 0 < window < 16 else window,
            9 if self.mem_level is None else self.mem_level,
            0 if self.compression_strategy is None else self.compression_strategy,
        )


# -- out -------------------------------------------------------------------------------------------------------------


def framed(data: bytes) -> bytes:
    """One record as it stands in a file."""
    length = len(data).to_bytes(8, "little")
    return b"".join(
        (length, masked(crc32c(length)).to_bytes(4, "little"), data, masked(crc32c(data)).to_bytes(4, "little"))
    )


class TFRecordWriter:
    """Writes records to a new file: `with TFRecordWriter(path) as writer: writer.write(example.SerializeToString())`.

    options: a TFRecordOptions, or how to pack. Raises: NotFoundError and the like where the file cannot be made.
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        settings = options if isinstance(options, TFRecordOptions) else TFRecordOptions(options)
        self._path = gfile.local(path)
        self._packer = settings._packer()
        try:
            self._file: Any = open(self._path, "wb", buffering=_PIECE)  # noqa: SIM115 - `close` closes it
        except OSError as cause:
            raise gfile.failed(self._path, cause) from None

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def _open(self) -> Any:
        if self._file is None:
            raise errors.FailedPreconditionError(None, None, error_text("Writer is closed."))
        return self._file

    def write(self, record: Any) -> None:
        """Appends one record: bytes, or text as UTF-8."""
        file = self._open()
        if isinstance(record, str):
            record = record.encode("utf-8")
        if not isinstance(record, bytes | bytearray | memoryview):
            raise TypeError(error_text(f"a record is bytes, not {type(record).__name__}: {record!r:.80}"))
        data = framed(bytes(record))
        self._put(file, data if self._packer is None else self._packer.compress(data))

    def flush(self) -> None:
        """Gives what was written to the operating system; of a packed file, what is packed so far."""
        file = self._open()
        if self._packer is not None:
            self._put(file, self._packer.flush(zlib.Z_SYNC_FLUSH))
        try:
            file.flush()
        except OSError as cause:
            raise gfile.failed(self._path, cause) from None

    def close(self) -> None:
        """Ends the file. What is closed already stays so."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            if self._packer is not None:
                file.write(self._packer.flush())
            file.close()
        except OSError as cause:
            raise gfile.failed(self._path, cause) from None

    def _put(self, file: Any, data: bytes) -> None:
        try:
            file.write(data)
        except OSError as cause:
            raise gfile.failed(self._path, cause) from None


# -- in --------------------------------------------------------------------------------------------------------------


def _lost(text: str) -> errors.DataLossError:
    return errors.DataLossError(None, None, error_text(text))


class _Plain:
    """A file from the front: `read(n)` gives n bytes, or fewer at its end."""

    def __init__(self, file: Any, size: int | None) -> None:
        self._file, self._size = file, size

    def has(self, count: int) -> bool:
        """Whether so many bytes follow."""
        if self._size is None:  # no file of a fixed size: a pipe
            return count <= _MOST
        return bool(self._file.tell() + count <= os.fstat(self._file.fileno()).st_size)

    def read(self, count: int) -> bytes:
        found: bytes = self._file.read(count)
        return found


class _Packed:
    """The same of a packed file. It unpacks no more than is asked for."""

    def __init__(self, file: Any, window: int) -> None:
        self._file, self._window = file, window
        self._zip = zlib.decompressobj(window)
        self._left = b""

    def has(self, count: int) -> bool:
        return count <= _MOST

    def read(self, count: int) -> bytes:
        out = bytearray()
        try:
            while len(out) < count:
                data = self._left or self._file.read(_PIECE)
                if self._zip.eof:
                    if not data:
                        break
                    self._zip = zlib.decompressobj(self._window)  # another packed part follows
                out += self._zip.decompress(data, min(count - len(out), _PIECE))
                self._left = self._zip.unused_data if self._zip.eof else self._zip.unconsumed_tail
                if not data and not self._left:
                    break
        except zlib.error as cause:
            raise _lost(f"inflate() failed: {str(cause).partition(': ')[2] or cause}") from None
        return bytes(out)


def records_of(source: Any) -> Iterator[tuple[int, bytes]]:
    """Where each record begins, and its data. A head that is cut short ends the file: somebody is still writing it."""
    at = 0
    while True:
        head = source.read(_HEAD)
        if len(head) < _HEAD:
            return
        if masked(crc32c(head[:8])) != int.from_bytes(head[8:], "little"):
            raise _lost(f"corrupted record at {at}")
        length = int.from_bytes(head[:8], "little")
        if not source.has(length + 4):
            raise _lost(f"truncated record at {at}")
        data = source.read(length + 4)
        if len(data) < length + 4:
            raise _lost(f"truncated record at {at}")
        if masked(crc32c(data[:length])) != int.from_bytes(data[length:], "little"):
            raise _lost(f"corrupted record at {at + _HEAD}")
        yield at, data[:length]
        at += _HEAD + length + 4


def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a file, one by one.

    options: how it is packed. Raises, when it is first asked for a record: NotFoundError and the like for a file that
    cannot be opened; at a bad place: DataLossError.
    """
    kind = TFRecordOptions.get_compression_type_string(options)
    where = gfile.local(path)
    try:
        file = open(where, "rb", buffering=_PIECE)  # noqa: SIM115 - the `with` below closes it
    except OSError as cause:
        raise gfile.failed(where, cause) from None
    with file:
        size = os.fstat(file.fileno()).st_size if file.seekable() else None
        window = options.window_bits if isinstance(options, TFRecordOptions) and options.window_bits is not None else 15
        source: Any = _Packed(file, window + 16 if kind == "GZIP" and 0 < window < 16 else window) if kind else _Plain(file, size)
        try:
            for _, data in records_of(source):
                yield data
        except OSError as cause:
            raise gfile.failed(where, OSError(cause.errno or errno.EIO, "")) from None


__all__ = ["TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "framed", "records_of", "tf_record_iterator"]
