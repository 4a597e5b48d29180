"""LSTM cells that go through the frequencies of a step, too: `TimeFreqLSTMCell`, `GridLSTMCell`, `BidirectionalGridLSTMCell`.

An input [n, d] is cut to features [n, feature_size], frequency_skip apart, which are read one after the other with the same
weights. A unit has a state for each of them. State: the cells' weights.
Source: Sainath and Li, "Modeling Time-Frequency Patterns with LSTM vs. Convolutional Architectures" (2016); Kalchbrenner et al.,
"Grid Long Short-Term Memory" (2015).
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...lib.arrays import array, slicing
from ...lib.math import math
from ...lib.math.clip import clip_by_value
from ...lib.math.products import matmul
from ...lib.nn.nn import bias_add
from ...lib.variables.initializers import Zeros
from ...lib.variables.variable_scope import get_variable, variable_scope
from ...op.constant import constant
from ..rnn.cell import RNNCell, warn_of_concatenated_state
from .linear import sharded_variable


def _known_width(inputs: Any) -> int:
    """The d of inputs [n, d]. Raises: ValueError when it is not known."""
    width = inputs.shape.with_rank(2)[1].value
    if width is None:
        raise ValueError(error_text("Cannot infer input_size from static shape inference.", [inputs]))
    return width  # type: ignore[no-any-return]


def _check_features(feature_size: int | None, frequency_skip: int | None) -> None:
    for name, size in (("feature_size", feature_size), ("frequency_skip", frequency_skip)):
        if size is None:
            raise ValueError(error_text(f"Must specify {name}"))


class TimeFreqLSTMCell(RNNCell):
    """An LSTM over the features of a step, each of which reads the output of the one before. The state [n, 2 · units · features]
    has c and h of each feature.

    feature_size, frequency_skip: the width and the distance of features. num_unit_shards: into how many parts the kernel is
    divided. use_peepholes, cell_clip, forget_bias: as for `LSTMCell`. initializer: has no effect, as in TF.

    Differs from TF: the batch may be unknown. `state_size` is 2 · units as there, which is enough for one feature alone.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int = 1,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size = feature_size
        self._frequency_skip = frequency_skip

    @property
    def state_size(self) -> int:
        """The number of elements of one feature's state: 2 · `num_units`."""
        return 2 * self._num_units

    @property
    def output_size(self) -> int:
        """The number of elements of one feature's output: `num_units`."""
        return self._num_units

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the outputs of all features, the state)."""
        units, dtype = self._num_units, inputs.dtype
        features = self._features(inputs)
        depth = features[0].shape[1].value + 2 * units
        kernel = sharded_variable("W", [depth, 4 * units], dtype, self._num_unit_shards)
        bias = get_variable("B", shape=[4 * units], initializer=Zeros(), dtype=dtype)
        peepholes = None
        if self._use_peepholes:
            peepholes = [get_variable(f"W_{gate}_diag", shape=[units], dtype=dtype) for gate in "FIO"]
        h_below = array.zeros([array.size_along(inputs, 0), units], dtype)
        states = outputs = None
        for number, feature in enumerate(features):
            c = slicing.slice(state, [0, 2 * number * units], [-1, units])
            h = slicing.slice(state, [0, (2 * number + 1) * units], [-1, units])
            gates = bias_add(matmul(array.concat([feature, h, h_below], 1), kernel), bias)
            c, h_below = self._step(slicing.split(gates, 4, 1), c, peepholes)
            states = array.concat([c, h_below] if states is None else [states, c, h_below], 1)
            outputs = h_below if outputs is None else array.concat([outputs, h_below], 1)
        return outputs, states  # type: ignore[return-value]

    def _step(self, gates: Any, c: Any, peepholes: Any) -> tuple[Any, Any]:
        """(c, h) of a feature after its gates i, j, f, o, [n, units] each."""
        sigmoid, tanh = math.sigmoid, math.tanh
        i, j, f, o = gates
        if peepholes:
            f_peephole, i_peephole, o_peephole = peepholes
            kept = sigmoid(f + self._forget_bias + f_peephole * c) * c
            c = kept + sigmoid(i + i_peephole * c) * tanh(j)
        else:
            c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * tanh(j)
        if self._cell_clip is not None:
            c = clip_by_value(c, -self._cell_clip, self._cell_clip)
        if peepholes:
            o = o + o_peephole * c
        return c, sigmoid(o) * tanh(c)

    def _features(self, inputs: Any) -> list[Any]:
        _check_features(self._feature_size, self._frequency_skip)
        width, size, skip = _known_width(inputs), self._feature_size, self._frequency_skip
        count = int((width - size) / skip) + 1  # type: ignore[operator]
        return [slicing.slice(inputs, [0, number * skip], [-1, size]) for number in range(count)]


class GridLSTMCell(RNNCell):
    """Two LSTMs at once, over time and over the features of a step; each reads the states of both. The output has h of both.

    feature_size, frequency_skip: the width and the distance of features. num_frequency_blocks: the number of features in each
    block; a block has weights of its own, and covers inputs from start_freqindex_list[block] to end_freqindex_list[block].
    share_time_frequency_weights: one kernel for both. couple_input_forget_gates: f is 1 - i. state_is_tuple: False joins the
    states. initializer: has no effect, as in TF; the other arguments are those of `LSTMCell`.

    Raises: ValueError without num_frequency_blocks.
    Differs from TF: feature_size and frequency_skip that are missing are named.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int | None = None,
        num_frequency_blocks: list[int] | None = None,
        start_freqindex_list: list[int] | None = None,
        end_freqindex_list: list[int] | None = None,
        couple_input_forget_gates: bool = False,
        state_is_tuple: bool = True,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            warn_of_concatenated_state(self)
        if num_frequency_blocks is None:
            raise ValueError(error_text("Must specify num_frequency_blocks"))
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._shares_weights = share_time_frequency_weights
        self._cell_clip = cell_clip
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size = feature_size
        self._frequency_skip = frequency_skip
        self._num_frequency_blocks = num_frequency_blocks
        self._starts, self._ends = start_freqindex_list, end_freqindex_list
        self._is_coupled = couple_input_forget_gates
        self._state_tuple_type = self._tuple_type("GridLSTMStateTuple", ["state"]) if state_is_tuple else None

    def _tuple_type(self, name: str, prefixes: list[str]) -> Any:
        """A named tuple with c and m of each feature of each block."""
        fields = [
            _field(prefix, number, block, part)
            for prefix in prefixes
            for block, count in enumerate(self._num_frequency_blocks)
            for number in range(count)
            for part in "cm"
        ]
        return namedtuple(name, fields)  # type: ignore[misc]

    @property
    def _state_elements(self) -> int:
        """How many elements the states of all features have together."""
        return 2 * self._num_units * sum(self._num_frequency_blocks)

    @property
    def state_size(self) -> Any:
        """The sizes of all states in a `state_tuple_type`, or their sum."""
        kind = self._state_tuple_type
        return self._state_elements if kind is None else kind(*[self._num_units] * len(kind._fields))

    @property
    def output_size(self) -> int:
        """The number of elements of the output: h of time and of frequency for each feature."""
        return self._state_elements

    @property
    def state_tuple_type(self) -> Any:
        """The class of the state, None where the states are joined."""
        return self._state_tuple_type

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the output, the state)."""
        count = array.size_along(inputs, 0)
        outputs, states = self._blocks(self._features(inputs), state, count, "state")
        kind = self._state_tuple_type
        new = array.concat(states, 1) if kind is None else kind(*states)
        return array.concat(outputs, 1), new

    def _blocks(self, blocks: list[list[Any]], state: Any, count: Any, prefix: str) -> tuple[list[Any], list[Any]]:
        """(all outputs, all states) after the features of all blocks."""
        outputs: list[Any] = []
        states: list[Any] = []
        for block, features in enumerate(blocks):
            some_outputs, some_states = self._block(features, block, state, count, prefix)
            outputs += some_outputs
            states += some_states
        return outputs, states

    def _features(self, inputs: Any, offset: int = 0) -> list[list[Any]]:
        """The features of each block. offset: all are so much farther; zeros come after the end."""
        _check_features(self._feature_size, self._frequency_skip)
        width, size, skip = _known_width(inputs), self._feature_size, self._frequency_skip
        if offset > 0:
            inputs = array.pad(inputs, constant([[0, 0], [0, offset]], dtypes.int32))
        starts, ends, wanted = self._starts or [0], self._ends or [width], self._num_frequency_blocks
        if len(starts) != len(ends):
            text = ("Length of start and end freqindex_list does not match %d %d", len(starts), len(ends))
            raise ValueError(error_text(str(text)))
        if len(wanted) != len(starts):
            text = ("Length of num_frequency_blocks is not equal to start_freqindex_list %d %d", len(wanted), len(starts))
            raise ValueError(error_text(str(text)))
        blocks = []
        for start, end, expected in zip(starts, ends, wanted):
            count = int((end - start - size) / skip) + 1  # type: ignore[operator]
            if count != expected:
                raise ValueError(
                    error_text(
                        f"Invalid num_frequency_blocks, requires {expected} but gets {count}, please check the input size and "
                        "filter config are correct.",
                        [inputs],
                    )
                )
            places = [start + offset + number * skip for number in range(count)]  # type: ignore[operator]
            blocks.append([slicing.slice(inputs, [0, place], [-1, size]) for place in places])
        return blocks

    def _block(self, features: list[Any], block: int, state: Any, count: Any, prefix: str) -> tuple[list[Any], list[Any]]:
        """(h of time and frequency, c and h of time) for each feature of a block."""
        units, dtype = self._num_units, features[0].dtype
        gate_count = 3 if self._is_coupled else 4
        depth = features[0].shape[1].value + 2 * units
        weights = []
        for side in "f" if self._shares_weights else "ft":
            kernel = sharded_variable(f"W_{side}_{block}", [depth, gate_count * units], dtype, self._num_unit_shards)
            bias = get_variable(f"B_{side}_{block}", shape=[gate_count * units], initializer=Zeros(), dtype=dtype)
            weights.append((kernel, bias))
        peepholes = self._peepholes(block, dtype)
        h_below = array.zeros([count, units], dtype)
        c_below = array.zeros([count, units], dtype)
        outputs, states = [], []
        for number, feature in enumerate(features):
            c_time, h_time = self._state_of(state, number, block, prefix)
            joined = array.concat([feature, h_time, h_below], 1)
            gates = [slicing.split(bias_add(matmul(joined, kernel), bias), gate_count, 1) for kernel, bias in weights]
            sides = list(zip((gates[0], gates[-1]), (peepholes[0], peepholes[-1])))
            c_below, c_time = (
                self._new_c(*side, own, c_below, c_time) for side, own in zip(sides, (c_below, c_time))
            )
            h_below, h_time = (
                math.sigmoid(_peeped(gate[-1], diagonals, "O", c_below, c_time)) * math.tanh(own)
                for (gate, diagonals), own in zip(sides, (c_below, c_time))
            )
            outputs += [h_time, h_below]
            states += [c_time, h_time]
        return outputs, states

    def _peepholes(self, block: int, dtype: Any) -> list[dict[str, Any]]:
        """For frequency and time (both the same where they share weights) the peepholes of each gate: from c of frequency and
        from c of time, [units] each.
        """
        if not self._use_peepholes:
            return [{}]
        return [
            {
                gate: [
                    get_variable(f"W_{gate}_diag_{side}{source}_{block}", shape=[self._num_units], dtype=dtype)
                    for source in "ft"
                ]
                for gate in ("IO" if self._is_coupled else "FIO")
            }
            for side in (["freq"] if self._shares_weights else ["freq", "time"])
        ]

    def _state_of(self, state: Any, number: int, block: int, prefix: str) -> list[Any]:
        """c and h of a feature in time. As in TF, each block reads joined states from their beginning."""
        if self._state_tuple_type is not None:
            return [getattr(state, _field(prefix, number, block, part)) for part in "cm"]
        units = self._num_units
        return [slicing.slice(state, [0, place * units], [-1, units]) for place in (2 * number, 2 * number + 1)]

    def _new_c(self, gates: Any, peepholes: dict[str, Any], own: Any, c_below: Any, c_time: Any) -> Any:
        """The next c of frequency or time, own, [n, units]."""
        i = math.sigmoid(_peeped(gates[0], peepholes, "I", c_below, c_time))
        if self._is_coupled:
            f = 1.0 - i
        else:
            f = math.sigmoid(_peeped(gates[2] + self._forget_bias, peepholes, "F", c_below, c_time))
        c = f * own + i * math.tanh(gates[1])
        return c if self._cell_clip is None else clip_by_value(c, -self._cell_clip, self._cell_clip)


def _field(prefix: str, number: int, block: int, part: str) -> str:
    return f"{prefix}_f{number:02d}_b{block:02d}_{part}"


def _peeped(gate: Any, peepholes: dict[str, Any], name: str, c_below: Any, c_time: Any) -> Any:
    """The gate [n, units] with what it sees of both c, if there are peepholes."""
    if not peepholes:
        return gate
    from_frequency, from_time = peepholes[name]
    return gate + from_frequency * c_below + from_time * c_time


class BidirectionalGridLSTMCell(GridLSTMCell):
    """Two GridLSTMCells: one goes through the features forwards, one backwards. backward_slice_offset: how much farther the
    features of the second are. The other arguments are those of `GridLSTMCell`.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int | None = None,
        num_frequency_blocks: list[int] | None = None,
        start_freqindex_list: list[int] | None = None,
        end_freqindex_list: list[int] | None = None,
        couple_input_forget_gates: bool = False,
        backward_slice_offset: int = 0,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(
            num_units, use_peepholes, share_time_frequency_weights, cell_clip, initializer, num_unit_shards, forget_bias,
            feature_size, frequency_skip, num_frequency_blocks, start_freqindex_list, end_freqindex_list,
            couple_input_forget_gates, True, reuse,
        )  # fmt: skip
        self._offset = int(backward_slice_offset)
        self._state_tuple_type = self._tuple_type("BidirectionalGridLSTMStateTuple", ["fwd_state", "bwd_state"])

    @property
    def _state_elements(self) -> int:
        return 2 * super()._state_elements

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:  # type: ignore[override]
        """Computes one step: inputs [n, d] -> (the output, the state)."""
        count = array.size_along(inputs, 0)
        forwards = self._features(inputs)
        backwards = self._features(inputs, self._offset) if self._offset else forwards
        with variable_scope("fwd"):
            outputs, states = self._blocks(forwards, state, count, "fwd_state")
        with variable_scope("bwd"):
            more_outputs, more_states = self._blocks([block[::-1] for block in backwards], state, count, "bwd_state")
        return array.concat(outputs + more_outputs, 1), self._state_tuple_type(*states, *more_states)


__all__ = ["BidirectionalGridLSTMCell", "GridLSTMCell", "TimeFreqLSTMCell"]
