"""The building of a graph and the passes of a run in words: `film_text(record)`, `passes_text(record)`.

The sentences are those of the widgets' live lines. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ..labels import shorten
from ..messages import message
from ..records import BuildFilmRecord, BuiltRecord, FateRecord, PassesRecord, PassRecord

NAME: Final = 48
LISTED: Final = 12
# Of a pass over many nodes the first ones are listed, and the rest counted.
FATES: Final = 40


def film_text(record: BuildFilmRecord, lang: str | None = None) -> str:
    """For each step the line of the program, and under it the nodes that it added."""
    lines = []
    place: int | None = None
    for number, step in enumerate(record.steps, 1):
        if step.source is not None and step.source != place:
            place = step.source
            lines.append(f"{shorten(record.graph.codes[place].place, 80)}:")
        lines.append(f"{number}. {source_line(record, step)}")
        lines.extend(f"    {text}" for text in step_texts(record, step, lang))
    return "\n".join(lines) if lines else message("graph.empty", lang)


def source_line(record: BuildFilmRecord, step: BuiltRecord) -> str:
    """The number and the first line of a step's statement."""
    if step.source is None:
        return ""
    code = record.graph.codes[step.source]
    at = step.line - code.first
    return f"{step.line}: {shorten(code.lines[at], 100)}" if 0 <= at < len(code.lines) else f"{step.line}:"


def step_texts(record: BuildFilmRecord, step: BuiltRecord, lang: str | None = None) -> list[str]:
    """What a step added, in sentences."""
    names = {node.id: shorten(node.name, NAME) for node in record.graph.nodes}
    code = "elsewhere" if step.source is None else step.code
    params: dict[str, object] = {"line": step.line, "n": len(step.nodes), "names": _listed(step.nodes, names)}
    texts = []
    if code != "block":
        texts.append(message(f"film.live.{code}", lang, **params))
    waits: dict[int, list[int]] = {}
    for target, source in step.waits:
        waits.setdefault(target, []).append(source)
    for target, sources in list(waits.items())[:LISTED]:
        texts.append(message("film.live.waits", lang, target=names[target], sources=_listed(sources, names)))
    blocks = {block.id: block for block in record.graph.blocks}
    for id in step.blocks:
        if blocks[id].control_inputs:
            awaited = _listed(blocks[id].control_inputs, names)
            texts.append(message("film.live.block", lang, line=step.line, sources=awaited))
        else:
            texts.append(message("film.live.nothing", lang, line=step.line))
    if step.many:
        texts.append(message("film.live.many", lang))
    return texts


def _listed(ids: Iterable[int], names: Mapping[int, str]) -> list[str]:
    listed = list(ids)
    more = [f"… +{len(listed) - LISTED}"] if len(listed) > LISTED else []
    return [*(names[id] for id in listed[:LISTED]), *more]


def passes_text(record: PassesRecord, lang: str | None = None) -> str:
    """A paragraph for each pass: how many nodes there are before and after it, and what it does to each; then the plan."""
    lines = []
    for step in record.passes:
        lines.append(pass_sentence(step, lang))
        lines.extend(f"    {fate_text(step, fate, lang)}" for fate in step.fates[:FATES])
        if len(step.fates) > FATES:
            lines.append(f"    … +{len(step.fates) - FATES}")
    if record.plan:
        lines.append(message("passes.plan", lang))
        lines.extend(f"    {number}: {line}" for number, line in enumerate(record.plan, 1))
    return "\n".join(lines)


def pass_sentence(step: PassRecord, lang: str | None = None) -> str:
    """What a pass did, in a sentence or two."""
    params: dict[str, object] = {"before": step.before, "after": step.after, "n": step.before - step.after}
    text = message(f"passes.live.{step.code}", lang, **params)
    if not step.note:
        return text
    params = dict(step.params)
    if "reason" in params:
        params["reason"] = message(f"refused.plan.{params['reason']}", lang, **step.params)
    return f"{text} {message(f'passes.note.{step.note}', lang, **params)}"


def fate_text(step: PassRecord, fate: FateRecord, lang: str | None = None) -> str:
    """What a pass does to one node."""
    prefix = "why" if step.code == "prune" else "passes.fate"
    return message(f"{prefix}.{fate.code}", lang, **fate.params)


__all__ = ["fate_text", "film_text", "pass_sentence", "passes_text", "source_line", "step_texts"]
