"""What in a graph surely is a mistake, or rarely what was meant: `for finding in lint(graph): print(finding)`.

The rules are in rules/, one function each; `tfedu.explain.RULES` is the catalogue. They read the graph, and the history of the
runs and gradients that were asked for. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...engine.base.site import Site
from ...engine.graph.default_graph import get_default_graph
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation, Tensor
from ...engine.runtime.fetches import Structure
from ...view.labels import shorten
from ...view.messages import message
from ...view.records import NoticeRecord
from ..explained_run import ExplainedRun
from ..reasons.why import UNKNOWN
from .findings import Finding, Findings
from .rules import RULES, Facts, Hit

_LISTED: Final = 4  # so many fetches of a run are named


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


def explained_run(
    graph: Any = None, fetches: Any = None, feed_dict: Any = None, session: Any = None
) -> tuple[ExplainedRun | None, NoticeRecord]:
    """The run of which it is told why a node runs there, and the message `lint.run.<code>` that says which that is.

    It is the one that is given; else the newest that the program asked its sessions for, whose values nobody has kept.
    """
    graph = get_default_graph() if graph is None else graph
    if fetches is not None:
        asked = Structure(graph, fetches)
        program = ExplainedRun(fetches, feed_dict, session=session)
        return program, NoticeRecord("given", {"fetches": _listed([*asked.tensors, *asked.operations])})
    if not graph.history.runs:
        return None, NoticeRecord("none", {})
    ran = graph.history.runs[-1]
    elements = [*ran.tensors, *ran.operations]
    where = Site.of(ran.site).label if ran.site is not None else message("block.unknown_site")
    program = ExplainedRun(elements, dict.fromkeys(ran.feeds, UNKNOWN))
    return program, NoticeRecord("last", {"fetches": _listed(elements), "where": where})


def _listed(elements: Sequence[Tensor | Operation]) -> str:
    more = f", … +{len(elements) - _LISTED}" if len(elements) > _LISTED else ""
    return ", ".join(shorten(element.name, 60) for element in elements[:_LISTED]) + more


def _finding(code: str, hit: Hit) -> Finding:
    site = hit.site if hit.site is not None else hit.nodes[0].site
    where = site.label if site is not None else message("block.unknown_site")
    params = {"where": where, **{name: shorten(text, 200) for name, text in hit.params.items()}}
    return Finding(code, site, hit.nodes, params, hit.fixes)


__all__ = ["Finding", "Findings", "explained_run", "findings_of", "lint"]
