"""`while_loop(cond, body, loop_vars)`: the body again and again, as nodes that a run goes round.

For each loop variable: Enter -> Merge -> Switch (by the LoopCond) -> Identity -> the body -> NextIteration -> back to the
Merge, and Exit off the Switch's other side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base import errors
from ...base.dtypes import runtime_name
from ...base.errors import advice, error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...op.constant import constant
from ...ops import basic, control_flow
from ...ops.logic import logical_and
from ...ops.state import ref_identity
from ..framework import nest
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import named, waiting_for
from .contexts import WhileContext, innermost_pivot, is_same_always
from .primitives import exit_, merge, next_iteration, switched
from .shape_invariants import is_as_specific, kept_shapes
from .tensor_array_flows import flow_of, with_flows

_FUNCTION = "give a function of the loop variables, as lambda i: i + 1"


@atomic
def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """The loop variables after `body` was applied to them as long as `cond` held.

    cond, body: functions of the loop variables, called once, when the graph is built. shape_invariants: what holds for the
    variables' shapes in every iteration; otherwise all that is known when they enter. parallel_iterations: so many iterations
    may be under way at a time. back_prop: whether gradients are wanted. swap_memory: is of no meaning here.
    maximum_iterations: ends the loop after so many. return_same_structure: a list of one variable stays a list.

    Raises: TypeError for what is not callable; ValueError without loop variables, and when the body gives another
    structure or less specific shapes than it was given; InvalidArgumentError for another dtype.
    """
    if not callable(cond):
        raise TypeError(error_text("cond must be callable.", fix=_FUNCTION))
    if not callable(body):
        raise TypeError(error_text("body must be callable.", fix=_FUNCTION))
    if parallel_iterations < 1:
        raise TypeError(error_text("parallel_iterations must be a positive integer."))
    try:
        # None is a way to give no variables.
        iter(loop_vars or ()), len(loop_vars or ())
    except (TypeError, ValueError) as error:
        text = str(error).partition("\n")[0]
        raise type(error)(error_text(text, fix="give a list, tuple or other structure of loop variables")) from None
    with named(name, "while", [v for v in nest.flatten(loop_vars) if isinstance(v, Tensor)]):
        if not loop_vars:
            raise ValueError(
                error_text("No loop variables provided", fix="give one at least, such as a counter")
            )
        limit = None
        if maximum_iterations is not None:
            limit = convert_to_tensor(maximum_iterations, name="maximum_iterations")
            if limit.raw_shape != ():
                raise ValueError(
                    error_text(f"maximum_iterations must be a scalar, saw shape: {limit.shape}", [limit])
                )
            lone = len(loop_vars) == 1 and not return_same_structure
            cond, body, loop_vars = _counted(cond, body, loop_vars, limit, lone)
            if shape_invariants is not None:
                shape_invariants = (TensorShape([]), shape_invariants)
        if shape_invariants is not None:
            assert_alike(loop_vars, shape_invariants)
            shape_invariants = [
                shape
                for value, given in zip(nest.flatten(loop_vars), nest.flatten(shape_invariants))
                for shape in kept_shapes(value, given)
            ]
        context = WhileContext(limit, parallel_iterations, back_prop, swap_memory)
        if context.outer is None:
            get_default_graph().add_to_collection(GraphKeys.WHILE_CONTEXT, context)
        given, exits = _build(context, cond, body, loop_vars, shape_invariants)
        leaves = with_flows(nest.flatten(given, expand_composites=True), exits)
        packed = nest.pack_sequence_as(given, leaves, expand_composites=True)
        if limit is not None:
            return packed[1]
        alone = len(exits) == 1 and not return_same_structure and not isinstance(packed, dict)
        return packed[0] if alone else packed


def _counted(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, limit: Tensor, lone: bool
) -> tuple[Callable[..., Any], Callable[..., Any], Any]:
    """The same loop with a counter as its first variable. lone: the other one stands by itself."""
    counter = constant(0, dtype=limit.dtype, name="iteration_counter")
    if lone:
        return (
            lambda i, value: logical_and(i < limit, _called(cond, "cond", [value])),
            lambda i, value: (i + 1, _called(body, "body", [value])),
            (counter, loop_vars[0]),
        )
    return (
        lambda i, values: logical_and(i < limit, _called(cond, "cond", values)),
        lambda i, values: (i + 1, _called(body, "body", values)),
        (counter, loop_vars),
    )


def _build(
    context: WhileContext,
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shapes: list[TensorShape] | None,
) -> tuple[Any, list[Tensor]]:
    """Adds the loop's nodes; what the body gave, and the Exits."""
    given = [
        value if nest.is_composite(value) else convert_to_tensor(flow_of(value))
        for value in nest.flatten(loop_vars)
    ]
    if shapes is None:
        shapes = [shape for value in given for shape in kept_shapes(value)]
    context.parts = [len(nest.flatten([value], expand_composites=True)) for value in given]
    with context:
        entered = _entered(context, nest.flatten(given, expand_composites=True), shapes)
        merges = [merge([tensor, tensor])[0] for tensor in entered]
        context.pivot_for_pred = merges[0]
        goes_on = _called(cond, "cond", _packed(loop_vars, merges))
        with advice(control_flow.ONE_BOOL):
            context.pivot = control_flow.loop_cond(convert_to_tensor(goes_on), name="LoopCond")
        sides = [switched(tensor, context.pivot) for tensor in merges]
        inner = [(ref_identity if yes.dtype.is_ref else basic.identity)(yes) for _, yes in sides]
        context.pivot_for_body = inner[0]
        packed = _packed(loop_vars, inner)
        result = _called(body, "body", packed)
        if not nest.is_nested(result):
            result = [result]
        assert_alike(
            list(packed), list(result), True, "the body must give back as many values as it was given, nested in the same way"
        )
        with advice("the body must return the next value of each loop variable"):
            nexts = [convert_to_tensor(flow_of(value)) for value in nest.flatten(result, expand_composites=True)]
        if len(nexts) != len(merges):
            raise ValueError(
                error_text(f"Number of inputs and outputs of body must match loop_vars: {len(merges)}, {len(nexts)}")
            )
        for merged, value in zip(merges, nexts):
            _close(merged, value)
        exits = context.loop_exits = [exit_(no) for no, _ in sides]
        context.gives(exits)
    return result, exits


def _entered(context: WhileContext, given: list[Tensor], shapes: Sequence[TensorShape]) -> list[Tensor]:
    """The loop variables in the loop's frame, with the shapes that they keep."""
    graph, outer = context.graph, context.outer
    context.begin_with(given)
    real = given if outer is None else [outer.brought_in(tensor) for tensor in given]
    with waiting_for(None):
        entered = [context.enter(tensor, keep_shape=False) for tensor in real]
        for tensor in entered:
            graph.prevent_feeding(tensor)
    pivot = innermost_pivot(outer)
    if pivot is not None:
        # What is the same in every iteration around would otherwise start the loop in all of them at once.
        for tensor in entered:
            if is_same_always(tensor.op.inputs[0].op):
                graph.add_control_input(tensor.op, pivot.op)
    for source, tensor, shape in zip(real, entered, shapes):
        if not is_as_specific(source.shape, shape):
            raise ValueError(
                error_text(
                    f"The shape invariant specified for {source.name} is not compatible with the initial shape of the loop "
                    f"variable. It enters the loop with shape {source.shape}, but the specified shape invariant is {shape}.",
                    [source],
                    f"a shape of which both are cases, {_common(source, shape)}",
                )
            )
        tensor.set_shape(shape)
    context.settle(entered)
    context.begin_with(entered)
    context.loop_enters = entered
    return entered


def _close(merged: Tensor, value: Tensor) -> None:
    """Leads a value that the body gave round to the variable's Merge."""
    after = next_iteration(value)
    source = merged.op.inputs[0].op.inputs[0]
    if not is_as_specific(after.shape, merged.shape):
        raise ValueError(
            error_text(
                f"Input tensor '{source.name}' enters the loop with shape {source.shape}, but has shape {after.shape} after one "
                "iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument of "
                "tf.while_loop to specify a less-specific shape.",
                (source, value),
                f"in shape_invariants, which has one entry for each loop variable: {_common(source, after.shape)}",
            )
        )
    if after.dtype.base_dtype is not merged.dtype.base_dtype:
        # TF itself says this when the graph is first run.
        raise errors.InvalidArgumentError(
            None,
            None,
            error_text(
                f"Input 1 of node {merged.op.name} was passed {runtime_name(after.dtype)} from {after.name} incompatible with "
                f"expected {runtime_name(merged.dtype)}.",
                (source, value),
                "the body must give each loop variable back in its own dtype",
            ),
        )
    merged.graph.update_input(merged.op, 1, after)


def _common(tensor: Tensor, shape: TensorShape) -> str:
    """The narrowest shape that holds for both, as a program writes it."""
    found = tensor.shape.most_specific_compatible_shape(shape).raw
    return f"tf.TensorShape({None if found is None else list(found)})"


def _called(function: Callable[..., Any], word: str, values: Any) -> Any:
    """What the program's function gives for the loop variables."""
    values = list(values)
    try:
        return function(*values)
    except TypeError as error:
        # What goes wrong inside the function is not ours to explain.
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        count = f"{len(values)} loop variable" + ("s" if len(values) > 1 else "")
        raise TypeError(error_text(str(error), fix=f"{word} is called with {count}")) from None


def _packed(loop_vars: Any, tensors: list[Tensor]) -> Any:
    """The tensors in the structure of the loop variables."""
    leaves = with_flows(nest.flatten(loop_vars, expand_composites=True), tensors)
    return nest.pack_sequence_as(loop_vars, leaves, expand_composites=True)


def assert_alike(first: Any, second: Any, expand_composites: bool = False, fix: str | None = None) -> None:
    try:
        nest.assert_same_structure(first, second, expand_composites=expand_composites)
    except (TypeError, ValueError) as error:
        raise type(error)(error_text(str(error), fix=fix)) from None


__all__ = ["while_loop"]
