"""Runs a program as Python does, with tfedu as TensorFlow, for `tfedu run` and `tfedu trace`.

`run(program, arguments)` returns the exit status. Errors are printed as Python prints them, without the frames of tfedu's
runner, and followed by hints (`hints.py`). State while a program runs: `sys.argv`, `sys.path[0]`, `sys.modules["__main__"]`.
"""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import pathlib
import sys
import traceback
import types
from collections.abc import Sequence
from typing import Any

from . import finder, hints, python2, restored

# frames that a plain `python program.py` does not show
_OURS = (str(pathlib.Path(__file__)), "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")


def run(program: str, arguments: Sequence[str] = (), py2: bool = False, legacy: str | None = None) -> int:
    """Runs a file with `import tensorflow` meaning tfedu. Returns the exit status.

    py2: as a program for Python 2. legacy: "0.x" for one of TensorFlow before 1.0. Names that NumPy and SciPy have removed are
    there.

    Raises: SystemExit, as the program does.
    """
    finder.install_as_tensorflow(legacy=legacy or True)
    sys.argv = [program, *arguments]
    # Python would put the program's folder first; now the first is the folder in which tfedu was started
    sys.path[:1] = [str(pathlib.Path(program).resolve().parent)]
    sys.meta_path.insert(0, _ProgramFinder(pathlib.Path(program).resolve().parent, py2))
    if py2:
        _install_python2()
    before = sys.modules["__main__"]
    try:
        module = _main_module(program, py2)
        sys.modules["__main__"] = module
        module.__loader__.exec_module(module)  # type: ignore[union-attr]
        _flush()
        return 0
    except KeyboardInterrupt as error:
        _report(error, program, py2)
        return 130
    except Exception as error:
        _report(error, program, py2)
        return 1
    finally:
        sys.modules["__main__"] = before


def _main_module(program: str, py2: bool) -> types.ModuleType:
    loader = (_Python2Loader if py2 else _Loader)("__main__", program)
    spec = importlib.util.spec_from_file_location("__main__", program, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__spec__ = None  # as for a file that Python runs
    return module


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a file of the program from its source each time, writes no compiled copy, and restores removed methods of arrays."""

    def path_stats(self, path: str) -> Any:
        raise OSError("no compiled copy is wanted")

    def source_to_code(self, data: Any, path: str, *, _optimize: int = -1) -> types.CodeType:  # type: ignore[override]
        text = importlib.util.decode_source(data) if isinstance(data, bytes) else data
        return super().source_to_code(restored.tree(self.parsed(text, str(path))), path)  # type: ignore[arg-type]

    def parsed(self, text: str, path: str) -> ast.Module:
        """The program as a tree."""
        return ast.parse(text, path)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__.update(restored.NAMES)
        super().exec_module(module)


class _Python2Loader(_Loader):
    """Loads a file for Python 2, with the built-in functions that Python 3 has removed."""

    def parsed(self, text: str, path: str) -> ast.Module:
        return python2.tree(python2.convert(text)[0], path)

    def exec_module(self, module: types.ModuleType) -> None:
        for name, thing in python2.NAMES.items():
            module.__dict__.setdefault(name, thing)
        super().exec_module(module)


def _install_python2() -> None:
    """Makes attributes of modules available under their old names."""
    for name, attributes in python2.ATTRIBUTES.items():
        module = importlib.import_module(name)
        for attribute, place in attributes.items():
            where, _, what = place.rpartition(".")
            if not hasattr(module, attribute):
                setattr(module, attribute, getattr(importlib.import_module(where), what))


class _ProgramFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules in the program's folder; for Python 2, `import cPickle` and `import TensorFlow`, too."""

    def __init__(self, folder: pathlib.Path, py2: bool) -> None:
        self.folder, self.py2 = folder, py2

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if self.py2 and (fullname in python2.MODULES or fullname.lower() == "tensorflow" != fullname):
            return importlib.machinery.ModuleSpec(fullname, self)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        origin = pathlib.Path(spec.origin) if spec is not None and spec.origin and spec.has_location else None
        if spec is None or origin is None or origin.suffix != ".py" or not origin.resolve().is_relative_to(self.folder):
            return None
        if "site-packages" in origin.parts or fullname.partition(".")[0] == "tfedu":
            return None
        spec.loader = (_Python2Loader if self.py2 else _Loader)(fullname, str(origin))
        return spec

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        sys.modules[name] = importlib.import_module(python2.MODULES.get(name, "tensorflow"))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _report(error: BaseException, program: str, py2: bool) -> None:
    _flush()
    report = traceback.TracebackException.from_exception(error)
    _remove_own_frames(report)
    print("".join(report.format()), end="", file=sys.stderr)
    lines = hints.of(error, program, py2)
    if lines:
        print("\n" + "\n".join(f"tfedu: {line}" for line in lines), file=sys.stderr)


def _remove_own_frames(report: traceback.TracebackException | None, visited: tuple[Any, ...] = ()) -> None:
    if report is None or report in visited:
        return
    frames = [f for f in report.stack if f.filename not in _OURS and "tfedu" + "/cli.py" not in f.filename.replace("\\", "/")]
    report.stack = traceback.StackSummary.from_list(frames)
    for other in (report.__cause__, report.__context__):
        _remove_own_frames(other, (*visited, report))


