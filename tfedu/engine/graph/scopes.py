"""The `with` blocks of graph building: names, control dependencies, devices, colocation.

Each block saves one field of the graph, sets it, and restores it. Blocks of control dependencies are also kept in
`graph.blocks` with the nodes created inside them: an empty block is the commonest mistake with them, which lint reports and
pictures show.
State, of `BuildSettings`: `_names` (how often each name was requested), `_name_scope`, `_control_stack`, `_device_stack`,
`_colocation_stack`, `_marks`, `_context` and `_line` (the settings of new nodes), `_settings_of_threads` (those of the threads
that are not building at the moment, once threads have their own), `blocks`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import get_ident
from typing import Any, Final, NamedTuple, TypeAlias

from ..base.errors import error_text
from ..base.foreign import foreign
from ..base.site import RawSite, Site
from .device import Merge
from .elements import NodeTable
from .nodes import Operation
from .transactions import drop

_OP_NAME: Final = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\-/]*$")
_SCOPE_NAME: Final = re.compile(r"^[A-Za-z0-9_.\-/]*$")

DeviceFunction: TypeAlias = Callable[[Operation], Any]


class Setting:
    """`with Setting(graph, field, value, target) as target`: the field holds `value` inside the block."""

    __slots__ = ("graph", "field", "value", "target", "saved")

    def __init__(self, graph: BuildSettings, field: str, value: Any, target: Any = None) -> None:
        self.graph = graph
        self.field = field
        self.value = value
        self.target = target  # what the block binds after `as`
        self.saved: Any = None

    def __enter__(self) -> Any:
        return self.graph.attempt(self.enter)

    def enter(self) -> Any:
        """Opens the block; the graph undoes it where that is interrupted."""
        self.saved = getattr(self.graph, self.field)
        setattr(self.graph, self.field, self.value)
        return self.target

    def __exit__(self, *exc: object) -> None:
        try:
            self.leave()
        except BaseException as error:
            if foreign(error) is not None:
                self.leave()
            raise

    def leave(self) -> None:
        """Closes the block; a second call changes nothing."""
        graph = self.graph
        with graph._lock:
            graph.claim_names()
            setattr(graph, self.field, self.saved)


class LateSetting(Setting):
    """A setting whose value and target are computed when the block is entered, not when it is created."""

    __slots__ = ("derive",)

    def __init__(self, graph: BuildSettings, field: str, derive: Callable[[], tuple[Any, Any]]) -> None:
        super().__init__(graph, field, None)
        self.derive = derive

    def enter(self) -> Any:
        value, target = self.derive()
        self.saved = getattr(self.graph, self.field)
        setattr(self.graph, self.field, value)
        return target


class NestedSetting(LateSetting):
    """A late setting whose blocks must be left in the reverse order; left in another, it raises and stays set."""

    __slots__ = ("what",)

    def __init__(self, graph: BuildSettings, field: str, derive: Callable[[], tuple[Any, Any]], what: str) -> None:
        super().__init__(graph, field, derive)
        self.what = what  # the block's name in the message

    def enter(self) -> Any:
        target = super().enter()
        self.value = getattr(self.graph, self.field)
        return target

    def leave(self) -> None:
        with self.graph._lock:
            self.graph.claim_names()
            now = getattr(self.graph, self.field)
            if self.value is None or now is self.saved:
                return  # never entered, as its device has no meaning, or left already
            if now is not self.value:
                raise RuntimeError(error_text(f"Exiting {self.what} without proper scope nesting."))
            super().leave()


class NameScope(Setting):
    """`with NameScope(graph, name) as scope`: a scope gets its name when it is entered."""

    __slots__ = ()

    def __init__(self, graph: BuildSettings, name: str | None) -> None:
        self.graph = graph
        self.field = "_name_scope"
        self.value = name

    def enter(self) -> Any:
        graph = self.graph
        inner, target = graph.open_scope(self.value)
        self.saved = graph._name_scope
        graph._name_scope = inner
        return target


class Settings:
    """Several settings as one block, entered left to right."""

    __slots__ = ("graph", "parts")

    def __init__(self, *parts: Setting | Settings) -> None:
        self.graph: BuildSettings = parts[0].graph
        self.parts = parts

    def __enter__(self) -> Any:
        return self.graph.attempt(self.enter)

    def enter(self) -> Any:
        target = None
        for part in self.parts:
            target = part.enter()
        return target

    def __exit__(self, *exc: object) -> None:
        try:
            self.leave()
        except BaseException as error:
            if foreign(error) is not None:
                self.leave()
            raise

    def leave(self) -> None:
        for part in reversed(self.parts):
            part.leave()


class ControlBlock:
    """One `with graph.control_dependencies(...)`: its control inputs and the nodes created inside."""

    __slots__ = (
        "graph", "control_inputs", "cleared", "created", "site", "position", "_members", "_saved", "_saved_context",
    )  # fmt: skip

    def __init__(
        self, graph: BuildSettings, control_inputs: tuple[Operation, ...], cleared: bool, site: Site | None
    ) -> None:
        self.graph = graph
        self.control_inputs = control_inputs
        self.cleared = cleared
        self.created: list[Operation] = []
        self.site = site
        self.position = 0  # the number of nodes when the block was entered
        self._members: set[Operation] = set()
        self._saved: tuple[ControlBlock, ...] = ()
        self._saved_context: Any = None

    def __enter__(self) -> ControlBlock:
        return self.graph.attempt(self._enter)

    def _enter(self) -> ControlBlock:
        graph = self.graph
        self._saved = graph._control_stack
        self._saved_context = graph._context
        if self.cleared:
            # control_dependencies(None) ignores the outer blocks and the control-flow context.
            graph._control_stack = (self,)
            graph._context = None
        else:
            graph._control_stack = (*self._saved, self)
        if self.site is not None:
            self.position = len(graph._nodes)
            graph.blocks.append(self)
        return self

    def __exit__(self, *exc: object) -> None:
        try:
            self._leave()
        except BaseException as error:
            if foreign(error) is not None and self in self.graph._control_stack:
                self._leave()
            raise

    def _leave(self) -> None:
        graph = self.graph
        if graph._settings_of_threads is not None:
            graph.claim()
        if not graph._control_stack or graph._control_stack[-1] is not self:
            raise AssertionError(error_text("Exiting control_dependencies without proper nesting."))
        graph._context = self._saved_context
        graph._control_stack = self._saved

    def saw(self, op: Operation) -> None:
        self.created.append(op)
        self._members.add(op)

    def forget(self, op: Operation) -> None:
        self._members.discard(op)
        drop(self.created, op)


class Marks(NamedTuple):
    """Attributes that blocks add to new nodes: any for all nodes, kernel labels and gradients by op type, a container, and a
    colocation group for nodes without one."""

    attributes: dict[str, Any] = {}
    labels: dict[str, str] = {}
    gradients: dict[str, str] = {}
    container: str = ""
    colocation: bytes = b""

    def put_on(self, op: Any) -> None:
        """Writes them into the node's attributes."""
        for name, value in self.attributes.items():
            if name in op.attrs:
                continue
            message = value(op.node_def) if callable(value) else value
            if message is not None:
                op._set_attr(name, message)
        if op.type in self.labels:
            op.put_attr("_kernel", self.labels[op.type].encode())
        if op.type in self.gradients:
            op.put_attr("_gradient_op_type", self.gradients[op.type].encode())
        if self.container and op.attrs.get("container") == "":
            op.put_attr("container", self.container)
        if self.colocation and "_class" not in op.attrs:
            op.put_attr("_class", [self.colocation])


def texts_by_text(mapping: Any, name: str) -> dict[str, str]:
    """The mapping itself.

    Raises: TypeError when it is not a dictionary of texts.
    """
    if not isinstance(mapping, dict) or not all(isinstance(t, str) for pair in mapping.items() for t in pair):
        raise TypeError(error_text(f"{name} must be a dictionary mapping strings to strings"))
    return mapping


def control_inputs_for(stack: tuple[ControlBlock, ...], inputs: tuple[Any, ...]) -> tuple[Operation, ...]:
    """The nodes that a new node with these data inputs must wait for.

    A block adds nothing when a data input was itself created inside it: that input already waits.
    """
    ops = {tensor.op for tensor in inputs}
    waits: list[Operation] = []
    for block in stack:
        if block._members and not block._members.isdisjoint(ops):
            continue
        waits.extend(op for op in block.control_inputs if op not in ops)
    return tuple(waits)


class BuildSettings(NodeTable):
    """The part of a graph that its `with` blocks set: names, and the settings that new nodes take on."""

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[str, int] = {}
        self._name_scope = ""
        self._scope_owner = get_ident()
        self._scopes_of_others: dict[int, str] = {}
        self._control_stack: tuple[ControlBlock, ...] = ()
        self._device_stack: tuple[Merge | DeviceFunction | None, ...] = ()
        self._colocation_stack: tuple[Operation, ...] = ()
        self._settings_of_threads: dict[int, tuple[Any, ...]] | None = None
        self._marks: Marks | None = None
        self._context: Any = None
        self._variable_creators: tuple[tuple[int, Callable[..., Any]], ...] = ()
        self._line: RawSite | None = None  # the line that new nodes name, instead of the one that runs
        self.blocks: list[ControlBlock] = []

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` in the current scope, with `_1`, `_2`, … when it is in use; names differ by more than case."""
        full = f"{self._name_scope}/{name}" if self._name_scope else name
        names = self._names
        key = full.lower()
        uses = names.get(key, 0)
        candidate = key
        if uses:
            suffix = uses
            while candidate in names:
                candidate = f"{key}_{suffix}"
                suffix += 1
            full = f"{full}_{suffix - 1}"
        if mark_as_used:
            journal = self._journal
            if journal is not None:
                journal.append((self._restore_names, key, uses, candidate))
            names[key] = uses + 1
            if uses:
                names[candidate] = 1
        return full

    def _restore_names(self, key: str, uses: int, candidate: str) -> None:
        self._names.pop(candidate, None)
        if uses:
            self._names[key] = uses

    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """`with graph.name_scope("layer") as scope:` names inside begin with it; `"layer/"` re-enters it; None leaves all."""
        return NameScope(self, name)

    def claim_names(self) -> None:
        """Makes `_name_scope` this thread's own; called with the lock held. Threads share the other settings, as in TF."""
        me = get_ident()
        if me != self._scope_owner:
            before = self._name_scope, self._settings()
            try:
                self._scopes_of_others[self._scope_owner] = self._name_scope
                self._name_scope = self._scopes_of_others.get(me, "")
                if self._settings_of_threads is not None:
                    self._settings_of_threads[self._scope_owner] = self._settings()
                    self._restore_settings(self._settings_of_threads.get(me, self._settings_of_threads[0]))
                self._scope_owner = me
            except BaseException:
                if self._scope_owner != me:
                    self._name_scope = before[0]
                    self._restore_settings(before[1])
                raise

    def attributed_to(self, site: RawSite | None) -> AbstractContextManager[None]:
        """`with graph.attributed_to(site):` new nodes name this line as theirs; None: the running line."""
        return Setting(self, "_line", site)

    def switch_to_thread_local(self) -> None:
        """From now on each thread has blocks of its own for devices, control dependencies and colocation."""
        with self._lock:
            self.claim_names()
            if self._settings_of_threads is None:
                # No thread has the number 0: it keys the settings that a new thread begins with.
                self._settings_of_threads = {0: self._settings()}

    def claim(self) -> None:
        """`claim_names` for callers that do not hold the lock."""
        with self._lock:
            self.claim_names()

    def _settings_now(self) -> tuple[Any, ...]:
        return (
            self._name_scope, self._control_stack, self._device_stack, self._colocation_stack, self._marks, self._context,
            self._variable_creators, self._line, len(self.blocks),
        )  # fmt: skip

    def _restore_settings_now(self, settings: tuple[Any, ...]) -> None:
        (
            self._name_scope, self._control_stack, self._device_stack, self._colocation_stack, self._marks, self._context,
            self._variable_creators, self._line, blocks,
        ) = settings  # fmt: skip
        del self.blocks[blocks:]

    def _settings(self) -> tuple[Any, ...]:
        return self._control_stack, self._device_stack, self._colocation_stack

    def _restore_settings(self, settings: tuple[Any, ...]) -> None:
        self._control_stack, self._device_stack, self._colocation_stack = settings

    def open_scope(self, name: str | None) -> tuple[str, str]:
        """The scope that prefixes new names, and the one that the block binds (it ends in a slash)."""
        if isinstance(name, bytes):
            name = name.decode()
        if name and not isinstance(name, str):
            raise TypeError(error_text(f"'name' must be a string. Received: {name!r}"))
        if not name:
            return "", ""
        self.check_scope_name(name)
        full = name[:-1] if name[-1] == "/" else self.unique_name(name)
        return full, f"{full}/"

    def get_name_scope(self) -> str:
        """The scope of this thread's new names."""
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


def _shortened(name: str) -> str:
    return name if len(name) <= 200 else f"{name[:200]}…"
