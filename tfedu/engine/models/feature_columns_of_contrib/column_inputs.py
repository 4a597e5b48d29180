"""What `tf.contrib.layers` makes of its columns: inputs of networks, linear models, and the parsing of Examples. No state."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from ...base import log
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...data.parsing.examples import parse_example
from ...data.parsing.features import FixedLenFeature, FixedLenSequenceFeature, VarLenFeature
from ...data.parsing.sequences import parse_single_sequence_example
from ...graph.atomic import atomic
from ...graph.graph import Graph
from ...lib.arrays import array
from ...lib.framework import nest
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.placeholders import placeholder
from ...lib.math.products import add_n, matmul
from ...lib.nn.nn import bias_add
from ...lib.sparse import sparse
from ...lib.sparse.composite_values import sparse_placeholder
from ...lib.variables.initializers import Zeros
from ...lib.variables.partitioned import PartitionedVariable
from ...lib.variables.variable_scope import variable_scope
from ...op.composites import SparseTensor
from ..contrib.flattening import inner_flatten
from ..contrib.model_variables import model_variable
from ..embeddings_of_contrib.embedding_lookups import safe_embedding_lookup_sparse
from .dense_columns_of_ids import _EmbeddingColumn, _OneHotColumn, _ScatteredEmbeddingColumn, restore
from .number_columns import _BucketizedColumn, _RealValuedColumn, real_valued_column
from .older_columns import FeatureTensors, Lookup, OlderColumn, new_weights
from .sparse_columns import _CrossedColumn, feature_spec

# -- columns of a call -------------------------------------------------------------------------------------------------


def check_feature_columns(feature_columns: Any) -> None:
    """Raises: ValueError for a dict, and for two columns that are almost the same; TypeError for what is no column."""
    if isinstance(feature_columns, dict):
        raise ValueError(error_text("Expected feature_columns to be iterable, found dict."))
    found = set()
    for column in feature_columns:
        feature_spec(column)
        if column.key in found:
            raise ValueError(
                error_text(
                    f"Duplicate feature column key found for column: {column.name}. This usually means that the column is "
                    "almost identical to another column, and one must be discarded."
                )
            )
        found.add(column.key)


def _in_order(feature_columns: Any) -> list[OlderColumn]:
    """The columns, sorted by key."""
    check_feature_columns(feature_columns)
    return sorted(set(feature_columns), key=lambda column: column.key)


def _joined_collections(given: Any) -> Any:
    return list(dict.fromkeys([*given, GraphKeys.GLOBAL_VARIABLES])) if given else given


def _reshaped(tensor: Any, name: str, rank: int) -> Any:
    """A feature with that many axes: one more at the end, or the last ones as one. name: of the column."""
    is_sparse = isinstance(tensor, SparseTensor)
    given = tensor.shape.ndims
    if given is None:
        raise ValueError(
            error_text(f"Error while processing column {name}. Rank of input Tensor can not be None.")
        )
    if rank > given + 1:
        raise ValueError(
            error_text(
                f"Error while processing column {name}. Rank of input Tensor ({given}) should be the same as output_rank "
                f"({rank}). For example, sequence data should typically be 3 dimensional (rank 3) while non-sequence data is "
                "typically 2 dimensional (rank 2)."
            )
        )
    if rank == given + 1:
        if is_sparse:
            return sparse.reshape(tensor, array.concat([tensor.dense_shape, [1]], 0))
        return array.expand_dims(tensor, -1)
    return inner_flatten(tensor, rank) if rank < given else tensor


# -- inputs of networks ------------------------------------------------------------------------------------------------


def input_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Any,
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    cols_to_outs: dict[Any, Any] | None = None,
) -> Any:
    """The columns of the features, side by side in the order of their keys: [n, size].

    columns_to_tensors: the features [n, ...] by name. weight_collections: what new variables join. cols_to_outs: a dict to
    fill with each column's part.

    Raises: ValueError for sparse columns, which only linear models take, for features of other ranks, and for two columns of
    one key; MissingFeatureError (a KeyError and ValueError) for a feature that is not there.
    """
    return _inputs(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 2, "input_from_feature_columns", cols_to_outs
    )


def sequence_input_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Any,
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """The columns of features of sequences [n, steps, ...], side by side in the order of their keys: [n, steps, size].

    Raises: ValueError as `input_from_feature_columns`, and for kinds of columns that take no sequences.
    """
    for column in feature_columns:
        if not isinstance(column, (_OneHotColumn, _EmbeddingColumn, _RealValuedColumn)):
            raise ValueError(
                error_text(
                    f"FeatureColumn type {type(column).__name__} is not currently supported for sequence data."
                )
            )
    for column in _with_sources(feature_columns):
        if isinstance(column, (_ScatteredEmbeddingColumn, _BucketizedColumn, _CrossedColumn)):
            raise ValueError(
                error_text(
                    f"Column {column.name} is of type {type(column).__name__}, which is not currently supported for sequences."
                )
            )
    return _inputs(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, 3, "sequence_input_from_feature_columns"
    )


def _with_sources(columns: Any) -> Iterator[Any]:
    """The columns, and those that they are made of."""
    for column in columns:
        yield column
        yield from _with_sources(getattr(column, "columns", ()))
        for field in ("sparse_id_column", "source_column"):
            yield from _with_sources([source] if (source := getattr(column, field, None)) is not None else ())


@atomic
def _inputs(
    features: dict[Any, Any],
    feature_columns: Any,
    weight_collections: Any,
    trainable: bool,
    scope: Any,
    rank: int,
    default_name: str,
    cols_to_outs: Any = None,
) -> Any:
    columns = _in_order(feature_columns)
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError(error_text("cols_to_outs must be a dict unless None"))
    values = FeatureTensors(features)
    collections = _joined_collections(weight_collections)
    outputs = {}
    with variable_scope(scope, default_name=default_name, values=features.values()):
        for column in columns:
            with variable_scope(None, default_name=column.name, values=features.values()):
                value = values.get(column)
                if rank == 3:
                    value = nest.map_structure(functools.partial(_reshaped, name=column.name, rank=rank), value)
                outputs[column] = _input_of(column, value, collections, trainable, rank)
        joined = array.concat(list(outputs.values()), rank - 1)
    if cols_to_outs is not None:
        cols_to_outs.update(outputs)
    return joined


def _input_of(column: Any, value: Any, collections: Any, trainable: bool, rank: int) -> Any:
    def table(column: Any) -> Any:
        return column.new_table(collections, trainable)

    try:
        return column.as_input(value, table, rank)
    except ValueError as error:
        if isinstance(column, (_EmbeddingColumn, _ScatteredEmbeddingColumn)):
            raise
        raise ValueError(error_text(f"Error creating input layer for column: {column.name}.\n{error}")) from error


# -- linear models -----------------------------------------------------------------------------------------------------


@atomic
def weighted_sum_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Any,
    num_outputs: int,
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> tuple[Any, dict[Any, list[Any]], Any]:
    """Σ of the columns times their weights, plus a bias: ([n, num_outputs], each column's variables, the bias). All begin with 0.

    Arguments: as of `input_from_feature_columns`.

    Raises: ValueError for embedding columns; NotImplementedError for other columns without a place in linear models.
    """
    columns = _in_order(feature_columns)
    values = FeatureTensors(columns_to_tensors)
    sums, found = [], {}
    with variable_scope(scope, default_name="weighted_sum_from_feature_columns", values=columns_to_tensors.values()):
        for column in columns:
            value = values.get(column)
            try:
                wanted = column.lookup(value)
            except ValueError as error:
                raise ValueError(
                    error_text(f"Error creating weighted sum for column: {column.name}.\n{error}")
                ) from error
            with variable_scope(None, default_name=column.name, values=columns_to_tensors.values()):
                if wanted is None:
                    numbers = _reshaped(column.numbers(value), column.name, 2)
                    shape = [numbers.shape.as_list()[1], num_outputs]
                    weights = new_weights("weight", shape, Zeros(), weight_collections, trainable)
                    product = matmul(numbers, weights, name="matmul")
                    parts = [weights]
                else:
                    parts, product = _looked_up(
                        wanted, num_outputs, weight_collections, trainable, f"{column.name}_weights"
                    )
            sums.append(array.reshape(product, shape=(-1, num_outputs)))
            found[column] = parts
            restore(column.checkpoint, parts[0] if len(parts) == 1 else parts)
        total = add_n(sums)
        bias = _bias(num_outputs, weight_collections, trainable)
        return bias_add(total, bias), found, bias


@atomic
def joint_weighted_sum_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Any,
    num_outputs: int,
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> tuple[Any, list[Any], Any]:
    """`weighted_sum_from_feature_columns` with one variable for all columns: ([n, num_outputs], its parts, the bias).

    Raises: NotImplementedError for columns of numbers; ValueError for none, for weighted columns and other combiners than "sum".
    """
    columns = _in_order(feature_columns)
    values = FeatureTensors(columns_to_tensors)
    with variable_scope(
        scope, default_name="joint_weighted_sum_from_feature_columns", values=columns_to_tensors.values()
    ):
        wanted = [_joint_lookup(column, column.lookup(values.get(column))) for column in columns]
        if not wanted:
            raise ValueError(error_text("At least one column must be in the model."))
        size, shifted = 0, []
        for each in wanted:
            shifted.append(SparseTensor(each.ids.indices, each.ids.values + size, each.ids.dense_shape))
            size += each.size
        ids = sparse.concat(1, shifted)
        with variable_scope(None, default_name="linear_weights", values=columns_to_tensors.values()):
            joint = Lookup(ids, None, size, "sum")
            parts, product = _looked_up(joint, num_outputs, weight_collections, trainable, "_weights")
        bias = _bias(num_outputs, weight_collections, trainable)
        return bias_add(product, bias), parts, bias


def _joint_lookup(column: Any, wanted: Lookup | None) -> Lookup:
    if wanted is None:
        raise NotImplementedError(
            error_text(
                "Real-valued columns are not supported. Use weighted_sum_from_feature_columns instead, or bucketize these "
                "columns."
            )
        )
    instead = f"Please use weighted_sum_from_feature_columns instead. column: {column.name}"
    if wanted.weights is not None:
        raise ValueError(error_text(f"Joint sums for weighted sparse columns are not supported. {instead}"))
    if wanted.combiner != "sum":
        raise ValueError(error_text(f"Combiners other than sum are not supported for joint sums. {instead}"))
    return wanted


def _looked_up(
    wanted: Lookup, num_outputs: int, collections: Any, trainable: bool, name: str
) -> tuple[list[Any], Any]:
    """(the parts of a new variable "weights", its rows at the ids, combined [n, num_outputs])."""
    weights = new_weights("weights", [wanted.size, num_outputs], Zeros(), collections, trainable)
    parts = list(weights) if isinstance(weights, PartitionedVariable) else [weights]
    rows = safe_embedding_lookup_sparse(
        parts, wanted.ids, sparse_weights=wanted.weights, combiner=wanted.combiner, name=name
    )
    return parts, rows


def _bias(num_outputs: int, collections: Any, trainable: bool) -> Any:
    return model_variable(
        "bias_weight", shape=[num_outputs], initializer=Zeros(), trainable=trainable,
        collections=_joined_collections(collections),
    )  # fmt: skip


# -- Examples ----------------------------------------------------------------------------------------------------------


def create_feature_spec_for_parsing(feature_columns: Any) -> dict[str, Any]:
    """The features that the columns need, for `tf.parse_example`: by name, what to read. A dict's values are the columns.

    Raises: TypeError for what is no column.
    """
    columns = feature_columns.values() if isinstance(feature_columns, dict) else feature_columns
    return {name: feature for column in columns for name, feature in feature_spec(column).items()}


def parse_feature_columns_from_examples(
    serialized: Any, feature_columns: Any, name: str | None = None, example_names: Any = None
) -> dict[Any, Any]:
    """The features of serialized Examples [n] by name, and what each column makes of them by column.

    name, example_names: as of `tf.parse_example`. Raises: as `tf.parse_example`, and ValueError for two columns of one key.
    """
    check_feature_columns(feature_columns)
    features = create_feature_spec_for_parsing(feature_columns)
    parsed = parse_example(serialized=serialized, features=features, name=name, example_names=example_names)
    return _transformed(parsed, feature_columns)


def transform_features(features: dict[Any, Any], feature_columns: Any) -> dict[Any, Any]:
    """What each column makes of the features, by column."""
    wanted = list(feature_columns)
    return {key: value for key, value in _transformed(features, wanted).items() if key in wanted}


@atomic
def _transformed(features: dict[Any, Any], feature_columns: Any) -> dict[Any, Any]:
    values = FeatureTensors(features)
    for column in _in_order(feature_columns):
        values.get(column)
    return values.tensors


def parse_feature_columns_from_sequence_examples(
    serialized: Any,
    context_feature_columns: Any,
    sequence_feature_columns: Any,
    name: str | None = None,
    example_name: Any = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The features of one serialized SequenceExample by name: (those of its context, those of its steps).

    Raises: ValueError for more than one SequenceExample, and as `check_feature_columns`.
    """
    try:
        serialized = array.reshape(serialized, [])
    except ValueError as error:
        raise ValueError(
            error_text(
                "serialized must contain as single sequence example. Batching must be done after parsing for sequence examples. "
                f"Error: {error}"
            )
        ) from error
    context, steps = context_feature_columns or [], sequence_feature_columns or []
    check_feature_columns(context)
    check_feature_columns(steps)
    of_steps = {key: _of_steps(key, feature) for key, feature in create_feature_spec_for_parsing(steps).items()}
    return parse_single_sequence_example(
        serialized, create_feature_spec_for_parsing(context), of_steps, example_name, name
    )


def _of_steps(key: str, feature: Any) -> Any:
    """What to read in each step for a feature of an Example."""
    if not isinstance(feature, (FixedLenFeature, FixedLenSequenceFeature)):
        return feature
    has_default = feature.default_value is not None
    if has_default:
        log.warn(
            f'Found default value {feature.default_value} for feature "{key}". Ignoring this value and setting '
            "`allow_missing=True` instead."
        )
    return FixedLenSequenceFeature(shape=feature.shape, dtype=feature.dtype, allow_missing=has_default)


def make_place_holder_tensors_for_base_features(feature_columns: Any) -> dict[str, Any]:
    """A placeholder for each feature that the columns need, by name: [n, size], or sparse."""
    placeholders = {}
    for name, feature in create_feature_spec_for_parsing(feature_columns).items():
        if isinstance(feature, VarLenFeature):
            placeholders[name] = sparse_placeholder(feature.dtype, name=f"Placeholder_{name}")
        else:
            shape = (None, feature.shape[0])
            placeholders[name] = placeholder(feature.dtype, shape=shape, name=f"Placeholder_{name}")
    return placeholders


def infer_real_valued_columns(features: Any) -> list[_RealValuedColumn]:
    """A column of numbers for each feature [n, ...] of a dict, or for one tensor.

    Raises: ValueError for sparse features and those of other dtypes.
    """
    given = features.items() if isinstance(features, dict) else [("", features)]
    return [_column_of(name, tensor) for name, tensor in given]


def infer_real_valued_columns_from_input_fn(input_fn: Callable[[], tuple[Any, Any]]) -> list[_RealValuedColumn]:
    """`infer_real_valued_columns` of the features that input_fn makes, in a graph of its own; it returns (features, labels)."""
    with Graph().as_default():
        features, _ = input_fn()
        return infer_real_valued_columns(features)


def infer_real_valued_columns_from_input(x: Any) -> list[_RealValuedColumn]:
    """A column of numbers for an array x [n, ...], or for each of a dict of arrays.

    Raises: ValueError for None and for arrays of other dtypes; TypeError for what is no array [n, ...].
    """
    if x is None:
        raise ValueError(error_text("Either x or input_fn must be provided."))
    for array_ in x.values() if isinstance(x, dict) else [x]:
        if not getattr(array_, "shape", ()):
            raise TypeError(
                error_text(
                    f"x must be an array with an axis of examples, or a dict of such arrays, not {type(array_).__name__}",
                    fix="np.array(x)",
                )
            )

    def features() -> tuple[Any, Any]:
        def fed(values: Any) -> Any:
            return placeholder(as_dtype(values.dtype), [None, *(values.shape[1:] or [1])], name="input")

        return {name: fed(values) for name, values in x.items()} if isinstance(x, dict) else fed(x), None

    return infer_real_valued_columns_from_input_fn(features)


def _column_of(name: str, tensor: Any) -> _RealValuedColumn:
    what = "SparseTensor is" if isinstance(tensor, SparseTensor) else None
    if what is None and not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        what = "Non integer or non floating types are"
    if what is not None:
        raise ValueError(
            error_text(
                f"{what} not supported for auto detection. Please define corresponding FeatureColumn for tensor {name} {tensor}."
            )
        )
    dimension = tensor.shape[1:].num_elements()
    return real_valued_column(name, dimension=dimension, dtype=tensor.dtype)


__all__ = [
    "check_feature_columns", "create_feature_spec_for_parsing", "infer_real_valued_columns",
    "infer_real_valued_columns_from_input", "infer_real_valued_columns_from_input_fn",
    "input_from_feature_columns", "joint_weighted_sum_from_feature_columns",
    "make_place_holder_tensors_for_base_features", "parse_feature_columns_from_examples",
    "parse_feature_columns_from_sequence_examples", "sequence_input_from_feature_columns", "transform_features",
    "weighted_sum_from_feature_columns",
]  # fmt: skip
