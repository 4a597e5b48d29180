"""`tfedu.coverage("program.py")`: which names of TensorFlow a program needs, which of them tfedu has, what to do about the rest.

The program is read, not run. Without one, all public names of TensorFlow 1.15 are counted by area. No state.
"""

from __future__ import annotations

import ast
import collections
import dataclasses
import importlib.util
import inspect
import os
import pathlib
import types
from typing import Any

from . import aliases, finder, missing, python2
from .renames import renamed


@dataclasses.dataclass(frozen=True)
class Name:
    """A name of TensorFlow: whether it is here, to which area it belongs, the lines that use it, and what to say of it."""

    name: str
    is_here: bool
    area: str | None = None
    lines: tuple[int, ...] = ()
    said: str = ""


@dataclasses.dataclass(frozen=True)
class Coverage:
    """What was looked for, in the order of the first use."""

    names: tuple[Name, ...]
    program: str | None = None

    @property
    def here(self) -> tuple[Name, ...]:
        return tuple(name for name in self.names if name.is_here)

    @property
    def missing(self) -> tuple[Name, ...]:
        return tuple(name for name in self.names if not name.is_here)

    def __str__(self) -> str:
        return _of_program(self) if self.program is not None else _of_all(self)


def coverage(program: str | os.PathLike[str] | None = None, show: bool = True) -> Coverage:
    """What a program needs of TensorFlow, or all of 1.15, and what of it is here. show: also prints it.

    Raises: OSError, SyntaxError where the program can be read neither as Python 3 nor as Python 2.
    """
    found = _everything() if program is None else _needs(pathlib.Path(program))
    if show:
        print(found)
    return found


def is_here(name: str) -> bool:
    """Whether tfedu has a name, "tf.nn.relu" or "tf.python.ops.nn.relu". What is there only to refuse is not."""
    has, thing = _thing("tensorflow" + name.removeprefix("tf"))
    return has and not _refuses(thing)


def _thing(path: str) -> tuple[bool, Any]:
    """Whether there is something at a path of TensorFlow, and what. A module that only stands in counts if it leads somewhere."""
    for place in aliases.places(path):
        has, thing = missing.resolve(place)
        if has:
            return True, thing
    plain = aliases.plain(path)
    row = aliases.rows().get(plain)
    if row is not None:
        leads = [missing.resolve(place) for place in (*row.spaces, *row.names.values())]
        if any(has for has, _ in leads):
            return True, finder.alias(plain)
    return False, None


def _refuses(thing: Any) -> bool:
    """Whether a function is there only to say why it cannot be: it is declared never to return."""
    returned = getattr(thing, "__annotations__", {}).get("return") if inspect.isfunction(thing) else None
    return returned == "NoReturn"


# -- all of TensorFlow 1.15 --


def _everything() -> Coverage:
    return Coverage(tuple(Name(name, is_here(name), area) for name, area in missing.areas().items()))


def _of_all(found: Coverage) -> str:
    areas: dict[str, list[Name]] = collections.defaultdict(list)
    for name in found.names:
        areas[str(name.area)].append(name)
    lines = [f"TensorFlow 1.15 has {len(found.names)} public names; {len(found.here)} of them are here.", ""]
    for area, names in sorted(areas.items(), key=lambda item: -sum(n.is_here for n in item[1]) / len(item[1])):
        lines.append(f"{sum(n.is_here for n in names):5} of {len(names):4}  {area}")
        if area in missing.MADE:
            lines += [f"               not here: {name.name}" for name in names if not name.is_here]
    return "\n".join(lines)


# -- one program --


def _needs(program: pathlib.Path) -> Coverage:
    source = importlib.util.decode_source(program.read_bytes())
    try:
        tree = ast.parse(source, str(program))
    except SyntaxError:
        tree = ast.parse(python2.convert(source)[0], str(program))
    reader = _Reader()
    reader.visit(tree)
    names = []
    for path, lines in reader.uses.items():
        name = "tf" + path.removeprefix("tensorflow")
        here = is_here(name)
        names.append(Name(name, here, _area(path), tuple(sorted(lines)), "" if here else _said(path)))
    return Coverage(tuple(names), str(program))


def _of_program(found: Coverage) -> str:
    lines = [f"{found.program} needs {len(found.names)} names of TensorFlow; {len(found.here)} of them are here."]
    if found.missing:
        lines.append("")
    for name in found.missing:
        at = ", ".join(map(str, name.lines[:5])) + (", …" if len(name.lines) > 5 else "")
        lines.append(f"  {name.name}  (line {at})")
        lines.append(f"      {name.said}")
    return "\n".join(lines)


def _area(path: str) -> str | None:
    for place in aliases.places(path):
        area = missing.area_of(place)
        if area is not None:
            return area
    return None


def _said(path: str) -> str:
    has, thing = _thing(path)
    if has and _refuses(thing):
        return "tfedu has it only to say why it cannot be."
    return missing.of_path(aliases.plain(path)) or "TensorFlow 1.15 has no such public name."


class _Reader(ast.NodeVisitor):
    """Finds what a program takes from TensorFlow: chains of attributes that begin at an imported name."""

    def __init__(self) -> None:
        self.roots: dict[str, str] = {}
        self.uses: dict[str, set[int]] = {}

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
                whole = aliases.plain(f"{path}.{imported.name}")
                self.roots[imported.asname or imported.name] = whole
                if whole != "tensorflow":
                    self.use(whole, node.lineno)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        path = self.path_of(node.value)
        # slim = tf.contrib.slim
        if path is not None and (finder.is_module(path) or isinstance(_thing(path)[1], types.ModuleType)):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.roots[target.id] = path

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
    """A chain up to the name that TensorFlow defines: `tf.app.flags.FLAGS.steps` is a use of `tf.app.flags.FLAGS`."""
    parts = path.split(".")
    for end in range(2, len(parts) + 1):
        start = ".".join(parts[:end])
        if finder.is_module(start):
            continue
        if renamed("tf" + start.removeprefix("tensorflow")):
            return start
        has, thing = _thing(start)
        inside = isinstance(thing, type | types.ModuleType) or (not has and parts[end - 1][:1].isupper())
        if not inside:
            return start
        if has and end < len(parts) and not hasattr(thing, parts[end]) and not isinstance(thing, types.ModuleType):
            return start
    return path
