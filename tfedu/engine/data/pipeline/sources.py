"""The static methods of `Dataset`: elements from tensors, ranges, generators, file names; and joining datasets."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array
from ...lib.checks.asserts import Assert
from ...lib.control.grouping import identity
from ...lib.framework.py_func import py_func
from ...lib.framework.scope_blocks import control_dependencies, name_scope
from ...lib.framework.type_specs import TensorSpec
from ...lib.math import math
from ...lib.strings import strings
from ...op.callers import nodes
from ...op.composites import SparseTensor
from . import structure
from .building import flat_facts, number
from .functions import structured


def from_tensor_slices(cls: Any, tensors: Any) -> Any:
    element = structure.normalized(tensors)
    if not structure.flatten(element):
        raise ValueError(error_text("from_tensor_slices needs a tensor at least."))
    spec, flat = structure.slices(element)
    first = flat[0].shape[0]
    for tensor in flat[1:]:
        first.assert_is_compatible_with(tensor.shape[0])
    return cls(nodes.TensorSliceDataset(flat, output_shapes=structure.flat_shapes(spec)), spec)


def from_sparse_tensor_slices(cls: Any, sparse_tensor: Any) -> Any:
    if not isinstance(sparse_tensor, SparseTensor):
        raise TypeError(error_text(f"`sparse_tensor` must be a `tf.SparseTensor` object. Was {sparse_tensor}."))
    rank = sparse_tensor.shape.ndims
    size = None if rank is None else rank - 1
    spec = (
        TensorSpec([None, size], dtypes.int64), TensorSpec([None], sparse_tensor.dtype), TensorSpec([size], dtypes.int64)
    )  # fmt: skip
    variant = nodes.SparseTensorSliceDataset(sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape)
    return cls(variant, spec)


def number_range(cls: Any, args: tuple[Any, ...]) -> Any:
    if not 1 <= len(args) <= 3:
        raise ValueError(error_text(f"Invalid arguments to RangeDataset: {args!s}"))
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1) if len(args) == 2 else args
    spec = TensorSpec([], dtypes.int64)
    tensors = number("start", start), number("stop", stop), number("step", step)
    return cls(nodes.RangeDataset(*tensors, **flat_facts(spec)), spec)


def zipped(cls: Any, datasets: Any) -> Any:
    for dataset in structure.flatten(datasets):
        if isinstance(dataset, cls):
            continue
        if isinstance(dataset, list):
            raise TypeError(
                error_text(
                    "The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects. Nested structures do not "
                    "support Python lists; please use a tuple instead."
                )
            )
        raise TypeError(error_text("The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects."))
    leaves = structure.flatten(datasets)
    spec = structure.mapped(lambda dataset: dataset._spec, datasets)
    variants = [dataset._variant_tensor for dataset in leaves]
    return cls(nodes.ZipDataset(variants, **flat_facts(spec)), spec, tuple(leaves))


def concatenated(cls: Any, dataset: Any, other: Any) -> Any:
    if not hasattr(other, "_variant_tensor"):
        text = f"`dataset_or_iterator` must be a Dataset or Iterator object, but got {type(other)}."
        raise TypeError(error_text(text))
    for what, ours, theirs in (
        ("types", dataset.output_types, other.output_types), ("classes", dataset.output_classes, other.output_classes)
    ):
        if ours != theirs:
            text = f"Two datasets to concatenate have different {what} {ours} and {theirs}"
            raise TypeError(error_text(text, fix="dataset.map makes the elements of one dataset like those of the other"))
    spec = structure.widened(dataset._spec, other._spec)
    variant = nodes.ConcatenateDataset(dataset._variant_tensor, other._variant_tensor, **flat_facts(spec))
    return cls(variant, spec, (dataset, other))


# -- generators of the program --------------------------------------------------------------------------------------------


class _Generators:
    """The generators that passes of one dataset have under way, by number.

    State: they, and how many there have been.
    """

    def __init__(self, make: Callable[..., Any]) -> None:
        self.make = make
        self.under_way: dict[int, Any] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def begin(self, *args: Any) -> np.int64:
        generator = iter(self.make(*args))
        with self._lock:
            key = next(self._numbers)
        self.under_way[key] = generator
        return np.int64(key)

    def end(self, key: Any) -> np.int64:
        generator = self.under_way.pop(int(key), None)
        if hasattr(generator, "close"):
            generator.close()
        return np.int64(0)


def from_generator(cls: Any, generator: Any, output_types: Any, output_shapes: Any, args: Any) -> Any:
    if not callable(generator):
        fix = "pass the generator function itself, or lambda: iter(values): it is called at the start of each pass"
        raise TypeError(error_text("`generator` must be callable.", fix=fix))
    spec = structure.of_legacy(output_types, output_shapes)
    tensors = () if args is None else tuple([convert_to_tensor(arg, name=f"args_{i}") for i, arg in enumerate(args)])
    generators = _Generators(generator)
    kinds = structure.flat_types(spec)

    def get_iterator_id_fn(unused_dummy: Any) -> Any:
        return py_func(generators.begin, list(tensors), dtypes.int64, stateful=True)

    def generator_next_fn(iterator_id: Any) -> Any:
        flat = py_func(lambda key: _flat_element(next(generators.under_way[int(key)]), spec), [iterator_id], kinds, stateful=True)
        for tensor, shape in zip(flat, structure.flat_shapes(spec)):
            tensor.set_shape(TensorShape.of(shape))
        return structure.from_tensors(spec, flat)

    def finalize_fn(iterator_id: Any) -> Any:
        return py_func(generators.end, [iterator_id], dtypes.int64, stateful=True)

    def flat_map_fn(unused_dummy: Any) -> Any:
        with_id = TensorSpec([], dtypes.int64)
        begin = structured(get_iterator_id_fn, "Dataset.from_generator()", dummy._spec)
        produce = structured(generator_next_fn, "Dataset.from_generator()", with_id)
        end = structured(finalize_fn, "Dataset.from_generator()", with_id)
        variant = nodes.GeneratorDataset(
            [unused_dummy, *begin.captured], produce.captured, end.captured, init_func=begin.graph, next_func=produce.graph,
            finalize_func=end.graph, **flat_facts(spec),
        )  # fmt: skip
        return cls(variant, spec)

    dummy = cls.from_tensors(0)
    return dummy.flat_map(flat_map_fn)


def _flat_element(element: Any, spec: Any) -> list[Any]:
    """The components of what a generator yielded, each an array of its dtype.

    Raises: TypeError, ValueError for an element of another nest, dtype or shape.
    """
    try:
        values = _values_like(spec, element)
    except (TypeError, ValueError) as error:
        expected = structure.types(spec)
        raise TypeError(
            "`generator` yielded an element that did not match the expected structure. The expected structure was "
            f"{expected}, but the yielded element was {element}."
        ) from error
    return [_as_component(value, leaf) for value, leaf in zip(values, structure.flatten(spec))]


def _values_like(spec: Any, element: Any) -> list[Any]:
    if not structure.is_structure(spec):
        return [element]
    if isinstance(spec, dict):
        if not isinstance(element, dict) or set(element) != set(spec):
            raise TypeError("another nest")
    elif not isinstance(element, (tuple, list)) or len(element) != len(spec):
        raise TypeError("another nest")
    parts = structure.nest.parts_of
    given = parts(element) if isinstance(spec, dict) else list(element)
    return [value for part, own in zip(parts(spec), given) for value in _values_like(part, own)]


def _as_component(value: Any, spec: TensorSpec) -> Any:
    kind: DType = spec.dtype
    try:
        if kind is dtypes.string:
            out = np.array(value, object)
            flat = [item.encode() if isinstance(item, str) else item for item in out.ravel().tolist()]
            if not all(isinstance(item, bytes) for item in flat):
                raise TypeError("not a string")
            result = np.empty(len(flat), object)
            result[:] = flat
            result = result.reshape(out.shape)
        else:
            result = np.asarray(value)
            if result.dtype != kind.as_numpy_dtype:
                if isinstance(value, np.ndarray | np.generic) and not np.can_cast(result.dtype, kind.as_numpy_dtype, "same_kind"):
                    raise TypeError("another dtype")
                result = np.array(value, kind.as_numpy_dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(
            "`generator` yielded an element that could not be converted to the expected type. The expected type was "
            f"{kind.name}, but the yielded element was {value}."
        ) from error
    if not spec.shape.is_compatible_with(result.shape):
        raise ValueError(
            f"`generator` yielded an element of shape {result.shape} where an element of shape {spec.shape} was expected."
        )
    return result if result.ndim else result[()]


# -- file names -----------------------------------------------------------------------------------------------------------


def listed_files(cls: Any, file_pattern: Any, shuffle: bool | None, seed: int | None) -> Any:
    with name_scope("list_files"):
        shuffle = True if shuffle is None else shuffle
        pattern = convert_to_tensor(file_pattern, dtypes.string, name="file_pattern")
        names = nodes.MatchingFiles(pattern)
        found = math.greater(array.shape(names)[0], 0, name="match_not_empty")
        message = math.add("No files matched pattern: ", strings.reduce_join(pattern, separator=", "), name="message")
        with control_dependencies([Assert(found, [message], summarize=1, name="assert_not_empty")]):
            names = identity(names)
        spec = TensorSpec([], dtypes.string)
        dataset = cls(nodes.TensorSliceDataset([names], output_shapes=[()]), spec)
        if shuffle:
            size = math.maximum(array.shape(names, out_type=dtypes.int64)[0], 1)
            dataset = dataset.shuffle(size, seed=seed)
        return dataset


__all__ = [
    "concatenated", "from_generator", "from_sparse_tensor_slices", "from_tensor_slices", "listed_files", "number_range", "zipped",
]  # fmt: skip
