"""`tfedu coverage --course FOLDER`: what of a course runs here, file by file: the report that a teacher reads before a term.

It reads programs (.py), notebooks (.ipynb) and the Python code in texts (.md); nothing is run. For each file it tells whether
tfedu has all that the file names, as it is or with which option, which names of TensorFlow are missing, which data files and
modules are absent, and what Python or NumPy have changed. No state.
"""

from __future__ import annotations

import ast
import collections
import copy
import dataclasses
import importlib.util
import json
import os
import pathlib
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from . import before_1_0, cached_data, coverage, lost_names, python2, restored
from .course_report import LACKS, RUNS, UNREADABLE, WITH_OPTIONS, Course, File, Finding

SUFFIXES: Final = (".py", ".ipynb", ".md")

# what a call reads whose first argument names a file
_READERS: Final = frozenset({
    "open", "load", "loadtxt", "genfromtxt", "fromfile", "read_csv", "read_excel", "read_json", "read_pickle", "read_table",
    "imread", "loadmat", "GFile", "FastGFile", "read_file", "TextLineDataset", "TFRecordDataset",
    "FixedLengthRecordDataset", "tf_record_iterator", "string_input_producer", "load_model", "load_weights", "import_meta_graph",
    "restore", "File", "ZipFile",
})  # fmt: skip
# what a call writes that names a file in one of its arguments, and what it may add to the name
_WRITERS: Final = frozenset({
    "ModelCheckpoint", "TFRecordWriter", "export_meta_graph", "imsave", "imwrite", "plot_model", "save", "save_img",
    "save_weights", "savefig", "savemat", "savetxt", "savez", "savez_compressed", "to_csv", "to_excel", "to_pickle", "tofile",
    "urlretrieve", "write_file", "write_graph",
})  # fmt: skip
_ADDED: Final = ("", ".npy", ".npz", ".meta")
_DATA: Final = re.compile(
    r"\.(csv|tsv|txt|dat|data|npy|npz|h5|hdf5|pkl|pickle|mat|json|jpe?g|png|gif|bmp|wav|mp3|gz|zip|tar|tfrecords?|pb|meta|ckpt"
    r"|xlsx?)$",
    re.I,
)


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
    names = _names(tree, code)
    findings += names
    findings += [*_of_numpy(tree, code), *_of_modules(tree, code)]
    findings += _modules(tree, code, path, root)
    findings += _data(tree, code, path, root)
    if any(found.kind == "old" for found in names):
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


# TensorFlow 1.0 changed the order of these functions' arguments, so 1.15 refuses a call that gives them by position
_BY_NAME: Final = {
    f"tensorflow.nn.{kind}_cross_entropy_with_logits" for kind in ("softmax", "sparse_softmax", "sigmoid")
}  # fmt: skip
_AXIS_FIRST: Final = {"tensorflow.concat", "tensorflow.split"}


def _names(tree: ast.AST, code: _Code) -> list[Finding]:
    """The names of TensorFlow that are missing, and what 1.0 changed, which --legacy 0.x understands."""
    found, old = [], []
    for name in coverage.names_of(tree):
        now = next((new for was, new in before_1_0.OLD_NAMES.items() if f"{name.name}.".startswith(f"{was}.")), None)
        if now is not None:
            old.append(Finding("old", name.name, _places(code, name.lines), f"It is {now} since TensorFlow 1.0."))
        elif not name.is_here:
            found.append(Finding("name", name.name, _places(code, name.lines), name.advice))
    for path, call in coverage.calls_of(tree):
        is_old = path in _BY_NAME if call.args else False
        if path in _AXIS_FIRST and call.args:
            is_old = isinstance(call.args[0], ast.Constant) and type(call.args[0].value) is int
        if is_old:
            what = "tf" + path.removeprefix("tensorflow")
            advice = "Its arguments have another order since TensorFlow 1.0."
            old.append(Finding("old", f"{what}(…)", code.place(call.lineno), advice))
    return found + list(dict.fromkeys(old))


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
    roots = _aliases(tree, "numpy")
    found: dict[tuple[str, str], int] = {}  # (what it was, what it is now) -> the line of its first use
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in roots:
            now = restored.removed_from_numpy(node.attr)
            if now is not None and node.attr not in vars(np):
                found.setdefault((f"np.{node.attr}", now), node.lineno)
        elif isinstance(node, ast.Call):
            for what in restored.changed_in_call(node, roots):
                found.setdefault(what, node.lineno)
    return [Finding("numpy", was, code.place(line), f"It is {now} today. {_RESTORES}") for (was, now), line in found.items()]


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
    """Data files that the program reads by a constant name, and that are not there; those of Keras in Keras' cache folder."""
    tree = _Constants(tree).visit(copy.deepcopy(tree))
    written = {
        f"{text}{added}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for text in _constants(_written(node))
        for added in _ADDED
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
    for what, line, advice in cached_data.absent(coverage.calls_of(tree)):
        if what not in seen:
            seen.add(what)
            found.append(Finding("data", what, code.place(line), advice))
    return found


class _Constants(ast.NodeTransformer):
    """Replaces the names that a program gives one text, once, by this text: DATA = "a.csv"; open(DATA)."""

    def __init__(self, tree: ast.AST) -> None:
        stored = collections.Counter(
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        )
        stored.update(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg))
        self.texts = {
            target.id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            for target in node.targets
            if isinstance(target, ast.Name) and stored[target.id] == 1
        }

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self.texts:
            return ast.copy_location(ast.Constant(self.texts[node.id].value), node)
        return node


def _written(node: ast.Call) -> list[ast.expr]:
    """The arguments of a call that may name files which it writes."""
    if _called(node) in _WRITERS:
        return [*node.args, *[word.value for word in node.keywords]]
    return node.args[:1] if _called(node) == "open" and _mode(node)[:1] in ("w", "a", "x") else []


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
    "Course", "File", "Finding", "LACKS", "RUNS", "UNREADABLE", "WITH_OPTIONS", "before_1_0",
    "cached_data", "course", "coverage", "lost_names", "python2", "restored",
]  # fmt: skip
