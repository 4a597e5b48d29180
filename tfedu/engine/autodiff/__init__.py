"""Reverse-mode differentiation as graph building: `gradients(ys, xs)` adds the nodes that compute dy/dx.

`sweep.py` walks the graph backwards and is the place to start; `registry.py` finds the rule of each node, `rules/` has those that
do not stand at their ops; `custom.py` lets a program replace the gradient of a function. `arguments.py`, `sums.py` and `zeros.py`
help the sweep; `loop_gradients.py` and `backward_loop.py` are about while loops. Nothing here computes a number. Loaded on first
use.
"""

from .arguments import AggregationMethod, UnconnectedGradients
from .custom import custom_gradient, grad_pass_through, recompute_grad
from .registry import RegisterGradient
from .registry import not_differentiable as NotDifferentiable
from .sweep import gradients

# Two older names of NotDifferentiable.
NoGradient = no_gradient = NotDifferentiable

__all__ = [
    "AggregationMethod", "NoGradient", "NotDifferentiable", "RegisterGradient", "UnconnectedGradients", "custom_gradient",
    "grad_pass_through", "gradients", "no_gradient", "recompute_grad",
]  # fmt: skip
