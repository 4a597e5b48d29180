"""Rules about branches and loops. They read the nodes and not the contexts, which imported graphs may lack. No state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....engine.graph.graph import Graph
from ....engine.graph.nodes import Operation, Tensor
from ....engine.lib.control.contexts import CondContext
from ....engine.lib.framework.static_value import static_value
from ....engine.op.definition import role_of
from ....engine.ops.control_flow import ENTERS, MERGES, NEXTS, SWITCHES
from ....view.make.control_flow_boxes import condition_of
from .graph_facts import Facts
from .rule import Hit, rule


@rule("outside_branch", "mistake", "tf.cond(take, lambda: tf.assign_add(x, 1), lambda: x)")
def outside_branches(facts: Facts) -> Iterator[Hit]:
    """A node with an effect that only one branch uses, and that was made outside the branch, so that it always runs."""
    fetched = {op for run in facts.runs for op in (*run.operations, *(tensor.op for tensor in run.tensors))}
    for op in facts.operations if _has_switches(facts) else ():
        if not _has_effect(op) or op in fetched:
            continue
        consumers = [consumer for tensor in op.outputs for consumer in tensor.consumers()]
        if not consumers or op.control_outputs or not all(consumer.type in SWITCHES for consumer in consumers):
            continue
        sides = {
            (condition_of(switch.inputs[1]), side)
            for switch in consumers
            for side in (0, 1)
            if switch.outputs[side].consumers()
        }
        if len(sides) == 1:
            ((pred, side),) = sides
            if role_of(pred.op) != "loop_cond":
                yield _hit("outside_branch", (op,), node=op.name, pred=pred.name, side=str(bool(side)))


@rule("endless", "mistake", "return i + 1, total + i")
@rule("unchanged", "suspicion", "return i + 1, total + i")
def loop_variables(facts: Facts) -> Iterator[Hit]:
    """Loops whose condition depends on unchanged variables alone, and loop variables that the body does not change."""
    if _has_switches(facts):
        yield from _Loops(facts.graph).hits()


@rule("written_twice", "mistake", "array = array.write(i, value)")
@rule("written_again", "mistake", "array = array.write(i, value)")
def written_twice(facts: Facts) -> Iterator[Hit]:
    """Elements of a TensorArray that two writes, or two iterations of one, write."""
    if facts.by_type.get("TensorArrayWriteV3"):
        yield from _written_twice(facts.graph, _Loops(facts.graph))


def _has_switches(facts: Facts) -> bool:
    """Whether the graph has branches or loops."""
    return any(facts.by_type.get(type) for type in SWITCHES)


# -- branches ------------------------------------------------------------------------------------------------------------


def _has_effect(op: Operation) -> bool:
    """Whether the node does more than return values: it writes, prints or calls Python."""
    d = op.definition
    if d is None or d.pure or not op.inputs or "seed" in op.attrs:
        return False
    if d.resource in ("tensor_array", "stack"):
        return False  # they live for one run
    return bool(d.written_inputs if d.access else d.stateful)


# -- loops -----------------------------------------------------------------------------------------------------------------


class _Loops:
    """The loops of a graph. merges: by LoopCond, the Merges of the loop variables."""

    def __init__(self, graph: Graph) -> None:
        self.merges: dict[Operation, list[Operation]] = {}
        self._next: dict[Operation, Tensor] = {}
        for op in graph.operations:
            if op.type not in MERGES or len(op.inputs) != 2 or op.inputs[1].op.type not in NEXTS:
                continue
            self._next[op] = op.inputs[1].op.inputs[0]
            for switch in op.outputs[0].consumers():
                if switch.type in SWITCHES and role_of(switch.inputs[1].op) == "loop_cond":
                    self.merges.setdefault(switch.inputs[1].op, []).append(op)

    def is_unchanged(self, merge: Operation) -> bool:
        """Whether the body returns the loop variable as it is."""
        return merge in self._next and self.is_value_of(merge, self._next[merge])

    def is_value_of(self, merge: Operation, tensor: Tensor) -> bool:
        """Whether a tensor of the body is the loop variable of that Merge, at most passed on."""
        while role_of(tensor.op) == "identity" or (tensor.op.type in SWITCHES and tensor.index == 1):
            tensor = tensor.op.inputs[0]
        return tensor.op is merge and tensor.index == 0

    def is_loop_invariant(self, tensor: Tensor) -> bool:
        """Whether a tensor of a loop surely has the same value in all iterations."""
        op = tensor.op
        while role_of(op) in ("identity", "switch"):
            op = op.inputs[0].op
        return role_of(op) == "constant" or op.type in ENTERS or (op.type in MERGES and self.is_unchanged(op))

    def hits(self) -> Iterator[Hit]:
        """The matches of `endless` and `unchanged`."""
        for loop_cond, merges in self.merges.items():
            if _is_of_gradients(loop_cond):
                continue
            tested = self._tested(loop_cond)
            endless = tested is not None and all(map(self.is_unchanged, tested))
            if endless:
                condition = loop_cond.inputs[0].op
                yield _hit("endless", (loop_cond, condition), loop=_scope_of(loop_cond), condition=condition.name)
            if tested is None and all(map(self.is_unchanged, merges)):
                continue  # the loop runs for its effects; its variable is only there because it needs one
            for number, parts in enumerate(_variables(loop_cond, merges), 1):
                if all(map(self.is_unchanged, parts)) and not (endless and set(parts) & set(tested or ())):
                    begin = parts[0].inputs[0].op.inputs[0].name
                    yield _hit("unchanged", tuple(parts), loop=_scope_of(parts[0]), number=str(number), begin=begin)

    def _tested(self, loop_cond: Operation) -> list[Operation] | None:
        """The Merges of the loop variables that the condition depends on; None if it depends on other state too."""
        variables: dict[Operation, None] = {}
        visited = {loop_cond}
        stack = [loop_cond]
        while stack:
            for tensor in stack.pop().inputs:
                op = tensor.op
                if op in visited:
                    continue
                visited.add(op)
                if op.type in MERGES and op in self._next:
                    variables[op] = None
                elif op.definition is None or not op.definition.pure or op.type in MERGES:
                    return None
                elif op.type in ENTERS:
                    if _is_variable(op.inputs[0]):
                        return None  # the body may write it
                else:
                    stack.append(op)
        return list(variables)


def _variables(loop_cond: Operation, merges: list[Operation]) -> Iterator[list[Operation]]:
    """The Merges of each of the program's loop variables: several for a composite such as a TensorArray."""
    counts = getattr(loop_cond._context, "parts", None)
    if not counts or sum(counts) != len(merges):
        counts = [1] * len(merges)
    remaining = iter(merges)
    for count in counts:
        yield [next(remaining) for _ in range(count)]


def _is_variable(tensor: Tensor) -> bool:
    while role_of(tensor.op) == "identity" and not tensor.dtype.is_ref:
        tensor = tensor.op.inputs[0]
    return tensor.dtype.is_ref


def _is_of_gradients(op: Operation) -> bool:
    """Whether the node is in a loop that `gradients` made."""
    return op._context is not None and op._context.grad_state is not None


def _scope_of(op: Operation) -> str:
    return op.name.rpartition("/")[0] or op.name


# -- arrays ----------------------------------------------------------------------------------------------------------------


def _written_twice(graph: Graph, loops: _Loops) -> Iterator[Hit]:
    """The matches of `written_twice` and `written_again`."""
    writes: dict[tuple[Operation, int], list[Operation]] = {}
    for op in graph.operations:
        if op.type != "TensorArrayWriteV3":
            continue
        array, crosses_loop = _array(op.inputs[0])
        if array is None:
            continue
        index = op.inputs[1]
        names = {"array": array.name, "node": op.name}
        if crosses_loop and loops.is_loop_invariant(index):
            yield _hit("written_again", (op,), **names)
            continue
        value = static_value(index)
        if value is None:
            continue
        earlier = writes.setdefault((array, int(value)), [])
        for other in earlier:
            if not _exclude_each_other(other, op):
                yield _hit("written_twice", (op, other), **names, index=str(int(value)), other=other.name)
                break
        earlier.append(op)


def _array(handle: Tensor) -> tuple[Operation | None, bool]:
    """The node that made a handle's TensorArray (None for one of gradients), and whether the handle enters a loop."""
    crosses_loop = False
    op = handle.op
    while role_of(op) in ("identity", "switch", "enter"):
        crosses_loop = crosses_loop or op.type in ENTERS
        op = op.inputs[0].op
    return (op if op.type == "TensorArrayV3" else None), crosses_loop


def _exclude_each_other(one: Operation, other: Operation) -> bool:
    """Whether the nodes are in the two branches of one cond."""
    branches = {context.pred: context.branch for context in _conds(one)}
    return any(branches.get(context.pred, context.branch) != context.branch for context in _conds(other))


def _conds(op: Operation) -> Iterator[CondContext]:
    context: Any = op._context
    while context is not None:
        if isinstance(context, CondContext):
            yield context
        context = context.outer


def _hit(code: str, nodes: tuple[Operation, ...], **params: str) -> Hit:
    return Hit(nodes, params, code=code)
