"""`gradients(ys, xs)`: the reverse sweep, from the ys back to the xs, one node after the other.

    forward     x ──> s = square(x) ──> y = s + x          y sends a gradient to s and to x, s sends one to x
    backward    dx = dx₁ + dx₂ <── dx₁ = square_grad(ds) <── ds, dx₂ = add_grad(dy) <── dy = 1

Only nodes between the xs and the ys count: those that depend on an x and that a y depends on. `Sweep.pending` says how many
gradients each of them still waits for. At 0 the node is processed: the contributions to each of its outputs are added up
(sums.py), its rule makes the gradients of its inputs (registry.py), and these are sent to the nodes that the inputs
come from. Loops have backward loops (loop_gradients.py). No state.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, TypeVar

from ..base import dtypes
from ..base import site as sites
from ..base.errors import error_text
from ..base.garbage_collection import collection_paused
from ..graph.atomic import atomic
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..graph.history import Differentiated
from ..graph.nodes import Operation, Tensor
from ..graph.scopes import Setting
from ..lib.control import grouping
from ..lib.framework.scope_blocks import name_scope
from ..op.composites import IndexedSlices
from ..ops.control_flow import EXITS
from .arguments import (
    Options,
    UnconnectedGradients,
    as_gradient,
    as_list,
    initial_gradient,
    operation_of,
    values_of,
)
from .backward_loop import Gradient
from .loop_gradients import Loops, check_not_inside, is_loop_switch
from .registry import Rule, rule_of
from .sums import summed
from .zeros import carries_gradients, is_trainable, zeros_of

S = TypeVar("S", bound="Sweep")
_NOTHING: Final = nullcontext()  # a block that changes nothing


@atomic
@collection_paused()
def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """For each x the sum of dy/dx over all ys: a tensor, IndexedSlices, or None where no y depends on it.

    grad_ys: the gradient that each y starts with (None: ones). stop_gradients: tensors that count as constant.
    gate_gradients: a node's gradients are used only when all of them are computed.
    Raises: LookupError for a node that has no gradient; TypeError, ValueError for ys, grad_ys and options that cannot be.
    """
    options = Options(colocate_gradients_with_ops, gate_gradients, aggregation_method, unconnected_gradients)
    return swept(Sweep, ys, xs, grad_ys, name, stop_gradients, options)[1]


def swept(
    sweep_class: type[S], ys: Any, xs: Any, grad_ys: Any, name: str, stop_gradients: Any, options: Options
) -> tuple[S, list[Any]]:
    """What `gradients` returns, and the sweep that made it: a subclass may record what it does (sweep_recorder.py)."""
    options = options.checked()
    ys, xs = as_list(ys), as_list(xs)
    stops = [] if stop_gradients is None else as_list(stop_gradients)
    grad_ys = [None] * len(ys) if grad_ys is None else as_list(grad_ys)
    with name_scope(name, "gradients", [v for v in (*ys, *xs, *stops, *grad_ys) if v is not None]):
        graph = get_default_graph()
        graph.unique_name("uid")  # TF marks the nodes of one call by this name, which is taken then
        nodes_before = len(graph.operations)
        sweep = sweep_class(graph, options)
        targets = [as_gradient(y, f"y_{i}") for i, y in enumerate(ys)]
        sources = [as_gradient(getattr(x, "handle", x), f"x_{i}", as_ref=True) for i, x in enumerate(xs)]
        with graph.attributed_to(sweep.line):
            sweep.run(targets, sources, {operation_of(stop) for stop in stops}, grad_ys)
    with graph.as_default():
        sweep.loops.finish()
        results = [sweep.result(x) for x in sources]
    call = Differentiated(nodes_before, tuple(targets), tuple(sources), tuple(results), sweep.line)
    graph.on_failure(graph.history.forget, call)
    graph.history.differentiated(call)
    return sweep, results


class Sweep:
    """One walk from the ys back to the xs.

    pending: for each node between the xs and the ys, how many gradients it still waits for.
    contributions: for each tensor the gradients that have arrived and are not added up yet.
    totals: for each output of a processed node its gradient, the sum of the contributions. The Switch of a loop variable is
    processed twice (loop_gradients.py).
    ends: the nodes that the sweep does not go past.
    """

    def __init__(self, graph: Graph, options: Options) -> None:
        self.graph = graph
        self.options = options
        self.line = sites.here()
        self.loops = Loops()
        self.pending: dict[Operation, int] = {}
        self.contributions: dict[Tensor, list[Gradient]] = {}
        self.totals: dict[Tensor, Gradient] = {}
        self.ends: set[Operation] = set()
        self.sources: list[Operation] = []

    # -- the sweep ---------------------------------------------------------------------------------------------------------

    def run(self, ys: Sequence[Any], xs: Sequence[Any], stops: set[Operation], grad_ys: Sequence[Any]) -> None:
        """Makes the nodes of the gradients; `result` has them then."""
        starts = self.initial_gradients(ys, grad_ys)
        targets, self.sources = [y.op for y in ys], [x.op for x in xs]
        self.pending = self._count_pending(targets)
        for y, start in zip(ys, starts):
            self.contribute(values_of(y), start)
        queue = deque(dict.fromkeys(op for op in targets if self.pending.get(op) == 0))
        for unused in self.loops.begin(self.pending, set(queue)):
            self.contribute(unused, self.loops.zeros_at_exit(unused))
            queue.append(unused.op)
        first = [op for op in self.sources if not any(self.pending.get(t.op) for t in op.inputs)]
        self.ends = {*first, *stops}
        while queue:
            op = queue.popleft()
            with self._beside(op):
                self.process(op)
            queue.extend(self._ready_after(op))

    def process(self, op: Operation) -> None:
        """Makes the gradients of the node's inputs from those of its outputs, and sends them on."""
        with self.loops.inside(op, outside=True):
            gradients = self.total(op)
        if op in self.ends or gradients.count(None) == len(gradients):
            return
        rule = rule_of(op)
        if rule is not None:
            with self.loops.inside(op):
                check_not_inside(op, self.sources)
                if None in gradients:
                    gradients = self._with_zeros(op, gradients)
                self.send(op, self._apply(rule, op, gradients))

    def total(self, op: Operation) -> list[Gradient | None]:
        """The gradient of each output of the node: the sum of its contributions, None where there is none."""
        gradients = []
        for tensor in op.outputs:
            parts = self.contributions.pop(tensor, None)
            if parts is not None:
                self.totals[tensor] = parts[0] if len(parts) == 1 else summed(op, parts, self.options.aggregation_method)
            gradients.append(self.totals.get(tensor))
        return gradients

    def send(self, op: Operation, gradients: Sequence[Gradient | None]) -> None:
        """Contributes to each input of the node the gradient that the rule made for it."""
        for i, (tensor, gradient) in enumerate(zip(op.inputs, gradients)):
            if gradient is not None:
                if isinstance(gradient, Tensor) and gradient.raw_shape != tensor.raw_shape:
                    _set_shape(gradient, op, i)
                self.contribute(tensor, gradient)

    def contribute(self, tensor: Tensor, gradient: Gradient) -> None:
        """One more gradient arrives at a tensor."""
        self.contributions.setdefault(tensor, []).append(gradient)

    def _ready_after(self, op: Operation) -> Iterator[Operation]:
        """The nodes that have all their gradients now that `op` has sent its own."""
        for tensor in op.inputs:
            source = tensor.op
            left = self.pending.get(source)
            if left is None:
                continue
            self.pending[source] = left = left - 1
            if left == 0 or (left > 0 and is_loop_switch(source)):
                if source.type in EXITS:
                    yield from self._ready_exits(tensor)
                else:
                    yield source

    # -- which nodes, and how often ----------------------------------------------------------------------------------------

    def _count_pending(self, targets: Iterable[Operation]) -> dict[Operation, int]:
        """The nodes between the xs and the ys, each with the number of gradients that it will get."""
        reached = _reached(self.sources)
        between = dict.fromkeys(op for op in targets if op in reached)
        queue = list(between)
        for op in queue:
            for tensor in op.inputs:
                if tensor.op in reached and tensor.op not in between:
                    between[tensor.op] = None
                    queue.append(tensor.op)
        for op in [op for op in between if op.type in EXITS]:
            with self._beside(op):
                # The backward loop needs the gradients of all Exits.
                between.update(dict.fromkeys(tensor.op for tensor in self.loops.add(op)))
        pending = dict.fromkeys(between, 0)
        for op in between:
            for tensor in op.inputs:
                if tensor.op in pending:
                    pending[tensor.op] += 1
        return pending

    def _ready_exits(self, tensor: Tensor) -> list[Operation]:
        """The Exits of a loop, once each of them has got the gradients that there are for it."""
        ready, bare = self.loops.arrived(tensor, self.contributions)
        for unused in bare:
            self.contribute(unused, self.loops.zeros_at_exit(unused))
        return [t.op for t in ready]

    # -- one node ----------------------------------------------------------------------------------------------------------

    def initial_gradients(self, ys: Sequence[Any], grad_ys: Sequence[Any]) -> list[Gradient]:
        """The gradient that each y starts with.

        Raises: ValueError when there is not one for each y.
        """
        if len(grad_ys) != len(ys):
            raise ValueError(error_text(f"Passed {len(grad_ys)} grad_ys for {len(ys)} ys"))
        grad_ys = [None if g is None else as_gradient(g, f"grad_y_{i}") for i, g in enumerate(grad_ys)]
        starts = []
        for i, (y, grad_y) in enumerate(zip(ys, grad_ys)):
            with self._beside(y.op):
                starts.append(initial_gradient(y, grad_y, i))
        return starts

    def _with_zeros(self, op: Operation, gradients: list[Gradient | None]) -> list[Gradient | None]:
        """An output that no gradient arrived at has the gradient zero."""
        return [
            self.loops.zeros_for(op, i) if gradient is None and is_trainable(op.outputs[i].dtype) else gradient
            for i, gradient in enumerate(gradients)
        ]

    def _apply(self, rule: Rule, op: Operation, gradients: Sequence[Gradient | None]) -> Sequence[Gradient | None]:
        """The gradients of the inputs by the node's rule, in a name scope of their own."""
        scope = Setting(self.graph, "_name_scope", self.graph.unique_name(f"{op.name}_grad"))
        quiet = _without_warning() if IndexedSlices in map(type, gradients) else _NOTHING
        with scope, quiet:
            results = rule(op, *gradients)
            if not isinstance(results, (list, tuple)):
                results = (results,)
            if len(results) != len(op.inputs):
                counts = f"Num gradients {len(results)} generated for op {op.name} do not match num inputs {len(op.inputs)}"
                raise ValueError(error_text(counts))
            if self.options.gate_gradients and sum(g is not None for g in results) > 1:
                with self.graph.device(None), self.graph.colocate_with(None, ignore_existing=True):
                    results = grouping.tuple(list(results))
        return results

    def _beside(self, op: Operation) -> AbstractContextManager[Any]:
        return self.graph.colocate_with(op) if self.options.colocate_gradients_with_ops else _NOTHING

    # -- results -----------------------------------------------------------------------------------------------------------

    def result(self, x: Any) -> Gradient | None:
        """The gradient of an x, with zeros for one without if the options ask for them."""
        tensor = values_of(x)
        gradient = self.gradient_of(tensor)
        if gradient is None and self.options.unconnected_gradients is UnconnectedGradients.ZERO:
            if not any(t in self.totals or t in self.contributions for t in tensor.op.outputs):
                return zeros_of(tensor)
        return gradient

    def gradient_of(self, tensor: Tensor) -> Gradient | None:
        """The gradient of an x; None where its node is not between the xs and the ys, or no gradient arrived."""
        return self.totals.get(tensor)


def _reached(sources: Iterable[Operation]) -> set[Operation]:
    """The nodes that depend on the sources by tensors that carry gradients."""
    reached = set(sources)
    todo = list(reached)
    while todo:
        for tensor in todo.pop().outputs:
            if carries_gradients(tensor.dtype):
                consumers = [op for op in tensor.consumers() if op not in reached]
                reached.update(consumers)
                todo.extend(consumers)
    return reached


def _set_shape(gradient: Tensor, op: Operation, index: int) -> None:
    """Gives the gradient the shape of the node's input, as far as that is known; a handle has none.

    Raises: ValueError when the gradient has another.
    """
    tensor = op.inputs[index]
    if tensor.dtype.base_dtype is dtypes.resource:
        return
    try:
        gradient.set_shape(tensor.raw_shape)
    except ValueError:
        raise ValueError(
            error_text(
                "Incompatible shapes between op input and calculated input gradient. Forward operation: "
                f"{op.name}. Input index: {index}. Original input shape: {tensor.shape}. Calculated input gradient "
                f"shape: {gradient.shape}"
            )
        ) from None


@contextmanager
def _without_warning() -> Iterator[None]:
    """A rule may make a sparse gradient dense: the warning about that is meant for programs."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Converting sparse IndexedSlices to a dense Tensor")
        yield


__all__ = ["Gradient", "Sweep", "gradients", "swept"]
