"""The kernels of ParseExampleDataset and DenseToSparseBatchDataset, and of DatasetToTFRecord, which writes a TFRecord file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base import dtypes, errors
from ...files.tfrecord import TFRecordOptions, TFRecordWriter
from ...op.define import Each, op
from ...op.shape_checks import as_array, invalid, text_of
from ..parsing import FEATURES, parse_example
from ..parsing import Shapes as FeatureShapes
from ..parsing import Types as FeatureTypes
from ..serialized_sparse import packed
from .batches import batches, size_of
from .files import compression_of
from .maps import of_element, parallel_calls
from .sources import Shapes, Types, scalar
from .values import Dataset, Element, Elements, Failure, Walk, as_dataset

string, int64, variant = dtypes.string, dtypes.int64, dtypes.variant


@op("ParseExampleDataset", out="handle", shape=scalar, commutes=True)
def parse_example_dataset(
    run: Any, input_dataset: variant, num_parallel_calls: int64, dense_defaults: Each["Tdense", 0, FEATURES], *,  # noqa: F821
    sparse_keys: list[str], dense_keys: list[str], sparse_types: FeatureTypes, dense_shapes: FeatureShapes,
    output_types: Types, output_shapes: Shapes, sloppy: bool = False,
) -> variant:  # fmt: skip
    """The features of batches of serialized Examples, in the order of their keys; a sparse one is a vector of three variants.

    Raises: InvalidArgumentError for a number of calls below 1 other than -1; in a pass, as ParseExample.
    """
    calls = parallel_calls(num_parallel_calls)
    parse = parse_example.definition.kernel
    keys = [np.array([key.encode() if isinstance(key, str) else key for key in of], object) for of in (sparse_keys, dense_keys)]
    no_names = np.empty(0, object)

    def features(batch: Any) -> Element:
        indices, values, shapes, dense = parse(
            None, batch, no_names, list(keys[0]), list(keys[1]), dense_defaults, sparse_types=sparse_types,
            dense_shapes=dense_shapes,
        )  # fmt: skip
        found = dict(zip(keys[1].tolist(), dense))
        found.update(zip(keys[0].tolist(), map(_sparse, zip(indices, values, shapes))))
        return tuple([found[key] for key in sorted(found)])

    def elements(walk: Walk, input: Dataset) -> Elements:
        for number, element in enumerate(walk(input)):
            if type(element) is Failure:
                yield element
                continue
            try:
                yield features(element[0])
            except errors.OpError as error:
                yield of_element(Failure(error), run, number)

    return Dataset(run, elements, input_dataset, calls=calls)


def _sparse(parts: Sequence[Any]) -> Any:
    return packed(parts, variant)


@op("DenseToSparseBatchDataset", out="handle", shape=scalar, commutes=True)
def dense_to_sparse_batch_dataset(
    run: Any, input_dataset: variant, batch_size: int64, row_shape: int64, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """Batches of tensors of different sizes, each batch as one sparse tensor [batch_size, *row_shape].

    Raises: InvalidArgumentError for a size below 1; in a pass, for another rank, DataLossError for an element that is larger.
    """
    size, limit = size_of(batch_size), tuple(as_array(row_shape).tolist())
    row_text = f"the row shape ({_text(limit)})."

    def checked(passed: Elements) -> Elements:
        for element in passed:
            shape = () if type(element) is Failure else np.shape(as_array(element[0]))
            if type(element) is not Failure and len(shape) != len(limit):
                yield Failure(invalid(f"Input element had shape ({_text(shape)}) that is incompatible with {row_text}"))
            elif any(own > most for own, most in zip(shape, limit)):
                text = f"Input element had shape ({_text(shape)}) that is larger than {row_text}"
                yield Failure(errors.DataLossError(None, None, text))
            else:
                yield element

    def join(group: list[Element]) -> Element:
        rows = [as_array(element[0]) for element in group]
        places = [np.indices(row.shape).reshape(row.ndim, -1).T for row in rows]
        numbers = np.repeat(np.arange(len(rows)), [row.size for row in rows])
        indices = np.column_stack([numbers, np.concatenate(places)]).astype(np.int64)
        values = np.concatenate([row.ravel() for row in rows])
        return (_sparse((indices, values, np.array([len(rows), *limit], np.int64))),)

    return Dataset(
        run, lambda walk, input: batches(checked(walk(input)), size, False, join), input_dataset, batch_size=size
    )


def _text(shape: Sequence[int]) -> str:
    return text_of(tuple(shape)).replace(" ", "")


@op("DatasetToTFRecord", shape=lambda *_: [], stateful=True)
def dataset_to_tf_record(run: Any, input_dataset: variant, filename: string, compression_type: string) -> None:
    """Writes the elements of a dataset, strings, as the records of a TFRecord file: three scalars.

    Raises: InvalidArgumentError for another compression, the error of an element that cannot be made, errors of files.
    """
    kind = compression_of(compression_type)
    path = bytes(np.asarray(filename, object)[()]).decode("utf-8", "surrogateescape")
    with TFRecordWriter(path, TFRecordOptions(kind)) as writer:
        for element in Walk(run)(as_dataset(input_dataset).optimized()):
            if type(element) is Failure:
                raise element.error
            writer.write(element[0])
    return ()


__all__: list[str] = []
