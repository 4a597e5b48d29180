"""`gradients(ys, xs)`: one node after the other, from the ys back to the xs, gets the nodes of its gradient.

A node has its turn when the gradients of all its outputs are there: `pending` counts the nodes between the ys and the xs that
still have to send theirs. What arrives at one output over several ways is added up; then the node's rule is asked, and what it
gives goes on to the node's inputs. Loops are gone back through in loops of their own (loops.py, way_back.py). No state.
"""

from __future__ import annotations

import enum
import warnings
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from ..base import dtypes
from ..base import site as sites
from ..base.uncollected import uncollected
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.graph import Graph
from ..graph.history import Differentiated
from ..graph.nodes import Operation, Tensor
from ..graph.patterns import Pattern, stamp, take_back
from ..graph.stacks import get_default_graph
from ..lib import array, flow, math, products
from ..lib.contexts import EXITS, WhileContext
from ..lib.failing import said
from ..lib.scope import name_scope
from ..ops import basic
from ..ops.composites import IndexedSlices
from ..ops.convert import constant
from . import rules
from .loops import SWITCHES, Loops, is_loop_switch
from .recipes import Recipes, is_local, kind_of, tensors_of
from .registry import Rule, rule_of
from .zeros import CARRYING, is_trainable, zeros_for, zeros_of

Gradient = Tensor | IndexedSlices
S = TypeVar("S", bound="Sweep")


class UnconnectedGradients(enum.Enum):
    """What stands for the gradient of something that the ys do not depend on."""

    NONE = "none"
    ZERO = "zero"


class AggregationMethod:
    """How contributions to one gradient are added."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


@atomic
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

    grad_ys: what each dy begins with (None: ones). stop_gradients: what counts as constant. gate_gradients: all gradients
    of a node are there before one is used.
    Raises: LookupError for a node that has no gradient; TypeError, ValueError for ys, grad_ys and options that cannot be.
    """
    with uncollected():
        return swept(
            Sweep, ys, xs, grad_ys, name, colocate_gradients_with_ops, gate_gradients, aggregation_method, stop_gradients,
            unconnected_gradients,
        )[1]  # fmt: skip


def swept(
    kind: type[S],
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> tuple[S, list[Any]]:
    """What `gradients` gives, and the sweep that made it: of another kind, it may note what it does (film.py)."""
    rules.load()
    try:
        unconnected = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        raise ValueError(said(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}")) from None
    method = AggregationMethod.DEFAULT if aggregation_method is None else aggregation_method
    if method not in (0, 1, 2):
        raise ValueError(said(f"Invalid aggregation_method specified {aggregation_method}."))
    ys, xs, stops = _listed(ys), _listed(xs), [] if stop_gradients is None else _listed(stop_gradients)
    seeds = [None] * len(ys) if grad_ys is None else _listed(grad_ys)
    with name_scope(name, "gradients", [v for v in (*ys, *xs, *stops, *seeds) if v is not None]):
        graph = get_default_graph()
        graph.unique_name("uid")  # TF marks the nodes of one call by it, and takes the name
        sweep = kind(graph, colocate_gradients_with_ops, gate_gradients, method)
        before = len(graph.operations)
        targets = [_element(y, "y", i) for i, y in enumerate(ys)]
        sources = [_element(getattr(x, "handle", x), "x", i, as_ref=True) for i, x in enumerate(xs)]
        sweep.run(targets, sources, [_parts(s) for s in stops], seeds)
    with graph.as_default():
        if sweep.loops is not None:
            sweep.loops.finish()
        found = [sweep.result(x, unconnected) for x in sources]
    call = Differentiated(before, tuple(targets), tuple(sources), tuple(found), sweep.line)
    graph.history.differentiated(call)
    graph.on_failure(graph.history.forget, call)
    return sweep, found


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _element(value: Any, name: str, index: int, as_ref: bool = False) -> Any:
    if isinstance(value, IndexedSlices):
        return value
    return convert_to_tensor(value, name=f"{name}_{index}", as_ref=as_ref)


def _parts(value: Any) -> Operation:
    found: Operation = getattr(value, "handle", value).op
    return found


def _is_rows(gradient: Any) -> bool:
    return isinstance(gradient, IndexedSlices)


class Sweep:
    """One walk backwards: which nodes lie between, what they still wait for, and the gradients that have arrived.

    pending: for each node on a way from the xs to the ys, for how many gradients it still waits.
    arrived: for each tensor the contribution so far, a list where there are several, their sum once its node had its turn.
    turned: which nodes had their turn, where there are loops: a loop variable's Switch has two.
    loops: the loops that lie between, None where there are none. in_strokes: whether recipes may be used.
    """

    in_strokes = True

    def __init__(self, graph: Graph, beside: bool, gated: bool, method: int) -> None:
        self.graph = graph
        self.beside = beside
        self.gated = gated
        self.method = method
        self.arrived: dict[Tensor, Any] = {}
        self.turned: set[Operation] = set()
        self.pending: dict[Operation, int] = {}
        self.loops: Loops | None = None
        self.sources: list[Operation] = []
        self.line = sites.here()
        self._rules: dict[Any, tuple[Rule | None, sites.RawSite | None, bool]] = {}
        self.recipes = Recipes(graph, gated) if self.in_strokes and not beside and Recipes.suit(graph) else None

    def run(
        self, ys: Sequence[Any], xs: Sequence[Any], stops: Iterable[Operation], seeds: Sequence[Any]
    ) -> None:
        """Makes the nodes; `result` has the gradients then."""
        starts = self._starts(ys, seeds)
        sources = self.sources = [x.op for x in xs]
        reached = _reached(sources)
        wanted = [y.op for y in ys if y.op in reached]
        self._count([y.op for y in ys], reached)
        if self.loops is not None or any(getattr(s, "op", None) is not None and s.op._context is not None for s in starts):
            self.recipes = None
        for y, start in zip(ys, starts):
            self.contribute(y if isinstance(y, Tensor) else y.values, start)
        queue = deque(dict.fromkeys(op for op in wanted if not self.pending[op]))
        loops = self.loops
        if loops is not None:
            queue.extend(self._open_loops(loops, set(queue)))
        ends = {op for op in sources if not any(self.pending.get(t.op) for t in op.inputs)}
        ends.update(stops)
        if self.recipes is None:
            self._walk(queue, ends)
        else:
            self._walk_by_recipes(self.recipes, queue, ends)

    def _walk(self, queue: deque[Operation], ends: set[Operation]) -> None:
        """Gives each node of the queue its turn, and each that waits for none any more then."""
        pending, loops = self.pending, self.loops
        while queue:
            op = queue.popleft()
            if self.beside:
                with self.graph.colocate_with(op):
                    self._visit(op, ends)
            else:
                self._visit(op, ends)
            for tensor in op.inputs:
                above = tensor.op
                left = pending.get(above)
                if left is not None:
                    left = pending[above] = left - 1
                    if loops is None:
                        if not left:
                            queue.append(above)
                    elif not left or (left > 0 and is_loop_switch(above)):
                        queue.extend(self._exits(loops, tensor) if above.type in EXITS else (above,))

    def _walk_by_recipes(self, recipes: Recipes, queue: deque[Operation], ends: set[Operation]) -> None:
        """The same where there are no loops. A node whose recipe is known has its whole turn here, without a call but `stamp`:
        thousands of them may come."""
        graph, arrived, pending, usual, first = self.graph, self.arrived, self.pending, recipes.usual, recipes.first
        names, nodes, journal, line = graph._names, graph._nodes, graph._journal, self.line
        assert journal is not None
        inside = f"{graph._name_scope}/" if graph._name_scope else ""
        noted = -1  # how long the journal was when it last said how to take back what is stamped
        while queue:
            op = queue.popleft()
            inputs = op.inputs
            recipe = usual.get(id(op.attrs))
            g = None if recipe is None or op in ends else arrived.get(op._output)
            if type(g) is list:
                (g,) = self._summed(op)
            if type(g) is Tensor:
                shape, dtype, pattern, fits, devices = recipe
                count = len(inputs)
                # What `is_usual` asks.
                if g.op.id >= first and g.dtype is dtype and g.raw_shape == shape and op._context is None and (
                    count == 1
                    or (inputs[0].op is not inputs[-1].op and (count == 2 or len({t.op for t in inputs}) == count))
                ) and (devices is None or devices == [t.op.device for t in (*inputs, op._output, g)]):  # fmt: skip
                    scope = f"{inside}{op.name}_grad"
                    small = scope.lower()
                    is_new = small not in names
                    if not is_new:
                        scope = graph.unique_name(f"{op.name}_grad")
                        small = scope.lower()
                    if len(journal) != noted:
                        journal.append((take_back, graph, len(nodes), len(names)))
                        noted = len(journal)
                    if is_new:
                        names[small] = 1
                    tensors = [*inputs, op._output, g]
                    if pattern.nodes and not stamp(graph, pattern, scope, small, tensors, line):
                        self._apply_rule(op, [g], scope)
                    elif fits:
                        for tensor, found in zip(inputs, pattern.results):
                            above = tensor.op
                            left = pending.get(above)
                            if left is None:
                                continue
                            if found >= 0:
                                known = arrived.get(tensor)
                                if known is None:
                                    arrived[tensor] = tensors[found]
                                elif type(known) is list:
                                    known.append(tensors[found])
                                else:
                                    arrived[tensor] = [known, tensors[found]]
                            pending[above] = left = left - 1
                            if not left:
                                queue.append(above)
                        continue
                    else:
                        self._pass_on(op, pattern.answer(tensors))
                else:
                    self._apply_rule(op, [g])
            else:
                self._visit(op, ends)
            for tensor in inputs:
                above = tensor.op
                left = pending.get(above)
                if left is not None:
                    pending[above] = left = left - 1
                    if not left:
                        queue.append(above)

    def _open_loops(self, loops: Loops, targets: set[Operation]) -> list[Operation]:
        """The Exits that have their turn at once, with zeros."""
        unused = [t for t in loops.unused(self.pending, targets) if is_trainable(t.dtype)]
        for way in loops.ways.values():
            for entered in way.forward_context.loop_enters:
                # A loop variable that begins with a constant has a gradient too.
                if not self.pending.get(entered.op):
                    self.pending[entered.op] = 1
        for tensor in unused:
            self.contribute(tensor, loops.zeros_at_exit(tensor))
        return [t.op for t in unused]

    def _exits(self, loops: Loops, tensor: Tensor) -> list[Operation]:
        """The Exits of a loop, once all of them got what there is for them."""
        ready, bare = loops.arrived(tensor, lambda op: any(t in self.arrived for t in op.outputs))
        for exited in bare:
            self.contribute(exited, loops.zeros_at_exit(exited))
        return [t.op for t in ready]

    def _visit(self, op: Operation, ends: set[Operation]) -> None:
        loops = self.loops
        if loops is None:
            given = self._summed(op)
        else:
            with loops.inside(op, outside=True):
                given = self._summed(op)
            self.turned.add(op)
        if op in ends or given.count(None) == len(given):
            return
        if loops is None:
            self._apply_rule(op, given)
        else:
            with loops.inside(op):
                self._apply_rule(op, given)

    def _count(self, targets: Iterable[Operation], reached: set[Operation]) -> None:
        """Finds the nodes on a way from the xs to the ys: for how many gradients each of them waits."""
        pending = self.pending
        pending.update(dict.fromkeys([op for op in targets if op in reached], 0))
        queue = list(pending)
        for op in queue:
            for tensor in op.inputs:
                above = tensor.op
                known = pending.get(above)
                if known is not None:
                    pending[above] = known + 1
                elif above in reached:
                    pending[above] = 1
                    queue.append(above)
        exits = [op for op in pending if op.type in EXITS]
        if exits:
            between = dict.fromkeys(pending)
            for op in exits:
                if self.loops is None:
                    self.loops = Loops()
                with self._at(op):
                    for tensor in self.loops.add(op):
                        between.setdefault(tensor.op)
            pending.clear()
            pending.update(dict.fromkeys(between, 0))
            for op in between:
                for tensor in op.inputs:
                    if tensor.op in between:
                        pending[tensor.op] += 1

    def _starts(self, ys: Sequence[Any], seeds: Sequence[Any]) -> list[Any]:
        if len(seeds) != len(ys):
            raise ValueError(said(f"Passed {len(seeds)} grad_ys for {len(ys)} ys"))
        seeds = [s if s is None else _element(s, "grad_y", i) for i, s in enumerate(seeds)]
        starts = []
        for i, (y, seed) in enumerate(zip(ys, seeds)):
            with self._at(y.op):
                starts.append(_ones(y, i) if seed is None else _started(y, seed, i))
        return starts

    def _at(self, op: Operation) -> AbstractContextManager[Any]:
        return self.graph.colocate_with(op) if self.beside else nullcontext()

    def contribute(self, tensor: Tensor, gradient: Any) -> None:
        """One more way over which a gradient arrives at a tensor."""
        arrived = self.arrived
        known = arrived.get(tensor)
        if known is None or tensor.op in self.turned:
            arrived[tensor] = gradient
        elif type(known) is list:
            known.append(gradient)
        else:
            arrived[tensor] = [known, gradient]

    def _summed(self, op: Operation) -> list[Any]:
        arrived = self.arrived
        given = []
        for tensor in op.outputs if op._output is None else (op._output,):
            known = arrived.get(tensor)
            if type(known) is list:
                known = arrived[tensor] = self._sum(op, known)
            given.append(known)
        return given

    def _sum(self, op: Operation, parts: Sequence[Any]) -> Any:
        kinds = set(map(type, parts))
        if IndexedSlices in kinds:
            # With a dense part among them all become dense.
            return summed_slices(parts) if len(kinds) == 1 else products.add_n(list(parts))
        if self.method == AggregationMethod.EXPERIMENTAL_ACCUMULATE_N and len(parts) > 2:
            if any(part.shape.is_fully_defined() for part in parts):
                return products.accumulate_n(parts)
        if self.method != AggregationMethod.ADD_N:
            with name_scope(f"{op.name}_gradient_sum"):
                total = parts[0]
                for part in parts[1:]:
                    total = products.add_n([total, part])
                return total
        sums = []
        for device in sorted({part.op.device for part in parts}):
            there = [part for part in parts if part.op.device == device]
            with self.graph.colocate_with(there[0].op, ignore_existing=True):
                sums.append(products.add_n(there))
        return products.add_n(sums)

    def _apply_rule(self, op: Operation, given: list[Any], scope: str | None = None) -> None:
        graph, recipes, kind = self.graph, self.recipes, None
        # Thousands of nodes have few types: which rule is theirs is asked once for each.
        name = op.attrs.get("_gradient_op_type", op.type)
        known = self._rules.get(name)
        if known is None:
            rule = rule_of(op)
            # What a rule of tfedu's makes stands for the line that asked for gradients; a program's has lines of its own.
            is_own = (getattr(rule, "__module__", None) or "").startswith(rules.__name__)
            self._rules[name] = rule, self.line if is_own else None, is_own and is_local(rule)
            made_for = self._rules[name][1]
        else:
            rule, made_for, repeats = known
            if repeats and recipes is not None:  # the first of a type may be the only one
                kind = kind_of(op, given)
        if rule is None:
            return
        if kind is not None and scope is None:
            assert recipes is not None
            pattern = recipes.states.get(kind)
            if type(pattern) is Pattern:
                scope = graph.unique_name(f"{op.name}_grad")
                graph.on_failure(take_back, graph, len(graph._nodes), len(graph._names))
                tensors = tensors_of(op, given)
                if stamp(graph, pattern, scope, scope.lower(), tensors, self.line):
                    self._pass_on(op, pattern.answer(tensors))
                    return
        if op.type in SWITCHES and isinstance(op._context, WhileContext) and op._context is graph._context:
            raise ValueError(said(_into_the_loop(op, self.sources)))
        gradients = given
        if None in given:  # an output that nothing depends on has the gradient zero
            zeros = zeros_for if self.loops is None else self.loops.zeros_for
            gradients = [zeros(op, i) if g is None and is_trainable(op.outputs[i].dtype) else g for i, g in enumerate(given)]
        if scope is None:
            scope = graph.unique_name(f"{op.name}_grad")
        ask = lambda: self._asked(op, rule, gradients, scope, made_for)
        self._pass_on(op, ask() if kind is None or recipes is None else recipes.asked(kind, op, given, ask, scope))

    def _asked(
        self, op: Operation, rule: Rule, gradients: list[Any], scope: str, made_for: sites.RawSite | None
    ) -> Sequence[Any]:
        """What the rule gives for each input."""
        graph = self.graph
        outer, line = graph._name_scope, graph._line
        graph._name_scope = scope
        graph._line = made_for
        try:
            if any(map(_is_rows, gradients)):
                # A rule that makes rows dense does what it must: the warning is for programs.
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", message="Converting sparse IndexedSlices to a dense Tensor")
                    found = rule(op, *gradients)
            else:
                found = rule(op, *gradients)
            if not isinstance(found, (list, tuple)):
                found = (found,)
            if len(found) != len(op.inputs):
                raise ValueError(
                    said(f"Num gradients {len(found)} generated for op {op.name} do not match num inputs {len(op.inputs)}")
                )
            if self.gated and sum(g is not None for g in found) > 1:
                with graph.device(None), graph.colocate_with(None, ignore_existing=True):
                    found = flow.tuple(list(found))
        finally:
            graph._name_scope, graph._line = outer, line
        return found

    def _pass_on(self, op: Operation, found: Sequence[Any]) -> None:
        """Sends each input what the rule found for it."""
        for i, (tensor, gradient) in enumerate(zip(op.inputs, found)):
            if gradient is None:
                continue
            if type(gradient) is Tensor and gradient.raw_shape == tensor.raw_shape:
                self.contribute(tensor, gradient)
                continue
            unlike = isinstance(gradient, Tensor) and gradient.raw_shape != tensor.raw_shape
            if unlike and tensor.dtype.base_dtype is not dtypes.resource:
                try:
                    gradient.set_shape(tensor.raw_shape)
                except ValueError:
                    raise ValueError(
                        said(
                            "Incompatible shapes between op input and calculated input gradient. Forward operation: "
                            f"{op.name}. Input index: {i}. Original input shape: {tensor.shape}. Calculated input gradient "
                            f"shape: {gradient.shape}"
                        )
                    ) from None
            self.contribute(tensor, gradient)

    def result(self, x: Any, unconnected: UnconnectedGradients) -> Any:
        """The gradient of one x."""
        tensor = x if isinstance(x, Tensor) else x.values
        found = self.found(tensor)
        if found is None and unconnected is UnconnectedGradients.ZERO and self.arrived.keys().isdisjoint(tensor.op.outputs):
            return zeros_of(tensor)
        return found

    def found(self, tensor: Tensor) -> Gradient | None:
        """The gradient of an x; None also where its node lies on no way to the ys, or never had its turn."""
        if tensor.op not in (self.pending if self.loops is None else self.turned):
            return None
        gradient: Gradient | None = self.arrived.get(tensor)
        return gradient


def _reached(sources: Iterable[Operation]) -> set[Operation]:
    """The nodes that depend on the sources by tensors that have gradients."""
    reached = set(sources)
    todo = list(reached)
    while todo:
        op = todo.pop()
        output = op._output
        for tensor in op.outputs if output is None else (output,):
            consumers = tensor._consumers
            if consumers is None or tensor.dtype.as_datatype_enum not in CARRYING:
                continue
            for taker in consumers if type(consumers) is list else (consumers,):
                if taker not in reached:
                    reached.add(taker)
                    todo.append(taker)
    return reached


def _into_the_loop(op: Operation, sources: Sequence[Operation]) -> str:
    """What is said of a gradient that is asked for in a loop, with respect to what a loop variable begins with."""
    queue, seen = deque([op]), {op}
    while queue and queue[0] not in sources:
        for tensor in queue.popleft().inputs:
            if tensor.op not in seen:
                seen.add(tensor.op)
                queue.append(tensor.op)
    return (
        f"Cannot compute gradient inside while loop with respect to op '{queue[0].name}'. We do not support taking the gradient "
        "wrt or through the initial value of a loop variable. Gradients can be computed through loop invariants or wrt the "
        "input parameters to the loop body."
    )


# -- what a y begins with ------------------------------------------------------------------------------------------------


def _ones(y: Any, index: int) -> Tensor:
    if y.dtype.is_complex:
        raise TypeError(said(f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})"))
    tensor = y if isinstance(y, Tensor) else convert_to_tensor(y)
    one = array.shape(tensor), constant(1, dtype=y.dtype.base_dtype, name=f"grad_ys_{index}")
    return array.fill(*one)


def _started(y: Any, seed: Any, index: int) -> Any:
    kind, given = y.dtype.base_dtype, seed.dtype.base_dtype
    real = given.is_floating or given.is_integer
    if (kind.is_floating or kind.is_integer) and not real:
        raise TypeError(
            said(
                f"Gradient type {given.name} generated for real or integer-valued tensor {y} with type {kind.name} must be "
                "real or integer"
            )
        )
    if kind.is_complex and not given.is_complex:
        raise TypeError(
            said(f"Gradient type {given.name} generated for complex-valued tensor {y} with type {kind.name} must be real")
        )
    if not (kind.is_floating or kind.is_integer or kind.is_complex or kind in (dtypes.variant, dtypes.resource)):
        raise TypeError(said(f"Tensor {y} with type {kind.name} must be numeric to obtain a default gradient"))
    if isinstance(seed, IndexedSlices):
        parts = {"indices": seed.indices, "values": seed.values, "shape": seed.dense_shape}
        named = {
            part: None if t is None else basic.identity(t, name=f"grad_ys_{index}_{part}") for part, t in parts.items()
        }
        return IndexedSlices(named["values"], named["indices"], named["shape"])
    return basic.identity(seed, name=f"grad_ys_{index}")


# -- sums -----------------------------------------------------------------------------------------------------------------


def summed_slices(parts: Sequence[Any]) -> IndexedSlices:
    """Gradients of rows under each other."""
    wide = any(part.indices.dtype is dtypes.int64 for part in parts)
    indices = [
        math.cast(p.indices, dtypes.int64) if wide and p.indices.dtype is not dtypes.int64 else p.indices for p in parts
    ]
    return IndexedSlices(
        array.concat([p.values for p in parts], axis=0), array.concat(indices, axis=0), parts[0].dense_shape
    )


__all__ = ["AggregationMethod", "UnconnectedGradients", "gradients", "is_trainable", "summed_slices", "swept"]
