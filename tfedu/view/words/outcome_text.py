"""Possible results in words: `outcomes_lines(record)` for the terminal and under pictures. No state."""

from __future__ import annotations

from typing import Final

from ..labels import shorten
from ..messages import message
from ..records import OutcomesRecord, RaceRecord, ResultRecord

_NAME: Final = 60


def outcomes_lines(record: OutcomesRecord, lang: str | None = None) -> list[str]:
    """The number of results, each result, and the races with their fixes."""
    count = len(record.results) + record.more_results
    code = ("one" if count == 1 else "many") if record.exact else "at_least"
    lines = [message(f"outcomes.{code}", lang, count=count, turns=record.turns)]
    lines.extend(f"  {number}. {_result(result)}" for number, result in enumerate(record.results, 1))
    if record.more_results:
        lines.append(f"  {message('outcomes.more', lang, count=record.more_results)}")
    names = {node.id: shorten(node.name, _NAME) for node in record.trace.graph.nodes}
    for race in record.races:
        lines.extend(_race(race, names, lang))
    return lines


def outcomes_text(record: OutcomesRecord, lang: str | None = None) -> str:
    """The lines of outcomes_lines as one text."""
    return "\n".join(outcomes_lines(record, lang))


def _result(result: ResultRecord) -> str:
    return shorten(" → ".join([*result.values, *([result.error] if result.error else [])]), 200)


def _race(race: RaceRecord, names: dict[int, str], lang: str | None) -> list[str]:
    params = {"first": names[race.first], "second": names[race.second]}
    lines = [message(f"race.{race.kind}", lang, variable=race.variable, **params)]
    lines.append(f"  {message(f'race.{race.advice}', lang, **params)}")
    return [*lines, f"    {race.line}"] if race.line else lines


__all__ = ["outcomes_lines", "outcomes_text"]
