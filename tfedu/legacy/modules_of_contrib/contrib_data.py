"""`tf.contrib.data`: datasets as they began, and the transformations that are `tf.data.experimental`'s today."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.data.pipeline.dataset import AUTOTUNE
from ...engine.data.pipeline.transformations import (
    Counter, RandomDataset, Reducer, bucket_by_sequence_length, choose_from_datasets, enumerate_dataset,
    get_single_element, group_by_reducer, group_by_window, ignore_errors, map_and_batch, parallel_interleave,
    sample_from_datasets, scan, shuffle_and_repeat, unbatch, unique,
)  # fmt: skip
from ...engine.data.pipeline.iterators import Iterator
from ...engine.data.pipeline.csv_files import CsvDataset, SqlDataset, make_csv_dataset
from ...engine.data.pipeline.example_datasets import (
    TFRecordWriter, dense_to_sparse_batch, make_batched_features_dataset, parse_example_dataset,
)  # fmt: skip
from ...engine.data.pipeline.device_copies import copy_to_device, prefetch_to_device
from ...engine.data.pipeline.resampling import rejection_resample
from ...engine.data.pipeline.optional import Optional, get_next_as_optional
from ...engine.data.pipeline.saved_iterators import CheckpointInputPipelineHook, make_saveable_from_iterator
from ...engine.models.contrib.older_datasets import (
    Dataset, assert_element_shape, batch_and_drop_remainder, padded_batch_and_drop_remainder, read_batch_features,
    reduce_dataset, sliding_window_batch, sloppy_interleave, OlderFixedLengthRecordDataset as FixedLengthRecordDataset,
    OlderTFRecordDataset as TFRecordDataset, OlderTextLineDataset as TextLineDataset,
)  # fmt: skip

__all__ = [
    "AUTOTUNE", "CheckpointInputPipelineHook", "Counter", "CsvDataset", "Dataset",
    "FixedLengthRecordDataset", "Iterator", "Optional", "RandomDataset", "Reducer", "SqlDataset",
    "TFRecordDataset", "TFRecordWriter", "TextLineDataset", "assert_element_shape",
    "batch_and_drop_remainder", "bucket_by_sequence_length", "choose_from_datasets", "copy_to_device",
    "dense_to_sparse_batch", "enumerate_dataset", "get_next_as_optional", "get_single_element",
    "group_by_reducer", "group_by_window", "ignore_errors", "make_batched_features_dataset",
    "make_csv_dataset", "make_saveable_from_iterator", "map_and_batch", "padded_batch_and_drop_remainder",
    "parallel_interleave", "parse_example_dataset", "prefetch_to_device", "read_batch_features",
    "reduce_dataset", "rejection_resample", "sample_from_datasets", "scan", "shuffle_and_repeat",
    "sliding_window_batch", "sloppy_interleave", "unbatch", "unique",
]  # fmt: skip
