"""What a feature column of `tf.contrib.layers` is, and `FeatureTensors`: the features of one call and what columns made of them.

Such a column serves contrib's own functions (`input_from_feature_columns`, …) and `tf.feature_column.input_layer` and
`linear_model` as well. State: the tensors of one call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...base import dtypes, log
from ...base.errors import error_text
from ...lib.arrays import array
from ..contrib.flattening import inner_flatten
from ..contrib.model_variables import model_variable
from ..feature_columns.column_base import FeatureColumn

# collections and trainable=, as a call gave them
Tables = Callable[[Any], Any]


class Lookup(NamedTuple):
    """What a linear model looks up for a column: sparse ids [n, k], their weights, and the number of different ids."""

    ids: Any
    weights: Any
    size: int
    combiner: str


class OlderColumn(FeatureColumn):
    """A feature column of contrib; each kind is a named tuple of what the program said."""

    for_layers = False
    # fields that are functions, which have no part in the key
    functions: tuple[str, ...] = ()

    @property
    def config(self) -> dict[str, Any]:
        """The features of an Example that the column needs, by name."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define config"))

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return self.config

    @property
    def key(self) -> str:
        """The text by which columns are sorted and told apart."""
        if not self.functions:
            return str(self)
        fields = zip(self._fields, self)
        shown = ", ".join(f"{field}={value}" for field, value in fields if field not in self.functions)
        return f"{type(self).__name__}({shown})"

    def prepared(self, values: Any) -> Any:
        """What contrib's own functions keep of the column in a call, out of the features."""
        return self.transform(values)

    def as_input(self, value: Any, tables: Tables, rank: int = 2) -> Any:
        """The prepared value as a dense tensor [n, k] for a network, or [n, steps, k] of rank 3.

        Raises: ValueError for a column that gives none.
        """
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define as_input"))

    def lookup(self, value: Any) -> Lookup | None:
        """What a linear model looks up for the prepared value; None for a column of numbers.

        Raises: ValueError for a column of no use in linear models.
        """
        return None

    def numbers(self, value: Any) -> Any:
        """The numbers [n, k] that a linear model multiplies."""
        raise NotImplementedError(error_text(f"No dense tensor representation for column {self}."))

    @property
    def checkpoint(self) -> tuple[str, str] | None:
        """The checkpoint, and the name in it, whose value the column's variable begins with."""
        return None

    def new_table(self, collections: Any, trainable: bool) -> Any:
        """The variable that the column looks up in a network."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define new_table"))


def new_weights(name: str, shape: list[int], initializer: Any, collections: Any, trainable: bool) -> Any:
    """A model variable of float32."""
    return model_variable(
        name, shape=shape, dtype=dtypes.float32, initializer=initializer, trainable=trainable, collections=collections
    )


class MissingFeatureError(KeyError, ValueError):
    """A feature that a column needs is not in the dict of features."""

    __str__ = ValueError.__str__


class FeatureTensors:
    """A copy of a dict of features to which `get` adds what columns made: each feature by name, each value by its column."""

    def __init__(self, features: dict[Any, Any]) -> None:
        self.tensors: dict[Any, Any] = dict(features)

    def get(self, key: Any) -> Any:
        """The feature of that name as it was given, or what a column makes of the features.

        Raises: MissingFeatureError for a name that is not there; TypeError for what is neither a name nor a column.
        """
        if key not in self.tensors:
            if isinstance(key, str):
                names = ", ".join(sorted(name for name in self.tensors if isinstance(name, str)))
                raise MissingFeatureError(
                    error_text(f"features dictionary doesn't contain key ({key})", fix=f"give it; there are: {names}")
                )
            if not isinstance(key, OlderColumn):
                raise TypeError(error_text(f'"key" must be either a "str" or "_FeatureColumn". Provided: {key}'))
            self.tensors[key] = key.prepared(self)
        return self.tensors[key]


def of_rank(tensor: Any, rank: int, name: str) -> Any:
    """A dense feature with that many axes: one more at the end, or the last ones as one. name: of the column.

    Raises: ValueError where more than one axis is missing.
    """
    given = tensor.shape.ndims
    if given is None or given > rank:
        return inner_flatten(tensor, rank)
    if given == rank:
        return tensor
    advice = f"Rank of input Tensor ({given}) should be the same as output_rank ({rank})"
    if given < rank - 1:
        raise ValueError(
            error_text(
                f"Error while processing column {name}.{advice}. For example, sequence data should typically be 3 "
                "dimensional (rank 3) while non-sequence data is typically 2 dimensional (rank 2)."
            )
        )
    log.warn(
        f"{advice} for column. Will attempt to expand dims. It is highly recommended that you resize your input, as this "
        "behavior may change."
    )
    return array.expand_dims(tensor, -1, name="expand_dims")


__all__ = [
    "FeatureTensors", "Lookup", "MissingFeatureError", "OlderColumn", "Tables", "new_weights", "of_rank",
]  # fmt: skip
