"""TFRecord files: `TFRecordWriter(path)` writes byte strings in sequence, `tf_record_iterator(path)` reads them.

A record is its length (8 bytes), the masked CRC-32C of that (4), the data, and the masked CRC-32C of the data (4). Memory is
allocated only if the length's checksum is right and the file is long enough. No state.
"""

from __future__ import annotations

import errno
import os
import zlib
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final

from ..base import budget, errors
from ..base import site as sites
from ..base.errors import error_text
from . import gfile
from .crc32c import crc32c, masked
from .decompress import Decompressor

_HEAD: Final = 12
_CHUNK: Final = 1 << 18  # bytes that are read or written at once


class TFRecordCompressionType:
    """How a file is compressed."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """How a file is compressed, and zlib's settings.

    compression_type: "", "ZLIB", "GZIP" or one of TFRecordCompressionType. flush_mode: is kept; as in TF, `flush()` of a
    writer passes on all that the compressor holds, whatever the mode. Raises: ValueError for another compression.
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

    def _compressor(self) -> Any:
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


# -- writing ----------------------------------------------------------------------------------------------------------


def record_bytes(data: bytes) -> bytes:
    """A record with its length and checksums, as in a file."""
    length = len(data).to_bytes(8, "little")
    return b"".join(
        (length, masked(crc32c(length)).to_bytes(4, "little"), data, masked(crc32c(data)).to_bytes(4, "little"))
    )


class TFRecordWriter:
    """Writes records to a new file: `with TFRecordWriter(path) as writer: writer.write(example.SerializeToString())`.

    options: a TFRecordOptions or a compression type. Raises: NotFoundError and other OpErrors when the file cannot be created.
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        settings = options if isinstance(options, TFRecordOptions) else TFRecordOptions(options)
        self._path = gfile.local(path)
        self._compressor = settings._compressor()
        try:
            self._file: Any = open(self._path, "wb", buffering=_CHUNK)  # noqa: SIM115 - `close` closes it
        except OSError as cause:
            raise gfile.op_error(self._path, cause) from None

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def _open(self) -> Any:
        if self._file is None:
            raise errors.FailedPreconditionError(None, None, error_text("Writer not initialized or previously closed"))
        return self._file

    def write(self, record: Any) -> None:
        """Appends one record. Raises: TypeError for what is not bytes, also for None, which TF writes as an empty record."""
        file = self._open()
        if not isinstance(record, bytes):
            fix = "encode the string: record.encode()" if isinstance(record, str) else None
            raise TypeError(error_text(f"expected bytes, {type(record).__name__} found", fix=fix))
        data = record_bytes(record)
        self._write(file, data if self._compressor is None else self._compressor.compress(data))

    def flush(self) -> None:
        """Passes buffered records to the operating system, those that a compressor holds, too."""
        file = self._open()
        if self._compressor is not None:
            self._write(file, self._compressor.flush(zlib.Z_PARTIAL_FLUSH))
        try:
            file.flush()
        except OSError as cause:
            raise gfile.op_error(self._path, cause) from None

    def close(self) -> None:
        """Closes the file; does nothing if it is closed."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            if self._compressor is not None:
                file.write(self._compressor.flush())
            file.close()
        except OSError as cause:
            raise gfile.op_error(self._path, cause) from None

    def _write(self, file: Any, data: bytes) -> None:
        try:
            file.write(data)
        except OSError as cause:
            raise gfile.op_error(self._path, cause) from None


# -- reading-----------------------------------------------------------------------------------------------------------


def _data_loss(text: str, path: str, at: int) -> errors.DataLossError:
    """The error of a file that is damaged at a byte of its (decompressed) content."""
    error = errors.DataLossError(None, None, text)
    error.line = sites.capture()
    if path:
        error.fix = f"{path} is damaged at byte {at}; what it holds before is whole. Write it anew"
    return error


class PlainSource:
    """An uncompressed file: `read(n)` returns n bytes, or fewer at its end."""

    def __init__(self, file: Any, size: int | None) -> None:
        self._file, self._size = file, size

    def has(self, count: int) -> bool:
        """Whether at least `count` bytes may follow. Raises: ResourceExhaustedError when the budget does not allow them."""
        if self._size is None:  # a pipe
            budget.current().account("A record in a pipe").take("bytes", count)
            return True
        return bool(self._file.tell() + count <= os.fstat(self._file.fileno()).st_size)

    def read(self, count: int) -> bytes:
        data: bytes = self._file.read(count)
        return data


class _CompressedSource:
    """A compressed file, with the methods of PlainSource; decompresses no more than it returns."""

    def __init__(self, file: Any, window: int) -> None:
        self._stream = Decompressor(lambda: file.read(_CHUNK), window)

    def has(self, count: int) -> bool:
        # The size of a compressed record cannot be compared with the file's.
        budget.current().account("A compressed record").take("bytes", count)
        return True

    def read(self, count: int) -> bytes:
        return self._stream.read(count)


def records_of(source: Any, path: str = "") -> Iterator[tuple[int, bytes]]:
    """Pairs (offset, data) of a source's records. An incomplete head ends the file: it is still being written.

    path: the file, for errors. Raises: DataLossError for a damaged record, ResourceExhaustedError for a compressed one that is
    larger than the budget.
    """
    at = 0
    try:
        while True:
            head = source.read(_HEAD)
            if len(head) < _HEAD:
                return
            if masked(crc32c(head[:8])) != int.from_bytes(head[8:], "little"):
                raise _data_loss(f"corrupted record at {at}", path, at)
            length = int.from_bytes(head[:8], "little")
            if not source.has(length + 4):
                raise _data_loss(f"truncated record at {at}", path, at)
            data = source.read(length + 4)
            if len(data) < length + 4:
                raise _data_loss(f"truncated record at {at}", path, at)
            if masked(crc32c(data[:length])) != int.from_bytes(data[length:], "little"):
                raise _data_loss(f"corrupted record at {at + _HEAD}", path, at + _HEAD)
            yield at, data[:length]
            at += _HEAD + length + 4
    except zlib.error as cause:
        # "Error -3 while decompressing data: incorrect header check"
        number, _, reason = str(cause).removeprefix("Error ").partition(" while decompressing data: ")
        raise _data_loss(f"inflate() failed with error {number}: {reason}", path, at) from None


def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a file, one by one.

    options: the compression. Raises, on the first record: NotFoundError and other OpErrors for a file that cannot be opened;
    at a damaged record: DataLossError; at a compressed record that is larger than the budget: ResourceExhaustedError.
    """
    compression = TFRecordOptions.get_compression_type_string(options)
    local_path = gfile.local(path)
    try:
        file = open(local_path, "rb", buffering=_CHUNK)  # noqa: SIM115 - the `with` below closes it
    except OSError as cause:
        raise gfile.op_error(local_path, cause) from None
    with file:
        size = os.fstat(file.fileno()).st_size if file.seekable() else None
        window = options.window_bits if isinstance(options, TFRecordOptions) and options.window_bits is not None else 15
        gzip_window = window + 16 if compression == "GZIP" and 0 < window < 16 else window
        source: Any = _CompressedSource(file, gzip_window) if compression else PlainSource(file, size)
        try:
            for _, data in records_of(source, os.fspath(local_path)):
                yield data
        except OSError as cause:
            raise gfile.op_error(local_path, OSError(cause.errno or errno.EIO, "")) from None


__all__ = ["TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "record_bytes", "records_of", "tf_record_iterator"]
