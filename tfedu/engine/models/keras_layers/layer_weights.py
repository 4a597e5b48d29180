"""The variables of a layer, which the name scope that is open names. State: the lists of `LayerWeights`."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...base.shapes import as_shape
from ...graph.default_graph import get_default_graph
from ...lib.framework.placeholders import placeholder
from ...lib.variables.initializers import Zeros
from ...lib.variables.partitioned import PartitionedVariable
from ...lib.variables.scaled_initializers import GlorotUniform
from ...lib.variables.variable_settings import VariableAggregation, VariableSynchronization
from ...lib.variables.variables import Variable
from ..keras_parts.keras_config import floatx
from ..keras_parts.keras_session import keras_session, note_variable
from .identifiers import initializer_named
from .layer_losses import LayerLosses


class LayerWeights(LayerLosses):
    """The part of a layer that holds variables."""

    name: str
    built: bool
    _dtype: str | None

    def __init__(self) -> None:
        super().__init__()
        self._trainable_weights: list[Any] = []
        self._non_trainable_weights: list[Any] = []
        self._dependencies: dict[str, Any] = {}  # what a checkpoint of the layer saves
        self._assignments: dict[str, tuple[Any, Any]] = {}  # the placeholder and the assign of set_weights

    def _name_scope(self) -> str:
        """The name scope of the layer's nodes."""
        return self.name

    def _unpartitioned(self) -> contextlib.AbstractContextManager[None]:
        """A block in which no partitioner divides new weights."""
        return contextlib.nullcontext()

    # -- weights -------------------------------------------------------------------------------------------------------

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that an optimizer should change, none when `trainable` is False; then those of the layers inside."""
        if not self.trainable:
            return []
        return self._trainable_weights + [weight for layer in self._layers for weight in layer.trainable_weights]

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
        if self.trainable:
            inner = [weight for layer in self._layers for weight in layer.non_trainable_weights]
            return self._non_trainable_weights + inner
        inner = [weight for layer in self._layers for weight in layer.weights]
        return self._trainable_weights + self._non_trainable_weights + inner

    @property
    def weights(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def variables(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return self.weights

    @property
    def trainable_variables(self) -> list[Any]:
        """The variables that an optimizer should change, none when `trainable` is False."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The other variables."""
        return self.non_trainable_weights

    def count_params(self) -> int:
        """The number of elements of all variables.

        Raises: ValueError before the layer is built.
        """
        if not self.built:
            raise ValueError(
                error_text(
                    f"You tried to call `count_params` on {self.name}, but the layer isn't built. You can build it manually "
                    f"via: `{self.name}.build(batch_input_shape)`."
                )
            )
        return sum(math.prod(weight.shape.as_list()) for weight in self.weights)

    # -- new weights ---------------------------------------------------------------------------------------------------

    # the other keywords of add_weight
    _weight_options: tuple[str, ...] = ("experimental_autocast", "collections")

    def add_weight(
        self,
        name: str,
        shape: Any,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        partitioner: Any = None,
        **kwargs: Any,
    ) -> Any:
        """The layer's variable [shape] of that name: new, or existing where the scope reuses variables.

        A new variable's regularizer adds a loss to the layer; collections: those it joins. Other arguments: as of `get_variable`.

        Raises: TypeError for an unknown keyword; ValueError as `get_variable`.
        """
        for key in kwargs:
            if key not in self._weight_options:
                raise TypeError(error_text(f"('Unknown keyword argument:', '{key}')"))
        if not isinstance(name, str):
            raise TypeError(
                error_text(f'can only concatenate str (not "{type(name).__name__}") to str', fix="name the weight by a string")
            )
        trainable = _checked_trainable(trainable, synchronization)
        kind = as_dtype(dtype or self._dtype or floatx())
        request = {
            "name": name,
            "shape": shape,
            "dtype": kind,
            "initializer": self._checked_initializer(initializer, kind, name),
            "trainable": trainable and bool(self.trainable),
            "constraint": constraint,
            "use_resource": use_resource,
            "synchronization": synchronization,
            "aggregation": aggregation,
            "collections": kwargs.get("collections"),
        }
        return get_default_graph().attempt(self._make, request, trainable, regularizer, partitioner)

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """The older name of `add_weight`."""
        return self.add_weight(*args, **kwargs)

    def _make(
        self, request: dict[str, Any], trainable: bool, regularizer: Any, partitioner: Any
    ) -> Any:
        self._note_for_failure()
        shape, kind = request.pop("shape"), request["dtype"]
        default = GlorotUniform() if kind.is_floating else Zeros()
        initializer = request.pop("initializer") or default
        request["use_resource"] = request["use_resource"] is not False
        as_shape(() if shape is None else shape)  # tells impossible sizes
        variable = Variable(lambda: initializer(shape, dtype=kind), **request)
        self._keep(request["name"], variable, trainable)
        if regularizer is not None:
            self._regularize(variable, regularizer, variable.op.name)
        return variable

    def _keep(self, name: str, variable: Any, trainable: bool) -> None:
        (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)
        if isinstance(variable, Variable):
            self._dependencies[name] = variable
        for part in variable if isinstance(variable, PartitionedVariable) else [variable]:
            note_variable(part)

    def _checked_initializer(self, initializer: Any, kind: DType, name: str) -> Any:
        """The initializer; None stays None: then the variable scope's applies.

        Raises: ValueError for dtypes that have no initializer of their own.
        """
        if initializer is None and not (kind.is_floating or kind.is_integer or kind.is_bool):
            raise ValueError(
                error_text(f"An initializer for variable {name} of type {kind.base_dtype} is required for layer {self.name}")
            )
        return initializer_named(initializer)

    # -- values --------------------------------------------------------------------------------------------------------

    def get_weights(self) -> list[np.ndarray[Any, Any]]:
        """The values of all variables, in the default session or else in the graph's own."""
        return keras_session().run(self.weights) if self.weights else []

    def set_weights(self, weights: Any) -> None:
        """Sets all variables, in the default session or else in the graph's own.

        Raises: ValueError for a wrong number of arrays or a wrong shape.
        """
        variables = self.weights
        if len(variables) != len(weights):
            raise ValueError(
                error_text(
                    f'You called `set_weights(weights)` on layer "{self.name}" with a  weight list of length {len(weights)}, '
                    f"but the layer was expecting {len(variables)} weights. Provided weights: {str(weights)[:50]}..."
                )
            )
        values = [np.asarray(value) for value in weights]
        for variable, value in zip(variables, values):
            if tuple(variable.shape.as_list()) != value.shape:
                raise ValueError(
                    error_text(
                        f"Layer weight shape {tuple(variable.shape.as_list())} not compatible with provided weight shape "
                        f"{value.shape}"
                    )
                )
        if variables:
            session = keras_session()
            pairs = get_default_graph().attempt(self._assigns, variables)
            feeds = {target: value for (target, _), value in zip(pairs, values)}
            session.run([assign for _, assign in pairs], feed_dict=feeds)

    def _assigns(self, variables: list[Any]) -> list[tuple[Any, Any]]:
        """The placeholder and the assign of each variable, made once."""
        self._note_for_failure()
        for variable in variables:
            if variable.name not in self._assignments:
                value = placeholder(variable.dtype.base_dtype, shape=[None] * len(variable.shape))
                self._assignments[variable.name] = value, variable.assign(value)
        return [self._assignments[variable.name] for variable in variables]

    # -- failures ------------------------------------------------------------------------------------------------------

    def _note_for_failure(self) -> None:
        """Lets a failure of the call under way restore the layer's attributes."""
        kept = {key: value.copy() if type(value) in (list, dict) else value for key, value in vars(self).items()}
        get_default_graph().on_failure(self._restore, kept)

    def _restore(self, attributes: dict[str, Any]) -> None:
        vars(self).clear()
        vars(self).update(attributes)


def _checked_trainable(trainable: bool | None, synchronization: Any) -> bool:
    """Whether a new weight is trainable: by default unless its copies are summed when they are read.

    Raises: ValueError for a trainable weight of that kind.
    """
    if synchronization is VariableSynchronization.ON_READ:
        if trainable:
            raise ValueError(
                error_text(
                    "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
                    "You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
                )
            )
        return False
    return True if trainable is None else trainable
