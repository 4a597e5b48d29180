"""Explanations: why a node runs or not (`why`), what looks like a mistake (`lint`), what wrong models expect (`diagnose`).

`gradient_steps(y, w)` tells what `tf.gradients` makes. `MODELS` are the wrong mental models as executors, by code:
`MODELS["M2"].predict(y, runs=3)`. No state of its own.
"""

from __future__ import annotations

from .diagnose import diagnose
from .gradients import gradient_steps
from .lint import Finding, Findings, lint
from .misconceptions import MODELS, Model
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
    "Reason",
    "copied",
    "diagnose",
    "gradient_steps",
    "lint",
    "reasons",
    "why",
]
