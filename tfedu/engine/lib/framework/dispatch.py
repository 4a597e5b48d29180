"""`@takes_ragged`: a public function of dense tensors that also takes ragged ones, by a rule of `lib/ragged`.

The function itself is called first, and what it takes costs no more than that call. Only when it refuses its arguments is its
rule asked, as in TensorFlow. State: the rules, one a function; importing `lib/ragged` fills them in, without which no program
has a ragged tensor.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

# The public functions that ask for a rule, and the rules. A rule gets the call's arguments and returns NotImplemented when
# they hold no ragged tensor where the function may have one.
takers: list[Callable[..., Any]] = []
rules: dict[Callable[..., Any], Callable[..., Any]] = {}


def takes_ragged(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which asks its rule when it refuses its arguments."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError) as error:
            if call not in rules:
                raise
            refusal = error
        # Outside of the block, so that an error of the rule does not appear as one that happened while the first was handled.
        try:
            result: Any = rules[call](*args, **kwargs)
            if result is NotImplemented:
                raise refusal
            return result  # type: ignore[no-any-return]
        finally:
            del refusal

    takers.append(call)
    return call
