"""`tf.flags`: the options of a program on the command line, by absl-py, whose API this is.

    tf.flags.DEFINE_integer("steps", 100, "how many steps to train")
    tf.flags.FLAGS.steps

Reading a flag before `tf.app.run` parses `sys.argv`, as in TF 1.15. Differs from TF: in a notebook, whose `sys.argv` is
the kernel's own (`-f kernel.json`), that parse takes none of it, so that no dummy flag "f" has to be defined.
State: the flags themselves, in absl's `FLAGS`.
"""

from __future__ import annotations

import functools as _functools
import pathlib as _pathlib
import sys as _sys
from typing import Any as _Any

try:
    from absl import flags as _absl
except ModuleNotFoundError as e:
    raise ModuleNotFoundError("tf.flags and tf.app need the package absl-py:  pip install absl-py", name=e.name) from None

from .engine.base import log as _log

_SHARED = (
    "ArgumentParser", "ArgumentSerializer", "BaseListParser", "BooleanFlag", "BooleanParser", "CantOpenFlagFileError",
    "CsvListSerializer", "DEFINE", "DEFINE_alias", "DEFINE_enum", "DEFINE_enum_class", "DEFINE_flag", "DEFINE_list",
    "DEFINE_multi", "DEFINE_multi_enum", "DEFINE_multi_enum_class", "DEFINE_multi_float", "DEFINE_multi_integer",
    "DEFINE_multi_string", "DEFINE_spaceseplist", "DuplicateFlagError", "EnumClassFlag", "EnumClassListSerializer",
    "EnumClassParser", "EnumClassSerializer", "EnumFlag", "EnumParser", "Error", "Flag", "FlagHolder",
    "FlagNameConflictsWithMethodError", "FlagValues", "FloatParser", "IllegalFlagValueError", "IntegerParser",
    "ListParser", "ListSerializer", "MultiEnumClassFlag", "MultiFlag", "UnparsedFlagAccessError",
    "UnrecognizedFlagError", "ValidationError", "WhitespaceSeparatedListParser", "adopt_module_key_flags",
    "declare_key_flag", "disclaim_key_flags", "doc_to_help", "flag_dict_to_args", "get_help_width",
    "mark_bool_flags_as_mutual_exclusive", "mark_flag_as_required", "mark_flags_as_mutual_exclusive",
    "mark_flags_as_required", "multi_flags_validator", "register_multi_flags_validator", "register_validator",
    "text_wrap", "validator",
)  # fmt: skip
globals().update({name: getattr(_absl, name) for name in _SHARED})

# the program's module, not this one, is where a flag is defined
_absl.disclaim_key_flags()

_OLD_NAMES = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def _with_old_names(define: _Any) -> _Any:
    """A DEFINE function that also takes the parameter names of TensorFlow before 1.5."""

    @_functools.wraps(define)
    def defining(*args: _Any, **kwargs: _Any) -> _Any:
        if _OLD_NAMES.keys() & kwargs.keys():
            _log.warn(
                "Use of the keyword argument names (flag_name, default_value, docstring) is deprecated, "
                "please use (name, default, help) instead."
            )
            kwargs = {_OLD_NAMES.get(name, name): value for name, value in kwargs.items()}
        return define(*args, **kwargs)

    return defining


DEFINE_string = _with_old_names(_absl.DEFINE_string)
DEFINE_boolean = _with_old_names(_absl.DEFINE_boolean)
DEFINE_bool = DEFINE_boolean
DEFINE_float = _with_old_names(_absl.DEFINE_float)
DEFINE_integer = _with_old_names(_absl.DEFINE_integer)


class _Flags:
    """absl's FLAGS, which parses the command line by itself when a flag is read before."""

    def __init__(self, values: _absl.FlagValues) -> None:
        self.__dict__["_values"] = values

    def __getattr__(self, name: str) -> _Any:
        values = self.__dict__["_values"]
        # a method of absl's is not a flag: asking for `FLAGS.flag_values_dict` parses nothing
        if name in values and not values.is_parsed():
            values(_command_line())
        return getattr(values, name)

    def __setattr__(self, name: str, value: _Any) -> None:
        setattr(self.__dict__["_values"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__dict__["_values"], name)

    def __getitem__(self, name: str) -> _Any:
        return self.__dict__["_values"][name]

    def __setitem__(self, name: str, flag: _Any) -> None:
        self.__dict__["_values"][name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self.__dict__["_values"]

    def __iter__(self) -> _Any:
        return iter(self.__dict__["_values"])

    def __len__(self) -> int:
        return len(self.__dict__["_values"])

    def __dir__(self) -> list[str]:
        return sorted(dir(self.__dict__["_values"]))

    def __str__(self) -> str:
        return str(self.__dict__["_values"])

    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any:
        return self.__dict__["_values"](*args, **kwargs)


def _command_line() -> list[str]:
    """What `FLAGS` parses by itself: `sys.argv`, of which nothing belongs to the program in a notebook's kernel."""
    is_kernel = _pathlib.PurePath(_sys.argv[0]).name in ("ipykernel_launcher.py", "colab_kernel_launcher.py")
    return _sys.argv[:1] if is_kernel else _sys.argv


FLAGS = _Flags(_absl.FLAGS)

_OWN = ("DEFINE_bool", "DEFINE_boolean", "DEFINE_float", "DEFINE_integer", "DEFINE_string", "FLAGS")
__all__ = sorted({*_SHARED, *_OWN})
