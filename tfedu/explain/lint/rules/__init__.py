"""The rules of `tfedu.explain.lint`, one module a theme: `RULES["late_seed"]`.

To add a rule: a function under `@rule(...)` in the module of its theme, its three messages in each language, and its programs
in tests/explain/lint_programs. No state of its own.
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
from .rule import RULES, Finder, Hit, Rule, Severity

THEMES = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        dependency_blocks, construction, side_effects, branches_and_loops, known_values, numeric, training_mistakes
    )
}

__all__ = ["RULES", "THEMES", "Facts", "Finder", "Hit", "Rule", "Severity"]
