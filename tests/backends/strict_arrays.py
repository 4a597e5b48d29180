"""An array module as strict as a GPU's, for machines without one: `xp`, whose arrays are of class `Strict`.

A `Strict` array wraps a NumPy array as a CuPy array wraps memory of the GPU. It refuses what CuPy refuses (a NumPy array beside
it, conversion to NumPy, functions that CuPy lacks) and also what CuPy does, but at the cost of waiting for the GPU: `bool()`,
`int()`, `float()`, `tolist()`, iteration over single numbers, results whose size depends on the values. Such reads pass inside
`reading()` alone, which tests use for the kernels of the table that are declared to read. Like CuPy, it accepts single NumPy
numbers in arithmetic. Where CuPy's functions give other numbers than NumPy's, it gives CuPy's. State: `_may_read`.
"""

import contextlib
from types import ModuleType

import numpy as np

_ABSENT = """
    asmatrix block bmat char emath errstate frompyfunc geomspace histogram_bin_edges info insert isnat ma matrix matvec memmap
    nanpercentile nanquantile ndenumerate nditer nested_iters object_ polyder polydiv polyint rec recarray spacing str_ bytes_
    strings unstack vecdot vecmat void linalg.diagonal linalg.matrix_norm linalg.multi_dot linalg.outer linalg.svdvals
    linalg.tensordot linalg.trace linalg.vecdot linalg.vector_norm
"""
_ABSENT_IN_13 = """
    acos acosh apply_over_axes asin asinh astype atan atan2 atanh bitwise_count bitwise_invert bitwise_left_shift
    bitwise_right_shift bool concat cumulative_prod cumulative_sum isdtype long matrix_transpose permute_dims pow put_along_axis
    trapezoid ulong unique_all unique_counts unique_inverse unique_values linalg.cond linalg.cross linalg.eig linalg.eigvals
    linalg.matmul linalg.matrix_transpose
"""
# What NumPy has and CuPy has not, in version 14.2 or in 13.3; `dir()` of both tells, also without a GPU.
_MISSING = frozenset((*_ABSENT.split(), *_ABSENT_IN_13.split()))
# The methods of CuPy's ufuncs that only some of them have.
_METHODS = {
    "at": {"add", "subtract", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor"},
    "reduce": {"add", "multiply"},
    "accumulate": {"add", "multiply"},
    "reduceat": {"add"},
}
# The dtypes of which CuPy's `at` takes numbers, in 13.3 (in 14, int64 too).
_AT = {"add": "i4 u4 u8 f2 f4 f8", "subtract": "i4 u4", "maximum": "i4 u4 u8 f4 f8", "minimum": "i4 u4 u8 f4 f8"}
# Functions that give floats for integers in CuPy 13, and logical functions, which take no complex numbers.
_FLOATS_ALONE = frozenset({"ceil", "floor", "trunc"})
_REALS_ALONE = frozenset({"logical_and", "logical_not", "logical_or", "logical_xor"})
# The functions that take a NumPy array from the host: explicit transfers.
_TRANSFERS = frozenset({"array", "asarray", "asanyarray"})
# CuPy's methods lack these arguments, its `choose` takes one array of choices.
_NO_ARGUMENTS = {"max": {"initial"}, "min": {"initial"}, "sum": {"initial"}, "prod": {"initial"}}
# Functions that wait for the GPU: the size of their result, or whether they raise, depends on the values.
_WAITING = {"nonzero", "flatnonzero", "argwhere", "bincount", "unique", "compress", "extract", "histogram", "setdiff1d"}
_may_read = False


def _sign_of_13(x):
    """The sign of CuPy 13: 0 for NaN, and that of the real part of a complex number, or of the imaginary one where that is 0."""
    part = np.where(x.real == 0, x.imag, x.real) if x.dtype.kind == "c" else x
    return ((part > 0).astype(np.int8) - (part < 0)).astype(x.dtype)


def _fmod(x, y):
    """Of integers, by way of float64."""
    x, y = np.broadcast_arrays(x, y)
    if x.dtype.kind not in "iu":
        return np.fmod(x, y)
    return np.where(y == 0, 0, np.fmod(x.astype(np.float64), y.astype(np.float64))).astype(np.result_type(x, y))


def _remainder(x, y):
    """Of floats, by way of the quotient, whose rounding it has."""
    if np.result_type(x, y).kind != "f":
        return np.remainder(x, y)
    return (x - np.floor(x / y) * y) * np.not_equal(y, 0)


# Functions that give other numbers in CuPy: their kernels' formulas, of the version that is further from NumPy.
_OF_CUPY = {"sign": _sign_of_13, "fmod": _fmod, "remainder": _remainder, "mod": _remainder}


class Refused(TypeError):
    """The kernel did what does not run, or waits, on a GPU."""


@contextlib.contextmanager
def reading():
    """A block in which numbers may be read back to the host."""
    global _may_read
    before, _may_read = _may_read, True
    try:
        yield
    finally:
        _may_read = before


def wrap(value):
    """NumPy's result as the module returns it."""
    if isinstance(value, np.ndarray | np.generic):
        return Strict(np.asarray(value))
    if isinstance(value, list | tuple):
        parts = [wrap(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def unwrap(value, name):
    if isinstance(value, Strict):
        return value.host
    if isinstance(value, np.ndarray) and name not in _TRANSFERS:
        raise Refused(f"Unsupported type {type(value)} in {name}: a NumPy array beside arrays of the device")
    if isinstance(value, list | tuple):
        return type(value)([unwrap(part, name) for part in value])
    if isinstance(value, slice):
        return slice(*[unwrap(part, name) for part in (value.start, value.stop, value.step)])
    return value


def _called(function, name, args, kwargs):
    if _NO_ARGUMENTS.get(name, set()) & kwargs.keys() or (name == "choose" and isinstance(args[-1], list | tuple)):
        raise Refused(f"CuPy's {name} takes no such arguments: {sorted(kwargs)}")
    kinds = {value.dtype.kind for value in args if isinstance(value, Strict)}
    if (name in _FLOATS_ALONE and kinds - {"f"}) or (name in _REALS_ALONE and "c" in kinds):
        raise Refused(f"CuPy's {name} takes no arrays of kind {kinds}")
    if name == "concatenate" and not all(np.ndim(unwrap(part, name)) for part in args[0]):
        raise TypeError("zero-dimensional arrays cannot be concatenated")
    if name.endswith(".at") and args[0].dtype.str[1:] not in _AT.get(name[:-3], "i4 i8 u4 u8").split():
        raise Refused(f"CuPy's {name} takes no numbers of {args[0].dtype}")
    waits = name in _WAITING or (name == "where" and len(args) == 1) or (name == "choose" and "mode" not in kwargs)
    if waits and kinds:
        _read(None, f"the result of {name}, which depends on the values")
    if name in _OF_CUPY and not kwargs:
        function = _OF_CUPY[name]
    arguments = [unwrap(value, name) for value in args]
    keywords = {key: unwrap(value, name) for key, value in kwargs.items()}
    with np.errstate(all="ignore"):
        result = function(*arguments, **keywords)
    return kwargs["out"] if isinstance(kwargs.get("out"), Strict) else wrap(result)


def _read(array, kind):
    if not _may_read:
        raise Refused(f"implicit conversion of a device array by {kind}")
    return array


def _check_mask(key):
    """A place for each true value of a mask: CuPy counts them first."""
    parts = key if isinstance(key, tuple) else (key,)
    if any(isinstance(part, Strict) and part.dtype.kind == "b" for part in parts):
        _read(None, "a mask of truth values as an index")


class Strict:
    """An array of the device: `host` is the NumPy array behind it."""

    __slots__ = ("host", "__weakref__")
    __hash__ = None

    def __init__(self, host):
        self.host = host

    def __repr__(self):
        return f"<Strict {self.host.dtype}{list(self.host.shape)}>"

    def __array__(self, *args, **kwargs):
        raise Refused("implicit conversion to a NumPy array is not allowed")

    def __bool__(self):
        return bool(_read(self.host, "bool()"))

    def __int__(self):
        return int(_read(self.host, "int()"))

    def __float__(self):
        return float(_read(self.host, "float()"))

    def __index__(self):
        return _read(self.host, "index").__index__()

    def __iter__(self):
        rows = self.host if self.ndim > 1 else _read(self.host, "iteration")
        return iter([wrap(row) for row in rows])

    def __len__(self):
        return len(self.host)

    def tolist(self):
        return _read(self.host, "tolist()").tolist()

    def item(self, *args):
        return _read(self.host, "item()").item(*args)

    def get(self):
        """The copy on the host: CuPy's explicit transfer."""
        return _read(self.host, "get()").copy()

    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        out = kwargs.pop("out", None)
        if out is not None:
            kwargs["out"] = out[0]
        function = _Function(ufunc.__name__, ufunc)
        return function(*args, **kwargs) if method == "__call__" else getattr(function, method)(*args, **kwargs)

    def __array_function__(self, function, types, args, kwargs):
        target = xp
        for part in [*function.__module__.split(".")[1:], function.__name__]:
            if not part.startswith("_"):
                target = getattr(target, part)
        return target(*args, **kwargs)

    def __getitem__(self, key):
        _check_mask(key)
        return wrap(self.host[unwrap(key, "indexing")])

    def __setitem__(self, key, value):
        _check_mask(key)
        self.host[unwrap(key, "indexing")] = unwrap(value, "indexing")

    def __setattr__(self, name, value):
        if name == "host":
            object.__setattr__(self, name, value)
        else:
            setattr(self.host, name, value)


def _operator(name):
    def operate(self, *others):
        if any(isinstance(other, np.ndarray) for other in others):
            raise Refused(f"a NumPy array beside a device array in {name}")
        with np.errstate(all="ignore"):
            result = getattr(self.host, name)(*[unwrap(other, name) for other in others])
        return self if name.startswith("__i") and name != "__invert__" else wrap(result)

    return operate


_OPERATORS = """
    add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod imod pow
    rpow ipow and rand iand or ror ior xor rxor ixor lshift rlshift ilshift rshift rrshift irshift matmul rmatmul neg pos
    abs invert lt le gt ge eq ne divmod
"""
for _name in _OPERATORS.split():
    setattr(Strict, f"__{_name}__", _operator(f"__{_name}__"))


_METHODS_OF_ARRAYS = """
    all any argmax argmin argpartition argsort astype choose clip conj conjugate copy cumprod cumsum diagonal dot fill
    flatten max mean min nonzero partition prod ptp put ravel repeat reshape round searchsorted sort squeeze std sum
    swapaxes take trace transpose var view
"""
def _method(name):
    def call(self, *args, **kwargs):
        if name in _WAITING or (name == "choose" and "mode" not in kwargs):
            _read(None, f"the result of {name}, which depends on the values")
        if name == "transpose" and args == ((),):
            args = ()  # CuPy reverses the axes
        return _called(getattr(self.host, name), name, args, kwargs)

    return call


for _name in _METHODS_OF_ARRAYS.split():
    setattr(Strict, _name, _method(_name))
for _name in ("dtype", "ndim", "shape", "size", "nbytes", "itemsize", "strides", "flags"):
    setattr(Strict, _name, property(lambda self, name=_name: getattr(self.host, name)))
for _name in ("T", "real", "imag", "base"):
    setattr(Strict, _name, property(lambda self, name=_name: wrap(getattr(self.host, name))))


class _Function:
    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, *args, **kwargs):
        return _called(self.function, self.name, args, kwargs)

    def __getattr__(self, method):
        if method in _METHODS and self.name not in _METHODS[method]:
            raise Refused(f"CuPy's {self.name} has no {method}")
        return _Function(self.name if method != "at" else f"{self.name}.at", getattr(self.function, method))


class _Module:
    def __init__(self, module, path):
        self.module, self.path = module, path

    def __getattr__(self, name):
        path = f"{self.path}{name}"
        if path in _MISSING:
            raise Refused(f"CuPy has no {path}")
        found = getattr(self.module, name)
        if isinstance(found, ModuleType):
            return _Module(found, f"{path}.")
        if isinstance(found, type) or not callable(found):
            return found
        return _Function(name, found)


xp = _Module(np, "")
