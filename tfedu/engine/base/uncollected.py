"""`with uncollected():`, or `@uncollected()`: Python's garbage collector pauses while thousands of objects are made that stay.

It would walk them again and again, and find nothing. What was on is on again afterwards. No state of our own.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No collection in the block; of blocks of several threads the one that found it on turns it on again."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
