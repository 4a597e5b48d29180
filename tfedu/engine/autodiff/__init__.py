"""Reverse-mode differentiation as graph building: `gradients(ys, xs)` adds the nodes that compute dy/dx.

`sweep.py` walks the graph backwards and is the place to start. Each op's rule hangs from the op in the op tables
(`@relu6.grad`); `registry.py` finds it. Rules that need the library's control flow are in `control_flow_rules.py`,
`tensor_array_rules.py` and `conditional_rules.py`, those of activations that are functions in `activation_rules.py`. `custom.py`
lets a program replace the gradient of a function. `arguments.py`, `sums.py` and `zeros.py` help the sweep; `loop_gradients.py`
and `backward_loop.py` are about while loops. Nothing here computes a number. Loaded on first use.
"""

# Imported for their rules, which hang from the op tables' ops from then on.
from . import activation_rules, conditional_rules, control_flow_rules, tensor_array_rules
from .arguments import AggregationMethod, UnconnectedGradients
from .custom import custom_gradient, grad_pass_through, recompute_grad
from .registry import RegisterGradient
from .registry import not_differentiable as NotDifferentiable
from .sweep import gradients

RULES = (activation_rules, conditional_rules, control_flow_rules, tensor_array_rules)

# Two older names of NotDifferentiable.
NoGradient = no_gradient = NotDifferentiable

__all__ = [
    "AggregationMethod", "NoGradient", "NotDifferentiable", "RegisterGradient", "UnconnectedGradients", "custom_gradient",
    "grad_pass_through", "gradients", "no_gradient", "recompute_grad",
]  # fmt: skip
