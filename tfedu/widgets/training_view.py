"""TrainingView: live curves, histograms, images and texts of a training. `TrainingView("/tmp/log")`."""

from __future__ import annotations

import threading
import time
from typing import Any, Self

import traitlets

from ..view.make import training_log
from ..view.picture_files import Shown
from ..view.records import TrainingRecord, to_json
from . import cell_output
from .base import Widget
from .checked_arguments import checked_pace
from .refreshing import follow

PACE = 0.4  # the least time between two messages to the browser, in seconds


class TrainingView(Widget):
    """The summaries of trainings, live.

    source: a folder of event files (its sub-folders are runs), a tf.summary.FileWriter, a dict of these by the runs' names, a
    Summary or pairs (step, summary); None if a loop adds them: `view.add(session.run(merged), step)`. A view can replace a
    FileWriter, also in `tf.train.SummarySaverHook(summary_writer=view, …)`.
    live: read new events every `every` seconds, less often while there are none, until `stop()`; else at `refresh()` and
    `add()`. smoothing: 0 to 0.99. axis: "step", "relative" or "wall". log: a logarithmic scale. hidden: runs not to draw.
    bands: histograms as bands over time instead of one behind the other.
    Raises: TypeError for another source, ValueError for a wrong `every`.
    """

    KIND = "training"
    ELEMENT = "tfedu-training"
    _record: TrainingRecord
    _training_log: training_log.TrainingLog | None = None

    news = traitlets.Dict().tag(sync=True)
    smoothing = traitlets.Float(0.0, min=0.0, max=0.99).tag(sync=True)
    axis = traitlets.Enum(("step", "relative", "wall"), "step").tag(sync=True)
    log = traitlets.Bool(False).tag(sync=True)
    bands = traitlets.Bool(False).tag(sync=True)
    hidden = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(
        self, source: Any = None, *, live: bool = True, every: float = 1.0, title: str | None = None, lang: str | None = None,
        **traits: Any,
    ) -> None:  # fmt: skip
        self.live, self._lock, self._added = live, threading.RLock(), threading.Event()
        every = checked_pace(every)
        self._training_log = training_log.TrainingLog(source)
        self._training_log.read()
        self._sent, self._is_shown = time.monotonic(), False
        super().__init__(self._training_log.settled(), news=to_json(TrainingRecord()), title=title, lang=lang, **traits)
        if live:
            follow(self, self._added, every, PACE)

    @classmethod
    def of_record(cls, record: Any, *, title: str | None = None, lang: str | None = None) -> Self:
        view = super().of_record(record, title=title, lang=lang)
        view.live, view._lock, view._added = False, threading.RLock(), threading.Event()
        view.news = to_json(TrainingRecord())
        return view

    def add(self, summary: Any, step: Any = None, run: str = "") -> None:
        """Adds a Summary (bytes or a message) of one step, or an Event.

        Raises: TypeError for any other object, DecodeError for bytes that are not a Summary.
        """
        with self._lock:
            self._training_log.add(summary, step, run)
            if time.monotonic() >= self._sent + PACE:
                self._send_news()
        self._added.set()

    def refresh(self) -> bool:
        """Reads new events and shows them and the added summaries; returns whether there were any."""
        with self._lock:
            self._training_log.read()
            return self._send_news()

    def stop(self) -> None:
        """Ends the live view with all events so far, also in the saved picture; `refresh()` still works."""
        self.live = False
        self._added.set()
        self.refresh()
        if self._is_shown:
            cell_output.renew(self)

    def close(self) -> None:
        self.live = False
        self._added.set()
        super().close()

    def _send_news(self) -> bool:
        changes = self._training_log.changes()
        if changes is not None:
            settled, news = changes
            with self.hold_sync():
                if settled is not None:
                    self.record = to_json(settled)
                self.news = to_json(news)
        self._sent = time.monotonic()
        return changes is not None

    # the methods of a FileWriter
    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """As `add`."""
        self.add(summary, global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Does nothing: the view does not show when sessions start and stop."""

    flush = refresh

    def _ipython_display_(self) -> None:
        self._is_shown = True
        cell_output.show(self)

    def shown(self, lang: str | None = None) -> Shown | None:
        if self._training_log is not None:
            with self._lock:
                self._record = self._training_log.complete()
        return super().shown(lang)

    def described(self) -> str:
        record = self._record if self._training_log is None else self._training_log.complete()
        series = f"{len(record.curves)} curves, {len(record.histograms)} histograms, {len(record.images)} images"
        return f"{len(record.runs)} runs with {series} and {len(record.texts)} texts"
