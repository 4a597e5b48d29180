"""`install_as_tensorflow()`: from then on `import tensorflow as tf` imports tfedu, by the table in `aliases.py`.

An import finder answers for `tensorflow` and all below it, before Python looks into folders; what is installed under that
name is neither loaded nor changed. State: `_finder`, the finder while it is installed; `_aside`, what a forced
installation put aside; `_modules`, the modules that stand for TensorFlow's own.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Sequence
from typing import Any

from . import aliases, missing

_modules: dict[str, Alias] = {}
_aside: dict[str, types.ModuleType] = {}


class Alias(types.ModuleType):
    """A module of TensorFlow whose names are somewhere in tfedu, or not made yet: attribute access tells."""

    stands_in = True

    def __init__(self, path: str) -> None:
        super().__init__(path, f"What tfedu has of {path}.")
        self.__path__: list[str] = []  # a package: the finder is asked for what is below it

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'", name=name)
        path = f"{self.__name__}.{name}"
        for place in aliases.places(path):
            has, found = missing.resolve(place)
            if has:
                return found
        if is_module(path):
            return alias(path)
        said = missing.of_path(aliases.plain(path))
        raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'" + (f": {said}" if said else ""), name=name)

    def __dir__(self) -> list[str]:
        row = aliases.rows().get(aliases.plain(self.__name__))
        spaces = [missing.resolve(space) for space in (row.spaces if row else ())]
        names = {name for has, found in spaces if has for name in dir(found) if not name.startswith("_")}
        return sorted({*super().__dir__(), *names, *(row.names if row else ())})


def alias(path: str) -> Alias:
    """The module that stands for a path."""
    if path not in _modules:
        _modules[path] = Alias(path)
    return _modules[path]


def is_module(path: str) -> bool:
    """Whether TensorFlow 1.15 has a module at a path, or the table has a row for it."""
    path = aliases.plain(path)
    return path in aliases.rows() or path in missing.modules() or "tf" + path.removeprefix("tensorflow") in missing.namespaces()


def module(path: str) -> types.ModuleType | None:
    """tfedu's own module for a path of TensorFlow, else one that stands for it; None where TensorFlow has no such module."""
    if not is_module(path):
        return None
    for place in aliases.places(path) if aliases.plain(path) not in aliases.rows() else []:
        has, found = missing.resolve(place)
        if has and isinstance(found, types.ModuleType):
            return found
    return alias(path)


# `tf.contrib.slim`, `tf.python.ops.nn`: without an import of their own
contrib, core, examples, python = (alias(f"tensorflow.{name}") for name in ("contrib", "core", "examples", "python"))


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `tensorflow` and all below it. A module that is there already takes the place of the one that is loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        top = fullname.partition(".")[0]
        if top == "tfedu":
            return self._beside(fullname, path)
        if top not in ("tensorflow", "tensorflow_core"):
            return None
        if module(fullname) is not None:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        said = missing.of_path(aliases.plain(fullname))
        if said is not None:
            raise ImportError(f"cannot import '{fullname}': {said}", name=fullname)
        # not None: Python would look into tfedu's own folder for what is below `tensorflow`
        raise ModuleNotFoundError(f"No module named '{fullname}'", name=fullname)

    def _beside(self, fullname: str, path: Sequence[str] | None) -> importlib.machinery.ModuleSpec | None:
        """`from tensorflow import keras` asks for tfedu.keras: what tfedu has not is looked up as TensorFlow's."""
        if importlib.machinery.PathFinder.find_spec(fullname, path) is not None:
            return None
        as_tensorflow = "tensorflow" + fullname.removeprefix("tfedu")
        if is_module(as_tensorflow):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        said = missing.of_path(as_tensorflow)
        if said is not None:
            raise ImportError(f"cannot import '{fullname}': {said}", name=fullname)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module_: types.ModuleType) -> None:
        name = module_.__spec__.name if module_.__spec__ else module_.__name__
        if name.partition(".")[0] == "tfedu":
            name_there = "tensorflow" + name.removeprefix("tfedu")
            found: types.ModuleType = alias(name_there)
        else:
            there = module(name)
            if there is None:
                raise ImportError(f"cannot import '{name}'", name=name)
            found = there
        if not hasattr(found, "__path__"):
            # so that `from tensorflow.nn import conv2d` asks the finder, which says why there is none
            found.__path__ = []
        sys.modules[module_.__spec__.name if module_.__spec__ else name] = found


_finder = _Finder()


def is_installed() -> bool:
    """Whether `import tensorflow` imports tfedu."""
    return _finder in sys.meta_path


def install_as_tensorflow(force: bool = False) -> None:
    """Lets `import tensorflow` import tfedu, in this process, until `uninstall_as_tensorflow`.

    An installed TensorFlow stays as it is. force: puts aside one that this process has imported already; what was
    imported from it before goes on to work with it.

    Raises: RuntimeError where TensorFlow itself is imported and not forced aside.
    """
    if is_installed():
        return
    theirs = {name: m for name, m in sys.modules.items() if name.partition(".")[0] in ("tensorflow", "tensorflow_core")}
    if theirs and not force:
        where = getattr(theirs.get("tensorflow"), "__file__", None)
        raise RuntimeError(
            "TensorFlow itself is imported already"
            + (f", from {where}" if where else "")
            + ". Call tfedu.install_as_tensorflow() before the first `import tensorflow`, "
            "or with force=True to use tfedu from here on."
        )
    for name, theirs_module in theirs.items():
        _aside[name] = theirs_module
        del sys.modules[name]
    sys.meta_path.insert(0, _finder)
    importlib.invalidate_caches()


def uninstall_as_tensorflow() -> None:
    """Undoes `install_as_tensorflow`: `import tensorflow` finds again what is installed under that name."""
    if not is_installed():
        return
    sys.meta_path.remove(_finder)
    for name in [n for n in sys.modules if n.partition(".")[0] in ("tensorflow", "tensorflow_core")]:
        del sys.modules[name]
    sys.modules.update(_aside)
    _aside.clear()
