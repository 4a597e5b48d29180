"""Names that NumPy, SciPy and scikit-learn had when programs of TensorFlow 1.x were written, and have removed since.

`restore()` brings them back in this process, `remove()` undoes it: attributes of numpy by a hook before its own `__getattr__`,
those of SciPy and scikit-learn by `lost_names.py`. Methods of arrays cannot come back, nor can keywords, nor arrays of one
element that count as numbers: `tree` rewrites a program's source, `a.tostring()`, `np.reshape(a, newshape=…)`, `"%d" % a` and
`float(a)`. Each name is told once, on the standard error. Printed numbers have the form of NumPy 1, 0.5 for np.float32(0.5).
State: NumPy's own hook and its print form while ours are there.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, Final

import numpy as np

from . import lost_names
from .before_1_0 import tell

# -- numpy ---------------------------------------------------------------------------------------------------------------


def _asfarray(a: Any, dtype: Any = np.float64) -> Any:
    return np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)


# attribute of numpy -> what it is now, as Python code; the value follows
_NOW: Final[Mapping[str, tuple[str, Any]]] = {
    **{name: (name, getattr(builtins, name)) for name in ("bool", "complex", "float", "int", "object", "str")},
    **{
        old: (f"np.{now}", getattr(np, now))
        for old, now in (
            ("bool8", "bool_"), ("bytes0", "bytes_"), ("clongfloat", "clongdouble"), ("int0", "intp"),
            ("longcomplex", "clongdouble"), ("longfloat", "longdouble"), ("object0", "object_"), ("str0", "str_"),
            ("uint0", "uintp"), ("void0", "void"),
        )
    },
    "long": ("int", int),
    "unicode": ("str", str),
    "Inf": ("np.inf", np.inf),
    "Infinity": ("np.inf", np.inf),
    "infty": ("np.inf", np.inf),
    "PINF": ("np.inf", np.inf),
    "NINF": ("-np.inf", -np.inf),
    "NaN": ("np.nan", np.nan),
    "NAN": ("np.nan", np.nan),
    "PZERO": ("0.0", 0.0),
    "NZERO": ("-0.0", -0.0),
    "float_": ("np.float64", np.float64),
    "complex_": ("np.complex128", np.complex128),
    "cfloat": ("np.complex128", np.complex128),
    "singlecomplex": ("np.complex64", np.complex64),
    "string_": ("np.bytes_", np.bytes_),
    "unicode_": ("np.str_", np.str_),
    "product": ("np.prod", np.prod),
    "cumproduct": ("np.cumprod", np.cumprod),
    "alltrue": ("np.all", np.all),
    "sometrue": ("np.any", np.any),
    "in1d": ("np.isin", lambda a, b, *more, **options: np.isin(np.ravel(a), b, *more, **options)),
    "row_stack": ("np.vstack", np.vstack),
    "trapz": ("np.trapezoid", np.trapezoid),
    "round_": ("np.round", np.round),
    "msort": ("np.sort(a, axis=0)", lambda a: np.sort(a, axis=0)),
    "asfarray": ("np.asarray(a, float)", _asfarray),
    "asscalar": ("a.item()", lambda a: a.item()),
    "rank": ("np.ndim", np.ndim),
    "safe_eval": ("ast.literal_eval", ast.literal_eval),
    "mat": ("np.asmatrix", np.asmatrix),
    "disp": ("print", lambda mesg, device=None, linefeed=True: print(mesg, file=device, end="\n" if linefeed else "")),
    "find_common_type": ("np.result_type", lambda arrays, scalars: np.result_type(*arrays, *scalars)),
    "issubclass_": ("issubclass", lambda kind, other: isinstance(kind, type) and issubclass(kind, other)),
    "obj2sctype": ("np.dtype(obj).type", lambda rep, default=None: np.dtype(rep).type),
    "sctype2char": ("np.dtype(sctype).char", lambda sctype: np.dtype(sctype).char),
    "math": ("math", math),
}


def removed_from_numpy(name: str) -> str | None:
    """What an old attribute of numpy is now, as Python code; None for other names."""
    return _NOW[name][0] if name in _NOW else None


_FORM: Final = "1.21"  # of printed numbers and dtypes: that of NumPy 1.16 to 1.21, with which TensorFlow 1.x ran
_own_hook: list[Any] = []
_own_form: list[Any] = []


def _attribute(name: str) -> Any:
    if name in _NOW:
        now, value = _NOW[name]
        tell(f"np.{name}", f"NumPy has removed np.{name}; it is {now}.")
        return value
    return _own_hook[0](name)


# -- what a program is rewritten to ---------------------------------------------------------------------------------------


def _tostring(array: Any, *args: Any) -> Any:
    return array.tobytes(*args) if isinstance(array, (np.ndarray, np.generic)) else array.tostring(*args)


def _ptp(array: Any, *args: Any, **options: Any) -> Any:
    return np.ptp(array, *args, **options) if isinstance(array, (np.ndarray, np.generic)) else array.ptp(*args, **options)


def _itemset(array: Any, *args: Any) -> None:
    if not isinstance(array, np.ndarray):
        array.itemset(*args)
    elif len(args) == 1:
        array[()] = args[0]
    elif isinstance(args[0], tuple):
        array[args[0]] = args[1]
    else:
        array.flat[args[0]] = args[1]


def _newbyteorder(array: Any, *args: Any) -> Any:
    return array.view(array.dtype.newbyteorder(*args)) if isinstance(array, np.ndarray) else array.newbyteorder(*args)


# method -> (what it is now, the function that a call becomes)
METHODS: Final[Mapping[str, tuple[str, Callable[..., Any]]]] = {
    "newbyteorder": ("a.view(a.dtype.newbyteorder(order))", _newbyteorder),
    "itemset": ("a[index] = value", _itemset),
    "ptp": ("np.ptp(a)", _ptp),
    "tostring": ("a.tobytes()", _tostring),
}


def _method(name: str) -> Callable[..., Any]:
    """The function that replaces calls of a method which NumPy has removed; it logs the change once if the object is an array."""
    now, function = METHODS[name]

    def called(array: Any, *args: Any, **options: Any) -> Any:
        if isinstance(array, (np.ndarray, np.generic)):
            tell(f".{name}", f"NumPy has removed the arrays' {name}; it is {now}.")
        return function(array, *args, **options)

    return called


def _plain(value: Any) -> Any:
    """An array of one element as a number; everything else as it is."""
    if isinstance(value, np.ndarray) and value.ndim and value.size == 1:
        tell("one element", "NumPy no longer takes an array of one element for a number; it is a.item().")
        return value.item()
    return value


def _format(template: Any, values: Any) -> Any:
    """`template % values`."""
    if isinstance(template, (str, bytes)):
        fields = values if isinstance(values, tuple) else (values,)
        try:
            return template % values
        except TypeError:  # %s shows an array of one element as an array, other fields as a number
            values = tuple([_plain(value) for value in fields])
    return template % values


def _number(kind: Any, value: Any) -> Any:
    """`kind(value)` for int, float and complex."""
    return kind(_plain(value))


def _fromstring(function: Any, *args: Any, **options: Any) -> Any:
    """`np.fromstring(…)`: of bytes, NumPy has kept np.frombuffer only; elsewhere the function as it is."""
    if function is not np.fromstring or len(args) > 3 or options.get("sep"):
        return function(*args, **options)
    tell("np.fromstring", "np.fromstring no longer reads bytes; it is np.frombuffer(text, dtype).copy().")
    read = dict(zip(("string", "dtype", "count"), args, strict=False)) | options
    data = read["string"].encode("latin-1") if isinstance(read["string"], str) else read["string"]
    return np.frombuffer(data, read.get("dtype", float), read.get("count", -1)).copy()


def _array(function: Any, *args: Any, **options: Any) -> Any:
    """`np.array(…)` and `np.asarray(…)`: without a copy where that is possible, and rows of several lengths as objects."""
    if function is np.array and options.get("copy") is False:
        tell("np.array copy", "np.array(copy=False) fails today where it has to copy; it is np.asarray(…).")
        options["copy"] = None
    try:
        return function(*args, **options)
    except ValueError as error:
        if function not in (np.array, np.asarray) or "inhomogeneous" not in str(error) or len(args) != 1 or "dtype" in options:
            raise
        tell("inhomogeneous", "NumPy no longer makes arrays of rows of several lengths; it is np.array(rows, dtype=object).")
        return function(*args, dtype=object, **options)


def _sizes(function: Any, *args: Any) -> Any:
    """`stream.read(n)` and `a.reshape(n, …)`: sizes that are arrays of one element, as numbers."""
    return function(*map(_plain, args))


def _shown(function: Any, *values: Any, **options: Any) -> Any:
    """Calls `print`; logs once that numbers in a list, a tuple or a dict are printed as NumPy 1 printed them."""
    if function is print and _own_form and any(map(_holds_numbers, values)):
        tell("numbers in lists", "NumPy prints a number in a list as np.float32(0.5) today; here it is 0.5, as in NumPy 1.")
        if np.get_printoptions()["legacy"] is False:  # a thread begins with NumPy's own form
            np.set_printoptions(legacy=_FORM)
    return function(*values, **options)


def _holds_numbers(value: Any) -> bool:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return any(isinstance(each, np.generic) for each in members)


# abstract type -> the dtype that NumPy took it for
_ABSTRACT: Final[Mapping[Any, Any]] = {
    np.integer: np.int_,
    np.signedinteger: np.int_,
    np.unsignedinteger: np.uint,
    np.floating: np.float64,
    np.inexact: np.float64,
    np.number: np.float64,
    np.complexfloating: np.complex128,
    np.character: np.bytes_,
}
_ABSTRACT_NAMES: Final = {each.__name__ for each in _ABSTRACT}


def _dtype(given: Any) -> Any:
    """`dtype=np.integer` as `dtype=np.int_`."""
    if isinstance(given, type) and given in _ABSTRACT:
        now = _ABSTRACT[given]
        tell(f"dtype np.{given.__name__}", f"NumPy no longer takes np.{given.__name__} for a dtype; it is np.{now.__name__}.")
        return now
    return given


# (the last name of a function, a keyword that it had) -> the keyword today
_KEYWORDS: Final[Mapping[tuple[str, str], str]] = {("reshape", "newshape"): "shape", ("TSNE", "n_iter"): "max_iter"}


def _keywords(function: Any, *args: Any, **options: Any) -> Any:
    """A call with old keywords, as those that the function takes today."""
    taken = inspect.signature(function).parameters
    for (name, old), new in _KEYWORDS.items():
        if old in options and old not in taken and new in taken:
            tell(f"{name} {old}", f"{name} no longer takes {old}=…; it is {new}=….")
            options[new] = options.pop(old)
    return function(*args, **options)


NAMES: Final = {
    "__tfedu_array__": _array,
    "__tfedu_format__": _format,
    "__tfedu_number__": _number,
    "__tfedu_print__": _shown,
    "__tfedu_dtype__": _dtype,
    "__tfedu_fromstring__": _fromstring,
    "__tfedu_sizes__": _sizes,
    "__tfedu_keywords__": _keywords,
    **{f"__tfedu_{name}__": _method(name) for name in METHODS},
}
"""The functions by the names that `tree` gives them in a program; a class does not mangle names that end in two underscores."""


def _takes_sizes(name: str, node: ast.Call) -> bool:
    """Whether a call may be the reading of a file, or a reshaping by an array's own method, which may take many sizes."""
    is_computed = any(not isinstance(each, ast.Constant) for each in node.args)
    return is_computed and not node.keywords and {"read": len(node.args) == 1, "reshape": len(node.args) > 3}.get(name, False)


class _Rewriter(ast.NodeTransformer):
    def _called(self, node: ast.expr, name: str, *values: ast.expr, keywords: Sequence[ast.keyword] = ()) -> ast.AST:
        function = ast.copy_location(ast.Name(f"__tfedu_{name}__", ast.Load()), node)
        return ast.copy_location(ast.Call(function, list(values), list(keywords)), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        for keyword in node.keywords:
            value = keyword.value
            if keyword.arg == "dtype" and isinstance(value, ast.Attribute) and value.attr in _ABSTRACT_NAMES:
                keyword.value = self._called(value, "dtype", value)  # type: ignore[assignment]
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in METHODS:
            return self._called(node, function.attr, function.value, *node.args, keywords=node.keywords)
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if isinstance(function, ast.Attribute) and name in ("array", "asarray"):
            return self._called(node, "array", function, *node.args, keywords=node.keywords)
        if isinstance(function, ast.Attribute) and name == "fromstring":
            return self._called(node, "fromstring", function, *node.args, keywords=node.keywords)
        if isinstance(function, ast.Attribute) and _takes_sizes(name, node):
            return self._called(node, "sizes", function, *node.args)
        if any((name, keyword.arg) in _KEYWORDS for keyword in node.keywords):
            return self._called(node, "keywords", function, *node.args, keywords=node.keywords)
        if isinstance(function, ast.Name) and function.id == "print" and node.args:
            return self._called(node, "print", function, *node.args, keywords=node.keywords)
        is_number = isinstance(function, ast.Name) and function.id in ("int", "float", "complex")
        if is_number and len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], (ast.Constant, ast.Starred)):
            return self._called(node, "number", function, node.args[0])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            return self._called(node, "format", node.left, node.right)
        return node


def tree(parsed: ast.Module) -> ast.Module:
    """The program with what NumPy has removed as calls of NAMES, which its module has to hold. Lines stay as they are."""
    changed: ast.Module = ast.fix_missing_locations(_Rewriter().visit(parsed))
    return changed


def changed_in_call(node: ast.Call, numpy: Set[str]) -> Iterator[tuple[str, str]]:
    """(an argument or method of a call that NumPy has removed, what replaces it); numpy: the program's names for NumPy."""
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    is_numpys = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id in numpy
    words = {word.arg: word.value for word in node.keywords if word.arg}
    if name in METHODS and isinstance(function, ast.Attribute) and not is_numpys:
        yield f".{name}()", METHODS[name][0]
    for (taker, old), new in _KEYWORDS.items():
        if name == taker and old in words:
            yield f"{name}({old}=…)", f"{new}=…"
    copy = words.get("copy")
    if is_numpys and name == "array" and isinstance(copy, ast.Constant) and copy.value is False:
        yield "np.array(copy=False)", "np.asarray(…)"
    if is_numpys and name == "fromstring" and "sep" not in words and len(node.args) < 4:
        yield "np.fromstring(bytes)", "np.frombuffer(text, dtype).copy()"


# -- there and away ------------------------------------------------------------------------------------------------------


def restore() -> None:
    """Brings the names back, in this process."""
    if not _own_hook:
        _own_hook.append(np.__getattr__)
        np.__getattr__ = _attribute  # type: ignore[attr-defined]
        _own_form.append(np.get_printoptions()["legacy"])
        np.set_printoptions(legacy=_FORM)
        lost_names.restore()


def remove() -> None:
    """Undoes `restore`."""
    if _own_hook:
        np.__getattr__ = _own_hook.pop()  # type: ignore[attr-defined]
        np.set_printoptions(legacy=_own_form.pop())
        lost_names.remove()


__all__ = [
    "changed_in_call", "lost_names", "remove", "removed_from_numpy", "restore", "tell", "tree",
]  # fmt: skip
