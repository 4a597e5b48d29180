"""`tf.contrib.data`: the names under which datasets began, and what only they have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.dtypes import int64
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...data.pipeline import structure
from ...data.pipeline.dataset import Dataset as CurrentDataset
from ...data.pipeline.example_datasets import make_batched_features_dataset
from ...data.pipeline.file_sources import FixedLengthRecordDataset, TextLineDataset, TFRecordDataset
from ...data.pipeline.transformations import parallel_interleave
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...op.callers import nodes


class Dataset(CurrentDataset):
    """`tf.contrib.data.Dataset` of TF 1.2 and 1.3: what `tf.data.Dataset` is, with `map(num_threads=, output_buffer_size=)` and
    sources of files as static methods.
    """

    @staticmethod
    def from_tensors(tensors: Any) -> Dataset:
        """As `tf.data.Dataset.from_tensors`."""
        return _older(CurrentDataset.from_tensors(tensors))

    @staticmethod
    def from_tensor_slices(tensors: Any) -> Dataset:
        """As `tf.data.Dataset.from_tensor_slices`."""
        return _older(CurrentDataset.from_tensor_slices(tensors))

    @staticmethod
    def from_generator(generator: Any, output_types: Any, output_shapes: Any = None, args: Any = None) -> Dataset:
        """As `tf.data.Dataset.from_generator`."""
        return _older(CurrentDataset.from_generator(generator, output_types, output_shapes, args))

    @staticmethod
    def range(*args: Any) -> Dataset:
        """As `tf.data.Dataset.range`."""
        return _older(CurrentDataset.range(*args))

    @staticmethod
    def zip(datasets: Any) -> Dataset:
        """As `tf.data.Dataset.zip`."""
        return _older(CurrentDataset.zip(datasets))

    @staticmethod
    def list_files(file_pattern: Any, shuffle: Any = None, seed: Any = None) -> Dataset:
        """As `tf.data.Dataset.list_files`."""
        return _older(CurrentDataset.list_files(file_pattern, shuffle, seed))

    @staticmethod
    def TextLineDataset(filenames: Any, compression_type: Any = None, buffer_size: Any = None) -> Dataset:
        """As `tf.data.TextLineDataset`."""
        return _older(TextLineDataset(filenames, compression_type, buffer_size))

    @staticmethod
    def TFRecordDataset(filenames: Any, compression_type: Any = None, buffer_size: Any = None) -> Dataset:
        """As `tf.data.TFRecordDataset`."""
        return _older(TFRecordDataset(filenames, compression_type, buffer_size))

    @staticmethod
    def FixedLengthRecordDataset(
        filenames: Any, record_bytes: Any, header_bytes: Any = None, footer_bytes: Any = None, buffer_size: Any = None
    ) -> Dataset:
        """As `tf.data.FixedLengthRecordDataset`."""
        return _older(FixedLengthRecordDataset(filenames, record_bytes, header_bytes, footer_bytes, buffer_size))

    def _derived(self, caller: Any, *inputs: Any, spec: Any = None, **attrs: Any) -> CurrentDataset:
        return _older(super()._derived(caller, *inputs, spec=spec, **attrs))

    def concatenate(self, dataset: CurrentDataset) -> Dataset:
        """As `tf.data.Dataset.concatenate`."""
        return _older(super().concatenate(dataset))

    def enumerate(self, start: Any = 0) -> Dataset:
        """As `tf.data.Dataset.enumerate`."""
        return _older(super().enumerate(start))

    def apply(self, transformation_func: Callable[[CurrentDataset], CurrentDataset]) -> Dataset:
        """As `tf.data.Dataset.apply`."""
        return _older(super().apply(transformation_func))

    def map(
        self,
        map_func: Callable[..., Any],
        num_threads: Any = None,
        output_buffer_size: Any = None,
        num_parallel_calls: Any = None,
    ) -> CurrentDataset:
        """As `tf.data.Dataset.map`. num_threads: its num_parallel_calls. output_buffer_size: prefetches as many elements."""
        calls = num_parallel_calls if num_threads is None else num_threads
        mapped = super().map(map_func, num_parallel_calls=calls)
        if output_buffer_size is None:
            return mapped
        return mapped.prefetch(output_buffer_size)


def _older(dataset: CurrentDataset) -> Dataset:
    return Dataset(dataset._variant_tensor, dataset._spec, dataset._inputs_of, dataset._given_options)


class OlderTextLineDataset(Dataset, TextLineDataset):
    """`tf.contrib.data.TextLineDataset`: the lines of files, with the methods of `tf.contrib.data.Dataset`."""


class OlderTFRecordDataset(Dataset, TFRecordDataset):
    """`tf.contrib.data.TFRecordDataset`: the records of files, with the methods of `tf.contrib.data.Dataset`."""


class OlderFixedLengthRecordDataset(Dataset, FixedLengthRecordDataset):
    """`tf.contrib.data.FixedLengthRecordDataset`: records of one length, with the methods of `tf.contrib.data.Dataset`."""


Transformation = Callable[[CurrentDataset], CurrentDataset]


def batch_and_drop_remainder(batch_size: Any) -> Transformation:
    """`dataset.batch(batch_size, drop_remainder=True)`."""
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(batch_size: Any, padded_shapes: Any, padding_values: Any = None) -> Transformation:
    """`dataset.padded_batch(…, drop_remainder=True)`."""
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)


def sloppy_interleave(map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1) -> Transformation:
    """`tf.data.experimental.parallel_interleave(…, sloppy=True)`."""
    return parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


def assert_element_shape(expected_shapes: Any) -> Transformation:
    """The same elements with these shapes, which are set on each component.

    Raises: ValueError for shapes that do not fit the dataset's.
    """

    def applied(dataset: CurrentDataset) -> CurrentDataset:
        wanted = structure.flat_shapes_like(dataset.output_types, expected_shapes)
        for shape, known in zip(wanted, structure.flatten(dataset.output_shapes)):
            if not TensorShape(shape).is_compatible_with(known):
                raise ValueError(error_text(f"Shapes {known} and {shape} are not compatible"))

        def with_shapes(*element: Any) -> Any:
            for tensor, shape in zip(structure.flatten(element), wanted):
                tensor.set_shape(shape)
            return element if len(element) > 1 else element[0]

        return dataset.map(with_shapes)

    return applied


def sliding_window_batch(
    window_size: Any, stride: Any = None, window_shift: Any = None, window_stride: Any = 1
) -> Transformation:
    """Batches of `window_size` elements, `window_stride` apart, that overlap: each begins `window_shift` elements after the one
    before. The last elements, which make no whole batch, are left out. stride: the older name of window_shift, 1 by default.

    Raises: ValueError for both names. The pass raises InvalidArgumentError for numbers below 1.
    """
    if stride is not None and window_shift is not None:
        raise ValueError(error_text("Cannot specify both `stride` and `window_shift`"))
    given = window_shift if stride is None else stride
    shift_by = 1 if given is None else given

    @atomic
    def applied(dataset: CurrentDataset) -> CurrentDataset:
        # TensorFlow gives the size the stride's name.
        numbers = [
            convert_to_tensor(value, int64, name=name)
            for value, name in ((window_size, "window_stride"), (window_stride, "window_stride"), (shift_by, "window_shift"))
        ]
        size, stride_by, shift = numbers
        spec = structure.batched(dataset._spec, None)
        return dataset._derived(nodes.SlidingWindowDataset, size, shift, stride_by, spec=spec)

    return applied


def read_batch_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any = TFRecordDataset,
    reader_args: Any = None,
    randomize_input: bool = True,
    num_epochs: Any = None,
    capacity: int = 10000,
) -> Any:
    """The tensors of the next batch of `make_batched_features_dataset`. randomize_input: shuffles among `capacity` Examples."""
    dataset = make_batched_features_dataset(
        file_pattern, batch_size, features, reader=reader, reader_args=reader_args, shuffle=randomize_input,
        num_epochs=num_epochs, shuffle_buffer_size=capacity,
    )  # fmt: skip
    return dataset.make_one_shot_iterator().get_next()


def reduce_dataset(dataset: CurrentDataset, reducer: Any) -> Any:
    """The finalized state of a `Reducer` over all elements."""
    state = dataset.reduce(reducer.init_func(0), reducer.reduce_func)
    return reducer.finalize_func(state)


__all__ = [
    "Dataset", "OlderFixedLengthRecordDataset", "OlderTFRecordDataset", "OlderTextLineDataset", "assert_element_shape",
    "batch_and_drop_remainder", "padded_batch_and_drop_remainder", "read_batch_features",
    "reduce_dataset", "sliding_window_batch", "sloppy_interleave",
]  # fmt: skip
