"""What `tf.gradients` makes, step by step: `print(gradient_steps(y, [w, x]))`. No state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.graph.copies import copied
from ..engine.graph.graph import Graph
from ..engine.runtime.feeds import resolve
from ..engine.runtime.session import Session, flat_feeds
from ..view.make.gradient_film import flow_record, missing_feeds, tensors_of
from ..view.records import GradientFlowRecord
from ..view.show import Picture, show
from .explained_run import ExplainedRun
from .reasons.why import UNKNOWN


def gradient_steps(
    ys: Any, xs: Any, feed_dict: Any = None, *, session: Any = None, lang: str | None = None, **options: Any
) -> Picture:
    """The steps of `tf.gradients(ys, xs, **options)` as a picture that is also a text; the graph stays as it was.

    feed_dict, session: for the numbers, as in Session.run; without them the variables are initialized. `record` has it as data.
    Raises: as tf.gradients, and as Session.run does for wrong feeds.
    """
    return show(flow_record(ys, xs, feed_dict, session=session, **options), lang=lang)


def explained_flow(
    ys: Any, xs: Any, feed_dict: Any = None, session: Session | None = None, **options: Any
) -> tuple[GradientFlowRecord, ExplainedRun]:
    """The steps as a record, and the run that fetches what `gradients` gives, on a copy of the graph that keeps its nodes.

    Where no x has a gradient it fetches the ys.
    Raises: as gradient_steps.
    """
    programs: list[ExplainedRun] = []

    def look(graph: Graph, gradients: Sequence[Any]) -> None:
        given = [gradient for gradient in gradients if gradient is not None]
        wanted = [tensor for each in given or (ys if isinstance(ys, (list, tuple)) else [ys]) for tensor in tensors_of(each)]
        feeds = {resolve(graph, key): value for key, value in flat_feeds(feed_dict)}
        feeds.update(dict.fromkeys(missing_feeds(graph, wanted, feeds), UNKNOWN))
        twin = copied(graph)
        begin = None
        if session is not None:
            begin = Session(graph=twin.graph)
            begin.store = session.store
        fed = {twin.of(tensor): value for tensor, value in feeds.items()}
        programs.append(ExplainedRun([twin.of(tensor) for tensor in wanted], fed, session=begin))

    record = flow_record(ys, xs, feed_dict, session=session, look=look, **options)
    return record, programs[0]


__all__ = ["explained_flow", "gradient_steps"]
