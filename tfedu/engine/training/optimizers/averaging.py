"""`MovingAverageOptimizer`: an optimizer whose steps also update moving averages of the variables.

    optimizer = MovingAverageOptimizer(AdamOptimizer(0.01), average_decay=0.99)
    step = optimizer.minimize(loss)
    saver = optimizer.swapping_saver()  # its checkpoints have the averages under the variables' names

State: the wrapped optimizer, the averages, and the names of both after `apply_gradients`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.control.grouping import group
from ...lib.framework.scope_blocks import control_dependencies
from ...lib.variables.moving_averages import ExponentialMovingAverage
from ...lib.variables.variables import global_variables
from ..checkpoints.saver import Saver
from .optimizer import Optimizer


class MovingAverageOptimizer(Optimizer):
    """An optimizer that updates moving averages of the variables after each of its steps.

    opt: the optimizer that updates the variables. average_decay, num_updates: see ExponentialMovingAverage.
    sequential_update: whether the averages wait for the step; without it they may run beside it.
    """

    def __init__(
        self, opt: Optimizer, average_decay: Any = 0.9999, num_updates: Any = None, sequential_update: bool = True
    ) -> None:
        self._optimizer = opt
        self._ema = ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped_variable_name_map: dict[str, str] | None = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """The gradients that the wrapped optimizer computes."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    @atomic
    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """The wrapped optimizer's step, followed by the update of the averages.

        Raises: see Optimizer.apply_gradients.
        """
        pairs = list(grads_and_vars)
        step = self._optimizer.apply_gradients(pairs, global_step=global_step, name=name)
        variables = [variable for gradient, variable in pairs if gradient is not None]
        with control_dependencies([step] if self._sequential_update else []):
            averages = self._ema.apply(variables)
        self._swapped_variable_name_map = {}
        for variable in variables:
            average = self._ema.average(variable)
            self._swapped_variable_name_map[variable.op.name] = average.op.name
            self._swapped_variable_name_map[average.op.name] = variable.op.name
        return group(step, averages, name="train_with_avg")

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Saver:
        """A Saver whose checkpoints have each average under its variable's name, and the variable under the average's.

        var_list: the variables to save, by default all; both of each pair have to be among them.
        Raises: RuntimeError before apply_gradients; ValueError for a variable without its partner.
        """
        names = self._swapped_variable_name_map
        if names is None:
            raise RuntimeError(
                error_text("Must call apply_gradients or minimize before creating the swapping_saver")
            )
        given = global_variables() if var_list is None else var_list
        by_name = dict(given) if isinstance(given, dict) else {variable.op.name: variable for variable in given}
        swapped = {}
        for key, variable in by_name.items():
            partner = names.get(variable.op.name)
            if partner is None:
                swapped[key] = variable
                continue
            keys = [other for other, item in by_name.items() if item.op.name == partner]
            if not keys:
                raise ValueError(
                    error_text(
                        f"Variable to swap {partner} is not part of variables to save. This breaks MovingAverageOptimizer."
                    )
                )
            swapped[key] = by_name[keys[0]]
        return Saver(swapped, name=name, **kwargs)


__all__ = ["MovingAverageOptimizer"]
