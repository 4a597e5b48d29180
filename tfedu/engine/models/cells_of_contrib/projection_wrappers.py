"""Cells around a cell: projections of inputs or outputs, an embedding of inputs, a highway past it. State: their weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import log
from ...base.errors import error_text
from ...lib.arrays import array
from ...lib.framework import nest
from ...lib.framework.scope_blocks import device
from ...lib.math import math
from ...lib.nn import embeddings
from ...lib.nn.nn import xw_plus_b
from ...lib.variables.initializers import Constant, RandomUniform
from ...lib.variables.variable_scope import get_variable, get_variable_scope
from ..rnn.cell import RNNCell
from ..rnn.steps import assert_like_rnncell
from .linear import Linear


class _Wrapper(RNNCell):
    """A cell whose state is that of the wrapped cell."""

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert_like_rnncell("cell", cell)
        self._cell = cell

    @property
    def state_size(self) -> Any:
        """The wrapped cell's."""
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        """The wrapped cell's."""
        return self._cell.output_size

    def _zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with self._zero_state_scope(batch_size):
            return self._cell.zero_state(batch_size, dtype)


class OutputProjectionWrapper(_Wrapper):
    """A cell with a linear layer on its output: [n, output_size]. activation: a function of the layer's result.

    Raises: TypeError for something that is no cell; ValueError for an output_size below 1.
    """

    def __init__(
        self,
        cell: Any,
        output_size: int,
        activation: Callable[[Any], Any] | None = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(cell, _reuse=reuse)
        if output_size < 1:
            raise ValueError(error_text(f"Parameter output_size must be > 0: {output_size}."))
        self._output_size = output_size
        self._activation = activation
        self._linear: Linear | None = None

    @property
    def output_size(self) -> int:
        """The number of elements of the projected output."""
        return self._output_size

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the projected output, the state)."""
        output, state = self._cell(inputs, state)
        self._linear = self._linear or Linear([output], self._output_size)
        projected = self._linear([output])
        return self._activation(projected) if self._activation else projected, state


class InputProjectionWrapper(_Wrapper):
    """A cell with a linear layer before it, which gives it inputs [n, num_proj]. activation: a function of the layer's result.

    Raises: TypeError for something that is no cell.
    """

    def __init__(
        self,
        cell: Any,
        num_proj: int,
        activation: Callable[[Any], Any] | None = None,
        input_size: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(cell, _reuse=reuse)
        warn_of_input_size(self, input_size)
        self._num_proj = num_proj
        self._activation = activation
        self._linear: Linear | None = None

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the cell's output, the state)."""
        self._linear = self._linear or Linear([inputs], self._num_proj)
        projected = self._linear([inputs])
        if self._activation:
            projected = self._activation(projected)
        return self._cell(projected, state)  # type: ignore[no-any-return]


def warn_of_input_size(cell: Any, input_size: Any) -> None:
    """Logs that TF's argument input_size does nothing, where it is given."""
    if input_size is not None:
        log.warn("%s: The input_size parameter is deprecated.", cell)


class EmbeddingWrapper(_Wrapper):
    """A cell that reads class numbers: int [n, 1] become rows [n, embedding_size] of a variable "embedding".

    initializer: of the variable; by default that of the scope, else uniform numbers of variance 1.

    Raises: TypeError for something that is no cell; ValueError for sizes below 1.
    """

    def __init__(
        self,
        cell: Any,
        embedding_classes: int,
        embedding_size: int,
        initializer: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(cell, _reuse=reuse)
        if embedding_classes < 1 or embedding_size < 1:
            raise ValueError(
                error_text(f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}.")
            )
        self._shape = [embedding_classes, embedding_size]
        self._initializer = initializer

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:  # type: ignore[override]
        """Computes one step: class numbers [n, 1] -> (the cell's output, the state)."""
        with device("/cpu:0"):
            limit = 3**0.5
            initializer = self._initializer or get_variable_scope().initializer or RandomUniform(-limit, limit)
            dtype = nest.flatten(state)[0].dtype
            table = get_variable("embedding", self._shape, initializer=initializer, dtype=dtype)
            embedded = embeddings.embedding_lookup(table, array.reshape(inputs, [-1]))
            return self._cell(embedded, state)  # type: ignore[no-any-return]


class HighwayWrapper(_Wrapper):
    """A cell whose output goes together with its input, by gates: carry · input + transform · output.

    couple_carry_transform_gates: transform is 1 - carry, no gate of its own. carry_bias_init: the first bias of the carry gate,
    and with the other sign of the transform gate. Its variables are in the scope of the call: a second call needs reuse.

    Raises: TypeError or ValueError when inputs and outputs differ in structure or shape.
    Source: Srivastava et al., "Highway Networks" (2015).
    Differs from TF: has a name and weights, as every layer; TF's has none. Something that is no cell is refused at once.
    """

    def __init__(self, cell: Any, couple_carry_transform_gates: bool = True, carry_bias_init: float = 1.0) -> None:
        super().__init__(cell)
        self._is_coupled = couple_carry_transform_gates
        self._carry_bias_init = carry_bias_init

    def _call_in_scope(self, inputs: Any, state: Any, scope: Any) -> tuple[Any, Any]:
        outputs, new = self._cell(inputs, state, scope=scope)
        nest.assert_same_structure(inputs, outputs)
        for value, output in zip(nest.flatten(inputs), nest.flatten(outputs)):
            value.shape.assert_is_compatible_with(output.shape)
        return nest.map_structure(self._highway, inputs, outputs), new

    def _gate(self, name: str, inputs: Any, bias: float) -> Any:
        size = inputs.shape.with_rank(2)[1].value
        weights = get_variable(f"{name}_w", [size, size])
        biases = get_variable(f"{name}_b", [size], initializer=Constant(bias))
        return math.sigmoid(xw_plus_b(inputs, weights, biases))

    def _highway(self, inputs: Any, outputs: Any) -> Any:
        carry = self._gate("carry", inputs, self._carry_bias_init)
        transform = 1 - carry if self._is_coupled else self._gate("transform", inputs, -self._carry_bias_init)
        return inputs * carry + outputs * transform


__all__ = ["EmbeddingWrapper", "HighwayWrapper", "InputProjectionWrapper", "OutputProjectionWrapper"]
