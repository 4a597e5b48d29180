"""`tfedu coverage --course FOLDER`: what of a course runs here, file by file: the report that a teacher reads before a term.

It reads programs (.py), notebooks (.ipynb) and the Python code in texts (.md); nothing is run. For each file it tells whether
tfedu has all that the file names, as it is or with which option, which names of TensorFlow are missing, which data files and
modules are absent, and what Python or NumPy have changed. No state.
"""

from __future__ import annotations

import ast
import collections
import csv
import dataclasses
import html
import importlib.util
import io
import json
import os
import pathlib
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from . import before_1_0, coverage, lost_names, python2, restored

RUNS, WITH_OPTIONS, LACKS, UNREADABLE = "runs", "runs with options", "lacks names", "is not Python"
SUFFIXES: Final = (".py", ".ipynb", ".md")

# what a call reads whose first argument names a file
_READERS: Final = frozenset({
    "open", "load", "loadtxt", "genfromtxt", "fromfile", "read_csv", "read_excel", "read_json", "read_pickle", "read_table",
    "imread", "loadmat", "GFile", "FastGFile", "read_file", "TextLineDataset", "TFRecordDataset",
    "FixedLengthRecordDataset", "tf_record_iterator", "string_input_producer", "load_model", "load_weights", "import_meta_graph",
    "restore", "File", "ZipFile",
})  # fmt: skip
_DATA: Final = re.compile(
    r"\.(csv|tsv|txt|dat|data|npy|npz|h5|hdf5|pkl|pickle|mat|json|jpe?g|png|gif|bmp|wav|mp3|gz|zip|tar|tfrecords?|pb|meta|ckpt"
    r"|xlsx?)$",
    re.I,
)


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that a file needs or that has changed. kind: "name", "data", "module", "python" or "numpy"; place: "line 3"."""

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
        if self.verdict == WITH_OPTIONS:
            return f"runs with  {' '.join(self.options)}"
        if self.verdict == LACKS:
            return f"lacks {_count(sum(f.kind == 'name' for f in self.findings), 'name')}"
        return self.verdict


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
            for found in file.findings:
                lines.append(f"    {found.what}  ({found.place})")
                lines.append(f"        {found.advice}")
        return "\n".join(lines).rstrip()

    @property
    def summary(self) -> str:
        """How many files run."""
        counts = collections.Counter(file.verdict for file in self.files)
        told = [
            f"{counts[RUNS]} run as they are", f"{counts[WITH_OPTIONS]} with an option", f"{counts[LACKS]} lack names",
        ]  # fmt: skip
        if counts[UNREADABLE]:
            told.append(f"{counts[UNREADABLE]} cannot be read")
        return f"{self.folder}: {_count(len(self.files), 'file')} with TensorFlow: {', '.join(told)}; {self.others} without."

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
            cells = "".join(
                f"<li><code>{html.escape(found.what)}</code> ({html.escape(found.place)}): {html.escape(found.advice)}</li>"
                for found in file.findings
            )
            details = f"<ul>{cells}</ul>" if cells else ""
            rows.append(
                f'<tr class="{file.verdict.split()[0]}"><th scope="row">{html.escape(file.path)}</th>'
                f"<td>{html.escape(file.summary)}</td><td>{details}</td></tr>"
            )
        return _PAGE.format(title=html.escape(self.summary), rows="\n".join(rows))


_PAGE: Final = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 16px/1.4 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ border-bottom: 1px solid #999; padding: .4em .6em; text-align: left; vertical-align: top; }}
td:nth-child(2) {{ min-width: 9em; }}
th[scope=row] {{ font-weight: normal; font-family: monospace; }}
ul {{ margin: 0; padding-left: 1.2em; }}
tr.lacks td:nth-child(2), tr.is td:nth-child(2) {{ font-weight: bold; }}
</style></head><body>
<h1>{title}</h1>
<table><thead><tr><th scope="col">File</th><th scope="col">Verdict</th><th scope="col">Findings</th></tr></thead>
<tbody>
{rows}
</tbody></table>
</body></html>
"""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# -- reading -------------------------------------------------------------------------------------------------------------


def course(folder: str | os.PathLike[str]) -> Course:
    """The report on all programs, notebooks and texts in a folder and its subfolders, but for hidden ones.

    Raises: NotADirectoryError.
    """
    root = pathlib.Path(folder)
    if not root.is_dir():
        raise NotADirectoryError(f"there is no folder {root}")
    files, others = [], 0
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if path.suffix.lower() not in SUFFIXES or not path.is_file() or any(part.startswith(".") for part in inside.parts):
            continue
        found = _report(path, inside.as_posix(), root)
        if found is None:
            others += 1
        else:
            files.append(found)
    return Course(str(folder), tuple(files), others)


@dataclasses.dataclass(frozen=True)
class _Code:
    """The Python code of a file, and where each of its lines stands there."""

    text: str
    places: tuple[str, ...] = ()

    def place(self, line: int) -> str:
        return self.places[line - 1] if 0 < line <= len(self.places) else f"line {line}"


def _report(path: pathlib.Path, name: str, root: pathlib.Path) -> File | None:
    """The report on a file, None if it does not use TensorFlow."""
    try:
        code = _code(path)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return File(name, UNREADABLE, findings=(Finding("python", path.name, "file", f"It cannot be read: {error}"),))
    if not re.search(r"\b(tensorflow|tfedu)\b", code.text, re.I):
        return None
    options: list[str] = []
    findings: list[Finding] = []
    try:
        tree = ast.parse(code.text)
    except (SyntaxError, ValueError):
        try:
            converted, leftovers = python2.convert(code.text)
            tree = ast.parse(converted)
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            told = getattr(error, "msg", None) or str(error)
            return File(name, UNREADABLE, findings=(Finding("python", path.name, code.place(line), told),))
        options.append("--py2")
        first = leftovers[0] if leftovers else None
        what = first.what if first else "Python 2"
        findings.append(Finding("python", what, code.place(first.line if first else 1), "This file is for Python 2."))
    names, is_old = _names(tree, code)
    findings += names
    findings += [*_of_numpy(tree, code), *_of_modules(tree, code)]
    findings += _modules(tree, code, path, root)
    findings += _data(tree, code, path, root)
    if is_old:
        options.append("--legacy 0.x")
    if any(found.kind == "name" for found in names):
        return File(name, LACKS, tuple(options), tuple(findings))
    return File(name, WITH_OPTIONS if options else RUNS, tuple(options), tuple(findings))


def _code(path: pathlib.Path) -> _Code:
    data = path.read_bytes()
    if path.suffix.lower() == ".py":
        try:
            return _Code(importlib.util.decode_source(data))
        except SyntaxError as error:
            raise ValueError(str(error)) from None
    if path.suffix.lower() == ".ipynb":
        return _joined(_of_notebook(json.loads(data.decode("utf-8"))))
    return _joined(_of_text(data.decode("utf-8", "replace")))


def _joined(lines: Iterable[tuple[str, str]]) -> _Code:
    numbered = list(lines)
    return _Code("\n".join(line for line, _ in numbered) + "\n", tuple([place for _, place in numbered]))


def _of_notebook(notebook: object) -> Iterator[tuple[str, str]]:
    """The lines of all code cells, with "cell 2, line 3"; magics and commands of the shell do nothing."""
    if not isinstance(notebook, dict):
        raise ValueError("a notebook is an object of JSON")
    cells = notebook.get("cells")
    if cells is None:  # notebooks of format 3 have worksheets
        sheets = notebook["worksheets"]
        cells = [cell for sheet in sheets for cell in sheet["cells"]]  # type: ignore[attr-defined]
    number = 0
    for cell in cells:  # type: ignore[attr-defined]
        if cell["cell_type"] != "code":
            continue
        number += 1
        source = cell["source"] if "source" in cell else cell["input"]
        text = source if isinstance(source, str) else "".join(source)
        if text.lstrip().startswith("%%") and not text.lstrip().startswith(("%%time", "%%capture")):
            continue
        for row, line in enumerate(text.splitlines(), 1):
            bare = line.lstrip()
            if bare.startswith(("%", "!", "?")) or bare.rstrip().endswith("?"):
                line = line[: len(line) - len(bare)] + "pass"
            yield line, f"cell {number}, line {row}"


def _of_text(text: str) -> Iterator[tuple[str, str]]:
    """The lines of the blocks of Python code in Markdown."""
    fence, is_python = "", False
    for row, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)\s*([\w.+-]*)", line)
        if mark and not fence:
            fence, is_python = mark.group(1), mark.group(2).lower() in ("python", "py", "python3", "python2")
        elif mark and mark.group(1).startswith(fence) and not mark.group(2):
            fence, is_python = "", False
        elif is_python:
            bare = line.lstrip()
            if bare.startswith((">>> ", "... ")):
                line = bare[4:]
            yield line, f"line {row}"


# -- findings ------------------------------------------------------------------------------------------------------------


def _names(tree: ast.AST, code: _Code) -> tuple[list[Finding], bool]:
    """(the names of TensorFlow that are missing, whether the file is for TensorFlow before 1.0)."""
    found, is_old = [], False
    for name in coverage.names_of(tree):
        if any(name.name == old or name.name.startswith(f"{old}.") for old in before_1_0.OLD_NAMES):
            is_old = True
        elif not name.is_here:
            found.append(Finding("name", name.name, _places(code, name.lines), name.advice))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "concat" and node.args:
            is_old = is_old or (isinstance(node.args[0], ast.Constant) and type(node.args[0].value) is int)
    return found, is_old


def _places(code: _Code, lines: Iterable[int]) -> str:
    places = [code.place(line) for line in lines]
    return ", ".join(places[:3]) + (", …" if len(places) > 3 else "")


def _aliases(tree: ast.AST, module: str) -> set[str]:
    """The names by which a program calls a module."""
    return {
        imported.asname or imported.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for imported in node.names
        if imported.name == module
    }


_RESTORES: Final = "`tfedu run` and %load_ext tfedu bring it back."


def _of_modules(tree: ast.AST, code: _Code) -> list[Finding]:
    """What modules of SciPy, other libraries and Python have lost, and `tfedu run` restores."""
    roots: dict[str, str] = {}  # name in the program -> module
    uses: dict[tuple[str, str], int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                roots[each.asname or each.name.partition(".")[0]] = each.name if each.asname else each.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                roots[each.asname or each.name] = f"{node.module}.{each.name}"
                uses.setdefault((node.module, each.name), node.lineno)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            module = ast.unparse(node.value)
            start, dot, rest = module.partition(".")
            uses.setdefault((f"{roots.get(start, '')}{dot}{rest}", node.attr), node.lineno)
    found = []
    for (module, name), line in uses.items():
        now = lost_names.removed(module, name)
        if now is not None:
            kind = "python" if module in sys.stdlib_module_names else "numpy"
            found.append(Finding(kind, f"{module}.{name}", code.place(line), f"It is {now} today. {_RESTORES}"))
    return found


def _of_numpy(tree: ast.AST, code: _Code) -> list[Finding]:
    """What NumPy has removed, and `tfedu run` restores."""
    roots, found = _aliases(tree, "numpy"), []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in roots:
            now = restored.removed_from_numpy(node.attr)
            if now is not None and node.attr not in vars(np):
                found.append(Finding("numpy", f"np.{node.attr}", code.place(node.lineno), f"It is {now} today. {_RESTORES}"))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in restored.METHODS:
            now = restored.METHODS[node.func.attr][0]
            found.append(Finding("numpy", f".{node.func.attr}()", code.place(node.lineno), f"It is {now} today. {_RESTORES}"))
    return found


def _modules(tree: ast.AST, code: _Code, path: pathlib.Path, root: pathlib.Path) -> list[Finding]:
    """Modules that neither the course nor this Python has."""
    found, seen = [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [imported.name for imported in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        for name in names:
            top = name.partition(".")[0]
            if top in seen or not top or top.lower() == "tensorflow" or top in sys.stdlib_module_names or top in python2.MODULES:
                continue
            seen.add(top)
            if any((folder / f"{top}.py").is_file() or (folder / top).is_dir() for folder in (path.parent, root)):
                continue
            if importlib.util.find_spec(top) is None:
                found.append(Finding("module", top, code.place(node.lineno), "This module is not installed here."))
    return found


def _data(tree: ast.AST, code: _Code, path: pathlib.Path, root: pathlib.Path) -> list[Finding]:
    """Data files that the program reads by a constant name, and that are not there."""
    written = {
        text
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _called(node) == "open" and _mode(node)[:1] in ("w", "a", "x")
        for text in _constants(node.args[:1])
    }
    found, seen = [], set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or _called(node) not in _READERS:
            continue
        for text in _constants(node.args[:1]):
            if text in seen | written or not _DATA.search(text) or "://" in text or any(mark in text for mark in "*%{"):
                continue
            seen.add(text)
            if not any((folder / text).exists() for folder in (path.parent, root)):
                found.append(Finding("data", text, code.place(node.lineno), "This file is not in the course."))
    return found


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _mode(node: ast.Call) -> str:
    modes = [*node.args[1:2], *[word.value for word in node.keywords if word.arg == "mode"]]
    return next((mode.value for mode in modes if isinstance(mode, ast.Constant) and isinstance(mode.value, str)), "r")


def _constants(values: Iterable[ast.expr]) -> Iterator[str]:
    """The texts that an argument is or lists; os.path.join of texts is one."""
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value
        elif isinstance(value, (ast.List, ast.Tuple)):
            yield from _constants(value.elts)
        elif isinstance(value, ast.Call) and _called(value) == "join" and value.args:
            parts = list(_constants(value.args))
            if len(parts) == len(value.args):
                yield "/".join(parts)


__all__ = [
    "Course", "File", "Finding", "before_1_0", "course", "coverage", "lost_names", "python2", "restored",
]  # fmt: skip
