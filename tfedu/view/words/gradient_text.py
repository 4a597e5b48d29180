"""A call of `gradients` in words: `flow_text(record)` turn by turn, `result_texts(record)` its results.

← marks a gradient that arrives at a node, + new nodes, → a gradient that is passed back. No state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..labels import shorten
from ..messages import has, message
from ..records import DerivativeRecord, GradientFlowRecord, GradientRecord, TurnRecord

NAME: Final = 60
LISTED: Final = 12


def flow_text(record: GradientFlowRecord, lang: str | None = None) -> str:
    """A paragraph for each turn, then the gradient of each x."""
    names = {node.id: shorten(node.name, NAME) for node in record.graph.nodes}
    lines: list[str] = []
    for step, turn in enumerate(record.turns, 1):
        lines.append(turn_sentence(record, step, names, lang))
        lines.extend(f"    {line}" for line in turn_lines(turn, names, lang))
    return "\n".join([*lines, message("flow.results", lang), *(f"    {text}" for text in result_texts(record, lang))])


def turn_sentence(record: GradientFlowRecord, step: int, names: dict[int, str], lang: str | None) -> str:
    """A turn in one sentence."""
    turn = record.turns[step - 1]
    params = {
        "step": step,
        "total": len(record.turns),
        "node": names[turn.node],
        "ys": ", ".join(shorten(y.label, NAME) for y in record.ys[:LISTED]),
        "n": len(turn.made) + len(turn.sums),
        "reason": _reason(turn.reason, lang),
    }
    return message(f"flow.live.{turn.kind}", lang, **params)


def ready_sentence(record: GradientFlowRecord, lang: str | None = None) -> str:
    """The state before the first turn."""
    ys = ", ".join(shorten(y.label, NAME) for y in record.ys[:LISTED])
    xs = ", ".join(shorten(x.label, NAME) for x in record.results[:LISTED])
    return message("flow.live.ready", lang, ys=ys, xs=xs)


def turn_lines(turn: TurnRecord, names: dict[int, str], lang: str | None) -> Iterable[str]:
    for arrival in turn.arrivals:
        if arrival.total is None:
            continue
        yield f"← {gradient_text(arrival.total, lang)}"
        if len(arrival.parts) > 1:
            yield f"  {message('flow.sum', lang, n=len(arrival.parts))}"
            yield from (f"    {gradient_text(part, lang)}" for part in arrival.parts[:LISTED])
    if turn.formula:
        yield turn.formula
    elif turn.kind == "rule" and turn.reason:
        yield message("flow.own_rule", lang, name=turn.reason)
    created = [*turn.sums, *turn.made]
    if created:
        more = f", … +{len(created) - LISTED}" if len(created) > LISTED else ""
        yield f"+ {', '.join(names[id] for id in created[:LISTED])}{more}"
    for share in turn.shares:
        target = f"{names[share.node]}{f':{share.output}' if share.output else ''}"
        words = [] if share.code == "passed" else [message(f"flow.{share.code}", lang, target=target)]
        carried = [] if share.gradient is None else [f"{target}: {gradient_text(share.gradient, lang)}"]
        yield f"→ {' · '.join([*carried, *words])}"


def gradient_text(gradient: GradientRecord, lang: str | None = None) -> str:
    """The tensor of a gradient, its value, and the health of a value that is not fine."""
    text = shorten(gradient.name, NAME)
    if gradient.text:
        text += f" = {shorten(gradient.text, NAME)}"
    if gradient.health not in ("", "fine"):
        text += f" ({message(f'health.{gradient.health}', lang)})"
    return text


def result_texts(record: GradientFlowRecord, lang: str | None = None) -> list[str]:
    """The gradient of each x, or why it is None."""
    names = {node.id: shorten(node.name, NAME) for node in record.graph.nodes}
    return [_result(result, names, lang) for result in record.results]


def _result(result: DerivativeRecord, names: dict[int, str], lang: str | None) -> str:
    x = shorten(result.label, NAME)
    if result.gradient is not None:
        return f"{x}: {gradient_text(result.gradient, lang)}"
    node = "" if result.at is None else names[result.at]
    return message(f"flow.result.{result.code}", lang, x=x, node=node, reason=_reason(result.reason, lang))


def _reason(code: str, lang: str | None) -> str:
    """Why a node passes no gradient on."""
    return message(f"flow.why.{code}", lang) if has(f"flow.why.{code}") else code


__all__ = ["flow_text", "gradient_text", "ready_sentence", "result_texts", "turn_lines", "turn_sentence"]
