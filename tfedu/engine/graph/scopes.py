"""The `with` blocks of graph building: names, control dependencies, devices, colocation.

Each block saves one field of the graph, sets it, and puts it back: nothing else changes. Blocks of control
dependencies are also kept in `graph.blocks` with the nodes made inside them, because an empty one is the
commonest mistake with them (lint) and has to be drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.errors import error_text
from ..base.site import Site

if TYPE_CHECKING:
    from .graph import Graph
    from .nodes import Operation


class Setting:
    """`with Setting(graph, field, value) as shown`: the field holds `value` inside the block."""

    __slots__ = ("graph", "field", "value", "shown", "saved")

    def __init__(self, graph: Graph, field: str, value: Any, shown: Any = None) -> None:
        self.graph = graph
        self.field = field
        self.value = value
        self.shown = shown
        self.saved: Any = None

    def __enter__(self) -> Any:
        graph = self.graph
        with graph._lock:
            graph.claim_names()
            self.saved = getattr(graph, self.field)
            setattr(graph, self.field, self.value)
        return self.shown

    def __exit__(self, *exc: object) -> None:
        graph = self.graph
        with graph._lock:
            graph.claim_names()
            setattr(graph, self.field, self.saved)


class LateSetting(Setting):
    """A setting whose value (and what is shown) is worked out when the block is entered, not when it is made."""

    __slots__ = ("derive",)

    def __init__(self, graph: Graph, field: str, derive: Callable[[], tuple[Any, Any]]) -> None:
        super().__init__(graph, field, None)
        self.derive = derive

    def __enter__(self) -> Any:
        graph = self.graph
        with graph._lock:
            graph.claim_names()
            value, shown = self.derive()
            self.saved = getattr(graph, self.field)
            setattr(graph, self.field, value)
        return shown


class NameScope(Setting):
    """`with NameScope(graph, name) as scope`: a scope gets its name when it is entered."""

    __slots__ = ()

    def __init__(self, graph: Graph, name: str | None) -> None:
        self.graph = graph
        self.field = "_name_scope"
        self.value = name

    def __enter__(self) -> Any:
        graph = self.graph
        with graph._lock:
            graph.claim_names()
            inner, shown = graph.open_scope(self.value)
            self.saved = graph._name_scope
            graph._name_scope = inner
        return shown


class Settings:
    """Several settings as one block, entered left to right."""

    __slots__ = ("parts",)

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def __enter__(self) -> Any:
        shown = None
        for part in self.parts:
            shown = part.__enter__()
        return shown

    def __exit__(self, *exc: object) -> None:
        for part in reversed(self.parts):
            part.__exit__(*exc)


class ControlBlock:
    """One `with graph.control_dependencies(...)`: what it waits for and which nodes were made inside."""

    __slots__ = (
        "graph", "control_inputs", "cleared", "created", "site", "position", "_seen", "_saved", "_saved_context",
    )  # fmt: skip

    def __init__(
        self, graph: Graph, control_inputs: tuple[Operation, ...], cleared: bool, site: Site | None
    ) -> None:
        self.graph = graph
        self.control_inputs = control_inputs
        self.cleared = cleared
        self.created: list[Operation] = []
        self.site = site
        self.position = 0  # how many nodes the graph had when the block was entered
        self._seen: set[Operation] = set()
        self._saved: tuple[ControlBlock, ...] = ()
        self._saved_context: Any = None

    def __enter__(self) -> ControlBlock:
        graph = self.graph
        if graph._settings_of_threads is not None:
            graph.claim()
        self._saved = graph._control_stack
        self._saved_context = graph._context
        if self.cleared:
            # None forgets the outer blocks, and the control-flow context with them.
            graph._control_stack = (self,)
            graph._context = None
        else:
            graph._control_stack = (*self._saved, self)
        if self.site is not None:
            self.position = len(graph._nodes)
            graph.blocks.append(self)
        return self

    def __exit__(self, *exc: object) -> None:
        if self.graph._settings_of_threads is not None:
            self.graph.claim()
        self.graph._control_stack = self._saved
        self.graph._context = self._saved_context

    def saw(self, op: Operation) -> None:
        self.created.append(op)
        self._seen.add(op)

    def forget(self, op: Operation) -> None:
        self._seen.discard(op)
        self.created.remove(op)


class Marks(NamedTuple):
    """What new nodes are marked with: attributes for all, by op type a kernel's label and another gradient, a container, and
    next to which node to be those go that are to go next to no other."""

    attributes: dict[str, Any] = {}
    labels: dict[str, str] = {}
    gradients: dict[str, str] = {}
    container: str = ""
    beside: bytes = b""

    def put_on(self, op: Any) -> None:
        """Writes them into the node's attributes."""
        for name, value in self.attributes.items():
            if name in op.attrs:
                continue
            given = value(op.node_def) if callable(value) else value
            if given is not None:
                op._set_attr(name, given)
        if op.type in self.labels:
            op.put_attr("_kernel", self.labels[op.type].encode())
        if op.type in self.gradients:
            op.put_attr("_gradient_op_type", self.gradients[op.type].encode())
        if self.container and op.attrs.get("container") == "":
            op.put_attr("container", self.container)
        if self.beside and "_class" not in op.attrs:
            op.put_attr("_class", [self.beside])


def texts_by_text(given: Any, name: str) -> dict[str, str]:
    """The mapping itself.

    Raises: TypeError when it is not a dictionary of texts.
    """
    if not isinstance(given, dict) or not all(isinstance(t, str) for pair in given.items() for t in pair):
        raise TypeError(error_text(f"{name} must be a dictionary mapping strings to strings"))
    return given


def control_inputs_for(stack: tuple[ControlBlock, ...], inputs: tuple[Any, ...]) -> tuple[Operation, ...]:
    """The nodes that a new node with these data inputs must wait for.

    A block adds nothing when a data input was itself made inside it: that input already waits.
    """
    ops = {tensor.op for tensor in inputs}
    waits: list[Operation] = []
    for block in stack:
        if block._seen and not block._seen.isdisjoint(ops):
            continue
        waits.extend(op for op in block.control_inputs if op not in ops)
    return tuple(waits)
