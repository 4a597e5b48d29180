"""`tf.contrib.opt`: further optimizers."""

from ...engine.training.optimizers.averaging import MovingAverageOptimizer

__all__ = [
    "MovingAverageOptimizer",
]  # fmt: skip
