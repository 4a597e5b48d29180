"""`tf.contrib.opt`: further optimizers."""

from ...engine.training.optimizers.adam_variants import AdaMaxOptimizer, LazyAdamOptimizer, NadamOptimizer
from ...engine.training.optimizers.averaging import MovingAverageOptimizer
from ...engine.training.optimizers.contrib_optimizers import (
    AddSignOptimizer,
    LARSOptimizer,
    MultitaskOptimizerWrapper,
    PowerSignOptimizer,
    RegAdagradOptimizer,
    VariableClippingOptimizer,
    clip_gradients_by_global_norm,
)
from ...engine.training.optimizers.decoupled_decay import (
    AdamWOptimizer,
    DecoupledWeightDecayExtension,
    MomentumWOptimizer,
    extend_with_decoupled_weight_decay,
)
from ...engine.training.optimizers.external_optimizers import (
    ExternalOptimizerInterface,
    ScipyOptimizerInterface,
)

__all__ = [
    "AdaMaxOptimizer", "AdamWOptimizer", "AddSignOptimizer", "DecoupledWeightDecayExtension",
    "ExternalOptimizerInterface", "LARSOptimizer", "LazyAdamOptimizer", "MomentumWOptimizer",
    "MovingAverageOptimizer", "MultitaskOptimizerWrapper", "NadamOptimizer", "PowerSignOptimizer",
    "RegAdagradOptimizer", "ScipyOptimizerInterface", "VariableClippingOptimizer",
    "clip_gradients_by_global_norm", "extend_with_decoupled_weight_decay",
]  # fmt: skip
