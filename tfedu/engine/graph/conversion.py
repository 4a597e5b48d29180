"""`convert_to_tensor(value)`: from anything that stands for a tensor to the tensor.

Higher layers register how their classes convert; constants are registered by `ops/convert.py`.
State: `_registry`, entries (priority, order, type, function), asked in that order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtypes import DType, as_dtype
from .nodes import Tensor

ConversionFunction = Callable[..., Any]

_registry: list[tuple[int, int, type | tuple[type, ...], ConversionFunction]] = []
_by_type: dict[type, list[ConversionFunction]] = {}


def register_tensor_conversion_function(
    base_type: type | tuple[type, ...], conversion_func: ConversionFunction, priority: int = 100
) -> None:
    """Lets `conversion_func(value, dtype, name, as_ref)` convert instances of `base_type`; lower priority is asked first.

    The function may return NotImplemented to pass the value on.
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not types or not all(isinstance(t, type) for t in types):
        raise TypeError("base_type must be a type or a tuple of types.")
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _registry.append((priority, len(_registry), base_type, conversion_func))
    _registry.sort(key=lambda entry: entry[:2])
    _by_type.clear()


def _functions_for(kind: type) -> list[ConversionFunction]:
    functions = _by_type.get(kind)
    if functions is None:
        functions = _by_type[kind] = [f for _, _, base, f in _registry if issubclass(kind, base)]
    return functions


def convert_to_tensor(
    value: Any,
    dtype: Any = None,
    name: str | None = None,
    preferred_dtype: Any = None,
    as_ref: bool = False,
    dtype_hint: Any = None,
) -> Tensor:
    """The tensor that `value` stands for; Python and NumPy values become constants.

    Raises: ValueError when a tensor's dtype differs from the asked one, TypeError when nothing converts the value.
    """
    wanted: DType | None = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Tensor):
        return _checked(value, wanted, value)
    if preferred_dtype is None:
        preferred_dtype = dtype_hint
    preferred = None if preferred_dtype is None else as_dtype(preferred_dtype)
    for function in _functions_for(type(value)):
        converted: Any = NotImplemented
        if wanted is None and preferred is not None:
            try:
                converted = function(value, dtype=preferred, name=name, as_ref=as_ref)
            except (TypeError, ValueError):
                # The preference does not fit: let the value choose.
                converted = NotImplemented
        if converted is NotImplemented:
            converted = function(value, dtype=wanted, name=name, as_ref=as_ref)
        if converted is NotImplemented:
            continue
        return _checked(converted, wanted, value)
    raise TypeError(
        f"Cannot convert {value!r} with type {type(value)} to Tensor: no conversion function registered."
    )


def _checked(tensor: Any, wanted: DType | None, value: Any) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise RuntimeError(f"Conversion function for {value!r} returned {tensor!r}, which is not a Tensor.")
    if wanted is not None and wanted is not tensor.dtype and not wanted.is_compatible_with(tensor.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype {tensor.dtype.name}: {str(tensor)!r}"
        )
    return tensor
