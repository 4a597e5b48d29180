"""The catalogue of graph mistakes: `RULES["late_seed"]`; `tfedu.explain.lint` asks them all. One module a theme.

A new rule is a function under `@rule(...)` in the module of its theme, three texts in the catalogue of messages, and its
programs in tests/explain/lint_programs. No state of its own.
"""

from __future__ import annotations

from . import (
    branches_and_loops,
    construction,
    dependency_blocks,
    known_values,
    numeric,
    side_effects,
    training_mistakes,
)
from .graph_facts import Facts
from .rule import RULES, Hit, Rule, Severity

THEMES = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        dependency_blocks, construction, side_effects, branches_and_loops, known_values, numeric, training_mistakes
    )
}

__all__ = ["RULES", "THEMES", "Facts", "Hit", "Rule", "Severity"]
