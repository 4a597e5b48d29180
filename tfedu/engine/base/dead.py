"""DEAD: what flows on the branch that was not taken, through data and control edges alike."""

from __future__ import annotations


class _Dead:
    """The class of the one value DEAD."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "DEAD"


DEAD = _Dead()
