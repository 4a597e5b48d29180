"""`tf.parse_single_example(serialized, {"x": tf.FixedLenFeature([2], tf.float32)})`: the features of examples as tensors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.framework.scope_blocks import named
from ...lib.sparse import sparse
from ...op.composites import SparseTensor
from ...op.constant import constant
from ...ops import parsing as ops
from .features import FixedLenFeature, FixedLenSequenceFeature, Raw, SparseFeature, VarLenFeature

_OF_EXAMPLES = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


@atomic
def parse_example(
    serialized: Any, features: Mapping[str, Any], name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """The features of serialized examples [n], by name: FixedLenFeature as [n, …], FixedLenSequenceFeature as [n, longest, …],
    VarLenFeature and SparseFeature as SparseTensors.

    example_names: [n], for messages. Raises: ValueError for features that are missing, unknown or incomplete.
    """
    raw = _raw(features)
    with named(name, "ParseExample", [serialized, example_names]):
        defaults = _defaults(raw)
        names = np.array([], object) if example_names is None else example_names
        outputs = ops.parse_example(
            serialized, convert_names(names), raw.sparse_keys, raw.dense_keys, defaults, sparse_types=raw.sparse_types,
            dense_shapes=raw.dense_shapes, name="ParseExample",
        )  # fmt: skip
    return _with_pairs(features, _by_key(raw, outputs))


def convert_names(names: Any) -> Any:
    return names if isinstance(names, Tensor) else np.array(names, object)


@atomic
def parse_single_example(
    serialized: Any, features: Mapping[str, Any], name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """The features of one serialized example, a scalar, by name: as those of `parse_example` without the first axis.

    example_names: a scalar, for messages. Raises: ValueError for features that are missing, unknown or incomplete.
    """
    raw = _raw(features)
    if example_names is not None:
        with named(name, "ParseSingleExample", [serialized, example_names]):
            batch = [array.expand_dims(convert_to_tensor(each, dtypes.string), 0) for each in (serialized, example_names)]
            parsed = parse_example(batch[0], features, example_names=batch[1])
            return {key: _first(value) for key, value in parsed.items()}
    with named(name, "ParseSingleExample", [serialized]):
        text = convert_to_tensor(serialized, dtypes.string, name="serialized")
        outputs = ops.parse_single_example(
            text, _defaults(raw), num_sparse=len(raw.sparse_keys), sparse_keys=raw.sparse_keys, dense_keys=raw.dense_keys,
            sparse_types=raw.sparse_types, dense_shapes=raw.dense_shapes, name="ParseSingleExample",
        )  # fmt: skip
    return _with_pairs(features, _by_key(raw, outputs))


def _first(value: Any) -> Any:
    """The only element of a batch."""
    if isinstance(value, SparseTensor):
        return SparseTensor(value.indices[:, 1:], value.values, value.dense_shape[1:])
    return array.squeeze(value, [0])


def _raw(features: Any) -> Raw:
    if not features:
        raise ValueError(error_text(f"Missing: features was {features}."))
    return Raw.of(features, *_OF_EXAMPLES)


def _defaults(raw: Raw) -> list[Tensor]:
    """The default of each dense feature: empty where the feature is required."""
    return [
        _default(key, kind, shape, raw.defaults.get(key))
        for key, kind, shape in zip(raw.dense_keys, raw.dense_types, raw.dense_shapes)
    ]


def _default(key: str, kind: DType, shape: TensorShape, given: Any) -> Tensor:
    name = "key_" + re.sub(r"[^A-Za-z0-9_.\-/]", "_", key)
    if shape.ndims and shape.as_list()[0] is None:
        if given is None:
            return constant(b"" if kind is dtypes.string else 0, kind)
        return array.reshape(convert_to_tensor(given, kind, name=name), [])
    if given is None:
        return constant([], kind)
    if isinstance(given, Tensor):
        return given
    return array.reshape(convert_to_tensor(given, kind, name=name), shape)


def _by_key(raw: Raw, outputs: Any) -> dict[str, Any]:
    indices, values, shapes, dense = outputs
    sparse_tensors = [SparseTensor(*parts) for parts in zip(indices, values, shapes)]
    return dict(zip([*raw.sparse_keys, *raw.dense_keys], [*sparse_tensors, *dense]))


def _with_pairs(features: Mapping[str, Any], parsed: dict[str, Any]) -> dict[str, Any]:
    """The parsed features, with one sparse tensor for each SparseFeature in place of its indices and values."""
    pairs = {key: feature for key, feature in features.items() if isinstance(feature, SparseFeature)}
    for key in sorted(pairs):
        feature = pairs[key]
        indices = feature.index_key
        ids = parsed[indices] if isinstance(indices, str) else [parsed[each] for each in indices]
        parsed[key] = sparse.merge(ids, parsed[feature.value_key], feature.size, already_sorted=feature.already_sorted)
    helpers = {
        each for feature in pairs.values()
        for each in [feature.value_key, *([feature.index_key] if isinstance(feature.index_key, str) else feature.index_key)]
    }  # fmt: skip
    for key in helpers - set(features):
        del parsed[key]
    return parsed


# -- sequences ------------------------------------------------------------------------------------------------------------


@atomic
def parse_single_sequence_example(
    serialized: Any,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A serialized sequence example, a scalar: the features of its context by name, and its feature lists [steps, …] by name.

    example_name: for messages. Raises: ValueError for features that are missing, incomplete, or of a kind that may not stand
    there.
    """
    context, lists = _raw_of_sequence(context_features, sequence_features)
    with named(name, "ParseSingleSequenceExample", [serialized]):
        defaults = _defaults(context)
        outputs = ops.parse_single_sequence_example(
            serialized, np.array([key.encode() for key in lists.may_miss], object), context.sparse_keys, context.dense_keys,
            lists.sparse_keys, lists.dense_keys, defaults, "" if example_name is None else example_name,
            context_sparse_types=context.sparse_types, context_dense_shapes=context.dense_shapes,
            feature_list_sparse_types=lists.sparse_types, feature_list_dense_types=lists.dense_types,
            feature_list_dense_shapes=lists.dense_shapes, name="ParseSingleSequenceExample",
        )  # fmt: skip
    return _by_key(context, outputs[:4]), _by_key(lists, outputs[4:])


@atomic
def parse_sequence_example(
    serialized: Any,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Serialized sequence examples [n]: context features [n, …], feature lists [n, longest, …], and their lengths [n], by name.

    Raises: ValueError for features that are missing, of a kind that cannot stand there, or incomplete.
    """
    context, lists = _raw_of_sequence(context_features, sequence_features)
    with named(name, "ParseSequenceExample", [serialized, example_names]):
        defaults = _defaults(context)
        names = np.array([], object) if example_names is None else example_names
        outputs = ops.parse_sequence_example(
            serialized, convert_names(names), defaults, feature_list_dense_missing_assumed_empty=lists.may_miss,
            context_sparse_keys=context.sparse_keys, context_dense_keys=context.dense_keys,
            feature_list_sparse_keys=lists.sparse_keys, feature_list_dense_keys=lists.dense_keys,
            Ncontext_sparse=len(context.sparse_keys), Ncontext_dense=len(context.dense_keys),
            Nfeature_list_sparse=len(lists.sparse_keys), Nfeature_list_dense=len(lists.dense_keys),
            context_sparse_types=context.sparse_types, context_dense_shapes=context.dense_shapes,
            feature_list_sparse_types=lists.sparse_types, feature_list_dense_types=lists.dense_types,
            feature_list_dense_shapes=lists.dense_shapes, name="ParseSequenceExample",
        )  # fmt: skip
    lengths = dict(zip(lists.dense_keys, outputs[8]))
    return _by_key(context, outputs[:4]), _by_key(lists, outputs[4:8]), lengths


def _raw_of_sequence(context: Any, lists: Any) -> tuple[Raw, Raw]:
    if not context and not lists:
        raise ValueError(error_text("Missing features."))
    return Raw.of(context, VarLenFeature, FixedLenFeature), Raw.of(lists, VarLenFeature, FixedLenSequenceFeature, in_list=True)


__all__ = ["parse_example", "parse_sequence_example", "parse_single_example", "parse_single_sequence_example"]
