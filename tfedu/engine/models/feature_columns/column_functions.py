"""`input_layer`, `linear_model` and `make_parse_example_spec`: what programs make of feature columns. No state."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.framework.collections import get_collection, get_collection_ref
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import name_scope
from ...lib.math.products import add_n, matmul
from ...lib.nn.embeddings import safe_embedding_lookup_sparse
from ...lib.nn.nn import bias_add
from ...lib.sparse import sparse
from ...lib.variables.initializers import Zeros
from ...lib.variables.partitioned import PartitionedVariable
from ...lib.variables.variable_scope import get_variable, get_variable_scope, variable_scope
from .column_base import CategoricalColumn, DenseColumn, FeatureColumn, check_batch_sizes, normalized
from .feature_values import FeatureValues


def _collections(given: Any) -> list[Any]:
    """The collections that new variables join."""
    return list(dict.fromkeys([*(given or []), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]))


def _tables(collections: list[Any], trainable: bool) -> Callable[[Any], Any]:
    """A function that makes the table of an embedding column, or finds it where the variable scope reuses variables."""

    def table(column: Any) -> Any:
        return column.new_table(collections, trainable)

    return table


def as_matrix(tensor: Any, size: int) -> Any:
    """[n, ...] -> [n, size]."""
    return array.reshape(tensor, shape=(array.shape(tensor)[0], size))


@atomic
def input_layer(
    features: dict[str, Any],
    feature_columns: Any,
    weight_collections: Any = None,
    trainable: bool = True,
    cols_to_vars: dict[Any, Any] | None = None,
    cols_to_output_tensors: dict[Any, Any] | None = None,
) -> Any:
    """The dense columns of the features, side by side in the order of their names: [n, size].

    features: tensors or sparse tensors [n, ...] by name. weight_collections: what new variables join. cols_to_vars,
    cols_to_output_tensors: dicts to fill with each column's variables and its part of the result.

    Raises: ValueError for a column that is not dense, and a feature that is not there.
    """
    columns = normalized(feature_columns, of_functions=True)
    for column in columns:
        if not isinstance(column, DenseColumn):
            raise ValueError(
                error_text(
                    "Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with an "
                    f"embedding_column or indicator_column. Given: {column}"
                )
            )
    with variable_scope(None, default_name="input_layer", values=features.values()):
        values = FeatureValues(features, _tables(_collections(weight_collections), trainable))
        outputs = []
        for column in columns:
            with variable_scope(None, default_name=column.scope_name):
                outputs.append(as_matrix(column.dense_tensor(values), column.element_count))
                if cols_to_vars is not None:
                    cols_to_vars[column] = get_collection(
                        GraphKeys.GLOBAL_VARIABLES, scope=get_variable_scope().name
                    )
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = outputs[-1]
        check_batch_sizes(outputs, columns)
        return array.concat(outputs, 1)


@atomic
def linear_model(
    features: dict[str, Any],
    feature_columns: Any,
    units: int = 1,
    sparse_combiner: str = "sum",
    weight_collections: Any = None,
    trainable: bool = True,
    cols_to_vars: dict[Any, Any] | None = None,
) -> Any:
    """Σ of the columns times their weights, plus a bias: [n, units]. All weights begin with 0.

    sparse_combiner: how the weights of an example's several ids are combined: "sum", "mean" or "sqrtn". Other arguments:
    as of `input_layer`; cols_to_vars gets the bias under "bias".

    Raises: ValueError for what is no column, and a feature that is not there.
    """
    collections = _collections(weight_collections)
    weights = functools.partial(
        get_variable, dtype=dtypes.float32, initializer=Zeros(), trainable=trainable, use_resource=True, collections=collections
    )  # fmt: skip
    with variable_scope(None, "linear_model") as outer:
        name = _last(outer.name)
    columns = normalized(feature_columns, of_functions=True)
    by_name = {}
    for column in columns:
        with variable_scope(None, default_name=column.scope_name) as unique:
            by_name[_last(unique.name)] = column
    found: dict[Any, Any] = {}
    with name_scope(name), variable_scope(name):
        values = FeatureValues(features, _tables(collections, trainable))
        sums, ordered = [], []
        for column_name in sorted(by_name):
            column = by_name[column_name]
            if not isinstance(column, (DenseColumn, CategoricalColumn)):
                raise ValueError(
                    error_text(
                        f"Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. Given: {column}"
                    )
                )
            with variable_scope(None, default_name=column_name) as own:
                size = column.num_buckets if isinstance(column, CategoricalColumn) else column.element_count
                sums.append(weighted_sum(column, values, weights("weights", [size, units]), sparse_combiner))
                ordered.append(column)
                found[column] = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=own.name)
        get_collection_ref(GraphKeys.UPDATE_OPS)
        check_batch_sizes(sums, ordered)
        total = add_n(sums, name="weighted_sum_no_bias")
        bias = weights("bias_weights", [units])
        found["bias"] = list(bias) if isinstance(bias, PartitionedVariable) else [bias]
        predictions = bias_add(total, bias, name="weighted_sum")
    if cols_to_vars is not None:
        cols_to_vars.update(found)
    return predictions


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def weighted_sum(column: Any, values: FeatureValues, weights: Any, combiner: str) -> Any:
    """A column's value times the weights: [n, size] · [size, units] -> [n, units]."""
    if not isinstance(column, CategoricalColumn):
        return matmul(as_matrix(column.dense_tensor(values), column.element_count), weights, name="weighted_sum")
    ids, of_ids = column.ids_and_weights(values)
    ids = sparse.reshape(ids, [array.shape(ids)[0], -1])
    if of_ids is not None:
        of_ids = sparse.reshape(of_ids, [array.shape(of_ids)[0], -1])
    return safe_embedding_lookup_sparse(weights, ids, of_ids, combiner=combiner, name="weighted_sum")


def make_parse_example_spec(feature_columns: Any) -> dict[str, Any]:
    """The features that the columns need, for `tf.parse_example`: by name, what to read.

    Raises: ValueError for what is no column, and for columns that read one feature in different ways.
    """
    found: dict[str, Any] = {}
    for column in feature_columns:
        if not (isinstance(column, FeatureColumn) and column.for_functions):
            raise ValueError(
                error_text(f"All feature_columns must be _FeatureColumn instances. Given: {column}")
            )
        for key, feature in column.parse_example_spec.items():
            if key in found and feature != found[key]:
                raise ValueError(
                    error_text(
                        f"feature_columns contain different parse_spec for key {key}. Given {feature} and {found[key]}"
                    )
                )
            found[key] = feature
    return found


__all__ = ["as_matrix", "input_layer", "linear_model", "make_parse_example_spec", "weighted_sum"]
