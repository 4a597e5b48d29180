"""Progress bars, which TensorFlow does not have: `progress.track(range(1000))`, and `progress.ProgressHook` for sessions."""

from .engine.training.sessions.progress import ProgressHook, track

__all__ = [
    "ProgressHook", "track",
]  # fmt: skip
