"""The steps of `tf.gradients`: `print(gradient_steps(y, [w, x]))`. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.graph.copies import copied
from ..engine.graph.graph import Graph
from ..engine.runtime.feeds import resolved
from ..engine.runtime.session import Session
from ..view.make.gradient_film import flow_record, missing_feeds, tensors_of
from ..view.records import GradientFlowRecord
from ..view.show import Picture, show
from .explained_run import ExplainedRun
from .reasons.why import UNKNOWN


def gradient_steps(
    ys: Any, xs: Any, feed_dict: Any = None, *, session: Any = None, lang: str | None = None, **options: Any
) -> Picture:
    """The steps of `tf.gradients(ys, xs, **options)` as a picture that is also a text; the graph stays unchanged.

    feed_dict, session: for the values, as in Session.run; by default the variables are initialized. `record` is the data.
    Raises: as tf.gradients, and as Session.run does for wrong feeds.
    """
    return show(flow_record(ys, xs, feed_dict, session=session, **options), lang=lang)


def explained_flow(
    ys: Any, xs: Any, feed_dict: Any = None, session: Session | None = None, **options: Any
) -> tuple[GradientFlowRecord, ExplainedRun]:
    """The steps as a record, and the run that fetches the gradients in a copy of the graph, where their nodes stay.

    If no x has a gradient, the run fetches the ys.
    Raises: as gradient_steps.
    """
    runs: list[ExplainedRun] = []

    def copy_run(graph: Graph, gradients: Sequence[Any]) -> None:
        elements = [gradient for gradient in gradients if gradient is not None]
        if not elements:
            elements = list(ys) if isinstance(ys, (list, tuple)) else [ys]
        fetches = [tensor for element in elements for tensor in tensors_of(element)]
        feeds = resolved(graph, feed_dict)
        feeds.update(dict.fromkeys(missing_feeds(graph, fetches, feeds), UNKNOWN))
        copy = copied(graph)
        start = None
        if session is not None:
            start = Session(graph=copy.graph)
            start.store = session.store
        copied_feeds = {copy.of(tensor): value for tensor, value in feeds.items()}
        runs.append(ExplainedRun([copy.of(tensor) for tensor in fetches], copied_feeds, session=start))

    record = flow_record(ys, xs, feed_dict, session=session, look=copy_run, **options)
    return record, runs[0]


__all__ = ["explained_flow", "gradient_steps"]
