"""DEAD: the value that flows along the data and control edges of a branch that was not taken."""

from __future__ import annotations


class _Dead:
    """The class of the one value DEAD."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "DEAD"


DEAD = _Dead()
