"""`while_loop(cond, body, loop_vars)`: repeats the body, as nodes that form a cycle.

For each loop variable: Enter -> Merge -> Switch (by the LoopCond) -> Identity -> the body -> NextIteration -> back to
the Merge, and Exit from the Switch's other output.
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
from .contexts import WhileContext, innermost_pivot, is_loop_constant
from .primitives import colocated_switch, exit_, merge, next_iteration
from .recorded import waiting_for_summaries
from .shape_invariants import is_as_specific, kept_shapes
from .tensor_array_flows import flow_of, with_flows
from .variable_names import variable_names

_FUNCTION = "pass a function of the loop variables, such as lambda i: i + 1"


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
    """The loop variables after `body` was applied to them for as long as `cond` returned True, a bool scalar.

    cond, body: functions of the loop variables, each called once, during construction. shape_invariants: the
    variables' static shapes in every iteration, such as [None, 3]; by default their shapes at entry.
    parallel_iterations: the number of iterations that may run concurrently. back_prop: whether gradients are
    supported. swap_memory: has no effect here. maximum_iterations: a limit, a scalar. return_same_structure: a list
    of one variable is returned as a list.

    Raises: TypeError for a `cond` or `body` that is not callable; ValueError without loop variables, or when the body
    returns another structure or less specific shapes; InvalidArgumentError for another dtype.
    """
    if not callable(cond):
        raise TypeError(error_text("cond must be callable.", fix=_FUNCTION))
    if not callable(body):
        raise TypeError(error_text("body must be callable.", fix=_FUNCTION))
    if parallel_iterations < 1:
        raise TypeError(error_text("parallel_iterations must be a positive integer."))
    try:
        # None counts as no variables.
        iter(loop_vars or ()), len(loop_vars or ())
    except (TypeError, ValueError) as error:
        text = str(error).partition("\n")[0]
        raise type(error)(error_text(text, fix="pass a list, tuple or other structure of loop variables")) from None
    with named(name, "while", [v for v in nest.flatten(loop_vars) if isinstance(v, Tensor)]):
        if not loop_vars:
            raise ValueError(
                error_text("No loop variables provided", fix="pass at least one, such as a counter")
            )
        limit = None
        names = variable_names((body, cond), loop_vars)
        if maximum_iterations is not None:
            limit = convert_to_tensor(maximum_iterations, name="maximum_iterations")
            if limit.raw_shape != ():
                raise ValueError(
                    error_text(f"maximum_iterations must be a scalar, saw shape: {limit.shape}", [limit])
                )
            is_single = len(loop_vars) == 1 and not return_same_structure
            cond, body, loop_vars = _with_counter(cond, body, loop_vars, limit, is_single)
            names = ["iteration", *names]
            if shape_invariants is not None:
                shape_invariants = (TensorShape([]), shape_invariants)
        if shape_invariants is not None:
            assert_alike(loop_vars, shape_invariants)
            shape_invariants = [
                shape
                for value, invariant in zip(nest.flatten(loop_vars), nest.flatten(shape_invariants))
                for shape in kept_shapes(value, invariant)
            ]
        context = WhileContext(limit, parallel_iterations, back_prop, swap_memory)
        context.variable_names = names
        if context.outer is None:
            get_default_graph().add_to_collection(GraphKeys.WHILE_CONTEXT, context)
        invariant, exits = _build(context, cond, body, loop_vars, shape_invariants)
        leaves = with_flows(nest.flatten(invariant, expand_composites=True), exits)
        packed = nest.pack_sequence_as(invariant, leaves, expand_composites=True)
        if limit is not None:
            return packed[1]
        unpacks = len(exits) == 1 and not return_same_structure and not isinstance(packed, dict)
        return packed[0] if unpacks else packed


def _with_counter(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, limit: Tensor, is_single: bool
) -> tuple[Callable[..., Any], Callable[..., Any], Any]:
    """The same loop with an iteration counter as its first variable. is_single: the other variable is not in a list."""
    counter = constant(0, dtype=limit.dtype, name="iteration_counter")
    if is_single:
        return (
            lambda i, value: logical_and(i < limit, _call(cond, "cond", [value])),
            lambda i, value: (i + 1, _call(body, "body", [value])),
            (counter, loop_vars[0]),
        )
    return (
        lambda i, values: logical_and(i < limit, _call(cond, "cond", values)),
        lambda i, values: (i + 1, _call(body, "body", values)),
        (counter, loop_vars),
    )


def _build(
    context: WhileContext,
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shapes: list[TensorShape] | None,
) -> tuple[Any, list[Tensor]]:
    """Adds the loop's nodes; returns the body's result and the Exits."""
    variables = [
        value if nest.is_composite(value) else convert_to_tensor(flow_of(value))
        for value in nest.flatten(loop_vars)
    ]
    if shapes is None:
        shapes = [shape for value in variables for shape in kept_shapes(value)]
    context.parts = [len(nest.flatten([value], expand_composites=True)) for value in variables]
    with context:
        entered = _enter_variables(context, nest.flatten(variables, expand_composites=True), shapes)
        merges = [merge([tensor, tensor])[0] for tensor in entered]
        context.pivot_for_pred = merges[0]
        condition = _call(cond, "cond", _pack_variables(loop_vars, merges))
        with advice(control_flow.ONE_BOOL):
            context.pivot = control_flow.loop_cond(convert_to_tensor(condition), name="LoopCond")
        sides = [colocated_switch(tensor, context.pivot) for tensor in merges]
        inner = [(ref_identity if true_side.dtype.is_ref else basic.identity)(true_side) for _, true_side in sides]
        context.pivot_for_body = inner[0]
        packed = _pack_variables(loop_vars, inner)
        result = waiting_for_summaries(lambda: _call(body, "body", packed))
        if not nest.is_nested(result):
            result = [result]
        assert_alike(
            list(packed), list(result), True, "the body must return one value for each loop variable, nested in the same way"
        )
        with advice("the body must return the next value of each loop variable"):
            nexts = [convert_to_tensor(flow_of(value)) for value in nest.flatten(result, expand_composites=True)]
        if len(nexts) != len(merges):
            raise ValueError(
                error_text(f"Number of inputs and outputs of body must match loop_vars: {len(merges)}, {len(nexts)}")
            )
        for merged, value in zip(merges, nexts):
            _close_cycle(merged, value)
        exits = context.loop_exits = [exit_(false_side) for false_side, _ in sides]
        context.export(exits)
    return result, exits


def _enter_variables(context: WhileContext, variables: list[Tensor], shapes: Sequence[TensorShape]) -> list[Tensor]:
    """The loop variables in the loop's frame, with their invariant shapes."""
    graph, outer = context.graph, context.outer
    context.set_visible(variables)
    outer_values = variables if outer is None else [outer.import_tensor(tensor) for tensor in variables]
    with waiting_for(None):
        entered = [context.enter(tensor, keep_shape=False) for tensor in outer_values]
        for tensor in entered:
            graph.prevent_feeding(tensor)
    pivot = innermost_pivot(outer)
    if pivot is not None:
        # A value that the enclosing loop keeps constant would otherwise start this loop in all its iterations at once.
        for tensor in entered:
            if is_loop_constant(tensor.op.inputs[0].op):
                graph.add_control_input(tensor.op, pivot.op)
    for source, tensor, shape in zip(outer_values, entered, shapes):
        if not is_as_specific(source.shape, shape):
            raise ValueError(
                error_text(
                    f"The shape invariant specified for {source.name} is not compatible with the initial shape of the loop "
                    f"variable. It enters the loop with shape {source.shape}, but the specified shape invariant is {shape}.",
                    [source],
                    f"pass a shape that covers both: {_common(source, shape)}",
                )
            )
        tensor.set_shape(shape)
    context.adopt_enters(entered)
    context.set_visible(entered)
    context.loop_enters = entered
    return entered


def _close_cycle(merged: Tensor, value: Tensor) -> None:
    """Adds the NextIteration from the body's value back to the variable's Merge.

    Raises: ValueError for a less specific shape, InvalidArgumentError for another dtype.
    """
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
        # TF raises this error when the graph is first run.
        raise errors.InvalidArgumentError(
            None,
            None,
            error_text(
                f"Input 1 of node {merged.op.name} was passed {runtime_name(after.dtype)} from {after.name} incompatible with "
                f"expected {runtime_name(merged.dtype)}.",
                (source, value),
                "the body must return each loop variable in its own dtype",
            ),
        )
    merged.graph.update_input(merged.op, 1, after)


def _common(tensor: Tensor, shape: TensorShape) -> str:
    """The most specific shape that covers both, as Python source."""
    common = tensor.shape.most_specific_compatible_shape(shape).raw
    return f"tf.TensorShape({None if common is None else list(common)})"


def _call(function: Callable[..., Any], argument_name: str, values: Any) -> Any:
    """The result of the program's function for the loop variables."""
    values = list(values)
    try:
        return function(*values)
    except TypeError as error:
        # An error from inside the function keeps its own text.
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        count = f"{len(values)} loop variable" + ("s" if len(values) > 1 else "")
        raise TypeError(error_text(str(error), fix=f"{argument_name} is called with {count}")) from None


def _pack_variables(loop_vars: Any, tensors: list[Tensor]) -> Any:
    """The tensors in the structure of the loop variables."""
    leaves = with_flows(nest.flatten(loop_vars, expand_composites=True), tensors)
    return nest.pack_sequence_as(loop_vars, leaves, expand_composites=True)


def assert_alike(first: Any, second: Any, expand_composites: bool = False, fix: str | None = None) -> None:
    """Raises: ValueError or TypeError when the structures differ; `fix` is added to the message."""
    try:
        nest.assert_same_structure(first, second, expand_composites=expand_composites)
    except (TypeError, ValueError) as error:
        raise type(error)(error_text(str(error), fix=fix)) from None


__all__ = ["while_loop"]
