"""Calls of functions: `function_call(function, store)` compiles the body of a function, to be called again and again.

The body runs as any graph does: pruned, placed, scheduled in the order of creation, compiled. Its random generators start anew
with each `function_call`, as a new iterator's do in TF; variables and other resources are the session's. No state.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

from ..op.function_graph import FunctionGraph
from .interpreter import interpret
from .place import Placer
from .plans.compile import compile_plan
from .plans.plan_loops import NotCompiled
from .prune import prune
from .schedule import schedule
from .store import Store, World


class FunctionCall(NamedTuple):
    """`call(*captured, *arguments)` returns the value of the one output (single), or a list of them; `explain` makes its
    exception the node's error.
    """

    call: Callable[..., Any]
    explain: Callable[[BaseException], BaseException]
    single: bool


def function_call(function: FunctionGraph, store: Store) -> FunctionCall:
    """The function, compiled for this store."""
    own = copy.copy(store)  # the same buffers and resources
    own.generators = {}
    parameters, outputs = function.parameters, tuple(function.outputs)
    scheduled = schedule(Placer().place(prune(function, [t.op for t in outputs], parameters)), None)
    try:
        plan = compile_plan(scheduled, own, outputs)
    except NotCompiled:

        def interpreted(*values: Any) -> Any:
            results = interpret(scheduled, own, dict(zip(parameters, values)), outputs)
            return results[0] if len(results) == 1 else results

        return FunctionCall(interpreted, lambda raised: raised, len(outputs) == 1)
    return FunctionCall(plan.function, plan.explain_failure, len(outputs) == 1)


def _call_of_node(run: World, function: FunctionGraph) -> FunctionCall:
    return function_call(function, run.store)


World.function_call = _call_of_node

__all__ = ["FunctionCall", "function_call"]
