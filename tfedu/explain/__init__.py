"""Explanations of graphs and runs. One room for each question; no state of its own.

lint/: what looks like a mistake (`lint`). reasons/: why a node runs or not, and what would change that (`why`, `why_not`).
orders/: all results that legal orders can give (`outcomes`, `assert_deterministic`), the pairs of nodes that make the
difference (`races`), runs that can be forked at any step (`timelines`). mental_models/: wrong mental models as executors
(`MODELS["M2"].predict(y, runs=3)`), and a learner's prediction beside theirs (`diagnose`). tasks/: the run whose turns a
learner takes (`Game`), the program that a learner makes of pieces (`Puzzle`), the check of a learner's graph.
Pictures that are also texts: the steps of `tf.gradients` (`gradient_steps`), the difference of two graphs (`graph_diff`), the
lines that made the nodes (`building`), the engine's passes before a run (`passes`), which element of a tensor reads which
(`reads`), how elements flow through a dataset (`pipeline`). A run on several devices, for every tool (`on_devices`).
"""

from __future__ import annotations

from ..engine.replay.partitioned import on_devices
from .build_steps import building, passes
from .gradient_steps import gradient_steps
from .graph_difference import graph_diff
from .lint.lint import Finding, Findings, lint
from .mental_models.diagnose import diagnose, offers
from .mental_models.misconceptions import MODELS, Model
from .mental_models.story import Divergence, Failure
from .orders.breakpoints import Moment
from .orders.outcomes import (
    NondeterministicError,
    Outcomes,
    Possible,
    UndecidedError,
    assert_deterministic,
    outcomes,
)
from .orders.races import Race, Races, races
from .orders.timelines import ForkError, Timeline, Timelines, timelines
from .pipelines import pipeline
from .reasons.why import Change, Reason, copied, reasons, why, why_not
from .single_elements import reads
from .tasks.game import Game
from .tasks.puzzle import Puzzle

__all__ = [
    "MODELS",
    "Change",
    "Divergence",
    "Failure",
    "Finding",
    "Findings",
    "ForkError",
    "Game",
    "Model",
    "Moment",
    "NondeterministicError",
    "Outcomes",
    "Possible",
    "Puzzle",
    "Race",
    "Races",
    "Reason",
    "Timeline",
    "Timelines",
    "UndecidedError",
    "assert_deterministic",
    "building",
    "copied",
    "diagnose",
    "gradient_steps",
    "graph_diff",
    "lint",
    "offers",
    "on_devices",
    "outcomes",
    "passes",
    "pipeline",
    "races",
    "reads",
    "reasons",
    "timelines",
    "why",
    "why_not",
]
