"""The optimizer's steps of a GPU in one kernel: `find(nodes, …)` finds the groups, `StepKernel` takes the steps of one.

A group is computed where its last node has its turn: the steps of the others move there. That changes no result, since a group
ends before a node that reads or writes one of the variables that it changes, or writes one that it reads, or reads or waits for
one of its nodes, and before every node of which that is not known. Two nodes are known to have different variables by the buffers
of the session that they refer to, not by names.

Where the kernel cannot run (a variable without a value, a gradient of another shape, an array that is not contiguous), the nodes'
own kernels run in their order, and tell what is wrong. State: the formulas written down.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ...backends.multi_tensor import MultiTensor
from ...backends.scalar_code import Code, NotScalar, ScalarCode, c_type
from ...graph.nodes import Operation, Tensor
from ...ops.optimizer_steps import DENSE_STEPS, DenseStep
from ..node_errors import node_error
from ..store import Buffer, Handle, Store, World
from .gpu_values import GpuValues

# Roles of nodes that touch no variable's value.
_WITHOUT_STATE: Final = ("variable", "constant", "placeholder", "noop", "trigger")


@dataclass(eq=False)
class StepGroup:
    """Steps of one optimizer, in the order of the schedule: nodes of one type, dtype and attributes."""

    key: Any
    members: list[Operation] = field(default_factory=list)
    changed: set[Buffer] = field(default_factory=set)
    read: set[Buffer] = field(default_factory=set)

    @property
    def last(self) -> Operation:
        """The node at whose turn the steps are taken."""
        return self.members[-1]


def find(
    nodes: Sequence[Any], gpu: GpuValues, store: Store, references: Collection[Tensor]
) -> dict[Operation, StepGroup]:
    """The group of each step. nodes: in the order of their turns; what is no `Operation` (a loop) ends all groups.

    references: the tensors that may be references to variables.
    """
    buffers = _Buffers(store, references)
    group_of: dict[Operation, StepGroup] = {}
    open_groups: list[StepGroup] = []
    for op in nodes:
        if not isinstance(op, Operation) or op.definition is None:
            open_groups.clear()
            continue
        above = {*[t.op for t in op.inputs], *op.waits}
        read, written = buffers.touched(op)
        open_groups = [
            group for group in open_groups
            if not above.intersection(group.members) and read is not None and written is not None
            and not group.changed & (read | written) and not group.read & written
        ]  # fmt: skip
        if op.type not in DENSE_STEPS or not read or not written or not gpu.computes(op) or step_code(op) is None:
            continue
        if not buffers.are_different(op):
            continue
        key = op.type, step_code(op)
        group = next((group for group in open_groups if group.key == key), None)
        if group is None:
            group = StepGroup(key)
            open_groups.append(group)
        group.members.append(op)
        group.changed |= written
        group.read |= read
        group_of[op] = group
    return group_of


class _Buffers:
    """The buffers of the session that nodes refer to."""

    def __init__(self, store: Store, references: Collection[Tensor]) -> None:
        self._store, self._references = store, references
        self._known: dict[Tensor, Buffer | None] = {}

    def of(self, tensor: Tensor) -> Buffer | None:
        """The buffer of a reference or a handle; None where only the run tells."""
        if tensor not in self._known:
            self._known[tensor] = self._found(tensor)
        return self._known[tensor]

    def _found(self, tensor: Tensor) -> Buffer | None:
        op = tensor.op
        d = op.definition
        if d.role == "variable":
            value = d.kernel(World(op, self._store), **{name: op.attrs[name] for name in d.kernel_attrs})
            buffer = value.buffer if isinstance(value, Handle) else value
            return buffer if isinstance(buffer, Buffer) else None
        if d.alias_index >= 0 and d.flat and d.simple:
            return self.of(op.inputs[d.alias_index])
        return None

    def touched(self, op: Operation) -> tuple[set[Buffer] | None, set[Buffer] | None]:
        """The buffers that the node reads, and those that it writes; None for sets that are not known."""
        d = op.definition
        if d.role in _WITHOUT_STATE:
            return set(), set()
        read: set[Buffer] = set()
        written: set[Buffer] = set()
        for i, tensor in enumerate(op.inputs):
            is_accessed = i in d.accessed_inputs
            if not is_accessed and tensor not in self._references:
                continue
            buffer = self.of(tensor)
            if buffer is None:
                return None, None
            read.add(buffer)  # of a node that passes a reference on, too
            if i in d.written_inputs:
                written.add(buffer)
        if not d.pure and not d.access:
            return None, None
        return read, written

    def are_different(self, op: Operation) -> bool:
        """Whether the variable and the slots of a step have a buffer each, which no other input of the step refers to."""
        accessed = op.definition.accessed_inputs
        found = [self.of(t) for i, t in enumerate(op.inputs) if i in accessed or t in self._references]
        return None not in found and len(set(found)) == len(found)


def step_code(op: Operation) -> ScalarCode | None:
    """The formula of a step, from variable, slots, gradient and single numbers to the new variable and slots, if it has one."""
    step = DENSE_STEPS[op.type]
    dtype = np.dtype(op.inputs[step.gradient].dtype.base_dtype.numpy)
    return _step_code(step, len(op.inputs), dtype, tuple([op.attrs[name] for name in step.flags]))


@functools.cache
def _step_code(step: DenseStep, count: int, dtype: np.dtype[Any], flags: tuple[bool, ...]) -> ScalarCode | None:
    code = Code()
    try:
        c_type(dtype)  # the kernel, which is none of CuPy's, has no float16
        numbers = [code.input(dtype, f"in{i}") for i in range(count)]
        results = step.formula(*[number.copy() for number in numbers], *flags, *step.limits(dtype))
        return ScalarCode(code, numbers, [code.as_number(result, dtype) for result in results])
    except NotScalar:
        return None


class StepKernel:
    """Takes the steps of a group: a call with the input values of each node, variables as buffers or handles."""

    def __init__(self, gpu: GpuValues, store: Store, group: StepGroup) -> None:
        self._gpu, self._members = gpu, tuple(group.members)
        self._step = DENSE_STEPS[group.last.type]
        code = step_code(group.last)
        assert code is not None
        self._kernel = MultiTensor(gpu.gpu, code, self._step.states)
        self._kernels = [(gpu.kernel(op), World(op, store)) for op in self._members]

    def __call__(self, *values: Sequence[Any]) -> None:
        states = self._step.states
        buffers = [[getattr(v, "buffer", v) for v in of_node[:states]] for of_node in values]
        numbers = [[self._gpu.to_gpu(v) for v in self._step.in_order(of_node)[states:]] for of_node in values]
        everything = [buffer for row in buffers for buffer in row]
        with ExitStack() as locks:
            for buffer in sorted({row[0] for row in buffers}, key=id):
                locks.enter_context(buffer.lock)
            for row in buffers:
                for buffer in row:
                    self._gpu.to_gpu(buffer)
            if all(map(self._fits, buffers, numbers)):
                self._change(everything, lambda arrays: self._kernel(
                    [[*arrays[at * states : (at + 1) * states], *row] for at, row in enumerate(numbers)]
                ))  # fmt: skip
                self._gpu.forget(everything)
                return
        self._one_by_one(values)

    def _fits(self, buffers: Sequence[Buffer], numbers: Sequence[Any]) -> bool:
        """Whether all have values, variable, slots and gradient of one shape, and the rest are single numbers."""
        gradient, *singles = numbers
        arrays = [*[buffer.value for buffer in buffers], gradient]
        if not all(isinstance(array, self._gpu.gpu.array) for array in (*arrays, *singles)):
            return False
        form = gradient.shape, gradient.dtype, True
        of_arrays = all((array.shape, array.dtype, array.flags.c_contiguous) == form for array in arrays)
        return of_arrays and all(number.shape == () for number in singles)

    @staticmethod
    def _change(buffers: Sequence[Buffer], step: Callable[[list[Any]], None]) -> None:
        """Takes the steps in place where nothing else refers to an array, else on copies."""
        if not buffers[0].changed(buffers, step):
            new = [buffer.value.copy() for buffer in buffers]
            step(new)
            for buffer, value in zip(buffers, new):
                buffer.value = value

    def _one_by_one(self, values: Sequence[Sequence[Any]]) -> None:
        for op, (kernel, world), inputs in zip(self._members, self._kernels, values):
            try:
                kernel(world, *inputs, **{name: op.attrs[name] for name in op.definition.kernel_attrs})
            except BaseException as error:
                raise node_error(op, error, inputs)  # noqa: B904 - it has its cause


__all__ = ["StepGroup", "StepKernel", "find", "step_code"]
