"""Likely mistakes in words: `lint_text(record)`, and the sentences of one finding. No state."""

from __future__ import annotations

from collections.abc import Iterator

from ..labels import shorten
from ..messages import message
from ..records import FindingRecord, LintRecord


def what(finding: FindingRecord, lang: str | None = None) -> str:
    """The mistake, in a sentence or two that begin with its line."""
    return message(f"lint.{finding.text}", lang, **finding.params)


def why(finding: FindingRecord, lang: str | None = None) -> str:
    """Why it matters."""
    return message(f"lint.{finding.code}.why", lang, **finding.params)


def help_with(finding: FindingRecord, lang: str | None = None) -> str:
    """The fix in words."""
    return message(f"lint.{finding.code}.fix", lang, **finding.params)


def finding_text(finding: FindingRecord, lang: str | None = None) -> str:
    """A finding in words: the mistake, its lines, why it matters, and the fix."""
    return "\n".join(_lines(finding, lang))


def _lines(finding: FindingRecord, lang: str | None) -> Iterator[str]:
    yield what(finding, lang)
    for index, site in enumerate(finding.sites):
        source = shorten(site.source, 120)
        if index:
            yield f"    {site.label}: {source}"
        elif source:
            yield f"    {source}"
    yield f"  {why(finding, lang)}"
    yield f"  {help_with(finding, lang)}"
    for fix in finding.fixes:
        yield message("lint.fix", lang, line=fix.line, fix=fix.text)
    if not finding.fixes:
        yield from (f"    {line}" for line in finding.snippet.splitlines())


def lint_text(record: LintRecord, lang: str | None = None) -> str:
    """All findings, one after the other."""
    if not record.findings:
        return message("lint.none", lang)
    return "\n".join(finding_text(finding, lang) for finding in record.findings)


__all__ = ["finding_text", "help_with", "lint_text", "what", "why"]
