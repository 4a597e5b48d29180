"""`tf.train`: what training keeps besides the model; so far moving averages."""

from .engine.base.lazy import lazy as _lazy
from .engine.lib.moving_averages import ExponentialMovingAverage

__all__ = [
    "ExponentialMovingAverage",
]  # fmt: skip

__getattr__ = _lazy(
    __name__,
    {"tfedu.engine.interop.meta_graph": "export_meta_graph import_meta_graph", "tfedu.engine.interop.files": "write_graph"},
)
