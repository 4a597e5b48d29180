"""`tf.initializers`: what makes the first values of variables."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.init import (
    global_variables_initializer as global_variables, local_variables_initializer as local_variables,
    variables_initializer as variables,
)  # fmt: skip
from .engine.lib.initializers import (
    constant_initializer as constant, ones_initializer as ones,
    random_normal_initializer as random_normal, random_uniform_initializer as random_uniform,
    truncated_normal_initializer as truncated_normal, zeros_initializer as zeros,
)  # fmt: skip

__all__ = [
    "constant", "global_variables", "local_variables", "ones", "random_normal", "random_uniform",
    "truncated_normal", "variables", "zeros",
]  # fmt: skip
