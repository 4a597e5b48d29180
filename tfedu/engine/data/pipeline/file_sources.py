"""`tf.data.TextLineDataset(names)` and its kin: datasets of what files hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.framework.type_specs import TensorSpec
from ...op.callers import nodes
from .building import boolean, flat_facts, number
from .dataset import Dataset
from .functions import structured

_LINE = TensorSpec([], dtypes.string)


def _argument(name: str, value: Any, default: Any, dtype: Any = dtypes.int64) -> Tensor:
    return number(name, default if value is None else value, dtype)


class _OfFiles(Dataset):
    """A dataset that reads one file for each name, several at a time where the program asks for it."""

    @atomic
    def __init__(self, filenames: Any, read_one_file: Callable[[Any], Dataset], parallel_reads: Any = None) -> None:
        names = filenames if isinstance(filenames, Dataset) else _names_dataset(filenames)
        if names.output_types is not dtypes.string:
            raise TypeError(error_text("`filenames` must be a `tf.data.Dataset` of `tf.string` elements."))
        if parallel_reads is None:
            whole = names.flat_map(read_one_file)
        else:
            whole = parallel(names, read_one_file, parallel_reads)
        super().__init__(whole._variant_tensor, _LINE, (names,))


def _names_dataset(filenames: Any) -> Dataset:
    """The names one by one: of a scalar or a tensor of any shape.

    Raises: TypeError for what are no strings.
    """
    names = convert_to_tensor(filenames, dtypes.string)
    flat = array.reshape(names, [-1], name="flat_filenames")
    return Dataset(nodes.TensorSliceDataset([flat], output_shapes=[()]), _LINE)


def parallel(names: Dataset, read_one_file: Callable[[Any], Dataset], count: Any) -> Dataset:
    """Files read in turn, as many at a time as `count`."""
    function = structured(read_one_file, "tf.data.experimental.parallel_interleave()", names._spec)
    arguments = number("cycle_length", count), number("block_length", 1), boolean("sloppy", False)
    buffers = number("buffer_output_elements", 2 * 1), number("prefetch_input_elements", 2 * count)
    variant = nodes.ParallelInterleaveDataset(
        names._variant_tensor, function.captured, *arguments, *buffers, f=function.graph, **flat_facts(_LINE)
    )
    return Dataset(variant, _LINE, (names,))


class TextLineDataset(_OfFiles):
    """The lines of text files. compression_type: "", "ZLIB" or "GZIP". buffer_size: bytes read at once.

    num_parallel_reads: how many files are read in turn; None: one after the other.
    """

    _label = "TextLineDatasetV1"

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None
    ) -> None:
        def read_one_file(filename: Any) -> Dataset:
            compression = _argument("compression_type", compression_type, "", dtypes.string)
            size = _argument("buffer_size", buffer_size, 256 * 1024)
            return Dataset(nodes.TextLineDataset(filename, compression, size), _LINE)

        super().__init__(filenames, read_one_file, num_parallel_reads)


class TFRecordDataset(_OfFiles):
    """The records of TFRecord files, as TextLineDataset reads lines. A damaged record is a DataLossError."""

    _label = "TFRecordDatasetV1"

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None
    ) -> None:
        def read_one_file(filename: Any) -> Dataset:
            compression = _argument("compression_type", compression_type, "", dtypes.string)
            size = _argument("buffer_size", buffer_size, 256 * 1024)
            return Dataset(nodes.TFRecordDataset(filename, compression, size), _LINE)

        super().__init__(filenames, read_one_file, num_parallel_reads)


class FixedLengthRecordDataset(_OfFiles):
    """Records of `record_bytes` bytes each, behind `header_bytes` and before `footer_bytes` of each file."""

    _label = "FixedLengthRecordDatasetV1"

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: Any = None,
        num_parallel_reads: Any = None,
    ) -> None:
        def read_one_file(filename: Any) -> Dataset:
            length = _argument("record_bytes", record_bytes, None)
            header, footer = _argument("header_bytes", header_bytes, 0), _argument("footer_bytes", footer_bytes, 0)
            size = _argument("buffer_size", buffer_size, 256 * 1024)
            compression = _argument("compression_type", compression_type, "", dtypes.string)
            return Dataset(nodes.FixedLengthRecordDatasetV2(filename, header, length, footer, size, compression), _LINE)

        super().__init__(filenames, read_one_file, num_parallel_reads)


__all__ = ["FixedLengthRecordDataset", "TFRecordDataset", "TextLineDataset"]
