"""Progress bars for long loops, drawn by tqdm: a widget in a notebook, a line in a terminal.

    for step in track(range(1000), "training"): session.run(train)
    with tf.train.MonitoredSession(hooks=[ProgressHook(1000, {"loss": loss}), tf.train.StopAtStepHook(1000)]) as session: …

The first bar imports tqdm, which tfedu[lab] installs. No state but each bar's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...base.errors import error_text
from .basic_hooks import SecondOrStepTimer
from .global_step import global_step_read
from .hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped]
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "tqdm":
            raise
        text = error_text("progress bars need tqdm", fix='this installs it: pip install "tfedu[lab]"')
        raise ModuleNotFoundError(text, name=missing.name) from None
    return tqdm


def track(iterable: Iterable[Any] | None = None, description: str | None = None, total: int | None = None) -> Any:
    """A tqdm bar over `iterable`: loop over it. `bar.set_postfix(loss=…)` shows values at its end; see tqdm for the rest.

    total: the number of items, if `iterable` has no length. Without an iterable, `bar.update()` moves the bar.
    Raises: ModuleNotFoundError without tqdm.
    """
    return _tqdm()(iterable, desc=description, total=total, dynamic_ncols=True)


class ProgressHook(SessionRunHook):
    """Shows the progress of a monitored session: the global step, or the number of runs in a graph without one.

    last_step: the step at which the training stops, as StopAtStepHook's; None: unknown.
    tensors: {label: tensor} whose values are shown after the bar, fetched every `every_secs` seconds.
    Raises: ModuleNotFoundError without tqdm; TypeError, ValueError for a last_step that is no positive integer.
    """

    def __init__(
        self,
        last_step: int | None = None,
        tensors: Mapping[str, Any] | None = None,
        description: str | None = None,
        every_secs: float = 0.5,
    ) -> None:
        if last_step is not None and (isinstance(last_step, bool) or not isinstance(last_step, int | np.integer)):
            raise TypeError(error_text(f"last_step must be a whole number, not {type(last_step).__name__}"))
        if last_step is not None and last_step < 1:
            raise ValueError(error_text(f"last_step must be 1 or more, not {last_step}"))
        if tensors is not None and not isinstance(tensors, Mapping):
            text = f"tensors must be a dict from labels to tensors, not {type(tensors).__name__}"
            raise TypeError(error_text(text, fix='tensors={"loss": loss}'))
        _tqdm()
        self._last_step = last_step
        self._tensors = dict(tensors or {})
        self._description = description
        self._timer = SecondOrStepTimer(every_secs=every_secs)
        self._bar: Any = None

    def begin(self) -> None:
        self._step = global_step_read()
        self._timer.reset()
        self._runs = 0

    def after_create_session(self, session: Any, coord: Any) -> None:
        done = 0 if self._step is None else int(session.run(self._step))
        if self._bar is None:
            self._bar = _tqdm()(
                desc=self._description, total=self._last_step, initial=done, unit="step", dynamic_ncols=True
            )
        else:  # after a recovery, at the step of the checkpoint
            self._show(done)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        # the bar may lag one step behind, and the final values matter most
        ends = self._last_step is not None and self._bar.n >= self._last_step - 2
        self._due = bool(self._tensors) and (ends or self._timer.should_trigger_for_step(self._runs))
        return SessionRunArgs(({} if self._step is None else {"step": self._step}, self._tensors if self._due else {}))

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self._runs += 1
        step, values = run_values.results
        if self._due:
            self._timer.update_last_triggered_step(self._runs)
            self._bar.set_postfix({label: _text(value) for label, value in values.items()}, refresh=False)
        # The run may have read the step before or after the update, so the step may be one behind.
        self._show(int(step["step"]) if step else self._runs)

    def end(self, session: Any) -> None:
        if self._step is not None:
            self._show(int(session.run(self._step)))
        self._bar.close()
        self._bar = None

    def _show(self, step: int) -> None:
        missing = step - self._bar.n
        if missing < 0:
            self._bar.reset(total=self._last_step)
            self._bar.update(step)
        elif missing:
            self._bar.update(missing)


def _text(value: Any) -> str:
    """A short text of a value."""
    if np.ndim(value):
        return np.array2string(np.asarray(value), precision=4, threshold=4)
    return f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)


__all__ = ["ProgressHook", "track"]
