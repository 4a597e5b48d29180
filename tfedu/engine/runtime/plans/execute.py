"""Execute: the last stage of a run, from fed values to fetched ones. `execute_plan(plan, values)` calls the compiled function.

`interpret(schedule, …)` (interpreter.py) does the same node by node: the first run of a graph, traces and stepping.

NumPy's warnings are off in a context of each thread, which a call enters at a tenth of the cost of `np.errstate`: with that, a
run of a small graph would take twice as long. State: `quiet`, the contexts.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .compile import Plan


class Quiet(threading.local):
    """A context of each thread in which NumPy computes inf and nan without warnings, as TF does.

    `quiet.context.run(function, *values)` raises RuntimeError in a run inside a run of the same thread (`is_nested`).
    """

    def __init__(self) -> None:
        self.context = contextvars.copy_context()
        self.context.run(np.seterr, all="ignore")


quiet: Final = Quiet()


def is_nested(raised: BaseException) -> bool:
    """Whether the thread is in its quiet context already."""
    return type(raised) is RuntimeError and "already entered" in str(raised)


def execute_plan(plan: Plan, values: Sequence[Any]) -> Any:
    """The plan's result for these fed values: one value, or a list of them.

    Raises: the failing node's error.
    """
    try:
        try:
            return quiet.context.run(plan.function, *values)
        except RuntimeError as error:
            if not is_nested(error):
                raise
        with np.errstate(all="ignore"):
            return plan.function(*values)
    except BaseException as raised:
        raise plan.explain_failure(raised)  # noqa: B904 - it has its cause


__all__ = ["execute_plan", "is_nested", "quiet"]
