"""Explanations: why a node runs or not (`why`), what looks like a mistake (`lint`), what wrong models expect (`diagnose`).

`MODELS` are the wrong mental models as executors, by code: `MODELS["M2"].predict(y, runs=3)`. No state of its own.
"""

from __future__ import annotations

from .diagnose import diagnose
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
    "lint",
    "reasons",
    "why",
]
