"""The record of what trainings told: curves, histograms, images, texts. No state."""

from __future__ import annotations

from typing import ClassVar, Literal

from .codec import check_ids, dataclass
from .graph import NoticeRecord

Odd = Literal["nan", "inf", "-inf"]


@dataclass(frozen=True, slots=True)
class PieceRecord:
    """Some numbers of a curve that follow each other. Of `count` numbers the first, the last, the least and the largest are
    in `points` (step, time, value), the first of each kind that is not finite in `odd`; `mean` is that of the finite ones."""

    count: int
    mean: float | None
    points: tuple[tuple[int, float, float], ...]
    odd: tuple[tuple[int, float, Odd], ...] = ()


@dataclass(frozen=True, slots=True)
class CurveRecord:
    """The numbers of one tag in one run, `total` of them. In news, `pieces` replace those from number `at` on."""

    run: int
    tag: str
    total: int
    odd: int
    at: int
    pieces: tuple[PieceRecord, ...]


@dataclass(frozen=True, slots=True)
class DistributionRecord:
    """How some numbers lie at one step: how many are in each of equally wide bins, and the quantiles of QUANTILES."""

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
    """The distributions of one tag in one run: `total` came, an even choice of them and the last are here."""

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
    """The images of one tag in one run, chosen as in HistogramsRecord."""

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
    """The texts of one tag in one run, chosen as in HistogramsRecord."""

    run: int
    tag: str
    total: int
    at: int
    items: tuple[NoteRecord, ...]


@dataclass(frozen=True, slots=True)
class OtherRecord:
    """What came under a tag and is not shown, and how often."""

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
    """What some trainings told so far; as news, what has changed since the whole record was sent (see `at`)."""

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
