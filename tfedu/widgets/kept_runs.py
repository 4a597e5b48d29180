"""The runs that widgets keep for their readers: `keep(widget)` notes a new widget, and lets earlier ones go.

A notebook keeps every widget that a kernel has made, also when its cell has run again and shows another one. So a widget of an
earlier run of the same cell lets its runs go (values, sessions, graphs), and the oldest widgets do where all together hold more
than `MOST` bytes of values. Their pages go on showing their records.
State: `_kept`, the widgets that still have their runs, the oldest first.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from IPython import get_ipython

from ..explain.orders.breakpoints import Refusal

MOST: Final = 512 << 20


class Gone(Refusal, ValueError):
    """A question about runs that a widget no longer has."""

    group = "widget"
    texts: ClassVar = {
        "gone": "This widget no longer has its runs: its cell has run again, or newer widgets needed the memory."
        "\n  fix: run its cell, and use the new widget",
    }


class Keeper(Protocol):
    """A widget with runs."""

    def let_go(self) -> None: ...


class _Kept(NamedTuple):
    widget: weakref.ref[Keeper]
    cell: str | None
    cell_run: str
    size: int  # bytes of values


_kept: list[_Kept] = []


def keep(widget: Keeper, traces: Iterable[Any]) -> None:
    """Notes a widget that the running cell has made, with its traces."""
    cell, cell_run = _running_cell()
    own = _Kept(weakref.ref(widget), cell, cell_run, sum(trace.size for trace in traces))
    alive = [each for each in _kept if each.widget() is not None]
    replaced = [each for each in alive if cell is not None and each.cell == cell and each.cell_run != cell_run]
    alive = [each for each in alive if each not in replaced]
    total = own.size + sum(each.size for each in alive)
    while alive and total > MOST:
        total -= alive[0].size
        replaced.append(alive.pop(0))
    for each in replaced:
        earlier = each.widget()
        if earlier is not None:
            earlier.let_go()
    _kept[:] = [*alive, own]


def _running_cell() -> tuple[str | None, str]:
    """The notebook's name of the running cell, and that of this run of it; None outside a notebook."""
    shell: Any = get_ipython()
    kernel = getattr(shell, "kernel", None)
    # In JupyterLite the kernel knows the request that it answers, and the shell does not.
    asked = shell if hasattr(shell, "get_parent") else kernel
    parent: Any = {} if kernel is None else asked.get_parent()
    cell = parent.get("metadata", {}).get("cellId")
    return (cell if isinstance(cell, str) else None), str(parent.get("header", {}).get("msg_id", ""))


__all__ = ["MOST", "Gone", "keep"]
