"""The repository's files and their syntax trees, for the tests of this folder."""

import ast
import functools
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "tfedu"


@functools.cache
def committed() -> list[pathlib.Path]:
    """Every file of the project that git does not ignore; in a copy without git, all files except those that set-up creates."""
    if not (ROOT / ".git").exists():
        generated = {".venv", "node_modules", "__pycache__", "screenshots"}
        files = (p for p in ROOT.rglob("*") if p.is_file() and not generated & set(p.parts))
        return sorted(p for p in files if not any(part.endswith("_cache") for part in p.parts))
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return sorted(path for name in listed.split("\0") if name and (path := ROOT / name).is_file())


@functools.cache
def trees() -> dict[str, ast.Module]:
    """The syntax tree of each module of the package, by its path below the repository."""
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports(path: str, tree: ast.Module) -> list[tuple[str, int]]:
    """Each module, or name of a module, that this file imports, written absolutely, with its line."""
    package = module_name(path).split(".")
    if not path.endswith("/__init__.py"):
        package = package[:-1]
    modules = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            modules += [(f"{start}.{alias.name}", node.lineno) for alias in node.names]
    return modules
