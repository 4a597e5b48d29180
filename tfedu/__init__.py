"""TensorFlow 1.x graph mode, to look at and to step through: `import tfedu as tf` runs a TF 1.15 program.

    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        y = tf.identity(x)
    tf.show(tf.get_default_graph())

This module only names what the layers below it make. `tf.widgets`, `tf.exercises`, `tf.explain`, `tf.progress`, `tf.view`
and `tf.show` are loaded when they are first used, so that the import itself needs NumPy alone. No state.
"""

# ruff: noqa: I001 - the names stand in paragraphs
from __future__ import annotations

import importlib
import types
from typing import TYPE_CHECKING, Any

from . import bitwise, errors, initializers, nest, random, train
from .engine.base.dtypes import (
    DType, QUANTIZED_DTYPES, as_dtype, bfloat16, bool, complex128, complex64, double, float16, float32, float64, half,
    int16, int32, int64, int8, qint16, qint32, qint8, quint16, quint8, resource, string, uint16, uint32,
    uint64, uint8, variant,
)  # fmt: skip
from .engine.base.errors import OpError
from .engine.base.shapes import Dimension, TensorShape, dimension_at_index, dimension_value
from .engine.graph import (
    DeviceSpec, Graph, Operation, Tensor, get_default_graph, get_default_session,
    register_tensor_conversion_function, reset_default_graph,
)  # fmt: skip
from .engine.lib.arrays.array import (
    bitcast, broadcast_dynamic_shape, broadcast_static_shape, broadcast_to, check_numerics, concat,
    ensure_shape, expand_dims, fill, matrix_transpose, newaxis, ones, ones_like, pad, parallel_stack,
    rank, reshape, reverse, reverse_sequence, reverse_v2, roll, shape, shape_n, size, squeeze, stack,
    stop_gradient, tile, transpose, zeros, zeros_like,
)  # fmt: skip
from .engine.lib.arrays.slicing import slice, split, strided_slice, unstack
from .engine.lib.arrays.selection import (
    batch_gather, dynamic_partition, dynamic_stitch, gather, gather_nd, setdiff1d, sparse_to_dense,
    unique, unique_with_counts, unravel_index, where, where_v2,
)  # fmt: skip
from .engine.lib.arrays.slicing import boolean_mask
from .engine.lib.arrays.constructors import eye, meshgrid, one_hot, sequence_mask
from .engine.lib.variables.scatter import (
    batch_scatter_update, scatter_add, scatter_div, scatter_max, scatter_min, scatter_mul, scatter_nd,
    scatter_nd_add, scatter_nd_sub, scatter_nd_update, scatter_sub, scatter_update, tensor_scatter_add,
    tensor_scatter_nd_add, tensor_scatter_nd_sub, tensor_scatter_nd_update, tensor_scatter_sub,
    tensor_scatter_update,
)  # fmt: skip
from .engine.lib.checks.asserts import (
    Assert, Print, assert_equal, assert_greater, assert_greater_equal, assert_less, assert_less_equal,
    assert_near, assert_negative, assert_non_negative, assert_non_positive, assert_none_equal,
    assert_positive,
)  # fmt: skip
from .engine.lib.framework.collections import add_to_collection, add_to_collections, get_collection, get_collection_ref
from .engine.lib.sparse.composite_values import IndexedSlices, SparseTensor, SparseTensorValue, sparse_placeholder
from .engine.lib.control.cond import cond
from .engine.lib.framework.conversion import convert_to_tensor, is_tensor
from .engine.lib.control.grouping import group, identity, identity_n, no_op, tuple
from .engine.lib.variables.initialization import (
    assert_variables_initialized, global_variables_initializer, initialize_all_variables,
    initialize_local_variables, initialize_variables, is_variable_initialized,
    local_variables_initializer, report_uninitialized_variables, variables_initializer,
)  # fmt: skip
from .engine.lib.variables.initializers import (
    constant_initializer, ones_initializer, random_normal_initializer, random_uniform_initializer,
    truncated_normal_initializer, zeros_initializer,
)  # fmt: skip
from .engine.lib.framework.graph_keys import GraphKeys
from .engine.lib.checks.type_asserts import (
    assert_integer, assert_proper_iterable, assert_rank, assert_rank_at_least, assert_rank_in,
    assert_same_float_dtype, assert_scalar, assert_type, is_numeric_tensor,
)  # fmt: skip
from .engine.lib.linalg.linalg import (
    cholesky, cholesky_solve, diag, diag_part, sqrtm as matrix_square_root, matrix_band_part, matrix_determinant, matrix_diag,
    matrix_diag_part, matrix_inverse, matrix_set_diag, matrix_solve, matrix_triangular_solve, norm, qr,
    self_adjoint_eig, self_adjoint_eigvals, svd, trace,
)  # fmt: skip
from .engine.lib.math.clip import (
    clip_by_average_norm, clip_by_global_norm, clip_by_norm, clip_by_value, global_norm,
)  # fmt: skip
from .engine.lib.math.math import (
    abs, acos, acosh, add, angle, asin, asinh, atan, atan2, atanh, cast, ceil, complex, conj, cos, cosh,
    cross, div, div_no_nan, divide, equal, exp, expm1, floor, floor_div, floordiv, floormod, greater,
    greater_equal, imag, invert_permutation, is_finite, is_inf, is_nan, less, less_equal, log, log1p,
    logical_and, logical_not, logical_or, logical_xor, maximum, minimum, mod, multiply, negative,
    not_equal, pow, real, realdiv, reciprocal, rint, round, rsqrt, saturate_cast, scalar_mul, sigmoid,
    sign, sin, sinh, sqrt, square, squared_difference, subtract, tan, tanh, to_bfloat16, to_complex128,
    to_complex64, to_double, to_float, to_int32, to_int64, truediv, truncatediv, truncatemod,
)  # fmt: skip
from .engine.lib.arrays.sequences import cumprod, cumsum, lin_space, linspace, range
from .engine.lib.math.reductions import (
    arg_max, arg_min, argmax, argmin, reduce_all, reduce_any, reduce_logsumexp, reduce_max, reduce_mean,
    reduce_min, reduce_prod, reduce_sum, segment_max, segment_mean, segment_min, segment_prod,
    segment_sum, unsorted_segment_max, unsorted_segment_mean, unsorted_segment_min,
    unsorted_segment_prod, unsorted_segment_sqrt_n, unsorted_segment_sum,
)  # fmt: skip
from .engine.lib.math.products import accumulate_n, add_n, matmul, sparse_matmul, tensordot
from .engine.lib.framework.graph_mode import (
    control_flow_v2_enabled, disable_control_flow_v2, disable_eager_execution, disable_tensor_equality,
    disable_v2_behavior, disable_v2_tensorshape, enable_control_flow_v2, enable_eager_execution,
    enable_tensor_equality, enable_v2_behavior, enable_v2_tensorshape, executing_eagerly,
    executing_eagerly_outside_functions, function,
)  # fmt: skip
from .engine.lib.framework.placeholders import placeholder, placeholder_with_default
from .engine.lib.math.random import (
    get_seed, multinomial, random_crop, random_gamma, random_normal, random_poisson, random_shuffle,
    random_uniform, set_random_seed, truncated_normal,
)  # fmt: skip
from .engine.lib.framework.scope_blocks import (
    colocate_with, container, control_dependencies, device, init_scope, name_scope, op_scope,
)  # fmt: skip
from .engine.lib.framework.static_value import get_static_value
from .engine.lib.variables.state import assign, assign_add, assign_sub, count_up_to
from .engine.lib.variables.scaled_initializers import (
    glorot_normal_initializer, glorot_uniform_initializer, orthogonal_initializer,
    uniform_unit_scaling_initializer, variance_scaling_initializer,
)  # fmt: skip
from .engine.lib.variables.variable_scope import (
    AUTO_REUSE, VariableScope, get_local_variable, get_variable, get_variable_scope, no_regularizer,
    variable_creator_scope, variable_op_scope, variable_scope,
)  # fmt: skip
from .engine.lib.variables.variable_settings import VariableAggregation, VariableSynchronization
from .engine.lib.variables.variables import (
    Variable, all_variables, disable_resource_variables, enable_resource_variables, global_variables,
    local_variables, model_variables, moving_average_variables, resource_variables_enabled,
    trainable_variables,
)  # fmt: skip
from .engine.ops.basic import guarantee_const
from .engine.op.constant import constant
from .engine.runtime.config import (
    ConfigProto, GPUOptions, GraphOptions, OptimizerOptions, RunMetadata, RunOptions, SimulatedDevices,
)  # fmt: skip
from .engine.runtime.session import InteractiveSession, Session
from .sysconfig import CXX11_ABI_FLAG, MONOLITHIC_BUILD
from .version import (
    COMPILER_VERSION, GIT_VERSION, GRAPH_DEF_VERSION, GRAPH_DEF_VERSION_MIN_CONSUMER,
    GRAPH_DEF_VERSION_MIN_PRODUCER, VERSION,
)  # fmt: skip
from .engine.interop.attach import attach as _attach_messages
from .engine.replay.attach import attach as _attach_recorder
from .view.attach import attach as _attach

if TYPE_CHECKING:
    from . import explain as explain, progress as progress, view as view, widgets as widgets
    from .engine.runtime import schedule as schedule
    from .view.model_summary import model_summary as model_summary
    from .view.show import show as show

__version__ = VERSION
__git_version__ = GIT_VERSION
__compiler_version__ = COMPILER_VERSION
__cxx11_abi_flag__ = CXX11_ABI_FLAG
__monolithic_build__ = MONOLITHIC_BUILD

_attach_messages()
_attach_recorder()
_attach()

# The functions that few programs need, by module of engine/lib: they are loaded when they are first asked for.
_SELDOM = {
    "nn.activations": "log_sigmoid",
    "arrays.blocks": (
        "batch_to_space, batch_to_space_nd, depth_to_space, required_space_to_batch_paddings, space_to_batch, "
        "space_to_batch_nd, space_to_depth"
    ),
    "math.counting": "bincount, confusion_matrix, count_nonzero, histogram_fixed_width, histogram_fixed_width_bins",
    "math.special": "betainc, digamma, erf, erfc, igamma, igammac, lbeta, lgamma, polygamma, zeta",
    "math.einsum": "einsum",
    "linalg.solve": "matrix_solve_ls",
    "checks.finite_checks": "add_check_numerics_ops, verify_tensor_all_finite",
    "strings.printing": "print",
    "framework.py_func": "numpy_function, py_func, py_function",
    "math.spectral": "fft, fft2d, fft3d, ifft, ifft2d, ifft3d",
    "arrays.repeat": "repeat",
    "variables.resources": "initialize_all_tables, tables_initializer",
    "control.case": "case, switch_case",
    "control.while_loop": "while_loop",
    "framework.type_specs": "IndexedSlicesSpec, SparseTensorSpec, TensorArraySpec, TensorSpec, TypeSpec",
    "control.functional": "foldl, foldr, map_fn, scan, vectorized_map",
    "control.tensor_array": "TensorArray",
    "variables.session_handles": "delete_session_tensor, get_session_handle, get_session_tensor",
    "sparse.sparse": (
        "concat as sparse_concat, convert_to_tensor_or_indexed_slices, "
        "convert_to_tensor_or_sparse_tensor, fill_empty_rows as sparse_fill_empty_rows, mask as "
        "sparse_mask, merge as sparse_merge, reorder as sparse_reorder, reset_shape as "
        "sparse_reset_shape, reshape as sparse_reshape, retain as sparse_retain, slice as sparse_slice, "
        "split as sparse_split, to_dense as sparse_tensor_to_dense, to_indicator as sparse_to_indicator, "
        "transpose as sparse_transpose"
    ),
    "sparse.serialized": "deserialize_many_sparse, serialize_many_sparse, serialize_sparse",
    "sparse.sparse_math": (
        "add as sparse_add, maximum as sparse_maximum, minimum as sparse_minimum, reduce_max as "
        "sparse_reduce_max, reduce_max_sparse as sparse_reduce_max_sparse, reduce_sum as "
        "sparse_reduce_sum, reduce_sum_sparse as sparse_reduce_sum_sparse, segment_mean as "
        "sparse_segment_mean, segment_sqrt_n as sparse_segment_sqrt_n, segment_sum as "
        "sparse_segment_sum, softmax as sparse_softmax, sparse_dense_matmul as "
        "sparse_tensor_dense_matmul"
    ),
    "variables.partitioners": (
        "create_partitioned_variables, fixed_size_partitioner, min_max_variable_partitioner, "
        "variable_axis_size_partitioner"
    ),
    "variables.template": "make_template",
    "images.image_boxes": "extract_image_patches, extract_volume_patches",
    "strings.strings": (
        "as_string, decode_base64, decode_compressed, decode_raw, edit_distance, encode_base64, "
        "fingerprint, reduce_join, regex_replace, string_join, string_strip, string_to_hash_bucket, "
        "string_to_hash_bucket_fast, string_to_hash_bucket_strong, string_to_number, substr"
    ),
    "control.critical_section": "CriticalSection",
    "nn.quantization": (
        "dequantize, fake_quant_with_min_max_args, fake_quant_with_min_max_args_gradient, fake_quant_with_min_max_vars, "
        "fake_quant_with_min_max_vars_gradient, fake_quant_with_min_max_vars_per_channel, "
        "fake_quant_with_min_max_vars_per_channel_gradient, quantize, quantize_v2, quantized_concat"
    ),
    "arrays.sorting": "argsort, is_non_decreasing, is_strictly_increasing, searchsorted, sort",
}

_SPACES = (
    "data", "debugging", "distributions", "dtypes", "layers", "linalg", "losses", "manip", "math", "metrics", "nn",
    "quantization", "sets", "signal", "sparse", "spectral", "strings",
)  # fmt: skip
_OF_DATA = {
    "queues.accumulators": "ConditionalAccumulator, ConditionalAccumulatorBase, SparseConditionalAccumulator",
    "queues.queues": "FIFOQueue, PaddingFIFOQueue, PriorityQueue, QueueBase, RandomShuffleQueue",
}
# Loaded on first use: the module, and the name in it where it is not the module itself.
_LAZY = {
    **{
        each.split(" as ")[-1]: (f"tfedu.engine.lib.{module}", each.split(" as ")[0])
        for module, names in _SELDOM.items()
        for each in names.split(", ")
    },
    **{
        name: (f"tfedu.{name}", None)
        for name in (
            *_SPACES, "app", "audio", "compat", "feature_column", "flags", "gfile", "image", "io", "keras", "legacy", "logging",
            "lookup", "python_io", "queue", "resource_loader", "summary", "test",
        )
    },
    **{
        name: ("tfedu.engine.data.parsing.features", name)
        for name in ("FixedLenFeature", "FixedLenSequenceFeature", "SparseFeature", "VarLenFeature")
    },
    **{
        name: ("tfedu.engine.data.parsing.examples", name)
        for name in ("parse_example", "parse_single_example")
    },
    "parse_single_sequence_example": ("tfedu.engine.data.parsing.sequences", "parse_single_sequence_example"),
    **{
        name: ("tfedu.engine.data.parsing.text_records", name)
        for name in ("decode_csv", "decode_json_example", "parse_tensor", "serialize_tensor")
    },
    "timestamp": ("tfedu.engine.ops.text_conversion", "timestamp"),
    **{name: ("tfedu.engine.ops.whole_files", name) for name in ("matching_files", "read_file", "write_file")},
    **{
        name: ("tfedu.engine.data.queues.file_readers", name)
        for name in (
            "FixedLengthRecordReader", "IdentityReader", "LMDBReader", "ReaderBase", "TFRecordReader", "TextLineReader",
            "WholeFileReader",
        )
    },
    **{
        name: (f"tfedu.engine.data.{module}", name)
        for module, names in _OF_DATA.items()
        for name in names.split(", ")
    },
    "OptionalSpec": ("tfedu.engine.data.pipeline.optional", "OptionalSpec"),
    "RaggedTensor": ("tfedu.ragged", "RaggedTensor"),
    "RaggedTensorSpec": ("tfedu.engine.lib.ragged.ragged_spec", "RaggedTensorSpec"),
    "ragged": ("tfedu.ragged", None),
    "string_split": ("tfedu.engine.lib.ragged.ragged_strings", "string_split"),
    **{name: ("tfedu.legacy.finder", name) for name in ("contrib", "core", "examples", "python")},
    "coverage": ("tfedu.legacy.coverage", "coverage"),
    "get_logger": ("tfedu.engine.base.log", "get_logger"),
    "hessians": ("tfedu.engine.autodiff.hessians", "hessians"),
    "install_as_tensorflow": ("tfedu.legacy.finder", "install_as_tensorflow"),
    "load_ipython_extension": ("tfedu.legacy.magics", "load_ipython_extension"),
    "load_library": ("tfedu.legacy.libraries", "load_library"),
    "load_op_library": ("tfedu.legacy.libraries", "load_op_library"),
    "uninstall_as_tensorflow": ("tfedu.legacy.finder", "uninstall_as_tensorflow"),
    "unload_ipython_extension": ("tfedu.legacy.magics", "unload_ipython_extension"),
    **{
        name: ("tfedu.engine.autodiff", name)
        for name in (
            "AggregationMethod", "NoGradient", "NotDifferentiable", "RegisterGradient", "UnconnectedGradients", "custom_gradient",
            "grad_pass_through", "gradients", "no_gradient", "recompute_grad",
        )
    },
    "exercises": ("tfedu.exercises", None),
    **{
        name: ("tfedu.engine.base.proto", name)
        for name in (
            "AttrValue", "Event", "GraphDef", "HistogramProto", "LogMessage", "MetaGraphDef", "NameAttrList", "NodeDef",
            "SessionLog", "Summary", "SummaryMetadata", "TensorInfo",
        )
    },
    "explain": ("tfedu.explain", None),
    "graph_util": ("tfedu.graph_util", None),
    "saved_model": ("tfedu.saved_model", None),
    "import_graph_def": ("tfedu.engine.interop.graph_import", "import_graph_def"),
    "make_ndarray": ("tfedu.engine.interop.tensor_messages", "make_ndarray"),
    "make_tensor_proto": ("tfedu.engine.interop.tensor_messages", "make_tensor_proto"),
    "model_summary": ("tfedu.view.model_summary", "model_summary"),
    "progress": ("tfedu.progress", None),
    "raw_ops": ("tfedu.raw_ops", None),
    "schedule": ("tfedu.engine.runtime.schedule", None),
    "show": ("tfedu.view.show", "show"),
    "export_html": ("tfedu.widgets.pages.export", "export_html"),
    "view": ("tfedu.view", None),
    "widgets": ("tfedu.widgets", None),
}

__all__ = [
    "AUTO_REUSE", "Assert", "COMPILER_VERSION", "CXX11_ABI_FLAG", "ConfigProto", "DType", "DeviceSpec",
    "Dimension", "GIT_VERSION", "GPUOptions", "GRAPH_DEF_VERSION", "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER", "Graph", "GraphKeys", "GraphOptions", "IndexedSlices",
    "InteractiveSession", "MONOLITHIC_BUILD", "OpError", "Operation", "OptimizerOptions", "Print",
    "QUANTIZED_DTYPES", "RunMetadata", "RunOptions", "Session", "SimulatedDevices", "SparseTensor",
    "SparseTensorValue", "Tensor", "TensorShape", "VERSION", "Variable", "VariableAggregation",
    "VariableScope", "VariableSynchronization", "__version__", "abs", "accumulate_n", "acos", "acosh",
    "add", "add_n", "add_to_collection", "add_to_collections", "all_variables", "angle", "arg_max",
    "arg_min", "argmax", "argmin", "as_dtype", "asin", "asinh", "assert_equal", "assert_greater",
    "assert_greater_equal", "assert_integer", "assert_less", "assert_less_equal", "assert_near",
    "assert_negative", "assert_non_negative", "assert_non_positive", "assert_none_equal",
    "assert_positive", "assert_proper_iterable", "assert_rank", "assert_rank_at_least", "assert_rank_in",
    "assert_same_float_dtype", "assert_scalar", "assert_type", "assert_variables_initialized", "assign",
    "assign_add", "assign_sub", "atan", "atan2", "atanh", "batch_gather", "batch_scatter_update",
    "bfloat16", "bitcast", "bitwise", "bool", "boolean_mask", "broadcast_dynamic_shape",
    "broadcast_static_shape", "broadcast_to", "cast", "ceil", "check_numerics", "cholesky",
    "cholesky_solve", "clip_by_average_norm", "clip_by_global_norm", "clip_by_norm", "clip_by_value",
    "colocate_with", "complex", "complex128", "complex64", "concat", "cond", "conj", "constant",
    "constant_initializer", "container", "control_dependencies", "control_flow_v2_enabled",
    "convert_to_tensor", "cos", "cosh", "count_up_to", "cross", "cumprod", "cumsum", "device", "diag",
    "diag_part", "dimension_at_index", "dimension_value", "disable_control_flow_v2",
    "disable_eager_execution", "disable_resource_variables", "disable_tensor_equality",
    "disable_v2_behavior", "disable_v2_tensorshape", "div", "div_no_nan", "divide", "double",
    "dynamic_partition", "dynamic_stitch", "enable_control_flow_v2", "enable_eager_execution",
    "enable_resource_variables", "enable_tensor_equality", "enable_v2_behavior", "enable_v2_tensorshape",
    "ensure_shape", "equal", "errors", "executing_eagerly", "executing_eagerly_outside_functions", "exp",
    "expand_dims", "expm1", "eye", "fill", "float16", "float32", "float64", "floor", "floor_div",
    "floordiv", "floormod", "function", "gather", "gather_nd", "get_collection", "get_collection_ref",
    "get_default_graph", "get_default_session", "get_local_variable", "get_seed", "get_static_value",
    "get_variable", "get_variable_scope", "global_norm", "global_variables",
    "global_variables_initializer", "glorot_normal_initializer", "glorot_uniform_initializer", "greater",
    "greater_equal", "group", "guarantee_const", "half", "identity", "identity_n", "imag", "init_scope",
    "initialize_all_variables", "initialize_local_variables", "initialize_variables", "initializers",
    "int16", "int32", "int64", "int8", "invert_permutation", "is_finite", "is_inf", "is_nan",
    "is_numeric_tensor", "is_tensor", "is_variable_initialized", "less", "less_equal", "lin_space",
    "linspace", "local_variables", "local_variables_initializer", "log", "log1p", "logical_and",
    "logical_not", "logical_or", "logical_xor", "matmul", "matrix_band_part", "matrix_determinant",
    "matrix_diag", "matrix_diag_part", "matrix_inverse", "matrix_set_diag", "matrix_solve",
    "matrix_square_root", "matrix_transpose", "matrix_triangular_solve", "maximum", "meshgrid", "minimum",
    "mod", "model_variables", "moving_average_variables", "multinomial", "multiply", "name_scope",
    "negative", "nest", "newaxis", "no_op", "no_regularizer", "norm", "not_equal", "one_hot", "ones",
    "ones_initializer", "ones_like", "op_scope", "orthogonal_initializer", "pad", "parallel_stack",
    "placeholder", "placeholder_with_default", "pow", "qint16", "qint32", "qint8", "qr", "quint16",
    "quint8", "random", "random_crop", "random_gamma", "random_normal", "random_normal_initializer",
    "random_poisson", "random_shuffle", "random_uniform", "random_uniform_initializer", "range", "rank",
    "real", "realdiv", "reciprocal", "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max",
    "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "register_tensor_conversion_function",
    "report_uninitialized_variables", "reset_default_graph", "reshape", "resource",
    "resource_variables_enabled", "reverse", "reverse_sequence", "reverse_v2", "rint", "roll", "round",
    "rsqrt", "saturate_cast", "scalar_mul", "scatter_add", "scatter_div", "scatter_max", "scatter_min",
    "scatter_mul", "scatter_nd", "scatter_nd_add", "scatter_nd_sub", "scatter_nd_update", "scatter_sub",
    "scatter_update", "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum",
    "self_adjoint_eig", "self_adjoint_eigvals", "sequence_mask", "set_random_seed", "setdiff1d", "shape",
    "shape_n", "sigmoid", "sign", "sin", "sinh", "size", "slice", "sparse_matmul", "sparse_placeholder",
    "sparse_to_dense", "split", "sqrt", "square", "squared_difference", "squeeze", "stack",
    "stop_gradient", "strided_slice", "string", "subtract", "svd", "tan", "tanh", "tensor_scatter_add",
    "tensor_scatter_nd_add", "tensor_scatter_nd_sub", "tensor_scatter_nd_update", "tensor_scatter_sub",
    "tensor_scatter_update", "tensordot", "tile", "to_bfloat16", "to_complex128", "to_complex64",
    "to_double", "to_float", "to_int32", "to_int64", "trace", "train", "trainable_variables", "transpose",
    "truediv", "truncated_normal", "truncated_normal_initializer", "truncatediv", "truncatemod", "tuple",
    "uint16", "uint32", "uint64", "uint8", "uniform_unit_scaling_initializer", "unique",
    "unique_with_counts", "unravel_index", "unsorted_segment_max", "unsorted_segment_mean",
    "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sqrt_n", "unsorted_segment_sum",
    "unstack", "variable_creator_scope", "variable_op_scope", "variable_scope", "variables_initializer",
    "variance_scaling_initializer", "variant", "where", "where_v2", "zeros", "zeros_initializer",
    "zeros_like",
]  # fmt: skip
# `from tfedu import *` brings TF's names, whatever that loads, but nothing that is tfedu's own and heavy.
__all__ += [name for name, (module, _) in _LAZY.items() if module.startswith("tfedu.engine.lib.") or name in _SPACES]
# summaries of before 1.0, whose programs run but for them
_LAZY |= {
    name: ("tfedu.engine.lib.summaries.tagged_summary", name)
    for name in (
        "audio_summary", "histogram_summary", "image_summary", "merge_all_summaries", "merge_summary", "scalar_summary",
    )
}  # fmt: skip



def __getattr__(name: str) -> Any:
    where = _LAZY.get(name)
    if where is None:
        raise importlib.import_module("tfedu.legacy.missing").attribute_error("tfedu", name)
    module = importlib.import_module(where[0])
    found = module if where[1] is None else getattr(module, where[1])
    if where[1] is None:
        _explain_what_is_missing(module)
    globals()[name] = found
    return found


def _explain_what_is_missing(module: types.ModuleType) -> None:
    """Gives a namespace, and each public one below it, the error that `tf` raises for a name which it lacks.

    The error says whether TF 1.15 has the name, and where the name belongs.
    """
    own = vars(module).get("__getattr__")

    def missing(name: str) -> Any:
        if own is not None:
            try:
                return own(name)
            except AttributeError:
                pass
        raise importlib.import_module("tfedu.legacy.missing").attribute_error(module.__name__, name)

    vars(module)["__getattr__"] = missing
    for name in vars(module).get("__all__", ()):
        below = vars(module).get(name)
        if isinstance(below, types.ModuleType) and below.__name__ == f"{module.__name__}.{name}":
            _explain_what_is_missing(below)


for _module in (value for name, value in [*globals().items()] if isinstance(value, types.ModuleType)):
    if _module.__name__.startswith("tfedu."):
        _explain_what_is_missing(_module)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
