"""What a rule of `lint` is: `@rule("late_seed", "mistake")` over a function that finds it.

The function gets a graph's facts (facts.py) and gives a `Hit` for each place. What it says of them is in the catalogue of
messages: "lint.late_seed" what is there, "lint.late_seed.why" why that matters, "lint.late_seed.fix" what helps.
State: `RULES`, the catalogue, in the order in which the modules are read.
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
    """One place: the nodes it is about (the first tells the line), what the message names, and new text for lines.

    site: the line, where no node stands for it. code: which rule it is of, where one function finds several.
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

    severity: "mistake" (it surely does not do what the line says), "suspicion" (it rarely does), "advice" (it costs more than
    it has to, or does nothing). snippet: code that helps, with {names} of the hit.
    """

    code: str
    severity: Severity
    snippet: str
    find: Finder


RULES: Final[dict[str, Rule]] = {}


def rule(code: str, severity: Severity, snippet: str = "") -> Callable[[_Finder], _Finder]:
    """Puts a rule into the catalogue; a function that finds several has a line for each."""

    def put(find: _Finder) -> _Finder:
        RULES[code] = Rule(code, severity, snippet, find)
        return find

    return put
