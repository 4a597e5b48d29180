"""What a file may expand to: `import_graph_def(message, budget=Budget(bytes=1 << 32))`, or `with Budget(bytes=1 << 32): …`.

A file of a few bytes can claim a tensor of gigabytes, or decompress to one. A reader asks `current().account("The GraphDef")` for
an account and takes from it before it allocates; when the sum exceeds the budget, that is a ResourceExhaustedError, which names
the limit. What a file holds itself costs nothing: a graph of 2 GB of weights needs no larger budget than a small one.
State: the budgets of the `with` blocks that are open in each thread.
"""

from __future__ import annotations

import dataclasses
import os
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from . import errors

ENVIRONMENT: Final = "TFEDU_BUDGET_BYTES"
"""The environment variable with the limit of bytes outside of all `with` blocks, also for threads that read files."""


class _Open(threading.local):
    """The budgets of a thread's `with` blocks, the outermost first."""

    def __init__(self) -> None:
        self.budgets: list[Budget] = []


_open: Final = _Open()


@dataclass(frozen=True)
class Budget:
    """The limits of one import, or of one decompression.

    bytes: memory beyond what the file holds itself: constants that are filled from fewer elements, decompressed data, the parsed
    header of a safetensors file. outputs: the outputs of all nodes of a graph. nodes: its nodes. attributes: their attributes,
    and the items of lists among them.
    As a context manager it is the budget of all files that this thread reads in the block.
    """

    bytes: int = 1 << 28
    outputs: int = 1 << 20
    nodes: int = 1 << 20
    attributes: int = 1 << 24

    def __post_init__(self) -> None:
        for unit, limit in vars(self).items():
            if type(limit) is not int or limit < 0:
                raise TypeError(errors.error_text(f"{unit} must be a number of {unit}, not {limit!r}"))

    def account(self, reader: str) -> Account:
        """A new account. reader: what needs the memory, as the subject of the error."""
        return Account(self, reader)

    def __enter__(self) -> Self:
        _open.budgets.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        _open.budgets.pop()


class Account:
    """What one import has taken of its budget."""

    def __init__(self, budget: Budget, reader: str) -> None:
        self.budget = budget
        self._reader = reader
        self._taken: dict[str, int] = {}

    def take(self, unit: str, amount: int) -> None:
        """Takes `amount` of one of the fields of Budget.

        Raises: ResourceExhaustedError when the sum exceeds the budget.
        """
        total = self._taken[unit] = self._taken.get(unit, 0) + amount
        limit = getattr(self.budget, unit)
        if total > limit:
            raise errors.ResourceExhaustedError(
                None,
                None,
                errors.error_text(
                    f"{self._reader} needs {total} {unit} or more; its budget is {limit} {unit}",
                    fix=f"if you trust the file, read it within `with tf.io.Budget({unit}=…):`",
                ),
            )

    def left(self, unit: str) -> int:
        """How much the account can still take."""
        return int(getattr(self.budget, unit)) - self._taken.get(unit, 0)


def current() -> Budget:
    """The budget of the innermost `with` block of this thread, else the default one.

    Raises: InvalidArgumentError when the environment variable is no number.
    """
    if _open.budgets:
        return _open.budgets[-1]
    setting = os.environ.get(ENVIRONMENT)
    if setting is None:
        return _DEFAULT
    if not setting.isascii() or not setting.isdigit():
        raise errors.InvalidArgumentError(
            None, None, errors.error_text(f"the environment variable {ENVIRONMENT} must be a number of bytes, not {setting!r}")
        )
    return dataclasses.replace(_DEFAULT, bytes=int(setting))


_DEFAULT: Final = Budget()


__all__ = ["ENVIRONMENT", "Account", "Budget", "current"]
