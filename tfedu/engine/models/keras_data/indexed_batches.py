"""`Sequence`: batches by number, which `fit` takes in turn. No state."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import Any


class Sequence(abc.ABC):
    """Batches by number: a subclass defines `__getitem__(index)`, a tuple (inputs, targets), and `__len__`."""

    @abc.abstractmethod
    def __getitem__(self, index: int) -> Any:
        """A batch."""

    @abc.abstractmethod
    def __len__(self) -> int:
        """The number of batches."""

    def on_epoch_end(self) -> None:  # noqa: B027 - a subclass need not have it
        """Called after each epoch."""

    def __iter__(self) -> Iterator[Any]:
        for index in range(len(self)):
            yield self[index]


__all__ = ["Sequence"]
