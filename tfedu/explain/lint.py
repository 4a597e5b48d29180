"""What in a graph surely is a mistake, or rarely what was meant: `for finding in lint(graph): print(finding)`.

The rules are in rules/, one function each; `tfedu.explain.RULES` is the catalogue. They read the graph, and the history of the
runs and gradients that were asked for. No state.
"""

from __future__ import annotations

from typing import Any

from ..engine.graph.graph import Graph
from ..engine.graph.stacks import get_default_graph
from ..view.labels import shorten
from ..view.messages import message
from .findings import Finding, Findings
from .rules import RULES, Facts, Hit


def lint(graph: Any = None) -> Findings:
    """What looks wrong in a graph, or in the default one, in the order of the program.

    Raises: TypeError for what is no graph.
    """
    return findings_of(graph)[0]


def findings_of(graph: Any = None) -> tuple[Findings, int]:
    """What `lint` gives, and among how many nodes it was found.

    Raises: TypeError for what is no graph.
    """
    graph = get_default_graph() if graph is None else graph
    if not isinstance(graph, Graph):
        raise TypeError(f"lint takes a graph, not {type(graph).__name__}\n  fix: tfedu.explain.lint(x.graph)")
    facts = Facts(graph)
    finders = {rule.find: code for code, rule in RULES.items()}
    found = [_finding(hit.code or code, hit) for find, code in finders.items() for hit in find(facts)]
    in_order = sorted(found, key=lambda finding: min(op.id for op in finding.nodes))
    return Findings(in_order), len(graph.operations)


def _finding(code: str, hit: Hit) -> Finding:
    site = hit.site if hit.site is not None else hit.nodes[0].site
    where = site.label if site is not None else message("block.unknown_site")
    params = {"where": where, **{name: shorten(text, 200) for name, text in hit.params.items()}}
    return Finding(code, site, hit.nodes, params, hit.fixes)


__all__ = ["Finding", "Findings", "findings_of", "lint"]
