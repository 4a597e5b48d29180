"""The writer: the lines of a plan, the local variables of its values, and the expressions that read them.

The common base of plan_branches.py, plan_loops.py and compile.py, each of which adds the lines of its kind of node. Generated
code holds integers and names of our own only, never text from a name, a file or an attribute.
State: `Writer`, of one function under construction: its lines, and the local of each tensor.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...base.dead import DEAD
from ...graph.nodes import Operation, Tensor
from ...ops.control_flow import truth
from ..node_errors import uninitialized
from ..node_turn import all_fetched, fetched
from ..schedule import Schedule
from ..store import Buffer, Store, View, cancelled
from .constant_folding import Folded

# The kind of a tensor's local in the generated code: a value, a reference (a buffer), or either.
PLAIN, ALIAS, MAYBE = "plain", "alias", "maybe"
# A guard is the condition of a line, a conjunction of (predicate, wanted value); () is always true.
Guard = tuple[tuple[str, bool], ...]
NEVER: Final[Guard] = (("False", True),)


class Writer:
    """Writes the function's lines and remembers which local holds which tensor."""

    def __init__(
        self, scheduled: Schedule, store: Store, fetches: Sequence[Tensor], folded: Folded,
        timed: bool = False, watched: Operation | None = None,
    ) -> None:  # fmt: skip
        self.timed = timed
        self.folded = folded
        self.watched = watched
        self.watched_names: list[str] = []
        self.scheduled = scheduled
        self.store = store
        self.fetches = tuple(fetches)
        self.feeds = scheduled.placed.pruned.fed
        self.fed = frozenset(self.feeds)
        self.lines: list[str] = []
        self.line_of: list[Operation | None] = []
        self.names: dict[str, Any] = {
            "__name__": __name__, "closed": store.closed, "cancelled": cancelled,
            "np": np, "uninit": uninitialized, "load": _load, "own": fetched,
            "own_all": functools.partial(all_fetched, gpu=store.gpu),
            "DEAD": DEAD, "truth": truth if store.gpu is None else store.gpu.truth,
        }  # fmt: skip
        self.symbol: dict[Tensor, str] = {}
        self.kind_of: dict[Tensor, str] = {}  # PLAIN, ALIAS or MAYBE
        self.guard_of: dict[Tensor, Guard] = {}  # of tensors that are not always alive
        self.op_guard: dict[Operation, Guard] = {}
        self.checked: set[str] = set()
        self.free: list[str] = []
        self.count = 0
        self.preds: dict[Any, str] = {}  # the names of the predicates of Switch nodes
        self.pred_count = 0
        self.kernels: dict[Any, str] = {}
        self.templates: dict[tuple[Any, str], str] = {}  # the expressions of op types, with numbered placeholders for the inputs
        self.constants: dict[tuple[type, bytes], str] = {}
        self.origin: dict[Tensor, Tensor] = {}  # the tensor of which an Identity's output is the same value
        self.uses_left: dict[Tensor, int] = {}  # the uses of a tensor in lines to come
        self.retained: set[Tensor] = set()  # tensors that a node may retain or pass on
        self.tensors_in: dict[str, int] = {}  # how many tensors a local has the value of
        self.open_guard: Guard = ()
        self.known_predicates: dict[str, bool] = {}  # their values at the current line
        self.indent = 1
        self.conditions: dict[Operation, str] = {}  # the names of loops' conditions
        self._references: set[Tensor] | None = None

    # -- lines and names --------------------------------------------------------------------------------------------

    def line(self, text: str, op: Operation | None, guard: Guard) -> None:
        if guard != self.open_guard:
            self.open_guard = guard
            if guard:
                self.lines.append(f"{' ' * self.indent}if {self.condition(guard)}:")
                self.line_of.append(op)
        self.lines.append(" " * (self.indent + 1 if guard else self.indent) + text)
        self.line_of.append(op)

    def plain_line(self, text: str, op: Operation | None) -> None:
        """A line outside all guards, at the writer's indentation."""
        self.open_guard = ()
        self.line(text, op, ())

    @staticmethod
    def condition(guard: Guard) -> str:
        return " and ".join(name if wanted else f"not {name}" for name, wanted in guard)

    def bind(self, prefix: str, value: Any) -> str:
        name = f"{prefix}{len(self.names)}"
        self.names[name] = value
        return name

    def constant(self, value: Any) -> str:
        """A name for the value; equal scalars share one, which keeps the names of a long chain few and near."""
        if self.store.gpu is not None:
            self.store.gpu.keep(value)
        if not isinstance(value, np.generic):
            return self.bind("c", value)
        key = (type(value), value.tobytes())
        name = self.constants.get(key)
        if name is None:
            name = self.constants[key] = self.bind("c", value)
        return name

    def new_pred(self) -> str:
        self.pred_count += 1
        return f"p{self.pred_count}"

    def new_local(self) -> str:
        if self.free:
            return self.free.pop()
        self.count += 1
        return f"v{self.count}"

    def hold(self, tensor: Tensor, symbol: str, kind: str, guard: Guard) -> None:
        self.symbol[tensor] = symbol
        self.kind_of[tensor] = kind
        if guard or tensor in self.guard_of:
            self.guard_of[tensor] = guard
        if symbol[0] == "v":
            self.tensors_in[symbol] = self.tensors_in.get(symbol, 0) + 1

    def used(self, tensor: Tensor) -> None:
        """Counts a use of the tensor; after the last one its local is free."""
        self.uses_left[tensor] -= 1
        if self.uses_left[tensor] == 0:
            self.release(tensor)

    def release(self, tensor: Tensor) -> None:
        symbol = self.symbol[tensor]
        if symbol[0] != "v":
            return
        self.tensors_in[symbol] -= 1
        if self.tensors_in[symbol] == 0:
            del self.tensors_in[symbol]
            self.checked.discard(symbol)
            self.free.append(symbol)

    def outputs(self, op: Operation, guard: Guard) -> list[str]:
        """A local for each output; the local of a fed output is free at once."""
        names = []
        for tensor in op.outputs:
            local = self.new_local()
            names.append(local)
            if tensor in self.fed:
                self.free.append(local)
            else:
                self.hold(tensor, local, PLAIN, guard)
        return names

    # -- reading -------------------------------------------------------------------------------------------------

    def ensure_initialized(self, symbol: str, op: Operation, guard: Guard) -> None:
        if symbol in self.checked:
            return
        self.line(f"if {symbol}.value is None: raise uninit({symbol}.name)", op, guard)
        if not guard:
            self.checked.add(symbol)

    def loaded(self, tensor: Tensor, op: Operation, guard: Guard) -> str:
        """The expression of the tensor's value; a reference is loaded when the line runs."""
        symbol = self.symbol[tensor]
        kind = self.kind_of[tensor]
        if kind == PLAIN:
            return symbol
        if kind == ALIAS:
            self.ensure_initialized(symbol, op, guard)
            return f"{symbol}.value"
        return f"load({symbol})"

    def passed(self, tensor: Tensor, op: Operation, guard: Guard) -> None:
        """Checks that a reference which is passed on without a load is initialized, where the op takes no reference."""
        if self.kind_of[tensor] == ALIAS:
            self.ensure_initialized(self.symbol[tensor], op, guard)
        elif self.kind_of[tensor] == MAYBE and self.symbol[tensor] not in self.checked:
            self.line(f"load({self.symbol[tensor]})", op, guard)
            if not guard:
                self.checked.add(self.symbol[tensor])


def _load(value: Any) -> Any:
    if isinstance(value, (Buffer, View)):
        if value.value is None:
            raise uninitialized(value.name)
        return value.value
    return value
