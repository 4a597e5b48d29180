"""Graph: nodes in the order in which they were made, their names, and the settings that new nodes take on.

`Graph.add_node` stores a node; what it computes is the business of `ops/`, when it runs that of `runtime/`.
State: `_nodes` and `_by_name` (the nodes), `_names` (how often each name was asked for), `_name_scope`,
`_control_stack`, `_device_stack`, `_colocation_stack`, `_context`, `_marks` (what new nodes take on; the first three
are in `_settings_of_threads` while another thread builds, once threads have blocks of their own), `blocks` (the
user's control_dependencies blocks), `history` (which runs and gradients were asked for), `_unfeedable` and
`_unfetchable`, `_seed` and `seeded` (how many nodes there were when it was first set), `mutations` (counts changes to nodes
already made, so that plans know they are stale), and that of `changes.py` and `collected.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from threading import get_ident
from typing import Any

from ..base import site as sites
from ..base.dtypes import DType
from ..base.errors import error_text
from ..base.shapes import Shape
from ..base.site import RawSite, Site
from . import device as devices
from .collections import Collected
from .conversion import convert_to_tensor
from .elements import as_operation, graph_element
from .history import History
from .nodes import Operation, Tensor, duplicate
from .scopes import (
    ControlBlock,
    LateSetting,
    Marks,
    NameScope,
    Setting,
    Settings,
    control_inputs_for,
    texts_by_text,
)
from .stacks import Entry, use_graph_class
from .transactions import Transaction

_OP_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\-/]*$")
_SCOPE_NAME = re.compile(r"^[A-Za-z0-9_.\-/]*$")

DeviceFunction = Callable[[Operation], Any]


@use_graph_class
class Graph(Collected):
    """A computation graph under construction."""

    def __init__(self) -> None:
        super().__init__()
        self._nodes: list[Operation] = []
        self._by_name: dict[str, Operation] = {}
        self._names: dict[str, int] = {}
        self._name_scope = ""
        self._scope_owner = get_ident()
        self._scopes_of_others: dict[int, str] = {}
        self._control_stack: tuple[ControlBlock, ...] = ()
        self._settings_of_threads: dict[int, tuple[Any, ...]] | None = None
        self._device_stack: tuple[devices.Merge | DeviceFunction | None, ...] = ()
        self._colocation_stack: tuple[Operation, ...] = ()
        self._marks: Marks | None = None
        self._context: Any = None
        self._variable_creators: tuple[tuple[int, Callable[..., Any]], ...] = ()
        self._unfeedable: set[Tensor] = set()
        self._unfetchable: set[Tensor | Operation] = set()
        self._seed: int | None = None
        self.seeded = 0
        self._line: RawSite | None = None  # the line that new nodes name, instead of the one that runs
        self.blocks: list[ControlBlock] = []
        self.history = History()
        self.mutations = 0

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
        """Stores a node under a name that `unique_name` gave, with the settings in force.

        waits_for: control inputs of its own, besides those of the blocks around it.
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
        if self._marks is not None:
            self._marks.put_on(op)
        for tensor in inputs:
            tensor.add_consumer(op)
        for waited in waits:
            waited.add_control_output(op)
        for block in stack:
            block.saw(op)
        nodes.append(op)
        self._by_name[name] = op
        if self._journal is not None:
            self._journal.append((self._remove_last, op, stack))
        context = self._context
        if context is not None:
            op._context = context
            context.add_op(op)
        return op

    def check_inputs(self, type: str, name: str, inputs: Iterable[Tensor]) -> None:
        """Whether a node of the branch or loop that is being built may take these inputs.

        Raises: ValueError for a value of a loop that the node is not in.
        """
        for tensor in inputs:
            source = tensor.op
            if source._context is not None:
                source._context.check_use(source, type, name, self._context)

    def _remove_last(self, op: Operation, stack: tuple[ControlBlock, ...]) -> None:
        assert self._nodes[-1] is op
        self._nodes.pop()
        del self._by_name[op.name]
        for tensor in op.inputs:
            tensor.remove_consumer(op)
        for waited in op.waits:
            waited.remove_control_output(op)
        for block in stack:
            block.forget(op)
        if op._context is not None:
            op._context.forget(op)

    def _colocate(self, op: Operation) -> None:
        groups: set[bytes] = set()
        for other in self._colocation_stack:
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
            # A function sees the node as it is by now, and its answer stands as it is.
            op.device = devices.answered(entry(op))

    def update_input(self, op: Operation, index: int, tensor: Tensor) -> None:
        """Makes `tensor` the op's input `index` (control-flow contexts do this as they take a node in)."""
        old = op.inputs[index]
        inputs = list(op.inputs)
        inputs[index] = tensor
        op.inputs = tuple(inputs)
        op.stand_alone()
        old.remove_consumer(op)
        tensor.add_consumer(op)
        self._changed((self.update_input, op, index, old))

    def add_control_input(self, op: Operation, waited: Operation) -> None:
        """Makes `op` wait for `waited`."""
        if waited in op.waits:
            return
        op.waits = (*op.waits, waited)
        waited.add_control_output(op)
        self._changed((self.remove_control_input, op, waited))

    def remove_control_input(self, op: Operation, waited: Operation) -> None:
        """Lets `op` no longer wait for `waited`."""
        op.waits = tuple(other for other in op.waits if other is not waited)
        waited.remove_control_output(op)
        self._changed((self.add_control_input, op, waited))

    def _changed(self, undo: tuple[Any, ...]) -> None:
        self.mutations += 1
        self.on_failure(*undo)

    def transaction(self) -> Transaction:
        """`with graph.transaction():` a failure inside leaves nothing behind: no node, no name, no entry."""
        return Transaction(self)

    # -- names ---------------------------------------------------------------------------------------------------

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` in the current scope, with `_1`, `_2`, … when it is taken; names differ by more than case."""
        full = f"{self._name_scope}/{name}" if self._name_scope else name
        names = self._names
        key = full.lower()
        taken = names.get(key, 0)
        candidate = key
        if taken:
            suffix = taken
            while candidate in names:
                candidate = f"{key}_{suffix}"
                suffix += 1
            full = f"{full}_{suffix - 1}"
        if mark_as_used:
            journal = self._journal
            if journal is not None:
                journal.append((self._restore_names, key, taken, candidate))
            names[key] = taken + 1
            if taken:
                names[candidate] = 1
        return full

    def _restore_names(self, key: str, taken: int, candidate: str) -> None:
        del self._names[candidate]
        if taken:
            self._names[key] = taken

    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """`with graph.name_scope("layer") as scope:` names inside begin with it; `"layer/"` goes back in; None leaves all."""
        return NameScope(self, name)

    def claim_names(self) -> None:
        """Makes `_name_scope` this thread's own; called with the lock held. Threads share the other settings, as in TF."""
        me = get_ident()
        if me != self._scope_owner:
            self._scopes_of_others[self._scope_owner] = self._name_scope
            self._name_scope = self._scopes_of_others.pop(me, "")
            if self._settings_of_threads is not None:
                self._settings_of_threads[self._scope_owner] = self._settings()
                self._settle(self._settings_of_threads.get(me, self._settings_of_threads[0]))
            self._scope_owner = me

    def switch_to_thread_local(self) -> None:
        """From now on each thread has blocks of its own for devices, control dependencies and colocation."""
        with self._lock:
            self.claim_names()
            if self._settings_of_threads is None:
                # No thread has the number 0: what a thread begins with.
                self._settings_of_threads = {0: self._settings()}

    def claim(self) -> None:
        """`claim_names` for who does not hold the lock."""
        with self._lock:
            self.claim_names()

    def _settings(self) -> tuple[Any, ...]:
        return self._control_stack, self._device_stack, self._colocation_stack

    def _settle(self, settings: tuple[Any, ...]) -> None:
        self._control_stack, self._device_stack, self._colocation_stack = settings

    def open_scope(self, name: str | None) -> tuple[str, str]:
        """The stack string and the shown string of a name scope."""
        if name and not isinstance(name, str):
            raise TypeError(error_text(f"'name' must be a string. Received: {name!r}"))
        if not name:
            return "", ""
        self.check_scope_name(name)
        full = name[:-1] if name[-1] == "/" else self.unique_name(name)
        return full, f"{full}/"

    def get_name_scope(self) -> str:
        """The scope in which this thread's new names are."""
        with self._lock:
            self.claim_names()
            return self._name_scope

    def check_scope_name(self, name: str) -> None:
        """Raises: ValueError when no scope may have this name here."""
        if not (_SCOPE_NAME if self._name_scope else _OP_NAME).match(name):
            raise ValueError(error_text(f"'{_shortened(name)}' is not a valid scope name"))

    @staticmethod
    def check_op_name(name: str) -> None:
        """Raises: ValueError when no node may have this name."""
        if not _OP_NAME.match(name):
            raise ValueError(error_text(f"'{_shortened(name)}' is not a valid node name"))

    # -- settings for new nodes ----------------------------------------------------------------------------------

    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> ControlBlock:
        """`with graph.control_dependencies([a, b]):` nodes *made inside* run after a and b; None clears the outer blocks.

        Raises: TypeError for what is neither a node, a tensor nor a variable.
        """
        return self._control_block(control_inputs, sites.capture())

    def _control_block(self, control_inputs: Iterable[Any] | None, site: Site | None = None) -> ControlBlock:
        if control_inputs is None:
            return ControlBlock(self, (), True, site)
        have = {op for block in self._control_stack for op in block.control_inputs}
        waits: list[Operation] = []
        for given in control_inputs:
            op: Operation = given.op if type(given) is Tensor and given.op.graph is self else _located(as_operation, self, given)
            if op not in have:
                have.add(op)
                waits.append(op)
        return ControlBlock(self, tuple(waits), False, site)

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """`with graph.device("/gpu:0"):` new nodes ask for this device; inner blocks win field by field."""
        return LateSetting(
            self, "_device_stack", lambda: ((*self._device_stack, *devices.entries(device_name_or_function)), None)
        )

    def colocate_with(self, op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
        """`with graph.colocate_with(op):` new nodes go where `op` goes."""
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
        # A handle is what tells where a resource variable is.
        op = getattr(op, "handle", op)
        if not isinstance(op, Operation):
            inner = getattr(op, "op", None)
            op = inner if isinstance(inner, Operation) else convert_to_tensor(op, as_ref=True).op
        return (*stack, op)

    def gradient_override_map(self, op_type_map: dict[str, str]) -> AbstractContextManager[None]:
        """`with graph.gradient_override_map({"Sign": "Mine"}):` new Sign nodes have the gradient registered as Mine."""

        def marks(now: Marks) -> Marks:
            found = texts_by_text(op_type_map, "op_type_map")
            return now._replace(gradients={**now.gradients, **found})

        return self._marking(marks)

    def _kernel_label_map(self, op_to_kernel_label_map: dict[str, str]) -> AbstractContextManager[None]:
        """New nodes of these types ask for the kernel with that label."""

        def marks(now: Marks) -> Marks:
            return now._replace(labels={**now.labels, **texts_by_text(op_to_kernel_label_map, "op_to_kernel_label_map")})

        return self._marking(marks)

    def _attr_scope(self, attr_map: dict[str, Any]) -> AbstractContextManager[None]:
        """New nodes get these attributes: messages, functions of the node in words that give one, None for no more."""

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
        """`with graph.container("experiment"):` what new stateful nodes keep is kept apart under that name."""
        return self._marking(lambda now: now._replace(container=container_name), container_name)

    def changes_new_nodes(self) -> bool:
        """Whether an open block gives new nodes a device, attributes, or a branch or loop to belong to."""
        return bool(self._device_stack) or self._marks is not None or self._context is not None

    def attributed_to(self, site: RawSite | None) -> AbstractContextManager[None]:
        """`with graph.attributed_to(site):` new nodes name this line as the one that made them; None: the line that runs."""
        return Setting(self, "_line", site)

    def _marking(self, change: Callable[[Marks], Marks], shown: Any = None) -> AbstractContextManager[Any]:
        def derive() -> tuple[Marks | None, Any]:
            marks = change(self._marks or Marks())
            return (marks if any(marks) else None), shown

        return LateSetting(self, "_marks", derive)

    def _variable_creator_scope(
        self, creator: Callable[..., Any], priority: int = 100
    ) -> AbstractContextManager[None]:
        """`creator(next_creator, **kwargs)` makes the variables inside; of several, the last one of the highest priority."""
        creators = [*self._variable_creators, (priority, creator)]
        return Setting(self, "_variable_creators", tuple(sorted(creators, key=lambda entry: entry[0])))

    # -- looking things up ---------------------------------------------------------------------------------------

    @property
    def operations(self) -> list[Operation]:
        """The nodes in the order in which they were made; not a copy."""
        return self._nodes

    def get_operations(self) -> list[Operation]:
        return list(self._nodes)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation that a name or object stands for.

        Raises: KeyError for a missing name, ValueError for a malformed one or another graph's, TypeError for the rest.
        """
        return graph_element(self, obj, allow_tensor, allow_operation)

    def get_operation_by_name(self, name: str) -> Operation:
        """Raises: KeyError when there is no such operation."""
        if not isinstance(name, str):
            raise TypeError(
                error_text(f"Operation names are strings (or similar), not {type(name).__name__}.")
            )
        op: Operation = _located(graph_element, self, name, False, True)
        return op

    def get_tensor_by_name(self, name: str) -> Tensor:
        """Raises: ValueError for a name without output index, KeyError when there is no such tensor."""
        if not isinstance(name, str):
            raise TypeError(error_text(f"Tensor names are strings (or similar), not {type(name).__name__}."))
        tensor: Tensor = _located(graph_element, self, name, True, False)
        return tensor

    def prevent_feeding(self, tensor: Tensor) -> None:
        self._unfeedable.add(tensor)
        self.on_failure(self._unfeedable.discard, tensor)

    def is_feedable(self, tensor: Any) -> bool:
        return tensor not in self._unfeedable

    def prevent_fetching(self, op: Any) -> None:
        self._unfetchable.add(op)
        self.on_failure(self._unfetchable.discard, op)

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        if tensor_or_op in self._unfetchable:
            return False
        return not (isinstance(tensor_or_op, Tensor) and tensor_or_op.op in self._unfetchable)

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

    @property
    def building_function(self) -> bool:
        return False

    def _get_control_flow_context(self) -> Any:
        return self._context

    def _set_control_flow_context(self, ctx: Any) -> None:
        self._context = ctx


def _shortened(name: str) -> str:
    return name if len(name) <= 200 else f"{name[:200]}…"


def _located(look: Callable[..., Any], *args: Any) -> Any:
    """`look(*args)`; a refusal names the user's line (but a KeyError, which would show its text on one line, in quotes)."""
    try:
        return look(*args)
    except (TypeError, ValueError) as error:
        raise type(error)(error_text(str(error))) from None


def graph_of(values: Iterable[Any]) -> Graph | None:
    """The graph that the given tensors and operations live in, or None when there is none among them.

    Raises: ValueError when they live in different graphs.
    """
    found: Graph | None = None
    first: Any = None
    for value in values:
        graph = getattr(value, "graph", None)
        if isinstance(graph, Graph):
            if found is None:
                found, first = graph, value
            elif graph is not found:
                raise ValueError(error_text(f"{value} must be from the same graph as {first}."))
    return found


__all__ = ["Graph", "graph_of"]
