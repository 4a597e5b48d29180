"""The report on a course as text, CSV and a page: `Course` with its `File`s and their `Finding`s. No state."""

from __future__ import annotations

import collections
import csv
import dataclasses
import html
import io
from collections.abc import Iterator, Mapping
from typing import Final

RUNS, WITH_OPTIONS, LACKS, UNREADABLE = "runs", "runs with options", "lacks names", "is not Python"

# Each kind of finding and its heading; the report lists the kinds in this order.
KINDS: Final[Mapping[str, str]] = {
    "name": "names that tfedu lacks",
    "data": "data files that are absent",
    "module": "modules that are absent",
    "old": "changed by TensorFlow 1.0",
    "python": "about Python",
    "numpy": "changed by NumPy or SciPy",
}


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that a file needs or that has changed. kind: one of KINDS; place: "line 3"."""

    kind: str
    what: str
    place: str
    advice: str


@dataclasses.dataclass(frozen=True)
class File:
    """A file of the course: its path inside the folder, whether it runs, the options that it needs, and the findings."""

    path: str
    verdict: str
    options: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def summary(self) -> str:
        """The verdict in words."""
        if self.verdict == LACKS:
            return f"lacks {_count(self.number('name'), 'name')}"
        if self.verdict == UNREADABLE:
            return self.verdict
        runs = f"runs with  {' '.join(self.options)}" if self.verdict == WITH_OPTIONS else self.verdict
        absent = [_count(self.number(kind), noun) for kind, noun in _ABSENT.items() if self.number(kind)]
        return f"{runs}, with {' and '.join(absent)} that {'is' if self._absent == 1 else 'are'} absent" if absent else runs

    def number(self, kind: str) -> int:
        """The number of findings of a kind."""
        return sum(found.kind == kind for found in self.findings)

    @property
    def _absent(self) -> int:
        return sum(map(self.number, _ABSENT))

    def groups(self) -> Iterator[tuple[str, list[Finding]]]:
        """(the words for a kind, its findings) for each kind that the file has."""
        for kind, words in KINDS.items():
            found = [each for each in self.findings if each.kind == kind]
            if found:
                yield words, found


# The kinds of findings that name a missing file or module, which a teacher can add -> the noun for one of them.
_ABSENT: Final = {"data": "data file", "module": "module"}


@dataclasses.dataclass(frozen=True)
class Course:
    """The files of a course that use TensorFlow, in the order of their paths; others: how many files do not."""

    folder: str
    files: tuple[File, ...]
    others: int

    def __str__(self) -> str:
        lines = [self.summary, ""]
        width = max((len(file.path) for file in self.files), default=0)
        for file in self.files:
            lines.append(f"{file.path:{width}}  {file.summary}")
            for words, findings in file.groups():
                lines.append(f"  {words}:")
                for found in findings:
                    lines.append(f"    {found.what}  ({found.place})")
                    lines.append(f"        {found.advice}")
        for kind, absent in self.absent():
            lines += ["", f"All {KINDS[kind]}:"]
            lines += [f"    {what}  ({', '.join(paths)})" for what, paths in absent.items()]
        return "\n".join(lines).rstrip()

    @property
    def summary(self) -> str:
        """One sentence: how many files run, run with an option, lack names, cannot be read, and do not use TensorFlow."""
        counts = collections.Counter(file.verdict for file in self.files)
        told = [
            f"{counts[RUNS]} run as they are", f"{counts[WITH_OPTIONS]} with an option", f"{counts[LACKS]} lack names",
        ]  # fmt: skip
        if counts[UNREADABLE]:
            told.append(f"{counts[UNREADABLE]} cannot be read")
        return f"{self.folder}: {_count(len(self.files), 'file')} with TensorFlow: {', '.join(told)}; {self.others} without."

    def absent(self) -> Iterator[tuple[str, dict[str, list[str]]]]:
        """(kind, {what is absent: the files of the course that need it}) for data files and modules."""
        for kind in _ABSENT:
            found: dict[str, list[str]] = {}
            for file in self.files:
                for each in file.findings:
                    if each.kind == kind:
                        found.setdefault(each.what, []).append(file.path)
            if found:
                yield kind, found

    def csv(self) -> str:
        """A row for each finding, and one for each file without any: file, verdict, options, kind, what, place, advice."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["file", "verdict", "options", "kind", "what", "place", "advice"])
        for file in self.files:
            for found in file.findings or (Finding("", "", "", ""),):
                row = [file.path, file.verdict, " ".join(file.options), *dataclasses.astuple(found)]
                # a spreadsheet takes a cell that begins so for a formula
                writer.writerow([f"'{cell}" if cell[:1] in ("=", "+", "@", "\t") else cell for cell in row])
        return out.getvalue()

    def html(self) -> str:
        """A page with a table; nothing of it is fetched from elsewhere."""
        rows = []
        for file in self.files:
            groups = "".join(
                f"<h3>{words[0].upper()}{words[1:]}</h3><ul>{''.join(map(_item, findings))}</ul>"
                for words, findings in file.groups()
            )
            rows.append(
                f'<tr class="{file.verdict.split()[0]}"><th scope="row">{_code(file.path)}</th>'
                f"<td>{_escaped(file.summary)}</td><td>{groups}</td></tr>"
            )
        lists = [
            f"<h2>All {KINDS[kind]}</h2><ul>"
            + "".join(f"<li>{_code(what)}, for {', '.join(map(_code, paths))}</li>" for what, paths in absent.items())
            + "</ul>"
            for kind, absent in self.absent()
        ]
        title = f"What of {self.folder} runs in tfedu"
        return _PAGE.format(
            title=_escaped(title), summary=_escaped(self.summary), rows="\n".join(rows), lists="\n".join(lists)
        )


def _item(found: Finding) -> str:
    return f"<li>{_code(found.what)} ({_escaped(found.place)}): {_escaped(found.advice)}</li>"


def _code(text: str) -> str:
    return f"<code>{_escaped(text)}</code>"


def _escaped(text: str) -> str:
    return html.escape(text)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


_PAGE: Final = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.4 sans-serif; margin: 2em auto; max-width: 70em; overflow-wrap: anywhere; padding: 0 1em; }}
h1 {{ font-size: 1.5em; }}
h2 {{ font-size: 1.2em; margin-top: 2em; }}
h3 {{ font-size: 1em; margin: .6em 0 .2em; }}
h3:first-child {{ margin-top: 0; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ border-bottom: 1px solid #888; padding: .5em .6em; text-align: left; vertical-align: top; }}
th[scope=row] {{ font-weight: normal; width: 22%; }}
td:nth-child(2) {{ width: 18%; }}
ul {{ margin: 0; padding-left: 1.2em; }}
tr.lacks td:nth-child(2), tr.is td:nth-child(2) {{ font-weight: bold; }}
@media (max-width: 40em) {{
  thead {{ position: absolute; clip-path: inset(50%); }}
  tr {{ border-bottom: 1px solid #888; display: block; padding: .6em 0; }}
  tbody th[scope=row], td, td:nth-child(2) {{ border: 0; display: block; padding: .1em 0; width: auto; }}
}}
</style></head><body><main>
<h1>{title}</h1>
<p>{summary}</p>
<h2>File by file</h2>
<table><thead><tr><th scope="col">File</th><th scope="col">Verdict</th><th scope="col">Findings</th></tr></thead>
<tbody>
{rows}
</tbody></table>
{lists}
</main></body></html>
"""


__all__ = [
    "Course", "File", "Finding",
]  # fmt: skip
