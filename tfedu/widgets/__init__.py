"""Widgets for notebooks: `GraphView(graph)`, `StepThrough(y)`, `Compare({"a": y0, "b": y1})`, `Predict({"y": y})`,
`GradientFlow(loss, [w])`, `GraphDiff(before, after)`, `TrainingView("/tmp/log")`, `OutcomeExplorer([write, c])`,
`BeTheExecutor(y)`, `Parsons(program)`, `Repair(program, broken)`, `Lint(graph)`, `Value(array)`, `BuildFilm(graph)`, `Passes(y)`,
`Reads(tf.matmul(a, b))`, `PipelineView(dataset)`, `Predict({"y": y}).self_check()` (a `SelfCheck`).

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
from .be_the_executor import BeTheExecutor
from .build_film import BuildFilm
from .compare import Compare
from .gradient_flow import GradientFlow
from .graph_diff import GraphDiff
from .graph_view import GraphView
from .lint import Lint
from .outcome_explorer import OutcomeExplorer
from .passes import Passes
from .pipeline_view import PipelineView
from .predict import Predict
from .puzzle import Parsons, Repair
from .reads import Reads
from .self_check import SelfCheck
from .step_through import StepThrough
from .training_view import TrainingView
from .value import Value

__all__ = [
    "BeTheExecutor",
    "BuildFilm",
    "Compare",
    "GradientFlow",
    "GraphDiff",
    "GraphView",
    "Lint",
    "OutcomeExplorer",
    "Parsons",
    "Passes",
    "PipelineView",
    "Predict",
    "Reads",
    "Repair",
    "SelfCheck",
    "StepThrough",
    "TrainingView",
    "Value",
    "set_language",
]
