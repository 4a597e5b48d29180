"""The lines that built a graph, and the passes over it before a run: `print(building(graph))`, `print(passes(y))`. No state."""

from __future__ import annotations

from typing import Any

from ..view.make.graph_film import film_record
from ..view.make.run_passes import passes_record
from ..view.show import Picture, show


def building(target: Any, code: str | None = None, *, lang: str | None = None) -> Picture:
    """The nodes that each line of the program added, in the order in which the lines ran; a picture that is also a text.

    target: a graph, or a tensor or operation in one; or a function without parameters, which is called in a graph of its own
    and traced line by line. code: the program's text, if Python no longer has it. The result's `record` is the data.
    Raises: TypeError for any other target, and what the function raises.
    """
    return show(film_record(target, code), lang=lang)


def passes(
    fetches: Any, feed_dict: Any = None, *, schedule: Any = None, session: Any = None, lang: str | None = None
) -> Picture:
    """The engine's passes before `session.run(fetches, feed_dict)`, with the reason for each node; nothing is run.

    schedule: the order among ready nodes, as for Session. session: the session that plans the run.
    Raises: TypeError, ValueError as Session.run does for wrong fetches and feeds.
    """
    return show(passes_record(fetches, feed_dict, schedule=schedule, session=session), lang=lang)


__all__ = ["building", "passes"]
