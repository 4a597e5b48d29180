"""The threads of a Supervisor: they write summaries, count steps, save. State: the step counter's last step and time."""

from __future__ import annotations

import time
from typing import Any

from ...base import log, proto
from .coordinator import LooperThread
from .global_step import global_step as step_of


class SVSummaryThread(LooperThread):
    """Writes summaries every save_summaries_secs seconds."""

    def __init__(self, sv: Any, sess: Any) -> None:
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self) -> None:
        step = self._sv.global_step
        if step is None:
            summaries, count = self._sess.run(self._sv.summary_op), None
        else:
            summaries, count = self._sess.run([self._sv.summary_op, step])
        if self._sv.summary_writer:
            log.info("Recording summary at step %s.", count)
            self._sv.summary_writer.add_summary(summaries, count)


class SVStepCounterThread(LooperThread):
    """Logs steps per second and writes them as a summary."""

    def __init__(self, sv: Any, sess: Any, step_counter: Any = None) -> None:
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv, self._sess = sv, sess
        self._counter = sv.global_step if step_counter is None else step_counter
        self._tag = f"{self._counter.op.name}/sec"

    def start_loop(self) -> None:
        self._last_time, self._last_step = time.time(), step_of(self._sess, self._counter)

    def run_loop(self) -> None:
        step, now = step_of(self._sess, self._counter), time.time()
        seconds, steps = now - self._last_time, step - self._last_step
        self._last_time, self._last_step = now, step
        speed = steps / seconds if seconds > 0.0 else float("inf")
        if self._sv.summary_writer:
            value = proto.Summary.Value(tag=self._tag, simple_value=speed)
            self._sv.summary_writer.add_summary(proto.Summary(value=[value]), step)
        log.log_first_n(log.INFO, "%s: %g", 10, self._tag, speed)


class SVTimerCheckpointThread(LooperThread):
    """Saves a checkpoint every save_model_secs seconds."""

    def __init__(self, sv: Any, sess: Any) -> None:
        super().__init__(sv.coord, sv.save_model_secs)
        self._sv, self._sess = sv, sess

    def run_loop(self) -> None:
        sv = self._sv
        log.info("Saving checkpoint to path %s", sv.save_path)
        sv.saver.save(self._sess, sv.save_path, global_step=sv.global_step)
        if sv.summary_writer and sv.global_step is not None:
            saved = proto.SessionLog(status=proto.SessionLog.CHECKPOINT, checkpoint_path=sv.save_path)
            sv.summary_writer.add_session_log(saved, step_of(self._sess, sv.global_step))


__all__ = ["SVStepCounterThread", "SVSummaryThread", "SVTimerCheckpointThread"]
