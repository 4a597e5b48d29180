"""A thread that keeps a widget up to date: `follow(view, added, every, pace)`. State: none here; it ends with its widget."""

from __future__ import annotations

import threading
import time
import weakref
from typing import Protocol


class Live(Protocol):
    """What can be followed: `refresh` tells whether something was new, `live` whether to go on."""

    live: bool

    def refresh(self) -> bool: ...


def follow(view: Live, added: threading.Event, every: float, pace: float) -> None:
    """Refreshes `view` every `every` seconds, ten times less often while nothing comes, and `pace` seconds after `added`.

    It ends when the view is not live any more, or gone.
    """
    threading.Thread(target=_follow, args=(weakref.ref(view), added, every, pace), daemon=True).start()


def _follow(of: weakref.ref[Live], added: threading.Event, every: float, pace: float) -> None:
    pause = every
    while True:
        if added.wait(pause):
            time.sleep(pace)  # a loop that adds, adds more
        added.clear()
        view = of()
        if view is None or not view.live:
            return
        pause = every if view.refresh() else min(1.5 * pause, 10 * every)
        del view
