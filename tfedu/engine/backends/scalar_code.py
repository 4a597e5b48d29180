"""Formulas of single numbers as CUDA C: `Code` is an array module that writes down what a kernel or a formula computes.

A kernel of the op tables and the step of an optimizer are Python functions over arrays, which work element by element. `Code`
calls them with a `Number` for each array: every operation becomes a statement, by the table `_FORMULAS`. Numba compiles the same
functions for the CPU (fused.py), so that a formula is written once. What is not elementwise (a sum, a shape, a value that is
looked at) raises `NotScalar`, and so does a dtype that has no number in C, such as complex64.

The statements give what NumPy gives, dtype by dtype: integers wrap around, NaN passes through maximum and minimum, and nothing is
contracted if the compiler is told so (`OPTIONS`). A number of float16 is computed in 32 bits and then rounded, each time, as in
NumPy; CUDA's functions and CuPy's type of such numbers do it. Source: the formulas of ufuncs, NumPy's documentation.
State: `Code`, the statements so far.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

import numpy as np

# Without it the compiler would round a * b + c once, NumPy and CuPy twice.
OPTIONS: Final = ("--fmad=false",)

C_TYPES: Final = {
    np.dtype(name): text for name, text in {
        "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
        "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long long",
        "float32": "float", "float64": "double",
    }.items()
}  # fmt: skip


_HALF: Final = np.dtype(np.float16)
# The dtypes of formulas: those with a type in C, and float16.
DTYPES: Final = (*C_TYPES, _HALF)


class NotScalar(Exception):
    """A formula does what is not elementwise, or has no form in C."""


# Function of NumPy -> its form in C, or one for each group of kinds of dtypes: f floats, i signed and u unsigned integers, b
# truth values. {0} and {1} are the inputs in the dtype that NumPy computes in, {T} is this type in C, {U} the unsigned one of
# its width, in which sums and products wrap around.
_FORMULAS: Final[dict[str, str | dict[str, str]]] = {
    "add": {"f": "{0} + {1}", "iu": "({T})(({U}){0} + ({U}){1})", "b": "{0} || {1}"},
    "subtract": {"f": "{0} - {1}", "iu": "({T})(({U}){0} - ({U}){1})"},
    "multiply": {"f": "{0} * {1}", "iu": "({T})(({U}){0} * ({U}){1})", "b": "{0} && {1}"},
    "divide": {"f": "{0} / {1}"},
    "negative": {"f": "-{0}", "iu": "({T})(0 - ({U}){0})"},
    "square": {"f": "{0} * {0}", "iu": "({T})(({U}){0} * ({U}){0})"},
    "absolute": {"f": "fabs({0})", "i": "{0} < 0 ? ({T})(0 - ({U}){0}) : {0}", "u": "{0}"},
    "sign": {"f": "{0} != {0} ? {0} : ({T})(({0} > 0) - ({0} < 0))", "iu": "({T})(({0} > 0) - ({0} < 0))"},
    "maximum": {"f": "{0} >= {1} || {0} != {0} ? {0} : {1}", "iub": "{0} >= {1} ? {0} : {1}"},
    "minimum": {"f": "{0} <= {1} || {0} != {0} ? {0} : {1}", "iub": "{0} <= {1} ? {0} : {1}"},
    "conjugate": {"fiu": "{0}"},
    **{name: {"f": f"{text}({{0}})"} for name, text in {
        "sqrt": "sqrt", "exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p", "sin": "sin", "cos": "cos", "tan": "tan",
        "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsinh": "asinh",
        "arccosh": "acosh", "arctanh": "atanh", "rint": "rint", "floor": "floor", "ceil": "ceil", "trunc": "trunc",
        "isinf": "isinf", "isfinite": "isfinite",
    }.items()},
    "isnan": {"f": "{0} != {0}"},
    "power": {"f": "pow({0}, {1})"},
    "arctan2": {"f": "atan2({0}, {1})"},
    "fmod": {"f": "fmod({0}, {1})"},
    "nextafter": {"f": "nextafter({0}, {1})"},
    "logaddexp": {"f": (
        "{0} == {1} ? {0} + ({T})0.69314718055994530942 : {0} > {1} ? {0} + log1p(exp({1} - {0})) : "
        "{0} < {1} ? {1} + log1p(exp({0} - {1})) : {0} - {1}"
    )},
    **{name: f"{{0}} {sign} {{1}}" for name, sign in {
        "equal": "==", "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=",
    }.items()},
    "logical_and": {"b": "{0} && {1}"},
    "logical_or": {"b": "{0} || {1}"},
    "logical_xor": {"b": "{0} != {1}"},
    "logical_not": {"b": "!{0}"},
    "bitwise_and": {"iu": "({T})({0} & {1})", "b": "{0} && {1}"},
    "bitwise_or": {"iu": "({T})({0} | {1})", "b": "{0} || {1}"},
    "bitwise_xor": {"iu": "({T})({0} ^ {1})", "b": "{0} != {1}"},
    "invert": {"iu": "({T})(~{0})", "b": "!{0}"},
}  # fmt: skip


def _form(name: str, dtype: np.dtype[Any]) -> str:
    forms = _FORMULAS.get(name)
    if dtype == _HALF and name == "nextafter":
        raise NotScalar("the neighbours of a float16, which are not those of a float32")
    if isinstance(forms, dict):
        forms = next((form for kinds, form in forms.items() if dtype.kind in kinds), None)
    if forms is None:
        raise NotScalar(f"{name} of {dtype}")
    return forms


def c_type(dtype: np.dtype[Any]) -> str:
    """The type in C. Raises: NotScalar for a dtype without one."""
    if dtype not in C_TYPES:
        raise NotScalar(str(dtype))
    return C_TYPES[dtype]


def _computed_type(dtype: np.dtype[Any]) -> str:
    """The C type in which a kernel computes numbers of that dtype. Raises: NotScalar for a dtype without one."""
    return "float" if dtype == _HALF else c_type(dtype)


def _rounded(text: str, dtype: np.dtype[Any]) -> str:
    """A number of that dtype, rounded to float16."""
    if dtype == np.float64:
        return f"__half2float(__double2half({text}))"
    return f"__half2float(__float2half_rn({text}))"


def _literal(value: Any, dtype: np.dtype[Any]) -> str:
    """The number in C, exactly."""
    if dtype.kind == "b":
        return "true" if value else "false"
    number = dtype.type(value)
    if dtype == _HALF:
        return _literal(np.float32(number), np.dtype(np.float32))
    if dtype.kind == "f":
        bits = int(number.view(f"u{dtype.itemsize}"))
        if not np.isfinite(number):
            return f"__int_as_float({bits:#x})" if dtype.itemsize == 4 else f"__longlong_as_double({bits:#x}ll)"
        text = f"{number:.9g}" if dtype.itemsize == 4 else f"{number:.17g}"
        text += "" if "." in text or "e" in text else ".0"
        return f"({text}f)" if dtype.itemsize == 4 else f"({text})"
    return f"({c_type(dtype)}){int(number) & ((1 << 64) - 1):#x}ull"


class Number:
    """A number of a formula: its dtype, and the name of its value in C. An operation in place gives it another value."""

    __slots__ = ("code", "dtype", "name")
    __hash__ = None  # type: ignore[assignment]
    ndim = 1  # of an array: kernels have a shorter way for single numbers

    def __init__(self, code: Code, dtype: np.dtype[Any], name: str) -> None:
        self.code, self.dtype, self.name = code, dtype, name

    def __getattr__(self, name: str) -> NoReturn:
        raise NotScalar(name)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise NotScalar("the values of an array")

    __bool__ = __int__ = __float__ = __index__ = __iter__ = __len__ = __array__ = _refuse

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = (None,)) -> Number:
        if method != "__call__":
            raise NotScalar(method)
        return self.code.call(ufunc.__name__, *inputs, out=out[0])

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Number:
        return getattr(self.code, function.__name__)(*args, **kwargs)  # type: ignore[no-any-return]

    def __getitem__(self, key: Any) -> Number:
        if key != () and key is not ...:
            raise NotScalar("a part of an array")
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        self[key].name = self.code.as_dtype(value, self.dtype)

    def astype(self, dtype: Any, copy: bool = True) -> Number:
        """The number in another dtype."""
        return self.code.number(np.dtype(dtype), self.code.as_dtype(self, np.dtype(dtype)))

    def copy(self) -> Number:
        """The same value as another number."""
        return Number(self.code, self.dtype, self.name)

    def conj(self) -> Number:
        """Returns the number itself, as a new statement: NumPy's `conj`, for kernels that also take complex arrays."""
        return self.code.call("conjugate", self)


def _operator(function: str, swapped: bool = False) -> Callable[..., Number]:
    def operate(self: Number, *others: Any) -> Number:
        return self.code.call(function, *((*others, self) if swapped else (self, *others)))

    return operate


def _in_place(function: str) -> Callable[..., Number]:
    def operate(self: Number, other: Any) -> Number:
        return self.code.call(function, self, other, out=self)

    return operate


_OPERATORS: Final = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "pow": "power", "and": "bitwise_and",
    "or": "bitwise_or", "xor": "bitwise_xor",
}  # fmt: skip
_COMPARISONS: Final = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
    "neg": "negative", "abs": "absolute", "invert": "invert",
}  # fmt: skip
for _name, _function in _OPERATORS.items():
    setattr(Number, f"__{_name}__", _operator(_function))
    setattr(Number, f"__r{_name}__", _operator(_function, swapped=True))
    setattr(Number, f"__i{_name}__", _in_place(_function))
for _name, _function in _COMPARISONS.items():
    setattr(Number, f"__{_name}__", _operator(_function))


class Code:
    """An array module that writes statements in C: `code.sqrt(number)` adds one, and returns the `Number` of its result."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., Number]:
        return functools.partial(self.call, name)

    def input(self, dtype: np.dtype[Any], name: str) -> Number:
        """A number that the formula begins with. Raises: NotScalar for a dtype without a type in C."""
        _computed_type(dtype)
        return Number(self, dtype, f"float({name})" if dtype == _HALF else name)

    def number(self, dtype: np.dtype[Any], expression: str) -> Number:
        """A new number with the value of an expression."""
        name = f"t{len(self.statements)}"
        self.statements.append(f"const {_computed_type(dtype)} {name} = {expression};")
        return Number(self, dtype, name)

    def as_number(self, value: Any, dtype: np.dtype[Any]) -> Number:
        """What a formula returned; a single number becomes a value of this dtype. Raises: NotScalar for an array."""
        if isinstance(value, np.generic):
            return self.number(dtype, _literal(value, dtype))
        if not isinstance(value, Number) or value.dtype != dtype:
            raise NotScalar(f"a result that is no {dtype}")
        return value

    def call(self, name: str, *inputs: Any, out: Any = None, dtype: Any = None) -> Number:
        """The function of NumPy of these numbers, of which out takes the value if it is one."""
        ufunc = getattr(np, name, None)
        if not isinstance(ufunc, np.ufunc) or len(inputs) != ufunc.nin or ufunc.nout != 1 or dtype is not None:
            raise NotScalar(name)
        *wanted, given = ufunc.resolve_dtypes((*[_kind_of(value) for value in inputs], None))
        if len(set(wanted)) > 1 or not all(t.isnative for t in wanted):
            raise NotScalar(f"{name} of {wanted}")
        unsigned = "unsigned long long" if wanted[0].itemsize == 8 else "unsigned int"
        texts = [self.as_dtype(value, wanted[0]) for value in inputs]
        text = _form(ufunc.__name__, wanted[0]).format(*texts, T=_computed_type(wanted[0]), U=unsigned)
        result = self.number(given, _rounded(text, wanted[0]) if given == _HALF else text)
        if out is None:
            return result
        if not isinstance(out, Number) or out.dtype != given:
            raise NotScalar(f"out={out!r}")
        out.name = result.name
        return out

    def where(self, condition: Any, one: Any, other: Any) -> Number:
        """One number where the condition holds, else the other."""
        if not isinstance(condition, Number) or condition.dtype.kind != "b":
            raise NotScalar("where")
        dtype = np.result_type(*[value.dtype if isinstance(value, Number) else value for value in (one, other)])
        return self.number(dtype, f"{condition.name} ? {self.as_dtype(one, dtype)} : {self.as_dtype(other, dtype)}")

    def as_dtype(self, value: Any, dtype: np.dtype[Any]) -> str:
        """The text of a number in this dtype, the kind of NumPy's `astype`."""
        if not isinstance(value, Number):
            return _literal(value, dtype)
        if value.dtype == dtype:
            return value.name
        if dtype.kind == "b":
            return f"({value.name} != 0)"
        if dtype == _HALF:
            return _rounded(f"(float){value.name}" if value.dtype.kind != "f" else value.name, value.dtype)
        return f"(({c_type(dtype)}){value.name})"


def _kind_of(value: Any) -> Any:
    """The value's dtype; the class of a Python number, which takes the dtype of what stands beside it."""
    if isinstance(value, Number | np.generic):
        return value.dtype
    if type(value) in (int, float, bool):
        return np.dtype(bool) if type(value) is bool else type(value)
    raise NotScalar(type(value).__name__)


class ScalarCode:
    """The body of a loop over arrays: the statements, from numbers in0, in1, … to out0, out1, …

    inputs, outputs: their dtypes. preamble: what the kernel includes. Two of equal text are equal, so that one compiled kernel
    serves both.
    """

    def __init__(self, code: Code, inputs: Sequence[Number], outputs: Sequence[Number]) -> None:
        self.inputs = tuple([number.dtype for number in inputs])
        self.outputs = tuple([number.dtype for number in outputs])
        self.statements = tuple(code.statements)
        results = [f"float16({number.name})" if number.dtype == _HALF else number.name for number in outputs]
        self.body = "\n".join([*code.statements, *[f"out{i} = {result};" for i, result in enumerate(results)]])
        self.preamble = "#include <cuda_fp16.h>\n" if "2half" in self.body else ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScalarCode) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Any, ...]:
        return self.inputs, self.outputs, self.body


__all__ = ["C_TYPES", "DTYPES", "OPTIONS", "Code", "NotScalar", "Number", "ScalarCode", "c_type"]
