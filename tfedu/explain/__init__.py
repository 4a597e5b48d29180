"""Explanations: why a node runs or not (`why`, `why_not`), what looks like a mistake (`lint`), what wrong models expect
(`diagnose`).

All that a run can give in any legal order: `outcomes`, the pairs of nodes that make the difference: `races`, and for
graders `assert_deterministic`.
`Game(y)` lets a learner take the turns of a run, `Puzzle` lets one make a program of pieces.
`timelines(y)` records runs that can be forked: at any step a value, the next node or a control edge is changed.
`gradient_steps(y, w)` tells what `tf.gradients` makes, `graph_diff(before, after)` what became of a graph, `building(graph)`
which line made which nodes, `passes(y)` what becomes of the graph before a run. `MODELS` are the wrong mental models as
executors, by code: `MODELS["M2"].predict(y, runs=3)`. No state of its own.
"""

from __future__ import annotations

from .build_steps import building, passes
from .gradient_steps import gradient_steps
from .graph_difference import graph_diff
from .lint.lint import Finding, Findings, lint
from .models.diagnose import diagnose, offers
from .models.misconceptions import MODELS, Model
from .models.story import Divergence, Failure
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
from .reasons.why import Change, Reason, copied, reasons, why, why_not
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
    "outcomes",
    "passes",
    "races",
    "reasons",
    "timelines",
    "why",
    "why_not",
]
