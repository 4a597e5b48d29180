"""`assert_shapes([(x, ("n", 3)), (y, ("n",))])`: checks that the shapes of several tensors fit together. No state.

A statically known violation raises ValueError at once; the rest is checked in the run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..control.cond import cond
from ..control.grouping import group
from ..framework.scope_blocks import named, waiting_for
from ..math import math
from .asserts import Assert, message_prefix, tensors_among
from .type_asserts import assert_rank, assert_rank_at_least, assert_rank_in


class _ShapeSpec(NamedTuple):
    """A tensor and its required sizes.

    innermost: `symbols` are the last sizes only. actual: the sizes, ints where they are static. symbols: the required
    sizes.
    """

    x: Tensor
    innermost: bool
    actual: Any
    symbols: tuple[Any, ...]


@atomic
def assert_shapes(
    shapes: Any, data: list[Any] | None = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An operation that fails unless each tensor has the required shape, such as ["n", 3].

    shapes: pairs (or a dictionary) of a tensor and its sizes: a number; a letter, for one size everywhere; None or
    "." for any size; "..." (Ellipsis) or "*" in front for any leading sizes. A scalar counts as one size of 1.

    Raises: ValueError for a statically known violation and for an invalid shape.
    """
    message = message or ""
    pairs = list(shapes.items() if isinstance(shapes, dict) else shapes)
    with named(name, "assert_shapes", tensors_among(*[x for x, _ in pairs])):
        specified = [(convert_to_tensor(x), shape) for x, shape in pairs if shape is not None]
        specs = [_parse_shape(x, shape, message) for x, shape in specified]
        ranks = [_check_rank(spec, data, summarize, message, name) for spec in specs]
        sizes = _check_sizes(specs, data, summarize, message)
        with waiting_for([rank for rank in ranks if rank is not None]):
            return group(*sizes)  # type: ignore[no-any-return]


def _parse_shape(x: Tensor, shape: Any, message: str) -> _ShapeSpec:
    if not hasattr(shape, "__iter__"):
        raise ValueError(
            error_text(
                f"{message_prefix(message)}Tensor {x.name}.  Specified shape must be an iterable.  An iterable has the "
                f"attribute `__iter__` or `__getitem__`.  Received specified shape: {shape}"
            )
        )
    symbols = tuple(shape)
    dots = [i for i, symbol in enumerate(symbols) if symbol is Ellipsis or _is_text(symbol, "*")]
    if any(dots):
        raise ValueError(
            error_text(
                f"{message_prefix(message)}Tensor {x.name} specified shape index {next(filter(None, dots))}.  Symbol `...` or "
                "`*` for a variable number of unspecified dimensions is only allowed as the first entry"
            )
        )
    innermost = bool(dots)
    return _ShapeSpec(x, innermost, _actual_sizes(x), (symbols[1:] if innermost else symbols) or (1,))


def _is_text(symbol: Any, text: str) -> bool:
    return isinstance(symbol, str) and symbol == text


def _actual_sizes(x: Tensor) -> Any:
    """The tensor's sizes: ints where they are static, else scalar tensors."""
    dynamic = array.shape(x)
    known = x.raw_shape
    if known is None:
        scalar = math.equal(array.rank(x), 0)
        return cond(scalar, lambda: convert_to_tensor([1]), lambda: dynamic)
    return [dynamic[i] if size is None else size for i, size in enumerate(known)] if known else [1]


def _check_rank(
    spec: _ShapeSpec, data: list[Any] | None, summarize: int | None, message: str, name: str | None
) -> Operation | None:
    count = len(spec.symbols)
    options: dict[str, Any] = {"data": data, "summarize": summarize, "message": message, "name": name}
    if count > 1:
        check = assert_rank_at_least if spec.innermost else assert_rank
        return check(spec.x, count, **options)
    return None if spec.innermost else assert_rank_in(spec.x, [0, 1], **options)


def _as_int(size: Any) -> int | None:
    """The size as an int, None for a letter or a tensor."""
    try:
        return int(size)
    except (TypeError, ValueError):
        return None


def _check_sizes(
    specs: Iterable[_ShapeSpec], data: list[Any] | None, summarize: int | None, message: str
) -> list[Operation]:
    checks = []
    size_of_symbol: dict[Any, tuple[Any, str]] = {}
    for spec in specs:
        for i, symbol in enumerate(spec.symbols):
            if symbol is None or _is_text(symbol, "."):
                continue
            dim = i - len(spec.symbols) if spec.innermost else i
            actual = spec.actual[dim]
            required = _as_int(symbol)
            if required is not None:
                size, source = required, "Specified explicitly"
            elif symbol in size_of_symbol:
                size, source = size_of_symbol[symbol]
            else:
                size_of_symbol[symbol] = actual, f"Specified by tensor {spec.x.name} dimension {dim}"
                continue
            if isinstance(actual, int) and isinstance(size, int):
                if actual != size:
                    raise ValueError(
                        error_text(
                            f"{message_prefix(message)}{source}.  Tensor {spec.x.name} dimension {dim} must have size {size}.  "
                            f"Received size {actual}, shape {spec.x.shape}",
                            [spec.x],
                        )
                    )
                continue
            fits = math.equal(convert_to_tensor(actual), convert_to_tensor(size))
            assert_data = data
            if assert_data is None:
                assert_data = [
                    message, source, f"Tensor {spec.x.name} dimension", dim, "must have size", size, "Received shape: ",
                    array.shape(spec.x),
                ]  # fmt: skip
            checks.append(Assert(fits, assert_data, summarize=summarize))
    return checks


__all__ = ["assert_shapes"]
