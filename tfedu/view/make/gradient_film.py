"""From a call of `gradients` to a record: `flow_record(ys, xs, feed_dict)`, turn by turn, with the values of one run.

`gradients` creates its nodes inside a transaction that is rolled back: the graph does not change. No state.
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
from .runs.trace_values import KeptValues

# A gradient below this is too small for a step: float32 numbers near 1 are this far apart.
TINY: Final = 1e-7

DEAD: Final = object()  # the value on a branch that was not taken


@dataclass(frozen=True)
class Values:
    """The values of one run by tensor, and the records of those that are shown in full."""

    of: Mapping[Tensor, Any]
    kept: KeptValues = field(default_factory=KeptValues)


class _RollBack(Exception):
    """Ends the attempt without an error."""

    def __init__(self, record: GradientFlowRecord) -> None:
        super().__init__()
        self.record = record


def flow_record(
    ys: Any,
    xs: Any,
    feed_dict: Any = None,
    *,
    session: Any = None,
    look: Callable[[Graph, Sequence[Any]], None] = lambda graph, gradients: None,
    **options: Any,
) -> GradientFlowRecord:
    """The record of `gradients(ys, xs, **options)`, with the values of a run from `session`'s variables, or initialized ones.

    It has no values where a placeholder that the gradients need is not fed. look: is called with the graph and the result of
    `gradients`, before their nodes are rolled back.
    Raises: as gradients, and as Session.run does for wrong feeds.
    """
    graph = session.graph if session is not None else trace.graph_of_fetches(ys)
    finalized = graph.finalized

    def build_and_undo() -> None:
        with graph.as_default():
            sweep, gradients = recorded_gradients(ys, xs, **options)
            record = _record(graph, sweep, _values(graph, sweep, feed_dict, session))
            look(graph, gradients)
            raise _RollBack(record)

    graph._unsafe_unfinalize()
    try:
        graph.attempt(build_and_undo)
    except _RollBack as rolled_back:
        record = rolled_back.record
    finally:
        if finalized:
            graph.finalize()
    return record


def _values(graph: Graph, sweep: SweepRecorder, feed_dict: Any, session: Any) -> Values:
    wanted = list(dict.fromkeys(t for g in _gradients(sweep) for t in tensors_of(g) if graph.is_fetchable(t)))
    feeds = trace.scratch_session(graph, initialize=False).prepare(wanted[:1], feed_dict).signature.feeds
    if missing_feeds(graph, wanted, feeds):
        return Values({})
    recorded = trace.record(wanted, feed_dict, session=session)
    (run,) = recorded.runs
    if run.is_unfinished:
        return Values({})
    if run.error is not None and run.steps[-1].outcome == "error":  # an error of a node, not a dead fetch
        raise run.error
    outputs = [(t, output) for step in run.steps for t, output in zip(step.op.outputs, step.outputs)]
    tensors = frozenset(wanted)  # a tensor inside a loop has a value for each iteration
    return Values(recorded.fed | {t: DEAD if output.dead else output.value for t, output in outputs if t in tensors})


def missing_feeds(graph: Graph, tensors: Sequence[Tensor], feeds: Iterable[Tensor]) -> list[Tensor]:
    """The placeholders without a feed that these tensors need."""
    fed = frozenset(feeds)
    needed = prune(graph, [tensor.op for tensor in tensors], fed).operations
    return [op.outputs[0] for op in needed if op.type in PLACEHOLDERS and op.outputs[0] not in fed]


def _gradients(sweep: SweepRecorder) -> Iterator[Gradient]:
    for turn in sweep.turns:
        gradients = [*(part for parts in turn.arrived for part in parts), *turn.totals, *(g for _, g in turn.sent)]
        yield from (gradient for gradient in gradients if gradient is not None)


def tensors_of(gradient: Any) -> tuple[Tensor, ...]:
    """The tensors of a gradient; IndexedSlices have two."""
    return (gradient,) if isinstance(gradient, Tensor) else (gradient.values, gradient.indices)


def _record(graph: Graph, sweep: SweepRecorder, values: Values) -> GradientFlowRecord:
    created = [op for turn in sweep.turns for op in (*turn.sums, *turn.created, *turn.pending)]
    ends = [*(y.op for y in sweep.ys), *(x.op for x in sweep.xs)]
    operations = sorted(prune(graph, [*created, *ends]).operations, key=lambda op: op.id)
    turns = tuple([_turn(turn, sweep, values) for turn in sweep.turns])
    results = tuple([_result(x, sweep, values) for x in sweep.xs])
    return GradientFlowRecord(
        record_of(Part(graph, tuple(operations), len(operations) == len(graph.operations))),
        tuple([FetchRecord(y.name, y.name, y.op.id, None) for y in sweep.ys]),
        turns,
        results,
        tuple(values.kept.tensors),
    )


def _turn(turn: Turn, sweep: SweepRecorder, values: Values) -> TurnRecord:
    op = turn.op
    reason = turn.reason
    if op is not None and turn.kind == "rule":
        reason = attr_text(op.attrs.get("_gradient_op_type", ""))
    return TurnRecord(
        kind=turn.kind,
        node=turn.sent[0][0].op.id if op is None else op.id,
        formula=formula(op) if op is not None and turn.kind == "rule" else "",
        reason=reason,
        arrivals=tuple(
            [
                ArrivalRecord(index, tuple([_gradient(part, values) for part in parts]), _maybe(total, values))
                for index, (parts, total) in enumerate(zip(turn.arrived, turn.totals, strict=True))
            ]
        ),
        sums=tuple([node.id for node in turn.sums]),
        made=tuple([node.id for node in turn.created]),
        shares=tuple([_share(index, *sent, sweep, values) for index, sent in enumerate(turn.sent)]),
        pending=tuple([(node.id, count) for node, count in turn.pending.items()]),
    )


def _share(index: int, tensor: Tensor, gradient: Gradient | None, sweep: SweepRecorder, values: Values) -> ShareRecord:
    code: ShareCode = "passed" if tensor.op in sweep.left else "aside"
    if gradient is None:
        code = "none" if is_trainable(tensor.dtype) else "integer"
    return ShareRecord(index, tensor.op.id, tensor.index, code, _maybe(gradient, values))


def _result(x: Any, sweep: SweepRecorder, values: Values) -> DerivativeRecord:
    tensor = x if isinstance(x, Tensor) else x.values
    gradient = sweep.gradient_of(tensor)
    if gradient is None:
        broken = sweep.why_none(tensor)
        at = None if broken.op is None else broken.op.id
        return DerivativeRecord(x.name, tensor.op.id, broken.kind, None, at, broken.reason)
    return DerivativeRecord(x.name, tensor.op.id, "found", _gradient(gradient, values), None, "")


def _maybe(gradient: Gradient | None, values: Values) -> GradientRecord | None:
    return None if gradient is None else _gradient(gradient, values)


def _gradient(gradient: Gradient, values: Values) -> GradientRecord:
    parts = tensors_of(gradient)
    known = [values.of.get(t) for t in parts]
    name, node = parts[0].name, parts[0].op.id
    if any(value is None for value in known):
        return GradientRecord(name, node, "", "")
    if any(value is DEAD for value in known):
        return GradientRecord(name, node, "", "dead")
    tensor = values.kept.record("", known[0]).tensor if len(known) == 1 else None
    return GradientRecord(name, node, " @ ".join(map(value_text, known)), health(known[0]), tensor)


def health(value: Any) -> Health:
    """The health of a gradient: all zero, all tiny, with NaN, with infinity, or fine."""
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
