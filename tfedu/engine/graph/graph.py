"""Graph: nodes in the order in which they were created, and the blocks that set what new nodes take on.

`Graph.add_node` stores a node; `ops/` knows what it computes, `runtime/` when it runs. The parts of a graph are its base
classes, a module each: `Changes` (undo, locks), `Collected` (collections), `NodeTable` (names to nodes) and
`BuildSettings` (names and settings of new nodes).
State: theirs, `history` (the runs and calls of `gradients`), `_seed` and `seeded` (how many nodes there were when it was
first set), `mutations` (counts changes to nodes, so that plans know they are stale), `_devices` (those that nodes ask for).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ..base import site as sites
from ..base.dtypes import DType
from ..base.errors import error_text
from ..base.shapes import Shape
from ..base.site import RawSite, Site
from . import device as devices
from .conversion import convert_to_tensor
from .elements import as_operation, located
from .history import History
from .nodes import Operation, Tensor, duplicate
from .scopes import (
    BuildSettings,
    ControlBlock,
    LateSetting,
    Marks,
    NestedSetting,
    Setting,
    Settings,
    control_inputs_for,
    texts_by_text,
)
from .stacks import Entry


class Graph(BuildSettings):
    """A computation graph under construction."""

    # Whether nodes may take tensors of other graphs: in the body of a function (op/function_graph.py), which captures them.
    takes_foreign_tensors = False
    # Of the copy that a run on several devices makes (runtime/partition.py): the graph that it is a copy of.
    original: Graph | None = None

    def __init__(self) -> None:
        super().__init__()
        self._seed: int | None = None
        self.seeded = 0
        self.history = History()
        self.mutations = 0
        self._devices: set[str] = set()

    # -- nodes ---------------------------------------------------------------------------------------------------

    def add_node(
        self,
        type: str,
        name: str,
        inputs: tuple[Tensor, ...],
        attrs: Mapping[str, Any],
        output_types: Sequence[DType],
        output_shapes: Sequence[Shape],
        definition: Any = None,
        site: RawSite | None = None,
        waits_for: tuple[Operation, ...] = (),
    ) -> Operation:
        """Stores a node under a name from `unique_name`, with the settings in force.

        waits_for: control inputs besides those of the blocks around it.
        """
        stack = self._control_stack
        waits = control_inputs_for(stack, inputs) if stack else ()
        if waits_for:
            waits = tuple(dict.fromkeys((*waits_for, *waits)))
        nodes = self._nodes
        if name in self._by_name:
            raise ValueError(duplicate(name))
        op = Operation(self, len(nodes), type, name, inputs, waits, attrs, "", site, definition)
        for index, dtype in enumerate(output_types):
            op.outputs.append(Tensor(op, index, dtype, output_shapes[index]))
        if self._device_stack:
            self._place(op)
        if self._colocation_stack:
            self._colocate(op)
        if op.device and op.device not in self._devices:
            self._devices.add(op.device)
            self.mutations += 1  # a session has to look whether it has this device, also for runs that it has compiled
        if self._marks is not None:
            self._marks.put_on(op)
        if self._journal is not None:
            self._journal.append((self._remove_last, op, stack))
        for tensor in inputs:
            tensor.add_consumer(op)
        for waited in waits:
            waited.add_control_output(op)
        for block in stack:
            block.saw(op)
        nodes.append(op)
        self._by_name[name] = op
        context = self._context
        if context is not None:
            op._context = context
            context.add_op(op)
        return op

    def check_inputs(self, type: str, name: str, inputs: Iterable[Tensor]) -> None:
        """Checks that a node of the branch or loop under construction may take these inputs.

        Raises: ValueError for a value of a loop that does not contain the node.
        """
        for tensor in inputs:
            source = tensor.op
            if source._context is not None:
                source._context.check_use(source, type, name, self._context)

    def _remove_last(self, op: Operation, stack: tuple[ControlBlock, ...]) -> None:
        if self._nodes and self._nodes[-1] is op:
            self._nodes.pop()
        if self._by_name.get(op.name) is op:
            del self._by_name[op.name]
        for tensor in op.inputs:
            tensor.settle_consumer(op, 0)
        for waited in op.waits:
            waited.remove_control_output(op)
        for block in stack:
            block.forget(op)
        if op._context is not None:
            op._context.forget(op)

    def _colocate(self, op: Operation) -> None:
        groups: set[bytes] = set()
        for other in reversed(self._colocation_stack):  # of several with a device, the outermost one's counts
            groups.update(other.colocation_groups())
            if other.device:
                op.device = other.device
        op.put_attr("_class", sorted(groups))

    def _place(self, op: Operation) -> None:
        for entry in reversed(self._device_stack):
            if entry is None:
                break
            if isinstance(entry, devices.Merge):
                op.device = entry(op.device)
                continue
            # A device function gets the node with the device of the inner blocks; the device that it returns is final.
            op.device = devices.device_name(entry(op))

    def update_input(self, op: Operation, index: int, tensor: Tensor) -> None:
        """Makes `tensor` the op's input `index`; control-flow contexts rewire the inputs of their nodes."""
        inputs = (*op.inputs[:index], tensor, *op.inputs[index + 1 :])
        self._changed((self._set_inputs, op, op.inputs, inputs))
        op.stand_alone()
        self._set_inputs(op, inputs, op.inputs)

    @staticmethod
    def _set_inputs(op: Operation, inputs: tuple[Tensor, ...], others: tuple[Tensor, ...]) -> None:
        op.inputs = inputs
        for tensor in {*inputs, *others}:
            tensor.settle_consumer(op, inputs.count(tensor))

    def add_control_input(self, op: Operation, waited: Operation) -> None:
        """Makes `op` wait for `waited`."""
        if waited in op.waits:
            return
        self._set_waits(op, (*op.waits, waited), op.waits)

    def remove_control_input(self, op: Operation, waited: Operation) -> None:
        """Lets `op` no longer wait for `waited`."""
        self._set_waits(op, tuple(other for other in op.waits if other is not waited), op.waits)

    def _set_waits(self, op: Operation, waits: tuple[Operation, ...], others: tuple[Operation, ...]) -> None:
        self._changed((self._set_waits, op, others, waits))
        op.waits = waits
        for waited in dict.fromkeys((*waits, *others)):
            if waited not in waits or op not in waited.control_outputs:
                (waited.add_control_output if waited in waits else waited.remove_control_output)(op)

    def _changed(self, undo: tuple[Any, ...]) -> None:
        self.mutations += 1
        self.on_failure(*undo)

    # -- settings for new nodes ----------------------------------------------------------------------------------

    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> ControlBlock:
        """`with graph.control_dependencies([a, b]):` nodes *created inside* run after a and b; None clears the outer blocks.

        Raises: TypeError for a value that is neither a node, a tensor nor a variable.
        """
        return self._control_block(control_inputs, sites.capture())

    def _control_block(self, control_inputs: Iterable[Any] | None, site: Site | None = None) -> ControlBlock:
        if control_inputs is None:
            return ControlBlock(self, (), True, site)
        present = {op for block in self._control_stack for op in block.control_inputs}
        waits: list[Operation] = []
        for item in control_inputs:
            op: Operation
            op = item.op if type(item) is Tensor and item.op.graph is self else located(as_operation, self, item)
            if op not in present:
                present.add(op)
                waits.append(op)
        return ControlBlock(self, tuple(waits), False, site)

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """`with graph.device("/gpu:0"):` new nodes request this device; inner blocks win field by field."""
        return NestedSetting(
            self,
            "_device_stack",
            lambda: ((*self._device_stack, *devices.entries(device_name_or_function)), None),
            "device scope",
        )

    def colocate_with(self, op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
        """`with graph.colocate_with(op):` new nodes share the device of `op`."""
        if op is None and not ignore_existing:
            raise ValueError(
                error_text("Trying to reset colocation (op is None) but ignore_existing is not True")
            )
        return Settings(
            Setting(self, "_device_stack", ()),
            LateSetting(self, "_colocation_stack", lambda: (self._colocated(op, ignore_existing), None)),
        )

    def _colocated(self, op: Any, ignore_existing: bool) -> tuple[Operation, ...]:
        stack = () if ignore_existing else self._colocation_stack
        if op is None:
            return stack
        # The handle of a resource variable decides its device.
        op = getattr(op, "handle", op)
        if not isinstance(op, Operation):
            inner = getattr(op, "op", None)
            op = inner if isinstance(inner, Operation) else convert_to_tensor(op, as_ref=True).op
        return (*stack, op)

    def gradient_override_map(self, op_type_map: dict[str, str]) -> AbstractContextManager[None]:
        """`with graph.gradient_override_map({"Sign": "Mine"}):` new Sign nodes have the gradient registered as Mine."""

        def marks(now: Marks) -> Marks:
            return now._replace(gradients={**now.gradients, **texts_by_text(op_type_map, "op_type_map")})

        return self._marking(marks)

    def _kernel_label_map(self, op_to_kernel_label_map: dict[str, str]) -> AbstractContextManager[None]:
        """New nodes of these types request the kernel with that label."""

        def marks(now: Marks) -> Marks:
            return now._replace(labels={**now.labels, **texts_by_text(op_to_kernel_label_map, "op_to_kernel_label_map")})

        return self._marking(marks)

    def _attr_scope(self, attr_map: dict[str, Any]) -> AbstractContextManager[None]:
        """New nodes get these attributes: messages, or functions from a NodeDef to a message; None removes one."""

        def marks(now: Marks) -> Marks:
            if not isinstance(attr_map, dict):
                raise TypeError(
                    error_text("attr_map must be a dictionary mapping strings to AttrValue protocol buffers")
                )
            for name, value in attr_map.items():
                if not isinstance(name, str) or not (value is None or callable(value) or hasattr(value, "WhichOneof")):
                    text = (
                        "attr_map must be a dictionary mapping strings to AttrValue protocol buffers or callables that emit "
                        "AttrValue protocol buffers"
                    )
                    raise TypeError(error_text(text))
            merged = {**now.attributes, **attr_map}
            return now._replace(attributes={name: value for name, value in merged.items() if value is not None})

        return self._marking(marks)

    def container(self, container_name: str) -> AbstractContextManager[str]:
        """`with graph.container("experiment"):` the state of new stateful nodes is kept apart under that name."""
        return self._marking(lambda now: now._replace(container=container_name), container_name)

    def changes_new_nodes(self) -> bool:
        """Whether an open block gives new nodes a device, attributes, a branch or a loop."""
        return bool(self._device_stack) or self._marks is not None or self._context is not None

    def _marking(self, change: Callable[[Marks], Marks], target: Any = None) -> AbstractContextManager[Any]:
        def derive() -> tuple[Marks | None, Any]:
            marks = change(self._marks or Marks())
            return (marks if any(marks) else None), target

        return LateSetting(self, "_marks", derive)

    def _variable_creator_scope(
        self, creator: Callable[..., Any], priority: int = 100
    ) -> AbstractContextManager[None]:
        """`creator(next_creator, **kwargs)` creates the variables inside; the last creator of the highest priority wins."""
        creators = [*self._variable_creators, (priority, creator)]
        return Setting(self, "_variable_creators", tuple(sorted(creators, key=lambda entry: entry[0])))

    # -- the rest ------------------------------------------------------------------------------------------------

    def as_default(self) -> Entry:
        """`with graph.as_default():` new nodes of this thread go here."""
        return Entry("graphs", self)

    @property
    def seed(self) -> int | None:
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        if self._seed is None:
            self.seeded = len(self._nodes)
        self._seed = seed

    @property
    def version(self) -> int:
        return len(self._nodes)

    @property
    def _last_id(self) -> int:
        return len(self._nodes)

    def outside(self, tensor: Tensor) -> Tensor:
        """The captured tensor of an outer graph for which a placeholder here stands; any other tensor is returned as it is."""
        return tensor

    @property
    def building_function(self) -> bool:
        return False

    def _get_control_flow_context(self) -> Any:
        return self._context

    def _set_control_flow_context(self, ctx: Any) -> None:
        self._context = ctx


def graph_of(values: Iterable[Any]) -> Graph | None:
    """The graph of the tensors, operations and variables among `values`; None when there are none.

    Raises: ValueError when they belong to different graphs.
    """
    common: Graph | None = None
    first: Any = None
    for value in values:
        convert = getattr(value, "_as_graph_element", None)
        element = value if convert is None else convert()
        if not isinstance(element, (Tensor, Operation)):
            continue
        graph = element.graph
        if isinstance(graph, Graph):
            if common is None:
                common, first = graph, element
            elif graph is not common:
                raise ValueError(error_text(f"{element} must be from the same graph as {first}."))
    return common


__all__ = ["Graph", "graph_of"]
