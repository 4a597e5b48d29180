"""Widgets for notebooks: `GraphView(graph)`, `StepThrough(y)`, `Compare({"a": y0, "b": y1})`, `Predict({"y": y})`,
`GradientFlow(loss, [w])`, `TrainingView("/tmp/log")`.

Each is an anywidget over the JSON records of tfedu.view and brings its front end with it: nothing is loaded from a
network. `set_language("ko")` sets the language of widgets and pictures that name none. State: none here.
"""

from __future__ import annotations

try:
    import anywidget as _anywidget  # noqa: F401
except ModuleNotFoundError as missing:
    if missing.name not in ("anywidget", "ipywidgets"):
        raise
    raise ModuleNotFoundError(
        'tfedu.widgets needs anywidget. This installs it:  pip install "tfedu[lab]"', name=missing.name
    ) from None

from .base import set_language
from .compare import Compare
from .gradient_flow import GradientFlow
from .graph_view import GraphView
from .predict import Predict
from .step_through import StepThrough
from .training_view import TrainingView

__all__ = ["Compare", "GradientFlow", "GraphView", "Predict", "StepThrough", "TrainingView", "set_language"]
