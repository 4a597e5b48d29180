"""`convert_to_tensor(value)`: the tensor of anything that can be one.

Higher layers register how their classes convert; `op/constant.py` registers constants.
State: `_registry`, entries (priority, order, type, function), tried in that order; `_by_type`, the functions for each class met.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtypes import DType, as_dtype
from ..base.errors import error_text
from .nodes import Tensor

ConversionFunction = Callable[..., Any]

_registry: list[tuple[int, int, type | tuple[type, ...], ConversionFunction]] = []
_by_type: dict[type, list[tuple[Any, ConversionFunction]]] = {}


def register_tensor_conversion_function(
    base_type: type | tuple[type, ...], conversion_func: ConversionFunction, priority: int = 100
) -> None:
    """Lets `conversion_func(value, dtype, name, as_ref)` convert instances of `base_type`; lower priorities are tried first.

    The function may return NotImplemented to pass the value on.
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not types or not all(isinstance(t, type) for t in types):
        raise TypeError(error_text("base_type must be a type or a tuple of types."))
    if not callable(conversion_func):
        raise TypeError(error_text("conversion_func must be callable."))
    _registry.append((priority, len(_registry), base_type, conversion_func))
    _registry.sort(key=lambda entry: entry[:2])
    _by_type.clear()


def _functions_for(kind: type) -> list[tuple[Any, ConversionFunction]]:
    functions = _by_type.get(kind)
    if functions is None:
        functions = _by_type[kind] = [(base, f) for _, _, base, f in _registry if issubclass(kind, base)]
    return functions


def convert_to_tensor(
    value: Any,
    dtype: Any = None,
    name: str | None = None,
    preferred_dtype: Any = None,
    as_ref: bool = False,
    dtype_hint: Any = None,
) -> Tensor:
    """The tensor that `value` is or becomes; Python and NumPy values become constants.

    Raises: ValueError when a tensor's dtype differs from the requested one, TypeError when nothing converts the value.
    """
    wanted: DType | None = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Tensor):
        if wanted is not None and wanted is not value.dtype and not wanted.is_compatible_with(value.dtype):
            text = (
                f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype {value.dtype.name}: {value!r}"
            )
            raise ValueError(error_text(text))
        return value
    if preferred_dtype is None:
        preferred_dtype = dtype_hint
    preferred = None if preferred_dtype is None else as_dtype(preferred_dtype)
    for base, function in _functions_for(type(value)):
        converted: Any = None
        if wanted is None and preferred is not None:
            try:
                converted = function(value, dtype=preferred, name=name, as_ref=as_ref)
            except (TypeError, ValueError):
                # The preference does not fit: let the value choose.
                converted = None
            else:
                if converted is not NotImplemented and converted.dtype.base_dtype is not preferred.base_dtype:
                    text = (
                        f"convert_to_tensor did not convert to the preferred dtype: {converted.dtype.base_dtype} vs "
                        f"{preferred.base_dtype} "
                    )
                    raise TypeError(error_text(text))
        if converted is None:
            converted = function(value, dtype=wanted, name=name, as_ref=as_ref)
        if converted is NotImplemented:
            continue
        if not isinstance(converted, Tensor):
            text = f"{_of(name)}Conversion function {function!r} for type {base} returned non-Tensor: {converted!r}"
            raise RuntimeError(error_text(text))
        if wanted is not None and not wanted.is_compatible_with(converted.dtype):
            text = (
                f"{_of(name)}Conversion function {function!r} for type {base} returned incompatible dtype: requested = "
                f"{wanted.name}, actual = {converted.dtype.name}"
            )
            raise RuntimeError(error_text(text))
        return converted
    text = f"{_of(name)}Cannot convert {value!r} with type {type(value)} to Tensor: no conversion function registered."
    raise TypeError(error_text(text))


def _of(name: str | None) -> str:
    return "" if name is None else f"{name}: "
