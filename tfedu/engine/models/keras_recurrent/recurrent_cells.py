"""The cells of tf.keras' recurrent layers: SimpleRNNCell, GRUCell, LSTMCell, StackedRNNCells.

A cell is a layer of one step: `output, states = cell(input, states)`. State: a cell's weights, and in one call its dropout masks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.arrays import array
from ...lib.arrays.slicing import split, unstack
from ...lib.framework import nest
from ...lib.math.products import matmul
from ...lib.nn import nn
from ...lib.variables.initializers import Ones
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.call_context import choose_by_training
from ..keras_layers.identifiers import activation_named, config_of, initializer_named
from ..keras_layers.known_layers import deserialize
from ..keras_layers.penalties import constraint_named, regularizer_named


def dot(x: Any, y: Any) -> Any:
    """x [n, ..., k] · y [k, m] -> [n, ..., m]."""
    if len(x.shape) <= 2:
        return matmul(x, y)
    sizes, known = array.shape(x), x.shape.as_list()
    rest = [size if size is not None else sizes[i] for i, size in enumerate(known[:-1])]
    rows = array.reshape(x, [-1, known[-1]])
    return array.reshape(matmul(rows, y), [*rest, y.shape.as_list()[-1]])


class RecurrentCell(KerasLayer):
    """What the cells share. units: the size of state and output. gates: how many parts of that size the weights have.

    kernel [k, gates · units], recurrent_kernel [units, gates · units], bias [gates · units]; dropout: the part of the inputs,
    recurrent_dropout: of the states, that is 0 in training, the same for all steps.
    """

    gates = 1
    size_name = "units"
    options: ClassVar[tuple[str, ...]] = ()

    def _begin(self, size: int, given: dict[str, Any]) -> None:
        setattr(self, self.size_name, size)
        self.activation = activation_named(given["activation"])
        self.use_bias = given["use_bias"]
        for part in ("kernel", "recurrent", "bias"):
            setattr(self, f"{part}_initializer", initializer_named(given[f"{part}_initializer"]))
            setattr(self, f"{part}_regularizer", regularizer_named(given[f"{part}_regularizer"]))
            setattr(self, f"{part}_constraint", constraint_named(given[f"{part}_constraint"]))
        self.dropout = min(1.0, max(0.0, given["dropout"]))
        self.recurrent_dropout = min(1.0, max(0.0, given["recurrent_dropout"]))
        for name in self.options:
            value = given[name]
            setattr(self, name, activation_named(value) if name == "recurrent_activation" else value)
        self._masks: dict[str, Any] = {}
        self._own = self._own | {"_masks"}

    @property
    def state_size(self) -> Any:
        """The size of the state, or of each state."""
        return self.units

    @property
    def output_size(self) -> int:
        """The size of the output."""
        return self.units

    def _weight(self, part: str, shape: Any, initializer: Any = None) -> Any:
        name = {"kernel": "kernel", "recurrent": "recurrent_kernel", "bias": "bias"}[part]
        return self.add_weight(
            name, shape, initializer=initializer or getattr(self, f"{part}_initializer"),
            regularizer=getattr(self, f"{part}_regularizer"), constraint=getattr(self, f"{part}_constraint"),
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Creates kernel, recurrent_kernel and bias."""
        size = as_shape(input_shape).as_list()[-1]
        self.kernel = self._weight("kernel", (size, self.units * self.gates))
        self.recurrent_kernel = self._weight("recurrent", (self.units, self.units * self.gates))
        self.bias = self._weight("bias", self._bias_shape(), self._bias_initializer()) if self.use_bias else None
        self.built = True

    def _bias_shape(self) -> Any:
        return (self.units * self.gates,)

    def _bias_initializer(self) -> Any:
        return None

    def forget_masks(self) -> None:
        """Lets the next call draw new dropout masks."""
        self._masks = {}

    def _mask(self, what: str, like: Any, rate: float, training: Any) -> Any:
        """A dropout mask of the shape of `like` for each gate, drawn once for all steps; None without dropout."""
        if not rate:
            return None
        if what not in self._masks:
            ones = array.ones_like(like)

            def drawn() -> Any:
                return nn.dropout(ones, rate=rate)

            masks = [choose_by_training(training, drawn, lambda: ones) for _ in range(self.gates)]
            self._masks[what] = masks
        return self._masks[what]

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros for each state, [n, size]."""
        if inputs is not None:
            batch_size, dtype = array.shape(inputs)[0], inputs.dtype
        return zero_states(self.state_size, batch_size, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal cell."""
        return {**super().get_config(), **cell_config(self)}


def zero_states(sizes: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros [n, size...] for a size, or for each of several."""

    def zeros(size: Any) -> Any:
        return array.zeros([batch_size, *as_shape(size).as_list()], dtype=dtype)

    if isinstance(sizes, (list, tuple)) and not hasattr(sizes, "as_list"):
        return [zero_states(each, batch_size, dtype) for each in sizes]
    return zeros(sizes)


def cell_config(cell: Any) -> dict[str, Any]:
    """What a cell and the layer around it tell of their arguments."""
    told = {cell.size_name: getattr(cell, cell.size_name), "activation": config_of(cell.activation), "use_bias": cell.use_bias}
    for what in ("initializer", "regularizer", "constraint"):
        for part in ("kernel", "recurrent", "bias"):
            told[f"{part}_{what}"] = config_of(getattr(cell, f"{part}_{what}"))
    told.update(dropout=cell.dropout, recurrent_dropout=cell.recurrent_dropout)
    for name in cell.options:
        value = getattr(cell, name)
        told[name] = config_of(value) if name == "recurrent_activation" else value
    return told


class SimpleRNNCell(RecurrentCell):
    """output = activation(inputs · kernel + bias + state · recurrent_kernel): [n, k], [n, units] -> [n, units]."""

    def __init__(
        self, units: int, activation: Any = "tanh", use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        given = {name: value for name, value in locals().items() if name not in ("self", "units", "kwargs", "__class__")}
        super().__init__(**kwargs)
        self._begin(units, given)

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:  # type: ignore[override]
        """[n, k] and [[n, units]] -> ([n, units], [[n, units]])."""
        before = states[0]
        of_inputs = self._mask("inputs", inputs, self.dropout, training)
        of_states = self._mask("states", before, self.recurrent_dropout, training)
        h = dot(inputs if of_inputs is None else inputs * of_inputs[0], self.kernel)
        if self.bias is not None:
            h = nn.bias_add(h, self.bias)
        output = h + dot(before if of_states is None else before * of_states[0], self.recurrent_kernel)
        output = self.activation(output)
        return output, [output]


class GRUCell(RecurrentCell):
    """A gated recurrent unit. Source: Cho et al., 2014; reset_after: as in cuDNN.

    implementation: 1 for a product for each gate, 2 for one product of all.
    """

    gates = 3
    options = ("recurrent_activation", "implementation", "reset_after")

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "hard_sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, implementation: int = 1, reset_after: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        given = {name: value for name, value in locals().items() if name not in ("self", "units", "kwargs", "__class__")}
        super().__init__(**kwargs)
        self._begin(units, given)

    def _bias_shape(self) -> Any:
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:  # type: ignore[override]
        """[n, k] and [[n, units]] -> ([n, units], [[n, units]])."""
        before = states[0]
        of_inputs = self._mask("inputs", inputs, self.dropout, training)
        of_states = self._mask("states", before, self.recurrent_dropout, training)
        input_bias: Any = None
        recurrent_bias: Any = None
        if self.use_bias:
            input_bias, recurrent_bias = unstack(self.bias) if self.reset_after else (self.bias, None)
        gate = self._one_by_one if self.implementation == 1 else self._together
        z, candidate, before = gate(inputs, before, of_inputs, of_states, input_bias, recurrent_bias)
        h = z * before + (1 - z) * candidate
        return h, [h]

    def _one_by_one(self, x: Any, before: Any, of_inputs: Any, of_states: Any, bias: Any, recurrent_bias: Any) -> Any:
        units = self.units
        xs = [x if of_inputs is None else x * mask for mask in of_inputs or (None,) * 3]
        cuts = (slice(None, units), slice(units, units * 2), slice(units * 2, None))
        parts = [dot(each, self.kernel[:, cut]) for each, cut in zip(xs, cuts)]
        if bias is not None:
            parts = [nn.bias_add(part, bias[cut]) for part, cut in zip(parts, cuts)]
        hs = [before if of_states is None else before * mask for mask in of_states or (None,) * 3]
        recurrent_z = dot(hs[0], self.recurrent_kernel[:, cuts[0]])
        recurrent_r = dot(hs[1], self.recurrent_kernel[:, cuts[1]])
        if self.reset_after and recurrent_bias is not None:
            recurrent_z = nn.bias_add(recurrent_z, recurrent_bias[cuts[0]])
            recurrent_r = nn.bias_add(recurrent_r, recurrent_bias[cuts[1]])
        z = self.recurrent_activation(parts[0] + recurrent_z)
        r = self.recurrent_activation(parts[1] + recurrent_r)
        if self.reset_after:
            recurrent_h = dot(hs[2], self.recurrent_kernel[:, cuts[2]])
            if recurrent_bias is not None:
                recurrent_h = nn.bias_add(recurrent_h, recurrent_bias[cuts[2]])
            recurrent_h = r * recurrent_h
        else:
            recurrent_h = dot(r * hs[2], self.recurrent_kernel[:, cuts[2]])
        return z, self.activation(parts[2] + recurrent_h), before

    def _together(self, x: Any, before: Any, of_inputs: Any, of_states: Any, bias: Any, recurrent_bias: Any) -> Any:
        units = self.units
        matrix_x = dot(x if of_inputs is None else x * of_inputs[0], self.kernel)
        if bias is not None:
            matrix_x = nn.bias_add(matrix_x, bias)
        xs = [matrix_x[:, :units], matrix_x[:, units : 2 * units], matrix_x[:, 2 * units :]]
        # TF 1.15 carries the masked state over, where the products of each gate carry the state itself.
        before = before if of_states is None else before * of_states[0]
        if self.reset_after:
            inner = dot(before, self.recurrent_kernel)
            if recurrent_bias is not None:
                inner = nn.bias_add(inner, recurrent_bias)
        else:
            inner = dot(before, self.recurrent_kernel[:, : 2 * units])
        recurrent_z, recurrent_r = inner[:, :units], inner[:, units : 2 * units]
        z = self.recurrent_activation(xs[0] + recurrent_z)
        r = self.recurrent_activation(xs[1] + recurrent_r)
        if self.reset_after:
            recurrent_h = r * inner[:, 2 * units :]
        else:
            recurrent_h = dot(r * before, self.recurrent_kernel[:, 2 * units :])
        return z, self.activation(xs[2] + recurrent_h), before


def forget_bias(initializer: Any, size: int) -> Callable[..., Any]:
    """An initializer of the bias [4 · size] of an LSTM: 1 for the forget gate, the rest by the given one."""

    def begun(_: Any, *args: Any, **kwargs: Any) -> Any:
        parts = [
            initializer((size,), *args, **kwargs), Ones()((size,), *args, **kwargs), initializer((size * 2,), *args, **kwargs),
        ]  # fmt: skip
        return array.concat(parts, 0)

    return begun


class LSTMCell(RecurrentCell):
    """Long short-term memory. Source: Hochreiter and Schmidhuber, 1997.

    unit_forget_bias: the bias of the forget gate begins at 1. implementation: 1 for a product for each gate, 2 for one of all.
    """

    gates = 4
    options = ("recurrent_activation", "unit_forget_bias", "implementation")

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "hard_sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True, kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: float = 0.0, recurrent_dropout: float = 0.0, implementation: int = 1,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        given = {name: value for name, value in locals().items() if name not in ("self", "units", "kwargs", "__class__")}
        super().__init__(**kwargs)
        self._begin(units, given)

    @property
    def state_size(self) -> Any:
        """The sizes of output and memory."""
        return [self.units, self.units]

    def _bias_initializer(self) -> Callable[..., Any] | None:
        if not self.unit_forget_bias:
            return None

        return forget_bias(self.bias_initializer, self.units)

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:  # type: ignore[override]
        """[n, k] and [[n, units], [n, units]] -> ([n, units], [[n, units], [n, units]])."""
        before, memory = states
        of_inputs = self._mask("inputs", inputs, self.dropout, training)
        of_states = self._mask("states", before, self.recurrent_dropout, training)
        gates = self._one_by_one if self.implementation == 1 else self._together
        memory, out = gates(inputs, before, memory, of_inputs, of_states)
        h = out * self.activation(memory)
        return h, [h, memory]

    def _one_by_one(self, x: Any, before: Any, memory: Any, of_inputs: Any, of_states: Any) -> tuple[Any, Any]:
        units = self.units
        xs = [x if of_inputs is None else x * mask for mask in of_inputs or (None,) * 4]
        kernels = split(self.kernel, num_or_size_splits=4, axis=1)
        parts = [dot(each, kernel) for each, kernel in zip(xs, kernels)]
        if self.use_bias:
            biases = split(self.bias, num_or_size_splits=4, axis=0)
            parts = [nn.bias_add(part, bias) for part, bias in zip(parts, biases)]
        hs = [before if of_states is None else before * mask for mask in of_states or (None,) * 4]

        def recurrent(number: int) -> Any:
            end = None if number == 3 else units * (number + 1)
            return dot(hs[number], self.recurrent_kernel[:, units * number or None : end])

        take = self.recurrent_activation(self._seeing("input", parts[0] + recurrent(0), memory))
        keep = self.recurrent_activation(self._seeing("forget", parts[1] + recurrent(1), memory))
        memory = keep * memory + take * self.activation(parts[2] + recurrent(2))
        return memory, self.recurrent_activation(self._seeing("output", parts[3] + recurrent(3), memory))

    def _seeing(self, gate: str, value: Any, memory: Any) -> Any:
        """What a gate is computed by, with what it sees of the memory: nothing."""
        return value

    def _together(self, x: Any, before: Any, memory: Any, of_inputs: Any, of_states: Any) -> tuple[Any, Any]:
        z = dot(x if of_inputs is None else x * of_inputs[0], self.kernel)
        z += dot(before if of_states is None else before * of_states[0], self.recurrent_kernel)
        if self.use_bias:
            z = nn.bias_add(z, self.bias)
        z0, z1, z2, z3 = split(z, num_or_size_splits=4, axis=1)
        take = self.recurrent_activation(self._seeing("input", z0, memory))
        keep = self.recurrent_activation(self._seeing("forget", z1, memory))
        memory = keep * memory + take * self.activation(z2)
        return memory, self.recurrent_activation(self._seeing("output", z3, memory))


class PeepholeLSTMCell(LSTMCell):
    """An LSTM whose gates also see the memory, each by weights [units]. Source: Gers, Schraudolph and Schmidhuber, 2002."""

    def build(self, input_shape: Any) -> None:
        """Creates kernel, recurrent_kernel, bias and the gates' weights."""
        super().build(input_shape)
        self._peepholes = {
            gate: self.add_weight(f"{gate}_gate_peephole_weights", (self.units,), initializer=self.kernel_initializer)
            for gate in ("input", "forget", "output")
        }

    @property
    def input_gate_peephole_weights(self) -> Any:
        """What the input gate sees of the memory by: a variable [units]."""
        return self._peepholes["input"]

    @property
    def forget_gate_peephole_weights(self) -> Any:
        """What the forget gate sees of the memory by: a variable [units]."""
        return self._peepholes["forget"]

    @property
    def output_gate_peephole_weights(self) -> Any:
        """What the output gate sees of the new memory by: a variable [units]."""
        return self._peepholes["output"]

    def _seeing(self, gate: str, value: Any, memory: Any) -> Any:
        return value + self._peepholes[gate] * memory


class AbstractRNNCell(KerasLayer):
    """The base of a program's own cells: it defines `call(inputs, states)`, `state_size` and `output_size`."""

    def call(self, inputs: Any, states: Any) -> Any:  # type: ignore[override]
        """[n, k] and states -> (output, new states).

        Raises: NotImplementedError unless the subclass defines it.
        """
        raise NotImplementedError(error_text("Abstract method"))

    @property
    def state_size(self) -> Any:
        """The size of the state, or of each state. Raises: NotImplementedError unless the subclass defines it."""
        raise NotImplementedError(error_text("Abstract method"))

    @property
    def output_size(self) -> Any:
        """The size of the output. Raises: NotImplementedError unless the subclass defines it."""
        raise NotImplementedError(error_text("Abstract method"))

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros for each state, [n, size]."""
        if inputs is not None:
            batch_size, dtype = array.shape(inputs)[0], inputs.dtype
        return zero_states(self.state_size, batch_size, dtype)


class StackedRNNCells(KerasLayer):
    """Cells one above the other as one cell. Raises: ValueError for what is no cell."""

    def __init__(self, cells: Any, **kwargs: Any) -> None:
        for cell in cells:
            if not hasattr(cell, "call") or not hasattr(cell, "state_size"):
                raise ValueError(error_text(f"All cells must have a `call` method and a `state_size`. Received cells: {cells}"))
        kwargs.pop("reverse_state_order", None)
        super().__init__(**kwargs)
        self.cells = list(cells)

    @property
    def state_size(self) -> Any:
        """Each cell's."""
        return tuple(cell.state_size for cell in self.cells)

    @property
    def output_size(self) -> Any:
        """That of the last cell."""
        return self.cells[-1].output_size

    def forget_masks(self) -> None:
        """Lets the next call draw new dropout masks."""
        for cell in self.cells:
            if hasattr(cell, "forget_masks"):
                cell.forget_masks()

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Each cell's."""
        if inputs is not None:
            batch_size, dtype = array.shape(inputs)[0], inputs.dtype
        return tuple(
            cell.get_initial_state(batch_size=batch_size, dtype=dtype) if hasattr(cell, "get_initial_state")
            else zero_states(cell.state_size, batch_size, dtype)
            for cell in self.cells
        )  # fmt: skip

    def call(self, inputs: Any, states: Any, constants: Any = None, **kwargs: Any) -> Any:  # type: ignore[override]
        """[n, k] and each cell's states -> (the last cell's output, each cell's states)."""
        new_states = []
        nested = nest.pack_sequence_as([_as_list(cell.state_size) for cell in self.cells], nest.flatten(states))
        for cell, own in zip(self.cells, nested):
            inputs, new = cell.call(inputs, own, **_accepted(cell, constants, kwargs))
            new_states.append(new)
        return inputs, nest.pack_sequence_as(states, nest.flatten(new_states))

    def build(self, input_shape: Any) -> None:
        """Builds the cells."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        for cell in self.cells:
            if isinstance(cell, KerasLayer) and not cell.built:
                cell.build(input_shape)
                cell.built = True
            size = getattr(cell, "output_size", None) or _as_list(cell.state_size)[0]
            input_shape = as_shape([as_shape(input_shape).as_list()[0], *as_shape(size).as_list()])
        self.built = True

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal cell."""
        cells = [{"class_name": type(cell).__name__, "config": cell.get_config()} for cell in self.cells]
        return {**super().get_config(), "cells": cells}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """A cell from the result of `get_config`."""
        arguments = dict(config)
        cells = [deserialize(cell, custom_objects) for cell in arguments.pop("cells")]
        return cls(cells, **arguments)


def _as_list(sizes: Any) -> list[Any]:
    return list(sizes) if isinstance(sizes, (list, tuple)) and not hasattr(sizes, "as_list") else [sizes]


def _accepted(cell: Any, constants: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """Those arguments of a call that the cell's `call` takes."""
    names = cell._call_parameters() if hasattr(cell, "_call_parameters") else cell.call.__code__.co_varnames
    found = {name: value for name, value in arguments.items() if name in names}
    if constants is not None and "constants" in names:
        found["constants"] = constants
    return found


__all__ = [
    "AbstractRNNCell", "GRUCell", "LSTMCell", "PeepholeLSTMCell", "RecurrentCell", "SimpleRNNCell", "StackedRNNCells",
    "cell_config", "dot", "forget_bias", "zero_states",
]  # fmt: skip
