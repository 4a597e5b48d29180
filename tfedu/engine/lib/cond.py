"""`cond(pred, true_fn, false_fn)`: two branches in one graph, of which a run computes one and the other is dead.

What a branch takes from outside comes through a Switch; a node of a branch without inputs waits for the branch's
pivot; a Merge takes the result of the branch that was alive (semantics.md, points 18 and 19).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..graph.stacks import get_default_graph
from ..ops import basic, control_flow
from ..ops.composites import IndexedSlices, SparseTensor
from . import nest
from .failing import said
from .flow import unpacked_if_single, with_dependencies
from .keys import GraphKeys
from .scope import named, waiting_for


def switch(data: Any, pred: Any, dtype: Any = None, name: str | None = None) -> Any:
    """(output_false, output_true): the data is on the one that `pred` names, the other is dead."""
    with named(name, "Switch", [v for v in (data, pred) if isinstance(v, Tensor)]) as scope:
        data = convert_to_tensor(data, dtype=dtype, name="data", as_ref=True)
        pred = convert_to_tensor(pred, name="pred")
        return control_flow.switch(data, pred, name=scope)


def _switched(data: Tensor, pred: Tensor) -> Any:
    """Both outputs of a switch that goes where its data is; a reference stays one."""
    with get_default_graph().colocate_with(data, ignore_existing=True):
        make = control_flow.ref_switch if data.dtype.is_ref else control_flow.switch
        return make(data, pred, name="Switch")


def merge(inputs: Any, name: str | None = None) -> Any:
    """(output, value_index): the input that is alive, and which one it is.

    Raises: ValueError when an input is None.
    """
    if any(value is None for value in inputs):
        raise ValueError(said(f"At least one of the merge inputs is None: {inputs}"))
    with named(name, "Merge", [v for v in inputs if isinstance(v, Tensor)]) as scope:
        tensors = [convert_to_tensor(value, as_ref=True) for value in inputs]
        make = control_flow.ref_merge if all(t.dtype.is_ref for t in tensors) else control_flow.merge
        return make(tensors, name=scope)


class CondContext:
    """One branch under construction: the graph hands it every node that is made inside."""

    def __init__(self, graph: Graph, pred: Tensor, pivot: Tensor, branch: int) -> None:
        self.graph = graph
        self.pred = pred
        self.pivot = pivot
        self.branch = branch
        self.outer: CondContext | None = graph._context
        self.name = graph.get_name_scope()
        # What the branch may use as it is, and what stands in it for a tensor of the outside.
        self.inside: set[Tensor] = {pred, pivot}
        self.stands_for: dict[Tensor, Tensor] = {pred: pred}
        pivot.op._context = self

    def __enter__(self) -> CondContext:
        self.graph._context = self
        return self

    def __exit__(self, *exc: object) -> None:
        self.graph._context = self.outer

    def contains(self, op: Operation) -> bool:
        """Whether `op` is of this branch or of a cond within it."""
        context = op._context
        while context is not None:
            if context is self:
                return True
            context = context.outer
        return False

    def add_op(self, op: Operation) -> None:
        """Takes a new node in: its outside inputs come through switches; without inputs it waits for the pivot."""
        if not op.inputs:
            if not any(self.contains(waited) for waited in op.control_inputs):
                self.graph.add_control_input(op, self.pivot.op)
        else:
            for index, tensor in enumerate(op.inputs):
                real = self.brought_in(tensor)
                if real is not tensor:
                    self.graph.update_input(op, index, real)
        self._saw(*op.outputs)
        self.graph.prevent_fetching(op)
        if self.outer is not None:
            self.outer.add_op(op)

    def _saw(self, *tensors: Tensor) -> None:
        context: CondContext | None = self
        while context is not None:
            context.inside.update(tensors)
            context = context.outer

    def brought_in(self, tensor: Tensor) -> Tensor:
        """What the branch uses for `tensor`: itself, or its live side of a switch."""
        if tensor in self.inside:
            return self.stands_for.get(tensor, tensor)
        self._note(tensor)
        outer = self._outside(tensor)
        with waiting_for(None):
            result: Tensor = _switched(outer, self.pred)[self.branch]
        if self.outer is not None:
            self.outer.add_op(result.op)
        self.graph.prevent_fetching(result.op)
        result.op._context = self
        self._saw(result)
        self.stands_for[tensor] = result
        return result

    def _outside(self, tensor: Tensor) -> Tensor:
        """What the branch around this one uses for `tensor`."""
        if self.outer is None:
            return tensor
        real = self.outer.brought_in(tensor)
        self._note(real)
        self.stands_for[real] = real
        return real

    def _note(self, tensor: Tensor) -> None:
        """Marks `tensor` as known to the branch; forgotten with the node for which it was brought in."""
        self.inside.add(tensor)
        journal = self.graph._journal
        if journal is not None:
            journal.append((self._forget, tensor))

    def _forget(self, tensor: Tensor) -> None:
        self.inside.discard(tensor)
        self.stands_for.pop(tensor, None)

    def result(self, value: Any) -> Tensor:
        """A value that the branch gives: for an operation the pivot after it, for an outside tensor its switch."""
        if isinstance(value, Operation):
            return with_dependencies([value], self.pivot)
        tensor = convert_to_tensor(value)
        if tensor in self.inside:
            return self.stands_for.get(tensor, tensor)
        self._note(tensor)
        real: Tensor = _switched(self._outside(tensor), self.pred)[self.branch]
        self.stands_for[tensor] = real
        return real

    def build(self, function: Callable[[], Any]) -> tuple[Any, list[Tensor]]:
        """What the branch's function gave, and as flat list of tensors of the branch."""
        given = function()
        return given, [] if given is None else [self.result(part) for value in nest.flatten(given) for part in _parts(value)]


def _parts(value: Any) -> tuple[Any, ...]:
    """The tensors that a value of a branch consists of: a sparse tensor or a slice of rows has several."""
    found: tuple[Any, ...] = value._parts if isinstance(value, (IndexedSlices, SparseTensor)) else (value,)
    return found


def _apart(value: Any) -> Any:
    return _parts(value) if isinstance(value, (IndexedSlices, SparseTensor)) else value


def _whole(value: Any, parts: Iterator[Tensor]) -> Any:
    """What `_parts` took apart, of other tensors."""
    made = [next(parts) for _ in _parts(value)]
    return type(value)(*made) if isinstance(value, (IndexedSlices, SparseTensor)) else made[0]


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
            raise TypeError(
                said(
                    "pred must not be a Python bool",
                    fix="choose in Python (`if pred: … else: …`), or give a bool tensor",
                )
            )
        graph = get_default_graph()
        side_false, side_true = switch(pred, pred)
        pivot_true = basic.identity(side_true, name="switch_t")
        pivot_false = basic.identity(side_false, name="switch_f")
        pred = basic.identity(pred, name="pred_id")
        for tensor in (side_true, side_false, pivot_true, pivot_false, pred):
            graph.prevent_fetching(tensor.op)

        results = []
        for function, word, pivot, branch in (
            (true_fn, "true_fn", pivot_true, 1),
            (false_fn, "false_fn", pivot_false, 0),
        ):
            context = CondContext(graph, pred, pivot, branch)
            with context:
                given, tensors = context.build(function)
            if given is None:
                raise ValueError(
                    said(
                        f"{word} must have a return value.",
                        fix="return a tensor, or an operation such as tf.no_op()",
                    )
                )
            if context.outer is not None:
                context.outer.inside.update(tensors)
            results.append((given if strict else unpacked_if_single(given), tensors, context))
        (given, true_results, true_context), (other, false_results, false_context) = results

        nest.assert_same_structure(*(nest.map_structure(_apart, results) for results in (given, other)))
        if not true_results:
            raise ValueError(said("'true_fn' and 'false_fn' must return at least one result."))
        for x, y in zip(true_results, false_results):
            if x.dtype.base_dtype is not y.dtype.base_dtype:
                raise ValueError(
                    said(
                        f"Outputs of true_fn and false_fn must have the same type: {x.dtype.name}, {y.dtype.name}"
                    )
                )
        merged = [merge(pair)[0] for pair in zip(false_results, true_results)]
        if true_context.outer is None:
            graph.add_to_collection(GraphKeys.COND_CONTEXT, true_context)
            graph.add_to_collection(GraphKeys.COND_CONTEXT, false_context)
        parts = iter(merged)
        packed = nest.map_structure(lambda value: _whole(value, parts), given)
        return packed if strict else unpacked_if_single(packed)


def _renamed(function: Any, old: Any, word: str, old_word: str) -> Callable[[], Any]:
    """A branch's function under its present or its older keyword."""
    if old is not None:
        if function is not None:
            raise TypeError(said(f"cond(): {word} and {old_word} may not be set simultaneously."))
        function = old
    elif function is None:
        raise TypeError(said(f"cond(): {word} argument required"))
    if not callable(function):
        raise TypeError(said(f"{word} must be callable."))
    return function  # type: ignore[no-any-return]


__all__ = ["cond"]
