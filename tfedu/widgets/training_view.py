"""TrainingView: curves, histograms, images and texts of a training, while it runs. `TrainingView("/tmp/log")`."""

from __future__ import annotations

import threading
import time
from typing import Any

import traitlets

from ..view.make import training_log
from ..view.records import TrainingRecord, to_json
from . import cell_output
from .base import Widget
from .checked_arguments import checked_pace
from .refresh_thread import follow

PACE = 0.4  # seconds between two messages to the browser, however fast a loop adds


class TrainingView(Widget):
    """What trainings write for TensorBoard, live.

    source: a folder of event files (its sub-folders are runs), a tf.summary.FileWriter, a dict of such by the runs' names, a
    Summary or pairs (step, summary); None where a loop gives all of it: `view.add(session.run(merged), step)`. A view takes
    the place of a FileWriter, in `tf.train.SummarySaverHook(summary_writer=view, …)` too.
    live: look for news every `every` seconds, less often while there is none, until `stop()`; else at `refresh()` and `add()`.
    smoothing: 0 to 0.99; axis: "step", "relative" or "wall"; log: a logarithmic scale; hidden: runs that are not drawn;
    bands: histograms as bands over time instead of one behind the other.
    Raises: TypeError for another source, ValueError for a wrong pace.
    """

    KIND = "training"
    _shown: TrainingRecord

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
        self._told = training_log.TrainingLog(source)
        self._told.read()
        self._sent, self._is_shown = time.monotonic(), False
        super().__init__(self._told.settled(), news=to_json(TrainingRecord()), title=title, lang=lang, **traits)
        if live:
            follow(self, self._added, every, PACE)

    def add(self, summary: Any, step: Any = None, run: str = "") -> None:
        """Takes a Summary (bytes or a message) of one step, or an Event.

        Raises: TypeError for something else, DecodeError for bytes that are no Summary.
        """
        with self._lock:
            self._told.add(summary, step, run)
            if time.monotonic() >= self._sent + PACE:
                self._tell()
        self._added.set()

    def refresh(self) -> bool:
        """Reads what is new in the event files, and shows it and what was added; whether there was something."""
        with self._lock:
            self._told.read()
            return self._tell()

    def stop(self) -> None:
        """Shows what there is, in places without a kernel too, and looks for no more; `refresh()` still does."""
        self.live = False
        self._added.set()
        self.refresh()
        if self._is_shown:
            cell_output.renew(self)

    def close(self) -> None:
        self.live = False
        self._added.set()
        super().close()

    def _tell(self) -> bool:
        changes = self._told.changes()
        if changes is not None:
            whole, news = changes
            with self.hold_sync():
                if whole is not None:
                    self.record = to_json(whole)
                self.news = to_json(news)
        self._sent = time.monotonic()
        return changes is not None

    # what a FileWriter is asked for
    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """As `add`."""
        self.add(summary, global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """That a session began or stopped is not shown."""

    flush = refresh

    def _ipython_display_(self) -> None:
        self._is_shown = True
        cell_output.show(self)

    def svg(self) -> str | None:
        with self._lock:
            self._shown = self._told.whole()
        return super().svg()

    def described(self) -> str:
        return self._told.described()
