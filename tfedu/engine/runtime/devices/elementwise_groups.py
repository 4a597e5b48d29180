"""Groups of elementwise nodes of a GPU, each one kernel: `find(nodes, …)` finds them, `GroupKernel` computes one.

A chain of twenty elementwise nodes would read and write its arrays twenty times, and launch twenty kernels. A group is computed
where its last node has its turn. That moves the others later, so a group ends at the first node that reads one of its results, or
waits for one, and at a node that writes state if a node of the group reads a variable.

Which node is elementwise, its own kernel tells: `Code` (backends/scalar_code.py) runs it on single numbers and writes the
statements down. What a group computes is what its nodes compute one by one; it does so itself where the shapes of a run are not
those of a loop over one shape, or a node has an error to tell. No state but the shapes that a kernel has met.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ...backends.scalar_code import Code, Number, ScalarCode
from ...graph.nodes import Operation, Tensor
from ...ops import gpu_kernels
from ..memory import output_shapes
from ..node_errors import node_error
from .gpu_values import GpuValues

# What the parameters of a kernel may take: before CUDA 12.1, and on GPUs before Volta.
_MOST_BYTES: Final = 4096
_MOST_NODES: Final = 64


@dataclass(eq=False)
class Group:
    """Elementwise nodes of one shape, in the order of the schedule."""

    shape: tuple[Any, ...]
    members: list[Operation] = field(default_factory=list)
    reads_variables: bool = False

    @property
    def last(self) -> Operation:
        """The node at whose turn the group is computed."""
        return self.members[-1]

    @property
    def inputs(self) -> list[Tensor]:
        """What the group reads: the inputs of its nodes that none of them computes."""
        own = {op.outputs[0] for op in self.members}
        return [t for t in dict.fromkeys(t for op in self.members for t in op.inputs) if t not in own]

    def fits(self, sizes: Mapping[Tensor, tuple[int, ...]]) -> bool:
        """Whether the parameters of its kernel are not too many: to CuPy an array is an address, a size, and two numbers for each
        axis, and the loop has a size and two numbers for each axis.
        """
        own = set(self.members)
        written = [op for op in self.members if not own.issuperset(op.outputs[0].consumers())]
        arrays = len(written) + len([t for t in self.inputs if sizes.get(t, t.raw_shape) != ()])
        singles, axes = len(written) + len(self.inputs) - arrays, 16 * len(self.shape)
        return arrays * (16 + axes) + singles * 16 + 8 + axes <= _MOST_BYTES


def find(
    nodes: Sequence[Any],
    gpu: GpuValues,
    left_out: Collection[Operation],
    sizes: Mapping[Tensor, tuple[int, ...]],
    references: Collection[Tensor],
) -> dict[Operation, Group]:
    """The group of each node that belongs to one.

    nodes: in the order of their turns; what is no `Operation` (a loop) ends all groups. left_out: nodes that no plan computes.
    sizes: the known shapes of a run. references: the tensors that may be references to variables.
    """
    order = {op: at for at, op in enumerate(nodes)}
    known: dict[Any, int] = {}

    def length(op: Operation) -> int:
        """`statements`, asked once of nodes of one form, which share their attributes (op/forms.py)."""
        key = op.definition, id(op.attrs), tuple([t.dtype.as_datatype_enum for t in op.inputs])
        if key not in known:
            known[key] = statements(op)
        return known[key] if known[key] and gpu.computes(op) else 0

    group_of: dict[Operation, Group] = {}
    open_groups: set[Group] = set()
    for op in nodes:
        if not isinstance(op, Operation) or op.definition is None:
            open_groups.clear()
            continue
        if op in left_out:
            continue
        above = [*[t.op for t in op.inputs], *op.waits]
        read = dict.fromkeys([group_of[o] for o in above if o in group_of and group_of[o] in open_groups])
        shape = None if any(t in references for t in op.outputs) else _shape_of(op, sizes)
        if shape is None or not length(op) or not Group(shape, [op]).fits(sizes):
            open_groups.difference_update(read)
            if _writes(op):
                open_groups = {group for group in open_groups if not group.reads_variables}
            continue
        group = Group(shape, [op], any(t in references for t in op.inputs))
        for other in read:
            open_groups.discard(other)
            if other.shape == shape:
                members = sorted([*other.members, *group.members], key=order.__getitem__)
                joined = Group(shape, members, group.reads_variables or other.reads_variables)
                if len(members) <= _MOST_NODES and joined.fits(sizes):
                    group = joined
        group_of.update(dict.fromkeys(group.members, group))
        open_groups.add(group)
    return {op: group for op, group in group_of.items() if len(group.members) > 1 or length(op) > 1}


def _shape_of(op: Operation, sizes: Mapping[Tensor, tuple[int, ...]]) -> Any:
    """The shape of the node's output as far as it is known; None without a rank. Nodes of one group have equal shapes."""
    return sizes.get(op.outputs[0], op.outputs[0].raw_shape) if len(op.outputs) == 1 else None


def _writes(op: Operation) -> bool:
    """Whether the node may change a variable."""
    d = op.definition
    return not d.pure and d.role != "variable" and bool(d.written_inputs or not d.access)


def statements(op: Operation) -> int:
    """How many statements compute the node number by number; 0 for a node that is not elementwise."""
    formula = gpu_kernels.formula_of(op.definition)
    if formula is None:
        return 0
    code = Code()
    try:
        numbers = [code.input(np.dtype(t.dtype.base_dtype.numpy), f"in{i}") for i, t in enumerate(op.inputs)]
        _result(code, formula, op, numbers)
    except Exception:  # whatever a kernel raises that is called with what is no array: it is not elementwise
        return 0
    return max(len(code.statements), 1)


def _result(code: Code, formula: gpu_kernels.Formula, op: Operation, numbers: Sequence[Any]) -> Number:
    """The node's output as a number of the code."""
    d = op.definition
    own = [number.copy() if isinstance(number, Number) else number for number in numbers]  # a kernel may change them in place
    result = formula.kernel(code, *d.group(op, own), **{name: op.attrs[name] for name in d.kernel_attrs})
    return code.as_number(result, np.dtype(op.outputs[0].dtype.base_dtype.numpy))


def scalar_code(group: Group, constants: Mapping[Tensor, Any], outputs: Sequence[Tensor]) -> tuple[ScalarCode, list[Tensor]]:
    """The group as one formula, and the tensors that are its inputs: those of the group without single constants."""
    code = Code()
    numbers: dict[Tensor, Any] = {t: constants[t] for t in group.inputs if t in constants}
    inputs = [t for t in group.inputs if t not in numbers]
    for i, tensor in enumerate(inputs):
        numbers[tensor] = code.input(np.dtype(tensor.dtype.base_dtype.numpy), f"in{i}")
    for op in group.members:
        formula = gpu_kernels.formula_of(op.definition)
        assert formula is not None
        numbers[op.outputs[0]] = _result(code, formula, op, [numbers[t] for t in op.inputs])
    return ScalarCode(code, [numbers[t] for t in inputs], [numbers[t] for t in outputs]), inputs


class GroupKernel:
    """Computes the outputs of a group: a call with the values of `inputs` gives a sequence of theirs.

    constants: the inputs that are single numbers, known before the run: the code contains them.
    """

    def __init__(self, gpu: GpuValues, group: Group, constants: Mapping[Tensor, Any], outputs: Sequence[Tensor]) -> None:
        assert gpu.gpu.elementwise is not None
        self._gpu, self._group, self._constants, self._outputs = gpu, group, constants, tuple(outputs)
        self.code, inputs = scalar_code(group, constants, outputs)
        self.inputs = tuple(inputs)
        self._kernel: Callable[..., Any] = gpu.gpu.elementwise(self.code)
        self._fits: dict[Any, bool] = {}

    def __call__(self, *values: Any) -> Sequence[Any]:
        moved = [self._gpu.beside_arrays(value) for value in values]
        if not any(value.ndim for value in moved):  # single numbers alone tell no kernel where its result is to lie
            moved[0] = self._gpu.to_gpu(moved[0])
        shapes = tuple([value.shape for value in moved])
        fits = self._fits.get(shapes)
        if fits is None:
            fits = self._fits[shapes] = self._is_one_loop(shapes)
        return self._kernel(*moved) if fits else self._one_by_one(values)

    def _is_one_loop(self, shapes: Sequence[tuple[int, ...]]) -> bool:
        """Whether the outputs are all of the shape to which the inputs broadcast, and no node refuses its inputs."""
        shape_of = {t: np.shape(value) for t, value in self._constants.items()}
        shape_of.update(zip(self.inputs, shapes))
        for op in self._group.members:
            of_inputs = [shape_of[t] for t in op.inputs]
            # Arrays of that shape without memory, for the node's rule.
            arrays = [np.broadcast_to(np.zeros((), t.dtype.base_dtype.numpy), s) for t, s in zip(op.inputs, of_inputs)]
            (shape,) = output_shapes(op, arrays)
            formula = gpu_kernels.formula_of(op.definition)
            if shape is None or None in shape or formula is None or not formula.fits(of_inputs, shape):
                return False
            shape_of[op.outputs[0]] = shape
        whole = np.broadcast_shapes(*shapes)
        return all(shape_of[t] == whole for t in self._outputs)

    def _one_by_one(self, values: Sequence[Any]) -> Sequence[Any]:
        found = {**self._constants, **dict(zip(self.inputs, values))}
        for op in self._group.members:
            d, inputs = op.definition, [found[t] for t in op.inputs]
            try:
                result = self._gpu.kernel(op)(np, *d.group(op, inputs), **{name: op.attrs[name] for name in d.kernel_attrs})
            except BaseException as error:
                raise node_error(op, error, inputs)  # noqa: B904 - it has its cause
            found[op.outputs[0]] = result
        return [found[t] for t in self._outputs]


__all__ = ["Group", "GroupKernel", "find", "scalar_code", "statements"]
