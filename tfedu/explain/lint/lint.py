"""Mistakes and likely mistakes in a graph: `for finding in lint(graph): print(finding)`.

Each rule is a function in rules/, where `RULES` is the catalogue. Rules read the graph and its history of runs and of calls of
`gradients`; a rule that has to change the graph to know more changes a copy. No state.
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

_MOST_NAMED: Final = 4  # fetches of a run


def lint(graph: Any = None) -> Findings:
    """The mistakes and likely mistakes in a graph (default: the default graph), in program order.

    Raises: TypeError if `graph` is not a graph.
    """
    return findings_of(graph)[0]


def findings_of(graph: Any = None) -> tuple[Findings, int]:
    """What `lint` returns, and the number of nodes of the graph.

    Raises: TypeError if `graph` is not a graph.
    """
    graph = get_default_graph() if graph is None else graph
    if not isinstance(graph, Graph):
        raise TypeError(f"lint takes a graph, not {type(graph).__name__}\n  fix: tfedu.explain.lint(x.graph)")
    facts = Facts(graph.original or graph)  # not the transfers, which no line of the program makes
    finders = {rule.find: code for code, rule in RULES.items()}
    findings = [_finding(hit.code or code, hit) for find, code in finders.items() for hit in find(facts)]
    findings.sort(key=lambda finding: min(op.id for op in finding.nodes))
    return Findings(findings), len(graph.operations)


def explained_run(
    graph: Any = None, fetches: Any = None, feed_dict: Any = None, session: Any = None
) -> tuple[ExplainedRun | None, NoticeRecord]:
    """The run that explains why nodes run, and the message `lint.run.<code>` that names it.

    That is the run of `fetches`; by default the last run of the program, whose fed values are unknown. None without any run.
    """
    graph = get_default_graph() if graph is None else graph
    if fetches is not None:
        structure = Structure(graph, fetches)
        run = ExplainedRun(fetches, feed_dict, session=session)
        return run, NoticeRecord("given", {"fetches": _listed([*structure.tensors, *structure.operations])})
    if not graph.history.runs:
        return None, NoticeRecord("none", {})
    last = graph.history.runs[-1]
    elements = [*last.tensors, *last.operations]
    where = Site.of(last.site).label if last.site is not None else message("block.unknown_site")
    run = ExplainedRun(elements, dict.fromkeys(last.feeds, UNKNOWN))
    return run, NoticeRecord("last", {"fetches": _listed(elements), "where": where})


def _listed(elements: Sequence[Tensor | Operation]) -> str:
    more = f", … +{len(elements) - _MOST_NAMED}" if len(elements) > _MOST_NAMED else ""
    return ", ".join(shorten(element.name, 60) for element in elements[:_MOST_NAMED]) + more


def _finding(code: str, hit: Hit) -> Finding:
    site = hit.site if hit.site is not None else hit.nodes[0].site
    where = site.label if site is not None else message("block.unknown_site")
    params = {"where": where, **{name: shorten(text, 200) for name, text in hit.params.items()}}
    return Finding(code, site, hit.nodes, params, hit.fixes)


__all__ = ["Finding", "Findings", "explained_run", "findings_of", "lint"]
