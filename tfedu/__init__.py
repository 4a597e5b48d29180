"""TensorFlow 1.x graph mode, to look at and to step through: `import tfedu as tf` runs a TF 1.15 program.

    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        y = tf.identity(x)
    tf.show(tf.get_default_graph())

This module only names what the layers below it make. `tf.widgets`, `tf.exercises`, `tf.explain`, `tf.view` and
`tf.show` are loaded when they are first used, so that the import itself needs NumPy alone. No state.
"""

# ruff: noqa: I001 - the names stand in paragraphs
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import bitwise, debugging, dtypes, errors, initializers, linalg, math, nest, nn, random, train
from .engine.base.dtypes import (
    DType, as_dtype, bfloat16, bool, complex128, complex64, double, float16, float32, float64, half,
    int16, int32, int64, int8, qint16, qint32, qint8, quint16, quint8, resource, string, uint16, uint32,
    uint64, uint8, variant,
)  # fmt: skip
from .engine.base.errors import OpError
from .engine.base.shapes import Dimension, TensorShape, dimension_at_index, dimension_value
from .engine.graph import (
    DeviceSpec, Graph, Operation, Tensor, get_default_graph, get_default_session,
    register_tensor_conversion_function, reset_default_graph,
)  # fmt: skip
from .engine.lib.array import (
    argsort, batch_gather, batch_to_space_nd, bitcast, boolean_mask, broadcast_dynamic_shape,
    broadcast_static_shape, broadcast_to, check_numerics, concat, depth_to_space, dynamic_partition,
    dynamic_stitch, ensure_shape, expand_dims, eye, fill, gather, gather_nd, matrix_transpose, meshgrid,
    newaxis, one_hot, ones, ones_like, pad, parallel_stack, rank, repeat,
    required_space_to_batch_paddings, reshape, reverse, reverse_sequence, reverse_v2, roll, scatter_nd,
    searchsorted, sequence_mask, setdiff1d, shape, shape_n, size, slice, sort, space_to_batch_nd,
    space_to_depth, sparse_to_dense, split, squeeze, stack, stop_gradient, strided_slice,
    tensor_scatter_add, tensor_scatter_nd_add, tensor_scatter_nd_sub, tensor_scatter_nd_update,
    tensor_scatter_sub, tensor_scatter_update, tile, transpose, unique, unique_with_counts, unravel_index,
    unstack, where, where_v2, zeros, zeros_like,
)  # fmt: skip
from .engine.lib.asserts import (
    Assert, Print, assert_equal, assert_greater, assert_greater_equal, assert_less, assert_less_equal,
    assert_near, assert_negative, assert_non_negative, assert_non_positive, assert_none_equal,
    assert_positive,
)  # fmt: skip
from .engine.lib.collections import add_to_collection, add_to_collections, get_collection, get_collection_ref
from .engine.lib.composites import IndexedSlices, SparseTensor, SparseTensorValue, sparse_placeholder
from .engine.lib.cond import cond
from .engine.lib.conversion import convert_to_tensor
from .engine.lib.flow import group, identity, identity_n, no_op, tuple
from .engine.lib.init import (
    assert_variables_initialized, global_variables_initializer, initialize_all_variables,
    initialize_local_variables, initialize_variables, is_variable_initialized,
    local_variables_initializer, report_uninitialized_variables, variables_initializer,
)  # fmt: skip
from .engine.lib.initializers import (
    constant_initializer, ones_initializer, random_normal_initializer, random_uniform_initializer,
    truncated_normal_initializer, zeros_initializer,
)  # fmt: skip
from .engine.lib.keys import GraphKeys
from .engine.lib.kind_asserts import (
    assert_integer, assert_proper_iterable, assert_rank, assert_rank_at_least, assert_rank_in,
    assert_same_float_dtype, assert_scalar, assert_type, is_numeric_tensor,
)  # fmt: skip
from .engine.lib.linalg import (
    cholesky, cholesky_solve, diag, diag_part, einsum, matrix_band_part, matrix_determinant, matrix_diag,
    matrix_diag_part, matrix_inverse, matrix_set_diag, matrix_solve, matrix_triangular_solve, norm, qr,
    self_adjoint_eig, self_adjoint_eigvals, svd,
)  # fmt: skip
from .engine.lib.clip import (
    clip_by_average_norm, clip_by_global_norm, clip_by_norm, clip_by_value, global_norm,
)  # fmt: skip
from .engine.lib.math import (
    abs, acos, acosh, add, angle, arg_max, arg_min, argmax, argmin, asin, asinh, atan, atan2, atanh,
    betainc, bincount, cast, ceil, complex, confusion_matrix, conj, cos, cosh, count_nonzero, cross,
    cumprod, cumsum, digamma, div, div_no_nan, divide, equal, erf, erfc, exp, expm1, floor, floor_div,
    floordiv, floormod, greater, greater_equal, histogram_fixed_width, igamma, igammac, imag,
    invert_permutation, is_finite, is_inf, is_nan, is_non_decreasing, is_strictly_increasing, lbeta,
    less, less_equal, lgamma, lin_space, linspace, log, log1p, log_sigmoid, logical_and, logical_not,
    logical_or, logical_xor, maximum, minimum, mod, multiply, negative, not_equal, polygamma, pow,
    range, real, realdiv, reciprocal, reduce_all, reduce_any, reduce_logsumexp, reduce_max, reduce_mean,
    reduce_min, reduce_prod, reduce_sum, rint, round, rsqrt, saturate_cast, scalar_mul, segment_max,
    segment_mean, segment_min, segment_prod, segment_sum, sigmoid, sign, sin, sinh, sqrt, square,
    squared_difference, subtract, tan, tanh, to_bfloat16, to_complex128, to_complex64, to_double,
    to_float, to_int32, to_int64, trace, truediv, truncatediv, truncatemod, unsorted_segment_max,
    unsorted_segment_mean, unsorted_segment_min, unsorted_segment_prod, unsorted_segment_sqrt_n,
    unsorted_segment_sum, zeta,
)  # fmt: skip
from .engine.lib.products import accumulate_n, add_n, matmul, tensordot
from .engine.lib.modes import (
    disable_eager_execution, disable_v2_behavior, enable_eager_execution, executing_eagerly,
)  # fmt: skip
from .engine.lib.placeholders import placeholder, placeholder_with_default
from .engine.lib.random import (
    get_seed, multinomial, random_crop, random_gamma, random_normal, random_poisson, random_shuffle,
    random_uniform, set_random_seed,
    truncated_normal,
)  # fmt: skip
from .engine.lib.scatter import (
    batch_scatter_update, scatter_add, scatter_div, scatter_max, scatter_min, scatter_mul, scatter_nd_add,
    scatter_nd_sub, scatter_nd_update, scatter_sub, scatter_update,
)  # fmt: skip
from .engine.lib.scope import colocate_with, control_dependencies, device, name_scope
from .engine.lib.state import assign, assign_add, assign_sub, count_up_to
from .engine.lib.variables import (
    Variable, VariableAggregation, VariableSynchronization, all_variables, disable_resource_variables,
    enable_resource_variables, global_variables, local_variables, model_variables,
    moving_average_variables, resource_variables_enabled, trainable_variables,
)  # fmt: skip
from .engine.ops.convert import constant
from .engine.runtime.config import (
    ConfigProto, GPUOptions, GraphOptions, OptimizerOptions, RunMetadata, RunOptions,
)  # fmt: skip
from .engine.runtime.session import InteractiveSession, Session
from .engine.base.suggest import nearest as _nearest
from .view.attach import attach as _attach

if TYPE_CHECKING:
    from . import explain as explain, view as view, widgets as widgets
    from .engine.runtime import schedule as schedule
    from .view.show import show as show

# TF programs look at the beginning of the version; what follows the plus sign is tfedu's own.
__version__ = "1.15.0+tfedu.0.1"
VERSION = __version__

_attach()

# Loaded on first use: the module, and the name in it where it is not the module itself. Not in __all__, or
# `from tfedu import *` would load them.
_LAZY = {
    "exercises": ("tfedu.exercises", None),
    "explain": ("tfedu.explain", None),
    "schedule": ("tfedu.engine.runtime.schedule", None),
    "show": ("tfedu.view.show", "show"),
    "view": ("tfedu.view", None),
    "widgets": ("tfedu.widgets", None),
}

__all__ = [
    "Assert", "ConfigProto", "DType", "DeviceSpec", "Dimension", "GPUOptions", "Graph", "GraphKeys",
    "GraphOptions", "IndexedSlices", "InteractiveSession", "OpError", "Operation", "OptimizerOptions",
    "Print", "RunMetadata", "RunOptions", "Session", "SparseTensor", "SparseTensorValue", "Tensor",
    "TensorShape", "VERSION", "Variable", "VariableAggregation", "VariableSynchronization", "__version__",
    "abs", "accumulate_n", "acos", "acosh", "add", "add_n", "add_to_collection", "add_to_collections",
    "all_variables", "angle", "arg_max", "arg_min", "argmax", "argmin", "argsort", "as_dtype", "asin",
    "asinh", "assert_equal", "assert_greater", "assert_greater_equal", "assert_integer", "assert_less",
    "assert_less_equal", "assert_near", "assert_negative", "assert_non_negative", "assert_non_positive",
    "assert_none_equal", "assert_positive", "assert_proper_iterable", "assert_rank",
    "assert_rank_at_least", "assert_rank_in", "assert_same_float_dtype", "assert_scalar", "assert_type",
    "assert_variables_initialized", "assign", "assign_add", "assign_sub", "atan", "atan2", "atanh",
    "batch_gather", "batch_scatter_update", "batch_to_space_nd", "betainc", "bfloat16", "bincount",
    "bitcast", "bitwise", "bool", "boolean_mask", "broadcast_dynamic_shape", "broadcast_static_shape",
    "broadcast_to", "cast", "ceil", "check_numerics", "cholesky", "cholesky_solve",
    "clip_by_average_norm", "clip_by_global_norm", "clip_by_norm", "clip_by_value", "colocate_with",
    "complex", "complex128", "complex64", "concat", "cond", "confusion_matrix", "conj", "constant",
    "constant_initializer", "control_dependencies", "convert_to_tensor", "cos", "cosh", "count_nonzero",
    "count_up_to", "cross", "cumprod", "cumsum", "debugging", "depth_to_space", "device", "diag",
    "diag_part", "digamma", "dimension_at_index", "dimension_value", "disable_eager_execution",
    "disable_resource_variables", "disable_v2_behavior", "div", "div_no_nan", "divide", "double",
    "dtypes", "dynamic_partition", "dynamic_stitch", "einsum", "enable_eager_execution",
    "enable_resource_variables", "ensure_shape", "equal", "erf", "erfc", "errors", "executing_eagerly",
    "exp", "expand_dims", "expm1", "eye", "fill", "float16", "float32", "float64", "floor", "floor_div",
    "floordiv", "floormod", "gather", "gather_nd", "get_collection", "get_collection_ref",
    "get_default_graph", "get_default_session", "get_seed", "global_norm", "global_variables",
    "global_variables_initializer", "greater", "greater_equal", "group", "half", "histogram_fixed_width",
    "identity", "identity_n", "igamma", "igammac", "imag", "initialize_all_variables",
    "initialize_local_variables", "initialize_variables", "initializers", "int16", "int32", "int64",
    "int8", "invert_permutation", "is_finite", "is_inf", "is_nan", "is_non_decreasing",
    "is_numeric_tensor", "is_strictly_increasing", "is_variable_initialized", "lbeta", "less",
    "less_equal", "lgamma", "lin_space", "linalg", "linspace", "local_variables",
    "local_variables_initializer", "log", "log1p", "log_sigmoid", "logical_and", "logical_not",
    "logical_or", "logical_xor", "math", "matmul", "matrix_band_part", "matrix_determinant",
    "matrix_diag", "matrix_diag_part", "matrix_inverse", "matrix_set_diag", "matrix_solve",
    "matrix_transpose", "matrix_triangular_solve", "maximum", "meshgrid", "minimum", "mod",
    "model_variables", "moving_average_variables", "multinomial", "multiply", "name_scope", "negative",
    "nest", "newaxis", "nn", "no_op", "norm", "not_equal", "one_hot", "ones", "ones_initializer",
    "ones_like", "pad", "parallel_stack", "placeholder", "placeholder_with_default", "polygamma", "pow",
    "qint16", "qint32", "qint8", "qr", "quint16", "quint8", "random", "random_crop", "random_gamma",
    "random_normal", "random_normal_initializer", "random_poisson", "random_shuffle", "random_uniform",
    "random_uniform_initializer", "range", "rank", "real", "realdiv", "reciprocal", "reduce_all",
    "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod",
    "reduce_sum", "register_tensor_conversion_function", "repeat", "report_uninitialized_variables",
    "required_space_to_batch_paddings", "reset_default_graph", "reshape", "resource",
    "resource_variables_enabled", "reverse", "reverse_sequence", "reverse_v2", "rint", "roll", "round",
    "rsqrt", "saturate_cast", "scalar_mul", "scatter_add", "scatter_div", "scatter_max", "scatter_min",
    "scatter_mul", "scatter_nd", "scatter_nd_add", "scatter_nd_sub", "scatter_nd_update", "scatter_sub",
    "scatter_update", "searchsorted", "segment_max", "segment_mean", "segment_min", "segment_prod",
    "segment_sum", "self_adjoint_eig", "self_adjoint_eigvals", "sequence_mask", "set_random_seed",
    "setdiff1d", "shape", "shape_n", "sigmoid", "sign", "sin", "sinh", "size", "slice", "sort",
    "space_to_batch_nd", "space_to_depth", "sparse_placeholder", "sparse_to_dense", "split", "sqrt",
    "square", "squared_difference", "squeeze", "stack", "stop_gradient", "strided_slice", "string",
    "subtract", "svd", "tan", "tanh", "tensor_scatter_add", "tensor_scatter_nd_add",
    "tensor_scatter_nd_sub", "tensor_scatter_nd_update", "tensor_scatter_sub", "tensor_scatter_update",
    "tensordot", "tile", "to_bfloat16", "to_complex128", "to_complex64", "to_double", "to_float",
    "to_int32", "to_int64", "trace", "train", "trainable_variables", "transpose", "truediv",
    "truncated_normal", "truncated_normal_initializer", "truncatediv", "truncatemod", "tuple", "uint16",
    "uint32", "uint64", "uint8", "unique", "unique_with_counts", "unravel_index", "unsorted_segment_max",
    "unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sqrt_n",
    "unsorted_segment_sum", "unstack", "variables_initializer", "variant", "where", "where_v2", "zeros",
    "zeros_initializer", "zeros_like", "zeta",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    where = _LAZY.get(name)
    if where is None:
        near = None if name.startswith("__") else _nearest(name, [*__all__, *_LAZY])
        raise AttributeError(f"module 'tfedu' has no attribute '{name}'" + (f". Did you mean '{near}'?" if near else ""))
    module = importlib.import_module(where[0])
    found = module if where[1] is None else getattr(module, where[1])
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
