"""Layers of feature columns: `DenseFeatures`, `SequenceFeatures`. State: each layer's tables by column."""

from __future__ import annotations

from typing import Any, Self

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...lib.arrays import array
from ...lib.checks.asserts import assert_equal
from ...lib.control.grouping import identity
from ...lib.framework.scope_blocks import control_dependencies, name_scope
from ...lib.variables.variable_scope import get_variable, variable_scope
from ..keras_layers.base_layer import KerasLayer
from .column_base import DenseColumn, SequenceDenseColumn, check_batch_sizes, normalized
from .column_configs import column_as_data, column_from
from .columns_of_ids import EmbeddingColumn
from .feature_values import FeatureValues


class _FeatureLayer(KerasLayer):
    """A layer that takes a dict of features; its tables are in a variable scope of the layer's name."""

    _is_feature_layer = True
    _kind: type

    def __init__(
        self, feature_columns: Any, trainable: bool = True, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(trainable=trainable, name=name, **kwargs)
        columns = normalized(feature_columns, of_functions=False)
        for column in columns:
            if not isinstance(column, self._kind):
                raise ValueError(
                    error_text(
                        f"Items of feature_columns must be a {self._kind}. You can wrap a categorical column with an "
                        f"embedding_column or indicator_column. Given: {column}"
                    )
                )
        object.__setattr__(self, "_feature_columns", columns)
        object.__setattr__(self, "_tables", {})

    def build(self, input_shape: Any) -> None:
        """Creates the tables of the embedding columns."""
        for column in self._feature_columns:
            if isinstance(column, EmbeddingColumn):
                self._tables[column] = self._new_table(column)
        super().build(input_shape)

    def _new_table(self, column: Any) -> Any:
        trainable = self.trainable and column.trainable
        with (
            variable_scope(self.name, auxiliary_name_scope=False),
            variable_scope(column.name, auxiliary_name_scope=False),
        ):
            table = get_variable(
                "embedding_weights", shape=column.table_shape, dtype=dtypes.float32, initializer=column.initializer,
                trainable=trainable, use_resource=True,
            )  # fmt: skip
        self._keep("embedding_weights", table, trainable)
        return table

    def _values(self, features: Any) -> FeatureValues:
        if not isinstance(features, dict):
            raise ValueError(error_text(f"('We expected a dictionary here. Instead we got: ', {features!r})"))
        return FeatureValues(features, self._tables.__getitem__)

    def _flattened(self, column: Any, tensor: Any) -> Any:
        """The column's value with its last axes as one."""
        shape = self._target_shape(array.shape(tensor), column.variable_shape.num_elements())
        return array.reshape(tensor, shape=shape)

    def _joined(self, outputs: list[Any]) -> Any:
        check_batch_sizes(outputs, self._feature_columns)
        return array.concat(outputs, -1)

    def _target_shape(self, shape: Any, size: int) -> tuple[Any, ...]:
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define _target_shape"))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The output's shape for the shape of a column's value."""
        size = sum(column.variable_shape.num_elements() for column in self._feature_columns)
        return TensorShape(self._target_shape(input_shape, size))

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "feature_columns": list(map(column_as_data, self._feature_columns))}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """A layer from the result of `get_config`. custom_objects: the program's own columns and functions by name."""
        columns = [column_from(each, custom_objects) for each in config["feature_columns"]]
        return cls(**{**config, "feature_columns": columns})


class DenseFeatures(_FeatureLayer):
    """The dense columns of a dict of features, side by side in the order of their names: [n, size].

    Raises: ValueError for a column that is not dense.
    """

    _kind = DenseColumn

    def call(self, features: Any, cols_to_output_tensors: dict[Any, Any] | None = None) -> Any:
        """{name: [n, ...]} -> [n, size]. cols_to_output_tensors: a dict to fill with each column's part.

        Raises: ValueError for what is no dict, and for a feature that is not there.
        """
        values = self._values(features)
        outputs = []
        for column in self._feature_columns:
            with name_scope(column.name):
                outputs.append(self._flattened(column, column.dense_tensor(values)))
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = outputs[-1]
        return self._joined(outputs)

    def _target_shape(self, shape: Any, size: int) -> tuple[Any, ...]:
        return shape[0], size


class SequenceFeatures(_FeatureLayer):
    """The sequence columns of a dict of sparse features, side by side: [n, steps, size], and the lengths [n].

    Raises: ValueError for a column that gives no sequence.
    """

    _kind = SequenceDenseColumn

    def call(self, features: Any) -> tuple[Any, Any]:
        """{name: sparse [n, steps, ...]} -> ([n, steps, size], [n] of int64).

        Raises: ValueError for what is no dict, and for a feature that is not there.
        """
        values = self._values(features)
        outputs, lengths = [], []
        for column in self._feature_columns:
            with name_scope(column.name):
                dense, length = column.sequence_tensor(values)
                outputs.append(self._flattened(column, dense))
                lengths.append(length)
        check_batch_sizes(lengths, self._feature_columns)
        length = _all_equal(lengths)
        return self._joined(outputs), length

    def _target_shape(self, shape: Any, size: int) -> tuple[Any, ...]:
        return shape[0], shape[1], size


def _all_equal(tensors: list[Any]) -> Any:
    """The first of the tensors, which the run checks to be equal."""
    with name_scope(None, "assert_all_equal", tensors):
        if len(tensors) == 1:
            return tensors[0]
        with control_dependencies([assert_equal(tensors[0], other) for other in tensors[1:]]):
            return identity(tensors[0])


__all__ = ["DenseFeatures", "SequenceFeatures"]
