"""The record of an answer to "why?": the reason, its surroundings, and the changes that would reverse it. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import dataclass
from .graph import NoticeRecord
from .trace import WhyRecord


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """One change: its parts are messages `why.change.<code>`, all of which are needed. also: how many nodes it affects in all.

    needs: placeholders that then must be fed, so that the change cannot be tried without values for them.
    """

    parts: tuple[NoticeRecord, ...]
    also: int
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReasonRecord:
    """Why a node runs or does not. around: messages `why.<code>` about the conds and loops around it.

    flips: what the changes do, as the message `why.changes.<flips>`.
    """

    KIND: ClassVar[str] = "reason"
    node: int
    why: WhyRecord
    around: tuple[NoticeRecord, ...]
    flips: Literal["run", "compute", "stop"]
    changes: tuple[ChangeRecord, ...]
