"""Progress bars (not in TensorFlow): `progress.track(range(1000))` for loops, `progress.ProgressHook(1000)` for monitored sessions."""

from .engine.training.progress import ProgressHook, track

__all__ = [
    "ProgressHook", "track",
]  # fmt: skip
