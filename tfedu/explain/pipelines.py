"""How elements flow through a `tf.data` pipeline, as a picture and a text: `print(pipeline(dataset))`. No state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..view.make.pipeline_flow.pipeline_records import flow_record
from ..view.show import Picture, show


def pipeline(
    *datasets: Any,
    elements: int = 20,
    costs: Mapping[str | int, float] | None = None,
    session: Any = None,
    lang: str | None = None,
) -> Picture:
    """The moves of the first elements on a simulated clock, what becomes of order and epochs, and which stage sets the pace.

    datasets: one or two of them, or a dict of them by title. elements: how many are taken from each. costs: milliseconds for one
    element by kind of stage ("map", "consumer", …) or by the number of a stage. session: holds the variables of their functions.
    Raises: TypeError for what is no dataset, ValueError for wrong numbers, and the error of a node that a dataset needs.
    """
    return show(flow_record(datasets, elements, costs, session), lang=lang)


__all__ = ["pipeline"]
