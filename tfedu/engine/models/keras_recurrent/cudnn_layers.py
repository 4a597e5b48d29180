"""`CuDNNLSTM` and `CuDNNGRU`: the recurrent layers whose weights lie as cuDNN, NVIDIA's library for GPUs, reads them.

TF 1.15 runs them on a GPU alone. Here they are a loop like `LSTM` and `GRU`, which any computer runs, with the same equations.
cuDNN reads each gate's kernel [k, units] as a matrix [units, k], number after number, and has two biases for each gate.
State: a layer's weights, and the states of a stateful layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.arrays import array
from ...lib.arrays.slicing import split
from ...lib.nn import nn
from ..keras_layers.activation_functions import sigmoid, tanh
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.identifiers import config_of, initializer_named
from ..keras_layers.penalties import constraint_named, regularizer_named
from .recurrent_cells import dot, forget_bias
from .recurrent_layers import RNN

_OPTIONS = ("return_sequences", "return_state", "go_backwards", "stateful")


class _Step:
    """What the loop calls at each step: `call(x, states)`; the layer sets the function before the loop. states: their sizes."""

    def __init__(self, state_size: tuple[int, ...]) -> None:
        self.state_size = state_size
        self.output_size = state_size[0]
        self.call: Any = None


class CuDNNLayer(RNN):
    """What both layers share. kernel [k, gates · units], recurrent_kernel [units, gates · units], bias [2 · gates · units]: the
    gates' biases of the inputs, then those of the states.
    """

    gates = 1
    states_count = 1
    _inputs_rank = 3

    def _begin(self, units: int, given: dict[str, Any], others: dict[str, Any]) -> None:
        if "unroll" in others:
            raise TypeError(error_text("('Keyword argument not understood:', 'unroll')"))
        regularizer = regularizer_named(given["activity_regularizer"])
        options = {name: given[name] for name in _OPTIONS}
        cell = _Step((units,) * self.states_count)
        RNN.__init__(self, cell, **options, activity_regularizer=regularizer, **others)
        self._own = self._own | {"cell"}
        self.units = units
        for part in ("kernel", "recurrent", "bias"):
            setattr(self, f"{part}_initializer", initializer_named(given[f"{part}_initializer"]))
            setattr(self, f"{part}_regularizer", regularizer_named(given[f"{part}_regularizer"]))
            setattr(self, f"{part}_constraint", constraint_named(given[f"{part}_constraint"]))
        self.supports_masking = False

    def build(self, input_shape: Any) -> None:
        """Creates kernel, recurrent_kernel and bias, and the states of a stateful layer."""
        super().build(input_shape)
        sizes = as_shape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()
        width = self.gates * self.units
        shapes = {"kernel": (sizes[-1], width), "recurrent": (self.units, width), "bias": (2 * width,)}
        for part, shape in shapes.items():
            name = "recurrent_kernel" if part == "recurrent" else part
            begun = self._bias_initializer() if part == "bias" else getattr(self, f"{part}_initializer")
            weight = self.add_weight(
                name, shape, initializer=begun, regularizer=getattr(self, f"{part}_regularizer"),
                constraint=getattr(self, f"{part}_constraint"),
            )  # fmt: skip
            setattr(self, name, weight)

    def _bias_initializer(self) -> Any:
        return self.bias_initializer

    def call(
        self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None, constants: Any = None
    ) -> Any:
        """[n, steps, k] -> [n, units] or [n, steps, units], and the states with return_state.

        Raises: ValueError for a mask.
        """
        if any(one is not None for one in (mask if isinstance(mask, list) else [mask])):
            raise ValueError(error_text("Masking is not supported for CuDNN RNNs."))
        kernel = self._as_read(self.kernel)
        recurrent = self._as_read(self.recurrent_kernel)
        bias, recurrent_bias = split(self.bias, num_or_size_splits=2)

        def step(x: Any, states: Any) -> Any:
            of_inputs = nn.bias_add(dot(x, kernel), bias)
            of_state = nn.bias_add(dot(states[0], recurrent), recurrent_bias)
            return self._step(of_inputs, of_state, states)

        self.cell.call = step
        try:
            return super().call(inputs, training=training, initial_state=initial_state, constants=constants)
        finally:
            self.cell.call = None

    def _as_read(self, kernel: Any) -> Any:
        """[k, gates · units] as the layer keeps it -> as a product needs it."""
        rows = kernel.shape.as_list()[0]
        parts = split(kernel, num_or_size_splits=self.gates, axis=1)
        return array.concat([array.transpose(array.reshape(part, [self.units, rows])) for part in parts], 1)

    def _step(self, of_inputs: Any, of_state: Any, states: Any) -> Any:
        """The products of inputs and state [n, gates · units] -> the output and the new states."""
        raise NotImplementedError(error_text(f"{type(self).__name__} defines no step"))

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        told = {name: getattr(self, name) for name in (*_OPTIONS, "time_major", "units")}
        for what in ("initializer", "regularizer", "constraint"):
            for part in ("kernel", "recurrent", "bias"):
                told[f"{part}_{what}"] = config_of(getattr(self, f"{part}_{what}"))
        return {**KerasLayer.get_config(self), **told, "activity_regularizer": config_of(self._activity_regularizer)}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """A layer from the result of `get_config`."""
        return cls(**config)


class CuDNNLSTM(CuDNNLayer):
    """Long short-term memory in cuDNN's form: that of `LSTM` with recurrent_activation="sigmoid", and a second bias.

    unit_forget_bias: the bias of the forget gate begins at 1. Other arguments: as of `LSTM`. Source: Hochreiter and
    Schmidhuber, 1997.

    Raises: ValueError for inputs with a mask.
    """

    gates = 4
    states_count = 2

    def __init__(
        self, units: int, kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", unit_forget_bias: bool = True, kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None, bias_constraint: Any = None,
        return_sequences: bool = False, return_state: bool = False, go_backwards: bool = False, stateful: bool = False,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        given = {name: value for name, value in locals().items() if name not in ("self", "units", "kwargs", "__class__")}
        self._begin(units, given, kwargs)
        self.unit_forget_bias = unit_forget_bias

    def _bias_initializer(self) -> Any:
        initializer = self.bias_initializer
        if not self.unit_forget_bias:
            return initializer
        of_state = forget_bias(initializer, self.units)

        def begun(_: Any, *args: Any, **kwargs: Any) -> Any:
            return array.concat([initializer((self.units * 4,), *args, **kwargs), of_state(None, *args, **kwargs)], 0)

        return begun

    def _step(self, of_inputs: Any, of_state: Any, states: Any) -> Any:
        take, keep, new, out = split(of_inputs + of_state, num_or_size_splits=4, axis=1)
        memory = sigmoid(keep) * states[1] + sigmoid(take) * tanh(new)
        h = sigmoid(out) * tanh(memory)
        return h, [h, memory]

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "unit_forget_bias": self.unit_forget_bias}


class CuDNNGRU(CuDNNLayer):
    """Gated recurrent units in cuDNN's form: that of `GRU` with recurrent_activation="sigmoid" and reset_after.

    Arguments: as of `GRU`. Source: Cho et al., 2014.

    Raises: ValueError for inputs with a mask.
    """

    gates = 3

    def __init__(
        self, units: int, kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, return_sequences: bool = False,
        return_state: bool = False, go_backwards: bool = False, stateful: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        given = {name: value for name, value in locals().items() if name not in ("self", "units", "kwargs", "__class__")}
        self._begin(units, given, kwargs)

    def _step(self, of_inputs: Any, of_state: Any, states: Any) -> Any:
        input_z, input_r, input_h = split(of_inputs, num_or_size_splits=3, axis=1)
        state_z, state_r, state_h = split(of_state, num_or_size_splits=3, axis=1)
        z = sigmoid(input_z + state_z)
        candidate = tanh(input_h + sigmoid(input_r + state_r) * state_h)
        h = z * states[0] + (1 - z) * candidate
        return h, [h]


# -- weights of one form in a layer of the other ------------------------------------------------------------------------------


def _reordered(kernel: np.ndarray, gates: int, to_cudnn: bool) -> np.ndarray:
    """A kernel [k, gates · units] whose gates change between what a product needs and what cuDNN reads."""

    def turned(gate: np.ndarray) -> np.ndarray:
        return gate.T.reshape(gate.shape) if to_cudnn else gate.reshape(gate.shape[::-1]).T

    return np.concatenate([turned(np.ascontiguousarray(gate)) for gate in np.split(kernel, gates, axis=1)], axis=1)


def converted(layer: Any, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The weights [kernel, recurrent kernel, bias] of `LSTM` or `GRU` for a layer of cuDNN's form, or the other way round; others
    as they are.

    An LSTM's bias is the sum of both halves in cuDNN's form.

    Raises: ValueError where the other layer computes something else: GRU without reset_after.
    """
    gates = 4 if isinstance(layer, CuDNNLSTM) or hasattr(layer, "unit_forget_bias") else 3
    known = isinstance(layer, CuDNNLayer) or type(layer).__name__ in ("LSTM", "GRU")
    if not known or len(arrays) != 3 or not getattr(layer, "use_bias", True):
        return list(arrays)
    kernel, recurrent, bias = arrays
    width = gates * layer.units
    to_cudnn = isinstance(layer, CuDNNLayer)
    from_cudnn = bias.shape == (2 * width,)
    if to_cudnn == from_cudnn:
        return list(arrays)
    if gates == 4:
        bias = np.tile(bias / 2, 2) if to_cudnn else bias[:width] + bias[width:]
    else:
        wanted = (2, width) if to_cudnn else tuple(layer.bias.shape.as_list())
        if wanted != (2, width) or bias.shape not in ((2 * width,), (2, width)):
            kinds = ("GRU(reset_after=False)", "CuDNNGRU")
            first, second = kinds if to_cudnn else reversed(kinds)
            raise ValueError(error_text(f"{first} is not compatible with {second}"))
        bias = bias.reshape(-1) if to_cudnn else bias.reshape(2, width)
    return [_reordered(kernel, gates, to_cudnn), _reordered(recurrent, gates, to_cudnn), bias]


__all__ = ["CuDNNGRU", "CuDNNLSTM", "CuDNNLayer", "converted"]
