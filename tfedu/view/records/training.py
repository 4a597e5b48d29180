"""The record of the summaries of trainings: curves, histograms, images, texts. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import check_ids, dataclass
from .graph import NoticeRecord

Odd = Literal["nan", "inf", "-inf"]


@dataclass(frozen=True, slots=True)
class PieceRecord:
    """Successive numbers of a curve.

    count: how many numbers. points: the first, last, least and largest one, as (step, time, value). odd: the first number of each
    kind that is not finite. mean: of the finite numbers.
    """

    count: int
    mean: float | None
    points: tuple[tuple[int, float, float], ...]
    odd: tuple[tuple[int, float, Odd], ...] = ()


@dataclass(frozen=True, slots=True)
class CurveRecord:
    """The `total` numbers of one tag in one run, in pieces. In news, `pieces` replace the pieces from number `at` on."""

    run: int
    tag: str
    total: int
    odd: int
    at: int
    pieces: tuple[PieceRecord, ...]


@dataclass(frozen=True, slots=True)
class DistributionRecord:
    """A histogram of one step. bins: the counts of equally wide bins from low to high; quantiles: those of QUANTILES."""

    step: int
    time: float
    count: float
    mean: float
    low: float
    high: float
    quantiles: tuple[float, ...]
    bins: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class HistogramsRecord:
    """The histograms of one tag in one run: of `total` histograms an even selection, and the last one."""

    run: int
    tag: str
    total: int
    at: int
    items: tuple[DistributionRecord, ...]


@dataclass(frozen=True, slots=True)
class ImageRecord:
    """One image at one step; `data` is the file in base64."""

    step: int
    time: float
    width: int
    height: int
    format: Literal["png", "jpeg", "gif"]
    data: str


@dataclass(frozen=True, slots=True)
class ImagesRecord:
    """The images of one tag in one run, selected as in HistogramsRecord."""

    run: int
    tag: str
    total: int
    at: int
    items: tuple[ImageRecord, ...]


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """One text at one step."""

    step: int
    time: float
    text: str


@dataclass(frozen=True, slots=True)
class NotesRecord:
    """The texts of one tag in one run, selected as in HistogramsRecord."""

    run: int
    tag: str
    total: int
    at: int
    items: tuple[NoteRecord, ...]


@dataclass(frozen=True, slots=True)
class OtherRecord:
    """Summaries of one tag that are not shown, why, and how many."""

    run: int
    tag: str
    reason: Literal["audio", "tensor", "large", "unreadable"]
    total: int


@dataclass(frozen=True, slots=True)
class TrainedRecord:
    """One run of a training: its name and its first time, in seconds since 1970."""

    name: str
    start: float


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """The summaries of trainings so far; in news, those that changed since the complete record was sent (see `at`)."""

    KIND: ClassVar[str] = "training"
    runs: tuple[TrainedRecord, ...] = ()
    curves: tuple[CurveRecord, ...] = ()
    histograms: tuple[HistogramsRecord, ...] = ()
    images: tuple[ImagesRecord, ...] = ()
    texts: tuple[NotesRecord, ...] = ()
    others: tuple[OtherRecord, ...] = ()
    notices: tuple[NoticeRecord, ...] = ()

    def check(self) -> None:
        """Raises: RecordError for runs that do not exist."""
        for name in ("curves", "histograms", "images", "texts", "others"):
            check_ids([item.run for item in getattr(self, name)], range(len(self.runs)), f"{name}.run")
