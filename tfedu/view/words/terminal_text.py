"""Graphs, traces and questions as text for a terminal: `graph_text(record)`, `trace_text(record)` and so on.

Names look as in pictures: control characters are visible, long names cut. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..labels import cells, shorten, visible
from ..messages import has, message
from ..records import (
    CompareRecord,
    EdgeRecord,
    GameRecord,
    GraphRecord,
    PredictRecord,
    PredictResult,
    RunRecord,
    SideRecord,
    StartRecord,
    StepRecord,
    TraceRecord,
    WhyRecord,
)
from .box_titles import box_title

NAME: Final = 40
VALUE: Final = 60
LISTED: Final = 20


def graph_text(record: GraphRecord, lang: str | None = None, limit: int = 200) -> str:
    """A line for each node: name, op type, inputs (& marks a reference, ^ a control input) and outputs; then boxes and notices.

    Of more than `limit` nodes it lists the first, and counts the others.
    """
    if not record.nodes:
        return message("graph.empty", lang)
    into = _into(record)
    names = {node.id: shorten(node.name, NAME) for node in record.nodes}
    rows = []
    for node in record.nodes[:limit]:
        inputs = ", ".join(_input(edge, names, record) for edge in into.get(node.id, ())[:12])
        if len(into.get(node.id, ())) > 12:
            inputs += f", … +{len(into[node.id]) - 12}"
        outputs = ", ".join(output.text for output in node.outputs[:4])
        if len(node.outputs) > 4:
            outputs += f", … +{len(node.outputs) - 4}"
        rows.append([names[node.id], shorten(node.type, NAME), f"({inputs})", f"-> {outputs}" if outputs else ""])
    lines = table(rows)
    if len(record.nodes) > limit:
        lines.append("… " + message("badge.rest", lang, n=len(record.nodes) - limit))
    lines.extend(_boxes(record, lang))
    lines.extend(_blocks(record, lang))
    lines.extend(_notices(record, lang))
    return "\n".join(lines)


def _boxes(record: GraphRecord, lang: str | None) -> Iterable[str]:
    """The conds with their branches, and the loops, with the nodes in each."""
    names = {node.id: shorten(node.name, NAME) for node in record.nodes}
    inside: dict[str, list[int]] = {}
    around = {box.path: box for box in record.boxes}
    for box in record.boxes:
        at = box
        while at.kind == "scope" and at.parent:
            at = around[at.parent]
        inside.setdefault(at.path, []).extend(box.nodes)
    depths: dict[str, int] = {}
    for box in record.boxes:
        depths[box.path] = depths.get(box.parent, 0) + (box.kind != "scope")
        if box.kind != "scope":
            nodes = sorted(inside[box.path])
            listed = ", ".join(names[id] for id in nodes[:LISTED])
            more = f", … +{len(nodes) - LISTED}" if len(nodes) > LISTED else ""
            indent = "  " * (depths[box.path] - 1)
            yield f"{indent}{box_title(box, lang)}: {listed}{more}"


def _into(record: GraphRecord) -> dict[int, list[EdgeRecord]]:
    into: dict[int, list[EdgeRecord]] = {}
    for edge in record.edges:
        into.setdefault(edge.target, []).append(edge)
    return into


def _input(edge: EdgeRecord, names: dict[int, str], record: GraphRecord) -> str:
    if edge.kind == "control":
        return f"^{names[edge.source]}"
    mark = "&" if edge.kind == "reference" else ""
    return f"{mark}{names[edge.source]}{f':{edge.output}' if edge.output else ''}"


def _blocks(record: GraphRecord, lang: str | None) -> Iterable[str]:
    names = {node.id: node.name for node in record.nodes} | {part.id: part.path for part in record.sealed}
    for block in record.blocks:
        if block.empty:
            where = shorten(block.site.label, VALUE) if block.site else message("block.unknown_site", lang)
            inputs = ", ".join(shorten(names[id], NAME) for id in block.control_inputs[:6])
            yield message("block.label", lang, where=where, inputs=inputs)
            if block.site and block.site.source:
                yield f"    {visible(block.site.source[: VALUE * 2])}"


def _notices(record: GraphRecord, lang: str | None) -> Iterable[str]:
    for notice in record.notices:
        key = f"notice.{notice.code}"
        if has(key):
            yield message(key, lang, **notice.params)
        else:
            yield message("notice.unknown", lang, code=notice.code)


# -- traces --------------------------------------------------------------------------------------------------------


def trace_text(record: TraceRecord, lang: str | None = None, title: str = "") -> str:
    """For each run a table of steps (node, what happened, values, writes, ready nodes), then the fetched values."""
    names = {node.id: shorten(node.name, NAME) for node in record.graph.nodes}
    lines: list[str] = [visible(title)] if title else []
    if not record.runs:
        lines.append(message("steps.none", lang))
    for run in record.runs:
        lines.extend(["", *_run(run, names, lang)] if lines else _run(run, names, lang))
    pruned = [reason for reason in record.pruned if reason.why.code != "fed"]
    if pruned:
        listed = ", ".join(names[reason.node] for reason in pruned[:20])
        if len(pruned) > 20:
            listed += f", … +{len(pruned) - 20}"
        lines.extend(["", f"{message('state.pruned', lang)}: {listed}"])
    lines.extend(_blocks(record.graph, lang))
    lines.extend(_notices(record.graph, lang))
    if any(output.alias is not None for run in record.runs for step in run.steps for output in step.outputs):
        lines.append("≡  " + message("legend.alias", lang))
    return "\n".join(lines)


def _run(run: RunRecord, names: dict[int, str], lang: str | None) -> list[str]:
    number = run.index + 1
    lines = [message("tape.run", lang, run=number)]
    for variable, value in run.start.variables[:20]:
        text = shorten(value, VALUE) if value else message("tape.unset", lang)
        name = message("tape.variable", lang, name=variable)
        lines.append(f"  {name}: {message('tape.start', lang, value=text)}")
    head = ["#", message("text.node", lang), message("text.happened", lang), message("text.value", lang),
            message("text.state", lang), message("queue.title", lang)]  # fmt: skip
    rows = [head, ["0", "", "", "", "", _queue(run.start, names, lang)]]
    rows.extend(
        [str(index), names[step.node] + _iteration(step), message(f"outcome.{step.outcome}", lang), *_step(step, lang),
         _queue(step, names, lang)]
        for index, step in enumerate(run.steps, 1)
    )  # fmt: skip
    lines.extend(f"  {line}" for line in table(rows))
    lines.extend(f"  {line}" for line in _deaths(run, names, lang))
    lines.extend(f"  {shorten(item.label, NAME)} = {shorten(item.text, 200)}" for item in run.fetched)
    if run.error is not None:
        lines.extend(
            f"  {visible(line)}" for line in (message("outcome.error", lang), *run.error[:2000].splitlines())
        )
    return lines


def _deaths(run: RunRecord, names: dict[int, str], lang: str | None) -> Iterable[str]:
    """For each reason the nodes that were dead for it."""
    dead: dict[str, dict[str, None]] = {}
    for step in run.steps:
        if step.death is not None:
            reason = message(f"dead.{step.death.code}", lang, **step.death.params)
            dead.setdefault(reason, {})[names[step.node] + _iteration(step)] = None
    for reason, nodes in dead.items():
        listed = list(nodes)
        more = f", … +{len(listed) - LISTED}" if len(listed) > LISTED else ""
        yield f"✕ {', '.join(listed[:LISTED])}{more}: {reason}"


def step_sentence(record: TraceRecord, step: StepRecord, lang: str | None = None) -> str:
    """What happened in a step: the node, its values, and what it wrote."""
    names = {node.id: shorten(node.name, NAME) for node in record.graph.nodes}
    texts = [f"{names[step.node]}{_iteration(step)}: {message(f'outcome.{step.outcome}', lang)}", *_step(step, lang)]
    if step.death is not None:
        texts.append(message(f"dead.{step.death.code}", lang, **step.death.params))
    return " · ".join(text for text in texts if text)


def ready_text(record: TraceRecord, run: RunRecord, lang: str | None = None) -> str:
    """The nodes that are ready before the first step of a run."""
    names = {node.id: shorten(node.name, NAME) for node in record.graph.nodes}
    return f"{message('queue.title', lang)}: {_queue(run.start, names, lang)}"


def variable_sentence(name: str, value: str, lang: str | None = None) -> str:
    """The value of a variable at some moment."""
    shown = shorten(value, VALUE) if value else message("tape.unset", lang)
    return f"{message('tape.variable', lang, name=shorten(name, NAME))}: {shown}"


def _iteration(step: StepRecord) -> str:
    """The iterations of the loops around a step, as [2.0]."""
    return f" [{'.'.join(map(str, step.iteration))}]" if step.iteration else ""


def _step(step: StepRecord, lang: str | None) -> tuple[str, str]:
    values = []
    for output in step.outputs[:4]:
        if output.dead:
            values.append(message("text.dead", lang))
        elif output.alias is not None:
            text = shorten(output.text, VALUE) or message("tape.unset", lang)
            values.append(f"{text} ≡ {shorten(output.alias, NAME)}")
        else:
            values.append(shorten(output.text, VALUE))
    unset = message("tape.unset", lang)
    state = [
        f"{shorten(name, NAME)} {before or unset} → {after or unset}" for name, before, after in step.writes
    ]
    if step.error is not None:
        values = [shorten(step.error.partition("\n")[0], VALUE * 2)]
    return ", ".join(values), ", ".join(state)


def _queue(at: StartRecord | StepRecord, names: dict[int, str], lang: str | None) -> str:
    def listed(nodes: Sequence[int]) -> str:
        few = " ".join(names[id] for id in nodes[:4])
        return few if len(nodes) <= 4 else f"{few} … +{len(nodes) - 4}"

    ready = listed(at.ready) or message("queue.empty", lang)
    return f"{ready} ({message('text.held', lang, nodes=listed(at.held))})" if at.held else ready


def compare_text(record: CompareRecord, lang: str | None = None) -> str:
    """Both traces, one after the other, each with the nodes and edges that only it has."""
    parts = []
    for side in record.sides:
        only = list(_only_here(side, lang))
        head = message("compare.difference" if only else "compare.no_difference", lang)
        lines = [trace_text(side.trace, lang, f"== {shorten(side.title, 60)} =="), head]
        lines.extend(f"  {text}" for text in only[:LISTED])
        if len(only) > LISTED:
            lines.append("  " + message("compare.more", lang, n=len(only) - LISTED))
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _only_here(side: SideRecord, lang: str | None) -> Iterable[str]:
    nodes = {node.id: node for node in side.trace.graph.nodes}
    for id in side.marks.nodes:
        yield message("compare.node", lang, name=nodes[id].name, type=nodes[id].type)
    edges = {edge.id: edge for edge in side.trace.graph.edges}
    for id in side.marks.edges:
        edge = edges[id]
        ends = {"source": nodes[edge.source].name, "target": nodes[edge.target].name}
        yield message(f"compare.{edge.kind}", lang, **ends)
    for block in side.trace.graph.blocks:
        if block.id in side.marks.blocks:
            where = block.site.label if block.site else message("block.unknown_site", lang)
            yield message("compare.empty_block", lang, where=where)


def question_text(record: PredictRecord, lang: str | None = None) -> str:
    """The question, its program and the values that it asks for."""
    title = record.title or message("predict.default_title", lang)
    lines = [title, record.prompt, "", record.text(), "", message("predict.ask", lang)]
    lines.extend(f"  {target.label}" for target in record.targets)
    return "\n".join(visible_lines(line) for line in lines)


def answer_text(record: PredictResult, lang: str | None = None) -> str:
    """For each target what the learner predicted and what the engine computed."""
    lines = [message("predict.result", lang)]
    for target in record.targets:
        code = "predict.correct" if target.correct else "predict.wrong"
        lines.append(message(code, lang, target=target.key))
        lines.append(f"  {message('predict.you', lang)}: {', '.join(target.predicted)}")
        lines.append(f"  {message('predict.printed', lang)}: {', '.join(target.actual)}")
    return "\n".join(visible_lines(line) for line in lines)


def game_text(record: GameRecord, lang: str | None = None) -> str:
    """The graph that the game is played on."""
    return graph_text(record.graph, lang)


def visible_lines(text: str) -> str:
    """A text of several lines with its other control characters made visible."""
    return "\n".join(visible(line) for line in text.splitlines())


def why_text(record: GraphRecord, node: int, why: WhyRecord, lang: str | None = None) -> str:
    """A reason in words: the message with the record's params, and with names from its path."""
    names = {item.id: item.name for item in record.nodes}
    consumer = why.path[-2] if len(why.path) > 1 else node
    params: dict[str, object] = {
        "node": names[node],
        "consumer": names[consumer],
        "path": " → ".join(shorten(names[id], NAME) for id in why.path),
        **why.params,
    }
    return message(f"why.{why.code}", lang, **params)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines with aligned columns; Chinese and Korean characters take two cells each."""
    if not rows:
        return []
    widths = [max(cells(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        parts = [text + " " * (column_width - cells(text)) for text, column_width in zip(row, widths, strict=True)]
        lines.append("  ".join(parts).rstrip())
    return lines
