"""Which element reads which: `print(reads(tf.matmul(a, b)))`. No state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..view.make.element_reading.element_graph import ElementGraph
from ..view.make.element_reading.reads_records import Readings
from ..view.show import Picture, show


def reads(
    y: Any, between: Iterable[Any] | None = None, feed_dict: Any = None, *, session: Any = None, lang: str | None = None
) -> Picture:
    """The elements of `y` and of what it is computed from, each with what it reads and its formula; a picture and a text.

    between: the tensors on the way that are shown. feed_dict, session: as in Session.run; by default the variables are
    initialized. The result's `record` is the data.
    Raises: TypeError, ValueError for tensors that are too large or have no numbers, and as Session.run for wrong feeds.
    """
    return show(Readings(ElementGraph(y, between, feed_dict, session)).record(), lang=lang)


__all__ = ["reads"]
