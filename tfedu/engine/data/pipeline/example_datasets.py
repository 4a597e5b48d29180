"""Datasets of parsed Examples, and TFRecordWriter, which writes a dataset into a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...lib.framework.type_specs import SparseTensorSpec, TensorSpec
from ...op.callers import nodes
from ...op.constant import constant
from ..parsing.features import ALL, SparseFeature, Wanted, default_tensors, only_wanted, with_open_axis
from . import structure
from .building import flat_facts, number
from .dataset import Dataset
from .file_sources import TFRecordDataset
from .transformations import Transformation, in_epochs, parallel_interleave


def parse_example_dataset(features: Any, num_parallel_calls: Any = 1) -> Transformation:
    """The features of batches of serialized Examples, as `tf.parse_example` gives them: a dict of tensors.

    Raises: ValueError for features that say too little, TypeError for a dataset of something else than vectors of strings.
    """
    if features is None:
        raise ValueError(error_text("Missing: features was None."))
    wanted = Wanted(with_open_axis(features), ALL)
    wanted.check_disjoint()

    @atomic
    def applied(dataset: Dataset) -> Dataset:
        if not _is_vector_of_strings(dataset._spec):
            fix = "batch the serialized Examples first: dataset.batch(n)"
            raise TypeError(error_text("Input dataset should be a dataset of vectors of strings", fix=fix))
        shapes = [as_shape(shape) for shape in wanted.shapes]
        size = dataset._spec.shape[:1]
        specs: dict[str, Any] = {
            key: SparseTensorSpec(size.concatenate([None]), dtype) for key, dtype in wanted.sparse.items()
        }
        for (key, dtype), shape in zip(wanted.dense.items(), shapes):
            specs[key] = TensorSpec(size.concatenate(shape), dtype)
        spec = {key: specs[key] for key in sorted(specs)}
        variant = nodes.ParseExampleDataset(
            dataset._variant_tensor, num_parallel_calls, default_tensors(wanted, shapes), sparse_keys=list(wanted.sparse),
            dense_keys=list(wanted.dense), sparse_types=list(wanted.sparse.values()), dense_shapes=shapes, **flat_facts(spec),
        )  # fmt: skip
        parsed = Dataset(variant, spec, (dataset,))
        if not any(isinstance(feature, SparseFeature) for feature in features.values()):
            return parsed
        return parsed.map(lambda tensors: only_wanted(features, dict(tensors)), num_parallel_calls)

    return applied


def _is_vector_of_strings(spec: Any) -> bool:
    return isinstance(spec, TensorSpec) and spec.dtype is dtypes.string and spec.shape.ndims == 1


@atomic
def make_batched_features_dataset(
    file_pattern: Any,
    batch_size: Any,
    features: Mapping[str, Any],
    reader: Callable[..., Dataset] = TFRecordDataset,
    label_key: str | None = None,
    reader_args: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    reader_num_threads: int | None = None,
    parser_num_threads: int | None = None,
    sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Dataset:
    """Batches of the features of Examples in files: a dict of tensors, or with `label_key` a pair of that and the labels.

    file_pattern: a pattern of names, or several. reader: makes a dataset of serialized Examples of a file's name.
    num_epochs: None for no end.
    Raises: ValueError for a `label_key` that is no feature, and as parse_example_dataset.
    """
    if label_key is not None and label_key not in features:
        raise ValueError(error_text(f"The `label_key` provided ({label_key!r}) must be one of the `features` keys."))

    def read(name: Tensor) -> Dataset:
        return reader(name, *(reader_args or []))

    names = Dataset.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    cycle = 1 if reader_num_threads is None else reader_num_threads
    dataset = names.apply(parallel_interleave(read, cycle_length=cycle, sloppy=sloppy_ordering))
    if structure.flat_types(dataset._spec) == [dtypes.string, dtypes.string]:  # keys and records of older readers
        dataset = dataset.map(lambda _, value: value)
    dataset = in_epochs(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    # Without an end each batch is whole, so that its size is known.
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    calls = 2 if parser_num_threads is None else parser_num_threads
    dataset = dataset.apply(parse_example_dataset(features, num_parallel_calls=calls))
    if label_key is not None:
        dataset = dataset.map(lambda tensors: _labeled(dict(tensors), label_key))
    return dataset.prefetch(prefetch_buffer_size)


def _labeled(tensors: dict[str, Any], key: str) -> tuple[dict[str, Any], Any]:
    label = tensors.pop(key)
    return tensors, label


def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Transformation:
    """Batches of tensors of different sizes, each as one SparseTensor [batch, *row_shape].

    Raises: TypeError for elements of several components, ValueError for a row shape with an open size.
    """

    @atomic
    def applied(dataset: Dataset) -> Dataset:
        if not isinstance(dataset._spec, TensorSpec):
            text = "DenseToSparseDataset requires an input whose elements have a single component, whereas the input has "
            raise TypeError(error_text(f"{text}{dataset._spec!r}."))
        shape = TensorShape(row_shape)
        sizes = constant([-1 if size is None else size for size in shape.as_list()], dtypes.int64)
        spec = SparseTensorSpec(TensorShape([None]).concatenate(shape), dataset._spec.dtype)
        return dataset._derived(nodes.DenseToSparseBatchDataset, batch_size, sizes, spec=spec)

    return applied


class TFRecordWriter:
    """Writes a dataset of strings into a TFRecord file. compression_type: "", "ZLIB" or "GZIP"."""

    @atomic
    def __init__(self, filename: Any, compression_type: Any = None) -> None:
        self._filename = number("filename", filename, dtypes.string)
        kind = "" if compression_type is None else compression_type
        self._compression_type = number("compression_type", kind, dtypes.string)

    @atomic
    def write(self, dataset: Dataset) -> Operation:
        """The operation that writes all elements.

        Raises: TypeError for anything but a dataset of string scalars.
        """
        if not isinstance(dataset, Dataset):
            raise TypeError(error_text("`dataset` must be a `tf.data.Dataset` object."))
        if dataset._spec != TensorSpec([], dtypes.string):
            text = "`dataset` must produce scalar `DT_STRING` tensors whereas it produces shape "
            raise TypeError(error_text(f"{text}{dataset.output_shapes} and types {dataset.output_types}"))
        return nodes.DatasetToTFRecord(dataset._variant_tensor, self._filename, self._compression_type)  # type: ignore[no-any-return]


__all__ = ["TFRecordWriter", "dense_to_sparse_batch", "make_batched_features_dataset", "parse_example_dataset"]
