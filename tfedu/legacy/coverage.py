"""`tfedu.coverage("program.py")`: the names of TensorFlow that a program needs, those that tfedu lacks, and advice on these.

The program is parsed, not run. Without a program, counts all public names of TensorFlow 1.15 by area. No state.
"""

from __future__ import annotations

import ast
import collections
import dataclasses
import importlib.util
import inspect
import os
import pathlib
import re
import types
from typing import Any

from . import aliases, finder, missing, python2
from .renames import BEFORE_1_0, renamed


@dataclasses.dataclass(frozen=True)
class Name:
    """A name of TensorFlow: whether tfedu has it, its area, the lines that use it, and advice if it is missing."""

    name: str
    is_here: bool
    area: str | None = None
    lines: tuple[int, ...] = ()
    advice: str = ""


@dataclasses.dataclass(frozen=True)
class Coverage:
    """The names that a program needs, in the order of their first use, or all names."""

    names: tuple[Name, ...]
    program: str | None = None

    @property
    def here(self) -> tuple[Name, ...]:
        return tuple(name for name in self.names if name.is_here)

    @property
    def missing(self) -> tuple[Name, ...]:
        return tuple(name for name in self.names if not name.is_here)

    def __str__(self) -> str:
        return _program_text(self) if self.program is not None else _all_text(self)


def coverage(program: str | os.PathLike[str] | None = None, show: bool = True) -> Coverage:
    """The names of TensorFlow that a program needs, or all of 1.15, and whether tfedu has them. show: also prints them.

    Raises: OSError; SyntaxError for a program that is neither Python 3 nor Python 2.
    """
    result = _all_names() if program is None else _names_of_program(pathlib.Path(program))
    if show:
        print(result)
    return result


def is_here(name: str) -> bool:
    """Whether tfedu has a name, "tf.nn.relu" or "tf.python.ops.nn.relu"; functions that only raise do not count."""
    has, value = _resolve("tensorflow" + name.removeprefix("tf"))
    return has and not _only_raises(value)


def _resolve(path: str) -> tuple[bool, Any]:
    """(whether tfedu has an object at a path of TensorFlow, the object); an Alias counts if one of its namespaces exists."""
    for place in aliases.places(path):
        has, value = missing.resolve(place)
        if has:
            return True, value
    plain = aliases.plain(path)
    row = aliases.rows().get(plain)
    if row is not None:
        if any(missing.resolve(place)[0] for place in (*row.spaces, *row.names.values())):
            return True, finder.alias(plain)
    return False, None


def _only_raises(value: Any) -> bool:
    """Whether a function only raises an error: its return type is NoReturn."""
    return inspect.isfunction(value) and value.__annotations__.get("return") == "NoReturn"


# -- all of TensorFlow 1.15 --


def _all_names() -> Coverage:
    return Coverage(tuple(Name(name, is_here(name), area) for name, area in missing.areas().items()))


def _all_text(result: Coverage) -> str:
    areas: dict[str, list[Name]] = collections.defaultdict(list)
    for name in result.names:
        areas[str(name.area)].append(name)
    lines = [f"TensorFlow 1.15 has {len(result.names)} public names; {len(result.here)} of them are here.", ""]
    for area, names in sorted(areas.items(), key=lambda item: -sum(n.is_here for n in item[1]) / len(item[1])):
        lines.append(f"{sum(n.is_here for n in names):5} of {len(names):4}  {area}")
        if area in missing.COMPLETE:
            lines += [f"               not here: {name.name}" for name in names if not name.is_here]
    return "\n".join(lines)


# -- one program --


def _names_of_program(program: pathlib.Path) -> Coverage:
    source = importlib.util.decode_source(program.read_bytes())
    try:
        tree = ast.parse(source, str(program))
    except SyntaxError:
        tree = ast.parse(python2.convert(source)[0], str(program))
    return Coverage(names_of(tree), str(program))


def names_of(tree: ast.AST) -> tuple[Name, ...]:
    """The names of TensorFlow that a parsed program uses, in the order of their first use."""
    reader = _Reader()
    reader.visit(tree)
    names = []
    for path, lines in reader.uses.items():
        name = "tf" + path.removeprefix("tensorflow")
        here = is_here(name)
        names.append(Name(name, here, _area(path), tuple(sorted(lines)), "" if here else _advice(path)))
    return tuple(names)


def calls_of(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    """(the path of TensorFlow, the call) of each call of a name of TensorFlow: "tensorflow.keras.utils.get_file"."""
    reader = _Reader()
    reader.visit(tree)
    return reader.calls


def _program_text(result: Coverage) -> str:
    lines = [f"{result.program} needs {len(result.names)} names of TensorFlow; {len(result.here)} of them are here."]
    if result.missing:
        lines.append("")
    for name in result.missing:
        at = ", ".join(map(str, name.lines[:5])) + (", …" if len(name.lines) > 5 else "")
        lines.append(f"  {name.name}  (line {at})")
        lines.append(f"      {name.advice}")
    if any("in TensorFlow 1.0" in name.advice for name in result.missing):
        lines += ["", f"Names from before TensorFlow 1.0:  tfedu run --legacy 0.x {result.program}  runs it as it is."]
    return "\n".join(lines)


def _area(path: str) -> str | None:
    for place in aliases.places(path):
        area = missing.area_of(place)
        if area is not None:
            return area
    return None


def _advice(path: str) -> str:
    has, value = _resolve(path)
    if has and _only_raises(value):
        reason = re.split("always: |, for ", (value.__doc__ or "").partition("\n")[0])[-1]
        return f"tfedu has it only to raise an error: {reason}"
    return missing.of_path(aliases.plain(path)) or "TensorFlow 1.15 has no such public name."


class _Reader(ast.NodeVisitor):
    """Collects the names of TensorFlow that a program uses: chains of attributes that begin at an imported name."""

    def __init__(self) -> None:
        self.roots: dict[str, str] = {}
        self.uses: dict[str, set[int]] = {}
        self.calls: list[tuple[str, ast.Call]] = []

    def visit_Import(self, node: ast.Import) -> None:
        for imported in node.names:
            path = _tensorflow(imported.name)
            if path is None:
                continue
            if imported.asname:
                self.roots[imported.asname] = path
            else:
                self.roots[imported.name.partition(".")[0]] = "tensorflow"
            if path != "tensorflow":
                self.use(path, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        path = _tensorflow(node.module or "") if not node.level else None
        if path is None:
            return
        for imported in node.names:
            if imported.name != "*":
                full_path = aliases.plain(f"{path}.{imported.name}")
                self.roots[imported.asname or imported.name] = full_path
                if full_path != "tensorflow":
                    self.use(full_path, node.lineno)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        path = self.path_of(node.value)
        # slim = tf.contrib.slim
        if path is not None and (finder.is_module(path) or isinstance(_resolve(path)[1], types.ModuleType)):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.roots[target.id] = path

    def visit_Call(self, node: ast.Call) -> None:
        path = self.path_of(node.func)
        if path is not None:
            self.calls.append((path, node))
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        path = self.path_of(node)
        if path is None:
            self.generic_visit(node)
        else:
            self.use(path, node.lineno)

    def path_of(self, node: ast.expr) -> str | None:
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.roots:
            return None
        return aliases.plain(".".join([self.roots[node.id], *reversed(parts)]))

    def use(self, path: str, line: int) -> None:
        self.uses.setdefault(_public_part(path), set()).add(line)


def _tensorflow(module: str) -> str | None:
    top, dot, rest = module.partition(".")
    if top.lower() in ("tensorflow", "tensorflow_core", "tfedu"):
        return aliases.plain(f"tensorflow{dot}{rest}")
    return None


def _public_part(path: str) -> str:
    """The chain up to the name that TensorFlow defines: `tf.app.flags.FLAGS.steps` uses `tf.app.flags.FLAGS`."""
    parts = path.split(".")
    for end in range(2, len(parts) + 1):
        start = ".".join(parts[:end])
        if finder.is_module(start) or any(old.startswith(f"tf{start.removeprefix('tensorflow')}.") for old in BEFORE_1_0):
            continue
        if renamed("tf" + start.removeprefix("tensorflow")):
            return start
        has, value = _resolve(start)
        has_members = isinstance(value, type | types.ModuleType) or (not has and parts[end - 1][:1].isupper())
        if not has_members:
            return start
        if has and end < len(parts) and not hasattr(value, parts[end]) and not isinstance(value, types.ModuleType):
            return start
    return path
