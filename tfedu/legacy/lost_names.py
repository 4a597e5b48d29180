"""Names that SciPy, scikit-learn, Pillow and Python have lost, and where they are today: scipy.misc.imread, time.clock.

`restore()` lets imports find them, in this process: a finder before all others gives a module that has lost names a
`__getattr__`, and makes the modules that are gone. `remove()` undoes it. Each name is told once. State: the modules changed.
"""

from __future__ import annotations

import collections
import importlib
import importlib.abc
import importlib.machinery
import inspect
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from .before_1_0 import tell

# -- the images of scipy.misc -----------------------------------------------------------------------------------------------


def _to_bytes(array: Any) -> Any:
    """The array stretched to 0 to 255, uint8."""
    array = np.asarray(array)
    if array.dtype == np.uint8:
        return array
    low, high = array.min(), array.max()
    scale = 255.0 / ((high - low) or 1)
    return (np.clip((array - low) * scale, 0, 255) + 0.5).astype(np.uint8)


def _image_module() -> Any:
    try:
        return importlib.import_module("PIL.Image")
    except ImportError as missing:
        raise ImportError('Pictures need Pillow; this installs it: pip install "tfedu[images]"', name=missing.name) from missing


def _toimage(array: Any, mode: str | None = None, **_: Any) -> Any:
    array = np.asarray(array)
    if mode == "F":
        return _image_module().fromarray(array.astype(np.float32))
    if array.ndim == 3 and array.shape[2] not in (3, 4) and array.shape[0] in (3, 4):
        array = np.moveaxis(array, 0, 2)
    image = _image_module().fromarray(_to_bytes(array))
    return image.convert(mode) if mode else image


def _fromimage(image: Any, flatten: bool = False, mode: str | None = None) -> Any:
    if mode is not None:
        image = image.convert(mode)
    elif image.mode == "P":
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    if flatten:
        image = image.convert("F")
    elif image.mode == "1":
        image = image.convert("L")
    return np.array(image)


def _imread(name: Any, flatten: bool = False, mode: str | None = None) -> Any:
    return _fromimage(_image_module().open(name), flatten, mode)


def _imsave(name: Any, arr: Any, format: str | None = None) -> None:
    _toimage(arr).save(name, format)


def _imresize(arr: Any, size: Any, interp: str = "bilinear", mode: str | None = None) -> Any:
    image = _toimage(arr, mode)
    if isinstance(size, (float, np.floating)):
        wanted = tuple((np.array(image.size) * size).astype(int))
    elif isinstance(size, (int, np.integer)):
        wanted = tuple((np.array(image.size) * size / 100.0).astype(int))
    else:
        wanted = (size[1], size[0])
    how = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "cubic": 3}[interp]
    return _fromimage(image.resize(tuple(map(int, wanted)), resample=how))


def _imrotate(arr: Any, angle: float, interp: str = "bilinear") -> Any:
    how = {"nearest": 0, "bilinear": 2, "bicubic": 3, "cubic": 3}[interp]
    return _fromimage(_toimage(arr).rotate(angle, resample=how))


# -- which names are where -----------------------------------------------------------------------------------------------

_Found = tuple[str, Callable[[], Any]]  # what a name is today, as Python code, and the value


def _is(now: str, function: Any) -> _Found:
    return now, lambda: function


def _moved(module: str, name: str) -> _Found:
    return f"{module}.{name}", lambda: getattr(importlib.import_module(module), name)


_WINDOWS = (
    "barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine exponential flattop gaussian general_gaussian "
    "hamming hann kaiser nuttall parzen triang tukey"
)
_CONTAINERS = (
    "Awaitable Callable Container Coroutine Generator Hashable ItemsView Iterable Iterator KeysView Mapping MappingView "
    "MutableMapping MutableSequence MutableSet Sequence Set Sized ValuesView"
)


def _arguments(function: Any) -> Any:
    """`inspect.getargspec`."""
    told = inspect.getfullargspec(function)
    kind = collections.namedtuple("ArgSpec", "args varargs keywords defaults")
    return kind(told.args, told.varargs, told.varkw, told.defaults)


# module -> its lost names
LOST: Final[Mapping[str, Mapping[str, _Found]]] = {
    "PIL.Image": {"ANTIALIAS": _moved("PIL.Image", "LANCZOS")},
    "collections": {name: _moved("collections.abc", name) for name in _CONTAINERS.split()},
    "fractions": {"gcd": _moved("math", "gcd")},
    "inspect": {"getargspec": _is("inspect.getfullargspec", _arguments)},
    "scipy.integrate": {
        "cumtrapz": _moved("scipy.integrate", "cumulative_trapezoid"),
        "simps": _moved("scipy.integrate", "simpson"),
        "trapz": _moved("scipy.integrate", "trapezoid"),
    },
    "scipy.linalg": {"pinv2": _moved("scipy.linalg", "pinv")},
    "scipy.misc": {
        "bytescale": _is("a product with NumPy", _to_bytes),
        "comb": _moved("scipy.special", "comb"),
        "factorial": _moved("scipy.special", "factorial"),
        "fromimage": _is("np.array(image)", _fromimage),
        "imread": _is("PIL.Image.open, imageio or matplotlib.image.imread", _imread),
        "imresize": _is("PIL.Image.Image.resize", _imresize),
        "imrotate": _is("PIL.Image.Image.rotate", _imrotate),
        "imsave": _is("PIL.Image.Image.save", _imsave),
        "logsumexp": _moved("scipy.special", "logsumexp"),
        "toimage": _is("PIL.Image.fromarray", _toimage),
    },
    "scipy.signal": {name: _moved("scipy.signal.windows", name) for name in _WINDOWS.split()},
    **{f"sklearn.{old}": {} for old in ("cross_validation", "grid_search", "learning_curve")},
    "sklearn.externals.joblib": {},
    "time": {"clock": _moved("time", "perf_counter")},
}
# modules that are gone -> the module that has all their names
_GONE: Final[Mapping[str, str]] = {
    **{f"sklearn.{old}": "sklearn.model_selection" for old in ("cross_validation", "grid_search", "learning_curve")},
    "sklearn.externals.joblib": "joblib",
}
_LIBRARIES: Final = {"PIL": "Pillow", "scipy": "SciPy", "sklearn": "scikit-learn"}


def removed(module: str, name: str) -> str | None:
    """What a lost name is today, as Python code; None for other names."""
    if module in _GONE:
        return f"{_GONE[module]}.{name}"
    found = LOST.get(module, {}).get(name)
    return found and found[0]


def _lost(module: types.ModuleType, own: Any, name: str) -> Any:
    path = module.__name__
    library = _LIBRARIES.get(path.partition(".")[0], "Python")
    if name in LOST[path]:
        now, value = LOST[path][name]
        tell(f"{path}.{name}", f"{library} has removed {path}.{name}; today it is {now}.")
        return value()
    if path in _GONE and not name.startswith("__"):
        value = getattr(importlib.import_module(_GONE[path]), name)
        tell(path, f"{library} has removed {path}; it is {_GONE[path]}.")
        return value
    if own is not None:
        return own(name)
    raise AttributeError(f"module '{path}' has no attribute '{name}'", name=name)


# -- there and away ------------------------------------------------------------------------------------------------------


_changed: dict[str, tuple[types.ModuleType, Any]] = {}  # the modules with our __getattr__, and their own


def _change(module: types.ModuleType) -> None:
    own = vars(module).get("__getattr__")
    _changed[module.__name__] = module, own
    module.__getattr__ = lambda name: _lost(module, own, name)  # type: ignore[method-assign]


class _Loader(importlib.abc.Loader):
    """Loads a module as its own loader does, None for a module that is gone, and then changes it."""

    def __init__(self, own: Any) -> None:
        self._own = own

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        return None if self._own is None else self._own.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: types.ModuleType) -> None:
        if self._own is not None:
            module.__loader__ = self._own
            self._own.exec_module(module)
        _change(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in LOST:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None:
            is_gone = fullname in _GONE or fullname == "scipy.misc"
            return importlib.machinery.ModuleSpec(fullname, _Loader(None)) if is_gone else None
        spec.loader = _Loader(spec.loader)
        return spec


_finder: Final = _Finder()


def _present() -> Iterator[types.ModuleType]:
    for name in LOST:
        if name in sys.modules:
            yield sys.modules[name]


def restore() -> None:
    """Brings the names back, in this process."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
        for module in _present():
            _change(module)


def remove() -> None:
    """Undoes `restore`."""
    if _finder not in sys.meta_path:
        return
    sys.meta_path.remove(_finder)
    for name, (module, own) in _changed.items():
        if isinstance(getattr(module, "__loader__", None), _Loader):  # there was none
            sys.modules.pop(name, None)
        elif own is None:
            del module.__getattr__
        else:
            module.__getattr__ = own  # type: ignore[method-assign]
    _changed.clear()


__all__ = [
    "remove", "removed", "restore", "tell",
]  # fmt: skip
