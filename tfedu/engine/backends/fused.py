"""Elementwise formulas as one loop over their arrays, compiled by Numba where it is installed (`pip install tfedu[fast]`).

NumPy passes over the arrays once for each operation of a formula. A loop that Numba compiles reads and writes each element
once, with the same bits: nothing in it is reordered or contracted. Compilation takes the better part of a second, so a
formula is compiled after so much work that it pays. State: the elements that each loop has processed.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

# The number of elements for which NumPy takes about as long as the compiler takes for the loop.
WORTH = 1 << 28


@functools.cache
def compiler() -> Callable[..., Any] | None:
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
    """The loop of one formula: new values of `state_size` numbers, from these, the gradient's and the rest."""

    def __init__(self, formula: Callable[..., Any], state_size: int) -> None:
        self._formula, self._state_size = formula, state_size
        self._processed = 0

    @functools.cached_property
    def _run(self) -> Callable[..., None] | None:
        compiled = compiler()
        return None if compiled is None else compiled(_LOOPS[self._state_size](compiled(self._formula)))

    def ran(self, arrays: Sequence[Any], gradient: Any, rest: tuple[Any, ...]) -> bool:
        """Changes the arrays in place; False where the caller has to do it.

        gradient: of the arrays' shape and dtype. rest: the other arguments of the formula, single numbers and booleans.
        """
        if self._processed < WORTH:
            self._processed += gradient.size
            return False
        pieces = [*arrays, gradient]
        if self._run is None or gradient.dtype.char not in "fd" or not all(p.flags.c_contiguous for p in pieces):
            return False
        if gradient.ndim != 1:
            *arrays, gradient = [piece.reshape(-1) for piece in pieces]
        self._run(tuple(arrays), gradient, rest)
        return True


def _one(formula: Any) -> Any:
    def run(state: Any, gradient: Any, rest: Any) -> None:
        (a,) = state
        for i in range(gradient.size):
            (a[i],) = formula(a[i], gradient[i], *rest)

    return run


def _two(formula: Any) -> Any:
    def run(state: Any, gradient: Any, rest: Any) -> None:
        a, b = state
        for i in range(gradient.size):
            a[i], b[i] = formula(a[i], b[i], gradient[i], *rest)

    return run


def _three(formula: Any) -> Any:
    def run(state: Any, gradient: Any, rest: Any) -> None:
        a, b, c = state
        for i in range(gradient.size):
            a[i], b[i], c[i] = formula(a[i], b[i], c[i], gradient[i], *rest)

    return run


def _four(formula: Any) -> Any:
    def run(state: Any, gradient: Any, rest: Any) -> None:
        a, b, c, d = state
        for i in range(gradient.size):
            a[i], b[i], c[i], d[i] = formula(a[i], b[i], c[i], d[i], gradient[i], *rest)

    return run


# Numba has no tuple whose length is only known while it compiles.
_LOOPS = {1: _one, 2: _two, 3: _three, 4: _four}
