"""`KerasOptimizer`: the base of tf.keras.optimizers, whose hyperparameters are variables of the graph.

    optimizer = SGD(0.1, momentum=0.9)
    step = optimizer.minimize(loss, [w])       # variables SGD/iter, SGD/learning_rate, SGD/w/momentum …

A subclass names its slots in `_create_slots`, what all updates share in `_prepare_local`, and the update of one variable in
`_resource_apply_dense` and `_resource_apply_sparse`. State: an optimizer's hyperparameters, slots and iterations.
"""

from __future__ import annotations

import abc
import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np

from ...autodiff import gradients
from ...base import dtypes, log
from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...lib.arrays import array, selection
from ...lib.control.grouping import identity
from ...lib.framework import nest
from ...lib.framework.scope_blocks import init_scope, name_scope, waiting_for
from ...lib.math import clip, math, reductions
from ...lib.variables.initializers import Ones, Zeros
from ...lib.variables.variable_settings import VariableAggregation, VariableSynchronization
from ...lib.variables.variables import Variable
from ...op.composites import IndexedSlices
from ...op.definition import REGISTRY
from ...ops import scatter
from ...ops.optimizer_steps import CALLERS
from ...training.checkpoints.trackable import SlotOwner
from .keras_session import keras_session, note_variable
from .learning_rate_schedules import LearningRateSchedule

State = dict[tuple[str, Any], dict[str, Any]]
_INITIALIZERS: dict[str, Callable[..., Any]] = {"zeros": Zeros, "ones": Ones}
_OPTIONS = ("clipnorm", "clipvalue", "lr", "decay")
_NO_GRADIENT = (
    "Variable {} has `None` for gradient. Please make sure that all of your ops have a gradient defined (i.e. are "
    "differentiable). Common ops without gradient: K.argmax, K.round, K.eval."
)


class KerasOptimizer(SlotOwner, abc.ABC):
    """An optimizer. clipnorm, clipvalue: limits of each gradient's norm and elements; decay: of the learning rate, by
    1 / (1 + decay · iterations); lr: the learning rate.

    Raises: TypeError for an unknown keyword, ValueError for a negative one.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        for key in kwargs:
            if key not in _OPTIONS:
                raise TypeError(error_text(f"Unexpected keyword argument passed to optimizer: {key}"))
            if kwargs[key] < 0:
                raise ValueError(error_text(f"Expected {key} >= 0, received: {kwargs[key]}"))
        self._name = name
        self._dependencies: dict[str, Variable] = {}
        self._hyper: dict[str, Any] = {}
        self._hyper_variables: dict[str, Variable] = {}
        self._slots: dict[int, dict[str, Variable]] = {}
        self._slot_names: list[str] = []
        self._weights: list[Variable] = []
        self._iterations: Variable | None = None
        self._initial_decay = kwargs.pop("decay", 0.0)
        for key, value in kwargs.items():
            if key in ("clipnorm", "clipvalue"):
                setattr(self, key, value)

    # -- hyperparameters -----------------------------------------------------------------------------------------------

    def _set_hyper(self, name: str, value: Any) -> None:
        """Sets a hyperparameter: a number, a tensor, a function of no argument, or a schedule of the learning rate."""
        if name in self._hyper_variables and not callable(value):
            self._set_value(self._hyper_variables[name], value)
        else:
            self._hyper[name] = value

    def _get_hyper(self, name: str, dtype: Any = None) -> Any:
        """A hyperparameter as the graph has it, cast to the dtype."""
        self._create_hypers()
        value = self._hyper_variables.get(name, self._hyper[name])
        if isinstance(value, LearningRateSchedule):
            return value
        value = value() if callable(value) and not isinstance(value, Variable) else value
        return math.cast(value, dtype) if dtype is not None else value

    @staticmethod
    def _set_value(variable: Variable, value: Any) -> None:
        """Gives a variable a value in the Keras session."""
        variable.load(np.asarray(value, variable.dtype.base_dtype.as_numpy_dtype), keras_session())

    def __getattr__(self, name: str) -> Any:
        hyper = self.__dict__.get("_hyper", {})
        name = "learning_rate" if name == "lr" else name
        if name in hyper:
            return self._get_hyper(name)
        raise AttributeError(error_text(f"'{type(self).__name__}' object has no attribute '{name}'"))

    def __setattr__(self, name: str, value: Any) -> None:
        name = "learning_rate" if name == "lr" else name
        if name in self.__dict__.get("_hyper", {}):
            self._set_hyper(name, value)
        else:
            object.__setattr__(self, name, value)

    def _create_hypers(self) -> None:
        """Makes variables of the hyperparameters that are numbers, once."""
        for name, value in sorted(self._hyper.items()):
            if name not in self._hyper_variables and not callable(value) and not hasattr(value, "op"):
                self._hyper_variables[name] = self.add_weight(
                    name, [], initializer=functools.partial(_number, value), trainable=False,
                    aggregation=VariableAggregation.ONLY_FIRST_REPLICA
                )

    @property
    def iterations(self) -> Variable:
        """The number of steps so far, an int64 variable."""
        if self._iterations is None:
            self._iterations = self.add_weight(
                "iter", [], dtypes.int64, trainable=False, aggregation=VariableAggregation.ONLY_FIRST_REPLICA
            )
            self._weights.append(self._iterations)
        return self._iterations

    @iterations.setter
    def iterations(self, variable: Variable) -> None:
        if self._iterations is not None:
            raise RuntimeError(
                error_text("Cannot set `iterations` to a new Variable after the Optimizer weights have been created")
            )
        self._iterations = variable
        self._weights.append(variable)

    def _decayed_lr(self, var_dtype: Any) -> Any:
        """The learning rate of this step."""
        rate = self._get_hyper("learning_rate", var_dtype)
        if isinstance(rate, LearningRateSchedule):
            step = math.cast(self.iterations, var_dtype)
            rate = math.cast(rate(step), var_dtype)
        if self._initial_decay > 0.0:
            step = math.cast(self.iterations, var_dtype)
            rate = rate / (1.0 + self._get_hyper("decay", var_dtype) * step)
        return rate

    # -- slots ---------------------------------------------------------------------------------------------------------

    def add_slot(self, var: Variable, slot_name: str, initializer: Any = "zeros") -> Variable:
        """Returns the slot `slot_name` of `var`, a variable of its shape and dtype; creates it at the first call.

        initializer of a new one: "zeros", "ones", an initializer or the value itself.
        """
        if slot_name not in self._slot_names:
            self._slot_names.append(slot_name)
        slots = self._slots.setdefault(id(var), {})
        if slot_name not in slots:
            dtype = var.dtype.base_dtype
            with get_default_graph().colocate_with(var):
                slots[slot_name] = _variable(f"{var.op.name}/{slot_name}", _initial(initializer, var.shape, dtype), dtype)
            self._weights.append(slots[slot_name])
        return slots[slot_name]

    def get_slot(self, var: Variable, slot_name: str) -> Variable:
        """Returns the slot `slot_name` of `var`. Raises: KeyError when there is none."""
        if id(var) not in self._slots:
            raise KeyError(error_text(var.op.name))
        return self._slots[id(var)][slot_name]

    def _saved_slot(self, variable: Variable, slot_name: str) -> Any:
        return self._slots.get(id(variable), {}).get(slot_name)

    def get_slot_names(self) -> list[str]:
        """The names of the slots."""
        return list(self._slot_names)

    def add_weight(
        self,
        name: str,
        shape: Any,
        dtype: Any = None,
        initializer: Any = "zeros",
        trainable: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Variable:
        """Another variable [shape] of the optimizer, which is not among its weights.

        Raises: ValueError for a trainable variable whose copies are summed when they are read.
        """
        kind = as_dtype(dtype or dtypes.float32)
        is_summed = synchronization is VariableSynchronization.ON_READ
        if is_summed and trainable:
            raise ValueError(error_text("A variable with synchronization ON_READ cannot be trainable."))
        options = {"synchronization": synchronization, "aggregation": aggregation}
        is_trainable = not is_summed if trainable is None else trainable
        variable = _variable(name, _initial(initializer, shape, kind), kind, is_trainable, **options)
        self._dependencies[name] = variable
        return variable

    # -- what a subclass defines ---------------------------------------------------------------------------------------

    def _prepare(self, var_list: list[Variable]) -> State:
        """For each device and dtype of the variables, what all updates share."""
        apply_state: State = {}
        for device, dtype in dict.fromkeys((variable.device, variable.dtype.base_dtype) for variable in var_list):
            apply_state[device, dtype] = {}
            with get_default_graph().device(device):
                self._prepare_local(device, dtype, apply_state)
        return apply_state

    def _prepare_local(self, var_device: str, var_dtype: Any, apply_state: State) -> None:
        """Adds to `apply_state[var_device, var_dtype]` what all updates of such variables share."""
        if "learning_rate" in self._hyper:
            apply_state[var_device, var_dtype]["lr_t"] = identity(self._decayed_lr(var_dtype))

    def _shared(self, var: Variable, apply_state: State | None) -> dict[str, Any]:
        """What the variable's update shares with others, made now where a subclass did not pass it on."""
        key = var.device, var.dtype.base_dtype
        if not (apply_state or {}).get(key):
            apply_state = {key: {}}
            self._prepare_local(*key, apply_state)
        return apply_state[key]  # type: ignore[index]

    def _resource_apply_dense(self, grad: Any, handle: Variable, apply_state: State) -> Any:
        """The op that updates the variable by its gradient [...]."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define _resource_apply_dense"))

    def _resource_apply_sparse(self, grad: Any, handle: Variable, indices: Any, apply_state: State) -> Any:
        """The op that updates rows of the variable: grad [k, ...] and indices [k], each at most once."""
        raise NotImplementedError(error_text(f"{type(self).__name__} does not define _resource_apply_sparse"))

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Variable, indices: Any, **kwargs: Any) -> Any:
        """The same for indices that may repeat: equal ones are summed before. kwargs: `apply_state`, where it takes it."""
        unique, segments = selection.unique(indices)
        summed = reductions.unsorted_segment_sum(grad, segments, array.shape(unique)[0])
        return self._resource_apply_sparse(summed, handle, unique, **kwargs)

    # -- for subclasses ------------------------------------------------------------------------------------------------

    def _step(self, op_type: str, var: Variable, inputs: dict[str, Any], **attributes: Any) -> Any:
        """An op that does the whole update. inputs: by the names that the op gives them; variables stand for their handles."""
        values = {"var": var, **inputs}
        handles = [values[arg.name] for arg in REGISTRY[op_type].inputs]
        return CALLERS[op_type](
            *[value.handle if isinstance(value, Variable) else value for value in handles], use_locking=True, **attributes
        )

    def _resource_scatter_add(self, x: Variable, i: Any, v: Any) -> Any:
        """The variable's value after rows were added to it."""
        with waiting_for([scatter.resource_scatter_add(x.handle, i, v)]):
            return x.value()

    def _resource_scatter_update(self, x: Variable, i: Any, v: Any) -> Any:
        """The variable's value after rows of it were set."""
        with waiting_for([scatter.resource_scatter_update(x.handle, i, v)]):
            return x.value()

    # -- updates -------------------------------------------------------------------------------------------------------

    @atomic
    def minimize(self, loss: Any, var_list: Any, grad_loss: Any = None, name: str | None = None) -> Any:
        """The op of one training step. loss: a function that gives a tensor; var_list: variables, or a function that gives them.

        Raises: ValueError when the loss depends on no variable, TypeError for a tensor as loss.
        """
        if not callable(loss):
            raise TypeError(
                error_text(
                    f"'{type(loss).__name__}' object is not callable",
                    fix="pass a function: optimizer.minimize(lambda: loss, variables), or use get_updates(loss, variables)",
                )
            )
        value = loss()
        variables = nest.flatten(var_list() if callable(var_list) else var_list)
        with name_scope(f"{self._name}/gradients"):
            found = self._clipped(gradients(value, variables, grad_ys=grad_loss))
        return self.apply_gradients(list(zip(found, variables)), name=name)

    def _clipped(self, found: list[Any]) -> list[Any]:
        clipnorm, clipvalue = self.__dict__.get("clipnorm"), self.__dict__.get("clipvalue")
        if clipnorm is not None:
            found = [None if g is None else clip.clip_by_norm(g, clipnorm) for g in found]
        if clipvalue is not None:
            found = [None if g is None else clip.clip_by_value(g, -clipvalue, clipvalue) for g in found]
        return found

    @atomic
    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of the loss, clipped.

        Raises: ValueError for a variable that the loss does not depend on.
        """
        variables = nest.flatten(params)
        with name_scope(f"{self._name}/gradients"):
            found = gradients(loss, variables)
            for gradient, variable in zip(found, variables):
                if gradient is None:
                    raise ValueError(error_text(_NO_GRADIENT.format(variable)))
            return self._clipped(found)

    @atomic
    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The ops of one training step."""
        found = self.get_gradients(loss, params)
        return [self.apply_gradients(list(zip(found, nest.flatten(params))))]

    @atomic
    def apply_gradients(self, grads_and_vars: Iterable[tuple[Any, Any]], name: str | None = None) -> Any:
        """The op that updates each variable by its gradient, then counts the step. Pairs without a gradient are left out.

        Raises: ValueError when there are variables, and none has a gradient.
        """
        pairs = self._with_gradients(list(grads_and_vars))
        variables = [variable for _, variable in pairs]
        with name_scope(self._name):
            with init_scope():
                iterations = self.iterations
                self._create_hypers()
                self._create_slots(variables)
            apply_state = self._prepare(variables)
            with name_scope(name or self._name):
                updates = [self._update(gradient, variable, apply_state) for gradient, variable in pairs]
                with waiting_for(updates):
                    return iterations.assign_add(1).op

    @staticmethod
    def _with_gradients(pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        without = [variable.name for gradient, variable in pairs if gradient is None]
        if without and len(without) == len(pairs):
            raise ValueError(error_text(f"No gradients provided for any variable: {without}."))
        if without:
            log.warning("Gradients do not exist for variables %s when minimizing the loss.", without)
        return [pair for pair in pairs if pair[0] is not None]

    def _update(self, gradient: Any, var: Variable, apply_state: State) -> Any:
        """The op that updates one variable, and after it the one that applies the variable's constraint."""
        with name_scope(f"update_{var.op.name}"), get_default_graph().colocate_with(var):
            if isinstance(gradient, IndexedSlices):
                if var.constraint is not None:
                    raise RuntimeError(error_text("Cannot use a constraint function on a sparse variable."))
                options = _options(self._resource_apply_sparse, apply_state)
                return self._resource_apply_sparse_duplicate_indices(gradient.values, var, gradient.indices, **options)
            options = _options(self._resource_apply_dense, apply_state)
            update = self._resource_apply_dense(convert_to_tensor(gradient), var, **options)
            if var.constraint is None:
                return update
            with waiting_for([update]):
                return var.assign(var.constraint(var))

    # -- as data -------------------------------------------------------------------------------------------------------

    @property
    def weights(self) -> list[Variable]:
        """The variables: the iterations, then the slots."""
        return self._weights

    def variables(self) -> list[Variable]:
        """The variables: the iterations, then the slots."""
        return self._weights

    def get_weights(self) -> list[np.ndarray[Any, Any]]:
        """The values of `weights`."""
        return keras_session().run(self._weights) if self._weights else []

    def set_weights(self, weights: Any) -> None:
        """Sets the values of `weights`.

        Raises: ValueError for a wrong number of arrays or a wrong shape.
        """
        if len(self._weights) != len(weights):
            raise ValueError(
                error_text(
                    f"You called `set_weights(weights)` on optimizer {self._name} with a  weight list of length {len(weights)}, "
                    f"but the optimizer was expecting {len(self._weights)} weights. Provided weights: {str(weights)[:50]}..."
                )
            )
        for variable, value in zip(self._weights, map(np.asarray, weights)):
            if tuple(variable.shape.as_list()) != value.shape:
                raise ValueError(
                    error_text(
                        f"Optimizer weight shape {tuple(variable.shape.as_list())} not compatible with provided weight shape "
                        f"{value.shape}"
                    )
                )
            self._set_value(variable, value)

    @abc.abstractmethod
    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal optimizer. Each class adds its own to these."""
        config: dict[str, Any] = {"name": self._name}
        config.update({key: self.__dict__[key] for key in ("clipnorm", "clipvalue") if key in self.__dict__})
        return config

    def _serialize_hyperparameter(self, hyperparameter_name: str) -> Any:
        """A hyperparameter's value, for `get_config`."""
        value = self._hyper[hyperparameter_name]
        if isinstance(value, LearningRateSchedule):
            return {"class_name": type(value).__name__, "config": value.get_config()}
        if hyperparameter_name in self._hyper_variables:
            return keras_session().run(self._hyper_variables[hyperparameter_name])
        return value() if callable(value) else value

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """An optimizer from the result of `get_config`."""
        arguments = dict(config)
        if "lr" in arguments:
            arguments["learning_rate"] = arguments.pop("lr")
        rate = arguments.get("learning_rate")
        if isinstance(rate, dict):
            arguments["learning_rate"] = LearningRateSchedule.deserialized(rate, custom_objects)
        return cls(**arguments)


def _options(function: Callable[..., Any], apply_state: State) -> dict[str, State]:
    """The keyword apply_state where the function has one; classes older than 1.15's do not."""
    return {"apply_state": apply_state} if "apply_state" in inspect.signature(function).parameters else {}


def _number(value: Any, shape: Any, dtype: Any) -> Any:
    """The first value of a hyperparameter that is a number."""
    return convert_to_tensor(value, dtype, name="initial_value")


def _initial(initializer: Any, shape: Any, dtype: Any) -> Any:
    """The function that makes a variable's first value [shape]; a value stays one.

    Raises: ValueError for an unknown name.
    """
    if isinstance(initializer, str):
        if initializer not in _INITIALIZERS:
            raise ValueError(error_text(f"Unknown initializer: {initializer}"))
        initializer = _INITIALIZERS[initializer]()
    return functools.partial(initializer, shape, dtype=dtype) if callable(initializer) else initializer


def _variable(name: str, value: Any, dtype: Any, trainable: bool = False, **options: Any) -> Variable:
    variable = Variable(value, name=name, dtype=dtype, trainable=trainable, use_resource=True, **options)
    note_variable(variable)
    return variable


__all__ = ["KerasOptimizer", "State"]
