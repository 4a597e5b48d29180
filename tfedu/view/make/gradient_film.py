"""From a call of `gradients` to a record: `flow_record(ys, xs, feed_dict)`, turn by turn, with the values of one run.

The nodes are made, looked at and taken back: the graph stays as it was. Beside build.py the only place where views look inside
the engine; not reached through it, since differentiation is read when somebody asks for it. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ...engine.autodiff.backward_loop import Gradient
from ...engine.autodiff.formulas import formula
from ...engine.autodiff.sweep_recorder import SweepRecorder, Turn, recorded_gradients
from ...engine.autodiff.zeros import is_trainable
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Tensor
from ...engine.ops.basic import PLACEHOLDERS
from ...engine.replay import trace
from ...engine.runtime.prune import prune
from ..records import (
    ArrivalRecord,
    DerivativeRecord,
    FetchRecord,
    GradientFlowRecord,
    GradientRecord,
    Health,
    ShareCode,
    ShareRecord,
    TurnRecord,
)
from .graph_records import Part, attr_text, record_of, value_text
from .trace_values import KeptValues

# Not zero, but so little that a step along it moves nothing: float32 numbers near 1 are this far apart.
TINY: Final = 1e-7

DEAD: Final = object()  # stands for the value on a branch that was not taken


@dataclass(frozen=True)
class Values:
    """The values of one run by tensor, and what is kept of their looks."""

    of: Mapping[Tensor, Any]
    kept: KeptValues = field(default_factory=KeptValues)


class _Seen(Exception):
    """All is seen: what was made may go again."""


def flow_record(
    ys: Any,
    xs: Any,
    feed_dict: Any = None,
    *,
    session: Any = None,
    look: Callable[[Graph, Sequence[Any]], None] = lambda graph, gradients: None,
    **options: Any,
) -> GradientFlowRecord:
    """The record of `gradients(ys, xs, **options)`; values are those of a run, from `session`'s variables or initialized ones.

    Without values where a placeholder that the gradients need is not fed. look: is called while the nodes are there, with the
    graph and what `gradients` gives.
    Raises: as gradients, and as Session.run does for wrong feeds.
    """
    graph = session.graph if session is not None else trace.graph_of_fetches(ys)
    finalized = graph.finalized
    graph._unsafe_unfinalize()
    try:
        with graph.as_default(), graph.transaction():
            made, gradients = recorded_gradients(ys, xs, **options)
            values = _values(graph, made, feed_dict, session)
            record = _record(graph, made, values)
            look(graph, gradients)
            raise _Seen
    except _Seen:
        return record
    finally:
        if finalized:
            graph.finalize()


def _values(graph: Graph, made: SweepRecorder, feed_dict: Any, session: Any) -> Values:
    wanted = list(dict.fromkeys(t for g in _gradients(made) for t in tensors_of(g) if graph.is_fetchable(t)))
    feeds = trace.scratch_session(graph, initialize=False).prepare(wanted[:1], feed_dict).signature.feeds
    if missing_feeds(graph, wanted, feeds):
        return Values({})
    told = trace.record(wanted, feed_dict, session=session)
    (run,) = told.runs
    if run.error is not None and run.steps[-1].outcome == "error":  # and not that what is asked for is dead
        raise run.error
    given = [(t, output) for step in run.steps for t, output in zip(step.op.outputs, step.outputs)]
    asked = frozenset(wanted)  # not what lies inside a loop: that has a value an iteration
    return Values(told.fed | {t: DEAD if output.dead else output.value for t, output in given if t in asked})


def missing_feeds(graph: Graph, tensors: Sequence[Tensor], feeds: Iterable[Tensor]) -> list[Tensor]:
    """The placeholders that these tensors need and that are not fed."""
    given = frozenset(feeds)
    needed = prune(graph, [tensor.op for tensor in tensors], given).operations
    return [op.outputs[0] for op in needed if op.type in PLACEHOLDERS and op.outputs[0] not in given]


def _gradients(made: SweepRecorder) -> Iterator[Gradient]:
    for turn in made.turns:
        found = [*(part for parts in turn.arrived for part in parts), *turn.totals, *(g for _, g in turn.sent)]
        yield from (gradient for gradient in found if gradient is not None)


def tensors_of(gradient: Any) -> tuple[Tensor, ...]:
    """Those that make up a gradient; a sparse one has two."""
    return (gradient,) if isinstance(gradient, Tensor) else (gradient.values, gradient.indices)


def _record(graph: Graph, made: SweepRecorder, values: Values) -> GradientFlowRecord:
    told = [op for turn in made.turns for op in (*turn.sums, *turn.created, *turn.pending)]
    ends = [*(y.op for y in made.ys), *(x.op for x in made.xs)]
    shown = sorted(prune(graph, [*told, *ends]).operations, key=lambda op: op.id)
    turns = tuple([_turn(turn, made, values) for turn in made.turns])
    results = tuple([_result(x, made, values) for x in made.xs])
    return GradientFlowRecord(
        record_of(Part(graph, tuple(shown), len(shown) == len(graph.operations))),
        tuple([FetchRecord(y.name, y.name, y.op.id, None) for y in made.ys]),
        turns,
        results,
        tuple(values.kept.tensors),
    )


def _turn(turn: Turn, made: SweepRecorder, values: Values) -> TurnRecord:
    op = turn.op
    reason = turn.reason
    if op is not None and turn.kind == "rule":
        reason = attr_text(op.attrs.get("_gradient_op_type", ""))
    return TurnRecord(
        turn.kind,
        turn.sent[0][0].op.id if op is None else op.id,
        formula(op) if op is not None and turn.kind == "rule" else "",
        reason,
        tuple(
            [
                ArrivalRecord(index, tuple([_gradient(part, values) for part in parts]), _maybe(total, values))
                for index, (parts, total) in enumerate(zip(turn.arrived, turn.totals, strict=True))
            ]
        ),
        tuple([node.id for node in turn.sums]),
        tuple([node.id for node in turn.created]),
        tuple([_share(index, *sent, made, values) for index, sent in enumerate(turn.sent)]),
        tuple([(node.id, count) for node, count in turn.pending.items()]),
    )


def _share(index: int, tensor: Tensor, gradient: Gradient | None, made: SweepRecorder, values: Values) -> ShareRecord:
    code: ShareCode = "passed" if tensor.op in made.left else "aside"
    if gradient is None:
        code = "none" if is_trainable(tensor.dtype) else "integer"
    return ShareRecord(index, tensor.op.id, tensor.index, code, _maybe(gradient, values))


def _result(x: Any, made: SweepRecorder, values: Values) -> DerivativeRecord:
    tensor = x if isinstance(x, Tensor) else x.values
    found = made.gradient_of(tensor)
    if found is None:
        broken = made.why_none(tensor)
        at = None if broken.op is None else broken.op.id
        return DerivativeRecord(x.name, tensor.op.id, broken.kind, None, at, broken.reason)
    return DerivativeRecord(x.name, tensor.op.id, "found", _gradient(found, values), None, "")


def _maybe(gradient: Gradient | None, values: Values) -> GradientRecord | None:
    return None if gradient is None else _gradient(gradient, values)


def _gradient(gradient: Gradient, values: Values) -> GradientRecord:
    parts = tensors_of(gradient)
    held = [values.of.get(t) for t in parts]
    name, node = parts[0].name, parts[0].op.id
    if any(value is None for value in held):
        return GradientRecord(name, node, "", "")
    if any(value is DEAD for value in held):
        return GradientRecord(name, node, "", "dead")
    tensor = values.kept.record("", held[0]).tensor if len(held) == 1 else None
    return GradientRecord(name, node, " @ ".join(map(value_text, held)), health(held[0]), tensor)


def health(value: Any) -> Health:
    """How a gradient's numbers are: none of them more than zero, or than a trifle; or one that is no number, or infinite."""
    numbers = np.asarray(value)
    if numbers.dtype.names is not None or numbers.dtype.kind not in "fciu" or not numbers.size:
        return "fine"
    if np.isnan(numbers).any():
        return "nan"
    if np.isinf(numbers).any():
        return "inf"
    most = np.abs(numbers).max()
    return "zero" if most == 0 else "tiny" if most < TINY else "fine"


__all__ = ["flow_record", "health", "missing_feeds", "tensors_of"]
