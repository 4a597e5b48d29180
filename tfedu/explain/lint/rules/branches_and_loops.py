"""Rules about branches and loops, read from the nodes alone, so that imported graphs are looked at too. No state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....engine.graph.graph import Graph
from ....engine.graph.nodes import Operation, Tensor
from ....engine.lib.control.contexts import CondContext
from ....engine.lib.framework.static_value import static_value
from ....view.make.control_flow_boxes import condition_of
from .graph_facts import Facts
from .rule import Hit, rule

_ENTERS = ("Enter", "RefEnter")
_MERGES = ("Merge", "RefMerge")
_SWITCHES = ("Switch", "RefSwitch")
_NEXTS = ("NextIteration", "RefNextIteration")
_PASSED = ("Identity", "RefIdentity")


@rule("outside_branch", "mistake", "tf.cond(take, lambda: tf.assign_add(x, 1), lambda: x)")
def outside_branches(facts: Facts) -> Iterator[Hit]:
    """An effect that was made outside of the one branch that uses it, and that no run asked for besides."""
    fetched = {op for run in facts.runs for op in (*run.operations, *(tensor.op for tensor in run.tensors))}
    for op in _takes_apart(facts):
        if not _has_effect(op) or op in fetched:
            continue
        takers = [(tensor, taker) for tensor in op.outputs for taker in tensor.consumers()]
        if not takers or op.control_outputs or not all(taker.type in _SWITCHES for _, taker in takers):
            continue
        sides = {
            (condition_of(taker.inputs[1]), side)
            for _, taker in takers
            for side in (0, 1)
            if taker.outputs[side].consumers()
        }
        if len(sides) == 1:
            ((pred, side),) = sides
            if pred.op.type != "LoopCond":
                yield _found("outside_branch", (op,), node=op.name, pred=pred.name, side=str(bool(side)))


@rule("endless", "mistake", "return i + 1, total + i")
@rule("unchanged", "suspicion", "return i + 1, total + i")
def loop_variables(facts: Facts) -> Iterator[Hit]:
    """Loops whose condition nothing changes, and loop variables that stay as they are."""
    if _takes_apart(facts):
        yield from _Loops(facts.graph).findings()


@rule("written_twice", "mistake", "array = array.write(i, value)")
@rule("written_again", "mistake", "array = array.write(i, value)")
def written_twice(facts: Facts) -> Iterator[Hit]:
    """Elements of a TensorArray that are written twice."""
    if facts.by_type.get("TensorArrayWriteV3"):
        yield from _written_twice(facts.graph, _Loops(facts.graph))


def _takes_apart(facts: Facts) -> list[Operation]:
    """The nodes of a graph that has branches or loops."""
    return facts.operations if any(facts.by_type.get(type) for type in _SWITCHES) else []


# -- branches ------------------------------------------------------------------------------------------------------------


def _has_effect(op: Operation) -> bool:
    """Whether a run can tell that the node ran, but for its value: it writes, prints or calls Python."""
    d = op.definition
    if d is None or d.pure or not op.inputs or "seed" in op.attrs:
        return False
    if op.type.startswith("Assign") or any(arg.is_ref for arg in d.inputs):
        return "IsInitialized" not in op.type
    return bool(d.stateful) and "Read" not in op.type and not op.type.startswith(("TensorArray", "Stack", "VarIs"))


# -- loops -----------------------------------------------------------------------------------------------------------------


class _Loops:
    """The loops of a graph, by the nodes that close them: LoopCond -> the Merges of its variables."""

    def __init__(self, graph: Graph) -> None:
        self.merges: dict[Operation, list[Operation]] = {}
        self._next: dict[Operation, Tensor] = {}
        for op in graph.operations:
            if op.type not in _MERGES or len(op.inputs) != 2 or op.inputs[1].op.type not in _NEXTS:
                continue
            self._next[op] = op.inputs[1].op.inputs[0]
            for switch in op.outputs[0].consumers():
                if switch.type in _SWITCHES and switch.inputs[1].op.type == "LoopCond":
                    self.merges.setdefault(switch.inputs[1].op, []).append(op)

    def is_unchanged(self, merge: Operation) -> bool:
        """Whether the body gives the variable back as it got it."""
        return merge in self._next and self.stays(self._next[merge], merge)

    def stays(self, tensor: Tensor, merge: Operation) -> bool:
        while tensor.op.type in _PASSED or (tensor.op.type in _SWITCHES and tensor.index == 1):
            tensor = tensor.op.inputs[0]
        return tensor.op is merge and tensor.index == 0

    def is_same_each_time(self, tensor: Tensor) -> bool:
        """Whether a tensor of a loop surely has one value in all iterations."""
        op = tensor.op
        while op.type in _PASSED or op.type in _SWITCHES:
            op = op.inputs[0].op
        return op.type == "Const" or op.type in _ENTERS or (op.type in _MERGES and self.is_unchanged(op))

    def findings(self) -> Iterator[Hit]:
        for loop_cond, merges in self.merges.items():
            if _made_by_gradients(loop_cond):
                continue
            tested = self._tested(loop_cond)
            endless = tested is not None and all(map(self.is_unchanged, tested))
            if endless:
                condition = loop_cond.inputs[0].op
                yield _found("endless", (loop_cond, condition), loop=_scope(loop_cond), condition=condition.name)
            if tested is None and all(map(self.is_unchanged, merges)):
                continue  # it goes on for what it does, and a loop has to have a variable
            for number, parts in enumerate(_variables(loop_cond, merges), 1):
                if all(map(self.is_unchanged, parts)) and not (endless and set(parts) & set(tested or ())):
                    begin = parts[0].inputs[0].op.inputs[0].name
                    yield _found("unchanged", tuple(parts), loop=_scope(parts[0]), number=str(number), begin=begin)

    def _tested(self, loop_cond: Operation) -> list[Operation] | None:
        """The variables that the condition depends on; None where it depends on what a run finds out otherwise."""
        found: dict[Operation, None] = {}
        seen = {loop_cond}
        row = [loop_cond]
        while row:
            for tensor in row.pop().inputs:
                op = tensor.op
                if op in seen:
                    continue
                seen.add(op)
                if op.type in _MERGES and op in self._next:
                    found[op] = None
                elif op.definition is None or not op.definition.pure or op.type in _MERGES:
                    return None
                elif op.type in _ENTERS:
                    if _is_variable(op.inputs[0]):
                        return None  # the body may write it
                else:
                    row.append(op)
        return list(found)


def _variables(loop_cond: Operation, merges: list[Operation]) -> Iterator[list[Operation]]:
    """The Merges of each loop variable of the program: of a composite all that it is made of."""
    known = getattr(loop_cond._context, "parts", None)
    sizes = known if known and sum(known) == len(merges) else [1] * len(merges)
    left = iter(merges)
    for size in sizes:
        yield [next(left) for _ in range(size)]


def _is_variable(tensor: Tensor) -> bool:
    while tensor.op.type in _PASSED and not tensor.dtype.is_ref:
        tensor = tensor.op.inputs[0]
    return tensor.dtype.is_ref


def _made_by_gradients(op: Operation) -> bool:
    return op._context is not None and op._context.grad_state is not None


def _scope(op: Operation) -> str:
    return op.name.rpartition("/")[0] or op.name


# -- arrays ----------------------------------------------------------------------------------------------------------------


def _written_twice(graph: Graph, loops: _Loops) -> Iterator[Hit]:
    first: dict[tuple[Operation, int], list[Operation]] = {}
    for op in graph.operations:
        if op.type != "TensorArrayWriteV3":
            continue
        array, entered = _array(op.inputs[0])
        if array is None:
            continue
        index = op.inputs[1]
        names = {"array": array.name, "node": op.name}
        if entered and loops.is_same_each_time(index):
            yield _found("written_again", (op,), **names)
            continue
        value = static_value(index)
        if value is None:
            continue
        before = first.setdefault((array, int(value)), [])
        for other in before:
            if not _exclude_each_other(other, op):
                yield _found("written_twice", (op, other), **names, index=str(int(value)), other=other.name)
                break
        before.append(op)


def _array(handle: Tensor) -> tuple[Operation | None, bool]:
    """The node that made the TensorArray of a handle, and whether a loop lies between; None for one of gradients."""
    entered = False
    op = handle.op
    while op.type in _PASSED or op.type in _SWITCHES or op.type in _ENTERS:
        entered = entered or op.type in _ENTERS
        op = op.inputs[0].op
    return (op if op.type == "TensorArrayV3" else None), entered


def _exclude_each_other(one: Operation, other: Operation) -> bool:
    """Whether the nodes are in the two branches of one cond."""
    taken = {context.pred: context.branch for context in _conds(one)}
    return any(taken.get(context.pred, context.branch) != context.branch for context in _conds(other))


def _conds(op: Operation) -> Iterator[CondContext]:
    context: Any = op._context
    while context is not None:
        if isinstance(context, CondContext):
            yield context
        context = context.outer


def _found(code: str, nodes: tuple[Operation, ...], **params: str) -> Hit:
    return Hit(nodes, params, code=code)
