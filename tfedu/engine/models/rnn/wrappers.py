"""Cells made of cells: `MultiRNNCell`, and the wrappers `DropoutWrapper`, `ResidualWrapper` and `DeviceWrapper`.

A wrapper opens no scope of its own: the variables of the wrapped cell have the names that they have without it. State: the
wrapped cells; the noise of a variational dropout.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from ...base import log
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...lib.arrays import array, slicing
from ...lib.control.tensor_array import TensorArray
from ...lib.control.while_loop import assert_alike
from ...lib.framework import nest
from ...lib.framework.nest_paths import get_traverse_shallow_structure, map_structure_up_to
from ...lib.framework.scope_blocks import device, name_scope
from ...lib.framework.static_value import constant_value
from ...lib.math import math, random
from ...lib.nn.nn import dropout
from ...lib.variables.variable_scope import variable_scope
from ..layers.layer import Layer
from . import steps
from .cell import LSTMStateTuple, RNNCell
from .deprecations import deprecated


class MultiRNNCell(RNNCell):
    """Cells in a row, each reading the output [n, u] of the one before; the state is the tuple of their states.

    state_is_tuple: False joins the states along their last axis.

    Raises: ValueError for no cells, or for states that are tuples and cannot be joined; TypeError for something that is no
    list.
    """

    @deprecated("MultiRNNCell.__init__", "tf.keras.layers.StackedRNNCells")
    def __init__(self, cells: Any, state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError(error_text("Must specify at least one cell for MultiRNNCell."))
        if not nest.is_nested(cells):
            raise TypeError(error_text(f"cells must be a list or tuple, but saw: {cells}.", fix="[cell]"))
        if len({id(cell) for cell in cells}) < len(cells):
            log.log_first_n(
                log.WARN, "At least two cells provided to MultiRNNCell are the same object and will share weights.", 1
            )
        self._cells = cells
        for number, cell in enumerate(cells):
            if isinstance(cell, Layer):
                self._dependencies[f"cell-{number}"] = cell
        self._state_is_tuple = state_is_tuple
        if not state_is_tuple and any(nest.is_nested(cell.state_size) for cell in cells):
            raise ValueError(
                error_text(
                    "Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes are: "
                    f"{[cell.state_size for cell in cells]}"
                )
            )

    @property
    def state_size(self) -> Any:
        """The cells' sizes in a tuple, or their sum."""
        sizes = [cell.state_size for cell in self._cells]
        return tuple(sizes) if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """The last cell's size."""
        return self._cells[-1].output_size

    def _zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with self._zero_state_scope(batch_size):
            if not self._state_is_tuple:
                return super()._zero_state(batch_size, dtype)
            return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)

    @property
    def trainable_weights(self) -> list[Any]:
        """The cells' weights that an optimizer should change."""
        if not self.trainable:
            return []
        return [weight for cell in self._cells_with_weights() for weight in cell.trainable_weights]

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The cells' other weights."""
        others = [weight for cell in self._cells_with_weights() for weight in cell.non_trainable_weights]
        if self.trainable:
            return others
        return [weight for cell in self._cells_with_weights() for weight in cell.trainable_weights] + others

    def _cells_with_weights(self) -> list[Any]:
        return [cell for cell in self._cells if isinstance(cell, Layer)]

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:  # type: ignore[override]
        """(the last cell's output, the states) after inputs [n, d]."""
        if self._state_is_tuple and not nest.is_nested(state):
            raise ValueError(
                error_text(f"Expected state to be a tuple of length {len(self._cells)}, but received: {state}")
            )
        states, begin = [], 0
        for number, cell in enumerate(self._cells):
            with variable_scope(f"cell_{number}"):
                if self._state_is_tuple:
                    before = state[number]
                else:
                    before = slicing.slice(state, [0, begin], [-1, cell.state_size])
                    begin += cell.state_size
                inputs, after = cell(inputs, before)
                states.append(after)
        return inputs, tuple(states) if self._state_is_tuple else array.concat(states, 1)


class CellWrapper(RNNCell):
    """A cell around another one, whose sizes, variables and zero state it has."""

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        steps.assert_like_rnncell("cell", cell)
        self.cell = cell
        if isinstance(cell, Layer):
            self._dependencies["cell"] = cell

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:  # type: ignore[override]
        """(output, the next state) of the wrapped cell, changed. scope: of the wrapped cell."""
        return atomic(self._call_wrapped)(inputs, state, scope)

    def _call_wrapped(self, inputs: Any, state: Any, scope: Any) -> tuple[Any, Any]:
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """The wrapped cell's."""
        return self.cell.state_size

    @property
    def output_size(self) -> Any:
        """The wrapped cell's."""
        return self.cell.output_size

    def build(self, inputs_shape: Any) -> None:
        """Builds the wrapped cell."""
        self.cell.build(inputs_shape)
        self.built = True

    def _zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with self._zero_state_scope(batch_size):
            return self.cell.zero_state(batch_size, dtype)

    def get_config(self) -> dict[str, Any]:
        """The wrapped cell's class and configuration, beside this cell's."""
        own = {"cell": {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}}
        return {**super().get_config(), **own}


def _is_dropped(substate: Any) -> Any:
    """Which parts of a state a dropout changes: all but an LSTM's c and TensorArrays."""
    if isinstance(substate, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(substate, TensorArray)


class DropoutWrapper(CellWrapper):
    """A cell whose inputs, outputs and states keep each element with a probability, and are scaled up for it.

    input_keep_prob, output_keep_prob, state_keep_prob: numbers in [0, 1], or scalar tensors. variational_recurrent: the same
    elements are dropped at all steps of a run; this needs `dtype`, and `input_size` if inputs are dropped.
    dropout_state_filter_visitor: tells which parts of a state are dropped (by default all but an LSTM's c).

    Raises: ValueError for a probability outside [0, 1] or a missing dtype or input_size; TypeError for something that is no
    cell or no function.
    Source: Gal and Ghahramani, "A Theoretically Grounded Application of Dropout in Recurrent Neural Networks" (2016).
    """

    @atomic
    def __init__(
        self,
        cell: Any,
        input_keep_prob: Any = 1.0,
        output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False,
        input_size: Any = None,
        dtype: Any = None,
        seed: int | None = None,
        dropout_state_filter_visitor: Callable[[Any], Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError(error_text("dropout_state_filter_visitor must be callable"))
        self._state_filter = dropout_state_filter_visitor or _is_dropped
        with name_scope("DropoutWrapperInit"):
            self._input_keep_prob = _probability("input_keep_prob", input_keep_prob)
            self._state_keep_prob = _probability("state_keep_prob", state_keep_prob)
            self._output_keep_prob = _probability("output_keep_prob", output_keep_prob)
        self._variational_recurrent = variational_recurrent
        self._seed = seed
        self._noise: dict[str, Any] = {"input": None, "state": None, "output": None}
        if not variational_recurrent:
            return
        if dtype is None:
            raise ValueError(error_text("When variational_recurrent=True, dtype must be provided"))
        if _is_below_one(self._input_keep_prob):
            if input_size is None:
                raise ValueError(
                    error_text(
                        "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size must be provided"
                    )
                )
            self._noise["input"] = self._drawn("input", input_size, dtype)
        self._noise["state"] = self._drawn("state", cell.state_size, dtype)
        self._noise["output"] = self._drawn("output", cell.output_size, dtype)

    @property
    def wrapped_cell(self) -> Any:
        """The wrapped cell."""
        return self.cell

    def _drawn(self, what: str, size: Any, dtype: Any) -> Any:
        """Uniform noise [1, size] for each part."""
        parts = [
            random.random_uniform(
                array.concat(([1], TensorShape(part).as_list()), 0), seed=self._part_seed(what, number), dtype=as_dtype(dtype)
            )
            for number, part in enumerate(nest.flatten(size))
        ]
        return nest.pack_sequence_as(size, parts)

    def _part_seed(self, what: str, number: int) -> int | None:
        """A seed for each part, which differs between inputs, states and outputs."""
        if self._seed is None:
            return None
        digest = hashlib.md5(f"{self._seed}{what}_{number}".encode(), usedforsecurity=False).hexdigest()
        return int(digest[:8], 16) & 0x7FFFFFFF

    def _dropped(self, values: Any, what: str, keep_prob: Any, chosen: Any = None) -> Any:
        """The values with a dropout on each part. chosen: of which parts, as a structure of bools; None: of all."""
        counter = iter(range(len(nest.flatten(values))))
        noise = self._noise[what]

        def drop(does: Any, value: Any, *drawn: Any) -> Any:
            number = next(counter)
            if isinstance(does, bool) and not does:
                return value
            if not self._variational_recurrent:
                return dropout(value, seed=self._part_seed(what, number), rate=1.0 - keep_prob)
            is_kept = math.floor(keep_prob + drawn[0])
            kept = math.div(value, keep_prob) * is_kept
            kept.set_shape(value.shape)
            return kept

        structures = (values,) if noise is None else (values, noise)
        if chosen is None:
            return nest.map_structure(lambda value, *drawn: drop(None, value, *drawn), *structures)
        return map_structure_up_to(chosen, drop, chosen, *structures)

    def _call_wrapped(self, inputs: Any, state: Any, scope: Any) -> tuple[Any, Any]:
        if _is_below_one(self._input_keep_prob):
            inputs = self._dropped(inputs, "input", self._input_keep_prob)
        output, state = self.cell(inputs, state, scope=scope)
        if _is_below_one(self._state_keep_prob):
            chosen = get_traverse_shallow_structure(self._state_filter, state)
            state = self._dropped(state, "state", self._state_keep_prob, chosen)
        if _is_below_one(self._output_keep_prob):
            output = self._dropped(output, "output", self._output_keep_prob)
        return output, state

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal cell."""
        own = {
            "input_keep_prob": self._input_keep_prob,
            "output_keep_prob": self._output_keep_prob,
            "state_keep_prob": self._state_keep_prob,
            "variational_recurrent": self._variational_recurrent,
            "seed": self._seed,
        }
        return {**super().get_config(), **own}


def _probability(name: str, value: Any) -> Any:
    """A probability as a float where it is known, else as a tensor.

    Raises: ValueError for a number outside [0, 1].
    """
    if value is None:
        return None
    tensor = convert_to_tensor(value)
    known = constant_value(tensor)
    if known is None:
        return tensor
    if not 0 <= known <= 1:
        raise ValueError(error_text(f"Parameter {name} must be between 0 and 1: {int(known)}"))
    return float(known)


def _is_below_one(keep_prob: Any) -> bool:
    return not isinstance(keep_prob, float) or keep_prob < 1


class ResidualWrapper(CellWrapper):
    """A cell whose inputs are added to its outputs.

    residual_fn: a function (inputs, outputs) → outputs instead of the sum.

    Raises: TypeError or ValueError when inputs and outputs differ in structure or shape.
    Source: Wu et al., "Google's Neural Machine Translation System" (2016).
    """

    def __init__(self, cell: Any, residual_fn: Callable[[Any, Any], Any] | None = None, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def _call_wrapped(self, inputs: Any, state: Any, scope: Any) -> tuple[Any, Any]:
        outputs, state = self.cell(inputs, state, scope=scope)
        return (self._residual_fn or _sums)(inputs, outputs), state


def _sums(inputs: Any, outputs: Any) -> Any:
    assert_alike(inputs, outputs, fix="a residual needs inputs and outputs of one structure")
    for value, output in zip(nest.flatten(inputs), nest.flatten(outputs)):
        try:
            value.shape.assert_is_compatible_with(output.shape)
        except ValueError as error:
            text = str(error)
            raise ValueError(error_text(text, [value, output], "a residual needs num_units equal to the inputs' depth")) from None
    return nest.map_structure(lambda value, output: value + output, inputs, outputs)


class DeviceWrapper(CellWrapper):
    """A cell whose nodes are on a device: "/gpu:0", or a function from an operation to a device."""

    def __init__(self, cell: Any, device: Any, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._device = device

    def _zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with self._zero_state_scope(batch_size), device(self._device):
            return self.cell.zero_state(batch_size, dtype)

    def _call_wrapped(self, inputs: Any, state: Any, scope: Any) -> tuple[Any, Any]:
        with device(self._device):
            return self.cell(inputs, state, scope=scope)


__all__ = ["DeviceWrapper", "DropoutWrapper", "MultiRNNCell", "ResidualWrapper"]
