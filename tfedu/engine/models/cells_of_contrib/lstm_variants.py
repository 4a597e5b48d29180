"""`PhasedLSTMCell`, whose units open at times of their own, and `GLSTMCell`, whose units are in groups. State: their weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...lib.arrays import array, selection, slicing
from ...lib.math import math
from ...lib.math.random import random_uniform
from ...lib.nn.nn import bias_add
from ...lib.variables.initializers import Constant, RandomUniform
from ...lib.variables.variable_scope import get_variable, get_variable_scope, variable_scope
from ..rnn.cell import LSTMStateTuple, RNNCell, StateOfLSTM
from .linear import Linear


class PhasedLSTMCell(StateOfLSTM, RNNCell):
    """An LSTM for events at any time: its inputs are (times [n, 1], inputs [n, d]), and each unit is open for a part of a period
    of its own. While a unit is closed, it keeps its state, but for a leak.

    ratio_on: the part of a period in which a unit is open; trainable_ratio_on: whether it is trained. period_init_min,
    period_init_max: the range of the first periods, uniform in their logarithm.

    Source: Neil et al., "Phased LSTM" (2016).
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        leak: float = 0.001,
        ratio_on: float = 0.1,
        trainable_ratio_on: bool = True,
        period_init_min: float = 1.0,
        period_init_max: float = 1000.0,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._leak = leak
        self._ratio_on = ratio_on
        self._trainable_ratio_on = trainable_ratio_on
        self._period_range = period_init_min, period_init_max
        self._linears: dict[str, Linear] = {}

    def _linear(self, scope: str, inputs: list[Any], size: int, function: Callable[[Any], Any]) -> Any:
        layer = self._linears.get(scope) or Linear(inputs, size)
        self._linears[scope] = layer
        return function(layer(inputs))

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:  # type: ignore[override]
        """Computes one step: (times [n, 1], inputs [n, d]) -> (h, the new state)."""
        c_before, h_before = state
        times, x = inputs
        units, dtype = self._num_units, x.dtype
        seen = [x, h_before, *([c_before] if self._use_peepholes else [])]
        with variable_scope("mask_gates"):
            i, f = slicing.split(self._linear("mask_gates", seen, 2 * units, math.sigmoid), 2, 1)
        with variable_scope("new_input"):
            candidate = self._linear("new_input", [x, h_before], units, math.tanh)
        c = c_before * f + i * candidate
        seen = [x, h_before, *([c] if self._use_peepholes else [])]
        with variable_scope("output_gate"):
            o = self._linear("output_gate", seen, units, math.sigmoid)
        h = math.tanh(c) * o
        openness = self._openness(times, dtype)
        c = openness * c + (1 - openness) * c_before
        h = openness * h + (1 - openness) * h_before
        return h, LSTMStateTuple(c, h)

    def _openness(self, times: Any, dtype: Any) -> Any:
        """How far each unit is open, from 0 to 1 but for the leak: [n, units]."""
        units, (low, high) = self._num_units, self._period_range

        def periods(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Tensor:
            return math.exp(random_uniform(shape, math.log(low), math.log(high), dtype=dtype))

        period = get_variable("period", [units], initializer=periods, dtype=dtype)
        phase = get_variable("phase", [units], initializer=RandomUniform(0.0, period.initial_value), dtype=dtype)
        ratio_on = get_variable(
            "ratio_on", [units], initializer=Constant(self._ratio_on), trainable=self._trainable_ratio_on, dtype=dtype
        )
        shifted = times - phase
        # The remainder's gradient is 1, as if no period had passed.
        cycle = (array.stop_gradient(math.floormod(shifted, period) - shifted) + shifted) / period
        rising = 2 * cycle / ratio_on
        falling = 2 - rising
        closed = self._leak * cycle
        openness = selection.where(cycle < ratio_on, falling, closed)
        return selection.where(cycle < 0.5 * ratio_on, rising, openness)


class GLSTMCell(StateOfLSTM, RNNCell):
    """An LSTM in groups: each group of units reads its part of inputs and h, with a smaller kernel.

    num_proj: h is projected to that many units. The numbers of units, of projected units and of inputs are multiples of
    number_of_groups.

    Raises: ValueError for units that do not fit into groups.
    Source: Kuchaiev and Ginsburg, "Factorization Tricks for LSTM Networks" (2017).
    """

    def __init__(
        self,
        num_units: int,
        initializer: Any = None,
        num_proj: int | None = None,
        number_of_groups: int = 1,
        forget_bias: float = 1.0,
        activation: Callable[[Any], Any] = math.tanh,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        for name, size in (("num_units", num_units), ("num_proj", num_proj)):
            if size is not None and (number_of_groups < 1 or size % number_of_groups):
                raise ValueError(error_text(f"{name} must be divisible by number_of_groups"))
        self._num_units = num_units
        self._initializer = initializer
        self._num_proj = num_proj
        self._groups = number_of_groups
        self._forget_bias = forget_bias
        self._activation = activation
        self._kernels: list[Any] = [None] * number_of_groups
        self._biases: list[Any] = []
        self._projection: Any = None

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, LSTMStateTuple]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (h, the new state)."""
        c, h = state
        depth, dtype = inputs.shape.with_rank(2)[1].value, inputs.dtype
        if depth is None:
            raise ValueError(error_text("input size must be statically known", [inputs]))
        if depth % self._groups:
            text = f"input size ({depth}) must be divisible by number_of_groups ({self._groups})"
            raise ValueError(error_text(text, [inputs]))
        count = array.size_along(inputs, 0)
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            gates = [self._group(number, inputs, h, count) for number in range(self._groups)]
            if not self._biases:
                self._biases = [
                    get_variable(f"bias_{gate}", shape=[self._num_units], dtype=dtype, initializer=Constant(0.0, dtype=dtype))
                    for gate in "ijfo"
                ]
            i, j, f, o = (
                bias_add(array.concat(list(parts), 1), bias) for parts, bias in zip(zip(*gates), self._biases)
            )
        c = math.sigmoid(f + self._forget_bias) * c + math.sigmoid(i) * self._activation(j)
        h = math.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with variable_scope("projection"):
                self._projection = self._projection or Linear([h], self._num_proj, has_bias=False)
                h = self._projection([h])
        return h, LSTMStateTuple(c, h)

    def _group(self, number: int, inputs: Any, h: Any, count: Any) -> list[Any]:
        """The four gates of a group, [n, units of the group] each."""
        with variable_scope(f"group{number}"):
            parts = []
            for value, size in ((inputs, inputs.shape[1].value), (h, self.output_size)):
                width = size // self._groups
                name = f"GLSTM_group{number}_input_generation"
                parts.append(slicing.slice(value, [0, number * width], [count, width], name=name))
            joined = array.concat(parts, 1)
            self._kernels[number] = self._kernels[number] or Linear(
                [joined], 4 * self._num_units // self._groups, has_bias=False
            )
            return slicing.split(self._kernels[number]([joined]), 4, 1)  # type: ignore[return-value]


__all__ = ["GLSTMCell", "PhasedLSTMCell"]
