"""The recurrent layers of tf.keras: RNN, SimpleRNN, GRU, LSTM: [n, steps, k] -> [n, units] or [n, steps, units].

State: the weights of a layer's cell; the states of a stateful layer.
"""

from __future__ import annotations

import inspect
from typing import Any, Self

import numpy as np

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.arrays import array
from ...lib.framework import nest
from ...lib.variables.initializers import Zeros
from ...lib.variables.variables import Variable
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.input_spec import InputSpec
from ..keras_layers.known_layers import deserialize
from ..keras_layers.layer_nodes import is_keras_tensor
from ..keras_layers.penalties import regularizer_named
from ..keras_parts.keras_session import keras_session, note_variable
from ..keras_parts.recurrent_loop import rnn
from .recurrent_cells import GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells, cell_config, zero_states

_LAYER_OPTIONS = ("return_sequences", "return_state", "go_backwards", "stateful", "unroll")


class RNN(KerasLayer):
    """A cell over all steps: [n, steps, k] -> the last output [n, units], or with return_sequences all [n, steps, units].

    return_state: also gives the last states. go_backwards: from the last step to the first. stateful: a batch begins with the
    last states of the one before. unroll: a copy of the cell for each step instead of a loop. time_major: [steps, n, k].

    Raises: ValueError for what is no cell, and for initial states that do not fit it.
    """

    _inputs_rank: int | None = None  # of all inputs, if the layer knows it before it sees them

    def __init__(
        self, cell: Any, return_sequences: bool = False, return_state: bool = False, go_backwards: bool = False,
        stateful: bool = False, unroll: bool = False, time_major: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call") or not hasattr(cell, "state_size"):
            raise ValueError(error_text(f"('`cell` should have a `call` method. The RNN was passed:', {cell!r})"))
        self._zero_output_for_mask = kwargs.pop("zero_output_for_mask", False)
        if "input_shape" not in kwargs and ("input_dim" in kwargs or "input_length" in kwargs):
            kwargs["input_shape"] = (kwargs.pop("input_length", None), kwargs.pop("input_dim", None))
        super().__init__(**kwargs)
        self.cell = cell
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.stateful, self.unroll, self.time_major = go_backwards, stateful, unroll, time_major
        self.supports_masking = True
        self.input_spec = [self._inputs_rank and InputSpec(ndim=self._inputs_rank)]
        self._states: Any = None
        self._constants_count = 0
        self._own = self._own | {"_states", "_constants_count", "_zero_output_for_mask", "stateful"}

    @property
    def states(self) -> Any:
        """The variables that hold a stateful layer's states; one None for each state before the layer has created them."""
        return [None] * len(nest.flatten(self.cell.state_size)) if self._states is None else self._states

    def build(self, input_shape: Any) -> None:
        """Builds the cell, and the states of a stateful layer."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        sizes = as_shape(input_shape).as_list()
        self.input_spec = [InputSpec(shape=[None, None, *sizes[2:]])]
        if isinstance(self.cell, KerasLayer) and not self.cell.built:
            if self.cell.dtype is None:
                self.cell._dtype = self._dtype
            self.cell.build(as_shape([sizes[0], *sizes[2:]]))
            self.cell.built = True
        if self.stateful:
            self._create_states(sizes)
        self.built = True

    def _state_sizes(self, size: Any, input_sizes: list[int | None]) -> list[int | None]:
        """The sizes of a state of that size beside the batch, for inputs of those sizes."""
        return as_shape(size).as_list()

    def _create_states(self, input_sizes: list[int | None]) -> None:
        batch = input_sizes[1 if self.time_major else 0]
        if batch is None:
            raise ValueError(
                error_text(
                    "If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input tensors: \n"
                    "- If using a Sequential model, specify the batch size by passing a `batch_input_shape` argument to your "
                    "first layer.\n- If using the functional API, specify the batch size by passing a `batch_shape` argument to "
                    "your Input layer."
                )
            )

        def variable(size: Any) -> Variable:
            shape = [batch, *self._state_sizes(size, input_sizes)]
            made = Variable(Zeros()(shape, dtype=self._dtype), trainable=False, use_resource=True)
            note_variable(made)
            return made

        self._states = nest.map_structure(variable, _listed(self.cell.state_size))

    def get_initial_state(self, inputs: Any) -> list[Any]:
        """The states with which the first step begins: zeros."""
        first = nest.flatten(inputs)[0]
        batch = array.shape(first)[1 if self.time_major else 0]
        if hasattr(self.cell, "get_initial_state"):
            found = self.cell.get_initial_state(inputs=None, batch_size=batch, dtype=first.dtype)
        else:
            found = zero_states(self.cell.state_size, batch, first.dtype)
        return list(found) if isinstance(found, (list, tuple)) else [found]

    def __call__(self, inputs: Any, *args: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any) -> Any:
        """The output for the inputs. initial_state, constants: tensors, or lists of them; inputs may be the list of all.

        Raises: ValueError for initial states that do not fit the cell.
        """
        if isinstance(inputs, list):
            if initial_state is None and constants is None:
                count = self._constants_count
                inputs, *rest = inputs
                initial_state = (rest[: len(rest) - count] if count else rest) or None
                constants = rest[len(rest) - count :] if count else None
        initial_state, constants = _as_list(initial_state), _as_list(constants)
        if constants is not None:
            self._constants_count = len(constants)
        extra = [*(initial_state or []), *(constants or [])]
        if not extra:
            return super().__call__(inputs, *args, **kwargs)
        if all(is_keras_tensor(each) for each in extra):
            known = self.input_spec
            self.input_spec = [*(known or [None]), *[None] * len(extra)]
            try:
                return super().__call__([inputs, *extra], *args, **kwargs)
            finally:
                self.input_spec = self.input_spec[:1]
        return super().__call__(inputs, *args, initial_state=initial_state, constants=constants, **kwargs)

    def call(
        self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None, constants: Any = None
    ) -> Any:
        """[n, steps, k] -> [n, units] or [n, steps, units], and the states with return_state."""
        if hasattr(self.cell, "forget_masks"):
            self.cell.forget_masks()
        if isinstance(inputs, list):
            count = self._constants_count
            inputs, *rest = inputs
            constants = rest[len(rest) - count :] if count else constants
            initial_state = (rest[: len(rest) - count] if count else rest) or initial_state
        if isinstance(mask, list):
            mask = mask[0]
        if initial_state is None:
            initial_state = self._states if self.stateful else self.get_initial_state(inputs)
        wanted = len(nest.flatten(self.cell.state_size))
        if len(nest.flatten(initial_state)) != wanted:
            raise ValueError(
                error_text(
                    "An `initial_state` was passed that is not compatible with `cell.state_size`. It has "
                    f"{len(nest.flatten(initial_state))} tensors; however `cell.state_size` is {self.cell.state_size}"
                )
            )
        steps = inputs.shape.as_list()[0 if self.time_major else 1]
        if self.unroll and steps is None:
            raise ValueError(
                error_text("Cannot unroll a RNN if the time dimension is undefined. \n- If using a Sequential model, specify the "
                           "time dimension by passing an `input_shape` or `batch_input_shape` argument to your first layer.")
            )  # fmt: skip
        parameters = self.cell._call_parameters() if hasattr(self.cell, "_call_parameters") else []
        options = {"training": training} if "training" in parameters else {}
        if constants and "constants" not in parameters:
            raise ValueError(error_text("RNN cell does not support constants"))

        def step(x: Any, states: Any) -> Any:
            own, given = list(states), dict(options)
            if constants:
                own, given["constants"] = list(states[: -len(constants)]), list(states[-len(constants) :])
            is_single = not isinstance(self.cell.state_size, (list, tuple)) and hasattr(self.cell, "_wants_bare_state")
            output, new = self.cell.call(x, own[0] if is_single else own, **given)
            return output, list(new) if isinstance(new, (list, tuple)) else [new]

        last, outputs, states = rnn(
            step, inputs, initial_state, constants=constants, go_backwards=self.go_backwards, mask=mask, unroll=self.unroll,
            input_length=self._loop_limit(steps), time_major=self.time_major, zero_output_for_mask=self._zero_output_for_mask,
        )  # fmt: skip
        if self.stateful:
            pairs = zip(nest.flatten(self._states), nest.flatten(states))
            self.add_update([variable.assign(new) for variable, new in pairs])
        output = outputs if self.return_sequences else last
        return [output, *states] if self.return_state else output

    def _loop_limit(self, steps: int | None) -> int | None:
        """The limit that the loop gets beside the length of the inputs, as in TF 1.15."""
        return None

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The output's mask: that of the steps where the layer returns sequences, else None; a returned state has no mask."""
        mask = mask[0] if isinstance(mask, list) else mask
        own = mask if self.return_sequences else None
        return [own, *[None] * len(nest.flatten(self.cell.state_size))] if self.return_state else own

    def compute_output_shape(self, input_shape: Any) -> Any:
        """[n, steps, k] -> [n, units] or [n, steps, units], and those of the states with return_state."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        sizes = as_shape(input_shape).as_list()
        batch = sizes[1] if self.time_major else sizes[0]
        states = nest.flatten(_listed(self.cell.state_size))
        size = getattr(self.cell, "output_size", None) or states[0]
        out = as_shape(size).as_list()
        whole = as_shape([*sizes[:2], *out] if self.return_sequences else [batch, *out])
        return [whole, *[as_shape([batch, *as_shape(each).as_list()]) for each in states]] if self.return_state else whole

    def reset_states(self, states: Any = None) -> None:
        """Sets the states of a stateful layer to zero, or to arrays.

        Raises: AttributeError for a layer that is not stateful; ValueError for arrays that do not fit, or before the first call.
        """
        if not self.stateful:
            raise AttributeError(error_text("Layer must be stateful."))
        if self._states is None:
            self._create_states([None, None])
        variables = nest.flatten(self._states)
        given = [np.zeros(v.shape.as_list()) for v in variables] if states is None else _as_list(states) or []
        if len(given) != len(variables):
            raise ValueError(
                error_text(
                    f"Layer {self.name} expects {len(variables)} states, but it received {len(given)} state values. Input "
                    f"received: {states}"
                )
            )
        for index, (variable, value) in enumerate(zip(variables, given)):
            if tuple(variable.shape.as_list()) != np.shape(value):
                raise ValueError(
                    error_text(
                        f"State {index} is incompatible with layer {self.name}: expected "
                        f"shape={tuple(variable.shape.as_list())}, found shape={np.shape(value)}"
                    )
                )
            variable.load(np.asarray(value, variable.dtype.base_dtype.as_numpy_dtype), keras_session())

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        config = {name: getattr(self, name) for name in (*_LAYER_OPTIONS, "time_major")}
        if self._constants_count:
            config["num_constants"] = self._constants_count
        cell = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**super().get_config(), **config, "cell": cell}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """A layer from the result of `get_config`."""
        arguments = dict(config)
        count = arguments.pop("num_constants", 0)
        layer = cls(deserialize(arguments.pop("cell"), custom_objects), **arguments)
        layer._constants_count = count
        return layer


def _as_list(value: Any) -> list[Any] | None:
    return value if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def _listed(sizes: Any) -> Any:
    return list(sizes) if isinstance(sizes, (list, tuple)) and not hasattr(sizes, "as_list") else [sizes]


class CellLayer(RNN):
    """A layer of a cell of its own, with the cell's arguments."""

    cell_class: Any
    _inputs_rank = 3

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        try:
            bound = type(self).__signature__.bind(*args, **kwargs)  # type: ignore[attr-defined]
        except TypeError as error:
            raise TypeError(error_text(f"{type(self).__name__}: {error}")) from None
        bound.apply_defaults()
        arguments = dict(bound.arguments)
        others = arguments.pop("kwargs")
        options = {name: arguments.pop(name) for name in _LAYER_OPTIONS if name in arguments}
        regularizer = regularizer_named(arguments.pop("activity_regularizer"))
        if arguments.get("implementation") == 0:
            arguments["implementation"] = 1
        cell = self.cell_class(**arguments, dtype=others.get("dtype"))
        super().__init__(cell, **options, activity_regularizer=regularizer, **others)

    def __getattr__(self, name: str) -> Any:
        """The arguments and weights of the cell."""
        cell = self.__dict__.get("cell")
        if cell is None or name.startswith("__") or name not in vars(cell):
            raise AttributeError(error_text(f"'{type(self).__name__}' object has no attribute '{name}'"))
        return getattr(cell, name)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        config = KerasLayer.get_config(self)
        regularizer = self._activity_regularizer
        told = {name: getattr(self, name) for name in (*_LAYER_OPTIONS, "time_major")}
        return {**config, **told, **cell_config(self.cell), "activity_regularizer": regularizer and {
            "class_name": type(regularizer).__name__, "config": regularizer.get_config()}}  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """A layer from the result of `get_config`."""
        return cls(**config)


def layer_of(cell_class: Any, options: tuple[str, ...] = _LAYER_OPTIONS, last: tuple[str, ...] = ("reset_after",)) -> Any:
    """A decorator of a class: its arguments are those of the cell, activity_regularizer, these options of the layer, and after
    them the cell's arguments that are last.
    """

    def decorate(kind: Any) -> Any:
        keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
        cell = [p for p in inspect.signature(cell_class).parameters.values() if p.kind is keyword]
        at = next(i for i, p in enumerate(cell) if p.name == "bias_regularizer") + 1
        cell.insert(at, inspect.Parameter("activity_regularizer", keyword, default=None))
        first, end = [p for p in cell if p.name not in last], [p for p in cell if p.name in last]
        between = [inspect.Parameter(name, keyword, default=False) for name in options]
        rest = inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)
        kind.__signature__ = inspect.Signature([*first, *between, *end, rest])
        kind.cell_class = cell_class
        return kind

    return decorate


@layer_of(SimpleRNNCell)
class SimpleRNN(CellLayer):
    """A fully connected recurrent layer; its output is its state."""


@layer_of(GRUCell)
class GRU(CellLayer):
    """Gated recurrent units. Source: Cho et al., 2014."""


@layer_of(LSTMCell)
class LSTM(CellLayer):
    """Long short-term memory. Source: Hochreiter and Schmidhuber, 1997."""


__all__ = ["GRU", "LSTM", "RNN", "CellLayer", "SimpleRNN", "layer_of"]
