"""The record of an answer to "why?": the reason, what else there is to say, and the changes that flip it. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import dataclass
from .graph import NoticeRecord
from .trace import WhyRecord


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """One change: the messages `why.change.<code>`, all of which it takes. also: how many nodes it touches, this one among them.

    needs: the placeholders that then must be fed, so that it cannot be tried as it is.
    """

    parts: tuple[NoticeRecord, ...]
    also: int
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReasonRecord:
    """Why a node runs or does not. around: the messages `why.<code>` for what is around it.

    flips: what the changes do, the message `why.changes.<flips>`.
    """

    KIND: ClassVar[str] = "reason"
    node: int
    why: WhyRecord
    around: tuple[NoticeRecord, ...]
    flips: Literal["run", "compute", "stop"]
    changes: tuple[ChangeRecord, ...]
