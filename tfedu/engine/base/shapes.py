"""Shapes that may be partly known: merge, broadcast and print them.

Inside the engine a shape is raw: a tuple of `int | None`, or None where even the rank is unknown. `TensorShape` and
`Dimension` are the public faces of the same thing (`TensorShape.raw`, `TensorShape.of(raw)`). No state.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeGuard, overload

from .dtypes import DType

Shape: TypeAlias = "tuple[int | None, ...] | None"


class ShapeMismatch(Exception):
    """Two shapes do not fit; the text is TF's own, `fix` a line of advice where it is surely right."""

    def __init__(self, text: str, fix: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.fix = fix


# Shape shapes.


def merge(a: Shape, b: Shape) -> Shape:
    """The shape that agrees with both shapes: (2, ?) and (?, 3) give (2, 3).

    Raises:
        ShapeMismatch: they cannot be the same.
    """
    if a is b or b is None:
        return a
    if a is None:
        return b
    if a == b:
        return a
    if len(a) != len(b):
        raise ShapeMismatch(f"Shapes must be equal rank, but are {len(a)} and {len(b)}")
    merged: list[int | None] = []
    for i, (p, q) in enumerate(zip(a, b)):
        if p is None:
            merged.append(q)
        elif q is None or p == q:
            merged.append(p)
        else:
            raise ShapeMismatch(
                f"Dimension {i} in both shapes must be equal, but are {p} and {q}. "
                f"Shapes are {fmt(a)} and {fmt(b)}."
            )
    return tuple(merged)


def is_compatible(a: Shape, b: Shape) -> bool:
    """Whether some fully known shape is both `a` and `b`."""
    if a is None or b is None or a == b:
        return True
    if len(a) != len(b):
        return False
    return all(p is None or q is None or p == q for p, q in zip(a, b))


def broadcast(a: Shape, b: Shape) -> Shape:
    """The shape of an elementwise result: 1 stretches, an unknown length may be 1 or the other's.

    Raises:
        ShapeMismatch: two known lengths differ and neither is 1.
    """
    if a == b and (a is None or None not in a):
        return a
    if a is None or b is None:
        return None
    if not b:
        return a
    if not a:
        return b
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    lead = len(longer) - len(shorter)
    out = list(longer[:lead])
    for p, q in zip(a[len(a) - len(shorter) :], b[len(b) - len(shorter) :]):
        if p is None or q is None:
            # A known length above 1 wins: at run time the unknown one can only be 1 or that length.
            size = q if p is None else p
            out.append(size if size is not None and size > 1 else None)
        elif p == q or q == 1:
            out.append(p)
        elif p == 1:
            out.append(q)
        else:
            raise ShapeMismatch(f"Dimensions must be equal, but are {p} and {q}")
    return tuple(out)


def num_elements(shape: Shape) -> int | None:
    """The number of elements, or None where a part of the shape is unknown."""
    if shape is None:
        return None
    count = 1
    for size in shape:
        if size is None:
            return None
        count *= size
    return count


def is_full(shape: Shape) -> TypeGuard[tuple[int, ...]]:
    """Whether the rank and every length are known."""
    return shape is not None and None not in shape


def fmt(shape: Shape) -> str:
    """The shape as TF's error texts write it: `[2,?]`, and `?` for an unknown rank."""
    if shape is None:
        return "?"
    return "[" + ",".join("?" if size is None else str(size) for size in shape) + "]"


def as_raw(value: Any) -> Shape:
    """The raw shape of a list, a tuple, an int, a TensorShape, None or a shape message.

    Raises:
        TypeError, ValueError: it stands for none.
    """
    if value is None:
        return None
    if isinstance(value, tuple | list):
        sizes = []
        for size in value:
            if size is None or (type(size) is int and size >= 0):
                sizes.append(size)
            else:
                sizes.append(_size(size))
        return tuple(sizes)
    if isinstance(value, TensorShape):
        return value.raw
    if isinstance(value, str | bytes):
        raise TypeError(
            "A string has ambiguous TensorShape, please wrap in a list or convert to an int: "
            f"{value if isinstance(value, str) else value.decode(errors='replace')}"
        )
    unknown = getattr(value, "unknown_rank", None)
    if unknown is not None:
        return None if unknown else tuple(None if part.size == -1 else _size(part.size) for part in value.dim)
    if isinstance(value, Dimension):
        return (value.value,)
    try:
        items = iter(value)
    except TypeError:
        return (_size(value),)
    return tuple(_size(item) for item in items)


def _size(value: Any) -> int | None:
    """One length, None for an unknown one."""
    if value is None:
        return None
    if isinstance(value, Dimension):
        return value.value
    if isinstance(value, DType):
        raise TypeError(f"Cannot convert {value} to Dimension")
    size = int(value)
    if not isinstance(value, str | bytes) and size != value:
        raise ValueError(f"Ambiguous dimension: {value}")
    if size < 0:
        raise ValueError(f"Dimension {size} must be >= 0")
    return size


# The public faces.


class Dimension:
    """One length of a shape, perhaps unknown. Arithmetic and comparison with an unknown length give an unknown answer."""

    __slots__ = ("_value",)

    _value: int | None

    def __init__(self, value: Any) -> None:
        self._value = _size(value)

    @property
    def value(self) -> int | None:
        return self._value

    def __repr__(self) -> str:
        return f"Dimension({self._value!r})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def _compare(self, other: Any, test: Callable[[int, int], bool]) -> Any:
        size = _size(other)
        return None if self._value is None or size is None else test(self._value, size)

    def __eq__(self, other: object) -> Any:
        try:
            return self._compare(other, operator.eq)
        except (TypeError, ValueError):
            return NotImplemented

    def __ne__(self, other: object) -> Any:
        try:
            return self._compare(other, operator.ne)
        except (TypeError, ValueError):
            return NotImplemented

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compare(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, operator.ge)

    __hash__ = None  # type: ignore[assignment]  # equality may be unknown, so there can be no hash

    def __int__(self) -> Any:
        return self._value

    def __index__(self) -> Any:
        return self._value

    def is_compatible_with(self, other: Any) -> Any:
        try:
            size = _size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._value is None or size is None or self._value == size

    def assert_is_compatible_with(self, other: Any) -> None:
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """The length that is known from either. Raises ValueError where both are known and differ."""
        other = as_dimension(other)
        self.assert_is_compatible_with(other)
        return Dimension(other if self._value is None else self)

    def _arithmetic(self, other: Any, compute: Callable[[int, int], int]) -> Any:
        size = _size(other)
        return Dimension(None if self._value is None or size is None else compute(self._value, size))

    def _arithmetic_or_other(self, other: Any, compute: Callable[[int, int], int]) -> Any:
        """As `_arithmetic`; the other operand's method decides what is no length."""
        try:
            _size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._arithmetic(other, compute)

    # As in 1.x, + - * // leave the decision to the other operand where it is no length, and the others raise.

    def __add__(self, other: Any) -> Any:
        return self._arithmetic_or_other(other, operator.add)

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __sub__(self, other: Any) -> Any:
        return self._arithmetic_or_other(other, operator.sub)

    def __rsub__(self, other: Any) -> Any:
        return as_dimension(other)._arithmetic(self, operator.sub)

    def __mul__(self, other: Any) -> Any:
        return self._arithmetic_or_other(other, operator.mul)

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __floordiv__(self, other: Any) -> Any:
        return self._arithmetic_or_other(other, operator.floordiv)

    def __rfloordiv__(self, other: Any) -> Any:
        return as_dimension(other)._arithmetic(self, operator.floordiv)

    def __mod__(self, other: Any) -> Any:
        return self._arithmetic(other, operator.mod)

    def __rmod__(self, other: Any) -> Any:
        return as_dimension(other)._arithmetic(self, operator.mod)

    def __truediv__(self, other: Any) -> Any:
        raise TypeError(
            f"unsupported operand type(s) for /: 'Dimension' and '{type(other).__name__}', "
            "please use // instead"
        )

    def __rtruediv__(self, other: Any) -> Any:
        raise TypeError(
            f"unsupported operand type(s) for /: '{type(other).__name__}' and 'Dimension', "
            "please use // instead"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Dimension, (self._value,)


def as_dimension(value: Any) -> Dimension:
    """`value` as a Dimension."""
    return value if isinstance(value, Dimension) else Dimension(value)


def dimension_value(dimension: Any) -> Any:
    """The int or None in a Dimension; anything else unchanged."""
    return dimension.value if isinstance(dimension, Dimension) else dimension


def dimension_at_index(shape: TensorShape, index: int) -> Dimension:
    """The dimension at `index`, unknown where the rank is."""
    return Dimension(None) if shape.raw is None else shape.dimensions[index]


class TensorShape:
    """The shape of a tensor, perhaps partly known: a sequence of Dimensions, or of unknown rank."""

    __slots__ = ("raw",)

    raw: Shape

    def __init__(self, dims: Any) -> None:
        self.raw = as_raw(dims)

    @classmethod
    def of(cls, raw: Shape) -> TensorShape:
        """The public form of a raw shape, without a check."""
        shape = cls(None)
        shape.raw = raw
        return shape

    @property
    def dimensions(self) -> list[Dimension]:
        """The Dimensions; ValueError where the rank is unknown."""
        return list(self)

    @property
    def dims(self) -> list[Dimension] | None:
        """The Dimensions, None where the rank is unknown."""
        return None if self.raw is None else [Dimension(size) for size in self.raw]

    @property
    def rank(self) -> int | None:
        return None if self.raw is None else len(self.raw)

    @property
    def ndims(self) -> int | None:
        return None if self.raw is None else len(self.raw)

    def __repr__(self) -> str:
        return f"TensorShape({self.dims!r})"

    def __str__(self) -> str:
        if self.raw is None:
            return "<unknown>"
        sizes = ["?" if size is None else str(size) for size in self.raw]
        return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"

    def __len__(self) -> int:
        if self.raw is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self.raw)

    def __bool__(self) -> bool:
        return self.raw is not None

    def __iter__(self) -> Iterator[Dimension]:
        if self.raw is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter([Dimension(size) for size in self.raw])

    @overload
    def __getitem__(self, key: slice) -> TensorShape: ...
    @overload
    def __getitem__(self, key: Any) -> Dimension: ...
    def __getitem__(self, key: Any) -> TensorShape | Dimension:
        if self.raw is not None:
            if isinstance(key, slice):
                return TensorShape.of(self.raw[key])
            return Dimension(list(self.raw)[key])  # a list, for its IndexError
        if not isinstance(key, slice):
            return Dimension(None)
        start = key.start if key.start is not None else 0
        stop = key.stop
        if key.step is not None:
            raise ValueError("Steps are not yet handled")
        if stop is None or start < 0 or stop < 0:
            # The number of lengths in the slice depends on the rank.
            return unknown_shape()
        return unknown_shape(max(stop - start, 0))

    def num_elements(self) -> int | None:
        return num_elements(self.raw)

    def is_fully_defined(self) -> bool:
        return is_full(self.raw)

    def as_list(self) -> list[int | None]:
        if self.raw is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self.raw)

    def merge_with(self, other: Any) -> TensorShape:
        """What is known from either shape. Raises ValueError where they cannot be the same."""
        other = as_shape(other)
        if not is_compatible(self.raw, other.raw):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        return TensorShape.of(merge(self.raw, other.raw))

    def concatenate(self, other: Any) -> TensorShape:
        """The lengths of this shape, then those of the other; unknown where either's rank is."""
        other = as_shape(other)
        if self.raw is None or other.raw is None:
            return unknown_shape()
        return TensorShape.of(self.raw + other.raw)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def __concat__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def is_compatible_with(self, other: Any) -> bool:
        return is_compatible(self.raw, as_raw(other))

    def assert_is_compatible_with(self, other: Any) -> None:
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def assert_same_rank(self, other: Any) -> None:
        other = as_shape(other)
        if self.raw is not None and other.raw is not None and len(self.raw) != len(other.raw):
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def assert_has_rank(self, rank: int) -> None:
        if self.raw is not None and len(self.raw) != rank:
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_is_fully_defined(self) -> None:
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, known to have that rank. Raises ValueError where it has another."""
        try:
            return self.merge_with(unknown_shape(rank))
        except ValueError:
            raise ValueError(f"Shape {self} must have rank {rank}") from None

    def with_rank_at_least(self, rank: int) -> TensorShape:
        if self.raw is not None and len(self.raw) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        if self.raw is not None and len(self.raw) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The narrowest shape that is compatible with both: lengths that differ become unknown."""
        other = as_shape(other)
        if self.raw is None or other.raw is None or len(self.raw) != len(other.raw):
            return unknown_shape()
        return TensorShape.of(
            tuple(p if p is not None and p == q else None for p, q in zip(self.raw, other.raw))
        )

    def __eq__(self, other: object) -> bool:
        # An unknown length equals nothing but itself, as in TF 1.x, where lengths compare to None.
        try:
            raw = as_raw(other)
        except TypeError:
            return NotImplemented
        return self.raw is raw or (self.raw == raw and raw is not None and None not in raw)

    def __ne__(self, other: object) -> bool:
        try:
            raw = as_raw(other)
        except TypeError:
            return NotImplemented
        if self.raw is None or raw is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return self.raw is not raw and (self.raw != raw or None in raw)

    def __hash__(self) -> int:
        return hash(self.raw)

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self.dims,)


def as_shape(shape: Any) -> TensorShape:
    """`shape` as a TensorShape."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(rank: int | None = None) -> TensorShape:
    """A shape of unknown rank, or with unknown lengths for a known rank."""
    return TensorShape.of(None if rank is None else (None,) * rank)


def scalar() -> TensorShape:
    return TensorShape.of(())


def vector(length: Any) -> TensorShape:
    return TensorShape([length])


def matrix(rows: Any, cols: Any) -> TensorShape:
    return TensorShape([rows, cols])
