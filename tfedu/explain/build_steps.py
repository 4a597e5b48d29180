"""How a graph came to be, and what becomes of it before it runs: `print(building(graph))`, `print(passes(y))`. No state."""

from __future__ import annotations

from typing import Any

from ..view.make.graph_film import film_record
from ..view.make.run_passes import passes_record
from ..view.show import Picture, show


def building(target: Any, code: str | None = None, *, lang: str | None = None) -> Picture:
    """Which line of the program added which nodes, in the order in which the lines ran; a picture that is also a text.

    target: a graph, or a tensor or an operation in one; or a function of no arguments, which is called in a graph of its own and
    watched line by line. code: the program's text, where Python does not have it any more. `record` has it as data.
    Raises: TypeError for what is neither, and what the function raises.
    """
    return show(film_record(target, code), lang=lang)


def passes(
    fetches: Any, feed_dict: Any = None, *, schedule: Any = None, session: Any = None, lang: str | None = None
) -> Picture:
    """What the engine does between `session.run(fetches, feed_dict)` and the numbers, and why, for each node; nothing is run.

    schedule: the order among nodes that are ready, as Session takes it. session: whose plan it is.
    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds.
    """
    return show(passes_record(fetches, feed_dict, schedule=schedule, session=session), lang=lang)


__all__ = ["building", "passes"]
