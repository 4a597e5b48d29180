"""The element types of tensors: `float32`, `int32_ref`, …, each one object, so that `is` compares them.

`as_dtype` reads whatever a program may write for a type (a name, a NumPy type, a Python type, an enum number).
State: the NumPy type of bfloat16, looked up when it is first needed: that of ml_dtypes where it is installed, else a record
over the bits, which can be stored, reshaped and cast, but not computed with. The tables are filled once and never change.
Enum numbers are TF's public ones; a reference kind is +100.
"""

from __future__ import annotations

import builtins
import sys
from typing import Any, Final

import numpy as np

_REF: Final = 100
_BFLOAT16: Final = np.dtype([("bfloat16", np.uint16)])

# name, enum, NumPy type, kind. A type that NumPy lacks is a record of one field over its bits, so that arrays of it exist.
_ROWS: tuple[tuple[str, int, Any, str], ...] = (
    ("float32", 1, np.float32, "floating"),
    ("float64", 2, np.float64, "floating"),
    ("int32", 3, np.int32, "integer"),
    ("uint8", 4, np.uint8, "unsigned"),
    ("int16", 5, np.int16, "integer"),
    ("int8", 6, np.int8, "integer"),
    ("string", 7, np.object_, ""),
    ("complex64", 8, np.complex64, "complex"),
    ("int64", 9, np.int64, "integer"),
    ("bool", 10, np.bool_, "bool"),
    ("qint8", 11, np.dtype([("qint8", np.int8)]), "quantized"),
    ("quint8", 12, np.dtype([("quint8", np.uint8)]), "quantized"),
    ("qint32", 13, np.dtype([("qint32", np.int32)]), "quantized"),
    ("bfloat16", 14, _BFLOAT16, "floating"),
    ("qint16", 15, np.dtype([("qint16", np.int16)]), "quantized"),
    ("quint16", 16, np.dtype([("quint16", np.uint16)]), "quantized"),
    ("uint16", 17, np.uint16, "unsigned"),
    ("complex128", 18, np.complex128, "complex"),
    ("float16", 19, np.float16, "floating"),
    ("resource", 20, None, ""),
    ("variant", 21, None, ""),
    ("uint32", 22, np.uint32, "unsigned"),
    ("uint64", 23, np.uint64, "unsigned"),
)

_numpy_bfloat16: np.dtype[Any] | None = None


def numpy_bfloat16() -> np.dtype[Any]:
    """The NumPy type of bfloat16 arrays; a record (`.names` is set) where ml_dtypes is not installed."""
    global _numpy_bfloat16
    if _numpy_bfloat16 is None:
        try:
            import ml_dtypes
        except ImportError:
            _numpy_bfloat16 = _BFLOAT16
        else:
            _numpy_bfloat16 = np.dtype(ml_dtypes.bfloat16)
    return _numpy_bfloat16


_ALIASES = {"half": "float16", "float": "float32", "double": "float64"}


class DType:
    """One element type. Compare with `is` inside the engine; `==` also takes names and NumPy types."""

    __slots__ = (
        "as_datatype_enum",
        "as_ref",
        "base_dtype",
        "is_bool",
        "is_complex",
        "is_floating",
        "is_integer",
        "is_numpy_compatible",
        "is_quantized",
        "is_ref",
        "is_unsigned",
        "name",
        "numpy",
        "size",
    )

    name: str
    as_datatype_enum: int
    numpy: np.dtype[Any] | None
    is_ref: builtins.bool
    base_dtype: DType
    as_ref: DType
    is_floating: builtins.bool
    is_integer: builtins.bool
    is_unsigned: builtins.bool
    is_bool: builtins.bool
    is_complex: builtins.bool
    is_quantized: builtins.bool
    is_numpy_compatible: builtins.bool
    size: int

    def __new__(cls, type_enum: Any = None) -> DType:
        """The type with that enum number: each type is one object.

        Raises:
            TypeError: no type has that number.
        """
        dtype = _BY_ENUM.get(type_enum) if isinstance(type_enum, int) else None
        if dtype is None:
            raise TypeError("type_enum is not a valid types_pb2.DataType.")
        return dtype

    @property
    def enum(self) -> int:
        return self.as_datatype_enum

    @property
    def _type_enum(self) -> int:
        return self.as_datatype_enum

    @property
    def _is_ref_dtype(self) -> builtins.bool:
        return self.is_ref

    @property
    def _as_ref(self) -> DType:
        return self.as_ref

    @property
    def real_dtype(self) -> DType:
        """The type of the real part: float32 for complex64, float64 for complex128, else the type itself."""
        base = self.base_dtype
        if base is complex64:
            return float32
        if base is complex128:
            return float64
        return self

    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy scalar type (a record dtype for the types that NumPy lacks)."""
        if self.numpy is None:
            return np.object_ if self.base_dtype is variant else _RESOURCE
        return self.numpy if self.numpy.names else self.numpy.type

    @property
    def min(self) -> Any:
        """The smallest value. Raises TypeError where there is none."""
        return self._extreme("minimum", 0)

    @property
    def max(self) -> Any:
        """The largest value. Raises TypeError where there is none."""
        return self._extreme("maximum", 1)

    def _extreme(self, word: str, side: int) -> Any:
        base = self.base_dtype
        if base is bfloat16:
            return (-1.0, 1.0)[side] * float.fromhex("0x1.FEp127")
        if base.is_floating:
            floats = np.finfo(base.as_numpy_dtype)
            return (floats.min, floats.max)[side]
        if base.is_integer:
            integers = np.iinfo(base.as_numpy_dtype)
            return (integers.min, integers.max)[side]
        raise TypeError(f"Cannot find {word} value of {self}.")

    @property
    def limits(self) -> tuple[Any, Any]:
        """(lowest, highest) intensity of an image of this type, nothing below 0.

        Raises:
            ValueError: images of this type have none.
        """
        base = self.base_dtype
        if base is bool:
            return 0, True
        if base is float32 or base is float64:
            return 0, 1
        if base.is_integer:
            return 0, int(base.max)
        raise ValueError(str(self) + " does not have defined limits.")

    def is_compatible_with(self, other: Any) -> builtins.bool:
        """Whether a tensor of type `other` can be used as this type (a reference can be used as its base type)."""
        other = as_dtype(other)
        return self is other or self is other.base_dtype

    def __eq__(self, other: object) -> builtins.bool:
        if self is other:
            return True
        if other is None or isinstance(other, DType):
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __ne__(self, other: object) -> builtins.bool:
        return not self == other

    def __hash__(self) -> int:
        return self.as_datatype_enum

    def __int__(self) -> int:
        return self.as_datatype_enum

    def __repr__(self) -> str:
        return "tf." + self.name

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, memo: Any) -> DType:
        return self


class _Bfloat16(DType):
    """bfloat16, whose NumPy type is looked up on first use: most programs never need it."""

    __slots__ = ()

    @property
    def numpy(self) -> np.dtype[Any]:  # type: ignore[override]
        return numpy_bfloat16()


_RESOURCE = np.dtype([("resource", np.ubyte)])
_BY_ENUM: dict[int, DType] = {}
ALL: dict[str, DType] = {}
"""Every type by its name, reference kinds too."""


def _make(name: str, enum: int, scalar: Any, kind: str) -> DType:
    pair: list[DType] = []
    for suffix, offset in (("", 0), ("_ref", _REF)):
        dtype: DType = object.__new__(_Bfloat16 if name == "bfloat16" else DType)
        dtype.name = sys.intern(name + suffix)
        dtype.as_datatype_enum = enum + offset
        numpy_dtype = None if scalar is None else np.dtype(scalar)
        if name != "bfloat16":
            dtype.numpy = numpy_dtype
        dtype.is_ref = offset > 0
        dtype.is_floating = kind == "floating"
        dtype.is_integer = kind in ("integer", "unsigned")
        dtype.is_unsigned = kind == "unsigned"
        dtype.is_bool = kind == "bool"
        dtype.is_complex = kind == "complex"
        dtype.is_quantized = kind == "quantized"
        dtype.is_numpy_compatible = scalar is not None
        dtype.size = 1 if numpy_dtype is None else numpy_dtype.itemsize
        _BY_ENUM[dtype.as_datatype_enum] = ALL[dtype.name] = dtype
        pair.append(dtype)
    base, ref = pair
    base.base_dtype = ref.base_dtype = base
    base.as_ref = ref.as_ref = ref
    return base


for _row in _ROWS:
    _make(*_row)

float16: Final = ALL["float16"]
half: Final = float16
float32: Final = ALL["float32"]
float64: Final = ALL["float64"]
double: Final = float64
bfloat16: Final = ALL["bfloat16"]
complex64: Final = ALL["complex64"]
complex128: Final = ALL["complex128"]
int8: Final = ALL["int8"]
int16: Final = ALL["int16"]
int32: Final = ALL["int32"]
int64: Final = ALL["int64"]
uint8: Final = ALL["uint8"]
uint16: Final = ALL["uint16"]
uint32: Final = ALL["uint32"]
uint64: Final = ALL["uint64"]
bool: Final = ALL["bool"]  # the built-in one is written builtins.bool in this file
string: Final = ALL["string"]
resource: Final = ALL["resource"]
variant: Final = ALL["variant"]
qint8: Final = ALL["qint8"]
quint8: Final = ALL["quint8"]
qint16: Final = ALL["qint16"]
quint16: Final = ALL["quint16"]
qint32: Final = ALL["qint32"]

QUANTIZED_DTYPES: Final = frozenset(d for d in ALL.values() if d.is_quantized)

_BY_NAME: dict[str, DType] = dict(ALL)
for _alias, _name in _ALIASES.items():
    _BY_NAME[_alias] = ALL[_name]
    _BY_NAME[_alias + "_ref"] = ALL[_name + "_ref"]

_BY_NUMPY: dict[Any, DType] = {
    d.numpy: d for d in _BY_ENUM.values() if d.name != "bfloat16" and not d.is_ref and d.numpy is not None
}
_BY_NUMPY[_BFLOAT16] = bfloat16
_BY_NUMPY[np.dtype(np.longlong)] = int64
_BY_NUMPY[np.dtype(np.ulonglong)] = uint64

_BY_CLASS: dict[type, DType] = {kind.type: d for kind, d in _BY_NUMPY.items() if not kind.names}
_BY_CLASS.update(
    {
        builtins.float: float32,
        builtins.bool: bool,
        builtins.object: string,
        np.bytes_: string,
        np.str_: string,
        np.longlong: int64,
        np.ulonglong: uint64,
    }
)


def as_dtype(type_value: Any) -> DType:
    """The type of a name ("float32", "half"), a NumPy type, a Python type, an enum number or a DType.

    Raises:
        TypeError: it stands for none.
    """
    if isinstance(type_value, DType):
        return type_value
    dtype: DType | None = None
    if isinstance(type_value, str):
        dtype = _BY_NAME.get(type_value)
    elif isinstance(type_value, type):
        dtype = _BY_CLASS.get(type_value)
        if dtype is None and type_value.__name__ == "bfloat16" and type_value is numpy_bfloat16().type:
            dtype = bfloat16
    elif isinstance(type_value, np.dtype):
        dtype = _BY_NUMPY.get(type_value) or _BY_CLASS.get(type_value.type)
        if dtype is None and type_value.isnative is False:
            dtype = _BY_NUMPY.get(type_value.newbyteorder("="))
        if dtype is None and type_value.name == "bfloat16" and type_value == numpy_bfloat16():
            dtype = bfloat16
    elif isinstance(type_value, int):
        dtype = _BY_ENUM.get(type_value)
    if dtype is None:
        raise TypeError(f"Cannot convert value {type_value!r} to a TensorFlow DType.")
    return dtype


def bfloat16_bits(values: Any) -> np.ndarray[Any, Any]:
    """float32 values as an array of bfloat16, rounded to the nearest, ties to even (NaN stays NaN)."""
    kind = numpy_bfloat16()
    if not kind.names:
        return np.asarray(values, np.float32).astype(kind)
    wide = np.ascontiguousarray(values, np.float32)
    bits = wide.view(np.uint32)
    with np.errstate(over="ignore"):
        rounded = (bits + (((bits >> np.uint32(16)) & np.uint32(1)) + np.uint32(0x7FFF))) >> np.uint32(16)
    upper_bits = np.where(np.isnan(wide), np.uint32(0x7FC0), rounded).astype(np.uint16)
    return np.ascontiguousarray(upper_bits).view(_BFLOAT16).reshape(np.shape(values))


def bfloat16_values(array: Any) -> np.ndarray[Any, Any]:
    """The values of a bfloat16 array, as float32 (exact)."""
    if not array.dtype.names:
        return np.asarray(array).astype(np.float32)
    stored = np.ascontiguousarray(array)
    wide = stored["bfloat16"].astype(np.uint32) << np.uint32(16)
    return np.asarray(wide).view(np.float32).reshape(np.shape(array))


def runtime_name(dtype: DType) -> str:
    """The name in the messages of TF's runtime, which calls float32, float64 and float16 by their C names."""
    return {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name)
