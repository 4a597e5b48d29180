"""`Layer` of tf.layers: a Keras layer whose variables live in a variable scope, where other layers may share them.

    layer = Dense(10, name="out")     # nothing is built
    y = layer(x)                      # variables out/kernel and out/bias, nodes out/MatMul and out/BiasAdd
    y2 = layer(x2)                    # the same variables, nodes out/MatMul_1 and out/BiasAdd_1

State: each layer's variable scope.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import name_scope
from ...lib.variables.partitioned import PartitionedVariable
from ...lib.variables.variable_scope import VariableScope, get_variable, variable_scope
from ...lib.variables.variables import global_variables, trainable_variables
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.layer_losses import add_elements_to_collection
from ..keras_layers.layer_names import snake_case, unique_layer_name
from .keras_style import style


class Layer(KerasLayer):
    """A part of a model with its own variables, in a variable scope of the layer's name.

    trainable: whether its variables join the collection TRAINABLE_VARIABLES. dtype: of its weights, by default that of
    the first input. _scope, _reuse: the variable scope (or its name), and whether its variables must exist.

    Raises: TypeError for an unknown keyword.
    """

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        self._keras_style = style.keras
        self._base_name: Any = None
        self._scope: VariableScope | None = None
        self._current_scope: VariableScope | None = None
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        if self._keras_style:
            for what, value in (("scope", scope), ("reuse", self._reuse)):
                if value is not None:
                    raise ValueError(
                        error_text(f"{what} argument not allowed when keras style layers are enabled, but saw: {value}")
                    )
        if scope is not None:
            with variable_scope(scope) as captured:
                self._scope = captured

    # TF 1.15's layers have the variables of add_weight, not what an attribute holds.
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__
    _layers: list[Any] = []
    _weight_options = ("experimental_autocast",)

    def _set_name(self, name: Any) -> None:
        self._base_name = name.name if isinstance(name, VariableScope) else name
        self._name = self._base_name if isinstance(name, str) else None
        if not self._name:
            base_name = snake_case(type(self).__name__)
            self._name = unique_layer_name(base_name)
            self._base_name = self._base_name or base_name

    @property
    def graph(self) -> None:
        """None, as in TF 1.15."""

    # -- scopes --------------------------------------------------------------------------------------------------------

    @property
    def scope_name(self) -> str:
        """The name of the layer's variable scope.

        Raises: ValueError before the first call.
        """
        if self._scope is None:
            raise ValueError(
                error_text(
                    f'No name available for layer scope because the layer "{self.name}" has not been used yet. The scope name  '
                    "is determined the first time the layer instance is called. You must therefore call the layer before "
                    "querying `scope_name`."
                )
            )
        return self._scope.name

    def _set_scope(self, scope: Any = None) -> None:
        """Opens the layer's variable scope once, which settles its name."""
        if self._scope is None:
            if self._reuse:
                block = variable_scope(self._base_name if scope is None else scope)
            else:
                block = variable_scope(scope, default_name=self._base_name)
            with block as self._scope:
                pass

    def _open_scope(self) -> variable_scope:
        """The block of the layer's variable scope, in which a layer that was built finds its variables."""
        return variable_scope(self._scope, reuse=True if self.built else self._reuse, auxiliary_name_scope=False)

    def _name_scope(self) -> str:
        """The name scope of the layer's nodes."""
        if self._keras_style or self._current_scope is None:
            return super()._name_scope()
        return self._current_scope.original_name_scope

    @contextlib.contextmanager
    def _unpartitioned(self) -> Iterator[None]:
        """A block in which the variable scope's partitioner divides no new weights."""
        scope = self._scope
        partitioner = None if scope is None else scope.partitioner
        if scope is not None:
            scope.set_partitioner(None)
        try:
            yield
        finally:
            if scope is not None:
                scope.set_partitioner(partitioner)

    # -- variables and calls -------------------------------------------------------------------------------------------

    def _make(
        self, request: dict[str, Any], trainable: bool, regularizer: Any, partitioner: Any
    ) -> Any:
        if self._keras_style:
            return super()._make(request, trainable, regularizer, partitioner)
        self._note_for_failure()
        self._set_scope()
        before = set(map(id, global_variables()))
        with self._open_scope() as self._current_scope, name_scope(self._name_scope()):
            variable = get_variable(partitioner=partitioner, **request)
            # A custom getter or a partitioner may have made what no optimizer finds.
            in_collection = any(variable is each for each in trainable_variables())
            self._keep(request["name"], variable, trainable and (in_collection or not self.trainable))
            parts = variable if isinstance(variable, PartitionedVariable) else [variable]
            if regularizer is not None and not all(id(part) in before for part in parts):
                self._regularize(variable, regularizer, request["name"])
        return variable

    def _note_loss(self, loss: Any) -> None:
        """A new loss joins the collection REGULARIZATION_LOSSES, which exists even where the function gives none."""
        found = loss() if callable(loss) else loss
        add_elements_to_collection([] if found is None else [found], GraphKeys.REGULARIZATION_LOSSES)

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The output for the inputs, a tensor or a structure of tensors.

        scope: the variable scope, or its name, that the first call takes instead of the layer's name.

        Raises: ValueError for inputs that do not meet `input_spec`.
        """
        scope = kwargs.pop("scope", None)
        return get_default_graph().attempt(self._attempt_in, scope, inputs, args, kwargs)

    def _attempt_in(self, scope: Any, inputs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._keras_style:
            if scope is not None:
                raise ValueError(
                    error_text(f"scope argument not allowed when keras style layers are enabled, but saw: {scope}")
                )
            return self._attempt(inputs, args, kwargs)
        self._note_for_failure()
        self._set_scope(scope)
        with self._open_scope() as current:
            self._current_scope = current
            if "scope" in self._call_parameters():
                kwargs["scope"] = current
            outputs = self._in_scope(inputs, args, kwargs)
        add_elements_to_collection(self.updates, GraphKeys.UPDATE_OPS)
        return outputs


__all__ = ["Layer"]
