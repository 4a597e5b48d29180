"""`tf.parse_single_sequence_example` and `tf.io.parse_sequence_example`: the context and the lists of SequenceExamples. No
state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...graph.atomic import atomic
from ...lib.framework.scope_blocks import name_scope
from ...ops import parsing_sequences as ops
from .features import CONTEXT, SEQUENCE, Wanted, default_tensors, tensors_by_key

Features = Mapping[str, Any] | None


def _wanted(context_features: Features, sequence_features: Features) -> tuple[Wanted, Wanted]:
    """What to read of the context and of the lists. Raises: ValueError."""
    if not (context_features or sequence_features):
        raise ValueError(error_text("Missing features."))
    context, lists = Wanted(context_features, CONTEXT), Wanted(sequence_features, SEQUENCE)
    context.check_disjoint("context_dense", "context_sparse")
    lists.check_disjoint("feature_list_dense", "feature_list_sparse")
    for key, default in lists.defaults.items():
        if default is not None:
            raise ValueError(error_text(f"Value feature_list_dense_defaults[{key}] must be None"))
    return context, lists


def _attributes(context: Wanted, lists: Wanted) -> dict[str, Any]:
    return {
        "context_sparse_types": list(context.sparse.values()), "context_dense_shapes": [as_shape(s) for s in context.shapes],
        "feature_list_sparse_types": list(lists.sparse.values()), "feature_list_dense_types": list(lists.dense.values()),
        "feature_list_dense_shapes": [as_shape(s) for s in lists.shapes],
    }  # fmt: skip


def _keys(context: Wanted, lists: Wanted) -> dict[str, list[str]]:
    return {
        "context_sparse_keys": list(context.sparse), "context_dense_keys": list(context.dense),
        "feature_list_sparse_keys": list(lists.sparse), "feature_list_dense_keys": list(lists.dense),
    }  # fmt: skip


@atomic
def parse_single_sequence_example(
    serialized: Any, context_features: Features = None, sequence_features: Features = None, example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    """The features of one SequenceExample, serialized scalar: those of its context, and its lists: key -> a tensor
    [steps, ...], or a SparseTensor [steps, longest] of a VarLenFeature.

    example_name: a name for error texts. Raises: ValueError for features that say too little; in the run
    InvalidArgumentError for an example that does not fit.
    """
    context, lists = _wanted(context_features, sequence_features)
    with name_scope(name, "ParseSingleSequenceExample", [serialized]):
        outputs = ops.parse_single_sequence_example(
            serialized=serialized, feature_list_dense_missing_assumed_empty=list(lists.defaults),
            context_dense_defaults=default_tensors(context, [as_shape(shape) for shape in context.shapes]),
            debug_name="" if example_name is None else example_name, name=name, **_keys(context, lists),
            **_attributes(context, lists),
        )  # fmt: skip
        return tensors_by_key(context, *outputs[:4]), tensors_by_key(lists, *outputs[4:])


@atomic
def parse_sequence_example(
    serialized: Any, context_features: Features = None, sequence_features: Features = None, example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:  # fmt: skip
    """The features of n SequenceExamples, serialized [n]: those of their contexts, their lists (a dense one [n, longest, ...],
    a sparse one [n, most steps, longest]), and the lengths [n] of the dense lists.

    Raises: as parse_single_sequence_example.
    """
    context, lists = _wanted(context_features, sequence_features)
    with name_scope(name, "ParseSequenceExample", [serialized]):
        shapes = [as_shape(shape) for shape in context.shapes]
        outputs = ops.parse_sequence_example(
            serialized=serialized, debug_name=[] if example_names is None else example_names,
            context_dense_defaults=default_tensors(context, shapes, in_shape=False),
            feature_list_dense_missing_assumed_empty=list(lists.defaults), Ncontext_sparse=len(context.sparse),
            Ncontext_dense=len(context.dense), Nfeature_list_sparse=len(lists.sparse), Nfeature_list_dense=len(lists.dense),
            name=name, **_keys(context, lists), **_attributes(context, lists),
        )  # fmt: skip
        lengths = dict(zip(lists.dense, outputs[8]))
        return tensors_by_key(context, *outputs[:4]), tensors_by_key(lists, *outputs[4:8]), lengths


__all__ = ["parse_sequence_example", "parse_single_sequence_example"]
