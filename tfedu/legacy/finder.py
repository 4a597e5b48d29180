"""`install_as_tensorflow()` makes `import tensorflow as tf` import tfedu, by the table in `aliases.py`.

An import finder handles `tensorflow` and its submodules before Python searches folders; an installed TensorFlow is neither
loaded nor changed. State: `_finder` while it is in sys.meta_path; `_removed_modules`, TensorFlow's own modules that a forced
installation has removed; `_modules`, the aliases of TensorFlow's modules.
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

from . import aliases, before_1_0, missing, restored

_modules: dict[str, Alias] = {}
_removed_modules: dict[str, types.ModuleType] = {}


class Alias(types.ModuleType):
    """A module of TensorFlow whose names are elsewhere in tfedu, or missing: attribute access looks them up."""

    is_alias = True

    def __init__(self, path: str) -> None:
        super().__init__(path, f"The names of {path} that tfedu has.")
        self.__path__: list[str] = []  # makes it a package: Python asks the finder for submodules

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":  # for `from … import *`
            return self._names()
        if name.startswith("__"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'", name=name)
        path = f"{self.__name__}.{name}"
        # tensorflow.python.ops.variable_scope is a module, not the class of tf; contrib shows functions of the modules' names
        plain = aliases.plain(path)
        is_row = plain.startswith("tensorflow.python.") and plain in aliases.rows()
        for place in aliases.places(path):
            has, value = missing.resolve(place)
            if has and (isinstance(value, types.ModuleType) or not is_row):
                return value
        if is_module(path):
            return alias(path)
        reason = missing.of_path(plain)
        text = f"module '{self.__name__}' has no attribute '{name}'" + (f": {reason}" if reason else "")
        raise AttributeError(text, name=name)

    def _names(self) -> list[str]:
        """The public names that its row of the table leads to, and that are there."""
        row = aliases.rows().get(aliases.plain(self.__name__))
        if row is None:
            return []
        spaces = [missing.resolve(space) for space in row.spaces]
        names = {name for has, space in spaces if has for name in _public_names(space)}
        names |= {name for name, place in row.names.items() if missing.resolve(place)[0]}
        return sorted(name for name in names if not name.startswith("_"))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._names()})


def _public_names(space: Any) -> list[str]:
    """What `from space import *` is meant to bring: without a list of its own, what the module defines itself."""
    own = getattr(space, "__all__", None)
    if own is None:
        own = [name for name, value in vars(space).items() if getattr(value, "__module__", None) == space.__name__]
    return list(own)


def alias(path: str) -> Alias:
    """The Alias of a path."""
    if path not in _modules:
        _modules[path] = Alias(path)
    return _modules[path]


def is_module(path: str) -> bool:
    """Whether TensorFlow 1.15 has a module at a path, or the table has a row for it."""
    path = aliases.plain(path)
    return path in aliases.rows() or path in missing.modules() or "tf" + path.removeprefix("tensorflow") in missing.namespaces()


def module(path: str) -> types.ModuleType | None:
    """tfedu's own module for a path of TensorFlow, else an Alias; None if TensorFlow has no such module."""
    old = "tf" + path.removeprefix("tensorflow")
    if _finder.is_before_1_0 and old in before_1_0.SPACES:
        return before_1_0.module(old)
    if not is_module(path):
        return None
    plain = aliases.plain(path)
    for place in aliases.places(path) if plain not in aliases.rows() else []:
        has, value = missing.resolve(place)
        # An import of a submodule sets an attribute of the module above it: a private path must not change a public namespace.
        if has and isinstance(value, types.ModuleType) and value.__name__ == "tfedu" + plain.removeprefix("tensorflow"):
            return value
    return alias(path)


# for `tf.contrib.slim` and `tf.python.ops.nn` without an import of their own
contrib, core, examples, python = (alias(f"tensorflow.{name}") for name in ("contrib", "core", "examples", "python"))


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `tensorflow` and its submodules; loading replaces the new module by an existing one."""

    is_before_1_0 = False  # whether names and arguments are those of TensorFlow before 1.0

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        top = fullname.partition(".")[0]
        if top == "tfedu":
            return self._tfedu_spec(fullname, path)
        if top not in ("tensorflow", "tensorflow_core"):
            return None
        if module(fullname) is not None:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        reason = missing.of_path(aliases.plain(fullname))
        if reason is not None:
            raise ImportError(f"cannot import '{fullname}': {reason}", name=fullname)
        # returning None would make Python search tfedu's own folder for submodules of `tensorflow`
        raise ModuleNotFoundError(f"No module named '{fullname}'", name=fullname)

    def _tfedu_spec(self, fullname: str, path: Sequence[str] | None) -> importlib.machinery.ModuleSpec | None:
        """The spec of tfedu.keras, as TensorFlow's, if tfedu has no such module: `from tensorflow import keras` asks for it."""
        if importlib.machinery.PathFinder.find_spec(fullname, path) is not None:
            return None
        as_tensorflow = "tensorflow" + fullname.removeprefix("tfedu")
        if is_module(as_tensorflow):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        reason = missing.of_path(as_tensorflow)
        if reason is not None:
            raise ImportError(f"cannot import '{fullname}': {reason}", name=fullname)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module_: types.ModuleType) -> None:
        name = module_.__spec__.name if module_.__spec__ else module_.__name__
        if name.partition(".")[0] == "tfedu":
            existing: types.ModuleType | None = alias("tensorflow" + name.removeprefix("tfedu"))
        else:
            existing = module(name)
        if existing is None:
            raise ImportError(f"cannot import '{name}'", name=name)
        if not hasattr(existing, "__path__"):
            # makes `from tensorflow.nn import conv2d` ask the finder, which explains missing names
            existing.__path__ = []
        sys.modules[module_.__spec__.name if module_.__spec__ else name] = existing


_finder = _Finder()


def is_installed() -> bool:
    """Whether `import tensorflow` imports tfedu."""
    return _finder in sys.meta_path


def install_as_tensorflow(force: bool = False, legacy: bool | str = False) -> None:
    """Makes `import tensorflow` import tfedu, in this process, until `uninstall_as_tensorflow`.

    An installed TensorFlow is not changed. force: removes one that this process has imported from sys.modules; existing
    references to it remain valid. legacy: True restores names that NumPy and SciPy have removed since (`restored.py`); "0.x"
    besides gives TensorFlow the names and the order of arguments that it had before 1.0 (`before_1_0.py`).
    Raises: RuntimeError when TensorFlow itself is imported, unless `force`; ValueError for another legacy.
    """
    if legacy not in (False, True, "0.x"):
        raise ValueError(f"legacy must be False, True or '0.x', not {legacy!r}")
    if legacy:
        restored.restore()
    if is_installed():
        if legacy == "0.x" and not _finder.is_before_1_0:
            raise RuntimeError("tfedu is installed as tensorflow already: call tfedu.uninstall_as_tensorflow() first")
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
        _removed_modules[name] = theirs_module
        del sys.modules[name]
    _finder.is_before_1_0 = legacy == "0.x"
    sys.meta_path.insert(0, _finder)
    importlib.invalidate_caches()


def uninstall_as_tensorflow() -> None:
    """Undoes `install_as_tensorflow`: `import tensorflow` finds an installed TensorFlow again."""
    if not is_installed():
        return
    restored.remove()
    _finder.is_before_1_0 = False
    sys.meta_path.remove(_finder)
    for name in [n for n in sys.modules if n.partition(".")[0] in ("tensorflow", "tensorflow_core")]:
        del sys.modules[name]
    sys.modules.update(_removed_modules)
    _removed_modules.clear()
