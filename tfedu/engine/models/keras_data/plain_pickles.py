"""Pickled lists, dicts, numbers, texts and arrays as data: `read(content)`. No code of the file runs.

A pickle is a program for a stack. This reader knows those of its words that make plain values, and of the names that a pickle
may call only NumPy's own for an array and a dtype; it builds these itself. Anything else is refused. State: a `_Machine`'s stack
and memo, of one read.
"""

from __future__ import annotations

import pickletools
import re
from typing import Any, NamedTuple

import numpy as np

MAX_BYTES = 1 << 30

_ARRAYS = ("numpy.core.multiarray", "numpy._core.multiarray")
_NAMES = {
    **{(module, name): name for module in _ARRAYS for name in ("_reconstruct", "scalar")},
    ("numpy", "ndarray"): "ndarray",
    ("numpy", "dtype"): "dtype",
    ("_codecs", "encode"): "encode",
}
_VALUES = frozenset({
    "BININT", "BININT1", "BININT2", "INT", "LONG", "LONG1", "LONG4", "BINFLOAT", "FLOAT", "BINUNICODE", "SHORT_BINUNICODE",
    "BINUNICODE8", "UNICODE", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BINSTRING", "SHORT_BINSTRING", "STRING",
})  # fmt: skip
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_TUPLES = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


class _Name(NamedTuple):
    """One of the names that a pickle may call."""

    name: str


class _Made:
    """An array or dtype that is not yet told what it holds. value: what it is once it is told."""

    def __init__(self, value: Any = None) -> None:
        self.value = value


class _Mark:
    """Where the items of a list, tuple or dict begin on the stack."""


_MARK = _Mark()
# In place of a list whose items are not all done.
_OPEN = _Mark()


def read(content: bytes) -> Any:
    """The value of a pickle.

    Raises: ValueError for a pickle that is damaged, or holds anything but plain values and arrays.
    """
    machine = _Machine()
    try:
        for opcode, argument, _ in pickletools.genops(content):
            machine.take(opcode.name, argument)
        return _plain(machine.stack.pop(), {})
    except (LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"the pickle is damaged: {error}") from None


class _Machine:
    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def take(self, word: str, argument: Any) -> None:
        """Does what one word of the pickle says."""
        stack = self.stack
        if word in _VALUES:
            stack.append(argument)
        elif word in _CONSTANTS:
            stack.append(_CONSTANTS[word])
        elif word in ("PROTO", "FRAME", "STOP"):
            pass
        elif word == "MARK":
            stack.append(_MARK)
        elif word in ("EMPTY_LIST", "EMPTY_DICT"):
            stack.append([] if word == "EMPTY_LIST" else {})
        elif word in _TUPLES:
            count = _TUPLES[word]
            made = tuple(stack[len(stack) - count :])
            del stack[len(stack) - count :]
            stack.append(made)
        elif word in ("TUPLE", "LIST", "DICT"):
            items = self._items()
            stack.append({"TUPLE": tuple, "LIST": list, "DICT": _pairs}[word](items))
        elif word in ("APPEND", "APPENDS"):
            items = [stack.pop()] if word == "APPEND" else self._items()
            stack[-1].extend(items)
        elif word in ("SETITEM", "SETITEMS"):
            items = [stack.pop(-2), stack.pop()] if word == "SETITEM" else self._items()
            stack[-1].update(_pairs(items))
        elif word in ("BINPUT", "LONG_BINPUT", "PUT"):
            self.memo[int(argument)] = stack[-1]
        elif word == "MEMOIZE":
            self.memo[len(self.memo)] = stack[-1]
        elif word in ("BINGET", "LONG_BINGET", "GET"):
            stack.append(self.memo[int(argument)])
        elif word in ("GLOBAL", "STACK_GLOBAL"):
            module, name = argument.split(" ") if word == "GLOBAL" else (stack.pop(-2), stack.pop())
            if (module, name) not in _NAMES:
                raise ValueError(f"it calls {module}.{name}, which is code")
            stack.append(_Name(_NAMES[module, name]))
        elif word == "REDUCE":
            arguments, called = stack.pop(), stack.pop()
            stack.append(_called(called.name, arguments))
        elif word == "BUILD":
            state = stack.pop()
            _tell(stack[-1], state)
        else:
            raise ValueError(f"it holds more than plain values and arrays: {word}")

    def _items(self) -> list[Any]:
        at = max(index for index, value in enumerate(self.stack) if value is _MARK)
        items = self.stack[at + 1 :]
        del self.stack[at:]
        return items


def _pairs(items: list[Any]) -> dict[Any, Any]:
    return dict(zip(items[::2], items[1::2]))


def _called(name: str, arguments: Any) -> Any:
    if name == "encode":  # how Python 3 writes bytes for Python 2
        if arguments[1] != "latin1":
            raise ValueError(f"it encodes a text as {arguments[1]}")
        return arguments[0].encode("latin1")
    if name == "dtype":
        return _Made(_dtype(_text(arguments[0])))
    if name == "_reconstruct":
        return _Made()
    if name == "scalar":
        return np.frombuffer(_bytes(arguments[1]), arguments[0].value, 1)[0]
    raise ValueError(f"it calls numpy.{name}, which is code")


def _dtype(text: str) -> np.dtype[Any]:
    if re.fullmatch(r"[<>|=]?[?biufcSUO]\d{0,9}", text) is None:
        raise ValueError(f"it holds an array of {text[:40]}")
    return np.dtype(text)


def _tell(made: Any, state: Any) -> None:
    """Tells an array or a dtype what it holds."""
    if isinstance(made.value, np.dtype):  # (version, byte order, …)
        if state[1] is not None and _text(state[1]) in "<>":
            made.value = made.value.newbyteorder(_text(state[1]))
        return
    _, shape, kind, is_fortran, content = state
    order = "F" if is_fortran else "C"
    if kind.value.hasobject:
        made.value = np.empty(len(content), object)
        for index, value in enumerate(content):
            made.value[index] = _plain(value, {})
        made.value = made.value.reshape(shape, order=order)
    else:
        made.value = np.frombuffer(_bytes(content), kind.value).reshape(shape, order=order).copy(order)


def _plain(value: Any, plain: dict[int, Any]) -> Any:
    """The value with its arrays in their places; plain: the lists, dicts and tuples that are done, by identity."""
    if isinstance(value, _Made):
        return value.value
    if isinstance(value, (_Name, _Mark)):
        raise ValueError("it holds code, and no values alone")
    if not isinstance(value, (list, dict, tuple)):
        return value
    key = id(value)
    if key not in plain:
        plain[key] = _OPEN
        if isinstance(value, dict):
            plain[key] = {name: _plain(one, plain) for name, one in value.items()}
        else:
            plain[key] = type(value)([_plain(one, plain) for one in value])
    if plain[key] is _OPEN:
        raise ValueError("it holds itself")
    return plain[key]


def _bytes(value: Any) -> bytes:
    return value.encode("latin1") if isinstance(value, str) else bytes(value)


def _text(value: Any) -> str:
    return value.decode("ascii") if isinstance(value, bytes) else str(value)


__all__ = ["MAX_BYTES", "read"]
