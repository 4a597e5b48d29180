"""`tf.data.experimental`: further sources, transformations and options of datasets."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.data.pipeline.dataset import AUTOTUNE
from ..engine.data.pipeline.transformations import (
    Counter, INFINITE_CARDINALITY, RandomDataset, Reducer, UNKNOWN_CARDINALITY, bucket_by_sequence_length,
    cardinality, choose_from_datasets, enumerate_dataset, get_single_element, group_by_reducer, group_by_window,
    ignore_errors, map_and_batch, map_and_batch_with_legacy_function, parallel_interleave, sample_from_datasets, scan,
    shuffle_and_repeat, take_while, unbatch, unique,
)  # fmt: skip
from ..engine.data.pipeline.options import DistributeOptions, OptimizationOptions, StatsOptions, ThreadingOptions

__all__ = [
    "AUTOTUNE", "Counter", "DistributeOptions", "INFINITE_CARDINALITY", "OptimizationOptions",
    "RandomDataset", "Reducer", "StatsOptions", "ThreadingOptions", "UNKNOWN_CARDINALITY",
    "bucket_by_sequence_length", "cardinality", "choose_from_datasets", "enumerate_dataset",
    "get_single_element", "group_by_reducer", "group_by_window", "ignore_errors", "map_and_batch",
    "map_and_batch_with_legacy_function", "parallel_interleave", "sample_from_datasets", "scan",
    "shuffle_and_repeat", "take_while", "unbatch", "unique",
]  # fmt: skip
