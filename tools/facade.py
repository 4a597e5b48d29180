"""Keeps `__all__` of the public modules equal to what they import: `python tools/facade.py` rewrites what is stale.

A facade only names what the layers below make; its imports are written by hand, its `__all__` is what they bring.
"""

import ast
import pathlib
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]


def facades():
    """The public modules that have an `__all__` and define nothing themselves, or little."""
    files = sorted((ROOT / "tfedu").rglob("*.py"))
    return [p for p in files if is_facade(p) and "\n__all__ = [" in p.read_text(encoding="utf-8")]


def is_facade(path):
    inside = path.relative_to(ROOT / "tfedu").parts
    return inside[0] not in ("engine", "view", "widgets", "explain", "exercises", "publishing")


def public_names(source):
    """What a module's top level imports from the package or assigns, without what begins with an underscore."""
    names = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
    return sorted(name for name in names if not name.startswith("_") or name == "__version__")


def with_fresh_list(source):
    """The module's text with its `__all__` made anew."""
    head, _, rest = source.partition("\n__all__ = [")
    _, _, tail = rest.partition("]")
    tail = tail.removeprefix("  # fmt: skip")
    listed = ", ".join(f'"{name}"' for name in public_names(source))
    body = textwrap.fill(listed + ",", 106, initial_indent="    ", subsequent_indent="    ", break_long_words=False)
    return f"{head}\n__all__ = [\n{body}\n]  # fmt: skip{tail}"


def main():
    for path in facades():
        source = path.read_text(encoding="utf-8")
        fresh = with_fresh_list(source)
        if fresh != source:
            path.write_text(fresh, encoding="utf-8")
            print(f"{path.relative_to(ROOT)}: __all__ is fresh")


if __name__ == "__main__":
    main()
