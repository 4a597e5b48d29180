"""`cond(pred, true_fn, false_fn)`: two branches in one graph, of which a run computes one; the other is dead.

A tensor from outside enters a branch through a Switch; a node of a branch without inputs gets a control edge from the
branch's pivot; a Merge takes the result of the branch that is alive.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.errors import advice, error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...op.composites import IndexedSlices
from ...ops import basic, control_flow
from ..framework import nest
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import named
from ..math.math import cast
from .contexts import CondContext
from .grouping import unpack_if_single, with_dependencies
from .primitives import merge, switch
from .recorded import waiting_for_summaries
from .tensor_array_flows import flow_of, with_flows

_GIVE = "return a tensor, or an operation such as tf.no_op()"


@atomic
def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """The result of `true_fn()` in runs where `pred`, a bool scalar, holds, else the result of `false_fn()`.

    Nodes built outside the two functions run in any case. strict: a list of one tensor is returned as a list.

    Raises: TypeError for a Python bool and for a function that is not callable; ValueError when the branches' results
    differ.
    """
    true_fn = _function_argument(true_fn, fn1, "true_fn", "fn1")
    false_fn = _function_argument(false_fn, fn2, "false_fn", "fn2")
    with named(name, "cond", [pred] if isinstance(pred, Tensor) else []):
        if isinstance(pred, bool):
            fix = "choose in Python (`if pred: … else: …`), or pass a bool tensor"
            raise TypeError(error_text("pred must not be a Python bool", fix=fix))
        graph = get_default_graph()
        with advice(control_flow.ONE_BOOL):
            side_false, side_true = switch(pred, pred)
        pivot_true = basic.identity(side_true, name="switch_t")
        pivot_false = basic.identity(side_false, name="switch_f")
        pred = basic.identity(pred, name="pred_id")
        for tensor in (side_true, side_false, pivot_true, pivot_false, pred):
            graph.prevent_fetching(tensor.op)

        true_context, true_result, true_parts = _branch(true_fn, "true_fn", pred, pivot_true, 1)
        false_context, false_result, false_parts = _branch(false_fn, "false_fn", pred, pivot_false, 0)
        results = [value if strict else unpack_if_single(value) for value in (true_result, false_result)]
        _check_alike(results, [true_parts, false_parts])
        if not true_parts:
            raise ValueError(error_text("true_fn and false_fn must return at least one result.", fix=_GIVE))
        for x, y in zip(true_parts, false_parts):
            if x.dtype.base_dtype is not y.dtype.base_dtype:
                text = f"Outputs of true_fn and false_fn must have the same type: {x.dtype.name}, {y.dtype.name}"
                fix = "whichever branch a run takes, the result has one dtype: tf.cast one of them"
                raise ValueError(error_text(text, (x, y), fix))
        merged = [merge(pair)[0] for pair in zip(false_parts, true_parts)]
        if true_context.outer is None:
            graph.add_to_collection(GraphKeys.COND_CONTEXT, true_context)
            graph.add_to_collection(GraphKeys.COND_CONTEXT, false_context)
        leaves = with_flows(nest.flatten(results[0], expand_composites=True), merged)
        packed = nest.pack_sequence_as(results[0], leaves, expand_composites=True)
        return packed if strict else unpack_if_single(packed)


def _branch(
    function: Callable[[], Any], argument_name: str, pred: Tensor, pivot: Tensor, branch: int
) -> tuple[CondContext, Any, list[Tensor]]:
    """A branch's context, its function's result, and the tensors of the branch that make up the result."""
    context = CondContext(pred, pivot, branch)
    with context:
        value = waiting_for_summaries(function)
        if value is None:
            raise ValueError(error_text(f"{argument_name} must have a return value.", fix=_GIVE))
        tensors = nest.map_structure(functools.partial(_result, context), value, expand_composites=True)
        parts = nest.flatten(tensors, expand_composites=True)
        context.export(parts)
    return context, value, parts


def _result(context: CondContext, value: Any) -> Tensor:
    """One leaf of a branch's result as a tensor of the branch; for an operation, the pivot with a control edge from
    it.
    """
    if isinstance(value, Operation):
        pivot_after: Tensor = with_dependencies([value], context.pivot)
        return pivot_after
    return context.result(convert_to_tensor(flow_of(value)))


def _check_alike(results: list[Any], parts: list[list[Tensor]]) -> None:
    """Makes both branches' IndexedSlices use one indices dtype, and compares the branches' structures.

    Raises: TypeError or ValueError when the structures differ.
    """
    try:
        nest.assert_same_structure(*results, expand_composites=True)
        return
    except (TypeError, ValueError):
        pass
    try:
        nest.assert_same_structure(*results)
        _widen_indices(results, parts)
        nest.assert_same_structure(*results, expand_composites=True)
    except (TypeError, ValueError) as error:
        kind = "types" if isinstance(error, TypeError) else "values"
        raise type(error)(
            error_text(
                f"Incompatible return {kind} of true_fn and false_fn: {error}",
                fix="both functions must return the same number of values, nested in the same way",
            )
        ) from None


def _widen_indices(results: list[Any], parts: list[list[Tensor]]) -> None:
    """Casts the indices of IndexedSlices to int64 where one branch has int32 and the other int64."""
    offset = 0
    for pair in zip(*map(nest.flatten, results)):
        if all(isinstance(value, IndexedSlices) for value in pair) and pair[0].indices.dtype != pair[1].indices.dtype:
            for value, tensors in zip(pair, parts):
                value.indices = cast(value.indices, dtypes.int64)
                tensors[offset + 1] = cast(tensors[offset + 1], dtypes.int64)
        offset += len(nest.flatten(pair[0], expand_composites=True))


def _function_argument(function: Any, old: Any, new_word: str, old_word: str) -> Callable[[], Any]:
    """A branch's function passed under its present or its older keyword.

    Raises: TypeError when both or none are passed, or the function is not callable.
    """
    if old is not None:
        if function is not None:
            raise TypeError(error_text(f"cond(): {new_word} and {old_word} may not be set simultaneously."))
        function = old
    elif function is None:
        raise TypeError(error_text(f"cond(): {new_word} argument required"))
    if not callable(function):
        raise TypeError(
            error_text(f"{new_word} must be callable.", fix="pass a function without parameters: lambda: …")
        )
    return function  # type: ignore[no-any-return]


__all__ = ["cond"]
