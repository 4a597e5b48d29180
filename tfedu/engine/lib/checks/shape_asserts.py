"""`assert_shapes([(x, ("n", 3)), (y, ("n",))])`: checks that lengths of several tensors go together. No state.

What is known before a run is checked at once (ValueError), the rest in the run.
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
from .asserts import Assert, prefixed, tensors_among
from .type_asserts import assert_rank, assert_rank_at_least, assert_rank_in


class _Wanted(NamedTuple):
    """One tensor and what its lengths are to be; `innermost`: only the last ones are told."""

    x: Tensor
    innermost: bool
    actual: Any
    symbols: tuple[Any, ...]


@atomic
def assert_shapes(
    shapes: Any, data: list[Any] | None = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An operation that fails unless each tensor has the shape beside it.

    shapes: pairs (or a dictionary) of a tensor and its lengths: a number, a letter that must be the same length
    everywhere, None or "." for any length; "..." (Ellipsis) or "*" in front for any lengths before. A scalar counts as
    one length of 1.
    Raises: ValueError for what is known not to fit, and for a shape that is none.
    """
    message = message or ""
    pairs = list(shapes.items() if isinstance(shapes, dict) else shapes)
    with named(name, "assert_shapes", tensors_among(*[x for x, _ in pairs])):
        given = [(convert_to_tensor(x), shape) for x, shape in pairs if shape is not None]
        wanted = [_wanted(x, shape, message) for x, shape in given]
        ranks = [_rank_check(one, data, summarize, message, name) for one in wanted]
        sizes = _size_checks(wanted, data, summarize, message)
        with waiting_for([rank for rank in ranks if rank is not None]):
            return group(*sizes)  # type: ignore[no-any-return]


def _wanted(x: Tensor, shape: Any, message: str) -> _Wanted:
    if not hasattr(shape, "__iter__"):
        raise ValueError(
            error_text(
                f"{prefixed(message)}Tensor {x.name}.  Specified shape must be an iterable.  An iterable has the "
                f"attribute `__iter__` or `__getitem__`.  Received specified shape: {shape}"
            )
        )
    symbols = tuple(shape)
    open_at = [i for i, symbol in enumerate(symbols) if symbol is Ellipsis or _is_text(symbol, "*")]
    if any(open_at):
        raise ValueError(
            error_text(
                f"{prefixed(message)}Tensor {x.name} specified shape index {next(filter(None, open_at))}.  Symbol `...` or "
                "`*` for a variable number of unspecified dimensions is only allowed as the first entry"
            )
        )
    innermost = bool(open_at)
    return _Wanted(x, innermost, _lengths(x), (symbols[1:] if innermost else symbols) or (1,))


def _is_text(symbol: Any, text: str) -> bool:
    return isinstance(symbol, str) and symbol == text


def _lengths(x: Tensor) -> Any:
    """The tensor's lengths: numbers where they are known, else scalars of a run."""
    dynamic = array.shape(x)
    known = x.raw_shape
    if known is None:
        scalar = math.equal(array.rank(x), 0)
        return cond(scalar, lambda: convert_to_tensor([1]), lambda: dynamic)
    return [dynamic[i] if size is None else size for i, size in enumerate(known)] if known else [1]


def _rank_check(
    one: _Wanted, data: list[Any] | None, summarize: int | None, message: str, name: str | None
) -> Operation | None:
    count = len(one.symbols)
    rest: dict[str, Any] = {"data": data, "summarize": summarize, "message": message, "name": name}
    if count > 1:
        check = assert_rank_at_least if one.innermost else assert_rank
        return check(one.x, count, **rest)
    return None if one.innermost else assert_rank_in(one.x, [0, 1], **rest)


def _number(size: Any) -> int | None:
    """The length as a number, None where it is a letter or a tensor."""
    try:
        return int(size)
    except (TypeError, ValueError):
        return None


def _size_checks(
    wanted: Iterable[_Wanted], data: list[Any] | None, summarize: int | None, message: str
) -> list[Operation]:
    checks = []
    first_seen: dict[Any, tuple[Any, str]] = {}
    for one in wanted:
        for i, symbol in enumerate(one.symbols):
            if symbol is None or _is_text(symbol, "."):
                continue
            dim = i - len(one.symbols) if one.innermost else i
            actual = one.actual[dim]
            told = _number(symbol)
            if told is not None:
                size, source = told, "Specified explicitly"
            elif symbol in first_seen:
                size, source = first_seen[symbol]
            else:
                first_seen[symbol] = actual, f"Specified by tensor {one.x.name} dimension {dim}"
                continue
            if isinstance(actual, int) and isinstance(size, int):
                if actual != size:
                    raise ValueError(
                        error_text(
                            f"{prefixed(message)}{source}.  Tensor {one.x.name} dimension {dim} must have size {size}.  Received "
                            f"size {actual}, shape {one.x.shape}",
                            [one.x],
                        )
                    )
                continue
            fits = math.equal(convert_to_tensor(actual), convert_to_tensor(size))
            shown = data
            if shown is None:
                shown = [
                    message, source, f"Tensor {one.x.name} dimension", dim, "must have size", size, "Received shape: ",
                    array.shape(one.x),
                ]  # fmt: skip
            checks.append(Assert(fits, shown, summarize=summarize))
    return checks


__all__ = ["assert_shapes"]
