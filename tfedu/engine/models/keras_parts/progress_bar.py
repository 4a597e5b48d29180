"""`Progbar(target)`: a line that tells how far a loop is, how long it takes and the means of values.

    3/8 [=========>....................] - ETA: 2s - loss: 0.5313

State: the values so far, the time of the beginning and of the last output.
"""

from __future__ import annotations

import math
import sys
import time
from typing import Any


class Progbar:
    """The progress of a loop of `target` units, None for an unknown number.

    verbose: 1 a bar, 2 one line at the end, 0 nothing. stateful_metrics: names of values that are told as they are, not as means.
    """

    def __init__(
        self,
        target: int | None,
        width: int = 30,
        verbose: int = 1,
        interval: float = 0.05,
        stateful_metrics: Any = None,
        unit_name: str = "step",
    ) -> None:
        self.target, self.width, self.verbose, self.interval, self.unit_name = target, width, verbose, interval, unit_name
        self.stateful_metrics = set(stateful_metrics or ())
        self._total_width = 0
        self._seen_so_far = 0
        self._values: dict[str, list[Any]] = {}
        self._start = time.time()
        self._last_update = 0.0

    def update(self, current: int, values: Any = None) -> None:
        """Tells that `current` units are done. values: pairs (name, value of these units)."""
        for name, value in values or []:
            if name in self.stateful_metrics:
                self._values[name] = [value, 1]
            else:
                units = max(current - self._seen_so_far, 1)
                total = self._values.setdefault(name, [0.0, 0])
                total[0] += value * units
                total[1] += units
        self._seen_so_far = current
        now = time.time()
        is_done = self.target is not None and current >= self.target
        if self.verbose == 1:
            if now - self._last_update < self.interval and self.target is not None and not is_done:
                return
            self._write_bar(current, now, is_done)
        elif self.verbose == 2 and (self.target is None or is_done):
            count = "" if self.target is None else f"{current:{self._digits()}d}/{self.target}"
            sys.stdout.write(f"{count} - {now - self._start:.0f}s{self._told()}\n")
            sys.stdout.flush()
        self._last_update = now

    def add(self, n: int, values: Any = None) -> None:
        """Tells that `n` more units are done."""
        self.update(self._seen_so_far + n, values)

    def _digits(self) -> int:
        return int(math.log10(max(self.target or 1, 1))) + 1

    def _write_bar(self, current: int, now: float, is_done: bool) -> None:
        sys.stdout.write("\b" * self._total_width + "\r")
        if self.target is not None:
            done = int(self.width * float(current) / self.target) if self.target else self.width
            bar = "=" * (done - 1) + (">" if not is_done else "=") if done > 0 else ""
            line = f"{current:{self._digits()}d}/{self.target} [{bar}{'.' * (self.width - done)}]"
        else:
            line = f"{current:7d}/Unknown"
        bar_width = len(line)
        per_unit = (now - self._start) / current if current else 0.0
        if self.target is not None and not is_done:
            info = f" - ETA: {_eta(per_unit * (self.target - current))}"
        else:
            info = f" - {now - self._start:.0f}s {_duration(per_unit)}/{self.unit_name}"
        info += self._told()
        width = bar_width + len(info)
        if self._total_width > width:
            info += " " * (self._total_width - width)
        self._total_width = max(width, self._total_width)
        sys.stdout.write(line + info + ("\n" if is_done else ""))
        sys.stdout.flush()

    def _told(self) -> str:
        told = ""
        for name, (total, units) in self._values.items():
            mean = float(total) / max(1, units)
            told += f" - {name}: {mean:.4f}" if abs(mean) > 1e-3 else f" - {name}: {mean:.4e}"
        return told


def _eta(seconds: float) -> str:
    if seconds > 3600:
        return f"{int(seconds // 3600)}:{int(seconds % 3600 // 60):02d}:{int(seconds % 60):02d}"
    if seconds > 60:
        return f"{int(seconds // 60)}:{int(seconds % 60):02d}"
    return f"{int(seconds)}s"


def _duration(seconds: float) -> str:
    if seconds >= 1 or seconds == 0:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


__all__ = ["Progbar"]
