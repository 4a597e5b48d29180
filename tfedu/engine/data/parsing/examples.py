"""`tf.parse_example` and `tf.parse_single_example`: the features of serialized Examples as tensors, by their keys. No state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays.array import expand_dims, rank, squeeze
from ...lib.arrays.slicing import slice
from ...lib.checks.asserts import Assert
from ...lib.control.grouping import with_dependencies
from ...lib.framework.scope_blocks import name_scope
from ...lib.math.math import equal
from ...lib.sparse.composite_values import SparseTensor
from ...ops import parsing as ops
from .features import ALL, Wanted, default_tensors, only_wanted, safe_name, tensors_by_key, with_open_axis


def _wanted(features: Mapping[str, Any]) -> tuple[Wanted, list[Any]]:
    """What to read, and the shapes of the dense features. Raises: ValueError."""
    wanted = Wanted(with_open_axis(features), ALL)
    wanted.check_disjoint()
    return wanted, [as_shape(shape) for shape in wanted.shapes]


def _parsed(serialized: Any, names: Any, features: Mapping[str, Any], name: str | None) -> tuple[Wanted, dict[str, Any]]:
    wanted, shapes = _wanted(features)
    with name_scope(name, "ParseExample", [serialized, names]):
        defaults = default_tensors(wanted, shapes)
        outputs = ops.parse_example(
            serialized, [] if names is None else names, list(wanted.sparse), list(wanted.dense), defaults,
            sparse_types=list(wanted.sparse.values()), dense_shapes=shapes, name=name,
        )  # fmt: skip
        return wanted, tensors_by_key(wanted, *outputs)


@atomic
def parse_example(serialized: Any, features: Any, name: str | None = None, example_names: Any = None) -> dict[str, Any]:
    """The features of n Examples, serialized [n]: key -> a tensor [n, ...], or a SparseTensor [n, longest] of a VarLenFeature.

    features: key -> what to read. example_names: [n] names for error texts.
    Raises: ValueError for features that say too little; in the run InvalidArgumentError for examples that do not fit.
    """
    if not features:
        raise ValueError(error_text(f"Missing: features was {features}."))
    return only_wanted(features, _parsed(serialized, example_names, features, name)[1])


@atomic
def parse_single_example(serialized: Any, features: Any, name: str | None = None, example_names: Any = None) -> dict[str, Any]:
    """The features of one Example, serialized scalar: key -> a tensor of the feature's shape, or a SparseTensor [k].

    Raises: as parse_example.
    """
    if not features:
        raise ValueError(error_text("Missing features."))
    if example_names is not None:
        return only_wanted(features, _named(serialized, example_names, features, name))
    wanted, shapes = _wanted(features)
    with name_scope(name, "ParseSingleExample", [serialized]):
        message = convert_to_tensor(serialized, name="serialized")
        outputs = ops.parse_single_example(
            message, default_tensors(wanted, shapes), num_sparse=len(wanted.sparse), sparse_keys=list(wanted.sparse),
            dense_keys=list(wanted.dense), sparse_types=list(wanted.sparse.values()), dense_shapes=shapes, name=name,
        )  # fmt: skip
        tensors = tensors_by_key(wanted, *outputs)
    return only_wanted(features, tensors)


def _scalar(value: Any, what: str) -> Tensor:
    """The tensor, which is a scalar: checked in the run where the shape is not known. Raises: ValueError."""
    tensor = convert_to_tensor(value)
    if tensor.shape.ndims is None:
        text = f"Input {what} must be a scalar"
        title = what.title()
        check = Assert(equal(rank(tensor), 0), [text], name=f"{title}IsScalar")
        tensor = with_dependencies([check], tensor, name=f"{title}Dependencies")
    elif tensor.shape.ndims:
        raise ValueError(error_text(f"Input {what} must be a scalar", [tensor]))
    return expand_dims(tensor, 0)


def _named(serialized: Any, names: Any, features: Mapping[str, Any], name: str | None) -> dict[str, Any]:
    """As a batch of one, whose errors name the example."""
    with name_scope(name, "ParseSingleExample", [serialized, names]):
        wanted, tensors = _parsed(_scalar(serialized, "serialized"), _scalar(names, "names"), features, name)
        for key in wanted.dense:
            tensors[key] = squeeze(tensors[key], [0], name=f"Squeeze_{safe_name(key)}")
        for key in wanted.sparse:
            indices = slice(tensors[key].indices, [0, 1], [-1, -1], name=f"Slice_Indices_{safe_name(key)}")
            shape = slice(tensors[key].dense_shape, [1], [-1], name=f"Squeeze_Shape_{safe_name(key)}")
            tensors[key] = SparseTensor(indices, tensors[key].values, shape)
        return tensors


__all__ = ["parse_example", "parse_single_example"]
