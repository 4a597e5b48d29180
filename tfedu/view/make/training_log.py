"""Summaries of trainings as records: `TrainingLog(source)` reads event files, writers and summaries into a TrainingRecord.

    log = TrainingLog("/tmp/log"); log.read(); record = log.complete()
    log.add(session.run(merged), step); record, news = log.changes()

Widgets and pictures show the records. State: that of each log; `changes` returns what is new since its last call.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

import numpy as np

from ...engine.base import errors, proto
from ...engine.interop.event_follower import EventFollower
from ...engine.interop.tensor_messages import make_ndarray
from ..records import (
    HistogramsRecord,
    ImageRecord,
    ImagesRecord,
    NoteRecord,
    NotesRecord,
    NoticeRecord,
    OtherRecord,
    TrainedRecord,
    TrainingRecord,
)
from .series_thinning import Curve, Kept, Series, distribution

# field of TrainingRecord -> a new series for it
SERIES: Final[dict[str, Callable[[], Series]]] = {
    "curves": Curve,
    "histograms": lambda: Kept(HistogramsRecord, 48),
    "images": lambda: Kept(ImagesRecord, 10),
    "texts": lambda: Kept(NotesRecord, 10),
}
MOST_BYTES: Final = 1 << 20  # of one image
MOST_CHARACTERS: Final = 10_000  # of one text
EXAMPLE: Final = 'TrainingView("/tmp/log"), TrainingView(writer), TrainingView({"small": "/tmp/a", "large": "/tmp/b"})'

_MAGIC: Final[dict[bytes, Literal["png", "jpeg", "gif"]]] = {
    b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif",
}  # fmt: skip
_Reason = Literal["audio", "tensor", "large", "unreadable"]
_Key = tuple[int, str]  # number of the run, tag


class TrainingLog:
    """The runs of trainings, and their summaries by tag.

    source: a folder of event files (its sub-folders are runs), an event file, a writer, a dict from names of runs to these, a
    Summary (as bytes or a message), Event messages, or pairs (step, summary); None for a log that only `add` fills.
    Raises: TypeError for another source.
    """

    def __init__(self, source: Any = None) -> None:
        self._runs: dict[str, float] = {}  # name -> first time
        self._series: dict[str, dict[_Key, Any]] = {name: {} for name in SERIES}
        self._others: dict[tuple[int, str, _Reason], int] = {}
        self._plugins: dict[_Key, str] = {}
        self._sources: list[tuple[str, EventFollower, Callable[[], None] | None]] = []
        self._faults: dict[str, str] = {}
        self._changed = False
        self._take(source, "")

    # -- reading -----------------------------------------------------------------------------------------------

    def _take(self, source: Any, name: str) -> None:
        if isinstance(source, Mapping):
            if name or not all(isinstance(key, str) for key in source):
                raise TypeError(f"expected a dict from names of runs to folders\n  fix: {EXAMPLE}")
            for key, value in source.items():
                self._take(value, key)
        elif hasattr(source, "get_logdir"):
            # Flush the writer, which otherwise writes after two minutes; a closed one has no flush.
            writer = getattr(source, "event_writer", source)
            self._sources.append((name, EventFollower(source.get_logdir()), getattr(writer, "flush", None)))
        elif isinstance(source, str | os.PathLike):
            self._sources.append((name, EventFollower(source), None))
        elif isinstance(source, bytes) or hasattr(source, "DESCRIPTOR"):
            self.add(source, run=name)
        elif isinstance(source, Iterable):
            for item in source:
                pair = isinstance(item, tuple) and len(item) == 2
                self.add(item[1], item[0], name) if pair else self.add(item, run=name)
        elif source is not None:
            raise TypeError(f"cannot show the training of a {type(source).__name__}\n  fix: {EXAMPLE}")

    def read(self) -> None:
        """Reads the new events of the event files."""
        for name, followed, flush in self._sources:
            if flush is not None:
                flush()
            for run, event in followed.new_events():
                self._event(event, "/".join(part for part in (name, run) if part not in ("", ".")) or ".")
            if followed.faults.items() - self._faults.items():
                self._faults.update(followed.faults)
                self._changed = True

    def add(self, summary: Any, step: Any = None, run: str = "", wall_time: float | None = None) -> None:
        """Adds a Summary (bytes or a message), or an Event, which has a step and time of its own.

        Raises: TypeError for another object, DecodeError for bytes that are no Summary.
        """
        kind = getattr(getattr(summary, "DESCRIPTOR", None), "name", None)
        if kind == "Event":
            self._event(summary, run or ".")
            return
        if isinstance(summary, bytes):
            summary = proto.Summary.FromString(summary)
        elif kind != "Summary":
            fix = "a run of the summary node gives what is shown: view.add(sess.run(merged), step)"
            raise TypeError(f"expected a Summary, as bytes or a message, not {type(summary).__name__}\n  fix: {fix}")
        self._summary(summary, run or ".", 0 if step is None else int(step), time.time() if wall_time is None else wall_time)

    def _event(self, event: Any, run: str) -> None:
        if event.HasField("summary"):
            self._summary(event.summary, run, event.step, event.wall_time)

    def _summary(self, summary: Any, name: str, step: int, when: float) -> None:
        self._changed = True
        when = round(when, 3) if np.isfinite(when) else 0.0
        self._runs.setdefault(name, when)
        run = list(self._runs).index(name)
        for value in summary.value:
            reason = self._value(value, (run, value.tag), step, when)
            if reason is not None:
                other = (run, value.tag, reason)
                self._others[other] = self._others.get(other, 0) + 1

    def _of(self, name: str, key: _Key) -> Any:
        series_by_key = self._series[name]
        if key not in series_by_key:
            series_by_key[key] = SERIES[name]()
        return series_by_key[key]

    def _value(self, value: Any, key: _Key, step: int, when: float) -> _Reason | None:
        """Adds a value to its series, or returns why it is not shown."""
        kind = value.WhichOneof("value")
        if kind == "simple_value":
            self._of("curves", key).add(step, when, value.simple_value)
        elif kind == "histo":
            histogram = distribution(step, when, value.histo)
            if histogram is None:
                return "unreadable"
            self._of("histograms", key).add(histogram)
        elif kind == "image":
            image = value.image
            return self._image(key, step, when, image.width, image.height, image.encoded_image_string)
        elif kind == "tensor":
            return self._tensor(value, key, step, when)
        else:
            return "audio" if kind == "audio" else "unreadable"
        return None

    def _image(self, key: _Key, step: int, when: float, width: int, height: int, data: bytes) -> _Reason | None:
        form = next((form for magic, form in _MAGIC.items() if data.startswith(magic)), None)
        if form is None:
            return "unreadable"
        if len(data) > MOST_BYTES:
            return "large"
        text = base64.b64encode(data).decode("ascii")
        self._of("images", key).add(ImageRecord(step, when, width, height, form, text))
        return None

    def _tensor(self, value: Any, key: _Key, step: int, when: float) -> _Reason | None:
        """Adds a text, or a number or image that TensorFlow 2 writes as a tensor."""
        plugin = self._plugins.setdefault(key, value.metadata.plugin_data.plugin_name)
        try:
            array = make_ndarray(value.tensor)
        except (TypeError, ValueError, errors.OpError):
            return "unreadable"
        if plugin == "text" and array.dtype == object:
            lines = [item.decode("utf-8", "replace") for item in array.ravel().tolist()[:1000]]
            text = "\n".join(lines)[:MOST_CHARACTERS]
            self._of("texts", key).add(NoteRecord(step, when, text))
            return None
        if plugin == "images" and array.dtype == object and array.ndim == 1 and array.size > 2:
            width, height = (int(item) if item.isdigit() else 0 for item in array[:2])
            return self._image(key, step, when, width, height, array[2])
        if plugin in ("", "scalars") and array.ndim == 0 and array.dtype.kind in "fiub":
            self._of("curves", key).add(step, when, float(array))
            return None
        return "tensor"

    # -- records -----------------------------------------------------------------------------------------------

    def complete(self) -> TrainingRecord:
        """The complete record."""
        return self._record(lambda series: 0)

    def changes(self) -> tuple[TrainingRecord | None, TrainingRecord] | None:
        """What is new since the last complete record: (None, news), or, when that is much, (complete record, empty news).

        None where nothing is new since the last call.
        """
        if not self._changed:
            return None
        self._changed = False
        all_series: list[Series] = [series for by_key in self._series.values() for series in by_key.values()]
        new = sum(len(series.items) - series.same for series in all_series)
        if new <= max(64, sum(len(series.items) for series in all_series) // 8):
            return None, self._record(lambda series: series.same)
        return self.settled(), TrainingRecord()

    def settled(self) -> TrainingRecord:
        """The complete record, to which later results of `changes` are added."""
        for by_key in self._series.values():
            for series in by_key.values():
                series.same = len(series.items)
        self._changed = False
        return self.complete()

    def _record(self, at: Callable[[Series], int]) -> TrainingRecord:
        series_records = {
            name: tuple([s.record(*key, at(s)) for key, s in series.items() if at(s) < len(s.items)])
            for name, series in self._series.items()
        }
        return TrainingRecord(
            runs=tuple([TrainedRecord(name, start) for name, start in self._runs.items()]),
            others=tuple([OtherRecord(*other, total) for other, total in self._others.items()]),
            notices=tuple([NoticeRecord("training_file", {"file": f, "why": why}) for f, why in self._faults.items()]),
            **series_records,
        )
