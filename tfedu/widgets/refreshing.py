"""What refreshes a live widget: `follow(view, added, every, pace)`. No state here.

A thread does it; in a browser, where Python has no threads, a timer does, between two cells. Both end with their widget.
"""

from __future__ import annotations

import asyncio
import sys
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

    It ends when the view is no longer live or is garbage.
    """
    reference = weakref.ref(view)
    if sys.platform == "emscripten":
        _later(reference, every, every)
    else:
        threading.Thread(target=_follow, args=(reference, added, every, pace), daemon=True).start()


def _follow(reference: weakref.ref[Live], added: threading.Event, every: float, pace: float) -> None:
    pause: float | None = every
    while pause is not None:
        if added.wait(pause):
            time.sleep(pace)  # collect what a loop adds next
        added.clear()
        pause = _refreshed(reference, every, pause)


def _later(reference: weakref.ref[Live], every: float, pause: float) -> None:
    def refresh() -> None:
        following = _refreshed(reference, every, pause)
        if following is not None:
            _later(reference, every, following)

    asyncio.get_running_loop().call_later(pause, refresh)


def _refreshed(reference: weakref.ref[Live], every: float, pause: float) -> float | None:
    """Refreshes the view after a pause; the next pause, or None when the view is no longer live."""
    view = reference()
    if view is None or not view.live:
        return None
    return every if view.refresh() else min(1.5 * pause, 10 * every)
