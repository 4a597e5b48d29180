"""`tf.data.experimental`: further sources, transformations and options of datasets."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.data.pipeline.dataset import AUTOTUNE
from ..engine.data.pipeline.transformations import (
    Counter, INFINITE_CARDINALITY, RandomDataset, Reducer, UNKNOWN_CARDINALITY, bucket_by_sequence_length,
    cardinality, choose_from_datasets, enumerate_dataset, get_single_element, group_by_reducer, group_by_window,
    ignore_errors, map_and_batch, map_and_batch_with_legacy_function, parallel_interleave, sample_from_datasets, scan,
    shuffle_and_repeat, take_while, unbatch, unique,
)  # fmt: skip
from ..engine.data.pipeline.device_copies import copy_to_device, prefetch_to_device
from ..engine.data.pipeline.csv_files import CsvDataset, SqlDataset, make_csv_dataset
from ..engine.data.pipeline.example_datasets import (
    TFRecordWriter, dense_to_sparse_batch, make_batched_features_dataset, parse_example_dataset,
)  # fmt: skip
from ..engine.data.pipeline.resampling import rejection_resample
from ..engine.data.pipeline.statistics import StatsAggregator, bytes_produced_stats, latency_stats
from ..engine.data.pipeline.optional import Optional, OptionalSpec as OptionalStructure, get_next_as_optional
from ..engine.data.pipeline.saved_iterators import CheckpointInputPipelineHook, make_saveable_from_iterator
from ..engine.data.pipeline.older_structures import (
    DatasetStructure, RaggedTensorStructure, SparseTensorStructure, TensorStructure, from_variant, get_structure, to_variant,
)  # fmt: skip
from ..engine.lib.framework.type_specs import TypeSpec as Structure
from ..engine.data.pipeline.options import (
    DistributeOptions, MapVectorizationOptions, OptimizationOptions, StatsOptions, ThreadingOptions,
)  # fmt: skip

__all__ = [
    "AUTOTUNE", "CheckpointInputPipelineHook", "Counter", "CsvDataset", "DatasetStructure",
    "DistributeOptions", "INFINITE_CARDINALITY", "MapVectorizationOptions", "OptimizationOptions",
    "Optional", "OptionalStructure", "RaggedTensorStructure", "RandomDataset", "Reducer",
    "SparseTensorStructure", "SqlDataset", "StatsAggregator", "StatsOptions", "Structure",
    "TFRecordWriter", "TensorStructure", "ThreadingOptions", "UNKNOWN_CARDINALITY",
    "bucket_by_sequence_length", "bytes_produced_stats", "cardinality", "choose_from_datasets",
    "copy_to_device", "dense_to_sparse_batch", "enumerate_dataset", "from_variant",
    "get_next_as_optional", "get_single_element", "get_structure", "group_by_reducer", "group_by_window",
    "ignore_errors", "latency_stats", "make_batched_features_dataset", "make_csv_dataset",
    "make_saveable_from_iterator", "map_and_batch", "map_and_batch_with_legacy_function",
    "parallel_interleave", "parse_example_dataset", "prefetch_to_device", "rejection_resample",
    "sample_from_datasets", "scan", "shuffle_and_repeat", "take_while", "to_variant", "unbatch", "unique",
]  # fmt: skip
