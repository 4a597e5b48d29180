"""Datasets of what files hold: lines of text, records of fixed length, TFRecord files. They read as much as a buffer holds."""

from __future__ import annotations

import errno
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np

from ...base import budget, dtypes, errors, log
from ...files import gfile
from ...files.decompress import Decompressor, inflate_failure
from ...files.tfrecord import tf_record_iterator
from ...op.define import op
from ...op.shape_checks import invalid, scalars_at
from .values import Dataset, Elements, Failure, Walk

string, int64, variant = dtypes.string, dtypes.int64, dtypes.variant
_CHUNK = 1 << 18  # bytes that are read at once, unless the program says how many
_WINDOWS = {"ZLIB": zlib.MAX_WBITS, "GZIP": zlib.MAX_WBITS + 16}

Read = Callable[[int], bytes]


def _names(filenames: Any) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in np.asarray(filenames, object).ravel().tolist()]


def compression_of(value: Any) -> str:
    """The compression type in the `compression_type` input of a dataset's node: "", "ZLIB" or "GZIP".

    Raises: InvalidArgumentError for another compression than TF's."""
    kind = bytes(np.asarray(value, object)[()]).decode("utf-8", "replace")
    if kind and kind not in _WINDOWS:
        raise invalid("Unsupported compression_type.", fix='compression_type is "", "ZLIB" or "GZIP"')
    return kind


def buffer_of(value: Any) -> int:
    """The number of bytes that a dataset reads at once: its `buffer_size` input, in which 0 stands for the default.

    Raises: InvalidArgumentError for one below 0.
    """
    size = int(value)
    if size < 0:
        raise invalid("`buffer_size` must be >= 0 (0 == default)")
    return size or _CHUNK


def of_files(
    run: Any, filenames: Any, pieces: Callable[[str], Iterable[Any]], **facts: Any
) -> Dataset:
    """A dataset that reads one file after the other. An error in a file becomes a Failure; the pass goes on with the next file.

    pieces: opens a file and yields its elements.
    """
    names = _names(filenames)

    def elements(walk: Walk) -> Elements:
        for name in names:
            try:
                yield from pieces(name)
            except errors.OpError as error:
                yield Failure(error)

    return Dataset(run, elements, **facts)


def opened(name: str) -> BinaryIO:
    """The file, to be read.

    Raises: NotFoundError and other errors of the file system.
    """
    try:
        return open(gfile.local(name), "rb", buffering=0)
    except OSError as cause:
        raise gfile.op_error(name, cause) from None


def reader(file: BinaryIO, name: str, compression: str, size: int) -> Read:
    """A function that returns the next bytes of the file, no more than it is asked for; none at its end.

    Who asks for more than `size` at once has as much in memory already; where the file is compressed, both must fit the budget:
    ResourceExhaustedError.
    """

    def chunk() -> bytes:
        try:
            return file.read(size)
        except OSError as cause:
            raise gfile.op_error(name, OSError(cause.errno or errno.EIO, "")) from None

    if not compression:

        def plain(count: int) -> bytes:
            try:
                return file.read(count)
            except OSError as cause:
                raise gfile.op_error(name, OSError(cause.errno or errno.EIO, "")) from None

        return plain
    stream = Decompressor(chunk, _WINDOWS[compression])

    def decompressed(count: int) -> bytes:
        if count > size:
            budget.current().account(f"A line or record of the compressed file {name}").take("bytes", 2 * count)
        try:
            return stream.read(count)
        except zlib.error as cause:
            raise errors.DataLossError(None, None, f"{inflate_failure(cause)} in {name}") from None

    return decompressed


# -- lines ----------------------------------------------------------------------------------------------------------------


def lines_of(read: Read, size: int) -> Iterator[bytes]:
    """The lines, without their ends (\\n or \\r\\n). Of a line that is longer than `size` it reads as much again as it has."""
    rest = b""
    while True:
        data = read(max(size, len(rest)))
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.replace(b"\r", b"") if b"\r" in line else line
    if rest:
        yield rest.replace(b"\r", b"")


@op("TextLineDataset", out="handle", shape=scalars_at(1, 2, lists=(0,)), stateful=True, commutes=True)
def text_line_dataset(run: Any, filenames: string, compression_type: string, buffer_size: int64) -> variant:
    """The lines of files: a name or [n], and two scalars.

    Raises: InvalidArgumentError for another compression; in a pass, NotFoundError and other errors of the file system.
    """
    compression, size = compression_of(compression_type), buffer_of(buffer_size)

    def lines(name: str) -> Iterator[tuple[bytes]]:
        with opened(name) as file:
            for line in lines_of(reader(file, name, compression, size), size):
                yield (line,)

    return of_files(run, filenames, lines)  # type: ignore[return-value]


# -- records of fixed length ----------------------------------------------------------------------------------------------


def _fixed_length(
    run: Any, filenames: Any, header_bytes: Any, record_bytes: Any, footer_bytes: Any, buffer_size: Any, compression: str
) -> Dataset:
    header, length, footer, size = int(header_bytes), int(record_bytes), int(footer_bytes), buffer_of(buffer_size)
    if header < 0:
        raise invalid(" `header_bytes` must be >= 0")
    if length <= 0:
        raise invalid(" `record_bytes` must be > 0")
    if footer < 0:
        raise invalid(" `footer_bytes` must be >= 0")
    whole = max(size // length, 1) * length

    def not_whole(name: str, total: int) -> str:
        return (
            f'Excluding the header ({header} bytes) and footer ({footer} bytes), input file "{name}" has body length '
            f"{total - header - footer} bytes, which is not an exact multiple of the record length ({length} bytes)."
        )

    def records(name: str) -> Iterator[tuple[bytes]]:
        with opened(name) as file:
            read = reader(file, name, compression, size)
            if not compression:
                total = file.seek(0, 2)
                file.seek(0)
                if (total - header - footer) % length:
                    raise invalid(not_whole(name, total))
            total = _skipped(read, header)
            held = b""
            while True:
                data = read(whole)
                total += len(data)
                held += data
                end = len(held) - footer
                at = 0
                while at + length <= end:
                    yield (held[at : at + length],)
                    at += length
                held = held[at:]
                if not data:
                    break
            if len(held) != footer or total < header:
                raise errors.DataLossError(None, None, not_whole(name, total))

    return of_files(run, filenames, records, record_bytes=length)


def _skipped(read: Read, count: int) -> int:
    """Reads so many bytes, or all that there are; how many."""
    left = count
    while left:
        data = read(min(left, _CHUNK))
        if not data:
            break
        left -= len(data)
    return count - left


@op("FixedLengthRecordDatasetV2", out="handle", shape=scalars_at(1, 2, 3, 4, 5, lists=(0,)), stateful=True, commutes=True)
def fixed_length_record_dataset_v2(
    run: Any, filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, buffer_size: int64,
    compression_type: string,
) -> variant:  # fmt: skip
    """Records of `record_bytes` bytes, behind a header and before a footer: file names, a name or [n], and five scalars.

    Raises: InvalidArgumentError for numbers that do not fit; in a pass, for a file of another length, and errors of files.
    """
    compression = compression_of(compression_type)
    return _fixed_length(run, filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression)  # type: ignore[return-value]


@op("FixedLengthRecordDataset", out="handle", shape=scalars_at(1, 2, 3, 4, lists=(0,)), stateful=True, commutes=True)
def fixed_length_record_dataset(
    run: Any, filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, buffer_size: int64
) -> variant:
    """As FixedLengthRecordDatasetV2, of files that are not compressed: file names, a name or [n], and four scalars."""
    return _fixed_length(run, filenames, header_bytes, record_bytes, footer_bytes, buffer_size, "")  # type: ignore[return-value]


# -- TFRecord files -------------------------------------------------------------------------------------------------------


@op("TFRecordDataset", out="handle", shape=scalars_at(1, 2, lists=(0,)), stateful=True, commutes=True)
def tf_record_dataset(run: Any, filenames: string, compression_type: string, buffer_size: int64) -> variant:
    """The records of TFRecord files, whose checksums are checked: a name or [n], and two scalars. Another compression_type than
    TF's is logged, and means none.

    Raises, in a pass: DataLossError for a damaged record, errors of files.
    """
    kind = bytes(np.asarray(compression_type, object)[()]).decode("utf-8", "replace")
    compression = kind if kind in _WINDOWS else ""
    if kind != compression:
        log.error("Unsupported compression_type:%s. No compression will be used.", kind)
    buffer_of(buffer_size)
    return of_files(run, filenames, lambda name: zip(tf_record_iterator(name, compression)))  # type: ignore[return-value]


__all__ = ["buffer_of", "compression_of", "lines_of", "of_files", "opened", "reader"]
