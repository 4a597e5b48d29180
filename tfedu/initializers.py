"""`tf.initializers`: what makes the first values of variables."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.variables.initialization import (
    global_variables_initializer as global_variables, local_variables_initializer as local_variables,
    variables_initializer as variables,
)  # fmt: skip
from .engine.lib.variables.scaled_initializers import (
    glorot_normal_initializer as glorot_normal, glorot_uniform_initializer as glorot_uniform, he_normal,
    he_uniform, identity_initializer as identity, lecun_normal, lecun_uniform,
    orthogonal_initializer as orthogonal, uniform_unit_scaling_initializer as uniform_unit_scaling,
    variance_scaling_initializer as variance_scaling,
)  # fmt: skip
from .engine.lib.variables.initializers import (
    constant_initializer as constant, ones_initializer as ones,
    random_normal_initializer as random_normal, random_uniform_initializer as random_uniform,
    truncated_normal_initializer as truncated_normal, zeros_initializer as zeros,
)  # fmt: skip

from .engine.lib.variables.resources import tables_initializer

__all__ = [
    "constant", "global_variables", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform",
    "identity", "lecun_normal", "lecun_uniform", "local_variables", "ones", "orthogonal", "random_normal",
    "random_uniform", "tables_initializer", "truncated_normal", "uniform_unit_scaling", "variables",
    "variance_scaling", "zeros",
]  # fmt: skip
