"""Hints for errors of a program: syntax and names of Python 2, names that TensorFlow has elsewhere, downloads. No state."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import traceback
import urllib.error
from collections.abc import Callable

from . import missing, python2

MAX_HINTS = 8

# built-in names of Python 2 -> what Python 3 has
NAMES = {
    "apply": "f(*args, **kwargs)", "basestring": "str", "cmp": "(x > y) - (x < y)", "execfile": "runpy.run_path(file)",
    "file": "open", "long": "int", "raw_input": "input", "reduce": "functools.reduce", "reload": "importlib.reload",
    "unichr": "chr", "unicode": "str", "xrange": "range", "intern": "sys.intern", "buffer": "memoryview",
}  # fmt: skip
METHODS = {
    "iteritems": "items()", "iterkeys": "keys()", "itervalues": "values()", "has_key": "key in d", "viewitems": "items()",
    "next": "next(iterator)", "izip": "zip", "imap": "map", "ifilter": "filter", "izip_longest": "itertools.zip_longest",
    "maxint": "sys.maxsize", "letters": "string.ascii_letters", "lowercase": "string.ascii_lowercase",
    "uppercase": "string.ascii_uppercase", "maketrans": "str.maketrans", "getcwdu": "os.getcwd",
    "urlretrieve": "urllib.request.urlretrieve", "urlencode": "urllib.parse.urlencode", "urlopen": "urllib.request.urlopen",
    "sort": "sorted(…)", "clock": "time.perf_counter",
}  # fmt: skip
_OWNERS = ("dict", "dict_keys", "dict_items", "dict_values", "generator", "itertools", "sys", "string", "os", "urllib", "map",
           "filter", "zip", "range", "time", "iterator", "reader")  # fmt: skip


def of(error: BaseException, program: str, py2: bool = False) -> list[str]:
    """Lines that explain an error, if its cause is known. py2: the program already ran as one for Python 2."""
    for kind, explain in _EXPLAIN.items():
        if isinstance(error, kind):
            lines = explain(error, program)
            if lines and not py2 and _is_python2(lines):
                lines.append(f"This program is for Python 2.  tfedu run --py2 {program}  runs it as it is.")
            return lines
    return []


def _is_python2(lines: list[str]) -> bool:
    return any("Python 3" in line or "Python 2" in line or "tabs" in line for line in lines)


def _syntax(error: SyntaxError, program: str) -> list[str]:
    path = pathlib.Path(error.filename or program)
    if not path.is_file():
        return []
    try:
        source = importlib.util.decode_source(path.read_bytes())
    except (UnicodeDecodeError, SyntaxError):
        return []
    _, leftovers = python2.convert(source)
    lines = [f"line {left.line}: {left.what}, write {left.fix}" for left in leftovers[:MAX_HINTS]]
    return lines + ([f"… and {len(leftovers) - MAX_HINTS} more."] if len(leftovers) > MAX_HINTS else [])


def _name(error: NameError, program: str) -> list[str]:
    name = getattr(error, "name", None)
    if name in NAMES:
        return [f"{name} is not in Python 3: write {NAMES[name]}"]
    return []


def _import(error: ImportError, program: str) -> list[str]:
    name = error.name or ""
    if name.lower() == "tensorflow" != name:
        return [f"`import {name}`: the name is tensorflow, in small letters (Python 2's old file systems took both)"]
    if name.startswith("tensorflow.models"):
        return [_before_1_0(program)]
    if name in python2.MODULES:
        return [f"the module {name} is {python2.MODULES[name]} in Python 3"]
    match = re.match(r"cannot import name '(\w+)' from '([\w.]+)'", str(error))
    if match and match.group(2).partition(".")[0] in ("tfedu", "tensorflow"):
        path = re.sub(r"^tfedu", "tensorflow", f"{match.group(2)}.{match.group(1)}")
        reason = missing.of_path(path)
        return [reason] if reason else []
    return []


def _attribute(error: AttributeError, program: str) -> list[str]:
    match = re.search(r"(?:module )?'(\w+)'(?: object)? has no attribute '(\w+)'", str(error))
    if match and match.group(2) in METHODS and match.group(1) in _OWNERS:
        return [f"{match.group(1)}.{match.group(2)} is not in Python 3: write {METHODS[match.group(2)]}"]
    return [_before_1_0(program)] if re.search(r"was renamed [\w.]+ in TensorFlow 1\.0", str(error)) else []


def _value(error: ValueError, program: str) -> list[str]:
    return [_before_1_0(program)] if re.search(r"Only call `\w+` with named arguments", str(error)) else []


def _before_1_0(program: str) -> str:
    return f"This program is for TensorFlow before 1.0.  tfedu run --legacy 0.x {program}  runs it as it is."


_TYPES = {
    r"'(dict_keys|dict_values|dict_items|map|filter|zip)' object is not subscriptable":
        "in Python 3 it gives one thing after the other and is no list: write list(…)[i]",
    r"object of type '(map|filter|zip)' has no len": "in Python 3 it is no list: write len(list(…))",
    r"'float' object cannot be interpreted as an integer": "in Python 3, `/` divides exactly: write // for whole numbers",
    r"slice indices must be integers": "in Python 3, `/` divides exactly: write // for whole numbers",
    r"unsupported operand type\(s\) for \+: 'range' and": "in Python 3 a range is no list: write list(range(…)) + …",
    r"'range' object does not support item assignment": "in Python 3 a range is no list: write list(range(…))",
    r"a bytes-like object is required, not 'str'":
        "Python 3 keeps text and bytes apart: open the file as 'w', or write text.encode()",
    r"write\(\) argument must be str, not bytes": "Python 3 keeps text and bytes apart: open the file with mode 'wb'",
}  # fmt: skip


def _type(error: TypeError, program: str) -> list[str]:
    return [hint for pattern, hint in _TYPES.items() if re.search(pattern, str(error))]


def _download(error: urllib.error.URLError, program: str) -> list[str]:
    lines = ["The program downloads a file, and cannot. Put the file where the program looks for it."]
    files = {pathlib.Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)} | {pathlib.Path(program)}
    if any(b"train-images-idx3-ubyte" in file.read_bytes() for file in files if file.is_file()):
        lines.append("The file is one of MNIST's.  tfedu mnist FOLDER  writes digits that tfedu draws as such files.")
    return lines


_EXPLAIN: dict[type[BaseException], Callable[..., list[str]]] = {
    SyntaxError: _syntax,
    NameError: _name,
    ImportError: _import,
    AttributeError: _attribute,
    TypeError: _type,
    ValueError: _value,
    urllib.error.URLError: _download,
}
