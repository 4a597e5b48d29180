"""`ExponentialMovingAverage(decay)`: variables that track others or tensors by
`average -= (1 - decay) * (average - value)`.

`op = ema.apply([w])` builds the average and its update; `ema.average(w)` is the average. State: each object's
averages by the variable or tensor that they track.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...ops.state import VARIABLES
from ..control.cond import cond
from ..control.grouping import group
from ..framework.collections import add_to_collection
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import named, waiting_for
from ..math import math
from . import state
from .initializers import Zeros
from .slots import create_slot, create_zeros_slot, with_primary
from .variable_scope import get_variable, variable_scope
from .variables import Variable, global_variables, moving_average_variables, trainable_variables

_AVERAGED_DTYPES = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16)


@atomic
def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """Moves the variable [...] towards `value` [...] by the fraction 1 - decay; returns the variable after the
    update.

    zero_debias: corrects the bias of an average that starts at 0, as Adam does.

    Source: section 3 of https://arxiv.org/abs/1412.6980 for the debiasing.
    """
    with named(name, "AssignMovingAvg", [v for v in (value, decay) if isinstance(v, Tensor)]) as scope:
        fraction = convert_to_tensor(1.0 - decay, name="decay")
        if fraction.dtype is not variable.dtype.base_dtype:
            fraction = math.cast(fraction, variable.dtype.base_dtype)
        if zero_debias:
            return _assign_debiased(variable, value, fraction)
        return state.assign_sub(variable, (variable - value) * fraction, name=scope)


def _assign_debiased(variable: Any, value: Any, fraction: Tensor) -> Any:
    with variable_scope(variable.op.name, values=[variable, value, fraction]) as scope, with_primary(variable):
        used_names = {v.op.name for v in scope.global_variables()}
        slots = []
        for name, shape in (("biased", variable.shape), ("local_step", [])):
            slot_name = name if scope.reuse else _unused_name(name, f"{scope.name}/", used_names)
            slots.append(get_variable(slot_name, shape, variable.dtype, Zeros(), trainable=False))
        biased, steps = slots
    biased_after = state.assign_sub(biased, (biased - value) * fraction)
    steps_after = steps.assign_add(1)
    factor = 1 - math.pow(1.0 - fraction, steps_after)
    return state.assign(variable, biased_after / factor, name=f"{get_default_graph().get_name_scope()}/")


def _unused_name(name: str, prefix: str, used_names: set[str]) -> str:
    """`name`, or the first of `name_1`, … that is not used."""
    candidates = itertools.chain([name], map(f"{name}_{{}}".format, itertools.count(1)))
    return next(candidate for candidate in candidates if prefix + candidate not in used_names)


class ExponentialMovingAverage:
    """Moving averages of variables and tensors [...].

    decay: the weight of the old average in each step, in [0, 1]. num_updates: the number of steps n so far; it limits
    the decay to (1 + n) / (10 + n). zero_debias: for averages of tensors, which start at 0.
    """

    def __init__(
        self,
        decay: Any,
        num_updates: Any = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        return self._name

    @atomic
    def apply(self, var_list: Iterable[Any] | None = None) -> Operation:
        """The operation that updates the averages of the listed variables and tensors, by default of all trainable
        variables.

        Raises: TypeError for a dtype that is not floating.
        """
        tracked = trainable_variables() if var_list is None else list(var_list)
        new_averages: dict[Any, Any] = {}
        debiased = set()
        for item in tracked:
            if item.dtype.base_dtype not in _AVERAGED_DTYPES:
                raise TypeError(error_text(f"The variables must be half, float, or double: {item.name}"))
            if item in self._averages or item in new_averages:
                continue
            with waiting_for(None):
                new_averages[item] = self._follow(item)
            if self._zero_debias and not isinstance(item, Variable):
                debiased.add(item)
        averages = {**self._averages, **new_averages}
        with named(self._name, self._name) as scope:
            decay = convert_to_tensor(self._decay, dtype=dtypes.float32, name="decay")
            if self._num_updates is not None:
                count = math.cast(self._num_updates, dtypes.float32, name="num_updates")
                decay = math.minimum(decay, (1.0 + count) / (10.0 + count))
            updates = [
                assign_moving_average(averages[item], item, decay, zero_debias=item in debiased)
                for item in tracked
            ]
            update = group(*updates, name=scope)
        self._averages = averages
        return update

    def _follow(self, item: Any) -> Any:
        """A new variable that tracks `item`."""
        if isinstance(item, Variable):
            with get_default_graph().device(item.device):
                start = cond(state.is_variable_initialized(item), item.read_value, lambda: item.initial_value)
            average = create_slot(item, start, self._name)
            add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, item)
            return average
        is_variable = item.op.type in VARIABLES
        return create_zeros_slot(item, self._name, colocate_with_primary=is_variable)

    def average(self, var: Any) -> Any:
        """The variable that tracks `var`, or None."""
        return self._averages.get(var)

    def average_name(self, var: Any) -> str:
        """The name of the variable that tracks `var`, or the name that it would get."""
        average = self._averages.get(var)
        if average is not None:
            return average.op.name  # type: ignore[no-any-return]
        return get_default_graph().unique_name(f"{var.op.name}/{self._name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Iterable[Any] | None = None) -> dict[str, Any]:
        """The variables to load, by their names in a checkpoint: averaged variables load their averages."""
        if moving_avg_variables is None:
            moving_avg_variables = trainable_variables() + moving_average_variables()
        averaged = dict.fromkeys(moving_avg_variables)
        variables_by_name = {self.average_name(v): v for v in averaged}
        names = {v.name for v in averaged}
        for variable in dict.fromkeys(global_variables()):
            if variable.name not in names and variable.op.name not in variables_by_name:
                variables_by_name[variable.op.name] = variable
        return variables_by_name


__all__ = ["ExponentialMovingAverage", "assign_moving_average"]
