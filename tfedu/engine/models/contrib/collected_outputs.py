"""What the layers of `tf.contrib` note of their outputs and variables, and how they read shapes and sizes.

    end_points = convert_collection_to_dict("outputs")      # after conv2d(…, outputs_collections="outputs")

A tensor's `aliases` are the names under which layers collected it. No state.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.control.cond import cond
from ...lib.framework.collections import add_to_collections
from ...lib.variables.partitioned import PartitionedVariable
from ...lib.variables.variables import Variable
from ...op.infer import constant_value as value_of_tensor


class NamedOutputs(NamedTuple):
    """An output with its name."""

    name: str
    outputs: Any


# -- aliases of tensors ---------------------------------------------------------------------------------------------


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """The tensor, with one more alias."""
    if not hasattr(tensor, "aliases"):
        tensor.aliases = []
    tensor.aliases.append(alias.removesuffix("/"))
    return tensor


def get_tensor_aliases(tensor: Any) -> list[str]:
    """The aliases of a tensor; without any, its name."""
    if hasattr(tensor, "aliases"):
        return list(tensor.aliases)
    return [tensor.op.name if tensor.name.endswith(":0") else tensor.name]


def gather_tensors_aliases(tensors: Iterable[Any]) -> list[str]:
    """The aliases of all tensors."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """The outputs, added to the collections, if any, under an alias."""
    if collections:
        append_tensor_alias(outputs, alias)
        add_to_collections(collections, outputs)
    return outputs


def convert_collection_to_dict(collection: Any, clear_collection: bool = False) -> OrderedDict[str, Any]:
    """alias -> tensor of a collection's tensors, in their order. clear_collection: empties it."""
    tensors = get_default_graph().get_collection_ref(collection)
    named = OrderedDict((alias, tensor) for tensor in tensors for alias in get_tensor_aliases(tensor))
    if clear_collection:
        del tensors[:]
    return named


# -- collections of variables ---------------------------------------------------------------------------------------


def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """The collections of a layer's variables of this kind: the same for all kinds, or a dict from the kind."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name, None)
    return variables_collections


def collect_variable(variable: Any, variables_collections: Any, kind: str) -> None:
    """Adds a variable, or all its parts, to the collections of its kind, once."""
    graph = get_default_graph()
    parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
    for collection in get_variable_collections(variables_collections, kind) or []:
        for part in parts:
            if part not in graph.get_collection(collection):
                graph.add_to_collection(collection, part)


# -- values that may be known ---------------------------------------------------------------------------------------


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """The value, if it is known without a run, else None.

    Raises: ValueError for None.
    """
    if value_or_tensor_or_var is None:
        raise ValueError(error_text("value_or_tensor_or_var cannot be None"))
    value = value_or_tensor_or_var
    if isinstance(value, Variable):
        return None
    if not isinstance(value, Tensor):
        return value
    known = value_of_tensor(value)
    return None if known is None else np.asarray(known)


def static_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any]) -> Any:
    """fn1() where the Python bool `pred` is true, else fn2(). Raises: TypeError for a function that is not callable."""
    for name, function in (("fn1", fn1), ("fn2", fn2)):
        if not callable(function):
            raise TypeError(error_text(f"{name} must be callable."))
    return fn1() if pred else fn2()


def smart_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any], name: str | None = None) -> Any:
    """fn1() or fn2(); a `cond` of both only where `pred` is not known without a run."""
    known = constant_value(pred)
    if known is None:
        return cond(pred, fn1, fn2, name=name)
    return static_cond(known, fn1, fn2)


# -- shapes and sizes -----------------------------------------------------------------------------------------------


def _dimension(shape: Any, axis: int, min_rank: int) -> int:
    """The size of an axis that must be known, in a shape of at least this rank."""
    raw = TensorShape(shape).raw
    if raw is None:
        raise ValueError(error_text("dims of shape must be known but is None"))
    if len(raw) < min_rank:
        raise ValueError(error_text(f"rank of shape must be at least {min_rank} not: {len(raw)}"))
    size = raw[axis]
    if size is None:
        raise ValueError(error_text(f"dimension {axis} of shape must be known but is None: {TensorShape(raw)}"))
    return size


def channel_dimension(shape: Any, data_format: str | None, min_rank: int = 1) -> int:
    """The number of channels: the second size for "channels_first", else the last.

    Raises: ValueError when it is unknown, or the rank is below min_rank.
    """
    first = data_format == "channels_first"
    return _dimension(shape, 1 if first else -1, max(min_rank, 2) if first else min_rank)


def last_dimension(shape: Any, min_rank: int = 1) -> int:
    """The last size. Raises: ValueError when it is unknown, or the rank is below min_rank."""
    return _dimension(shape, -1, min_rank)


def two_element_tuple(int_or_tuple: Any) -> tuple[Any, Any]:
    """(h, w) from one number, two numbers or a TensorShape. Raises: ValueError for others."""
    if isinstance(int_or_tuple, (list, tuple)):
        if len(int_or_tuple) != 2:
            raise ValueError(error_text(f"Must be a list with 2 elements: {int_or_tuple}"))
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, TensorShape) and len(int_or_tuple) == 2:
        return int_or_tuple[0], int_or_tuple[1]
    raise ValueError(error_text("Must be an int, a list with 2 elements or a TensorShape of length 2"))


def n_positive_integers(n: int, value: Any) -> tuple[int, ...]:
    """n positive numbers: `value` n times, or a sequence of n. Raises: ValueError for others."""
    if not isinstance(n, int) or n < 1:
        raise ValueError(error_text("n must be a positive integer"))
    if isinstance(value, int):
        numbers = (value,) * n
    else:
        try:
            numbers = tuple(int(v) for v in value)
        except (TypeError, ValueError):
            numbers = ()
        if len(numbers) != n:
            raise ValueError(error_text(f"Expected sequence of {n} positive integers, but received {value!r}"))
    for number in numbers:
        if number < 1:
            raise ValueError(error_text(f"expected positive integer, but received {number}"))
    return numbers


__all__ = [
    "NamedOutputs", "append_tensor_alias", "channel_dimension", "collect_named_outputs", "collect_variable", "constant_value",
    "convert_collection_to_dict", "gather_tensors_aliases", "get_tensor_aliases", "get_variable_collections", "last_dimension",
    "n_positive_integers", "smart_cond", "static_cond", "two_element_tuple",
]  # fmt: skip
