"""The global step: one integer variable of the graph, a scalar, that counts training steps.

State: the collections GLOBAL_STEP and "global_step_read_op_cache" of each graph.
"""

from __future__ import annotations

from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.framework.graph_keys import GraphKeys
from ...lib.variables.initializers import Zeros
from ...lib.variables.variable_scope import get_variable
from ...lib.variables.variable_settings import VariableAggregation
from ...lib.variables.variables import Variable

_READ = "global_step_read_op_cache"


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The global step's value in a session."""
    return int(sess.run(global_step_tensor))


def get_global_step(graph: Any = None) -> Any:
    """The graph's global step, or None.

    Raises: TypeError for a global step that is not an integer scalar.
    """
    graph = graph or get_default_graph()
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(steps) > 1:
        log.error("Multiple tensors in global_step collection.")
        return None
    if steps:
        step = steps[0]
    else:
        try:
            step = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    assert_global_step(step)
    return step


def create_global_step(graph: Any = None) -> Any:
    """Creates a global step that starts at 0: int64, a scalar.

    Raises: ValueError when the graph has one.
    """
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError(error_text('"global_step" already exists.'))
    with graph.as_default(), graph.name_scope(None):
        return get_variable(
            GraphKeys.GLOBAL_STEP,
            shape=[],
            dtype=dtypes.int64,
            initializer=Zeros(),
            trainable=False,
            aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
        )


def get_or_create_global_step(graph: Any = None) -> Any:
    """The graph's global step, created if it has none."""
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def global_step_read(graph: Any = None) -> Any:
    """A tensor that reads the step, or its initial value before it is initialized; None when the graph has no step.

    Created once in a graph: `global_step/add`.
    """
    graph = graph or get_default_graph()
    reads = graph.get_collection(_READ)
    if reads:
        return reads[0]
    step = get_global_step(graph)
    if step is None:
        return None
    with graph.as_default(), graph.name_scope(None), graph.name_scope(f"{step.op.name}/"):
        read = (step.initialized_value() if isinstance(step, Variable) else step) + 0
        graph.add_to_collection(_READ, read)
    return read


def assert_global_step(global_step_tensor: Any) -> None:
    """Raises: TypeError for anything but a variable or tensor that is an integer scalar."""
    step = global_step_tensor
    if not isinstance(step, (Variable, Tensor)):
        raise TypeError(error_text(f'Existing "global_step" must be a Variable or Tensor: {step}.'))
    if not step.dtype.base_dtype.is_integer:
        raise TypeError(error_text(f'Existing "global_step" does not have integer type: {step.dtype}'))
    if step.shape.ndims != 0 and step.shape.is_fully_defined():
        raise TypeError(error_text(f'Existing "global_step" is not scalar: {step.shape}'))


__all__ = [
    "assert_global_step", "create_global_step", "get_global_step", "get_or_create_global_step", "global_step",
]  # fmt: skip
