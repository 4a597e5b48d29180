"""Small programs that run, built from op types, so that tests of traces need nothing above the engine."""

from __future__ import annotations

import numpy as np

from tfedu.engine.base import dtypes
from tfedu.engine.graph import Graph, Operation, Tensor, get_default_graph
from tfedu.engine.ops import basic, state
from tfedu.engine.replay.trace import Trace, record
from tfedu.engine.runtime.session import Session


def variable(value: float, name: str = "Variable") -> tuple[Tensor, Operation, Tensor]:
    """A reference variable: (the variable, its initializer, its `read`)."""
    graph = get_default_graph()
    ref = state.variable_v2(shape=(), dtype=dtypes.float32, name=name)
    with graph.name_scope(f"{name}/"):
        first = basic.const(value=np.float32(value), dtype=dtypes.float32, name="initial_value")
        assign = state.assign(ref, first, name="Assign")
        read = basic.identity(ref, name="read")
    return ref, assign.op, read


def counter(identity: bool) -> tuple[Tensor, Operation]:
    """y under `control_dependencies([assign_add(x, 1)])` in a graph of its own, and x's initializer."""
    graph = Graph()
    with graph.as_default():
        ref, init, read = variable(0.0)
        step = state.assign_add(ref, basic.const(value=np.float32(1), dtype=dtypes.float32, name="one"))
        with graph.control_dependencies([step]):
            y = basic.identity(read) if identity else read
    return y, init


def traced(identity: bool, runs: int = 3) -> Trace:
    y, init = counter(identity)
    session = Session(graph=y.graph)
    session.run(init)
    return record(y, runs=runs, session=session)
