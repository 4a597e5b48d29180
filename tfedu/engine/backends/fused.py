"""Elementwise formulas as one loop over their arrays, compiled by Numba where it is installed (`pip install tfedu[fast]`).

NumPy takes every operation of a formula over the arrays by itself. A loop that Numba compiles reads and writes each element
once, and gives the same bits: nothing in it is reordered or contracted. To compile it takes the better part of a second,
so that happens once a formula has had about as much work as pays for it. State: how much work each loop has seen.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

# So many elements take NumPy about as long as the compiler takes for the loop.
WORTH = 1 << 28


@functools.cache
def _compiler() -> Callable[..., Any] | None:
    """Numba's, by NumPy's rules for a division by zero; None where it is not installed, or cannot be loaded (a warning)."""
    try:
        import numba
    except ModuleNotFoundError:
        return None
    except ImportError as error:  # Numba refuses a NumPy that is too new for it
        warnings.warn(f"Training steps go on without Numba, which cannot be loaded: {error}", RuntimeWarning, stacklevel=2)
        return None
    return numba.njit(error_model="numpy")  # type: ignore[no-any-return]


class Loop:
    """The loop of one formula. It takes `held` numbers, then the gradient's, then the rest; it gives the `held` anew."""

    def __init__(self, formula: Callable[..., Any], held: int) -> None:
        self._formula, self._held = formula, held
        self._seen = 0

    @functools.cached_property
    def _run(self) -> Callable[..., None] | None:
        compiler = _compiler()
        return None if compiler is None else compiler(_LOOPS[self._held](compiler(self._formula)))

    def ran(self, arrays: Sequence[Any], gradient: Any, rest: tuple[Any, ...]) -> bool:
        """Whether the loop changed the arrays in place; if not, it is the caller's to do so.

        gradient: of the arrays' shape and dtype. rest: what else the formula takes, single numbers and truth values.
        """
        if self._seen < WORTH:
            self._seen += gradient.size
            return False
        pieces = [*arrays, gradient]
        if self._run is None or gradient.dtype.char not in "fd" or not all(p.flags.c_contiguous for p in pieces):
            return False
        if gradient.ndim != 1:
            *arrays, gradient = [piece.reshape(-1) for piece in pieces]
        self._run(tuple(arrays), gradient, rest)
        return True


def _one(formula: Any) -> Any:
    def run(held: Any, gradient: Any, rest: Any) -> None:
        (a,) = held
        for i in range(gradient.size):
            (a[i],) = formula(a[i], gradient[i], *rest)

    return run


def _two(formula: Any) -> Any:
    def run(held: Any, gradient: Any, rest: Any) -> None:
        a, b = held
        for i in range(gradient.size):
            a[i], b[i] = formula(a[i], b[i], gradient[i], *rest)

    return run


def _three(formula: Any) -> Any:
    def run(held: Any, gradient: Any, rest: Any) -> None:
        a, b, c = held
        for i in range(gradient.size):
            a[i], b[i], c[i] = formula(a[i], b[i], c[i], gradient[i], *rest)

    return run


def _four(formula: Any) -> Any:
    def run(held: Any, gradient: Any, rest: Any) -> None:
        a, b, c, d = held
        for i in range(gradient.size):
            a[i], b[i], c[i], d[i] = formula(a[i], b[i], c[i], d[i], gradient[i], *rest)

    return run


# Numba has no tuple whose length is only known while it compiles.
_LOOPS = {1: _one, 2: _two, 3: _three, 4: _four}
