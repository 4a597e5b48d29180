"""`tf.train`: what training keeps besides the model; so far moving averages."""

from .engine.lib.moving_averages import ExponentialMovingAverage

__all__ = [
    "ExponentialMovingAverage",
]  # fmt: skip
