"""A thread that refreshes a widget: `follow(view, added, every, pace)`. No state here; the thread ends with its widget."""

from __future__ import annotations

import threading
import time
import weakref
from typing import Protocol


class Live(Protocol):
    """A live view: `refresh` returns whether there was news, `live` whether to go on."""

    live: bool

    def refresh(self) -> bool: ...


def follow(view: Live, added: threading.Event, every: float, pace: float) -> None:
    """Refreshes `view` every `every` seconds, up to ten times less often without news, and `pace` seconds after `added`.

    The thread ends when the view is no longer live or is garbage.
    """
    threading.Thread(target=_follow, args=(weakref.ref(view), added, every, pace), daemon=True).start()


def _follow(reference: weakref.ref[Live], added: threading.Event, every: float, pace: float) -> None:
    pause = every
    while True:
        if added.wait(pause):
            time.sleep(pace)  # collect what a loop adds next
        added.clear()
        view = reference()
        if view is None or not view.live:
            return
        pause = every if view.refresh() else min(1.5 * pause, 10 * every)
        del view
