"""Feeds: each fed value is checked and converted to a NumPy array before anything runs.

`converter(tensor)` creates the function that converts values for one tensor; signatures keep it. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType
from ..base.errors import error_text
from ..base.shapes import Shape, TensorShape
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..op.constant import as_array, check_depth
from .fetches import OTHER_GRAPH
from .tensor_handle import TensorHandle

_FIT = (
    "feed a value of that shape (NumPy's reshape; value[None] is a batch of one); a size that differs from run to run "
    "is None in the shape of the placeholder"
)


def resolve(graph: Graph, key: Any) -> Tensor:
    """The tensor of a feed key.

    Raises: TypeError for a key that is no tensor of this graph, ValueError for a tensor that may not be fed.
    """
    try:
        tensor = graph.as_graph_element(key, allow_tensor=True, allow_operation=False)
    except (TypeError, ValueError, KeyError) as error:
        # KeyError would show its text in quotes.
        text = f"Cannot interpret feed_dict key as Tensor: {error.args[0]}"
        is_of_other_graph = getattr(key, "graph", graph) is not graph
        keys = "the keys are what tf.placeholder gave, or names such as 'x:0'"
        raise TypeError(error_text(text, fix=OTHER_GRAPH if is_of_other_graph else keys)) from None
    if not graph.is_feedable(tensor):
        in_loop = tensor.op._context is not None
        fix = "it is made in a loop, and anew in each iteration: feed what enters the loop" if in_loop else None
        raise ValueError(error_text(f"Tensor {tensor} may not be fed.", fix=fix))
    assert isinstance(tensor, Tensor)
    return tensor


def converter(tensor: Tensor) -> Callable[[Any], Any]:
    """The function that checks and converts the values fed for `tensor`."""
    dtype = tensor.dtype.base_dtype
    scalar = tensor.raw_shape == ()
    numpy_type = dtype.numpy
    is_plain = numpy_type is not None and dtype is not dtypes.string
    as_scalar: Any = dtype.as_numpy_dtype if is_plain else None
    unchanged_type = numpy_type if is_plain else None

    def convert(value: Any) -> Any:
        kind = type(value)
        if kind is np.ndarray and value.dtype is unchanged_type and value.ndim and fits(value.shape, tensor.raw_shape):
            return value
        if scalar and kind is as_scalar:
            return value
        if scalar and kind is float and dtype.is_floating:
            return as_scalar(value)
        return _convert(tensor, value)

    return convert


def _convert(tensor: Tensor, value: Any) -> Any:
    dtype = tensor.dtype.base_dtype
    try:
        check_depth(value)
    except ValueError as error:
        raise ValueError(error_text(str(error), [tensor])) from None
    if isinstance(value, TensorHandle):
        return value._fed_for(tensor)
    if isinstance(value, (Tensor, Operation)):
        text = (
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, strings, "
            f"lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was {value} which was passed "
            f"to the feed with key {tensor}."
        )
        raise TypeError(error_text(text, [tensor], "feed what session.run gives for it"))
    if dtype.numpy is None and dtype is not dtypes.resource:
        raise TypeError(error_text(f"Tensors of type {dtype.name} cannot be fed: NumPy has no such type here.", [tensor]))
    if type(value) is int and not _survives(value, dtype):
        text = (
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type "
            f"{object if dtype is dtypes.string else dtype.as_numpy_dtype}. Try explicitly setting the type of the "
            "feed tensor to a larger type (e.g. int64)."
        )
        raise TypeError(error_text(text, [tensor]))
    if dtype is dtypes.string:
        array = as_array(np.asarray(value, dtype=object), dtypes.string)
        array = np.asarray(array, dtype=object) if not isinstance(array, np.ndarray) else array
    else:
        try:
            array = np.asarray(value, dtype=dtype.numpy)
        except (TypeError, ValueError, OverflowError) as error:
            # TF passes on NumPy's own text; the fed value follows.
            raise type(error)(error_text(f"{error}\n  fed: {_short(value)}", [tensor])) from None
    if not fits(array.shape, tensor.raw_shape):
        text = (
            f"Cannot feed value of shape {array.shape!r} for Tensor {tensor.name!r}, which has shape "
            f"{str(TensorShape.of(tensor.raw_shape))!r}"
        )
        raise ValueError(error_text(text, [tensor], _FIT))
    return array if array.ndim else array[()]


def _survives(value: int, dtype: DType) -> bool:
    if dtype is dtypes.string:
        return False
    try:
        return bool(dtype.as_numpy_dtype(value) == value)
    except OverflowError:
        return False


def fits(shape: tuple[int, ...], known: Shape) -> bool:
    """Whether a value of this shape fits a tensor of that partly known shape."""
    return known is None or (
        len(shape) == len(known) and all(k is None or k == s for s, k in zip(shape, known))
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def resolved(graph: Graph, feed_dict: Any) -> dict[Tensor, Any]:
    """The fed values by the tensors of their keys, not yet converted. feed_dict: as `Session.run` takes it, or None.

    Raises: TypeError for what is no mapping, and for a key that is no tensor of the graph; ValueError for a key that is there
    twice, and for a tuple of keys with another number of values.
    """
    return {resolve(graph, key): value for key, value in _flat(feed_dict)}


def _flat(feed_dict: Any) -> list[tuple[Any, Any]]:
    """The feeds one by one: a tuple of keys, such as the state of a cell, takes a nest of as many values.

    Raises: TypeError for what is no mapping, ValueError for another number of values, or a key that is there twice.
    """
    if feed_dict is None:
        return []
    if not isinstance(feed_dict, Mapping):
        raise TypeError(
            f"FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, instead of "
            f"'{type(feed_dict).__name__}'."
        )
    flat: list[tuple[Any, Any]] = []
    is_nested = False
    for key, value in feed_dict.items():
        parts = getattr(key, "_parts", None)
        if parts is not None:
            # A composite (SparseTensor) is fed part by part; a part without a value may be a constant.
            values_of_parts: Any = getattr(value, "_parts", value)
            flat.extend(zip(parts, values_of_parts))
            continue
        if not isinstance(key, tuple):
            flat.append((key, value))
            continue
        keys, values = _leaves(key), _leaves(value)
        if len(values) != len(keys):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} elements. "
                f"Key: {keys}, value: {values}."
            )
        flat.extend(zip(keys, values))
        is_nested = True
    if is_nested and len({key for key, _ in flat}) < len(flat):
        twice = next(key for i, (key, _) in enumerate(flat) if key in [other for other, _ in flat[:i]])
        raise ValueError(f"Could not flatten dictionary: key {twice} is not unique.")
    return flat


def _leaves(nest: Any) -> list[Any]:
    """What a nest of tuples, lists and mappings holds, mappings in the order of their keys."""
    if isinstance(nest, Mapping):
        nest = [nest[key] for key in sorted(nest)]
    return [leaf for part in nest for leaf in _leaves(part)] if isinstance(nest, (list, tuple)) else [nest]


__all__ = ["converter", "fits", "resolve", "resolved"]
