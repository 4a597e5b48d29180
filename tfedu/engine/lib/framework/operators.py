"""`x + y`, `x[1:]`, `-x` and the other operators of tensors; `attach(Variable)` adds them to a class of a higher
layer.

`x * 2` builds `mul/y` and `mul`: a Python number takes the dtype of the tensor beside it. `==` stays identity. No
state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ..arrays import slicing
from ..math import math, products
from .scope_blocks import named


class _HasOwnOperator(Exception):
    """The other operand is not convertible to a tensor but defines the reflected operator."""


def _tensor(x: Any) -> Tensor:
    return x if type(x) is Tensor else convert_to_tensor(x)


def _pair(
    function: Callable[..., Any], name: str, several: bool = False
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`x op y` and its reflection; the node is called `name`, a number beside it `name/y` or `name/x`.

    several: the function builds several nodes, which all go into the scope.
    """

    def operate(x: Any, y: Any) -> Any:
        x = _tensor(x)
        kind = type(y)
        if not several and (kind is Tensor or _accepts_number(x.dtype, kind)):
            # The op converts the number itself, under the same name.
            try:
                return function(x, y, name=name)
            except ValueError:
                if kind is Tensor:
                    raise
        try:
            return converted(x, y)  # of a number that the op refused: the refusal, without the op's words
        except _HasOwnOperator:
            return NotImplemented

    @atomic
    def converted(x: Tensor, y: Any) -> Any:
        with named(None, name, [x, y]) as scope:
            try:
                y = convert_to_tensor(y, preferred_dtype=x.dtype.base_dtype, name="y")
            except TypeError:
                # An operand that is not a tensor may define the reflected operator itself.
                if hasattr(type(y), f"__r{name}__"):
                    raise _HasOwnOperator from None
                raise
            return function(x, y, name=scope)

    @atomic
    def reflected(y: Any, x: Any) -> Any:
        y = _tensor(y)
        with named(None, name, [x, y]) as scope:
            return function(convert_to_tensor(x, dtype=y.dtype.base_dtype, name="x"), y, name=scope)

    return operate, reflected


def _accepts_number(dtype: Any, python_type: type) -> bool:
    """Whether a Python number of this type converts to the dtype without loss of its kind."""
    if python_type is float:
        return bool(dtype.is_floating)
    return python_type is int and (
        dtype.is_floating or (dtype.is_integer and dtype.size > 2 and not dtype.is_unsigned)
    )


def _unary(function: Callable[..., Any]) -> Callable[..., Any]:
    def operate(x: Any) -> Any:
        return function(_tensor(x))

    return operate


def _comparison(function: Callable[..., Any]) -> Callable[..., Any]:
    def operate(x: Any, y: Any) -> Any:
        return function(_tensor(x), y)

    return operate


def _operators() -> dict[str, Callable[..., Any]]:
    methods: dict[str, Callable[..., Any]] = {}
    for name, function in (
        ("add", math.add_or_join), ("sub", math.subtract), ("mul", math.multiply), ("div", math.div),
        ("truediv", math.truediv), ("floordiv", math.floordiv), ("mod", math.floormod), ("pow", math.pow),
        ("matmul", products.matmul), ("and", math.logical_and), ("or", math.logical_or), ("xor", math.logical_xor),
    ):  # fmt: skip
        methods[f"__{name}__"], methods[f"__r{name}__"] = _pair(function, name, several=name == "xor")
    for name, function in (("neg", math.negative), ("abs", math.abs), ("invert", math.logical_not)):
        methods[f"__{name}__"] = _unary(function)
    for name, function in (
        ("lt", math.less), ("le", math.less_equal), ("gt", math.greater), ("ge", math.greater_equal),
    ):  # fmt: skip
        methods[f"__{name}__"] = _comparison(function)
    methods["__getitem__"] = slicing.getitem
    return methods


_OPERATORS = _operators()


def attach(cls: type) -> None:
    """Adds the operators of tensors to `cls`; they convert instances of `cls` to tensors first."""
    for name, function in _OPERATORS.items():
        setattr(cls, name, function)


attach(Tensor)
Tensor.OVERLOADABLE_OPERATORS = frozenset({*_OPERATORS, "__eq__", "__ne__"})  # type: ignore[attr-defined]
