"""A small graph element by element: `ElementGraph(y)` knows which tensors a picture shows, and computes each from the others.

    elements = ElementGraph(y, between=[scores, weights])
    elements.stages             how each shown tensor comes from the shown ones before it
    elements.values[tensor]     its value; `change(tensor, at, 3.0)` computes all of them anew

It works in a copy of the graph. State: the values of the inputs and what follows from them, and nodes added to the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ....engine.graph.copies import copied
from ....engine.graph.graph import Graph
from ....engine.graph.nodes import Operation, Tensor
from ....engine.op.define import same_shape
from ....engine.replay.trace import graph_of_fetches, scratch_session
from ....engine.runtime.feeds import resolved
from ....engine.runtime.session import Session
from ...labels import leaf
from ..programs.program_names import program_names

# A picture shows at most so many tensors, so many elements of one, and so many of all.
MOST_TENSORS: Final = 14
MOST_OF_ONE: Final = 100
MOST_ELEMENTS: Final = 400
# Functions of one element that are sums or products all the same.
POLYNOMIALS: Final = frozenset(("Identity", "Neg", "Square", "Snapshot", "StopGradient"))
# Types whose results are parts of a longer formula: elements that only move, sums, and products.
_MOVES: Final = frozenset((
    "Concat", "ConcatV2", "Gather", "GatherV2", "Pack", "Pad", "PadV2", "ReverseV2", "Slice", "Split", "SplitV", "StridedSlice",
    "Tile", "Transpose", "Unpack",
))  # fmt: skip
_SUMS: Final = frozenset(("Add", "AddN", "AddV2", "BiasAdd", "Mean", "Neg", "Sub", "Sum"))
_PRODUCTS: Final = frozenset((
    "BatchMatMul", "BatchMatMulV2", "Conv2D", "DepthwiseConv2dNative", "MatMul", "Mul", "Square",
))  # fmt: skip
_SCALES: Final = frozenset(("Div", "Mul", "RealDiv"))
_SHARES: Final = frozenset(("LogSoftmax", "Softmax"))
_CONTROL_FLOW: Final = frozenset(("switch", "merge", "enter", "exit", "next_iteration", "loop_cond"))


class Stage(NamedTuple):
    """How a shown tensor comes from others. nodes: those between the operands and the tensor, and its own, in their order."""

    tensor: Tensor
    operands: tuple[Tensor, ...]
    nodes: tuple[Operation, ...]

    @property
    def types(self) -> tuple[str, ...]:
        """The types of the nodes that compute with the operands' elements, in their order; not of those that pass them on."""
        reached = set(self.operands)
        types = []
        for node in self.nodes:
            if any(operand in reached for operand in node.inputs):
                reached.update(node.outputs)
                types += [node.type] * all(_passed_on(output) is output for output in node.outputs)
        return tuple(types)


class ElementGraph:
    """The tensors that a picture of `y` shows: the inputs, those `between`, and y itself.

    The inputs are the constants, placeholders and variables of floating-point numbers that y depends on; a scalar constant
    without a name of its own in the program is a part of the formula instead. Where y depends on whole numbers alone, these
    are the inputs. between: by default every tensor on the way but those that the formula of the next one contains; where these
    are too many, those that the program's lines name. names: by default those of the program's own lines.
    Raises: TypeError and ValueError for what cannot be shown, and as Session.run for wrong feeds.
    """

    def __init__(
        self,
        y: Any,
        between: Iterable[Any] | None = None,
        feed_dict: Any = None,
        session: Session | None = None,
        names: Mapping[Any, str] | None = None,
    ) -> None:
        if not isinstance(y, Tensor):
            raise TypeError(f"expected a tensor, not {type(y).__name__}\n  fix: pass what an operation gives, as tf.matmul(a, b)")
        original = session.graph if session is not None else graph_of_fetches(y)
        wanted = None if between is None else [_tensor_of(original, item) for item in between]
        feeds = resolved(original, feed_dict)
        copy = copied(original, contexts=True)
        self.graph: Graph = copy.graph
        self.y: Tensor = copy.of(y)
        if session is None:
            self._session = scratch_session(self.graph)
        else:
            self._session = Session(graph=self.graph)
            self._session.store = session.store.copy()
        self._session.noted = None
        self._feeds = {copy.of(tensor): value for tensor, value in feeds.items()}
        if not _is_number(self.y):
            raise TypeError(f"{y.name} is {self.y.dtype.name}: a picture of elements shows real numbers and truth values")
        self._written = program_names(self.graph.operations)
        self.tensors: tuple[Tensor, ...] = tuple(self._shown(None if wanted is None else [copy.of(item) for item in wanted]))
        self.stages: dict[Tensor, Stage] = {}
        for tensor in self.tensors:
            stage = _stage(tensor, frozenset(self.tensors))
            if stage.operands:
                self.stages[tensor] = stage
        self.inputs: tuple[Tensor, ...] = tuple([tensor for tensor in self.tensors if tensor not in self.stages])
        given = {} if names is None else {copy.of(tensor): name for tensor, name in names.items()}
        self.names: dict[Tensor, str] = self._names(given)
        self._built: dict[Any, Any] = {}
        self._given = dict(zip(self.inputs, self._run(self.inputs, {}), strict=True))
        self.values: dict[Tensor, np.ndarray] = {}
        self._compute(self._given)

    def change(self, tensor: Tensor, at: int, number: float) -> None:
        """Puts a number into an element of an input, and computes everything anew.

        Raises: ValueError for an element that is not there; what the run raises, and then nothing has changed.
        """
        value = self._given[tensor].copy()
        if at not in range(value.size):
            raise ValueError(f"{self.names[tensor]} has {value.size} elements, and none with the number {at!r:.40}")
        value.reshape(-1)[at] = number
        self._compute({**self._given, tensor: value})

    def restore(self, values: Mapping[Tensor, np.ndarray]) -> None:
        """Gives the inputs these values."""
        self._compute(dict(values))

    def computed(self, tensor: Tensor, operands: Mapping[Tensor, np.ndarray]) -> np.ndarray:
        """The value of a shown tensor for these values of others."""
        (value,) = self._run([tensor], operands)
        return value

    def run(self, fetches: Sequence[Tensor], operands: Mapping[Tensor, np.ndarray]) -> list[np.ndarray]:
        """The values of any tensors of the copy, for these values of some."""
        return self._run(fetches, operands)

    def built(self, key: Any, build: Callable[[], Any]) -> Any:
        """What `build` adds to the copy; a second call with the same key gives the same nodes."""
        if key not in self._built:
            with self.graph.as_default():
                self._built[key] = build()
        return self._built[key]

    def _run(self, fetches: Sequence[Tensor], operands: Mapping[Tensor, np.ndarray]) -> list[np.ndarray]:
        if not fetches:
            return []
        return [np.asarray(value) for value in self._session.run(list(fetches), {**self._feeds, **operands})]

    def _compute(self, given: dict[Tensor, np.ndarray]) -> None:
        computed = self._run(list(self.stages), given)
        values = {**given, **dict(zip(self.stages, computed, strict=True))}
        self._check_sizes(values)
        self._given, self.values = given, {tensor: values[tensor] for tensor in self.tensors}

    def _check_sizes(self, values: Mapping[Tensor, np.ndarray]) -> None:
        fix = "\n  fix: a smaller example; tfedu.widgets.Value shows large tensors"
        for tensor, value in values.items():
            if not 0 < value.size <= MOST_OF_ONE:
                raise ValueError(
                    f"{self.names[tensor]} has {value.size} elements; a picture of single elements shows 1 to {MOST_OF_ONE}{fix}"
                )
        if (total := sum(value.size for value in values.values())) > MOST_ELEMENTS:
            raise ValueError(f"the tensors have {total} elements; a picture of single elements shows {MOST_ELEMENTS}{fix}")

    # -- which tensors are shown ---------------------------------------------------------------------------------------

    def _shown(self, wanted: list[Tensor] | None) -> list[Tensor]:
        way = _way(self.y)
        sources = [tensor for tensor in way if _is_source(tensor)]
        inputs = [tensor for tensor in sources if tensor.dtype.is_floating and not self._is_part_of_formula(tensor)]
        if not inputs:
            inputs = [tensor for tensor in sources if not self._is_part_of_formula(tensor)] or sources
        steps = self._steps(way, inputs) if wanted is None else wanted
        for tensor in steps:
            if tensor not in way or not _is_number(tensor):
                raise ValueError(f"{self.y.name} is not computed from numbers of {tensor.name}")
        chosen = {*inputs, *steps, self.y}
        if len(chosen) > MOST_TENSORS:
            raise ValueError(
                f"{len(chosen)} tensors are to be shown, and a picture of single elements shows {MOST_TENSORS}\n"
                "  fix: between=[…] names those on the way"
            )
        return sorted(chosen, key=lambda tensor: (tensor.op.id, tensor.index))

    def _is_part_of_formula(self, tensor: Tensor) -> bool:
        op = tensor.op
        return op.type == "Const" and np.ndim(op.attrs["value"]) == 0 and op not in self._written

    def _steps(self, way: Iterable[Tensor], inputs: Sequence[Tensor]) -> list[Tensor]:
        """The tensors between inputs and y that are worth a place in the picture; none where there are many."""
        if any(tensor.op.definition is not None and tensor.op.definition.role in _CONTROL_FLOW for tensor in way):
            return []
        reached = set(inputs)
        for tensor in sorted(way, key=lambda t: t.op.id):
            if any(operand in reached for operand in tensor.op.inputs):
                reached.add(tensor)
        # A tensor that is passed on under another name would be shown twice.
        same = {_passed_on(tensor) for tensor in (self.y, *inputs)}
        steps = [
            tensor
            for tensor in way
            if tensor in reached and tensor.dtype.is_floating and tensor is _passed_on(tensor) and tensor not in same
        ]
        named = [tensor for tensor in steps if tensor.op in self._written]
        clear = [tensor for tensor in steps if tensor in named or not self._is_part_of_reader(tensor, reached)]
        return next((chosen for chosen in (clear, named) if len(chosen) + len(inputs) + 1 <= MOST_TENSORS), [])

    def _is_part_of_reader(self, tensor: Tensor, reached: Collection[Tensor]) -> bool:
        """Whether the formula of the only node that reads the tensor is clear without it, as that of a sum of products."""
        readers = {op for op in tensor.consumers() if any(output in reached for output in op.outputs)}
        if tensor.op.type in _MOVES:
            return True
        if len(readers) != 1:
            return False
        (reader,) = readers
        if function_of(reader) is not None:
            return self._is_scaled(tensor.op)
        is_sum = reader.type in _SUMS or (reader.type in _SCALES and self._is_scaled(reader))
        return is_sum and tensor.op.type in _SUMS | _PRODUCTS | _SCALES

    def _is_scaled(self, op: Operation) -> bool:
        """Whether the node adds a scalar constant, or multiplies by one."""
        is_scalar = any(_is_source(operand) and self._is_part_of_formula(operand) for operand in op.inputs)
        return is_scalar and op.type in _SUMS | _SCALES

    def _names(self, given: Mapping[Tensor, str]) -> dict[Tensor, str]:
        written = self._written
        short = {t: given.get(t) or written.get(t.op) or written.get(_owner(t)) or leaf(_owner(t).name) for t in self.tensors}
        full = {t: name if _is_alone(name, short) else _owner(t).name for t, name in short.items()}
        return {t: name if _is_alone(name, full) else f"{t.op.name}:{t.index}" for t, name in full.items()}


def _tensor_of(graph: Graph, item: Any) -> Tensor:
    if not isinstance(item, Tensor):
        raise TypeError(f"between has tensors, not {type(item).__name__}")
    tensor: Tensor = graph.as_graph_element(item)
    return tensor


def _is_alone(name: str, names: Mapping[Tensor, str]) -> bool:
    return list(names.values()).count(name) == 1


def _is_number(tensor: Tensor) -> bool:
    dtype = tensor.dtype
    return not dtype.is_ref and dtype.numpy is not None and dtype.numpy.kind in "fiub"


def _is_source(tensor: Tensor) -> bool:
    """Whether its numbers come from no other tensor's: of a constant, a placeholder, a variable, a random generator."""
    definition = tensor.op.definition
    if definition is not None and (definition.stateful or definition.role == "placeholder_with_default"):
        return True
    return not any(_is_number(operand) for operand in tensor.op.inputs)


def _way(y: Tensor) -> dict[Tensor, None]:
    """The tensors of numbers that y depends on, and y, each after those that need it."""
    way = {y: None}
    stack = [y]
    while stack:
        tensor = stack.pop()
        if _is_source(tensor):
            continue
        for operand in tensor.op.inputs:
            if operand not in way and _is_number(operand):
                way[operand] = None
                stack.append(operand)
    return way


def _stage(tensor: Tensor, shown: frozenset[Tensor]) -> Stage:
    operands: dict[Tensor, None] = {}
    nodes = {tensor.op: None}
    if not _is_source(tensor):
        stack = list(reversed(tensor.op.inputs))
        while stack:
            operand = stack.pop()
            if operand in shown:
                operands[operand] = None
            elif operand.op not in nodes:
                nodes[operand.op] = None
                stack.extend(reversed(operand.op.inputs))
    return Stage(tensor, tuple(operands), tuple(sorted(nodes, key=lambda op: op.id)))


def _owner(tensor: Tensor) -> Operation:
    """The node after which a tensor is named: what is read from a variable has the variable's name."""
    read = [operand.op for operand in tensor.op.inputs if operand.dtype.is_ref or operand.dtype.name == "resource"]
    return read[0] if read and _is_source(tensor) else tensor.op


def function_of(op: Operation) -> Tensor | None:
    """The tensor of which the node is a function, element by element; None for other nodes, and for sums and products."""
    definition = op.definition
    if definition is None or op.type in POLYNOMIALS or op.type in _SHARES or len(op.inputs) != 1:
        return None
    is_elementwise = definition.shape_rule is same_shape and (definition.ufunc is not None or definition.role == "activation")
    return op.inputs[0] if is_elementwise else None


def _passed_on(tensor: Tensor) -> Tensor:
    """The tensor whose elements this one passes on as they are, in the same order: of a Reshape its input; else itself."""
    while True:
        definition = tensor.op.definition
        if definition is None or not tensor.op.inputs or definition.role in _CONTROL_FLOW:
            return tensor
        index = max(definition.alias_index, definition.view_index)
        if index < 0 or not _is_number(tensor.op.inputs[index]):
            return tensor
        tensor = tensor.op.inputs[index]


__all__ = ["MOST_ELEMENTS", "MOST_OF_ONE", "MOST_TENSORS", "POLYNOMIALS", "ElementGraph", "Stage", "function_of"]
