"""Reverse-mode differentiation as graph building: `gradients(ys, xs)` adds the nodes that compute dy/dx.

`sweep.py` walks the graph backwards, `rules/` says for each op type which nodes its gradient is made of, `registry.py` finds
the rule, `custom.py` puts a program's own rule in its place; `loops.py` and `way_back.py` go back through loops. Nothing here
computes a number. Loaded on first use.
"""

from .arguments import AggregationMethod, UnconnectedGradients
from .custom import custom_gradient, grad_pass_through, recompute_grad
from .registry import RegisterGradient
from .registry import not_differentiable as NotDifferentiable
from .sweep import gradients

# The two older names of it.
NoGradient = no_gradient = NotDifferentiable

__all__ = [
    "AggregationMethod", "NoGradient", "NotDifferentiable", "RegisterGradient", "UnconnectedGradients", "custom_gradient",
    "grad_pass_through", "gradients", "no_gradient", "recompute_grad",
]  # fmt: skip
