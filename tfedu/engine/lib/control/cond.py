"""`cond(pred, true_fn, false_fn)`: two branches in one graph, of which a run computes one and the other is dead.

What a branch takes from outside comes through a Switch; a node of a branch without inputs waits for the branch's
pivot; a Merge takes the result of the branch that was alive.
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
from .grouping import unpacked_if_single, with_dependencies
from .primitives import merge, switch
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
    """What `true_fn()` gives in runs where `pred` holds, else what `false_fn()` gives.

    Nodes made outside the two functions run in any case. strict: keep a list of one tensor a list.
    Raises: TypeError for a Python bool and for what is not callable; ValueError when the branches' results differ.
    """
    true_fn = _renamed(true_fn, fn1, "true_fn", "fn1")
    false_fn = _renamed(false_fn, fn2, "false_fn", "fn2")
    with named(name, "cond", [pred] if isinstance(pred, Tensor) else []):
        if isinstance(pred, bool):
            fix = "choose in Python (`if pred: … else: …`), or give a bool tensor"
            raise TypeError(error_text("pred must not be a Python bool", fix=fix))
        graph = get_default_graph()
        with advice(control_flow.ONE_BOOL):
            side_false, side_true = switch(pred, pred)
        pivot_true = basic.identity(side_true, name="switch_t")
        pivot_false = basic.identity(side_false, name="switch_f")
        pred = basic.identity(pred, name="pred_id")
        for tensor in (side_true, side_false, pivot_true, pivot_false, pred):
            graph.prevent_fetching(tensor.op)

        yes, yes_given, yes_parts = _branch(true_fn, "true_fn", pred, pivot_true, 1)
        no, no_given, no_parts = _branch(false_fn, "false_fn", pred, pivot_false, 0)
        given = [value if strict else unpacked_if_single(value) for value in (yes_given, no_given)]
        _check_alike(given, [yes_parts, no_parts])
        if not yes_parts:
            raise ValueError(error_text("true_fn and false_fn must return at least one result.", fix=_GIVE))
        for x, y in zip(yes_parts, no_parts):
            if x.dtype.base_dtype is not y.dtype.base_dtype:
                text = f"Outputs of true_fn and false_fn must have the same type: {x.dtype.name}, {y.dtype.name}"
                fix = "whichever branch a run takes, the result has one dtype: tf.cast one of them"
                raise ValueError(error_text(text, (x, y), fix))
        merged = [merge(pair)[0] for pair in zip(no_parts, yes_parts)]
        if yes.outer is None:
            graph.add_to_collection(GraphKeys.COND_CONTEXT, yes)
            graph.add_to_collection(GraphKeys.COND_CONTEXT, no)
        leaves = with_flows(nest.flatten(given[0], expand_composites=True), merged)
        packed = nest.pack_sequence_as(given[0], leaves, expand_composites=True)
        return packed if strict else unpacked_if_single(packed)


def _branch(
    function: Callable[[], Any], word: str, pred: Tensor, pivot: Tensor, branch: int
) -> tuple[CondContext, Any, list[Tensor]]:
    """A branch, what its function gave, and the tensors of the branch that this consists of."""
    context = CondContext(pred, pivot, branch)
    with context:
        value = function()
        if value is None:
            raise ValueError(error_text(f"{word} must have a return value.", fix=_GIVE))
        passed = nest.map_structure(functools.partial(_result, context), value, expand_composites=True)
        parts = nest.flatten(passed, expand_composites=True)
        context.gives(parts)
    return context, value, parts


def _result(context: CondContext, value: Any) -> Tensor:
    """A part of what a branch gives, as a tensor of the branch: for an operation the pivot after it."""
    if isinstance(value, Operation):
        passed: Tensor = with_dependencies([value], context.pivot)
        return passed
    return context.result(convert_to_tensor(flow_of(value)))


def _check_alike(given: list[Any], results: list[list[Tensor]]) -> None:
    """Makes both branches' slices count their rows in one dtype, and holds the branches' structures against each other.

    Raises: TypeError or ValueError when the structures differ.
    """
    try:
        nest.assert_same_structure(*given, expand_composites=True)
        return
    except (TypeError, ValueError):
        pass
    try:
        nest.assert_same_structure(*given)
        _widen(given, results)
        nest.assert_same_structure(*given, expand_composites=True)
    except (TypeError, ValueError) as error:
        kind = "types" if isinstance(error, TypeError) else "values"
        raise type(error)(
            error_text(
                f"Incompatible return {kind} of true_fn and false_fn: {error}",
                fix="both functions must give as many values, nested in the same way",
            )
        ) from None


def _widen(given: list[Any], results: list[list[Tensor]]) -> None:
    """Casts the indices of slices to int64 where one branch has int32 and the other int64."""
    at = 0
    for pair in zip(*map(nest.flatten, given)):
        if all(isinstance(value, IndexedSlices) for value in pair) and pair[0].indices.dtype != pair[1].indices.dtype:
            for value, tensors in zip(pair, results):
                value.indices = cast(value.indices, dtypes.int64)
                tensors[at + 1] = cast(tensors[at + 1], dtypes.int64)
        at += len(nest.flatten(pair[0], expand_composites=True))


def _renamed(function: Any, old: Any, word: str, old_word: str) -> Callable[[], Any]:
    """A branch's function under its present or its older keyword."""
    if old is not None:
        if function is not None:
            raise TypeError(error_text(f"cond(): {word} and {old_word} may not be set simultaneously."))
        function = old
    elif function is None:
        raise TypeError(error_text(f"cond(): {word} argument required"))
    if not callable(function):
        raise TypeError(
            error_text(f"{word} must be callable.", fix="give a function without parameters: lambda: …")
        )
    return function  # type: ignore[no-any-return]


__all__ = ["cond"]
