"""`tf.contrib.framework`: arg_scope, variables of models, and small functions that tf has under other names."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.lib.arrays.sorting import argsort, sort
from ...engine.lib.checks.type_asserts import assert_same_float_dtype, assert_scalar
from ...engine.lib.control.smart_cond import smart_case, smart_cond, smart_constant_value
from ...engine.lib.framework.conversion import is_tensor
from ...engine.lib.framework.type_specs import TensorSpec
from ...engine.lib.nn.sample_weights import remove_squeezable_dimensions
from ...engine.lib.sparse.sparse import convert_to_tensor_or_sparse_tensor
from ...engine.models.contrib.arg_scopes import (
    add_arg_scope, arg_scope, arg_scope_func_key, arg_scoped_arguments, current_arg_scope, has_arg_scope,
)  # fmt: skip
from ...engine.models.contrib.model_variables import (
    VariableDeviceChooser, add_model_variable, assert_or_get_global_step, filter_variables, get_local_variables,
    get_model_variables, get_trainable_variables, get_unique_variable, get_variable_full_name, get_variables,
    get_variables_by_name, get_variables_by_suffix, get_variables_to_restore, global_variable, local_variable,
    model_variable, variable, zero_initializer,
)  # fmt: skip
from ...engine.models.contrib.variable_assignments import (
    assign_from_checkpoint, assign_from_checkpoint_fn, assign_from_values, assign_from_values_fn,
)  # fmt: skip
from ...engine.training.checkpoints.checkpoint_reader import (
    init_from_checkpoint, list_variables, load_checkpoint, load_variable,
)  # fmt: skip
from ...engine.training.sessions.global_step import (
    assert_global_step, create_global_step, get_global_step, get_or_create_global_step,
)  # fmt: skip
from . import contrib_nest as nest
from ..modules.decorators import deprecated

__all__ = [
    "TensorSpec", "VariableDeviceChooser", "add_arg_scope", "add_model_variable", "arg_scope",
    "arg_scope_func_key", "arg_scoped_arguments", "argsort", "assert_global_step",
    "assert_or_get_global_step", "assert_same_float_dtype", "assert_scalar", "assign_from_checkpoint",
    "assign_from_checkpoint_fn", "assign_from_values", "assign_from_values_fn",
    "convert_to_tensor_or_sparse_tensor", "create_global_step", "current_arg_scope", "deprecated",
    "filter_variables", "get_global_step", "get_local_variables", "get_model_variables",
    "get_or_create_global_step", "get_trainable_variables", "get_unique_variable",
    "get_variable_full_name", "get_variables", "get_variables_by_name", "get_variables_by_suffix",
    "get_variables_to_restore", "global_variable", "has_arg_scope", "init_from_checkpoint", "is_tensor",
    "list_variables", "load_checkpoint", "load_variable", "local_variable", "model_variable", "nest",
    "remove_squeezable_dimensions", "smart_case", "smart_cond", "smart_constant_value", "sort",
    "variable", "zero_initializer",
]  # fmt: skip
