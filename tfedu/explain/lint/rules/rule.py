"""A rule of `lint`: `@rule("late_seed", "mistake")` registers the function that finds the mistake.

The function takes a graph's facts (graph_facts.py) and yields a `Hit` for each place. The rule's texts are messages:
"lint.late_seed" the mistake, "lint.late_seed.why" why it matters, "lint.late_seed.fix" what helps.
State: `RULES`, the catalogue, in the order in which the modules are imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from ....engine.base.site import Site
from ....engine.graph.nodes import Operation
from ....view.records import Severity
from .graph_facts import Facts


@dataclass(frozen=True)
class Hit:
    """One match of a rule.

    nodes: the nodes at fault; the site of the first is the finding's line. params: parameters of the rule's message. fixes:
    pairs (line, new text). site: the line, where it is not that of a node. code: the rule, where one function finds several.
    """

    nodes: tuple[Operation, ...]
    params: dict[str, str] = field(default_factory=dict)
    fixes: tuple[tuple[int, str], ...] = ()
    site: Site | None = None
    code: str = ""


Finder = Callable[[Facts], Iterator[Hit]]
_Finder = TypeVar("_Finder", bound=Finder)


@dataclass(frozen=True)
class Rule:
    """One entry of the catalogue.

    severity: "mistake" (the line surely does not do what it says), "suspicion" (it rarely does), "advice" (it costs more than
    it has to, or does nothing). snippet: code that helps, with the hit's params in braces.
    """

    code: str
    severity: Severity
    snippet: str
    find: Finder


RULES: Final[dict[str, Rule]] = {}


def rule(code: str, severity: Severity, snippet: str = "") -> Callable[[_Finder], _Finder]:
    """Registers a rule; a function that finds several rules has one decorator for each."""

    def register(find: _Finder) -> _Finder:
        RULES[code] = Rule(code, severity, snippet, find)
        return find

    return register


__all__ = ["RULES", "Facts", "Finder", "Hit", "Rule", "Severity", "rule"]
