"""Explanations: why a node runs or not (`why`), what looks like a mistake (`lint`), what wrong models expect (`diagnose`).

All that a run can give in any legal order: `outcomes`, the pairs of nodes that make the difference: `races`, and for
graders `assert_deterministic`.
`gradient_steps(y, w)` tells what `tf.gradients` makes. `MODELS` are the wrong mental models as executors, by code:
`MODELS["M2"].predict(y, runs=3)`. No state of its own.
"""

from __future__ import annotations

from .diagnose import diagnose
from .gradients import gradient_steps
from .lint import Finding, Findings, lint
from .misconceptions import MODELS, Model
from .outcomes import (
    NondeterministicError,
    Outcomes,
    Possible,
    UndecidedError,
    assert_deterministic,
    outcomes,
)
from .races import Race, Races, races
from .story import Divergence, Failure
from .why import Change, Reason, copied, reasons, why

__all__ = [
    "MODELS",
    "Change",
    "Divergence",
    "Failure",
    "Finding",
    "Findings",
    "Model",
    "NondeterministicError",
    "Outcomes",
    "Possible",
    "Race",
    "Races",
    "Reason",
    "UndecidedError",
    "assert_deterministic",
    "copied",
    "diagnose",
    "gradient_steps",
    "lint",
    "outcomes",
    "races",
    "reasons",
    "why",
]
