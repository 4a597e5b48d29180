"""`tf.data`: datasets and iterators, which bring data into a graph element by element."""

# ruff: noqa: I001 - the names stand in paragraphs
from . import experimental
from ..engine.data.pipeline.dataset import Dataset, DatasetSpec
from ..engine.data.pipeline.file_sources import FixedLengthRecordDataset, TFRecordDataset, TextLineDataset
from ..engine.data.pipeline.iterators import Iterator
from ..engine.data.pipeline.older_names import (
    get_output_classes, get_output_shapes, get_output_types, make_initializable_iterator, make_one_shot_iterator,
)  # fmt: skip
from ..engine.data.pipeline.options import Options

__all__ = [
    "Dataset", "DatasetSpec", "FixedLengthRecordDataset", "Iterator", "Options", "TFRecordDataset",
    "TextLineDataset", "experimental", "get_output_classes", "get_output_shapes", "get_output_types",
    "make_initializable_iterator", "make_one_shot_iterator",
]  # fmt: skip
