"""What `tf.gradients` makes, step by step: `print(gradient_steps(y, [w, x]))`. No state."""

from __future__ import annotations

from typing import Any

from ..view.gradients import flow_record
from ..view.show import Picture, show


def gradient_steps(
    ys: Any, xs: Any, feed_dict: Any = None, *, session: Any = None, lang: str | None = None, **options: Any
) -> Picture:
    """The steps of `tf.gradients(ys, xs, **options)` as a picture that is also a text; the graph stays as it was.

    feed_dict, session: for the numbers, as in Session.run; without them the variables are initialized. `record` has it as data.
    Raises: as tf.gradients, and as Session.run does for wrong feeds.
    """
    return show(flow_record(ys, xs, feed_dict, session=session, **options), lang=lang)


__all__ = ["gradient_steps"]
